/* Quadratic tets of a model with all their blocks stored, for factors: of a static solve, of modes
 * and of buckling. Nothing here follows edits; what they made stale is built again when it is used.
 */
#include "model/internal.h"

ew_status model_fetch_stiffness(ew_model *model)
{
    model_matrix *matrix = &model->stiffness.matrix;
    return model_has_host_blocks(model) ? EW_OK
                                        : ew_device_matrix_download(&matrix->device, &matrix->host);
}

ew_status model_update_whole_pattern(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    return q->whole.revision == q->rows.pattern.revision
               ? EW_OK
               : ew_whole_pattern_build(&q->whole, &model->mesh, &model->topology, &q->rows);
}

ew_status model_update_whole(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    ew_whole from = ew_whole_of(EW_WHOLE_STIFFNESS, &q->whole, &model->mesh, &model->topology,
                                &model->materials, &q->rows);
    EW_TRY(model_fetch_stiffness(model));
    from.linear = &model->stiffness.matrix.host;
    from.ground = &q->face_ground;
    from.follower = model_is_nonlinear(model) ? &model->nonlinear.follower : NULL;
    from.response = model_response(model);
    EW_TRY(model_update_whole_pattern(model));
    int32_t n = -1;
    if (q->whole_blocks.revision == q->whole.revision &&
        q->whole_blocks.constants == from.source.constants(&from.source, &n)) {
        return EW_OK;
    }
    const double start = ew_seconds();
    ew_solver_reset(&q->whole_solver);
    EW_TRY(ew_matrix_build(&q->whole_blocks, &from.source));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

ew_system model_whole_system(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    if (!q->whole_op.type) {
        q->whole_op = ew_operator_on_host(&q->whole_blocks, &q->whole);
    }
    ew_system system = model_rows(model);
    system.op = &q->whole_op;
    system.b = model->force.value;
    return system;
}

ew_status model_choose_system(ew_model *model, const ew_pcg_def *def, ew_system *system,
                              ew_solver **solver)
{
    const bool direct =
        model_has_edges(model) && !model->device && def->preconditioner == EW_CHOLESKY;
    EW_TRY(direct ? model_update_whole(model) : EW_OK);
    *system = direct ? model_whole_system(model)
                     : model_system_view(model, &model->stiffness, model->force.value);
    *solver = direct ? &model->quadratic.whole_solver : &model->stiffness.solver;
    return EW_OK;
}

void model_free_whole(model_quadratic *q)
{
    ew_solver_free(&q->whole_solver);
    ew_operator_free(&q->whole_op);
    ew_matrix_free(&q->whole_blocks);
    ew_pattern_free(&q->whole);
}
