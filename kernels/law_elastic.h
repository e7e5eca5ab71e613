/* Elastic laws at a point, in double, shared by host and device: moduli, stress and energy. Voigt
 * order xx yy zz xy yz xz, strain with engineering shear. A symmetric 6x6 matrix is its upper
 * triangle, row by row: [21] D00 D01 .. D05 D11 .. D55. Only scalars and private arrays. */
#ifndef EW_LAW_ELASTIC_H
#define EW_LAW_ELASTIC_H

#include "real.h"

#ifndef __OPENCL_VERSION__
#include <math.h>
#endif

#if EW_HAS_DOUBLE

/* y [6] = D x of a symmetric D [21]. */
static inline void ew_law_multiply(const double *moduli, const double *x, double *y)
{
    for (int i = 0; i < 6; i++) {
        y[i] = 0.0;
    }
    int at = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            y[i] += moduli[at] * x[j];
            if (j > i) {
                y[j] += moduli[at] * x[i];
            }
            at++;
        }
    }
}

/* The moduli lambda 1 1^T + 2 mu I; engineering shear has mu. */
static inline void ew_law_isotropic_moduli(double lambda, double mu, double *moduli)
{
    int at = 0;
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            const double normal = j < 3 ? lambda : 0.0;
            const double diagonal = i < 3 ? mu + mu : mu;
            moduli[at++] = i == j ? normal + diagonal : normal;
        }
    }
}

static inline void ew_law_isotropic_stress(double lambda, double mu, const double *elastic,
                                           double *stress)
{
    const double trace = lambda * ((elastic[0] + elastic[1]) + elastic[2]);
    for (int i = 0; i < 3; i++) {
        stress[i] = trace + 2.0 * mu * elastic[i];
        stress[i + 3] = mu * elastic[i + 3];
    }
}

/* Half of stress times elastic strain. */
static inline double ew_law_energy(const double *stress, const double *elastic)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) {
        sum += stress[i] * elastic[i];
    }
    return 0.5 * sum;
}

/* tangent: all 21, or null. */
static inline void ew_elastic_respond(const double *moduli, const double *strain, double *stress,
                                      double *tangent)
{
    ew_law_multiply(moduli, strain, stress);
    for (int i = 0; i < 21 && tangent; i++) {
        tangent[i] = moduli[i];
    }
}

/* Elastic stress of what is left of a strain without the plastic one that begins the state, and the
 * energy stored in it. constants begin with lambda and mu. */
static inline double ew_plastic_recover(const double *constants, const double *strain,
                                        const double *state, double *stress)
{
    double elastic[6];
    for (int i = 0; i < 6; i++) {
        elastic[i] = strain[i] - state[i];
    }
    ew_law_isotropic_stress(constants[0], constants[1], elastic, stress);
    return ew_law_energy(stress, elastic);
}

/* out [6] = deviator of a strain, which keeps engineering shear. */
static inline void ew_law_deviator(const double *strain, double *out)
{
    const double mean = ((strain[0] + strain[1]) + strain[2]) / 3.0;
    for (int i = 0; i < 3; i++) {
        out[i] = strain[i] - mean;
        out[i + 3] = strain[i + 3];
    }
}

/* Frobenius norm of the tensor with this engineering strain: each shear gamma = 2 eps stands in it
 * twice, so that it counts half of gamma squared. The same in all axes. */
static inline double ew_law_norm(const double *strain)
{
    const double normal = (strain[0] * strain[0] + strain[1] * strain[1]) + strain[2] * strain[2];
    const double shear = (strain[3] * strain[3] + strain[4] * strain[4]) + strain[5] * strain[5];
    return sqrt(normal + 0.5 * shear);
}

/* Equivalent plastic strain [6] = sqrt(2/3) |d| of what flowed, d. */
static inline double ew_law_equivalent(const double *flowed)
{
    return sqrt(2.0 / 3.0) * ew_law_norm(flowed);
}

#endif
#endif
