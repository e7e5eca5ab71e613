/* Stress of tets alone, for callers that read nothing else. In: mesh, materials and the solved
 * displacement u. Out: stress and von Mises stress of each tet, with the bits of a whole recovery. */
#include "analysis/recovery/linear_tet.h"

#include <string.h>

/* The capacity counts room in all arrays of tets, and grows with them in a whole recovery. */
static ew_status make_room(ew_fields *fields, int32_t n_tet)
{
    int32_t grown = fields->tet_capacity;
    EW_TRY(ew_grow(&fields->stress, &grown, n_tet, 6 * sizeof *fields->stress));
    grown = fields->tet_capacity;
    return ew_grow(&fields->von_mises, &grown, n_tet, sizeof *fields->von_mises);
}

ew_status ew_fields_recover_stress(ew_fields *fields, const ew_mesh *mesh,
                                   const ew_materials *materials, const double *u)
{
    EW_TRY(make_room(fields, mesh->n_tet));
    fields->n_tet = mesh->n_tet;
#pragma omp parallel for schedule(static)
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double strain[6], stress[6] = {0.0};
        if (ew_mesh_tet_is_live(mesh, t)) {
            ew_linear_tet_stress(mesh, materials, u, t, strain, stress);
        }
        memcpy(fields->stress + 6 * (size_t)t, stress, sizeof stress);
        fields->von_mises[t] = ew_von_mises(stress);
    }
    return EW_OK;
}
