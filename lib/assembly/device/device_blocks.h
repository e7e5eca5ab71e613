/* Private to lib/assembly: how blocks come to a device. */
#ifndef EW_ASSEMBLY_DEVICE_BLOCKS_H
#define EW_ASSEMBLY_DEVICE_BLOCKS_H

#include "assembly/parts/assembly.h"

/* A source whose blocks are computed on a device: the first member of every kind. All borrowed. */
typedef struct ew_device_source ew_device_source;
struct ew_device_source {
    const ew_source *source;
    const ew_device_mesh *mesh;
    const ew_device_pattern *pattern; /* the rows and pairs of the matrix; null: the mesh's */
    const ew_matrix *host; /* the same blocks on the host, where there is no fp64; or null */
    /* As a source's check; null: that of the source. */
    ew_status (*check)(const ew_device_source *from);
    /* Computes there the blocks that the change names, all when it is null, and those of the rows
     * from matrix->n_row on, which are new. The matrix has the room and its upload is begun. */
    ew_status (*compute)(const ew_device_source *from, ew_device_matrix *matrix,
                         const ew_pattern_change *change);
};
/* As ew_device_matrix_build and _revalidate. (device_assembly.c) */
ew_status ew_device_source_build(ew_device_matrix *matrix, const ew_device_source *from,
                                 ew_precision precision);
ew_status ew_device_source_revalidate(ew_device_matrix *matrix, const ew_device_source *from,
                                      const ew_pattern_change *change);

/* Sends the host's, narrowed, in place of `compute`. (device_narrow.c) */
ew_status ew_device_narrow(ew_device_matrix *matrix, const ew_pattern *pattern,
                           const ew_matrix *host, const ew_pattern_change *change);

/* Stiffness, by kernels/assemble.cl. (device_gather.c) */
typedef struct ew_device_stiffness {
    ew_device_source as;
    const ew_stiffness *from;
} ew_device_stiffness;
ew_device_stiffness ew_device_stiffness_of(const ew_stiffness *from, const ew_device_mesh *mesh,
                                           const ew_matrix *host);

/* EW_STALE unless the axes of materials that have them by tet are there. (device_mesh.c) */
ew_status ew_need_device_axes(const ew_device_mesh *copy, const ew_materials *materials);

/* ---- blocks to compute, of all kinds (device_lists.c) -------------------- */

#define EW_ASSEMBLY_GROUP 64 /* items of a launch's groups */

/* n ids in the staging buffer from word `first` on, or slots 0 to n - 1. */
typedef struct ew_block_list {
    int32_t n, listed;
    uint32_t first;
} ew_block_list;
/* Put into the matrix' upload. Null change: all. */
ew_status ew_put_pairs(ew_device_matrix *matrix, const ew_pattern_change *change, int32_t n_pair,
                       ew_block_list *pairs);
/* The touched rows, and those from matrix->n_row on, which are new: without contributors they are
 * the identity. */
ew_status ew_put_rows(ew_device_matrix *matrix, const ew_pattern_change *change, int32_t n_row,
                      ew_block_list *rows);
/* The single-precision row sums, after the blocks. */
ew_status ew_compute_row_sums(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                              const ew_block_list *rows);

/* ---- pressure that turns with faces (device_follower.c) ------------------------- */

/* Load stiffness of the pairs whose blocks are computed, put into an upload; follower: null: none;
 * change: null: all pairs. */
ew_status ew_put_follower(ew_upload *upload, const ew_follower *follower,
                          const ew_pattern_change *change, ew_block_list *list);
/* Adds it, after the blocks. */
ew_status ew_compute_follower(ew_device_matrix *matrix, const ew_block_list *list);

/* ---- springs to the ground (device_foundation.c) ------------------------------- */

/* Of the rows whose diagonal blocks are computed, put into an upload; ground: null: none. */
ew_status ew_put_ground(ew_upload *upload, const double *ground, const ew_topology *topology,
                        const ew_pattern_change *change, bool all, ew_block_list *list);
/* Adds them, after the blocks. */
ew_status ew_compute_ground(ew_device_matrix *matrix, const ew_block_list *list);

#endif
