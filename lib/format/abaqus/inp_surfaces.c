/* Surfaces of a keyword deck by their cards. In: *SURFACE, sets, tets. Out: faces of tets, and
 * nodes.
 */
#include "format/abaqus/inp.h"

#include <string.h>

static bool is_word(const char *text, const char *word)
{
    const ew_deck_field field = {.text = text, .size = (int32_t)strlen(text)};
    return ew_deck_is(&field, word);
}

const ew_deck_card *ew_inp_find_surface(const ew_deck *deck, int32_t outer,
                                        const ew_deck_field *name)
{
    ew_deck_field field = *name;
    const int32_t scope = ew_deck_enter_field(deck, outer, &field);
    for (int32_t i = 0; i < deck->n_card; i++) {
        const ew_deck_card *card = &deck->card[i];
        const char *of = strcmp(ew_deck_name(deck, card), "SURFACE")
                             ? NULL
                             : ew_deck_parameter(deck, card, "NAME");
        if (of && ew_deck_is(&field, of) &&
            (card->scope == scope || (!scope && deck->n_instance == 1))) {
            return card;
        }
    }
    return NULL;
}

static ew_status push_face(const ew_inp_tets *tets, int32_t tet, int face, ew_list *code,
                           ew_list *node)
{
    static const int8_t side[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};
    EW_TRY(code ? ew_list_push(code, 4 * tet + face) : EW_OK);
    for (int k = 0; k < 3; k++) {
        const int a = ew_inp_face[face][k], b = ew_inp_face[face][(k + 1) % 3];
        const int32_t middle = tets->middle[6 * (size_t)tet + (size_t)side[a][b]];
        EW_TRY(ew_list_push(node, tets->tet[4 * (size_t)tet + (size_t)a]));
        EW_TRY(middle >= 0 ? ew_list_push(node, middle) : EW_OK);
    }
    return EW_OK;
}

/* Of an entry of a surface: a node or an NSET, or an element or ELSET with S1 to S4. *is_good: it
 * is one of these. */
static ew_status push_entry(const ew_deck *deck, const ew_inp_tets *tets, bool of_nodes,
                            int32_t outer, const ew_deck_field entry[2], ew_list *code,
                            ew_list *node, bool *is_good)
{
    ew_deck_field field = entry[0];
    const ew_deck_field *word = &entry[1];
    const int32_t scope = ew_deck_enter_field(deck, outer, &field);
    const bool is_side = word->size == 2 && (word->text[0] == 'S' || word->text[0] == 's');
    const int face = is_side ? word->text[1] - '1' : -1;
    int32_t one[1];
    ew_list single = {.n = 1, .id = one};
    const ew_list *member = &single;
    int64_t number;
    if (ew_deck_is_number(&field)) {
        EW_TRY(ew_deck_int(deck, &field, "a member", &number));
        one[0] = of_nodes ? ew_deck_find_node(deck, scope, number)
                          : ew_deck_find_element(deck, scope, number);
    } else {
        const ew_deck_set *set =
            ew_deck_find_set(deck, scope, !of_nodes, field.text, (size_t)field.size);
        one[0] = -1;
        member = set ? &set->member : &single;
    }
    for (int32_t i = 0; i < member->n; i++) {
        const int32_t id = member->id[i];
        const bool is_face =
            id >= 0 && !of_nodes && face >= 0 && face < 4 && deck->element[id].kind == EW_DECK_TET;
        *is_good = *is_good && id >= 0 && (of_nodes || is_face);
        EW_TRY(of_nodes && id >= 0 ? ew_list_push(node, id)
               : is_face           ? push_face(tets, deck->element[id].index, face, code, node)
                                   : EW_OK);
    }
    return EW_OK;
}

ew_status ew_inp_list_surface(const ew_deck *deck, const ew_inp_tets *tets,
                              const ew_deck_card *surface, ew_list *code, ew_list *node,
                              bool *is_good)
{
    const char *type = ew_deck_parameter(deck, surface, "TYPE");
    const bool of_nodes = type && is_word(type, "NODE");
    ew_deck_cursor c = ew_deck_data(deck, surface);
    ew_deck_field entry[2] = {{.size = 0}, {.size = 0}}, next;
    int n = 0;
    for (bool more = true; more;) {
        more = ew_deck_next(&c, &next);
        if (n && (!more || next.begins)) {
            EW_TRY(push_entry(deck, tets, of_nodes, surface->scope, entry, code, node, is_good));
            n = 0;
        }
        if (more && n < 2) {
            entry[1].size = n ? entry[1].size : 0;
            entry[n++] = next;
        }
    }
    ew_list_sort_unique(node);
    if (code) {
        ew_list_sort_unique(code);
    }
    return EW_OK;
}
