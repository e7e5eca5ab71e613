/* The table of time-integration schemes. In: a kind and its parameters. Out: the coefficients of
 * its step. The schemes themselves are in scheme_*.c. */
#include "analysis/scheme/scheme_type.h"

#include <math.h>

static const ew_scheme *const schemes[EW_SCHEME_COUNT] = {
    [EW_IMPLICIT_EULER] = &ew_scheme_implicit_euler,
    [EW_NEWMARK] = &ew_scheme_newmark,
    [EW_HHT] = &ew_scheme_hht,
    [EW_GENERALIZED_ALPHA] = &ew_scheme_generalized_alpha,
    [EW_EXPLICIT_EULER] = &ew_scheme_explicit_euler,
    [EW_CENTRAL_DIFFERENCE] = &ew_scheme_central_difference,
};

const ew_scheme *ew_scheme_of(ew_scheme_kind kind)
{
    return (unsigned)kind < EW_SCHEME_COUNT ? schemes[kind] : NULL;
}

ew_scheme_parameters ew_default_scheme_parameters(void)
{
    return (
        ew_scheme_parameters){.beta = 0.25, .gamma = 0.5, .alpha = -0.05, .spectral_radius = 0.8};
}

ew_status ew_scheme_check(ew_scheme_kind kind, const ew_scheme_parameters *parameters)
{
    const ew_scheme *scheme = ew_scheme_of(kind);
    if (!scheme) {
        return ew_fail(EW_BAD_ARGUMENT, "dynamics: there is no scheme %d", (int)kind);
    }
    return scheme->check ? scheme->check(parameters) : EW_OK;
}

void ew_scheme_rule_of(ew_scheme_kind kind, const ew_scheme_parameters *parameters,
                       ew_scheme_rule *rule)
{
    *rule = (ew_scheme_rule){0};
    schemes[kind]->rule(parameters, rule);
}

double ew_scheme_stable_step(ew_scheme_kind kind, const ew_scheme_parameters *parameters,
                             double square, double damping_mass, double damping_stiffness)
{
    return schemes[kind]->stable_step
               ? schemes[kind]->stable_step(parameters, square, damping_mass, damping_stiffness)
               : INFINITY;
}

/* Put into M a_m + C d_f + K u_f = F_f, the updates leave a_1 alone unknown, with this matrix. */
void ew_scheme_step_matrix(const ew_scheme_rule *rule, double step, double damping_mass,
                           double damping_stiffness, double *of_mass, double *of_stiffness)
{
    const double damping = (1.0 - rule->alpha_f) * step * rule->d[1];
    *of_mass = 1.0 - rule->alpha_m + damping * damping_mass;
    *of_stiffness = (1.0 - rule->alpha_f) * step * step * rule->u[1] + damping * damping_stiffness;
}
