/* meshing: what a program needs that works on its tables itself, beside meshing/meshing.h. */
#ifndef EW_PARTS_MESHING_H
#define EW_PARTS_MESHING_H

#include "mesh/parts/mesh.h"
#include "meshing/meshing.h"
#include "topology/parts/topology.h"

EW_BEGIN_API

void ew_filling_free(ew_filling *filling);

/* True when the library was built with METIS. */
bool ew_has_metis(void);

/* An order of the vertices for locality: order[v] = new place of live vertex v (a permutation of
 * 0..n_live-1), -1 for holes (vertices with valence -1); the caller's array [n_vertex], untouched
 * on failure. Along a Hilbert curve; inactive vertices go last, in the order of their slots. O(n).
 */
ew_status ew_order_for_locality(const ew_mesh *mesh, int32_t *order);

/* part[v] in [0, n_part) for each row, -1 for rows without edges; the caller's array [n_row].
 * METIS k-way on the pattern, balanced; parts of fewer than about 3 rows may come out empty.
 * EW_BAD_ARGUMENT for n_part < 1 or above the number of rows with edges; EW_UNSUPPORTED without
 * METIS. */
ew_status ew_partition(const ew_pattern *pattern, int32_t n_part, int32_t *part);

EW_END_API
#endif
