/* The device of a run. In: the option and the case on its mesh. Out: study->device, null for the
 * host. */
#include "study.h"

#include <string.h>

/* What a case asks for that is on the host alone, or null: the direct solver, nonlinear bodies of
 * quadratic tets. */
static const char *find_need_of_host(tool_study *study)
{
    const ew_case *input = &study->input;
    const ew_preconditioner_kind own = (ew_preconditioner_kind)study->options.preconditioner;
    bool direct = own == EW_CHOLESKY;
    for (int32_t i = 0; i < input->n_step && own == EW_PRECONDITIONER_COUNT; i++) {
        const ew_case_step *step = &input->step[i];
        direct = direct || step->preconditioner == EW_CHOLESKY ||
                 (step->dynamic && step->dynamic->def.solver.preconditioner == EW_CHOLESKY);
    }
    const bool is_nonlinear = input->kinematics == EW_COROTATIONAL || ew_case_has_laws(input);
    const bool is_quadratic =
        ew_case_is_quadratic(input) || !strcmp(study_elements(study, NULL), "quadratic");
    return direct                         ? "'solver: cholesky'"
           : is_nonlinear && is_quadratic ? "nonlinear quadratic tets"
                                          : NULL;
}

ew_status study_open_device(tool_study *study)
{
    const bool chosen = study->options.device && !strcmp(study->options.device, "auto");
    EW_TRY(tool_open_device(study->options.device, &study->device));
    const char *need = study->options.n_job > 1 ? "--jobs" : find_need_of_host(study);
    if (chosen && study->device && need) {
        if (!study->options.quiet) {
            printf("device: the host, for %s, and not %s\n", need,
                   ew_device_about(study->device)->name);
        }
        ew_device_close(study->device);
        study->device = NULL;
    }
    return EW_OK;
}
