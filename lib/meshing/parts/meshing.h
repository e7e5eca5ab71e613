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
 * row_weight [n_row], >= 0: what is balanced; pair_weight [n_pair], > 0: what a pair costs between
 * two parts; null: 1 each.
 * EW_BAD_ARGUMENT for n_part < 1 or above the number of rows with edges; EW_UNSUPPORTED without
 * METIS. */
ew_status ew_partition(const ew_pattern *pattern, const int32_t *row_weight,
                       const int32_t *pair_weight, int32_t n_part, int32_t *part);

/* ---- the surface of a body (skin.c, surface_smooth.c) ------------------- */

/* Label of a triangle that the mesh gives none. */
#define EW_NO_LABEL INT32_MIN
/* What made the surface a manifold. */
typedef struct ew_skin_report {
    int32_t n_copy;  /* vertices added where parts of the body meet in a vertex or an edge alone */
    int32_t n_split; /* edges that got a vertex of their own, likewise */
} ew_skin_report;
/* The boundary of a mesh as a closed manifold of triangles that look outward, in the order of the
 * tets; label: that of the mesh's labeled triangle, else EW_NO_LABEL. Sides of tets are
 * straight. Copies of a vertex are moved apart by a hundredth of its edges, within the planes of
 * labeled triangles where that parts them. *surface: the caller's,
 * ew_surface_free. EW_BAD_INPUT: the mesh has no tets. O(n). */
ew_status ew_skin_take(const ew_mesh *mesh, ew_surface *surface, ew_skin_report *report);
/* What a closed surface encloses, length^3; negative where its triangles look inward. */
double ew_surface_volume(const ew_surface *surface);
/* n_pass passes of Taubin's filter on vertices of no triangle with is_kept [n_triangle], then an equal
 * move of these along their normals, until the surface encloses `volume`. *n_moved: how many these
 * are; 0: nothing is done. */
ew_status ew_surface_smooth(ew_surface *surface, int32_t n_pass, const bool *is_kept,
                            double volume, int32_t *n_moved);

EW_END_API
#endif
