/* Values of an operation's parameters: from texts, and checked. In: a descriptor, texts or values.
 * Out: values, or one line that names the parameter as the caller's user knows it. */
#include "operation/parts/operation.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names and words --------------------------------------------------- */

enum { MAX_NAME = 80, MAX_LIST = 320 };

/* A word as a key, or as an option; returns `text`. */
static const char *name_word(const char *word, size_t length, ew_naming naming, char text[MAX_NAME])
{
    const bool option = naming == EW_AS_OPTIONS;
    snprintf(text, MAX_NAME, "%s%.*s", option ? "--" : "", (int)length, word);
    for (char *c = text + 2; option && *c; c++) {
        *c = *c == '_' ? '-' : *c;
    }
    return text;
}

static const char *name_of(const ew_parameter *p, ew_naming naming, char text[MAX_NAME])
{
    return name_word(p->key, strlen(p->key), naming, text);
}

/* Place of the word among `words`, or -1. */
static int32_t word_place(const char *word, const char *words)
{
    for (int32_t place = 0; *words; place++) {
        const size_t length = strcspn(words, " ");
        if (strlen(word) == length && !strncmp(word, words, length)) {
            return place;
        }
        words += length;
        words += strspn(words, " ");
    }
    return -1;
}

static int32_t word_count(const char *words)
{
    int32_t n = 0;
    for (; *words; n++) {
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return n;
}

static void append(char list[MAX_LIST], const char *between, const char *word)
{
    const size_t n = strlen(list);
    snprintf(list + n, MAX_LIST - n, "%s%s", n ? between : "", word);
}

static void append_words(char list[MAX_LIST], const char *between, const char *words,
                         ew_naming naming)
{
    while (*words) {
        char name[MAX_NAME];
        const size_t length = strcspn(words, " ");
        append(list, between, name_word(words, length, naming, name));
        words += length;
        words += strspn(words, " ");
    }
}

/* ---- texts ------------------------------------------------------------- */

/* Reads "1,2,3" of up to 8 numbers; returns how many, 0 where the text is none. */
static int32_t read_numbers(const char *text, double number[EW_MAX_NUMBERS])
{
    for (int32_t n = 0; n < EW_MAX_NUMBERS; n++) {
        char *end;
        if (!*text || !strchr("+-.0123456789", *text)) {
            return 0;
        }
        number[n] = strtod(text, &end);
        if (end == text || !isfinite(number[n])) {
            return 0;
        }
        if (!*end) {
            return n + 1;
        }
        if (*end != ',') {
            return 0;
        }
        text = end + 1;
    }
    return 0;
}

static bool read_whole(const char *text, int64_t low, int64_t high, int64_t *whole)
{
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < low || number > high) {
        return false;
    }
    *whole = number;
    return true;
}

static bool read_place(const ew_parameter *p, const char *text, ew_parameter_value *value)
{
    value->whole = word_place(text, p->kind == EW_PARAMETER_AXIS ? "x y z" : p->words);
    if (p->kind == EW_PARAMETER_AXIS && value->whole >= 0) {
        value->number[value->whole] = 1;
    }
    return value->whole >= 0 || read_numbers(text, value->number) == 3;
}

int32_t ew_parameter_width(const char *word)
{
    return strncmp(word, "radius", 6) ? 3 : 1;
}

static int32_t count_numbers(const char *words)
{
    int32_t n = 0;
    while (*words) {
        n += ew_parameter_width(words);
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return n;
}

static bool read_factor(const char *text, double number[EW_MAX_NUMBERS])
{
    const int32_t n = read_numbers(text, number);
    if (n == 1) {
        number[1] = number[2] = number[0];
    }
    return n == 1 || n == 3;
}

static bool read_text(const ew_parameter *p, const char *text, ew_parameter_value *value)
{
    switch (p->kind) {
    case EW_PARAMETER_NUMBER:
    case EW_PARAMETER_LENGTH:
        return read_numbers(text, value->number) == 1;
    case EW_PARAMETER_VECTOR:
        return read_numbers(text, value->number) == 3;
    case EW_PARAMETER_FACTOR:
        return read_factor(text, value->number);
    case EW_PARAMETER_NUMBERS:
        return read_numbers(text, value->number) == count_numbers(p->words);
    case EW_PARAMETER_AXIS:
    case EW_PARAMETER_PLACE:
        return read_place(p, text, value);
    case EW_PARAMETER_COUNT:
    case EW_PARAMETER_SEED:
        return read_whole(text, INT64_MIN, INT64_MAX, &value->whole);
    case EW_PARAMETER_REGION:
        return read_whole(text, INT32_MIN, INT32_MAX, &value->whole);
    case EW_PARAMETER_CHOICE:
        value->whole = word_place(text, p->words);
        return value->whole >= 0;
    case EW_PARAMETER_FLAG:
        value->whole = word_place(text, "false true");
        return value->whole >= 0;
    case EW_PARAMETER_MESH:
    case EW_PARAMETER_TABLE:
    case EW_PARAMETER_SURFACE:
    case EW_PARAMETER_NAME:
        value->text = text;
        return *text != 0;
    case EW_PARAMETER_VERTICES:
    case EW_PARAMETER_PROTECTED:
    case EW_PARAMETER_TETS:
    case EW_PARAMETER_PARTS:
        break;
    }
    return false;
}

/* Description of the values of the parameter. */
static const char *describe(const ew_parameter *p, char list[MAX_LIST])
{
    list[0] = 0;
    switch (p->kind) {
    case EW_PARAMETER_NUMBER:
    case EW_PARAMETER_LENGTH:
        return "a number";
    case EW_PARAMETER_VECTOR:
    case EW_PARAMETER_FACTOR:
    case EW_PARAMETER_NUMBERS:
        return p->argument;
    case EW_PARAMETER_AXIS:
        return "x, y, z or a vector X,Y,Z";
    case EW_PARAMETER_PLACE:
        append_words(list, ", ", p->words, EW_AS_KEYS);
        append(list, " or ", "a point X,Y,Z");
        return list;
    case EW_PARAMETER_COUNT:
    case EW_PARAMETER_SEED:
    case EW_PARAMETER_REGION:
        return "a whole number";
    case EW_PARAMETER_CHOICE:
        append(list, "", "one of:");
        append_words(list, " ", p->words, EW_AS_KEYS);
        return list;
    case EW_PARAMETER_FLAG:
        return "true or false";
    case EW_PARAMETER_MESH:
        return "the name of a mesh file";
    case EW_PARAMETER_TABLE:
        return "the name of a file of rows";
    case EW_PARAMETER_SURFACE:
        return "the name of a file with a closed surface";
    case EW_PARAMETER_NAME:
        return "a name";
    case EW_PARAMETER_VERTICES:
    case EW_PARAMETER_PROTECTED:
    case EW_PARAMETER_TETS:
    case EW_PARAMETER_PARTS:
        break;
    }
    return "a selection, which has no text";
}

static ew_status fail_key(const ew_operation *operation, const char *key, ew_naming naming)
{
    char name[MAX_NAME], near[MAX_NAME], keys[MAX_LIST] = "", nearest[64];
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        append(keys, " ", operation->parameter[i].key);
    }
    const bool found = ew_nearest_word(key, keys, nearest);
    return ew_fail(EW_BAD_INPUT, "%s: there is no %s; %s %s", operation->name,
                   name_word(key, strlen(key), naming, name), found ? "did you mean" : "allowed:",
                   found ? name_word(nearest, strlen(nearest), naming, near) : keys);
}

ew_status ew_operation_set(const ew_operation *operation, ew_operation_values *values,
                           const char *key, const char *text, ew_naming naming)
{
    const int32_t i = ew_operation_parameter(operation, key);
    if (i < 0) {
        return fail_key(operation, key, naming);
    }
    const ew_parameter *p = &operation->parameter[i];
    ew_parameter_value value = {.given = true};
    char name[MAX_NAME], takes[MAX_LIST];
    if (!read_text(p, text, &value)) {
        return ew_fail(EW_BAD_INPUT, "%s: %s takes %s, not '%.60s'", operation->name,
                       name_of(p, naming, name), describe(p, takes), text);
    }
    values->of[i] = value;
    return EW_OK;
}

ew_operation_values ew_operation_presets(const ew_operation *operation)
{
    ew_operation_values values = {0};
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        const char *preset = operation->parameter[i].preset;
        if (preset && !read_text(&operation->parameter[i], preset, &values.of[i])) {
            EW_ASSERT(!"a preset that its own parameter does not take");
        }
    }
    return values;
}

/* ---- checks ------------------------------------------------------------ */

static ew_status check_number(const ew_operation *operation, const ew_parameter *p, double number,
                              ew_naming naming)
{
    const bool has_high = p->high > p->low;
    const bool has_low = has_high || p->above || p->kind == EW_PARAMETER_LENGTH;
    const bool low_enough = !has_high || number <= p->high;
    const bool high_enough = !has_low || (p->above ? number > p->low : number >= p->low);
    char name[MAX_NAME], max[40] = "";
    if (low_enough && high_enough) {
        return EW_OK;
    }
    if (has_high) {
        snprintf(max, sizeof max, " and at most %.12g", p->high);
    }
    return ew_fail(EW_BAD_INPUT, "%s: %s is %.12g; it must be %s %.12g%s", operation->name,
                   name_of(p, naming, name), number, p->above ? "greater than" : "at least", p->low,
                   max);
}

/* Radii, and the length of a direction. */
static ew_status check_numbers(const ew_operation *operation, const ew_parameter *p,
                               const double *v, ew_naming naming)
{
    char name[MAX_NAME];
    for (const char *word = p->words; *word;) {
        const int32_t width = ew_parameter_width(word);
        const int32_t length = (int32_t)strcspn(word, " ");
        const bool direction = !strncmp(word, "normal", 6);
        const bool good = width == 1  ? *v > 0 && isfinite(*v)
                          : direction ? hypot(hypot(v[0], v[1]), v[2]) > 0
                                      : true;
        if (!good) {
            return ew_fail(EW_BAD_INPUT, "%s: %s: %.*s is %g; it must be greater than 0",
                           operation->name, name_of(p, naming, name), (int)length, word,
                           width == 1 ? *v : 0.0);
        }
        v += width;
        word += length;
        word += strspn(word, " ");
    }
    return EW_OK;
}

static ew_status check_value(const ew_operation *operation, const ew_parameter *p,
                             const ew_parameter_value *value, ew_naming naming)
{
    const double *v = value->number;
    char name[MAX_NAME];
    switch (p->kind) {
    case EW_PARAMETER_NUMBER:
    case EW_PARAMETER_LENGTH:
        return check_number(operation, p, v[0], naming);
    case EW_PARAMETER_NUMBERS:
        return check_numbers(operation, p, v, naming);
    case EW_PARAMETER_FACTOR:
        for (int32_t c = 0; c < 3; c++) {
            EW_TRY(check_number(operation, p, v[c], naming));
        }
        return EW_OK;
    case EW_PARAMETER_COUNT:
        return check_number(operation, p, (double)value->whole, naming);
    case EW_PARAMETER_CHOICE:
        return value->whole >= 0 && value->whole < word_count(p->words)
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "%s: %s has no value %lld", operation->name,
                             name_of(p, naming, name), (long long)value->whole);
    case EW_PARAMETER_SEED:
        return value->whole >= 0
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "%s: %s is %lld; it must be at least 0", operation->name,
                             name_of(p, naming, name), (long long)value->whole);
    case EW_PARAMETER_AXIS:
        return hypot(hypot(v[0], v[1]), v[2]) > 0
                   ? EW_OK
                   : ew_fail(EW_BAD_INPUT, "%s: %s has length 0; give a direction", operation->name,
                             name_of(p, naming, name));
    default:
        return EW_OK;
    }
}

/* Whether the choice that the parameter goes with has one of the words it goes with. */
static bool is_read(const ew_operation *operation, const ew_operation_values *values,
                    const ew_parameter *p, const ew_parameter **choice)
{
    const int32_t i = ew_operation_parameter(operation, p->with);
    *choice = &operation->parameter[i];
    const char *word = (*choice)->words;
    for (int64_t k = 0; k < values->of[i].whole; k++) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    char text[MAX_NAME];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(word, " "), word);
    return word_place(text, p->when) >= 0;
}

static ew_status fail_missing(const ew_operation *operation, const ew_parameter *p,
                              ew_naming naming)
{
    char name[MAX_NAME];
    name_of(p, naming, name);
    return naming == EW_AS_KEYS
               ? ew_fail(EW_BAD_INPUT, "%s: key '%s' is missing", operation->name, name)
               : ew_fail(EW_BAD_INPUT, "%s needs %s %s", operation->name, name, p->argument);
}

/* Whether one of the parameters that a parameter goes with is given. */
static ew_status check_beside(const ew_operation *operation, const ew_operation_values *values,
                              int32_t i, ew_naming naming)
{
    const ew_parameter *p = &operation->parameter[i];
    bool any = false;
    for (int32_t k = 0; k < operation->n_parameter; k++) {
        any = any || (values->of[k].given && word_place(operation->parameter[k].key, p->with) >= 0);
    }
    if (any || !values->of[i].given) {
        return EW_OK;
    }
    const bool selection = p->kind == EW_PARAMETER_VERTICES && naming == EW_AS_OPTIONS;
    char name[MAX_NAME], with[MAX_LIST] = "";
    append_words(with, " or ", p->with, naming);
    return ew_fail(EW_BAD_INPUT, "%s: %s goes with %s", operation->name,
                   selection ? "a selection" : name_of(p, naming, name), with);
}

/* A parameter that goes with a choice: needed or not allowed. */
static ew_status check_with(const ew_operation *operation, const ew_operation_values *values,
                            int32_t i, ew_naming naming)
{
    const ew_parameter *p = &operation->parameter[i], *choice;
    const bool read = is_read(operation, values, p, &choice);
    char name[MAX_NAME], with[MAX_NAME], words[MAX_LIST] = "";
    append_words(words, " or ", p->when, EW_AS_KEYS);
    name_of(p, naming, name);
    name_of(choice, naming, with);
    if (read && p->need == EW_REQUIRED && !values->of[i].given) {
        return ew_fail(EW_BAD_INPUT, "%s: %s %s needs %s", operation->name, with, words, name);
    }
    if (!read && values->of[i].given) {
        return ew_fail(EW_BAD_INPUT, "%s: %s goes with %s %s", operation->name, name, with, words);
    }
    return EW_OK;
}

/* " (or by: error)": the words of a choice that ask for other parameters. */
static void append_others(char list[MAX_LIST], const ew_operation_values *values,
                          const ew_operation *operation, const ew_parameter *choice,
                          ew_naming naming)
{
    const int64_t chosen = values->of[choice - operation->parameter].whole;
    char name[MAX_NAME], other[2 * MAX_NAME];
    int64_t k = 0;
    for (const char *word = choice->words; *word && naming == EW_AS_KEYS; k++) {
        const size_t length = strcspn(word, " ");
        if (k != chosen) {
            snprintf(other, sizeof other, "%s: %.*s", name_of(choice, naming, name), (int)length,
                     word);
            append(list, ", or ", other);
        }
        word += length;
        word += strspn(word, " ");
    }
}

/* The parameters of which one, or at least one, must be given. */
static ew_status check_group(const ew_operation *operation, const ew_operation_values *values,
                             ew_parameter_need need, ew_naming naming)
{
    char list[MAX_LIST] = "";
    const ew_parameter *choice = NULL;
    int32_t n = 0, n_given = 0;
    for (int32_t i = 0; i < operation->n_parameter; i++) {
        const ew_parameter *p = &operation->parameter[i];
        if (p->need == need && (!p->with || !p->when || is_read(operation, values, p, &choice))) {
            char name[MAX_NAME];
            const bool any = p->kind == EW_PARAMETER_VERTICES && naming == EW_AS_OPTIONS;
            if (p->kind == EW_PARAMETER_TETS) {
                append_words(list, ", ", p->words, naming);
            } else {
                append(list, ", ", any ? "a selection" : name_of(p, naming, name));
            }
            n++;
            n_given += values->of[i].given;
        }
    }
    if (!n || n_given == 1 || (n_given > 1 && need == EW_SOME_OF)) {
        return EW_OK;
    }
    if (choice) {
        append_others(list, values, operation, choice, naming);
    }
    return ew_fail(EW_BAD_INPUT, "%s needs %s of: %s", operation->name,
                   need == EW_ONE_OF ? "one, and only one," : "at least one", list);
}

ew_status ew_operation_check(const ew_operation *operation, const ew_operation_values *values,
                             ew_naming naming, int32_t *at)
{
    for (*at = 0; *at < operation->n_parameter; ++*at) {
        const ew_parameter *p = &operation->parameter[*at];
        const ew_parameter_value *value = &values->of[*at];
        if (p->when) {
            EW_TRY(check_with(operation, values, *at, naming));
        } else if (p->need == EW_REQUIRED && !value->given) {
            *at = -1;
            return fail_missing(operation, p, naming);
        }
        if (value->given) {
            EW_TRY(check_value(operation, p, value, naming));
        }
    }
    *at = -1;
    EW_TRY(check_group(operation, values, EW_ONE_OF, naming));
    EW_TRY(check_group(operation, values, EW_SOME_OF, naming));
    for (*at = 0; *at < operation->n_parameter; ++*at) {
        const ew_parameter *p = &operation->parameter[*at];
        EW_TRY(p->with && !p->when ? check_beside(operation, values, *at, naming) : EW_OK);
    }
    *at = -1;
    return operation->check ? operation->check(operation, values, naming) : EW_OK;
}
