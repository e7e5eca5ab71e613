/* Part of assembly: copies of meshes and tables on a device, and matrices computed there. */
#ifndef EW_PARTS_ASSEMBLY_DEVICE_H
#define EW_PARTS_ASSEMBLY_DEVICE_H

#include "assembly/parts/assembly_edges.h"
#include "assembly/parts/assembly_follower.h"

EW_BEGIN_API

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
    const struct ew_device_internal_force *records; /* likewise; null: not a tangent */
    uint64_t ground_version;       /* of the springs on faces there, 0: none; their */
    int32_t n_ground_tet;          /* tets: */
    ew_buffer ground_tet;          /* int32 [n_ground_tet + 1] the first face of each, */
    ew_buffer ground_face, ground; /* and as in ew_face_ground */
    uint64_t turn_version;         /* the same of pressure that turns with faces: */
    int32_t n_turned_tet;
    ew_buffer turned_tet, turned_place; /* int32 the first place of each, [n] faces by tets, */
    ew_buffer turned_face, turned_node, turn; /* and as in ew_follower */
    ew_upload upload;                         /* scratch of the update, as is the list */
    ew_list tet;                              /* whose edges may have other rows */
    uint64_t uploaded_bytes;                  /* by the last build or update */
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
void ew_device_edges_free(ew_device_edges *copy);

/* Their diagonal blocks, in double, with the bits of the host's; the copies of mesh and rows are
 * current. there: the records of a tangent, null: `from` has none. As ew_device_matrix_build and
 * _revalidate. */
typedef struct ew_device_internal_force ew_device_internal_force;
ew_status ew_device_edge_blocks_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                      const ew_device_edges *edges, const ew_edge_blocks *from,
                                      const ew_device_internal_force *there);
ew_status ew_device_edge_blocks_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                           const ew_device_edges *edges, const ew_edge_blocks *from,
                                           const ew_device_internal_force *there,
                                           const ew_pattern_change *change);

/* Before products: EW_STALE unless both copies are of one mesh. Sends the constants, and springs on
 * faces and pressure that turns with them (null: none) where they are others than before. Products
 * are those of a tangent where there are `records`. */
ew_status ew_device_edges_prepare(ew_device_edges *copy, const ew_device_mesh *mesh,
                                  const ew_materials *materials, const ew_face_ground *ground,
                                  const ew_device_internal_force *records,
                                  const ew_follower *follower);
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
struct ew_device_internal_force {
    ew_device *device;               /* borrowed */
    int32_t n_tet, n_point, width;   /* records of tets, of their points, and numbers of one */
    uint64_t state_revision;         /* of the states there; 0: not known */
    ew_buffer law;                   /* double, by region, */
    ew_buffer u, from;               /* [all rows][3], */
    ew_buffer state, after, thermal; /* by points [EW_MAX_LAW_STATE], the same, [6], */
    ew_buffer force, f;              /* as in ew_internal_force; [all rows][3], */
    ew_buffer record, changed;       /* by points [width]; uint8 [n_tet] */
};
/* f [all rows][3] = what all tets pull at vertices and edges with; the copies of the mesh and of
 * the rows of edges (null: all tets are linear) are current. `internal_force` as prepared on the
 * host. keep_state: the state after is kept there, to be read by the second. EW_UNSUPPORTED: a law
 * that is not of the table. */
ew_status ew_device_internal_force_find(ew_device_internal_force *there, const ew_device_mesh *mesh,
                                        const ew_device_edges *edges,
                                        ew_internal_force *internal_force, const ew_deformed *body,
                                        bool keep_state, double *f);
ew_status ew_device_internal_force_after(const ew_device_internal_force *there, double *after);
/* As ew_internal_force_record; the records stay there. */
ew_status ew_device_internal_force_record(ew_device_internal_force *there,
                                          const ew_device_mesh *mesh, const ew_device_edges *edges,
                                          ew_internal_force *internal_force,
                                          const ew_deformed *body, double bound, ew_list *changed);
/* Records that the host has found, of the body as it is, to the device. O(n). */
ew_status ew_device_internal_force_send(ew_device_internal_force *there, const ew_device_mesh *mesh,
                                        const ew_internal_force *internal_force,
                                        const ew_deformed *body);
/* The records into those of the host. */
ew_status ew_device_internal_force_download(const ew_device_internal_force *there,
                                            ew_internal_force *internal_force);
void ew_device_internal_force_free(ew_device_internal_force *there);
/* The tangent of these records, as ew_device_matrix_build and _revalidate. */
ew_status ew_device_tangent_build(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                  const ew_tangent *from, const ew_device_internal_force *there,
                                  ew_precision precision, const ew_matrix *host);
ew_status ew_device_tangent_revalidate(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                       const ew_tangent *from,
                                       const ew_device_internal_force *there,
                                       const ew_pattern_change *change, const ew_matrix *host);

/* Compares with a matrix built beside it from the same copy of the mesh: the oracle, without a
 * second upload. Outputs as of ew_matrix_compare. EW_UNSUPPORTED without fp64. What the copy holds
 * is ew_device_mesh_check's business. */
ew_status ew_device_matrix_verify(const ew_device_matrix *matrix, const ew_device_mesh *mesh,
                                  const ew_stiffness *from, int64_t *n_different, double *largest);

EW_END_API
#endif
