/* Part of analysis: strain, stress and reactions of a displacement, the estimated error, and
 * whether linear tets and a linear theory fit. */
#ifndef EW_ANALYSIS_RECOVERY_H
#define EW_ANALYSIS_RECOVERY_H

#include "analysis/analysis_loads.h"

EW_BEGIN_API

/* ---- recovery (recover.c) ---------------------------------------------- */

/* The tets around each vertex, parted where the stress jumps: between materials, and in one of them
 * where its axes are a field of the tets and jump. Read by the functions below; arrays owned.
 * (patches.c) */
typedef struct ew_patches {
    int32_t n_vertex, vertex_capacity, tet_capacity, capacity;
    int32_t *begin;      /* [n_vertex + 1]: vertex v has the patches begin[v] .. begin[v + 1] - 1 */
    int32_t *region;     /* [patches] the lowest of its tets, index into mesh->region_label */
    bool is_parted;      /* false: no vertex has more than one, and next is not read */
    uint16_t *of_corner; /* [n_tet][4] which patch of the vertex at its corner a tet is in, from 0
                          */
} ew_patches;

/* Per vertex and per tet results of a static step; arrays owned, by slot. */
typedef struct ew_fields {
    int32_t n_vertex, n_tet, vertex_capacity, tet_capacity;
    double *reaction;      /* [n_vertex][3] of all supports: K u - f along what is prescribed, the
                              force of the springs across; else 0 */
    double *edge_reaction; /* [n_row][3] the same on the functions of edges, with the springs' along
                              what is prescribed, too; of ew_fields_recover_edges */
    int32_t edge_capacity;
    double *vertex_stress;    /* [n_vertex][6] volume-weighted average over the vertex' tets; where
                                 materials meet, over those of one of them: */
    double *vertex_von_mises; /* [n_vertex] of vertex_stress; of all materials there the largest */
    ew_patches patches;       /* of one material each; n_vertex 0: all of the body is one */
    double *patch_stress;     /* [patches][6] the average over the tets of a patch */
    double *patch_von_mises;  /* [patches] of patch_stress */
    int32_t patch_capacity;
    double *strain, *stress; /* [n_tet][6]; stress = D (strain - thermal strain) */
    double *thermal_strain;  /* [n_tet] equal in all directions; 0 without a temperature load, and
                                where the material is not isotropic */
    bool thermal_in_law;     /* it was taken off by laws, and is among no loads */
    bool has_thermal_tensor; /* some material is not: */
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
 * tets, where it has such; elsewhere as in ew_fields_recover. edges: null: none.
 * (quadratic_recovery.c) */
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
    double dissipated;         /* by plastic flow in the body as it is, since it was new; of load
                                  steps the integral of the yield stress, of time steps by mean
                                  stress, as the scheme's work is */
    double max_plastic_strain; /* equivalent, and where; -1: nothing flowed */
    int32_t max_plastic_strain_tet;
    double volume, mass;     /* mass: 0 where no density is given */
    double max_displacement; /* magnitude, and where */
    int32_t max_displacement_vertex;
    double max_von_mises;     /* the larger of the next two */
    double max_tet_von_mises; /* of the tets' own stress, and where */
    int32_t max_tet_von_mises_tet;
    double max_vertex_von_mises; /* of the stress averaged at vertices, and where */
    int32_t max_vertex_von_mises_vertex;
    int32_t max_vertex_von_mises_region; /* ew_fields_vertex_region there; -1 */
    double max_principal, min_principal; /* over tets */
} ew_sums;
void ew_sums_take(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                  const ew_constraints *constraints, const ew_fields *fields, const double *f,
                  const double *u);
/* Adds to moments and to the work of forces those of the loads and the supports on edges, after
 * ew_sums_take. */
void ew_sums_add_edges(ew_sums *sums, const ew_mesh *mesh, const ew_materials *materials,
                       const ew_fields *fields, int32_t n_load, const ew_load *load,
                       const double *u, const ew_edge_values *edges);
/* EW_NOT_FINITE where a field or a sum of a step is not finite, or beyond what double precision can
 * square: 0 or 1e-140 to 1e140. u [n_vertex][3] is the displacement they were recovered from. */
ew_status ew_fields_check_range(const ew_fields *fields, const ew_sums *sums, const double *u);

/* ---- error estimate (recovered.c, error.c) ------------------------------ */

/* Stress at the vertices, for each patch around a vertex, by superconvergent patch recovery. */
typedef struct ew_recovered {
    int32_t capacity;
    ew_patches patches; /* of one region each */
    double *stress;     /* [patches][6] owned */
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

/* ---- whether linear tets and a linear theory fit (model_adequacy.c) ------------- */

/* Limits of the linear theory: a rotation (rad) and a principal strain. */
#define EW_MAX_ROTATION 0.1
#define EW_MAX_STRAIN   0.05
/* Layers of tets that bending needs. */
#define EW_MIN_LAYERS 4

typedef struct ew_fitness {
    double rotated;  /* share of the volume that turns by more than EW_MAX_ROTATION */
    double strained; /* share of the volume with a principal strain beyond +-EW_MAX_STRAIN */
    double max_rotation, max_strain; /* of any tet; a rotation where kinematics are small: the
                                        length of the axis of the skew gradient, else the angle of
                                        the tet's frame, 0 to pi */
    double bent;   /* share of the stress at the surface (area x stress^2) that changes its sign
                      through a wall of fewer than EW_MIN_LAYERS layers */
    double layers; /* of these walls, their mean weighted alike; 0 where there are none */
} ew_fitness;
/* From an estimate of these fields and the displacement u [n_vertex][3]. O(n). */
ew_status ew_fitness_take(ew_fitness *fitness, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_fields *fields, const ew_estimate *estimate,
                          ew_kinematics kinematics, const double *u);

/* Of a face: its area, and over it the integrals of the functions of its corners, in the order of
 * ew_face_vertex, and of those of the edges across from these, 4 l_a l_b, with its curved sides;
 * edge: which ones of the tet's. curves: null: all is straight. (curved_face.c) */
typedef struct ew_face_integrals {
    int edge[3];
    double area, of_corner[3], of_edge[3];
} ew_face_integrals;
ew_face_integrals ew_face_integrate(const ew_mesh *mesh, const ew_curves *curves, int32_t face);

EW_END_API
#endif
