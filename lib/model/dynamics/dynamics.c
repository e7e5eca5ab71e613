/* Life of dynamics in a model: settings, fields, start and stop, a saved state. The state itself is
 * brought up to date in dynamics_state.c, a step is taken in dynamics_step.c. */
#include "model/dynamics/step_formulation.h"

#include <math.h>
#include <string.h>

/* ---- settings ------------------------------------------------------------------------ */

ew_dynamics_def ew_default_dynamics_def(void)
{
    return (ew_dynamics_def){.scheme = EW_NEWMARK,
                             .parameters = ew_default_scheme_parameters(),
                             .mass = EW_MASS_LUMPED,
                             .newton_iterations = 10,
                             .newton_halvings = 6,
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
    if (!(def->newton_tolerance >= 0.0 && def->newton_tolerance < 1.0) ||
        def->newton_iterations < 1) {
        return ew_fail(
            EW_BAD_ARGUMENT,
            "dynamics: Newton's tolerance is %g, must be >= 0 and < 1, and %d iterations "
            "at least 1",
            def->newton_tolerance, def->newton_iterations);
    }
    if (def->newton_halvings < 0 || def->newton_halvings > 30) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: newton_halvings is %d, must be from 0 to 30",
                       def->newton_halvings);
    }
    if (!(def->bound >= 0.0 && def->bound < 1.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: bound is %g, must be >= 0 and < 1", def->bound);
    }
    if (def->contact_rounds < 0) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: contact_rounds is %d, must be at least 0",
                       def->contact_rounds);
    }
    return ew_pcg_def_check(&def->solver);
}

/* ---- fields --------------------------------------------------------------------------- */

static ew_status open_field(ew_model *model, const char *name, int32_t *field)
{
    return *field ? EW_OK : model_add_row_field(model, name, field);
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

double *ew_model_edge_state(ew_model *model, int32_t k)
{
    if (k < 0 || k > 2 || (k && open_fields(model))) {
        return NULL;
    }
    model->is_writable = model->is_writable || k == 0;
    return model_edge_values_of(model, k);
}

double ew_model_time(const ew_model *model)
{
    return model->dynamics.time;
}

bool ew_model_is_dynamic(const ew_model *model)
{
    return model->dynamics.is_active;
}

/* ---- start and stop ------------------------------------------------------------------- */

/* The step matrix serves on where it would be the same. */
static void keep_step(model_dynamics *of, const ew_dynamics_def *def)
{
    const ew_scheme_rule before = of->rule;
    ew_scheme_rule_of(def->scheme, &def->parameters, &of->rule);
    if (!of->is_active || memcmp(&before, &of->rule, sizeof before) || of->def.mass != def->mass ||
        of->def.damping_mass != def->damping_mass ||
        of->def.damping_stiffness != def->damping_stiffness) {
        of->step = 0.0;
    }
}

static ew_status start(ew_model *model, const ew_dynamics_def *def)
{
    model_dynamics *of = &model->dynamics;
    ew_scheme_rule rule;
    EW_TRY(model_need_usable(model));
    EW_TRY(ew_dynamics_def_check(def));
    ew_scheme_rule_of(def->scheme, &def->parameters, &rule);
    EW_TRY(model_check_mixed_dynamics(model, &rule));
    EW_TRY(open_fields(model));
    EW_TRY(step_formulation_of(model)->start(model, def));
    if (!of->is_active || of->def.mass != def->mass) {
        model_matrix_free(&of->mass);
        model_forget_frequencies(model);
        model->loads_current = model->groups_current = false; /* forces on edges differ, too */
    }
    keep_step(of, def);
    of->def = *def;
    model->peers = def->solver.peers;
    if (def->solver.expected_solves == 0) { /* one a step */
        of->def.solver.expected_solves = EW_MANY_SOLVES;
    }
    of->account = (ew_energy_account){0};
    of->has_account = false;
    of->has_changed = true;
    of->is_aside = false;
    of->rate = of->excess = 0.0;
    if (!of->is_active) {
        of->largest = -1.0;
        model_system_free(&of->system);
        of->has_followed = false;
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
    of->account.initial = now.kinetic + now.strain + now.spring + now.dissipated;
    of->account.balance = 0.0;
    return EW_OK;
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
                                 .friction_work = of->account.friction_work,
                                 .external_work = of->account.external_work,
                                 .edit_work = of->account.edit_work};
    return EW_OK;
}

static ew_status restore(ew_model *model, const ew_dynamics_def *def,
                         const ew_dynamics_state *state)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(start(model, def));
    of->time = state->time;
    of->n_step = state->n_step;
    of->keeps_acceleration = true;
    of->account.initial = state->initial;
    of->account.damping_work = state->damping_work;
    of->account.friction_work = state->friction_work;
    of->account.external_work = state->external_work;
    of->account.edit_work = state->edit_work;
    step_formulation_of(model)->restore(model);
    if (!ew_solver_reset_history(&of->system.solver) || of->has_followed) {
        ew_solver_reset(&of->system.solver);
    }
    of->has_followed = of->has_solved = false;
    if (model->contacts.n) { /* they were closed where nothing is between the sides */
        (void)model_place_rigid_at(model, of->time);
        model_settle_rigid(model);
        EW_TRY(model_update_supports(model));
        EW_TRY(model_recall_contacts(model, MODEL_ZERO_GAP));
    }
    return model_update_state(model);
}

ew_status ew_model_restore_dynamics(ew_model *model, const ew_dynamics_def *def,
                                    const ew_dynamics_state *state)
{
    const ew_status status = restore(model, def, state);
    model->contacts.n_put = 0; /* of this state, whatever came of it */
    return status;
}
