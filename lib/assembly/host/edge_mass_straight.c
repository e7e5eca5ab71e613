/* Products with the consistent mass of quadratic tets with straight sides. In: the list of tets
 * that products with the stiffness have, densities. Out: y += M x but for the linear functions'
 * own. Parts write rows of their own, each the sum of its tets in the order of the list. */
#include "assembly/host/edge_mass_lanes.h"

#include "assembly/host/edge_mass.h"

static void add_groups(const ew_edge_mass *mass, ew_edge_part part, double factor, int32_t k,
                       const double *x, double *y)
{
    const int32_t end = mass->list->bent[k];
    int32_t begin = mass->list->first[k];
#ifdef EW_HAS_AVX2
    if (__builtin_cpu_supports("avx512f")) {
        begin = ew_edge_mass_groups_avx512(mass, part, factor, begin, end, x, y);
    }
    if (__builtin_cpu_supports("avx2")) {
        ew_edge_mass_groups_avx2(mass, part, factor, begin, end, x, y);
        return;
    }
#endif
    ew_edge_mass_groups_any(mass, part, factor, begin, end, x, y);
}

static void add_parts(const ew_edge_mass *mass, ew_edge_part part, double factor, int32_t begin,
                      int32_t end, const double *x, double *y)
{
#pragma omp for schedule(static, 1)
    for (int32_t k = begin; k < end; k++) {
        add_groups(mass, part, factor, k, x, y);
    }
}

void ew_edge_mass_add_straight(const ew_edge_mass *mass, ew_edge_part part, double factor,
                               const double *x, double *y)
{
    add_parts(mass, part, factor, 0, mass->list->n_part, x, y);
}

bool ew_edge_mass_has_own(const ew_edge_mass *mass)
{
    return mass->of.kind == EW_MASS_CONSISTENT && !mass->n_curved && mass->list->n_peer;
}

void ew_edge_mass_add_own(const ew_edge_mass *mass, ew_edge_part part, double factor,
                          const double *x, double *y)
{
    int32_t begin, end;
    ew_edge_product_own_parts(mass->list, &begin, &end);
    add_parts(mass, part, factor, begin, end, x, y);
}
