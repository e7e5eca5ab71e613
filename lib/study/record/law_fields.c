/* The state of laws as fields of a frame. In: the model's state by tet. Out: plastic strain,
 * equivalent plastic strain and dissipated energy, contiguous each. */
#include "study/run/run.h"

#include <string.h>

int64_t ew_study_law_state(const ew_study *study, const double **state)
{
    int32_t width = 0;
    const double *values = ew_model_law_state(study->model, &width);
    if (state) {
        *state = values;
    }
    return (int64_t)width * ew_model_mesh(study->model)->n_tet;
}

/* Columns of the state; energy per volume becomes that of the tet, as strain energy is. */
static void split(const ew_model *model, double *out)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const size_t n = (size_t)mesh->n_tet;
    for (size_t t = 0; t < n; t++) {
        double of[EW_MAX_LAW_STATE];
        const double volume = ew_model_mean_law_state(model, (int32_t)t, of);
        memcpy(out + 6 * t, of + EW_STATE_STRAIN, 6 * sizeof *out);
        out[6 * n + t] = of[EW_STATE_EQUIVALENT];
        out[7 * n + t] = of[EW_STATE_DISSIPATED] * volume;
    }
}

ew_status ew_study_law_fields(ew_study *study, const double **law)
{
    const ew_mesh *mesh = ew_model_mesh(study->model);
    int32_t n_state = 0;
    const double *state = ew_model_law_state(study->model, &n_state);
    *law = NULL;
    if (!ew_case_is_inelastic(study->input)) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&study->law_field, &study->law_field_capacity, mesh->n_tet,
                   EW_MAX_LAW_STATE * sizeof *study->law_field));
    if (state) {
        split(study->model, study->law_field);
    } else {
        memset(study->law_field, 0,
               EW_MAX_LAW_STATE * (size_t)mesh->n_tet * sizeof *study->law_field);
    }
    *law = study->law_field;
    return EW_OK;
}
