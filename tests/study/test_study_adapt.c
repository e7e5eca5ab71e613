/* Refinement by the estimated error within a step: it reaches its target or says why not, equals a
 * rebuild, is replayed to the same bits, and bears failing allocations. */
#include "study_fixture.h"

typedef struct adapted {
    int32_t n, n_warning[8], n_edit[8], n_tet[8], iterations[8];
    int64_t different;
    double share[8], before[8][32];
    char warning[8][EW_WARNING_TEXT];
} adapted;

static void note(void *user, const ew_step_report *report)
{
    adapted *all = user;
    const int32_t i = all->n++;
    all->n_warning[i] = report->n_warning;
    all->n_edit[i] = report->n_edit;
    all->n_tet[i] = report->n_tet;
    all->share[i] = report->estimate ? report->estimate->share : -1.0;
    all->iterations[i] = report->solver ? report->solver->iterations : -1;
    all->different += report->verified ? report->different_blocks : 0;
    for (int32_t k = 0; k < report->n_edit && k < 32; k++) {
        all->before[i][k] = report->edit[k].error;
    }
    if (report->n_warning) {
        memcpy(all->warning[i], report->warning[0].text, EW_WARNING_TEXT);
    }
}

static ew_status run_adapted(const char *text, void *user, ew_result *result,
                             const ew_result_archive *journal)
{
    adapted *all = user;
    ew_study_def def = linear_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = note;
    def.verify_rebuild = true;
    return run_on_box(text, (double[3]){4, 1, 1}, (int32_t[3]){8, 2, 2}, &def, result, journal,
                      NULL);
}

#define TO(goal)                                                                                   \
    BODY "steps:\n  - {name: coarse, static: {}}\n"                                                \
         "  - {name: fine, edit: [{refine: {by: error, " goal "}}], static: {}}\n"

/* A percentage is the share; the estimate falls from round to round, to the target. */
static void test_adapt_reaches_its_target(void)
{
    adapted all, same;
    CU_ASSERT_EQUAL_FATAL(run_adapted(TO("until: 30 %"), &all, NULL, NULL), EW_OK);
    CU_ASSERT(all.share[0] > 0.5);
    CU_ASSERT(all.share[1] <= 0.30 && all.share[1] > 0.15);
    CU_ASSERT(all.n_edit[1] >= 2 && all.n_edit[1] <= 4);
    CU_ASSERT_EQUAL(all.different, 0);
    for (int32_t k = 0; k < all.n_edit[1]; k++) {
        CU_ASSERT(all.before[1][k] > 0.30);
        CU_ASSERT(k == 0 || all.before[1][k] < all.before[1][k - 1]);
    }
    CU_ASSERT_PTR_NULL(strstr(all.warning[1], "was to reach"));
    CU_ASSERT_EQUAL_FATAL(run_adapted(TO("until: 0.3"), &same, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(same.n_tet[1], all.n_tet[1]);
    CU_ASSERT_EQUAL(same.share[1], all.share[1]);
}

static void test_adapt_does_nothing_where_the_error_is_small(void)
{
    adapted all;
    CU_ASSERT_EQUAL_FATAL(run_adapted(TO("until: 90 %"), &all, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(all.n_edit[1], 0);
    CU_ASSERT_EQUAL(all.n_tet[1], all.n_tet[0]);
    CU_ASSERT_EQUAL(all.share[1], all.share[0]);
}

/* Bounds end it, visibly. */
static void test_adapt_stops_at_its_bounds(void)
{
    adapted all;
    CU_ASSERT_EQUAL_FATAL(run_adapted(TO("until: 1 %, max_rounds: 1"), &all, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(all.n_edit[1], 1);
    CU_ASSERT(all.share[1] > 0.01);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "above the 1.00 %"));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "raise max_rounds (1)"));
    CU_ASSERT_EQUAL_FATAL(run_adapted(TO("until: 1 %, max_tets: 3000"), &all, NULL, NULL), EW_OK);
    CU_ASSERT(all.n_tet[1] > 300 && all.n_tet[1] <= 3000);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "max_tets (3000)"));
    CU_ASSERT_EQUAL_FATAL(run_adapted(TO("until: 1 %, max_tets: 10"), &all, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(all.n_tet[1], all.n_tet[0]);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "max_tets (10)"));
}

/* Neighbors are cut for conformity, and count. */
static void test_adapt_counts_all_tets(void)
{
    adapted all;
    for (int32_t max = 1150; max < 4000; max += 1040) {
        char text[2048];
        snprintf(text, sizeof text, "%s%d%s",
                 BODY "steps:\n  - {name: coarse, static: {}}\n"
                      "  - {name: fine, edit: [{refine: {by: error, until: 25 %, max_tets: ",
                 (int)max, "}}], static: {}}\n");
        CU_ASSERT_EQUAL_FATAL(run_adapted(text, &all, NULL, NULL), EW_OK);
        CU_ASSERT(all.n_tet[1] <= max);
    }
}

/* A step that only edits analyzes for its edit, and has no answer of its own. */
static void test_adapt_in_a_step_that_only_edits(void)
{
    adapted all;
    const char *text = BODY
        "steps:\n  - {name: fine, edit: [{refine: {by: error, until: 45 %}}, {smooth: {}}]}\n"
        "  - {name: poor, edit: [{refine: {by: error, until: 1 %, max_rounds: 1, max_tets: 1}}]}\n"
        "  - {name: solved, static: {}}\n";
    CU_ASSERT_EQUAL_FATAL(run_adapted(text, &all, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(all.share[0], -1.0);
    CU_ASSERT_EQUAL(all.iterations[0], -1);
    CU_ASSERT(all.n_tet[0] > 192);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "was to reach"));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "the stress has no limit there"));
    CU_ASSERT(all.share[2] > 0.0 && all.share[2] < 0.5);
    CU_ASSERT_EQUAL(all.different, 0);
}

/* With edits around it, components that are left out, another load, and the file's frames. */
static void test_adapt_is_replayed_to_the_same_bits(void)
{
    const char *text =
        BODY "under_constrained: leave_out\n"
             "steps:\n"
             "  - {name: base, static: {}}\n"
             "  - {name: fine, edit: [{scale: {factor: [1, 1.5, 1]}}, {refine: {by: error, until: "
             "40 %}}, {remove: {sphere: {center: [2, 0, 0], radius: 0.3}}}, {refine: {by: error, "
             "until: 38 %, max_rounds: 2}}], static: {}}\n"
             "  - {name: only, edit: [{refine: {by: error, until: 35 %}}]}\n"
             "  - {name: poor, edit: [{refine: {by: error, until: 1 %, max_rounds: 1, max_tets: "
             "1}}]}\n"
             "  - {name: last, loads: [{gravity: [0, 0, -1]}], static: {}}\n";
    adapted first, again;
    replay_beside(text, "adapt", run_adapted, &first, &again);
    CU_ASSERT_EQUAL(first.different + again.different, 0);
    CU_ASSERT(first.n_warning[3] == 1 && again.n_warning[3] == 1);
    CU_ASSERT_STRING_EQUAL(first.warning[3], again.warning[3]);
    CU_ASSERT(first.n_warning[4] > 0 && first.n_warning[4] == again.n_warning[4]);
}

/* Sets of the step are there for the first analysis, and follow the refinement. */
static void test_adapt_with_sets_of_its_step(void)
{
    adapted all, named;
    const char *text =
        BODY "steps:\n  - name: fine\n    edit: [{refine: {by: error, until: 40 %}}]\n"
             "    loads: [{set: {of: faces, surface: 2}, traction: [0, 0, -1]}]\n    static: {}\n";
    const char *same =
        HEAD "sets:\n  wall: {surface: 1}\n"
             "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
             "steps:\n  - name: fine\n    edit: [{refine: {by: error, until: 40 %}}]\n"
             "    sets: {tip: {of: faces, surface: 2}}\n"
             "    loads: [{set: tip, traction: [0, 0, -1]}]\n    static: {}\n";
    CU_ASSERT_EQUAL_FATAL(run_adapted(text, &all, NULL, NULL), EW_OK);
    CU_ASSERT(all.share[0] <= 0.4 && all.n_edit[0] > 0);
    CU_ASSERT_EQUAL_FATAL(run_adapted(same, &named, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(named.share[0], all.share[0]);
}

/* A journal of analyses alone would cost as many as it has bytes. */
static void test_adapt_refuses_a_journal_of_analyses(void)
{
    adapted all;
    unsigned char record[4] = {'S', 'S', 'S', 'S'};
    size_t sizes[2] = {0, 2};
    void *records[2] = {record, record};
    const ew_result_archive archive = {.n_step = 2, .journal_bytes = sizes, .journal = records};
    CU_ASSERT_EQUAL(run_adapted(TO("until: 30 %"), &all, NULL, &archive), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "two analyses in a row"));
    sizes[1] = 1;
    CU_ASSERT_EQUAL(run_adapted(TO("until: 30 %"), &all, NULL, &archive), EW_OK);
}

static void test_adapt_refuses_bad_input(void)
{
    static const struct {
        const char *edit, *message;
    } wrong[] = {
        {"refine: {by: error}", "refine: by error needs until"},
        {"refine: {by: error, until: 0}", "until is 0; it must be greater than 0 and at most 1"},
        {"refine: {by: error, until: 3}", "until is 3; it must be greater than 0 and at most 1"},
        {"refine: {by: error, until: 300 %}", "until is 3"},
        {"refine: {by: error, until: x %}", "a number or a percentage, not 'x %'"},
        {"refine: {by: error, until: 3 4 %}", "a number or a percentage"},
        {"refine: {by: error, until: '%'}", "a number or a percentage"},
        {"refine: {by: error, until: nan%}", "a number or a percentage"},
        {"refine: {by: error, until: [3]}", "must be a number"},
        {"refine: {by: error, until: 3 %, longer_than: 1}", "longer_than goes with by length"},
        {"refine: {by: error, until: 3 %, set: tip}", "set goes with by length"},
        {"refine: {longer_than: 1, until: 3 %}", "until goes with by error"},
        {"refine: {by: error, until: 3 %, max_rounds: 0}", "max_rounds"},
        {"refine: {by: error, until: 3 %, max_tets: 0.5}", "max_tets"},
        {"refine: {by: size, until: 3 %}", "allowed: length, error"},
        {"refine: {by: length}", "at least one of: longer_than, set, or by: error"},
        {"refine: {}", "refine needs at least one of: longer_than, set, or by: error"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        ew_case input;
        snprintf(text, sizeof text, BODY "steps:\n  - {name: a, edit: [{%s}]}\n", wrong[i].edit);
        const ew_status status = read_text(text, &input);
        CU_ASSERT_EQUAL(status, EW_BAD_INPUT);
        if (status != EW_BAD_INPUT || !strstr(ew_message(), wrong[i].message)) {
            printf("\n  '%s': expected '%s', got '%s'\n", wrong[i].edit, wrong[i].message,
                   ew_message());
            CU_FAIL("another message");
        }
    }
}

/* What an analysis between edits needs and has not is an error of the step. */
static void test_adapt_needs_supports(void)
{
    adapted all;
    const char *text = HEAD "sets: {tip: {surface: 2}}\n"
                            "loads:\n  - {set: tip, total_force: [0, 0, -1]}\n"
                            "steps:\n  - {name: a, edit: [{refine: {by: error, until: 3 %}}]}\n";
    CU_ASSERT_EQUAL(run_adapted(text, &all, NULL, NULL), EW_UNDER_CONSTRAINED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "step 'a'"));
}

static void test_adapt_survives_failing_allocations(void)
{
    static const char text[] = TO("until: 48 %, max_rounds: 1");
    ew_case input;
    ew_mesh mesh;
    bool refused = true;
    int64_t k = 0;
    CU_ASSERT_EQUAL_FATAL(read_text(text, &input), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){4, 1, 1}, (int32_t[]){4, 1, 1}), EW_OK);
    for (; refused && k < 20000; k++) {
        const ew_study_def def = linear_study_def();
        ew_mesh copy = {0};
        ew_test_allocations_begin(k);
        ew_status status = ew_mesh_copy(&copy, &mesh);
        if (!status) {
            status = ew_study_run(&input, &copy, &def, NULL, NULL);
        }
        ew_mesh_free(&copy);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    CU_ASSERT_TRUE(k > 100 && !refused);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"adapt_target", test_adapt_reaches_its_target},
        {"adapt_nothing", test_adapt_does_nothing_where_the_error_is_small},
        {"adapt_bounds", test_adapt_stops_at_its_bounds},
        {"adapt_counts_all_tets", test_adapt_counts_all_tets},
        {"adapt_only", test_adapt_in_a_step_that_only_edits},
        {"adapt_replay", test_adapt_is_replayed_to_the_same_bits},
        {"adapt_sets", test_adapt_with_sets_of_its_step},
        {"adapt_journal", test_adapt_refuses_a_journal_of_analyses},
        {"adapt_bad_input", test_adapt_refuses_bad_input},
        {"adapt_supports", test_adapt_needs_supports},
        {"adapt_allocations", test_adapt_survives_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"adapt", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
