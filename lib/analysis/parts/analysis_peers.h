/* analysis_peers: recovery and error estimate by processes that work together. All of them call
 * with the same numbers; each computes a part of what stands by vertex and by tet, with the bits
 * that one process gets. All get all numbers and what stands by vertex; what stands by tet stays in
 * parts (ew_fields.parts) until ew_fields_complete. peers: borrowed; null: this process alone. */
#ifndef EW_ANALYSIS_PEERS_H
#define EW_ANALYSIS_PEERS_H

#include "analysis/parts/analysis_recovery.h"

EW_BEGIN_API

/* As ew_fields_recover; in parts where there are several. */
ew_status ew_fields_recover_together(ew_peers *peers, ew_fields *fields, const ew_mesh *mesh,
                                     const ew_topology *topology, const ew_materials *materials,
                                     const ew_constraints *constraints, int32_t n_load,
                                     const ew_load *load, const double *f, const double *u,
                                     const ew_edge_values *edges);
/* By all processes that have parts: what stands by tet is whole in all of them; with_corners: the
 * body has quadratic tets. Nothing to do where all is here. */
ew_status ew_fields_complete(ew_fields *fields, bool with_corners);
/* The tets [0] to [1] - 1 that a process has of fields in parts; all where all is here. */
void ew_fields_part(const ew_fields *fields, int32_t process, int32_t tet[2]);
/* By all processes that have parts: of value [n_tet][width] of these fields, or by tet of an
 * estimate of them, what one has, into part [its tets][width] of process 0; null in the others. */
ew_status ew_fields_bring_part(const ew_fields *fields, int32_t process, int32_t width,
                               const double *value, double *part);
/* von_mises [n] of the listed tets; of fields in parts by all processes that have some. */
ew_status ew_fields_tets_von_mises(const ew_fields *fields, const ew_list *tet, double *von_mises);
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
