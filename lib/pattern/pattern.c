/* The pattern itself: rows and pairs entered, found and taken out. */
#include "pattern/pattern.h"

void ew_pattern_free(ew_pattern *pattern)
{
    ew_release(pattern->pair_row);
    ew_rows_free(&pattern->row_to_pair);
    ew_release(pattern->n_lower);
    ew_list_free(&pattern->pair_hole);
    *pattern = (ew_pattern){0};
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

/* Pairs ascend in (a, b): row v meets all pairs (x, v) in ascending x before its pairs (v, y) in
 * ascending y, so every row comes out sorted. */
ew_status ew_pattern_index(ew_pattern *pattern)
{
    int32_t *count = NULL;
    EW_TRY(ew_new_zero(&pattern->n_lower, (size_t)pattern->n_row, sizeof *pattern->n_lower));
    pattern->row_capacity = pattern->n_row;
    EW_TRY(ew_new_zero(&count, (size_t)pattern->n_row, sizeof *count));
    for (size_t p = 0; p < (size_t)pattern->n_pair; p++) {
        count[pattern->pair_row[2 * p]]++;
        count[pattern->pair_row[2 * p + 1]]++;
        pattern->n_lower[pattern->pair_row[2 * p + 1]]++;
    }
    ew_status status = ew_rows_init(&pattern->row_to_pair, pattern->n_row, 2, count);
    ew_release(count);
    for (int32_t p = 0; !status && p < pattern->n_pair; p++) {
        int32_t a = pattern->pair_row[2 * (size_t)p], b = pattern->pair_row[2 * (size_t)p + 1];
        ew_rows_append2(&pattern->row_to_pair, a, b, p);
        ew_rows_append2(&pattern->row_to_pair, b, a, p);
    }
    pattern->n_live_pair = pattern->n_pair;
    return status;
}

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
