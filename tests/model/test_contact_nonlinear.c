/* Contact without friction in nonlinear statics: parts that yield, that turn, and that slide over
 * each other, against closed forms and against what linear solves find. */
#include "contact_model_fixture.h"

/* ---- laws ---- */

/* A load beyond the yield stress, put on and taken off again: the stress is that of the load, also
 * across a gap that the first load step closes, and the strain that is left is plastic. */
static void test_parts_yield_under_pressure(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_pressed_stack(k & 1, k & 2, k == 1 ? 0.001 : 0.0);
        ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        ew_nonlinear_def def = ew_default_nonlinear_def();
        ew_model_contact_report report;
        const ew_sums *sums;
        def.n_step = 2;
        def.tolerance = 1e-10;
        def.solver.tolerance = 1e-12;
        ew_material_put_law(&material, &ew_law_plastic);
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 1.0;
        material.law_value[EW_PLASTIC_HARDENING] = 50.0;
        must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
        must(ew_model_solve_nonlinear(model, &def, NULL));
        must(ew_model_recover(model, NULL, &sums));
        must(ew_model_view_contact(model, 0, &report));
        CU_ASSERT(stress_error(model, (double[6]){0, 0, -2.0, 0, 0, 0}) < 1e-8);
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, 2.0, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-8);
        CU_ASSERT(sums->equilibrium < 1e-8);
        const double plastic = (2.0 - 1.0) / 50.0; /* strain; work is by the mean stress */
        CU_ASSERT_DOUBLE_EQUAL(sums->dissipated / (0.5 * (1.0 + 2.0) * plastic), 1.0, 1e-6);
        press(model, add_faces(model, UPPER, up, 2, k == 1 ? 1.001 : 1.0), 0.5);
        must(ew_model_solve_nonlinear(model, &def, NULL));
        must(ew_model_recover(model, NULL, NULL));
        must(ew_model_view_contact(model, 0, &report));
        CU_ASSERT(stress_error(model, (double[6]){0, 0, -0.5, 0, 0, 0}) < 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 0.5, 1e-8);
        ew_model_free(model);
    }
}

/* What a solve that failed left of an overlap is not left to one after it. */
static void test_a_failed_solve_leaves_no_overlap(void)
{
    double moved[2];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_pressed_stack(true, false, -0.01);
        ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        const ew_material elastic = material;
        ew_nonlinear_def def = ew_default_nonlinear_def();
        def.n_step = 2;
        def.max_iterations = 1;
        def.max_halvings = 0;
        def.tolerance = 1e-12;
        ew_material_put_law(&material, &ew_law_plastic);
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 1.0;
        if (k) {
            must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
            CU_ASSERT_EQUAL(ew_model_solve_nonlinear(model, &def, NULL), EW_NOT_CONVERGED);
            must(ew_model_set_material(model, EW_ALL_REGIONS, &elastic));
        }
        (void)solve(model, 1e-12);
        const ew_mesh *mesh = ew_model_mesh(model);
        moved[k] = 0.0;
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            moved[k] = fmax(moved[k], ew_model_displacement(model)[3 * (size_t)v + 2]);
        }
        ew_model_free(model);
    }
    CU_ASSERT(moved[0] > 0.003);
    CU_ASSERT_DOUBLE_EQUAL(moved[1], moved[0], 1e-8);
}

/* As rounds of linear solves find them: a force off the middle lifts a part of the face, of a body
 * whose law never yields. */
static void test_iterations_find_what_rounds_find(void)
{
    ew_model_contact_report report[2];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_pressed_stack(true, false, 0.0);
        ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_model_load load =
            ew_load_remote_force(add_faces(model, UPPER, up, 2, 1.0), (double[3]){0, 0, -3.0},
                                 (double[3]){0.92, 0.5, 1});
        const ew_model_constraint all[2] = {{.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
                                            {.set = add_plane(model, NULL, 0, 0.0), .fixed = 2}};
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = load.set, .stiffness = {1e-6, 1e-6, 0}};
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_set_constraints(model, 2, all));
        must(ew_model_set_springs(model, 1, &spring));
        def.n_step = 3;
        def.tolerance = 1e-9;
        def.solver.tolerance = 1e-12;
        if (k) {
            ew_material_put_law(&material, &ew_law_plastic);
            material.law_value[EW_PLASTIC_YIELD_STRESS] = 1e9;
            must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
            must(ew_model_solve_nonlinear(model, &def, NULL));
            must(ew_model_recover(model, NULL, NULL));
            must(ew_model_view_contact(model, 0, &report[k]));
        } else {
            report[k] = solve(model, 1e-12);
        }
        ew_model_free(model);
    }
    CU_ASSERT_EQUAL(report[0].n_closed, report[1].n_closed);
    CU_ASSERT(report[1].n_closed < report[1].n_point);
    CU_ASSERT_DOUBLE_EQUAL(report[0].max_pressure / report[1].max_pressure, 1.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(report[1].normal_force, 3.0, 1e-6);
}

/* ---- large rotations ---- */

/* Both ends of the stack are led by rigid couplings, which press it together and then turn it as a
 * whole by 90 degrees about y: pressure and energy are those of the stack that stays. */
static void test_a_stack_turns_under_pressure(void)
{
    for (int k = 0; k < 4; k++) {
        const bool is_quadratic = k & 1;
        double energy[2], force[2];
        for (int turned = 0; turned < 2; turned++) {
            ew_model *model = make_pressed_stack(k & 2, is_quadratic, 0.0);
            const double angle = turned ? acos(0.0) : 0.0, by = 0.02;
            ew_model_coupling list[2] = {{.is_rigid = true,
                                          .prescribed = 63,
                                          .set = add_plane(model, NULL, 2, 0.0),
                                          .point = {0.5, 0.5, 0.5}}};
            ew_nonlinear_def def = ew_default_nonlinear_def();
            ew_model_contact_report report;
            const ew_sums *sums;
            def.n_step = turned ? 4 : 1;
            def.tolerance = 1e-9;
            def.solver.tolerance = 1e-12;
            list[0].value[4] = angle;
            list[1] = list[0];
            list[1].set = add_plane(model, NULL, 2, 1.0);
            list[1].value[0] = -by * sin(angle);
            list[1].value[2] = -by * cos(angle);
            must(ew_model_set_kinematics(model, EW_COROTATIONAL));
            must(ew_model_set_constraints(model, 0, NULL));
            must(ew_model_set_loads(model, 0, NULL));
            must(ew_model_set_couplings(model, 2, list));
            must(ew_model_solve_nonlinear(model, &def, NULL));
            must(ew_model_recover(model, NULL, &sums));
            must(ew_model_view_contact(model, 0, &report));
            energy[turned] = sums->strain_energy;
            force[turned] = report.normal_force;
            const double along = report.force[turned ? 0 : 2];
            CU_ASSERT_DOUBLE_EQUAL(fabs(along) / force[turned], 1.0, 1e-3);
            ew_model_free(model);
        }
        CU_ASSERT_DOUBLE_EQUAL(energy[1] / energy[0], 1.0, 1e-7);
        CU_ASSERT_DOUBLE_EQUAL(force[1] / force[0], 1.0, 1e-7);
    }
}

/* The answer, taken from elsewhere, has the points and forces that it was solved with, also by a
 * model whose points were others. */
static void check_known_answer(ew_model *model, const ew_model_contact_report *found)
{
    ew_model_contact_report taken;
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    double *u = malloc(n * sizeof *u);
    memcpy(u, ew_model_displacement(model), n * sizeof *u);
    memset(ew_model_field(model, 0), 0, n * sizeof *u);
    must(ew_model_accept_nonlinear(model, 0, ew_model_displacement(model), NULL));
    must(ew_model_accept_nonlinear(model, 0, u, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &taken));
    CU_ASSERT_EQUAL(taken.n_closed, found->n_closed);
    CU_ASSERT_DOUBLE_EQUAL(taken.normal_force / found->normal_force, 1.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(taken.max_pressure / found->max_pressure, 1.0, 1e-6);
    free(u);
}

/* A block of weight W on a plate that a rigid coupling turns into a slope; a spring along x keeps
 * it from sliding down: it slides over faces until the spring takes W tan(angle), and the slope
 * presses with W / cos(angle). */
static void test_a_block_slides_down_a_slope(void)
{
    for (int k = 0; k < 2; k++) {
        const double angle = 0.5, weight = 1.0, stiffness = 0.3;
        ew_mesh_def parts = {0};
        ew_mesh mesh, part;
        must(ew_shape_box(&part, (double[3]){4, 1, 0.5}, (int32_t[3]){9, 3, 1}));
        append_part(&parts, &part, (double[3]){0, 0, 0}, LOWER);
        ew_mesh_free(&part);
        must(ew_shape_box(&part, (double[3]){1, 1, 0.5}, (int32_t[3]){2, 2, 1}));
        append_part(&parts, &part, (double[3]){2.6, 0, 0.5}, UPPER);
        ew_mesh_free(&part);
        finish_parts(&mesh, &parts);
        ew_model *model = make_model(&mesh, 1e4, false);
        const int32_t lower = add_faces(model, LOWER, up, 2, 0.5),
                      upper = add_faces(model, UPPER, down, 2, 0.5),
                      top = add_faces(model, UPPER, up, 2, 1.0);
        const ew_model_coupling plate = {.is_rigid = true,
                                         .prescribed = 63,
                                         .set = add_plane(model, NULL, 2, 0.0),
                                         .value = {0, 0, 0, 0, -angle, 0}};
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {stiffness, 0, 0}};
        const ew_model_load load = ew_load_total_force(top, (double[3]){0, 0, -weight});
        const ew_model_contact contact = {.slave = k ? lower : upper, .master = k ? upper : lower};
        ew_nonlinear_def def = ew_default_nonlinear_def();
        ew_model_contact_report report;
        const ew_sums *sums;
        hold_planes(model, "y");
        must(ew_model_set_couplings(model, 1, &plate));
        must(ew_model_set_springs(model, 1, &spring));
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_set_contacts(model, 1, &contact));
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        def.n_step = 4;
        def.tolerance = 1e-8;
        def.solver.tolerance = 1e-12;
        must(ew_model_solve_nonlinear(model, &def, NULL));
        must(ew_model_recover(model, NULL, &sums));
        must(ew_model_view_contact(model, 0, &report));
        if (!k) {
            check_known_answer(model, &report);
        }
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force * cos(angle) / weight, 1.0, 1e-3);
        CU_ASSERT(fabs(report.min_gap) < 1e-10);
        CU_ASSERT(sums->equilibrium < 1e-7);
        ew_list list = {0};
        double mean = 0.0;
        must(ew_model_list_vertices(model, top, &list));
        for (int32_t i = 0; i < list.n; i++) {
            const double *u = ew_model_displacement(model) + 3 * (size_t)list.id[i];
            mean += u[0] / list.n;
        }
        CU_ASSERT_DOUBLE_EQUAL(mean * stiffness / (weight * tan(angle)), -1.0, 3e-3);
        ew_list_free(&list);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"parts_yield_under_pressure", test_parts_yield_under_pressure},
        {"a_failed_solve_leaves_no_overlap", test_a_failed_solve_leaves_no_overlap},
        {"iterations_find_what_rounds_find", test_iterations_find_what_rounds_find},
        {"a_stack_turns_under_pressure", test_a_stack_turns_under_pressure},
        {"a_block_slides_down_a_slope", test_a_block_slides_down_a_slope},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_nonlinear", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
