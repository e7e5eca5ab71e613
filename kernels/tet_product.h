/* Contribution of one linear tet to a product with c_K K + c_M M, from its corners alone: shared by
 * host and device. EW_LANE is double, or on the host several doubles side by side, one tet each.
 *
 * With the edges e_i = x_i - x_0 and the cofactors G_1 = e_2 x e_3 and cyclic, det = 6 V, the
 * gradients are g_i = G_i / det and that of u is H = sum u_i g_i^T = sum_{i>0} (u_i - u_0) g_i^T,
 * so that shifting all of u changes nothing. The nodal forces are V sigma g_i = P G_i with P =
 * sigma / 6, sigma = lambda tr(H) I + mu (H + H^T); those of all four corners add up to zero. */
#ifndef EW_TET_PRODUCT_H
#define EW_TET_PRODUCT_H

#include "real.h"

#if EW_HAS_DOUBLE

#ifndef EW_LANE
#define EW_LANE        double
#define EW_LANE_INLINE static inline
#endif

/* Which mass is part of the product. */
#define EW_TET_NO_MASS    0
#define EW_TET_LUMPED     1
#define EW_TET_CONSISTENT 2

/* x, u [4][3]: positions and vectors of the corners. term [4]: c_K lambda, c_K mu, and what of c_M
 * rho a corner and a pair of corners have. f [4][3]: the products. */
EW_LANE_INLINE void ew_tet_product(const EW_LANE *x, const EW_LANE *u, const EW_LANE *term,
                                   const int mass, EW_LANE *f)
{
    EW_LANE e[9], w[9], g[9], h[9], p[6];
    for (int i = 0; i < 9; i++) {
        e[i] = x[3 + i] - x[i % 3];
        w[i] = u[3 + i] - u[i % 3];
    }
    g[0] = e[4] * e[8] - e[5] * e[7];
    g[1] = e[5] * e[6] - e[3] * e[8];
    g[2] = e[3] * e[7] - e[4] * e[6];
    g[3] = e[7] * e[2] - e[8] * e[1];
    g[4] = e[8] * e[0] - e[6] * e[2];
    g[5] = e[6] * e[1] - e[7] * e[0];
    g[6] = e[1] * e[5] - e[2] * e[4];
    g[7] = e[2] * e[3] - e[0] * e[5];
    g[8] = e[0] * e[4] - e[1] * e[3];
    const EW_LANE det = (e[0] * g[0] + e[1] * g[1]) + e[2] * g[2];
    /* h [i][j] = det du_i / dx_j */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            h[3 * i + j] = (w[i] * g[j] + w[3 + i] * g[3 + j]) + w[6 + i] * g[6 + j];
        }
    }
    const EW_LANE scale = 1.0 / (6.0 * det);
    const EW_LANE bulk = term[0] * scale * ((h[0] + h[4]) + h[8]), shear = term[1] * scale;
    p[0] = bulk + shear * (h[0] + h[0]);
    p[1] = bulk + shear * (h[4] + h[4]);
    p[2] = bulk + shear * (h[8] + h[8]);
    p[3] = shear * (h[1] + h[3]);
    p[4] = shear * (h[5] + h[7]);
    p[5] = shear * (h[2] + h[6]);
    for (int i = 0; i < 3; i++) {
        f[3 + 3 * i] = (p[0] * g[3 * i] + p[3] * g[3 * i + 1]) + p[5] * g[3 * i + 2];
        f[4 + 3 * i] = (p[3] * g[3 * i] + p[1] * g[3 * i + 1]) + p[4] * g[3 * i + 2];
        f[5 + 3 * i] = (p[5] * g[3 * i] + p[4] * g[3 * i + 1]) + p[2] * g[3 * i + 2];
    }
    for (int c = 0; c < 3; c++) {
        f[c] = -((f[3 + c] + f[6 + c]) + f[9 + c]);
    }
    if (mass != EW_TET_NO_MASS) {
        const EW_LANE corner = det * (1.0 / 6.0) * (term[2] - term[3]);
        for (int i = 0; i < 12; i++) {
            f[i] += corner * u[i];
        }
    }
    if (mass == EW_TET_CONSISTENT) {
        const EW_LANE pair = det * (1.0 / 6.0) * term[3];
        for (int c = 0; c < 3; c++) {
            const EW_LANE all = pair * ((u[c] + u[3 + c]) + (u[6 + c] + u[9 + c]));
            for (int i = c; i < 12; i += 3) {
                f[i] += all;
            }
        }
    }
}

#endif
#endif
