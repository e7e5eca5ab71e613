/* The generalized-alpha method (Chung & Hulbert 1993): Newmark's updates (2), (3), and equilibrium
 * (4) between the steps,
 *
 *     M a_m + C v_f + K u_f = F_f,   x_m = (1 - alpha_m) x_1 + alpha_m x_0, alike x_f,
 *
 * with beta = (1 - alpha_m + alpha_f)^2 / 4 (20), gamma = 1/2 - alpha_m + alpha_f (17), and (25)
 * alpha_m = (2 r - 1) / (r + 1), alpha_f = r / (r + 1) for the spectral radius r at infinite
 * frequency. Loads are weighted as the other forces are, where the paper takes them at the time
 * between. Second order, stable at every step; of those that damp high frequencies by r it damps
 * low ones the least. r = 1 conserves energy, r = 0 annihilates what the step does not resolve. */
#include "analysis/scheme/scheme_type.h"

static ew_status check(const ew_scheme_parameters *parameters)
{
    return ew_scheme_need("generalized-alpha", "spectral_radius", parameters->spectral_radius, 0.0,
                          1.0);
}

static void rule(const ew_scheme_parameters *parameters, ew_scheme_rule *out)
{
    const double r = parameters->spectral_radius;
    const double alpha_m = (2.0 * r - 1.0) / (r + 1.0), alpha_f = r / (r + 1.0);
    const double shift = 1.0 - alpha_m + alpha_f;
    ew_scheme_newmark_rule(alpha_m, alpha_f, 0.25 * shift * shift, shift - 0.5, out);
}

const ew_scheme ew_scheme_generalized_alpha = {
    .name = "generalized-alpha", .reference = "Chung & Hulbert 1993", .check = check, .rule = rule};
