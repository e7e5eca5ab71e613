/* Private to analysis: strain and stress of a linear tet, as a whole recovery has them. */
#ifndef EW_ANALYSIS_LINEAR_TET_H
#define EW_ANALYSIS_LINEAR_TET_H

#include "analysis/parts/analysis.h"

static inline void ew_linear_tet_stress(const ew_mesh *mesh, const ew_materials *materials,
                                        const double *u, int32_t t, double strain[6],
                                        double stress[6])
{
    double place[12], moved[12];
    ew_elastic law;
    ew_mesh_tet_values(mesh, t, mesh->xyz, place);
    ew_mesh_tet_values(mesh, t, u, moved);
    ew_element_strain(place, moved, strain);
    ew_elastic_of(&law, materials, mesh->region[t], t, place);
    ew_elastic_stress(&law, strain, stress);
}

#endif
