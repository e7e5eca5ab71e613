/* Contact with rigid bodies that move: by steps and load steps, with large rotations, with
 * friction, in time. */
#include "contact_rigid_fixture.h"

/* The ground begins below and comes up by 0.01 beyond the block, whose top is fixed. */
static void test_motions_press(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_block(3, k & 1);
        ew_model_contact contact = on_ground(model);
        const double strain = 0.01;
        const ew_model_constraint list[3] = {{.set = add_plane(model, NULL, 0, 0.0), .fixed = 1},
                                             {.set = add_plane(model, NULL, 1, 0.0), .fixed = 2},
                                             {.set = add_plane(model, NULL, 2, 1.0), .fixed = 4}};
        must(ew_model_set_constraints(model, 3, list));
        contact.rigid.point[2] = -0.5;
        contact.rigid.motion.displacement[2] = 0.5 + strain;
        must(ew_model_set_contacts(model, 1, &contact));
        if (k < 2) {
            expect_pressed(model, 200.0 * strain, 1e-9);
            contact.rigid.motion.displacement[2] = 0.5 + 0.5 * strain; /* it goes back half way */
            must(ew_model_set_contacts(model, 1, &contact));
            expect_pressed(model, 100.0 * strain, 1e-9);
        } else {
            ew_nonlinear_def def = ew_default_nonlinear_def();
            ew_model_contact_report report;
            def.n_step = 4;
            def.tolerance = 1e-9;
            def.solver.tolerance = 1e-12;
            must(ew_model_set_kinematics(model, EW_COROTATIONAL));
            must(ew_model_solve_nonlinear(model, &def, NULL));
            must(ew_model_recover(model, NULL, NULL));
            must(ew_model_view_contact(model, 0, &report));
            CU_ASSERT_EQUAL(report.n_closed, report.n_point);
            CU_ASSERT_DOUBLE_EQUAL(report.normal_force / (200.0 * strain), 1.0, 1e-6);
        }
        ew_model_free(model);
    }
}

/* Between two plates that turn by half a right angle together, with large rotations: the block
 * turns along, and the force with it. */
static void test_bodies_turn_along(void)
{
    ew_model *model = make_block(2, false);
    const double angle = atan(1.0), strain = 0.01, s = sqrt(0.5);
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_model_contact_report report;
    ew_model_contact list[2] = {on_ground(model), on_ground(model)};
    const ew_model_constraint none = {.set = add_plane(model, NULL, 1, 0.0), .fixed = 2};
    must(ew_model_set_constraints(model, 1, &none));
    list[1].slave = add_faces(model, 1, up, 2, 1.0);
    list[1].rigid = (ew_rigid_def){
        .kind = EW_RIGID_PLANE, .point = {0, 0, 1.0 - strain}, .direction = {0, 0, -1}};
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = list[0].slave, .stiffness = {1e-3, 0, 0}};
    must(ew_model_set_springs(model, 1, &spring));
    for (int k = 0; k < 2; k++) {
        list[k].rigid.motion = (ew_rigid_motion){.rotation = {0, angle, 0}, .about = {0.5, 0, 0.5}};
    }
    must(ew_model_set_contacts(model, 2, list));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    def.n_step = 8;
    def.tolerance = 1e-8;
    def.solver.tolerance = 1e-12;
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &report));
    const double force = 200.0 * strain;
    CU_ASSERT_DOUBLE_EQUAL(report.normal_force / force, 1.0, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(report.force[0] / report.normal_force, s, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(report.force[2] / report.normal_force, s, 1e-6);
    ew_model_free(model);
}

/* A plane that is drawn takes the block along by friction, as far as a spring allows; pressed
 * first.
 */
static void test_what_is_drawn_takes_along(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_block(3, false);
        ew_model_contact contact = on_ground(model);
        const double stiffness = 10.0, drawn = k ? 0.5 : 0.02;
        const int32_t top = add_faces(model, 1, up, 2, 1.0);
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = contact.slave, .stiffness = {stiffness, stiffness, 0}};
        contact.friction = 0.2;
        must(ew_model_set_constraints(model, 0, NULL));
        must(ew_model_set_springs(model, 1, &spring));
        press(model, top, 2.0);
        must(ew_model_set_contacts(model, 1, &contact));
        (void)solve(model, 1e-10);
        contact.rigid.motion.displacement[0] = drawn;
        must(ew_model_set_contacts(model, 1, &contact));
        const ew_model_contact_report report = solve(model, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-6);
        if (k) {
            CU_ASSERT_EQUAL(report.n_slip, report.n_closed);
            CU_ASSERT_DOUBLE_EQUAL(report.force[0], 0.4, 1e-4);
            CU_ASSERT(report.max_slip > 0.44 && report.max_slip < 0.47);
        } else {
            CU_ASSERT(report.force[0] > 0.7 * stiffness * drawn &&
                      report.force[0] < stiffness * drawn);
        }
        const ew_model_contact_report again = solve(model, 1e-10); /* it rests where it is */
        CU_ASSERT_DOUBLE_EQUAL(again.force[0], report.force[0], 2e-3);
        CU_ASSERT(again.max_slip < 1e-3);
        contact.distance = 3.0; /* as it does in another list */
        must(ew_model_set_contacts(model, 1, &contact));
        const ew_model_contact_report other = solve(model, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(other.force[0], report.force[0], 2e-3);
        CU_ASSERT(other.max_slip < 1e-3);
        ew_model_free(model);
    }
}

/* The same with large rotations, in load steps: the plane is drawn under the block by half its
 * length. */
static void test_newton_follows_what_is_drawn(void)
{
    ew_model *model = make_block(3, false);
    ew_model_contact contact = on_ground(model);
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_model_contact_report report;
    const double stiffness = 10.0;
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = contact.slave, .stiffness = {stiffness, stiffness, 0}};
    contact.friction = 0.2;
    def.n_step = 4;
    def.tolerance = 1e-8;
    def.solver.tolerance = 1e-12;
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(ew_model_set_constraints(model, 0, NULL));
    must(ew_model_set_springs(model, 1, &spring));
    press(model, add_faces(model, 1, up, 2, 1.0), 2.0);
    must(ew_model_set_contacts(model, 1, &contact));
    must(ew_model_solve_nonlinear(model, &def, NULL));
    contact.rigid.motion.displacement[0] = 0.5;
    must(ew_model_set_contacts(model, 1, &contact));
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &report));
    CU_ASSERT_DOUBLE_EQUAL(report.force[2], 2.0, 0.02); /* pressure turns with what it is on */
    CU_ASSERT_DOUBLE_EQUAL(report.force[0] / report.normal_force, 0.2, 1e-3);
    CU_ASSERT_EQUAL(report.n_slip, report.n_closed);
    CU_ASSERT(report.max_slip > 0.42 && report.max_slip < 0.48);
    ew_model_free(model);
}

/* ---- motion in time ---- */

/* A block falls by h onto the ground, and comes back to less; then the ground itself comes up. */
static void test_a_block_bounces(void)
{
    static const ew_scheme_kind scheme[] = {EW_NEWMARK, EW_CENTRAL_DIFFERENCE, EW_NEWMARK};
    for (int k = 0; k < 3; k++) {
        const double height = 0.05, step = 0.008;
        ew_model *model = make_tall(2, 10, false);
        ew_model_contact contact = on_ground(model);
        const ew_model_load weight = ew_load_gravity((double[3]){0, 0, -1.0});
        const ew_amplitude ramp = {.kind = EW_AMPLITUDE_TABLE,
                                   .n = 2,
                                   .time = (double[]){0.0, 1.0},
                                   .value = (double[]){0.0, 1.0}};
        ew_dynamics_def def = ew_default_dynamics_def();
        ew_energy_account account;
        double touch = 0.0, back = 0.0;
        contact.rigid.point[2] = -height;
        if (k == 2) {
            must(ew_model_set_amplitudes(model, 1, &ramp));
            contact.amplitude = 1;
            contact.rigid.motion.displacement[2] = 0.1;
        }
        must(ew_model_set_contacts(model, 1, &contact));
        must(ew_model_set_loads(model, k < 2, &weight));
        def.scheme = scheme[k];
        def.solver.tolerance = 1e-10;
        def.account = true;
        must(ew_model_start_dynamics(model, &def, 0.0));
        while (ew_model_time(model) < 0.75) {
            ew_model_contact_report report;
            must(ew_model_advance(model, step / (k == 1 ? 4 : 1), NULL));
            must(ew_model_account(model, &account));
            must(ew_model_recover(model, NULL, NULL));
            must(ew_model_view_contact(model, 0, &report));
            CU_ASSERT(k == 2 || account.balance <= (k ? 1e-4 : 1e-9));
            CU_ASSERT(report.min_gap > -1e-9);
            touch = report.normal_force > 0.0 && touch == 0.0 ? ew_model_time(model) : touch;
            back = touch > 0.0 ? fmax(back, report.min_gap) : back;
        }
        CU_ASSERT_DOUBLE_EQUAL(touch, k == 2 ? height / 0.1 : sqrt(2.0 * height), 2.0 * step);
        CU_ASSERT(k == 2 || (back > 0.2 * height && back < height));
        CU_ASSERT(k < 2 || account.linear_momentum[2] > 0.09); /* of what it hits */
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"motions_press", test_motions_press},
        {"bodies_turn_along", test_bodies_turn_along},
        {"what_is_drawn_takes_along", test_what_is_drawn_takes_along},
        {"newton_follows_what_is_drawn", test_newton_follows_what_is_drawn},
        {"a_block_bounces", test_a_block_bounces},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_rigid_motion", .pTests = tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
