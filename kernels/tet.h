/* The formulas of one linear tet, in double, shared by host and device: from four positions its
 * volume and the gradients of its barycentric functions, from those its stiffness blocks. Only
 * scalars and private arrays; every operation stands in a fixed order, so that host and device
 * give the same bits.
 *
 * With the Voigt matrices B_a of the gradients g_a, engineering shear and the isotropic D, the
 * block V B_a^T D B_b is V (lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I), for example Hughes
 * (2000), The Finite Element Method, section 2.8. */
#ifndef EW_TET_H
#define EW_TET_H

#include "real.h"

#if EW_HAS_DOUBLE

/* x [4][3]: positions; g [4][3]: gradients, 1/length; returns the volume, positive for a tet as
 * mesh.h orders it. The rows of the inverse of [1 x y z] by cofactors: with the edges e_i = x_i -
 * x_0, g_1 = e_2 x e_3 / det and cyclic, and g_0 = -(g_1 + g_2 + g_3) since the functions sum to 1.
 */
static inline double ew_tet_gradients(const double *x, double *g)
{
    double ax = x[3] - x[0], ay = x[4] - x[1], az = x[5] - x[2];
    double bx = x[6] - x[0], by = x[7] - x[1], bz = x[8] - x[2];
    double cx = x[9] - x[0], cy = x[10] - x[1], cz = x[11] - x[2];
    double ux = by * cz - bz * cy, uy = bz * cx - bx * cz, uz = bx * cy - by * cx;
    double vx = cy * az - cz * ay, vy = cz * ax - cx * az, vz = cx * ay - cy * ax;
    double wx = ay * bz - az * by, wy = az * bx - ax * bz, wz = ax * by - ay * bx;
    double det = (ax * ux + ay * uy) + az * uz;
    double inverse = 1.0 / det;
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
    return det * (1.0 / 6.0);
}

/* The volume alone, with the same bits. */
static inline double ew_tet_volume_of(const double *x)
{
    double ax = x[3] - x[0], ay = x[4] - x[1], az = x[5] - x[2];
    double bx = x[6] - x[0], by = x[7] - x[1], bz = x[8] - x[2];
    double cx = x[9] - x[0], cy = x[10] - x[1], cz = x[11] - x[2];
    double ux = by * cz - bz * cy, uy = bz * cx - bx * cz, uz = bx * cy - by * cx;
    return ((ax * ux + ay * uy) + az * uz) * (1.0 / 6.0);
}

/* strain [6] of displacements u [4][3]: the symmetric part of sum u_a g_a^T, engineering shear. */
static inline void ew_tet_strain(const double *g, const double *u, double *strain)
{
    double h[9]; /* h[i][j] = du_i / dx_j */
    for (int k = 0; k < 9; k++) {
        h[k] = 0.0;
    }
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                h[3 * i + j] += u[3 * a + i] * g[3 * a + j];
            }
        }
    }
    strain[0] = h[0];
    strain[1] = h[4];
    strain[2] = h[8];
    strain[3] = h[1] + h[3];
    strain[4] = h[5] + h[7];
    strain[5] = h[2] + h[6];
}

/* block [3][3] += K_ab of one tet, where a and b are g_a[3] and g_b[3], v_lambda = V lambda and
 * v_mu = V mu. Exactly symmetric for a = b, and exactly the transpose of K_ba. A sum starts from
 * +0.0. */
static inline void ew_tet_add_block(const double *a, const double *b, double v_lambda, double v_mu,
                                    double *block)
{
    double dot = v_mu * ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]);
    block[0] += (v_lambda * (a[0] * b[0]) + v_mu * (a[0] * b[0])) + dot;
    block[1] += v_lambda * (a[0] * b[1]) + v_mu * (a[1] * b[0]);
    block[2] += v_lambda * (a[0] * b[2]) + v_mu * (a[2] * b[0]);
    block[3] += v_lambda * (a[1] * b[0]) + v_mu * (a[0] * b[1]);
    block[4] += (v_lambda * (a[1] * b[1]) + v_mu * (a[1] * b[1])) + dot;
    block[5] += v_lambda * (a[1] * b[2]) + v_mu * (a[2] * b[1]);
    block[6] += v_lambda * (a[2] * b[0]) + v_mu * (a[0] * b[2]);
    block[7] += v_lambda * (a[2] * b[1]) + v_mu * (a[1] * b[2]);
    block[8] += (v_lambda * (a[2] * b[2]) + v_mu * (a[2] * b[2])) + dot;
}

/* sum [6] += K_aa of one tet: xx, xy, xz, yy, yz, zz of what ew_tet_add_block adds for a = b, by
 * the same operations. */
static inline void ew_tet_add_diagonal(const double *a, double v_lambda, double v_mu, double *sum)
{
    double xx = a[0] * a[0], yy = a[1] * a[1], zz = a[2] * a[2];
    double xy = a[0] * a[1], xz = a[0] * a[2], yz = a[1] * a[2];
    double dot = v_mu * ((xx + yy) + zz);
    sum[0] += (v_lambda * xx + v_mu * xx) + dot;
    sum[1] += v_lambda * xy + v_mu * xy;
    sum[2] += v_lambda * xz + v_mu * xz;
    sum[3] += (v_lambda * yy + v_mu * yy) + dot;
    sum[4] += v_lambda * yz + v_mu * yz;
    sum[5] += (v_lambda * zz + v_mu * zz) + dot;
}

#endif
#endif
