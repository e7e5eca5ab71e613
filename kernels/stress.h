/* Stress of an isotropic body: what several loops share that the compiler puts side by side. Only
 * scalars and private arrays; every operation stands in a fixed order. */
#ifndef EW_STRESS_H
#define EW_STRESS_H

#include "real.h"

#if EW_HAS_DOUBLE

/* stress [6] of strain [6] with engineering shear, by lambda and mu. */
static inline void ew_isotropic_stress(const double *lame, const double *strain, double *stress)
{
    double trace = lame[0] * (strain[0] + strain[1] + strain[2]);
    for (int i = 0; i < 3; i++) {
        stress[i] = trace + 2.0 * lame[1] * strain[i];
        stress[i + 3] = lame[1] * strain[i + 3]; /* gamma = 2 eps */
    }
}

/* The square of the von Mises stress. */
static inline double ew_von_mises_square(const double *stress)
{
    double xy = stress[0] - stress[1], yz = stress[1] - stress[2], zx = stress[2] - stress[0];
    double normal = 0.5 * (xy * xy + yz * yz + zx * zx);
    double shear = stress[3] * stress[3] + stress[4] * stress[4] + stress[5] * stress[5];
    return normal + 3.0 * shear;
}

#endif
#endif
