/* Products with what mixed tets have beside their stiffness of 2 mu, from the tets, in double: y +=
 * B^T p, q = B x - C p. A vector has 3 n_row numbers for x and then n_row for p. Reference:
 * lib/analysis/operators/mixed.c; `prepare_tets` and `prepare_vertices` to the bit, products to rounding.
 *
 * Shapes: tet [n_tet][4], -1 first in holes; region [n_tet]; lame [regions][2]; density [regions];
 * own [n_tet][14] as of mixed.h; scale [n_row]; work [n_tet][2]; begin, count [n_row] and item: the
 * tets around each vertex, ascending. One work-item per tet, or per vertex, and then every (global
 * size)-th, which writes what is its alone. */
#include "mixed.h"
#include "real.h"

#if EW_HAS_DOUBLE

#define OWN 14

static void positions_of(const size_t t, __global const int *tet, __global const double *xyz,
                         double *x)
{
    for (int k = 0; k < 12; k++) {
        x[k] = xyz[3 * (size_t)tet[4 * t + (size_t)(k / 3)] + (size_t)(k % 3)];
    }
}

/* own of each tet. */
__kernel void prepare_tets(const int n_tet, __global const int *tet, __global const int *region,
                           __global const double *xyz, __global const double *lame,
                           __global double *own)
{
    for (size_t t = get_global_id(0); t < (size_t)n_tet; t += get_global_size(0)) {
        double x[12], made[OWN];
        if (tet[4 * t] < 0) {
            continue;
        }
        const size_t r = (size_t)region[t];
        positions_of(t, tet, xyz, x);
        ew_mixed_tet(x, lame[2 * r], lame[2 * r + 1], made);
        for (int k = 0; k < OWN; k++) {
            own[OWN * t + (size_t)k] = made[k];
        }
    }
}

/* scale of each vertex. */
__kernel void prepare_vertices(const int n_row, const double of_k, const double of_m,
                               __global const int *begin, __global const int *count,
                               __global const int *item, __global const int *tet,
                               __global const int *region, __global const double *xyz,
                               __global const double *lame, __global const double *density,
                               __global const double *own, __global double *scale)
{
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        double sum = 0;
        for (int i = 0; i < count[row]; i++) {
            const size_t t = (size_t)item[begin[row] + i], r = (size_t)region[t];
            double x[12], made[OWN];
            positions_of(t, tet, xyz, x);
            for (int k = 0; k < OWN; k++) {
                made[k] = own[OWN * t + (size_t)k];
            }
            sum += ew_mixed_scale(made, ew_tet_volume_of(x), lame[2 * r], lame[2 * r + 1], of_k,
                                  of_m * density[r]);
        }
        scale[row] = sum;
    }
}

#pragma OPENCL FP_CONTRACT ON

/* work = the sum of p over the corners, the integral of div x over four. */
__kernel void take_tets(const int n_tet, const int n_row, __global const int *tet,
                        __global const double *own, __global const double *v,
                        __global double *work)
{
    __global const double *p = v + 3 * (size_t)n_row;
    for (size_t t = get_global_id(0); t < (size_t)n_tet; t += get_global_size(0)) {
        double sum = 0, divergence = 0;
        if (tet[4 * t] < 0) {
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            const size_t corner = (size_t)tet[4 * t + k];
            __global const double *u = v + 3 * corner, *g = own + OWN * t + 3 * k;
            sum += p[corner];
            divergence += g[0] * u[0] + g[1] * u[1] + g[2] * u[2];
        }
        work[2 * t] = sum;
        work[2 * t + 1] = divergence;
    }
}

/* out: x += B^T p, p = B x - of_c C p, of v, whose tets are in `work`. */
__kernel void give_vertices(const int n_row, const double of_c, __global const int *begin,
                            __global const int *count, __global const int *item,
                            __global const int *tet, __global const double *own,
                            __global const double *work, __global const double *v,
                            __global double *out)
{
    const size_t first = 3 * (size_t)n_row;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        double y[3] = {0, 0, 0}, q = 0;
        const double p = v[first + row];
        for (int i = 0; i < count[row]; i++) {
            const size_t t = (size_t)item[begin[row] + i];
            __global const int *corner = tet + 4 * t;
            __global const double *all = own + OWN * t;
            const int k = (corner[1] == (int)row) + 2 * (corner[2] == (int)row) +
                          3 * (corner[3] == (int)row);
            const double sum = work[2 * t];
            for (int c = 0; c < 3; c++) {
                y[c] += all[3 * k + c] * sum;
            }
            q += work[2 * t + 1] - of_c * (all[12] * (sum + p) - all[13] * sum);
        }
        for (int c = 0; c < 3; c++) {
            out[3 * row + (size_t)c] += y[c];
        }
        out[first + row] = q;
    }
}

#endif
