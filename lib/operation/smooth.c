/* Smooths inner vertices. In: mesh and tables. Out: moves of the vertices that found a better
 * place. Sweeps in slot order; each vertex tries the mean of its edge neighbours, then places
 * on the way there, and takes the first that raises the least quality of its tets.
 * Reference: Freitag 1997, "On combining Laplacian and optimization-based mesh smoothing
 * techniques" (smart Laplacian smoothing). */
#include "operation/internal.h"

#include <math.h>
#include <string.h>

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

/* Least quality of the vertex' tets; 0 when the commit would refuse one. */
static double least_quality(const ew_mesh *mesh, const ew_topology *topology, int32_t v)
{
    const ew_rows *rows = &topology->vertex_to_tet;
    ew_refusal refusal = {0};
    double least = INFINITY;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        int32_t t = rows->item[rows->begin[v] + i];
        const double *x[4];
        ew_tet_corners(mesh, t, x);
        ew_refusal_note(&refusal, mesh->tet_id[t], x);
        least = fmin(least, ew_mesh_tet_quality(mesh, t));
    }
    return refusal.n ? 0.0 : least;
}

static void mean_of_neighbours(const ew_mesh *mesh, const ew_topology *topology, int32_t v,
                               double mean[3])
{
    const ew_rows *rows = &topology->graph.row_to_edge;
    mean[0] = mean[1] = mean[2] = 0.0;
    for (int32_t i = 0; i < rows->count[v]; i++) {
        int32_t other = rows->item[2 * ((size_t)rows->begin[v] + (size_t)i)];
        for (int k = 0; k < 3; k++) {
            mean[k] += mesh->xyz[3 * (size_t)other + (size_t)k] / rows->count[v];
        }
    }
}

/* `moved`: the mesh with its coordinates so far. */
static bool improve(ew_mesh *moved, const ew_topology *topology, int32_t v)
{
    double *x = moved->xyz + 3 * (size_t)v, from[3] = {x[0], x[1], x[2]}, mean[3];
    double before = least_quality(moved, topology, v);
    mean_of_neighbours(moved, topology, v, mean);
    for (double step = 1.0; step > 0.1; step /= 2.0) {
        for (int i = 0; i < 3; i++) {
            x[i] = from[i] + step * (mean[i] - from[i]);
        }
        if (least_quality(moved, topology, v) > before) {
            return true;
        }
    }
    memcpy(x, from, sizeof from);
    return false;
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
    double *xyz = NULL;
    bool *fixed = NULL, any = true;
    EW_TRY(check(mesh, topology, sweeps, edit));
    EW_TRY_OUT(ew_new(&xyz, (size_t)mesh->n_vertex, 3 * sizeof *xyz));
    EW_TRY_OUT(ew_new_zero(&fixed, (size_t)mesh->n_vertex, sizeof *fixed));
    EW_TRY_OUT(mark_fixed(mesh, topology, fixed));
    memcpy(xyz, mesh->xyz, (size_t)mesh->n_vertex * 3 * sizeof *xyz);
    ew_mesh moved = *mesh;
    moved.xyz = xyz;
    for (int32_t sweep = 0; sweep < sweeps && any; sweep++) {
        any = false;
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            any = (!fixed[v] && improve(&moved, topology, v)) || any;
        }
    }
    EW_TRY_OUT(queue(mesh, xyz, edit));
out:
    ew_release(xyz);
    ew_release(fixed);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}
