/* Several selections on the command line: one text in, values and the set of each part out. Parts
 * are separated by semicolons, words by blanks: a kind of selection and its numbers, then keys and
 * values of ew_part_form. */
#include "command_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The next word, ended by a zero byte in place; null at the end. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\n");
    if (!*word) {
        return NULL;
    }
    char *end = word + strcspn(word, " \t\n");
    *at = *end ? end + 1 : end;
    *end = 0;
    return word;
}

static bool read_numbers(const char *text, int32_t n, double *number)
{
    for (int32_t i = 0; i < n; i++) {
        char *end;
        number[i] = strtod(text, &end);
        if (end == text || !isfinite(number[i]) || *end != (i + 1 < n ? ',' : 0)) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

/* *known: whether the word is a kind of selection. */
static ew_status read_selection(selection *where, const char *option, const char *kind,
                                const char *text, bool *known)
{
    const struct {
        const char *kind;
        double *number;
        int32_t n;
        bool *has;
    } kinds[] = {{"box", where->box, 6, &where->has_box},
                 {"sphere", where->sphere, 4, &where->has_sphere},
                 {"cylinder", where->cylinder, 7, &where->has_cylinder},
                 {"side", where->side, 6, &where->has_side}};
    *known = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(kind, kinds[i].kind)) {
            *kinds[i].has = true;
            return read_numbers(text, kinds[i].n, kinds[i].number)
                       ? EW_OK
                       : ew_fail(EW_BAD_ARGUMENT,
                                 "--%s: %s takes %d numbers separated by commas, not '%.60s'",
                                 option, kind, (int)kinds[i].n, text);
        }
    }
    if (!strcmp(kind, "ids")) {
        where->ids = text;
        where->has_ids = true;
        return EW_OK;
    }
    if (!strcmp(kind, "group")) {
        where->group = text;
        where->has_group = true;
        return EW_OK;
    }
    if (!strcmp(kind, "region") || !strcmp(kind, "surface")) {
        char *end;
        const long long label = strtoll(text, &end, 10);
        const bool region = *kind == 'r';
        *(region ? &where->region : &where->surface) = (int32_t)label;
        *(region ? &where->has_region : &where->has_surface) = true;
        return end != text && !*end && label >= INT32_MIN && label <= INT32_MAX
                   ? EW_OK
                   : ew_fail(EW_BAD_ARGUMENT, "--%s: %s takes a label, not '%.60s'", option, kind,
                             text);
    }
    *known = false;
    return EW_OK;
}

static ew_status read_part(const char *option, bool motions, char *text, ew_operation_values *value,
                           selection *where)
{
    char *key;
    ew_selector selector;
    int32_t n, at;
    while ((key = next_word(&text))) {
        const char *word = next_word(&text);
        bool known;
        if (!word) {
            return ew_fail(EW_BAD_ARGUMENT, "--%s: nothing after '%.60s'", option, key);
        }
        EW_TRY(read_selection(where, option, key, word, &known));
        if (known) {
            continue;
        }
        if (!motions) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "--%s: '%.60s' is no selection; allowed: box, sphere, cylinder, side, "
                           "region, surface, ids, group",
                           option, key);
        }
        for (char *c = key; *c; c++) {
            *c = *c == '-' ? '_' : *c;
        }
        EW_TRY(ew_operation_set(&ew_part_form, value, key, word, EW_AS_KEYS));
    }
    EW_TRY(selection_make(where, &selector, &n));
    if (n != 1) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "--%s: each part has a selection: box, sphere, cylinder, side, region, "
                       "surface, ids or group",
                       option);
    }
    if (!motions) {
        return EW_OK;
    }
    value->of[0].given = true;
    return ew_operation_check(&ew_part_form, value, EW_AS_KEYS, &at);
}

ew_status command_parts_read(command_parts *parts, const char *option, bool motions)
{
    const size_t size = strlen(parts->text) + 1;
    EW_TRY(ew_new(&parts->copy, size, 1));
    memcpy(parts->copy, parts->text, size);
    for (char *at = parts->copy, *end; at; at = end) {
        const int64_t need = (int64_t)parts->n + 1;
        end = strchr(at, ';');
        if (end) {
            *end++ = 0;
        }
        if (!end && !at[strspn(at, " \t\n")] && parts->n) {
            break; /* after a last semicolon */
        }
        EW_TRY(ew_grow(&parts->value, &parts->value_capacity, need, sizeof *parts->value));
        EW_TRY(ew_grow(&parts->where, &parts->where_capacity, need, sizeof *parts->where));
        parts->value[parts->n] = ew_operation_presets(&ew_part_form);
        parts->where[parts->n++] = (selection){0};
        EW_TRY(read_part(option, motions, at, &parts->value[parts->n - 1],
                         &parts->where[parts->n - 1]));
    }
    return EW_OK;
}

ew_status command_parts_select(command_parts *parts, const char *option, command_sets *sets)
{
    for (int32_t i = 0; i < parts->n; i++) {
        int32_t set = 0;
        char part[48];
        snprintf(part, sizeof part, "%.20s, part %d", option, (int)i + 1);
        ew_release(parts->where[i].id); /* of the first look */
        parts->where[i].id = NULL;
        EW_TRY(command_sets_choose(sets, &parts->where[i], part, &set));
        parts->value[i].of[0].whole = set;
    }
    return EW_OK;
}

void command_parts_free(command_parts *parts)
{
    for (int32_t i = 0; i < parts->n; i++) {
        ew_release(parts->where[i].id);
    }
    ew_release(parts->value);
    ew_release(parts->where);
    ew_release(parts->copy);
    *parts = (command_parts){0};
}
