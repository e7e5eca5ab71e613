/* The lists of sets and of set expressions while a case is read: they grow, names stay unique. */
#include "case/reader.h"

#include <stdio.h>
#include <string.h>

/* Of expressions: aliases could otherwise make trees endless. */
enum { MAX_SETS = 2000, MAX_NODES = 100000 };

ew_status ew_case_new_node(ew_case_reader *reader, const yaml_node_t *place, int32_t *out)
{
    ew_case *input = reader->out;
    if (input->n_node >= MAX_NODES) {
        return ew_yaml_fail(place, "sets: more than %d expressions", MAX_NODES);
    }
    EW_TRY(ew_grow(&reader->node, &reader->node_capacity, input->n_node + 1, sizeof *reader->node));
    *out = input->n_node++;
    reader->node[*out] = (ew_set_node){
        .line = ew_yaml_line(place), .of = EW_ANY_KIND, .named = -1, .first_child = -1, .next = -1};
    return EW_OK;
}

int32_t ew_case_set_named(const ew_case_reader *reader, const char *name)
{
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        if (!reader->set[i].is_unnamed && !strcmp(reader->set[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static bool is_taken(const ew_case_reader *reader, const char *name, bool by_unnamed)
{
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        if (!strcmp(reader->set[i].name, name) && (by_unnamed || !reader->set[i].is_unnamed)) {
            return true;
        }
    }
    return false;
}

ew_status ew_case_free_name(ew_case_reader *reader, const char *wanted, bool is_unnamed,
                            const char **name)
{
    char *text;
    const size_t size = strlen(wanted) + 16;
    EW_TRY(ew_arena_take(&reader->arena, size, &text));
    strcpy(text, wanted);
    for (int32_t n = 2; is_taken(reader, text, is_unnamed); n++) {
        snprintf(text, size, "%s (%d)", wanted, (int)n);
    }
    *name = text;
    return EW_OK;
}

/* A set that was given in place of a name leaves its own to one that has a name. */
static ew_status release_name(ew_case_reader *reader, const char *name)
{
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        if (reader->set[i].is_unnamed && !strcmp(reader->set[i].name, name)) {
            EW_TRY(ew_case_free_name(reader, name, true, &reader->set[i].name));
        }
    }
    return EW_OK;
}

ew_status ew_case_new_set(ew_case_reader *reader, const char *name, const yaml_node_t *place,
                          int32_t *set)
{
    ew_case *input = reader->out;
    if (input->n_set >= MAX_SETS) {
        return ew_yaml_fail(place, "more than %d sets", MAX_SETS);
    }
    EW_TRY(release_name(reader, name));
    EW_TRY(ew_grow(&reader->set, &reader->set_capacity, input->n_set + 1, sizeof *reader->set));
    *set = input->n_set++;
    reader->set[*set] = (ew_case_set){.name = name,
                                      .line = ew_yaml_line(place),
                                      .node = -1,
                                      .step = reader->step,
                                      .in_edit = reader->in_edit};
    return EW_OK;
}
