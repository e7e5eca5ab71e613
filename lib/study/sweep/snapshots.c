/* Answers of earlier combinations that the next one starts from. In: answers of steps, on bodies
 * that differ by materials, loads, supports and places of vertices. Out: a start near the answer,
 * where the tets are the same. */
#include "study/run/run.h"

static bool uses_snapshots(const ew_study *study, const ew_case_step *step)
{
    return study->combination && study->sweep_start != EW_SWEEP_FRESH && !step->n_part &&
           !step->remove && !step->converge && !study->load_cases.end && /* solved by now */
           !study->solves_nothing;
}

static ew_status make_snapshots(ew_study *study)
{
    const int32_t n = study->input->n_step;
    EW_TRY(ew_new_zero(&study->snapshots, (size_t)n, sizeof *study->snapshots));
    study->n_snapshots = n;
    for (int32_t s = 0; s < n; s++) {
        EW_TRY(ew_answer_basis_create(&study->snapshots[s]));
    }
    return EW_OK;
}

/* A step that is done again has the same answers to go on with. */
ew_status ew_study_start_near(ew_study *study, const ew_case_step *step)
{
    if (!uses_snapshots(study, step)) {
        return EW_OK;
    }
    EW_TRY(study->snapshots ? EW_OK : make_snapshots(study));
    if (study->sweep_start == EW_SWEEP_CONTINUE && !study->moves.before) {
        ew_answer_basis_clear(study->snapshots[study->n_done]); /* from the case's mesh, at rest */
    }
    return ew_model_start_near(study->model, study->snapshots[study->n_done]);
}

ew_status ew_study_keep_snapshot(ew_study *study, const ew_case_step *step)
{
    return uses_snapshots(study, step) && study->report.solver->iterations
               ? ew_model_keep_answer(study->model, study->snapshots[study->n_done])
               : EW_OK;
}

void ew_study_forget_snapshots(ew_study *study)
{
    for (int32_t s = 0; s < study->n_snapshots; s++) {
        ew_answer_basis_clear(study->snapshots[s]);
    }
}

void ew_study_free_snapshots(ew_study *study)
{
    for (int32_t s = 0; s < study->n_snapshots; s++) {
        ew_answer_basis_free(study->snapshots[s]);
    }
    ew_release(study->snapshots);
}
