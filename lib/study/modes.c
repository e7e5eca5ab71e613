/* A step of vibration modes or of buckling. In: the model after the step's edits. Out: a record of
 * each shape: as displacement, scaled so that the largest is 1, with the stress that belongs to it.
 * The displacement of the model stays what it was. */
#include "study/run.h"

#include <math.h>
#include <string.h>

static ew_status find(ew_study *study, const ew_case_step *step)
{
    const ew_modes_def def = {.count = step->n_mode,
                              .mass = step->mass,
                              .direct = study->def.direct,
                              .eigen = study->def.eigen,
                              .progress = study->def.progress};
    study->modes = NULL;
    study->buckling = NULL;
    EW_TRY(ew_model_set_operator(study->model, EW_STORED)); /* for the factor */
    if (!step->is_buckling) {
        EW_TRY(ew_study_set_supports(study, step));
        return ew_model_modes(study->model, &def, &study->modes);
    }
    EW_TRY(ew_model_buckling(study->model, &def, &study->buckling));
    return study->buckling->n == step->n_mode
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "buckling: only %d load factors are positive, %d were asked for",
                         study->buckling->n, step->n_mode);
}

/* Into the displacement; without loads, so that reactions are those of the shape. */
static ew_status take_shape(ew_study *study, int32_t k)
{
    const size_t n = 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
    double *u = ew_model_field(study->model, 0), square = 0.0;
    memcpy(u, (study->modes ? study->modes->shape : study->buckling->shape) + n * (size_t)k,
           n * sizeof *u);
    for (size_t i = 0; i < n; i += 3) {
        square = fmax(square, u[i] * u[i] + u[i + 1] * u[i + 1] + u[i + 2] * u[i + 2]);
    }
    for (size_t i = 0; i < n; i++) {
        u[i] /= sqrt(square);
    }
    EW_TRY(ew_model_set_loads(study->model, 0, NULL));
    return ew_model_recover(study->model, &study->fields, &study->report.sums);
}

static ew_status save_shapes(ew_study *study, const ew_case_step *step)
{
    for (int32_t k = 0; k < step->n_mode; k++) {
        EW_TRY(k ? ew_study_begin_record(study, step) : EW_OK);
        EW_TRY(take_shape(study, k));
        if (study->def.estimate_error) {
            EW_TRY(
                ew_model_estimate(study->model, &study->report.estimate, &study->report.fitness));
        }
        study->report.solver = NULL;
        study->report.modes = study->modes;
        study->report.buckling = study->buckling;
        study->report.mode = k;
        EW_TRY(ew_study_end_record(study, step));
    }
    return EW_OK;
}

ew_status ew_study_run_modes(ew_study *study, const ew_case_step *step)
{
    const size_t n = 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
    double *before;
    EW_TRY(ew_new(&before, n, sizeof *before));
    memcpy(before, ew_model_displacement(study->model), n * sizeof *before);
    ew_status status = find(study, step);
    if (!status) {
        status = save_shapes(study, step);
        memcpy(ew_model_field(study->model, 0), before, n * sizeof *before);
    }
    ew_release(before);
    return status;
}

int32_t ew_study_mode_numbers(const ew_step_report *report, double *number, ew_result_number *list)
{
    const int32_t k = report->mode;
    const ew_modes *modes = report->modes;
    const ew_buckling *buckling = report->buckling;
    *number = k + 1;
    if (modes) {
        const ew_result_number all[] = {
            {"mode", 1, number},
            {"frequency", 1, &modes->frequency[k]},
            {"eigenvalue", 1, &modes->eigenvalue[k]},
            {"participation", 3, &modes->participation[3 * (size_t)k]},
            {"effective_mass", 3, &modes->effective[3 * (size_t)k]},
            {"mode_residual", 1, &modes->residual[k]},
        };
        memcpy(list, all, sizeof all);
        return sizeof all / sizeof *all;
    }
    if (buckling) {
        const ew_result_number all[] = {{"mode", 1, number},
                                        {"load_factor", 1, &buckling->factor[k]},
                                        {"mode_residual", 1, &buckling->residual[k]}};
        memcpy(list, all, sizeof all);
        return sizeof all / sizeof *all;
    }
    return 0;
}
