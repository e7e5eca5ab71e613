/* Loops over vectors [model_n_row][3]. Sums are formed over fixed chunks of entries and
 * added chunk by chunk, so that they do not depend on the number of threads. */
#include "model/internal.h"

#include <math.h>

#define CHUNK 6144
/* Forces below it count as none: the square of a smaller one would vanish (solver.h). */
#define LEAST 1e-140

void model_flush(double *x, int64_t n)
{
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        x[i] = fabs(x[i]) < LEAST ? 0.0 : x[i];
    }
}

void model_filter_constraints(const ew_model *model, double *x)
{
    const ew_system rows = model_rows(model);
    const int32_t n = model_n_row(model);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int32_t row = 0; row < n; row++) {
        const uint8_t fixed = rows.fixed[row];
        for (size_t c = 0; c < 3 && fixed; c++) {
            x[3 * (size_t)row + c] = fixed >> c & 1 ? 0.0 : x[3 * (size_t)row + c];
        }
    }
    for (int32_t k = 0; k < rows.oblique->n; k++) {
        ew_oblique_project(rows.oblique, k, x + 3 * (size_t)rows.oblique->row[k]);
    }
}

void model_filter(const ew_model *model, double *x)
{
    model_filter_constraints(model, x);
    if (model_has_equations(&model->equations)) {
        ew_equations_project(&model->equations.free, x);
    }
}

double model_dot(ew_model *model, const double *x, const double *y)
{
    const int64_t n = 3 * (int64_t)model_n_row(model), n_chunk = (n + CHUNK - 1) / CHUNK;
    double *partial = model->dynamics.partial, sum = 0.0;
#pragma omp parallel for schedule(static) if (n_chunk > 1)
    for (int64_t k = 0; k < n_chunk; k++) {
        const int64_t end = n < (k + 1) * CHUNK ? n : (k + 1) * CHUNK;
        double part = 0.0;
        for (int64_t i = k * CHUNK; i < end; i++) {
            part += x[i] * y[i];
        }
        partial[k] = part;
    }
    for (int64_t k = 0; k < n_chunk; k++) {
        sum += partial[k];
    }
    return sum;
}

ew_status model_reserve_vectors(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    const int32_t n = model_n_row(model);
    const int n_vector = of->def.account ? MODEL_N_VECTOR : MODEL_N_VECTOR_OF_STEP;
    for (int k = 0; k < n_vector; k++) {
        EW_TRY(ew_grow(&of->vector[k], &of->vector_capacity[k], n, 3 * sizeof(double)));
    }
    return ew_grow(&of->partial, &of->partial_capacity, 3 * (int64_t)n / CHUNK + 1, sizeof(double));
}

bool model_is_zero(const double *x, size_t n)
{
    bool zero = true;
    for (size_t i = 0; i < n && zero; i++) {
        zero = x[i] == 0.0;
    }
    return zero;
}
