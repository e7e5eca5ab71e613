/* Slots and ids of a mesh that comes from a file which kept them. In: a mesh as it was read,
 * without holes, its ids the places in the file, and where each of its vertices and tets belongs.
 * Out: the mesh as it was when it was written: the same slots, holes in the same order, the same
 * ids, so that the next edit does what it would have done then. */
#include "mesh/internal.h"

#include <math.h>
#include <string.h>

void ew_mesh_slots_free(ew_mesh_slots *slots)
{
    ew_release(slots->vertex);
    ew_release(slots->vertex_id);
    ew_release(slots->tet);
    ew_release(slots->tet_id);
    ew_release(slots->unused);
    ew_release(slots->unused_id);
    ew_release(slots->unused_xyz);
    ew_list_free(&slots->vertex_hole);
    ew_list_free(&slots->tet_hole);
    ew_list_free(&slots->region);
    ew_release(slots->face);
    ew_release(slots->curve_end);
    ew_release(slots->curve);
    memset(slots, 0, sizeof *slots);
}

/* ---- checks ------------------------------------------------------------ */

/* Each slot is in range and not taken yet. */
static ew_status take_slots(const char *kind, const int32_t *slot, int32_t n, int32_t n_slot,
                            uint8_t *taken)
{
    for (int32_t i = 0; i < n; i++) {
        if (slot[i] < 0 || slot[i] >= n_slot || taken[slot[i]]) {
            return ew_fail(EW_BAD_INPUT,
                           "%s slot %d is taken twice or not among the %d slots that there are",
                           kind, slot[i], n_slot);
        }
        taken[slot[i]] = 1;
    }
    return EW_OK;
}

/* Entities, unused ones and holes fill the slots exactly. */
static ew_status check_slots(const char *kind, int32_t n_slot, const int32_t *slot, int32_t n,
                             const int32_t *unused, int32_t n_unused, const ew_list *hole)
{
    uint8_t *taken;
    const int64_t sum = (int64_t)n + n_unused + hole->n;
    if (sum != n_slot) {
        return ew_fail(EW_BAD_INPUT, "%d %s slots, but %lld vertices or tets and holes", n_slot,
                       kind, (long long)sum);
    }
    EW_TRY(ew_new_zero(&taken, (size_t)n_slot, 1));
    ew_status status = take_slots(kind, slot, n, n_slot, taken);
    status = status ? status : take_slots(kind, unused, n_unused, n_slot, taken);
    status = status ? status : take_slots(kind, hole->id, hole->n, n_slot, taken);
    ew_release(taken);
    return status;
}

static ew_status check_ids(const char *kind, const int64_t *id, int32_t n, int64_t next)
{
    for (int32_t i = 0; i < n; i++) {
        if (id[i] < 0 || id[i] >= next || (i && id[i] <= id[i - 1])) {
            return ew_fail(EW_BAD_INPUT,
                           "%s id %lld; ids ascend from 0, and are below the next one, %lld", kind,
                           (long long)id[i], (long long)next);
        }
    }
    return EW_OK;
}

/* Both ascend. */
static ew_status check_different(const int64_t *id, int32_t n, const int64_t *other, int32_t m)
{
    for (int32_t i = 0, k = 0; i < m; i++) {
        while (k < n && id[k] < other[i]) {
            k++;
        }
        if (k < n && id[k] == other[i]) {
            return ew_fail(EW_BAD_INPUT, "two vertices have the id %lld", (long long)id[k]);
        }
    }
    return EW_OK;
}

static bool is_finite(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* region[r]: the place in the list of region r of the file. */
static ew_status find_regions(const ew_mesh *mesh, const ew_mesh_slots *slots, int32_t *region)
{
    ew_map place = {0};
    ew_status status = EW_OK;
    for (int32_t r = 0; r < slots->region.n && !status; r++) {
        int32_t old = -1;
        status = ew_map_enter(&place, slots->region.id[r], -1, -1, r, &old);
        if (!status && old >= 0) {
            status = ew_fail(EW_BAD_INPUT, "region %d is listed twice", slots->region.id[r]);
        }
    }
    for (int32_t r = 0; r < mesh->n_region && !status; r++) {
        region[r] = ew_map_find(&place, mesh->region_label[r], -1, -1);
        if (region[r] < 0) {
            status =
                ew_fail(EW_BAD_INPUT, "region %d of the tets is not listed", mesh->region_label[r]);
        }
    }
    ew_map_free(&place);
    return status;
}

static ew_status check_faces(const ew_mesh *mesh, const ew_mesh_slots *slots)
{
    for (int32_t f = 0; f < slots->n_face; f++) {
        const int32_t *at = slots->face + 5 * (size_t)f;
        bool good =
            at[0] >= 0 && at[0] < (int64_t)mesh->n_face + slots->n_face && (!f || at[0] > at[-5]);
        for (int k = 1; k < 4; k++) {
            good = good && at[k] >= 0 && at[k] < slots->n_vertex;
        }
        if (!good) {
            return ew_fail(EW_BAD_INPUT, "labeled triangle %d is not where one can be", at[0]);
        }
    }
    return slots->face_id_end < 0 || slots->face_id_end > slots->next_vertex_id
               ? ew_fail(EW_BAD_INPUT, "triangles may mean vertices below %lld",
                         (long long)slots->face_id_end)
               : EW_OK;
}

static ew_status check_curves(const ew_mesh_slots *slots)
{
    for (int32_t i = 0; i < slots->n_curve; i++) {
        const int64_t *end = slots->curve_end + 2 * (size_t)i;
        const bool after = !i || end[-2] < end[0] || (end[-2] == end[0] && end[-1] < end[1]);
        if (!after || end[0] < 0 || end[0] >= end[1] || end[1] >= slots->next_vertex_id ||
            !is_finite(slots->curve + 3 * (size_t)i) || !slots->has_middles) {
            return ew_fail(EW_BAD_INPUT, "the curved side from vertex %lld to %lld",
                           (long long)end[0], (long long)end[1]);
        }
    }
    return EW_OK;
}

static ew_status check(const ew_mesh *mesh, const ew_mesh_slots *slots)
{
    if (mesh->vertex_hole.n || mesh->tet_hole.n || mesh->n_vertex != slots->n_file_vertex ||
        mesh->n_tet != slots->n_file_tet) {
        return ew_fail(EW_BAD_INPUT,
                       "slots of %d vertices and %d tets, the file has %d and %d: it was changed "
                       "since; delete the lines of slots, and ids begin from 0 again",
                       slots->n_file_vertex, slots->n_file_tet, mesh->n_vertex, mesh->n_tet);
    }
    if (slots->n_tet > EW_MAX_TET) {
        return ew_fail(EW_LIMIT, "%d tet slots; at most %d can be named", slots->n_tet, EW_MAX_TET);
    }
    EW_TRY(check_slots("vertex", slots->n_vertex, slots->vertex, mesh->n_vertex, slots->unused,
                       slots->n_unused, &slots->vertex_hole));
    EW_TRY(check_slots("tet", slots->n_tet, slots->tet, mesh->n_tet, NULL, 0, &slots->tet_hole));
    EW_TRY(check_ids("vertex", slots->vertex_id, mesh->n_vertex, slots->next_vertex_id));
    EW_TRY(check_ids("vertex", slots->unused_id, slots->n_unused, slots->next_vertex_id));
    EW_TRY(check_different(slots->vertex_id, mesh->n_vertex, slots->unused_id, slots->n_unused));
    EW_TRY(check_ids("tet", slots->tet_id, mesh->n_tet, slots->next_tet_id));
    for (int32_t i = 0; i < slots->n_unused; i++) {
        if (!is_finite(slots->unused_xyz + 3 * (size_t)i)) {
            return ew_fail(EW_BAD_INPUT, "vertex %lld is not at a finite place",
                           (long long)slots->unused_id[i]);
        }
    }
    EW_TRY(check_faces(mesh, slots));
    return check_curves(slots);
}

/* ---- into their slots ---------------------------------------------------- */

static void place_vertices(ew_mesh *to, const ew_mesh *mesh, const ew_mesh_slots *slots)
{
    memset(to->xyz, 0, 3 * (size_t)to->n_vertex * sizeof *to->xyz);
    memset(to->vertex_id, 0, (size_t)to->n_vertex * sizeof *to->vertex_id);
    memset(to->valence, -1, (size_t)to->n_vertex * sizeof *to->valence);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        const size_t v = (size_t)slots->vertex[i];
        memcpy(to->xyz + 3 * v, mesh->xyz + 3 * (size_t)i, 3 * sizeof *to->xyz);
        to->valence[v] = mesh->valence[i];
        to->vertex_id[v] = slots->vertex_id[i];
    }
    for (int32_t i = 0; i < slots->n_unused; i++) {
        const size_t v = (size_t)slots->unused[i];
        memcpy(to->xyz + 3 * v, slots->unused_xyz + 3 * (size_t)i, 3 * sizeof *to->xyz);
        to->valence[v] = 0;
        to->vertex_id[v] = slots->unused_id[i];
    }
}

static void place_tets(ew_mesh *to, const ew_mesh *mesh, const ew_mesh_slots *slots,
                       const int32_t *region)
{
    memset(to->tet, -1, 4 * (size_t)to->n_tet * sizeof *to->tet);
    memset(to->region, 0, (size_t)to->n_tet * sizeof *to->region);
    memset(to->tet_id, 0, (size_t)to->n_tet * sizeof *to->tet_id);
    memset(to->born, 0, (size_t)to->n_tet * sizeof *to->born);
    for (int32_t r = 0; r < to->n_region; r++) {
        to->region_label[r] = slots->region.id[r];
    }
    for (int32_t i = 0; i < mesh->n_tet; i++) {
        const size_t t = (size_t)slots->tet[i];
        for (size_t k = 0; k < 4; k++) {
            to->tet[4 * t + k] = slots->vertex[mesh->tet[4 * (size_t)i + k]];
        }
        to->region[t] = region[mesh->region[i]];
        to->tet_id[t] = slots->tet_id[i];
    }
}

/* Those of the file between those that are no faces now. */
static void place_faces(ew_mesh *to, const ew_mesh *mesh, const ew_mesh_slots *slots)
{
    for (int32_t f = 0, extra = 0, read = 0; f < to->n_face; f++) {
        const int32_t *kept = slots->face + 5 * (size_t)extra;
        int32_t *corner = to->face + 3 * (size_t)f;
        if (extra < slots->n_face && kept[0] == f) {
            memcpy(corner, kept + 1, 3 * sizeof *corner);
            to->face_label[f] = kept[4];
            extra++;
            continue;
        }
        for (size_t k = 0; k < 3; k++) {
            corner[k] = slots->vertex[mesh->face[3 * (size_t)read + k]];
        }
        to->face_label[f] = mesh->face_label[read++];
    }
}

static ew_status place_curves(ew_mesh *to, const ew_mesh_slots *slots)
{
    to->has_middles = slots->has_middles;
    if (to->n_curve) {
        memcpy(to->curve_end, slots->curve_end, 2 * (size_t)to->n_curve * sizeof *to->curve_end);
        memcpy(to->curve, slots->curve, 3 * (size_t)to->n_curve * sizeof *to->curve);
    }
    ew_mesh_index_curves(to);
    return ew_mesh_check_curves(to);
}

/* Data in lists and by ids alone. */
static void take_over(ew_mesh *to, ew_mesh_slots *slots)
{
    to->next_vertex_id = slots->next_vertex_id;
    to->next_tet_id = slots->next_tet_id;
    to->face_id_end = slots->face_id_end;
    to->vertex_hole = slots->vertex_hole;
    to->tet_hole = slots->tet_hole;
    memset(&slots->vertex_hole, 0, sizeof slots->vertex_hole);
    memset(&slots->tet_hole, 0, sizeof slots->tet_hole);
}

ew_status ew_mesh_place(ew_mesh *mesh, ew_mesh_slots *slots)
{
    EW_TRY(check(mesh, slots));
    ew_mesh made = {.n_vertex = slots->n_vertex,
                    .n_tet = slots->n_tet,
                    .n_active_vertex = mesh->n_active_vertex,
                    .n_live_tet = mesh->n_live_tet,
                    .n_region = slots->region.n,
                    .n_face = mesh->n_face + slots->n_face,
                    .n_curve = slots->n_curve,
                    .frame = mesh->frame,
                    .keeps_slots = true,
                    .revision = mesh->revision};
    int32_t *region = NULL;
    ew_status status;
    EW_TRY_OUT(ew_new(&region, (size_t)mesh->n_region, sizeof *region));
    EW_TRY_OUT(find_regions(mesh, slots, region));
    EW_TRY_OUT(ew_mesh_allocate(&made));
    place_vertices(&made, mesh, slots);
    place_tets(&made, mesh, slots, region);
    place_faces(&made, mesh, slots);
    EW_TRY_OUT(place_curves(&made, slots));
    take_over(&made, slots);
    ew_mesh_free(mesh);
    *mesh = made;
out:
    ew_release(region);
    if (status) {
        ew_mesh_free(&made);
    }
    return status;
}
