/* Parameters of the cards of a keyword deck. In: cards that were read. Out: a note of each
 * parameter that is not read, which may be a misspelled one; a refusal of values that mean nothing.
 */
#include "scene/deck/deck.h"

#include <string.h>

/* Those that are read, and those that change nothing here; of loads see deck_loads.c. */
static const struct {
    const char *card, *known;
} cards[] = {
    {"STEP", "NAME NLGEOM PERTURBATION INC INCF UNSYMM EXTRAPOLATION CONVERTSDI SOLVER"},
    {"STATIC", "DIRECT SOLVER EXPLICIT TIMERESET TOTALTIMEATSTART"},
    {"DYNAMIC", "DIRECT EXPLICIT ALPHA SOLVER TIMERESET TOTALTIMEATSTART"},
    {"FREQUENCY", "EIGENSOLVER SOLVER STORAGE GLOBAL"},
    {"BUCKLE", "EIGENSOLVER SOLVER"},
    {"MATERIAL", "NAME"},
    {"ELASTIC", "TYPE"},
    {"DENSITY", ""},
    {"EXPANSION", "TYPE ZERO"},
    {"PLASTIC", "HARDENING"},
    {"DAMPING", "ALPHA BETA"},
    {"SOLIDSECTION", "ELSET MATERIAL ORIENTATION"},
    {"ORIENTATION", "NAME SYSTEM DEFINITION"},
    {"TIE", "NAME POSITIONTOLERANCE ADJUST TYPE CYCLICSYMMETRY"},
    {"PRE-TENSIONSECTION", "SURFACE NODE"},
    {"CYCLICSYMMETRYMODEL", "N NGRAPH TIE CHECK"},
    {"COUPLING", "REFNODE SURFACE CONSTRAINTNAME ORIENTATION"},
    {"AMPLITUDE", "NAME TIME DEFINITION VALUE USER SHIFTX SHIFTY INPUT"},
};

/* What a parameter may be, where others would be read as one of these; "" is none. */
static const struct {
    const char *card; /* null: any above */
    const char *key, *values[5];
} choices[] = {
    {NULL, "OP", {"NEW", "MOD"}},
    {"STEP", "NLGEOM", {"YES", "NO", ""}},
    {"BOUNDARY", "TYPE", {"DISPLACEMENT", "VELOCITY", "ACCELERATION"}},
    {"TRANSFORM", "TYPE", {"R", "C"}},
    {"ORIENTATION", "SYSTEM", {"RECTANGULAR", "CYLINDRICAL"}},
    {"EXPANSION", "TYPE", {"ISO", "ISOTROPIC", "ORTHO", "ANISO"}},
    {"AMPLITUDE", "TIME", {"STEP TIME", "STEPTIME", "TOTAL TIME", "TOTALTIME"}},
    {"AMPLITUDE", "VALUE", {"RELATIVE"}},
    {"ORIENTATION", "DEFINITION", {"COORDINATES"}},
};

static ew_status check_values(const deck_case *d, const ew_deck_card *card)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const char *key = choices[i].key, *const *values = choices[i].values;
        bool is_good = (choices[i].card && !deck_is(d, card, choices[i].card)) ||
                       !deck_has(d, card, key, NULL);
        for (int k = 0; k < 5 && values[k]; k++) {
            is_good = is_good || deck_has(d, card, key, values[k]);
        }
        if (!is_good) {
            const char *found = ew_deck_parameter(&d->deck, card, key);
            return values[1]
                       ? deck_fail(d, card, "%s=%.40s is not read; %s and %s are", key, found,
                                   values[0], values[1])
                       : deck_fail(d, card, "%s=%.40s is not read; %s is", key, found, values[0]);
        }
    }
    return EW_OK;
}

/* ---- elements ------------------------------------------------------------------------------ */

static bool is_plain_tet(const deck_case *d, const ew_deck_card *card)
{
    static const char *const known[] = {"C3D4", "C3D10"};
    return deck_has(d, card, "TYPE", known[0]) || deck_has(d, card, "TYPE", known[1]);
}

void deck_note_elements(deck_case *d, int32_t n_turned)
{
    int32_t noted = -1;
    for (int32_t i = 0; i < d->deck.n_element && n_turned; i++) {
        if (d->deck.element[i].kind == EW_DECK_TET) {
            deck_note(d, &d->deck.card[d->deck.element[i].card],
                      "%d element%s a negative volume, at which CalculiX stops; %s nodes are "
                      "put in the other order",
                      (int)n_turned, n_turned > 1 ? "s have" : " has",
                      n_turned > 1 ? "their" : "its");
            break;
        }
    }
    for (int32_t i = 0; i < d->deck.n_element; i++) {
        const ew_deck_element *at = &d->deck.element[i];
        const ew_deck_card *card = &d->deck.card[at->card];
        const char *type = ew_deck_parameter(&d->deck, card, "TYPE");
        if (at->card == noted || (at->kind == EW_DECK_TET && is_plain_tet(d, card)) ||
            deck_has(d, card, "TYPE", "DCOUP3D")) { /* of *DISTRIBUTING COUPLING */
            continue;
        }
        noted = at->card;
        if (at->kind == EW_DECK_TET) {
            deck_note(d, card, "TYPE=%.20s is read as C3D%s", type,
                      d->deck.middle[at->index][0] >= 0 ? "10" : "4");
        } else if (at->kind == EW_DECK_FACE) {
            deck_note(d, card, "TYPE=%.20s names faces; it has no stiffness here", type);
        } else {
            deck_note(d, card, "TYPE=%.20s names nodes; it has no stiffness and no mass here",
                      type);
        }
    }
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* Cards that are found by their name, or begin a step, count as read. */
static bool is_read(const deck_case *d, int32_t card)
{
    return d->is_read[card] || deck_is(d, &d->deck.card[card], "STEP") ||
           deck_is(d, &d->deck.card[card], "AMPLITUDE");
}

/* Null: the card is not looked at. */
static const char *known_parameters(const deck_case *d, const ew_deck_card *card)
{
    const deck_load_card *load = deck_load_card_of(d, card);
    for (size_t k = 0; k < sizeof cards / sizeof *cards && !load; k++) {
        if (deck_is(d, card, cards[k].card)) {
            return cards[k].known;
        }
    }
    return load ? load->parameters : NULL;
}

ew_status deck_check_parameters(deck_case *d)
{
    for (int32_t i = 0; i < d->deck.n_card; i++) {
        const ew_deck_card *card = &d->deck.card[i];
        const char *known = is_read(d, i) ? known_parameters(d, card) : NULL;
        int32_t at = 0;
        EW_TRY(known ? check_values(d, card) : EW_OK);
        for (const char *key; known && (key = ew_deck_unknown(&d->deck, card, known, &at));) {
            deck_note(d, card, "the parameter %.40s is left out", key);
        }
    }
    return EW_OK;
}

int32_t deck_find_misspelled(const deck_case *d, int32_t from, const char *names, char nearest[64])
{
    for (int32_t i = from; i < d->deck.n_card; i++) {
        const char *name = ew_deck_name(&d->deck, &d->deck.card[i]);
        if (!d->is_read[i] && ew_nearest_word(name, names, nearest) && strcmp(name, nearest) != 0) {
            return i;
        }
        if (from > 0 && i + 1 < d->deck.n_card &&
            !strcmp(ew_deck_name(&d->deck, &d->deck.card[i + 1]), "MATERIAL")) {
            break;
        }
    }
    return -1;
}
