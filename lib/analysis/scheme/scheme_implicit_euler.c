/* Implicit Euler, first order, damps whatever the step does not resolve:
 *
 *     v_1 = v_0 + dt a_1,   u_1 = u_0 + dt v_1,   M a_1 + C v_1 + K u_1 = F_1,
 *
 * which is (M + dt C + dt^2 K) v_1 = M v_0 + dt (F_1 - K u_0). Baraff & Witkin (1998), equation
 * (16), for a linear force. Stable at every step, and never gains energy: with F = 0 the energy
 * falls by 1/2 |u_1 - u_0|_K^2 + 1/2 |v_1 - v_0|_M^2 + dt |v_1|_C^2. */
#include "analysis/scheme/scheme_type.h"

static void rule(const ew_scheme_parameters *parameters, ew_scheme_rule *out)
{
    (void)parameters;
    out->u[1] = out->v[1] = out->d[1] = 1.0;
}

const ew_scheme ew_scheme_implicit_euler = {
    .name = "implicit-euler", .reference = "Baraff & Witkin 1998, equation (16)", .rule = rule};
