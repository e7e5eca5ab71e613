/* Searches over parameters of cases: an optimum known in closed form, failures on the way, limits
 * that nothing keeps, what is refused. */
#include "ew_parts.h"
#include "sweep_fixture.h"

typedef struct history {
    int32_t n, n_failed;
    double wide[64], objective[64], violation[64];
} history;

static void keep(void *user, const ew_step_report *report)
{
    history *all = user;
    const int32_t i = all->n++;
    all->n_failed += report->failure != NULL;
    all->wide[i] = report->parameter[0].value;
    all->objective[i] = report->is_judged ? report->objective : NAN;
    all->violation[i] = report->is_judged ? report->violation : NAN;
}

/* A bar that is pulled: its stretch is proportional to 1 / wide, its mass to wide. */
#define PULLED                                                                                     \
    "mesh: part.mesh\nmaterial: {young: 1000, poisson: 0, density: 2, yield_strength: 25}\n"       \
    "sets: {wall: {surface: 1}, tip: {surface: 2}}\n"                                              \
    "constraints: [{set: wall, displacement: [0, 0, 0]}]\n"                                        \
    "loads: [{set: tip, total_force: [10, 0, 0]}]\n"                                               \
    "steps: [{edit: [{scale: {factor: [1, wide, 1]}}], static: {tolerance: 1e-10}}]\n"

static ew_status run_search(const char *head, history *all)
{
    ew_case input;
    ew_mesh mesh;
    ew_study_def def = linear_study_def();
    char text[4096];
    memset(all, 0, sizeof *all);
    def.user = all;
    def.on_step = keep;
    snprintf(text, sizeof text, "%s" PULLED, head);
    EW_TRY(read_text(text, &input));
    must(ew_case_plan(&input, NULL, NULL));
    must(ew_shape_box(&mesh, (const double[3]){4, 1, 1}, (const int32_t[3]){4, 2, 2}));
    const ew_status status = ew_study_run(&input, &mesh, &def, NULL, NULL);
    if (!status) {
        CU_ASSERT_EQUAL(input.sweep->n_done, all->n);
    }
    ew_mesh_free(&mesh);
    ew_case_free(&input);
    return status;
}

static double best(const history *all)
{
    double least = INFINITY, at = NAN;
    for (int32_t i = 0; i < all->n; i++) {
        if (all->violation[i] <= 1e-3 && all->objective[i] < least) {
            least = all->objective[i];
            at = all->wide[i];
        }
    }
    return at;
}

/* stretch = F L / (E A) = 10 * 4 / (1000 * wide) <= 0.05 at wide = 0.8, but for the ends */
static void test_search_finds(void)
{
    if (!EW_WITH_NLOPT) { /* nothing to search with */
        return;
    }
    static const char *const start[] = {"fresh", "warm", "continue"};
    history all;
    for (int i = 0; i < 3; i++) {
        char head[512];
        snprintf(head, sizeof head,
                 "parameters: {wide: 1.5}\n"
                 "optimise: {parameters: {wide: [0.4, 3]}, minimize: mass, "
                 "limits: {mean_displacement of tip: 0.05}, evaluations: 40, start: %s}\n",
                 start[i]);
        must(run_search(head, &all));
        CU_ASSERT_DOUBLE_EQUAL(best(&all), 0.8, 0.005);
        CU_ASSERT(all.n < 40);
        CU_ASSERT_EQUAL(all.n_failed, 0);
    }
    must(run_search("parameters: {wide: 1.5}\n"
                    "optimise: {parameters: {wide: [0.4, 3]}, maximize: "
                    "max_displacement, limits: {mass: {least: 10}}, evaluations: 40}\n",
                    &all));
    CU_ASSERT_DOUBLE_EQUAL(all.wide[all.n - 1], 1.25, 0.01); /* mass 8 wide */
}

/* With derivatives, from adjoints, of what moves vertices. */
static void test_search_by_derivatives(void)
{
    history all;
    if (!EW_WITH_NLOPT) { /* nothing to search with */
        return;
    }
    must(run_search("parameters: {wide: 1.5}\n"
                    "optimise: {parameters: {wide: [0.4, 3]}, minimize: mass, method: mma, "
                    "limits: {mean_displacement of tip: 0.05, strain_energy: {least: 1e-9}}, "
                    "evaluations: 25}\n",
                    &all));
    CU_ASSERT_DOUBLE_EQUAL(best(&all), 0.8, 1e-4);
    CU_ASSERT(all.n < 12);
    CU_ASSERT_EQUAL(all.n_failed, 0);
    /* the same stress all over, 10 / wide */
    static const char *const limit[] = {"max_von_mises: 12.5", "yield_safety: {least: 2}"};
    for (int i = 0; i < 2; i++) {
        char head[512];
        snprintf(head, sizeof head,
                 "parameters: {wide: 1.5}\n"
                 "optimise: {parameters: {wide: [0.4, 3]}, minimize: mass, method: mma, "
                 "limits: {%s}, evaluations: 25}\n",
                 limit[i]);
        must(run_search(head, &all));
        CU_ASSERT_DOUBLE_EQUAL(best(&all), 0.8, 1e-3);
        CU_ASSERT(all.n < 15);
        CU_ASSERT_EQUAL(all.n_failed, 0);
    }
}

/* Where nothing can be built the search turns back; where everything fails it says so. */
static void test_search_fails(void)
{
    if (!EW_WITH_NLOPT) { /* nothing to search with */
        return;
    }
    history all;
    must(run_search("parameters: {wide: 1.5, bad: 'sqrt(wide - 0.9)'}\n"
                    "optimise: {parameters: "
                    "{wide: [0.4, 3]}, minimize: mass, evaluations: 30}\n",
                    &all));
    CU_ASSERT(all.n_failed > 0 && all.n_failed < all.n);
    CU_ASSERT_DOUBLE_EQUAL(all.wide[all.n - 1], 0.9, 0.2);
    must(run_search("parameters: {wide: 1.5}\n"
                    "optimise: {parameters: {wide: [1, 2]}, minimize: mass, "
                    "limits: {mass: 1}, evaluations: 5}\n",
                    &all));
    CU_ASSERT(all.n <= 5 && all.violation[0] > 0);
}

static void test_search_refused(void)
{
    static const char *const cases[][2] = {
        {"{}", "'parameters' is missing"},
        {"{parameters: {}}", "mapping of parameters"},
        {"{parameters: {wid: [1, 2]}}", "did you mean 'wide'"},
        {"{parameters: {wide: [2, 1]}}", "least below"},
        {"{parameters: {wide: [1]}}", "least below"},
        {"{parameters: {wide: [2, 3]}}", "where the search starts"},
        {"{parameters: {wide: [1, 3]}}", "either 'minimize' or 'maximize'"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, maximize: mass}", "either"},
        {"{parameters: {wide: [1, 3]}, minimize: mess}", "no output 'mess'"},
        {"{parameters: {wide: [1, 3]}, minimize: mass of tip}", "no output"},
        {"{parameters: {wide: [1, 3]}, minimize: ' of tip'}", "no output ' of tip'"},
        {"{parameters: {wide: [1, 3]}, minimize: ''}", "an output must be"},
        {"{parameters: {wide: [1, 3]}, minimize: max_von_mises of tp}", "no set 'tp'"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, limits: {volume: {}}}", "'least', 'most'"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, limits: {volume: {least: 2, most: 1}}}",
         "below the other"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, limits: {mass: 2, mass: 1}}", "given twice"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, evaluations: 0}", "evaluations"},
        {"{parameters: {wide: [1, 3]}, minimize: max_principal, method: mma}", "no derivatives"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, limits: {max_von_mises of tip: 1}, "
         "method: mma}",
         "no derivatives"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, method: newton}", "method"},
        {"{parameters: {wide: [1, 3]}, minimize: mass, tolerance: 2}", "tolerance is 2"},
        {"{parameters: {wide: [1, 3]}, minimize: mass}\nsweep: {grid: {wide: [1]}}", "exclude"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        history all;
        char head[512];
        snprintf(head, sizeof head,
                 "parameters: {wide: 1.5}\n"
                 "optimise: %s\n",
                 cases[i][0]);
        CU_ASSERT_EQUAL(run_search(head, &all), EW_BAD_INPUT);
        if (!strstr(ew_message(), cases[i][1]) || !strstr(ew_message(), "line ")) {
            printf("%s: %s\n", cases[i][1], ew_message());
            CU_FAIL("another message");
        }
    }
}

/* All evaluations start from one mesh. */
static void test_search_keeps_the_mesh(void)
{
    static const char *const cases[][2] = {
        {"mesh: {file: part.step, size: wide}\n", "another 'mesh'"},
        {"mesh: {file: part.step, size: 0.5 + wide}\n", "another 'mesh'"},
        {"mesh: {surface: part.stl, max_volume: wide}\n", "another 'mesh'"},
        {"mesh: {file: part.step, size: 0.5}\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_case input;
        char text[2048];
        snprintf(text, sizeof text,
                 "parameters: {wide: 1.5}\n"
                 "optimise: {parameters: {wide: [1, 2]}, minimize: mass}\n%s%s",
                 cases[i][0], strchr(PULLED, '\n') + 1);
        must(read_text(text, &input));
        CU_ASSERT_EQUAL(ew_case_plan(&input, NULL, NULL), cases[i][1] ? EW_BAD_INPUT : EW_OK);
        CU_ASSERT(!cases[i][1] || strstr(ew_message(), cases[i][1]));
        ew_case_free(&input);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"search_finds", test_search_finds},
        {"search_by_derivatives", test_search_by_derivatives},
        {"search_fails", test_search_fails},
        {"search_refused", test_search_refused},
        {"search_keeps_the_mesh", test_search_keeps_the_mesh},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"search", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
