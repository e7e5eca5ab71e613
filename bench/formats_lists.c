/* CSM and SSM: a linked list of 3x3 blocks per row. Nodes come from one pool, a row's after one
 * another in ascending columns, so that the links lead through memory in order. */
#include "formats.h"

#include <string.h>

typedef struct node {
    double block[9];
    int32_t column;
    int32_t next; /* place in the pool, -1 at the end of the row */
} node;

typedef struct lists {
    int32_t n_row, n_node;
    int32_t n_tet;
    int32_t *first; /* [n_row] owned */
    node *pool;     /* [n_node] owned */
} lists;

static void release(void *store)
{
    lists *own = store;
    if (own) {
        ew_release(own->first);
        ew_release(own->pool);
        ew_release(own);
    }
}

static void fill(lists *own, bench_pattern *pattern, const ew_mesh *mesh)
{
    for (int32_t row = 0; row < own->n_row; row++) {
        const int32_t begin = pattern->begin[row], end = pattern->begin[row + 1];
        own->first[row] = begin;
        bench_pattern_fill_row(pattern, mesh, row, own->pool[begin].block,
                               sizeof(node) / sizeof(double));
        for (int32_t i = begin; i < end; i++) {
            own->pool[i].column = pattern->column[i];
            own->pool[i].next = i + 1 < end ? i + 1 : -1;
        }
    }
}

static ew_status build(const ew_mesh *mesh, const ew_materials *materials, bool upper, void **store)
{
    bench_pattern pattern;
    lists *own = NULL;
    *store = NULL;
    EW_TRY(bench_pattern_build(&pattern, mesh, materials, upper));
    const int32_t n_row = pattern.n_row, n_node = pattern.begin[n_row];
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new_zero(&own, 1, sizeof *own));
    own->n_row = n_row;
    own->n_node = n_node;
    own->n_tet = mesh->n_tet;
    EW_TRY_OUT(ew_new(&own->first, (size_t)n_row, sizeof *own->first));
    EW_TRY_OUT(ew_new(&own->pool, (size_t)n_node, sizeof *own->pool));
    fill(own, &pattern, mesh);
    *store = own;
    own = NULL;
out:
    release(own);
    bench_pattern_free(&pattern);
    return status;
}

static ew_status build_full(const ew_mesh *mesh, const ew_materials *materials, void **store)
{
    return build(mesh, materials, false, store);
}

static ew_status build_upper(const ew_mesh *mesh, const ew_materials *materials, void **store)
{
    return build(mesh, materials, true, store);
}

static void multiply_full(const void *store, const double *x, double *y)
{
    const lists *own = store;
    const node *pool = own->pool;
#pragma omp parallel for schedule(static) num_threads(ew_threads())
    for (int32_t row = 0; row < own->n_row; row++) {
        bench_sum sum = {{{0}}, {0}};
        for (int32_t at = own->first[row]; at >= 0; at = pool[at].next) {
            bench_add(pool[at].block, x + 3 * (size_t)pool[at].column, &sum);
        }
        for (int i = 0; i < 3; i++) {
            y[3 * (size_t)row + i] = bench_sum_of(&sum, i);
        }
    }
}

/* On one thread: a row writes to its neighbors' sums. */
static void multiply_upper(const void *store, const double *x, double *y)
{
    const lists *own = store;
    const node *pool = own->pool;
    memset(y, 0, 3 * (size_t)own->n_row * sizeof *y);
    for (int32_t row = 0; row < own->n_row; row++) {
        const double *xa = x + 3 * (size_t)row;
        const node *diagonal = pool + own->first[row];
        bench_sum sum = {{{0}}, {0}};
        bench_add(diagonal->block, xa, &sum);
        for (int32_t at = diagonal->next; at >= 0; at = pool[at].next) {
            bench_add(pool[at].block, x + 3 * (size_t)pool[at].column, &sum);
            bench_add_transposed(pool[at].block, xa, y + 3 * (size_t)pool[at].column);
        }
        for (int i = 0; i < 3; i++) {
            y[3 * (size_t)row + i] += bench_sum_of(&sum, i);
        }
    }
}

static void take_diagonal(const void *store, double *diagonal)
{
    const lists *own = store;
    for (int32_t row = 0; row < own->n_row; row++) {
        int32_t at = own->first[row];
        while (own->pool[at].column != row) {
            at = own->pool[at].next;
        }
        for (int i = 0; i < 3; i++) {
            diagonal[3 * (size_t)row + i] = own->pool[at].block[4 * i];
        }
    }
}

static void count_bytes(const void *store, size_t *matrix, size_t *with_tables)
{
    const lists *own = store;
    *matrix = (size_t)own->n_node * sizeof(node) + (size_t)own->n_row * sizeof(int32_t);
    *with_tables = *matrix + (4 * (size_t)own->n_tet + (size_t)own->n_row + 1) * sizeof(int32_t);
}

const bench_format bench_format_csm = {"CSM",         build_full,  multiply_full,
                                       take_diagonal, count_bytes, release};
const bench_format bench_format_ssm = {"SSM",         build_upper, multiply_upper,
                                       take_diagonal, count_bytes, release};
