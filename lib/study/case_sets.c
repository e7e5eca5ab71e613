/* Sets of a case: YAML expressions in, a tree of set nodes out. */
#include "study/case_reader.h"

#include <math.h>
#include <string.h>

/* Bounds on the trees, which aliases and long chains of names could otherwise make endless. */
enum { MAX_DEPTH = 32, MAX_NODES = 100000, MAX_SETS = 4096 };

static ew_status expression(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            int32_t depth, int32_t *out);

static ew_status positive(const yaml_node_t *node, const char *what, bool zero_allowed,
                          double *value)
{
    EW_TRY(ew_yaml_number(node, what, value));
    if (*value < 0 || (*value == 0 && !zero_allowed)) {
        return ew_yaml_fail(node, "%s is %g; it must be %s 0", what, *value,
                            zero_allowed ? "at least" : "greater than");
    }
    return EW_OK;
}

ew_status ew_case_read_axis(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            double axis[3])
{
    if (node->type == YAML_SCALAR_NODE) {
        int32_t choice;
        EW_TRY(ew_yaml_choice(node, what, "x y z", &choice));
        memset(axis, 0, 3 * sizeof *axis);
        axis[choice] = 1;
        return EW_OK;
    }
    EW_TRY(ew_yaml_vector(&reader->yaml, node, what, axis));
    if (hypot(hypot(axis[0], axis[1]), axis[2]) == 0) {
        return ew_yaml_fail(node, "%s has length 0; give a direction", what);
    }
    return EW_OK;
}

static ew_status read_box(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    int32_t n = 0;
    EW_TRY(ew_yaml_expect_list(value, "box", &n));
    if (n != 2) {
        return ew_yaml_fail(value, "box must be a list of two corners [[x, y, z], [x, y, z]]");
    }
    EW_TRY(ew_yaml_vector(&reader->yaml, ew_yaml_item(&reader->yaml, value, 0), "box", out->a));
    EW_TRY(ew_yaml_vector(&reader->yaml, ew_yaml_item(&reader->yaml, value, 1), "box", out->b));
    for (int32_t c = 0; c < 3; c++) {
        if (out->a[c] > out->b[c]) {
            return ew_yaml_fail(value, "box: its first corner must not exceed its second (%g > %g)",
                                out->a[c], out->b[c]);
        }
    }
    return EW_OK;
}

static ew_status read_ids(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    EW_TRY(ew_yaml_expect_list(value, "ids", &out->n_id));
    int64_t *id;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *id * ((size_t)out->n_id + 1), &id));
    for (int32_t i = 0; i < out->n_id; i++) {
        EW_TRY(ew_yaml_integer(ew_yaml_item(&reader->yaml, value, i), "ids", 0, INT32_MAX, &id[i]));
    }
    out->id = id;
    return EW_OK;
}

static ew_status read_label(const yaml_node_t *value, const char *what, ew_selector *out)
{
    int64_t label;
    EW_TRY(ew_yaml_integer(value, what, INT32_MIN, INT32_MAX, &label));
    out->label = (int32_t)label;
    return EW_OK;
}

static ew_status read_plane(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    ew_yaml *yaml = &reader->yaml;
    bool thick = out->kind == EW_SELECT_PLANE;
    const char *what = thick ? "plane" : "side";
    yaml_node_t *field;
    EW_TRY(
        ew_yaml_expect_keys(yaml, value, what, thick ? "point normal tolerance" : "point normal"));
    EW_TRY(ew_yaml_need(yaml, value, what, "point", &field));
    EW_TRY(ew_yaml_vector(yaml, field, "point", out->a));
    EW_TRY(ew_yaml_need(yaml, value, what, "normal", &field));
    EW_TRY(ew_case_read_axis(reader, field, "normal", out->b));
    if (thick) {
        EW_TRY(ew_yaml_need(yaml, value, what, "tolerance", &field));
        EW_TRY(positive(field, "tolerance", true, &out->radius));
    }
    return EW_OK;
}

static ew_status read_sphere(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    yaml_node_t *field;
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, value, "sphere", "center radius"));
    EW_TRY(ew_yaml_need(&reader->yaml, value, "sphere", "center", &field));
    EW_TRY(ew_yaml_vector(&reader->yaml, field, "center", out->a));
    EW_TRY(ew_yaml_need(&reader->yaml, value, "sphere", "radius", &field));
    return positive(field, "radius", false, &out->radius);
}

static ew_status read_cylinder(ew_case_reader *reader, const yaml_node_t *value, ew_selector *out)
{
    yaml_node_t *field;
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, value, "cylinder", "from to radius"));
    EW_TRY(ew_yaml_need(&reader->yaml, value, "cylinder", "from", &field));
    EW_TRY(ew_yaml_vector(&reader->yaml, field, "from", out->a));
    EW_TRY(ew_yaml_need(&reader->yaml, value, "cylinder", "to", &field));
    EW_TRY(ew_yaml_vector(&reader->yaml, field, "to", out->b));
    if (!memcmp(out->a, out->b, sizeof out->a)) {
        return ew_yaml_fail(field, "cylinder: 'from' and 'to' must differ");
    }
    EW_TRY(ew_yaml_need(&reader->yaml, value, "cylinder", "radius", &field));
    return positive(field, "radius", false, &out->radius);
}

ew_status ew_case_read_selector(ew_case_reader *reader, const yaml_node_t *key,
                                const yaml_node_t *value, ew_selector *selector)
{
    static const ew_selector_kind kinds[] = {
        EW_SELECT_BOX,     EW_SELECT_SPHERE, EW_SELECT_CYLINDER, EW_SELECT_PLANE, EW_SELECT_SIDE,
        EW_SELECT_NEAREST, EW_SELECT_REGION, EW_SELECT_SURFACE,  EW_SELECT_IDS,   EW_SELECT_ALL,
    };
    int32_t choice;
    EW_TRY(ew_yaml_choice(key, "a selection", EW_SELECTOR_KEYS, &choice));
    memset(selector, 0, sizeof *selector);
    selector->kind = kinds[choice];
    bool truth = false;
    switch (selector->kind) {
    case EW_SELECT_BOX:
        return read_box(reader, value, selector);
    case EW_SELECT_SPHERE:
        return read_sphere(reader, value, selector);
    case EW_SELECT_CYLINDER:
        return read_cylinder(reader, value, selector);
    case EW_SELECT_PLANE:
    case EW_SELECT_SIDE:
        return read_plane(reader, value, selector);
    case EW_SELECT_NEAREST:
        return ew_yaml_vector(&reader->yaml, value, "nearest", selector->a);
    case EW_SELECT_REGION:
        return read_label(value, "region", selector);
    case EW_SELECT_SURFACE:
        return read_label(value, "surface", selector);
    case EW_SELECT_IDS:
        return read_ids(reader, value, selector);
    case EW_SELECT_ALL:
        EW_TRY(ew_yaml_truth(value, "all", &truth));
        return truth ? EW_OK : ew_yaml_fail(value, "all: only 'true' makes sense here");
    }
    return EW_OK;
}

static ew_status find_set(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                          int32_t *set)
{
    const char *name;
    EW_TRY(ew_yaml_text(&reader->yaml, node, what, &name));
    char near[64] = "", words[1024] = "";
    size_t used = 0;
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        if (!strcmp(reader->set[i].name, name)) {
            *set = i;
            return EW_OK;
        }
        size_t length = strlen(reader->set[i].name);
        if (used + length + 2 < sizeof words) {
            memcpy(words + used, reader->set[i].name, length);
            used += length;
            words[used++] = ' ';
        }
    }
    if (ew_nearest_word(name, words, near)) {
        return ew_yaml_fail(node, "%s: there is no set '%.60s'; did you mean '%s'?", what, name,
                            near);
    }
    return ew_yaml_fail(node, "%s: there is no set '%.60s'; define it under 'sets:'", what, name);
}

static ew_status new_node(ew_case_reader *reader, const yaml_node_t *place, int32_t *out)
{
    ew_case *input = reader->out;
    if (input->n_node >= MAX_NODES) {
        return ew_yaml_fail(place, "sets: more than %d expressions", MAX_NODES);
    }
    EW_TRY(ew_grow(&reader->node, &reader->node_capacity, input->n_node + 1, sizeof *reader->node));
    *out = input->n_node++;
    reader->node[*out] = (ew_set_node){.named = -1, .first_child = -1, .next = -1};
    return EW_OK;
}

static ew_status combination(ew_case_reader *reader, const yaml_node_t *list, const char *what,
                             int32_t depth, int32_t node)
{
    int32_t n = 0, last = -1;
    EW_TRY(ew_yaml_expect_list(list, what, &n));
    if (n < 2) {
        return ew_yaml_fail(list, "%s needs a list of at least two sets", what);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t child;
        EW_TRY(expression(reader, ew_yaml_item(&reader->yaml, list, i), what, depth + 1, &child));
        if (last < 0) {
            reader->node[node].first_child = child;
        } else {
            reader->node[last].next = child;
        }
        last = child;
    }
    return EW_OK;
}

static ew_status expression(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            int32_t depth, int32_t *out)
{
    if (depth > MAX_DEPTH) {
        return ew_yaml_fail(node, "%s: nested deeper than %d", what, MAX_DEPTH);
    }
    EW_TRY(new_node(reader, node, out));
    if (node->type == YAML_SCALAR_NODE) {
        reader->node[*out].kind = EW_SET_NAMED;
        int32_t named;
        EW_TRY(find_set(reader, node, what, &named));
        reader->node[*out].named = named;
        return EW_OK;
    }
    EW_TRY(ew_yaml_expect_keys(&reader->yaml, node, what,
                               EW_SELECTOR_KEYS " union intersect subtract allow_empty"));
    yaml_node_t *only = NULL, *key = NULL;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(&reader->yaml.document, pair->key);
        if (ew_yaml_is_word(name, "allow_empty")) {
            continue;
        }
        if (key) {
            return ew_yaml_fail(name,
                                "%s: one kind of selection only; combine several with union, "
                                "intersect or subtract",
                                what);
        }
        key = name;
        only = yaml_document_get_node(&reader->yaml.document, pair->value);
    }
    if (!key) {
        return ew_yaml_fail(node, "%s: says nothing; give box, sphere, ids, ...", what);
    }
    static const char *words[] = {"union", "intersect", "subtract"};
    for (int32_t i = 0; i < 3; i++) {
        if (ew_yaml_is_word(key, words[i])) {
            reader->node[*out].kind = (ew_set_node_kind)(EW_SET_UNION + i);
            return combination(reader, only, words[i], depth, *out);
        }
    }
    reader->node[*out].kind = EW_SET_SELECT;
    ew_selector selector;
    EW_TRY(ew_case_read_selector(reader, key, only, &selector));
    reader->node[*out].selector = selector;
    return EW_OK;
}

/* A set that contains itself has no meaning: depth first over the references. state: 0 not seen,
 * 1 on the way, 2 known to be sound. */
static bool is_cyclic(const ew_case_reader *reader, int32_t node, uint8_t *state)
{
    for (; node >= 0; node = reader->node[node].next) {
        const ew_set_node *at = &reader->node[node];
        if (at->first_child >= 0 && is_cyclic(reader, at->first_child, state)) {
            return true;
        }
        if (at->kind != EW_SET_NAMED || state[at->named] == 2) {
            continue;
        }
        if (state[at->named] == 1) {
            return true;
        }
        state[at->named] = 1;
        if (is_cyclic(reader, reader->set[at->named].node, state)) {
            return true;
        }
        state[at->named] = 2;
    }
    return false;
}

static ew_status refuse_cycles(const ew_case_reader *reader)
{
    uint8_t *state;
    ew_status status = EW_OK;
    EW_TRY(ew_new_zero(&state, (size_t)reader->out->n_set, 1));
    for (int32_t i = 0; i < reader->out->n_set && !status; i++) {
        if (state[i] == 0) {
            state[i] = 1;
            if (is_cyclic(reader, reader->set[i].node, state)) {
                status = ew_fail_at(EW_BAD_INPUT, reader->set[i].line,
                                    "set '%.60s' is defined by itself", reader->set[i].name);
            }
            state[i] = 2;
        }
    }
    ew_release(state);
    return status;
}

static ew_status new_set(ew_case_reader *reader, const char *name, const yaml_node_t *place)
{
    ew_case *input = reader->out;
    if (input->n_set >= MAX_SETS) {
        return ew_yaml_fail(place, "more than %d sets", MAX_SETS);
    }
    EW_TRY(ew_grow(&reader->set, &reader->set_capacity, input->n_set + 1, sizeof *reader->set));
    reader->set[input->n_set++] =
        (ew_case_set){.name = name, .line = ew_yaml_line(place), .node = -1};
    return EW_OK;
}

ew_status ew_case_read_sets(ew_case_reader *reader, const yaml_node_t *sets)
{
    if (!sets || ew_yaml_is_null(sets)) {
        return EW_OK;
    }
    if (sets->type != YAML_MAPPING_NODE) {
        return ew_yaml_fail(sets, "sets must be a mapping from names to selections");
    }
    const yaml_node_pair_t *start = sets->data.mapping.pairs.start;
    const yaml_node_pair_t *top = sets->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = start; pair < top; pair++) {
        yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair->key);
        const char *name;
        EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of a set", &name));
        for (int32_t i = 0; i < reader->out->n_set; i++) {
            if (!strcmp(reader->set[i].name, name)) {
                return ew_yaml_fail(key, "set '%.60s' is defined twice (first in line %d)", name,
                                    (int)reader->set[i].line);
            }
        }
        EW_TRY(new_set(reader, name, key));
    }
    for (int32_t i = 0; i < top - start; i++) {
        yaml_node_t *value = yaml_document_get_node(&reader->yaml.document, start[i].value);
        yaml_node_t *allow = ew_yaml_find(&reader->yaml, value, "allow_empty");
        if (allow) {
            EW_TRY(ew_yaml_truth(allow, "allow_empty", &reader->set[i].allow_empty));
        }
        int32_t node;
        EW_TRY(expression(reader, value, reader->set[i].name, 0, &node));
        reader->set[i].node = node;
    }
    return refuse_cycles(reader);
}

ew_status ew_case_read_set_use(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                               int32_t *set)
{
    if (node->type == YAML_SCALAR_NODE) {
        return find_set(reader, node, what, set);
    }
    int32_t root;
    EW_TRY(expression(reader, node, what, 0, &root));
    EW_TRY(new_set(reader, "(given in place)", node));
    *set = reader->out->n_set - 1;
    reader->set[*set].is_unnamed = true;
    reader->set[*set].node = root;
    yaml_node_t *allow = ew_yaml_find(&reader->yaml, node, "allow_empty");
    return allow ? ew_yaml_truth(allow, "allow_empty", &reader->set[*set].allow_empty) : EW_OK;
}
