/* What a solve on the host claims, and how it fails. */
#include "solver/krylov/pcg.h"
#include "solver_fixture.h"

/* ---- claims ------------------------------------------------------------ */

static void test_single_precision_claims_what_it_reached(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = EW_SINGLE;
    def.tolerance = 1e-3;
    make_problem(&p, 8, 3, 3);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(relative_residual(&p) <= 1e-3);
    def.tolerance = 1e-12;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--precision mixed"));
    CU_ASSERT(p.info.residual > 1e-12 && p.info.residual < 1e-3);
    CU_ASSERT(fabs(p.info.residual / relative_residual(&p) - 1.0) < 1e-6);
    free_problem(&p);
}

/* A slender body is much softer than its tets: rounding their blocks must not stiffen it. */
static void test_single_on_a_slender_beam(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_box_problem(&p, (double[]){20.0, 1.0, 1.0}, (int32_t[]){40, 2, 2});
    for (int32_t i = 0; i < p.n; i++) {
        p.b[i] = i % 3 == 2 && p.mesh.xyz[i - 2] > 19.99 ? -1.0 : 0.0;
    }
    def.precision = EW_SINGLE;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_CONVERGED);
    CU_ASSERT(p.info.residual < 1e-3);
    free_problem(&p);
}

static void test_unreachable_tolerance_is_said(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-30;
    make_problem(&p, 6, 2, 2);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.limited_by_rounding);
    CU_ASSERT(p.info.residual > 1e-30 && p.info.residual < 1e-12);
    CU_ASSERT(fabs(p.info.residual / relative_residual(&p) - 1.0) < 0.5);
    def.tolerance = 1e-300; /* squares of which are zero: no reason to doubt the matrix */
    memset(p.x, 0, (size_t)p.n * sizeof *p.x);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.limited_by_rounding && p.info.residual < 1e-12);
    def.tolerance = 1e-8;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(!p.info.limited_by_rounding);
    free_problem(&p);
}

/* Where the recurrence drifts from the true residual, later passes must start over: going on from
 * the old direction wandered to the iteration limit. */
static void test_unreachable_tolerance_ends_soon(void)
{
    problem p;
    make_box_problem(&p, (double[]){1.0, 0.2, 0.3}, (int32_t[]){12, 3, 3});
    for (int32_t i = 0; i < p.n; i++) {
        p.b[i] = i % 3 == 2 ? -1.0 : 0.0;
    }
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-13;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.limited_by_rounding);
    CU_ASSERT(p.info.iterations < 3000);
    CU_ASSERT(p.info.residual < 1e-10);
    free_problem(&p);
}

/* A slender body, bent: a pass that ends where rounding the displacement alone would leave the
 * residual is the last. */
static void test_no_pass_in_vain(void)
{
    problem p;
    make_box_problem(&p, (double[]){20.0, 1.0, 1.0}, (int32_t[]){40, 2, 2});
    for (int32_t i = 0; i < p.n; i++) {
        p.b[i] = i % 3 == 2 ? -1.0 : 0.0;
    }
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-12;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.limited_by_rounding);
    CU_ASSERT_EQUAL(p.info.passes, 2);
    CU_ASSERT(p.info.residual < 1e-9);
    free_problem(&p);
}

/* |S K e| / |b| of a rounding e of x. */
static double rounding_level(const problem *p)
{
    uint64_t state = 3;
    double *e = calloc(2 * (size_t)p->n, sizeof *e), *q = e + p->n, square = 0.0, load = 0.0;
    for (int32_t i = 0; i < p->n; i++) {
        const double share = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
        e[i] = is_fixed(p, i) ? 0.0 : 0x1p-53 * share * p->x[i];
    }
    ew_matrix_product(&p->matrix, &p->topology.pattern, e, q);
    for (int32_t i = 0; i < p->n; i++) {
        square += is_fixed(p, i) ? 0.0 : q[i] * q[i];
        load += is_fixed(p, i) ? 0.0 : p->b[i] * p->b[i];
    }
    free(e);
    return sqrt(square / load);
}

/* A tolerance that the displacement allows, but not the rounding of sums in double: the answer is
 * there, and is claimed. */
static void test_rounded_sums_hide_no_answer(void)
{
    problem p;
    make_box_problem(&p, (double[]){20.0, 1.0, 1.0}, (int32_t[]){40, 2, 2});
    for (int32_t i = 0; i < p.n; i++) {
        p.b[i] = i % 3 == 2 ? -1.0 : 0.0;
    }
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-9;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(!p.info.limited_by_rounding && !p.info.is_extended);
    def.tolerance = 1.5 * rounding_level(&p);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(!p.info.limited_by_rounding && p.info.is_extended);
    CU_ASSERT(p.info.residual <= def.tolerance);
    CU_ASSERT(relative_residual(&p) > def.tolerance); /* in double */
    def.tolerance /= 3.0;                             /* what the displacement does not allow */
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.limited_by_rounding && !p.info.is_extended);
    free_problem(&p);
}

/* Blocks as in dynamics: K plus `share` of the mean diagonal of K in all components. */
static void add_mass(problem *p, double share)
{
    double mean = 0.0;
    for (int32_t i = 0; i < p->n; i++) {
        mean += p->matrix.diagonal[9 * (size_t)(i / 3) + 4 * (size_t)(i % 3)] / p->n;
    }
    for (int32_t i = 0; i < p->n; i++) {
        p->matrix.diagonal[9 * (size_t)(i / 3) + 4 * (size_t)(i % 3)] += share * mean;
    }
}

/* Where many solves are to come, block Jacobi is taken for what it solves in few iterations. */
static void test_what_is_coming_counts(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 12, 7, 7);
    add_mass(&p, 0.2);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    def.expected_solves = 1000;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_BLOCK_JACOBI);
    CU_ASSERT_STRING_EQUAL(p.info.reason, "auto, for many easy solves");
    CU_ASSERT(p.info.iterations <= EW_EASY_ITERATIONS);
    free_problem(&p);
    make_problem(&p, 12, 7, 7); /* fixed at one end alone */
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    CU_ASSERT_STRING_EQUAL(p.info.reason, "auto, for many hard solves");
    free_problem(&p);
}

/* Half of a beam on springs, the other half free: hard, which the mean does not show. */
static void test_hard_after_all(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    def.expected_solves = 1000;
    make_box_problem(&p, (double[]){20.0, 1.0, 1.0}, (int32_t[]){60, 3, 3});
    for (int32_t v = 0; v < p.n / 3; v++) { /* springs on one half */
        for (size_t c = 0; c < 9 && p.mesh.xyz[3 * (size_t)v] < 10.0; c += 4) {
            p.matrix.diagonal[9 * (size_t)v + c] *= 1.5;
        }
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    CU_ASSERT(p.info.iterations > 4 * EW_EASY_ITERATIONS);
    CU_ASSERT(p.info.residual <= def.tolerance);
    memset(p.x, 0, (size_t)p.n * sizeof *p.x);
    CU_ASSERT_EQUAL(solve_again(&p, &def), EW_OK); /* is known now */
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    CU_ASSERT(p.info.iterations < 2 * EW_EASY_ITERATIONS);
    memset(p.x, 0, (size_t)p.n * sizeof *p.x);
    def.precision = EW_SINGLE; /* one pass with each preconditioner, not one in all */
    def.tolerance = 1e-4;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    CU_ASSERT_EQUAL(p.info.passes, 2);
    free_problem(&p);
}

static void test_iteration_limit_is_said(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    def.max_iterations = 5;
    make_problem(&p, 6, 2, 2);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "max_iterations 5"));
    CU_ASSERT_EQUAL(p.info.iterations, 5);
    CU_ASSERT_EQUAL(p.info.n_history, 5);
    CU_ASSERT(fabs(p.info.residual / relative_residual(&p) - 1.0) < 1e-9);
    CU_ASSERT(fabs(p.info.history[4] / p.info.residual - 1.0) < 1e-9);
    free_problem(&p);
}

/* ---- failures ---------------------------------------------------------- */

static void test_negative_matrix_is_indefinite(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 3, 2, 2);
    for (int32_t i = 0; i < 9 * p.matrix.n_row; i++) {
        p.matrix.diagonal[i] = -p.matrix.diagonal[i];
    }
    for (int32_t i = 0; i < 9 * p.matrix.n_pair; i++) {
        p.matrix.pair[i] = -p.matrix.pair[i];
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_INDEFINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "row"));
    free_problem(&p);
}

/* Positive diagonal blocks, but edges that outweigh them: only p.Kp can tell. */
static void test_indefinite_matrix_is_found_by_the_iteration(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 3, 2, 2);
    for (int32_t i = 0; i < 9 * p.matrix.n_pair; i++) {
        p.matrix.pair[i] *= 4.0;
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_INDEFINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "iteration"));
    for (int32_t i = 0; i < p.n; i++) {
        CU_ASSERT(isfinite(p.x[i]));
    }
    free_problem(&p);
}

/* Their squares underflow: such loads must not pass for none. */
static void test_loads_too_small_to_square(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 3, 2, 2);
    for (int32_t i = 0; i < p.n; i++) {
        p.b[i] *= 1e-300;
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_BAD_INPUT);
    memset(p.b, 0, (size_t)p.n * sizeof *p.b);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    free_problem(&p);
}

static void test_values_that_are_not_finite(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 3, 2, 2);
    double kept = p.b[p.n - 1];
    p.b[p.n - 1] = (double)NAN;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_FINITE);
    p.b[p.n - 1] = kept;
    p.x[p.n - 1] = (double)INFINITY;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_FINITE);
    p.x[p.n - 1] = 0.0;
    p.matrix.pair[9 * (size_t)(p.matrix.n_pair - 1) + 4] = (double)NAN;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_FINITE);
    p.matrix.pair[9 * (size_t)(p.matrix.n_pair - 1) + 4] = 0.0;
    p.matrix.diagonal[9 * (size_t)(p.matrix.n_row - 1) + 4] = (double)NAN;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_FINITE);
    free_problem(&p);
}

static bool cancel(void *user, const char *stage, double done)
{
    CU_ASSERT_STRING_EQUAL(stage, "solve");
    CU_ASSERT(done >= 0.0 && done <= 1.0);
    return ++*(int *)user < 2;
}

static void test_progress_cancels(void)
{
    problem p;
    int n_call = 0;
    ew_pcg_def def = ew_default_pcg_def();
    def.progress = (ew_progress){&n_call, cancel};
    make_problem(&p, 12, 3, 3);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_CANCELED);
    CU_ASSERT_EQUAL(n_call, 2);
    CU_ASSERT(fabs(p.info.residual / relative_residual(&p) - 1.0) < 1e-9);
    free_problem(&p);
}

static void test_def_names_the_bad_field(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    CU_ASSERT_EQUAL(ew_pcg_def_check(&def), EW_OK);
    static const double bad[4] = {0.0, 1.0, -1.0, (double)NAN};
    for (int i = 0; i < 4; i++) {
        def.tolerance = bad[i];
        CU_ASSERT_EQUAL(ew_pcg_def_check(&def), EW_BAD_ARGUMENT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "tolerance"));
    }
    def = ew_default_pcg_def();
    def.max_iterations = 0;
    CU_ASSERT_EQUAL(ew_pcg_def_check(&def), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "max_iterations"));
    def = ew_default_pcg_def();
    def.preconditioner = (ew_preconditioner_kind)7;
    CU_ASSERT_EQUAL(ew_pcg_def_check(&def), EW_BAD_ARGUMENT);
    def = ew_default_pcg_def();
    def.precision = (ew_precision)7;
    CU_ASSERT_EQUAL(ew_pcg_def_check(&def), EW_BAD_ARGUMENT);
}

static void test_pattern_of_another_matrix_is_refused(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 2, 1, 1);
    p.matrix.n_pair--;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_STALE);
    free_problem(&p);
}

/* Moves every vertex and brings the tables along, but not the matrix. */
static void test_stale_matrix_is_refused(void)
{
    problem p;
    ew_edit edit = {0};
    ew_change change = {0};
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 2, 2, 2);
    for (int32_t v = 0; v < p.mesh.n_vertex; v++) {
        const double *x = p.mesh.xyz + 3 * (size_t)v;
        CU_ASSERT_EQUAL(ew_edit_move_vertex(&edit, v, (double[3]){2 * x[0], x[1], x[2] + 1}),
                        EW_OK);
    }
    CU_ASSERT_EQUAL(ew_mesh_commit(&p.mesh, &edit, NULL, &change), EW_OK);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK); /* the matrix of the tables as they are */
    CU_ASSERT_EQUAL(ew_topology_update(&p.topology, &p.mesh, &change), EW_OK);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_STALE);
    CU_ASSERT_EQUAL(ew_stiffness_revalidate(&p.matrix, &p.mesh, &p.topology, &p.materials,
                                            &p.topology.touched),
                    EW_OK);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    ew_edit_free(&edit);
    ew_change_free(&change);
    free_problem(&p);
}

static void test_failing_allocations(void)
{
    bool refused = true;
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = EW_SINGLE;
    def.tolerance = 1e-3;
    make_problem(&p, 3, 2, 2);
    for (int64_t k = 0; refused; k++) {
        memset(p.x, 0, (size_t)p.n * sizeof *p.x);
        ew_test_allocations_begin(k);
        ew_status status = solve(&p, &def);
        ew_solver_free(&p.solver);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    free_problem(&p);
}

/* ---- other materials ----------------------------------------------------- */

static void take_material(problem *p, double young, double poisson)
{
    const ew_material material = {.young = young, .poisson = poisson, .density = 1.0};
    ew_materials_free(&p->materials);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&p->materials, 1, &material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&p->matrix, &p->mesh, &p->topology, &p->materials),
                          EW_OK);
    memset(p->x, 0, (size_t)p->n * sizeof *p->x);
}

/* The preconditioner is filled again on its aggregates when that was asked for, with the bits of a
 * new one; else it is stale. */
static void test_other_materials(void)
{
    static const ew_preconditioner_kind kind[] = {EW_RIGID, EW_BLOCK_JACOBI};
    for (int k = 0; k < 2; k++) {
        problem p;
        ew_pcg_def def = ew_default_pcg_def();
        def.preconditioner = kind[k];
        make_problem(&p, 12, 6, 6);
        CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
        take_material(&p, 400.0, 0.4);
        CU_ASSERT_EQUAL(solve_again(&p, &def), EW_STALE);
        ew_solver_invalidate(&p.solver);
        CU_ASSERT_EQUAL(solve_again(&p, &def), EW_OK);
        CU_ASSERT(p.info.seconds_setup > 0.0);
        CU_ASSERT(relative_residual(&p) <= 1e-8);
        double *x = calloc((size_t)p.n, sizeof *x);
        memcpy(x, p.x, (size_t)p.n * sizeof *x);
        memset(p.x, 0, (size_t)p.n * sizeof *x);
        CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
        CU_ASSERT_EQUAL(memcmp(x, p.x, (size_t)p.n * sizeof *x), 0);
        free(x);
        free_problem(&p);
    }
}

static CU_TestInfo tests[] = {
    {"single_precision_claims_what_it_reached", test_single_precision_claims_what_it_reached},
    {"single_on_a_slender_beam", test_single_on_a_slender_beam},
    {"unreachable_tolerance_is_said", test_unreachable_tolerance_is_said},
    {"unreachable_tolerance_ends_soon", test_unreachable_tolerance_ends_soon},
    {"no_pass_in_vain", test_no_pass_in_vain},
    {"rounded_sums_hide_no_answer", test_rounded_sums_hide_no_answer},
    {"what_is_coming_counts", test_what_is_coming_counts},
    {"hard_after_all", test_hard_after_all},
    {"iteration_limit_is_said", test_iteration_limit_is_said},
    {"negative_matrix_is_indefinite", test_negative_matrix_is_indefinite},
    {"indefinite_matrix_is_found_by_the_iteration",
     test_indefinite_matrix_is_found_by_the_iteration},
    {"loads_too_small_to_square", test_loads_too_small_to_square},
    {"values_that_are_not_finite", test_values_that_are_not_finite},
    {"progress_cancels", test_progress_cancels},
    {"def_names_the_bad_field", test_def_names_the_bad_field},
    {"pattern_of_another_matrix_is_refused", test_pattern_of_another_matrix_is_refused},
    {"stale_matrix_is_refused", test_stale_matrix_is_refused},
    {"failing_allocations", test_failing_allocations},
    {"other_materials", test_other_materials},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "solver claims", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
