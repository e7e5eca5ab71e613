/* The blocks of the matrix that the direct solver factors. In: a stiffness, constraints, rows that
 * changed. Out: A = P K P + s (I - P) block by block, and what a change has added to each. */
#include "solver/direct/cholesky.h"

#include <math.h>
#include <string.h>

/* ---- the filter ----------------------------------------------------------- */

/* P of a row; false where nothing is prescribed. */
static bool projector(const cholesky_blocks *blocks, const cholesky_source *from, int32_t row,
                      double p[9])
{
    const uint8_t bits = from->fixed[row] & 7;
    const int32_t place = from->oblique ? blocks->oblique[row] : 0;
    for (int i = 0; i < 9; i++) {
        p[i] = i % 4 == 0 ? 1.0 : 0.0;
    }
    if (!bits && !place) {
        return false;
    }
    for (int k = 0; place && k < 2; k++) {
        const double *n = from->oblique->normal + 6 * (size_t)(place - 1) + 3 * (size_t)k;
        for (int i = 0; i < 9; i++) {
            p[i] -= n[i / 3] * n[i % 3];
        }
    }
    for (int i = 0; i < 9; i++) {
        p[i] = (bits >> i / 3 | bits >> i % 3) & 1 ? 0.0 : p[i];
    }
    return true;
}

static void multiply(const double a[9], const double b[9], double c[9])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

/* P K P + s (I - P), with equal halves. */
static void filter_diagonal(const cholesky_blocks *blocks, const cholesky_source *from, int32_t row,
                            double block[9])
{
    double p[9], left[9], both[9];
    memcpy(both, from->matrix->diagonal + 9 * (size_t)row, sizeof both);
    if (projector(blocks, from, row, p)) {
        multiply(p, from->matrix->diagonal + 9 * (size_t)row, left);
        multiply(left, p, both);
        for (int i = 0; i < 9; i++) {
            both[i] += blocks->scale * ((i % 4 == 0 ? 1.0 : 0.0) - p[i]);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            block[3 * i + j] = 0.5 * (both[3 * i + j] + both[3 * j + i]);
        }
    }
}

static void filter_pair(const cholesky_blocks *blocks, const cholesky_source *from, int32_t pair,
                        double block[9])
{
    const int32_t *row = from->pattern->pair_row + 2 * (size_t)pair;
    double p[9], left[9];
    memcpy(left, from->matrix->pair + 9 * (size_t)pair, sizeof left);
    if (projector(blocks, from, row[0], p)) {
        multiply(p, from->matrix->pair + 9 * (size_t)pair, left);
    }
    if (projector(blocks, from, row[1], p)) {
        multiply(left, p, block);
    } else {
        memcpy(block, left, sizeof left);
    }
}

/* Mean diagonal entry of the rows that are not prescribed altogether. */
static double mean_diagonal(const cholesky_source *from)
{
    double sum = 0.0;
    int64_t n = 0;
    for (int32_t row = 0; row < from->pattern->n_row; row++) {
        const double *k = from->matrix->diagonal + 9 * (size_t)row;
        if (from->fixed[row] != 7) {
            sum += k[0] + k[4] + k[8];
            n += 3;
        }
    }
    return sum > 0.0 && isfinite(sum) ? sum / (double)n : 1.0;
}

/* ---- all of them ------------------------------------------------------------- */

static ew_status make_room(cholesky_blocks *blocks, const ew_pattern *pattern)
{
    EW_TRY(ew_grow(&blocks->diagonal, &blocks->row_capacity, pattern->n_row, 9 * sizeof(double)));
    EW_TRY(ew_grow(&blocks->oblique, &blocks->oblique_capacity, pattern->n_row, sizeof(int32_t)));
    return ew_grow(&blocks->pair, &blocks->pair_capacity, pattern->n_pair, 9 * sizeof(double));
}

static void find_oblique(cholesky_blocks *blocks, const cholesky_source *from)
{
    memset(blocks->oblique, 0, (size_t)from->pattern->n_row * sizeof *blocks->oblique);
    for (int32_t k = 0; from->oblique && k < from->oblique->n; k++) {
        const int32_t row = from->oblique->row[k];
        blocks->oblique[row] = from->fixed[row] & EW_OBLIQUE ? k + 1 : 0;
    }
}

ew_status cholesky_blocks_build(cholesky_blocks *blocks, const cholesky_source *from)
{
    const ew_pattern *pattern = from->pattern;
    const int32_t n = pattern->n_row;
    EW_TRY(make_room(blocks, pattern));
    ew_rows_free(&blocks->item);
    EW_TRY(ew_rows_init(&blocks->item, n, 2, pattern->row_to_pair.count));
    blocks->n_row = n;
    blocks->scale = mean_diagonal(from);
    find_oblique(blocks, from);
    for (int32_t row = 0; row < n; row++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(pattern, row, &count);
        filter_diagonal(blocks, from, row, blocks->diagonal + 9 * (size_t)row);
        for (int32_t i = 0; i < count; i++) {
            const int32_t pair = item[2 * i + 1];
            ew_rows_append2(&blocks->item, row, item[2 * i], pair);
            if (row < item[2 * i]) {
                filter_pair(blocks, from, pair, blocks->pair + 9 * (size_t)pair);
            }
        }
    }
    return EW_OK;
}

void cholesky_blocks_free(cholesky_blocks *blocks)
{
    ew_rows_free(&blocks->item);
    ew_release(blocks->diagonal);
    ew_release(blocks->pair);
    ew_release(blocks->oblique);
    *blocks = (cholesky_blocks){0};
}

/* ---- a change of some ---------------------------------------------------------- */

void cholesky_difference_free(cholesky_difference *difference)
{
    ew_map_free(&difference->place);
    ew_release(difference->block);
    *difference = (cholesky_difference){0};
}

/* Adds factor times the block of rows a and b. */
static ew_status add(cholesky_difference *difference, int32_t a, int32_t b, double factor,
                     const double block[9])
{
    int32_t place;
    EW_TRY(ew_grow(&difference->block, &difference->capacity, (int64_t)difference->place.n + 1,
                   9 * sizeof(double)));
    EW_TRY(ew_map_enter(&difference->place, a < b ? a : b, a < b ? b : a, -1, difference->place.n,
                        &place));
    if (place < 0) {
        place = difference->place.n - 1;
        memset(difference->block + 9 * (size_t)place, 0, 9 * sizeof(double));
    }
    for (int i = 0; i < 9; i++) {
        difference->block[9 * (size_t)place + (size_t)i] += factor * block[i];
    }
    return EW_OK;
}

/* A pair of two rows of the set is met twice: it counts from the lower one. */
static bool is_of(const ew_set *set, int32_t row, int32_t other)
{
    return row < other || !ew_set_has(set, other);
}

static ew_status take_out(cholesky_blocks *blocks, const ew_set *set, int32_t row,
                          cholesky_difference *difference)
{
    EW_TRY(add(difference, row, row, -1.0, blocks->diagonal + 9 * (size_t)row));
    const ew_rows *rows = &blocks->item;
    for (int32_t i = 0; i < rows->count[row]; i++) {
        const int32_t *item = rows->item + 2 * ((size_t)rows->begin[row] + (size_t)i);
        const int32_t other = item[0];
        if (is_of(set, row, other)) {
            EW_TRY(add(difference, row, other, -1.0, blocks->pair + 9 * (size_t)item[1]));
        }
        if (!ew_set_has(set, other)) {
            ew_rows_remove(&blocks->item, other, row);
        }
    }
    return EW_OK;
}

static ew_status bring_in(cholesky_blocks *blocks, const cholesky_source *from, const ew_set *set,
                          int32_t row, cholesky_difference *difference)
{
    int32_t count;
    const int32_t *item = ew_pattern_items(from->pattern, row, &count);
    double *diagonal = blocks->diagonal + 9 * (size_t)row;
    filter_diagonal(blocks, from, row, diagonal);
    EW_TRY(add(difference, row, row, 1.0, diagonal));
    for (int32_t i = 0; i < count; i++, item += 2) {
        double *block = blocks->pair + 9 * (size_t)item[1];
        EW_TRY(ew_rows_insert(&blocks->item, row, item));
        if (is_of(set, row, item[0])) {
            filter_pair(blocks, from, item[1], block);
            EW_TRY(add(difference, row, item[0], 1.0, block));
        }
        if (!ew_set_has(set, item[0])) {
            EW_TRY(ew_rows_insert(&blocks->item, item[0], (const int32_t[2]){row, item[1]}));
        }
    }
    return EW_OK;
}

/* New rows are in the factor without contributors. */
static ew_status extend(cholesky_blocks *blocks, const ew_pattern *pattern)
{
    EW_TRY(make_room(blocks, pattern));
    EW_TRY(ew_rows_extend(&blocks->item, pattern->n_row));
    for (; blocks->n_row < pattern->n_row; blocks->n_row++) {
        for (int i = 0; i < 9; i++) {
            blocks->diagonal[9 * (size_t)blocks->n_row + (size_t)i] =
                i % 4 == 0 ? blocks->scale : 0.0;
        }
    }
    return EW_OK;
}

ew_status cholesky_blocks_update(cholesky_blocks *blocks, const cholesky_source *from,
                                 const ew_set *row, cholesky_difference *difference)
{
    const ew_list *list = &row->list;
    ew_map_clear(&difference->place);
    EW_TRY(extend(blocks, from->pattern));
    find_oblique(blocks, from);
    /* All old blocks before the first new one: slots of pairs may have been taken again. */
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(take_out(blocks, row, list->id[i], difference));
    }
    ew_rows_clear(&blocks->item, list->id, list->n);
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(bring_in(blocks, from, row, list->id[i], difference));
    }
    return EW_OK;
}
