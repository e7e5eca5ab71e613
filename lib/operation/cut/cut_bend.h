/* Private to cuts: what takes a cut of straight tets to the curved ones. */
#ifndef EW_OPERATION_CUT_BEND_H
#define EW_OPERATION_CUT_BEND_H

#include "operation/cut/cut.h"

#include <math.h>
#include <string.h>

#define EW_BEND_EXACT 1e-9 /* of the mean edge: as near to the surface Newton's steps must come */

typedef struct ew_bent_side {
    int32_t a, b;
    int32_t group;              /* the same on both flanks of a slit */
    double curve[3], beside[3]; /* and what it is if its middle need not be on the surface */
    bool is_free;               /* in the body: it may be made straight */
    bool is_round;              /* on a surface that is not flat: it may leave it */
} ew_bent_side;

/* Surfaces of the cut, as they are, that a place is to have these distances from. */
enum { EW_BEND_SHAPES = 3 };
typedef struct ew_bend_target {
    int n;
    const ew_cut_shape *shape[EW_BEND_SHAPES];
    double off[EW_BEND_SHAPES];
} ew_bend_target;

typedef struct ew_vertex_hold {
    ew_curved_hold hold;
    int32_t like; /* a marked face there that is not the cut's; -1: none */
    int n_sharp;
    ew_bend_target cut; /* of its faces; none: it is in no face of the cut */
} ew_vertex_hold;

/* How far a side is from what it should be, so that no tet is folded. */
typedef struct ew_bent_group {
    bool may_leave, may_straighten; /* all its sides */
    bool leaves, is_straight;
} ew_bent_group;

typedef struct ew_bender {
    ew_cutter *c;
    ew_local *local;
    double *x; /* [n_vertex][3] owned: places; local has those of the straight tets */
    ew_map row, group_of;
    int32_t n, capacity, group_capacity;
    ew_bent_side *side;   /* [n] owned */
    ew_bent_group *group; /* [group_of.n] owned */
} ew_bender;

static inline bool ew_bend_has_moved(const ew_local *local, int32_t v)
{
    const ew_local_vertex *of = &local->vertex[v];
    return of->slot < 0 ||
           memcmp(of->x, local->mesh->xyz + 3 * (size_t)of->slot, sizeof of->x) != 0;
}

static inline double ew_bend_length(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* cut_bend_target.c: the surface of a face of the cut, with distance zero. */
void ew_bend_add_target(const ew_bender *in, int32_t record, ew_bend_target *target);
/* The surfaces of a side's faces, distances zero; from where the place is to where they
 * are at their distances: false: that is nowhere near. */
ew_bend_target ew_bend_target_of(const ew_bender *in, const ew_side_faces *faces);
bool ew_bend_onto_surface(const ew_bender *in, ew_curved_hold hold, int32_t like,
                          const ew_bend_target *target, ew_curved_place *place);
/* The largest difference of a place's distances from those of the target. */
double ew_bend_distance(const ew_bend_target *target, const double x[3]);
/* Whether a vertex of a part lies on a sharp edge that the body has had. */
bool ew_bend_is_on_edge(const ew_curved_body *body, const ew_local *local, int32_t v);
/* cut_bend_sides.c: the curves of the sides of tets that are others than before, and of faces of
 * the cut, once vertices have their places in x. Then, these being those of `local`, without
 * folds, into `local`; EW_BAD_EDIT: a tet is folded all the same. */
ew_status ew_bend_sides(ew_bender *in);
ew_status ew_bend_unfold(ew_bender *in);

#endif
