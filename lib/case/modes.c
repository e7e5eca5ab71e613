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
    return read_count(yaml, node, "modes", step);
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
