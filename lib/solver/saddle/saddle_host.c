/* Vectors of the minimal residual method on the host. Sums are formed chunk by chunk, whatever the
 * number of threads. */
#include "solver/saddle/saddle.h"

#include <math.h>
#include <string.h>

/* Numbers of a chunk. */
#define CHUNK (4 * EW_SUM_ROWS)

typedef struct host_solve {
    saddle_task task;
    size_t n_row, n; /* n = 4 n_row */
    double energy;   /* x.A x + p.C p of the last residual's vector */
    int32_t capacity, partial_capacity;
    double *vector, *partial; /* owned: [N_VECTOR][n]; a chunk's sum */
} host_solve;

static double *at(const host_solve *of, int v)
{
    return of->vector + of->n * (size_t)v;
}

static ew_status open(void **self, const saddle_task *task)
{
    const size_t n_row = (size_t)task->system->op->pattern->n_row;
    if (!*self) {
        host_solve *fresh;
        EW_TRY(ew_new_zero(&fresh, 1, sizeof *fresh));
        *self = fresh;
    }
    host_solve *of = *self;
    of->task = *task;
    of->n_row = n_row;
    of->n = 4 * n_row;
    EW_TRY(ew_grow(&of->vector, &of->capacity, (int64_t)n_row, 4 * N_VECTOR * sizeof *of->vector));
    EW_TRY(ew_grow(&of->partial, &of->partial_capacity, (int64_t)(of->n / CHUNK) + 1,
                   sizeof *of->partial));
    memcpy(at(of, X), task->x, 3 * n_row * sizeof *task->x);
    memcpy(at(of, X) + 3 * n_row, task->p, n_row * sizeof *task->p);
    return EW_OK;
}

static ew_status close(void *self)
{
    const host_solve *of = self;
    memcpy(of->task.x, at(of, X), 3 * of->n_row * sizeof(double));
    memcpy(of->task.p, at(of, X) + 3 * of->n_row, of->n_row * sizeof(double));
    return EW_OK;
}

static ew_status clear(void *self, int v)
{
    const host_solve *of = self;
    memset(at(of, v), 0, of->n * sizeof(double));
    return EW_OK;
}

/* ---- sums ---------------------------------------------------------------------- */

static double dot_between(const host_solve *of, size_t begin, size_t end, const double *a,
                          const double *b)
{
    const int32_t n_chunk = (int32_t)((end - begin) / CHUNK) + 1;
    double sum = 0.0;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_chunk, 4))
    for (int32_t k = 0; k < n_chunk; k++) {
        const size_t from = begin + CHUNK * (size_t)k;
        const size_t to = from + CHUNK < end ? from + CHUNK : end;
        double part = 0.0;
        for (size_t i = from; i < to; i++) {
            part += a[i] * b[i];
        }
        of->partial[k] = part;
    }
    for (int32_t k = 0; k < n_chunk; k++) {
        sum += of->partial[k];
    }
    return sum;
}

static ew_status dot(void *self, saddle_part part, int v, int w, double *sum)
{
    const host_solve *of = self;
    const double *a = at(of, v), *b = at(of, w), *scale = of->task.saddle->scale;
    *sum = 0.0;
    if (part != OF_P) {
        *sum = dot_between(of, 0, part == OF_X ? 3 * of->n_row : of->n, a, b);
    }
    for (size_t row = 0; row < of->n_row && part == OF_P; row++) {
        const size_t i = 3 * of->n_row + row;
        *sum += scale[row] > 0.0 ? a[i] * b[i] / scale[row] : 0.0;
    }
    return EW_OK;
}

/* ---- vectors ------------------------------------------------------------------- */

static ew_status combine(void *self, double a, int v, double b, int w, double c, int z, int out)
{
    const host_solve *of = self;
    const int32_t n_chunk = (int32_t)(of->n / CHUNK) + 1;
    const double *x = at(of, v), *y = at(of, w), *u = at(of, z);
    double *to_v = at(of, out);
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_chunk, 4))
    for (int32_t k = 0; k < n_chunk; k++) {
        const size_t from = CHUNK * (size_t)k, to = from + CHUNK < of->n ? from + CHUNK : of->n;
        for (size_t i = from; i < to; i++) {
            to_v[i] = a * x[i] + b * y[i] + c * u[i];
        }
    }
    return EW_OK;
}

static void clear_fixed(const host_solve *of, double *v)
{
    const uint8_t *fixed = of->task.system->fixed;
    for (size_t row = 0; row < of->n_row; row++) {
        for (size_t c = 0; c < 3; c++) {
            v[3 * row + c] = fixed[row] >> c & 1 ? 0.0 : v[3 * row + c];
        }
        if (!(of->task.saddle->scale[row] > 0.0)) {
            v[3 * of->n_row + row] = 0.0;
        }
    }
}

static void filter(const host_solve *of, double *v)
{
    clear_fixed(of, v);
    ew_system_project(of->task.system, v);
}

static ew_status prescribed(void *self, int v)
{
    const host_solve *of = self;
    const uint8_t *fixed = of->task.system->fixed;
    const double *x = at(of, X);
    double *to = at(of, v);
    memset(to, 0, of->n * sizeof *to);
    for (size_t i = 0; i < 3 * of->n_row; i++) {
        to[i] = fixed[i / 3] >> i % 3 & 1 ? x[i] : 0.0;
    }
    (void)ew_system_prescribe(of->task.system, x, at(of, v == W ? W_OLD : W), to);
    return EW_OK;
}

/* ---- products ------------------------------------------------------------------- */

static void multiply_all(const host_solve *of, const double *v, double *out)
{
    const ew_saddle *saddle = of->task.saddle;
    const size_t p = 3 * of->n_row;
    ew_operator_product(of->task.system->op, v, out);
    saddle->add_product(saddle->user, v, v + p, out, out + p);
}

static ew_status multiply(void *self, int v, int out)
{
    const host_solve *of = self;
    multiply_all(of, at(of, v), at(of, out));
    filter(of, at(of, out));
    return EW_OK;
}

/* r = (b, g) - A v */
static void subtract_product(const host_solve *of, int v, double *r)
{
    const double *b = of->task.system->b, *g = of->task.saddle->g;
    multiply_all(of, at(of, v), r);
    for (size_t i = 0; i < 3 * of->n_row; i++) {
        r[i] = b[i] - r[i];
    }
    for (size_t i = 0; i < of->n_row; i++) {
        r[3 * of->n_row + i] = (g ? g[i] : 0.0) - r[3 * of->n_row + i];
    }
}

/* v.((b, -g) - (r_x, -r_p)), r the residual of v as it is. */
static double energy_of(const host_solve *of, const double *v, const double *r)
{
    const size_t n = 3 * of->n_row;
    const double *b = of->task.system->b, *g = of->task.saddle->g;
    const double of_x = dot_between(of, 0, n, v, b) - dot_between(of, 0, n, v, r);
    const double of_g = g ? dot_between(of, 0, of->n_row, v + n, g) : 0.0;
    return of_x - (of_g - dot_between(of, n, of->n, v, r));
}

static ew_status residual(void *self, int v, int out)
{
    host_solve *of = self;
    subtract_product(of, v, at(of, out));
    of->energy = energy_of(of, at(of, v), at(of, out));
    filter(of, at(of, out));
    return EW_OK;
}

static double energy(void *self)
{
    return ((const host_solve *)self)->energy;
}

static bool is_taken(void *self, int v, int work)
{
    const host_solve *of = self;
    const size_t n = 3 * of->n_row;
    double *r = at(of, work);
    if (!of->task.system->equations) {
        return false;
    }
    subtract_product(of, v, r);
    clear_fixed(of, r);
    const double whole = sqrt(dot_between(of, 0, n, r, r));
    ew_system_project(of->task.system, r);
    return sqrt(dot_between(of, 0, n, r, r)) < EW_TAKEN_SHARE * whole && isfinite(whole);
}

static ew_status precondition(void *self, int r, int out)
{
    const host_solve *of = self;
    const double *scale = of->task.saddle->scale, *from = at(of, r);
    double *z = at(of, out);
    memset(z, 0, of->n * sizeof *z);
#pragma omp parallel num_threads(ew_matrix_product_threads((int32_t)of->n_row))
    ew_preconditioner_apply(of->task.preconditioner, from, z);
    for (size_t row = 0; row < of->n_row; row++) {
        const size_t i = 3 * of->n_row + row;
        z[i] = scale[row] > 0.0 ? from[i] / scale[row] : 0.0;
    }
    filter(of, z);
    return EW_OK;
}

static void free_solve(void *self)
{
    host_solve *of = self;
    if (of) {
        ew_release(of->vector);
        ew_release(of->partial);
        ew_release(of);
    }
}

const ew_saddle_ops ew_saddle_on_host = {.open = open,
                                         .close = close,
                                         .clear = clear,
                                         .dot = dot,
                                         .combine = combine,
                                         .prescribed = prescribed,
                                         .is_taken = is_taken,
                                         .multiply = multiply,
                                         .residual = residual,
                                         .energy = energy,
                                         .precondition = precondition,
                                         .free = free_solve};
