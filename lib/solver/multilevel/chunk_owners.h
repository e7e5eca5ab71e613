/* chunk_owners: private to solver. Chunks of the smoother dealt to processes: each has some of them
 * from a set-up to the next, the others stay empty with it. */
#ifndef EW_SOLVER_CHUNK_OWNERS_H
#define EW_SOLVER_CHUNK_OWNERS_H

#include "solver/krylov/dealt.h"
#include "solver/multilevel/multilevel.h"

struct ew_multilevel_share {
    ew_peers *peers; /* borrowed */
    int32_t n_owner, owner_capacity;
    int32_t *owner; /* [n_owner] owned: of each chunk, the process */
    /* What the rest was made for: these of ew_dealt, and fillings of chunks. */
    uint64_t revision, edge_revision, n_fill;
    int32_t n_row;
    ew_list chunk;       /* owned: of this process */
    ew_dealt_part rows;  /* in: of the residual, out: of the correction */
    ew_transfer *across; /* owned: of what chunks read of others' */
};

/* At a set-up or refill, once there are chunks and aggregates: which chunks are whose; null: all
 * are this process's. */
ew_status ew_multilevel_own_chunks(ew_multilevel *m, ew_peers *peers);
/* Whether this process has the chunk. */
bool ew_multilevel_has_chunk(const ew_multilevel *m, int32_t chunk);
/* Blocks of the rows of this process's chunks, which a filling of them and of the coarse blocks of
 * their aggregates reads, are there. */
ew_status ew_multilevel_need_rows(const ew_multilevel *m, const ew_fine_level *fine);
/* The processes, null: this one alone; and of each chunk of the last set-up, whose it is. */
ew_peers *ew_multilevel_peers(const ew_multilevel *m);
const int32_t *ew_multilevel_chunk_owners(const ew_multilevel *m);
void ew_multilevel_free_share(struct ew_multilevel_share *share); /* safe on null */

#endif
