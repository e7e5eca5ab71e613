/* The keys of a case: fatigue, of a material and of the case. */
#include "case/schema_keys.h"

/* clang-format off: a row a key */

static const ew_case_key material_fatigue[] = {
    {.name = "points", .kind = EW_KEY_LIST, .item = EW_KEY_NUMBERS, .unit = "1, force/length^2",
     .help = "list of [cycles, stress amplitude] under full reversal, straight in logarithms"},
    {.name = "strength", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_keys, strength), ABOVE(0),
     .unit = "force/length^2",
     .help = "in place of points: Sf of the amplitude Sf (2 N)^exponent (Basquin)"},
    {.name = "exponent", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_keys, exponent), .low = -1,
     .high = -1e-3, .rule = "it must be from -1 to -0.001", .help = "exponent of the same"},
    {.name = "knee", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_keys, knee), ABOVE(0.5),
     .help = "cycles from which on another exponent holds"},
    {.name = "knee_exponent", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_keys, knee_exponent),
     .low = -1, .high = -1e-3, .rule = "it must be from -1 to -0.001", .help = "that exponent"},
    {.name = "endurance_limit", .kind = EW_KEY_NUMBER,
     AT(ew_case_fatigue_keys, curve.endurance_limit), ABOVE(0), .unit = "force/length^2",
     .help = "amplitude up to which cycles do no damage; none unless given"},
    {.name = "walker", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_keys, curve.walker), .low = 0,
     .high = 1, .above = true, .help = "Walker's exponent of the amplitude; 0.5 is 'swt'"},
    {.name = "surface", .kind = EW_KEY_CHOICE, .words = EW_FATIGUE_SURFACES,
     .help = "finish of the surface, a factor on amplitudes by the ultimate strength"},
    {.name = "factors", .kind = EW_KEY_NUMBERS,
     .help = "other factors on amplitudes of the curve: size, load, temperature"},
    {.name = "survival", .kind = EW_KEY_SHARE, AT(ew_case_fatigue_keys, survival), .low = 0,
     .high = 1, .above = true,
     .help = "share of parts that last longer, where the curve is of 50 %"},
    {.name = "scatter", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_keys, scatter), FROM(0),
     .help = "standard deviation of the logarithm (base 10) of the life, which survival is by"},
};
SECTION(ew_section_material_fatigue, "fatigue", material_fatigue);

static const ew_case_key fatigue[] = {
    {.name = "history", .kind = EW_KEY_LIST, .item = EW_KEY_MAPPING, .is_required = true,
     .of = &ew_section_fatigue_block, .help = "blocks of steps that one repeat consists of"},
    {.name = "life", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue, life), ABOVE(0), .preset = "1",
     .help = "repeats of the history that the safety is for"},
    {.name = "stress", .kind = EW_KEY_CHOICE, .words = EW_FATIGUE_STRESS_WORDS,
     .preset = "critical_plane", .help = "number that stands for the stress tensor"},
    {.name = "mean_stress", .kind = EW_KEY_CHOICE, .words = EW_MEAN_STRESS_WORDS,
     .preset = "goodman", .help = "correction for mean stress"},
};
SECTION(ew_section_fatigue, "fatigue", fatigue);

static const ew_case_key fatigue_block[] = {
    {.name = "steps", .kind = EW_KEY_TEXT | EW_KEY_LIST, .item = EW_KEY_TEXT, .is_required = true,
     .help = "steps and combinations in this order, over and over; of a dynamic step all outputs"},
    {.name = "ratio", .kind = EW_KEY_NUMBER,
     .help = "of a linear step: the other end of its cycle, as a multiple of it; -1: reversed"},
    {.name = "cycles", .kind = EW_KEY_NUMBER, AT(ew_case_fatigue_block, cycles), ABOVE(0),
     .preset = "1", .help = "how often, in a repeat of the history"},
};
SECTION(ew_section_fatigue_block, "a block of the history", fatigue_block);
