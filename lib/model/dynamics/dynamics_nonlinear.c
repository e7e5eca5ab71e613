/* A nonlinear body that moves. A step linearizes its force at the state before, f(u) + K (x - u)
 * with the tangent K there, or goes on by Newton's method to the force at the end of the step.
 * Explicit schemes take the force alone. The schemes know nothing of it. */
#include "model/dynamics/dynamics_couplings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Newton's method --------------------------------------------------------------------- */

/* Adds the unknown to the prediction and sets it to zero. */
static void fold(ew_model *model, double dt)
{
    const model_dynamics *of = &model->dynamics;
    const ew_scheme_rule *rule = &of->rule;
    double *const next[4] = {of->vector[MODEL_NEXT_U], of->vector[MODEL_NEXT_V],
                             of->vector[MODEL_NEXT_D], of->vector[MODEL_NEXT_A]};
    const double by[4] = {dt * dt * rule->u[1], dt * rule->v[1], dt * rule->d[1], 1.0};
    double *x = of->vector[MODEL_UNKNOWN];
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        for (int k = 0; k < 4; k++) {
            next[k][i] += by[k] * x[i];
        }
        x[i] = 0.0;
    }
}

static double norm(ew_model *model, const double *x)
{
    return sqrt(model_dot(model, x, x));
}

static bool does_newton(const ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    return of->rule.u[1] != 0.0 && of->def.newton_tolerance > 0.0;
}

/* The tangent where the iteration finds the force: between the state before and the next one. */
static ew_status relinearize(ew_model *model, const model_terms *terms, double dt)
{
    double *between = model->dynamics.vector[MODEL_INPUT];
    terms->displacement(model, between, 0, 3 * (size_t)model_n_row(model));
    EW_TRY(model_update_records(model, between, NULL, dt));
    EW_TRY(model_update_matrix(model));
    return model_update_step_matrix(model, dt);
}

/* The exact tangent, or where that is not positive definite a clamped one. */
static ew_status find_update(ew_model *model, const model_terms *terms, double dt, step_solve solve)
{
    static const ew_tangent_form form[] = {EW_TANGENT_EXACT, EW_TANGENT_CLAMPED};
    ew_status status = EW_INDEFINITE;
    for (int k = 0; k < 2 && (status == EW_INDEFINITE || status == EW_NOT_CONVERGED); k++) {
        model->nonlinear.internal_force.form = form[k];
        status = relinearize(model, terms, dt);
        status = status ? status : solve(model, STEP_FROM_ZERO);
    }
    return status;
}

static ew_status iterate(ew_model *model, const model_terms *terms, double dt, step_solve solve)
{
    model_dynamics *of = &model->dynamics;
    const double tolerance = of->def.newton_tolerance;
    double *rhs = of->vector[MODEL_RHS];
    /* a force at this time: what accelerates, loads, and what the first solution is wrong by, since
     * a body that turns freely has no other; and what rounding makes of nothing */
    double reference = norm(model, rhs) + norm(model, of->vector[MODEL_NEXT_FORCE]);
    double least;
    EW_TRY(model_find_rounding(model, &least));
    for (int32_t k = 0;; k++) {
        bool is_there;
        fold(model, dt);
        if (dynamics_turns_couplings(model)) {
            EW_TRY(dynamics_keep_couplings(model, dt * dt * of->rule.u[1]));
            fold(model, dt);
        }
        EW_TRY(model_find_exact_rhs(model, terms, dt));
        EW_TRY(dynamics_check_lack(model, &is_there));
        const double residual = norm(model, rhs);
        reference = k ? reference : fmax(reference, residual);
        of->info.residual = reference > 0.0 ? residual / reference : 0.0;
        if (residual <= fmax(tolerance * reference, least) && is_there) {
            return EW_OK;
        }
        if (k == of->def.newton_iterations || !isfinite(residual)) {
            return EW_NOT_CONVERGED;
        }
        EW_TRY(find_update(model, terms, dt, solve));
        of->info.n_newton++;
    }
}

/* An exact tangent at the state before the step turned out not to be positive definite: the clamped
 * one in its place, up to the next start or Newton's next iteration. */
static bool may_clamp(const ew_model *model, ew_status status)
{
    return status == EW_INDEFINITE && model->nonlinear.internal_force.form == EW_TANGENT_EXACT;
}

static ew_status mend_matrix(ew_model *model, double dt, ew_status status)
{
    model_nonlinear *of = &model->nonlinear;
    const double bound = of->bound;
    if (!may_clamp(model, status)) {
        return status;
    }
    of->internal_force.form = EW_TANGENT_CLAMPED;
    of->bound = 0.0; /* what clamping changes little is what makes it indefinite, too */
    model_touch_records(model);
    status = model_update_matrix(model);
    of->bound = bound;
    return status ? status : model_update_step_matrix(model, dt);
}

/* Explicit schemes take the force at the displacement that they predict. */
static bool is_explicit(const ew_model *model)
{
    return model->dynamics.of_stiffness == 0.0;
}

static ew_status find_rhs(ew_model *model, const model_terms *terms, double dt)
{
    return is_explicit(model) ? model_find_exact_rhs(model, terms, dt)
                              : model_find_rhs(model, terms);
}

static ew_status solve_clamped(ew_model *model, const model_terms *terms, double dt,
                               step_solve solve)
{
    EW_TRY(mend_matrix(model, dt, EW_INDEFINITE));
    EW_TRY(model_find_rhs(model, terms));
    return solve(model, STEP_FROM_LAST);
}

/* A failed linear solve belongs to a state far from the solution. */
static ew_status converge(ew_model *model, const model_terms *terms, double dt, ew_status first,
                          step_solve solve)
{
    const model_dynamics *of = &model->dynamics;
    const int32_t before = of->info.n_newton;
    if (is_explicit(model)) {
        return first;
    }
    first = may_clamp(model, first) ? solve_clamped(model, terms, dt, solve) : first;
    if (!does_newton(model) || first == EW_NOT_CONVERGED) {
        return first;
    }
    const ew_status status = first ? first : iterate(model, terms, dt, solve);
    if (status != EW_NOT_CONVERGED && status != EW_INDEFINITE && status != EW_NOT_FINITE) {
        return status;
    }
    char residual[64] = "not known";
    if (!first) {
        snprintf(residual, sizeof residual, "%.3g", of->info.residual);
    }
    return ew_fail(EW_NOT_CONVERGED,
                   "Newton's method found no motion in a step of %.6g: the residual is %s after %d "
                   "iterations, tolerance %.3g; take smaller time steps",
                   dt, residual, of->info.n_newton - before, of->def.newton_tolerance);
}

static bool flows_behind_steps(const ew_model *model)
{
    bool any = false;
    for (int32_t r = 0; r < model->mesh.n_region; r++) {
        const ew_law *law = ew_material_law(model->materials.material + r);
        any = any || (law->n_state > 0 && !law->dissipated);
    }
    return any;
}

/* What creeps flows behind a step: the force there is another one, and so is the acceleration that
 * the next step begins with. Without that the scheme would move the body by a stress that is gone,
 * and make energy. NONLINEAR_FORCE: before it flowed. */
static ew_status follow_flow(ew_model *model, const double *from)
{
    const model_dynamics *of = &model->dynamics;
    const size_t n = 3 * (size_t)model_n_row(model);
    const double *u = model->field[0].value;
    double *force = model->nonlinear.vector[NONLINEAR_FORCE],
           *a = model->field[of->acceleration].value;
    double *rest = of->vector[MODEL_RHS], *x = of->vector[MODEL_UNKNOWN];
    memcpy(rest, force, n * sizeof *rest);
    EW_TRY(model_internal_force(model, u, 0.0, force));
    for (size_t i = 0; i < n; i++) {
        rest[i] -= force[i];
    }
    if (model_is_zero(rest, n)) {
        return EW_OK;
    }
    EW_TRY(model_mass_solve(model, 1.0, rest, x));
    for (size_t i = 0; i < n; i++) {
        a[i] += x[i];
        of->vector[MODEL_INPUT][i] = u[i] - from[i]; /* the solve has overwritten it */
    }
    return EW_OK;
}

/* What flows in the step, and the work of heat. from: displacement before it. */
static ew_status finish_laws(ew_model *model, const double *from, double dt)
{
    model_nonlinear *of = &model->nonlinear;
    const double *u = model->field[0].value;
    if (of->n_state) {
        EW_TRY(model_internal_force(model, u, dt, of->vector[NONLINEAR_FORCE]));
        EW_TRY(model_fetch_after(model));
    }
    of->thermal_work = 0.0;
    EW_TRY(model->dynamics.def.account ? model_find_thermal_work(model, from, u, &of->thermal_work)
                                       : EW_OK);
    (void)model_dissipate(model, from, model_has_temperature(model) ? of->thermal_before : NULL, u,
                          dt, true);
    model_take_state(model);
    return flows_behind_steps(model) ? follow_flow(model, from) : EW_OK;
}

/* ---- the table -------------------------------------------------------------------------- */

static ew_status start(ew_model *model, const ew_dynamics_def *def)
{
    EW_TRY(model_check_nonlinear(model));
    model->nonlinear.bound = def->bound;
    model->nonlinear.internal_force.form = EW_TANGENT_EXACT;
    model_touch_records(model);
    return EW_OK;
}

static void restore(ew_model *model)
{
    model_forget_records(model);
    model->dynamics.has_followed = true;
}

static ew_status update_matrix(ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    return of->rule.u[1] != 0.0 || of->def.damping_stiffness != 0.0
               ? model_update_matrix(model)
               : model_prepare_internal_force(model);
}

/* The tangent is that of another displacement. */
static ew_status follow_supports(ew_model *model)
{
    model_touch_records(model);
    EW_TRY(update_matrix(model));
    return model_update_dynamic_matrices(model);
}

/* Records are of another displacement by now. */
static ew_status finish(ew_model *model, double dt)
{
    model_nonlinear *of = &model->nonlinear;
    const double end = model_step_end(model, dt);
    model_apply_thermal_strain(model, end, end, 0.0);
    EW_TRY(model_update_thermal(model));
    of->thermal_work = 0.0;
    if (of->n_state || model_has_temperature(model)) {
        EW_TRY(model_reserve_nonlinear(model));
        const double *u = model->field[0].value, *moved = model->dynamics.vector[MODEL_INPUT];
        double *from = of->vector[NONLINEAR_START];
        for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
            from[i] = u[i] - moved[i];
        }
        EW_TRY(finish_laws(model, from, dt));
    }
    model_carry_pressure(model);
    model_touch_records(model);
    model->dynamics.has_followed = true;
    return model_keep_temperature(model);
}

/* Frequencies are others at each step: the bound stays. */
static ew_status find_frequency(ew_model *model, double *square)
{
    (void)model;
    *square = -1.0;
    return EW_OK;
}

static ew_status fetch_blocks(ew_model *model)
{
    return model->dynamics.of_stiffness != 0.0 ? model_fetch_blocks(model) : EW_OK;
}

const step_formulation step_formulation_nonlinear = {.start = start,
                                                     .restore = restore,
                                                     .follow_edit = model_keep_temperature,
                                                     .follow_supports = follow_supports,
                                                     .update_matrix = update_matrix,
                                                     .mend_matrix = mend_matrix,
                                                     .find_rhs = find_rhs,
                                                     .converge = converge,
                                                     .may_halve = does_newton,
                                                     .finish = finish,
                                                     .find_frequency = find_frequency,
                                                     .fetch_blocks = fetch_blocks};
