/* edge_columns: private to assembly. The product of quadratic tets with straight sides and several
 * vectors side by side: a lane is a vector where in edge_lanes.h it is a tet. Gradients and laws
 * are found once for all vectors, and rows come and go as a whole. With the bits of edge_lanes.h:
 * each tet's own terms are the same ones, and so is the order in which tets are added. */
#ifndef EW_ASSEMBLY_EDGE_COLUMNS_H
#define EW_ASSEMBLY_EDGE_COLUMNS_H

#include "assembly/host/edge_lanes.h"

void ew_edge_columns_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                          int32_t end, const double *x, double *y);

typedef double ew_columns_in_memory
    __attribute__((vector_size(8 * EW_LANE_COUNT), aligned(8), may_alias));
_Static_assert(EW_LANE_COUNT == (int)EW_COLUMNS && EW_LANE_COUNT == (int)EW_GROUP_TETS, "");

/* to [n][3]: rows of tet l from number `first` on. */
EW_EVERYWHERE void ew_columns_take(const double *x, const int32_t *node, int first, int n, int l,
                                   ew_lanes *to)
{
    for (int k = 0; k < n; k++) {
        const int32_t i = ew_lanes_number(node, first + k, l);
        const bool none = i == EW_NO_EDGE;
        const ew_columns_in_memory *row =
            (const ew_columns_in_memory *)x + 3 * (size_t)(none    ? 0
                                                           : i < 0 ? ~i
                                                                   : i);
        for (int c = 0; c < 3; c++) {
            to[3 * k + c] = none ? (ew_lanes){0.0} : (ew_lanes)row[c];
        }
    }
}

/* Adds to those rows that the part writes. */
EW_EVERYWHERE void ew_columns_give(const ew_lanes *from, const int32_t *node, int first, int n,
                                   int l, double *y)
{
    for (int k = 0; k < n; k++) {
        const int32_t i = ew_lanes_number(node, first + k, l);
        ew_columns_in_memory *row = (ew_columns_in_memory *)y + 3 * (size_t)(i < 0 ? 0 : i);
        for (int c = 0; i >= 0 && c < 3; c++) {
            row[c] += from[3 * k + c];
        }
    }
}

EW_EVERYWHERE void ew_columns_spread(const ew_lanes *from, int n, int l, ew_lanes *to)
{
    for (int k = 0; k < n; k++) {
        const double value = from[k][l];
        to[k] = (ew_lanes){value, value, value, value};
    }
}

/* Tet l of a group, of whose gradients and laws by tet `all_g` and `all_law` are. */
EW_EVERYWHERE void ew_columns_tet(ew_edge_part part, bool any_law, const ew_lanes *all_g,
                                  const ew_lanes *all_law, const int32_t *node, int l,
                                  const double *x, double *y)
{
    ew_lanes g[12], law[21], u[12], c[18], s[24], linear[6], q[12], f[18];
    const ew_lanes *v_mu = any_law ? NULL : law + 1;
    ew_columns_spread(all_g, 12, l, g);
    ew_columns_spread(all_law, any_law ? 21 : 2, l, law);
    if (part != EW_EDGE_OF_EDGES) {
        ew_columns_take(x, node, 0, 4, l, u);
    }
    if (part == EW_EDGE_OF_CORNERS) {
        ew_lanes_product_of_corners(g, law, v_mu, u, f);
    } else {
        ew_columns_take(x, node, 4, 6, l, c);
        if (part != EW_EDGE_OF_EDGES) {
            ew_lanes_linear_stress(g, law, v_mu, u, linear);
        }
        ew_lanes_edge_stress(g, law, v_mu, c, s);
        ew_lanes_corner_forces(g, part == EW_EDGE_OF_EDGES ? NULL : linear, part == EW_EDGE_WHOLE,
                               s, q);
        ew_lanes_edge_forces(g, s, f);
        ew_columns_give(q, node, 0, 4, l, y);
    }
    ew_columns_give(f, node, 4, 6, l, y);
}

/* Asks for the rows of edges of a tet to come. */
EW_EVERYWHERE void ew_columns_ask(const int32_t *node, int l, const double *x, const double *y)
{
    for (int k = 4; k < EW_GROUP_NODES; k++) {
        const int32_t i = ew_lanes_number(node, k, l);
        const size_t at = 24 * (size_t)EW_COLUMNS * (size_t)(i < 0 ? ~i : i); /* may be no row */
        __builtin_prefetch((const void *)((uintptr_t)x + at), 0);
        __builtin_prefetch((const void *)((uintptr_t)x + at + 64), 0);
        __builtin_prefetch((const void *)((uintptr_t)y + at), 1);
        __builtin_prefetch((const void *)((uintptr_t)y + at + 64), 1);
    }
}

EW_EVERYWHERE void ew_columns_group(const ew_edge_product *product, ew_edge_part part, bool any_law,
                                    const int32_t *node, const int32_t *next, const double *x,
                                    double *y)
{
    ew_lanes g[12], law[21];
    if (any_law) {
        ew_lanes_prepare_any(product, node, g, law);
    } else {
        ew_lanes_prepare(product, node, false, g, law, law + 1);
    }
    for (int l = 0; l < EW_GROUP_TETS; l++) {
        ew_columns_ask(next, l, x, y);
        ew_columns_tet(part, any_law, g, law, node, l, x, y);
    }
}

EW_EVERYWHERE void ew_columns_of_law(const ew_edge_product *product, ew_edge_part part,
                                     const int32_t *node, const int32_t *next, const double *x,
                                     double *y)
{
    if (product->moduli) {
        ew_columns_group(product, part, true, node, next, x, y);
    } else {
        ew_columns_group(product, part, false, node, next, x, y);
    }
}

EW_EVERYWHERE void ew_edge_columns_any(const ew_edge_product *product, ew_edge_part part,
                                       int32_t begin, int32_t end, const double *x, double *y)
{
    const ew_edge_product own = *product; /* which no store to y can touch */
    for (int32_t i = begin; i < end; i++) {
        const size_t numbers = (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS;
        const int32_t *node = own.node + numbers * (size_t)i;
        const int32_t *next = i + 1 < end ? node + numbers : node;
        switch (part) { /* each compiled for itself */
        case EW_EDGE_ALL:
            ew_columns_of_law(&own, EW_EDGE_ALL, node, next, x, y);
            break;
        case EW_EDGE_WHOLE:
            ew_columns_of_law(&own, EW_EDGE_WHOLE, node, next, x, y);
            break;
        case EW_EDGE_OF_EDGES:
            ew_columns_of_law(&own, EW_EDGE_OF_EDGES, node, next, x, y);
            break;
        default:
            ew_columns_of_law(&own, EW_EDGE_OF_CORNERS, node, next, x, y);
        }
    }
}

#endif
