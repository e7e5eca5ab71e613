/* A matrix and its pattern in, the first broken rule or the difference of two matrices out. */
#include "matrix/parts/matrix.h"

#include <math.h>
#include <string.h>

/* A diagonal block's asymmetry over its largest entry, above which it is no rounding. */
#define SYMMETRY 1e-12

static bool block_is_finite(const double *block, int32_t b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < b * b; i++) {
        sum += block[i] * 0.0;
    }
    return sum == 0.0;
}

static bool block_is_identity(const double *block, int32_t b)
{
    for (int32_t i = 0; i < b * b; i++) {
        if (block[i] != (i % (b + 1) == 0 ? 1.0 : 0.0)) {
            return false;
        }
    }
    return true;
}

static bool block_is_symmetric(const double *block, int32_t b)
{
    double largest = 0.0, skew = 0.0;
    for (int32_t i = 0; i < b * b; i++) {
        largest = fmax(largest, fabs(block[i]));
        skew = fmax(skew, fabs(block[i] - block[i % b * b + i / b]));
    }
    return skew <= SYMMETRY * largest;
}

ew_status ew_matrix_check(const ew_matrix *matrix, const ew_pattern *pattern)
{
    if (matrix->n_row != pattern->n_row || matrix->n_pair != pattern->n_pair ||
        matrix->row_capacity < matrix->n_row ||
        (!matrix->diagonal_only && matrix->pair_capacity < matrix->n_pair)) {
        return ew_fail(EW_MATRIX_SIZE, "matrix: %d rows and %d edges, its pattern has %d and %d",
                       matrix->n_row, matrix->n_pair, pattern->n_row, pattern->n_pair);
    }
    const int32_t b = matrix->block;
    for (int32_t row = 0; row < matrix->n_row; row++) {
        const double *block = matrix->diagonal + (size_t)(b * b) * (size_t)row;
        if (!block_is_finite(block, b)) {
            return ew_fail(EW_MATRIX_VALUE, "matrix: the diagonal block of row %d is not finite",
                           row);
        }
        if (!block_is_symmetric(block, b)) {
            return ew_fail(EW_MATRIX_SYMMETRY,
                           "matrix: the diagonal block of row %d is not symmetric", row);
        }
        /* elsewhere a row may have contributors and no pairs: an aggregate that is a whole body, or
         * the edge of a quadratic tet in a pattern that lists none */
        const int32_t *n_pair = pattern->row_to_pair.count;
        if (b == 3 && n_pair && n_pair[row] == 0 && !block_is_identity(block, b)) {
            return ew_fail(EW_MATRIX_VALUE,
                           "matrix: row %d has no edges, but its block is not the identity", row);
        }
    }
    for (int32_t edge = 0; edge < matrix->n_pair && !matrix->diagonal_only; edge++) {
        const bool freed = pattern->pair_row[2 * (size_t)edge] < 0;
        if (!freed && !block_is_finite(matrix->pair + (size_t)(b * b) * (size_t)edge, b)) {
            return ew_fail(EW_MATRIX_VALUE, "matrix: the block of edge %d is not finite", edge);
        }
    }
    return EW_OK;
}

size_t ew_matrix_bytes(const ew_matrix *matrix)
{
    return (size_t)matrix->block * (size_t)matrix->block * sizeof(double) *
           ((size_t)matrix->row_capacity + (size_t)matrix->pair_capacity);
}

/* Null stands for a block of zeros. */
static void compare_block(const double *a, const double *b, size_t size, int64_t *n_different,
                          double *largest)
{
    if (a && b && memcmp(a, b, size * sizeof *a) == 0) {
        return;
    }
    bool differs = false;
    for (size_t i = 0; i < size; i++) {
        const double x = a ? a[i] : 0.0, y = b ? b[i] : 0.0, difference = fabs(x - y);
        differs = differs || memcmp(&x, &y, sizeof x) != 0;
        if (!(difference <= *largest) && !isnan(*largest)) {
            *largest = difference;
        }
    }
    *n_different += differs;
}

/* The pairs of `a`; those that `b` has too only when `both`. One that `b` lacks is zero there. */
static void compare_pairs(const ew_matrix *a, const ew_pattern *pattern_a, const ew_matrix *b,
                          const ew_pattern *pattern_b, bool both, int64_t *n_different,
                          double *largest)
{
    const size_t size = (size_t)a->block * (size_t)a->block;
    for (int32_t pair = 0; pair < a->n_pair && !a->diagonal_only; pair++) {
        const int32_t *row = pattern_a->pair_row + 2 * (size_t)pair;
        int32_t other = row[0] < 0 ? -1 : ew_pattern_pair_between(pattern_b, row[0], row[1]);
        if (row[0] < 0 || (other >= 0 && !both)) {
            continue;
        }
        compare_block(a->pair + size * (size_t)pair,
                      other < 0 ? NULL : b->pair + size * (size_t)other, size, n_different,
                      largest);
    }
}

ew_status ew_matrix_compare(const ew_matrix *a, const ew_pattern *pattern_a, const ew_matrix *b,
                            const ew_pattern *pattern_b, int64_t *n_different, double *largest)
{
    const size_t size = (size_t)a->block * (size_t)a->block;
    if (a->block != b->block) {
        return ew_fail(EW_MATRIX_SIZE, "matrix: one has blocks of %d x %d, the other of %d x %d",
                       a->block, a->block, b->block, b->block);
    }
    if (a->diagonal_only != b->diagonal_only) {
        return ew_fail(EW_MATRIX_SIZE, "matrix: one stores its diagonal alone, the other all");
    }
    if (a->n_row != b->n_row || a->n_row != pattern_a->n_row || b->n_row != pattern_b->n_row) {
        return ew_fail(EW_MATRIX_SIZE,
                       "matrix: one has %d rows, the other %d; their patterns %d and %d", a->n_row,
                       b->n_row, pattern_a->n_row, pattern_b->n_row);
    }
    *n_different = 0;
    *largest = 0.0;
    for (size_t row = 0; row < (size_t)a->n_row; row++) {
        compare_block(a->diagonal + size * row, b->diagonal + size * row, size, n_different,
                      largest);
    }
    compare_pairs(a, pattern_a, b, pattern_b, true, n_different, largest);
    compare_pairs(b, pattern_b, a, pattern_a, false, n_different, largest);
    return EW_OK;
}
