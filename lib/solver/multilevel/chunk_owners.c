/* Whose chunks are: see chunk_owners.h. In: chunks, the rows of their aggregates. Out: of each
 * chunk the process that has it. */
#include "solver/multilevel/chunk_owners.h"

#include <stdlib.h>

void ew_multilevel_free_share(struct ew_multilevel_share *share)
{
    if (share) {
        share->peers->free_transfer(share->across);
        ew_dealt_part_free(share->peers, &share->rows);
        ew_list_free(&share->chunk);
        ew_release(share->owner);
        ew_release(share);
    }
}

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

static placed_chunk place_chunk(const ew_multilevel *m, int32_t c)
{
    double sum = 0.0;
    int32_t n = 0;
    for (int32_t i = 0; i < m->chunk_member[c].n; i++) {
        int32_t n_row;
        const int32_t *row =
            ew_aggregates_members(&m->aggregates, m->chunk_member[c].id[i], &n_row);
        for (int32_t k = 0; k < n_row; k++) {
            sum += row[k];
        }
        n += n_row;
    }
    return (placed_chunk){n ? sum / n : 0.0, c};
}

/* Of the chunks in order, the first one of a process. */
static int32_t first_of(const ew_peers *peers, int32_t n_chunk, int32_t rank)
{
    return (int32_t)((int64_t)n_chunk * rank / peers->n);
}

/* As many for each process, in the order of their rows, for so vectors are dealt. */
static ew_status choose_owners(const ew_multilevel *m, struct ew_multilevel_share *share)
{
    const ew_peers *peers = share->peers;
    placed_chunk *list;
    EW_TRY(ew_grow(&share->owner, &share->owner_capacity, m->n_chunk, sizeof *share->owner));
    EW_TRY(ew_new(&list, (size_t)m->n_chunk, sizeof *list));
    for (int32_t c = 0; c < m->n_chunk; c++) {
        list[c] = place_chunk(m, c);
    }
    qsort(list, (size_t)m->n_chunk, sizeof *list, by_place);
    for (int32_t p = 0; p < peers->n; p++) {
        const int32_t end = first_of(peers, m->n_chunk, p + 1);
        for (int32_t i = first_of(peers, m->n_chunk, p); i < end; i++) {
            share->owner[list[i].chunk] = p;
        }
    }
    share->n_owner = m->n_chunk;
    share->n_fill = 0; /* the rest is to be made again */
    ew_release(list);
    return EW_OK;
}

ew_status ew_multilevel_own_chunks(ew_multilevel *m, ew_peers *peers)
{
    if (!peers) {
        ew_multilevel_free_share(m->share);
        m->share = NULL;
        return EW_OK;
    }
    EW_TRY(m->share ? EW_OK : ew_new_zero(&m->share, 1, sizeof *m->share));
    m->share->peers = peers;
    return choose_owners(m, m->share);
}

/* Chunks that updates have added go around. */
static int32_t owner_of(const struct ew_multilevel_share *share, int32_t chunk)
{
    return chunk < share->n_owner ? share->owner[chunk] : chunk % share->peers->n;
}

bool ew_multilevel_has_chunk(const ew_multilevel *m, int32_t chunk)
{
    return !m->share || owner_of(m->share, chunk) == m->share->peers->rank;
}

ew_status ew_multilevel_need_rows(const ew_multilevel *m, const ew_fine_level *fine)
{
    const ew_row_demand *demand = fine->demand;
    uint64_t *row = NULL;
    if (!demand) {
        return EW_OK;
    }
    EW_TRY(m->share && fine->dealt ? ew_new_zero(&row, fine->dealt->word, sizeof *row) : EW_OK);
    for (int32_t c = 0; c < m->n_chunk && row; c++) {
        for (int32_t i = 0; ew_multilevel_has_chunk(m, c) && i < m->chunk_member[c].n; i++) {
            int32_t n;
            const int32_t *member =
                ew_aggregates_members(&m->aggregates, m->chunk_member[c].id[i], &n);
            for (int32_t k = 0; k < n; k++) {
                ew_bit_set(row, member[k]);
            }
        }
    }
    const ew_status status = demand->need(demand->user, row);
    ew_release(row);
    return status;
}

ew_peers *ew_multilevel_peers(const ew_multilevel *m)
{
    return m->share ? m->share->peers : NULL;
}

const int32_t *ew_multilevel_chunk_owners(const ew_multilevel *m)
{
    return m->share ? m->share->owner : NULL;
}
