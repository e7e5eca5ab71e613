/* Linear buckling: Euler's column, the geometric stiffness by itself, loads that do not buckle. */
#include "direct_fixture.h"
#include "ew_parts.h"

#if EW_WITH_CHOLMOD
#include "assembly/parts/assembly.h"
#include "curved_fixture.h"
#include "model_edits.h"

static const ew_material steel = {.young = 210e9, .poisson = 0.0, .density = 7850.0};

/* The column with tets that grow along it, whose sides inside it are curved. */
static void stretch(const double *x, double *y)
{
    y[0] = x[0] + 0.4 * x[1] * (0.05 - x[1]) + 2.0 * x[2] * (0.1 - x[2]) * x[0] * (1.0 - x[0]);
    y[1] = x[1];
    y[2] = x[2];
}

/* A column along x, clamped at x = 0, with `force` along x on its other end; solved. */
static ew_model *make_column_of(bool quadratic, bool curved, int32_t n_long, int32_t n_across,
                                double force)
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
    if (curved) {
        curve_mesh(&mesh, stretch, 0.0);
    }
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
    must(ew_model_set_order(model, quadratic));
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover(model, NULL, NULL));
    ew_list_free(&list[0]);
    ew_list_free(&list[1]);
    return model;
}

static ew_model *make_column(int32_t n_long, int32_t n_across, double force)
{
    return make_column_of(false, false, n_long, n_across, force);
}

/* A cantilever under its end load, pi^2 E I / 4 L^2, and the next at 9 times that, the weak axis
 * first; linear tets are too stiff, and less so the finer they are. */
static void test_buckling_of_column(void)
{
    const double weak = 2.4674011 * 210e9 * 0.1 * 0.05 * 0.05 * 0.05 / 12.0;
    double error[2];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_column(k ? 40 : 20, k ? 4 : 2, -1000.0);
        const ew_modes_def def = modes_def(3);
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

/* Quadratic tets, one over the thickness: Euler's load of the first two shapes to one and two
 * percent, those about the weak axis; the third one bends about the strong one. */
static void check_quadratic_column(bool curved)
{
    const double weak = 2.4674011 * 210e9 * 0.1 * 0.05 * 0.05 * 0.05 / 12.0;
    ew_model *model = make_column_of(true, curved, 12, 1, -1000.0);
    const ew_modes_def def = modes_def(3);
    const ew_buckling *buckling;
    must(ew_model_buckling(model, &def, &buckling));
    CU_ASSERT_EQUAL(buckling->n, 3);
    CU_ASSERT_DOUBLE_EQUAL(buckling->factor[0] * 1000.0 / weak, 1.0, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(buckling->factor[1] * 1000.0 / weak, 4.0, 0.08);
    CU_ASSERT_DOUBLE_EQUAL(buckling->factor[2] * 1000.0 / weak, 9.0, 0.2);
    for (int32_t i = 0; i < 3; i++) {
        CU_ASSERT(buckling->residual[i] < 1e-6);
    }
    ew_model_free(model);
}

static void test_buckling_of_quadratic_column(void)
{
    check_quadratic_column(false);
    check_quadratic_column(true);
}

/* A column that is pulled does not buckle in it. */
static void test_buckling_refused(void)
{
    ew_model *model;
    ew_modes_def def = modes_def(1);
    const ew_buckling *buckling = NULL;
    for (int k = 0; k < 4; k++) {
        model = make_column_of(k % 2, k == 3, k < 2 ? 8 : 12, 1, 1000.0);
        CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "press"));
        ew_model_free(model);
    }
    model = make_column(8, 1, 0.0);
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nothing stresses the body"));
    ew_model_free(model);
    model = make_column(8, 1, 1000.0);
    def.count = 0;
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_BAD_INPUT);
    def = modes_def(1);
    def.direct = NULL;
    CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_UNSUPPORTED);
    def = modes_def(1);
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

/* The oracle: after random edits and other stresses, blocks computed again where something was
 * touched are those of a build from a mesh and tables made afresh. */
static void test_geometric_follows_edits(void)
{
    ew_model *model = make_model(2, NULL);
    ew_matrix matrix = {0};
    ew_materials materials;
    double *stress = NULL;
    editor e = {.state = 11};
    const ew_material material[] = {steel, steel, steel, steel};
    must(ew_materials_init(&materials, 4, material));
    for (int i = 0; i < 200 && ew_model_mesh(model)->n_live_tet > 8; i++) {
        const ew_status status = ew_model_apply(model, queue_any, &e);
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        const ew_mesh *mesh = ew_model_mesh(model);
        const ew_topology *topology = ew_model_topology(model);
        stress = realloc(stress, 6 * (size_t)mesh->n_tet * sizeof *stress);
        for (int32_t t = 0; t < 6 * mesh->n_tet; t++) { /* a tet's own, whatever its slot was */
            stress[t] = sin(1.0 + t);
        }
        const ew_geometric from = ew_geometric_of(mesh, topology, &materials, stress);
        if (matrix.revision != topology->touched.from_revision ||
            ew_matrix_revalidate(&matrix, &from.source, &topology->touched)) {
            must(ew_matrix_build(&matrix, &from.source));
        }
        ew_topology again = {0};
        ew_matrix fresh = {0};
        int64_t n_different;
        double largest;
        must(ew_topology_build(&again, mesh));
        const ew_geometric made = ew_geometric_of(mesh, &again, &materials, stress);
        must(ew_matrix_build(&fresh, &made.source));
        must(ew_matrix_compare(&matrix, &topology->pattern, &fresh, &again.pattern, &n_different,
                               &largest));
        CU_ASSERT_EQUAL(n_different, 0);
        ew_matrix_free(&fresh);
        ew_topology_free(&again);
    }
    free(stress);
    ew_materials_free(&materials);
    ew_matrix_free(&matrix);
    ew_model_free(model);
}

static CU_TestInfo tests[] = {
    {"of_column", test_buckling_of_column},
    {"of_quadratic_column", test_buckling_of_quadratic_column},
    {"geometric_follows_edits", test_geometric_follows_edits},
    {"refused", test_buckling_refused},
    {"geometric_energy", test_geometric_energy},
    CU_TEST_INFO_NULL,
};
#endif

EW_DIRECT_MAIN("buckling", tests)
