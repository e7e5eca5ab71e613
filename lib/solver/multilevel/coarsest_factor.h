/* coarsest_factor: private to solver. The coarsest level's matrix, 6x6 blocks of aggregates or of
 * groups of aggregates, as a factor: its order of elimination, and what an update must factor
 * again. */
#ifndef EW_SOLVER_COARSEST_FACTOR_H
#define EW_SOLVER_COARSEST_FACTOR_H

#include "solver/factor/block_cholesky.h"
#include "solver/multilevel/aggregates.h"

/* All borrowed. */
typedef struct ew_coarsest_matrix {
    const ew_aggregates *aggregates; /* its rows, and where they are */
    const ew_pattern *pattern;
    const ew_matrix *coarse;
    const double *diagonal; /* [n][6][6] diagonal blocks with penalties on null modes */
} ew_coarsest_matrix;

/* A pair as it was before an update. */
typedef struct ew_pair_before {
    int32_t row[2];
    double block[36];
} ew_pair_before;

typedef struct ew_coarsest_factor {
    ew_block_cholesky factor;
    ew_list order;          /* rows in their order of elimination */
    int32_t n_ordered;      /* that many of them were ordered, the others were appended */
    bool pattern_changed;   /* since the factor was analyzed */
    ew_pair_before *before; /* [n_before] owned: pairs between touched rows, ascending in them */
    int32_t n_before, before_capacity;
} ew_coarsest_factor;

/* Order and pattern of the factor, as the rows are now. */
ew_status ew_coarsest_factor_analyze(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix,
                                     bool single);
/* Factors the marked columns and those above them; returns how many. */
int32_t ew_coarsest_factor_marked(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix);
/* Before an update of pattern and blocks: keeps the pairs between touched rows (a sorted list), to
 * see which blocks will differ. */
ew_status ew_coarsest_factor_keep_pairs(ew_coarsest_factor *coarsest,
                                        const ew_coarsest_matrix *matrix, const ew_set *touched);
/* After it: marks the columns of pairs that went, came or have other blocks. Those of rows that the
 * factor does not have yet will be new. */
void ew_coarsest_factor_mark_pairs(ew_coarsest_factor *coarsest, const ew_coarsest_matrix *matrix,
                                   const ew_pattern_change *change);
/* The diagonal block of a row is not `before` any more. */
void ew_coarsest_factor_mark_diagonal(ew_coarsest_factor *coarsest,
                                      const ew_coarsest_matrix *matrix, int32_t row,
                                      const double before[36]);
/* The oracle: EW_MATRIX_DIFFERS unless it is, bit for bit, a factor of this matrix made afresh in
 * the same order. */
ew_status ew_coarsest_factor_verify(const ew_coarsest_factor *coarsest,
                                    const ew_coarsest_matrix *fresh);
size_t ew_coarsest_factor_bytes(const ew_coarsest_factor *coarsest);
void ew_coarsest_factor_free(ew_coarsest_factor *coarsest);

#endif
