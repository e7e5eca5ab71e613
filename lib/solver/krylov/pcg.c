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

/* `unit` is what a length of 1 in the working vectors is, relative to the reference. */
typedef struct recurrence {
    const ew_pcg_ops *ops;
    void *self;
    ew_pcg_history *history;
    double unit;
} recurrence;

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
static ew_status count_iteration(const recurrence *now, const ew_pcg_step *step, double *residual,
                                 ew_pcg_info *info)
{
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

/* Solves for a correction d until its recurrence residual, relative to the reference, is at most
 * `target`. */
static ew_status iterate_pass(const recurrence *now, const ew_pcg_def *def, double target,
                              ew_pcg_info *info)
{
    const double from = info->residual, enough = target / now->unit * (target / now->unit);
    double residual = from;
    ew_pcg_step step[EW_PCG_AHEAD];
    const bool by_energy = now->history->enough_rz > 0.0;
    now->history->n_step = 0;
    for (int32_t done = 0;;) {
        const int32_t n = by_energy ? 1 : count_ahead(def, info, done, target, from, residual);
        EW_TRY(now->ops->iterate(now->self, n, enough, step));
        for (int32_t k = 0; k < n; k++) {
            EW_TRY(count_iteration(now, &step[k], &residual, info));
            now->history->is_enough = by_energy && step[k].next_rz <= now->history->enough_rz;
            if (step[k].rr <= enough || now->history->is_enough ||
                info->iterations >= def->max_iterations) {
                return EW_OK;
            }
        }
        done += n;
        if (info->iterations % REPORT_EVERY == 0) {
            EW_TRY(report(def, info, residual));
        }
    }
}

/* x += d, then the true residual; `unit` is what a length of 1 in the working vectors is, relative
 * to the reference. */
static ew_status true_residual(const recurrence *now, ew_pcg_info *info, double *unit)
{
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
static ew_status fail_pass(const recurrence *now, const ew_pcg_def *def, ew_status status,
                           ew_pcg_info *info)
{
    double unit;
    if (status == EW_INDEFINITE || status == EW_CANCELED) {
        EW_TRY(true_residual(now, info, &unit));
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
static ew_status find_rounding(const recurrence *now, const ew_pcg_def *def,
                               const ew_pcg_info *info, double *level)
{
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
static ew_status extend_residual(const recurrence *now, ew_pcg_info *info)
{
    double rr;
    if (info->is_extended || !now->ops->extended_residual) {
        return EW_OK;
    }
    EW_TRY(now->ops->extended_residual(now->self, &info->is_extended, &rr));
    info->residual = info->is_extended ? sqrt(rr) / info->reference : info->residual;
    return EW_OK;
}

/* Whether there is no more to do: the answer is there, or as near as double precision comes. */
static ew_status is_done(const recurrence *now, const ew_pcg_def *def, double before, bool direct,
                         ew_pcg_info *info, bool *done)
{
    double level;
    *done = info->residual <= def->tolerance || now->history->is_enough;
    if (*done) {
        return EW_OK;
    }
    EW_TRY(find_rounding(now, def, info, &level));
    const bool is_near = info->residual <= ROUNDING_SHARE * level;
    if (is_near && level <= def->tolerance) {
        EW_TRY(extend_residual(now, info));
    }
    const bool stagnates = info->residual > STAGNATION * before;
    info->limited_by_rounding =
        info->residual > def->tolerance && ((is_near && level > def->tolerance) ||
                                            (stagnates && !direct && def->precision == EW_DOUBLE &&
                                             info->residual <= ROUNDING_RESIDUAL));
    *done = info->residual <= def->tolerance || info->limited_by_rounding;
    return EW_OK;
}

/* d = S M^-1 r, by a direct solver. */
static ew_status correct(recurrence *now, ew_pcg_info *info)
{
    info->iterations++;
    EW_TRY(record_residual(now->history, info->residual, info));
    return now->ops->correct(now->self);
}

static ew_status refine(recurrence *now, const ew_pcg_def *def, ew_pcg_info *info)
{
    const int32_t passes_before = info->passes; /* with another preconditioner, which did not do */
    double unit = 0.0, before = INFINITY;
    bool direct = def->preconditioner == EW_CHOLESKY, done;
    EW_TRY(now->ops->reference(now->self, &info->reference));
    if (!isfinite(info->reference)) {
        return fail_not_finite("the right-hand side", info);
    }
    if (info->reference == 0.0) {
        return EW_OK;
    }
    for (;;) {
        /* x += d, r = S (b - K x) */
        EW_TRY(true_residual(now, info, &unit));
        if (info->passes == 0) {
            info->first_residual = info->residual;
        }
        EW_TRY(is_done(now, def, before, direct, info, &done));
        if (done) {
            return EW_OK;
        }
        const bool stagnates = info->residual > STAGNATION * before;
        if (info->iterations >= def->max_iterations || (stagnates && !direct) ||
            (def->precision == EW_SINGLE && info->passes > passes_before)) {
            return fail_convergence(def, info);
        }
        direct = direct && !stagnates;
        const double target =
            fmax(MIN_TARGET, (info->passes == 0 ? FIRST_TARGET : LATER_TARGET) * def->tolerance);
        before = info->residual;
        if (direct) {
            info->passes++;
            EW_TRY(correct(now, info));
            continue;
        }
        /* z = S M^-1 r, p = z: a later pass means that the recurrence has drifted, and with it the
         * conjugacy of its directions */
        now->unit = unit;
        EW_TRY(now->ops->start(now->self));
        info->passes++;
        const ew_status status = iterate_pass(now, def, target, info);
        if (status) {
            return fail_pass(now, def, status, info);
        }
    }
}

ew_status ew_pcg_iterate(const ew_pcg_ops *ops, void *self, const ew_pcg_def *def,
                         ew_pcg_history *history, ew_pcg_info *info)
{
    recurrence now = {.ops = ops, .self = self, .history = history};
    const int32_t room = def->max_iterations < HISTORY_ROOM ? def->max_iterations : HISTORY_ROOM;
    EW_TRY(ew_grow(&history->value, &history->capacity, room, sizeof *history->value));
    history->is_enough = false;
    history->n_step = 0;
    ew_status status = refine(&now, def, info);
    info->history = history->value;
    return status;
}
