/* Strain life: local stress and strain where an elastic body would have another stress, and how
 * many cycles of them a material bears. In: strain-life constants, an elastic stress or a cycle.
 * Out: the stress, the strain, the life. Reference: Dowling, Mechanical Behavior of Materials, 4th
 * edition 2013, 12.5, 13.5, 14.2 and 14.3. */
#include "analysis/parts/analysis.h"

#include <math.h>

enum { MAX_STEPS = 60 }; /* of Newton's method, from a side on which it never leaves the root */

/* Of both rules s^2 + k E s (s / K)^(1 / n) = S^2: k is 1 of Neuber's, 2 / (1 + n) of Glinka's. */
double ew_notch_stress(const ew_strain_life *of, ew_notch_rule rule, double elastic)
{
    const double n = of->cyclic_exponent, strength = of->cyclic_strength;
    const double share = (rule == EW_NOTCH_GLINKA ? 2.0 / (1.0 + n) : 1.0) * of->young;
    const double square = elastic * elastic;
    double stress = fmin(elastic, strength * pow(square / (share * strength), n / (1.0 + n)));
    for (int i = 0; i < MAX_STEPS && stress > 0.0; i++) {
        const double plastic = share * stress * pow(stress / strength, 1.0 / n);
        const double slope = 2.0 * stress + plastic * (1.0 + 1.0 / n) / stress;
        const double step = (stress * stress + plastic - square) / slope;
        stress -= step;
        if (fabs(step) <= 1e-14 * stress) {
            break;
        }
    }
    return stress;
}

double ew_cyclic_strain(const ew_strain_life *of, double stress)
{
    return stress / of->young + pow(stress / of->cyclic_strength, 1.0 / of->cyclic_exponent);
}

/* The logarithm of 2 N of target = a (2 N)^b + d (2 N)^c; all but b and c are greater than 0. */
static double find_reversals(double target, double a, double b, double d, double c)
{
    double y = fmax(log(target / a) / b, log(target / d) / c);
    for (int i = 0; i < MAX_STEPS; i++) {
        const double elastic = a * exp(b * y), plastic = d * exp(c * y);
        const double step = (elastic + plastic - target) / (b * elastic + c * plastic);
        y -= step;
        if (fabs(step) <= 1e-13) {
            break;
        }
    }
    return y;
}

double ew_strain_life_cycles(const ew_fatigue_curve *curve, ew_mean_stress mean_stress,
                             const ew_fatigue_cycle *cycle)
{
    const ew_strain_life *of = &curve->strain;
    const double strength = curve->strength * curve->strength_factor;
    double target = cycle->strain, a = strength / of->young, b = of->exponent;
    double d = of->ductility, c = of->ductility_exponent;
    if (mean_stress == EW_MEAN_MORROW) {
        a -= fmax(cycle->mean, 0.0) / of->young;
    } else if (mean_stress == EW_MEAN_SWT) {
        target *= fmax(cycle->mean + cycle->amplitude, 0.0);
        a *= strength;
        d *= strength;
        c += b;
        b += b;
    }
    if (!(target > 0.0)) {
        return INFINITY;
    }
    if (!(a > 0.0)) {
        return 0.5;
    }
    const double reversals = find_reversals(target, a, b, d, c);
    if (!(curve->strength * exp(of->exponent * reversals) > curve->endurance_limit)) {
        return INFINITY;
    }
    return fmax(0.5, 0.5 * exp(reversals) * curve->life_factor);
}
