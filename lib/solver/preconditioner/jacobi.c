/* Jacobi and block Jacobi on the host. In: the diagonal blocks and the filter. Out: the inverse of
 * each row's block, restricted to its free components. A row depends on its own block alone, so a
 * change costs the rows it touched. */
#include "solver/krylov/pcg.h"

#include <math.h>

static inline bool is_fixed(uint8_t fixed, int component)
{
    return fixed >> component & 1;
}

/* Inverse of a symmetric positive definite block by cofactors; false when it is not one. */
static bool invert(const double k[6], double inverse[6])
{
    double xx = k[1] * k[2] - k[4] * k[4], xy = k[4] * k[5] - k[3] * k[2];
    double xz = k[3] * k[4] - k[1] * k[5];
    double determinant = k[0] * xx + k[3] * xy + k[5] * xz;
    if (!(k[0] > 0.0 && k[0] * k[1] - k[3] * k[3] > 0.0 && determinant > 0.0)) {
        return false;
    }
    inverse[0] = xx / determinant;
    inverse[1] = (k[0] * k[2] - k[5] * k[5]) / determinant;
    inverse[2] = (k[0] * k[1] - k[3] * k[3]) / determinant;
    inverse[3] = xy / determinant;
    inverse[4] = (k[3] * k[5] - k[0] * k[4]) / determinant;
    inverse[5] = xz / determinant;
    return true;
}

/* Roots of the scalar diagonal, 1 for a fixed component. */
static ew_status scale_row(const double *block, uint8_t fixed, int32_t row, double root[3])
{
    for (int i = 0; i < 3; i++) {
        double diagonal = is_fixed(fixed, i) ? 1.0 : block[4 * i];
        if (!isfinite(diagonal)) {
            return ew_fail(EW_NOT_FINITE, "solver: the diagonal of row %d is not finite", row);
        }
        if (diagonal <= 0.0) {
            return ew_fail(EW_INDEFINITE,
                           "solver: the diagonal of row %d is %g, must be > 0; is "
                           "there a tet without volume?",
                           row, diagonal);
        }
        root[i] = sqrt(diagonal);
    }
    return EW_OK;
}

/* Scaled by its scalar diagonal, so that no unit of stiffness makes a determinant overflow; a fixed
 * component stands as 1 on the diagonal while inverting and as 0 after. */
ew_status ew_invert_row_block(const double *block, uint8_t fixed, bool whole, int32_t row,
                              double *inverse)
{
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    double root[3], k[6];
    EW_TRY(scale_row(block, fixed, row, root));
    for (int c = 0; c < 6; c++) {
        int i = first[c], j = second[c];
        bool coupled = whole && !is_fixed(fixed, i) && !is_fixed(fixed, j);
        k[c] = i == j ? 1.0 : coupled ? block[3 * i + j] / (root[i] * root[j]) : 0.0;
    }
    if (!invert(k, inverse)) {
        return ew_fail(EW_INDEFINITE,
                       "solver: the diagonal block of row %d is not positive definite", row);
    }
    for (int c = 0; c < 6; c++) {
        int i = first[c], j = second[c];
        bool cleared = is_fixed(fixed, i) || is_fixed(fixed, j);
        inverse[c] = cleared ? 0.0 : inverse[c] / (root[i] * root[j]);
    }
    return EW_OK;
}

/* One row's S M^-1 S; of an oblique row always by its whole block, whose large part along the
 * prescribed direction is on no diagonal. */
static ew_status invert_row(ew_preconditioner *self, const ew_matrix *matrix, size_t row)
{
    const bool whole = self->type->kind == EW_BLOCK_JACOBI || self->fixed[row] & EW_OBLIQUE;
    return ew_invert_row_block(matrix->diagonal + 9 * row, self->fixed[row], whole, (int32_t)row,
                               self->inverse + 6 * row);
}

static ew_status invert_range(ew_preconditioner *self, const ew_system *system, int32_t begin)
{
    EW_TRY(
        ew_grow(&self->inverse, &self->inverse_capacity, self->n_row, 6 * sizeof *self->inverse));
    for (int32_t row = begin; row < self->n_row; row++) {
        EW_TRY(invert_row(self, system->op->matrix, (size_t)row));
    }
    return EW_OK;
}

static ew_status invert_list(ew_preconditioner *self, const ew_system *system, const ew_list *row)
{
    for (int32_t i = 0; i < row->n; i++) {
        EW_TRY(invert_row(self, system->op->matrix, (size_t)row->id[i]));
    }
    return EW_OK;
}

static ew_status setup(ew_preconditioner *self, const ew_system *system)
{
    return invert_range(self, system, 0);
}

static ew_status update(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before)
{
    EW_TRY(invert_range(self, system, n_before));
    return invert_list(self, system, &change->touched_row);
}

const ew_preconditioner_type ew_jacobi_on_host = {
    .kind = EW_JACOBI, .setup = setup, .update = update, .refilter = invert_list};
const ew_preconditioner_type ew_block_jacobi_on_host = {
    .kind = EW_BLOCK_JACOBI, .setup = setup, .update = update, .refilter = invert_list};
