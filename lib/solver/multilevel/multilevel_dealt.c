/* The preconditioner applied by several processes: see multilevel_dealt.h. In: rows as they are
 * dealt, chunks. Out: chunks of this process, what goes between processes in an application. */
#include "solver/multilevel/multilevel_dealt.h"

#include <stdlib.h>
#include <string.h>

struct ew_multilevel_share {
    ew_peers *peers; /* borrowed */
    /* What it was made for: these of ew_dealt, and fillings of chunks. */
    uint64_t revision, edge_revision, n_fill;
    int32_t n_row;
    int32_t n_chunk;
    int32_t *chunk;      /* [n_chunk] owned: of this process */
    ew_dealt_part rows;  /* in: of the residual, out: of the correction */
    ew_transfer *across; /* owned: of what chunks read of others' */
};

void ew_multilevel_free_share(struct ew_multilevel_share *share)
{
    if (share) {
        share->peers->free_transfer(share->across);
        ew_dealt_part_free(share->peers, &share->rows);
        ew_release(share->chunk);
        ew_release(share);
    }
}

/* ---- chunks to processes ---------------------------------------------------------- */

typedef struct placed_chunk {
    double middle; /* mean of its rows' numbers */
    int32_t chunk;
} placed_chunk;

static int by_place(const void *left, const void *right)
{
    const placed_chunk *a = left, *b = right;
    return a->middle != b->middle ? (a->middle > b->middle) - (a->middle < b->middle)
                                  : (a->chunk > b->chunk) - (a->chunk < b->chunk);
}

/* As many for each process, in the order of their rows, for so vectors are dealt. */
static ew_status choose_chunks(const ew_multilevel *m, const ew_peers *peers,
                               struct ew_multilevel_share *share)
{
    placed_chunk *list;
    EW_TRY(ew_new(&list, (size_t)m->n_chunk, sizeof *list));
    for (int32_t c = 0; c < m->n_chunk; c++) {
        double sum = 0.0;
        for (int32_t i = 0; i < m->chunk[c].n; i++) {
            sum += m->chunk[c].row[i].row;
        }
        list[c] = (placed_chunk){m->chunk[c].n ? sum / m->chunk[c].n : 0.0, c};
    }
    qsort(list, (size_t)m->n_chunk, sizeof *list, by_place);
    const int32_t first = (int32_t)((int64_t)m->n_chunk * peers->rank / peers->n);
    const int32_t end = (int32_t)((int64_t)m->n_chunk * (peers->rank + 1) / peers->n);
    share->n_chunk = end - first;
    const ew_status status = ew_new(&share->chunk, (size_t)share->n_chunk, sizeof *share->chunk);
    for (int32_t i = first; i < end && !status; i++) {
        share->chunk[i - first] = list[i].chunk;
    }
    ew_release(list);
    return status;
}

/* What the chunks of this process write, and what else they read. */
static void mark_rows(const ew_multilevel *m, const ew_dealt *dealt,
                      const struct ew_multilevel_share *share, uint64_t *across)
{
    for (int32_t k = 0; k < share->n_chunk; k++) {
        const ew_chunk *chunk = &m->chunk[share->chunk[k]];
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

static ew_status fill_share(const ew_multilevel *m, const ew_dealt *dealt,
                            struct ew_multilevel_share *share)
{
    ew_peers *peers = dealt->peers;
    uint64_t *across = NULL;
    ew_status status;
    EW_TRY(choose_chunks(m, peers, share));
    EW_TRY(ew_dealt_part_begin(dealt, &share->rows));
    EW_TRY_OUT(ew_new_zero(&across, dealt->word, sizeof *across));
    mark_rows(m, dealt, share, across);
    EW_TRY_OUT(ew_dealt_part_plan(dealt, &share->rows));
    share->across = peers->plan(peers->user, dealt->n_row, share->rows.writes, across);
    status = peers->status(peers->user);
out:
    ew_release(across);
    return status;
}

ew_status ew_multilevel_deal(ew_multilevel *m, const ew_dealt *dealt)
{
    struct ew_multilevel_share *share = m->share;
    if (share && share->revision == dealt->revision && share->n_row == dealt->n_row &&
        share->edge_revision == dealt->edge_revision && share->n_fill == m->n_chunk_fill) {
        return EW_OK;
    }
    ew_multilevel_free_share(share);
    m->share = NULL;
    EW_TRY(ew_new_zero(&share, 1, sizeof *share));
    share->peers = dealt->peers;
    share->revision = dealt->revision;
    share->edge_revision = dealt->edge_revision;
    share->n_row = dealt->n_row;
    share->n_fill = m->n_chunk_fill;
    const ew_status status = fill_share(m, dealt, share);
    if (status) {
        ew_multilevel_free_share(share);
        return status;
    }
    m->share = share;
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
    for (int32_t i = 0; i < share->n_chunk; i++) {
        ew_chunks_forward(&m->chunk[share->chunk[i]], &none, r, own, t);
    }
    ew_dealt_bring_wide(dealt, share->across, 4, own);
#pragma omp single
    memset(m->x, 0, 6 * (size_t)m->aggregates.n * sizeof *m->x);
#pragma omp for schedule(dynamic)
    for (int32_t i = 0; i < share->n_chunk; i++) {
        ew_chunk_restrict(&m->chunk[share->chunk[i]], own, t, m->x);
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
    for (int32_t i = 0; i < share->n_chunk; i++) {
        ew_chunk_prolong(&m->chunk[share->chunk[i]], m->x, own, t);
    }
    ew_dealt_bring_wide(dealt, share->across, 4, own);
#pragma omp for schedule(dynamic)
    for (int32_t i = 0; i < share->n_chunk; i++) {
        ew_chunks_backward(&m->chunk[share->chunk[i]], &none, r, own, t, z);
    }
    ew_dealt_bring(dealt, share->rows.out, z);
}
