/* Private to lib/assembly: what the copies of rows of edges and their products share. */
#ifndef EW_ASSEMBLY_DEVICE_EDGES_H
#define EW_ASSEMBLY_DEVICE_EDGES_H

#include "assembly/device_blocks.h"

/* Constants by region as the kernels of quadratic.cl take them, and their bytes. */
const double *ew_edge_constants_of(const ew_materials *materials, size_t *bytes);
/* A kernel of quadratic.cl for these materials and sides. */
ew_status ew_edge_kernel(const ew_device_edges *edges, const char *function, bool single,
                         const ew_materials *materials, bool with_mass, ew_kernel **kernel);

#endif
