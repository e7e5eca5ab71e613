/* Vector work of the filtered conjugate gradients: everything of ew_pcg_ops but the product.
 * EW_REAL is the working precision, EW_SUM that of sums. Reference: plain loops in
 * tests/device/test_kernels_pcg.c, to rounding.
 *
 * Unless it says otherwise a kernel gives one work-item a row, and then every (global size)-th row;
 * each item writes the rows it was given alone, and item 0 of a group the group's partial sums. The
 * kernels with sums are launched in groups of GROUP = 128. S is the filter: component c of a row
 * with bit c of fixed [n_row] set is 0. Vectors are [n_row][3]. */
#include "real.h"
#include "row_inverse.h"

#pragma OPENCL FP_CONTRACT ON

#define GROUP 128

/* inverse [6][stride] (xx xy xz yy yz zz) = the inverses of the diagonal blocks [row][3][3]
 * restricted to the free components, 0 in the fixed ones; of the scalar diagonal alone when
 * `scalar`, but in oblique rows (bit 3 of fixed). Of n rows: those of list [n] when `listed`, each
 * once, else the first. A row's place in `fixed` and `inverse` is `behind` rows after that in the
 * blocks. By L D L^T of the upper triangles, in the type of sums. partial[group] and
 * partial[groups + group] = how many of the group's rows have a block that is not finite in working
 * precision, and one that is not positive definite beyond rounding. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
invert_diagonal(const int n_row, const int listed, __global const int *list, const int stride,
                const int scalar, const int behind, __global const uchar *fixed,
                __global const EW_SUM *diagonal, __global EW_APPLIED *inverse,
                __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    const size_t n = (size_t)stride;
    EW_SUM not_finite = 0, not_positive = 0;
    for (size_t i = get_global_id(0); i < (size_t)n_row; i += get_global_size(0)) {
        const size_t from = listed ? (size_t)list[i] : i, row = from + (size_t)behind;
        __global const EW_SUM *a = diagonal + 9 * from;
        const int free0 = !(fixed[row] & 1), free1 = !(fixed[row] & 2), free2 = !(fixed[row] & 4);
        /* a fixed component stands as 1 on the diagonal while inverting and as 0 after */
        const int whole = !scalar || fixed[row] & 8;
        const EW_SUM one = 1;
        const EW_SUM block[6] = {free0 ? a[0] : one,
                                 whole && free0 && free1 ? a[1] : 0,
                                 whole && free0 && free2 ? a[2] : 0,
                                 free1 ? a[4] : one,
                                 whole && free1 && free2 ? a[5] : 0,
                                 free2 ? a[8] : one};
        EW_SUM made[6];
        const int found = ew_invert_block(block, made);
        inverse[row] = free0 ? made[0] : 0;
        inverse[n + row] = free0 && free1 ? made[1] : 0;
        inverse[2 * n + row] = free0 && free2 ? made[2] : 0;
        inverse[3 * n + row] = free1 ? made[3] : 0;
        inverse[4 * n + row] = free1 && free2 ? made[4] : 0;
        inverse[5 * n + row] = free2 ? made[5] : 0;
        not_finite += found & NOT_FINITE ? 1 : 0;
        not_positive += found & NOT_POSITIVE ? 1 : 0;
    }
    not_finite = ew_group_sum(not_finite, (int)get_local_id(0), GROUP, scratch);
    not_positive = ew_group_sum(not_positive, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = not_finite;
        partial[get_num_groups(0) + get_group_id(0)] = not_positive;
    }
}

/* z = S M^-1 r of a row, by the inverse of its block; where the preconditioner is of another
 * precision r is kept in that, too. Returns r . z. */
static EW_SUM apply_row(const size_t n, const size_t row, __global const EW_APPLIED *inverse,
                        const EW_REAL *r, __global EW_APPLIED *narrow, EW_APPLIED *z)
{
#ifdef EW_NARROWS
    for (int c = 0; c < 3; c++) {
        narrow[3 * row + c] = (EW_APPLIED)r[c];
    }
#endif
    return ew_apply_inverse(n, row, inverse, (EW_APPLIED)r[0], (EW_APPLIED)r[1], (EW_APPLIED)r[2], z);
}

/* z = S M^-1 r, p = z, partial[group] = the group's share of r . z. narrow = r, for preconditioners
 * of another precision (EW_NARROWS), else untouched. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
start(const int n_row, const int stride, __global const EW_APPLIED *inverse,
      __global const EW_REAL *r, __global EW_APPLIED *narrow, __global EW_APPLIED *z,
      __global EW_REAL *p, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM rz = 0;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        const EW_REAL t[3] = {r[3 * row], r[3 * row + 1], r[3 * row + 2]};
        EW_APPLIED s[3];
        rz += apply_row((size_t)stride, row, inverse, t, narrow, s);
        for (int c = 0; c < 3; c++) {
            z[3 * row + c] = s[c];
            p[3 * row + c] = s[c];
        }
    }
    rz = ew_group_sum(rz, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = rz;
    }
}

/* The scalars of the recurrence, state []: r . z; alpha = r . z / p . q; beta = r . z / r . z
 * before; whether the recurrence has ENDED, after which nothing changes; and behind them what each
 * iteration since the host last looked found: r . z, p . q, and r . r after it. */
enum { RZ, ALPHA, BETA, ENDED, STEP };

/* Adds up n partial sums, each item those that are its share, in order. Valid in item 0. */
static EW_SUM add_partials(const int n, __global const EW_SUM *partial, __local EW_SUM *scratch)
{
    EW_SUM sum = 0;
    for (int i = (int)get_local_id(0); i < n; i += GROUP) {
        sum += partial[i];
    }
    return ew_group_sum(sum, (int)get_local_id(0), GROUP, scratch);
}

/* The next three are run by one group, whose item 0 writes. r . z of n sums, as `start` left them. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
begin(const int n, __global const EW_SUM *partial, __global EW_SUM *state)
{
    __local EW_SUM scratch[GROUP];
    const EW_SUM rz = add_partials(n, partial, scratch);
    if (get_local_id(0) == 0) {
        state[RZ] = rz;
        state[BETA] = 0;
        state[ENDED] = 0;
    }
}

/* alpha of iteration `step` since the host looked; partial: of p . q. Without p . q > 0 it ends. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
find_alpha(const int n, const int step, __global const EW_SUM *partial, __global EW_SUM *state)
{
    __local EW_SUM scratch[GROUP];
    const EW_SUM pq = add_partials(n, partial, scratch);
    if (get_local_id(0) == 0 && state[ENDED] == 0) {
        state[STEP + 3 * step] = state[RZ];
        state[STEP + 3 * step + 1] = pq;
        state[ALPHA] = state[RZ] / pq;
        state[ENDED] = pq > 0 ? 0 : 1;
    }
}

/* beta of it; partial as `advance` left it. Without r . r > enough it ends. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
find_beta(const int n, const int step, const EW_SUM enough, __global const EW_SUM *partial,
          __global EW_SUM *state)
{
    __local EW_SUM scratch[GROUP];
    const EW_SUM rz = add_partials(n, partial, scratch);
    const EW_SUM rr = add_partials(n, partial + n, scratch);
    if (get_local_id(0) == 0 && state[ENDED] == 0) {
        state[STEP + 3 * step + 2] = rr;
        state[BETA] = rz / state[RZ];
        state[RZ] = rz;
        state[ENDED] = rr > enough ? 0 : 1;
    }
}

/* d += alpha p, in the type of sums, r -= alpha q, z = S M^-1 r; partial[group] and partial[groups
 * + group] = the group's shares of r . z and r . r. narrow as in `start`. Nothing of any row once
 * the recurrence has ended. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
advance(const int n_row, const int stride, __global const EW_SUM *state,
        __global const EW_APPLIED *inverse, __global const EW_REAL *p, __global const EW_REAL *q,
        __global EW_SUM *d, __global EW_REAL *r, __global EW_APPLIED *narrow,
        __global EW_APPLIED *z, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    const EW_REAL alpha = (EW_REAL)state[ALPHA];
    const size_t n = state[ENDED] != 0 ? 0 : (size_t)n_row;
    EW_SUM rz = 0, rr = 0;
    for (size_t row = get_global_id(0); row < n; row += get_global_size(0)) {
        EW_REAL t[3];
        EW_APPLIED s[3];
        for (int c = 0; c < 3; c++) {
            d[3 * row + c] += (EW_SUM)alpha * p[3 * row + c];
            t[c] = r[3 * row + c] - alpha * q[3 * row + c];
            r[3 * row + c] = t[c];
            rr += (EW_SUM)t[c] * t[c];
        }
        rz += apply_row((size_t)stride, row, inverse, t, narrow, s);
        for (int c = 0; c < 3; c++) {
            z[3 * row + c] = s[c];
        }
    }
    rz = ew_group_sum(rz, (int)get_local_id(0), GROUP, scratch);
    rr = ew_group_sum(rr, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = rz;
        partial[get_num_groups(0) + get_group_id(0)] = rr;
    }
}

/* p = z + beta p. One work-item per component; launch: any number of items. */
__kernel void direction(const int n_row, __global const EW_SUM *state, __global const EW_APPLIED *z,
                        __global EW_REAL *p)
{
    const EW_REAL beta = (EW_REAL)state[BETA];
    const size_t n = 3 * (size_t)n_row;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        p[i] = z[i] + beta * p[i];
    }
}

/* v less what of it is along the prescribed directions of oblique rows; what rounding leaves of a
 * vector along them becomes zero. One work-item per oblique row; launch: any number of items. The
 * rows are distinct, so each has one writer. Shapes: row [n]; normal [n][2][3]. */
__kernel void project(const int n, __global const int *row, __global const EW_SUM *normal,
                      __global EW_REAL *v)
{
    const EW_SUM rounding = sizeof(EW_REAL) == 4 ? (EW_SUM)1e-13 : (EW_SUM)4e-30;
    for (size_t k = get_global_id(0); k < (size_t)n; k += get_global_size(0)) {
        __global const EW_SUM *a = normal + 6 * k;
        __global EW_REAL *to = v + 3 * (size_t)row[k];
        EW_SUM x = to[0], y = to[1], z = to[2];
        const EW_SUM before = x * x + y * y + z * z;
        for (int i = 0; i < 6; i += 3) {
            const EW_SUM along = a[i] * x + a[i + 1] * y + a[i + 2] * z;
            x -= along * a[i];
            y -= along * a[i + 1];
            z -= along * a[i + 2];
        }
        const int is_zero = x * x + y * y + z * z <= rounding * before;
        to[0] = is_zero ? 0 : (EW_REAL)x;
        to[1] = is_zero ? 0 : (EW_REAL)y;
        to[2] = is_zero ? 0 : (EW_REAL)z;
    }
}

#if EW_HAS_DOUBLE

/* prescribed = what of x is along the prescribed directions of oblique rows. As `project`. */
__kernel void prescribe_oblique(const int n, __global const int *row,
                                __global const double *normal, __global const double *x,
                                __global double *prescribed)
{
    for (size_t k = get_global_id(0); k < (size_t)n; k += get_global_size(0)) {
        __global const double *a = normal + 6 * k, *from = x + 3 * (size_t)row[k];
        double sum[3] = {0, 0, 0};
        for (int i = 0; i < 6; i += 3) {
            const double along = a[i] * from[0] + a[i + 1] * from[1] + a[i + 2] * from[2];
            for (int c = 0; c < 3; c++) {
                sum[c] += along * a[i + c];
            }
        }
        for (int c = 0; c < 3; c++) {
            prescribed[3 * (size_t)row[k] + c] = sum[c];
        }
    }
}

/* x += scale d, d = 0, x in double. One work-item per component; launch: any number of items. */
__kernel void correct(const int n_row, const double scale, __global EW_SUM *d, __global double *x)
{
    const size_t n = 3 * (size_t)n_row;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        x[i] += scale * d[i];
        d[i] = 0;
    }
}

/* prescribed = x in the fixed components, 0 in the others. */
__kernel void prescribe(const int n_row, __global const uchar *fixed, __global const double *x,
                        __global double *prescribed)
{
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        for (int c = 0; c < 3; c++) {
            prescribed[3 * row + c] = fixed[row] >> c & 1 ? x[3 * row + c] : 0;
        }
    }
}

/* residual = S (b - residual), where it holds K x on entry, in double; partial[group] = the group's
 * share of its square. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
residual(const int n_row, __global const uchar *fixed, __global const double *b,
         __global double *residual, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM rr = 0;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        for (int c = 0; c < 3; c++) {
            const size_t i = 3 * row + c;
            const double value = fixed[row] >> c & 1 ? 0 : b[i] - residual[i];
            residual[i] = value;
            rr += (EW_SUM)(value * value);
        }
    }
    rr = ew_group_sum(rr, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = rr;
    }
}

/* r = factor residual in working precision. One work-item per component; launch: any number. */
__kernel void narrow(const int n_row, const double factor, __global const double *residual,
                     __global EW_REAL *r)
{
    const size_t n = 3 * (size_t)n_row;
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) {
        r[i] = (EW_REAL)(factor * residual[i]);
    }
}

#endif
