/* corners: private to analysis. Recovery in quadratic tets. */
#ifndef EW_ANALYSIS_CORNERS_H
#define EW_ANALYSIS_CORNERS_H

#include "analysis/parts/analysis.h"
#include "analysis/recovery/stretches.h"

/* Of these tets: what stands by tet in quadratic ones, in place of what was recovered there from
 * linear ones, and the stress at the corners of all; arguments as of ew_fields_recover. listed:
 * null: those of the stretch. */
void ew_corners_recover(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                        int32_t n_load, const ew_load *load, const double *u,
                        const ew_edge_values *edges, ew_stretch tets, const ew_list *listed);

/* The plain mean at a vertex of the stresses, corner [n_tet][4][6], that the quadratic tets of a
 * patch there (of all, where patches is null) have at this corner, which equals what extrapolating
 * from Gauss points gives on straight sides. False, with nothing written: there are none. */
bool ew_corners_average(const ew_mesh *mesh, const ew_topology *topology, const ew_edge_rows *rows,
                        const double *corner, int32_t vertex, const ew_patches *patches,
                        int32_t patch, double stress[6]);

/* fields->edge_reaction; arguments as of ew_fields_recover. internal: [n_row][3] what the
 * tets of a nonlinear body pull at edges with; null: that of elastic tets. listed: rows; null: all.
 */
ew_status ew_corners_react(ew_fields *fields, const ew_mesh *mesh, const ew_materials *materials,
                           int32_t n_load, const ew_load *load, const double *u,
                           const ew_edge_values *edges, const double *internal,
                           const ew_list *listed);

/* Integral over the tet of p . q, linear between corner values of six components. */
double ew_corners_integrate(const ew_corner_state *state, double p[4][6], double q[4][6]);

static inline double ew_corners_mean_change(const ew_corner_state *state)
{
    const double *change = state->change;
    return 0.25 * (change[0] + change[1] + change[2] + change[3]);
}

/* Forces of the whole strain in a curved tet on its corners and edges; false: it is straight. */
bool ew_curved_internal(const ew_mesh *mesh, const ew_materials *materials, const double *u,
                        const ew_edge_values *edges, int32_t tet, double q[12], double f[18]);

#endif
