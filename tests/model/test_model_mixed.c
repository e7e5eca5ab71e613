/* Mixed tets of a model on a device: answers, motion and edits against those of the host; what is
 * refused. */
#include "mixed_fixture.h"
#include "one_device.h"

#define RUBBER 0.4999

static bool has_double(void)
{
    return device && ew_device_about(device)->has_double;
}

static double difference(const double *x, const double *y, size_t n)
{
    double largest = 1e-300, worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
        worst = fmax(worst, fabs(x[i] - y[i]));
    }
    return worst / largest;
}

static void expect_same(ew_model *host, ew_model *there, double tolerance)
{
    const size_t n = (size_t)ew_model_mesh(host)->n_vertex;
    CU_ASSERT(difference(ew_model_displacement(host), ew_model_displacement(there), 3 * n) <
              tolerance);
    CU_ASSERT(difference(ew_model_volumetric_stress(host), ew_model_volumetric_stress(there), n) <
              100.0 * tolerance);
}

/* The first plane of the tube slides along a direction that is no axis. */
static void turn_support(ew_model *model)
{
    ew_model_constraint constraint[3] = {
        {.set = 0, .fixed = 7}, {.set = 1, .fixed = 1}, {.set = 2, .fixed = 4}};
    must(ew_axes_from_normal((const double[3]){0.6, 0.8, 0.0}, &constraint[1].axes));
    must(ew_model_set_constraints(model, 3, constraint));
}

static void test_solves(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-10;
    for (int k = 0; has_double() && k < 8; k++) {
        const double poisson = k % 2 ? RUBBER : 0.3;
        const ew_pcg_info *info;
        ew_model *model[2];
        int32_t iterations[2];
        def.preconditioner = k & 2 ? EW_BLOCK_JACOBI : EW_AUTO_PRECONDITIONER;
        for (int i = 0; i < 2; i++) {
            model[i] = make_tube(k < 4 ? 5 : 4, poisson, i ? device : NULL);
            if (k >= 4) {
                turn_support(model[i]);
            }
            must(ew_model_set_mixed(model[i], true));
            must(ew_model_solve(model[i], &def, &info));
            CU_ASSERT(info->residual <= def.tolerance);
            iterations[i] = info->iterations;
        }
        CU_ASSERT(iterations[1] < 3 * iterations[0]);
        expect_same(model[0], model[1], 1e-7);
        must(ew_model_solve(model[1], &def, &info));
        CU_ASSERT_EQUAL(info->iterations, 0);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* Heat that is not uniform, at rest and in motion. */
static void test_heat(void)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.solver.tolerance = 1e-10;
    for (int kind = 0; has_double() && kind < N_WARMTH; kind++) {
        ew_model *model[2];
        for (int i = 0; i < 2; i++) {
            model[i] = make_warm((warmth)kind, 3, RUBBER, i ? device : NULL);
            must(ew_model_set_mixed(model[i], true));
            must(ew_model_solve(model[i], &def.solver, NULL));
        }
        const size_t n = (size_t)ew_model_mesh(model[0])->n_vertex;
        CU_ASSERT(difference(ew_model_displacement(model[0]), ew_model_displacement(model[1]),
                             3 * n) < 1e-7);
        for (int i = 0; i < 2; i++) {
            memset(ew_model_field(model[i], 0), 0, 3 * n * sizeof(double));
            must(ew_model_start_dynamics(model[i], &def, 0.0));
            must(ew_model_advance(model[i], 1e-3, NULL));
            must(ew_model_advance(model[i], 1e-3, NULL));
            must(ew_model_recover(model[i], NULL, NULL));
        }
        expect_same(model[0], model[1], 1e-6);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* The same edits on both; each model's blocks are those of a build, and so are the answers. */
static void run_edits(uint64_t seed)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-10;
    ew_model *model[2];
    editing each[2] = {{.state = seed}, {.state = seed}};
    for (int i = 0; i < 2; i++) {
        model[i] = make_tube(4, RUBBER, i ? device : NULL);
        must(ew_model_set_mixed(model[i], true));
        must(ew_model_solve(model[i], &def, NULL));
    }
    for (int32_t n = 0; n < (quick ? 10 : 80); n++) {
        ew_status status[2];
        for (int i = 0; i < 2; i++) {
            status[i] = ew_model_apply(model[i], queue_edit, &each[i]);
        }
        CU_ASSERT_EQUAL(status[0], status[1]);
        if (n % 8 == 7) {
            ew_model_verification result;
            must(ew_model_verify(model[1], &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        if (n % 20 == 19) {
            status[0] = ew_model_solve(model[0], &def, NULL);
            CU_ASSERT_EQUAL(ew_model_solve(model[1], &def, NULL), status[0]);
            if (!status[0]) {
                expect_same(model[0], model[1], 1e-6);
            }
        }
    }
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_edits(void)
{
    for (int i = 0; has_double() && i < edits_of(80, 1); i++) {
        run_edits(seed_of(23) + (uint64_t)i);
    }
}

static void test_motion(void)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.solver.tolerance = 1e-10;
    def.account = true;
    ew_model *model[2];
    for (int i = 0; has_double() && i < 2; i++) {
        ew_energy_account account;
        model[i] = make_tube(4, RUBBER, i ? device : NULL);
        must(ew_model_set_mixed(model[i], true));
        must(ew_model_start_dynamics(model[i], &def, 0.0));
        for (int k = 0; k < 6; k++) {
            must(ew_model_advance(model[i], 0.1, NULL));
        }
        must(ew_model_account(model[i], &account));
        CU_ASSERT(account.external_work > 0.0);
        CU_ASSERT(fabs(account.balance) < 1e-7 * account.external_work);
        must(ew_model_recover(model[i], NULL, NULL));
    }
    if (has_double()) {
        ew_model_verification result;
        expect_same(model[0], model[1], 1e-6);
        must(ew_model_verify(model[1], &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* A tube of rubber, blown up by a quarter or so and then let go: the host finds forces and records,
 * the device the blocks, with the host's bits, and the updates. */
static void test_large_strains(void)
{
    ew_model *model[2];
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_dynamics_def moves = ew_default_dynamics_def();
    ew_material rubber = {.young = 200.0, .poisson = 0.499, .density = 1.0};
    const ew_nonlinear_info *info;
    def.n_step = 2;
    def.tolerance = 1e-9;
    moves.newton_tolerance = 1e-9;
    moves.solver.tolerance = 1e-10;
    ew_material_put_law(&rubber, &ew_law_neo_hookean);
    for (int i = 0; has_double() && i < 2; i++) {
        model[i] = make_tube(4, 0.499, i ? device : NULL);
        const ew_model_load load = {.kind = EW_LOAD_PRESSURE, .set = 4, .pressure = 20.0};
        must(ew_model_set_material(model[i], EW_ALL_REGIONS, &rubber));
        must(ew_model_set_kinematics(model[i], EW_COROTATIONAL));
        must(ew_model_set_mixed(model[i], true));
        must(ew_model_set_loads(model[i], 1, &load));
        must(ew_model_solve_nonlinear(model[i], &def, &info));
        must(ew_model_recover(model[i], NULL, NULL));
    }
    if (has_double()) {
        ew_model_verification result;
        expect_same(model[0], model[1], 1e-7);
        must(ew_model_verify(model[1], &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
    }
    for (int i = 0; has_double() && i < 2; i++) {
        must(ew_model_set_loads(model[i], 0, NULL));
        must(ew_model_start_dynamics(model[i], &moves, 0.0));
        for (int k = 0; k < 3; k++) {
            must(ew_model_advance(model[i], 0.05, NULL));
        }
        must(ew_model_recover(model[i], NULL, NULL));
    }
    if (has_double()) {
        expect_same(model[0], model[1], 1e-6);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

static void test_refusals(void)
{
    ew_device_def without = ew_default_device_def();
    ew_device *small = NULL;
    ew_pcg_def def = ew_default_pcg_def();
    without.without_double = true;
    if (!has_double() || ew_device_open(&small, &without)) {
        return;
    }
    ew_model *model = make_tube(2, RUBBER, small);
    CU_ASSERT_EQUAL(ew_model_set_mixed(model, true), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "fp64"));
    ew_model_free(model);
    ew_device_close(small);
    model = make_tube(2, RUBBER, device);
    must(ew_model_set_mixed(model, true));
    def.precision = EW_SINGLE;
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "double"));
    def = ew_default_pcg_def();
    def.max_iterations = 2;
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "after 2 iterations"));
    ew_model_free(model);
}

/* A rubber strip with a tip that is `contrast` times as stiff, fixed at x = 0, bent at the tip. */
static ew_model *make_tipped(double contrast)
{
    const ew_material tip = {.young = 200.0 * contrast, .poisson = 0.3, .density = 1.0};
    const ew_model_constraint clamp = {.fixed = 7};
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 0.05, 0.05}, (int32_t[3]){20, 1, 1}));
    must(ew_grow(&mesh.region_label, &mesh.region_capacity, 2, sizeof *mesh.region_label));
    mesh.region_label[1] = mesh.region_label[0] + 1;
    mesh.n_region = 2;
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        mesh.region[t] = middle_of(&mesh, t, 0) > 0.9;
    }
    ew_model *model = make_model(&mesh, 0.45, device);
    must(ew_model_set_material(model, ew_model_mesh(model)->region_label[1], &tip));
    (void)add_slab(model, 0, 0.0); /* set 0 */
    const ew_model_load load = {
        .kind = EW_LOAD_FORCE, .set = add_slab(model, 0, 1.0), .vector = {0.0, 0.0, -1e-6}};
    must(ew_model_set_constraints(model, 1, &clamp));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_set_mixed(model, true));
    return model;
}

/* Where rounding ends the passes above the tolerance the answer counts, and says so, up to a
 * residual; what block Jacobi spoils is undone, and refused. */
static void test_rounding(void)
{
    const ew_pcg_info *info;
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_tipped(1e4);
    def.tolerance = 1e-8;
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT_EQUAL(info->preconditioner, EW_RIGID); /* of few vertices, too */
    CU_ASSERT(info->iterations < 500);
    CU_ASSERT(info->limited_by_rounding);
    CU_ASSERT(info->residual > 1e-8 && info->residual < 1e-6);
    ew_model_free(model);
    model = make_tipped(1e6);
    def.preconditioner = EW_BLOCK_JACOBI;
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, &info), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "preconditioner: rigid"));
    CU_ASSERT(!info->limited_by_rounding && info->residual <= 1.0);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"solves", test_solves},
        {"heat", test_heat},
        {"edits", test_edits},
        {"motion", test_motion},
        {"refusals", test_refusals},
        {"rounding", test_rounding},
        {"large_strains", test_large_strains},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"mixed tets of a model", open_device, close_device, NULL, NULL,
                              tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
