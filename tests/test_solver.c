/* Conjugate gradients on the host against dense Cholesky, what they claim, and how they fail. */
#include "assembly/assembly.h"
#include "testlib.h"

#include "shape/shape.h"
#include "solver/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A box fixed at x = 0, its matrix, a random right-hand side. */
typedef struct problem {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    int32_t n;      /* components */
    uint8_t *fixed; /* [n / 3] */
    double *b, *x;  /* [n] */
    ew_solver solver;
    ew_pcg_info info;
} problem;

static void make_box_problem(problem *p, const double size[3], const int32_t cells[3])
{
    const ew_material material = {200.0, 0.3, 1.0};
    uint64_t state = 9;
    *p = (problem){0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&p->mesh, size, cells), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&p->topology, &p->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&p->materials, 1, &material), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_stiffness_build(&p->matrix, &p->mesh, &p->topology, &p->materials),
                          EW_OK);
    p->n = 3 * p->mesh.n_vertex;
    p->fixed = calloc((size_t)p->mesh.n_vertex, 1);
    p->b = calloc((size_t)p->n, sizeof *p->b);
    p->x = calloc((size_t)p->n, sizeof *p->x);
    for (int32_t i = 0; i < p->n; i++) {
        p->b[i] = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
    }
    for (int32_t v = 0; v < p->mesh.n_vertex; v++) {
        p->fixed[v] = p->mesh.xyz[3 * (size_t)v] == 0.0 ? 7 : 0;
    }
}

static void make_problem(problem *p, int32_t nx, int32_t ny, int32_t nz)
{
    make_box_problem(p, (double[]){2.0, 0.7, 1.0}, (int32_t[]){nx, ny, nz});
}

static void free_problem(problem *p)
{
    ew_solver_free(&p->solver);
    ew_matrix_free(&p->matrix);
    ew_materials_free(&p->materials);
    ew_topology_free(&p->topology);
    ew_mesh_free(&p->mesh);
    free(p->fixed);
    free(p->b);
    free(p->x);
}

static ew_status solve_again(problem *p, const ew_pcg_def *def)
{
    ew_operator op = ew_operator_on_host(&p->matrix, &p->topology.pattern);
    const ew_system system = {&op, p->mesh.xyz, p->fixed, p->b};
    ew_status status = ew_solver_solve(&p->solver, &system, def, p->x, &p->info);
    CU_ASSERT_EQUAL(status, p->info.status);
    ew_operator_free(&op);
    return status;
}

/* With the preconditioner from scratch. */
static ew_status solve(problem *p, const ew_pcg_def *def)
{
    ew_solver_forget(&p->solver);
    return solve_again(p, def);
}

static bool is_fixed(const problem *p, int32_t i)
{
    return p->fixed[i / 3] >> i % 3 & 1;
}

/* |S (b - K x)| */
static double residual(const problem *p, const double *x)
{
    double *q = malloc((size_t)p->n * sizeof *q), sum = 0.0;
    ew_matrix_product(&p->matrix, &p->topology.pattern, x, q);
    for (int32_t i = 0; i < p->n; i++) {
        sum += is_fixed(p, i) ? 0.0 : (p->b[i] - q[i]) * (p->b[i] - q[i]);
    }
    free(q);
    return sqrt(sum);
}

/* The same relative to the reference of the claim. */
static double relative_residual(const problem *p)
{
    double *x = calloc((size_t)p->n, sizeof *x);
    for (int32_t i = 0; i < p->n; i++) {
        x[i] = is_fixed(p, i) ? p->x[i] : 0.0;
    }
    double reference = residual(p, x);
    free(x);
    return residual(p, p->x) / reference;
}

/* Dense Cholesky of the free components; x holds the prescribed ones. Columns of K by the product
 * with unit vectors. */
static void solve_dense(const problem *p, double *x)
{
    size_t n = (size_t)p->n;
    double *k = calloc(n * n, sizeof *k), *unit = calloc(n, sizeof *unit),
           *y = calloc(n, sizeof *y);
    for (size_t j = 0; j < n; j++) {
        unit[j] = 1.0;
        ew_matrix_product(&p->matrix, &p->topology.pattern, unit, k + j * n);
        unit[j] = 0.0;
    }
    for (size_t i = 0; i < n; i++) {
        y[i] = is_fixed(p, (int32_t)i) ? x[i] : p->b[i];
        for (size_t j = 0; j < n; j++) {
            bool fixed = is_fixed(p, (int32_t)i) || is_fixed(p, (int32_t)j);
            if (is_fixed(p, (int32_t)j) && !is_fixed(p, (int32_t)i)) {
                y[i] -= k[i * n + j] * x[j];
            }
            k[i * n + j] = fixed ? (double)(i == j) : k[i * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) { /* K = L L^T, y = L^-1 y */
        for (size_t j = 0; j <= i; j++) {
            double sum = k[i * n + j];
            for (size_t l = 0; l < j; l++) {
                sum -= k[i * n + l] * k[j * n + l];
            }
            k[i * n + j] = i == j ? sqrt(sum) : sum / k[j * n + j];
        }
        for (size_t j = 0; j < i; j++) {
            y[i] -= k[i * n + j] * y[j];
        }
        y[i] /= k[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            y[i] -= k[j * n + i] * x[j];
        }
        x[i] = y[i] / k[i * n + i];
    }
    free(k);
    free(unit);
    free(y);
}

static void check_against_dense(problem *p, const ew_pcg_def *def, double accuracy)
{
    double *x = malloc((size_t)p->n * sizeof *x), largest = 0.0, error = 0.0;
    memcpy(x, p->x, (size_t)p->n * sizeof *x);
    solve_dense(p, x);
    CU_ASSERT_EQUAL(solve(p, def), EW_OK);
    for (int32_t i = 0; i < p->n; i++) {
        largest = fmax(largest, fabs(x[i]));
        error = fmax(error, fabs(x[i] - p->x[i]));
    }
    CU_ASSERT(error <= accuracy * largest);
    CU_ASSERT(p->info.residual <= def->tolerance);
    CU_ASSERT(fabs(p->info.residual - relative_residual(p)) < 1e-3 * def->tolerance);
    CU_ASSERT_EQUAL(p->info.n_history, p->info.iterations);
    free(x);
}

/* ---- solutions --------------------------------------------------------- */

static void test_solution_against_dense(void)
{
    for (int k = 0; k < 4; k++) {
        problem p;
        ew_pcg_def def = ew_default_pcg_def();
        def.preconditioner = k % 2 ? EW_JACOBI : EW_BLOCK_JACOBI;
        def.precision = k / 2 ? EW_MIXED : EW_DOUBLE;
        def.tolerance = 1e-10;
        make_problem(&p, 6, 2, 3);
        check_against_dense(&p, &def, 1e-8);
        CU_ASSERT_EQUAL(p.info.passes, 1);
        CU_ASSERT_EQUAL(p.info.preconditioner, def.preconditioner);
        free_problem(&p);
    }
}

/* Some components of a row free, others prescribed and not zero; block Jacobi meets every mask. */
static void test_prescribed_values_and_partial_filter(void)
{
    for (int k = 0; k < 2; k++) {
        problem p;
        uint64_t state = 4;
        ew_pcg_def def = ew_default_pcg_def();
        def.preconditioner = k ? EW_JACOBI : EW_BLOCK_JACOBI;
        def.tolerance = 1e-10;
        make_problem(&p, 5, 3, 2);
        for (int32_t v = 0; v < p.n / 3; v++) {
            p.fixed[v] = (uint8_t)(p.fixed[v] | (v % 3 == 0 ? ew_test_random(&state, 8) : 0));
            for (int i = 0; i < 3; i++) {
                p.x[3 * v + i] = p.fixed[v] >> i & 1 ? 0.1 * (v % 7 - 3) : 0.0;
            }
        }
        double *before = malloc((size_t)p.n * sizeof *before);
        memcpy(before, p.x, (size_t)p.n * sizeof *before);
        check_against_dense(&p, &def, 1e-8);
        for (int32_t i = 0; i < p.n; i++) {
            CU_ASSERT(!is_fixed(&p, i) || p.x[i] == before[i]);
        }
        free(before);
        free_problem(&p);
    }
}

/* Only prescribed values, no forces: a rigid shift of the held face moves all alike. */
static void test_prescribed_shift_moves_the_body(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 4, 2, 2);
    memset(p.b, 0, (size_t)p.n * sizeof *p.b);
    for (int32_t i = 0; i < p.n; i++) {
        p.x[i] = is_fixed(&p, i) ? 0.25 * (i % 3 + 1) : 0.0;
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    for (int32_t i = 0; i < p.n; i++) {
        CU_ASSERT(fabs(p.x[i] - 0.25 * (i % 3 + 1)) < 1e-6);
    }
    free_problem(&p);
}

static void test_zero_right_side_gives_the_prescribed_values(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 2, 2, 2);
    memset(p.b, 0, (size_t)p.n * sizeof *p.b);
    for (int32_t i = 0; i < p.n; i++) {
        p.x[i] = is_fixed(&p, i) ? 0.0 : 1.0; /* a start vector that is not the answer */
    }
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.iterations, 0);
    for (int32_t i = 0; i < p.n; i++) {
        CU_ASSERT_EQUAL(p.x[i], 0.0);
    }
    memset(p.fixed, 7, (size_t)p.n / 3); /* nothing free at all */
    p.b[0] = 1.0;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    free_problem(&p);
}

static void test_solution_as_start_takes_no_iteration(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 6, 2, 3);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.iterations > 10 && p.info.first_residual == 1.0);
    int32_t cold = p.info.iterations;
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(p.info.iterations, 0);
    CU_ASSERT_EQUAL(p.info.passes, 0);
    CU_ASSERT_EQUAL(p.info.n_history, 0);
    p.b[p.n - 1] += 1e-5; /* a near one takes fewer */
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT(p.info.iterations > 0 && p.info.iterations < cold);
    free_problem(&p);
}

static void test_threads_do_not_change_a_bit(void)
{
    problem p;
    ew_pcg_def def = ew_default_pcg_def();
    make_problem(&p, 24, 12, 12); /* several chunks of rows */
    def.tolerance = 1e-4;
    ew_use_threads(1);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    double *one = malloc((size_t)p.n * sizeof *one);
    memcpy(one, p.x, (size_t)p.n * sizeof *one);
    memset(p.x, 0, (size_t)p.n * sizeof *p.x);
    ew_use_threads(3);
    CU_ASSERT_EQUAL(solve(&p, &def), EW_OK);
    CU_ASSERT_EQUAL(memcmp(one, p.x, (size_t)p.n * sizeof *one), 0);
    ew_use_threads(0);
    free(one);
    free_problem(&p);
}

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
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "larger tolerance"));
    CU_ASSERT(p.info.residual < 1e-12);
    free_problem(&p);
}

/* Where the recurrence drifts from the true residual, later passes must start anew: going on from
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
    CU_ASSERT_EQUAL(solve(&p, &def), EW_NOT_CONVERGED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "larger tolerance"));
    CU_ASSERT(p.info.iterations < 3000);
    CU_ASSERT(p.info.residual < 1e-10);
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
    CU_ASSERT_EQUAL(solve(&p, &def), EW_CANCELLED);
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
        CU_ASSERT_EQUAL(ew_test_held(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
    free_problem(&p);
}

static CU_TestInfo tests[] = {
    {"solution_against_dense", test_solution_against_dense},
    {"prescribed_values_and_partial_filter", test_prescribed_values_and_partial_filter},
    {"prescribed_shift_moves_the_body", test_prescribed_shift_moves_the_body},
    {"zero_right_side_gives_the_prescribed_values",
     test_zero_right_side_gives_the_prescribed_values},
    {"solution_as_start_takes_no_iteration", test_solution_as_start_takes_no_iteration},
    {"threads_do_not_change_a_bit", test_threads_do_not_change_a_bit},
    {"single_precision_claims_what_it_reached", test_single_precision_claims_what_it_reached},
    {"single_on_a_slender_beam", test_single_on_a_slender_beam},
    {"unreachable_tolerance_is_said", test_unreachable_tolerance_is_said},
    {"unreachable_tolerance_ends_soon", test_unreachable_tolerance_ends_soon},
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
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "solver", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
