/* Recovered fields in, a refusal out where double precision cannot hold them: a value that is not
 * finite, or all of them so large or so small that squares and products, in lengths, von Mises
 * stresses and energies, overflow or count as zero. Numbers would be printed that mean nothing. */
#include "analysis/parts/analysis.h"

#include <math.h>
#include <string.h>

/* Squares of these are still far from the ends of double precision. */
static const double min = 1e-140;
static const double max = 1e140;

/* |x| as an integer: in the same order, infinity and what is no number above all others. */
static inline uint64_t magnitude(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & INT64_MAX;
}

/* Several maxima side by side, since each number would wait for the one before. */
uint64_t ew_largest_magnitude(const double *value, int64_t n)
{
    enum { LANES = 4 };
    uint64_t largest[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES) {
        for (int k = 0; k < LANES; k++) {
            const uint64_t size = magnitude(value[i + k]);
            largest[k] = size > largest[k] ? size : largest[k];
        }
    }
    for (; i < n; i++) {
        const uint64_t size = magnitude(value[i]);
        largest[0] = size > largest[0] ? size : largest[0];
    }
    for (int k = 1; k < LANES; k++) {
        largest[0] = largest[k] > largest[0] ? largest[k] : largest[0];
    }
    return largest[0];
}

static ew_status check(const char *name, uint64_t bits)
{
    double largest;
    memcpy(&largest, &bits, sizeof largest);
    if (largest == 0 || (largest >= min && largest <= max)) {
        return EW_OK;
    }
    return ew_fail(EW_NOT_FINITE,
                   "the largest %s is %g, outside %g to %g, where double precision can square it; "
                   "check the materials and the loads, or choose units nearer to the numbers",
                   name, largest, min, max);
}

ew_status ew_field_check_range(const char *name, const double *value, size_t n)
{
    enum { PART = 1 << 14 };
    const int64_t n_part = ((int64_t)n + PART - 1) / PART;
    uint64_t bits = 0;
#pragma omp parallel for schedule(static) reduction(max : bits) if (n_part > 1)
    for (int64_t k = 0; k < n_part; k++) {
        const int64_t begin = k * PART, rest = (int64_t)n - begin;
        const uint64_t found = ew_largest_magnitude(value + begin, rest < PART ? rest : PART);
        bits = found > bits ? found : bits;
    }
    return check(name, bits);
}

static ew_status check_sums(const ew_sums *sums)
{
    const double energy =
        fabs(sums->strain_energy) + fabs(sums->external_work) + sums->spring_energy;
    const bool has_stress = sums->max_von_mises > 0;
    const double rest = sums->mass + sums->volume + sums->equilibrium + sums->applied_moment[0] +
                        sums->applied_moment[1] + sums->applied_moment[2] +
                        sums->reaction_moment[0] + sums->reaction_moment[1] +
                        sums->reaction_moment[2];
    return isfinite(energy) && isfinite(rest) && !(has_stress && energy < 1e-290)
               ? EW_OK
               : ew_fail(EW_NOT_FINITE,
                         "a sum over the body (strain energy %g, mass %g) is outside the range of "
                         "double precision; choose units nearer to the numbers",
                         sums->strain_energy, sums->mass);
}

ew_status ew_partial_sums_check_range(const ew_partial_sums *partial, const ew_sums *sums)
{
    EW_TRY(check("displacement", partial->of_vertices.displacement));
    EW_TRY(check("reaction", partial->of_vertices.reaction));
    EW_TRY(check("stress", partial->of_tets.stress));
    EW_TRY(check("stress at a vertex", partial->of_vertices.stress));
    EW_TRY(check("strain", partial->of_tets.strain));
    return check_sums(sums);
}
