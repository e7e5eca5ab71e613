/* intermediate_level_pass: private to solver. The sweeps over aggregates of a cycle of the
 * intermediate level, to be compiled for several machines (intermediate_level_solve.c,
 * smoother_avx2.c). A pair's block is stored for its lower row a, K_ab by rows: read by columns it
 * is K_ba. */
#ifndef EW_SOLVER_INTERMEDIATE_LEVEL_PASS_H
#define EW_SOLVER_INTERMEDIATE_LEVEL_PASS_H

#include "solver/factor/substitution.h"
#include "solver/multilevel/intermediate_level.h"

typedef enum ew_intermediate_stage {
    EW_INTERMEDIATE_FORWARD,  /* of a chunk: y and step from b and x */
    EW_INTERMEDIATE_RESTRICT, /* of an aggregate: its residual, to `out` */
    EW_INTERMEDIATE_BACKWARD  /* of a chunk: x from b and y */
} ew_intermediate_stage;

typedef struct ew_intermediate_task {
    const ew_intermediate_level *of;
    const ew_pattern *pattern; /* of aggregates */
    bool from_zero;            /* x is zero, whatever stands there */
    double *out;               /* [8] */
} ew_intermediate_task;

/* Compiled for AVX2, with the same bits. (smoother_avx2.c) */
void ew_middle_avx2(ew_intermediate_stage stage, const ew_intermediate_task *task, int32_t which);

typedef struct ew_intermediate_blocks {
    ew_factor_blocks block, inverse;
} ew_intermediate_blocks;

/* Sum of K x over neighbors: what is summed at once, and columns still apart. */
typedef struct ew_intermediate_sum {
    ew_eight whole;
    ew_four column[6];
} ew_intermediate_sum;

/* sum += K_ia x_a over the items [first, last) of row i. */
EW_INLINE void ew_intermediate_add(const ew_factor_blocks *block, const int32_t *item,
                                   int32_t first, int32_t last, int32_t i, const double *x,
                                   ew_intermediate_sum *sum)
{
    for (int32_t k = first; k < last; k++) {
        const double *from = x + 8 * (size_t)item[2 * k];
        if (item[2 * k] < i) {
            ew_multiply_block(block, item[2 * k + 1], from, &sum->whole);
        } else {
            ew_multiply_transposed(block, item[2 * k + 1], from, sum->column);
        }
    }
}

/* Items of a row: across, inside before it, inside behind it, across again. */
typedef struct ew_intermediate_items {
    const int32_t *item;
    int32_t inside, behind, across, n;
} ew_intermediate_items;

EW_INLINE ew_intermediate_items ew_intermediate_items_of(const ew_pattern *pattern, int32_t i)
{
    const int32_t begin = i - i % EW_INTERMEDIATE_CHUNK, end = begin + EW_INTERMEDIATE_CHUNK;
    ew_intermediate_items of = {.behind = pattern->n_lower[i]};
    of.item = ew_pattern_items(pattern, i, &of.n);
    while (of.inside < of.behind && of.item[2 * of.inside] < begin) {
        of.inside++;
    }
    of.across = of.behind;
    while (of.across < of.n && of.item[2 * of.across] < end) {
        of.across++;
    }
    return of;
}

/* to = start + extra x - sum */
EW_INLINE void ew_intermediate_finish(const ew_intermediate_sum *sum, const double *start,
                                      double extra, const double *x, ew_eight *to)
{
    ew_eight columns, from = {{0.0}, {0.0}}, own;
    ew_four t;
    ew_add_columns(sum->column, &columns);
    ew_load_eight(x, &own);
    if (start) {
        ew_load_eight(start, &from);
    }
    ew_spread(extra, &t);
    to->low = (from.low + t * own.low) - (sum->whole.low + columns.low);
    to->high = (from.high + t * own.high) - (sum->whole.high + columns.high);
}

EW_INLINE void ew_intermediate_forward_row(const ew_intermediate_task *in,
                                           const ew_intermediate_blocks *by, int32_t i)
{
    static const double zero[8] = {0.0};
    const ew_intermediate_level *m = in->of;
    const ew_intermediate_items at = ew_intermediate_items_of(in->pattern, i);
    const size_t own = 8 * (size_t)i;
    const double *x = in->from_zero ? zero : m->x + own;
    ew_intermediate_sum sum = {{{0.0}, {0.0}}, {{0.0}}};
    ew_eight s, y = {{0.0}, {0.0}}, before;
    double start[8];
    ew_intermediate_add(&by->block, at.item, at.inside, at.behind, i, m->y, &sum);
    if (!in->from_zero) {
        ew_intermediate_add(&by->block, at.item, 0, at.inside, i, m->x, &sum);
        ew_intermediate_add(&by->block, at.item, at.behind, at.n, i, m->x, &sum);
    }
    ew_intermediate_finish(&sum, m->b + own, m->extra[i], x, &s);
    ew_store_eight(&s, start);
    ew_multiply_block(&by->inverse, i, start, &y);
    ew_store_eight(&y, m->y + own);
    ew_load_eight(x, &before);
    y.low -= before.low;
    y.high -= before.high;
    ew_store_eight(&y, m->step + own);
}

/* The residual after the forward sweep: T step - (L^T + C) step. */
EW_INLINE void ew_intermediate_restrict_row(const ew_intermediate_task *in,
                                            const ew_intermediate_blocks *by, int32_t i)
{
    const ew_intermediate_level *m = in->of;
    const ew_intermediate_items at = ew_intermediate_items_of(in->pattern, i);
    ew_intermediate_sum sum = {{{0.0}, {0.0}}, {{0.0}}};
    ew_eight rest;
    ew_intermediate_add(&by->block, at.item, 0, at.inside, i, m->step, &sum);
    ew_intermediate_add(&by->block, at.item, at.behind, at.n, i, m->step, &sum);
    ew_intermediate_finish(&sum, NULL, m->extra[i], m->step + 8 * (size_t)i, &rest);
    ew_store_eight(&rest, in->out);
}

EW_INLINE void ew_intermediate_backward_row(const ew_intermediate_task *in,
                                            const ew_intermediate_blocks *by, int32_t i)
{
    const ew_intermediate_level *m = in->of;
    const ew_intermediate_items at = ew_intermediate_items_of(in->pattern, i);
    const size_t own = 8 * (size_t)i;
    ew_intermediate_sum sum = {{{0.0}, {0.0}}, {{0.0}}};
    ew_eight s, x = {{0.0}, {0.0}};
    double start[8];
    ew_intermediate_add(&by->block, at.item, 0, at.behind, i, m->y, &sum);
    ew_intermediate_add(&by->block, at.item, at.behind, at.across, i, m->x, &sum);
    ew_intermediate_add(&by->block, at.item, at.across, at.n, i, m->y, &sum);
    ew_intermediate_finish(&sum, m->b + own, m->extra[i], m->y + own, &s);
    ew_store_eight(&s, start);
    ew_multiply_block(&by->inverse, i, start, &x);
    ew_store_eight(&x, m->x + own);
}

EW_INLINE void ew_intermediate_run(ew_intermediate_stage stage, const ew_intermediate_task *in,
                                   const ew_intermediate_blocks *by, int32_t which)
{
    const int32_t begin = which * EW_INTERMEDIATE_CHUNK, n = in->of->n - begin;
    const int32_t end = begin + (n < EW_INTERMEDIATE_CHUNK ? n : EW_INTERMEDIATE_CHUNK);
    if (stage == EW_INTERMEDIATE_RESTRICT) {
        ew_intermediate_restrict_row(in, by, which);
        return;
    }
    for (int32_t i = begin; i < end && stage == EW_INTERMEDIATE_FORWARD; i++) {
        ew_intermediate_forward_row(in, by, i);
    }
    for (int32_t i = end - 1; i >= begin && stage == EW_INTERMEDIATE_BACKWARD; i--) {
        ew_intermediate_backward_row(in, by, i);
    }
}

EW_INLINE void ew_intermediate_any(ew_intermediate_stage stage, const ew_intermediate_task *in,
                                   int32_t which)
{
    const ew_intermediate_level *m = in->of;
    if (m->single) {
        const ew_intermediate_blocks by = {{NULL, m->block_single}, {NULL, m->inverse_single}};
        ew_intermediate_run(stage, in, &by, which);
    } else {
        const ew_intermediate_blocks by = {{m->block_double, NULL}, {m->inverse_double, NULL}};
        ew_intermediate_run(stage, in, &by, which);
    }
}

#endif
