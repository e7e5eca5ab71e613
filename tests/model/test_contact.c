/* Contact without friction between flat faces: patch test on unlike meshes; a cut that closes is no
 * cut; parts that lift off; edits; answers that are known; what is refused. */
#include "contact_model_fixture.h"
#include "random_edits.h"

/* ---- flat faces ---- */

static void test_uniform_stress_passes(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_pressed_stack(k & 1, k & 2, 0.0);
        const ew_model_contact_report report = solve(model, 1e-12);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, -2.0, 0, 0, 0}) < 1e-10);
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, 2.0, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.area, 1.0, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], k & 1 ? 2.0 : -2.0, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-10);
        CU_ASSERT(fabs(report.min_gap) < 1e-12);
        ew_model_free(model);
    }
}

/* The upper block 10,000 times as stiff, or as soft. */
static void test_unlike_stiffness_passes(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_pressed_stack(k & 1, false, 0.0);
        const ew_material other = {.young = k & 2 ? 2e6 : 2e-2, .poisson = 0.3, .density = 1.0};
        must(ew_model_set_material(model, UPPER, &other));
        const ew_model_contact_report report = solve(model, 1e-12);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, -2.0, 0, 0, 0}) < 1e-8);
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        ew_model_free(model);
    }
}

/* Blocks with a gap between them that the load closes, and the upper block by contact alone. */
static void test_a_gap_closes(void)
{
    ew_model *model = make_pressed_stack(true, false, 0.01);
    const ew_model_contact_report report = solve(model, 1e-12);
    CU_ASSERT(stress_error(model, (double[6]){0, 0, -2.0, 0, 0, 0}) < 1e-10);
    CU_ASSERT_EQUAL(report.n_closed, report.n_point);
    ew_model_free(model);
}

static void test_parts_are_found_without_sets(void)
{
    ew_model *model = make_pressed_stack(true, false, 0.0);
    const ew_model_contact all = {.slave = -1, .master = -1};
    must(ew_model_set_contacts(model, 1, &all));
    const ew_model_contact_report report = solve(model, 1e-12);
    CU_ASSERT(stress_error(model, (double[6]){0, 0, -2.0, 0, 0, 0}) < 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-10);
    ew_model_free(model);
}

static void test_parts_that_are_pulled_apart_are_free(void)
{
    ew_model *model = make_pressed_stack(true, false, 0.0);
    const ew_pcg_def def = solver();
    press(model, add_faces(model, UPPER, up, 2, 1.0), -2.0);
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNDER_CONSTRAINED);
    ew_model_free(model);
}

/* A spring holds what is lifted: no point is closed then. */
static void test_open_points_do_not_press(void)
{
    ew_model *model = make_pressed_stack(true, false, 0.0);
    const int32_t top = add_faces(model, UPPER, up, 2, 1.0);
    const ew_model_spring spring = {.kind = EW_SPRING_TOTAL, .set = top, .stiffness = {0, 0, 10.0}};
    must(ew_model_set_springs(model, 1, &spring));
    press(model, top, -2.0);
    const ew_model_contact_report report = solve(model, 1e-12);
    CU_ASSERT_EQUAL(report.n_closed, 0);
    CU_ASSERT_EQUAL(report.max_pressure, 0.0);
    CU_ASSERT(report.min_gap > 0.19);
    ew_model_free(model);
}

/* A force off the middle: a part of the face lifts, and what presses is in balance with the force.
 */
static void test_lift_off_is_in_balance(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_pressed_stack(true, k, 0.0);
        const ew_mesh *mesh = ew_model_mesh(model);
        const ew_model_load load =
            ew_load_remote_force(add_faces(model, UPPER, up, 2, 1.0), (double[3]){0, 0, -3.0},
                                 (double[3]){0.92, 0.5, 1});
        const ew_model_constraint all[2] = {{.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
                                            {.set = add_plane(model, NULL, 0, 0.0), .fixed = 2}};
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_set_constraints(model, 2, all));
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = load.set, .stiffness = {1e-9, 1e-9, 0}};
        must(ew_model_set_springs(model, 1, &spring));
        const ew_model_contact_report report = solve(model, 1e-12);
        CU_ASSERT(report.n_closed > 2 && report.n_closed < report.n_point);
        CU_ASSERT(report.min_gap > -1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], 3.0, 1e-8);
        const double *force = ew_model_view_equations(model).force;
        double sum = 0.0, moment = 0.0; /* of those on the upper block */
        bool *is_upper = calloc((size_t)mesh->n_vertex, sizeof *is_upper);
        for (int32_t i = 0; i < 4 * mesh->n_tet; i++) {
            is_upper[mesh->tet[i]] |= mesh->region_label[mesh->region[i / 4]] == UPPER;
        }
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            sum += is_upper[v] ? force[3 * v + 2] : 0.0;
            moment += is_upper[v] ? force[3 * v + 2] * mesh->xyz[3 * v] : 0.0;
        }
        free(is_upper);
        CU_ASSERT_DOUBLE_EQUAL(sum, 3.0, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(moment, 3.0 * 0.92, 1e-8);
        const double *pressure = ew_model_contact_field(model, EW_CONTACT_PRESSURE),
                     *gap = ew_model_contact_field(model, EW_CONTACT_GAP);
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            CU_ASSERT(pressure[v] >= -1e-7 * report.max_pressure);
            CU_ASSERT(pressure[v] == 0.0 || fabs(gap[v]) < 1e-12);
        }
        ew_model_free(model);
    }
}

/* A cube that stands on another one and slides takes about as many iterations as one body of both:
 * aggregates of the preconditioner end where parts touch, else it would be twice as many. */
static void test_contact_costs_few_iterations(void)
{
    const int32_t cells[2][3] = {{9, 9, 9}, {11, 11, 11}}, whole[3] = {10, 10, 20};
    int32_t iterations[2];
    for (int k = 0; k < 2; k++) {
        ew_mesh_def def = {0};
        ew_mesh mesh;
        for (int i = 0; i < 2 && k; i++) {
            must(ew_shape_box(&mesh, (double[3]){1, 1, 1}, cells[i]));
            append_part(&def, &mesh, (double[3]){0, 0, i}, i ? UPPER : LOWER);
            ew_mesh_free(&mesh);
        }
        if (k) {
            finish_parts(&mesh, &def);
        } else {
            must(ew_shape_box(&mesh, (double[3]){1, 1, 2}, whole));
        }
        ew_model *model = make_model(&mesh, 200.0, false);
        const ew_model_contact all = {.slave = -1, .master = -1};
        const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -1}};
        const ew_pcg_def precise = ew_default_pcg_def();
        const ew_pcg_info *info;
        hold_planes(model, "xyz");
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_set_contacts(model, k, &all));
        must(ew_model_solve(model, &precise, &info));
        iterations[k] = info->iterations;
        ew_model_free(model);
    }
    printf("%d and %d iterations ... ", iterations[0], iterations[1]);
    CU_ASSERT(iterations[1] <= iterations[0] + iterations[0] / 4);
}

/* ---- a cut ---- */

/* Two halves of a box that share no vertex, under pressure, are the box. */
static void test_a_closed_cut_is_none(void)
{
    const int32_t cells[3] = {4, 3, 3};
    for (int k = 0; k < 2; k++) {
        ew_mesh_def def = {0};
        ew_mesh half, mesh, whole;
        must(ew_shape_box(&half, (double[3]){1, 1, 1}, (int32_t[3]){2, 3, 3}));
        append_part(&def, &half, (double[3]){0, 0, 0}, LOWER);
        append_part(&def, &half, (double[3]){1, 0, 0}, UPPER);
        finish_parts(&mesh, &def);
        ew_mesh_free(&half);
        must(ew_shape_box(&whole, (double[3]){2, 1, 1}, cells));
        ew_model *parted = make_model(&mesh, 100.0, k), *box = make_model(&whole, 100.0, k);
        ew_model *const both[2] = {parted, box};
        const double along[3] = {1, 0, 0}, back[3] = {-1, 0, 0};
        for (int i = 0; i < 2; i++) {
            hold_planes(both[i], "xyz");
            press(both[i], add_faces(both[i], i ? 1 : UPPER, along, 0, 2.0), 3.0);
        }
        const ew_model_contact contact = {.slave = add_faces(parted, LOWER, along, 0, 1.0),
                                          .master = add_faces(parted, UPPER, back, 0, 1.0)};
        must(ew_model_set_contacts(parted, 1, &contact));
        (void)solve(parted, 1e-12);
        const ew_pcg_def precise = solver();
        must(ew_model_solve(box, &precise, NULL));
        const double *u = ew_model_displacement(parted), *w = ew_model_displacement(box);
        double worst = 0.0;
        for (int32_t v = 0; v < ew_model_mesh(parted)->n_vertex; v++) {
            for (int32_t o = 0; o < ew_model_mesh(box)->n_vertex; o++) {
                const double *x = ew_model_mesh(parted)->xyz + 3 * v,
                             *y = ew_model_mesh(box)->xyz + 3 * o;
                if (hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]) < 1e-9) {
                    worst =
                        fmax(worst, hypot(hypot(u[3 * v] - w[3 * o], u[3 * v + 1] - w[3 * o + 1]),
                                          u[3 * v + 2] - w[3 * o + 2]));
                }
            }
        }
        CU_ASSERT(worst < 1e-11);
        ew_model_free(parted);
        ew_model_free(box);
    }
}

/* ---- edits and refusals ---- */

/* A body that is edited between solves, and one that is edited before the first, are the same. */
static void test_contact_follows_edits(void)
{
    ew_model *both[2] = {make_pressed_stack(true, false, 0.0),
                         make_pressed_stack(true, false, 0.0)};
    ew_model_contact_report report[2];
    (void)solve(both[0], 1e-12);
    for (int m = 0; m < 2; m++) {
        const ew_mesh *mesh = ew_model_mesh(both[m]);
        int32_t n = 0;
        for (int32_t t = 0; t < mesh->n_tet && n < 3;
             t++) { /* at a corner of the faces that meet */
            double x[3];
            ew_mesh_tet_centroid(mesh, t, x);
            if (x[0] > 0.8 && x[1] > 0.8 && x[2] > 0.5 && x[2] < 0.75) {
                must(ew_edit_remove_tet(ew_model_edit(both[m]), t));
                n++;
            }
        }
        CU_ASSERT_EQUAL(n, 3);
        must(ew_model_commit(both[m]));
        CU_ASSERT_EQUAL(ew_model_view_contact(both[m], 0, &report[m]), EW_STALE);
        report[m] = solve(both[m], 1e-12);
    }
    CU_ASSERT_EQUAL(report[0].n_closed, report[1].n_closed);
    CU_ASSERT(report[0].covered < 1.0 - 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(report[0].max_pressure, report[1].max_pressure, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(report[0].normal_force, 2.0, 1e-8);
    for (int m = 0; m < 2; m++) {
        must(ew_model_compact(both[m], NULL, NULL));
        CU_ASSERT_DOUBLE_EQUAL(solve(both[m], 1e-12).max_pressure, report[m].max_pressure, 1e-8);
        ew_model_free(both[m]);
    }
}

/* Vertices move a little, tets go and come back; most of them where the blocks meet. */
static void queue_any(ew_model *model, past *gone, uint64_t *random)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t t = random_live_tet(mesh, random),
                  v = mesh->tet[4 * t + (int32_t)ew_test_random(random, 4)];
    const uint32_t kind = ew_test_random(random, 8);
    if (kind < 2 && mesh->n_live_tet > 200) {
        remember_tet(gone, mesh->tet + 4 * t, random);
        must(ew_edit_remove_tet(ew_model_edit(model), t));
    } else if (kind < 5 && gone->n) {
        must(ew_edit_add_tet(ew_model_edit(model), recall_tet(gone, random),
                             1 + (int32_t)ew_test_random(random, 2)));
    } else {
        double x[3];
        for (int c = 0; c < 3; c++) {
            x[c] = mesh->xyz[3 * v + c] + 2e-5 * ew_test_random(random, 1000) - 0.01;
        }
        must(ew_edit_move_vertex(ew_model_edit(model), v, x));
    }
}

/* Two bodies with the same edits, one of which is rebuilt before each solve: all bits are the same.
 * What one refuses the other does. */
static void test_edits_and_rebuilds_are_the_same(void)
{
    const int n_edit = edits_of(1, 40);
    const ew_pcg_def def = ew_default_pcg_def();
    int n_solved = 0;
    for (int round = 0; round * 20 < n_edit; round++) {
        ew_model *both[2];
        for (int m = 0; m < 2; m++) {
            both[m] = make_pressed_stack(round & 1, false, 0.0);
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
    CU_ASSERT(n_solved > n_edit / 3);
}

/* An answer that was found before is taken with its closed points. */
static void test_known_answers_are_taken(void)
{
    ew_model *first = make_pressed_stack(true, false, 0.01),
             *second = make_pressed_stack(true, false, 0.01);
    const ew_pcg_def def = solver();
    const ew_pcg_info *info;
    const ew_model_contact_report found = solve(first, 1e-12);
    ew_model_contact_report taken;
    must(ew_model_solve(first, &def, &info));
    must(ew_model_accept(second, &def, ew_model_displacement(first), info, NULL));
    must(ew_model_recover(second, NULL, NULL));
    must(ew_model_view_contact(second, 0, &taken));
    CU_ASSERT_EQUAL(taken.n_closed, found.n_closed);
    CU_ASSERT_DOUBLE_EQUAL(taken.max_pressure, found.max_pressure, 1e-9);
    ew_model_free(first);
    ew_model_free(second);
}

/* What was put for an answer that is not taken is not that of the next one: all points closed, of
 * a body that a spring lifts. */
static void test_a_refused_answer_leaves_no_state(void)
{
    const ew_model_term fixed = {.set = -1, .factor = {0.0, 0.0, 1.0}}; /* vertex 0, at the base */
    const ew_model_equation wrong = {.n_term = 1, .term = &fixed, .value = 1.0};
    const ew_pcg_def def = solver();
    const ew_pcg_info *info;
    const double *state;
    ew_model *both[2];
    int64_t n;
    for (int k = 0; k < 2; k++) {
        both[k] = make_pressed_stack(true, false, 0.0);
        must(ew_model_solve(both[k], &def, NULL));
        CU_ASSERT(ew_model_n_closed(both[k]) > 0);
        const int32_t top = add_faces(both[k], UPPER, up, 2, 1.0);
        const ew_model_spring spring = {
            .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {0, 0, 10.0}};
        must(ew_model_set_springs(both[k], 1, &spring));
        press(both[k], top, -2.0);
    }
    must(ew_model_contact_state(both[1], &n, &state));
    must(ew_model_put_contact_state(both[1], n, state));
    must(ew_model_solve(both[0], &def, &info));
    must(ew_model_set_equations(both[1], 1, &wrong));
    CU_ASSERT_EQUAL(ew_model_accept(both[1], &def, ew_model_displacement(both[0]), info, NULL),
                    EW_BAD_INPUT);
    must(ew_model_set_equations(both[1], 0, NULL));
    must(ew_model_accept(both[1], &def, ew_model_displacement(both[0]), info, NULL));
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(ew_model_n_closed(both[k]), 0);
        ew_model_free(both[k]);
    }
}

static void test_what_is_refused(void)
{
    ew_model *model = make_pressed_stack(true, false, 0.0);
    ew_model_contact contact = {.slave = 0, .master = 99};
    ew_model_contact_report report;
    const ew_pcg_def def = solver();
    CU_ASSERT_EQUAL(ew_model_set_contacts(model, 1, &contact), EW_BAD_ARGUMENT);
    contact = (ew_model_contact){.slave = -1, .master = -1, .distance = -1.0};
    CU_ASSERT_EQUAL(ew_model_set_contacts(model, 1, &contact), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_view_contact(model, 1, &report), EW_BAD_ARGUMENT);
    const int32_t top = add_faces(model, UPPER, up, 2, 1.0);
    const int32_t also = add_faces(model, UPPER, up, 2, 1.0);
    contact = (ew_model_contact){.slave = top, .master = also};
    must(ew_model_set_contacts(model, 1, &contact));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], 0);
    must(ew_model_set_contacts(model, 0, NULL));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNDER_CONSTRAINED);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"uniform_stress_passes", test_uniform_stress_passes},
        {"unlike_stiffness_passes", test_unlike_stiffness_passes},
        {"a_gap_closes", test_a_gap_closes},
        {"parts_are_found_without_sets", test_parts_are_found_without_sets},
        {"parts_that_are_pulled_apart_are_free", test_parts_that_are_pulled_apart_are_free},
        {"open_points_do_not_press", test_open_points_do_not_press},
        {"lift_off_is_in_balance", test_lift_off_is_in_balance},
        {"contact_costs_few_iterations", test_contact_costs_few_iterations},
        {"a_closed_cut_is_none", test_a_closed_cut_is_none},
        {"contact_follows_edits", test_contact_follows_edits},
        {"edits_and_rebuilds_are_the_same", test_edits_and_rebuilds_are_the_same},
        {"known_answers_are_taken", test_known_answers_are_taken},
        {"a_refused_answer_leaves_no_state", test_a_refused_answer_leaves_no_state},
        {"what_is_refused", test_what_is_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
