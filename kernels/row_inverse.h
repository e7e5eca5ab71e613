/* Inverse diagonal blocks of rows, for the kernels that make and apply them (pcg.cl,
 * edge_smoother.cl). EW_REAL is the working precision, EW_SUM that of sums, EW_APPLIED that of the
 * preconditioner: EW_REAL where nothing else is given. */
#ifndef EW_ROW_INVERSE_H
#define EW_ROW_INVERSE_H

#include "reduce.h"

#ifndef EW_APPLIED
#define EW_APPLIED EW_REAL
#endif

#ifdef __OPENCL_C_VERSION__

/* Pivots below this share of their diagonal entry are rounding: they are lifted to it, so that the
 * preconditioner stays positive definite. */
#define MIN_PIVOT ((EW_SUM)(sizeof(EW_SUM) == 4 ? 1e-6 : 1e-14))

/* Outcome of ew_invert_block. */
#define NOT_FINITE   1
#define NOT_POSITIVE 2

/* inverse [6] of a symmetric block, both xx xy xz yy yz zz, by L D L^T. Bits: whether the block is
 * not finite in working precision, whether it is not positive definite beyond rounding. */
static int ew_invert_block(const EW_SUM *a, EW_SUM *inverse)
{
    /* a = L diag(d) L^T with L unit lower */
    const EW_SUM i0 = 1 / a[0], l10 = a[1] * i0, l20 = a[2] * i0;
    const EW_SUM d1 = a[3] - l10 * a[1], i1 = 1 / fmax(d1, MIN_PIVOT * a[3]);
    const EW_SUM u12 = a[4] - l20 * a[1], l21 = u12 * i1;
    const EW_SUM d2 = a[5] - l20 * a[2] - l21 * u12, i2 = 1 / fmax(d2, MIN_PIVOT * a[5]);
    /* L^-1 = (1; -l10 1; m -l21 1) */
    const EW_SUM m = l10 * l21 - l20;
    inverse[0] = i0 + l10 * l10 * i1 + m * m * i2;
    inverse[1] = -l10 * i1 - m * l21 * i2;
    inverse[2] = m * i2;
    inverse[3] = i1 + l21 * l21 * i2;
    inverse[4] = -l21 * i2;
    inverse[5] = i2;
    const int finite = isfinite((EW_APPLIED)(a[0] + a[3] + a[5] + a[1] + a[2] + a[4]));
    const int positive = !(a[0] <= 0 || a[3] <= 0 || a[5] <= 0 || d1 < -MIN_PIVOT * a[3] ||
                           d2 < -MIN_PIVOT * a[5]);
    return (finite ? 0 : NOT_FINITE) | (finite && !positive ? NOT_POSITIVE : 0);
}

/* z = the row's inverse [6][n] times r; returns r . z. */
static EW_SUM ew_apply_inverse(const size_t n, const size_t row, __global const EW_APPLIED *inverse,
                               const EW_APPLIED r0, const EW_APPLIED r1, const EW_APPLIED r2,
                               EW_APPLIED *z)
{
    const EW_APPLIED xx = inverse[row], xy = inverse[n + row], xz = inverse[2 * n + row],
                  yy = inverse[3 * n + row], yz = inverse[4 * n + row], zz = inverse[5 * n + row];
    z[0] = xx * r0 + xy * r1 + xz * r2;
    z[1] = xy * r0 + yy * r1 + yz * r2;
    z[2] = xz * r0 + yz * r1 + zz * r2;
    return (EW_SUM)r0 * z[0] + (EW_SUM)r1 * z[1] + (EW_SUM)r2 * z[2];
}

#endif
#endif
