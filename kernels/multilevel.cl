/* The rigid-body-mode preconditioner on a device: what a set-up or an update gathers from the fine
 * blocks, in double and with the host's bits, and what every iteration applies, in working
 * precision. Lists come in the words of an upload. Reference: aggregate_growth.c and coarse.c of
 * lib/solver/multilevel bit for bit, and plain loops in tests/device/test_kernels_multilevel.c to rounding.
 *
 * Shapes: of_row [n_row], the aggregate of a row or -1; place [n_row][3], where a row is in the
 * frame of its aggregate; member_begin, member_count [n], member [n_item]: rows of an aggregate,
 * ascending; position [n], where an aggregate stands among the coarse unknowns; vectors [n_row][3],
 * coarse vectors [n][6]: three translations and three rotations w, which move a row by w x place.
 * fixed [n_row]: bit c set where S clears component c, bit 3 where other directions are prescribed:
 * oblique_row [n_oblique], the rows with that bit, ascending, and their directions, oblique_normal
 * [n_oblique][2][3]. */
#include "find.h"
#include "real.h"
#include "reduce.h"

#define OBLIQUE 8 /* of fixed: other directions are prescribed, as EW_OBLIQUE of solver.h */

#if EW_HAS_DOUBLE

/* |block|^2, in the order of growth.c. */
static double square_norm(__global const double *block)
{
    double square[3] = {0, 0, 0}; /* by columns */
    for (int i = 0; i < 9; i++) {
        square[i % 3] += block[i] * block[i];
    }
    return square[0] + square[1] + square[2];
}

/* strength[i], how many of share [n_share], ascending, have |K_ab|^2 > share |K_aa| |K_bb|; of the
 * n pairs word[first + i] when `listed`, else of the first n. One work-item per i; launch: n items.
 * pair_row [n_pair][2], -1 in a free slot. */
__kernel void find_strength(const int n, const int listed, const uint first, const int n_share,
                            __global const double *share, __global const int *word,
                            __global const int *pair_row, __global const double *diagonal,
                            __global const double *pair, __global uchar *strength)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t own = listed ? (size_t)word[first + i] : i;
    const int row_a = pair_row[2 * own], row_b = pair_row[2 * own + 1];
    if (row_a < 0) {
        strength[i] = 0;
        return;
    }
    const double a = sqrt(square_norm(diagonal + 9 * (size_t)row_a));
    const double b = sqrt(square_norm(diagonal + 9 * (size_t)row_b));
    const double square = square_norm(pair + 9 * own);
    int found = n_share;
    while (found > 0 && !(square > share[found - 1] * a * b)) {
        found--;
    }
    strength[i] = (uchar)found;
}

/* Entry j of row [1][3] times [I, R_b], the rotations times the length. */
static double times_modes(const double *row, const double *b, const int j)
{
    return j < 3    ? row[j]
           : j == 3 ? b[1] * row[2] - b[2] * row[1]
           : j == 4 ? b[2] * row[0] - b[0] * row[2]
                    : b[0] * row[1] - b[1] * row[0];
}

/* v less what of it is along the directions of an oblique row; v: three numbers, `stride` apart, in
 * the order of aggregates.h. */
static void take_out_normals(__global const int *oblique_row, __global const double *oblique_normal,
                             const int n_oblique, const int row, double *v, const int stride)
{
    const int at = ew_find_in(oblique_row, n_oblique, row);
    for (int i = 0; i < 6 && at >= 0; i += 3) {
        __global const double *n = oblique_normal + 6 * (size_t)at + i;
        const double along = n[0] * v[0] + n[1] * v[stride] + n[2] * v[2 * stride];
        for (int c = 0; c < 3; c++) {
            v[c * stride] -= along * n[c];
        }
    }
}

/* k = S_a K S_b; transposed: of the block stored for (b, a). */
static void filter_block(__global const double *from, const int transposed, const int fixed_a,
                         const int fixed_b, double *k)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const int cleared = (fixed_a >> r & 1) || (fixed_b >> c & 1);
            k[3 * r + c] = cleared ? 0 : from[transposed ? 3 * c + r : 3 * r + c];
        }
    }
}

/* P K P at rows with oblique directions. */
static void project_block(__global const int *oblique_row, __global const double *oblique_normal,
                          const int n_oblique, const int a, const int fixed_a, const int b,
                          const int fixed_b, double *k)
{
    for (int i = 0; i < 3 && (fixed_a & OBLIQUE); i++) {
        take_out_normals(oblique_row, oblique_normal, n_oblique, a, k + i, 3);
    }
    for (int i = 0; i < 3 && (fixed_b & OBLIQUE); i++) {
        take_out_normals(oblique_row, oblique_normal, n_oblique, b, k + 3 * i, 1);
    }
}

/* sum[r] += entry (r, j) of K P_b, times the length for rotations; offset: of b. */
static void add_block(const double *k, __global const double *offset, const int j, double *sum)
{
    const double b[3] = {offset[0], offset[1], offset[2]};
    for (int r = 0; r < 3; r++) {
        sum[r] += times_modes(k + 3 * r, b, j);
    }
}

/* Entry (i, j) of P_a^T times the sum; a: the place of the row. */
static double finish_entry(const double *sum, const double length, const double *a, const int i,
                           const int j)
{
    double g[3];
    for (int r = 0; r < 3; r++) {
        g[r] = j < 3 ? sum[r] : sum[r] / length;
    }
    return i < 3    ? g[i]
           : i == 3 ? a[1] * g[2] - a[2] * g[1]
           : i == 4 ? a[2] * g[0] - a[0] * g[2]
                    : a[0] * g[1] - a[1] * g[0];
}

#define SEGMENT_ROWS 16 /* as EW_SEGMENT_ROWS of segments.h */
#define ROW_SUMS     8 /* as in coarse.c: a row with more aggregates around it is summed in parts */

/* The sum of one row over one aggregate: its block (0: inside the aggregate; < 0: not gathered,
 * holds nothing, and has its place so that the others are cut into the same parts as in a rebuild),
 * and its length. */
typedef struct row_sum {
    int block;
    double length, value[3];
} row_sum;

/* The sum for a block; where all are taken, that of the one that has been there longest, which goes
 * into its block first. */
static int find_sum(row_sum *sum, int *n_sum, int *oldest, const int block, const double length,
                    const double *a, const int i, const int j, double *within,
                    __global double *own_block)
{
    int at = 0;
    while (at < *n_sum && sum[at].block != block) {
        at++;
    }
    if (at < *n_sum) {
        return at;
    }
    if (at == ROW_SUMS) {
        at = *oldest;
        *oldest = (at + 1) % ROW_SUMS;
        const double value = finish_entry(sum[at].value, sum[at].length, a, i, j);
        if (sum[at].block == 0) {
            *within += value;
        } else if (sum[at].block > 0) {
            own_block[36 * sum[at].block] += value;
        }
    } else {
        *n_sum += 1;
    }
    sum[at].block = block;
    sum[at].length = length;
    sum[at].value[0] = sum[at].value[1] = sum[at].value[2] = 0;
    return at;
}

/* Coarse blocks of the listed aggregates: diagonal ones, and after each those of its pairs with
 * listed higher aggregates. word[first + 3 g] on: the aggregate of group g, how many of those there
 * are, and its first block; after the n of these the higher ones themselves, ascending. One group
 * of 36 per aggregate, an item per entry of its blocks, which it alone writes; launch: n groups.
 * Sums go in the canonical order of coarse.h. offset [n_row][4]: of a row from the reference point
 * of its aggregate, whose length comes fourth. block [n_block][6][6]. */
__kernel __attribute__((reqd_work_group_size(36, 1, 1))) void
gather_coarse(const int n, const uint first, __global const int *word, __global const int *of_row,
              __global const double *offset, __global const int *member_begin,
              __global const int *member_count, __global const int *member,
              __global const int *begin, __global const int *count, __global const int2 *item,
              __global const uchar *fixed, __global const double *diagonal,
              __global const double *pair, const int n_oblique, __global const int *oblique_row,
              __global const double *oblique_normal, __global double *block)
{
    __local double inner[36];
    const int k = (int)get_local_id(0), i = k / 6, j = k % 6, g = (int)get_group_id(0);
    __global const int *head = word + first + 3 * (size_t)g;
    const int own = head[0], n_higher = head[1];
    __global const int *higher = word + first + 3 * (size_t)n + (size_t)(head[2] - g);
    __global double *own_block = block + 36 * (size_t)head[2] + k;
    const int n_member = member_count[own];
    double all = n_member == 0 && k % 7 == 0 ? 1 : 0;
    for (int h = 1; h <= n_higher; h++) {
        own_block[36 * h] = 0;
    }
    for (int m = 0; m < n_member;) { /* segment by segment, of which all items are in the same */
        const int segment = member[member_begin[own] + m] / SEGMENT_ROWS;
        double diagonal_sum = 0, within = 0;
        for (; m < n_member && member[member_begin[own] + m] / SEGMENT_ROWS == segment; m++) {
            const int a = member[member_begin[own] + m], fixed_a = fixed[a];
            __global const double *from = offset + 4 * (size_t)a;
            const double at[3] = {from[0] / from[3], from[1] / from[3], from[2] / from[3]};
            row_sum sum[ROW_SUMS];
            int n_sum = 0, oldest = 0;
            double here[3] = {0, 0, 0};
            if (fixed_a == 7) {
                continue;
            }
            double k_ab[9];
            filter_block(diagonal + 9 * (size_t)a, 0, fixed_a, fixed_a, k_ab);
            if (fixed_a & OBLIQUE) {
                project_block(oblique_row, oblique_normal, n_oblique, a, fixed_a, a, fixed_a, k_ab);
            }
            add_block(k_ab, from, j, here);
            diagonal_sum += finish_entry(here, from[3], at, i, j);
            for (int p = begin[a]; p < begin[a] + count[a]; p++) {
                const int b = item[p].x, other = of_row[b], fixed_b = fixed[b];
                if (other < own || (other == own && b < a) || fixed_b == 7) {
                    continue;
                }
                const int place = other == own ? -1 : ew_find_in(higher, n_higher, other);
                const int found = other == own ? 0 : place < 0 ? -1 - other : 1 + place;
                __global const double *to = offset + 4 * (size_t)b;
                const int s =
                    find_sum(sum, &n_sum, &oldest, found, to[3], at, i, j, &within, own_block);
                if (found >= 0) {
                    filter_block(pair + 9 * (size_t)item[p].y, a > b, fixed_a, fixed_b, k_ab);
                    if ((fixed_a | fixed_b) & OBLIQUE) {
                        project_block(oblique_row, oblique_normal, n_oblique, a, fixed_a, b,
                                      fixed_b, k_ab);
                    }
                    add_block(k_ab, to, j, sum[s].value);
                }
            }
            for (int s = 0; s < n_sum; s++) {
                const double value = finish_entry(sum[s].value, sum[s].length, at, i, j);
                if (sum[s].block == 0) {
                    within += value;
                } else if (sum[s].block > 0) {
                    own_block[36 * sum[s].block] += value;
                }
            }
        }
        inner[k] = within;
        barrier(CLK_LOCAL_MEM_FENCE);
        all += diagonal_sum + (inner[k] + inner[6 * j + i]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    own_block[0] = all;
}

#endif

#pragma OPENCL FP_CONTRACT ON

#define GROUP 128 /* items of a group of the kernels over rows, as in pcg.cl */
#define LANES 64  /* and of those with a group for each aggregate or coarse unknown */

/* t less what of it is along the directions of an oblique row. */
static void take_out(__global const int *oblique_row, __global const EW_SUM *oblique_normal,
                     const int n_oblique, const int row, EW_SUM *t)
{
    const int at = ew_find_in(oblique_row, n_oblique, row);
    for (int i = 0; i < 6 && at >= 0; i += 3) {
        __global const EW_SUM *n = oblique_normal + 6 * (size_t)at + i;
        const EW_SUM along = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
        for (int c = 0; c < 3; c++) {
            t[c] -= along * n[c];
        }
    }
}

/* coarse = P^T S (r - damping y): y = K z for the z = D^-1 r that the first sweep damps. One group
 * of LANES per aggregate; its item 0 writes six numbers. Launch: n groups. */
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
restrict_residual(const EW_REAL damping, __global const int *member_begin,
                  __global const int *member_count, __global const int *member,
                  __global const EW_SUM *place, __global const uchar *fixed,
                  __global const int *position, const int n_oblique,
                  __global const int *oblique_row, __global const EW_SUM *oblique_normal,
                  __global const EW_REAL *r, __global const EW_REAL *y, __global EW_REAL *coarse)
{
    __local EW_SUM scratch[LANES];
    const int own = (int)get_group_id(0), lane = (int)get_local_id(0);
    const int first = member_begin[own], n = member_count[own];
    EW_SUM sum[6] = {0, 0, 0, 0, 0, 0};
    for (int m = lane; m < n; m += LANES) {
        const size_t row = (size_t)member[first + m];
        __global const EW_SUM *d = place + 3 * row;
        EW_SUM t[3];
        for (int c = 0; c < 3; c++) {
            t[c] = fixed[row] >> c & 1 ? 0 : r[3 * row + c] - damping * y[3 * row + c];
        }
        if (fixed[row] & OBLIQUE) {
            take_out(oblique_row, oblique_normal, n_oblique, (int)row, t);
        }
        for (int c = 0; c < 3; c++) {
            sum[c] += t[c];
        }
        sum[3] += d[1] * t[2] - d[2] * t[1];
        sum[4] += d[2] * t[0] - d[0] * t[2];
        sum[5] += d[0] * t[1] - d[1] * t[0];
    }
    for (int c = 0; c < 6; c++) {
        const EW_SUM all = ew_group_sum(sum[c], lane, LANES, scratch);
        if (lane == 0) {
            coarse[6 * (size_t)position[own] + c] = (EW_REAL)all;
        }
    }
}

/* y = W x, or W^T x when `upper`, with the lower triangular W [n][n], whose transpose stands above
 * its diagonal: row i of `dense` times x up to column i, or from it on. One group of LANES per row;
 * its item 0 writes y_i. Launch: n groups. */
__kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
multiply_triangle(const int n, const int upper, __global const EW_REAL *dense,
                  __global const EW_REAL *x, __global EW_REAL *y)
{
    __local EW_SUM scratch[LANES];
    const int row = (int)get_group_id(0), lane = (int)get_local_id(0);
    __global const EW_REAL *own = dense + (size_t)row * (size_t)n;
    const int from = upper ? row : 0, to = upper ? n : row + 1;
    EW_SUM sum = 0;
    for (int j = from + lane; j < to; j += LANES) {
        sum += (EW_SUM)own[j] * x[j];
    }
    sum = ew_group_sum(sum, lane, LANES, scratch);
    if (lane == 0) {
        y[row] = (EW_REAL)sum;
    }
}

/* z = damping z + S P coarse. One work-item per row, then every (global size)-th; each writes its
 * rows alone. Launch: any number of items. */
__kernel void prolong(const int n_row, const EW_REAL damping, __global const int *of_row,
                      __global const EW_SUM *place, __global const uchar *fixed,
                      __global const int *position, const int n_oblique,
                      __global const int *oblique_row, __global const EW_SUM *oblique_normal,
                      __global const EW_REAL *coarse, __global EW_REAL *z)
{
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        const int own = of_row[row];
        EW_SUM move[3] = {0, 0, 0};
        if (own >= 0) {
            __global const EW_REAL *q = coarse + 6 * (size_t)position[own];
            __global const EW_SUM *d = place + 3 * row;
            move[0] = q[0] + (q[4] * d[2] - q[5] * d[1]);
            move[1] = q[1] + (q[5] * d[0] - q[3] * d[2]);
            move[2] = q[2] + (q[3] * d[1] - q[4] * d[0]);
        }
        if (fixed[row] & OBLIQUE) {
            take_out(oblique_row, oblique_normal, n_oblique, (int)row, move);
        }
        for (int c = 0; c < 3; c++) {
            const EW_REAL step = fixed[row] >> c & 1 ? 0 : (EW_REAL)move[c];
            z[3 * row + c] = damping * z[3 * row + c] + step;
        }
    }
}

/* z += damping D^-1 (r - y), y = K z; partial[group] = the group's share of r . z. inverse
 * [6][stride] as of invert_diagonal in pcg.cl. One work-item per row, then every (global size)-th;
 * each writes its rows alone, and item 0 of a group the partial sum. Launch: groups of GROUP. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
smooth_last(const int n_row, const int stride, const EW_REAL damping,
            __global const EW_REAL *inverse, __global const EW_REAL *r, __global const EW_REAL *y,
            __global EW_REAL *z, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    const size_t n = (size_t)stride;
    EW_SUM rz = 0;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        __global const EW_REAL *b = inverse + row;
        EW_REAL t[3];
        for (int c = 0; c < 3; c++) {
            t[c] = r[3 * row + c] - y[3 * row + c];
        }
        const EW_REAL s[3] = {b[0] * t[0] + b[n] * t[1] + b[2 * n] * t[2],
                              b[n] * t[0] + b[3 * n] * t[1] + b[4 * n] * t[2],
                              b[2 * n] * t[0] + b[4 * n] * t[1] + b[5 * n] * t[2]};
        for (int c = 0; c < 3; c++) {
            const EW_REAL value = z[3 * row + c] + damping * s[c];
            z[3 * row + c] = value;
            rz += (EW_SUM)r[3 * row + c] * value;
        }
    }
    rz = ew_group_sum(rz, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = rz;
    }
}
