/* Mass of a quadratic tet in addition to that of the linear functions, for devices: see edge_mass.c
 * of lib/assembly, which has it for the host by other sums. */
#ifndef EW_QUADRATIC_MASS_H
#define EW_QUADRATIC_MASS_H

#include "curved_blocks.h"

#if EW_HAS_DOUBLE

/* q [4][3], f [6][3] of u [4][3] and c [6][3], m being the mass. */
static inline void ew_consistent_mass_forces(double m, const double *u, const double *c, double *q,
                                             double *f)
{
    const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int i = 0; i < 3; i++) {
        double s[4] = {0.0, 0.0, 0.0, 0.0}, all = 0.0, share[4];
        const double sum = 0.5 * ((u[i] + u[3 + i]) + (u[6 + i] + u[9 + i]));
        for (int e = 0; e < 6; e++) {
            s[end[e][0]] += c[3 * e + i];
            s[end[e][1]] += c[3 * e + i];
            all += c[3 * e + i];
        }
        for (int a = 0; a < 4; a++) {
            q[3 * a + i] = m / 30.0 * (all + s[a]);
            share[a] = 2.0 * m / 105.0 * (0.5 * all + s[a]) + m / 30.0 * (sum + u[3 * a + i]);
        }
        for (int e = 0; e < 6; e++) {
            f[3 * e + i] = (share[end[e][0]] + share[end[e][1]]) + 2.0 / 105.0 * m * c[3 * e + i];
        }
    }
}

/* The same lumped. has: bit e set where edge e has a function. more: mass beyond that of the
 * straight tet. */
static inline void ew_lumped_mass_forces(double m, double more, int has, const double *u,
                                         const double *c, double *q, double *f)
{
    const int end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const double of_edge = 4.0 / 27.0 * m;
    for (int i = 0; i < 12; i++) {
        q[i] = 0.25 * more * u[i];
    }
    for (int k = 0; k < 18; k++) {
        const int e = k / 3, a = 3 * end[e][0] + k % 3, b = 3 * end[e][1] + k % 3;
        f[k] = of_edge * (c[k] + 0.5 * (u[a] + u[b]));
        if (has >> e & 1) {
            q[a] += of_edge * (0.5 * c[k] + 0.25 * (u[b] - u[a]));
            q[b] += of_edge * (0.5 * c[k] + 0.25 * (u[a] - u[b]));
        }
    }
}

/* Of a tet with corners x and curves d [6][3] (null: straight). */
static inline void ew_quadratic_mass_forces(const double *x, const double *d, double density,
                                            int lumped, int has, const double *u, const double *c,
                                            double *q, double *f)
{
    const double straight = density * ew_tet_volume_of(x);
    if (lumped) {
        const double m = d ? density * ew_curved_volume_of(x, d) : straight;
        ew_lumped_mass_forces(m, m - straight, has, u, c, q, f);
        return;
    }
    if (!d) {
        ew_consistent_mass_forces(straight, u, c, q, f);
        return;
    }
    ew_curved_mass_forces(x, d, density, u, c, q, f);
    for (int i = 0; i < 12; i++) {
        const int k = i % 3;
        const double sum = (u[k] + u[3 + k]) + (u[6 + k] + u[9 + k]);
        q[i] -= straight / 20.0 * (sum + u[i]);
    }
}

#endif
#endif
