/* Parameters, expressions and sweeps of cases: values, combinations, tables, and what is refused.
 */
#include "sweep_fixture.h"

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

static void expect_same(const ew_case *a, const ew_case *b)
{
    CU_ASSERT_EQUAL_FATAL(a->n_parameter, b->n_parameter);
    for (int32_t i = 0; i < a->n_parameter; i++) {
        CU_ASSERT_EQUAL(a->parameter[i].value, b->parameter[i].value);
        CU_ASSERT_EQUAL(a->parameter[i].follows, b->parameter[i].follows);
    }
    CU_ASSERT_EQUAL(a->material[0].material.young, b->material[0].material.young);
    CU_ASSERT(!memcmp(a->load[0].as.vector, b->load[0].as.vector, sizeof a->load[0].as.vector));
    CU_ASSERT_EQUAL(a->n_set, b->n_set);
    for (int32_t i = 0; i < a->n_node; i++) {
        CU_ASSERT_EQUAL(a->node[i].selector.b[1], b->node[i].selector.b[1]);
    }
    CU_ASSERT_EQUAL(a->step[0].edit[0].values.of[0].number[0],
                    b->step[0].edit[0].values.of[0].number[0]);
}

/* What is read again from what was parsed is what its text gives, also behind a combination that is
 * refused, and twice the same. */
static void test_sweep_reads_again(void)
{
    static const double values[][3] = {{NAN, NAN, NAN}, {2, 0.5, 7},  {NAN, NAN, -1}, {NAN, 0.5, 7},
                                       {NAN, NAN, NAN}, {3, 0.25, 9}, {3, 0.25, 9}};
    ew_case input, given, wanted;
    must(read_text(HEADS "sweep: {list: [{young: 5}]}\n" SOLID STEPS, &input));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const ew_case_def def = {.n_value = 3, .value = values[i]};
        const ew_status status = ew_case_read_with(input.text, strlen(input.text), &def, &wanted);
        char message[400];
        snprintf(message, sizeof message, "%s", status ? ew_message() : "");
        CU_ASSERT_EQUAL_FATAL(ew_case_read_again(&input, 3, values[i], &given), status);
        CU_ASSERT_EQUAL(status != EW_OK, i == 2);
        if (status) {
            CU_ASSERT_STRING_EQUAL(ew_message(), message);
            continue;
        }
        expect_same(&given, &wanted);
        CU_ASSERT_PTR_NULL(given.sweep);
        ew_case_free(&given);
        ew_case_free(&wanted);
    }
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

/* ---- refused -------------------------------------------------------------------------------- */

static void test_sweep_refused(void)
{
    static const char *const cases[][2] = {
        {"parameters: [1]\n", "parameters must be a mapping"},
        {"parameters: {2r: 1}\n", "begins with no digit"},
        {"parameters: {sqrt: 1}\n", "has a meaning"},
        {"parameters: {x: 1}\n", "coordinate"},
        {"parameters: {r: 1, r: 2}\n", "given twice"},
        {"parameters: {abcdefghijklmnopqrstuvwxyz012345: 1}\n", "at most 31"},
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
        {"reads_again", test_sweep_reads_again},
        {"sweep_parameters", test_sweep_parameters},
        {"sweep_kinds_of_numbers", test_sweep_kinds_of_numbers},
        {"sweep_grid", test_sweep_grid},
        {"sweep_latin", test_sweep_latin},
        {"sweep_table", test_sweep_table},
        {"sweep_bad_tables", test_sweep_bad_tables},
        {"sweep_refused", test_sweep_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"sweep", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
