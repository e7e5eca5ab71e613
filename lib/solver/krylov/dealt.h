/* dealt: private to solver. Rows of a solve that are dealt to processes, each of which has the
 * whole system: which ones a process computes, and what goes from one to another before it is read.
 * A row that a process neither computes nor was brought has any value there.
 *
 * Sums over rows are formed chunk by chunk, as in one process, so a process has whole chunks: a
 * stretch of the pattern's rows, and one of the rows of edges. Slots follow a curve through the
 * body, and such stretches are near one another. */
#ifndef EW_SOLVER_DEALT_H
#define EW_SOLVER_DEALT_H

#include "solver/krylov/pcg.h"

/* Rows that a part of the work reads, writes, and gives back. */
typedef struct ew_dealt_part {
    ew_transfer *in, *out;    /* owned */
    uint64_t *writes, *reads; /* [words] owned: bit sets of all rows */
} ew_dealt_part;

typedef struct ew_dealt {
    ew_peers *peers;       /* borrowed */
    const ew_operator *op; /* what it was made for: borrowed, */
    const ew_edge_operator *edges;
    uint64_t revision, edge_revision;
    int32_t n_row, n_stored, n_chunk;
    int32_t chunk[2][2];    /* chunks of sums of this process: two ranges, */
    int32_t row[2][2];      /* and their rows */
    int32_t n_own_stored;   /* the pattern's rows among them: from row[0][0] on */
    size_t word;            /* words of a bit set of all rows */
    uint64_t *own;          /* [word] owned */
    ew_transfer *whole;     /* owned: all rows to all processes, and */
    ew_transfer *neighbors; /* those that products of the pattern's rows read */
    bool deals_edges;
    ew_dealt_part tets;  /* work of the product of edges; in: of x, out: of y, */
    ew_transfer *before; /* owned: and of what is in y before */
    int32_t n_written;
    int32_t *written; /* [n_written] owned: rows that it writes */
} ew_dealt;

/* Rows dealt to def->peers, where there are any, for a system whose operator is prepared, before
 * the preconditioner is made of them. The preconditioner knows rows as dealt until its `dealt` is
 * null again. (dealt.c) */
ew_status ew_dealt_rows(ew_solver *solver, const ew_system *system, const ew_pcg_def *def);
/* Bit sets that ew_row_demand is asked by are of all rows, those of edges behind the pattern's.
 *
 * Before the preconditioner of this kind is brought up to date: the blocks that this takes are
 * there, those of the process's rows, which a set-up adds others to, or all. */
ew_status ew_dealt_need_blocks(const ew_solver *solver, const ew_system *system,
                               ew_preconditioner_kind kind);
void ew_dealt_free(ew_dealt *dealt); /* safe on null */
/* By all processes, each with how its part came out: in all the failure of the first that failed.
 */
ew_status ew_peers_agree(ew_peers *peers, ew_status own);
/* Whether a failure of one of several ends all: memory of one says nothing of the others', and one
 * that goes another way alone meets none of them there. peers: null: this process alone. */
static inline bool ew_peers_end(ew_status own, const ew_peers *peers)
{
    return own == EW_NO_MEMORY && peers && peers->n > 1;
}
/* Bit sets of all rows, zeroed; releases what was there. And the transfers of a part whose rows are
 * marked: in, of what this process's rows of vectors are; out, to them. */
ew_status ew_dealt_part_begin(const ew_dealt *dealt, ew_dealt_part *part);
ew_status ew_dealt_part_plan(const ew_dealt *dealt, ew_dealt_part *part);
void ew_dealt_part_free(ew_peers *peers, ew_dealt_part *part);

/* By all threads of a parallel region: values of rows of three numbers, or of `width`. */
static inline void ew_dealt_bring_wide(const ew_dealt *dealt, ew_transfer *transfer, size_t width,
                                       double *value)
{
#pragma omp barrier
#pragma omp master
    dealt->peers->bring(dealt->peers->user, transfer, width * sizeof *value, value);
#pragma omp barrier
}
static inline void ew_dealt_bring(const ew_dealt *dealt, ew_transfer *transfer, double *value)
{
    ew_dealt_bring_wide(dealt, transfer, 3, value);
}

#endif
