/* Von Mises plasticity with isotropic hardening at a point, by radial return: Simo & Hughes (1998),
 * Computational Inelasticity, boxes 3.1 and 3.2, with the equivalent stress q = sqrt(3/2) |s| in
 * place of |s| and the equivalent plastic strain a. Yielding where q > y(a); y is piecewise linear,
 * and constant behind its last point.
 *
 *   trial      s* = 2 mu (dev strain - plastic), q* its equivalent stress
 *   return     q* - 3 mu d = y(a + d)                    gives d, the plastic strain of the step
 *              s = s* (1 - 3 mu d / q*),  plastic += d (3/2) s* / q*
 *   tangent    kappa 1 1^T + 2 mu t (I - 1 1^T / 3) - 2 mu b n n^T,  n = s* / |s*|,
 *              t = 1 - 3 mu d / q*,  b = 3 mu / (3 mu + y') - (1 - t)
 *
 * constants: lambda, mu, n, then n points (stress y, plastic strain a), a ascending from 0, y not
 * descending. With n = 1 a third number follows the point: the slope behind it.
 * state: plastic strain [6] (engineering shear, no trace), a [1], and one more that is copied. */
#ifndef EW_LAW_VON_MISES_H
#define EW_LAW_VON_MISES_H

#include "law_elastic.h"

#if EW_HAS_DOUBLE

/* Yield stress at a >= 0, and its slope behind that. */
static inline double ew_von_mises_yield(const double *constants, double a, double *slope)
{
    const int n = (int)constants[2];
    const double *point = constants + 3;
    if (n == 1) {
        *slope = point[2];
        return point[0] + point[2] * a;
    }
    int k = 0;
    while (k + 1 < n && point[2 * k + 3] <= a) {
        k++;
    }
    *slope = 0.0;
    if (k + 1 < n) {
        *slope = (point[2 * k + 2] - point[2 * k]) / (point[2 * k + 3] - point[2 * k + 1]);
    }
    return point[2 * k] + *slope * (a - point[2 * k + 1]);
}

/* d >= 0 with q - 3 mu d = y(a + d), where q > y(a): each piece of y is tried in turn. */
static inline double ew_von_mises_return(const double *constants, double q, double a, double *slope)
{
    const double mu3 = 3.0 * constants[1];
    const int n = (int)constants[2];
    const double *point = constants + 3;
    double done = 0.0; /* of d */
    double yield = ew_von_mises_yield(constants, a, slope);
    for (int k = 0; k < n; k++) {
        const double end = n > 1 ? point[2 * k + 1] : a;
        if (end > a + done) { /* the piece up to it */
            const double to = end - a;
            if (q - mu3 * to <= point[2 * k]) {
                break;
            }
            done = to;
            yield = ew_von_mises_yield(constants, end, slope);
        }
    }
    return done + (q - mu3 * done - yield) / (mu3 + *slope);
}

/* tangent [21] of box 3.2, by t and b; s: deviator of stress with norm. */
static inline void ew_von_mises_tangent(double lambda, double mu, double t, double b,
                                        const double *s, double norm, double *tangent)
{
    const double kappa = lambda + 2.0 * mu / 3.0;
    int at = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            double entry = -2.0 * mu * b * (s[i] / norm) * (s[j] / norm);
            if (j < 3) {
                entry += kappa - 2.0 * mu * t / 3.0;
            }
            if (i == j) {
                entry += i < 3 ? 2.0 * mu * t : mu * t;
            }
            tangent[at++] = entry;
        }
    }
}

/* tangent: all 21, or null. */
static inline void ew_von_mises_respond(const double *constants, const double *strain,
                                        const double *before, double *after, double *stress,
                                        double *tangent)
{
    const double lambda = constants[0], mu = constants[1];
    double s[6], slope;
    ew_plastic_recover(constants, strain, before, stress);
    for (int i = 0; i < 8; i++) {
        after[i] = before[i];
    }
    const double mean = ((stress[0] + stress[1]) + stress[2]) / 3.0;
    double square = 0.0;
    for (int i = 0; i < 6; i++) {
        s[i] = i < 3 ? stress[i] - mean : stress[i];
        square += i < 3 ? s[i] * s[i] : 2.0 * (s[i] * s[i]);
    }
    const double norm = sqrt(square), q = sqrt(1.5) * norm;
    if (!(q > ew_von_mises_yield(constants, before[6], &slope))) {
        if (tangent) {
            ew_law_isotropic_moduli(lambda, mu, tangent);
        }
        return;
    }
    const double d = ew_von_mises_return(constants, q, before[6], &slope);
    const double t = 1.0 - 3.0 * mu * d / q;
    for (int i = 0; i < 6; i++) { /* engineering shear is twice the tensor's */
        after[i] += (i < 3 ? 1.5 : 3.0) * d * (s[i] / q);
        stress[i] = i < 3 ? mean + t * s[i] : t * s[i];
    }
    after[6] += d;
    if (tangent) {
        const double b = 3.0 * mu / (3.0 * mu + slope) - (1.0 - t);
        ew_von_mises_tangent(lambda, mu, t, b, s, norm, tangent);
    }
}

#endif
#endif
