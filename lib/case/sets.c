/* Sets of a case: those of the case, those that steps make, and those given in place of a name. */
#include "case/reader.h"

#include <stdio.h>
#include <string.h>

/* ---- definitions ------------------------------------------------------------------- */

static ew_status expect_sets(const yaml_node_t *sets)
{
    return sets->type == YAML_MAPPING_NODE
               ? EW_OK
               : ew_yaml_fail(sets, "sets must be a mapping from names to selections");
}

static ew_status read_allow_empty(ew_case_reader *reader, const yaml_node_t *value, bool *allowed)
{
    const yaml_node_t *allow = ew_yaml_find(&reader->yaml, value, "allow_empty");
    return allow ? ew_yaml_truth(allow, "allow_empty", allowed) : EW_OK;
}

ew_status ew_case_read_sets(ew_case_reader *reader, const yaml_node_t *sets)
{
    if (!sets || ew_yaml_is_null(sets)) {
        return EW_OK;
    }
    EW_TRY(expect_sets(sets));
    const yaml_node_pair_t *start = sets->data.mapping.pairs.start;
    const yaml_node_pair_t *top = sets->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = start; pair < top; pair++) {
        yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair->key);
        const char *name;
        int32_t set;
        EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of a set", &name));
        for (int32_t i = 0; i < reader->out->n_set; i++) {
            if (!strcmp(reader->set[i].name, name)) {
                return ew_yaml_fail(key, "set '%.60s' is defined twice (first in line %d)", name,
                                    (int)reader->set[i].line);
            }
        }
        EW_TRY(ew_case_new_set(reader, name, key, &set));
    }
    for (int32_t i = 0; i < top - start; i++) {
        yaml_node_t *value = yaml_document_get_node(&reader->yaml.document, start[i].value);
        int32_t node;
        EW_TRY(read_allow_empty(reader, value, &reader->set[i].allow_empty));
        EW_TRY(ew_case_read_expression(reader, value, reader->set[i].name, EW_ANY_KIND, &node));
        reader->set[i].node = node;
    }
    EW_TRY(ew_case_refuse_cycles(reader));
    for (int32_t i = 0; i < reader->out->n_set; i++) {
        EW_TRY(ew_case_resolve_kinds(reader, reader->set[i].node));
        reader->set[i].kind = (ew_set_kind)reader->node[reader->set[i].node].of;
    }
    return EW_OK;
}

/* A set that is there keeps its kind, also where nothing is said of it. */
static ew_status read_definition(ew_case_reader *reader, const yaml_node_t *key,
                                 const yaml_node_t *value, ew_case_definition *out)
{
    const char *name;
    EW_TRY(ew_yaml_text(&reader->yaml, key, "the name of a set", &name));
    out->line = ew_yaml_line(key);
    out->set = ew_case_set_named(reader, name);
    const int32_t wanted = out->set >= 0 ? (int32_t)reader->set[out->set].kind : EW_ANY_KIND;
    EW_TRY(read_allow_empty(reader, value, &out->allow_empty));
    EW_TRY(ew_case_read_expression(reader, value, name, wanted, &out->node));
    EW_TRY(ew_case_resolve_kinds(reader, out->node));
    out->set =
        ew_case_set_named(reader, name); /* a group of the mesh, where the expression names it */
    const bool known = out->set >= 0;
    const int32_t kind = known ? (int32_t)reader->set[out->set].kind : EW_ANY_KIND;
    const int32_t of = reader->node[out->node].of;
    if (known && of != kind) {
        return ew_yaml_fail(value,
                            "set '%.60s' is of %s (line %d) and stays so; say 'of: %s', or take "
                            "another name for these %s",
                            name, ew_set_kind_name((ew_set_kind)kind),
                            (int)reader->set[out->set].line, ew_set_kind_name((ew_set_kind)kind),
                            ew_set_kind_name((ew_set_kind)of));
    }
    if (!known) {
        EW_TRY(ew_case_new_set(reader, name, key, &out->set));
        reader->set[out->set].node = out->node;
        reader->set[out->set].kind = (ew_set_kind)of;
        reader->set[out->set].allow_empty = out->allow_empty;
    }
    return EW_OK;
}

/* Room for n more. */
static ew_status reserve_definitions(ew_case_reader *reader, int32_t n, ew_case_step *step)
{
    ew_case_definition *room;
    const size_t all = (size_t)step->n_definition + (size_t)n;
    EW_TRY(ew_arena_take(&reader->arena, sizeof *room * all, &room));
    for (int32_t i = 0; i < step->n_definition; i++) {
        room[i] = step->definition[i];
    }
    step->definition = room;
    return EW_OK;
}

/* The last one is counted, unless its set was defined before. */
static ew_status end_definition(ew_case_reader *reader, const yaml_node_t *key, ew_case_step *step)
{
    const int32_t i = step->n_definition;
    for (int32_t k = 0; k < i; k++) {
        if (step->definition[k].set == step->definition[i].set) {
            return ew_yaml_fail(key, "set '%.60s' is defined twice in this step (line %d)",
                                reader->set[step->definition[i].set].name,
                                (int)step->definition[k].line);
        }
    }
    step->n_definition = i + 1;
    return EW_OK;
}

ew_status ew_case_read_step_sets(ew_case_reader *reader, const yaml_node_t *sets,
                                 ew_case_step *step)
{
    if (ew_yaml_is_null(sets)) {
        return EW_OK;
    }
    EW_TRY(expect_sets(sets));
    const yaml_node_pair_t *pair = sets->data.mapping.pairs.start;
    const int32_t n = (int32_t)(sets->data.mapping.pairs.top - pair);
    EW_TRY(reserve_definitions(reader, n, step));
    for (int32_t i = 0; i < n; i++) {
        const yaml_node_t *key = yaml_document_get_node(&reader->yaml.document, pair[i].key);
        const yaml_node_t *value = yaml_document_get_node(&reader->yaml.document, pair[i].value);
        EW_TRY(read_definition(reader, key, value, &step->definition[step->n_definition]));
        EW_TRY(end_definition(reader, key, step));
    }
    return EW_OK;
}

ew_status ew_case_name_surface(ew_case_reader *reader, const yaml_node_t *place, const char *name,
                               int32_t label, bool is_given, ew_set_kind of, ew_case_step *step)
{
    EW_TRY(reserve_definitions(reader, 1, step));
    ew_case_definition *made = &step->definition[step->n_definition];
    *made = (ew_case_definition){.line = ew_yaml_line(place)};
    EW_TRY(ew_case_new_node(reader, place, &made->node));
    ew_set_node *node = &reader->node[made->node];
    node->kind = EW_SET_SELECT;
    node->selector = (ew_selector){.kind = EW_SELECT_SURFACE, .label = label};
    node->is_of_edit = !is_given;
    node->of = (int32_t)of;
    made->set = ew_case_set_named(reader, name);
    if (made->set < 0) {
        EW_TRY(ew_case_new_set(reader, name, place, &made->set));
        reader->set[made->set].node = made->node;
        reader->set[made->set].kind = of;
        reader->set[made->set].in_edit = false; /* it outlives the edit that makes it */
    } else if (reader->set[made->set].kind != of) {
        return ew_yaml_fail(place, "set '%.60s' is of %s (line %d), not of %s; take another name",
                            name, ew_set_kind_name(reader->set[made->set].kind),
                            (int)reader->set[made->set].line, ew_set_kind_name(of));
    }
    return end_definition(reader, place, step);
}

/* ---- sides of a bolt that is parted ------------------------------------------------------- */

static ew_status new_side(ew_case_reader *reader, int32_t line, const ew_case_tie *bolt,
                          int32_t label, bool is_beyond, int32_t *node)
{
    EW_TRY(ew_case_new_node(reader, yaml_document_get_root_node(&reader->yaml.document), node));
    ew_set_node *at = &reader->node[*node];
    at->line = line;
    at->kind = EW_SET_SELECT;
    at->selector = (ew_selector){.kind = EW_SELECT_SURFACE, .label = label};
    memcpy(at->selector.a, bolt->point, sizeof at->selector.a);
    memcpy(at->selector.b, bolt->axis, sizeof at->selector.b);
    at->is_of_edit = at->is_of_section = at->resolved = true;
    at->is_beyond = is_beyond;
    at->of = EW_SET_OF_FACES;
    return EW_OK;
}

ew_status ew_case_add_sides(ew_case_reader *reader, const yaml_node_t *place, const char *name,
                            ew_case_tie *bolt)
{
    for (int k = 0; k < 2; k++) {
        char wanted[EW_GROUP_NAME];
        const char *own;
        int32_t *set = k ? &bolt->master : &bolt->slave;
        snprintf(wanted, sizeof wanted, "%.*s%s", EW_GROUP_NAME - 12, name, k ? ", far side" : "");
        EW_TRY(ew_case_free_name(reader, wanted, false, &own));
        EW_TRY(ew_case_new_set(reader, own, place, set));
        reader->set[*set].step = 0;
        reader->set[*set].kind = EW_SET_OF_FACES;
        EW_TRY(new_side(reader, ew_yaml_line(place), bolt, EW_FIRST_NAMED_LABEL, k,
                        &reader->set[*set].node));
    }
    return EW_OK;
}

ew_status ew_case_define_sides(ew_case_reader *reader, const ew_case_tie *bolt, int32_t label,
                               ew_case_step *step)
{
    EW_TRY(reserve_definitions(reader, 2, step));
    for (int k = 0; k < 2; k++) {
        ew_case_definition *made = &step->definition[step->n_definition++];
        *made = (ew_case_definition){.line = bolt->line, .set = k ? bolt->master : bolt->slave};
        EW_TRY(new_side(reader, bolt->line, bolt, label, k, &made->node));
    }
    return EW_OK;
}

/* ---- uses -------------------------------------------------------------------------------- */

/* Called by what selects it and its line: "plane in line 12". */
static ew_status new_unnamed(ew_case_reader *reader, const yaml_node_t *place, const char *word,
                             int32_t node, int32_t *set)
{
    char wanted[64];
    const char *name;
    EW_TRY(ew_case_resolve_kinds(reader, node));
    snprintf(wanted, sizeof wanted, "%.32s in line %d", word, (int)ew_yaml_line(place));
    EW_TRY(ew_case_free_name(reader, wanted, true, &name));
    EW_TRY(ew_case_new_set(reader, name, place, set));
    reader->set[*set].is_unnamed = true;
    reader->set[*set].node = node;
    reader->set[*set].kind = (ew_set_kind)reader->node[node].of;
    return EW_OK;
}

ew_status ew_case_read_set_use(ew_case_reader *reader, const yaml_node_t *node, const char *what,
                               int32_t *set)
{
    int32_t root;
    if (node->type == YAML_SCALAR_NODE) {
        return ew_case_find_set(reader, node, what, set);
    }
    EW_TRY(ew_case_read_expression(reader, node, what, EW_ANY_KIND, &root));
    if (reader->node[root].kind == EW_SET_NAMED) { /* {group: NAME} */
        *set = reader->node[root].named;
        return read_allow_empty(reader, node, &reader->set[*set].allow_empty);
    }
    EW_TRY(new_unnamed(reader, node, ew_case_selecting_word(reader, node), root, set));
    return read_allow_empty(reader, node, &reader->set[*set].allow_empty);
}

ew_status ew_case_add_plane(ew_case_reader *reader, const yaml_node_t *place, const double point[3],
                            const double normal[3], int32_t *set)
{
    int32_t node;
    EW_TRY(ew_case_new_node(reader, place, &node));
    ew_set_node *at = &reader->node[node];
    at->selector = (ew_selector){.kind = EW_SELECT_PLANE};
    memcpy(at->selector.a, point, sizeof at->selector.a);
    memcpy(at->selector.b, normal, sizeof at->selector.b);
    at->of = EW_SET_OF_FACES;
    EW_TRY(new_unnamed(reader, place, "symmetry", node, set));
    reader->set[*set].is_plane = true;
    return EW_OK;
}

ew_status ew_case_expect_kind(const ew_case_reader *reader, const yaml_node_t *node,
                              const char *what, int32_t set, ew_load_kind kind)
{
    const ew_case_set *about = &reader->set[set];
    const ew_load_traits *traits = ew_load_traits_of(kind);
    if (about->kind != EW_SET_OF_TETS || ew_case_load_acts_on(kind, EW_SET_OF_TETS) ||
        !(traits->acts_on & EW_LOAD_ON_FACES)) {
        return EW_OK;
    }
    const bool shares = kind == EW_LOAD_TOTAL_FORCE;
    return ew_yaml_fail(node,
                        "%s acts on faces%s; set '%.60s' (line %d) is of tets: say 'of: faces'%s",
                        what, shares ? " or vertices" : "", about->name, (int)about->line,
                        shares ? " or 'of: vertices'" : "");
}
