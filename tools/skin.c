/* A frame of a result in, its boundary faces, their sharp edges and the measures of its tets out.
 */
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A side of a boundary face. */
typedef struct side {
    int32_t a, b, face, side; /* a < b; of the face, and 3 * face + k */
} side;

static int compare_sides(const void *left, const void *right)
{
    const side *a = left, *b = right;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b != b->b ? (a->b < b->b ? -1 : 1) : 0;
}

static void face_normal(const ew_mesh *mesh, const int32_t *face, double normal[3])
{
    const double *x = mesh->xyz + 3 * (size_t)face[0], *y = mesh->xyz + 3 * (size_t)face[1];
    const double *z = mesh->xyz + 3 * (size_t)face[2];
    double u[3], v[3];
    for (int c = 0; c < 3; c++) {
        u[c] = y[c] - x[c];
        v[c] = z[c] - x[c];
    }
    for (int c = 0; c < 3; c++) {
        normal[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
    }
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int c = 0; c < 3; c++) {
        normal[c] /= length > 0 ? length : 1;
    }
}

/* Sides of one face alone count as sharp, too. */
static bool is_sharp(const ew_mesh *mesh, const skin *own, const side *one, const side *next)
{
    double a[3], b[3];
    if (!next || compare_sides(one, next) != 0) {
        return true;
    }
    face_normal(mesh, own->face + 3 * (size_t)one->face, a);
    face_normal(mesh, own->face + 3 * (size_t)next->face, b);
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.766; /* cos 40 */
}

static ew_status find_edges(const ew_mesh *mesh, skin *own)
{
    const int32_t n = 3 * own->n_face;
    side *list = NULL;
    ew_status status = EW_OK;
    EW_TRY(ew_new(&list, (size_t)n, sizeof *list));
    for (int32_t i = 0; i < n; i++) {
        const int32_t *face = own->face + 3 * (size_t)(i / 3);
        const int32_t a = face[i % 3], b = face[(i + 1) % 3];
        list[i] = (side){a < b ? a : b, a < b ? b : a, i / 3, i};
    }
    qsort(list, (size_t)n, sizeof *list, compare_sides);
    for (int32_t i = 0, next; i < n && !status; i = next) {
        for (next = i + 1; next < n && !compare_sides(&list[i], &list[next]); next++) {
        }
        if (is_sharp(mesh, own, &list[i], next > i + 1 ? &list[i + 1] : NULL)) {
            status = ew_grow(&own->edge, &own->edge_capacity, 2 * ((int64_t)own->n_edge + 1),
                             sizeof *own->edge);
            status = status ? status
                            : ew_grow(&own->side, &own->side_capacity, (int64_t)own->n_edge + 1,
                                      sizeof *own->side);
            if (!status) {
                own->side[own->n_edge] = list[i].side;
                own->edge[2 * own->n_edge] = list[i].a;
                own->edge[2 * own->n_edge + 1] = list[i].b;
                own->n_edge++;
            }
        }
    }
    ew_release(list);
    return status;
}

static ew_status take_faces(const ew_mesh *mesh, skin *own)
{
    ew_topology topology = {0};
    ew_list code = {0};
    ew_status status = ew_topology_build(&topology, mesh);
    if (!status) {
        status = ew_topology_boundary(&topology, mesh, &code);
    }
    if (!status) {
        status = ew_new(&own->face, (size_t)code.n * 3, sizeof *own->face);
    }
    if (!status) {
        status = ew_new(&own->corner, (size_t)code.n * 3, sizeof *own->corner);
    }
    for (int32_t f = 0; f < code.n && !status; f++) {
        const int32_t first = code.id[f] - code.id[f] % 4;
        for (size_t k = 0; k < 3; k++) {
            const int32_t corner = first + ew_face_vertex[code.id[f] % 4][k];
            own->corner[3 * (size_t)f + k] = corner;
            own->face[3 * (size_t)f + k] = mesh->tet[corner];
        }
        own->n_face = f + 1;
    }
    ew_list_free(&code);
    ew_topology_free(&topology);
    return status;
}

/* The box of the corners, as that of a mesh: the middles of the sides of tets of ten nodes are
 * points, too. */
static void measure_corners(const ew_view_frame *frame, ew_mesh_measure *measure)
{
    for (size_t i = 0; i < 4 * (size_t)frame->n_tet; i++) {
        const double *x = frame->xyz + 3 * (size_t)frame->tet[i];
        for (int c = 0; c < 3; c++) {
            measure->low[c] = i ? fmin(measure->low[c], x[c]) : x[c];
            measure->high[c] = i ? fmax(measure->high[c], x[c]) : x[c];
        }
    }
}

ew_status skin_take(const ew_view_frame *frame, skin *out)
{
    const ew_mesh_def def = {
        .n_vertex = frame->n_point, .xyz = frame->xyz, .n_tet = frame->n_tet, .tet = frame->tet};
    ew_mesh mesh;
    skin own = {0};
    EW_TRY(ew_mesh_init(&mesh, &def, NULL));
    ew_mesh_take_measure(&mesh, &own.measure);
    measure_corners(frame, &own.measure);
    ew_status status = take_faces(&mesh, &own);
    if (!status) {
        status = find_edges(&mesh, &own);
    }
    ew_mesh_free(&mesh);
    if (status) {
        skin_free(&own);
        return status;
    }
    *out = own;
    return EW_OK;
}

void skin_free(skin *own)
{
    ew_release(own->face);
    ew_release(own->corner);
    ew_release(own->side);
    ew_release(own->edge);
    *own = (skin){0};
}
