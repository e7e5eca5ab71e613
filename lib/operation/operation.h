/* operation: ready-made edits of a mesh. Each function reads mesh and tables, queues into an
 * empty ew_edit, and reports what it chose; the caller commits. None changes the mesh. Operations refuse
 * (EW_BAD_EDIT, naming the tets) rather than queue what the commit would refuse. */
#ifndef EW_OPERATION_H
#define EW_OPERATION_H

#include "topology/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ew_decimate_order {
    EW_DECIMATE_AXIS,   /* contiguous: tets of greatest centroid coordinate along `axis` go first */
    EW_DECIMATE_RANDOM, /* by `seed` */
    EW_DECIMATE_REGION, /* tets of the region with label `region` only, as AXIS within it */
    EW_DECIMATE_ENERGY  /* lowest value of `value` first */
} ew_decimate_order;
typedef struct ew_decimate_def {
    double fraction; /* of the live tets (REGION: of the region's), in (0, 1]; rounded to the nearest count */
    ew_decimate_order order;
    double axis[3]; /* length > 0 */
    uint64_t seed;
    int32_t region;
    const double *value; /* [n_tet] borrowed, e.g. strain energy */
} ew_decimate_def;
ew_status ew_operation_decimate(const ew_mesh *mesh, const ew_decimate_def *def, ew_edit *edit);

/* Reflects across the plane; vertices within `tolerance` of it are shared by both halves. Tets
 * that cross the plane, or lie wholly on the far side of it (normal's side), are an error that says how many. */
typedef struct ew_mirror_def {
    double point[3], normal[3];
    double tolerance; /* length, >= 0 */
} ew_mirror_def;
/* Completes a definition from the mesh: at +1 / -1 puts the point at the greatest / least coordinate along the
 * normal (0 keeps it); a negative tolerance becomes 1e-6 of the bounding box' diagonal. */
void ew_mirror_place(const ew_mesh *mesh, int32_t at, ew_mirror_def *def);
ew_status ew_operation_mirror(const ew_mesh *mesh, const ew_mirror_def *def, ew_edit *edit,
                              ew_list *source); /* source[k]: the vertex of which added vertex k is the image */

/* x -> about + factor * (x - about), per axis; factors > 0 (mirror makes reflections). */
ew_status ew_operation_scale(const ew_mesh *mesh, const double factor[3], const double about[3],
                             ew_edit *edit);

/* Removes the tets that the selector takes: region selectors by region, ids as tet_id, spatial ones by centroid. */
ew_status ew_operation_remove(const ew_mesh *mesh, const ew_selector *selector, ew_edit *edit);
/* Removes face-connected pieces of fewer than `least` tets. */
ew_status ew_operation_remove_small(const ew_mesh *mesh, const ew_topology *topology, int32_t least,
                                    ew_edit *edit);

/* Adds another mesh, its vertices welded to active ones within `tolerance` (length). Its regions
 * keep their labels. */
ew_status ew_operation_add(const ew_mesh *mesh, const ew_mesh *other, double tolerance,
                           ew_edit *edit);

/* Moves the listed vertices by a vector. With radius > 0 vertices at distance d < radius from the nearest
 * listed one follow with weight (1 - (d/radius)^2)^2. */
ew_status ew_operation_move(const ew_mesh *mesh, const ew_list *vertex, const double by[3],
                            double radius, ew_edit *edit);

/* Bisects edges longer than `longest` (0: each edge of the marked tets once), within tets that have all vertices in
 * `vertex` (null: everywhere), longest edge first, and whatever neighbours conformity needs; conforming. parent[2k], parent[2k+1]: the ends of the edge whose middle is
 * added vertex k (an end may itself be EW_NEW_VERTEX(j), j < k). */
ew_status ew_operation_refine(const ew_mesh *mesh, const ew_topology *topology, double longest,
                              const ew_list *vertex, ew_edit *edit, ew_list *parent);

/* Moves inner vertices (boundary fixed) towards better shape quality; each step is kept only if the least quality of
 * the vertex' tets rises. `sweeps` >= 1. */
ew_status ew_operation_smooth(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                              ew_edit *edit);

#ifdef __cplusplus
}
#endif
#endif
