/* Vectors of the minimal residual method on an OpenCL device, in double, where they stay from the
 * first iteration to the last: what comes back is one small array of partial sums per dot product,
 * added here in order. Kernels: saddle.cl, and of pcg.cl what oblique rows and row-wise
 * preconditioners need. */
#include "solver/saddle/saddle.h"

typedef struct device_solve {
    ew_device *device;
    saddle_task task;
    int32_t n_row, n; /* n = 4 n_row */
    size_t n_group;
    ew_buffer vector[N_VECTOR], fixed, load, partial, unused; /* owned */
    ew_buffer oblique_row, oblique_normal;                    /* owned: int32 [n], [n][2][3] */
    ew_kernel *combine, *dot_product, *dot_scaled, *filter, *subtract, *divide; /* borrowed */
    ew_kernel *start, *project, *prescribe, *prescribe_oblique;
} device_solve;

/* ---- a task ------------------------------------------------------------------- */

static ew_status find_kernels(device_solve *of)
{
    const struct {
        ew_kernel **kernel;
        const char *file, *function;
    } table[] = {{&of->combine, "saddle", "combine"},
                 {&of->dot_product, "saddle", "dot_product"},
                 {&of->dot_scaled, "saddle", "dot_scaled"},
                 {&of->filter, "saddle", "filter"},
                 {&of->subtract, "saddle", "subtract"},
                 {&of->divide, "saddle", "divide"},
                 {&of->start, "pcg", "start"},
                 {&of->project, "pcg", "project"},
                 {&of->prescribe, "pcg", "prescribe"},
                 {&of->prescribe_oblique, "pcg", "prescribe_oblique"}};
    const char *options = ew_device_real_options(of->device, false);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        EW_TRY(ew_device_kernel(of->device, table[i].file, table[i].function, options,
                                table[i].kernel));
    }
    return EW_OK;
}

static void release_contents(device_solve *of)
{
    ew_buffer *const buffer[] = {&of->fixed,  &of->load,        &of->partial,
                                 &of->unused, &of->oblique_row, &of->oblique_normal};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    for (int k = 0; k < N_VECTOR; k++) {
        ew_buffer_free(&of->vector[k]);
    }
    *of = (device_solve){0};
}

static ew_status reserve(device_solve *of)
{
    const size_t n = (size_t)of->n * sizeof(double);
    for (int k = 0; k < N_VECTOR; k++) {
        EW_TRY(ew_buffer_reserve(of->device, &of->vector[k], n));
    }
    EW_TRY(ew_buffer_reserve(of->device, &of->fixed, (size_t)of->n_row));
    EW_TRY(ew_buffer_reserve(of->device, &of->load, n));
    EW_TRY(ew_buffer_reserve(of->device, &of->unused, n / 4 * 3));
    return ew_buffer_reserve(of->device, &of->partial, 2 * EW_MAX_PARTIALS * sizeof(double));
}

static ew_status upload(device_solve *of)
{
    const saddle_task *task = &of->task;
    const ew_oblique *oblique = task->system->oblique;
    const size_t n = (size_t)of->n_row, n_oblique = oblique ? (size_t)oblique->n : 0;
    const size_t rows = n_oblique * sizeof(int32_t), normals = 6 * n_oblique * sizeof(double);
    EW_TRY(ew_buffer_write(of->device, &of->fixed, 0, n, task->system->fixed));
    EW_TRY(ew_buffer_write(of->device, &of->load, 0, 3 * n * sizeof(double), task->system->b));
    EW_TRY(task->saddle->g
               ? ew_buffer_write(of->device, &of->load, 3 * n * sizeof(double), n * sizeof(double),
                                 task->saddle->g)
               : ew_buffer_zero(of->device, &of->load, 3 * n * sizeof(double), n * sizeof(double)));
    EW_TRY(ew_buffer_write(of->device, &of->vector[X], 0, 3 * n * sizeof(double), task->x));
    EW_TRY(ew_buffer_write(of->device, &of->vector[X], 3 * n * sizeof(double), n * sizeof(double),
                           task->p));
    if (!n_oblique) {
        return EW_OK;
    }
    EW_TRY(ew_buffer_reserve(of->device, &of->oblique_row, rows));
    EW_TRY(ew_buffer_reserve(of->device, &of->oblique_normal, normals));
    EW_TRY(ew_buffer_write(of->device, &of->oblique_row, 0, rows, oblique->row));
    return ew_buffer_write(of->device, &of->oblique_normal, 0, normals, oblique->normal);
}

static ew_status open(void **self, const saddle_task *task)
{
    ew_device *device = task->system->op->device_matrix->device;
    if (!*self) {
        device_solve *fresh;
        EW_TRY(ew_new_zero(&fresh, 1, sizeof *fresh));
        *self = fresh;
    }
    device_solve *of = *self;
    if (of->device != device) {
        release_contents(of);
    }
    of->device = device;
    of->task = *task;
    of->n_row = task->system->op->pattern->n_row;
    of->n = 4 * of->n_row;
    of->n_group = ew_pcg_groups(of->n_row);
    EW_TRY(find_kernels(of));
    EW_TRY(reserve(of));
    return upload(of);
}

static ew_status close(void *self)
{
    device_solve *of = self;
    const size_t n = (size_t)of->n_row * sizeof(double);
    EW_TRY(ew_buffer_read(of->device, &of->vector[X], 0, 3 * n, of->task.x));
    return ew_buffer_read(of->device, &of->vector[X], 3 * n, n, of->task.p);
}

/* ---- vectors -------------------------------------------------------------------- */

static ew_status launch(device_solve *of, ew_kernel *kernel, int32_t n, const ew_argument *argument)
{
    return ew_kernel_run(of->device, kernel, of->n_group * EW_PCG_GROUP, EW_PCG_GROUP, n, argument);
}

static ew_status clear(void *self, int v)
{
    device_solve *of = self;
    return ew_buffer_zero(of->device, &of->vector[v], 0, (size_t)of->n * sizeof(double));
}

static ew_status dot(void *self, saddle_part part, int v, int w, double *sum)
{
    device_solve *of = self;
    const int32_t n = part == OF_X ? 3 * of->n_row : of->n;
    const ew_argument plain[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&of->vector[v]),
                                 EW_ARG_BUFFER(&of->vector[w]), EW_ARG_BUFFER(&of->partial)};
    const ew_argument scaled[] = {EW_ARG_VALUE(of->n_row),
                                  EW_ARG_BUFFER(of->task.saddle->device_scale),
                                  EW_ARG_BUFFER(&of->vector[v]), EW_ARG_BUFFER(&of->vector[w]),
                                  EW_ARG_BUFFER(&of->partial)};
    EW_TRY(part == OF_P ? launch(of, of->dot_scaled, 5, scaled)
                        : launch(of, of->dot_product, 4, plain));
    return ew_device_read_sums(of->device, &of->partial, of->n_group, 1, sum);
}

static ew_status combine(void *self, double a, int v, double b, int w, double c, int z, int out)
{
    device_solve *of = self;
    const ew_argument argument[] = {EW_ARG_VALUE(of->n),           EW_ARG_VALUE(a),
                                    EW_ARG_BUFFER(&of->vector[v]), EW_ARG_VALUE(b),
                                    EW_ARG_BUFFER(&of->vector[w]), EW_ARG_VALUE(c),
                                    EW_ARG_BUFFER(&of->vector[z]), EW_ARG_BUFFER(&of->vector[out])};
    return launch(of, of->combine, 8, argument);
}

static ew_status filter(device_solve *of, int v)
{
    const ew_oblique *oblique = of->task.system->oblique;
    const int32_t n = oblique ? oblique->n : 0;
    const ew_argument rows[] = {EW_ARG_VALUE(of->n_row), EW_ARG_BUFFER(&of->fixed),
                                EW_ARG_BUFFER(of->task.saddle->device_scale),
                                EW_ARG_BUFFER(&of->vector[v])};
    const ew_argument turned[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&of->oblique_row),
                                  EW_ARG_BUFFER(&of->oblique_normal),
                                  EW_ARG_BUFFER(&of->vector[v])};
    EW_TRY(launch(of, of->filter, 4, rows));
    return ew_kernel_run(of->device, of->project, (size_t)n, EW_PCG_GROUP, 4, turned);
}

static ew_status prescribed(void *self, int v)
{
    device_solve *of = self;
    const ew_oblique *oblique = of->task.system->oblique;
    const int32_t n = oblique ? oblique->n : 0;
    const ew_argument rows[] = {EW_ARG_VALUE(of->n_row), EW_ARG_BUFFER(&of->fixed),
                                EW_ARG_BUFFER(&of->vector[X]), EW_ARG_BUFFER(&of->vector[v])};
    const ew_argument turned[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&of->oblique_row),
                                  EW_ARG_BUFFER(&of->oblique_normal), EW_ARG_BUFFER(&of->vector[X]),
                                  EW_ARG_BUFFER(&of->vector[v])};
    EW_TRY(clear(self, v));
    EW_TRY(launch(of, of->prescribe, 4, rows));
    return ew_kernel_run(of->device, of->prescribe_oblique, (size_t)n, EW_PCG_GROUP, 5, turned);
}

/* ---- products ------------------------------------------------------------------- */

static ew_status multiply_all(device_solve *of, int v, int out)
{
    const ew_operator *op = of->task.system->op;
    const ew_saddle *saddle = of->task.saddle;
    EW_TRY(op->type->device_product(op, false, &of->vector[v], &of->vector[out]));
    return saddle->device_add_product(saddle->user, &of->vector[v], &of->vector[out]);
}

static ew_status multiply(void *self, int v, int out)
{
    EW_TRY(multiply_all(self, v, out));
    return filter(self, out);
}

static ew_status residual(void *self, int v, int out)
{
    device_solve *of = self;
    const ew_argument argument[] = {EW_ARG_VALUE(of->n), EW_ARG_BUFFER(&of->load),
                                    EW_ARG_BUFFER(&of->vector[out])};
    EW_TRY(multiply_all(of, v, out));
    EW_TRY(launch(of, of->subtract, 3, argument));
    return filter(of, out);
}

static ew_status precondition(void *self, int r, int out)
{
    device_solve *of = self;
    ew_preconditioner *by = of->task.preconditioner;
    const ew_buffer *from = &of->vector[r];
    ew_buffer *z = &of->vector[out];
    const ew_argument rows[] = {EW_ARG_VALUE(of->n_row),
                                EW_ARG_VALUE(by->inverse_capacity),
                                EW_ARG_BUFFER(&by->device_inverse),
                                EW_ARG_BUFFER(from),
                                EW_ARG_BUFFER(&of->unused),
                                EW_ARG_BUFFER(z),
                                EW_ARG_BUFFER(&of->unused),
                                EW_ARG_BUFFER(&of->partial)};
    const ew_argument pressures[] = {EW_ARG_VALUE(of->n_row),
                                     EW_ARG_BUFFER(of->task.saddle->device_scale),
                                     EW_ARG_BUFFER(from), EW_ARG_BUFFER(z)};
    EW_TRY(launch(of, of->start, 8, rows));
    EW_TRY(by->type->device_apply
               ? by->type->device_apply(by, of->task.system->op, from, z, &of->partial, of->n_group)
               : EW_OK);
    EW_TRY(launch(of, of->divide, 4, pressures));
    return filter(of, out);
}

static void free_solve(void *self)
{
    if (self) {
        release_contents(self);
        ew_release(self);
    }
}

const ew_saddle_ops ew_saddle_on_device = {.open = open,
                                           .close = close,
                                           .clear = clear,
                                           .dot = dot,
                                           .combine = combine,
                                           .prescribed = prescribed,
                                           .multiply = multiply,
                                           .residual = residual,
                                           .precondition = precondition,
                                           .free = free_solve};
