/* The operations of the iteration on the host. Vectors are double; in single precision the blocks
 * of the recurrence's products are single. Loops run over fixed chunks of rows and sums are added
 * chunk by chunk, so nothing depends on the number of threads.
 *
 * d, r, z and p are zero in the fixed components throughout: r is filtered, a preconditioner's
 * answer is zero there, and d and p are made of z. So q needs no filter. Along other prescribed
 * directions q and z are projected: r and p are made of them. */
#include "base/thread_affinity.h"
#include "solver/krylov/pcg.h"

#include <math.h>
#include <string.h>

typedef struct host_solve {
    ew_pcg_task task;
    const ew_operator *op;
    const uint8_t *fixed;
    const double *b;
    const double *inverse; /* row-wise preconditioner, or null */
    int32_t n_row, n_chunk, n_thread, row_capacity, chunk_capacity;
    double *vector; /* [5][n_row][3] owned: d r z p q */
    double *d, *r, *z, *p, *q, *x;
    bool turns, is_cold; /* p = z + beta p precedes the next product; x and d are zero */
    double rz, beta;
    double *partial; /* [n_chunk][2] owned */
} host_solve;

typedef struct pair {
    double first, second;
} pair;

/* One chunk of rows; what it returns is added up by chunks. */
typedef pair (*chunk_body)(const host_solve *solve, double factor, size_t begin, size_t end);

/* Deals the chunks to the threads of the region around, which it leaves together. */
static void for_each_chunk(const host_solve *solve, chunk_body body, double factor)
{
#pragma omp for schedule(static)
    for (int32_t chunk = 0; chunk < solve->n_chunk; chunk++) {
        const size_t n = (size_t)solve->n_row, begin = n * (size_t)chunk / (size_t)solve->n_chunk;
        const size_t end = n * (size_t)(chunk + 1) / (size_t)solve->n_chunk;
        const pair sum = body(solve, factor, begin, end);
        solve->partial[2 * chunk] = sum.first;
        solve->partial[2 * chunk + 1] = sum.second;
    }
}

/* In chunk order. */
static pair add_up(const host_solve *solve)
{
    pair sum = {0.0, 0.0};
    for (int32_t chunk = 0; chunk < solve->n_chunk; chunk++) {
        sum.first += solve->partial[2 * chunk];
        sum.second += solve->partial[2 * chunk + 1];
    }
    return sum;
}

static pair over_chunks(const host_solve *solve, chunk_body body, double factor)
{
#pragma omp parallel num_threads(solve->n_thread)
    for_each_chunk(solve, body, factor);
    return add_up(solve);
}

/* The sums of the chunk that begins at a row. */
static const double *partial_at(const host_solve *solve, size_t begin)
{
    const size_t n = (size_t)solve->n_row;
    return solve->partial + 2 * ((begin * (size_t)solve->n_chunk + n - 1) / n);
}

static inline bool is_fixed(const host_solve *solve, size_t row, int component)
{
    return solve->fixed[row] >> component & 1;
}

/* ---- loop bodies ------------------------------------------------------- */

/* p = x_p; first: whether any of it is not zero, second: any of x, d */
static pair prescribed_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, factor};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->p[i] = is_fixed(solve, i / 3, (int)(i % 3)) ? solve->x[i] : 0.0;
        sum.first += solve->p[i] != 0.0;
        sum.second += solve->x[i] != 0.0 || solve->d[i] != 0.0;
    }
    return sum;
}

/* r = S (b - factor q) */
static pair residual_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        bool fixed = is_fixed(solve, i / 3, (int)(i % 3));
        solve->r[i] = fixed           ? 0.0
                      : factor == 0.0 ? solve->b[i]
                                      : solve->b[i] - factor * solve->q[i];
    }
    return (pair){0.0, 0.0};
}

static double dot(const double *a, const double *b, size_t begin, size_t end)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t i = 3 * begin; i < 3 * end; i += 3) {
        sum[0] += a[i] * b[i];
        sum[1] += a[i + 1] * b[i + 1];
        sum[2] += a[i + 2] * b[i + 2];
    }
    return sum[0] + sum[1] + sum[2];
}

/* first = r.r */
static pair square_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    return (pair){dot(solve->r, solve->r, begin, end), factor};
}

/* x += d, d = 0 */
static pair fold_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->x[i] += factor * solve->d[i];
        solve->d[i] = 0.0;
    }
    return (pair){0.0, 0.0};
}

/* p: what rounding may have made of x, -1 to 1 half units in the last place, by number */
static pair rounding_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        uint64_t hash = (i + 1) * UINT64_C(0x9e3779b97f4a7c15); /* splitmix64, Steele et al. 2014 */
        hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
        const double share = (double)(int64_t)(hash >> 11) * 0x1p-52 - 1.0;
        solve->p[i] = is_fixed(solve, i / 3, (int)(i % 3)) ? 0.0 : factor * share * solve->x[i];
    }
    return (pair){0.0, 0.0};
}

/* first = |S q|^2 */
static pair product_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, factor};
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        sum.first += is_fixed(solve, i / 3, (int)(i % 3)) ? 0.0 : solve->q[i] * solve->q[i];
    }
    return sum;
}

/* z = S M^-1 r, p = factor z; first = r.z */
static pair start_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    pair sum = {0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *r = solve->r + 3 * row;
        double *z = solve->z + 3 * row;
        ew_multiply_row_inverse(solve->inverse + 6 * row, r, z);
        for (int i = 0; i < 3; i++) {
            solve->p[3 * row + i] = factor * z[i];
            sum.first += r[i] * z[i];
        }
    }
    return sum;
}

/* first = factor p.q */
static pair dot_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    return (pair){factor * dot(solve->p, solve->q, begin, end), 0.0};
}

/* d += factor p, r -= factor S q, z = S M^-1 r; first = r.z, second = r.r */
static pair advance_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    double rz[3] = {0.0, 0.0, 0.0}, rr[3] = {0.0, 0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *restrict p = solve->p + 3 * row, *restrict q = solve->q + 3 * row;
        double *restrict d = solve->d + 3 * row, r[3], z[3];
        for (int i = 0; i < 3; i++) {
            d[i] += factor * p[i];
            r[i] = is_fixed(solve, row, i) ? 0.0 : solve->r[3 * row + i] - factor * q[i];
        }
        ew_multiply_row_inverse(solve->inverse + 6 * row, r, z);
        for (int i = 0; i < 3; i++) { /* what was stored in parts is slow to load as a whole */
            rz[i] += r[i] * z[i];
            rr[i] += r[i] * r[i];
            solve->r[3 * row + i] = r[i];
            solve->z[3 * row + i] = z[i];
        }
    }
    return (pair){rz[0] + rz[1] + rz[2], rr[0] + rr[1] + rr[2]};
}

/* The same two without the preconditioner, which other kinds apply in between. */

/* d += factor p, r -= factor S q; second = r.r */
static pair step_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    double rr[3] = {0.0, 0.0, 0.0};
    for (size_t row = begin; row < end; row++) {
        const double *restrict p = solve->p + 3 * row, *restrict q = solve->q + 3 * row;
        double *restrict d = solve->d + 3 * row, *restrict r = solve->r + 3 * row;
        for (int i = 0; i < 3; i++) {
            d[i] += factor * p[i];
            r[i] = is_fixed(solve, row, i) ? 0.0 : r[i] - factor * q[i];
            rr[i] += r[i] * r[i];
        }
    }
    return (pair){0.0, rr[0] + rr[1] + rr[2]};
}

/* first = r.z; second stays as step_chunk left it */
static pair angle_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    return (pair){factor + dot(solve->r, solve->z, begin, end), partial_at(solve, begin)[1]};
}

/* p = factor z; the sums stay */
static pair copy_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        solve->p[i] = factor * solve->z[i];
    }
    return (pair){partial_at(solve, begin)[0], partial_at(solve, begin)[1]};
}

/* p = z + factor p */
static pair direction_chunk(const host_solve *solve, double factor, size_t begin, size_t end)
{
    const double *restrict z = solve->z;
    double *restrict p = solve->p;
    for (size_t i = 3 * begin; i < 3 * end; i++) {
        p[i] = z[i] + factor * p[i];
    }
    return (pair){0.0, 0.0};
}

/* ---- the operations ---------------------------------------------------- */

/* v = P v, by one thread of the team */
static void project(const host_solve *solve, double *v)
{
    const ew_system *system = solve->task.system;
    if (system->oblique || system->equations) {
#pragma omp single
        ew_system_project(system, v);
    }
}

static void product(const host_solve *solve, bool single, const double *x, double *y)
{
    solve->op->type->product(solve->op, single, x, y);
}

/* r = P S (b - factor q); partial sums of r.r */
static void form_residual(const host_solve *solve, double factor)
{
    for_each_chunk(solve, residual_chunk, factor);
    project(solve, solve->r);
    for_each_chunk(solve, square_chunk, 0.0);
}

static ew_status host_reference(void *self, double *reference)
{
    host_solve *solve = self;
    const pair any = over_chunks(solve, prescribed_chunk, 0.0);
    const bool moved =
        ew_system_prescribe(solve->task.system, solve->x, solve->z, solve->p) || any.first > 0.0;
    solve->is_cold = any.second == 0.0;
#pragma omp parallel num_threads(solve->n_thread)
    {
        if (moved) {
            product(solve, false, solve->p, solve->q);
        }
        form_residual(solve, moved ? 1.0 : 0.0);
    }
    *reference = sqrt(add_up(solve).first);
    return EW_OK;
}

static double fold_and_form(host_solve *solve, bool extended)
{
    const bool is_cold = solve->is_cold;
    solve->is_cold = false;
#pragma omp parallel num_threads(solve->n_thread)
    {
        project(solve, solve->d); /* what rounding put there no residual shows */
        for_each_chunk(solve, fold_chunk, 1.0);
        if (extended && !is_cold) {
            solve->op->type->extended_product(solve->op, solve->x, solve->q);
        } else if (!is_cold) {
            product(solve, false, solve->x, solve->q);
        }
        form_residual(solve, is_cold ? 0.0 : 1.0);
    }
    return add_up(solve).first;
}

static ew_status host_residual(void *self, double *scale, double *rr)
{
    *rr = fold_and_form(self, false);
    *scale = 1.0;
    return EW_OK;
}

static ew_status host_extended_residual(void *self, bool *can, double *rr)
{
    host_solve *solve = self;
    *can = solve->op->type->extended_product && !solve->op->edges;
    if (*can) {
        *rr = fold_and_form(solve, true);
    }
    return EW_OK;
}

static ew_status host_rounding(void *self, double *rr)
{
    host_solve *solve = self;
#pragma omp parallel num_threads(solve->n_thread)
    {
        for_each_chunk(solve, rounding_chunk, 0x1p-53);
        project(solve, solve->p);
        product(solve, false, solve->p, solve->q);
        project(solve, solve->q);
        for_each_chunk(solve, product_chunk, 0.0);
    }
    *rr = add_up(solve).first;
    return EW_OK;
}

/* z = S M^-1 r; partial sums of r.z */
static void precondition(const host_solve *solve)
{
    ew_preconditioner_apply(solve->task.preconditioner, solve->r, solve->z);
    project(solve, solve->z);
    for_each_chunk(solve, angle_chunk, 0.0);
}

static ew_status host_correct(void *self)
{
    const host_solve *solve = self;
#pragma omp parallel num_threads(solve->n_thread)
    {
        ew_preconditioner_apply(solve->task.preconditioner, solve->r, solve->d);
        project(solve, solve->d);
    }
    return EW_OK;
}

static ew_status host_start(void *self)
{
    host_solve *solve = self;
#pragma omp parallel num_threads(solve->n_thread)
    {
        if (solve->inverse) {
            for_each_chunk(solve, start_chunk, 1.0); /* as r.Pz is */
            project(solve, solve->z);
            project(solve, solve->p);
        } else {
            precondition(solve);
            for_each_chunk(solve, copy_chunk, 1.0);
        }
    }
    solve->rz = add_up(solve).first;
    solve->turns = false;
    return EW_OK;
}

/* q = S K p; p.q */
static double apply(const host_solve *solve)
{
#pragma omp parallel num_threads(solve->n_thread)
    {
        if (solve->turns) {
            for_each_chunk(solve, direction_chunk, solve->beta);
        }
        product(solve, solve->task.precision != EW_DOUBLE, solve->p, solve->q);
        project(solve, solve->q);
        for_each_chunk(solve, dot_chunk, 1.0);
    }
    return add_up(solve).first;
}

/* d += alpha p; r -= alpha q; z = S M^-1 r; r.z and r.r */
static pair advance(const host_solve *solve, double alpha)
{
#pragma omp parallel num_threads(solve->n_thread)
    {
        for_each_chunk(solve, solve->inverse ? advance_chunk : step_chunk, alpha);
        if (solve->inverse) {
            project(solve, solve->z);
        } else {
            precondition(solve);
        }
    }
    return add_up(solve);
}

/* The next direction is left to the next product, which looks at p first. */
static ew_status host_iterate(void *self, int32_t n, double enough, ew_pcg_step *step)
{
    host_solve *solve = self;
    pair sum = {0.0, INFINITY};
    for (int32_t k = 0; k < n && sum.second > enough; k++) {
        ew_affinity_check();
        const double pq = apply(solve);
        sum = pq <= 0.0 ? (pair){0.0, 0.0} : advance(solve, solve->rz / pq);
        step[k] = (ew_pcg_step){solve->rz, pq, sum.second, sum.first};
        solve->beta = sum.first / solve->rz;
        solve->rz = sum.first;
        solve->turns = true;
    }
    return EW_OK;
}

ew_host_vectors ew_pcg_host_vectors(void *self)
{
    const host_solve *solve = self;
    return (ew_host_vectors){
        .d = solve->d, .r = solve->r, .z = solve->z, .p = solve->p, .rz = solve->rz};
}

void ew_pcg_host_go_on(void *self, double rz, double beta)
{
    host_solve *solve = self;
    solve->rz = rz, solve->beta = beta;
    solve->turns = true;
}

static ew_status make_room(host_solve *solve)
{
    const size_t n = 3 * (size_t)solve->n_row;
    EW_TRY(ew_grow(&solve->vector, &solve->row_capacity, solve->n_row, 15 * sizeof *solve->vector));
    EW_TRY(ew_grow(&solve->partial, &solve->chunk_capacity, solve->n_chunk,
                   2 * sizeof *solve->partial));
    solve->d = solve->vector;
    solve->r = solve->vector + n;
    solve->z = solve->vector + 2 * n;
    solve->p = solve->vector + 3 * n;
    solve->q = solve->vector + 4 * n;
    memset(solve->d, 0, n * sizeof *solve->d);
    memset(solve->z, 0, n * sizeof *solve->z);
    return EW_OK;
}

static ew_status host_open(void **self, const ew_pcg_task *task)
{
    if (!*self) {
        host_solve *fresh;
        EW_TRY(ew_new_zero(&fresh, 1, sizeof *fresh));
        *self = fresh;
    }
    host_solve *solve = *self;
    solve->task = *task;
    solve->op = task->system->op;
    solve->fixed = task->system->fixed;
    solve->b = task->system->b;
    solve->inverse = solve->op->edges ? NULL : task->preconditioner->inverse;
    solve->x = task->x;
    solve->n_row = ew_operator_n_row(solve->op);
    solve->n_chunk = ew_sum_chunks(solve->n_row);
    solve->n_thread = ew_matrix_product_threads(solve->n_row);
    solve->turns = solve->is_cold = false;
    return make_room(solve);
}

/* host_reference left x_p in p. */
static ew_status host_close(void *self, bool prescribed)
{
    const host_solve *solve = self;
    if (prescribed) {
        memcpy(solve->x, solve->p, 3 * (size_t)solve->n_row * sizeof *solve->x);
    }
    return EW_OK;
}

static void host_free(void *self)
{
    host_solve *solve = self;
    if (solve) {
        ew_release(solve->vector);
        ew_release(solve->partial);
        ew_release(solve);
    }
}

const ew_pcg_ops ew_pcg_on_host = {.open = host_open,
                                   .reference = host_reference,
                                   .residual = host_residual,
                                   .extended_residual = host_extended_residual,
                                   .rounding = host_rounding,
                                   .start = host_start,
                                   .correct = host_correct,
                                   .iterate = host_iterate,
                                   .close = host_close,
                                   .free = host_free};
