/* The state of laws as records take it: all of it, by tet. */
#include "study/run/run.h"

int64_t ew_study_law_state(const ew_study *study, const double **state)
{
    int32_t width = 0;
    const double *values = ew_model_law_state(study->model, &width);
    if (state) {
        *state = values;
    }
    return (int64_t)width * ew_model_mesh(study->model)->n_tet;
}
