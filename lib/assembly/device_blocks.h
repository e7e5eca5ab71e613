/* Private to lib/assembly: the two ways in which blocks come to a device. */
#ifndef EW_ASSEMBLY_DEVICE_BLOCKS_H
#define EW_ASSEMBLY_DEVICE_BLOCKS_H

#include "assembly/assembly.h"

/* Both give the blocks that the change names, all when it is null, and those of the rows from
 * matrix->n_row on, which are new. The matrix has the room and its upload is begun. */

/* Computes them there, by kernels/assemble.cl. (device_gather.c) */
ew_status ew_device_gather(ew_device_matrix *matrix, const ew_device_mesh *mesh,
                           const ew_stiffness *from, const ew_pattern_change *change);
/* Sends the host's, narrowed. (device_narrow.c) */
ew_status ew_device_narrow(ew_device_matrix *matrix, const ew_pattern *pattern,
                           const ew_matrix *host, const ew_pattern_change *change);

#endif
