/* The rigid-body-mode preconditioner on a device. In: a system with positions, whose blocks are
 * there. Out: z = S M^-1 S r, without leaving the device.
 *
 * M^-1 is a sweep of damped block Jacobi, a coarse correction in the rigid-body modes of
 * aggregates, and the sweep again. The sweeps are made of the block-Jacobi preconditioner's own
 * inverses (jacobi_device.c); aggregates, coarse blocks and factor are the host's (multilevel.c),
 * of which the device gets tables (device_level.c) and the dense inverse of the factor
 * (device_coarsest_factor.c). With three levels that of groups stands in between
 * (device_intermediate_level.c).
 *
 * M is symmetric, since W^T W is and sweeps before and after a correction are each other's
 * transposes. */
#include "solver/krylov/pcg.h"
#include "solver/multilevel/multilevel.h"

#define DAMPING EW_DEVICE_DAMPING
#define LANES   64 /* of multilevel.cl */

typedef struct rigid {
    ew_multilevel *multilevel; /* owned, as all of it */
    ew_device_level level;
    ew_device_coarsest_factor coarsest;
    ew_multilevel_def def;
    double rate;                                          /* as in ew_multilevel_learn */
    ew_buffer product;                                    /* [n_row][3] working precision */
    ew_kernel *restrict_residual, *prolong, *smooth_last; /* borrowed */
} rigid;

static const ew_preconditioner_type *jacobi(void)
{
    return &ew_block_jacobi_on_device;
}

/* ---- following the system ------------------------------------------------ */

static ew_status follow_factor(ew_preconditioner *self)
{
    rigid *own = self->data;
    return ew_device_coarsest_factor_follow(&own->coarsest, own->level.device,
                                            &own->multilevel->coarsest.factor,
                                            own->multilevel->n_factors, self->single);
}

static ew_status open_level(ew_preconditioner *self, const ew_system *system, ew_fine_level *fine)
{
    rigid *own = self->data;
    const ew_operator *op = system->op;
    const bool has_double = op->device_matrix->has_double;
    EW_TRY(ew_rigid_need_positions(system));
    if (op->device_matrix->block != 3) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: the matrix has blocks of %d rows, not of 3",
                       op->device_matrix->block);
    }
    own->level.device = op->device_matrix->device;
    own->level.matrix = op->device_matrix;
    own->level.pattern = op->device_pattern;
    own->level.fixed = &self->device_fixed;
    own->level.intermediate.device = op->device_matrix->device;
    own->level.intermediate.single = self->single;
    *fine = (ew_fine_level){.matrix = has_double ? NULL : op->matrix,
                            .pattern = op->pattern,
                            .xyz = system->xyz,
                            .fixed = self->fixed,
                            .device = &own->level,
                            .oblique = system->oblique};
    return ew_device_oblique_follow(&own->level.oblique, own->level.device, system->oblique,
                                    op->pattern->n_row);
}

static ew_status find_kernels(ew_preconditioner *self, ew_device *device)
{
    rigid *own = self->data;
    const char *options = ew_device_real_options(device, self->single);
    const size_t real = self->single ? sizeof(float) : sizeof(double);
    EW_TRY(ew_device_kernel(device, "multilevel", "restrict_residual", options,
                            &own->restrict_residual));
    EW_TRY(ew_device_kernel(device, "multilevel", "prolong", options, &own->prolong));
    EW_TRY(ew_device_kernel(device, "multilevel", "smooth_last", options, &own->smooth_last));
    return ew_buffer_reserve(device, &own->product, 3 * real * (size_t)self->n_row);
}

static ew_status open_data(ew_preconditioner *self)
{
    if (self->data) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&self->data, 1, sizeof(rigid)));
    rigid *own = self->data;
    own->def = ew_default_multilevel_def();
    own->def.single = false; /* the inverse is made in double */
    return EW_OK;
}

void ew_rigid_device_set_levels(ew_preconditioner *self, int32_t levels, int32_t aggregate_rows)
{
    rigid *own = self->data;
    own->def.levels = levels;
    own->def.aggregate_rows = aggregate_rows;
}

static ew_status setup(ew_preconditioner *self, const ew_system *system)
{
    ew_device *device = system->op->device_matrix->device;
    ew_fine_level fine;
    EW_TRY(open_data(self));
    rigid *own = self->data;
    own->rate = 0.0;
    own->coarsest.n_factors = 0;
    EW_TRY(open_level(self, system, &fine));
    EW_TRY(jacobi()->setup(self, system)); /* which looks at every diagonal block */
    if (!fine.matrix) {
        EW_TRY(ew_device_level_find_strengths(&own->level, fine.pattern, NULL));
        fine.strength = own->level.strength;
    }
    EW_TRY(ew_multilevel_setup_level(&own->multilevel, &fine, &own->def));
    EW_TRY(find_kernels(self, device));
    return follow_factor(self);
}

/* Null change: other constraints alone. */
static ew_status follow(ew_preconditioner *self, const ew_system *system, const ew_list *refixed,
                        const ew_pattern_change *change)
{
    ew_device *device = system->op->device_matrix->device;
    rigid *own = self->data;
    ew_fine_level fine;
    EW_TRY(open_level(self, system, &fine));
    if (!fine.matrix) {
        EW_TRY(change
                   ? ew_device_level_find_strengths(&own->level, fine.pattern, &change->touched_row)
                   : EW_OK);
        fine.strength = own->level.strength;
    }
    EW_TRY(ew_multilevel_update_level(own->multilevel, &fine, refixed, change));
    EW_TRY(find_kernels(self, device));
    return follow_factor(self);
}

static ew_status update(ew_preconditioner *self, const ew_system *system,
                        const ew_pattern_change *change, int32_t n_before)
{
    EW_TRY(jacobi()->update(self, system, change, n_before));
    return follow(self, system, &(ew_list){0}, change);
}

static ew_status refilter(ew_preconditioner *self, const ew_system *system, const ew_list *row)
{
    EW_TRY(jacobi()->refilter(self, system, row));
    return follow(self, system, row, NULL);
}

static ew_status learn_from_solve(ew_preconditioner *self, const ew_pcg_info *info)
{
    rigid *own = self->data;
    EW_TRY(ew_multilevel_learn(own->multilevel, info, &own->rate));
    return follow_factor(self);
}

/* ---- z = M^-1 r ---------------------------------------------------------- */

/* Where aggregates stand in coarse vectors, and these: before and after a solve. */
typedef struct coarse_place {
    size_t n;
    const ew_buffer *position, *from, *to;
} coarse_place;

static coarse_place find_place(const rigid *own)
{
    const ew_device_intermediate_level *intermediate = &own->level.intermediate;
    const ew_device_coarsest_factor *coarsest = &own->coarsest;
    return own->multilevel->intermediate.is_there
               ? (coarse_place){(size_t)intermediate->n, &intermediate->position, &intermediate->b,
                                &intermediate->x}
               : (coarse_place){(size_t)coarsest->n, &coarsest->position, &coarsest->x,
                                &coarsest->x};
}

/* P^T S (r - damping K z), and what a solve makes of it. */
static ew_status correct_coarse(const rigid *own, ew_device *device, bool single,
                                const ew_buffer *fixed, const ew_buffer *r)
{
    const ew_factor damping = ew_factor_of(DAMPING);
    const ew_device_level *level = &own->level;
    const coarse_place coarse = find_place(own);
    const ew_argument down[] = {ew_factor_argument(single, &damping),
                                EW_ARG_BUFFER(&level->member.begin),
                                EW_ARG_BUFFER(&level->member.count),
                                EW_ARG_BUFFER(&level->member.item),
                                EW_ARG_BUFFER(&level->place),
                                EW_ARG_BUFFER(fixed),
                                EW_ARG_BUFFER(coarse.position),
                                EW_ARG_VALUE(level->oblique.n),
                                EW_ARG_BUFFER(&level->oblique.row_there),
                                EW_ARG_BUFFER(&level->oblique.normal_there),
                                EW_ARG_BUFFER(r),
                                EW_ARG_BUFFER(&own->product),
                                EW_ARG_BUFFER(coarse.from)};
    EW_TRY(ew_kernel_run(device, own->restrict_residual, coarse.n * LANES, LANES, 13, down));
    return own->multilevel->intermediate.is_there
               ? ew_device_intermediate_level_solve(&level->intermediate, &own->coarsest)
               : ew_device_coarsest_factor_solve(&own->coarsest, device);
}

static ew_status apply(ew_preconditioner *self, const ew_operator *op, const ew_buffer *r,
                       ew_buffer *z, ew_buffer *partial, size_t n_group)
{
    const ew_factor damping = ew_factor_of(DAMPING);
    rigid *own = self->data;
    ew_device *device = own->level.device;
    const bool single = self->single;
    const size_t n_item = n_group * EW_PCG_GROUP;
    const coarse_place coarse = find_place(own);
    const ew_argument up[] = {EW_ARG_VALUE(self->n_row),
                              ew_factor_argument(single, &damping),
                              EW_ARG_BUFFER(&own->level.of_row),
                              EW_ARG_BUFFER(&own->level.place),
                              EW_ARG_BUFFER(&self->device_fixed),
                              EW_ARG_BUFFER(coarse.position),
                              EW_ARG_VALUE(own->level.oblique.n),
                              EW_ARG_BUFFER(&own->level.oblique.row_there),
                              EW_ARG_BUFFER(&own->level.oblique.normal_there),
                              EW_ARG_BUFFER(coarse.to),
                              EW_ARG_BUFFER(z)};
    const ew_argument last[] = {EW_ARG_VALUE(self->n_row),
                                EW_ARG_VALUE(self->inverse_capacity),
                                ew_factor_argument(single, &damping),
                                EW_ARG_BUFFER(&self->device_inverse),
                                EW_ARG_BUFFER(r),
                                EW_ARG_BUFFER(&own->product),
                                EW_ARG_BUFFER(z),
                                EW_ARG_BUFFER(partial)};
    /* z = damping D^-1 r + P A^-1 P^T S (r - damping K D^-1 r) */
    EW_TRY(op->type->device_product(op, single, z, &own->product));
    EW_TRY(correct_coarse(own, device, single, &self->device_fixed, r));
    EW_TRY(ew_kernel_run(device, own->prolong, n_item, EW_PCG_GROUP, 11, up));
    /* z += damping D^-1 (r - K z) */
    EW_TRY(op->type->device_product(op, single, z, &own->product));
    return ew_kernel_run(device, own->smooth_last, n_item, EW_PCG_GROUP, 8, last);
}

static void free_rigid(ew_preconditioner *self)
{
    rigid *own = self->data;
    if (!own) {
        return;
    }
    ew_buffer_free(&own->product);
    ew_device_coarsest_factor_free(&own->coarsest);
    ew_multilevel_free(own->multilevel);
    ew_device_level_free(&own->level);
    ew_release(own);
}

ew_status ew_rigid_device_verify(const ew_preconditioner *self, const ew_matrix *matrix,
                                 const ew_system *system)
{
    rigid *own = self->data;
    const ew_fine_level fine = {
        .matrix = matrix, .pattern = system->op->pattern, .xyz = system->xyz, .fixed = self->fixed};
    EW_TRY(ew_multilevel_verify(own->multilevel, matrix, system->op->pattern, system->xyz,
                                self->fixed));
    EW_TRY(ew_device_level_verify(&own->level, &fine));
    const ew_grouped_level level = ew_multilevel_grouped(own->multilevel, &fine);
    return own->multilevel->intermediate.is_there
               ? ew_device_intermediate_level_verify(&own->level.intermediate,
                                                     &own->multilevel->intermediate, &level)
               : EW_OK;
}

const ew_multilevel_info *ew_rigid_device_about(const ew_preconditioner *self)
{
    return ew_multilevel_about(((const rigid *)self->data)->multilevel);
}

const ew_preconditioner_type ew_rigid_on_device = {.kind = EW_RIGID,
                                                   .on_device = true,
                                                   .needs_pairs = true,
                                                   .setup = setup,
                                                   .update = update,
                                                   .refilter = refilter,
                                                   .device_apply = apply,
                                                   .learn = learn_from_solve,
                                                   .free = free_rigid};
