/* The proper rotation nearest to a matrix, shared by host and device: only scalars and private
 * arrays, only + - * / and roots, in a fixed order, so that both give the same bits. It is a
 * function of the matrix alone: no start value, so that nothing depends on what came before.
 *
 * Ordinary matrices: Newton's iteration X <- (X + X^-T) / 2 with scaling (Higham 1986, Computing
 * the polar decomposition, SIAM J. Sci. Stat. Comput. 7(4), equations 3.2 and 3.7). Inverted, flat
 * and nearly flat ones: the largest eigenvector of the 4x4 matrix N with tr(R^T F) = q . N q over
 * unit quaternions q (Horn 1987, Closed-form solution of absolute orientation, J. Opt. Soc. Am. A
 * 4(4)), by Jacobi rotations, which need nothing of N. Of equal eigenvalues the first is taken. */
#ifndef EW_POLAR_H
#define EW_POLAR_H

#include "real.h"

#ifndef __OPENCL_VERSION__
#include <math.h>
#endif

#if EW_HAS_DOUBLE

/* c = the cofactors of a [3][3], det(a) a^-T; returns det(a). */
static inline double ew_cofactors(const double *a, double *c)
{
    c[0] = a[4] * a[8] - a[5] * a[7];
    c[1] = a[5] * a[6] - a[3] * a[8];
    c[2] = a[3] * a[7] - a[4] * a[6];
    c[3] = a[2] * a[7] - a[1] * a[8];
    c[4] = a[0] * a[8] - a[2] * a[6];
    c[5] = a[1] * a[6] - a[0] * a[7];
    c[6] = a[1] * a[5] - a[2] * a[4];
    c[7] = a[2] * a[3] - a[0] * a[5];
    c[8] = a[0] * a[4] - a[1] * a[3];
    return (a[0] * c[0] + a[1] * c[1]) + a[2] * c[2];
}

static inline double ew_square_of_nine(const double *a)
{
    const double first = (a[0] * a[0] + a[1] * a[1]) + (a[2] * a[2] + a[3] * a[3]);
    const double last = (a[4] * a[4] + a[5] * a[5]) + (a[6] * a[6] + a[7] * a[7]);
    return (first + last) + a[8] * a[8];
}

/* Most sweeps of Jacobi rotations; five or six are usual. */
#define EW_JACOBI_SWEEPS 16

/* a [n][n] symmetric becomes diagonal, v [n][n] has the eigenvectors as its columns. */
static inline void ew_jacobi(double *a, double *v, const int n)
{
    for (int i = 0; i < n * n; i++) {
        v[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (int sweep = 0; sweep < EW_JACOBI_SWEEPS; sweep++) {
        int any = 0;
        for (int p = 0; p < n; p++) {
            for (int q = p + 1; q < n; q++) {
                const double off = a[n * p + q], size = fabs(a[n * p + p]) + fabs(a[n * q + q]);
                if (!(fabs(off) > 1e-17 * size)) {
                    continue;
                }
                any = 1;
                const double ratio = (a[n * q + q] - a[n * p + p]) / (2.0 * off);
                const double root = fabs(ratio) < 1e150 ? sqrt(ratio * ratio + 1.0) : fabs(ratio);
                const double t = (ratio < 0.0 ? -1.0 : 1.0) / (fabs(ratio) + root);
                const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (int k = 0; k < n; k++) {
                    const double kp = a[n * k + p], kq = a[n * k + q];
                    a[n * k + p] = c * kp - s * kq;
                    a[n * k + q] = s * kp + c * kq;
                }
                for (int k = 0; k < n; k++) {
                    const double pk = a[n * p + k], qk = a[n * q + k];
                    a[n * p + k] = c * pk - s * qk;
                    a[n * q + k] = s * pk + c * qk;
                }
                for (int k = 0; k < n; k++) {
                    const double kp = v[n * k + p], kq = v[n * k + q];
                    v[n * k + p] = c * kp - s * kq;
                    v[n * k + q] = s * kp + c * kq;
                }
            }
        }
        if (!any) {
            break;
        }
    }
}

/* By the eigenvector: any f at all; f is scaled so that its largest entry is 1. */
static inline void ew_polar_of_any(const double *f, double *r)
{
    double n[16] = {f[0] + f[4] + f[8], f[7] - f[5],        f[2] - f[6],        f[3] - f[1],
                    f[7] - f[5],        f[0] - f[4] - f[8], f[1] + f[3],        f[2] + f[6],
                    f[2] - f[6],        f[1] + f[3],        f[4] - f[0] - f[8], f[5] + f[7],
                    f[3] - f[1],        f[2] + f[6],        f[5] + f[7],        f[8] - f[0] - f[4]};
    double v[16], q[4] = {1.0, 0.0, 0.0, 0.0}; /* stays so where f is no number */
    double most = -1e300, square = 0.0;
    ew_jacobi(n, v, 4);
    for (int k = 0; k < 4; k++) {
        if (n[5 * k] > most) {
            most = n[5 * k];
            for (int i = 0; i < 4; i++) {
                q[i] = v[4 * i + k];
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        square += q[i] * q[i];
    }
    const double w = q[0], x = q[1], y = q[2], z = q[3], two = 2.0 / square;
    r[0] = 1.0 - two * (y * y + z * z);
    r[1] = two * (x * y - w * z);
    r[2] = two * (x * z + w * y);
    r[3] = two * (x * y + w * z);
    r[4] = 1.0 - two * (x * x + z * z);
    r[5] = two * (y * z - w * x);
    r[6] = two * (x * z - w * y);
    r[7] = two * (y * z + w * x);
    r[8] = 1.0 - two * (x * x + y * y);
}

/* Ordinary: the volume is at least this share of that of a cube with the same norm. */
#define EW_POLAR_ORDINARY 0.05
/* Steps of Newton's iteration; an ordinary matrix takes six at the most. */
#define EW_POLAR_STEPS 12

/* 1 where it converged. x [3][3] is the matrix, and then the rotation. Roots wait for a matrix that
 * is far from a rotation: powers of what the roots are of do for the others. */
static inline int ew_polar_of_ordinary(double *x)
{
    const double share = EW_POLAR_ORDINARY * EW_POLAR_ORDINARY;
    double c[9], d[9];
    for (int step = 0; step < EW_POLAR_STEPS; step++) {
        const double det = ew_cofactors(x, c), size = ew_square_of_nine(x);
        const double third = (1.0 / 3.0) * size, of_c = ew_square_of_nine(c);
        if (!(det > 0.0 && det * det > share * (third * third * third))) {
            return 0;
        }
        /* X^-T = c / det; scaled by gamma, gamma^4 = |c|^2 / (|X|^2 det^2), but within 1 % of 1:
         * near the end that would only add rounding */
        const double one = size * (det * det);
        const int is_near = of_c > 0.96 * one && of_c < 1.04 * one;
        const double scale = is_near ? 1.0 : sqrt(sqrt(of_c / size) / det);
        const double own = 0.5 * scale, other = 0.5 / (scale * det);
        for (int i = 0; i < 9; i++) {
            const double next = own * x[i] + other * c[i];
            d[i] = next - x[i];
            x[i] = next;
        }
        if (ew_square_of_nine(d) < 1e-16) { /* the error left is about half of it */
            return 1;
        }
    }
    return 0;
}

/* r [3][3]: the rotation, det = 1, nearest to f [3][3] in the Frobenius norm. */
static inline void ew_polar_rotation(const double *f, double *r)
{
    double largest = 0.0, scaled[9];
    for (int i = 0; i < 9; i++) {
        largest = fabs(f[i]) > largest ? fabs(f[i]) : largest;
    }
    const double by = largest > 1e-290 ? 1.0 / largest : 0.0;
    const int usual = largest > 0.1 && largest < 10.0;
    for (int i = 0; i < 9; i++) {
        scaled[i] = usual ? f[i] : by * f[i];
        r[i] = scaled[i];
    }
    if (!ew_polar_of_ordinary(r)) {
        ew_polar_of_any(scaled, r);
    }
}

#endif
#endif
