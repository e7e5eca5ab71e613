/* `parameters:` of a case: names with numbers, or expressions of those before. Known by their
 * values wherever the case has a number. */
#include "case/reader.h"

#include <math.h>
#include <string.h>

/* Names that expressions of the place have. */
static const char place[] = "x y z";

static ew_status read_name(ew_case_reader *reader, const yaml_node_t *key, const char **name)
{
    EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of a parameter", name));
    const ew_status status = ew_expression_check_name(*name);
    if (status) {
        return ew_fail_line(status, ew_yaml_line(key));
    }
    if (ew_yaml_is_one_of(key, place)) {
        return ew_yaml_fail(key,
                            "parameters: '%s' is a coordinate in expressions of the place; "
                            "take another name",
                            *name);
    }
    for (int32_t i = 0; i < reader->out->n_parameter; i++) {
        const ew_case_parameter *other = &reader->out->parameter[i];
        if (!strcmp(other->name, *name)) {
            return ew_yaml_fail(key, "parameters: '%s' is given twice (first in line %d)", *name,
                                (int)other->line);
        }
    }
    return EW_OK;
}

/* Of those before, which the reader knows. */
static ew_status read_value(ew_case_reader *reader, yaml_node_t *node, ew_case_parameter *made,
                            double *value)
{
    ew_expression expression;
    char what[64];
    snprintf(what, sizeof what, "parameter %s", made->name);
    if (node->type != YAML_SCALAR_NODE || ew_yaml_is_null(node)) {
        return ew_yaml_fail(node, "%s must be a number or an expression of parameters before it",
                            what);
    }
    const char *text = (const char *)node->data.scalar.value;
    ew_yaml_forget_value(node);
    if (!ew_yaml_number(node, what, value)) {
        return EW_OK;
    }
    made->follows = true;
    ew_status status = ew_expression_read(&expression, text, reader->yaml.names);
    const char *fault = status ? NULL : ew_expression_value(&expression, reader->yaml.value, value);
    if (fault) {
        status = ew_fail(EW_BAD_INPUT, "%s in '%.80s'", fault, text);
    }
    return status ? ew_fail_prefix(ew_fail_line(status, ew_yaml_line(node)), "%s", what) : EW_OK;
}

static ew_status read_all(ew_case_reader *reader, const yaml_node_t *node, double *value,
                          char *names)
{
    ew_case *input = reader->out;
    const ew_case_def *def = reader->def;
    yaml_document_t *document = &reader->yaml.document;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const int32_t k = input->n_parameter;
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);
        ew_case_parameter *made = &input->parameter[k];
        if (k == EW_MAX_PARAMETERS_OF_CASE) {
            return ew_yaml_fail(key, "parameters: a case has at most %d",
                                (int)EW_MAX_PARAMETERS_OF_CASE);
        }
        made->line = ew_yaml_line(key);
        EW_TRY(read_name(reader, key, &made->name));
        if (k < def->n_value && !isnan(def->value[k])) {
            value[k] = def->value[k];
        } else {
            EW_TRY(
                read_value(reader, yaml_document_get_node(document, pair->value), made, &value[k]));
        }
        made->value = value[k];
        strcat(strcat(names, k ? " " : ""), made->name);
        input->n_parameter++;
    }
    return EW_OK;
}

static bool is_part_of_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A word of the text. */
static bool has_word(const char *text, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[size])) {
            return true;
        }
    }
    return false;
}

ew_status ew_case_expect_read(ew_case_reader *reader, const yaml_node_t *names)
{
    const yaml_document_t *document = &reader->yaml.document;
    const yaml_node_t *first = document->nodes.start;
    const size_t n = (size_t)(document->nodes.top - first);
    bool *is_key;
    EW_TRY(ew_arena_take(&reader->arena, n + 1, &is_key));
    memset(is_key, 0, n + 1);
    for (size_t i = 0; i < n; i++) {
        const yaml_node_pair_t *pair = first[i].data.mapping.pairs.start;
        for (; first[i].type == YAML_MAPPING_NODE && pair < first[i].data.mapping.pairs.top;
             pair++) {
            is_key[pair->key - 1] = true; /* nodes count from 1 */
        }
    }
    const yaml_node_pair_t *pair = names->data.mapping.pairs.start;
    for (; pair < names->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = &first[pair->key - 1];
        const char *name = (const char *)key->data.scalar.value;
        bool is_read = false;
        for (size_t i = 0; i < n && !is_read; i++) {
            is_read = first[i].type == YAML_SCALAR_NODE && !is_key[i] &&
                      has_word((const char *)first[i].data.scalar.value, name);
        }
        if (!is_read) {
            return ew_yaml_fail(key,
                                "parameter '%.31s' is varied, and no number of the case reads it; "
                                "write '%.31s', or an expression of it, where one is to vary",
                                name, name);
        }
    }
    return EW_OK;
}

ew_status ew_case_read_parameters(ew_case_reader *reader)
{
    ew_case *input = reader->out;
    ew_yaml *yaml = &reader->yaml;
    double *value;
    char *names;
    const yaml_node_t *root = yaml_document_get_root_node(&yaml->document);
    const yaml_node_t *node = ew_yaml_find(yaml, root, "parameters");
    EW_TRY(ew_arena_take(&reader->arena, EW_MAX_PARAMETERS_OF_CASE * sizeof *value, &value));
    EW_TRY(ew_arena_take(&reader->arena, EW_EXPRESSION_NAMES, &names));
    yaml->names = names;
    yaml->value = value;
    if (node && node->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(node, "parameters must be a mapping of names to numbers");
    }
    if (node) {
        EW_TRY(ew_arena_take(&reader->arena, EW_MAX_PARAMETERS_OF_CASE * sizeof *input->parameter,
                             &input->parameter));
        EW_TRY(read_all(reader, node, value, names));
    }
    return ew_yaml_evaluate(yaml);
}
