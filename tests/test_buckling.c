/* Linear buckling: Euler's column, the geometric stiffness by itself, loads that do not buckle. */
#include "testlib.h"

#if EW_WITH_CHOLMOD
#include "assembly/assembly.h"
#include "model_fixture.h"

static const ew_material steel = {.young = 210e9, .poisson = 0.0, .density = 7850.0};

static ew_modes_def def_of(int32_t count)
{
    ew_modes_def def = ew_default_modes_def();
    def.count = count;
    def.direct = ew_direct_solver();
    def.eigen = ew_eigen_solve;
    return def;
}

/* A column along x, clamped at x = 0, with `force` along x on its other end; solved. */
static ew_model *make_column(int32_t n_long, int32_t n_across, double force)
{
    const ew_model_def def = ew_default_model_def();
    const ew_pcg_def solver = ew_default_pcg_def();
    const ew_model_constraint clamp = {.fixed = 7};
    ew_mesh mesh;
    ew_model *model;
    ew_list list[2] = {{0}};
    int32_t set[2];
    must(ew_shape_box(&mesh, (double[3]){1.0, 0.05, 0.1},
                      (int32_t[3]){n_long, n_across, 2 * n_across}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    must(choose_members(model, WALL, &list[0]));
    must(choose_members(model, END_FACES, &list[1]));
    must(ew_model_add_set(model, &set_def[WALL], &list[0], &set[0]));
    must(ew_model_add_set(model, &set_def[END_FACES], &list[1], &set[1]));
    const ew_model_load load = {
        .kind = EW_LOAD_TRACTION, .set = set[1], .vector = {force / 0.005, 0.0, 0.0}};
    must(ew_model_set_constraints(model, 1, &clamp));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover(model, NULL, NULL));
    ew_list_free(&list[0]);
    ew_list_free(&list[1]);
    return model;
}

/* A cantilever under its end load, pi^2 E I / 4 L^2, and the next at 9 times that, the weak axis
 * first; linear tets are too stiff, and less so the finer they are. */
static void test_buckling_of_column(void)
{
    const double weak = 2.4674011 * 210e9 * 0.1 * 0.05 * 0.05 * 0.05 / 12.0;
    double error[2];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_column(k ? 40 : 20, k ? 4 : 2, -1000.0);
        const ew_modes_def def = def_of(3);
        const ew_buckling *buckling;
        must(ew_model_buckling(model, &def, &buckling));
        CU_ASSERT_EQUAL(buckling->n, 3);
        error[k] = buckling->factor[0] * 1000.0 / weak - 1.0;
        for (int32_t i = 0; i < 3; i++) {
            CU_ASSERT(buckling->residual[i] < 1e-6);
        }
        ew_model_free(model);
    }
    CU_ASSERT(error[0] > error[1] && error[1] > 0.0 && error[1] < 0.5);
    CU_ASSERT(error[1] < 0.3 * error[0]); /* a fourth at half the size */
}

/* A column that is pulled does not buckle in it. */
static void test_buckling_refused(void)
{
    ew_model *model = make_column(8, 1, 1000.0);
    ew_modes_def def = def_of(1);
    const ew_buckling *buckling = NULL;
    const ew_status status = ew_model_buckling(model, &def, &buckling);
    CU_ASSERT(status == EW_BAD_INPUT || status == EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "press"));
    ew_model_free(model);
    model = make_column(8, 1, 0.0);
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nothing stresses the body"));
    ew_model_free(model);
    model = make_column(8, 1, 1000.0);
    def.count = 0;
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_BAD_INPUT);
    def = def_of(1);
    def.direct = NULL;
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_UNSUPPORTED);
    def = def_of(1);
    ew_model_begin(model);
    must(ew_edit_remove_tet(ew_model_edit(model), 3));
    must(ew_model_commit(model));
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_STALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "static answer"));
    ew_model_free(model);
}

/* Under one stress everywhere: a shift has no energy, u = (0, a y, 0) has V sigma_yy a^2. */
static void test_geometric_energy(void)
{
    ew_mesh mesh;
    ew_topology topology = {0};
    ew_materials materials;
    ew_matrix matrix = {0}, again = {0};
    must(ew_shape_box(&mesh, (double[3]){2.0, 1.0, 1.5}, (int32_t[3]){3, 2, 2}));
    must(ew_topology_build(&topology, &mesh));
    must(ew_materials_init(&materials, 1, &steel));
    const size_t n = 3 * (size_t)mesh.n_vertex;
    double *stress = calloc(6 * (size_t)mesh.n_tet, sizeof *stress);
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), energy = 0.0;
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        const double one[6] = {7.0, -5.0, 2.0, 3.0, -1.0, 4.0};
        memcpy(stress + 6 * (size_t)t, one, sizeof one);
    }
    const ew_geometric from = ew_geometric_of(&mesh, &topology, &materials, stress);
    must(ew_matrix_build(&matrix, &from.source));
    for (size_t i = 0; i < n; i++) {
        x[i] = i % 3 == 0;
    }
    ew_matrix_product_scalar(&matrix, &topology.pattern, x, y);
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(y[i], 0.0, 1e-13);
        x[i] = i % 3 == 1 ? 0.5 * mesh.xyz[i] : 0.0;
    }
    ew_matrix_product_scalar(&matrix, &topology.pattern, x, y);
    for (size_t i = 0; i < n; i++) {
        energy += x[i] * y[i];
    }
    CU_ASSERT_DOUBLE_EQUAL(energy, 3.0 * -5.0 * 0.25, 1e-12);
    /* The oracle: with a threads' number of its own the same bits. */
    int64_t n_different;
    double largest;
    must(ew_matrix_build(&again, &from.source));
    must(ew_matrix_compare(&matrix, &topology.pattern, &again, &topology.pattern, &n_different,
                           &largest));
    CU_ASSERT_EQUAL(n_different, 0);
    ew_matrix_free(&matrix);
    ew_matrix_free(&again);
    ew_materials_free(&materials);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
    free(stress);
    free(x);
    free(y);
}

static CU_TestInfo tests[] = {
    {"of_column", test_buckling_of_column},
    {"refused", test_buckling_refused},
    {"geometric_energy", test_geometric_energy},
    CU_TEST_INFO_NULL,
};
#endif

int main(int argc, char **argv)
{
#if EW_WITH_CHOLMOD
    const CU_SuiteInfo suites[] = {{"buckling", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
#else
    (void)argc;
    (void)argv;
    return 0;
#endif
}
