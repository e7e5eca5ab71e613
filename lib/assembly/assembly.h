/* assembly: matrices from what they are the sum of. A *source* lists the contributors of every
 * block in ascending order and adds each; the matrix knows rows and pairs alone. Build, revalidate
 * and verify, on the host and on an OpenCL device.
 *
 * Canonical order: every block is the sum, from +0.0, of its contributors in ascending order,
 * computed from current data. So build and revalidation, host and device, give the same bits. A row
 * without contributors has the identity as its diagonal block; no result depends on the block of a
 * freed pair. */
#ifndef EW_ASSEMBLY_H
#define EW_ASSEMBLY_H

#include "element/element.h"
#include "matrix/matrix.h"
#include "topology/topology.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- sources ----------------------------------------------------------- */

/* What a matrix is the sum of: the first member of every source. Borrows all it points to. */
typedef struct ew_source ew_source;
struct ew_source {
    const char *name;          /* for messages: "stiffness" */
    int32_t block;             /* rows and columns of a block */
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

/* Contributors are tets, kinds are regions. */
typedef struct ew_stiffness {
    ew_source source;
    const ew_mesh *mesh;           /* borrowed */
    const ew_topology *topology;   /* borrowed */
    const ew_materials *materials; /* borrowed */
    const ew_element *element;     /* borrowed */
} ew_stiffness;
/* Of linear tets. */
ew_stiffness ew_stiffness_of(const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials);
/* The two calls above with a stiffness as their source. */
ew_status ew_stiffness_build(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                             const ew_materials *materials);
ew_status ew_stiffness_revalidate(ew_matrix *matrix, const ew_mesh *mesh,
                                  const ew_topology *topology, const ew_materials *materials,
                                  const ew_pattern_change *change);

/* ---- on a device (device_*.c) ------------------------------------------ */

/* Uploads everything and computes all blocks. `host` is needed only on a device without fp64, null
 * otherwise. EW_MIXED and EW_DOUBLE need fp64: EW_UNSUPPORTED with the remedy. */
ew_status ew_device_matrix_build(ew_device_matrix *matrix, ew_device *device,
                                 ew_precision precision, const ew_mesh *mesh,
                                 const ew_topology *topology, const ew_materials *materials,
                                 const ew_matrix *host);
/* Uploads only what the change touched (positions, tets, table rows) in packed batches scattered by
 * a kernel, and recomputes the touched blocks there. */
ew_status ew_device_matrix_revalidate(ew_device_matrix *matrix, const ew_mesh *mesh,
                                      const ew_topology *topology, const ew_materials *materials,
                                      const ew_change *change, const ew_matrix *host);

#ifdef __cplusplus
}
#endif
#endif
