/* The products of quadratic tets for processors with AVX2: this file alone is compiled for them
 * (CMakeLists.txt), and called where the processor has them. Not for FMA, which has other bits. */
#include "assembly/host/edge_columns.h"
#include "assembly/host/edge_mass_lanes.h"
#include "assembly/host/tangent_lanes.h"

#ifdef __AVX2__
void ew_edge_groups_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                         int32_t end, const double *x, double *y)
{
    ew_edge_groups_any(product, part, begin, end, x, y);
}

void ew_edge_columns_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                          int32_t end, const double *x, double *y)
{
    ew_edge_columns_any(product, part, begin, end, x, y);
}

void ew_curved_groups_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                           int32_t end, const double *x, double *y)
{
    ew_curved_groups_any(product, part, begin, end, x, y);
}

void ew_tangent_groups_avx2(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                            int32_t end, const double *x, double *y)
{
    ew_tangent_groups_any(product, part, begin, end, x, y);
}

void ew_edge_mass_groups_avx2(const ew_edge_mass *mass, ew_edge_part part, double factor,
                              int32_t begin, int32_t end, const double *x, double *y)
{
    ew_edge_mass_groups_any(mass, part, factor, begin, end, x, y);
}
#endif
