/* The stiffness of a nonlinear body for eigenvalues and for small motions on top of its
 * displacement: the tangent there, found afresh on the host. */
#include "model/modes/pencil.h"

/* Load stiffness of the pressures that are in balance with the displacement. It is in proportion to
 * them, as what stress adds to the tangent. */
static ew_status press(pencil *in)
{
    ew_model *model = in->model;
    if (!model_has_follower(model)) {
        return EW_OK;
    }
    model_press_partly(model, 0.0);
    EW_TRY(model_find_turns(model, &model->topology, model->field[0].value, &in->follower));
    in->tangent.follower = &in->follower;
    return EW_OK;
}

/* With quadratic tets: all rows. */
static ew_status build_assembled(pencil *in, bool with_ground, ew_matrix *blocks)
{
    ew_model *model = in->model;
    const model_quadratic *q = &model->quadratic;
    EW_TRY(model_update_assembled_pattern(model));
    ew_assembled from = ew_assembled_of(EW_ASSEMBLED_STIFFNESS, &q->assembled, &model->mesh,
                                        &model->topology, &model->materials, &q->rows);
    from.ground = with_ground ? &q->face_ground : NULL;
    from.follower = in->tangent.follower;
    from.internal_force = &in->internal_force;
    EW_TRY(ew_matrix_build(&in->of_vertices, &in->tangent.source));
    from.linear = &in->of_vertices;
    return ew_matrix_build(blocks, &from.source);
}

ew_status pencil_find_tangent(pencil *in, bool with_stress, bool with_ground, ew_matrix *blocks)
{
    ew_model *model = in->model;
    const model_nonlinear *of = &model->nonlinear;
    ew_list changed = {0};
    bool forgot;
    model_apply_thermal_strain_partly(
        model, 1.0); /* as warm as the displacement is, whatever the loads are now */
    EW_TRY(model_prepare_internal_force(model));
    EW_TRY(model_update_supports_of_matrix(model));
    EW_TRY(model_find_mixed_pressure(model, model->field[0].value));
    in->internal_force.kinematics = of->kinematics;
    in->internal_force.form = EW_TANGENT_EXACT;
    ew_deformed body = model_deformed(model, model->field[0].value, 0.0);
    body.is_elastic = true;
    body.is_unstressed = !with_stress;
    EW_TRY(ew_internal_force_prepare(&in->internal_force, &model->materials, of->n_point,
                                     of->n_state, body.thermal != NULL, &forgot));
    const ew_status status = ew_internal_force_record(&in->internal_force, &body, 0.0, &changed);
    ew_list_free(&changed);
    EW_TRY(status);
    in->tangent = model_tangent(model, &model->topology, model_ground(model)).tangent;
    in->tangent.internal_force = &in->internal_force;
    in->tangent.ground = with_ground ? in->tangent.ground : NULL;
    in->tangent.follower = NULL;
    EW_TRY(with_stress ? press(in) : EW_OK);
    return in->rows ? build_assembled(in, with_ground, blocks)
                    : ew_matrix_build(blocks, &in->tangent.source);
}
