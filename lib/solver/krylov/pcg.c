/* The one conjugate-gradient iteration: a table of operations in, the outcome out. Modified
 * preconditioned conjugate gradients (Baraff & Witkin 1998, section 5.3) inside iterative
 * refinement: each pass forms the true residual in double precision, claims convergence if that
 * allows it, and otherwise solves for a correction with the recurrence. In double precision one
 * pass does unless the recurrence has drifted. With the inverse for a preconditioner the correction
 * is that times the residual; the recurrence takes over where that does not converge. */
#include "solver/krylov/pcg.h"

#include <float.h>
#include <math.h>

/* The recurrence stops a little under the tolerance, so that rounding seldom costs another pass; */
#define FIRST_TARGET 0.9
/* a later pass, which starts near the tolerance, stops at half of it. */
#define LATER_TARGET 0.5
/* No pass reduces a residual by more than the digits that there are, nor do two. A recurrence that
 * goes on ends with residuals whose squares are zero, as if the matrix were not definite. */
#define MIN_TARGET (DBL_EPSILON * DBL_EPSILON)
/* A pass that leaves more than this share of the true residual makes no progress. */
#define STAGNATION 0.5
/* Passes in double precision stop making progress where rounding the displacement itself changes
 * the residual as much: no solver gets further. Up to this residual the answer counts, and says so.
 * Rounding the sums of the product does as much, twice even among slivers; that longer sums undo.
 */
#define ROUNDING_RESIDUAL 1e-6
/* The residual of a solution as near as double precision comes, in terms of what rounding it does:
 * products and sums are rounded, too. */
#define ROUNDING_SHARE 4.0
/* Iterations between two calls of the progress callback. */
#define REPORT_EVERY EW_PCG_AHEAD
/* Room for this many residuals is made at once: pages that are never written cost nothing. */
#define HISTORY_ROOM 32768

/* ---- settings ---------------------------------------------------------- */

ew_pcg_def ew_default_pcg_def(void)
{
    return (ew_pcg_def){.tolerance = 1e-8,
                        .max_iterations = 20000,
                        .preconditioner = EW_AUTO_PRECONDITIONER,
                        .precision = EW_AUTO_PRECISION};
}

ew_status ew_pcg_def_check(const ew_pcg_def *def)
{
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: tolerance is %g, must be > 0 and < 1",
                       def->tolerance);
    }
    if (!(def->energy_tolerance >= 0.0 && def->energy_tolerance < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: energy_tolerance is %g, must be >= 0 and < 1",
                       def->energy_tolerance);
    }
    if (def->max_iterations < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: max_iterations is %d, must be >= 1",
                       def->max_iterations);
    }
    if ((unsigned)def->preconditioner >= EW_PRECONDITIONER_COUNT) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: preconditioner %d does not exist",
                       (int)def->preconditioner);
    }
    if (def->preconditioner == EW_CHOLESKY && !def->direct) {
        return ew_refuse_missing("solver: cholesky", "direct solver",
                                 "libsuitesparse-dev and libarpack2-dev", "EW_WITH_CHOLMOD");
    }
    if (def->preconditioner == EW_CHOLESKY && def->precision == EW_SINGLE) {
        return ew_refuse(EW_RULE_DIGITS, "solver: cholesky");
    }
    if (def->expected_solves < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: expected_solves is %d, must be >= 0",
                       def->expected_solves);
    }
    if ((unsigned)def->precision > EW_AUTO_PRECISION) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: precision %d does not exist", (int)def->precision);
    }
    return EW_OK;
}

/* ---- the iteration ------------------------------------------------------ */

static ew_status fail_not_finite(const char *what, const ew_pcg_info *info)
{
    return ew_fail(EW_NOT_FINITE,
                   "solver: %s is not finite at iteration %d; check the loads, the prescribed "
                   "values, the materials and the mesh",
                   what, info->iterations);
}

static ew_status report(const ew_pcg_def *def, const ew_pcg_info *info, double residual)
{
    double all = log(def->tolerance / info->first_residual);
    double done = log(residual / info->first_residual) / all;
    done = done >= 0.0 ? fmin(done, 1.0) : 0.0; /* false for NaN too */
    return ew_progress_report(&def->progress, "solve", done);
}

/* A residual of the recurrence. Room is there, except in very long solves. */
static ew_status record_residual(ew_pcg_history *history, double residual, ew_pcg_info *info)
{
    EW_TRY(ew_grow(&history->value, &history->capacity, (int64_t)info->n_history + 1,
                   sizeof *history->value));
    history->value[info->n_history++] = residual;
    return EW_OK;
}

/* What Ritz values are made of. */
static void remember_step(ew_pcg_history *history, const ew_pcg_step *step)
{
    if (history->step && history->n_step < EW_RITZ_STEPS) {
        history->step[2 * history->n_step] = step->rz;
        history->step[2 * history->n_step + 1] = step->pq;
        history->n_step++;
    }
}

/* Iterations to ask for at once after `done` of a pass that went from residual `from` to `to`. A
 * device is not waited for within them, but does in vain those after the one that is enough: so no
 * more than were done, nor than half of what is left at the rate so far. */
static int32_t count_ahead(const ew_pcg_def *def, const ew_pcg_info *info, int32_t done,
                           double target, double from, double to)
{
    const int32_t to_report = REPORT_EVERY - info->iterations % REPORT_EVERY;
    const int32_t allowed = def->max_iterations - info->iterations;
    const double left = done * log(to / target) / log(from / to);
    double n = to_report < allowed ? to_report : allowed;
    n = fmin(n, left > 0.0 ? fmin(done, 0.5 * left) : done); /* false for NaN too */
    return n > 1.0 ? (int32_t)n : 1;
}

/* Counts an iteration in. */
static ew_status count_iteration(const ew_pcg_run *now, const ew_pcg_step *step, double *residual)
{
    ew_pcg_info *info = now->info;
    info->iterations++;
    if (!isfinite(step->pq) || !isfinite(step->rz)) {
        return fail_not_finite("a product with the matrix", info);
    }
    if (step->pq <= 0.0) {
        return EW_INDEFINITE;
    }
    if (!isfinite(step->rr)) {
        return fail_not_finite("the residual", info);
    }
    remember_step(now->history, step);
    *residual = now->unit * sqrt(step->rr);
    return record_residual(now->history, *residual, info);
}

/* |r|^2 that ends the pass. */
static double enough_of(const ew_pcg_run *now)
{
    return now->target / now->unit * (now->target / now->unit);
}

static ew_status count(const ew_pcg_run *now, const ew_pcg_step *step, double *residual,
                       bool *ended)
{
    ew_pcg_history *history = now->history;
    EW_TRY(count_iteration(now, step, residual));
    history->is_enough = history->enough_rz > 0.0 && step->next_rz <= history->enough_rz;
    *ended = step->rr <= enough_of(now) || history->is_enough ||
             now->info->iterations >= now->def->max_iterations;
    return EW_OK;
}

static ew_status report_at_times(const ew_pcg_run *now, double residual)
{
    return now->info->iterations % REPORT_EVERY == 0 ? report(now->def, now->info, residual)
                                                     : EW_OK;
}

ew_status ew_pcg_count(const ew_pcg_run *run, const ew_pcg_step *step, bool *ended)
{
    double residual = 0.0;
    EW_TRY(count(run, step, &residual, ended));
    return *ended ? EW_OK : report_at_times(run, residual);
}

/* Solves for a correction d until its recurrence residual, relative to the reference, is at most
 * the target. */
static ew_status iterate_pass(const ew_pcg_run *now)
{
    const double from = now->info->residual;
    double residual = from;
    ew_pcg_step step[EW_PCG_AHEAD];
    const bool by_energy = now->history->enough_rz > 0.0;
    for (int32_t done = 0;;) {
        const int32_t n =
            by_energy ? 1 : count_ahead(now->def, now->info, done, now->target, from, residual);
        EW_TRY(now->ops->iterate(now->self, n, enough_of(now), step));
        for (int32_t k = 0; k < n; k++) {
            bool ended;
            EW_TRY(count(now, &step[k], &residual, &ended));
            if (ended) {
                return EW_OK;
            }
        }
        done += n;
        EW_TRY(report_at_times(now, residual));
    }
}

/* x += d, then the true residual; *unit: what a length of 1 in the working vectors is, relative to
 * the reference. */
static ew_status true_residual(const ew_pcg_run *now, double *unit)
{
    ew_pcg_info *info = now->info;
    double scale = 1.0, rr;
    bool can;
    EW_TRY(info->is_extended ? now->ops->extended_residual(now->self, &can, &rr)
                             : now->ops->residual(now->self, &scale, &rr));
    if (!isfinite(rr)) {
        return fail_not_finite("the residual", info);
    }
    info->residual = sqrt(rr) / info->reference;
    *unit = scale / info->reference;
    return EW_OK;
}

/* A pass broke off: keeps what it reached, then says why. */
ew_status ew_pcg_fail_pass(const ew_pcg_run *run, ew_status status)
{
    const ew_pcg_def *def = run->def;
    const ew_pcg_info *info = run->info;
    double unit;
    if (status == EW_INDEFINITE || status == EW_CANCELED) {
        EW_TRY(true_residual(run, &unit));
    }
    if (status == EW_INDEFINITE) {
        return ew_fail(EW_INDEFINITE,
                       "solver: p.Kp <= 0 at iteration %d, the matrix is not positive definite; "
                       "look for a part that is free to move or a tet without volume%s",
                       info->iterations,
                       def->precision == EW_DOUBLE ? "" : ", or use --precision double");
    }
    return status == EW_CANCELED
               ? ew_fail(EW_CANCELED, "solver: canceled at iteration %d", info->iterations)
               : status;
}

static ew_status fail_convergence(const ew_pcg_def *def, const ew_pcg_info *info)
{
    if (info->iterations >= def->max_iterations) {
        return ew_fail(
            EW_NOT_CONVERGED,
            "solver: max_iterations %d reached with a residual of %.3g, the tolerance is "
            "%.3g; allow more iterations or a larger tolerance",
            def->max_iterations, info->residual, def->tolerance);
    }
    return ew_fail(EW_NOT_CONVERGED,
                   "solver: %s precision reached a residual of %.3g, the tolerance is %.3g; %s",
                   def->precision == EW_SINGLE ? "single" : "double", info->residual,
                   def->tolerance,
                   def->precision == EW_SINGLE
                       ? "use --precision mixed"
                       : "use a larger tolerance, and see whether a part "
                         "hangs on points nearly in line or on very soft springs, as good as free");
}

/* What rounding the displacement alone makes of the residual. Asked where the recurrence promised
 * better, else 0; costs a product. */
static ew_status find_rounding(const ew_pcg_run *now, double *level)
{
    const ew_pcg_def *def = now->def;
    const ew_pcg_info *info = now->info;
    double rr = 0.0;
    *level = 0.0;
    if (info->passes == 0 || def->precision != EW_DOUBLE || !now->ops->rounding ||
        info->residual > ROUNDING_RESIDUAL) {
        return EW_OK;
    }
    EW_TRY(now->ops->rounding(now->self, &rr));
    *level = sqrt(rr) / info->reference;
    return EW_OK;
}

/* Sums are rounded, too: the residual is formed once more, by longer ones. Later ones are as well.
 */
static ew_status extend_residual(const ew_pcg_run *now)
{
    ew_pcg_info *info = now->info;
    double rr;
    if (info->is_extended || !now->ops->extended_residual) {
        return EW_OK;
    }
    EW_TRY(now->ops->extended_residual(now->self, &info->is_extended, &rr));
    info->residual = info->is_extended ? sqrt(rr) / info->reference : info->residual;
    return EW_OK;
}

/* Whether there is no more to do: the answer is there, or as near as double precision comes. */
static ew_status is_done(const ew_pcg_run *now, bool *done)
{
    const ew_pcg_def *def = now->def;
    ew_pcg_info *info = now->info;
    double level;
    *done = info->residual <= def->tolerance || now->history->is_enough;
    if (*done) {
        return EW_OK;
    }
    EW_TRY(find_rounding(now, &level));
    const bool is_near = info->residual <= ROUNDING_SHARE * level;
    if (is_near && level <= def->tolerance) {
        EW_TRY(extend_residual(now));
    }
    const bool stagnates = info->residual > STAGNATION * now->before;
    info->limited_by_rounding = info->residual > def->tolerance &&
                                ((is_near && level > def->tolerance) ||
                                 (stagnates && !now->direct && def->precision == EW_DOUBLE &&
                                  info->residual <= ROUNDING_RESIDUAL));
    *done = info->residual <= def->tolerance || info->limited_by_rounding;
    return EW_OK;
}

/* d = S M^-1 r, by a direct solver. */
static ew_status correct(const ew_pcg_run *now)
{
    ew_pcg_info *info = now->info;
    info->passes++;
    info->iterations++;
    EW_TRY(record_residual(now->history, info->residual, info));
    return now->ops->correct(now->self);
}

ew_status ew_pcg_begin(ew_pcg_run *run, bool *done)
{
    ew_pcg_history *history = run->history;
    ew_pcg_info *info = run->info;
    const int32_t most = run->def->max_iterations;
    const int32_t room = most < HISTORY_ROOM ? most : HISTORY_ROOM;
    EW_TRY(ew_grow(&history->value, &history->capacity, room, sizeof *history->value));
    history->is_enough = false;
    history->n_step = 0;
    info->history = history->value;
    run->before = INFINITY;
    run->direct = run->def->preconditioner == EW_CHOLESKY;
    run->passes_before = info->passes;
    EW_TRY(run->ops->reference(run->self, &info->reference));
    if (!isfinite(info->reference)) {
        return fail_not_finite("the right-hand side", info);
    }
    *done = info->reference == 0.0;
    return EW_OK;
}

ew_status ew_pcg_begin_pass(ew_pcg_run *run, bool *done)
{
    const ew_pcg_def *def = run->def;
    ew_pcg_info *info = run->info;
    for (;;) {
        /* x += d, r = S (b - K x) */
        EW_TRY(true_residual(run, &run->unit));
        if (info->passes == 0) {
            info->first_residual = info->residual;
        }
        EW_TRY(is_done(run, done));
        if (*done) {
            return EW_OK;
        }
        const bool stagnates = info->residual > STAGNATION * run->before;
        if (info->iterations >= def->max_iterations || (stagnates && !run->direct) ||
            (def->precision == EW_SINGLE && info->passes > run->passes_before)) {
            return fail_convergence(def, info);
        }
        run->direct = run->direct && !stagnates;
        run->target =
            fmax(MIN_TARGET, (info->passes == 0 ? FIRST_TARGET : LATER_TARGET) * def->tolerance);
        run->before = info->residual;
        if (!run->direct) {
            break;
        }
        EW_TRY(correct(run));
    }
    /* z = S M^-1 r, p = z: a later pass means that the recurrence has drifted, and with it the
     * conjugacy of its directions */
    run->history->n_step = 0;
    info->passes++;
    return run->ops->start(run->self);
}

ew_status ew_pcg_finish(ew_pcg_run *run)
{
    for (bool done = false; !done;) {
        const ew_status status = iterate_pass(run);
        if (status) {
            return ew_pcg_fail_pass(run, status);
        }
        EW_TRY(ew_pcg_begin_pass(run, &done));
    }
    return EW_OK;
}

static ew_status refine(ew_pcg_run *run)
{
    bool done;
    EW_TRY(ew_pcg_begin(run, &done));
    EW_TRY(done ? EW_OK : ew_pcg_begin_pass(run, &done));
    return done ? EW_OK : ew_pcg_finish(run);
}

ew_status ew_pcg_iterate(const ew_pcg_ops *ops, void *self, const ew_pcg_def *def,
                         ew_pcg_history *history, ew_pcg_info *info)
{
    ew_pcg_run run = {.ops = ops, .self = self, .def = def, .history = history, .info = info};
    const ew_status status = refine(&run);
    info->history = history->value;
    return status;
}
