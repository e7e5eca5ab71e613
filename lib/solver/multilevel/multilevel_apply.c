/* The application of the preconditioner. In: a residual. Out: z = M^-1 r, by a pass of the smoother
 * forward, the coarse correction, and the pass backward. */
#include "solver/multilevel/multilevel.h"

#include <string.h>

/* Chunks of one loop write rows and aggregates of their own alone, so threads do not matter. */
void ew_multilevel_apply_in_team(ew_multilevel *m, const double *r, double *z)
{
    const ew_chunk *chunk = m->chunk, none = {0};
    const int32_t n_chunk = m->n_chunk, n_pair = n_chunk / 2 + n_chunk % 2;
    const ew_grouped_level level = ew_multilevel_grouped(m, NULL);
    double *own = ew_at_line(m->z), *t = ew_at_line(m->t);
    int32_t c;
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[0], n_pair);
         ew_schedule_next(&h, &c);) {
        const ew_chunk *one = &chunk[2 * c];
        ew_chunks_forward(one, 2 * c + 1 < n_chunk ? one + 1 : &none, r, own, t);
    }
    ew_schedule_meet(&m->schedule[0]);
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[1], n_chunk);
         ew_schedule_next(&h, &c);) {
        ew_chunk_restrict(&chunk[c], own, t, m->x);
    }
    ew_schedule_meet(&m->schedule[1]);
    if (m->intermediate.is_there) {
        ew_intermediate_solve_in_team(&m->intermediate, &level, &m->coarsest, m->x);
    } else {
        ew_block_cholesky_solve_in_team(&m->coarsest.factor, m->x, m->x_work);
    }
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[2], n_chunk);
         ew_schedule_next(&h, &c);) {
        ew_chunk_prolong(&chunk[c], m->x, own, t);
    }
    ew_schedule_meet(&m->schedule[2]);
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[3], n_pair);
         ew_schedule_next(&h, &c);) {
        const ew_chunk *one = &chunk[2 * c];
        ew_chunks_backward(one, 2 * c + 1 < n_chunk ? one + 1 : &none, r, own, t, z);
    }
    ew_schedule_meet(&m->schedule[3]);
}

void ew_multilevel_apply(ew_multilevel *multilevel, const double *r, double *z)
{
    memset(z, 0, 3 * (size_t)multilevel->n_row * sizeof *z);
#pragma omp parallel num_threads(ew_threads_for(multilevel->n_chunk, 2))
    ew_multilevel_apply_in_team(multilevel, r, z);
}

/* ---- several vectors ----------------------------------------------------- */

ew_status ew_multilevel_prepare_columns(ew_multilevel *m)
{
    const int64_t n = EW_COLUMNS * (6 * (int64_t)m->n_row + 6 * (int64_t)m->aggregates.n);
    EW_TRY(ew_multilevel_factor_pending(m));
    EW_TRY(ew_grow(&m->columns, &m->columns_capacity, n / EW_LINE_NUMBERS + 2,
                   EW_LINE_NUMBERS * sizeof *m->columns));
    double *x = ew_at_line(m->columns) + 2 * 3 * EW_COLUMNS * (size_t)m->n_row;
    memset(x, 0, 6 * EW_COLUMNS * (size_t)m->aggregates.n * sizeof *x); /* holes stay so */
    return EW_OK;
}

/* x [aggregates][6][EW_COLUMNS], one vector after the other. */
static void solve_coarse(ew_multilevel *m, double *x)
{
    const ew_grouped_level level = ew_multilevel_grouped(m, NULL);
    for (size_t l = 0; l < EW_COLUMNS; l++) {
#pragma omp for schedule(static)
        for (int32_t i = 0; i < 6 * m->aggregates.n; i++) {
            m->x[i] = x[EW_COLUMNS * (size_t)i + l];
        }
        if (m->intermediate.is_there) {
            ew_intermediate_solve_in_team(&m->intermediate, &level, &m->coarsest, m->x);
        } else {
            ew_block_cholesky_solve_in_team(&m->coarsest.factor, m->x, m->x_work);
        }
#pragma omp for schedule(static)
        for (int32_t i = 0; i < 6 * m->aggregates.n; i++) {
            x[EW_COLUMNS * (size_t)i + l] = m->x[i];
        }
    }
}

/* As ew_multilevel_apply_in_team. */
void ew_multilevel_apply_columns_in_team(ew_multilevel *m, const double *r, double *z)
{
    const ew_chunk *chunk = m->chunk;
    double *own = ew_at_line(m->columns), *t = own + 3 * EW_COLUMNS * (size_t)m->n_row;
    double *x = t + 3 * EW_COLUMNS * (size_t)m->n_row;
    int32_t c;
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[0], m->n_chunk);
         ew_schedule_next(&h, &c);) {
        ew_chunk_columns_forward(&chunk[c], r, own, t);
    }
    ew_schedule_meet(&m->schedule[0]);
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[1], m->n_chunk);
         ew_schedule_next(&h, &c);) {
        ew_chunk_columns_restrict(&chunk[c], own, t, x);
    }
    ew_schedule_meet(&m->schedule[1]);
    solve_coarse(m, x);
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[2], m->n_chunk);
         ew_schedule_next(&h, &c);) {
        ew_chunk_columns_prolong(&chunk[c], x, own, t);
    }
    ew_schedule_meet(&m->schedule[2]);
    for (ew_schedule_cursor h = ew_schedule_begin(&m->schedule[3], m->n_chunk);
         ew_schedule_next(&h, &c);) {
        ew_chunk_columns_backward(&chunk[c], r, own, t, z);
    }
    ew_schedule_meet(&m->schedule[3]);
}
