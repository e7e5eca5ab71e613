/* Life of a model: made from a mesh, its materials, its views, built again. */
#include "model/internal.h"

#include <string.h>

ew_model_def ew_default_model_def(void)
{
    return (ew_model_def){.precision = EW_DOUBLE, .reorder = true};
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

static ew_status reorder(ew_model *model)
{
    int32_t *order;
    EW_TRY(ew_new(&order, (size_t)model->mesh.n_vertex, sizeof *order));
    ew_status status = ew_order_for_locality(&model->mesh, &model->topology, order);
    if (!status) {
        status = ew_mesh_compact(&model->mesh, order, true, NULL, NULL);
    }
    ew_release(order);
    return status ? status : build_tables(model);
}

static ew_status start(ew_model *model, bool in_order)
{
    int32_t displacement;
    const ew_field_def field = {.name = "displacement", .width = 3, .rule = EW_FIELD_MEAN};
    const double begin = ew_seconds();
    EW_TRY(build_tables(model));
    if (!in_order) {
        EW_TRY(reorder(model));
    }
    model->report.seconds_tables = model->report.seconds_built = ew_seconds() - begin;
    model->all_dirty = true;
    return ew_model_add_field(model, &field, &displacement);
}

ew_status ew_model_create(ew_model **model, ew_mesh *mesh, const ew_model_def *def)
{
    ew_model *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    made->device = def->device;
    made->precision = def->precision;
    ew_status status = EW_OK;
    if (def->reorder) {
        /* the renumbering is not to be undone by a failure: the caller's mesh stays as it was */
        status = ew_mesh_copy(&made->mesh, mesh);
    } else {
        made->mesh = *mesh;
    }
    if (!status) {
        status = start(made, !def->reorder);
    }
    if (status) {
        if (!def->reorder) {
            memset(&made->mesh, 0, sizeof made->mesh);
        }
        ew_model_free(made);
        return status;
    }
    if (def->reorder) {
        ew_mesh_free(mesh);
    }
    memset(mesh, 0, sizeof *mesh);
    *model = made;
    return EW_OK;
}

void ew_model_free(ew_model *model)
{
    if (!model) {
        return;
    }
    ew_mesh_free(&model->mesh);
    ew_topology_free(&model->topology);
    ew_boundary_free(&model->boundary);
    ew_support_free(&model->support);
    ew_id_index_free(&model->vertex_ids);
    ew_id_index_free(&model->tet_ids);
    ew_edit_free(&model->edit);
    ew_change_free(&model->change);
    ew_release(model->material);
    ew_materials_free(&model->materials);
    ew_matrix_free(&model->matrix);
    ew_device_matrix_free(&model->device_matrix);
    ew_device_mesh_free(&model->device_mesh);
    ew_solver_free(&model->solver);
    ew_operator_free(&model->op);
    ew_pattern_dirty_free(&model->dirty);
    ew_pattern_dirty_free(&model->solver_dirty);
    ew_pattern_change_free(&model->sum);
    model_free_sets(model);
    model_free_fields(model);
    model_free_loads(model);
    ew_fields_free(&model->fields);
    ew_release(model);
}

void ew_model_give_mesh(ew_model *model, ew_mesh *mesh)
{
    *mesh = model->mesh;
    memset(&model->mesh, 0, sizeof model->mesh);
    model->broken = true;
}

ew_status model_need_usable(const ew_model *model)
{
    return model->broken ? ew_fail(EW_STALE, "model: an edit failed half-way; rebuild the model")
                         : EW_OK;
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
    ew_pattern_dirty_free(&model->dirty);
    model->all_dirty = true;
    model->device_mesh.pattern.revision = 0;
    model->constraints_current = model->loads_current = false;
    model->fields_revision = 0;
    model->broken = false;
    return EW_OK;
}

/* ---- views ------------------------------------------------------------------ */

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

const ew_materials *ew_model_materials(const ew_model *model)
{
    return &model->materials;
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

ew_status ew_model_matrix(ew_model *model, const ew_matrix **matrix)
{
    EW_TRY(model_update_matrix(model));
    *matrix = model_has_host_blocks(model) ? &model->matrix : NULL;
    return EW_OK;
}

const double *ew_model_displacement(const ew_model *model)
{
    return model->field[0].value;
}

const double *ew_model_force(const ew_model *model)
{
    return model->force;
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

/* ---- materials ---------------------------------------------------------------- */

static model_material *find_material(const ew_model *model, int32_t label)
{
    for (int32_t i = 0; i < model->n_material; i++) {
        if (model->material[i].region == label) {
            return &model->material[i];
        }
    }
    return NULL;
}

bool model_has_material(const ew_model *model, int32_t label)
{
    return find_material(model, label) || find_material(model, EW_ALL_REGIONS);
}

ew_status ew_model_set_material(ew_model *model, int32_t region_label, const ew_material *material)
{
    ew_materials checked = {0};
    EW_TRY(ew_materials_init(&checked, 1, material));
    ew_materials_free(&checked);
    model_material *found = find_material(model, region_label);
    if (!found) {
        EW_TRY(ew_grow(&model->material, &model->material_capacity, (int64_t)model->n_material + 1,
                       sizeof *model->material));
        found = &model->material[model->n_material++];
        found->region = region_label;
    } else if (!memcmp(&found->material, material, sizeof *material)) {
        return EW_OK;
    }
    found->material = *material;
    ew_materials_free(&model->materials);
    model->all_dirty = true;
    model->loads_current = false;
    model->fields_revision = 0;
    return EW_OK;
}

ew_status model_assign_materials(ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    ew_material *list;
    if (model->materials.n == mesh->n_region && mesh->n_region) {
        return EW_OK;
    }
    EW_TRY(ew_new_zero(&list, (size_t)mesh->n_region, sizeof *list));
    ew_status status = EW_OK;
    for (int32_t r = 0; r < mesh->n_region && !status; r++) {
        const model_material *found = find_material(model, mesh->region_label[r]);
        found = found ? found : find_material(model, EW_ALL_REGIONS);
        if (found) {
            list[r] = found->material;
        } else {
            status = ew_fail_about(EW_BAD_INPUT, mesh->region_label[r], -1,
                                   "region %d of the mesh has no material; give it one",
                                   mesh->region_label[r]);
        }
    }
    if (!status) {
        ew_materials fresh = {0};
        status = ew_materials_init(&fresh, mesh->n_region, list);
        if (!status) {
            ew_materials_free(&model->materials);
            model->materials = fresh;
        }
    }
    ew_release(list);
    return status;
}
