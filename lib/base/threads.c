/* The threads of host loops, started before they are needed. In: the number that ew_threads tells.
 * Out: all of them waiting, or the failure that OpenMP would have ended the process with. */
#define _POSIX_C_SOURCE 200809L
#include "base/parts/base.h"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#include <string.h>

/* The trial threads wait for each other, so that all exist at once. */
typedef struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    bool open;
} gate;

static void *wait_at(void *user)
{
    gate *shared = user;
    pthread_mutex_lock(&shared->mutex);
    while (!shared->open) {
        pthread_cond_wait(&shared->opened, &shared->mutex);
    }
    pthread_mutex_unlock(&shared->mutex);
    return NULL;
}

/* Starts and ends n threads; *reason is the errno of the first that could not be. */
static int try_threads(pthread_t *thread, int n, int *reason)
{
    gate shared = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    int started = 0;
    *reason = 0;
    while (started < n && !*reason) {
        *reason = pthread_create(&thread[started], NULL, wait_at, &shared);
        started += !*reason;
    }
    pthread_mutex_lock(&shared.mutex);
    shared.open = true;
    pthread_cond_broadcast(&shared.opened);
    pthread_mutex_unlock(&shared.mutex);
    for (int k = 0; k < started; k++) {
        pthread_join(thread[k], NULL);
    }
    return started;
}

ew_status ew_start_threads(void)
{
    const int n = ew_threads() - 1;
    const size_t spare = (size_t)1 << 20; /* what OpenMP keeps of each */
    pthread_t *thread = NULL;
    int reason = 0;
    EW_TRY(ew_new(&thread, (size_t)n, sizeof *thread));
    const int started = try_threads(thread, n, &reason);
    ew_release(thread);
    if (reason) {
        return ew_fail(EW_NO_MEMORY,
                       "%d threads cannot be started, only %d: %s; choose fewer with --threads or "
                       "OMP_NUM_THREADS",
                       n + 1, started + 1, strerror(reason));
    }
    void *room = NULL;
    EW_TRY(ew_room_keep(&room, spare));
    ew_room_give(&room, spare);
    int at_work = 0;
#pragma omp parallel reduction(+ : at_work)
    at_work++;
    return at_work > 0 ? EW_OK : EW_NO_MEMORY;
}

void ew_end_threads(void)
{
    (void)omp_pause_resource_all(omp_pause_soft);
}
#else
ew_status ew_start_threads(void)
{
    return EW_OK;
}

void ew_end_threads(void)
{
}
#endif
