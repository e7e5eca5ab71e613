/* A study that goes on with other values of the case's parameters, as a program asks for them. In:
 * a study whose steps are done, and the case read again. Out: the study before the first of its
 * steps, on the body as it is. */
#include "study/run/run.h"

/* Edits that are still to come made nothing that could be moved. */
static bool has_edits_left(const ew_study *study)
{
    int32_t n = 0;
    for (int32_t s = study->n_done; s < study->input->n_step; s++) {
        n += study->input->step[s].n_edit;
    }
    return n > 0;
}

ew_status ew_study_go_on_with(ew_study *study, const ew_case *next)
{
    const ew_case *before = study->input;
    if (!study->base.n_tet || study->n_done == 0 || has_edits_left(study) ||
        study->motion.is_running || !ew_case_can_go_on(before) || !ew_case_can_go_on(next) ||
        before->n_step != next->n_step || !ew_case_same_mesh(before, next) ||
        !ew_case_same_sets(before, next)) {
        return ew_refuse(EW_RULE_RESTART, "study: the case with these values");
    }
    EW_TRY(study->start ? EW_OK : ew_study_keep_start(study));
    EW_TRY(study->moves.before ? EW_OK : ew_study_measure_made(study));
    EW_TRY(ew_study_go_on(study, next));
    study->moves.before = before;
    study->n_done = 0;
    study->first_record = study->n_record = 0;
    study->recalled = (ew_recalled){0};
    return EW_OK;
}
