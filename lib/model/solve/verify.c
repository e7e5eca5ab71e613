/* What follows edits, compared with what is built from the mesh alone. */
#include "model/formulation/formulation.h"

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
        status = model_formulation_of(model)->verify_matrix(model, &topology, result);
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
