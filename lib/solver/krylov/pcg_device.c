/* The operations of the iteration on an OpenCL device. Vectors stay there between iterations, and
 * so do the scalars that they are combined by: what comes back, once for all iterations that were
 * asked for together, is what each found. Kernels: product.cl, pcg.cl.
 *
 * x, b, the residual and the correction d are double. In single precision the recurrence's other
 * vectors are float, with a preconditioner in single precision z is and a copy of r; the residual
 * is then divided by its length (`scale`) on its way into them, so that no unit of force leaves the
 * range of float. Without fp64 d is float, and x and the residual live on the host. */
#include "solver/krylov/pcg.h"

#include <math.h>

#define STATE 4 /* scalars before what iterations found */

/* The workspace. */
typedef struct device_solve {
    ew_device *device;
    const ew_operator *op;
    ew_preconditioner *preconditioner;
    const uint8_t *fixed;
    const double *b;
    const ew_oblique *oblique; /* or null: none */
    double *x;
    bool single, has_double; /* float vectors; the device has fp64 */
    bool narrows;            /* z is float, r, p and q are not */
    int32_t n_row;
    size_t n_group;
    double scale; /* of d and r */
    /* owned: */
    ew_buffer fixed_rows, d, r, narrow_r, z, p, q, partial; /* narrow_r: where it narrows */
    ew_buffer state;                       /* [STATE + 3 EW_PCG_AHEAD]: scalars, as in pcg.cl */
    ew_buffer position, load, given, rest; /* double: x, b, x_p, the residual */
    ew_buffer oblique_row, oblique_normal; /* int32 [n], [n][2][3] in the type of sums */
    ew_kernel *project, *project_z, *project_double, *prescribe_oblique;
    ew_kernel *start, *advance, *direction, *correct, *prescribe, *residual, *narrow;
    ew_kernel *begin, *find_alpha, *find_beta;
    double *work;   /* [2][n_row][3] owned, without fp64 */
    float *transit; /* [n_row][3] owned, without fp64 */
    int32_t work_capacity, transit_capacity;
} device_solve;

/* ---- launches ----------------------------------------------------------- */

static ew_status run(device_solve *solve, ew_kernel *kernel, int32_t n, const ew_argument *argument)
{
    return ew_kernel_run(solve->device, kernel, solve->n_group * EW_PCG_GROUP, EW_PCG_GROUP, n,
                         argument);
}

/* v = P v, in double or in working precision. */
static ew_status project(device_solve *solve, ew_kernel *kernel, const ew_buffer *v)
{
    const int32_t n = solve->oblique ? solve->oblique->n : 0;
    if (!n) {
        return EW_OK;
    }
    const ew_argument argument[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&solve->oblique_row),
                                    EW_ARG_BUFFER(&solve->oblique_normal), EW_ARG_BUFFER(v)};
    return ew_kernel_run(solve->device, kernel, (size_t)n, EW_PCG_GROUP, 4, argument);
}

/* x += scale d, d = 0 */
static ew_status correct(device_solve *solve)
{
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_VALUE(solve->scale),
                                    EW_ARG_BUFFER(&solve->d), EW_ARG_BUFFER(&solve->position)};
    return run(solve, solve->correct, 4, argument);
}

/* rest = P S (b - K vector), rr = its square; P b is what `load` has. */
static ew_status subtract_product(device_solve *solve, const ew_buffer *vector, double *rr)
{
    EW_TRY(solve->op->type->device_product(solve->op, false, vector, &solve->rest));
    EW_TRY(project(solve, solve->project_double, &solve->rest));
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_BUFFER(&solve->fixed_rows),
                                    EW_ARG_BUFFER(&solve->load), EW_ARG_BUFFER(&solve->rest),
                                    EW_ARG_BUFFER(&solve->partial)};
    EW_TRY(run(solve, solve->residual, 5, argument));
    return ew_device_read_sums(solve->device, &solve->partial, solve->n_group, 1, rr);
}

/* ---- the operations ------------------------------------------------------ */

static ew_status prescribe_oblique(device_solve *solve)
{
    const int32_t n = solve->oblique ? solve->oblique->n : 0;
    if (!n) {
        return EW_OK;
    }
    const ew_argument argument[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&solve->oblique_row),
                                    EW_ARG_BUFFER(&solve->oblique_normal),
                                    EW_ARG_BUFFER(&solve->position), EW_ARG_BUFFER(&solve->given)};
    return ew_kernel_run(solve->device, solve->prescribe_oblique, (size_t)n, EW_PCG_GROUP, 5,
                         argument);
}

static ew_status reference_with_double(void *self, double *reference)
{
    device_solve *solve = self;
    double rr;
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_BUFFER(&solve->fixed_rows),
                                    EW_ARG_BUFFER(&solve->position), EW_ARG_BUFFER(&solve->given)};
    EW_TRY(run(solve, solve->prescribe, 4, argument));
    EW_TRY(prescribe_oblique(solve));
    EW_TRY(subtract_product(solve, &solve->given, &rr));
    *reference = sqrt(rr);
    return EW_OK;
}

/* The divisor that gives the residual's working copy length 1, where a copy of that is float. */
static double scale_of(const device_solve *solve, double rr)
{
    return (solve->single || solve->narrows) && rr > 0.0 && isfinite(rr) ? sqrt(rr) : 1.0;
}

static ew_status residual_with_double(void *self, double *scale, double *rr)
{
    device_solve *solve = self;
    EW_TRY(project(solve, solve->project_double, &solve->d)); /* of rounding no residual shows */
    EW_TRY(correct(solve));
    EW_TRY(subtract_product(solve, &solve->position, rr));
    *scale = solve->scale = scale_of(solve, *rr);
    double factor = 1.0 / *scale;
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_VALUE(factor),
                                    EW_ARG_BUFFER(&solve->rest), EW_ARG_BUFFER(&solve->r)};
    return run(solve, solve->narrow, 4, argument);
}

/* p = z + beta p */
static ew_status turn(device_solve *solve)
{
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_BUFFER(&solve->state),
                                    EW_ARG_BUFFER(&solve->z), EW_ARG_BUFFER(&solve->p)};
    return run(solve, solve->direction, 4, argument);
}

/* r as the preconditioner reads it. */
static const ew_buffer *applied_r(const device_solve *solve)
{
    return solve->narrows ? &solve->narrow_r : &solve->r;
}

/* z = P S M^-1 r from the z of block Jacobi, which it is where there is no more to the
 * preconditioner; r . z, which P does not change since r = P r, into the first partial sums. */
static ew_status precondition(device_solve *solve)
{
    ew_preconditioner *by = solve->preconditioner;
    if (by->edges || by->type->device_apply) {
        EW_TRY((by->edges ? ew_edge_smoother_apply_on_device : by->type->device_apply)(
            by, solve->op, applied_r(solve), &solve->z, &solve->partial, solve->n_group));
    }
    return project(solve, solve->project_z, &solve->z);
}

static ew_status device_start(void *self)
{
    device_solve *solve = self;
    const ew_preconditioner *by = solve->preconditioner;
    const ew_argument argument[] = {
        EW_ARG_VALUE(solve->n_row),         EW_ARG_VALUE(by->inverse_capacity),
        EW_ARG_BUFFER(&by->device_inverse), EW_ARG_BUFFER(&solve->r),
        EW_ARG_BUFFER(applied_r(solve)),    EW_ARG_BUFFER(&solve->z),
        EW_ARG_BUFFER(&solve->p),           EW_ARG_BUFFER(&solve->partial)};
    const int32_t n_group = (int32_t)solve->n_group;
    const ew_argument sum[] = {EW_ARG_VALUE(n_group), EW_ARG_BUFFER(&solve->partial),
                               EW_ARG_BUFFER(&solve->state)};
    EW_TRY(run(solve, solve->start, 8, argument));
    EW_TRY(precondition(solve));
    EW_TRY(ew_kernel_run(solve->device, solve->begin, EW_PCG_GROUP, EW_PCG_GROUP, 3, sum));
    return turn(solve); /* beta is 0 */
}

/* q = S K p, alpha */
static ew_status multiply(device_solve *solve, int32_t step)
{
    int32_t n_partial;
    EW_TRY(solve->op->type->device_product_dot(solve->op, solve->single, &solve->fixed_rows,
                                               &solve->p, &solve->q, &solve->partial, &n_partial));
    EW_TRY(project(solve, solve->project, &solve->q)); /* p . q is the same, as p = P p */
    const ew_argument sum[] = {EW_ARG_VALUE(n_partial), EW_ARG_VALUE(step),
                               EW_ARG_BUFFER(&solve->partial), EW_ARG_BUFFER(&solve->state)};
    return ew_kernel_run(solve->device, solve->find_alpha, EW_PCG_GROUP, EW_PCG_GROUP, 4, sum);
}

/* d += alpha p, r -= alpha q, z = S M^-1 r, beta */
static ew_status advance(device_solve *solve, int32_t step, const ew_factor *enough)
{
    const int32_t n_group = (int32_t)solve->n_group;
    const ew_preconditioner *by = solve->preconditioner;
    const ew_argument argument[] = {
        EW_ARG_VALUE(solve->n_row),      EW_ARG_VALUE(by->inverse_capacity),
        EW_ARG_BUFFER(&solve->state),    EW_ARG_BUFFER(&by->device_inverse),
        EW_ARG_BUFFER(&solve->p),        EW_ARG_BUFFER(&solve->q),
        EW_ARG_BUFFER(&solve->d),        EW_ARG_BUFFER(&solve->r),
        EW_ARG_BUFFER(applied_r(solve)), EW_ARG_BUFFER(&solve->z),
        EW_ARG_BUFFER(&solve->partial)};
    EW_TRY(run(solve, solve->advance, 11, argument));
    EW_TRY(precondition(solve));
    const ew_argument sum[] = {EW_ARG_VALUE(n_group), EW_ARG_VALUE(step),
                               ew_factor_argument(!solve->has_double, enough),
                               EW_ARG_BUFFER(&solve->partial), EW_ARG_BUFFER(&solve->state)};
    return ew_kernel_run(solve->device, solve->find_beta, EW_PCG_GROUP, EW_PCG_GROUP, 5, sum);
}

static ew_status device_iterate(void *self, int32_t n, double enough, ew_pcg_step *step)
{
    device_solve *solve = self;
    double number[STATE + 3 * EW_PCG_AHEAD], *found = number + STATE;
    ew_factor limit = ew_factor_of(enough);
    if ((double)limit.narrow > enough) { /* the float below: sums meet both or neither */
        limit.narrow = nextafterf(limit.narrow, 0.0F);
    }
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(multiply(solve, k));
        EW_TRY(advance(solve, k, &limit));
        EW_TRY(turn(solve));
    }
    EW_TRY(ew_device_read_sums(solve->device, &solve->state, 1, STATE + 3 * n, number));
    for (int32_t k = 0; k < n; k++) {
        step[k] = (ew_pcg_step){.rz = found[3 * k], .pq = found[3 * k + 1], .rr = found[3 * k + 2]};
    }
    return EW_OK;
}

/* ---- without fp64: the residual on the host ------------------------------- */

static bool is_fixed(const device_solve *solve, size_t i)
{
    return solve->fixed[i / 3] >> (i % 3) & 1;
}

/* work = P S (b - work), rr = its square */
static double subtract_work(device_solve *solve)
{
    const size_t n = 3 * (size_t)solve->n_row;
    double rr = 0.0;
    for (size_t i = 0; i < n; i++) {
        solve->work[i] = is_fixed(solve, i) ? 0.0 : solve->b[i] - solve->work[i];
    }
    for (int32_t k = 0; solve->oblique && k < solve->oblique->n; k++) {
        ew_oblique_project(solve->oblique, k, solve->work + 3 * (size_t)solve->oblique->row[k]);
    }
    for (size_t i = 0; i < n; i++) {
        rr += solve->work[i] * solve->work[i];
    }
    return rr;
}

/* The prescribed components of x. */
static void take_prescribed(const device_solve *solve, double *given)
{
    for (size_t i = 0; i < 3 * (size_t)solve->n_row; i++) {
        given[i] = is_fixed(solve, i) || solve->fixed[i / 3] & EW_OBLIQUE ? solve->x[i] : 0.0;
    }
    for (int32_t k = 0; solve->oblique && k < solve->oblique->n; k++) {
        double *v = given + 3 * (size_t)solve->oblique->row[k];
        ew_oblique_part(solve->oblique, k, v, v);
    }
}

static void multiply_on_host(const device_solve *solve, const double *x, double *y)
{
#pragma omp parallel num_threads(ew_matrix_product_threads(solve->n_row))
    solve->op->type->product(solve->op, false, x, y);
}

static ew_status reference_without_double(void *self, double *reference)
{
    device_solve *solve = self;
    const size_t n = 3 * (size_t)solve->n_row;
    double *given = solve->work + n;
    take_prescribed(solve, given);
    multiply_on_host(solve, given, solve->work);
    *reference = sqrt(subtract_work(solve));
    return EW_OK;
}

static ew_status residual_without_double(void *self, double *scale, double *rr)
{
    device_solve *solve = self;
    size_t n = 3 * (size_t)solve->n_row, bytes = n * sizeof *solve->transit;
    EW_TRY(ew_buffer_read(solve->device, &solve->d, 0, bytes, solve->transit));
    EW_TRY(ew_buffer_zero(solve->device, &solve->d, 0, bytes));
    for (size_t i = 0; i < n; i++) {
        solve->x[i] += solve->scale * (double)solve->transit[i];
    }
    for (int32_t k = 0; solve->oblique && k < solve->oblique->n; k++) {
        const size_t row = 3 * (size_t)solve->oblique->row[k];
        const float *d = solve->transit + row;
        double part[3] = {(double)d[0], (double)d[1], (double)d[2]};
        ew_oblique_part(solve->oblique, k, part, part);
        for (size_t c = 0; c < 3; c++) {
            solve->x[row + c] -= solve->scale * part[c];
        }
    }
    multiply_on_host(solve, solve->x, solve->work);
    *rr = subtract_work(solve);
    *scale = solve->scale = scale_of(solve, *rr);
    for (size_t i = 0; i < n; i++) {
        solve->transit[i] = (float)(solve->work[i] / *scale);
    }
    return ew_buffer_write(solve->device, &solve->r, 0, bytes, solve->transit);
}

/* ---- with fp64 or without ------------------------------------------------- */

static ew_status device_reference(void *self, double *reference)
{
    const device_solve *solve = self;
    return solve->has_double ? reference_with_double(self, reference)
                             : reference_without_double(self, reference);
}

static ew_status device_residual(void *self, double *scale, double *rr)
{
    const device_solve *solve = self;
    return solve->has_double ? residual_with_double(self, scale, rr)
                             : residual_without_double(self, scale, rr);
}

/* ---- a task ----------------------------------------------------------------- */

static ew_status find_kernels(device_solve *solve)
{
    const char *working = ew_device_real_options(solve->device, solve->single);
    const char *applied = ew_device_real_options(solve->device, solve->preconditioner->single);
    const char *options = solve->narrows ? EW_PCG_NARROWS : working;
    const struct {
        ew_kernel **kernel;
        const char *function;
        bool needs_double;
    } table[] = {{&solve->start, "start", false},
                 {&solve->advance, "advance", false},
                 {&solve->direction, "direction", false},
                 {&solve->begin, "begin", false},
                 {&solve->find_alpha, "find_alpha", false},
                 {&solve->find_beta, "find_beta", false},
                 {&solve->correct, "correct", true},
                 {&solve->prescribe, "prescribe", true},
                 {&solve->residual, "residual", true},
                 {&solve->narrow, "narrow", true},
                 {&solve->prescribe_oblique, "prescribe_oblique", true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (solve->has_double || !table[i].needs_double) {
            EW_TRY(ew_device_kernel(solve->device, "pcg", table[i].function, options,
                                    table[i].kernel));
        }
    }
    EW_TRY(ew_device_kernel(solve->device, "pcg", "project", working, &solve->project));
    EW_TRY(ew_device_kernel(solve->device, "pcg", "project", applied, &solve->project_z));
    return solve->has_double ? ew_device_kernel(solve->device, "pcg", "project",
                                                ew_device_real_options(solve->device, false),
                                                &solve->project_double)
                             : EW_OK;
}

static ew_status reserve(device_solve *solve)
{
    const size_t n = 3 * (size_t)solve->n_row;
    const size_t real = solve->single ? sizeof(float) : sizeof(double);
    const size_t applied = solve->preconditioner->single ? sizeof(float) : sizeof(double);
    const size_t sum = solve->has_double ? sizeof(double) : sizeof(float);
    ew_buffer *const working[] = {&solve->r, &solve->p, &solve->q};
    ew_buffer *const wide[] = {&solve->position, &solve->load, &solve->given, &solve->rest};
    EW_TRY(ew_buffer_reserve(solve->device, &solve->partial, 2 * EW_MAX_PARTIALS * sizeof(double)));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->state, (STATE + 3 * EW_PCG_AHEAD) * sum));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->fixed_rows, (size_t)solve->n_row));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->d, n * sum));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->z, n * applied));
    EW_TRY(solve->narrows ? ew_buffer_reserve(solve->device, &solve->narrow_r, n * applied)
                          : EW_OK);
    for (size_t i = 0; i < sizeof working / sizeof *working; i++) {
        EW_TRY(ew_buffer_reserve(solve->device, working[i], n * real));
    }
    if (!solve->has_double) {
        EW_TRY(ew_grow(&solve->work, &solve->work_capacity, solve->n_row, 6 * sizeof *solve->work));
        return ew_grow(&solve->transit, &solve->transit_capacity, solve->n_row,
                       3 * sizeof *solve->transit);
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        EW_TRY(ew_buffer_reserve(solve->device, wide[i], n * sizeof(double)));
    }
    return EW_OK;
}

/* After the load is there. */
static ew_status upload_oblique(device_solve *solve)
{
    const ew_oblique *oblique = solve->oblique;
    const size_t n = oblique ? (size_t)oblique->n : 0;
    if (!n) {
        return EW_OK;
    }
    EW_TRY(ew_buffer_reserve(solve->device, &solve->oblique_row, n * sizeof(int32_t)));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->oblique_normal, 6 * n * sizeof(double)));
    EW_TRY(
        ew_buffer_write(solve->device, &solve->oblique_row, 0, n * sizeof(int32_t), oblique->row));
    if (solve->has_double) {
        EW_TRY(ew_buffer_write(solve->device, &solve->oblique_normal, 0, 6 * n * sizeof(double),
                               oblique->normal));
        return project(solve, solve->project_double, &solve->load);
    }
    float *narrow = NULL;
    EW_TRY(ew_new(&narrow, 6 * n, sizeof *narrow));
    for (size_t i = 0; i < 6 * n; i++) {
        narrow[i] = (float)oblique->normal[i];
    }
    const ew_status status =
        ew_buffer_write(solve->device, &solve->oblique_normal, 0, 6 * n * sizeof *narrow, narrow);
    ew_release(narrow);
    return status;
}

static ew_status upload(device_solve *solve)
{
    const size_t n = 3 * (size_t)solve->n_row;
    const size_t sum = solve->has_double ? sizeof(double) : sizeof(float);
    EW_TRY(
        ew_buffer_write(solve->device, &solve->fixed_rows, 0, (size_t)solve->n_row, solve->fixed));
    EW_TRY(ew_buffer_zero(solve->device, &solve->d, 0, n * sum));
    if (!solve->has_double) {
        return upload_oblique(solve);
    }
    EW_TRY(ew_buffer_write(solve->device, &solve->position, 0, n * sizeof(double), solve->x));
    EW_TRY(ew_buffer_write(solve->device, &solve->load, 0, n * sizeof(double), solve->b));
    return upload_oblique(solve);
}

static void release_contents(device_solve *solve)
{
    ew_buffer *const buffer[] = {
        &solve->fixed_rows,     &solve->narrow_r, &solve->d,     &solve->r,    &solve->z,
        &solve->oblique_row,    &solve->position, &solve->p,     &solve->q,    &solve->load,
        &solve->oblique_normal, &solve->partial,  &solve->given, &solve->rest, &solve->state};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    ew_release(solve->work);
    ew_release(solve->transit);
    *solve = (device_solve){0};
}

static ew_status device_open(void **self, const ew_pcg_task *task)
{
    if (!*self) {
        device_solve *fresh;
        EW_TRY(ew_new_zero(&fresh, 1, sizeof *fresh));
        *self = fresh;
    }
    device_solve *solve = *self;
    ew_device *device = task->system->op->device_matrix->device;
    if (solve->device != device) {
        release_contents(solve);
    }
    solve->device = device;
    solve->op = task->system->op;
    solve->preconditioner = task->preconditioner;
    solve->fixed = task->system->fixed;
    solve->b = task->system->b;
    solve->oblique = task->system->oblique;
    solve->x = task->x;
    solve->single = task->precision == EW_SINGLE;
    solve->narrows = task->preconditioner->single && !solve->single;
    solve->has_double = ew_device_about(device)->has_double;
    solve->n_row = ew_operator_n_row(solve->op);
    solve->n_group = ew_pcg_groups(solve->n_row);
    solve->scale = 1.0;
    EW_TRY(find_kernels(solve));
    EW_TRY(reserve(solve));
    return upload(solve);
}

static ew_status device_close(void *self, bool prescribed)
{
    device_solve *solve = self;
    const size_t n = 3 * (size_t)solve->n_row;
    if (solve->has_double) {
        EW_TRY(ew_buffer_read(solve->device, &solve->position, 0, n * sizeof(double), solve->x));
    }
    if (prescribed) {
        take_prescribed(solve, solve->x);
    }
    return EW_OK;
}

static void device_free(void *self)
{
    if (self) {
        release_contents(self);
        ew_release(self);
    }
}

const ew_pcg_ops ew_pcg_on_device = {.open = device_open,
                                     .reference = device_reference,
                                     .residual = device_residual,
                                     .start = device_start,
                                     .iterate = device_iterate,
                                     .close = device_close,
                                     .free = device_free};
