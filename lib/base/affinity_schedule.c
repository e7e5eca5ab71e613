#include "base/affinity_schedule.h"
#include "base/thread_affinity.h"

#ifdef _OPENMP
#include <omp.h>
#endif

ew_schedule_cursor ew_schedule_begin(ew_schedule *schedule, int32_t n)
{
    int32_t thread = 0, n_thread = 1;
#ifdef _OPENMP
    thread = omp_get_thread_num();
    n_thread = omp_get_num_threads();
#endif
    if (thread == 0) {
        ew_affinity_check();
    }
    const int32_t n_part = n_thread < EW_SCHEDULE_PARTS ? n_thread : EW_SCHEDULE_PARTS;
    return (ew_schedule_cursor){.schedule = schedule,
                                .n = n,
                                .n_part = n_part,
                                .part = (int32_t)((int64_t)thread * n_part / n_thread)};
}

bool ew_schedule_next(ew_schedule_cursor *cursor, int32_t *item)
{
    while (cursor->n_done < cursor->n_part) {
        const int32_t begin = (int32_t)((int64_t)cursor->n * cursor->part / cursor->n_part);
        const int32_t end = (int32_t)((int64_t)cursor->n * (cursor->part + 1) / cursor->n_part);
        int32_t k;
#pragma omp atomic capture
        k = cursor->schedule->part[cursor->part].n_taken++;
        if (k < end - begin) {
            *item = begin + k;
            return true;
        }
        cursor->part = (cursor->part + 1) % cursor->n_part;
        cursor->n_done++;
    }
    return false;
}

void ew_schedule_meet(ew_schedule *schedule)
{
#pragma omp barrier
#pragma omp master
    for (int i = 0; i < EW_SCHEDULE_PARTS; i++) {
        schedule->part[i].n_taken = 0;
    }
}
