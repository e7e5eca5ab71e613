/* The single-precision copy of a matrix' blocks. */
#include "matrix/matrix.h"

#include <math.h>

/* False when a value leaves the range of float. */
static bool narrow(const double *from, float *to, size_t n)
{
    bool finite = true;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(&& : finite)
    for (size_t i = 0; i < n; i++) {
        to[i] = (float)from[i];
        finite = finite && isfinite(to[i]);
    }
    return finite;
}

ew_status ew_matrix_single_copy(ew_matrix_single *single, const ew_matrix *matrix)
{
    size_t size = 9 * sizeof(float);
    single->revision = 0;
    EW_TRY(ew_grow(&single->diagonal, &single->row_capacity, matrix->n_row, size));
    EW_TRY(ew_grow(&single->edge, &single->edge_capacity, matrix->n_edge, size));
    single->n_row = matrix->n_row;
    single->n_edge = matrix->n_edge;
    bool finite = narrow(matrix->diagonal, single->diagonal, 9 * (size_t)matrix->n_row);
    finite = narrow(matrix->edge, single->edge, 9 * (size_t)matrix->n_edge) && finite;
    if (!finite) {
        return ew_fail(EW_NOT_FINITE, "matrix: a stiffness block is beyond the range of single "
                                      "precision; use double precision or other units");
    }
    single->revision = matrix->revision;
    return EW_OK;
}

void ew_matrix_single_free(ew_matrix_single *single)
{
    ew_release(single->diagonal);
    ew_release(single->edge);
    *single = (ew_matrix_single){0};
}
