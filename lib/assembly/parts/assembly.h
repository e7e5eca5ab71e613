/* assembly: what a program needs that works on its tables itself, beside assembly/assembly.h. */
#ifndef EW_PARTS_ASSEMBLY_H
#define EW_PARTS_ASSEMBLY_H

#include "assembly/assembly.h"
#include "assembly/parts/assembly_device.h"
#include "assembly/parts/assembly_edges.h"
#include "assembly/parts/assembly_follower.h"
#include "assembly/parts/assembly_sources.h"

#endif
