/* Compressible neo-Hookean material; kernels/law_neo_hookean.h. */
#include "law_neo_hookean.h"
#include "law.h"

#include <math.h>

static void prepare(const ew_material *material, double *constants)
{
    element_lame(material, constants);
}

static void respond(const double *constants, const double *strain, const double *before, double dt,
                    double *after, double *stress, double *tangent)
{
    (void)before, (void)dt, (void)after;
    ew_neo_hookean_respond(constants, strain, stress, tangent);
}

static double recover(const double *constants, const double *strain, const double *state,
                      double *stress)
{
    double u[6], a[6], squares = -3.0;
    (void)state;
    const double j = ew_stretch_inverse(strain, u, a);
    ew_neo_hookean_respond(constants, strain, stress, NULL);
    for (int i = 0; i < 6; i++) {
        squares += (i < 3 ? 1.0 : 2.0) * u[i] * u[i];
    }
    return 0.5 * constants[1] * (squares - 2.0 * log(j)) +
           0.25 * constants[0] * (j * j - 1.0 - 2.0 * log(j));
}

const ew_law ew_law_neo_hookean = {.name = "neo_hookean",
                                   .needs_stretch = true,
                                   .volumetric = EW_VOLUME_LOG,
                                   .prepare = prepare,
                                   .respond = respond,
                                   .recover = recover};
