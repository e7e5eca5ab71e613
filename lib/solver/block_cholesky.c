/* Numeric factoring and the solve. In: blocks of a matrix, a pattern from block_pattern.c. Out:
 * the factor, x. Left-looking: column j is the matrix' column less what the columns left of it
 * give (George & Liu 1981, chapter 5). */
#include "block_cholesky.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__) && !defined(EW_PORTABLE) && defined(__GNUC__)
#define EW_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EW_CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

/* Pivots below this share of what the diagonal was are raised. */
#define MIN_PIVOT 1e-14

/* A column of six and two numbers that follow it in memory: they are computed along and dropped.
 * Arrays of blocks and vectors end with EW_BLOCK_PADDING numbers more. */
typedef double eight __attribute__((vector_size(64), aligned(8), may_alias));
typedef float eight_single __attribute__((vector_size(32), aligned(4), may_alias));

INLINE void load(const double *from, const float *single, eight *to)
{
    if (single) {
        *to = __builtin_convertvector(*(const eight_single *)single, eight);
    } else {
        *to = *(const eight *)from;
    }
}

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

/* Cholesky of the lower triangle, and its inverse; true when a pivot was raised. */
static bool factor_diagonal(const double *start, double *a, double *inverse)
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

/* The matrix' blocks of column j into the factor's room for it. */
static void scatter_column(const ew_block_cholesky *f, const ew_block_source *source, int32_t j,
                           double *diagonal)
{
    const ew_rows *rows = &source->pattern->row_to_pair;
    const int32_t row = f->order[j], count = rows->count[row];
    const int32_t *item = rows->item + 2 * (size_t)(count ? rows->begin[row] : 0);
    memcpy(diagonal, source->diagonal + 36 * (size_t)row, 36 * sizeof *diagonal);
    memset(f->block + 36 * (size_t)f->begin[j], 0,
           36 * (size_t)(f->begin[j + 1] - f->begin[j]) * sizeof *f->block);
    for (int32_t p = f->begin[j]; p < f->begin[j + 1]; p++) {
        f->map[f->below[p]] = p;
    }
    for (int32_t k = 0; k < count; k++) {
        const int32_t other = item[2 * k], column = f->column[other];
        if (column < j) {
            continue;
        }
        /* L_(column, j): rows of `other`; column-major of it is row-major of its transpose */
        const double *from = source->pair + 36 * (size_t)item[2 * k + 1];
        double *to = f->block + 36 * (size_t)f->map[column];
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

EW_CLONES static void factor_column(ew_block_cholesky *f, const ew_block_source *source, int32_t j)
{
    double diagonal[36 + EW_BLOCK_PADDING], start[36];
    scatter_column(f, source, j, diagonal);
    memcpy(start, diagonal, sizeof start);
    memset(diagonal + 36, 0, EW_BLOCK_PADDING * sizeof *diagonal);
    for (int32_t q = f->row_begin[j]; q < f->row_begin[j + 1]; q++) {
        const int32_t k = f->left[2 * (size_t)q], first = f->left[2 * (size_t)q + 1];
        const double *own = f->block + 36 * (size_t)first;
        subtract_product(own, own, diagonal);
        for (int32_t p = first + 1; p < f->begin[k + 1]; p++) {
            subtract_product(f->block + 36 * (size_t)p, own,
                             f->block + 36 * (size_t)f->map[f->below[p]]);
        }
    }
    double *inverse = f->inverse + 36 * (size_t)j;
    f->raised[j] = factor_diagonal(start, diagonal, inverse);
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

int32_t ew_block_cholesky_factor(ew_block_cholesky *factor, const ew_block_source *source)
{
    int32_t n_factored = 0;
    factor->n_raised = 0;
    for (int32_t j = 0; j < factor->n; j++) {
        if (factor->dirty[j]) {
            factor_column(factor, source, j);
            factor->dirty[j] = false;
            n_factored++;
            if (factor->parent[j] >= 0) {
                factor->dirty[factor->parent[j]] = true;
            }
        }
        factor->n_raised += factor->raised[j];
    }
    return n_factored;
}

/* ---- the solve --------------------------------------------------------- */

/* y = A x, or y -= A x */
INLINE void multiply(const double *a, const float *single, const double *x, double *y,
                     bool subtract)
{
    eight sum = {0.0}, column;
    for (int k = 0; k < 6; k++) {
        load(a + 6 * k, single ? single + 6 * k : NULL, &column);
        sum += column * x[k];
    }
    if (subtract) {
        sum = *(const eight *)y - sum;
    }
    store_six(&sum, y);
}

/* sum[k] += column k of A, times x: the products of A^T x, not yet added up */
INLINE void multiply_transposed(const double *a, const float *single, const double *x, eight *sum)
{
    const eight v = *(const eight *)x;
    eight column;
    for (int k = 0; k < 6; k++) {
        load(a + 6 * k, single ? single + 6 * k : NULL, &column);
        sum[k] += column * v;
    }
}

INLINE double add_up(const eight *s)
{
    return (((*s)[0] + (*s)[1]) + ((*s)[2] + (*s)[3])) + ((*s)[4] + (*s)[5]);
}

INLINE void solve_with(const ew_block_cholesky *f, bool single, double *work)
{
    const ew_block_cholesky own = *f; /* which no store to work can touch */
    for (int32_t j = 0; j < own.n; j++) {
        double *x = work + 6 * (size_t)j, y[6 + EW_BLOCK_PADDING];
        multiply(own.inverse + 36 * (size_t)j, single ? own.inverse_single + 36 * (size_t)j : NULL,
                 x, y, false);
        memcpy(x, y, 6 * sizeof *x);
        for (int32_t p = own.begin[j]; p < own.begin[j + 1]; p++) {
            const size_t at = 36 * (size_t)p;
            multiply(own.block + at, single ? own.block_single + at : NULL, y,
                     work + 6 * (size_t)own.below[p], true);
        }
    }
    for (int32_t j = own.n - 1; j >= 0; j--) {
        double *x = work + 6 * (size_t)j;
        eight sum[6] = {{0.0}}, last[6] = {{0.0}};
        for (int32_t p = own.begin[j]; p < own.begin[j + 1]; p++) {
            const size_t at = 36 * (size_t)p;
            multiply_transposed(own.block + at, single ? own.block_single + at : NULL,
                                work + 6 * (size_t)own.below[p], sum);
        }
        for (int k = 0; k < 6; k++) {
            x[k] -= add_up(&sum[k]);
        }
        multiply_transposed(own.inverse + 36 * (size_t)j,
                            single ? own.inverse_single + 36 * (size_t)j : NULL, x, last);
        for (int k = 0; k < 6; k++) {
            x[k] = add_up(&last[k]);
        }
    }
}

EW_CLONES static void solve_single(const ew_block_cholesky *f, double *work)
{
    solve_with(f, true, work);
}

EW_CLONES static void solve_double(const ew_block_cholesky *f, double *work)
{
    solve_with(f, false, work);
}

void ew_block_cholesky_solve(const ew_block_cholesky *factor, double *x, double *work)
{
    for (int32_t j = 0; j < factor->n; j++) {
        memcpy(work + 6 * (size_t)j, x + 6 * (size_t)factor->order[j], 6 * sizeof *x);
    }
    if (factor->single) {
        solve_single(factor, work);
    } else {
        solve_double(factor, work);
    }
    for (int32_t j = 0; j < factor->n; j++) {
        memcpy(x + 6 * (size_t)factor->order[j], work + 6 * (size_t)j, 6 * sizeof *x);
    }
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
