/* analysis_peers: recovery and error estimate by processes that work together. All of them call
 * with the same numbers; each computes a part of what stands by vertex and by tet, and all get the
 * whole, with the bits that one process gets. peers: borrowed; null: this process alone. */
#ifndef EW_ANALYSIS_PEERS_H
#define EW_ANALYSIS_PEERS_H

#include "analysis/parts/analysis_recovery.h"

EW_BEGIN_API

/* As ew_fields_recover. */
ew_status ew_fields_recover_together(ew_peers *peers, ew_fields *fields, const ew_mesh *mesh,
                                     const ew_topology *topology, const ew_materials *materials,
                                     const ew_constraints *constraints, int32_t n_load,
                                     const ew_load *load, const double *f, const double *u,
                                     const ew_edge_values *edges);
/* As ew_estimate_take. */
ew_status ew_estimate_take_together(ew_peers *peers, ew_estimate *estimate, const ew_mesh *mesh,
                                    const ew_topology *topology, const ew_materials *materials,
                                    const ew_fields *fields, const ew_edge_rows *rows);
/* As ew_adequacy_evaluate. */
ew_status ew_adequacy_evaluate_together(ew_peers *peers, ew_adequacy *adequacy, const ew_mesh *mesh,
                                        const ew_topology *topology, const ew_fields *fields,
                                        const ew_estimate *estimate, ew_kinematics kinematics,
                                        const double *u);

EW_END_API

#endif
