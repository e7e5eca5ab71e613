/* y = K x: blocks, graph and x in, y out. Rows are cut into fixed chunks, one thread each. Within a
 * chunk an edge's block is read once and serves both its rows; an edge between chunks is read by
 * both. The cut depends on the number of rows alone, so the sums do not depend on the threads. */
#include "matrix/matrix.h"

#include <string.h>

/* 2^k chunks for 80 * 8^k rows: in a well numbered mesh of n rows the edges between two chunks
 * number about n^(2/3), so a chunk is then several such layers thick and few blocks are read twice.
 */
#define LAYERS      80
#define MOST_CHUNKS 64
/* Below this many rows a team of threads costs more than it saves. */
#define LEAST_PARALLEL_ROWS 2000
/* Edges in ascending row order lie almost one after the other; the hardware's prefetcher alone
 * loses them at the end of every row. In blocks. */
#define PREFETCH_AHEAD 48

/* Two doubles side by side (GCC and Clang vector extension): half the instructions of scalar code
 * on every machine that has SSE2 or NEON. */
typedef double two __attribute__((vector_size(16)));
typedef float two_single __attribute__((vector_size(8)));

/* Four side by side, for machines with AVX2: three are used, the fourth holds what follows in
 * memory and is never looked at. Half the instructions again, and the same bits. */
#if defined(__x86_64__) && !defined(EW_PORTABLE)
#define EW_WIDE __attribute__((target("avx2")))
typedef double four __attribute__((vector_size(32)));
typedef double four_in_memory __attribute__((vector_size(32), aligned(8), may_alias));
typedef float four_single __attribute__((vector_size(16), aligned(4), may_alias));
#endif

#define INLINE static inline __attribute__((always_inline))

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

/* What a product reads: double blocks, or single ones and defects; the other two are null. */
typedef struct ew_blocks {
    const double *diagonal, *edge;
    const float *defect, *edge_single;
    int32_t last_edge; /* highest slot */
} ew_blocks;

INLINE two load_two(const double *from)
{
    two value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE three load_three(const double *from)
{
    return (three){load_two(from), from[2]};
}

INLINE block load_block(const double *in_double, const float *in_single, bool single, int32_t slot)
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

INLINE void prefetch_block(const ew_blocks *blocks, bool single, int32_t slot)
{
    uintptr_t base = single ? (uintptr_t)blocks->edge_single : (uintptr_t)blocks->edge;
    uintptr_t at = 9 * ((uintptr_t)slot + PREFETCH_AHEAD);
    /* harmless beyond the end */
    EW_PREFETCH((const void *)(base + at * (single ? sizeof(float) : sizeof(double))));
}

/* sum += K x */
INLINE void add(const block *k, const double *x, row_sum *sum)
{
    three b = load_three(x);
    for (int i = 0; i < 3; i++) {
        sum->part[i] += k->row[i] * b.xy;
        sum->last[i] += k->last[i] * b.z;
    }
}

/* y += K^T x, where x is spread: each component twice */
INLINE void add_transposed(const block *k, const two x[3], double *y)
{
    two xy = load_two(y) + ((k->row[0] * x[0] + k->row[1] * x[1]) + k->row[2] * x[2]);
    y[2] += (k->last[0] * x[0][0] + k->last[1] * x[1][0]) + k->last[2] * x[2][0];
    memcpy(y, &xy, sizeof xy);
}

INLINE void spread(const double *x, two to[3])
{
    for (int i = 0; i < 3; i++) {
        to[i] = (two){x[i], x[i]};
    }
}

/* An edge from a (spread) to a later row b, to both: sum += K x_b, y_b += K^T x_a; of single blocks
 * the same with differences: sum += K (x_b - x_a), y_b -= K^T (x_b - x_a). */
INLINE void add_edge(const block *k, bool single, const two a[3], const double *xb, row_sum *sum,
                     double *yb)
{
    if (single) {
        const double d[3] = {xb[0] - a[0][0], xb[1] - a[1][0], xb[2] - a[2][0]};
        const two minus[3] = {{-d[0], -d[0]}, {-d[1], -d[1]}, {-d[2], -d[2]}};
        add(k, d, sum);
        add_transposed(k, minus, yb);
    } else {
        add(k, xb, sum);
        add_transposed(k, a, yb);
    }
}

#ifdef EW_WIDE
INLINE void load_wide(const ew_blocks *blocks, bool single, size_t at, four *row)
{
    if (single) {
        *row = __builtin_convertvector(*(const four_single *)(blocks->edge_single + at), four);
    } else {
        *row = *(const four_in_memory *)(blocks->edge + at);
    }
}

/* The items of later rows of the chunk that ends at `limit`, as long as one value beyond the block,
 * and beyond that row's x, is still in the arrays; returns the first item that is left. */
INLINE const int32_t *add_items_wide(const ew_blocks *blocks, bool single, const int32_t *item,
                                     const int32_t *last, int32_t limit, int32_t row,
                                     const double *x, double *y, row_sum *sum)
{
    const double *xa = x + 3 * (size_t)row;
    const four a = {xa[0], xa[1], xa[2]};
    four a0 = {xa[0], xa[0], xa[0]}, a1 = {xa[1], xa[1], xa[1]}, a2 = {xa[2], xa[2], xa[2]};
    four part0 = {0.0}, part1 = {0.0}, part2 = {0.0}, k0, k1, k2;
    for (; item < last && item[0] < limit - 1 && item[1] < blocks->last_edge; item += 2) {
        const size_t at = 9 * (size_t)item[1];
        four b = *(const four_in_memory *)(x + 3 * (size_t)item[0]);
        double *yb = y + 3 * (size_t)item[0];
        if (single) { /* differences */
            b -= a;
            a0 = (four){-b[0], -b[0], -b[0]};
            a1 = (four){-b[1], -b[1], -b[1]};
            a2 = (four){-b[2], -b[2], -b[2]};
        }
        prefetch_block(blocks, single, item[1]);
        load_wide(blocks, single, at, &k0);
        load_wide(blocks, single, at + 3, &k1);
        load_wide(blocks, single, at + 6, &k2);
        part0 += k0 * b;
        part1 += k1 * b;
        part2 += k2 * b;
        const four share = (k0 * a0 + k1 * a1) + k2 * a2;
        const two xy = load_two(yb) + (two){share[0], share[1]};
        memcpy(yb, &xy, sizeof xy);
        yb[2] += share[2];
    }
    *sum = (row_sum){{{part0[0], part0[1]}, {part1[0], part1[1]}, {part2[0], part2[1]}},
                     {part0[2], part1[2], part2[2]}};
    return item;
}
#endif

/* Where a row's items of later rows begin: they come last. */
INLINE const int32_t *find_upper(const int32_t *first, const int32_t *last, int32_t row)
{
    while (last > first && last[-2] > row) {
        last -= 2;
    }
    return last;
}

/* One row of the chunk [begin, end). Later rows of this chunk get their share of the block at once;
 * those of later chunks read the block again, and the share goes `nowhere`. Earlier rows of this
 * chunk have added theirs here already; those of earlier chunks come first among the items and are
 * gathered. */
INLINE void multiply_row(const ew_blocks *blocks, bool single, bool wide, const ew_rows *rows,
                         int32_t row, int32_t begin, int32_t end, const double *x, double *y)
{
    const int32_t *first = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
    const int32_t *last = first + 2 * (size_t)rows->count[row];
    const int32_t *upper = find_upper(first, last, row), *item = upper;
    const double *xa = x + 3 * (size_t)row;
    double *ya = y + 3 * (size_t)row, nowhere[3] = {0.0, 0.0, 0.0};
    row_sum sum = {{{0}}, {0}};
    two a[3], b[3];
    block k;
#ifdef EW_WIDE
    if (wide) {
        item = add_items_wide(blocks, single, item, last, end, row, x, y, &sum);
    }
#else
    (void)wide;
#endif
    spread(xa, a);
    for (; item < last; item += 2) {
        prefetch_block(blocks, single, item[1]);
        k = load_block(blocks->edge, blocks->edge_single, single, item[1]);
        add_edge(&k, single, a, x + 3 * (size_t)item[0], &sum,
                 item[0] < end ? y + 3 * (size_t)item[0] : nowhere);
    }
    for (item = first; item < upper && item[0] < begin; item += 2) {
        spread(x + 3 * (size_t)item[0], b);
        for (int i = 0; single && i < 3; i++) {
            b[i] -= a[i];
        }
        k = load_block(blocks->edge, blocks->edge_single, single, item[1]);
        add_transposed(&k, b, ya);
    }
    k = load_block(blocks->diagonal, blocks->defect, single, row);
    add(&k, xa, &sum);
    for (int i = 0; i < 3; i++) {
        ya[i] += (sum.part[i][0] + sum.part[i][1]) + sum.last[i];
    }
}

/* Inlined, so that `single` and `wide` are constants in each use. */
INLINE void multiply_chunk(const ew_blocks *blocks, bool single, bool wide, const ew_rows *rows,
                           int32_t begin, int32_t end, const double *x, double *y)
{
    const ew_blocks own = *blocks; /* which no store to y can touch */
    memset(y + 3 * (size_t)begin, 0, 3 * (size_t)(end - begin) * sizeof *y);
    for (int32_t row = begin; row < end; row++) {
        multiply_row(&own, single, wide, rows, row, begin, end, x, y);
    }
}

/* One text, compiled for each kind of block and of machine. */
static void multiply_narrow(const ew_blocks *blocks, const ew_rows *rows, int32_t begin,
                            int32_t end, const double *x, double *y)
{
    if (blocks->diagonal) {
        multiply_chunk(blocks, false, false, rows, begin, end, x, y);
    } else {
        multiply_chunk(blocks, true, false, rows, begin, end, x, y);
    }
}

#ifdef EW_WIDE
EW_WIDE static void multiply_wide(const ew_blocks *blocks, const ew_rows *rows, int32_t begin,
                                  int32_t end, const double *x, double *y)
{
    if (blocks->diagonal) {
        multiply_chunk(blocks, false, true, rows, begin, end, x, y);
    } else {
        multiply_chunk(blocks, true, true, rows, begin, end, x, y);
    }
}
#endif

static void multiply(const ew_blocks *blocks, const ew_rows *rows, int32_t n_row, const double *x,
                     double *y)
{
    void (*multiply_rows)(const ew_blocks *, const ew_rows *, int32_t, int32_t, const double *,
                          double *) = multiply_narrow;
    int64_t n_chunk = 1;
#ifdef EW_WIDE
    if (__builtin_cpu_supports("avx2")) {
        multiply_rows = multiply_wide;
    }
#endif
    while (n_chunk < MOST_CHUNKS && 8 * LAYERS * n_chunk * n_chunk * n_chunk <= n_row) {
        n_chunk *= 2;
    }
#pragma omp parallel for schedule(static)                                                          \
    num_threads(ew_threads()) if (n_row >= LEAST_PARALLEL_ROWS)
    for (int64_t chunk = 0; chunk < n_chunk; chunk++) {
        multiply_rows(blocks, rows, (int32_t)(n_row * chunk / n_chunk),
                      (int32_t)(n_row * (chunk + 1) / n_chunk), x, y);
    }
}

void ew_matrix_product(const ew_matrix *matrix, const ew_graph *graph, const double *x, double *y)
{
    ew_blocks blocks = {
        .diagonal = matrix->diagonal, .edge = matrix->edge, .last_edge = matrix->n_edge - 1};
    multiply(&blocks, &graph->row_to_edge, matrix->n_row, x, y);
}

void ew_matrix_single_product(const ew_matrix_single *matrix, const ew_graph *graph,
                              const double *x, double *y)
{
    ew_blocks blocks = {
        .defect = matrix->defect, .edge_single = matrix->edge, .last_edge = matrix->n_edge - 1};
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
