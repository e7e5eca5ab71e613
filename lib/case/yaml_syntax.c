/* Messages about syntax errors of YAML. In: a parser that stopped, and the text that it read.
 * Out: a failure with its line, the parser's rule and the remedy. */
#include "case/yaml.h"

#include <string.h>

/* Rules of libyaml by a part of their text, and what usually broke them. */
static const struct {
    const char *rule, *remedy;
} remedies[] = {
    {"cannot start any token", "put a text that begins with this character in quotes"},
    {"mapping values are not allowed",
     "a second ':' in one line, a line that is indented other than its neighbors, or one above it "
     "without its ':'; a text with ': ' stands in quotes"},
    {"expected ',' or", "a comma is missing, or a bracket is not closed"},
    {"expected key", "keys of one mapping begin in one column; see the lines above, too"},
    {"expected '-' indicator", "items of one list begin with '-' in one column"},
    {"could not find expected ':'", "a key needs ': ' behind it, with a blank: 'young: 210e9'"},
    {"block sequence entries are not allowed", "an item of a list, '- ', begins a line of its own"},
    {"expected <document start>",
     "the document ends above, by '...' or a bracket that is closed; a case is one document"},
    {"unexpected end of stream", "a quote is not closed"},
    {"unknown escape", "put the text in single quotes, in which a backslash is a backslash"},
    {"control characters", "it is no text file, or one of another program"},
    {"UTF-8", "save the file as UTF-8"},
    {"undefined alias", "a text that begins with '*' stands in quotes"},
};

/* The line that the parser stopped at, from 0; its text begins at the result. */
static const char *find_line(const char *data, size_t size, size_t line)
{
    const char *at = data, *end = data + size;
    while (line-- && at < end) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return at;
}

/* Blanks that begin a line, or stand behind the '-' of an item. */
static bool is_indented_by_tab(const char *at, const char *end)
{
    for (; at < end && (*at == ' ' || *at == '-'); at++) {
    }
    return at < end && *at == '\t';
}

ew_status ew_yaml_fail_syntax(const yaml_parser_t *parser, const char *data, size_t size)
{
    const char *rule = parser->problem ? parser->problem : "unreadable", *remedy = NULL;
    const int32_t line = (int32_t)parser->problem_mark.line + 1;
    const char *context = parser->context ? parser->context : "";
    if (is_indented_by_tab(find_line(data, size, parser->problem_mark.line), data + size)) {
        return ew_fail_at(EW_BAD_INPUT, line,
                          "the line is indented by a tab, which YAML does not allow; indent by "
                          "spaces");
    }
    for (size_t i = 0; i < sizeof remedies / sizeof *remedies && !remedy; i++) {
        remedy = strstr(rule, remedies[i].rule) ? remedies[i].remedy : NULL;
    }
    if (strstr(context, "flow") || strstr(context, "quoted")) {
        return ew_fail_at(EW_BAD_INPUT, line, "not valid YAML: %s, %s that begins in line %d%s%s",
                          rule, context, (int)parser->context_mark.line + 1, remedy ? "; " : "",
                          remedy ? remedy : "");
    }
    return ew_fail_at(EW_BAD_INPUT, line, "not valid YAML: %s%s%s", rule, remedy ? "; " : "",
                      remedy ? remedy : "");
}
