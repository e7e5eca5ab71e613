/* Local axes: their directions at a place, and what is refused. */
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static void expect(const double a[3], double x, double y, double z)
{
    CU_ASSERT_DOUBLE_EQUAL(a[0], x, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(a[1], y, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(a[2], z, 1e-15);
}

static void test_global(void)
{
    const ew_axes axes = {.kind = EW_AXES_GLOBAL};
    const double local[3] = {1.0, 2.0, 3.0};
    double frame[9], global[3];
    CU_ASSERT(ew_axes_at(&axes, local, frame));
    ew_axes_to_global(frame, local, global);
    CU_ASSERT_EQUAL(memcmp(global, local, sizeof local), 0);
}

static void test_from_xy(void)
{
    ew_axes axes;
    double frame[9];
    CU_ASSERT_EQUAL(ew_axes_from_xy((double[3]){0, 3, 0}, (double[3]){-2, 7, 0}, &axes), EW_OK);
    CU_ASSERT(ew_axes_at(&axes, (double[3]){0, 0, 0}, frame));
    expect(frame, 0, 1, 0);
    expect(frame + 3, -1, 0, 0);
    expect(frame + 6, 0, 0, 1);
    CU_ASSERT_EQUAL(ew_axes_from_normal((double[3]){0, 0, -5}, &axes), EW_OK);
    expect(axes.direction, 0, 0, -1);
}

static void test_cylinder(void)
{
    const double root = sqrt(0.5);
    ew_axes axes;
    double frame[9], global[3];
    CU_ASSERT_EQUAL(ew_axes_of_cylinder((double[3]){1, 1, 0}, (double[3]){0, 0, 2}, &axes), EW_OK);
    CU_ASSERT(ew_axes_at(&axes, (double[3]){2, 2, 9}, frame));
    expect(frame, root, root, 0);
    expect(frame + 3, -root, root, 0);
    expect(frame + 6, 0, 0, 1);
    ew_axes_to_global(frame, (double[3]){2, 0, 3}, global);
    expect(global, 2 * root, 2 * root, 3);
    CU_ASSERT(!ew_axes_at(&axes, (double[3]){1, 1, 4}, frame));
    CU_ASSERT(!ew_axes_at(&axes, (double[3]){1 + 1e-12, 1, 4}, frame));
    expect(frame, 0, 0, 0);
    expect(frame + 6, 0, 0, 1);
}

static void test_refused(void)
{
    const double x[3] = {1, 0, 0}, zero[3] = {0, 0, 0}, near_x[3] = {-1, 1e-8, 0};
    ew_axes axes;
    CU_ASSERT_EQUAL(ew_axes_from_xy(x, zero, &axes), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_axes_from_xy(x, near_x, &axes), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "in one line"));
    CU_ASSERT_EQUAL(ew_axes_from_normal(zero, &axes), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_axes_of_cylinder(x, zero, &axes), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_axes_of_cylinder((double[3]){NAN, 0, 0}, x, &axes), EW_BAD_ARGUMENT);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"global", test_global},   {"from_xy", test_from_xy}, {"cylinder", test_cylinder},
        {"refused", test_refused}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"axes", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
