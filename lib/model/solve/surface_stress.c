/* The stress that is seen. In: a model that was solved. Out: the vertices of its boundary and the
 * von Mises stress there; by a whole recovery where tets are not linear ones of one region. */
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

static ew_status find_stress(ew_model *model)
{
    const ew_set *vertex = &model->surface_vertex;
    const double *u = model->field[0].value;
    EW_TRY(ew_grow(&model->surface_von_mises, &model->surface_stress_capacity, model->mesh.n_vertex,
                   sizeof *model->surface_von_mises));
    EW_TRY(ew_grow(&model->surface_part, &model->surface_part_capacity, model->mesh.n_tet,
                   7 * sizeof *model->surface_part));
    if (model_has_plain_stress(model)) {
        ew_vertices_von_mises(&model->mesh, &model->topology, &model->materials, u, vertex,
                              model->surface_part, model->surface_von_mises);
        return EW_OK;
    }
    EW_TRY(model_prepare_internal_force(model));
    const ew_deformed body = model_deformed(model, u, 0.0);
    ew_vertices_von_mises_nonlinear(&model->nonlinear.internal_force, &body, vertex,
                                    model->surface_part, model->surface_von_mises);
    return EW_OK;
}

ew_status ew_model_recover_surface(ew_model *model, ew_surface_stress *stress)
{
    *stress = (ew_surface_stress){0};
    EW_TRY(ew_model_boundary(model, NULL));
    EW_TRY(model_assign_materials(model));
    EW_TRY(collect(model));
    const bool is_one = model->mesh.n_region == 1 && !model->axes;
    if (ew_model_recovered(model) || !is_one || !model_stress_is_local(model)) {
        EW_TRY(ew_model_recovered(model) ? EW_OK : ew_model_recover(model, NULL, NULL));
        stress->von_mises = model->fields.vertex_von_mises;
    } else {
        const double start = ew_seconds();
        EW_TRY(find_stress(model));
        stress->von_mises = model->surface_von_mises;
        model->report.seconds_recover += ew_seconds() - start;
    }
    stress->vertex = model->surface_vertex.list;
    return EW_OK;
}
