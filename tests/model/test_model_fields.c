/* Fields that supports read, and arrays of fields that a program takes over: a patch test with
 * displacements by vertex, before and after edits, and the same bits whoever has the old array. */
#include "model_fixture.h"

static void linear_displacement(const double *x, double *u)
{
    u[0] = 1e-3 * (2.0 * x[0] + 0.5 * x[1] - x[2]);
    u[1] = 1e-3 * (0.25 * x[0] - x[1] + 0.75 * x[2]);
    u[2] = 1e-3 * (x[0] + 0.3 * x[1] + 0.6 * x[2]);
}

static void write_field(ew_model *model, int32_t field)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *value = ew_model_field(model, field);
    for (size_t v = 0; v < (size_t)mesh->n_vertex; v++) {
        linear_displacement(mesh->xyz + 3 * v, value + 3 * v);
    }
}

/* A cube whose boundary is prescribed by a field of numbers that are linear in space. */
static ew_model *make_patch(int32_t *field)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    const ew_model_def def = ew_default_model_def();
    const ew_model_set_def set = {.name = "skin", .kind = EW_SET_OF_FACES};
    const ew_field_def prescribed = {.name = "prescribed", .width = 3, .rule = EW_FIELD_MEAN};
    const ew_selector all = {.kind = EW_SELECT_ALL};
    int32_t number;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){3, 3, 3}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS,
                               &(ew_material){.young = 210e9, .poisson = 0.3, .density = 7850.0}));
    must(ew_model_select_set(model, &set, &all, &number));
    must(ew_model_add_field(model, &prescribed, field));
    write_field(model, *field);
    must(ew_model_set_constraints(
        model, 1, &(ew_model_constraint){.set = number, .fixed = 7, .field = *field}));
    return model;
}

static double error_of(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    double largest = 0.0, expected[3];
    for (size_t v = 0; v < (size_t)mesh->n_vertex; v++) {
        linear_displacement(mesh->xyz + 3 * v, expected);
        for (size_t c = 0; c < 3 && mesh->valence[v] > 0; c++) {
            largest = fmax(largest, fabs(u[3 * v + c] - expected[c]));
        }
    }
    return largest;
}

static void solve(ew_model *model)
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    def.tolerance = 1e-11;
    must(ew_model_solve(model, &def, &info));
}

static ew_status queue_refinement(void *user, const ew_model *model, ew_edit *edit)
{
    (void)user;
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0.3, NULL, edit);
}

/* Displacements by vertex that are linear in space are those of the body, on refined faces, too,
 * and with quadratic tets. */
static void test_prescribed_fields_pass_the_patch_test(void)
{
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        int32_t field;
        ew_model *model = make_patch(&field);
        must(ew_model_set_order(model, quadratic));
        solve(model);
        CU_ASSERT(error_of(model) < 1e-12);
        must(ew_model_apply(model, queue_refinement, NULL));
        solve(model);
        CU_ASSERT(error_of(model) < 1e-12);
        const int32_t n_row = quadratic ? ew_model_edge_rows(model)->pattern.n_row : 0;
        const double *edge = ew_model_edge_displacement(model);
        for (int32_t i = 0; i < 3 * n_row; i++) {
            CU_ASSERT_FATAL(fabs(edge[i]) < 1e-12);
        }
        ew_model_free(model);
    }
}

/* Rows of edges that find no memory leave those that there were, and what stands on them. */
static void test_rows_without_memory(void)
{
    int32_t field;
    ew_model *model = make_patch(&field);
    must(ew_model_set_order(model, true));
    const size_t n = 3 * (size_t)ew_model_edge_rows(model)->pattern.n_row;
    double *kept = malloc(n * sizeof *kept);
    for (size_t i = 0; i < n; i++) {
        kept[i] = 1e-3 * (double)i;
    }
    must(ew_model_put_edge_displacement(model, (int32_t)(n / 3), kept));
    bool refused = true;
    int64_t k = 0;
    for (; refused; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_set_order(model, true);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(ew_model_edge_rows(model) != NULL);
        CU_ASSERT_EQUAL(3 * (size_t)ew_model_edge_rows(model)->pattern.n_row, n);
        CU_ASSERT(!memcmp(ew_model_edge_displacement(model), kept, n * sizeof *kept));
    }
    CU_ASSERT(k > 3);
    solve(model);
    CU_ASSERT(error_of(model) < 1e-12);
    free(kept);
    ew_model_free(model);
}

/* What is written to the field is read by the next solve. */
static void test_written_fields_are_read(void)
{
    int32_t field;
    ew_model *model = make_patch(&field);
    solve(model);
    double *value = ew_model_field(model, field);
    for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
        value[i] *= 3.0;
    }
    const double before = ew_model_displacement(model)[3 * 5];
    solve(model);
    CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(model)[3 * 5], 3.0 * before, 1e-12);
    ew_model_free(model);
}

static void test_fields_that_are_refused(void)
{
    int32_t field, narrow, on_tets;
    ew_model *model = make_patch(&field);
    must(ew_model_add_field(model, &(ew_field_def){.name = "a", .width = 1}, &narrow));
    must(ew_model_add_field(
        model, &(ew_field_def){"b", .on_tets = true, .width = 3, .rule = EW_FIELD_COPY}, &on_tets));
    const ew_model_constraint bad[] = {
        {.fixed = 7, .field = 99},
        {.fixed = 7, .field = -1},
        {.fixed = 7, .field = narrow},
        {.fixed = 7, .field = on_tets},
        {.fixed = 7, .field = field, .is_velocity = true},
        {.fixed = 7, .field = field, .axes = {.kind = EW_AXES_FIXED}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(ew_model_set_constraints(model, 1, &bad[i]), EW_BAD_ARGUMENT);
        CU_ASSERT_EQUAL(ew_last_failure()->id[0], 0);
    }
    /* Two lines that differ at a vertex that they share. */
    const ew_model_constraint both[] = {{.fixed = 7, .field = field}, {.fixed = 1}};
    const ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    must(ew_model_set_constraints(model, 2, both));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, &info), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "also"));
    ew_model_free(model);
}

/* A program that takes arrays of fields over between any two calls changes no bit, and each array
 * stays as it was. */
static void test_given_arrays_stay(void)
{
    int32_t field[2];
    ew_model *model[2] = {make_patch(&field[0]), make_patch(&field[1])};
    double *old = NULL, first = 0.0;
    for (int round = 0; round < 3; round++) {
        for (int m = 0; m < 2; m++) {
            if (round) {
                must(ew_model_apply(model[m], queue_refinement, NULL));
            }
            if (m) {
                double *prescribed = ew_model_field(model[m], field[m]);
                must(ew_model_give_field(model[m], prescribed));
                ew_release(prescribed);
            }
            solve(model[m]);
            if (m && !old) {
                old = ew_model_field(model[m], 0);
                must(ew_model_give_field(model[m], old));
                first = old[3 * 5 + 1];
                CU_ASSERT_PTR_NOT_EQUAL(ew_model_field(model[m], 0), old);
            }
        }
        const int32_t n = ew_model_mesh(model[0])->n_vertex;
        CU_ASSERT(!memcmp(ew_model_displacement(model[0]), ew_model_displacement(model[1]),
                          3 * (size_t)n * sizeof(double)));
    }
    CU_ASSERT_EQUAL(ew_model_give_field(model[1], old), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_give_field(model[1], NULL), EW_BAD_ARGUMENT);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
    CU_ASSERT_EQUAL(old[3 * 5 + 1], first);
    ew_release(old);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"prescribed_fields_pass_the_patch_test", test_prescribed_fields_pass_the_patch_test},
        {"rows_without_memory", test_rows_without_memory},
        {"written_fields_are_read", test_written_fields_are_read},
        {"fields_that_are_refused", test_fields_that_are_refused},
        {"given_arrays_stay", test_given_arrays_stay},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"fields of a model", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
