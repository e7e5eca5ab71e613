/* The host's blocks in single precision, for a device without fp64. In: blocks on the host, ids of
 * those that changed. Out: pairs, row sums, and diagonal blocks for the preconditioner. */
#include "assembly/device/device_blocks.h"

#include <math.h>

/* All blocks, narrowed. */
static ew_status send_narrowed(ew_upload *upload, ew_buffer *buffer, const double *value, size_t n)
{
    float *narrow = NULL;
    EW_TRY(ew_new(&narrow, n, sizeof *narrow));
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)value[i];
    }
    const ew_status status = ew_upload_whole(upload, buffer, n * sizeof *narrow, narrow);
    ew_release(narrow);
    return status;
}

static ew_status send_all(ew_device_matrix *matrix, const ew_pattern *pattern,
                          const ew_matrix *host)
{
    const size_t size = 9 * sizeof(float);
    ew_upload *upload = &matrix->upload;
    ew_matrix_single single = {0};
    ew_status status;
    EW_TRY_OUT(ew_matrix_single_copy(&single, host, pattern));
    EW_TRY_OUT(
        ew_upload_whole(upload, &matrix->row_sum, size * (size_t)single.n_row, single.row_sum));
    EW_TRY_OUT(
        ew_upload_whole(upload, &matrix->pair_single, size * (size_t)single.n_pair, single.pair));
    /* the preconditioner's, which finds what is beyond the range of float */
    EW_TRY_OUT(
        send_narrowed(upload, &matrix->diagonal_single, host->diagonal, 9 * (size_t)host->n_row));
out:
    ew_matrix_single_free(&single);
    return status;
}

static ew_status put_block(ew_upload *upload, int32_t id, const double *block)
{
    float narrow[9];
    for (int k = 0; k < 9; k++) {
        narrow[k] = (float)block[k];
        if (!isfinite(narrow[k])) {
            return ew_fail(EW_NOT_FINITE,
                           "device matrix: a stiffness block is beyond the range of single "
                           "precision; use double precision or other units");
        }
    }
    return ew_upload_put(upload, id, narrow);
}

static ew_status put_row_sum(ew_upload *upload, const ew_pattern *pattern, const ew_matrix *host,
                             int32_t row)
{
    double row_sum[9];
    ew_matrix_row_sum(host, pattern, row, row_sum);
    return put_block(upload, row, row_sum);
}

/* The touched rows, and those that are new, touched or not. */
static ew_status put_rows(ew_device_matrix *matrix, const ew_pattern *pattern,
                          const ew_matrix *host, const ew_list *touched)
{
    ew_upload *upload = &matrix->upload;
    int32_t n_old = touched->n;
    while (n_old > 0 && touched->id[n_old - 1] >= matrix->n_row) {
        n_old--;
    }
    EW_TRY(ew_upload_to(upload, &matrix->diagonal_single, host->n_row, 9));
    for (int32_t i = 0; i < n_old; i++) {
        EW_TRY(put_block(upload, touched->id[i], host->diagonal + 9 * (size_t)touched->id[i]));
    }
    for (int32_t row = matrix->n_row; row < host->n_row; row++) {
        EW_TRY(put_block(upload, row, host->diagonal + 9 * (size_t)row));
    }
    EW_TRY(ew_upload_to(upload, &matrix->row_sum, host->n_row, 9));
    for (int32_t i = 0; i < n_old; i++) {
        EW_TRY(put_row_sum(upload, pattern, host, touched->id[i]));
    }
    for (int32_t row = matrix->n_row; row < host->n_row; row++) {
        EW_TRY(put_row_sum(upload, pattern, host, row));
    }
    return EW_OK;
}

static ew_status put_pairs(ew_device_matrix *matrix, const ew_matrix *host, const ew_list *touched)
{
    EW_TRY(ew_upload_to(&matrix->upload, &matrix->pair_single, host->n_pair, 9));
    for (int32_t i = 0; i < touched->n; i++) {
        EW_TRY(put_block(&matrix->upload, touched->id[i], host->pair + 9 * (size_t)touched->id[i]));
    }
    return EW_OK;
}

static bool is_majority(int32_t n, int32_t all)
{
    return n > all / 2;
}

ew_status ew_device_narrow(ew_device_matrix *matrix, const ew_pattern *pattern,
                           const ew_matrix *host, const ew_pattern_change *change)
{
    if (!change || is_majority(change->touched_pair.n, host->n_pair) ||
        is_majority(change->touched_row.n, host->n_row)) {
        return send_all(matrix, pattern, host);
    }
    EW_TRY(put_rows(matrix, pattern, host, &change->touched_row));
    EW_TRY(put_pairs(matrix, host, &change->touched_pair));
    return ew_upload_send(&matrix->upload);
}
