/* Memory of a surface that is read. In: counts. Out: arrays. */
#include "format/surface.h"

ew_status ew_surface_allocate(ew_surface *surface, int64_t n_vertex, int64_t n_triangle)
{
    if (n_vertex > INT32_MAX || n_triangle > INT32_MAX) {
        return ew_fail(EW_LIMIT, "surface of %lld vertices and %lld triangles; at most %d of each",
                       (long long)n_vertex, (long long)n_triangle, INT32_MAX);
    }
    EW_TRY(ew_new(&surface->xyz, 3 * (size_t)n_vertex, sizeof *surface->xyz));
    EW_TRY(ew_new(&surface->triangle, 3 * (size_t)n_triangle, sizeof *surface->triangle));
    EW_TRY(ew_new(&surface->label, (size_t)n_triangle, sizeof *surface->label));
    surface->n_vertex = (int32_t)n_vertex;
    surface->n_triangle = (int32_t)n_triangle;
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        surface->label[i] = 1;
    }
    return EW_OK;
}
