/* cad: what a program needs that works on its tables itself, beside cad/cad.h. */
#ifndef EW_PARTS_CAD_H
#define EW_PARTS_CAD_H

#include "cad/cad.h"
#include "format/parts/format.h"

EW_BEGIN_API

#define EW_CAD_ALGORITHMS "hxt delaunay" /* by ew_cad_algorithm */
#define EW_CAD_SOLIDS     "joined apart" /* by ew_cad_solids */
#define EW_CAD_UNITS      "mm cm m km um in ft"

/* EW_BAD_ARGUMENT naming the first member out of its range. */
ew_status ew_cad_def_check(const ew_cad_def *def);

/* Endings of CAD files, in any case. */
#define EW_CAD_ENDINGS ".step .stp .iges .igs .brep"

EW_END_API
#endif
