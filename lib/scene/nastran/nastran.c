/* Bulk data of Nastran to a case. In: a text. Out: what a keyword deck of the same model gives
 * (deck/): the text is written again as such a deck, line by line, and each line knows which card
 * it is of, so that notes and failures are told at the lines of the bulk data. */
#include "scene/nastran/nastran.h"

#include "scene/deck/deck.h"

static void release(nastran *n)
{
    ew_bulk_free(&n->bulk);
    ew_release(n->subcase);
    ew_release(n->load);
    ew_release(n->tet);
    ew_release(n->node);
    ew_list_free(&n->property);
    ew_list_free(&n->rigid_reference);
    ew_map_free(&n->face);
    ew_release(n->deck.text);
    ew_release(n->origin);
    ew_release(n->notes.text);
}

ew_status ew_scene_read_nastran(const ew_mesh_input *input, const ew_scene_def *def,
                                ew_scene *scene)
{
    nastran n = {.input = input};
    ew_status status = nastran_read(&n);
    if (!status) {
        const ew_bytes bytes = {.data = n.deck.text, .size = (size_t)n.deck.n};
        const ew_mesh_input deck = {.file = &bytes};
        const deck_origin from = {.n = n.n_origin,
                                  .line = n.origin,
                                  .n_note = n.n_note,
                                  .notes = n.notes.n ? n.notes.text : ""};
        status = deck_read_case(&deck, def, &from, scene);
    }
    release(&n);
    return status;
}
