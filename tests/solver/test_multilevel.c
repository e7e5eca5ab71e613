/* The rigid-body-mode preconditioner as it is set up: positive definite, few iterations, dead ends
 * one by one, the same bits for any number of threads, and what it says of bad input. */
#include "multilevel_fixture.h"

#include "solver/multilevel/slenderness.h"

static void test_symmetric_positive_definite(void)
{
    for (int k = 0; k < 4; k++) {
        body b;
        make_box(&b, (double[]){2.0, 1.0, 1.0}, (int32_t[]){12, 6, 6});
        b.def.single = k % 2;
        b.def.chunk_rows = k / 2 ? 40 : 0;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        check_symmetric_positive(&b);
        CU_ASSERT_EQUAL(verify(&b), EW_OK);
        free_body(&b);
    }
}

/* M^-1 exactly, column by column: symmetric to rounding, and its Cholesky factor exists. */
static void test_whole_inverse_is_positive_definite(void)
{
    body b;
    make_box(&b, (double[]){3.0, 1.0, 1.0}, (int32_t[]){5, 2, 2});
    b.def.aggregate_rows = 4;
    b.def.chunk_rows = 9;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    const size_t n = 3 * (size_t)b.mesh.n_vertex;
    double *inverse = calloc(n * n, sizeof *inverse), *unit = calloc(n, sizeof *unit);
    double largest = 0.0, skew = 0.0;
    for (size_t j = 0; j < n; j++) {
        unit[j] = is_free(&b, j) ? 1.0 : 0.0;
        ew_multilevel_apply(b.multilevel, unit, inverse + j * n);
        inverse[j * n + j] += is_free(&b, j) ? 0.0 : 1.0;
        unit[j] = 0.0;
    }
    for (size_t i = 0; i < n * n; i++) {
        const size_t mirrored = i % n * n + i / n;
        largest = fmax(largest, fabs(is_free(&b, i / n) ? inverse[i] : 0.0));
        skew = fmax(skew, fabs(inverse[i] - inverse[mirrored]));
    }
    CU_ASSERT(skew <= 1e-12 * largest);
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = inverse[j * n + i];
            for (size_t k = 0; k < j; k++) {
                sum -= inverse[k * n + i] * inverse[k * n + j];
            }
            CU_ASSERT_FATAL(i > j || sum > 0.0);
            inverse[j * n + i] = i == j ? sqrt(sum) : sum / inverse[j * n + j];
        }
    }
    free(inverse);
    free(unit);
    free_body(&b);
}

/* Iterations hardly depend on the mesh size, where block Jacobi's double when it is halved. */
static void test_iterations_are_few(void)
{
    const int32_t cells[3][3] = {{8, 8, 8}, {16, 16, 16}, {60, 6, 6}};
    const int32_t max[3] = {25, 35, 40};
    for (int k = 0; k < 3; k++) {
        body b;
        make_box(&b, (double[]){k == 2 ? 10.0 : 1.0, 1.0, 1.0}, cells[k]);
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        const int32_t n = solve(&b, 1e-8, 200);
        CU_ASSERT(n > 0 && n <= max[k]);
        free_body(&b);
    }
}

static void test_materials_and_units(void)
{
    const ew_material materials[] = {{.young = 210e9, .poisson = 0.49, .density = 1.0},
                                     {.young = 210e9, .poisson = -0.9, .density = 1.0},
                                     {.young = 1e-30, .poisson = 0.3, .density = 1.0},
                                     {.young = 1e33, .poisson = 0.3, .density = 1.0}};
    const int32_t max[] = {90, 60, 30, 30};
    for (int k = 0; k < 4; k++) {
        body b = {0};
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b.mesh, (double[]){1, 1, 1}, (int32_t[]){10, 10, 10}),
                              EW_OK);
        make_body_with(&b, &materials[k]);
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        const int32_t n = solve(&b, 1e-8, 400);
        CU_ASSERT(n > 0 && n <= max[k]);
        free_body(&b);
    }
}

/* ---- dead ends --------------------------------------------------------- */

/* A row of cells with one free vertex in each cross-section: its aggregates are in line. */
static void test_aggregates_in_line(void)
{
    body b;
    make_box(&b, (double[]){20.0, 1.0, 1.0}, (int32_t[]){40, 1, 1});
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * (size_t)v;
        b.fixed[v] = x[1] > 0.5 && x[2] > 0.5 && x[0] > 0.0 ? 0 : 7;
    }
    b.def.aggregate_rows = 8;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT(ew_multilevel_about(b.multilevel)->n_null > 0);
    check_symmetric_positive(&b);
    CU_ASSERT(solve(&b, 1e-10, 60) > 0);
    free_body(&b);
}

static void test_slender_finger(void)
{
    body b;
    make_box(&b, (double[]){200.0, 1.0, 1.0}, (int32_t[]){400, 2, 2});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    check_symmetric_positive(&b);
    CU_ASSERT(solve(&b, 1e-8, 100) > 0);
    free_body(&b);
}

static void test_single_tet(void)
{
    const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int32_t tet[] = {0, 1, 2, 3};
    const ew_mesh_def def = {.n_vertex = 4, .xyz = xyz, .n_tet = 1, .tet = tet};
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    for (unsigned mask = 0; mask < 8; mask++) { /* of the fourth vertex; 0: hardly constrained */
        body b = {0};
        CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&b.mesh, &def, NULL), EW_OK);
        make_body_with(&b, &steel);
        memcpy(b.fixed, (uint8_t[]){7, 6, 4, (uint8_t)mask}, 4);
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        check_symmetric_positive(&b);
        CU_ASSERT(solve(&b, 1e-10, 20) > 0);
        free_body(&b);
    }
}

static void test_flat_cells(void)
{
    body b;
    make_box(&b, (double[]){40.0, 40.0, 1.0}, (int32_t[]){24, 24, 3});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    check_symmetric_positive(&b);
    CU_ASSERT(solve(&b, 1e-8, 120) > 0);
    free_body(&b);
}

/* Cells a hundred times as wide as thick: aggregates go through the thickness, by strong pairs. */
static void test_very_flat_cells(void)
{
    body b;
    make_box(&b, (double[]){600.0, 600.0, 1.0}, (int32_t[]){24, 24, 4});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    const int32_t n = solve(&b, 1e-8, 400);
    CU_ASSERT(n > 0 && n <= 40);
    free_body(&b);
}

/* Whatever the aspect of the cells: between 13 and 21 the usual cut of strengths goes through the
 * pairs in a plate's plane, and iterations are many times as many. */
static void test_cells_of_all_aspects(void)
{
    static const int aspect[] = {2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20, 22, 25, 30, 50, 100};
    for (size_t k = 0; k < sizeof aspect / sizeof *aspect; k++) {
        body b;
        make_box(&b, (double[]){20.0, 20.0, 2.0 / aspect[k]}, (int32_t[]){20, 20, 2});
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        const int32_t n = solve(&b, 1e-8, 100);
        CU_ASSERT(n > 0 && n <= 90);
        free_body(&b);
    }
}

/* Only every seventh vertex has a free component: most modes of most aggregates are null. */
static void test_mostly_constrained_aggregates(void)
{
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){9, 9, 9});
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        b.fixed[v] = (uint8_t)(v % 7 ? 7 : v % 8);
    }
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT(ew_multilevel_about(b.multilevel)->n_null > 0);
    check_symmetric_positive(&b);
    CU_ASSERT(solve(&b, 1e-10, 60) > 0);
    free_body(&b);
}

static void test_all_constrained(void)
{
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){3, 3, 3});
    memset(b.fixed, 7, (size_t)b.mesh.n_vertex);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT_EQUAL(solve(&b, 1e-10, 60), 0);
    free_body(&b);
}

/* Nothing is constrained: K is singular, the preconditioner is positive definite all the same. */
static void test_free_body(void)
{
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    memset(b.fixed, 0, (size_t)b.mesh.n_vertex);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    check_symmetric_positive(&b);
    free_body(&b);
}

/* Slabs that the removal of layers leaves, each fixed at one end. */
static void test_several_components(void)
{
    body b;
    make_box(&b, (double[]){2.0, 1.0, 1.0}, (int32_t[]){16, 8, 8});
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        double z = 0.0;
        for (int k = 0; k < 4; k++) {
            z += 0.25 * b.mesh.xyz[3 * (size_t)b.mesh.tet[4 * (size_t)t + k] + 2];
        }
        if ((int)(8.0 * z) % 3 == 2) {
            CU_ASSERT_EQUAL(ew_edit_remove_tet(&b.edit, t), EW_OK);
        }
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    check_symmetric_positive(&b);
    const int32_t n = solve(&b, 1e-8, 100);
    CU_ASSERT(n > 0 && n < 60);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free_body(&b);
}

static bool is_wire(const int32_t cells[3], int32_t n)
{
    body b;
    bool answer;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, cells);
    CU_ASSERT_EQUAL_FATAL(ew_is_wire(&b.topology.pattern, n, &answer), EW_OK);
    free_body(&b);
    return answer;
}

/* A bar, but not one shorter than what is looked at; nothing else, however far. */
static void test_wires_are_told(void)
{
    CU_ASSERT(is_wire((int32_t[]){200, 4, 4}, 300));
    CU_ASSERT(is_wire((int32_t[]){4, 3, 400}, 200));
    CU_ASSERT(!is_wire((int32_t[]){200, 4, 4}, 10000));
    CU_ASSERT(!is_wire((int32_t[]){50, 50, 2}, 100));
    CU_ASSERT(!is_wire((int32_t[]){17, 17, 17}, 100));
    CU_ASSERT(!is_wire((int32_t[]){1, 1, 1}, 9));
}

/* Along a wire aggregates are small: there they cost little and bending needs them. */
static void test_wire(void)
{
    body b;
    make_box(&b, (double[]){1100.0, 1.0, 1.0}, (int32_t[]){2200, 2, 2});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT(ew_multilevel_about(b.multilevel)->n_aggregate > 1000);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free_body(&b);
}

/* ---- threads, memory, bad input ---------------------------------------- */

static void test_threads_do_not_change_a_bit(void)
{
    const int before = ew_threads();
    double *z[2] = {NULL, NULL};
    size_t n = 0;
    for (int k = 0; k < 2; k++) {
        body b;
        uint64_t state = 3;
        ew_use_threads(k ? 3 : 1);
        make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){29, 29, 29}); /* in two stretches */
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        n = 3 * (size_t)b.mesh.n_vertex;
        double *r = calloc(n, sizeof *r);
        z[k] = calloc(n, sizeof *r);
        fill_random(&b, &state, r);
        ew_multilevel_apply(b.multilevel, r, z[k]);
        free(r);
        free_body(&b);
    }
    CU_ASSERT_EQUAL(memcmp(z[0], z[1], n * sizeof *z[0]), 0);
    free(z[0]);
    free(z[1]);
    ew_use_threads(before);
}

static void test_failing_allocations(void)
{
    bool refused = true;
    body b;
    make_box(&b, (double[]){2.0, 1.0, 1.0}, (int32_t[]){6, 3, 3});
    for (int64_t k = 0; refused; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = set_up(&b);
        CU_ASSERT_EQUAL(b.multilevel == NULL, status != EW_OK);
        ew_multilevel_free(b.multilevel);
        b.multilevel = NULL;
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    free_body(&b);
}

static void test_bad_input_is_named(void)
{
    body b;
    make_box(&b, (double[]){2.0, 1.0, 1.0}, (int32_t[]){6, 3, 3});
    b.def.aggregate_rows = 1;
    CU_ASSERT_EQUAL(set_up(&b), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "aggregate_rows"));
    b.def = ew_default_multilevel_def();
    b.def.chunk_rows = -1;
    CU_ASSERT_EQUAL(set_up(&b), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "chunk_rows"));
    b.def = ew_default_multilevel_def();
    b.def.levels = 4;
    CU_ASSERT_EQUAL(set_up(&b), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "levels"));
    b.def = ew_default_multilevel_def();
    b.def.postpone = (double)NAN;
    CU_ASSERT_EQUAL(set_up(&b), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "postpone"));
    b.def = ew_default_multilevel_def();
    const size_t at = 9 * (size_t)(b.mesh.n_vertex - 1);
    const double diagonal = b.matrix.diagonal[at];
    b.matrix.diagonal[at] = -1.0;
    CU_ASSERT_EQUAL(set_up(&b), EW_INDEFINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "diagonal of row"));
    b.matrix.diagonal[at] = (double)NAN;
    CU_ASSERT_EQUAL(set_up(&b), EW_NOT_FINITE);
    b.matrix.diagonal[at] = diagonal;
    CU_ASSERT_EQUAL(set_up(&b), EW_OK);
    b.matrix.revision++;
    CU_ASSERT_EQUAL(set_up(&b), EW_STALE);
    CU_ASSERT_PTR_NULL(b.multilevel);
    ew_multilevel_free(NULL);
    free_body(&b);
}

static CU_TestInfo tests[] = {
    {"symmetric_positive_definite", test_symmetric_positive_definite},
    {"whole_inverse_is_positive_definite", test_whole_inverse_is_positive_definite},
    {"iterations_are_few", test_iterations_are_few},
    {"materials_and_units", test_materials_and_units},
    {"aggregates_in_line", test_aggregates_in_line},
    {"slender_finger", test_slender_finger},
    {"single_tet", test_single_tet},
    {"flat_cells", test_flat_cells},
    {"very_flat_cells", test_very_flat_cells},
    {"cells_of_all_aspects", test_cells_of_all_aspects},
    {"mostly_constrained_aggregates", test_mostly_constrained_aggregates},
    {"all_constrained", test_all_constrained},
    {"free_body", test_free_body},
    {"several_components", test_several_components},
    {"wires_are_told", test_wires_are_told},
    {"wire", test_wire},
    {"threads_do_not_change_a_bit", test_threads_do_not_change_a_bit},
    {"failing_allocations", test_failing_allocations},
    {"bad_input_is_named", test_bad_input_is_named},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "multilevel", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
