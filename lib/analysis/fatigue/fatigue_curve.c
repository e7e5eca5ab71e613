/* Stress-life curves: how many cycles a material bears. In: points of a curve, what corrects it, a
 * cycle. Out: the fully reversed amplitude that it is taken for; the life. Reference: Dowling,
 * Mechanical Behavior of Materials, 4th edition 2013, 9.7. */
#include "analysis/parts/analysis.h"

#include <math.h>

ew_fatigue_curve ew_default_fatigue_curve(void)
{
    return (ew_fatigue_curve){.strength_factor = 1.0, .life_factor = 1.0};
}

static ew_status check_points(const ew_fatigue_curve *curve)
{
    if (curve->n_point < 2 || curve->n_point > EW_MAX_FATIGUE_POINTS) {
        return ew_fail(EW_BAD_ARGUMENT, "a stress-life curve has %d points; it must have 2 to %d",
                       (int)curve->n_point, EW_MAX_FATIGUE_POINTS);
    }
    for (int32_t i = 0; i < curve->n_point; i++) {
        const double *at = curve->point[i];
        if (!(at[0] >= 0.5) || !(at[1] > 0.0) || !isfinite(at[0]) || !isfinite(at[1])) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "point %d of the stress-life curve is %g cycles at %g; it must have at "
                           "least 0.5 cycles and an amplitude greater than 0",
                           (int)i + 1, at[0], at[1]);
        }
        if (i > 0 && !(at[0] > at[-2] && at[1] < at[-1])) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "point %d of the stress-life curve must have more cycles and a smaller "
                           "amplitude than the one before",
                           (int)i + 1);
        }
    }
    return EW_OK;
}

static ew_status check_strain(const ew_fatigue_curve *curve, ew_mean_stress mean_stress)
{
    const ew_strain_life *of = &curve->strain;
    if (mean_stress != EW_MEAN_NONE && mean_stress != EW_MEAN_MORROW &&
        mean_stress != EW_MEAN_SWT) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "the mean stress of a strain life is corrected by 'morrow' or 'swt'");
    }
    if (!(of->young > 0.0) || !(of->poisson >= 0.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "a strain life is of an isotropic material");
    }
    if (!(curve->strength > 0.0) || !(of->exponent < 0.0) || !(of->ductility > 0.0) ||
        !(of->ductility_exponent < 0.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "a strain life needs 'strength', 'exponent', 'ductility' "
                                        "and 'ductility_exponent'");
    }
    return of->cyclic_strength > 0.0 && of->cyclic_exponent > 0.0
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "the cyclic strength and its exponent of a strain life "
                                          "must be greater than 0");
}

ew_status ew_fatigue_curve_check(const ew_fatigue_curve *curve, ew_fatigue_method method,
                                 ew_mean_stress mean_stress)
{
    const char *missing = NULL;
    EW_TRY(check_points(curve));
    if (!(curve->strength_factor > 0.0) || !(curve->life_factor > 0.0)) {
        return ew_fail(EW_BAD_ARGUMENT, "factors of a stress-life curve must be greater than 0");
    }
    if (method == EW_STRAIN_LIFE) {
        return check_strain(curve, mean_stress);
    }
    switch (mean_stress) {
    case EW_MEAN_GOODMAN:
    case EW_MEAN_GERBER:
        missing = curve->ultimate > 0.0 ? NULL : "ultimate_strength";
        break;
    case EW_MEAN_SODERBERG:
        missing = curve->yield > 0.0 ? NULL : "yield_strength";
        break;
    case EW_MEAN_MORROW:
        missing = curve->strength > 0.0 ? NULL : "strength";
        break;
    case EW_MEAN_WALKER:
        missing = curve->walker > 0.0 ? NULL : "walker";
        break;
    default:
        break;
    }
    return missing ? ew_fail(EW_BAD_ARGUMENT, "the mean stress correction needs '%s'", missing)
                   : EW_OK;
}

double ew_fatigue_cycles(const ew_fatigue_curve *curve, double amplitude)
{
    const double stress = amplitude / curve->strength_factor;
    const double(*at)[2] = curve->point;
    int32_t k = 1;
    if (!(stress > curve->endurance_limit)) {
        return INFINITY;
    }
    while (k < curve->n_point - 1 && at[k][1] > stress) {
        k++;
    }
    const double slope = log(at[k][0] / at[k - 1][0]) / log(at[k - 1][1] / at[k][1]);
    const double cycles = at[k - 1][0] * exp(slope * log(at[k - 1][1] / stress));
    return fmax(0.5, cycles * curve->life_factor);
}

double ew_fatigue_reversed(const ew_fatigue_curve *curve, ew_mean_stress mean_stress,
                           const ew_fatigue_cycle *cycle)
{
    const double amplitude = cycle->amplitude, mean = fmax(cycle->mean, 0.0);
    const double largest = fmax(cycle->mean + amplitude, 0.0);
    double share = 0.0; /* of the strength that the mean takes */
    switch (mean_stress) {
    case EW_MEAN_GOODMAN:
        share = mean / curve->ultimate;
        break;
    case EW_MEAN_GERBER:
        share = mean / curve->ultimate * (mean / curve->ultimate);
        break;
    case EW_MEAN_SODERBERG:
        share = mean / curve->yield;
        break;
    case EW_MEAN_MORROW:
        share = mean / curve->strength;
        break;
    case EW_MEAN_SWT:
        return sqrt(largest * amplitude);
    case EW_MEAN_WALKER:
        return largest > 0.0 ? largest * pow(amplitude / largest, curve->walker) : 0.0;
    default:
        break;
    }
    return share < 1.0 ? amplitude / (1.0 - share) : INFINITY;
}

double ew_fatigue_survival(double survival, double scatter)
{
    double low = -40.0, high = 40.0; /* of z, the quantile of the normal distribution */
    for (int i = 0; i < 60; i++) {
        const double z = 0.5 * (low + high);
        const bool is_low = 0.5 * erfc(-z / sqrt(2.0)) < survival;
        low = is_low ? z : low;
        high = is_low ? high : z;
    }
    return pow(10.0, -low * scatter);
}
