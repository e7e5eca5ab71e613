/* The single-precision copy of a matrix: blocks and pattern in, edge blocks and the rows' row sums
 * out. A row_sum is summed in the order of its row, as in kernels/assemble.cl, with the same bits.
 */
#include "matrix/parts/matrix.h"

#include <math.h>
#include <string.h>

/* False when a value leaves the range of float. Freed edges become zero. */
static bool narrow_edges(const ew_matrix *matrix, const ew_pattern *pattern, float *to)
{
    bool finite = true;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(&& : finite)
    for (int32_t edge = 0; edge < matrix->n_pair; edge++) {
        const bool freed = pattern->pair_row[2 * (size_t)edge] < 0;
        for (size_t k = 9 * (size_t)edge; k < 9 * ((size_t)edge + 1); k++) {
            to[k] = freed ? 0.0f : (float)matrix->pair[k];
            finite = finite && isfinite(to[k]);
        }
    }
    return finite;
}

void ew_matrix_row_sum(const ew_matrix *matrix, const ew_pattern *pattern, int32_t row,
                       double row_sum[9])
{
    const ew_rows *rows = &pattern->row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
    memcpy(row_sum, matrix->diagonal + 9 * (size_t)row, 9 * sizeof *row_sum);
    for (int32_t n = 0; n < rows->count[row]; n++) {
        const double *block = matrix->pair + 9 * (size_t)item[2 * n + 1];
        bool upper = item[2 * n] > row;
        for (int k = 0; k < 9; k++) {
            row_sum[k] += block[upper ? k : 3 * (k % 3) + k / 3];
        }
    }
}

/* False when a value leaves the range of float. */
static bool narrow_sums(const ew_matrix *matrix, const ew_pattern *pattern, float *to)
{
    bool finite = true;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) reduction(&& : finite)
    for (int32_t row = 0; row < matrix->n_row; row++) {
        double row_sum[9];
        ew_matrix_row_sum(matrix, pattern, row, row_sum);
        for (size_t k = 0; k < 9; k++) {
            float value = (float)row_sum[k];
            to[9 * (size_t)row + k] = value;
            finite = finite && isfinite(value);
        }
    }
    return finite;
}

ew_status ew_matrix_single_copy(ew_matrix_single *single, const ew_matrix *matrix,
                                const ew_pattern *pattern)
{
    size_t size = 9 * sizeof(float);
    single->revision = 0;
    EW_TRY(ew_grow(&single->row_sum, &single->row_capacity, matrix->n_row, size));
    EW_TRY(ew_grow(&single->pair, &single->pair_capacity, matrix->n_pair, size));
    single->n_row = matrix->n_row;
    single->n_pair = matrix->n_pair;
    bool finite = narrow_sums(matrix, pattern, single->row_sum);
    finite = narrow_edges(matrix, pattern, single->pair) && finite;
    if (!finite) {
        return ew_fail(EW_NOT_FINITE, "matrix: a stiffness block is beyond the range of single "
                                      "precision; use double precision or other units");
    }
    single->revision = matrix->revision;
    return EW_OK;
}

void ew_matrix_single_free(ew_matrix_single *single)
{
    ew_release(single->row_sum);
    ew_release(single->pair);
    *single = (ew_matrix_single){0};
}
