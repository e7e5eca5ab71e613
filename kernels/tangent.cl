/* Blocks of the tangent stiffness, gathered from the records of tets (internal_force.cl).
 * References: lib/assembly/host/tangent.c and edge_blocks.c, which give the same bits. The build
 * options set N_POINT, the points of a tet, EW_RECORD, the numbers of the record of one, and
 * EW_ADD_BETWEEN, the function that adds what it gives between two functions to a block. */
#include "quadratic_tangent.h"

#if EW_HAS_DOUBLE

#ifndef EW_RECORD
#define N_POINT        1
#define EW_RECORD      EW_TURNED_RECORD
#define EW_ADD_BETWEEN ew_transformed_add_between
#endif

static void read_record(__global const double *record, double *own)
{
    for (int k = 0; k < EW_RECORD; k++) {
        own[k] = record[k];
    }
}

/* block [3][3] = what a row of tets gives to K_ab. */
static void sum_records(const int a, const int b, const int begin, const int count,
                        __global const int *item, __global const int *tet,
                        __global const double *record, double *block)
{
    for (int k = 0; k < 9; k++) {
        block[k] = 0.0;
    }
    for (int i = 0; i < count; i++) {
        const size_t t = (size_t)item[(size_t)begin + (size_t)i];
        __global const int *vertex = tet + 4 * t;
        const int p = (vertex[1] == a) + 2 * (vertex[2] == a) + 3 * (vertex[3] == a);
        const int q = (vertex[1] == b) + 2 * (vertex[2] == b) + 3 * (vertex[3] == b);
        for (int point = 0; point < N_POINT; point++) {
            double own[EW_RECORD], of_a[3], of_b[3];
            read_record(record + EW_RECORD * (N_POINT * t + (size_t)point), own);
            ew_pick_gradients(own, p, q, of_a, of_b);
            EW_ADD_BETWEEN(own, of_a, of_b, p == q, block);
        }
    }
}

/* One work-item per pair block: pair id[first + i] when `listed`, else pair i, where freed pairs,
 * which have no tets, become zero. Launch: n items. The ids are distinct, so each block has one
 * writer. Shapes: id [first + n]; pair_row [n_pair][2]; begin, count [n_pair] of edge_to_tet; item
 * [n_item]; tet [n_tet][4]; record
 * [n_tet][N_POINT][EW_RECORD]; pair, pair_single [n_pair][3][3]
 * (pair_single unused unless keep_single). */
__kernel void pair_blocks(const int n, const int listed, const uint first, const int keep_single,
                          __global const int *id, __global const int *pair_row,
                          __global const int *begin, __global const int *count,
                          __global const int *item, __global const int *tet,
                          __global const double *record, __global double *pair,
                          __global float *pair_single)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t p = listed ? (size_t)id[first + i] : i;
    double block[9];
    sum_records(pair_row[2 * p], pair_row[2 * p + 1], begin[p], count[p], item, tet, record, block);
    for (int k = 0; k < 9; k++) {
        pair[9 * p + k] = block[k];
        if (keep_single) {
            pair_single[9 * p + k] = (float)block[k];
        }
    }
}

/* One work-item per diagonal block: vertex id[first + i] when `listed`, else vertex i; a vertex
 * without tets gets the identity. Launch: n items. The ids are distinct, so each block has one
 * writer. Shapes: begin, count [n_vertex] of vertex_to_tet; diagonal [n_vertex][3][3]; the others
 * as in pair_blocks. */
__kernel void diagonal_blocks(const int n, const int listed, const uint first,
                              __global const int *id, __global const int *begin,
                              __global const int *count, __global const int *item,
                              __global const int *tet, __global const double *record,
                              __global double *diagonal)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t v = listed ? (size_t)id[first + i] : i;
    double block[9];
    sum_records((int)v, (int)v, begin[v], count[v], item, tet, record, block);
    if (count[v] == 0) {
        block[0] = block[4] = block[8] = 1.0;
    }
    for (int k = 0; k < 9; k++) {
        diagonal[9 * v + k] = block[k];
    }
}

/* Of rows of edges of quadratic tets, one work-item each: row id[first + i] when `listed`, else row
 * i; a row without an edge gets the identity. Launch: n items. The ids are distinct, so each block
 * has one writer. edge [n_row]: edge slot of a row, -1: none; diagonal [n_row][3][3]; the others as
 * in pair_blocks. */
__kernel void edge_blocks(const int n, const int listed, const uint first, __global const int *id,
                          __global const int *edge, __global const int *pair_row,
                          __global const int *begin, __global const int *count,
                          __global const int *item, __global const int *tet,
                          __global const double *record, __global double *diagonal)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t row = listed ? (size_t)id[first + i] : i;
    const int e = edge[row], n_tet = e < 0 ? 0 : count[e];
    const int a = e < 0 ? 0 : pair_row[2 * e], b = e < 0 ? 0 : pair_row[2 * e + 1];
    double block[9];
    for (int k = 0; k < 9; k++) {
        block[k] = e < 0 && k % 4 == 0 ? 1.0 : 0.0;
    }
    for (int k = 0; k < n_tet; k++) {
        const size_t t = (size_t)item[(size_t)begin[e] + (size_t)k];
        __global const int *vertex = tet + 4 * t;
        const int p = (vertex[1] == a) + 2 * (vertex[2] == a) + 3 * (vertex[3] == a);
        const int q = (vertex[1] == b) + 2 * (vertex[2] == b) + 3 * (vertex[3] == b);
        for (int point = 0; point < N_POINT; point++) {
            double own[EW_RECORD], gradient[3];
            read_record(record + EW_RECORD * (N_POINT * t + (size_t)point), own);
            ew_edge_gradient(own, point, p, q, gradient);
            EW_ADD_BETWEEN(own, gradient, gradient, 1, block);
        }
    }
    for (int k = 0; k < 9; k++) {
        diagonal[9 * row + (size_t)k] = block[k];
    }
}

#endif
