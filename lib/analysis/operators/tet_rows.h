/* Private to lib/analysis: the loop over tets of a product, as text that is compiled for each kind
 * of machine: by tet_operator.c for any, by tet_operator_avx2.c for processors with AVX2. Both give
 * the same bits. */
#ifndef EW_ANALYSIS_TET_ROWS_H
#define EW_ANALYSIS_TET_ROWS_H

#include "analysis/operators/tet_operator.h"

#include <string.h>

#define EW_INLINE static inline __attribute__((always_inline))

/* Four tets side by side (GCC and Clang vector extension). Machines without AVX2 take two
 * instructions for each operation, with the same bits. */
#define LANES 4
typedef double lanes __attribute__((vector_size(32)));
#define EW_LANE        lanes
#define EW_LANE_INLINE EW_INLINE
#include "tet_product.h"

/* ---- one group of tets ---------------------------------------------------- */

/* values[i] of four tets: the entries of their corners in a vertex array. */
EW_INLINE void load_corners(const ew_tet_share *part, const int32_t id[LANES], const double *array,
                            lanes values[12])
{
    for (int i = 0; i < 4; i++) {
        const double *a = array + 3 * (size_t)part->tet[4 * (size_t)id[0] + i];
        const double *b = array + 3 * (size_t)part->tet[4 * (size_t)id[1] + i];
        const double *c = array + 3 * (size_t)part->tet[4 * (size_t)id[2] + i];
        const double *d = array + 3 * (size_t)part->tet[4 * (size_t)id[3] + i];
        for (int k = 0; k < 3; k++) {
            values[3 * i + k] = (lanes){a[k], b[k], c[k], d[k]};
        }
    }
}

EW_INLINE void load_terms(const ew_tet_share *part, const int32_t id[LANES], lanes term[4])
{
    const double *a = part->term + 4 * (size_t)part->region[id[0]];
    const double *b = part->term + 4 * (size_t)part->region[id[1]];
    const double *c = part->term + 4 * (size_t)part->region[id[2]];
    const double *d = part->term + 4 * (size_t)part->region[id[3]];
    for (int k = 0; k < 4; k++) {
        term[k] = (lanes){a[k], b[k], c[k], d[k]};
    }
}

EW_INLINE bool is_own(const ew_tet_share *part, int32_t row)
{
    return row >= part->begin && row < part->end;
}

/* The first n of four tets, ascending. checked: some of their rows may be another thread's. */
EW_INLINE void multiply_group(const ew_tet_share *part, const int32_t id[LANES], int n,
                              bool checked, int mass)
{
    lanes x[12], u[12], f[12], term[4];
    double sum[12][LANES];
    load_corners(part, id, part->xyz, x);
    load_corners(part, id, part->x, u);
    load_terms(part, id, term);
    ew_tet_product(x, u, term, mass, f);
    memcpy(sum, f, sizeof sum);
    for (int lane = 0; lane < n; lane++) {
        const int32_t *vertex = part->tet + 4 * (size_t)id[lane];
        for (int i = 0; i < 4; i++) {
            if (!checked || is_own(part, vertex[i])) {
                double *y = part->y + 3 * (size_t)vertex[i];
                y[0] += sum[3 * i][lane];
                y[1] += sum[3 * i + 1][lane];
                y[2] += sum[3 * i + 2][lane];
            }
        }
    }
}

/* ---- batches ---------------------------------------------------------------- */

/* All tets from `first` on, of rows of this thread alone. */
EW_INLINE void multiply_full(const ew_tet_share *part, int32_t first, int32_t n, int mass)
{
    for (int32_t t = first; t < first + n; t += LANES) {
        const int32_t left = first + n - t, last = first + n - 1;
        const int32_t id[LANES] = {t, left > 1 ? t + 1 : last, left > 2 ? t + 2 : last,
                                   left > 3 ? t + 3 : last};
        multiply_group(part, id, left < LANES ? left : LANES, false, mass);
    }
}

/* The live tets among them with a row of this thread. */
EW_INLINE void multiply_some(const ew_tet_share *part, int32_t first, int32_t n, int mass)
{
    int32_t id[LANES];
    int n_id = 0;
    for (int32_t t = first; t < first + n; t++) {
        const int32_t *vertex = part->tet + 4 * (size_t)t;
        if (is_own(part, vertex[0]) | is_own(part, vertex[1]) | is_own(part, vertex[2]) |
            is_own(part, vertex[3])) {
            id[n_id++] = t;
        }
        if (n_id == LANES) {
            multiply_group(part, id, LANES, true, mass);
            n_id = 0;
        }
    }
    for (int i = n_id; n_id && i < LANES; i++) {
        id[i] = id[n_id - 1];
    }
    if (n_id) {
        multiply_group(part, id, n_id, true, mass);
    }
}

EW_INLINE void multiply_batches(const ew_tet_operator *op, const ew_tet_share *part, int mass)
{
    const int32_t n_tet = op->stiffness->mesh->n_tet;
    for (int32_t k = 0; k < op->n_batch; k++) {
        const ew_tet_batch *batch = op->batch + k;
        const int32_t first = k * EW_TET_BATCH, left = n_tet - first;
        const int32_t n = left < EW_TET_BATCH ? left : EW_TET_BATCH;
        if (batch->highest < part->begin || batch->lowest >= part->end) {
            continue;
        }
        if (batch->is_full && batch->lowest >= part->begin && batch->highest < part->end) {
            multiply_full(part, first, n, mass);
        } else {
            multiply_some(part, first, n, mass);
        }
    }
}

/* Contributions of the tets to the rows of a thread. */
EW_INLINE void ew_multiply_tets_any(const ew_tet_operator *op, const ew_tet_share *part)
{
    if (part->mass == EW_TET_NO_MASS) {
        multiply_batches(op, part, EW_TET_NO_MASS);
    } else if (part->mass == EW_TET_LUMPED) {
        multiply_batches(op, part, EW_TET_LUMPED);
    } else {
        multiply_batches(op, part, EW_TET_CONSISTENT);
    }
}

#endif
