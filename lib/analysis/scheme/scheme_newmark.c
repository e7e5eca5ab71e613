/* Newmark's method (Newmark 1959; Hughes 1987, equations (9.1.5) to (9.1.7)):
 *
 *     u_1 = u_0 + dt v_0 + dt^2 ((1/2 - beta) a_0 + beta a_1)
 *     v_1 = v_0 + dt ((1 - gamma) a_0 + gamma a_1)
 *     M a_1 + C v_1 + K u_1 = F_1
 *
 * beta = 1/4, gamma = 1/2 is the average acceleration: second order, stable at every step, and
 * conserves energy. gamma > 1/2 damps, at first order. Stable at every step where 2 beta >= gamma,
 * else up to (9.1.16) without damping, which damping does not lower (9.1.21). */
#include "analysis/scheme/scheme_type.h"

#include <math.h>

static ew_status check(const ew_scheme_parameters *parameters)
{
    EW_TRY(ew_scheme_need("newmark", "beta", parameters->beta, 0.0, 1.0));
    return ew_scheme_need("newmark", "gamma", parameters->gamma, 0.5, 2.0);
}

static void rule(const ew_scheme_parameters *parameters, ew_scheme_rule *out)
{
    ew_scheme_newmark_rule(0.0, 0.0, parameters->beta, parameters->gamma, out);
}

static double stable_step(const ew_scheme_parameters *parameters, double square,
                          double damping_mass, double damping_stiffness)
{
    (void)damping_mass;
    (void)damping_stiffness;
    const double gap = 0.5 * parameters->gamma - parameters->beta;
    return gap > 0.0 && square > 0.0 ? 1.0 / sqrt(gap * square) : INFINITY;
}

const ew_scheme ew_scheme_newmark = {.name = "newmark",
                                     .reference = "Newmark 1959; Hughes 1987, section 9.1",
                                     .check = check,
                                     .rule = rule,
                                     .stable_step = stable_step};
