/* Checks of a YAML text before it is loaded, so that no part of it stays unread: one
 * document, tags that say what is read anyway, and lists and mappings that are not too deep. */
#include "case/yaml.h"

#include <string.h>

enum { MAX_DEPTH = 64 };

typedef struct stream {
    int depth, n_document;
} stream;

static bool consists_of(const char *text, const char *characters)
{
    return *text && strspn(text, characters) == strlen(text);
}

/* Whether a scalar is one of a standard type, as a case reads it: of a text that no word of another
 * type could be meant. */
static bool is_scalar_of(const char *text, const char *type)
{
    static const char *const constants[] = {"true", "false", "null", "~", ""};
    const bool truth = !strcmp(text, constants[0]) || !strcmp(text, constants[1]);
    const bool number = consists_of(text, "+-.0123456789eE");
    bool constant = false;
    for (size_t k = 0; k < sizeof constants / sizeof *constants; k++) {
        constant = constant || !strcmp(text, constants[k]);
    }
    return !strcmp(type, "int")     ? consists_of(text, "+-0123456789")
           : !strcmp(type, "float") ? number
           : !strcmp(type, "bool")  ? truth
           : !strcmp(type, "null")  ? constant && !truth
           : !strcmp(type, "str")   ? !number && !constant
                                    : false;
}

static ew_status check_tag(const yaml_event_t *event)
{
    static const char standard[] = "tag:yaml.org,2002:";
    const bool is_mapping = event->type == YAML_MAPPING_START_EVENT;
    const bool is_list = event->type == YAML_SEQUENCE_START_EVENT;
    const yaml_char_t *given = is_mapping                         ? event->data.mapping_start.tag
                               : is_list                          ? event->data.sequence_start.tag
                               : event->type == YAML_SCALAR_EVENT ? event->data.scalar.tag
                                                                  : NULL;
    const char *tag = (const char *)given;
    if (!tag) {
        return EW_OK;
    }
    const bool known = !strncmp(tag, standard, sizeof standard - 1);
    const char *type = known ? tag + sizeof standard - 1 : "";
    const bool same = is_mapping ? !strcmp(type, "map")
                      : is_list  ? !strcmp(type, "seq")
                                 : is_scalar_of((const char *)event->data.scalar.value, type);
    return same ? EW_OK
                : ew_fail_at(EW_BAD_INPUT, (int32_t)event->start_mark.line + 1,
                             "the tag '%s%.60s' does not say how a case reads the value behind it; "
                             "remove the tag",
                             known ? "!!" : "", known ? type : tag);
}

static ew_status check_event(stream *in, const yaml_event_t *event)
{
    const yaml_event_type_t type = event->type;
    const int32_t line = (int32_t)event->start_mark.line + 1;
    in->depth += type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
    in->depth -= type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
    in->n_document += type == YAML_DOCUMENT_START_EVENT;
    if (in->n_document > 1) {
        return ew_fail_at(EW_BAD_INPUT, line,
                          "a second YAML document begins here, and a case is one; remove it, or "
                          "put it into a file of its own");
    }
    if (in->depth > MAX_DEPTH) {
        return ew_fail_at(EW_BAD_INPUT, line,
                          "lists and mappings are nested more than %d deep, which no case needs",
                          MAX_DEPTH);
    }
    return check_tag(event);
}

/* Each bracket that is open costs libyaml time with every word that follows: nesting is looked at
 * before the document is loaded, and so is what comes behind it, which the loading does not see. */
ew_status ew_yaml_check_stream(const char *data, size_t size)
{
    yaml_parser_t parser;
    yaml_event_t event;
    stream in = {0, 0};
    bool more = true;
    ew_status status = EW_OK;
    if (!yaml_parser_initialize(&parser)) {
        return ew_fail(EW_NO_MEMORY, "no memory for the YAML parser");
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)data, size);
    while (more && !status && yaml_parser_parse(&parser, &event)) {
        more = event.type != YAML_STREAM_END_EVENT;
        status = check_event(&in, &event);
        yaml_event_delete(&event);
    }
    if (more && !status) {
        status = parser.error == YAML_MEMORY_ERROR
                     ? ew_fail(EW_NO_MEMORY, "no memory to read the case")
                     : ew_yaml_fail_syntax(&parser, data, size);
    }
    yaml_parser_delete(&parser);
    return status;
}
