/* A nonlinear body: its kinematics, the state of its laws, which follows edits as a field, and the
 * force by which its tets answer to a displacement. */
#include "model/internal.h"

#include <string.h>

/* ---- kinematics ---------------------------------------------------------------------- */

bool ew_model_is_nonlinear(const ew_model *model)
{
    return model_is_nonlinear(model);
}

ew_status ew_model_set_kinematics(ew_model *model, ew_kinematics kinematics)
{
    model_nonlinear *of = &model->nonlinear;
    if (kinematics != EW_SMALL && kinematics != EW_COROTATIONAL) {
        return ew_fail(EW_BAD_ARGUMENT, "model: there are no kinematics of kind %d",
                       (int)kinematics);
    }
    if (of->kinematics != kinematics) {
        of->kinematics = of->internal_force.kinematics = kinematics;
        model_touch_records(model);
        model_matrices_forget(model);
        model_forget_recovery(model);
        model_forget_equations(model);
        model->loads_current = false; /* temperatures are forces, or are not */
    }
    return EW_OK;
}

ew_kinematics ew_model_kinematics(const ew_model *model)
{
    return model->nonlinear.kinematics;
}

ew_status model_check_nonlinear(const ew_model *model)
{
    const char *what = model->nonlinear.kinematics == EW_COROTATIONAL ? "corotational kinematics"
                                                                      : "laws that are not linear";
    return model_need_blocks(model, what);
}

/* ---- state of the laws ----------------------------------------------------------------- */

const double *ew_model_law_state(const ew_model *model, int32_t *n_state)
{
    const model_nonlinear *of = &model->nonlinear;
    *n_state = of->n_point * of->n_state;
    return of->n_state ? model->field[of->state].value : NULL;
}

ew_status model_need_unflowed(const ew_model *model, const char *operation)
{
    int32_t width;
    const double *state = ew_model_law_state(model, &width);
    const size_t n = (size_t)width * (size_t)model->mesh.n_tet;
    for (size_t i = 0; i < n && state; i++) {
        if (state[i] != 0.0) {
            return ew_refuse(EW_RULE_STATE, "model: %s of a body whose tet %lld has plastic strain",
                             operation, (long long)model->mesh.tet_id[i / (size_t)width]);
        }
    }
    return EW_OK;
}

ew_status model_need_unflowed_tet(const ew_model *model, int32_t tet)
{
    int32_t width;
    const double *state = ew_model_law_state(model, &width);
    for (int32_t i = 0; i < width && state; i++) {
        if (state[(size_t)width * (size_t)tet + (size_t)i] != 0.0) {
            return ew_refuse(EW_RULE_STATE, "the edit turns tet %lld, which has plastic strain: it",
                             (long long)model->mesh.tet_id[tet]);
        }
    }
    return EW_OK;
}

ew_status model_fetch_after(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    return of->n_state && model_answers_there(model)
               ? ew_device_internal_force_after(&of->there, of->after)
               : EW_OK;
}

void model_take_state(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    if (of->n_state) {
        memcpy(model->field[of->state].value, of->after,
               (size_t)model->field[of->state].width * (size_t)model->mesh.n_tet *
                   sizeof *of->after);
        of->state_revision++;
    }
}

/* ---- what tets answer -------------------------------------------------------------------- */

ew_status model_prepare_internal_force(ew_model *model)
{
    const bool warm = model_has_temperature(model);
    model_nonlinear *of = &model->nonlinear;
    bool forgot;
    EW_TRY(model_check_nonlinear(model));
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_open_state(model, ew_materials_n_state(&model->materials)));
    of->internal_force.kinematics = of->kinematics;
    EW_TRY(ew_internal_force_prepare(&of->internal_force, &model->materials, of->n_point,
                                     of->n_state, warm, &forgot));
    if (forgot) {
        model_matrices_forget(model);
        model_forget_edge_blocks(model);
        model_touch_records(model);
    }
    return model_update_thermal(model);
}

void model_forget_records(ew_model *model)
{
    model_touch_records(model);
    model->nonlinear.internal_force.n_tet = 0; /* all of them are zero again */
    model_matrix_forget_constants(&model->stiffness.matrix);
    ew_solver_reset(&model->stiffness.solver);
}

/* Whether forces of tets may be those found before: a recovery finds those of the displacement that
 * the next step in time begins with. */
static bool depends_on_displacement_alone(const ew_model *model)
{
    return !model->nonlinear.n_state && !model->mixed.is_on && !model_has_temperature(model);
}

static ew_status find_tets(ew_model *model, const ew_deformed *body)
{
    model_nonlinear *of = &model->nonlinear;
    EW_TRY(model_reserve_nonlinear(model));
    const size_t size = model_vector_size(model);
    if (of->found_revision == model->mesh.revision && depends_on_displacement_alone(model) &&
        !memcmp(of->vector[NONLINEAR_FOUND], body->u, size)) {
        return EW_OK;
    }
    of->found_revision = 0;
    EW_TRY(ew_internal_force_find(&of->internal_force, body, of->n_state ? of->after : NULL));
    memcpy(of->vector[NONLINEAR_FOUND], body->u, size);
    of->found_revision = model->mesh.revision;
    return EW_OK;
}

ew_status model_internal_force(ew_model *model, const double *u, double dt, double *f)
{
    model_nonlinear *of = &model->nonlinear;
    const ew_deformed body = model_deformed(model, u, dt);
    EW_TRY(model_find_mixed_pressure(model, u));
    if (model_answers_there(model)) {
        EW_TRY(model_need_copies(model));
        return ew_device_internal_force_find(&of->there, &model->device_mesh,
                                             model_edges_there(model), &of->internal_force, &body,
                                             of->n_state > 0, f);
    }
    EW_TRY(find_tets(model, &body));
    ew_internal_force_gather(&of->internal_force, &body, f);
    return EW_OK;
}

ew_status model_body_force(ew_model *model, const double *u, double dt, double *f)
{
    EW_TRY(model_internal_force(model, u, dt, f));
    EW_TRY(model_pull_faces(model, u));
    const int32_t n = model_n_spring_row(model);
    for (int32_t row = 0; row < n; row++) {
        double force[3];
        model_spring_force(model, row, u + 3 * (size_t)row, force);
        for (size_t c = 0; c < 3; c++) {
            f[3 * (size_t)row + c] -= force[c];
        }
    }
    return EW_OK;
}

ew_status model_reserve_nonlinear(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    for (int k = 0; k < NONLINEAR_N_VECTOR; k++) {
        EW_TRY(ew_grow(&of->vector[k], &of->vector_capacity[k], model_n_row(model),
                       3 * sizeof(double)));
    }
    return EW_OK;
}

/* ---- memory ------------------------------------------------------------------------------- */

void model_free_nonlinear(ew_model *model)
{
    model_nonlinear *of = &model->nonlinear;
    ew_internal_force_free(&of->internal_force);
    ew_device_internal_force_free(&of->there);
    ew_release(of->after);
    ew_release(of->diagonal);
    ew_release(of->thermal);
    ew_release(of->thermal_before);
    ew_follower_free(&of->follower);
    ew_follower_free(&of->pressed);
    ew_release(of->pressed_line);
    ew_release(of->pressed_factor);
    ew_list_free(&of->pressed_pair);
    ew_list_free(&of->changed);
    ew_pattern_change_free(&of->touched);
    ew_pattern_change_free(&of->touched_edges);
    for (int k = 0; k < NONLINEAR_N_VECTOR; k++) {
        ew_release(of->vector[k]);
    }
    ew_release(of->history);
    *of = (model_nonlinear){0};
}
