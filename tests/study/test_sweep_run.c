/* Sweeps under way: each combination is a run of its own, bit for bit, also side by side; failures
 * that are recorded; other starts; `reset:`; replay. */
#include "sweep_fixture.h"

typedef struct answers {
    int32_t n, n_failed, n_solve, combination[64];
    double energy[64], displacement[64], load[64];
    int32_t iterations[64];
    double detail[64][8];
    char failure[64][256], name[64][64], warning[64][320];
} answers;

/* What else a report leads to. */
static void keep_details(answers *all, int32_t i, const ew_step_report *report)
{
    double *to = all->detail[i];
    snprintf(all->name[i], sizeof all->name[i], "%s %s", report->name, report->set[0].name);
    snprintf(all->warning[i], sizeof all->warning[i], "%s",
             report->n_warning ? report->warning[0].text : "");
    to[0] = report->estimate ? report->estimate->share : 0.0;
    to[1] = report->adequacy ? report->adequacy->max_rotation : 0.0;
    to[2] = report->n_edit ? report->edit[0].quality_after : 0.0;
    to[3] = report->mesh->xyz[3 * (size_t)report->sums->max_displacement_vertex];
    to[4] = report->set[0].results.reaction_force[2];
    to[5] = report->n_load ? report->load[0].force[2] : 0.0;
    to[6] = report->solver && report->solver->n_history ? report->solver->history[0] : 0.0;
    to[7] = report->lost_members[1] + 1000.0 * report->n_tet;
}

static void keep(void *user, const ew_step_report *report)
{
    answers *all = user;
    const int32_t i = all->n++;
    all->combination[i] = report->combination;
    all->load[i] = report->parameter ? report->parameter[0].value : 0;
    if (report->failure) {
        all->n_failed++;
        snprintf(all->failure[i], sizeof all->failure[i], "%.255s", report->failure);
        return;
    }
    all->n_solve += report->solver && !report->is_recalled;
    all->energy[i] = report->sums->strain_energy;
    all->displacement[i] = report->sums->max_displacement;
    all->iterations[i] = report->solver ? report->solver->iterations : 0;
    keep_details(all, i, report);
}

static int32_t n_job = 1;

static ew_status run_case(const char *text, void *user, ew_result *result,
                          const ew_result_archive *journal)
{
    ew_case input;
    ew_mesh mesh;
    ew_study_def def = linear_study_def();
    memset(user, 0, sizeof(answers));
    def.user = user;
    def.on_step = keep;
    def.n_job = n_job;
    EW_TRY(read_text(text, &input));
    must(ew_case_plan(&input, NULL, NULL));
    must(ew_shape_box(&mesh, (const double[3]){4, 1, 1}, (const int32_t[3]){8, 2, 2}));
    const ew_status status = ew_study_run(&input, &mesh, &def, result, journal);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
    return status;
}

/* Any number of threads gives the same bits, and the same failures in the same places. */
static void test_sweep_jobs(void)
{
    static const char *const path[] = {"jobs1.vtkhdf", "jobs3.vtkhdf"};
    static const char *const name[] = {"jobs1", "jobs3"};
    static const char text[] =
        HEADS "sweep: {list: [{load: 2}, {share: 20}, {young: -3}, {share: 0.5}, {load: 1, share: "
              "0.3}, {load: 0}, {share: 0.1}, {load: 7}]}\n" SOLID STEPS;
    answers all[2];
    char different[256] = "";
    for (int i = 0; i < 2; i++) {
        ew_result *result = NULL;
        const ew_result_def def = {.name = name[i],
                                   .case_text = text,
                                   .length_unit = "",
                                   .force_unit = "",
                                   .time_unit = ""};
        must(ew_result_create(&result, &def));
        n_job = i ? 3 : 1;
        must(run_case(text, &all[i], result, NULL));
        must(ew_result_finish(result));
    }
    n_job = 1;
    must(ew_result_compare(path[0], path[1], different, sizeof different));
    CU_ASSERT_STRING_EQUAL(different, "");
    CU_ASSERT_EQUAL(all[0].n, 16);
    CU_ASSERT_EQUAL(all[0].n_failed, 4);
    CU_ASSERT_EQUAL(memcmp(all[0].energy, all[1].energy, sizeof all[0].energy), 0);
    CU_ASSERT_EQUAL(memcmp(all[0].failure, all[1].failure, sizeof all[0].failure), 0);
    CU_ASSERT_EQUAL(memcmp(&all[0], &all[1], sizeof all[0]), 0);
    n_job = 4; /* more than are left, and no result */
    must(run_case(text, &all[1], NULL, NULL));
    n_job = 1;
    CU_ASSERT_EQUAL(memcmp(&all[0], &all[1], sizeof all[0]), 0);
    CU_ASSERT(all[0].detail[0][0] > 0.0 && all[0].detail[0][4] > 0.0);
    static const char *const left[] = {"jobs1.vtkhdf", "jobs1.xdmf", "jobs3.vtkhdf", "jobs3.xdmf"};
    for (int i = 0; i < 4; i++) {
        remove(left[i]);
    }
}

/* Whatever came before, each combination has the bits of a run of its own. */
static void test_sweep_is_fresh(void)
{
    static const double load[3] = {1, 3, 1}, share[3] = {0.5, 0.125, 0.5};
    answers all, own;
    char text[4096];
    must(run_case(HEADS "sweep: {list: [{load: 1, share: 0.5}, {load: 3, share: 0.125}, {load: 1, "
                        "share: 0.5}]}\n" SOLID STEPS,
                  &all, NULL, NULL));
    CU_ASSERT_EQUAL_FATAL(all.n, 6);
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text,
                 "mesh: part.mesh\nparameters: {load: %g, share: %g, young: 500 + 2 * 250, half: "
                 "share / 2}\n" SOLID STEPS,
                 load[k], share[k]);
        must(run_case(text, &own, NULL, NULL));
        for (int s = 0; s < 2; s++) {
            CU_ASSERT_EQUAL(all.energy[2 * k + s], own.energy[s]);
            CU_ASSERT_EQUAL(all.displacement[2 * k + s], own.displacement[s]);
            CU_ASSERT_EQUAL(all.iterations[2 * k + s], own.iterations[s]);
            CU_ASSERT_EQUAL(all.combination[2 * k + s], k + 1);
            CU_ASSERT_EQUAL(all.load[2 * k + s], load[k]);
        }
    }
}

/* A combination that fails half-way, or cannot even be read, is recorded; those after it are as if
 * it had not been there. */
static void test_sweep_goes_on(void)
{
    answers all;
    must(run_case(HEADS
                  "sweep: {list: [{load: 2}, {share: 20}, {young: -3}, {load: 2}]}\n" SOLID STEPS,
                  &all, NULL, NULL));
    CU_ASSERT_EQUAL_FATAL(all.n, 8);
    CU_ASSERT_EQUAL(all.n_failed, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.failure[2], "share = 20: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.failure[3], "fraction"));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.failure[4], "young = -3: "));
    CU_ASSERT_EQUAL(all.load[4], all.load[0] / 2);
    CU_ASSERT_EQUAL(all.energy[6], all.energy[0]);
    CU_ASSERT_EQUAL(all.energy[7], all.energy[1]);
    /* nothing but failures is one */
    CU_ASSERT_EQUAL(run_case(HEADS "sweep: {grid: {young: [-3, 0]}}\n" SOLID STEPS, &all, NULL,
                             NULL),
                    EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "all 2 combinations failed"));
}

/* The step that fails is not the first: what came before it stays. */
static void test_sweep_fails_in_a_step(void)
{
    answers all;
    must(
        run_case("mesh: part.mesh\nparameters: {load: 1, from: 0}\n"
                 "sweep: {grid: {from: [2, 9, 3]}}\n"
                 "material: {young: 1000, poisson: 0.3}\n"
                 "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
                 "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"
                 "loads: [{set: tip, total_force: [0, 0, -load]}]\n"
                 "steps:\n  - {name: base, static: {}}\n"
                 "  - {name: cut, edit: [{remove: {box: [[from, 0, 0], [9, 1, 1]]}}], loads: "
                 "[{set: {box: [[from - 0.6, 0, 0], [from, 1, 1]], of: vertices}, total_force: [0, "
                 "0, -1]}], static: {}}\n",
                 &all, NULL, NULL));
    CU_ASSERT_EQUAL_FATAL(all.n, 6);
    CU_ASSERT_EQUAL(all.n_failed, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(all.failure[3], "from = 9: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(all.failure[3], "step 'cut #2'"));

    CU_ASSERT_EQUAL(all.energy[0], all.energy[2]);
    CU_ASSERT_EQUAL(all.energy[0], all.energy[4]);
}

#define RESET                                                                                      \
    HEADS SOLID                                                                                    \
        "steps:\n  - {name: a, edit: [{decimate: {fraction: 0.3, order: axis, axis: y}}], "        \
        "sets: {tip: {union: [tip, low]}}, static: {}}\n"                                          \
        "  - {name: b, edit: [{decimate: {fraction: 0.1, order: axis, axis: z}}], static: "        \
        "{}}\n"                                                                                    \
        "  - {name: c, reset: true, edit: [{decimate: {fraction: 0.1, order: axis, axis: "         \
        "z}}], static: {}}\n"                                                                      \
        "  - {name: d, reset: true, static: {}}\n"

static void test_sweep_reset(void)
{
    answers all, own;
    must(run_case(RESET, &all, NULL, NULL));
    must(run_case(HEADS SOLID "steps: [{edit: [{decimate: {fraction: 0.1, order: axis, axis: z}}], "
                              "static: {}}]\n",
                  &own, NULL, NULL));
    CU_ASSERT_EQUAL(all.energy[2], own.energy[0]);
    CU_ASSERT_EQUAL(all.iterations[2], own.iterations[0]);
    CU_ASSERT(all.energy[1] != own.energy[0]);
    must(run_case(HEADS SOLID, &own, NULL, NULL));
    CU_ASSERT_EQUAL(all.energy[3], own.energy[0]);
}

/* Other starts give the same answers to the tolerance, in fewer iterations. */
static void test_sweep_starts(void)
{
    static const char *const start[] = {"fresh", "warm", "continue"};
    answers all[3];
    char text[4096];
    for (int i = 0; i < 3; i++) {
        snprintf(
            text, sizeof text,
            "mesh: part.mesh\nparameters: {load: 1, wide: 1}\nsweep: {grid: {wide: {from: 1, to: "
            "1.05, count: 6}}, start: %s}\n"
            "material: {young: 1000, poisson: 0.3}\n"
            "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
            "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"
            "loads: [{set: tip, total_force: [0, 0, -load]}]\n"
            "steps: [{edit: [{scale: {factor: [1, wide, 1]}}], static: {tolerance: 1e-10}}]\n",
            start[i]);
        must(run_case(text, &all[i], NULL, NULL));
        CU_ASSERT_EQUAL(all[i].n, 6);
        for (int k = 0; k < 6; k++) {
            CU_ASSERT_DOUBLE_EQUAL(all[i].energy[k], all[0].energy[k], 1e-8 * all[0].energy[k]);
        }
        CU_ASSERT(i == 0 || all[i].iterations[5] < all[0].iterations[5]);
        answers again;
        replay_beside(text, start[i], run_case, &all[i], &again);
        CU_ASSERT_EQUAL(memcmp(all[i].energy, again.energy, sizeof again.energy), 0);
    }
}

/* Loads and moduli in proportion need no iteration, two moduli few once there are some answers. */
static void test_sweep_projects(void)
{
    static const char *const elements[] = {"linear", "quadratic"};
    answers all, own;
    char text[4096];
    static const char *const start[] = {"fresh", "warm", "continue"};
    for (int i = 0; i < 6; i++) {
        snprintf(text, sizeof text,
                 "mesh: part.mesh\nelements: %s\nparameters: {load: 1, young: 1000, soft: 1}\n"
                 "sweep: {list: [{load: 1}, {load: 3}, {young: 70}, {young: 5, load: -2}, "
                 "{soft: 20}, {soft: 40}, {soft: 80}, {soft: 60}], start: %s}\n"
                 "material: {young: young, poisson: 0.3}\n"
                 "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
                 "constraints: [{set: wall, displacement: [0, 0, 0]}, "
                 "{set: tip, spring: [soft - 1 + 1e-12, 0, soft - 1]}]\n"
                 "loads: [{set: tip, total_force: [load, 0, -load]}]\n"
                 "steps: [{static: {tolerance: 1e-10}}]\n",
                 elements[i / 3], start[i % 3]);
        must(run_case(text, i % 3 ? &all : &own, NULL, NULL));
        if (i % 3 == 0) {
            continue;
        }
        CU_ASSERT_EQUAL(all.n, 8);
        CU_ASSERT(all.iterations[0] > 5);
        for (int k = 1; k < 4; k++) {
            CU_ASSERT_EQUAL(all.iterations[k], 0);
        }
        CU_ASSERT(all.iterations[7] < all.iterations[4]);
        for (int k = 0; k < 8; k++) {
            CU_ASSERT_DOUBLE_EQUAL(all.energy[k], own.energy[k], 1e-8 * own.energy[k]);
        }
    }
}

/* Where the edit cannot go on, it is made on the case's mesh; what follows goes on from there. */
static void test_sweep_begins_again(void)
{
    answers all[3], again;
    for (int i = 0; i < 3; i++) {
        char text[4096];
        snprintf(
            text, sizeof text,
            "mesh: part.mesh\nparameters: {load: 1, wide: 1, at: 0}\n"
            "sweep: {list: [{wide: 1.1}, {wide: 1.2}, {at: 0.5}, {at: 0.5, wide: 2}, {wide: -1}, "
            "{wide: 1.1}], start: %s}\n"
            "material: {young: 1000, poisson: 0.3}\n"
            "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"
            "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"
            "loads: [{set: tip, total_force: [0, 0, -load]}]\n"
            "steps: [{edit: [{scale: {factor: [1, wide, 1], about: [0, at, 0]}}], static: "
            "{tolerance: %s}}]\n",
            i == 1 ? "continue" : "fresh", i == 2 ? "1e-11" : "1e-10");
        must(run_case(text, &all[i], NULL, NULL));
        replay_beside(text, "again", run_case, &all[i], &again);
        CU_ASSERT_EQUAL(memcmp(all[i].energy, again.energy, sizeof again.energy), 0);
        CU_ASSERT_EQUAL(all[i].n_failed, 1);
        for (int k = 0; k < 6; k++) {
            CU_ASSERT_DOUBLE_EQUAL(all[i].energy[k], all[0].energy[k], 1e-8 * all[0].energy[k]);
        }
    }
    /* from the case's mesh, at rest, to a tenth of the tolerance */
    CU_ASSERT_EQUAL(all[1].iterations[2], all[2].iterations[2]);
    CU_ASSERT_EQUAL(all[1].energy[5], all[2].energy[5]);
}

static void test_sweep_replay(void)
{
    answers first, again;
    replay_beside(
        HEADS "sweep: {list: [{load: 2}, {share: 20}, {young: -3}, {share: 0.5}]}\n" SOLID STEPS,
        "sweep", run_case, &first, &again);
    CU_ASSERT_EQUAL(first.n, again.n);
    CU_ASSERT_EQUAL(memcmp(first.energy, again.energy, sizeof first.energy), 0);
    CU_ASSERT_EQUAL(memcmp(first.failure, again.failure, sizeof first.failure), 0);
    replay_beside(RESET, "reset", run_case, &first, &again);
    CU_ASSERT_EQUAL(memcmp(first.energy, again.energy, sizeof first.energy), 0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sweep_jobs", test_sweep_jobs},
        {"sweep_is_fresh", test_sweep_is_fresh},
        {"sweep_goes_on", test_sweep_goes_on},
        {"sweep_fails_in_a_step", test_sweep_fails_in_a_step},
        {"sweep_reset", test_sweep_reset},
        {"sweep_starts", test_sweep_starts},
        {"sweep_projects", test_sweep_projects},
        {"sweep_begins_again", test_sweep_begins_again},
        {"sweep_replay", test_sweep_replay},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"sweeps under way", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
