/* `converge:` of a step: the number that a refinement is to make converge, and where. */
#include "case/reader.h"

ew_status ew_case_read_converge(ew_case_reader *reader, const yaml_node_t *node, ew_case_step *step)
{
    ew_yaml *yaml = &reader->yaml;
    ew_case_converge *made;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *made, &made));
    *made = (ew_case_converge){
        .set = -1, .line = ew_yaml_line(node), .until = 0.02, .max_rounds = 8, .max_tets = 500000};
    if (!ew_yaml_is_null(node)) {
        EW_TRY(ew_case_read_keys(yaml, node, &ew_section_converge, made));
        const yaml_node_t *peak = ew_yaml_find(yaml, node, "peak");
        const yaml_node_t *on = ew_yaml_find(yaml, node, "on");
        int32_t choice = 0;
        EW_TRY(peak ? ew_yaml_choice(peak, "peak", EW_CONVERGE_WORDS, &choice) : EW_OK);
        made->quantity = (ew_converge_quantity)choice;
        EW_TRY(on ? ew_case_read_set_use(reader, on, "on", &made->set) : EW_OK);
        if (on && made->quantity == EW_CONVERGE_STRAIN_ENERGY) {
            return ew_yaml_fail(on,
                                "on: the strain energy is that of the whole body; leave it out");
        }
    }
    step->converge = made;
    return EW_OK;
}

/* A refinement between analyses from the start: no state is to be carried along. */
ew_status ew_case_check_converge(const ew_case *input)
{
    for (int32_t s = 0; s < input->n_step; s++) {
        const ew_case_step *step = &input->step[s];
        bool adapts = false;
        if (!step->converge) {
            continue;
        }
        for (int32_t e = 0; e < step->n_edit; e++) {
            ew_refine_goal goal;
            const ew_case_edit *edit = &step->edit[e];
            adapts = adapts || edit->operation == &ew_enrich_edit ||
                     ew_refine_goal_of(edit->operation, &edit->values, &goal);
        }
        if (!step->has_static || step->remove || ew_case_takes_laws(input, step) || adapts) {
            return ew_fail_at(
                EW_BAD_INPUT, step->converge->line,
                "converge: goes with a linear static step, without '%s'; write another "
                "step for that",
                adapts             ? "refine: {by: error}' or 'enrich"
                : step->remove     ? "optimise"
                : step->has_static ? "nonlinear"
                                   : "dynamic', 'modes' or 'buckling");
        }
    }
    return EW_OK;
}
