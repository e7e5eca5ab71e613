/* The rules of a mesh, tested one after the other, each in O(n).
 * In: any mesh whose arrays have the sizes that its counts state. Out: the first broken rule.
 *
 *   MESH_POOL        counts lie in their capacities; the free lists name every hole once
 *   MESH_COORDINATE  positions of live vertices are finite
 *   MESH_RANGE       tets name live vertices, labeled triangles vertex slots
 *   MESH_REPEATED    the four vertices of a tet differ
 *   MESH_VOLUME      every live tet is right-handed, of shape EW_MIN_SHAPE or better
 *   MESH_DUPLICATE   no two live tets have the same vertices
 *   MESH_FACE        at most two live tets share a face, and they lie on either side of it
 *   MESH_REGION      regions exist, and no label occurs twice
 *   MESH_VALENCE     valences and the count of active vertices are those of the live tets
 *   MESH_IDS         ids of live vertices and tets are in [0, next) and occur once; those of the
 * ends of a curved side ascend, and lead to it */
#include "mesh/internal.h"

#include <math.h>

/* ---- pools ------------------------------------------------------------- */

static ew_status check_counts(const ew_mesh *mesh)
{
    if (mesh->n_vertex < 0 || mesh->n_vertex > mesh->vertex_capacity || mesh->n_tet < 0 ||
        mesh->n_tet > mesh->tet_capacity || mesh->n_tet > EW_MAX_TET || mesh->n_region < 0 ||
        mesh->n_region > mesh->region_capacity || mesh->n_face < 0) {
        return ew_fail(EW_MESH_POOL,
                       "mesh: %d vertex slots of %d, %d tet slots of %d, %d regions of %d, %d "
                       "triangles; counts must lie between 0 and what is allocated",
                       mesh->n_vertex, mesh->vertex_capacity, mesh->n_tet, mesh->tet_capacity,
                       mesh->n_region, mesh->region_capacity, mesh->n_face);
    }
    return EW_OK;
}

/* mark[stride * slot] < 0 says hole. Every hole must be on the list, once; it suffices that
 * the list names different holes and is as long as there are holes. */
static ew_status check_holes(const char *kind, int32_t n_slot, const int32_t *mark, size_t stride,
                             const ew_list *hole)
{
    ew_set seen = {0};
    ew_status status = EW_OK;
    int32_t n_hole = 0;

    for (int32_t i = 0; i < hole->n; i++) {
        int32_t slot = hole->id[i];
        if (slot < 0 || slot >= n_slot || mark[stride * (size_t)slot] != -1 ||
            ew_set_has(&seen, slot)) {
            status = ew_fail(EW_MESH_POOL,
                             "mesh: the free %s list names slot %d, which is not a hole or is "
                             "named twice",
                             kind, slot);
            goto out;
        }
        EW_TRY_OUT(ew_set_add(&seen, slot));
    }
    for (int32_t slot = 0; slot < n_slot; slot++) {
        n_hole += mark[stride * (size_t)slot] < 0;
    }
    if (n_hole != hole->n) {
        status = ew_fail(EW_MESH_POOL, "mesh: %d %s slots are holes, %d are on the free list",
                         n_hole, kind, hole->n);
    }
out:
    ew_set_free(&seen);
    return status;
}

static ew_status check_pools(const ew_mesh *mesh)
{
    EW_TRY(check_counts(mesh));
    EW_TRY(check_holes("vertex", mesh->n_vertex, mesh->valence, 1, &mesh->vertex_hole));
    EW_TRY(check_holes("tet", mesh->n_tet, mesh->tet, 4, &mesh->tet_hole));
    if (mesh->n_live_tet != mesh->n_tet - mesh->tet_hole.n) {
        return ew_fail(EW_MESH_POOL, "mesh: it counts %d live tets, %d slots are no holes",
                       mesh->n_live_tet, mesh->n_tet - mesh->tet_hole.n);
    }
    return EW_OK;
}

/* ---- geometry ---------------------------------------------------------- */

static ew_status check_coordinates(const ew_mesh *mesh)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (mesh->valence[v] >= 0 && (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))) {
            return ew_fail(EW_MESH_COORDINATE, "%s: position (%g, %g, %g) is not finite",
                           ew_vertex_name(mesh, v).text, x[0], x[1], x[2]);
        }
    }
    return EW_OK;
}

static ew_status check_ranges(const ew_mesh *mesh)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        for (int i = 0; v[0] >= 0 && i < 4; i++) {
            if (v[i] < 0 || v[i] >= mesh->n_vertex || mesh->valence[v[i]] < 0) {
                return ew_fail(EW_MESH_RANGE, "%s: vertex slot %d does not exist or is a hole",
                               ew_tet_name(mesh, t).text, v[i]);
            }
        }
    }
    for (int64_t i = 0; i < 3 * (int64_t)mesh->n_face; i++) {
        if (mesh->face[i] < 0 || mesh->face[i] >= mesh->n_vertex) {
            return ew_fail(EW_MESH_RANGE, "labeled triangle %d: vertex slot %d does not exist",
                           (int)(i / 3), mesh->face[i]);
        }
    }
    return EW_OK;
}

static ew_status check_repeats(const ew_mesh *mesh)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        for (int k = 0; v[0] >= 0 && k < 6; k++) {
            if (v[ew_edge_vertex[k][0]] == v[ew_edge_vertex[k][1]]) {
                return ew_fail(EW_MESH_REPEATED,
                               "%s: %s is named twice; a tet needs four "
                               "vertices",
                               ew_tet_name(mesh, t).text,
                               ew_vertex_name(mesh, v[ew_edge_vertex[k][0]]).text);
            }
        }
    }
    return EW_OK;
}

static ew_status check_volumes(const ew_mesh *mesh)
{
    const double *x = mesh->xyz;
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (v[0] >= 0 && ew_tet_hand(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1],
                                     x + 3 * (size_t)v[2], x + 3 * (size_t)v[3]) <= 0) {
            return ew_fail(EW_MESH_VOLUME,
                           "%s: volume %g is not positive or 6V / (longest "
                           "edge)^3 is below %g",
                           ew_tet_name(mesh, t).text, ew_mesh_tet_volume(mesh, t), EW_MIN_SHAPE);
        }
    }
    return EW_OK;
}

/* ---- connectivity ------------------------------------------------------ */

/* Of three tets on a face two lie on the same side, so sides find a crowd, too. */
static ew_status fail_face(const ew_mesh *mesh, const int32_t pair[2])
{
    bool crowded;
    int32_t t[3];
    EW_TRY(ew_tets_repeat(mesh->n_vertex, mesh->n_tet, mesh->tet, EW_REPEAT_FACE, &crowded, t));
    if (crowded) {
        return ew_fail(EW_MESH_FACE, "%s, %s and %s share a face; at most two may",
                       ew_tet_name(mesh, t[0]).text, ew_tet_name(mesh, t[1]).text,
                       ew_tet_name(mesh, t[2]).text);
    }
    return ew_fail(EW_MESH_FACE,
                   "%s and %s share a face and lie on the same side of it, so they overlap; "
                   "remove one of them",
                   ew_tet_name(mesh, pair[0]).text, ew_tet_name(mesh, pair[1]).text);
}

static ew_status check_sharing(const ew_mesh *mesh)
{
    bool found;
    int32_t t[3];
    EW_TRY(ew_tets_repeat(mesh->n_vertex, mesh->n_tet, mesh->tet, EW_REPEAT_TET, &found, t));
    if (found) {
        return ew_fail(EW_MESH_DUPLICATE, "%s and %s have the same vertices; remove one of them",
                       ew_tet_name(mesh, t[0]).text, ew_tet_name(mesh, t[1]).text);
    }
    EW_TRY(ew_tets_repeat(mesh->n_vertex, mesh->n_tet, mesh->tet, EW_REPEAT_SIDE, &found, t));
    return found ? fail_face(mesh, t) : EW_OK;
}

static ew_status check_regions(const ew_mesh *mesh)
{
    ew_list label = {.n = mesh->n_region};
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) &&
            (mesh->region[t] < 0 || mesh->region[t] >= mesh->n_region)) {
            return ew_fail(EW_MESH_REGION, "%s: region %d of %d does not exist",
                           ew_tet_name(mesh, t).text, mesh->region[t], mesh->n_region);
        }
    }
    EW_TRY(ew_new(&label.id, (size_t)label.n, sizeof *label.id));
    for (int32_t r = 0; r < label.n; r++) {
        label.id[r] = mesh->region_label[r];
    }
    ew_list_sort(&label);
    ew_status status = EW_OK;
    for (int32_t r = 1; r < label.n && !status; r++) {
        if (label.id[r] == label.id[r - 1]) {
            status = ew_fail(EW_MESH_REGION, "mesh: two regions have the label %d", label.id[r]);
        }
    }
    ew_list_free(&label);
    return status;
}

static ew_status compare_valence(const ew_mesh *mesh, const int32_t *valence)
{
    int32_t n_active = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] >= 0 && mesh->valence[v] != valence[v]) {
            return ew_fail(EW_MESH_VALENCE, "%s: its count of tets is %d, it has %d",
                           ew_vertex_name(mesh, v).text, mesh->valence[v], valence[v]);
        }
        n_active += valence[v] > 0;
    }
    if (n_active != mesh->n_active_vertex) {
        return ew_fail(EW_MESH_VALENCE, "mesh: it counts %d active vertices, there are %d",
                       mesh->n_active_vertex, n_active);
    }
    return EW_OK;
}

static ew_status check_valence(const ew_mesh *mesh)
{
    int32_t *valence;
    EW_TRY(ew_new_zero(&valence, (size_t)mesh->n_vertex, sizeof *valence));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int i = 0; ew_mesh_tet_is_live(mesh, t) && i < 4; i++) {
            valence[mesh->tet[4 * (size_t)t + i]]++;
        }
    }
    ew_status status = compare_valence(mesh, valence);
    ew_release(valence);
    return status;
}

/* ---- ids --------------------------------------------------------------- */

/* Ids grow without bound while slots do not, so uniqueness is tested in a hash table of the
 * slots: `table` has 2^bits > 2 n_slot places, each slot + 1 or 0. */
static int32_t same_id(uint32_t *table, int bits, const int64_t *id, int32_t slot)
{
    size_t mask = ((size_t)1 << bits) - 1;
    size_t place = (size_t)(((uint64_t)id[slot] * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - bits));
    for (; table[place]; place = (place + 1) & mask) {
        if (id[table[place] - 1] == id[slot]) {
            return (int32_t)(table[place] - 1);
        }
    }
    table[place] = (uint32_t)slot + 1;
    return -1;
}

/* Live slots are those with mark[stride * slot] >= 0. */
static ew_status check_id_array(const char *kind, int32_t n_slot, const int32_t *mark,
                                size_t stride, const int64_t *id, int64_t next)
{
    uint32_t *table;
    ew_status status = EW_OK;
    int bits = 2;
    while (((int64_t)1 << bits) <= 2 * (int64_t)n_slot) {
        bits++;
    }
    EW_TRY(ew_new_zero(&table, (size_t)1 << bits, sizeof *table));
    for (int32_t slot = 0; slot < n_slot && !status; slot++) {
        if (mark[stride * (size_t)slot] < 0) {
            continue;
        }
        if (id[slot] < 0 || id[slot] >= next) {
            status = ew_fail(EW_MESH_IDS, "%s slot %d: its id %lld is not in 0 .. %lld", kind, slot,
                             (long long)id[slot], (long long)next - 1);
            break;
        }
        int32_t other = same_id(table, bits, id, slot);
        if (other >= 0) {
            status = ew_fail(EW_MESH_IDS, "%s slots %d and %d have the same id %lld", kind, other,
                             slot, (long long)id[slot]);
        }
    }
    ew_release(table);
    return status;
}

static ew_status check_curved_sides(const ew_mesh *mesh)
{
    for (int32_t i = 0; i < mesh->n_curve; i++) {
        const int64_t *end = mesh->curve_end + 2 * (size_t)i;
        if (end[0] < 0 || end[0] >= end[1] || end[1] >= mesh->next_vertex_id ||
            ew_mesh_curve(mesh, end[0], end[1]) != mesh->curve + 3 * (size_t)i) {
            return ew_fail(EW_MESH_IDS,
                           "curved side %d: the ids of its ends, %lld and %lld, do not ascend from "
                           "0 to below %lld, or are not where the table of sides has them",
                           i, (long long)end[0], (long long)end[1],
                           (long long)mesh->next_vertex_id);
        }
    }
    return EW_OK;
}

ew_status ew_mesh_check(const ew_mesh *mesh)
{
    EW_TRY(check_pools(mesh));
    EW_TRY(check_coordinates(mesh));
    EW_TRY(check_ranges(mesh));
    EW_TRY(check_repeats(mesh));
    EW_TRY(check_volumes(mesh));
    EW_TRY(check_sharing(mesh));
    EW_TRY(check_regions(mesh));
    EW_TRY(check_valence(mesh));
    EW_TRY(check_id_array("vertex", mesh->n_vertex, mesh->valence, 1, mesh->vertex_id,
                          mesh->next_vertex_id));
    EW_TRY(check_id_array("tet", mesh->n_tet, mesh->tet, 4, mesh->tet_id, mesh->next_tet_id));
    return check_curved_sides(mesh);
}
