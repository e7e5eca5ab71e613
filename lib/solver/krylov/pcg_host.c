/* The operations of the iteration on the host. Vectors are double; in single precision the blocks
 * of the recurrence's products are single. Loops run over fixed chunks of rows and sums are added
 * chunk by chunk, so nothing depends on the number of threads.
 *
 * d, r, z and p are zero in the fixed components throughout: r is filtered, a preconditioner's
 * answer is zero there, and d and p are made of z. So q needs no filter. Along other prescribed
 * directions q and z are projected: r and p are made of them.
 *
 * Where rows are dealt to processes a process has values of its own rows, and of others what it is
 * brought before a product, a preconditioner or a projection reads them; x is whole in all before
 * and after. */
#include "base/thread_affinity.h"
#include "base/thread_share.h"
#include "solver/krylov/host_rows.h"

#include <math.h>
#include <string.h>

/* ---- the operations ---------------------------------------------------- */

/* All rows of v in every process. */
static void bring_whole(const host_solve *solve, double *v)
{
    if (solve->dealt) {
        ew_dealt_bring(solve->dealt, solve->dealt->whole, v);
    }
}

/* v = P v, by one thread of the team */
static void project(const host_solve *solve, double *v)
{
    const ew_system *system = solve->task.system;
    if (system->equations) {
        bring_whole(solve, v);
    }
    if (system->oblique || system->equations) {
#pragma omp single
        ew_system_project(system, v);
    }
}

static void product(const host_solve *solve, bool single, double *x, double *y)
{
    const ew_operator_type *type = solve->op->type;
    if (solve->dealt && type->own_product && !single) {
        type->own_product(solve->op, solve->dealt, x, y);
    } else {
        bring_whole(solve, x);
        type->product(solve->op, single, x, y);
    }
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
    const ew_dealt *dealt = solve->dealt;
    solve->dealt = NULL; /* x is whole */
    const pair any = over_chunks(solve, prescribed_chunk, 0.0);
    solve->dealt = dealt;
    const bool moved =
        ew_system_prescribe(solve->task.system, solve->x, solve->z, solve->p) || any.first > 0.0;
    solve->is_cold = any.second == 0.0;
#pragma omp parallel num_threads(solve->n_thread)
    {
        if (moved) {
            product(solve, false, solve->p, solve->q);
        }
        for_each_chunk(solve, residual_chunk, moved ? 1.0 : 0.0);
        for_each_chunk(solve, square_chunk, 0.0);
    }
    const double whole = sqrt(add_up(solve).first);
#pragma omp parallel num_threads(solve->n_thread)
    {
        project(solve, solve->r);
        for_each_chunk(solve, square_chunk, 0.0);
    }
    const double left = sqrt(add_up(solve).first);
    const bool is_taken = solve->task.system->equations && left < EW_TAKEN_SHARE * whole;
    *reference = is_taken && isfinite(whole) ? 0.0 : left;
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
            bring_whole(solve, solve->x);
            solve->op->type->extended_product(solve->op, solve->x, solve->q);
        } else if (!is_cold) {
            product(solve, false, solve->x, solve->q);
        }
        form_residual(solve, is_cold ? 0.0 : 1.0);
    }
    return add_up(solve).first;
}

/* Of all processes. */
static ew_status status_of_peers(const host_solve *solve)
{
    return solve->dealt ? solve->dealt->peers->status(solve->dealt->peers->user) : EW_OK;
}

static ew_status host_residual(void *self, double *scale, double *rr)
{
    *rr = fold_and_form(self, false);
    *scale = 1.0;
    return status_of_peers(self);
}

static ew_status host_extended_residual(void *self, bool *can, double *rr)
{
    host_solve *solve = self;
    const ew_row_demand *demand = solve->op->demand;
    *can = solve->op->type->extended_product && !solve->op->edges;
    if (*can) {
        EW_TRY(demand ? demand->need(demand->user, NULL) : EW_OK);
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

static void apply_preconditioner(const host_solve *solve, double *z)
{
    ew_preconditioner *preconditioner = solve->task.preconditioner;
    if (!preconditioner->dealt) { /* each process for all rows */
        bring_whole(solve, solve->r);
    }
    ew_preconditioner_apply(preconditioner, solve->r, z);
}

/* z = S M^-1 r; partial sums of r.z */
static void precondition(const host_solve *solve)
{
    apply_preconditioner(solve, solve->z);
    project(solve, solve->z);
    for_each_chunk(solve, angle_chunk, 0.0);
}

static ew_status host_correct(void *self)
{
    const host_solve *solve = self;
#pragma omp parallel num_threads(solve->n_thread)
    {
        apply_preconditioner(solve, solve->d);
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
    return status_of_peers(solve);
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
        solve->n_thread = ew_threads_served(ew_matrix_product_threads(solve->n_row));
        const double pq = apply(solve);
        sum = pq <= 0.0 ? (pair){0.0, 0.0} : advance(solve, solve->rz / pq);
        step[k] = (ew_pcg_step){solve->rz, pq, sum.second, sum.first};
        solve->beta = sum.first / solve->rz;
        solve->rz = sum.first;
        solve->turns = true;
    }
    return status_of_peers(solve);
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
    solve->dealt = task->dealt;
    solve->op = task->system->op;
    solve->fixed = task->system->fixed;
    solve->b = task->system->b;
    solve->inverse = solve->op->edges || task->preconditioner->smoother.weighted
                         ? NULL
                         : task->preconditioner->inverse;
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
    } else {
        bring_whole(solve, solve->x);
    }
    return status_of_peers(solve);
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
