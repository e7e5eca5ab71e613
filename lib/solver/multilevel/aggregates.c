/* Aggregates from scratch. In: pattern and positions. Out: groups of about `size` rows.
 *
 * Compactness is what counts, for an aggregate's rigid modes must describe how it moves. Groups are
 * grown one by one (aggregate_growth.c), each from a row next to those before; groups that stay
 * small are dissolved into their neighbors; three sweeps after Lloyd (1982) then let each row move
 * to the nearest of the centroids that it is connected to.
 *
 * Where rows are ordered for locality they are grown in stretches side by side. How many there are
 * follows from the rows alone; what their seams leave small is dissolved with the rest. */
#include "solver/multilevel/aggregate_growth.h"

#include <math.h>
#include <string.h>

#define LLOYD_SWEEPS 3
/* Connections to another aggregate that a row must have to move there. */
#define MIN_CONNECTIONS 2
/* Rows of which an aggregate is left alone if it has no strong pairs to others: a stiff inclusion,
 * not a sliver. */
#define MIN_RIGID 8
/* Aggregates that are few enough whatever their size. */
#define MAX_SMALL 4000

typedef struct builder {
    ew_aggregate_growth growth;
    int32_t n;       /* groups */
    int32_t *count;  /* [n] owned: rows */
    double *center;  /* [n][3] owned */
    int32_t *moved;  /* [n_row] owned */
    double *nearest; /* [n] owned */
} builder;

/* ---- growing ----------------------------------------------------------- */

/* Rows that are grown over by one thread. */
enum { STRETCH_ROWS = 12000, MAX_STRETCHES = 64 };
/* More pairs across seams than one in so many: rows are in no such order. */
enum { SEAM_SHARE = 8 };

typedef struct stretch {
    ew_aggregate_growth growth;
    int32_t n; /* groups */
    ew_status status;
} stretch;

static int32_t choose_stretches(const ew_pattern *pattern)
{
    int32_t n = pattern->n_row / STRETCH_ROWS, n_seam = 0;
    n = n < MAX_STRETCHES ? n : MAX_STRETCHES;
    if (n < 2) {
        return 1;
    }
    const int32_t rows = pattern->n_row / n + 1;
#pragma omp parallel for schedule(static) reduction(+ : n_seam) num_threads(ew_threads())
    for (int32_t pair = 0; pair < pattern->n_pair; pair++) {
        const int32_t *row = pattern->pair_row + 2 * (size_t)pair;
        n_seam += row[0] >= 0 && row[0] / rows != row[1] / rows;
    }
    return (int64_t)SEAM_SHARE * n_seam > pattern->n_live_pair ? 1 : n;
}

/* Groups of the stretch, numbered from 0. */
static ew_status grow_stretch(stretch *own)
{
    ew_aggregate_growth *g = &own->growth;
    const int32_t *of_row = g->aggregates->of_row, size = g->aggregates->size;
    int32_t next = 0;
    for (int32_t row = g->begin; row < g->end; row++) {
        if (of_row[row] >= 0 || g->pattern->row_to_pair.count[row] == 0) {
            continue;
        }
        EW_TRY(ew_aggregate_growth_run(g, row, own->n++, size));
        while (next < g->seed.n) {
            const int32_t seed = g->seed.id[next++];
            if (of_row[seed] < 0) {
                EW_TRY(ew_aggregate_growth_run(g, seed, own->n++, size));
            }
        }
    }
    return EW_OK;
}

/* Numbers go on from one stretch to the next. */
static ew_status number_groups(builder *b, const stretch *part, int32_t n)
{
    int32_t *of_row = b->growth.aggregates->of_row;
    b->n = 0;
    for (int32_t k = 0; k < n; k++) {
        if (part[k].status) {
            return ew_fail(part[k].status, "preconditioner: no memory for aggregates");
        }
        for (int32_t row = part[k].growth.begin; row < part[k].growth.end && b->n > 0; row++) {
            of_row[row] += of_row[row] >= 0 ? b->n : 0;
        }
        b->n += part[k].n;
    }
    return EW_OK;
}

static ew_status grow_all(builder *b)
{
    const int32_t n_row = b->growth.pattern->n_row, n = choose_stretches(b->growth.pattern);
    const int32_t rows = n > 1 ? n_row / n + 1 : n_row;
    stretch *part;
    EW_TRY(ew_new_zero(&part, (size_t)n, sizeof *part));
#pragma omp parallel for schedule(dynamic, 1) num_threads(ew_threads_for(n, 1))
    for (int32_t k = 0; k < n; k++) {
        stretch *own = &part[k];
        own->growth = b->growth;
        own->growth.begin = k * rows < n_row ? k * rows : n_row;
        own->growth.end = (k + 1) * rows < n_row ? (k + 1) * rows : n_row;
        own->status = grow_stretch(own);
    }
    const ew_status status = number_groups(b, part, n);
    for (int32_t k = 0; k < n; k++) {
        ew_aggregate_growth_free(&part[k].growth);
    }
    ew_release(part);
    return status;
}

/* ---- dissolving and Lloyd's sweeps ------------------------------------- */

static void count_groups(builder *b)
{
    const ew_aggregates *a = b->growth.aggregates;
    memset(b->count, 0, (size_t)b->n * sizeof *b->count);
    memset(b->center, 0, 3 * (size_t)b->n * sizeof *b->center);
    for (int32_t row = 0; row < a->n_row; row++) {
        const int32_t of = a->of_row[row];
        if (of >= 0) {
            b->count[of]++;
            for (size_t i = 0; i < 3; i++) {
                b->center[3 * (size_t)of + i] += b->growth.xyz[3 * (size_t)row + i];
            }
        }
    }
    for (size_t k = 0; k < 3 * (size_t)b->n; k++) {
        b->center[k] /= b->count[k / 3] ? b->count[k / 3] : 1;
    }
}

static ew_search search_of(const builder *b, bool weak, int32_t min, int32_t min_count)
{
    return (ew_search){.pattern = b->growth.pattern,
                       .aggregates = b->growth.aggregates,
                       .xyz = b->growth.xyz,
                       .count = b->count,
                       .center = b->center,
                       .stride = 3,
                       .weak = weak,
                       .min = min,
                       .min_count = min_count,
                       .max_count = INT32_MAX};
}

/* Rows of groups below half the size join neighbors of at least that by strong pairs; several
 * rounds, since a row may have such neighbors only once others have joined. */
static void dissolve_small(builder *b)
{
    ew_aggregates *a = b->growth.aggregates;
    const ew_search search = search_of(b, b->growth.weak, 1, (a->size + 1) / 2);
    double square;
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t row = 0; row < a->n_row; row++) {
            const int32_t of = a->of_row[row];
            const int32_t to = of < 0 || b->count[of] >= search.min_count
                                   ? -1
                                   : ew_search_nearest(&search, row, &square);
            if (to >= 0) {
                a->of_row[row] = to;
                moved = true;
            }
        }
    }
}

/* Groups that are small still have no strong pairs to others: the least of them join a neighbor as
 * a whole, that of the row that is nearest to one. b->moved: where each group goes. */
static void merge_small(builder *b)
{
    ew_aggregates *a = b->growth.aggregates;
    const int32_t min = (a->size + 1) / 2 < MIN_RIGID ? (a->size + 1) / 2 : MIN_RIGID;
    const ew_search search = search_of(b, true, 1, min);
    for (bool joined = true; joined;) {
        joined = false;
        count_groups(b);
        for (int32_t k = 0; k < b->n; k++) {
            b->moved[k] = -1;
            b->nearest[k] = INFINITY;
        }
        for (int32_t row = 0; row < a->n_row; row++) {
            const int32_t of = a->of_row[row];
            double square;
            const int32_t to =
                of < 0 || b->count[of] >= min ? -1 : ew_search_nearest(&search, row, &square);
            if (to >= 0 && square < b->nearest[of]) {
                b->nearest[of] = square;
                b->moved[of] = to;
            }
        }
        for (int32_t row = 0; row < a->n_row; row++) {
            const int32_t of = a->of_row[row];
            if (of >= 0 && b->moved[of] >= 0) {
                a->of_row[row] = b->moved[of];
                joined = true;
            }
        }
    }
}

/* Each row moves by what was before the sweep, so that threads do not matter. */
static void sweep_lloyd(builder *b)
{
    const ew_aggregates *a = b->growth.aggregates;
    const ew_search search = search_of(b, b->growth.weak, MIN_CONNECTIONS, 1);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(a->n_row, 500))
    for (int32_t row = 0; row < a->n_row; row++) {
        const int32_t own = a->of_row[row];
        double square, own_square = 0.0;
        b->moved[row] = own;
        if (own < 0) {
            continue;
        }
        for (size_t i = 0; i < 3; i++) {
            const double d = b->growth.xyz[3 * (size_t)row + i] - b->center[3 * (size_t)own + i];
            own_square += d * d;
        }
        const int32_t to = ew_search_nearest_other(&search, row, &square);
        if (to >= 0 && square < own_square) {
            b->moved[row] = to;
        }
    }
    memcpy(a->of_row, b->moved, (size_t)a->n_row * sizeof *b->moved);
}

static ew_status improve(builder *b)
{
    EW_TRY(ew_new(&b->count, (size_t)b->n, sizeof *b->count));
    EW_TRY(ew_new(&b->center, 3 * (size_t)b->n, sizeof *b->center));
    EW_TRY(ew_new(&b->nearest, (size_t)b->n, sizeof *b->nearest));
    EW_TRY(ew_new(&b->moved, (size_t)b->growth.pattern->n_row, sizeof *b->moved));
    count_groups(b);
    dissolve_small(b);
    merge_small(b);
    for (int sweep = 0; sweep < LLOYD_SWEEPS; sweep++) {
        count_groups(b);
        sweep_lloyd(b);
    }
    return EW_OK;
}

/* ---- the tables -------------------------------------------------------- */

void ew_aggregate_set_frame(ew_aggregates *aggregates, int32_t aggregate, const double *xyz)
{
    const ew_rows *member = &aggregates->member;
    const int32_t n = member->count[aggregate];
    const int32_t *row = member->item + (n ? member->begin[aggregate] : 0);
    double frame[4] = {0.0}, square = 0.0;
    for (int32_t k = 0; k < n; k++) {
        for (size_t i = 0; i < 3; i++) {
            frame[i] += xyz[3 * (size_t)row[k] + i] / n;
        }
    }
    for (int32_t k = 0; k < n; k++) {
        for (size_t i = 0; i < 3; i++) {
            const double d = xyz[3 * (size_t)row[k] + i] - frame[i];
            square += d * d / n;
        }
    }
    frame[3] = square > 0.0 ? sqrt(square) : 1.0; /* of one point no rotation moves it */
    memcpy(aggregates->frame + 4 * (size_t)aggregate, frame, sizeof frame);
}

ew_status ew_aggregates_extend_rows(ew_aggregates *aggregates, int32_t n_row)
{
    EW_TRY(
        ew_grow(&aggregates->of_row, &aggregates->row_capacity, n_row, sizeof *aggregates->of_row));
    EW_TRY(ew_grow(&aggregates->slot, &aggregates->slot_capacity, n_row, sizeof *aggregates->slot));
    for (; aggregates->n_row < n_row; aggregates->n_row++) {
        aggregates->of_row[aggregates->n_row] = aggregates->slot[aggregates->n_row] = -1;
    }
    return EW_OK;
}

ew_status ew_aggregates_open(ew_aggregates *aggregates, int32_t *aggregate)
{
    if (aggregates->hole.n) {
        *aggregate = aggregates->hole.id[--aggregates->hole.n];
        return EW_OK;
    }
    EW_TRY(ew_grow(&aggregates->frame, &aggregates->capacity, (int64_t)aggregates->n + 1,
                   4 * sizeof *aggregates->frame));
    EW_TRY(ew_rows_extend(&aggregates->member, aggregates->n + 1));
    *aggregate = aggregates->n++;
    return EW_OK;
}

/* Numbers the groups that have rows by their first row, and lists their rows. */
static ew_status tabulate(builder *b)
{
    ew_aggregates *a = b->growth.aggregates;
    int32_t *number = b->moved, n = 0; /* there are no more groups than rows */
    memset(number, 0xff, (size_t)b->n * sizeof *number);
    memset(b->count, 0, (size_t)b->n * sizeof *b->count);
    for (int32_t row = 0; row < a->n_row; row++) {
        int32_t *of = &a->of_row[row];
        if (*of >= 0) {
            number[*of] = number[*of] < 0 ? n++ : number[*of];
            *of = number[*of];
            b->count[*of]++;
        }
    }
    EW_TRY(ew_rows_init(&a->member, n, 1, b->count));
    for (int32_t row = 0; row < a->n_row; row++) {
        if (a->of_row[row] >= 0) {
            ew_rows_append1(&a->member, a->of_row[row], row);
        }
    }
    EW_TRY(ew_grow(&a->frame, &a->capacity, n, 4 * sizeof *a->frame));
    a->n = n;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n, 64))
    for (int32_t k = 0; k < n; k++) {
        ew_aggregate_set_frame(a, k, b->growth.xyz);
    }
    return EW_OK;
}

/* Strong pairs alone can leave a thin sheet in columns of a few rows: many more aggregates than
 * wanted, and a factor that costs more than it saves. */
static bool has_too_many(const builder *b)
{
    int64_t n = 0, n_row = 0;
    for (int32_t k = 0; k < b->n; k++) {
        n += b->count[k] > 0;
        n_row += b->count[k];
    }
    return n > MAX_SMALL && n * b->growth.aggregates->size > 3 * n_row;
}

static ew_status start_again(builder *b)
{
    ew_aggregates *a = b->growth.aggregates;
    ew_release(b->count);
    ew_release(b->center);
    ew_release(b->nearest);
    ew_release(b->moved);
    b->count = b->moved = NULL;
    b->center = b->nearest = NULL;
    memset(a->of_row, 0xff, (size_t)a->n_row * sizeof *a->of_row);
    EW_TRY(grow_all(b));
    return improve(b);
}

ew_status ew_aggregates_build(ew_aggregates *aggregates, const ew_fine_level *fine, int32_t size)
{
    builder b = {.growth = {.pattern = fine->pattern, .xyz = fine->xyz, .aggregates = aggregates}};
    ew_status status = EW_OK;
    int32_t n_other;
    ew_aggregates_free(aggregates);
    aggregates->size = size;
    EW_TRY_OUT(ew_aggregates_extend_rows(aggregates, fine->pattern->n_row));
    EW_TRY_OUT(ew_aggregates_judge(aggregates, fine, &n_other));
    EW_TRY_OUT(grow_all(&b));
    EW_TRY_OUT(improve(&b));
    if (has_too_many(&b)) {
        aggregates->is_weak = b.growth.weak = true;
        EW_TRY_OUT(start_again(&b));
    }
    EW_TRY_OUT(tabulate(&b));
out:
    ew_release(b.count);
    ew_release(b.center);
    ew_release(b.nearest);
    ew_release(b.moved);
    return status;
}

void ew_aggregates_free(ew_aggregates *aggregates)
{
    ew_release(aggregates->of_row);
    ew_release(aggregates->slot);
    ew_release(aggregates->frame);
    ew_release(aggregates->strong);
    ew_rows_free(&aggregates->member);
    ew_list_free(&aggregates->hole);
    *aggregates = (ew_aggregates){.member = {.width = 1}};
}

size_t ew_aggregates_bytes(const ew_aggregates *aggregates)
{
    return ((size_t)aggregates->row_capacity + (size_t)aggregates->slot_capacity) *
               sizeof(int32_t) +
           (size_t)aggregates->capacity * 4 * sizeof(double) +
           (size_t)aggregates->strong_capacity * sizeof(uint64_t) +
           ew_rows_bytes(&aggregates->member);
}
