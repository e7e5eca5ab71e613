/* The faces of a load. In: a set of boundary slots, or a set of vertices that stands for the
 * boundary faces with all three vertices in it. Out: each face once in a fixed order, so that sums
 * over them have the same bits however the set came about; area and centroid. */
#include "analysis/load/load_type.h"

#include <math.h>

bool ew_load_has_face(const ew_load_context *in, const ew_load *load, int32_t face)
{
    if (load->face) {
        return ew_set_has(load->face, ew_boundary_find(load->boundary, face));
    }
    const int32_t *vertex = in->mesh->tet + 4 * (size_t)(face / 4);
    for (int k = 0; k < 3; k++) {
        if (!ew_set_has(load->vertex, vertex[ew_face_vertex[face % 4][k]])) {
            return false;
        }
    }
    return ew_topology_face_neighbor(in->topology, in->mesh, face) < 0;
}

/* Whether v is the lowest vertex of a face of its tet. */
static bool is_lowest(const ew_mesh *mesh, int32_t face, int32_t v)
{
    bool has = false;
    for (int k = 0; k < 3; k++) {
        const int32_t w = mesh->tet[4 * (size_t)(face / 4) + (size_t)ew_face_vertex[face % 4][k]];
        has = has || w == v;
        if (w < v) {
            return false;
        }
    }
    return has;
}

typedef bool (*face_visitor)(void *user, const ew_mesh *mesh, int32_t face);

static bool visit_at_vertex(const ew_load_context *in, const ew_load *load, int32_t v,
                            face_visitor visit, void *user)
{
    const ew_rows *rows = &in->topology->vertex_to_tet;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        for (int32_t face = 4 * t; face < 4 * t + 4; face++) {
            if (is_lowest(in->mesh, face, v) && ew_load_has_face(in, load, face) &&
                !visit(user, in->mesh, face)) {
                return false;
            }
        }
    }
    return true;
}

void ew_load_visit_faces(const ew_load_context *in, const ew_load *load, face_visitor visit,
                         void *user)
{
    const ew_set *set = load->face ? load->face : load->vertex;
    for (int32_t word = 0; word < set->word; word++) {
        for (uint64_t bits = set->bit[word]; bits; bits &= bits - 1) {
            const int32_t id = 64 * word + ew_lowest_bit(bits);
            const bool on = load->face ? visit(user, in->mesh, load->boundary->code[id])
                                       : !ew_mesh_vertex_is_active(in->mesh, id) ||
                                             visit_at_vertex(in, load, id, visit, user);
            if (!on) {
                return;
            }
        }
    }
}

/* ---- what there is to act on ----------------------------------------------- */

static ew_status refuse_no_faces(const ew_load_context *in, const ew_load *load, int32_t place)
{
    int32_t n_active = 0;
    const char *name = in->name;
    if (load->face) {
        return ew_fail(
            EW_BAD_INPUT,
            "load %d (%s): its set has no face of the body; select some or drop the load",
            place + 1, name);
    }
    EW_TRY(ew_load_count_vertices(in, load, place, &n_active));
    return ew_fail(EW_BAD_INPUT,
                   "load %d (%s): no boundary face has all three vertices in its set of %d; widen "
                   "the set",
                   place + 1, name, n_active);
}

static bool stop_at_first(void *user, const ew_mesh *mesh, int32_t face)
{
    (void)mesh;
    (void)face;
    *(bool *)user = true;
    return false;
}

ew_status ew_load_need_faces(const ew_load_context *in, const ew_load *load, int32_t place)
{
    bool found = false;
    int32_t n_active;
    if (!load->face) { /* its slots must be the mesh's */
        EW_TRY(ew_load_count_vertices(in, load, place, &n_active));
    }
    ew_load_visit_faces(in, load, stop_at_first, &found);
    return found ? EW_OK : refuse_no_faces(in, load, place);
}

typedef struct value_check {
    const ew_load *load;
    int width;
    int32_t vertex; /* found: its value is not finite; or -1 */
} value_check;

static bool is_finite_on(void *user, const ew_mesh *mesh, int32_t face)
{
    value_check *check = user;
    const int32_t *tet = mesh->tet + 4 * (size_t)(face / 4);
    for (int k = 0; k < 3 * check->width; k++) {
        const int32_t v = tet[ew_face_vertex[face % 4][k / check->width]];
        const int c = k % check->width;
        if (!isfinite(check->load->value[(size_t)check->width * (size_t)v + (size_t)c])) {
            check->vertex = v;
            return false;
        }
    }
    return true;
}

ew_status ew_load_need_values(const ew_load_context *in, const ew_load *load, int32_t place,
                              int width)
{
    value_check check = {load, width, -1};
    EW_TRY(ew_load_need_faces(in, load, place));
    if (load->value) {
        ew_load_visit_faces(in, load, is_finite_on, &check);
    }
    return check.vertex < 0
               ? EW_OK
               : ew_fail_about(EW_BAD_INPUT, check.vertex, -1,
                               "load %d (%s): its field has a value on vertex %lld that is not "
                               "finite",
                               place + 1, in->name, (long long)in->mesh->vertex_id[check.vertex]);
}

/* ---- area -------------------------------------------------------------------- */

void ew_load_face_corners(const ew_mesh *mesh, int32_t face, const double origin[3], double x[3][3])
{
    for (int k = 0; k < 3; k++) {
        const int32_t v = mesh->tet[4 * (size_t)(face / 4) + (size_t)ew_face_vertex[face % 4][k]];
        for (int c = 0; c < 3; c++) {
            x[k][c] = mesh->xyz[3 * (size_t)v + (size_t)c] - origin[c];
        }
    }
}

typedef struct area_sum {
    const ew_load *load;
    double origin[3]; /* one of the corners, against cancellation far from zero */
    double area, first[3];
} area_sum;

static bool add_area(void *user, const ew_mesh *mesh, int32_t face)
{
    area_sum *sum = user;
    double x[3][3], normal[3];
    if (sum->area == 0.0) {
        const double zero[3] = {0.0, 0.0, 0.0};
        ew_load_face_corners(mesh, face, zero, x);
        for (int c = 0; c < 3; c++) {
            sum->origin[c] = x[0][c];
        }
    }
    double curved, first[3];
    if (ew_load_curved_area(sum->load, mesh, face, &curved, first)) {
        sum->area += curved;
        for (int c = 0; c < 3; c++) {
            sum->first[c] += first[c] - curved * sum->origin[c];
        }
        return true;
    }
    ew_load_face_corners(mesh, face, sum->origin, x);
    ew_face_area_vector(mesh, face, normal);
    const double area = sqrt(ew_load_dot(normal, normal));
    sum->area += area;
    for (int c = 0; c < 3; c++) {
        sum->first[c] += area * (x[0][c] + x[1][c] + x[2][c]) / 3.0;
    }
    return true;
}

ew_status ew_load_area(const ew_load_context *in, const ew_load *load, int32_t place, double *area,
                       double center[3])
{
    area_sum sum = {.load = load};
    EW_TRY(ew_load_need_faces(in, load, place));
    ew_load_visit_faces(in, load, add_area, &sum);
    *area = sum.area;
    for (int c = 0; c < 3; c++) {
        center[c] = sum.origin[c] + sum.first[c] / sum.area;
    }
    return EW_OK;
}
