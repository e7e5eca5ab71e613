/* shape: what a program needs that works on its tables itself, beside shape/shape.h. */
#ifndef EW_PARTS_SHAPE_H
#define EW_PARTS_SHAPE_H

#include "mesh/parts/mesh.h"
#include "shape/shape.h"

EW_BEGIN_API

/* Octant x, y, z >= 0 of a hollow sphere; cells along an arc (each of the three patches
 * is cells[0] x cells[0]) and radially. Labels: 1 inner, 2 outer, 3 x = 0, 4 y = 0, 5 z = 0. */
ew_status ew_shape_sphere_octant(ew_mesh *mesh, double inner_radius, double outer_radius,
                                 const int32_t cells[2]);

EW_END_API
#endif
