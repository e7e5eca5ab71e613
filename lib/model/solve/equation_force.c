/* Forces of a body with equations. In: a displacement, loads. Out: loads and the forces by which
 * equations act: together they leave nothing of K u where the body is free, and reactions at
 * constraints. A small motion on top of the displacement leaves friction as it is there. */
#include "model/formulation/formulation.h"

ew_status model_add_equation_force(ew_model *model, const double **force)
{
    model_equations *of = &model->equations;
    const int64_t n = 3 * (int64_t)model_n_row(model);
    const bool rubs = !model->contacts.is_linked;
    if (!model_has_equations(of)) {
        return model_take_multipliers(model, model->field[0].value);
    }
    EW_TRY(ew_grow(&of->total, &of->total_capacity, model_n_row(model), 3 * sizeof *of->total));
    EW_TRY(model_formulation_of(model)->elastic_force(model, model->field[0].value, of->total));
    for (int64_t i = 0; i < n; i++) {
        of->total[i] -= (*force)[i];
    }
    if (rubs) {
        model_find_slip(model, model->field[0].value);
        model_add_friction(model, -1.0, true, of->total);
    }
    EW_TRY(model_find_equation_force(model, of->total));
    EW_TRY(model_take_multipliers(model, model->field[0].value));
    if (rubs) {
        model_add_friction(model, 1.0, true, of->force);
    }
    for (int64_t i = 0; i < n; i++) {
        of->total[i] = (*force)[i] + of->force[i];
    }
    *force = of->total;
    return EW_OK;
}

ew_status model_add_friction_loads(ew_model *model, const double **force)
{
    model_equations *of = &model->equations;
    bool any = false;
    for (int32_t i = 0; i < model->contacts.n_point; i++) {
        any = any || model->contacts.friction[i].slips;
    }
    if (any) {
        EW_TRY(ew_grow_copy(&of->total, &of->total_capacity, *force, model_n_row(model),
                            3 * sizeof *of->total));
        model_add_friction(model, 1.0, false, of->total);
        *force = of->total;
    }
    return EW_OK;
}
