/* The list of fields as a table; what its units are in the names of a case. */
#include "results/results_fields.h"

#include <stdio.h>
#include <string.h>

#define FIELD(take, name, place, kind, unit, when, words, help)                                    \
    {name, place, kind, unit, when, words, help},
static const ew_field_type fields[] = {EW_RESULT_FIELDS(FIELD)};
enum { N_FIELD = sizeof fields / sizeof *fields };

/* [EW_FIELD_KIND_COUNT] names: separated by spaces. */
static const struct {
    int32_t width;
    const char *const name[6];
} kinds[] = {{1, {NULL}},
             {3, {"x", "y", "z"}},
             {6, {"xx", "yy", "zz", "xy", "yz", "xz"}},
             {6, {"xx", "yy", "zz", "xy", "yz", "xz"}},
             {3, {NULL}},
             {4, {NULL}}};

const ew_field_type *ew_field_type_at(int32_t k)
{
    return k >= 0 && k < N_FIELD ? &fields[k] : NULL;
}

const ew_field_type *ew_field_type_of(const char *name, ew_field_place place)
{
    for (int k = 0; k < N_FIELD; k++) {
        if (fields[k].place == place && !strcmp(fields[k].name, name)) {
            return &fields[k];
        }
    }
    return NULL;
}

int32_t ew_field_kind_width(ew_field_kind kind)
{
    return kinds[kind].width;
}

const char *ew_field_component_name(ew_field_kind kind, int32_t component)
{
    return component >= 0 && component < kinds[kind].width ? kinds[kind].name[component] : NULL;
}

const char *ew_field_when_text(ew_field_when when)
{
    static const char *const texts[EW_FIELD_WHEN_COUNT] = {
        "",
        "with a temperature load",
        "with mixed tets",
        "that estimate the error",
        "with several materials, or with axes by tet",
        "with a dynamic step",
        "with steps that follow a plastic or creeping law",
        "with an envelope",
        "with a harmonic response",
        "with a harmonic response or nodal diameters",
        "with fatigue",
        "with equations, couplings or ties",
        "with contact",
        "with contact that has friction"};
    return texts[when];
}

/* ---- words of a case ------------------------------------------------------------------------ */

static bool has_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (; *words; words += strspn(words, " ")) {
        const size_t length = strcspn(words, " ");
        if (length == n && !memcmp(words, word, n)) {
            return true;
        }
        words += length;
    }
    return false;
}

uint64_t ew_fields_of_word(const char *word)
{
    uint64_t found = 0;
    for (int k = 0; k < N_FIELD; k++) {
        found |= (uint64_t)has_word(fields[k].words, word) << k;
    }
    return found;
}

/* A field that has another one's name, or is asked for by the words of others, adds no word. */
const char *ew_field_word(int32_t i)
{
    for (int k = 0; k < N_FIELD; k++) {
        bool is_new = has_word(fields[k].words, fields[k].name);
        for (int j = 0; j < k; j++) {
            is_new = is_new && strcmp(fields[j].name, fields[k].name) != 0;
        }
        if (is_new && i-- == 0) {
            return fields[k].name;
        }
    }
    return NULL;
}

/* ---- units ------------------------------------------------------------------------------------
 */

void ew_unit_text(const char *unit, const char *length, const char *force, const char *time,
                  char text[EW_UNIT_TEXT])
{
    const struct {
        const char *word, *name;
    } names[] = {{"length", length}, {"force", force}, {"time", time}};
    size_t n = 0;
    while (*unit && n < EW_UNIT_TEXT - 1) {
        const char *from = unit;
        size_t size = 1;
        for (int k = 0; k < 3; k++) {
            const size_t word = strlen(names[k].word);
            if (!strncmp(unit, names[k].word, word)) {
                from = names[k].name;
                size = strlen(from) < 20 ? strlen(from) : 20;
                unit += word - 1;
            }
        }
        unit++;
        if (!size) { /* a unit that has no name */
            n = 0;
            break;
        }
        size = size < EW_UNIT_TEXT - 1 - n ? size : EW_UNIT_TEXT - 1 - n;
        memcpy(text + n, from, size);
        n += size;
    }
    text[n] = 0;
}
