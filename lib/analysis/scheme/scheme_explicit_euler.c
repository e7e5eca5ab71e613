/* Explicit (forward) Euler, first order:
 *
 *     u_1 = u_0 + dt v_0,   v_1 = v_0 + dt a_0,   M a_1 = F_1 - C v_1 - K u_1.
 *
 * For one mode of frequency w and damping c = a + b w^2 the step has the characteristic polynomial
 * x^2 + (c dt - 2) x + 1 - c dt + w^2 dt^2. By the conditions of Jury (1964) its roots lie in the
 * unit circle where dt <= c / w^2 and 4 - 2 c dt + w^2 dt^2 >= 0. Both are tightest at the largest
 * frequency, but for dt <= 2 / a, which is the second at frequency 0. So without damping the step
 * is stable for no dt at all: oscillations grow. */
#include "analysis/scheme/scheme_type.h"

#include <math.h>

static void rule(const ew_scheme_parameters *parameters, ew_scheme_rule *out)
{
    (void)parameters;
    out->v[0] = out->d[0] = 1.0;
}

static double stable_step(const ew_scheme_parameters *parameters, double square,
                          double damping_mass, double damping_stiffness)
{
    (void)parameters;
    const double c = damping_mass + damping_stiffness * square;
    const double over = c * c - 4.0 * square; /* > 0: the mode creeps */
    double step = square > 0.0 ? c / square : INFINITY;
    step = damping_mass > 0.0 ? fmin(step, 2.0 / damping_mass) : step;
    return over > 0.0 ? fmin(step, 4.0 / (c + sqrt(over))) : step;
}

const ew_scheme ew_scheme_explicit_euler = {.name = "explicit-euler",
                                            .reference = "Hairer, Norsett & Wanner 1993, I.7",
                                            .rule = rule,
                                            .stable_step = stable_step};
