/* edge_lanes: private to assembly. The product of quadratic tets, four tets side by side, to be
 * compiled for several machines (edge_product.c, wide.c) with the same bits. */
#ifndef EW_ASSEMBLY_EDGE_LANES_H
#define EW_ASSEMBLY_EDGE_LANES_H

#include "assembly/assembly.h"

typedef double ew_lanes_four __attribute__((vector_size(32)));
#define EW_LANES ew_lanes_four
#include "quadratic.h"

#include <stddef.h>

/* Numbers of a group of tets: corners, edges, region. */
enum { EW_GROUP_TETS = 4, EW_GROUP_NODES = 10, EW_GROUP_NUMBERS = 11 };

/* The groups [begin, end) of a part. */
void ew_edge_groups_wide(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                         int32_t end, const double *x, double *y);

/* Two numbers that follow one another. */
typedef double ew_lanes_two __attribute__((vector_size(16), aligned(8), may_alias));

/* to [3]: the rows of a vector [][3] that four tets name, by component. */
EW_EVERYWHERE void ew_lanes_gather(const double *vector, const int32_t *node, bool plain,
                                   ew_lanes *to)
{
    static const double zero[3];
    const double *row[EW_GROUP_TETS];
    for (int l = 0; l < EW_GROUP_TETS; l++) {
        const int32_t i = node[l], at = !plain && i < 0 ? ~i : i;
        row[l] = !plain && i == EW_NO_EDGE ? zero : vector + 3 * (size_t)at;
    }
    const ew_lanes even = __builtin_shufflevector(*(const ew_lanes_two *)row[0],
                                                  *(const ew_lanes_two *)row[2], 0, 1, 2, 3);
    const ew_lanes odd = __builtin_shufflevector(*(const ew_lanes_two *)row[1],
                                                 *(const ew_lanes_two *)row[3], 0, 1, 2, 3);
    to[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    to[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    to[2] = (ew_lanes){row[0][2], row[1][2], row[2][2], row[3][2]};
}

/* to [3]: the first two components of tets 0 and 2, of tets 1 and 3, and the third ones. */
EW_EVERYWHERE void ew_lanes_turn(const ew_lanes *from, ew_lanes *to)
{
    to[0] = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6);
    to[1] = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
    to[2] = from[2];
}

/* Adds to the rows that the part writes, tet after tet: two of them may share a row, by whatever
 * corners. */
EW_EVERYWHERE void ew_lanes_scatter(const ew_lanes *from, int first, const int32_t *node,
                                    bool plain, double *vector)
{
    for (int l = 0; l < EW_GROUP_TETS; l++) {
        for (int k = first; k < EW_GROUP_NODES; k++) {
            const int32_t row = node[EW_GROUP_TETS * k + l];
            const double *pair = (const double *)(from + 3 * k + l % 2) + l / 2 * 2;
            const double *last = (const double *)(from + 3 * k + 2) + l;
            if (plain || row >= 0) {
                double *to = vector + 3 * (size_t)row;
                *(ew_lanes_two *)to += *(const ew_lanes_two *)pair;
                to[2] += *last;
            }
        }
    }
}

/* Gradients [4][3], V lambda and V mu of four tets. */
EW_EVERYWHERE void ew_lanes_prepare(const ew_edge_product *product, const int32_t *node, bool plain,
                                    ew_lanes *g, ew_lanes *v_lambda, ew_lanes *v_mu)
{
    ew_lanes x[12], volume;
    for (int k = 0; k < 4; k++) {
        ew_lanes_gather(product->xyz, node + EW_GROUP_TETS * k, plain, x + 3 * k);
    }
    ew_lanes_gradients(x, g, &volume);
    const int32_t *region = node + EW_GROUP_TETS * EW_GROUP_NODES;
    const double *a = product->lame + 2 * (size_t)(plain ? region[0] : ~region[0]);
    const double *b = product->lame + 2 * (size_t)region[1];
    const double *c = product->lame + 2 * (size_t)region[2];
    const double *d = product->lame + 2 * (size_t)region[3];
    *v_lambda = volume * (ew_lanes){a[0], b[0], c[0], d[0]};
    *v_mu = volume * (ew_lanes){a[1], b[1], c[1], d[1]};
}

/* x [18]: corners of tet l of a group, and its own axes where there are any. */
EW_EVERYWHERE void ew_lanes_place(const ew_edge_product *product, const int32_t *node, int l,
                                  const ew_lanes *place, double *x)
{
    for (int k = 0; k < 12; k++) {
        x[k] = place[k][l];
    }
    if (product->materials->axes) {
        const ptrdiff_t group = (node - product->node) / (EW_GROUP_TETS * EW_GROUP_NUMBERS);
        ew_materials_put_axes(product->materials, product->tet[EW_GROUP_TETS * group + l], x);
    }
}

/* Gradients, and V times the moduli [21] of laws of any kind, by tet. */
EW_EVERYWHERE void ew_lanes_prepare_any(const ew_edge_product *product, const int32_t *node,
                                        ew_lanes *g, ew_lanes *law)
{
    ew_lanes x[12];
    for (int k = 0; k < 4; k++) {
        ew_lanes_gather(product->xyz, node + EW_GROUP_TETS * k, false, x + 3 * k);
    }
    for (int l = 0; l < EW_GROUP_TETS; l++) {
        const int32_t region = node[EW_GROUP_TETS * EW_GROUP_NODES + l];
        double own[18], term[33];
        ew_lanes_place(product, node, l, x, own);
        ew_anisotropic_prepare(
            own, product->moduli + EW_MODULI_CONSTANTS * (size_t)(region < 0 ? ~region : region),
            term);
        for (int k = 0; k < 12; k++) {
            g[k][l] = term[k];
        }
        for (int k = 0; k < 21; k++) {
            law[k][l] = term[12 + k];
        }
    }
}

EW_EVERYWHERE void ew_edge_group(const ew_edge_product *product, ew_edge_part part, bool plain,
                                 bool any_law, const int32_t *node, const double *x, double *y)
{
    ew_lanes g[12], law[21], u[12], c[18], q[12], f[18];
    ew_lanes out[3 * EW_GROUP_NODES];
    const ew_lanes *v_mu = any_law ? NULL : law + 1;
    if (any_law) {
        ew_lanes_prepare_any(product, node, g, law);
    } else {
        ew_lanes_prepare(product, node, plain, g, law, law + 1);
    }
    for (int k = 0; k < 4 && part != EW_EDGE_OF_EDGES; k++) {
        ew_lanes_gather(x, node + EW_GROUP_TETS * k, plain, u + 3 * k);
    }
    if (part == EW_EDGE_OF_CORNERS) {
        ew_lanes_product_of_corners(g, law, v_mu, u, f);
    } else {
        for (int k = 0; k < 6; k++) {
            ew_lanes_gather(x, node + EW_GROUP_TETS * (4 + k), plain, c + 3 * k);
        }
        ew_lanes_product(g, law, v_mu, part == EW_EDGE_ALL ? u : NULL, c, q, f);
        for (int k = 0; k < 4; k++) {
            ew_lanes_turn(q + 3 * k, out + 3 * k);
        }
    }
    for (int k = 0; k < 6; k++) {
        ew_lanes_turn(f + 3 * k, out + 3 * (4 + k));
    }
    ew_lanes_scatter(out, part == EW_EDGE_OF_CORNERS ? 4 : 0, node, plain, y);
}

/* A group whose part writes all of its rows, none of which is missing, needs no questions. */
EW_EVERYWHERE void ew_edge_group_any(const ew_edge_product *product, ew_edge_part part,
                                     const int32_t *node, const double *x, double *y)
{
    if (product->moduli) {
        ew_edge_group(product, part, false, true, node, x, y);
    } else if (node[EW_GROUP_TETS * EW_GROUP_NODES] >= 0) {
        ew_edge_group(product, part, true, false, node, x, y);
    } else {
        ew_edge_group(product, part, false, false, node, x, y);
    }
}

EW_EVERYWHERE void ew_edge_groups_any(const ew_edge_product *product, ew_edge_part part,
                                      int32_t begin, int32_t end, const double *x, double *y)
{
    for (int32_t i = begin; i < end; i++) {
        const int32_t *node = product->node + (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * (size_t)i;
        switch (part) { /* each compiled for itself */
        case EW_EDGE_ALL:
            ew_edge_group_any(product, EW_EDGE_ALL, node, x, y);
            break;
        case EW_EDGE_OF_EDGES:
            ew_edge_group_any(product, EW_EDGE_OF_EDGES, node, x, y);
            break;
        default:
            ew_edge_group_any(product, EW_EDGE_OF_CORNERS, node, x, y);
        }
    }
}

#endif
