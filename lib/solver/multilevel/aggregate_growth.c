/* Growing one aggregate. In: a seed and the rows that have no aggregate yet. Out: its rows. The
 * next row is the one with the most connections over the squared distance to the centroid of those
 * taken, which keeps aggregates compact and full of connections. */
#include "solver/multilevel/aggregate_growth.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

/* Neighboring aggregates of a row that are told apart; further ones are passed over. */
enum { MAX_NEIGHBORS = 24 };

static ew_status make_room(ew_frontier *f)
{
    double **const list[] = {&f->x, &f->y, &f->z, &f->connections, &f->score};
    int32_t capacity = 0;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        capacity = f->capacity;
        EW_TRY(ew_grow(list[k], &capacity, (int64_t)f->n + 1, sizeof(double)));
    }
    return ew_grow(&f->row, &f->capacity, (int64_t)f->n + 1, sizeof *f->row);
}

/* A new row of the frontier. */
static ew_status add_candidate(ew_aggregate_growth *g, int32_t row)
{
    ew_frontier *f = &g->frontier;
    if (f->n == f->capacity) {
        EW_TRY(make_room(f));
    }
    const double *x = g->xyz + 3 * (size_t)row;
    const int32_t k = f->n++;
    g->aggregates->slot[row] = k;
    f->row[k] = row;
    f->x[k] = x[0];
    f->y[k] = x[1];
    f->z[k] = x[2];
    f->connections[k] = 1.0;
    return EW_OK;
}

static ew_status take_row(ew_aggregate_growth *g, int32_t row, int32_t aggregate)
{
    const int32_t *of_row = g->aggregates->of_row, *slot = g->aggregates->slot;
    int32_t count;
    const int32_t *item = ew_pattern_items(g->pattern, row, &count);
    EW_TRY(ew_list_push(&g->taken, row));
    g->aggregates->of_row[row] = aggregate;
    for (int i = 0; i < 3; i++) {
        g->sum[i] += g->xyz[3 * (size_t)row + (size_t)i];
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k];
        if (other < g->begin || other >= g->end || of_row[other] >= 0 ||
            !(g->weak || ew_bit_has(g->aggregates->strong, item[2 * k + 1]))) {
            continue;
        }
        if (slot[other] >= 0) {
            g->frontier.connections[slot[other]] += 1.0;
        } else {
            EW_TRY(add_candidate(g, other));
        }
    }
    return EW_OK;
}

EW_CLONES_AVX2 static void find_scores(const ew_frontier *f, const double center[3])
{
    const double *x = f->x, *y = f->y, *z = f->z, *connections = f->connections;
    double *restrict score = f->score;
    for (int32_t k = 0; k < f->n; k++) {
        const double d0 = x[k] - center[0], d1 = y[k] - center[1], d2 = z[k] - center[2];
        /* the reciprocal, least is best, so that rows at one point do no harm */
        score[k] = (d0 * d0 + d1 * d1 + d2 * d2) / connections[k];
    }
}

/* Place in the frontier of the best next row, the first of equals. */
static int32_t best_candidate(const ew_aggregate_growth *g)
{
    const ew_frontier *f = &g->frontier;
    const double share = 1.0 / g->taken.n, *score = f->score;
    const double center[3] = {g->sum[0] * share, g->sum[1] * share, g->sum[2] * share};
    double least[4] = {INFINITY, INFINITY, INFINITY,
                       INFINITY}; /* which do not wait for each other */
    int32_t k = 0;
    find_scores(f, center);
    for (; k + 4 <= f->n; k += 4) {
        for (int i = 0; i < 4; i++) {
            least[i] = score[k + i] < least[i] ? score[k + i] : least[i];
        }
    }
    for (; k < f->n; k++) {
        least[0] = score[k] < least[0] ? score[k] : least[0];
    }
    const double a = least[1] < least[0] ? least[1] : least[0];
    const double b = least[3] < least[2] ? least[3] : least[2], min = b < a ? b : a;
    for (k = 0; k < f->n - 1 && score[k] != min;) {
        k++;
    }
    return k;
}

static void drop_candidate(ew_aggregate_growth *g, int32_t k)
{
    ew_frontier *f = &g->frontier;
    int32_t *slot = g->aggregates->slot;
    const int32_t last = --f->n;
    slot[f->row[k]] = -1;
    if (k != last) {
        f->row[k] = f->row[last];
        f->x[k] = f->x[last];
        f->y[k] = f->y[last];
        f->z[k] = f->z[last];
        f->connections[k] = f->connections[last];
        slot[f->row[k]] = k;
    }
}

ew_status ew_aggregate_growth_run(ew_aggregate_growth *growth, int32_t seed, int32_t aggregate,
                                  int32_t size)
{
    ew_frontier *f = &growth->frontier;
    ew_status status;
    growth->taken.n = 0;
    memset(growth->sum, 0, sizeof growth->sum);
    status = take_row(growth, seed, aggregate);
    while (!status && growth->taken.n < size && f->n > 0) {
        const int32_t k = best_candidate(growth), row = f->row[k];
        drop_candidate(growth, k);
        status = take_row(growth, row, aggregate);
    }
    for (int32_t k = 0; k < f->n; k++) {
        growth->aggregates->slot[f->row[k]] = -1;
        status = status ? status : ew_list_push(&growth->seed, f->row[k]);
    }
    f->n = 0;
    return status;
}

void ew_aggregate_growth_free(ew_aggregate_growth *growth)
{
    double *const list[] = {growth->frontier.x, growth->frontier.y, growth->frontier.z,
                            growth->frontier.connections, growth->frontier.score};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        ew_release(list[k]);
    }
    ew_release(growth->frontier.row);
    ew_list_free(&growth->taken);
    ew_list_free(&growth->seed);
    *growth = (ew_aggregate_growth){0};
}

static double square_distance(const double *a, const double *b)
{
    const double d0 = a[0] - b[0], d1 = a[1] - b[1], d2 = a[2] - b[2];
    return d0 * d0 + d1 * d1 + d2 * d2;
}

/* Aggregates around a row, and how many connections it has with each. */
typedef struct around {
    int32_t n, seen[MAX_NEIGHBORS], times[MAX_NEIGHBORS];
} around;

static inline void count_neighbors(const int32_t *list, int32_t n, around *to)
{
    for (int32_t k = 0; k < n; k++) {
        int32_t at = 0;
        while (at < to->n && to->seen[at] != list[k]) {
            at++;
        }
        if (at == to->n && at < MAX_NEIGHBORS) {
            to->seen[at] = list[k];
            to->times[at] = 0;
            to->n++;
        }
        to->times[at < MAX_NEIGHBORS ? at : 0] += at < MAX_NEIGHBORS;
    }
}

/* passed: an aggregate that is not looked for, or -1. What counts is listed first, without
 * branches, which would be guessed wrong. */
static inline void look_around(const ew_search *search, int32_t row, int32_t passed, around *to)
{
    enum { AT_ONCE = 32 };
    const ew_aggregates *aggregates = search->aggregates;
    const int32_t *of_row = aggregates->of_row;
    const uint64_t *strong = aggregates->strong;
    int32_t n_item, list[AT_ONCE];
    const int32_t *item = ew_pattern_items(search->pattern, row, &n_item);
    to->n = 0;
    for (int32_t begin = 0; begin < n_item; begin += AT_ONCE) {
        const int32_t end = n_item - begin < AT_ONCE ? n_item : begin + AT_ONCE;
        int32_t n = 0;
        for (int32_t k = begin; k < end; k++) {
            const int32_t a = of_row[item[2 * k]];
            list[n] = a;
            n += (a != passed) & (a >= 0) & (search->weak | ew_bit_has(strong, item[2 * k + 1]));
        }
        count_neighbors(list, n, to);
    }
}

static int32_t find_nearest(const ew_search *search, int32_t row, int32_t passed, double *square)
{
    around found;
    int32_t best = -1;
    look_around(search, row, passed, &found);
    *square = INFINITY;
    for (int32_t k = 0; k < found.n; k++) {
        const int32_t a = found.seen[k], count = search->count[a];
        if (found.times[k] < search->min || count < search->min_count ||
            count > search->max_count) {
            continue;
        }
        const double d = square_distance(search->center + (size_t)search->stride * (size_t)a,
                                         search->xyz + 3 * (size_t)row);
        if (d < *square) {
            *square = d;
            best = a;
        }
    }
    return best;
}

int32_t ew_search_nearest(const ew_search *search, int32_t row, double *square)
{
    return find_nearest(search, row, -1, square);
}

int32_t ew_search_nearest_other(const ew_search *search, int32_t row, double *square)
{
    return find_nearest(search, row, search->aggregates->of_row[row], square);
}

static double square_norm(const double *block)
{
    double square[3] = {0.0, 0.0, 0.0}; /* by columns */
    for (int i = 0; i < 9; i++) {
        square[i % 3] += block[i] * block[i];
    }
    return square[0] + square[1] + square[2];
}

double ew_aggregate_growth_root(const ew_matrix *matrix, int32_t row)
{
    return sqrt(square_norm(matrix->diagonal + 9 * (size_t)row));
}

/* Minors of blocks of rank 1, of the square of their norm, to rounding. */
#define ONE_DIRECTION 1e-10

const double ew_strength_share[EW_STRENGTHS] = {0x1p-15,     0x1p-14, 0x1p-13, 0x1p-12,
                                                0.02 * 0.02, 0x1p-11, 0x1p-10, 0x1p-9,
                                                0x1p-8,      0x1p-7,  0x1p-6,  0x1p-5};

/* Whether a block is of rank 1: faces in contact press on each other, and slide. An aggregate
 * across them would have no mode in which they do. */
static bool is_along_one_direction(const double *b, double square)
{
    bool is_along = true;
    for (int i = 0; i < 9 && is_along; i++) {
        const int r = 3 * ((i / 3 + 1) % 3), s = 3 * ((i / 3 + 2) % 3), c = (i + 1) % 3,
                  d = (i + 2) % 3;
        is_along = fabs(b[r + c] * b[s + d] - b[r + d] * b[s + c]) <= ONE_DIRECTION * square;
    }
    return is_along;
}

static uint8_t find_strength(const ew_fine_level *fine, int32_t pair, double root_a, double root_b)
{
    const double *block = fine->matrix->pair + 9 * (size_t)pair;
    const double square = square_norm(block);
    if (fine->has_equations && is_along_one_direction(block, square)) {
        return 0;
    }
    uint8_t strength = EW_STRENGTHS; /* most pairs are */
    while (strength > 0 && !(square > ew_strength_share[strength - 1] * root_a * root_b)) {
        strength--;
    }
    return strength;
}

uint8_t ew_aggregate_growth_strength_by_roots(const ew_fine_level *fine, const double *root,
                                              int32_t pair)
{
    const int32_t *row = fine->pattern->pair_row + 2 * (size_t)pair;
    return row[0] < 0 ? 0 : find_strength(fine, pair, root[row[0]], root[row[1]]);
}

uint8_t ew_aggregate_growth_strength(const ew_fine_level *fine, int32_t pair)
{
    const int32_t *row = fine->pattern->pair_row + 2 * (size_t)pair;
    if (row[0] < 0) {
        return 0;
    }
    if (!fine->matrix) {
        return fine->strength ? fine->strength[pair] : EW_STRENGTHS;
    }
    return find_strength(fine, pair, ew_aggregate_growth_root(fine->matrix, row[0]),
                         ew_aggregate_growth_root(fine->matrix, row[1]));
}

/* Strengths of which there are fewer pairs than one in so many are a gap. */
enum { GAP_SHARE = 200 };
/* So many strengths on both sides of the usual cut are about as strong, a factor of 2 in |K_ab|; of
 * more pairs than one in so many a cut there would go through a kind. */
enum { ABOUT = 2, ABOUT_SHARE = 20 };

/* Where pairs are strong, by how many there are of each strength. Gaps as wide as ABOUT count, of
 * equals the one among the strongest. */
int32_t ew_aggregate_growth_choose_cut(const int32_t count[EW_STRENGTHS + 1])
{
    int64_t n = 0, n_about = 0;
    int32_t best = EW_USUAL_STRENGTH, widest = ABOUT - 1;
    for (int32_t k = 0; k <= EW_STRENGTHS; k++) {
        const int32_t above = k - EW_USUAL_STRENGTH;
        n += count[k];
        n_about += above >= -ABOUT && above < ABOUT ? count[k] : 0;
    }
    if (ABOUT_SHARE * n_about <= n) {
        return EW_USUAL_STRENGTH;
    }
    for (int32_t k = 1, width = 0; k < EW_STRENGTHS; k++) {
        width = (int64_t)GAP_SHARE * count[k] < n ? width + 1 : 0;
        if (width >= widest && width >= ABOUT) {
            widest = width;
            best = k - width / 2 + 1;
        }
    }
    return best;
}
