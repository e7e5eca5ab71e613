/* Typed reading of a YAML document: nodes in, numbers, vectors, words and messages with lines
 * out. */
#include "case/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ew_arena_block {
    ew_arena_block *next;
    double align; /* contents start after this, aligned for every type used */
};

ew_status ew_arena_take(ew_arena_block **arena, size_t bytes, void *pointer)
{
    ew_arena_block *block = NULL;
    EW_TRY(ew_new_zero(&block, 1, sizeof *block + bytes));
    block->next = *arena;
    *arena = block;
    void *contents = block + 1;
    memcpy(pointer, &contents, sizeof contents);
    return EW_OK;
}

void ew_arena_free(ew_arena_block *arena)
{
    while (arena) {
        ew_arena_block *next = arena->next;
        ew_release(arena);
        arena = next;
    }
}

ew_status ew_yaml_load(ew_yaml *yaml, const char *data, size_t size, ew_arena_block **arena)
{
    memset(yaml, 0, sizeof *yaml);
    yaml->arena = arena;
    yaml->names = "";
    EW_TRY(ew_yaml_check_stream(data, size));
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return ew_fail(EW_NO_MEMORY, "no memory for the YAML parser");
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)data, size);
    ew_status status = EW_OK;
    if (!yaml_parser_load(&parser, &yaml->document)) {
        status = parser.error == YAML_MEMORY_ERROR
                     ? ew_fail(EW_NO_MEMORY, "no memory to read the case")
                     : ew_yaml_fail_syntax(&parser, data, size);
    } else {
        yaml->loaded = true;
        if (!yaml_document_get_root_node(&yaml->document)) {
            status = ew_fail_at(EW_BAD_INPUT, 1,
                                "the case is empty; it needs at least mesh, material, constraints "
                                "and loads");
        }
    }
    yaml_parser_delete(&parser);
    return status;
}

void ew_yaml_free(ew_yaml *yaml)
{
    if (yaml->loaded) {
        yaml_document_delete(&yaml->document);
        yaml->loaded = false;
    }
}

int32_t ew_yaml_line(const yaml_node_t *node)
{
    return (int32_t)node->start_mark.line + 1;
}

ew_status ew_yaml_fail(const yaml_node_t *node, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return ew_fail_at(EW_BAD_INPUT, ew_yaml_line(node), "%s", text);
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static const char *kind_of(const yaml_node_t *node)
{
    return node->type == YAML_MAPPING_NODE    ? "a mapping"
           : node->type == YAML_SEQUENCE_NODE ? "a list"
           : ew_yaml_is_null(node)            ? "nothing"
           : !*scalar(node)                   ? "an empty text"
                                              : scalar(node);
}

/* Length of the word at `words`, and where the next one starts. */
static size_t word_length(const char *words)
{
    return strcspn(words, " ");
}

static const char *word_after(const char *words, size_t length)
{
    words += length;
    return words + strspn(words, " ");
}

static bool word_is_in(const char *word, const char *words)
{
    for (; *words; words = word_after(words, word_length(words))) {
        size_t length = word_length(words);
        if (strlen(word) == length && !strncmp(word, words, length)) {
            return true;
        }
    }
    return false;
}

static void join_words(const char *words, char *text, size_t size)
{
    size_t used = 0;
    for (; *words && used + 1 < size; words = word_after(words, word_length(words))) {
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? ", " : "",
                                 (int)word_length(words), words);
    }
}

static ew_status fail_unknown(const yaml_node_t *node, const char *what, const char *kind,
                              const char *word, const char *words)
{
    char nearest[64], all[320] = "";
    const char *remedy = ew_yaml_foreign_key(what, word);
    if (remedy) {
        return ew_yaml_fail(node, "%s: unknown %s '%.60s'; %s", what, kind, word, remedy);
    }
    if (*word && strspn(word, "0123456789") == strlen(word)) {
        return ew_yaml_fail(node,
                            "%s: '%.60s' is no %s; the decimal mark of a number is '.', and ',' "
                            "begins the next entry",
                            what, word, kind);
    }
    if (ew_nearest_word(word, words, nearest)) {
        return ew_yaml_fail(node, "%s: unknown %s '%.60s'; did you mean '%s'?", what, kind, word,
                            nearest);
    }
    join_words(words, all, sizeof all);
    return ew_yaml_fail(node, "%s: unknown %s '%.60s'; allowed: %s", what, kind, word, all);
}

ew_status ew_yaml_expect_keys(ew_yaml *yaml, const yaml_node_t *node, const char *what,
                              const char *keys)
{
    if (node->type != YAML_MAPPING_NODE) {
        char all[320] = "";
        join_words(keys, all, sizeof all);
        return ew_yaml_fail(node, "%s must be a mapping with keys %s, not %.60s", what, all,
                            kind_of(node));
    }
    const yaml_node_pair_t *start = node->data.mapping.pairs.start, *pair;
    for (pair = start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&yaml->document, pair->key);
        const char *word = scalar(key);
        if (!word) {
            return ew_yaml_fail(key, "%s: a key must be a word", what);
        }
        if (!word_is_in(word, keys)) {
            return fail_unknown(key, what, "key", word, keys);
        }
        for (const yaml_node_pair_t *before = start; before < pair; before++) {
            const yaml_node_t *other = yaml_document_get_node(&yaml->document, before->key);
            if (!strcmp(scalar(other), word)) {
                return ew_yaml_fail(key, "%s: key '%s' is given twice (first in line %d)", what,
                                    word, (int)ew_yaml_line(other));
            }
        }
    }
    return EW_OK;
}

yaml_node_t *ew_yaml_find(ew_yaml *yaml, const yaml_node_t *mapping, const char *key)
{
    if (mapping->type != YAML_MAPPING_NODE) {
        return NULL;
    }
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++) {
        const char *word = scalar(yaml_document_get_node(&yaml->document, pair->key));
        if (word && !strcmp(word, key)) {
            return yaml_document_get_node(&yaml->document, pair->value);
        }
    }
    return NULL;
}

ew_status ew_yaml_need(ew_yaml *yaml, const yaml_node_t *mapping, const char *what, const char *key,
                       yaml_node_t **value)
{
    *value = ew_yaml_find(yaml, mapping, key);
    if (!*value) {
        return ew_yaml_fail(mapping, "%s: key '%s' is missing", what, key);
    }
    return EW_OK;
}

ew_status ew_yaml_expect_list(const yaml_node_t *node, const char *what, int32_t *n)
{
    if (node->type != YAML_SEQUENCE_NODE) {
        return ew_yaml_fail(node, "%s must be a list, not %.60s", what, kind_of(node));
    }
    ptrdiff_t count = node->data.sequence.items.top - node->data.sequence.items.start;
    if (count > INT32_MAX / 16) {
        return ew_yaml_fail(node, "%s: too many items", what);
    }
    *n = (int32_t)count;
    return EW_OK;
}

yaml_node_t *ew_yaml_item(ew_yaml *yaml, const yaml_node_t *list, int32_t i)
{
    return yaml_document_get_node(&yaml->document, list->data.sequence.items.start[i]);
}

bool ew_yaml_is_null(const yaml_node_t *node)
{
    const char *text = scalar(node);
    return text && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*text || !strcmp(text, "~") || !strcmp(text, "null"));
}

bool ew_yaml_is_word(const yaml_node_t *node, const char *word)
{
    const char *text = scalar(node);
    return text && !strcmp(text, word);
}

bool ew_yaml_is_one_of(const yaml_node_t *node, const char *words)
{
    const char *text = scalar(node);
    return text && word_is_in(text, words);
}

/* "210 GPa" */
static bool has_unit(const char *text)
{
    char *end;
    (void)strtod(text, &end);
    const size_t blanks = strspn(end, " ");
    return end > text && blanks && isalpha((unsigned char)end[blanks]);
}

static ew_status fail_number(const yaml_node_t *node, const char *what, const char *kind,
                             const char *fault)
{
    if (scalar(node) && has_unit(scalar(node))) {
        return ew_yaml_fail(node, "%s must be %s, not '%.60s': it has no unit here", what, kind,
                            scalar(node));
    }
    return fault ? ew_yaml_fail(node, "%s must be %s, not '%.60s': %.200s", what, kind,
                                kind_of(node), fault)
                 : ew_yaml_fail(node, "%s must be %s, not %.60s", what, kind, kind_of(node));
}

ew_status ew_yaml_number(const yaml_node_t *node, const char *what, double *value)
{
    const char *fault, *text = ew_yaml_value(node, &fault);
    if (!text || !*text || strspn(text, "+-.0123456789eE") != strlen(text)) {
        return fail_number(node, what, "a number", fault);
    }
    char *end;
    double number = strtod(text, &end);
    if (*end) {
        return fail_number(node, what, "a number", fault);
    }
    if (!isfinite(number)) {
        return ew_yaml_fail(node, "%s: '%.60s' is beyond the range of double precision", what,
                            text);
    }
    *value = number;
    return EW_OK;
}

ew_status ew_yaml_share(const yaml_node_t *node, const char *what, double *value)
{
    const char *text = scalar(node);
    const size_t length = text ? strlen(text) : 0;
    if (!length || text[length - 1] != '%') {
        return ew_yaml_number(node, what, value);
    }
    char *end;
    const double number = strtod(text, &end);
    end += strspn(end, " ");
    if (end == text || end != text + length - 1 || !isfinite(number)) {
        return ew_yaml_fail(node, "%s must be a number or a percentage, not '%.60s'", what, text);
    }
    *value = number / 100.0;
    return EW_OK;
}

/* Rounding in an expression leaves a whole number whole. */
static bool read_whole(const char *text, bool is_value, int64_t *whole)
{
    char *end;
    errno = 0;
    if (!is_value) {
        *whole = strtoll(text, &end, 10);
        return *text && !*end && !errno;
    }
    const double number = strtod(text, &end), nearest = round(number);
    const bool near = fabs(number - nearest) <= 1e-9 * fmax(1.0, fabs(number));
    *whole = near && fabs(nearest) < 9e15 ? (int64_t)nearest : 0;
    return near && fabs(nearest) < 9e15;
}

ew_status ew_yaml_integer(const yaml_node_t *node, const char *what, int64_t low, int64_t high,
                          int64_t *value)
{
    const char *fault, *text = ew_yaml_value(node, &fault);
    int64_t number = 0;
    if (text && read_whole(text, text != scalar(node), &number) && number >= low &&
        number <= high) {
        *value = number;
        return EW_OK;
    }
    char kind[80];
    snprintf(kind, sizeof kind, "a whole number from %lld to %lld", (long long)low,
             (long long)high);
    return text && text != scalar(node) ? ew_yaml_fail(node, "%s must be %s, not %.60s = %.30s",
                                                       what, kind, scalar(node), text)
                                        : fail_number(node, what, kind, fault);
}

ew_status ew_yaml_truth(const yaml_node_t *node, const char *what, bool *value)
{
    if (ew_yaml_is_word(node, "true")) {
        *value = true;
    } else if (ew_yaml_is_word(node, "false")) {
        *value = false;
    } else {
        return ew_yaml_fail(node, "%s must be true or false, not %.60s", what, kind_of(node));
    }
    return EW_OK;
}

ew_status ew_yaml_text(ew_yaml *yaml, const yaml_node_t *node, const char *what, const char **text)
{
    const char *value = scalar(node);
    if (!value || !*value || ew_yaml_is_null(node)) {
        return ew_yaml_fail(node, "%s must be a word, not %.60s", what, kind_of(node));
    }
    size_t length = node->data.scalar.length;
    if (strlen(value) != length) {
        return ew_yaml_fail(node, "%s must not contain a zero character", what);
    }
    if (ew_has_control_character(value)) {
        return ew_yaml_fail(
            node, "%s must not contain control characters (line breaks, tabs, escapes)", what);
    }
    char *copy;
    EW_TRY(ew_arena_take(yaml->arena, length + 1, &copy));
    memcpy(copy, value, length);
    *text = copy;
    return EW_OK;
}

ew_status ew_yaml_vector(ew_yaml *yaml, const yaml_node_t *node, const char *what, double value[3])
{
    int32_t n = 0;
    if (node->type == YAML_SEQUENCE_NODE) {
        EW_TRY(ew_yaml_expect_list(node, what, &n));
    }
    if (n != 3) {
        return ew_yaml_fail(node, "%s must be a list of 3 numbers [x, y, z]", what);
    }
    double read[3];
    for (int32_t i = 0; i < 3; i++) {
        EW_TRY(ew_yaml_number(ew_yaml_item(yaml, node, i), what, &read[i]));
    }
    memcpy(value, read, sizeof read);
    return EW_OK;
}

ew_status ew_yaml_choice(const yaml_node_t *node, const char *what, const char *words,
                         int32_t *choice)
{
    const char *text = scalar(node);
    if (!text || !word_is_in(text, words)) {
        return fail_unknown(node, what, "value", kind_of(node), words);
    }
    int32_t place = 0;
    for (const char *at = words;
         strncmp(at, text, word_length(at)) || strlen(text) != word_length(at);
         at = word_after(at, word_length(at))) {
        place++;
    }
    *choice = place;
    return EW_OK;
}
