/* Operators of stored matrices, on the host and on a device, with rows of edges behind those of
 * the pattern where there are any. In: matrix and pattern, borrowed. Out: products, once they are
 * known to be those of the pattern as it is. */
#include "solver/krylov/dealt.h"

#include <string.h>

/* ---- on the host ------------------------------------------------------- */

static ew_status prepare_on_host(ew_operator *op, ew_precision precision)
{
    EW_TRY(ew_matrix_need_current(op->matrix, op->pattern));
    if (op->matrix->block != 3 || op->matrix->diagonal_only) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: the matrix has %s blocks of %d rows, not all of 3",
                       op->matrix->diagonal_only ? "diagonal" : "all", op->matrix->block);
    }
    /* Copied again for each solve: with a product for each iteration it does not show. */
    EW_TRY(precision == EW_SINGLE ? ew_matrix_single_copy(&op->single, op->matrix, op->pattern)
                                  : EW_OK);
    return op->edges ? op->edges->prepare(op->edges->user) : EW_OK;
}

static void state_on_host(const ew_operator *op, uint64_t *revision, uint64_t *constants)
{
    *revision = op->matrix->revision;
    *constants = op->matrix->constants;
}

static void stored_product(const ew_operator *op, bool single, const double *x, double *y)
{
    if (single) {
        ew_matrix_single_product_in_team(&op->single, op->pattern, x, y);
    } else {
        ew_matrix_product_in_team(op->matrix, op->pattern, x, y);
    }
}

static bool is_whole(const ew_edge_operator *edges)
{
    return edges && edges->is_whole && edges->is_whole(edges->user);
}

static void product_on_host(const ew_operator *op, bool single, const double *x, double *y)
{
    const ew_edge_operator *edges = op->edges;
    const bool whole = is_whole(edges);
    const size_t first = whole ? 0 : 3 * (size_t)op->pattern->n_row;
    const size_t end = 3 * (size_t)ew_operator_n_row(op);
    if (!whole) {
        stored_product(op, single, x, y);
    }
    if (edges) {
#pragma omp for schedule(static)
        for (size_t i = first; i < end; i++) {
            y[i] = 0.0;
        }
        edges->add_product(edges->user, whole ? EW_EDGE_WHOLE : EW_EDGE_ALL, x, y);
    }
}

/* y = 0 in this process's rows of edges, and where `all` in the others of it. */
static void clear_own(const ew_dealt *dealt, bool all, double *y)
{
    for (int k = 0; k < 2; k++) {
        const int32_t *row = dealt->row[k];
        const int32_t first = all || row[0] > dealt->n_stored ? row[0] : dealt->n_stored;
#pragma omp for schedule(static)
        for (int32_t i = 3 * first; i < 3 * row[1]; i++) {
            y[i] = 0.0;
        }
    }
}

/* As product_on_host. What tets add is written by who has them; the rest by who has the row. */
static void own_product_on_host(const ew_operator *op, const ew_dealt *dealt, double *x, double *y)
{
    const ew_edge_operator *edges = op->edges;
    const bool whole = is_whole(edges);
    const int32_t first = dealt->row[0][0];
    if (edges && !dealt->deals_edges) {
        ew_dealt_bring(dealt, dealt->whole, x);
        product_on_host(op, false, x, y);
        return;
    }
    clear_own(dealt, whole, y);
    if (!whole) {
        ew_dealt_bring(dealt, dealt->neighbors, x);
        ew_matrix_rows_product_in_team(op->matrix, op->pattern, first, first + dealt->n_own_stored,
                                       x, y);
    }
    if (!edges) {
        return;
    }
    ew_dealt_bring(dealt, dealt->tets.in, x);
    if (!whole) {
        ew_dealt_bring(dealt, dealt->before, y);
    }
#pragma omp for schedule(static)
    for (int32_t i = 0; i < (whole ? dealt->n_written : 0); i++) {
        memset(y + 3 * (size_t)dealt->written[i], 0, 3 * sizeof *y);
    }
    edges->add_own_product(edges->user, whole ? EW_EDGE_WHOLE : EW_EDGE_ALL, x, y);
    ew_dealt_bring(dealt, dealt->tets.out, y);
}

static bool has_columns_on_host(const ew_operator *op)
{
    const ew_edge_operator *edges = op->edges;
    return !edges || (edges->has_columns && edges->has_columns(edges->user));
}

/* As product_on_host. */
static void columns_on_host(const ew_operator *op, const double *x, double *y)
{
    const ew_edge_operator *edges = op->edges;
    const bool whole = is_whole(edges);
    const size_t row = 3 * EW_COLUMNS;
    const size_t first = whole ? 0 : row * (size_t)op->pattern->n_row;
    const size_t end = row * (size_t)ew_operator_n_row(op);
    if (!whole) {
        ew_matrix_columns_product_in_team(op->matrix, op->pattern, x, y);
    }
    if (edges) {
#pragma omp for schedule(static)
        for (size_t i = first; i < end; i++) {
            y[i] = 0.0;
        }
        edges->add_columns_product(edges->user, whole ? EW_EDGE_WHOLE : EW_EDGE_ALL, x, y);
    }
}

static void extended_on_host(const ew_operator *op, const double *x, double *y)
{
    ew_matrix_product_extended_in_team(op->matrix, op->pattern, x, y);
}

static const ew_operator_type stored_on_host = {.name = "matrix on the host",
                                                .prepare = prepare_on_host,
                                                .state = state_on_host,
                                                .product = product_on_host,
                                                .own_product = own_product_on_host,
                                                .extended_product = extended_on_host,
                                                .has_columns = has_columns_on_host,
                                                .columns_product = columns_on_host};

ew_operator ew_operator_on_host(const ew_matrix *matrix, const ew_pattern *pattern)
{
    return (ew_operator){.type = &stored_on_host, .pattern = pattern, .matrix = matrix};
}

int32_t ew_operator_n_row(const ew_operator *op)
{
    int32_t n = 0;
    const double *diagonal;
    uint64_t revision;
    if (op->edges) {
        op->edges->state(op->edges->user, &n, &diagonal, &revision);
    }
    return op->pattern->n_row + n;
}

/* ---- on a device ------------------------------------------------------- */

static ew_status need_current(const ew_device_matrix *matrix, const ew_pattern *pattern)
{
    if (!matrix->revision || matrix->revision != pattern->revision ||
        matrix->n_row != pattern->n_row || matrix->n_pair != pattern->n_pair) {
        return ew_fail(
            EW_STALE,
            "solver: the device matrix with %d rows and %d pairs is at revision %llu, the "
            "pattern with %d and %d at %llu; revalidate or build it first",
            matrix->n_row, matrix->n_pair, (unsigned long long)matrix->revision, pattern->n_row,
            pattern->n_pair, (unsigned long long)pattern->revision);
    }
    return EW_OK;
}

static ew_status prepare_on_device(ew_operator *op, ew_precision precision)
{
    const ew_device_matrix *matrix = op->device_matrix;
    EW_TRY(ew_device_matrix_need_current(matrix, op->device_pattern));
    EW_TRY(need_current(matrix, op->pattern));
    if (precision != EW_SINGLE && !matrix->has_double) {
        EW_TRY(ew_device_need_double(matrix->device, "solver: blocks"));
    }
    EW_TRY(precision != EW_DOUBLE ? ew_device_matrix_need_precision(matrix, true) : EW_OK);
    if (!matrix->has_double && (!op->matrix || op->matrix->revision != matrix->revision)) {
        return ew_fail(EW_STALE,
                       "solver: without fp64 the residual needs the host's matrix at "
                       "revision %llu",
                       (unsigned long long)matrix->revision);
    }
    return op->edges ? op->edges->prepare(op->edges->user) : EW_OK;
}

static void state_on_device(const ew_operator *op, uint64_t *revision, uint64_t *constants)
{
    *revision = op->device_matrix->revision;
    *constants = op->device_matrix->constants;
}

static ew_status product_on_device(const ew_operator *op, bool single, const ew_buffer *x,
                                   ew_buffer *y)
{
    const ew_device_matrix *matrix = op->device_matrix;
    const size_t size = 3 * (single ? sizeof(float) : sizeof(double));
    if (!op->edges) {
        return ew_device_matrix_product(matrix, op->device_pattern, single, x, y);
    }
    EW_TRY(ew_buffer_reserve(matrix->device, y, size * (size_t)ew_operator_n_row(op)));
    EW_TRY(ew_device_matrix_product(matrix, op->device_pattern, single, x, y));
    return op->edges->device_product(op->edges->user, EW_EDGE_ALL, single, x, y);
}

static ew_status product_dot_on_device(const ew_operator *op, bool single, const ew_buffer *fixed,
                                       const ew_buffer *p, ew_buffer *q, ew_buffer *partial,
                                       int32_t *n_partial)
{
    if (!op->edges) {
        return ew_device_matrix_product_dot(op->device_matrix, op->device_pattern, single, fixed, p,
                                            q, partial, n_partial);
    }
    EW_TRY(ew_device_matrix_product(op->device_matrix, op->device_pattern, single, p, q));
    return op->edges->device_product_dot(op->edges->user, single, fixed, p, q, partial, n_partial);
}

/* The product on the host is for devices without fp64. */
static const ew_operator_type stored_on_device = {.name = "matrix on a device",
                                                  .on_device = true,
                                                  .prepare = prepare_on_device,
                                                  .state = state_on_device,
                                                  .product = product_on_host,
                                                  .device_product = product_on_device,
                                                  .device_product_dot = product_dot_on_device};

ew_operator ew_operator_on_device(const ew_device_matrix *matrix,
                                  const ew_device_pattern *device_pattern,
                                  const ew_pattern *pattern, const ew_matrix *host)
{
    return (ew_operator){.type = &stored_on_device,
                         .pattern = pattern,
                         .matrix = host,
                         .device_matrix = matrix,
                         .device_pattern = device_pattern};
}

void ew_operator_product(const ew_operator *op, const double *x, double *y)
{
#pragma omp parallel num_threads(ew_matrix_product_threads(op->pattern->n_row))
    op->type->product(op, false, x, y);
}

void ew_operator_free(ew_operator *op)
{
    ew_matrix_single_free(&op->single);
    *op = (ew_operator){0};
}
