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

#include "assembly/assembly_sources.h"

#endif
