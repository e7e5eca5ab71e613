/* What follows edits, compared with what is built from the mesh alone. */
#include "model/internal.h"

/* Built where the model keeps its own, so that the times compare. Without fp64 the host's blocks
 * are the device's source. */
static ew_status compare_blocks(ew_model *model, const ew_topology *topology,
                                ew_model_verification *result)
{
    ew_stiffness from = ew_stiffness_of(&model->mesh, topology, &model->materials);
    model_matrix *own = &model->stiffness.matrix;
    double *ground = NULL;
    ew_matrix matrix = {0};
    from.source.diagonal_only = model->operator_kind == EW_MATRIX_FREE;
    ew_device_mesh copy = {0};
    ew_device_matrix blocks = {0};
    ew_status status = EW_OK;
    if (model->has_ground) {
        EW_TRY_OUT(model_ground_again(model, topology, &ground));
        from.ground = ground;
        from.ground_revision = model->mesh.revision;
    }
    const double start = ew_seconds();
    if (model_has_host_blocks(model)) {
        EW_TRY_OUT(ew_matrix_build(&matrix, &from.source));
        result->seconds_matrix = ew_seconds() - start;
    } else {
        EW_TRY_OUT(ew_device_mesh_build(&copy, model->device, &model->mesh, topology));
        EW_TRY_OUT(ew_device_mesh_send_axes(&copy, &model->mesh, &model->materials));
        EW_TRY_OUT(ew_device_matrix_build(&blocks, &copy, &from, model->precision, NULL));
        result->seconds_matrix = ew_seconds() - start;
        EW_TRY_OUT(ew_device_matrix_download(&blocks, &matrix));
        EW_TRY_OUT(ew_device_matrix_download(&own->device, &own->host));
    }
    status = ew_matrix_compare(&own->host, &model->topology.pattern, &matrix, &topology->pattern,
                               &result->n_different, &result->largest);
out:
    ew_release(ground);
    ew_matrix_free(&matrix);
    ew_device_matrix_free(&blocks);
    ew_device_mesh_free(&copy);
    return status;
}

ew_status ew_model_verify(ew_model *model, ew_model_verification *result)
{
    ew_topology topology = {0};
    *result = (ew_model_verification){0};
    EW_TRY(model_update_matrix(model));
    EW_TRY(ew_topology_check(&model->topology, &model->mesh));
    const double start = ew_seconds();
    ew_status status = ew_topology_build(&topology, &model->mesh);
    result->seconds_tables = ew_seconds() - start;
    if (!status) {
        status = model_is_nonlinear(model) ? model_verify_tangent(model, &topology, result)
                                           : compare_blocks(model, &topology, result);
    }
    if (!status) {
        status = model_verify_dynamics(model, &topology, result);
    }
    if (!status) {
        status = model_verify_edges(model, &topology, result);
    }
    ew_topology_free(&topology);
    return status;
}
