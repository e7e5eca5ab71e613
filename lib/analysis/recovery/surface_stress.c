/* Stress at some vertices alone, for who draws the surface of a body. In: mesh, tables, materials
 * and the solved displacement u, or a nonlinear body and its response. Out: the von Mises stress of
 * the average at each listed vertex, with the bits of a whole recovery. */
#include "analysis/recovery/linear_tet.h"

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

/* The average over the tets around the vertex, weighted by their volumes, in the order of the
 * table. */
static double vertex_von_mises(const stress_source *from, const ew_rows *rows, int32_t v)
{
    double sum[6] = {0.0}, volume = 0.0, stress[6];
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        const double part = ew_mesh_tet_volume(from->mesh, t);
        tet_stress(from, t, stress);
        volume += part;
        for (int c = 0; c < 6; c++) {
            sum[c] += part * stress[c];
        }
    }
    for (int c = 0; c < 6; c++) {
        stress[c] = sum[c] / volume;
    }
    return ew_von_mises(stress);
}

static void find_all(const stress_source *from, const ew_rows *rows, const ew_list *vertex,
                     double *von_mises)
{
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        von_mises[v] =
            ew_mesh_vertex_is_active(from->mesh, v) ? vertex_von_mises(from, rows, v) : 0.0;
    }
}

void ew_vertices_von_mises(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const double *u, const ew_list *vertex,
                           double *von_mises)
{
    const stress_source from = {mesh, materials, u, NULL, NULL};
    find_all(&from, &topology->vertex_to_tet, vertex, von_mises);
}

void ew_vertices_von_mises_nonlinear(const ew_internal_force *internal_force,
                                     const ew_deformed *body, const ew_list *vertex,
                                     double *von_mises)
{
    const stress_source from = {body->mesh, body->materials, body->u, internal_force, body};
    find_all(&from, &body->topology->vertex_to_tet, vertex, von_mises);
}
