/* The keys of `harmonic:`, `spectrum:` and `random:` of a step. */
#include "case/schema_keys.h"

/* clang-format off: a row a key */

#define RESPONSE                                                                                   \
    {.name = "modes",                                                                              \
     .kind = EW_KEY_INTEGER,                                                                       \
     AT(ew_case_response, n_mode),                                                                 \
     WITHIN(1, EW_MAX_MODES),                                                                      \
     .preset = "10",                                                                               \
     .help = "number of modes"},                                                                   \
    {                                                                                              \
        .name = "damping", .kind = EW_KEY_SHARE, AT(ew_case_response, damping), WITHIN(1e-6, 0.5), \
        .is_required = true, .rule = "it must be a share of the critical damping, 1e-6 to 0.5",    \
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
    RESPONSE,
    {.name = "frequencies",
     .kind = EW_KEY_NUMBERS,
     .is_required = true,
     .unit = "1/time",
     .help = "frequencies of the loads, a record each"},
};
SECTION(ew_section_harmonic, "harmonic", harmonic);

static const ew_case_key spectrum[] = {
    RESPONSE,
    BASE("1/time, length/time^2", "frequencies and spectral accelerations"),
    {.name = "combine",
     .kind = EW_KEY_CHOICE,
     .words = "srss cqc",
     .preset = "cqc",
     .help = "combination of the modes"},
};
SECTION(ew_section_spectrum, "spectrum", spectrum);

static const ew_case_key random_motion[] = {
    RESPONSE,
    BASE("1/time, length^2/time^3", "frequencies and one-sided spectral densities"),
};
SECTION(ew_section_random, "random", random_motion);
