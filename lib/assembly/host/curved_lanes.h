/* curved_lanes: private to assembly. The product of quadratic tets with curved sides, four tets
 * side by side, as edge_lanes.h has it of straight ones. */
#ifndef EW_ASSEMBLY_CURVED_LANES_H
#define EW_ASSEMBLY_CURVED_LANES_H

#include "assembly/host/edge_lanes.h"

#include "curved.h"

void ew_curved_groups_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                           int32_t end, const double *x, double *y);

/* Curves and coefficients of the edges of four tets [6][3]; x: null: all zero. */
EW_EVERYWHERE void ew_curved_edges(const ew_edge_product *product, const int32_t *node,
                                   const double *x, ew_lanes *d, ew_lanes *c)
{
    const ew_lanes none = {0.0};
    for (int k = 0; k < 6; k++) {
        const int32_t *at = node + EW_GROUP_TETS * (4 + k);
        int32_t row[EW_GROUP_TETS];
        for (int l = 0; l < EW_GROUP_TETS; l++) {
            const int32_t i = at[l] < 0 ? ~at[l] : at[l];
            row[l] = at[l] == EW_NO_EDGE ? EW_NO_EDGE : i - product->n_vertex;
        }
        ew_lanes_gather(product->curve, row, 0, false, d + 3 * k);
        c[3 * k] = c[3 * k + 1] = c[3 * k + 2] = none;
        if (x) {
            ew_lanes_gather(x, node, 4 + k, false, c + 3 * k);
        }
    }
}

/* law [n_law]: lambda and mu, or the moduli at their places, of four tets. */
EW_EVERYWHERE void ew_curved_laws(const ew_edge_product *product, const int32_t *node,
                                  const ew_lanes *place, int n_law, ew_lanes *law)
{
    double own[EW_GROUP_TETS][21], x[18];
    for (int l = 0; l < EW_GROUP_TETS; l++) {
        const size_t r = (size_t)ew_lanes_region(node, l);
        ew_lanes_place(product, node, l, place, x);
        if (n_law == 2) {
            own[l][0] = product->lame[2 * r];
            own[l][1] = product->lame[2 * r + 1];
        } else {
            ew_moduli_at(product->moduli + EW_MODULI_CONSTANTS * r, x, own[l]);
        }
    }
    for (int k = 0; k < n_law; k++) {
        law[k] = (ew_lanes){own[0][k], own[1][k], own[2][k], own[3][k]};
    }
}

EW_EVERYWHERE void ew_curved_group(const ew_edge_product *product, ew_edge_part part, int n_law,
                                   const int32_t *node, const double *x, double *y)
{
    const ew_lanes none = {0.0};
    ew_lanes place[12], u[12], d[18], c[18], q[12], linear[12], f[18], law[21];
    ew_lanes out[3 * EW_GROUP_NODES];
    for (int k = 0; k < 4; k++) {
        ew_lanes_gather(product->xyz, node, k, false, place + 3 * k);
        u[3 * k] = u[3 * k + 1] = u[3 * k + 2] = none;
        if (part != EW_EDGE_OF_EDGES) {
            ew_lanes_gather(x, node, k, false, u + 3 * k);
        }
    }
    ew_curved_laws(product, node, place, n_law, law);
    ew_curved_edges(product, node, part == EW_EDGE_OF_CORNERS ? NULL : x, d, c);
    ew_lanes_curved_forces(place, d, law, n_law, u, c, q, f);
    if (part == EW_EDGE_ALL) { /* what the stored stiffness gives */
        ew_lanes_straight_forces(place, law, n_law, 1.0, u, linear);
        for (int i = 0; i < 12; i++) {
            q[i] -= linear[i];
        }
    }
    for (int k = 0; k < 4; k++) {
        ew_lanes_turn(q + 3 * k, out + 3 * k);
    }
    for (int k = 0; k < 6; k++) {
        ew_lanes_turn(f + 3 * k, out + 12 + 3 * k);
    }
    ew_lanes_scatter(out, part == EW_EDGE_OF_CORNERS ? 4 : 0, node, false, y);
}

EW_EVERYWHERE void ew_curved_groups_any(const ew_edge_product *product, ew_edge_part part,
                                        int32_t begin, int32_t end, const double *x, double *y)
{
    for (int32_t i = begin; i < end; i++) {
        const int32_t *node = product->node + (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * (size_t)i;
        if (product->moduli) {
            ew_curved_group(product, part, 21, node, x, y);
        } else {
            ew_curved_group(product, part, 2, node, x, y);
        }
    }
}

#endif
