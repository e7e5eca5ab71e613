/* One tet whose force is no linear function of its displacement: displacement in, rotation, strain,
 * force and the record that blocks are made of out. Formulas and derivation:
 * kernels/general.h, kernels/corotational.h. */
#include "element/parts/element.h"
#include "general.h"
#include "volumetric.h"

#include <string.h>

_Static_assert(EW_RECORD_OF_TURNED == EW_TURNED_RECORD && EW_RECORD_OF_GENERAL == EW_GENERAL_RECORD,
               "records are those of the kernels");
_Static_assert((int)EW_TANGENT_EXACT == EW_FORM_EXACT &&
                   (int)EW_TANGENT_CLAMPED == EW_FORM_CLAMPED &&
                   (int)EW_TANGENT_WARPED == EW_FORM_WARPED,
               "forms are those of the kernels");
_Static_assert((int)EW_VOLUME_TRACE == EW_MEASURE_TRACE &&
                   (int)EW_VOLUME_SQUARE == EW_MEASURE_SQUARE &&
                   (int)EW_VOLUME_LOG == EW_MEASURE_LOG,
               "volumetric energies are those of the kernels");

void ew_tet_move(ew_kinematics kinematics, const double *x, const double *u, ew_tet_motion *motion)
{
    motion->volume = ew_general_motion(kinematics == EW_COROTATIONAL, x, u, motion->g, motion->r,
                                       motion->strain);
}

/* dE, the symmetric part of R^T dF - [w] S, (tr(S) I - S) w = 2 axial(R^T dF): corotational.h. */
void ew_tet_strain_rate(ew_kinematics kinematics, const ew_tet_motion *motion, const double *du,
                        double *strain)
{
    const double *g = motion->g, *r = motion->r;
    double m[9], e[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] = 0.0;
            for (int a = 0; a < 4; a++) {
                const double *d = du + 3 * a;
                const double turned = (r[i] * d[0] + r[3 + i] * d[1]) + r[6 + i] * d[2];
                m[3 * i + j] += turned * g[3 * a + j];
            }
        }
    }
    if (kinematics == EW_COROTATIONAL) {
        double inverse[9], s[9], axial[3], w[3], spin[9], product[9];
        (void)ew_spin_inverse_of(motion->strain, inverse);
        ew_stretch_of(motion->strain, s);
        ew_axial_of(m, axial);
        ew_apply(inverse, axial, w);
        ew_cross_of(w, spin);
        ew_times(spin, s, product);
        for (int i = 0; i < 9; i++) {
            m[i] -= 2.0 * product[i];
        }
    }
    ew_symmetric_part(m, e);
    const double six[6] = {e[0], e[4], e[8], 2.0 * e[1], 2.0 * e[5], 2.0 * e[2]};
    memcpy(strain, six, sizeof six);
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

void ew_respond_elastically(const ew_materials *materials, int32_t region, const double *strain,
                            const double *state, double *stress, double *tangent)
{
    const double *lame =
        (materials->is_mixed ? materials->deviatoric : materials->lame) + 2 * (size_t)region;
    (void)ew_respond_again(materials, region, strain, state, stress);
    ew_law_isotropic_moduli(lame[0], lame[1], tangent);
}

void ew_tet_force(ew_kinematics kinematics, const ew_tet_motion *motion, const double *stress,
                  double *force)
{
    ew_general_force(kinematics == EW_COROTATIONAL, motion->volume, motion->g, motion->r,
                     motion->strain, stress, force);
}

void ew_tet_general_record(ew_kinematics kinematics, const ew_tet_motion *motion,
                           const double *stress, const double *tangent, ew_tangent_form form,
                           double *record)
{
    ew_general_record(kinematics == EW_COROTATIONAL, (int)form, motion->volume, motion->g,
                      motion->r, motion->strain, stress, tangent, record);
}

/* With the stretch S and the stress T + 2 [c] of corotational.h P = R (T + 2 [c]), and the Cauchy
 * stress is P F^T / J = R (T + 2 [c]) S R^T / J: a symmetric tensor, as c is chosen. */
void ew_tet_true_stress(const ew_tet_motion *motion, double *stress)
{
    double s[9], sigma[9], c[3], inverse[9], product[9], m[9];
    ew_stretch_of(motion->strain, s);
    const double j = (s[0] * (s[4] * s[8] - s[5] * s[7]) + s[1] * (s[5] * s[6] - s[3] * s[8])) +
                     s[2] * (s[3] * s[7] - s[4] * s[6]);
    if (!(j > 0.0)) {
        return;
    }
    ew_turned_stress(motion->strain, stress, sigma, c, inverse);
    ew_times(sigma, s, product);
    ew_symmetric_part(product, m);
    const double six[6] = {m[0] / j, m[4] / j, m[8] / j, m[1] / j, m[5] / j, m[2] / j};
    memcpy(stress, six, sizeof six);
}

void ew_rotate_tensor(const double *r, const double *s, double *m)
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
