/* Contact with rigid bodies: patch test, surfaces of triangles beside planes, press fits, balls,
 * friction on a slope; edits; what is refused. */
#include "contact_rigid_fixture.h"
#include "random_edits.h"

static void test_uniform_stress_passes(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_pressed_block(k);
        expect_pressed(model, 2.0, 1e-10);
        ew_model_free(model);
    }
}

/* ---- surfaces ---- */

static void test_a_flat_surface_is_a_plane(void)
{
    for (int k = 0; k < 3; k++) {
        ew_model *model = make_pressed_block(false);
        (void)solve(model, 1e-12);
        const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
        double *u = malloc(n * sizeof *u);
        memcpy(u, ew_model_displacement(model), n * sizeof *u);
        const ew_surface surface = make_surface(k, k == 2);
        const ew_model_contact contact = {.slave = on_ground(model).slave,
                                          .master = -1,
                                          .rigid = {.kind = EW_RIGID_SURFACE, .surface = &surface}};
        must(ew_model_set_contacts(model, 1, &contact));
        expect_pressed(model, 2.0, 1e-10);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(model)[i], u[i], 1e-12);
        }
        free(u);
        ew_model_free(model);
    }
}

/* Beyond a rim nothing is met. */
static void test_rims_end_a_surface(void)
{
    ew_model *model = make_block(3, false);
    const ew_surface open = make_surface(false, false);
    ew_surface moved = open;
    double xyz[12];
    memcpy(xyz, open.xyz, sizeof xyz);
    moved.xyz = xyz;
    xyz[0] = xyz[9] = 0.5; /* it begins under the middle of the block */
    const ew_model_contact contact = {.slave = add_faces(model, 1, down, 2, 0.0),
                                      .master = -1,
                                      .rigid = {.kind = EW_RIGID_SURFACE, .surface = &moved}};
    ew_model_contact_report report;
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = contact.slave, .stiffness = {0, 0, 1e-3}};
    must(ew_model_set_springs(model, 1, &spring));
    must(ew_model_set_contacts(model, 1, &contact));
    press(model, add_faces(model, 1, up, 2, 1.0), 1.0);
    report = solve(model, 1e-10);
    CU_ASSERT(report.covered > 0.3 && report.covered < 0.7);
    ew_model_free(model);
}

/* ---- round bodies ---- */

/* A quarter of a ring of radii 1 and 2 that is pressed on a rigid pin, or in a rigid bore: by u at
 * the pin the radial displacement is A r + B / r (Lame 1852). Ends along z are fixed. */
static double fit_error(bool in_bore, bool is_quadratic, int32_t cells)
{
    const double young = 200.0, nu = 0.3, u = 1e-3, a = 1.0, b = 2.0;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1, 1, 0.1}, (int32_t[3]){cells, 2 * cells, 1}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double *x = mesh.xyz + 3 * (size_t)v;
        const double r = a + x[0], angle = 2.0 * atan(1.0) * x[1];
        x[0] = r * cos(angle);
        x[1] = r * sin(angle);
    }
    ew_model *model = make_model(&mesh, young, is_quadratic);
    ew_list all = {0}, list = {0};
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    const ew_mesh *own = ew_model_mesh(model);
    must(ew_topology_boundary(ew_model_topology(model), own, &all));
    for (int32_t i = 0; i < all.n; i++) {
        bool on = true;
        for (int k = 0; k < 3; k++) {
            const int32_t v = own->tet[4 * (all.id[i] / 4) + ew_face_vertex[all.id[i] % 4][k]];
            const double *x = own->xyz + 3 * (size_t)v;
            on = on && fabs(hypot(x[0], x[1]) - (in_bore ? b : a)) < 1e-9;
        }
        must(on ? ew_list_push(&list, all.id[i]) : EW_OK);
    }
    int32_t set;
    must(ew_model_add_set(model, &def, &list, &set));
    const ew_model_constraint ends[4] = {{.set = add_plane(model, NULL, 0, 0.0), .fixed = 1},
                                         {.set = add_plane(model, NULL, 1, 0.0), .fixed = 2},
                                         {.set = add_plane(model, NULL, 2, 0.0), .fixed = 4},
                                         {.set = add_plane(model, NULL, 2, 0.1), .fixed = 4}};
    must(ew_model_set_constraints(model, 4, ends));
    const ew_model_contact contact = {.slave = set,
                                      .master = -1,
                                      .has_interference = true,
                                      .interference = u,
                                      .rigid = {.kind = EW_RIGID_CYLINDER,
                                                .is_hollow = in_bore,
                                                .point = {0, 0, 5},
                                                .direction = {0, 0, -3},
                                                .radius = in_bore ? b : a}};
    must(ew_model_set_contacts(model, 1, &contact));
    const ew_model_contact_report report = solve(model, 1e-10);
    ew_list_free(&all);
    ew_list_free(&list);
    ew_model_free(model);
    /* plane strain: stress = E' (A -+ (1 - 2 nu) B / r^2), free at the other radius */
    const double free_at = in_bore ? a : b, at = in_bore ? b : a, stiff = young / (1.0 + nu);
    const double ratio = (1.0 - 2.0 * nu) / (free_at * free_at); /* A = ratio B */
    const double second = (in_bore ? -u : u) / (ratio * at + 1.0 / at);
    const double pressure = -stiff * (ratio * second / (1.0 - 2.0 * nu) - second / (at * at));
    CU_ASSERT_EQUAL(report.n_closed, report.n_point);
    return report.normal_force / report.area / pressure - 1.0;
}

static void test_press_fits(void)
{
    for (int k = 0; k < 2; k++) {
        CU_ASSERT(fabs(fit_error(k, false, 6)) < 0.02);
        CU_ASSERT(fabs(fit_error(k, true, 3)) < 0.01);
    }
}

/* A ball pressed on a block, and a block in a cup: the resultant is the load. */
static void test_balls_carry_the_load(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_block(4, false);
        ew_model_contact contact = {.slave = add_faces(model, 1, down, 2, 0.0),
                                    .master = -1,
                                    .rigid = {.kind = EW_RIGID_SPHERE, .radius = 20.0}};
        contact.rigid.point[2] = k ? 20.0 : -20.0;
        contact.rigid.is_hollow = k;
        must(ew_model_set_contacts(model, 1, &contact));
        press(model, add_faces(model, 1, up, 2, 1.0), 0.5);
        const ew_model_contact_report report = solve(model, 1e-10);
        CU_ASSERT(report.n_closed > 0 && report.n_closed < report.n_point);
        CU_ASSERT(report.min_gap > -1e-9);
        CU_ASSERT(report.normal_force > 0.5);
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], 0.5, 1e-8);
        ew_model_free(model);
    }
}

/* ---- friction ---- */

/* Of weight 1 on a slope whose tangent is 0.4; a soft spring keeps what slides. */
static void test_a_block_on_a_slope(void)
{
    for (int k = 0; k < 3; k++) {
        ew_model *model = make_block(3, k & 1);
        ew_model_contact contact = on_ground(model);
        const double slope = 0.4, root = hypot(1.0, slope), stiffness = 1e-2;
        const double friction = slope + (k < 2 ? 0.01 : -0.01);
        const ew_model_load weight = ew_load_gravity((double[3]){slope / root, 0, -1.0 / root});
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = contact.slave, .stiffness = {stiffness, stiffness, 0}};
        contact.friction = friction;
        must(ew_model_set_constraints(model, 0, NULL));
        must(ew_model_set_springs(model, 1, &spring));
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_set_contacts(model, 1, &contact));
        const ew_model_contact_report report = solve(model, 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 1.0 / root, 1e-6);
        if (k < 2) {
            CU_ASSERT(report.max_slip < 3e-3); /* as it widens under its weight */
            CU_ASSERT_DOUBLE_EQUAL(report.force[0], -slope / root, 3e-3 * stiffness);
        } else {
            CU_ASSERT_EQUAL(report.n_slip, report.n_closed);
            CU_ASSERT_DOUBLE_EQUAL(report.force[0], -friction / root, 1e-5);
            CU_ASSERT_DOUBLE_EQUAL(report.max_slip * stiffness, 0.01 / root, 1e-3);
        }
        ew_model_free(model);
    }
}

/* ---- edits and refusals ---- */

static void queue_any(ew_model *model, past *gone, uint64_t *random)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t t = random_live_tet(mesh, random),
                  v = mesh->tet[4 * t + (int32_t)ew_test_random(random, 4)];
    const uint32_t kind = ew_test_random(random, 8);
    if (kind < 2 && mesh->n_live_tet > 60) {
        remember_tet(gone, mesh->tet + 4 * t, random);
        must(ew_edit_remove_tet(ew_model_edit(model), t));
    } else if (kind < 5 && gone->n) {
        must(ew_edit_add_tet(ew_model_edit(model), recall_tet(gone, random), 1));
    } else {
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = mesh->xyz[3 * v + c] + 2e-5 * ew_test_random(random, 1000) - 0.01;
        }
        must(ew_edit_move_vertex(ew_model_edit(model), v, x));
    }
}

/* As of pairs (test_contact): on a bowl of triangles that moves between solves. */
static void test_edits_and_rebuilds_are_the_same(void)
{
    const int n_edit = edits_of(1, 40);
    const ew_pcg_def def = ew_default_pcg_def();
    const ew_surface surface = make_surface(true, false);
    int n_solved = 0;
    for (int round = 0; round * 20 < n_edit; round++) {
        ew_model *both[2];
        ew_model_contact contact[2];
        for (int m = 0; m < 2; m++) {
            both[m] = make_pressed_block(false);
            contact[m] = on_ground(both[m]);
            contact[m].friction = round & 1 ? 0.2 : 0.0;
            contact[m].rigid = (ew_rigid_def){.kind = EW_RIGID_SURFACE, .surface = &surface};
        }
        past gone[2] = {{0}, {0}};
        uint64_t random[2] = {seed_of((uint64_t)round + 1), seed_of((uint64_t)round + 1)};
        for (int i = 0; i < 20; i++) {
            ew_status status[2], committed[2];
            for (int m = 0; m < 2; m++) {
                queue_any(both[m], &gone[m], &random[m]);
                committed[m] = ew_model_commit(both[m]);
                if (committed[m]) {
                    ew_edit_clear(ew_model_edit(both[m]));
                }
                must(m ? ew_model_rebuild(both[m]) : EW_OK);
                contact[m].rigid.motion.displacement[2] = 1e-3 * (i % 3);
                must(ew_model_set_contacts(both[m], 1, &contact[m]));
                status[m] = ew_model_solve(both[m], &def, NULL);
                must(status[m] ? EW_OK : ew_model_recover(both[m], NULL, NULL));
            }
            CU_ASSERT_EQUAL_FATAL(committed[0], committed[1]);
            CU_ASSERT_EQUAL_FATAL(status[0], status[1]);
            const size_t n = (size_t)ew_model_mesh(both[0])->n_vertex * sizeof(double);
            CU_ASSERT_FATAL(
                !memcmp(ew_model_displacement(both[0]), ew_model_displacement(both[1]), 3 * n));
            CU_ASSERT_FATAL(status[0] ||
                            !memcmp(ew_model_contact_field(both[0], EW_CONTACT_PRESSURE),
                                    ew_model_contact_field(both[1], EW_CONTACT_PRESSURE), n));
            n_solved += !status[0];
        }
        ew_model_free(both[0]);
        ew_model_free(both[1]);
    }
    CU_ASSERT(n_solved > n_edit / 4);
}

static void expect_refused(ew_model *model, const ew_rigid_def *rigid, ew_status status,
                           const char *word)
{
    ew_model_contact contact = on_ground(model);
    contact.rigid = *rigid;
    CU_ASSERT_EQUAL(ew_model_set_contacts(model, 1, &contact), status);
    CU_ASSERT(strstr(ew_message(), "contact 1: rigid") && strstr(ew_message(), word));
}

static void test_what_is_refused(void)
{
    ew_model *model = make_pressed_block(false);
    const ew_pcg_def def = solver();
    ew_model_contact contact = on_ground(model);
    ew_surface flat = make_surface(false, false);
    int32_t twice[6] = {0, 1, 2, 0, 1, 3}, line[3] = {0, 1, 1};
    expect_refused(model, &(ew_rigid_def){.kind = EW_RIGID_PLANE}, EW_BAD_ARGUMENT, "normal");
    expect_refused(model, &(ew_rigid_def){.kind = EW_RIGID_SPHERE}, EW_BAD_ARGUMENT, "radius");
    expect_refused(model, &(ew_rigid_def){.kind = EW_RIGID_CYLINDER, .radius = 1.0},
                   EW_BAD_ARGUMENT, "axis");
    expect_refused(model, &(ew_rigid_def){.kind = EW_RIGID_SURFACE}, EW_BAD_ARGUMENT, "surface");
    flat.triangle = twice;
    expect_refused(model, &(ew_rigid_def){.kind = EW_RIGID_SURFACE, .surface = &flat}, EW_BAD_INPUT,
                   "direction");
    flat.triangle = line;
    flat.n_triangle = 1;
    expect_refused(model, &(ew_rigid_def){.kind = EW_RIGID_SURFACE, .surface = &flat}, EW_BAD_INPUT,
                   "no area");
    contact.master = contact.slave;
    CU_ASSERT_EQUAL(ew_model_set_contacts(model, 1, &contact), EW_BAD_ARGUMENT);
    contact.master = -1;
    contact.amplitude = 1;
    CU_ASSERT_EQUAL(ew_model_set_contacts(model, 1, &contact), EW_BAD_ARGUMENT);
    contact.amplitude = 0;
    contact.rigid.direction[2] = -1.0;
    contact.rigid.point[2] = -2.0; /* the body is on its wrong side */
    must(ew_model_set_contacts(model, 1, &contact));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "inside the rigid body") != NULL);
    ew_model_free(model);
}

/* Allocations that fail leave the contacts as they were. */
static void test_allocations_fail(void)
{
    const ew_surface surface = make_surface(true, false);
    bool failed = true;
    for (int64_t k = 0; failed; k++) {
        ew_model *model = make_pressed_block(false);
        ew_model_contact contact = on_ground(model);
        contact.rigid = (ew_rigid_def){.kind = EW_RIGID_SURFACE, .surface = &surface};
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_set_contacts(model, 1, &contact);
        failed = ew_test_allocations_end();
        CU_ASSERT(status == (failed ? EW_NO_MEMORY : EW_OK));
        expect_pressed(model, 2.0, 1e-9);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"uniform_stress_passes", test_uniform_stress_passes},
        {"a_flat_surface_is_a_plane", test_a_flat_surface_is_a_plane},
        {"rims_end_a_surface", test_rims_end_a_surface},
        {"press_fits", test_press_fits},
        {"balls_carry_the_load", test_balls_carry_the_load},
        {"a_block_on_a_slope", test_a_block_on_a_slope},
        {"edits_and_rebuilds_are_the_same", test_edits_and_rebuilds_are_the_same},
        {"what_is_refused", test_what_is_refused},
        {"allocations_fail", test_allocations_fail},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_rigid", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
