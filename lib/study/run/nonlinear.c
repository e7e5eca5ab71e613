/* A static step of a nonlinear body: the solve, and what a report says of it in the words of a
 * linear one. */
#include "study/run/run.h"

#include <stdio.h>
#include <string.h>

/* What the report has of the solves of the linear systems, and of equilibrium. */
static void take_info(ew_study *study, const ew_nonlinear_info *info, const ew_pcg_info *last)
{
    ew_pcg_info *to = &study->nonlinear_solver;
    const int64_t n = info->n_solver_iteration;
    *to = last ? *last : (ew_pcg_info){.preconditioner = EW_BLOCK_JACOBI, .reason = ""};
    to->status = info->status;
    to->iterations = n < INT32_MAX ? (int32_t)n : INT32_MAX;
    to->residual = info->kept_residual;
    to->reference = info->reference;
    to->limited_by_rounding = info->limited_by_rounding;
    to->n_history = info->n_history;
    to->history = info->history;
    study->nonlinear = *info;
    study->report.solver = to;
    study->report.nonlinear = &study->nonlinear;
}

/* Of a body that only turns or bends, nothing stays; what flows does. */
static void warn_of_drift(ew_study *study)
{
    int32_t n_state;
    if (ew_model_has_interpolated_state(study->model) &&
        ew_model_law_state(study->model, &n_state)) {
        ew_study_warn(study, EW_WARNING_DRIFT, 0,
                      "the edits join a loaded body to parts that have another displacement, so "
                      "the tets between them start with strain, and plastic strain there stays; "
                      "edit before the first load, give 'reset: true', or unload the body "
                      "before it is edited");
    }
}

ew_status ew_study_solve_nonlinear(ew_study *study, const ew_pcg_def *solver)
{
    const ew_case_step *step = &study->input->step[study->n_done];
    ew_nonlinear_def def = step->has_static ? step->nonlinear : ew_default_nonlinear_def();
    const ew_nonlinear_info *info = NULL;
    def.solver = *solver;
    def.is_fresh = true;
    warn_of_drift(study);
    const ew_status status = ew_model_solve_nonlinear(study->model, &def, &info);
    if (info) {
        take_info(study, info, info->solver);
    }
    return status;
}

ew_status ew_study_accept_nonlinear(ew_study *study, const ew_nonlinear_info *info, int64_t n_state,
                                    const double *displacement, const double *state)
{
    EW_TRY(ew_model_accept_nonlinear(study->model, n_state, displacement, state));
    take_info(study, info, NULL);
    return EW_OK;
}

/* The record has its own warnings, and what failed first is told whatever becomes of it. */
ew_status ew_study_save_reached(ew_study *study, const ew_case_step *step, ew_status failure,
                                const char *state,
                                ew_status (*end)(ew_study *study, const ew_case_step *step))
{
    const ew_failure first = *ew_last_failure();
    study->report.is_partial = true;
    ew_study_warn(study, EW_WARNING_PARTIAL, 0,
                  "the step failed: this is the state at %s, the last that converged", state);
    (void)end(study, step);
    return ew_fail(failure, "%s", first.text);
}

/* At load factor 0 that of the step before, which has a frame or not. */
ew_status ew_study_save_equilibrium(ew_study *study, const ew_case_step *step, ew_status failure,
                                    ew_status (*end)(ew_study *study, const ew_case_step *step))
{
    const ew_nonlinear_info *info = study->report.nonlinear;
    char state[64];
    if (failure != EW_NOT_CONVERGED || !info || study->combination ||
        (info->load_factor == 0.0 && study->n_done % study->input->output.every == 0)) {
        return failure; /* in a sweep this record says why, and the next combination follows */
    }
    snprintf(state, sizeof state, "load factor %.6g of 1", info->load_factor);
    study->fields = NULL;
    return ew_study_save_reached(study, step, failure, state, end);
}

const char *ew_study_measure(const ew_study *study, const ew_case_step *step)
{
    return study->input->kinematics == EW_SMALL ? "engineering strain, Cauchy stress"
           : step->is_buckling || step->n_mode
               ? "Biot strain and stress on top, of the frame that turns with each tet, along x, "
                 "y, z"
               : "Biot strain of the frame that turns with each tet, Cauchy stress, along x, y, z";
}
