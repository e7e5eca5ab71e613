/* Ties of a keyword deck: *TIE, whose surfaces do not lie node on node. In: the cards. Out: ties of
 * the case. */
#include "scene/deck/deck.h"

#include <stdio.h>
#include <string.h>

ew_status deck_put_surface(deck_case *d, int32_t card, const char *key, ew_case_entry *to,
                           bool *is_put)
{
    const char *group;
    int32_t label, n = 0;
    const deck_surface *found;
    if (deck_has(d, &d->deck.card[card], "TYPE", "NODE")) {
        ew_list node = {0};
        ew_status status = deck_surface_nodes(d, card, &node);
        for (int32_t i = 0; i < node.n; i++) { /* corners */
            node.id[n] = node.id[i];
            n += d->slot[node.id[i]] >= 0;
        }
        node.n = n;
        *is_put = n > 0;
        status = status || !n ? status : deck_name_vertices(d, &node, "surface", &group);
        ew_list_free(&node);
        EW_TRY(status);
        if (n) {
            deck_put_group(to, key, group, EW_GROUP_VERTICES);
        }
        return EW_OK;
    }
    EW_TRY(deck_find_surface(d, card, &found));
    *is_put = found->code.n > 0 && deck_surface_group(d, card, &group, &label);
    if (*is_put && group) {
        deck_put_group(to, key, group, EW_GROUP_FACES);
    } else if (*is_put) {
        ew_case_add_integer(ew_case_add_mapping(to, key), "surface", label);
    }
    return EW_OK;
}

static ew_status put_side(deck_case *d, const ew_deck_card *card, const ew_deck_field *field,
                          const char *key, ew_case_entry *to)
{
    char text[EW_GROUP_NAME];
    bool is_put;
    snprintf(text, sizeof text, "%.*s", (int)field->size, field->text);
    const int32_t at = deck_find_card(d, card->scope, "SURFACE", text);
    if (at < 0) {
        return deck_fail(d, card, "there is no *SURFACE, NAME=%.80s", text);
    }
    EW_TRY(deck_put_surface(d, at, key, to, &is_put));
    return is_put
               ? EW_OK
               : deck_fail(d, card, "the surface %.80s has no face on the boundary of tets", text);
}

/* A line: slave, master. */
static ew_status put_tie(deck_case *d, const ew_deck_card *card, const deck_line *line,
                         double tolerance)
{
    static const char *const key[2] = {"slave", "master"};
    ew_case_entry *to =
        ew_case_add_mapping(ew_case_add_list(ew_case_draft_root(d->draft), "ties"), NULL);
    if (line->n < 2) {
        return deck_fail(d, card, "line %d: two surfaces are tied, a slave and a master",
                         (int)line->field[0].line);
    }
    for (int k = 0; k < 2; k++) {
        EW_TRY(put_side(d, card, &line->field[k], key[k], to));
    }
    if (tolerance > 0.0) {
        ew_case_add_number(to, "distance", tolerance);
    }
    return EW_OK;
}

static ew_status read_tie(deck_case *d, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false;
    deck_line line;
    double tolerance = 0.0;
    const char *text = ew_deck_parameter(&d->deck, card, "POSITIONTOLERANCE");
    if (text) {
        const ew_deck_field field = {text, (int32_t)strlen(text), card->file, card->line, 0, 0};
        EW_TRY(ew_deck_real(&d->deck, &field, "POSITION TOLERANCE", &tolerance));
    }
    while (deck_next_line(&c, &next, &has_next, &line)) {
        EW_TRY(put_tie(d, card, &line, tolerance));
    }
    return EW_OK;
}

ew_status deck_read_ties(deck_case *d)
{
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        if (deck_is(d, card, "TIE") && !card->is_welded && !card->is_repeated &&
            !deck_has(d, card, "CYCLICSYMMETRY", NULL) && !deck_has(d, card, "MULTISTAGE", NULL)) {
            d->is_read[i] = true;
            EW_TRY(read_tie(d, card));
        }
    }
    return EW_OK;
}
