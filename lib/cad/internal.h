/* Private to cad: what edgewise-gmsh has sent, and what is made of it. */
#ifndef EW_CAD_INTERNAL_H
#define EW_CAD_INTERNAL_H

#include "cad/exchange.h"
#include "cad/parts/cad.h"

/* All that the program sends until it ends; EW_LIMIT after def->max_seconds. `sent`: owned by the
 * caller. (process.c) */
ew_status ew_cad_run(const char *path, const ew_cad_def *def, ew_text *sent);

/* Decodes a message to a mesh and its groups (ew_cad_read). The bytes may be anything. (decode.c)
 */
ew_status ew_cad_decode(const ew_text *sent, const ew_cad_def *def, ew_mesh *mesh,
                        ew_groups *groups, ew_mesh_repair *repair, ew_cad_report *report);

#endif
