/* corners: private to analysis. Recovery in quadratic tets. */
#ifndef EW_ANALYSIS_CORNERS_H
#define EW_ANALYSIS_CORNERS_H

#include "analysis/analysis.h"

/* What stands by tet (or by vertex) in quadratic tets and at their corners, in place of what was
 * recovered there from linear tets; arguments as of ew_fields_recover_edges. */
void ew_corners_recover(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                        int32_t n_load, const ew_load *load, const double *u,
                        const ew_edge_values *edges, bool by_vertex);

#endif
