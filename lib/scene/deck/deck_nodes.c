/* Forces and temperatures of a deck by node, with the numbers of the nodes, and what is prescribed
 * in the middle of sides. In: what holds at nodes. Out: one load a step and amplitude, where sets
 * of vertices would not do. */
#include "scene/deck/deck.h"

#include <math.h>
#include <stdlib.h>

/* Beyond so many different ones they are listed by node, not by set. */
enum { MAX_DIFFERENT = 20 };
const int8_t deck_side[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/* Values of a midside node follow from its ends. */
static bool is_mean(double middle, double a, double b)
{
    return fabs(middle - (0.5 * a + 0.5 * b)) <= 1e-6 * (fabs(a) + fabs(b));
}

static int by_use(const void *one, const void *other)
{
    const deck_force *a = one, *b = other;
    const int32_t x[3] = {a->axes, a->amplitude, a->node}, y[3] = {b->axes, b->amplitude, b->node};
    for (int i = 0; i < 3; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_zero(const deck_force *of)
{
    return of->value[0] == 0.0 && of->value[1] == 0.0 && of->value[2] == 0.0;
}

/* One entry for the components of a node that have the same amplitude. */
static ew_status add_node(deck_case *d, const deck_moment *at, int32_t node, deck_force *to,
                          int32_t *n)
{
    const int32_t first = *n;
    for (int c = 0; c < 3; c++) {
        const deck_value *from = &d->force[3 * (size_t)node + (size_t)c];
        deck_force made = {.node = node, .axes = d->axes[node]};
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

static bool differ(const deck_force *a, const deck_force *b)
{
    return a->axes != b->axes || a->amplitude != b->amplitude || a->value[0] != b->value[0] ||
           a->value[1] != b->value[1] || a->value[2] != b->value[2];
}

/* One with each value, of the first MAX_DIFFERENT + 1. */
static int32_t count_different(const deck_force *list, int32_t n)
{
    const deck_force *seen[MAX_DIFFERENT + 1];
    int32_t n_seen = 0;
    for (int32_t i = 0; i < n && n_seen <= MAX_DIFFERENT; i++) {
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

static ew_status gather(deck_case *d, const deck_moment *at, deck_force *list, int32_t *n,
                        bool *by_node)
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
    *by_node = *by_node || count_different(list, *n) > MAX_DIFFERENT;
    return EW_OK;
}

void deck_put_node(const deck_case *d, int32_t node, const char *key, ew_case_entry *to)
{
    if (d->slot[node] >= 0) {
        ew_case_add_integer(to, key, d->number[d->slot[node]]);
    } else {
        const int32_t *end = d->end[node];
        ew_case_add_numbers(
            to, key, (const double[]){d->number[d->slot[end[0]]], d->number[d->slot[end[1]]]}, 2);
    }
}

ew_status deck_put_forces_at(deck_case *d, const deck_force *list, int32_t n, ew_case_entry *to)
{
    ew_case_entry *load = ew_case_add_mapping(to, NULL);
    ew_case_entry *force = ew_case_add_list(load, "force"), *at = ew_case_add_list(load, "nodes");
    for (int32_t i = 0; i < n; i++) {
        ew_case_add_numbers(force, NULL, list[i].value, 3);
        deck_put_node(d, list[i].node, NULL, at);
    }
    if (list->axes >= 0) {
        EW_TRY(deck_put_axes(d, &d->deck.card[list->axes], load));
    }
    return deck_put_use(d, list->amplitude, load);
}

ew_status deck_put_node_forces(deck_case *d, const deck_moment *at, ew_case_entry *to,
                               bool *by_node)
{
    deck_force *list;
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
            status = deck_put_forces_at(d, &list[i], end - i, to);
        }
    }
    ew_release(list);
    return status;
}

/* ---- temperatures ---------------------------------------------------------------------------- */

/* By node: what it is warmer than at the start, with this amplitude; ends of its side, -1: none. */
typedef struct warmth {
    double value;
    int32_t amplitude, end[2];
} warmth;

static ew_status find_warmth(deck_case *d, const deck_moment *at, warmth *of)
{
    for (int32_t i = 0; i < d->deck.n_node; i++) {
        of[i] = (warmth){0.0, -1, {d->end[i][0], d->end[i][1]}};
        if (d->temperature[i].has) {
            EW_TRY(deck_settle(d, at, &d->temperature[i], &of[i].value, &of[i].amplitude));
            of[i].value -= d->initial[i];
        }
    }
    return EW_OK;
}

static double value_with(const warmth *of, int32_t node, int32_t amplitude)
{
    return of[node].amplitude == amplitude ? of[node].value : 0.0;
}

/* The load with this amplitude names the node: a vertex with a change, or a middle that has not the
 * mean of its ends. */
static bool is_named(const deck_case *d, const warmth *of, int32_t node, int32_t amplitude)
{
    const double value = value_with(of, node, amplitude);
    const int32_t *end = of[node].end;
    if (d->slot[node] >= 0 || end[0] < 0) {
        return d->slot[node] >= 0 && value != 0.0;
    }
    return !is_mean(value, value_with(of, end[0], amplitude), value_with(of, end[1], amplitude));
}

static bool is_by_node(const deck_case *d, const warmth *of)
{
    double seen[MAX_DIFFERENT];
    int32_t n_seen = 0;
    for (int32_t i = 0; i < d->deck.n_node; i++) {
        const int32_t *end = of[i].end;
        int32_t k = 0;
        if (d->slot[i] < 0 && end[0] >= 0 &&
            (is_named(d, of, i, of[i].amplitude) || is_named(d, of, i, of[end[0]].amplitude) ||
             is_named(d, of, i, of[end[1]].amplitude))) {
            return true;
        }
        while (k < n_seen && seen[k] != of[i].value) {
            k++;
        }
        if (d->slot[i] >= 0 && k == MAX_DIFFERENT) {
            return true;
        }
        if (d->slot[i] >= 0 && k == n_seen) {
            seen[n_seen++] = of[i].value;
        }
    }
    return false;
}

static ew_status put_warmth(deck_case *d, const warmth *of, int32_t amplitude, ew_case_entry *to)
{
    ew_case_entry *load = NULL, *value = NULL, *at = NULL;
    for (int32_t i = 0; i < d->deck.n_node; i++) {
        if (!is_named(d, of, i, amplitude)) {
            continue;
        }
        if (!load) {
            load = ew_case_add_mapping(to, NULL);
            value = ew_case_add_list(load, "temperature");
            at = ew_case_add_list(load, "nodes");
        }
        ew_case_add_number(value, NULL, value_with(of, i, amplitude));
        deck_put_node(d, i, NULL, at);
    }
    return load ? deck_put_use(d, amplitude, load) : EW_OK;
}

ew_status deck_put_node_temperatures(deck_case *d, const deck_moment *at, ew_case_entry *to,
                                     bool *by_node)
{
    const int32_t n = d->deck.n_node;
    warmth *of;
    EW_TRY(ew_new(&of, (size_t)n, sizeof *of));
    ew_status status = find_warmth(d, at, of);
    *by_node = !status && is_by_node(d, of);
    for (int32_t amplitude = -1, next; *by_node && amplitude < INT32_MAX && !status;
         amplitude = next) {
        status = put_warmth(d, of, amplitude, to);
        next = INT32_MAX;
        for (int32_t i = 0; i < n; i++) {
            next = of[i].amplitude > amplitude && of[i].amplitude < next ? of[i].amplitude : next;
        }
    }
    ew_release(of);
    return status;
}

/* ---- supports -------------------------------------------------------------------------------- */

/* What follows from the ends: the same component and value. Ends with different values are in
 * different sets, neither of which acts on the side. */
static bool follows_from_ends(const deck_case *d, int32_t t, int edge, int component)
{
    const deck_value *at[3];
    const int32_t node[3] = {d->deck.middle[t][edge], d->deck.tet[t][deck_side[edge][0]],
                             d->deck.tet[t][deck_side[edge][1]]};
    for (int i = 0; i < 3; i++) {
        at[i] = &d->fixed[3 * (size_t)node[i] + (size_t)component];
        if (!at[i]->has || at[i]->amplitude != at[0]->amplitude ||
            d->axes[node[i]] != d->axes[node[0]]) {
            return !at[0]->has;
        }
    }
    return at[1]->value == at[2]->value && is_mean(at[0]->value, at[1]->value, at[2]->value);
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
                is_counted[node] = !follows_from_ends(d, t, e, c);
                n += is_counted[node];
            }
        }
    }
    ew_release(is_counted);
    return n;
}
