#include "base/deal.h"
#include "base/apart.h"

#ifdef _OPENMP
#include <omp.h>
#endif

ew_deal_hand ew_deal_begin(ew_deal *deal, int32_t n)
{
    int32_t thread = 0, n_thread = 1;
#ifdef _OPENMP
    thread = omp_get_thread_num();
    n_thread = omp_get_num_threads();
#endif
    if (thread == 0) {
        ew_apart_check();
    }
    const int32_t n_part = n_thread < EW_DEAL_PARTS ? n_thread : EW_DEAL_PARTS;
    return (ew_deal_hand){.deal = deal,
                          .n = n,
                          .n_part = n_part,
                          .part = (int32_t)((int64_t)thread * n_part / n_thread)};
}

bool ew_deal_next(ew_deal_hand *hand, int32_t *item)
{
    while (hand->n_done < hand->n_part) {
        const int32_t begin = (int32_t)((int64_t)hand->n * hand->part / hand->n_part);
        const int32_t end = (int32_t)((int64_t)hand->n * (hand->part + 1) / hand->n_part);
        int32_t k;
#pragma omp atomic capture
        k = hand->deal->part[hand->part].n_taken++;
        if (k < end - begin) {
            *item = begin + k;
            return true;
        }
        hand->part = (hand->part + 1) % hand->n_part;
        hand->n_done++;
    }
    return false;
}

void ew_deal_meet(ew_deal *deal)
{
#pragma omp barrier
#pragma omp master
    for (int i = 0; i < EW_DEAL_PARTS; i++) {
        deal->part[i].n_taken = 0;
    }
}
