/* The change of volume of mixed tets of a nonlinear body. In: displacement, pressure. Out: its
 * derivatives by both, and what it differs by from that of the pressure: terms of the energy in
 * internal_force_pressure.c. */
#include "assembly/host/internal_force.h"
#include "mixed.h"
#include "volumetric.h"

void ew_internal_force_mixed_tet(const ew_internal_force *internal_force, const ew_deformed *body,
                                 int32_t tet, double own[16])
{
    const int32_t region = body->mesh->region[tet];
    const double *lame = body->materials->lame + 2 * (size_t)region;
    const int measure = ew_internal_force_measure(body, region);
    double rest[6], slope[6], force[9], flexibility;
    ew_tet_point of;
    ew_tet_motion motion;
    ew_tet_point_read(internal_force, body, tet, &of);
    ew_tet_point_move(internal_force, &of, &motion);
    ew_take_thermal_off(internal_force, body, tet, 0, motion.strain, rest);
    const double change = ew_volume_change(measure, rest, slope);
    const double at_mean = ew_volume_at(measure, lame[0], of.pressure, &flexibility);
    ew_tet_force(internal_force->kinematics, &motion, slope, force);
    for (int c = 0; c < 3; c++) {
        own[c] = -0.25 * ((force[c] + force[3 + c]) + force[6 + c]);
    }
    for (int i = 0; i < 9; i++) {
        own[3 + i] = 0.25 * force[i];
    }
    ew_mixed_deformed_tet(motion.volume, lame[0], lame[1], flexibility, own);
    own[14] = 4.0 * of.pressure;
    own[15] = 0.25 * motion.volume * (change - at_mean);
}
