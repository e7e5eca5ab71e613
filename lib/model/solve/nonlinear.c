/* Nonlinear statics: settings, load steps and their halving. An iteration is nonlinear_newton.c. */
#include "model/solve/nonlinear_newton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- settings ------------------------------------------------------------------------- */

ew_nonlinear_def ew_default_nonlinear_def(void)
{
    return (ew_nonlinear_def){.n_step = 1,
                              .tolerance = 1e-6,
                              .max_iterations = 25,
                              .max_halvings = 6,
                              .line_search = true,
                              .solver = ew_default_pcg_def()};
}

ew_status ew_nonlinear_def_check(const ew_nonlinear_def *def)
{
    if (def->n_step < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "nonlinear: %d load steps, must be >= 1", def->n_step);
    }
    if (!(def->tolerance > 0.0 && def->tolerance < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "nonlinear: tolerance is %g, must be > 0 and < 1",
                       def->tolerance);
    }
    if (def->max_iterations < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "nonlinear: max_iterations is %d, must be >= 1",
                       def->max_iterations);
    }
    if (def->max_halvings < 0 || def->max_halvings > 30) {
        return ew_fail(EW_BAD_ARGUMENT, "nonlinear: max_halvings is %d, must be from 0 to 30",
                       def->max_halvings);
    }
    if (!(def->bound >= 0.0 && def->bound < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "nonlinear: bound is %g, must be >= 0 and < 1", def->bound);
    }
    if (!(def->duration >= 0.0 && isfinite(def->duration))) {
        return ew_fail(EW_BAD_ARGUMENT, "nonlinear: duration is %g, must be >= 0", def->duration);
    }
    return ew_pcg_def_check(&def->solver);
}

/* ---- load steps -------------------------------------------------------------------------- */

/* What is out of balance at the start, and where supports lead. */
static ew_status begin(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    const double *u = model->field[0].value;
    double *start = of->vector[NONLINEAR_START], *lead = of->vector[NONLINEAR_LEAD];
    double *rest = of->vector[NONLINEAR_REST], *force = of->vector[NONLINEAR_FORCE];
    const size_t n = 3 * (size_t)model_n_row(model);
    memcpy(start, u, n * sizeof *u);
    memcpy(lead, u, n * sizeof *u);
    model_put_prescribed_values(model, lead);
    for (size_t i = 0; i < n; i++) {
        lead[i] -= u[i];
        in->leads = in->leads || lead[i] != 0.0;
    }
    in->leads = in->leads || model_has_equations(&model->equations) || model->contacts.n;
    EW_TRY(model_start_equations(model));
    model_press_partly(model, 0.0);
    EW_TRY(newton_force(model, in));
    for (size_t i = 0; i < n; i++) {
        rest[i] = model->force.value[i] - force[i];
        rest[i] += in->pressure ? in->pressure[i] : 0.0;
    }
    memcpy(of->vector[NONLINEAR_RESIDUAL], rest, n * sizeof *rest);
    model_filter(model, of->vector[NONLINEAR_RESIDUAL]);
    for (size_t i = 0; i < n; i++) {
        const double *residual = of->vector[NONLINEAR_RESIDUAL];
        in->scale += residual[i] * residual[i];
    }
    in->scale = sqrt(in->scale);
    if (model_has_equations(&model->equations)) { /* what they take is no load */
        memcpy(rest, of->vector[NONLINEAR_RESIDUAL], n * sizeof *rest);
    }
    if (!isfinite(in->scale)) {
        return ew_fail(
            EW_BAD_INPUT,
            "nonlinear: loads and displacements at the start are too large: the square of the "
            "out-of-balance force exceeds the range of double precision; check their units");
    }
    memcpy(of->vector[NONLINEAR_KEPT], force, n * sizeof *force);
    return EW_OK;
}

static void restore(ew_model *model, const newton *in)
{
    model_press_partly(model, in->from);
    model_place_rigid(model, in->from);
    memcpy(model->field[0].value, model->nonlinear.vector[NONLINEAR_START],
           model_vector_size(model));
    model_apply_thermal_strain_partly(model, 1.0);
    model_start_friction(model, model->field[0].value, 1.0);
    model_touch_records(model);
}

/* From the temperature of the state to that at the load factor that is looked for. */
static ew_status apply_thermal_strain(ew_model *model, const newton *in)
{
    model_apply_thermal_strain_partly(model, 1.0);
    EW_TRY(model_update_thermal(model));
    EW_TRY(model_keep_thermal(model));
    model_apply_thermal_strain_partly(model,
                                      in->to < 1.0 ? (1.0 - in->to) / (1.0 - in->from) : 0.0);
    return model_update_thermal(model);
}

/* What flowed changes the force that the next load step begins with. */
static ew_status keep(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    const size_t n = 3 * (size_t)model_n_row(model);
    const double *u = model->field[0].value, *force = of->vector[NONLINEAR_FORCE];
    double *start = of->vector[NONLINEAR_START], *kept = of->vector[NONLINEAR_KEPT];
    for (size_t i = 0; i < n; i++) {
        of->info.work += 0.5 * (kept[i] + force[i]) * (u[i] - start[i]);
    }
    double thermal_work;
    EW_TRY(model_fetch_after(model));
    EW_TRY(model_find_thermal_work(model, start, u, &thermal_work));
    of->info.work += thermal_work;
    of->info.work +=
        model_dissipate(model, start, model_has_temperature(model) ? of->thermal_before : NULL, u,
                        in->def->duration * (in->to - in->from), false);
    EW_TRY(model_keep_temperature(model));
    model_apply_thermal_strain_partly(model, 1.0);
    model_take_state(model);
    EW_TRY(of->n_state ? newton_force(model, in) : EW_OK);
    memcpy(kept, force, n * sizeof *kept);
    memcpy(start, u, n * sizeof *u);
    in->from = in->to;
    model_settle_rigid(model);
    of->info.load_factor = in->to;
    of->info.kept_residual = of->info.residual;
    of->info.n_step++;
    return EW_OK;
}

/* step: that failed; 0: equilibrium after the last one. */
static ew_status fail(const ew_model *model, const newton *in, ew_status status, double step)
{
    const ew_nonlinear_info *info = &model->nonlinear.info;
    if (status != EW_NOT_CONVERGED && status != EW_INDEFINITE && status != EW_NOT_FINITE) {
        return status;
    }
    char residual[64] = "beyond the range of numbers", what[64] = "what flowed last is unbalanced";
    if (isfinite(info->residual)) {
        snprintf(residual, sizeof residual, "%.3g", info->residual);
    }
    if (step > 0.0) {
        snprintf(what, sizeof what,
                 in->def->max_halvings ? "the load step was halved to %.3g"
                                       : "the load step of %.3g may not be halved",
                 step);
    }
    return ew_fail(
        EW_NOT_CONVERGED,
        "nonlinear: no equilibrium was found beyond load factor %.6g of 1: %s, and its residual is "
        "%s after %d iterations, tolerance %.3g. Take more load steps%s or a smaller load, or look "
        "whether the body buckles there",
        info->load_factor, what, residual, in->n_iteration, in->def->tolerance,
        in->def->max_halvings ? "" : ", halvings of them");
}

/* The load factor that comes next: `step` further, or where a stated step ends. */
static double next_factor(const newton *in, double step)
{
    const double stated = 1.0 / in->def->n_step;
    const double done = floor(in->from / stated + 1e-9);
    const double end = (done + 1.0) * stated, to = in->from + step;
    return to > end - 1e-9 * stated ? (done + 2.0 > in->def->n_step ? 1.0 : end) : to;
}

static ew_status take_steps(ew_model *model, newton *in)
{
    const double stated = 1.0 / in->def->n_step;
    const double least = ldexp(stated, -in->def->max_halvings);
    double step = stated;
    while (in->from < 1.0) {
        in->to = next_factor(in, step);
        in->can_halve = step > least;
        EW_TRY(in->from > 0.0 && !in->has_failed ? model_pass_slip(model) : EW_OK);
        model_press_partly(model, in->to);
        EW_TRY(apply_thermal_strain(model, in));
        const ew_status status = newton_step(model, in);
        if (!status) {
            EW_TRY(keep(model, in));
            in->has_failed = false;
            const bool easy = in->n_iteration <= in->def->max_iterations / 3;
            step = easy && step < stated ? 2.0 * step : step;
            EW_TRY(in->def->on_step ? in->def->on_step(in->def->user, &model->nonlinear.info)
                                    : EW_OK);
            continue;
        }
        restore(model, in);
        model->nonlinear.info.n_failed++;
        in->has_failed = true;
        if (step <= least ||
            (status != EW_NOT_CONVERGED && status != EW_INDEFINITE && status != EW_NOT_FINITE &&
             !(status == EW_UNDER_CONSTRAINED && in->n.point))) {
            return fail(model, in, status, step);
        }
        step *= 0.5;
    }
    return EW_OK;
}

/* What flowed at the end of the last load step is out of balance: equilibrium once more, in no
 * time, so that nothing flows. */
static ew_status settle(ew_model *model, newton *in)
{
    bool is_balanced = true;
    if (model->nonlinear.n_state) {
        EW_TRY(newton_is_balanced(model, in, &is_balanced));
    }
    if (is_balanced) {
        return EW_OK;
    }
    in->can_halve = false;
    EW_TRY(model_pass_slip(model));
    EW_TRY(apply_thermal_strain(model, in));
    const ew_status status = newton_step(model, in);
    if (status) {
        restore(model, in);
        return fail(model, in, status, 0.0);
    }
    EW_TRY(keep(model, in));
    model->nonlinear.info.n_step--; /* none of its own */
    return EW_OK;
}

/* l F + (1 - l) f(u_0) where nothing is prescribed (nonlinear_newton.c); where something is, f(u_0)
 * is a reaction, and loads of the solve before are not known. */
static ew_status keep_reached_loads(ew_model *model, newton *in)
{
    model_nonlinear *of = &model->nonlinear;
    const double *rest = of->vector[NONLINEAR_REST];
    double *reached = of->vector[NONLINEAR_REACHED];
    const size_t n = 3 * (size_t)model_n_row(model);
    for (size_t i = 0; i < n; i++) {
        reached[i] = model->force.value[i] - rest[i];
    }
    model_filter(model, reached);
    for (size_t i = 0; i < n; i++) {
        reached[i] = in->from * model->force.value[i] + (1.0 - in->from) * reached[i];
    }
    EW_TRY(model_find_pressure(model, model->field[0].value, &in->pressure));
    for (size_t i = 0; i < n && in->pressure; i++) {
        reached[i] += in->pressure[i];
    }
    of->reached_revision = model->mesh.revision;
    return EW_OK;
}

static ew_status solve(ew_model *model, const ew_nonlinear_def *def)
{
    newton in = {.def = def};
    EW_TRY(model_need_usable(model));
    if (!model->mesh.n_live_tet) {
        return ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
    }
    EW_TRY(model_need_nonlinear(model, "model: the body is linear; use ew_model_solve"));
    model->nonlinear.reached_revision = 0;
    model->nonlinear.bound = def->bound;
    model->nonlinear.internal_force.form = EW_TANGENT_EXACT;
    model_touch_records(model);
    model_apply_thermal_strain_partly(model, 1.0);
    EW_TRY(model_check_nonlinear(model));
    if (def->is_fresh) {
        model_forget_records(model);
    }
    model_ramp_contacts(model, 0.0);
    model_begin_friction(model);
    model_start_from_kept(model);
    model_start_rigid(model);
    model_place_rigid(model, 0.0);
    (void)model_turn_equations(model);
    EW_TRY(model_prepare_contacts(model));
    EW_TRY(model_reserve_nonlinear(model));
    model_forget_recovery(model);
    model->dynamics.has_changed = model->dynamics.is_aside = true;
    EW_TRY(begin(model, &in));
    ew_status status = take_steps(model, &in);
    status = status ? status : settle(model, &in);
    if (!status) {
        model_apply_thermal_strain_fully(model);
    } else {
        const ew_status kept = keep_reached_loads(model, &in);
        status = kept ? kept : status;
    }
    model_ramp_contacts(model, 0.0);
    model_carry_pressure(model);
    return status;
}

ew_status ew_model_solve_nonlinear(ew_model *model, const ew_nonlinear_def *def,
                                   const ew_nonlinear_info **info)
{
    model_nonlinear *of = &model->nonlinear;
    model_contacts *contacts = &model->contacts;
    const double start = ew_seconds();
    if (info) {
        *info = NULL;
    }
    EW_TRY(def->solver.preconditioner == EW_CHOLESKY
               ? model_refuse_mixed(model, "nonlinear: cholesky")
               : EW_OK);
    EW_TRY(ew_nonlinear_def_check(def));
    of->info = (ew_nonlinear_info){0};
    of->info.status = solve(model, def);
    contacts->start = NULL;
    contacts->is_settled = contacts->n && !of->info.status;
    contacts->has_history = contacts->has_history || contacts->is_settled;
    of->info.seconds = ew_seconds() - start;
    model->has_interpolated_state = model->has_interpolated_state && of->info.status;
    of->info.history = of->history;
    of->info.solver = &of->solver;
    if (info) {
        *info = &of->info;
    }
    return of->info.status;
}

ew_status ew_model_put_law_state(ew_model *model, int64_t n, const double *state)
{
    EW_TRY(model_need_usable(model));
    EW_TRY(model_prepare_internal_force(model));
    model_nonlinear *of = &model->nonlinear;
    const int64_t known = (int64_t)of->n_point * of->n_state * model->mesh.n_tet;
    if (n != known) {
        return ew_fail(EW_BAD_INPUT, "nonlinear: the laws have %lld numbers of state, not %lld",
                       (long long)known, (long long)n);
    }
    if (n) {
        memcpy(model->field[of->state].value, state, (size_t)n * sizeof *state);
    }
    of->state_revision++;
    model_touch_records(model);
    model_forget_recovery(model);
    return EW_OK;
}

static ew_status accept(ew_model *model, int64_t n_state, const double *displacement,
                        const double *state)
{
    EW_TRY(ew_model_put_law_state(model, n_state, state));
    if (model_has_friction(model)) {
        EW_TRY(model_reserve_nonlinear(model));
        model->contacts.start = memcpy(model->nonlinear.vector[NONLINEAR_START],
                                       model->field[0].value, model_vector_size(model));
    }
    memcpy(model->field[0].value, displacement,
           3 * sizeof *displacement * (size_t)model->mesh.n_vertex);
    model_apply_thermal_strain_fully(model);
    model_press_partly(model, 1.0);
    model_carry_pressure(model);
    EW_TRY(model_keep_temperature(model));
    model->nonlinear.reached_revision = 0;
    model->has_interpolated_state = false;
    model->dynamics.has_changed = model->dynamics.is_aside = true;
    if (model->contacts.n) { /* as in ew_model_accept */
        model_ramp_contacts(model, 0.0);
        model->contacts.n_passed = 0;
        model_start_rigid(model);
        model_place_rigid(model, 1.0);
        (void)model_turn_equations(model);
        EW_TRY(model_update_supports(model));
        model->contacts.start = NULL;
        EW_TRY(model_recall_contacts(model, MODEL_NEWTON_GAP));
        model_settle_rigid(model);
    }
    return EW_OK;
}

ew_status ew_model_accept_nonlinear(ew_model *model, int64_t n_state, const double *displacement,
                                    const double *state)
{
    const ew_status status = accept(model, n_state, displacement, state);
    model->contacts.start = NULL;
    model->contacts.n_put = 0; /* of this answer, whatever came of it */
    return status;
}

bool ew_model_has_interpolated_state(const ew_model *model)
{
    return model->has_interpolated_state;
}
