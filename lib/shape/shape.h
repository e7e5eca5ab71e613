/* shape: built-in bodies, meshed by a regular grid: for examples, tests and benchmarks. */
#ifndef EW_SHAPE_H
#define EW_SHAPE_H

#include "mesh/mesh.h"

EW_BEGIN_API

/* Every shape is conforming, positively oriented, made of hexahedral cells cut in 6
 * tets along (0, 0, 0)-(1, 1, 1) diagonals of the parameter cell (Kuhn), lengths in the
 * user's unit, one region labeled 1, and boundary triangles labeled as each function says.
 * All fail with EW_BAD_ARGUMENT naming the field on sizes <= 0 or cell counts < 1. */
/* Box [0, size]; labels 1..6 = x min, x max, y min, y max, z min, z max. */
ew_status ew_shape_box(ew_mesh *mesh, const double size[3], const int32_t cells[3]);
/* Quarter of a square plate (side 2 * half_side, thickness) with a hole of `radius` at
 * the origin: x, y >= 0, z in [0, thickness]. Cells: along the quarter arc (even),
 * radially (graded toward the hole), through the thickness. Labels: 1 x = 0 plane,
 * 2 y = 0 plane, 3 x = half_side, 4 y = half_side, 5 hole, 6 z = 0, 7 z = thickness. */
ew_status ew_shape_plate_hole(ew_mesh *mesh, double half_side, double radius, double thickness,
                              const int32_t cells[3]);
/* L-bracket: a wall flange (y up) and a shelf flange (x out) of equal `length`, `width`
 * along z, `thickness`, with a fillet-free inner corner, and two round bolt holes of
 * `hole_radius` through each flange. `cells_thickness` sets the resolution. Labels:
 * 1 wall back face (x = 0), 2 shelf top face, 3 holes of the wall flange, 4 holes of the
 * shelf flange, 5 all else. */
ew_status ew_shape_bracket(ew_mesh *mesh, double length, double width, double thickness,
                           double hole_radius, int32_t cells_thickness);
/* Torus around z: ring radius, tube radius; cells around the ring, across the tube
 * (square grid mapped to the disc, cells[1] per side). One label, 1. */
ew_status ew_shape_torus(ew_mesh *mesh, double ring_radius, double tube_radius,
                         const int32_t cells[2]);

EW_END_API
#endif
