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
