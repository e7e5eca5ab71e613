/* mapping: a fine surface bound to the tets of a mesh by barycentric coordinates. It moves with
 * them, hands forces on it back to their vertices, and its bindings follow edits.
 *
 * A vertex of the surface at the undeformed position X is bound to one tet: weights w_i, of sum 1,
 * with X = sum w_i X_i. Displaced it is at x = X + sum w_i u_i. A force f on it is the forces
 * w_i f on the tet's vertices: the transpose, so that virtual work, resultant force and moment
 * about the undeformed position are the same on both sides. The surface stiffens nothing.
 *
 * Which tet: of those that contain X (to 1e-9 of a tet's size) the one with the lowest tet_id;
 * where none does the nearest, of several equally near ones (their common edge, say) the one whose
 * smallest weight is largest, then that with the lowest tet_id. Weights outside are negative. */
#ifndef EW_MAPPING_H
#define EW_MAPPING_H

#include "topology/topology.h"

EW_BEGIN_API

typedef struct ew_mapping_def {
    double max_distance; /* length unit: a vertex of the surface farther from the body is refused;
                            0: half the diagonal of the body's bounding box */
    bool drop;           /* treatment of vertices whose tet is removed, see ew_mapping_update */
} ew_mapping_def;

typedef struct ew_mapping {
    int32_t n_vertex, n_triangle; /* of the surface */
    int32_t *triangle;            /* [n_triangle][3] owned, vertices of the surface */
    int32_t *triangle_begin;      /* [n_vertex + 1] owned: triangles of vertex v are */
    int32_t *vertex_triangle;     /* [3 n_triangle] owned: .. begin[v] to begin[v + 1] - 1 */
    double *rest;                 /* [n_vertex][3] owned: undeformed positions, length unit */
    int32_t *tet;                 /* [n_vertex] owned: slot; -1: released */
    double *weight;               /* [n_vertex][4] owned: of the tet's vertices in its order */
    double *distance;             /* [n_vertex] owned: of `rest` from the tet, 0 inside */
    bool drop;
    int32_t n_released;  /* vertices that belong to no tet any more */
    int32_t n_outside;   /* when it was bound: vertices outside the body, */
    double max_distance; /* how far the farthest was, */
    int32_t farthest;    /* and which; -1: none */

    int32_t n_tet, tet_capacity;
    int32_t *first; /* [n_tet] owned: lowest vertex bound to a tet, -1: none */
    int32_t *next;  /* [n_vertex] owned: the next one, ascending; -1: the last */

    uint64_t revision; /* of the mesh; 0: not valid, bind it again */

    /* what the last update did; empty after a binding */
    ew_list touched;  /* vertices bound again, released, or with another undeformed position; each
                         once */
    bool is_reshaped; /* triangles went, or undeformed positions changed */

    struct {
        ew_list vertex, owner; /* vertices without a tet; which of the removed tets they had */
        ew_list part_first;    /* [removed tets] */
        ew_list part_next;     /* [added tets] */
        ew_list candidate;     /* tets */
    } update;                  /* private: memory kept from update to update */
} ew_mapping;

/* ---- carrying (carry.c); EW_STALE where the mesh is another -------------- */

/* out [n_vertex][3] = rest + the displacement u [slots][3] there; null: rest alone. Released
 * vertices stay where they were undeformed. */
ew_status ew_mapping_positions(const ew_mapping *mapping, const ew_mesh *mesh, const double *u,
                               double *out);

EW_END_API
#endif
