/* Quadratic tets of a model with all their blocks stored, for factors: of a static solve, of modes
 * and of buckling. Nothing here follows edits; what they made stale is built again when it is used.
 */
#include "model/matrices/place.h"

ew_status model_fetch_stiffness(ew_model *model)
{
    model_matrix *matrix = &model->stiffness.matrix;
    EW_TRY(model_complete_stiffness(model));
    return model_has_host_blocks(model) ? EW_OK
                                        : ew_device_matrix_download(&matrix->device, &matrix->host);
}

ew_status model_update_assembled_pattern(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    return q->assembled.revision == q->rows.pattern.revision
               ? EW_OK
               : ew_assembled_pattern_build(&q->assembled, &model->mesh, &model->topology,
                                            &q->rows);
}

ew_status model_update_assembled(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    ew_assembled from = ew_assembled_of(EW_ASSEMBLED_STIFFNESS, &q->assembled, &model->mesh,
                                        &model->topology, &model->materials, &q->rows);
    EW_TRY(model_fetch_stiffness(model));
    from.linear = &model->stiffness.matrix.host;
    from.ground = &q->face_ground;
    from.internal_force = model_nonlinear_force(model);
    from.follower = from.internal_force ? &model->nonlinear.follower : NULL;
    EW_TRY(model_update_assembled_pattern(model));
    int32_t n = -1;
    if (q->assembled_blocks.revision == q->assembled.revision &&
        q->assembled_blocks.constants == from.source.constants(&from.source, &n)) {
        return EW_OK;
    }
    const double start = ew_seconds();
    ew_solver_reset(&q->assembled_solver);
    EW_TRY(ew_matrix_build(&q->assembled_blocks, &from.source));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

static ew_system assembled_system(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    if (!q->assembled_op.type) {
        q->assembled_op = ew_operator_on_host(&q->assembled_blocks, &q->assembled);
    }
    ew_system system = model_rows(model);
    system.op = &q->assembled_op;
    system.b = model->force.value;
    return system;
}

ew_status model_choose_system(ew_model *model, const ew_pcg_def *def, ew_system *system,
                              ew_solver **solver)
{
    const bool direct =
        model_has_edges(model) && !model->device && def->preconditioner == EW_CHOLESKY;
    EW_TRY(direct ? model_update_assembled(model) : EW_OK);
    *system = direct ? assembled_system(model)
                     : model_system_view(model, &model->stiffness, model->force.value);
    *solver = direct ? &model->quadratic.assembled_solver : &model->stiffness.solver;
    return model_equip_system(model, system);
}

void model_free_assembled(model_quadratic *q)
{
    ew_solver_free(&q->assembled_solver);
    ew_operator_free(&q->assembled_op);
    ew_matrix_free(&q->assembled_blocks);
    ew_pattern_free(&q->assembled);
}
