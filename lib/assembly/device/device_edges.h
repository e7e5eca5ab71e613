/* Private to lib/assembly: what the copies of rows of edges and their products share. */
#ifndef EW_ASSEMBLY_DEVICE_EDGES_H
#define EW_ASSEMBLY_DEVICE_EDGES_H

#include "assembly/device/device_blocks.h"

/* Constants by region as the kernels of quadratic.cl take them, and their bytes. */
const double *ew_edge_constants_of(const ew_materials *materials, size_t *bytes);
/* A kernel of quadratic.cl for these materials and sides; records: null: not of a tangent. */
ew_status ew_edge_kernel(const ew_device_edges *edges, const char *function, bool single,
                         const ew_materials *materials, bool with_mass,
                         const ew_device_internal_force *records, ew_kernel **kernel);

/* y [n] = what y is in rows [keep, keep_end), 0 in others, and the forces [n_tet][10][3] of tets,
 * in rows from `first` on. */
ew_status ew_edge_gather(const ew_device_edges *copy, const ew_device_mesh *mesh, int32_t first,
                         int32_t keep, int32_t keep_end, bool single, const ew_buffer *force,
                         ew_buffer *y);

/* ---- the tangent (device_tangent.c) ---------------------------------------------- */

/* EW_STALE unless the records there are those of the mesh. */
ew_status ew_need_device_records(const ew_device_internal_force *there,
                                 const ew_internal_force *internal_force, const ew_mesh *mesh);
/* Blocks of the listed rows of edges, from the records. */
ew_status ew_compute_tangent_edges(const ew_device_internal_force *there,
                                   const ew_device_mesh *mesh, const ew_device_edges *edges,
                                   ew_device_matrix *matrix, const ew_block_list *list);

/* ---- pressure that turns with faces (device_follower.c) --------------------------- */

/* Its load stiffness, where it is another than before; follower: null: none. */
ew_status ew_send_turned_faces(ew_device_edges *copy, const ew_follower *follower);
/* Adds factor times the product with it to the forces of tets. */
ew_status ew_add_turned_faces(const ew_device_edges *copy, ew_edge_part part, bool single,
                              double factor, const ew_buffer *x);

/* ---- springs on faces (device_foundation.c) ------------------------------------- */

/* Their copy, where they are others than before; ground: null: none. */
ew_status ew_send_face_ground(ew_device_edges *copy, const ew_face_ground *ground);
/* Adds factor times what they give to the forces of their tets. */
ew_status ew_add_face_forces(const ew_device_edges *copy, const ew_device_mesh *mesh,
                             ew_edge_part part, bool single, double factor, const ew_buffer *x);
/* As ew_put_ground, for blocks of edges; change: null: all. */
ew_status ew_put_face_ground(ew_upload *upload, const ew_edge_blocks *from,
                             const ew_pattern_change *change, ew_block_list *list);

#endif
