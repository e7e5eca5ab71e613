/* The memory of a matrix on a device and its state, and its blocks back on the host. */
#include "matrix/parts/matrix.h"

ew_status ew_device_matrix_reserve(ew_device_matrix *matrix, const ew_device_pattern *pattern)
{
    ew_device *device = matrix->device;
    const size_t size = (size_t)matrix->block * (size_t)matrix->block;
    const size_t rows = size * (size_t)pattern->n_row;
    const size_t pairs = matrix->diagonal_only ? 0 : size * (size_t)pattern->n_pair;
    if (matrix->has_double) {
        EW_TRY(ew_buffer_reserve(device, &matrix->diagonal, rows * sizeof(double)));
        EW_TRY(ew_buffer_reserve(device, &matrix->pair, pairs * sizeof(double)));
    } else {
        EW_TRY(ew_buffer_reserve(device, &matrix->diagonal_single, rows * sizeof(float)));
    }
    if (matrix->has_single) {
        EW_TRY(ew_buffer_reserve(device, &matrix->row_sum, rows * sizeof(float)));
        EW_TRY(ew_buffer_reserve(device, &matrix->pair_single, pairs * sizeof(float)));
    }
    return EW_OK;
}

ew_status ew_device_matrix_need_current(const ew_device_matrix *matrix,
                                        const ew_device_pattern *pattern)
{
    if (!matrix->revision || matrix->revision != pattern->revision ||
        matrix->n_row != pattern->n_row || matrix->n_pair != pattern->n_pair) {
        return ew_fail(EW_STALE,
                       "device matrix: its %d rows and %d pairs are at revision %llu, the "
                       "pattern's %d and %d there at %llu; revalidate or build it first",
                       matrix->n_row, matrix->n_pair, (unsigned long long)matrix->revision,
                       pattern->n_row, pattern->n_pair, (unsigned long long)pattern->revision);
    }
    return EW_OK;
}

size_t ew_device_matrix_bytes(const ew_device_matrix *matrix)
{
    return matrix->diagonal.capacity + matrix->pair.capacity + matrix->row_sum.capacity +
           matrix->pair_single.capacity + matrix->diagonal_single.capacity +
           matrix->kind_constants.capacity + matrix->upload.staging.capacity;
}

void ew_device_matrix_free(ew_device_matrix *matrix)
{
    ew_buffer_free(&matrix->diagonal);
    ew_buffer_free(&matrix->pair);
    ew_buffer_free(&matrix->row_sum);
    ew_buffer_free(&matrix->pair_single);
    ew_buffer_free(&matrix->diagonal_single);
    ew_buffer_free(&matrix->kind_constants);
    ew_upload_free(&matrix->upload);
    *matrix = (ew_device_matrix){0};
}

ew_status ew_device_matrix_need_precision(const ew_device_matrix *matrix, bool single)
{
    return (single ? matrix->has_single : matrix->has_double)
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT,
                         "device matrix: it has no blocks in %s precision; build it with them",
                         single ? "single" : "double");
}

ew_status ew_device_matrix_download(const ew_device_matrix *device, ew_matrix *matrix)
{
    EW_TRY(ew_device_matrix_need_precision(device, false));
    if (!device->revision) {
        return ew_fail(EW_STALE, "device matrix: its blocks are not valid; build it again");
    }
    const size_t size = (size_t)device->block * (size_t)device->block * sizeof(double);
    const ew_pattern shape = {.n_row = device->n_row, .n_pair = device->n_pair};
    matrix->revision = 0;
    EW_TRY(ew_matrix_reserve(matrix, &shape, device->block, device->diagonal_only));
    EW_TRY(ew_buffer_read(device->device, &device->diagonal, 0, size * (size_t)device->n_row,
                          matrix->diagonal));
    if (!device->diagonal_only) {
        EW_TRY(ew_buffer_read(device->device, &device->pair, 0, size * (size_t)device->n_pair,
                              matrix->pair));
    }
    matrix->n_row = device->n_row;
    matrix->n_pair = device->n_pair;
    matrix->revision = device->revision;
    matrix->n_constants = device->n_constants;
    matrix->constants = device->constants;
    return EW_OK;
}
