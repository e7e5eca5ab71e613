/* Sections of a keyword deck through bolts: *PRE-TENSION SECTION with a surface. In: the cards,
 * tets. Out: tets behind the surface with nodes of their own in place of those on it, so that the
 * bolt is cut through; the faces behind it. */
#include "format/abaqus/inp.h"

#include <string.h>

/* One section under way. */
typedef struct section {
    ew_deck *deck;
    ew_inp_tets *tets;
    const ew_deck_card *card;
    ew_list near, node; /* owned: codes of the surface, and its nodes */
    ew_list tet;        /* owned: tets with one of the nodes */
    ew_set on, side;    /* owned: the nodes; tets of `tet` on the side of the surface's elements */
    ew_map face;        /* owned: by corners, codes of the tets; a second one in `other` */
    int32_t *other;     /* [4 * tets] owned: the code that shares the face, -1: none */
} section;

static bool has_node(const section *s, int32_t tet)
{
    bool has = false;
    for (int k = 0; k < 4; k++) {
        has = has || ew_set_has(&s->on, s->tets->tet[4 * (size_t)tet + (size_t)k]);
    }
    return has;
}

static void corners_of(const section *s, int32_t code, int32_t a[3])
{
    for (int k = 0; k < 3; k++) {
        a[k] = s->tets->tet[4 * (size_t)(code / 4) + (size_t)ew_inp_face[code % 4][k]];
    }
    for (int k = 0; k < 3; k++) { /* ascending: three exchanges of neighbors */
        const int i = k == 1;
        const int32_t low = a[i] < a[i + 1] ? a[i] : a[i + 1];
        a[i + 1] = a[i] < a[i + 1] ? a[i + 1] : a[i];
        a[i] = low;
    }
}

static ew_status list_tets(section *s)
{
    for (int32_t i = 0; i < s->node.n; i++) {
        EW_TRY(ew_set_add(&s->on, s->node.id[i]));
    }
    EW_TRY(ew_new(&s->other, 4 * (size_t)s->tets->n, sizeof *s->other));
    memset(s->other, 0xff, 4 * (size_t)s->tets->n * sizeof *s->other); /* -1 */
    for (int32_t t = 0; t < s->tets->n; t++) {
        EW_TRY(has_node(s, t) ? ew_list_push(&s->tet, t) : EW_OK);
    }
    for (int32_t i = 0; i < 4 * s->tet.n; i++) {
        const int32_t code = 4 * s->tet.id[i / 4] + i % 4;
        int32_t a[3], old;
        corners_of(s, code, a);
        EW_TRY(ew_map_enter(&s->face, a[0], a[1], a[2], code, &old));
        if (old >= 0) {
            s->other[code] = old;
            s->other[old] = code;
        }
    }
    return EW_OK;
}

/* Tets that are reached from the surface's elements without passing through it. */
static ew_status find_side(section *s)
{
    ew_list next = {0};
    ew_set surface = {0};
    ew_status status = EW_OK;
    for (int32_t i = 0; i < s->near.n && !status; i++) {
        status = ew_set_add(&surface, s->near.id[i]);
        status = status ? status : ew_set_add(&s->side, s->near.id[i] / 4);
        status = status ? status : ew_list_push(&next, s->near.id[i] / 4);
    }
    while (next.n && !status) {
        const int32_t tet = next.id[--next.n];
        for (int f = 0; f < 4 && !status; f++) {
            const int32_t code = 4 * tet + f, other = s->other[code];
            const bool passes = other >= 0 && !ew_set_has(&surface, code) &&
                                !ew_set_has(&surface, other) && !ew_set_has(&s->side, other / 4);
            status = passes ? ew_set_add(&s->side, other / 4) : EW_OK;
            status = passes && !status ? ew_list_push(&next, other / 4) : status;
        }
    }
    ew_set_free(&surface);
    ew_list_free(&next);
    return status;
}

static ew_status refuse(const section *s, const char *why)
{
    return ew_deck_fail(s->deck, s->card->file, s->card->line, "*PRE-TENSION SECTION: %s", why);
}

static ew_status find_far(const section *s, ew_list *far)
{
    for (int32_t i = 0; i < s->near.n; i++) {
        const int32_t other = s->other[s->near.id[i]];
        if (other < 0) {
            return refuse(s, "a face of its surface is on the outside of the bolt; the surface "
                             "runs through it, between elements");
        }
        if (ew_set_has(&s->side, other / 4)) {
            return refuse(s, "its surface does not cut the bolt through: elements on both sides of "
                             "it are joined round its edge; list all faces of the section, of "
                             "elements on one side");
        }
        EW_TRY(ew_list_push(far, other));
    }
    ew_list_sort(far);
    return EW_OK;
}

/* ---- nodes of their own -------------------------------------------------------------------------
 */

/* Copies behind all nodes, in the order of s->node; their numbers are larger than any. */
static ew_status copy_nodes(section *s)
{
    ew_deck *deck = s->deck;
    const int64_t n = (int64_t)deck->n_node + s->node.n;
    int32_t capacity = deck->node_capacity;
    int64_t number = deck->node[deck->by_number[deck->n_node - 1]];
    EW_TRY(ew_grow(&deck->xyz, &capacity, n, 3 * sizeof *deck->xyz));
    EW_TRY(ew_grow(&deck->node, &deck->node_capacity, n, sizeof *deck->node));
    capacity = deck->n_node;
    EW_TRY(ew_grow(&deck->by_number, &capacity, n, sizeof *deck->by_number));
    capacity = deck->n_node;
    EW_TRY(deck->same ? ew_grow(&deck->same, &capacity, n, sizeof *deck->same) : EW_OK);
    for (int32_t i = 0; i < s->node.n; i++) {
        const int32_t at = deck->n_node++;
        memcpy(deck->xyz + 3 * (size_t)at, deck->xyz + 3 * (size_t)s->node.id[i],
               3 * sizeof *deck->xyz);
        deck->node[at] = ++number;
        deck->by_number[at] = at;
        if (deck->same) {
            deck->same[at] = at;
        }
    }
    return EW_OK;
}

/* What a node is behind the surface. */
static int32_t copy_of(const section *s, int32_t node)
{
    int32_t low = 0, high = s->node.n - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (s->node.id[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return s->node.n && s->node.id[low] == node ? s->deck->n_node - s->node.n + low : node;
}

static void replace(const section *s)
{
    for (int32_t i = 0; i < s->tet.n; i++) {
        const size_t tet = (size_t)s->tet.id[i];
        for (int k = 0; k < 4 && !ew_set_has(&s->side, s->tet.id[i]); k++) {
            s->tets->tet[4 * tet + (size_t)k] = copy_of(s, s->tets->tet[4 * tet + (size_t)k]);
        }
        for (int k = 0; k < 6 && !ew_set_has(&s->side, s->tet.id[i]); k++) {
            s->tets->middle[6 * tet + (size_t)k] = copy_of(s, s->tets->middle[6 * tet + (size_t)k]);
        }
    }
}

/* A set with a node has its copy, too. */
static ew_status extend_sets(const section *s)
{
    for (int32_t i = 0; i < s->deck->n_set; i++) {
        ew_list *member = &s->deck->set[i].member;
        const int32_t n = member->n;
        for (int32_t k = 0; k < n && !s->deck->set[i].of_elements; k++) {
            const int32_t copy = copy_of(s, member->id[k]);
            EW_TRY(copy != member->id[k] ? ew_list_push(member, copy) : EW_OK);
        }
    }
    return EW_OK;
}

static ew_status split(section *s, int32_t card, const ew_deck_card *surface)
{
    ew_deck *deck = s->deck;
    ew_deck_section *made;
    bool is_good = true;
    EW_TRY(ew_inp_list_surface(deck, s->tets, surface, &s->near, &s->node, &is_good));
    if (!is_good || !s->near.n) {
        return refuse(s, "its surface has no faces of tets; give elements and S1 to S4");
    }
    EW_TRY(list_tets(s));
    EW_TRY(find_side(s));
    EW_TRY(ew_grow(&deck->section, &deck->section_capacity, (int64_t)deck->n_section + 1,
                   sizeof *deck->section));
    made = &deck->section[deck->n_section++];
    *made = (ew_deck_section){.card = card, .surface = (int32_t)(surface - deck->card)};
    EW_TRY(find_far(s, &made->far));
    EW_TRY(copy_nodes(s));
    replace(s);
    return extend_sets(s);
}

static ew_status split_at(ew_deck *deck, ew_inp_tets *tets, int32_t card, const char *name)
{
    section s = {.deck = deck, .tets = tets, .card = &deck->card[card]};
    const ew_deck_field field = {.text = name, .size = (int32_t)strlen(name)};
    const ew_deck_card *surface = ew_inp_find_surface(deck, s.card->scope, &field);
    ew_status status = surface ? split(&s, card, surface)
                               : refuse(&s, "there is no *SURFACE of the name that it gives");
    ew_list_free(&s.near);
    ew_list_free(&s.node);
    ew_list_free(&s.tet);
    ew_set_free(&s.on);
    ew_set_free(&s.side);
    ew_map_free(&s.face);
    ew_release(s.other);
    return status;
}

ew_status ew_inp_split_sections(ew_deck *deck, ew_inp_tets *tets)
{
    for (int32_t i = 0; i < deck->n_card; i++) {
        const ew_deck_card *card = &deck->card[i];
        const char *name = strcmp(ew_deck_name(deck, card), "PRE-TENSIONSECTION")
                               ? NULL
                               : ew_deck_parameter(deck, card, "SURFACE");
        EW_TRY(name && !card->is_repeated ? split_at(deck, tets, i, name) : EW_OK);
    }
    return EW_OK;
}
