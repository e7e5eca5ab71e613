/* y = (M x I) x for a matrix M of scalar blocks: blocks, pattern and x in, y out. Each row is
 * summed by itself, so rows may be dealt to threads in any way. A block is read for both its rows:
 * it is a ninth of a stiffness block, and the two rows' items say where. */
#include "matrix/parts/matrix.h"

static void multiply_row(const ew_matrix *matrix, const ew_pattern *pattern, int32_t row,
                         const double *x, double *y)
{
    const double m = matrix->diagonal[row], *xa = x + 3 * (size_t)row;
    double sum[3] = {m * xa[0], m * xa[1], m * xa[2]};
    int32_t n = 0;
    const int32_t *item = matrix->diagonal_only ? NULL : ew_pattern_items(pattern, row, &n);
    for (int32_t i = 0; i < n; i++) {
        const double k = matrix->pair[item[2 * i + 1]], *xb = x + 3 * (size_t)item[2 * i];
        sum[0] += k * xb[0];
        sum[1] += k * xb[1];
        sum[2] += k * xb[2];
    }
    y[3 * (size_t)row] = sum[0];
    y[3 * (size_t)row + 1] = sum[1];
    y[3 * (size_t)row + 2] = sum[2];
}

void ew_matrix_product_scalar_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                      const double *x, double *y)
{
#pragma omp for schedule(static)
    for (int32_t row = 0; row < matrix->n_row; row++) {
        multiply_row(matrix, pattern, row, x, y);
    }
}

void ew_matrix_product_scalar(const ew_matrix *matrix, const ew_pattern *pattern, const double *x,
                              double *y)
{
#pragma omp parallel num_threads(ew_matrix_product_threads(matrix->n_row))
    ew_matrix_product_scalar_in_team(matrix, pattern, x, y);
}
