/* Kinds of the sets of a case, and a check that no set is defined by itself. In: trees of nodes.
 * Out: the kind of each, from the leaves up, or the two members that do not go together. */
#include "case/reader.h"

const char *ew_set_kind_name(ew_set_kind kind)
{
    static const char *const name[] = {"vertices", "faces", "tets"};
    return name[kind];
}

bool ew_case_load_acts_on(ew_load_kind load, ew_set_kind kind)
{
    static const int32_t bit[] = {EW_LOAD_ON_VERTICES, EW_LOAD_ON_FACES, EW_LOAD_ON_TETS};
    return (ew_load_traits_of(load)->acts_on & bit[kind]) != 0;
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

ew_status ew_case_refuse_cycles(const ew_case_reader *reader)
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

/* "'wall' (line 4)", "the member in line 7" */
static const char *describe(const ew_case_reader *reader, const ew_set_node *node, char text[96])
{
    if (node->kind == EW_SET_NAMED) {
        const ew_case_set *set = &reader->set[node->named];
        snprintf(text, 96, "'%.60s' (line %d)", set->name, (int)set->line);
    } else {
        snprintf(text, 96, "the member in line %d", (int)node->line);
    }
    return text;
}

static ew_status fail_mixed(const ew_case_reader *reader, const ew_set_node *at,
                            const ew_set_node *first, const ew_set_node *other)
{
    static const char *const words[] = {"union", "intersect", "subtract"};
    const char *kind = ew_set_kind_name((ew_set_kind)first->of);
    const char *other_kind = ew_set_kind_name((ew_set_kind)other->of);
    char one[96], two[96];
    describe(reader, first, one);
    describe(reader, other, two);
    return first == at
               ? ew_fail_at(EW_BAD_INPUT, at->line,
                            "%s is to be 'of: %s', but %s is of %s; say 'of: %s' there",
                            words[at->kind - EW_SET_UNION], kind, two, other_kind, kind)
               : ew_fail_at(EW_BAD_INPUT, at->line,
                            "%s mixes kinds: %s is of %s, %s of %s; give one of them another "
                            "'of:'",
                            words[at->kind - EW_SET_UNION], one, kind, two, other_kind);
}

ew_status ew_case_resolve_kinds(ew_case_reader *reader, int32_t node)
{
    ew_set_node *at = &reader->node[node];
    if (at->resolved) {
        return EW_OK;
    }
    if (at->kind == EW_SET_NAMED) {
        EW_TRY(ew_case_resolve_kinds(reader, reader->set[at->named].node));
        at->of = reader->node[reader->set[at->named].node].of;
    }
    const ew_set_node *first = at->of == EW_ANY_KIND ? NULL : at;
    for (int32_t child = at->first_child; child >= 0; child = reader->node[child].next) {
        EW_TRY(ew_case_resolve_kinds(reader, child));
        const ew_set_node *of = &reader->node[child];
        first = first ? first : of;
        if (of->of != first->of) {
            return fail_mixed(reader, at, first, of);
        }
    }
    at->of = first ? first->of : EW_SET_OF_VERTICES;
    at->resolved = true;
    return EW_OK;
}
