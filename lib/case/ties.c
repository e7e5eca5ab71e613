/* Ties of a case: `ties:`, a list of two sides each that move as one body, `cyclic:` and
 * `periodic:`, sides of which one is the image of the other, and `preload:`, sides of bolts that
 * are cut through. */
#include "case/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ew_status read_sides(ew_case_reader *reader, const yaml_node_t *node, ew_case_tie *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "slave"), "slave", &out->slave));
    EW_TRY(
        ew_case_read_set_use(reader, ew_yaml_find(yaml, node, "master"), "master", &out->master));
    return out->slave == out->master
               ? ew_yaml_fail(node,
                              "slave and master are the same set; give each side faces of its own")
               : EW_OK;
}

static ew_status read_tie(ew_case_reader *reader, const yaml_node_t *node,
                          const ew_case_section *section, ew_case_tie *out)
{
    EW_TRY(ew_case_read_keys(&reader->yaml, node, section, out));
    out->line = ew_yaml_line(node);
    return read_sides(reader, node, out);
}

static ew_status read_section(ew_case_reader *reader, const yaml_node_t *node, ew_case_tie *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *set = ew_yaml_find(yaml, node, "set"),
                      *given = ew_yaml_find(yaml, node, "name");
    const char *name;
    char line[40];
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_bolt, out));
    EW_TRY(ew_case_read_axis(reader, ew_yaml_find(yaml, node, "normal"), "normal", out->axis));
    snprintf(line, sizeof line, "section in line %d", (int)ew_yaml_line(node));
    name = line;
    EW_TRY(given ? ew_yaml_text(yaml, given, "name", &name) : EW_OK);
    if (given && ew_case_set_named(reader, name) >= 0) {
        return ew_yaml_fail(given, "there is a set '%.60s' already; take another name", name);
    }
    out->has_section = out->has_axis = true;
    out->section_set = -1;
    EW_TRY(set ? ew_case_read_set_use(reader, set, "set", &out->section_set) : EW_OK);
    return ew_case_add_sides(reader, node, name, out);
}

static ew_status read_preload(ew_case_reader *reader, const yaml_node_t *node, ew_case_tie *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *section = ew_yaml_find(yaml, node, "section"),
                      *slave = ew_yaml_find(yaml, node, "slave"),
                      *master = ew_yaml_find(yaml, node, "master"),
                      *axis = ew_yaml_find(yaml, node, "axis");
    out->is_bolt = out->is_locked = true; /* unless it says otherwise */
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_preload, out));
    out->line = ew_yaml_line(node);
    if (section ? slave || master : !slave || !master) {
        return ew_yaml_fail(node, "a preload has a section, where its bolt is parted, or a slave "
                                  "and a master, the sides of one that is cut through");
    }
    if (section && axis) {
        return ew_yaml_fail(axis, "the axis of a bolt with a section is the normal of that; leave "
                                  "'axis' out");
    }
    out->has_axis = axis != NULL;
    EW_TRY(axis ? ew_case_read_axis(reader, axis, "axis", out->axis) : EW_OK);
    EW_TRY(section ? read_section(reader, section, out) : read_sides(reader, node, out));
    return !ew_yaml_find(yaml, node, "force") == !ew_yaml_find(yaml, node, "shortening")
               ? ew_yaml_fail(node, "a preload has a force or a shortening; give one of them")
               : EW_OK;
}

static ew_status read_cyclic(ew_case_reader *reader, const yaml_node_t *node, ew_case_tie *out)
{
    EW_TRY(read_tie(reader, node, &ew_section_cyclic, out));
    return ew_case_read_axis(reader, ew_yaml_find(&reader->yaml, node, "axis"), "axis", out->axis);
}

/* Six numbers, of all sides. */
static ew_status read_strain(ew_case_reader *reader, const yaml_node_t *node, double strain[6])
{
    int32_t n;
    EW_TRY(ew_yaml_expect_list(node, "strain", &n));
    if (n != 6) {
        return ew_yaml_fail(node, "strain has %d numbers; give six: xx, yy, zz, xy, yz, xz",
                            (int)n);
    }
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(ew_yaml_number(ew_yaml_item(&reader->yaml, node, i), "strain", &strain[i]));
    }
    return EW_OK;
}

static ew_status read_periodic(ew_case_reader *reader, const yaml_node_t *node,
                               const yaml_node_t *sides, ew_case_tie *out, int32_t n)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *value = ew_yaml_find(yaml, node, "strain");
    double strain[6] = {0.0};
    EW_TRY(value ? read_strain(reader, value, strain) : EW_OK);
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(read_tie(reader, ew_yaml_item(yaml, sides, i), &ew_section_tie, &out[i]));
        out[i].is_periodic = true;
        memcpy(out[i].strain, strain, sizeof strain);
    }
    return EW_OK;
}

static ew_status check_pairs(const ew_case *input, const yaml_node_t *node, int32_t i)
{
    const ew_case_tie *b = &input->tie[i];
    for (int32_t k = 0; k < i; k++) {
        const ew_case_tie *a = &input->tie[k];
        if ((a->slave == b->slave && a->master == b->master) ||
            (a->slave == b->master && a->master == b->slave)) {
            return ew_yaml_fail(node,
                                "slave and master are the two sides of the entry in line %d "
                                "already; give each pair once",
                                (int)a->line);
        }
    }
    return EW_OK;
}

/* The sides of a cell. */
static ew_status find_sides(ew_case_reader *reader, const yaml_node_t *periodic,
                            const yaml_node_t **sides, int32_t *n)
{
    *n = 0;
    if (!periodic) {
        return EW_OK;
    }
    EW_TRY(ew_case_read_keys(&reader->yaml, periodic, &ew_section_periodic, NULL));
    *sides = ew_yaml_find(&reader->yaml, periodic, "sides");
    EW_TRY(ew_yaml_expect_list(*sides, "sides", n));
    return *n ? EW_OK
              : ew_yaml_fail(*sides, "sides is empty, so that nothing has the strain; give "
                                     "opposite sides of the cell, [{slave: right, master: left}]");
}

ew_status ew_case_read_ties(ew_case_reader *reader, const yaml_node_t *root)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *ties = ew_yaml_find(yaml, root, "ties");
    const yaml_node_t *cyclic = ew_yaml_find(yaml, root, "cyclic");
    const yaml_node_t *periodic = ew_yaml_find(yaml, root, "periodic"), *sides = NULL;
    const yaml_node_t *preload = ew_yaml_find(yaml, root, "preload");
    int32_t n = 0, n_side, n_bolt = 0, at = 0;
    EW_TRY(ties ? ew_yaml_expect_list(ties, "ties", &n) : EW_OK);
    EW_TRY(find_sides(reader, periodic, &sides, &n_side));
    EW_TRY(preload ? ew_yaml_expect_list(preload, "preload", &n_bolt) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena,
                         sizeof *input->tie * ((size_t)n + 1 + (size_t)n_side + (size_t)n_bolt),
                         &input->tie));
    for (int32_t i = 0; i < n; i++, at++) {
        const yaml_node_t *item = ew_yaml_item(yaml, ties, i);
        EW_TRY(read_tie(reader, item, &ew_section_tie, &input->tie[at]));
        EW_TRY(check_pairs(input, item, at));
    }
    if (cyclic) {
        EW_TRY(read_cyclic(reader, cyclic, &input->tie[at]));
        EW_TRY(check_pairs(input, cyclic, at++));
    }
    EW_TRY(n_side ? read_periodic(reader, periodic, sides, &input->tie[at], n_side) : EW_OK);
    for (int32_t i = 0; i < n_side; i++, at++) {
        EW_TRY(check_pairs(input, ew_yaml_item(yaml, sides, i), at));
    }
    for (int32_t i = 0; i < n_bolt; i++, at++) {
        const yaml_node_t *item = ew_yaml_item(yaml, preload, i);
        EW_TRY(read_preload(reader, item, &input->tie[at]));
        EW_TRY(check_pairs(input, item, at));
    }
    input->n_tie = at;
    return EW_OK;
}

/* ---- bolts that are parted by their case ----------------------------------------------------- */

/* Before the other edits of the step. */
static ew_status part_bolt(ew_case_reader *reader, ew_case_tie *bolt, ew_case_step *step)
{
    const ew_operation *split = ew_operation_named("split");
    ew_case_edit *edit;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *edit * ((size_t)step->n_edit + 1), &edit));
    for (int32_t i = 0; i < step->n_edit; i++) {
        edit[i + 1] = step->edit[i];
    }
    edit[0] = (ew_case_edit){
        .operation = split, .line = bolt->line, .values = ew_operation_presets(split)};
    ew_parameter_value *of = edit[0].values.of,
                       *plane = &of[ew_operation_parameter(split, "plane")],
                       *set = &of[ew_operation_parameter(split, "set")],
                       *name = &of[ew_operation_parameter(split, "name")];
    const int32_t label = EW_FIRST_NAMED_LABEL + reader->n_label++;
    of[ew_operation_parameter(split, "label")].whole = label;
    plane->given = name->given = true;
    memcpy(plane->number, bolt->point, sizeof bolt->point);
    memcpy(plane->number + 3, bolt->axis, sizeof bolt->axis);
    set->given = bolt->section_set >= 0;
    set->whole = bolt->section_set;
    name->text = reader->set[bolt->slave].name;
    step->edit = edit;
    step->n_edit++;
    return ew_case_define_sides(reader, bolt, label, step);
}

ew_status ew_case_part_bolts(ew_case_reader *reader)
{
    ew_case *input = reader->out;
    for (int32_t i = input->n_tie - 1; i >= 0; i--) {
        for (int32_t s = 0; s < input->n_step && input->tie[i].has_section; s++) {
            ew_case_step *step = &input->step[s];
            EW_TRY(s == 0 || step->reset ? part_bolt(reader, &input->tie[i], step) : EW_OK);
        }
    }
    return EW_OK;
}

/* ---- what is not alike in all sectors ---------------------------------------------------------
 */

/* Directions and places of a case have six digits or more. */
#define DIGITS 1e-6

static double length_of(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* Length of the part at right angles to an axis. */
static double across(const double axis[3], const double v[3])
{
    const double turned[3] = {axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2],
                              axis[0] * v[1] - axis[1] * v[0]};
    return length_of(turned) / length_of(axis);
}

static bool is_along(const double axis[3], const double v[3])
{
    return across(axis, v) <= DIGITS * length_of(v);
}

/* Gravity and centrifugal forces; what acts on a set turns with its sector. */
static ew_status check_sector_load(const ew_case_tie *sector, const ew_case_load *load)
{
    const double *p = load->as.point, *q = sector->point;
    const double apart[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    const bool is_gravity = load->as.kind == EW_LOAD_GRAVITY;
    if (!is_gravity && load->as.kind != EW_LOAD_CENTRIFUGAL) {
        return EW_OK;
    }
    return is_along(sector->axis, load->as.vector) &&
                   (is_gravity ||
                    across(sector->axis, apart) <= DIGITS * (length_of(p) + length_of(q)))
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, load->line,
                            "%s that is not along the axis of 'cyclic:' differs from sector to "
                            "sector; model all of the body",
                            is_gravity ? "gravity" : "an axis of centrifugal forces");
}

static ew_status check_sector_step(const ew_case *input, const ew_case_tie *sector,
                                   const ew_case_step *step)
{
    const ew_case_load *load = step->own_loads ? step->load : input->load;
    const int32_t n = step->own_loads ? step->n_load : input->n_load;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(check_sector_load(sector, &load[i]));
    }
    return !step->response || step->response->kind == EW_RESPONSE_HARMONIC ||
                   is_along(sector->axis, step->response->direction)
               ? EW_OK
               : ew_fail_at(EW_BAD_INPUT, step->line,
                            "step '%.60s': supports that move in a direction that is not along the "
                            "axis of 'cyclic:' move each sector in another way; model all of the "
                            "body",
                            step->name);
}

/* A wave goes round one axis alone, in bodies that are solved by a factor. */
static ew_status check_waves(const ew_case *input, const ew_case_step *step)
{
    bool is_cell = false, is_rigid = false;
    for (int32_t i = 0; i < input->n_tie; i++) {
        is_cell = is_cell || input->tie[i].is_periodic;
    }
    for (int32_t i = 0; i < input->n_coupling; i++) {
        is_rigid = is_rigid || input->coupling[i].kind == EW_COUPLING_RIGID;
    }
    const char *other = is_cell            ? "'periodic:'; model all of it"
                        : is_rigid         ? "rigid couplings; use 'kind: distributing'"
                        : input->n_contact ? "'contact:'; use 'ties:' where parts stay together"
                        : input->mixed     ? "'elements: mixed'; use quadratic tets"
                                           : NULL;
    return other ? ew_fail_at(EW_BAD_INPUT, step->line,
                              "step '%.60s': nodal diameters do not go with %s", step->name, other)
                 : EW_OK;
}

/* Shapes of a whole body that is made of alike parts. */
static ew_status check_shapes(const ew_case_step *step, bool is_cyclic)
{
    const char *part = is_cyclic ? "sector" : "cell";
    return ew_fail_at(EW_BAD_INPUT, step->line,
                      "step '%.60s': shapes of a %s as a whole differ from %s to %s, those here "
                      "would be the ones that do not; %s",
                      step->name, is_cyclic ? "cyclic body" : "periodic body", part, part,
                      is_cyclic && !step->is_buckling ? "give 'modes: {nodal_diameters: all}'"
                                                      : "model all of it");
}

ew_status ew_case_check_images(const ew_case *input)
{
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        EW_TRY(step->n_diameter ? check_waves(input, step) : EW_OK);
        for (int32_t i = 0; i < input->n_tie; i++) {
            const bool is_cyclic = input->tie[i].sectors > 0;
            if ((is_cyclic || input->tie[i].is_periodic) && step->n_mode && !step->response &&
                !step->n_diameter) {
                return check_shapes(step, is_cyclic);
            }
            EW_TRY(is_cyclic ? check_sector_step(input, &input->tie[i], step) : EW_OK);
        }
    }
    return EW_OK;
}
