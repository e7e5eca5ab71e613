/* The application of the preconditioner. In: a residual. Out: z = M^-1 r, by a pass of the smoother
 * forward, the coarse correction, and the pass backward. */
#include "solver/multilevel/multilevel.h"

#include <string.h>

/* Rows of four are read and written as a whole: none of them lies across two lines of the cache. */
static double *align(double *room)
{
    const uintptr_t line = 64;
    return room + (line - (uintptr_t)room % line) % line / sizeof *room;
}

/* Chunks of one loop write rows and aggregates of their own alone, so threads do not matter. */
void ew_multilevel_apply_in_team(ew_multilevel *m, const double *r, double *z)
{
    const ew_chunk *chunk = m->chunk, none = {0};
    const int32_t n_chunk = m->n_chunk, n_pair = n_chunk / 2 + n_chunk % 2;
    const ew_grouped_level level = ew_multilevel_grouped(m, NULL);
    double *own = align(m->z), *t = align(m->t);
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
