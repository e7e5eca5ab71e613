/* analysis: what a program needs that works on its tables itself, beside analysis/analysis_loads.h.
 */
#ifndef EW_PARTS_ANALYSIS_LOADS_H
#define EW_PARTS_ANALYSIS_LOADS_H

#include "analysis/analysis_loads.h"
#include "analysis/parts/analysis_supports.h"

EW_BEGIN_API

/* ---- amplitudes (amplitude.c) ------------------------------------------- */

/* Of a sine: its acceleration has the square, and energies that of the acceleration. */
#define EW_MAX_FREQUENCY 1e30
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

/* ---- loads (loads.c and load_*.c) ---------------------------------------- */

/* Objects that a kind of load acts on, as bits. */
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

/* How forces on the mass of tets with curved sides are integrated. */
typedef enum ew_force_on_mass {
    EW_FORCES_OF_STATICS,         /* by four points, as the stiffness */
    EW_FORCES_ON_CONSISTENT_MASS, /* as that mass, so that a body in free fall keeps its shape */
    EW_FORCES_ON_LUMPED_MASS
} ew_force_on_mass;
/* node [n], finite forces; one that is there twice has both. nodes: zeroed or uninitialized; to be
 * freed after failures, too. O(n log n). */
ew_status ew_load_nodes_init(ew_load_nodes *nodes, int32_t n, const ew_load_node *node);
void ew_load_nodes_free(ew_load_nodes *nodes);
/* f [3] += what acts on a vertex, halves of what acts in the middle of its edges; false: nothing.
 */
bool ew_load_nodes_add(const ew_load_nodes *nodes, int64_t vertex_id, double *f);
/* f [3] += what acts in the middle of the edge from a to b, or where they are the same on the
 * vertex alone. */
void ew_load_nodes_add_at(const ew_load_nodes *nodes, int64_t a, int64_t b, double *f);
/* Units follow the case; what a kind does not name above is zero. */
typedef struct ew_load {
    ew_load_kind kind;
    double vector[3];
    double pressure;     /* at `point`, force per area */
    double change;       /* of temperature at `point`, K; a factor of `value` (not of FIELD) and
                            expressions */
    double gradient[3];  /* of pressure or temperature, per length */
    double point[3];     /* length */
    double axis[3];      /* BEARING: of the cylinder, any length; 0: found from its faces */
    ew_axes axes;        /* FORCE, TOTAL_FORCE, TRACTION: what the components of `vector`
                            are along, by vertex; zeroed: x, y, z */
    bool only_positive;  /* PRESSURE: none where it would pull */
    const double *value; /* TEMPERATURE: [n_vertex] change of temperature by slot, K, or null;
                            FIELD: [n_vertex][3] force by slot; PRESSURE, TRACTION: [n_vertex] or
                            [n_vertex][3] by slot, linear between vertices, or null; borrowed */
    const ew_expression
        *expression;             /* TEMPERATURE: of x, y, z, times `change`; borrowed; or null */
    const ew_load_nodes *nodes;  /* FORCE_ON_NODES; TEMPERATURE with `value`: as force[0] what the
                                    middle of an edge has beyond the mean of its ends, K; borrowed;
                                    or null */
    const ew_set *vertex;        /* borrowed; one of the three sets, none on the whole body */
    const ew_set *face;          /* borrowed; boundary slots */
    const ew_set *tet;           /* borrowed */
    const ew_boundary *boundary; /* borrowed, current; with `face` */
    const ew_curves *curves;     /* borrowed: sides of tets that are curved; null: none are */
    ew_force_on_mass on_mass;    /* of those */
    ew_load_function own;        /* OWN; `vertex` may be null: everywhere */
    void *user;
} ew_load;

/* Properties of the entire set of a load, the same for each vertex. */
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
/* Pressure that turns with faces (follower.c). The faces of the loads, all of kind PRESSURE, with
 * their pressure times the factor of the load; factor: [n_load], 0: left out. rows: of quadratic
 * tets, or null. `out` zeroed, or one whose memory is used again. O(faces). */
ew_status ew_follower_gather(ew_follower *out, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_edge_rows *rows, int32_t n_load, const ew_load *load,
                             const double *factor);
/* f [n_row][3] += its forces on the faces moved by u [n_row][3]; vertices, then edges. */
void ew_follower_add_force(ew_follower *follower, const ew_mesh *mesh, const ew_edge_rows *rows,
                           const double *u, double *f);
/* Its load stiffness there. */
ew_status ew_follower_find_turns(ew_follower *follower, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_edge_rows *rows,
                                 const double *u);
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

EW_END_API
#endif
