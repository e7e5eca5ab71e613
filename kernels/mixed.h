/* Terms of a mixed tet beside its stiffness of 2 mu (lib/analysis/operators/mixed.c), valid as C11
 * and OpenCL C 1.2, with the same bits on both: V / 4 times the gradients, and the two terms of C.
 */
#ifndef EW_MIXED_H
#define EW_MIXED_H

#include "tet.h"

#if EW_HAS_DOUBLE

/* x [4][3]: corners; own [14]. */
static inline void ew_mixed_tet(const double *x, double lambda, double mu, double *own)
{
    const double volume = ew_tet_gradients(x, own);
    for (int k = 0; k < 12; k++) {
        own[k] *= 0.25 * volume;
    }
    own[12] = volume / 20.0 * (1.0 / lambda + 1.0 / mu);
    own[13] = volume / 16.0 / mu;
}

/* The same of a tet that is deformed: own [12] = V times the derivative of its change of volume by
 * the places of its corners, a fourth of it. slope: d^2 Y / dp^2 at the mean pressure, in place of
 * 1 / lambda (volumetric.h); p less its mean has the compliance 1 / lambda and the stabilization.
 */
static inline void ew_mixed_deformed_tet(double volume, double lambda, double mu, double slope,
                                         double *own)
{
    own[12] = volume / 20.0 * (1.0 / lambda + 1.0 / mu);
    own[13] = volume / 16.0 * ((1.0 / lambda - slope) + 1.0 / mu);
}

/* Contribution of a tet to the diagonal preconditioner of the pressure at a corner. In place of B
 * K^-1 B^T stands the mass of pressures over 2 mu; of of_k K + of_m M, with C over of_k, each
 * pressure meets the mass of the waves that the tet can carry, too: with g the squares of its
 * gradients added up, a tet moves as of_m density / g. */
static inline double ew_mixed_scale(const double *own, double volume, double lambda, double mu,
                                    double of_k, double of_m_density)
{
    double g = 0.0;
    if (!(of_m_density > 0.0)) {
        return 0.25 * volume * (0.5 / mu + 1.0 / lambda) / of_k;
    }
    for (int k = 0; k < 12; k++) {
        g += own[k] * own[k];
    }
    g *= 16.0 / (volume * volume);
    return 0.25 * volume * (1.0 / (2.0 * mu * of_k + of_m_density / g) + 1.0 / (lambda * of_k));
}

#endif
#endif
