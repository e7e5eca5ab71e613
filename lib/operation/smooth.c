/* Smooths inner vertices. In: mesh and tables. Out: moves of the vertices that found a better
 * place. Sweeps in ascending vertex_id; each vertex tries the mean of its edge neighbours, then
 * places on the way there, and takes the first that raises the least quality of its tets. Nothing
 * follows the slots, so that a renumbered mesh is smoothed to the same bits.
 * Reference: Freitag 1997, "On combining Laplacian and optimization-based mesh smoothing
 * techniques" (smart Laplacian smoothing). */
#include "operation/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct smoother {
    ew_mesh mesh; /* with the coordinates so far; owns these alone */
    const ew_topology *topology;
    bool *fixed;     /* [n_vertex] owned */
    ew_keyed *order; /* [n_vertex] owned: slots by vertex_id */
    int32_t *place;  /* [n_vertex] owned: of a slot in `order` */
    ew_list near;    /* places of a vertex' neighbours */
} smoother;

/* What must stay: the boundary, labelled triangles, the places where regions meet. */
static ew_status mark_fixed(const ew_mesh *mesh, const ew_topology *topology, bool *fixed)
{
    ew_list boundary = {0};
    EW_TRY(ew_topology_boundary(topology, mesh, &boundary));
    for (int32_t i = 0; i < boundary.n; i++) {
        int32_t t = boundary.id[i] / 4, f = boundary.id[i] % 4;
        for (int k = 0; k < 3; k++) {
            fixed[mesh->tet[4 * (size_t)t + (size_t)ew_face_vertex[f][k]]] = true;
        }
    }
    ew_list_free(&boundary);
    for (int32_t f = 0; f < mesh->n_face; f++) {
        for (size_t k = 0; k < 3 && ew_mesh_face_is_kept(mesh, f); k++) {
            fixed[mesh->face[3 * (size_t)f + k]] = true;
        }
    }
    const ew_rows *rows = &topology->vertex_to_tet;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const int32_t *tet = rows->item + (rows->count[v] ? rows->begin[v] : 0);
        for (int32_t i = 1; i < rows->count[v]; i++) {
            fixed[v] = fixed[v] || mesh->region[tet[i]] != mesh->region[tet[0]];
        }
        fixed[v] = fixed[v] || !ew_mesh_vertex_is_active(mesh, v);
    }
    return EW_OK;
}

static int compare_names(const void *left, const void *right)
{
    const ew_keyed *x = left, *y = right;
    return (x->name > y->name) - (x->name < y->name);
}

static void put_in_order(smoother *s)
{
    int32_t n = s->mesh.n_vertex;
    bool sorted = true;
    for (int32_t v = 0; v < n; v++) {
        s->order[v] = (ew_keyed){0.0, s->mesh.vertex_id[v], v};
        sorted = sorted && (v == 0 || s->order[v - 1].name < s->order[v].name);
    }
    if (!sorted) {
        qsort(s->order, (size_t)n, sizeof *s->order, compare_names);
    }
    for (int32_t i = 0; i < n; i++) {
        s->place[s->order[i].slot] = i;
    }
}

/* Least quality of the vertex' tets; 0 when the commit would refuse one. */
static double least_quality(const smoother *s, int32_t v)
{
    const ew_rows *rows = &s->topology->vertex_to_tet;
    ew_refusal refusal = {0};
    double least = INFINITY;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        int32_t t = rows->item[rows->begin[v] + i];
        const double *x[4];
        ew_tet_corners(&s->mesh, t, x);
        ew_refusal_note(&refusal, s->mesh.tet_id[t], x);
        least = fmin(least, ew_mesh_tet_quality(&s->mesh, t));
    }
    return refusal.n ? 0.0 : least;
}

/* Summed in ascending vertex_id. */
static ew_status mean_of_neighbours(smoother *s, int32_t v, double mean[3])
{
    const ew_rows *rows = &s->topology->pattern.row_to_pair;
    int32_t n = rows->count[v];
    s->near.n = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        EW_TRY(ew_list_push(&s->near, s->place[other]));
    }
    ew_list_sort(&s->near);
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const double *x = s->mesh.xyz + 3 * (size_t)s->order[s->near.id[i]].slot;
        for (int k = 0; k < 3; k++) {
            mean[k] += x[k] / n;
        }
    }
    return EW_OK;
}

static ew_status improve(smoother *s, int32_t v, bool *any)
{
    double *x = s->mesh.xyz + 3 * (size_t)v, from[3] = {x[0], x[1], x[2]}, mean[3];
    double before = least_quality(s, v);
    EW_TRY(mean_of_neighbours(s, v, mean));
    for (double step = 1.0; step > 0.1; step /= 2.0) {
        for (int i = 0; i < 3; i++) {
            x[i] = from[i] + step * (mean[i] - from[i]);
        }
        if (least_quality(s, v) > before) {
            *any = true;
            return EW_OK;
        }
    }
    memcpy(x, from, sizeof from);
    return EW_OK;
}

static ew_status sweep(smoother *s, int32_t sweeps)
{
    bool any = true;
    for (int32_t i = 0; i < sweeps && any; i++) {
        any = false;
        for (int32_t k = 0; k < s->mesh.n_vertex; k++) {
            int32_t v = s->order[k].slot;
            if (!s->fixed[v]) {
                EW_TRY(improve(s, v, &any));
            }
        }
    }
    return EW_OK;
}

static ew_status queue(const ew_mesh *mesh, const double *xyz, ew_edit *edit)
{
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *to = xyz + 3 * (size_t)v;
        if (memcmp(to, mesh->xyz + 3 * (size_t)v, 3 * sizeof *to) != 0) {
            EW_TRY(ew_edit_move_vertex(edit, v, to));
        }
    }
    return EW_OK;
}

static ew_status check(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                       const ew_edit *edit)
{
    EW_TRY(ew_need_empty("smooth", edit));
    EW_TRY(ew_need_tets("smooth", mesh));
    EW_TRY(ew_need_current("smooth", topology, mesh));
    if (sweeps < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "smooth: %d sweeps; the number must be >= 1", sweeps);
    }
    return EW_OK;
}

ew_status ew_operation_smooth(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                              ew_edit *edit)
{
    ew_status status;
    size_t n = (size_t)mesh->n_vertex;
    smoother s = {.mesh = *mesh, .topology = topology};
    s.mesh.xyz = NULL;
    EW_TRY(check(mesh, topology, sweeps, edit));
    EW_TRY_OUT(ew_new(&s.mesh.xyz, n, 3 * sizeof *s.mesh.xyz));
    EW_TRY_OUT(ew_new_zero(&s.fixed, n, sizeof *s.fixed));
    EW_TRY_OUT(ew_new(&s.order, n, sizeof *s.order));
    EW_TRY_OUT(ew_new(&s.place, n, sizeof *s.place));
    EW_TRY_OUT(mark_fixed(mesh, topology, s.fixed));
    memcpy(s.mesh.xyz, mesh->xyz, n * 3 * sizeof *mesh->xyz);
    put_in_order(&s);
    EW_TRY_OUT(sweep(&s, sweeps));
    EW_TRY_OUT(queue(mesh, s.mesh.xyz, edit));
out:
    ew_release(s.mesh.xyz);
    ew_release(s.fixed);
    ew_release(s.order);
    ew_release(s.place);
    ew_list_free(&s.near);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}
