/* The factor of the coarsest level. In: its matrix and changes of it. Out: the factor, of which
 * only columns that a change reaches are computed again. */
#include "solver/multilevel/coarsest_factor.h"
#include "solver/factor/elimination.h"

#include <string.h>

/* ---- order and pattern ------------------------------------------------- */

static ew_status order_rows(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix)
{
    const int32_t n = matrix->aggregates->n;
    EW_TRY(ew_grow(&coarsest->order.id, &coarsest->order.capacity, n, sizeof *coarsest->order.id));
    EW_TRY(
        ew_find_elimination_order(matrix->pattern, matrix->aggregates->frame, coarsest->order.id));
    coarsest->order.n = coarsest->n_ordered = n;
    return EW_OK;
}

/* Rows that came since rows were last ordered are eliminated last, where they change the pattern of
 * few columns; when there are many, all are ordered again. */
ew_status ew_coarsest_factor_analyze(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix,
                                     bool single)
{
    const int32_t n = matrix->aggregates->n;
    if (coarsest->n_ordered == 0 || n - coarsest->n_ordered > coarsest->n_ordered / 8 + 16) {
        EW_TRY(order_rows(coarsest, matrix));
    }
    while (coarsest->order.n < n) {
        EW_TRY(ew_list_push(&coarsest->order, coarsest->order.n));
    }
    coarsest->factor.single = single;
    EW_TRY(ew_block_cholesky_analyze(&coarsest->factor, matrix->pattern, n, coarsest->order.id));
    coarsest->pattern_changed = false;
    return EW_OK;
}

int32_t ew_coarsest_factor_marked(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix)
{
    const ew_block_source source = {matrix->pattern, matrix->diagonal, matrix->coarse->pair};
    return ew_block_cholesky_factor(&coarsest->factor, &source);
}

/* ---- what an update changed -------------------------------------------- */

ew_status ew_coarsest_factor_keep_pairs(ew_coarsest_factor *coarsest,
                                        const ew_coarsest_matrix *matrix, const ew_set *touched)
{
    const ew_pattern *pattern = matrix->pattern;
    coarsest->n_before = 0;
    for (int32_t i = 0; i < touched->list.n; i++) {
        const int32_t own = touched->list.id[i];
        int32_t count;
        if (own >= pattern->n_row) {
            continue;
        }
        const int32_t *item = ew_pattern_items(pattern, own, &count);
        for (int32_t k = pattern->n_lower[own]; k < count; k++) {
            if (!ew_set_has(touched, item[2 * k])) {
                continue;
            }
            EW_TRY(ew_grow(&coarsest->before, &coarsest->before_capacity,
                           (int64_t)coarsest->n_before + 1, sizeof *coarsest->before));
            ew_pair_before *to = &coarsest->before[coarsest->n_before++];
            to->row[0] = own;
            to->row[1] = item[2 * k];
            memcpy(to->block, matrix->coarse->pair + 36 * (size_t)item[2 * k + 1],
                   sizeof to->block);
        }
    }
    return EW_OK;
}

static int32_t find_before(const ew_coarsest_factor *coarsest, const int32_t row[2])
{
    int32_t low = 0, high = coarsest->n_before;
    while (low < high) { /* they ascend in their rows */
        const int32_t intermediate = low + (high - low) / 2,
                      *at = coarsest->before[intermediate].row;
        if (at[0] < row[0] || (at[0] == row[0] && at[1] < row[1])) {
            low = intermediate + 1;
        } else {
            high = intermediate;
        }
    }
    const int32_t *at = low < coarsest->n_before ? coarsest->before[low].row : NULL;
    return at && at[0] == row[0] && at[1] == row[1] ? low : -1;
}

static void mark(ew_coarsest_factor *coarsest, int32_t row_a, int32_t row_b)
{
    if (row_a < coarsest->factor.n && row_b < coarsest->factor.n) {
        ew_block_cholesky_mark(&coarsest->factor, row_a, row_b);
    }
}

void ew_coarsest_factor_mark_pairs(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix,
                                   const ew_pattern_change *change)
{
    const ew_pattern *pattern = matrix->pattern;
    for (int32_t i = 0; i < coarsest->n_before; i++) {
        const ew_pair_before *old = &coarsest->before[i];
        const int32_t pair = ew_pattern_pair_between(pattern, old->row[0], old->row[1]);
        const double *now = matrix->coarse->pair + 36 * (size_t)(pair < 0 ? 0 : pair);
        if (pair < 0 || memcmp(now, old->block, sizeof old->block) != 0) {
            coarsest->pattern_changed = coarsest->pattern_changed || pair < 0;
            mark(coarsest, old->row[0], old->row[1]);
        }
    }
    for (int32_t i = 0; i < change->touched_pair.n; i++) {
        const int32_t *row = pattern->pair_row + 2 * (size_t)change->touched_pair.id[i];
        if (find_before(coarsest, row) < 0) {
            coarsest->pattern_changed = true;
            mark(coarsest, row[0], row[1]);
        }
    }
}

void ew_coarsest_factor_mark_diagonal(ew_coarsest_factor *coarsest,
                                      const ew_coarsest_matrix *matrix, int32_t row,
                                      const double before[36])
{
    if (memcmp(before, matrix->diagonal + 36 * (size_t)row, 36 * sizeof *before) != 0) {
        mark(coarsest, row, row);
    }
}

/* ---- the rest ---------------------------------------------------------- */

ew_status ew_coarsest_factor_verify(const ew_coarsest_factor *coarsest,
                                    const ew_coarsest_matrix *fresh)
{
    const ew_block_source source = {fresh->pattern, fresh->diagonal, fresh->coarse->pair};
    ew_block_cholesky made = {.single = coarsest->factor.single};
    EW_TRY(
        ew_block_cholesky_analyze(&made, fresh->pattern, fresh->aggregates->n, coarsest->order.id));
    ew_block_cholesky_factor(&made, &source);
    const bool equal = ew_block_cholesky_equals(&made, &coarsest->factor);
    ew_block_cholesky_free(&made);
    return equal
               ? EW_OK
               : ew_fail(EW_MATRIX_DIFFERS, "preconditioner: the factor is not that of a rebuild");
}

size_t ew_coarsest_factor_bytes(const ew_coarsest_factor *coarsest)
{
    return ew_block_cholesky_bytes(&coarsest->factor);
}

void ew_coarsest_factor_free(ew_coarsest_factor *coarsest)
{
    ew_block_cholesky_free(&coarsest->factor);
    ew_list_free(&coarsest->order);
    ew_release(coarsest->before);
    *coarsest = (ew_coarsest_factor){0};
}
