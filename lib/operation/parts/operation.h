/* operation: what a program needs that works on its tables itself, beside operation/operation.h. */
#ifndef EW_PARTS_OPERATION_H
#define EW_PARTS_OPERATION_H

#include "meshing/parts/meshing.h"
#include "operation/operation.h"
#include "topology/parts/topology.h"

EW_BEGIN_API

/* ---- decimate ---------------------------------------------------------- */

typedef enum ew_decimate_order {
    EW_DECIMATE_AXIS,   /* contiguous: tets of greatest centroid coordinate along `axis` go first */
    EW_DECIMATE_RANDOM, /* by `seed`; the choice depends on tet_ids, not on slots */
    EW_DECIMATE_REGION, /* tets of the region with label `region` only, as AXIS within it */
    EW_DECIMATE_ENERGY  /* lowest value of `value` first */
} ew_decimate_order;

/* Ties go to the lower tet_id. */
typedef struct ew_decimate_def {
    double fraction; /* of the live tets (REGION: of the region's), protected ones counted, in
                        (0, 1]; rounded to the nearest count. EW_BAD_INPUT where fewer may go */
    ew_decimate_order order;
    double axis[3]; /* AXIS, REGION: length > 0 */
    uint64_t seed;
    int32_t region;
    const double *value; /* [n_tet] borrowed, e.g. strain energy; read at live tets only */
    const ew_set *keep;  /* borrowed: tet slots that stay; null: none */
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

/* ---- motions ------------------------------------------------------------ */

typedef enum ew_motion_kind {
    EW_MOTION_SHIFT,  /* by a vector */
    EW_MOTION_RADIAL, /* away from the line through `center` along `axis`, or without an axis from
                         the point `center`, by `size` (length, < 0: toward it). A vertex there has
                         no direction: EW_BAD_EDIT */
    EW_MOTION_NORMAL, /* outwards by `size` (length, < 0: inwards): along the mean direction of the
                         boundary faces at the vertex, by area; of those whose three vertices are
                         all listed, where it has any. A vertex without one: EW_BAD_EDIT */
    EW_MOTION_TURN,   /* by the angle `size` about the line through `center` along `axis`, right
                         hand */
    EW_MOTION_SCALE,  /* stretched about `center` by the factors `by`, > 0 */
    EW_MOTION_TABLE   /* each by a vector of its own */
} ew_motion_kind;

typedef struct ew_motion {
    ew_motion_kind kind;
    double by[3]; /* SHIFT: vector, length; SCALE: factors */
    double size;  /* RADIAL, NORMAL: length; TURN: radians */
    bool has_axis;
    double axis[3], center[3]; /* the axis of any length > 0 */
    const double *each;        /* TABLE: [listed vertices][3] borrowed */
} ew_motion;

typedef struct ew_move_def {
    ew_motion motion;
    double radius; /* > 0: active vertices at distance d < radius from the nearest listed one follow
                      by a share (1 - (d/radius)^2)^2: of the motion at their own place, along
                      normals and by a table of that of the nearest */
    bool repair;   /* where tets would be left without usable volume or of poor quality those around
                      are improved instead */
} ew_move_def;
/* Moves the listed vertices and what is near them. */
ew_status ew_operation_move_as(const ew_mesh *mesh, const ew_topology *topology,
                               const ew_list *vertex, const ew_move_def *def, ew_edit *edit);

/* How the vertices between sets that move follow. */
typedef enum ew_blend {
    EW_BLEND_HARMONIC, /* each coordinate of the motion solves Laplace's equation on the linear tets
                          of the mesh, with that of the sets given, and is free elsewhere on the
                          boundary; smooth, and between the values of the sets. A piece of the body
                          without a vertex of a set stays */
    EW_BLEND_DISTANCE  /* the mean of the sets' motions at the place (along normals and by a table
                          of their nearest vertices'), weighted by 1 / distance^2 (Shepard 1968) */
} ew_blend;
typedef struct ew_moved_set {
    const ew_list *vertex; /* borrowed */
    ew_motion motion;
} ew_moved_set;
/* Moves several sets at once, and all other active vertices by a smooth field between them. A
 * vertex of two sets moves with the first. `repair` as above. */
ew_status ew_operation_move_sets(const ew_mesh *mesh, const ew_topology *topology, int32_t n,
                                 const ew_moved_set *set, ew_blend blend, bool repair,
                                 ew_edit *edit);

/* ---- remove ------------------------------------------------------------ */

/* Removes components of fewer than `min` (>= 1) tets. */
ew_status ew_operation_remove_small(const ew_mesh *mesh, const ew_topology *topology, int32_t min,
                                    ew_edit *edit);

/* ---- add --------------------------------------------------------------- */

/* Adds the tets of another mesh. Each of their vertices is welded to the nearest active vertex
 * within `tolerance` (length, >= 0; 0 welds equal points only; ties: the lower vertex_id), or
 * added. Two that weld to one are an error. Regions keep their labels. */
ew_status ew_operation_add(const ew_mesh *mesh, const ew_mesh *other, double tolerance,
                           ew_edit *edit);

/* ---- weld -------------------------------------------------------------- */

/* Vertices of the surface (of them those listed; null: all) that are at most `tolerance` apart
 * (length, >= 0; 0: equal places) become one: each goes to the nearest one of a lower vertex_id,
 * and so on, at whose place all then are. Faces that meet by that are within the body; tets are
 * parts of themselves, so what is kept by tet or face follows, and sets of vertices have the one
 * that stays. Where no two are so near, where two of one tet are, or where tets would be flat or
 * overlap, the weld is refused. O(n log n). */
ew_status ew_operation_weld(const ew_mesh *mesh, const ew_topology *topology, const ew_list *vertex,
                            double tolerance, ew_edit *edit);

/* ---- split ------------------------------------------------------------- */

typedef struct ew_split_def {
    double point[3], normal[3]; /* of a plane; any length > 0 */
    const ew_list *vertex;      /* borrowed: tets with all their vertices here; null: all tets */
    int32_t label;              /* of the faces of both sides, as labeled triangles */
} ew_split_def;
/* Parts a body along its faces: those between tets with their middles on one side of the plane and
 * on the other, of several sections the one, connected by vertices, nearest to the point. Tets
 * on the side that the normal points to get vertices of their own there, images of those that stay;
 * curved sides, sets, labels and fields follow. EW_BAD_EDIT: no tets on both sides; or the section
 * does not part the body, tets of both sides are joined round its edge. O(n). */
ew_status ew_operation_split(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_split_def *def, ew_edit *edit);
/* Whether the middle of a live tet is on the side that the normal points to. */
bool ew_split_is_beyond(const ew_mesh *mesh, int32_t tet, const double point[3],
                        const double normal[3]);

/* ---- move -------------------------------------------------------------- */

/* Moves the listed vertices by a vector. With radius > 0 active vertices at distance
 * d < radius from the nearest listed one follow with weight (1 - (d/radius)^2)^2. */
ew_status ew_operation_move(const ew_mesh *mesh, const ew_list *vertex, const double by[3],
                            double radius, ew_edit *edit);

/* ---- refine ------------------------------------------------------------ */

/* Bisects edges inside the set `vertex` (null: everywhere) until none is longer than `longest`
 * (0: each such edge of the mesh once), and whatever neighbors conformity needs. An edge is
 * inside the set when both its ends are; the middle of such an edge belongs to the set too. An
 * edge is bisected only where it is the longest of all its tets; until then the longer ones
 * come first. Regions are inherited. EW_LIMIT where the mesh would have more than `max_tets`
 * live tets: seen before the first bisection where the length alone tells, else in time.
 * Labeled triangles whose edges are bisected are replaced by their parts.
 * Added vertices name the ends of their edge as parents, added tets the tet they are a part of. */
ew_status ew_operation_refine_within(const ew_mesh *mesh, const ew_topology *topology,
                                     double longest, const ew_list *vertex, int32_t max_tets,
                                     ew_edit *edit);
/* max_tets of 0 means so many, or where that is more twice as many as there are. A bisection takes
 * some 150 bytes for each tet that it makes. */
#define EW_REFINE_MAX_TETS 20000000
ew_status ew_operation_refine(const ew_mesh *mesh, const ew_topology *topology, double longest,
                              const ew_list *vertex, ew_edit *edit);
/* Bisects the longest edge of each of the tets once, likewise. tet: slots of live tets. */
ew_status ew_operation_bisect_within(const ew_mesh *mesh, const ew_topology *topology,
                                     const ew_list *tet, int32_t max_tets, ew_edit *edit);
ew_status ew_operation_bisect(const ew_mesh *mesh, const ew_topology *topology, const ew_list *tet,
                              ew_edit *edit);

/* ---- smooth ------------------------------------------------------------ */

/* Moves inner vertices toward better shape quality, `sweeps` (>= 1) times or until none
 * moves; each step is kept only if the least quality of the vertex' tets rises. Vertices of
 * the boundary, of labeled triangles and between regions stay. */
ew_status ew_operation_smooth(const ew_mesh *mesh, const ew_topology *topology, int32_t sweeps,
                              ew_edit *edit);

/* ---- cut ---------------------------------------------------------------- */

typedef enum ew_cut_kind {
    EW_CUT_PLANE,    /* through a, inside is behind the normal b */
    EW_CUT_SPHERE,   /* center a, radius */
    EW_CUT_CYLINDER, /* axis through a and b, radius; without ends */
    EW_CUT_CONE,     /* axis through a and b, radius at a and radius_to at b; without ends */
    EW_CUT_SURFACE   /* `surface` */
} ew_cut_kind;
typedef enum ew_cut_keep {
    EW_CUT_KEEP_INSIDE,
    EW_CUT_KEEP_OUTSIDE,
    EW_CUT_KEEP_BOTH, /* in one piece, with faces of tets along the surface */
    EW_CUT_KEEP_OPEN  /* likewise, but those between `low` and `high` are a slit: each side has
                         vertices of its own, but for the front. A stress there has no limit */
} ew_cut_keep;
#define EW_MAX_CUT_SIDE 4
typedef struct ew_cut_def {
    ew_cut_kind kind;
    double a[3], b[3];
    double radius, radius_to; /* > 0; of a cone one may be 0 */
    ew_cut_keep keep;
    int32_t label;                   /* of the new faces, as labeled triangles */
    double low[3], high[3];          /* OPEN: a box, */
    int32_t n_side;                  /* and half-spaces, at most EW_MAX_CUT_SIDE: of these */
    double side[EW_MAX_CUT_SIDE][4]; /* [n_side] where side[0..2] . x <= side[3] */
    double floor;                    /* least quality of tets at the cut, in [0, 1) */
    bool has_region;                 /* BOTH, OPEN: tets inside get the label `region` */
    int32_t region;
    const ew_surface *surface; /* borrowed: SURFACE. Closed; where a shell looks inwards it is
                                  turned. One that is open or meets itself is EW_BAD_INPUT */
    double angle;              /* SURFACE: edges that bend by more stay sharp; degrees, (0, 180] */
} ew_cut_def;
/* Keeps the outside, label 0, floor 0.05, angle 40; the box is all of space. */
ew_cut_def ew_default_cut_def(void);
typedef struct ew_cut_report {
    int32_t n_crossed; /* tets that the surface went through */
    int32_t n_snapped,
        n_welded;            /* vertices that went onto it; that count as on it where they are */
    double welded_off;       /* how far these are from it, at most */
    int32_t n_made, n_moved; /* tets of the mesh after the cut: new ones; others with a moved
                                vertex */
    double size;             /* mean length of the edges of the crossed tets */
    double least;            /* quality at the cut */
    int32_t n_coarse; /* crossed tets where a radius is below EW_CUT_MIN_RADIUS of their edges; */
    double coarsest;  /* and the least one of these, in edges, or infinite */
    int32_t n_patch;  /* SURFACE: parts between sharp edges; */
    int32_t n_turned; /* shells that looked inwards */
    int32_t n_beside; /* curved tets: sides of the cut whose middles are beside the surface, where
                         tets would be folded, or the body's faces do not meet it there */
    double angle; /* above that asked for where sharp edges were too close for the tets: those that
                     bend by less are round */
} ew_cut_report;
#define EW_CUT_MIN_RADIUS 3.0
/* Splits tets along the surface so that it consists of their faces; tets at it are improved:
 * vertices near it move onto it, or along the faces of the body, edges and faces are flipped, short
 * edges collapsed. EW_BAD_EDIT where it misses the body, where what is kept would hang together by
 * a vertex, and where a tet would have less than the floor's quality. report: or null.
 *
 * Curved sides are those of the mesh; what becomes of them is in the edit, which a model commits
 * (ew_edit_add_curve). Where a tet with curved sides is
 * cut or improved, parts of tets are exactly parts of the curved ones; vertices that move in a
 * curved face of the body stay on it, and so do the middles of its sides, between which it differs
 * as a quadratic side from a curve, by O(size^3) at the most; faces of the cut have vertices and
 * middles of sides on the surface, to rounding, so that of a plane they are plane: but for welded
 * vertices and n_beside; of a surface file on its triangles, sharp edges with both ends and the
 * middle on both patches. Where all tets that are touched are straight, the edit is that of
 * four-node tets. EW_BAD_EDIT also where curved sides would fold a tet all the same. */
ew_status ew_operation_cut(const ew_mesh *mesh, const ew_topology *topology, const ew_cut_def *def,
                           ew_edit *edit, ew_cut_report *report);

/* What a cut along the surface of a file would refuse whatever the body is, for who has the file's
 * name: EW_BAD_INPUT where it is open, meets itself or encloses nothing. */
ew_status ew_cut_surface_check(const ew_surface *surface);

/* Of the faces with the label of `def`, which lie on its surface. n_tet is 0 for a surface file and
 * in a mesh with curved sides, which are not moved. */
ew_status ew_cut_measure(const ew_mesh *mesh, const ew_topology *topology, const ew_cut_def *def,
                         ew_cut_accuracy *accuracy);

/* EW_BAD_EDIT where what `from` cut off of the body and `to` would not has a corner or a curved
 * face of it: the mesh that was cut has nothing to make these from. body: before any of its cuts.
 */
ew_status ew_cut_check_move(const ew_mesh *body, const ew_topology *topology,
                            const ew_cut_def *from, const ew_cut_def *to);

/* Moves what a cut made by `from` to where `to` cuts: the same kind, side and label. All vertices
 * of the mesh stay in it, and its triangles on the surface, but for flips of their edges.
 * first: borrowed, the accuracy when the body was cut; null or one of no tets: unknown.
 * EW_BAD_EDIT where a tet would have less quality than 0.2, and than the worst had before, the
 * surface is gone, or the accuracy would not be that of the first any more: tets at the surface
 * more than 1.3 times as large, less than 0.75 of their mean quality, or 0.2 % more of the volume
 * missed than tets of the first size would miss; EW_UNSUPPORTED for a slit, a surface file, a
 * region inside and a mesh with curved sides. Then cut again. now: what it becomes, or null. */
ew_status ew_operation_cut_move(const ew_mesh *mesh, const ew_topology *topology,
                                const ew_cut_def *from, const ew_cut_def *to,
                                const ew_cut_accuracy *first, ew_edit *edit, ew_cut_accuracy *now);

/* ---- operations by table ----------------------------------------------- */

#define EW_REMARK_TEXT 240

/* How many numbers a word among those of NUMBERS stands for. */
int32_t ew_parameter_width(const char *word);

/* ---- remesh ------------------------------------------------------------- */

typedef struct ew_remesh_def {
    double worse_than;    /* > 0: where tets have less shape quality; a part stays as it is where
                             nothing better comes of it */
    double longer_than;   /* > 0: where tets have a longer edge */
    double shorter_than;  /* > 0: where tets have no edge as long. None of the three: all tets */
    int32_t rings;        /* of tets around those, by vertices */
    double size;          /* > 0: length of the edges to aim at; 0: tets no larger than the largest
                             that was in the part */
    ew_tetgen_def mesher; /* its max_volume and keep_surface are set here; time: of all parts */
} ew_remesh_def;
ew_remesh_def ew_default_remesh_def(void);
/* Meshes tets again within their boundary, by in->fill; of `in` are read mesh, topology, fill and
 * the sets that end inside. tet: slots to choose from; null: all. They are divided into parts that
 * hang together by faces, of one region each, between labeled triangles and ends of sets of tets;
 * the triangles between parts stay. Vertices inside go (without tets they stay in their slots), but
 * those where a set of vertices ends. Added vertices name the corners of the tet that they lie in,
 * added tets the tet with their centroid. Nothing asked for: an empty edit. EW_BAD_EDIT,
 * EW_BAD_INPUT or EW_LIMIT where a part cannot be meshed within its boundary, or time ends, unless
 * quality alone asked and another part can. */
ew_status ew_operation_remesh(const ew_operation_input *in, const ew_list *tet,
                              const ew_remesh_def *def, ew_edit *edit);

/* Refinement by estimated error, `refine: {by: error}`: repeated between analyses, by the caller.
 */
typedef struct ew_refine_goal {
    double until;                 /* estimated error, share of the energy norm, in (0, 1) */
    int32_t max_rounds, max_tets; /* >= 1 */
} ew_refine_goal;
/* Whether the values of the operation ask for it. */
bool ew_refine_goal_of(const ew_operation *operation, const ew_operation_values *values,
                       ew_refine_goal *goal);

/* For each of n points the triangle of a surface that is nearest to it, of several equally near
 * ones one that depends on the surface and the point alone. found: [n]. EW_BAD_ARGUMENT where the
 * surface has no triangles. O(log n_triangle) a point, as a rule. (triangles.c) */
ew_status ew_surface_find_nearest(const ew_surface *surface, int32_t n, const double *point,
                                  int32_t *found);

/* By name or by file_code; null when there is none. */
const ew_operation *ew_operation_named(const char *name);
const ew_operation *ew_operation_of_code(int32_t file_code);
/* The operation's first parameter of the kind; -1 when there is none. */
int32_t ew_operation_parameter_of(const ew_operation *operation, ew_parameter_kind kind);

EW_END_API
#endif
