/* Modal responses against closed forms of an oscillator and of two. */
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* At rest F / k, at resonance 1 / (2 z) of it, a quarter of a turn behind; far above F / (m w^2).
 */
static void test_harmonic(void)
{
    const double frequency[] = {10.0}, force[] = {3.0}, w = 20.0 * pi;
    const ew_modal of = {1, frequency, 0.02, {0.0, 0.0, 0.0}};
    double q[2];
    ew_modal_harmonic(&of, force, 0.0, q);
    CU_ASSERT_DOUBLE_EQUAL(q[0], 3.0 / (w * w), 1e-15);
    CU_ASSERT_EQUAL(q[1], 0.0);
    ew_modal_harmonic(&of, force, 10.0, q);
    CU_ASSERT_DOUBLE_EQUAL(q[0], 0.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(q[1], -3.0 / (w * w) / 0.04, 1e-14);
    ew_modal_harmonic(&of, force, 1e4, q);
    CU_ASSERT_DOUBLE_EQUAL(hypot(q[0], q[1]) * 4e8 * pi * pi / 3.0, 1.0, 1e-5);
}

/* At resonance Rayleigh's C = mass M + stiffness K is a share of the critical damping of mass / 2 w
 * + stiffness w / 2, structural damping half its loss factor. */
static void test_damping(void)
{
    const double frequency[] = {10.0}, force[] = {3.0}, w = 20.0 * pi;
    const ew_damping more[] = {{.mass = 0.04 * w}, {.stiffness = 0.04 / w}, {.structural = 0.04}};
    for (int k = 0; k < 3; k++) {
        const ew_modal of = {1, frequency, 0.0, more[k]};
        double q[2];
        ew_modal_harmonic(&of, force, 10.0, q);
        CU_ASSERT_DOUBLE_EQUAL(q[0] * w * w, 0.0, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(q[1] * w * w, -75.0, 1e-11);
        ew_modal_harmonic(&of, force, 20.0, q);
        const double lag = k == 0 ? 0.08 : k == 1 ? 0.08 : 0.04;
        CU_ASSERT_DOUBLE_EQUAL(q[1] / q[0], lag / 3.0, 1e-12);
    }
}

/* Between points of a table: a power law is met exactly. */
static void test_table(void)
{
    const double table[][2] = {{1.0, 2.0}, {10.0, 200.0}, {20.0, 0.0}};
    CU_ASSERT_DOUBLE_EQUAL(ew_table_value(3, table, 3.0, true), 18.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(ew_table_value(3, table, 15.0, true), 100.0, 1e-12);
    CU_ASSERT_EQUAL(ew_table_value(3, table, 0.5, true), 2.0);
    CU_ASSERT_EQUAL(ew_table_value(3, table, 0.5, false), 0.0);
    CU_ASSERT_EQUAL(ew_table_value(3, table, 1.0, false), 2.0);
    CU_ASSERT_EQUAL(ew_table_value(3, table, 30.0, true), 0.0);
}

static double square_of(int32_t n_column, int32_t n, const double *column, int32_t a, int32_t b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n_column; i++) {
        sum += column[i * n + a] * column[i * n + b];
    }
    return sum;
}

/* SRSS: no products of two modes. CQC: the correlation coefficient of Der Kiureghian's table, 0.166
 * of frequencies 0.8 apart with 5 %; of nearly equal ones the sum. */
static void test_spectrum(void)
{
    const double frequency[] = {8.0, 10.0}, gamma[] = {2.0, 3.0};
    const double table[][2] = {{1.0, 5.0}, {100.0, 5.0}};
    const ew_modal of = {2, frequency, 0.05, {0.0, 0.0, 0.0}};
    double column[4];
    int32_t n;
    const double q[] = {2.0 * 5.0 / pow(16.0 * pi, 2), 3.0 * 5.0 / pow(20.0 * pi, 2)};
    CU_ASSERT_EQUAL_FATAL(ew_modal_spectrum(&of, gamma, 2, table, false, column, &n), EW_OK);
    CU_ASSERT_EQUAL(n, 2);
    CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 0, 0), q[0] * q[0], 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 1, 1), q[1] * q[1], 1e-16);
    CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 0, 1), 0.0, 1e-18);
    CU_ASSERT_EQUAL_FATAL(ew_modal_spectrum(&of, gamma, 2, table, true, column, &n), EW_OK);
    const double r = 0.8, z = 0.0025;
    const double expected =
        8 * z * (1 + r) * pow(r, 1.5) / (pow(1 - r * r, 2) + 4 * z * r * (1 + r) * (1 + r));
    CU_ASSERT_DOUBLE_EQUAL(expected, 0.166, 5e-4);
    CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 0, 1) / (q[0] * q[1]), expected, 1e-12);
    const double equal[] = {10.0, 10.0};
    const ew_modal alike = {2, equal, 0.05, {0.0, 0.0, 0.0}};
    CU_ASSERT_EQUAL_FATAL(ew_modal_spectrum(&alike, gamma, 2, table, true, column, &n), EW_OK);
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_DOUBLE_EQUAL(column[0] + column[1], 5.0 * 5.0 / pow(20.0 * pi, 2), 1e-15);
}

/* White noise W from 0 to far above: <q^2> = gamma^2 W / (8 z w^3), whose acceleration is Miles'
 * pi/2 f Q W (1954); of two modes gamma_1 gamma_2 W (w_1 + w_2) z / (... ) as below (Crandall and
 * Mark 1963). */
static void test_random(void)
{
    const double frequency[] = {20.0, 23.0}, gamma[] = {1.5, -2.0};
    const double table[][2] = {{1e-3, 0.4}, {2e4, 0.4}};
    const double damping[] = {0.005, 0.02, 0.1};
    for (int i = 0; i < 3; i++) {
        const double z = damping[i], a = 40.0 * pi, b = 46.0 * pi;
        const ew_modal of = {2, frequency, z, {0.0, 0.0, 0.0}};
        double column[4];
        int32_t n;
        CU_ASSERT_EQUAL_FATAL(ew_modal_random(&of, gamma, 2, table, column, &n), EW_OK);
        CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 0, 0) / (2.25 * 0.4 / (8 * z * a * a * a)),
                               1.0, 2e-4);
        CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 1, 1) / (4.0 * 0.4 / (8 * z * b * b * b)),
                               1.0, 2e-4);
        /* W/4 times 4 (z w1 + z w2) / ((w1^2 - w2^2)^2 + 4 z^2 w1 w2 (w1 + w2)^2) */
        const double cross = gamma[0] * gamma[1] * 0.4 * z * (a + b) /
                             (pow(a * a - b * b, 2) + 4 * z * z * a * b * (a + b) * (a + b));
        CU_ASSERT_DOUBLE_EQUAL(square_of(n, 2, column, 0, 1) / cross, 1.0, 2e-3);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"modal_harmonic", test_harmonic}, {"modal_damping", test_damping},
        {"modal_table", test_table},       {"modal_spectrum", test_spectrum},
        {"modal_random", test_random},     CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"modal response", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
