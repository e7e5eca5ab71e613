/* Threads of a team start and end, and are on processors of their own: while they are kept, each
 * but the first is on one that no other has, and the first leaves these; afterwards all may be
 * anywhere again. */
#define _GNU_SOURCE
#include "base/parts/base.h"
#include "base/thread_affinity.h"
#include "testlib.h"

#if defined(_OPENMP) && defined(__linux__)
#include <dirent.h>
#include <omp.h>
#include <sched.h>

enum { MAX = 8 };

/* Where each thread of a team of n may be. */
static void look(int n, cpu_set_t *may)
{
#pragma omp parallel num_threads(n)
    if (sched_getaffinity(0, sizeof *may, &may[omp_get_thread_num()])) {
        CPU_ZERO(&may[omp_get_thread_num()]);
    }
}

static int team(void)
{
    const int n = omp_get_num_procs();
    return n < MAX ? n : MAX;
}

static int threads_of_process(void)
{
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *one; tasks && (one = readdir(tasks));) {
        n += one->d_name[0] != '.';
    }
    if (tasks) {
        closedir(tasks);
    }
    return n;
}

/* Those started are there; ended, the process has as many as before; and they can start again. */
static void test_start_and_end(void)
{
    const int before = threads_of_process();
    ew_use_threads(3);
    const int more = ew_threads() - 1;
    for (int round = 0; round < 2; round++) {
        CU_ASSERT_EQUAL(ew_start_threads(), EW_OK);
        CU_ASSERT_EQUAL(threads_of_process(), before + more);
        ew_end_threads();
        const double start = ew_seconds();
        while (threads_of_process() > before && ew_seconds() < start + 10) {
            /* one that has been joined may be listed for a moment */
        }
        CU_ASSERT_EQUAL(threads_of_process(), before);
    }
    ew_use_threads(1);
}

static void test_kept_and_let_go(void)
{
    const int n = team();
    cpu_set_t before[MAX], kept[MAX], after[MAX], all;
    look(n, before);
    for (int again = 0; again < 3; again++) {
        ew_affinity_begin(n);
        ew_affinity_begin(n + 1);
        ew_affinity_end(); /* nested: nothing ends yet */
        look(n, kept);
        ew_affinity_end();
        look(n, after);
        CPU_ZERO(&all);
        for (int k = 0; k < n; k++) {
            CU_ASSERT(CPU_EQUAL(&before[k], &after[k]));
            CU_ASSERT(k ? CPU_COUNT(&kept[k]) == 1 : CPU_EQUAL(&before[0], &kept[0]));
            if (k) {
                CPU_OR(&all, &all, &kept[k]);
            }
        }
        CU_ASSERT_EQUAL(CPU_COUNT(&all), n - 1);
    }
}

/* The first thread, put where another is kept, goes elsewhere and is as free as before. */
static void test_first_thread_leaves(void)
{
    const int n = team();
    cpu_set_t kept[MAX], all, now;
    if (n < 2) {
        return;
    }
    CU_ASSERT(!sched_getaffinity(0, sizeof all, &all));
    ew_affinity_begin(n);
    look(n, kept);
    int n_left = 0;
    for (int k = 0; k < 100; k++) {
        CU_ASSERT(!sched_setaffinity(0, sizeof all, &kept[1]));
        CU_ASSERT(!sched_setaffinity(0, sizeof all, &all));
        ew_affinity_check();
        const int on = sched_getcpu();
        n_left += on >= 0 && !CPU_ISSET((size_t)on, &kept[1]);
        CU_ASSERT(!sched_getaffinity(0, sizeof now, &now) && CPU_EQUAL(&now, &all));
    }
    CU_ASSERT(n_left >= 50); /* the system may put it back */
    ew_affinity_end();
}

/* More threads than processors, a thread that the user has bound, calls within a team: no effect.
 */
static void test_without_effect(void)
{
    const int n = omp_get_num_procs() + 1;
    cpu_set_t all, one, now;
    int n_other = 0;
    CU_ASSERT(!sched_getaffinity(0, sizeof all, &all));
    ew_affinity_begin(n);
#pragma omp parallel num_threads(n) private(now) reduction(+ : n_other)
    n_other += sched_getaffinity(0, sizeof now, &now) || !CPU_EQUAL(&now, &all);
    ew_affinity_end();
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    CU_ASSERT(!sched_setaffinity(0, sizeof one, &one));
    ew_affinity_begin(2);
    ew_affinity_check();
    CU_ASSERT(!sched_getaffinity(0, sizeof now, &now) && CPU_EQUAL(&now, &one));
    ew_affinity_end();
    CU_ASSERT(!sched_setaffinity(0, sizeof all, &all));
#pragma omp parallel num_threads(2) private(now) reduction(+ : n_other)
    {
        ew_affinity_begin(2);
        n_other += sched_getaffinity(0, sizeof now, &now) || !CPU_EQUAL(&now, &all);
        ew_affinity_end();
    }
    CU_ASSERT_EQUAL(n_other, 0);
}
#else
static void test_start_and_end(void)
{
}
static void test_kept_and_let_go(void)
{
    ew_affinity_begin(2);
    ew_affinity_check();
    ew_affinity_end();
}
static void test_first_thread_leaves(void)
{
}
static void test_without_effect(void)
{
}
#endif

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"start_and_end", test_start_and_end},
        {"kept_and_let_go", test_kept_and_let_go},
        {"first_thread_leaves", test_first_thread_leaves},
        {"without_effect", test_without_effect},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"apart", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
