/* The one conjugate-gradient iteration: a table of operations in, the outcome out. Modified
 * preconditioned conjugate gradients (Baraff & Witkin 1998, section 5.3) inside iterative
 * refinement: each pass forms the true residual in double precision, claims convergence if that
 * allows it, and otherwise solves for a correction with the recurrence. In double precision one
 * pass does unless the recurrence has drifted. */
#include "solver/solver.h"

#include <math.h>

/* The recurrence stops a little under the tolerance, so that rounding seldom costs another pass; */
#define FIRST_TARGET 0.9
/* a later pass, which starts near the tolerance, stops at half of it. */
#define LATER_TARGET 0.5
/* A pass over single-precision blocks stops after this gain: the true residual costs one more
 * product in some hundreds, and the less its replacement changes, the less the iteration loses by
 * it. */
#define SINGLE_GAIN 0.1
/* A pass that leaves more than this share of the true residual makes no progress. */
#define STAGNATION 0.5
/* Iterations between two calls of the progress callback. */
#define REPORT_EVERY 16

ew_pcg_def ew_default_pcg_def(void)
{
    return (ew_pcg_def){.tolerance = 1e-8,
                        .max_iterations = 20000,
                        .preconditioner = EW_BLOCK_JACOBI,
                        .precision = EW_DOUBLE};
}

ew_status ew_pcg_def_check(const ew_pcg_def *def)
{
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: tolerance is %g, must be > 0 and < 1",
                       def->tolerance);
    }
    if (def->max_iterations < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: max_iterations is %d, must be >= 1",
                       def->max_iterations);
    }
    if (def->preconditioner != EW_JACOBI && def->preconditioner != EW_BLOCK_JACOBI) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: preconditioner %d does not exist",
                       (int)def->preconditioner);
    }
    if (def->precision != EW_DOUBLE && def->precision != EW_MIXED && def->precision != EW_SINGLE) {
        return ew_fail(EW_BAD_ARGUMENT, "solver: precision %d does not exist", (int)def->precision);
    }
    return EW_OK;
}

void ew_pcg_info_free(ew_pcg_info *info)
{
    ew_release(info->history);
    *info = (ew_pcg_info){0};
}

ew_status ew_pcg_check_right_side(int32_t n_row, const uint8_t *fixed, const double *b)
{
    const double least = 1e-140; /* its square is still far from the least double */
    double largest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)n_row; i++) {
        largest = fixed[i / 3] >> i % 3 & 1 ? largest : fmax(largest, fabs(b[i]));
    }
    return largest == 0.0 || largest >= least
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "solver: the largest load on a free component is %g, below %g: its square "
                         "would count as zero; choose units in which loads are larger",
                         largest, least);
}

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

/* The scalars that a direction is made of. `unit` is what a length of 1 in the working vectors is,
 * relative to the reference. */
typedef struct recurrence {
    double rz, rz_before, unit;
} recurrence;

/* The first direction of a pass. A later pass over single-precision blocks goes on from the last
 * one instead of starting anew, for the replaced residual differs little from the recurrence's and
 * the conjugacy gained so far is kept (van der Vorst & Ye 2000). In double precision a later pass
 * means that the recurrence has drifted, and with it the conjugacy: it starts anew. `unit` is that
 * of the new residual. */
static ew_status open_pass(const ew_pcg_ops *ops, const ew_pcg_def *def, const ew_pcg_info *info,
                           double unit, recurrence *now)
{
    double rr, unit_before = now->unit;
    now->unit = unit;
    if (info->passes == 0 || def->precision == EW_DOUBLE) {
        /* z = S M^-1 r, p = z */
        return ops->start(ops->self, &now->rz);
    }
    /* z = S M^-1 r, p = z + beta p */
    EW_TRY(ops->advance(ops->self, 0.0, &now->rz, &rr));
    return ops->direction(ops->self, now->rz / now->rz_before * (unit / unit_before));
}

/* Solves for a correction d until its recurrence residual, relative to the reference, is at most
 * `target`. */
static ew_status iterate_pass(const ew_pcg_ops *ops, const ew_pcg_def *def, double target,
                              recurrence *now, ew_pcg_info *info)
{
    double pq, rr;
    for (;;) {
        /* q = S K p */
        EW_TRY(ops->apply(ops->self, &pq));
        info->iterations++;
        if (!isfinite(pq) || !isfinite(now->rz)) {
            return fail_not_finite("a product with the matrix", info);
        }
        if (pq <= 0.0) {
            return EW_INDEFINITE;
        }
        /* d += alpha p, r -= alpha q, z = S M^-1 r */
        now->rz_before = now->rz;
        EW_TRY(ops->advance(ops->self, now->rz / pq, &now->rz, &rr));
        if (!isfinite(rr)) {
            return fail_not_finite("the residual", info);
        }
        double residual = now->unit * sqrt(rr);
        EW_TRY(ew_grow(&info->history, &info->history_capacity, (int64_t)info->n_history + 1,
                       sizeof *info->history));
        info->history[info->n_history++] = residual;
        if (residual <= target || info->iterations >= def->max_iterations) {
            return EW_OK;
        }
        if (info->iterations % REPORT_EVERY == 0) {
            EW_TRY(report(def, info, residual));
        }
        /* p = z + beta p */
        EW_TRY(ops->direction(ops->self, now->rz / now->rz_before));
    }
}

/* x += d, then the true residual; `unit` is what a length of 1 in the working vectors is, relative
 * to the reference. */
static ew_status true_residual(const ew_pcg_ops *ops, ew_pcg_info *info, double *unit)
{
    double scale, rr;
    EW_TRY(ops->residual(ops->self, &scale, &rr));
    if (!isfinite(rr)) {
        return fail_not_finite("the residual", info);
    }
    info->residual = sqrt(rr) / info->reference;
    *unit = scale / info->reference;
    return EW_OK;
}

/* A pass broke off: keeps what it reached, then says why. */
static ew_status fail_pass(const ew_pcg_ops *ops, const ew_pcg_def *def, ew_status status,
                           ew_pcg_info *info)
{
    double unit;
    if (status == EW_INDEFINITE || status == EW_CANCELLED) {
        EW_TRY(true_residual(ops, info, &unit));
    }
    if (status == EW_INDEFINITE) {
        return ew_fail(EW_INDEFINITE,
                       "solver: p.Kp <= 0 at iteration %d, the matrix is not positive definite; "
                       "look for a part that is free to move or a tet without volume%s",
                       info->iterations,
                       def->precision == EW_DOUBLE ? "" : ", or use --precision double");
    }
    return status == EW_CANCELLED
               ? ew_fail(EW_CANCELLED, "solver: cancelled at iteration %d", info->iterations)
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
                   def->precision == EW_SINGLE  ? "single"
                   : def->precision == EW_MIXED ? "mixed"
                                                : "double",
                   info->residual, def->tolerance,
                   def->precision == EW_SINGLE ? "use --precision mixed"
                   : def->precision == EW_MIXED
                       ? "use --precision double"
                       : "use a larger tolerance, and see whether a part "
                         "hangs on points nearly in line, as good as free");
}

static ew_status refine(const ew_pcg_ops *ops, const ew_pcg_def *def, ew_pcg_info *info)
{
    double unit = 0.0, before = INFINITY;
    recurrence now = {0};
    EW_TRY(ops->reference(ops->self, &info->reference));
    if (!isfinite(info->reference)) {
        return fail_not_finite("the right side", info);
    }
    if (info->reference == 0.0) {
        return EW_OK;
    }
    for (;;) {
        /* x += d, r = S (b - K x) */
        EW_TRY(true_residual(ops, info, &unit));
        if (info->passes == 0) {
            info->first_residual = info->residual;
        }
        if (info->residual <= def->tolerance) {
            return EW_OK;
        }
        if (info->iterations >= def->max_iterations || info->residual > STAGNATION * before ||
            (def->precision == EW_SINGLE && info->passes > 0)) {
            return fail_convergence(def, info);
        }
        double target = (info->passes == 0 ? FIRST_TARGET : LATER_TARGET) * def->tolerance;
        if (def->precision == EW_MIXED) {
            target = fmax(target, SINGLE_GAIN * info->residual);
        }
        before = info->residual;
        EW_TRY(open_pass(ops, def, info, unit, &now));
        info->passes++;
        ew_status status = iterate_pass(ops, def, target, &now, info);
        if (status) {
            return fail_pass(ops, def, status, info);
        }
    }
}

ew_status ew_pcg_iterate(const ew_pcg_ops *ops, const ew_pcg_def *def, ew_pcg_info *info)
{
    double start = ew_seconds();
    *info = (ew_pcg_info){.history = info->history, .history_capacity = info->history_capacity};
    info->status = ew_pcg_def_check(def);
    if (!info->status) {
        info->status = refine(ops, def, info);
    }
    info->seconds = ew_seconds() - start;
    return info->status;
}
