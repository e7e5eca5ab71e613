/* Y = K X for several vectors side by side: blocks, pattern and X in, Y out. Rows are cut into the
 * chunks of product.c, and each column is summed in its order, so that it has the bits of that
 * product; but a block is read once for all columns, and one instruction serves four of them. */
#include "matrix/parts/matrix.h"

#include <string.h>

#define PREFETCH_AHEAD 24 /* blocks */
#define INLINE         static inline __attribute__((always_inline))

typedef double columns __attribute__((vector_size(8 * EW_COLUMNS), aligned(8), may_alias));

/* A row's y while it is summed: the columns of blocks still apart. */
typedef struct row_sum {
    columns part[3][3];
} row_sum;

/* sum += K x */
INLINE void add(const double *k, const columns *x, row_sum *sum)
{
    for (int i = 0; i < 3; i++) {
        for (int c = 0; c < 3; c++) {
            sum->part[i][c] += k[3 * i + c] * x[c];
        }
    }
}

/* y += K^T x */
INLINE void add_transposed(const double *k, const columns *x, columns *y)
{
    for (int c = 0; c < 3; c++) {
        y[c] += (k[c] * x[0] + k[3 + c] * x[1]) + k[6 + c] * x[2];
    }
}

/* One row of the chunk [begin, end), as multiply_row of product.c. */
INLINE void multiply_row(const double *edge, const double *diagonal, const ew_pattern *pattern,
                         int32_t row, int32_t begin, int32_t end, const columns *x, columns *y)
{
    const ew_rows *rows = &pattern->row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
    const int32_t *upper = item + 2 * (size_t)pattern->n_lower[row];
    const int32_t *last = item + 2 * (size_t)rows->count[row];
    const columns xa[3] = {x[3 * (size_t)row], x[3 * (size_t)row + 1], x[3 * (size_t)row + 2]};
    columns *ya = y + 3 * (size_t)row;
    row_sum sum = {{{{0.0}}}};
    for (const int32_t *at = upper; at < last; at += 2) {
        const double *k = edge + 9 * (size_t)at[1];
        /* harmless beyond the end */
        EW_PREFETCH((const void *)((uintptr_t)k + 72 * PREFETCH_AHEAD));
        add(k, x + 3 * (size_t)at[0], &sum);
        if (at[0] < end) {
            add_transposed(k, xa, y + 3 * (size_t)at[0]);
        }
    }
    for (; item < upper && item[0] < begin; item += 2) {
        add_transposed(edge + 9 * (size_t)item[1], x + 3 * (size_t)item[0], ya);
    }
    add(diagonal + 9 * (size_t)row, xa, &sum);
    for (int i = 0; i < 3; i++) {
        ya[i] += (sum.part[i][0] + sum.part[i][1]) + sum.part[i][2];
    }
}

INLINE void multiply_chunk(const ew_matrix *matrix, const ew_pattern *pattern, int32_t begin,
                           int32_t end, const double *x, double *y)
{
    const double *edge = matrix->pair, *diagonal = matrix->diagonal;
    const size_t row = 3 * EW_COLUMNS;
    memset(y + row * (size_t)begin, 0, row * (size_t)(end - begin) * sizeof *y);
    for (int32_t i = begin; i < end; i++) {
        multiply_row(edge, diagonal, pattern, i, begin, end, (const columns *)x, (columns *)y);
    }
}

/* One text, compiled for each kind of machine. */
static void multiply_any(const ew_matrix *matrix, const ew_pattern *pattern, int32_t begin,
                         int32_t end, const double *x, double *y)
{
    multiply_chunk(matrix, pattern, begin, end, x, y);
}

#if defined(__x86_64__) && !defined(EW_PORTABLE)
#define EW_WIDE
__attribute__((target("avx2"))) static void multiply_wide(const ew_matrix *matrix,
                                                          const ew_pattern *pattern, int32_t begin,
                                                          int32_t end, const double *x, double *y)
{
    multiply_chunk(matrix, pattern, begin, end, x, y);
}
#endif

void ew_matrix_columns_product_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                       const double *x, double *y)
{
    const int64_t n_row = matrix->n_row, n_chunk = ew_matrix_product_chunks(matrix->n_row);
    void (*multiply_rows)(const ew_matrix *, const ew_pattern *, int32_t, int32_t, const double *,
                          double *) = multiply_any;
#ifdef EW_WIDE
    if (__builtin_cpu_supports("avx2")) {
        multiply_rows = multiply_wide;
    }
#endif
#pragma omp for schedule(static)
    for (int64_t chunk = 0; chunk < n_chunk; chunk++) {
        multiply_rows(matrix, pattern, (int32_t)(n_row * chunk / n_chunk),
                      (int32_t)(n_row * (chunk + 1) / n_chunk), x, y);
    }
}
