/* Boundary faces that follow the mesh. In: a mesh, its tables, what an edit changed. Out: a slot
 * for every boundary face, and which old face every new one descends from.
 *
 * An update goes in this order: the faces of removed tets leave their slots; around every vertex of
 * removed and added tets, faces that are covered now leave theirs, and new ones are
 * listed; their origin is looked up while old and new slots still differ; then the new
 * faces get slots, and the slots left become free for the next update. */
#include "topology/internal.h"

#include <string.h>

enum { NO_GROUP = -1 };

/* ---- faces of tets ----------------------------------------------------- */

static void face_corners(const int32_t tet[4], int face, int32_t corner[3])
{
    for (int k = 0; k < 3; k++) {
        corner[k] = tet[ew_face_vertex[face][k]];
    }
}

static void swap_if_descending(int32_t *a, int32_t *b)
{
    if (*a > *b) {
        int32_t c = *a;
        *a = *b;
        *b = c;
    }
}

static void sort_corners(int32_t corner[3])
{
    swap_if_descending(&corner[0], &corner[1]);
    swap_if_descending(&corner[1], &corner[2]);
    swap_if_descending(&corner[0], &corner[1]);
}

/* The face of a tet that has the three vertices, or -1. */
static int face_with(const int32_t tet[4], const int32_t corner[3])
{
    int found = 0, other = -1;
    for (int k = 0; k < 4; k++) {
        bool in = tet[k] == corner[0] || tet[k] == corner[1] || tet[k] == corner[2];
        found += in;
        other = in ? other : k;
    }
    return found == 3 ? other : -1;
}

/* Code of the boundary face of these three vertices as the tables are now; -1 when no tet has it,
 * or two. */
static int32_t find_by_corners(const ew_topology *topology, const ew_mesh *mesh,
                               const int32_t corner[3])
{
    for (int k = 0; k < 3; k++) {
        if (mesh->valence[corner[k]] <= 0) {
            return -1;
        }
    }
    const ew_rows *rows = &topology->edge_to_tet;
    int32_t edge = ew_pattern_pair_between(&topology->pattern, corner[0], corner[1]), code = -1;
    for (int32_t i = 0; edge >= 0 && i < rows->count[edge]; i++) {
        int32_t t = rows->item[rows->begin[edge] + i];
        int face = face_with(mesh->tet + 4 * (size_t)t, corner);
        if (face >= 0 && code >= 0) {
            return -1;
        }
        code = face >= 0 ? 4 * t + face : code;
    }
    return code;
}

/* ---- slots ------------------------------------------------------------- */

bool ew_boundary_has_tet(const ew_boundary *boundary, int32_t tet)
{
    return tet >= 0 && tet < boundary->n_tet && boundary->tet_group[tet] >= 0;
}

int32_t ew_boundary_find(const ew_boundary *boundary, int32_t code)
{
    int32_t t = code / 4, group = code >= 0 && t < boundary->n_tet ? boundary->tet_group[t] : -1;
    return group < 0 ? -1 : boundary->group_slot[4 * (size_t)group + (size_t)(code % 4)];
}

static ew_status open_group(ew_boundary *boundary, int32_t t)
{
    int32_t group = boundary->n_group;
    if (boundary->group_hole.n) {
        group = boundary->group_hole.id[--boundary->group_hole.n];
    } else {
        EW_TRY(ew_grow(&boundary->group_slot, &boundary->group_capacity, (int64_t)group + 1,
                       4 * sizeof *boundary->group_slot));
        boundary->n_group++;
    }
    memset(boundary->group_slot + 4 * (size_t)group, -1, 4 * sizeof *boundary->group_slot);
    boundary->tet_group[t] = group;
    return EW_OK;
}

/* Enters the slot of a face into its tet's group; slot -1 takes it out, and the group with its
 * last face. */
static ew_status enter_slot(ew_boundary *boundary, int32_t code, int32_t slot)
{
    int32_t *group = &boundary->tet_group[code / 4];
    if (*group < 0) {
        EW_TRY(open_group(boundary, code / 4));
    }
    int32_t *of = boundary->group_slot + 4 * (size_t)*group;
    of[code % 4] = slot;
    if (of[0] < 0 && of[1] < 0 && of[2] < 0 && of[3] < 0) {
        EW_TRY(ew_list_push(&boundary->group_hole, *group));
        *group = NO_GROUP;
    }
    return EW_OK;
}

static ew_status open_slot(ew_boundary *boundary, int32_t code, int32_t *slot)
{
    if (boundary->hole.n) {
        *slot = boundary->hole.id[--boundary->hole.n];
    } else {
        EW_TRY(ew_grow(&boundary->code, &boundary->slot_capacity, (int64_t)boundary->n_slot + 1,
                       sizeof *boundary->code));
        *slot = boundary->n_slot++;
    }
    boundary->code[*slot] = code;
    boundary->n_live++;
    return enter_slot(boundary, code, *slot);
}

/* ---- build and release ------------------------------------------------- */

void ew_boundary_free(ew_boundary *boundary)
{
    ew_release(boundary->code);
    ew_list_free(&boundary->hole);
    ew_release(boundary->tet_group);
    ew_release(boundary->group_slot);
    ew_list_free(&boundary->group_hole);
    ew_list_free(&boundary->removed);
    ew_release(boundary->removed_vertex);
    ew_list_free(&boundary->added);
    ew_list_free(&boundary->from);
    ew_list_free(&boundary->kept);
    ew_star_faces_free(&boundary->update.star);
    ew_set_free(&boundary->update.touched);
    ew_list_free(&boundary->update.fresh);
    ew_map_free(&boundary->update.gone);
    ew_map_free(&boundary->update.born);
    ew_map_free(&boundary->update.named);
    ew_release(boundary->update.ancestor);
    *boundary = (ew_boundary){0};
}

static ew_status extend(ew_boundary *boundary, int32_t n_tet)
{
    EW_TRY(
        ew_grow(&boundary->tet_group, &boundary->tet_capacity, n_tet, sizeof *boundary->tet_group));
    for (; boundary->n_tet < n_tet; boundary->n_tet++) {
        boundary->tet_group[boundary->n_tet] = NO_GROUP;
    }
    return EW_OK;
}

static ew_status build(ew_boundary *boundary, const ew_mesh *mesh, const ew_topology *topology)
{
    ew_list *fresh = &boundary->update.fresh;
    EW_TRY(extend(boundary, mesh->n_tet));
    EW_TRY(ew_topology_boundary(topology, mesh, fresh));
    for (int32_t i = 0; i < fresh->n; i++) {
        int32_t slot;
        EW_TRY(open_slot(boundary, fresh->id[i], &slot));
    }
    return EW_OK;
}

ew_status ew_boundary_build(ew_boundary *boundary, const ew_mesh *mesh, const ew_topology *topology)
{
    *boundary = (ew_boundary){0};
    if (topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE, "boundary: the tables are of revision %llu, the mesh of %llu",
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    ew_status status = build(boundary, mesh, topology);
    if (status) {
        ew_boundary_free(boundary);
        return status;
    }
    boundary->revision = mesh->revision;
    return EW_OK;
}

/* ---- faces that vanish and appear -------------------------------------- */

/* A face leaves its slot, which stays unused until the end of the update. */
static ew_status retire_face(ew_boundary *boundary, int32_t slot, const int32_t corner[3])
{
    int32_t n = boundary->removed.n, key[3] = {corner[0], corner[1], corner[2]}, old;
    sort_corners(key);
    EW_TRY(ew_grow(&boundary->removed_vertex, &boundary->removed_capacity, (int64_t)n + 1,
                   3 * sizeof *corner));
    memcpy(boundary->removed_vertex + 3 * (size_t)n, corner, 3 * sizeof *corner);
    EW_TRY(ew_list_push(&boundary->removed, slot));
    EW_TRY(ew_map_enter(&boundary->update.gone, key[0], key[1], key[2], slot, &old));
    EW_TRY(enter_slot(boundary, boundary->code[slot], -1));
    boundary->code[slot] = -1;
    boundary->n_live--;
    return EW_OK;
}

static ew_status retire_faces_of(ew_boundary *boundary, int32_t t, const int32_t tet[4])
{
    for (int f = 0; f < 4; f++) {
        int32_t corner[3], slot = ew_boundary_find(boundary, 4 * t + f);
        if (slot >= 0) {
            face_corners(tet, f, corner);
            EW_TRY(retire_face(boundary, slot, corner));
        }
    }
    return EW_OK;
}

/* Faces around a touched vertex: covered ones leave their slots, open ones without a slot are new.
 */
static ew_status compare_star(ew_boundary *boundary, const ew_mesh *mesh)
{
    const ew_star_faces *star = &boundary->update.star;
    for (int32_t i = 0; i < star->n; i++) {
        const int32_t *code = star->code + 2 * (size_t)i;
        int32_t slot[2] = {ew_boundary_find(boundary, code[0]), -1}, corner[3];
        if (code[1] < 0) {
            EW_TRY(slot[0] < 0 ? ew_list_push(&boundary->update.fresh, code[0]) : EW_OK);
            continue;
        }
        slot[1] = ew_boundary_find(boundary, code[1]);
        int side = slot[0] < 0;
        if (slot[side] >= 0) {
            face_corners(mesh->tet + 4 * (size_t)(code[side] / 4), code[side] % 4, corner);
            EW_TRY(retire_face(boundary, slot[side], corner));
        }
    }
    return EW_OK;
}

static ew_status touch_tet(ew_boundary *boundary, const int32_t tet[4])
{
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_set_add(&boundary->update.touched, tet[k]));
    }
    return EW_OK;
}

static ew_status find_differences(ew_boundary *boundary, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_change *change)
{
    const ew_list *touched = &boundary->update.touched.list;
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        const int32_t *tet = change->removed_tet_vertex + 4 * (size_t)i;
        EW_TRY(retire_faces_of(boundary, change->removed_tet.id[i], tet));
        EW_TRY(touch_tet(boundary, tet));
    }
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        EW_TRY(touch_tet(boundary, mesh->tet + 4 * (size_t)change->added_tet.id[i]));
    }
    for (int32_t i = 0; i < touched->n; i++) {
        EW_TRY(ew_star_faces_find(&boundary->update.star, topology, mesh, touched->id[i]));
        EW_TRY(compare_star(boundary, mesh));
    }
    return EW_OK;
}

/* ---- origins ----------------------------------------------------------- */

/* Adds v to a set of at most three vertices, -1 where there are fewer; false when it is full. */
static bool unite_vertex(int32_t set[3], int32_t v)
{
    for (int k = 0; k < 3; k++) {
        if (set[k] < 0 || set[k] == v) {
            set[k] = v;
            return true;
        }
    }
    return false;
}

/* Adds the old vertices that v stems from; false when there are none, or more than three in all. */
static bool unite_ancestors(const ew_boundary *boundary, int32_t v, int32_t set[3])
{
    int32_t k = v < 0 ? -1 : ew_map_find(&boundary->update.born, v, -1, -1);
    if (k < 0) {
        return v >= 0 && unite_vertex(set, v);
    }
    const int32_t *of = boundary->update.ancestor + 3 * (size_t)k;
    bool good = of[0] >= 0;
    for (int i = 0; i < 3 && good && of[i] >= 0; i++) {
        good = unite_vertex(set, of[i]);
    }
    return good;
}

/* Ancestors of the added vertices; parents come before their children. */
static ew_status find_ancestors(ew_boundary *boundary, const ew_change *change)
{
    int32_t n = change->added_vertex.n, old;
    EW_TRY(ew_grow(&boundary->update.ancestor, &boundary->update.ancestor_capacity, n,
                   3 * sizeof *boundary->update.ancestor));
    for (int32_t k = 0; k < n; k++) {
        EW_TRY(ew_map_enter(&boundary->update.born, change->added_vertex.id[k], -1, -1, k, &old));
    }
    for (int32_t k = 0; k < n; k++) {
        const int32_t *parent = change->added_parent + 2 * (size_t)k;
        int32_t *of = boundary->update.ancestor + 3 * (size_t)k;
        memset(of, -1, 3 * sizeof *of);
        if (!unite_ancestors(boundary, parent[0], of) ||
            !unite_ancestors(boundary, parent[1], of)) {
            memset(of, -1, 3 * sizeof *of);
        }
    }
    return EW_OK;
}

/* The slot of the boundary face that three old vertices had: one that this update retired, or one
 * that is still there, unless a vertex of it is gone and its slot taken. */
static int32_t find_old(const ew_boundary *boundary, const ew_mesh *mesh,
                        const ew_topology *topology, const int32_t corner[3])
{
    int32_t slot = ew_map_find(&boundary->update.gone, corner[0], corner[1], corner[2]);
    for (int k = 0; k < 3 && slot < 0; k++) {
        if (ew_map_find(&boundary->update.born, corner[k], -1, -1) >= 0) {
            return -1;
        }
    }
    return slot >= 0 ? slot : ew_boundary_find(boundary, find_by_corners(topology, mesh, corner));
}

/* The slot of the face that a new one is a part or an image of, or -1; *same: it is that face. */
static int32_t find_origin(const ew_boundary *boundary, const ew_mesh *mesh,
                           const ew_topology *topology, int32_t code, bool *same)
{
    int32_t corner[3], set[3] = {-1, -1, -1};
    face_corners(mesh->tet + 4 * (size_t)(code / 4), code % 4, corner);
    *same = true;
    for (int k = 0; k < 3; k++) {
        *same = *same && ew_map_find(&boundary->update.born, corner[k], -1, -1) < 0;
        if (!unite_ancestors(boundary, corner[k], set)) {
            return -1;
        }
    }
    sort_corners(set);
    return set[0] < 0 ? -1
           : *same    ? ew_map_find(&boundary->update.gone, set[0], set[1], set[2])
                      : find_old(boundary, mesh, topology, set);
}

/* ---- the update -------------------------------------------------------- */

static ew_status enter_named(ew_boundary *boundary, const ew_change *change)
{
    for (int32_t i = 0; i < change->n_face_origin; i++) {
        int32_t corner[3], old;
        memcpy(corner, change->face_origin + 6 * (size_t)i, sizeof corner);
        sort_corners(corner);
        EW_TRY(ew_map_enter(&boundary->update.named, corner[0], corner[1], corner[2], i, &old));
    }
    return EW_OK;
}

/* The origin that the edit names, where it is a face that this update retired; or -1. */
static int32_t find_named(const ew_boundary *boundary, const ew_mesh *mesh, int32_t code,
                          const ew_change *change)
{
    int32_t corner[3];
    face_corners(mesh->tet + 4 * (size_t)(code / 4), code % 4, corner);
    sort_corners(corner);
    const int32_t i = ew_map_find(&boundary->update.named, corner[0], corner[1], corner[2]);
    if (i < 0) {
        return -1;
    }
    memcpy(corner, change->face_origin + 6 * (size_t)i + 3, sizeof corner);
    sort_corners(corner);
    return ew_map_find(&boundary->update.gone, corner[0], corner[1], corner[2]);
}

/* All origins are found before the first new face gets a slot. Without added tets, no new face has
 * one. */
static ew_status find_origins(ew_boundary *boundary, const ew_mesh *mesh,
                              const ew_topology *topology, const ew_change *change)
{
    for (int32_t i = 0; i < boundary->update.fresh.n; i++) {
        int32_t code = boundary->update.fresh.id[i], from = -1;
        bool same = false;
        if (change->n_face_origin) {
            from = find_named(boundary, mesh, code, change);
        }
        if (from < 0 && change->added_tet.n) {
            from = find_origin(boundary, mesh, topology, code, &same);
        }
        EW_TRY(ew_list_push(&boundary->from, from));
        EW_TRY(ew_list_push(&boundary->kept, from >= 0 && same));
    }
    return EW_OK;
}

/* Until here `from` and `kept` lie beside the fresh faces; now they get their own contents. */
static ew_status place_faces(ew_boundary *boundary)
{
    const ew_list *fresh = &boundary->update.fresh;
    int32_t n_kept = 0;
    for (int32_t i = 0; i < fresh->n; i++) {
        int32_t code = fresh->id[i], from = boundary->from.id[i], slot;
        if (boundary->kept.id[i]) {
            boundary->code[from] = code;
            boundary->n_live++;
            boundary->kept.id[n_kept++] = from;
            EW_TRY(enter_slot(boundary, code, from));
            continue;
        }
        EW_TRY(open_slot(boundary, code, &slot));
        EW_TRY(ew_list_push(&boundary->added, slot));
        boundary->from.id[boundary->added.n - 1] = from;
    }
    boundary->kept.n = n_kept;
    boundary->from.n = boundary->added.n;
    return EW_OK;
}

/* Slots that no face came back to are free from the next update on. */
static ew_status free_slots(ew_boundary *boundary)
{
    int32_t n = 0, *corner = boundary->removed_vertex;
    for (int32_t i = 0; i < boundary->removed.n; i++) {
        int32_t slot = boundary->removed.id[i];
        if (boundary->code[slot] < 0) {
            EW_TRY(ew_list_push(&boundary->hole, slot));
            memmove(corner + 3 * (size_t)n, corner + 3 * (size_t)i, 3 * sizeof *corner);
            boundary->removed.id[n++] = slot;
        }
    }
    boundary->removed.n = n;
    return EW_OK;
}

static void begin_update(ew_boundary *boundary)
{
    boundary->removed.n = boundary->added.n = boundary->from.n = boundary->kept.n = 0;
    boundary->update.fresh.n = 0;
    ew_set_clear(&boundary->update.touched);
    ew_map_clear(&boundary->update.gone);
    ew_map_clear(&boundary->update.born);
    ew_map_clear(&boundary->update.named);
}

ew_status ew_boundary_update(ew_boundary *boundary, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_change *change)
{
    if (boundary->revision != change->from_revision || mesh->revision != change->to_revision ||
        topology->pattern.revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "boundary: the change leads from mesh revision %llu to %llu, but the "
                       "boundary is at %llu, the tables at %llu and the mesh at %llu; build the "
                       "boundary again",
                       (unsigned long long)change->from_revision,
                       (unsigned long long)change->to_revision,
                       (unsigned long long)boundary->revision,
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    boundary->revision = 0;
    begin_update(boundary);
    EW_TRY(extend(boundary, mesh->n_tet));
    if (change->removed_tet.n || change->added_tet.n) {
        EW_TRY(enter_named(boundary, change));
        EW_TRY(find_differences(boundary, mesh, topology, change));
        EW_TRY(find_ancestors(boundary, change));
        EW_TRY(find_origins(boundary, mesh, topology, change));
    }
    EW_TRY(place_faces(boundary));
    EW_TRY(free_slots(boundary));
    boundary->revision = mesh->revision;
    return EW_OK;
}
