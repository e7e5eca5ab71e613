/* Dynamics of a model: start, what edits ask of a state, one step in time. The scheme is a rule of
 * coefficients (analysis/schemes.c); nothing here knows one by name. A step solves for the
 * acceleration after it, a_1, in
 *
 *     (c_M M + c_K K) a_1 = F_f - K w_K - M w_M,
 *     w_K = u_f + b d_f,  w_M = alpha_m a_0 + a d_f,
 *
 * where u_f and d_f are weighted means of the state before and of what the rule predicts with
 * a_1 = 0. What is prescribed after the step is put into the prediction, acceleration and all, so
 * that the unknown is zero there, and the tolerance refers to the forces that change the motion. */
#include "model/internal.h"

#include <math.h>
#include <string.h>

/* Rows that one call of a loop's body takes. */
#define ROWS 2048

/* ---- settings ------------------------------------------------------------------------ */

ew_dynamics_def ew_default_dynamics_def(void)
{
    return (ew_dynamics_def){.scheme = EW_NEWMARK,
                             .parameters = ew_default_scheme_parameters(),
                             .mass = EW_MASS_LUMPED,
                             .solver = ew_default_pcg_def()};
}

ew_status ew_dynamics_def_check(const ew_dynamics_def *def)
{
    EW_TRY(ew_scheme_check(def->scheme, &def->parameters));
    if (def->mass != EW_MASS_LUMPED && def->mass != EW_MASS_CONSISTENT) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: there is no mass of kind %d", (int)def->mass);
    }
    if (!(def->damping_mass >= 0.0 && isfinite(def->damping_mass))) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: mass damping is %g, must be >= 0",
                       def->damping_mass);
    }
    if (!(def->damping_stiffness >= 0.0 && isfinite(def->damping_stiffness))) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: stiffness damping is %g, must be >= 0",
                       def->damping_stiffness);
    }
    return ew_pcg_def_check(&def->solver);
}

/* ---- fields --------------------------------------------------------------------------- */

static ew_status open_field(ew_model *model, const char *name, int32_t *field)
{
    const ew_field_def def = {.name = name, .width = 3, .rule = EW_FIELD_MEAN};
    return *field ? EW_OK : ew_model_add_field(model, &def, field);
}

static ew_status open_fields(ew_model *model)
{
    EW_TRY(open_field(model, "velocity", &model->dynamics.velocity));
    return open_field(model, "acceleration", &model->dynamics.acceleration);
}

double *ew_model_velocity(ew_model *model)
{
    return open_fields(model) ? NULL : model->field[model->dynamics.velocity].value;
}

double *ew_model_acceleration(ew_model *model)
{
    return open_fields(model) ? NULL : model->field[model->dynamics.acceleration].value;
}

double ew_model_time(const ew_model *model)
{
    return model->dynamics.time;
}

bool ew_model_is_dynamic(const ew_model *model)
{
    return model->dynamics.is_active;
}

/* ---- the state ------------------------------------------------------------------------ */

static size_t size_of_vector(const ew_model *model)
{
    return 3 * sizeof(double) * (size_t)model->mesh.n_vertex;
}

/* Into the fields, through vectors: a prescribed velocity goes on from the displacement there. */
static ew_status put_supports(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    const size_t size = size_of_vector(model);
    double *const field[] = {model->field[0].value, model->field[of->velocity].value};
    double *u = of->vector[MODEL_NEXT_U], *v = of->vector[MODEL_NEXT_V];
    double *d = of->vector[MODEL_NEXT_D], *a = of->vector[MODEL_NEXT_A];
    memcpy(u, field[0], size);
    memcpy(v, field[1], size);
    memcpy(d, field[1], size);
    memset(a, 0, size);
    EW_TRY(model_put_motion(model, of->time, 0.0, true, u, v, d, a));
    memcpy(field[0], u, size);
    memcpy(field[1], v, size);
    return EW_OK;
}

/* b = F - K x_K - M x_M: the two by `weigh`, which fills the vector from row `begin` to `end`. */
typedef void (*weigh_rows)(const ew_model *model, double *out, size_t begin, size_t end);

static void weigh(const ew_model *model, weigh_rows rows, double *out)
{
    const int32_t n = model->mesh.n_vertex, n_part = n / ROWS + 1;
#pragma omp parallel for schedule(static) if (n_part > 1)
    for (int32_t k = 0; k < n_part; k++) {
        const size_t begin = (size_t)k * ROWS, end = begin + ROWS;
        rows(model, out, 3 * begin, 3 * (end < (size_t)n ? end : (size_t)n));
    }
}

static void subtract_rows(const ew_model *model, double *out, size_t begin, size_t end)
{
    const double *part = model->dynamics.vector[MODEL_OUTPUT];
    for (size_t i = begin; i < end; i++) {
        out[i] -= part[i];
    }
}

/* MODEL_RHS from the forces of `load`, and of displacement and acceleration by two loops. */
static ew_status find_rhs(ew_model *model, weigh_rows load, weigh_rows stiffness, weigh_rows mass)
{
    double *const *vector = model->dynamics.vector;
    weigh(model, stiffness, vector[MODEL_INPUT]);
    EW_TRY(model_stiffness_product(model, vector[MODEL_INPUT], vector[MODEL_OUTPUT]));
    weigh(model, load, vector[MODEL_RHS]);
    weigh(model, subtract_rows, vector[MODEL_RHS]);
    weigh(model, mass, vector[MODEL_INPUT]);
    model_mass_product(model, vector[MODEL_INPUT], vector[MODEL_OUTPUT]);
    weigh(model, subtract_rows, vector[MODEL_RHS]);
    /* Along oblique supports it may be many times what it is across: rounding leaves so much there
     * that once is not enough. */
    model_filter(model, vector[MODEL_RHS]);
    model_filter(model, vector[MODEL_RHS]);
    model_flush(vector[MODEL_RHS], 3 * (int64_t)model->mesh.n_vertex);
    return EW_OK;
}

static void load_now(const ew_model *model, double *out, size_t begin, size_t end)
{
    memcpy(out + begin, model->dynamics.vector[MODEL_FORCE] + begin, (end - begin) * sizeof *out);
}

/* u + b v */
static void stiffness_now(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *u = model->field[0].value, *v = model->field[of->velocity].value;
    for (size_t i = begin; i < end; i++) {
        out[i] = u[i] + of->def.damping_stiffness * v[i];
    }
}

/* a_p + a v, a_p being what is prescribed */
static void mass_now(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *a = of->vector[MODEL_NEXT_A], *v = model->field[of->velocity].value;
    for (size_t i = begin; i < end; i++) {
        out[i] = a[i] + of->def.damping_mass * v[i];
    }
}

/* From the equation of motion; put_supports left what is prescribed of it. */
static ew_status find_acceleration(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    double *a = model->field[of->acceleration].value;
    const double *prescribed = of->vector[MODEL_NEXT_A], *x = of->vector[MODEL_UNKNOWN];
    EW_TRY(find_rhs(model, load_now, stiffness_now, mass_now));
    EW_TRY(model_mass_solve(model, 1.0, of->vector[MODEL_RHS], of->vector[MODEL_UNKNOWN]));
    for (size_t i = 0; i < 3 * (size_t)model->mesh.n_vertex; i++) {
        a[i] = prescribed[i] + x[i];
    }
    return EW_OK;
}

ew_status model_update_state(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(model_need_usable(model));
    if (!of->is_active) {
        return ew_fail(EW_BAD_ARGUMENT, "model: dynamics have not been started");
    }
    if (!model->mesh.n_live_tet) {
        return ew_fail(EW_BAD_INPUT, "model: the mesh has no tets");
    }
    EW_TRY(model_update_dynamic_matrices(model));
    EW_TRY(model_update_loads(model));
    if (!of->has_changed) {
        return EW_OK;
    }
    EW_TRY(model_reserve_vectors(model));
    model_find_force(model, of->time, true);
    memcpy(of->vector[MODEL_FORCE], of->vector[MODEL_NEXT_FORCE], size_of_vector(model));
    EW_TRY(put_supports(model));
    EW_TRY(of->keeps_acceleration ? EW_OK : find_acceleration(model));
    EW_TRY(of->def.account ? model_account_state(model, of->has_account) : EW_OK);
    of->has_account = true;
    of->square = -1.0;
    of->has_changed = of->keeps_acceleration = false;
    return EW_OK;
}

/* ---- start and stop ------------------------------------------------------------------- */

static ew_status start(ew_model *model, const ew_dynamics_def *def)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(model_need_usable(model));
    EW_TRY(ew_dynamics_def_check(def));
    if (model->quadratic.is_on) {
        return ew_fail(EW_UNSUPPORTED,
                       "dynamics: quadratic tets have no mass yet; make all tets linear");
    }
    EW_TRY(open_fields(model));
    if (!of->is_active || of->def.mass != def->mass) {
        model_matrix_free(&of->mass);
    }
    of->def = *def;
    ew_scheme_rule_of(def->scheme, &def->parameters, &of->rule);
    of->step = 0.0;
    of->account = (ew_energy_account){0};
    of->has_account = false;
    of->has_changed = true;
    if (!of->is_active) {
        model_system_free(&of->system);
        model->loads_current = model->groups_current = false;
    }
    of->is_active = true;
    return EW_OK;
}

ew_status ew_model_start_dynamics(ew_model *model, const ew_dynamics_def *def, double time)
{
    model_dynamics *of = &model->dynamics;
    if (!isfinite(time)) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: the time of the start is %g", time);
    }
    EW_TRY(start(model, def));
    of->time = time;
    of->n_step = 0;
    of->keeps_acceleration = false;
    const ew_status status = model_update_state(model);
    if (status) {
        ew_model_stop_dynamics(model);
        return status;
    }
    ew_energy_account now;
    EW_TRY(ew_model_account(model, &now));
    of->account.initial = now.kinetic + now.strain + now.spring;
    of->account.balance = 0.0;
    return EW_OK;
}

void ew_model_stop_dynamics(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    model_matrix_free(&of->mass);
    model_system_free(&of->system);
    for (int k = 0; k < MODEL_N_VECTOR; k++) {
        ew_release(of->vector[k]);
        of->vector[k] = NULL;
        of->vector_capacity[k] = 0;
    }
    ew_release(of->partial);
    of->partial = NULL;
    of->partial_capacity = 0;
    ew_buffer_free(&of->device_input);
    ew_buffer_free(&of->device_output);
    of->is_active = false;
}

void model_free_dynamics(ew_model *model)
{
    ew_model_stop_dynamics(model);
}

/* ---- a saved state -------------------------------------------------------------------- */

ew_status ew_model_dynamics_state(ew_model *model, ew_dynamics_state *state)
{
    const model_dynamics *of = &model->dynamics;
    EW_TRY(model_update_state(model));
    *state = (ew_dynamics_state){.time = of->time,
                                 .n_step = of->n_step,
                                 .initial = of->account.initial,
                                 .damping_work = of->account.damping_work,
                                 .external_work = of->account.external_work,
                                 .edit_work = of->account.edit_work};
    return EW_OK;
}

ew_status ew_model_restore_dynamics(ew_model *model, const ew_dynamics_def *def,
                                    const ew_dynamics_state *state)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(start(model, def));
    of->time = state->time;
    of->n_step = state->n_step;
    of->keeps_acceleration = true;
    of->account.initial = state->initial;
    of->account.damping_work = state->damping_work;
    of->account.external_work = state->external_work;
    of->account.edit_work = state->edit_work;
    ew_solver_forget(&of->system.solver);
    return model_update_state(model);
}

/* ---- one step ---------------------------------------------------------------------------- */

static void predict(ew_model *model, double dt)
{
    const model_dynamics *of = &model->dynamics;
    const ew_scheme_rule *rule = &of->rule;
    const double *u = model->field[0].value, *v = model->field[of->velocity].value;
    const double *a = model->field[of->acceleration].value;
    double *next_u = of->vector[MODEL_NEXT_U], *next_v = of->vector[MODEL_NEXT_V];
    double *next_d = of->vector[MODEL_NEXT_D], *next_a = of->vector[MODEL_NEXT_A];
    const double by_u = dt * dt * rule->u[0], by_v = dt * rule->v[0], by_d = dt * rule->d[0];
    const int64_t n = 3 * (int64_t)model->mesh.n_vertex;
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

static void mass_between(const ew_model *model, double *out, size_t begin, size_t end)
{
    const model_dynamics *of = &model->dynamics;
    const double *a = model->field[of->acceleration].value;
    const double *v = model->field[of->velocity].value;
    const double *next_a = of->vector[MODEL_NEXT_A], *next_d = of->vector[MODEL_NEXT_D];
    const double f = of->rule.alpha_f, m = of->rule.alpha_m, c = of->def.damping_mass;
    for (size_t i = begin; i < end; i++) {
        out[i] = (1.0 - m) * next_a[i] + m * a[i] + c * ((1.0 - f) * next_d[i] + f * v[i]);
    }
}

/* The unknown acceleration; the last one is where the iteration starts. */
static ew_status solve(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    double *x = of->vector[MODEL_UNKNOWN], *b = of->vector[MODEL_RHS];
    of->info.solver = NULL;
    if (of->of_stiffness == 0.0) {
        return model_mass_solve(model, of->of_mass, b, x);
    }
    memcpy(x, model->field[of->acceleration].value, size_of_vector(model));
    model_filter(model, x);
    const ew_system view = model_system_view(model, &of->system, b);
    of->info.solver = &of->solver_info;
    EW_TRY(ew_solver_solve(&of->system.solver, &view, &of->def.solver, x, &of->solver_info));
    model_filter(model, x);
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
    const int64_t n = 3 * (int64_t)model->mesh.n_vertex;
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
    double limit;
    if (!(dt > 0.0 && isfinite(dt)) || time + dt == time) {
        return ew_fail(EW_BAD_INPUT, "dynamics: the step is %g at time %g, must be > 0", dt, time);
    }
    EW_TRY(ew_model_stable_step(model, &limit));
    if (limit == 0.0) {
        return ew_fail(EW_BAD_INPUT,
                       "dynamics: %s is stable at no step without damping; add damping or take "
                       "another scheme",
                       ew_scheme_of(model->dynamics.def.scheme)->name);
    }
    return dt <= limit
               ? EW_OK
               : ew_fail(EW_BAD_INPUT,
                         "dynamics: the step is %.6g, %s is stable up to %.6g on this mesh; take a "
                         "smaller step or an implicit scheme",
                         dt, ew_scheme_of(model->dynamics.def.scheme)->name, limit);
}

/* Up to the solution; nothing of the state is touched. */
static ew_status attempt(ew_model *model, double dt)
{
    model_dynamics *of = &model->dynamics;
    double *const *vector = of->vector;
    const double next = of->time + dt, start = ew_seconds();
    model_find_force(model, next, false);
    predict(model, dt);
    EW_TRY(model_put_motion(model, next, dt, false, vector[MODEL_NEXT_U], vector[MODEL_NEXT_V],
                            vector[MODEL_NEXT_D], vector[MODEL_NEXT_A]));
    const double loaded = ew_seconds();
    EW_TRY(find_rhs(model, load_between, stiffness_between, mass_between));
    const double formed = ew_seconds();
    const ew_status status = solve(model);
    of->info.seconds_loads = loaded - start;
    of->info.seconds_rhs = formed - loaded;
    of->info.seconds_solve = ew_seconds() - formed;
    return status;
}

static ew_status advance(ew_model *model, double dt)
{
    model_dynamics *of = &model->dynamics;
    const double start = ew_seconds();
    EW_TRY(model_update_state(model));
    EW_TRY(check_step(model, dt));
    EW_TRY(model_update_step_matrix(model, dt));
    of->info.seconds_update = ew_seconds() - start;
    const ew_status status = attempt(model, dt);
    if (status) {
        return ew_fail_prefix(status, "dynamics: step %lld to time %.9g", (long long)of->n_step + 1,
                              of->time + dt);
    }
    const double solved = ew_seconds();
    finish(model, dt);
    of->time += dt;
    of->n_step++;
    model->fields_revision = 0;
    if (of->def.account) {
        EW_TRY(model_account_step(model, of->vector[MODEL_INPUT]));
    } else {
        memcpy(of->vector[MODEL_FORCE], of->vector[MODEL_NEXT_FORCE], size_of_vector(model));
    }
    of->info.seconds_account = ew_seconds() - solved;
    return EW_OK;
}

ew_status ew_model_advance(ew_model *model, double dt, const ew_advance_info **info)
{
    model->dynamics.info = (ew_advance_info){0};
    const ew_status status = advance(model, dt);
    if (info) {
        *info = &model->dynamics.info;
    }
    return status;
}
