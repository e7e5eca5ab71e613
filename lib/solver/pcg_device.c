/* The operations of the iteration on an OpenCL device, and ew_solve_device. Vectors stay there
 * between iterations; what comes back is one small array of partial sums per reduction, added here
 * in order. Kernels: product.cl, pcg.cl.
 *
 * x, b, the residual and the correction d are double. In mixed and single precision the
 * recurrence's other vectors are float, and the residual is divided by its length (`scale`) on its
 * way into them, so that no unit of force leaves the range of float. Without fp64 d is float, and x
 * and the residual live on the host. */
#include "solver/solver.h"

#include <math.h>

#define GROUP       128              /* of kernels/pcg.cl */
#define MOST_GROUPS EW_MOST_PARTIALS /* enough to fill a large GPU; a read-back stays small */

typedef struct device_solve {
    ew_device *device;
    ew_device_matrix *matrix;
    const ew_pattern *pattern;
    const ew_matrix *host; /* without fp64 */
    const uint8_t *fixed;
    const double *b;
    double *x;
    bool single, has_double; /* float vectors; the device has fp64 */
    int32_t n_row;
    size_t n_group;
    double scale; /* of d and r */
    ew_buffer fixed_rows, inverse, d, r, z, p, q, partial;
    ew_buffer position, load, given, rest; /* double: x, b, x_p, the residual */
    ew_kernel *start, *advance, *direction, *correct, *prescribe, *residual, *narrow;
    void *sums;     /* [2 * MOST_GROUPS] owned, double or float as on the device */
    double *work;   /* [n_row][3] owned, without fp64 */
    float *transit; /* [n_row][3] owned, without fp64 */
} device_solve;

/* ---- launches ----------------------------------------------------------- */

/* Adds up n_sum arrays of partial sums, each in the order of the groups. */
static ew_status read_sums(device_solve *solve, size_t n_group, int n_sum, double *sum)
{
    size_t size = solve->has_double ? sizeof(double) : sizeof(float);
    EW_TRY(ew_buffer_read(solve->device, &solve->partial, 0, (size_t)n_sum * n_group * size,
                          solve->sums));
    for (int k = 0; k < n_sum; k++) {
        sum[k] = 0.0;
        for (size_t i = (size_t)k * n_group; i < ((size_t)k + 1) * n_group; i++) {
            sum[k] +=
                solve->has_double ? ((double *)solve->sums)[i] : (double)((float *)solve->sums)[i];
        }
    }
    return EW_OK;
}

static ew_status run(device_solve *solve, ew_kernel *kernel, int32_t n, const ew_argument *argument)
{
    return ew_kernel_run(solve->device, kernel, solve->n_group * GROUP, GROUP, n, argument);
}

/* A factor in the type of the recurrence's vectors. */
typedef struct working_value {
    double wide;
    float narrow;
} working_value;

static ew_argument working_argument(const device_solve *solve, working_value *value, double number)
{
    *value = (working_value){number, (float)number};
    return solve->single ? EW_ARG_VALUE(value->narrow) : EW_ARG_VALUE(value->wide);
}

/* x += scale d, d = 0 */
static ew_status correct(device_solve *solve)
{
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_VALUE(solve->scale),
                                    EW_ARG_BUFFER(&solve->d), EW_ARG_BUFFER(&solve->position)};
    return run(solve, solve->correct, 4, argument);
}

/* rest = S (b - K vector), rr = its square */
static ew_status subtract_product(device_solve *solve, const ew_buffer *vector, double *rr)
{
    EW_TRY(ew_device_matrix_product(solve->matrix, false, vector, &solve->rest));
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_BUFFER(&solve->fixed_rows),
                                    EW_ARG_BUFFER(&solve->load), EW_ARG_BUFFER(&solve->rest),
                                    EW_ARG_BUFFER(&solve->partial)};
    EW_TRY(run(solve, solve->residual, 5, argument));
    return read_sums(solve, solve->n_group, 1, rr);
}

/* ---- the operations ------------------------------------------------------ */

static ew_status device_reference(void *self, double *reference)
{
    device_solve *solve = self;
    double rr;
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_BUFFER(&solve->fixed_rows),
                                    EW_ARG_BUFFER(&solve->position), EW_ARG_BUFFER(&solve->given)};
    EW_TRY(run(solve, solve->prescribe, 4, argument));
    EW_TRY(subtract_product(solve, &solve->given, &rr));
    *reference = sqrt(rr);
    return EW_OK;
}

/* The divisor that gives the residual's working copy length 1; double needs none. */
static double scale_of(const device_solve *solve, double rr)
{
    return solve->single && rr > 0.0 && isfinite(rr) ? sqrt(rr) : 1.0;
}

static ew_status device_residual(void *self, double *scale, double *rr)
{
    device_solve *solve = self;
    EW_TRY(correct(solve));
    EW_TRY(subtract_product(solve, &solve->position, rr));
    *scale = solve->scale = scale_of(solve, *rr);
    double factor = 1.0 / *scale;
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_VALUE(factor),
                                    EW_ARG_BUFFER(&solve->rest), EW_ARG_BUFFER(&solve->r)};
    return run(solve, solve->narrow, 4, argument);
}

static ew_status device_start(void *self, double *rz)
{
    device_solve *solve = self;
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row), EW_ARG_BUFFER(&solve->inverse),
                                    EW_ARG_BUFFER(&solve->r),   EW_ARG_BUFFER(&solve->z),
                                    EW_ARG_BUFFER(&solve->p),   EW_ARG_BUFFER(&solve->partial)};
    EW_TRY(run(solve, solve->start, 6, argument));
    return read_sums(solve, solve->n_group, 1, rz);
}

static ew_status device_apply(void *self, double *pq)
{
    device_solve *solve = self;
    int32_t n_partial;
    EW_TRY(ew_device_matrix_product_dot(solve->matrix, solve->single, &solve->fixed_rows, &solve->p,
                                        &solve->q, &solve->partial, &n_partial));
    return read_sums(solve, (size_t)n_partial, 1, pq);
}

static ew_status device_advance(void *self, double alpha, double *rz, double *rr)
{
    device_solve *solve = self;
    working_value value;
    double sum[2];
    const ew_argument argument[] = {
        EW_ARG_VALUE(solve->n_row),     working_argument(solve, &value, alpha),
        EW_ARG_BUFFER(&solve->inverse), EW_ARG_BUFFER(&solve->p),
        EW_ARG_BUFFER(&solve->q),       EW_ARG_BUFFER(&solve->d),
        EW_ARG_BUFFER(&solve->r),       EW_ARG_BUFFER(&solve->z),
        EW_ARG_BUFFER(&solve->partial)};
    EW_TRY(run(solve, solve->advance, 9, argument));
    EW_TRY(read_sums(solve, solve->n_group, 2, sum));
    *rz = sum[0];
    *rr = sum[1];
    return EW_OK;
}

static ew_status device_direction(void *self, double beta)
{
    device_solve *solve = self;
    working_value value;
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row),
                                    working_argument(solve, &value, beta), EW_ARG_BUFFER(&solve->z),
                                    EW_ARG_BUFFER(&solve->p)};
    return run(solve, solve->direction, 4, argument);
}

/* ---- without fp64: the residual on the host ------------------------------- */

static bool is_fixed(const device_solve *solve, size_t i)
{
    return solve->fixed[i / 3] >> (i % 3) & 1;
}

/* work = S (b - work), rr = its square */
static double subtract_work(device_solve *solve)
{
    double rr = 0.0;
    for (size_t i = 0; i < 3 * (size_t)solve->n_row; i++) {
        solve->work[i] = is_fixed(solve, i) ? 0.0 : solve->b[i] - solve->work[i];
        rr += solve->work[i] * solve->work[i];
    }
    return rr;
}

static ew_status host_reference(void *self, double *reference)
{
    device_solve *solve = self;
    size_t n = 3 * (size_t)solve->n_row;
    double *given = NULL;
    EW_TRY(ew_new(&given, n, sizeof *given));
    for (size_t i = 0; i < n; i++) {
        given[i] = is_fixed(solve, i) ? solve->x[i] : 0.0;
    }
    ew_matrix_product(solve->host, solve->pattern, given, solve->work);
    *reference = sqrt(subtract_work(solve));
    ew_release(given);
    return EW_OK;
}

static ew_status host_residual(void *self, double *scale, double *rr)
{
    device_solve *solve = self;
    size_t n = 3 * (size_t)solve->n_row, bytes = n * sizeof *solve->transit;
    EW_TRY(ew_buffer_read(solve->device, &solve->d, 0, bytes, solve->transit));
    EW_TRY(ew_buffer_zero(solve->device, &solve->d, 0, bytes));
    for (size_t i = 0; i < n; i++) {
        solve->x[i] += solve->scale * (double)solve->transit[i];
    }
    ew_matrix_product(solve->host, solve->pattern, solve->x, solve->work);
    *rr = subtract_work(solve);
    *scale = solve->scale = scale_of(solve, *rr);
    for (size_t i = 0; i < n; i++) {
        solve->transit[i] = (float)(solve->work[i] / *scale);
    }
    return ew_buffer_write(solve->device, &solve->r, 0, bytes, solve->transit);
}

/* ---- setting up ----------------------------------------------------------- */

static ew_status check(const device_solve *solve, const ew_pcg_def *def)
{
    const ew_device_matrix *matrix = solve->matrix;
    EW_TRY(ew_pcg_def_check(def));
    if (!matrix->revision || matrix->revision != solve->pattern->revision ||
        matrix->n_row != solve->pattern->n_row || matrix->n_pair != solve->pattern->n_pair) {
        return ew_fail(
            EW_STALE,
            "solver: the device matrix with %d rows and %d pairs is at revision %llu, the "
            "pattern with %d and %d at %llu; revalidate or build it first",
            matrix->n_row, matrix->n_pair, (unsigned long long)matrix->revision,
            solve->pattern->n_row, solve->pattern->n_pair,
            (unsigned long long)solve->pattern->revision);
    }
    if (def->precision != EW_SINGLE && !solve->has_double) {
        return ew_fail(EW_UNSUPPORTED,
                       "solver: %s has no double precision (fp64): use --precision "
                       "single or --device host",
                       ew_device_about(solve->device)->name);
    }
    if (solve->single && !matrix->has_single) {
        return ew_fail(EW_UNSUPPORTED, "solver: the device matrix was built for double precision; "
                                       "build it for mixed or single");
    }
    if (!solve->has_double && (!solve->host || solve->host->revision != matrix->revision)) {
        return ew_fail(EW_STALE,
                       "solver: without fp64 the residual needs the host's matrix at "
                       "mesh revision %llu",
                       (unsigned long long)matrix->revision);
    }
    return EW_OK;
}

static ew_status find_kernels(device_solve *solve)
{
    const char *options = ew_device_real_options(solve->device, solve->single);
    const struct {
        ew_kernel **kernel;
        const char *function;
        bool needs_double;
    } table[] = {{&solve->start, "start", false},         {&solve->advance, "advance", false},
                 {&solve->direction, "direction", false}, {&solve->correct, "correct", true},
                 {&solve->prescribe, "prescribe", true},  {&solve->residual, "residual", true},
                 {&solve->narrow, "narrow", true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (solve->has_double || !table[i].needs_double) {
            EW_TRY(ew_device_kernel(solve->device, "pcg", table[i].function, options,
                                    table[i].kernel));
        }
    }
    return EW_OK;
}

static ew_status reserve(device_solve *solve)
{
    size_t n = 3 * (size_t)solve->n_row, real = solve->single ? sizeof(float) : sizeof(double);
    size_t sum = solve->has_double ? sizeof(double) : sizeof(float);
    ew_buffer *const working[] = {&solve->r, &solve->z, &solve->p, &solve->q};
    ew_buffer *const wide[] = {&solve->position, &solve->load, &solve->given, &solve->rest};
    EW_TRY(ew_new(&solve->sums, 2 * MOST_GROUPS, sizeof(double)));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->partial, 2 * MOST_GROUPS * sizeof(double)));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->fixed_rows, (size_t)solve->n_row));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->inverse, 2 * n * real));
    EW_TRY(ew_buffer_reserve(solve->device, &solve->d, n * sum));
    for (size_t i = 0; i < sizeof working / sizeof *working; i++) {
        EW_TRY(ew_buffer_reserve(solve->device, working[i], n * real));
    }
    if (!solve->has_double) {
        EW_TRY(ew_new(&solve->work, n, sizeof *solve->work));
        return ew_new(&solve->transit, n, sizeof *solve->transit);
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        EW_TRY(ew_buffer_reserve(solve->device, wide[i], n * sizeof(double)));
    }
    return EW_OK;
}

static ew_status upload(device_solve *solve)
{
    size_t n = 3 * (size_t)solve->n_row;
    size_t sum = solve->has_double ? sizeof(double) : sizeof(float);
    EW_TRY(
        ew_buffer_write(solve->device, &solve->fixed_rows, 0, (size_t)solve->n_row, solve->fixed));
    EW_TRY(ew_buffer_zero(solve->device, &solve->d, 0, n * sum));
    if (!solve->has_double) {
        return EW_OK;
    }
    EW_TRY(ew_buffer_write(solve->device, &solve->position, 0, n * sizeof(double), solve->x));
    return ew_buffer_write(solve->device, &solve->load, 0, n * sizeof(double), solve->b);
}

static ew_status invert_diagonal(device_solve *solve, ew_preconditioner kind)
{
    ew_kernel *kernel;
    int32_t scalar = kind == EW_JACOBI;
    double bad[2];
    EW_TRY(ew_device_kernel(solve->device, "pcg", "invert_diagonal",
                            ew_device_real_options(solve->device, solve->single), &kernel));
    const ew_argument argument[] = {EW_ARG_VALUE(solve->n_row),
                                    EW_ARG_VALUE(scalar),
                                    EW_ARG_BUFFER(&solve->fixed_rows),
                                    EW_ARG_BUFFER(solve->has_double
                                                      ? &solve->matrix->diagonal
                                                      : &solve->matrix->diagonal_single),
                                    EW_ARG_BUFFER(&solve->inverse),
                                    EW_ARG_BUFFER(&solve->partial)};
    EW_TRY(run(solve, kernel, 6, argument));
    EW_TRY(read_sums(solve, solve->n_group, 2, bad));
    if (bad[0] > 0.0) {
        return ew_fail(EW_NOT_FINITE, "solver: the diagonal blocks of %.0f rows are not finite%s",
                       bad[0], solve->single ? " in single precision; use --precision double" : "");
    }
    if (bad[1] > 0.0) {
        return ew_fail(EW_INDEFINITE,
                       "solver: the diagonal blocks of %.0f rows are not positive definite; is "
                       "there a tet without volume?",
                       bad[1]);
    }
    return EW_OK;
}

static void release(device_solve *solve)
{
    ew_buffer *const buffer[] = {&solve->fixed_rows, &solve->inverse, &solve->d,
                                 &solve->r,          &solve->z,       &solve->p,
                                 &solve->q,          &solve->partial, &solve->position,
                                 &solve->load,       &solve->given,   &solve->rest};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    ew_release(solve->sums);
    ew_release(solve->work);
    ew_release(solve->transit);
}

static ew_status solve_all(device_solve *solve, const ew_pcg_def *def, ew_pcg_info *info)
{
    bool there = solve->has_double;
    const ew_pcg_ops ops = {.self = solve,
                            .reference = there ? device_reference : host_reference,
                            .residual = there ? device_residual : host_residual,
                            .start = device_start,
                            .apply = device_apply,
                            .advance = device_advance,
                            .direction = device_direction};
    size_t n = 3 * (size_t)solve->n_row;
    EW_TRY(check(solve, def));
    EW_TRY(ew_pcg_check_right_side(solve->n_row, solve->fixed, solve->b));
    EW_TRY(find_kernels(solve));
    EW_TRY(reserve(solve));
    EW_TRY(upload(solve));
    EW_TRY(invert_diagonal(solve, def->preconditioner));
    ew_status status = ew_pcg_iterate(&ops, def, info);
    if (there && status != EW_DEVICE) {
        EW_TRY(ew_buffer_read(solve->device, &solve->position, 0, n * sizeof(double), solve->x));
    }
    for (size_t i = 0; !status && info->reference == 0.0 && i < n; i++) {
        solve->x[i] = is_fixed(solve, i) ? solve->x[i] : 0.0; /* the answer is x_p */
    }
    return status;
}

ew_status ew_solve_device(ew_device_matrix *matrix, const ew_pattern *pattern,
                          const ew_matrix *host, const uint8_t *fixed, const double *b,
                          const ew_pcg_def *def, double *x, ew_pcg_info *info)
{
    size_t n_group = ((size_t)matrix->n_row + GROUP - 1) / GROUP;
    double start = ew_seconds();
    device_solve solve = {.device = matrix->device,
                          .matrix = matrix,
                          .pattern = pattern,
                          .host = host,
                          .fixed = fixed,
                          .b = b,
                          .x = x,
                          .single = def->precision != EW_DOUBLE,
                          .has_double = matrix->has_double,
                          .n_row = matrix->n_row,
                          .n_group = n_group < MOST_GROUPS ? n_group : MOST_GROUPS,
                          .scale = 1.0};
    *info = (ew_pcg_info){.history = info->history, .history_capacity = info->history_capacity};
    info->status = solve_all(&solve, def, info);
    info->seconds = ew_seconds() - start;
    release(&solve);
    return info->status;
}
