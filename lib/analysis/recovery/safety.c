/* Safety against the strength of materials. In: stresses of tets, averaged at their corners on
 * their side of interfaces, and recovered at the peak. Out: the smallest ratio of strength to
 * stress: yield strength by von Mises stress (distortion energy, ductile materials), ultimate
 * strength by the larger of that and the largest principal stress in magnitude (Rankine, brittle
 * materials). */
#include "analysis/recovery/patches.h"
#include "analysis/recovery/stretches.h"

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

/* The smallest of all processes, in the order of their tets. */
static void join_parts(ew_peers *peers, ew_safety *out)
{
    enum { AT_ONCE = 16 };
    const ew_safety own = *out;
    for (int32_t begin = 0; peers && begin < peers->n; begin += AT_ONCE) {
        ew_safety all[AT_ONCE];
        memset(all, 0, sizeof all);
        if (peers->rank >= begin && peers->rank < begin + AT_ONCE) {
            all[peers->rank - begin] = own;
        }
        peers->join(peers->user, AT_ONCE * (sizeof own / sizeof(double)), (double *)all);
        for (int32_t k = 0; k < AT_ONCE && begin + k < peers->n; k++) {
            const ew_safety *part = &all[k];
            const bool is_first = begin + k == 0;
            if (is_first || part->yield < out->yield) {
                out->yield = part->yield;
                out->yield_region = part->yield_region;
            }
            if (is_first || part->ultimate < out->ultimate) {
                out->ultimate = part->ultimate;
                out->ultimate_region = part->ultimate_region;
            }
        }
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
    const ew_stretch own = ew_stretch_of_tets(fields->parts, mesh->n_tet);
    for (int32_t t = own.begin; t < own.end && any; t++) {
        if (ew_mesh_tet_is_live(mesh, t)) {
            take_tet(mesh, &materials->material[mesh->region[t]], fields, t, &out);
        }
    }
    if (any) {
        join_parts(fields->parts, &out);
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
