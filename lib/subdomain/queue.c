/* An edit of a part. In: messages of all parts. Out: the part's mesh, one commit on, under the
 * whole's ids. */
#include "subdomain/internal.h"

#include <string.h>

/* ---- queueing ------------------------------------------------------------------- */

static ew_status fail_unknown(const ew_subdomain *subdomain, const char *kind, int64_t id)
{
    return ew_fail(EW_BAD_INPUT, "records: part %d has no %s id %lld", subdomain->part, kind,
                   (long long)id);
}

/* The slot, or the name of one that is added. *found: whether there is one. */
static int32_t name_of(const ew_subdomain *subdomain, int64_t id, bool *found)
{
    const int32_t slot = ew_id_index_find(&subdomain->vertex_at, id);
    const int32_t k = slot >= 0 ? -1 : ew_find_id(&subdomain->queue.place, id);
    *found = slot >= 0 || k >= 0;
    return slot >= 0 ? slot : EW_NEW_VERTEX(k);
}

static ew_status queue_added(ew_subdomain *subdomain, int32_t i)
{
    const ew_vertex_record *vertex = &subdomain->queue.all.vertex[i];
    ew_edit *edit = &subdomain->queue.edit;
    int32_t parent[2], name;
    bool found[2] = {false, false};
    for (int k = 0; k < 2 && vertex->parent[0] >= 0 && vertex->parent[1] >= 0; k++) {
        parent[k] = name_of(subdomain, vertex->parent[k], &found[k]);
    }
    if (vertex->atom >= subdomain->n_atom) {
        return ew_fail(EW_BAD_INPUT, "records: vertex id %lld is in atom %d of %d",
                       (long long)vertex->id, vertex->atom, subdomain->n_atom);
    }
    if (!found[0] || !found[1]) {
        EW_TRY(ew_edit_add_vertex(edit, vertex->xyz, &name));
    } else if (vertex->fraction == 0.5) {
        EW_TRY(ew_edit_add_vertex_from(edit, vertex->xyz, parent[0], parent[1], &name));
    } else {
        EW_TRY(ew_edit_add_vertex_between(edit, vertex->xyz, parent[0], parent[1], vertex->fraction,
                                          &name));
    }
    EW_TRY(ew_enter_id(&subdomain->queue.place, vertex->id, subdomain->queue.added.n));
    return ew_list_push(&subdomain->queue.added, i);
}

/* Of those that the part has, what lies elsewhere moves: also a ghost that had no tets for a while,
 * of which the part was told nothing. */
static ew_status queue_vertices(ew_subdomain *subdomain)
{
    const ew_records *all = &subdomain->queue.all;
    const ew_mesh *mesh = &subdomain->mesh;
    for (int32_t i = 0; i < all->n_vertex; i++) {
        const ew_vertex_record *vertex = &all->vertex[i];
        const int32_t slot = ew_id_index_find(&subdomain->vertex_at, vertex->id);
        if (slot < 0) {
            EW_TRY(queue_added(subdomain, i));
        } else if (memcmp(vertex->xyz, mesh->xyz + 3 * (size_t)slot, sizeof vertex->xyz)) {
            EW_TRY(ew_edit_move_vertex(&subdomain->queue.edit, slot, vertex->xyz));
        }
    }
    const ew_list *added = &subdomain->queue.added;
    subdomain->queue.renumbers =
        added->n && mesh->n_vertex &&
        all->vertex[added->id[0]].number < subdomain->vertex_number[mesh->n_vertex - 1];
    return EW_OK;
}

static ew_status queue_tet(ew_subdomain *subdomain, const ew_tet_record *tet)
{
    const ew_mesh *mesh = &subdomain->mesh;
    const int32_t from = tet->from < 0 ? -1 : ew_id_index_find(&subdomain->tet_at, tet->from);
    int32_t corner[4];
    bool found;
    for (int k = 0; k < 4; k++) {
        corner[k] = name_of(subdomain, tet->corner[k], &found);
        if (!found) {
            return fail_unknown(subdomain, "vertex", tet->corner[k]);
        }
    }
    if (mesh->n_tet && tet->number <= subdomain->tet_number[mesh->n_tet - 1]) {
        return ew_fail(EW_BAD_INPUT, "records: tet id %lld comes before those that part %d has",
                       (long long)tet->id, subdomain->part);
    }
    return ew_edit_add_tet_from(&subdomain->queue.edit, corner, tet->region, from);
}

static ew_status queue_removals(ew_subdomain *subdomain)
{
    const ew_records *all = &subdomain->queue.all;
    ew_edit *edit = &subdomain->queue.edit;
    for (int32_t i = 0; i < all->n_gone_tet; i++) {
        const int32_t slot = ew_id_index_find(&subdomain->tet_at, all->gone_tet[i]);
        EW_TRY(slot < 0 ? fail_unknown(subdomain, "tet", all->gone_tet[i])
                        : ew_edit_remove_tet(edit, slot));
    }
    for (int32_t i = 0; i < all->n_gone_vertex; i++) {
        const int32_t slot = ew_id_index_find(&subdomain->vertex_at, all->gone_vertex[i]);
        EW_TRY(slot < 0 ? EW_OK : ew_edit_remove_vertex(edit, slot));
    }
    return EW_OK;
}

/* Triangles whose corners the part has not are none of its own. */
static ew_status queue_faces(ew_subdomain *subdomain)
{
    const ew_records *all = &subdomain->queue.all;
    for (int32_t i = 0; i < all->n_face; i++) {
        int32_t corner[3];
        bool found[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = name_of(subdomain, all->face[i].corner[k], &found[k]);
        }
        if (found[0] && found[1] && found[2]) {
            EW_TRY(ew_edit_add_face(&subdomain->queue.edit, corner, all->face[i].label));
        }
    }
    return EW_OK;
}

static ew_status queue_all(ew_subdomain *subdomain, int32_t n, const ew_records *records)
{
    const ew_records *all = &subdomain->queue.all;
    EW_TRY(ew_records_merge(&subdomain->queue.all, n, records));
    if (all->next_vertex_id < subdomain->mesh.next_vertex_id ||
        all->next_tet_id < subdomain->mesh.next_tet_id) {
        return ew_fail(EW_BAD_INPUT,
                       "records: next ids %lld, %lld; part %d is at %lld, %lld already",
                       (long long)all->next_vertex_id, (long long)all->next_tet_id, subdomain->part,
                       (long long)subdomain->mesh.next_vertex_id,
                       (long long)subdomain->mesh.next_tet_id);
    }
    EW_TRY(queue_removals(subdomain));
    EW_TRY(queue_vertices(subdomain));
    for (int32_t i = 0; i < all->n_tet; i++) {
        EW_TRY(queue_tet(subdomain, &all->tet[i]));
    }
    return queue_faces(subdomain);
}

ew_status ew_subdomain_queue(ew_subdomain *subdomain, int32_t n, const ew_records *records)
{
    ew_edit_clear(&subdomain->queue.edit);
    ew_map_clear(&subdomain->queue.place);
    subdomain->queue.added.n = 0;
    const ew_status status = queue_all(subdomain, n, records);
    if (status) {
        ew_edit_clear(&subdomain->queue.edit);
        ew_records_clear(&subdomain->queue.all);
        subdomain->queue.added.n = 0;
    }
    return status;
}

/* ---- committing ------------------------------------------------------------------ */

ew_status ew_subdomain_check(ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                             ew_change *change)
{
    return ew_mesh_check_edit(&subdomain->mesh, &subdomain->queue.edit, vertex_to_tet, change);
}

static ew_status reserve(ew_subdomain *subdomain)
{
    const ew_edit *edit = &subdomain->queue.edit;
    EW_TRY(ew_subdomain_reserve(subdomain, (int64_t)subdomain->mesh.n_vertex + edit->n_add_vertex,
                                (int64_t)subdomain->mesh.n_tet + edit->n_add_tet));
    return ew_grow(&subdomain->queue.id, &subdomain->queue.id_capacity,
                   (int64_t)edit->n_add_vertex + edit->n_add_tet, sizeof(int64_t));
}

static ew_status name_added(ew_subdomain *subdomain, const ew_change *change)
{
    const ew_records *all = &subdomain->queue.all;
    const ew_list *vertex = &change->added_vertex, *tet = &change->added_tet;
    int64_t *vertex_id = subdomain->queue.id, *tet_id = vertex_id + vertex->n;
    for (int32_t k = 0; k < vertex->n; k++) {
        const ew_vertex_record *record = &all->vertex[subdomain->queue.added.id[k]];
        vertex_id[k] = record->id;
        subdomain->vertex_number[vertex->id[k]] = record->number;
        subdomain->atom[vertex->id[k]] = record->atom;
    }
    for (int32_t k = 0; k < tet->n; k++) {
        tet_id[k] = all->tet[k].id;
        subdomain->tet_number[tet->id[k]] = all->tet[k].number;
    }
    const ew_given_ids ids = {.n_vertex = vertex->n,
                              .n_tet = tet->n,
                              .vertex = vertex->id,
                              .tet = tet->id,
                              .vertex_id = vertex_id,
                              .tet_id = tet_id,
                              .next_vertex_id = all->next_vertex_id,
                              .next_tet_id = all->next_tet_id};
    return ew_mesh_give_ids(&subdomain->mesh, &ids);
}

/* order[v]: place of each vertex that is there by ascending number; those from `first` on came with
 * the edit, ascending, too. */
static void order_by_number(const ew_subdomain *subdomain, int32_t first, int32_t *order)
{
    const ew_mesh *mesh = &subdomain->mesh;
    int32_t old = 0, added = first, place = 0;
    while (old < first || added < mesh->n_vertex) {
        const bool take_old =
            old < first && (added == mesh->n_vertex ||
                            subdomain->vertex_number[old] < subdomain->vertex_number[added]);
        const int32_t v = take_old ? old++ : added++;
        order[v] = mesh->valence[v] < 0 ? -1 : place++;
    }
}

/* What stands in a slot goes to slot to[i]; -1: nowhere. */
static ew_status move_slots(void *array, int32_t n, size_t size, const int32_t *to)
{
    char *at = array, *copy = NULL;
    EW_TRY(ew_new(&copy, (size_t)n, size));
    if (n > 0) {
        memcpy(copy, at, (size_t)n * size);
    }
    for (int32_t i = 0; i < n; i++) {
        if (to[i] >= 0) {
            memcpy(at + size * (size_t)to[i], copy + size * (size_t)i, size);
        }
    }
    ew_release(copy);
    return EW_OK;
}

static ew_status renumber(ew_subdomain *subdomain, int32_t first)
{
    ew_mesh *mesh = &subdomain->mesh;
    const int32_t n_vertex = mesh->n_vertex, n_tet = mesh->n_tet;
    int32_t *order = NULL, *tet_to = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new(&order, (size_t)n_vertex, sizeof *order));
    EW_TRY_OUT(ew_new(&tet_to, (size_t)n_tet, sizeof *tet_to));
    order_by_number(subdomain, first, order);
    EW_TRY_OUT(ew_mesh_compact(mesh, order, false, NULL, tet_to));
    EW_TRY_OUT(move_slots(subdomain->vertex_number, n_vertex, sizeof(int64_t), order));
    EW_TRY_OUT(move_slots(subdomain->atom, n_vertex, sizeof(int32_t), order));
    EW_TRY_OUT(move_slots(subdomain->tet_number, n_tet, sizeof(int64_t), tet_to));
out:
    ew_release(order);
    ew_release(tet_to);
    return status;
}

ew_status ew_subdomain_commit(ew_subdomain *subdomain, const ew_rows *vertex_to_tet,
                              ew_change *change, bool *renumbered)
{
    ew_mesh *mesh = &subdomain->mesh;
    const int32_t first = mesh->n_vertex;
    EW_TRY(reserve(subdomain));
    EW_TRY(ew_mesh_commit(mesh, &subdomain->queue.edit, vertex_to_tet, change));
    EW_TRY(name_added(subdomain, change));
    if (subdomain->queue.renumbers) {
        EW_TRY(renumber(subdomain, first));
    }
    ew_id_index_update(&subdomain->vertex_at, mesh, change);
    ew_id_index_update(&subdomain->tet_at, mesh, change);
    EW_TRY(ew_id_index_prepare(&subdomain->vertex_at, EW_VERTEX_IDS, mesh));
    EW_TRY(ew_id_index_prepare(&subdomain->tet_at, EW_TET_IDS, mesh));
    *renumbered = subdomain->queue.renumbers;
    ew_edit_clear(&subdomain->queue.edit);
    ew_records_clear(&subdomain->queue.all);
    subdomain->queue.added.n = 0;
    subdomain->queue.renumbers = false;
    return EW_OK;
}
