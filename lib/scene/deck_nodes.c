/* Forces of a deck by node, with the places of the nodes, and what is prescribed in the middle of
 * sides. In: what holds at nodes. Out: one load a step, where sets of vertices would not do. */
#include "scene/deck.h"

#include <math.h>
#include <stdlib.h>

/* Beyond so many different ones forces are listed by node, not by set. */
enum { MAX_FORCES = 20 };

typedef struct force {
    int32_t node, axes, amplitude;
    double value[3];
} force;

static int by_use(const void *one, const void *other)
{
    const force *a = one, *b = other;
    const int32_t x[3] = {a->axes, a->amplitude, a->node}, y[3] = {b->axes, b->amplitude, b->node};
    for (int i = 0; i < 3; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_zero(const force *of)
{
    return of->value[0] == 0.0 && of->value[1] == 0.0 && of->value[2] == 0.0;
}

/* One entry for the components of a node that have the same amplitude. */
static ew_status add_node(deck_case *d, const deck_moment *at, int32_t node, force *to, int32_t *n)
{
    const int32_t first = *n;
    for (int c = 0; c < 3; c++) {
        const deck_value *from = &d->force[3 * (size_t)node + (size_t)c];
        force made = {.node = node, .axes = d->axes[node]};
        int32_t i = first;
        if (!from->has) {
            continue;
        }
        EW_TRY(deck_settle(d, at, from, &made.value[c], &made.amplitude));
        while (i < *n && to[i].amplitude != made.amplitude) {
            i++;
        }
        if (i == *n) {
            to[(*n)++] = made;
        } else {
            to[i].value[c] = made.value[c];
        }
    }
    return EW_OK;
}

static bool differ(const force *a, const force *b)
{
    return a->axes != b->axes || a->amplitude != b->amplitude || a->value[0] != b->value[0] ||
           a->value[1] != b->value[1] || a->value[2] != b->value[2];
}

/* One with each value, of the first MAX_FORCES + 1. */
static int32_t count_different(const force *list, int32_t n)
{
    const force *seen[MAX_FORCES + 1];
    int32_t n_seen = 0;
    for (int32_t i = 0; i < n && n_seen <= MAX_FORCES; i++) {
        int32_t k = 0;
        while (k < n_seen && differ(seen[k], &list[i])) {
            k++;
        }
        if (k == n_seen) {
            seen[n_seen++] = &list[i];
        }
    }
    return n_seen;
}

static ew_status gather(deck_case *d, const deck_moment *at, force *list, int32_t *n, bool *by_node)
{
    *n = 0;
    *by_node = false;
    for (int32_t i = 0; i < d->deck.n_node; i++) {
        if (d->slot[i] < 0 && !d->is_middle[i]) {
            continue;
        }
        int32_t end = *n;
        EW_TRY(add_node(d, at, i, list, &end));
        for (int32_t k = *n; k < end; k++) { /* those of 0 are none */
            if (!is_zero(&list[k])) {
                list[(*n)++] = list[k];
                *by_node = *by_node || d->is_middle[i];
            }
        }
    }
    *by_node = *by_node || count_different(list, *n) > MAX_FORCES;
    return EW_OK;
}

/* One load for all with these axes and this amplitude. */
static ew_status put_load(deck_case *d, const force *list, int32_t n, words *to)
{
    words_add(to, "      - {force: [");
    for (int32_t i = 0; i < n; i++) {
        words_add(to, i ? ",\n                " : "");
        words_add_vector(to, list[i].value, 3);
    }
    words_add(to, "],\n         at: [");
    for (int32_t i = 0; i < n; i++) {
        words_add(to, i ? ",\n              " : "");
        words_add_vector(to, d->deck.xyz + 3 * (size_t)list[i].node, 3);
    }
    words_add(to, "]");
    if (list->axes >= 0) {
        EW_TRY(deck_put_axes(d, &d->deck.card[list->axes], to));
    }
    EW_TRY(deck_put_use(d, list->amplitude, to));
    words_add(to, "}\n");
    return EW_OK;
}

ew_status deck_put_node_forces(deck_case *d, const deck_moment *at, words *to, bool *by_node)
{
    force *list;
    int32_t n;
    EW_TRY(ew_new(&list, 3 * (size_t)d->deck.n_node, sizeof *list));
    ew_status status = gather(d, at, list, &n, by_node);
    if (!status && *by_node) {
        qsort(list, (size_t)n, sizeof *list, by_use);
        for (int32_t i = 0, end; i < n && !status; i = end) {
            for (end = i + 1; end < n && list[end].axes == list[i].axes &&
                              list[end].amplitude == list[i].amplitude;
                 end++) {
            }
            status = put_load(d, &list[i], end - i, to);
        }
    }
    ew_release(list);
    return status;
}

/* ---- supports -------------------------------------------------------------------------------- */

/* What follows from the ends: the same component, the mean of theirs. */
static bool follows(const deck_case *d, int32_t t, int edge, int component)
{
    static const int8_t end[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const deck_value *at[3];
    const int32_t node[3] = {d->deck.middle[t][edge], d->deck.tet[t][end[edge][0]],
                             d->deck.tet[t][end[edge][1]]};
    for (int i = 0; i < 3; i++) {
        at[i] = &d->fixed[3 * (size_t)node[i] + (size_t)component];
        if (!at[i]->has || at[i]->amplitude != at[0]->amplitude ||
            d->axes[node[i]] != d->axes[node[0]]) {
            return !at[0]->has;
        }
    }
    const double mean = 0.5 * at[1]->value + 0.5 * at[2]->value;
    return fabs(at[0]->value - mean) <= 1e-6 * (fabs(at[1]->value) + fabs(at[2]->value));
}

int32_t deck_count_middles(const deck_case *d)
{
    bool *is_counted;
    int32_t n = 0;
    if (ew_new_zero(&is_counted, (size_t)d->deck.n_node, sizeof *is_counted)) {
        return 0;
    }
    for (int32_t t = 0; t < d->mesh.n_tet; t++) {
        for (int e = 0; e < 6 && d->deck.middle[t][e] >= 0; e++) {
            const int32_t node = d->deck.middle[t][e];
            for (int c = 0; c < 3 && !is_counted[node]; c++) {
                is_counted[node] = !follows(d, t, e, c);
                n += is_counted[node];
            }
        }
    }
    ew_release(is_counted);
    return n;
}
