/* Supports of a case, each against what it must equal. */
#include "study_fixture.h"

#define PULLED                                                                                     \
    HEAD "sets:\n"                                                                                 \
         "  end: {plane: {point: [0, 0, 0], normal: x, tolerance: 1e-9}}\n"                        \
         "  side: {plane: {point: [0, 0, 0], normal: y}}\n"                                        \
         "  low: {plane: {point: [0, 0, 0], normal: z, tolerance: 1e-9}}\n"                        \
         "  tip: {plane: {point: [4, 0, 0], normal: x, tolerance: 1e-9}}\n"                        \
         "loads:\n"                                                                                \
         "  - {set: tip, traction: [8, 1, -2]}\n"                                                  \
         "constraints:\n"

static double solve(const char *constraints)
{
    char text[4096];
    seen all;
    snprintf(text, sizeof text, "%s%s%s", PULLED, constraints,
             "steps:\n  - {name: only, static: {tolerance: 1e-11}}\n");
    const ew_status status = run_text(text, &all, NULL, false, NULL);
    if (status) {
        printf("%s\n", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    return all.energy[0];
}

static void expect_equal(const char *one, const char *other)
{
    const double a = solve(one), b = solve(other);
    CU_ASSERT(fabs(a - b) <= 1e-9 * fabs(b));
}

#define ROLLERS                                                                                    \
    "  - {set: end, displacement: [0, ~, ~]}\n"                                                    \
    "  - {set: side, displacement: [~, 0, ~]}\n"                                                   \
    "  - {set: low, displacement: [~, ~, 0]}\n"

static void test_symmetry(void)
{
    expect_equal("  - {set: end, symmetry: x}\n"
                 "  - {set: side, symmetry: [0, -3, 0]}\n"
                 "  - {symmetry: z}\n",
                 ROLLERS);
    expect_equal("  - {symmetry: {point: [0, 7, 0], normal: x}}\n"
                 "  - {symmetry: {point: [0, 0, 0], normal: y}}\n"
                 "  - {set: low, displacement: [0, ~, ~], axes: {x: [0, 0, 1], y: [1, 0, 0]}}\n",
                 ROLLERS);
}

/* Two oblique rollers span what two straight ones do. */
static void test_axes(void)
{
    expect_equal(
        "  - {set: end, displacement: [0, ~, ~], axes: {x: [2, 1, 0], y: [0, 1, 0]}}\n"
        "  - {set: end, displacement: [0, ~, ~], axes: {x: [1, -1, 0], y: [0, 0, 1]}}\n"
        "  - {set: low, displacement: [~, ~, 0], axes: {cylinder: {point: [9, 9, 9], axis: "
        "z}}}\n",
        "  - {set: end, displacement: [0, 0, ~]}\n"
        "  - {set: low, displacement: [~, ~, 0]}\n");
}

/* Springs of a set are the same by whatever name; stiff ones are rollers. */
static void test_springs(void)
{
    expect_equal("  - {set: end, spring: [100, 0, 0]}\n"
                 "  - {set: side, displacement: [~, 0, ~]}\n"
                 "  - {set: low, displacement: [~, ~, 0]}\n",
                 "  - {set: end, total_spring: [0, 900, 0], axes: {x: [0, 1, 0], y: [1, 0, 0]}}\n"
                 "  - {set: side, symmetry: y}\n"
                 "  - {set: low, symmetry: z}\n");
    expect_equal("  - {set: end, foundation: {normal: 5e3, tangential: 2e3}}\n",
                 "  - {set: end, foundation: {normal: 3e3}}\n"
                 "  - {set: end, foundation: {normal: 2e3, tangential: 2e3}}\n");
    expect_equal("  - {set: end, foundation: {normal: 1e14}}\n"
                 "  - {set: side, symmetry: y}\n"
                 "  - {set: low, symmetry: z}\n",
                 ROLLERS);
}

/* A plane of symmetry is found again after edits; a step may have other supports. */
static void test_steps(void)
{
    seen all;
    const char *text = PULLED
        "  - {symmetry: x}\n"
        "  - {set: side, symmetry: [0, 1, 1]}\n"
        "  - {set: low, foundation: {normal: 1e4, tangential: 10}}\n"
        "steps:\n"
        "  - {name: a, static: {tolerance: 1e-10}}\n"
        "  - {name: b, edit: [refine: {longer_than: 0.6}], static: {tolerance: 1e-10}}\n"
        "  - {name: c, edit: [decimate: {fraction: 0.2, axis: z}], static: {tolerance: 1e-10}}\n"
        "  - {name: d, constraints: [{set: low, spring: 50}], static: {tolerance: 1e-10}}\n"
        "  - {name: e, static: {tolerance: 1e-10}}\n";
    const ew_status status = run_text(text, &all, NULL, true, NULL);
    if (status) {
        printf("%s\n", ew_message());
    }
    CU_ASSERT_EQUAL_FATAL(status, EW_OK);
    CU_ASSERT_EQUAL(all.n, 5);
    CU_ASSERT(all.n_tet[1] > all.n_tet[0]);
    CU_ASSERT(all.different[1] == 0 && all.different[2] == 0);
    CU_ASSERT(all.energy[3] > 0.0);
    CU_ASSERT(fabs(all.energy[4] - all.energy[2]) <= 1e-7 * all.energy[2]);
}

static void take_reactions(void *user, const ew_step_report *report)
{
    double *force = user; /* of the sets end, low */
    memcpy(force, report->set[0].results.reaction_force, 3 * sizeof *force);
    memcpy(force + 3, report->set[2].results.reaction_force, 3 * sizeof *force);
}

/* On the edge that a wall and a foundation share each counts its own force, so that together they
 * take the load, (8, 1, -2) on an area of 1. */
static void test_reactions(void)
{
    const char *text = PULLED "  - {set: end, symmetry: x}\n"
                              "  - {set: low, foundation: {normal: 1e3, tangential: 2e2}}\n"
                              "steps:\n  - {name: only, static: {tolerance: 1e-11}}\n";
    double force[6] = {0};
    ew_study_def def = linear_study_def();
    def.user = force;
    def.on_step = take_reactions;
    CU_ASSERT_EQUAL_FATAL(run_on_box(text, (double[3]){4, 1, 1}, (int32_t[3]){8, 2, 2}, &def, NULL,
                                     NULL, NULL),
                          EW_OK);
    CU_ASSERT(fabs(force[0]) > 0.1 && fabs(force[3]) > 0.1);
    CU_ASSERT_DOUBLE_EQUAL(force[0] + force[3], -8.0, 1e-8);
    CU_ASSERT(force[1] == 0.0 && force[2] == 0.0);
    CU_ASSERT_DOUBLE_EQUAL(force[4], -1.0, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(force[5], 2.0, 1e-8);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"symmetry", test_symmetry}, {"axes", test_axes},           {"springs", test_springs},
        {"steps", test_steps},       {"reactions", test_reactions}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"supports of a study", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
