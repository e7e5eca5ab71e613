/* y = K x: blocks, graph and x in, y out. Rows are cut into fixed chunks, one thread each. Within a
 * chunk an edge's block is read once and serves both its rows; an edge between chunks is read by
 * both. The cut depends on the number of rows alone, so the sums do not depend on the threads. */
#include "matrix/matrix.h"

#include <string.h>

/* 2^k chunks for 40 * 8^k rows: in a well numbered mesh of n rows the edges between two chunks
 * number about n^(2/3), so a chunk is then a few such layers thick and few blocks are read twice.
 */
#define LAYERS      40
#define MOST_CHUNKS 64
/* Below this many rows a team of threads costs more than it saves. */
#define LEAST_PARALLEL_ROWS 2000
/* Edges in ascending row order lie almost one after the other; the hardware's prefetcher alone
 * loses them at the end of every row. In blocks, about 2 kB ahead. */
#define PREFETCH_AHEAD 24

/* Two doubles side by side (GCC and Clang vector extension): half the instructions of scalar code
 * on every machine that has SSE2 or NEON. */
typedef double two __attribute__((vector_size(16)));
typedef float two_single __attribute__((vector_size(8)));

/* A block's rows: columns 0 and 1 side by side, column 2 apart. */
typedef struct block {
    two row[3];
    double last[3];
} block;

/* A vector of three. */
typedef struct three {
    two xy;
    double z;
} three;

/* A row's y while it is summed: columns 0 and 1 of each component still apart. */
typedef struct row_sum {
    two part[3];
    double last[3];
} row_sum;

/* What a product reads: double or single blocks; the other two are null. */
typedef struct ew_blocks {
    const double *diagonal, *edge;
    const float *diagonal_single, *edge_single;
} ew_blocks;

static inline two load_two(const double *from)
{
    two value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline three load_three(const double *from)
{
    return (three){load_two(from), from[2]};
}

static inline block load_block(const double *in_double, const float *in_single, bool single,
                               int32_t slot)
{
    block k;
    for (int i = 0; i < 3; i++) {
        if (single) {
            const float *from = in_single + 9 * (size_t)slot + 3 * i;
            two_single narrow;
            memcpy(&narrow, from, sizeof narrow);
            k.row[i] = __builtin_convertvector(narrow, two);
            k.last[i] = (double)from[2];
        } else {
            const double *from = in_double + 9 * (size_t)slot + 3 * i;
            k.row[i] = load_two(from);
            k.last[i] = from[2];
        }
    }
    return k;
}

static inline void prefetch_block(const ew_blocks *blocks, bool single, int32_t slot)
{
    uintptr_t base = single ? (uintptr_t)blocks->edge_single : (uintptr_t)blocks->edge;
    uintptr_t size = 9 * (single ? sizeof(float) : sizeof(double));
    uintptr_t at = base + size * ((uintptr_t)slot + PREFETCH_AHEAD);
    __builtin_prefetch((const void *)at); /* harmless beyond the end */
    __builtin_prefetch((const void *)(at + 64));
}

/* sum += K x */
static inline void add(const block *k, const double *x, row_sum *sum)
{
    three b = load_three(x);
    for (int i = 0; i < 3; i++) {
        sum->part[i] += k->row[i] * b.xy;
        sum->last[i] += k->last[i] * b.z;
    }
}

/* y += K^T x, where x is spread: each component twice */
static inline void add_transposed(const block *k, const two x[3], double *y)
{
    two xy = load_two(y) + ((k->row[0] * x[0] + k->row[1] * x[1]) + k->row[2] * x[2]);
    y[2] += (k->last[0] * x[0][0] + k->last[1] * x[1][0]) + k->last[2] * x[2][0];
    memcpy(y, &xy, sizeof xy);
}

static inline void spread(const double *x, two to[3])
{
    for (int i = 0; i < 3; i++) {
        to[i] = (two){x[i], x[i]};
    }
}

/* The rows [begin, end). A row's items are sorted, so later rows come last. Those of this chunk get
 * their share of the block at once; those of later chunks read the block again, and the share goes
 * `nowhere`. Earlier rows of this chunk have added theirs here already; those of earlier chunks
 * come first and are gathered. Inlined, so that `single` is a constant in each use. */
static inline __attribute__((always_inline)) void
multiply_chunk(const ew_blocks *blocks, bool single, const ew_rows *rows, int32_t begin,
               int32_t end, const double *restrict x, double *restrict y)
{
    double nowhere[3] = {0.0, 0.0, 0.0};
    memset(y + 3 * (size_t)begin, 0, 3 * (size_t)(end - begin) * sizeof *y);
    for (int32_t row = begin; row < end; row++) {
        const int32_t *first = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
        const int32_t *last = first + 2 * (size_t)rows->count[row], *upper = last;
        const double *xa = x + 3 * (size_t)row;
        double *ya = y + 3 * (size_t)row;
        row_sum sum = {{{0}}, {0}};
        two a[3];
        spread(xa, a);
        block k = load_block(blocks->diagonal, blocks->diagonal_single, single, row);
        add(&k, xa, &sum);
        while (upper > first && upper[-2] > row) {
            upper -= 2;
        }
        for (const int32_t *item = upper; item < last; item += 2) {
            prefetch_block(blocks, single, item[1]);
            k = load_block(blocks->edge, blocks->edge_single, single, item[1]);
            add(&k, x + 3 * (size_t)item[0], &sum);
            add_transposed(&k, a, item[0] < end ? y + 3 * (size_t)item[0] : nowhere);
        }
        for (const int32_t *item = first; item < upper && item[0] < begin; item += 2) {
            two b[3];
            spread(x + 3 * (size_t)item[0], b);
            k = load_block(blocks->edge, blocks->edge_single, single, item[1]);
            add_transposed(&k, b, ya);
        }
        for (int i = 0; i < 3; i++) {
            ya[i] += (sum.part[i][0] + sum.part[i][1]) + sum.last[i];
        }
    }
}

/* One text, compiled once for each kind of block. */
static void multiply_double(const ew_blocks *blocks, const ew_rows *rows, int32_t begin,
                            int32_t end, const double *x, double *y)
{
    multiply_chunk(blocks, false, rows, begin, end, x, y);
}
static void multiply_single(const ew_blocks *blocks, const ew_rows *rows, int32_t begin,
                            int32_t end, const double *x, double *y)
{
    multiply_chunk(blocks, true, rows, begin, end, x, y);
}

static void multiply(const ew_blocks *blocks, const ew_rows *rows, int32_t n_row, const double *x,
                     double *y)
{
    int64_t n_chunk = 1;
    while (n_chunk < MOST_CHUNKS && 8 * LAYERS * n_chunk * n_chunk * n_chunk <= n_row) {
        n_chunk *= 2;
    }
#pragma omp parallel for schedule(static)                                                          \
    num_threads(ew_threads()) if (n_row >= LEAST_PARALLEL_ROWS)
    for (int64_t chunk = 0; chunk < n_chunk; chunk++) {
        int32_t begin = (int32_t)(n_row * chunk / n_chunk);
        int32_t end = (int32_t)(n_row * (chunk + 1) / n_chunk);
        if (blocks->diagonal) {
            multiply_double(blocks, rows, begin, end, x, y);
        } else {
            multiply_single(blocks, rows, begin, end, x, y);
        }
    }
}

void ew_matrix_product(const ew_matrix *matrix, const ew_graph *graph, const double *x, double *y)
{
    ew_blocks blocks = {.diagonal = matrix->diagonal, .edge = matrix->edge};
    multiply(&blocks, &graph->row_to_edge, matrix->n_row, x, y);
}

void ew_matrix_single_product(const ew_matrix_single *matrix, const ew_graph *graph,
                              const double *x, double *y)
{
    ew_blocks blocks = {.diagonal_single = matrix->diagonal, .edge_single = matrix->edge};
    multiply(&blocks, &graph->row_to_edge, matrix->n_row, x, y);
}

void ew_matrix_scalar_diagonal(const ew_matrix *matrix, double *diagonal)
{
    for (int32_t row = 0; row < matrix->n_row; row++) {
        for (int i = 0; i < 3; i++) {
            diagonal[3 * (size_t)row + i] = matrix->diagonal[9 * (size_t)row + 4 * i];
        }
    }
}

double ew_matrix_product_bytes(const ew_matrix *matrix, const ew_graph *graph, int32_t scalar_bytes)
{
    double rows = matrix->n_row, edges = 0.0, scalar = scalar_bytes;
    for (int32_t edge = 0; edge < graph->n_edge; edge++) {
        edges += graph->edge_row[2 * (size_t)edge] >= 0;
    }
    return scalar * (9.0 * (rows + edges) + 6.0 * rows) + 4.0 * edges;
}
