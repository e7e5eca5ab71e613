/* The linear tet with a general law, stress = D strain: its 21 moduli turned into global axes, and
 * its blocks, in double, shared by host and device. Only scalars and private arrays; every
 * operation stands in a fixed order, so that host and device give the same bits.
 *
 * Moduli are the upper triangle of D by rows, in the Voigt order xx yy zz xy yz xz with engineering
 * shear: D11 D12 .. D16 D22 .. D66. */
#ifndef EW_ANISOTROPIC_H
#define EW_ANISOTROPIC_H

#include "tet.h"

#if EW_HAS_DOUBLE

#ifndef __OPENCL_VERSION__
#include <math.h>
#endif

/* Place of D_ij, from 0, among the moduli; the Voigt number of the tensor's entry i, j, and the
 * entry of a Voigt number. */
#define EW_MODULUS(i, j)   ((i) <= (j) ? (i) * (11 - (i)) / 2 + (j) : (j) * (11 - (j)) / 2 + (i))
#define EW_VOIGT(i, j)     ((i) == (j) ? (i) : (i) + (j) == 1 ? 3 : (i) + (j) == 3 ? 4 : 5)
#define EW_VOIGT_FIRST(v)  ((v) < 3 ? (v) : (v) == 4 ? 1 : 0)
#define EW_VOIGT_SECOND(v) ((v) < 3 ? (v) : (v) == 3 ? 1 : 2)

/* Record of a region, 28 doubles: moduli [21], how its local axes are given, and of a cylinder a
 * point on its axis and the unit vector along it. */
#define EW_MODULI_CONSTANTS 28
#define EW_MODULI_GLOBAL    0.0 /* moduli are in global axes already */
#define EW_MODULI_CYLINDER  1.0 /* in radial, tangential, axial ones at the middle of the tet */
#define EW_MODULI_FIELD     2.0 /* along axes that each tet has of its own */

/* out [21]: moduli c [21] along the axes r [3][3], unit vectors by row, in global axes. Bond
 * (1943), The mathematics of the physical properties of crystals: D = T D' T^T, with stress = T
 * stress'. */
static inline void ew_moduli_rotate(const double *c, const double *r, double *out)
{
    double t[36], m[36];
    for (int v = 0; v < 6; v++) {
        const int i = EW_VOIGT_FIRST(v), j = EW_VOIGT_SECOND(v);
        for (int w = 0; w < 6; w++) {
            const int k = EW_VOIGT_FIRST(w), l = EW_VOIGT_SECOND(w);
            const double both = r[3 * k + i] * r[3 * l + j];
            t[6 * v + w] = k == l ? both : both + r[3 * l + i] * r[3 * k + j];
        }
    }
    for (int v = 0; v < 6; v++) {
        for (int w = 0; w < 6; w++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += t[6 * v + k] * c[EW_MODULUS(k, w)];
            }
            m[6 * v + w] = sum;
        }
    }
    for (int v = 0; v < 6; v++) {
        for (int w = v; w < 6; w++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += m[6 * v + k] * t[6 * w + k];
            }
            out[EW_MODULUS(v, w)] = sum;
        }
    }
}

/* v [3] -= (v . unit) unit, twice, so that what is left is across it to rounding. */
static inline void ew_take_out(const double *unit, double *v)
{
    for (int again = 0; again < 2; again++) {
        const double part = (v[0] * unit[0] + v[1] * unit[1]) + v[2] * unit[2];
        for (int c = 0; c < 3; c++) {
            v[c] -= part * unit[c];
        }
    }
}

/* r [3][3]: radial, tangential and axial unit vectors at the middle of corners x [4][3]. On the
 * axis itself, where no direction is radial, a direction across it serves: the part across it of
 * the coordinate axis that is most across. */
static inline void ew_cylinder_axes(const double *point, const double *axis, const double *x,
                                    double *r)
{
    double arm[3], size = 0.0;
    for (int c = 0; c < 3; c++) {
        arm[c] = 0.25 * ((x[c] + x[3 + c]) + (x[6 + c] + x[9 + c])) - point[c];
        size += arm[c] * arm[c];
    }
    ew_take_out(axis, arm);
    double square = (arm[0] * arm[0] + arm[1] * arm[1]) + arm[2] * arm[2];
    if (!(square > 1e-18 * size)) {
        const double u = fabs(axis[0]), v = fabs(axis[1]), w = fabs(axis[2]);
        arm[0] = u <= v && u <= w ? 1.0 : 0.0;
        arm[1] = !(u <= v && u <= w) && v <= w ? 1.0 : 0.0;
        arm[2] = 1.0 - arm[0] - arm[1];
        ew_take_out(axis, arm);
        square = (arm[0] * arm[0] + arm[1] * arm[1]) + arm[2] * arm[2];
    }
    const double length = sqrt(square);
    for (int c = 0; c < 3; c++) {
        r[c] = arm[c] / length;
        r[6 + c] = axis[c];
    }
    r[3] = r[7] * r[2] - r[8] * r[1];
    r[4] = r[8] * r[0] - r[6] * r[2];
    r[5] = r[6] * r[1] - r[7] * r[0];
}

/* r [3][3] of a tet's own axes [2][3], unit vectors at right angles; zeros: x, y, z. */
static inline void ew_given_axes(const double *given, double *r)
{
    const int none = given[0] == 0.0 && given[1] == 0.0 && given[2] == 0.0;
    for (int c = 0; c < 6; c++) {
        r[c] = none ? (double)(c % 4 == 0) : given[c];
    }
    r[6] = r[1] * r[5] - r[2] * r[4];
    r[7] = r[2] * r[3] - r[0] * r[5];
    r[8] = r[0] * r[4] - r[1] * r[3];
}

/* out [21]: moduli in global axes of a tet with corners x [4][3], from what its region has; behind
 * the corners, where that is EW_MODULI_FIELD, its own axes [2][3]. */
static inline void ew_moduli_at(const double *law, const double *x, double *out)
{
    if (law[21] != EW_MODULI_GLOBAL) {
        double r[9];
        if (law[21] == EW_MODULI_CYLINDER) {
            ew_cylinder_axes(law + 22, law + 25, x, r);
        } else {
            ew_given_axes(x + 12, r);
        }
        ew_moduli_rotate(law, r, out);
        return;
    }
    for (int k = 0; k < 21; k++) {
        out[k] = law[k];
    }
}

/* Coefficient between two components of the gradients, p [3][3] the products of theirs: entry (k,
 * l) and entry (l, k) are added to one another first, so that the transposed block has the same
 * bits. */
static inline double ew_moduli_sum(const double *p, double d00, double d11, double d22, double d01,
                                   double d10, double d12, double d21, double d02, double d20)
{
    return ((d00 * p[0] + d11 * p[4]) + d22 * p[8]) +
           (((d01 * p[1] + d10 * p[3]) + (d12 * p[5] + d21 * p[7])) + (d02 * p[2] + d20 * p[6]));
}
#define EW_MODULI_ENTRY(r0, r1, r2, s0, s1, s2)                                                    \
    ew_moduli_sum(p, d[EW_MODULUS(r0, s0)], d[EW_MODULUS(r1, s1)], d[EW_MODULUS(r2, s2)],          \
                  d[EW_MODULUS(r0, s1)], d[EW_MODULUS(r1, s0)], d[EW_MODULUS(r1, s2)],             \
                  d[EW_MODULUS(r2, s1)], d[EW_MODULUS(r0, s2)], d[EW_MODULUS(r2, s0)])

/* block [3][3] += K_ab = B_a^T (V D) B_b of one tet, a and b its gradients there, d [21] V times
 * its moduli. Exactly symmetric for a = b, and exactly the transpose of K_ba. */
static inline void ew_moduli_add_block(const double *a, const double *b, const double *d,
                                       double *block)
{
    double p[9];
    for (int k = 0; k < 9; k++) {
        p[k] = a[k / 3] * b[k % 3];
    }
    block[0] += EW_MODULI_ENTRY(0, 3, 5, 0, 3, 5);
    block[1] += EW_MODULI_ENTRY(0, 3, 5, 3, 1, 4);
    block[2] += EW_MODULI_ENTRY(0, 3, 5, 5, 4, 2);
    block[3] += EW_MODULI_ENTRY(3, 1, 4, 0, 3, 5);
    block[4] += EW_MODULI_ENTRY(3, 1, 4, 3, 1, 4);
    block[5] += EW_MODULI_ENTRY(3, 1, 4, 5, 4, 2);
    block[6] += EW_MODULI_ENTRY(5, 4, 2, 0, 3, 5);
    block[7] += EW_MODULI_ENTRY(5, 4, 2, 3, 1, 4);
    block[8] += EW_MODULI_ENTRY(5, 4, 2, 5, 4, 2);
}

/* sum [6] += xx, xy, xz, yy, yz, zz of what ew_moduli_add_block adds for a = b, with its bits. */
static inline void ew_moduli_add_diagonal(const double *a, const double *d, double *sum)
{
    double p[9];
    for (int k = 0; k < 9; k++) {
        p[k] = a[k / 3] * a[k % 3];
    }
    sum[0] += EW_MODULI_ENTRY(0, 3, 5, 0, 3, 5);
    sum[1] += EW_MODULI_ENTRY(0, 3, 5, 3, 1, 4);
    sum[2] += EW_MODULI_ENTRY(0, 3, 5, 5, 4, 2);
    sum[3] += EW_MODULI_ENTRY(3, 1, 4, 3, 1, 4);
    sum[4] += EW_MODULI_ENTRY(3, 1, 4, 5, 4, 2);
    sum[5] += EW_MODULI_ENTRY(5, 4, 2, 5, 4, 2);
}

/* ---- as functions of what the blocks of a tet share, to be compiled into loops ---- */

/* term [33]: gradients g [4][3], V times the moduli. */
static inline void ew_anisotropic_prepare(const double *x, const double *law, double *term)
{
    const double volume = ew_tet_gradients(x, term);
    double moduli[21];
    ew_moduli_at(law, x, moduli);
    for (int k = 0; k < 21; k++) {
        term[12 + k] = volume * moduli[k];
    }
}

static inline void ew_anisotropic_add(const double *term, int p, int q, double *block)
{
    ew_moduli_add_block(term + 3 * p, term + 3 * q, term + 12, block);
}

static inline void ew_anisotropic_add_diagonal(const double *term, int p, double *sum)
{
    ew_moduli_add_diagonal(term + 3 * p, term + 12, sum);
}

#endif
#endif
