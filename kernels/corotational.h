/* The linear tet that is turned with its material, shared by host and device: only scalars and
 * private arrays, every operation in a fixed order, so that both give the same bits.
 *
 * With the deformation gradient F = I + sum u_a g_a^T, g_a of the undeformed tet, and R the proper
 * rotation nearest to F, S = R^T F is symmetric and the strain E = S - I does not see rotations
 * (Biot's, in the frame that turns with the tet). A law gives the stress sigma there, the gradient
 * of its energy Psi(E) per undeformed volume. The force on corner a is V P g_a with P = dPsi/dF:
 *
 *     P = R (sigma + 2 [c]),  (tr(S) I - S) c = axial vector of the skew part of S sigma,
 *
 * [c] x = c x x. Derivation: R^T dR = [w] with (tr(S) I - S) w = 2 a, a the axial vector of the
 * skew part of R^T dF, since dS = R^T dF - [w] S is symmetric. Where sigma and S commute, as in all
 * that is isotropic, c = 0: Psi = mu |F - R|^2 + lambda / 2 tr^2(S - I) has P = 2 mu (F - R) +
 * lambda tr(S - I) R (for example McAdams et al. 2011, Efficient elasticity for character skinning,
 * ACM Trans. Graph. 30(4)), and its derivative is, with e the symmetric part of R^T dF,
 *
 *     R^T dP = 2 mu e + lambda tr(e) I + [T a],  T = 2 mu I + 2 (lambda tr(E) - 2 mu) (tr(S) I -
 * S)^-1:
 *
 * the linear stiffness with turned gradients h_a = R g_a (the warped stiffness of Mueller & Gross
 * 2004), and a part that acts on what turns alone, whose eigenvalues are (sigma_i + sigma_j) / (s_i
 * + s_j): it stiffens what is pulled, and is negative in what is compressed. */
#ifndef EW_COROTATIONAL_H
#define EW_COROTATIONAL_H

#include "polar.h"
#include "tet.h"

#if EW_HAS_DOUBLE

/* f [3][3] = I + sum over the corners of u_a g_a^T, u [4][3], g [4][3]. */
static inline void ew_deformation_gradient(const double *g, const double *u, double *f)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int a = 1; a < 4; a++) {
                sum += (u[3 * a + i] - u[i]) * g[3 * a + j];
            }
            f[3 * i + j] = i == j ? 1.0 + sum : sum;
        }
    }
}

/* s [6] = the symmetric part of r^T f, less the identity: tensor shear, xx yy zz xy yz xz. */
static inline void ew_biot_strain(const double *f, const double *r, double *e)
{
    double a[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[3 * i + j] = (r[i] * f[j] + r[3 + i] * f[3 + j]) + r[6 + i] * f[6 + j];
        }
    }
    e[0] = a[0] - 1.0;
    e[1] = a[4] - 1.0;
    e[2] = a[8] - 1.0;
    e[3] = 0.5 * (a[1] + a[3]);
    e[4] = 0.5 * (a[5] + a[7]);
    e[5] = 0.5 * (a[2] + a[6]);
}

/* m [3][3] of a symmetric tensor s [6]. */
static inline void ew_full_of_six(const double *s, double *m)
{
    m[0] = s[0];
    m[1] = m[3] = s[3];
    m[2] = m[6] = s[5];
    m[4] = s[1];
    m[5] = m[7] = s[4];
    m[8] = s[2];
}

/* c [3][3] = a b, both [3][3]. */
static inline void ew_times(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] = (a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j]) + a[3 * i + 2] * b[6 + j];
        }
    }
}

/* inverse [3][3] of tr(S) I - S, S = I + E; where it is not safely positive, which only an inverted
 * or crushed tet can be, 0 comes back, and zeros. */
static inline int ew_spin_inverse(const double *e, double *inverse)
{
    const double trace = ((3.0 + e[0]) + e[1]) + e[2];
    const double s[6] = {1.0 + e[0], 1.0 + e[1], 1.0 + e[2], e[3], e[4], e[5]};
    const double g[9] = {trace - s[0], -s[3],        -s[5], /* */
                         -s[3],        trace - s[1], -s[4], /* */
                         -s[5],        -s[4],        trace - s[2]};
    double c[9];
    const double det = ew_cofactors(g, c), size = 2.0 * trace / 3.0;
    const int safe = g[0] > 0.0 && c[8] > 0.0 && det > 1e-3 * (size * size * size);
    const double by = safe ? 1.0 / det : 0.0;
    for (int i = 0; i < 9; i++) {
        inverse[i] = safe ? by * c[i] : 0.0;
    }
    return safe;
}

/* ---- isotropic ------------------------------------------------------------- */

/* force [3][3]: on corners 1 to 3; all four add up to zero. */
static inline void ew_force_of_corners(const double *g, double volume, const double *p,
                                       double *force)
{
    for (int a = 1; a < 4; a++) {
        for (int i = 0; i < 3; i++) {
            force[3 * (a - 1) + i] = volume * ((p[3 * i] * g[3 * a] + p[3 * i + 1] * g[3 * a + 1]) +
                                               p[3 * i + 2] * g[3 * a + 2]);
        }
    }
}

/* The force of a tet with corners x [4][3], displacements u [4][3] and lame: lambda, mu. */
static inline void ew_corotational_force(const double *x, const double *u, const double *lame,
                                         double *force)
{
    double g[12], f[9], r[9], e[6], s[9], p[9];
    const double volume = ew_tet_gradients(x, g);
    ew_deformation_gradient(g, u, f);
    ew_polar_rotation(f, r);
    ew_biot_strain(f, r, e);
    const double mean = lame[0] * ((e[0] + e[1]) + e[2]), two = 2.0 * lame[1];
    double stress[6];
    for (int i = 0; i < 6; i++) {
        stress[i] = i < 3 ? mean + two * e[i] : two * e[i];
    }
    ew_full_of_six(stress, s);
    ew_times(r, s, p);
    ew_force_of_corners(g, volume, p, force);
}

/* Treatment of a tangent that is not positive semi-definite. */
enum { EW_FORM_EXACT, EW_FORM_CLAMPED, EW_FORM_WARPED };

/* t [3][3] symmetric without its negative eigenvalues. */
static inline void ew_clamp(double *t)
{
    double v[9];
    ew_jacobi(t, v, 3);
    double value[3];
    for (int k = 0; k < 3; k++) {
        value[k] = t[4 * k] > 0.0 ? t[4 * k] : 0.0;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            t[3 * i + j] = t[3 * j + i] =
                (value[0] * (v[3 * i] * v[3 * j]) + value[1] * (v[3 * i + 1] * v[3 * j + 1])) +
                value[2] * (v[3 * i + 2] * v[3 * j + 2]);
        }
    }
}

/* e [6] = the strain that f has where it is seen from the rotation of other displacements, `from`
 * [4][3]; of their own, which e has already, where that is null. Between iterations of Newton's
 * method `from` is where the last one began: e is then the strain there, continued linearly,
 * without the stretch that is but the turn of a straight update. The part of dR taken at its
 * stress converges in few iterations however slender the body is: Magisano, Leonetti & Garcea
 * (2017), How to improve efficiency and robustness of the Newton method in geometrically
 * non-linear structural problem discretized via displacement-based finite elements, Comput.
 * Methods Appl. Mech. Eng. 313 (their mixed integration points). */
static inline void ew_strain_seen_from(const double *g, const double *f, const double *from,
                                       double *e)
{
    double f_from[9], r_from[9];
    if (from) {
        ew_deformation_gradient(g, from, f_from);
        ew_polar_rotation(f_from, r_from);
        ew_biot_strain(f, r_from, e);
    }
}

/* Record of a turned tet: gradients h_1 to h_3 [3][3], V lambda, V mu, V T / 2 [6] along x, y, z.
 * from: as above, or null. */
#define EW_TURNED_RECORD 17
static inline void ew_transformed_record(const double *x, const double *u, const double *from,
                                         const double *lame, const int form, double *record)
{
    double g[12], f[9], r[9], e[6], t[9], product[9], turned[9];
    const double volume = ew_tet_gradients(x, g);
    ew_deformation_gradient(g, u, f);
    ew_polar_rotation(f, r);
    ew_biot_strain(f, r, e);
    ew_strain_seen_from(g, f, from, e);
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 3; i++) {
            const double *of = g + 3 * (a + 1);
            record[3 * a + i] = (r[3 * i] * of[0] + r[3 * i + 1] * of[1]) + r[3 * i + 2] * of[2];
        }
    }
    record[9] = volume * lame[0];
    record[10] = volume * lame[1];
    const int safe = form != EW_FORM_WARPED && ew_spin_inverse(e, t);
    const double factor = 2.0 * (lame[0] * ((e[0] + e[1]) + e[2]) - 2.0 * lame[1]);
    for (int i = 0; i < 9; i++) {
        t[i] = safe ? factor * t[i] + (i % 4 == 0 ? 2.0 * lame[1] : 0.0) : 0.0;
    }
    if (safe && form == EW_FORM_CLAMPED) {
        ew_clamp(t);
    }
    ew_times(r, t, product);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turned[3 * i + j] = (product[3 * i] * r[3 * j] + product[3 * i + 1] * r[3 * j + 1]) +
                                product[3 * i + 2] * r[3 * j + 2];
        }
    }
    const double by = 0.5 * volume;
    record[11] = by * turned[0];
    record[12] = by * turned[4];
    record[13] = by * turned[8];
    record[14] = by * turned[1];
    record[15] = by * turned[5];
    record[16] = by * turned[2];
}

/* The gradients of two corners, places p and q, from those of corners 1 to 3. Picked by comparison:
 * an index known only at run time would move private arrays to slow memory on a GPU. */
static inline void ew_pick_gradients(const double *g, const int p, const int q, double *a,
                                     double *b)
{
    for (int i = 0; i < 3; i++) {
        const double first = -((g[i] + g[3 + i]) + g[6 + i]);
        a[i] = p == 0 ? first : p == 1 ? g[i] : p == 2 ? g[3 + i] : g[6 + i];
        b[i] = q == 0 ? first : q == 1 ? g[i] : q == 2 ? g[3 + i] : g[6 + i];
    }
}

/* block [3][3] += what the record gives between two functions with gradients a and b, turned as
 * those of the record; same: they are one function, and the block is exactly symmetric.
 * What turns: a = h x u / 2 of each corner, so that (h_a x u) . (V T / 2) (h_b x v) comes on top of
 * the linear block. */
static inline void ew_transformed_add_between(const double *record, const double *a,
                                              const double *b, const int same, double *block)
{
    double k[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, m[9];
    ew_tet_add_block(a, b, record[9], record[10], k);
    const double xx = record[11], yy = record[12], zz = record[13];
    const double xy = record[14], yz = record[15], xz = record[16];
    /* m = T [b] */
    m[0] = xy * b[2] - xz * b[1];
    m[1] = xz * b[0] - xx * b[2];
    m[2] = xx * b[1] - xy * b[0];
    m[3] = yy * b[2] - yz * b[1];
    m[4] = yz * b[0] - xy * b[2];
    m[5] = xy * b[1] - yy * b[0];
    m[6] = yz * b[2] - zz * b[1];
    m[7] = zz * b[0] - xz * b[2];
    m[8] = xz * b[1] - yz * b[0];
    /* k += [a]^T m */
    k[0] += a[2] * m[3] - a[1] * m[6];
    k[1] += a[2] * m[4] - a[1] * m[7];
    k[2] += a[2] * m[5] - a[1] * m[8];
    k[3] += a[0] * m[6] - a[2] * m[0];
    k[4] += a[0] * m[7] - a[2] * m[1];
    k[5] += a[0] * m[8] - a[2] * m[2];
    k[6] += a[1] * m[0] - a[0] * m[3];
    k[7] += a[1] * m[1] - a[0] * m[4];
    k[8] += a[1] * m[2] - a[0] * m[5];
    k[3] = same ? k[1] : k[3];
    k[6] = same ? k[2] : k[6];
    k[7] = same ? k[5] : k[7];
    for (int i = 0; i < 9; i++) {
        block[i] += k[i];
    }
}

/* block [3][3] += K_pq of the record, of corners p and q. */
static inline void ew_transformed_add(const double *record, const int p, const int q, double *block)
{
    double a[3], b[3];
    ew_pick_gradients(record, p, q, a, b);
    ew_transformed_add_between(record, a, b, p == q, block);
}

/* ---- any moduli ---------------------------------------------------------------- */

/* Record of a tet with any law: gradients g_1 to g_3 [3][3], and V dP/dF: dP_ik / dF_jl, its rows
 * (k, i) and columns (l, j), the upper triangle row by row [45]. */
#define EW_GENERAL_RECORD 54
static inline int ew_of_45(const int row, const int column)
{
    return row <= column ? row * (17 - row) / 2 + column : column * (17 - column) / 2 + row;
}

/* As ew_transformed_add_between; gradients are those of the undeformed tet. */
static inline void ew_general_add_between(const double *record, const double *a, const double *b,
                                          const int same, double *block)
{
    double k[9];
    const double *c = record + 9;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int m = 0; m < 3; m++) {
                const int row = 3 * m + i;
                const double part = (c[ew_of_45(row, j)] * b[0] + c[ew_of_45(row, 3 + j)] * b[1]) +
                                    c[ew_of_45(row, 6 + j)] * b[2];
                sum += a[m] * part;
            }
            k[3 * i + j] = sum;
        }
    }
    k[3] = same ? k[1] : k[3];
    k[6] = same ? k[2] : k[6];
    k[7] = same ? k[5] : k[7];
    for (int i = 0; i < 9; i++) {
        block[i] += k[i];
    }
}

static inline void ew_general_add(const double *record, const int p, const int q, double *block)
{
    double a[3], b[3];
    ew_pick_gradients(record, p, q, a, b);
    ew_general_add_between(record, a, b, p == q, block);
}

#endif
#endif
