/* Stress at some vertices alone, for who draws the surface of a body. In: mesh, tables, materials
 * and the solved displacement u, or a nonlinear body and its response. Out: the von Mises stress of
 * the average at each listed vertex, with the bits of a whole recovery. */
#include "analysis/recovery/linear_tet.h"

/* With fewer tets or vertices a thread costs more than it saves. */
#define MIN_A_THREAD 500

/* What the stress of a tet follows from: a linear body, or where response is not null a nonlinear
 * one. */
typedef struct stress_source {
    const ew_mesh *mesh;
    const ew_materials *materials;
    const double *u;
    const ew_internal_force *internal_force;
    const ew_deformed *body;
} stress_source;

static void tet_stress(const stress_source *from, int32_t t, double stress[6])
{
    double strain[6];
    if (from->internal_force) {
        ew_internal_force_stress(from->internal_force, from->body, t, stress);
    } else {
        ew_linear_tet_stress(from->mesh, from->materials, from->u, t, strain, stress);
    }
}

/* part [7]: volume of a tet, and its stress times that. */
static void weigh_tet(const stress_source *from, int32_t t, double *part)
{
    double stress[6];
    tet_stress(from, t, stress);
    part[0] = ew_mesh_tet_volume(from->mesh, t);
    for (int c = 0; c < 6; c++) {
        part[1 + c] = part[0] * stress[c];
    }
}

/* The average over the tets around the vertex, weighted by their volumes, in the order of the
 * table. */
static double vertex_von_mises(const ew_rows *rows, int32_t v, const double *part)
{
    double sum[7] = {0.0}, stress[6];
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const double *own = part + 7 * (size_t)rows->item[rows->begin[v] + i];
        for (int c = 0; c < 7; c++) {
            sum[c] += own[c];
        }
    }
    for (int c = 0; c < 6; c++) {
        stress[c] = sum[1 + c] / sum[0];
    }
    return ew_von_mises(stress);
}

static bool has_listed(const ew_set *vertex, const int32_t tet[4])
{
    return ew_set_has(vertex, tet[0]) || ew_set_has(vertex, tet[1]) || ew_set_has(vertex, tet[2]) ||
           ew_set_has(vertex, tet[3]);
}

/* A tet has several of the vertices: its stress is found once. */
static void find_all(const stress_source *from, const ew_rows *rows, const ew_set *vertex,
                     double *part, double *von_mises)
{
    const ew_mesh *mesh = from->mesh;
    const ew_list *list = &vertex->list;
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(mesh->n_tet, MIN_A_THREAD))
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        if (ew_mesh_tet_is_live(mesh, t) && has_listed(vertex, mesh->tet + 4 * (size_t)t)) {
            weigh_tet(from, t, part + 7 * (size_t)t);
        }
    }
#pragma omp parallel for schedule(static) num_threads(ew_threads_for(list->n, MIN_A_THREAD))
    for (int32_t i = 0; i < list->n; i++) {
        const int32_t v = list->id[i];
        von_mises[v] = ew_mesh_vertex_is_active(mesh, v) ? vertex_von_mises(rows, v, part) : 0.0;
    }
}

void ew_vertices_von_mises(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const double *u, const ew_set *vertex,
                           double *part, double *von_mises)
{
    const stress_source from = {mesh, materials, u, NULL, NULL};
    find_all(&from, &topology->vertex_to_tet, vertex, part, von_mises);
}

void ew_vertices_von_mises_nonlinear(const ew_internal_force *internal_force,
                                     const ew_deformed *body, const ew_set *vertex, double *part,
                                     double *von_mises)
{
    const stress_source from = {body->mesh, body->materials, body->u, internal_force, body};
    find_all(&from, &body->topology->vertex_to_tet, vertex, part, von_mises);
}
