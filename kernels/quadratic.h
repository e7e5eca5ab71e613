/* Terms of a quadratic tet with straight sides in addition to the linear ones, shared by host and
 * device. Beside the four linear functions l_a it has one function 4 l_a l_b per edge (a, b), with
 * the coefficient c_ab: how far the middle of the edge is moved beyond the mean of its ends
 * (hierarchical functions: Zienkiewicz & Taylor 2000, volume 1, section 8.13).
 *
 * The gradient of the displacement is linear in the tet: H_0 + sum l_a H_a, with H_0 that of the
 * linear tet and H_a = 4 sum_b c_ab g_b^T over the edges at corner a. With the stresses s_0, s_a
 * of their symmetric parts and the integrals V/4 of l_a and V (1 + d_ab) / 20 of l_a l_b, the
 * forces beyond the linear tet's own are
 *
 *     on corner p      V/4 (sum s_a) g_p
 *     on edge (a, b)   V (t_a g_b + t_b g_a),   t_a = s_0 + (sum s_c + s_a) / 5.
 *
 * Laws that are not isotropic give V times their moduli, V D [21], in place of V lambda; V mu is
 * then null.
 *
 * EW_LANES is a double, or several side by side for as many tets (edge_lanes.h). Edges in the order
 * of mesh.h. */
#ifndef EW_QUADRATIC_H
#define EW_QUADRATIC_H

#include "anisotropic.h"

#if EW_HAS_DOUBLE

#ifndef EW_LANES
#define EW_LANES double
#endif
typedef EW_LANES ew_lanes;

#ifdef __OPENCL_VERSION__
#define EW_EVERYWHERE static inline
#else
#define EW_EVERYWHERE static inline __attribute__((always_inline))
#endif

/* sum [6] += the edge's diagonal block of one tet, a and b being the gradients of its ends: xx, xy,
 * xz, yy, yz, zz. The integral of q q^T with q = 4 (l_a b + l_b a) is
 * 4/5 V (a a^T + b b^T + (a + b) (a + b)^T), and so the block is the sum of three linear ones. */
static inline void ew_quadratic_add_diagonal(const double *a, const double *b, double v_lambda,
                                             double v_mu, double *sum)
{
    const double both[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    const double of_lambda = 0.8 * v_lambda, of_mu = 0.8 * v_mu;
    ew_tet_add_diagonal(a, of_lambda, of_mu, sum);
    ew_tet_add_diagonal(b, of_lambda, of_mu, sum);
    ew_tet_add_diagonal(both, of_lambda, of_mu, sum);
}

/* The same of any law, d [21]: V times its moduli. */
static inline void ew_quadratic_add_any_diagonal(const double *a, const double *b, const double *d,
                                                 double *sum)
{
    const double both[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    double part[21];
    for (int k = 0; k < 21; k++) {
        part[k] = 0.8 * d[k];
    }
    ew_moduli_add_diagonal(a, part, sum);
    ew_moduli_add_diagonal(b, part, sum);
    ew_moduli_add_diagonal(both, part, sum);
}

/* As ew_tet_gradients, of several tets. */
EW_EVERYWHERE void ew_lanes_gradients(const ew_lanes *x, ew_lanes *g, ew_lanes *volume)
{
    const ew_lanes ax = x[3] - x[0], ay = x[4] - x[1], az = x[5] - x[2];
    const ew_lanes bx = x[6] - x[0], by = x[7] - x[1], bz = x[8] - x[2];
    const ew_lanes cx = x[9] - x[0], cy = x[10] - x[1], cz = x[11] - x[2];
    const ew_lanes ux = by * cz - bz * cy, uy = bz * cx - bx * cz, uz = bx * cy - by * cx;
    const ew_lanes vx = cy * az - cz * ay, vy = cz * ax - cx * az, vz = cx * ay - cy * ax;
    const ew_lanes wx = ay * bz - az * by, wy = az * bx - ax * bz, wz = ax * by - ay * bx;
    const ew_lanes det = (ax * ux + ay * uy) + az * uz;
    const ew_lanes inverse = 1.0 / det;
    g[3] = ux * inverse;
    g[4] = uy * inverse;
    g[5] = uz * inverse;
    g[6] = vx * inverse;
    g[7] = vy * inverse;
    g[8] = vz * inverse;
    g[9] = wx * inverse;
    g[10] = wy * inverse;
    g[11] = wz * inverse;
    g[0] = -((g[3] + g[6]) + g[9]);
    g[1] = -((g[4] + g[7]) + g[10]);
    g[2] = -((g[5] + g[8]) + g[11]);
    *volume = det * (1.0 / 6.0);
}

/* strain [6] = of the displacement gradient c g^T: xx yy zz, and the engineering shears xy yz xz */
EW_EVERYWHERE void ew_lanes_strain(const ew_lanes *c, const ew_lanes *g, ew_lanes *strain)
{
    strain[0] = c[0] * g[0];
    strain[1] = c[1] * g[1];
    strain[2] = c[2] * g[2];
    strain[3] = c[0] * g[1] + c[1] * g[0];
    strain[4] = c[1] * g[2] + c[2] * g[1];
    strain[5] = c[0] * g[2] + c[2] * g[0];
}

EW_EVERYWHERE void ew_lanes_add_strain(const ew_lanes *c, const ew_lanes *g, ew_lanes *strain)
{
    strain[0] += c[0] * g[0];
    strain[1] += c[1] * g[1];
    strain[2] += c[2] * g[2];
    strain[3] += c[0] * g[1] + c[1] * g[0];
    strain[4] += c[1] * g[2] + c[2] * g[1];
    strain[5] += c[0] * g[2] + c[2] * g[0];
}

/* In place: V times the stress of a strain, d [21] being V times the moduli. */
EW_EVERYWHERE void ew_lanes_any_stress(const ew_lanes *d, ew_lanes *s)
{
    const ew_lanes e[6] = {s[0], s[1], s[2], s[3], s[4], s[5]};
    for (int i = 0; i < 6; i++) {
        s[i] = ((d[EW_MODULUS(i, 0)] * e[0] + d[EW_MODULUS(i, 1)] * e[1]) +
                (d[EW_MODULUS(i, 2)] * e[2] + d[EW_MODULUS(i, 3)] * e[3])) +
               (d[EW_MODULUS(i, 4)] * e[4] + d[EW_MODULUS(i, 5)] * e[5]);
    }
}

/* In place: V times the stress of a strain. v_lambda = V lambda, v_mu = V mu. */
EW_EVERYWHERE void ew_lanes_stress(const ew_lanes *v_lambda, const ew_lanes *v_mu, ew_lanes *s)
{
    if (!v_mu) {
        ew_lanes_any_stress(v_lambda, s);
        return;
    }
    const ew_lanes trace = *v_lambda * ((s[0] + s[1]) + s[2]), twice = *v_mu + *v_mu;
    s[0] = trace + twice * s[0];
    s[1] = trace + twice * s[1];
    s[2] = trace + twice * s[2];
    s[3] = *v_mu * s[3];
    s[4] = *v_mu * s[4];
    s[5] = *v_mu * s[5];
}

/* force [3] = stress times gradient */
EW_EVERYWHERE void ew_lanes_force(const ew_lanes *s, const ew_lanes *g, ew_lanes *force)
{
    force[0] = (s[0] * g[0] + s[3] * g[1]) + s[5] * g[2];
    force[1] = (s[3] * g[0] + s[1] * g[1]) + s[4] * g[2];
    force[2] = (s[5] * g[0] + s[4] * g[1]) + s[2] * g[2];
}

EW_EVERYWHERE void ew_lanes_add_force(const ew_lanes *s, const ew_lanes *g, ew_lanes *force)
{
    force[0] += (s[0] * g[0] + s[3] * g[1]) + s[5] * g[2];
    force[1] += (s[3] * g[0] + s[1] * g[1]) + s[4] * g[2];
    force[2] += (s[5] * g[0] + s[4] * g[1]) + s[2] * g[2];
}

/* V times the stress s_0 of the corners' displacements u [4][3]. */
EW_EVERYWHERE void ew_lanes_linear_stress(const ew_lanes *g, const ew_lanes *v_lambda,
                                          const ew_lanes *v_mu, const ew_lanes *u, ew_lanes *s)
{
    for (int a = 1; a < 4; a++) {
        const ew_lanes d[3] = {u[3 * a] - u[0], u[3 * a + 1] - u[1], u[3 * a + 2] - u[2]};
        if (a == 1) {
            ew_lanes_strain(d, g + 3, s);
        } else {
            ew_lanes_add_strain(d, g + 3 * a, s);
        }
    }
    ew_lanes_stress(v_lambda, v_mu, s);
}

/* s [4][6]: a quarter of V times the stresses s_a of the edges' coefficients c [6][3]. */
EW_EVERYWHERE void ew_lanes_edge_stress(const ew_lanes *g, const ew_lanes *v_lambda,
                                        const ew_lanes *v_mu, const ew_lanes *c, ew_lanes *s)
{
    ew_lanes_strain(c, g + 3, s); /* edge 01 */
    ew_lanes_strain(c, g, s + 6);
    ew_lanes_add_strain(c + 3, g + 6, s); /* 02 */
    ew_lanes_strain(c + 3, g, s + 12);
    ew_lanes_add_strain(c + 6, g + 9, s); /* 03 */
    ew_lanes_strain(c + 6, g, s + 18);
    ew_lanes_add_strain(c + 9, g + 6, s + 6); /* 12 */
    ew_lanes_add_strain(c + 9, g + 3, s + 12);
    ew_lanes_add_strain(c + 12, g + 9, s + 6); /* 13 */
    ew_lanes_add_strain(c + 12, g + 3, s + 18);
    ew_lanes_add_strain(c + 15, g + 9, s + 12); /* 23 */
    ew_lanes_add_strain(c + 15, g + 6, s + 18);
    for (int a = 0; a < 4; a++) {
        ew_lanes_stress(v_lambda, v_mu, s + 6 * a);
    }
}

/* f [6][3]: on each edge (a, b) t_a g_b + t_b g_a, t [4][6] being V times t_a. */
EW_EVERYWHERE void ew_lanes_edge_forces(const ew_lanes *g, const ew_lanes *t, ew_lanes *f)
{
    ew_lanes_force(t, g + 3, f);
    ew_lanes_add_force(t + 6, g, f);
    ew_lanes_force(t, g + 6, f + 3);
    ew_lanes_add_force(t + 12, g, f + 3);
    ew_lanes_force(t, g + 9, f + 6);
    ew_lanes_add_force(t + 18, g, f + 6);
    ew_lanes_force(t + 6, g + 6, f + 9);
    ew_lanes_add_force(t + 12, g + 3, f + 9);
    ew_lanes_force(t + 6, g + 9, f + 12);
    ew_lanes_add_force(t + 18, g + 3, f + 12);
    ew_lanes_force(t + 12, g + 9, f + 15);
    ew_lanes_add_force(t + 18, g + 6, f + 15);
}

/* q [4][3]: forces on the corners, of V/4 s_a in s [4][6] and, if `whole`, of `linear`, V s_0
 * (null: zero); and s = V t_a. */
EW_EVERYWHERE void ew_lanes_corner_forces(const ew_lanes *g, const ew_lanes *linear, int whole,
                                          ew_lanes *s, ew_lanes *q)
{
    ew_lanes all[6], mean[6];
    for (int i = 0; i < 6; i++) {
        all[i] = (s[i] + s[6 + i]) + (s[12 + i] + s[18 + i]);
        mean[i] = whole ? linear[i] + all[i] : all[i];
    }
    for (int p = 1; p < 4; p++) {
        ew_lanes_force(mean, g + 3 * p, q + 3 * p);
    }
    for (int i = 0; i < 3; i++) {
        q[i] = -((q[3 + i] + q[6 + i]) + q[9 + i]);
    }
    for (int i = 0; i < 24; i++) {
        s[i] = 0.8 * (all[i % 6] + s[i]);
        s[i] = linear ? linear[i % 6] + s[i] : s[i];
    }
}

/* The forces of one tet beyond the linear ones, of u [4][3] and c [6][3]: on its corners, q [4][3],
 * and on its edges, f [6][3]. */
EW_EVERYWHERE void ew_lanes_product(const ew_lanes *g, const ew_lanes *v_lambda,
                                    const ew_lanes *v_mu, const ew_lanes *u, const ew_lanes *c,
                                    ew_lanes *q, ew_lanes *f)
{
    ew_lanes s[24], linear[6];
    ew_lanes_linear_stress(g, v_lambda, v_mu, u, linear);
    ew_lanes_edge_stress(g, v_lambda, v_mu, c, s);
    ew_lanes_corner_forces(g, linear, 0, s, q);
    ew_lanes_edge_forces(g, s, f);
}

/* Of the corners' displacements alone, on the edges alone: s_0 (g_a + g_b). */
EW_EVERYWHERE void ew_lanes_product_of_corners(const ew_lanes *g, const ew_lanes *v_lambda,
                                               const ew_lanes *v_mu, const ew_lanes *u, ew_lanes *f)
{
    ew_lanes s[6], q[12];
    ew_lanes_linear_stress(g, v_lambda, v_mu, u, s);
    for (int p = 1; p < 4; p++) {
        ew_lanes_force(s, g + 3 * p, q + 3 * p);
    }
    for (int i = 0; i < 3; i++) {
        q[i] = -((q[3 + i] + q[6 + i]) + q[9 + i]);
        f[i] = q[i] + q[3 + i];
        f[3 + i] = q[i] + q[6 + i];
        f[6 + i] = q[i] + q[9 + i];
        f[9 + i] = q[3 + i] + q[6 + i];
        f[12 + i] = q[3 + i] + q[9 + i];
        f[15 + i] = q[6 + i] + q[9 + i];
    }
}

#endif
#endif
