/* y = K x with the diagonal-edge matrix, gathered. In: blocks, row_to_edge, x. Out: y, or S K x and
 * partial sums of x . S K x. EW_REAL is the type of blocks and vectors, EW_SUM that of sums.
 * Reference: ew_matrix_product and ew_matrix_single_product, to rounding.
 *
 * In double y_a = K_aa x_a + sum_b K_ab x_b. In float y_a = D_a x_a + sum_b K_ab (x_b - x_a) with
 * the row's row_sum D_a = K_aa + sum_b K_ab in place of the diagonal block: so rounding the blocks
 * adds no stiffness against a shift of all rows, which a slender body would feel.
 *
 * Row a needs K_ab x_b over its edges: the stored block for b > a, its transpose for b < a. Each
 * product exists twice, because no one shape suits both kinds of device. `_rows`, for processors:
 * one work-item per row. `_tiles`, for GPUs, where neighboring items should read neighboring
 * words: nine work-items share a row, one per entry of a block, so that a block is one contiguous
 * read and neither case a strided one; entry (i, j) times x_j counts for component i of row a, or
 * for b < a, times x_i, for component j, and both kinds of sums meet in local memory.
 *
 * Shapes: begin, count [n_row]; item [n_item] (other row, edge); diagonal [n_row][3][3],
 * the row sums in float; edge [n_edge][3][3]; vectors [n_row][3]; fixed [n_row], bit c of it set
 * when S clears component c; partial [number of groups]. */
#include "real.h"
#include "reduce.h"

#pragma OPENCL FP_CONTRACT ON

#define GROUP 128 /* items of a group of the _rows kernels */
#define ROWS  28  /* rows per group and tile of the _tiles kernels */
#define ITEMS (9 * ROWS)

#define DIFFERENCE (sizeof(EW_REAL) == sizeof(float)) /* edges multiply x_b - x_a, not x_b */

/* y = K x of one row. */
static void row_product(const int row, __global const int *begin, __global const int *count,
                        __global const int2 *item, __global const EW_REAL *diagonal,
                        __global const EW_REAL *edge, __global const EW_REAL *x, EW_REAL *y)
{
    __global const EW_REAL *k = diagonal + 9 * (size_t)row, *v = x + 3 * (size_t)row;
    EW_REAL y0 = k[0] * v[0] + k[1] * v[1] + k[2] * v[2];
    EW_REAL y1 = k[3] * v[0] + k[4] * v[1] + k[5] * v[2];
    EW_REAL y2 = k[6] * v[0] + k[7] * v[1] + k[8] * v[2];
    const EW_REAL a0 = DIFFERENCE ? v[0] : 0, a1 = DIFFERENCE ? v[1] : 0,
                  a2 = DIFFERENCE ? v[2] : 0;
    const size_t first = (size_t)begin[row];
    for (int n = 0; n < count[row]; n++) {
        const int2 other = item[first + n];
        k = edge + 9 * (size_t)other.y;
        v = x + 3 * (size_t)other.x;
        const EW_REAL d0 = v[0] - a0, d1 = v[1] - a1, d2 = v[2] - a2;
        if (other.x > row) {
            y0 += k[0] * d0 + k[1] * d1 + k[2] * d2;
            y1 += k[3] * d0 + k[4] * d1 + k[5] * d2;
            y2 += k[6] * d0 + k[7] * d1 + k[8] * d2;
        } else {
            y0 += k[0] * d0 + k[3] * d1 + k[6] * d2;
            y1 += k[1] * d0 + k[4] * d1 + k[7] * d2;
            y2 += k[2] * d0 + k[5] * d1 + k[8] * d2;
        }
    }
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
}

/* y = K x. One work-item per row, then every (global size)-th; each writes its rows alone. Launch:
 * any number of items. */
__kernel void product_rows(const int n_row, __global const int *begin, __global const int *count,
                           __global const int2 *item, __global const EW_REAL *diagonal,
                           __global const EW_REAL *edge, __global const EW_REAL *x,
                           __global EW_REAL *y)
{
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        EW_REAL value[3];
        row_product((int)row, begin, count, item, diagonal, edge, x, value);
        for (int c = 0; c < 3; c++) {
            y[3 * row + c] = value[c];
        }
    }
}

/* q = S K p and partial[group] = the group's share of p . q, written by its item 0. The rest as in
 * product_rows. Launch: any number of groups of GROUP. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
product_rows_dot(const int n_row, __global const int *begin, __global const int *count,
                 __global const int2 *item, __global const EW_REAL *diagonal,
                 __global const EW_REAL *edge, __global const uchar *fixed,
                 __global const EW_REAL *p, __global EW_REAL *q, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM sum = 0;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        EW_REAL value[3];
        row_product((int)row, begin, count, item, diagonal, edge, p, value);
        for (int c = 0; c < 3; c++) {
            value[c] = fixed[row] >> c & 1 ? 0 : value[c];
            q[3 * row + c] = value[c];
            sum += (EW_SUM)p[3 * row + c] * value[c];
        }
    }
    sum = ew_group_sum(sum, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sum;
    }
}

/* Component k % 3 of the product at row ROWS * tile + k / 3 for the items k < 3 * ROWS; all items
 * of the group call it. `along`, `across` [ITEMS]. */
static EW_REAL tile_product(const int n_row, const int tile, const int k, __global const int *begin,
                            __global const int *count, __global const int2 *item,
                            __global const EW_REAL *diagonal, __global const EW_REAL *edge,
                            __global const EW_REAL *x, __local EW_REAL *along,
                            __local EW_REAL *across)
{
    const int row = ROWS * tile + k / 9, entry = k % 9, i = entry / 3, j = entry % 3;
    EW_REAL direct = 0, transposed = 0;
    if (row < n_row) {
        const EW_REAL a_i = DIFFERENCE ? x[3 * (size_t)row + i] : 0;
        const EW_REAL a_j = DIFFERENCE ? x[3 * (size_t)row + j] : 0;
        direct = diagonal[9 * (size_t)row + entry] * x[3 * (size_t)row + j];
        const size_t first = (size_t)begin[row];
        for (int n = 0; n < count[row]; n++) {
            const int2 other = item[first + n];
            const EW_REAL value = edge[9 * (size_t)other.y + entry];
            if (other.x > row) {
                direct += value * (x[3 * (size_t)other.x + j] - a_j);
            } else {
                transposed += value * (x[3 * (size_t)other.x + i] - a_i);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    along[k] = direct;
    across[k] = transposed;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k >= 3 * ROWS) {
        return 0;
    }
    const int at = 9 * (k / 3), c = k % 3;
    return along[at + 3 * c] + along[at + 3 * c + 1] + along[at + 3 * c + 2] + across[at + c] +
           across[at + c + 3] + across[at + c + 6];
}

/* y = K x. Nine work-items per row in groups of ITEMS = 252; a group does tiles of ROWS rows, every
 * (number of groups)-th. Launch: any number of groups of 252. Each component is written by the one
 * item that adds it up. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
product_tiles(const int n_row, __global const int *begin, __global const int *count,
              __global const int2 *item, __global const EW_REAL *diagonal,
              __global const EW_REAL *edge, __global const EW_REAL *x, __global EW_REAL *y)
{
    __local EW_REAL along[ITEMS], across[ITEMS];
    const int k = (int)get_local_id(0), n_tile = (n_row + ROWS - 1) / ROWS;
    for (int tile = (int)get_group_id(0); tile < n_tile; tile += (int)get_num_groups(0)) {
        const EW_REAL value =
            tile_product(n_row, tile, k, begin, count, item, diagonal, edge, x, along, across);
        const size_t at = 3 * ROWS * (size_t)tile + k;
        if (k < 3 * ROWS && at < 3 * (size_t)n_row) {
            y[at] = value;
        }
    }
}

/* q = S K p and partial[group] = the group's share of p . q, written by its item 0. The rest as in
 * product_tiles. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
product_tiles_dot(const int n_row, __global const int *begin, __global const int *count,
                  __global const int2 *item, __global const EW_REAL *diagonal,
                  __global const EW_REAL *edge, __global const uchar *fixed,
                  __global const EW_REAL *p, __global EW_REAL *q, __global EW_SUM *partial)
{
    __local EW_REAL along[ITEMS], across[ITEMS];
    __local EW_SUM scratch[ITEMS];
    const int k = (int)get_local_id(0), n_tile = (n_row + ROWS - 1) / ROWS;
    EW_SUM sum = 0;
    for (int tile = (int)get_group_id(0); tile < n_tile; tile += (int)get_num_groups(0)) {
        const EW_REAL value =
            tile_product(n_row, tile, k, begin, count, item, diagonal, edge, p, along, across);
        const size_t at = 3 * ROWS * (size_t)tile + k;
        if (k < 3 * ROWS && at < 3 * (size_t)n_row) {
            const int is_fixed = fixed[at / 3] >> (k % 3) & 1;
            q[at] = is_fixed ? 0 : value;
            sum += is_fixed ? 0 : (EW_SUM)p[at] * value;
        }
    }
    sum = ew_group_sum(sum, k, ITEMS, scratch);
    if (k == 0) {
        partial[get_group_id(0)] = sum;
    }
}
