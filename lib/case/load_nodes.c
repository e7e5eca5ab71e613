/* Loads on nodes: `at:`, their places, or `nodes:`, their numbers in the mesh file. In: a force or
 * a temperature of a case. Out: its nodes, and what acts on each. */
#include "case/reader.h"

#include <string.h>

ew_status ew_case_refuse_axes(const yaml_node_t *axes, const char *key)
{
    return ew_yaml_fail(axes, "%s has no components that could lie along axes", key);
}

static bool is_list_of_lists(ew_yaml *yaml, const yaml_node_t *node)
{
    return node->type == YAML_SEQUENCE_NODE &&
           node->data.sequence.items.top > node->data.sequence.items.start &&
           ew_yaml_item(yaml, node, 0)->type == YAML_SEQUENCE_NODE;
}

/* `at: [x, y, z]`, or a list of such. */
static ew_status read_places(ew_case_reader *reader, const yaml_node_t *list, ew_case_load *out)
{
    ew_yaml *yaml = &reader->yaml;
    const bool many = is_list_of_lists(yaml, list);
    out->n_place = 1;
    EW_TRY(many ? ew_yaml_expect_list(list, "at", &out->n_place) : EW_OK);
    const size_t bytes = 3 * sizeof *out->place * (size_t)out->n_place;
    EW_TRY(ew_arena_take(&reader->arena, bytes, &out->place));
    for (int32_t i = 0; i < out->n_place; i++) {
        EW_TRY(ew_yaml_vector(yaml, many ? ew_yaml_item(yaml, list, i) : list, "at",
                              out->place + 3 * (size_t)i));
    }
    return EW_OK;
}

/* `nodes: [12, [3, 7]]`: a vertex; the middle of the side between two. */
static ew_status read_numbers(ew_case_reader *reader, const yaml_node_t *list, ew_case_load *out)
{
    ew_yaml *yaml = &reader->yaml;
    EW_TRY(ew_yaml_expect_list(list, "nodes", &out->n_place));
    if (!out->n_place) {
        return ew_yaml_fail(list, "nodes: the list is empty; give numbers of vertices, or pairs of "
                                  "them for the middles of sides");
    }
    const size_t bytes = 2 * sizeof *out->end * (size_t)out->n_place;
    EW_TRY(ew_arena_take(&reader->arena, bytes, &out->end));
    for (int32_t i = 0; i < out->n_place; i++) {
        const yaml_node_t *item = ew_yaml_item(yaml, list, i);
        int64_t *end = out->end + 2 * (size_t)i;
        int32_t n = 2;
        const bool is_pair = item->type == YAML_SEQUENCE_NODE;
        EW_TRY(is_pair ? ew_yaml_expect_list(item, "nodes", &n) : EW_OK);
        if (n != 2) {
            return ew_yaml_fail(item, "nodes: a middle of a side is [a, b], the numbers of its two "
                                      "ends");
        }
        for (int k = 0; k < 2; k++) {
            EW_TRY(ew_yaml_integer(is_pair ? ew_yaml_item(yaml, item, k) : item, "nodes", 0,
                                   INT32_MAX, &end[k]));
        }
    }
    return EW_OK;
}

/* The same on each node, or a list of as many. Components along local axes are turned here where
 * the places are known, else in the study. */
static ew_status read_values(ew_case_reader *reader, const yaml_node_t *value, const char *key,
                             const yaml_node_t *axes, ew_case_load *out)
{
    ew_yaml *yaml = &reader->yaml;
    const bool heats = out->as.kind == EW_LOAD_TEMPERATURE;
    const bool own = heats ? value->type == YAML_SEQUENCE_NODE : is_list_of_lists(yaml, value);
    int32_t n_value = 1;
    EW_TRY(own ? ew_yaml_expect_list(value, key, &n_value) : EW_OK);
    if (own && n_value != out->n_place) {
        return ew_yaml_fail(value, "%d %ss at %d places; give one for all, or one for each",
                            n_value, key, out->n_place);
    }
    EW_TRY(ew_arena_take(&reader->arena, 3 * sizeof(double) * (size_t)out->n_place, &out->force));
    out->node_axes.kind = EW_AXES_GLOBAL;
    EW_TRY(axes ? ew_case_read_axes(reader, axes, &out->node_axes) : EW_OK);
    for (int32_t i = 0; i < out->n_place; i++) {
        double *f = out->force + 3 * (size_t)i;
        const yaml_node_t *item = own ? ew_yaml_item(yaml, value, i) : value;
        EW_TRY(heats ? ew_yaml_number(item, key, f) : ew_yaml_vector(yaml, item, key, f));
        if (axes && out->place) {
            ew_case_turn_force(&out->node_axes, out->place + 3 * (size_t)i, f);
        }
    }
    return EW_OK;
}

void ew_case_turn_force(const ew_axes *axes, const double x[3], double force[3])
{
    const double local[3] = {force[0], force[1], force[2]};
    double frame[9];
    (void)ew_axes_at(axes, x, frame); /* on the axis of a cylinder only along it */
    ew_axes_to_global(frame, local, force);
}

ew_status ew_case_read_load_nodes(ew_case_reader *reader, const yaml_node_t *node, const char *key,
                                  ew_load_kind kind, const yaml_node_t *value, ew_case_load *out)
{
    ew_yaml *yaml = &reader->yaml;
    const yaml_node_t *at = ew_yaml_find(yaml, node, "at");
    const yaml_node_t *numbers = ew_yaml_find(yaml, node, "nodes");
    const yaml_node_t *set = ew_yaml_find(yaml, node, "set");
    const yaml_node_t *axes = ew_yaml_find(yaml, node, "axes");
    const yaml_node_t *other = set ? set : ew_yaml_find(yaml, node, "surface");
    const bool heats = kind == EW_LOAD_TEMPERATURE;
    if (kind != EW_LOAD_FORCE && !heats) {
        return ew_yaml_fail(at ? at : numbers, "%s goes with force and temperature; %s takes a set",
                            at ? "at" : "nodes", key);
    }
    if (other || (at && numbers)) {
        return ew_yaml_fail(other ? other : at,
                            "a %s acts on a set, on a surface, at places or on nodes; keep one of "
                            "them",
                            key);
    }
    if (axes && heats) {
        return ew_case_refuse_axes(axes, key);
    }
    out->as.kind = heats ? EW_LOAD_TEMPERATURE : EW_LOAD_FORCE_ON_NODES;
    out->as.change = heats ? 1.0 : 0.0;
    out->as.set = -1;
    EW_TRY(at ? read_places(reader, at, out) : read_numbers(reader, numbers, out));
    EW_TRY(read_values(reader, value, key, axes, out));
    out->nodes = ++reader->out->n_load_nodes;
    return EW_OK;
}
