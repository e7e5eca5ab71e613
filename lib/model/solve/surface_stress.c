/* The stress that is seen. In: a model that was solved. Out: the vertices of its boundary and the
 * von Mises stress there; by a whole recovery where tets are not plain linear ones of one region.
 */
#include "model/internal.h"

static ew_status collect(ew_model *model)
{
    const ew_boundary *boundary = &model->boundary;
    ew_set_clear(&model->surface_vertex);
    for (int32_t s = 0; s < boundary->n_slot; s++) {
        const int32_t code = boundary->code[s];
        for (int k = 0; code >= 0 && k < 4; k++) {
            if (k != code % 4) {
                EW_TRY(ew_set_add(&model->surface_vertex,
                                  model->mesh.tet[4 * (size_t)(code / 4) + (size_t)k]));
            }
        }
    }
    return EW_OK;
}

ew_status ew_model_recover_surface(ew_model *model, ew_surface_stress *stress)
{
    *stress = (ew_surface_stress){0};
    EW_TRY(ew_model_boundary(model, NULL));
    EW_TRY(model_assign_materials(model));
    EW_TRY(collect(model));
    const bool is_one = model->mesh.n_region == 1 && !model->axes;
    if (ew_model_recovered(model) || !is_one || !model_has_plain_stress(model)) {
        EW_TRY(ew_model_recovered(model) ? EW_OK : ew_model_recover(model, NULL, NULL));
        stress->von_mises = model->fields.vertex_von_mises;
    } else {
        const double start = ew_seconds();
        EW_TRY(ew_grow(&model->surface_von_mises, &model->surface_stress_capacity,
                       model->mesh.n_vertex, sizeof *model->surface_von_mises));
        ew_vertices_von_mises(&model->mesh, &model->topology, &model->materials,
                              model->field[0].value, &model->surface_vertex.list,
                              model->surface_von_mises);
        stress->von_mises = model->surface_von_mises;
        model->report.seconds_recover += ew_seconds() - start;
    }
    stress->vertex = model->surface_vertex.list;
    return EW_OK;
}
