/* Where the solve of a combination starts: from the sum of the answers of its steps times their
 * factors, which solves it but for what their tolerances leave. In: displacements of these steps,
 * kept as they end. Out: the displacement of the model. */
#include "study/run/run.h"

#include <string.h>

static size_t count_values(const ew_study *study, size_t *n_edge)
{
    const ew_edge_rows *rows = ew_model_edge_rows(study->model);
    *n_edge = rows ? 3 * (size_t)rows->pattern.n_row : 0;
    return 3 * (size_t)ew_model_mesh(study->model)->n_vertex;
}

/* Of the step that ends, where a combination takes it. */
static bool is_part(const ew_case *input, int32_t s)
{
    bool found = false;
    for (int32_t k = s + 1; k < input->n_step; k++) {
        for (int32_t i = 0; i < input->step[k].n_part; i++) {
            found = found || input->step[k].part[i].step == s;
        }
    }
    return found;
}

ew_status ew_study_keep_part(ew_study *study)
{
    const ew_case *input = study->input;
    const int32_t s = study->n_done;
    size_t n_edge;
    const size_t n = count_values(study, &n_edge);
    if (!is_part(input, s)) {
        return EW_OK;
    }
    if (!study->part) {
        EW_TRY(ew_new_zero(&study->part, (size_t)input->n_step, sizeof *study->part));
        study->n_part = input->n_step;
    }
    struct study_part *to = &study->part[s];
    EW_TRY(ew_grow(&to->u, &to->capacity, (int64_t)(n + n_edge), sizeof *to->u));
    to->revision = ew_model_mesh(study->model)->revision;
    to->n = n + n_edge;
    memcpy(to->u, ew_model_displacement(study->model), n * sizeof *to->u);
    if (n_edge) {
        memcpy(to->u + n, ew_model_edge_displacement(study->model), n_edge * sizeof *to->u);
    }
    return EW_OK;
}

ew_status ew_study_superpose(ew_study *study, const ew_case_step *step)
{
    size_t n_edge;
    const size_t n = count_values(study, &n_edge);
    double *u;
    EW_TRY(ew_new_zero(&u, n + n_edge, sizeof *u));
    for (int32_t i = 0; i < step->n_part; i++) {
        const struct study_part *from = &study->part[step->part[i].step];
        EW_ASSERT(from->n == n + n_edge && from->revision == ew_model_mesh(study->model)->revision);
        for (size_t k = 0; k < from->n; k++) {
            u[k] += step->part[i].factor * from->u[k];
        }
    }
    memcpy(ew_model_field(study->model, 0), u, n * sizeof *u);
    const ew_status status =
        n_edge ? ew_model_put_edge_displacement(study->model, (int32_t)(n_edge / 3), u + n) : EW_OK;
    ew_release(u);
    return status;
}

void ew_study_free_parts(ew_study *study)
{
    for (int32_t s = 0; s < study->n_part; s++) {
        ew_release(study->part[s].u);
    }
    ew_release(study->part);
}
