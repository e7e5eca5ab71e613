/* Binding a surface to a mesh. In: a mesh, a surface. Out: for every vertex of the surface its tet
 * and its weights; lists of them by tet; checks. */
#include "mapping/internal.h"

#include <math.h>
#include <string.h>

void ew_mapping_free(ew_mapping *mapping)
{
    ew_release(mapping->triangle);
    ew_release(mapping->triangle_begin);
    ew_release(mapping->vertex_triangle);
    ew_release(mapping->rest);
    ew_release(mapping->tet);
    ew_release(mapping->weight);
    ew_release(mapping->distance);
    ew_release(mapping->first);
    ew_release(mapping->next);
    ew_list_free(&mapping->touched);
    ew_list_free(&mapping->update.vertex);
    ew_list_free(&mapping->update.owner);
    ew_list_free(&mapping->update.part_first);
    ew_list_free(&mapping->update.part_next);
    ew_list_free(&mapping->update.candidate);
    memset(mapping, 0, sizeof *mapping);
}

/* ---- the surface ------------------------------------------------------------- */

static ew_status check_surface(const ew_surface *surface)
{
    if (surface->n_vertex < 1) {
        return ew_fail(EW_BAD_INPUT, "the surface has no vertices");
    }
    for (int32_t v = 0; v < surface->n_vertex; v++) {
        const double *x = surface->xyz + 3 * (size_t)v;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2])) {
            return ew_fail_about(EW_BAD_INPUT, v, -1,
                                 "vertex %d of the surface has a coordinate that is not finite", v);
        }
    }
    for (int64_t i = 0; i < 3 * (int64_t)surface->n_triangle; i++) {
        if (surface->triangle[i] < 0 || surface->triangle[i] >= surface->n_vertex) {
            return ew_fail_about(EW_BAD_INPUT, i / 3, -1,
                                 "triangle %lld of the surface names vertex %d; there are 0 to %d",
                                 (long long)(i / 3), surface->triangle[i], surface->n_vertex - 1);
        }
    }
    return EW_OK;
}

/* The triangles at each vertex, ascending. */
static ew_status list_triangles(ew_mapping *mapping)
{
    const size_t n = 3 * (size_t)mapping->n_triangle;
    int32_t *begin;
    EW_TRY(ew_new_zero(&mapping->triangle_begin, (size_t)mapping->n_vertex + 2, sizeof *begin));
    EW_TRY(ew_new(&mapping->vertex_triangle, n, sizeof *mapping->vertex_triangle));
    begin = mapping->triangle_begin;
    for (size_t i = 0; i < n; i++) {
        begin[mapping->triangle[i] + 2]++;
    }
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        begin[v + 2] += begin[v + 1];
    }
    for (size_t i = 0; i < n; i++) {
        mapping->vertex_triangle[begin[mapping->triangle[i] + 1]++] = (int32_t)(i / 3);
    }
    return EW_OK;
}

static ew_status copy_surface(ew_mapping *mapping, const ew_surface *surface)
{
    const size_t n = (size_t)surface->n_vertex, m = 3 * (size_t)surface->n_triangle;
    EW_TRY(ew_new(&mapping->triangle, m, sizeof *mapping->triangle));
    EW_TRY(ew_new(&mapping->rest, 3 * n, sizeof *mapping->rest));
    EW_TRY(ew_new_zero(&mapping->tet, n, sizeof *mapping->tet));
    EW_TRY(ew_new_zero(&mapping->weight, 4 * n, sizeof *mapping->weight));
    EW_TRY(ew_new_zero(&mapping->distance, n, sizeof *mapping->distance));
    EW_TRY(ew_new(&mapping->next, n, sizeof *mapping->next));
    memcpy(mapping->rest, surface->xyz, 3 * n * sizeof *mapping->rest);
    if (m) {
        memcpy(mapping->triangle, surface->triangle, m * sizeof *mapping->triangle);
    }
    mapping->n_vertex = surface->n_vertex;
    mapping->n_triangle = surface->n_triangle;
    return list_triangles(mapping);
}

/* ---- lists by tet -------------------------------------------------------------- */

ew_status mapping_reserve_tets(ew_mapping *mapping, int32_t n_tet)
{
    EW_TRY(ew_grow(&mapping->first, &mapping->tet_capacity, n_tet, sizeof *mapping->first));
    for (int32_t t = mapping->n_tet; t < n_tet; t++) {
        mapping->first[t] = -1;
    }
    mapping->n_tet = n_tet > mapping->n_tet ? n_tet : mapping->n_tet;
    return EW_OK;
}

void mapping_list_vertices(ew_mapping *mapping)
{
    for (int32_t t = 0; t < mapping->n_tet; t++) {
        mapping->first[t] = -1;
    }
    for (int32_t v = mapping->n_vertex - 1; v >= 0; v--) {
        mapping->next[v] = -1;
        if (mapping->tet[v] >= 0) {
            mapping->next[v] = mapping->first[mapping->tet[v]];
            mapping->first[mapping->tet[v]] = v;
        }
    }
}

/* ---- binding --------------------------------------------------------------------- */

void mapping_put(ew_mapping *mapping, int32_t v, const ew_place *place)
{
    mapping->tet[v] = place->tet;
    mapping->distance[v] = place->distance;
    memcpy(mapping->weight + 4 * (size_t)v, place->weight, sizeof place->weight);
}

/* Every vertex that is not released; each on its own, in any order. */
static ew_status find_all(ew_mapping *mapping, const ew_mesh *mesh, const ew_grid *grid)
{
    ew_status failed = EW_OK;
    const int threads = ew_threads_for(mapping->n_vertex, 256);
    (void)threads;
#pragma omp parallel num_threads(threads)
    {
        ew_list work = {0};
#pragma omp for schedule(dynamic, 256)
        for (int32_t v = 0; v < mapping->n_vertex; v++) {
            ew_place place;
            if (mapping->tet[v] < 0) {
                continue;
            }
            if (ew_grid_find(grid, mesh, mapping->rest + 3 * (size_t)v, &work, &place)) {
#pragma omp atomic write
                failed = EW_NO_MEMORY;
            } else {
                mapping_put(mapping, v, &place);
            }
        }
        ew_list_free(&work);
    }
    return failed ? ew_fail(failed, "no memory for binding a surface") : EW_OK;
}

static void measure(ew_mapping *mapping)
{
    mapping->n_outside = 0;
    mapping->max_distance = 0.0;
    mapping->farthest = -1;
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        mapping->n_outside += mapping->distance[v] > 0.0;
        if (mapping->distance[v] > mapping->max_distance) {
            mapping->max_distance = mapping->distance[v];
            mapping->farthest = v;
        }
    }
}

static ew_status bind_all(ew_mapping *mapping, const ew_mesh *mesh, double max_distance)
{
    ew_grid grid;
    mapping->revision = 0;
    EW_TRY(ew_grid_build(&grid, mesh));
    double square = 0.0;
    for (int c = 0; c < 3; c++) {
        square += (grid.high[c] - grid.low[c]) * (grid.high[c] - grid.low[c]);
    }
    const double allowed = max_distance > 0.0 ? max_distance : 0.5 * sqrt(square);
    /* far ones first: their search could take long */
    for (int32_t v = 0; v < mapping->n_vertex && isfinite(allowed); v++) {
        for (int c = 0; c < 3; c++) {
            const double x = mapping->rest[3 * (size_t)v + (size_t)c];
            const double past = fmax(grid.low[c] - x, x - grid.high[c]);
            if (mapping->tet[v] >= 0 && past > allowed) {
                ew_grid_free(&grid);
                return ew_fail_about(EW_BAD_INPUT, v, -1,
                                     "vertex %d of the surface is %.4g outside the body, more than "
                                     "%.4g; are the units the same? (max_distance allows more)",
                                     v, past, allowed);
            }
        }
    }
    ew_status status = find_all(mapping, mesh, &grid);
    ew_grid_free(&grid);
    EW_TRY(status);
    measure(mapping);
    if (mapping->max_distance > allowed) {
        return ew_fail_about(EW_BAD_INPUT, mapping->farthest, -1,
                             "vertex %d of the surface is %.4g outside the body, more than %.4g; "
                             "are the units the same? (max_distance allows more)",
                             mapping->farthest, mapping->max_distance, allowed);
    }
    EW_TRY(mapping_reserve_tets(mapping, mesh->n_tet));
    mapping_list_vertices(mapping);
    mapping->touched.n = 0;
    mapping->is_reshaped = false;
    mapping->revision = mesh->revision;
    return EW_OK;
}

ew_status ew_mapping_bind(ew_mapping *mapping, const ew_mesh *mesh, const ew_surface *surface,
                          const ew_mapping_def *def)
{
    memset(mapping, 0, sizeof *mapping);
    if (!(def->max_distance >= 0.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "mapping: max_distance is %g; it must not be negative",
                       def->max_distance);
    }
    EW_TRY(check_surface(surface));
    mapping->drop = def->drop;
    ew_status status = copy_surface(mapping, surface);
    if (!status) {
        status = bind_all(mapping, mesh, def->max_distance);
    }
    if (status) {
        ew_mapping_free(mapping);
    }
    return status;
}

ew_status ew_mapping_bind_again(ew_mapping *mapping, const ew_mesh *mesh)
{
    return bind_all(mapping, mesh, INFINITY);
}

ew_status ew_mapping_rename(ew_mapping *mapping, const ew_mesh *mesh, const int32_t *tet,
                            int32_t n_tet)
{
    mapping->revision = 0;
    EW_TRY(mapping_reserve_tets(mapping, mesh->n_tet));
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        const int32_t t = mapping->tet[v];
        EW_ASSERT(t < n_tet);
        (void)n_tet;
        mapping->tet[v] = t >= 0 ? tet[t] : -1;
    }
    mapping_list_vertices(mapping);
    mapping->touched.n = 0;
    mapping->is_reshaped = false;
    mapping->revision = mesh->revision;
    return EW_OK;
}

/* ---- checking ---------------------------------------------------------------------- */

static ew_status check_vertex(const ew_mapping *mapping, const ew_mesh *mesh, int32_t v)
{
    const int32_t t = mapping->tet[v];
    const double *w = mapping->weight + 4 * (size_t)v;
    double corner[12], error = 0.0, size = 0.0;
    if (t < 0) {
        return EW_OK;
    }
    if (t >= mesh->n_tet || !ew_mesh_tet_is_live(mesh, t)) {
        return ew_fail_about(EW_TABLE_BOUNDARY, v, -1,
                             "mapping: vertex %d is bound to tet slot %d, which is empty", v, t);
    }
    ew_mesh_tet_values(mesh, t, mesh->xyz, corner);
    const double extent = 1.0 + fabs(w[0]) + fabs(w[1]) + fabs(w[2]) + fabs(w[3]);
    for (int c = 0; c < 3; c++) {
        const double x =
            w[0] * corner[c] + w[1] * corner[3 + c] + w[2] * corner[6 + c] + w[3] * corner[9 + c];
        error = fmax(error, fabs(x - mapping->rest[3 * (size_t)v + (size_t)c]));
        for (int i = 0; i < 4; i++) {
            size = fmax(size, extent * fabs(corner[3 * i + c]));
        }
    }
    if (!(fabs(w[0] + w[1] + w[2] + w[3] - 1.0) <= 1e-14 * extent) || !(error <= 1e-9 * size)) {
        return ew_fail_about(EW_TABLE_BOUNDARY, v, -1,
                             "mapping: the weights of vertex %d do not give its position", v);
    }
    return EW_OK;
}

ew_status ew_mapping_check(const ew_mapping *mapping, const ew_mesh *mesh)
{
    int32_t n_listed = 0, n_released = 0;
    if (mapping->revision != mesh->revision) {
        return ew_fail(EW_STALE, "mapping: it is not of this mesh");
    }
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        EW_TRY(check_vertex(mapping, mesh, v));
        n_released += mapping->tet[v] < 0;
    }
    for (int32_t t = 0; t < mapping->n_tet; t++) {
        int32_t before = -1;
        for (int32_t v = mapping->first[t]; v >= 0; v = mapping->next[v], n_listed++) {
            if (v <= before || v >= mapping->n_vertex || mapping->tet[v] != t) {
                return ew_fail_about(EW_TABLE_BOUNDARY, v, -1,
                                     "mapping: vertex %d is in the list of tet slot %d by mistake",
                                     v, t);
            }
            before = v;
        }
    }
    if (n_listed != mapping->n_vertex - n_released || n_released != mapping->n_released) {
        return ew_fail(EW_TABLE_BOUNDARY, "mapping: %d vertices are listed, %d of %d released",
                       n_listed, n_released, mapping->n_vertex);
    }
    return EW_OK;
}
