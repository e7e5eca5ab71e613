/* tangent_lanes: private to assembly. The product of nonlinear quadratic tets, y += K x with the
 * tangent, from the records of their points, the four points of a tet side by side: what
 * ew_point_product of kernels/quadratic_tangent.h has of one. Compiled for several machines
 * (edge_product.c, edge_product_avx2.c) with the same bits. */
#ifndef EW_ASSEMBLY_TANGENT_LANES_H
#define EW_ASSEMBLY_TANGENT_LANES_H

#include "assembly/host/curved_lanes.h"

#include "corotational.h"

/* What the groups from `begin` to `end` give. */
void ew_tangent_groups_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                            int32_t end, const double *x, double *y);

/* Number k of the records of the four points. */
#define EW_RECORD_LANES(record, width, k)                                                          \
    ((ew_lanes){(record)[k], (record)[(width) + (k)], (record)[2 * (width) + (k)],                 \
                (record)[3 * (width) + (k)]})
/* Four times the function of a corner, at the points. */
#define EW_CORNER_LANE(a, p) (4.0 * ((a) == (p) ? EW_GAUSS_OWN : EW_GAUSS_OTHER))
#define EW_CORNER_LANES(a)                                                                         \
    ((ew_lanes){EW_CORNER_LANE(a, 0), EW_CORNER_LANE(a, 1), EW_CORNER_LANE(a, 2),                  \
                EW_CORNER_LANE(a, 3)})

EW_EVERYWHERE double ew_lanes_sum(const ew_lanes *v)
{
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

/* m [3][3]: the gradient at the points of u [4][3] and c [6][3]; either may be null: zero. */
EW_EVERYWHERE void ew_tangent_gradient(const ew_lanes *g, const double *u, const double *c,
                                       ew_lanes *m)
{
    const ew_lanes none = {0.0};
    ew_lanes w[12];
    for (int i = 0; i < 12; i++) {
        w[i] = u ? none + u[i] : none;
    }
    for (int k = 0; k < 6 && c; k++) {
        const int a = ew_edge_vertex[k][0], b = ew_edge_vertex[k][1];
        const ew_lanes of_a = EW_CORNER_LANES(a), of_b = EW_CORNER_LANES(b);
        for (int i = 0; i < 3; i++) {
            w[3 * a + i] += of_b * c[3 * k + i];
            w[3 * b + i] += of_a * c[3 * k + i];
        }
    }
    for (int i = 0; i < 3; i++) {
        const ew_lanes p = w[3 + i] - w[i], q = w[6 + i] - w[i], r = w[9 + i] - w[i];
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] = (p * g[j] + q * g[3 + j]) + r * g[6 + j];
        }
    }
}

/* As ew_turned_rate and ew_general_rate. */
EW_EVERYWHERE void ew_turned_lanes(const double *record, const ew_lanes *m, ew_lanes *dp)
{
    ew_lanes k[8];
    for (int i = 0; i < 8; i++) {
        k[i] = EW_RECORD_LANES(record, EW_RECORD_OF_TURNED, 9 + i);
    }
    const ew_lanes trace = k[0] * ((m[0] + m[4]) + m[8]), mu = k[1];
    const ew_lanes a = m[7] - m[5], b = m[2] - m[6], c = m[3] - m[1];
    const ew_lanes t = (k[2] * a + k[5] * b) + k[7] * c, u = (k[5] * a + k[3] * b) + k[6] * c;
    const ew_lanes v = (k[7] * a + k[6] * b) + k[4] * c;
    const ew_lanes xy = mu * (m[1] + m[3]), yz = mu * (m[5] + m[7]), xz = mu * (m[2] + m[6]);
    dp[0] = trace + 2.0 * mu * m[0];
    dp[4] = trace + 2.0 * mu * m[4];
    dp[8] = trace + 2.0 * mu * m[8];
    dp[1] = xy - v;
    dp[3] = xy + v;
    dp[5] = yz - t;
    dp[7] = yz + t;
    dp[6] = xz - u;
    dp[2] = xz + u;
}

EW_EVERYWHERE void ew_general_lanes(const double *record, const ew_lanes *m, ew_lanes *dp)
{
    ew_lanes turned[9], sum[9]; /* by columns, as records count */
    for (int row = 0; row < 9; row++) {
        turned[row] = m[3 * (row % 3) + row / 3];
        sum[row] = (ew_lanes){0.0};
    }
    for (int row = 0, at = 9; row < 9; row++) {
        for (int column = row; column < 9; column++, at++) {
            const ew_lanes k = EW_RECORD_LANES(record, EW_RECORD_OF_GENERAL, at);
            sum[row] += k * turned[column];
            if (column > row) {
                sum[column] += k * turned[row];
            }
        }
    }
    for (int row = 0; row < 9; row++) {
        dp[3 * (row % 3) + row / 3] = sum[row];
    }
}

/* own [4][3] = forces at the points on the corners of the tets that they are like. */
EW_EVERYWHERE void ew_tangent_forces(const double *record, bool turned, const ew_lanes *g,
                                     const double *u, const double *c, ew_lanes *own)
{
    ew_lanes m[9], dp[9];
    ew_tangent_gradient(g, u, c, m);
    if (turned) {
        ew_turned_lanes(record, m, dp);
    } else {
        ew_general_lanes(record, m, dp);
    }
    for (int i = 0; i < 3; i++) {
        for (int a = 1; a < 4; a++) {
            const ew_lanes *of = g + 3 * (a - 1);
            own[3 * a + i] = (dp[3 * i] * of[0] + dp[3 * i + 1] * of[1]) + dp[3 * i + 2] * of[2];
        }
        own[i] = -((own[3 + i] + own[6 + i]) + own[9 + i]);
    }
}

/* force [10][3] += these, on corners (if asked) and edges. */
EW_EVERYWHERE void ew_tangent_spread(const ew_lanes *own, bool corners, double *force)
{
    for (int i = 0; i < 12 && corners; i++) {
        force[i] += ew_lanes_sum(own + i);
    }
    for (int k = 0; k < 6; k++) {
        const int a = ew_edge_vertex[k][0], b = ew_edge_vertex[k][1];
        const ew_lanes of_a = EW_CORNER_LANES(a), of_b = EW_CORNER_LANES(b);
        for (int i = 0; i < 3; i++) {
            const ew_lanes all = of_b * own[3 * a + i] + of_a * own[3 * b + i];
            force[12 + 3 * k + i] += ew_lanes_sum(&all);
        }
    }
}

/* to [3] = a row of a vector; ~row: of another part; EW_NO_EDGE: zero. */
EW_EVERYWHERE void ew_tangent_read(const double *vector, int32_t row, double *to)
{
    for (size_t i = 0; i < 3; i++) {
        to[i] = row == EW_NO_EDGE ? 0.0 : vector[3 * (size_t)(row < 0 ? ~row : row) + i];
    }
}

/* What stands on vertices gives nothing to vertices in EW_EDGE_ALL: their blocks are stored. */
EW_EVERYWHERE void ew_tangent_tet(const ew_edge_product *product, ew_edge_part part, bool turned,
                                  const int32_t *node, int32_t tet, const double *x, double *y)
{
    const size_t width = turned ? EW_RECORD_OF_TURNED : EW_RECORD_OF_GENERAL;
    const double *record =
        product->internal_force->record + width * EW_QUADRATIC_POINTS * (size_t)tet;
    double u[12], c[18], force[30] = {0.0};
    ew_lanes g[9], own[12];
    for (int k = 0; k < EW_GROUP_NODES; k++) {
        ew_tangent_read(x, node[EW_GROUP_TETS * k], k < 4 ? u + 3 * k : c + 3 * (k - 4));
    }
    for (int i = 0; i < 9; i++) {
        g[i] = EW_RECORD_LANES(record, width, (size_t)i);
    }
    if (part != EW_EDGE_OF_CORNERS) {
        ew_tangent_forces(record, turned, g, part == EW_EDGE_WHOLE ? u : NULL, c, own);
        ew_tangent_spread(own, true, force);
    }
    if (part == EW_EDGE_ALL || part == EW_EDGE_OF_CORNERS) {
        ew_tangent_forces(record, turned, g, u, NULL, own);
        ew_tangent_spread(own, false, force);
    }
    for (int k = part == EW_EDGE_OF_CORNERS ? 4 : 0; k < EW_GROUP_NODES; k++) {
        const int32_t row = node[EW_GROUP_TETS * k];
        for (int i = 0; i < 3 && row >= 0; i++) {
            y[3 * (size_t)row + (size_t)i] += force[3 * k + i];
        }
    }
}

EW_EVERYWHERE void ew_tangent_group(const ew_edge_product *product, ew_edge_part part, int32_t i,
                                    const double *x, double *y)
{
    const int32_t *node = product->node + (size_t)EW_GROUP_TETS * EW_GROUP_NUMBERS * (size_t)i;
    const bool turned = product->internal_force->width == EW_RECORD_OF_TURNED;
    for (int l = 0; l < EW_GROUP_TETS; l++) {
        const int32_t tet = product->tet[EW_GROUP_TETS * (size_t)i + (size_t)l];
        if (turned) {
            ew_tangent_tet(product, part, true, node + l, tet, x, y);
        } else {
            ew_tangent_tet(product, part, false, node + l, tet, x, y);
        }
    }
}

EW_EVERYWHERE void ew_tangent_groups_any(const ew_edge_product *product, ew_edge_part part,
                                         int32_t begin, int32_t end, const double *x, double *y)
{
    for (int32_t i = begin; i < end; i++) {
        switch (part) { /* each compiled for itself */
        case EW_EDGE_ALL:
            ew_tangent_group(product, EW_EDGE_ALL, i, x, y);
            break;
        case EW_EDGE_WHOLE:
            ew_tangent_group(product, EW_EDGE_WHOLE, i, x, y);
            break;
        case EW_EDGE_OF_EDGES:
            ew_tangent_group(product, EW_EDGE_OF_EDGES, i, x, y);
            break;
        default:
            ew_tangent_group(product, EW_EDGE_OF_CORNERS, i, x, y);
        }
    }
}

#endif
