/* The pattern of a factor. In: a pattern and an order of elimination. Out: elimination tree,
 * columns and rows of blocks; values of columns that stay as they were are taken along. */
#include "solver/factor/block_cholesky.h"

#include <stdlib.h>
#include <string.h>

typedef struct symbolic {
    const ew_pattern *pattern;
    ew_block_cholesky *to;
    int32_t capacity;         /* of `below` */
    int32_t *child, *sibling; /* [n] owned: lists of children, -1 ends */
    int32_t *mark;            /* [n] owned: the last column that met this one */
} symbolic;

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static ew_status add_row_below(symbolic *in, int32_t j, int32_t column, int32_t *n)
{
    if (column > j && in->mark[column] != j) {
        in->mark[column] = j;
        EW_TRY(ew_grow(&in->to->below, &in->capacity, (int64_t)*n + 1, sizeof *in->to->below));
        in->to->below[(*n)++] = column;
    }
    return EW_OK;
}

/* Blocks of column j: those of the matrix, and those of its children but for j itself. */
static ew_status find_column(symbolic *in, int32_t j)
{
    ew_block_cholesky *to = in->to;
    const ew_rows *rows = &in->pattern->row_to_pair;
    const int32_t row = to->order[j];
    int32_t n = to->begin[j];
    for (int32_t k = 0; k < rows->count[row]; k++) {
        const int32_t other = rows->item[2 * ((size_t)rows->begin[row] + (size_t)k)];
        EW_TRY(add_row_below(in, j, to->column[other], &n));
    }
    for (int32_t c = in->child[j]; c >= 0; c = in->sibling[c]) {
        for (int32_t p = to->begin[c]; p < to->begin[c + 1]; p++) {
            EW_TRY(add_row_below(in, j, to->below[p], &n));
        }
    }
    to->begin[j + 1] = n;
    to->parent[j] = -1;
    if (n > to->begin[j]) {
        qsort(to->below + to->begin[j], (size_t)(n - to->begin[j]), sizeof(int32_t), by_number);
        const int32_t parent = to->below[to->begin[j]];
        to->parent[j] = parent;
        in->sibling[j] = in->child[parent];
        in->child[parent] = j;
    }
    return EW_OK;
}

static ew_status find_columns(symbolic *in)
{
    const size_t n = (size_t)in->to->n;
    EW_TRY(ew_new(&in->child, n, sizeof *in->child));
    EW_TRY(ew_new(&in->sibling, n, sizeof *in->sibling));
    EW_TRY(ew_new(&in->mark, n, sizeof *in->mark));
    memset(in->child, 0xff, n * sizeof *in->child);
    memset(in->mark, 0xff, n * sizeof *in->mark);
    in->to->begin[0] = 0;
    for (int32_t j = 0; j < in->to->n; j++) {
        EW_TRY(find_column(in, j));
    }
    return EW_OK;
}

static ew_status find_rows(ew_block_cholesky *to)
{
    const int32_t n_block = to->begin[to->n];
    EW_TRY(ew_new_zero(&to->row_begin, (size_t)to->n + 2, sizeof *to->row_begin));
    EW_TRY(ew_new(&to->left, 2 * (size_t)n_block, sizeof *to->left));
    int32_t *next = to->row_begin + 1; /* becomes the begin of the next row */
    for (int32_t p = 0; p < n_block; p++) {
        next[to->below[p] + 1]++;
    }
    for (int32_t j = 0; j < to->n; j++) {
        next[j + 1] += next[j];
    }
    for (int32_t j = 0; j < to->n; j++) {
        for (int32_t p = to->begin[j]; p < to->begin[j + 1]; p++) {
            int32_t *item = to->left + 2 * (size_t)next[to->below[p]]++;
            item[0] = j;
            item[1] = p;
        }
    }
    return EW_OK;
}

static ew_status make_room(ew_block_cholesky *to, bool single)
{
    const size_t n = (size_t)to->n, n_block = (size_t)to->begin[to->n];
    EW_TRY(ew_new(&to->block, 36 * n_block + EW_BLOCK_PADDING, sizeof *to->block));
    EW_TRY(ew_new(&to->inverse, 36 * n + EW_BLOCK_PADDING, sizeof *to->inverse));
    memset(to->block + 36 * n_block, 0, EW_BLOCK_PADDING * sizeof *to->block);
    memset(to->inverse + 36 * n, 0, EW_BLOCK_PADDING * sizeof *to->inverse);
    if (single) {
        EW_TRY(
            ew_new(&to->block_single, 36 * n_block + EW_BLOCK_PADDING, sizeof *to->block_single));
        EW_TRY(ew_new(&to->inverse_single, 36 * n + EW_BLOCK_PADDING, sizeof *to->inverse_single));
        memset(to->block_single + 36 * n_block, 0, EW_BLOCK_PADDING * sizeof(float));
        memset(to->inverse_single + 36 * n, 0, EW_BLOCK_PADDING * sizeof(float));
    }
    EW_TRY(ew_new(&to->map, (EW_CHOLESKY_GROUPS + 1) * n, sizeof *to->map));
    EW_TRY(ew_new(&to->dirty, n, sizeof *to->dirty));
    EW_TRY(ew_new(&to->waiting, n, sizeof *to->waiting));
    EW_TRY(ew_new_zero(&to->raised, n, sizeof *to->raised));
    memset(to->dirty, true, n * sizeof *to->dirty);
    return EW_OK;
}

static bool is_same_column(const ew_block_cholesky *a, const ew_block_cholesky *b, int32_t j)
{
    const int32_t n = a->begin[j + 1] - a->begin[j];
    return n == b->begin[j + 1] - b->begin[j] &&
           memcmp(a->below + a->begin[j], b->below + b->begin[j], (size_t)n * sizeof *a->below) ==
               0;
}

static void take_column(ew_block_cholesky *to, const ew_block_cholesky *from, int32_t j)
{
    const size_t n = 36 * (size_t)(to->begin[j + 1] - to->begin[j]);
    const size_t at = 36 * (size_t)to->begin[j], old = 36 * (size_t)from->begin[j];
    memcpy(to->block + at, from->block + old, n * sizeof *to->block);
    memcpy(to->inverse + 36 * (size_t)j, from->inverse + 36 * (size_t)j, 36 * sizeof(double));
    if (to->single) {
        memcpy(to->block_single + at, from->block_single + old, n * sizeof *to->block_single);
        memcpy(to->inverse_single + 36 * (size_t)j, from->inverse_single + 36 * (size_t)j,
               36 * sizeof(float));
    }
    to->raised[j] = from->raised[j];
    to->dirty[j] = from->dirty[j];
}

/* A column that had a block of another and has it no more is no longer below it in the tree; it
 * must be factored, too. */
static void take_values(ew_block_cholesky *to, const ew_block_cholesky *from)
{
    int32_t n = 0;
    while (n < from->n && n < to->n && from->order[n] == to->order[n]) {
        n++;
    }
    for (int32_t j = 0; j < n; j++) {
        if (is_same_column(to, from, j)) {
            take_column(to, from, j);
        }
    }
    for (int32_t j = 0; j < from->n; j++) {
        if (j >= n || !is_same_column(to, from, j)) {
            for (int32_t p = from->begin[j]; p < from->begin[j + 1]; p++) {
                if (from->below[p] < to->n) {
                    to->dirty[from->below[p]] = true;
                }
            }
        }
    }
}

ew_status ew_block_cholesky_analyze(ew_block_cholesky *factor, const ew_pattern *pattern, int32_t n,
                                    const int32_t *order)
{
    ew_block_cholesky fresh = {.n = n, .single = factor->single};
    symbolic in = {.pattern = pattern, .to = &fresh};
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&fresh.order, (size_t)n, sizeof *fresh.order));
    EW_TRY_OUT(ew_new(&fresh.column, (size_t)n, sizeof *fresh.column));
    EW_TRY_OUT(ew_new(&fresh.parent, (size_t)n, sizeof *fresh.parent));
    EW_TRY_OUT(ew_new(&fresh.begin, (size_t)n + 1, sizeof *fresh.begin));
    for (int32_t j = 0; j < n; j++) {
        fresh.order[j] = order[j];
        fresh.column[order[j]] = j;
    }
    EW_TRY_OUT(find_columns(&in));
    EW_TRY_OUT(find_rows(&fresh));
    EW_TRY_OUT(make_room(&fresh, fresh.single));
    EW_TRY_OUT(ew_block_cholesky_group(&fresh));
    take_values(&fresh, factor);
    ew_block_cholesky_free(factor);
    *factor = fresh;
    fresh = (ew_block_cholesky){0};
out:
    ew_block_cholesky_free(&fresh);
    ew_release(in.child);
    ew_release(in.sibling);
    ew_release(in.mark);
    return status;
}

void ew_block_cholesky_free(ew_block_cholesky *factor)
{
    ew_release(factor->order);
    ew_release(factor->column);
    ew_release(factor->parent);
    ew_release(factor->begin);
    ew_release(factor->below);
    ew_release(factor->row_begin);
    ew_release(factor->left);
    ew_release(factor->block);
    ew_release(factor->inverse);
    ew_release(factor->block_single);
    ew_release(factor->inverse_single);
    ew_release(factor->dirty);
    ew_release(factor->waiting);
    ew_release(factor->map);
    ew_release(factor->raised);
    ew_release(factor->group_column);
    ew_release(factor->begin_top);
    ew_release(factor->in_top);
    *factor = (ew_block_cholesky){0};
}

size_t ew_block_cholesky_bytes(const ew_block_cholesky *factor)
{
    const size_t n = (size_t)factor->n, n_block = n ? (size_t)factor->begin[n] : 0;
    const size_t scalar = sizeof(double) + (factor->single ? sizeof(float) : 0);
    return (n + n_block) * 36 * scalar + n_block * 3 * sizeof(int32_t) +
           n * (10 + EW_CHOLESKY_GROUPS) * sizeof(int32_t);
}
