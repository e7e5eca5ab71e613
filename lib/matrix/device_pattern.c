/* A pattern's copy on a device. In: the pattern and what of it changed. Out: an upload's part. */
#include "matrix/parts/matrix.h"

static size_t bytes_of_pairs(const ew_pattern *pattern)
{
    return 2 * sizeof(int32_t) * (size_t)pattern->n_pair;
}

ew_status ew_device_pattern_put(ew_device_pattern *copy, ew_upload *upload,
                                const ew_pattern *pattern, const ew_list *row, const ew_list *pair)
{
    copy->revision = 0;
    copy->device = upload->device;
    copy->n_row = pattern->n_row;
    copy->n_pair = pattern->n_pair;
    EW_TRY(ew_device_rows_put(&copy->row_to_pair, upload, &pattern->row_to_pair, row));
    if (!row) {
        return ew_upload_whole(upload, &copy->pair_row, bytes_of_pairs(pattern), pattern->pair_row);
    }
    EW_TRY(ew_upload_to(upload, &copy->pair_row, pattern->n_pair, 2));
    for (int32_t i = 0; i < pair->n; i++) {
        const int32_t p = pair->id[i];
        EW_TRY(ew_upload_put(upload, p, pattern->pair_row + 2 * (size_t)p));
    }
    return EW_OK;
}

void ew_device_pattern_seal(ew_device_pattern *copy, const ew_pattern *pattern)
{
    copy->revision = pattern->revision;
}

ew_status ew_device_pattern_check(const ew_device_pattern *copy, const ew_pattern *pattern)
{
    if (!copy->revision || copy->revision != pattern->revision) {
        return ew_fail(EW_STALE,
                       "device: its copy of the pattern is at revision %llu, the pattern at %llu; "
                       "update or build it first",
                       (unsigned long long)copy->revision, (unsigned long long)pattern->revision);
    }
    EW_TRY(ew_device_rows_check(&copy->row_to_pair, copy->device, &pattern->row_to_pair,
                                "row_to_pair"));
    return ew_buffer_check(copy->device, &copy->pair_row, bytes_of_pairs(pattern),
                           pattern->pair_row, "pair_row");
}

size_t ew_device_pattern_bytes(const ew_device_pattern *copy)
{
    return ew_device_rows_bytes(&copy->row_to_pair) + copy->pair_row.capacity;
}

void ew_device_pattern_free(ew_device_pattern *copy)
{
    ew_device_rows_free(&copy->row_to_pair);
    ew_buffer_free(&copy->pair_row);
    *copy = (ew_device_pattern){0};
}
