/* Goals of a model, their adjoints and their derivatives by parameters. In: a body that was solved.
 * Out: each goal's value, what its adjoint adds and how far off that is; the Lagrangian, and its
 * differences as a parameter changes. */
#include "model/solve/goals.h"
#include "model/formulation/formulation.h"
#include "model/solve/answer_products.h"

#include <math.h>
#include <string.h>

/* ---- the list ------------------------------------------------------------------ */

ew_goal ew_default_goal(void)
{
    return (ew_goal){.set = -1, .vertex = -1, .tet = -1, .components = 7};
}

static ew_status make_goals(ew_model *model, int32_t n)
{
    model_goals *of = &model->goals;
    EW_TRY(ew_grow(&of->goal, &of->capacity, n, sizeof *of->goal));
    while (of->n_made < n) {
        model_goal made = {0};
        EW_TRY(model_add_row_field(model, "adjoint", &made.field));
        of->goal[of->n_made++] = made;
    }
    return EW_OK;
}

ew_status ew_model_set_goals(ew_model *model, int32_t n, const ew_goal *list)
{
    model_goals *of = &model->goals;
    for (int32_t i = 0; i < n; i++) {
        EW_TRY(model_check_goal(model, i, &list[i]));
    }
    EW_TRY(make_goals(model, n));
    for (int32_t i = 0; i < n; i++) {
        of->goal[i].goal = list[i];
        of->goal[i].n_slope = 0;
    }
    of->n = n;
    return EW_OK;
}

int32_t ew_model_n_goal(const ew_model *model)
{
    return model->goals.n;
}

/* ---- the Lagrangian ---------------------------------------------------------------- */

static ew_status need_goal(const ew_model *model, int32_t i)
{
    const model_goals *of = &model->goals;
    if (i < 0 || i >= of->n) {
        return ew_fail_about(EW_BAD_ARGUMENT, i, -1, "model: there is no goal %d; there are %d", i,
                             of->n);
    }
    const ew_goal_kind kind = of->goal[i].goal.kind;
    const bool is_energy = kind == EW_GOAL_COMPLIANCE || kind == EW_GOAL_ENERGY;
    const char *what = model_is_nonlinear(model)                   ? "of a nonlinear body"
                       : model->mixed.is_on                        ? "of mixed tets"
                       : is_energy && model_has_temperature(model) ? "with temperatures"
                                                                   : NULL;
    EW_TRY(model_check_goal(model, i, &of->goal[i].goal)); /* edits may have removed its place */
    return what ? ew_fail_about(EW_BAD_ARGUMENT, i, -1,
                                "goal %d: %s %s has no adjoint here; solve twice and compare", i,
                                is_energy                  ? "an energy"
                                : kind == EW_GOAL_REACTION ? "a reaction"
                                                           : "a goal",
                                what)
                : EW_OK;
}

static ew_status need_adjoint(const ew_model *model, int32_t i)
{
    EW_TRY(need_goal(model, i));
    if (model->goals.goal[i].goal.kind == EW_GOAL_REACTION &&
        model_has_equations(&model->equations)) {
        return ew_fail_about(EW_BAD_ARGUMENT, i, -1,
                             "goal %d: a reaction with equations has no adjoint here; solve twice "
                             "and compare",
                             i);
    }
    bool slides =
        false; /* the limit of friction follows the pressure, which no adjoint here knows */
    for (int32_t k = 0; k < model->contacts.n; k++) {
        slides = slides || model->contacts.given[k].friction > 0.0;
    }
    return slides ? ew_fail_about(EW_BAD_ARGUMENT, i, -1,
                                  "goal %d: a goal of a body with friction has no adjoint here; "
                                  "solve twice and compare",
                                  i)
                  : EW_OK;
}

static ew_status reserve_work(ew_model *model)
{
    model_goals *of = &model->goals;
    const int64_t n = 3 * (int64_t)model_n_row(model);
    EW_TRY(ew_grow(&of->gradient, &of->gradient_capacity, n, sizeof *of->gradient));
    return ew_grow(&of->product, &of->product_capacity, n, sizeof *of->product);
}

static double dot(const ew_model *model, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/* z . (f - K u), `product` being K u. */
static double residual_work(const ew_model *model, const double *z)
{
    const double *f = model->force.value, *product = model->goals.product;
    double sum = 0.0;
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        sum += z[i] * (f[i] - product[i]);
    }
    return sum;
}

/* Matrix, loads and supports as they must be, the prescribed values in the displacement, K u. */
static ew_status prepare(ew_model *model)
{
    double *u = model->field[0].value;
    EW_TRY(ew_model_prepare(model));
    EW_TRY(reserve_work(model));
    model_put_prescribed_values(model, u);
    EW_TRY(model_put_equations(model, false, u));
    model_forget_row_changes(model);
    return model_elastic_product(model, u, model->goals.product);
}

static ew_status find_lagrangian(ew_model *model, int32_t i, int32_t n_slope, const double *slope,
                                 const double *adjoint, double *value)
{
    const model_goals *of = &model->goals;
    double found;
    EW_TRY(model_goal_linear_value(model, &of->goal[i].goal, of->product, n_slope, slope, &found));
    *value = found + residual_work(model, adjoint);
    return EW_OK;
}

ew_status ew_model_goal_lagrangian(ew_model *model, int32_t i, const ew_goal_answer *of,
                                   double *value)
{
    EW_TRY(model_need_usable(model));
    EW_TRY(need_adjoint(model, i));
    EW_TRY(prepare(model));
    return find_lagrangian(model, i, of->n_slope, of->slope, of->adjoint, value);
}

/* ---- the adjoint ------------------------------------------------------------------- */

/* The history of the last solve for the displacement stays that of its outcome. */
static void exchange_history(model_goals *of, ew_solver *solver)
{
    double *const history = solver->history;
    const int32_t capacity = solver->history_capacity;
    solver->history = of->history;
    solver->history_capacity = of->history_capacity;
    of->history = history;
    of->history_capacity = capacity;
}

static ew_status solve_adjoint(ew_model *model, int32_t i, const ew_pcg_def *def, double *z)
{
    model_goals *of = &model->goals;
    ew_system system;
    ew_solver *solver;
    EW_TRY(model_choose_system(model, def, &system, &solver));
    if (system.equations) {
        memset(z, 0, model_vector_size(model));
    }
    model_filter(model, z);
    /* before the solve, whose filter rounds in relation to all of it: of an energy little is left
     */
    model_filter(model, of->gradient);
    system.b = of->gradient;
    exchange_history(of, solver);
    ew_solver_use_answer(solver, 1 + i);
    const ew_status status = ew_solver_solve(solver, &system, def, z, &of->info);
    ew_solver_use_answer(solver, 0);
    exchange_history(of, solver);
    return status;
}

static ew_status need_answer(const ew_model *model)
{
    return model->solved_revision == model->mesh.revision
               ? EW_OK
               : ew_fail(EW_STALE, "model: a goal is of an answer, and the mesh has changed since "
                                   "the last one; call ew_model_solve first");
}

ew_status ew_model_evaluate_goal(ew_model *model, int32_t i, const ew_pcg_def *def,
                                 ew_goal_answer *answer)
{
    model_goals *of = &model->goals;
    const double known = model->info.energy_error;
    double value;
    EW_TRY(model_need_usable(model));
    EW_TRY(need_adjoint(model, i));
    EW_TRY(need_answer(model));
    EW_TRY(prepare(model));
    model_goal *goal = &of->goal[i];
    double *z = model->field[goal->field].value;
    EW_TRY(model_goal_value(model, goal, of->product, &value, of->gradient));
    EW_TRY(solve_adjoint(model, i, def, z));
    const double size = sqrt(fabs(dot(model, of->product, model->field[0].value)));
    const double of_adjoint = sqrt(fabs(dot(model, of->gradient, z)));
    *answer = (ew_goal_answer){.value = value,
                               .corrected = value + residual_work(model, z),
                               .bound = known * size * of->info.energy_error * of_adjoint,
                               .adjoint = z,
                               .n_slope = goal->n_slope,
                               .slope = goal->slope,
                               .info = &of->info};
    return EW_OK;
}

/* K u without the forces by which equations act, which are no reactions. */
static ew_status take_equations_off(ew_model *model)
{
    double *product = model->goals.product;
    const double *force = model->force.value, *const loads = force;
    EW_TRY(model_add_equation_force(model, &force));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        product[i] -= force[i] - loads[i];
    }
    return EW_OK;
}

/* K u as far as the goal reads it. */
static ew_status find_product(ew_model *model, const ew_goal *goal)
{
    double *product = model->goals.product;
    const double *u = model->field[0].value;
    if (goal->kind == EW_GOAL_ENERGY) {
        return model_product(model, u, product);
    }
    if (goal->kind != EW_GOAL_REACTION) {
        return EW_OK;
    }
    if (model_has_equations(&model->equations)) {
        EW_TRY(model_product(model, u, product));
        return take_equations_off(model);
    }
    ew_list vertex = {0};
    ew_status status = ew_model_list_vertices(model, goal->set, &vertex);
    status = status ? status : model_product_at(model, u, &vertex, product);
    ew_list_free(&vertex);
    return status;
}

ew_status ew_model_goal_value(ew_model *model, int32_t i, double *value)
{
    model_goals *of = &model->goals;
    EW_TRY(model_need_usable(model));
    EW_TRY(need_goal(model, i));
    EW_TRY(need_answer(model));
    EW_TRY(reserve_work(model));
    EW_TRY(find_product(model, &of->goal[i].goal));
    return model_goal_value(model, &of->goal[i], of->product, value, NULL);
}

/* ---- derivatives --------------------------------------------------------------------- */

/* Tells one set of tets from another. */
static uint64_t tets_of(const ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    return ew_hash(ew_hash(EW_HASH_START, &mesh->n_vertex, sizeof mesh->n_vertex), mesh->tet,
                   4 * (size_t)mesh->n_tet * sizeof *mesh->tet);
}

static ew_status add_lagrangians(ew_model *model, const ew_goal_parameter *parameter, double change,
                                 uint64_t tets, double factor, double *sum)
{
    const model_goals *of = &model->goals;
    EW_TRY(parameter->put(parameter->user, model, parameter->value + change));
    if (tets_of(model) != tets) {
        return ew_fail(EW_BAD_EDIT, "goals: the parameter changes tets; derivatives are by what "
                                    "moves vertices alone");
    }
    EW_TRY(of->n ? prepare(model) : EW_OK);
    for (int32_t i = 0; i < of->n; i++) {
        const model_goal *goal = &of->goal[i];
        double value;
        EW_TRY(need_adjoint(model, i));
        EW_TRY(find_lagrangian(model, i, goal->n_slope, goal->slope,
                               model->field[goal->field].value, &value));
        sum[i] += factor * value;
    }
    return EW_OK;
}

ew_status ew_model_differentiate_goals(ew_model *model, const ew_goal_parameter *parameter,
                                       double *derivative)
{
    const double step = parameter->step, above = (parameter->value + step) - parameter->value;
    const double below = parameter->value - (parameter->value - step);
    const uint64_t tets = tets_of(model);
    double *sum;
    EW_TRY(model_need_usable(model));
    if (model->contacts.n) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "goals: a body in contact has no derivatives, since which points are closed "
                       "depends on the answer; solve twice and compare");
    }
    if (!(step > 0.0) || !isfinite(step) || above <= 0.0 || below <= 0.0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "goals: the step of a parameter is %g, must be above 0 and "
                       "change its value of %g",
                       step, parameter->value);
    }
    EW_TRY(ew_new_zero(&sum, (size_t)model->goals.n, sizeof *sum));
    ew_status status = add_lagrangians(model, parameter, above, tets, 1.0 / (above + below), sum);
    if (!status) {
        status = add_lagrangians(model, parameter, -below, tets, -1.0 / (above + below), sum);
    }
    const ew_failure first = *ew_last_failure();
    const ew_status back = parameter->put(parameter->user, model, parameter->value);
    if (!status && !back) {
        memcpy(derivative, sum, (size_t)model->goals.n * sizeof *sum);
    }
    ew_release(sum);
    return status ? ew_fail(status, "%s", first.text) : back;
}
