/* The automatic choice where the rigid preconditioner fails: block Jacobi goes on where that may
 * help, and as long. */
#include "solver/krylov/pcg.h"
#include "solver_fixture.h"

/* ---- where it pays -------------------------------------------------------- */

static ew_status solve_from_rest(problem *p)
{
    const ew_pcg_def def = ew_default_pcg_def();
    memset(p->x, 0, (size_t)p->n * sizeof *p->x);
    return solve_again(p, &def);
}

/* Pairs that outweigh the diagonal. */
static void make_indefinite(problem *p)
{
    make_problem(p, 8, 8, 8);
    for (int32_t i = 0; i < 9 * p->matrix.n_pair; i++) {
        p->matrix.pair[i] *= 4.0;
    }
}

/* Block Jacobi steps in, which is said; that this matrix is indefinite it finds too. */
static void test_indefinite_matrix_is_a_fallback(void)
{
    problem p;
    make_indefinite(&p);
    CU_ASSERT_EQUAL(solve_from_rest(&p), EW_INDEFINITE);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_BLOCK_JACOBI);
    CU_ASSERT_NOT_EQUAL(p.info.fallback, EW_OK);
    CU_ASSERT_STRING_EQUAL(p.info.reason, "auto, rigid failed");
    free_problem(&p);
}

static void remove_tet(problem *p)
{
    ew_edit edit = {0};
    ew_change change = {0};
    must(ew_edit_remove_tet(&edit, 50));
    must(ew_mesh_commit(&p->mesh, &edit, NULL, &change));
    must(ew_topology_update(&p->topology, &p->mesh, &change));
    must(ew_stiffness_revalidate(&p->matrix, &p->mesh, &p->topology, &p->materials,
                                 &p->topology.touched));
    ew_operator op = ew_operator_on_host(&p->matrix, &p->topology.pattern);
    const ew_system system = {.op = &op, .xyz = p->mesh.xyz, .fixed = p->fixed, .b = p->b};
    must(ew_solver_update(&p->solver, &system, &p->topology.touched));
    ew_operator_free(&op);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

/* That the rigid one failed says nothing of other matrices and of other constraints. */
static void test_fallback_is_not_for_ever(void)
{
    for (int k = 0; k < 3; k++) {
        problem p;
        make_indefinite(&p);
        CU_ASSERT_EQUAL(solve_from_rest(&p), EW_INDEFINITE);
        must(ew_stiffness_build(&p.matrix, &p.mesh, &p.topology, &p.materials));
        must(solve_from_rest(&p)); /* it stays with block Jacobi, */
        CU_ASSERT_EQUAL(p.info.preconditioner, EW_BLOCK_JACOBI);
        CU_ASSERT_NOT_EQUAL(p.info.fallback, EW_OK);
        if (k == 0) { /* until it is told to forget, */
            ew_solver_reset(&p.solver);
        } else if (k == 1) { /* or the matrix changes, */
            remove_tet(&p);
        } else { /* or what is constrained */
            p.fixed[300] = 7;
        }
        must(solve_from_rest(&p));
        CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
        CU_ASSERT_EQUAL(p.info.fallback, EW_OK);
        free_problem(&p);
    }
}

/* ---- where it does not pay ----------------------------------------------- */

/* Every vertex inside that has no such neighbor goes to the face opposite to it in one of its tets,
 * but for 1e-10 of the way. */
static void make_slivers(problem *p)
{
    const ew_rows *tets = &p->topology.vertex_to_tet;
    bool *near = calloc((size_t)p->n / 3, sizeof *near);
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        double *x = p->mesh.xyz + 3 * (size_t)v, sum[3] = {0.0, 0.0, 0.0};
        const int32_t *own = tets->item + tets->begin[v];
        if (near[v] || tets->count[v] != 24) {
            continue;
        }
        for (int32_t i = 0; i < 4 * tets->count[v]; i++) {
            near[p->mesh.tet[4 * (size_t)own[i / 4] + (size_t)(i % 4)]] = true;
        }
        for (int i = 0; i < 12; i++) {
            sum[i % 3] +=
                p->mesh.xyz[3 * (size_t)p->mesh.tet[4 * (size_t)own[0] + (size_t)(i / 3)] +
                            (size_t)(i % 3)];
        }
        for (int c = 0; c < 3; c++) {
            x[c] += (1.0 - 1e-10) * ((sum[c] - x[c]) / 3.0 - x[c]);
        }
    }
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&p->matrix, &p->mesh, &p->topology, &p->materials),
                          EW_OK);
    free(near);
}

/* Where the rigid one is slow it is kept: block Jacobi is slower. */
static void test_slow_progress_is_no_fallback(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_box_problem(&p, (double[]){1.0, 1.0, 1.0}, (int32_t[]){6, 6, 6});
    make_slivers(&p);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    CU_ASSERT_EQUAL(p.info.fallback, EW_OK);
    CU_ASSERT(p.info.iterations > 5000);
    free_problem(&p);
}

/* Clamped by next to nothing, so that rounding alone leaves a large residual: what is said is that,
 * and no other preconditioner is tried. */
static void test_rounding_is_no_fallback(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 8, 6, 6);
    for (int32_t v = 0; v < p.mesh.n_vertex; v++) {
        const bool soft = p.fixed[v] != 0;
        for (int c = 0; c < 3; c++) {
            p.matrix.diagonal[9 * (size_t)v + 4 * (size_t)c] *= soft ? 1.0 + 1e-10 : 1.0;
        }
        p.fixed[v] = 0;
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "very soft springs"));
    CU_ASSERT_EQUAL(p.info.preconditioner, EW_RIGID);
    CU_ASSERT_EQUAL(p.info.fallback, EW_OK);
    free_problem(&p);
}

static CU_TestInfo tests[] = {
    {"indefinite_matrix_is_a_fallback", test_indefinite_matrix_is_a_fallback},
    {"fallback_is_not_for_ever", test_fallback_is_not_for_ever},
    {"slow_progress_is_no_fallback", test_slow_progress_is_no_fallback},
    {"rounding_is_no_fallback", test_rounding_is_no_fallback},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "solver fallback", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
