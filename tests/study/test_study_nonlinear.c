/* Cases of nonlinear bodies: steps that go on from each other across edits, what a failure
 * leaves, how steps are counted. */
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

typedef struct reached {
    int32_t n, n_partial;
    double load_factor, displacement;
} reached;

static void note_reached(void *user, const ew_step_report *report)
{
    reached *to = user;
    to->n++;
    to->n_partial += report->is_partial;
    to->load_factor = report->nonlinear->load_factor;
    to->displacement = report->sums->max_displacement;
}

/* A bar under so much of a load that it cannot carry, into reached.vtkhdf. */
static ew_status run_pulled(double share, const char *rest, reached *to)
{
    char text[1024];
    ew_result *result = NULL;
    ew_study_def def = linear_study_def();
    snprintf(text, sizeof text,
             "mesh: part.mesh\n"
             "material: {young: 1000, poisson: 0.3, plastic: {yield_stress: 10}}\n"
             "sets:\n  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}\n"
             "  tip: {plane: {point: [4, 0, 0], normal: x}, of: faces}\n"
             "constraints: [{set: wall, displacement: [0, 0, 0]}]\n%s"
             "steps:\n"
             "  - {name: pulled, loads: [{set: tip, total_force: [%.17g, 0, 0]}], static: "
             "{nonlinear: {steps: 4, max_iterations: 8, halvings: 1}}}\n"
             "  - {name: freed, loads: [], static: {nonlinear: {}}}\n",
             rest, 15.0 * share);
    const ew_result_def file = {
        .name = "reached", .case_text = text, .length_unit = "", .force_unit = "", .time_unit = ""};
    *to = (reached){0};
    def.user = to;
    def.on_step = note_reached;
    must(ew_result_create(&result, &file));
    const ew_status status = run_on_box(text, (const double[3]){4, 1, 1},
                                        (const int32_t[3]){6, 2, 2}, &def, result, NULL, NULL);
    must(ew_result_finish(result));
    return status;
}

static ew_view_frame read_reached(void)
{
    ew_view_frame frame = {0};
    must(ew_result_read_frame("reached.vtkhdf", 0, NULL, &frame));
    remove("reached.vtkhdf");
    remove("reached.xdmf");
    return frame;
}

/* With all fields, the error among them: the frame is the equilibrium of the part of the load that
 * it says. */
static void test_failure_saves_what_it_reached(void)
{
    static const char *const rest[] = {"", "output: {fields: [displacement], every: 2}\n"};
    for (int k = 0; k < 2; k++) {
        reached to, other;
        CU_ASSERT_EQUAL_FATAL(run_pulled(1.0, rest[k], &to), EW_NOT_CONVERGED);
        CU_ASSERT(strstr(ew_message(), "load factor") != NULL);
        CU_ASSERT_PTR_NULL(strchr(ew_message(), '\n'));
        CU_ASSERT(to.n == 1 && to.n_partial == 1);
        CU_ASSERT_FATAL(to.load_factor > 0.0 && to.load_factor < 1.0);
        ew_view_frame frame = read_reached();
        must(run_pulled(to.load_factor, "", &other));
        ew_view_frame whole = read_reached();
        const ew_view_field *a = ew_view_field_of(&frame, "displacement", EW_ON_VERTICES);
        const ew_view_field *b = ew_view_field_of(&whole, "displacement", EW_ON_VERTICES);
        CU_ASSERT_FATAL(a && b && frame.n_point == whole.n_point);
        double largest = 0.0, difference = 0.0;
        for (int32_t i = 0; i < 3 * frame.n_point; i++) {
            largest = fmax(largest, fabs(b->data[i]));
            difference = fmax(difference, fabs(a->data[i] - b->data[i]));
        }
        CU_ASSERT(largest > 0.01 && difference < 1e-3 * largest);
        CU_ASSERT((ew_view_field_of(&frame, "error", EW_ON_TETS) != NULL) == (k == 0));
        ew_view_frame_free(&frame);
        ew_view_frame_free(&whole);
    }
}

/* Nothing converged in the step, and the one before has no frame. */
static void test_failure_saves_the_step_before(void)
{
    seen all;
    const char *text = BAR "output: {every: 3}\n"
                           "steps:\n"
                           "  - {name: bent, static: {}}\n"
                           "  - {name: more, loads: [{set: tip, total_force: [0, 0, 24]}], static: "
                           "{nonlinear: {max_iterations: 1, halvings: 0}}}\n";
    CU_ASSERT_EQUAL_FATAL(run_box(text, cells, &all, NULL, false, NULL), EW_NOT_CONVERGED);
    CU_ASSERT_EQUAL_FATAL(all.n, 2);
    CU_ASSERT_EQUAL(all.displacement[1], all.displacement[0]);
}

#define PUSHED                                                                                     \
    "kinematics: corotational\n"                                                                   \
    "mesh: part.mesh\nmaterial: {young: 1e6, poisson: 0.3, density: 1000}\n"                       \
    "sets:\n  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}\n"                           \
    "  tip: {plane: {point: [4, 0, 0], normal: x}, of: faces}\n"                                   \
    "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"                                        \
    "loads: [{set: tip, traction: [%s, 1e3, 0]}]\n"                                                \
    "steps:\n  - {name: pushed, dynamic: {step: %g, steps: 2, nonlinear: {tolerance: 1e-6, "       \
    "max_iterations: %d, halvings: %d}}}\n"

/* In steps so long that a bar that buckles has tangents that are not positive definite: clamped
 * ones lead on, or shorter steps, and else it is said what to do. */
static void test_motion_that_buckles(void)
{
    static const struct {
        const char *push;
        double step;
        int max_iterations, halvings;
        ew_status status;
    } of[] = {{"-1e5", 0.15, 60, 0, EW_OK},
              {"-1e5", 0.2, 10, 6, EW_OK},
              {"-1.5e5", 0.2, 10, 0, EW_NOT_CONVERGED}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        char text[1024];
        seen all;
        snprintf(text, sizeof text, PUSHED, of[k].push, of[k].step, of[k].max_iterations,
                 of[k].halvings);
        CU_ASSERT_EQUAL(run_text(text, &all, NULL, false, NULL), of[k].status);
        CU_ASSERT_EQUAL(all.n, of[k].status ? 1 : 3);
        if (of[k].status) {
            CU_ASSERT(strstr(ew_message(), "take smaller time steps") != NULL);
            CU_ASSERT_PTR_NULL(strstr(ew_message(), "without volume"));
        }
    }
}

/* A blow in the twelfth time step, and outputs at the start, behind the tenth and of what was
 * reached: the state of the eleventh, which another case ends with. */
static void test_failed_motion_saves_its_last_time_step(void)
{
    seen all, other;
    const char *text = "kinematics: corotational\n" HEAD
                       "amplitudes: {blow: {table: [[0, 1], [1.1, 1], [1.2, 1e9]]}}\n"
                       "sets:\n  wall: {plane: {point: [0, 0, 0], normal: x}, of: faces}\n"
                       "  tip: {plane: {point: [4, 0, 0], normal: x}, of: faces}\n"
                       "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"
                       "loads: [{set: tip, total_force: [0, 0, 4], amplitude: blow}]\n"
                       "steps:\n  - {name: hit, dynamic: {step: 0.1, steps: %d, output: {every: "
                       "%d}, nonlinear: {tolerance: 1e-6, halvings: 0}}}\n";
    char hit[1024];
    snprintf(hit, sizeof hit, text, 30, 10);
    CU_ASSERT_EQUAL_FATAL(run_text(hit, &all, NULL, false, NULL), EW_NOT_CONVERGED);
    CU_ASSERT_EQUAL_FATAL(all.n, 3);
    snprintf(hit, sizeof hit, text, 11, 11);
    must(run_text(hit, &other, NULL, false, NULL));
    CU_ASSERT_EQUAL_FATAL(other.n, 2);
    CU_ASSERT(all.displacement[2] > 1.001 * all.displacement[1]);
    CU_ASSERT_DOUBLE_EQUAL(all.displacement[2], other.displacement[1],
                           1e-5 * other.displacement[1]);
}

static void test_steps_are_counted(void)
{
    ew_case input;
    must(read_text(BAR "steps:\n"
                       "  - {name: bent, static: {}}\n"
                       "  - {name: shapes, modes: {count: 9}}\n"
                       "  - {name: again, static: {}}\n",
                   &input));
    static const int32_t done[] = {0, 1, 1, 2, 3}, n[] = {0, 1, 9, 10, 11};
    for (int k = 0; k < 5; k++) {
        CU_ASSERT_EQUAL(ew_case_count_done(&input, n[k]), done[k]);
    }
    CU_ASSERT_EQUAL(input.n_record, 11);
    ew_case_free(&input);
}

static CU_TestInfo tests[] = {
    {"steps_go_on_across_edits", test_steps_go_on_across_edits},
    {"failure_saves_what_it_reached", test_failure_saves_what_it_reached},
    {"failure_saves_the_step_before", test_failure_saves_the_step_before},
    {"motion_that_buckles", test_motion_that_buckles},
    {"failed_motion_saves_its_last_time_step", test_failed_motion_saves_its_last_time_step},
    {"steps_are_counted", test_steps_are_counted},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"study_nonlinear", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
