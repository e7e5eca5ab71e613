/* Recovered fields in, a refusal out where double precision cannot hold them: a value that is not
 * finite, or all of them so large or so small that squares and products, in lengths, von Mises
 * stresses and energies, overflow or count as zero. Numbers would be printed that mean nothing. */
#include "analysis/parts/analysis.h"
#include "base/clones.h"

#include <math.h>
#include <string.h>

/* Squares of these are still far from the ends of double precision. */
static const double min = 1e-140;
static const double max = 1e140;

/* Several maxima side by side, since each number would wait for the one before. |x| as an integer
 * is in the same order, infinity and what is no number above all others. */
EW_CLONES_AVX2 static uint64_t find_largest(const double *value, int64_t n)
{
    enum { LANES = 16 };
    int64_t largest[LANES] = {0}, bits[LANES];
    for (int64_t i = 0; i < n; i += LANES) {
        const int64_t rest = n - i < LANES ? n - i : LANES;
        if (rest < LANES) {
            memset(bits, 0, sizeof bits);
        }
        memcpy(bits, value + i, (size_t)rest * sizeof *bits);
        for (int k = 0; k < LANES; k++) {
            const int64_t size = bits[k] & INT64_MAX;
            largest[k] = size > largest[k] ? size : largest[k];
        }
    }
    for (int k = 1; k < LANES; k++) {
        largest[0] = largest[k] > largest[0] ? largest[k] : largest[0];
    }
    return (uint64_t)largest[0];
}

uint64_t ew_largest_magnitude(const double *value, int64_t n)
{
    return find_largest(value, n);
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
