/* The five matrix formats that are compared: one interface, so that each is built from the same
 * mesh, timed on the same product and iterated by the same conjugate gradients.
 *
 *   CSM   3x3 blocks in a linked list per row, full matrix
 *   SSM   3x3 blocks in a linked list per row, diagonal and upper half
 *   CRS   scalar compressed rows, full matrix
 *   BCRS  compressed rows of 3x3 blocks, full matrix
 *   DEM   ours: ew_topology and ew_matrix
 *
 * Each is written as its own advocate would: the first four find their pattern by counting, with
 * sorted columns, lay everything out in the order in which the product reads it (the lists too, so
 * that following one is a jump through memory), and fill row by row from gradients computed once
 * per tet. All take the element formulas of kernels/tet.h. */
#ifndef EW_BENCH_FORMATS_H
#define EW_BENCH_FORMATS_H

#include "assembly/parts/assembly.h"
#include "element/parts/element.h"

typedef struct bench_format {
    const char *name;
    /* *store: opaque, owned by the caller; null on failure. */
    ew_status (*build)(const ew_mesh *mesh, const ew_materials *materials, void **store);
    void (*multiply)(const void *store, const double *x, double *y); /* [n_row][3] */
    void (*take_diagonal)(const void *store, double *diagonal);      /* [n_row][3] */
    /* What a product needs, and with the tables that local recomputation needs besides. */
    void (*count_bytes)(const void *store, size_t *matrix, size_t *with_tables);
    void (*release)(void *store);
} bench_format;

extern const bench_format bench_format_csm, bench_format_ssm, bench_format_crs, bench_format_bcrs,
    bench_format_dem;

/* ---- what the first four share (formats_pattern.c) --------------------- */

/* Block rows with ascending columns, and the tets of each row. */
typedef struct bench_pattern {
    int32_t n_row;
    bool upper;             /* columns >= row only */
    int32_t *begin;         /* [n_row + 1] owned */
    int32_t *column;        /* [begin[n_row]] owned */
    int32_t *tet_begin;     /* [n_row + 1] owned */
    int32_t *tet;           /* [tet_begin[n_row]] owned, ascending in each row */
    int32_t *mark;          /* [n_row] owned: working space */
    int32_t longest;        /* blocks in the longest row */
    double (*gradient)[14]; /* [n_tet] owned: 4 gradients, V lambda, V mu */
} bench_pattern;
ew_status bench_pattern_build(bench_pattern *pattern, const ew_mesh *mesh,
                              const ew_materials *materials, bool upper);
void bench_pattern_free(bench_pattern *pattern);
/* Computes a row's blocks, the i-th of them at block + stride * i. */
void bench_pattern_fill_row(bench_pattern *pattern, const ew_mesh *mesh, int32_t row, double *block,
                            size_t stride);

/* ---- 3x3 products ------------------------------------------------------ */

/* Two doubles side by side (GCC and Clang vector extension), as in lib/matrix/product.c. */
typedef double bench_two __attribute__((vector_size(16)));

/* A row's sum: columns 0 and 1 of each component apart until the row ends. */
typedef struct bench_sum {
    bench_two part[3];
    double last[3];
} bench_sum;

static inline bench_two bench_load(const double *from)
{
    bench_two value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

/* sum += K x */
static inline void bench_add(const double *k, const double *x, bench_sum *sum)
{
    const bench_two xy = bench_load(x);
    for (int i = 0; i < 3; i++) {
        sum->part[i] += bench_load(k + 3 * i) * xy;
        sum->last[i] += k[3 * i + 2] * x[2];
    }
}

/* y += K^T x */
static inline void bench_add_transposed(const double *k, const double *x, double *y)
{
    bench_two xy = bench_load(y);
    for (int i = 0; i < 3; i++) {
        const bench_two both = {x[i], x[i]};
        xy += bench_load(k + 3 * i) * both;
        y[2] += k[3 * i + 2] * x[i];
    }
    __builtin_memcpy(y, &xy, sizeof xy);
}

static inline double bench_sum_of(const bench_sum *sum, int i)
{
    return sum->part[i][0] + sum->part[i][1] + sum->last[i];
}

#endif
