/* y = (c_K K + c_M M) x from tets, without stored blocks. In: positions, tets, terms of their
 * regions, vertex_to_tet, x. Out: y, or S y and partial sums of x . S y. EW_REAL is the type of
 * vectors, EW_SUM that of sums; a tet is computed in double. Reference: lib/analysis/operators/tet_operator.c,
 * to rounding.
 *
 * One work-item per row, then every (global size)-th: it sums what each tet of its vertex gives to
 * it. So a tet is computed four times, but nothing is stored, no two items write one place, and the
 * sums are formed in ascending order.
 *
 * Shapes: begin, count [n_row] of vertex_to_tet; item [n_item]; tet [n_tet][4]; region [n_tet]; term
 * [n_region][4]; xyz [n_row][3]; ground [n_row][6], unused unless has_ground; vectors [n_row][3];
 * fixed [n_row], bit c of it set when S clears component c; partial [number of groups]. */
#include "reduce.h"
#include "tet_product.h"

#if EW_HAS_DOUBLE

#pragma OPENCL FP_CONTRACT ON

#define GROUP 128

/* sum [3] += what tet t gives to a row. The corner is picked by comparison, because an index known
 * only at run time would move private arrays to slow memory on a GPU. */
static void add_tet(const size_t t, const int row, const int mass, __global const int *tet,
                    __global const int *region, __global const double *term,
                    __global const double *xyz, __global const EW_REAL *x, double *sum)
{
    double position[12], u[12], f[12], of_region[4];
    int vertex[4];
    for (int i = 0; i < 4; i++) {
        vertex[i] = tet[4 * t + i];
        of_region[i] = term[4 * (size_t)region[t] + i];
    }
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) {
            position[3 * i + c] = xyz[3 * (size_t)vertex[i] + c];
            u[3 * i + c] = x[3 * (size_t)vertex[i] + c];
        }
    }
    ew_tet_product(position, u, of_region, mass, f);
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) {
            sum[c] += vertex[i] == row ? f[3 * i + c] : 0.0;
        }
    }
}

/* One row of the product; the identity without tets. */
static void row_product(const size_t row, const int mass, const int has_ground,
                        const double of_stiffness, __global const int *begin,
                        __global const int *count, __global const int *item,
                        __global const int *tet, __global const int *region,
                        __global const double *term, __global const double *xyz,
                        __global const double *ground, __global const EW_REAL *x, double *sum)
{
    const double u[3] = {x[3 * row], x[3 * row + 1], x[3 * row + 2]};
    for (int c = 0; c < 3; c++) {
        sum[c] = count[row] ? 0.0 : u[c];
    }
    for (int n = 0; n < count[row]; n++) {
        add_tet((size_t)item[(size_t)begin[row] + (size_t)n], (int)row, mass, tet, region, term,
                xyz, x, sum);
    }
    if (has_ground && count[row]) {
        __global const double *k = ground + 6 * row;
        sum[0] += of_stiffness * (k[0] * u[0] + k[3] * u[1] + k[5] * u[2]);
        sum[1] += of_stiffness * (k[3] * u[0] + k[1] * u[1] + k[4] * u[2]);
        sum[2] += of_stiffness * (k[5] * u[0] + k[4] * u[1] + k[2] * u[2]);
    }
}

/* y = A x. Launch: any number of items. */
__kernel void tet_product(const int n_row, const int mass, const int has_ground,
                          const double of_stiffness, __global const int *begin,
                          __global const int *count, __global const int *item,
                          __global const int *tet, __global const int *region,
                          __global const double *term, __global const double *xyz,
                          __global const double *ground, __global const EW_REAL *x,
                          __global EW_REAL *y)
{
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        double value[3];
        row_product(row, mass, has_ground, of_stiffness, begin, count, item, tet, region, term,
                    xyz, ground, x, value);
        for (int c = 0; c < 3; c++) {
            y[3 * row + c] = (EW_REAL)value[c];
        }
    }
}

/* q = S A p and partial[group] = the group's share of p . q, written by its item 0. Launch: any
 * number of groups of GROUP. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
tet_product_dot(const int n_row, const int mass, const int has_ground,
                const double of_stiffness, __global const int *begin, __global const int *count,
                __global const int *item, __global const int *tet, __global const int *region,
                __global const double *term, __global const double *xyz,
                __global const double *ground, __global const EW_REAL *p, __global EW_REAL *q,
                __global const uchar *fixed, __global EW_SUM *partial)
{
    __local EW_SUM scratch[GROUP];
    EW_SUM sum = 0;
    for (size_t row = get_global_id(0); row < (size_t)n_row; row += get_global_size(0)) {
        double value[3];
        row_product(row, mass, has_ground, of_stiffness, begin, count, item, tet, region, term,
                    xyz, ground, p, value);
        for (int c = 0; c < 3; c++) {
            const EW_REAL free = fixed[row] >> c & 1 ? (EW_REAL)0 : (EW_REAL)value[c];
            q[3 * row + c] = free;
            sum += (EW_SUM)p[3 * row + c] * free;
        }
    }
    sum = ew_group_sum(sum, (int)get_local_id(0), GROUP, scratch);
    if (get_local_id(0) == 0) {
        partial[get_group_id(0)] = sum;
    }
}

#endif
