/* Every kernel of pcg.cl against plain loops. */
#include "kernels_fixture.h"
#include "solver/krylov/pcg.h"

/* ---- pcg.cl ---------------------------------------------------------------- */

/* Random symmetric positive definite blocks, condition about 10. */
static void make_diagonal(vector *diagonal, int32_t n)
{
    for (size_t row = 0; row < (size_t)n; row++) {
        double *a = diagonal->value + 9 * row;
        for (size_t i = 0; i < 3; i++) {
            for (size_t j = 0; j <= i; j++) {
                a[3 * i + j] = a[3 * j + i] = i == j ? 2.5 + uniform() * 0.4 : 0.7 * uniform();
            }
        }
    }
    send(diagonal);
}

static double determinant(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* By Cramer's rule: inverse entry (i, j) of the block with fixed rows and columns made identity. */
static double inverse_entry(const double *block, uint8_t fixed, bool scalar, size_t i, size_t j)
{
    double a[9], b[9];
    for (size_t k = 0; k < 9; k++) {
        bool cut = (fixed >> k / 3 | fixed >> k % 3) & 1 || (scalar && k / 3 != k % 3);
        a[k] = !cut ? block[k] : k / 3 == k % 3 ? 1.0 : 0.0;
    }
    memcpy(b, a, sizeof b);
    for (size_t k = 0; k < 3; k++) {
        b[3 * k + i] = k == j ? 1.0 : 0.0;
    }
    return (fixed >> i | fixed >> j) & 1 ? 0.0 : determinant(b) / determinant(a);
}

static void invert(const vector *diagonal, const uint8_t *fixed, bool scalar, vector *inverse)
{
    static const size_t row_of[6] = {0, 0, 0, 1, 1, 2}, column_of[6] = {0, 1, 2, 1, 2, 2};
    size_t n = diagonal->n / 9;
    for (size_t k = 0; k < 6; k++) {
        for (size_t row = 0; row < n; row++) {
            inverse->value[k * n + row] = inverse_entry(diagonal->value + 9 * row, fixed[row],
                                                        scalar, row_of[k], column_of[k]);
        }
    }
}

/* Rows of the list, or the first n when it is null. */
static void run_invert(int32_t n, const ew_buffer *list, int32_t scalar, const ew_buffer *fixed,
                       const vector *diagonal, const vector *inverse, const vector *partial,
                       size_t n_group)
{
    const int32_t stride = (int32_t)(inverse->n / 6), listed = list != NULL, behind = 0;
    const ew_argument argument[] = {EW_ARG_VALUE(n),
                                    EW_ARG_VALUE(listed),
                                    EW_ARG_BUFFER(list ? list : fixed),
                                    EW_ARG_VALUE(stride),
                                    EW_ARG_VALUE(scalar),
                                    EW_ARG_VALUE(behind),
                                    EW_ARG_BUFFER(fixed),
                                    EW_ARG_BUFFER(&diagonal->buffer),
                                    EW_ARG_BUFFER(&inverse->buffer),
                                    EW_ARG_BUFFER(&partial->buffer)};
    run("pcg", "invert_diagonal", inverse->single, n_group, GROUP, 10, argument);
}

static void invert_diagonal(int32_t n, bool single)
{
    vector diagonal = make(9 * (size_t)n, sums_are_single());
    vector inverse = make(6 * (size_t)n, single);
    size_t n_group = groups_for(n, GROUP);
    vector partial = make(2 * n_group, sums_are_single());
    ew_buffer buffer = {0};
    uint8_t *fixed = make_fixed(n, &buffer);
    make_diagonal(&diagonal, n);
    for (int32_t scalar = 0; scalar < 2; scalar++) {
        run_invert(n, NULL, scalar, &buffer, &diagonal, &inverse, &partial, n_group);
        invert(&diagonal, fixed, scalar, &inverse);
        expect_close(&inverse, inverse.value, single, 100.0);
        expect_sum(&partial, n_group, 0, 0.0, single, 0.0);
        expect_sum(&partial, n_group, 1, 0.0, single, 0.0);
    }
    memset(fixed, 0, (size_t)n);
    must(ew_buffer_write(device, &buffer, 0, (size_t)n, fixed));
    diagonal.value[9 * (size_t)n - 1] = NAN;
    diagonal.value[0] = n > 1 ? -1.0 : 1.0;
    send(&diagonal);
    run_invert(n, NULL, 0, &buffer, &diagonal, &inverse, &partial, n_group);
    expect_sum(&partial, n_group, 0, 1.0, single, 0.0);
    expect_sum(&partial, n_group, 1, n > 1 ? 1.0 : 0.0, single, 0.0);
    drop(&diagonal);
    drop(&inverse);
    drop(&partial);
    ew_release(fixed);
    ew_buffer_free(&buffer);
}
/* Every third row again with other constraints; the stride leaves room for more rows. */
static void invert_listed_rows(int32_t n, bool single)
{
    const int32_t stride = n + 5, n_list = (n + 2) / 3;
    vector diagonal = make(9 * (size_t)stride, sums_are_single());
    vector inverse = make(6 * (size_t)stride, single);
    size_t n_group = groups_for(n, GROUP);
    vector partial = make(2 * n_group, sums_are_single());
    ew_buffer buffer = {0}, list = {0};
    uint8_t *fixed = make_fixed(stride, &buffer);
    int32_t *row = NULL;
    make_diagonal(&diagonal, stride);
    run_invert(n, NULL, 0, &buffer, &diagonal, &inverse, &partial, n_group);
    must(ew_new(&row, (size_t)n_list, sizeof *row));
    for (int32_t i = 0; i < n_list; i++) {
        row[i] = 3 * i;
        fixed[3 * i] = (uint8_t)(i % 8);
    }
    must(ew_buffer_reserve(device, &list, (size_t)n_list * sizeof *row));
    must(ew_buffer_write(device, &list, 0, (size_t)n_list * sizeof *row, row));
    must(ew_buffer_write(device, &buffer, 0, (size_t)n, fixed));
    run_invert(n_list, &list, 0, &buffer, &diagonal, &inverse, &partial, n_group);
    vector expected = make(6 * (size_t)stride, single);
    memcpy(expected.value, inverse.value, 6 * (size_t)stride * sizeof *expected.value);
    invert(&diagonal, fixed, false, &expected);
    for (size_t k = 0; k < 6; k++) { /* rows beyond n stay as they were made */
        memcpy(expected.value + k * (size_t)stride + n, inverse.value + k * (size_t)stride + n,
               5 * sizeof *expected.value);
    }
    expect_close(&inverse, expected.value, single, 100.0);
    drop(&diagonal);
    drop(&inverse);
    drop(&expected);
    drop(&partial);
    ew_release(fixed);
    ew_release(row);
    ew_buffer_free(&buffer);
    ew_buffer_free(&list);
}

static void test_invert_diagonal(void)
{
    for_all(invert_diagonal);
    for_all(invert_listed_rows);
}

/* z = M^-1 r; returns r . z */
static double precondition(const vector *inverse, const double *r, double *z)
{
    static const size_t place[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    size_t n = inverse->n / 6;
    double rz = 0.0;
    for (size_t i = 0; i < 3 * n; i++) {
        z[i] = 0.0;
        for (size_t j = 0; j < 3; j++) {
            z[i] += inverse->value[place[i % 3][j] * n + i / 3] * r[i / 3 * 3 + j];
        }
        rz += r[i] * z[i];
    }
    return rz;
}

/* The scalars, as in pcg.cl, with room for what two iterations found. */
enum { RZ, ALPHA, BETA, ENDED, STEP, N_STATE = STEP + 6 };
static vector make_state(double alpha, double beta, bool ended)
{
    vector state = make(N_STATE, sums_are_single());
    state.value[RZ] = 2.0;
    state.value[ALPHA] = alpha;
    state.value[BETA] = beta;
    state.value[ENDED] = ended;
    send(&state);
    return state;
}

/* narrows: the preconditioner is in single precision, the rest is not. */
static void compare_start_and_advance(int32_t n, bool single, bool narrows)
{
    const char *options = narrows ? EW_PCG_NARROWS : ew_device_real_options(device, single);
    const bool applied = single || narrows;
    size_t m = 3 * (size_t)n, n_group = groups_for(n, GROUP);
    vector inverse = make(6 * (size_t)n, applied), p = make(m, single), q = make(m, single);
    vector r = make(m, single), z = make(m, applied), d = make(m, sums_are_single());
    vector narrow = make(m, true), state = make_state(0.75, 0.0, false);
    vector ended = make_state(0.75, 0.0, true);
    vector partial = make(2 * n_group, sums_are_single());
    const ew_argument start[] = {EW_ARG_VALUE(n),
                                 EW_ARG_VALUE(n),
                                 EW_ARG_BUFFER(&inverse.buffer),
                                 EW_ARG_BUFFER(&r.buffer),
                                 EW_ARG_BUFFER(narrows ? &narrow.buffer : &r.buffer),
                                 EW_ARG_BUFFER(&z.buffer),
                                 EW_ARG_BUFFER(&p.buffer),
                                 EW_ARG_BUFFER(&partial.buffer)};
    run_with(options, "pcg", "start", n_group, GROUP, 8, start);
    double rz = precondition(&inverse, r.value, z.value), rr = 0.0, roundings = 20.0 * n + 50.0;
    expect_close(&z, z.value, applied, 20.0);
    expect_close(&p, z.value, applied, 20.0);
    expect_sum(&partial, n_group, 0, rz, applied, roundings);

    send(&p);
    send(&z);
    ew_argument advance[] = {EW_ARG_VALUE(n),
                             EW_ARG_VALUE(n),
                             EW_ARG_BUFFER(&ended.buffer),
                             EW_ARG_BUFFER(&inverse.buffer),
                             EW_ARG_BUFFER(&p.buffer),
                             EW_ARG_BUFFER(&q.buffer),
                             EW_ARG_BUFFER(&d.buffer),
                             EW_ARG_BUFFER(&r.buffer),
                             EW_ARG_BUFFER(narrows ? &narrow.buffer : &r.buffer),
                             EW_ARG_BUFFER(&z.buffer),
                             EW_ARG_BUFFER(&partial.buffer)};
    run_with(options, "pcg", "advance", n_group, GROUP, 11, advance);
    expect_close(&d, d.value, sums_are_single(), 0.0);
    expect_close(&r, r.value, single, 0.0);
    advance[2] = EW_ARG_BUFFER(&state.buffer);
    run_with(options, "pcg", "advance", n_group, GROUP, 11, advance);
    for (size_t i = 0; i < m; i++) {
        d.value[i] += 0.75 * p.value[i];
        r.value[i] -= 0.75 * q.value[i];
        rr += r.value[i] * r.value[i];
    }
    rz = precondition(&inverse, r.value, z.value);
    expect_close(&d, d.value, sums_are_single(), 10.0);
    expect_close(&r, r.value, single, 10.0);
    expect_close(&z, z.value, applied, 50.0);
    if (narrows) {
        expect_close(&narrow, r.value, true, 10.0);
    }
    expect_sum(&partial, n_group, 0, rz, applied, 4.0 * roundings);
    expect_sum(&partial, n_group, 1, rr, single, 4.0 * roundings);
    vector *const all[] = {&inverse, &p, &q, &r, &z, &d, &narrow, &partial, &state, &ended};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        drop(all[i]);
    }
}
static void start_and_advance(int32_t n, bool single)
{
    compare_start_and_advance(n, single, false);
    if (!single) {
        compare_start_and_advance(n, false, true);
    }
}
static void test_start_and_advance(void)
{
    for_all(start_and_advance);
}

static void direction(int32_t n, bool single)
{
    size_t m = 3 * (size_t)n;
    vector z = make(m, single), p = make(m, single), state = make_state(0.0, 0.3, false);
    const ew_argument argument[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&state.buffer),
                                    EW_ARG_BUFFER(&z.buffer), EW_ARG_BUFFER(&p.buffer)};
    run("pcg", "direction", single, groups_for(n, GROUP), GROUP, 4, argument);
    for (size_t i = 0; i < m; i++) {
        p.value[i] = z.value[i] + (single ? (double)0.3F : 0.3) * p.value[i];
    }
    expect_close(&p, p.value, single, 5.0);
    drop(&z);
    drop(&p);
    drop(&state);
}
static void test_direction(void)
{
    for_all(direction);
}

/* Runs find_alpha, or find_beta where `enough` is a number, for the second of two iterations. */
static void run_scalars(const vector *partial, bool single, const double *enough, vector *state)
{
    const bool is_alpha = isnan(*enough);
    const int32_t n = (int32_t)(partial->n / (is_alpha ? 1 : 2)), step = 1;
    const float narrow = (float)*enough;
    const ew_argument limit = sums_are_single() ? EW_ARG_VALUE(narrow) : EW_ARG_VALUE(*enough);
    const ew_argument alpha[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(step),
                                 EW_ARG_BUFFER(&partial->buffer), EW_ARG_BUFFER(&state->buffer)};
    const ew_argument beta[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(step), limit,
                                EW_ARG_BUFFER(&partial->buffer), EW_ARG_BUFFER(&state->buffer)};
    run("pcg", is_alpha ? "find_alpha" : "find_beta", single, 1, GROUP, is_alpha ? 4 : 5,
        is_alpha ? alpha : beta);
}

/* The state is what it was, but for these. */
static void expect_state(vector *state, const double change[][2], int n_change, double roundings)
{
    for (int i = 0; i < n_change; i++) {
        state->value[(int)change[i][0]] = change[i][1];
    }
    expect_close(state, state->value, sums_are_single(), roundings);
}

/* alpha, beta and the end; and once it has come, nothing. */
static void scalars(int32_t n, bool single)
{
    const double roundings = 20.0 * n + 50.0, none = NAN, all = -1.0;
    vector partial = make((size_t)n, sums_are_single());
    vector two = make(2 * (size_t)n, sums_are_single());
    double sum[3] = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < (size_t)n; i++) {
        partial.value[i] = fabs(partial.value[i]) + 1.0;
        two.value[(size_t)n + i] = fabs(two.value[(size_t)n + i]);
        sum[0] += partial.value[i];
        sum[1] += two.value[i];
        sum[2] += two.value[(size_t)n + i];
    }
    send(&partial);
    send(&two);
    for (int ended = 0; ended < 2; ended++) {
        vector state = make_state(0.5, 0.25, ended);
        run_scalars(&partial, single, &none, &state);
        expect_state(
            &state, (const double[][2]){{STEP + 3, 2.0}, {STEP + 4, sum[0]}, {ALPHA, 2.0 / sum[0]}},
            ended ? 0 : 3, roundings);
        run_scalars(&two, single, &all, &state);
        expect_state(&state,
                     (const double[][2]){{STEP + 5, sum[2]}, {BETA, sum[1] / 2.0}, {RZ, sum[1]}},
                     ended ? 0 : 3, roundings);
        drop(&state);
    }
    drop(&partial);
    drop(&two);
}

static void expect_end(bool single, double pq, double rr, double enough, bool expected)
{
    vector state = make_state(0.5, 0.25, false);
    vector partial = make(2, sums_are_single());
    partial.value[0] = partial.value[1] = isnan(enough) ? 0.5 * pq : rr;
    send(&partial);
    run_scalars(&partial, single, &enough, &state);
    double *value = fetch(&state);
    CU_ASSERT_EQUAL(value[ENDED] != 0.0, expected);
    const int32_t one = 1;
    const ew_argument begin[] = {EW_ARG_VALUE(one), EW_ARG_BUFFER(&partial.buffer),
                                 EW_ARG_BUFFER(&state.buffer)};
    run("pcg", "begin", single, 1, GROUP, 3, begin);
    ew_release(value);
    value = fetch(&state);
    CU_ASSERT(value[ENDED] == 0.0 && value[BETA] == 0.0);
    CU_ASSERT(isnan(partial.value[0]) || value[RZ] == partial.value[0]);
    ew_release(value);
    drop(&state);
    drop(&partial);
}

static void test_scalars(void)
{
    for_all(scalars);
    for (int single = 0; device && single < 2; single++) {
        if (single || !sums_are_single()) {
            expect_end(single, 1.0, 0.0, NAN, false);
            expect_end(single, 0.0, 0.0, NAN, true);
            expect_end(single, -1.0, 0.0, NAN, true);
            expect_end(single, NAN, 0.0, NAN, true);
            expect_end(single, 0.0, 0.5, 0.25, false);
            expect_end(single, 0.0, 0.5, 0.5, true);
            expect_end(single, 0.0, NAN, 0.5, true);
        }
    }
}

/* correct, prescribe, residual and narrow: x, b and the residual in double. */
static void residual(int32_t n, bool single)
{
    if (sums_are_single()) {
        return;
    }
    size_t m = 3 * (size_t)n, n_group = groups_for(n, GROUP);
    vector d = make(m, false), x = make(m, false), b = make(m, false), given = make(m, false);
    vector rest = make(m, false), r = make(m, single), partial = make(n_group, false);
    ew_buffer buffer = {0};
    uint8_t *fixed = make_fixed(n, &buffer);
    const double scale = 3.5, factor = 0.125;
    double rr = 0.0;
    const ew_argument correct[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(scale), EW_ARG_BUFFER(&d.buffer),
                                   EW_ARG_BUFFER(&x.buffer)};
    const ew_argument prescribe[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&buffer),
                                     EW_ARG_BUFFER(&x.buffer), EW_ARG_BUFFER(&given.buffer)};
    const ew_argument subtract[] = {EW_ARG_VALUE(n), EW_ARG_BUFFER(&buffer),
                                    EW_ARG_BUFFER(&b.buffer), EW_ARG_BUFFER(&rest.buffer),
                                    EW_ARG_BUFFER(&partial.buffer)};
    const ew_argument narrow[] = {EW_ARG_VALUE(n), EW_ARG_VALUE(factor),
                                  EW_ARG_BUFFER(&rest.buffer), EW_ARG_BUFFER(&r.buffer)};
    run("pcg", "correct", single, n_group, GROUP, 4, correct);
    run("pcg", "prescribe", single, n_group, GROUP, 4, prescribe);
    run("pcg", "residual", single, n_group, GROUP, 5, subtract);
    run("pcg", "narrow", single, n_group, GROUP, 4, narrow);
    for (size_t i = 0; i < m; i++) {
        x.value[i] += scale * d.value[i];
        d.value[i] = 0.0;
        given.value[i] = is_fixed(fixed, i) ? x.value[i] : 0.0;
        rest.value[i] = is_fixed(fixed, i) ? 0.0 : b.value[i] - rest.value[i];
        rr += rest.value[i] * rest.value[i];
        r.value[i] = factor * rest.value[i];
    }
    expect_close(&d, d.value, false, 0.0);
    expect_close(&x, x.value, false, 8.0);
    expect_close(&given, given.value, false, 8.0);
    expect_close(&rest, rest.value, false, 0.0);
    expect_close(&r, r.value, single, 1.0);
    expect_sum(&partial, n_group, 0, rr, false, 20.0 * n);
    vector *const all[] = {&d, &x, &b, &given, &rest, &r, &partial};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        drop(all[i]);
    }
    ew_release(fixed);
    ew_buffer_free(&buffer);
}
static void test_residual(void)
{
    for_all(residual);
}

/* Rows 0, 2, 4, ... have one or two prescribed directions. */
static void oblique(int32_t n, bool single)
{
    const int32_t n_oblique = (n + 1) / 2;
    const size_t n_group = groups_for(n_oblique, GROUP);
    vector v = make(3 * (size_t)n, single), normal = make(6 * (size_t)n_oblique, sums_are_single());
    vector part = make(3 * (size_t)n, false);
    ew_oblique list = {.n = n_oblique, .normal = normal.value};
    ew_buffer row = {0};
    must(ew_new(&list.row, (size_t)n_oblique, sizeof *list.row));
    for (int32_t k = 0; k < n_oblique; k++) {
        double *a = normal.value + 6 * k, *b = a + 3, size = sqrt(a[0] * a[0] + a[1] * a[1]);
        a[0] /= size;
        a[1] /= size;
        a[2] = b[0] = b[1] = 0.0;
        b[2] = k % 2 ? 1.0 : 0.0;
        list.row[k] = 2 * k;
        memcpy(v.value + 6 * k, a, (k % 3 == 0) * 3 * sizeof *a); /* nothing is left of it */
    }
    send(&normal);
    send(&v);
    must(ew_buffer_reserve(device, &row, (size_t)n_oblique * sizeof *list.row));
    must(ew_buffer_write(device, &row, 0, (size_t)n_oblique * sizeof *list.row, list.row));
    const ew_argument whole[] = {EW_ARG_VALUE(n_oblique), EW_ARG_BUFFER(&row),
                                 EW_ARG_BUFFER(&normal.buffer), EW_ARG_BUFFER(&v.buffer),
                                 EW_ARG_BUFFER(&part.buffer)};
    if (!single) {
        run("pcg", "prescribe_oblique", single, n_group, GROUP, 5, whole);
        for (int32_t k = 0; k < n_oblique; k++) {
            ew_oblique_part(&list, k, v.value + 6 * k, part.value + 6 * k);
        }
        expect_close(&part, part.value, single, 4.0);
    }
    run("pcg", "project", single, n_group, GROUP, 4, whole);
    for (int32_t k = 0; k < n_oblique; k++) {
        ew_oblique_project(&list, k, v.value + 6 * k);
    }
    expect_close(&v, v.value, single, 4.0);
    ew_release(list.row);
    ew_buffer_free(&row);
    drop(&v);
    drop(&normal);
    drop(&part);
}

static void test_oblique(void)
{
    for_all(oblique);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"invert_diagonal", test_invert_diagonal},
        {"start_and_advance", test_start_and_advance},
        {"direction", test_direction},
        {"scalars", test_scalars},
        {"residual", test_residual},
        {"oblique", test_oblique},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"kernels", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
