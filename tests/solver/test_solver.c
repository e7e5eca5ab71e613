/* Conjugate gradients on the host against dense Cholesky. */
#include "solver_fixture.h"

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

/* Only prescribed values, no forces: a rigid shift of the fixed face moves all alike. */
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

static CU_TestInfo tests[] = {
    {"solution_against_dense", test_solution_against_dense},
    {"prescribed_values_and_partial_filter", test_prescribed_values_and_partial_filter},
    {"prescribed_shift_moves_the_body", test_prescribed_shift_moves_the_body},
    {"zero_right_side_gives_the_prescribed_values",
     test_zero_right_side_gives_the_prescribed_values},
    {"solution_as_start_takes_no_iteration", test_solution_as_start_takes_no_iteration},
    {"threads_do_not_change_a_bit", test_threads_do_not_change_a_bit},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "solver", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
