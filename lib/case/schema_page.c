/* The tables of keys as a page of text. In: the tables. Out: a part for each mapping, a line for
 * each key. */
#include "case/schema_keys.h"

#include <string.h>

enum { MAX_PATH = 120, MAX_PARTS = 100 };

typedef struct page {
    ew_case_put put;
    void *user;
    int32_t n_part; /* that are written */
    const ew_case_section *part[MAX_PARTS];
} page;

static void put_part(page *to, const ew_case_section *section, const char *path);

static void add(char text[EW_SECTION_KEYS], const char *word, const char *between)
{
    const size_t room = EW_SECTION_KEYS - 1;
    strncat(text, *text ? between : "", room - strlen(text));
    strncat(text, word, room - strlen(text));
}

static void add_forms(char text[EW_SECTION_KEYS], const ew_case_key *key, uint32_t forms)
{
    static const struct {
        uint32_t form;
        const char *text;
    } names[] = {
        {EW_KEY_NUMBER, "number"},
        {EW_KEY_INTEGER, "integer"},
        {EW_KEY_SHARE, "share"},
        {EW_KEY_TRUTH, "true or false"},
        {EW_KEY_TEXT, "text"},
        {EW_KEY_VECTOR, "[x, y, z]"},
        {EW_KEY_COMPONENTS, "[x, y, z]"},
        {EW_KEY_AXIS, "axis"},
        {EW_KEY_NUMBERS, "numbers"},
        {EW_KEY_VALUES, "values by name"},
        {EW_KEY_SET, "set"},
        {EW_KEY_LABEL, "label"},
        {EW_KEY_MAPPING, "mapping"},
        {EW_KEY_LIST, "list"},
        {EW_KEY_NAMES, "mapping of names"},
        {EW_KEY_EDIT, "edit"},
    };
    char words[EW_SECTION_KEYS];
    if (forms & EW_KEY_CHOICE) {
        ew_key_words(key, words);
        for (char *at = words; (at = strchr(at, ' '));) {
            *at = '|';
        }
        add(text, words, " or ");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (forms & names[i].form) {
            add(text, names[i].text, " or ");
        }
    }
}

static void add_range(char text[EW_SECTION_KEYS], const ew_case_key *key)
{
    char range[80];
    if (key->high > key->low) {
        snprintf(range, sizeof range, "%s %g", key->above ? ">" : ">=", key->low);
        add(text, range, ", ");
        if (isfinite(key->high) && key->high < INT32_MAX / 2) {
            snprintf(range, sizeof range, "<= %g", key->high);
            add(text, range, ", ");
        }
    }
}

static void put_key(page *to, const ew_case_key *key)
{
    char line[2 * EW_SECTION_KEYS + 200], about[EW_SECTION_KEYS] = "";
    add_forms(about, key, key->kind);
    add_range(about, key);
    add(about, key->unit ? key->unit : "", key->unit ? ", " : "");
    add(about,
        key->is_required ? "required"
        : key->preset    ? "default "
                         : "",
        key->is_required || key->preset ? ", " : "");
    strncat(about, !key->is_required && key->preset ? key->preset : "",
            sizeof about - strlen(about) - 1);
    snprintf(line, sizeof line, "  %-18s %s (%s)\n", key->name, key->help, about);
    to->put(to->user, line);
}

/* Mappings below a key, each where it comes first. */
static void put_below(page *to, const ew_case_key *key, const char *path)
{
    char below[MAX_PATH];
    const bool in_list = (key->kind & EW_KEY_LIST) && (key->item & EW_KEY_MAPPING);
    const bool by_name = key->kind & EW_KEY_NAMES;
    snprintf(below, sizeof below, "%s%s%s%s", path, *path ? "." : "", key->name,
             in_list   ? "[]"
             : by_name ? ".NAME"
                       : "");
    if (key->of) {
        put_part(to, key->of, below);
    }
    if (key->or_of) {
        put_part(to, key->or_of, below);
    }
    if (key->item == EW_KEY_SET && by_name) {
        put_part(to, &ew_section_set, below);
    }
}

static void put_part(page *to, const ew_case_section *section, const char *path)
{
    char line[MAX_PATH + 80];
    const ew_law *law;
    for (int32_t i = 0; i < to->n_part; i++) {
        if (to->part[i] == section) {
            return;
        }
    }
    to->part[to->n_part++] = section;
    snprintf(line, sizeof line, "%s%s\n", to->n_part > 1 ? "\n" : "", *path ? path : "the case");
    to->put(to->user, line);
    for (int32_t i = 0; i < section->n_key; i++) {
        put_key(to, &section->key[i]);
    }
    for (int32_t i = 0; section->has_laws && (law = ew_law_at(i)); i++) {
        if (law != &ew_law_elastic) {
            snprintf(line, sizeof line, "  %-18s law of this name (mapping)\n", law->name);
            to->put(to->user, line);
        }
    }
    for (int32_t i = 0; i < section->n_key; i++) {
        put_below(to, &section->key[i], path);
    }
}

void ew_case_put_page(ew_case_put put, void *user)
{
    page to = {.put = put, .user = user};
    put_part(&to, &ew_case_root, "");
    put_part(&to, &ew_section_enrich, "edit.enrich");
    put(user, "\nAn edit is the name of an operation with its values; 'edgewise help OPERATION' "
              "lists them.\n");
}
