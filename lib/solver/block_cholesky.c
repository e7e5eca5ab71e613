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
#define LEAST_PIVOT 1e-14

/* c -= a b^T, all column-major */
INLINE void subtract_product(const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int j = 0; j < 6; j++) {
        double sum[6];
        for (int i = 0; i < 6; i++) {
            sum[i] = a[i] * b[j];
        }
        for (int k = 1; k < 6; k++) {
            for (int i = 0; i < 6; i++) {
                sum[i] += a[6 * k + i] * b[6 * k + j];
            }
        }
        for (int i = 0; i < 6; i++) {
            c[6 * j + i] -= sum[i];
        }
    }
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
        if (!(pivot > LEAST_PIVOT * start[7 * j])) {
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
    double diagonal[36], start[36];
    scatter_column(f, source, j, diagonal);
    memcpy(start, diagonal, sizeof start);
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
INLINE void multiply(const double *a, const float *single, const double *restrict x,
                     double *restrict y, bool subtract)
{
    double sum[6] = {0.0};
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 6; i++) {
            sum[i] += (single ? (double)single[6 * k + i] : a[6 * k + i]) * x[k];
        }
    }
    for (int i = 0; i < 6; i++) {
        y[i] = subtract ? y[i] - sum[i] : sum[i];
    }
}

/* sum[6 k + i] += A[k][i] x[i]: the products of A^T x, not yet added up over i */
INLINE void multiply_transposed(const double *a, const float *single, const double *restrict x,
                                double *restrict sum)
{
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 6; i++) {
            sum[6 * k + i] += (single ? (double)single[6 * k + i] : a[6 * k + i]) * x[i];
        }
    }
}

INLINE void add_up(const double *sum, double *y, double sign)
{
    for (int k = 0; k < 6; k++) {
        const double *s = sum + 6 * k;
        y[k] += sign * (((s[0] + s[1]) + (s[2] + s[3])) + (s[4] + s[5]));
    }
}

INLINE void solve_with(const ew_block_cholesky *f, bool single, double *work)
{
    for (int32_t j = 0; j < f->n; j++) {
        double x[6];
        const size_t own = 36 * (size_t)j;
        multiply(f->inverse + own, single ? f->inverse_single + own : NULL, work + 6 * (size_t)j, x,
                 false);
        memcpy(work + 6 * (size_t)j, x, sizeof x);
        for (int32_t p = f->begin[j]; p < f->begin[j + 1]; p++) {
            const size_t at = 36 * (size_t)p;
            multiply(f->block + at, single ? f->block_single + at : NULL, x,
                     work + 6 * (size_t)f->below[p], true);
        }
    }
    for (int32_t j = f->n - 1; j >= 0; j--) {
        double sum[36] = {0.0}, *x = work + 6 * (size_t)j, y[6] = {0.0};
        const size_t own = 36 * (size_t)j;
        for (int32_t p = f->begin[j]; p < f->begin[j + 1]; p++) {
            const size_t at = 36 * (size_t)p;
            multiply_transposed(f->block + at, single ? f->block_single + at : NULL,
                                work + 6 * (size_t)f->below[p], sum);
        }
        add_up(sum, x, -1.0);
        memset(sum, 0, sizeof sum);
        multiply_transposed(f->inverse + own, single ? f->inverse_single + own : NULL, x, sum);
        add_up(sum, y, 1.0);
        memcpy(x, y, sizeof y);
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

bool ew_block_cholesky_equals(const ew_block_cholesky *a, const ew_block_cholesky *b)
{
    const size_t n = (size_t)a->n;
    if (a->n != b->n || a->single != b->single ||
        memcmp(a->order, b->order, n * sizeof *a->order) != 0 ||
        memcmp(a->begin, b->begin, (n + 1) * sizeof *a->begin) != 0) {
        return false;
    }
    const size_t n_block = (size_t)a->begin[n];
    return memcmp(a->below, b->below, n_block * sizeof *a->below) == 0 &&
           memcmp(a->block, b->block, 36 * n_block * sizeof *a->block) == 0 &&
           memcmp(a->inverse, b->inverse, 36 * n * sizeof *a->inverse) == 0 &&
           (!a->single ||
            (memcmp(a->block_single, b->block_single, 36 * n_block * sizeof(float)) == 0 &&
             memcmp(a->inverse_single, b->inverse_single, 36 * n * sizeof(float)) == 0));
}
