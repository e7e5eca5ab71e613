/* The direct solver and eigenpairs, by CHOLMOD and ARPACK. The functions are those of a library of
 * their own, edgewise_cholmod (parts of CHOLMOD are under the GPL), which a build without it lacks.
 */
#ifndef EW_CHOLMOD_H
#define EW_CHOLMOD_H

#include "solver/solver.h"

EW_BEGIN_API

/* ---- the direct solver (cholesky*.c) -------------------------------------- */

/* For ew_pcg_def.direct: a sparse Cholesky factor by SuiteSparse CHOLMOD, ordered by METIS. On the
 * host, in double precision.
 *
 * With EW_CHOLESKY a solve adds corrections A^-1 r, r the true residual: one where the factor is
 * exact, none where the start vector is the answer. A factor serves until the matrix changes.
 * Changes of few rows update it, in O(what the touched rows lead to in it), others make a new one:
 * ew_pcg_info.factor says which. An updated factor that leaves more than EW_FACTOR_STEPS
 * corrections is made again. Right-hand sides, prescribed values and the directions of rows with
 * the same `fixed` are no changes of the matrix. Results depend on no number of threads: OpenBLAS
 * is kept to one; with another BLAS see to that yourself. */
const ew_preconditioner_type *ew_direct_solver(void);

/* ---- eigenpairs (arpack.c) ------------------------------------------------- */

/* An ew_eigen_call by ARPACK-NG (implicitly restarted Lanczos). Not to be called by two threads at
 * once: ARPACK keeps its state in static variables. */
ew_status ew_eigen_solve(const ew_eigen_problem *problem, int32_t count, double *theta,
                         double *vector, int32_t *n_solve);

EW_END_API
#endif
