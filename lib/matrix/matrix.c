/* A matrix' memory and its state. */
#include "matrix/parts/matrix.h"

ew_status ew_matrix_reserve(ew_matrix *matrix, const ew_pattern *pattern, int32_t block,
                            bool diagonal_only)
{
    const size_t size = (size_t)block * (size_t)block * sizeof(double);
    if (matrix->block != block || matrix->diagonal_only != diagonal_only) {
        ew_matrix_free(matrix);
        matrix->block = block;
        matrix->diagonal_only = diagonal_only;
    }
    EW_TRY(ew_grow(&matrix->diagonal, &matrix->row_capacity, pattern->n_row, size));
    return diagonal_only ? EW_OK
                         : ew_grow(&matrix->pair, &matrix->pair_capacity, pattern->n_pair, size);
}

ew_status ew_matrix_need_current(const ew_matrix *matrix, const ew_pattern *pattern)
{
    if (!matrix->revision || matrix->revision != pattern->revision ||
        matrix->n_row != pattern->n_row || matrix->n_pair != pattern->n_pair) {
        return ew_fail(
            EW_STALE,
            "matrix: its %d rows and %d pairs are at revision %llu, the pattern's %d and "
            "%d at %llu; revalidate or build it first",
            matrix->n_row, matrix->n_pair, (unsigned long long)matrix->revision, pattern->n_row,
            pattern->n_pair, (unsigned long long)pattern->revision);
    }
    return EW_OK;
}

void ew_matrix_free(ew_matrix *matrix)
{
    ew_release(matrix->diagonal);
    ew_release(matrix->pair);
    *matrix = (ew_matrix){0};
}

ew_status ew_matrix_copy(ew_matrix *copy, const ew_matrix *matrix)
{
    const size_t size = (size_t)matrix->block * (size_t)matrix->block * sizeof(double);
    copy->revision = 0;
    if (copy->block != matrix->block || copy->diagonal_only != matrix->diagonal_only) {
        ew_matrix_free(copy);
    }
    EW_TRY(
        ew_grow_copy(&copy->diagonal, &copy->row_capacity, matrix->diagonal, matrix->n_row, size));
    EW_TRY(matrix->diagonal_only ? EW_OK
                                 : ew_grow_copy(&copy->pair, &copy->pair_capacity, matrix->pair,
                                                matrix->n_pair, size));
    copy->block = matrix->block;
    copy->diagonal_only = matrix->diagonal_only;
    copy->n_row = matrix->n_row;
    copy->n_pair = matrix->n_pair;
    copy->n_constants = matrix->n_constants;
    copy->constants = matrix->constants;
    copy->revision = matrix->revision;
    return EW_OK;
}
