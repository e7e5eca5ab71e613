/* Compressible Mooney-Rivlin material; kernels/law_mooney_rivlin.h. */
#include "law_mooney_rivlin.h"
#include "law.h"

#include <math.h>

static const ew_law_value values[] = {
    {.name = "c10", .above = true, .is_stress = true, .preset = NAN},
    {.name = "c01", .is_stress = true, .preset = NAN}};

/* Linear analyses, and step lengths, take the elastic constants: those of small strains. */
static ew_status check(const ew_material *material)
{
    const double share = 1e-3; /* data sheets have three or four digits */
    const double shear = 2.0 * (material->law_value[0] + material->law_value[1]);
    double lame[2];
    element_lame(material, lame);
    if (!(fabs(shear - lame[1]) <= share * lame[1])) {
        return ew_fail(
            EW_BAD_ARGUMENT,
            "mooney_rivlin: c10 and c01 have the shear modulus 2 (c10 + c01) = %g, young "
            "and poisson %g; with this poisson young must be %.6g",
            shear, lame[1], 2.0 * shear * (1.0 + material->poisson));
    }
    return EW_OK;
}

static void prepare(const ew_material *material, double *constants)
{
    double lame[2];
    element_lame(material, lame);
    constants[0] = material->law_value[0];
    constants[1] = material->law_value[1];
    constants[2] = lame[0] + 2.0 / 3.0 * lame[1];
}

static void respond(const double *constants, const double *strain, const double *before, double dt,
                    double *after, double *stress, double *tangent)
{
    (void)before, (void)dt, (void)after;
    ew_mooney_rivlin_respond(constants, strain, stress, tangent);
}

static double recover(const double *constants, const double *strain, const double *state,
                      double *stress)
{
    const ew_mooney_rivlin_point p = ew_mooney_rivlin_at(constants, strain);
    (void)state;
    ew_mooney_rivlin_respond(constants, strain, stress, NULL);
    return (p.first * p.i1 - 3.0 * constants[0]) + (p.second * p.i2 - 3.0 * constants[1]) +
           0.5 * constants[2] * ((p.j - 1.0) * (p.j - 1.0));
}

const ew_law ew_law_mooney_rivlin = {.name = "mooney_rivlin",
                                     .needs_stretch = true,
                                     .volumetric = EW_VOLUME_SQUARE,
                                     .n_value = sizeof values / sizeof *values,
                                     .value = values,
                                     .check = check,
                                     .prepare = prepare,
                                     .respond = respond,
                                     .recover = recover};
