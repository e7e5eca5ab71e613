/* The dense inverse of a sparse Cholesky factor, for devices, which multiply faster than they
 * substitute. In: L by blocks. Out: W = L^-1, so that (L L^T)^-1 = W^T W, which stays positive
 * definite however W is rounded. */
#include "solver/factor/block_cholesky.h"

#include <string.h>

/* to -= A X, A by columns, X and `to` by rows. */
static inline void subtract_product(const double a[36], const double x[36], double to[36])
{
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 6; i++) {
            for (int c = 0; c < 6; c++) {
                to[6 * i + c] -= a[6 * k + i] * x[6 * k + c];
            }
        }
    }
}

/* Block (i, j) of W: nothing above its diagonal. */
static void get_block(const double *dense, size_t n, int32_t i, int32_t j, double block[36])
{
    const double *from = dense + 6 * (size_t)i * n + 6 * (size_t)j;
    for (size_t r = 0; r < 6; r++) {
        for (size_t c = 0; c < 6; c++) {
            block[6 * r + c] = i == j && c > r ? 0.0 : from[r * n + c];
        }
    }
}

/* Block (i, j) of W below the diagonal and its transpose above it. */
static void put_block(const double block[36], int32_t i, int32_t j, size_t n, double *dense)
{
    for (size_t r = 0; r < 6; r++) {
        for (size_t c = 0; c < 6; c++) {
            const size_t row = 6 * (size_t)i + r, column = 6 * (size_t)j + c;
            if (row >= column) {
                dense[row * n + column] = dense[column * n + row] = block[6 * r + c];
            }
        }
    }
}

/* Column j of L W = I, down its path to the root: W is zero elsewhere. */
static void invert_column(const ew_block_cholesky *f, int32_t j, double *dense)
{
    const size_t n = 6 * (size_t)f->n;
    for (int32_t i = j; i >= 0; i = f->parent[i]) {
        double sum[36] = {0.0}, block[36]; /* sum: (I - L W)_ij without its last term */
        for (int k = 0; k < 6 && i == j; k++) {
            sum[7 * k] = 1.0;
        }
        for (int32_t p = f->row_begin[i + 1] - 1; p >= f->row_begin[i]; p--) {
            const int32_t *left = f->left + 2 * (size_t)p;
            if (left[0] < j) {
                break;
            }
            get_block(dense, n, left[0], j, block);
            subtract_product(f->block + 36 * (size_t)left[1], block, sum);
        }
        memset(block, 0, sizeof block);
        for (int k = 0; k < 6; k++) {
            for (int r = k; r < 6; r++) {
                for (int c = 0; c < 6; c++) {
                    block[6 * r + c] +=
                        f->inverse[36 * (size_t)i + 6 * (size_t)k + (size_t)r] * sum[6 * k + c];
                }
            }
        }
        put_block(block, i, j, n, dense);
    }
}

void ew_block_cholesky_invert(const ew_block_cholesky *factor, double *dense)
{
    const size_t n = 6 * (size_t)factor->n;
    memset(dense, 0, n * n * sizeof *dense);
#pragma omp parallel for schedule(dynamic, 8) num_threads(ew_threads()) if (factor->n > 16)
    for (int32_t j = 0; j < factor->n; j++) {
        invert_column(factor, j, dense);
    }
}
