/* Yield, creep and largest plastic strain after Mueller & Gross (2004); kernels/law_creep.h. */
#include "law_creep.h"
#include "law.h"

static const ew_law_value values[] = {
    [EW_CREEP_YIELD] = {.name = "yield", .preset = NAN},
    [EW_CREEP_RATE] = {.name = "creep", .is_rate = true, .preset = NAN},
    [EW_CREEP_MAXIMUM] = {.name = "maximum", .preset = INFINITY},
    [EW_CREEP_VOLUME_PRESERVING] = {.name = "volume_preserving", .is_truth = true, .preset = 0.0},
};

static void prepare(const ew_material *material, double *constants)
{
    element_lame(material, constants);
    for (int i = 0; i < 4; i++) {
        constants[2 + i] = material->law_value[i];
    }
}

/* By the elastic strain of the stress: trace / (3 kappa) and deviator / (2 mu). */
static double yielding(const double *constants, const double *stress, const double *state)
{
    const double mu = constants[1], kappa = constants[0] + 2.0 * mu / 3.0;
    const double mean = (stress[0] + stress[1] + stress[2]) / 3.0;
    double e[6];
    (void)state;
    for (int i = 0; i < 3; i++) {
        e[i] = (stress[i] - mean) / (2.0 * mu) + (constants[5] != 0.0 ? 0.0 : mean / (3.0 * kappa));
        e[i + 3] = stress[i + 3] / mu;
    }
    return ew_law_norm(e) / constants[2];
}

const ew_law ew_law_creep = {
    .name = "creep",
    .n_value = sizeof values / sizeof *values,
    .value = values,
    .n_state = EW_MAX_LAW_STATE,
    .prepare = prepare,
    .respond = ew_creep_respond,
    .recover = ew_plastic_recover,
    .yielding = yielding,
};
