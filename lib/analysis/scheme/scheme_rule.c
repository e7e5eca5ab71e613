/* Common functions of time-integration schemes: Newmark's updates, and the check of a parameter. */
#include "analysis/scheme/scheme_type.h"

ew_status ew_scheme_need(const char *scheme, const char *parameter, double value, double low,
                         double high)
{
    return value >= low && value <= high
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "%s: %s is %g, must be from %g to %g", scheme, parameter,
                         value, low, high);
}

void ew_scheme_newmark_rule(double alpha_m, double alpha_f, double beta, double gamma,
                            ew_scheme_rule *rule)
{
    *rule = (ew_scheme_rule){.alpha_m = alpha_m,
                             .alpha_f = alpha_f,
                             .u = {0.5 - beta, beta},
                             .v = {1.0 - gamma, gamma},
                             .d = {1.0 - gamma, gamma}};
}
