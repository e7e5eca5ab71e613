/* Ids and regions of a mesh that is a part of a larger one. In: a mesh as it was constructed, or
 * what a commit added, and what the larger mesh has. Out: the same mesh under the larger one's ids,
 * and with its regions at their places. */
#include "mesh/internal.h"

#include <string.h>

static ew_status check_ids(const char *kind, int32_t n, const int64_t *id, int64_t next)
{
    for (int32_t i = 0; i < n; i++) {
        if (id[i] < 0 || id[i] >= next) {
            return ew_fail(EW_MESH_IDS, "%s id %lld: must be 0 to %lld, below the next one", kind,
                           (long long)id[i], (long long)next - 1);
        }
    }
    return EW_OK;
}

ew_status ew_mesh_give_ids(ew_mesh *mesh, const ew_given_ids *ids)
{
    EW_TRY(check_ids("vertex", ids->n_vertex, ids->vertex_id, ids->next_vertex_id));
    EW_TRY(check_ids("tet", ids->n_tet, ids->tet_id, ids->next_tet_id));
    for (int32_t i = 0; i < ids->n_vertex; i++) {
        mesh->vertex_id[ids->vertex ? ids->vertex[i] : i] = ids->vertex_id[i];
    }
    for (int32_t i = 0; i < ids->n_tet; i++) {
        const int32_t t = ids->tet ? ids->tet[i] : i;
        mesh->tet_id[t] = ids->tet_id[i];
        mesh->born[t] = ids->born ? ids->born[i] : mesh->born[t];
    }
    mesh->next_vertex_id = ids->next_vertex_id;
    mesh->next_tet_id = ids->next_tet_id;
    mesh->face_id_end = ids->next_vertex_id;
    return EW_OK;
}

static int32_t place_of(int32_t label, int32_t n, const int32_t *list)
{
    int32_t at = 0;
    while (at < n && list[at] != label) {
        at++;
    }
    return at < n ? at : -1;
}

ew_status ew_mesh_give_regions(ew_mesh *mesh, int32_t n_region, const int32_t *region_label)
{
    int32_t *label = NULL, *to = NULL;
    ew_status status = EW_OK;
    EW_TRY_OUT(ew_new(&to, (size_t)mesh->n_region, sizeof *to));
    EW_TRY_OUT(ew_new(&label, (size_t)n_region, sizeof *label));
    for (int32_t r = 0; r < mesh->n_region; r++) {
        to[r] = place_of(mesh->region_label[r], n_region, region_label);
        if (to[r] < 0) {
            EW_TRY_OUT(ew_fail(EW_MESH_REGION, "region %d is none of the %d of the larger mesh",
                               mesh->region_label[r], n_region));
        }
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        mesh->region[t] = mesh->n_region ? to[mesh->region[t]] : 0;
    }
    memcpy(label, region_label, (size_t)n_region * sizeof *label);
    ew_release(mesh->region_label);
    mesh->region_label = label;
    mesh->n_region = mesh->region_capacity = n_region;
    label = NULL;
out:
    ew_release(label);
    ew_release(to);
    return status;
}
