/* Items of a loop for the threads of a team: each is taken once, whoever takes it and however often
 * the loop is run; what a slow thread leaves of its part others take. */
#include "base/affinity_schedule.h"
#include "base/parts/base.h"
#include "testlib.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 1000 };

static ew_schedule schedule;
static int32_t times[MAX_ITEMS], taker[MAX_ITEMS];

/* thread: who takes them, by its number in the team. */
static void take(int32_t n, int32_t thread)
{
    int32_t item;
    for (ew_schedule_cursor cursor = ew_schedule_begin(&schedule, n);
         ew_schedule_next(&cursor, &item);) {
#pragma omp atomic
        times[item]++;
        taker[item] = thread;
    }
}

static void check_each_once(int32_t n)
{
    for (int32_t i = 0; i < MAX_ITEMS; i++) {
        CU_ASSERT_EQUAL(times[i], i < n);
    }
}

static void test_each_is_taken_once(void)
{
    static const int32_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 257, MAX_ITEMS};
    static const int teams[] = {1, 2, 3, 31, 32, 33, 70};
    for (size_t k = 0; k < 9 * 7; k++) {
        const int32_t n = sizes[k % 9];
        for (int again = 0; again < 3; again++) {
            memset(times, 0, sizeof times);
#pragma omp parallel num_threads(teams[k / 9])
            {
                take(n, 0);
                ew_schedule_meet(&schedule);
            }
            check_each_once(n);
        }
    }
}

/* The first thread takes the part of one that comes late, too. */
static void test_what_is_left(void)
{
    const int32_t n = 101;
    memset(times, 0, sizeof times);
#pragma omp parallel num_threads(2)
    {
        const bool is_early = ew_schedule_begin(&schedule, n).part == 0;
        if (is_early) {
            take(n, 0);
        }
#pragma omp barrier
        if (!is_early) {
            take(n, 1);
        }
        ew_schedule_meet(&schedule);
    }
    check_each_once(n);
    for (int32_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL(taker[i], 0);
    }
}

/* Those who take at the same pace take the same from loop to loop. */
static void test_same_from_loop_to_loop(void)
{
    const int32_t n = 64;
    for (int again = 0; again < 4; again++) {
        int32_t n_wrong = 0;
        memset(times, 0, sizeof times);
#pragma omp parallel num_threads(2) reduction(+ : n_wrong)
        {
            ew_schedule_cursor cursor = ew_schedule_begin(&schedule, n);
            const int32_t part = cursor.part, n_part = cursor.n_part;
            int32_t item = -1;
            for (int32_t k = 0; k < n / n_part; k++) {
                n_wrong += !ew_schedule_next(&cursor, &item) || item != n / n_part * part + k;
                times[item]++;
#pragma omp barrier
            }
            n_wrong += ew_schedule_next(&cursor, &item);
            ew_schedule_meet(&schedule);
        }
        CU_ASSERT_EQUAL(n_wrong, 0);
        check_each_once(n);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"each_is_taken_once", test_each_is_taken_once},
        {"what_is_left", test_what_is_left},
        {"same_from_loop_to_loop", test_same_from_loop_to_loop},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"schedule", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
