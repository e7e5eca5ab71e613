/* Private to lib/assembly: what build and revalidation on a device share. */
#ifndef EW_ASSEMBLY_DEVICE_BLOCKS_H
#define EW_ASSEMBLY_DEVICE_BLOCKS_H

#include "assembly/assembly.h"

/* Sizes the buffers for the mesh and its tables, contents kept. */
ew_status ew_device_matrix_reserve(ew_device_matrix *matrix, const ew_mesh *mesh,
                                   const ew_topology *topology, const ew_materials *materials);
/* Writes to a buffer that has the room, and counts the bytes. */
ew_status ew_device_matrix_upload(ew_device_matrix *matrix, ew_buffer *buffer, size_t bytes,
                                  const void *data);
ew_status ew_device_matrix_upload_positions(ew_device_matrix *matrix, const ew_mesh *mesh);
/* Everything that says who neighbours whom: tets, regions, edges, tables. */
ew_status ew_device_matrix_upload_tables(ew_device_matrix *matrix, const ew_mesh *mesh,
                                         const ew_topology *topology);
/* All single-precision blocks and row sums, from the host's. */
ew_status ew_device_matrix_upload_blocks(ew_device_matrix *matrix, const ew_matrix *host,
                                         const ew_pattern *pattern);

/* Notes what the blocks were computed from. */
void ew_device_matrix_seal(ew_device_matrix *matrix, const ew_mesh *mesh,
                           const ew_materials *materials);

/* Runs the kernel that takes changes in, on none. Devices translate a kernel when it first runs,
 * which would otherwise be in the first revalidation's time. */
ew_status ew_device_matrix_warm_up(ew_device_matrix *matrix);

/* Blocks to compute, and the row sums of the same rows: n ids in the staging buffer from word
 * `first` on, or all. */
typedef struct ew_block_list {
    bool all;
    int32_t n;
    uint32_t first;
} ew_block_list;
ew_status ew_device_matrix_compute(ew_device_matrix *matrix, const ew_block_list *edges,
                                   const ew_block_list *vertices);

/* EW_STALE or EW_BAD_ARGUMENT unless tables, materials and, without fp64, the host's blocks fit the
 * mesh. */
ew_status ew_device_matrix_check_source(const ew_device_matrix *matrix, const ew_mesh *mesh,
                                        const ew_topology *topology, const ew_materials *materials,
                                        const ew_matrix *host);

#endif
