/* The rigid-body-mode preconditioner on a device. In: a system with positions, whose blocks are
 * there. Out: z = S M^-1 S r, without leaving the device.
 *
 * M^-1 is a sweep of damped block Jacobi, a coarse correction in the rigid-body modes of
 * aggregates, and the sweep again. The sweeps are made of the block-Jacobi preconditioner's own
 * inverses (jacobi_device.c); aggregates, coarse blocks and factor are the host's (multilevel.c),
 * of which the device gets tables (device_level.c) and the dense inverse of the factor.
 *
 * Damping: x . K x = sum over tets of x_e . K_e x_e, and the four parts of x_e give at most four
 * times the sum of their own energies, so lambda_max(D^-1 K) <= 4 and half of D^-1 converges. M is
 * symmetric, since W^T W is and the two sweeps are each other's transposes. */
#include "multilevel.h"
#include "pcg.h"

#define DAMPING 0.5
/* Rows and columns of the dense inverse. */
#define MAX_UNKNOWNS 6000
#define LANES        64 /* of multilevel.cl */

typedef struct rigid {
    ew_multilevel *multilevel; /* owned, as all of it */
    ew_device_level level;
    double rate;                             /* as in ew_multilevel_learn */
    uint64_t n_factors;                      /* of the multilevel, when the inverse was made */
    double *dense;                           /* [6n][6n] */
    float *narrow;                           /* the same */
    int32_t dense_capacity, narrow_capacity; /* rows of MAX_UNKNOWNS numbers */
    ew_buffer dense_there, position;         /* [6n][6n] working precision; int32 [n] */
    ew_buffer coarse, coarse_work;           /* [n][6] working precision */
    ew_buffer product;                       /* [n_row][3] working precision */
    ew_kernel *restrict_residual, *multiply, *prolong, *smooth_last; /* borrowed */
} rigid;

static bool is_single(const ew_preconditioner *self)
{
    return ew_pcg_precision(&ew_pcg_on_device, self->precision) != EW_DOUBLE;
}

static const ew_preconditioner_type *jacobi(void)
{
    return &ew_block_jacobi_on_device;
}

/* ---- the coarse solve ---------------------------------------------------- */

static ew_status check_room(const rigid *own, const ew_preconditioner *self, size_t real)
{
    const ew_device_info *about = ew_device_about(self->device);
    const int32_t n = 6 * own->multilevel->top.factor.n;
    const double bytes = (double)n * (double)n * (double)real;
    if (n > MAX_UNKNOWNS || bytes > 0.25 * (double)about->memory_bytes ||
        bytes > (double)about->largest_buffer_bytes) {
        return ew_fail(EW_NO_MEMORY,
                       "solver: preconditioner 'rigid' on %s needs a dense matrix of %d unknowns, "
                       "%.0f MB; at most %d and a quarter of its memory are allowed: use "
                       "block-jacobi or --device host",
                       about->name, n, 1e-6 * bytes, MAX_UNKNOWNS);
    }
    return EW_OK;
}

static ew_status reserve_dense(rigid *own, bool single)
{
    const int64_t n = 6 * (int64_t)own->multilevel->top.factor.n;
    const int64_t rows = n * n / MAX_UNKNOWNS + 1;
    EW_TRY(ew_grow(&own->dense, &own->dense_capacity, rows, MAX_UNKNOWNS * sizeof *own->dense));
    return single ? ew_grow(&own->narrow, &own->narrow_capacity, rows,
                            MAX_UNKNOWNS * sizeof *own->narrow)
                  : EW_OK;
}

/* Where the factor is another than the one there. */
static ew_status follow_factor(ew_preconditioner *self, ew_device *device)
{
    rigid *own = self->data;
    const ew_multilevel *m = own->multilevel;
    const bool single = is_single(self);
    const size_t real = single ? sizeof(float) : sizeof(double);
    const size_t n_aggregate = (size_t)m->top.factor.n, n = 6 * n_aggregate;
    if (own->n_factors == m->n_factors) {
        return EW_OK;
    }
    EW_TRY(check_room(own, self, real));
    EW_TRY(reserve_dense(own, single));
    EW_TRY(ew_buffer_reserve(device, &own->dense_there, n * n * real));
    EW_TRY(ew_buffer_reserve(device, &own->position, n_aggregate * sizeof(int32_t)));
    EW_TRY(ew_buffer_reserve(device, &own->coarse, n * real));
    EW_TRY(ew_buffer_reserve(device, &own->coarse_work, n * real));
    ew_block_cholesky_invert(&m->top.factor, own->dense);
    for (size_t i = 0; single && i < n * n; i++) {
        own->narrow[i] = (float)own->dense[i];
    }
    EW_TRY(ew_buffer_write(device, &own->dense_there, 0, n * n * real,
                           single ? (const void *)own->narrow : (const void *)own->dense));
    EW_TRY(ew_buffer_write(device, &own->position, 0, n_aggregate * sizeof(int32_t),
                           m->top.factor.column));
    own->n_factors = m->n_factors;
    return EW_OK;
}

/* ---- following the system ------------------------------------------------ */

static ew_status open_level(ew_preconditioner *self, const ew_system *system, ew_fine_level *fine)
{
    rigid *own = self->data;
    const ew_operator *op = system->op;
    const bool has_double = op->device_matrix->has_double;
    EW_TRY(ew_rigid_need_positions(system));
    if (op->device_matrix->block != 3) {
        return ew_fail(EW_UNSUPPORTED, "solver: the matrix has blocks of %d rows, not of 3",
                       op->device_matrix->block);
    }
    own->level.device = op->device_matrix->device;
    own->level.matrix = op->device_matrix;
    own->level.pattern = op->device_pattern;
    own->level.fixed = &self->device_fixed;
    *fine = (ew_fine_level){.matrix = has_double ? NULL : op->matrix,
                            .pattern = op->pattern,
                            .xyz = system->xyz,
                            .fixed = self->fixed,
                            .device = &own->level};
    return EW_OK;
}

static ew_status find_kernels(ew_preconditioner *self, ew_device *device)
{
    rigid *own = self->data;
    const char *options = ew_device_real_options(device, is_single(self));
    const size_t real = is_single(self) ? sizeof(float) : sizeof(double);
    EW_TRY(ew_device_kernel(device, "multilevel", "restrict_residual", options,
                            &own->restrict_residual));
    EW_TRY(ew_device_kernel(device, "multilevel", "multiply_triangle", options, &own->multiply));
    EW_TRY(ew_device_kernel(device, "multilevel", "prolong", options, &own->prolong));
    EW_TRY(ew_device_kernel(device, "multilevel", "smooth_last", options, &own->smooth_last));
    return ew_buffer_reserve(device, &own->product, 3 * real * (size_t)self->n_row);
}

static ew_status setup(ew_preconditioner *self, const ew_system *system)
{
    ew_device *device = system->op->device_matrix->device;
    ew_multilevel_def def = ew_default_multilevel_def();
    ew_fine_level fine;
    if (!self->data) {
        EW_TRY(ew_new_zero(&self->data, 1, sizeof(rigid)));
    }
    rigid *own = self->data;
    own->rate = 0.0;
    own->n_factors = 0;
    own->level.n_row = 0;
    def.single = false; /* the inverse is made in double */
    EW_TRY(open_level(self, system, &fine));
    EW_TRY(jacobi()->setup(self, system)); /* which looks at every diagonal block */
    if (!fine.matrix) {
        EW_TRY(ew_device_level_find_strong(&own->level, fine.pattern, NULL));
        fine.strong = own->level.strong;
    }
    EW_TRY(ew_multilevel_setup_level(&own->multilevel, &fine, &def));
    EW_TRY(find_kernels(self, device));
    return follow_factor(self, device);
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
        EW_TRY(change ? ew_device_level_find_strong(&own->level, fine.pattern, &change->touched_row)
                      : EW_OK);
        fine.strong = own->level.strong;
    }
    EW_TRY(ew_multilevel_update_level(own->multilevel, &fine, refixed, change));
    EW_TRY(find_kernels(self, device));
    return follow_factor(self, device);
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

static ew_status learn(ew_preconditioner *self, const ew_pcg_info *info)
{
    rigid *own = self->data;
    EW_TRY(ew_multilevel_learn(own->multilevel, info, &own->rate));
    return follow_factor(self, own->level.device);
}

/* ---- z = M^-1 r ---------------------------------------------------------- */

/* A factor in working precision. */
typedef struct working_value {
    double wide;
    float narrow;
} working_value;

#define WORKING(single, value)                                                                     \
    ((single) ? EW_ARG_VALUE((value).narrow) : EW_ARG_VALUE((value).wide))

/* coarse = A^-1 P^T S (r - damping K z) */
static ew_status correct_coarse(rigid *own, ew_device *device, bool single, const ew_buffer *fixed,
                                const ew_buffer *r)
{
    static const working_value damping = {DAMPING, (float)DAMPING};
    const ew_device_level *level = &own->level;
    const size_t n_aggregate = (size_t)own->multilevel->top.factor.n;
    const int32_t n = 6 * own->multilevel->top.factor.n, lower = 0, upper = 1;
    const ew_argument down[] = {WORKING(single, damping),
                                EW_ARG_BUFFER(&level->member.begin),
                                EW_ARG_BUFFER(&level->member.count),
                                EW_ARG_BUFFER(&level->member.item),
                                EW_ARG_BUFFER(&level->place),
                                EW_ARG_BUFFER(fixed),
                                EW_ARG_BUFFER(&own->position),
                                EW_ARG_BUFFER(r),
                                EW_ARG_BUFFER(&own->product),
                                EW_ARG_BUFFER(&own->coarse)};
    const ew_argument first[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(lower),
                                 EW_ARG_BUFFER(&own->dense_there), EW_ARG_BUFFER(&own->coarse),
                                 EW_ARG_BUFFER(&own->coarse_work)};
    const ew_argument then[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(upper),
                                EW_ARG_BUFFER(&own->dense_there), EW_ARG_BUFFER(&own->coarse_work),
                                EW_ARG_BUFFER(&own->coarse)};
    EW_TRY(ew_kernel_run(device, own->restrict_residual, n_aggregate * LANES, LANES, 10, down));
    EW_TRY(ew_kernel_run(device, own->multiply, 6 * n_aggregate * LANES, LANES, 5, first));
    return ew_kernel_run(device, own->multiply, 6 * n_aggregate * LANES, LANES, 5, then);
}

static ew_status apply(ew_preconditioner *self, const ew_operator *op, const ew_buffer *r,
                       ew_buffer *z, ew_buffer *partial, size_t n_group)
{
    static const working_value damping = {DAMPING, (float)DAMPING};
    rigid *own = self->data;
    ew_device *device = own->level.device;
    const bool single = is_single(self);
    const size_t n_item = n_group * EW_PCG_GROUP;
    const ew_argument up[] = {EW_ARG_VALUE(self->n_row),          WORKING(single, damping),
                              EW_ARG_BUFFER(&own->level.of_row),  EW_ARG_BUFFER(&own->level.place),
                              EW_ARG_BUFFER(&self->device_fixed), EW_ARG_BUFFER(&own->position),
                              EW_ARG_BUFFER(&own->coarse),        EW_ARG_BUFFER(z)};
    const ew_argument last[] = {EW_ARG_VALUE(self->n_row), EW_ARG_VALUE(self->inverse_capacity),
                                WORKING(single, damping),  EW_ARG_BUFFER(&self->device_inverse),
                                EW_ARG_BUFFER(r),          EW_ARG_BUFFER(&own->product),
                                EW_ARG_BUFFER(z),          EW_ARG_BUFFER(partial)};
    /* z = damping D^-1 r + P A^-1 P^T S (r - damping K D^-1 r) */
    EW_TRY(op->type->device_product(op, single, z, &own->product));
    EW_TRY(correct_coarse(own, device, single, &self->device_fixed, r));
    EW_TRY(ew_kernel_run(device, own->prolong, n_item, EW_PCG_GROUP, 8, up));
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
    ew_buffer *const buffer[] = {&own->dense_there, &own->position, &own->coarse, &own->coarse_work,
                                 &own->product};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    ew_multilevel_free(own->multilevel);
    ew_device_level_free(&own->level);
    ew_release(own->dense);
    ew_release(own->narrow);
    ew_release(own);
}

ew_status ew_rigid_device_verify(const ew_preconditioner *self, const ew_matrix *matrix,
                                 const ew_system *system)
{
    const rigid *own = self->data;
    const ew_fine_level fine = {
        .matrix = matrix, .pattern = system->op->pattern, .xyz = system->xyz, .fixed = self->fixed};
    EW_TRY(ew_multilevel_verify(own->multilevel, matrix, system->op->pattern, system->xyz,
                                self->fixed));
    return ew_device_level_verify(&own->level, &fine);
}

const ew_multilevel_info *ew_rigid_device_about(const ew_preconditioner *self)
{
    return ew_multilevel_about(((const rigid *)self->data)->multilevel);
}

const ew_preconditioner_type ew_rigid_on_device = {.kind = EW_RIGID,
                                                   .ops = &ew_pcg_on_device,
                                                   .needs_pairs = true,
                                                   .setup = setup,
                                                   .update = update,
                                                   .refilter = refilter,
                                                   .device_apply = apply,
                                                   .learn = learn,
                                                   .free = free_rigid};
