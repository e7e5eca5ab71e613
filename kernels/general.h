/* The linear tet of any law, at small or large rotations, shared by host and device: only scalars
 * and private arrays, every operation in a fixed order, so that both give the same bits. Strain is
 * with engineering shear, in the frame that turns with the tet; the theory is that of
 * corotational.h, here with a stress that need not commute with the stretch. */
#ifndef EW_GENERAL_H
#define EW_GENERAL_H

#include "anisotropic.h"
#include "corotational.h"

#if EW_HAS_DOUBLE

/* Gradients g [4][3], rotation r [3][3] (the identity unless the tet turns) and strain [6] of
 * displacements u [4][3]; returns the volume. */
static inline double ew_general_motion(const int turns, const double *x, const double *u, double *g,
                                       double *r, double *strain)
{
    const double volume = ew_tet_gradients(x, g);
    double f[9];
    if (!turns) {
        for (int i = 0; i < 9; i++) {
            r[i] = i % 4 == 0 ? 1.0 : 0.0;
        }
        ew_tet_strain(g, u, strain);
        return volume;
    }
    ew_deformation_gradient(g, u, f);
    ew_polar_rotation(f, r);
    ew_biot_strain(f, r, strain);
    for (int i = 3; i < 6; i++) {
        strain[i] *= 2.0;
    }
    return volume;
}

/* strain [6] as ew_strain_seen_from, of a tet that turns. */
static inline void ew_general_seen_from(const double *g, const double *u, const double *from,
                                        double *strain)
{
    double f[9];
    ew_deformation_gradient(g, u, f);
    ew_strain_seen_from(g, f, from, strain);
    for (int i = 3; i < 6; i++) {
        strain[i] *= 2.0;
    }
}

/* ---- forces ---------------------------------------------------------------------- */

/* s [3][3] = I + E. */
static inline void ew_stretch_of(const double *strain, double *s)
{
    const double e[6] = {1.0 + strain[0], 1.0 + strain[1], 1.0 + strain[2],
                         0.5 * strain[3], 0.5 * strain[4], 0.5 * strain[5]};
    ew_full_of_six(e, s);
}

/* inverse [3][3] of tr(S) I - S; 0 where it is not positive. */
static inline int ew_spin_inverse_of(const double *strain, double *inverse)
{
    double tensor[6];
    for (int i = 0; i < 6; i++) {
        tensor[i] = i < 3 ? strain[i] : 0.5 * strain[i];
    }
    return ew_spin_inverse(tensor, inverse);
}

/* The axial vector a of the skew part of m: [a] = (m - m^T) / 2. */
static inline void ew_axial_of(const double *m, double *a)
{
    a[0] = 0.5 * (m[7] - m[5]);
    a[1] = 0.5 * (m[2] - m[6]);
    a[2] = 0.5 * (m[3] - m[1]);
}

static inline void ew_cross_of(const double *a, double *m)
{
    m[0] = m[4] = m[8] = 0.0;
    m[7] = a[0];
    m[5] = -a[0];
    m[2] = a[1];
    m[6] = -a[1];
    m[3] = a[2];
    m[1] = -a[2];
}

static inline void ew_apply(const double *m, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) {
        b[i] = (m[3 * i] * a[0] + m[3 * i + 1] * a[1]) + m[3 * i + 2] * a[2];
    }
}

/* sigma [3][3] = stress + 2 [c], c [3] as in corotational.h. */
static inline void ew_turned_stress(const double *strain, const double *stress, double *sigma,
                                    double *c, double *inverse)
{
    double s[9], product[9], b[3], skew[9];
    ew_full_of_six(stress, sigma);
    c[0] = c[1] = c[2] = 0.0;
    if (!ew_spin_inverse_of(strain, inverse)) {
        return;
    }
    ew_stretch_of(strain, s);
    ew_times(s, sigma, product);
    ew_axial_of(product, b);
    ew_apply(inverse, b, c);
    ew_cross_of(c, skew);
    for (int i = 0; i < 9; i++) {
        sigma[i] += 2.0 * skew[i];
    }
}

/* force [3][3]: on corners 1 to 3. */
static inline void ew_general_force(const int turns, double volume, const double *g,
                                    const double *r, const double *strain, const double *stress,
                                    double *force)
{
    double sigma[9], c[3], inverse[9], p[9];
    if (turns) {
        ew_turned_stress(strain, stress, sigma, c, inverse);
        ew_times(r, sigma, p);
    } else {
        ew_full_of_six(stress, p);
    }
    ew_force_of_corners(g, volume, p, force);
}

/* ---- the tangent ----------------------------------------------------------------- */

/* Data of the derivative of one tet. */
typedef struct ew_derivative {
    double tangent[21], r[9], s[9], stress[9], sigma[9], c[3], inverse[9];
    int turns; /* the part of dR is taken */
} ew_derivative;

/* d stress [3][3] of d strain, a symmetric tensor [3][3]. */
static inline void ew_stress_rate(const double *tangent, const double *rate, double *out)
{
    const double strain[6] = {rate[0],       rate[4],       rate[8],
                              2.0 * rate[1], 2.0 * rate[5], 2.0 * rate[2]};
    double stress[6];
    for (int i = 0; i < 6; i++) {
        stress[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            stress[i] += tangent[EW_MODULUS(i, j)] * strain[j];
        }
    }
    ew_full_of_six(stress, out);
}

static inline void ew_symmetric_part(const double *m, double *s)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            s[3 * i + j] = 0.5 * (m[3 * i + j] + m[3 * j + i]);
        }
    }
}

/* d c [3] of d S and d stress: (tr(S) I - S) dc = db - (tr(dS) I - dS) c. */
static inline void ew_rate_of_c(const ew_derivative *in, const double *ds, const double *dstress,
                                double *dc)
{
    double one[9], two[9], b[3], on_c[3];
    ew_times(ds, in->stress, one);
    ew_times(in->s, dstress, two);
    for (int i = 0; i < 9; i++) {
        one[i] += two[i];
    }
    ew_axial_of(one, b);
    ew_apply(ds, in->c, on_c);
    for (int i = 0; i < 3; i++) {
        b[i] -= (ds[0] + ds[4] + ds[8]) * in->c[i] - on_c[i];
    }
    ew_apply(in->inverse, b, dc);
}

/* dp [3][3] of df = a dyad, given as R^T df = m [3][3]. */
static inline void ew_rate_of_p(const ew_derivative *in, const double *m, double *dp)
{
    double e[9], ds[9], rate[9];
    ew_symmetric_part(m, e);
    if (!in->turns) {
        ew_stress_rate(in->tangent, e, rate);
        ew_times(in->r, rate, dp);
        return;
    }
    double a[3], w[3], spin[9], product[9], dc[3], skew[9];
    ew_axial_of(m, a);
    ew_apply(in->inverse, a, w);
    for (int i = 0; i < 3; i++) {
        w[i] *= 2.0;
    }
    ew_cross_of(w, spin);
    ew_times(spin, in->s, product);
    for (int i = 0; i < 9; i++) {
        ds[i] = m[i] - product[i];
    }
    ew_symmetric_part(ds, e);
    ew_stress_rate(in->tangent, e, rate);
    ew_rate_of_c(in, e, rate, dc);
    ew_cross_of(dc, skew);
    ew_times(spin, in->sigma, product);
    for (int i = 0; i < 9; i++) {
        rate[i] += product[i] + 2.0 * skew[i];
    }
    ew_times(in->r, rate, dp);
}

/* record [EW_GENERAL_RECORD] of a tet with gradients g and rotation r. strain and stress: those by
 * which it turns; tangent [21]: of its law. A form that is not exact takes no part of dR. */
static inline void ew_general_record(const int turns, const int form, double volume,
                                     const double *g, const double *r, const double *strain,
                                     const double *stress, const double *tangent, double *record)
{
    ew_derivative in;
    in.turns = 0;
    for (int i = 0; i < 21; i++) {
        in.tangent[i] = tangent[i];
    }
    for (int i = 0; i < 9; i++) {
        in.r[i] = r[i];
        record[i] = g[3 + i];
    }
    if (turns && form == EW_FORM_EXACT) {
        ew_stretch_of(strain, in.s);
        ew_full_of_six(stress, in.stress);
        ew_turned_stress(strain, stress, in.sigma, in.c, in.inverse);
        in.turns = ew_spin_inverse_of(strain, in.inverse);
    }
    for (int column = 0; column < 9; column++) {
        const int l = column / 3, j = column % 3;
        double m[9], dp[9];
        for (int k = 0; k < 9; k++) {
            m[k] = k % 3 == l ? r[3 * j + k / 3] : 0.0; /* R^T (e_j e_l^T) */
        }
        ew_rate_of_p(&in, m, dp);
        for (int row = 0; row <= column; row++) {
            record[9 + ew_of_45(row, column)] = volume * dp[3 * (row % 3) + row / 3];
        }
    }
}

#endif
#endif
