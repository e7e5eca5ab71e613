/* Time-integration schemes, private to analysis: the descriptors of the table in schemes.c. */
#ifndef EW_ANALYSIS_SCHEME_TYPE_H
#define EW_ANALYSIS_SCHEME_TYPE_H

#include "analysis/parts/analysis.h"

extern const ew_scheme ew_scheme_implicit_euler, ew_scheme_newmark, ew_scheme_hht,
    ew_scheme_generalized_alpha, ew_scheme_explicit_euler, ew_scheme_central_difference;

/* EW_BAD_ARGUMENT where a parameter leaves its range. */
ew_status ew_scheme_need(const char *scheme, const char *parameter, double value, double low,
                         double high);
/* The rule of Newmark's updates with weights of the last step (Chung & Hulbert 1993, (2)-(7)). */
void ew_scheme_newmark_rule(double alpha_m, double alpha_f, double beta, double gamma,
                            ew_scheme_rule *rule);

#endif
