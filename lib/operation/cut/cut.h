/* operation, private: the steps of a cut. */
#ifndef EW_OPERATION_CUT_H
#define EW_OPERATION_CUT_H

#include "operation/cut/curved_body.h"
#include "operation/cut/cut_patches.h"
#include "operation/improve/improve.h"

#include <math.h>

/* Distances of a vertex, NaN: not known yet. */
typedef struct ew_cut_distance {
    double off; /* signed, from the shape */
    double far; /* from the triangles of a patch that is not flat */
} ew_cut_distance;

/* A surface as the straight tets see it where their sides are curved: the distance of a point is
 * that of the place that it has in the curved ones. */
typedef struct ew_bent_shape {
    ew_cut_shape shape;         /* its data is this */
    const ew_cut_shape *plain;  /* borrowed: the surface */
    const ew_curved_body *body; /* borrowed */
} ew_bent_shape;

typedef struct ew_cutter {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_cut_def *def;
    ew_cut_shape shape;
    ew_local local;
    int8_t *side; /* [n_vertex] owned: of the mesh's vertices, as it is: -1 inside, 0, 1 */
    int32_t n_off, off_capacity;
    ew_cut_distance *off; /* [n_off] owned: of vertices of `local`, for `shape` as it is now */
    ew_patched patched;   /* of a surface file, whose patches take the place of `shape` in turn */
    const ew_list *near;  /* borrowed: tets of `local` that are split; null: all that are crossed */
    ew_improve_def improve;
    double angle; /* of edges of a surface file that stay sharp */
    int32_t n_crossed, n_snapped, n_welded;
    int32_t n_coarse;  /* crossed tets whose edges are long beside the radius there */
    double coarsest;   /* least radius, in edges, among them */
    double size;       /* mean length of the crossed edges */
    int32_t record;    /* of the faces of the cut, of a surface file those of its first patch; the
                          others follow */
    double welded_off; /* how far welded vertices are from the surface, at most */
    bool is_bent;      /* tets with curved sides are cut: shapes are those of `bent` */
    int32_t n_beside;  /* sides of the cut with a middle beside the surface */
    bool made;         /* the cut is made, curved tets or not */
    double *bulge; /* [n_tet] owned: how far tets may reach beyond straight ones; null: no file */
    ew_cut_shape plain;  /* the surface that is no file's */
    ew_bent_shape *bent; /* [n_patch, of no file 1] owned */
    ew_curved_body body; /* owned */
} ew_cutter;

/* cut_shape.c: the surface of a definition, checked. */
ew_status ew_cut_shape_of(const ew_cut_def *def, ew_cut_shape *shape);
/* cut_accuracy.c: faces with the label are those of the cut; how well the tets of a part follow its
 * surface, all of whose vertices are open. is_ball: a sphere. */
void ew_cut_mark_faces(ew_local *local, int32_t label);
ew_status ew_cut_gauge(const ew_local *local, const ew_cut_shape *shape, bool is_ball,
                       ew_cut_accuracy *accuracy);
/* cut_snap.c: vertices near the surface go onto it, or count as on it. */
ew_status ew_cut_snap(ew_cutter *cutter);
/* cut_split.c: crossed edges are cut where the surface crosses them. */
ew_status ew_cut_split(ew_cutter *cutter);
/* cut_sides.c: which tets are inside and outside; those not kept go, and faces of the cut get their
 * record. Marks the vertices on the surface for improvement. */
ew_status ew_cut_separate(ew_cutter *cutter);
/* cut_met.c: distances. Makes room for those of all vertices of `local`, not known; that of one;
 * on which side a distance is. */
ew_status ew_cut_need_offs(ew_cutter *cutter);
double ew_cut_off(ew_cutter *cutter, int32_t vertex);
int8_t ew_cut_sign(const ew_cutter *cutter, double off);
static inline ew_cut_distance ew_cut_unknown(void)
{
    return (ew_cut_distance){NAN, NAN};
}
/* A surface file: the sides of all vertices of the mesh; opens the tets that it meets. Whether a
 * patch, whose shape is that of the cutter, meets a tet of `local`. */
ew_status ew_cut_open_met(ew_cutter *cutter);
bool ew_cut_patch_meets(ew_cutter *cutter, const ew_patch *patch, int32_t t);
double ew_cut_mean_edge(const double *const x[4]);
/* cut_surface.c: a surface file. Cuts along one patch after the other; then the side of each tet
 * (side [local.n_tet]) and, once these are known, the records of faces between both, whose number
 * it returns. */
ew_status ew_cut_patches(ew_cutter *cutter);
ew_status ew_cut_find_sides(ew_cutter *cutter, int8_t *side);
int32_t ew_cut_mark_patches(ew_cutter *cutter, const int8_t *side);
/* cut_open.c: faces of the cut within the box are no longer shared. */
ew_status ew_cut_open(ew_cutter *cutter);
/* cut_region.c: tets inside get the region of the definition, if it has one. Near the cut, before
 * the part is queued; and those that were not touched. */
ew_status ew_cut_relabel(ew_cutter *cutter);
ew_status ew_cut_relabel_far(const ew_cutter *cutter, ew_edit *edit);
/* cut_bend.c: curved sides. Once the tets that are crossed are in: what the cut is planned with;
 * the shape of a patch. Where a point of the straight tets is, and the corners of one (room: for
 * those that are elsewhere). Whether one that was planned without has changed curved tets all the
 * same. Last, before the part is queued: vertices and sides go to their places in the curved tets.
 * EW_BAD_EDIT where a tet is then below the floor, or folded. */
ew_status ew_cut_bend_shape(ew_cutter *cutter);
static inline const ew_cut_shape *ew_cut_patch_shape(const ew_cutter *cutter, int32_t patch)
{
    return cutter->is_bent ? &cutter->bent[patch].shape : &cutter->patched.patch[patch].shape;
}
void ew_cut_place(const ew_cutter *cutter, const double p[3], double x[3]);
void ew_cut_corners(const ew_cutter *cutter, int32_t t, double room[4][3], const double *x[4]);
bool ew_cut_needs_bending(ew_cutter *cutter);
ew_status ew_cut_unweld(ew_cutter *cutter);
ew_status ew_cut_bend(ew_cutter *cutter, const ew_improve_def *improve);
/* Queues the removal of what is not kept and was not touched. */
ew_status ew_cut_remove_far(const ew_cutter *cutter, ew_edit *edit);

#endif
