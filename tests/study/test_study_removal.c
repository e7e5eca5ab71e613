/* Element removal within a step: it reaches its volume, equals a rebuild, keeps what loads act on,
 * is replayed to the same bits, and gives sets their members back. */
#include "study_fixture.h"

typedef struct removed {
    int32_t n, n_round, n_restored;
    int32_t n_warning[8], n_tet[8], n_edit[8], lost[8];
    int64_t different;
    double share[8], compliance[8], energy[8], lost_force[8];
    char warning[8][EW_WARNING_TEXT];
    ew_set_report set[8][4]; /* of each step, the first four */
    const ew_mesh *mesh;
} removed;

static void note(void *user, const ew_step_report *report)
{
    removed *all = user;
    const int32_t i = all->n++;
    all->n_warning[i] = report->n_warning;
    all->n_tet[i] = report->n_tet;
    all->n_edit[i] = report->n_edit;
    all->energy[i] = report->sums->strain_energy + report->sums->spring_energy;
    all->different += report->verified ? report->different_blocks : 0;
    all->share[i] = report->removal ? report->removal->share : -1.0;
    all->compliance[i] = report->removal ? report->removal->compliance : -1.0;
    for (int c = 0; c < 3; c++) {
        all->lost_force[i] += fabs(report->lost_force[c]);
    }
    for (int32_t s = 0; s < 3; s++) {
        all->lost[i] += report->lost_members[s];
        all->set[i][s] = report->set[s];
    }
    if (report->n_warning) {
        memcpy(all->warning[i], report->warning[0].text, EW_WARNING_TEXT);
    }
}

static void note_round(void *user, const ew_step_report *step)
{
    const ew_removal_report *report = step->removal;
    removed *all = user;
    CU_ASSERT(*step->name);
    CU_ASSERT(report->compliance > 0.0);
    all->n_round++;
    all->n_restored += report->n_restored;
}

static ew_status run_removed(const char *text, void *user, ew_result *result,
                             const ew_result_archive *journal)
{
    removed *all = user;
    ew_study_def def = linear_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = note;
    def.on_removal = note_round;
    def.verify_rebuild = true;
    return run_on_box(text, (double[3]){4, 2, 0.5}, (int32_t[3]){16, 8, 2}, &def, result, journal,
                      NULL);
}

#define SETS                                                                                       \
    HEAD "sets:\n"                                                                                 \
         "  wall: {surface: 1}\n"                                                                  \
         "  tip: {box: [[4, 0.9, 0], [4, 1.1, 1]], of: vertices}\n"                                \
         "  core: {box: [[1, 0, 0], [3, 2, 1]], of: tets}\n"
#define LOADED                                                                                     \
    "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"                                     \
    "loads:\n  - {set: tip, total_force: [0, -1, 0]}\n"
#define REMOVE(keys)                                                                               \
    "optimise: {remove: {volume: 60 %, rate: 6 %, max_restored: 3 %, radius: 0.5, " keys "}}"

static void test_removal_reaches_its_volume(void)
{
    removed all;
    must(run_removed(SETS LOADED
                     "steps:\n  - {name: whole, static: {}}\n"
                     "  - {name: shape, " REMOVE("until: 2 %") "}\n"
                                                               "  - {name: again, static: {}}\n",
                     &all, NULL, NULL));
    CU_ASSERT_EQUAL(all.n, 3);
    CU_ASSERT(all.n_round > 10 && all.n_restored > 0);
    CU_ASSERT(all.share[1] <= 0.6 && all.share[1] > 0.59);
    CU_ASSERT(all.compliance[1] > 2.0 * all.energy[0] && all.compliance[1] < 3.2 * all.energy[0]);
    CU_ASSERT_EQUAL(all.compliance[1], 2.0 * all.energy[1]);
    CU_ASSERT_EQUAL(all.n_tet[2], all.n_tet[1]);
    CU_ASSERT_DOUBLE_EQUAL(all.energy[2], all.energy[1], 1e-6 * all.energy[1]);
    CU_ASSERT_EQUAL(all.lost_force[1], 0.0);
    CU_ASSERT_EQUAL(all.different, 0);
    CU_ASSERT_EQUAL(all.share[2], -1.0);
    CU_ASSERT_PTR_NULL(strstr(all.warning[1], "remove: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.warning[1], "refine the mesh before the removal begins"));
}

/* Members of sets of faces and tets that went and came back, and the faces in a plane of symmetry:
 * as those of a study that finds them on the body as it is. */
static void test_removal_gives_sets_back(void)
{
    removed all, fresh;
    const char *again = SETS LOADED "  \nsteps:\n  - {name: shape, " REMOVE(
        "max_rounds: 14") "}\n"
                          "  - {name: same, sets: {wall: {surface: 1}, core: {box: [[1, 0, 0], [3, "
                          "2, 1]], of: "
                          "tets}}, static: {}}\n";
    must(run_removed(SETS LOADED "steps:\n  - {name: shape, " REMOVE(
                         "max_rounds: 14") "}\n"
                                           "  - {name: same, static: {}}\n",
                     &all, NULL, NULL));
    must(run_removed(again, &fresh, NULL, NULL));
    CU_ASSERT(all.n_restored > 0);
    for (int32_t s = 0; s < 3; s++) {
        CU_ASSERT_EQUAL(all.set[1][s].measure.n_member, fresh.set[1][s].measure.n_member);
        CU_ASSERT_DOUBLE_EQUAL(all.set[1][s].measure.area, fresh.set[1][s].measure.area, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(all.set[1][s].measure.volume, fresh.set[1][s].measure.volume, 1e-12);
    }
    CU_ASSERT(all.lost[0] > 0 && all.set[1][0].measure.n_member > 0);
    CU_ASSERT_EQUAL(all.energy[1], fresh.energy[1]);
}

static void test_removal_leaves_alone_what_is_protected(void)
{
    removed all;
    must(run_removed(SETS "constraints:\n  - {set: {plane: {point: [0, 0, 0], normal: x}}, "
                          "displacement: [0, 0, 0]}\n"
                          "loads:\n  - {set: tip, total_force: [0, -1, 0]}\n"
                          "steps:\n  - {name: shape, " REMOVE(
                              "max_rounds: 12, protect: [wall, {box: [[1, 0, 0], [1.5, 2, 1]], "
                              "of: tets}]") "}\n",
                     &all, NULL, NULL));
    CU_ASSERT(all.share[0] <= 0.6);
    CU_ASSERT_EQUAL(all.set[0][0].measure.n_member, 32); /* all of the wall */
    CU_ASSERT_EQUAL(all.different, 0);
}

static void test_removal_is_replayed_to_the_same_bits(void)
{
    const char *text = SETS
        "constraints:\n"
        "  - {symmetry: {normal: z, point: [0, 0, 0]}}\n"
        "  - {set: wall, displacement: [0, 0, ~]}\n"
        "loads:\n  - {set: tip, total_force: [0, -1, 0]}\n"
        "steps:\n"
        "  - {name: shape, " REMOVE(
            "max_rounds: 10") "}\n"
                              "  - {name: apart, optimise: {remove: {volume: 2 %, rate: 30 %}}}\n"
                              "  - {name: after, edit: [{remove: {sphere: {center: [2, 0, 0], "
                              "radius: 0.2}}}], "
                              "static: {}}\n";
    removed first, again;
    replay_beside(text, "removal", run_removed, &first, &again);
    CU_ASSERT_EQUAL(first.different + again.different, 0);
    CU_ASSERT_EQUAL(first.n_round, again.n_round);
    CU_ASSERT_EQUAL(first.n_restored, again.n_restored);
    for (int32_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(first.n_warning[i], again.n_warning[i]);
        CU_ASSERT_STRING_EQUAL(first.warning[i], again.warning[i]);
        CU_ASSERT_EQUAL(first.compliance[i], again.compliance[i]);
        CU_ASSERT_EQUAL(first.lost[i], again.lost[i]);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(first.warning[0], "remove: ended after 10 rounds"));
    CU_ASSERT_PTR_NOT_NULL(strstr(first.warning[1], "come off its supports"));
}

/* Where the supports are springs on faces, whose area counts. */
static void test_removal_on_springs(void)
{
    removed all;
    must(run_removed(SETS
                     "constraints:\n  - {set: wall, foundation: {normal: 1e4, tangential: 1e4}}\n"
                     "loads:\n  - {set: tip, total_force: [0, -1, 0]}\n"
                     "elements: quadratic\n"
                     "steps:\n  - {name: shape, " REMOVE("max_rounds: 8") "}\n",
                     &all, NULL, NULL));
    CU_ASSERT(all.share[0] < 0.65);
    CU_ASSERT_EQUAL(all.compliance[0], 2.0 * all.energy[0]);
    CU_ASSERT_EQUAL(all.different, 0);
}

static void test_removal_bears_failing_allocations(void)
{
    const char *text = HEAD "sets:\n  wall: {surface: 1}\n  tip: {surface: 2}\n"
                            "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"
                            "loads:\n  - {set: tip, total_force: [0, -1, 0]}\n"
                            "steps:\n  - {optimise: {remove: {volume: 80 %, rate: 20 %, "
                            "max_rounds: 2, radius: 1}}}\n";
    bool failed = true;
    for (int64_t k = 0; failed && k < 20000; k += 1 + k / 20) {
        ew_case input;
        ew_mesh mesh;
        const ew_study_def def = linear_study_def();
        must(read_text(text, &input));
        must(ew_shape_box(&mesh, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 1}));
        ew_test_allocations_begin(k);
        (void)ew_study_run(&input, &mesh, &def, NULL, NULL);
        failed = ew_test_allocations_end();
        ew_mesh_free(&mesh);
        ew_case_free(&input);
    }
    CU_ASSERT(!failed);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"volume", test_removal_reaches_its_volume},
        {"sets", test_removal_gives_sets_back},
        {"protect", test_removal_leaves_alone_what_is_protected},
        {"replay", test_removal_is_replayed_to_the_same_bits},
        {"springs", test_removal_on_springs},
        {"allocations", test_removal_bears_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    const CU_SuiteInfo suites[] = {{"removal", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
