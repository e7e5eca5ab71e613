/* Private to lib/analysis: what the host's and the device's products from tets share. */
#ifndef EW_ANALYSIS_TET_OPERATOR_H
#define EW_ANALYSIS_TET_OPERATOR_H

#include "analysis/parts/analysis.h"

/* EW_TET_BATCH consecutive tets: the rows that they have, and whether all of them are live. */
#define EW_TET_BATCH 256
typedef struct ew_tet_batch {
    int32_t lowest, highest; /* lowest > highest: no tet is live */
    bool is_full;
} ew_tet_batch;

/* Rows of a thread: [begin, end). */
typedef struct ew_tet_share {
    const int32_t *tet, *region;
    const double *xyz, *term, *x;
    double *y;
    int32_t begin, end;
    int mass; /* of kernels/tet_product.h */
} ew_tet_share;
#ifdef EW_HAS_AVX2
/* y += what the tets give to the rows of a thread, for processors with AVX2. (tet_operator_avx2.c)
 */
void ew_multiply_tets_avx2(const ew_tet_operator *op, const ew_tet_share *part);
#endif

/* Which mass is part of its products, as in kernels/tet_product.h. */
static inline int ew_tet_operator_mass(const ew_tet_operator *op)
{
    return !op->mass ? 0 : op->mass->kind == EW_MASS_LUMPED ? 1 : 2;
}

/* The sources belong together and are of linear tets; `term` is theirs. (tet_operator.c) */
ew_status ew_tet_operator_check(ew_tet_operator *op);

#endif
