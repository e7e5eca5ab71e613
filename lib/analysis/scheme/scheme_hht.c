/* The alpha method (Hilber, Hughes & Taylor 1977; Hughes 1987, equations (9.3.1) to (9.3.3)):
 * Newmark's updates with beta = (1 - alpha)^2 / 4 and gamma = 1/2 - alpha, and
 *
 *     M a_1 + (1 + alpha) (C v_1 + K u_1 - F_1) - alpha (C v_0 + K u_0 - F_0) = 0,
 *
 * loads being weighted as the other forces are. Second order, stable at every step for alpha from
 * -1/3 to 0; the lower, the more it damps what the step does not resolve. alpha = 0 is the average
 * acceleration. In Chung & Hulbert's form: alpha_m = 0, alpha_f = -alpha. */
#include "analysis/scheme/scheme_type.h"

static ew_status check(const ew_scheme_parameters *parameters)
{
    return ew_scheme_need("hht", "alpha", parameters->alpha, -1.0 / 3.0, 0.0);
}

static void rule(const ew_scheme_parameters *parameters, ew_scheme_rule *out)
{
    const double alpha = parameters->alpha;
    ew_scheme_newmark_rule(0.0, -alpha, 0.25 * (1.0 - alpha) * (1.0 - alpha), 0.5 - alpha, out);
}

const ew_scheme ew_scheme_hht = {
    .name = "hht", .reference = "Hilber, Hughes & Taylor 1977", .check = check, .rule = rule};
