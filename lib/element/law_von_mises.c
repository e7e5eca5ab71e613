/* Von Mises plasticity with isotropic hardening, linear or by a table; kernels/law_von_mises.h. */
#include "law_von_mises.h"
#include "law.h"

#include <math.h>
#include <string.h>

static const ew_law_value values[] = {
    [EW_PLASTIC_YIELD_STRESS] = {.name = "yield_stress",
                                 .above = true,
                                 .is_stress = true,
                                 .preset = NAN},
    [EW_PLASTIC_HARDENING] = {.name = "hardening", .is_stress = true, .preset = 0.0},
};

static void prepare(const ew_material *material, double *constants)
{
    const int64_t n = material->n_hardening;
    element_lame(material, constants);
    constants[2] = n ? (double)n : 1.0;
    constants[3] = material->law_value[EW_PLASTIC_YIELD_STRESS];
    constants[4] = 0.0;
    if (n) {
        memcpy(constants + 3, material->hardening, 2 * sizeof(double) * (size_t)n);
    }
    if (n < 2) { /* the slope behind the only point */
        constants[5] = n ? 0.0 : material->law_value[EW_PLASTIC_HARDENING];
    }
}

static void respond(const double *constants, const double *strain, const double *before, double dt,
                    double *after, double *stress, double *tangent)
{
    (void)dt;
    ew_von_mises_respond(constants, strain, before, after, stress, tangent);
}

static double yielding(const double *constants, const double *stress, const double *state)
{
    double slope;
    return ew_von_mises(stress) / ew_von_mises_yield(constants, state[6], &slope);
}

/* The yield stress is linear from point to point. */
static double dissipated(const double *constants, const double *before, const double *after)
{
    const int n = (int)constants[2];
    const double end = after[EW_STATE_EQUIVALENT];
    double at = before[EW_STATE_EQUIVALENT], slope, sum = 0.0;
    for (int k = 1; k <= n && at < end; k++) {
        const double point = k < n ? fmin(constants[3 + 2 * k + 1], end) : end;
        if (point > at) {
            const double first = ew_von_mises_yield(constants, at, &slope);
            sum += (first + 0.5 * slope * (point - at)) * (point - at);
            at = point;
        }
    }
    return sum;
}

const ew_law ew_law_plastic = {
    .name = "plastic",
    .n_value = sizeof values / sizeof *values,
    .value = values,
    .has_table = true,
    .n_state = EW_MAX_LAW_STATE,
    .prepare = prepare,
    .respond = respond,
    .recover = ew_plastic_recover,
    .yielding = yielding,
    .dissipated = dissipated,
};
