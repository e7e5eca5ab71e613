/* Reading by the tables of keys. In: a mapping and its section. Out: members of a struct, or one
 * message with a line. */
#include "case/schema.h"

#include "element/parts/element.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_word(char words[EW_SECTION_KEYS], const char *word)
{
    const size_t n = strlen(words);
    snprintf(words + n, EW_SECTION_KEYS - n, "%s%s", n ? " " : "", word);
}

void ew_section_words(const ew_case_section *section, char words[EW_SECTION_KEYS])
{
    const ew_law *law;
    *words = 0;
    for (int32_t i = 0; i < section->n_key; i++) {
        add_word(words, section->key[i].name);
    }
    for (int32_t i = 0; section->has_laws && (law = ew_law_at(i)); i++) {
        if (law != &ew_law_elastic) {
            add_word(words, law->name);
        }
    }
}

void ew_key_words(const ew_case_key *key, char words[EW_SECTION_KEYS])
{
    snprintf(words, EW_SECTION_KEYS, "%s", key->words ? key->words : "");
    for (int32_t i = 0; key->word_at && key->word_at(i); i++) {
        add_word(words, key->word_at(i));
    }
}

ew_status ew_case_expect(ew_yaml *yaml, const yaml_node_t *node, const char *what,
                         const ew_case_section *section)
{
    char words[EW_SECTION_KEYS];
    ew_section_words(section, words);
    return ew_yaml_expect_keys(yaml, node, what ? what : section->title, words);
}

static const char *what_of(const ew_case_key *key)
{
    return key->what ? key->what : key->name;
}

static bool has_range(const ew_case_key *key)
{
    return key->high > key->low;
}

static ew_status check_range(const yaml_node_t *node, const ew_case_key *key, double value)
{
    if (!has_range(key) ||
        ((key->above ? value > key->low : value >= key->low) && value <= key->high)) {
        return EW_OK;
    }
    char rule[80];
    const int n = snprintf(rule, sizeof rule, "it must be %s %g",
                           key->above ? "greater than" : "at least", key->low);
    if (isfinite(key->high)) {
        snprintf(rule + n, sizeof rule - (size_t)n, " and at most %g", key->high);
    }
    return ew_yaml_fail(node, "%s is %g; %s", what_of(key), value, key->rule ? key->rule : rule);
}

static ew_status read_number(const yaml_node_t *node, const ew_case_key *key, double *number)
{
    double value = 0.0;
    EW_TRY(key->kind == EW_KEY_SHARE ? ew_yaml_share(node, what_of(key), &value)
                                     : ew_yaml_number(node, what_of(key), &value));
    EW_TRY(check_range(node, key, value));
    *number = value;
    return EW_OK;
}

static ew_status read_integer(const yaml_node_t *node, const ew_case_key *key, int32_t *number)
{
    int64_t value;
    EW_TRY(ew_yaml_integer(node, what_of(key), has_range(key) ? (int64_t)key->low : INT32_MIN,
                           has_range(key) ? (int64_t)fmin(key->high, INT32_MAX) : INT32_MAX,
                           &value));
    *number = (int32_t)value;
    return EW_OK;
}

static ew_status read_key(ew_yaml *yaml, const yaml_node_t *node, const ew_case_key *key,
                          void *member)
{
    char words[EW_SECTION_KEYS];
    switch (key->kind) {
    case EW_KEY_NUMBER:
    case EW_KEY_SHARE:
        return read_number(node, key, member);
    case EW_KEY_INTEGER:
        return read_integer(node, key, member);
    case EW_KEY_TRUTH:
        return ew_yaml_truth(node, what_of(key), member);
    case EW_KEY_TEXT:
        return ew_yaml_text(yaml, node, what_of(key), member);
    case EW_KEY_VECTOR:
        return ew_yaml_vector(yaml, node, what_of(key), member);
    case EW_KEY_CHOICE:
        ew_key_words(key, words);
        return ew_yaml_choice(node, what_of(key), words, member);
    default:
        EW_ASSERT(!"a key of this kind has no place");
        return EW_OK;
    }
}

ew_status ew_case_read_keys(ew_yaml *yaml, const yaml_node_t *node, const ew_case_section *section,
                            void *into)
{
    EW_TRY(ew_case_expect(yaml, node, NULL, section));
    for (int32_t i = 0; i < section->n_key; i++) {
        const ew_case_key *key = &section->key[i];
        yaml_node_t *value = ew_yaml_find(yaml, node, key->name);
        if (!value && key->is_required) {
            return ew_yaml_need(yaml, node, section->title, key->name, &value);
        }
        if (value && key->place) {
            EW_TRY(read_key(yaml, value, key, (char *)into + key->place - 1));
        }
    }
    return EW_OK;
}
