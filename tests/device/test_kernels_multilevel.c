/* The kernels of multilevel.cl that every iteration runs, against plain loops, in both precisions,
 * at odd sizes and with fewer groups than rows; and the dense inverse that they multiply with.
 * find_strength and gather_coarse are compared bit for bit in test_device_multilevel.c. */
#include "kernels_fixture.h"

#include "solver/factor/block_cholesky.h"

#define LANES 64

/* Rows dealt to aggregates at random, some to none; an aggregate may be empty. */
typedef struct aggregates {
    int32_t n_row, n;
    int32_t *of_row, *begin, *count, *member, *position;
    ew_buffer of_row_there, begin_there, count_there, member_there, position_there;
    vector place;  /* in the type of sums, as is: */
    vector normal; /* [n_oblique][2][3]; none is of unit length, which plain loops need not know */
    int32_t n_oblique, *oblique_row;
    ew_buffer oblique_there;
    uint8_t *fixed;
    ew_buffer fixed_there;
} aggregates;

static void send_ints(ew_buffer *buffer, const int32_t *value, int32_t n)
{
    const size_t bytes = (size_t)n * sizeof *value;
    must(ew_buffer_reserve(device, buffer, bytes));
    must(ew_buffer_write(device, buffer, 0, bytes, value));
}

/* Every fourth row, whatever else is fixed in it. */
static void make_oblique(aggregates *a)
{
    must(ew_new_zero(&a->oblique_row, (size_t)a->n_row, sizeof *a->oblique_row));
    for (int32_t row = 0; row < a->n_row; row += 4) {
        a->fixed[row] |= 8;
        a->oblique_row[a->n_oblique++] = row;
    }
    must(ew_buffer_write(device, &a->fixed_there, 0, (size_t)a->n_row, a->fixed));
    send_ints(&a->oblique_there, a->oblique_row, a->n_row);
    a->normal = make(6 * (size_t)a->n_row, sums_are_single());
}

static void take_out(const aggregates *a, int32_t row, double v[3])
{
    const double *n = a->normal.value + 6 * (row / 4);
    for (int i = 0; i < 6 && row % 4 == 0; i += 3) {
        const double along = n[i] * v[0] + n[i + 1] * v[1] + n[i + 2] * v[2];
        for (int c = 0; c < 3; c++) {
            v[c] -= along * n[i + c];
        }
    }
}

static aggregates make_aggregates(int32_t n_row)
{
    aggregates a = {.n_row = n_row, .n = n_row / 9 + 2};
    int32_t n_member = 0;
    must(ew_new(&a.of_row, (size_t)n_row, sizeof *a.of_row));
    must(ew_new(&a.begin, (size_t)a.n, sizeof *a.begin));
    must(ew_new(&a.count, (size_t)a.n, sizeof *a.count));
    must(ew_new_zero(&a.member, (size_t)n_row, sizeof *a.member));
    must(ew_new(&a.position, (size_t)a.n, sizeof *a.position));
    for (int32_t row = 0; row < n_row; row++) { /* most of them go to the first ones */
        const int32_t of = (int32_t)ew_test_random(&random_state, (uint32_t)a.n) - 1;
        a.of_row[row] = row % 3 && of >= 0 ? 0 : of;
    }
    for (int32_t k = 0; k < a.n; k++) {
        a.begin[k] = n_member;
        a.position[k] = (k + 1) % a.n;
        for (int32_t row = 0; row < n_row; row++) {
            if (a.of_row[row] == k) {
                a.member[n_member++] = row;
            }
        }
        a.count[k] = n_member - a.begin[k];
    }
    send_ints(&a.of_row_there, a.of_row, n_row);
    send_ints(&a.begin_there, a.begin, a.n);
    send_ints(&a.count_there, a.count, a.n);
    send_ints(&a.member_there, a.member, n_row);
    send_ints(&a.position_there, a.position, a.n);
    a.place = make(3 * (size_t)n_row, sums_are_single());
    a.fixed = make_fixed(n_row, &a.fixed_there);
    make_oblique(&a);
    return a;
}

static void drop_aggregates(aggregates *a)
{
    ew_buffer *const buffer[] = {&a->of_row_there, &a->begin_there,    &a->count_there,
                                 &a->member_there, &a->position_there, &a->fixed_there,
                                 &a->oblique_there};
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++) {
        ew_buffer_free(buffer[i]);
    }
    drop(&a->place);
    drop(&a->normal);
    ew_release(a->oblique_row);
    ew_release(a->of_row);
    ew_release(a->begin);
    ew_release(a->count);
    ew_release(a->member);
    ew_release(a->position);
    ew_release(a->fixed);
}

typedef struct number {
    double wide;
    float narrow;
} number;

static ew_argument number_argument(const number *value, bool single)
{
    return single ? EW_ARG_VALUE(value->narrow) : EW_ARG_VALUE(value->wide);
}

/* ---- restriction and prolongation ---------------------------------------- */

static void restrict_one(int32_t n, bool single)
{
    static const number damping = {0.5, 0.5F};
    aggregates a = make_aggregates(n);
    vector r = make(3 * (size_t)n, single), y = make(3 * (size_t)n, single);
    vector coarse = make(6 * (size_t)a.n, single);
    double *expected = calloc(coarse.n, sizeof *expected);
    for (int32_t row = 0; row < n; row++) {
        const double *d = a.place.value + 3 * (size_t)row;
        double t[3];
        if (a.of_row[row] < 0) {
            continue;
        }
        for (size_t c = 0; c < 3; c++) {
            const size_t i = 3 * (size_t)row + c;
            t[c] = is_fixed(a.fixed, i) ? 0.0 : r.value[i] - damping.wide * y.value[i];
        }
        take_out(&a, row, t);
        double *to = expected + 6 * (size_t)a.position[a.of_row[row]];
        for (int c = 0; c < 3; c++) {
            to[c] += t[c];
            to[3 + c] += d[(c + 1) % 3] * t[(c + 2) % 3] - d[(c + 2) % 3] * t[(c + 1) % 3];
        }
    }
    const ew_argument argument[] = {
        number_argument(&damping, single), EW_ARG_BUFFER(&a.begin_there),
        EW_ARG_BUFFER(&a.count_there),     EW_ARG_BUFFER(&a.member_there),
        EW_ARG_BUFFER(&a.place.buffer),    EW_ARG_BUFFER(&a.fixed_there),
        EW_ARG_BUFFER(&a.position_there),  EW_ARG_VALUE(a.n_oblique),
        EW_ARG_BUFFER(&a.oblique_there),   EW_ARG_BUFFER(&a.normal.buffer),
        EW_ARG_BUFFER(&r.buffer),          EW_ARG_BUFFER(&y.buffer),
        EW_ARG_BUFFER(&coarse.buffer)};
    run("multilevel", "restrict_residual", single, (size_t)a.n, LANES, 13, argument);
    expect_close(&coarse, expected, single, 20.0 + (double)n);
    free(expected);
    drop(&r);
    drop(&y);
    drop(&coarse);
    drop_aggregates(&a);
}

static void prolong_one(int32_t n, bool single)
{
    static const number damping = {0.5, 0.5F};
    aggregates a = make_aggregates(n);
    vector z = make(3 * (size_t)n, single), coarse = make(6 * (size_t)a.n, single);
    double *expected = calloc(z.n, sizeof *expected);
    for (int32_t row = 0; row < n; row++) {
        const int32_t of = a.of_row[row];
        const double *d = a.place.value + 3 * (size_t)row;
        const double *q = of >= 0 ? coarse.value + 6 * (size_t)a.position[of] : NULL;
        double move[3] = {0.0, 0.0, 0.0};
        for (size_t c = 0; c < 3 && q; c++) {
            const size_t e = (c + 1) % 3, f = (c + 2) % 3;
            move[c] = q[c] + q[3 + e] * d[f] - q[3 + f] * d[e];
        }
        take_out(&a, row, move);
        for (size_t c = 0; c < 3; c++) {
            const size_t i = 3 * (size_t)row + c;
            expected[i] = damping.wide * z.value[i] + (is_fixed(a.fixed, i) ? 0.0 : move[c]);
        }
    }
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    number_argument(&damping, single),
                                    EW_ARG_BUFFER(&a.of_row_there),
                                    EW_ARG_BUFFER(&a.place.buffer),
                                    EW_ARG_BUFFER(&a.fixed_there),
                                    EW_ARG_BUFFER(&a.position_there),
                                    EW_ARG_VALUE(a.n_oblique),
                                    EW_ARG_BUFFER(&a.oblique_there),
                                    EW_ARG_BUFFER(&a.normal.buffer),
                                    EW_ARG_BUFFER(&coarse.buffer),
                                    EW_ARG_BUFFER(&z.buffer)};
    run("multilevel", "prolong", single, groups_for(n, GROUP), GROUP, 11, argument);
    expect_close(&z, expected, single, 10.0);
    free(expected);
    drop(&z);
    drop(&coarse);
    drop_aggregates(&a);
}

/* ---- the last sweep ------------------------------------------------------ */

static void smooth_one(int32_t n, bool single)
{
    static const number damping = {0.5, 0.5F};
    static const int place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    const size_t n_group = groups_for(n, GROUP), stride = (size_t)n + 5;
    const int32_t stride_there = (int32_t)stride;
    vector inverse = make(6 * stride, single), partial = make(n_group, sums_are_single());
    vector r = make(3 * (size_t)n, single), y = make(3 * (size_t)n, single);
    vector z = make(3 * (size_t)n, single);
    double *expected = calloc(z.n, sizeof *expected), rz = 0.0;
    for (size_t i = 0; i < z.n; i++) {
        expected[i] = z.value[i];
        for (size_t c = 0; c < 3; c++) {
            const size_t at = i / 3 * 3 + c;
            expected[i] += damping.wide * inverse.value[(size_t)place[i % 3][c] * stride + i / 3] *
                           (r.value[at] - y.value[at]);
        }
        rz += r.value[i] * expected[i];
    }
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(stride_there),
                                    number_argument(&damping, single),
                                    EW_ARG_BUFFER(&inverse.buffer),
                                    EW_ARG_BUFFER(&r.buffer),
                                    EW_ARG_BUFFER(&y.buffer),
                                    EW_ARG_BUFFER(&z.buffer),
                                    EW_ARG_BUFFER(&partial.buffer)};
    run("multilevel", "smooth_last", single, n_group, GROUP, 8, argument);
    expect_close(&z, expected, single, 20.0);
    expect_sum(&partial, n_group, 0, rz, single, 20.0 * (double)(n + 1));
    free(expected);
    drop(&inverse);
    drop(&partial);
    drop(&r);
    drop(&y);
    drop(&z);
}

/* ---- the dense triangle -------------------------------------------------- */

static void multiply_one(int32_t n_row, bool single)
{
    const int32_t n = n_row < 300 ? n_row : 300;
    vector dense = make((size_t)n * (size_t)n, single), x = make((size_t)n, single);
    for (int32_t upper = 0; upper < 2; upper++) {
        vector y = make((size_t)n, single);
        double *expected = calloc((size_t)n, sizeof *expected);
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = upper ? i : 0; j < (upper ? n : i + 1); j++) {
                expected[i] += dense.value[(size_t)i * (size_t)n + (size_t)j] * x.value[j];
            }
        }
        const ew_argument argument[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(upper),
                                        EW_ARG_BUFFER(&dense.buffer), EW_ARG_BUFFER(&x.buffer),
                                        EW_ARG_BUFFER(&y.buffer)};
        run("multilevel", "multiply_triangle", single, (size_t)n, LANES, 5, argument);
        expect_close(&y, expected, single, 20.0 + (double)n);
        free(expected);
        drop(&y);
    }
    drop(&dense);
    drop(&x);
}

/* A ring of n rows with chords, diagonally dominant: W^T W x is what the factor's solve gives. */
static void invert_one(int32_t n)
{
    ew_pattern pattern = {0};
    ew_block_cholesky factor = {0};
    int32_t *order = calloc((size_t)n, sizeof *order), pair;
    for (int32_t a = 0; a < n; a++) {
        order[a] = (7 * a) % n; /* n is no multiple of 7 */
        for (int32_t b = a + 1; b < n; b++) {
            if (b == a + 1 || b - a == n - 1 || (a % 5 == 0 && b == a + n / 3)) {
                must(ew_pattern_open_pair(&pattern, a, b, &pair));
            }
        }
    }
    pattern.n_row = n;
    must(ew_pattern_index(&pattern));
    const size_t n_pair = (size_t)pattern.n_pair, m = 6 * (size_t)n;
    double *diagonal = calloc(36 * (size_t)n, sizeof *diagonal);
    double *block = calloc(36 * n_pair + 1, sizeof *block);
    double *dense = calloc(m * m, sizeof *dense), *x = calloc(m + 6, sizeof *x);
    double *work = calloc(8 * (size_t)n, sizeof *work), *y = calloc(m, sizeof *y);
    for (size_t i = 0; i < 36 * n_pair; i++) {
        block[i] = uniform();
    }
    for (size_t i = 0; i < 36 * (size_t)n; i++) {
        diagonal[i] = i % 36 % 7 == 0 ? 40.0 : 0.5;
    }
    must(ew_block_cholesky_analyze(&factor, &pattern, n, order));
    ew_block_cholesky_mark_all(&factor);
    ew_block_cholesky_factor(&factor, &(ew_block_source){&pattern, diagonal, block});
    CU_ASSERT_EQUAL(factor.n_raised, 0);
    ew_block_cholesky_invert(&factor, dense);
    for (size_t i = 0; i < m; i++) {
        x[6 * (size_t)factor.order[i / 6] + i % 6] = uniform();
    }
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j <= i; j++) {
            y[i] += dense[i * m + j] * x[6 * (size_t)factor.order[j / 6] + j % 6];
        }
    }
    ew_block_cholesky_solve(&factor, x, work);
    for (size_t i = 0; i < m; i++) {
        double sum = 0.0;
        for (size_t j = i; j < m; j++) {
            sum += dense[i * m + j] * y[j];
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, x[6 * (size_t)factor.order[i / 6] + i % 6], 1e-14);
    }
    ew_block_cholesky_free(&factor);
    ew_pattern_free(&pattern);
    double *const all[] = {diagonal, block, dense, x, work, y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
    free(order);
}

/* ---- tests --------------------------------------------------------------- */

static void test_restriction(void)
{
    for_all(restrict_one);
}
static void test_prolongation(void)
{
    for_all(prolong_one);
}
static void test_last_sweep(void)
{
    for_all(smooth_one);
}
static void test_dense_triangle(void)
{
    for_all(multiply_one);
}
static void test_dense_inverse(void)
{
    invert_one(1);
    invert_one(2);
    invert_one(31);
    invert_one(60);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"restriction", test_restriction},     {"prolongation", test_prolongation},
        {"last_sweep", test_last_sweep},       {"dense_triangle", test_dense_triangle},
        {"dense_inverse", test_dense_inverse}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"multilevel kernels", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
