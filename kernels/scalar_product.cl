/* y = (M x I) x for a matrix of scalar blocks. In: blocks, row_to_pair, x. Out: y. Reference:
 * ew_matrix_product_scalar, to rounding. */
#include "real.h"

#if EW_HAS_DOUBLE

#pragma OPENCL FP_CONTRACT ON

/* One work-item per component of a row, then every (global size)-th; each writes its own alone.
 * Launch: any number of items. Shapes: begin, count [n_row]; item [n_item] (other row, pair);
 * diagonal [n_row]; pair [n_pair], unused when diagonal_only; x, y [n_row][3]. */
__kernel void scalar_product(const int n_row, const int diagonal_only, __global const int *begin,
                             __global const int *count, __global const int2 *item,
                             __global const double *diagonal, __global const double *pair,
                             __global const double *x, __global double *y)
{
    const size_t n = 3 * (size_t)n_row;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        const size_t row = i / 3, c = i % 3;
        double sum = diagonal[row] * x[i];
        const int n_item = diagonal_only ? 0 : count[row];
        for (int k = 0; k < n_item; k++) {
            const int2 other = item[(size_t)begin[row] + (size_t)k];
            sum += pair[other.y] * x[3 * (size_t)other.x + c];
        }
        y[i] = sum;
    }
}

#endif
