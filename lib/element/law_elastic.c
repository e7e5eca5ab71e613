/* The elastic law: no state, the tangent is the moduli. */
#include "law_elastic.h"
#include "element/stiffness.h"
#include "law.h"

#include <string.h>

static void prepare(const ew_material *material, double *constants)
{
    double lame[2], moduli[EW_MODULI_WIDTH] = {0.0}, expansion[6];
    if (material->kind != EW_ISOTROPIC) {
        (void)ew_moduli_of(material, moduli, expansion); /* checked */
        memcpy(constants, moduli, EW_N_MODULI * sizeof *constants);
        return;
    }
    element_lame(material, lame);
    ew_law_isotropic_moduli(lame[0], lame[1], constants);
}

static double recover(const double *constants, const double *strain, const double *state,
                      double *stress)
{
    (void)state;
    ew_law_multiply(constants, strain, stress);
    return ew_law_energy(stress, strain);
}

static void respond(const double *constants, const double *strain, const double *before, double dt,
                    double *after, double *stress, double *tangent)
{
    (void)before, (void)dt, (void)after;
    ew_elastic_respond(constants, strain, stress, tangent);
}

const ew_law ew_law_elastic = {.name = "elastic",
                               .is_linear = true,
                               .prepare = prepare,
                               .respond = respond,
                               .recover = recover};
