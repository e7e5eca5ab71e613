/* The stiffness of a linear body, of vertices and edges, brought up to date and verified. And the
 * mass of a model, as the others take it. */
#include "model/formulation/formulation.h"

static ew_status compute_on_device(ew_model *model, model_matrix *matrix, const void *from,
                                   const ew_pattern_change *change)
{
    const ew_matrix *host = model_host_blocks(model, matrix);
    EW_TRY(change ? EW_OK : model_need_device_mesh(model));
    EW_TRY(ew_device_mesh_send_axes(&model->device_mesh, &model->mesh, &model->materials));
    if (change) {
        return ew_device_matrix_revalidate(&matrix->device, &model->device_mesh, from, change,
                                           host);
    }
    return ew_device_matrix_build(&matrix->device, &model->device_mesh, from, model->precision,
                                  host);
}

ew_status model_update_stiffness(ew_model *model)
{
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports_of_matrix(model));
    const model_source from = model_stiffness(model, &model->topology, model_ground(model));
    const model_blocks blocks = model_blocks_of(model, &from.source, compute_on_device);
    model_system_set_tets(&model->stiffness, 1.0, NULL, 0.0);
    EW_TRY(model_system_update(model, &model->stiffness, &blocks));
    const double start = ew_seconds();
    EW_TRY(model_update_edge_blocks(model));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

/* Built where the model keeps its own, so that the times compare. Without fp64 the host's blocks
 * are the device's source. */
ew_status model_verify_stiffness(ew_model *model, const ew_topology *topology,
                                 ew_model_verification *result)
{
    model_matrix *own = &model->stiffness.matrix;
    double *ground = NULL;
    ew_matrix matrix = {0};
    ew_device_mesh copy = {0};
    ew_device_matrix blocks = {0};
    ew_status status = EW_OK;
    EW_TRY_OUT(model->has_ground ? model_ground_again(model, topology, &ground) : EW_OK);
    const model_source from = model_stiffness(model, topology, ground);
    const double start = ew_seconds();
    if (model_has_host_blocks(model)) {
        EW_TRY_OUT(ew_matrix_build(&matrix, &from.source));
        result->seconds_matrix = ew_seconds() - start;
    } else {
        EW_TRY_OUT(ew_device_mesh_build(&copy, model->device, &model->mesh, topology));
        EW_TRY_OUT(ew_device_mesh_send_axes(&copy, &model->mesh, &model->materials));
        EW_TRY_OUT(ew_device_matrix_build(&blocks, &copy, &from.stiffness, model->precision, NULL));
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

ew_mass model_mass(const ew_model *model)
{
    return ew_mass_of(&model->mesh, &model->topology, &model->materials, model->dynamics.def.mass);
}

ew_status model_build_mass(const ew_model *model, ew_mass_kind kind, const ew_pattern *pattern,
                           ew_matrix *matrix)
{
    const ew_mass linear = ew_mass_of(&model->mesh, &model->topology, &model->materials, kind);
    const ew_assembled all =
        ew_assembled_of(kind == EW_MASS_LUMPED ? EW_ASSEMBLED_MASS_LUMPED : EW_ASSEMBLED_MASS,
                        pattern, &model->mesh, &model->topology, &model->materials,
                        &model->quadratic.rows);
    return ew_matrix_build(matrix, model_has_edges(model) ? &all.source : &linear.source);
}
