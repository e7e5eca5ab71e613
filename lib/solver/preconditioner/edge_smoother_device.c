/* Preconditioning of the rows of edges on a device: as edge_smoother.c has it, without leaving
 * the device. In: their diagonal blocks there and their products. Out: z = M^-1 r. The inverses of
 * their blocks stand behind those of the pattern's rows, so that the iteration's own kernels give
 * w D^-1 r of all rows at once. Kernels: edge_smoother.cl, invert_diagonal of pcg.cl. */
#include "solver/krylov/pcg.h"

#include <math.h>

typedef struct ew_edge_smoother smoother;

static ew_device *device_of(const ew_preconditioner *self)
{
    return self->edges->device_diagonal->device;
}

static ew_status run(const ew_preconditioner *self, const char *file, const char *function,
                     size_t n_group, int32_t n, const ew_argument *argument)
{
    ew_device *device = device_of(self);
    ew_kernel *kernel;
    EW_TRY(ew_device_kernel(device, file, function, ew_device_real_options(device, self->single),
                            &kernel));
    return ew_kernel_run(device, kernel, n_group * EW_PCG_GROUP, EW_PCG_GROUP, n, argument);
}

/* ---- blocks ----------------------------------------------------------------- */

static ew_status reserve(ew_preconditioner *self, const ew_system *system)
{
    smoother *own = &self->smoother;
    ew_device *device = device_of(self);
    const size_t real = 3 * (self->single ? sizeof(float) : sizeof(double));
    const size_t n = (size_t)own->n_stored + (size_t)own->n_row;
    if (n > (size_t)self->inverse_capacity) {
        EW_TRY(ew_block_jacobi_on_device.setup(self, system));
    }
    EW_TRY(ew_buffer_reserve(device, &self->device_fixed, n));
    EW_TRY(ew_buffer_reserve(device, &own->device_work, n * real));
    return ew_buffer_reserve(device, &own->device_rest, (size_t)own->n_stored * real);
}

static ew_status invert_rows(ew_preconditioner *self)
{
    const smoother *own = &self->smoother;
    const int32_t listed = 0, scalar = 0;
    const size_t n_group = ew_pcg_groups(own->n_row);
    double bad[2];
    const ew_argument argument[] = {EW_ARG_VALUE(own->n_row),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_BUFFER(&self->device_fixed),
                                    EW_ARG_VALUE(self->inverse_capacity),
                                    EW_ARG_VALUE(scalar),
                                    EW_ARG_VALUE(own->n_stored),
                                    EW_ARG_BUFFER(&self->device_fixed),
                                    EW_ARG_BUFFER(&self->edges->device_diagonal->diagonal),
                                    EW_ARG_BUFFER(&self->device_inverse),
                                    EW_ARG_BUFFER(&self->device_partial)};
    EW_TRY(run(self, "pcg", "invert_diagonal", n_group, 10, argument));
    EW_TRY(ew_device_read_sums(device_of(self), &self->device_partial, n_group, 2, bad));
    return bad[0] + bad[1] == 0.0
               ? EW_OK
               : ew_fail(bad[0] > 0.0 ? EW_NOT_FINITE : EW_INDEFINITE,
                         "solver: the diagonal blocks of %.0f rows of edges are not %s",
                         bad[0] > 0.0 ? bad[0] : bad[1],
                         bad[0] > 0.0 ? "finite; use --precision double"
                                      : "positive definite; is there a tet without volume?");
}

/* Sends the oblique rows of edges; *n of them. */
static ew_status send_oblique(ew_preconditioner *self, const ew_oblique *oblique, int32_t *n)
{
    smoother *own = &self->smoother;
    ew_device *device = device_of(self);
    const size_t of_row = sizeof(int32_t), of_normal = 6 * sizeof(double);
    *n = 0;
    if (!oblique || !oblique->n) {
        return EW_OK;
    }
    EW_TRY(ew_buffer_reserve(device, &own->oblique_row, of_row * (size_t)oblique->n));
    EW_TRY(ew_buffer_reserve(device, &own->oblique_normal, of_normal * (size_t)oblique->n));
    for (int32_t k = 0; k < oblique->n; k++) {
        const int32_t row = oblique->row[k] - own->n_stored;
        if (row >= 0) {
            EW_TRY(ew_buffer_write(device, &own->oblique_row, of_row * (size_t)*n, of_row, &row));
            EW_TRY(ew_buffer_write(device, &own->oblique_normal, of_normal * (size_t)*n, of_normal,
                                   oblique->normal + 6 * (size_t)k));
            (*n)++;
        }
    }
    return EW_OK;
}

static ew_status invert_oblique(ew_preconditioner *self, const ew_oblique *oblique)
{
    const smoother *own = &self->smoother;
    int32_t n;
    EW_TRY(send_oblique(self, oblique, &n));
    if (!n) {
        return EW_OK;
    }
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(own->n_stored),
                                    EW_ARG_VALUE(self->inverse_capacity),
                                    EW_ARG_BUFFER(&own->oblique_row),
                                    EW_ARG_BUFFER(&own->oblique_normal),
                                    EW_ARG_BUFFER(&self->edges->device_diagonal->diagonal),
                                    EW_ARG_BUFFER(&self->device_inverse)};
    return run(self, "edge_smoother", "invert_oblique", ew_pcg_groups(n), 7, argument);
}

/* ---- damping ----------------------------------------------------------------- */

static ew_status send_start(ew_preconditioner *self, ew_buffer *v)
{
    const smoother *own = &self->smoother;
    const bool single = self->single;
    const size_t n = 3 * ((size_t)own->n_stored + (size_t)own->n_row);
    const size_t bytes = n * (single ? sizeof(float) : sizeof(double));
    double *start = NULL;
    float *narrow = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new(&start, n, sizeof *start));
    EW_TRY_OUT(ew_new(&narrow, single ? n : 0, sizeof *narrow));
    ew_edge_smoother_start(self, start);
    for (size_t i = 0; single && i < n; i++) {
        narrow[i] = (float)start[i];
    }
    EW_TRY_OUT(ew_buffer_reserve(device_of(self), v, bytes));
    EW_TRY_OUT(ew_buffer_write(device_of(self), v, 0, bytes,
                               single ? (const void *)narrow : (const void *)start));
out:
    ew_release(start);
    ew_release(narrow);
    return status;
}

/* Each step divides by the length of the vector before it. */
static ew_status power_method(ew_preconditioner *self, ew_buffer *v, double *eigenvalue)
{
    smoother *own = &self->smoother;
    const size_t n_group = ew_pcg_groups(own->n_row);
    double factor = 1.0, square;
    *eigenvalue = 0.0;
    for (int k = 0; k < EW_BEYOND_POWER_STEPS && factor > 0.0 && isfinite(factor); k++) {
        const ew_factor scale = ew_factor_of(factor);
        const ew_argument argument[] = {EW_ARG_VALUE(own->n_row),
                                        EW_ARG_VALUE(own->n_stored),
                                        EW_ARG_VALUE(self->inverse_capacity),
                                        ew_factor_argument(self->single, &scale),
                                        EW_ARG_BUFFER(&self->device_inverse),
                                        EW_ARG_BUFFER(&own->device_work),
                                        EW_ARG_BUFFER(v),
                                        EW_ARG_BUFFER(&self->device_partial)};
        EW_TRY(self->edges->device_product(self->edges->user, EW_EDGE_OF_EDGES, self->single, v,
                                           &own->device_work));
        EW_TRY(run(self, "edge_smoother", "power_step", n_group, 8, argument));
        EW_TRY(ew_device_read_sums(device_of(self), &self->device_partial, n_group, 1, &square));
        *eigenvalue = sqrt(square);
        factor = 1.0 / *eigenvalue;
    }
    return EW_OK;
}

static ew_status find_damping(ew_preconditioner *self)
{
    ew_buffer v = {0};
    double eigenvalue = 0.0;
    ew_status status = send_start(self, &v);
    status = status ? status : power_method(self, &v, &eigenvalue);
    ew_buffer_free(&v);
    self->smoother.damping = ew_edge_smoother_damping(eigenvalue);
    return status;
}

static ew_status damp(ew_preconditioner *self)
{
    const smoother *own = &self->smoother;
    const ew_factor damping = ew_factor_of(own->damping);
    const ew_argument argument[] = {EW_ARG_VALUE(own->n_row), EW_ARG_VALUE(own->n_stored),
                                    EW_ARG_VALUE(self->inverse_capacity),
                                    ew_factor_argument(self->single, &damping),
                                    EW_ARG_BUFFER(&self->device_inverse)};
    return run(self, "edge_smoother", "scale_inverse", ew_pcg_groups(own->n_row), 5, argument);
}

/* ---- set-up -------------------------------------------------------------------- */

ew_status ew_edge_smoother_prepare_on_device(ew_preconditioner *self, const ew_system *system,
                                             bool afresh)
{
    smoother *own = &self->smoother;
    bool is_other, is_other_size;
    EW_TRY(ew_edge_smoother_follow(self, system, &is_other, &is_other_size));
    if (!afresh && !is_other) {
        return EW_OK;
    }
    const uint64_t revision = own->revision;
    own->revision = 0; /* not valid until all is done */
    EW_TRY(reserve(self, system));
    if (own->n_row) {
        EW_TRY(ew_buffer_write(device_of(self), &self->device_fixed, (size_t)own->n_stored,
                               (size_t)own->n_row, own->fixed));
        EW_TRY(invert_rows(self));
        EW_TRY(invert_oblique(self, system->oblique));
        EW_TRY(afresh || is_other_size ? find_damping(self) : EW_OK);
        EW_TRY(damp(self));
    }
    own->revision = revision;
    own->is_of_own = false;
    return EW_OK;
}

/* ---- application ----------------------------------------------------------------- */

/* z_a = M_a^-1 S (r_a - w_a) */
static ew_status apply_stored(ew_preconditioner *self, const ew_operator *op, const ew_buffer *r,
                              ew_buffer *z, ew_buffer *partial, size_t n_group)
{
    smoother *own = &self->smoother;
    const ew_operator stored =
        ew_operator_on_device(op->device_matrix, op->device_pattern, op->pattern, op->matrix);
    const ew_argument argument[] = {EW_ARG_VALUE(own->n_stored),
                                    EW_ARG_VALUE(self->inverse_capacity),
                                    EW_ARG_BUFFER(&self->device_fixed),
                                    EW_ARG_BUFFER(&self->device_inverse),
                                    EW_ARG_BUFFER(r),
                                    EW_ARG_BUFFER(&own->device_work),
                                    EW_ARG_BUFFER(&own->device_rest),
                                    EW_ARG_BUFFER(z)};
    EW_TRY(run(self, "edge_smoother", "before", n_group, 8, argument));
    return self->type->device_apply
               ? self->type->device_apply(self, &stored, &own->device_rest, z, partial, n_group)
               : EW_OK;
}

ew_status ew_edge_smoother_apply_on_device(ew_preconditioner *self, const ew_operator *op,
                                           const ew_buffer *r, ew_buffer *z, ew_buffer *partial,
                                           size_t n_group)
{
    smoother *own = &self->smoother;
    const ew_edge_operator *edges = self->edges;
    const bool single = self->single;
    const int32_t n = own->n_stored + own->n_row;
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(own->n_stored),
                                    EW_ARG_VALUE(self->inverse_capacity),
                                    EW_ARG_BUFFER(&self->device_inverse),
                                    EW_ARG_BUFFER(r),
                                    EW_ARG_BUFFER(&own->device_work),
                                    EW_ARG_BUFFER(z),
                                    EW_ARG_BUFFER(partial)};
    EW_TRY(edges->device_product(edges->user, EW_EDGE_OF_EDGES, single, z, &own->device_work));
    EW_TRY(apply_stored(self, op, r, z, partial, n_group));
    EW_TRY(edges->device_product(edges->user, EW_EDGE_OF_CORNERS, single, z, &own->device_work));
    return run(self, "edge_smoother", "after", n_group, 8, argument);
}
