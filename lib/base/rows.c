/* Rows of ids that can be edited. In: counts, then insertions and removals, one by one or a
 * row at a time. Out: sorted rows in one array.
 *
 * Chunks. A chunk of class k has k * EW_ROW_CHUNK items, and a row of n items sits in
 * class ceil(n / EW_ROW_CHUNK), so no capacity is stored. Growing takes a free chunk of
 * exactly the class needed, or extends the array, and frees the old one. Shrinking moves
 * to a free chunk of the class needed; only when there is none does the row stay and split
 * off what it no longer needs as free chunks of class 1.
 *
 * Why endless editing stays bounded, for n rows of at most K classes: T_k, the number
 * of chunks of class k, rises only when none of them is free, that is up to n, except
 * T_1, which splits also raise, each by less than K. T_k falls only by splits of class k,
 * which need all of the class split to in use. T_1 never falls; once it has reached n
 * nothing is split down to class 1, so no class-2 chunk is split at all, T_2 never falls
 * again, and so on upwards: the number of splits is bounded, whatever the number of
 * edits. In practice the array stays near the sum of each class' highest use. */
#include "base/parts/base.h"

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

ew_status ew_rows_copy(ew_rows *copy, const ew_rows *rows)
{
    const size_t item = (size_t)rows->width * sizeof *rows->item;
    int32_t begin_capacity = copy->row_capacity, count_capacity = copy->row_capacity;
    if (copy->width != rows->width) {
        ew_rows_free(copy);
        begin_capacity = count_capacity = 0;
    }
    EW_TRY(
        ew_grow_copy(&copy->begin, &begin_capacity, rows->begin, rows->n_row, sizeof *copy->begin));
    EW_TRY(
        ew_grow_copy(&copy->count, &count_capacity, rows->count, rows->n_row, sizeof *copy->count));
    copy->row_capacity = count_capacity;
    EW_TRY(ew_grow_copy(&copy->item, &copy->item_capacity, rows->item, rows->n_item, item));
    EW_TRY(ew_grow_copy(&copy->free_chunk, &copy->class_capacity, rows->free_chunk, rows->n_class,
                        sizeof *copy->free_chunk));
    copy->n_row = rows->n_row;
    copy->width = rows->width;
    copy->n_item = rows->n_item;
    copy->n_class = rows->n_class;
    return EW_OK;
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

ew_status ew_rows_reserve(ew_rows *rows, int32_t row, int32_t n)
{
    int32_t count = rows->count[row], from = rows->begin[row], to;
    int64_t wanted = (int64_t)count + n;
    if (wanted > INT32_MAX) {
        return ew_fail(EW_LIMIT, "a row would hold more than %d items", INT32_MAX);
    }
    if (class_of((int32_t)wanted) == class_of(count)) {
        return EW_OK;
    }
    EW_TRY(take_chunk(rows, class_of((int32_t)wanted), &to));
    if (count) {
        copy_items(rows, item_at(rows, to), item_at(rows, from), count);
        give_chunk(rows, class_of(count), from);
    }
    rows->begin[row] = to;
    return EW_OK;
}

/* Cuts the row to its first n items. */
static void shrink(ew_rows *rows, int32_t row, int32_t n)
{
    int32_t class = class_of(n), old = class_of(rows->count[row]), from = rows->begin[row];
    rows->count[row] = n;
    if (class == old) {
        return;
    }
    int32_t to = n ? take_free_chunk(rows, class) : -1;
    if (n && to < 0) {
        for (int32_t k = class; k < old; k++) {
            give_chunk(rows, 1, from + k * EW_ROW_CHUNK);
        }
        return;
    }
    if (n) {
        copy_items(rows, item_at(rows, to), item_at(rows, from), n);
    }
    give_chunk(rows, old, from);
    rows->begin[row] = to;
}

ew_status ew_rows_insert(ew_rows *rows, int32_t row, const int32_t *item)
{
    EW_ASSERT(ew_rows_find(rows, row, item[0]) < 0);
    EW_TRY(ew_rows_reserve(rows, row, 1));
    int32_t at = lower_bound(rows, row, item[0]), n = rows->count[row]++;
    int32_t *place = item_at(rows, rows->begin[row] + at);
    copy_items(rows, place + rows->width, place, n - at);
    copy_items(rows, place, item, 1);
    return EW_OK;
}

void ew_rows_remove(ew_rows *rows, int32_t row, int32_t key)
{
    int32_t at = ew_rows_find(rows, row, key), n = rows->count[row] - 1;
    EW_ASSERT(at >= 0);
    int32_t *place = item_at(rows, rows->begin[row] + at);
    copy_items(rows, place, place + rows->width, n - at);
    shrink(rows, row, n);
}

/* Every item is written and the place moves on behind those that stay: a branch on what goes
 * would be guessed wrong. */
void ew_rows_filter(ew_rows *rows, int32_t row, const uint64_t *gone)
{
    int32_t width = rows->width, n = rows->count[row], kept = 0;
    int32_t *item = n ? item_at(rows, rows->begin[row]) : NULL;
    for (int32_t i = 0; i < n; i++) {
        const int32_t *from = item + (size_t)width * (size_t)i;
        int32_t *to = item + (size_t)width * (size_t)kept, id = from[width - 1];
        to[0] = from[0];
        to[width - 1] = id;
        kept += !(gone[(uint32_t)id / 64] >> ((uint32_t)id % 64) & 1u);
    }
    shrink(rows, row, kept);
}

/* Chunks' first items lie anywhere, so they are asked for ahead. */
void ew_rows_clear(ew_rows *rows, const int32_t *row, int32_t n)
{
    enum { AHEAD = 16 };
    int32_t *const begin = rows->begin, *const count = rows->count;
    for (int32_t i = 0; i < n; i++) {
        if (i + AHEAD < n && count[row[i + AHEAD]]) {
            EW_PREFETCH(item_at(rows, begin[row[i + AHEAD]]));
        }
        if (count[row[i]]) {
            give_chunk(rows, class_of(count[row[i]]), begin[row[i]]);
            count[row[i]] = 0;
            begin[row[i]] = -1;
        }
    }
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
