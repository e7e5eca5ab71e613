/* Parameters, expressions and sweeps of cases: values, combinations, that each is a run of its own
 * bit for bit, failures that are recorded, `reset:`, replay, and what is refused. */
#include "study_fixture.h"

#define HEADS                                                                                      \
    "mesh: part.mesh\nparameters: {load: 1, share: 0.25, young: 500 + 2 * 250, half: share / 2}\n"
#define SOLID                                                                                      \
    "material: {young: young, poisson: 0.3, density: 2}\nsets:\n  wall: {surface: 1}\n"            \
    "  tip: {surface: 2, of: vertices}\n  low: {box: [[0, 0, 0], [4, 2*share, 1]]}\n"              \
    "constraints:\n  - {set: wall, displacement: [0, 0, 0]}\n"                                     \
    "loads:\n  - {set: tip, total_force: [0, -load/2, -load^2]}\n"
#define STEPS                                                                                      \
    "steps:\n  - {name: cut, edit: [{decimate: {fraction: half, order: axis, axis: y}}], static: " \
    "{}}\n  - {name: move, edit: [{move: {set: low, by: [0, -share/10, 0], radius: 0.6}}], "       \
    "static: {tolerance: 1e-9}}\n"

/* ---- values ------------------------------------------------------------------------- */

static void test_sweep_parameters(void)
{
    ew_case input;
    must(read_text(HEADS SOLID STEPS, &input));
    CU_ASSERT_EQUAL_FATAL(input.n_parameter, 4);
    CU_ASSERT_STRING_EQUAL(input.parameter[3].name, "half");
    CU_ASSERT_EQUAL(input.parameter[2].value, 1000.0);
    CU_ASSERT_EQUAL(input.parameter[3].value, 0.125);
    CU_ASSERT_EQUAL(input.material[0].material.young, 1000.0);
    CU_ASSERT_EQUAL(input.load[0].as.vector[1], -0.5);
    CU_ASSERT_EQUAL(input.node[input.set[2].node].selector.b[1], 0.5);
    CU_ASSERT_EQUAL(input.step[0].edit[0].values.of[0].number[0], 0.125);
    CU_ASSERT_PTR_NULL(input.sweep);
    const double other[3] = {NAN, 0.5, 7.0};
    ew_case given;
    const ew_case_def def = {.n_value = 3, .value = other};
    must(ew_case_read_with(input.text, strlen(input.text), &def, &given));
    CU_ASSERT_EQUAL(given.parameter[0].value, 1.0);
    CU_ASSERT_EQUAL(given.parameter[3].value, 0.25); /* follows */
    CU_ASSERT_EQUAL(given.material[0].material.young, 7.0);
    ew_case_free(&given);
    ew_case_free(&input);
}

/* Whole numbers, percentages, expressions of the place, words that are no expressions. */
static void test_sweep_kinds_of_numbers(void)
{
    ew_case input;
    must(
        read_text("mesh: part.mesh\nparameters: {n: 6, k: n/3, tip: 2}\n"
                  "material: {young: 1e3, poisson: 0.3, expansion: 1/(1000*k)}\n"
                  "sets: {wall: {surface: k - 1}, tip: {surface: tip}}\n"
                  "constraints: [{set: wall, displacement: [0, ~, -k]}]\n"
                  "loads: [{temperature: {expression: 'k * x + n'}}, {set: tip, pressure: 0.1*n}]\n"
                  "steps: [{static: {max_iterations: n^k}}]\n",
                  &input));
    CU_ASSERT_EQUAL(input.step[0].max_iterations, 36);
    CU_ASSERT_EQUAL(input.constraint[0].fixed, 5);
    CU_ASSERT_EQUAL(input.constraint[0].value[2], -2.0);
    CU_ASSERT_EQUAL(input.load[1].as.set, 1); /* the set, not the parameter */
    const double place[3] = {10, 0, 0};
    double value;
    CU_ASSERT_PTR_NULL(ew_expression_value(input.load[0].as.expression, place, &value));
    CU_ASSERT_EQUAL(value, 26.0);
    ew_case_free(&input);
}

/* ---- combinations ---------------------------------------------------------------------- */

static void read_sweep(const char *sweep, ew_case *input)
{
    char text[4096];
    snprintf(text, sizeof text, HEADS "sweep:\n%s\n" SOLID STEPS, sweep);
    must(read_text(text, input));
    CU_ASSERT_PTR_NOT_NULL_FATAL(input->sweep);
    must(ew_case_plan(input, NULL, NULL));
    CU_ASSERT_EQUAL(input->n_record, 2 * input->sweep->n);
}

static void test_sweep_grid(void)
{
    ew_case input;
    read_sweep("  grid:\n    load: [1, 2]\n    share: {from: 0.1, to: 0.5, count: 3}\n", &input);
    static const double expected[6][2] = {{1, 0.1}, {1, 0.3}, {1, 0.5},
                                          {2, 0.1}, {2, 0.3}, {2, 0.5}};
    CU_ASSERT_EQUAL_FATAL(input.sweep->n, 6);
    for (int i = 0; i < 12; i++) {
        CU_ASSERT_DOUBLE_EQUAL(input.sweep->value[i], expected[i / 2][i % 2], 1e-15);
    }
    CU_ASSERT_EQUAL(input.sweep->value[11], 0.5);
    ew_case_free(&input);
    read_sweep("  list: [{load: 3}, {share: 0.1, young: 2*load}]", &input);
    CU_ASSERT_EQUAL_FATAL(input.sweep->n, 2);
    CU_ASSERT_EQUAL(input.sweep->value[0], 3.0);
    CU_ASSERT(isnan(input.sweep->value[1]));
    CU_ASSERT_EQUAL(input.sweep->value[6], 2.0);
    ew_case_free(&input);
}

/* Each equal part of a range has one value; another seed gives another hypercube. */
static void test_sweep_latin(void)
{
    ew_case input, other;
    enum { N = 16 };
    read_sweep("  latin: {count: 16, seed: 3, ranges: {load: [-1, 3], share: [0, 1]}}", &input);
    read_sweep("  latin: {count: 16, seed: 4, ranges: {load: [-1, 3], share: [0, 1]}}", &other);
    static const double low[2] = {-1, 0}, width[2] = {4, 1};
    bool different = false;
    for (int k = 0; k < 2; k++) {
        int hit[N] = {0};
        for (int i = 0; i < N; i++) {
            const double share = (input.sweep->value[2 * i + k] - low[k]) / width[k];
            CU_ASSERT_FATAL(share >= 0 && share < 1);
            hit[(int)(share * N)]++;
            different = different || input.sweep->value[2 * i + k] != other.sweep->value[2 * i + k];
        }
        for (int i = 0; i < N; i++) {
            CU_ASSERT_EQUAL(hit[i], 1);
        }
    }
    CU_ASSERT(different);
    ew_case_free(&input);
    ew_case_free(&other);
}

static const char *table;

static ew_status give_table(void *user, const char *file, ew_text *text)
{
    (void)user;
    CU_ASSERT_STRING_EQUAL(file, "rows.csv");
    text->size = strlen(table);
    EW_TRY(ew_new(&text->data, text->size + 1, 1));
    memcpy(text->data, table, text->size + 1);
    return EW_OK;
}

static ew_status plan_table(const char *sweep, const char *rows, ew_case *input)
{
    char text[4096];
    snprintf(text, sizeof text, HEADS "sweep: {csv: %s}\n" SOLID STEPS, sweep);
    must(read_text(text, input));
    table = rows;
    return ew_case_plan(input, give_table, NULL);
}

static void test_sweep_table(void)
{
    ew_case input;
    must(plan_table("rows.csv",
                    "\xEF\xBB\xBF# made by hand\nshare, \"load\"\r\n0.1,2\r\n\r\n.3 , 4e0\n",
                    &input));
    CU_ASSERT_EQUAL_FATAL(input.sweep->n, 2);
    CU_ASSERT_EQUAL(input.sweep->value[0], 2.0);
    CU_ASSERT_EQUAL(input.sweep->value[1], 0.1);
    CU_ASSERT(isnan(input.sweep->value[2]));
    CU_ASSERT_EQUAL(input.sweep->value[4], 4.0);
    ew_case_free(&input);
    must(plan_table("{file: rows.csv, columns: {young: 'E, MPa'}}",
                    "name;E, MPa;load\na;70;x\nb;210;y", &input));
    CU_ASSERT_EQUAL_FATAL(input.sweep->n, 2);
    CU_ASSERT_EQUAL(input.sweep->value[1], 210.0);
    ew_case_free(&input);
}

static void test_sweep_bad_tables(void)
{
    static const char *const cases[][3] = {
        {"rows.csv", "", "has no lines"},
        {"rows.csv", "load\n", "no rows"},
        {"rows.csv", "lod\n1\n", "did you mean 'load'?"},
        {"rows.csv", "radius\n1\n", "there are load share young half"},
        {"rows.csv", "load,load\n1,2\n", "two columns"},
        {"rows.csv", "load,share\n1\n", "rows.csv:2: has 1 columns, the head 2"},
        {"rows.csv", "load\n1\nnan\n", "rows.csv:3: a number is expected"},
        {"rows.csv", "load\n1e999\n", "a number is expected"},
        {"rows.csv", "load;share\n1,5;2\n", "decimal point"},
        {"{file: rows.csv, columns: {load: F}}", "load\n1\n", "no column 'F'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_case input;
        CU_ASSERT_EQUAL(plan_table(cases[i][0], cases[i][1], &input), EW_BAD_INPUT);
        if (!strstr(ew_message(), cases[i][2])) {
            printf("%s: %s\n", cases[i][2], ew_message());
            CU_FAIL("another message");
        }
        ew_case_free(&input);
    }
}

/* ---- runs --------------------------------------------------------------------------------- */

typedef struct answers {
    int32_t n, n_failed, n_solve, combination[64];
    double energy[64], displacement[64], load[64];
    int32_t iterations[64];
    char failure[64][256];
} answers;

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
}

static ew_status run_case(const char *text, void *user, ew_result *result,
                          const ew_result_archive *journal)
{
    ew_case input;
    ew_mesh mesh;
    ew_study_def def = ew_default_study_def();
    memset(user, 0, sizeof(answers));
    def.user = user;
    def.on_step = keep;
    EW_TRY(read_text(text, &input));
    must(ew_case_plan(&input, NULL, NULL));
    must(ew_shape_box(&mesh, (const double[3]){4, 1, 1}, (const int32_t[3]){8, 2, 2}));
    const ew_status status = ew_study_run(&input, &mesh, &def, result, journal);
    ew_mesh_free(&mesh);
    ew_case_free(&input);
    return status;
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

/* Where the edit cannot go on, it is made on the case's mesh; what follows goes on from there. */
static void test_sweep_begins_again(void)
{
    answers all[2], again;
    for (int i = 0; i < 2; i++) {
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
            "{tolerance: 1e-10}}]\n",
            i ? "continue" : "fresh");
        must(run_case(text, &all[i], NULL, NULL));
        replay_beside(text, "again", run_case, &all[i], &again);
        CU_ASSERT_EQUAL(memcmp(all[i].energy, again.energy, sizeof again.energy), 0);
        CU_ASSERT_EQUAL(all[i].n_failed, 1);
        for (int k = 0; k < 6; k++) {
            CU_ASSERT_DOUBLE_EQUAL(all[i].energy[k], all[0].energy[k], 1e-8 * all[0].energy[k]);
        }
    }
    CU_ASSERT_EQUAL(all[1].iterations[2], all[0].iterations[2]); /* from the case's mesh, at rest */
    CU_ASSERT_EQUAL(all[1].energy[5], all[0].energy[5]);
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

/* ---- refused -------------------------------------------------------------------------------- */

static void test_sweep_refused(void)
{
    static const char *const cases[][2] = {
        {"parameters: [1]\n", "parameters must be a mapping"},
        {"parameters: {2r: 1}\n", "begins with no digit"},
        {"parameters: {sqrt: 1}\n", "has a meaning"},
        {"parameters: {x: 1}\n", "coordinate"},
        {"parameters: {r: 1, r: 2}\n", "given twice"},
        {"parameters: {r: ~}\n", "must be a number or an expression"},
        {"parameters: {r: .nan}\n", "parameter r"},
        {"parameters: {r: 1e999}\n", "parameter r"},
        {"parameters: {r: s, s: 1}\n", "no 's'"},
        {"parameters: {r: 1/0}\n", "division by zero in '1/0'"},
        {"parameters: {r: 1}\nunits: {}\nelements: lnear\n", "did you mean 'linear'"},
        {"sweep: {grid: {r: [1]}}\n", "no 'parameters:'"},
        {"parameters: {r: 1}\nsweep: {}\n", "says nothing"},
        {"parameters: {r: 1}\nsweep: {grid: {}}\n", "is empty"},
        {"parameters: {r: 1}\nsweep: {grid: {r: []}}\n", "has no values"},
        {"parameters: {r: 1}\nsweep: {grid: {q: [1]}}\n", "unknown value 'q'"},
        {"parameters: {r: 1}\nsweep: {grid: {r: [a]}}\n", "no 'a' in an expression"},
        {"parameters: {r: 1}\nsweep: {grid: {r: [1/(r-1)]}}\n", "division by zero"},
        {"parameters: {r: 1}\nsweep: {grid: {r: {from: 1, to: 2, count: 0}}}\n", "from 1 to 10000"},
        {"parameters: {r: 1, s: 1}\nsweep: {grid: {r: {from: 1, to: 2, count: 999}, s: {from: 1, "
         "to: "
         "2, count: 999}}}\n",
         "998001 combinations are more than the 10000"},
        {"parameters: {r: 1}\nsweep: {list: []}\n", "list is empty"},
        {"parameters: {r: 1}\nsweep: {list: [{}]}\n", "is empty"},
        {"parameters: {r: 1}\nsweep: {list: [{r: 1}], grid: {r: [1]}}\n", "exclude each other"},
        {"parameters: {r: 1}\nsweep: {latin: {count: 4, ranges: {r: [2, 1]}}}\n", "least"},
        {"parameters: {r: 1}\nsweep: {latin: {count: 4, ranges: {r: [1]}}}\n", "range"},
        {"parameters: {r: 1}\nsweep: {latin: {count: 4, seed: -1, ranges: {r: [1, 2]}}}\n", "seed"},
        {"parameters: {r: 1}\nsweep: {grid: {r: [1]}, start: cold}\n", "start"},
        {"parameters: {r: 1}\nsweep: {grid: {r: [1]}, start: continue}\nsteps: [{edit: [{decimate: "
         "{fraction: 0.1}}]}]\n",
         "'decimate' cannot"},
        {"parameters: {r: 1}\nkinematics: corotational\nsweep: {grid: {r: [1]}, start: warm}\n",
         "'fresh' alone"},
        {"parameters: {r: 1}\nmaterial: {young: 5*q, poisson: 0.3}\n", "no 'q' in an expression"},
        {"parameters: {r: 0}\nmaterial: {young: 5/r, poisson: 0.3}\n", "division by zero"},
        {"parameters: {radius: 0}\nmaterial: {young: radus, poisson: 0.3}\n",
         "did you mean 'radius'?"},
        {"parameters: {r: 0.5}\nmaterial: {young: 1, poisson: 0.3}\nsteps: [{static: "
         "{max_iterations: "
         "r*3}}]\n",
         "not r*3 = 1.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_case input;
        char text[1024];
        snprintf(text, sizeof text, "mesh: part.mesh\n%s%s", cases[i][0],
                 strstr(cases[i][0], "material") ? "" : "material: {young: 1, poisson: 0.3}\n");
        CU_ASSERT_EQUAL(read_text(text, &input), EW_BAD_INPUT);
        if (!strstr(ew_message(), cases[i][1]) || !strstr(ew_message(), "line ")) {
            printf("%s: %s\n", cases[i][1], ew_message());
            CU_FAIL("another message");
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"sweep_parameters", test_sweep_parameters},
        {"sweep_kinds_of_numbers", test_sweep_kinds_of_numbers},
        {"sweep_grid", test_sweep_grid},
        {"sweep_latin", test_sweep_latin},
        {"sweep_table", test_sweep_table},
        {"sweep_bad_tables", test_sweep_bad_tables},
        {"sweep_is_fresh", test_sweep_is_fresh},
        {"sweep_goes_on", test_sweep_goes_on},
        {"sweep_fails_in_a_step", test_sweep_fails_in_a_step},
        {"sweep_reset", test_sweep_reset},
        {"sweep_starts", test_sweep_starts},
        {"sweep_begins_again", test_sweep_begins_again},
        {"sweep_replay", test_sweep_replay},
        {"sweep_refused", test_sweep_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"sweep", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
