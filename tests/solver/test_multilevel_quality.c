/* The preconditioner across changes: it works as well as one that is set up from scratch after
 * them. */
#include "multilevel_edits.h"

static void expect_as_good_as_fresh(body *b)
{
    CU_ASSERT_EQUAL(verify(b), EW_OK);
    const int32_t kept = solve(b, 1e-8, 300);
    CU_ASSERT_EQUAL_FATAL(set_up(b), EW_OK);
    const int32_t fresh = solve(b, 1e-8, 300);
    CU_ASSERT(kept > 0 && fresh > 0 && kept <= fresh + fresh / 5 + 1);
}

/* After many small edits as good as one set up from scratch. */
static void test_many_edits_do_not_wear_it_out(void)
{
    uint64_t state = 4;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){12, 12, 12});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < 200; k++) {
        if (k % 2) {
            queue_move(&b, &state, 0.02);
        } else {
            CU_ASSERT_EQUAL(ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state)), EW_OK);
        }
        if (!apply_edit(&b)) {
            CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        }
    }
    fix_base(&b, 0.05);
    CU_ASSERT_EQUAL_FATAL(ew_multilevel_update(b.multilevel, &b.matrix, &b.topology.pattern,
                                               b.mesh.xyz, b.fixed, NULL, NULL),
                          EW_OK);
    expect_as_good_as_fresh(&b);
    free_body(&b);
}

/* A mesh grows far beyond its aggregates and chunks; they follow, and are hardly more than in a
 * fresh one, for the factor costs what they are. */
static void test_growth_makes_new_aggregates(void)
{
    uint64_t state = 12;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    b.def.chunk_rows = 40;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    const int32_t before = ew_multilevel_about(b.multilevel)->n_aggregate;
    for (int32_t k = 0; k < 3000 && b.mesh.n_vertex < 900; k++) {
        queue_growth(&b, &state);
        if (!apply_edit(&b)) {
            CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        }
        if (k % 100 == 0) {
            CU_ASSERT_EQUAL_FATAL(verify(&b), EW_OK);
            expect_fit_aggregates(&b);
        }
    }
    expect_fit_aggregates(&b);
    check_symmetric_positive(&b);
    const ew_multilevel_info *info = ew_multilevel_about(b.multilevel);
    const int32_t kept = info->n_aggregate, n_block = info->n_factor_block;
    expect_as_good_as_fresh(&b);
    CU_ASSERT(kept > before + before / 2 && 2 * kept <= 3 * info->n_aggregate);
    CU_ASSERT(2 * n_block <= 3 * info->n_factor_block);
    free_body(&b);
}

/* Aggregates that come after a set-up with fewer of them than one before have chunks of their own.
 */
static void test_growth_after_fewer_aggregates(void)
{
    uint64_t state = 12;
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    b.def.chunk_rows = 20;
    b.def.aggregate_rows = 4;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    b.def.chunk_rows = 100;
    b.def.aggregate_rows = 16;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    const int32_t before = b.multilevel->aggregates.n;
    while (b.multilevel->aggregates.n < before + 4) {
        queue_growth(&b, &state);
        if (!apply_edit(&b)) {
            CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        }
    }
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free_body(&b);
}

/* Of a bar, where a tet or two hold aggregates together. */
static void test_aggregates_of_a_bar_fall_apart(void)
{
    uint64_t state = 3;
    body b;
    make_box(&b, (double[]){60.0, 1.0, 1.0}, (int32_t[]){60, 1, 1});
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t k = 0; k < 250; k++) {
        ew_edit_remove_tet(&b.edit, random_live_tet(&b.mesh, &state));
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
        expect_fit_aggregates(&b);
    }
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free_body(&b);
}

/* A bar that is fixed by itself shrinks by 1000 and goes elsewhere, as one of two: frames follow,
 * else it would have lost its rotations. */
static void move_a_part_far(int32_t levels)
{
    static int32_t gone[2000][4];
    body b;
    make_box(&b, (double[]){60.0, 1.0, 1.0}, (int32_t[]){60, 3, 3});
    b.def.levels = levels;
    b.def.aggregate_rows = levels == 3 ? 4 : 0;
    queue_slab(&b, 44.5, 46.5, gone);
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double x = b.mesh.xyz[3 * (size_t)v];
        b.fixed[v] = x < 35.0 || x > 59.5 || !ew_mesh_vertex_is_active(&b.mesh, v) ? 7 : 0;
    }
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * (size_t)v;
        const double to[3] = {1e-3 * x[0] + 99.0, 1e-3 * x[1], 1e-3 * x[2]};
        if (x[0] > 45.5) {
            CU_ASSERT_EQUAL(ew_edit_move_vertex(&b.edit, v, to), EW_OK);
        }
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
    expect_as_good_as_fresh(&b);
    free_body(&b);
}

static void test_a_part_moves_far(void)
{
    move_a_part_far(2);
    move_a_part_far(3);
}

/* Aggregates that come where others went are not in the factor, however few their rows. */
static void test_aggregates_that_come_again(void)
{
    static int32_t gone[2000][4];
    body b;
    make_box(&b, (double[]){2.0, 1.0, 1.0}, (int32_t[]){16, 8, 8});
    b.def.postpone = 1.0;
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    const int32_t n = queue_slab(&b, 1.7, 2.1, gone);
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_multilevel_factor_pending(b.multilevel), EW_OK);
    for (int32_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(ew_edit_add_tet(&b.edit, gone[k], b.mesh.region_label[0]), EW_OK);
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
    expect_as_good_as_fresh(&b);
    free_body(&b);
}

/* A slice becomes stiff, which is few rows, and the factor waits. The solve that is slow for it has
 * it made: the next is fast. */
static void test_a_factor_that_costs_iterations_is_made(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_solver solver = {0};
    ew_pcg_info info;
    int32_t iterations[3];
    uint64_t state = 5;
    body b;
    make_bar(&b);
    const size_t n = 3 * (size_t)b.mesh.n_vertex;
    double *x = calloc(2 * n, sizeof *x);
    fill_random(&b, &state, x + n);
    ew_operator op = ew_operator_on_host(&b.matrix, &b.topology.pattern);
    const ew_system system = {.op = &op, .xyz = b.mesh.xyz, .fixed = b.fixed, .b = x + n};
    def.preconditioner = EW_RIGID;
    for (int k = 0; k < 3; k++) {
        memset(x, 0, n * sizeof *x);
        must(ew_solver_solve(&solver, &system, &def, x, &info));
        iterations[k] = info.iterations;
        if (k == 0) {
            queue_stiff_slice(&b);
            CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
            must(ew_solver_update(&solver, &system, &b.topology.touched));
        }
    }
    CU_ASSERT(iterations[1] > 2 * iterations[0] && iterations[2] < 2 * iterations[0]);
    ew_solver_free(&solver);
    ew_operator_free(&op);
    free(x);
    free_body(&b);
}

static CU_TestInfo tests[] = {
    {"many_edits_do_not_wear_it_out", test_many_edits_do_not_wear_it_out},
    {"growth_makes_new_aggregates", test_growth_makes_new_aggregates},
    {"growth_after_fewer_aggregates", test_growth_after_fewer_aggregates},
    {"aggregates_of_a_bar_fall_apart", test_aggregates_of_a_bar_fall_apart},
    {"a_part_moves_far", test_a_part_moves_far},
    {"aggregates_that_come_again", test_aggregates_that_come_again},
    {"a_factor_that_costs_iterations_is_made", test_a_factor_that_costs_iterations_is_made},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "multilevel_quality", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
