/* corners: private to analysis. Recovery in quadratic tets. */
#ifndef EW_ANALYSIS_CORNERS_H
#define EW_ANALYSIS_CORNERS_H

#include "analysis/analysis.h"

/* What stands by tet (or by vertex) in quadratic tets and at their corners, in place of what was
 * recovered there from linear tets; arguments as of ew_fields_recover_edges. */
void ew_corners_recover(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                        int32_t n_load, const ew_load *load, const double *u,
                        const ew_edge_values *edges, bool by_vertex);

/* fields->edge_reaction; arguments as of ew_fields_recover_edges. */
ew_status ew_corners_react(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                           int32_t n_load, const ew_load *load, const double *u,
                           const ew_edge_values *edges);

/* Forces of the whole strain in a curved tet on its corners and edges; false: it is straight. */
bool ew_curved_internal(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                        const ew_edge_values *edges, int32_t tet, double q[12], double f[18]);

#endif
