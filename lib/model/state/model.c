/* Life of a model: made from a mesh, its materials, its views, built again. */
#include "model/internal.h"

#include <string.h>

ew_model_def ew_default_model_def(void)
{
    return (ew_model_def){.precision = EW_AUTO_PRECISION, .reorder = true};
}

/* ---- making ---------------------------------------------------------------- */

static ew_status build_tables(ew_model *model)
{
    ew_topology fresh = {0};
    EW_TRY(ew_topology_build(&fresh, &model->mesh));
    ew_topology_free(&model->topology);
    model->topology = fresh;
    return EW_OK;
}

/* The caller's mesh in the order that the model works in. */
static ew_status reorder(ew_model *model, const ew_mesh *mesh)
{
    int32_t *order;
    EW_TRY(ew_new(&order, (size_t)mesh->n_vertex, sizeof *order));
    ew_status status = ew_order_for_locality(mesh, order);
    if (!status) {
        status = ew_mesh_compact_copy(&model->mesh, mesh, order, true, NULL, NULL);
        model->mesh.keeps_slots = !status;
    }
    ew_release(order);
    return status;
}

ew_status model_begin(ew_model *model, const ew_model_def *def)
{
    int32_t displacement;
    model->device = def->device;
    model->precision = def->precision;
    model->expects_answers = def->expects_answers && !def->device;
    model_matrices_forget(model);
    model->quadratic.n_vertex = model->mesh.n_vertex;
    return model_add_row_field(model, "displacement", &displacement);
}

static ew_status start(ew_model *model, const ew_mesh *mesh, const ew_model_def *def)
{
    const double begin = ew_seconds();
    if (def->reorder && !mesh->keeps_slots) {
        EW_TRY(reorder(model, mesh));
    } else {
        model->mesh = *mesh;
    }
    EW_TRY(build_tables(model));
    model->report.seconds_tables = model->report.seconds_built = ew_seconds() - begin;
    return model_begin(model, def);
}

/* The mesh stays the caller's until nothing can fail any more. */
ew_status ew_model_create(ew_model **model, ew_mesh *mesh, const ew_model_def *def)
{
    ew_model *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    const bool in_order = !def->reorder || mesh->keeps_slots;
    const ew_status status = start(made, mesh, def);
    if (status) {
        if (in_order) {
            memset(&made->mesh, 0, sizeof made->mesh);
        }
        ew_model_free(made);
        return status;
    }
    if (!in_order) {
        ew_mesh_free(mesh);
    }
    memset(mesh, 0, sizeof *mesh);
    *model = made;
    return EW_OK;
}

void model_release_parts(ew_model *model)
{
    ew_mesh_free(&model->mesh);
    ew_topology_free(&model->topology);
    ew_boundary_free(&model->boundary);
    ew_set_free(&model->boundary_changes.slot);
    ew_support_free(&model->support);
    ew_id_index_free(&model->vertex_ids);
    ew_id_index_free(&model->tet_ids);
    ew_edit_free(&model->edit);
    ew_edit_free(&model->applied);
    ew_change_free(&model->change);
    ew_release(model->material);
    ew_materials_free(&model->materials);
    model_system_free(&model->stiffness);
    ew_model_stop_dynamics(model);
    model_free_amplitudes(model);
    ew_device_mesh_free(&model->device_mesh);
    ew_pattern_change_free(&model->sum);
    model_free_sets(model);
    model_free_fields(model);
    model_free_constraints(model);
    model_free_loads(model);
    model_free_springs(model);
    model_free_ties(model);
    model_free_contacts(model);
    model_free_equations(model);
    model_free_surfaces(model);
    model_free_quadratic(model);
    model_free_mixed(model);
    model_free_nonlinear(model);
    ew_fields_free(&model->fields);
    model_free_recovery(&model->recovery);
    model_free_goals(&model->goals);
    ew_set_free(&model->answer_change.row);
    ew_release(model->energy);
    ew_set_free(&model->surface_vertex);
    ew_release(model->surface_von_mises);
    ew_release(model->surface_part);
    model_free_modes(&model->modes);
    model_free_buckling(&model->buckling);
    model_free_harmonic(&model->harmonic);
    model_free_cases(&model->cases);
    ew_matrix_free(&model->response_mass.matrix);
    ew_estimate_free(&model->estimate);
}

void ew_model_free(ew_model *model)
{
    if (model) {
        model_release_parts(model);
        ew_release(model);
    }
}

void ew_model_give_mesh(ew_model *model, ew_mesh *mesh)
{
    *mesh = model->mesh;
    memset(&model->mesh, 0, sizeof model->mesh);
    model->broken = true;
}

ew_status ew_model_rebuild(ew_model *model)
{
    EW_TRY(build_tables(model));
    if (model->has_boundary) {
        const bool valid = model->boundary.revision == model->mesh.revision;
        if (!valid) {
            model_follow_face_sets(model, false);
            ew_boundary_free(&model->boundary);
            EW_TRY(ew_boundary_build(&model->boundary, &model->mesh, &model->topology));
        }
    }
    model_matrices_forget(model);
    model_forget_tie_rows(&model->ties);
    model_forget_contact_rows(&model->contacts);
    EW_TRY(model_bind_surfaces_again(model));
    EW_TRY(model_rename_quadratic(model, NULL));
    ew_device_mesh_forget(&model->device_mesh);
    model->constraints_current = model->loads_current = model->ground_current = false;
    model_forget_recovery(model);
    model->broken = false;
    return EW_OK;
}
