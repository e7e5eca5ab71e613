/* pencil, private to model: what the eigenvalue problems of a model share: the factor of a matrix,
 * applied where nothing is prescribed. The first member of each problem, so that functions of an
 * ew_eigen_problem find it. */
#ifndef EW_MODEL_PENCIL_H
#define EW_MODEL_PENCIL_H

#include "model/internal.h"

typedef struct pencil {
    ew_model *model;
    const char *what; /* for messages: "modes" */
    const ew_preconditioner_type *direct;
    ew_progress progress;
    int32_t n_free; /* components of displacement that nothing prescribes */
    ew_operator op;
    ew_preconditioner factor;
    double *work; /* [3][n_vertex][3] owned: two of the caller, one of products */
} pencil;

/* Matrix and supports brought up to date; EW_UNSUPPORTED without the two functions, on a device, or
 * with quadratic tets; EW_BAD_INPUT unless `count` pairs can be had. */
ew_status pencil_prepare(pencil *in, int32_t count, ew_eigen_call *eigen);
/* Of a matrix on the model's pattern, which must stay. */
ew_status pencil_factor(pencil *in, const ew_matrix *matrix);
/* y = P A^-1 x, x without a part along what is prescribed. */
void pencil_solve(void *user, const double *x, double *y);
/* y = P B P x of scalar blocks or of blocks of 3 x 3. */
void pencil_product(pencil *in, const ew_matrix *matrix, const double *x, double *y);
double pencil_dot(const pencil *in, const double *x, const double *y);
/* Times -1 where the largest component is negative. */
void pencil_turn_positive(const pencil *in, double *x);
void pencil_free(pencil *in);

#endif
