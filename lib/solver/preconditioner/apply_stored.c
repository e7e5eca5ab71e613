/* The application of a preconditioner to the rows of the stored pattern. In: a residual, by row. Out:
 * z = M^-1 r, by the kind's own function or by the inverse of each row's block. */
#include "solver/krylov/pcg.h"

void ew_preconditioner_apply_stored(ew_preconditioner *self, const double *r, double *z)
{
    if (self->type->apply) {
        self->type->apply(self, r, z);
        return;
    }
#pragma omp for schedule(static)
    for (int32_t row = 0; row < self->n_row; row++) {
        ew_multiply_row_inverse(self->inverse + 6 * (size_t)row, r + 3 * (size_t)row,
                                z + 3 * (size_t)row);
    }
}
