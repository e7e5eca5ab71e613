/* Copies of rows on a device, and checks of copies. In: tables and what of them changed. Out: the
 * same on the device, or the first difference. */
#include "device/parts/device.h"

#include <string.h>

static size_t words(int64_t n)
{
    return sizeof(int32_t) * (size_t)n;
}

static ew_status put_all(ew_device_rows *copy, ew_upload *upload, const ew_rows *rows)
{
    EW_TRY(ew_upload_whole(upload, &copy->begin, words(rows->n_row), rows->begin));
    EW_TRY(ew_upload_whole(upload, &copy->count, words(rows->n_row), rows->count));
    return ew_upload_whole(upload, &copy->item, words((int64_t)rows->width * rows->n_item),
                           rows->item);
}

ew_status ew_device_rows_put(ew_device_rows *copy, ew_upload *upload, const ew_rows *rows,
                             const ew_list *row)
{
    if (!row) {
        return put_all(copy, upload, rows);
    }
    EW_TRY(ew_upload_to(upload, &copy->begin, rows->n_row, 1));
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_upload_put(upload, row->id[i], rows->begin + row->id[i]));
    }
    EW_TRY(ew_upload_to(upload, &copy->count, rows->n_row, 1));
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(ew_upload_put(upload, row->id[i], rows->count + row->id[i]));
    }
    EW_TRY(ew_upload_to(upload, &copy->item, rows->n_item, rows->width));
    for (int32_t i = 0; i < row->n; i++) {
        const int32_t begin = rows->begin[row->id[i]];
        for (int32_t at = begin; at < begin + rows->count[row->id[i]]; at++) {
            EW_TRY(ew_upload_put(upload, at, rows->item + (size_t)rows->width * (size_t)at));
        }
    }
    return EW_OK;
}

size_t ew_device_rows_bytes(const ew_device_rows *copy)
{
    return copy->begin.capacity + copy->count.capacity + copy->item.capacity;
}

void ew_device_rows_free(ew_device_rows *copy)
{
    ew_buffer_free(&copy->begin);
    ew_buffer_free(&copy->count);
    ew_buffer_free(&copy->item);
}

/* ---- checks -------------------------------------------------------------- */

static ew_status fail_copy(const char *array, size_t at)
{
    return ew_fail(EW_DEVICE_COPY,
                   "device: %s differs from the host's at word %zu; build the copy again", array,
                   at);
}

ew_status ew_buffer_check(ew_device *device, const ew_buffer *buffer, size_t bytes,
                          const void *expected, const char *array)
{
    uint32_t *word = NULL;
    size_t at = 0;
    if (!bytes) {
        return EW_OK;
    }
    EW_TRY(ew_new(&word, bytes / sizeof *word, sizeof *word));
    ew_status status = ew_buffer_read(device, buffer, 0, bytes, word);
    if (!status && memcmp(word, expected, bytes)) {
        while (!memcmp(word + at, (const uint32_t *)expected + at, sizeof *word)) {
            at++;
        }
        status = fail_copy(array, at);
    }
    ew_release(word);
    return status;
}

/* Unused parts of the rows' chunks may differ. */
static ew_status compare_items(const ew_rows *rows, const int32_t *item, const char *table)
{
    for (int32_t row = 0; row < rows->n_row; row++) {
        const size_t at = (size_t)rows->width * (size_t)(rows->count[row] ? rows->begin[row] : 0);
        const size_t n = (size_t)rows->width * (size_t)rows->count[row];
        if (n && memcmp(item + at, rows->item + at, words((int64_t)n))) {
            return fail_copy(table, at);
        }
    }
    return EW_OK;
}

ew_status ew_device_rows_check(const ew_device_rows *copy, ew_device *device, const ew_rows *rows,
                               const char *table)
{
    const int64_t n = (int64_t)rows->width * rows->n_item;
    int32_t *item = NULL;
    EW_TRY(ew_buffer_check(device, &copy->begin, words(rows->n_row), rows->begin, table));
    EW_TRY(ew_buffer_check(device, &copy->count, words(rows->n_row), rows->count, table));
    EW_TRY(ew_new(&item, (size_t)n + 1, sizeof *item));
    ew_status status = n ? ew_buffer_read(device, &copy->item, 0, words(n), item) : EW_OK;
    if (!status) {
        status = compare_items(rows, item, table);
    }
    ew_release(item);
    return status;
}
