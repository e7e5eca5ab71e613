/* Set expressions of a case: YAML in, a tree of nodes out, each of vertices, faces or tets. */
#include "case/reader.h"

#include <string.h>

/* A bound on the trees, which aliases could otherwise make endless. */
enum { MAX_DEPTH = 32 };

static ew_status expression(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            int32_t kind, int32_t depth, int32_t *out);

/* kind: what its members written in place are unless they say so themselves. A union or an
 * intersection of one set is that set; a difference needs two. */
static ew_status combination(ew_case_reader *reader, const yaml_node_t *list, const char *what,
                             int32_t kind, int32_t depth, int32_t node)
{
    const int32_t least = reader->node[node].kind == EW_SET_SUBTRACT ? 2 : 1;
    int32_t n = 0, last = -1;
    EW_TRY(ew_yaml_expect_list(list, what, &n));
    if (n < least) {
        return ew_yaml_fail(list, "%s needs a list of at least %s", what,
                            least == 1 ? "one set"
                                       : "two sets: of the first, those behind it are taken away");
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t child = -1;
        EW_TRY(expression(reader, ew_yaml_item(&reader->yaml, list, i), what, kind, depth + 1,
                          &child));
        if (last < 0) {
            reader->node[node].first_child = child;
        } else {
            reader->node[last].next = child;
        }
        last = child;
    }
    return EW_OK;
}

/* `normal` and `angle` beside a selection: of its faces those that look that way. */
static ew_status read_direction(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                                ew_set_node *out)
{
    const yaml_node_t *normal = ew_yaml_find(&reader->yaml, node, "normal");
    const yaml_node_t *angle = ew_yaml_find(&reader->yaml, node, "angle");
    out->direction.angle = 20;
    if (!normal) {
        return angle ? ew_yaml_fail(angle, "%s: angle goes with normal", what) : EW_OK;
    }
    out->has_direction = true;
    EW_TRY(ew_case_read_axis(reader, normal, "normal", out->direction.normal));
    if (angle) {
        EW_TRY(ew_yaml_number(angle, "angle", &out->direction.angle));
        if (!(out->direction.angle > 0 && out->direction.angle <= 180)) {
            return ew_yaml_fail(angle,
                                "angle is %g; it must be greater than 0 and at most 180 "
                                "degrees",
                                out->direction.angle);
        }
    }
    return EW_OK;
}

/* Kind of the members of a selection, where neither the selection nor its context gives one. */
static int32_t natural_kind(const ew_set_node *node)
{
    const bool faces = node->selector.kind == EW_SELECT_SURFACE || node->has_direction;
    return faces ? EW_SET_OF_FACES : EW_SET_OF_VERTICES;
}

/* `allow_empty: true` beside a selection. */
static ew_status read_may_miss(ew_case_reader *reader, const yaml_node_t *node)
{
    const yaml_node_t *allow = ew_yaml_find(&reader->yaml, node, "allow_empty");
    return allow ? ew_yaml_truth(allow, "allow_empty", &reader->may_miss) : EW_OK;
}

static ew_status read_selection(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                                const yaml_node_t *key, const yaml_node_t *value, int32_t kind,
                                int32_t out)
{
    ew_set_node made = reader->node[out];
    made.kind = EW_SET_SELECT;
    EW_TRY(read_may_miss(reader, node));
    EW_TRY(ew_case_read_selector(reader, key, value, &made.selector));
    reader->may_miss = false;
    EW_TRY(read_direction(reader, node, what, &made));
    made.of = kind == EW_ANY_KIND ? natural_kind(&made) : kind;
    if (made.has_direction && made.of != EW_SET_OF_FACES) {
        return ew_yaml_fail(node, "%s: normal picks faces, not %s; say 'of: faces'", what,
                            ew_set_kind_name((ew_set_kind)made.of));
    }
    if (made.selector.kind == EW_SELECT_NEAREST && made.of == EW_SET_OF_FACES) {
        return ew_yaml_fail(key, "%s: nearest picks one vertex or one tet, not faces", what);
    }
    if (made.selector.kind == EW_SELECT_SURFACE && made.of == EW_SET_OF_TETS) {
        return ew_yaml_fail(key, "%s: surface picks faces or their vertices, not tets", what);
    }
    reader->node[out] = made;
    return EW_OK;
}

/* The one key of a mapping that selects, and its value. */
static ew_status find_selecting_key(ew_case_reader *reader, const yaml_node_t *node,
                                    const char *what, yaml_node_t **key, yaml_node_t **value)
{
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    *key = *value = NULL;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(&reader->yaml.document, pair->key);
        if (ew_yaml_is_one_of(name, "allow_empty of normal angle")) {
            continue;
        }
        if (*key) {
            return ew_yaml_fail(name,
                                "%s: one kind of selection only; combine several with union, "
                                "intersect or subtract",
                                what);
        }
        *key = name;
        *value = yaml_document_get_node(&reader->yaml.document, pair->value);
    }
    return *key ? EW_OK : ew_yaml_fail(node, "%s: says nothing; give box, sphere, ids, ...", what);
}

const char *ew_case_selecting_word(ew_case_reader *reader, const yaml_node_t *node)
{
    yaml_node_t *key, *value;
    return find_selecting_key(reader, node, "", &key, &value)
               ? "set"
               : (const char *)key->data.scalar.value;
}

static ew_status refuse_direction(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                                  const char *word)
{
    const yaml_node_t *stray = ew_yaml_find(&reader->yaml, node, "normal");
    stray = stray ? stray : ew_yaml_find(&reader->yaml, node, "angle");
    return stray ? ew_yaml_fail(stray, "%s: normal and angle go with a selection, not with %s",
                                what, word)
                 : EW_OK;
}

/* A group of the mesh, also where the case has a set of its name. kind: what it stands in is, or
 * where `of` says so, what it has to be. */
static ew_status read_group(ew_case_reader *reader, const yaml_node_t *node, int32_t kind,
                            bool is_said, int32_t out)
{
    const char *name;
    int32_t set;
    EW_TRY(ew_yaml_text(&reader->yaml, node, "group", &name));
    EW_TRY(ew_case_find_group(reader, node, name, kind, &set));
    if (set < 0 || (is_said && (int32_t)reader->node[reader->set[set].node].of != kind)) {
        const bool other = set >= 0;
        return ew_yaml_fail(node,
                            "group: the mesh has no %s with the name '%.60s'%s; 'edgewise "
                            "info' lists its names",
                            is_said ? ew_set_kind_name((ew_set_kind)kind) : "part", name,
                            other ? ", but others" : "");
    }
    reader->node[out].kind = EW_SET_NAMED;
    reader->node[out].named = set;
    return EW_OK;
}

static ew_status read_mapping(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                              int32_t kind, int32_t depth, int32_t out)
{
    static const char *words[] = {"union", "intersect", "subtract"};
    yaml_node_t *key, *value;
    EW_TRY(ew_case_expect(&reader->yaml, node, what, &ew_section_set));
    EW_TRY(find_selecting_key(reader, node, what, &key, &value));
    const yaml_node_t *of = ew_yaml_find(&reader->yaml, node, "of");
    if (of) {
        EW_TRY(ew_yaml_choice(of, "of", EW_SET_KIND_WORDS, &kind));
    }
    if (ew_yaml_is_word(key, "group")) {
        EW_TRY(refuse_direction(reader, node, what, "group"));
        return read_group(reader, value, kind, of != NULL, out);
    }
    for (int32_t i = 0; i < 3; i++) {
        if (!ew_yaml_is_word(key, words[i])) {
            continue;
        }
        EW_TRY(refuse_direction(reader, node, what, words[i]));
        reader->node[out].kind = (ew_set_node_kind)(EW_SET_UNION + i);
        reader->node[out].of = of ? kind : EW_ANY_KIND;
        return combination(reader, value, words[i], kind, depth, out);
    }
    return read_selection(reader, node, what, key, value, kind, out);
}

static ew_status expression(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                            int32_t kind, int32_t depth, int32_t *out)
{
    if (depth > MAX_DEPTH) {
        return ew_yaml_fail(node, "%s: nested deeper than %d", what, MAX_DEPTH);
    }
    EW_TRY(ew_case_new_node(reader, node, out));
    if (node->type == YAML_SCALAR_NODE) {
        int32_t named;
        EW_TRY(ew_case_find_set(reader, node, what, &named));
        reader->node[*out].kind = EW_SET_NAMED;
        reader->node[*out].named = named;
        return EW_OK;
    }
    return read_mapping(reader, node, what, kind, depth, *out);
}

ew_status ew_case_read_expression(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                                  int32_t kind, int32_t *root)
{
    return expression(reader, node, what, kind, 0, root);
}
