/* Growing one aggregate. In: a seed and the rows that have no aggregate yet. Out: its rows. The
 * next row is the one with the most connections over the squared distance to the centroid of those
 * taken, which keeps aggregates compact and full of connections. */
#include "growth.h"

#include <math.h>
#include <string.h>

/* Neighboring aggregates of a row that are told apart; further ones are passed over. */
enum { MAX_NEIGHBORS = 24 };

static ew_status touch_candidate(ew_growth *g, int32_t row)
{
    int32_t *slot = &g->aggregates->slot[row];
    if (*slot < 0) {
        EW_TRY(ew_grow(&g->frontier, &g->frontier_capacity, (int64_t)g->n_frontier + 1,
                       sizeof *g->frontier));
        EW_TRY(
            ew_grow(&g->score, &g->score_capacity, (int64_t)g->n_frontier + 1, sizeof *g->score));
        *slot = g->n_frontier;
        ew_candidate *new = &g->frontier[g->n_frontier++];
        memcpy(new->x, g->xyz + 3 * (size_t)row, sizeof new->x);
        new->row = row;
        new->connections = 0.0;
    }
    g->frontier[*slot].connections += 1.0;
    return EW_OK;
}

static ew_status take_row(ew_growth *g, int32_t row, int32_t aggregate)
{
    const int32_t *of_row = g->aggregates->of_row;
    int32_t count;
    const int32_t *item = ew_pattern_items(g->pattern, row, &count);
    EW_TRY(ew_list_push(&g->taken, row));
    g->aggregates->of_row[row] = aggregate;
    for (int i = 0; i < 3; i++) {
        g->sum[i] += g->xyz[3 * (size_t)row + (size_t)i];
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k];
        if (other >= g->begin && other < g->end && of_row[other] < 0 &&
            (g->weak || ew_bit_has(g->aggregates->strong, item[2 * k + 1]))) {
            EW_TRY(touch_candidate(g, other));
        }
    }
    return EW_OK;
}

/* Place in the frontier of the best next row, the first of equals. */
static int32_t best_candidate(ew_growth *g)
{
    const double share = 1.0 / g->taken.n;
    const double center[3] = {g->sum[0] * share, g->sum[1] * share, g->sum[2] * share};
    int32_t best = 0;
    for (int32_t k = 0; k < g->n_frontier; k++) {
        const double *x = g->frontier[k].x;
        const double d0 = x[0] - center[0], d1 = x[1] - center[1], d2 = x[2] - center[2];
        /* the reciprocal, least is best, so that rows at one point do no harm */
        g->score[k] = (d0 * d0 + d1 * d1 + d2 * d2) / g->frontier[k].connections;
    }
    for (int32_t k = 1; k < g->n_frontier; k++) {
        best = g->score[k] < g->score[best] ? k : best;
    }
    return best;
}

static void drop_candidate(ew_growth *g, int32_t k)
{
    int32_t *slot = g->aggregates->slot;
    slot[g->frontier[k].row] = -1;
    if (k != --g->n_frontier) {
        g->frontier[k] = g->frontier[g->n_frontier];
        slot[g->frontier[k].row] = k;
    }
}

ew_status ew_growth_run(ew_growth *growth, int32_t seed, int32_t aggregate, int32_t size)
{
    ew_status status;
    growth->taken.n = 0;
    memset(growth->sum, 0, sizeof growth->sum);
    status = take_row(growth, seed, aggregate);
    while (!status && growth->taken.n < size && growth->n_frontier > 0) {
        const int32_t k = best_candidate(growth), row = growth->frontier[k].row;
        drop_candidate(growth, k);
        status = take_row(growth, row, aggregate);
    }
    for (int32_t k = 0; k < growth->n_frontier; k++) {
        growth->aggregates->slot[growth->frontier[k].row] = -1;
        status = status ? status : ew_list_push(&growth->seed, growth->frontier[k].row);
    }
    growth->n_frontier = 0;
    return status;
}

void ew_growth_free(ew_growth *growth)
{
    ew_release(growth->frontier);
    ew_release(growth->score);
    ew_list_free(&growth->taken);
    ew_list_free(&growth->seed);
    *growth = (ew_growth){0};
}

static double square_distance(const double *a, const double *b)
{
    const double d0 = a[0] - b[0], d1 = a[1] - b[1], d2 = a[2] - b[2];
    return d0 * d0 + d1 * d1 + d2 * d2;
}

int32_t ew_search_nearest(const ew_search *search, int32_t row, double *square)
{
    const ew_aggregates *aggregates = search->aggregates;
    int32_t n_item, n = 0, best = -1, seen[MAX_NEIGHBORS], times[MAX_NEIGHBORS];
    const int32_t *item = ew_pattern_items(search->pattern, row, &n_item);
    *square = INFINITY;
    for (int32_t k = 0; k < n_item; k++) {
        const int32_t a = aggregates->of_row[item[2 * k]];
        int32_t at = 0;
        if (a < 0 || search->count[a] < search->min_count || search->count[a] > search->max_count ||
            !(search->weak || ew_bit_has(aggregates->strong, item[2 * k + 1]))) {
            continue;
        }
        while (at < n && seen[at] != a) {
            at++;
        }
        if (at == n && n < MAX_NEIGHBORS) {
            seen[n] = a;
            times[n++] = 0;
        }
        times[at < n ? at : 0] += at < n;
    }
    for (int32_t k = 0; k < n; k++) {
        const double d = square_distance(search->center + (size_t)search->stride * (size_t)seen[k],
                                         search->xyz + 3 * (size_t)row);
        if (times[k] >= search->min && d < *square) {
            *square = d;
            best = seen[k];
        }
    }
    return best;
}

static double square_norm(const double *block)
{
    double square = 0.0;
    for (int i = 0; i < 9; i++) {
        square += block[i] * block[i];
    }
    return square;
}

bool ew_growth_is_strong(const ew_fine_level *fine, int32_t pair)
{
    const int32_t *row = fine->pattern->pair_row + 2 * (size_t)pair;
    if (row[0] < 0) {
        return false;
    }
    if (!fine->matrix) {
        return !fine->strong || fine->strong[pair];
    }
    const double a = square_norm(fine->matrix->diagonal + 9 * (size_t)row[0]);
    const double b = square_norm(fine->matrix->diagonal + 9 * (size_t)row[1]);
    const double both = square_norm(fine->matrix->pair + 9 * (size_t)pair);
    return both > EW_STRONG_SHARE * sqrt(a) * sqrt(b);
}
