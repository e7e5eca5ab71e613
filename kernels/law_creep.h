/* Plasticity of deformable bodies after Mueller & Gross (2004), Interactive Virtual Materials,
 * section 5: of the elastic strain e = strain - plastic, where |e| > yield, in a step of time dt
 *
 *   plastic += dt creep e          dt creep no more than 1: then all of it flows at once
 *   plastic *= maximum / |plastic| where |plastic| > maximum
 *
 * and the plastic strain acts by the force R_e P_e plastic, P_e = V B^T D: by the stress D plastic
 * that the elastic stress D e lacks. It is explicit: what flowed in a step acts from the next one
 * on, and within a step the body is elastic.
 *
 * Norms are of tensors (Frobenius): a shear counts twice with eps = gamma / 2, so that a turned
 * body flows alike. Norms of the six engineering strains, as the paper's notation may be read,
 * would count shear twice as much and depend on the axes. Preserving volume, the deviator of e
 * flows, and its norm is compared (O'Brien, Bargteil & Hodgins (2002), Graphical Modeling and
 * Animation of Ductile Fracture, equation 2). What would raise the stored energy does not flow:
 * only `maximum` could bring that about, and not where volume is preserved.
 *
 * constants: lambda, mu, yield, creep, maximum, 1 to preserve volume or 0.
 * state: plastic strain [6] (engineering shear), its equivalent length [1], and one more that is
 * copied. */
#ifndef EW_LAW_CREEP_H
#define EW_LAW_CREEP_H

#include "law_elastic.h"

#if EW_HAS_DOUBLE

/* The state after a time step dt; `after` may be `before`. */
static inline void ew_creep_flow(const double *constants, const double *strain,
                                 const double *before, double dt, double *after)
{
    const double yield = constants[2], maximum = constants[4];
    const double share = fmin(dt * constants[3], 1.0);
    double e[6], stress[6], next[6], flowed[6];
    for (int i = 0; i < 6; i++) {
        e[i] = strain[i] - before[i];
        after[i] = before[i];
    }
    after[6] = before[6];
    after[7] = before[7];
    if (constants[5] != 0.0) {
        ew_law_deviator(e, e);
    }
    if (!(share > 0.0) || !(ew_law_norm(e) > yield)) {
        return;
    }
    for (int i = 0; i < 6; i++) {
        next[i] = after[i] + share * e[i];
    }
    const double size = ew_law_norm(next);
    const double scale = size > maximum ? maximum / size : 1.0;
    for (int i = 0; i < 6; i++) {
        next[i] *= scale;
        flowed[i] = next[i] - after[i];
    }
    const double stored = ew_plastic_recover(constants, strain, after, stress);
    if (ew_plastic_recover(constants, strain, next, stress) > stored) {
        return;
    }
    for (int i = 0; i < 6; i++) {
        after[i] = next[i];
    }
    after[6] += ew_law_equivalent(flowed);
}

static inline void ew_creep_respond(const double *constants, const double *strain,
                                    const double *before, double dt, double *after, double *stress,
                                    double *tangent)
{
    ew_plastic_recover(constants, strain, before, stress);
    ew_creep_flow(constants, strain, before, dt, after);
    if (tangent) {
        ew_law_isotropic_moduli(constants[0], constants[1], tangent);
    }
}

#endif
#endif
