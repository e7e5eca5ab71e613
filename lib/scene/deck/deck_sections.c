/* Tensions of bolts of a keyword deck: *PRE-TENSION SECTION, whose bolts the mesh's reader has cut
 * through. In: forces and displacements of the nodes that the cards name, step by step. Out: the
 * preload of the case.
 *
 * Component 1 of the node is the tension of the bolt, or by how much its sides move over one
 * another (CalculiX 2.20, *PRE-TENSION SECTION). A force that a support follows in a later step is
 * locked. */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool deck_is_bolt(const deck_case *d, int32_t node)
{
    bool found = false;
    for (int32_t i = 0; i < d->n_bolt && !found; i++) {
        found = d->bolt[i].node == node;
    }
    return found;
}

static ew_status find_node(deck_case *d, const ew_deck_card *card, int32_t *node)
{
    const char *text = ew_deck_parameter(&d->deck, card, "NODE");
    ew_list list = {0};
    if (!text) {
        return deck_fail(d, card, "it needs NODE, on which its force or its shortening acts");
    }
    const ew_deck_field field = {text, (int32_t)strlen(text), card->file, card->line, 0, 0};
    ew_status status = deck_nodes(d, card, &field, &list);
    if (!status && (list.n != 1 || d->slot[list.id[0]] >= 0 || d->is_middle[list.id[0]])) {
        status = deck_fail(d, card, "NODE=%.80s is no single node that is in no element", text);
    }
    *node = status ? -1 : list.id[0];
    ew_list_free(&list);
    return status;
}

/* Against the surface's outward normal, which is taken without one, a force presses. */
static ew_status find_sign(deck_case *d, const ew_deck_section *section, deck_bolt *to)
{
    const ew_deck_card *card = &d->deck.card[section->card];
    double given[3], along = 0.0, length = 0.0, size = 0.0;
    int32_t n;
    to->sign = 1.0;
    EW_TRY(deck_numbers(d, card, 3, given, &n));
    if (n < 3) {
        return EW_OK;
    }
    to->has_axis = true;
    memcpy(to->axis, given, sizeof given);
    for (int32_t i = 0; i < section->far.n; i++) {
        const int32_t code = section->far.id[i];
        double x[3][3];
        int32_t node[6];
        (void)deck_face_nodes(d, code, node);
        for (int k = 0; k < 3; k++) {
            memcpy(x[k], d->deck.xyz + 3 * (size_t)node[k], sizeof x[k]);
        }
        for (int c = 0; c < 3; c++) { /* into the far side */
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            const double area = (x[1][b] - x[0][b]) * (x[2][a] - x[0][a]) -
                                (x[1][a] - x[0][a]) * (x[2][b] - x[0][b]);
            along += area * given[c];
            size += fabs(area);
        }
    }
    length = hypot(hypot(given[0], given[1]), given[2]);
    to->sign = along < 0.0 ? -1.0 : 1.0;
    return fabs(along) > 0.1 * length * size
               ? EW_OK
               : deck_fail(d, card, "its normal (%g, %g, %g) lies in the surface", given[0],
                           given[1], given[2]);
}

ew_status deck_begin_bolts(deck_case *d)
{
    EW_TRY(ew_new_zero(&d->bolt, (size_t)d->deck.n_section, sizeof *d->bolt));
    for (; d->n_bolt < d->deck.n_section; d->n_bolt++) {
        const int32_t card = d->deck.section[d->n_bolt].card;
        deck_bolt *to = &d->bolt[d->n_bolt];
        EW_TRY(find_node(d, &d->deck.card[card], &to->node));
        EW_TRY(find_sign(d, &d->deck.section[d->n_bolt], to));
        d->is_read[card] = d->is_tied[to->node] = true;
    }
    return EW_OK;
}

bool deck_fixes_bolts(deck_case *d, const ew_deck_card *card)
{
    ew_deck_cursor c = ew_deck_data(&d->deck, card);
    ew_deck_field next;
    bool has_next = false, all = d->n_bolt > 0;
    deck_line line;
    while (all && deck_next_line(&c, &next, &has_next, &line)) {
        ew_list node = {0};
        all = !deck_nodes(d, card, &line.field[0], &node);
        for (int32_t i = 0; i < node.n; i++) {
            all = all && deck_is_bolt(d, node.id[i]);
        }
        ew_list_free(&node);
    }
    return all;
}

/* The first step says what acts, later ones whether it stays. */
static ew_status follow(deck_case *d, const deck_moment *at, deck_bolt *of,
                        const ew_deck_card *card)
{
    const deck_value *force = &d->force[3 * (size_t)of->node];
    const deck_value *length = &d->fixed[3 * (size_t)of->node];
    const bool is_first = !of->is_known;
    int32_t amplitude = -1;
    double value = 0.0;
    if (length->has || force->has) {
        EW_TRY(deck_settle(d, at, length->has ? length : force, &value, &amplitude));
        value *= of->sign;
    }
    if (is_first) {
        of->is_known = true;
        of->is_force = !length->has;
        of->value = value;
        if (of->is_force && !(value > 0.0)) {
            return deck_fail(d, card,
                             "in the first step its node has no *CLOAD above 0 along component 1, "
                             "and no *BOUNDARY; give the tension or the shortening there");
        }
    }
    const bool locks = of->is_force && length->has;
    of->is_locked = of->is_locked || locks;
    if (!is_first && !of->is_noted && !(locks && value == 0.0) &&
        (value != of->value || (of->is_locked && !locks))) {
        deck_note(d, card,
                  "what its node has in later steps is left out: a preload of a case is of all "
                  "steps, a force that a *BOUNDARY follows is locked");
        of->is_noted = true;
    }
    return EW_OK;
}

ew_status deck_follow_bolts(deck_case *d, const deck_moment *at)
{
    for (int32_t i = 0; i < d->n_bolt; i++) {
        EW_TRY(follow(d, at, &d->bolt[i], &d->deck.card[d->deck.section[i].card]));
    }
    return EW_OK;
}

static ew_status put_bolt(deck_case *d, const ew_deck_section *section, const deck_bolt *from)
{
    ew_case_entry *list = ew_case_add_list(ew_case_draft_root(d->draft), "preload");
    ew_case_entry *to = ew_case_add_mapping(list, NULL);
    const ew_deck_card *surface = &d->deck.card[section->surface];
    char name[EW_GROUP_NAME], far[EW_GROUP_NAME + 16];
    bool is_put;
    ew_deck_full_name(&d->deck, surface->scope, ew_deck_parameter(&d->deck, surface, "NAME"),
                      sizeof name, name);
    snprintf(far, sizeof far, "%.*s, far side", EW_GROUP_NAME - 12, name);
    EW_TRY(deck_put_surface(d, section->surface, "slave", to, &is_put));
    deck_put_group(to, "master", far, EW_GROUP_FACES);
    if (from->has_axis) {
        ew_case_add_numbers(to, "axis", from->axis, 3);
    }
    ew_case_add_number(to, from->is_force ? "force" : "shortening", from->value);
    if (from->is_force && !from->is_locked) {
        ew_case_add_truth(to, "locked", false);
    }
    return EW_OK;
}

ew_status deck_put_bolts(deck_case *d)
{
    for (int32_t i = 0; i < d->n_bolt; i++) {
        EW_TRY(d->bolt[i].is_known ? put_bolt(d, &d->deck.section[i], &d->bolt[i]) : EW_OK);
    }
    return EW_OK;
}
