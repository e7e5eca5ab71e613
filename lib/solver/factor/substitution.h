/* substitution: private to solver. Forward and backward substitution with a block Cholesky factor,
 * stage by stage, to be compiled for several machines (block_solve.c, smoother_avx2.c). */
#ifndef EW_SOLVER_SUBSTITUTION_H
#define EW_SOLVER_SUBSTITUTION_H

#include "solver/factor/block_cholesky.h"
#include "solver/smoother/lanes.h"

/* Of a group forward; what groups give to a row of the top; the top forward and backward, or
 * forward alone; of a group backward. */
typedef enum ew_substitution_stage {
    EW_FORWARD_GROUP,
    EW_GATHER_TOP_ROW,
    EW_SOLVE_TOP,
    EW_FORWARD_TOP,
    EW_BACKWARD_GROUP
} ew_substitution_stage;

/* Compiled for AVX2, with the same bits; where the compiler has no such thing it must not be
 * called. (smoother_avx2.c) */
void ew_substitute_avx2(const ew_block_cholesky *factor, ew_substitution_stage stage, int32_t which,
                        double *work);

/* A column of six, and two numbers that follow it in memory, finite. Vectors have eight numbers a
 * row, of which the last two are zero; blocks end with EW_BLOCK_PADDING. */
typedef struct ew_eight {
    ew_four low, high;
} ew_eight;

typedef struct ew_factor_blocks {
    const double *in_double; /* of L_ji or of the inverses of L_ii; one of the two is null */
    const float *in_single;
} ew_factor_blocks;

EW_INLINE void ew_load_column(const ew_factor_blocks *blocks, size_t at, ew_eight *to)
{
    if (blocks->in_single) {
        ew_load_single(blocks->in_single + at, &to->low);
        ew_load_single(blocks->in_single + at + 4, &to->high);
    } else {
        to->low = *(const ew_four *)(blocks->in_double + at);
        to->high = *(const ew_four *)(blocks->in_double + at + 4);
    }
}

EW_INLINE void ew_load_eight(const double *from, ew_eight *to)
{
    to->low = *(const ew_four *)from;
    to->high = *(const ew_four *)(from + 4);
}

/* Zeros beyond the six. */
EW_INLINE void ew_store_eight(const ew_eight *from, double *to)
{
    *(ew_four *)to = from->low;
    *(ew_four *)(to + 4) = (ew_four){from->high[0], from->high[1], 0.0, 0.0};
}

/* sum += A x, in two halves whose additions do not wait for each other. */
EW_INLINE void ew_multiply_block(const ew_factor_blocks *blocks, int32_t block, const double *x,
                                 ew_eight *sum)
{
    const size_t at = 36 * (size_t)block;
    ew_eight column, odd = {{0.0}, {0.0}};
    ew_four xk;
    for (size_t k = 0; k < 6; k += 2) {
        ew_load_column(blocks, at + 6 * k, &column);
        ew_spread(x[k], &xk);
        sum->low += column.low * xk;
        sum->high += column.high * xk;
        ew_load_column(blocks, at + 6 * k + 6, &column);
        ew_spread(x[k + 1], &xk);
        odd.low += column.low * xk;
        odd.high += column.high * xk;
    }
    sum->low += odd.low;
    sum->high += odd.high;
}

/* sum[k] += column k of A, times x: the products of A^T x, not yet added up. */
EW_INLINE void ew_multiply_transposed(const ew_factor_blocks *blocks, int32_t block,
                                      const double *x, ew_four sum[6])
{
    const size_t at = 36 * (size_t)block;
    ew_eight v, column;
    ew_load_eight(x, &v);
    for (size_t k = 0; k < 6; k++) {
        ew_load_column(blocks, at + 6 * k, &column);
        sum[k] += column.low * v.low;
        sum[k] += column.high * v.high;
    }
}

EW_INLINE void ew_add_columns(const ew_four sum[6], ew_eight *to)
{
    ew_add_across(&sum[0], &sum[1], &sum[2], &to->low);
    ew_add_across(&sum[3], &sum[4], &sum[5], &to->high);
    to->low = (ew_four){to->low[0], to->low[1], to->low[2], to->high[0]};
    to->high = (ew_four){to->high[1], to->high[2], 0.0, 0.0};
}

/* ---- columns ------------------------------------------------------------- */

typedef struct ew_substitution {
    ew_block_cholesky factor; /* a copy, which no store to `work` can touch */
    ew_factor_blocks block, inverse;
    double *work;
} ew_substitution;

/* x_j = L_jj^-1 x_j, and what it gives to the rows of blocks before `end`. */
EW_INLINE void ew_substitute_column(const ew_substitution *in, int32_t j, int32_t end)
{
    double *x = in->work + 8 * (size_t)j;
    ew_eight y = {{0.0}, {0.0}}, at;
    ew_multiply_block(&in->inverse, j, x, &y);
    ew_store_eight(&y, x);
    for (int32_t p = in->factor.begin[j]; p < end; p++) {
        double *to = in->work + 8 * (size_t)in->factor.below[p];
        ew_eight sum = {{0.0}, {0.0}};
        ew_multiply_block(&in->block, p, x, &sum);
        ew_load_eight(to, &at);
        at.low -= sum.low;
        at.high -= sum.high;
        ew_store_eight(&at, to);
    }
}

EW_INLINE void ew_substitute_column_back(const ew_substitution *in, int32_t j)
{
    double *x = in->work + 8 * (size_t)j;
    ew_four sum[6] = {{0.0}}, last[6] = {{0.0}};
    ew_eight at, minus;
    for (int32_t p = in->factor.begin[j]; p < in->factor.begin[j + 1]; p++) {
        ew_multiply_transposed(&in->block, p, in->work + 8 * (size_t)in->factor.below[p], sum);
    }
    ew_add_columns(sum, &minus);
    ew_load_eight(x, &at);
    at.low -= minus.low;
    at.high -= minus.high;
    ew_store_eight(&at, x);
    ew_multiply_transposed(&in->inverse, j, x, last);
    ew_add_columns(last, &at);
    ew_store_eight(&at, x);
}

/* Contributions of the columns of groups to row i of the top. */
EW_INLINE void ew_gather_top_row(const ew_substitution *in, int32_t i)
{
    double *to = in->work + 8 * (size_t)i;
    ew_eight sum = {{0.0}, {0.0}}, at;
    for (int32_t q = in->factor.row_begin[i]; q < in->factor.row_begin[i + 1]; q++) {
        const int32_t *left = in->factor.left + 2 * (size_t)q;
        if (!in->factor.in_top[left[0]]) {
            ew_multiply_block(&in->block, left[1], in->work + 8 * (size_t)left[0], &sum);
        }
    }
    ew_load_eight(to, &at);
    at.low -= sum.low;
    at.high -= sum.high;
    ew_store_eight(&at, to);
}

EW_INLINE void ew_run_stage(const ew_substitution *in, ew_substitution_stage stage, int32_t which)
{
    const ew_block_cholesky *f = &in->factor;
    const int32_t *column = f->group_column;
    const bool of_top = stage == EW_SOLVE_TOP || stage == EW_FORWARD_TOP;
    const int32_t group = of_top ? EW_CHOLESKY_GROUPS : which;
    const int32_t top = f->group_begin[EW_CHOLESKY_GROUPS];
    if (stage == EW_GATHER_TOP_ROW) {
        ew_gather_top_row(in, column[top + which]);
        return;
    }
    for (int32_t k = f->group_begin[group]; k < f->group_begin[group + 1]; k++) {
        if (stage != EW_BACKWARD_GROUP) {
            ew_substitute_column(in, column[k],
                                 of_top ? f->begin[column[k] + 1] : f->begin_top[column[k]]);
        }
    }
    for (int32_t k = f->group_begin[group + 1] - 1; k >= f->group_begin[group]; k--) {
        if (stage == EW_SOLVE_TOP || stage == EW_BACKWARD_GROUP) {
            ew_substitute_column_back(in, column[k]);
        }
    }
}

EW_INLINE void ew_substitute_any(const ew_block_cholesky *factor, ew_substitution_stage stage,
                                 int32_t which, double *work)
{
    ew_substitution in = {.factor = *factor, .work = work};
    if (factor->single) {
        in.block = (ew_factor_blocks){NULL, factor->block_single};
        in.inverse = (ew_factor_blocks){NULL, factor->inverse_single};
        ew_run_stage(&in, stage, which);
    } else {
        in.block = (ew_factor_blocks){factor->block, NULL};
        in.inverse = (ew_factor_blocks){factor->inverse, NULL};
        ew_run_stage(&in, stage, which);
    }
}

#endif
