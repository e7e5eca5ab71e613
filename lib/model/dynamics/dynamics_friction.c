/* Friction of contacts in a step in time. In: closed points, their forces, the state before the
 * step and a displacement after it. Out: friction in the equation of the step, and what it took.
 *
 * It acts with the forces of contact (dynamics_contact.c). What it acts against is the velocity
 * after the step (Moreau 1988, Unilateral contact and dry friction in finite freedom dynamics):
 * tangential rows times u_1 less (u_0 + dt v_0 / 2), which is their dt v_1 / 2 where a step moves
 * by the mean velocity. What sticks rests at its end, and does not swing about the rest as it would
 * if u_1 = u_0. */
#include "model/dynamics/dynamics_contact.h"

#include <string.h>

static ew_status reserve(ew_model *model)
{
    model_contacts *of = &model->contacts;
    for (int k = 0; k < 4; k++) {
        EW_TRY(
            ew_grow(&of->step[k], &of->step_capacity[k], model_n_row(model), 3 * sizeof(double)));
    }
    return EW_OK;
}

ew_status dynamics_begin_friction(ew_model *model, double dt, double compliance)
{
    model_contacts *of = &model->contacts;
    const double *u = model->field[0].value, *v = model->field[model->dynamics.velocity].value;
    EW_TRY(reserve(model));
    for (size_t i = 0; i < 3 * (size_t)model_n_row(model); i++) {
        of->step[CONTACT_START][i] = u[i] + 0.5 * dt * v[i];
    }
    of->compliance = compliance;
    if (model_has_friction(model)) {
        model_start_friction(model, of->step[CONTACT_START], 0.5); /* at the mean velocity */
        of->start = NULL;                                          /* rows stay */
    }
    return EW_OK;
}

void dynamics_add_friction(ew_model *model, double factor, const double *u, double *force)
{
    if (model_has_friction(model)) {
        model_find_slip(model, u);
        model_add_friction(model, factor, true, force);
    }
}

double dynamics_contact_scale(const ew_model *model)
{
    const ew_scheme_rule *rule = &model->dynamics.rule;
    return 2.0 * rule->u[1] / (1.0 - rule->alpha_m);
}

static bool slides(const ew_model *model)
{
    const model_contacts *of = &model->contacts;
    bool any = false;
    for (int32_t i = 0; i < of->n_point && !of->is_released; i++) {
        any = any || (of->point[i].is_closed && of->friction[i].slips);
    }
    return any;
}

void dynamics_complete_rhs(ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    model->contacts.rhs_has_friction = slides(model);
    if (model->contacts.rhs_has_friction) {
        dynamics_add_friction(model, 1.0 / dynamics_contact_scale(model), of->vector[MODEL_NEXT_U],
                              of->vector[MODEL_RHS]);
    }
}

const double *dynamics_complete_copy(ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    double *sum = model->contacts.step[CONTACT_KEPT];
    if (model->contacts.rhs_has_friction || !slides(model)) {
        return of->vector[MODEL_RHS];
    }
    memcpy(sum, of->vector[MODEL_RHS], model_vector_size(model));
    dynamics_add_friction(model, 1.0 / dynamics_contact_scale(model), of->vector[MODEL_NEXT_U],
                          sum);
    return sum;
}

void dynamics_end_friction(ew_model *model)
{
    model_contacts *of = &model->contacts;
    of->compliance = 1.0;
    of->friction_work =
        model_has_friction(model)
            ? model_close_friction(model, model->field[0].value, of->step[CONTACT_END])
            : 0.0;
}
