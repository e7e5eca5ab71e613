/* How many threads of a team are served: all on idle processors, one fewer after two looks that
 * found the first thread waiting, all again when the processors are free, and trials at longer and
 * longer distance until then. */
#include "base/parts/base.h"
#include "base/thread_share.h"
#include "testlib.h"

#define STEP 0.01 /* between looks, seconds */

/* A clock, and a processor that the first thread has for `part` of the time while it has more than
 * n_free threads. */
typedef struct machine {
    ew_thread_share share;
    double seconds, processor;
    int n_thread;
} machine;

static int step(machine *of, int n, int n_free, double part)
{
    of->seconds += STEP;
    of->processor += STEP * (of->n_thread > n_free ? part : 0.98);
    of->n_thread = ew_thread_share_of(&of->share, n, of->seconds, of->processor);
    return of->n_thread;
}

static machine started(int n)
{
    machine of = {.seconds = 100.0, .processor = 3.0};
    of.n_thread = ew_thread_share_of(&of.share, n, of.seconds, of.processor);
    CU_ASSERT_EQUAL(of.n_thread, n);
    return of;
}

static void test_idle(void)
{
    machine of = started(4);
    for (int k = 0; k < 1000; k++) {
        CU_ASSERT_EQUAL(step(&of, 4, 4, 0.5), 4);
    }
    CU_ASSERT_EQUAL(ew_thread_share_of(&of.share, 1, of.seconds + 1.0, of.processor), 1);
}

/* One poor look alone changes nothing, nor does a look after a long time without loops. */
static void test_what_does_not_count(void)
{
    machine of = started(2);
    for (int k = 0; k < 100; k++) {
        CU_ASSERT_EQUAL(step(&of, 2, k % 2 ? 1 : 2, 0.5), 2);
        of.seconds += 1.0; /* asleep */
        CU_ASSERT_EQUAL(step(&of, 2, 2, 0.5), 2);
    }
}

/* Beside k busy programs: k threads fewer, and at the end trials take less than one look in a
 * hundred. */
static void test_busy(void)
{
    for (int n = 2; n <= 16; n += 7) {
        const int n_free = n == 2 ? 1 : n - 3;
        machine of = started(n);
        int n_late = 0;
        for (int k = 0; k < 4000; k++) {
            const int now = step(&of, n, n_free, 0.5);
            CU_ASSERT_TRUE(now >= n_free && now <= n);
            n_late += k >= 1000 && now != n_free;
        }
        CU_ASSERT_TRUE(n_late <= 3000 / 100);
        CU_ASSERT_TRUE(n_late > 0);
    }
}

/* As soon as the processors are free and the pause is over every thread works again. */
static void test_free_again(void)
{
    machine of = started(4);
    int k = 0;
    while (k < 1000) {
        k++;
        (void)step(&of, 4, 1, 0.4);
    }
    for (k = 0; k < 500 && step(&of, 4, 4, 0.5) < 4; k++) {
    }
    CU_ASSERT_TRUE(k < 200);
    for (k = 0; k < 100; k++) {
        CU_ASSERT_EQUAL(step(&of, 4, 4, 0.5), 4);
    }
}

/* The real clocks give a number of threads. */
static void test_clocks(void)
{
    for (int k = 0; k < 1000; k++) {
        const int n = ew_threads_served(3);
        CU_ASSERT_TRUE(n >= 1 && n <= 3);
        CU_ASSERT_EQUAL(ew_threads_served(1), 1);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"idle", test_idle},     {"what_does_not_count", test_what_does_not_count},
        {"busy", test_busy},     {"free_again", test_free_again},
        {"clocks", test_clocks}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"threads that are served", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
