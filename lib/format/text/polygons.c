/* Surfaces to be shown: made of triangles, and their normals. In: faces, positions. Out: unit
 * normals at corners, sums of the area vectors of the faces around, which fan as triangles do. */
#include "format/framework/surface.h"

#include <math.h>
#include <string.h>

void ew_polygons_free(ew_polygons *polygons)
{
    ew_surface_free(&polygons->surface);
    ew_release(polygons->begin);
    ew_release(polygons->vertex);
    ew_release(polygons->texture);
    ew_release(polygons->normal);
    ew_release(polygons->uvw);
    ew_release(polygons->line);
    ew_release(polygons->text);
    memset(polygons, 0, sizeof *polygons);
}

ew_status ew_polygons_of_triangles(ew_polygons *to)
{
    const int32_t n_face = to->surface.n_triangle;
    if (n_face > INT32_MAX / 3) {
        return ew_fail(EW_LIMIT, "surface of %d triangles; at most %d", n_face, INT32_MAX / 3);
    }
    EW_TRY(ew_new(&to->begin, (size_t)n_face + 1, sizeof *to->begin));
    EW_TRY(ew_new(&to->vertex, 3 * (size_t)n_face, sizeof *to->vertex));
    EW_TRY(ew_new(&to->texture, 3 * (size_t)n_face, sizeof *to->texture));
    EW_TRY(ew_new(&to->normal, 3 * (size_t)n_face, sizeof *to->normal));
    for (int32_t f = 0; f <= n_face; f++) {
        to->begin[f] = 3 * f;
    }
    for (int32_t k = 0; k < 3 * n_face; k++) {
        to->vertex[k] = to->normal[k] = to->surface.triangle[k];
        to->texture[k] = -1;
    }
    to->n_face = n_face;
    to->n_corner = 3 * n_face;
    to->n_normal = to->surface.n_vertex;
    return EW_OK;
}

bool ew_polygons_have_face(const ew_polygon_frame *frame, int32_t face)
{
    const ew_polygons *of = frame->polygons;
    for (int32_t k = of->begin[face]; k < of->begin[face + 1]; k++) {
        if (frame->has && !frame->has[of->vertex[k]]) {
            return false;
        }
    }
    return true;
}

/* Sum over the triangles of the fan. */
static void area_of(const ew_polygons *of, const double *xyz, int32_t face, double area[3])
{
    const int32_t *v = of->vertex + of->begin[face];
    const int32_t n = of->begin[face + 1] - of->begin[face];
    const double *o = xyz + 3 * (size_t)v[0];
    area[0] = area[1] = area[2] = 0.0;
    for (int32_t k = 2; k < n; k++) {
        const double *p = xyz + 3 * (size_t)v[k - 1], *q = xyz + 3 * (size_t)v[k];
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            area[c] += 0.5 * ((p[d] - o[d]) * (q[e] - o[e]) - (p[e] - o[e]) * (q[d] - o[d]));
        }
    }
}

void ew_polygons_normals(const ew_polygons *of, const double *xyz, const bool *has, double *normal)
{
    const ew_polygon_frame frame = {.polygons = of, .has = has};
    memset(normal, 0, 3 * (size_t)of->n_normal * sizeof *normal);
    for (int32_t f = 0; f < of->n_face; f++) {
        double area[3];
        if (!ew_polygons_have_face(&frame, f)) {
            continue;
        }
        area_of(of, xyz, f, area);
        for (int32_t k = of->begin[f]; k < of->begin[f + 1]; k++) {
            for (int c = 0; c < 3; c++) {
                normal[3 * (size_t)of->normal[k] + (size_t)c] += area[c];
            }
        }
    }
    for (int32_t i = 0; i < of->n_normal; i++) {
        double *n = normal + 3 * (size_t)i;
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int c = 0; c < 3; c++) {
            n[c] = length > 0.0 ? n[c] / length : 0.0;
        }
    }
}
