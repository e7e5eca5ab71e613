/* y = K x with sums in extended precision: blocks, pattern and x in, y out, which is rounded once.
 * For residuals of what cancels but for rounding. Each row is summed by itself. */
#include "matrix/parts/matrix.h"

static void add(const double *block, bool transposed, const double *x, long double sum[3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum[i] += (long double)block[transposed ? 3 * j + i : 3 * i + j] * (long double)x[j];
        }
    }
}

void ew_matrix_product_extended_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                        const double *x, double *y)
{
#pragma omp for schedule(static)
    for (int32_t row = 0; row < matrix->n_row; row++) {
        long double sum[3] = {0.0L, 0.0L, 0.0L};
        int32_t n;
        const int32_t *item = ew_pattern_items(pattern, row, &n);
        add(matrix->diagonal + 9 * (size_t)row, false, x + 3 * (size_t)row, sum);
        for (int32_t i = 0; i < n; i++) {
            add(matrix->pair + 9 * (size_t)item[2 * i + 1], item[2 * i] < row,
                x + 3 * (size_t)item[2 * i], sum);
        }
        for (size_t c = 0; c < 3; c++) {
            y[3 * (size_t)row + c] = (double)sum[c];
        }
    }
}
