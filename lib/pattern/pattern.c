/* The pattern itself: rows and pairs entered, found and taken out. */
#include "pattern/parts/pattern.h"

void ew_pattern_free(ew_pattern *pattern)
{
    ew_release(pattern->pair_row);
    ew_rows_free(&pattern->row_to_pair);
    ew_release(pattern->n_lower);
    ew_list_free(&pattern->pair_hole);
    *pattern = (ew_pattern){0};
}

ew_status ew_pattern_copy(ew_pattern *copy, const ew_pattern *pattern)
{
    copy->revision = 0;
    EW_TRY(ew_grow_copy(&copy->pair_row, &copy->pair_capacity, pattern->pair_row, pattern->n_pair,
                        2 * sizeof *copy->pair_row));
    EW_TRY(ew_rows_copy(&copy->row_to_pair, &pattern->row_to_pair));
    EW_TRY(ew_grow_copy(&copy->n_lower, &copy->row_capacity, pattern->n_lower, pattern->n_row,
                        sizeof *copy->n_lower));
    EW_TRY(ew_list_copy(&copy->pair_hole, &pattern->pair_hole));
    copy->n_row = pattern->n_row;
    copy->n_pair = pattern->n_pair;
    copy->n_live_pair = pattern->n_live_pair;
    copy->revision = pattern->revision;
    return EW_OK;
}

ew_status ew_pattern_extend(ew_pattern *pattern, int32_t n_row)
{
    EW_TRY(ew_rows_extend(&pattern->row_to_pair, n_row));
    EW_TRY(ew_grow(&pattern->n_lower, &pattern->row_capacity, n_row, sizeof(int32_t)));
    for (; pattern->n_row < n_row; pattern->n_row++) {
        pattern->n_lower[pattern->n_row] = 0;
    }
    return EW_OK;
}

/* ---- the table of rows ------------------------------------------------------ */

/* Stretches of pairs side by side, each with counts over all rows. */
enum { MAX_STRETCHES = 8, MIN_PAIRS = 10000 };

typedef struct indexer {
    ew_pattern *pattern;
    int32_t n_stretch;
    int32_t *lower; /* [n_stretch][n_row] owned: pairs (x, v) of a row v in the stretch; then those
                       in stretches before it */
    int32_t *first; /* [n_row] owned: the first pair (v, y) */
    int32_t *count; /* [n_row] owned: all pairs */
} indexer;

static int32_t begin_of(const indexer *in, int32_t stretch)
{
    return (int32_t)((int64_t)in->pattern->n_pair * stretch / in->n_stretch);
}

static int32_t *lower_of(const indexer *in, int32_t stretch)
{
    return in->lower + (size_t)in->pattern->n_row * (size_t)stretch;
}

/* The first and the last pair of (v, ...) may be in two stretches: each counts from where v begins
 * to where the next row does, which others do not write. */
static void count_pairs(const indexer *in, int32_t stretch)
{
    const int32_t *row = in->pattern->pair_row, end = begin_of(in, stretch + 1);
    int32_t *lower = lower_of(in, stretch);
    for (int32_t p = begin_of(in, stretch); p < end; p++) {
        const int32_t a = row[2 * (size_t)p];
        lower[row[2 * (size_t)p + 1]]++;
        if (p == 0 || row[2 * (size_t)p - 2] != a) {
            in->first[a] = p;
        }
        if (p + 1 == in->pattern->n_pair || row[2 * (size_t)p + 2] != a) {
            in->count[a] = p + 1; /* where it ends */
        }
    }
}

static void add_counts(const indexer *in)
{
#pragma omp parallel for schedule(static) num_threads(in->n_stretch)
    for (int32_t v = 0; v < in->pattern->n_row; v++) {
        int32_t before = 0;
        for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
            int32_t *lower = lower_of(in, stretch) + v, own = *lower;
            *lower = before;
            before += own;
        }
        in->pattern->n_lower[v] = before;
        in->count[v] += before - in->first[v];
    }
}

/* Pairs ascend in (a, b): row v meets all pairs (x, v) in ascending x, and its pairs (v, y) in
 * ascending y, so every row comes out sorted. */
static void enter_pairs(const indexer *in, int32_t stretch)
{
    const int32_t *row = in->pattern->pair_row, end = begin_of(in, stretch + 1);
    ew_rows *rows = &in->pattern->row_to_pair;
    int32_t *before = lower_of(in, stretch);
    for (int32_t p = begin_of(in, stretch); p < end; p++) {
        const int32_t a = row[2 * (size_t)p], b = row[2 * (size_t)p + 1];
        const size_t at = (size_t)(in->pattern->n_lower[a] + (p - in->first[a]));
        int32_t *upper = rows->item + 2 * ((size_t)rows->begin[a] + at);
        int32_t *lower = rows->item + 2 * ((size_t)rows->begin[b] + (size_t)before[b]++);
        upper[0] = b;
        lower[0] = a;
        upper[1] = lower[1] = p;
    }
}

static ew_status index_rows(const indexer *in)
{
    ew_pattern *pattern = in->pattern;
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        count_pairs(in, stretch);
    }
    add_counts(in);
    EW_TRY(ew_rows_init(&pattern->row_to_pair, pattern->n_row, 2, in->count));
#pragma omp parallel for schedule(static, 1) num_threads(in->n_stretch)
    for (int32_t stretch = 0; stretch < in->n_stretch; stretch++) {
        enter_pairs(in, stretch);
    }
    for (int32_t v = 0; v < pattern->n_row; v++) {
        pattern->row_to_pair.count[v] = in->count[v];
    }
    return EW_OK;
}

ew_status ew_pattern_index(ew_pattern *pattern)
{
    const size_t n = (size_t)pattern->n_row;
    const int threads = ew_threads_for(pattern->n_pair, MIN_PAIRS);
    indexer in = {.pattern = pattern,
                  .n_stretch = threads < MAX_STRETCHES ? threads : MAX_STRETCHES};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&pattern->n_lower, n, sizeof *pattern->n_lower));
    pattern->row_capacity = pattern->n_row;
    EW_TRY_OUT(ew_new_zero(&in.lower, (size_t)in.n_stretch * n, sizeof *in.lower));
    EW_TRY_OUT(ew_new_zero(&in.first, n, sizeof *in.first));
    EW_TRY_OUT(ew_new_zero(&in.count, n, sizeof *in.count));
    EW_TRY_OUT(index_rows(&in));
    pattern->n_live_pair = pattern->n_pair;
out:
    ew_release(in.lower);
    ew_release(in.first);
    ew_release(in.count);
    return status;
}

/* ---- pairs ------------------------------------------------------------------- */

int32_t ew_pattern_pair_between(const ew_pattern *pattern, int32_t a, int32_t b)
{
    const ew_rows *rows = &pattern->row_to_pair;
    if (a < 0 || b < 0 || a >= rows->n_row || b >= rows->n_row) {
        return -1;
    }
    int32_t at = ew_rows_find(rows, a, b);
    return at < 0 ? -1 : rows->item[2 * ((size_t)rows->begin[a] + (size_t)at) + 1];
}

ew_status ew_pattern_open_pair(ew_pattern *pattern, int32_t a, int32_t b, int32_t *pair)
{
    int32_t p = pattern->n_pair;
    if (pattern->pair_hole.n) {
        p = pattern->pair_hole.id[--pattern->pair_hole.n];
    } else {
        if (pattern->n_pair == pattern->pair_capacity) {
            EW_TRY(ew_grow(&pattern->pair_row, &pattern->pair_capacity,
                           (int64_t)pattern->n_pair + 1, 2 * sizeof(int32_t)));
        }
        pattern->n_pair++;
    }
    pattern->pair_row[2 * (size_t)p] = a;
    pattern->pair_row[2 * (size_t)p + 1] = b;
    pattern->n_live_pair++;
    *pair = p;
    return EW_OK;
}

ew_status ew_pattern_add_pair(ew_pattern *pattern, int32_t a, int32_t b, int32_t *pair)
{
    EW_TRY(ew_pattern_open_pair(pattern, a, b, pair));
    EW_TRY(ew_rows_insert(&pattern->row_to_pair, a, (int32_t[2]){b, *pair}));
    EW_TRY(ew_rows_insert(&pattern->row_to_pair, b, (int32_t[2]){a, *pair}));
    pattern->n_lower[b]++;
    return EW_OK;
}

ew_status ew_pattern_remove_pair(ew_pattern *pattern, int32_t pair)
{
    int32_t *end = pattern->pair_row + 2 * (size_t)pair;
    ew_rows_remove(&pattern->row_to_pair, end[0], end[1]);
    ew_rows_remove(&pattern->row_to_pair, end[1], end[0]);
    pattern->n_lower[end[1]]--;
    end[0] = end[1] = -1;
    pattern->n_live_pair--;
    return ew_list_push(&pattern->pair_hole, pair);
}

size_t ew_pattern_bytes(const ew_pattern *pattern)
{
    return ew_rows_bytes(&pattern->row_to_pair) +
           sizeof(int32_t) * ((size_t)pattern->row_capacity + 2 * (size_t)pattern->pair_capacity +
                              (size_t)pattern->pair_hole.capacity);
}
