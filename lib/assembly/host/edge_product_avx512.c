/* The products of quadratic tets with straight sides for processors with AVX-512, eight tets side
 * by side: this file alone is compiled for them (CMakeLists.txt). With the bits of
 * edge_product_avx2.c, which takes what is left of a part. */
#define EW_LANE_COUNT 8
#include "assembly/host/edge_lanes.h"
#include "assembly/host/edge_mass_lanes.h"

#ifdef __AVX512F__
int32_t ew_edge_groups_avx512(const ew_edge_product *product, ew_edge_part part, int32_t begin,
                              int32_t end, const double *x, double *y)
{
    return ew_edge_groups_any(product, part, begin, end, x, y);
}

int32_t ew_edge_mass_groups_avx512(const ew_edge_mass *mass, ew_edge_part part, double factor,
                                   int32_t begin, int32_t end, const double *x, double *y)
{
    return ew_edge_mass_groups_any(mass, part, factor, begin, end, x, y);
}
#endif
