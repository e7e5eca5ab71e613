/* Loads on curved tets and faces. In: a load, and the curves of a tet's sides. Out: its forces on
 * corners and edges, from what the kind says at points: four in a tet, three on a face, as the
 * stiffness of quadratic tets has them. A face is at a point with barycentric coordinates l like
 * the flat one with corners x_a + 4 sum_b l_b d_ab (kernels/curved.h says it of tets). */
#include "load_type.h"

#include <math.h>
#include <string.h>

/* ---- faces ------------------------------------------------------------------- */

/* A curved face: corners as the face lists them, d [k] of the edge opposite corner k, and which of
 * the tet's it is. */
typedef struct curved_face {
    double x[3][3], d[3][3];
    int edge[3];
} curved_face;

static bool take_face(const ew_curves *curves, const ew_mesh *mesh, int32_t face, curved_face *out)
{
    const int8_t *corner = ew_face_vertex[face % 4];
    const double origin[3] = {0.0, 0.0, 0.0};
    double d[18];
    bool any = false;
    if (!ew_curves_of(curves, face / 4, d)) {
        return false;
    }
    ew_load_face_corners(mesh, face, origin, out->x);
    for (int k = 0; k < 3; k++) {
        out->edge[k] = ew_edge_between((int[]){corner[(k + 1) % 3], corner[(k + 2) % 3]});
        memcpy(out->d[k], d + 3 * out->edge[k], sizeof out->d[k]);
        any = any || out->d[k][0] != 0.0 || out->d[k][1] != 0.0 || out->d[k][2] != 0.0;
    }
    return any;
}

/* Place, and area vector of a third of the face, at its point p, which is nearest to corner p. */
static void face_point(const curved_face *face, int p, double l[3], double x[3], double area[3])
{
    double y[3][3], side[2][3];
    for (int k = 0; k < 3; k++) {
        l[k] = k == p ? 2.0 / 3.0 : 1.0 / 6.0;
    }
    for (int c = 0; c < 3; c++) {
        x[c] = 0.0;
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3; /* ends of the edge opposite k */
            x[c] += l[k] * face->x[k][c] + 4.0 * l[a] * l[b] * face->d[k][c];
            y[k][c] = face->x[k][c] + 4.0 * (l[b] * face->d[a][c] + l[a] * face->d[b][c]);
        }
        side[0][c] = y[1][c] - y[0][c];
        side[1][c] = y[2][c] - y[0][c];
    }
    ew_load_cross(side[0], side[1], area);
    for (int c = 0; c < 3; c++) {
        area[c] /= 6.0;
    }
}

bool ew_load_on_curved_face(const ew_load_context *in, const ew_load *load,
                            const ew_load_share *share, int32_t face, double *q, double *f)
{
    const ew_load_type *type = ew_load_type_of(load->kind);
    curved_face of;
    if (!type->at_face || !take_face(load->curves, in->mesh, face, &of)) {
        return false;
    }
    memset(q, 0, 9 * sizeof *q);
    memset(f, 0, 18 * sizeof *f);
    for (int p = 0; p < 3; p++) {
        double l[3], x[3], area[3], force[3] = {0.0};
        face_point(&of, p, l, x, area);
        type->at_face(in, load, share, x, area, force);
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                q[3 * k + c] += l[k] * force[c];
                f[3 * of.edge[k] + c] += 4.0 * l[(k + 1) % 3] * l[(k + 2) % 3] * force[c];
            }
        }
    }
    return true;
}

bool ew_load_curved_area(const ew_load *load, const ew_mesh *mesh, int32_t face, double *area,
                         double first[3])
{
    curved_face of;
    if (!take_face(load->curves, mesh, face, &of)) {
        return false;
    }
    *area = first[0] = first[1] = first[2] = 0.0;
    for (int p = 0; p < 3; p++) {
        double l[3], x[3], vector[3];
        face_point(&of, p, l, x, vector);
        const double size = sqrt(ew_load_dot(vector, vector));
        *area += size;
        for (int c = 0; c < 3; c++) {
            first[c] += size * x[c];
        }
    }
    return true;
}

typedef struct curve_search {
    const ew_curves *curves;
    bool found;
} curve_search;

static bool stop_at_curved(void *user, const ew_mesh *mesh, int32_t face)
{
    curve_search *search = user;
    curved_face of;
    search->found = take_face(search->curves, mesh, face, &of);
    return !search->found;
}

ew_status ew_load_need_straight(const ew_load_context *in, const ew_load *load, int32_t place)
{
    const ew_load_type *type = ew_load_type_of(load->kind);
    curve_search search = {load->curves, false};
    if (load->curves && type->on_face && !type->at_face &&
        ew_load_is_on_faces(load, &type->traits)) {
        ew_load_visit_faces(in, load, stop_at_curved, &search);
    }
    return search.found ? ew_fail(EW_UNSUPPORTED,
                                  "load %d (%s): some of its faces are curved, and it acts on flat "
                                  "ones alone; give it as a traction or a pressure",
                                  place + 1, type->traits.name)
                        : EW_OK;
}

/* ---- tets ----------------------------------------------------------------------- */

bool ew_load_on_curved_tet(const ew_load_context *in, const ew_load *load, int32_t tet, double *q,
                           double *f)
{
    const ew_load_type *type = ew_load_type_of(load->kind);
    double x[12], y[12], d[18];
    if (!type->in_tet || !ew_curves_of(load->curves, tet, d)) {
        return false;
    }
    memset(q, 0, 12 * sizeof *q);
    memset(f, 0, 18 * sizeof *f);
    ew_mesh_tet_values(in->mesh, tet, in->mesh->xyz, x);
    for (int p = 0; p < 4; p++) {
        double l[4], place[3] = {0.0}, force[3] = {0.0};
        for (int k = 0; k < 4; k++) {
            l[k] = ew_at_gauss_point(p, (double[]){k == 0, k == 1, k == 2, k == 3});
        }
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 4; k++) {
                place[c] += l[k] * x[3 * k + c];
            }
            for (int e = 0; e < 6; e++) {
                place[c] += 4.0 * l[ew_edge_vertex[e][0]] * l[ew_edge_vertex[e][1]] * d[3 * e + c];
            }
        }
        ew_curved_point(p, x, d, y);
        type->in_tet(in, load, tet, place, 0.25 * ew_tet_volume(y, y + 3, y + 6, y + 9), force);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 4; k++) {
                q[3 * k + c] += l[k] * force[c];
            }
            for (int e = 0; e < 6; e++) {
                f[3 * e + c] += 4.0 * l[ew_edge_vertex[e][0]] * l[ew_edge_vertex[e][1]] * force[c];
            }
        }
    }
    return true;
}
