/* Rows of ids that can be edited. In: counts, then single insertions and removals.
 * Out: sorted rows in one array.
 *
 * Chunks. A chunk of class k has k * EW_ROW_CHUNK items, and a row of n items sits in
 * class ceil(n / EW_ROW_CHUNK), so no capacity is stored. Growing takes a free chunk
 * of exactly the next class, or extends the array, and frees the old one. Shrinking
 * moves to a free chunk of the class below; only when there is none does the row stay
 * and split off its last EW_ROW_CHUNK items as a free chunk of class 1.
 *
 * Why endless editing stays bounded, for n rows of at most K classes: T_k, the number
 * of chunks of class k, rises only when none of them is free, that is up to n, except
 * T_1, which each split also raises by one. T_k falls only by splits of class k, which
 * need all of class k - 1 in use. T_1 never falls; once it has reached n no class-2
 * chunk is ever split, so T_2 stops falling, reaches n at most, and so on upwards: the
 * splits of class k + 1 are at most n more than those of class k, whatever the number
 * of edits. In practice the array stays near the sum of each class' highest use. */
#include "base/base.h"

#include <string.h>

static int32_t class_of(int32_t count)
{
    return (int32_t)(((int64_t)count + EW_ROW_CHUNK - 1) / EW_ROW_CHUNK);
}

static int32_t *item_at(const ew_rows *rows, int32_t index)
{
    return rows->item + (size_t)rows->width * (size_t)index;
}

static void copy_items(const ew_rows *rows, int32_t *to, const int32_t *from, int32_t n)
{
    memmove(to, from, (size_t)n * (size_t)rows->width * sizeof *to);
}

/* Makes the heads of the free lists exist up to class `n`. */
static ew_status extend_classes(ew_rows *rows, int32_t n)
{
    EW_TRY(ew_grow(&rows->free_chunk, &rows->class_capacity, n, sizeof *rows->free_chunk));
    while (rows->n_class < n) {
        rows->free_chunk[rows->n_class++] = -1;
    }
    return EW_OK;
}

static void give_chunk(ew_rows *rows, int32_t class, int32_t begin)
{
    *item_at(rows, begin) = rows->free_chunk[class - 1];
    rows->free_chunk[class - 1] = begin;
}

/* A free chunk of this class, or -1. */
static int32_t take_free_chunk(ew_rows *rows, int32_t class)
{
    int32_t begin = rows->free_chunk[class - 1];
    if (begin >= 0) {
        rows->free_chunk[class - 1] = *item_at(rows, begin);
    }
    return begin;
}

static ew_status take_chunk(ew_rows *rows, int32_t class, int32_t *begin)
{
    EW_TRY(extend_classes(rows, class));
    *begin = take_free_chunk(rows, class);
    if (*begin < 0) {
        int64_t n_item = (int64_t)rows->n_item + (int64_t) class * EW_ROW_CHUNK;
        EW_TRY(ew_grow(&rows->item, &rows->item_capacity, n_item,
                       (size_t)rows->width * sizeof *rows->item));
        *begin = rows->n_item;
        rows->n_item = (int32_t)n_item;
    }
    return EW_OK;
}

static ew_status lay_out(ew_rows *rows, int32_t n_row, const int32_t *count)
{
    EW_TRY(ew_rows_extend(rows, n_row));
    int64_t n_item = 0;
    int32_t largest = 0;
    for (int32_t i = 0; i < n_row; i++) {
        int32_t class = class_of(count[i]);
        rows->begin[i] = class ? (int32_t)n_item : -1;
        n_item += (int64_t) class * EW_ROW_CHUNK;
        if (n_item > INT32_MAX) {
            return ew_fail(EW_LIMIT, "the rows hold more than %d items", INT32_MAX);
        }
        largest = class > largest ? class : largest;
    }
    EW_TRY(extend_classes(rows, largest));
    EW_TRY(ew_new(&rows->item, (size_t)n_item, (size_t)rows->width * sizeof *rows->item));
    rows->n_item = rows->item_capacity = (int32_t)n_item;
    return EW_OK;
}

ew_status ew_rows_init(ew_rows *rows, int32_t n_row, int32_t width, const int32_t *count)
{
    ew_rows fresh = {.width = width};
    ew_status status = lay_out(&fresh, n_row, count);
    if (status) {
        ew_rows_free(&fresh);
        return status;
    }
    *rows = fresh;
    return EW_OK;
}

void ew_rows_free(ew_rows *rows)
{
    ew_release(rows->begin);
    ew_release(rows->count);
    ew_release(rows->item);
    ew_release(rows->free_chunk);
    *rows = (ew_rows){0};
}

ew_status ew_rows_extend(ew_rows *rows, int32_t n_row)
{
    int32_t begin_capacity = rows->row_capacity, count_capacity = rows->row_capacity;
    EW_TRY(ew_grow(&rows->begin, &begin_capacity, n_row, sizeof *rows->begin));
    EW_TRY(ew_grow(&rows->count, &count_capacity, n_row, sizeof *rows->count));
    rows->row_capacity = count_capacity;
    for (; rows->n_row < n_row; rows->n_row++) {
        rows->begin[rows->n_row] = -1;
        rows->count[rows->n_row] = 0;
    }
    return EW_OK;
}

/* First position whose key is not below `key`. */
static int32_t lower_bound(const ew_rows *rows, int32_t row, int32_t key)
{
    int32_t low = 0, high = rows->count[row];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (*item_at(rows, rows->begin[row] + middle) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

ew_status ew_rows_insert(ew_rows *rows, int32_t row, const int32_t *item)
{
    EW_ASSERT(ew_rows_find(rows, row, item[0]) < 0);
    int32_t n = rows->count[row], at = lower_bound(rows, row, item[0]);
    int32_t from = rows->begin[row], to = from;
    if (n % EW_ROW_CHUNK == 0) {
        EW_TRY(take_chunk(rows, class_of(n) + 1, &to));
    }
    if (n > at) {
        copy_items(rows, item_at(rows, to + at + 1), item_at(rows, from + at), n - at);
    }
    if (to != from && n) {
        copy_items(rows, item_at(rows, to), item_at(rows, from), at);
        give_chunk(rows, class_of(n), from);
    }
    copy_items(rows, item_at(rows, to + at), item, 1);
    rows->begin[row] = to;
    rows->count[row] = n + 1;
    return EW_OK;
}

void ew_rows_remove(ew_rows *rows, int32_t row, int32_t key)
{
    int32_t at = ew_rows_find(rows, row, key);
    EW_ASSERT(at >= 0);
    int32_t n = rows->count[row] - 1, class = class_of(n), from = rows->begin[row], to = from;
    bool smaller = n % EW_ROW_CHUNK == 0;
    if (smaller && n) {
        int32_t chunk = take_free_chunk(rows, class);
        to = chunk < 0 ? from : chunk;
    }
    if (to != from) {
        copy_items(rows, item_at(rows, to), item_at(rows, from), at);
    }
    copy_items(rows, item_at(rows, to + at), item_at(rows, from + at + 1), n - at);
    if (smaller && (to != from || !n)) {
        give_chunk(rows, class + 1, from);
    } else if (smaller) {
        give_chunk(rows, 1, from + n);
    }
    rows->begin[row] = n ? to : -1;
    rows->count[row] = n;
}

int32_t ew_rows_find(const ew_rows *rows, int32_t row, int32_t key)
{
    int32_t at = lower_bound(rows, row, key);
    return at < rows->count[row] && *item_at(rows, rows->begin[row] + at) == key ? at : -1;
}

size_t ew_rows_bytes(const ew_rows *rows)
{
    return sizeof(int32_t) * (2 * (size_t)rows->row_capacity + (size_t)rows->class_capacity +
                              (size_t)rows->width * (size_t)rows->item_capacity);
}
