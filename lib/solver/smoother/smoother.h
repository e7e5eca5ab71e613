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

#include "solver/multilevel/coarse.h"

/* Numbers beyond the last block that are read with it. */
enum { EW_CHUNK_PADDING = 4 };

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
    void *room; /* owned: where the arrays are; null: in a room that chunks share, or nowhere */
    int32_t n_aggregate, aggregate_capacity;
    int32_t *aggregate; /* [n_aggregate] ascending; in a room, as all that follow */
    int32_t *first;     /* [n_aggregate + 1] place of an aggregate's first row */
    int32_t n, row_capacity, block_capacity;
    ew_chunk_row *row; /* [n + 1] rows that are not constrained altogether, by aggregate and
                          ascending in it; the forward sweep goes this way. The last one only says
                          where blocks end */
    ew_chunk_row_double *row_double; /* [n], or null */
    int32_t *other;                  /* [n_block] the other row of a block */
    float *block;                    /* [n_block][3][3] K_ab, rows of a = row[i]; or */
    double *block_double;            /* the same; one of the two is null */
    double *place;                   /* [n][3] in the frame of its aggregate */
    double *normal;     /* [n][2][3] directions of rows with EW_OBLIQUE, or null: none have it */
    int32_t n_refilled; /* rows that an update has filled again one by one */
} ew_chunk;

/* Sizes of the arrays of a chunk. */
typedef struct ew_chunk_need {
    int32_t n_aggregate, n_row, n_block;
    bool single, oblique;
} ew_chunk_need;

/* The need of a chunk of the listed aggregates (ascending). chunk_of: [aggregates->n]; `number` is
 * this chunk. */
ew_chunk_need ew_chunk_measure(bool single, const ew_fine_level *fine,
                               const ew_aggregates *aggregates, const int32_t *chunk_of,
                               int32_t number, const ew_list *member);
/* Bytes of a room for that and some more, a multiple of a line of the cache; and lays the arrays of
 * a chunk that has no room of its own out in it. Chunks that share one large room are backed by
 * large pages where the system gives them on request. (chunk_room.c) */
size_t ew_chunk_room_bytes(const ew_chunk_need *need);
void ew_chunk_take_room(ew_chunk *chunk, const ew_chunk_need *need, void *room);
/* Makes room of its own where it has too little. (chunk_room.c) */
ew_status ew_chunk_reserve(ew_chunk *chunk, const ew_chunk_need *need);
/* Lists the rows and copies the blocks of the aggregates that it was measured for. Allocates
 * nothing, so that chunks can be filled side by side. EW_INDEFINITE, EW_NOT_FINITE name the row. */
ew_status ew_chunk_fill(ew_chunk *chunk, const ew_fine_level *fine, const ew_aggregates *aggregates,
                        const int32_t *chunk_of, int32_t number, const ew_list *member);
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
/* z += S P coarse; t = 0 */
void ew_chunk_prolong(const ew_chunk *chunk, const double *coarse, double *z, double *t);
/* out = z + M^-T (r - K z), [n_row][3]. t: zero on entry, work. As the first. */
void ew_chunks_backward(const ew_chunk *first, const ew_chunk *second, const double *r, double *z,
                        double *t, double *out);

/* The same four of several vectors side by side, [n_row][3][EW_COLUMNS], coarse [aggregates][6]
 * [EW_COLUMNS], at a line of the cache: each has the bits that it has alone. One chunk at once. */
void ew_chunk_columns_forward(const ew_chunk *chunk, const double *r, double *z, double *t);
void ew_chunk_columns_restrict(const ew_chunk *chunk, double *z, double *t, double *coarse);
void ew_chunk_columns_prolong(const ew_chunk *chunk, const double *coarse, double *z, double *t);
void ew_chunk_columns_backward(const ew_chunk *chunk, const double *r, double *z, double *t,
                               double *out);

#endif
