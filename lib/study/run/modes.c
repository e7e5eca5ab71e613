/* A step of vibration modes or of buckling. In: the model after the step's edits. Out: a record of
 * each shape: as displacement, scaled so that the largest is 1; of a sector first those of its
 * first diameter. The displacement of the model stays what it was. */
#include "study/run/run.h"

#include <math.h>
#include <string.h>

/* Shapes of one diameter. */
static int32_t count_of(const ew_case_step *step)
{
    return step->n_diameter ? step->n_mode / step->n_diameter : step->n_mode;
}

static ew_status find(ew_study *study, const ew_case_step *step, int32_t diameter)
{
    ew_modes_def def = {.count = count_of(step),
                        .mass = step->mass,
                        .direct = study->def.direct,
                        .eigen = study->def.eigen,
                        .progress = study->def.progress};
    study->modes = NULL;
    study->buckling = NULL;
    EW_TRY(ew_model_set_operator(study->model, EW_STORED)); /* for the factor */
    if (!step->is_buckling) {
        EW_TRY(ew_study_set_supports(study, step));
        EW_TRY(step->n_diameter ? ew_study_take_sector(study, step->diameter[diameter], &def)
                                : EW_OK);
        return ew_model_modes(study->model, &def, &study->modes);
    }
    EW_TRY(ew_model_buckling(study->model, &def, &study->buckling));
    if (ew_model_is_nonlinear(study->model) && study->buckling->factor[0] < 1.0) {
        ew_study_warn(
            study, EW_WARNING_UNSTABLE, 0,
            "the equilibrium of the step before is not stable: the body buckles at %.3g of "
            "the stress that it has there",
            study->buckling->factor[0]);
    }
    return study->buckling->n == step->n_mode
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "buckling: only %d load factors are positive, %d were asked for",
                         study->buckling->n, step->n_mode);
}

/* u: of vertices, then of edges. */
static void put_displacement(ew_study *study, const double *u)
{
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const size_t n = 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
    memcpy(ew_model_field(study->model, 0), u, n * sizeof *u);
    if (rows) { /* as many as there are: it cannot fail */
        (void)ew_model_put_edge_displacement(study->model, rows->pattern.n_row, u + n);
    }
}

/* In place of the displacement; without loads, so that reactions are those of the shape. */
static ew_status recover_shape(ew_study *study, const double *before, const double *u)
{
    ew_model *model = study->model;
    if (ew_model_is_nonlinear(model)) { /* small, on top of the displacement */
        put_displacement(study, before);
        EW_TRY(ew_model_recover_shape(model, u, &study->fields, &study->report.sums));
        put_displacement(study, u);
        return EW_OK;
    }
    put_displacement(study, u);
    EW_TRY(ew_model_set_loads(model, 0, NULL));
    return ew_model_recover_shape(model, u, &study->fields, &study->report.sums);
}

static ew_status take_shape(ew_study *study, const double *before, int32_t k)
{
    const ew_modes *modes = study->modes;
    const int32_t n_vertex = ew_model_mesh(study->model)->n_vertex;
    const int32_t n_row = modes ? modes->n_row : study->buckling->n_row;
    const size_t n = 3 * (size_t)n_vertex, n_part = modes ? (size_t)modes->n_part : 1;
    const size_t n_all = 3 * (size_t)n_row * n_part, imaginary = n_all - 3 * (size_t)n_row;
    const double *shape = (modes ? modes->shape : study->buckling->shape) + n_all * (size_t)k;
    double *u = study->shape, square = 0.0;
    for (size_t i = 0; i < n; i += 3) {
        double sum = 0.0;
        for (size_t c = i; c < i + 3; c++) {
            sum += shape[c] * shape[c];
            sum += imaginary ? shape[imaginary + c] * shape[imaginary + c] : 0.0;
        }
        square = fmax(square, sum);
    }
    for (size_t i = 0; i < n_all; i++) {
        u[i] = shape[i] / sqrt(square);
    }
    study->imaginary = imaginary ? u + imaginary : NULL;
    return recover_shape(study, before, u);
}

/* A rigid motion has no stress but what rounding leaves, and of that no error. */
static ew_status estimate(ew_study *study, int32_t k)
{
    const bool is_rigid = study->modes && study->modes->frequency[k] == 0.0;
    study->report.estimate = NULL;
    study->report.adequacy = NULL;
    return study->def.estimate_error && !is_rigid
               ? ew_model_estimate(study->model, &study->report.estimate, &study->report.adequacy)
               : EW_OK;
}

/* The amplitude of a shape is any, and so is its stress: what remains is the share of its error. */
static void forget_stress(ew_study *study)
{
    study->fields = NULL;
    study->report.adequacy = NULL;
    ew_study_measure_body(study);
}

static ew_status save_shapes(ew_study *study, const ew_case_step *step, int32_t diameter,
                             const double *before)
{
    for (int32_t k = 0; k < count_of(step); k++) {
        EW_TRY(k || diameter ? ew_study_begin_record(study, step) : EW_OK);
        EW_TRY(take_shape(study, before, k));
        EW_TRY(estimate(study, k));
        forget_stress(study);
        study->report.solver = NULL;
        study->report.modes = study->modes;
        study->report.buckling = study->buckling;
        study->report.mode = k;
        EW_TRY(ew_study_end_record(study, step));
    }
    return EW_OK;
}

static ew_status run(ew_study *study, const ew_case_step *step, const double *before)
{
    const int32_t n = step->n_diameter ? step->n_diameter : 1;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(find(study, step, i));
        const ew_status status = save_shapes(study, step, i, before);
        put_displacement(study, before);
        study->imaginary = NULL;
        EW_TRY(status);
    }
    return EW_OK;
}

ew_status ew_study_run_modes(ew_study *study, const ew_case_step *step)
{
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    const size_t n = 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
    const size_t n_edge = rows ? 3 * (size_t)rows->pattern.n_row : 0;
    double *before;
    EW_TRY(ew_new(&before, n + n_edge, sizeof *before));
    memcpy(before, ew_model_displacement(study->model), n * sizeof *before);
    if (n_edge) {
        memcpy(before + n, ew_model_edge_displacement(study->model), n_edge * sizeof *before);
    }
    ew_status status = ew_new(&study->shape, 2 * (n + n_edge), sizeof *study->shape);
    status = status ? status : run(study, step, before);
    ew_release(study->shape);
    ew_release(before);
    study->shape = NULL;
    return status;
}
