/* Numeric factoring. In: blocks of a matrix, a pattern from block_pattern.c. Out: the factor.
 * Left-looking: column j is the matrix' column less what the columns left of it
 * give (George & Liu 1981, chapter 5). */
#define _POSIX_C_SOURCE 200809L
#include "solver/factor/block_cholesky.h"

#include "base/clones.h"

#include <math.h>
#include <sched.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Columns of the top for which a thread is worth while. */
enum { MIN_COLUMNS = 8 };
/* Pivots below this share of what the diagonal was are raised. */
#define MIN_PIVOT 1e-14

/* A column of six and two numbers that follow it in memory: they are computed along and dropped.
 * Arrays of blocks and vectors end with EW_BLOCK_PADDING numbers more. */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));

INLINE void store_six(const eight *from, double *to)
{
    memcpy(to, from, 6 * sizeof *to);
}

/* c -= a b^T, all column-major */
INLINE void subtract_product(const double *a, const double *b, double *c)
{
    eight column[6], left;
    for (int j = 0; j < 6; j++) {
        column[j] = *(const eight *)(c + 6 * j);
    }
    for (int k = 0; k < 6; k++) {
        left = *(const eight *)(a + 6 * k);
        for (int j = 0; j < 6; j++) {
            column[j] -= left * b[6 * k + j];
        }
    }
    for (int j = 0; j < 5; j++) { /* the next column puts right what this one spoils of it */
        *(eight *)(c + 6 * j) = column[j];
    }
    store_six(&column[5], c + 30);
}

bool ew_invert_lower(const double start[36], const double a[36], double inverse[36])
{
    double l[36] = {0.0};
    bool raised = false;
    for (int j = 0; j < 6; j++) {
        double pivot = a[7 * j];
        for (int k = 0; k < j; k++) {
            pivot -= l[6 * k + j] * l[6 * k + j];
        }
        if (!(pivot > MIN_PIVOT * start[7 * j])) {
            pivot = start[7 * j] > 0.0 ? start[7 * j] : 1.0;
            raised = true;
        }
        l[7 * j] = sqrt(pivot);
        for (int i = j + 1; i < 6; i++) {
            double sum = a[6 * j + i];
            for (int k = 0; k < j; k++) {
                sum -= l[6 * k + i] * l[6 * k + j];
            }
            l[6 * j + i] = sum / l[7 * j];
        }
    }
    memset(inverse, 0, 36 * sizeof *inverse);
    for (int j = 0; j < 6; j++) {
        inverse[7 * j] = 1.0 / l[7 * j];
        for (int i = j + 1; i < 6; i++) {
            double sum = 0.0;
            for (int k = j; k < i; k++) {
                sum -= l[6 * k + i] * inverse[6 * j + k];
            }
            inverse[6 * j + i] = sum / l[7 * i];
        }
    }
    return raised;
}

void ew_invert_block(const double a[36], double inverse[36])
{
    double lower[36];
    ew_invert_lower(a, a, lower);
    for (int i = 0; i < 36; i++) { /* W^T W, W by columns */
        const double *left = lower + 6 * (i / 6), *right = lower + 6 * (i % 6);
        double entry = 0.0;
        for (int k = 0; k < 6; k++) {
            entry += left[k] * right[k];
        }
        inverse[i] = entry;
    }
}

/* The matrix' blocks of column j into the factor's room for it. */
static void scatter_column(const ew_block_cholesky *f, const ew_block_source *source, int32_t j,
                           int32_t *map, double *diagonal)
{
    const ew_rows *rows = &source->pattern->row_to_pair;
    const int32_t row = f->order[j], count = rows->count[row];
    const int32_t *item = rows->item + 2 * (size_t)(count ? rows->begin[row] : 0);
    memcpy(diagonal, source->diagonal + 36 * (size_t)row, 36 * sizeof *diagonal);
    memset(f->block + 36 * (size_t)f->begin[j], 0,
           36 * (size_t)(f->begin[j + 1] - f->begin[j]) * sizeof *f->block);
    for (int32_t p = f->begin[j]; p < f->begin[j + 1]; p++) {
        map[f->below[p]] = p;
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k], column = f->column[other];
        if (column < j) {
            continue;
        }
        /* L_(column, j): rows of `other`; column-major of it is row-major of its transpose */
        const double *from = source->pair + 36 * (size_t)item[2 * k + 1];
        double *to = f->block + 36 * (size_t)map[column];
        for (int i = 0; i < 36; i++) {
            to[i] = row < other ? from[i] : from[6 * (i % 6) + i / 6];
        }
    }
}

INLINE void round_blocks(const double *from, float *to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = (float)from[i];
    }
}

/* Until a column left of one's own is there. */
static inline void wait_for(const ew_block_cholesky *f, int32_t column)
{
    enum { SPINS = 1000 };
    for (int32_t k = 1; atomic_load_explicit(&f->dirty[column], memory_order_acquire); k++) {
        if (k % SPINS == 0) {
            sched_yield();
        }
    }
}

EW_CLONES_AVX512 static void factor_column(ew_block_cholesky *f, const ew_block_source *source,
                                           int32_t j, int32_t *map)
{
    double diagonal[36 + EW_BLOCK_PADDING], start[36];
    scatter_column(f, source, j, map, diagonal);
    memcpy(start, diagonal, sizeof start);
    memset(diagonal + 36, 0, EW_BLOCK_PADDING * sizeof *diagonal);
    for (int32_t q = f->row_begin[j]; q < f->row_begin[j + 1]; q++) {
        const int32_t k = f->left[2 * (size_t)q], first = f->left[2 * (size_t)q + 1];
        const double *own = f->block + 36 * (size_t)first;
        wait_for(f, k);
        subtract_product(own, own, diagonal);
        for (int32_t p = first + 1; p < f->begin[k + 1]; p++) {
            subtract_product(f->block + 36 * (size_t)p, own,
                             f->block + 36 * (size_t)map[f->below[p]]);
        }
    }
    double *inverse = f->inverse + 36 * (size_t)j;
    f->raised[j] = ew_invert_lower(start, diagonal, inverse);
    for (int32_t p = f->begin[j]; p < f->begin[j + 1]; p++) {
        double *block = f->block + 36 * (size_t)p, product[36];
        for (int c = 0; c < 6; c++) { /* block inverse^T, whose column c is row c of inverse */
            double sum[6] = {0.0};
            for (int k = 0; k <= c; k++) {
                for (int i = 0; i < 6; i++) {
                    sum[i] += block[6 * k + i] * inverse[6 * k + c];
                }
            }
            memcpy(product + 6 * c, sum, sizeof sum);
        }
        memcpy(block, product, sizeof product);
    }
    if (f->single) {
        const size_t n = (size_t)(f->begin[j + 1] - f->begin[j]);
        round_blocks(f->block + 36 * (size_t)f->begin[j],
                     f->block_single + 36 * (size_t)f->begin[j], 36 * n);
        round_blocks(inverse, f->inverse_single + 36 * (size_t)j, 36);
    }
}

void ew_block_cholesky_mark(ew_block_cholesky *factor, int32_t row_a, int32_t row_b)
{
    const int32_t a = factor->column[row_a], b = factor->column[row_b];
    factor->dirty[a < b ? a : b] = true;
}

void ew_block_cholesky_mark_all(ew_block_cholesky *factor)
{
    memset(factor->dirty, true, (size_t)factor->n * sizeof *factor->dirty);
}

static bool is_below_top(const ew_block_cholesky *f, int32_t j)
{
    return f->parent[j] >= 0 && !f->in_top[j] && f->in_top[f->parent[j]];
}

/* The marked columns of one group. Columns whose parents are in the top stay marked, since groups
 * share those parents. */
static int32_t factor_group(ew_block_cholesky *f, const ew_block_source *source, int32_t group)
{
    int32_t *map = f->map + (size_t)group * (size_t)f->n, n_factored = 0;
    for (int32_t k = f->group_begin[group]; k < f->group_begin[group + 1]; k++) {
        const int32_t j = f->group_column[k];
        if (f->dirty[j]) {
            factor_column(f, source, j, map);
            n_factored++;
            f->dirty[j] = is_below_top(f, j);
            if (f->parent[j] >= 0 && !f->dirty[j]) {
                f->dirty[f->parent[j]] = true;
            }
        }
    }
    return n_factored;
}

/* Marks what is above marked columns in the top; lists those of the top, in f->waiting. */
static int32_t list_marked_top(ew_block_cholesky *f)
{
    int32_t n = 0;
    for (int32_t j = 0; j < f->n; j++) {
        if (f->dirty[j] && is_below_top(f, j)) {
            f->dirty[j] = false;
            f->dirty[f->parent[j]] = true;
        }
    }
    for (int32_t k = f->group_begin[EW_CHOLESKY_GROUPS]; k < f->n; k++) {
        const int32_t j = f->group_column[k];
        if (f->dirty[j]) {
            f->waiting[n++] = j;
            f->dirty[f->parent[j] < 0 ? j : f->parent[j]] = true;
        }
    }
    return n;
}

/* Columns [*next, n) of the list, while others take theirs, too. */
static void factor_some(ew_block_cholesky *f, const ew_block_source *source, int32_t n,
                        int32_t *next, int32_t *map)
{
    for (;;) {
        int32_t k;
#pragma omp atomic capture
        k = (*next)++;
        if (k >= n) {
            return;
        }
        factor_column(f, source, f->waiting[k], map);
        atomic_store_explicit(&f->dirty[f->waiting[k]], false, memory_order_release);
    }
}

/* The marked columns of the top: threads take them in ascending order, and wait for columns left of
 * theirs that others still work on. */
static int32_t factor_top(ew_block_cholesky *f, const ew_block_source *source)
{
    const int32_t n = list_marked_top(f);
    int32_t next = 0;
#pragma omp parallel for schedule(static, 1) num_threads(ew_threads_for(n, MIN_COLUMNS))
    for (int32_t k = 0; k <= EW_CHOLESKY_GROUPS; k++) {
        factor_some(f, source, n, &next, f->map + (size_t)k * (size_t)f->n);
    }
    return n;
}

int32_t ew_block_cholesky_factor(ew_block_cholesky *factor, const ew_block_source *source)
{
    int32_t n_factored = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : n_factored)                             \
    num_threads(ew_threads_for(factor->n, 32))
    for (int32_t g = 0; g < EW_CHOLESKY_GROUPS; g++) {
        n_factored += factor_group(factor, source, g);
    }
    n_factored += factor_top(factor, source);
    factor->n_raised = 0;
    for (int32_t j = 0; j < factor->n; j++) {
        factor->n_raised += factor->raised[j];
    }
    return n_factored;
}

/* Bytes that may be none, and then have no address. */
static bool same(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || a == b || (a && b && memcmp(a, b, bytes) == 0);
}

bool ew_block_cholesky_equals(const ew_block_cholesky *a, const ew_block_cholesky *b)
{
    const size_t n = (size_t)a->n;
    if (a->n != b->n || a->single != b->single || !same(a->order, b->order, n * sizeof *a->order) ||
        !same(a->begin, b->begin, (n + 1) * sizeof *a->begin)) {
        return false;
    }
    const size_t n_block = (size_t)a->begin[n];
    return same(a->below, b->below, n_block * sizeof *a->below) &&
           same(a->block, b->block, 36 * n_block * sizeof *a->block) &&
           same(a->inverse, b->inverse, 36 * n * sizeof *a->inverse) &&
           (!a->single || (same(a->block_single, b->block_single, 36 * n_block * sizeof(float)) &&
                           same(a->inverse_single, b->inverse_single, 36 * n * sizeof(float))));
}
