/* sum_chunks: private to analysis. Slots in chunks of EW_SUM_CHUNK, over which sums are kept. */
#ifndef EW_ANALYSIS_SUM_CHUNKS_H
#define EW_ANALYSIS_SUM_CHUNKS_H

#include "analysis/parts/analysis.h"

static inline int32_t ew_sum_chunk_end(int32_t chunk, int32_t n)
{
    const int32_t begin = chunk * EW_SUM_CHUNK;
    return n - begin < EW_SUM_CHUNK ? n : begin + EW_SUM_CHUNK;
}

static inline int32_t ew_sum_chunk_count(int32_t n)
{
    return n / EW_SUM_CHUNK + (n % EW_SUM_CHUNK > 0);
}

/* The chunks of the listed ones of n slots, or with a null list all of them. */
static inline ew_status ew_sum_chunks_find(const ew_list *slot, int32_t n, ew_set *chunk)
{
    ew_set_clear(chunk);
    for (int32_t i = 0; slot && i < slot->n; i++) {
        EW_TRY(ew_set_add(chunk, slot->id[i] / EW_SUM_CHUNK));
    }
    for (int32_t k = 0; !slot && k < ew_sum_chunk_count(n); k++) {
        EW_TRY(ew_set_add(chunk, k));
    }
    return EW_OK;
}

#endif
