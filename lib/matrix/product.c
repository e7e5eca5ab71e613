/* y = K x: blocks, graph and x in, y out. Rows are cut into fixed chunks, one thread each. Within a
 * chunk an edge's block is read once and serves both its rows; an edge between chunks is read by
 * both. The cut depends on the number of rows alone, so the sums do not depend on the threads. */
#include "matrix/matrix.h"

#define CHUNK_ROWS  4096 /* at least; smaller chunks share fewer blocks */
#define MOST_CHUNKS 64

/* What a product reads: double or single blocks; the other two are null. */
typedef struct ew_blocks {
    const double *diagonal, *edge;
    const float *diagonal_single, *edge_single;
} ew_blocks;

static inline void load(const double *in_double, const float *in_single, bool single, int32_t slot,
                        double k[9])
{
    for (int i = 0; i < 9; i++) {
        k[i] = single ? (double)in_single[9 * (size_t)slot + i] : in_double[9 * (size_t)slot + i];
    }
}

/* y += K x and y += K^T x */
static inline void add(const double k[9], const double *x, double *y)
{
    y[0] += (k[0] * x[0] + k[1] * x[1]) + k[2] * x[2];
    y[1] += (k[3] * x[0] + k[4] * x[1]) + k[5] * x[2];
    y[2] += (k[6] * x[0] + k[7] * x[1]) + k[8] * x[2];
}
static inline void add_transposed(const double k[9], const double *x, double *y)
{
    y[0] += (k[0] * x[0] + k[3] * x[1]) + k[6] * x[2];
    y[1] += (k[1] * x[0] + k[4] * x[1]) + k[7] * x[2];
    y[2] += (k[2] * x[0] + k[5] * x[1]) + k[8] * x[2];
}

/* The rows [begin, end). A row's items are sorted: first those of earlier chunks, gathered; then
 * those of earlier rows of this chunk, which have already added theirs here; then the later ones.
 */
static inline void multiply_chunk(const ew_blocks *blocks, bool single, const ew_rows *rows,
                                  int32_t begin, int32_t end, const double *restrict x,
                                  double *restrict y)
{
    for (size_t i = 3 * (size_t)begin; i < 3 * (size_t)end; i++) {
        y[i] = 0.0;
    }
    for (int32_t row = begin; row < end; row++) {
        const double *xa = x + 3 * (size_t)row;
        double *ya = y + 3 * (size_t)row;
        double sum[3] = {ya[0], ya[1], ya[2]}, k[9];
        load(blocks->diagonal, blocks->diagonal_single, single, row, k);
        add(k, xa, sum);
        const int32_t *item = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
        const int32_t *last = item + 2 * (size_t)rows->count[row];
        for (; item < last && item[0] < begin; item += 2) {
            load(blocks->edge, blocks->edge_single, single, item[1], k);
            add_transposed(k, x + 3 * (size_t)item[0], sum);
        }
        while (item < last && item[0] < row) {
            item += 2;
        }
        for (; item < last && item[0] < end; item += 2) {
            load(blocks->edge, blocks->edge_single, single, item[1], k);
            add(k, x + 3 * (size_t)item[0], sum);
            add_transposed(k, xa, y + 3 * (size_t)item[0]);
        }
        for (; item < last; item += 2) {
            load(blocks->edge, blocks->edge_single, single, item[1], k);
            add(k, x + 3 * (size_t)item[0], sum);
        }
        ya[0] = sum[0];
        ya[1] = sum[1];
        ya[2] = sum[2];
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
    int64_t n_chunk = n_row / CHUNK_ROWS;
    n_chunk = n_chunk < 1 ? 1 : n_chunk > MOST_CHUNKS ? MOST_CHUNKS : n_chunk;
#pragma omp parallel for schedule(static) num_threads(ew_threads()) if (n_chunk > 1)
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
