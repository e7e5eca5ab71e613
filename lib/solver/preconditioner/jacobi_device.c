/* Jacobi and block Jacobi on a device. In: the diagonal blocks there, and the filter. Out: the
 * inverses of the rows' blocks, kept there; after a change those of the touched rows alone. Kernel:
 * pcg.cl, whose `start` and `advance` apply them. Also reads partial sums back. */
#include "solver/krylov/pcg.h"

#include <string.h>

ew_status ew_device_read_sums(ew_device *device, const ew_buffer *partial, size_t n_group,
                              int n_sum, double *sum)
{
    double wide[2 * EW_MAX_PARTIALS];
    float narrow[2 * EW_MAX_PARTIALS];
    const bool has_double = ew_device_about(device)->has_double;
    const size_t n = (size_t)n_sum * n_group;
    EW_TRY(has_double ? ew_buffer_read(device, partial, 0, n * sizeof *wide, wide)
                      : ew_buffer_read(device, partial, 0, n * sizeof *narrow, narrow));
    for (size_t k = 0; k < (size_t)n_sum; k++) {
        sum[k] = 0.0;
        for (size_t i = k * n_group; i < (k + 1) * n_group; i++) {
            sum[k] += has_double ? wide[i] : (double)narrow[i];
        }
    }
    return EW_OK;
}

static ew_status fail_blocks(const double bad[2], bool single)
{
    if (bad[0] > 0.0) {
        return ew_fail(EW_NOT_FINITE, "solver: the diagonal blocks of %.0f rows are not finite%s",
                       bad[0], single ? " in single precision; use --precision double" : "");
    }
    if (bad[1] > 0.0) {
        return ew_fail(EW_INDEFINITE,
                       "solver: the diagonal blocks of %.0f rows are not positive definite; is "
                       "there a tet without volume?",
                       bad[1]);
    }
    return EW_OK;
}

/* Of the n rows in device_list, or of the first n. */
static ew_status invert_rows(ew_preconditioner *self, const ew_system *system, int32_t n,
                             bool from_list)
{
    const ew_device_matrix *matrix = system->op->device_matrix;
    ew_device *device = matrix->device;
    const int32_t scalar = self->type->kind == EW_JACOBI, listed = from_list, behind = 0;
    const size_t n_group = ew_pcg_groups(n);
    ew_kernel *kernel;
    double bad[2];
    EW_TRY(ew_device_kernel(device, "pcg", "invert_diagonal",
                            ew_device_real_options(device, self->single), &kernel));
    const ew_argument argument[] = {
        EW_ARG_VALUE(n),
        EW_ARG_VALUE(listed),
        EW_ARG_BUFFER(from_list ? &self->device_list : &self->device_fixed),
        EW_ARG_VALUE(self->inverse_capacity),
        EW_ARG_VALUE(scalar),
        EW_ARG_VALUE(behind),
        EW_ARG_BUFFER(&self->device_fixed),
        EW_ARG_BUFFER(matrix->has_double ? &matrix->diagonal : &matrix->diagonal_single),
        EW_ARG_BUFFER(&self->device_inverse),
        EW_ARG_BUFFER(&self->device_partial)};
    EW_TRY(ew_kernel_run(device, kernel, n_group * EW_PCG_GROUP, EW_PCG_GROUP, 10, argument));
    EW_TRY(ew_device_read_sums(device, &self->device_partial, n_group, 2, bad));
    return fail_blocks(bad, self->single);
}

/* Room for all rows; the constraints of those beyond the pattern are not this one's. */
static ew_status upload_fixed(ew_preconditioner *self, const ew_system *system)
{
    ew_device *device = system->op->device_matrix->device;
    EW_TRY(ew_buffer_reserve(device, &self->device_fixed, (size_t)ew_operator_n_row(system->op)));
    return ew_buffer_write(device, &self->device_fixed, 0, (size_t)self->n_row, self->fixed);
}

static ew_status setup(ew_preconditioner *self, const ew_system *system)
{
    ew_device *device = system->op->device_matrix->device;
    const size_t block = 6 * (self->single ? sizeof(float) : sizeof(double));
    EW_TRY(ew_buffer_reserve(device, &self->device_inverse,
                             block * (size_t)ew_operator_n_row(system->op)));
    EW_TRY(ew_buffer_reserve(device, &self->device_partial, 2 * EW_MAX_PARTIALS * sizeof(double)));
    const size_t room = self->device_inverse.capacity / block;
    self->inverse_capacity = room < INT32_MAX ? (int32_t)room : INT32_MAX;
    EW_TRY(upload_fixed(self, system));
    return invert_rows(self, system, self->n_row, false);
}

static ew_status refilter(ew_preconditioner *self, const ew_system *system, const ew_list *row)
{
    ew_device *device = system->op->device_matrix->device;
    const size_t bytes = (size_t)row->n * sizeof *row->id;
    if (!row->n) {
        return EW_OK;
    }
    EW_TRY(upload_fixed(self, system));
    EW_TRY(ew_buffer_reserve(device, &self->device_list, bytes));
    EW_TRY(ew_buffer_write(device, &self->device_list, 0, bytes, row->id));
    return invert_rows(self, system, row->n, true);
}

/* The inverses are stored with room for more rows; where that is used up all are done again. */
static ew_status update(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before)
{
    if (ew_operator_n_row(system->op) > self->inverse_capacity) {
        return setup(self, system);
    }
    self->changed.n = 0;
    for (int32_t i = 0; i < change->touched_row.n; i++) {
        if (change->touched_row.id[i] < n_before) {
            EW_TRY(ew_list_push(&self->changed, change->touched_row.id[i]));
        }
    }
    for (int32_t row = n_before; row < self->n_row; row++) {
        EW_TRY(ew_list_push(&self->changed, row));
    }
    return refilter(self, system, &self->changed);
}

const ew_preconditioner_type ew_jacobi_on_device = {
    .kind = EW_JACOBI, .on_device = true, .setup = setup, .update = update, .refilter = refilter};
const ew_preconditioner_type ew_block_jacobi_on_device = {.kind = EW_BLOCK_JACOBI,
                                                          .on_device = true,
                                                          .setup = setup,
                                                          .update = update,
                                                          .refilter = refilter};
