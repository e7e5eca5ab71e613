/* The smoother of the rows of edges, damped block Jacobi, around a preconditioner of the
 * pattern's rows. EW_REAL is the working precision, EW_SUM that of sums. Reference:
 * lib/solver/preconditioner/edge_smoother.c, to rounding.
 *
 * The pattern has n_stored rows; vectors [..][3] and inverse [6][stride], as of invert_diagonal in
 * pcg.cl, have the n_edge others behind them. One work-item per row, then every (global size)-th,
 * which writes that row alone; kernels with sums are launched in groups of GROUP = 128, whose item
 * 0 writes the group's. w = K z beyond the stored matrix. */
#include "real.h"
#include "row_inverse.h"

#pragma OPENCL FP_CONTRACT ON

#define GROUP 128

/* The inverse of rows with prescribed directions that are no axes: P inv(P D P + s n n^T) P, of the
 * diagonal blocks [n_edge][3][3]. One item per such row: row [n] from 0, normal [n][2][3]. */
__kernel void invert_oblique(const int n, const int n_stored, const int stride,
                             __global const int *row, __global const EW_SUM *normal,
                             __global const EW_SUM *diagonal, __global EW_REAL *inverse)
{
    for (size_t k = get_global_id(0); k < (size_t)n; k += get_global_size(0)) {
        __global const EW_SUM *d = diagonal + 9 * (size_t)row[k], *a = normal + 6 * k;
        EW_SUM p[9], times[9], inside[9], made[6];
        for (int i = 0; i < 9; i++) {
            p[i] = (i % 4 == 0) - a[i / 3] * a[i % 3] - a[3 + i / 3] * a[3 + i % 3];
        }
        for (int i = 0; i < 9; i++) {
            times[i] = d[i / 3 * 3] * p[i % 3] + d[i / 3 * 3 + 1] * p[3 + i % 3] +
                       d[i / 3 * 3 + 2] * p[6 + i % 3];
        }
        const EW_SUM size = d[0] + d[4] + d[8];
        for (int i = 0; i < 9; i++) {
            inside[i] = p[i / 3 * 3] * times[i % 3] + p[i / 3 * 3 + 1] * times[3 + i % 3] +
                        p[i / 3 * 3 + 2] * times[6 + i % 3] +
                        size * (a[i / 3] * a[i % 3] + a[3 + i / 3] * a[3 + i % 3]);
        }
        const EW_SUM block[6] = {inside[0], inside[1], inside[2], inside[4], inside[5], inside[8]};
        ew_invert_block(block, made);
        const size_t to = (size_t)(n_stored + row[k]);
        for (int i = 0, at = 0; i < 3; i++) {
            for (int j = i; j < 3; j++, at++) {
                inverse[(size_t)at * (size_t)stride + to] =
                    (EW_REAL)(made[at] - (a[i] * a[j] + a[3 + i] * a[3 + j]) / size);
            }
        }
    }
}

/* inverse *= factor in the rows of edges. */
__kernel void scale_inverse(const int n_edge, const int n_stored, const int stride,
                            const EW_REAL factor, __global EW_REAL *inverse)
{
    for (size_t i = get_global_id(0); i < (size_t)n_edge; i += get_global_size(0)) {
        for (size_t k = 0; k < 6; k++) {
            inverse[k * (size_t)stride + (size_t)n_stored + i] *= factor;
        }
    }
}

/* One step of the power method: v = factor D^-1 w in the rows of edges; partial[group] = the
 * group's share of its square. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
power_step(const int n_edge, const int n_stored, const int stride, const EW_REAL factor,
           __global const EW_REAL *inverse, __global const EW_REAL *w, __global EW_REAL *v,
           __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM square = 0;
    for (size_t i = get_global_id(0); i < (size_t)n_edge; i += get_global_size(0)) {
        const size_t row = (size_t)n_stored + i;
        EW_REAL s[3];
        ew_apply_inverse((size_t)stride, row, inverse, factor * w[3 * row], factor * w[3 * row + 1],
                         factor * w[3 * row + 2], s);
        for (int c = 0; c < 3; c++) {
            v[3 * row + c] = s[c];
            square += (EW_SUM)s[c] * s[c];
        }
    }
    square = ew_group_sum(square, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = square;
    }
}

/* In the pattern's rows: rest = S (r - w), z = D^-1 rest. fixed [n_stored]: bit c set when S clears
 * component c. */
__kernel void before(const int n_stored, const int stride, __global const uchar *fixed,
                     __global const EW_REAL *inverse, __global const EW_REAL *r,
                     __global const EW_REAL *w, __global EW_REAL *rest, __global EW_REAL *z)
{
    for (size_t row = get_global_id(0); row < (size_t)n_stored; row += get_global_size(0)) {
        EW_REAL left[3], s[3];
        for (int c = 0; c < 3; c++) {
            left[c] = fixed[row] >> c & 1 ? 0 : r[3 * row + c] - w[3 * row + c];
            rest[3 * row + c] = left[c];
        }
        ew_apply_inverse((size_t)stride, row, inverse, left[0], left[1], left[2], s);
        for (int c = 0; c < 3; c++) {
            z[3 * row + c] = s[c];
        }
    }
}

/* z += D^-1 (r - w) in the rows of edges; partial[group] = the group's share of r . z over all n
 * rows. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
after(const int n, const int n_stored, const int stride, __global const EW_REAL *inverse,
      __global const EW_REAL *r, __global const EW_REAL *w, __global EW_REAL *z,
      __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM rz = 0;
    for (size_t row = get_global_id(0); row < (size_t)n; row += get_global_size(0)) {
        EW_REAL s[3] = {0, 0, 0};
        if (row >= (size_t)n_stored) {
            ew_apply_inverse((size_t)stride, row, inverse, r[3 * row] - w[3 * row],
                             r[3 * row + 1] - w[3 * row + 1], r[3 * row + 2] - w[3 * row + 2], s);
        }
        for (int c = 0; c < 3; c++) {
            const EW_REAL sum = z[3 * row + c] + s[c];
            z[3 * row + c] = sum;
            rz += (EW_SUM)r[3 * row + c] * sum;
        }
    }
    rz = ew_group_sum(rz, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = rz;
    }
}
