/* Stress at some vertices alone, for who draws the surface of a body. In: mesh, tables, materials
 * and the solved displacement u. Out: the von Mises stress of the average at each listed vertex,
 * with the bits of a whole recovery. */
#include "analysis/recovery/linear_tet.h"

/* The average over the tets around the vertex, weighted by their volumes, in the order of the
 * table. */
static double vertex_von_mises(const ew_mesh *mesh, const ew_rows *rows,
                               const ew_materials *materials, const double *u, int32_t v)
{
    double sum[6] = {0.0}, volume = 0.0, strain[6], stress[6];
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t t = rows->item[rows->begin[v] + i];
        const double part = ew_mesh_tet_volume(mesh, t);
        ew_linear_tet_stress(mesh, materials, u, t, strain, stress);
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

void ew_vertices_von_mises(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const double *u, const ew_list *vertex,
                           double *von_mises)
{
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < vertex->n; i++) {
        const int32_t v = vertex->id[i];
        von_mises[v] = ew_mesh_vertex_is_active(mesh, v)
                           ? vertex_von_mises(mesh, &topology->vertex_to_tet, materials, u, v)
                           : 0.0;
    }
}
