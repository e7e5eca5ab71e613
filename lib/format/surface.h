/* Private to format: what the readers of surfaces share. */
#ifndef EW_FORMAT_SURFACE_H
#define EW_FORMAT_SURFACE_H

#include "format/formats.h"
#include "format/scan.h"

/* Room for n_vertex vertices and n_triangle triangles; both counts are set, labels are 1. */
ew_status ew_surface_allocate(ew_surface *surface, int64_t n_vertex, int64_t n_triangle);

#endif
