/* cholesky: private to the direct solver, which is a library target of its own (edgewise_cholmod).
 * What is factored is A = P K P + s (I - P): P takes the prescribed components and directions out
 * of a row, s is of the size of K's diagonal. A is positive definite, and for a vector that has no
 * part along prescribed directions A^-1 solves the constrained system. */
#ifndef EW_SOLVER_CHOLESKY_H
#define EW_SOLVER_CHOLESKY_H

#include "solver/parts/solver.h"

/* ---- the blocks of A (cholesky_blocks.c) --------------------------------- */

/* As they are in the factor: an update needs to know what they were. */
typedef struct cholesky_blocks {
    int32_t n_row, row_capacity, pair_capacity, oblique_capacity;
    ew_rows item;     /* owned, width 2: other row and pair slot, as in the pattern */
    double *diagonal; /* [n_row][3][3] owned */
    double *pair;     /* [pair slot][3][3] owned: rows of a, columns of b, a < b */
    int32_t *oblique; /* [n_row] owned: 1 + place of the row among the oblique ones, 0: none */
    double scale;     /* s */
} cholesky_blocks;

/* What A is made of. All borrowed; `fixed` as in ew_system. */
typedef struct cholesky_source {
    const ew_matrix *matrix;
    const ew_pattern *pattern;
    const uint8_t *fixed;
    const ew_oblique *oblique; /* or null */
} cholesky_source;

/* Blocks of A that changed, by what was added to them. */
typedef struct cholesky_difference {
    ew_map place;  /* (a, b), a <= b -> block */
    double *block; /* [place.n][3][3] owned */
    int32_t capacity;
} cholesky_difference;

/* All of them. */
ew_status cholesky_blocks_build(cholesky_blocks *blocks, const cholesky_source *from);
/* Those of the listed rows and of their pairs, and the difference that this makes. */
ew_status cholesky_blocks_update(cholesky_blocks *blocks, const cholesky_source *from,
                                 const ew_set *row, cholesky_difference *difference);
void cholesky_blocks_free(cholesky_blocks *blocks);
void cholesky_difference_free(cholesky_difference *difference);

/* ---- a difference as a sum of squares (cholesky_columns.c) ---------------- */

/* Columns of a matrix C with n rows, sorted: C C^T is a part of a difference. */
typedef struct cholesky_columns {
    int32_t n, n_entry, begin_capacity, row_capacity, value_capacity;
    int *begin; /* [n + 1] owned */
    int *row;   /* [n_entry] owned */
    double *value;
} cholesky_columns;

typedef struct cholesky_limits {
    int32_t rows, columns; /* of the difference; of both outcomes together */
    double cubes;          /* of the components of its parts, which their eigenvectors cost */
} cholesky_limits;
/* D = C C^T - E E^T by the eigenvectors of its parts that share no row: `added` is C, `removed` E.
 * place: where components of rows are in the factor. EW_LIMIT beyond one of the limits. */
ew_status cholesky_columns_split(const cholesky_difference *difference, const int *place,
                                 const cholesky_limits *limits, cholesky_columns *added,
                                 cholesky_columns *removed);
void cholesky_columns_free(cholesky_columns *columns);

/* ---- the factor (cholesky_factor.c) --------------------------------------- */

/* L L^T (supernodal) or, once it was updated, L D L^T (simplicial) of A, by CHOLMOD. It has rows to
 * spare, with s on the diagonal, that vertices to come take. */
typedef struct cholesky_factor cholesky_factor;

/* Ordered by METIS, analyzed and computed; *factor: null or the one before, which is freed first.
 * fixed: as in the source of the blocks. Messages say what to do. EW_INDEFINITE, EW_NO_MEMORY,
 * EW_LIMIT; *factor is null then. */
ew_status cholesky_factor_make(cholesky_factor **factor, const cholesky_blocks *blocks,
                               const uint8_t *fixed);
/* Other numbers in the same places: neither ordered nor analyzed again, unless it was updated. */
ew_status cholesky_factor_refill(cholesky_factor **factor, const cholesky_blocks *blocks,
                                 const uint8_t *fixed);
/* The factor of A + C C^T - E E^T. After a failure it must be made again. */
ew_status cholesky_factor_update(cholesky_factor *factor, cholesky_columns *added,
                                 cholesky_columns *removed);
/* z = A^-1 r, [n_row][3] both. By one thread. */
void cholesky_factor_solve(cholesky_factor *factor, int32_t n_row, const double *r, double *z);
/* Rows that it has room for. */
int32_t cholesky_factor_rows(const cholesky_factor *factor);
/* [3 rows] where component c of row r is in the factor: place[3 r + c]. */
const int *cholesky_factor_place(const cholesky_factor *factor);
/* Numbers in it. */
int64_t cholesky_factor_entries(const cholesky_factor *factor);
/* Safe on null. */
void cholesky_factor_free(cholesky_factor *factor);

/* ---- the same bits on every run (cholesky_blas.c) --------------------------- */

/* From here on the BLAS, where it is OpenBLAS, works on the calling thread alone; returns what
 * gives it its threads back. The setting is the process's: no other thread should use it between.
 */
int cholesky_blas_alone(void);
void cholesky_blas_restore(int before);
/* Before a thread calls the BLAS for the first time: EW_NO_MEMORY where OpenBLAS would wait for its
 * buffer for ever. */
ew_status cholesky_blas_reserve(void);

#endif
