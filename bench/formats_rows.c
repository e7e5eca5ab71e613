/* CRS and BCRS: compressed rows, scalar and of 3x3 blocks. */
#include "formats.h"

#include <string.h>

typedef struct rows {
    int32_t n_row; /* of blocks */
    int32_t n_tet;
    bool scalar;
    int32_t *begin;  /* owned, [n_row + 1], scalar: [3 n_row + 1] */
    int32_t *column; /* owned */
    double *value;   /* owned, per column 1 or [3][3] */
} rows;

static void release(void *store)
{
    rows *own = store;
    if (own) {
        ew_release(own->begin);
        ew_release(own->column);
        ew_release(own->value);
        ew_release(own);
    }
}

/* One row of blocks to three rows of numbers. */
static void spread_row(rows *own, int32_t row, int32_t n, const int32_t *column,
                       const double *block)
{
    for (int c = 0; c < 3; c++) {
        const int32_t begin = own->begin[3 * (size_t)row + c], end = begin + 3 * n;
        for (int32_t i = 0; i < n; i++) {
            for (int d = 0; d < 3; d++) {
                own->column[begin + 3 * i + d] = 3 * column[i] + d;
                own->value[begin + 3 * i + d] = block[9 * (size_t)i + 3 * c + d];
            }
        }
        own->begin[3 * (size_t)row + c + 1] = end;
    }
}

static ew_status fill_scalar(rows *own, bench_pattern *pattern, const ew_mesh *mesh)
{
    const int64_t n = 9 * (int64_t)pattern->begin[own->n_row];
    double *block;
    if (n > INT32_MAX) {
        return ew_fail(EW_LIMIT, "bench: scalar rows would need more than 2^31-1 numbers");
    }
    EW_TRY(ew_new(&own->begin, 3 * (size_t)own->n_row + 1, sizeof *own->begin));
    EW_TRY(ew_new(&own->column, (size_t)n, sizeof *own->column));
    EW_TRY(ew_new(&own->value, (size_t)n, sizeof *own->value));
    EW_TRY(ew_new(&block, (size_t)pattern->longest, 9 * sizeof *block));
    own->begin[0] = 0;
    for (int32_t row = 0; row < own->n_row; row++) {
        const int32_t begin = pattern->begin[row];
        bench_pattern_fill_row(pattern, mesh, row, block, 9);
        spread_row(own, row, pattern->begin[row + 1] - begin, pattern->column + begin, block);
    }
    ew_release(block);
    return EW_OK;
}

/* Takes over the pattern's own rows. */
static ew_status fill_blocks(rows *own, bench_pattern *pattern, const ew_mesh *mesh)
{
    EW_TRY(ew_new(&own->value, (size_t)pattern->begin[own->n_row], 9 * sizeof *own->value));
    for (int32_t row = 0; row < own->n_row; row++) {
        bench_pattern_fill_row(pattern, mesh, row, own->value + 9 * (size_t)pattern->begin[row], 9);
    }
    own->begin = pattern->begin;
    own->column = pattern->column;
    pattern->begin = pattern->column = NULL;
    return EW_OK;
}

static ew_status build(const ew_mesh *mesh, const ew_materials *materials, bool scalar,
                       void **store)
{
    bench_pattern pattern;
    rows *own = NULL;
    *store = NULL;
    EW_TRY(bench_pattern_build(&pattern, mesh, materials, false));
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&own, 1, sizeof *own));
    own->n_row = pattern.n_row;
    own->n_tet = mesh->n_tet;
    own->scalar = scalar;
    EW_TRY_OUT(scalar ? fill_scalar(own, &pattern, mesh) : fill_blocks(own, &pattern, mesh));
    *store = own;
    own = NULL;
out:
    release(own);
    bench_pattern_free(&pattern);
    return status;
}

static ew_status build_scalar(const ew_mesh *mesh, const ew_materials *materials, void **store)
{
    return build(mesh, materials, true, store);
}

static ew_status build_blocks(const ew_mesh *mesh, const ew_materials *materials, void **store)
{
    return build(mesh, materials, false, store);
}

/* Three sums at once, since columns come in threes: one sum alone would wait for every addition. */
static void multiply_scalar(const void *store, const double *x, double *y)
{
    const rows *own = store;
    const double *value = own->value;
    const int32_t *column = own->column;
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t row = 0; row < 3 * own->n_row; row++) {
        double sum[3] = {0, 0, 0};
        for (int32_t i = own->begin[row]; i < own->begin[row + 1]; i += 3) {
            sum[0] += value[i] * x[column[i]];
            sum[1] += value[i + 1] * x[column[i + 1]];
            sum[2] += value[i + 2] * x[column[i + 2]];
        }
        y[row] = sum[0] + sum[1] + sum[2];
    }
}

static void multiply_blocks(const void *store, const double *x, double *y)
{
    const rows *own = store;
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t row = 0; row < own->n_row; row++) {
        bench_sum sum = {{{0}}, {0}};
        for (int32_t i = own->begin[row]; i < own->begin[row + 1]; i++) {
            bench_add(own->value + 9 * (size_t)i, x + 3 * (size_t)own->column[i], &sum);
        }
        for (int i = 0; i < 3; i++) {
            y[3 * (size_t)row + i] = bench_sum_of(&sum, i);
        }
    }
}

static void take_diagonal(const void *store, double *diagonal)
{
    const rows *own = store;
    const int32_t width = own->scalar ? 3 : 1;
    for (int32_t row = 0; row < 3 * own->n_row; row++) {
        const int32_t c = row % 3, looked_for = own->scalar ? row : row / 3;
        int32_t at = own->begin[own->scalar ? row : row / 3];
        while (own->column[at] + (own->scalar ? c : 0) != looked_for) {
            at += width;
        }
        diagonal[row] =
            own->value[own->scalar ? (size_t)at + (size_t)c : 9 * (size_t)at + 4 * (size_t)c];
    }
}

static void count_bytes(const void *store, size_t *matrix, size_t *with_tables)
{
    const rows *own = store;
    const size_t n_row = (size_t)own->n_row, n_begin = (own->scalar ? 3 : 1) * n_row;
    const size_t n_column = (size_t)own->begin[n_begin];
    *matrix = (n_begin + 1 + n_column) * sizeof(int32_t) +
              n_column * (own->scalar ? 1 : 9) * sizeof(double);
    *with_tables = *matrix + (4 * (size_t)own->n_tet + n_row + 1) * sizeof(int32_t);
}

const bench_format bench_format_crs = {"CRS",         build_scalar, multiply_scalar,
                                       take_diagonal, count_bytes,  release};
const bench_format bench_format_bcrs = {"BCRS",        build_blocks, multiply_blocks,
                                        take_diagonal, count_bytes,  release};
