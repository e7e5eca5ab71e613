/* How many threads of a team the processors serve. In: the time that the first thread of the team
 * had a processor, of the time that passed. Out: a number of threads.
 *
 * On processors that nothing else uses the first thread runs nearly always, for it spins where it
 * waits for others (less than 0.1 ms). It sleeps half of the time where one of the team shares a
 * processor: the others wait for that one. */
#define _POSIX_C_SOURCE 200809L
#include "base/thread_share.h"
#include "base/parts/base.h"

#include <math.h>
#include <time.h>

#define WINDOW 10e-3 /* between looks; a processor is shared in slices of some 3 ms */
#define STALE  0.2   /* a look so late tells of something else than loops */
#define ENOUGH                                                                                     \
    0.75 /* of the time; 0.95 were measured on idle processors, 0.5 beside one busy program */
#define FIRST_PAUSE 50e-3
#define LAST_PAUSE  1.6 /* a trial of 10 ms then costs less than one percent */

/* One thread fewer, for longer where the one that was tried was not served either. */
static void do_without(ew_thread_share *share, double seconds)
{
    const double longer = fmin(2.0 * share->pause, LAST_PAUSE);
    share->pause = share->is_trial ? longer : FIRST_PAUSE;
    share->until = seconds + share->pause;
    share->n_fewer++;
    share->n_poor = share->is_trial = 0;
}

static void look(ew_thread_share *share, int n, double part, double seconds)
{
    const bool is_team = n - share->n_fewer > 1;
    share->n_poor = is_team && part < ENOUGH ? share->n_poor + 1 : 0;
    if (share->n_poor > !share->is_trial) {
        do_without(share, seconds);
    } else if (share->n_fewer && seconds >= share->until) {
        share->n_fewer--;
        share->n_poor = 0;
        share->is_trial = 1;
    } else if (is_team && !share->n_poor) {
        share->is_trial = 0;
    }
}

int ew_thread_share_of(ew_thread_share *share, int n, double seconds, double processor)
{
    const double passed = seconds - share->seconds;
    if (passed >= WINDOW) {
        if (passed < STALE) {
            look(share, n, (processor - share->processor) / passed, seconds);
        }
        share->seconds = seconds;
        share->processor = processor;
    }
    return n > share->n_fewer ? n - share->n_fewer : 1;
}

int ew_threads_served(int n)
{
    static _Thread_local ew_thread_share share;
    const double seconds = ew_seconds();
    struct timespec own = {0};
    if (n < 2) {
        return n;
    }
    if (seconds - share.seconds >= WINDOW && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own)) {
        return n; /* a system without this clock */
    }
    return ew_thread_share_of(&share, n, seconds, (double)own.tv_sec + 1e-9 * (double)own.tv_nsec);
}
