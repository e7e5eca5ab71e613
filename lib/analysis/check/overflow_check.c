/* Recovered fields in, a refusal out where double precision cannot hold them: a value that is not
 * finite, or all of them so large or so small that squares and products, in lengths, von Mises
 * stresses and energies, overflow or count as zero. Numbers would be printed that mean nothing. */
#include "analysis/parts/analysis.h"

#include <math.h>

/* Squares of these are still far from the ends of double precision. */
static const double min = 1e-140;
static const double max = 1e140;

typedef struct checked_field {
    const char *name;
    const double *value;
    size_t n;
} checked_field;

static ew_status check_field(const checked_field *field)
{
    const double *value = field->value;
    const int64_t n = (int64_t)field->n;
    double largest = 0;
    int n_bad = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) reduction(+ : n_bad)
    for (int64_t i = 0; i < n; i++) {
        const double size = fabs(value[i]);
        n_bad += !(size <= max);
        largest = size > largest ? size : largest;
    }
    if (n_bad == 0 && (largest == 0 || largest >= min)) {
        return EW_OK;
    }
    return ew_fail(EW_NOT_FINITE,
                   "the largest %s is %g, outside %g to %g, where double precision can square it; "
                   "check the materials and the loads, or choose units nearer to the numbers",
                   field->name, n_bad > 0 && largest <= max ? NAN : largest, min, max);
}

ew_status ew_fields_check_range(const ew_fields *fields, const ew_sums *sums, const double *u)
{
    const size_t n_vertex = (size_t)fields->n_vertex, n_tet = (size_t)fields->n_tet;
    const checked_field list[] = {
        {"displacement", u, 3 * n_vertex},
        {"reaction", fields->reaction, 3 * n_vertex},
        {"stress", fields->stress, 6 * n_tet},
        {"stress at a vertex", fields->vertex_stress, 6 * n_vertex},
        {"strain", fields->strain, 6 * n_tet},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        EW_TRY(check_field(&list[k]));
    }
    const double energy =
        fabs(sums->strain_energy) + fabs(sums->external_work) + sums->spring_energy;
    const bool has_stress = sums->max_von_mises > 0;
    const double rest = sums->mass + sums->volume + sums->equilibrium + sums->applied_moment[0] +
                        sums->applied_moment[1] + sums->applied_moment[2] +
                        sums->reaction_moment[0] + sums->reaction_moment[1] +
                        sums->reaction_moment[2];
    if (!isfinite(energy) || !isfinite(rest) || (has_stress && energy < 1e-290)) {
        return ew_fail(EW_NOT_FINITE,
                       "a sum over the body (strain energy %g, mass %g) is outside the range of "
                       "double precision; choose units nearer to the numbers",
                       sums->strain_energy, sums->mass);
    }
    return EW_OK;
}
