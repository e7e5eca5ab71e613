/* The keys of `harmonic:`, `spectrum:` and `random:` of a step. */
#include "case/schema_keys.h"

/* clang-format off: a row a key */

#define RESPONSE(is_always)                                                                        \
    {.name = "modes",                                                                              \
     .kind = EW_KEY_INTEGER,                                                                       \
     AT(ew_case_response, n_mode),                                                                 \
     WITHIN(1, EW_MAX_MODES),                                                                      \
     .preset = "10",                                                                               \
     .help = "number of modes"},                                                                   \
    {                                                                                              \
        .name = "damping", .kind = EW_KEY_SHARE, AT(ew_case_response, damping), WITHIN(1e-6, 0.5), \
        .is_required = is_always, .rule = "it must be a share of the critical damping, 1e-6 to 0.5", \
        .help = "damping of each mode, share of the critical one"                                  \
    }
#define BASE(columns, text)                                                                                 \
    {.name = "direction",                                                                          \
     .kind = EW_KEY_AXIS,                                                                          \
     .is_required = true,                                                                          \
     .help = "of the acceleration of all supports"},                                               \
    {                                                                                              \
        .name = "table", .kind = EW_KEY_LIST, .item = EW_KEY_NUMBERS, .is_required = true,         \
        .unit = columns, .help = text                                                                               \
    }

static const ew_case_key harmonic[] = {
    {.name = "method",
     .kind = EW_KEY_CHOICE,
     .words = "modes direct",
     .preset = "modes",
     .help = "by vibration modes, or by the matrices at each frequency"},
    RESPONSE(false),
    {.name = "rayleigh",
     .kind = EW_KEY_MAPPING,
     .of = &ew_section_rayleigh,
     .help = "Rayleigh damping"},
    {.name = "structural",
     .kind = EW_KEY_SHARE,
     AT(ew_case_response, more.structural),
     WITHIN(0, 1),
     .preset = "0",
     .help = "structural (hysteretic) damping: the loss factor of all material and springs"},
    {.name = "frequencies",
     .kind = EW_KEY_NUMBERS | EW_KEY_MAPPING,
     .of = &ew_section_frequencies,
     .is_required = true,
     .unit = "1/time",
     .help = "frequencies of the loads, a record each: a list, or evenly from one to another"},
};
SECTION(ew_section_harmonic, "harmonic", harmonic);

static const ew_case_key frequencies[] = {
    {.name = "from",
     .kind = EW_KEY_NUMBER,
     .is_required = true,
     .unit = "1/time",
     .help = "the lowest"},
    {.name = "to",
     .kind = EW_KEY_NUMBER,
     .is_required = true,
     .unit = "1/time",
     .help = "the highest"},
    {.name = "count",
     .kind = EW_KEY_INTEGER,
     .is_required = true,
     WITHIN(2, EW_MAX_FREQUENCIES),
     .help = "number of frequencies, at equal distances"},
};
SECTION(ew_section_frequencies, "frequencies", frequencies);

static const ew_case_key rayleigh[] = {
    {.name = "mass",
     .what = "rayleigh: mass",
     .kind = EW_KEY_NUMBER,
     AT(ew_damping, mass),
     FROM(0),
     .unit = "1/time",
     .preset = "0",
     .help = "factor of the mass matrix"},
    {.name = "stiffness",
     .what = "rayleigh: stiffness",
     .kind = EW_KEY_NUMBER,
     AT(ew_damping, stiffness),
     FROM(0),
     .unit = "time",
     .preset = "0",
     .help = "factor of the stiffness matrix"},
};
SECTION(ew_section_rayleigh, "rayleigh", rayleigh);

static const ew_case_key spectrum[] = {
    RESPONSE(true),
    BASE("1/time, length/time^2", "frequencies and spectral accelerations"),
    {.name = "combine",
     .kind = EW_KEY_CHOICE,
     .words = "srss cqc",
     .preset = "cqc",
     .help = "combination of the modes"},
};
SECTION(ew_section_spectrum, "spectrum", spectrum);

static const ew_case_key random_motion[] = {
    RESPONSE(true),
    BASE("1/time, length^2/time^3", "frequencies and one-sided spectral densities"),
};
SECTION(ew_section_random, "random", random_motion);
