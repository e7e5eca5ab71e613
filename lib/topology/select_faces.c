/* Selection of boundary faces. In: a mesh, its boundary and a selector. Out: face codes,
 * ascending. */
#include "topology/parts/topology.h"

#include <math.h>

static void corners_of(const ew_mesh *mesh, int32_t code, int32_t corner[3])
{
    for (int k = 0; k < 3; k++) {
        corner[k] = mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
    }
}

/* ---- the direction a face looks in --------------------------------------- */

typedef struct facing {
    bool any;
    double normal[3], min_cosine; /* unit; a face looks that way when its cosine is not below */
} facing;

static ew_status check_facing(const ew_facing *given, facing *out)
{
    *out = (facing){.any = !given};
    if (!given) {
        return EW_OK;
    }
    const double *n = given->normal, length = hypot(hypot(n[0], n[1]), n[2]);
    if (!isfinite(length) || length == 0.0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "faces: their normal has length %g; it must be a finite number > 0", length);
    }
    if (!(given->angle > 0.0 && given->angle <= 180.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "faces: angle %g must be > 0 and <= 180 degrees",
                       given->angle);
    }
    for (int c = 0; c < 3; c++) {
        out->normal[c] = n[c] / length;
    }
    out->min_cosine = cos(given->angle * (acos(-1.0) / 180.0)) - 1e-12; /* round-off */
    return EW_OK;
}

static bool looks_there(const ew_mesh *mesh, const facing *to, int32_t code)
{
    double area[3];
    if (to->any) {
        return true;
    }
    ew_face_area_vector(mesh, code, area);
    const double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    const double along =
        area[0] * to->normal[0] + area[1] * to->normal[1] + area[2] * to->normal[2];
    return along >= to->min_cosine * size;
}

/* ---- by vertices, region or label ------------------------------------------ */

/* All three vertices selected. */
static ew_status select_by_vertices(const ew_mesh *mesh, const ew_boundary *boundary,
                                    const ew_selector *selector, ew_list *face)
{
    ew_list vertex = {0};
    ew_set chosen = {0};
    ew_status status = ew_mesh_select(mesh, selector, &vertex);
    for (int32_t i = 0; i < vertex.n && !status; i++) {
        status = ew_set_add(&chosen, vertex.id[i]);
    }
    for (int32_t slot = 0; slot < boundary->n_slot && !status && vertex.n; slot++) {
        int32_t corner[3] = {0};
        if (boundary->code[slot] < 0) {
            continue;
        }
        corners_of(mesh, boundary->code[slot], corner);
        if (ew_set_has(&chosen, corner[0]) && ew_set_has(&chosen, corner[1]) &&
            ew_set_has(&chosen, corner[2])) {
            status = ew_list_push(face, boundary->code[slot]);
        }
    }
    ew_list_free(&vertex);
    ew_set_free(&chosen);
    return status;
}

static ew_status select_by_region(const ew_mesh *mesh, const ew_boundary *boundary, int32_t label,
                                  ew_list *face)
{
    int32_t region;
    EW_TRY(ew_mesh_find_region(mesh, label, &region));
    for (int32_t slot = 0; slot < boundary->n_slot; slot++) {
        const int32_t code = boundary->code[slot];
        if (code >= 0 && mesh->region[code / 4] == region) {
            EW_TRY(ew_list_push(face, code));
        }
    }
    return EW_OK;
}

static void sort_corners(int32_t corner[3])
{
    for (int i = 0; i < 3; i++) {
        const int k = i == 1 ? 1 : 0;
        if (corner[k] > corner[k + 1]) {
            const int32_t keep = corner[k];
            corner[k] = corner[k + 1];
            corner[k + 1] = keep;
        }
    }
}

/* The triangles of the label that may still be faces, by their vertices. */
static ew_status list_triangles(const ew_mesh *mesh, int32_t label, ew_map *triangle)
{
    bool known = false;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        const int32_t *v = mesh->face + 3 * (size_t)f;
        int32_t corner[3] = {v[0], v[1], v[2]}, old;
        if (mesh->face_label[f] != label) {
            continue;
        }
        known = true;
        if (ew_mesh_face_is_kept(mesh, f)) {
            sort_corners(corner);
            EW_TRY(ew_map_enter(triangle, corner[0], corner[1], corner[2], f, &old));
        }
    }
    return known ? EW_OK
                 : ew_fail(EW_BAD_INPUT,
                           "surface %d is not in the mesh: none of its %d triangles has that "
                           "label; 'edgewise info' lists them",
                           label, mesh->n_face);
}

static ew_status select_by_label(const ew_mesh *mesh, const ew_boundary *boundary, int32_t label,
                                 ew_list *face)
{
    ew_map triangle = {0};
    ew_status status = list_triangles(mesh, label, &triangle);
    for (int32_t slot = 0; slot < boundary->n_slot && !status && triangle.n; slot++) {
        int32_t corner[3] = {0};
        if (boundary->code[slot] < 0) {
            continue;
        }
        corners_of(mesh, boundary->code[slot], corner);
        sort_corners(corner);
        if (ew_map_find(&triangle, corner[0], corner[1], corner[2]) >= 0) {
            status = ew_list_push(face, boundary->code[slot]);
        }
    }
    ew_map_free(&triangle);
    return status;
}

/* ---- selection ------------------------------------------------------------- */

static ew_status select_kind(const ew_mesh *mesh, const ew_boundary *boundary,
                             const ew_selector *selector, ew_list *face)
{
    switch (selector->kind) {
    case EW_SELECT_REGION:
        return select_by_region(mesh, boundary, selector->label, face);
    case EW_SELECT_SURFACE:
        return select_by_label(mesh, boundary, selector->label, face);
    case EW_SELECT_NEAREST:
        return ew_fail(EW_BAD_ARGUMENT, "nearest selects one vertex or tet, not faces");
    default:
        return select_by_vertices(mesh, boundary, selector, face);
    }
}

ew_status ew_boundary_select(const ew_boundary *boundary, const ew_mesh *mesh,
                             const ew_selector *selector, const ew_facing *direction, ew_list *face)
{
    facing to;
    EW_TRY(check_facing(direction, &to));
    if (boundary->revision != mesh->revision) {
        return ew_fail(EW_STALE, "faces: the boundary is of revision %llu, the mesh of %llu",
                       (unsigned long long)boundary->revision, (unsigned long long)mesh->revision);
    }
    const ew_status status = select_kind(mesh, boundary, selector, face);
    int32_t n = 0;
    for (int32_t i = 0; i < face->n && !status; i++) {
        if (looks_there(mesh, &to, face->id[i])) {
            face->id[n++] = face->id[i];
        }
    }
    face->n = n;
    ew_list_sort(face);
    return status;
}
