/* Blocks of memory that are kept beside their owners: they keep their place and their numbers, and
 * are released by whoever is the last. */
#include "testlib.h"

#include <pthread.h>
#include <string.h>

static void expect_kept(int64_t n, int64_t released)
{
    int64_t left;
    CU_ASSERT_EQUAL(ew_memory_kept(&left), n);
    CU_ASSERT_EQUAL(left, released);
}

static void test_kept_block_outlives_its_owner(void)
{
    int32_t *array;
    ew_test_allocations_begin(-1);
    must(ew_new(&array, 3, sizeof *array));
    memcpy(array, (int32_t[]){7, 8, 9}, 3 * sizeof *array);
    must(ew_memory_hold(array));
    must(ew_memory_hold(array));
    expect_kept(1, 0);
    ew_release(array);
    expect_kept(1, 1);
    CU_ASSERT(array[0] == 7 && array[2] == 9);
    ew_memory_drop(array);
    CU_ASSERT(array[0] == 7 && array[2] == 9);
    ew_memory_drop(array);
    expect_kept(0, 0);
    CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    ew_memory_drop(array); /* what is not kept, and null */
    ew_memory_drop(NULL);
    CU_ASSERT_EQUAL(ew_memory_hold(NULL), EW_BAD_ARGUMENT);
    ew_test_allocations_end();
}

/* All that the array had room for is in the copy, for owners count on it. */
static void test_array_that_grows_leaves_the_holder_its_block(void)
{
    int32_t *array = NULL, capacity = 0;
    ew_test_allocations_begin(-1);
    must(ew_grow(&array, &capacity, 100, sizeof *array));
    for (int32_t i = 0; i < capacity; i++) {
        array[i] = i;
    }
    const int32_t *old = array, n = capacity;
    must(ew_memory_hold(old));
    must(ew_grow(&array, &capacity, 5000, sizeof *array));
    CU_ASSERT(array != old);
    memset(array + n, 0, sizeof *array * (size_t)(capacity - n));
    for (int32_t i = 0; i < n; i++) {
        CU_ASSERT(array[i] == i && old[i] == i);
        array[i] = -1;
    }
    CU_ASSERT_EQUAL(old[n - 1], n - 1);
    ew_memory_drop(old);
    ew_release(array);
    CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    ew_test_allocations_end();
}

/* Against a plain list: which are kept, what they hold, and that nothing stays. */
static void test_random_holds(void)
{
    enum { N = 300, STEPS = 20000 };
    int64_t *block[N] = {0};
    int n_hold[N] = {0};
    bool left[N] = {false};
    uint64_t random = 5;
    ew_test_allocations_begin(-1);
    for (int step = 0; step < STEPS; step++) {
        const uint32_t i = ew_test_random(&random, N), act = ew_test_random(&random, 3);
        if (!block[i]) {
            must(ew_new(&block[i], 1, sizeof *block[i]));
            *block[i] = i;
            left[i] = false;
        } else if (act == 0 && !left[i]) {
            ew_release(block[i]);
            left[i] = true;
        } else if (act == 1 && !left[i]) {
            must(ew_memory_hold(block[i]));
            n_hold[i]++;
        } else if (act == 2 && n_hold[i]) {
            CU_ASSERT_EQUAL(*block[i], i);
            ew_memory_drop(block[i]);
            n_hold[i]--;
        }
        block[i] = left[i] && !n_hold[i] ? NULL : block[i];
    }
    int64_t kept = 0, released = 0;
    for (int i = 0; i < N; i++) {
        kept += n_hold[i] > 0;
        released += n_hold[i] > 0 && left[i];
    }
    expect_kept(kept, released);
    for (int i = 0; i < N; i++) {
        if (block[i] && !left[i]) {
            ew_release(block[i]);
        }
        for (; n_hold[i]; n_hold[i]--) {
            CU_ASSERT_EQUAL(*block[i], i);
            ew_memory_drop(block[i]);
        }
    }
    expect_kept(0, 0);
    CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    ew_test_allocations_end();
}

static void test_without_memory_nothing_is_kept(void)
{
    int32_t *array;
    must(ew_new(&array, 1, sizeof *array));
    ew_test_allocations_begin(0);
    CU_ASSERT_EQUAL(ew_memory_hold(array), EW_NO_MEMORY);
    ew_test_allocations_end();
    expect_kept(0, 0);
    ew_release(array);
}

static void *hold_and_drop(void *user)
{
    for (int i = 0; i < 2000; i++) {
        int32_t *array = NULL, capacity = 0;
        must(ew_grow(&array, &capacity, 8, sizeof *array));
        array[0] = i;
        must(ew_memory_hold(array));
        must(ew_memory_hold(user));
        const int32_t *old = array;
        must(ew_grow(&array, &capacity, 1000, sizeof *array));
        CU_ASSERT(old[0] == i && array[0] == i);
        ew_release(array);
        ew_memory_drop(old);
        ew_memory_drop(user);
    }
    return NULL;
}

static void test_threads(void)
{
    enum { N = 4 };
    pthread_t thread[N];
    int32_t *shared;
    must(ew_new(&shared, 1, sizeof *shared));
    for (int k = 0; k < N; k++) {
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, hold_and_drop, shared), 0);
    }
    for (int k = 0; k < N; k++) {
        pthread_join(thread[k], NULL);
    }
    expect_kept(0, 0);
    ew_release(shared);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"kept_block_outlives_its_owner", test_kept_block_outlives_its_owner},
        {"array_that_grows_leaves_the_holder_its_block",
         test_array_that_grows_leaves_the_holder_its_block},
        {"random_holds", test_random_holds},
        {"without_memory_nothing_is_kept", test_without_memory_nothing_is_kept},
        {"threads", test_threads},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"hold", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
