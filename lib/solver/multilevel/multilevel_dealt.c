/* The preconditioner dealt to processes: see multilevel_dealt.h. In: chunks and aggregates, rows as
 * they are dealt. Out: chunks of this process, what goes between processes in an application. */
#include "solver/multilevel/multilevel_dealt.h"

#include <string.h>

static ew_status list_chunks(const ew_multilevel *m, struct ew_multilevel_share *share)
{
    share->chunk.n = 0;
    for (int32_t c = 0; c < m->n_chunk; c++) {
        EW_TRY(ew_multilevel_has_chunk(m, c) ? ew_list_push(&share->chunk, c) : EW_OK);
    }
    return EW_OK;
}

ew_status ew_multilevel_undeal(ew_multilevel *m, const ew_fine_level *fine)
{
    ew_list others = {0};
    ew_status status = EW_OK;
    ew_fine_level own = *fine;
    ew_multilevel_show_oblique(m, &own);
    for (int32_t c = 0; c < m->n_chunk && !status; c++) {
        status = ew_multilevel_has_chunk(m, c) ? EW_OK : ew_list_push(&others, c);
    }
    if (!status) {
        EW_TRY_OUT(ew_multilevel_own_chunks(m, NULL));
        status = ew_multilevel_fill_chunks(m, &own, &others);
    }
out:
    ew_list_free(&others);
    return status;
}

/* ---- transfers ------------------------------------------------------------------------ */

/* What the chunks of this process write, and what else they read. */
static void mark_rows(const ew_multilevel *m, const ew_dealt *dealt,
                      const struct ew_multilevel_share *share, uint64_t *across)
{
    for (int32_t k = 0; k < share->chunk.n; k++) {
        const ew_chunk *chunk = &m->chunk[share->chunk.id[k]];
        const int32_t n_block = chunk->n ? chunk->row[chunk->n].inside : 0;
        for (int32_t i = 0; i < chunk->n; i++) {
            ew_bit_set(share->rows.writes, chunk->row[i].row);
        }
        for (int32_t i = 0; i < n_block; i++) {
            ew_bit_set(across, chunk->other[i]);
        }
    }
    memcpy(share->rows.reads, share->rows.writes, dealt->word * sizeof *across);
}

static ew_status plan_share(const ew_multilevel *m, const ew_dealt *dealt,
                            struct ew_multilevel_share *share)
{
    ew_peers *peers = dealt->peers;
    uint64_t *across = NULL;
    ew_status status;
    EW_TRY(list_chunks(m, share));
    EW_TRY(ew_dealt_part_begin(dealt, &share->rows));
    peers->free_transfer(share->across);
    share->across = NULL;
    EW_TRY_OUT(ew_new_zero(&across, dealt->word, sizeof *across));
    mark_rows(m, dealt, share, across);
    EW_TRY_OUT(ew_dealt_part_plan(dealt, &share->rows));
    share->across = peers->plan(peers->user, dealt->n_row, share->rows.writes, across);
    status = peers->status(peers->user);
out:
    ew_release(across);
    return status;
}

/* Of a set-up for this process alone it has all chunks, and takes some. */
ew_status ew_multilevel_deal(ew_multilevel *m, const ew_dealt *dealt)
{
    EW_TRY(m->share ? EW_OK : ew_multilevel_own_chunks(m, dealt->peers));
    struct ew_multilevel_share *share = m->share;
    if (share->n_fill == m->n_chunk_fill && share->revision == dealt->revision &&
        share->n_row == dealt->n_row && share->edge_revision == dealt->edge_revision) {
        return EW_OK;
    }
    share->n_fill = 0;
    EW_TRY(plan_share(m, dealt, share));
    share->revision = dealt->revision;
    share->edge_revision = dealt->edge_revision;
    share->n_row = dealt->n_row;
    share->n_fill = m->n_chunk_fill;
    return EW_OK;
}

/* ---- application ----------------------------------------------------------------------- */

void ew_multilevel_apply_dealt(ew_multilevel *m, const ew_dealt *dealt, const double *r, double *z)
{
    static const ew_chunk none = {0};
    const struct ew_multilevel_share *share = m->share;
    const ew_grouped_level level = ew_multilevel_grouped(m, NULL);
    double *own = ew_at_line(m->z), *t = ew_at_line(m->t);
    ew_dealt_bring(dealt, share->rows.in, (double *)r);
#pragma omp for schedule(dynamic)
    for (int32_t i = 0; i < share->chunk.n; i++) {
        ew_chunks_forward(&m->chunk[share->chunk.id[i]], &none, r, own, t);
    }
    ew_dealt_bring_wide(dealt, share->across, 4, own);
#pragma omp single
    memset(m->x, 0, 6 * (size_t)m->aggregates.n * sizeof *m->x);
#pragma omp for schedule(dynamic)
    for (int32_t i = 0; i < share->chunk.n; i++) {
        ew_chunk_restrict(&m->chunk[share->chunk.id[i]], own, t, m->x);
    }
#pragma omp master
    dealt->peers->join(dealt->peers->user, 6 * (int64_t)m->aggregates.n, m->x);
#pragma omp barrier
    if (m->intermediate.is_there) {
        ew_intermediate_solve_in_team(&m->intermediate, &level, &m->coarsest, m->x);
    } else {
        ew_block_cholesky_solve_in_team(&m->coarsest.factor, m->x, m->x_work);
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int32_t i = 0; i < share->chunk.n; i++) {
        ew_chunk_prolong(&m->chunk[share->chunk.id[i]], m->x, own, t);
    }
    ew_dealt_bring_wide(dealt, share->across, 4, own);
#pragma omp for schedule(dynamic)
    for (int32_t i = 0; i < share->chunk.n; i++) {
        ew_chunks_backward(&m->chunk[share->chunk.id[i]], &none, r, own, t, z);
    }
    ew_dealt_bring(dealt, share->rows.out, z);
}
