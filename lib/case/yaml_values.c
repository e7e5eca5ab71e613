/* Expressions where a case has numbers. In: a document, and parameters with their values. Out:
 * every scalar that reads as an expression carries its value, or what is wrong with it, in place of
 * its YAML tag, which nothing else reads; who asks a node for a number finds it there (yaml.c).
 * Words carry a fault, which nobody asks for. A document that is read again has its expressions
 * evaluated again. */
#include "case/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* First characters of such a tag. WORD: a fault of the text itself, whatever the values are.
 * QUANTITY: the value of a number with a unit, whatever they are. */
enum { VALUE = 1, FAULT, WORD, QUANTITY };

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static bool is_number(const char *text)
{
    char *end;
    (void)strtod(text, &end);
    return *text && !*end && strspn(text, "+-.0123456789eE") == strlen(text);
}

/* libyaml releases tags by free(). */
static ew_status mark(yaml_node_t *node, char kind, const char *text)
{
    const size_t length = strlen(text);
    char *tag = malloc(length + 2);
    if (!tag) {
        return ew_fail(EW_NO_MEMORY, "no memory for the expressions of the case");
    }
    tag[0] = kind;
    memcpy(tag + 1, text, length + 1);
    free(node->tag);
    node->tag = (yaml_char_t *)tag;
    return EW_OK;
}

static ew_status evaluate(const ew_yaml *yaml, yaml_node_t *node, const char *text)
{
    ew_expression made;
    double value;
    char number[40];
    const ew_status status = ew_expression_read(&made, text, yaml->names);
    if (status) {
        return mark(node, WORD, ew_message());
    }
    const char *fault = ew_expression_value(&made, yaml->value, &value);
    if (fault) {
        return mark(node, FAULT, fault);
    }
    snprintf(number, sizeof number, "%.17g", value);
    return mark(node, VALUE, number);
}

void ew_yaml_forget_value(yaml_node_t *node)
{
    if (node->tag && *node->tag == VALUE) {
        free(node->tag);
        node->tag = NULL;
    }
}

ew_status ew_yaml_evaluate(ew_yaml *yaml)
{
    yaml_node_t *node = yaml->document.nodes.start;
    for (; node < yaml->document.nodes.top; node++) {
        const char *text = scalar(node);
        if (text && node->tag && (*node->tag == WORD || *node->tag == QUANTITY)) {
            continue; /* of a document that is read again, or a number with a unit */
        }
        if (text && *text && strlen(text) <= EW_EXPRESSION_LENGTH && !is_number(text)) {
            EW_TRY(evaluate(yaml, node, text));
        }
    }
    return EW_OK;
}

const char *ew_yaml_value(const yaml_node_t *node, const char **fault)
{
    const char *tag = (const char *)node->tag;
    *fault = tag && (*tag == FAULT || *tag == WORD) ? tag + 1 : NULL;
    return tag && (*tag == VALUE || *tag == QUANTITY) ? tag + 1 : scalar(node);
}

ew_status ew_yaml_set_quantity(yaml_node_t *node, const char *number)
{
    return mark(node, QUANTITY, number);
}

ew_status ew_yaml_set_text(yaml_node_t *node, const char *text)
{
    const size_t length = strlen(text);
    char *copy = malloc(length + 1); /* which libyaml releases by free() */
    if (!copy) {
        return ew_fail(EW_NO_MEMORY, "no memory for the expressions of the case");
    }
    memcpy(copy, text, length + 1);
    free(node->data.scalar.value);
    node->data.scalar.value = (yaml_char_t *)copy;
    node->data.scalar.length = length;
    return EW_OK;
}

const char *ew_yaml_quantity(const yaml_node_t *node)
{
    return node->tag && *node->tag == QUANTITY ? (const char *)node->tag + 1 : NULL;
}
