/* Units. In: texts such as "kg/m^3", or a number with a unit behind it, "210 GPa". Out: dimensions
 * and a factor to m, N, s, K, rad and bytes; or the number in the unit of a key, where words such
 * as "length" and "force" stand for the units of the case.
 *
 * A factor is a mantissa and a power of ten, so that 210 GPa in N/mm^2 is the number that 210e3
 * reads as, to the last bit. */
#include "case/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct named_unit {
    const char *name;
    double mantissa;
    int8_t exponent;
    int8_t of[EW_N_DIMENSION]; /* length, force, time, temperature, angle, data */
} named_unit;

#define LENGTH                                                                                     \
    {                                                                                              \
        1                                                                                          \
    }
#define FORCE                                                                                      \
    {                                                                                              \
        0, 1                                                                                       \
    }
#define MASS                                                                                       \
    {                                                                                              \
        -1, 1, 2                                                                                   \
    } /* 1 kg is 1 N s^2/m */
#define TIME                                                                                       \
    {                                                                                              \
        0, 0, 1                                                                                    \
    }
#define FREQUENCY                                                                                  \
    {                                                                                              \
        0, 0, -1                                                                                   \
    }
#define STRESS                                                                                     \
    {                                                                                              \
        -2, 1                                                                                      \
    }
#define ENERGY                                                                                     \
    {                                                                                              \
        1, 1                                                                                       \
    }
#define TEMPERATURE                                                                                \
    {                                                                                              \
        0, 0, 0, 1                                                                                 \
    } /* a change: none has a zero of its own here */
#define ANGLE                                                                                      \
    {                                                                                              \
        0, 0, 0, 0, 1                                                                              \
    }
#define DATA                                                                                       \
    {                                                                                              \
        0, 0, 0, 0, 0, 1                                                                           \
    }
#define POUND 4.4482216152605 /* N: 0.45359237 kg times 9.80665 m/s^2 */
#define PI    3.14159265358979323846
/* clang-format off: a row a unit */
static const named_unit units[] = {
    {"m", 1, 0, LENGTH},
    {"km", 1, 3, LENGTH},
    {"cm", 1, -2, LENGTH},
    {"mm", 1, -3, LENGTH},
    {"um", 1, -6, LENGTH},
    {"nm", 1, -9, LENGTH},
    {"in", 0.0254, 0, LENGTH},
    {"ft", 0.3048, 0, LENGTH},
    {"N", 1, 0, FORCE},
    {"mN", 1, -3, FORCE},
    {"kN", 1, 3, FORCE},
    {"MN", 1, 6, FORCE},
    {"lbf", POUND, 0, FORCE},
    {"kip", POUND, 3, FORCE},
    {"kgf", 9.80665, 0, FORCE},
    {"kg", 1, 0, MASS},
    {"g", 1, -3, MASS},
    {"mg", 1, -6, MASS},
    {"t", 1, 3, MASS},
    {"lb", 4.5359237, -1, MASS},
    {"s", 1, 0, TIME},
    {"ms", 1, -3, TIME},
    {"us", 1, -6, TIME},
    {"min", 6, 1, TIME},
    {"h", 3.6, 3, TIME},
    {"Hz", 1, 0, FREQUENCY},
    {"kHz", 1, 3, FREQUENCY},
    {"MHz", 1, 6, FREQUENCY},
    {"Pa", 1, 0, STRESS},
    {"kPa", 1, 3, STRESS},
    {"MPa", 1, 6, STRESS},
    {"GPa", 1, 9, STRESS},
    {"bar", 1, 5, STRESS},
    {"mbar", 1, 2, STRESS},
    {"psi", POUND / 6.4516, 4, STRESS},
    {"ksi", POUND / 6.4516, 7, STRESS},
    {"J", 1, 0, ENERGY},
    {"mJ", 1, -3, ENERGY},
    {"kJ", 1, 3, ENERGY},
    {"Nm", 1, 0, ENERGY},
    {"Nmm", 1, -3, ENERGY},
    {"kNm", 1, 3, ENERGY},
    {"W", 1, 0, {1, 1, -1}},
    {"K", 1, 0, TEMPERATURE},
    {"degC", 1, 0, TEMPERATURE},
    {"degF", 5.0 / 9.0, 0, TEMPERATURE},
    {"rad", 1, 0, ANGLE},
    {"mrad", 1, -3, ANGLE},
    {"deg", PI / 180.0, 0, ANGLE},
    {"degree", PI / 180.0, 0, ANGLE},
    {"rpm", 2.0 * PI / 60.0, 0, {0, 0, -1, 0, 1}},
    {"GiB", 1.073741824, 9, DATA},
    {"MiB", 1.048576, 6, DATA},
    {"kiB", 1.024, 3, DATA},
};
/* clang-format on */
static const char *const letters[][2] = {
    {"\302\265", "u"},     {"\316\274", "u"}, /* both signs of micro */
    {"\302\260C", "degC"}, {"\302\260F", "degF"}, {"\302\260", "deg"},
    {"\302\262", "^2"},    {"\302\263", "^3"},    {"\302\267", "*"},
};

static const named_unit *find_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strlen(units[i].name) == length && !memcmp(units[i].name, name, length)) {
            return &units[i];
        }
    }
    return NULL;
}

void ew_unit_multiply(ew_unit *by, const ew_unit *other, int power)
{
    for (int k = 0; k < EW_N_DIMENSION; k++) {
        by->of[k] = (int8_t)(by->of[k] + other->of[k] * power);
    }
    for (int i = 0; i < abs(power); i++) {
        by->mantissa = power < 0 ? by->mantissa / other->mantissa : by->mantissa * other->mantissa;
    }
    by->exponent += other->exponent * power;
}

/* ---- texts of units ------------------------------------------------------------------------ */

/* The signs that are no ASCII letters as those that are: "kg/m³" as "kg/m^3". */
static bool spell(const char *text, char spelled[EW_UNIT_SPELLED])
{
    size_t n = 0;
    while (*text && n + 5 < EW_UNIT_SPELLED) {
        const char *sign = NULL;
        for (size_t i = 0; i < sizeof letters / sizeof *letters && !sign; i++) {
            if (!strncmp(text, letters[i][0], strlen(letters[i][0]))) {
                sign = letters[i][1];
                text += strlen(letters[i][0]);
            }
        }
        n += sign ? (size_t)sprintf(spelled + n, "%s", sign) : (spelled[n] = *text++, 1);
    }
    spelled[n] = 0;
    return !*text;
}

/* The units that the case names, in the order of the dimensions; mass from them. */
static bool find_word(const ew_case_system *system, const char *name, size_t length, ew_unit *out)
{
    static const char *const words[] = {"length", "force", "time", "temperature", "mass"};
    for (int k = 0; system && k < 5; k++) {
        if (strlen(words[k]) != length || memcmp(words[k], name, length)) {
            continue;
        }
        *out = ew_no_unit();
        if (k < 3) {
            *out = system->unit[k];
        } else if (k == 3) {
            out->of[3] = 1;
        } else {
            ew_unit_multiply(out, &system->unit[1], 1);
            ew_unit_multiply(out, &system->unit[2], 2);
            ew_unit_multiply(out, &system->unit[0], -1);
        }
        return true;
    }
    return false;
}

static bool read_power(const char **at, int *power)
{
    *power = 1;
    if (**at != '^') {
        return true;
    }
    const bool negative = *++*at == '-';
    *at += negative;
    if (!isdigit((unsigned char)**at) || isdigit((unsigned char)(*at)[1])) {
        return false;
    }
    *power = (*(*at)++ - '0') * (negative ? -1 : 1);
    return true;
}

/* A name with a power, or 1. */
static bool read_term(const ew_case_system *system, const char **at, int sign, ew_unit *made)
{
    const size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    ew_unit term = ew_no_unit();
    int power;
    if (!length) {
        return **at == '1' && !isalnum((unsigned char)*++*at);
    }
    const named_unit *found = find_unit(*at, length);
    if (found) {
        term = (ew_unit){.mantissa = found->mantissa, .exponent = found->exponent};
        memcpy(term.of, found->of, sizeof term.of);
    } else if (!find_word(system, *at, length, &term)) {
        return false;
    }
    *at += length;
    if (!read_power(at, &power)) {
        return false;
    }
    ew_unit_multiply(made, &term, sign * power);
    return true;
}

/* Terms behind each other, "*" or "/" between them. */
bool ew_unit_read(const ew_case_system *system, const char *text, ew_unit *out)
{
    char spelled[EW_UNIT_SPELLED];
    const char *at = spelled;
    ew_unit made = ew_no_unit();
    int sign = 1;
    if (!spell(text, spelled)) {
        return false;
    }
    at += strspn(at, " ");
    if (*at == '/') {
        sign = -1;
        at += 1 + strspn(at + 1, " ");
    }
    while (read_term(system, &at, sign, &made)) {
        at += strspn(at, " ");
        if (!*at) {
            *out = made;
            return true;
        }
        sign = *at == '/' ? -1 : 1;
        at += *at == '/' || *at == '*';
        at += strspn(at, " ");
    }
    return false;
}

ew_unit ew_no_unit(void)
{
    return (ew_unit){.mantissa = 1.0};
}

bool ew_unit_same_dimension(const ew_unit *a, const ew_unit *b)
{
    return !memcmp(a->of, b->of, sizeof a->of);
}

/* ---- numbers with units --------------------------------------------------------------------- */

const char *ew_quantity_unit(const char *text, const char **end_of_number)
{
    char *end;
    if (strspn(text, "+-.0123456789") == 0) {
        return NULL; /* strtod reads "nan" and "infinity", too */
    }
    (void)strtod(text, &end);
    if (end == text || strspn(text, "+-.0123456789eE") < (size_t)(end - text)) {
        return NULL;
    }
    const char *at = end + strspn(end, " ");
    const bool begins = isalpha((unsigned char)*at) || (unsigned char)*at >= 0x80 ||
                        (at > end && at[0] == '1' && at[1] == '/');
    const bool divides = *at == '/' && isalpha((unsigned char)at[1 + strspn(at + 1, " ")]);
    *end_of_number = end;
    return begins || divides ? at : NULL;
}

void ew_quantity_text(const char *number, const char *end, const ew_unit *unit, const ew_unit *of,
                      char text[EW_QUANTITY_TEXT])
{
    ew_unit factor = *unit;
    ew_unit_multiply(&factor, of, -1);
    const size_t length = (size_t)(end - number);
    const size_t digits = strcspn(number, "eE");
    const long exponent = digits < length ? strtol(number + digits + 1, NULL, 10) : 0;
    snprintf(text, EW_QUANTITY_TEXT, "%.*se%ld", (int)(digits < length ? digits : length), number,
             exponent + factor.exponent);
    if (factor.mantissa != 1.0) {
        snprintf(text, EW_QUANTITY_TEXT, "%.17g", strtod(text, NULL) * factor.mantissa);
    }
}

void ew_unit_names(const ew_unit *like, char names[EW_UNIT_NAMES])
{
    *names = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t n = strlen(names);
        if (!memcmp(units[i].of, like->of, sizeof like->of)) {
            snprintf(names + n, EW_UNIT_NAMES - n, "%s%s", n ? ", " : "", units[i].name);
        }
    }
}

/* ---- the units of a case -------------------------------------------------------------------- */

bool ew_case_unit_named(const char *name, int dimension, ew_unit *out)
{
    ew_unit like = ew_no_unit();
    like.of[dimension] = 1;
    if (ew_unit_read(NULL, name, out) && ew_unit_same_dimension(out, &like)) {
        return true;
    }
    *out = like; /* of a key's unit still the dimension */
    return false;
}

bool ew_case_units(const char *length, const char *force, const char *time, double value[3])
{
    const char *const name[3] = {length, force, *time ? time : "s"};
    for (int k = 0; k < 3; k++) {
        char text[EW_QUANTITY_TEXT];
        const char *one = "1";
        const ew_unit si = ew_no_unit();
        ew_unit made;
        if (!ew_case_unit_named(name[k], k, &made)) {
            return false;
        }
        ew_quantity_text(one, one + 1, &made, &si, text);
        value[k] = strtod(text, NULL);
    }
    return true;
}

void ew_case_put_units(ew_case_put put, void *user)
{
    static const struct {
        const char *what;
        int8_t of[EW_N_DIMENSION];
    } kinds[] = {{"length", LENGTH},
                 {"force", FORCE},
                 {"mass", MASS},
                 {"time", TIME},
                 {"frequency", FREQUENCY},
                 {"stress, modulus", STRESS},
                 {"moment, energy", ENERGY},
                 {"power", {1, 1, -1}},
                 {"temperature (a change)", TEMPERATURE},
                 {"angle", ANGLE},
                 {"angular velocity", {0, 0, -1, 0, 1}},
                 {"memory", DATA}};
    put(user,
        "Numbers of a case may have a unit behind them: 'young: 210 GPa', 'radius: 5 mm',\n"
        "'density: 7850 kg/m^3', 'gravity: [0, 0, -9.81 m/s^2]'. They are converted to the\n"
        "units that the case names, 'units: {length: mm, force: N, time: s}' (mass follows);\n"
        "numbers without a unit are in these. Units are multiplied by a blank or '*' and\n"
        "divided by '/', each unit behind its own; '^' is a power. In expressions each number\n"
        "may have a unit: 'radius: 2*r + 1 mm'.\n\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        ew_unit like = ew_no_unit();
        char names[EW_UNIT_NAMES], line[EW_UNIT_NAMES + 40];
        memcpy(like.of, kinds[i].of, sizeof like.of);
        ew_unit_names(&like, names);
        snprintf(line, sizeof line, "%-24s%s\n", kinds[i].what, names);
        put(user, line);
    }
}
