/* Private to mesh: a flat mesh of triangles (the base) extruded in layers into tets. Every
 * built-in shape is one or more such extrusions.
 *
 * Conformity rests on one rule: over the base edge a < b (numbers in the base) the diagonal
 * of the side quadrilateral runs from a in the lower layer to b in the upper one. Prisms cut
 * by that rule always match, whatever the base; over a square grid numbered row by row the
 * six tets of a cell are Kuhn's. */
#ifndef EW_SHAPE_BUILDER_H
#define EW_SHAPE_BUILDER_H

#include "shape/parts/shape.h"

typedef struct ew_base {
    int32_t n_point, point_capacity;
    double *point; /* [n_point][3] owned, the place handed to ew_place */
    int32_t n_triangle, triangle_capacity;
    int32_t *triangle; /* [n_triangle][3] owned, counter-clockwise seen from the next layer */
    int32_t n_edge, edge_capacity;
    int32_t *edge; /* [n_edge][3] owned: from, to (the inside on the left), label > 0 */
} ew_base;

void ew_base_free(ew_base *base);
ew_status ew_base_add_point(ew_base *base, double x, double y, double z, int32_t *point);
/* Corners counter-clockwise, the first the lower left one. Cut along first-third unless the
 * other diagonal gives clearly better triangles. */
ew_status ew_base_add_quad(ew_base *base, const int32_t corner[4]);
ew_status ew_base_add_edge(ew_base *base, int32_t from, int32_t to, int32_t label);
/* Grid of cells[0] x cells[1] quads over the points of `node` (row after row, cells[0] + 1 in
 * a row). Labels of its sides: first column, last column, first row, last row; 0: none. */
ew_status ew_base_add_grid(ew_base *base, const int32_t cells[2], const int32_t *node,
                           const int32_t label[4]);
/* Reflected: first and second coordinate exchanged, triangles and edges turned round. */
void ew_base_mirror(ew_base *base);

/* Everything extruded so far; ends in ew_mesh_init. */
typedef struct ew_shape {
    int32_t n_vertex, vertex_capacity;
    double *xyz; /* [n_vertex][3] owned */
    int32_t n_tet, tet_capacity;
    int32_t *tet; /* [n_tet][4] owned */
    int32_t n_face, face_capacity, label_capacity;
    int32_t *face;       /* [n_face][3] owned */
    int32_t *face_label; /* [n_face] owned */
} ew_shape;

/* Where the base point goes in layer `layer` of 0 .. n_layer. */
typedef void (*ew_place)(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                         double xyz[3]);

/* node [n_layer + 1][n_point]: shape vertices, -1 where one is to be made; filled on
 * return. cap: labels of the lower and the upper end, 0: none. `ring`: the last layer is the
 * first one (no caps, and row n_layer of node repeats row 0). */
ew_status ew_shape_extrude(ew_shape *shape, const ew_base *base, int32_t n_layer, bool ring,
                           ew_place place, const void *user, const int32_t cap[2], int32_t *node);
/* The whole of a shape that is one extrusion. */
ew_status ew_shape_extrude_to_mesh(ew_mesh *mesh, const ew_base *base, int32_t n_layer, bool ring,
                                   ew_place place, const void *user, const int32_t cap[2]);
ew_status ew_shape_to_mesh(ew_mesh *mesh, const ew_shape *shape);
void ew_shape_free(ew_shape *shape);

/* EW_BAD_ARGUMENT unless the value is finite and > 0, or the count >= least. */
ew_status ew_shape_need_size(const char *shape, const char *field, double value);
ew_status ew_shape_need_cells(const char *shape, const char *field, int32_t value, int32_t min);
/* EW_LIMIT when `n` does not fit an id. */
ew_status ew_shape_need_limit(const char *shape, double n);

#endif
