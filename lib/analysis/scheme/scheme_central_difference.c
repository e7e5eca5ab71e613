/* Central differences in the form with velocities at half steps (Belytschko, Liu & Moran 2000,
 * section 6.2, equations (6.2.4) to (6.2.8)):
 *
 *     u_1 = u_0 + dt v_0 + dt^2/2 a_0
 *     M a_1 = F_1 - C d_1 - K u_1,   d_1 = v_0 + dt/2 a_0
 *     v_1 = v_0 + dt/2 (a_0 + a_1)
 *
 * Damping acts on the velocity d_1 half a step earlier, so that M alone is left to be solved with:
 * second order without damping, first order in C. Stable up to (6.2.28), 2/w (sqrt(1 + x^2) - x) at
 * the largest frequency w with the share x of critical damping: the positive root of w^2 dt^2 / 4 +
 * (a + b w^2) dt / 2 = 1, which falls with w. Conserves an energy that differs from the body's by
 * O(dt^2). */
#include "analysis/scheme/scheme_type.h"

#include <math.h>

static void rule(const ew_scheme_parameters *parameters, ew_scheme_rule *out)
{
    (void)parameters;
    ew_scheme_newmark_rule(0.0, 0.0, 0.0, 0.5, out);
    out->d[0] = 0.5;
    out->d[1] = 0.0;
}

static double stable_step(const ew_scheme_parameters *parameters, double square,
                          double damping_mass, double damping_stiffness)
{
    (void)parameters;
    const double half = 0.5 * (damping_mass + damping_stiffness * square);
    const double sum = half + sqrt(half * half + square);
    return sum > 0.0 ? 2.0 / sum : INFINITY;
}

const ew_scheme ew_scheme_central_difference = {.name = "central-difference",
                                                .reference =
                                                    "Belytschko, Liu & Moran 2000, section 6.2",
                                                .rule = rule,
                                                .stable_step = stable_step};
