/* Nonlinear bodies of a model on a device against those of the host: the same equilibrium and the
 * same motion within the tolerance of the solves, blocks with the bits of a rebuild, states that
 * follow edits; on a device without double precision, too. */
#include "model/parts/model.h"
#include "one_device.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static ew_material material_of(const ew_law *law)
{
    ew_material material = {.young = 1e6, .poisson = 0.3, .density = 1000.0};
    if (law) {
        ew_material_put_law(&material, law);
    }
    if (law == &ew_law_mooney_rivlin) { /* 2 (c10 + c01) is the shear modulus */
        material.law_value[0] = 0.2 * material.young / (1.0 + material.poisson);
        material.law_value[1] = 0.05 * material.young / (1.0 + material.poisson);
    } else if (law && law->n_state) {
        material.law_value[0] = law == &ew_law_creep ? 5e-3 : 4e3;
        material.law_value[1] = law == &ew_law_creep ? 5.0 : 5e4;
    }
    return material;
}

static int32_t add_end(ew_model *model, double x)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {NULL, EW_SET_OF_VERTICES, true};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (fabs(mesh->xyz[3 * (size_t)v] - x) < 1e-9) {
            must(ew_list_push(&list, v));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

enum { WALL, TIP, TOP }; /* its sets, and where it is quadratic the faces above */

static void press_top(ew_model *model)
{
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    const ew_selector above =
        ew_select_box((double[3]){-1.0, -1.0, 0.29}, (double[3]){3.0, 1.0, 0.31});
    int32_t set;
    must(ew_model_select_set(model, &def, &above, &set));
    CU_ASSERT_EQUAL(set, TOP);
    ew_model_load load = ew_load_pressure(TOP, 300.0);
    load.follower = true;
    must(ew_model_set_loads(model, 1, &load));
}

/* A clamped bar, bent by what pulls at its end, or of quadratic tets by pressure that turns with
 * its faces. */
static ew_model *make_bar(ew_device *on, ew_precision precision, ew_kinematics kinematics,
                          const ew_law *law, bool quadratic)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    ew_model_def def = ew_default_model_def();
    def.device = on;
    def.precision = precision;
    const ew_material material = material_of(law);
    const int32_t across = quadratic ? 1 : 2;
    must(ew_shape_box(&mesh, (double[3]){2.0, 0.4, 0.3},
                      (int32_t[3]){quadratic ? 4 : 6, across, across}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, kinematics));
    const int32_t wall = add_end(model, 0.0), tip = add_end(model, 2.0);
    must(ew_model_set_constraints(model, 1, &(ew_model_constraint){.set = wall, .fixed = 7}));
    must(ew_model_set_loads(
        model, 1,
        &(ew_model_load){.kind = EW_LOAD_TOTAL_FORCE, .set = tip, .vector = {0.0, 10.0, 60.0}}));
    if (quadratic) {
        must(ew_model_set_order(model, true));
        press_top(model);
    }
    return model;
}

static void expect_near(const ew_model *a, const ew_model *b, double tolerance)
{
    const double *u = ew_model_displacement(a), *v = ew_model_displacement(b);
    double largest = 0.0, error = 0.0;
    for (int32_t i = 0; i < 3 * ew_model_mesh(a)->n_vertex; i++) {
        largest = fmax(largest, fabs(u[i]));
        error = fmax(error, fabs(u[i] - v[i]));
    }
    CU_ASSERT(largest > 1e-6);
    CU_ASSERT(error <= tolerance * largest);
}

static void expect_blocks(ew_model *model)
{
    ew_model_verification result;
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
}

static void expect_same_states(const ew_model *a, const ew_model *b, double tolerance)
{
    int32_t n, m;
    const double *s = ew_model_law_state(a, &n), *t = ew_model_law_state(b, &m);
    double most = 0.0, error = 0.0;
    CU_ASSERT_EQUAL_FATAL(n, m);
    for (int32_t i = 0; i < n * ew_model_mesh(a)->n_tet; i++) {
        most = i % n < EW_STATE_DISSIPATED ? fmax(most, fabs(s[i])) : most;
        error = i % n < EW_STATE_DISSIPATED ? fmax(error, fabs(s[i] - t[i])) : error;
    }
    CU_ASSERT(n == 0 || (most > 1e-4 && error < tolerance * most));
}

static void remove_one(ew_model *model, int32_t tet)
{
    ew_model_begin(model);
    must(ew_edit_remove_tet(ew_model_edit(model), tet));
    must(ew_model_commit(model));
}

static const ew_law *const laws[] = {NULL, &ew_law_plastic, &ew_law_creep, &ew_law_neo_hookean,
                                     &ew_law_mooney_rivlin};
enum { N_LAW = sizeof laws / sizeof *laws };

/* Statics: loaded in two steps, edited, loaded again. */
static void check_statics(ew_device *on, ew_precision precision, ew_kinematics kinematics,
                          const ew_law *law, bool quadratic)
{
    ew_model *model[2];
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.n_step = quadratic ? 1 : 2;
    const bool narrow = precision == EW_SINGLE;
    def.tolerance = narrow ? 1e-4 : 1e-8;
    def.duration = law == &ew_law_creep ? 0.2 : 0.0;
    for (int k = 0; k < 2; k++) {
        model[k] = make_bar(k ? on : NULL, k ? precision : EW_DOUBLE, kinematics, law, quadratic);
        def.solver.precision = k ? precision : EW_DOUBLE;
        must(ew_model_solve_nonlinear(model[k], &def, NULL));
        expect_blocks(model[k]);
    }
    expect_near(model[0], model[1], narrow ? 1e-2 : 1e-6);
    expect_same_states(model[0], model[1], narrow ? 0.05 : 1e-4);
    for (int k = 0; k < 2; k++) {
        def.solver.precision = k ? precision : EW_DOUBLE;
        remove_one(model[k], quadratic ? 11 : 40);
        must(ew_model_solve_nonlinear(model[k], &def, NULL));
        must(ew_model_recover(model[k], NULL, NULL));
        expect_blocks(model[k]);
    }
    expect_near(model[0], model[1], narrow ? 1e-2 : 1e-6);
    expect_same_states(model[0], model[1], narrow ? 0.05 : 1e-4);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_equilibrium_is_that_of_the_host(void)
{
    static const ew_precision precision[] = {EW_DOUBLE, EW_MIXED};
    for (int k = 0; k < N_LAW && device && ew_device_about(device)->has_double; k++) {
        check_statics(device, precision[k % 2], EW_COROTATIONAL, laws[k], false);
    }
    if (device && ew_device_about(device)->has_double) {
        check_statics(device, EW_DOUBLE, EW_SMALL, &ew_law_plastic, false);
    }
}

/* Motion by implicit and explicit schemes, one linearization a step and Newton's method. */
static void check_motion(ew_scheme_kind scheme, double tolerance, const ew_law *law, bool quadratic)
{
    ew_model *model[2];
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account account[2];
    def.scheme = scheme;
    def.newton_tolerance = tolerance;
    def.solver.tolerance = 1e-10;
    def.account = true;
    const double dt = scheme == EW_CENTRAL_DIFFERENCE ? 5e-4 : 0.01;
    for (int k = 0; k < 2; k++) {
        model[k] = make_bar(k ? device : NULL, EW_DOUBLE, EW_COROTATIONAL, law, quadratic);
        must(ew_model_start_dynamics(model[k], &def, 0.0));
        const int n = quadratic ? 5 : 20;
        for (int i = 0; i < n; i++) {
            if (i == 3 * n / 5) {
                remove_one(model[k], quadratic ? 11 : 40);
            }
            must(ew_model_advance(model[k], scheme == EW_CENTRAL_DIFFERENCE ? dt : 2.0 * dt, NULL));
        }
        must(ew_model_account(model[k], &account[k]));
        expect_blocks(model[k]);
    }
    expect_near(model[0], model[1], 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(account[1].strain, account[0].strain, 1e-4 * account[0].strain);
    CU_ASSERT_DOUBLE_EQUAL(account[1].dissipated, account[0].dissipated,
                           1e-4 * account[0].dissipated);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_quadratic_bodies_are_those_of_the_host(void)
{
    if (device && ew_device_about(device)->has_double) {
        check_statics(device, EW_MIXED, EW_COROTATIONAL, NULL, true);
        check_statics(device, EW_DOUBLE, EW_SMALL, &ew_law_plastic, true);
        check_motion(EW_NEWMARK, 1e-7, &ew_law_neo_hookean, true);
        check_motion(EW_CENTRAL_DIFFERENCE, 0.0, NULL, true);
    }
}

static void test_motion_is_that_of_the_host(void)
{
    if (device && ew_device_about(device)->has_double) {
        check_motion(EW_NEWMARK, 0.0, NULL, false);
        check_motion(EW_HHT, 1e-7, &ew_law_plastic, false);
        check_motion(EW_NEWMARK, 0.0, &ew_law_creep, false);
        check_motion(EW_NEWMARK, 1e-7, &ew_law_neo_hookean, false);
        check_motion(EW_CENTRAL_DIFFERENCE, 0.0, NULL, false);
    }
}

/* A bar that buckles in long steps: tangents that are not positive definite are clamped there, in
 * Newton's iterations, too, and steps are halved. */
static void check_pushed(double tolerance, int32_t max_iterations, int32_t halvings)
{
    ew_model *model[2];
    ew_dynamics_def def = ew_default_dynamics_def();
    def.newton_tolerance = tolerance;
    def.newton_iterations = max_iterations;
    def.newton_halvings = halvings;
    def.solver.tolerance = 1e-10;
    for (int k = 0; k < 2; k++) {
        model[k] = make_bar(k ? device : NULL, EW_DOUBLE, EW_COROTATIONAL, NULL, false);
        must(ew_model_set_loads(model[k], 1,
                                &(ew_model_load){.kind = EW_LOAD_TOTAL_FORCE,
                                                 .set = TIP,
                                                 .vector = {-12000.0, 0.0, 120.0}}));
        must(ew_model_start_dynamics(model[k], &def, 0.0));
        must(ew_model_advance(model[k], 0.15, NULL));
        must(ew_model_advance(model[k], 0.15, NULL));
        expect_blocks(model[k]);
    }
    expect_near(model[0], model[1], 1e-4);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_buckling_motion_is_that_of_the_host(void)
{
    if (device && ew_device_about(device)->has_double) {
        check_pushed(0.0, 10, 0);
        check_pushed(1e-6, 60, 0);
        check_pushed(1e-6, 10, 6);
    }
}

/* Tets answer on the host there, and the blocks are sent. */
static void test_without_double_precision(void)
{
    ew_device_def def = ew_default_device_def();
    ew_device *narrow = NULL;
    def.without_double = true;
    if (device && !ew_device_open(&narrow, &def)) {
        check_statics(narrow, EW_SINGLE, EW_COROTATIONAL, &ew_law_plastic, false);
        ew_device_close(narrow);
    }
}

static CU_TestInfo tests[] = {
    {"equilibrium_is_that_of_the_host", test_equilibrium_is_that_of_the_host},
    {"quadratic_bodies_are_those_of_the_host", test_quadratic_bodies_are_those_of_the_host},
    {"motion_is_that_of_the_host", test_motion_is_that_of_the_host},
    {"buckling_motion_is_that_of_the_host", test_buckling_motion_is_that_of_the_host},
    {"without_double_precision", test_without_double_precision},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {
        {"device_nonlinear", open_device, close_device, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
