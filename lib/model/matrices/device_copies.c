/* Copies of mesh, rows of edges and axes of materials on the device of a model, as they must be. */
#include "model/internal.h"

/* After a build of the tables it starts afresh. */
ew_status model_need_device_mesh(ew_model *model)
{
    return model->device_mesh.pattern.revision == model->mesh.revision
               ? EW_OK
               : ew_device_mesh_build(&model->device_mesh, model->device, &model->mesh,
                                      &model->topology);
}

ew_status model_need_device_edges(ew_model *model)
{
    model_quadratic *q = &model->quadratic;
    return model->device && !q->device_edges.pattern.revision
               ? ew_device_edges_build(&q->device_edges, model->device, &model->mesh,
                                       &model->topology, &q->rows)
               : EW_OK;
}

ew_status model_update_device_edges(ew_model *model, const ew_change *change)
{
    model_quadratic *q = &model->quadratic;
    if (!q->device_edges.pattern.revision) {
        return EW_OK;
    }
    if (!q->rows.touched.to_revision) { /* they were built */
        ew_device_edges_forget(&q->device_edges);
        return EW_OK;
    }
    return ew_device_edges_update(&q->device_edges, &model->mesh, &model->topology, &q->rows,
                                  change, change ? NULL : &q->edge);
}

const ew_device_edges *model_edges_there(const ew_model *model)
{
    return model_is_quadratic(model) ? &model->quadratic.device_edges : NULL;
}

ew_status model_need_copies(ew_model *model)
{
    EW_TRY(model_need_device_mesh(model));
    EW_TRY(model_edges_there(model) ? model_need_device_edges(model) : EW_OK);
    return ew_device_mesh_send_axes(&model->device_mesh, &model->mesh, &model->materials);
}
