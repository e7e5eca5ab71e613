/* smoother: private to solver. One sweep of block Gauss-Seidel inside chunks of rows, the chunks
 * side by side (block Jacobi across them): forward before the coarse level, backward after it.
 *
 * With K = D + L + L^T + C (C: the blocks across chunks) the forward sweep is M = D + T + L with
 * T_a = 1/2 sum over C of |K_ab|_F I. M + M^T - K = D + 2 T - C is positive definite whenever D is,
 * by Gershgorin's argument for blocks; so the two sweeps make a positive definite preconditioner
 * without coloring or eigenvalue estimates (the l1 smoothers of Baker, Falgout, Kolev & Yang 2011,
 * halved since K itself is symmetric positive semi-definite).
 *
 * Each chunk keeps copies of its blocks, in single precision if asked; vectors are double. Vectors
 * are by row, four numbers each, the fourth of them zero in what is read as x. */
#ifndef EW_SOLVER_SMOOTHER_H
#define EW_SOLVER_SMOOTHER_H

#include "coarse.h"

/* A row of a chunk. */
typedef struct ew_chunk_row {
    int32_t row;
    int32_t inside; /* its blocks to earlier rows of the chunk begin here, */
    int32_t across; /* those to rows of other chunks here; they end where the next row's begin */
    uint32_t fixed;
    float inverse[9]; /* (D + T)^-1 by rows, 0 for constrained components */
    float extra;      /* T */
    float zero[2];    /* what follows is read, too */
} ew_chunk_row;
/* The same in double, where blocks are. */
typedef struct ew_chunk_row_double {
    double inverse[9], extra, zero[2];
} ew_chunk_row_double;

typedef struct ew_chunk {
    int32_t n_aggregate, aggregate_capacity;
    int32_t *aggregate; /* [n_aggregate] owned, ascending */
    int32_t *first;     /* [n_aggregate + 1] owned: place of an aggregate's first row */
    int32_t n, row_capacity, block_capacity;
    ew_chunk_row *row; /* [n + 1] owned: rows that are not constrained altogether, by aggregate and
                          ascending in it; the forward sweep goes this way. The last one only says
                          where blocks end */
    ew_chunk_row_double *row_double; /* [n] owned, or null */
    int32_t *other;                  /* [n_block] owned: the other row of a block */
    float *block;                    /* [n_block][3][3] owned: K_ab, rows of a = row[i]; or */
    double *block_double;            /* the same; one of the two is null */
    double *place;                   /* [n][3] owned: in the frame of its aggregate */
    double *normal; /* [n][2][3] owned: directions of rows with EW_OBLIQUE, or null: none have it */
    int32_t n_refilled; /* rows that an update has filled again one by one */
} ew_chunk;

/* Makes room for a chunk of the listed aggregates (ascending) and lists its rows. chunk_of:
 * [aggregates->n]; `number` is this chunk. */
ew_status ew_chunk_reserve(ew_chunk *chunk, bool single, const ew_fine_level *fine,
                           const ew_aggregates *aggregates, const int32_t *chunk_of, int32_t number,
                           const ew_list *member);
/* Copies the blocks. Allocates nothing, so that chunks can be filled side by side. EW_INDEFINITE,
 * EW_NOT_FINITE name the row. */
ew_status ew_chunk_fill(ew_chunk *chunk, const ew_fine_level *fine, const ew_aggregates *aggregates,
                        const int32_t *chunk_of, int32_t number);
/* The same for one row of the chunk whose blocks, pairs, position or constraints changed, in place.
 * Not done where the chunk has other rows than before or no room; it must be made again then. */
ew_status ew_chunk_refill_row(ew_chunk *chunk, const ew_fine_level *fine,
                              const ew_aggregates *aggregates, const int32_t *chunk_of,
                              int32_t number, int32_t row, bool *done);
void ew_chunk_free(ew_chunk *chunk);
size_t ew_chunk_bytes(const ew_chunk *chunk);
/* Whether all numbers are equal, bit for bit. */
bool ew_chunk_equals(const ew_chunk *a, const ew_chunk *b);

/* z = M^-1 r and t = T z - L^T z, of the chunks' rows. r: [n_row][3]. Two chunks at once; the
 * second may be zeroed. */
void ew_chunks_forward(const ew_chunk *first, const ew_chunk *second, const double *r, double *z,
                       double *t);
/* coarse = P^T S (t - C z), of the chunk's aggregates: the residual after the forward sweep,
 * restricted. */
void ew_chunk_restrict(const ew_chunk *chunk, double *z, double *t, double *coarse);
/* z += S P coarse */
void ew_chunk_prolong(const ew_chunk *chunk, const double *coarse, double *z);
/* out = z + M^-T (r - K z), [n_row][3]. t: work. As the first. */
void ew_chunks_backward(const ew_chunk *first, const ew_chunk *second, const double *r, double *z,
                        double *t, double *out);

#endif
