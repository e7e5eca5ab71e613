/* Supports of a case: `constraints:`, each a prescribed displacement, a plane of symmetry, springs
 * or an elastic foundation; and the `axes:` that supports and loads may be given in. One key a
 * kind, by a table. */
#include "case/reader.h"

#include <string.h>

/* A failure of the library is about a node. */
static ew_status at_line(const yaml_node_t *node, ew_status status)
{
    return status ? ew_fail_line(status, ew_yaml_line(node)) : EW_OK;
}

/* ---- axes -------------------------------------------------------------------------- */

static ew_status read_cylinder(ew_case_reader *reader, const yaml_node_t *node, ew_axes *axes)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    double point[3], direction[3];
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_axes_cylinder));
    EW_TRY(ew_yaml_need(yaml, node, "cylinder", "point", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "point", point));
    EW_TRY(ew_yaml_need(yaml, node, "cylinder", "axis", &value));
    EW_TRY(ew_case_read_axis(reader, value, "axis", direction));
    return at_line(node, ew_axes_of_cylinder(point, direction, axes));
}

ew_status ew_case_read_axes(ew_case_reader *reader, const yaml_node_t *node, ew_axes *axes)
{
    ew_yaml *yaml = &reader->yaml;
    yaml_node_t *value;
    double x[3], y[3];
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_axes));
    if ((value = ew_yaml_find(yaml, node, "cylinder"))) {
        if (ew_yaml_find(yaml, node, "x") || ew_yaml_find(yaml, node, "y")) {
            return ew_yaml_fail(node, "axes: give x and y, or a cylinder");
        }
        return read_cylinder(reader, value, axes);
    }
    EW_TRY(ew_yaml_need(yaml, node, "axes", "x", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "x", x));
    EW_TRY(ew_yaml_need(yaml, node, "axes", "y", &value));
    EW_TRY(ew_yaml_vector(yaml, value, "y", y));
    return at_line(node, ew_axes_from_xy(x, y, axes));
}

/* ---- kinds ---------------------------------------------------------------------------- */

/* what: displacement or velocity. */
static ew_status read_components(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                                 ew_case_constraint *out)
{
    ew_yaml *yaml = &reader->yaml;
    int32_t n = 0;
    if (node->type == YAML_SEQUENCE_NODE) {
        EW_TRY(ew_yaml_expect_list(node, what, &n));
    }
    if (n != 3) {
        return ew_yaml_fail(node, "%s must be a list of 3, each a number or ~ for free", what);
    }
    for (int32_t c = 0; c < 3; c++) {
        const yaml_node_t *item = ew_yaml_item(yaml, node, c);
        if (!ew_yaml_is_null(item)) {
            EW_TRY(ew_yaml_number(item, what, &out->value[c]));
            out->fixed = (uint8_t)(out->fixed | 1u << c);
        }
    }
    if (!out->fixed) {
        return ew_yaml_fail(node,
                            "%s leaves all three components free; leave the constraint out or "
                            "give a number",
                            what);
    }
    return EW_OK;
}

static ew_status read_displacement(ew_case_reader *reader, const yaml_node_t *node,
                                   ew_case_constraint *out)
{
    return read_components(reader, node, "displacement", out);
}

static ew_status read_velocity(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_constraint *out)
{
    out->is_velocity = true;
    return read_components(reader, node, "velocity", out);
}

/* A normal that is an axis needs no others. */
static ew_status prescribe_along(const yaml_node_t *node, const double normal[3],
                                 ew_case_constraint *out)
{
    memcpy(out->normal, normal, sizeof out->normal);
    for (int c = 0; c < 3; c++) {
        if (normal[(c + 1) % 3] == 0.0 && normal[(c + 2) % 3] == 0.0) {
            out->fixed = (uint8_t)(1u << c);
            return EW_OK;
        }
    }
    out->fixed = 1;
    return at_line(node, ew_axes_from_normal(normal, &out->axes));
}

/* x, y, z, a vector, or with a point a plane that takes its own vertices. */
static ew_status read_symmetry(ew_case_reader *reader, const yaml_node_t *node,
                               ew_case_constraint *out)
{
    ew_yaml *yaml = &reader->yaml;
    double normal[3];
    if (node->type != YAML_MAPPING_NODE) {
        EW_TRY(ew_case_read_axis(reader, node, "symmetry", normal));
        return prescribe_along(node, normal, out);
    }
    if (out->set >= 0) {
        return ew_yaml_fail(node,
                            "symmetry: a set says where, so give the normal alone: 'symmetry: "
                            "x'; or leave the set out");
    }
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_symmetry, out));
    const yaml_node_t *value = ew_yaml_find(yaml, node, "normal");
    EW_TRY(ew_case_read_axis(reader, value, "normal", normal));
    return prescribe_along(node, normal, out);
}

static ew_status read_stiffness(const yaml_node_t *node, const char *what, double *stiffness)
{
    EW_TRY(ew_yaml_number(node, what, stiffness));
    return *stiffness >= 0
               ? EW_OK
               : ew_yaml_fail(node, "%s is %g; a stiffness must be at least 0", what, *stiffness);
}

static ew_status need_stiffness(const yaml_node_t *node, const char *what,
                                const ew_case_constraint *out)
{
    const double *k = out->stiffness;
    return k[0] > 0 || k[1] > 0 || k[2] > 0
               ? EW_OK
               : ew_yaml_fail(node, "%s has no stiffness; leave it out or give one above 0", what);
}

/* One number for all directions, or three. */
static ew_status read_spring(ew_case_reader *reader, const yaml_node_t *node,
                             ew_case_constraint *out)
{
    const bool one = node->type == YAML_SCALAR_NODE;
    int32_t n = 3;
    EW_TRY(one ? EW_OK : ew_yaml_expect_list(node, "spring", &n));
    if (n != 3) {
        return ew_yaml_fail(node, "a spring is one stiffness or a list of 3, along x, y and z");
    }
    for (int32_t c = 0; c < 3; c++) {
        const yaml_node_t *value = one ? node : ew_yaml_item(&reader->yaml, node, c);
        EW_TRY(read_stiffness(value, "spring", &out->stiffness[c]));
    }
    out->is_spring = true;
    out->spring = EW_SPRING_EACH;
    return need_stiffness(node, "the spring", out);
}

static ew_status read_total_spring(ew_case_reader *reader, const yaml_node_t *node,
                                   ew_case_constraint *out)
{
    EW_TRY(read_spring(reader, node, out));
    out->spring = EW_SPRING_TOTAL;
    return EW_OK;
}

static ew_status read_foundation(ew_case_reader *reader, const yaml_node_t *node,
                                 ew_case_constraint *out)
{
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_foundation, out));
    out->is_spring = true;
    out->spring = EW_SPRING_FOUNDATION;
    return need_stiffness(node, "the foundation", out);
}

/* ---- the table ----------------------------------------------------------------------- */

typedef struct support_key {
    const char *key;
    ew_status (*read)(ew_case_reader *reader, const yaml_node_t *node, ew_case_constraint *out);
    bool takes_axes, needs_set, takes_amplitude;
} support_key;

static const support_key keys[] = {
    {"displacement", read_displacement, true, true, true},
    {"velocity", read_velocity, true, true, true},
    {"symmetry", read_symmetry, false, false, false},
    {"spring", read_spring, true, true, false},
    {"total_spring", read_total_spring, true, true, false},
    {"foundation", read_foundation, false, true, false},
};
enum { N_KEY = sizeof keys / sizeof *keys };

static ew_status find_kind(ew_case_reader *reader, const yaml_node_t *node, const support_key **key,
                           yaml_node_t **value)
{
    *key = NULL;
    for (int32_t i = 0; i < N_KEY; i++) {
        yaml_node_t *found = ew_yaml_find(&reader->yaml, node, keys[i].key);
        if (found && *key) {
            return ew_yaml_fail(found,
                                "one kind per constraint; write '%s' as a constraint of its own",
                                keys[i].key);
        }
        *key = found ? &keys[i] : *key;
        *value = found ? found : *value;
    }
    return *key ? EW_OK
                : ew_yaml_fail(node, "a constraint needs one of the keys displacement, velocity, "
                                     "symmetry, spring, total_spring, foundation");
}

static ew_status read_constraint(ew_case_reader *reader, const yaml_node_t *node,
                                 ew_case_constraint *out)
{
    ew_yaml *yaml = &reader->yaml;
    const support_key *key;
    yaml_node_t *value = NULL, *set, *axes;
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_constraint));
    EW_TRY(find_kind(reader, node, &key, &value));
    out->line = ew_yaml_line(node);
    out->set = -1;
    set = ew_yaml_find(yaml, node, "set");
    if (key->needs_set) {
        EW_TRY(ew_yaml_need(yaml, node, "a constraint", "set", &set));
    }
    EW_TRY(set ? ew_case_read_set_use(reader, set, "set", &out->set) : EW_OK);
    if ((axes = ew_yaml_find(yaml, node, "axes"))) {
        if (!key->takes_axes) {
            return ew_yaml_fail(axes, "%s has directions of its own; it takes no axes", key->key);
        }
        EW_TRY(ew_case_read_axes(reader, axes, &out->axes));
    }
    EW_TRY(ew_case_read_amplitude_use(reader, node, &out->amplitude));
    if (out->amplitude >= 0 && !key->takes_amplitude) {
        return ew_yaml_fail(ew_yaml_find(yaml, node, "amplitude"),
                            "%s does not change in time; it takes no amplitude", key->key);
    }
    EW_TRY(key->read(reader, value, out));
    if (!key->needs_set && !set) {
        EW_TRY(ew_case_add_plane(reader, node, out->point, out->normal, &out->set));
    }
    const bool on_faces = out->is_spring && out->spring == EW_SPRING_FOUNDATION;
    return on_faces ? ew_case_expect_kind(reader, set, key->key, out->set, EW_LOAD_PRESSURE)
                    : EW_OK;
}

ew_status ew_case_read_constraints(ew_case_reader *reader, const yaml_node_t *list, int32_t *n,
                                   ew_case_constraint **out)
{
    int32_t count = 0;
    EW_TRY(ew_yaml_expect_list(list, "constraints", &count));
    EW_TRY(ew_arena_take(&reader->arena, sizeof **out * (size_t)count, out));
    for (int32_t i = 0; i < count; i++) {
        EW_TRY(read_constraint(reader, ew_yaml_item(&reader->yaml, list, i), &(*out)[i]));
    }
    *n = count;
    return EW_OK;
}
