/* y = K x: blocks, pattern and x in, y out. Rows are cut into fixed chunks, one thread each. Within
 * a chunk an edge's block is read once and serves both its rows; an edge between chunks is read by
 * both. The cut depends on the number of rows alone, so the sums do not depend on the threads. */
#include "matrix/parts/matrix.h"

#include <string.h>
#if defined(__x86_64__) && !defined(EW_PORTABLE)
#include <immintrin.h>
#endif

/* 2^k chunks for 80 * 8^k rows: in a well numbered mesh of n rows the edges between two chunks
 * number about n^(2/3), so a chunk is then several such layers thick and few blocks are read twice.
 */
#define LAYERS     80
#define MAX_CHUNKS 64
/* With fewer rows a thread costs more than it saves. */
#define MIN_ROWS_A_THREAD 500
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
#define EW_WIDE     __attribute__((target("avx2")))
#define INLINE_WIDE EW_WIDE static inline __attribute__((always_inline))
typedef double four __attribute__((vector_size(32)));
typedef double four_in_memory __attribute__((vector_size(32), aligned(8), may_alias));
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

/* Data of a product: double blocks, or single ones and row sums; the other two are null. */
typedef struct ew_blocks {
    const double *diagonal, *edge;
    const float *row_sum, *edge_single;
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

/* Where a row's items are. Those of lower rows come first. */
typedef struct row_items {
    const int32_t *first, *upper, *last;
} row_items;

INLINE row_items items_of(const ew_pattern *pattern, int32_t row)
{
    const ew_rows *rows = &pattern->row_to_pair;
    const int32_t *first = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
    return (row_items){first, first + 2 * (size_t)pattern->n_lower[row],
                       first + 2 * (size_t)rows->count[row]};
}

/* Edges of row a to later rows. Those of this chunk, which ends at `end`, get their share of the
 * block at once; those of later chunks read the block again, and the share goes `nowhere`. */
INLINE void add_later(const ew_blocks *blocks, bool single, const int32_t *item,
                      const int32_t *last, int32_t end, const double *xa, const double *x,
                      double *y, row_sum *sum)
{
    double nowhere[3] = {0.0, 0.0, 0.0};
    two a[3];
    spread(xa, a);
    for (; item < last; item += 2) {
        prefetch_block(blocks, single, item[1]);
        const block k = load_block(blocks->edge, blocks->edge_single, single, item[1]);
        add_edge(&k, single, a, x + 3 * (size_t)item[0], sum,
                 item[0] < end ? y + 3 * (size_t)item[0] : nowhere);
    }
}

/* Edges of row a to rows of earlier chunks, which come first. Earlier rows of this chunk have added
 * their share already. */
INLINE void add_earlier(const ew_blocks *blocks, bool single, const row_items *items, int32_t begin,
                        const double *xa, const double *x, double *ya)
{
    for (const int32_t *item = items->first; item < items->upper && item[0] < begin; item += 2) {
        two a[3], b[3];
        spread(xa, a);
        spread(x + 3 * (size_t)item[0], b);
        for (int i = 0; single && i < 3; i++) {
            b[i] -= a[i];
        }
        const block k = load_block(blocks->edge, blocks->edge_single, single, item[1]);
        add_transposed(&k, b, ya);
    }
}

/* One row of the chunk [begin, end). */
INLINE void multiply_row(const ew_blocks *blocks, bool single, const ew_pattern *pattern,
                         int32_t row, int32_t begin, int32_t end, const double *x, double *y)
{
    const row_items items = items_of(pattern, row);
    const double *xa = x + 3 * (size_t)row;
    double *ya = y + 3 * (size_t)row;
    row_sum sum = {{{0}}, {0}};
    add_later(blocks, single, items.upper, items.last, end, xa, x, y, &sum);
    add_earlier(blocks, single, &items, begin, xa, x, ya);
    const block k = load_block(blocks->diagonal, blocks->row_sum, single, row);
    add(&k, xa, &sum);
    for (int i = 0; i < 3; i++) {
        ya[i] += (sum.part[i][0] + sum.part[i][1]) + sum.last[i];
    }
}

#ifdef EW_WIDE
/* One row of a block, and what follows it in memory. The conversion is one instruction; of
 * __builtin_convertvector GCC 12 makes five, more than single blocks save. */
INLINE_WIDE void load_wide(const double *in_double, const float *in_single, bool single, size_t at,
                           four *row)
{
    if (single) {
        *row = (four)_mm256_cvtps_pd(_mm_loadu_ps(in_single + at));
    } else {
        *row = *(const four_in_memory *)(in_double + at);
    }
}

/* As multiply_row, by the same operations in the same order, for a row that is not the last of its
 * chunk: one value beyond its x and its diagonal block is still in the arrays. The same must hold
 * of an edge's block and its later row; edges of which it does not are left to add_later. */
INLINE_WIDE void multiply_row_wide(const ew_blocks *blocks, bool single, const ew_pattern *pattern,
                                   int32_t row, int32_t begin, int32_t end, const double *x,
                                   double *y)
{
    const row_items items = items_of(pattern, row);
    const int32_t *item = items.upper, *last = items.last;
    const double *xa = x + 3 * (size_t)row;
    double *ya = y + 3 * (size_t)row;
    const four a = *(const four_in_memory *)xa;
    four a0 = {xa[0], xa[0], xa[0], xa[0]}, a1 = {xa[1], xa[1], xa[1], xa[1]},
         a2 = {xa[2], xa[2], xa[2], xa[2]};
    four sum0 = {0.0}, sum1 = {0.0}, sum2 = {0.0}, k0, k1, k2;
    while (last > item && last[-2] >= end - 1) {
        last -= 2;
    }
    for (; item < last && item[1] < blocks->last_edge; item += 2) {
        const size_t at = 9 * (size_t)item[1];
        four b = *(const four_in_memory *)(x + 3 * (size_t)item[0]);
        double *yb = y + 3 * (size_t)item[0];
        if (single) { /* differences */
            b -= a;
            a0 = (four){-b[0], -b[0], -b[0], -b[0]};
            a1 = (four){-b[1], -b[1], -b[1], -b[1]};
            a2 = (four){-b[2], -b[2], -b[2], -b[2]};
        }
        prefetch_block(blocks, single, item[1]);
        load_wide(blocks->edge, blocks->edge_single, single, at, &k0);
        load_wide(blocks->edge, blocks->edge_single, single, at + 3, &k1);
        load_wide(blocks->edge, blocks->edge_single, single, at + 6, &k2);
        sum0 += k0 * b;
        sum1 += k1 * b;
        sum2 += k2 * b;
        const four share = (k0 * a0 + k1 * a1) + k2 * a2;
        const two xy = load_two(yb) + (two){share[0], share[1]};
        memcpy(yb, &xy, sizeof xy);
        yb[2] += share[2];
    }
    if (item < items.last) {
        row_sum sum = {{{sum0[0], sum0[1]}, {sum1[0], sum1[1]}, {sum2[0], sum2[1]}},
                       {sum0[2], sum1[2], sum2[2]}};
        add_later(blocks, single, item, items.last, end, xa, x, y, &sum);
        sum0 = (four){sum.part[0][0], sum.part[0][1], sum.last[0]};
        sum1 = (four){sum.part[1][0], sum.part[1][1], sum.last[1]};
        sum2 = (four){sum.part[2][0], sum.part[2][1], sum.last[2]};
    }
    add_earlier(blocks, single, &items, begin, xa, x, ya);
    load_wide(blocks->diagonal, blocks->row_sum, single, 9 * (size_t)row, &k0);
    load_wide(blocks->diagonal, blocks->row_sum, single, 9 * (size_t)row + 3, &k1);
    load_wide(blocks->diagonal, blocks->row_sum, single, 9 * (size_t)row + 6, &k2);
    sum0 += k0 * a;
    sum1 += k1 * a;
    sum2 += k2 * a;
    ya[0] += (sum0[0] + sum0[1]) + sum0[2];
    ya[1] += (sum1[0] + sum1[1]) + sum1[2];
    ya[2] += (sum2[0] + sum2[1]) + sum2[2];
}
#endif

/* Rows [row, end) of the chunk [begin, end). Inlined, so that `single` is a constant in each use.
 */
INLINE void multiply_rest(const ew_blocks *blocks, bool single, const ew_pattern *pattern,
                          int32_t row, int32_t begin, int32_t end, const double *x, double *y)
{
    for (; row < end; row++) {
        multiply_row(blocks, single, pattern, row, begin, end, x, y);
    }
}

/* Zeros, and what rows of the chunk before `first` have for those from there on, which comes before
 * all else; in double. */
static void begin_rows(const ew_blocks *blocks, const ew_pattern *pattern, int32_t begin,
                       int32_t first, int32_t end, const double *x, double *y)
{
    memset(y + 3 * (size_t)first, 0, 3 * (size_t)(end - first) * sizeof *y);
    for (int32_t row = first; row < end && first > begin; row++) {
        const row_items items = items_of(pattern, row);
        for (const int32_t *item = items.first; item < items.upper && item[0] < first; item += 2) {
            if (item[0] >= begin) {
                two b[3];
                spread(x + 3 * (size_t)item[0], b);
                const block k = load_block(blocks->edge, NULL, false, item[1]);
                add_transposed(&k, b, y + 3 * (size_t)row);
            }
        }
    }
}

/* Rows [first, end) of the chunk that begins with `begin`. One text, compiled for each kind of
 * block and of machine. */
static void multiply_narrow(const ew_blocks *blocks, const ew_pattern *pattern, int32_t begin,
                            int32_t first, int32_t end, const double *x, double *y)
{
    const ew_blocks own = *blocks; /* which no store to y can touch */
    begin_rows(blocks, pattern, begin, first, end, x, y);
    if (blocks->diagonal) {
        multiply_rest(&own, false, pattern, first, begin, end, x, y);
    } else {
        multiply_rest(&own, true, pattern, first, begin, end, x, y);
    }
}

#ifdef EW_WIDE
INLINE_WIDE void multiply_chunk_wide(const ew_blocks *blocks, bool single,
                                     const ew_pattern *pattern, int32_t begin, int32_t first,
                                     int32_t end, const double *x, double *y)
{
    const ew_blocks own = *blocks;
    int32_t row = first;
    for (; row < end - 1; row++) {
        multiply_row_wide(&own, single, pattern, row, begin, end, x, y);
    }
    multiply_rest(&own, single, pattern, row, begin, end, x, y);
}

EW_WIDE static void multiply_wide(const ew_blocks *blocks, const ew_pattern *pattern, int32_t begin,
                                  int32_t first, int32_t end, const double *x, double *y)
{
    begin_rows(blocks, pattern, begin, first, end, x, y);
    if (blocks->diagonal) {
        multiply_chunk_wide(blocks, false, pattern, begin, first, end, x, y);
    } else {
        multiply_chunk_wide(blocks, true, pattern, begin, first, end, x, y);
    }
}
#endif

typedef void multiply_rows(const ew_blocks *blocks, const ew_pattern *pattern, int32_t begin,
                           int32_t first, int32_t end, const double *x, double *y);

/* For the machine it runs on. */
static multiply_rows *choose_multiply(void)
{
#ifdef EW_WIDE
    if (__builtin_cpu_supports("avx2")) {
        return multiply_wide;
    }
#endif
    return multiply_narrow;
}

int64_t ew_matrix_product_chunks(int32_t n_row)
{
    int64_t n_chunk = 1;
    while (n_chunk < MAX_CHUNKS && 8 * LAYERS * n_chunk * n_chunk * n_chunk <= n_row) {
        n_chunk *= 2;
    }
    return n_chunk;
}

static void multiply(const ew_blocks *blocks, const ew_pattern *pattern, int32_t n_row,
                     const double *x, double *y)
{
    multiply_rows *const rows = choose_multiply();
    const int64_t n_chunk = ew_matrix_product_chunks(n_row);
#pragma omp for schedule(static)
    for (int64_t chunk = 0; chunk < n_chunk; chunk++) {
        const int32_t begin = (int32_t)(n_row * chunk / n_chunk);
        rows(blocks, pattern, begin, begin, (int32_t)(n_row * (chunk + 1) / n_chunk), x, y);
    }
}

void ew_matrix_product_in_team(const ew_matrix *matrix, const ew_pattern *pattern, const double *x,
                               double *y)
{
    const ew_blocks blocks = {
        .diagonal = matrix->diagonal, .edge = matrix->pair, .last_edge = matrix->n_pair - 1};
    multiply(&blocks, pattern, matrix->n_row, x, y);
}

void ew_matrix_rows_product_in_team(const ew_matrix *matrix, const ew_pattern *pattern,
                                    int32_t first, int32_t end, const double *x, double *y)
{
    enum { PIECE = 1024 };
    const ew_blocks blocks = {
        .diagonal = matrix->diagonal, .edge = matrix->pair, .last_edge = matrix->n_pair - 1};
    const int64_t n_row = matrix->n_row, n_chunk = ew_matrix_product_chunks(matrix->n_row);
    multiply_rows *const rows = choose_multiply();
#pragma omp for schedule(static)
    for (int32_t piece = first; piece < end; piece += PIECE) {
        const int32_t last = end - piece > PIECE ? piece + PIECE : end;
        for (int64_t chunk = 0; chunk < n_chunk; chunk++) {
            const int32_t begin = (int32_t)(n_row * chunk / n_chunk);
            const int32_t stop = (int32_t)(n_row * (chunk + 1) / n_chunk);
            const int32_t from = piece > begin ? piece : begin, to = last < stop ? last : stop;
            if (from < to) {
                rows(&blocks, pattern, begin, from, to, x, y);
            }
        }
    }
}

void ew_matrix_product(const ew_matrix *matrix, const ew_pattern *pattern, const double *x,
                       double *y)
{
#pragma omp parallel num_threads(ew_matrix_product_threads(matrix->n_row))
    ew_matrix_product_in_team(matrix, pattern, x, y);
}

void ew_matrix_single_product_in_team(const ew_matrix_single *matrix, const ew_pattern *pattern,
                                      const double *x, double *y)
{
    const ew_blocks blocks = {
        .row_sum = matrix->row_sum, .edge_single = matrix->pair, .last_edge = matrix->n_pair - 1};
    multiply(&blocks, pattern, matrix->n_row, x, y);
}

void ew_matrix_single_product(const ew_matrix_single *matrix, const ew_pattern *pattern,
                              const double *x, double *y)
{
#pragma omp parallel num_threads(ew_matrix_product_threads(matrix->n_row))
    ew_matrix_single_product_in_team(matrix, pattern, x, y);
}

int ew_matrix_product_threads(int32_t n_row)
{
    return ew_threads_for(n_row, MIN_ROWS_A_THREAD);
}

void ew_matrix_scalar_diagonal(const ew_matrix *matrix, double *diagonal)
{
    for (int32_t row = 0; row < matrix->n_row; row++) {
        for (int i = 0; i < 3; i++) {
            diagonal[3 * (size_t)row + i] = matrix->diagonal[9 * (size_t)row + 4 * i];
        }
    }
}

double ew_matrix_product_bytes(const ew_matrix *matrix, const ew_pattern *pattern,
                               int32_t scalar_bytes)
{
    double rows = matrix->n_row, edges = 0.0, scalar = scalar_bytes;
    for (int32_t edge = 0; edge < pattern->n_pair; edge++) {
        edges += pattern->pair_row[2 * (size_t)edge] >= 0;
    }
    return scalar * (9.0 * (rows + edges) + 6.0 * rows) + 4.0 * edges;
}
