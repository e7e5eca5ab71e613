/* Clock, threads and the progress callback. */
#define _POSIX_C_SOURCE 200809L
#include "base/parts/base.h"

#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

double ew_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void ew_use_threads(int n)
{
#ifdef _OPENMP
    omp_set_num_threads(n > 0 ? n : omp_get_num_procs());
#else
    (void)n;
#endif
}

int ew_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

int ew_threads_for(int64_t items, int64_t min)
{
    const int64_t max = items / min, all = ew_threads();
    return (int)(max < 1 ? 1 : max < all ? max : all);
}

ew_status ew_progress_report(const ew_progress *progress, const char *stage, double done)
{
    if (progress && progress->call && !progress->call(progress->user, stage, done)) {
        return ew_fail(EW_CANCELED, "canceled: %s", stage);
    }
    return EW_OK;
}
