/* How well tets follow the surface that a cut made. In: a part of a mesh with the faces of the cut.
 * Out: sizes, quality, and the volume between the faces and the surface; what a moved cut is
 * compared with. Sums run in the order of the part's tets. */
#include "operation/cut/cut.h"

#include <math.h>
#include <string.h>

/* A tet is at the surface where it has a vertex there: `on` [n_vertex]. */
typedef struct gauge {
    const ew_local *local;
    const ew_cut_shape *shape;
    bool *on; /* owned */
    int32_t n_tet, n_coarse;
    double area, missed, moment; /* moment: of the radius over the area */
    double size, quality;        /* sums over the tets */
} gauge;

void ew_cut_mark_faces(ew_local *local, int32_t label)
{
    for (int32_t f = 0; f < local->n_face; f++) {
        ew_local_face *record = &local->face[f];
        for (int32_t k = record->triangle; k >= 0; k = local->label_next[k]) {
            record->is_cut = record->is_cut || local->mesh->face_label[k] == label;
        }
    }
}

/* Of the surface across its axis at x; planes have none. */
static double radius_at(const ew_cut_shape *shape, const double x[3])
{
    double along = 0.0;
    for (int i = 0; i < 3; i++) {
        along += (x[i] - shape->a[i]) * shape->axis[i];
    }
    return shape->is_flat ? INFINITY : fabs(shape->radius + shape->slope * along);
}

#define BESIDE 0.25 /* of a face's size: farther off it is of another cut with the same label */

/* The distance over a triangle, by the middles of its sides: exact for a quadratic. */
static void add_face(gauge *g, const ew_local_tet *tet, int k)
{
    const double *x[3];
    double e[3], f[3], center[3], beside = 0.0, off = 0.0, square = 0.0;
    for (int i = 0; i < 3; i++) {
        x[i] = g->local->vertex[tet->v[ew_face_vertex[k][i]]].x;
        beside = fmax(beside, fabs(g->shape->distance(g->shape, x[i], NULL)));
    }
    for (int i = 0; i < 3; i++) {
        double middle[3];
        for (int c = 0; c < 3; c++) {
            middle[c] = 0.5 * (x[i][c] + x[(i + 1) % 3][c]);
        }
        off += fabs(g->shape->distance(g->shape, middle, NULL)) / 3.0;
        e[i] = x[1][i] - x[0][i];
        f[i] = x[2][i] - x[0][i];
        center[i] = (x[0][i] + x[1][i] + x[2][i]) / 3.0;
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        const double n = 0.5 * (e[j] * f[l] - e[l] * f[j]);
        square += n * n;
    }
    if (beside > BESIDE * sqrt(sqrt(square))) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        g->on[tet->v[ew_face_vertex[k][i]]] = true;
    }
    g->area += sqrt(square);
    g->missed += sqrt(square) * off;
    g->moment += g->shape->is_flat ? 0.0 : sqrt(square) * radius_at(g->shape, center);
}

static void add_tet(gauge *g, const ew_local_tet *tet)
{
    const ew_local_vertex *v = g->local->vertex;
    double center[3] = {0, 0, 0}, size = 0.0;
    for (int k = 0; k < 6; k++) {
        const double *a = v[tet->v[ew_edge_vertex[k][0]]].x, *b = v[tet->v[ew_edge_vertex[k][1]]].x;
        size += hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) / 6.0;
    }
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            center[i] += 0.25 * v[tet->v[k]].x[i];
        }
    }
    g->n_tet++;
    g->size += size;
    g->quality += tet->quality;
    g->n_coarse += radius_at(g->shape, center) < EW_CUT_MIN_RADIUS * size;
}

ew_status ew_cut_gauge(const ew_local *local, const ew_cut_shape *shape, bool is_ball,
                       ew_cut_accuracy *accuracy)
{
    gauge g = {.local = local, .shape = shape};
    *accuracy = (ew_cut_accuracy){0};
    EW_TRY(ew_new_zero(&g.on, (size_t)local->n_vertex, sizeof *g.on));
    for (int32_t t = 0; t < local->n_tet; t++) {
        const ew_local_tet *tet = &local->tet[t];
        for (int k = 0; k < 4 && ew_local_is_live(local, t); k++) {
            if (tet->face[k] >= 0 && local->face[tet->face[k]].is_cut) {
                add_face(&g, tet, k);
            }
        }
    }
    for (int32_t t = 0; t < local->n_tet; t++) {
        const int32_t *v = local->tet[t].v;
        if (ew_local_is_live(local, t) && (g.on[v[0]] || g.on[v[1]] || g.on[v[2]] || g.on[v[3]])) {
            add_tet(&g, &local->tet[t]);
        }
    }
    ew_release(g.on);
    if (!g.n_tet) {
        return EW_OK;
    }
    *accuracy = (ew_cut_accuracy){
        .n_tet = g.n_tet,
        .size = g.size / g.n_tet,
        .quality = g.quality / g.n_tet,
        .radius = shape->is_flat ? INFINITY : g.moment / g.area,
        .missed = shape->is_flat ? 0.0 : (is_ball ? 3.0 : 2.0) * g.missed / g.moment,
        .n_coarse = g.n_coarse};
    return EW_OK;
}

static ew_status measure_cut(ew_local *local, const ew_mesh *mesh, const ew_cut_def *def,
                             const ew_list *on, ew_cut_accuracy *accuracy)
{
    ew_cut_shape shape;
    EW_TRY(ew_cut_shape_of(def, &shape));
    for (int32_t i = 0; i < on->n; i++) {
        int32_t v;
        if (ew_mesh_vertex_is_active(mesh, on->id[i])) {
            EW_TRY(ew_local_enter(local, on->id[i], &v));
            EW_TRY(ew_local_open(local, v));
        }
    }
    ew_cut_mark_faces(local, def->label);
    return ew_cut_gauge(local, &shape, def->kind == EW_CUT_SPHERE, accuracy);
}

ew_status ew_cut_measure(const ew_mesh *mesh, const ew_topology *topology, const ew_cut_def *def,
                         ew_cut_accuracy *accuracy)
{
    const ew_selector faces = {.kind = EW_SELECT_SURFACE, .label = def->label};
    ew_local local = {0};
    ew_list on = {0};
    *accuracy = (ew_cut_accuracy){0};
    EW_TRY(ew_need_current("cut", topology, mesh));
    if (def->kind == EW_CUT_SURFACE || mesh->n_curve) {
        return EW_OK;
    }
    ew_status status = ew_mesh_select(mesh, &faces, &on);
    if (status == EW_BAD_INPUT) { /* no triangle has the label */
        return EW_OK;
    }
    status = status ? status : ew_local_init(&local, mesh, topology);
    status = status ? status : measure_cut(&local, mesh, def, &on, accuracy);
    ew_local_free(&local);
    ew_list_free(&on);
    return status;
}
