/* Compressible neo-Hookean material. With the stretch U = I + strain (Biot's strain in the frame
 * that turns with the material, corotational.h), J = det U and the energy per undeformed volume
 *
 *     W = mu / 2 (tr(U^2) - 3 - 2 ln J) + lambda / 4 (J^2 - 1 - 2 ln J)
 *
 * (Wriggers 2008, Nonlinear Finite Element Methods, section 3.3), the stress is its gradient with
 * A = U^-1
 *
 *     T = dW/dU = mu U - q A,  q = mu - lambda / 2 (J^2 - 1),
 *     dT = mu dU + q A dU A + lambda J^2 tr(A dU) A.
 *
 * At U = I the tangent is that of the elastic constants. Where J <= 0 there is no stress: it is
 * NaN, and a step that leads there fails. constants: lambda, mu. */
#ifndef EW_LAW_NEO_HOOKEAN_H
#define EW_LAW_NEO_HOOKEAN_H

#include "law_elastic.h"

#if EW_HAS_DOUBLE

/* u [6] = I + strain with tensor shear, inverse [6] of it; det U, or NaN where that is not > 0. */
static inline double ew_stretch_inverse(const double *strain, double *u, double *inverse)
{
    for (int i = 0; i < 3; i++) {
        u[i] = 1.0 + strain[i];
        u[i + 3] = 0.5 * strain[i + 3];
    }
    const double xx = u[1] * u[2] - u[4] * u[4];
    const double xy = u[4] * u[5] - u[3] * u[2];
    const double xz = u[3] * u[4] - u[1] * u[5];
    const double det = (u[0] * xx + u[3] * xy) + u[5] * xz;
    const double j = det > 0.0 ? det : NAN;
    inverse[0] = xx / j;
    inverse[1] = (u[0] * u[2] - u[5] * u[5]) / j;
    inverse[2] = (u[0] * u[1] - u[3] * u[3]) / j;
    inverse[3] = xy / j;
    inverse[4] = (u[3] * u[5] - u[0] * u[4]) / j;
    inverse[5] = xz / j;
    return j;
}

/* Entry i, j of a symmetric tensor [6]. */
static inline double ew_entry_of_six(const double *s, int i, int j)
{
    return s[i == j ? i : i + j == 1 ? 3 : i + j == 3 ? 4 : 5];
}

/* tangent: all 21, or null. */
static inline void ew_neo_hookean_respond(const double *constants, const double *strain,
                                          double *stress, double *tangent)
{
    const double lambda = constants[0], mu = constants[1];
    double u[6], a[6];
    const double j = ew_stretch_inverse(strain, u, a);
    const double q = mu - 0.5 * lambda * (j * j - 1.0), p = lambda * (j * j);
    for (int i = 0; i < 6; i++) {
        stress[i] = mu * u[i] - q * a[i];
    }
    int at = 0;
    for (int m = 0; m < 6 && tangent; m++) {
        const int i = m < 3 ? m : m == 4 ? 1 : 0, k = m < 3 ? m : m == 3 ? 1 : 2;
        for (int n = m; n < 6; n++) {
            const int r = n < 3 ? n : n == 4 ? 1 : 0, s = n < 3 ? n : n == 3 ? 1 : 2;
            const double both = ew_entry_of_six(a, i, r) * ew_entry_of_six(a, k, s) +
                                ew_entry_of_six(a, i, s) * ew_entry_of_six(a, k, r);
            const double same = m == n ? (m < 3 ? mu : 0.5 * mu) : 0.0;
            tangent[at++] = (same + 0.5 * q * both) + p * (a[m] * a[n]);
        }
    }
}

#endif
#endif
