/* Contact of a body that moves. A force of contact acts at the end of a step alone (Kane, Repetto,
 * Ortiz & Marsden 1999, Finite element analysis of nonsmooth contact): with p = M^-1 J^T l, of
 * forces l of closed points whose gaps are 0 then,
 *
 *     u_1 = u + dt^2 p / 2,   v_1 = v + dt p,
 *
 * u and v being what the scheme makes of all other forces; the acceleration of the state is of
 * these alone. So a step takes energy of the motion, or leaves it, and makes none.
 *
 * An implicit scheme with u_1 = ... + b dt^2 a_1, v_1 = ... + g dt a_1 solves for y = a_1 + w with
 * w = p / (2 b) in place of p: as it does without contact, where J y is such that the gaps are 0.
 * Of v_1 that lacks dt (2 b - g) w. An explicit one has u before it solves for a_1. With large
 * rotations rows are those of the faces where the step begins. */
#include "model/dynamics/dynamics_contact.h"
#include "model/dynamics/dynamics_couplings.h"

#include <math.h>
#include <string.h>

/* Tangential forces, of the largest pressure times the coefficient, over the tolerance of forces.
 */
#define FRICTION 10.0
/* The tolerance of solves while points may change. */
#define ROUGH 1e-3
/* Of an overlap at the start of a step the share that it may end with. */
#define STAYS 0.75

void dynamics_release_contacts(ew_model *model)
{
    if (model->contacts.n) {
        model_release_contacts(model, true);
    }
}

ew_status dynamics_turn_contacts(ew_model *model, double dt)
{
    const bool moves = model_place_rigid_at(model, model_step_end(model, dt));
    const bool turns = model_turn_equations(model);
    return moves || turns ? model_update_supports(model) : EW_OK;
}

static ew_status use_rows(ew_model *model, bool are_used)
{
    model_release_contacts(model, !are_used);
    return model_update_supports(model);
}

/* x is put to where closed points are: their rows times x are what is between the sides at u, over
 * `factor`. */
static ew_status put(ew_model *model, const double *u, double factor, double *x)
{
    model_equations *of = &model->equations;
    int32_t other = -1;
    EW_TRY(ew_grow(&of->aim, &of->aim_capacity, of->n_row, sizeof *of->aim));
    for (int32_t i = 0; i < of->n_row; i++) {
        of->aim[i] = i < of->first_contact ? 0.0 : of->value[i] / factor;
        for (int32_t k = of->begin[i]; k < of->begin[i + 1] && i >= of->first_contact; k++) {
            of->aim[i] -= of->factor[k] * u[of->entry[k]] / factor;
        }
    }
    EW_TRY(ew_equations_put(&of->free, &of->list, of->aim, x, &other));
    return other < 0 ? EW_OK : model_refuse_contradiction(model, other);
}

/* Forces of closed points, from what the equation of x leaves, in END the displacement after the
 * step. *n: points that are changed. */
static ew_status change(ew_model *model, double scale, const model_diagonal *diagonal,
                        double solved, bool one, int32_t *n)
{
    model_equations *of = &model->equations;
    model_contacts *contacts = &model->contacts;
    const double tolerance = fmax(MODEL_CONTACT_TOLERANCE, 10.0 * solved);
    EW_TRY(model_find_equation_force(model, contacts->step[CONTACT_REST]));
    for (int32_t i = of->first_contact; model_has_equations(of) && i < of->n_row; i++) {
        of->multiplier[i] *= scale;
    }
    EW_TRY(model_take_multipliers(model, contacts->step[CONTACT_END]));
    *n = model_change_contacts(model, contacts->step[CONTACT_END], tolerance, one);
    *n += model_change_friction(model, contacts->step[CONTACT_END], diagonal, FRICTION * tolerance,
                                FRICTION * tolerance, false);
    return EW_OK;
}

/* Rounds of a function, which leaves END and REST. */
typedef ew_status (*round_solve)(ew_model *model, const dynamics_step *step, bool is_first);

static bool does_newton(const ew_model *model)
{
    return model_is_nonlinear(model) && model->dynamics.def.newton_tolerance > 0.0;
}

/* Of the last change what lets go alone; false: nothing does, and all of it stays. What stays
 * closed although it pulls makes energy, and an overlap that is left does not. */
static bool only_let_go(ew_model *model)
{
    model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n_point; i++) {
        any = any || (of->before[i] && !of->point[i].is_closed);
    }
    for (int32_t i = 0; i < of->n_point && any; i++) {
        of->point[i].is_closed = of->point[i].is_closed && of->before[i];
    }
    return any;
}

/* While points change, to a rough tolerance: which of them press shows long before the motion
 * does. */
static ew_status find_end(ew_model *model, round_solve function, const dynamics_step *step,
                          const model_diagonal *diagonal, double scale)
{
    model_dynamics *of = &model->dynamics;
    double *tolerance = &of->def.solver.tolerance;
    const double given = *tolerance;
    const bool is_bounded = of->def.contact_rounds > 0;
    const int32_t limit = is_bounded ? of->def.contact_rounds : MODEL_MAX_ROUNDS;
    /* a rough one would choose the preconditioner of easy solves; and what follows a state that is
     * restored depends on that alone */
    const bool is_set_up = of->has_solved && of->system.solver.preconditioner.revision != 0;
    const bool is_rough = step && limit > 1 && is_set_up && model->contacts.n_point &&
                          !does_newton(model) && !model_has_friction(model);
    int32_t n = 0, iterations = 0;
    *tolerance = is_rough ? fmax(given, ROUGH) : given;
    for (int32_t round = 1;; round++) {
        const double solved = *tolerance;
        EW_TRY(use_rows(model, true));
        EW_TRY(function(model, step, round == 1));
        EW_TRY(change(model, scale, diagonal, solved, round > MODEL_ROUNDS_OF_ALL, &n));
        iterations += of->info.solver ? of->info.solver->iterations : 0;
        if (solved <= given &&
            (!n || (is_bounded && (round > limit || (round == limit && !only_let_go(model)))))) {
            break;
        }
        if (round >= MODEL_MAX_ROUNDS) {
            return ew_fail(
                EW_NOT_CONVERGED,
                "contact: after %d rounds %d points still pull, overlap or slide; take smaller "
                "time steps, or give faces that meet a finer mesh",
                MODEL_MAX_ROUNDS, n);
        }
        *tolerance =
            n && round + 1 < limit ? model_tolerance_after(round, solved) : fmin(given, solved);
    }
    of->info.n_contact_left += n;
    of->solver_info.iterations = of->info.solver ? iterations : of->solver_info.iterations;
    return EW_OK;
}

static ew_status settle(ew_model *model, round_solve function, const dynamics_step *step,
                        const model_diagonal *diagonal, double scale)
{
    const double given = model->dynamics.def.solver.tolerance;
    model_begin_rounds(&model->contacts); /* what closes and opens in time takes no turns */
    const ew_status status = find_end(model, function, step, diagonal, scale);
    model_end_rounds(&model->contacts);
    model->dynamics.def.solver.tolerance = given;
    return status;
}

static bool any_closed(const ew_model *model)
{
    return model_has_equations(&model->equations) &&
           model->equations.n_row > model->equations.first_contact;
}

/* After a failure. */
static ew_status give_up(ew_model *model, ew_status status)
{
    const ew_failure failure = *ew_last_failure();
    model->contacts.compliance = 1.0;
    model->contacts.has_push = false;
    EW_TRY(use_rows(model, false));
    return ew_fail(status, "%s", failure.text);
}

/* ---- implicit schemes ------------------------------------------------------------------------ */

static double by_of(const ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    return of->step * of->step * of->rule.u[1];
}

ew_status dynamics_lead_contacts(ew_model *model, double *x)
{
    if (dynamics_turns_couplings(model)) {
        return dynamics_lead_couplings(model, by_of(model), x);
    }
    return model->contacts.n && !model->contacts.is_released && any_closed(model)
               ? put(model, model->dynamics.vector[MODEL_NEXT_U], by_of(model), x)
               : EW_OK;
}

/* What the equation of a step leaves, before the filter: of the linear one; or, where Newton's
 * method has the unknown in the state, of the right-hand side. */
static ew_status find_rest(ew_model *model, const dynamics_step *step, double *rest, double *work)
{
    const model_dynamics *of = &model->dynamics;
    const double *x = of->vector[MODEL_UNKNOWN];
    if (does_newton(model)) {
        EW_TRY(model_find_unfiltered_rhs(model, step->terms, step->dt));
        for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
            rest[i] = -of->vector[MODEL_RHS][i];
        }
        return EW_OK;
    }
    EW_TRY(model_stiffness_product(model, x, rest));
    model_mass_product(model, x, work);
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        rest[i] = of->of_stiffness * rest[i] + of->of_mass * work[i] - of->vector[MODEL_RHS][i];
    }
    return EW_OK;
}

static ew_status solve_round(ew_model *model, const dynamics_step *step, bool is_first)
{
    model_dynamics *of = &model->dynamics;
    const step_formulation *formulation = step_formulation_of(model);
    double *end = model->contacts.step[CONTACT_END];
    const double *x = of->vector[MODEL_UNKNOWN], *next = of->vector[MODEL_NEXT_U];
    const double by = by_of(model);
    const bool goes_on = !is_first && does_newton(model);
    /* steps that are long beside what points do, as those of pictures: the acceleration before
     * leaves more than none */
    const step_start start = of->def.contact_rounds > 0 ? STEP_FROM_ZERO : STEP_FROM_LAST;
    EW_TRY(goes_on ? model_find_exact_rhs(model, step->terms, step->dt) : EW_OK);
    const ew_status first = step->solve(model, goes_on    ? STEP_FROM_ZERO
                                               : is_first ? start
                                                          : STEP_FROM_THERE);
    EW_TRY(formulation->converge(model, step->terms, step->dt, first, step->solve));
    EW_TRY(find_rest(model, step, model->contacts.step[CONTACT_REST], end));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        end[i] = next[i] + by * x[i];
    }
    if (!does_newton(model)) {
        dynamics_add_friction(model, -1.0 / dynamics_contact_scale(model), end,
                              model->contacts.step[CONTACT_REST]);
    }
    return EW_OK;
}

/* The force of points times a factor, into a vector. */
static void gather(ew_model *model, double factor, double *force)
{
    const model_equations *of = &model->equations;
    memset(force, 0, model_vector_size(model));
    for (int32_t i = of->first_contact; any_closed(model) && i < of->n_row; i++) {
        for (int32_t k = of->begin[i]; k < of->begin[i + 1]; k++) {
            force[of->entry[k]] += factor * of->multiplier[i] * of->factor[k];
        }
    }
    dynamics_add_friction(model, factor, model->contacts.step[CONTACT_END], force);
}

/* w, which solves without closed points, and the solution again, which that overwrites. */
static ew_status find_push(ew_model *model)
{
    model_contacts *of = &model->contacts;
    double *x = model->dynamics.vector[MODEL_UNKNOWN];
    const bool any = any_closed(model);
    gather(model, 0.5 / model->dynamics.rule.u[1], of->step[CONTACT_REST]);
    dynamics_end_friction(model);
    EW_TRY(use_rows(model, false));
    of->has_push = any;
    if (!any) {
        return EW_OK;
    }
    memcpy(of->step[CONTACT_KEPT], x, model_vector_size(model));
    EW_TRY(model_mass_solve(model, 1.0, of->step[CONTACT_REST], of->step[CONTACT_END]));
    memcpy(x, of->step[CONTACT_KEPT], model_vector_size(model));
    return EW_OK;
}

/* Where steps leave overlaps to the next one a part of each may stay: pushed out at once it would
 * give the parts a velocity that they had not. */
static void allow_overlap(ew_model *model, bool is_allowed)
{
    if (is_allowed) {
        model_start_contacts(model);
    }
    model_ramp_contacts(model, is_allowed ? STAYS : 0.0);
}

ew_status dynamics_solve(ew_model *model, const dynamics_step *step)
{
    const model_dynamics *of = &model->dynamics;
    if (!model->contacts.n || of->of_stiffness == 0.0) {
        const ew_status first = step->solve(model, STEP_FROM_LAST);
        return step_formulation_of(model)->converge(model, step->terms, step->dt, first,
                                                    step->solve);
    }
    const double scale = dynamics_contact_scale(model);
    EW_TRY(dynamics_begin_friction(model, step->dt, by_of(model) / scale));
    const ew_matrix *blocks = model_system_view(model, &model->dynamics.system, NULL).op->matrix;
    const model_diagonal diagonal = {blocks ? blocks->n_row : 0, false,
                                     blocks ? blocks->diagonal : NULL};
    allow_overlap(model, model->dynamics.def.contact_rounds > 0);
    ew_status status = settle(model, solve_round, step, &diagonal, scale);
    allow_overlap(model, false);
    status = status ? status : find_push(model);
    return status ? give_up(model, status) : EW_OK;
}

ew_status dynamics_finish_contacts(ew_model *model, double dt)
{
    model_contacts *of = &model->contacts;
    const model_dynamics *motion = &model->dynamics;
    const double by = dt * (2.0 * motion->rule.u[1] - motion->rule.v[1]);
    double *v = model->field[motion->velocity].value, *a = model->field[motion->acceleration].value;
    for (size_t i = 0; of->has_push && i < 3 * (size_t)model_n_row(model); i++) {
        v[i] += by * of->step[CONTACT_END][i];
        a[i] -= of->step[CONTACT_END][i];
    }
    of->has_push = false;
    EW_TRY(model_take_contacts(model, model->field[0].value, NULL));
    model_settle_rigid(model);
    return EW_OK;
}

/* ---- explicit schemes ------------------------------------------------------------------------ */

/* The shortest way out, by mass: c = dt^2 p / 2, in KEPT. */
static ew_status stop_round(ew_model *model, const dynamics_step *step, bool is_first)
{
    model_dynamics *of = &model->dynamics;
    double *end = model->contacts.step[CONTACT_END], *rest = model->contacts.step[CONTACT_REST],
           *out = model->contacts.step[CONTACT_KEPT];
    const double *next = of->vector[MODEL_NEXT_U];
    const size_t n = 3 * (size_t)model_n_row(model);
    (void)step, (void)is_first;
    memset(out, 0, n * sizeof *out);
    if (any_closed(model)) {
        EW_TRY(put(model, next, 1.0, out));
        model_mass_product(model, out, rest);
        for (size_t i = 0; i < n; i++) {
            rest[i] = -rest[i];
        }
        dynamics_add_friction(model, model->contacts.compliance, next, rest);
        EW_TRY(model_mass_solve(model, 1.0, rest, end));
        for (size_t i = 0; i < n; i++) {
            out[i] += end[i];
        }
    }
    model_mass_product(model, out, rest);
    for (size_t i = 0; i < n; i++) {
        end[i] = next[i] + out[i];
    }
    dynamics_add_friction(model, -model->contacts.compliance, end, rest);
    return EW_OK;
}

ew_status dynamics_stop_contacts(ew_model *model, double dt)
{
    const model_dynamics *of = &model->dynamics;
    double *u = of->vector[MODEL_NEXT_U], *v = of->vector[MODEL_NEXT_V];
    if (!model->contacts.n || of->of_stiffness != 0.0) {
        return EW_OK;
    }
    const model_diagonal diagonal = {model->mesh.n_vertex, true, of->mass.host.diagonal};
    EW_TRY(dynamics_begin_friction(model, dt, 0.5 * dt * dt));
    const ew_status status = settle(model, stop_round, NULL, &diagonal, 2.0 / (dt * dt));
    if (status) {
        return give_up(model, status);
    }
    dynamics_end_friction(model);
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        u[i] += model->contacts.step[CONTACT_KEPT][i];
        v[i] += 2.0 / dt * model->contacts.step[CONTACT_KEPT][i];
    }
    return use_rows(model, false);
}
