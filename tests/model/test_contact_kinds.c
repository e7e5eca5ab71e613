/* Contact and ties with other kinds of bodies and analyses: nearly incompressible mixed tets; modes
 * and buckling about a state of contact, against ties; the estimated error. */
#include "contact_model_fixture.h"
#include "ew_parts.h"

/* ---- mixed tets ------------------------------------------------------------------------------ */

/* A stack of two blocks that are pressed has the same stress everywhere, and moves by it, whatever
 * holds them together. */
static void test_mixed_patches(void)
{
    const double young = 200.0, poisson = 0.4999, pressure = 2.0,
                 stress[6] = {0, 0, -pressure, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const ew_material material = {.young = young, .poisson = poisson, .density = 1.0};
        ew_model *model = make_pressed_stack(k & 1, false, 0.0);
        ew_pcg_def def = solver();
        double worst = 0.0;
        must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
        must(ew_model_set_mixed(model, true));
        if (k == 2) {
            const ew_model_tie tie = {.slave = add_faces(model, LOWER, up, 2, 0.5),
                                      .master = add_faces(model, UPPER, down, 2, 0.5)};
            must(ew_model_set_contacts(model, 0, NULL));
            must(ew_model_set_ties(model, 1, &tie));
        }
        def.tolerance = 1e-10;
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, NULL, NULL));
        CU_ASSERT(stress_error(model, stress) < 1e-6 * pressure);
        const double *u = ew_model_displacement(model), *xyz = ew_model_mesh(model)->xyz;
        for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
            worst = fmax(worst, fabs(u[3 * v + 2] + pressure / young * xyz[3 * v + 2]));
        }
        CU_ASSERT(worst < 1e-8 * pressure / young);
        if (k < 2) {
            ew_model_contact_report report;
            must(ew_model_view_contact(model, 0, &report));
            CU_ASSERT_EQUAL(report.n_closed, report.n_point);
            CU_ASSERT_DOUBLE_EQUAL(report.normal_force, pressure, 1e-6);
            CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, pressure, 1e-5);
        }
        ew_model_free(model);
    }
}

/* ---- the estimated error --------------------------------------------------------------------- */

/* A pressure that goes from one body into the other is no error. */
static void test_no_error_of_pressed_blocks(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_pressed_stack(true, k, 0.0);
        const ew_estimate *estimate;
        (void)solve(model, 1e-12);
        must(ew_model_estimate(model, &estimate, NULL));
        CU_ASSERT(estimate->share < 1e-9);
        ew_model_free(model);
    }
}

/* ---- modes and buckling ---------------------------------------------------------------------- */

#if EW_WITH_CHOLMOD
#include "solver/cholmod.h"

/* The stack with its lower end clamped; with friction points of contact stick. */
static ew_model *make_clamped_stack(double friction, bool is_quadratic)
{
    ew_model *model = make_pressed_stack(true, is_quadratic, 0.0);
    const ew_model_constraint clamp = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
    const ew_model_contact contact = {.slave = add_faces(model, UPPER, down, 2, 0.5),
                                      .master = add_faces(model, LOWER, up, 2, 0.5),
                                      .friction = friction};
    const ew_material material = {.young = 200.0, .poisson = 0.0, .density = 1.0};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_constraints(model, 1, &clamp));
    must(ew_model_set_contacts(model, 1, &contact));
    return model;
}

static void tie_stack(ew_model *model)
{
    const ew_model_tie tie = {.slave = add_faces(model, UPPER, down, 2, 0.5),
                              .master = add_faces(model, LOWER, up, 2, 0.5)};
    must(ew_model_set_contacts(model, 0, NULL));
    must(ew_model_set_ties(model, 1, &tie));
}

static ew_modes_def modes_def(int32_t count)
{
    ew_modes_def def = ew_default_modes_def();
    def.count = count;
    def.direct = ew_direct_solver();
    def.eigen = ew_eigen_solve;
    return def;
}

/* Without friction the upper block slides along the lower one and turns on it, three motions
 * without a force; with it the stack is as one that is tied. */
static void test_modes_of_contact(void)
{
    for (int k = 0; k < 2; k++) {
        const ew_modes_def def = modes_def(5);
        const ew_modes *modes;
        double frequency[5];
        ew_model *model = make_clamped_stack(0.0, k);
        must(ew_model_modes(model, &def, &modes)); /* points that touch count as closed */
        CU_ASSERT_EQUAL(modes->n_rigid, 3);
        CU_ASSERT(modes->frequency[3] > 0.1);
        ew_model_free(model);

        model = make_clamped_stack(10.0, k);
        const ew_model_contact_report before = solve(model, 1e-10);
        CU_ASSERT_EQUAL(before.n_slip, 0);
        must(ew_model_modes(model, &def, &modes));
        CU_ASSERT_EQUAL(modes->n_rigid, 0);
        CU_ASSERT_EQUAL(ew_model_n_closed(model), before.n_point);
        memcpy(frequency, modes->frequency, sizeof frequency);
        tie_stack(model);
        must(ew_model_modes(model, &def, &modes));
        for (int m = 0; m < 5; m++) {
            CU_ASSERT_DOUBLE_EQUAL(frequency[m], modes->frequency[m], 1e-7 * modes->frequency[m]);
        }
        ew_model_free(model);
    }
}

/* Half a block is pushed until some points slide; a shape is recovered between, which leaves the
 * history as it was. */
static void test_shapes_leave_the_history(void)
{
    ew_model *model = make_clamped_stack(0.3, false);
    const ew_modes_def def = modes_def(2);
    const ew_modes *modes;
    const ew_fields *fields;
    const ew_sums *sums;
    ew_model_load load[2] = {ew_load_pressure(add_faces(model, UPPER, up, 2, 1.0), 2.0),
                             ew_load_pressure(add_faces(model, UPPER, (double[3]){1, 0, 0}, 0, 1.0),
                                              0.6)};
    must(ew_model_set_loads(model, 2, load));
    const ew_model_contact_report before = solve(model, 1e-11);
    CU_ASSERT(before.n_slip > 0 && before.n_slip < before.n_point);
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    double *kept = malloc(n * sizeof *kept);
    memcpy(kept, ew_model_displacement(model), n * sizeof *kept);
    must(ew_model_modes(model, &def, &modes));
    must(ew_model_set_loads(model, 0, NULL));
    must(ew_model_recover_shape(model, modes->shape, &fields, &sums));
    memcpy(ew_model_field(model, 0), kept, n * sizeof *kept);
    must(ew_model_set_loads(model, 2, load));
    const ew_model_contact_report after = solve(model, 1e-11);
    CU_ASSERT_EQUAL(after.n_closed, before.n_closed);
    CU_ASSERT_DOUBLE_EQUAL(after.friction_force, before.friction_force,
                           1e-4 * before.friction_force);
    CU_ASSERT(after.max_slip < 1e-3 * before.max_slip);
    free(kept);
    ew_model_free(model);
}

/* The upper block is kept in place by contact alone. */
static void test_buckling_of_contact(void)
{
    const ew_modes_def def = modes_def(1);
    const ew_buckling *buckling;
    ew_model *model = make_clamped_stack(10.0, false);
    (void)solve(model, 1e-11);
    must(ew_model_buckling(model, &def, &buckling));
    const double factor = buckling->factor[0];
    tie_stack(model);
    ew_pcg_def precise = solver();
    must(ew_model_solve(model, &precise, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_buckling(model, &def, &buckling));
    CU_ASSERT_DOUBLE_EQUAL(factor, buckling->factor[0], 1e-6 * factor);
    ew_model_free(model);
}
#endif

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"mixed_patches", test_mixed_patches},
        {"no_error_of_pressed_blocks", test_no_error_of_pressed_blocks},
#if EW_WITH_CHOLMOD
        {"modes_of_contact", test_modes_of_contact},
        {"shapes_leave_the_history", test_shapes_leave_the_history},
        {"buckling_of_contact", test_buckling_of_contact},
#endif
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_kinds", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
