/* `optimise: {remove: ...}` of a step: YAML in, a removal and the sets that it leaves alone out;
 * what does not go with it is refused. */
#include "case/reader.h"

static ew_status read_protect(ew_case_reader *reader, const yaml_node_t *node, ew_case_remove *out)
{
    const bool list = node->type == YAML_SEQUENCE_NODE;
    int32_t n = 1, *set;
    EW_TRY(list ? ew_yaml_expect_list(node, "protect", &n) : EW_OK);
    EW_TRY(ew_arena_take(&reader->arena, sizeof *set * (size_t)n + 1, &set));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *item = list ? ew_yaml_item(&reader->yaml, node, i) : node;
        EW_TRY(ew_case_read_set_use(reader, item, "protect", &set[i]));
    }
    out->n_protect = n;
    out->protect = set;
    return EW_OK;
}

static ew_status read_remove(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    ew_yaml *yaml = &reader->yaml;
    ew_case_remove *out;
    const yaml_node_t *value;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *out, &out));
    out->line = ew_yaml_line(node);
    out->def = ew_default_removal_def();
    EW_TRY(ew_case_read_keys(yaml, node, &ew_section_remove, out));
    if (!(out->def.volume > 0.0 && out->def.volume < 1.0)) {
        return ew_yaml_fail(ew_yaml_find(yaml, node, "volume"),
                            "volume is %g; what is to be left must be above 0 and below 1 (100 %%) "
                            "of the volume",
                            out->def.volume);
    }
    if ((value = ew_yaml_find(yaml, node, "protect"))) {
        EW_TRY(read_protect(reader, value, out));
    }
    step->remove = out;
    return EW_OK;
}

ew_status ew_case_read_remove(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    yaml_node_t *value;
    EW_TRY(ew_case_read_keys(&reader->yaml, node, &ew_section_step_removal, step));
    value = ew_yaml_find(&reader->yaml, node, "remove");
    if (step->n_edit) {
        return ew_yaml_fail(node, "optimise: a step that removes tets takes no other edits; put "
                                  "them into a step before it");
    }
    return read_remove(reader, value, step);
}

/* ---- what does not go with it ------------------------------------------------------------- */

/* Such loads change with the body, so the strain energy of a tet does not measure its contribution.
 */
static ew_status check_loads(int32_t n, const ew_case_load *load)
{
    for (int32_t i = 0; i < n; i++) {
        if (load[i].as.set < 0) {
            return ew_fail_at(EW_BAD_INPUT, load[i].line,
                              "optimise: a load on the whole body, on its mass or on a surface "
                              "changes with what is removed, which 'remove' does not account for; "
                              "give that step loads of its own");
        }
        if (load[i].as.kind == EW_LOAD_TEMPERATURE) {
            return ew_fail_at(EW_BAD_INPUT, load[i].line,
                              "optimise: 'remove' takes no temperature; give that step loads of "
                              "its own");
        }
    }
    return EW_OK;
}

/* With forces a tet that stores energy makes the body stiffer, with displacements too, but the
 * energy of the whole then is to grow. */
static ew_status check_constraints(int32_t n, const ew_case_constraint *list, int32_t n_load)
{
    for (int32_t i = 0; i < n; i++) {
        bool moves = false;
        for (int c = 0; c < 3; c++) {
            moves = moves || ((list[i].fixed >> c & 1) && list[i].value[c] != 0.0);
        }
        if (n_load && moves && !list[i].is_velocity) {
            return ew_fail_at(EW_BAD_INPUT, list[i].line,
                              "optimise: loads and prescribed displacements other than 0 do not go "
                              "together with 'remove'; take one of the two");
        }
    }
    return EW_OK;
}

/* Tets that come back are all of one order. */
static bool is_enriched(const ew_case *input, int32_t until)
{
    bool any = false;
    for (int32_t s = 0; s < until; s++) {
        for (int32_t e = 0; e < input->step[s].n_edit; e++) {
            any = any || input->step[s].edit[e].operation == &ew_enrich_edit;
        }
    }
    return any;
}

ew_status ew_case_check_remove(const ew_case *input)
{
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        if (!step->remove) {
            continue;
        }
        const int32_t line = step->remove->line;
        const int32_t n_load = step->own_loads ? step->n_load : input->n_load;
        if (ew_case_takes_laws(input, step) || input->mixed) {
            return ew_fail_at(EW_BAD_INPUT, line,
                              "optimise: 'remove' takes linear elastic bodies, without "
                              "'kinematics: corotational', 'nonlinear:' or 'elements: mixed'");
        }
        if (is_enriched(input, s)) {
            return ew_fail_at(EW_BAD_INPUT, line,
                              "optimise: 'remove' takes bodies of all linear or all quadratic "
                              "tets, not 'enrich'; say 'elements: quadratic'");
        }
        EW_TRY(check_loads(n_load, step->own_loads ? step->load : input->load));
        EW_TRY(check_constraints(step->own_constraints ? step->n_constraint : input->n_constraint,
                                 step->own_constraints ? step->constraint : input->constraint,
                                 n_load));
    }
    return EW_OK;
}
