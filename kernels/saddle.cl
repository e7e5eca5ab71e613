/* Vector work of the minimal residual method for saddle points, in double. A vector has 3 n_row
 * numbers for x and then n_row for p, n = 4 n_row. Reference: lib/solver/saddle/saddle_host.c, to
 * rounding.
 *
 * Unless it says otherwise a kernel gives one work-item a number or a row, and then every (global
 * size)-th; each writes those it was given alone, and item 0 of a group the group's partial sum.
 * The kernels with sums are launched in groups of GROUP = 128. */
#include "real.h"
#include "reduce.h"

#pragma OPENCL FP_CONTRACT ON

#define GROUP 128

#if EW_HAS_DOUBLE

/* out = a x + b y + c z, which may be one of them: each number is read before it is written, by the
 * same item. */
__kernel void combine(const int n, const double a, __global const double *x, const double b,
                      __global const double *y, const double c, __global const double *z,
                      __global double *out)
{
    for (size_t i = get_global_id(0); i < (size_t)n; i += get_global_size(0)) {
        out[i] = a * x[i] + b * y[i] + c * z[i];
    }
}

/* partial[group] = the group's share of x . y over the numbers before n. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dot_product(const int n, __global const double *x, __global const double *y,
            __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM sum = 0;
    for (size_t i = get_global_id(0); i < (size_t)n; i += get_global_size(0)) {
        sum += x[i] * y[i];
    }
    sum = ew_group_sum(sum, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sum;
    }
}

/* The same of p, over scale [n_row], where that is positive. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dot_scaled(const int n_row, __global const double *scale, __global const double *x,
           __global const double *y, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    const size_t first = 3 * (size_t)n_row;
    EW_SUM sum = 0;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        sum += scale[row] > 0 ? x[first + row] * y[first + row] / scale[row] : 0;
    }
    sum = ew_group_sum(sum, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sum;
    }
}

/* v: 0 where `fixed` [n_row] prescribes a component, and p where scale is not positive. */
__kernel void filter(const int n_row, __global const uchar *fixed, __global const double *scale,
                     __global double *v)
{
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        for (int c = 0; c < 3; c++) {
            if (fixed[row] >> c & 1) {
                v[3 * row + c] = 0;
            }
        }
        if (!(scale[row] > 0)) {
            v[3 * (size_t)n_row + row] = 0;
        }
    }
}

/* r = b - r */
__kernel void subtract(const int n, __global const double *b, __global double *r)
{
    for (size_t i = get_global_id(0); i < (size_t)n; i += get_global_size(0)) {
        r[i] = b[i] - r[i];
    }
}

/* p of z = p of r over scale [n_row], 0 where that is not positive. */
__kernel void divide(const int n_row, __global const double *scale, __global const double *r,
                     __global double *z)
{
    const size_t first = 3 * (size_t)n_row;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        z[first + row] = scale[row] > 0 ? r[first + row] / scale[row] : 0;
    }
}

#endif
