/* Private to format: what the readers of surfaces share. */
#ifndef EW_FORMAT_SURFACE_H
#define EW_FORMAT_SURFACE_H

#include "format/formats.h"
#include "format/framework/scan.h"

/* Room for n_vertex vertices and n_triangle triangles; both counts are set, labels are 1. */
ew_status ew_surface_allocate(ew_surface *surface, int64_t n_vertex, int64_t n_triangle);

/* The label of the triangles under a name of the file: that of the group, or where it is none of
 * them yet, or empty, ++*n_label. */
ew_status ew_surface_name_label(ew_groups *groups, const char *text, size_t size, int32_t *n_label,
                                int32_t *label);

/* Fills the rest from polygons->surface: each triangle a face, one normal a vertex. */
ew_status ew_polygons_of_triangles(ew_polygons *polygons);

/* Whether all vertices of a face are there. */
bool ew_polygons_have_face(const ew_polygon_frame *frame, int32_t face);

#endif
