/* Which blocks of a matrix on a device are computed. In: a change. Out: ids in the matrix' upload,
 * for kernels to read there; and the row sums of the rows that were computed. */
#include "assembly/device/device_blocks.h"

/* Naming more than this share of the slots costs more than computing them all. */
static bool is_majority(int32_t n, int32_t all)
{
    return n > all - all / 4;
}

ew_status ew_put_pairs(ew_device_matrix *matrix, const ew_pattern_change *change, int32_t n_pair,
                       ew_block_list *pairs)
{
    *pairs = (ew_block_list){.n = n_pair};
    if (!change || is_majority(change->touched_pair.n, n_pair)) {
        return EW_OK;
    }
    *pairs = (ew_block_list){.n = change->touched_pair.n, .listed = 1};
    return ew_upload_ids(&matrix->upload, change->touched_pair.id, pairs->n, &pairs->first);
}

ew_status ew_put_rows(ew_device_matrix *matrix, const ew_pattern_change *change, int32_t n_row,
                      ew_block_list *rows)
{
    const int32_t n_before = matrix->n_row;
    ew_upload *upload = &matrix->upload;
    uint32_t at;
    *rows = (ew_block_list){.n = n_row};
    if (!change || is_majority(change->touched_row.n, n_row)) {
        return EW_OK;
    }
    const ew_list *touched = &change->touched_row;
    int32_t n_old = touched->n;
    while (n_old > 0 && touched->id[n_old - 1] >= n_before) {
        n_old--;
    }
    *rows = (ew_block_list){.n = n_old + n_row - n_before, .listed = 1};
    EW_TRY(ew_upload_ids(upload, touched->id, n_old, &rows->first));
    for (int32_t row = n_before; row < n_row; row++) {
        EW_TRY(ew_upload_ids(upload, &row, 1, &at));
    }
    return EW_OK;
}

ew_status ew_compute_row_sums(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                              const ew_block_list *list)
{
    const ew_device_rows *rows = &mesh->pattern.row_to_pair;
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(matrix->device, "row_sums", "row_sums", "", &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(list->n),        EW_ARG_VALUE(list->listed),
        EW_ARG_VALUE(list->first),    EW_ARG_BUFFER(&matrix->upload.staging),
        EW_ARG_BUFFER(&rows->begin),  EW_ARG_BUFFER(&rows->count),
        EW_ARG_BUFFER(&rows->item),   EW_ARG_BUFFER(&matrix->diagonal),
        EW_ARG_BUFFER(&matrix->pair), EW_ARG_BUFFER(&matrix->row_sum)};
    return ew_kernel_run(matrix->device, kernel, (size_t)list->n, EW_ASSEMBLY_GROUP, 10, argument);
}
