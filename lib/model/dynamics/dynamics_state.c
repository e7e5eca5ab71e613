/* The state of a body in motion, as edits leave it: what supports prescribe, loads at the time, the
 * acceleration of the equation of motion. */
#include "model/dynamics/dynamics_contact.h"

#include <string.h>

/* Into the fields, through vectors: a prescribed velocity goes on from the displacement there. */
static ew_status put_supports(ew_model *model)
{
    model_dynamics *of = &model->dynamics;
    const size_t size = model_vector_size(model);
    double *const field[] = {model->field[0].value, model->field[of->velocity].value};
    double *u = of->vector[MODEL_NEXT_U], *v = of->vector[MODEL_NEXT_V];
    double *d = of->vector[MODEL_NEXT_D], *a = of->vector[MODEL_NEXT_A];
    memcpy(u, field[0], size);
    memcpy(v, field[1], size);
    memcpy(d, field[1], size);
    memset(a, 0, size);
    EW_TRY(model_put_motion(model, of->time, 0.0, true, u, v, d, a));
    const bool moved = memcmp(field[0], u, size) != 0;
    memcpy(field[0], u, size);
    memcpy(field[1], v, size);
    return moved ? step_formulation_of(model)->follow_supports(model) : EW_OK;
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
    const model_terms terms = {.load = load_now, .stiffness = stiffness_now, .mass = mass_now};
    model->nonlinear.has_force = false;
    EW_TRY(model_find_rhs(model, &terms));
    EW_TRY(model_mass_solve(model, 1.0, of->vector[MODEL_RHS], of->vector[MODEL_UNKNOWN]));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
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
    dynamics_release_contacts(model);
    model_apply_thermal_strain(model, of->time, of->time, 0.0);
    EW_TRY(of->has_changed ? step_formulation_of(model)->follow_edit(model) : EW_OK);
    EW_TRY(step_formulation_of(model)->update_matrix(model));
    EW_TRY(model_update_dynamic_matrices(model));
    EW_TRY(model_update_loads(model));
    if (!of->has_changed) {
        return EW_OK;
    }
    EW_TRY(model_update_moving_edges(model));
    EW_TRY(model_reserve_vectors(model));
    model_find_force(model, of->time, true);
    memcpy(of->vector[MODEL_FORCE], of->vector[MODEL_NEXT_FORCE], model_vector_size(model));
    EW_TRY(put_supports(model));
    EW_TRY(of->keeps_acceleration ? EW_OK : find_acceleration(model));
    EW_TRY(of->def.account ? model_account_state(model, of->has_account) : EW_OK);
    of->has_account = true;
    of->has_followed = of->has_followed || !of->keeps_acceleration;
    of->square = -1.0;
    of->has_changed = of->keeps_acceleration = false;
    return EW_OK;
}
