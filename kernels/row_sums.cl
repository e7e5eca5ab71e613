/* The row sums of a matrix whose blocks are there, for products in single precision. Reference:
 * ew_matrix_row_sum, with the same bits. */
#include "real.h"

#if EW_HAS_DOUBLE

/* One work-item per row: row id[first + i] when `listed`, else row i; row_sum = K_aa + the
 * sum of K_ab over its pairs in the order of the row, K_ab for b < a being the transpose of the
 * stored block. Launch: n items, after the blocks. The ids are distinct, so each row_sum has one
 * writer. Shapes: begin, count [n_row] of row_to_pair; item [n_item] (other row, pair); diagonal
 * [n_row][3][3]; pair [n_pair][3][3]; row_sum [n_row][3][3]. */
__kernel void row_sums(const int n, const int listed, const uint first, __global const int *id,
                       __global const int *begin, __global const int *count,
                       __global const int2 *item, __global const double *diagonal,
                       __global const double *pair, __global float *row_sum)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t v = listed ? (size_t)id[first + i] : i;
    double sum[9];
    for (int k = 0; k < 9; k++) {
        sum[k] = diagonal[9 * v + k];
    }
    for (int m = 0; m < count[v]; m++) {
        const int2 other = item[(size_t)begin[v] + (size_t)m];
        __global const double *block = pair + 9 * (size_t)other.y;
        const int upper = other.x > (int)v;
        for (int k = 0; k < 9; k++) {
            sum[k] += block[upper ? k : 3 * (k % 3) + k / 3];
        }
    }
    for (int k = 0; k < 9; k++) {
        row_sum[9 * v + k] = (float)sum[k];
    }
}

#endif
