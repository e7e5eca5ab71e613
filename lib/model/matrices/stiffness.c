/* The stiffness of a model, of vertices and edges, brought up to date; of a nonlinear body the
 * tangent. And its mass, as the others take it. */
#include "model/internal.h"

static ew_status compute_on_device(ew_model *model, model_matrix *matrix, const void *from,
                                   const ew_pattern_change *change)
{
    const ew_matrix *host = model_has_host_blocks(model) ? &matrix->host : NULL;
    EW_TRY(change ? EW_OK : model_need_device_mesh(model));
    EW_TRY(ew_device_mesh_send_axes(&model->device_mesh, &model->mesh, &model->materials));
    if (change) {
        return ew_device_matrix_revalidate(&matrix->device, &model->device_mesh, from, change,
                                           host);
    }
    return ew_device_matrix_build(&matrix->device, &model->device_mesh, from, model->precision,
                                  host);
}

/* Blocks as they must be. */
ew_status model_update_matrix(ew_model *model)
{
    EW_TRY(model_need_usable(model));
    if (model_is_nonlinear(model)) {
        return model_update_tangent(model);
    }
    EW_TRY(model_assign_materials(model));
    EW_TRY(model_update_supports_of_matrix(model));
    const ew_stiffness from = model_stiffness(model);
    const model_blocks blocks = {.source = model_has_host_blocks(model) ? &from.source : NULL,
                                 .on_device = model->device ? compute_on_device : NULL,
                                 .from = &from};
    model_system_set_tets(&model->stiffness, 1.0, NULL, 0.0);
    EW_TRY(model_system_update(model, &model->stiffness, &blocks));
    const double start = ew_seconds();
    EW_TRY(model_update_edge_blocks(model));
    model->report.seconds_matrix += ew_seconds() - start;
    return EW_OK;
}

ew_status ew_model_matrix(ew_model *model, const ew_matrix **matrix)
{
    EW_TRY(model_update_matrix(model));
    *matrix = model_has_host_blocks(model) ? &model->stiffness.matrix.host : NULL;
    return EW_OK;
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
