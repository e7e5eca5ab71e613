/* topology: the neighbour tables of a mesh. Built in O(n), updated from a change in
 * O(touched). Also what follows from them: face neighbours, boundary faces, pieces. */
#ifndef EW_TOPOLOGY_H
#define EW_TOPOLOGY_H

#include "mesh/mesh.h"
#include "pattern/pattern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ew_topology {
    ew_pattern pattern;    /* rows: vertex slots, pairs: edges; its revision is the mesh's */
    ew_rows edge_to_tet;   /* width 1, tets ascending */
    ew_rows vertex_to_tet; /* width 1, tets ascending */
    int32_t *tet_to_edge;  /* [n_tet][6] owned, local edge order of mesh.h; -1 in holes */
    int32_t n_tet, tet_capacity;
    ew_pattern_change touched; /* what the last update did to the pattern, for all that is stored by
                                  vertex and edge; contributors are tets */
} ew_topology;

/* Edges are numbered in ascending (a, b). EW_LIMIT beyond 2^31-1 entries of a table. */
ew_status ew_topology_build(ew_topology *topology, const ew_mesh *mesh);
void ew_topology_free(ew_topology *topology);

/* Brings the tables from change->from_revision to to_revision (EW_STALE otherwise) and says in
 * topology->touched what that did. O(touched). On EW_NO_MEMORY the tables must be rebuilt: their
 * revision is then 0, and a matrix, too. */
ew_status ew_topology_update(ew_topology *topology, const ew_mesh *mesh, const ew_change *change);

/* EW_STALE, or the first broken rule: TABLE_POOL, TABLE_EDGE, TABLE_SORTED, TABLE_TET_EDGE,
 * TABLE_EDGE_TET, TABLE_VERTEX_TET, TABLE_VERTEX_EDGE, both directions each. */
ew_status ew_topology_check(const ew_topology *topology, const ew_mesh *mesh);

size_t ew_topology_bytes(const ew_topology *topology);

/* The tet across a face (code 4 * tet + face), or -1 on the boundary. O(1). */
int32_t ew_topology_face_neighbour(const ew_topology *topology, const ew_mesh *mesh, int32_t face);

/* Codes of all boundary faces, ascending, appended to an empty list. O(n). */
ew_status ew_topology_boundary(const ew_topology *topology, const ew_mesh *mesh, ew_list *face);

/* Outward area vector (area times unit normal) of a face code. */
void ew_face_area_vector(const ew_mesh *mesh, int32_t face, double area[3]);

/* Pieces: sets of tets connected through faces, numbered by their lowest tet slot.
 * piece[t] for each tet slot, -1 in holes; the caller's array [n_tet]. */
ew_status ew_topology_pieces(const ew_topology *topology, const ew_mesh *mesh, int32_t *piece,
                             int32_t *n_piece);

#ifdef __cplusplus
}
#endif
#endif
