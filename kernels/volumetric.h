/* The volumetric part of an isotropic law, which mixed tets replace by a field p of their own;
 * valid as C11 and OpenCL C 1.2.
 *
 * With the Lame constants lambda and mu the energy of a law is W_0(E) + U(theta(E)): W_0 is that of
 * the law with lambda = 0 and the same mu, theta measures the change of volume and U has the
 * curvature lambda at 0. U(theta) becomes p theta - Y(p), Y the Legendre transform of U. Where p is
 * stationary, theta = dY/dp, both are the same energy; a p from a space of functions that is not
 * too large does not lock (Simo, Taylor & Pister 1985, Variational and projection methods for the
 * volume constraint in finite deformation elasto-plasticity, Comput. Methods Appl. Mech. Eng. 51;
 * with Y Chi, Talischi, Lopez-Pamies & Paulino 2015, Polygonal finite elements for finite
 * elasticity, Int. J. Numer. Meth. Eng. 101, section 2).
 *
 *     TRACE   theta = tr E    U = lambda / 2 theta^2                   dY/dp = p / lambda
 *     SQUARE  theta = J - 1   U = lambda / 2 theta^2                   dY/dp = p / lambda
 *     LOG     theta = J - 1   U = lambda / 4 (J^2 - 1 - 2 ln J)        dY/dp = q + r - 1
 *
 * with J = det(I + E), q = p / lambda, r = sqrt(1 + q^2). Strain has engineering shear. */
#ifndef EW_VOLUMETRIC_H
#define EW_VOLUMETRIC_H

#include "law_neo_hookean.h"

#if EW_HAS_DOUBLE

enum { EW_MEASURE_TRACE, EW_MEASURE_SQUARE, EW_MEASURE_LOG };

/* theta of a strain; slope [6]: its derivative. NaN where J is not > 0. */
static inline double ew_volume_change(const int kind, const double *strain, double *slope)
{
    double u[6], a[6];
    if (kind == EW_MEASURE_TRACE) {
        for (int i = 0; i < 6; i++) {
            slope[i] = i < 3 ? 1.0 : 0.0;
        }
        return (strain[0] + strain[1]) + strain[2];
    }
    const double j = ew_stretch_inverse(strain, u, a);
    for (int i = 0; i < 6; i++) {
        slope[i] = j * a[i];
    }
    return j - 1.0;
}

/* tangent [21] += p times the second derivative of theta: d (J A) = J (tr(A dU) A - A dU A). */
static inline void ew_volume_add_curvature(const int kind, const double *strain, double p,
                                           double *tangent)
{
    double u[6], a[6];
    if (kind == EW_MEASURE_TRACE) {
        return;
    }
    const double by = p * ew_stretch_inverse(strain, u, a);
    int at = 0;
    for (int m = 0; m < 6; m++) {
        const int i = m < 3 ? m : m == 4 ? 1 : 0, k = m < 3 ? m : m == 3 ? 1 : 2;
        for (int n = m; n < 6; n++) {
            const int r = n < 3 ? n : n == 4 ? 1 : 0, s = n < 3 ? n : n == 3 ? 1 : 2;
            const double both = ew_entry_of_six(a, i, r) * ew_entry_of_six(a, k, s) +
                                ew_entry_of_six(a, i, s) * ew_entry_of_six(a, k, r);
            tangent[at++] += by * (a[m] * a[n] - 0.5 * both);
        }
    }
}

/* dY/dp: theta at the pressure p; slope: its derivative, > 0. */
static inline double ew_volume_at(const int kind, double lambda, double p, double *slope)
{
    const double q = p / lambda, root = sqrt(1.0 + q * q);
    if (kind != EW_MEASURE_LOG) {
        *slope = 1.0 / lambda;
        return q;
    }
    *slope = (1.0 + q / root) / lambda;
    return q + q * q / (1.0 + root); /* root - 1, without cancellation */
}

/* Y(p). */
static inline double ew_volume_complement(const int kind, double lambda, double p)
{
    double slope;
    const double theta = ew_volume_at(kind, lambda, p, &slope), j = 1.0 + theta;
    return kind == EW_MEASURE_LOG ? p * theta - 0.25 * lambda * (j * j - 1.0 - 2.0 * log(j))
                                  : 0.5 * p * theta;
}

#endif
#endif
