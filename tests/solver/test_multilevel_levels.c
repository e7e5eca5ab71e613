/* Three levels, forced on bodies that are small: positive definite, few iterations, dead ends, the
 * same bits after edits as from scratch and for any number of threads. */
#include "multilevel_edits.h"

#include "solver/multilevel/multilevel.h"

static ew_multilevel_def three_levels(int32_t rows)
{
    ew_multilevel_def def = ew_default_multilevel_def();
    def.levels = 3;
    def.aggregate_rows = rows;
    return def;
}

static void test_symmetric_positive_definite(void)
{
    for (int k = 0; k < 4; k++) {
        body b;
        make_box(&b, (double[]){2.0, 1.0, 1.0}, (int32_t[]){24, 12, 12});
        b.def = three_levels(k / 2 ? 6 : 16);
        b.def.single = k % 2;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        CU_ASSERT(8 * ew_multilevel_about(b.multilevel)->n_group >=
                  ew_multilevel_about(b.multilevel)->n_aggregate / 2);
        check_symmetric_positive(&b);
        CU_ASSERT_EQUAL(verify(&b), EW_OK);
        free_body(&b);
    }
}

/* About as many as with two levels. */
static void test_iterations_are_few(void)
{
    const int32_t cells[3][3] = {{16, 16, 16}, {40, 40, 4}, {100, 6, 6}};
    for (int k = 0; k < 3; k++) {
        const double size[3] = {0.1 * cells[k][0], 0.1 * cells[k][1], 0.1 * cells[k][2]};
        int32_t n[2];
        body b;
        make_box(&b, size, cells[k]);
        for (int levels = 2; levels <= 3; levels++) {
            b.def = three_levels(12);
            b.def.levels = levels;
            CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
            CU_ASSERT_EQUAL(ew_multilevel_about(b.multilevel)->n_group > 0, levels == 3);
            n[levels - 2] = solve(&b, 1e-8, 300);
        }
        CU_ASSERT(n[0] > 0 && n[1] > 0 && 2 * n[1] <= 3 * n[0]);
        free_body(&b);
    }
}

/* A row of cells with one free vertex in each cross-section: aggregates are in line, groups too. */
static void test_motions_without_effect(void)
{
    body b;
    make_box(&b, (double[]){60.0, 1.0, 1.0}, (int32_t[]){120, 1, 1});
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) {
        const double *x = b.mesh.xyz + 3 * (size_t)v;
        b.fixed[v] = x[1] > 0.5 && x[2] > 0.5 && x[0] > 0.0 ? 0 : 7;
    }
    for (int32_t rows = 2; rows <= 8; rows *= 4) {
        b.def = three_levels(rows);
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        CU_ASSERT(ew_multilevel_about(b.multilevel)->n_null > 10);
        CU_ASSERT(ew_multilevel_about(b.multilevel)->n_group > 1);
        check_symmetric_positive(&b);
        CU_ASSERT_EQUAL(verify(&b), EW_OK);
        CU_ASSERT(solve(&b, 1e-10, 60) > 0);
    }
    free_body(&b);
}

/* Aggregates that are alone have no group. */
static void test_several_components(void)
{
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){14, 6, 6});
    b.def = three_levels(6);
    for (int32_t t = 0; t < b.mesh.n_tet; t++) {
        bool cut = false;
        for (int k = 0; k < 4; k++) {
            const double x = 14.0 * b.mesh.xyz[3 * (size_t)b.mesh.tet[4 * (size_t)t + (size_t)k]];
            cut = cut || fabs(x - 7.0) < 0.1 || fabs(x - 9.0) < 0.1;
        }
        if (cut) {
            ew_edit_remove_tet(&b.edit, t);
        }
    }
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
    for (int32_t v = 0; v < b.mesh.n_vertex; v++) { /* each of them fixed somewhere */
        b.fixed[v] = v % 9 == 0 ? 7 : b.fixed[v];
    }
    CU_ASSERT_EQUAL_FATAL(ew_multilevel_update(b.multilevel, &b.matrix, &b.topology.pattern,
                                               b.mesh.xyz, b.fixed, NULL, &b.topology.touched),
                          EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    CU_ASSERT(solve(&b, 1e-8, 100) > 0);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    CU_ASSERT(solve(&b, 1e-8, 100) > 0);
    free_body(&b);
}

static void test_random_edits_keep_the_bits(void)
{
    ew_multilevel_def def = {
        .levels = 3, .aggregate_rows = 4, .chunk_rows = 100, .single = true, .postpone = 0.0};
    run_random_edits(&def, 60);
    def.single = false;
    def.aggregate_rows = 2;
    run_random_edits(&def, 20);
    def.postpone = 0.2;
    run_random_edits(&def, 40);
}

static void test_threads_do_not_change_a_bit(void)
{
    const ew_multilevel_def def = three_levels(8);
    check_threads_do_not_matter(&def);
}

/* Two kinds of oracle: blocks of before, and modes of groups. */
static void test_refill_and_oracle(void)
{
    body b;
    make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){8, 8, 8});
    b.def = three_levels(4);
    CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
    for (size_t i = 0; i < 9 * (size_t)b.matrix.n_row; i++) {
        b.matrix.diagonal[i] *= 2.0;
    }
    CU_ASSERT_EQUAL(verify_quietly(&b), EW_MATRIX_DIFFERS);
    CU_ASSERT_EQUAL(ew_multilevel_refill(b.multilevel, &b.matrix, &b.topology.pattern, b.mesh.xyz,
                                         b.fixed),
                    EW_OK);
    CU_ASSERT_EQUAL(verify(&b), EW_OK);
    free_body(&b);
}

/* Also of aggregates that are new and touched again before the factor, which waits, has them. */
static void test_null_modes_are_counted_once(void)
{
    for (int levels = 2; levels <= 3; levels++) {
        uint64_t state = 6;
        body b;
        int32_t sum = 0;
        make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){4, 4, 4});
        b.def = three_levels(2);
        b.def.levels = levels;
        b.def.wait = true;
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        for (int k = 0; k < 60; k++) {
            queue_growth(&b, &state);
            if (!apply_edit(&b)) {
                CU_ASSERT_EQUAL_FATAL(update(&b), EW_OK);
            }
        }
        for (int32_t a = 0; a < b.multilevel->aggregates.n; a++) {
            sum += b.multilevel->n_null[a];
        }
        CU_ASSERT(sum > 0);
        CU_ASSERT_EQUAL(ew_multilevel_about(b.multilevel)->n_null, sum);
        free_body(&b);
    }
}

static void test_failing_allocations(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k += 3) {
        uint64_t state = 14;
        body b;
        make_box(&b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
        b.def = three_levels(4);
        ew_test_allocations_begin(k);
        const ew_status made = set_up(&b);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(made, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL_FATAL(set_up(&b), EW_OK);
        queue_hole(&b, &state, 0.3);
        CU_ASSERT_EQUAL_FATAL(apply_edit(&b), EW_OK);
        ew_test_allocations_begin(k);
        const ew_status status = update(&b);
        const bool second = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, second ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_EQUAL(verify_quietly(&b), second ? EW_STALE : EW_OK);
        refused = refused || second;
        free_body(&b);
    }
}

static CU_TestInfo tests[] = {
    {"symmetric_positive_definite", test_symmetric_positive_definite},
    {"iterations_are_few", test_iterations_are_few},
    {"motions_without_effect", test_motions_without_effect},
    {"several_components", test_several_components},
    {"random_edits_keep_the_bits", test_random_edits_keep_the_bits},
    {"threads_do_not_change_a_bit", test_threads_do_not_change_a_bit},
    {"refill_and_oracle", test_refill_and_oracle},
    {"null_modes_are_counted_once", test_null_modes_are_counted_once},
    {"failing_allocations", test_failing_allocations},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "multilevel_levels", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
