/* Blocks of the diagonal-edge matrix, gathered. In: positions, tets, constants of their regions and
 * the tables edge_to_tet and vertex_to_tet. Out: diagonal and pair blocks in double, and where a
 * single-precision operator is kept, the pair blocks in float. Reference:
 * lib/assembly/host/gather.c, which gives the same bits: the same formulas, summed from +0.0 in
 * ascending tet order, without contraction.
 *
 * With EW_AXES, set by the build options, tets have axes of their own, axes [n_tet][2][3].
 * EW_SUM_CONTRIBUTIONS, set by the build options, is the function below that sums what the tets of
 * a formulation give to a block: `kernel` of its descriptor in lib/element. */
#include "anisotropic.h"

#if EW_HAS_DOUBLE

#ifdef EW_AXES
#define AXES_PARAMETER , __global const double *axes
#define AXES_ARGUMENT  , axes
#define PLACE          18 /* corners of a tet, and its axes */
#else
#define AXES_PARAMETER
#define AXES_ARGUMENT
#define PLACE 12
#endif

#ifndef EW_SUM_CONTRIBUTIONS
#define EW_SUM_CONTRIBUTIONS sum_tets
#endif

/* The linear tet, with lame [n_region][2]. block [3][3] = sum over a row of tets of the
 * contribution to K_ab. The gradients of the two vertices are picked by comparison, because an
 * index known only at run time would move the private array to slow memory on a GPU. */
static void sum_tets(const int a, const int b, const int begin, const int count,
                     __global const int *item, __global const int *tet, __global const int *region,
                     __global const double *lame, __global const double *xyz AXES_PARAMETER,
                     double *block)
{
    for (int k = 0; k < 9; k++) {
        block[k] = 0.0;
    }
    for (int n = 0; n < count; n++) {
        const size_t t = (size_t)item[(size_t)begin + (size_t)n];
        int vertex[4];
        double x[12], g[12], g_a[3] = {0.0, 0.0, 0.0}, g_b[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 4; i++) {
            vertex[i] = tet[4 * t + i];
            for (int c = 0; c < 3; c++) {
                x[3 * i + c] = xyz[3 * (size_t)vertex[i] + c];
            }
        }
        const double volume = ew_tet_gradients(x, g);
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < 3; c++) {
                g_a[c] = vertex[i] == a ? g[3 * i + c] : g_a[c];
                g_b[c] = vertex[i] == b ? g[3 * i + c] : g_b[c];
            }
        }
        const size_t r = (size_t)region[t];
        ew_tet_add_block(g_a, g_b, volume * lame[2 * r], volume * lame[2 * r + 1], block);
    }
}

/* The tet of any law, with law [n_region][EW_MODULI_CONSTANTS]. */
static void sum_anisotropic_tets(const int a, const int b, const int begin, const int count,
                                 __global const int *item, __global const int *tet,
                                 __global const int *region, __global const double *law,
                                 __global const double *xyz AXES_PARAMETER, double *block)
{
    for (int k = 0; k < 9; k++) {
        block[k] = 0.0;
    }
    for (int n = 0; n < count; n++) {
        const size_t t = (size_t)item[(size_t)begin + (size_t)n];
        __global const double *of_region = law + EW_MODULI_CONSTANTS * (size_t)region[t];
        int vertex[4];
        double x[PLACE], term[33], own[EW_MODULI_CONSTANTS];
        double g_a[3] = {0.0, 0.0, 0.0}, g_b[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 4; i++) {
            vertex[i] = tet[4 * t + i];
            for (int c = 0; c < 3; c++) {
                x[3 * i + c] = xyz[3 * (size_t)vertex[i] + c];
            }
        }
#ifdef EW_AXES
        for (int c = 0; c < 6; c++) {
            x[12 + c] = axes[6 * t + (size_t)c];
        }
#endif
        for (int k = 0; k < EW_MODULI_CONSTANTS; k++) {
            own[k] = of_region[k];
        }
        ew_anisotropic_prepare(x, own, term);
        for (int i = 0; i < 4; i++) {
            for (int c = 0; c < 3; c++) {
                g_a[c] = vertex[i] == a ? term[3 * i + c] : g_a[c];
                g_b[c] = vertex[i] == b ? term[3 * i + c] : g_b[c];
            }
        }
        ew_moduli_add_block(g_a, g_b, term + 12, block);
    }
}

/* One work-item per pair block: pair id[first + i] when `listed`, else pair i, where freed pairs,
 * which have no tets, become zero. Launch: n items. The ids are distinct, so each block has one
 * writer. Shapes: id [first + n]; pair_row [n_pair][2]; begin, count [n_pair] of edge_to_tet; item
 * [n_item]; tet [n_tet][4]; region [n_tet]; constants [n_region][...]; xyz [n_vertex][3]; pair,
 * pair_single [n_pair][3][3] (pair_single unused unless keep_single). */
__kernel void pair_blocks(const int n, const int listed, const uint first, const int keep_single,
                          __global const int *id, __global const int *pair_row,
                          __global const int *begin, __global const int *count,
                          __global const int *item, __global const int *tet,
                          __global const int *region, __global const double *constants,
                          __global const double *xyz, __global double *pair,
                          __global float *pair_single AXES_PARAMETER)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t p = listed ? (size_t)id[first + i] : i;
    double block[9];
    EW_SUM_CONTRIBUTIONS(pair_row[2 * p], pair_row[2 * p + 1], begin[p], count[p], item, tet,
                         region, constants, xyz AXES_ARGUMENT, block);
    for (int k = 0; k < 9; k++) {
        pair[9 * p + k] = block[k];
        if (keep_single) {
            pair_single[9 * p + k] = (float)block[k];
        }
    }
}

/* One work-item per diagonal block: vertex id[first + i] when `listed`, else vertex i; a vertex
 * without tets gets the identity. Launch: n items. The ids are distinct, so each block has one
 * writer. Shapes: begin, count [n_vertex] of vertex_to_tet; diagonal [n_vertex][3][3]; the
 * others as in pair_blocks. */
__kernel void diagonal_blocks(const int n, const int listed, const uint first,
                              __global const int *id, __global const int *begin,
                              __global const int *count, __global const int *item,
                              __global const int *tet, __global const int *region,
                              __global const double *constants, __global const double *xyz,
                              __global double *diagonal AXES_PARAMETER)
{
    const size_t i = get_global_id(0);
    if (i >= (size_t)n) {
        return;
    }
    const size_t v = listed ? (size_t)id[first + i] : i;
    double block[9];
    EW_SUM_CONTRIBUTIONS((int)v, (int)v, begin[v], count[v], item, tet, region, constants,
                         xyz AXES_ARGUMENT, block);
    if (count[v] == 0) {
        block[0] = block[4] = block[8] = 1.0;
    }
    for (int k = 0; k < 9; k++) {
        diagonal[9 * v + k] = block[k];
    }
}

#endif
