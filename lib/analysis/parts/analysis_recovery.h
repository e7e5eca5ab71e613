/* analysis: what a program needs that works on its tables itself, beside
 * analysis/analysis_recovery.h. */
#ifndef EW_PARTS_ANALYSIS_RECOVERY_H
#define EW_PARTS_ANALYSIS_RECOVERY_H

#include "analysis/analysis_recovery.h"
#include "analysis/parts/analysis_loads.h"

EW_BEGIN_API

/* ---- recovery (recover.c) ---------------------------------------------- */

/* Values on edges beside a displacement (ew_edge_rows). All borrowed. */
typedef struct ew_edge_values {
    const ew_edge_rows *rows;
    const ew_topology *topology;
    const double *u;      /* [n_row][3] coefficients */
    const double *f;      /* [n_row][3] loads; null where nothing reads them */
    const uint8_t *fixed; /* [n_row], as in ew_constraints; likewise */
    const double *pull;   /* [n_vertex + n_row][3] forces of springs on faces, beyond those at
                             vertices (ew_face_ground); null: none */
} ew_edge_values;
/* f: the forces of these loads; of the loads those of temperature matter. edges: of a body with
 * quadratic tets, or null. What stands by quadratic tet is of its centroid, the energy of the whole
 * tet; the stress at a vertex is the mean of the stresses at this corner of its quadratic tets,
 * where it has such (quadratic_recovery.c). */
ew_status ew_fields_recover(ew_fields *fields, const ew_mesh *mesh, const ew_topology *topology,
                            const ew_materials *materials, const ew_constraints *constraints,
                            int32_t n_load, const ew_load *load, const double *f, const double *u,
                            const ew_edge_values *edges);
/* energy: [n_tet] as of ew_fields_recover, with the same bits; of linear tets without thermal
 * strain that are not mixed. (energies.c) */
void ew_tet_energies(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                     double *energy);
/* Likewise stress and von_mises of ew_fields_recover; the rest is not defined, and the capacity
 * stays. EW_NOT_FINITE as ew_field_check_range says of the stress. (tet_stress.c) */
ew_status ew_fields_recover_stress(ew_fields *fields, const ew_mesh *mesh,
                                   const ew_materials *materials, const double *u);
/* The von Mises stress of the volume-weighted average at the listed vertices, von_mises [n_vertex]
 * by slot, the rest untouched: of a body of one material of linear tets without thermal strain,
 * with the bits of ew_fields_recover's. part: [n_tet][7] memory of the call. (surface_stress.c) */
void ew_vertices_von_mises(const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const double *u, const ew_set *vertex,
                           double *part, double *von_mises);
/* The same of a nonlinear body of linear tets, with the bits of ew_fields_recover_nonlinear's. */
void ew_vertices_von_mises_nonlinear(const ew_internal_force *internal_force,
                                     const ew_deformed *body, const ew_set *vertex, double *part,
                                     double *von_mises);
double ew_springs_energy(const ew_mesh *mesh, const ew_constraints *constraints, const double *u);
/* Of a spring of the stiffness k [6] (xx yy zz xy yz zx) at the displacement u [3]. */
double ew_spring_energy(const double *k, const double *u);
/* As ew_fields_recover, of a nonlinear body: strain and stress are those of the frame that turns
 * with each tet, along x, y, z. internal: what its tets pull with (ew_internal_force_gather).
 * edges: of a body with quadratic tets, of which `u` and the load lines are not read; or null. */
ew_status ew_fields_recover_nonlinear(ew_fields *fields, const ew_constraints *constraints,
                                      const double *f, const ew_internal_force *internal_force,
                                      const ew_deformed *body, const double *internal,
                                      const ew_edge_values *edges);
/* Slots that a change since the last recovery concerns. */
typedef struct ew_recovery_change {
    ew_set tet;      /* owned: tets that came or went, or whose place, displacement or material
                        changed */
    ew_set vertex;   /* owned: vertices of these tets, also those that the tets which went had, and
                        vertices with another load, spring or support */
    ew_set edge_row; /* owned: rows of edges at these vertices, and those with another edge, load or
                        support; of a body with quadratic tets */
} ew_recovery_change;
/* Adds the vertices of the live tets of the list, and the rows of edges there. rows: null: all tets
 * are linear. */
ew_status ew_recovery_change_close(ew_recovery_change *change, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_edge_rows *rows);
/* Adds the slots of another change. */
ew_status ew_recovery_change_add(ew_recovery_change *change, const ew_recovery_change *other);
void ew_recovery_change_clear(ew_recovery_change *change);
void ew_recovery_change_free(ew_recovery_change *change);
/* Fields of ew_fields_recover on an earlier mesh, displacement or load become those of the
 * present one, with the same bits as from a whole recovery. change: all that differs, the vertices
 * of its tets and the rows of edges there included. For linear and quadratic tets without thermal
 * strain and without mixed tets, before and now; edges: null before and now, or neither. *is_local:
 * false, with the fields undefined, where patches come or go, or depend on a field of axes: a whole
 * recovery is necessary. O(change). */
ew_status ew_fields_update(ew_fields *fields, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_constraints *constraints,
                           const double *f, const double *u, const ew_edge_values *edges,
                           const ew_recovery_change *change, bool *is_local);
void ew_fields_free(ew_fields *fields);

/* The averaged stress [6] at a corner 0 .. 3 of a live tet, on its side of an interface between
 * materials, and its von Mises stress: elsewhere those of the vertex. */
const double *ew_fields_corner_stress(const ew_fields *fields, const ew_mesh *mesh, int32_t tet,
                                      int corner);
double ew_fields_corner_von_mises(const ew_fields *fields, const ew_mesh *mesh, int32_t tet,
                                  int corner);
/* The region (index) on whose side of an interface vertex_stress is that of the vertex; -1: there
 * is no interface. */
int32_t ew_fields_vertex_region(const ew_fields *fields, int32_t vertex);

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

/* Stress at the corners of a live tet, of the elastic part of its strain: of a linear tet the same
 * at all four. edges: null: none. (stress_gradient.c) */
void ew_corner_stress(const ew_mesh *mesh, const ew_materials *materials, int32_t n_load,
                      const ew_load *load, const double *u, const ew_edge_values *edges,
                      int32_t tet, double stress[4][6]);
/* g [rows][3], of vertices, then of edges, += the derivatives by the displacement of the sum of
 * weight[a][c] times component c of that stress at corner a. */
void ew_corner_stress_gradient(const ew_mesh *mesh, const ew_materials *materials,
                               const ew_edge_values *edges, int32_t tet, double weight[4][6],
                               double *g);

/* Vertices and tets are added in chunks of so many slots, then chunk by chunk. */
#define EW_SUM_CHUNK 128
/* Sums over the vertices, and over the tets, of a chunk or of all chunks. */
typedef struct ew_vertex_sums {
    double applied_force[3], applied_moment[3], reaction_force[3], reaction_moment[3];
    double applied, reacted; /* sums of the magnitudes of forces and of reactions */
    double external_work, spring_energy;
    double max_displacement, max_von_mises;
    int32_t max_displacement_vertex, max_von_mises_vertex; /* -1: no active vertex */
    uint64_t displacement, reaction, stress; /* ew_largest_magnitude of these fields */
} ew_vertex_sums;
typedef struct ew_tet_sums {
    double volume, mass, strain_energy, external_work, thermal_work;
    double max_principal, min_principal, max_von_mises;
    int32_t max_von_mises_tet; /* -1: no live tet */
    uint64_t stress, strain;   /* ew_largest_magnitude of these fields */
} ew_tet_sums;
/* What edges with a function add: by chunks of their rows, and by chunks of tets what these are
 * beyond linear ones with straight sides. */
typedef struct ew_edge_sums {
    double external_work, applied_moment[3], reaction_moment[3];
} ew_edge_sums;
typedef struct ew_quadratic_sums {
    double volume, mass, external_work, thermal_work;
} ew_quadratic_sums;
/* The sums of chunks, from which the whole ones follow. Zeroed: none yet. */
typedef struct ew_partial_sums {
    ew_vertex_sums *vertex, of_vertices; /* [chunks] owned; all */
    ew_tet_sums *tet, of_tets;           /* likewise */
    ew_edge_sums *edge;                  /* [chunks] owned, as the next */
    ew_quadratic_sums *quadratic;
    int32_t vertex_capacity, tet_capacity, edge_capacity, quadratic_capacity;
    ew_set vertex_chunk, tet_chunk, edge_chunk; /* owned: work */
} ew_partial_sums;
/* *sums of recovered fields, of the forces f [n_vertex][3] and the displacement u [n_vertex][3].
 * change: the slots of which any of these changed since the last call; null: all. The bits do not
 * depend on what was kept. O(change) and O(n / EW_SUM_CHUNK). */
ew_status ew_partial_sums_take(ew_partial_sums *partial, const ew_mesh *mesh,
                               const ew_materials *materials, const ew_constraints *constraints,
                               const ew_fields *fields, const double *f, const double *u,
                               const ew_recovery_change *change, ew_sums *sums);
/* Of the last call: EW_NOT_FINITE where a field or a sum is not finite, or beyond what double
 * precision can square: 0 or 1e-140 to 1e140. */
ew_status ew_partial_sums_check_range(const ew_partial_sums *partial, const ew_sums *sums);
void ew_partial_sums_free(ew_partial_sums *partial);
/* The bits of the largest magnitude of n numbers: in the order of the magnitudes, infinity and what
 * is no number above all others. (overflow_check.c) */
uint64_t ew_largest_magnitude(const double *value, int64_t n);
/* EW_NOT_FINITE likewise, of one field of n numbers. */
ew_status ew_field_check_range(const char *name, const double *value, size_t n);
/* Adds to moments and to the work of forces those of the loads and the supports on edges, after
 * ew_partial_sums_take of the same change: null where the last call was of other loads of
 * temperature. O(change) and O(n / EW_SUM_CHUNK), and with springs on faces O(n). */
ew_status ew_partial_sums_add_edges(ew_partial_sums *partial, const ew_mesh *mesh,
                                    const ew_materials *materials, const ew_fields *fields,
                                    int32_t n_load, const ew_load *load, const double *u,
                                    const ew_edge_values *edges, const ew_recovery_change *change,
                                    ew_sums *sums);

/* ---- error estimate (recovered.c, error.c) ------------------------------ */

/* Of the energy norm of a prevented expansion: less stress is what the solver's tolerance leaves of
 * a free one. */
#define EW_NO_STRESS 1e-6

/* From the fields of a recovery on this mesh (EW_STALE otherwise). EW_NOT_FINITE where squares of
 * what they hold leave the range of double precision. Memory is reused. The same for
 * any number of threads. O(n). rows: of a body with quadratic tets, or null: the recovered stress
 * of these is the mean at each vertex of what they have there, and their error by how far they
 * disagree. */
ew_status ew_estimate_take(ew_estimate *estimate, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_fields *fields,
                           const ew_edge_rows *rows);
/* An estimate of earlier fields becomes that of the present ones, with the same bits as a whole
 * one. change, rows: all that differs since, as in ew_fields_update. *is_local: false, with the
 * estimate undefined, as there, where the first tet of the mesh changed, and where a linear tet
 * came to quadratic ones: a whole estimate is necessary. O(change) and O(n / EW_SUM_CHUNK). */
ew_status ew_estimate_update(ew_estimate *estimate, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_fields *fields, const ew_edge_rows *rows,
                             const ew_recovery_change *change, bool *is_local);
void ew_estimate_free(ew_estimate *estimate);
/* The recovered stress [6] at a corner 0 .. 3 of a live tet, of the patch that it is in there. */
const double *ew_recovered_at(const ew_recovered *recovered, const ew_mesh *mesh, int32_t tet,
                              int corner);

/* ---- whether linear tets and a linear theory fit (model_adequacy.c) ------------- */

/* Limits of the linear theory: a rotation (rad) and a principal strain. */
#define EW_MAX_ROTATION 0.1
#define EW_MAX_STRAIN   0.05
/* Layers of tets that bending needs. */
#define EW_MIN_LAYERS 4

/* From an estimate of these fields and the displacement u [n_vertex][3]. O(n). */
ew_status ew_adequacy_evaluate(ew_adequacy *adequacy, const ew_mesh *mesh,
                               const ew_topology *topology, const ew_fields *fields,
                               const ew_estimate *estimate, ew_kinematics kinematics,
                               const double *u);

/* Of a face: its area, and over it the integrals of the functions of its corners, in the order of
 * ew_face_vertex, and of those of the edges across from these, 4 l_a l_b, with its curved sides;
 * edge: which ones of the tet's. curves: null: all is straight. (curved_face.c) */
typedef struct ew_face_integrals {
    int edge[3];
    double area, of_corner[3], of_edge[3];
} ew_face_integrals;
ew_face_integrals ew_face_integrate(const ew_mesh *mesh, const ew_curves *curves, int32_t face);

/* ---- whether the stress has a limit (singularity.c) ----------------------------- */

/* The order of the strongest singularity of an edge: with `angle` (rad, 0 to 2 pi) of isotropic
 * material between its faces. 0: the stress there has a limit. */
double ew_singular_order(ew_edge_support support, double angle, double poisson);
/* The strongest one at a vertex, of the edges there between two boundary faces or of a point force.
 * force, reaction: [n_vertex][3] of the solution. Edges of interfaces, of materials that are not
 * isotropic and of faces fixed along other directions than all or their normal are not judged.
 * O(tets of the vertex). */
void ew_singularity_at(const ew_mesh *mesh, const ew_topology *topology,
                       const ew_materials *materials, const ew_constraints *constraints,
                       const double *force, const double *reaction, int32_t vertex,
                       ew_singularity *out);

/* ---- safety (safety.c) ----------------------------------------------------------- */

/* Of the fields of a recovery. estimate: of the same, or null. O(n), O(1) without strengths. */
ew_safety ew_safety_take(const ew_mesh *mesh, const ew_materials *materials,
                         const ew_fields *fields, const ew_estimate *estimate);

EW_END_API
#endif
