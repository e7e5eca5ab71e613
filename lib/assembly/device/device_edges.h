/* Private to lib/assembly: what the copies of rows of edges and their products share. */
#ifndef EW_ASSEMBLY_DEVICE_EDGES_H
#define EW_ASSEMBLY_DEVICE_EDGES_H

#include "assembly/device/device_blocks.h"

/* Constants by region as the kernels of quadratic.cl take them, and their bytes. */
const double *ew_edge_constants_of(const ew_materials *materials, size_t *bytes);
/* A kernel of quadratic.cl for these materials and sides. */
ew_status ew_edge_kernel(const ew_device_edges *edges, const char *function, bool single,
                         const ew_materials *materials, bool with_mass, ew_kernel **kernel);

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
