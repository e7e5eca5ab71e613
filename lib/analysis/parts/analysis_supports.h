/* analysis: what a program needs that works on its tables itself, beside
 * analysis/analysis_supports.h. */
#ifndef EW_PARTS_ANALYSIS_SUPPORTS_H
#define EW_PARTS_ANALYSIS_SUPPORTS_H

#include "analysis/analysis_supports.h"
#include "analysis/parts/analysis_tets.h"

EW_BEGIN_API

/* ---- local axes (axes.c) ------------------------------------------------ */

/* frame: unit vectors along the axes at place x, one after the other. False on the axis of a
 * cylinder (nearer than 1e-9 of the coordinates), where the radial and the tangential one are zero.
 */
bool ew_axes_at(const ew_axes *axes, const double x[3], double frame[9]);
/* global = the vector with these components along the axes of the frame. */
void ew_axes_to_global(const double frame[9], const double local[3], double global[3]);

/* ---- constraints (constraints.c) --------------------------------------- */

/* One line of a case: prescribed components on a set. */
typedef struct ew_constraint {
    const ew_set *vertex; /* borrowed */
    uint8_t fixed;        /* bit c: component c is prescribed */
    double value[3];      /* of the prescribed components, length unit */
    ew_axes axes;         /* that the components are along */
    const double *base;   /* [n_vertex][3] by slot, borrowed, along x, y, z: the values are added to
                             this; null: to 0 */
    const ew_set *face;   /* borrowed: the boundary slots that the vertices are of, for edges; or
                             null: whatever boundary faces have all three vertices in the set */
    const ew_boundary *boundary; /* borrowed, current; with `face` */
} ew_constraint;

/* Two constraints that prescribe different values along one direction: EW_BAD_INPUT naming vertex
 * and values, as is a radial or tangential component on the axis of a cylinder. Several at one
 * vertex prescribe what they span together; directions within 1e-6 rad are one. The failure's first
 * id is the place of the constraint, from 0. Memory is reused when `constraints` holds some
 * already. */
ew_status ew_constraints_build(ew_constraints *constraints, const ew_mesh *mesh, int32_t n,
                               const ew_constraint *list);
/* The same for the listed vertices alone, after an edit: all that were added, emptied, filled, or
 * whose sets changed. What it says of the others must be current. O(listed x n). */
ew_status ew_constraints_update(ew_constraints *constraints, const ew_mesh *mesh, int32_t n,
                                const ew_constraint *list, const ew_list *vertex);
void ew_constraints_free(ew_constraints *constraints);
/* value [3]: what the lines prescribe at an active vertex, 0 across; a conflict as of a build. */
ew_status ew_constraints_value_at(const ew_mesh *mesh, int32_t n, const ew_constraint *list,
                                  int32_t vertex, double value[3]);

/* Room for the rows of so many vertices and edges; those of edges move behind the vertices. Rows
 * that are new hold nothing yet; rows that go have no place in `oblique`. */
ew_status ew_constraints_reserve(ew_constraints *constraints, int32_t n_vertex, int32_t n_edge);
/* The rows of edges, after ew_constraints_build or _update with the same list: on those of the
 * boundary faces that a line stands on, and where its vertices have no such face, those of a
 * straight line say, on those between two of its vertices. row: those that an edit touched, and
 * those of edges at vertices whose constraints were updated; null: all. O(listed x n), unless no
 * face is left on a line's vertices, or the first one has come: then all. (edge_constraints.c) */
ew_status ew_constraints_set_edges(ew_constraints *constraints, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_edge_rows *rows, int32_t n,
                                   const ew_constraint *list, const ew_list *row);

/* Whether a boundary face has its vertices in the set of a line; whether an edge is one of those
 * that the line stands on (as ew_constraints_set_edges), where that is known. */
bool ew_constraint_has_face(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_constraint *line);
bool ew_constraint_has_edge(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_constraint *line, bool by_faces, int32_t edge);

/* ---- springs to the ground (springs.c) ---------------------------------- */

/* Linear springs, which push and pull: a vertex displaced by u is drawn back by -k u. */
typedef struct ew_spring {
    ew_spring_kind kind;
    double stiffness[3];  /* >= 0, along the axes, force per length; FOUNDATION: along the normal of
                             a  face, across it, force per length and area; third not looked at */
    const double *value;  /* EACH: [n_vertex][3] by slot, added to `stiffness`, or null; borrowed */
    ew_axes axes;         /* not of FOUNDATION */
    const ew_set *vertex; /* borrowed; null where `face` is given */
    const ew_set *face;   /* borrowed; boundary slots, for TOTAL and FOUNDATION */
    const ew_boundary *boundary; /* borrowed, current; with `face` */
    const ew_curves *curves;     /* borrowed; null: all sides are straight */
} ew_spring;
/* Checks a spring and says what its stiffness is multiplied by: of a total, one over the active
 * vertices of its set or over the area of its faces; else 1. A negative stiffness or one that is
 * zero altogether, an empty set or one without faces is EW_BAD_INPUT, the failure's first id
 * the place of the spring, from 0. O(set). */
ew_status ew_spring_share(const ew_mesh *mesh, const ew_topology *topology, const ew_spring *spring,
                          int32_t place, double *share);
/* stiffness[v] = sum over springs, gathered per vertex in a fixed order, for the listed vertices
 * (null: all; 0 for inactive ones), so that recomputing the touched vertices gives the bits of a
 * full computation. stiffness: caller's [n_vertex][6] xx yy zz xy yz xz, force per length; share:
 * [n_spring] as above. EW_BAD_INPUT for a vertex on the axis of a spring's cylinder. */
ew_status ew_springs_gather(const ew_mesh *mesh, const ew_topology *topology, int32_t n_spring,
                            const ew_spring *spring, const double *share, const ew_list *vertex,
                            double *stiffness);
/* Blocks of springs on faces for sides with a function, in addition to those at the
 * vertices: `ground` built again, zeroed or holding one whose memory is used again; it borrows
 * mesh, tables and rows. O(faces of the sets). */
ew_status ew_springs_gather_faces(const ew_mesh *mesh, const ew_topology *topology,
                                  const ew_edge_rows *rows, int32_t n_spring,
                                  const ew_spring *spring, const double *share,
                                  ew_face_ground *ground);
/* force [3] of springs k [6] on a vertex displaced by u [3]: -k u. */
void ew_spring_force(const double *k, const double *u, double *force);
/* Terms of the stiffness matrix beside the tets (ew_stiffness.ground): the springs, and in oblique
 * rows a multiple of n n^T, which the answer does not depend on (ew_oblique). ground: caller's
 * [n_vertex][6], for the listed vertices or all. */
ew_status ew_ground_gather(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_constraints *constraints,
                           const ew_list *vertex, double *ground);

/* ---- under-constrained components (components.c, free_components.c) ----- */

/* A component (tets connected through faces) that keeps a rigid-body mode under its constraints and
 * under what the components it shares points with do for it. */
typedef struct ew_free_component {
    int32_t component; /* as numbered by ew_topology_components */
    int32_t n_tet;
    int32_t vertex;   /* slot of one of its vertices, off constrained components where there is such
                         a one */
    int32_t n_free;   /* rigid-body modes left, 1..6 */
    double motion[6]; /* one of them: translation of `center`, then rotation (rad); scaled so
                         that the largest entry is 1, rotation counted times the component's size */
    double center[3];
    char text[160]; /* in words: "rotates about the axis through (..) along (..)", "moves along
                       (..)", "is not constrained at all" */
} ew_free_component;
/* Finds them all; *free owned by the caller (ew_release), null when there are none. component:
 * caller's [n_tet] array or null, as of ew_topology_components. A constrained component fixes the
 * points it shares with others; components that are left then are tested together as one system
 * of rigid bodies pinned at shared points, so that a three-hinged arch is not refused (connected
 * groups with up to 300 modes; those of a larger one count as under-constrained). O(n). */
ew_status ew_find_free_components(const ew_mesh *mesh, const ew_topology *topology,
                                  const ew_constraints *constraints, int32_t *component,
                                  ew_free_component **free, int32_t *n_free);
/* EW_UNDER_CONSTRAINED with the message of the first one (and how many more); EW_OK when there is
 * none. */
ew_status ew_require_constrained(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_constraints *constraints);

/* ---- the same, kept from edit to edit (support.c, support_proof.c) ------------------------ */

/* A vertex whose constraints help to take all six rigid-body modes of a component away. */
typedef struct ew_witness {
    int32_t vertex; /* slot */
    int32_t tet;    /* slot of a tet of the component at the vertex */
} ew_witness;

/* A proof that no component is under-constrained: for each, up to six witnesses that fix it by
 * themselves. An edit that neither splits components nor makes new ones leaves the proof valid as
 * long as the witnesses do their work. There is none where a component needs others to be
 * constrained (hinges): then every check is a full one. Zeroed: no proof. */
typedef struct ew_support {
    uint64_t revision;  /* of the mesh that the components are proved for; 0: no proof */
    int32_t n_free_tet; /* of under-constrained components, which are to go: the proof is one of the
                           others, and none of the mesh until they have gone */
    int32_t n_component, component_capacity;
    struct ew_supported {
        double center[3], radius; /* at the last full check or move of all */
        int32_t n_witness;
        ew_witness witness[6];
    } * component; /* [n_component] owned; two of them may have become one since */
    struct {
        ew_map tet, face;
        int32_t *label, *set, *joint, *cluster, *first, *neighbor; /* owned */
        int32_t label_capacity, set_capacity, joint_capacity, cluster_capacity, first_capacity;
        int32_t neighbor_capacity;
        bool *old, *split; /* owned */
        int32_t old_capacity, split_capacity;
    } search; /* private: memory kept from edit to edit */
} ew_support;
/* Follows a committed edit; the tables must have followed it already (EW_STALE). Looks only at tets
 * around the edges of those removed, then around those removed and added, at most 64 for each and
 * 1024, and no more than a full check would take the time for; where that does not show that the
 * components are what they were, where the edit is a large part of the mesh (but for one that moves
 * a single component, O(vertices)), or where it does not start at the proof's revision, there is no
 * proof then. O(touched) + O(witnesses) where tets are removed. On EW_NO_MEMORY no proof either. */
ew_status ew_support_update(ew_support *support, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_change *change);
/* As ew_require_constrained. With a proof: O(witnesses), also where constraints have changed, as
 * long as those of the witnesses still do; else a full check, which finds a new proof. */
ew_status ew_support_require(ew_support *support, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_constraints *constraints);
/* As ew_find_free_components. With a proof: O(witnesses), *n_free is 0 and `component` is left as
 * it is. Else a full search, which finds a new proof, and where there are under-constrained
 * components, one for the mesh without them. */
ew_status ew_support_find_free(ew_support *support, const ew_mesh *mesh,
                               const ew_topology *topology, const ew_constraints *constraints,
                               int32_t *component, ew_free_component **free, int32_t *n_free);
void ew_support_free(ew_support *support);

EW_END_API
#endif
