/* y = K x with the diagonal-edge matrix, gathered. In: blocks, row_to_edge, x. Out: y, or S K x and
 * partial sums of x . S K x. EW_REAL is the type of blocks and vectors. Reference:
 * ew_matrix_product, to rounding.
 *
 * Row a needs K_ab x_b over its edges: the stored block for b > a, its transpose for b < a. Nine
 * work-items share a row, one per entry of a block, so that each block is one contiguous read, and
 * neither case is a strided one: entry (i, j) times x_j counts for component i of row a, or for
 * b < a, times x_i, for component j. Both kinds of sums meet in local memory. */
#include "real.h"
#include "reduce.h"

#pragma OPENCL FP_CONTRACT ON

#define ROWS  28 /* per group and tile */
#define ITEMS (9 * ROWS)

/* Component k % 3 of the product at row ROWS * tile + k / 3 for the items k < 3 * ROWS; all items
 * of the group call it. `along`, `across` [ITEMS]. */
static EW_REAL tile_product(const int n_row, const int tile, const int k,
                            __global const int *begin, __global const int *count,
                            __global const int2 *item, __global const EW_REAL *diagonal,
                            __global const EW_REAL *edge, __global const EW_REAL *x,
                            __local EW_REAL *along, __local EW_REAL *across)
{
    const int row = ROWS * tile + k / 9, entry = k % 9, i = entry / 3, j = entry % 3;
    EW_REAL direct = 0, transposed = 0;
    if (row < n_row) {
        direct = diagonal[9 * (size_t)row + entry] * x[3 * (size_t)row + j];
        const size_t first = (size_t)begin[row];
        for (int n = 0; n < count[row]; n++) {
            const int2 other = item[first + n];
            const EW_REAL value = edge[9 * (size_t)other.y + entry];
            if (other.x > row) {
                direct += value * x[3 * (size_t)other.x + j];
            } else {
                transposed += value * x[3 * (size_t)other.x + i];
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
 * get_num_groups-th. Launch: any number of groups of 252. Each component is written by the one item
 * that adds it up. Shapes: begin, count [n_row]; item [n_item] (other row, edge); diagonal
 * [n_row][3][3]; edge [n_edge][3][3]; x, y [n_row][3]. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
product(const int n_row, __global const int *begin, __global const int *count,
        __global const int2 *item, __global const EW_REAL *diagonal, __global const EW_REAL *edge,
        __global const EW_REAL *x, __global EW_REAL *y)
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

/* q = S K p and partial[group] = the group's share of p . q. S clears component c of a row with bit
 * c of fixed [n_row] set. partial [number of groups]. The rest as in product. */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
product_dot(const int n_row, __global const int *begin, __global const int *count,
            __global const int2 *item, __global const EW_REAL *diagonal,
            __global const EW_REAL *edge, __global const uchar *fixed, __global const EW_REAL *p,
            __global EW_REAL *q, __global EW_SUM *partial)
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
