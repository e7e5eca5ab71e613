/* Warnings of a study's steps: where the answer is not good, one line each with its remedy, in the
 * report and in the result; where it is good, none. */
#include "study_fixture.h"

typedef struct heard {
    int32_t n; /* steps */
    int32_t n_warning[8];
    ew_warning warning[8][EW_MAX_WARNINGS];
    double share[8], balance; /* of the energy at the last output of a motion */
} heard;

static void listen(void *user, const ew_step_report *report)
{
    heard *all = user;
    const int32_t i = all->n++;
    all->n_warning[i] = report->n_warning;
    all->share[i] = report->estimate ? report->estimate->share : -1.0;
    if (report->motion) {
        const ew_energy_account *now = &report->motion->account;
        all->balance = now->balance / fmax(now->kinetic, fabs(now->external_work));
    }
    for (int32_t k = 0; k < report->n_warning; k++) {
        all->warning[i][k] = report->warning[k];
        CU_ASSERT_PTR_NULL(strchr(report->warning[k].text, '\n'));
        CU_ASSERT(strlen(report->warning[k].text) < EW_WARNING_TEXT - 1); /* not cut */
    }
}

static void run_heard(const char *text, const int32_t cells[3], bool estimate, heard *all,
                      ew_result *result)
{
    ew_study_def def = linear_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = listen;
    def.estimate_error = estimate;
    CU_ASSERT_EQUAL_FATAL(run_on_box(text, (double[3]){4, 1, 1}, cells, &def, result, NULL, NULL),
                          EW_OK);
}

static bool says(const heard *all, int32_t step, const char *words)
{
    bool found = false;
    for (int32_t k = 0; k < all->n_warning[step]; k++) {
        found = found || strstr(all->warning[step][k].text, words);
    }
    return found;
}

#define PULLED                                                                                     \
    HEAD "sets:\n  wall: {surface: 1}\n  side: {surface: 3}\n  low: {surface: 5}\n"                \
         "  tip: {surface: 2}\n"                                                                   \
         "constraints:\n  - {set: wall, displacement: [0, ~, ~]}\n"                                \
         "  - {set: side, displacement: [~, 0, ~]}\n  - {set: low, displacement: [~, ~, 0]}\n"     \
         "loads:\n  - {set: tip, traction: [1, 0, 0]}\n"

/* Plain tension is exact, on two layers of tets, too. */
static void test_warnings_none_where_the_answer_is_good(void)
{
    heard all;
    run_heard(PULLED, (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 0);
    CU_ASSERT(all.share[0] >= 0.0 && all.share[0] < 1e-6);
}

static void test_warnings_of_bending_through_two_layers(void)
{
    heard all;
    run_heard(BODY, (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 2);
    CU_ASSERT(says(&all, 0, "bending through 2.0 layers of tets"));
    CU_ASSERT(says(&all, 0, "refine the thin walls, or use 'elements: quadratic'"));
    CU_ASSERT(says(&all, 0, "of the energy norm, more than 10 %"));
    CU_ASSERT(says(&all, 0, "refine: {by: error, until: 10 %}"));
    run_heard(BODY, (int32_t[3]){16, 4, 4}, true, &all, NULL);
    CU_ASSERT_FALSE(says(&all, 0, "layers"));
}

/* A 4 m beam that moves by meters, and one that is stretched by a tenth. */
static void test_warnings_of_large_displacements(void)
{
    heard all;
    run_heard(BODY
              "steps:\n"
              "  - {name: small, loads: [{set: tip, total_force: [0, 0, -0.01]}], static: {}}\n"
              "  - {name: large, loads: [{set: tip, total_force: [0, 0, -10]}], static: {}}\n",
              (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_FALSE(says(&all, 0, "small displacements"));
    CU_ASSERT(says(&all, 1, "turns by more than 0.1 rad"));
    CU_ASSERT(says(&all, 1, "take 'kinematics: corotational', or check loads and units"));
    CU_ASSERT(says(&all, 1, "scale the loads down"));
    run_heard("elements: quadratic\n" BODY "steps:\n"
              "  - {name: large, loads: [{set: tip, total_force: [0, 0, -10]}], static: {}}\n",
              (int32_t[3]){4, 1, 1}, true, &all, NULL);
    CU_ASSERT(says(&all, 0, "take 'kinematics: corotational', or check loads and units"));
    run_heard(PULLED "steps:\n"
                     "  - {name: much, loads: [{set: tip, traction: [100, 0, 0]}], static: {}}\n",
              (int32_t[3]){4, 1, 1}, true, &all, NULL);
    CU_ASSERT(says(&all, 0, "strained by more than 0.05"));
    CU_ASSERT_EQUAL(all.n_warning[0], 1);
}

/* text with other constants of the material. */
static void put_material(char *text, const char *with)
{
    char *density = strstr(text, "density: 2");
    memmove(density + strlen(with), density + 10, strlen(density + 10) + 1);
    memcpy(density, with, strlen(with));
}

/* Tension of 1 is exact: what yields at less would not have been elastic, in a step in time
 * neither.
 */
static void test_warnings_of_yielding(void)
{
    static const char *const law[] = {
        "density: 2, plastic: {yield_stress: 2.01}", "density: 2, plastic: {yield_stress: 0.8}",
        "density: 2, plastic: {table: [[0.5, 0], [9, 1]]}",
        "density: 2, creep: {yield: 1e-9, creep: 3, volume_preserving: true}"};
    static const char *const words[] = {"", "1.25 times its yield stress, above it in 100 % of",
                                        "2 times", "is 'creep', but a linear analysis"};
    for (int k = 0; k < 4; k++) {
        heard all;
        char text[2000];
        snprintf(text, sizeof text, "%s", PULLED);
        put_material(text, law[k]);
        run_heard(text, (int32_t[3]){4, 1, 1}, false, &all, NULL);
        CU_ASSERT_EQUAL(all.n_warning[0], k > 0);
        CU_ASSERT(k == 0 || says(&all, 0, words[k]));
        strcat(text, "steps:\n  - dynamic: {step: 1, steps: 2, scheme: implicit-euler}\n");
        run_heard(text, (int32_t[3]){4, 1, 1}, false, &all, NULL);
        CU_ASSERT_EQUAL(all.n_warning[2], k > 0); /* at the last output */
    }
}

/* The advice of the warning is taken. */
static void test_warnings_of_yielding_advise_what_runs(void)
{
    static const char *const elements[] = {"elements: quadratic\n", "elements: mixed\n"};
    for (int k = 0; k < 2; k++) {
        heard all;
        char text[2000], other[2100];
        snprintf(text, sizeof text, "%s", PULLED);
        put_material(text, "density: 2, plastic: {yield_stress: 0.8, hardening: 100}");
        snprintf(other, sizeof other, "%s%s", elements[k], text);
        run_heard(other, (int32_t[3]){4, 1, 1}, false, &all, NULL);
        CU_ASSERT(says(&all, 0, "'nonlinear: {}'"));
        strcat(text, "steps:\n  - static: {nonlinear: {}}\n");
        snprintf(other, sizeof other, "%s%s", elements[k], text);
        run_heard(other, (int32_t[3]){4, 1, 1}, false, &all, NULL);
        CU_ASSERT_EQUAL(all.n_warning[0], 0);
    }
}

/* A nonlinear step judges its answer as a linear one does, which has the same as long as nothing
 * flows; what stays in a body that was bent too far has an error, too. Of an elastic body that is
 * let go nothing stays, and tension is exact. */
static void test_warnings_of_plastic_bodies(void)
{
    static const char *const steps =
        "steps:\n"
        "  - {name: linear, loads: [{set: tip, total_force: [0, 0, -0.01]}], static: {}}\n"
        "  - {name: elastic, loads: [{set: tip, total_force: [0, 0, -0.01]}], static: {nonlinear: "
        "{}}}\n"
        "  - {name: let go, loads: [], static: {nonlinear: {}}}\n"
        "  - {name: too far, loads: [{set: tip, total_force: [0, 0, -0.1]}], static: {nonlinear: "
        "{}}}\n"
        "  - {name: bent, loads: [], static: {nonlinear: {}}}\n"
        "  - name: in time\n"
        "    loads: [{set: tip, total_force: [0, 0, -0.1]}]\n"
        "    dynamic: {step: 1, steps: 20, output: {every: 20}, scheme: implicit-euler, nonlinear: "
        "{}}\n";
    heard all;
    char text[2000];
    snprintf(text, sizeof text, "%s%s", BODY, steps);
    put_material(text, "density: 2, plastic: {yield_stress: 1, hardening: 100}");
    run_heard(text, (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_DOUBLE_EQUAL(all.share[0], all.share[1], 1e-4);
    CU_ASSERT(says(&all, 0, "of the energy norm, more than 10 %: the tets are too coarse; refine"));
    CU_ASSERT_EQUAL(all.n_warning[1], 2);
    CU_ASSERT_EQUAL(all.n_warning[2], 0);
    for (int32_t i = 3; i < 5; i++) {
        CU_ASSERT(all.share[i] > 0.4);
        CU_ASSERT(says(&all, i, "plastic strain may be off by more; refine before the first load"));
        CU_ASSERT(says(&all, i, "'edit: [{refine: {by: error, until: 10 %}}]'"));
    }
    CU_ASSERT(says(&all, all.n - 1, "more than 10 %: the tets are too coarse, and plastic"));
    CU_ASSERT(says(&all, all.n - 1, "'edit: [{refine: {longer_than: ...}}]'"));
    snprintf(text, sizeof text, "%s%s", PULLED, "steps:\n  - static: {nonlinear: {}}\n");
    put_material(text, "density: 2, plastic: {yield_stress: 0.8, hardening: 100}");
    run_heard(text, (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 0);
}

/* Nearly incompressible: where tets lock, not where tension is exact all the same. */
static void test_warnings_of_locking(void)
{
    heard all;
    char text[1000];
    snprintf(text, sizeof text, "%s", BODY);
    memcpy(strstr(text, "0.3"), ".49", 3);
    run_heard(text, (int32_t[3]){16, 4, 4}, true, &all, NULL);
    CU_ASSERT(says(&all, 0, "Poisson's ratio is 0.49: linear tets lock"));
    snprintf(text, sizeof text, "%s", PULLED);
    memcpy(strstr(text, "0.3"), ".49", 3);
    run_heard(text, (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 0);
}

/* Free to expand: what stress is left is that of the tolerance, and no tets are too coarse for it.
 */
static void test_warnings_none_of_free_expansion(void)
{
    heard all;
    char text[2000];
    snprintf(text, sizeof text, "%s",
             PULLED "steps:\n  - loads: [{temperature: 50}]\n"
                    "    static: {tolerance: 1e-7}\n"
                    "  - loads: [{temperature: 50}, "
                    "{set: tip, traction: [1, 0, 0]}]\n    static: {}\n"
                    "  - edit: [{refine: {by: error, until: 5 %}}]\n"
                    "    loads: [{temperature: 50}]\n    static: {}\n");
    put_material(text, "density: 2, expansion: 1e-5");
    run_heard(text, (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n, 3);
    for (int32_t i = 0; i < all.n; i++) {
        CU_ASSERT_EQUAL(all.n_warning[i], 0);
        CU_ASSERT(all.share[i] < 0.01);
    }
    CU_ASSERT_EQUAL(all.share[0], 0.0);
    CU_ASSERT_EQUAL(all.share[2], 0.0);
}

/* A load that was forgotten, or on what is fixed. */
static void test_warnings_of_nothing_that_moves(void)
{
    heard all;
    run_heard(PULLED "steps:\n  - loads: []\n    static: {}\n"
                     "  - constraints: [{set: tip, displacement: [0, 0, 0]}]\n"
                     "    static: {}\n"
                     "  - static: {}\n",
              (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 1);
    CU_ASSERT(says(&all, 0, "nothing moves"));
    CU_ASSERT(says(&all, 1, "nothing moves"));
    CU_ASSERT_EQUAL(all.n_warning[2], 0);
}

/* A stiff bar falls about a hinge. Steps that linearize the force once brake it, which is said;
 * smaller ones and Newton's method do not. */
static void test_warnings_of_steps_that_brake(void)
{
    static const char *const steps[] = {"step: 0.01", "step: 0.01, nonlinear: {tolerance: 1e-6}",
                                        "step: 0.002"};
    for (int k = 0; k < 3; k++) {
        heard all;
        char text[1000];
        snprintf(text, sizeof text,
                 "mesh: part.mesh\nkinematics: corotational\n"
                 "material: {young: 1e8, poisson: 0.3, density: 1000}\n"
                 "sets: {hinge: {box: [[0, 0, 0], [0, 1, 0]]}}\n"
                 "constraints: [{set: hinge, displacement: [0, 0, 0]}]\n"
                 "loads: [{gravity: [0, 0, -10]}]\n"
                 "steps: [{dynamic: {end: 1.2, output: {every: 1000}, %s}}]\n",
                 steps[k]);
        run_heard(text, (int32_t[3]){8, 2, 2}, true, &all, NULL);
        CU_ASSERT_EQUAL(all.n, 2);
        CU_ASSERT_EQUAL(says(&all, 1, "% of the energy: they linearize the force once"), k == 0);
        CU_ASSERT_EQUAL(says(&all, 1, "'nonlinear: {tolerance: 1e-6}'"), k == 0);
        CU_ASSERT(k == 0 ? all.balance < -0.1 : fabs(all.balance) < 0.01);
    }
}

/* Refinement that did not reach its goal is not advised again. */
static void test_warnings_of_a_goal_that_was_missed(void)
{
    heard all;
    run_heard(BODY "steps:\n  - edit: [{refine: {by: error, until: 5 %, max_tets: 300}}]\n"
                   "    static: {}\n",
              (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT(says(&all, 0, "that 'refine: {by: error}' was to reach; raise max_rounds"));
    CU_ASSERT_FALSE(says(&all, 0, "for example by 'edit: [{refine"));
}

/* A step without an analysis says nothing, and neither does a study that does not estimate. */
static void test_warnings_only_of_analyses(void)
{
    heard all;
    run_heard(BODY "steps:\n  - {name: cut, edit: [{scale: {factor: 2}}]}\n"
                   "  - {name: solved, static: {}}\n",
              (int32_t[3]){8, 2, 2}, true, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 0);
    CU_ASSERT_EQUAL(all.share[0], -1.0);
    CU_ASSERT_EQUAL(all.n_warning[1], 2);
    run_heard(BODY, (int32_t[3]){8, 2, 2}, false, &all, NULL);
    CU_ASSERT_EQUAL(all.n_warning[0], 0);
    CU_ASSERT_EQUAL(all.share[0], -1.0);
}

/* Kinds have names of their own, which records keep, and help. */
static void test_warnings_have_kinds(void)
{
    for (int i = 0; i < EW_WARNING_COUNT; i++) {
        const char *name = ew_warning_kind_name((ew_warning_kind)i);
        CU_ASSERT(*name && !strpbrk(name, ":\n") && *ew_warning_kind_help((ew_warning_kind)i));
        for (int k = 0; k < i; k++) {
            CU_ASSERT(strcmp(name, ew_warning_kind_name((ew_warning_kind)k)) != 0);
        }
    }
    CU_ASSERT_STRING_EQUAL(ew_warning_kind_name(EW_WARNING_COUNT), "");
    CU_ASSERT_STRING_EQUAL(ew_warning_kind_help((ew_warning_kind)-1), "");
}

static ew_status run_recorded(const char *text, void *user, ew_result *result,
                              const ew_result_archive *journal)
{
    heard *all = user;
    ew_study_def def = linear_study_def();
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = listen;
    return run_on_box(text, (double[3]){4, 1, 1}, (int32_t[3]){8, 2, 2}, &def, result, journal,
                      NULL);
}

/* What an edit of a step with an analysis did less of is in its record, and a replay, which does
 * not run the operation, says so again: by its kind, whatever the text. */
static void test_warnings_of_edits_are_replayed(void)
{
    heard first, again;
    const char *text = BODY "steps:\n"
                            "  - edit: [{cut: {cylinder: {from: [2, 0.5, -1], to: [2, 0.5, 2], "
                            "radius: 0.2}, keep: outside}}]\n"
                            "    static: {}\n";
    replay_beside(text, "remark", run_recorded, &first, &again);
    CU_ASSERT(first.n_warning[0] >= 2);
    CU_ASSERT_EQUAL(first.warning[0][0].kind, EW_WARNING_EDIT);
    CU_ASSERT(first.warning[0][0].line > 1);
    CU_ASSERT_EQUAL(first.n_warning[0], again.n_warning[0]);
    CU_ASSERT(!memcmp(first.warning[0], again.warning[0], sizeof first.warning[0]));
}

/* Of a CAD file whose solids were not decided: in the first step, and in the result. */
static void test_warnings_of_undecided_solids(void)
{
    heard all = {0};
    ew_groups groups = {.geometry = {.n_unsure = 2, .unsure = {3, 7}}};
    ew_study_def def = linear_study_def();
    def.user = &all;
    def.on_step = listen;
    def.groups = &groups;
    must(run_on_box(PULLED "steps:\n  - {static: {}}\n  - {static: {}}\n", (double[3]){4, 1, 1},
                    (int32_t[3]){8, 2, 2}, &def, NULL, NULL, NULL));
    CU_ASSERT(all.n == 2 && all.n_warning[0] == 1 && all.n_warning[1] == 0);
    CU_ASSERT(all.warning[0][0].kind == EW_WARNING_SOLIDS);
    CU_ASSERT(says(&all, 0, "whether solids 3 and 7 lie in one another is not known"));
    CU_ASSERT(says(&all, 0, "(2 pairs)"));
    ew_groups_free(&groups);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"warnings_none", test_warnings_none_where_the_answer_is_good},
        {"warnings_layers", test_warnings_of_bending_through_two_layers},
        {"warnings_large", test_warnings_of_large_displacements},
        {"warnings_yielding", test_warnings_of_yielding},
        {"warnings_advice", test_warnings_of_yielding_advise_what_runs},
        {"warnings_plastic", test_warnings_of_plastic_bodies},
        {"warnings_locking", test_warnings_of_locking},
        {"warnings_expansion", test_warnings_none_of_free_expansion},
        {"warnings_nothing", test_warnings_of_nothing_that_moves},
        {"warnings_goal", test_warnings_of_a_goal_that_was_missed},
        {"warnings_braked", test_warnings_of_steps_that_brake},
        {"warnings_analyses", test_warnings_only_of_analyses},
        {"warnings_kinds", test_warnings_have_kinds},
        {"warnings_solids", test_warnings_of_undecided_solids},
        {"warnings_replayed", test_warnings_of_edits_are_replayed},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"warnings", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
