/* Results of a moving body after edits: the force that statics would call
 * its load, and the account. */
#include "model/internal.h"

ew_status model_effective_force(ew_model *model, const double **force)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(model_update_state(model));
    double *momentum = of->vector[MODEL_INPUT], *damping = of->vector[MODEL_NEXT_D];
    double *out = of->vector[MODEL_RHS];
    const double *load = of->vector[MODEL_FORCE], *inertia = momentum;
    model_mass_product(model, model->field[of->velocity].value, momentum);
    EW_TRY(model_find_damping(model, momentum, damping));
    model_mass_product(model, model->field[of->acceleration].value, momentum);
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        out[i] = load[i] - damping[i] - inertia[i];
    }
    const double *pressure;
    EW_TRY(model_find_pressure(model, model->field[0].value, &pressure));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model) && pressure; i++) {
        out[i] += pressure[i];
        model->nonlinear.vector[NONLINEAR_LOADS][i] = load[i] + pressure[i];
    }
    EW_TRY(model_update_mixed_thermal(model));
    model_subtract_mixed_thermal(model, out);
    *force = out;
    return EW_OK;
}

ew_status ew_model_account(ew_model *model, ew_energy_account *account)
{
    model_dynamics *of = &model->dynamics;
    EW_TRY(model_update_state(model));
    if (!of->def.account) {
        EW_TRY(model_measure_motion(model, of->vector[MODEL_INPUT], &of->account));
    }
    *account = of->account;
    return EW_OK;
}
