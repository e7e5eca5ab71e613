/* Saddle points: [K B^T; B -C] [x; p] = [b; 0] by the minimal residual method, preconditioned by
 * what the solver has for K and a diagonal for p. In: a system, products with B and C, a start
 * vector. Out: x, p.
 *
 * Paige & Saunders 1975, Solution of sparse indefinite systems of linear equations, SIAM J. Numer.
 * Anal. 12; preconditioned as in Elman, Silvester & Wathen 2014, Finite Elements and Fast Iterative
 * Solvers, algorithm 4.1, whose names are used here. Filter and projector as in solver.h.
 *
 * A vector has 3 n_row numbers for x and then n_row for p. */
#include "pcg.h"

#include <math.h>
#include <string.h>

/* Numbers of a chunk: sums are formed chunk by chunk, whatever the number of threads. */
#define CHUNK (4 * EW_SUM_ROWS)
/* The recurrence may stop short of the true residual that often before it starts again. */
#define MAX_PASSES 8
/* Iterations between two calls of the progress callback. */
#define REPORT_EVERY 20

enum { V_OLD, V, V_NEW, Z, Z_NEW, W_OLD, W, W_NEW, D, X, N_VECTOR };

typedef struct ew_saddle_work {
    int32_t capacity, partial_capacity, history_capacity;
    double *vector, *partial, *history; /* owned */
} saddle_work;

typedef struct task {
    const ew_system *system;
    const ew_saddle *saddle;
    ew_preconditioner *preconditioner;
    size_t n_row, n; /* n = 4 n_row */
    double *vector[N_VECTOR], *partial;
} task;

static ew_status make_room(saddle_work *work, task *of)
{
    const int64_t n_partial = (int64_t)(of->n / CHUNK) + 1;
    EW_TRY(ew_grow(&work->vector, &work->capacity, (int64_t)of->n_row,
                   4 * N_VECTOR * sizeof *work->vector));
    EW_TRY(ew_grow(&work->partial, &work->partial_capacity, n_partial, sizeof *work->partial));
    for (int k = 0; k < N_VECTOR; k++) {
        of->vector[k] = work->vector + of->n * (size_t)k;
    }
    of->partial = work->partial;
    return EW_OK;
}

/* ---- vectors ------------------------------------------------------------------- */

static double dot(const task *of, size_t begin, size_t end, const double *a, const double *b)
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

/* out = a x + b y + c z, which may be one of them. */
static void combine(const task *of, double a, const double *x, double b, const double *y, double c,
                    const double *z, double *out)
{
    const int32_t n_chunk = (int32_t)(of->n / CHUNK) + 1;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(n_chunk, 4))
    for (int32_t k = 0; k < n_chunk; k++) {
        const size_t from = CHUNK * (size_t)k, to = from + CHUNK < of->n ? from + CHUNK : of->n;
        for (size_t i = from; i < to; i++) {
            out[i] = a * x[i] + b * y[i] + c * z[i];
        }
    }
}

/* P S v: what is prescribed is taken out, and p where there is none. */
static void filter(const task *of, double *v)
{
    const uint8_t *fixed = of->system->fixed;
    const ew_oblique *oblique = of->system->oblique;
    for (size_t row = 0; row < of->n_row; row++) {
        for (size_t c = 0; c < 3; c++) {
            v[3 * row + c] = fixed[row] >> c & 1 ? 0.0 : v[3 * row + c];
        }
        if (!(of->saddle->scale[row] > 0.0)) {
            v[3 * of->n_row + row] = 0.0;
        }
    }
    for (int32_t k = 0; oblique && k < oblique->n; k++) {
        ew_oblique_project(oblique, k, v + 3 * (size_t)oblique->row[k]);
    }
}

/* out = [K B^T; B -C] v, not filtered. */
static void multiply(const task *of, const double *v, double *out)
{
    const size_t at = 3 * of->n_row;
    ew_operator_product(of->system->op, v, out);
    of->saddle->add_product(of->saddle->user, v, v + at, out, out + at);
}

static void precondition(const task *of, const double *r, double *z)
{
    const double *scale = of->saddle->scale;
    memset(z, 0, of->n * sizeof *z);
#pragma omp parallel num_threads(ew_matrix_product_threads((int32_t)of->n_row))
    ew_preconditioner_apply(of->preconditioner, r, z);
    for (size_t row = 0; row < of->n_row; row++) {
        const size_t i = 3 * of->n_row + row;
        z[i] = scale[row] > 0.0 ? r[i] / scale[row] : 0.0;
    }
    filter(of, z);
}

/* ---- residuals -------------------------------------------------------------------- */

/* r = P S ([b; 0] - A v), formed in double precision from the data. */
static void residual(const task *of, const double *v, double *r)
{
    multiply(of, v, r);
    for (size_t i = 0; i < of->n; i++) {
        r[i] = (i < 3 * of->n_row ? of->system->b[i] : 0.0) - r[i];
    }
    filter(of, r);
}

/* |r_p| as energies are: by the diagonal that p is preconditioned with. */
static double size_of_p(const task *of, const double *r)
{
    double sum = 0.0;
    for (size_t row = 0; row < of->n_row; row++) {
        const double s = of->saddle->scale[row], v = r[3 * of->n_row + row];
        sum += s > 0.0 ? v * v / s : 0.0;
    }
    return sqrt(sum);
}

/* References: |r_x| and the energy norm of the residual at the prescribed values alone. */
typedef struct reference {
    double of_x, energy;
} reference;

static reference take_reference(const task *of, const double *x)
{
    double *v = of->vector[V], *r = of->vector[V_NEW], *z = of->vector[Z];
    const uint8_t *fixed = of->system->fixed;
    const ew_oblique *oblique = of->system->oblique;
    memset(v, 0, of->n * sizeof *v);
    for (size_t i = 0; i < 3 * of->n_row; i++) {
        v[i] = fixed[i / 3] >> i % 3 & 1 ? x[i] : 0.0;
    }
    for (int32_t k = 0; oblique && k < oblique->n; k++) {
        const size_t row = 3 * (size_t)oblique->row[k];
        ew_oblique_part(oblique, k, x + row, v + row);
    }
    residual(of, v, r);
    precondition(of, r, z);
    return (reference){sqrt(dot(of, 0, 3 * of->n_row, r, r)), sqrt(dot(of, 0, of->n, r, z))};
}

/* The larger of the two relative residuals. */
static double measure(const task *of, const double *r, const reference *by)
{
    const double of_x = sqrt(dot(of, 0, 3 * of->n_row, r, r)), of_p = size_of_p(of, r);
    return fmax(by->of_x > 0.0 ? of_x / by->of_x : of_x,
                by->energy > 0.0 ? of_p / by->energy : of_p);
}

/* ---- the iteration ------------------------------------------------------------------- */

static ew_status note(saddle_work *work, ew_pcg_info *info, double value)
{
    EW_TRY(ew_grow(&work->history, &work->history_capacity, (int64_t)info->n_history + 1,
                   sizeof *work->history));
    work->history[info->n_history++] = value;
    info->history = work->history;
    return EW_OK;
}

static void rotate(task *of, int a, int b, int c)
{
    double *first = of->vector[a];
    of->vector[a] = of->vector[b];
    of->vector[b] = of->vector[c];
    of->vector[c] = first;
}

/* Lengths and angles of one step of the recurrence. */
typedef struct angles {
    double c_old, c, s_old, s, gamma_old, gamma, eta;
} angles;

/* v = A z and its norm; the next z. d += what the step brings. */
static ew_status step(task *of, angles *a)
{
    double **v = of->vector;
    if (!isfinite(a->gamma) || !(a->gamma > 0.0)) {
        return isfinite(a->gamma) ? EW_INDEFINITE : EW_NOT_FINITE;
    }
    combine(of, 1.0 / a->gamma, v[Z], 0.0, v[Z], 0.0, v[Z], v[Z]);
    multiply(of, v[Z], v[V_NEW]);
    filter(of, v[V_NEW]);
    const double delta = dot(of, 0, of->n, v[V_NEW], v[Z]);
    combine(of, 1.0, v[V_NEW], -delta / a->gamma, v[V], -a->gamma / a->gamma_old, v[V_OLD],
            v[V_NEW]);
    precondition(of, v[V_NEW], v[Z_NEW]);
    const double next = sqrt(fmax(dot(of, 0, of->n, v[Z_NEW], v[V_NEW]), 0.0));
    const double a0 = a->c * delta - a->c_old * a->s * a->gamma, a1 = hypot(a0, next);
    const double a2 = a->s * delta + a->c_old * a->c * a->gamma, a3 = a->s_old * a->gamma;
    if (!(a1 > 0.0)) {
        return isnan(a1) ? EW_NOT_FINITE : EW_INDEFINITE;
    }
    a->c_old = a->c, a->s_old = a->s;
    a->c = a0 / a1, a->s = next / a1;
    combine(of, 1.0 / a1, v[Z], -a3 / a1, v[W_OLD], -a2 / a1, v[W], v[W_NEW]);
    combine(of, 1.0, v[D], a->c * a->eta, v[W_NEW], 0.0, v[W], v[D]);
    a->eta *= -a->s;
    a->gamma_old = a->gamma;
    a->gamma = next;
    rotate(of, V_OLD, V, V_NEW);
    rotate(of, W_OLD, W, W_NEW);
    double *z = v[Z];
    v[Z] = v[Z_NEW];
    v[Z_NEW] = z;
    return EW_OK;
}

/* One pass: d with A d near r, which is in vector[V]; until the norm of the recurrence is below the
 * target. Adds d to x. */
static ew_status run(task *of, saddle_work *work, const ew_pcg_def *def, double target, double *x,
                     ew_pcg_info *info)
{
    angles a = {.c_old = 1.0, .c = 1.0, .gamma_old = 1.0};
    double **v = of->vector;
    memset(v[V_OLD], 0, of->n * sizeof *x);
    memset(v[W_OLD], 0, of->n * sizeof *x);
    memset(v[W], 0, of->n * sizeof *x);
    memset(v[D], 0, of->n * sizeof *x);
    precondition(of, v[V], v[Z]);
    a.eta = a.gamma = sqrt(dot(of, 0, of->n, v[Z], v[V]));
    const double first = a.gamma;
    ew_status status = EW_OK;
    while (fabs(a.eta) > target && !status) {
        status = info->iterations < def->max_iterations ? step(of, &a) : EW_NOT_CONVERGED;
        if (!status) {
            info->iterations++;
            status = note(work, info, fabs(a.eta) / first);
        }
        if (!status && info->iterations % REPORT_EVERY == 0) {
            status = ew_progress_report(&def->progress, "solve", -1);
        }
    }
    combine(of, 1.0, x, 1.0, v[D], 0.0, v[D], x);
    return status;
}

/* Passes until the true residual is small enough: each asks as much more of the recurrence as the
 * one before left. */
static ew_status iterate(task *of, saddle_work *work, const ew_pcg_def *def, double *x,
                         ew_pcg_info *info)
{
    const reference by = take_reference(of, x);
    double target = def->tolerance * by.energy;
    info->reference = by.of_x;
    residual(of, x, of->vector[V]);
    info->residual = info->first_residual = measure(of, of->vector[V], &by);
    if (!isfinite(info->residual)) {
        return EW_NOT_FINITE;
    }
    while (info->residual > def->tolerance) {
        const double before = info->residual;
        if (info->passes++ == MAX_PASSES) {
            return EW_NOT_CONVERGED;
        }
        const ew_status status = run(of, work, def, target, x, info);
        residual(of, x, of->vector[V]);
        info->residual = measure(of, of->vector[V], &by);
        if (status && !(info->residual <= def->tolerance)) {
            return status;
        }
        if (!(info->residual < 0.9 * before)) {
            return EW_NOT_CONVERGED;
        }
        target *= fmin(0.3, 0.5 * def->tolerance / info->residual);
    }
    return EW_OK;
}

ew_status ew_saddle_solve(ew_solver *solver, const ew_system *system, const ew_saddle *saddle,
                          const ew_pcg_def *def, double *x, double *p, ew_pcg_info *info)
{
    const double start = ew_seconds();
    const size_t n_row = (size_t)system->op->pattern->n_row;
    task of = {.system = system,
               .saddle = saddle,
               .preconditioner = &solver->preconditioner,
               .n_row = n_row,
               .n = 4 * n_row};
    *info = (ew_pcg_info){.preconditioner = def->preconditioner, .reason = ""};
    ew_status status;
    EW_TRY_OUT(ew_solver_bring(solver, system, def, info));
    EW_TRY_OUT(solver->saddle ? EW_OK : ew_new_zero(&solver->saddle, 1, sizeof *solver->saddle));
    EW_TRY_OUT(make_room(solver->saddle, &of));
    double *all = of.vector[X];
    memcpy(all, x, 3 * n_row * sizeof *x);
    memcpy(all + 3 * n_row, p, n_row * sizeof *p);
    status = iterate(&of, solver->saddle, def, all, info);
    memcpy(x, all, 3 * n_row * sizeof *x);
    memcpy(p, all + 3 * n_row, n_row * sizeof *p);
    if (status == EW_NOT_CONVERGED) {
        (void)ew_fail(status,
                      "solver: after %d iterations the relative residual is %g, above %g; allow "
                      "more iterations, or a larger tolerance",
                      info->iterations, info->residual, def->tolerance);
    } else if (status == EW_INDEFINITE || status == EW_NOT_FINITE) {
        (void)ew_fail(status,
                      "solver: the minimal residual method broke down after %d iterations; "
                      "check materials and supports",
                      info->iterations);
    }
out:
    info->status = status;
    info->seconds = ew_seconds() - start;
    return status;
}

ew_status ew_saddle_accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                           const ew_pcg_info *known, ew_pcg_info *info)
{
    const double start = ew_seconds();
    *info = *known;
    info->reason = "";
    info->seconds_setup = 0.0;
    info->status = ew_solver_bring(solver, system, def, info);
    info->seconds = ew_seconds() - start;
    return info->status;
}

void ew_saddle_free(saddle_work *work)
{
    if (work) {
        ew_release(work->vector);
        ew_release(work->partial);
        ew_release(work->history);
        ew_release(work);
    }
}
