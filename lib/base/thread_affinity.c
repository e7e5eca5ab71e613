/* Threads of a team on processors of their own. In: where they are. Out: each of them but the first
 * is kept on the processor that it is on, or on a free one where another is on that; and the first
 * leaves what they are kept on.
 *
 * Schedulers see to that by themselves, but for Linux in a virtual machine (KVM): it counts a
 * processor that sleeps as taken, so that a thread which wakes up comes to be on the one of who
 * woke it, and both share it for some milliseconds, in which a solve could have been through. The
 * first thread is not kept: others that it starts would be where it is. */
#define _GNU_SOURCE
#include "base/thread_affinity.h"

#if defined(_OPENMP) && defined(__linux__)
#include <omp.h>
#include <sched.h>
#include <stdbool.h>

enum { MAX_THREADS = 256 };

static _Thread_local int depth;        /* of a first thread: calls of begin without an end, */
static _Thread_local int keeps;        /* and the threads of the team where others are kept, */
static _Thread_local cpu_set_t kept;   /* on these */
static _Thread_local bool is_kept;     /* of another thread: it is, */
static _Thread_local cpu_set_t before; /* and could be on these */

/* Who is on the processor of one before goes to one that is free. */
static void choose(int *cpu, int n, const cpu_set_t *all)
{
    cpu_set_t free = *all;
    int next = 0;
    for (int k = 0; k < n; k++) {
        CPU_CLR((size_t)cpu[k], &free);
    }
    CPU_ZERO(&kept);
    for (int k = 0; k < n; k++) {
        if (k && (CPU_ISSET((size_t)cpu[k], &kept) || cpu[k] == cpu[0])) {
            while (next < CPU_SETSIZE && !CPU_ISSET((size_t)next, &free)) {
                next++;
            }
            cpu[k] = next < CPU_SETSIZE ? next++ : cpu[k];
        }
        if (k) {
            CPU_SET((size_t)cpu[k], &kept);
        }
    }
    CPU_CLR((size_t)cpu[0], &kept);
}

static void keep_on(int cpu)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    is_kept =
        !sched_getaffinity(0, sizeof before, &before) && !sched_setaffinity(0, sizeof one, &one);
}

void ew_affinity_begin(int n)
{
    cpu_set_t all;
    int cpu[MAX_THREADS];
    if (depth++ || n < 2 || n > MAX_THREADS || omp_in_parallel() ||
        sched_getaffinity(0, sizeof all, &all) || CPU_COUNT(&all) < n) {
        return;
    }
    keeps = n;
#pragma omp parallel num_threads(n)
    {
        const int k = omp_get_thread_num(), own = sched_getcpu();
        cpu[k] = own < 0 ? 0 : own;
#pragma omp barrier
#pragma omp master
        choose(cpu, omp_get_num_threads(), &all);
#pragma omp barrier
        if (k) {
            keep_on(cpu[k]);
        }
    }
}

void ew_affinity_end(void)
{
    if (--depth || !keeps) {
        return;
    }
    const int n = keeps;
    keeps = 0;
#pragma omp parallel num_threads(n)
    if (is_kept) {
        is_kept = false;
        (void)sched_setaffinity(0, sizeof before, &before);
    }
}

void ew_affinity_check(void)
{
    cpu_set_t all, free;
    const int own = keeps ? sched_getcpu() : -1;
    if (own < 0 || !CPU_ISSET((size_t)own, &kept) || sched_getaffinity(0, sizeof all, &all)) {
        return;
    }
    CPU_AND(&free, &all, &kept);
    CPU_XOR(&free, &free, &all);
    if (CPU_COUNT(&free) && !sched_setaffinity(0, sizeof free, &free)) {
        (void)sched_setaffinity(0, sizeof all, &all);
    }
}

#else
void ew_affinity_begin(int n)
{
    (void)n;
}

void ew_affinity_end(void)
{
}

void ew_affinity_check(void)
{
}
#endif
