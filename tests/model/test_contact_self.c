/* Contact of a body with itself: flanks of a cut that is pressed, pulled and sheared; jaws that
 * close, flat and curved; a strip that is folded and turned; walls that are no overlaps. */
#include "contact_model_fixture.h"
#include "curved_fixture.h"
#include "operation/parts/operation.h"

static const ew_model_contact all_parts = {.slave = -1, .master = -1};

/* ---- a cut ---- */

/* A cube that is cut along z = 1/2, for x up to `depth` below 1. */
static ew_model *make_slit(double depth, ew_cut_keep keep, bool is_quadratic)
{
    ew_cut_def def = ew_default_cut_def();
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){5, 5, 5}));
    ew_model *model = make_model(&mesh, 100.0, is_quadratic);
    def.kind = EW_CUT_PLANE;
    def.keep = keep;
    def.a[2] = 0.5;
    def.b[2] = 1.0;
    def.high[0] = depth + 1e-6;
    def.label = 5;
    must(ew_operation_cut(ew_model_mesh(model), ew_model_topology(model), &def,
                          ew_model_edit(model), NULL));
    must(ew_model_commit(model));
    return model;
}

/* Fixed below, and in x and y by two planes; a pressure on top. */
static void load_slit(ew_model *model, double pressure)
{
    hold_planes(model, "xyz");
    press(model, add_faces(model, 1, up, 2, 1.0), pressure);
}

/* Both flanks are there without a set, or are one each; a uniform pressure passes as through the
 * whole body, at the front of a slit, too. */
static void test_a_pressed_cut_is_none(void)
{
    int32_t n_point[4] = {0};
    for (int k = 0; k < 8; k++) {
        ew_model *model = make_slit(k & 1 ? 0.6 : 2.0, EW_CUT_KEEP_OPEN, k & 2);
        load_slit(model, 2.0);
        const ew_model_contact flanks = {.slave = k & 4 ? add_faces(model, 1, down, 2, 0.5) : -1,
                                         .master = k & 4 ? add_faces(model, 1, up, 2, 0.5) : -1};
        must(ew_model_set_contacts(model, 1, &flanks));
        const ew_model_contact_report report = solve(model, 1e-12);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, -2, 0, 0, 0}) < 1e-9);
        CU_ASSERT(k < 4 || report.n_point == n_point[k % 4]);
        n_point[k % 4] = report.n_point;
        CU_ASSERT_DOUBLE_EQUAL(report.area, k & 1 ? 0.6 : 1.0, 1e-9);
        CU_ASSERT(report.n_closed > 10);
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, 2.0, 1e-8);
        CU_ASSERT(fabs(report.min_gap) < 1e-12);
        ew_model_free(model);
    }
}

/* The flanks part, and the body is as it is without contact. */
static void test_a_pulled_cut_opens(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_slit(0.6, EW_CUT_KEEP_OPEN, k);
        const ew_pcg_def precise = solver();
        load_slit(model, -2.0);
        must(ew_model_solve(model, &precise, NULL));
        const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
        double *without = malloc(n * sizeof *without), worst = 0.0;
        memcpy(without, ew_model_displacement(model), n * sizeof *without);
        must(ew_model_set_contacts(model, 1, &all_parts));
        const ew_model_contact_report report = solve(model, 1e-12);
        for (size_t i = 0; i < n; i++) {
            worst = fmax(worst, fabs(ew_model_displacement(model)[i] - without[i]));
        }
        CU_ASSERT(worst < 1e-10);
        CU_ASSERT(report.n_point > 10 && report.n_closed == 0);
        CU_ASSERT(report.min_gap > 1e-4);
        free(without);
        ew_model_free(model);
    }
}

/* Largest difference of the displacements at the vertices of two bodies in the same places. */
static double compare_bodies(const ew_model *a, const ew_model *b)
{
    const ew_mesh *first = ew_model_mesh(a), *other = ew_model_mesh(b);
    double worst = 0.0;
    for (int32_t v = 0; v < first->n_vertex; v++) {
        double nearest = INFINITY, apart = 0.0;
        for (int32_t w = 0; w < other->n_vertex; w++) {
            double off = 0.0, by = 0.0;
            for (int c = 0; c < 3; c++) {
                off = fmax(off, fabs(first->xyz[3 * v + c] - other->xyz[3 * w + c]));
                by = fmax(by, fabs(ew_model_displacement(a)[3 * v + c] -
                                   ew_model_displacement(b)[3 * w + c]));
            }
            apart = off < nearest ? by : apart;
            nearest = fmin(nearest, off);
        }
        worst = nearest < 1e-9 ? fmax(worst, apart) : INFINITY;
    }
    return worst;
}

/* Pressed and pushed aside on top. With much friction the flanks stick, and the body is the whole
 * one, cut through or in part; with none the upper half slides. */
static void test_a_sheared_cut_sticks_or_slides(void)
{
    for (int k = 0; k < 3; k++) {
        ew_model *both[2];
        double moved[2] = {0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            ew_model_contact contact = all_parts;
            both[i] = make_slit(k == 1 ? 0.6 : 2.0, i ? EW_CUT_KEEP_BOTH : EW_CUT_KEEP_OPEN, false);
            const int32_t top = add_faces(both[i], 1, up, 2, 1.0);
            const ew_model_constraint low = {.set = add_plane(both[i], NULL, 2, 0.0), .fixed = 7};
            const ew_model_spring spring = {
                .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {1.0, 1.0, 0}};
            const ew_model_load loads[2] = {
                ew_load_pressure(top, 2.0),
                {.kind = EW_LOAD_TOTAL_FORCE, .set = top, .vector = {0.1, 0.05, 0.0}}};
            contact.friction = k < 2 ? 0.9 : 0.0;
            must(ew_model_set_constraints(both[i], 1, &low));
            must(ew_model_set_springs(both[i], 1, &spring));
            must(ew_model_set_loads(both[i], 2, loads));
            must(ew_model_set_contacts(both[i], !i, &contact));
            const ew_pcg_def precise = solver();
            must(ew_model_solve(both[i], &precise, NULL));
            for (int32_t v = 0; v < ew_model_mesh(both[i])->n_vertex; v++) {
                moved[i] = fmax(moved[i], ew_model_displacement(both[i])[3 * v]);
            }
        }
        const double worst = compare_bodies(both[0], both[1]);
        CU_ASSERT(k < 2 ? worst < 1e-8 : moved[0] > 10.0 * moved[1]);
        ew_model_free(both[0]);
        ew_model_free(both[1]);
    }
}

/* A bar that is pressed along itself and cut through at a slope as it begins to move, by rough
 * solves: steps find which points are closed, and the halves do not pass through each other. */
static void test_a_cut_in_motion_presses(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1, 0.05, 0.05}, (int32_t[3]){60, 3, 3}));
    ew_model *model = make_model(&mesh, 1e6, false);
    const ew_material material = {.young = 1e6, .poisson = 0.4, .density = 1000.0};
    const ew_model_constraint wall = {.set = add_plane(model, NULL, 0, 0.0), .fixed = 7};
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE,
                                .set = add_faces(model, 1, (double[3]){1, 0, 0}, 0, 1.0),
                                .vector = {-10.0, 0.0, 1.0}};
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_cut_def cut = ew_default_cut_def();
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_constraints(model, 1, &wall));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_set_contacts(model, 1, &all_parts));
    ew_pcg_def rough = ew_default_pcg_def();
    rough.tolerance = 1e-6;
    must(ew_model_solve(model, &rough, NULL));
    def.scheme = EW_GENERALIZED_ALPHA;
    def.solver.tolerance = 1e-5;
    def.bound = 0.01;
    def.account = false;
    must(ew_model_start_dynamics(model, &def, 0.0));
    cut.kind = EW_CUT_PLANE;
    cut.keep = EW_CUT_KEEP_OPEN;
    cut.label = 5;
    memcpy(cut.a, (double[3]){0.5, 0.025, 0.025}, sizeof cut.a);
    memcpy(cut.b, (double[3]){1.0, 0.3, 0.2}, sizeof cut.b);
    must(ew_operation_cut(ew_model_mesh(model), ew_model_topology(model), &cut,
                          ew_model_edit(model), NULL));
    must(ew_model_commit(model));
    for (int i = 0; i < 10; i++) {
        ew_model_contact_report report;
        must(ew_model_advance(model, 1.0 / 60.0, NULL));
        must(ew_model_recover(model, NULL, NULL));
        must(ew_model_view_contact(model, 0, &report));
        CU_ASSERT(report.n_point > 20);
        CU_ASSERT(report.min_gap > -1e-3);
    }
    ew_model_free(model);
}

/* ---- jaws ---- */

/* A block 2 x 1 x 1 with a slot from x = 1/2 on, `high` high, in its middle: two jaws. */
static ew_model *make_jaws(double high, bool is_quadratic)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){2, 1, 1}, (int32_t[3]){12, 3, 10}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) { /* 0.1 from the middle becomes high / 2 */
        double *z = &mesh.xyz[3 * (size_t)v + 2];
        const double off = fabs(*z - 0.5), to = 0.5 * high + (off - 0.1) / 0.4 * (0.5 - 0.5 * high);
        *z = off < 1e-9 ? *z : *z > 0.5 ? 0.5 + to : 0.5 - to;
    }
    ew_model *model = make_model(&mesh, 100.0, is_quadratic);
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t++) {
        double x[3];
        ew_mesh_tet_centroid(ew_model_mesh(model), t, x);
        if (x[0] > 0.5 && fabs(x[2] - 0.5) < 0.5 * high) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
        }
    }
    must(ew_model_commit(model));
    return model;
}

static void load_jaws(ew_model *model, double pressure)
{
    const ew_model_constraint fixed = {.set = add_plane(model, NULL, 0, 0.0), .fixed = 7};
    const ew_model_load loads[2] = {ew_load_pressure(add_faces(model, 1, up, 2, 1.0), pressure),
                                    ew_load_pressure(add_faces(model, 1, down, 2, 0.0), pressure)};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 2, loads));
}

static ew_model_contact_report solve_rotated(ew_model *model)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_model_contact_report report;
    def.n_step = 4;
    def.tolerance = 1e-7;
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &report));
    return report;
}

/* As with the jaws as two sets, in small and in large rotations. */
static void test_jaws_close(void)
{
    for (int k = 0; k < 3; k++) {
        ew_model *both[2];
        ew_model_contact_report report[2];
        for (int i = 0; i < 2; i++) {
            both[i] = make_jaws(0.02, k & 1);
            load_jaws(both[i], k & 2 ? 0.4 : 1.0);
            const ew_model_contact contact = {
                .slave = i ? add_faces(both[i], 1, down, 2, 0.51) : -1,
                .master = i ? add_faces(both[i], 1, up, 2, 0.49) : -1};
            must(ew_model_set_contacts(both[i], 1, &contact));
            must(ew_model_set_kinematics(both[i], k & 2 ? EW_COROTATIONAL : EW_SMALL));
            report[i] = k & 2 ? solve_rotated(both[i]) : solve(both[i], 1e-10);
        }
        CU_ASSERT(report[0].n_closed > 2 && report[0].n_closed < report[0].n_point);
        CU_ASSERT(report[0].min_gap > -1e-7);
        CU_ASSERT_DOUBLE_EQUAL(report[0].normal_force, report[1].normal_force,
                               0.02 * report[1].normal_force);
        CU_ASSERT(compare_bodies(both[0], both[1]) < 2e-3);
        ew_model_free(both[0]);
        ew_model_free(both[1]);
    }
}

/* A cube that is parted along z = 1/2, for x below `depth`: vertices there are twice. */
static void make_parted(double depth, ew_mesh *mesh)
{
    ew_mesh whole;
    must(ew_shape_box(&whole, (double[3]){1, 1, 1}, (int32_t[3]){5, 5, 4}));
    const int32_t n = whole.n_vertex;
    int32_t *other = malloc((size_t)n * sizeof *other), n_vertex = n;
    double *xyz = malloc(6 * (size_t)n * sizeof *xyz);
    memcpy(xyz, whole.xyz, 3 * (size_t)n * sizeof *xyz);
    for (int32_t v = 0; v < n; v++) {
        const double *x = whole.xyz + 3 * v;
        other[v] = fabs(x[2] - 0.5) < 1e-9 && x[0] < depth - 1e-9 ? n_vertex : v;
        if (other[v] != v) {
            memcpy(xyz + 3 * (size_t)n_vertex++, x, 3 * sizeof *xyz);
        }
    }
    for (int32_t t = 0; t < whole.n_tet; t++) {
        double x[3];
        ew_mesh_tet_centroid(&whole, t, x);
        for (int k = 0; k < 4 && x[2] > 0.5; k++) {
            whole.tet[4 * t + k] = other[whole.tet[4 * t + k]];
        }
    }
    const ew_mesh_def def = {
        .n_vertex = n_vertex, .xyz = xyz, .n_tet = whole.n_tet, .tet = whole.tet};
    must(ew_mesh_init(mesh, &def, NULL));
    ew_mesh_free(&whole);
    free(other);
    free(xyz);
}

/* Faces of a parted cube that is bent, but for its flanks. */
static int32_t add_outside(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    ew_list all = {0}, list = {0};
    int32_t set;
    must(ew_topology_boundary(ew_model_topology(model), mesh, &all));
    for (int32_t i = 0; i < all.n; i++) {
        double off = 0.0;
        for (int k = 0; k < 3; k++) {
            const int32_t v = mesh->tet[4 * (all.id[i] / 4) + ew_face_vertex[all.id[i] % 4][k]];
            const double *y = mesh->xyz + 3 * v, x = y[0] - 0.15 * y[1] * y[1];
            off = fmax(off, fabs(y[2] - 0.2 * x * x + 0.1 * x * y[1] - 0.5));
        }
        must(off > 1e-9 ? ew_list_push(&list, all.id[i]) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&all);
    ew_list_free(&list);
    return set;
}

/* Jaws whose flanks are one curved surface, under a pressure that is the same all around: the body
 * is as without the slit, but for what four points of a curved tet leave (test_curved_sides). */
static void test_curved_jaws_press_alike(void)
{
    for (int k = 0; k < 2; k++) {
        ew_mesh mesh;
        make_parted(k ? 0.6 : 2.0, &mesh);
        bend_mesh(&mesh, 0.0);
        ew_model *model = make_model(&mesh, 100.0, true);
        const int32_t outside = add_outside(model);
        const ew_model_constraint middle = {.set = add_plane(model, NULL, 1, 0.0), .fixed = 2};
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = outside, .stiffness = {1e-4, 1e-4, 1e-4}};
        must(ew_model_set_constraints(model, 1, &middle));
        must(ew_model_set_springs(model, 1, &spring));
        press(model, outside, 2.0);
        must(ew_model_set_contacts(model, 1, &all_parts));
        const ew_model_contact_report report = solve(model, 1e-11);
        const double *pressure = ew_model_contact_field(model, EW_CONTACT_PRESSURE);
        double off = 0.0;
        int32_t n = 0;
        for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
            off = pressure[v] > 0.0 ? fmax(off, fabs(pressure[v] - 2.0)) : off;
            n += pressure[v] > 0.0;
        }
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        CU_ASSERT(n > 10);
        CU_ASSERT(off < 1e-4);
        CU_ASSERT(stress_error(model, (double[6]){-2, -2, -2, 0, 0, 0}) < 1e-4);
        ew_model_free(model);
    }
}

/* ---- a folded strip ---- */

/* A strip 0.2 thick, folded by a half circle of radius 0.2 in its middle to arms of length 2 that
 * are 0.2 apart. */
static ew_model *make_hairpin(bool is_quadratic)
{
    const double arm = 2.0, radius = 0.2, thick = 0.2, pi = 4.0 * atan(1.0);
    const int32_t n[2] = {is_quadratic ? 8 : 12,
                          is_quadratic ? 4 : 8}; /* cells of an arm, the fold */
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){2 * n[0] + n[1], 0.5, thick},
                      (int32_t[3]){2 * n[0] + n[1], 2, is_quadratic ? 1 : 2}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double *x = mesh.xyz + 3 * (size_t)v;
        const double s = x[0], in = x[2] - 0.5 * thick; /* towards the other arm */
        const double turn = fmin(fmax((s - n[0]) / n[1], 0.0), 1.0) * pi;
        const double along = s < n[0] ? n[0] - s : s > n[0] + n[1] ? s - n[0] - n[1] : 0.0;
        x[0] = arm * along / n[0] - (radius - in) * sin(turn);
        x[1] = 0.5 - x[1];
        x[2] = radius - (radius - in) * cos(turn);
    }
    return make_model(&mesh, 1000.0, is_quadratic);
}

/* A pressure that turns with the faces closes the arms of a strip, and a rigid coupling of its
 * lower one then turns it by 97 degrees: forces and gaps stay what they are. In the first
 * iterations of a step all but the coupling is still to turn, and forces between the arms then tell
 * nothing. */
static void test_a_folded_strip_turns(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_hairpin(k);
        ew_model_coupling base = {
            .is_rigid = true, .prescribed = 63, .set = add_plane(model, NULL, 2, -0.1)};
        ew_model_load load = ew_load_pressure(add_faces(model, 1, up, 2, 0.5), 0.3);
        const double turn[3] = {0.5, -1.4, 0.8};
        ew_model_contact_report report[2];
        ew_nonlinear_def def = ew_default_nonlinear_def();
        load.follower = true;
        def.n_step = 8;
        def.tolerance = 1e-9;
        def.solver.tolerance = 1e-11;
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_set_contacts(model, 1, &all_parts));
        for (int i = 0; i < 2; i++) {
            const ew_nonlinear_info *info;
            memcpy(base.value + 3, turn, i ? sizeof turn : 0);
            must(ew_model_set_couplings(model, 1, &base));
            must(ew_model_solve_nonlinear(model, &def, &info));
            CU_ASSERT_EQUAL(info->n_failed, 0);
            must(ew_model_recover(model, NULL, NULL));
            must(ew_model_view_contact(model, 0, &report[i]));
        }
        CU_ASSERT(report[0].n_closed >= 3 && report[0].n_closed < report[0].n_point);
        CU_ASSERT_EQUAL(report[0].n_closed, report[1].n_closed);
        CU_ASSERT(report[0].min_gap > -1e-8 && report[1].min_gap > -1e-8);
        CU_ASSERT(report[0].normal_force > 0.05 && report[0].normal_force < 0.3 * 2.0 * 0.5);
        CU_ASSERT_DOUBLE_EQUAL(report[1].normal_force / report[0].normal_force, 1.0, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(report[1].max_pressure / report[0].max_pressure, 1.0, 1e-5);
        ew_model_free(model);
    }
}

/* ---- walls ---- */

/* A plate and a wedge whose sides are nearer to each other than faces are long: there is nothing to
 * touch. */
static void test_walls_do_not_touch(void)
{
    for (int k = 0; k < 4; k++) {
        ew_mesh mesh;
        must(ew_shape_box(&mesh, (double[3]){4, 4, 0.1}, (int32_t[3]){4, 4, k & 1 ? 1 : 3}));
        for (int32_t v = 0; v < mesh.n_vertex; v++) {
            double *x = mesh.xyz + 3 * (size_t)v;
            x[2] *= k & 2 ? 0.05 + 3.0 * x[0] : 1.0;
        }
        ew_model *model = make_model(&mesh, 100.0, false);
        hold_planes(model, "xyz");
        press(model, add_faces(model, 1, (double[3]){1, 0, 0}, 0, 4.0), 2.0);
        must(ew_model_set_contacts(model, 1, &all_parts));
        CU_ASSERT_EQUAL(solve(model, 1e-12).n_point, 0);
        CU_ASSERT(k & 2 || stress_error(model, (double[6]){-2, 0, 0, 0, 0, 0}) < 1e-8);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"a_pressed_cut_is_none", test_a_pressed_cut_is_none},
        {"a_pulled_cut_opens", test_a_pulled_cut_opens},
        {"a_sheared_cut_sticks_or_slides", test_a_sheared_cut_sticks_or_slides},
        {"a_cut_in_motion_presses", test_a_cut_in_motion_presses},
        {"jaws_close", test_jaws_close},
        {"curved_jaws_press_alike", test_curved_jaws_press_alike},
        {"a_folded_strip_turns", test_a_folded_strip_turns},
        {"walls_do_not_touch", test_walls_do_not_touch},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_self", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
