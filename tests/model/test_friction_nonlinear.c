/* Contact with friction in nonlinear statics: parts with laws, that turn, and that slide over many
 * faces, against closed forms and against what linear solves find. */
#include "contact_model_fixture.h"

static ew_nonlinear_def newton(int32_t n_step)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.n_step = n_step;
    def.tolerance = 1e-8;
    def.solver.tolerance = 1e-12;
    return def;
}

static ew_model_contact_report solve_nonlinear(ew_model *model, int32_t n_step)
{
    const ew_nonlinear_def def = newton(n_step);
    ew_model_contact_report report;
    const ew_sums *sums;
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, NULL, &sums));
    CU_ASSERT(sums->equilibrium < 1e-6);
    must(ew_model_view_contact(model, 0, &report));
    return report;
}

/* The answer, taken from elsewhere by a model that has the one before it, is known with its forces.
 */
static void check_known_answer(ew_model *model, const double *before,
                               const ew_model_contact_report *found)
{
    ew_model_contact_report taken;
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    double *u = malloc(n * sizeof *u);
    memcpy(u, ew_model_displacement(model), n * sizeof *u);
    must(ew_model_accept_nonlinear(model, 0, before, NULL));
    must(ew_model_accept_nonlinear(model, 0, u, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &taken));
    CU_ASSERT_EQUAL(taken.n_closed, found->n_closed);
    CU_ASSERT_EQUAL(taken.n_slip, found->n_slip);
    CU_ASSERT_DOUBLE_EQUAL(taken.friction_force / found->friction_force, 1.0, 1e-5);
    CU_ASSERT_DOUBLE_EQUAL(taken.max_slip, found->max_slip, 2e-2);
    free(u);
}

/* ---- laws ---- */

/* A block that is pressed and drawn over another one, as rounds of linear solves find it: in part
 * and as a whole. */
static void test_iterations_find_what_rounds_find(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model_contact_report report[2];
        for (int m = 0; m < 2; m++) {
            ew_mesh mesh;
            make_blocks(&mesh, (int32_t[2]){3, 4}, (double[3]){0, 0, 0});
            ew_model *model = make_model(&mesh, 200.0, k & 1);
            ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
            const int32_t top = add_faces(model, UPPER, up, 2, 1.0);
            const ew_model_contact contact = {.slave = add_faces(model, UPPER, down, 2, 0.5),
                                              .master = add_faces(model, LOWER, up, 2, 0.5),
                                              .friction = 0.4};
            const ew_model_constraint list[2] = {{.set = add_plane(model, NULL, 2, 0.0),
                                                  .fixed = 7},
                                                 {.set = add_plane(model, NULL, 2, 1.0),
                                                  .fixed = 1,
                                                  .value = {k & 2 ? 0.2 : 0.006, 0, 0}}};
            must(ew_model_set_contacts(model, 1, &contact));
            must(ew_model_set_constraints(model, 2, list));
            press(model, top, 2.0);
            if (m) {
                ew_material_put_law(&material, &ew_law_plastic);
                material.law_value[EW_PLASTIC_YIELD_STRESS] = 1e9;
                must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
                report[m] = solve_nonlinear(model, 1);
            } else {
                report[m] = solve(model, 1e-12);
            }
            ew_model_free(model);
        }
        CU_ASSERT_EQUAL(report[0].n_slip, report[1].n_slip);
        CU_ASSERT_DOUBLE_EQUAL(report[0].max_slip, report[1].max_slip, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(report[0].friction_force, report[1].friction_force, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(report[1].normal_force, 2.0, 1e-6);
    }
}

/* ---- large rotations ---- */

static ew_model *make_plate(bool is_quadratic, double friction, double at, int32_t *top)
{
    ew_mesh_def parts = {0};
    ew_mesh mesh, part;
    must(ew_shape_box(&part, (double[3]){4, 1, 0.5}, (int32_t[3]){9, 3, 1}));
    append_part(&parts, &part, (double[3]){0, 0, 0}, LOWER);
    ew_mesh_free(&part);
    must(ew_shape_box(&part, (double[3]){1, 1, 0.5}, (int32_t[3]){2, 2, 1}));
    append_part(&parts, &part, (double[3]){at, 0, 0.5}, UPPER);
    ew_mesh_free(&part);
    finish_parts(&mesh, &parts);
    ew_model *model = make_model(&mesh, 1e4, is_quadratic);
    const ew_model_contact contact = {.slave = add_faces(model, UPPER, down, 2, 0.5),
                                      .master = add_faces(model, LOWER, up, 2, 0.5),
                                      .friction = friction};
    *top = add_faces(model, UPPER, up, 2, 1.0);
    must(ew_model_set_contacts(model, 1, &contact));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    return model;
}

static double displacement_of(const ew_model *model, int32_t set, int c)
{
    ew_list list = {0};
    double mean = 0.0;
    must(ew_model_list_vertices(model, set, &list));
    for (int32_t i = 0; i < list.n; i++) {
        mean += ew_model_displacement(model)[3 * (size_t)list.id[i] + (size_t)c] / list.n;
    }
    ew_list_free(&list);
    return mean;
}

/* A block of weight W on a plate that a rigid coupling turns into a slope by an angle a; a spring
 * along x bears S where the block slides: W (sin a - mu cos a) / (cos a + mu sin a). */
static void test_a_block_slides_down_a_slope(void)
{
    const double mu[3] = {0.2, 0.4, 0.7};
    for (int k = 0; k < 3; k++) {
        const double angle = 0.5, weight = 1.0, stiffness = 0.3;
        int32_t top;
        ew_model *model = make_plate(k == 1, mu[k], 2.6, &top);
        ew_model_coupling plate = {
            .is_rigid = true, .prescribed = 63, .set = add_plane(model, NULL, 2, 0.0)};
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {stiffness, 0, 0}};
        const ew_model_load load = ew_load_total_force(top, (double[3]){0, 0, -weight});
        hold_planes(model, "y");
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_set_couplings(model, 1, &plate));
        (void)solve_nonlinear(model, 1);
        plate.value[4] = -angle;
        must(ew_model_set_couplings(model, 1, &plate));
        must(ew_model_set_springs(model, 1, &spring));
        const ew_model_contact_report report = solve_nonlinear(model, 8);
        const double tangent = sin(angle) - mu[k] * cos(angle),
                     spread = weight * tangent / (cos(angle) + mu[k] * sin(angle));
        if (mu[k] < tan(angle) - 0.2) {
            CU_ASSERT_DOUBLE_EQUAL(report.force[0], -spread, 1e-4);
            CU_ASSERT_DOUBLE_EQUAL(report.friction_force / report.normal_force, mu[k], 1e-5);
            CU_ASSERT_EQUAL(report.n_slip, report.n_closed);
        } else { /* it turns with the plate */
            CU_ASSERT(report.max_slip < 1e-6);
            CU_ASSERT(report.friction_force < mu[k] * report.normal_force);
            CU_ASSERT_DOUBLE_EQUAL(displacement_of(model, top, 2),
                                   3.1 * sin(angle) + cos(angle) - 1.0, 1e-3);
        }
        ew_model_free(model);
    }
}

/* A block is drawn over many faces, and back by less: the force is mu N in turn. */
static void test_a_block_is_drawn_over_faces(void)
{
    const double to[3] = {1.0, 0.7, 2.2};
    for (int k = 0; k < 2; k++) {
        int32_t top;
        double before = 0.0;
        ew_model *model = make_plate(k, 0.2, 0.25, &top);
        const ew_model_load load = ew_load_total_force(top, (double[3]){0, 0, -2.0});
        ew_model_constraint list[2] = {{.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
                                       {.set = add_plane(model, NULL, 2, 1.0), .fixed = 3}};
        must(ew_model_set_loads(model, 1, &load));
        for (int i = 0; i < 3; i++) {
            list[1].value[0] = to[i];
            must(ew_model_set_constraints(model, 2, list));
            const ew_model_contact_report report = solve_nonlinear(model, 5);
            const double way = to[i] - before;
            CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-4);
            CU_ASSERT_DOUBLE_EQUAL(report.friction_force, 0.2 * report.normal_force, 1e-6);
            CU_ASSERT_DOUBLE_EQUAL(report.force[0], way > 0.0 ? -0.4 : 0.4, 2e-4);
            CU_ASSERT_DOUBLE_EQUAL(report.max_slip, fabs(way), 1e-3);
            before = to[i];
            if (i == 0 && !k) {
                const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
                double *zero = calloc(n, sizeof *zero);
                check_known_answer(model, zero, &report);
                free(zero);
            }
        }
        ew_model_free(model);
    }
}

/* ---- NAFEMS' sliding block ---- */

static int32_t add_side(ew_model *model, int32_t label, const double direction[3])
{
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    ew_list list = {0};
    int32_t set;
    list_faces(ew_model_mesh(model), ew_model_topology(model), label, direction, &list);
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

/* A block of 4 x 1 on a slope of 0.1, both one cell thick: strains are plane, and what slides
 * across is prescribed. */
static ew_model *make_slope(bool is_quadratic, double friction)
{
    const double length = hypot(0.1, 1.0), rise[3] = {-0.1 / length, 0, 1.0 / length},
                 fall[3] = {0.1 / length, 0, -1.0 / length};
    const ew_material material = {.young = 1100.0, .poisson = 0.0, .density = 1.0};
    ew_mesh_def parts = {0};
    ew_mesh mesh;
    for (int k = 0; k < 2; k++) {
        ew_mesh part;
        must(ew_shape_box(&part, (double[3]){1, 1, 1}, (int32_t[3]){k ? 9 : 12, 1, 3}));
        for (int32_t v = 0; v < part.n_vertex; v++) {
            double *x = part.xyz + 3 * (size_t)v;
            x[0] = k ? 1.0 + 4.0 * x[0] : 6.0 * x[0];
            const double ground = 0.7 + 0.1 * x[0];
            x[2] = k ? ground + x[2] * (2.0 - ground) : x[2] * ground;
        }
        append_part(&parts, &part, (double[3]){0, 0, 0}, k ? UPPER : LOWER);
        ew_mesh_free(&part);
    }
    finish_parts(&mesh, &parts);
    ew_model *model = make_model(&mesh, 1100.0, is_quadratic);
    const ew_model_contact contact = {.slave = add_side(model, UPPER, fall),
                                      .master = add_side(model, LOWER, rise),
                                      .friction = friction};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_contacts(model, 1, &contact));
    return model;
}

/* The contact patch test CGS-4 (Feng & Prinja 2001, Benchmark tests for finite element modelling of
 * contact, gapping and sliding, NAFEMS R0081): under G the block is pushed up by
 *
 *     F = G (tan a + mu) / (1 - mu tan a),
 *
 * with large rotations but for what the body turns where they meet: the foundation, at most 1.2
 * high, shortens by up to 2 G / (4 E) of that at one end of the block, 4 long, and by nothing at
 * the other, which turns the slope by less than 1/180. F changes by 2 F / sin(2 (a + atan mu))
 * times that. */
static void test_a_block_is_pushed_up_a_slope(void)
{
    for (int k = 0; k < 12; k++) {
        const double mu = 0.1 * (k / 4 + 1), weight = 40.0, turn = atan(0.1) + atan(mu),
                     exact = weight * tan(turn);
        ew_model *model = make_slope(k & 1, mu);
        const int32_t end = add_faces(model, UPPER, (double[3]){-1, 0, 0}, 0, 1.0);
        const ew_model_load load =
            ew_load_total_force(add_faces(model, UPPER, up, 2, 2.0), (double[3]){0, 0, -weight});
        const ew_model_constraint list[4] = {{.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
                                             {.set = add_plane(model, NULL, 1, 0.0), .fixed = 2},
                                             {.set = add_plane(model, NULL, 1, 1.0), .fixed = 2},
                                             {.set = end, .fixed = 1, .value = {0.2, 0, 0}}};
        ew_model_contact_report report;
        must(ew_model_set_constraints(model, 4, list));
        must(ew_model_set_loads(model, 1, &load));
        if (k & 2) {
            must(ew_model_set_kinematics(model, EW_COROTATIONAL));
            report = solve_nonlinear(model, 5);
        } else {
            report = solve(model, 1e-10);
        }
        const double off = fabs(-report.force[0] / exact - 1.0);
        CU_ASSERT(off < (k & 2 ? 2.0 / sin(2.0 * turn) / 180.0 : 1e-6));
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], weight, 1e-4);
        CU_ASSERT_EQUAL(report.n_slip, report.n_closed);
        CU_ASSERT(report.n_closed > report.n_point / 2);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"iterations_find_what_rounds_find", test_iterations_find_what_rounds_find},
        {"a_block_slides_down_a_slope", test_a_block_slides_down_a_slope},
        {"a_block_is_drawn_over_faces", test_a_block_is_drawn_over_faces},
        {"a_block_is_pushed_up_a_slope", test_a_block_is_pushed_up_a_slope},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "friction_nonlinear", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
