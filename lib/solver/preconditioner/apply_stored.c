/* The application of a preconditioner to the rows of the stored pattern. In: a residual, by row.
 * Out: z = M^-1 r, by the kind's own function or by the inverse of each row's block. */
#include "solver/krylov/dealt.h"

void ew_preconditioner_apply_stored(ew_preconditioner *self, const double *r, double *z)
{
    if (self->type->apply) {
        self->type->apply(self, r, z);
        return;
    }
    const int32_t first = self->dealt ? self->dealt->row[0][0] : 0;
    const int32_t n = self->dealt ? self->dealt->n_own_stored : self->n_row;
#pragma omp for schedule(static)
    for (int32_t row = first; row < first + n; row++) {
        ew_multiply_row_inverse(self->inverse + 6 * (size_t)row, r + 3 * (size_t)row,
                                z + 3 * (size_t)row);
    }
}
