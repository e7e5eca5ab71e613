/* analysis: constraints, loads, under-constrained components, and what is recovered from a
 * displacement. Vectors per vertex are [n_vertex][3] by slot; holes and inactive vertices hold
 * zeros. Longer than 500 lines because a module has one public header, and this one has many small
 * parts, each of one file. */
#ifndef EW_ANALYSIS_H
#define EW_ANALYSIS_H

#include "assembly/assembly.h"
#include "solver/solver.h"

EW_BEGIN_API

/* The law of a live tet. */
static inline ew_elastic ew_elastic_of_tet(const ew_materials *materials, const ew_mesh *mesh,
                                           int32_t tet)
{
    ew_elastic law;
    double x[12];
    ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    ew_elastic_of(&law, materials, mesh->region[tet], tet, x);
    return law;
}

/* ---- local axes (axes.c) ------------------------------------------------ */

typedef enum ew_axes_kind {
    EW_AXES_GLOBAL,  /* x, y, z */
    EW_AXES_FIXED,   /* other directions, the same everywhere */
    EW_AXES_CYLINDER /* radial, tangential, axial: by place */
} ew_axes_kind;
/* What the components of a constraint, a spring or a load are along. Zeroed: global. */
typedef struct ew_axes {
    ew_axes_kind kind;
    double direction[9]; /* unit vectors along x', y', z', right-handed. CYLINDER: z' alone, its
                            axis, the others zero */
    double point[3];     /* CYLINDER: on its axis, length unit */
} ew_axes;
/* x' along x, y' in the plane of x and y on y's side, z' = x' x y'; of any lengths > 0.
 * EW_BAD_ARGUMENT where they lie in one line (within 1e-6 rad). */
ew_status ew_axes_from_xy(const double x[3], const double y[3], ew_axes *axes);
/* x' along the normal; y' and z' across it, which ones does not matter. */
ew_status ew_axes_from_normal(const double normal[3], ew_axes *axes);
ew_status ew_axes_of_cylinder(const double point[3], const double direction[3], ew_axes *axes);
/* frame: unit vectors along the axes at place x, one after the other. False on the axis of a
 * cylinder (nearer than 1e-9 of the coordinates), where the radial and the tangential one are zero.
 */
bool ew_axes_at(const ew_axes *axes, const double x[3], double frame[9]);
/* global = the vector with these components along the axes of the frame. */
void ew_axes_to_global(const double frame[9], const double local[3], double global[3]);

/* ---- products from tets (tet_operator.c, tet_operator_device.c) ---------- */

/* How products are made. */
typedef enum ew_operator_kind {
    EW_STORED,     /* from stored blocks */
    EW_MATRIX_FREE /* from positions and tets */
} ew_operator_kind;
/* Their names in cases, in order. */
#define EW_OPERATOR_NAMES "stored matrix-free"

/* An operator that stores no blocks: y = (c_K K + c_M M) x from positions and tets, exact to
 * rounding; springs to the ground and the identity in rows without tets included. Linear tets. On
 * the host every sum is formed over ascending tets: the same bits for any number of threads.
 *
 * Preconditioners read diagonal blocks alone, and so need a matrix of them that follows the mesh:
 * of a source (stiffness or combination) with `diagonal_only` set. 'rigid' needs all blocks:
 * EW_UNSUPPORTED. */
typedef struct ew_tet_operator {
    ew_operator as;                    /* its matrix: the diagonal blocks */
    const ew_stiffness *stiffness;     /* borrowed */
    const ew_mass *mass;               /* borrowed, or null: none */
    double of_stiffness, of_mass;      /* c_K, c_M */
    const ew_device_mesh *device_mesh; /* borrowed, or null: on the host */
    /* owned, brought up to date before each solve: */
    struct ew_tet_batch *batch; /* which rows consecutive tets have */
    int32_t n_batch, batch_capacity;
    double *term; /* [n_region][4], see kernels/tet_product.h */
    int32_t term_capacity;
    ew_buffer device_term, device_ground; /* double [n_region][4], [n_row][6] */
    uint64_t revision;                    /* of the mesh that the batches are of */
} ew_tet_operator;
/* diagonal: blocks of the same c_K K + c_M M; borrowed, as all else. */
ew_tet_operator ew_tet_operator_on_host(const ew_stiffness *stiffness, double of_stiffness,
                                        const ew_mass *mass, double of_mass,
                                        const ew_matrix *diagonal);
/* Needs fp64; vectors may be single. */
ew_tet_operator ew_tet_operator_on_device(const ew_stiffness *stiffness, double of_stiffness,
                                          const ew_mass *mass, double of_mass,
                                          const ew_device_mesh *mesh,
                                          const ew_device_matrix *diagonal);
/* Before products without a solver: as an operator's prepare. */
ew_status ew_tet_operator_prepare(ew_tet_operator *op);
size_t ew_tet_operator_bytes(const ew_tet_operator *op);
void ew_tet_operator_free(ew_tet_operator *op);

/* ---- amplitudes (amplitude.c) ------------------------------------------- */

/* A factor of time, by which a load or a prescribed displacement is multiplied. */
typedef enum ew_amplitude_kind {
    EW_AMPLITUDE_TABLE, /* linear between times, the first value before and the last one after */
    EW_AMPLITUDE_SINE,  /* offset + size sin(2 pi frequency (t - start) + phase) from start to end,
                           both included; 0 before and after */
    EW_AMPLITUDE_STEP   /* size from start on, and before end; 0 before and after */
} ew_amplitude_kind;
/* Of a sine: its acceleration has the square, and energies that of the acceleration. */
#define EW_MAX_FREQUENCY 1e30
/* Times are those of the case's time axis. What a kind does not name is not read. */
typedef struct ew_amplitude {
    ew_amplitude_kind kind;
    int32_t n;           /* TABLE: >= 1 */
    const double *time;  /* TABLE: [n] borrowed, each greater than the one before */
    const double *value; /* TABLE: [n] borrowed */
    double size, offset; /* no unit; STEP reads no offset */
    double frequency;    /* SINE: > 0, at most EW_MAX_FREQUENCY, per time */
    double phase;        /* SINE: rad */
    double start, end;   /* SINE, STEP: end > start, INFINITY: never */
} ew_amplitude;
/* EW_BAD_INPUT: a value that is not finite, times that do not ascend (the failure's first id is the
 * place of the one at fault, from 0), a frequency that is not positive or too high, an end before
 * the start. */
ew_status ew_amplitude_check(const ew_amplitude *amplitude);
double ew_amplitude_at(const ew_amplitude *amplitude, double t);
/* Integral from time 0 to t, in closed form: the displacement under a prescribed velocity. Of a
 * table O(n). */
double ew_amplitude_integral(const ew_amplitude *amplitude, double t);
/* Derivative at t; where there is a kink or a jump, that to the right of it. */
double ew_amplitude_rate(const ew_amplitude *amplitude, double t);
/* Derivative of that, likewise: 0 but for a sine. Kinks and jumps are not part of it. */
double ew_amplitude_second_rate(const ew_amplitude *amplitude, double t);

/* ---- constraints (constraints.c) --------------------------------------- */

/* One line of a case: prescribed components on a set. */
typedef struct ew_constraint {
    const ew_set *vertex; /* borrowed */
    uint8_t fixed;        /* bit c: component c is prescribed */
    double value[3];      /* of the prescribed components, length unit */
    ew_axes axes;         /* that the components are along */
    const double *base;   /* [n_vertex][3] borrowed: the values are added to this; null: to 0. Only
                             of ew_constraints_value_at */
    const ew_set *face;   /* borrowed: the boundary slots that the vertices are of, for edges; or
                             null: whatever boundary faces have all three vertices in the set */
    const ew_boundary *boundary; /* borrowed, current; with `face` */
} ew_constraint;

typedef struct ew_constraints {
    int32_t n_vertex, capacity;
    uint8_t *fixed; /* [n_vertex] owned, bits along x, y, z; 7 for inactive vertices and holes;
                       EW_OBLIQUE alone: one or two directions that are no axes */
    double *value;  /* [n_vertex][3] owned: the displacement along what is prescribed, 0 across */
    ew_oblique oblique; /* owned: those directions */
    int32_t *place;     /* [n_vertex] owned: of a vertex in oblique, or -1; null: there was none */
    int32_t place_capacity;
    const double *spring; /* borrowed, null after a build: see ew_springs_gather; or null: none. The
                             checks and the recovery below count them among the supports */
} ew_constraints;
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

/* What constraints prescribe of the coefficients of edges (ew_edge_rows): on those of the boundary
 * faces that they stand on, and where their vertices have no such face, a line say, on those
 * between two of the vertices. The coefficient is the displacement at the middle less the mean of
 * the ends. (edge_constraints.c) */
typedef struct ew_edge_constraints {
    int32_t n_row, capacity, value_capacity, place_capacity;
    uint8_t *fixed;     /* [n_row] owned, by row of an edge, as in ew_constraints; 7 in holes */
    double *value;      /* [n_row][3] owned, as in ew_constraints */
    ew_oblique oblique; /* owned, by row of an edge */
    int32_t *place;     /* [n_row] owned: of a row in oblique, or -1 */
    int32_t n_line, line_capacity;
    bool *has_face; /* [n_line] owned: whether a boundary face has its vertices in a line's set of
                       vertices */
} ew_edge_constraints;
/* After ew_constraints_build or _update with the same list. O(rows x n). */
ew_status ew_edge_constraints_build(ew_edge_constraints *edges, const ew_mesh *mesh,
                                    const ew_topology *topology, const ew_edge_rows *rows,
                                    const ew_constraints *constraints, int32_t n,
                                    const ew_constraint *list);
/* The same for the listed rows, after an edit: all that were touched, and those of edges at
 * vertices whose constraints were updated. O(listed x n), unless no face is left on a line's
 * vertices, or the first one has come: then all are built. */
ew_status ew_edge_constraints_update(ew_edge_constraints *edges, const ew_mesh *mesh,
                                     const ew_topology *topology, const ew_edge_rows *rows,
                                     const ew_constraints *constraints, int32_t n,
                                     const ew_constraint *list, const ew_list *row);
void ew_edge_constraints_free(ew_edge_constraints *edges);

/* ---- springs to the ground (springs.c) ---------------------------------- */

typedef enum ew_spring_kind {
    EW_SPRING_EACH,      /* at each active vertex of the set */
    EW_SPRING_TOTAL,     /* shared, on vertices equally, on faces by area: a third of a face's share
                            at each of its vertices, on quadratic ones by the integrals of all
                            functions (ew_springs_gather_faces) */
    EW_SPRING_FOUNDATION /* per area of the faces, likewise */
} ew_spring_kind;
/* Linear springs, which push and pull: a vertex displaced by u is drawn back by -k u. */
typedef struct ew_spring {
    ew_spring_kind kind;
    double stiffness[3];  /* >= 0, along the axes, force per length; FOUNDATION: along the normal of
                             a  face, across it, force per length and area; third not looked at */
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
/* What springs on faces give where a side of the face has a function, beyond what stands at the
 * vertices: `ground` built again, zeroed or holding one whose memory is used again; it borrows
 * mesh, tables and rows. O(faces of the sets). */
ew_status ew_springs_gather_faces(const ew_mesh *mesh, const ew_topology *topology,
                                  const ew_edge_rows *rows, int32_t n_spring,
                                  const ew_spring *spring, const double *share,
                                  ew_face_ground *ground);
/* force [3] of springs k [6] on a vertex displaced by u [3]: -k u. */
void ew_spring_force(const double *k, const double *u, double *force);
/* What the stiffness matrix gets beside the tets (ew_stiffness.ground): the springs, and in oblique
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

/* ---- the same, kept from edit to edit (support.c) ------------------------ */

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
        double center[3], radius; /* at the last full check */
        int32_t n_witness;
        ew_witness witness[6];
    } * component; /* [n_component] owned; two of them may have become one since */
    struct {
        ew_map tet, face;
        int32_t *label, *set, *joint, *cluster, *first; /* owned */
        int32_t label_capacity, set_capacity, joint_capacity, cluster_capacity, first_capacity;
        bool *old; /* owned */
        int32_t old_capacity;
    } search; /* private: memory kept from edit to edit */
} ew_support;
/* Follows a committed edit; the tables must have followed it already (EW_STALE). Looks only at tets
 * around those removed and added, at most 64 for each and 1024, and no more than a full check would
 * take the time for; where that does not show that the components are what they were, where the
 * edit is a large part of the mesh, or where it does not start at the proof's revision, the proof
 * is dropped, which is no failure. O(touched) + O(witnesses) where tets are removed. On
 * EW_NO_MEMORY there is no proof either. */
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

/* ---- loads (loads.c and load_*.c) ---------------------------------------- */

/* Nodal forces are the linear tet's consistent ones: integrated exactly with its functions, over
 * flat faces and tets; where sides are curved by three points on a face and four in a tet. */
typedef enum ew_load_kind {
    EW_LOAD_GRAVITY,        /* acceleration `vector` on all mass */
    EW_LOAD_TOTAL_FORCE,    /* `vector`, a uniform traction on the faces of the set; on a set of
                               vertices shared equally by the active ones */
    EW_LOAD_FORCE,          /* `vector` on each active vertex of the set */
    EW_LOAD_FORCE_ON_NODES, /* those of `nodes` that are in the body */
    EW_LOAD_PRESSURE,       /* pushes into the body: pressure + gradient . (x - point) */
    EW_LOAD_TRACTION,       /* `vector`, force per area */
    EW_LOAD_MOMENT, /* `vector` about the centroid c of the faces, as a traction w x (x - c) */
    EW_LOAD_REMOTE_FORCE, /* force `vector` that acts at `point`: uniform traction and that of its
                             moment about the centroid */
    EW_LOAD_BEARING,      /* force `vector` square to the axis of a cylinder, by a pressure that
                             falls off as a cosine on the half that is pressed */
    EW_LOAD_CENTRIFUGAL,  /* on all mass that turns with the angular velocity `vector`, rad per
                             time, about the axis through `point` */
    EW_LOAD_TEMPERATURE,  /* change + gradient . (x - point), or `value`, or `change` times an
                             expression: thermal strain, of all tets, those of a set, or between
                             vertices of a set (0 at others) */
    EW_LOAD_OWN,          /* what a program's function gives */
    EW_LOAD_COUNT
} ew_load_kind;

/* What a kind acts on, as bits. */
enum {
    EW_LOAD_ON_BODY = 1, /* on all of it, without a set */
    EW_LOAD_ON_VERTICES = 2,
    EW_LOAD_ON_FACES = 4,
    EW_LOAD_ON_TETS = 8
};
typedef struct ew_load_traits {
    const char *name; /* in words, as messages have it */
    int32_t acts_on;
    bool by_face;  /* of a set of vertices: on the boundary faces with all three vertices in it */
    bool is_whole; /* what a vertex gets depends on all of the set: a resultant that stays whole
                      while a member is left */
    bool has_axes; /* its vector may be along local axes */
} ew_load_traits;
/* Null for a number that is no kind. */
const ew_load_traits *ew_load_traits_of(ew_load_kind kind);

/* force [3] += the load on an active vertex, from mesh and tables alone: the same answer for the
 * same vertex whatever was asked before. Called from several threads at once. */
typedef void (*ew_load_function)(void *user, const ew_mesh *mesh, const ew_topology *topology,
                                 int32_t vertex, double *force);
/* How forces on the mass of tets with curved sides are integrated. */
typedef enum ew_force_on_mass {
    EW_FORCES_OF_STATICS,         /* by four points, as the stiffness */
    EW_FORCES_ON_CONSISTENT_MASS, /* as that mass, so that a body in free fall keeps its shape */
    EW_FORCES_ON_LUMPED_MASS
} ew_force_on_mass;
/* Vertices and middles of edges on which a force acts, as finite element programs give it to tets
 * of ten nodes. In the middle of an edge that is linear, or that edits take away, half of it acts
 * on each end. (load_nodes.c) */
typedef struct ew_load_node {
    int64_t end[2]; /* vertex_ids of the edge; of a vertex twice the same */
    double force[3];
} ew_load_node;
typedef struct ew_load_nodes {
    int32_t n;         /* rows: one a vertex, two a middle */
    ew_load_node *row; /* [n] owned: by ascending ends; of a middle both ways round */
} ew_load_nodes;
/* node [n], finite forces; one that is there twice has both. nodes: zeroed or uninitialized; to be
 * freed after failures, too. O(n log n). */
ew_status ew_load_nodes_init(ew_load_nodes *nodes, int32_t n, const ew_load_node *node);
void ew_load_nodes_free(ew_load_nodes *nodes);
/* f [3] += what acts on a vertex, halves of what acts in the middle of its edges; false: nothing.
 */
bool ew_load_nodes_add(const ew_load_nodes *nodes, int64_t vertex_id, double *f);
/* Units follow the case; what a kind does not name above is zero. */
typedef struct ew_load {
    ew_load_kind kind;
    double vector[3];
    double pressure;     /* at `point`, force per area */
    double change;       /* of temperature at `point`, K */
    double gradient[3];  /* of pressure or temperature, per length */
    double point[3];     /* length */
    double axis[3];      /* BEARING: of the cylinder, any length; 0: found from its faces */
    ew_axes axes;        /* FORCE, TOTAL_FORCE, TRACTION: what the components of `vector`
                            are along, by vertex; zeroed: x, y, z */
    bool only_positive;  /* PRESSURE: none where it would pull */
    const double *value; /* [n_vertex] change of temperature by slot, borrowed; or null */
    const ew_expression
        *expression;             /* TEMPERATURE: of x, y, z, times `change`; borrowed; or null */
    const ew_load_nodes *nodes;  /* FORCE_ON_NODES: borrowed */
    const ew_set *vertex;        /* borrowed; one of the three sets, none on the whole body */
    const ew_set *face;          /* borrowed; boundary slots */
    const ew_set *tet;           /* borrowed */
    const ew_boundary *boundary; /* borrowed, current; with `face` */
    const ew_curves *curves;     /* borrowed: sides of tets that are curved; null: none are */
    ew_force_on_mass on_mass;    /* of those */
    ew_load_function own;        /* OWN; `vertex` may be null: everywhere */
    void *user;
} ew_load;

/* What a load takes from the whole of its set, the same for each of its vertices. */
typedef struct ew_load_share {
    double factor;    /* of a total force: one over the active vertices or the area; else 1 */
    double center[3]; /* MOMENT, REMOTE_FORCE: centroid of the area */
    double push[3];   /* REMOTE_FORCE: uniform traction; BEARING: pressure = -push . n where that is
                         positive, n the outward unit normal */
    double spin[3];   /* MOMENT, REMOTE_FORCE: traction spin x (x - center) */
    double axis[3];   /* BEARING: unit vector */
} ew_load_share;
/* Checks a load and finds its share. EW_BAD_INPUT names the load by `place`, from 0 (printed from
 * 1): an empty set, vertices without a face between them, values that are not finite, a region
 * without the density or the expansion that the load needs, faces on which no distribution has the
 * resultant. O(set), and O(n) where a constant is missing in some region. */
ew_status ew_load_find_share(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials, const ew_load *load, int32_t place,
                             ew_load_share *share);
/* f[v] = sum over loads, gathered per vertex in a fixed order, for the listed vertices (null: all,
 * holes zero), so that recomputing the touched vertices gives the bits of a full assembly (a load
 * whose share changes touches its whole set). f: caller's [n_vertex][3]; share: [n_load], as above.
 * O(listed), allocates nothing. */
ew_status ew_loads_gather(const ew_mesh *mesh, const ew_topology *topology,
                          const ew_materials *materials, int32_t n_load, const ew_load *load,
                          const ew_load_share *share, const ew_list *vertex, double *f);
/* Both: the shares of all loads, then the listed vertices. */
ew_status ew_loads_assemble(const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, int32_t n_load, const ew_load *load,
                            const ew_list *vertex, double *f);
/* f[row] = the same on the functions of edges, for the listed rows, null: all; 0 in holes. Faces
 * and tets carry what is linear in position exactly, a pressure cut off at zero as the linear one
 * with the same forces at the corners; loads on vertices have no part. lumped: forces on mass are
 * those on the lumped mass of the nodes, so that a body in free fall keeps its shape. f: caller's
 * [n_row][3]. (edge_loads.c) */
ew_status ew_loads_gather_edges(const ew_mesh *mesh, const ew_topology *topology,
                                const ew_materials *materials, int32_t n_load, const ew_load *load,
                                const ew_load_share *share, const ew_edge_rows *rows,
                                const ew_list *row, bool lumped, double *f);
/* Force and moment about the origin of all that a load gives, summed in a fixed order; of a
 * TEMPERATURE zero, for its forces balance. O(set), O(n) of a load on the whole body. */
void ew_load_resultant(const ew_mesh *mesh, const ew_topology *topology,
                       const ew_materials *materials, const ew_load *load,
                       const ew_load_share *share, double force[3], double moment[3]);
/* force [3] of a PRESSURE or TRACTION on a boundary face as a whole; false where it does not act on
 * it, or is of another kind. */
bool ew_load_on_face(const ew_mesh *mesh, const ew_load *load, int32_t face, double force[3]);
/* Change of temperature of a live tet, the mean of its corners, by all loads of the list. */
double ew_loads_temperature_change(const ew_mesh *mesh, int32_t n_load, const ew_load *load,
                                   int32_t tet);
/* Expansion times that: the strain, equal in all directions, that the tet would take up freely; 0
 * where its material is not isotropic. */
double ew_loads_thermal_strain(const ew_mesh *mesh, const ew_materials *materials, int32_t n_load,
                               const ew_load *load, int32_t tet);
/* The change of temperature at the four corners, for quadratic tets, in which it is linear: the
 * linear function with what an expression gives to the middles of edges and to the corners, at the
 * four Gauss points. */
void ew_loads_change_at_corners(const ew_mesh *mesh, int32_t n_load, const ew_load *load,
                                int32_t tet, double change[4]);

/* ---- recovery (recover.c) ---------------------------------------------- */

/* Per vertex and per tet results of a static step; arrays owned, by slot. */
typedef struct ew_fields {
    int32_t n_vertex, n_tet, vertex_capacity, tet_capacity;
    double *reaction;      /* [n_vertex][3] of all supports: K u - f along what is prescribed, the
                              force of the springs across; else 0 */
    double *vertex_stress; /* [n_vertex][6] volume-weighted average over the vertex' tets */
    double *vertex_von_mises; /* [n_vertex] of vertex_stress */
    double *strain, *stress;  /* [n_tet][6]; stress = D (strain - thermal strain) */
    double *thermal_strain;   /* [n_tet] equal in all directions; 0 without a temperature load, and
                                 where the material is not isotropic */
    bool thermal_in_law;      /* it was taken off by laws, and is among no loads */
    bool has_thermal_tensor;  /* some material is not: */
    int32_t thermal_capacity;
    double *thermal_tensor; /* [n_tet][6] thermal strain of all tets, or null */
    const double *pressure; /* [n_vertex] borrowed, of mixed tets: p, given before a recovery, for a
                               stress of 2 mu strain + its mean in the tet; else null */
    double *von_mises;      /* [n_tet] */
    double *principal;      /* [n_tet][3] largest first */
    double *energy;         /* [n_tet] strain energy, of the elastic part of the strain */
} ew_fields;
/* f: the forces of these loads; of the loads those of temperature matter. */
ew_status ew_fields_recover(ew_fields *fields, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, const ew_constraints *constraints,
                            int32_t n_load, const ew_load *load, const double *f, const double *u);
/* energy: [n_tet] as of ew_fields_recover, with the same bits; of linear tets without thermal
 * strain that are not mixed. (energies.c) */
void ew_tet_energies(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                     double *energy);
double ew_springs_energy(const ew_mesh *mesh, const ew_constraints *constraints, const double *u);
/* What stands on edges beside a displacement (ew_edge_rows). All borrowed. */
typedef struct ew_edge_values {
    const ew_edge_rows *rows;
    const ew_topology *topology;
    const double *u;      /* [n_row][3] coefficients */
    const double *f;      /* [n_row][3] loads; null where nothing reads them */
    const uint8_t *fixed; /* [n_row], as in ew_edge_constraints; likewise */
    const double *pull;   /* [n_vertex + n_row][3] forces of springs on faces, beyond those at
                             vertices (ew_face_ground); null: none */
} ew_edge_values;
/* The same where tets are quadratic. What stands by tet is then of its centroid, the energy of the
 * whole tet. The stress at a vertex is the mean of the stresses at this corner of its quadratic
 * tets, where it has such; elsewhere as in ew_fields_recover. edges: null: none. (corners.c) */
ew_status ew_fields_recover_edges(ew_fields *fields, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_constraints *constraints, int32_t n_load,
                                  const ew_load *load, const double *f, const double *u,
                                  const ew_edge_values *edges);
/* The same of a nonlinear body: strain and stress are those of the frame that turns with each tet,
 * along x, y, z. internal: [n_vertex][3] what its tets pull with (ew_response_gather). */
ew_status ew_fields_recover_nonlinear(ew_fields *fields, const ew_constraints *constraints,
                                      const double *f, const ew_response *response,
                                      const ew_moved *body, const double *internal);
void ew_fields_free(ew_fields *fields);

/* Strain and stress at the corners of a quadratic tet, between which they are linear; of a tet with
 * curved sides extrapolated from its Gauss points. */
typedef struct ew_corner_state {
    double volume;
    double strain[4][6], stress[4][6]; /* stress of the elastic part */
    double change[4]; /* of the temperature; times this it is the thermal strain: */
    double expansion[6];
    bool is_curved;   /* then they are extrapolated from the four Gauss points, between which they
                         are linear, */
    double weight[4]; /* and these are the volumes that belong to the points */
} ew_corner_state;
/* False where none of the tet's edges has a row: it is a linear one. */
bool ew_corner_state_of(ew_corner_state *state, const ew_mesh *mesh, const ew_materials *materials,
                        int32_t n_load, const ew_load *load, const double *u,
                        const ew_edge_values *edges, int32_t tet);

/* Sums and extremes for the printed summary and the result file. */
typedef struct ew_sums {
    double applied_force[3], applied_moment[3]; /* moments about the origin */
    double reaction_force[3], reaction_moment[3];
    double equilibrium; /* |applied + reaction| / max(sum |f_v|, sum |reaction_v|); 0 when both are
                           0. By vertex, so that loads that balance one another are no division of
                           dust by dust */
    double external_work;      /* f.u + reaction.u, f without what stands for temperature; springs
                                  are outside */
    double strain_energy;      /* sum over tets */
    double thermal_work;       /* integral of stress : thermal strain; at convergence
                                  external_work = 2 * strain_energy + thermal_work */
    double spring_energy;      /* of the springs to the ground */
    double dissipated;         /* by plastic flow in the body as it is, since it was new */
    double max_plastic_strain; /* equivalent, and where; -1: nothing flowed */
    int32_t max_plastic_strain_tet;
    double volume, mass;     /* mass: 0 where no density is given */
    double max_displacement; /* magnitude, and where */
    int32_t max_displacement_vertex;
    double max_von_mises; /* per tet value, and where */
    int32_t max_von_mises_tet;
    double max_vertex_von_mises;
    int32_t max_vertex_von_mises_vertex;
    double max_principal, min_principal; /* over tets */
} ew_sums;
void ew_sums_take(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                  const ew_constraints *constraints, const ew_fields *fields, const double *f,
                  const double *u);
/* Adds to the work of forces that of the loads and the supports on edges, after ew_sums_take. */
void ew_sums_add_edges(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                       const ew_fields *fields, int32_t n_load, const ew_load *load,
                       const double *u, const ew_edge_values *edges);
/* EW_NOT_FINITE where a field or a sum of a step is not finite, or beyond what double precision can
 * square: 0 or 1e-140 to 1e140. u [n_vertex][3] is the displacement they were recovered from. */
ew_status ew_fields_check_range(const ew_fields *fields, const ew_sums *sums, const double *u);

/* ---- time integration (schemes.c, scheme_*.c) ---------------------------- */

typedef enum ew_scheme_kind {
    EW_IMPLICIT_EULER,
    EW_NEWMARK,
    EW_HHT,
    EW_GENERALIZED_ALPHA,
    EW_EXPLICIT_EULER,
    EW_CENTRAL_DIFFERENCE,
    EW_SCHEME_COUNT /* none */
} ew_scheme_kind;

typedef struct ew_scheme_parameters {
    double beta, gamma;     /* NEWMARK: 0 .. 1, 0.5 .. 2; default 1/4, 1/2 */
    double alpha;           /* HHT: -1/3 .. 0; default -0.05 */
    double spectral_radius; /* GENERALIZED_ALPHA: at infinite frequency, 0 .. 1; default 0.8 */
} ew_scheme_parameters;
ew_scheme_parameters ew_default_scheme_parameters(void);

/* A step of any scheme, from state 0 to state 1 at time dt after it, over displacement u, velocity
 * v and acceleration a:
 *
 *     u_1 = u_0 + dt v_0 + dt^2 (u[0] a_0 + u[1] a_1)
 *     v_1 = v_0 + dt (v[0] a_0 + v[1] a_1)
 *     d_1 = v_0 + dt (d[0] a_0 + d[1] a_1)             the velocity that damping acts on
 *     M ((1 - alpha_m) a_1 + alpha_m a_0) + C ((1 - alpha_f) d_1 + alpha_f v_0) +
 *         K ((1 - alpha_f) u_1 + alpha_f u_0) = (1 - alpha_f) F_1 + alpha_f F_0 */
typedef struct ew_scheme_rule {
    double alpha_m, alpha_f;
    double u[2], v[2], d[2];
} ew_scheme_rule;

typedef struct ew_scheme {
    const char *name;                                           /* as in a case */
    const char *reference;                                      /* author, year, equation */
    ew_status (*check)(const ew_scheme_parameters *parameters); /* null: there are none */
    void (*rule)(const ew_scheme_parameters *parameters, ew_scheme_rule *rule);
    /* See ew_scheme_stable_step; null: any step. */
    double (*stable_step)(const ew_scheme_parameters *parameters, double square,
                          double damping_mass, double damping_stiffness);
} ew_scheme;
/* Null for a number that is no kind. */
const ew_scheme *ew_scheme_of(ew_scheme_kind kind);
/* EW_BAD_ARGUMENT names the parameter and its range. */
ew_status ew_scheme_check(ew_scheme_kind kind, const ew_scheme_parameters *parameters);
void ew_scheme_rule_of(ew_scheme_kind kind, const ew_scheme_parameters *parameters,
                       ew_scheme_rule *rule);
/* The largest stable step where no frequency (rad per time) squared is above `square` and damping
 * is C = damping_mass M + damping_stiffness K; INFINITY: any; 0: none. */
double ew_scheme_stable_step(ew_scheme_kind kind, const ew_scheme_parameters *parameters,
                             double square, double damping_mass, double damping_stiffness);
/* The matrix that a step solves with, of_mass M + of_stiffness K, for the unknown a_1. */
void ew_scheme_step_matrix(const ew_scheme_rule *rule, double step, double damping_mass,
                           double damping_stiffness, double *of_mass, double *of_stiffness);

/* ---- quadratic tets in a solve (quadratic_operator.c) -------------------- */

/* The rows of edges behind those of vertices, for ew_operator_with_beyond: products from the tets,
 * diagonal blocks from a matrix. Borrows all but its list; what it borrows may change between
 * solves. Must not move while an operator uses it. */
typedef struct ew_quadratic_operator {
    ew_beyond beyond;
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows;
    const ew_matrix *diagonal;     /* of ew_edge_blocks; null on a device */
    ew_face_ground *ground;        /* springs on faces, to be set; null: none */
    ew_edge_product product;       /* owned */
    ew_device_edges *device_edges; /* copies on a device, or null */
    const ew_device_mesh *device_mesh;
} ew_quadratic_operator;
void ew_quadratic_operator_init(ew_quadratic_operator *op, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_materials *materials,
                                const ew_edge_rows *rows, const ew_matrix *diagonal);
/* The same for ew_operator_on_device_with_beyond, with copies of mesh and rows there. */
void ew_quadratic_operator_init_on_device(ew_quadratic_operator *op, const ew_mesh *mesh,
                                          const ew_topology *topology,
                                          const ew_materials *materials, const ew_edge_rows *rows,
                                          const ew_device_mesh *device_mesh,
                                          ew_device_edges *device_edges,
                                          const ew_device_matrix *diagonal);
void ew_quadratic_operator_free(ew_quadratic_operator *op);

/* ---- mixed tets (mixed.c) ------------------------------------------------- */

/* What mixed tets have beside a stiffness of 2 mu; of the last preparation, which borrows. It is
 * for [A B^T; B -C/of_k] with A = of_k K + of_m M, the mass lumped or consistent: in statics 1 and
 * 0. */
typedef struct ew_mixed {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_device_mesh *device_mesh; /* where it is on a device, whose buffers are: */
    double of_k, of_m;
    int32_t tet_capacity, vertex_capacity, work_capacity, partial_capacity;
    double *tet;   /* [n_tet][16] owned: V / 4 times the gradients, terms of C, work */
    double *scale; /* [n_vertex] owned: ew_saddle.scale */
    double *work;  /* [5][n_vertex] owned, of ew_mixed_find_pressure */
    double *partial;
    ew_buffer device_tet;   /* double [n_tet][14] as above, without work */
    ew_buffer device_work;  /* double [n_tet][2] */
    ew_buffer device_scale; /* double [n_vertex]: ew_saddle.device_scale */
    ew_buffer device_lame, device_density;
} ew_mixed;
/* From isotropic materials with lambda > 0. O(n). */
ew_status ew_mixed_prepare(ew_mixed *mixed, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, double of_k, double of_m);
/* ew_saddle.add_product; user: an ew_mixed. Same bits for any number of threads. */
void ew_mixed_add_product(void *user, const double *x, const double *p, double *y, double *q);
/* The same on a device with fp64, with the host's bits in `tet` and `scale`: ew_saddle's
 * device_add_product. EW_STALE unless the copy is one of the mesh as it is. (mixed_device.c) */
ew_status ew_mixed_prepare_on_device(ew_mixed *mixed, const ew_mesh *mesh,
                                     const ew_materials *materials, const ew_device_mesh *there,
                                     double of_k, double of_m);
ew_status ew_mixed_add_product_on_device(void *user, const ew_buffer *v, ew_buffer *out);
void ew_mixed_free_on_device(ew_mixed *mixed);
/* p [n_vertex] = C^-1 B x, to rounding: the volumetric stress that goes with a displacement. On the
 * host. O(n) times the root of lambda / mu. (mixed_pressure.c) */
ew_status ew_mixed_find_pressure(ew_mixed *mixed, const double *x, double *p);
/* q [n_vertex] = B x; y += B^T p */
void ew_mixed_find_divergence(ew_mixed *mixed, const double *x, double *q);
void ew_mixed_add_pressure(ew_mixed *mixed, const double *p, double *y);
void ew_mixed_free(ew_mixed *mixed);

/* ---- error estimate (patches.c, error.c) -------------------------------- */

/* Stress at the vertices, for each region around a vertex, by superconvergent patch recovery. */
typedef struct ew_recovered {
    int32_t n_vertex, vertex_capacity, capacity;
    int32_t
        *begin; /* [n_vertex + 1] owned: vertex v has the patches begin[v] .. begin[v + 1] - 1 */
    int32_t *region; /* [patches] owned, index into mesh->region_label, ascending at a vertex */
    double *stress;  /* [patches][6] owned */
} ew_recovered;

/* Of the energy norm of a prevented expansion: less stress is what the solver's tolerance leaves of
 * a free one. */
#define EW_NO_STRESS 1e-6

/* What the discretization is estimated to make wrong, by comparing the stress of the tets with the
 * recovered one (Zienkiewicz & Zhu 1987, 1992). Norms are of the energy, the root of the integral
 * of stress D^-1 stress: of the solution that is sqrt(2 x strain energy). */
typedef struct ew_estimate {
    uint64_t revision; /* of the mesh */
    int32_t n_tet, tet_capacity;
    double
        *error; /* [n_tet] owned: norm of the error in the tet, sqrt(force x length); 0 in holes */
    double error_norm;    /* of all tets together */
    double solution_norm; /* of the stress of the tets */
    double prevented;     /* of the stress that would take back all thermal strain */
    double share;         /* error / sqrt(solution^2 + error^2), 0 .. 1; 0 without stress,
                             that is where both are less than EW_NO_STRESS of `prevented` */
    /* At the tet of the largest von Mises stress: that stress, the largest recovered one at the
     * tet's corners, at which vertex, and by what share the stress of the tet is estimated to be
     * off there: the von Mises of the difference of the two over that of the recovered one, which
     * counts what the stress varies within the tet. -1 and 0 without tets. */
    int32_t peak_tet, peak_vertex;
    double peak_stress, peak_recovered, peak_share;
    ew_recovered recovered;
} ew_estimate;
/* From the fields of a recovery on this mesh (EW_STALE otherwise). EW_NOT_FINITE where squares of
 * what they hold leave the range of double precision. Memory is reused. The same for
 * any number of threads. O(n). */
ew_status ew_estimate_take(ew_estimate *estimate, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_fields *fields);
/* What the stress in quadratic tets is recovered from, as in ew_fields_recover_edges. Borrowed. */
typedef struct ew_corner_source {
    int32_t n_load;
    const ew_load *load;
    const double *u;
    const ew_edge_values *edges;
} ew_corner_source;
/* The same where tets are quadratic. Their recovered stress is the mean at each vertex of what they
 * have there, and their error by how far they disagree. corners: null: none. */
ew_status ew_estimate_take_corners(ew_estimate *estimate, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_materials *materials,
                                   const ew_fields *fields, const ew_corner_source *corners);
void ew_estimate_free(ew_estimate *estimate);

/* ---- whether linear tets and a linear theory fit (fitness.c) ------------- */

/* Limits of the linear theory: a rotation (rad) and a principal strain. */
#define EW_MAX_ROTATION 0.1
#define EW_MAX_STRAIN   0.05
/* Layers of tets that bending needs. */
#define EW_MIN_LAYERS 4

typedef struct ew_fitness {
    double rotated;  /* share of the volume that turns by more than EW_MAX_ROTATION */
    double strained; /* share of the volume with a principal strain beyond +-EW_MAX_STRAIN */
    double max_rotation, max_strain; /* of any tet */
    double bent;   /* share of the stress at the surface (area x stress^2) that changes its sign
                      through a wall of fewer than EW_MIN_LAYERS layers */
    double layers; /* of these walls, their mean weighted alike; 0 where there are none */
} ew_fitness;
/* From an estimate of these fields and the displacement u [n_vertex][3]. O(n). */
ew_status ew_fitness_take(ew_fitness *fitness, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_fields *fields, const ew_estimate *estimate, const double *u);

EW_END_API
#endif
