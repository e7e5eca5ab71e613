/* Which tets a round keeps. In: strain energies of the body as it is. Out: sensitivities of all
 * tets that were there at the start, those that are removed included, and the tets that are wanted.
 *
 * The sensitivity of a tet is its strain energy by volume: of the compliance C = f . u with fixed
 * loads, -dC = 2 (energy of the tet). Removed tets have none. It is spread over the vertices (each
 * the mean of the tets around it at the start, by volume), taken back from the vertices near each
 * tet by the filter, which gives removed tets beside the body a value, and averaged with that of
 * the round before (Huang & Xie 2007, eqs. 4 to 8). */
#include "internal.h"

#include <string.h>

static void spread_to_vertices(removal_design *design, const double *energy)
{
    double *value = design->vertex_value;
    memset(value, 0, (size_t)design->n_vertex * sizeof *value);
    for (int32_t k = 0; k < design->n; k++) {
        const int32_t *corner = design->corner + 4 * (size_t)k;
        for (int i = 0; i < 4 && design->slot[k] >= 0; i++) {
            value[corner[i]] += energy[design->slot[k]];
        }
    }
    for (int32_t v = 0; v < design->n_vertex; v++) {
        value[v] = design->vertex_volume[v] > 0.0 ? value[v] / design->vertex_volume[v] : 0.0;
    }
}

static void filter(const removal_design *design)
{
    const removal_filter *rows = &design->filter;
#pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < design->n_vertex; v++) {
        double sum = 0.0;
        for (size_t i = rows->begin[v]; i < rows->begin[v + 1]; i++) {
            sum += rows->weight[i] * design->vertex_value[rows->vertex[i]];
        }
        design->filtered[v] = sum;
    }
}

void removal_take_energies(removal_design *design, const double *energy)
{
    const bool has_before = design->has_sensitivity;
    spread_to_vertices(design, energy);
    filter(design);
    for (int32_t k = 0; k < design->n; k++) {
        const int32_t *corner = design->corner + 4 * (size_t)k;
        double now = 0.0;
        for (int i = 0; i < 4; i++) {
            now += 0.25 * design->filtered[corner[i]];
        }
        design->sensitivity[k] = has_before ? 0.5 * (now + design->sensitivity[k]) : now;
    }
    design->has_sensitivity = true;
}

static uint64_t key_of(double value)
{
    uint64_t bits;
    value += 0.0; /* one zero */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? bits : ~bits & INT64_MAX;
}

/* By radix, the lowest digit first, each pass in the order of the one before: equal ones stay by
 * their place. An even number of passes ends where it began. */
static void sort_by_key(struct removal_order *order, struct removal_order *spare, int32_t n)
{
    enum { DIGIT = 11, N_DIGIT = 6, N_VALUE = 1 << DIGIT };
    for (int d = 0; d < N_DIGIT; d++) {
        const int shift = d * DIGIT;
        int32_t begin[N_VALUE + 1] = {0};
        for (int32_t i = 0; i < n; i++) {
            begin[(order[i].key >> shift & (N_VALUE - 1)) + 1]++;
        }
        for (int k = 0; k < N_VALUE; k++) {
            begin[k + 1] += begin[k];
        }
        for (int32_t i = 0; i < n; i++) {
            spare[begin[order[i].key >> shift & (N_VALUE - 1)]++] = order[i];
        }
        struct removal_order *const swap = order;
        order = spare;
        spare = swap;
    }
}

/* Largest first, equal ones by their place. */
static int32_t sort(removal_design *design)
{
    int32_t n = 0;
    for (int32_t k = 0; k < design->n; k++) {
        if (!design->keep[k]) {
            design->order[n++] = (struct removal_order){key_of(design->sensitivity[k]), k};
        }
    }
    sort_by_key(design->order, design->spare, n);
    return n;
}

/* The first ones of the order whose volume is no more than `room`. *restored: of those that are not
 * there. */
static int32_t fit(const removal_design *design, int32_t n, double room, double *restored)
{
    double sum = 0.0;
    int32_t i = 0;
    *restored = 0.0;
    for (; i < n && sum + design->volume[design->order[i].tet] <= room; i++) {
        const int32_t k = design->order[i].tet;
        sum += design->volume[k];
        *restored += design->slot[k] < 0 ? design->volume[k] : 0.0;
    }
    return i;
}

/* More would come back than may: the first ones of these that fit, and of those that are there the
 * first ones that fit beside them. */
static void choose_apart(removal_design *design, int32_t n, double room, double room_restored)
{
    double restored = 0.0, sum;
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = design->order[i].tet;
        if (design->slot[k] < 0) {
            design->wanted[k] = restored + design->volume[k] <= room_restored;
            restored += design->volume[k]; /* the first one that does not fit is the last */
        }
    }
    sum = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = design->order[i].tet;
        sum += design->slot[k] < 0 && design->wanted[k] ? design->volume[k] : 0.0;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = design->order[i].tet;
        if (design->slot[k] >= 0) {
            sum += design->volume[k];
            design->wanted[k] = sum <= room;
        }
    }
}

void removal_choose(removal_design *design, double share, double max_restored)
{
    const double room = share * design->whole - design->kept;
    const int32_t n = sort(design);
    double restored;
    const int32_t n_fit = fit(design, n, room, &restored);
    for (int32_t k = 0; k < design->n; k++) {
        design->before[k] = design->slot[k] >= 0;
    }
    if (restored > max_restored * design->whole) {
        choose_apart(design, n, room, max_restored * design->whole);
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        design->wanted[design->order[i].tet] = i < n_fit;
    }
}
