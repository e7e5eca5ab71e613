/* Compaction of a model. In: slots, many of them free or without tets. Out: the same body without
 * holes, with everything that names slots renumbered in their order. */
#include "model/internal.h"

#include <string.h>

bool ew_model_is_sparse(const ew_model *model)
{
    const ew_mesh *mesh = &model->mesh;
    const int64_t slots = (int64_t)mesh->n_tet + mesh->n_vertex;
    const int64_t live = (int64_t)mesh->n_live_tet + mesh->n_active_vertex;
    return 2 * live < slots && mesh->n_live_tet > 0;
}

ew_status ew_model_queue_unused(ew_model *model)
{
    EW_TRY(model_need_usable(model));
    ew_edit_clear(&model->edit);
    for (int32_t v = 0; v < model->mesh.n_vertex; v++) {
        if (model->mesh.valence[v] == 0) {
            EW_TRY(ew_edit_remove_vertex(&model->edit, v));
        }
    }
    return EW_OK;
}

/* Codes of the members of face sets, before their tets are renumbered. */
static ew_status list_face_codes(const ew_model *model, ew_list *code)
{
    for (int32_t s = 0; s < model->n_set; s++) {
        const model_set *set = &model->set[s];
        for (int32_t i = 0; set->kind == EW_SET_OF_FACES && i < set->member.set.list.n; i++) {
            EW_TRY(ew_list_push(code, model->boundary.code[set->member.set.list.id[i]]));
        }
    }
    return EW_OK;
}

static ew_status rename_all(ew_model *model, const int32_t *vertex, int32_t n_vertex,
                            const int32_t *tet, int32_t n_tet, const ew_list *code)
{
    ew_topology fresh = {0};
    model_rename_fields(model, vertex, n_vertex, tet, n_tet);
    model_rename_sets(model, vertex, tet);
    EW_TRY(model_rename_surfaces(model, tet, n_tet));
    EW_TRY(ew_topology_build(&fresh, &model->mesh));
    ew_topology_free(&model->topology);
    model->topology = fresh;
    EW_TRY(model_rename_quadratic(model, vertex));
    if (model->has_boundary) {
        ew_boundary_free(&model->boundary);
        EW_TRY(ew_boundary_build(&model->boundary, &model->mesh, &model->topology));
        model_rename_face_sets(model, code, tet);
    }
    ew_set_clear(&model->stale_load);
    ew_set_clear(&model->stale_ground);
    model_matrices_forget(model);
    model->constraints_current = model->loads_current = model->ground_current = false;
    model_forget_recovery(model);
    return EW_OK;
}

ew_status ew_model_compact(ew_model *model, int32_t *vertex, int32_t *tet)
{
    const int32_t n_vertex = model->mesh.n_vertex, n_tet = model->mesh.n_tet;
    const double start = ew_seconds();
    int32_t *vertex_map = NULL, *tet_map = NULL;
    ew_list code = {0};
    ew_status status = EW_OK;
    EW_TRY(model_need_usable(model));
    EW_TRY_OUT(ew_new(&vertex_map, (size_t)n_vertex, sizeof *vertex_map));
    EW_TRY_OUT(ew_new(&tet_map, (size_t)n_tet, sizeof *tet_map));
    EW_TRY_OUT(list_face_codes(model, &code));
    EW_TRY_OUT(model_reserve_face_sets(model));
    EW_TRY_OUT(ew_mesh_compact(&model->mesh, NULL, false, vertex_map, tet_map));
    status = rename_all(model, vertex_map, n_vertex, tet_map, n_tet, &code);
    model->broken = status != EW_OK;
    if (vertex) {
        memcpy(vertex, vertex_map, (size_t)n_vertex * sizeof *vertex);
    }
    if (tet) {
        memcpy(tet, tet_map, (size_t)n_tet * sizeof *tet);
    }
out:
    ew_release(vertex_map);
    ew_release(tet_map);
    ew_list_free(&code);
    model->report.seconds_compact += ew_seconds() - start;
    return status;
}
