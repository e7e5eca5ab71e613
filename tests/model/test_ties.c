/* Ties of unlike meshes: patch tests, either side the slave; a beam of two halves against the
 * whole; balance over a gap; vertices without a master; edits; rows of different kinds that repeat
 * or contradict one another. */
#include "contact_model_fixture.h"

static const double along[3] = {1, 0, 0}, back[3] = {-1, 0, 0};

static ew_model_tie_report solve_tied(ew_model *model)
{
    const ew_pcg_def def = solver();
    ew_model_tie_report report;
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_tie(model, 0, &report));
    return report;
}

static ew_model *make_stack_of(const int32_t cells[2], bool upper_is_slave, bool is_quadratic,
                               const double shift[3])
{
    ew_mesh mesh;
    make_blocks(&mesh, cells, shift);
    ew_model *model = make_model(&mesh, 200.0, is_quadratic);
    const int32_t lower = add_faces(model, LOWER, up, 2, 0.5),
                  upper = add_faces(model, UPPER, down, 2, 0.5 + shift[2]);
    must(ew_model_set_ties(model, 1,
                           &(ew_model_tie){.slave = upper_is_slave ? upper : lower,
                                           .master = upper_is_slave ? lower : upper}));
    return model;
}

static ew_model *make_stack(bool upper_is_slave, bool is_quadratic, const double shift[3])
{
    return make_stack_of((int32_t[2]){3, 4}, upper_is_slave, is_quadratic, shift);
}

static const double no_shift[3] = {0, 0, 0};

/* ---- stresses that are the same everywhere --------------------------------------------------- */

static void test_uniform_stress_passes(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_stack(k & 1, k & 2, no_shift);
        hold_planes(model, "xyz");
        press(model, add_faces(model, UPPER, up, 2, 1.0), -2.0);
        const ew_model_tie_report report = solve_tied(model);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, 2.0, 0, 0, 0}) < 1e-10);
        CU_ASSERT_EQUAL(report.n_free, 0);
        CU_ASSERT_EQUAL(report.n_point, k & 1 ? 25 : 16);
        CU_ASSERT_DOUBLE_EQUAL(report.covered, report.whole, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], k & 1 ? -2.0 : 2.0, 1e-10);
        /* rows at the supports are nearly prescribed, which magnifies the residual */
        CU_ASSERT(fabs(report.force[0]) + fabs(report.force[1]) < 1e-5);
        CU_ASSERT(fabs(report.min_gap) + fabs(report.max_gap) < 1e-14);
        ew_model_free(model);
    }
}

/* The wall z = 0 is fixed; u = (shear z / G, 0, 0). */
static void test_uniform_shear_passes(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_stack(k & 1, k & 2, no_shift);
        const ew_model_constraint wall = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
        ew_model_load load[5] = {
            ew_load_traction(add_faces(model, UPPER, up, 2, 1.0), (double[3]){3, 0, 0})};
        for (int i = 0; i < 4; i++) {
            load[1 + i] = ew_load_traction(add_faces(model, i & 1 ? UPPER : LOWER,
                                                     i & 2 ? along : back, 0, i & 2 ? 1.0 : 0.0),
                                           (double[3]){0, 0, i & 2 ? 3.0 : -3.0});
        }
        must(ew_model_set_constraints(model, 1, &wall));
        must(ew_model_set_loads(model, 5, load));
        const ew_model_tie_report report = solve_tied(model);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, 0, 0, 0, 3.0}) < 1e-9 ||
                  stress_error(model, (double[6]){0, 0, 0, 0, 3.0, 0}) < 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.force[0], k & 1 ? -3.0 : 3.0, 1e-9);
        ew_model_free(model);
    }
}

/* What is carried over a gap and from a part of the face is in balance with the load. */
static void test_a_gap_is_bridged(void)
{
    const double shift[3] = {0.4, 0, 0.03};
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_stack(true, k, shift);
        const ew_model_constraint wall = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
        const ew_model_load load = ew_load_remote_force(
            add_faces(model, UPPER, up, 2, 1.03), (double[3]){1, 2, 3}, (double[3]){0.8, 0.5, 2});
        must(ew_model_set_constraints(model, 1, &wall));
        must(ew_model_set_loads(model, 1, &load));
        const ew_model_tie_report report = solve_tied(model);
        const ew_sums *sums;
        must(ew_model_recover(model, NULL, &sums));
        CU_ASSERT(report.n_free > 0 && report.n_free + report.n_point == 25);
        CU_ASSERT_DOUBLE_EQUAL(report.covered, 0.6, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.whole, 1.0, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.min_gap, 0.03, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.max_gap, 0.03, 1e-12);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(report.force[c], -(double)(c + 1), 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[c], -(double)(c + 1), 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(sums->reaction_moment[c], -sums->applied_moment[c], 1e-8);
        }
        ew_model_free(model);
    }
}

/* ---- a beam ------------------------------------------------------------------------------------
 */

/* The mean displacement of the end x = 4 of a beam 4 x 1 x 1 under a force across. */
static double deflect(bool is_parted, bool is_quadratic)
{
    ew_mesh_def def = {0};
    ew_mesh mesh;
    for (int k = 0; k < (is_parted ? 2 : 1); k++) {
        const int32_t cells[3] = {is_parted ? 4 + k : 8, 2 + k, 3};
        ew_mesh part;
        must(ew_shape_box(&part, (double[3]){is_parted ? 2 : 4, 1, 1}, cells));
        append_part(&def, &part, (double[3]){2.0 * k, 0, 0}, k ? UPPER : LOWER);
        ew_mesh_free(&part);
    }
    finish_parts(&mesh, &def);
    ew_model *model = make_model(&mesh, 200.0, is_quadratic);
    const ew_model_constraint wall = {.set = add_plane(model, NULL, 0, 0.0), .fixed = 7};
    const int32_t end = add_faces(model, is_parted ? UPPER : LOWER, along, 0, 4.0);
    const ew_model_load load = ew_load_total_force(end, (double[3]){0, 0, 1});
    const ew_pcg_def precise = solver();
    ew_set_results results;
    must(ew_model_set_constraints(model, 1, &wall));
    must(ew_model_set_loads(model, 1, &load));
    if (is_parted) {
        must(ew_model_set_ties(model, 1,
                               &(ew_model_tie){.slave = add_faces(model, UPPER, back, 0, 2.0),
                                               .master = add_faces(model, LOWER, along, 0, 2.0)}));
    }
    must(ew_model_solve(model, &precise, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_recover_set(model, end, 0, (double[3]){0}, &results));
    ew_model_free(model);
    return results.mean_displacement[2];
}

static void test_two_halves_are_a_beam(void)
{
    const double whole[2] = {deflect(false, false), deflect(false, true)};
    CU_ASSERT_DOUBLE_EQUAL(deflect(true, true) / whole[1], 1.0, 3e-3);
    CU_ASSERT_DOUBLE_EQUAL(deflect(true, false) / whole[0], 1.0, 5e-2);
    /* P L^3 / 3 E I and the shear, 6/5 P L / G A */
    const double exact = 64.0 / (3.0 * 200.0 / 12.0) + 1.2 * 4.0 * 2.6 / 200.0;
    CU_ASSERT_DOUBLE_EQUAL(deflect(true, true) / exact, 1.0, 3e-2);
}

/* ---- unlike stiffness ---------------------------------------------------------------------------
 */

/* Iterations of a pulled and sheared stack on a wall, whose `stiff` block is stiffer by a ratio. */
static int32_t count_iterations_by(const ew_pcg_def *def, ew_operator_kind kind,
                                   const int32_t cells[2], bool is_quadratic, bool upper_is_slave,
                                   int32_t stiff, double ratio)
{
    const ew_material material = {.young = 200.0 * ratio, .poisson = 0.3, .density = 1.0};
    ew_model *model = make_stack_of(cells, upper_is_slave, is_quadratic, no_shift);
    const ew_model_constraint wall = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
    const ew_model_load load =
        ew_load_traction(add_faces(model, UPPER, up, 2, 1.0), (double[3]){0.3, 0.2, 1.0});
    const ew_pcg_info *info;
    must(ew_model_set_operator(model, kind));
    must(ew_model_set_material(model, stiff, &material));
    must(ew_model_set_constraints(model, 1, &wall));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_solve(model, def, &info));
    const int32_t iterations = info->iterations;
    ew_model_free(model);
    return iterations;
}

static int32_t count_iterations(const int32_t cells[2], bool is_quadratic, bool upper_is_slave,
                                int32_t stiff, double ratio)
{
    const ew_pcg_def def = solver();
    return count_iterations_by(&def, EW_STORED, cells, is_quadratic, upper_is_slave, stiff, ratio);
}

/* Soft rows move as the stiffer side lets them, whichever is the slave or the finer one:
 * preconditioners know of it. */
static void test_unlike_stiffness_is_no_harder(void)
{
    for (int k = 0; k < 16; k++) {
        const bool is_quadratic = k & 1, upper_is_slave = k & 2;
        const int32_t coarse = is_quadratic ? 3 : 6, fine = is_quadratic ? 4 : 9;
        const int32_t cells[2] = {k & 4 ? coarse : fine, k & 4 ? fine : coarse};
        const int32_t region = k & 8 ? UPPER : LOWER,
                      alike = count_iterations(cells, is_quadratic, upper_is_slave, region, 1.0);
        for (double ratio = 1e2; ratio < 1e7; ratio *= 1e2) {
            CU_ASSERT(count_iterations(cells, is_quadratic, upper_is_slave, region, ratio) <
                      (ratio < 1e5 ? 1.5 : 2.0) * alike);
        }
    }
}

/* Nor is it by diagonals alone, of stored blocks and of products from tets: a stiff block on a soft
 * one takes twice as many as where they are alike, for what it does as a rigid body is far from any
 * diagonal, and took 17 times as many. */
static void test_unlike_stiffness_by_diagonals(void)
{
    const ew_preconditioner_kind kind[3] = {EW_JACOBI, EW_BLOCK_JACOBI, EW_BLOCK_JACOBI};
    for (int k = 0; k < 6; k++) {
        const int32_t cells[2] = {k & 1 ? 9 : 6, k & 1 ? 6 : 9}, stiff = k & 1 ? UPPER : LOWER;
        const ew_operator_kind operator_kind = k / 2 == 2 ? EW_MATRIX_FREE : EW_STORED;
        ew_pcg_def def = solver();
        int32_t n[2];
        def.preconditioner = kind[k / 2];
        def.tolerance = 1e-8; /* far from rounding, which ends a pass */
        for (int i = 0; i < 2; i++) {
            n[i] = count_iterations_by(&def, operator_kind, cells, false, !(k & 1), stiff,
                                       i ? 1e4 : 1.0);
        }
        printf("%d, %d ... ", n[0], n[1]);
        CU_ASSERT(n[1] < 3 * n[0]);
    }
}

/* ---- a bolt -----------------------------------------------------------------------------------
 */

/* Two blocks on one another between two walls at z = 0 and 1, without Poisson's effect, cut through
 * at z = 1/2: a shortening d gives the tension E A d / L, and a tension F the shortening F L / E A.
 * Where all parts may touch, too: tied faces do not press each other apart. */
static void test_a_bolt_is_tensioned(void)
{
    for (int k = 0; k < 8; k++) {
        ew_model *model = make_stack(k & 1, k & 2, no_shift);
        const ew_model_contact all_parts = {.slave = -1, .master = -1};
        const ew_material soft = {.young = 200.0, .density = 1.0};
        ew_model_tie tie = {
            .slave = k & 1, .master = !(k & 1), .kind = EW_TIE_SHORTENED, .shortening = 0.01};
        const ew_model_constraint walls[2] = {{.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
                                              {.set = add_plane(model, NULL, 2, 1.0), .fixed = 7}};
        must(ew_model_set_material(model, EW_ALL_REGIONS, &soft));
        must(ew_model_set_constraints(model, 2, walls));
        must(ew_model_set_contacts(model, k & 4 ? 1 : 0, &all_parts));
        must(ew_model_set_ties(model, 1, &tie));
        ew_model_tie_report report = solve_tied(model);
        const double along_z = k & 1 ? -1.0 : 1.0;
        CU_ASSERT(stress_error(model, (double[6]){0, 0, 2.0, 0, 0, 0}) < 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.normal[2], along_z, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(report.force[2], 2.0 * along_z, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.shortening, 0.01, 1e-12);
        tie.kind = EW_TIE_SLIDING;
        const ew_model_load pull[2] = {ew_load_pressure(0, -3.0), ew_load_pressure(1, -3.0)};
        must(ew_model_set_ties(model, 1, &tie));
        must(ew_model_set_loads(model, 2, pull));
        report = solve_tied(model);
        CU_ASSERT(stress_error(model, (double[6]){0, 0, 3.0, 0, 0, 0}) < 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(report.shortening, 0.015, 1e-12);
        CU_ASSERT(fabs(report.force[0]) + fabs(report.force[1]) + fabs(report.force[2]) < 1e-8);
        ew_model_free(model);
    }
}

/* Energy of a body that prescribed displacements alone strain, 1/2 E (u / L)^2 A L: of its
 * gradient supports and equations leave what the solve left of the residual. */
static void test_energy_of_prescribed_displacements(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_stack(k & 1, k & 2, no_shift);
        const ew_material soft = {.young = 200.0, .density = 1.0};
        const ew_model_constraint walls[2] = {
            {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7},
            {.set = add_plane(model, NULL, 2, 1.0), .fixed = 7, .value = {0, 0, 0.01}}};
        const ew_pcg_def def = solver();
        ew_goal goal = ew_default_goal();
        ew_goal_answer answer;
        goal.kind = EW_GOAL_ENERGY;
        must(ew_model_set_material(model, EW_ALL_REGIONS, &soft));
        must(ew_model_set_constraints(model, 2, walls));
        must(ew_model_set_goals(model, 1, &goal));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_evaluate_goal(model, 0, &def, &answer));
        CU_ASSERT_DOUBLE_EQUAL(answer.value, 0.01, 1e-11);
        CU_ASSERT_DOUBLE_EQUAL(answer.corrected, 0.01, 1e-11);
        ew_model_free(model);
    }
}

/* ---- edits and other rows ----------------------------------------------------------------------
 */

/* Tets at the faces that meet go: the same as a body that never had them; the rest is tied. */
static void test_ties_follow_edits(void)
{
    ew_model *both[2] = {make_stack(true, true, no_shift), make_stack(true, true, no_shift)};
    ew_model_tie_report report[2];
    for (int m = 0; m < 2; m++) {
        hold_planes(both[m], "xyz");
        press(both[m], add_faces(both[m], UPPER, up, 2, 1.0), -2.0);
    }
    (void)solve_tied(both[0]);
    for (int m = 0; m < 2; m++) {
        const ew_mesh *mesh = ew_model_mesh(both[m]);
        for (int32_t t = 0, n = 0; t < mesh->n_tet && n < 3; t++) {
            double x[3];
            ew_mesh_tet_centroid(mesh, t, x);
            if (x[0] > 0.8 && x[1] > 0.8 && x[2] > 0.5 && x[2] < 0.75) {
                must(ew_edit_remove_tet(ew_model_edit(both[m]), t));
                n++;
            }
        }
        must(ew_model_commit(both[m]));
        CU_ASSERT_EQUAL(ew_model_view_tie(both[m], 0, &report[m]), EW_STALE);
        report[m] = solve_tied(both[m]);
    }
    CU_ASSERT(report[0].whole < 1.0 - 1e-3);
    CU_ASSERT_EQUAL(report[0].n_point, report[1].n_point);
    CU_ASSERT_DOUBLE_EQUAL(report[0].force[2], -2.0, 1e-9);
    const double *u = ew_model_displacement(both[0]), *v = ew_model_displacement(both[1]);
    for (int32_t i = 0; i < 3 * ew_model_mesh(both[0])->n_vertex; i++) {
        CU_ASSERT_DOUBLE_EQUAL(u[i], v[i], 1e-11);
    }
    for (int m = 0; m < 2; m++) {
        must(ew_model_compact(both[m], NULL, NULL));
        CU_ASSERT_DOUBLE_EQUAL(solve_tied(both[m]).force[2], -2.0, 1e-9);
        ew_model_free(both[m]);
    }
}

/* Both blocks are cells along x with a mean strain of 0.01, tied to one another: the sides x = 1
 * are the images of x = 0, also where a vertex has moved in one of them, so that they are tied by
 * rows.
 */
static void test_cells_follow_edits(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_stack(true, k, no_shift);
        ew_model_tie tie[3] = {{.slave = 1, .master = 0}};
        hold_planes(model, "xyz");
        for (int i = 1; i < 3; i++) {
            tie[i] = (ew_model_tie){.kind = EW_TIE_CYCLIC,
                                    .slave = add_faces(model, i > 1 ? UPPER : LOWER, along, 0, 1.0),
                                    .master = add_faces(model, i > 1 ? UPPER : LOWER, back, 0, 0.0),
                                    .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                    .shift = {1, 0, 0},
                                    .jump = {0.01, 0, 0}};
        }
        must(ew_model_set_ties(model, 3, tie));
        for (int is_moved = 0; is_moved < 2; is_moved++) {
            ew_model_tie_report report, other;
            (void)solve_tied(model);
            CU_ASSERT(stress_error(model, (double[6]){2.0, 0, 0, 0, 0, 0}) < 1e-8);
            must(ew_model_view_tie(model, 2, &report));
            CU_ASSERT_EQUAL(report.n_free, 0);
            CU_ASSERT_DOUBLE_EQUAL(report.covered, 0.5, 1e-12);
            must(ew_model_view_tie(model, 1, &other)); /* where both meet equations repeat */
            CU_ASSERT_DOUBLE_EQUAL(report.force[0] + other.force[0], 2.0, 1e-8);
            const ew_mesh *mesh = ew_model_mesh(model);
            for (int32_t v = 0; v < mesh->n_vertex && !is_moved; v++) {
                const double *x = mesh->xyz + 3 * (size_t)v;
                if (x[0] == 1.0 && x[1] == 0.5 && x[2] == 0.75) {
                    must(ew_edit_move_vertex(ew_model_edit(model), v, (double[]){1, 0.53, 0.77}));
                }
            }
            must(ew_model_commit(model));
        }
        tie[2].turn[0] = 2.0;
        CU_ASSERT_EQUAL(ew_model_set_ties(model, 3, tie), EW_BAD_ARGUMENT);
        CU_ASSERT_EQUAL(ew_last_failure()->id[0], 2);
        ew_model_free(model);
    }
}

/* The set of one slave vertex within the face, and the equation of its displacement along x with a
 * tie. */
static void test_rows_that_repeat_count_once(void)
{
    ew_model *model = make_stack(true, false, no_shift);
    ew_model_tie two[2] = {{.slave = 1, .master = 0}, {.slave = 1, .master = 0}};
    hold_planes(model, "xyz");
    press(model, add_faces(model, UPPER, up, 2, 1.0), -2.0);
    (void)solve_tied(model);
    const int32_t before = ew_model_view_equations(model).n_dependent;
    must(ew_model_set_ties(model, 2, two));
    (void)solve_tied(model);
    CU_ASSERT(stress_error(model, (double[6]){0, 0, 2.0, 0, 0, 0}) < 1e-10);
    CU_ASSERT_EQUAL(ew_model_view_equations(model).n_dependent, 2 * before + 75 - before);
    ew_model_free(model);
}

static void test_contradictions_are_named(void)
{
    const ew_pcg_def def = solver();
    for (int k = 0; k < 2; k++) { /* by supports; by a coupling and a tie */
        ew_model *model = make_stack(true, false, no_shift);
        const ew_mesh *mesh = ew_model_mesh(model);
        ew_list vertex[2] = {{0}, {0}};
        int32_t set[2];
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            if (mesh->xyz[3 * (size_t)v + 2] == 0.5) {
                must(ew_list_push(&vertex[v >= 48], v));
            }
        }
        for (int i = 0; i < 2; i++) {
            const ew_model_set_def of_vertices = {.kind = EW_SET_OF_VERTICES};
            must(ew_model_add_set(model, &of_vertices, &vertex[i], &set[i]));
            ew_list_free(&vertex[i]);
        }
        const ew_model_constraint list[2] = {{.set = set[0], .fixed = 7},
                                             {.set = set[1], .fixed = 7, .value = {0, 0, 0.1}}};
        const ew_model_coupling moved = {
            .is_rigid = true, .set = set[1], .prescribed = 63, .value = {0, 0, 0.1}};
        must(ew_model_set_constraints(model, k ? 1 : 2, list));
        must(ew_model_set_couplings(model, k, &moved));
        CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
        CU_ASSERT_EQUAL(ew_last_failure()->id[0], k);
        CU_ASSERT(strstr(ew_message(), "tie 1") != NULL);
        ew_model_free(model);
    }
}

static void test_what_is_refused(void)
{
    ew_model *model = make_stack(true, false, no_shift);
    ew_model_tie tie = {.slave = 0, .master = 99};
    ew_model_tie_report report;
    const ew_pcg_def def = solver();
    CU_ASSERT_EQUAL(ew_model_set_ties(model, 1, &tie), EW_BAD_ARGUMENT);
    tie = (ew_model_tie){.slave = 0, .master = 1, .distance = -1.0};
    CU_ASSERT_EQUAL(ew_model_set_ties(model, 1, &tie), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_view_tie(model, 1, &report), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_view_tie(model, 0, &report), EW_STALE);
    hold_planes(model, "xyz");
    tie = (ew_model_tie){.slave = 0, .master = 0};
    must(ew_model_set_ties(model, 1, &tie));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_last_failure()->id[0], 0);
    must(ew_model_set_ties(model, 0, NULL));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNDER_CONSTRAINED);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"uniform_stress_passes", test_uniform_stress_passes},
        {"uniform_shear_passes", test_uniform_shear_passes},
        {"a_gap_is_bridged", test_a_gap_is_bridged},
        {"two_halves_are_a_beam", test_two_halves_are_a_beam},
        {"unlike_stiffness_is_no_harder", test_unlike_stiffness_is_no_harder},
        {"unlike_stiffness_by_diagonals", test_unlike_stiffness_by_diagonals},
        {"a_bolt_is_tensioned", test_a_bolt_is_tensioned},
        {"energy_of_prescribed_displacements", test_energy_of_prescribed_displacements},
        {"ties_follow_edits", test_ties_follow_edits},
        {"cells_follow_edits", test_cells_follow_edits},
        {"rows_that_repeat_count_once", test_rows_that_repeat_count_once},
        {"contradictions_are_named", test_contradictions_are_named},
        {"what_is_refused", test_what_is_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "ties", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
