/* Private to format: the readers of one surface format each, and what they share. */
#ifndef EW_FORMAT_SURFACE_H
#define EW_FORMAT_SURFACE_H

#include "format/scan.h"

ew_status ew_read_off(const char *data, size_t size, ew_surface *surface);
ew_status ew_read_obj(const char *data, size_t size, ew_surface *surface);
ew_status ew_read_stl(const char *data, size_t size, ew_surface *surface, int32_t *n_welded);

/* Room for n_vertex vertices and n_triangle triangles; both counts are set, labels are 1. */
ew_status ew_surface_allocate(ew_surface *surface, int64_t n_vertex, int64_t n_triangle);

#endif
