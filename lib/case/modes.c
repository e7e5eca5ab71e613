/* `modes:` and `buckling:` of a step. In: the mapping. Out: how many pairs, and of what mass. */
#include "case/reader.h"

static ew_status read_count(ew_yaml *yaml, const yaml_node_t *node, const char *what,
                            ew_case_step *step)
{
    int64_t n = step->n_mode;
    const yaml_node_t *value = ew_yaml_find(yaml, node, "count");
    if (value) {
        char name[32];
        snprintf(name, sizeof name, "%s count", what);
        EW_TRY(ew_yaml_integer(value, name, 1, EW_MAX_MODES, &n));
    }
    step->n_mode = (int32_t)n;
    return EW_OK;
}

/* Of the whole body that a sector is of; 0: the case has none. */
static int32_t count_sectors(const ew_case *input)
{
    int32_t n = 0;
    for (int32_t i = 0; i < input->n_tie; i++) {
        n = input->tie[i].sectors ? input->tie[i].sectors : n;
    }
    return n;
}

static ew_status read_diameter(ew_yaml *yaml, const yaml_node_t *list, int32_t i, int32_t sectors,
                               ew_case_step *step)
{
    const yaml_node_t *item = ew_yaml_item(yaml, list, i);
    int64_t value;
    EW_TRY(ew_yaml_integer(item, "a nodal diameter", INT32_MIN, INT32_MAX, &value));
    if (value < 0 || value > sectors / 2) {
        return ew_yaml_fail(item,
                            "%d nodal diameters: a body of %d sectors has from 0 to %d, and those "
                            "beyond are the same waves again",
                            (int)value, (int)sectors, (int)(sectors / 2));
    }
    if (i && value <= step->diameter[i - 1]) {
        return ew_yaml_fail(item,
                            "nodal_diameters: %d comes behind %d; give each once, in ascending "
                            "order",
                            (int)value, (int)step->diameter[i - 1]);
    }
    step->diameter[i] = (int32_t)value;
    return EW_OK;
}

static ew_status read_diameters(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    const int32_t sectors = count_sectors(reader->out);
    const bool is_all = ew_yaml_is_word(node, "all");
    int32_t n = sectors / 2 + 1;
    if (!sectors) {
        return ew_yaml_fail(node, "nodal_diameters are of a sector of a body; give the case "
                                  "'cyclic:', or leave them out");
    }
    EW_TRY(is_all ? EW_OK : ew_yaml_expect_list(node, "nodal_diameters", &n));
    if (n < 1) {
        return ew_yaml_fail(node, "nodal_diameters is empty; give some, [0, 1, 2], or 'all'");
    }
    EW_TRY(ew_arena_take(&reader->arena, sizeof *step->diameter * (size_t)n, &step->diameter));
    for (int32_t i = 0; i < n; i++) {
        step->diameter[i] = i;
        EW_TRY(is_all ? EW_OK : read_diameter(&reader->yaml, node, i, sectors, step));
    }
    if (n > EW_MAX_MODES / step->n_mode) {
        return ew_yaml_fail(node,
                            "%d modes for each of %d nodal diameters; a step has at most %d modes",
                            (int)step->n_mode, (int)n, EW_MAX_MODES);
    }
    step->n_diameter = n;
    step->n_mode *= n;
    return EW_OK;
}

ew_status ew_case_read_modes(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    ew_yaml *yaml = &reader->yaml;
    const ew_modes_def def = ew_default_modes_def();
    step->n_mode = def.count;
    step->mass = def.mass;
    if (ew_yaml_is_null(node)) {
        return EW_OK;
    }
    EW_TRY(ew_case_expect(yaml, node, NULL, &ew_section_modes));
    const yaml_node_t *value = ew_yaml_find(yaml, node, "mass");
    if (value) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(value, "mass", "lumped consistent", &choice));
        step->mass = choice ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
    }
    EW_TRY(read_count(yaml, node, "modes", step));
    value = ew_yaml_find(yaml, node, "nodal_diameters");
    return value ? read_diameters(reader, value, step) : EW_OK;
}

/* Its stress is that of the static step before. */
ew_status ew_case_read_buckling(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    step->n_mode = 3;
    step->is_buckling = true;
    if (reader->step == 0 || !step[-1].has_static || step->n_edit || step->own_constraints ||
        step->own_loads) {
        return ew_yaml_fail(
            node, "buckling: it multiplies the loads of the static step before it; "
                  "put it right behind that one, without edits, constraints or loads of its "
                  "own");
    }
    if (ew_yaml_is_null(node)) {
        return EW_OK;
    }
    EW_TRY(ew_case_expect(&reader->yaml, node, NULL, &ew_section_buckling));
    return read_count(&reader->yaml, node, "buckling", step);
}
