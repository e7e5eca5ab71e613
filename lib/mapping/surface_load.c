/* Loads on the surface. In: a load, the undeformed triangles that are there. Out: the force on a
 * vertex, a third of that on each of its triangles, in ascending order. */
#include "mapping/parts/mapping.h"

#include <math.h>

/* Area times unit normal, right hand. */
static void area_vector(const ew_mapping *mapping, int32_t triangle, double area[3])
{
    const int32_t *v = mapping->triangle + 3 * (size_t)triangle;
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
        const double x = mapping->rest[3 * (size_t)v[0] + (size_t)c];
        a[c] = mapping->rest[3 * (size_t)v[1] + (size_t)c] - x;
        b[c] = mapping->rest[3 * (size_t)v[2] + (size_t)c] - x;
    }
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        area[c] = 0.5 * (a[d] * b[e] - a[e] * b[d]);
    }
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

double ew_mapping_area(const ew_mapping *mapping)
{
    double sum = 0.0;
    for (int32_t i = 0; i < mapping->n_triangle; i++) {
        double area[3];
        if (ew_mapping_has_triangle(mapping, i)) {
            area_vector(mapping, i, area);
            sum += length(area);
        }
    }
    return sum;
}

void ew_surface_load_at(const ew_mapping *mapping, const ew_surface_load *load, double area,
                        int32_t vertex, double force[3])
{
    force[0] = force[1] = force[2] = 0.0;
    if (load->kind == EW_SURFACE_FORCE) {
        for (int c = 0; c < 3 && mapping->tet[vertex] >= 0; c++) {
            force[c] = load->vector[c];
        }
        return;
    }
    const int32_t end = mapping->triangle_begin[vertex + 1];
    for (int32_t i = mapping->triangle_begin[vertex]; i < end; i++) {
        double normal[3];
        if (!ew_mapping_has_triangle(mapping, mapping->vertex_triangle[i])) {
            continue;
        }
        area_vector(mapping, mapping->vertex_triangle[i], normal);
        double share = length(normal) / 3.0;
        share = load->kind == EW_SURFACE_TOTAL_FORCE ? share / area : share;
        for (int c = 0; c < 3; c++) {
            force[c] += load->kind == EW_SURFACE_PRESSURE ? -load->pressure * normal[c] / 3.0
                                                          : share * load->vector[c];
        }
    }
}
