/* operation, private to smooth: what lies around the vertices that may move, in one piece of memory
 * in the order in which they are visited. Connectivity alone: it holds while positions change. */
#ifndef EW_OPERATION_SMOOTH_STAR_H
#define EW_OPERATION_SMOOTH_STAR_H

#include "operation/framework/internal.h"

enum {
    EW_STAR_NEAR = 64, /* most neighbors and tets of a star that is written down; larger ones are */
    EW_STAR_TET = 128  /* rare and read from the tables */
};

/* The three other corners of a tet, as places in its star's list of neighbors, such that the tet
 * has positive volume when the vertex sees them counter-clockwise. */
typedef struct ew_star_face {
    uint8_t corner[4]; /* the last one is 0 */
} ew_star_face;

typedef struct ew_star {
    int32_t vertex;
    int32_t near;           /* its first neighbor in `near` */
    int32_t face;           /* its first tet in `face`; tets as in the row of vertex_to_tet */
    uint8_t n_near, n_face; /* 0: too large, not written down */
} ew_star;

typedef struct ew_stars {
    int32_t n;
    ew_star *star;      /* [n] owned: the vertices that may move, in ascending vertex_id */
    int32_t *near;      /* owned: neighbors' slots, of each star in ascending vertex_id */
    ew_star_face *face; /* owned */
    ew_keyed *order;    /* [n_vertex] owned: slots by vertex_id; keys unused */
    int32_t *place;     /* [n_vertex] owned: of a slot in `order` */
} ew_stars;

/* Leaves out vertices that must not move: vertices without tets, on the boundary, of labeled
 * triangles, and where regions meet. O(n). `stars` zeroed; on failure to be freed like after
 * success. */
ew_status ew_stars_init(ew_stars *stars, const ew_mesh *mesh, const ew_topology *topology);
void ew_stars_free(ew_stars *stars);

#endif
