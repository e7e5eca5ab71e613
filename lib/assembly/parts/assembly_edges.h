/* Part of assembly: quadratic tets, their rows on edges, products, mass, and all blocks stored. */
#ifndef EW_PARTS_ASSEMBLY_EDGES_H
#define EW_PARTS_ASSEMBLY_EDGES_H

#include "assembly/parts/assembly_sources.h"

EW_BEGIN_API

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
struct ew_edge_rows {
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
};
/* Rows in the order of edge slots; `rows` zeroed, or holding some whose memory is reused. */
ew_status ew_edge_rows_build(ew_edge_rows *rows, const ew_topology *topology,
                             const ew_order *order);
/* Follows an update of the tables (what topology->touched names), or a change of order in tets
 * whose edges are listed; null: none. On EW_NO_MEMORY they must be built again. O(touched). */
ew_status ew_edge_rows_update(ew_edge_rows *rows, const ew_topology *topology,
                              const ew_order *order, const ew_list *edge);
/* Row of an edge (-1: none) with a function, else -1; of tables whose rows nobody needs, too. */
static inline int32_t ew_edge_row(const ew_edge_rows *rows, int32_t edge)
{
    return edge >= 0 && rows->n_live ? rows->row[edge] : -1;
}
/* Whether a tet has a function of an edge. */
static inline bool ew_edge_rows_have(const ew_edge_rows *rows, const ew_topology *topology,
                                     int32_t tet)
{
    bool any = false;
    for (size_t k = 0; k < 6 && !any; k++) {
        any = rows->row[topology->tet_to_edge[6 * (size_t)tet + k]] >= 0;
    }
    return any;
}
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
/* Of a point of a rule that is exact to the fifth degree: the volume that belongs to it; l [4]:
 * where it is, by corners. */
enum { EW_CURVED_POINTS = 14 };
double ew_curved_share(int point, const double *x, const double *d, double l[4]);
/* EW_MESH_VOLUME names a tet that its curved sides fold, at the points of the stiffness and, if
 * asked, of the mass. O(n). */
ew_status ew_edge_rows_check_curves(const ew_edge_rows *rows, const ew_mesh *mesh,
                                    const ew_topology *topology, bool with_mass);

/* Springs spread over faces that have functions of edges, by the integrals of all of a face's
 * functions (foundation.c). A face has six nodes: its corners as ew_face_vertex lists them,
 * and behind them the edge opposite each corner. What the ground of the vertices has for the face
 * by itself (ew_stiffness.ground) is taken off its corners' own blocks. */
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
/* A number that changes with the rows, with what springs on faces give their blocks and with the
 * records of a tangent. */
static inline uint64_t ew_edge_state(const ew_edge_rows *rows, const ew_face_ground *ground,
                                     const ew_internal_force *internal_force)
{
    return rows->pattern.revision ^ (ground ? ground->version << 32 : 0) ^
           (internal_force ? ~internal_force->version << 16 : 0);
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
    const ew_internal_force *internal_force; /* to be set for those of a tangent, from the records
                                    of tets; what changes these must name the rows as touched. Null:
                                    of elastic tets at small displacements */
} ew_edge_blocks;
ew_edge_blocks ew_edge_blocks_of(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_materials *materials, const ew_edge_rows *rows);

/* Products with all that a quadratic tet has beyond the linear one, straight from the tets, or of a
 * nonlinear body from their records, the tangent of the vertices being the linear one. In
 * vectors [n_row of vertices + n_row of edges][3] a row of an edge stands after all vertices. What
 * it keeps is a list of the tets that have such edges, and where their values stand. */
typedef struct ew_edge_product {
    uint64_t revision, mesh_revision; /* of rows and mesh that the list is of; 0: none */
    int32_t n_vertex, n_row;          /* rows of vertices, of edges */
    bool lists_all;                   /* all tets of the mesh have such edges */
    int32_t n_part;                   /* parts, each of which writes rows of its own */
    int32_t n_peer, peer, n_thread;   /* of ew_edge_product_deal; 0: there are no processes */
    int32_t *first;                   /* [n_part + 1] owned: their groups of tets, */
    int32_t *bent;                    /* [n_part] owned: and which is the first of curved ones */
    int32_t *node; /* [groups][11][4] owned: four tets side by side: rows of corners and edges, and
                      the region. ~row: read, but written by another part; EW_NO_EDGE: none;
                      ~region of the first: some of its group are either */
    int32_t first_capacity, bent_capacity, node_capacity;
    const double *xyz, *lame, *curve; /* borrowed, as of the last preparation */
    const double *moduli;             /* likewise, of laws of any kind; null: all are isotropic */
    const ew_materials *materials;    /* borrowed */
    const ew_internal_force *internal_force; /* borrowed, as of the last preparation; or null */
    int32_t *tet; /* [groups][4] owned: which they are, where materials have axes by tet or the
                     product is from records */
    int32_t tet_capacity;
} ew_edge_product;
#define EW_NO_EDGE INT32_MIN
/* Brings the list up to date: O(n) where mesh or rows have changed, else O(1). response: whose
 * records are the product, or null. EW_STALE where the rows are not those of the mesh. */
ew_status ew_edge_product_prepare(ew_edge_product *product, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_edge_rows *rows,
                                  const ew_internal_force *internal_force);
/* The same of these tets alone, which have edges with rows, each once, and come to be in the order
 * of the list: rows all of whose tets are among them get the bits that they have in a product of
 * all. Of elastic tets. O(listed) */
ew_status ew_edge_product_prepare_some(ew_edge_product *product, const ew_mesh *mesh,
                                       const ew_topology *topology, const ew_materials *materials,
                                       const ew_edge_rows *rows, ew_list *tet);
/* The list is to be in parts for n processes of up to n_thread threads each, of which this is
 * number `peer`: to be prepared again after that. EW_LIMIT: there are more than parts can be. */
ew_status ew_edge_product_deal(ew_edge_product *product, int32_t peer, int32_t n, int32_t n_thread);
/* Parts [*begin, *end) are this process's. */
void ew_edge_product_own_parts(const ew_edge_product *product, int32_t *begin, int32_t *end);
/* Bit sets of rows of vertices and edges: those that the parts of this process write and read. */
void ew_edge_product_mark_own(const ew_edge_product *product, uint64_t *writes, uint64_t *reads);
/* As ew_edge_product_add, of these parts. */
void ew_edge_product_add_own(const ew_edge_product *product, ew_edge_part part, const double *x,
                             double *y);
/* y += the product, by all threads of a parallel region that calls it, with a barrier at the end,
 * or by one outside. Same bits for any number of threads. No aliasing. */
void ew_edge_product_add(const ew_edge_product *product, ew_edge_part part, const double *x,
                         double *y);
/* The same of several vectors side by side, [rows][3][EW_COLUMNS] at a line of the cache, with the
 * same bits in each column; for elastic tets with straight sides alone, as the first says. */
bool ew_edge_product_has_columns(const ew_edge_product *product);
void ew_edge_product_add_columns(const ew_edge_product *product, ew_edge_part part, const double *x,
                                 double *y);
/* The same of springs on faces; threads share the faces, one adds in their order. */
void ew_face_ground_add(ew_face_ground *ground, ew_edge_part part, const double *x, double *y);
size_t ew_edge_product_bytes(const ew_edge_product *product);
void ew_edge_product_free(ew_edge_product *product);

/* ---- mass of quadratic tets (edge_mass.c) -------------------------------- */

/* Mass in addition to that of the linear functions, in vectors as ew_edge_product has them. The
 * lumped one is diagonal in nodal values: its inverse is cheap. */
typedef struct ew_edge_mass {
    ew_mass of;               /* that of the linear functions, with all that both are made of */
    const ew_edge_rows *rows; /* borrowed */
    double *vertex, *edge;    /* [n_vertex], [n_row] owned: the lumped masses, whatever the kind */
    double *of_tet;           /* [n_tet] owned: rho V with sides as they are; of live tets alone */
    int32_t n_place, *place;  /* [n_place] owned: of tets with curved sides among those, -1: it is
                                 none; n_place = n_tet where rows have curves */
    int32_t n_curved;         /* places, those in the list among them that are free */
    ew_list free_place;
    double *curved; /* [n_curved][44] owned: of a consistent product 30; volumes of 14 points */
    int32_t vertex_capacity, edge_capacity, tet_capacity, place_capacity;
    int32_t curved_capacity;
    ew_set tet, touched_vertex, touched_row; /* owned: what the last update weighed */
    const ew_edge_product
        *list; /* borrowed, to be set, current: the tets, of consistent products */
} ew_edge_mass;
ew_status ew_edge_mass_build(ew_edge_mass *mass, const ew_mass *of, const ew_edge_rows *rows);
/* Follows edits of what it was built from, after the tables and the rows have: the vertices whose
 * tets are others or have moved, new ones and emptied ones among them, and the rows that were
 * touched, with the ends of the edges that lost theirs. O(listed). After a failure: to be built. */
ew_status ew_edge_mass_update(ew_edge_mass *mass, const ew_list *vertex, const ew_list *row);
/* y += factor times the product, called as ew_edge_product_add, but not by two at once. */
void ew_edge_mass_add(const ew_edge_mass *mass, ew_edge_part part, double factor, const double *x,
                      double *y);
/* The same of the parts of this process (ew_edge_product_deal of the list), where they can be had
 * alone: of consistent masses without curved sides. */
bool ew_edge_mass_has_own(const ew_edge_mass *mass);
void ew_edge_mass_add_own(const ew_edge_mass *mass, ew_edge_part part, double factor,
                          const double *x, double *y);
/* Of a row of an edge; it stands for that times the identity. */
double ew_edge_mass_diagonal(const ew_edge_mass *mass, int32_t row);
/* z = D^-1 T^-T r, nodal; then, without what is prescribed, T^-1 z: coefficients from middles. */
void ew_edge_mass_divide(const ew_edge_mass *mass, const double *r, double *z);
void ew_edge_mass_leave_means(const ew_edge_mass *mass, double *z);
void ew_edge_mass_free(ew_edge_mass *mass);

/* ---- quadratic tets with all blocks stored (quadratic_assembled.c) -------------------- */

/* For a factor. Rows: those of vertices, then those of edges, in the hierarchical functions; a pair
 * of rows wherever a tet has both. Nothing follows an edit here: each is O(n), on the host, and
 * built again when the rows of edges are others. */
ew_status ew_assembled_pattern_build(ew_pattern *pattern, const ew_mesh *mesh,
                                     const ew_topology *topology, const ew_edge_rows *rows);
typedef enum ew_assembled_kind {
    EW_ASSEMBLED_STIFFNESS,   /* 3x3; those of two vertices are `linear`, bit for bit */
    EW_ASSEMBLED_MASS,        /* scalar, consistent */
    EW_ASSEMBLED_MASS_LUMPED, /* scalar: T^T D T (edge_mass.c) */
    EW_ASSEMBLED_GEOMETRIC    /* scalar, of `stress` */
} ew_assembled_kind;
typedef struct ew_assembled {
    ew_source source;
    ew_assembled_kind kind;
    const ew_mesh *mesh; /* borrowed, as all below */
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_edge_rows *rows;
    const ew_matrix
        *linear; /* to be set for the stiffness: that of the vertices, springs and all */
    const ew_internal_force *internal_force; /* to be set for a tangent in its place; null: none */
    const double *stress; /* to be set for the geometric stiffness: [n_tet][4][6] at corners */
    const ew_face_ground *ground; /* to be set for the stiffness, or null */
    const ew_follower *follower;  /* to be set for a tangent, or null: its blocks of edges */
} ew_assembled;
ew_assembled ew_assembled_of(ew_assembled_kind kind, const ew_pattern *pattern, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_edge_rows *rows);

EW_END_API
#endif
