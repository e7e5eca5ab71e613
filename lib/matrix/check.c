/* A matrix and its pattern in, the first broken rule or the difference of two matrices out. */
#include "matrix/matrix.h"

#include <math.h>
#include <string.h>

/* A diagonal block's asymmetry over its largest entry, above which it is no rounding. */
#define SYMMETRY 1e-12

static bool block_is_finite(const double *block)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        sum += block[i] * 0.0;
    }
    return sum == 0.0;
}

static bool block_is_identity(const double *block)
{
    for (int i = 0; i < 9; i++) {
        if (block[i] != (i % 4 == 0 ? 1.0 : 0.0)) {
            return false;
        }
    }
    return true;
}

static bool block_is_symmetric(const double *block)
{
    double largest = 0.0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(block[i]));
    }
    double skew =
        fmax(fabs(block[1] - block[3]), fmax(fabs(block[2] - block[6]), fabs(block[5] - block[7])));
    return skew <= SYMMETRY * largest;
}

ew_status ew_matrix_check(const ew_matrix *matrix, const ew_pattern *pattern)
{
    if (matrix->n_row != pattern->n_row || matrix->n_pair != pattern->n_pair ||
        matrix->row_capacity < matrix->n_row || matrix->pair_capacity < matrix->n_pair) {
        return ew_fail(EW_MATRIX_SIZE, "matrix: %d rows and %d edges, its pattern has %d and %d",
                       matrix->n_row, matrix->n_pair, pattern->n_row, pattern->n_pair);
    }
    for (int32_t row = 0; row < matrix->n_row; row++) {
        const double *block = matrix->diagonal + 9 * (size_t)row;
        if (!block_is_finite(block)) {
            return ew_fail(EW_MATRIX_VALUE, "matrix: the diagonal block of row %d is not finite",
                           row);
        }
        if (!block_is_symmetric(block)) {
            return ew_fail(EW_MATRIX_SYMMETRY,
                           "matrix: the diagonal block of row %d is not symmetric", row);
        }
        if (pattern->row_to_pair.count[row] == 0 && !block_is_identity(block)) {
            return ew_fail(EW_MATRIX_VALUE,
                           "matrix: row %d has no edges, but its block is not the identity", row);
        }
    }
    for (int32_t edge = 0; edge < matrix->n_pair; edge++) {
        const bool freed = pattern->pair_row[2 * (size_t)edge] < 0;
        if (!freed && !block_is_finite(matrix->pair + 9 * (size_t)edge)) {
            return ew_fail(EW_MATRIX_VALUE, "matrix: the block of edge %d is not finite", edge);
        }
    }
    return EW_OK;
}

size_t ew_matrix_bytes(const ew_matrix *matrix)
{
    return 9 * sizeof(double) * ((size_t)matrix->row_capacity + (size_t)matrix->pair_capacity);
}

/* Null stands for a block of zeros. */
static void compare_block(const double *a, const double *b, int64_t *n_different, double *largest)
{
    static const double zero[9] = {0};
    a = a ? a : zero;
    b = b ? b : zero;
    if (memcmp(a, b, 9 * sizeof *a) == 0) {
        return;
    }
    (*n_different)++;
    for (int i = 0; i < 9; i++) {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= *largest) && !isnan(*largest)) {
            *largest = difference;
        }
    }
}

/* The edges of `a`; those that `b` has too only when `both`. One that `b` lacks is zero there. */
static void compare_edges(const ew_matrix *a, const ew_pattern *pattern_a, const ew_matrix *b,
                          const ew_pattern *pattern_b, bool both, int64_t *n_different,
                          double *largest)
{
    for (int32_t edge = 0; edge < a->n_pair; edge++) {
        const int32_t *row = pattern_a->pair_row + 2 * (size_t)edge;
        int32_t other = row[0] < 0 ? -1 : ew_pattern_pair_between(pattern_b, row[0], row[1]);
        if (row[0] < 0 || (other >= 0 && !both)) {
            continue;
        }
        compare_block(a->pair + 9 * (size_t)edge, other < 0 ? NULL : b->pair + 9 * (size_t)other,
                      n_different, largest);
    }
}

ew_status ew_matrix_compare(const ew_matrix *a, const ew_pattern *pattern_a, const ew_matrix *b,
                            const ew_pattern *pattern_b, int64_t *n_different, double *largest)
{
    if (a->n_row != b->n_row || a->n_row != pattern_a->n_row || b->n_row != pattern_b->n_row) {
        return ew_fail(EW_MATRIX_SIZE,
                       "matrix: one has %d rows, the other %d; their patterns %d and %d", a->n_row,
                       b->n_row, pattern_a->n_row, pattern_b->n_row);
    }
    *n_different = 0;
    *largest = 0.0;
    for (int32_t row = 0; row < a->n_row; row++) {
        compare_block(a->diagonal + 9 * (size_t)row, b->diagonal + 9 * (size_t)row, n_different,
                      largest);
    }
    compare_edges(a, pattern_a, b, pattern_b, true, n_different, largest);
    compare_edges(b, pattern_b, a, pattern_a, false, n_different, largest);
    return EW_OK;
}
