/* Safety against the strength of materials. In: stresses of tets, averaged at their corners on
 * their side of interfaces, and recovered at the peak. Out: the smallest ratio of strength to
 * stress: yield strength by von Mises stress (distortion energy, ductile materials), ultimate
 * strength by the larger of that and the largest principal stress in magnitude (Rankine, brittle
 * materials). */
#include "analysis/recovery/patches.h"

#include <math.h>

static void take(double strength, double stress, int32_t region, double *safety, int32_t *of)
{
    if (strength > 0.0 && stress > 0.0 && strength / stress < *safety) {
        *safety = strength / stress;
        *of = region;
    }
}

static double largest_magnitude(const double principal[3])
{
    return fmax(fabs(principal[0]), fabs(principal[2]));
}

static void take_tet(const ew_mesh *mesh, const ew_material *material, const ew_fields *fields,
                     int32_t t, ew_safety *out)
{
    const int32_t region = mesh->region[t];
    const double yield = material->yield_strength, ultimate = material->ultimate_strength;
    const double *principal = fields->principal + 3 * (size_t)t;
    take(yield, fields->von_mises[t], region, &out->yield, &out->yield_region);
    take(ultimate, fmax(fields->von_mises[t], largest_magnitude(principal)), region, &out->ultimate,
         &out->ultimate_region);
    for (int k = 0; k < 4; k++) {
        const double mises = ew_fields_corner_von_mises(fields, mesh, t, k);
        double at_corner[3] = {0.0};
        take(yield, mises, region, &out->yield, &out->yield_region);
        if (ultimate > 0.0) {
            ew_principal(ew_fields_corner_stress(fields, mesh, t, k), at_corner);
        }
        take(ultimate, fmax(mises, largest_magnitude(at_corner)), region, &out->ultimate,
             &out->ultimate_region);
    }
}

ew_safety ew_safety_take(const ew_mesh *mesh, const ew_materials *materials,
                         const ew_fields *fields, const ew_estimate *estimate)
{
    ew_safety out = {
        .yield = INFINITY, .ultimate = INFINITY, .yield_region = -1, .ultimate_region = -1};
    bool any = false;
    for (int32_t r = 0; r < materials->n; r++) {
        const ew_material *material = &materials->material[r];
        any = any || material->yield_strength > 0.0 || material->ultimate_strength > 0.0;
    }
    for (int32_t t = 0; t < mesh->n_tet && any; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            take_tet(mesh, &materials->material[mesh->region[t]], fields, t, &out);
        }
    }
    if (any && estimate && estimate->peak_tet >= 0) {
        const int32_t region = mesh->region[estimate->peak_tet];
        const ew_material *material = &materials->material[region];
        take(material->yield_strength, estimate->peak_recovered, region, &out.yield,
             &out.yield_region);
        take(material->ultimate_strength, estimate->peak_recovered, region, &out.ultimate,
             &out.ultimate_region);
    }
    return out;
}
