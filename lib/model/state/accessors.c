/* What a model shows of itself, borrowed until its next change. */
#include "model/internal.h"

#include <string.h>

int32_t ew_model_find_vertex(ew_model *model, int64_t id)
{
    return ew_id_index_prepare(&model->vertex_ids, EW_VERTEX_IDS, &model->mesh)
               ? -1
               : ew_id_index_find(&model->vertex_ids, id);
}

int32_t ew_model_find_tet(ew_model *model, int64_t id)
{
    return ew_id_index_prepare(&model->tet_ids, EW_TET_IDS, &model->mesh)
               ? -1
               : ew_id_index_find(&model->tet_ids, id);
}

const ew_mesh *ew_model_mesh(const ew_model *model)
{
    return &model->mesh;
}

const ew_topology *ew_model_topology(const ew_model *model)
{
    return &model->topology;
}

const ew_materials *ew_model_materials(ew_model *model)
{
    return model_assign_materials(model) ? NULL : &model->materials;
}

const ew_change *ew_model_change(const ew_model *model)
{
    return &model->change;
}

ew_status ew_model_boundary(ew_model *model, const ew_boundary **boundary)
{
    EW_TRY(model_need_usable(model));
    if (!model->has_boundary) {
        EW_TRY(ew_boundary_build(&model->boundary, &model->mesh, &model->topology));
        model->has_boundary = true;
    }
    if (boundary) {
        *boundary = &model->boundary;
    }
    return EW_OK;
}

const double *ew_model_displacement(const ew_model *model)
{
    return model->field[0].value;
}

/* Loads of all rows; pressures that turn with faces are among them once an answer is recovered. */
static const double *force_of(const ew_model *model)
{
    const model_dynamics *of = &model->dynamics;
    const bool moves = of->is_active && !of->is_aside && of->vector[MODEL_FORCE];
    return model->fields_revision == model->mesh.revision && model_has_follower(model)
               ? model->nonlinear.vector[NONLINEAR_LOADS]
           : moves ? of->vector[MODEL_FORCE]
                   : model->force.value;
}

const double *ew_model_force(const ew_model *model)
{
    return force_of(model);
}

const double *ew_model_edge_force(const ew_model *model)
{
    const double *force = force_of(model);
    return !model_has_edges(model)       ? NULL
           : force == model->force.value ? model_edges_of(&model->force)
                                         : force + 3 * (size_t)model->mesh.n_vertex;
}

const ew_constraints *ew_model_constraints(const ew_model *model)
{
    return &model->constraints;
}

const ew_model_report *ew_model_view_report(const ew_model *model)
{
    return &model->report;
}

void ew_model_clear_report(ew_model *model)
{
    memset(&model->report, 0, sizeof model->report);
    for (int32_t s = 0; s < model->n_set; s++) {
        model->set[s].n_lost = 0;
    }
}

const ew_fields *ew_model_recovered_stress(const ew_model *model)
{
    return model->fields_revision == model->mesh.revision ? &model->fields : NULL;
}

const ew_fields *ew_model_recovered(const ew_model *model)
{
    return model->has_stress_alone ? NULL : ew_model_recovered_stress(model);
}

bool ew_model_keeps_recovery(const ew_model *model)
{
    return model->recovery.is_kept && model->recovery.is_estimated;
}

const ew_sums *ew_model_recovered_sums(const ew_model *model)
{
    return ew_model_recovered(model) ? &model->sums : NULL;
}
