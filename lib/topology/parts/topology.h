/* topology: what a program needs that works on its tables itself, beside topology/topology.h. */
#ifndef EW_PARTS_TOPOLOGY_H
#define EW_PARTS_TOPOLOGY_H

#include "mesh/parts/mesh.h"
#include "pattern/parts/pattern.h"
#include "topology/topology.h"

EW_BEGIN_API

/* Edges are numbered in ascending (a, b). EW_LIMIT beyond 2^31-1 entries of a table. */
ew_status ew_topology_build(ew_topology *topology, const ew_mesh *mesh);
void ew_topology_free(ew_topology *topology);
/* The same tables, in the memory of `copy` (zeroed: none), with no update behind them. On failure
 * `copy` is to be freed. */
ew_status ew_topology_copy(ew_topology *copy, const ew_topology *topology);

/* Brings the tables from change->from_revision to to_revision (EW_STALE otherwise) and says in
 * topology->touched what that did. O(touched). On EW_NO_MEMORY the tables must be rebuilt: their
 * revision is then 0, and a matrix, too. */
ew_status ew_topology_update(ew_topology *topology, const ew_mesh *mesh, const ew_change *change);
/* The same after a change that only moved vertices, where nothing needs to know what was touched
 * because all that is stored by the tables will be built: O(1). topology->touched then leads
 * nowhere. EW_BAD_ARGUMENT after another change. */
ew_status ew_topology_pass(ew_topology *topology, const ew_mesh *mesh, const ew_change *change);

/* EW_STALE, or the first broken rule: TABLE_POOL, TABLE_EDGE, TABLE_SORTED, TABLE_TET_EDGE,
 * TABLE_EDGE_TET, TABLE_VERTEX_TET, TABLE_VERTEX_EDGE, both directions each. */
ew_status ew_topology_check(const ew_topology *topology, const ew_mesh *mesh);

size_t ew_topology_bytes(const ew_topology *topology);

/* O(tets of v). */
ew_status ew_star_faces_find(ew_star_faces *faces, const ew_topology *topology, const ew_mesh *mesh,
                             int32_t v);
/* The same in two: room for a vertex of n_tet tets, and the search, which allocates nothing. */
ew_status ew_star_faces_reserve(ew_star_faces *faces, int32_t n_tet);
void ew_star_faces_list(ew_star_faces *faces, const ew_topology *topology, const ew_mesh *mesh,
                        int32_t v);
void ew_star_faces_free(ew_star_faces *faces);

/* Codes of all boundary faces, ascending, appended to an empty list. O(n). */
ew_status ew_topology_boundary(const ew_topology *topology, const ew_mesh *mesh, ew_list *face);

/* Components: sets of tets connected through faces, numbered by their lowest tet slot.
 * component[t] for each tet slot, -1 in holes; the caller's array [n_tet]. O(n). */
ew_status ew_topology_components(const ew_topology *topology, const ew_mesh *mesh,
                                 int32_t *component, int32_t *n_component);

/* ---- boundary faces that follow the mesh (boundary.c) ------------------- */

/* Slots in ascending order of the face codes. `boundary`: zeroed or uninitialized; zeroed on
 * failure. EW_STALE when the tables are not the mesh's. O(n). */
ew_status ew_boundary_build(ew_boundary *boundary, const ew_mesh *mesh,
                            const ew_topology *topology);
/* Follows a committed edit; the tables must have followed it already (EW_STALE otherwise, and
 * nothing changes). O(touched). On EW_NO_MEMORY its revision is 0: build it again. */
ew_status ew_boundary_update(ew_boundary *boundary, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_change *change);
/* Whether a tet has faces on the boundary. O(1). */
bool ew_boundary_has_tet(const ew_boundary *boundary, int32_t tet);
/* Slot of a face code, or -1 when the face is not on the boundary. O(1). */
int32_t ew_boundary_find(const ew_boundary *boundary, int32_t code);
/* EW_STALE or EW_TABLE_BOUNDARY with the face concerned. O(n). */
ew_status ew_boundary_check(const ew_boundary *boundary, const ew_mesh *mesh,
                            const ew_topology *topology);
/* As ew_topology_copy. */
ew_status ew_boundary_copy(ew_boundary *copy, const ew_boundary *boundary);
void ew_boundary_free(ew_boundary *boundary);

EW_END_API
#endif
