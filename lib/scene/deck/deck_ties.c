/* Ties of a keyword deck: *TIE, whose surfaces do not lie node on node, and *CYCLIC SYMMETRY MODEL
 * with its tie. In: the cards. Out: ties of the case. */
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

/* ---- a sector ---------------------------------------------------------------------------------
 */

/* The tie of a sector: by the name that the card gives, else the one that there is; null: none. */
static const ew_deck_card *find_cyclic_tie(const deck_case *d, const ew_deck_card *card,
                                           int32_t *place)
{
    const char *name = ew_deck_parameter(&d->deck, card, "TIE");
    const ew_deck_card *found = NULL;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *at = &d->deck.card[i];
        if (deck_is(d, at, "TIE") && deck_has(d, at, "CYCLICSYMMETRY", NULL) &&
            (!name || deck_has(d, at, "NAME", name))) {
            found = at;
            *place = i;
        }
    }
    return found;
}

/* Two points of the axis. */
static ew_status put_axis(deck_case *d, const ew_deck_card *card, ew_case_entry *to)
{
    double x[6], axis[3];
    int32_t n;
    EW_TRY(deck_numbers(d, card, 6, x, &n));
    for (int c = 0; c < 3 && n == 6; c++) {
        axis[c] = x[3 + c] - x[c];
    }
    if (n < 6 || (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)) {
        return deck_fail(d, card, "its line has two points of the axis, six numbers");
    }
    ew_case_add_numbers(to, "axis", axis, 3);
    ew_case_add_numbers(to, "point", x, 3);
    return EW_OK;
}

static ew_status read_sector(deck_case *d, int32_t i)
{
    static const char *const key[2] = {"slave", "master"};
    const ew_deck_card *card = &d->deck.card[i];
    const char *text = ew_deck_parameter(&d->deck, card, "N");
    int32_t place = -1;
    int64_t n;
    deck_line line;
    ew_deck_field next;
    bool has_next = false;
    const ew_deck_card *tie = find_cyclic_tie(d, card, &place);
    if (!tie || !text) {
        return deck_fail(d, card,
                         "it needs N, how many sectors make the whole, and a *TIE, CYCLIC "
                         "SYMMETRY of both its sides");
    }
    const ew_deck_field field = {text, (int32_t)strlen(text), card->file, card->line, 0, 0};
    EW_TRY(ew_deck_int(&d->deck, &field, "N", &n));
    ew_deck_cursor c = ew_deck_data(&d->deck, tie);
    if (!deck_next_line(&c, &next, &has_next, &line) || line.n < 2) {
        return deck_fail(d, tie, "two surfaces are tied, a slave and a master");
    }
    ew_case_entry *to = ew_case_add_mapping(ew_case_draft_root(d->draft), "cyclic");
    for (int k = 0; k < 2; k++) {
        EW_TRY(put_side(d, tie, &line.field[k], key[k], to));
    }
    EW_TRY(put_axis(d, card, to));
    ew_case_add_integer(to, "sectors", (int)n);
    d->is_read[i] = d->is_read[place] = true;
    return EW_OK;
}

bool deck_is_sector(const deck_case *d)
{
    bool found = false;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        found = found || deck_is(d, &d->deck.card[i], "CYCLICSYMMETRYMODEL");
    }
    return found;
}

/* A case has one. */
static ew_status read_sectors(deck_case *d)
{
    bool any = false;
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        if (deck_is(d, &d->deck.card[i], "CYCLICSYMMETRYMODEL") && !any) {
            EW_TRY(read_sector(d, i));
            any = true;
        }
    }
    return EW_OK;
}

ew_status deck_read_ties(deck_case *d)
{
    EW_TRY(read_sectors(d));
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
