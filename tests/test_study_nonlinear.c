/* Cases of corotational bodies: steps that go on from each other across edits, what a failure
 * leaves, and a run that is done again from its checkpoint. */
#include "study_fixture.h"

#define BAR                                                                                        \
    "kinematics: corotational\n" HEAD                                                              \
    "sets:\n  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}\n"                           \
    "  tip: {plane: {point: [4, 0, 0], normal: x}, of: faces}\n"                                   \
    "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"                                        \
    "loads: [{set: tip, total_force: [0, 0, 4]}]\n"

static const int32_t cells[3] = {12, 3, 3};

static void test_steps_go_on_across_edits(void)
{
    seen all;
    const char *text = BAR "steps:\n"
                           "  - {name: bent, static: {nonlinear: {steps: 2}}}\n"
                           "  - {name: cut, edit: [{remove: {box: [[2, 0, 0], [2.4, 1, 0.4]]}}], "
                           "static: {}}\n"
                           "  - {name: back, loads: [], static: {}}\n";
    must(run_box(text, cells, &all, NULL, true, NULL));
    CU_ASSERT_EQUAL_FATAL(all.n, 3);
    CU_ASSERT(all.displacement[0] > 0.5 && all.displacement[1] > 1.02 * all.displacement[0]);
    CU_ASSERT_EQUAL(all.different[1], 0);
    CU_ASSERT(all.displacement[2] < 1e-4); /* elastic: without loads it is as it was */
}

static void test_failure_saves_what_it_reached(void)
{
    seen all;
    const char *text = BAR "steps:\n"
                           "  - {name: bent, static: {nonlinear: {steps: 8, max_iterations: 2, "
                           "halvings: 0}}}\n";
    CU_ASSERT_EQUAL_FATAL(run_box(text, cells, &all, NULL, false, NULL), EW_NOT_CONVERGED);
    CU_ASSERT(strstr(ew_message(), "load factor") != NULL);
    CU_ASSERT(all.n <= 1);
}

static CU_TestInfo tests[] = {
    {"steps_go_on_across_edits", test_steps_go_on_across_edits},
    {"failure_saves_what_it_reached", test_failure_saves_what_it_reached},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"study_nonlinear", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
