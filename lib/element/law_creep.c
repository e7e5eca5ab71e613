/* Yield, creep and largest plastic strain after Mueller & Gross (2004); kernels/law_creep.h. */
#include "law_creep.h"
#include "law.h"

static const ew_law_value values[] = {
    [EW_CREEP_YIELD] = {.name = "yield", .preset = NAN},
    [EW_CREEP_RATE] = {.name = "creep", .preset = NAN},
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

const ew_law ew_law_creep = {
    .name = "creep",
    .n_value = sizeof values / sizeof *values,
    .value = values,
    .n_state = 7,
    .prepare = prepare,
    .respond = ew_creep_respond,
    .recover = ew_plastic_recover,
};
