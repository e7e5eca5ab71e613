/* Tied surfaces of a keyword deck whose nodes lie on one another. In: *TIE and *SURFACE cards,
 * sets, tets. Out: tets and sets in which the nodes of the first surface are those of the second,
 * which says the same as the tie does. Ties of surfaces that do not match stay as they are. */
#include "format/abaqus/inp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the body's size: nodes that are nearer are one. */
#define COINCIDENT 1e-6

/* ---- nodes that lie on one another ----------------------------------------------------------- */

typedef struct place {
    double x;
    int32_t row;
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->x != y->x ? (x->x < y->x ? -1 : 1) : (x->row > y->row) - (x->row < y->row);
}

/* The node of the list nearest to a point within a distance, -1: none. */
static int32_t find_near(const ew_deck *deck, const place *list, int32_t n, const double *x,
                         double near)
{
    int32_t low = 0, high = n, found = -1;
    double best = near * near;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (list[middle].x < x[0] - near) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < n && list[low].x <= x[0] + near; low++) {
        const double *y = deck->xyz + 3 * (size_t)list[low].row;
        const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        found = square <= best ? list[low].row : found;
        best = square <= best ? square : best;
    }
    return found;
}

static double size_of(const ew_deck *deck)
{
    double size = 0.0;
    for (int32_t i = 1; i < deck->n_node; i++) {
        for (int c = 0; c < 3; c++) {
            size = fmax(size, fabs(deck->xyz[3 * (size_t)i + (size_t)c] - deck->xyz[c]));
        }
    }
    return size;
}

/* The node that replaces a node by all ties so far. */
static int32_t root(const ew_deck *deck, int32_t node)
{
    while (deck->same[node] != node) {
        node = deck->same[node];
    }
    return node;
}

/* The deck under way. */
typedef struct welding {
    ew_deck *deck;
    const ew_inp_tets *tets;
    double near;
    int32_t (*end)[2]; /* [n_node] owned: ends of the side that a node is in the middle of, or -1 */
} welding;

/* Whether two nodes are corners, or in the middle of sides whose ends are the same. */
static bool is_alike(const welding *w, int32_t node, int32_t other)
{
    const int32_t *a = w->end[node], *b = w->end[other];
    if (a[0] < 0 || b[0] < 0) {
        return a[0] == b[0];
    }
    const int32_t of_a[2] = {root(w->deck, a[0]), root(w->deck, a[1])};
    const int32_t of_b[2] = {root(w->deck, b[0]), root(w->deck, b[1])};
    return (of_a[0] == of_b[0] && of_a[1] == of_b[1]) || (of_a[0] == of_b[1] && of_a[1] == of_b[0]);
}

/* Nodes of the first become those that were found, unless middles would have other ends. */
static ew_status join(const welding *w, const ew_list *first, const int32_t *found,
                      bool *is_matched)
{
    const size_t n = (size_t)w->deck->n_node;
    int32_t *before;
    EW_TRY(ew_new(&before, n, sizeof *before));
    memcpy(before, w->deck->same, n * sizeof *before);
    for (int32_t i = 0; i < first->n; i++) {
        w->deck->same[root(w->deck, first->id[i])] = root(w->deck, found[i]);
    }
    for (int32_t i = 0; i < first->n && *is_matched; i++) {
        *is_matched = is_alike(w, first->id[i], found[i]);
    }
    if (!*is_matched) {
        memcpy(w->deck->same, before, n * sizeof *before);
    }
    ew_release(before);
    return EW_OK;
}

/* All of the first on nodes of the second, or none. */
static ew_status match(const welding *w, const ew_list *first, const ew_list *second,
                       bool *is_matched)
{
    const ew_deck *deck = w->deck;
    place *list;
    int32_t *found;
    EW_TRY(ew_new(&list, (size_t)second->n, sizeof *list));
    ew_status status = ew_new(&found, (size_t)first->n, sizeof *found);
    for (int32_t i = 0; i < second->n; i++) {
        list[i] = (place){deck->xyz[3 * (size_t)second->id[i]], second->id[i]};
    }
    if (second->n) {
        qsort(list, (size_t)second->n, sizeof *list, compare);
    }
    *is_matched = !status && first->n > 0;
    for (int32_t i = 0; i < first->n && *is_matched; i++) {
        found[i] = find_near(deck, list, second->n, deck->xyz + 3 * (size_t)first->id[i], w->near);
        *is_matched = found[i] >= 0;
    }
    status = *is_matched ? join(w, first, found, is_matched) : status;
    ew_release(list);
    ew_release(found);
    return status;
}

static ew_status weld(const welding *w, ew_deck_card *card)
{
    const ew_deck *deck = w->deck;
    ew_deck_cursor c = ew_deck_data(deck, card);
    ew_deck_field name[2];
    const ew_deck_card *surface[2] = {NULL, NULL};
    ew_list node[2] = {{0}, {0}};
    bool is_good = !ew_deck_parameter(deck, card, "CYCLICSYMMETRY") &&
                   !ew_deck_parameter(deck, card, "MULTISTAGE");
    for (int i = 0; i < 2 && is_good; i++) {
        is_good = ew_deck_next(&c, &name[i]);
        surface[i] = is_good ? ew_inp_find_surface(deck, card->scope, &name[i]) : NULL;
        is_good = is_good && surface[i];
    }
    ew_status status = EW_OK;
    for (int i = 0; i < 2 && is_good && !status; i++) {
        status = ew_inp_list_surface(deck, w->tets, surface[i], NULL, &node[i], &is_good);
    }
    if (!status && is_good) {
        status = match(w, &node[0], &node[1], &card->is_welded);
    }
    ew_list_free(&node[0]);
    ew_list_free(&node[1]);
    return status;
}

/* ---- what has the nodes --------------------------------------------------------------------- */

static void replace(const ew_deck *deck, int32_t *node, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        node[i] = node[i] >= 0 ? deck->same[node[i]] : node[i];
    }
}

static void replace_all(ew_deck *deck, ew_inp_tets *tets)
{
    for (int32_t i = 0; i < deck->n_node; i++) { /* of ties that follow one another */
        deck->same[i] = root(deck, i);
    }
    replace(deck, tets->tet, 4 * (size_t)tets->n);
    replace(deck, tets->middle, 6 * (size_t)tets->n);
    replace(deck, (int32_t *)deck->triangle, 3 * (size_t)deck->n_triangle);
    for (int32_t i = 0; i < deck->n_other; i += deck->other[i] + 1) {
        replace(deck, deck->other + i + 1, (size_t)deck->other[i]);
    }
    for (int32_t i = 0; i < deck->n_set; i++) {
        ew_list *member = &deck->set[i].member;
        if (!deck->set[i].of_elements) {
            replace(deck, member->id, (size_t)member->n);
            ew_list_sort_unique(member);
        }
    }
}

static ew_status find_ends(welding *w)
{
    static const int8_t side[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    EW_TRY(ew_new(&w->end, (size_t)w->deck->n_node, sizeof *w->end));
    for (int32_t i = 0; i < w->deck->n_node; i++) {
        w->end[i][0] = w->end[i][1] = -1;
    }
    for (int32_t i = 0; i < 6 * w->tets->n; i++) {
        for (int k = 0; k < 2 && w->tets->middle[i] >= 0; k++) {
            w->end[w->tets->middle[i]][k] = w->tets->tet[4 * (i / 6) + side[i % 6][k]];
        }
    }
    return EW_OK;
}

static ew_status weld_all(welding *w)
{
    ew_deck *deck = w->deck;
    EW_TRY(find_ends(w));
    EW_TRY(ew_new(&deck->same, (size_t)deck->n_node, sizeof *deck->same));
    for (int32_t i = 0; i < deck->n_node; i++) {
        deck->same[i] = i;
    }
    for (int32_t i = 0; i < deck->n_card; i++) {
        EW_TRY(strcmp(ew_deck_name(deck, &deck->card[i]), "TIE") ? EW_OK : weld(w, &deck->card[i]));
    }
    return EW_OK;
}

ew_status ew_inp_weld_ties(ew_deck *deck, ew_inp_tets *tets)
{
    welding w = {.deck = deck, .tets = tets, .near = COINCIDENT * size_of(deck)};
    bool any = false;
    for (int32_t i = 0; i < deck->n_card && !any; i++) {
        any = !strcmp(ew_deck_name(deck, &deck->card[i]), "TIE");
    }
    if (!any) {
        return EW_OK;
    }
    const ew_status status = weld_all(&w);
    ew_release(w.end);
    if (!status) {
        replace_all(deck, tets);
    }
    return status;
}
