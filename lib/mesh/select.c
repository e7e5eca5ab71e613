/* Selection of vertices. In: a mesh and a selector. Out: active vertex slots, ascending. Also
 * which labeled triangles are still faces of the mesh. */
#include "mesh/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- single points ----------------------------------------------------- */

static double length_of(const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]);
}

/* (x - point) . direction / |direction| */
static double height_over(const double xyz[3], const double point[3], const double direction[3])
{
    double length = length_of(direction), sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += (xyz[i] - point[i]) * (direction[i] / length);
    }
    return sum;
}

static double distance2(const double x[3], const double y[3])
{
    double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
    return a * a + b * b + c * c;
}

static bool in_cylinder(const ew_selector *s, const double xyz[3])
{
    double axis[3], off[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = s->b[i] - s->a[i];
    }
    double length = length_of(axis), along = height_over(xyz, s->a, axis);
    for (int i = 0; i < 3; i++) {
        off[i] = xyz[i] - s->a[i] - along * (axis[i] / length);
    }
    return along >= 0.0 && along <= length && length_of(off) <= s->radius;
}

bool ew_selector_has_point(const ew_selector *selector, const double xyz[3])
{
    const ew_selector *s = selector;
    switch (s->kind) {
    case EW_SELECT_BOX:
        return xyz[0] >= s->a[0] && xyz[0] <= s->b[0] && xyz[1] >= s->a[1] && xyz[1] <= s->b[1] &&
               xyz[2] >= s->a[2] && xyz[2] <= s->b[2];
    case EW_SELECT_SPHERE:
        return distance2(xyz, s->a) <= s->radius * s->radius;
    case EW_SELECT_CYLINDER:
        return in_cylinder(s, xyz);
    case EW_SELECT_PLANE:
        return fabs(height_over(xyz, s->a, s->b)) <= s->radius;
    case EW_SELECT_SIDE:
        return height_over(xyz, s->a, s->b) >= 0.0;
    case EW_SELECT_ALL:
        return true;
    case EW_SELECT_NEAREST:
    case EW_SELECT_REGION:
    case EW_SELECT_SURFACE:
    case EW_SELECT_IDS:
        break;
    }
    return false;
}

/* ---- the selector itself ----------------------------------------------- */

static ew_status check_finite(const char *kind, const char *what, const double v[3])
{
    if (isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2])) {
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "%s: %s (%g, %g, %g) must be three finite numbers", kind, what,
                   v[0], v[1], v[2]);
}

static ew_status check_radius(const char *kind, const char *what, double radius)
{
    if (isfinite(radius) && radius >= 0.0) {
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "%s: %s %g must be a finite number >= 0", kind, what, radius);
}

static ew_status check_direction(const char *kind, const char *what, const double v[3])
{
    double length = length_of(v);
    if (isfinite(length) && length > 0.0) {
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "%s: %s has length %g; it must be a finite number > 0", kind,
                   what, length);
}

ew_status ew_check_selector(const ew_selector *s)
{
    double axis[3] = {s->b[0] - s->a[0], s->b[1] - s->a[1], s->b[2] - s->a[2]};
    switch (s->kind) {
    case EW_SELECT_BOX:
        EW_TRY(check_finite("box", "low corner", s->a));
        return check_finite("box", "high corner", s->b);
    case EW_SELECT_SPHERE:
        EW_TRY(check_finite("sphere", "center", s->a));
        return check_radius("sphere", "radius", s->radius);
    case EW_SELECT_CYLINDER:
        EW_TRY(check_finite("cylinder", "from", s->a));
        EW_TRY(check_finite("cylinder", "to", s->b));
        EW_TRY(check_direction("cylinder", "axis", axis));
        return check_radius("cylinder", "radius", s->radius);
    case EW_SELECT_PLANE:
    case EW_SELECT_SIDE:
        EW_TRY(check_finite("plane", "point", s->a));
        EW_TRY(check_finite("plane", "normal", s->b));
        EW_TRY(check_direction("plane", "normal", s->b));
        return s->kind == EW_SELECT_PLANE ? check_radius("plane", "tolerance", s->radius) : EW_OK;
    case EW_SELECT_NEAREST:
        return check_finite("nearest", "point", s->a);
    case EW_SELECT_REGION:
    case EW_SELECT_SURFACE:
    case EW_SELECT_IDS:
    case EW_SELECT_ALL:
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "selector: kind %d does not exist", (int)s->kind);
}

/* ---- labeled triangles ------------------------------------------------ */

typedef struct corners {
    int32_t v[3], index; /* ascending; the triangle */
} corners;

static void sort3(int32_t v[3])
{
    for (int i = 0; i < 3; i++) {
        int k = i == 1 ? 1 : 0;
        if (v[k] > v[k + 1]) {
            int32_t keep = v[k];
            v[k] = v[k + 1];
            v[k + 1] = keep;
        }
    }
}

static int compare_corners(const void *left, const void *right)
{
    const corners *x = left, *y = right;
    for (int i = 0; i < 3; i++) {
        if (x->v[i] != y->v[i]) {
            return x->v[i] < y->v[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Marks every triangle with these corners: the same one may be listed twice. */
static void mark_face(const corners *list, int32_t n, const int32_t v[3], bool *live)
{
    corners key = {{v[0], v[1], v[2]}, 0};
    sort3(key.v);
    const corners *found = bsearch(&key, list, (size_t)n, sizeof *list, compare_corners);
    if (!found || live[found->index]) {
        return;
    }
    while (found > list && compare_corners(found - 1, &key) == 0) {
        found--;
    }
    for (; found < list + n && compare_corners(found, &key) == 0; found++) {
        live[found->index] = true;
    }
}

static void mark_faces(const ew_mesh *mesh, const corners *list, int32_t n,
                       const uint8_t *is_corner, bool *live)
{
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        if (v[0] < 0 || is_corner[v[0]] + is_corner[v[1]] + is_corner[v[2]] + is_corner[v[3]] < 3) {
            continue;
        }
        for (int f = 0; f < 4; f++) {
            const int32_t face[3] = {v[ew_face_vertex[f][0]], v[ew_face_vertex[f][1]],
                                     v[ew_face_vertex[f][2]]};
            if (is_corner[face[0]] && is_corner[face[1]] && is_corner[face[2]]) {
                mark_face(list, n, face, live);
            }
        }
    }
}

ew_status ew_mesh_live_faces(const ew_mesh *mesh, bool *live)
{
    ew_status status;
    corners *list = NULL;
    uint8_t *is_corner = NULL;
    int32_t n = 0;
    EW_TRY_OUT(ew_new(&list, (size_t)mesh->n_face, sizeof *list));
    EW_TRY_OUT(ew_new_zero(&is_corner, (size_t)mesh->n_vertex, sizeof *is_corner));
    for (int32_t f = 0; f < mesh->n_face; f++) {
        live[f] = false;
        if (ew_mesh_face_is_kept(mesh, f)) {
            const int32_t *v = mesh->face + 3 * (size_t)f;
            list[n] = (corners){{v[0], v[1], v[2]}, f};
            sort3(list[n++].v);
            is_corner[v[0]] = is_corner[v[1]] = is_corner[v[2]] = 1;
        }
    }
    qsort(list, (size_t)n, sizeof *list, compare_corners);
    mark_faces(mesh, list, n, is_corner, live);
out:
    ew_release(list);
    ew_release(is_corner);
    return status;
}

/* ---- the kinds that need the mesh -------------------------------------- */

static ew_status select_points(const ew_mesh *mesh, const ew_selector *s, ew_list *vertex)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (ew_mesh_vertex_is_active(mesh, v) &&
            ew_selector_has_point(s, mesh->xyz + 3 * (size_t)v)) {
            EW_TRY(ew_list_push(vertex, v));
        }
    }
    return EW_OK;
}

static ew_status select_nearest(const ew_mesh *mesh, const ew_selector *s, ew_list *vertex)
{
    int32_t best = -1;
    double min = INFINITY;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (!ew_mesh_vertex_is_active(mesh, v)) {
            continue;
        }
        double d2 = distance2(mesh->xyz + 3 * (size_t)v, s->a);
        if (best < 0 || d2 < min || (d2 == min && mesh->vertex_id[v] < mesh->vertex_id[best])) {
            best = v;
            min = d2;
        }
    }
    return best < 0 ? EW_OK : ew_list_push(vertex, best);
}

ew_status ew_mesh_find_region(const ew_mesh *mesh, int32_t label, int32_t *region)
{
    int32_t r = 0;
    while (r < mesh->n_region && mesh->region_label[r] != label) {
        r++;
    }
    if (r == mesh->n_region) {
        return ew_fail(EW_BAD_INPUT,
                       "region %d is not in the mesh: none of its %d regions has that label; "
                       "'edgewise info' lists them",
                       label, mesh->n_region);
    }
    *region = r;
    return EW_OK;
}

static ew_status select_region(const ew_mesh *mesh, const ew_selector *s, ew_list *vertex)
{
    int32_t region;
    EW_TRY(ew_mesh_find_region(mesh, s->label, &region));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int i = 0; i < 4 && ew_mesh_tet_is_live(mesh, t) && mesh->region[t] == region; i++) {
            EW_TRY(ew_list_push(vertex, mesh->tet[4 * (size_t)t + (size_t)i]));
        }
    }
    ew_list_sort_unique(vertex);
    return EW_OK;
}

static ew_status push_live(const ew_mesh *mesh, int32_t label, const bool *live, ew_list *vertex)
{
    bool known = false;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        known = known || mesh->face_label[f] == label;
        for (int i = 0; i < 3 && live[f] && mesh->face_label[f] == label; i++) {
            EW_TRY(ew_list_push(vertex, mesh->face[3 * (size_t)f + (size_t)i]));
        }
    }
    if (!known) {
        return ew_fail(EW_BAD_INPUT,
                       "surface %d is not in the mesh: none of its %d triangles "
                       "has that label; 'edgewise info' lists them",
                       label, mesh->n_face);
    }
    ew_list_sort_unique(vertex);
    return EW_OK;
}

static ew_status select_surface(const ew_mesh *mesh, const ew_selector *s, ew_list *vertex)
{
    ew_status status;
    bool *live = NULL;
    EW_TRY_OUT(ew_new(&live, (size_t)mesh->n_face, sizeof *live));
    EW_TRY_OUT(ew_mesh_live_faces(mesh, live));
    EW_TRY_OUT(push_live(mesh, s->label, live, vertex));
out:
    ew_release(live);
    return status;
}

ew_status ew_mesh_select(const ew_mesh *mesh, const ew_selector *selector, ew_list *vertex)
{
    ew_status status;
    EW_TRY(ew_check_selector(selector));
    switch (selector->kind) {
    case EW_SELECT_NEAREST:
        status = select_nearest(mesh, selector, vertex);
        break;
    case EW_SELECT_REGION:
        status = select_region(mesh, selector, vertex);
        break;
    case EW_SELECT_SURFACE:
        status = select_surface(mesh, selector, vertex);
        break;
    case EW_SELECT_IDS:
        status = ew_mesh_find_ids(mesh, EW_VERTEX_IDS, selector->index, selector->id,
                                  selector->n_id, vertex);
        break;
    default:
        status = select_points(mesh, selector, vertex);
    }
    if (status) {
        vertex->n = 0;
    }
    return status;
}
