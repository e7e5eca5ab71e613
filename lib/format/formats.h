/* Private to format: the descriptors that the table lists, each at the end of its format's file.
 * Surface readers fill a zeroed surface; on failure it may be half built, the caller frees it. */
#ifndef EW_FORMAT_FORMATS_H
#define EW_FORMAT_FORMATS_H

#include "format/parts/format.h"

extern const ew_format ew_format_medit, ew_format_tetgen, ew_format_off, ew_format_obj,
    ew_format_stl, ew_format_gmsh, ew_format_inp, ew_format_vtu, ew_format_vtk, ew_format_unv,
    ew_format_bdf, ew_format_xdmf;

#endif
