/* The runner of the tests and its failing allocator: see testlib.h. CUnit's error code
 * stays 0 after a failed assertion, so the exit status is made of its failure counts. */
#include "testlib.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CU_pTest last_skipped;
static unsigned n_skipped;
static bool all_skipped;

static bool run_one(const char *name)
{
    bool found = false;
    for (CU_pSuite suite = CU_get_registry()->pSuite; suite; suite = suite->pNext) {
        CU_pTest test = CU_get_test_by_name(name, suite);
        if (test) {
            CU_basic_run_test(suite, test);
            found = true;
        }
    }
    if (!found) {
        fprintf(stderr, "no test is named %s\n", name);
    }
    return found;
}

int ew_test_main(int argc, char **argv, const CU_SuiteInfo *suites)
{
    if (CU_initialize_registry() != CUE_SUCCESS) {
        return EXIT_FAILURE;
    }
    bool ran = false;
    /* CUnit reads the table only, though its parameter is not const. */
    if (CU_register_suites((CU_SuiteInfo *)(uintptr_t)suites) == CUE_SUCCESS) {
        CU_basic_set_mode(CU_BRM_VERBOSE);
        ran = argc > 1 ? run_one(argv[1]) : CU_basic_run_tests() == CUE_SUCCESS;
    } else {
        fprintf(stderr, "%s\n", CU_get_error_msg());
    }
    bool passed = ran && CU_get_number_of_tests_run() > 0 && CU_get_number_of_failures() == 0 &&
                  CU_get_number_of_suites_failed() == 0;
    const bool skipped = all_skipped || (n_skipped && n_skipped >= CU_get_number_of_tests_run());
    CU_cleanup_registry();
    return !passed ? EXIT_FAILURE : skipped ? EW_TEST_SKIPPED : EXIT_SUCCESS;
}

void ew_test_skip(const char *why)
{
    printf("  skipped: %s\n", why);
    n_skipped += CU_get_current_test() != last_skipped;
    last_skipped = CU_get_current_test();
}

void must(ew_status status)
{
    if (status) {
        printf("%s ", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
}

/* Changed inside critical sections: library code may allocate on several threads. */
static struct {
    int64_t left, unreleased;
    bool refused;
} counter;

static void *counted_resize(void *user, void *old, size_t size)
{
    (void)user;
    void *room = NULL;
#pragma omp critical(ew_test_counter)
    {
        if (counter.left == 0) {
            counter.refused = true;
        } else {
            counter.left -= counter.left > 0;
            room = realloc(old, size);
            counter.unreleased += room && !old;
        }
    }
    return room;
}

static void counted_release(void *user, void *old)
{
    (void)user;
#pragma omp critical(ew_test_counter)
    counter.unreleased--;
    free(old);
}

void ew_test_allocations_begin(int64_t k)
{
    counter.left = k;
    counter.unreleased = 0;
    counter.refused = false;
    ew_set_allocator(&(ew_allocator){NULL, counted_resize, counted_release});
}

bool ew_test_allocations_end(void)
{
    ew_set_allocator(NULL);
    return counter.refused;
}

int64_t ew_test_unreleased(void)
{
    return counter.unreleased;
}

/* ---- bytes --------------------------------------------------------------- */

/* In front of each block, and as long as its alignment asks for. */
typedef union header {
    size_t size;
    max_align_t align;
} header;

static size_t live_bytes;

static void *sized_resize(void *user, void *old, size_t size)
{
    (void)user;
    const size_t before = old ? ((header *)old - 1)->size : 0;
    header *room = realloc(old ? (header *)old - 1 : NULL, sizeof *room + size);
    if (!room) {
        return NULL;
    }
    room->size = size;
#pragma omp atomic
    live_bytes += size - before;
    return room + 1;
}

static void sized_release(void *user, void *old)
{
    (void)user;
    header *block = (header *)old - 1;
#pragma omp atomic
    live_bytes -= block->size;
    free(block);
}

void ew_test_bytes_begin(void)
{
    live_bytes = 0;
    ew_set_allocator(&(ew_allocator){NULL, sized_resize, sized_release});
}

size_t ew_test_bytes(void)
{
    return live_bytes;
}

void ew_test_bytes_end(void)
{
    ew_set_allocator(NULL);
}

/* splitmix64 (Steele, Lea and Flood 2014). */
uint32_t ew_test_random(uint64_t *state, uint32_t bound)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (uint32_t)((z >> 32) * bound >> 32);
}

void ew_test_skip_all(const char *why)
{
    printf("  skipped: %s\n", why);
    all_skipped = true;
}

bool ew_test_has_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        char why[4200];
        snprintf(why, sizeof why, "%s does not exist", path);
        ew_test_skip(why);
        return false;
    }
    fclose(file);
    return true;
}
