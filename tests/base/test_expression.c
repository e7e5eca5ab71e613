/* Arithmetic expressions: values against C's own, order of operations, what is refused and where,
 * places without a value, also those that an edit brings into a model. */
#include "testlib.h"

#include "model/parts/model.h"
#include "shape/parts/shape.h"

#include <math.h>
#include <string.h>

static const double place[3] = {0.3, -1.7, 2.5};

static double value_of(const char *text)
{
    ew_expression made;
    double value;
    CU_ASSERT_EQUAL_FATAL(ew_expression_read(&made, text, "x y z"), EW_OK);
    CU_ASSERT_PTR_NULL(ew_expression_value(&made, place, &value));
    return value;
}

static void test_expression_values(void)
{
    const double x = place[0], y = place[1], z = place[2];
    CU_ASSERT_EQUAL(value_of("sqrt(x^2 + y^2) + z"), sqrt(x * x + y * y) + z);
    CU_ASSERT_EQUAL(value_of(" 7 "), 7.0);
    CU_ASSERT_EQUAL(value_of("1.5e-3*x - .5/y"), 1.5e-3 * x - .5 / y);
    CU_ASSERT_EQUAL(value_of("2E2"), 200.0);
    CU_ASSERT_EQUAL(value_of("atan2(y,x)+hypot(x, y)"), atan2(y, x) + hypot(x, y));
    CU_ASSERT_EQUAL(value_of("min(max(x, y), abs(z))"), x);
    CU_ASSERT_EQUAL(value_of("exp(log(z)) - floor(y)"), exp(log(z)) + 2.0);
    CU_ASSERT_DOUBLE_EQUAL(value_of("sin(pi*x)^2 + cos(pi*x)^2"), 1.0, 1e-15);
    CU_ASSERT_EQUAL(value_of("((((x))))"), x);
}

static void test_expression_order(void)
{
    CU_ASSERT_EQUAL(value_of("2 + 3 * 4"), 14.0);
    CU_ASSERT_EQUAL(value_of("2 - 3 - 4"), -5.0);
    CU_ASSERT_EQUAL(value_of("16 / 4 / 2"), 2.0);
    CU_ASSERT_EQUAL(value_of("2^3^2"), 512.0);
    CU_ASSERT_EQUAL(value_of("2**3"), 8.0);
    CU_ASSERT_EQUAL(value_of("-3^2"), -9.0);
    CU_ASSERT_EQUAL(value_of("2^-1"), 0.5);
    CU_ASSERT_EQUAL(value_of("--2 + -+1"), 1.0);
    CU_ASSERT_EQUAL(value_of("2*-3"), -6.0);
}

static void test_expression_refused(void)
{
    static const char *const cases[][2] = {
        {"", "missing at the end"},
        {"x +", "missing at the end"},
        {"(x", "')' is missing"},
        {"x)", "character 2"},
        {"2 x", "operator is missing"},
        {"w + 1", "no 'w'"},
        {"sqr(x)", "did you mean 'sqrt'?"},
        {"sqrt x", "without '('"},
        {"atan2(x)", "','"},
        {"sqrt(x, y)", "')' is missing at character 7"},
        {"1.2.3", "no number"},
        {"1e999", "no number"},
        {"x ^ ", "missing"},
        {"0x10", "operator is missing"},
        {"x; y", "character 2"},
    };
    ew_expression made = {.n_step = -7};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_EQUAL(ew_expression_read(&made, cases[i][0], "x y z"), EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), cases[i][1]));
    }
    char text[400];
    memset(text, '(', sizeof text);
    text[EW_EXPRESSION_LENGTH + 1] = 0;
    CU_ASSERT_EQUAL(ew_expression_read(&made, text, "x"), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "256 characters"));
    text[EW_EXPRESSION_LENGTH] = 0;
    CU_ASSERT_EQUAL(ew_expression_read(&made, text, "x"), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(made.n_step, -7);
}

static void test_expression_without_value(void)
{
    static const char *const cases[][2] = {
        {"1 / (x - x)", "division by zero"},
        {"0 / (x - x)", "division by zero"},
        {"sqrt(y)", "square root of a negative"},
        {"log(x - x)", "logarithm"},
        {"asin(2)", "arc sine"},
        {"y ^ 0.5", "power of a negative"},
        {"0 ^ y", "power"},
        {"exp(1000)", "range of double"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ew_expression made;
        double value = 1.0;
        CU_ASSERT_EQUAL_FATAL(ew_expression_read(&made, cases[i][0], "x y z"), EW_OK);
        const char *fault = ew_expression_value(&made, place, &value);
        CU_ASSERT_FATAL(fault != NULL);
        CU_ASSERT_PTR_NOT_NULL(strstr(fault, cases[i][1]));
        CU_ASSERT(isnan(value));
    }
}

/* The deepest stack that a text can need. */
static void test_expression_fills_its_stack(void)
{
    char text[EW_EXPRESSION_LENGTH + 1];
    for (int i = 0; i < EW_EXPRESSION_LENGTH; i++) {
        text[i] = i % 2 ? '^' : '1';
    }
    text[EW_EXPRESSION_LENGTH] = 0;
    CU_ASSERT_EQUAL(value_of(text), 1.0);
}

static ew_status move(ew_model *model, double x)
{
    ew_model_begin(model);
    ew_status status = ew_edit_move_vertex(ew_model_edit(model), 0, (double[]){x, 0.0, 0.0});
    return status ? status : ew_model_commit(model);
}

/* A temperature that has no value where an edit moves a vertex: the load is named, and is well
 * again when the vertex is back. */
static void test_expression_follows_edits(void)
{
    const ew_material material = {.young = 1.0, .poisson = 0.3, .expansion = 1.0};
    const ew_model_def def = {.reorder = false};
    ew_expression log_of;
    ew_model *model;
    ew_mesh mesh;
    int32_t fault;
    CU_ASSERT_EQUAL_FATAL(ew_expression_read(&log_of, "log(x + 0.1)", "x y z"), EW_OK);
    const ew_model_load load = {
        .kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 1.0, .expression = &log_of};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){1.0, 1.0, 1.0}, (int32_t[]){2, 2, 2}),
                          EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_model_create(&model, &mesh, &def), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_model_set_material(model, EW_ALL_REGIONS, &material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_model_set_loads(model, 1, &load), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_vertex_is_active(ew_model_mesh(model), 0), true);
    CU_ASSERT_EQUAL(ew_model_update_loads(model, &fault), EW_OK);
    CU_ASSERT_EQUAL(move(model, -0.2), EW_OK);
    CU_ASSERT_EQUAL(ew_model_update_loads(model, &fault), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(fault, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "'log(x + 0.1)' at (-0.2, 0, 0)"));
    CU_ASSERT_EQUAL(move(model, -0.05), EW_OK);
    CU_ASSERT_EQUAL(ew_model_update_loads(model, &fault), EW_OK);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"expression_values", test_expression_values},
        {"expression_order", test_expression_order},
        {"expression_refused", test_expression_refused},
        {"expression_without_value", test_expression_without_value},
        {"expression_fills_its_stack", test_expression_fills_its_stack},
        {"expression_follows_edits", test_expression_follows_edits},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"expression", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
