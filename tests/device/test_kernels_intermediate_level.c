/* The kernels of intermediate_level.cl that every iteration runs, against plain loops, in both precisions and
 * at odd sizes. gather_groups is compared bit for bit in test_device_levels.c. */
#include "kernels_fixture.h"

#define SMOOTH_ROWS 16
#define SLOTS       8

/* Rows in a ring, tied to the next ones and to those seven further on; groups of any rows. */
typedef struct level {
    int32_t n, n_pair, n_group;
    int32_t *begin, *count, *item; /* [n], [n], [][2] */
    int32_t *group_of, *member_begin, *member_count, *member, *position;
    ew_buffer there[8];
    vector diagonal, pair, block, b, x;
} level;

static void send_ints(ew_buffer *buffer, const int32_t *value, int32_t n)
{
    const size_t bytes = (size_t)n * sizeof *value;
    must(ew_buffer_reserve(device, buffer, bytes));
    must(ew_buffer_write(device, buffer, 0, bytes, value));
}

/* The pair of row a and the one `step` further on, from either side. */
static void add_item(level *l, int32_t a, int32_t b, int32_t pair)
{
    int32_t *item = l->item + 2 * (l->begin[a] + l->count[a]++);
    item[0] = b;
    item[1] = pair;
}

static void tie_rows(level *l)
{
    for (int32_t a = 0; a < l->n; a++) {
        l->begin[a] = 4 * a;
    }
    for (int32_t step = 1; step <= 7; step += 6) {
        for (int32_t a = 0; a + step < l->n; a++) {
            add_item(l, a, a + step, l->n_pair);
            add_item(l, a + step, a, l->n_pair++);
        }
    }
}

static void group_rows(level *l)
{
    int32_t n_member = 0;
    for (int32_t row = 0; row < l->n; row++) {
        l->group_of[row] = (int32_t)ew_test_random(&random_state, (uint32_t)l->n_group + 1) - 1;
    }
    for (int32_t g = 0; g < l->n_group; g++) {
        l->position[g] = (g + 1) % l->n_group;
        l->member_begin[g] = n_member;
        for (int32_t row = 0; row < l->n; row++) {
            if (l->group_of[row] == g) {
                l->member[n_member++] = row;
            }
        }
        l->member_count[g] = n_member - l->member_begin[g];
    }
}

static level make_level(int32_t n, bool single)
{
    level l = {.n = n, .n_group = n / 20 + 1};
    int32_t **const array[] = {&l.begin,        &l.count,        &l.item,   &l.group_of,
                               &l.member_begin, &l.member_count, &l.member, &l.position};
    for (int k = 0; k < 8; k++) {
        must(ew_new_zero(array[k], 8 * (size_t)n + 8, sizeof **array[k]));
    }
    tie_rows(&l);
    group_rows(&l);
    for (int k = 0; k < 8; k++) {
        send_ints(&l.there[k], *array[k], 8 * n + 8);
    }
    l.diagonal = make(36 * (size_t)n, single);
    l.pair = make(36 * ((size_t)l.n_pair + 1), single);
    l.block = make(36 * (size_t)n, single);
    l.b = make(6 * (size_t)n, single);
    l.x = make(6 * (size_t)n, single);
    return l;
}

static void drop_level(level *l)
{
    int32_t *const array[] = {l->begin,        l->count,        l->item,   l->group_of,
                              l->member_begin, l->member_count, l->member, l->position};
    for (int k = 0; k < 8; k++) {
        ew_release(array[k]);
        ew_buffer_free(&l->there[k]);
    }
    drop(&l->diagonal);
    drop(&l->pair);
    drop(&l->block);
    drop(&l->b);
    drop(&l->x);
}

/* b - A x in a row. */
static void find_residual(const level *l, int32_t row, double rest[6])
{
    for (int32_t i = 0; i < 6; i++) {
        const size_t at = 6 * (size_t)row + (size_t)i;
        rest[i] = l->b.value[at];
        for (int32_t j = 0; j < 6; j++) {
            rest[i] -= l->diagonal.value[6 * at + (size_t)j] * l->x.value[6 * row + j];
        }
        for (int32_t k = 0; k < l->count[row]; k++) {
            const int32_t *item = l->item + 2 * (l->begin[row] + k);
            const double *block = l->pair.value + 36 * item[1];
            for (int32_t j = 0; j < 6; j++) {
                rest[i] -= (row < item[0] ? block[6 * i + j] : block[6 * j + i]) *
                           l->x.value[6 * item[0] + j];
            }
        }
    }
}

static void smooth_one(int32_t n, bool single)
{
    level l = make_level(n, single);
    for (int32_t row = 0; row < n; row++) { /* blocks that are symmetric */
        double *block = l.block.value + 36 * row;
        for (int i = 0; i < 36; i++) {
            block[i] = block[6 * (i % 6) + i / 6];
        }
    }
    send(&l.block);
    for (int32_t from_zero = 0; from_zero < 2; from_zero++) {
        vector y = make(6 * (size_t)n, single);
        double *expected = calloc(y.n, sizeof *expected);
        for (int32_t row = 0; row < n; row++) {
            double rest[6];
            find_residual(&l, row, rest);
            for (int32_t k = 0; k < 36; k++) {
                const double *from = from_zero ? l.b.value + 6 * row : rest;
                expected[6 * row + k / 6] += l.block.value[36 * row + k] * from[k % 6];
            }
            for (int32_t i = 6 * row; i < 6 * row + 6; i++) {
                expected[i] += from_zero ? 0.0 : l.x.value[i];
            }
        }
        const ew_argument argument[] = {EW_ARG_VALUE(n),
                                        EW_ARG_VALUE(from_zero),
                                        EW_ARG_BUFFER(&l.there[0]),
                                        EW_ARG_BUFFER(&l.there[1]),
                                        EW_ARG_BUFFER(&l.there[2]),
                                        EW_ARG_BUFFER(&l.diagonal.buffer),
                                        EW_ARG_BUFFER(&l.pair.buffer),
                                        EW_ARG_BUFFER(&l.block.buffer),
                                        EW_ARG_BUFFER(&l.b.buffer),
                                        EW_ARG_BUFFER(&l.x.buffer),
                                        EW_ARG_BUFFER(&y.buffer)};
        run("intermediate_level", "smooth_rows", single, ((size_t)n + SMOOTH_ROWS - 1) / SMOOTH_ROWS,
            6 * SMOOTH_ROWS, 11, argument);
        expect_close(&y, expected, single, 400.0);
        free(expected);
        drop(&y);
    }
    drop_level(&l);
}

static void restrict_one(int32_t n, bool single)
{
    level l = make_level(n, single);
    vector coarse = make(6 * (size_t)l.n_group, single);
    double *expected = calloc(coarse.n, sizeof *expected);
    for (int32_t row = 0; row < n; row++) {
        double rest[6];
        find_residual(&l, row, rest);
        for (int32_t k = 0; k < 36 && l.group_of[row] >= 0; k++) {
            expected[6 * l.position[l.group_of[row]] + k % 6] +=
                l.block.value[36 * row + k] * rest[k / 6];
        }
    }
    const ew_argument argument[] = {
        EW_ARG_BUFFER(&l.there[4]),    EW_ARG_BUFFER(&l.there[5]),
        EW_ARG_BUFFER(&l.there[6]),    EW_ARG_BUFFER(&l.there[7]),
        EW_ARG_BUFFER(&l.there[0]),    EW_ARG_BUFFER(&l.there[1]),
        EW_ARG_BUFFER(&l.there[2]),    EW_ARG_BUFFER(&l.diagonal.buffer),
        EW_ARG_BUFFER(&l.pair.buffer), EW_ARG_BUFFER(&l.block.buffer),
        EW_ARG_BUFFER(&l.b.buffer),    EW_ARG_BUFFER(&l.x.buffer),
        EW_ARG_BUFFER(&coarse.buffer)};
    run("intermediate_level", "restrict_rows", single, (size_t)l.n_group, 6 * SLOTS, 13, argument);
    expect_close(&coarse, expected, single, 20000.0);
    free(expected);
    drop(&coarse);
    drop_level(&l);
}

static void prolong_one(int32_t n, bool single)
{
    level l = make_level(n, single);
    vector coarse = make(6 * (size_t)l.n_group, single), y = make(6 * (size_t)n, single);
    double *expected = calloc(y.n, sizeof *expected);
    for (int32_t i = 0; i < 6 * n; i++) {
        const int32_t group = l.group_of[i / 6];
        expected[i] = y.value[i];
        for (int32_t j = 0; j < 6 && group >= 0; j++) {
            expected[i] += l.block.value[6 * i + j] * coarse.value[6 * l.position[group] + j];
        }
    }
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_BUFFER(&l.there[3]),
                                    EW_ARG_BUFFER(&l.there[7]),
                                    EW_ARG_BUFFER(&l.block.buffer),
                                    EW_ARG_BUFFER(&coarse.buffer),
                                    EW_ARG_BUFFER(&y.buffer)};
    run("intermediate_level", "prolong_rows", single, (size_t)n, 6, 6, argument);
    expect_close(&y, expected, single, 50.0);
    free(expected);
    drop(&coarse);
    drop(&y);
    drop_level(&l);
}

static void test_smooth_rows(void)
{
    for_all(smooth_one);
}
static void test_restrict_rows(void)
{
    for_all(restrict_one);
}
static void test_prolong_rows(void)
{
    for_all(prolong_one);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"smooth_rows", test_smooth_rows},
        {"restrict_rows", test_restrict_rows},
        {"prolong_rows", test_prolong_rows},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"kernels of groups", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
