/* Conjugate gradients over all parts. Products are formed row by row and sums atom by atom, so no
 * bit depends on the number of processes. Three messages an iteration to each neighbor and three
 * sums: the direction, the residual after the forward sweep, the coarse right-hand side, two
 * products. */
#include "distributed/team.h"

#include <math.h>
#include <string.h>

enum { MAX_RESTARTS = 5 };

ew_part_solver_def ew_default_part_solver_def(void)
{
    return (ew_part_solver_def){.tolerance = 1e-8, .max_iterations = 10000};
}

typedef struct task {
    const ew_team *team;
    ew_part_solver *solver;
    const ew_part_system *system;
    const double *b;
    double *r, *z, *p, *q, *x;
} task;

/* y = S (b - K x) of owned rows, or S K x where b is null. x is current in ghosts. */
static void multiply(const task *in, const double *b, const double *x, double *y)
{
    const ew_part_solver *solver = in->solver;
    const ew_matrix *matrix = in->system->matrix;
    enum { MIN = 2000 };
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(solver->n_own, MIN))
    for (int32_t i = 0; i < solver->n_own; i++) {
        const size_t row = (size_t)solver->own[i];
        const double *k = matrix->diagonal + 9 * row, *from = x + 3 * row;
        int32_t count;
        const int32_t *item = ew_pattern_items(in->system->pattern, (int32_t)row, &count);
        double sum[3];
        for (int c = 0; c < 3; c++) {
            sum[c] = k[3 * c] * from[0] + k[3 * c + 1] * from[1] + k[3 * c + 2] * from[2];
        }
        for (int32_t n = 0; n < count; n++) {
            const int32_t other = item[2 * (size_t)n];
            const int down = other < (int32_t)row ? 3 : 1, across = 4 - down; /* K_ba = K_ab^T */
            k = matrix->pair + 9 * (size_t)item[2 * (size_t)n + 1];
            from = x + 3 * (size_t)other;
            for (int c = 0; c < 3; c++) {
                const double *at = k + across * c;
                sum[c] += at[0] * from[0] + at[down] * from[1] + at[2 * down] * from[2];
            }
        }
        for (size_t c = 0; c < 3; c++) {
            const double value = b ? b[3 * row + c] - sum[c] : sum[c];
            y[3 * row + c] = in->system->fixed[row] >> c & 1 ? 0.0 : value;
        }
    }
}

/* sum[0] = x . y, sum[1] = x . w, of all processes. */
static ew_status find_products(const task *in, const double *x, const double *y, const double *w,
                               double sum[2])
{
    const ew_part_solver *solver = in->solver;
    const int32_t n_atom = in->system->subdomain->n_atom;
    for (int32_t a = 0; a < n_atom; a++) {
        double first = 0.0, second = 0.0;
        for (int32_t i = solver->atom_begin[a]; i < solver->atom_begin[a + 1]; i++) {
            for (size_t c = 0; c < 3; c++) {
                const size_t at = 3 * (size_t)solver->own[i] + c;
                first += x[at] * y[at];
                second += x[at] * w[at];
            }
        }
        solver->partial[2 * (size_t)a] = first;
        solver->partial[2 * (size_t)a + 1] = second;
    }
    return ew_team_sum_atoms(in->team, n_atom, 2, solver->partial, sum);
}

static ew_status bring_ghosts(const task *in, double *x)
{
    return ew_team_exchange(in->team, in->system->subdomain, 3 * sizeof *x, x, &in->solver->room);
}

/* z = M^-1 r */
static ew_status precondition(const task *in)
{
    ew_part_solver *solver = in->solver;
    double *part = ew_part_level_forward(solver->level, in->r);
    EW_TRY(
        ew_team_exchange(in->team, in->system->subdomain, 4 * sizeof *part, part, &solver->room));
    ew_part_level_restrict(solver->level, solver->coarse);
    EW_TRY(ew_team_join(in->team, 6 * (int64_t)solver->n_aggregate, solver->coarse));
    ew_part_level_backward(solver->level, solver->coarse, in->r, in->z);
    return EW_OK;
}

/* to = first + factor second of owned rows */
static void combine(const task *in, const double *first, double factor, const double *second,
                    double *to)
{
    for (int32_t i = 0; i < in->solver->n_own; i++) {
        for (size_t c = 0; c < 3; c++) {
            const size_t at = 3 * (size_t)in->solver->own[i] + c;
            to[at] = first[at] + factor * second[at];
        }
    }
}

/* |S (b - K x)| with the free components of x at 0, by which residuals are measured. */
static ew_status find_scale(const task *in, double *scale)
{
    double sum[2];
    for (int32_t i = 0; i < in->solver->n_own; i++) {
        const size_t row = (size_t)in->solver->own[i];
        for (size_t c = 0; c < 3; c++) {
            const bool is_fixed = in->system->fixed[row] >> c & 1;
            in->p[3 * row + c] = is_fixed ? in->x[3 * row + c] : 0.0;
        }
    }
    EW_TRY(bring_ghosts(in, in->p));
    multiply(in, in->b, in->p, in->r);
    EW_TRY(find_products(in, in->r, in->r, in->r, sum));
    *scale = sqrt(sum[0]);
    return isfinite(*scale) ? EW_OK
                            : ew_fail(EW_NOT_FINITE, "the loads, or what is prescribed, are not "
                                                     "finite numbers");
}

/* r = S (b - K x) and its length. */
static ew_status find_residual(const task *in, double *length)
{
    double sum[2];
    EW_TRY(bring_ghosts(in, in->x));
    multiply(in, in->b, in->x, in->r);
    EW_TRY(find_products(in, in->r, in->r, in->r, sum));
    *length = sqrt(sum[0]);
    return EW_OK;
}

static ew_status check_sum(double sum, const char *what, int32_t iteration)
{
    if (!isfinite(sum)) {
        return ew_fail(EW_NOT_FINITE, "%s is not a finite number in iteration %d", what, iteration);
    }
    return sum > 0.0 ? EW_OK
                     : ew_fail(EW_INDEFINITE,
                               "%s is %g in iteration %d, must be > 0: is a part of the body free "
                               "to move?",
                               what, sum, iteration);
}

/* From r = S (b - K x) until its recurrence is below `wanted`. */
static ew_status iterate(const task *in, double wanted, int32_t max, int32_t *iterations)
{
    double before = 0.0, sum[2], curvature[2];
    for (;; ++*iterations) {
        EW_TRY(precondition(in));
        EW_TRY(find_products(in, in->r, in->z, in->r, sum));
        if (sum[1] <= wanted * wanted) {
            return EW_OK;
        }
        EW_TRY(check_sum(sum[0], "the product of residual and correction", *iterations));
        if (*iterations >= max) {
            return ew_fail(EW_NOT_CONVERGED,
                           "the residual is %g after %d iterations, wanted %g; allow more, or a "
                           "larger tolerance",
                           sqrt(sum[1]), *iterations, wanted);
        }
        combine(in, in->z, before > 0.0 ? sum[0] / before : 0.0, in->p, in->p);
        before = sum[0];
        EW_TRY(bring_ghosts(in, in->p));
        multiply(in, NULL, in->p, in->q);
        EW_TRY(find_products(in, in->p, in->q, in->q, curvature));
        EW_TRY(check_sum(curvature[0], "the energy of the direction", *iterations));
        combine(in, in->x, sum[0] / curvature[0], in->p, in->x);
        combine(in, in->r, -sum[0] / curvature[0], in->q, in->r);
    }
}

static ew_status solve(const task *in, const ew_part_solver_def *def, ew_part_solver_info *info)
{
    double scale, length;
    EW_TRY(find_scale(in, &scale));
    for (int restart = 0; restart <= MAX_RESTARTS; restart++) {
        EW_TRY(find_residual(in, &length));
        info->residual = scale > 0.0 ? length / scale : length;
        if (length <= def->tolerance * scale) {
            return EW_OK;
        }
        EW_TRY(iterate(in, def->tolerance * scale, def->max_iterations, &info->iterations));
    }
    return ew_fail(EW_NOT_CONVERGED,
                   "the true residual stays at %g of its start, wanted %g: rounding does not allow "
                   "more; use a larger tolerance",
                   info->residual, def->tolerance);
}

ew_status ew_part_solver_solve(const ew_team *team, ew_part_solver *solver,
                               const ew_part_system *system, const ew_part_solver_def *def,
                               const double *b, double *x, ew_part_solver_info *info)
{
    const size_t n = 3 * (size_t)system->subdomain->mesh.n_vertex;
    const task in = {team,
                     solver,
                     system,
                     b,
                     solver->vector,
                     solver->vector + n,
                     solver->vector + 2 * n,
                     solver->vector + 3 * n,
                     x};
    *info = (ew_part_solver_info){.n_aggregate = solver->n_aggregate, .n_row = solver->n_row};
    if (!(def->tolerance > 0.0) || def->max_iterations < 1) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "a tolerance of %g and at most %d iterations: both must be positive",
                       def->tolerance, def->max_iterations);
    }
    return ew_team_agree(team, solve(&in, def, info));
}
