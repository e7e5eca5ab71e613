/* Newton's method for one load step. With F the loads, f(u) what tets and springs pull with, and
 * r_0 = F - f(u_0) what is out of balance at the start of the solve, equilibrium at a load factor l
 * is
 *
 *     R(u) = F - (1 - l) r_0 - f(u) = 0   where nothing is prescribed.
 *
 * Pressures that turn with faces are part of F: at the displacement as it is, times their factor at
 * l.
 *
 * Temperatures are in f by the strain that laws do not see: in r_0 as they were at the start, in
 * R(u) from there to those of the loads in proportion to l.
 *
 * An iteration solves K(u) du = R(u) with the tangent K, du carrying what supports and equations
 * still have to lead. From the second iteration on K turns at the stress that the update before led
 * to linearly (kernels/corotational.h). A tangent that is not positive definite is replaced by a
 * clamped one.
 */
#include "model/solve/nonlinear_newton.h"

#include <math.h>
#include <string.h>

/* A residual that grew by this much since the best one will not come back. */
#define HOPELESS 1e8
/* Nor will one that has not fallen below the best one in so many iterations, where the load step
 * can be halved: tangents of a body that yields here and there in turn grow worse and worse. */
#define MAX_STALLED 5
/* The least accurate solution of an iteration: what is left along stiff directions, as that of a
 * slender body's axis, is many times the residual of the next one. And in single precision. */
#define COARSEST        1e-4
#define COARSEST_SINGLE 1e-2
/* An update along which the residual grows by less is taken whole: a straight update of a body that
 * bends lengthens it, and the next one takes that back. */
#define MAX_GROWTH 100.0

static double norm(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* ---- forces -------------------------------------------------------------------------------- */

ew_status newton_force(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    const double start = ew_seconds(), dt = in->def->duration * (in->to - in->from);
    const ew_status status =
        model_body_force(model, model->field[0].value, dt, of->vector[NONLINEAR_FORCE]);
    of->info.seconds_force += ew_seconds() - start;
    return status ? status : model_find_pressure(model, model->field[0].value, &in->pressure);
}

/* What equations take of it, before the filter. */
static ew_status keep_rest(ew_model *model, const double *residual)
{
    model_equations *of = &model->equations;
    const int32_t n = model->contacts.n ? model_n_row(model) : 0;
    EW_TRY(ew_grow(&of->total, &of->total_capacity, n, 3 * sizeof *of->total));
    for (size_t i = 0; i < 3 * (size_t)n; i++) {
        of->total[i] = -residual[i];
    }
    return EW_OK;
}

/* The residual, and what it is measured by: the loads at this factor, or what supports carry, or
 * the most that either was at a load factor before, or what is out of balance at the start of the
 * solve or of the load step: of a free body that is heated nothing else is there. */
static ew_status find_residual(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    const size_t n = 3 * (size_t)model_n_row(model);
    double *residual = of->vector[NONLINEAR_RESIDUAL];
    const double *rest = of->vector[NONLINEAR_REST], *force = of->vector[NONLINEAR_FORCE];
    EW_TRY(model_turn_equations(model) ? model_update_supports(model) : EW_OK);
    EW_TRY(newton_force(model, in));
    double loads = 0.0;
    for (size_t i = 0; i < n; i++) {
        double load = model->force.value[i] - (1.0 - in->to) * rest[i];
        load = in->pressure ? load + in->pressure[i] : load;
        residual[i] = load - force[i];
        loads += load * load;
    }
    model_find_slip(model, model->field[0].value);
    model_add_friction(model, 1.0, true, residual);
    const double all = norm(residual, n);
    EW_TRY(keep_rest(model, residual));
    model_filter(model, residual);
    in->residual = norm(residual, n);
    in->begun = in->n_iteration ? in->begun : in->residual;
    const double supported = sqrt(fmax(all * all - in->residual * in->residual, 0.0));
    of->info.reference = fmax(fmax(sqrt(loads), supported), fmax(in->scale, in->begun));
    of->info.residual = of->info.reference > 0.0 ? in->residual / of->info.reference : 0.0;
    return isfinite(in->residual)
               ? EW_OK
               : ew_fail(EW_NOT_FINITE, "nonlinear: the residual is no finite number");
}

/* ---- an iteration ---------------------------------------------------------------------------- */

/* The tangent at the displacement as it is, and the preconditioner. */
static ew_status update_tangent(ew_model *model, const newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    const int64_t before = model->report.touched_blocks + model->report.built_blocks;
    const double start = ew_seconds(), dt = in->def->duration * (in->to - in->from);
    const double *from = in->n_iteration > 1 ? of->vector[NONLINEAR_BEFORE] : NULL;
    EW_TRY(model_update_records(model, model->field[0].value, from, dt));
    const double recorded = ew_seconds();
    EW_TRY(model_update_tangent(model));
    EW_TRY(model_system_update_solver(model, &model->stiffness));
    of->info.seconds_record += recorded - start;
    of->info.seconds_blocks += ew_seconds() - recorded;
    of->info.touched_blocks += model->report.touched_blocks + model->report.built_blocks - before;
    of->info.total_blocks += (int64_t)model->mesh.n_active_vertex +
                             model->topology.pattern.n_live_pair + model->quadratic.rows.n_live;
    return EW_OK;
}

/* A tolerance as large as Newton's convergence allows: the error of an iteration is about the
 * square of the last one. */
static double tolerance_of(const ew_model *model, const newton *in)
{
    const double residual = model->nonlinear.info.residual;
    const double least = fmax(0.1 * in->def->tolerance / fmax(residual, in->def->tolerance),
                              in->def->solver.tolerance);
    const bool single = in->def->solver.precision == EW_SINGLE;
    return fmin(fmax(least, 0.1 * residual), single ? COARSEST_SINGLE : COARSEST);
}

/* What is done is the load that has been reached: solves of an iteration come and go. */
static bool report_load(void *user, const char *stage, double done)
{
    const newton *in = user;
    (void)stage;
    (void)done;
    return in->def->solver.progress.call(in->def->solver.progress.user, "load steps", in->from);
}

/* What supports still have to lead. Of sets that were turned as rigid bodies these may have lost
 * it.
 */
static void prescribe(ew_model *model, const newton *in, double *update)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    const double *lead = model->nonlinear.vector[NONLINEAR_LEAD], *u = model->field[0].value;
    const double share = in->leads ? in->to - in->led : 0.0;
    if (model->equations.n_rigid && model_has_large_rotations(model)) {
        memcpy(update, u, n * sizeof *update);
        model_put_prescribed_values(model, update);
        for (size_t i = 0; i < n; i++) {
            update[i] -= u[i] + (1.0 - in->to) * lead[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        update[i] = share != 0.0 ? share * lead[i] : 0.0;
    }
}

/* And equations. */
static ew_status begin_update(ew_model *model, const newton *in, double *update)
{
    prescribe(model, in, update);
    return model_has_equations(&model->equations) ? model_put_update(model, in->to, update) : EW_OK;
}

static ew_status solve(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    double *update = of->vector[NONLINEAR_UPDATE];
    ew_pcg_def def = in->def->solver;
    if (def.progress.call) {
        def.progress = (ew_progress){.user = in, .call = report_load};
    }
    def.tolerance = tolerance_of(model, in);
    def.expected_solves = EW_MANY_SOLVES;
    const double start = ew_seconds();
    EW_TRY(begin_update(model, in, update));
    ew_system system;
    ew_solver *solver;
    EW_TRY(model_choose_system(model, &def, &system, &solver));
    system.b = of->vector[NONLINEAR_RESIDUAL];
    const ew_status status = model_solve_update(model, solver, &system, &def, update, &of->solver);
    of->info.n_solver_iteration += of->solver.iterations;
    of->info.seconds_solve += ew_seconds() - start;
    model->report.seconds_solve += ew_seconds() - start;
    model->info = of->solver;
    return status;
}

/* Newton's update with the exact tangent, or where that is not positive definite with a clamped
 * one; for the rest of the load step, where it took all iterations of a solve to find that out. */
static ew_status find_update(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    of->internal_force.form = in->stays_clamped ? EW_TANGENT_CLAMPED : EW_TANGENT_EXACT;
    EW_TRY(update_tangent(model, in));
    ew_status status = solve(model, in);
    if ((status == EW_INDEFINITE || status == EW_NOT_CONVERGED) &&
        of->internal_force.form == EW_TANGENT_EXACT) {
        in->stays_clamped = status == EW_NOT_CONVERGED;
        of->internal_force.form = EW_TANGENT_CLAMPED;
        EW_TRY(update_tangent(model, in));
        status = solve(model, in);
    }
    of->info.n_clamped += of->internal_force.form == EW_TANGENT_CLAMPED;
    return status;
}

static ew_status move(ew_model *model, double share)
{
    const model_nonlinear *of = &model->nonlinear;
    const double *before = of->vector[NONLINEAR_BEFORE], *update = of->vector[NONLINEAR_UPDATE];
    double *u = model->field[0].value;
    const size_t n = 3 * (size_t)model_n_row(model);
    for (size_t i = 0; i < n; i++) {
        u[i] = before[i] + share * update[i];
    }
    model_lead_pressure(model, share);
    model_touch_records(model);
    return model_keep_rigid(model);
}

/* The whole update, or where the residual along it turned round and grew a part of it, by regula
 * falsi on du . R (Crisfield 1991, Non-linear finite element analysis, volume 1, section 9.2). */
static ew_status advance(ew_model *model, newton *in)
{
    enum { MOST = 6 };
    model_nonlinear *of = &model->nonlinear;
    const size_t n = 3 * (size_t)model_n_row(model);
    const double *update = of->vector[NONLINEAR_UPDATE], *residual = of->vector[NONLINEAR_RESIDUAL];
    const double slope = dot(update, residual, n), led = in->led;
    const double before = in->residual;
    memcpy(of->vector[NONLINEAR_BEFORE], model->field[0].value, n * sizeof *update);
    double low = 0.0, high = 1.0, share = 1.0;
    const bool may = in->def->line_search && !(in->leads && in->led < in->to);
    for (int k = 0; k < MOST; k++) {
        EW_TRY(move(model, share));
        in->led = led + share * (in->to - led);
        const ew_status status = find_residual(model, in);
        if (!may || (!status && in->residual <= MAX_GROWTH * before)) {
            return status;
        }
        const double now = status ? -slope : dot(update, residual, n);
        if (fabs(now) <= 0.8 * fabs(slope)) {
            return status;
        }
        of->info.n_shortened += k == 0;
        if (now * slope < 0.0) {
            high = share;
        } else {
            low = share;
        }
        share = fmax(0.5 * (low + high), 0.05);
        if (low >= high) {
            return status;
        }
    }
    return EW_OK;
}

/* ---- a load step --------------------------------------------------------------------------------
 */

static ew_status note(model_nonlinear *of)
{
    const int32_t n = of->info.n_history;
    EW_TRY(ew_grow(&of->history, &of->history_capacity, (int64_t)n + 1, sizeof *of->history));
    of->history[n] = of->info.residual;
    of->info.n_history = n + 1;
    return EW_OK;
}

/* Whether a body with large rotations is where supports and equations have it. */
static ew_status is_led(ew_model *model, const newton *in, bool *is)
{
    const size_t n = 3 * (size_t)model_n_row(model);
    double *part = model->nonlinear.vector[NONLINEAR_UPDATE], lack, largest = 0.0;
    *is = true;
    if (!model_has_large_rotations(model) || !model_has_equations(&model->equations)) {
        return EW_OK;
    }
    prescribe(model, in, part);
    EW_TRY(model_find_lack(model, in->to, &lack));
    for (size_t i = 0; i < n; i++) {
        lack = fmax(lack, fabs(part[i]));
        largest = fmax(largest, fabs(model->field[0].value[i]));
    }
    *is = lack <= in->def->tolerance * largest;
    return EW_OK;
}

static ew_status judge(ew_model *model, const newton *in, bool *has_converged)
{
    ew_nonlinear_info *info = &model->nonlinear.info;
    double least = 0.0;
    *has_converged = false;
    if (in->n_iteration == 0 || (in->leads && in->led != in->to)) {
        return EW_OK;
    }
    EW_TRY(info->residual > in->def->tolerance ? model_find_rounding(model, &least) : EW_OK);
    info->limited_by_rounding = info->residual > in->def->tolerance && in->residual <= least;
    *has_converged = info->residual <= in->def->tolerance || info->limited_by_rounding;
    return *has_converged ? is_led(model, in, has_converged) : EW_OK;
}

/* Closed points of contacts for the next iteration: that counts from the start of these. */
static ew_status change_contacts(ew_model *model, newton *in, bool *has_converged)
{
    bool has_changed;
    EW_TRY(model_change_in_iteration(model, model->equations.total, model->nonlinear.info.residual,
                                     *has_converged, &in->n, &has_changed));
    if (has_changed) {
        *has_converged = false;
        in->n_before = in->n_iteration;
        in->n_stalled = 0;
        in->best = INFINITY;
        EW_TRY(find_residual(model, in));
    }
    return EW_OK;
}

ew_status newton_step(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    in->best = INFINITY;
    in->n_stalled = in->n_iteration = in->n_before = 0;
    in->n = (model_changes){0};
    model_begin_rounds(&model->contacts);
    in->led = in->from;
    in->stays_clamped = false;
    of->internal_force.form = EW_TANGENT_EXACT;
    model_ramp_contacts(model, 1.0 - in->to);
    model_place_rigid(model, in->to);
    model_start_friction(model, of->vector[NONLINEAR_START], 1.0);
    EW_TRY(model_update_supports(model));
    EW_TRY(find_residual(model, in));
    for (;;) {
        EW_TRY(note(of));
        in->n_stalled = in->residual < in->best ? 0 : in->n_stalled + 1;
        in->best = in->n_iteration ? fmin(in->best, in->residual) : in->best;
        bool has_converged;
        EW_TRY(judge(model, in, &has_converged));
        EW_TRY(in->n_iteration ? change_contacts(model, in, &has_converged) : EW_OK);
        if (has_converged) {
            model_end_rounds(&model->contacts);
            in->scale = of->info.reference;
            return EW_OK;
        }
        if (in->n_iteration - in->n_before == in->def->max_iterations ||
            in->residual > HOPELESS * in->best || (in->can_halve && in->n_stalled == MAX_STALLED)) {
            return ew_fail(EW_NOT_CONVERGED, "nonlinear: no convergence");
        }
        in->n_iteration++;
        of->info.n_iteration++;
        EW_TRY(find_update(model, in));
        EW_TRY(advance(model, in));
    }
}

ew_status newton_is_balanced(ew_model *model, newton *in, bool *is_balanced)
{
    double least = 0.0;
    EW_TRY(find_residual(model, in));
    EW_TRY(model_find_rounding(model, &least));
    *is_balanced = model->nonlinear.info.residual <= in->def->tolerance || in->residual <= least;
    return EW_OK;
}
