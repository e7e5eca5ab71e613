/* The set of a name. In: a node with a name. Out: a set of the case or a group of its mesh, or a
 * message that lists the names. */
#include "case/reader.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 2048 };

/* The line of a step that makes a set of this name, or 0. */
static int32_t line_in_steps(ew_case_reader *reader, const char *name)
{
    const yaml_node_t *root = yaml_document_get_root_node(&reader->yaml.document);
    const yaml_node_t *steps = ew_yaml_find(&reader->yaml, root, "steps");
    if (!steps || steps->type != YAML_SEQUENCE_NODE) {
        return 0;
    }
    const ptrdiff_t n = steps->data.sequence.items.top - steps->data.sequence.items.start;
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *step = ew_yaml_item(&reader->yaml, steps, i);
        const yaml_node_t *sets = ew_yaml_find(&reader->yaml, step, "sets");
        const yaml_node_t *value = sets ? ew_yaml_find(&reader->yaml, sets, name) : NULL;
        if (value) {
            return ew_yaml_line(value);
        }
    }
    return 0;
}

static void add_name(char words[MAX_WORDS], const char *name)
{
    const size_t used = strlen(words), length = strlen(name);
    if (used + length + 2 < MAX_WORDS) {
        memcpy(words + used, name, length);
        strcpy(words + used + length, " ");
    }
}

/* Of the case and of its mesh, as far as there is room. */
static void list_names(const ew_case_reader *reader, char words[MAX_WORDS])
{
    words[0] = 0;
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        if (!reader->set[i].is_unnamed) {
            add_name(words, reader->set[i].name);
        }
    }
    for (int32_t i = 0; reader->groups && i < reader->groups->n; i++) {
        add_name(words, reader->groups->group[i].name);
    }
}

/* For a message: 'wall', 'tip' */
static void list_known(const ew_case_reader *reader, char text[MAX_WORDS])
{
    size_t n = 0;
    text[0] = 0;
    for (int32_t i = 0; i < reader->out->n_set && n < 160; i++) {
        if (!reader->set[i].is_unnamed) {
            n += (size_t)snprintf(text + n, MAX_WORDS - n, "%s'%.40s'", n ? ", " : "",
                                  reader->set[i].name);
        }
    }
    for (int32_t i = 0; reader->groups && i < reader->groups->n && n < 160; i++) {
        n += (size_t)snprintf(text + n, MAX_WORDS - n, "%s'%.40s'", n ? ", " : "",
                              reader->groups->group[i].name);
    }
}

ew_status ew_case_find_set(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                           int32_t *set)
{
    const char *name;
    EW_TRY(ew_yaml_text(&reader->yaml, node, what, &name));
    char near[64] = "", words[MAX_WORDS];
    *set = ew_case_set_named(reader, name);
    if (*set < 0) {
        EW_TRY(ew_case_find_group(reader, node, name, EW_ANY_KIND, set));
    }
    if (*set >= 0) {
        return EW_OK;
    }
    list_names(reader, words);
    const int32_t later = line_in_steps(reader, name);
    if (later) {
        return ew_yaml_fail(node,
                            "%s: set '%.60s' is made in line %d, after the edits of its step; use "
                            "it from there on, or define it under 'sets:' of the case",
                            what, name, (int)later);
    }
    if (ew_nearest_word(name, words, near)) {
        return ew_yaml_fail(node, "%s: there is no set '%.60s'; did you mean '%s'?", what, name,
                            near);
    }
    list_known(reader, words);
    return ew_yaml_fail(node, "%s: there is no set '%.60s'; define it under 'sets:'%s%.200s", what,
                        name, *words ? ", or take one of " : "", words);
}
