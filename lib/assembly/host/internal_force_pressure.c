/* Mixed tets of a nonlinear body: displacement and pressure, both linear in a tet. In:
 * displacement, pressure. Out: what the pressure adds to stress, tangent and energy of a tet, and
 * the derivatives of its change of volume. The law of volume: kernels/volumetric.h.
 *
 * With the mean m of p in a tet and W_0 the energy of its law for lambda = 0, the energy of a body
 * is the stationary value over all p of
 *
 *     sum of V (W_0(E) + m theta(E) - Y(m)) - 1/2 (1 / lambda + 1 / mu) integral of (p - m)^2:
 *
 * for small strains the form of mixed.c, the stabilization of Dohrmann & Bochev 2004 included. The
 * curvature of Y counts where p is constant in a tet; what p varies by within one has that of p =
 * 0.
 */
#include "assembly/host/internal_force.h"
#include "volumetric.h"

double ew_internal_force_mean_pressure(const ew_deformed *body, int32_t t)
{
    const int32_t *v = body->mesh->tet + 4 * (size_t)t;
    const double *p = body->pressure;
    return 0.25 * ((p[v[0]] + p[v[1]]) + (p[v[2]] + p[v[3]]));
}

double ew_internal_force_add_pressure(const ew_deformed *body, int32_t region, double pressure,
                                      const double *strain, double *stress, double *tangent)
{
    double slope[6];
    const int measure = ew_internal_force_measure(body, region);
    const double change = ew_volume_change(measure, strain, slope);
    for (int i = 0; i < 6; i++) {
        stress[i] += pressure * slope[i];
    }
    if (tangent) {
        ew_volume_add_curvature(measure, strain, pressure, tangent);
    }
    return change;
}

double ew_internal_force_pressure_energy(const ew_deformed *body, int32_t t, double volume,
                                         double change)
{
    const int32_t region = body->mesh->region[t], *v = body->mesh->tet + 4 * (size_t)t;
    const double *lame = body->materials->lame + 2 * (size_t)region;
    const double mean = ew_internal_force_mean_pressure(body, t);
    double squares = 0.0;
    for (int k = 0; k < 4; k++) {
        const double part = body->pressure[v[k]] - mean;
        squares += part * part;
    }
    const double point =
        mean * change -
        ew_volume_complement(ew_internal_force_measure(body, region), lame[0], mean);
    return volume * (point - squares / 40.0 * (1.0 / lame[0] + 1.0 / lame[1]));
}
