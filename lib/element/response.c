/* One tet whose force is no linear function of its displacement: displacement in, rotation, strain,
 * force and the record that blocks are made of out. Formulas and derivation:
 * kernels/corotational.h. */
#include "corotational.h"
#include "element/element.h"

#include <string.h>

_Static_assert(EW_RECORD_OF_TURNED == EW_TURNED_RECORD && EW_RECORD_OF_GENERAL == EW_GENERAL_RECORD,
               "records are those of the kernels");
_Static_assert((int)EW_TANGENT_EXACT == EW_FORM_EXACT &&
                   (int)EW_TANGENT_CLAMPED == EW_FORM_CLAMPED &&
                   (int)EW_TANGENT_WARPED == EW_FORM_WARPED,
               "forms are those of the kernels");

void ew_tet_move(ew_kinematics kinematics, const double *x, const double *u, ew_tet_motion *motion)
{
    static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    motion->volume = ew_tet_gradients(x, motion->g);
    if (kinematics == EW_SMALL) {
        memcpy(motion->r, identity, sizeof identity);
        ew_element_strain(x, u, motion->strain);
        return;
    }
    double f[9];
    ew_deformation_gradient(motion->g, u, f);
    ew_polar_rotation(f, motion->r);
    ew_biot_strain(f, motion->r, motion->strain);
    for (int i = 3; i < 6; i++) {
        motion->strain[i] *= 2.0;
    }
}

static const double *constants_of(const ew_materials *materials, int32_t region)
{
    return materials->constants + EW_MAX_LAW_CONSTANTS * (size_t)region;
}

void ew_respond(const ew_materials *materials, int32_t region, const double *strain,
                const double *before, double dt, double *after, double *stress, double *tangent)
{
    ew_material_law(materials->material + region)
        ->respond(constants_of(materials, region), strain, before, dt, after, stress, tangent);
}

double ew_respond_again(const ew_materials *materials, int32_t region, const double *strain,
                        const double *state, double *stress)
{
    return ew_material_law(materials->material + region)
        ->recover(constants_of(materials, region), strain, state, stress);
}

/* s [3][3] = I + E of a strain with engineering shear. */
static void stretch_of(const double *strain, double *s)
{
    const double e[6] = {1.0 + strain[0], 1.0 + strain[1], 1.0 + strain[2],
                         0.5 * strain[3], 0.5 * strain[4], 0.5 * strain[5]};
    ew_full_of_six(e, s);
}

/* inverse [3][3] of tr(S) I - S; false where it is not positive. */
static bool spin_inverse_of(const double *strain, double *inverse)
{
    double tensor[6];
    for (int i = 0; i < 6; i++) {
        tensor[i] = i < 3 ? strain[i] : 0.5 * strain[i];
    }
    return ew_spin_inverse(tensor, inverse);
}

/* The axial vector a of the skew part of m: [a] = (m - m^T) / 2. */
static void axial_of(const double *m, double *a)
{
    a[0] = 0.5 * (m[7] - m[5]);
    a[1] = 0.5 * (m[2] - m[6]);
    a[2] = 0.5 * (m[3] - m[1]);
}

static void cross_of(const double *a, double *m)
{
    m[0] = m[4] = m[8] = 0.0;
    m[7] = a[0];
    m[5] = -a[0];
    m[2] = a[1];
    m[6] = -a[1];
    m[3] = a[2];
    m[1] = -a[2];
}

static void apply(const double *m, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) {
        b[i] = (m[3 * i] * a[0] + m[3 * i + 1] * a[1]) + m[3 * i + 2] * a[2];
    }
}

/* sigma [3][3] = stress + 2 [c], c [3] as in corotational.h. */
static void rotated_stress(const double *strain, const double *stress, double *sigma, double *c,
                           double *inverse)
{
    double s[9], product[9], b[3], skew[9];
    ew_full_of_six(stress, sigma);
    c[0] = c[1] = c[2] = 0.0;
    if (!spin_inverse_of(strain, inverse)) {
        return;
    }
    stretch_of(strain, s);
    ew_times(s, sigma, product);
    axial_of(product, b);
    apply(inverse, b, c);
    cross_of(c, skew);
    for (int i = 0; i < 9; i++) {
        sigma[i] += 2.0 * skew[i];
    }
}

void ew_tet_force(ew_kinematics kinematics, const ew_tet_motion *motion, const double *stress,
                  double *force)
{
    double sigma[9], c[3], inverse[9], p[9];
    if (kinematics == EW_SMALL) {
        ew_full_of_six(stress, p);
    } else {
        rotated_stress(motion->strain, stress, sigma, c, inverse);
        ew_times(motion->r, sigma, p);
    }
    ew_force_of_corners(motion->g, motion->volume, p, force);
}

/* ---- the tangent ----------------------------------------------------------------- */

/* What the derivative of one tet is made of. */
typedef struct derivative {
    const ew_tet_motion *motion;
    const double *tangent;
    double s[9], stress[9], sigma[9], c[3], inverse[9];
    bool turns; /* the part of dR is taken */
} derivative;

/* d stress [3][3] of d strain, a symmetric tensor [3][3]. */
static void stress_rate(const double *tangent, const double *rate, double *out)
{
    const double strain[6] = {rate[0],       rate[4],       rate[8],
                              2.0 * rate[1], 2.0 * rate[5], 2.0 * rate[2]};
    double stress[6];
    for (int i = 0; i < 6; i++) {
        stress[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            stress[i] += tangent[ew_modulus_at(i, j)] * strain[j];
        }
    }
    ew_full_of_six(stress, out);
}

static void symmetric_part(const double *m, double *s)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            s[3 * i + j] = 0.5 * (m[3 * i + j] + m[3 * j + i]);
        }
    }
}

/* d c [3] of d S and d stress: (tr(S) I - S) dc = db - (tr(dS) I - dS) c. */
static void rate_of_c(const derivative *in, const double *ds, const double *dstress, double *dc)
{
    double one[9], two[9], b[3], on_c[3];
    ew_times(ds, in->stress, one);
    ew_times(in->s, dstress, two);
    for (int i = 0; i < 9; i++) {
        one[i] += two[i];
    }
    axial_of(one, b);
    apply(ds, in->c, on_c);
    for (int i = 0; i < 3; i++) {
        b[i] -= (ds[0] + ds[4] + ds[8]) * in->c[i] - on_c[i];
    }
    apply(in->inverse, b, dc);
}

/* dp [3][3] of df = a dyad, given as R^T df = m [3][3]. */
static void rate_of_p(const derivative *in, const double *m, double *dp)
{
    double e[9], ds[9], rate[9];
    symmetric_part(m, e);
    if (!in->turns) {
        stress_rate(in->tangent, e, rate);
        ew_times(in->motion->r, rate, dp);
        return;
    }
    double a[3], w[3], spin[9], product[9], dc[3], skew[9];
    axial_of(m, a);
    apply(in->inverse, a, w);
    for (int i = 0; i < 3; i++) {
        w[i] *= 2.0;
    }
    cross_of(w, spin);
    ew_times(spin, in->s, product);
    for (int i = 0; i < 9; i++) {
        ds[i] = m[i] - product[i];
    }
    symmetric_part(ds, e);
    stress_rate(in->tangent, e, rate);
    rate_of_c(in, e, rate, dc);
    cross_of(dc, skew);
    ew_times(spin, in->sigma, product);
    for (int i = 0; i < 9; i++) {
        rate[i] += product[i] + 2.0 * skew[i];
    }
    ew_times(in->motion->r, rate, dp);
}

void ew_tet_general_record(ew_kinematics kinematics, const ew_tet_motion *motion,
                           const double *stress, const double *tangent, ew_tangent_form form,
                           double *record)
{
    derivative in = {.motion = motion, .tangent = tangent};
    if (kinematics == EW_COROTATIONAL && form == EW_TANGENT_EXACT) {
        stretch_of(motion->strain, in.s);
        ew_full_of_six(stress, in.stress);
        rotated_stress(motion->strain, stress, in.sigma, in.c, in.inverse);
        in.turns = spin_inverse_of(motion->strain, in.inverse);
    }
    memcpy(record, motion->g + 3, 9 * sizeof *record);
    for (int column = 0; column < 9; column++) {
        const int l = column / 3, j = column % 3;
        double m[9] = {0.0}, dp[9];
        for (int k = 0; k < 3; k++) {
            m[3 * k + l] = motion->r[3 * j + k]; /* R^T (e_j e_l^T) */
        }
        rate_of_p(&in, m, dp);
        for (int row = 0; row <= column; row++) {
            record[9 + ew_of_45(row, column)] = motion->volume * dp[3 * (row % 3) + row / 3];
        }
    }
}

void ew_turn_tensor(const double *r, const double *s, double *m)
{
    double full[9], half[9], t[9];
    ew_full_of_six(s, full);
    ew_times(r, full, half);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            t[3 * i + j] = (half[3 * i] * r[3 * j] + half[3 * i + 1] * r[3 * j + 1]) +
                           half[3 * i + 2] * r[3 * j + 2];
        }
    }
    const double out[6] = {t[0], t[4], t[8], t[1], t[5], t[2]};
    memcpy(m, out, sizeof out);
}
