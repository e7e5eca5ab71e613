/* assembly: what a program needs that works on its tables itself, beside
 * assembly/assembly_sources.h. */
#ifndef EW_PARTS_ASSEMBLY_SOURCES_H
#define EW_PARTS_ASSEMBLY_SOURCES_H

#include "assembly/assembly_sources.h"
#include "element/parts/element.h"
#include "matrix/parts/matrix.h"
#include "topology/parts/topology.h"

EW_BEGIN_API

/* ---- sources ----------------------------------------------------------- */

/* The contributors of a matrix: the first member of every source. Pointers are borrowed. */
typedef struct ew_source ew_source;
struct ew_source {
    const char *name;          /* for messages: "stiffness" */
    int32_t block;             /* rows and columns of a block */
    bool diagonal_only;        /* the blocks of pairs are not stored */
    const ew_pattern *pattern; /* its revision is that of the contributors */
    /* EW_OK when the data behind the source belongs together, else EW_STALE or EW_BAD_ARGUMENT. */
    ew_status (*check)(const ew_source *source);
    /* Revision of the constants of the first n kinds of contributors; *n < 0 asks for all and is
     * set. Null: there are none. */
    uint64_t (*constants)(const ew_source *source, int32_t *n);
    /* Computes the blocks that the change names, all when it is null. The matrix has the room; new
     * rows are not started yet. */
    ew_status (*compute)(const ew_source *source, ew_matrix *matrix,
                         const ew_pattern_change *change);
};

/* All blocks; `matrix` zeroed, or holding one whose memory is reused. */
ew_status ew_matrix_build(ew_matrix *matrix, const ew_source *source);
/* Room for all blocks, of which none is there; and those that the change names, whatever its
 * revisions: for who knows which ones are there. */
ew_status ew_matrix_begin(ew_matrix *matrix, const ew_source *source);
ew_status ew_matrix_compute(ew_matrix *matrix, const ew_source *source,
                            const ew_pattern_change *change);
/* The blocks named by the change; grows with headroom. EW_STALE when the matrix is not at
 * change->from_revision, the source not at its to_revision, or constants that are in the blocks
 * have changed. O(touched). */
ew_status ew_matrix_revalidate(ew_matrix *matrix, const ew_source *source,
                               const ew_pattern_change *change);
/* Compares with a matrix built from the source: the oracle. Outputs as of ew_matrix_compare;
 * *seconds that the build took, or null. */
ew_status ew_matrix_verify(const ew_matrix *matrix, const ew_source *source, int64_t *n_different,
                           double *largest);

/* ---- stiffness (stiffness.c) ------------------------------------------- */

/* Contributors are tets, kinds are regions; then springs to the ground, if any. diagonal_only may
 * be set, for preconditioners of products from tets. */
typedef struct ew_stiffness {
    ew_source source;
    const ew_mesh *mesh;           /* borrowed */
    const ew_topology *topology;   /* borrowed */
    const ew_materials *materials; /* borrowed */
    const ew_element *element;     /* borrowed */
    const double *ground; /* borrowed: [n_row][6] xx yy zz xy yz xz, force per length, added to the
                             diagonal block of every row with tets after all of them; null: none.
                             Rows where it is another than before count as touched rows of the
                             change that a revalidation is given */
    uint64_t ground_revision; /* of the mesh that `ground` was gathered on; another than the mesh's
                                 is EW_STALE. Not looked at without a ground */
} ew_stiffness;
/* Of linear tets by the laws of the materials, without a ground. */
ew_stiffness ew_stiffness_of(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials);
/* The two calls above with a stiffness as their source. */
ew_status ew_stiffness_build(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials);
ew_status ew_stiffness_revalidate(ew_matrix *matrix, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_pattern_change *change);

/* ---- mass (mass.c) ----------------------------------------------------- */

/* Scalar blocks: m_ab stands for m_ab times the identity, at a ninth of the memory. Contributors
 * are tets, kinds are regions, constants their densities. A tet without density has no mass; a row
 * without tets has 1. */
typedef struct ew_mass {
    ew_source source;              /* diagonal_only may be set for a consistent mass, too */
    const ew_mesh *mesh;           /* borrowed */
    const ew_topology *topology;   /* borrowed */
    const ew_materials *materials; /* borrowed */
    ew_mass_kind kind;
} ew_mass;
ew_mass ew_mass_of(const ew_mesh *mesh, const ew_topology *topology, const ew_materials *materials,
                   ew_mass_kind kind);
/* The mass of a live tet with straight sides. */
double ew_mass_of_tet(const ew_mass *mass, int32_t tet);
/* The sum over the tets of a row of a table, ascending; of_tet [n_tet]: their masses, where they
 * are known, or null. */
double ew_mass_of_tets(const ew_mass *mass, const double *of_tet, const ew_rows *tets,
                       int32_t slot);

/* ---- geometric stiffness (geometric.c) ---------------------------------- */

/* Of a stress that is there before: V g_a . sigma g_b for each tet, scalar blocks as a mass has
 * them, which stand for that times the identity. Contributors are tets. On the host. */
typedef struct ew_geometric {
    ew_source source;
    const ew_mesh *mesh;           /* borrowed */
    const ew_topology *topology;   /* borrowed */
    const ew_materials *materials; /* borrowed: only their number is looked at */
    const double *stress; /* borrowed: [n_tet][6] of tets as they are; what changes it touches all
                             blocks, and no revision tells */
} ew_geometric;
ew_geometric ew_geometric_of(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials, const double *stress);

/* ---- nonlinear bodies (internal_force.c, tangent.c) --------------------------- */

/* Points of a quadratic tet, its Gauss points (kernels/curved.h). */
#define EW_QUADRATIC_POINTS 4
typedef struct ew_edge_rows ew_edge_rows;
typedef struct ew_follower ew_follower; /* assembly_follower.h */

/* How the tets answer a displacement: forces, energies, and a record of each point of a tet that
 * its blocks are made of. A linear tet has one point; where some tets are quadratic all have four.
 * Isotropic elastic corotational tets have a short record, all others the general one. */
typedef struct ew_internal_force {
    ew_kinematics kinematics;
    ew_tangent_form form;
    int32_t n_point; /* of a tet: 1 or EW_QUADRATIC_POINTS */
    int32_t n_state; /* doubles of state per point; 0: none */
    int32_t width;   /* numbers of the record of a point */
    int32_t n_tet, force_capacity, record_capacity, changed_capacity;
    double *force;    /* owned: of a linear tet [9], on corners 1 to 3, of a quadratic one [30], on
                         corners and then on edges; as of the last ew_internal_force_find */
    double *record;   /* [n_tet][n_point][width] owned: zero for tets that are holes */
    uint8_t *changed; /* [n_tet] owned, private */
    uint64_t version; /* counts changes of records */
} ew_internal_force;
/* Which body, and where it is. All borrowed. Vectors are [n_vertex][3], with rows of edges behind
 * the vertices where there are `rows`. */
typedef struct ew_deformed {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows; /* of a body with quadratic tets; null: all are linear */
    const double *u;
    const double *from;     /* or null: where the last update of Newton's method began, by which
                               records are better (kernels/corotational.h) */
    const double *state;    /* [n_tet][n_point][n_state] before the step, or null: none */
    const double *thermal;  /* [n_tet][n_point][6] strain without stress, along x, y, z of the
                               undeformed tet, engineering shear; or null: none */
    const double *pressure; /* [n_vertex] of mixed tets, or null: they are not; on the host. With
                               `rate` what goes with that */
    double dt;              /* length of the step in time, for laws; 0: none */
    bool is_elastic;        /* records are those of a body in which nothing flows; on the host */
    bool is_unstressed; /* and those of the material alone, as it is strained and turned, without
                           what stress adds; on the host */
    const double *rate; /* or null: what is recovered is of these displacements, small ones on top
                           of u, of an elastic body */
    uint64_t state_revision; /* of `state`, for copies of it on a device; 0: not known */
} ew_deformed;
/* Zeroed before; n_point: as above; n_state: at least that of the laws; has_thermal: whether there
 * will be thermal strain. Sets the width by these and the materials, and forgets all records where
 * it or n_point becomes another, which *forgot says. */
ew_status ew_internal_force_prepare(ew_internal_force *internal_force,
                                    const ew_materials *materials, int32_t n_point, int32_t n_state,
                                    bool has_thermal, bool *forgot);
/* Forces of all tets. after: [n_tet][n_point][n_state] the state after the step, or null. */
ew_status ew_internal_force_find(ew_internal_force *internal_force, const ew_deformed *body,
                                 double *after);
/* f [all rows][3] = what all tets pull at vertices and edges with, each sum in ascending order. */
void ew_internal_force_gather(const ew_internal_force *internal_force, const ew_deformed *body,
                              double *f);
/* Records of all tets. One is replaced where a number of it changed by more than `bound` times the
 * largest of its kind in it; bound 0: where any bit did. changed: those tets, ascending; emptied
 * first. */
ew_status ew_internal_force_record(ew_internal_force *internal_force, const ew_deformed *body,
                                   double bound, ew_list *changed);
/* Tets in the turned frame; any of them null: not asked for. strain, stress: [n_tet][6] turned to
 * x, y, z, engineering shear, means over the points of a tet; energy: [n_tet]; corner_stress:
 * [n_tet][4][6] of quadratic bodies, linear between the corners through those of the points. Zero
 * for holes. */
typedef struct ew_tet_answers {
    double *strain, *stress, *energy, *corner_stress;
} ew_tet_answers;
void ew_internal_force_recover(const ew_internal_force *internal_force, const ew_deformed *body,
                               const ew_tet_answers *answers);
/* Of a live mixed tet at u and the pressure (internal_force_mixed.c): own [16] as of ew_mixed_tet,
 * with the derivative of its change of volume in place of the divergence; behind that the sum of
 * the pressures of its corners, and V / 4 times the change of volume less that of the mean
 * pressure. */
void ew_internal_force_mixed_tet(const ew_internal_force *internal_force, const ew_deformed *body,
                                 int32_t tet, double own[16]);
/* The same stress of one live tet, of a body of linear tets. */
void ew_internal_force_stress(const ew_internal_force *internal_force, const ew_deformed *body,
                              int32_t tet, double stress[6]);
/* A live tet at one of its points: its motion, with the volume that belongs to the point; and that
 * volume alone. */
void ew_internal_force_motion(const ew_internal_force *internal_force, const ew_deformed *body,
                              int32_t tet, int32_t point, ew_tet_motion *motion);
double ew_internal_force_volume(const ew_internal_force *internal_force, const ew_deformed *body,
                                int32_t tet, int32_t point);
/* Energy stored in all tets; the same for any number of threads. */
double ew_internal_force_energy(const ew_internal_force *internal_force, const ew_deformed *body);
/* Work that heat does on tets whose thermal strain differs between two bodies, at the mean of their
 * stresses: what the energy grows by where nothing moves. Both have thermal strain; the states are
 * those at the end of a step, of ew_law.recover. */
double ew_internal_force_thermal_work(const ew_internal_force *internal_force,
                                      const ew_deformed *from, const ew_deformed *to);
void ew_internal_force_free(ew_internal_force *internal_force);

/* The derivative of these forces as a source: contributors are tets, read from their records, then
 * springs to the ground as of a stiffness. What changes records must name the blocks of their tets
 * as touched (ew_tangent_change): no revision tells. */
typedef struct ew_tangent {
    ew_source source;
    const ew_mesh *mesh; /* borrowed, as all below */
    const ew_topology *topology;
    const ew_materials *materials; /* constants are those of the regions */
    const ew_internal_force *internal_force;
    const double *ground; /* as in ew_stiffness, or null */
    uint64_t ground_revision;
    const ew_follower *follower; /* pressure whose load stiffness is added to the blocks of pairs
                                    behind all tets; null: none. Its pairs count as touched
                                    wherever it is another than before */
} ew_tangent;
ew_tangent ew_tangent_of(const ew_mesh *mesh, const ew_topology *topology,
                         const ew_materials *materials, const ew_internal_force *internal_force);
/* The change that touches all blocks of the tets, which ascend: the pattern stays. Tets that are
 * holes are passed over. */
ew_status ew_tangent_change(const ew_mesh *mesh, const ew_topology *topology, const ew_list *tet,
                            ew_pattern_change *change);

/* ---- combinations (combination.c) --------------------------------------- */

/* A = c_K K + c_M M of a stiffness and a mass on one pattern, entry by entry from their blocks,
 * which are current: the matrix of a time step. K's ground is part of it; a row without tets has
 * the identity. Where K is stored as its diagonal alone so is A. Revalidated after K and M, by the
 * same change. Constants: those of both, and the coefficients. */
typedef struct ew_combination {
    ew_source source;
    const ew_source
        *stiffness;         /* borrowed: what the blocks are made of: a stiffness or a tangent */
    const ew_mass *mass;    /* borrowed */
    const ew_matrix *k, *m; /* borrowed: and the blocks; null: on a device alone */
    double of_stiffness, of_mass; /* c_K, c_M */
} ew_combination;
ew_combination ew_combination_of(const ew_source *stiffness, const ew_matrix *k,
                                 double of_stiffness, const ew_mass *mass, const ew_matrix *m,
                                 double of_mass);

EW_END_API
#endif
