/* assembly: matrices from what they are the sum of. A *source* lists the contributors of every
 * block in ascending order and adds each; the matrix knows rows and pairs alone. Build, revalidate
 * and verify, on the host and on an OpenCL device.
 *
 * Canonical order: every block is the sum, from +0.0, of its contributors in ascending order,
 * computed from current data. So build and revalidation, host and device, give the same bits. A row
 * without contributors has the identity as its diagonal block; no result depends on the block of a
 * freed pair.
 *
 * Longer than 500 lines because it is the one public header of all matrices, host and device. */
#ifndef EW_ASSEMBLY_H
#define EW_ASSEMBLY_H

#include "element/element.h"
#include "matrix/matrix.h"
#include "topology/topology.h"

EW_BEGIN_API

/* ---- sources ----------------------------------------------------------- */

/* What a matrix is the sum of: the first member of every source. Borrows all it points to. */
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

typedef enum ew_mass_kind {
    EW_MASS_LUMPED,    /* rho V / 4 on the diagonal, nothing else: pairs are not stored */
    EW_MASS_CONSISTENT /* rho V / 10 on the diagonal, rho V / 20 for each pair */
} ew_mass_kind;

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

/* ---- nonlinear bodies (response.c, tangent.c) --------------------------- */

/* How the tets answer a displacement: forces, energies, and a record of each tet that its blocks
 * are made of. Isotropic elastic corotational tets have a short record, all others the general one.
 */
typedef struct ew_response {
    ew_kinematics kinematics;
    ew_tangent_form form;
    int32_t n_state; /* doubles of state per tet; 0: none */
    int32_t width;   /* numbers of a record */
    int32_t n_tet, force_capacity, record_capacity, changed_capacity;
    double *force;    /* [n_tet][9] owned: on corners 1 to 3, as of the last ew_response_find */
    double *record;   /* [n_tet][width] owned: zero for tets that are holes */
    uint8_t *changed; /* [n_tet] owned, private */
} ew_response;
/* Which body, and where it is. All borrowed. */
typedef struct ew_moved {
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const double *u;       /* [n_vertex][3] */
    const double *from;    /* [n_vertex][3] or null: where the last update of Newton's method began,
                              by which records are better (kernels/corotational.h) */
    const double *state;   /* [n_tet][n_state] before the step, or null: none */
    const double *thermal; /* [n_tet][6] strain without stress, along x, y, z of the undeformed tet,
                              engineering shear; or null: none */
    double dt;             /* length of the step in time, for laws; 0: none */
    bool is_elastic;       /* records are those of a body in which nothing flows; on the host */
    const double *rate; /* [n_vertex][3] or null: what is recovered is of these displacements, small
                           ones on top of u, of an elastic body */
    uint64_t state_revision; /* of `state`, for copies of it on a device; 0: not known */
} ew_moved;
/* Zeroed before; n_state: at least that of the laws; has_thermal: whether there will be thermal
 * strain. Sets the width by these and the materials, and forgets all records where it becomes
 * another, which *forgot says. */
ew_status ew_response_prepare(ew_response *response, const ew_materials *materials, int32_t n_state,
                              bool has_thermal, bool *forgot);
/* Forces of all tets. after: [n_tet][n_state] the state after the step, or null. */
ew_status ew_response_find(ew_response *response, const ew_moved *body, double *after);
/* f [n_vertex][3] = what all tets pull at their vertices with, each sum in ascending order. */
void ew_response_gather(const ew_response *response, const ew_moved *body, double *f);
/* Records of all tets. One is replaced where a number of it changed by more than `bound` times the
 * largest of its kind in it; bound 0: where any bit did. changed: those tets, ascending; emptied
 * first. */
ew_status ew_response_record(ew_response *response, const ew_moved *body, double bound,
                             ew_list *changed);
/* Tets in the turned frame; any of them null: not asked for. strain, stress: [n_tet][6] turned to
 * x, y, z, engineering shear; energy: [n_tet]. Zero for holes. */
typedef struct ew_tet_answers {
    double *strain, *stress, *energy;
} ew_tet_answers;
void ew_response_recover(const ew_response *response, const ew_moved *body,
                         const ew_tet_answers *answers);
/* Energy stored in all tets; the same for any number of threads. */
double ew_response_energy(const ew_response *response, const ew_moved *body);
/* Work that heat does on tets whose thermal strain differs between two bodies, at the mean of their
 * stresses: what the energy grows by where nothing moves. Both have thermal strain; the states are
 * those at the end of a step, of ew_law.recover. */
double ew_response_heat_work(const ew_response *response, const ew_moved *from, const ew_moved *to);
void ew_response_free(ew_response *response);

/* The derivative of these forces as a source: contributors are tets, read from their records, then
 * springs to the ground as of a stiffness. What changes records must name the blocks of their tets
 * as touched (ew_tangent_change): no revision tells. */
typedef struct ew_tangent {
    ew_source source;
    const ew_mesh *mesh; /* borrowed, as all below */
    const ew_topology *topology;
    const ew_materials *materials; /* constants are those of the regions */
    const ew_response *response;
    const double *ground; /* as in ew_stiffness, or null */
    uint64_t ground_revision;
} ew_tangent;
ew_tangent ew_tangent_of(const ew_mesh *mesh, const ew_topology *topology,
                         const ew_materials *materials, const ew_response *response);
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

/* ---- quadratic tets (edge_rows.c, edge_blocks.c, edge_product.c) -------- */

/* Which tets are quadratic. */
typedef struct ew_order {
    bool quadratic;      /* what tets are in general */
    const double *other; /* borrowed: [n_tet], not 0: this tet is of the other order; null: none */
} ew_order;
static inline bool ew_order_is_quadratic(const ew_order *order, int32_t tet)
{
    return order->quadratic != (order->other && order->other[tet] != 0.0);
}

/* Quadratic tets in hierarchical form (kernels/quadratic.h): the four linear functions, whose
 * matrix is the linear stiffness as it stands, and on edges 4 l_a l_b, whose coefficient is how far
 * the middle of the edge is moved beyond the mean of its ends. An edge with a quadratic tet carries
 * this function, and a row for it; in its other tets, too, so that displacements stay continuous.
 * Rows are slots, freed with their edge or when its last quadratic tet becomes linear. */
typedef struct ew_edge_rows {
    ew_pattern pattern;     /* the rows, without pairs; its revision counts updates */
    uint64_t mesh_revision; /* that they are for; 0: build them again */
    int32_t n_live;
    int32_t edge_capacity;
    int32_t n_edge;      /* edge slots */
    int32_t *edge;       /* [n_row] owned: edge slot of a row, -1: hole */
    int32_t *row;        /* [n_edge] owned: row of an edge slot, -1: it has none */
    const double *curve; /* [n_row][3] borrowed: how far the middle of the edge lies beyond the
                            mean of its ends, 0 in holes; null: all sides are straight. Tets
                            around an edge where it changes are changed tets */
    ew_list hole;        /* free rows, last in first out */
    ew_pattern_change touched; /* by the last update: rows whose block must be recomputed, new ones
                                  and freed ones among them */
} ew_edge_rows;
/* Rows in the order of edge slots; `rows` zeroed, or holding some whose memory is reused. */
ew_status ew_edge_rows_build(ew_edge_rows *rows, const ew_topology *topology,
                             const ew_order *order);
/* Follows an update of the tables (what topology->touched names), or a change of order in tets
 * whose edges are listed; null: none. On EW_NO_MEMORY they must be built again. O(touched). */
ew_status ew_edge_rows_update(ew_edge_rows *rows, const ew_topology *topology,
                              const ew_order *order, const ew_list *edge);
size_t ew_edge_rows_bytes(const ew_edge_rows *rows);
void ew_edge_rows_free(ew_edge_rows *rows);

/* ---- curved sides (curves.c) */

/* d [6][3] of a tet's edges in the order of mesh.h; false: it is straight. An edge without a row is
 * straight. rows: may be null. */
bool ew_tet_curves(const ew_edge_rows *rows, const ew_topology *topology, int32_t tet,
                   double d[18]);
/* Where those who look at single tets find it. Both borrowed. */
typedef struct ew_curves {
    const ew_edge_rows *rows;
    const ew_topology *topology;
} ew_curves;
/* curves: null: all is straight. */
static inline bool ew_curves_of(const ew_curves *curves, int32_t tet, double d[18])
{
    return curves && ew_tet_curves(curves->rows, curves->topology, tet, d);
}
/* At a Gauss point, 0 to 3, a curved tet with corners x [4][3] is like the straight one with
 * corners y [4][3], of a quarter of its volume; a displacement u, c like that of its corners which
 * the same call makes of u and c (kernels/curved.h). */
void ew_curved_point(int point, const double *x, const double *d, double y[12]);
/* f [6][3] += on edges what forces [4][3] on these corners at the point are. */
void ew_curved_add_forces(int point, const double *force, double f[18]);
/* At the point, of what is linear between values at the corners. */
double ew_at_gauss_point(int point, const double corner[4]);
/* Forces of the tet on its corners and edges, of displacements u [4][3] and c [6][3]. */
void ew_curved_forces(const double *x, const double *d, const ew_elastic *law, const double *u,
                      const double *c, double q[12], double f[18]);
/* Its volume, exactly; the points above give it but for terms of the third degree. */
double ew_curved_volume(const double *x, const double *d);
/* EW_MESH_VOLUME names a tet that its curved sides fold, at the points of the stiffness and, if
 * asked, of the mass. O(n). */
ew_status ew_edge_rows_check_curves(const ew_edge_rows *rows, const ew_mesh *mesh,
                                    const ew_topology *topology, bool with_mass);

/* Springs spread over faces that have functions of edges, by the integrals of all of a face's
 * functions (face_ground.c). A face has six nodes: its corners as ew_face_vertex lists them, and
 * behind them the edge opposite each corner. What the ground of the vertices has for the face by
 * itself (ew_stiffness.ground) is taken off its corners' own blocks. */
enum { EW_FACE_NODES = 6, EW_FACE_BLOCKS = 21 };
/* Of the nodes i <= j of a face: the place of their block in the upper triangle, row by row. */
static inline int ew_face_block(int i, int j)
{
    return i * (11 - i) / 2 + j;
}
typedef struct ew_face_ground {
    uint64_t revision, mesh_revision; /* of the rows and the mesh that it is for; 0: none */
    uint64_t version;                 /* counts what was put here; other blocks, another number */
    int32_t n, face_capacity, block_capacity, force_capacity;
    int32_t *face;       /* [n] owned: codes, ascending */
    double *block;       /* [n][EW_FACE_BLOCKS][6] owned: of nodes i <= j, xx yy zz xy yz xz */
    double *force;       /* [n][EW_FACE_NODES][3] owned: work of products */
    const ew_mesh *mesh; /* borrowed, as all below */
    const ew_topology *topology;
    const ew_edge_rows *rows;
} ew_face_ground;
/* Place of a face's edge opposite a corner among the edges of its tet. */
int ew_face_edge(int face, int corner);
/* Rows of a face's nodes in vectors of vertices and edges; -1: it has none. */
void ew_face_nodes(const ew_mesh *mesh, const ew_topology *topology, const ew_edge_rows *rows,
                   int32_t face, int32_t node[EW_FACE_NODES]);
/* k [6] = what the diagonal block of an edge has of its faces, in ascending order; zero where it
 * has none. ground: may be null. */
void ew_face_ground_of_edge(const ew_face_ground *ground, const ew_topology *topology, int32_t edge,
                            double k[6]);
/* A number that changes with the rows and with what springs on faces give their blocks. */
static inline uint64_t ew_edge_state(const ew_edge_rows *rows, const ew_face_ground *ground)
{
    return rows->pattern.revision ^ (ground ? ground->version << 32 : 0);
}
/* EW_STALE unless it is for these rows; null, or without faces: it always is. */
ew_status ew_face_ground_check(const ew_face_ground *ground, const ew_edge_rows *rows);
void ew_face_ground_free(ew_face_ground *ground);

/* Source of the edges' diagonal blocks, a matrix without pairs: contributors are tets, then springs
 * on faces. */
typedef struct ew_edge_blocks {
    ew_source source;
    const ew_mesh *mesh; /* borrowed, as all below */
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows;
    const ew_face_ground *ground; /* null: none; to be set, as topology is that of the rows */
} ew_edge_blocks;
ew_edge_blocks ew_edge_blocks_of(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_materials *materials, const ew_edge_rows *rows);

/* Products with all that a quadratic tet has beyond the linear one, straight from the tets. In
 * vectors [n_row of vertices + n_row of edges][3] a row of an edge stands after all vertices. What
 * it keeps is a list of the tets that have such edges, and where their values stand. */
typedef struct ew_edge_product {
    uint64_t revision, mesh_revision; /* of rows and mesh that the list is of; 0: none */
    int32_t n_vertex, n_row;          /* rows of vertices, of edges */
    int32_t n_part;                   /* parts, each of which writes rows of its own */
    int32_t *first;                   /* [n_part + 1] owned: their groups of tets, */
    int32_t *bent;                    /* [n_part] owned: and which is the first of curved ones */
    int32_t *node; /* [groups][11][4] owned: four tets side by side: rows of corners and edges, and
                      the region. ~row: read, but written by another part; EW_NO_EDGE: none;
                      ~region of the first: some of its group are either */
    int32_t first_capacity, bent_capacity, node_capacity;
    const double *xyz, *lame, *curve; /* borrowed, as of the last preparation */
    const double *moduli;             /* likewise, of laws of any kind; null: all are isotropic */
    const ew_materials *materials;    /* borrowed */
    int32_t *tet; /* [groups][4] owned: which they are, where materials have axes by tet */
    int32_t tet_capacity;
} ew_edge_product;
#define EW_NO_EDGE INT32_MIN
/* Brings the list up to date: O(n) where mesh or rows have changed, else O(1). EW_STALE where the
 * rows are not those of the mesh. */
ew_status ew_edge_product_prepare(ew_edge_product *product, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_edge_rows *rows);
typedef enum ew_edge_part {
    EW_EDGE_ALL,       /* y += K x but for what the linear stiffness gives */
    EW_EDGE_OF_EDGES,  /* of x what stands on edges alone */
    EW_EDGE_OF_CORNERS /* of x what stands on vertices alone, and added on edges alone */
} ew_edge_part;
/* y += the product, by all threads of a parallel region that calls it, with a barrier at the end,
 * or by one outside. Same bits for any number of threads. No aliasing. */
void ew_edge_product_add(const ew_edge_product *product, ew_edge_part part, const double *x,
                         double *y);
/* The same of springs on faces; threads share the faces, one adds in their order. */
void ew_face_ground_add(ew_face_ground *ground, ew_edge_part part, const double *x, double *y);
size_t ew_edge_product_bytes(const ew_edge_product *product);
void ew_edge_product_free(ew_edge_product *product);

/* ---- mass of quadratic tets (edge_mass.c) -------------------------------- */

/* What mass has beyond that of the linear functions, in vectors as ew_edge_product has them. The
 * lumped one is diagonal in nodal values: its inverse is cheap. */
typedef struct ew_edge_mass {
    ew_mass_kind kind;
    const ew_mesh *mesh; /* borrowed, as the next three */
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows;
    double *vertex, *edge;   /* [n_vertex], [n_row] owned: the lumped masses, whatever the kind */
    double *of_tet;          /* [n_tet] owned: rho V with sides as they are; of live tets alone */
    int32_t n_place, *place; /* [n_place] owned: of tets with curved sides among those, -1: it is
                                none; n_place = n_tet where rows have curves */
    int32_t n_curved;        /* places, those in the list among them that are free */
    ew_list free_place;
    double *curved; /* [n_curved][30] owned: of a consistent product */
    int32_t vertex_capacity, edge_capacity, tet_capacity, place_capacity;
    int32_t curved_capacity;
    ew_set tet, touched_vertex, touched_row; /* owned: what the last update weighed */
    const ew_edge_product
        *list; /* borrowed, to be set, current: the tets, of consistent products */
} ew_edge_mass;
ew_status ew_edge_mass_build(ew_edge_mass *mass, ew_mass_kind kind, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_edge_rows *rows);
/* Follows edits of what it was built from, after the tables and the rows have: the vertices whose
 * tets are others or have moved, new ones and emptied ones among them, and the rows that were
 * touched, with the ends of the edges that lost theirs. O(listed). After a failure: to be built. */
ew_status ew_edge_mass_update(ew_edge_mass *mass, const ew_list *vertex, const ew_list *row);
/* y += factor times the product, called as ew_edge_product_add, but not by two at once. */
void ew_edge_mass_add(const ew_edge_mass *mass, ew_edge_part part, double factor, const double *x,
                      double *y);
/* Of a row of an edge; it stands for that times the identity. */
double ew_edge_mass_diagonal(const ew_edge_mass *mass, int32_t row);
/* z = D^-1 T^-T r, nodal; then, without what is prescribed, T^-1 z: coefficients from middles. */
void ew_edge_mass_divide(const ew_edge_mass *mass, const double *r, double *z);
void ew_edge_mass_leave_means(const ew_edge_mass *mass, double *z);
void ew_edge_mass_free(ew_edge_mass *mass);

/* ---- quadratic tets with all blocks stored (whole.c) -------------------- */

/* For a factor. Rows: those of vertices, then those of edges, in the hierarchical functions; a pair
 * of rows wherever a tet has both. Nothing follows an edit here: each is O(n), on the host, and
 * built again when the rows of edges are others. */
ew_status ew_whole_pattern_build(ew_pattern *pattern, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_edge_rows *rows);
typedef enum ew_whole_kind {
    EW_WHOLE_STIFFNESS,   /* 3x3; those of two vertices are `linear`, bit for bit */
    EW_WHOLE_MASS,        /* scalar, consistent */
    EW_WHOLE_MASS_LUMPED, /* scalar: T^T D T (edge_mass.c) */
    EW_WHOLE_GEOMETRIC    /* scalar, of `stress` */
} ew_whole_kind;
typedef struct ew_whole {
    ew_source source;
    ew_whole_kind kind;
    const ew_mesh *mesh; /* borrowed, as all below */
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows;
    const ew_matrix
        *linear;          /* to be set for the stiffness: that of the vertices, springs and all */
    const double *stress; /* to be set for the geometric stiffness: [n_tet][4][6] at corners */
    const ew_face_ground *ground; /* to be set for the stiffness, or null */
} ew_whole;
ew_whole ew_whole_of(ew_whole_kind kind, const ew_pattern *pattern, const ew_mesh *mesh,
                     const ew_topology *topology, const ew_materials *materials,
                     const ew_edge_rows *rows);

/* ---- on a device ------------------------------------------------------- */

/* A copy of the mesh and its tables on a device, with headroom: positions, tets and tables once,
 * any number of matrices beside them. Without fp64 blocks are the host's, and it is the pattern
 * alone. */
typedef struct ew_device_mesh {
    ew_device *device;         /* borrowed */
    ew_device_pattern pattern; /* its revision is the mesh's, and that of all below */
    int32_t n_tet;
    ew_buffer xyz;         /* double [n_row][3] */
    ew_buffer tet, region; /* int32 [n_tet][4], [n_tet] */
    ew_device_rows edge_to_tet, vertex_to_tet;
    ew_buffer axes;          /* double [n_tet][6] of ew_materials.axes, once they were sent: */
    uint64_t axes_revision;  /* as theirs; 0: they were not */
    ew_list axes_tet;        /* changed since */
    ew_upload upload;        /* scratch of the update, as are the lists */
    ew_list position;        /* vertices whose coordinates are new */
    ew_list row, edge;       /* vertices and edges whose table rows may be new */
    ew_list changed_tet;     /* tets added or removed */
    uint64_t uploaded_bytes; /* by the last build or update */
} ew_device_mesh;
/* Uploads everything; `copy` zeroed, or holding one whose memory is reused on the same device.
 * EW_STALE when the tables are not the mesh's. A failing upload leaves revision 0. */
ew_status ew_device_mesh_build(ew_device_mesh *copy, ew_device *device, const ew_mesh *mesh,
                               const ew_topology *topology);
/* After every commit: uploads what the change touched, in one batch; an array of which more than
 * half changed is uploaded whole. EW_STALE when the copy is not at change->from_revision or the
 * tables were not updated from the change. A failing upload leaves revision 0. */
ew_status ew_device_mesh_update(ew_device_mesh *copy, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_change *change);
/* Axes that materials have by tet, where there are: what was added since, or all where they were
 * given again. After the copy of the mesh, before what is computed with them (else EW_STALE). */
ew_status ew_device_mesh_send_axes(ew_device_mesh *copy, const ew_mesh *mesh,
                                   const ew_materials *materials);
/* EW_STALE, or EW_DEVICE_COPY naming the array: reads all back and compares. */
ew_status ew_device_mesh_check(const ew_device_mesh *copy, const ew_mesh *mesh,
                               const ew_topology *topology);
/* The tables were built again, with other slots at the same revision: the copy is to be built, too.
 */
void ew_device_mesh_forget(ew_device_mesh *copy);
size_t ew_device_mesh_bytes(const ew_device_mesh *copy);
void ew_device_mesh_free(ew_device_mesh *copy);

/* All blocks, computed on the device from its copy of the mesh; `matrix` zeroed, or holding one
 * whose memory is reused. `host`, at the same revision, is needed only on a device without fp64,
 * whose blocks it becomes; null otherwise. EW_MIXED and EW_DOUBLE need fp64: EW_UNSUPPORTED with
 * the remedy. A failure on the device leaves revision 0. */
ew_status ew_device_matrix_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                 const ew_stiffness *from, ew_precision precision,
                                 const ew_matrix *host);
/* The blocks named by the change, which may be the sum of several, each of which updated the copy
 * of the mesh. EW_STALE as of ew_matrix_revalidate, or when the copy is not at
 * change->to_revision. A failure on the device leaves revision 0. */
ew_status ew_device_matrix_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_stiffness *from, const ew_pattern_change *change,
                                      const ew_matrix *host);
/* The same of a mass: in double alone, EW_UNSUPPORTED without fp64. */
ew_status ew_device_mass_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                               const ew_mass *from);
ew_status ew_device_mass_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                    const ew_mass *from, const ew_pattern_change *change);
/* And of a combination, from a stiffness and a mass there that are current. Without fp64 the blocks
 * are those of `host`, the combination on the host, and k and m may be null. */
ew_status ew_device_combination_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_combination *from, const ew_device_matrix *k,
                                      const ew_device_matrix *m, ew_precision precision,
                                      const ew_matrix *host);
ew_status ew_device_combination_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                           const ew_combination *from, const ew_device_matrix *k,
                                           const ew_device_matrix *m,
                                           const ew_pattern_change *change, const ew_matrix *host);
/* A copy of the rows of edges on a device, beside that of the mesh. */
typedef struct ew_device_edges {
    ew_device *device;         /* borrowed */
    ew_device_pattern pattern; /* the rows alone; its revision is theirs; 0: build it */
    uint64_t mesh_revision;    /* of the mesh that they are for */
    int32_t n_tet;
    ew_buffer edge;                /* int32 [n_row] edge slot of a row, -1: hole */
    ew_buffer tet_row;             /* int32 [n_tet][6] rows of a tet's edges, -1: none */
    bool is_curved;                /* rows have curves: */
    ew_buffer curve;               /* double [n_row][3] */
    ew_buffer constants, density;  /* double, by region, for products, */
    ew_buffer force;               /* and their scratch, double or float [n_tet][10][3] */
    ew_buffer mass;                /* double [n_row], scratch of ew_device_edges_step_blocks */
    const ew_materials *materials; /* borrowed, as of the last preparation */
    uint64_t ground_version;       /* of the springs on faces there, 0: none; their */
    int32_t n_ground_tet;          /* tets: */
    ew_buffer ground_tet;          /* int32 [n_ground_tet + 1] the first face of each, */
    ew_buffer ground_face, ground; /* and as in ew_face_ground */
    ew_upload upload;              /* scratch of the update, as is the list */
    ew_list tet;                   /* whose edges may have other rows */
    uint64_t uploaded_bytes;       /* by the last build or update */
} ew_device_edges;
/* Uploads everything; `copy` zeroed, or holding one whose memory is reused. EW_STALE when rows,
 * tables and mesh do not belong together; EW_UNSUPPORTED without fp64, with the remedy. */
ew_status ew_device_edges_build(ew_device_edges *copy, ew_device *device, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_edge_rows *rows);
/* After every update of the rows, what it touched: by a commit (`change`, else null) and by another
 * order of the tets around the listed edges (or null). O(touched). EW_STALE when the copy is not
 * where the update began. */
ew_status ew_device_edges_update(ew_device_edges *copy, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_edge_rows *rows,
                                 const ew_change *change, const ew_list *edge);
/* EW_STALE, or EW_DEVICE_COPY naming the array: reads all back and compares. */
ew_status ew_device_edges_check(const ew_device_edges *copy, const ew_mesh *mesh,
                                const ew_topology *topology, const ew_edge_rows *rows);
/* The rows or the tables were built again: the copy is to be built, too. */
void ew_device_edges_forget(ew_device_edges *copy);
size_t ew_device_edges_bytes(const ew_device_edges *copy);
void ew_device_edges_free(ew_device_edges *copy);

/* Their diagonal blocks, in double, with the bits of the host's; the copies of mesh and rows are
 * current. As ew_device_matrix_build and _revalidate. */
ew_status ew_device_edge_blocks_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_device_edges *edges, const ew_edge_blocks *from);
ew_status ew_device_edge_blocks_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                           const ew_device_edges *edges, const ew_edge_blocks *from,
                                           const ew_pattern_change *change);

/* Before products: EW_STALE unless both copies are of one mesh. Sends the constants, and springs on
 * faces (null: none) where they are others than before. */
ew_status ew_device_edges_prepare(ew_device_edges *copy, const ew_device_mesh *mesh,
                                  const ew_materials *materials, const ew_face_ground *ground);
/* Of the matrix of a step: of_stiffness K + of_mass M. */
typedef struct ew_edge_terms {
    double of_stiffness, of_mass;
    ew_mass_kind mass;
} ew_edge_terms;
/* As ew_edge_product_add, of double or float vectors, each tet computed in double; of K where terms
 * is null. In rows where nothing stands yet the sum starts from zero: those of edges in
 * EW_EDGE_ALL, all of them in EW_EDGE_OF_EDGES. The same bits on every run. */
ew_status ew_device_edges_product(const ew_device_edges *copy, const ew_device_mesh *mesh,
                                  ew_edge_part part, bool single, const ew_edge_terms *terms,
                                  const ew_buffer *x, ew_buffer *y);
/* After the linear product of p in q: q = S K p and partial sums of p . q, as
 * ew_device_matrix_product_dot. */
ew_status ew_device_edges_product_dot(const ew_device_edges *copy, const ew_device_mesh *mesh,
                                      bool single, const ew_edge_terms *terms,
                                      const ew_buffer *fixed, const ew_buffer *p, ew_buffer *q,
                                      ew_buffer *partial, int32_t *n_partial);
/* The diagonal blocks of a step: of_stiffness times those of the stiffness, and mass [n_row]. */
ew_status ew_device_edges_step_blocks(ew_device_edges *copy, const ew_device_matrix *stiffness,
                                      double of_stiffness, const double *mass,
                                      ew_device_matrix *matrix);

/* Forces and records of a nonlinear body on a device with fp64, with the bits of the host's. */
typedef struct ew_device_response {
    ew_device *device;               /* borrowed */
    int32_t n_tet, width;            /* records that there are, and the numbers of one */
    uint64_t state_revision;         /* of the states there; 0: not known */
    ew_buffer law;                   /* double, by region, */
    ew_buffer u, from;               /* [n_vertex][3], */
    ew_buffer state, after, thermal; /* [n_tet][EW_MAX_LAW_STATE], the same, [n_tet][6], */
    ew_buffer force, f;              /* [n_tet][9], [n_vertex][3], */
    ew_buffer record, changed;       /* [n_tet][width]; uint8 [n_tet] */
} ew_device_response;
/* f [n_vertex][3] = what all tets pull at their vertices with; the copy of the mesh is current.
 * `response` as prepared on the host. keep_state: the state after is kept there, to be read by the
 * second. EW_UNSUPPORTED: a law that is not of the table. */
ew_status ew_device_response_find(ew_device_response *there, const ew_device_mesh *mesh,
                                  ew_response *response, const ew_moved *body, bool keep_state,
                                  double *f);
ew_status ew_device_response_after(const ew_device_response *there, double *after);
/* As ew_response_record; the records stay there. */
ew_status ew_device_response_record(ew_device_response *there, const ew_device_mesh *mesh,
                                    ew_response *response, const ew_moved *body, double bound,
                                    ew_list *changed);
/* The records into those of the host. */
ew_status ew_device_response_download(const ew_device_response *there, ew_response *response);
void ew_device_response_free(ew_device_response *there);
/* The tangent of these records, as ew_device_matrix_build and _revalidate. */
ew_status ew_device_tangent_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                  const ew_tangent *from, const ew_device_response *there,
                                  ew_precision precision, const ew_matrix *host);
ew_status ew_device_tangent_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                       const ew_tangent *from, const ew_device_response *there,
                                       const ew_pattern_change *change, const ew_matrix *host);

/* Compares with a matrix built beside it from the same copy of the mesh: the oracle, without a
 * second upload. Outputs as of ew_matrix_compare. EW_UNSUPPORTED without fp64. What the copy holds
 * is ew_device_mesh_check's business. */
ew_status ew_device_matrix_verify(const ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                  const ew_stiffness *from, int64_t *n_different, double *largest);

EW_END_API
#endif
