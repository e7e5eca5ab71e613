/* block_cholesky: private to solver. Sparse Cholesky factor of a symmetric matrix with 6x6 blocks,
 * one per row and one per pair of a pattern: symbolic and numeric factoring, factoring again of the
 * columns that a change reaches, and the solve.
 *
 * Blocks of the factor are stored column by column (column-major), and a column is computed from
 * those left of it in ascending order. So a column whose inputs are as before has the bits of
 * before, and factoring again gives the bits of a factoring from scratch. */
#ifndef EW_SOLVER_BLOCK_CHOLESKY_H
#define EW_SOLVER_BLOCK_CHOLESKY_H

#include "pattern/parts/pattern.h"

#include <stdatomic.h>

/* Numbers that an array of blocks or vectors has beyond its end, read and dropped. */
enum { EW_BLOCK_PADDING = 2 };
/* Parts that are solved side by side: their number is the same for any number of threads. */
enum { EW_CHOLESKY_GROUPS = 4 };

/* The matrix, borrowed. */
typedef struct ew_block_source {
    const ew_pattern *pattern;
    const double *diagonal; /* [n_row][36] row-major, symmetric */
    const double *pair;     /* [n_pair][36] row-major: rows of the lower row */
} ew_block_source;

typedef struct ew_block_cholesky {
    int32_t n;             /* columns */
    int32_t *order;        /* [n] owned: the pattern's row of each column */
    int32_t *column;       /* [n] owned: the column of each row */
    int32_t *parent;       /* [n] owned: in the elimination tree, -1: root */
    int32_t *begin;        /* [n + 1] owned: first block of a column, below the diagonal */
    int32_t *below;        /* [n_block] owned: columns j of the blocks L_ji, ascending */
    int32_t *row_begin;    /* [n + 1] owned: the blocks left of the diagonal in a row: */
    int32_t *left;         /* [n_block][2] owned: column, ascending, and block */
    double *block;         /* [n_block][36] owned: L_ji */
    double *inverse;       /* [n][36] owned: inverse of the lower triangular L_ii */
    float *block_single;   /* [n_block][36] owned, as above, or null: the solve uses doubles */
    float *inverse_single; /* [n][36] */
    atomic_bool *dirty;    /* [n] owned: to be factored */
    int32_t *waiting;      /* [n] owned, work: columns of the top that are to be factored */
    int32_t *map;          /* [groups + 1][n] owned, work: block of a row in the column of a group
                              that is being factored */
    int32_t n_raised;      /* columns with a pivot that was not positive and has been raised */
    bool *raised;          /* [n] owned */
    /* What threads solve side by side: columns of the groups, which share none of their blocks'
     * rows but the top's; last the top. (block_groups.c) */
    int32_t *group_column;                       /* [n] owned: by group, ascending in each */
    int32_t group_begin[EW_CHOLESKY_GROUPS + 2]; /* of each in group_column, the top is last */
    int32_t *begin_top; /* [n] owned: first block of a column whose row is in the top */
    bool *in_top;       /* [n] owned */
    bool single;        /* what the solve uses */
} ew_block_cholesky;

/* Order (copied: n rows, each of the pattern's once) and pattern of the factor. Where the factor
 * has one already whose order begins like the new one, columns of equal pattern keep their values;
 * others are marked for factoring. Unchanged on failure. */
ew_status ew_block_cholesky_analyze(ew_block_cholesky *factor, const ew_pattern *pattern, int32_t n,
                                    const int32_t *order);
/* Marks the column that holds the diagonal block of a row, or the block of a pair. */
void ew_block_cholesky_mark(ew_block_cholesky *factor, int32_t row_a, int32_t row_b);
void ew_block_cholesky_mark_all(ew_block_cholesky *factor);
/* Factors the marked columns and those above them in the elimination tree. A pivot that is not
 * positive is raised and counted, so that the factor stays positive definite. Returns how many
 * columns were factored. */
int32_t ew_block_cholesky_factor(ew_block_cholesky *factor, const ew_block_source *source);
/* x = (L L^T)^-1 x by rows of the pattern, [n][6]. work: [n][8]. The second by all threads of a
 * parallel region, which leave it together. (block_solve.c) */
void ew_block_cholesky_solve(const ew_block_cholesky *factor, double *x, double *work);
void ew_block_cholesky_solve_in_team(const ew_block_cholesky *factor, double *x, double *work);
/* |L^-1 x|^2 = x.(L L^T)^-1 x, by one thread. work: [n][8]. (block_solve.c) */
double ew_block_cholesky_norm(const ew_block_cholesky *factor, const double *x, double *work);
/* The groups, of a factor whose pattern is complete: part of the analysis. (block_groups.c) */
ew_status ew_block_cholesky_group(ew_block_cholesky *factor);
/* dense [6n][6n]: W = L^-1 by columns of the factor, row-major, and above the diagonal W^T. So
 * (L L^T)^-1 = W^T W in their order. In double. (dense_inverse.c) */
void ew_block_cholesky_invert(const ew_block_cholesky *factor, double *dense);
/* inverse = L^-1 with L L^T = a, lower triangles by columns; start: what the diagonal was before
 * products were taken from it, which tells whether a pivot is lost and must be raised; true then.
 */
bool ew_invert_lower(const double start[36], const double a[36], double inverse[36]);
/* a^-1 of a symmetric positive definite block. */
void ew_invert_block(const double a[36], double inverse[36]);
void ew_block_cholesky_free(ew_block_cholesky *factor);
/* Whether pattern and values are equal, bit for bit. */
bool ew_block_cholesky_equals(const ew_block_cholesky *a, const ew_block_cholesky *b);
size_t ew_block_cholesky_bytes(const ew_block_cholesky *factor);

#endif
