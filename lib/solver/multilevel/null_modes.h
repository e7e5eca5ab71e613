/* null_modes: private to solver. Motions of an aggregate that move none of its free components: it
 * is a single row, or in line, or mostly constrained. The coarse matrix is singular in them (or
 * nearly so); a penalty in the factored matrix alone takes them out of the correction. */
#ifndef EW_SOLVER_NULL_MODES_H
#define EW_SOLVER_NULL_MODES_H

#include "solver/multilevel/coarse.h"

/* to = the coarse diagonal block of the aggregate, plus penalties on its null modes. Returns their
 * number, 0 to 6. */
int ew_penalize_null_modes(const ew_fine_level *fine, const ew_aggregates *aggregates,
                           int32_t aggregate, const double block[36], double to[36]);
/* Gram matrix of the aggregate's modes over its free components, sum P_a^T S_a P_a. Returns how
 * many rows are not constrained altogether. */
int32_t ew_form_gram(const ew_fine_level *fine, const ew_aggregates *aggregates, int32_t aggregate,
                     double gram[36]);
/* As the first, of any block whose modes have this Gram matrix over n rows, which is spoiled. */
int ew_penalize_by_gram(double gram[36], int32_t n, const double block[36], double to[36]);

#endif
