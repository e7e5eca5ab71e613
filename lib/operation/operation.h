/* operation: ready-made edits of a mesh. Each function reads mesh and tables, queues into an
 * empty ew_edit, and reports what it chose; the caller commits. None changes the mesh.
 *
 * What is queued from a mesh that ew_mesh_check finds sound, the commit takes: an operation
 * that would leave a tet without usable volume (EW_MIN_SHAPE), a duplicate tet, a third tet on a
 * face or two on the same side of it refuses with EW_BAD_EDIT, says how many tets are concerned and
 * names the worst by its tet_id. So does every operation but add on a mesh without tets. Arguments
 * out of range are EW_BAD_ARGUMENT, unknown ids and labels EW_BAD_INPUT, tables that are not the
 * mesh's EW_STALE. After any failure the edit is empty and the other outputs are untouched. Results
 * do not depend on the number of threads. */
#ifndef EW_OPERATION_H
#define EW_OPERATION_H

#include "topology/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- decimate ---------------------------------------------------------- */

typedef enum ew_decimate_order {
    EW_DECIMATE_AXIS,   /* contiguous: tets of greatest centroid coordinate along `axis` go first */
    EW_DECIMATE_RANDOM, /* by `seed`; the choice depends on tet_ids, not on slots */
    EW_DECIMATE_REGION, /* tets of the region with label `region` only, as AXIS within it */
    EW_DECIMATE_ENERGY  /* lowest value of `value` first */
} ew_decimate_order;

/* Ties go to the lower tet_id. */
typedef struct ew_decimate_def {
    double fraction; /* of the live tets (REGION: of the region's), in (0, 1]; rounded to the
                        nearest count */
    ew_decimate_order order;
    double axis[3]; /* AXIS, REGION: length > 0 */
    uint64_t seed;
    int32_t region;
    const double *value; /* [n_tet] borrowed, e.g. strain energy; read at live tets only */
} ew_decimate_def;
ew_status ew_operation_decimate(const ew_mesh *mesh, const ew_decimate_def *def, ew_edit *edit);

/* ---- mirror ------------------------------------------------------------ */

/* Reflects across the plane. Vertices within `tolerance` of it are shared by both halves and
 * stay where they are. Tets that cross the plane, lie beyond it (on the normal's side) or
 * have all four vertices within `tolerance` of it are an error that says how many. Images
 * keep the region of their tet. */
typedef struct ew_mirror_def {
    double point[3], normal[3]; /* the normal of any length > 0 */
    double tolerance;           /* length, >= 0 */
} ew_mirror_def;
/* Completes a definition from the mesh: at +1 / -1 puts the point at the greatest / least
 * coordinate along the normal and turns the normal outwards, 0 keeps the point; a negative
 * tolerance becomes 1e-6 of the bounding box' diagonal. */
void ew_mirror_place(const ew_mesh *mesh, int32_t at, ew_mirror_def *def);
/* Added vertices and tets name those of which they are the images. */
ew_status ew_operation_mirror(const ew_mesh *mesh, const ew_mirror_def *def, ew_edit *edit);

/* ---- scale ------------------------------------------------------------- */

/* x -> about + factor * (x - about), per axis; factors > 0 (mirror makes reflections).
 * Inactive vertices are scaled too; coordinates with factor 1 keep their bits. */
ew_status ew_operation_scale(const ew_mesh *mesh, const double factor[3], const double about[3],
                             ew_edit *edit);

/* ---- remove ------------------------------------------------------------ */

/* Removes the tets that the selector takes: region by region, ids as tet_id, box, sphere,
 * cylinder, plane and side by the tet's centroid, nearest the one of nearest centroid (ties:
 * the lower tet_id). A surface selects no tets: EW_BAD_ARGUMENT. */
ew_status ew_operation_remove(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit);
/* Removes components of fewer than `least` (>= 1) tets. */
ew_status ew_operation_remove_small(const ew_mesh *mesh, const ew_topology *topology, int32_t least,
                                    ew_edit *edit);

/* ---- add --------------------------------------------------------------- */

/* Adds the tets of another mesh. Each of their vertices is welded to the nearest active vertex
 * within `tolerance` (length, >= 0; 0 welds equal points only; ties: the lower vertex_id), or
 * added. Two that weld to one are an error. Regions keep their labels. */
ew_status ew_operation_add(const ew_mesh *mesh, const ew_mesh *other, double tolerance,
                           ew_edit *edit);

/* ---- move -------------------------------------------------------------- */

/* Moves the listed vertices by a vector. With radius > 0 active vertices at distance
 * d < radius from the nearest listed one follow with weight (1 - (d/radius)^2)^2. */
ew_status ew_operation_move(const ew_mesh *mesh, const ew_list *vertex, const double by[3],
                            double radius, ew_edit *edit);

/* ---- refine ------------------------------------------------------------ */

/* Bisects edges inside the set `vertex` (null: everywhere) until none is longer than `longest`
 * (0: each such edge of the mesh once), and whatever neighbours conformity needs. An edge is
 * inside the set when both its ends are; the middle of such an edge belongs to the set too. An
 * edge is bisected only where it is the longest of all its tets; until then the longer ones
 * come first. Regions are inherited. EW_LIMIT when `longest` asks for more tets than can be
 * named. Labelled triangles whose edges are bisected are replaced by their parts.
 * Added vertices name the ends of their edge as parents, added tets the tet they are a part of. */
ew_status ew_operation_refine(const ew_mesh *mesh, const ew_topology *topology, double longest,
                              const ew_list *vertex, ew_edit *edit);

/* ---- smooth ------------------------------------------------------------ */

/* Moves inner vertices towards better shape quality, `sweeps` (>= 1) times or until none
 * moves; each step is kept only if the least quality of the vertex' tets rises. Vertices of
 * the boundary, of labelled triangles and between regions stay. */
ew_status ew_operation_smooth(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                              ew_edit *edit);

#ifdef __cplusplus
}
#endif
#endif
