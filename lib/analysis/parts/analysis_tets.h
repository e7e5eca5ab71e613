/* analysis: what a program needs that works on its tables itself, beside analysis/analysis_tets.h.
 */
#ifndef EW_PARTS_ANALYSIS_TETS_H
#define EW_PARTS_ANALYSIS_TETS_H

#include "analysis/analysis_tets.h"
#include "assembly/parts/assembly.h"
#include "solver/parts/solver.h"

EW_BEGIN_API

/* The law of a live tet. */
static inline ew_elastic ew_elastic_of_tet(const ew_materials *materials, const ew_mesh *mesh,
                                           int32_t tet)
{
    ew_elastic law;
    double x[12] = {0.0};
    if (materials->material[mesh->region[tet]].kind != EW_ISOTROPIC) { /* else x is not read */
        ew_mesh_tet_values(mesh, tet, mesh->xyz, x);
    }
    ew_elastic_of(&law, materials, mesh->region[tet], tet, x);
    return law;
}

/* ---- products from tets (tet_operator.c, tet_operator_device.c) ---------- */

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
/* y = the product, of one on the host without a matrix (diagonal: null). O(n) */
ew_status ew_tet_operator_multiply(ew_tet_operator *op, const double *x, double *y);
size_t ew_tet_operator_bytes(const ew_tet_operator *op);
void ew_tet_operator_free(ew_tet_operator *op);

/* ---- quadratic tets in a solve (quadratic_operator.c) -------------------- */

/* The rows of edges behind those of vertices, as an operator's `edges`: products from the tets,
 * diagonal blocks from a matrix. Borrows all but its list; what it borrows may change between
 * solves. Must not move while an operator uses it. */
typedef struct ew_quadratic_operator {
    ew_edge_operator edges;
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows;
    const ew_matrix *diagonal; /* of ew_edge_blocks; null on a device */
    const ew_internal_force
        *internal_force;     /* to be set for a tangent, whose records are the product and
                    made the blocks; null: elastic, small displacements */
    ew_face_ground *ground;  /* springs on faces, to be set; null: none */
    ew_follower *follower;   /* likewise pressure that turns with faces */
    bool stored_is_of_tets;  /* to be set: the stored matrix is the stiffness of the tets and
                                nothing else. Where all are quadratic it is not read then */
    ew_edge_product product; /* owned, */
    ew_edge_product *list;   /* and read: that, or of a step that of the stiffness */
    ew_edge_product near;    /* owned: of few tets, and what lists them */
    ew_set near_tet, near_row;
    const ew_edge_mass *mass; /* of the matrix of a step, else null: terms.of_stiffness K +
                                 terms.of_mass M, */
    ew_edge_terms terms;
    const double *blocks; /* borrowed: its [n_row][3][3] diagonal blocks on the host, */
    double *scaled;       /* and owned: [n_vertex + n_row][3] work */
    int32_t scaled_capacity;
    ew_device_edges *device_edges; /* copies on a device, or null */
    const ew_device_mesh *device_mesh;
    const ew_device_internal_force *device_records; /* to be set there with internal_force */
} ew_quadratic_operator;
void ew_quadratic_operator_init(ew_quadratic_operator *op, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_materials *materials,
                                const ew_edge_rows *rows, const ew_matrix *diagonal);
/* The same for ew_operator_on_device, with copies of mesh and rows there. */
void ew_quadratic_operator_init_on_device(ew_quadratic_operator *op, const ew_mesh *mesh,
                                          const ew_topology *topology,
                                          const ew_materials *materials, const ew_edge_rows *rows,
                                          const ew_device_mesh *device_mesh,
                                          ew_device_edges *device_edges,
                                          const ew_device_matrix *diagonal);
/* Zeroed or set before: the same with a mass, for the matrix of a step, of which blocks or, on a
 * device, diagonal are the diagonal blocks. Borrows what the other does, and its list. */
ew_status ew_quadratic_operator_set_step(ew_quadratic_operator *op,
                                         const ew_quadratic_operator *stiffness,
                                         const ew_edge_mass *mass, const ew_edge_terms *terms,
                                         const double *blocks, const ew_device_matrix *diagonal);
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
/* The same of a nonlinear body as it is deformed, about its displacement and pressure, without the
 * numbers of a step: B of the derivative of the change of volume, C of that of the compliance. */
ew_status ew_mixed_prepare_deformed(ew_mixed *mixed, const ew_internal_force *internal_force,
                                    const ew_deformed *body);
/* What is prepared becomes that for these numbers: before it is a saddle point's. */
void ew_mixed_scale_step(ew_mixed *mixed, double of_k, double of_m);
/* ew_saddle.add_product; user: an ew_mixed. Same bits for any number of threads. */
void ew_mixed_add_product(void *user, const double *x, const double *p, double *y, double *q);
/* The same on a device with fp64, with the host's bits in `tet` and `scale`: ew_saddle's
 * device_add_product. EW_STALE unless the copy is one of the mesh as it is. (mixed_device.c) */
ew_status ew_mixed_prepare_on_device(ew_mixed *mixed, const ew_mesh *mesh,
                                     const ew_materials *materials, const ew_device_mesh *there,
                                     double of_k, double of_m);
/* To a device with fp64 what the host has prepared for a step, in place of that: what the product
 * and device_scale read then. */
ew_status ew_mixed_send(ew_mixed *mixed, const ew_device_mesh *there);
ew_status ew_mixed_add_product_on_device(void *user, const ew_buffer *v, ew_buffer *out);
void ew_mixed_free_on_device(ew_mixed *mixed);
/* p [n_vertex] = C^-1 (B x + q), to rounding, x or q null for 0: the volumetric stress that goes
 * with a displacement. On the host. O(n) times the root of lambda / mu. (mixed_pressure.c) */
ew_status ew_mixed_find_pressure(ew_mixed *mixed, const double *x, const double *q, double *p);
/* p, which is body->pressure, becomes the pressure of a nonlinear body at its displacement, where
 * the energy of internal_force_pressure.c is stationary: by Newton's method from 0, so that no
 * history changes a bit. EW_NOT_FINITE, and p is 0, where a tet is turned inside out. It prepares.
 */
ew_status ew_mixed_find_deformed_pressure(ew_mixed *mixed, const ew_internal_force *internal_force,
                                          const ew_deformed *body, double *p);
/* q [n_vertex] = B x; y += B^T p, and q -= C p, null for none */
void ew_mixed_find_divergence(ew_mixed *mixed, const double *x, double *q);
void ew_mixed_add_pressure(ew_mixed *mixed, const double *p, double *y, double *q);
/* q [n_vertex] = integral of 3 thermal times the functions of p, from the thermal strain [n_tet] of
 * live tets, equal in all directions: B x - C p where nothing but heat acts. O(n). */
void ew_mixed_find_expansion(const ew_mesh *mesh, const ew_topology *topology,
                             const double *thermal, double *q);
void ew_mixed_free(ew_mixed *mixed);

EW_END_API
#endif
