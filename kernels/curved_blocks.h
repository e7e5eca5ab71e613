/* Of one quadratic tet with curved sides, shared by host and device: the diagonal block of an edge,
 * and its mass.
 *
 * Mass is integrated by the 14 points of degree 5 of Walkington (2000), Quadrature on simplices of
 * arbitrary dimension, which are exact for straight sides: a product of two functions is of degree
 * four, the Jacobian of curved sides of degree three. */
#ifndef EW_CURVED_BLOCKS_H
#define EW_CURVED_BLOCKS_H

#include "curved.h"

#if EW_HAS_DOUBLE

/* sum [6] += xx, xy, xz, yy, yz, zz of the block of the edge between corners a and b; x, d and law
 * as of ew_lanes_curved_forces. */
static inline void ew_curved_edge_diagonal(const double *x, const double *d, const double *law,
                                           int n_law, int a, int b, double *sum)
{
    for (int p = 0; p < 4; p++) {
        const double of_a = 4.0 * (a == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
        const double of_b = 4.0 * (b == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
        double y[12], g[12], part[21], gradient[3] = {0.0, 0.0, 0.0};
        ew_lanes_bend(p, x, d, y);
        const double volume = 0.25 * ew_tet_gradients(y, g);
        for (int k = 0; k < 4; k++) { /* picked by comparison: devices keep g in registers */
            const double factor = k == a ? of_b : k == b ? of_a : 0.0;
            for (int c = 0; c < 3; c++) {
                gradient[c] += factor * g[3 * k + c];
            }
        }
        for (int k = 0; k < n_law; k++) {
            part[k] = volume * law[k];
        }
        if (n_law == 2) {
            ew_tet_add_diagonal(gradient, part[0], part[1], sum);
        } else {
            ew_moduli_add_diagonal(gradient, part, sum);
        }
    }
}

/* ---- mass ---------------------------------------------------------------------- */

#define EW_MASS_POINTS 14

/* l [4]: point k of the rule; returns its weight, all of which add up to 1. Points 0 to 7 are on
 * the lines from corners to the center, the others on those between the middles of opposite edges.
 */
static inline double ew_mass_point(int k, double *l)
{
    if (k < 8) {
        const double other = k < 4 ? 0.31088591926330060980 : 0.092735250310891226402;
        for (int i = 0; i < 4; i++) {
            l[i] = i == k % 4 ? 1.0 - 3.0 * other : other;
        }
        return k < 4 ? 0.11268792571801585080 : 0.073493043116361949544;
    }
    const int first = k < 11 ? 0 : k < 13 ? 1 : 2;
    const int second = k < 11 ? k - 7 : k < 13 ? k - 9 : 3;
    for (int i = 0; i < 4; i++) {
        l[i] = i == first || i == second ? 0.045503704125649649492 : 0.45449629587435035051;
    }
    return 0.042546020777081466438;
}

/* The volume that belongs to the point: its weight times that of the straight tet with the corners
 * x_a + 4 sum_b l_b d_ab, which the curved one is like there. */
static inline double ew_mass_point_volume(double weight, const double *l, const double *x,
                                          const double *d)
{
    const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    double y[12];
    for (int i = 0; i < 12; i++) {
        y[i] = x[i];
    }
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 3; i++) {
            y[3 * end[k][0] + i] += 4.0 * l[end[k][1]] * d[3 * k + i];
            y[3 * end[k][1] + i] += 4.0 * l[end[k][0]] * d[3 * k + i];
        }
    }
    return weight * ew_tet_volume_of(y);
}

static inline double ew_curved_volume_of(const double *x, const double *d)
{
    double sum = 0.0, l[4];
    for (int k = 0; k < EW_MASS_POINTS; k++) {
        const double weight = ew_mass_point(k, l);
        sum += ew_mass_point_volume(weight, l, x, d);
    }
    return sum;
}

/* q [4][3] and f [6][3] += the mass of a point at l times the displacement u, c [4][3], [6][3]
 * there times the functions of corners and edges. */
static inline void ew_mass_point_add(double mass, const double *l, const double *u, const double *c,
                                     double *q, double *f)
{
    const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    double edge[6], of_edge[6];
    for (int e = 0; e < 6; e++) {
        edge[e] = 4.0 * l[end[e][0]] * l[end[e][1]];
        of_edge[e] = mass * 4.0 * l[end[e][0]] * l[end[e][1]];
    }
    for (int i = 0; i < 3; i++) {
        double moved = 0.0;
        for (int a = 0; a < 4; a++) {
            moved += l[a] * u[3 * a + i];
        }
        for (int e = 0; e < 6; e++) {
            moved += edge[e] * c[3 * e + i];
        }
        for (int a = 0; a < 4; a++) {
            q[3 * a + i] += mass * l[a] * moved;
        }
        for (int e = 0; e < 6; e++) {
            f[3 * e + i] += of_edge[e] * moved;
        }
    }
}

/* q [4][3] and f [6][3]: density times the integrals of the displacement u, c [4][3], [6][3] times
 * the functions of corners and edges. */
static inline void ew_curved_mass_forces(const double *x, const double *d, double density,
                                         const double *u, const double *c, double *q, double *f)
{
    for (int i = 0; i < 12; i++) {
        q[i] = 0.0;
    }
    for (int i = 0; i < 18; i++) {
        f[i] = 0.0;
    }
    for (int k = 0; k < EW_MASS_POINTS; k++) {
        double l[4];
        const double weight = ew_mass_point(k, l);
        ew_mass_point_add(density * ew_mass_point_volume(weight, l, x, d), l, u, c, q, f);
    }
}

#endif
#endif
