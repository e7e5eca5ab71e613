/* Status and messages, allocation, lists, sets and rows, against plain oracles. */
#include "testlib.h"

#include "base/parts/base.h"

#include <stdlib.h>
#include <string.h>

/* ---- status ------------------------------------------------------------ */

static void test_status_every_code_has_text(void)
{
    CU_ASSERT_STRING_EQUAL(ew_status_text(EW_OK), "success");
    for (int i = 0; i < EW_STATUS_COUNT; i++) {
        CU_ASSERT(ew_status_text((ew_status)i)[0] != '\0');
    }
    CU_ASSERT_STRING_EQUAL(ew_status_text(EW_STATUS_COUNT), "unknown status");
    CU_ASSERT_STRING_EQUAL(ew_status_text((ew_status)-1), "unknown status");
}

static void test_status_message_and_prefix(void)
{
    CU_ASSERT_EQUAL(ew_fail(EW_IO, "tet %d", 7), EW_IO);
    CU_ASSERT_STRING_EQUAL(ew_message(), "tet 7");
    CU_ASSERT_EQUAL(ew_fail_prefix(EW_IO, "%s:%d", "a.mesh", 3), EW_IO);
    CU_ASSERT_STRING_EQUAL(ew_message(), "a.mesh:3: tet 7");
    (void)ew_fail(EW_IO, "again %s", ew_message());
    CU_ASSERT_STRING_EQUAL(ew_message(), "again a.mesh:3: tet 7");
    (void)ew_fail(EW_IO, "no '%s'", "a\nb\r\x1b[2J\xc3\xa9");
    CU_ASSERT_STRING_EQUAL(ew_message(), "no 'a?b??[2J\xc3\xa9'");
}

static void test_status_long_message_is_cut(void)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    (void)ew_fail(EW_IO, "%s", text);
    size_t length = strlen(ew_message());
    CU_ASSERT(length > 500 && length < sizeof text);
    (void)ew_fail_prefix(EW_IO, "file");
    CU_ASSERT_NSTRING_EQUAL(ew_message(), "file: xxx", 9);
    (void)ew_fail_prefix(EW_IO, "%s", text);
    CU_ASSERT_EQUAL(strlen(ew_message()), length);
}

static void test_refusals_say_subject_and_rule(void)
{
    CU_ASSERT_EQUAL(ew_refuse(EW_RULE_DEVICE, "no %s", "device"), EW_UNSUPPORTED);
    CU_ASSERT_STRING_EQUAL(ew_message(), "no device; --device host needs none");
    (void)ew_refuse_missing("scene", "XML", NULL, "EW_X");
    CU_ASSERT_STRING_EQUAL(ew_message(), "scene: this build has no XML: configure with -DEW_X=ON");
}

static void test_status_text_without_format(void)
{
    CU_ASSERT_EQUAL(ew_fail_text(EW_CANCELED, "50 % of what %s asked for"), EW_CANCELED);
    CU_ASSERT_STRING_EQUAL(ew_message(), "50 % of what %s asked for");
    CU_ASSERT_EQUAL(ew_last_failure()->status, EW_CANCELED);
    CU_ASSERT_EQUAL(ew_fail_text(EW_IO, NULL), EW_IO);
    CU_ASSERT_STRING_EQUAL(ew_message(), ew_status_text(EW_IO));
}

/* ---- memory ------------------------------------------------------------ */

static void test_memory_new_and_grow(void)
{
    int32_t *array = NULL, capacity = 0;
    CU_ASSERT_EQUAL(ew_new_zero(&array, 100, sizeof *array), EW_OK);
    for (int i = 0; i < 100; i++) {
        CU_ASSERT_EQUAL(array[i], 0);
    }
    ew_release(array);
    CU_ASSERT_EQUAL(ew_new(&array, 0, sizeof *array), EW_OK);
    CU_ASSERT_PTR_NOT_NULL(array);
    ew_release(array);
    ew_release(NULL);
    array = NULL;
    int n_move = 0;
    for (int32_t i = 0; i < 100000; i++) {
        int32_t before = capacity;
        CU_ASSERT_EQUAL_FATAL(ew_grow(&array, &capacity, i + 1, sizeof *array), EW_OK);
        n_move += capacity != before;
        array[i] = i;
    }
    CU_ASSERT(n_move < 40);
    CU_ASSERT(array[0] == 0 && array[99999] == 99999);
    ew_release(array);
}

static void test_memory_limits(void)
{
    int32_t *array = NULL, capacity = 0;
    CU_ASSERT_EQUAL(ew_grow(&array, &capacity, INT64_C(1) << 31, sizeof *array), EW_LIMIT);
    CU_ASSERT(array == NULL && capacity == 0);
    CU_ASSERT_EQUAL(ew_new(&array, SIZE_MAX / 2, 8), EW_NO_MEMORY);
    CU_ASSERT_PTR_NULL(array);
    ew_test_allocations_begin(1);
    CU_ASSERT_EQUAL(ew_grow(&array, &capacity, 5, sizeof *array), EW_OK);
    int32_t *kept = array, had = capacity;
    CU_ASSERT_EQUAL(ew_grow(&array, &capacity, 1000, sizeof *array), EW_NO_MEMORY);
    CU_ASSERT(array == kept && capacity == had);
    ew_release(array);
    CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
    CU_ASSERT_TRUE(ew_test_allocations_end());
}

/* ---- lists and sets ------------------------------------------------------ */

static int compare_ids(const void *a, const void *b)
{
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

static void test_list_sorts_as_qsort(void)
{
    uint64_t random = 1;
    static const uint32_t bounds[] = {2, 300, 70000, UINT32_MAX};
    for (int32_t n = 0; n < 20000; n = n * 3 / 2 + 1) {
        for (int b = 0; b < 4; b++) {
            ew_list list = {0};
            int32_t *expected = malloc(((size_t)n + 1) * sizeof *expected);
            for (int32_t i = 0; i < n; i++) {
                int32_t id = (int32_t)(ew_test_random(&random, bounds[b]) - bounds[b] / 2);
                expected[i] = id;
                CU_ASSERT_EQUAL(ew_list_push(&list, id), EW_OK);
            }
            qsort(expected, (size_t)n, sizeof *expected, compare_ids);
            ew_list_sort(&list);
            CU_ASSERT_EQUAL(list.n, n);
            CU_ASSERT(n == 0 || !memcmp(list.id, expected, (size_t)n * sizeof *expected));
            int32_t unique = 0;
            for (int32_t i = 0; i < n; i++) {
                unique += !i || expected[i] != expected[i - 1];
            }
            ew_list_sort_unique(&list);
            CU_ASSERT_EQUAL(list.n, unique);
            for (int32_t i = 1; i < list.n; i++) {
                CU_ASSERT(list.id[i - 1] < list.id[i]);
            }
            ew_list_free(&list);
            free(expected);
        }
    }
}

static void test_set_members_and_clearing(void)
{
    ew_set set = {0};
    bool member[5000] = {false};
    uint64_t random = 2;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2000; i++) {
            int32_t id = (int32_t)ew_test_random(&random, 5000);
            CU_ASSERT_EQUAL(ew_set_add(&set, id), EW_OK);
            member[id] = true;
        }
        int32_t n = 0;
        for (int32_t id = 0; id < 5000; id++) {
            CU_ASSERT_EQUAL(ew_set_has(&set, id), member[id]);
            n += member[id];
        }
        CU_ASSERT_EQUAL(set.list.n, n);
        CU_ASSERT_FALSE(ew_set_has(&set, -1));
        CU_ASSERT_FALSE(ew_set_has(&set, INT32_MAX));
        ew_set_clear(&set);
        memset(member, 0, sizeof member);
    }
    for (int32_t id = 0; id < 5000; id++) {
        CU_ASSERT_FALSE(ew_set_has(&set, id));
    }
    ew_set_free(&set);
    ew_set_free(&set);
}

static void test_set_allocation_failures(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_set set = {0};
        ew_test_allocations_begin(k);
        for (int32_t id = 0; id < 4000; id += 3) {
            if (ew_set_add(&set, id)) {
                CU_ASSERT_FALSE(ew_set_has(&set, id));
                CU_ASSERT_EQUAL(set.list.n, id / 3);
                break;
            }
        }
        ew_set_free(&set);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT(k > 3 || refused);
    }
}

/* ---- rows ---------------------------------------------------------------- */

enum { N_ROW = 60, N_KEY = 70 };

/* present[row][key] and the value that goes with the key. */
typedef struct oracle {
    bool present[N_ROW][N_KEY];
    int32_t value[N_ROW][N_KEY];
} oracle;

static bool row_matches(const ew_rows *rows, const oracle *expected, int32_t row)
{
    int32_t n = 0;
    for (int32_t key = 0; key < N_KEY; key++) {
        int32_t at = ew_rows_find(rows, row, key);
        if ((at >= 0) != expected->present[row][key] || (at >= 0 && at != n)) {
            return false;
        }
        if (at >= 0) {
            const int32_t *item = rows->item + rows->width * (rows->begin[row] + at);
            if (item[0] != key || (rows->width == 2 && item[1] != expected->value[row][key])) {
                return false;
            }
            n++;
        }
    }
    return rows->count[row] == n;
}

/* Every item belongs to exactly one row's chunk or one free chunk. */
static bool chunks_cover(const ew_rows *rows)
{
    char *owner = calloc((size_t)rows->n_item + 1, 1);
    int64_t covered = 0;
    bool right = true;
    for (int32_t row = 0; row < rows->n_row; row++) {
        int32_t size = (rows->count[row] + EW_ROW_CHUNK - 1) / EW_ROW_CHUNK * EW_ROW_CHUNK;
        for (int32_t i = 0; i < size; i++) {
            right = right && !owner[rows->begin[row] + i]++;
        }
        covered += size;
    }
    for (int32_t k = 0; k < rows->n_class; k++) {
        for (int32_t at = rows->free_chunk[k]; at >= 0 && right;
             at = rows->item[rows->width * at]) {
            for (int32_t i = 0; i < (k + 1) * EW_ROW_CHUNK; i++) {
                right = right && !owner[at + i]++;
            }
            covered += (k + 1) * EW_ROW_CHUNK;
        }
    }
    free(owner);
    return right && covered == rows->n_item;
}

/* One random edit of a row whose wanted fill is `percent`; mirrors it in the oracle. */
static void edit_row(ew_rows *rows, oracle *expected, int32_t row, uint32_t percent,
                     uint64_t *random)
{
    int32_t key = (int32_t)ew_test_random(random, N_KEY);
    bool insert = ew_test_random(random, 100) < percent;
    if (insert && !expected->present[row][key]) {
        int32_t item[2] = {key, (int32_t)ew_test_random(random, 1000)};
        CU_ASSERT_EQUAL_FATAL(ew_rows_insert(rows, row, item), EW_OK);
        expected->value[row][key] = item[1];
        expected->present[row][key] = true;
    } else if (!insert && expected->present[row][key]) {
        ew_rows_remove(rows, row, key);
        expected->present[row][key] = false;
    }
}

static void test_rows_random_edits(void)
{
    for (int32_t width = 1; width <= 2; width++) {
        oracle *expected = calloc(1, sizeof *expected);
        int32_t count[N_ROW / 2];
        for (int32_t row = 0; row < N_ROW / 2; row++) {
            count[row] = row % 13;
        }
        ew_rows rows;
        CU_ASSERT_EQUAL_FATAL(ew_rows_init(&rows, N_ROW / 2, width, count), EW_OK);
        for (int32_t row = 0; row < N_ROW / 2; row++) {
            for (int32_t key = 0; key < count[row]; key++) {
                if (width == 1) {
                    ew_rows_append1(&rows, row, key);
                } else {
                    ew_rows_append2(&rows, row, key, key + 5);
                }
                expected->present[row][key] = true;
                expected->value[row][key] = key + 5;
            }
        }
        CU_ASSERT_EQUAL_FATAL(ew_rows_extend(&rows, N_ROW), EW_OK);
        uint64_t random = 3;
        for (int round = 0; round < 200; round++) {
            uint32_t percent = 5 + ew_test_random(&random, 91);
            for (int i = 0; i < 500; i++) {
                int32_t row = (int32_t)ew_test_random(&random, N_ROW);
                edit_row(&rows, expected, row, percent, &random);
            }
            CU_ASSERT_TRUE(chunks_cover(&rows));
            for (int32_t row = 0; row < N_ROW; row++) {
                CU_ASSERT_TRUE(row_matches(&rows, expected, row));
            }
        }
        CU_ASSERT(ew_rows_bytes(&rows) >= (size_t)rows.n_item * (size_t)width * 4);
        ew_rows_free(&rows);
        ew_rows_free(&rows);
        free(expected);
    }
}

/* A million edits: the last nine tenths may not make the array grow by more than a
 * quarter, nor past the bound that rows.c derives. */
static void test_rows_stay_bounded(void)
{
    oracle *expected = calloc(1, sizeof *expected);
    ew_rows rows = {.width = 1};
    CU_ASSERT_EQUAL_FATAL(ew_rows_extend(&rows, N_ROW), EW_OK);
    uint64_t random = 4;
    int32_t early = 0;
    for (int32_t i = 0; i < 1000000; i++) {
        static const uint32_t percent[] = {50, 20, 90, 40, 5};
        int32_t row = (int32_t)ew_test_random(&random, N_ROW);
        edit_row(&rows, expected, row, percent[i / 2000 % 5], &random);
        early = i == 100000 ? rows.n_item : early;
    }
    CU_ASSERT_TRUE(chunks_cover(&rows));
    CU_ASSERT(rows.n_item <= early + early / 4);
    int32_t max = N_KEY / EW_ROW_CHUNK + 1;
    CU_ASSERT(rows.n_item <= N_ROW * EW_ROW_CHUNK * max * (max + 1));
    ew_rows_free(&rows);
    free(expected);
}

static void test_rows_edit_and_undo_keeps_size(void)
{
    for (int32_t start = 0; start < 3 * EW_ROW_CHUNK; start++) {
        ew_rows rows = {.width = 2};
        CU_ASSERT_EQUAL_FATAL(ew_rows_extend(&rows, 3), EW_OK);
        for (int32_t row = 0; row < 3; row++) {
            for (int32_t key = 0; key < start; key++) {
                CU_ASSERT_EQUAL(ew_rows_insert(&rows, row, (int32_t[]){key, 0}), EW_OK);
            }
        }
        int32_t settled = 0;
        for (int cycle = 0; cycle < 2000; cycle++) {
            int32_t row = cycle % 3;
            for (int32_t key = 0; key < 9; key++) {
                CU_ASSERT_EQUAL(ew_rows_insert(&rows, row, (int32_t[]){100 + key, 0}), EW_OK);
            }
            for (int32_t key = 0; key < 9; key++) {
                ew_rows_remove(&rows, row, 100 + key);
            }
            settled = cycle == 10 ? rows.n_item : settled;
        }
        CU_ASSERT_EQUAL(rows.n_item, settled);
        CU_ASSERT_TRUE(chunks_cover(&rows));
        ew_rows_free(&rows);
    }
}

static void test_rows_limit(void)
{
    static const int32_t count[] = {INT32_MAX, INT32_MAX};
    ew_rows rows = {.n_row = 77};
    CU_ASSERT_EQUAL(ew_rows_init(&rows, 2, 1, count), EW_LIMIT);
    CU_ASSERT_EQUAL(rows.n_row, 77);
}

static void test_rows_allocation_failures(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        oracle *expected = calloc(1, sizeof *expected);
        ew_rows rows = {0};
        ew_test_allocations_begin(k);
        bool failed = ew_rows_init(&rows, 3, 1, (int32_t[]){0, 4, 9}) || ew_rows_extend(&rows, 40);
        CU_ASSERT(!failed || rows.n_row == 0 || rows.n_row == 3);
        for (int32_t i = 0; i < 600 && !failed; i++) {
            int32_t row = i % 40, key = i / 40 * 4;
            failed = ew_rows_insert(&rows, row, &key);
            expected->present[row][key] = !failed;
            CU_ASSERT_TRUE(row_matches(&rows, expected, row));
        }
        ew_rows_free(&rows);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(refused, failed);
        CU_ASSERT(k > 6 || refused);
        free(expected);
    }
}

/* ---- time, threads, progress --------------------------------------------- */

static bool stop_at_half(void *user, const char *stage, double done)
{
    *(const char **)user = stage;
    return done < 0.5;
}

static void test_progress_cancels(void)
{
    const char *stage = "";
    ew_progress progress = {&stage, stop_at_half};
    CU_ASSERT_EQUAL(ew_progress_report(NULL, "a", 0.9), EW_OK);
    CU_ASSERT_EQUAL(ew_progress_report(&(ew_progress){0}, "a", 0.9), EW_OK);
    CU_ASSERT_EQUAL(ew_progress_report(&progress, "solving", 0.4), EW_OK);
    CU_ASSERT_EQUAL(ew_progress_report(&progress, "solving", 0.6), EW_CANCELED);
    CU_ASSERT_STRING_EQUAL(stage, "solving");
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "solving"));
}

static void test_time_and_threads(void)
{
    double start = ew_seconds();
    CU_ASSERT(start > 0 && ew_seconds() >= start);
    ew_use_threads(0);
    CU_ASSERT(ew_threads() >= 1);
    const int all = ew_threads();
    CU_ASSERT_EQUAL(ew_threads_for(0, 1000), 1);
    CU_ASSERT_EQUAL(ew_threads_for(1999, 1000), 1);
    CU_ASSERT_EQUAL(ew_threads_for(2000, 1000), all < 2 ? all : 2);
    CU_ASSERT_EQUAL(ew_threads_for(INT64_MAX, 1), all);
    ew_use_threads(1);
    CU_ASSERT_EQUAL(ew_threads(), 1);
}

/* Keys come back with their first value, also after the table grew; emptied, it is as new. */
static void test_map_keeps_first_values(void)
{
    ew_map map = {0};
    int32_t old;
    CU_ASSERT_EQUAL(ew_map_find(&map, 1, 2, 3), -1);
    for (int round = 0; round < 3; round++) {
        for (int32_t i = 0; i < 1000; i++) {
            CU_ASSERT_EQUAL(ew_map_enter(&map, i % 10, i / 10 % 10, i / 100, i, &old), EW_OK);
            CU_ASSERT_EQUAL(old, -1);
            CU_ASSERT_EQUAL(ew_map_enter(&map, i % 10, i / 10 % 10, i / 100, 7, &old), EW_OK);
            CU_ASSERT_EQUAL(old, i);
        }
        CU_ASSERT_EQUAL(map.n, 1000);
        CU_ASSERT_EQUAL(ew_map_find(&map, 3, 2, 1), 123);
        CU_ASSERT_EQUAL(ew_map_find(&map, 1, 2, 10), -1);
        CU_ASSERT_EQUAL(map.entry[4 * 321 + 3], 321);
        ew_map_clear(&map);
        CU_ASSERT_EQUAL(map.n, 0);
        CU_ASSERT_EQUAL(ew_map_find(&map, 3, 2, 1), -1);
    }
    ew_map_free(&map);
    ew_map_free(&map);
}

static void test_map_without_memory(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_map map = {0};
        int32_t old, n = 0;
        ew_test_allocations_begin(k);
        while (n < 200 && !ew_map_enter(&map, n, -1, -1, n, &old)) {
            n++;
        }
        CU_ASSERT_EQUAL(map.n, n);
        for (int32_t i = 0; i < n; i++) {
            CU_ASSERT_EQUAL(ew_map_find(&map, i, -1, -1), i);
        }
        ew_map_free(&map);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(n, refused ? n : 200);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"status_every_code_has_text", test_status_every_code_has_text},
        {"status_message_and_prefix", test_status_message_and_prefix},
        {"status_long_message_is_cut", test_status_long_message_is_cut},
        {"status_text_without_format", test_status_text_without_format},
        {"refusals_say_subject_and_rule", test_refusals_say_subject_and_rule},
        {"memory_new_and_grow", test_memory_new_and_grow},
        {"memory_limits", test_memory_limits},
        {"list_sorts_as_qsort", test_list_sorts_as_qsort},
        {"map_keeps_first_values", test_map_keeps_first_values},
        {"map_without_memory", test_map_without_memory},
        {"set_members_and_clearing", test_set_members_and_clearing},
        {"set_allocation_failures", test_set_allocation_failures},
        {"rows_random_edits", test_rows_random_edits},
        {"rows_stay_bounded", test_rows_stay_bounded},
        {"rows_edit_and_undo_keeps_size", test_rows_edit_and_undo_keeps_size},
        {"rows_limit", test_rows_limit},
        {"rows_allocation_failures", test_rows_allocation_failures},
        {"progress_cancels", test_progress_cancels},
        {"time_and_threads", test_time_and_threads},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"base", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
