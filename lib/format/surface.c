/* Surfaces by format. In: bytes. Out: a triangle surface, as the file lists it. */
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

ew_status ew_read_surface(ew_format format, const char *data, size_t size, ew_surface *surface,
                          int32_t *n_welded)
{
    ew_surface read = {0};
    int32_t welded = 0;
    ew_status status;
    switch (format) {
    case EW_FORMAT_OFF:
        status = ew_read_off(data, size, &read);
        break;
    case EW_FORMAT_OBJ:
        status = ew_read_obj(data, size, &read);
        break;
    case EW_FORMAT_STL:
        status = ew_read_stl(data, size, &read, &welded);
        break;
    default:
        status =
            ew_fail(EW_BAD_ARGUMENT, "surface: format %d is none of OFF, OBJ and STL", (int)format);
    }
    if (status) {
        ew_surface_free(&read);
        return status;
    }
    *surface = read;
    if (n_welded) {
        *n_welded = welded;
    }
    return EW_OK;
}
