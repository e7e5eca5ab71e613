/* The factor of the coarsest level. In: its matrix and changes of it. Out: the factor, of which
 * only columns that a change reaches are computed again. */
#include "solver/multilevel/coarsest_factor.h"
#include "solver/factor/elimination.h"

#include <string.h>

/* ---- order and pattern ------------------------------------------------- */

static ew_status order_rows(ew_top *top, const ew_top_matrix *matrix)
{
    const int32_t n = matrix->aggregates->n;
    EW_TRY(ew_grow(&top->order.id, &top->order.capacity, n, sizeof *top->order.id));
    EW_TRY(ew_find_elimination_order(matrix->pattern, matrix->aggregates->frame, top->order.id));
    top->order.n = top->n_ordered = n;
    return EW_OK;
}

/* Rows that came since rows were last ordered are eliminated last, where they change the pattern of
 * few columns; when there are many, all are ordered again. */
ew_status ew_top_analyze(ew_top *top, const ew_top_matrix *matrix, bool single)
{
    const int32_t n = matrix->aggregates->n;
    if (top->n_ordered == 0 || n - top->n_ordered > top->n_ordered / 8 + 16) {
        EW_TRY(order_rows(top, matrix));
    }
    while (top->order.n < n) {
        EW_TRY(ew_list_push(&top->order, top->order.n));
    }
    top->factor.single = single;
    EW_TRY(ew_block_cholesky_analyze(&top->factor, matrix->pattern, n, top->order.id));
    top->pattern_changed = false;
    return EW_OK;
}

int32_t ew_top_factor(ew_top *top, const ew_top_matrix *matrix)
{
    const ew_block_source source = {matrix->pattern, matrix->diagonal, matrix->coarse->pair};
    return ew_block_cholesky_factor(&top->factor, &source);
}

/* ---- what an update changed -------------------------------------------- */

ew_status ew_top_keep_pairs(ew_top *top, const ew_top_matrix *matrix, const ew_set *touched)
{
    const ew_pattern *pattern = matrix->pattern;
    top->n_before = 0;
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
            EW_TRY(ew_grow(&top->before, &top->before_capacity, (int64_t)top->n_before + 1,
                           sizeof *top->before));
            ew_pair_before *to = &top->before[top->n_before++];
            to->row[0] = own;
            to->row[1] = item[2 * k];
            memcpy(to->block, matrix->coarse->pair + 36 * (size_t)item[2 * k + 1],
                   sizeof to->block);
        }
    }
    return EW_OK;
}

static int32_t find_before(const ew_top *top, const int32_t row[2])
{
    int32_t low = 0, high = top->n_before;
    while (low < high) { /* they ascend in their rows */
        const int32_t middle = low + (high - low) / 2, *at = top->before[middle].row;
        if (at[0] < row[0] || (at[0] == row[0] && at[1] < row[1])) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const int32_t *at = low < top->n_before ? top->before[low].row : NULL;
    return at && at[0] == row[0] && at[1] == row[1] ? low : -1;
}

static void mark(ew_top *top, int32_t row_a, int32_t row_b)
{
    if (row_a < top->factor.n && row_b < top->factor.n) {
        ew_block_cholesky_mark(&top->factor, row_a, row_b);
    }
}

void ew_top_mark_pairs(ew_top *top, const ew_top_matrix *matrix, const ew_pattern_change *change)
{
    const ew_pattern *pattern = matrix->pattern;
    for (int32_t i = 0; i < top->n_before; i++) {
        const ew_pair_before *old = &top->before[i];
        const int32_t pair = ew_pattern_pair_between(pattern, old->row[0], old->row[1]);
        const double *now = matrix->coarse->pair + 36 * (size_t)(pair < 0 ? 0 : pair);
        if (pair < 0 || memcmp(now, old->block, sizeof old->block) != 0) {
            top->pattern_changed = top->pattern_changed || pair < 0;
            mark(top, old->row[0], old->row[1]);
        }
    }
    for (int32_t i = 0; i < change->touched_pair.n; i++) {
        const int32_t *row = pattern->pair_row + 2 * (size_t)change->touched_pair.id[i];
        if (find_before(top, row) < 0) {
            top->pattern_changed = true;
            mark(top, row[0], row[1]);
        }
    }
}

void ew_top_mark_diagonal(ew_top *top, const ew_top_matrix *matrix, int32_t row,
                          const double before[36])
{
    if (memcmp(before, matrix->diagonal + 36 * (size_t)row, 36 * sizeof *before) != 0) {
        mark(top, row, row);
    }
}

/* ---- the rest ---------------------------------------------------------- */

ew_status ew_top_verify(const ew_top *top, const ew_top_matrix *fresh)
{
    const ew_block_source source = {fresh->pattern, fresh->diagonal, fresh->coarse->pair};
    ew_block_cholesky made = {.single = top->factor.single};
    EW_TRY(ew_block_cholesky_analyze(&made, fresh->pattern, fresh->aggregates->n, top->order.id));
    ew_block_cholesky_factor(&made, &source);
    const bool equal = ew_block_cholesky_equals(&made, &top->factor);
    ew_block_cholesky_free(&made);
    return equal
               ? EW_OK
               : ew_fail(EW_MATRIX_DIFFERS, "preconditioner: the factor is not that of a rebuild");
}

size_t ew_top_bytes(const ew_top *top)
{
    return ew_block_cholesky_bytes(&top->factor);
}

void ew_top_free(ew_top *top)
{
    ew_block_cholesky_free(&top->factor);
    ew_list_free(&top->order);
    ew_release(top->before);
    *top = (ew_top){0};
}
