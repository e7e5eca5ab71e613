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
static ew_status build_whole(pencil *in, bool with_ground, ew_matrix *blocks)
{
    ew_model *model = in->model;
    const model_quadratic *q = &model->quadratic;
    EW_TRY(model_update_whole_pattern(model));
    ew_whole from = ew_whole_of(EW_WHOLE_STIFFNESS, &q->whole, &model->mesh, &model->topology,
                                &model->materials, &q->rows);
    from.ground = with_ground ? &q->face_ground : NULL;
    from.follower = in->tangent.follower;
    from.response = &in->response;
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
    model_heat_partly(model, 1.0); /* as warm as the displacement is, whatever the loads are now */
    EW_TRY(model_prepare_response(model));
    EW_TRY(model_update_supports_of_matrix(model));
    EW_TRY(model_find_mixed_pressure(model, model->field[0].value));
    in->response.kinematics = of->kinematics;
    in->response.form = EW_TANGENT_EXACT;
    ew_moved body = model_moved(model, model->field[0].value, 0.0);
    body.is_elastic = true;
    body.is_unstressed = !with_stress;
    EW_TRY(ew_response_prepare(&in->response, &model->materials, of->n_point, of->n_state,
                               body.thermal != NULL, &forgot));
    const ew_status status = ew_response_record(&in->response, &body, 0.0, &changed);
    ew_list_free(&changed);
    EW_TRY(status);
    in->tangent = model_tangent(model);
    in->tangent.response = &in->response;
    in->tangent.ground = with_ground ? in->tangent.ground : NULL;
    in->tangent.follower = NULL;
    EW_TRY(with_stress ? press(in) : EW_OK);
    return model_has_edges(model) ? build_whole(in, with_ground, blocks)
                                  : ew_matrix_build(blocks, &in->tangent.source);
}
