/* The loop of a product from tets for processors with AVX2: this file alone is compiled for them
 * (CMakeLists.txt), and called where the processor has them. */
#include "analysis/operators/tet_rows.h"

#ifdef __AVX2__
void ew_multiply_tets_avx2(const ew_tet_operator *op, const ew_tet_share *part)
{
    ew_multiply_tets_any(op, part);
}
#endif
