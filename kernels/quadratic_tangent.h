/* A nonlinear quadratic tet at one of its points, shared by host and device. At a Gauss point the
 * tet is like the straight one with the corners y_a, displaced by w_a, of a quarter of its volume
 * (curved.h); the forces, records and blocks of that are those of general.h and corotational.h.
 * Here: what the records of the points make of displacements (products with the tangent), and the
 * gradients of the functions of edges. */
#ifndef EW_QUADRATIC_TANGENT_H
#define EW_QUADRATIC_TANGENT_H

#include "curved.h"
#include "general.h"

#if EW_HAS_DOUBLE

/* Points of a quadratic tet, and numbers of its forces: on corners [4][3], on edges [6][3]. */
#define EW_POINTS          4
#define EW_QUADRATIC_FORCE 30

/* The forces [30] += what a point gives: own [3][3] on corners 1 to 3 of the tet that it is like.
 */
static inline void ew_add_point_force(const int p, const double *own, double *force)
{
    double all[12];
    for (int i = 0; i < 3; i++) {
        all[i] = -((own[i] + own[3 + i]) + own[6 + i]);
    }
    for (int i = 0; i < 9; i++) {
        all[3 + i] = own[i];
    }
    for (int i = 0; i < 12; i++) {
        force[i] += all[i];
    }
    ew_lanes_add_bent(p, all, force + 12);
}

/* The gradient at point p of the function of the edge between corners a and b, of the gradients g
 * [3][3] of corners 1 to 3. */
static inline void ew_edge_gradient(const double *g, const int p, const int a, const int b,
                                    double *gradient)
{
    const double of_a = 4.0 * (a == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
    const double of_b = 4.0 * (b == p ? EW_GAUSS_OWN : EW_GAUSS_OTHER);
    double first[3], second[3];
    ew_pick_gradients(g, a, b, first, second);
    for (int i = 0; i < 3; i++) {
        gradient[i] = of_b * first[i] + of_a * second[i];
    }
}

/* m [3][3] = sum over corners of w_a g_a^T, w [4][3], g [3][3] of corners 1 to 3. */
static inline void ew_deformed_gradient(const double *g, const double *w, double *m)
{
    for (int i = 0; i < 3; i++) {
        const double a = w[3 + i] - w[i], b = w[6 + i] - w[i], c = w[9 + i] - w[i];
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] = (a * g[j] + b * g[3 + j]) + c * g[6 + j];
        }
    }
}

/* dp [3][3] = V times the derivative of the stress along m, by the record of an isotropic elastic
 * point, whose gradients are turned: 2 mu sym(m) + lambda tr(m) I + [T a], a twice the axial vector
 * of the skew part of m (corotational.h). */
static inline void ew_turned_rate(const double *record, const double *m, double *dp)
{
    const double trace = record[9] * ((m[0] + m[4]) + m[8]), mu = record[10];
    const double a[3] = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
    const double t[3] = {(record[11] * a[0] + record[14] * a[1]) + record[16] * a[2],
                         (record[14] * a[0] + record[12] * a[1]) + record[15] * a[2],
                         (record[16] * a[0] + record[15] * a[1]) + record[13] * a[2]};
    const double xy = mu * (m[1] + m[3]), yz = mu * (m[5] + m[7]), xz = mu * (m[2] + m[6]);
    dp[0] = trace + 2.0 * mu * m[0];
    dp[4] = trace + 2.0 * mu * m[4];
    dp[8] = trace + 2.0 * mu * m[8];
    dp[1] = xy - t[2];
    dp[3] = xy + t[2];
    dp[5] = yz - t[0];
    dp[7] = yz + t[0];
    dp[6] = xz - t[1];
    dp[2] = xz + t[1];
}

/* The same by the record of a point of any law. */
static inline void ew_general_rate(const double *record, const double *m, double *dp)
{
    const double *c = record + 9;
    double sum[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    int at = 0;
    for (int row = 0; row < 9; row++) {
        const double own = m[3 * (row % 3) + row / 3];
        sum[row] += c[at++] * own;
        for (int column = row + 1; column < 9; column++) {
            sum[row] += c[at] * m[3 * (column % 3) + column / 3];
            sum[column] += c[at++] * own;
        }
    }
    for (int row = 0; row < 9; row++) {
        dp[3 * (row % 3) + row / 3] = sum[row];
    }
}

/* forces [30] += K of point p, by its record, times u [4][3] and c [6][3]. */
static inline void ew_point_product(const int width, const int p, const double *record,
                                    const double *u, const double *c, double *force)
{
    double w[12], m[9], dp[9], own[9];
    ew_lanes_bend(p, u, c, w);
    ew_deformed_gradient(record, w, m);
    if (width == EW_TURNED_RECORD) {
        ew_turned_rate(record, m, dp);
    } else {
        ew_general_rate(record, m, dp);
    }
    for (int a = 0; a < 3; a++) {
        const double *g = record + 3 * a;
        for (int i = 0; i < 3; i++) {
            own[3 * a + i] = (dp[3 * i] * g[0] + dp[3 * i + 1] * g[1]) + dp[3 * i + 2] * g[2];
        }
    }
    ew_add_point_force(p, own, force);
}

#endif
#endif
