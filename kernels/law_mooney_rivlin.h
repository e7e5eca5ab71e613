/* Compressible Mooney-Rivlin material. With the stretch U = I + strain (Biot's strain in the frame
 * that turns with the material, corotational.h), J = det U, I1 = tr(U^2), I2 = (I1^2 - tr(U^4)) / 2
 * and the energy per undeformed volume
 *
 *     W = c10 (I1 J^-2/3 - 3) + c01 (I2 J^-4/3 - 3) + K / 2 (J - 1)^2
 *
 * (Wriggers 2008, Nonlinear Finite Element Methods, section 3.3), the stress is its gradient. With
 * A = U^-1, V = dI2/dU = 2 (I1 U - U^3), a = c10 J^-2/3, b = c01 J^-4/3
 *
 *     T  = a (2 U - 2/3 I1 A) + b (V - 4/3 I2 A) + K (J - 1) J A,
 *     dT = 2 (a + b I1) dU + 4 b (U : dU) U - 2 b (U^2 dU + U dU U + dU U^2)
 *          - (P : dU) A - (A : dU) P + r (A : dU) A + q A dU A,
 *     P = 4/3 (a U + b V),  q = 2/3 a I1 + 4/3 b I2 - K (J - 1) J,
 *     r = 4/9 a I1 + 16/9 b I2 + K (2 J - 1) J.
 *
 * At U = I the tangent is that of the shear
 * modulus 2 (c10 + c01) and the bulk modulus K. Where J <= 0 there is no stress: it is NaN, and a
 * step that leads there fails. constants: c10, c01, K. */
#ifndef EW_LAW_MOONEY_RIVLIN_H
#define EW_LAW_MOONEY_RIVLIN_H

#include "law_neo_hookean.h"

#if EW_HAS_DOUBLE

/* Of x > 0, by Halley's iteration: with arithmetic alone host and device agree bit for bit, which
 * their functions `cbrt` need not. */
static inline double ew_cube_root(double x)
{
    double root = 1.0, last = 0.0;
    for (int k = 0; k < 60 && fabs(root - last) > 4e-16 * root; k++) {
        const double cube = root * root * root;
        last = root;
        root = root * ((cube + 2.0 * x) / (2.0 * cube + x));
    }
    return root;
}

/* square [6] = s s of a symmetric s [6]. */
static inline void ew_square_of_six(const double *s, double *square)
{
    for (int m = 0; m < 6; m++) {
        const int i = m < 3 ? m : m == 4 ? 1 : 0, k = m < 3 ? m : m == 3 ? 1 : 2;
        square[m] = 0.0;
        for (int n = 0; n < 3; n++) {
            square[m] += ew_entry_of_six(s, i, n) * ew_entry_of_six(s, n, k);
        }
    }
}

/* Common terms of stress, tangent and energy. */
typedef struct ew_mooney_rivlin_point {
    double u[6], a[6]; /* U, its inverse */
    double square[6];  /* U^2 */
    double v[6];       /* dI2/dU */
    double j, i1, i2;
    double first, second; /* c10 J^-2/3, c01 J^-4/3 */
} ew_mooney_rivlin_point;

static inline ew_mooney_rivlin_point ew_mooney_rivlin_at(const double *constants,
                                                         const double *strain)
{
    ew_mooney_rivlin_point p;
    p.j = ew_stretch_inverse(strain, p.u, p.a);
    ew_square_of_six(p.u, p.square);
    p.i1 = p.square[0] + p.square[1] + p.square[2];
    p.i2 = (p.square[0] * p.square[1] - p.square[3] * p.square[3]) +
           (p.square[1] * p.square[2] - p.square[4] * p.square[4]) +
           (p.square[2] * p.square[0] - p.square[5] * p.square[5]);
    /* U^3 = I1' U^2 - I2' U + J I of the invariants of U itself (Cayley and Hamilton) */
    const double trace = p.u[0] + p.u[1] + p.u[2], minors = 0.5 * (trace * trace - p.i1);
    for (int m = 0; m < 6; m++) {
        const double cube = (trace * p.square[m] - minors * p.u[m]) + (m < 3 ? p.j : 0.0);
        p.v[m] = 2.0 * (p.i1 * p.u[m] - cube);
    }
    const double root = 1.0 / ew_cube_root(p.j), power = root * root;
    p.first = constants[0] * power;
    p.second = constants[1] * (power * power);
    return p;
}

/* tangent: all 21, or null. */
static inline void ew_mooney_rivlin_respond(const double *constants, const double *strain,
                                            double *stress, double *tangent)
{
    const double bulk = constants[2];
    const ew_mooney_rivlin_point p = ew_mooney_rivlin_at(constants, strain);
    const double a = p.first, b = p.second, pressure = bulk * ((p.j - 1.0) * p.j);
    const double q = (2.0 / 3.0 * a * p.i1 + 4.0 / 3.0 * b * p.i2) - pressure;
    const double r =
        (4.0 / 9.0 * a * p.i1 + 16.0 / 9.0 * b * p.i2) + bulk * ((2.0 * p.j - 1.0) * p.j);
    double mixed[6];
    for (int i = 0; i < 6; i++) {
        stress[i] = (2.0 * a * p.u[i] + b * p.v[i]) - q * p.a[i];
        mixed[i] = 4.0 / 3.0 * (a * p.u[i] + b * p.v[i]);
    }
    int at = 0;
    for (int m = 0; m < 6 && tangent; m++) {
        const int i = m < 3 ? m : m == 4 ? 1 : 0, k = m < 3 ? m : m == 3 ? 1 : 2;
        for (int n = m; n < 6; n++) {
            const int o = n < 3 ? n : n == 4 ? 1 : 0, s = n < 3 ? n : n == 3 ? 1 : 2;
            const double inverses = ew_entry_of_six(p.a, i, o) * ew_entry_of_six(p.a, k, s) +
                                    ew_entry_of_six(p.a, i, s) * ew_entry_of_six(p.a, k, o);
            const double stretches = ew_entry_of_six(p.u, i, o) * ew_entry_of_six(p.u, k, s) +
                                     ew_entry_of_six(p.u, i, s) * ew_entry_of_six(p.u, k, o);
            const double squares = (k == s ? ew_entry_of_six(p.square, i, o) : 0.0) +
                                   (k == o ? ew_entry_of_six(p.square, i, s) : 0.0) +
                                   (i == o ? ew_entry_of_six(p.square, k, s) : 0.0) +
                                   (i == s ? ew_entry_of_six(p.square, k, o) : 0.0);
            const double same = m == n ? (m < 3 ? 2.0 : 1.0) * (a + b * p.i1) : 0.0;
            tangent[at++] = ((same + 4.0 * b * (p.u[m] * p.u[n])) - b * (squares + stretches)) -
                            (mixed[m] * p.a[n] + p.a[m] * mixed[n]) +
                            (r * (p.a[m] * p.a[n]) + 0.5 * q * inverses);
        }
    }
}

#endif
#endif
