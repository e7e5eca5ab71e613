/* Bindings follow an edit. In: a mapping, a committed change, the tables after it. Out: vertices of
 * removed tets bound to tets around them, or released; undeformed positions moved with their tets.
 * The rule is that of mapping.h. */
#include "mapping/internal.h"

#include <math.h>
#include <string.h>

/* ---- moved tets ------------------------------------------------------------------ */

static ew_status move_rest(ew_mapping *mapping, const ew_mesh *mesh, const ew_list *moved)
{
    for (int32_t i = 0; i < moved->n; i++) {
        double corner[12];
        ew_place place;
        ew_mesh_tet_values(mesh, moved->id[i], mesh->xyz, corner);
        for (int32_t v = mapping->first[moved->id[i]]; v >= 0; v = mapping->next[v]) {
            const double *w = mapping->weight + 4 * (size_t)v;
            double *x = mapping->rest + 3 * (size_t)v;
            for (int c = 0; c < 3; c++) {
                x[c] = w[0] * corner[c] + w[1] * corner[3 + c] + w[2] * corner[6 + c] +
                       w[3] * corner[9 + c];
            }
            if (mapping->distance[v] > 0.0) {
                ew_place_in(mesh, moved->id[i], x, &place);
                mapping->distance[v] = place.distance;
            }
            mapping->is_reshaped = true;
            EW_TRY(ew_list_push(&mapping->touched, v));
        }
    }
    return EW_OK;
}

/* ---- vertices whose tets are gone ---------------------------------------------------- */

/* Takes them off their lists. owner: the place of their tet in change->removed_tet. */
static ew_status detach(ew_mapping *mapping, const ew_change *change)
{
    ew_list *vertex = &mapping->update.vertex, *owner = &mapping->update.owner;
    vertex->n = owner->n = 0;
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        const int32_t t = change->removed_tet.id[i];
        for (int32_t v = mapping->first[t]; v >= 0; v = mapping->next[v]) {
            EW_TRY(ew_list_push(vertex, v));
            EW_TRY(ew_list_push(owner, i));
        }
        mapping->first[t] = -1;
    }
    return EW_OK;
}

/* Into the list of its tet, in ascending order. */
static void attach(ew_mapping *mapping, int32_t v)
{
    int32_t *at = &mapping->first[mapping->tet[v]];
    while (*at >= 0 && *at < v) {
        at = &mapping->next[*at];
    }
    mapping->next[v] = *at;
    *at = v;
}

static int32_t find_removed(const ew_list *removed, int32_t t)
{
    int32_t low = 0, high = removed->n;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (removed->id[middle] < t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < removed->n && removed->id[low] == t ? low : -1;
}

/* part_first[removed tet], part_next[added tet]: places in change->added_tet, -1 at the end. */
static ew_status link_parts(ew_mapping *mapping, const ew_change *change)
{
    ew_list *first = &mapping->update.part_first, *next = &mapping->update.part_next;
    first->n = next->n = 0;
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        EW_TRY(ew_list_push(first, -1));
    }
    for (int32_t k = 0; k < change->added_tet.n; k++) {
        const int32_t i = find_removed(&change->removed_tet, change->added_tet_from[k]);
        EW_TRY(ew_list_push(next, i >= 0 ? first->id[i] : -1));
        if (i >= 0) {
            first->id[i] = k;
        }
    }
    return EW_OK;
}

/* ---- the search -------------------------------------------------------------------------- */

static ew_status list_star(const ew_topology *topology, int32_t vertex, ew_list *tet)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[vertex]; i++) {
        EW_TRY(ew_list_push(tet, rows->item[rows->begin[vertex] + i]));
    }
    return EW_OK;
}

/* Where the search for the vertices of removed tet i begins. */
static ew_status list_first(ew_mapping *mapping, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_change *change, int32_t i)
{
    ew_list *candidate = &mapping->update.candidate;
    const int64_t first_new =
        change->added_vertex.n ? mesh->vertex_id[change->added_vertex.id[0]] : INT64_MAX;
    candidate->n = 0;
    for (int32_t k = mapping->update.part_first.id[i]; k >= 0;
         k = mapping->update.part_next.id[k]) {
        EW_TRY(ew_list_push(candidate, change->added_tet.id[k]));
    }
    for (int32_t j = 0; j < 4 && mapping->update.part_first.id[i] < 0; j++) {
        const int32_t v = change->removed_tet_vertex[4 * (size_t)i + (size_t)j];
        if (ew_mesh_vertex_is_active(mesh, v) && mesh->vertex_id[v] < first_new) {
            EW_TRY(list_star(topology, v, candidate));
        }
    }
    return EW_OK;
}

/* From the nearest of the first candidates on to nearer ones around it. candidate: what list_first
 * gave, which comes back as it was. */
static ew_status search(ew_mapping *mapping, const ew_mesh *mesh, const ew_topology *topology,
                        const double x[3], ew_place *place)
{
    ew_list *candidate = &mapping->update.candidate;
    const int32_t n_first = candidate->n;
    ew_place next;
    ew_place_choose(mesh, candidate->id, n_first, x, place);
    for (bool go_on = place->tet >= 0; go_on; *place = next) {
        const int32_t *corner = mesh->tet + 4 * (size_t)place->tet;
        for (int j = 0; j < 4; j++) {
            EW_TRY(list_star(topology, corner[j], candidate));
        }
        ew_place_choose(mesh, candidate->id + n_first, candidate->n - n_first, x, &next);
        candidate->n = n_first;
        go_on = next.distance < place->distance;
    }
    return EW_OK;
}

static bool share_vertex(const int32_t a[4], const int32_t b[4])
{
    bool any = false;
    for (int i = 0; i < 16; i++) {
        any = any || a[i / 4] == b[i % 4];
    }
    return any;
}

/* A slit lies between what was beside removed tet i and its parts, and may have come nearer than
 * the vertex: then a part of another removed tet there has it now. */
static ew_status search_beyond(ew_mapping *mapping, const ew_mesh *mesh, const ew_change *change,
                               int32_t i, const double x[3], ew_place *place)
{
    ew_list *candidate = &mapping->update.candidate;
    const int32_t *corner = change->removed_tet_vertex, n_first = candidate->n;
    ew_place other;
    for (int32_t r = 0; r < change->removed_tet.n; r++) {
        int32_t k = mapping->update.part_first.id[r];
        if (k < 0 || !share_vertex(corner + 4 * (size_t)i, corner + 4 * (size_t)r)) {
            continue;
        }
        for (; k >= 0; k = mapping->update.part_next.id[k]) {
            EW_TRY(ew_list_push(candidate, change->added_tet.id[k]));
        }
    }
    ew_place_choose(mesh, candidate->id + n_first, candidate->n - n_first, x, &other);
    candidate->n = n_first;
    *place = other.tet >= 0 && other.distance < place->distance ? other : *place;
    return EW_OK;
}

/* Whether the material of a vertex is gone, not just its tet. */
static bool is_gone(const ew_mapping *mapping, const ew_mesh *mesh, int32_t v,
                    const ew_place *place)
{
    if (place->tet < 0) {
        return true;
    }
    const double size = cbrt(6.0 * ew_mesh_tet_volume(mesh, place->tet));
    return mapping->drop && place->distance > mapping->distance[v] + 1e-6 * size;
}

static ew_status bind_detached(ew_mapping *mapping, const ew_mesh *mesh,
                               const ew_topology *topology, const ew_change *change)
{
    const ew_list *vertex = &mapping->update.vertex, *owner = &mapping->update.owner;
    for (int32_t k = 0; k < vertex->n; k++) {
        const int32_t v = vertex->id[k];
        ew_place place;
        if (k == 0 || owner->id[k] != owner->id[k - 1]) {
            EW_TRY(list_first(mapping, mesh, topology, change, owner->id[k]));
        }
        const double *x = mapping->rest + 3 * (size_t)v;
        EW_TRY(search(mapping, mesh, topology, x, &place));
        if (place.distance > mapping->distance[v] &&
            mapping->update.part_first.id[owner->id[k]] >= 0) {
            EW_TRY(search_beyond(mapping, mesh, change, owner->id[k], x, &place));
        }
        if (is_gone(mapping, mesh, v, &place)) {
            place = (ew_place){.tet = -1};
            mapping->n_released++;
            mapping->is_reshaped = true;
        }
        mapping_put(mapping, v, &place);
        EW_TRY(ew_list_push(&mapping->touched, v));
    }
    for (int32_t k = vertex->n - 1; k >= 0; k--) { /* highest first: at the heads of their lists */
        const int32_t v = vertex->id[k];
        mapping->next[v] = -1;
        if (mapping->tet[v] >= 0) {
            attach(mapping, v);
        }
    }
    return EW_OK;
}

static ew_status update(ew_mapping *mapping, const ew_mesh *mesh, const ew_topology *topology,
                        const ew_change *change)
{
    EW_TRY(mapping_reserve_tets(mapping, mesh->n_tet));
    EW_TRY(move_rest(mapping, mesh, &change->moved_tet));
    EW_TRY(detach(mapping, change));
    if (mapping->update.vertex.n == 0) {
        return EW_OK;
    }
    EW_TRY(link_parts(mapping, change));
    return bind_detached(mapping, mesh, topology, change);
}

ew_status ew_mapping_update(ew_mapping *mapping, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_change *change)
{
    if (mapping->revision != change->from_revision || mesh->revision != change->to_revision ||
        topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE, "mapping: the change is not one of the mesh it is bound to");
    }
    mapping->touched.n = 0;
    mapping->is_reshaped = false;
    mapping->revision = 0;
    EW_TRY(update(mapping, mesh, topology, change));
    mapping->revision = mesh->revision;
    return EW_OK;
}
