/* Typed reading of a YAML document (libyaml). Every failure is one line "line L: what is wrong and
 * what is allowed". Private to case. */
#ifndef EW_CASE_YAML_H
#define EW_CASE_YAML_H

#include "case/case.h"
#include "format/parts/format.h"

#include <yaml.h>

typedef struct ew_yaml {
    yaml_document_t document;
    bool loaded;
    ew_arena_block **arena; /* where texts are copied to */
    const char *names;      /* of the parameters, separated by spaces; borrowed, "" none; */
    const double *value;    /* and theirs, borrowed */
} ew_yaml;

/* EW_BAD_INPUT for what would stay unread: a second document, tags that say something else than how
 * a case reads a value; and where nesting is too deep. (yaml_stream.c) */
ew_status ew_yaml_check_stream(const char *data, size_t size);
ew_status ew_yaml_load(ew_yaml *yaml, const char *data, size_t size, ew_arena_block **arena);
void ew_yaml_free(ew_yaml *yaml);

/* The value of each scalar that is an expression of the parameters, for those that read numbers.
 * (yaml_values.c) */
ew_status ew_yaml_evaluate(ew_yaml *yaml);
/* Takes the value that it had when the document was read before. */
void ew_yaml_forget_value(yaml_node_t *node);
/* The text of a scalar, of an expression that of its value; null for other nodes. *fault: what is
 * wrong with it as an expression, or null. */
const char *ew_yaml_value(const yaml_node_t *node, const char **fault);
/* The value of a scalar that is a number with a unit, in the unit of the key that it belongs to;
 * null: it is none, or not set yet. */
ew_status ew_yaml_set_quantity(yaml_node_t *node, const char *number);
/* Another text in place of a scalar's. */
ew_status ew_yaml_set_text(yaml_node_t *node, const char *text);
const char *ew_yaml_quantity(const yaml_node_t *node);

/* Of a parser that stopped at what is not YAML: with the line, the rule and a remedy. data: the
 * text [size] that it reads. (yaml_syntax.c) */
ew_status ew_yaml_fail_syntax(const yaml_parser_t *parser, const char *data, size_t size);

/* The key of this program for a key of other programs, or null. where: as messages call the
 * mapping. (yaml_foreign_keys.c) */
const char *ew_yaml_foreign_key(const char *where, const char *word);

int32_t ew_yaml_line(const yaml_node_t *node);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
ew_status
ew_yaml_fail(const yaml_node_t *node, const char *format, ...);

/* The node must be a mapping that holds only these keys, each once. keys: space separated. */
ew_status ew_yaml_expect_keys(ew_yaml *yaml, const yaml_node_t *node, const char *what,
                              const char *keys);
/* Value of a key, or null when absent. */
yaml_node_t *ew_yaml_find(ew_yaml *yaml, const yaml_node_t *mapping, const char *key);
/* Value of a key that must be there. */
ew_status ew_yaml_need(ew_yaml *yaml, const yaml_node_t *mapping, const char *what, const char *key,
                       yaml_node_t **value);
/* Items of a sequence: count, and the i-th. */
ew_status ew_yaml_expect_list(const yaml_node_t *node, const char *what, int32_t *n);
yaml_node_t *ew_yaml_item(ew_yaml *yaml, const yaml_node_t *list, int32_t i);

bool ew_yaml_is_null(const yaml_node_t *node); /* ~, null or nothing */
bool ew_yaml_is_word(const yaml_node_t *node, const char *word);
bool ew_yaml_is_one_of(const yaml_node_t *node, const char *words); /* space separated */
ew_status ew_yaml_number(const yaml_node_t *node, const char *what, double *value);
/* A number, or a percentage: 0.03 or 3 %. */
ew_status ew_yaml_share(const yaml_node_t *node, const char *what, double *value);
ew_status ew_yaml_integer(const yaml_node_t *node, const char *what, int64_t low, int64_t high,
                          int64_t *value);
ew_status ew_yaml_truth(const yaml_node_t *node, const char *what, bool *value);
ew_status ew_yaml_text(ew_yaml *yaml, const yaml_node_t *node, const char *what, const char **text);
ew_status ew_yaml_vector(ew_yaml *yaml, const yaml_node_t *node, const char *what, double value[3]);
/* One of the words (space separated); *choice is its place. */
ew_status ew_yaml_choice(const yaml_node_t *node, const char *what, const char *words,
                         int32_t *choice);

#endif
