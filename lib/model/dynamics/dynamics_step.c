/* One step in time. The scheme is a rule of coefficients (analysis/schemes.c); nothing here knows
 * one by name. A step solves for the acceleration after it, a_1, in
 *
 *     (c_M M + c_K K) a_1 = F_f - K w_K - M w_M,
 *     w_K = u_f + b d_f,  w_M = alpha_m a_0 + a d_f,
 *
 * where u_f and d_f are weighted means of the state before and of what the rule predicts with
 * a_1 = 0. What is prescribed after the step is put into the prediction, acceleration and all, so
 * that the unknown is zero there, and the tolerance refers to the forces that change the motion. */
#include "model/dynamics/dynamics_contact.h"
#include "model/dynamics/dynamics_couplings.h"

#include <math.h>
#include <string.h>

static void predict(ew_model *model, double dt)
{
    const model_dynamics *of = &model->dynamics;
    const ew_scheme_rule *rule = &of->rule;
    const double *u = model->field[0].value, *v = model->field[of->velocity].value;
    const double *a = model->field[of->acceleration].value;
    double *next_u = of->vector[MODEL_NEXT_U], *next_v = of->vector[MODEL_NEXT_V];
    double *next_d = of->vector[MODEL_NEXT_D], *next_a = of->vector[MODEL_NEXT_A];
    const double by_u = dt * dt * rule->u[0], by_v = dt * rule->v[0], by_d = dt * rule->d[0];
    const int64_t n = 3 * (int64_t)model_n_row(model);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        next_u[i] = u[i] + (dt * v[i] + by_u * a[i]);
        next_v[i] = v[i] + by_v * a[i];
        next_d[i] = v[i] + by_d * a[i];
        next_a[i] = 0.0;
    }
}

static void load_between(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *now = of->vector[MODEL_FORCE], *next = of->vector[MODEL_NEXT_FORCE];
    const double f = of->rule.alpha_f;
    for (size_t i = begin; i < end; i++) {
        out[i] = (1.0 - f) * next[i] + f * now[i];
    }
}

static void stiffness_between(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *u = model->field[0].value, *v = model->field[of->velocity].value;
    const double *next_u = of->vector[MODEL_NEXT_U], *next_d = of->vector[MODEL_NEXT_D];
    const double f = of->rule.alpha_f, b = of->def.damping_stiffness;
    for (size_t i = begin; i < end; i++) {
        out[i] = (1.0 - f) * (next_u[i] + b * next_d[i]) + f * (u[i] + b * v[i]);
    }
}

/* The two parts of it. */
static void displacement_between(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *u = model->field[0].value, *next_u = of->vector[MODEL_NEXT_U];
    const double f = of->rule.alpha_f;
    for (size_t i = begin; i < end; i++) {
        out[i] = (1.0 - f) * next_u[i] + f * u[i];
    }
}

static void damping_between(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *v = model->field[of->velocity].value, *next_d = of->vector[MODEL_NEXT_D];
    const double f = of->rule.alpha_f, b = of->def.damping_stiffness;
    for (size_t i = begin; i < end; i++) {
        out[i] = b * ((1.0 - f) * next_d[i] + f * v[i]);
    }
}

static void mass_between(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *v = model->field[of->velocity].value,
                 *a = model->field[model->dynamics.acceleration].value;
    const double *next_a = of->vector[MODEL_NEXT_A], *next_d = of->vector[MODEL_NEXT_D];
    const double f = of->rule.alpha_f, m = of->rule.alpha_m, c = of->def.damping_mass;
    for (size_t i = begin; i < end; i++) {
        out[i] = (1.0 - m) * next_a[i] + m * a[i] + c * ((1.0 - f) * next_d[i] + f * v[i]);
    }
}

/* How well the preconditioner does, which may be of a matrix some steps ago. */
static void note_rate(model_dynamics *of)
{
    const ew_pcg_info *info = &of->solver_info;
    const double gain = log(info->first_residual / info->residual);
    if (gain > 1.0) {
        of->rate = of->rate > 0.0 ? of->rate : info->iterations / gain;
        of->excess += fmax(info->iterations - of->rate * gain, 0.0);
    }
}

/* The unknown acceleration. */
static ew_status solve(ew_model *model, step_start from)
{
    model_dynamics *of = &model->dynamics;
    double *x = of->vector[MODEL_UNKNOWN];
    of->info.solver = NULL;
    if (of->of_stiffness == 0.0) {
        return model_mass_solve(model, of->of_mass, of->vector[MODEL_RHS], x);
    }
    const double *b = dynamics_complete_copy(model);
    if (from == STEP_FROM_ZERO) {
        memset(x, 0, model_vector_size(model));
    } else if (from == STEP_FROM_LAST) {
        memcpy(x, model->field[of->acceleration].value, model_vector_size(model));
    }
    model_filter(model, x);
    EW_TRY(dynamics_lead_contacts(model, x));
    ew_system view = model_system_view(model, &model->dynamics.system, b);
    EW_TRY(model_equip_system(model, &view));
    of->info.solver = &of->solver_info;
    of->has_solved = true;
    EW_TRY(model_solve_with_mass(model, of->of_stiffness, of->of_mass, &of->system.solver, &view,
                                 &of->def.solver, step_formulation_of(model)->splits_pressure, x,
                                 &of->solver_info));
    if (from != STEP_FROM_THERE) {
        note_rate(of);
    }
    if ((model->contacts.is_released || !model->contacts.n) && !dynamics_turns_couplings(model)) {
        model_filter(model, x);
    }
    return EW_OK;
}

/* The prediction and what the unknown adds become the state; MODEL_INPUT: the displacement between.
 */
static void finish(ew_model *model, double dt)
{
    const model_dynamics *of = &model->dynamics;
    double *u = model->field[0].value, *v = model->field[of->velocity].value;
    double *a = model->field[of->acceleration].value, *moved = of->vector[MODEL_INPUT];
    const double *next_u = of->vector[MODEL_NEXT_U], *next_v = of->vector[MODEL_NEXT_V];
    const double *next_a = of->vector[MODEL_NEXT_A], *x = of->vector[MODEL_UNKNOWN];
    const double by_u = dt * dt * of->rule.u[1], by_v = dt * of->rule.v[1];
    const int64_t n = 3 * (int64_t)model_n_row(model);
#pragma omp parallel for schedule(static) if (n > MODEL_MIN_PARALLEL)
    for (int64_t i = 0; i < n; i++) {
        const double before = u[i];
        u[i] = next_u[i] + by_u * x[i];
        v[i] = next_v[i] + by_v * x[i];
        a[i] = next_a[i] + x[i];
        moved[i] = u[i] - before;
    }
}

static ew_status check_step(ew_model *model, double dt)
{
    const double time = model->dynamics.time;
    if (!(dt > 0.0 && isfinite(dt)) || time + dt == time) {
        return ew_fail(EW_BAD_INPUT, "dynamics: the step is %g at time %g, must be > 0", dt, time);
    }
    return ew_model_check_step(model, dt);
}

/* Up to the solution; nothing of the state is touched. */
static ew_status attempt_step(ew_model *model, double dt)
{
    model_dynamics *of = &model->dynamics;
    const step_formulation *formulation = step_formulation_of(model);
    double *const *vector = of->vector;
    const double next = model_step_end(model, dt), start = ew_seconds();
    model_find_force(model, next, false);
    EW_TRY(model_keep_thermal(model));
    model_apply_thermal_strain(model, of->time, next, of->rule.alpha_f);
    EW_TRY(model_update_thermal(model));
    EW_TRY(model_update_mixed_thermal(model));
    predict(model, dt);
    EW_TRY(model_put_motion(model, next, dt, false, vector[MODEL_NEXT_U], vector[MODEL_NEXT_V],
                            vector[MODEL_NEXT_D], vector[MODEL_NEXT_A]));
    EW_TRY(dynamics_stop_contacts(model, dt));
    const double loaded = ew_seconds();
    const model_terms terms = {load_between,    stiffness_between,
                               mass_between,    displacement_between,
                               damping_between, formulation->splits_pressure};
    EW_TRY(formulation->find_rhs(model, &terms, dt));
    const double formed = ew_seconds();
    const ew_status status = dynamics_solve(model, &(dynamics_step){&terms, dt, solve});
    of->info.seconds_loads += loaded - start;
    of->info.seconds_rhs += formed - loaded;
    of->info.seconds_solve += ew_seconds() - formed;
    return status;
}

static ew_status advance(ew_model *model, double dt)
{
    model_dynamics *of = &model->dynamics;
    const double start = ew_seconds();
    of->is_aside = false;
    model->nonlinear.has_force = false; /* the caller may have written to the displacement */
    EW_TRY(model_update_state(model));
    EW_TRY(dynamics_turn_contacts(model, dt));
    EW_TRY(check_step(model, dt));
    const step_formulation *formulation = step_formulation_of(model);
    EW_TRY(formulation->mend_matrix(model, dt, model_update_step_matrix(model, dt)));
    of->info.seconds_update += ew_seconds() - start;
    const ew_status status = attempt_step(model, dt);
    if (status) { /* the tangent is that of where Newton's method came */
        model_touch_records(model);
        model_apply_thermal_strain(model, of->time, of->time, 0.0);
        return ew_fail_prefix(status, "dynamics: step %lld to time %.9g", (long long)of->n_step + 1,
                              of->time + dt);
    }
    const double solved = ew_seconds();
    finish(model, dt);
    EW_TRY(dynamics_finish_contacts(model, dt));
    EW_TRY(formulation->finish(model, dt));
    of->time = model_step_end(model, dt);
    model_forget_recovery(model);
    if (of->def.account) {
        EW_TRY(model_account_step(model, of->vector[MODEL_INPUT]));
    } else {
        memcpy(of->vector[MODEL_FORCE], of->vector[MODEL_NEXT_FORCE], model_vector_size(model));
    }
    of->info.seconds_account += ew_seconds() - solved;
    return EW_OK;
}

/* A step that Newton's method does not solve becomes two of half the length: the state after the
 * first is a state as any other, and the matrix of a step follows its length. */
static ew_status advance_by_halves(ew_model *model, double dt, int32_t n_left)
{
    const ew_status status = advance(model, dt);
    if (status != EW_NOT_CONVERGED || !step_formulation_of(model)->may_halve(model) ||
        n_left == 0) {
        return status;
    }
    model->dynamics.info.n_halving++;
    EW_TRY(advance_by_halves(model, 0.5 * dt, n_left - 1));
    return advance_by_halves(model, 0.5 * dt, n_left - 1);
}

ew_status ew_model_advance(ew_model *model, double dt, const ew_advance_info **info)
{
    model_dynamics *of = &model->dynamics;
    of->info = (ew_advance_info){0};
    const ew_status status = advance_by_halves(model, dt, of->def.newton_halvings);
    of->n_step += !status;
    if (info) {
        *info = &of->info;
    }
    return status;
}
