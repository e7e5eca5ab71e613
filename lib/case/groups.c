/* Names that a case takes from its mesh: groups as sets, regions and surfaces by name. In: what the
 * reader of the mesh found, asked for when such a name is met. Out: sets that are made on the
 * case's mesh, labels. */
#include "case/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- as sets ----------------------------------------------------------------------- */

/* Its name, or where the case has a set of that name, or the mesh another group, with its kind. */
static ew_status name_set(ew_case_reader *reader, const ew_group *group, bool is_one,
                          const char **name)
{
    char text[EW_GROUP_NAME + 16];
    bool taken = !is_one;
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        taken = taken || (!reader->set[i].is_unnamed && !strcmp(reader->set[i].name, group->name));
    }
    snprintf(text, sizeof text, taken ? "%s (%s)" : "%s", group->name,
             ew_group_kind_name(group->kind));
    return ew_case_free_name(reader, text, false, name);
}

/* Members by their ids, or by the label that they have. */
static ew_status make_selector(ew_case_reader *reader, const ew_group *group, ew_selector *out)
{
    *out = ew_group_selector(group);
    if (!group->is_label) {
        int64_t *id;
        EW_TRY(ew_arena_take(&reader->arena, sizeof *id * ((size_t)group->n_id + 1), &id));
        memcpy(id, group->id, sizeof *id * (size_t)group->n_id);
        out->id = id;
    }
    return EW_OK;
}

static ew_status make_set(ew_case_reader *reader, const yaml_node_t *place, int32_t index,
                          bool is_one, int32_t *set)
{
    const ew_group *group = &reader->groups->group[index];
    const char *name;
    int32_t node;
    EW_TRY(name_set(reader, group, is_one, &name));
    EW_TRY(ew_case_new_node(reader, place, &node));
    EW_TRY(make_selector(reader, group, &reader->node[node].selector));
    reader->node[node].of = (int32_t)group->kind;
    EW_TRY(ew_case_new_set(reader, name, place, set));
    ew_case_set *made = &reader->set[*set];
    made->node = node;
    made->kind = (ew_set_kind)group->kind;
    made->step = -1; /* wherever it is met first */
    made->in_edit = false;
    made->group = index + 1;
    return EW_OK;
}

ew_status ew_case_find_group(ew_case_reader *reader, const yaml_node_t *node, const char *name,
                             int32_t kind, int32_t *set)
{
    const ew_groups *groups;
    const ew_group *found = NULL, *wanted = NULL;
    int32_t n = 0;
    *set = -1;
    EW_TRY(ew_case_groups(reader, &groups));
    for (int32_t k = 0; groups && k < 3; k++) {
        const ew_group *group = ew_groups_find(groups, (ew_group_kind)k, name);
        n += group != NULL;
        found = group ? group : found;
        wanted = group && k == kind ? group : wanted;
    }
    if (!n) {
        return EW_OK;
    }
    if (n > 1 && !wanted) {
        return ew_yaml_fail(node,
                            "the mesh has several parts with the name '%.60s'; say which: {group: "
                            "%.60s, of: vertices}, faces or tets",
                            name, name);
    }
    const int32_t index = (int32_t)((wanted ? wanted : found) - groups->group);
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        if (reader->set[i].group == index + 1) {
            *set = i;
            return EW_OK;
        }
    }
    return make_set(reader, node, index, n == 1, set);
}

/* ---- as labels ------------------------------------------------------------------------ */

static ew_status read_number(const yaml_node_t *node, const char *what, int32_t *label)
{
    int64_t number;
    EW_TRY(ew_yaml_integer(node, what, INT32_MIN, INT32_MAX, &number));
    *label = (int32_t)number;
    return EW_OK;
}

static bool is_expression(const yaml_node_t *node)
{
    const char *fault;
    return ew_yaml_value(node, &fault) != (const char *)node->data.scalar.value;
}

/* A word that is no number, where the mesh may have names. */
static bool is_name(const ew_case_reader *reader, const yaml_node_t *node)
{
    const char *text = node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
    char *end;
    strtoll(text, &end, 10);
    return *end && !ew_yaml_is_null(node) && reader->def->read_groups;
}

ew_status ew_case_read_label(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                             int32_t *label)
{
    const ew_group_kind kind = !strcmp(what, "region") ? EW_GROUP_TETS : EW_GROUP_FACES;
    const ew_groups *groups;
    const char *name;
    bool is_found;
    if (node->type == YAML_MAPPING_NODE) {
        return ew_case_read_geometry(reader, node, kind == EW_GROUP_TETS, false, label, &is_found);
    }
    if (!is_name(reader, node)) {
        EW_TRY(read_number(node, what, label));
        return ew_case_note_number(reader, node, kind == EW_GROUP_TETS, *label);
    }
    EW_TRY(ew_yaml_text(&reader->yaml, node, what, &name));
    EW_TRY(ew_case_groups(reader, &groups));
    const ew_group *group = groups ? ew_groups_find(groups, kind, name) : NULL;
    if (!group && is_expression(node)) {
        return read_number(node, what, label);
    }
    if (!group) {
        return ew_yaml_fail(node,
                            "the mesh has no %s with the name '%.60s'; 'edgewise info' lists its "
                            "names and numbers",
                            what, name);
    }
    if (!group->is_label) {
        return ew_yaml_fail(node,
                            "'%.60s' is no region, but tets that are in regions of other names; "
                            "take it as a set, {group: %.60s}",
                            name, name);
    }
    *label = group->label;
    return EW_OK;
}
