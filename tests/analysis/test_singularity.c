/* Orders of singular edges against published roots and the equations of Williams. */
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double order(ew_edge_support support, double degrees, double poisson)
{
    return ew_singular_order(support, degrees * pi / 180.0, poisson);
}

/* Roots of the opening mode: Williams 1952; Szabo and Babuska 1991, table for the L-shaped domain.
 */
static void test_free_edges(void)
{
    CU_ASSERT_DOUBLE_EQUAL(order(EW_EDGE_FREE, 270, 0.3), 1.0 - 0.544483737, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(order(EW_EDGE_FREE, 360, 0.3), 0.5, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(order(EW_EDGE_FREE, 225, 0.3), 1.0 - 0.673583432, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(order(EW_EDGE_FREE, 270, 0.1), order(EW_EDGE_FREE, 270, 0.45), 1e-12);
    CU_ASSERT_EQUAL(order(EW_EDGE_FREE, 180, 0.3), 0.0);
    CU_ASSERT_EQUAL(order(EW_EDGE_FREE, 90, 0.3), 0.0);
    for (double angle = 200; angle < 355; angle += 15) {
        const double x = 1.0 - order(EW_EDGE_FREE, angle, 0.3), w = angle * pi / 180.0;
        CU_ASSERT_DOUBLE_EQUAL(sin(x * w) + x * sin(w), 0.0, 1e-8);
    }
}

/* 0.7112 at the end of a clamped plate; half where a face is fixed up to a line in it, where the
 * stress oscillates. No singularity below about 62 degrees. */
static void test_edges_of_fixed_faces(void)
{
    const double x = 1.0 - order(EW_EDGE_MIXED, 90, 0.3), k = 3.0 - 4.0 * 0.3;
    CU_ASSERT_DOUBLE_EQUAL(x, 0.7112, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(k * pow(sin(0.5 * x * pi), 2) + x * x - 0.25 * (k + 1) * (k + 1), 0.0,
                           1e-8);
    CU_ASSERT_DOUBLE_EQUAL(order(EW_EDGE_MIXED, 180, 0.3), 0.5, 1e-8);
    CU_ASSERT_EQUAL(order(EW_EDGE_MIXED, 55, 0.3), 0.0);
    CU_ASSERT(order(EW_EDGE_MIXED, 70, 0.3) > 0.0);
    CU_ASSERT(order(EW_EDGE_MIXED, 270, 0.3) > 0.6); /* shear along the edge: 2/3 */
}

static void test_edges_between_fixed_faces(void)
{
    const double x = 1.0 - order(EW_EDGE_FIXED, 270, 0.3), w = 1.5 * pi, k = 1.8;
    CU_ASSERT(x > 0.5 && x < 2.0 / 3.0);
    CU_ASSERT_DOUBLE_EQUAL(fabs(k * sin(x * w)), fabs(x * sin(w)), 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(order(EW_EDGE_FIXED, 360, 0.3), 0.5, 1e-6);
    CU_ASSERT_EQUAL(order(EW_EDGE_FIXED, 90, 0.3), 0.0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"singularity_free", test_free_edges},
        {"singularity_fixed_and_free", test_edges_of_fixed_faces},
        {"singularity_fixed", test_edges_between_fixed_faces},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"singularity", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
