/* The tets of the body at the start and where they are now. In: which of them are wanted. Out: the
 * edit that makes them those of the mesh, and what its commit did with them. */
#include "internal.h"

#include <string.h>

/* ---- at the start ------------------------------------------------------------------- */

static ew_status make_room(removal_design *design, const ew_mesh *mesh)
{
    const size_t n = (size_t)mesh->n_live_tet, n_vertex = (size_t)mesh->n_vertex;
    EW_TRY(ew_new(&design->corner, 4 * n, sizeof *design->corner));
    EW_TRY(ew_new(&design->label, n, sizeof *design->label));
    EW_TRY(ew_new(&design->volume, n, sizeof *design->volume));
    EW_TRY(ew_new(&design->slot, n, sizeof *design->slot));
    EW_TRY(ew_new(&design->keep, n, sizeof *design->keep));
    EW_TRY(ew_new(&design->wanted, n, sizeof *design->wanted));
    EW_TRY(ew_new(&design->before, n, sizeof *design->before));
    EW_TRY(ew_new_zero(&design->sensitivity, n, sizeof *design->sensitivity));
    EW_TRY(ew_new(&design->order, n, sizeof *design->order));
    EW_TRY(ew_new(&design->spare, n, sizeof *design->spare));
    EW_TRY(ew_new(&design->vertex_value, n_vertex, sizeof *design->vertex_value));
    EW_TRY(ew_new(&design->filtered, n_vertex, sizeof *design->filtered));
    EW_TRY(ew_new_zero(&design->vertex_volume, n_vertex, sizeof *design->vertex_volume));
    return ew_grow(&design->tet_of, &design->slot_capacity, mesh->n_tet, sizeof *design->tet_of);
}

static void enter(removal_design *design, const ew_mesh *mesh, int32_t t, bool keep)
{
    const int32_t k = design->n++;
    const int32_t *corner = mesh->tet + 4 * (size_t)t;
    const double volume = ew_mesh_tet_volume(mesh, t);
    memcpy(design->corner + 4 * (size_t)k, corner, 4 * sizeof *corner);
    design->label[k] = mesh->region_label[mesh->region[t]];
    design->volume[k] = volume;
    design->slot[k] = t;
    design->tet_of[t] = k;
    design->keep[k] = keep;
    design->wanted[k] = true;
    design->before[k] = true;
    design->whole += volume;
    design->kept += keep ? volume : 0.0;
    for (int i = 0; i < 4; i++) {
        design->vertex_volume[corner[i]] += volume;
    }
}

ew_status removal_design_init(removal_design *design, const ew_mesh *mesh, const ew_set *keep)
{
    EW_TRY(make_room(design, mesh));
    design->n_vertex = mesh->n_vertex;
    design->n_slot = mesh->n_tet;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        design->tet_of[t] = -1;
        if (ew_mesh_tet_is_live(mesh, t)) {
            enter(design, mesh, t, keep && ew_set_has(keep, t));
        }
    }
    return EW_OK;
}

void removal_design_free(removal_design *design)
{
    ew_release(design->corner);
    ew_release(design->label);
    ew_release(design->volume);
    ew_release(design->slot);
    ew_release(design->keep);
    ew_release(design->wanted);
    ew_release(design->before);
    ew_release(design->sensitivity);
    ew_release(design->vertex_value);
    ew_release(design->vertex_volume);
    ew_release(design->filtered);
    ew_release(design->tet_of);
    ew_release(design->order);
    ew_release(design->spare);
    ew_list_free(&design->queued);
    removal_filter_free(&design->filter);
    memset(design, 0, sizeof *design);
}

/* ---- edits --------------------------------------------------------------------------- */

ew_status removal_design_queue(removal_design *design, ew_model *model, int32_t *n_removed,
                               int32_t *n_added)
{
    ew_edit *edit = ew_model_edit(model);
    *n_removed = *n_added = 0;
    design->queued.n = 0;
    ew_model_begin(model);
    for (int32_t k = 0; k < design->n; k++) {
        const bool is_there = design->slot[k] >= 0;
        if (is_there && !design->wanted[k]) {
            EW_TRY(ew_edit_remove_tet(edit, design->slot[k]));
            ++*n_removed;
        } else if (!is_there && design->wanted[k]) {
            EW_TRY(ew_list_push(&design->queued, k));
            EW_TRY(ew_edit_add_tet(edit, design->corner + 4 * (size_t)k, design->label[k]));
            ++*n_added;
        }
    }
    return EW_OK;
}

ew_status removal_design_follow(removal_design *design, const ew_change *change)
{
    const ew_list *removed = &change->removed_tet, *added = &change->added_tet;
    int32_t n_slot = design->n_slot;
    for (int32_t i = 0; i < added->n; i++) {
        n_slot = added->id[i] < n_slot ? n_slot : added->id[i] + 1;
    }
    EW_TRY(ew_grow(&design->tet_of, &design->slot_capacity, n_slot, sizeof *design->tet_of));
    while (design->n_slot < n_slot) {
        design->tet_of[design->n_slot++] = -1;
    }
    for (int32_t i = 0; i < removed->n; i++) {
        const int32_t k = design->tet_of[removed->id[i]];
        design->tet_of[removed->id[i]] = -1;
        design->slot[k] = -1;
        design->wanted[k] = false;
    }
    for (int32_t i = 0; i < added->n; i++) {
        const int32_t k = design->queued.id[i];
        design->tet_of[added->id[i]] = k;
        design->slot[k] = added->id[i];
        design->wanted[k] = true;
    }
    design->queued.n = 0;
    return EW_OK;
}
