/* The level of groups of aggregates on a device: its matrix, gathered in double with the host's
 * bits, and the cycles that every iteration runs on the aggregates' matrix, in working precision.
 * Reference: third_level_matrix.c of lib/solver/multilevel bit for bit, and plain loops in
 * tests/device/test_kernels_intermediate_level.c to rounding.
 *
 * Shapes: aggregates are rows: begin, count [n], item: (other row, pair) ascending in the row;
 * diagonal [n][6][6], pair [n_pair][6][6] with the rows of the lower row; vectors [n][6]. group_of
 * [n], -1: none; member_begin, member_count [n_group], member: rows of a group, ascending; position
 * [n_group], where a group stands among the unknowns of the coarsest level. */
#include "find.h"
#include "real.h"
#include "reduce.h"

#if EW_HAS_DOUBLE

/* Row i of K_ab E_b, entry j: K, or its transpose, and b, the place and scale of groups.h. */
static double times_modes(__global const double *k, const int transposed, __global const double *b,
                          const int i, const int j)
{
    const int row = transposed ? 1 : 6, column = transposed ? 6 : 1, start = row * i;
    if (j < 3) {
        return k[start + column * j];
    }
    const int c = j - 3, next = (c + 1) % 3, last = (c + 2) % 3;
    return (b[next] * k[start + column * last] - b[last] * k[start + column * next]) +
           b[3] * k[start + column * j];
}

/* Entry (i, j) of E_a^T K_ab E_b. */
static double mapped(__global const double *k, const int transposed, __global const double *a,
                     __global const double *b, const int i, const int j)
{
    if (i < 3) {
        return times_modes(k, transposed, b, i, j);
    }
    const int c = i - 3, next = (c + 1) % 3, last = (c + 2) % 3;
    return (a[next] * times_modes(k, transposed, b, last, j) -
            a[last] * times_modes(k, transposed, b, next, j)) +
           a[3] * times_modes(k, transposed, b, i, j);
}

/* Blocks of the listed groups, as gather_coarse of multilevel.cl: the same words, with groups for
 * aggregates. map [n][4]: place and scale of a row in its group. One group of 36 items per group of
 * rows, an item per entry of its blocks, which it alone writes; launch: n groups. */
__kernel __attribute__((reqd_work_group_size(36, 1, 1))) void
gather_groups(const int n, const uint first, __global const int *word, __global const int *group_of,
              __global const double *map, __global const int *member_begin,
              __global const int *member_count, __global const int *member,
              __global const int *begin, __global const int *count, __global const int2 *item,
              __global const double *diagonal, __global const double *pair, __global double *block)
{
    __local double inner[36];
    const int k = (int)get_local_id(0), i = k / 6, j = k % 6, g = (int)get_group_id(0);
    __global const int *head = word + first + 3 * (size_t)g;
    const int own = head[0], n_higher = head[1];
    __global const int *higher = word + first + 3 * (size_t)n + (size_t)(head[2] - g);
    __global double *own_block = block + 36 * (size_t)head[2] + k;
    const int n_member = member_count[own];
    double all = n_member == 0 && k % 7 == 0 ? 1 : 0, within = 0;
    for (int h = 1; h <= n_higher; h++) {
        own_block[36 * h] = 0;
    }
    for (int m = 0; m < n_member; m++) {
        const int a = member[member_begin[own] + m];
        __global const double *map_a = map + 4 * (size_t)a;
        all += mapped(diagonal + 36 * (size_t)a, 0, map_a, map_a, i, j);
        for (int p = begin[a]; p < begin[a] + count[a]; p++) {
            const int b = item[p].x, other = group_of[b];
            if (other < own || (other == own && b < a)) {
                continue;
            }
            const int place = other == own ? -1 : ew_find_in(higher, n_higher, other);
            if (other != own && place < 0) {
                continue;
            }
            const double value =
                mapped(pair + 36 * (size_t)item[p].y, a > b, map_a, map + 4 * (size_t)b, i, j);
            if (other == own) {
                within += value;
            } else {
                own_block[36 * (1 + place)] += value;
            }
        }
    }
    inner[k] = within;
    barrier(CLK_LOCAL_MEM_FENCE);
    own_block[0] = all + (inner[k] + inner[6 * j + i]);
}

#endif

#pragma OPENCL FP_CONTRACT ON

#define ROWS  16 /* of a group of the kernel over rows, six items each */
#define SLOTS 8  /* of a group of the kernel over groups, six items each */

/* Entry i of b - A x in a row. */
static EW_SUM residual(const int row, const int i, __global const int *begin,
                       __global const int *count, __global const int2 *item,
                       __global const EW_REAL *diagonal, __global const EW_REAL *pair,
                       __global const EW_REAL *b, __global const EW_REAL *x)
{
    __global const EW_REAL *own = diagonal + 36 * (size_t)row + 6 * i;
    EW_SUM sum = b[6 * (size_t)row + i];
    for (int j = 0; j < 6; j++) {
        sum -= own[j] * x[6 * (size_t)row + j];
    }
    for (int p = begin[row]; p < begin[row] + count[row]; p++) {
        const int other = item[p].x;
        __global const EW_REAL *k = pair + 36 * (size_t)item[p].y + (row < other ? 6 * i : i);
        __global const EW_REAL *v = x + 6 * (size_t)other;
        const int stride = row < other ? 1 : 6;
        for (int j = 0; j < 6; j++) {
            sum -= k[stride * j] * v[j];
        }
    }
    return sum;
}

/* y = x + B (b - A x) with the symmetric blocks of inverse [n][6][6]; from_zero: x is zero,
 * whatever stands there. ROWS rows to a group, six items each, each of which writes one number.
 * Launch: a group for every ROWS rows. */
__kernel __attribute__((reqd_work_group_size(6 * ROWS, 1, 1))) void
smooth_rows(const int n, const int from_zero, __global const int *begin, __global const int *count,
            __global const int2 *item, __global const EW_REAL *diagonal,
            __global const EW_REAL *pair, __global const EW_REAL *inverse,
            __global const EW_REAL *b, __global const EW_REAL *x, __global EW_REAL *y)
{
    __local EW_SUM rest[6 * ROWS];
    const int lane = (int)get_local_id(0), i = lane % 6;
    const int row = (int)get_group_id(0) * ROWS + lane / 6;
    const size_t at = 6 * (size_t)row + i;
    rest[lane] = row >= n    ? 0
                 : from_zero ? b[at]
                             : residual(row, i, begin, count, item, diagonal, pair, b, x);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (row >= n) {
        return;
    }
    EW_SUM step = 0;
    for (int j = 0; j < 6; j++) {
        step += inverse[36 * (size_t)row + 6 * j + i] * rest[lane - i + j];
    }
    y[at] = (EW_REAL)(from_zero ? step : x[at] + step);
}

/* coarse = E^T (b - A x): modes [n][6][6] are the blocks of E. One group of 6 SLOTS items per group
 * of rows; six of them write a number each. Launch: n_group groups. */
__kernel __attribute__((reqd_work_group_size(6 * SLOTS, 1, 1))) void
restrict_rows(__global const int *member_begin, __global const int *member_count,
              __global const int *member, __global const int *position, __global const int *begin,
              __global const int *count, __global const int2 *item,
              __global const EW_REAL *diagonal, __global const EW_REAL *pair,
              __global const EW_REAL *modes, __global const EW_REAL *b, __global const EW_REAL *x,
              __global EW_REAL *coarse)
{
    __local EW_SUM rest[6 * SLOTS];
    const int lane = (int)get_local_id(0), i = lane % 6, slot = lane / 6;
    const int own = (int)get_group_id(0), n = member_count[own];
    EW_SUM sum = 0;
    for (int m = 0; m < n; m += SLOTS) {
        const bool is_there = m + slot < n;
        const int row = is_there ? member[member_begin[own] + m + slot] : 0;
        rest[lane] = is_there ? residual(row, i, begin, count, item, diagonal, pair, b, x) : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 6 && is_there; k++) {
            sum += modes[36 * (size_t)row + 6 * k + i] * rest[lane - i + k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    rest[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slot == 0) {
        for (int s = 1; s < SLOTS; s++) {
            sum += rest[6 * s + i];
        }
        coarse[6 * (size_t)position[own] + i] = (EW_REAL)sum;
    }
}

/* y += E coarse. One work-item per number of y, which it alone writes. Launch: 6n items. */
__kernel void prolong_rows(const int n, __global const int *group_of, __global const int *position,
                           __global const EW_REAL *modes, __global const EW_REAL *coarse,
                           __global EW_REAL *y)
{
    const size_t at = get_global_id(0), row = at / 6;
    if (row >= (size_t)n || group_of[row] < 0) {
        return;
    }
    __global const EW_REAL *q = coarse + 6 * (size_t)position[group_of[row]];
    EW_SUM sum = y[at];
    for (int j = 0; j < 6; j++) {
        sum += modes[6 * at + j] * q[j];
    }
    y[at] = (EW_REAL)sum;
}
