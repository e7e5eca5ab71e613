/* Contact with friction: what sticks is a tie, what slides has the force mu N, against closed
 * forms; steps; refusals. */
#include "contact_model_fixture.h"

/* Blocks one over the other, fixed below, under a pressure and a shear stress that are the same
 * everywhere where they stick. */
static ew_model *make_sheared(bool is_quadratic, double friction, double shear)
{
    const ew_material material = {.young = 200.0, .poisson = 0.0, .density = 1.0};
    ew_mesh mesh;
    make_blocks(&mesh, (int32_t[2]){3, 4}, (double[3]){0, 0, 0});
    ew_model *model = make_model(&mesh, 200.0, is_quadratic);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    const ew_model_constraint base = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
    must(ew_model_set_constraints(model, 1, &base));
    const double right[3] = {1, 0, 0}, left[3] = {-1, 0, 0};
    const int32_t top = add_faces(model, UPPER, up, 2, 1.0);
    const ew_model_load loads[6] = {
        ew_load_pressure(top, 2.0),
        ew_load_traction(top, (double[3]){shear, 0, 0}),
        ew_load_traction(add_faces(model, LOWER, right, 0, 1.0), (double[3]){0, 0, shear}),
        ew_load_traction(add_faces(model, UPPER, right, 0, 1.0), (double[3]){0, 0, shear}),
        ew_load_traction(add_faces(model, LOWER, left, 0, 0.0), (double[3]){0, 0, -shear}),
        ew_load_traction(add_faces(model, UPPER, left, 0, 0.0), (double[3]){0, 0, -shear})};
    must(ew_model_set_loads(model, 6, loads));
    const ew_model_contact contact = {.slave = add_faces(model, UPPER, down, 2, 0.5),
                                      .master = add_faces(model, LOWER, up, 2, 0.5),
                                      .friction = friction};
    must(ew_model_set_contacts(model, 1, &contact));
    return model;
}

static void test_what_sticks_is_tied(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_sheared(k, 0.3, 0.5);
        const ew_model_contact_report report = solve(model, 1e-12);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, -2.0, 0, 0, 0.5}) < 1e-9);
        CU_ASSERT_EQUAL(report.n_slip, 0);
        CU_ASSERT_EQUAL(report.max_slip, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], -0.5, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], 2.0, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.friction_force, 0.5, 1e-9);
        ew_model_free(model);
    }
}

static void test_what_slides_freely_is_refused(void)
{
    ew_model *model = make_sheared(false, 0.2, 0.5);
    const ew_pcg_def def = solver();
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNDER_CONSTRAINED);
    CU_ASSERT(strstr(ew_message(), "friction") != NULL);
    ew_goal goal = ew_default_goal();
    double value;
    goal.kind = EW_GOAL_ENERGY;
    must(ew_model_set_goals(model, 1, &goal));
    CU_ASSERT_NOT_EQUAL(ew_model_goal_value(model, 0, &value), EW_OK); /* a round is no answer */
    ew_model_free(model);
}

/* Loads of the upper block are on its top, and below all is fixed. */
static ew_model *make_pressed(bool is_quadratic, double friction, int32_t *top)
{
    ew_mesh mesh;
    make_blocks(&mesh, (int32_t[2]){3, 4}, (double[3]){0, 0, 0});
    ew_model *model = make_model(&mesh, 200.0, is_quadratic);
    *top = add_faces(model, UPPER, up, 2, 1.0);
    const ew_model_constraint base = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
    must(ew_model_set_constraints(model, 1, &base));
    const ew_model_contact contact = {.slave = add_faces(model, UPPER, down, 2, 0.5),
                                      .master = add_faces(model, LOWER, up, 2, 0.5),
                                      .friction = friction};
    must(ew_model_set_contacts(model, 1, &contact));
    return model;
}

/* As before, pressed by 2, and the top moves along x. */
static void draw(ew_model *model, int32_t top, double by)
{
    const ew_model_constraint list[2] = {
        {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
        {.set = add_plane(model, NULL, 2, 1.0), .fixed = 1, .value = {by, 0, 0}}};
    must(ew_model_set_constraints(model, 2, list));
    press(model, top, 2.0);
}

/* The upper block is drawn over the lower one: the sum of friction is mu N, although points slide
 * along directions that differ. */
static void test_full_slip(void)
{
    for (int k = 0; k < 2; k++) {
        int32_t top;
        ew_model *model = make_pressed(k, 0.4, &top);
        draw(model, top, 0.2);
        const ew_model_contact_report report = solve(model, 1e-10);
        CU_ASSERT_EQUAL(report.n_slip, report.n_closed);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(report.friction_force / report.normal_force, 0.4, 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], -0.8, 1e-3);
        CU_ASSERT(report.max_slip > 0.15 && report.max_slip < 0.2);

        const double *status = ew_model_contact_field(model, EW_CONTACT_STATUS),
                     *pressure = ew_model_contact_field(model, EW_CONTACT_PRESSURE),
                     *traction = ew_model_contact_field(model, EW_CONTACT_TRACTION),
                     *slip = ew_model_contact_field(model, EW_CONTACT_SLIP);
        for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
            const double *t = traction + 3 * (size_t)v, *s = slip + 3 * (size_t)v;
            const double size = hypot(t[0], t[1]), slid = hypot(s[0], s[1]);
            CU_ASSERT_DOUBLE_EQUAL(size, 0.4 * pressure[v], 1e-5 * report.max_pressure);
            CU_ASSERT_EQUAL(status[v] == 3.0, slid > 0.0);
            CU_ASSERT(t[0] * s[0] + t[1] * s[1] <= (1e-4 - 1.0) * size * slid); /* it resists */
        }
        ew_model_free(model);
    }
}

/* A block with a spring on a slope that rises by 3 in 4, of weight 1: it slides until the spring
 * bears 0.6 - 0.8 mu. Then the slope becomes level: the spring goes on to bear that where it is
 * below mu, else the block slides back. */
static void test_slopes_and_steps(void)
{
    const double mu[3] = {0.3, 0.45, 0.8};
    for (int k = 0; k < 3; k++) {
        int32_t top;
        ew_model *model = make_pressed(k == 0, mu[k], &top);
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {0.1, 0, 0}};
        const ew_model_load slope = ew_load_total_force(top, (double[3]){0.6, 0, -0.8}),
                            level = ew_load_total_force(top, (double[3]){0, 0, -1});
        must(ew_model_set_springs(model, 1, &spring));
        must(ew_model_set_loads(model, 1, &slope));
        ew_model_contact_report report = solve(model, 1e-10);
        const double rest = fmax(0.6 - 0.8 * mu[k], 0.0);
        CU_ASSERT_EQUAL(report.n_slip == report.n_closed, mu[k] < 0.75);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 0.8, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], rest - 0.6, 4e-3);
        must(ew_model_set_loads(model, 1, &level));
        report = solve(model, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 1.0, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], fmin(rest, mu[k]), 4e-3);
        CU_ASSERT_EQUAL(report.n_slip == report.n_closed, rest > mu[k]);

        if (k == 0) { /* linear tets from now on: the rows read no edges */
            must(ew_model_set_order(model, false));
            report = solve(model, 1e-10);
            CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 1.0, 1e-6);
        }
        const double before = report.force[0]; /* nothing slides a second time */
        report = solve(model, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], before, 1e-5);
        CU_ASSERT(report.max_slip < 1e-4);
        ew_model_free(model);
    }
}

/* A quarter of a tube about z of straight sides, one cell long. */
static void append_tube(ew_mesh_def *def, double inner, double outer, int32_t n, int32_t label)
{
    ew_mesh tube;
    must(ew_shape_box(&tube, (double[3]){1, 1, 1}, (int32_t[3]){4, n, 1}));
    for (int32_t v = 0; v < tube.n_vertex; v++) {
        double *x = tube.xyz + 3 * (size_t)v;
        const double r = inner + (outer - inner) * x[0], angle = 2.0 * atan(1.0) * x[1];
        x[0] = r * cos(angle);
        x[1] = r * sin(angle);
    }
    append_part(def, &tube, (double[3]){0, 0, 0}, label);
    ew_mesh_free(&tube);
}

static int32_t add_round(ew_model *model, double radius)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES};
    ew_list list = {0};
    int32_t set;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        must(fabs(hypot(x[0], x[1]) - radius) < 1e-9 ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

/* Tubes of straight sides, the inner one pushed, in plane strain: between unlike facets gaps are
 * not 0, and of rows along the axis, where all is prescribed, is left how faces turn, which is no
 * equation. */
static void test_nothing_sticks_along_what_is_fixed(void)
{
    for (int k = 0; k < 2; k++) {
        ew_mesh_def parts = {0};
        ew_mesh mesh;
        append_tube(&parts, 3.0, 5.0, 31, UPPER);
        append_tube(&parts, 5.0, 8.0, 23, LOWER);
        finish_parts(&mesh, &parts);
        ew_model *model = make_model(&mesh, 1e3, k);
        const ew_model_contact contact = {.slave = -1, .master = -1, .friction = 0.1};
        const ew_model_constraint list[4] = {
            {.set = add_plane(model, NULL, 2, 0.0), .fixed = 4},
            {.set = add_plane(model, NULL, 2, 1.0), .fixed = 4},
            {.set = add_round(model, 3.0), .fixed = 3, .value = {0.04, 0.02, 0}},
            {.set = add_round(model, 8.0), .fixed = 3}};
        must(ew_model_set_constraints(model, 4, list));
        must(ew_model_set_contacts(model, 1, &contact));
        const ew_model_contact_report report = solve(model, 1e-10);
        CU_ASSERT(report.n_slip > 0 && report.n_slip < report.n_closed);
        CU_ASSERT(report.friction_force > 0.0);
        CU_ASSERT(report.friction_force < 0.1 * report.normal_force * (1.0 + 1e-6));
        ew_model_free(model);
    }
}

/* Other numbers of vertices, and an edit: what sticks goes on from where it was. */
static void test_history_follows_edits(void)
{
    double moved[2];
    for (int m = 0; m < 2; m++) {
        int32_t top;
        ew_model *model = make_pressed(false, 0.3, &top);
        draw(model, top, 0.05);
        (void)solve(model, 1e-12);
        if (m) {
            must(ew_model_compact(model, NULL, NULL));
        }
        const ew_mesh *mesh = ew_model_mesh(model);
        for (int32_t t = 0; t < mesh->n_tet; t++) {
            double x[3];
            ew_mesh_tet_centroid(mesh, t, x);
            if (x[0] > 0.8 && x[1] > 0.8 && x[2] > 0.5 && x[2] < 0.75) {
                must(ew_edit_remove_tet(ew_model_edit(model), t));
            }
        }
        must(ew_model_commit(model));
        const ew_model_contact_report report = solve(model, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], -0.6, 0.06);
        CU_ASSERT(report.max_slip < 0.02); /* of 0.05 that were slid before */
        moved[m] = report.force[0];
        ew_model_free(model);
    }
    CU_ASSERT_DOUBLE_EQUAL(moved[0], moved[1], 1e-6);
}

/* A known answer is taken with its forces; what is out of range is refused. */
static void test_known_answers_and_refusals(void)
{
    ew_model *both[2];
    for (int m = 0; m < 2; m++) {
        int32_t top;
        both[m] = make_pressed(false, 0.3, &top);
        draw(both[m], top, 0.01);
    }
    const ew_pcg_def def = solver();
    const ew_pcg_info *info;
    ew_model_contact_report found, taken;
    must(ew_model_solve(both[0], &def, &info));
    must(ew_model_recover(both[0], NULL, NULL));
    must(ew_model_view_contact(both[0], 0, &found));
    CU_ASSERT(found.n_slip > 0);
    must(ew_model_accept(both[1], &def, ew_model_displacement(both[0]), info, NULL));
    must(ew_model_recover(both[1], NULL, NULL));
    must(ew_model_view_contact(both[1], 0, &taken));
    CU_ASSERT_EQUAL(taken.n_closed, found.n_closed);
    CU_ASSERT_EQUAL(taken.n_slip, found.n_slip);
    CU_ASSERT_DOUBLE_EQUAL(taken.force[0], found.force[0], 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(taken.friction_force, found.friction_force, 1e-6);
    must(ew_model_accept(both[1], &def, ew_model_displacement(both[0]), info, NULL));
    must(ew_model_recover(both[1], NULL, NULL)); /* the step after it: nothing has slid */
    must(ew_model_view_contact(both[1], 0, &taken));
    CU_ASSERT_EQUAL(taken.n_slip, 0);
    CU_ASSERT_DOUBLE_EQUAL(taken.friction_force, found.friction_force, 1e-6);
    ew_goal goal = ew_default_goal();
    ew_goal_answer answer;
    double value;
    goal.kind = EW_GOAL_ENERGY;
    must(ew_model_set_goals(both[0], 1, &goal));
    must(ew_model_goal_value(both[0], 0, &value));
    CU_ASSERT_EQUAL(ew_model_evaluate_goal(both[0], 0, &def, &answer), EW_BAD_ARGUMENT);
    CU_ASSERT(strstr(ew_message(), "friction") != NULL);
    ew_goal_parameter parameter = {.value = 1.0, .step = 1e-3};
    CU_ASSERT_EQUAL(ew_model_differentiate_goals(both[0], &parameter, &value), EW_BAD_ARGUMENT);
    CU_ASSERT(strstr(ew_message(), "contact") != NULL);
    const ew_model_contact contact = {.slave = -1, .master = -1, .friction = -0.1};
    CU_ASSERT_EQUAL(ew_model_set_contacts(both[0], 1, &contact), EW_BAD_ARGUMENT);
    ew_model_free(both[0]);
    ew_model_free(both[1]);
}

/* A cantilever of steel that a floor stops, as of `edgewise new contact`: most points that overlap
 * at first lift off again, round by round. What rough rounds left of friction, and turns that they
 * took, are of no account for the solves to the end: all rounds take no more than ten solves do
 * that find the bar without a floor. */
static void test_rough_rounds_spoil_no_friction(void)
{
    int32_t n[2];
    for (int k = 0; k < 2; k++) {
        const ew_material steel = {.young = 210e3, .poisson = 0.3, .density = 1.0};
        const ew_pcg_info *info;
        ew_mesh mesh;
        must(ew_shape_box(&mesh, (double[3]){200, 20, 20}, (int32_t[3]){20, 2, 2}));
        ew_model *model = make_model(&mesh, 210e3, false);
        must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
        const ew_model_constraint wall = {.set = add_plane(model, NULL, 0, 0.0), .fixed = 7};
        must(ew_model_set_constraints(model, 1, &wall));
        const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE,
                                    .set = add_faces(model, 1, (double[3]){1, 0, 0}, 0, 200.0),
                                    .vector = {0, 0, -500}};
        must(ew_model_set_loads(model, 1, &load));
        const ew_model_contact floor = {
            .slave = add_faces(model, 1, down, 2, 0.0),
            .master = -1,
            .friction = 0.1,
            .rigid = {.kind = EW_RIGID_PLANE, .point = {0, 0, -0.2}, .direction = {0, 0, 1}}};
        must(ew_model_set_contacts(model, k, &floor));
        const ew_pcg_def def = ew_default_pcg_def();
        must(ew_model_solve(model, &def, &info));
        n[k] = info->iterations;
        ew_model_free(model);
    }
    CU_ASSERT(n[1] <= 10 * n[0]);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what_sticks_is_tied", test_what_sticks_is_tied},
        {"what_slides_freely_is_refused", test_what_slides_freely_is_refused},
        {"full_slip", test_full_slip},
        {"slopes_and_steps", test_slopes_and_steps},
        {"nothing_sticks_along_what_is_fixed", test_nothing_sticks_along_what_is_fixed},
        {"rough_rounds_spoil_no_friction", test_rough_rounds_spoil_no_friction},
        {"history_follows_edits", test_history_follows_edits},
        {"known_answers_and_refusals", test_known_answers_and_refusals},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "friction", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
