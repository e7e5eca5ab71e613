/* analysis, private: recovered stress, by vertex and region. */
#ifndef EW_ANALYSIS_PATCHES_H
#define EW_ANALYSIS_PATCHES_H

#include "analysis/analysis.h"

/* The stress of every patch from the stress [n_tet][6] of the tets. Memory is reused. O(n). */
ew_status ew_recovered_take(ew_recovered *out, const ew_mesh *mesh, const ew_topology *topology,
                            const double *stress);
/* [6] at a vertex of a tet of the region (index). */
const double *ew_recovered_at(const ew_recovered *out, int32_t vertex, int32_t region);
void ew_recovered_free(ew_recovered *out);

#endif
