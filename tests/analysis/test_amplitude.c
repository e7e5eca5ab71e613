/* Amplitudes: value, rate and integral of each kind against sums of their own values; what is
 * refused. */
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static const double table_time[] = {-1.0, 0.5, 1.0, 3.0};
static const double table_value[] = {2.0, -1.0, 4.0, 0.5};
static const ew_amplitude table = {
    .kind = EW_AMPLITUDE_TABLE, .n = 4, .time = table_time, .value = table_value};
static const ew_amplitude sine = {.kind = EW_AMPLITUDE_SINE,
                                  .size = 1.5,
                                  .offset = 0.25,
                                  .frequency = 0.8,
                                  .phase = 0.3,
                                  .start = 0.2,
                                  .end = 2.7};
static const ew_amplitude step = {
    .kind = EW_AMPLITUDE_STEP, .size = 3.0, .start = 0.5, .end = INFINITY};

static void test_table(void)
{
    CU_ASSERT_EQUAL(ew_amplitude_at(&table, -7), 2);
    CU_ASSERT_EQUAL(ew_amplitude_at(&table, 0.5), -1);
    CU_ASSERT_DOUBLE_EQUAL(ew_amplitude_at(&table, 0.75), 1.5, 1e-15);
    CU_ASSERT_EQUAL(ew_amplitude_at(&table, 9), 0.5);
    CU_ASSERT_EQUAL(ew_amplitude_rate(&table, 0.5), 10);
    CU_ASSERT_EQUAL(ew_amplitude_rate(&table, -2), 0);
    CU_ASSERT_EQUAL(ew_amplitude_rate(&table, 3), 0);
    const ew_amplitude one = {
        .kind = EW_AMPLITUDE_TABLE, .n = 1, .time = table_time, .value = table_value};
    CU_ASSERT_EQUAL(ew_amplitude_at(&one, 5), 2);
    CU_ASSERT_EQUAL(ew_amplitude_integral(&one, 5), 10);
}

static void test_sine(void)
{
    CU_ASSERT_EQUAL(ew_amplitude_at(&sine, 0.1), 0);
    CU_ASSERT_DOUBLE_EQUAL(ew_amplitude_at(&sine, 0.2), 0.25 + 1.5 * sin(0.3), 1e-15);
    CU_ASSERT_EQUAL(ew_amplitude_at(&sine, 2.8), 0);
    CU_ASSERT_EQUAL(ew_amplitude_rate(&sine, 2.7), 0);
    CU_ASSERT_EQUAL(ew_amplitude_second_rate(&sine, 2.7), 0);
}

static void test_step(void)
{
    CU_ASSERT_EQUAL(ew_amplitude_at(&step, 0.4999), 0);
    CU_ASSERT_EQUAL(ew_amplitude_at(&step, 0.5), 3);
    CU_ASSERT_EQUAL(ew_amplitude_at(&step, 1e9), 3);
    CU_ASSERT_EQUAL(ew_amplitude_rate(&step, 0.5), 0);
    CU_ASSERT_EQUAL(ew_amplitude_integral(&step, 2), 4.5);
    CU_ASSERT_EQUAL(ew_amplitude_integral(&step, -2), 0);
    const ew_amplitude until = {.kind = EW_AMPLITUDE_STEP, .size = 2, .start = -1, .end = 1};
    CU_ASSERT_EQUAL(ew_amplitude_at(&until, 1), 0);
    CU_ASSERT_EQUAL(ew_amplitude_integral(&until, 5), 2);
    CU_ASSERT_EQUAL(ew_amplitude_integral(&until, -5), -2);
}

/* The sum of mid-point values, and the difference of two values. */
static void test_integral_and_rate(void)
{
    enum { N = 20000 };
    const ew_amplitude *kind[] = {&table, &sine, &step};
    const double until[] = {-3.0, -0.4, 0.0, 0.3, 0.9, 2.0, 4.5};
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < sizeof until / sizeof *until; i++) {
            double sum = 0.0;
            for (int j = 0; j < N; j++) {
                sum += ew_amplitude_at(kind[k], until[i] * (j + 0.5) / N) * until[i] / N;
            }
            CU_ASSERT_DOUBLE_EQUAL(ew_amplitude_integral(kind[k], until[i]), sum, 1e-3);
            const double h = 1e-7, at = until[i] + 0.01;
            const double slope =
                (ew_amplitude_at(kind[k], at + h) - ew_amplitude_at(kind[k], at - h)) / (2 * h);
            CU_ASSERT_DOUBLE_EQUAL(ew_amplitude_rate(kind[k], at), slope, 1e-5);
            const double bend =
                (ew_amplitude_rate(kind[k], at + h) - ew_amplitude_rate(kind[k], at - h)) / (2 * h);
            CU_ASSERT_DOUBLE_EQUAL(ew_amplitude_second_rate(kind[k], at), bend, 1e-5);
        }
    }
}

static void expect_refused(ew_amplitude of, const char *what)
{
    CU_ASSERT_EQUAL(ew_amplitude_check(&of), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), what));
}

static void test_refused(void)
{
    static const double unsorted[] = {0.0, 2.0, 1.0, 3.0}, twice[] = {0.0, 1.0, 1.0, 2.0};
    static const double bad[] = {0.0, 1.0, NAN, 3.0};
    must(ew_amplitude_check(&table));
    must(ew_amplitude_check(&sine));
    must(ew_amplitude_check(&step));
    ew_amplitude of = table;
    of.time = unsorted;
    expect_refused(of, "time 1 follows 2; times must ascend");
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], 2);
    of.time = twice;
    expect_refused(of, "must ascend");
    of.time = bad;
    expect_refused(of, "entry 3");
    of.n = 0;
    expect_refused(of, "empty");
    of = sine;
    of.frequency = 0;
    expect_refused(of, "frequency is 0");
    of.frequency = 1e31;
    expect_refused(of, "it must be greater than 0 and at most 1e+30");
    of.frequency = 1;
    of.phase = INFINITY;
    expect_refused(of, "phase");
    of = step;
    of.end = of.start;
    expect_refused(of, "the end must come after the start");
    of.start = NAN;
    expect_refused(of, "finite");
    of.kind = (ew_amplitude_kind)17;
    CU_ASSERT_EQUAL(ew_amplitude_check(&of), EW_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"table", test_table},     {"sine", test_sine},
        {"step", test_step},       {"integral_and_rate", test_integral_and_rate},
        {"refused", test_refused}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"amplitude", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
