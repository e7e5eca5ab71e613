/* Values that a mapping transfers: displacements and fields from the mesh to the surface, forces
 * from the surface to the mesh by the transpose. */
#include "mapping/parts/mapping.h"

#include <string.h>

static ew_status need_current(const ew_mapping *mapping, const ew_mesh *mesh)
{
    return mapping->revision == mesh->revision
               ? EW_OK
               : ew_fail(EW_STALE, "mapping: it is bound to another revision of the mesh");
}

ew_status ew_mapping_positions(const ew_mapping *mapping, const ew_mesh *mesh, const double *u,
                               double *out)
{
    EW_TRY(need_current(mapping, mesh));
    if (!u) {
        memcpy(out, mapping->rest, 3 * (size_t)mapping->n_vertex * sizeof *out);
        return EW_OK;
    }
    const int threads = ew_threads_for(mapping->n_vertex, 4096);
    (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        const double *x = mapping->rest + 3 * (size_t)v, *w = mapping->weight + 4 * (size_t)v;
        double *to = out + 3 * (size_t)v;
        if (mapping->tet[v] < 0) {
            memcpy(to, x, 3 * sizeof *to);
            continue;
        }
        const int32_t *corner = mesh->tet + 4 * (size_t)mapping->tet[v];
        const double *a = u + 3 * (size_t)corner[0], *b = u + 3 * (size_t)corner[1];
        const double *c = u + 3 * (size_t)corner[2], *d = u + 3 * (size_t)corner[3];
        for (int i = 0; i < 3; i++) {
            to[i] = x[i] + (w[0] * a[i] + w[1] * b[i] + w[2] * c[i] + w[3] * d[i]);
        }
    }
    return EW_OK;
}

ew_status ew_mapping_vertex_field(const ew_mapping *mapping, const ew_mesh *mesh, int32_t width,
                                  const double *value, double *out)
{
    EW_TRY(need_current(mapping, mesh));
    const size_t n = (size_t)width;
    const int threads = ew_threads_for(mapping->n_vertex, 4096);
    (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        const double *w = mapping->weight + 4 * (size_t)v;
        double *to = out + n * (size_t)v;
        memset(to, 0, n * sizeof *to);
        for (size_t i = 0; i < 4 && mapping->tet[v] >= 0; i++) {
            const double *from = value + n * (size_t)mesh->tet[4 * (size_t)mapping->tet[v] + i];
            for (size_t c = 0; c < n; c++) {
                to[c] += w[i] * from[c];
            }
        }
    }
    return EW_OK;
}

ew_status ew_mapping_tet_field(const ew_mapping *mapping, const ew_mesh *mesh, int32_t width,
                               const double *value, double *out)
{
    EW_TRY(need_current(mapping, mesh));
    const size_t n = (size_t)width;
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        double *to = out + n * (size_t)v;
        if (mapping->tet[v] >= 0) {
            memcpy(to, value + n * (size_t)mapping->tet[v], n * sizeof *to);
        } else {
            memset(to, 0, n * sizeof *to);
        }
    }
    return EW_OK;
}

/* Several vertices add to one of the mesh: one after the other, so that sums have one order. */
ew_status ew_mapping_forces(const ew_mapping *mapping, const ew_mesh *mesh, const double *surface,
                            double *force)
{
    EW_TRY(need_current(mapping, mesh));
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        const double *w = mapping->weight + 4 * (size_t)v, *f = surface + 3 * (size_t)v;
        for (size_t i = 0; i < 4 && mapping->tet[v] >= 0; i++) {
            double *to = force + 3 * (size_t)mesh->tet[4 * (size_t)mapping->tet[v] + i];
            to[0] += w[i] * f[0];
            to[1] += w[i] * f[1];
            to[2] += w[i] * f[2];
        }
    }
    return EW_OK;
}

/* Tets ascending, in each the vertices ascending. */
void ew_mapping_force_at(const ew_mapping *mapping, const ew_mesh *mesh,
                         const ew_topology *topology, const double *surface, int32_t vertex,
                         double *force)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    for (int32_t k = 0; k < tets->count[vertex]; k++) {
        const int32_t t = tets->item[tets->begin[vertex] + k];
        const int32_t *corner = mesh->tet + 4 * (size_t)t;
        const size_t i = corner[0] == vertex   ? 0
                         : corner[1] == vertex ? 1
                         : corner[2] == vertex ? 2
                                               : 3;
        for (int32_t v = mapping->first[t]; v >= 0; v = mapping->next[v]) {
            const double w = mapping->weight[4 * (size_t)v + i];
            const double *f = surface + 3 * (size_t)v;
            force[0] += w * f[0];
            force[1] += w * f[1];
            force[2] += w * f[2];
        }
    }
}
