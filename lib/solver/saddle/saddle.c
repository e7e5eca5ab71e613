/* Saddle points: [K B^T; B -C] [x; p] = [b; g] by the minimal residual method, preconditioned by
 * what the solver has for K and a diagonal for p. In: a system, products with B and C, a start
 * vector. Out: x, p. Vectors are where the system is (saddle.h).
 *
 * Paige & Saunders 1975, Solution of sparse indefinite systems of linear equations, SIAM J. Numer.
 * Anal. 12; preconditioned as in Elman, Silvester & Wathen 2014, Finite Elements and Fast Iterative
 * Solvers, algorithm 4.1, whose names are used here. Filter and projector as in solver.h. */
#include "solver/saddle/saddle.h"

#include <math.h>
#include <string.h>

/* The recurrence may stop short of the true residual that often before it starts again. */
#define MAX_PASSES 8
/* A pass that leaves more than this share of the true residual, in its size and in the norm of the
 * recurrence, makes no progress: rounding ended it. Up to the other residual the answer counts, and
 * says so (as in pcg.c). */
#define STAGNATION        0.9
#define ROUNDING_RESIDUAL 1e-6
/* Iterations between two calls of the progress callback. */
#define REPORT_EVERY 20

/* A solve goes on to this share of the tolerance of the energy, so that small edits after it take
 * no iteration (as in local_answer.c). */
#define ENERGY_SHARE 0.1
/* Steps of inverse iteration, each of which reduces other parts of the start at least by the square
 * of the ratio of the two least singular values. */
enum { INVERSE_STEPS = 40 };

/* The operations, and which vector has which name by now. */
typedef struct recurrence {
    const ew_saddle_ops *ops;
    void *self;
    bool has_g, may_claim; /* may_claim: an estimated error in energy is asked for */
    int at[N_VECTOR];
} recurrence;

/* ---- residuals -------------------------------------------------------------------- */

/* References: |r_x| and the energy norm of the residual at the prescribed values alone; both 0
 * where equations take all of it. */
typedef struct reference {
    double of_x, energy;
} reference;

/* Whether V is the answer: equations take all of the load, and what V has of p is rounding beside
 * that of X, which it was made of. */
static ew_status is_taken(const recurrence *of, double pp, bool *taken)
{
    const int x = of->at[X], work = of->at[V_OLD];
    double all = 0.0;
    *taken = of->ops->is_taken && !of->has_g && of->ops->is_taken(of->self, of->at[V], work);
    if (*taken) {
        EW_TRY(of->ops->multiply(of->self, x, work));
        EW_TRY(of->ops->dot(of->self, OF_P, work, work, &all));
        *taken = pp <= EW_TAKEN_SHARE * EW_TAKEN_SHARE * all;
    }
    return EW_OK;
}

/* Where there is no load, or none that counts, X becomes what is prescribed. */
static ew_status take_reference(const recurrence *of, reference *by)
{
    const ew_saddle_ops *ops = of->ops;
    const int v = of->at[V], r = of->at[V_NEW], z = of->at[Z];
    double xx, pp, rz;
    bool taken;
    EW_TRY(ops->prescribed(of->self, v));
    EW_TRY(ops->residual(of->self, v, r));
    EW_TRY(ops->precondition(of->self, r, z));
    EW_TRY(ops->dot(of->self, OF_X, r, r, &xx));
    EW_TRY(ops->dot(of->self, OF_P, r, r, &pp));
    EW_TRY(ops->dot(of->self, OF_ALL, r, z, &rz));
    EW_TRY(is_taken(of, pp, &taken));
    *by = taken ? (reference){0.0, 0.0} : (reference){sqrt(xx), sqrt(rz)};
    return by->energy == 0.0 ? ops->combine(of->self, 1.0, v, 0.0, v, 0.0, v, of->at[X]) : EW_OK;
}

/* The true residual of X into V, preconditioned into Z. *size: the larger of the two relative ones,
 * that of p as energies are, by the diagonal that it is preconditioned with. So is that of x where
 * there is g, whose forces b does not know of: they may be all that there are. *energy: in the norm
 * of the recurrence. */
static ew_status find_residual(const recurrence *of, const reference *by, double *size,
                               double *energy)
{
    const int r = of->at[V], z = of->at[Z];
    double xx, pp, rz;
    EW_TRY(of->ops->residual(of->self, of->at[X], r));
    EW_TRY(of->ops->precondition(of->self, r, z));
    EW_TRY(of->ops->dot(of->self, OF_X, r, of->has_g ? z : r, &xx));
    EW_TRY(of->ops->dot(of->self, OF_P, r, r, &pp));
    EW_TRY(of->ops->dot(of->self, OF_ALL, r, z, &rz));
    const double of_x = sqrt(fabs(xx)), of_p = sqrt(pp), by_x = of->has_g ? by->energy : by->of_x;
    *size = fmax(by_x > 0.0 ? of_x / by_x : of_x, by->energy > 0.0 ? of_p / by->energy : of_p);
    *size = isfinite(of_x) && isfinite(of_p) ? *size : NAN;
    *energy = sqrt(rz);
    return EW_OK;
}

/* ---- the error in energy ------------------------------------------------------------- */

/* Of the answer's error e = (x, p) and the residual r = K e, K = [A B^T; B -C]: as P = diag(M,
 * scale), by which the recurrence is preconditioned, is one block for x and another for p,
 *
 *     x.A x + p.C p = r_x.x - r_p.p <= |r| |e| <= |r|^2 / s,
 *
 * norms by P^-1 of r and by P of e, s the least magnitude of an eigenvalue of P^-1 K. The
 * recurrence has |r|, and finds s from above: as the least singular value of its triangular factor
 * R, since |R y| = |K z| for the z with |z| = |y| in its space (Paige, Parlett & van der Vorst
 * 1995, Approximate solutions and eigenvalue bounds from Krylov subspaces, section 4). step: R by
 * columns, k: its entry (k, k), (k - 1, k), (k - 2, k); the fourth is room. */
static double min_singular_value(int32_t n, double *step)
{
    double square = 0.0;
    for (int32_t k = 0; k < n; k++) {
        step[4 * k + 3] = 1.0 / sqrt(n);
    }
    for (int i = 0; i < INVERSE_STEPS; i++) {
        for (int32_t k = 0; k < n; k++) { /* R^T y = x */
            const double *of = step + 4 * k;
            const double before = k > 0 ? of[1] * of[-1] : 0.0;
            step[4 * k + 3] = (of[3] - before - (k > 1 ? of[2] * of[-5] : 0.0)) / of[0];
        }
        for (int32_t k = n - 1; k >= 0; k--) { /* R x = y */
            const double *of = step + 4 * k;
            const double after = k + 1 < n ? of[5] * of[7] : 0.0;
            step[4 * k + 3] = (of[3] - after - (k + 2 < n ? of[10] * of[11] : 0.0)) / of[0];
        }
        square = 0.0;
        for (int32_t k = 0; k < n; k++) {
            square += step[4 * k + 3] * step[4 * k + 3];
        }
        for (int32_t k = 0; k < n; k++) {
            step[4 * k + 3] /= sqrt(square);
        }
    }
    return pow(square, -0.25);
}

/* What a pass found of s: nothing where its steps are more than are kept, for what the others found
 * is the less. */
static void learn(saddle_work *work)
{
    if (work->n_step > EW_RITZ_STEPS) {
        work->factor = INFINITY;
    } else if (work->n_step > 0 && work->step) {
        const double s = min_singular_value(work->n_step, work->step);
        work->factor = fmax(work->factor, 1.0 / sqrt(s));
    }
}

/* energy: the norm of the residual. False also where no error can be told. */
static bool claim(const recurrence *of, const saddle_work *work, const ew_pcg_def *def,
                  double energy, ew_pcg_info *info)
{
    const double all = of->may_claim ? of->ops->energy(of->self) : 0.0;
    info->energy_error = 0.0;
    if (!(all > 0.0) || work->factor == 0.0 || !isfinite(work->factor * energy)) {
        return false;
    }
    info->energy_error = work->factor * energy / sqrt(all);
    return info->energy_error <= def->energy_tolerance;
}

/* The norm of a residual that is small enough; 0: none is known. */
static double enough_of(const recurrence *of, const saddle_work *work, const ew_pcg_def *def)
{
    return of->may_claim && work->factor > 0.0
               ? ENERGY_SHARE * def->energy_tolerance * sqrt(fmax(of->ops->energy(of->self), 0.0)) /
                     work->factor
               : 0.0;
}

/* ---- the iteration ------------------------------------------------------------------- */

static ew_status record_residual(saddle_work *work, ew_pcg_info *info, double value)
{
    EW_TRY(ew_grow(&work->history, &work->history_capacity, (int64_t)info->n_history + 1,
                   sizeof *work->history));
    work->history[info->n_history++] = value;
    info->history = work->history;
    return EW_OK;
}

static void rotate(recurrence *of, int a, int b, int c)
{
    const int first = of->at[a];
    of->at[a] = of->at[b];
    of->at[b] = of->at[c];
    of->at[c] = first;
}

/* Lengths and angles of one step of the recurrence. */
typedef struct angles {
    double c_old, c, s_old, s, gamma_old, gamma, eta;
} angles;

/* The next of the Lanczos vectors, and what A and M make of the one before: *delta, *next. */
static ew_status extend(recurrence *of, const angles *a, double *delta, double *next)
{
    const ew_saddle_ops *ops = of->ops;
    const int *v = of->at;
    double square;
    EW_TRY(ops->combine(of->self, 1.0 / a->gamma, v[Z], 0.0, v[Z], 0.0, v[Z], v[Z]));
    EW_TRY(ops->multiply(of->self, v[Z], v[V_NEW]));
    EW_TRY(ops->dot(of->self, OF_ALL, v[V_NEW], v[Z], delta));
    EW_TRY(ops->combine(of->self, 1.0, v[V_NEW], -*delta / a->gamma, v[V], -a->gamma / a->gamma_old,
                        v[V_OLD], v[V_NEW]));
    EW_TRY(ops->precondition(of->self, v[V_NEW], v[Z_NEW]));
    EW_TRY(ops->dot(of->self, OF_ALL, v[Z_NEW], v[V_NEW], &square));
    *next = sqrt(fmax(square, 0.0));
    return EW_OK;
}

static void note_step(saddle_work *work, double a1, double a2, double a3)
{
    const int32_t k = work->n_step++;
    if (work->step && k < EW_RITZ_STEPS) {
        double *to = work->step + 4 * (size_t)k;
        to[0] = a1, to[1] = a2, to[2] = a3;
    }
}

/* v = A z and its norm; the next z. d += what the step brings. */
static ew_status step(recurrence *of, saddle_work *work, angles *a)
{
    const ew_saddle_ops *ops = of->ops;
    const int *v = of->at;
    double delta, next;
    if (!isfinite(a->gamma) || !(a->gamma > 0.0)) {
        return isfinite(a->gamma) ? EW_INDEFINITE : EW_NOT_FINITE;
    }
    EW_TRY(extend(of, a, &delta, &next));
    const double a0 = a->c * delta - a->c_old * a->s * a->gamma, a1 = hypot(a0, next);
    const double a2 = a->s * delta + a->c_old * a->c * a->gamma, a3 = a->s_old * a->gamma;
    if (!(a1 > 0.0)) {
        return isnan(a1) ? EW_NOT_FINITE : EW_INDEFINITE;
    }
    note_step(work, a1, a2, a3);
    a->c_old = a->c, a->s_old = a->s;
    a->c = a0 / a1, a->s = next / a1;
    EW_TRY(ops->combine(of->self, 1.0 / a1, v[Z], -a3 / a1, v[W_OLD], -a2 / a1, v[W], v[W_NEW]));
    EW_TRY(ops->combine(of->self, 1.0, v[D], a->c * a->eta, v[W_NEW], 0.0, v[W], v[D]));
    a->eta *= -a->s;
    a->gamma_old = a->gamma;
    a->gamma = next;
    rotate(of, V_OLD, V, V_NEW);
    rotate(of, W_OLD, W, W_NEW);
    const int z = of->at[Z];
    of->at[Z] = of->at[Z_NEW];
    of->at[Z_NEW] = z;
    return EW_OK;
}

static ew_status begin_recurrence(recurrence *of, double energy, angles *a)
{
    static const int empty[] = {V_OLD, W_OLD, W, D};
    *a = (angles){.c_old = 1.0, .c = 1.0, .gamma_old = 1.0, .eta = energy, .gamma = energy};
    for (size_t k = 0; k < sizeof empty / sizeof *empty; k++) {
        EW_TRY(of->ops->clear(of->self, of->at[empty[k]]));
    }
    return EW_OK;
}

/* One pass: d with A d near r, which is in V and Z and of size `energy`; until the norm of the
 * recurrence is below the target. Adds d to X. */
static ew_status run(recurrence *of, saddle_work *work, const ew_pcg_def *def, double energy,
                     double target, ew_pcg_info *info)
{
    angles a;
    EW_TRY(begin_recurrence(of, energy, &a));
    const double first = a.gamma;
    ew_status status = EW_OK;
    work->n_step = 0;
    while (fabs(a.eta) > target && !status) {
        status = info->iterations < def->max_iterations ? step(of, work, &a) : EW_NOT_CONVERGED;
        if (!status) {
            info->iterations++;
            status = record_residual(work, info, fabs(a.eta) / first);
        }
        if (!status && info->iterations % REPORT_EVERY == 0) {
            status = ew_progress_report(&def->progress, "solve", -1);
        }
    }
    if (status != EW_DEVICE) {
        EW_TRY(
            of->ops->combine(of->self, 1.0, of->at[X], 1.0, of->at[D], 0.0, of->at[D], of->at[X]));
    }
    return status;
}

/* A pass made no progress, and is undone where it made the residual larger: rounding disturbs what
 * the recurrence adds up by the square of the condition (Sleijpen, van der Vorst & Modersitzki
 * 2000, SIAM J. Matrix Anal. Appl. 22), which the next pass does no better about. */
static ew_status end_at_rounding(recurrence *of, const reference *by, double before,
                                 ew_pcg_info *info)
{
    const int x = of->at[X], d = of->at[D];
    double energy;
    if (!(info->residual <= before)) {
        EW_TRY(of->ops->combine(of->self, 1.0, x, -1.0, d, 0.0, d, x));
        EW_TRY(find_residual(of, by, &info->residual, &energy));
    }
    info->limited_by_rounding = info->residual <= ROUNDING_RESIDUAL;
    return info->limited_by_rounding ? EW_OK : EW_NOT_CONVERGED;
}

/* Passes until the true residual is small enough: each asks as much more of the recurrence as the
 * one before left. */
static ew_status iterate(recurrence *of, saddle_work *work, const ew_pcg_def *def,
                         ew_pcg_info *info)
{
    reference by;
    double energy;
    EW_TRY(take_reference(of, &by));
    double target = def->tolerance * by.energy;
    info->reference = by.of_x;
    if (by.energy == 0.0) {
        return EW_OK;
    }
    EW_TRY(find_residual(of, &by, &info->residual, &energy));
    info->first_residual = info->residual;
    if (!isfinite(info->residual)) {
        return EW_NOT_FINITE;
    }
    double enough = enough_of(of, work, def);
    const bool is_learned = enough > 0.0; /* a first answer is solved to the residual */
    bool is_near = claim(of, work, def, energy, info) && is_learned;
    while (info->residual > def->tolerance && !is_near) {
        const double before = info->residual, energy_before = energy;
        if (info->passes++ == MAX_PASSES) {
            return EW_NOT_CONVERGED;
        }
        const ew_status status = run(of, work, def, energy, fmax(target, enough), info);
        if (status == EW_DEVICE) {
            return status;
        }
        EW_TRY(find_residual(of, &by, &info->residual, &energy));
        learn(work);
        is_near = claim(of, work, def, energy, info) && is_learned;
        if (is_near) {
            return EW_OK;
        }
        enough = 0.0; /* on to the residual */
        if (status && !(info->residual <= def->tolerance)) {
            return status;
        }
        if (!(info->residual < STAGNATION * before || energy < STAGNATION * energy_before)) {
            return end_at_rounding(of, &by, before, info);
        }
        target *= fmin(0.3, 0.5 * def->tolerance / info->residual);
    }
    return EW_OK;
}

/* ---- the solve ----------------------------------------------------------------------- */

static ew_status check(const ew_system *system, const ew_pcg_def *def)
{
    if (system->equations && system->op->type->on_device) {
        return ew_refuse(EW_RULE_HOST, "solver: a system with equations");
    }
    return !system->op->type->on_device || def->precision != EW_SINGLE
               ? EW_OK
               : ew_refuse(EW_RULE_DIGITS, "solver: a saddle point of mixed tets");
}

static ew_status bring_work(ew_solver *solver)
{
    return solver->saddle ? EW_OK : ew_new_zero(&solver->saddle, 1, sizeof *solver->saddle);
}

static ew_status open_work(ew_solver *solver, const ew_saddle_ops *ops, const saddle_task *task)
{
    EW_TRY(bring_work(solver));
    saddle_work *work = solver->saddle;
    if (work->ops != ops && work->ops) {
        work->ops->free(work->self);
        work->self = NULL;
    }
    work->ops = ops;
    return ops->open(&work->self, task);
}

/* Whether what was prescribed in the last solve is prescribed now. */
static bool is_held_alike(const ew_preconditioner *before, const ew_system *system)
{
    const int32_t n = system->op->pattern->n_row;
    return before->revision &&
           !memcmp(before->fixed, system->fixed, (size_t)(n < before->n_row ? n : before->n_row));
}

/* What is known of s is of a matrix with the same constants and supports, but for edits. */
static ew_status open_claims(saddle_work *work, const ew_preconditioner *by, bool is_alike,
                             bool may_claim)
{
    const bool is_known = is_alike && may_claim && work->constants == by->constants;
    work->factor = is_known ? work->factor : 0.0;
    work->constants = by->constants;
    return !may_claim || work->step ? EW_OK
                                    : ew_new(&work->step, EW_RITZ_STEPS, 4 * sizeof *work->step);
}

static ew_status explain_failure(ew_status status, const ew_pcg_def *def, const ew_pcg_info *info)
{
    switch (status) {
    case EW_NOT_CONVERGED:
        return info->iterations >= def->max_iterations
                   ? ew_fail(status,
                             "solver: after %d iterations the relative residual is %g, above %g; "
                             "allow more iterations, or a larger tolerance",
                             info->iterations, info->residual, def->tolerance)
                   : ew_fail(status,
                             "solver: double precision reached a residual of %.3g, the tolerance "
                             "is %.3g; use a larger tolerance%s, and see whether a part is very "
                             "much stiffer than another",
                             info->residual, def->tolerance,
                             info->preconditioner == EW_RIGID ? "" : ", or preconditioner: rigid");
    case EW_INDEFINITE:
    case EW_NOT_FINITE:
        return ew_fail(status,
                       "solver: the minimal residual method broke down after %d iterations; "
                       "check materials and supports",
                       info->iterations);
    default:
        return status;
    }
}

static ew_status solve(ew_solver *solver, const ew_system *system, const ew_saddle *saddle,
                       const ew_pcg_def *def, double *x, double *p, ew_pcg_info *info)
{
    const ew_saddle_ops *ops =
        system->op->type->on_device ? &ew_saddle_on_device : &ew_saddle_on_host;
    const saddle_task task = {system, saddle, &solver->preconditioner, x, p};
    EW_TRY(check(system, def));
    const bool is_alike = is_held_alike(&solver->preconditioner, system);
    EW_TRY(ew_solver_bring(solver, system, def, info));
    EW_TRY(open_work(solver, ops, &task));
    recurrence of = {.ops = ops, .self = solver->saddle->self, .has_g = saddle->g};
    of.may_claim = def->energy_tolerance > 0.0 && ops->energy && !system->equations;
    EW_TRY(open_claims(solver->saddle, &solver->preconditioner, is_alike, of.may_claim));
    for (int k = 0; k < N_VECTOR; k++) {
        of.at[k] = k;
    }
    const ew_status status = iterate(&of, solver->saddle, def, info);
    if (!of.may_claim || !isfinite(solver->saddle->factor)) {
        solver->saddle->factor = 0.0; /* as in a run that is resumed */
    }
    info->energy_factor = solver->saddle->factor;
    if (status != EW_DEVICE) {
        EW_TRY(ops->close(of.self));
    }
    return explain_failure(status, def, info);
}

ew_status ew_saddle_solve(ew_solver *solver, const ew_system *system, const ew_saddle *saddle,
                          const ew_pcg_def *def, double *x, double *p, ew_pcg_info *info)
{
    const double start = ew_seconds();
    *info = (ew_pcg_info){.preconditioner = def->preconditioner, .reason = ""};
    info->status = solve(solver, system, saddle, def, x, p, info);
    info->seconds = ew_seconds() - start;
    return info->status;
}

static ew_status accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                        const ew_pcg_info *known, ew_pcg_info *info)
{
    EW_TRY(ew_solver_bring(solver, system, def, info));
    EW_TRY(bring_work(solver));
    solver->saddle->factor = def->energy_tolerance > 0.0 ? known->energy_factor : 0.0;
    solver->saddle->constants = solver->preconditioner.constants;
    return EW_OK;
}

ew_status ew_saddle_accept(ew_solver *solver, const ew_system *system, const ew_pcg_def *def,
                           const ew_pcg_info *known, ew_pcg_info *info)
{
    const double start = ew_seconds();
    *info = *known;
    info->reason = "";
    info->seconds_setup = 0.0;
    info->status = accept(solver, system, def, known, info);
    info->seconds = ew_seconds() - start;
    return info->status;
}
