/* Conjugate gradients on a device against the host's: the same solution within the tolerance, and
 * the same statuses. EW_QUICK in the environment keeps the meshes small, for simulators. */
#include "assembly/parts/assembly.h"
#include "one_device.h"
#include "shape/parts/shape.h"
#include "solver/krylov/pcg.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t cells(void)
{
    return quick ? 2 : 5;
}

/* A box fixed at x = 0, with one vertex of no tet at the end. */
typedef struct model {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix host;
    ew_device_mesh copy;
    ew_device_matrix matrix;
    size_t n; /* 3 n_vertex */
    uint8_t *fixed;
    double *b, *x, *y;
    ew_solver solver;
    ew_pcg_info info;
} model;

static model make_box(ew_device *on, ew_precision precision, const double size[3],
                      const int32_t n_cell[3])
{
    model m = {0};
    ew_edit edit = {0};
    ew_change change = {0};
    int32_t lone;
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850.0};
    must(ew_shape_box(&m.mesh, size, n_cell));
    must(ew_edit_add_vertex(&edit, (double[3]){9.0, 9.0, 9.0}, &lone));
    must(ew_mesh_commit(&m.mesh, &edit, NULL, &change));
    ew_edit_free(&edit);
    ew_change_free(&change);
    must(ew_topology_build(&m.topology, &m.mesh));
    must(ew_materials_init(&m.materials, 1, &steel));
    must(ew_stiffness_build(&m.host, &m.mesh, &m.topology, &m.materials));
    const ew_stiffness from = ew_stiffness_of(&m.mesh, &m.topology, &m.materials);
    must(ew_device_mesh_build(&m.copy, on, &m.mesh, &m.topology));
    must(ew_device_matrix_build(&m.matrix, &m.copy, &from, precision, &m.host));
    m.n = 3 * (size_t)m.mesh.n_vertex;
    must(ew_new_zero(&m.fixed, m.n / 3, 1));
    must(ew_new_zero(&m.b, m.n, sizeof *m.b));
    must(ew_new_zero(&m.x, m.n, sizeof *m.x));
    must(ew_new_zero(&m.y, m.n, sizeof *m.y));
    for (size_t v = 0; v < m.n / 3; v++) {
        bool is_fixed = m.mesh.xyz[3 * v] < 1e-9 || m.mesh.valence[v] <= 0;
        m.fixed[v] = is_fixed ? 7 : m.mesh.xyz[3 * v + 2] < 1e-9 ? 4 : 0;
        m.b[3 * v + 1] = -1e3 * (double)v;
        m.b[3 * v + 2] = 2e3;
    }
    return m;
}

static model make(ew_device *on, ew_precision precision)
{
    return make_box(on, precision, (double[3]){1.0, 1.0, 1.0},
                    (int32_t[3]){cells(), cells(), cells()});
}

static void drop(model *m)
{
    ew_mesh_free(&m->mesh);
    ew_topology_free(&m->topology);
    ew_materials_free(&m->materials);
    ew_matrix_free(&m->host);
    ew_device_matrix_free(&m->matrix);
    ew_device_mesh_free(&m->copy);
    ew_solver_free(&m->solver);
    ew_release(m->fixed);
    ew_release(m->b);
    ew_release(m->x);
    ew_release(m->y);
}

static ew_status solve_again(model *m, const ew_pcg_def *def)
{
    ew_operator op =
        ew_operator_on_device(&m->matrix, &m->copy.pattern, &m->topology.pattern, &m->host);
    const ew_system system = {.op = &op, .xyz = m->mesh.xyz, .fixed = m->fixed, .b = m->b};
    ew_status status = ew_solver_solve(&m->solver, &system, def, m->x, &m->info);
    ew_operator_free(&op);
    return status;
}

/* With the preconditioner from scratch. */
static ew_status solve(model *m, const ew_pcg_def *def)
{
    ew_solver_reset(&m->solver);
    return solve_again(m, def);
}

/* |S (b - K x)| / |S (b - K x_p)|, formed here. */
static double relative_residual(const model *m, const double *x)
{
    double *given = NULL, *k = NULL, sum[2] = {0.0, 0.0};
    must(ew_new(&given, m->n, sizeof *given));
    must(ew_new(&k, m->n, sizeof *k));
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < m->n; i++) {
            given[i] = pass || m->fixed[i / 3] >> i % 3 & 1 ? x[i] : 0.0;
        }
        ew_matrix_product(&m->host, &m->topology.pattern, given, k);
        for (size_t i = 0; i < m->n; i++) {
            double rest = m->fixed[i / 3] >> i % 3 & 1 ? 0.0 : m->b[i] - k[i];
            sum[pass] += rest * rest;
        }
    }
    ew_release(given);
    ew_release(k);
    return sqrt(sum[1] / sum[0]);
}

/* The device's x against a host solution to 1e-12, relative to its largest entry. */
static void expect_solution(model *m, double tolerance)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_info info;
    ew_solver solver = {0};
    ew_operator op = ew_operator_on_host(&m->host, &m->topology.pattern);
    const ew_system system = {.op = &op, .xyz = m->mesh.xyz, .fixed = m->fixed, .b = m->b};
    double largest = 0.0, error = 0.0;
    def.tolerance = 1e-12;
    for (size_t i = 0; i < m->n; i++) {
        m->y[i] = m->fixed[i / 3] >> i % 3 & 1 ? m->x[i] : 0.0;
    }
    must(ew_solver_solve(&solver, &system, &def, m->y, &info));
    ew_solver_free(&solver);
    ew_operator_free(&op);
    for (size_t i = 0; i < m->n; i++) {
        largest = fmax(largest, fabs(m->y[i]));
        error = fmax(error, fabs(m->y[i] - m->x[i]));
        CU_ASSERT(isfinite(m->x[i]));
    }
    CU_ASSERT(largest > 0.0 && error <= tolerance * largest);
}

static void solve_and_compare(ew_device *on, ew_precision precision, ew_preconditioner_kind kind,
                              double tolerance, bool moved)
{
    model m = make(on, precision);
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = precision;
    def.preconditioner = kind;
    def.tolerance = tolerance;
    for (size_t i = 0; moved && i < m.n; i++) {
        bool fixed = m.fixed[i / 3] >> i % 3 & 1 && m.mesh.valence[i / 3] > 0;
        m.x[i] = fixed ? 1e-6 * (double)(i % 5) : 0.0;
    }
    must(solve(&m, &def));
    CU_ASSERT_EQUAL(m.info.status, EW_OK);
    CU_ASSERT(m.info.iterations > (quick ? 1 : 5) && m.info.n_history == m.info.iterations);
    CU_ASSERT(m.info.residual <= tolerance);
    CU_ASSERT_DOUBLE_EQUAL(m.info.residual, relative_residual(&m, m.x), 1e-3 * tolerance);
    expect_solution(&m, 1e3 * tolerance);
    int32_t before = m.info.iterations;
    must(solve(&m, &def)); /* from its own solution there is nothing to do */
    CU_ASSERT(m.info.iterations == 0 && before > 0);
    drop(&m);
}

static void test_double_matches_the_host(void)
{
    if (device && ew_device_about(device)->has_double) {
        solve_and_compare(device, EW_DOUBLE, EW_BLOCK_JACOBI, 1e-9, false);
        solve_and_compare(device, EW_DOUBLE, EW_JACOBI, 1e-9, false);
        solve_and_compare(device, EW_DOUBLE, EW_BLOCK_JACOBI, 1e-9, true);
        solve_and_compare(device, EW_DOUBLE, EW_RIGID, 1e-9, true);
    }
}

static void test_mixed_matches_the_host(void)
{
    if (device && ew_device_about(device)->has_double) {
        solve_and_compare(device, EW_MIXED, EW_BLOCK_JACOBI, 1e-9, false);
        solve_and_compare(device, EW_MIXED, EW_JACOBI, 1e-9, true);
        solve_and_compare(device, EW_MIXED, EW_RIGID, 1e-9, true);
    }
}

/* Single precision reaches its tolerance truly, or says that it did not. */
static void solve_single(ew_device *on)
{
    solve_and_compare(on, EW_SINGLE, EW_BLOCK_JACOBI, 1e-3, false);
    solve_and_compare(on, EW_SINGLE, EW_BLOCK_JACOBI, 1e-3, true);
    solve_and_compare(on, EW_SINGLE, EW_RIGID, 1e-3, true);
    model m = make(on, EW_SINGLE);
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = EW_SINGLE;
    def.tolerance = 1e-13;
    def.max_iterations = 400;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_NOT_CONVERGED);
    CU_ASSERT(m.info.residual > def.tolerance && m.info.residual < 1e-2);
    CU_ASSERT_DOUBLE_EQUAL(m.info.residual, relative_residual(&m, m.x), 1e-6 * m.info.residual);
    drop(&m);
}

static void test_single_claims_what_it_reached(void)
{
    ew_device *plain = NULL;
    ew_device_def def = {-1, -1, true};
    if (device) {
        solve_single(device);
        must(ew_device_open(&plain, &def));
        solve_single(plain);
        ew_device_close(plain);
    }
}

/* A slender body is much softer than its tets: the rounding of a preconditioner in single precision
 * must cost hardly an iteration; single blocks all through do not get there. */
static void compare_on_a_beam(const int32_t n_cell[3], ew_preconditioner_kind kind)
{
    model m = make_box(device, EW_MIXED, (double[3]){20.0, 1.0, 1.0}, n_cell);
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = kind;
    for (size_t i = 0; i < m.n; i++) {
        bool tip = m.mesh.xyz[i - i % 3] > 19.99 && m.fixed[i / 3] != 7;
        m.fixed[i / 3] &= m.fixed[i / 3] == 7 ? 7 : 0;
        m.b[i] = tip && i % 3 == 2 ? -1.0 : 0.0;
    }
    def.precision = EW_DOUBLE;
    must(solve(&m, &def));
    const int32_t in_double = m.info.iterations;
    memset(m.x, 0, m.n * sizeof *m.x);
    def.precision = EW_MIXED;
    must(solve(&m, &def));
    CU_ASSERT(m.info.iterations <= in_double + in_double / 5 + 3);
    CU_ASSERT(relative_residual(&m, m.x) <= def.tolerance);
    memset(m.x, 0, m.n * sizeof *m.x);
    def.precision = EW_SINGLE;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_NOT_CONVERGED);
    drop(&m);
}

static void test_mixed_keeps_up_on_slender_beams(void)
{
    if (!device || !ew_device_about(device)->has_double || getenv("EW_QUICK")) {
        return; /* thousands of iterations, which simulators need minutes for */
    }
    const int32_t beam[3] = {16 * cells(), cells() - 1, cells() - 1}, wire[3] = {150, 1, 1};
    compare_on_a_beam(beam, EW_BLOCK_JACOBI);
    compare_on_a_beam(beam, EW_RIGID);
    compare_on_a_beam(wire, EW_RIGID);
}

static void test_no_load_gives_the_prescribed_values(void)
{
    if (!device) {
        return;
    }
    model m = make(device, EW_SINGLE);
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = EW_SINGLE;
    memset(m.b, 0, m.n * sizeof *m.b);
    for (size_t i = 0; i < m.n; i++) {
        m.x[i] = m.fixed[i / 3] >> i % 3 & 1 ? 0.0 : 1.0;
    }
    must(solve(&m, &def));
    CU_ASSERT_EQUAL(m.info.iterations, 0);
    for (size_t i = 0; i < m.n; i++) {
        CU_ASSERT_EQUAL(m.x[i], 0.0);
    }
    drop(&m);
}

static void test_failures_have_their_statuses(void)
{
    if (!device || !ew_device_about(device)->has_double) {
        return;
    }
    model m = make(device, EW_DOUBLE);
    ew_pcg_def def = ew_default_pcg_def();
    def.max_iterations = 3;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_NOT_CONVERGED);
    CU_ASSERT_EQUAL(m.info.iterations, 3);
    CU_ASSERT_DOUBLE_EQUAL(m.info.residual, relative_residual(&m, m.x), 1e-9);
    def.max_iterations = 1000;
    def.precision = EW_MIXED;
    def.preconditioner = EW_RIGID;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_BAD_ARGUMENT);
    def = ew_default_pcg_def();
    def.precision = EW_DOUBLE;
    def.tolerance = 2.0;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(m.info.status, EW_BAD_ARGUMENT);
    def.tolerance = 1e-8;
    double *last = m.b + m.n - 5, value = *last; /* of a free vertex */
    *last = NAN;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_NOT_FINITE);
    *last = value;
    memset(m.x, 0, m.n * sizeof *m.x);
    double block[9];
    must(ew_buffer_read(device, &m.matrix.diagonal, 72, sizeof block, block));
    memset(m.fixed, 0, 2);
    for (int i = 0; i < 9; i++) {
        block[i] = -block[i];
    }
    must(ew_buffer_write(device, &m.matrix.diagonal, 72, sizeof block, block));
    CU_ASSERT_EQUAL(solve(&m, &def), EW_INDEFINITE);
    m.matrix.revision = 0;
    CU_ASSERT_EQUAL(solve(&m, &def), EW_STALE);
    drop(&m);
}

static void test_same_bits_every_time(void)
{
    if (!device) {
        return;
    }
    model m = make(device, EW_SINGLE);
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = EW_SINGLE;
    def.tolerance = 1e-3;
    must(solve(&m, &def));
    memcpy(m.y, m.x, m.n * sizeof *m.x);
    memset(m.x, 0, m.n * sizeof *m.x);
    must(solve(&m, &def));
    CU_ASSERT_EQUAL(memcmp(m.x, m.y, m.n * sizeof *m.x), 0);
    drop(&m);
}

static void test_allocation_failures(void)
{
    if (!device) {
        return;
    }
    model m = make(device, EW_SINGLE);
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = EW_SINGLE;
    def.tolerance = 1e-3;
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        memset(m.x, 0, m.n * sizeof *m.x);
        ew_test_allocations_begin(k);
        ew_status status = solve(&m, &def);
        ew_solver_free(&m.solver);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 1000);
    }
    drop(&m);
}

/* Where a preconditioner gives up and another goes on, the outcome goes on being counted, but the
 * directions of the first are not those of the second. */
static void test_another_preconditioner_starts_over(void)
{
    if (!device || !ew_device_about(device)->has_double) {
        return;
    }
    model m = make(device, EW_MIXED);
    ew_operator op =
        ew_operator_on_device(&m.matrix, &m.copy.pattern, &m.topology.pattern, &m.host);
    const ew_system system = {.op = &op, .xyz = m.mesh.xyz, .fixed = m.fixed, .b = m.b};
    const ew_pcg_ops *ops = &ew_pcg_on_device;
    ew_preconditioner by = {0};
    ew_pcg_history history = {0};
    ew_pcg_def def = ew_default_pcg_def();
    void *workspace = NULL;
    def.precision = EW_MIXED;
    must(op.type->prepare(&op, EW_MIXED));
    for (int k = 0; k < 2; k++) {
        const ew_pcg_task task = {&system, &by, EW_MIXED, m.x, NULL};
        must(ew_preconditioner_setup(&by, k ? EW_BLOCK_JACOBI : EW_JACOBI, &system, EW_MIXED));
        must(ops->open(&workspace, &task));
        def.max_iterations = k ? 20000 : 3;
        CU_ASSERT_EQUAL(ew_pcg_iterate(ops, workspace, &def, &history, &m.info),
                        k ? EW_OK : EW_NOT_CONVERGED);
        must(ops->close(workspace, false));
        CU_ASSERT(k || (m.info.iterations == 3 && m.info.passes == 1));
    }
    CU_ASSERT(m.info.residual <= def.tolerance);
    ops->free(workspace);
    ew_release(history.value);
    ew_preconditioner_free(&by);
    ew_operator_free(&op);
    drop(&m);
}

/* x after n iterations of the recurrence. */
static void iterate(const ew_pcg_task *task, void **workspace, int32_t n, double enough,
                    ew_pcg_step *step)
{
    const ew_pcg_ops *ops = &ew_pcg_on_device;
    double scale, rr;
    must(ops->open(workspace, task));
    must(ops->residual(*workspace, &scale, &rr));
    must(ops->start(*workspace));
    const uint64_t before = ew_device_waits(device);
    must(ops->iterate(*workspace, n, enough, step));
    CU_ASSERT_EQUAL(ew_device_waits(device) - before, 1);
    must(ops->residual(*workspace, &scale, &rr));
    must(ops->close(*workspace, false));
}

/* Iterations that are queued together are waited for once, and those after the one that is enough
 * change nothing. So a solve waits in few of them. */
static void expect_no_waiting(ew_precision precision, ew_preconditioner_kind kind)
{
    model m = make(device, precision);
    ew_operator op =
        ew_operator_on_device(&m.matrix, &m.copy.pattern, &m.topology.pattern, &m.host);
    const ew_system system = {.op = &op, .xyz = m.mesh.xyz, .fixed = m.fixed, .b = m.b};
    ew_preconditioner by = {0};
    ew_pcg_history history = {0};
    ew_pcg_def def = ew_default_pcg_def();
    ew_pcg_step all[EW_PCG_AHEAD], some[EW_PCG_AHEAD];
    void *workspace = NULL;
    int32_t last = 0;
    def.precision = precision;
    def.tolerance = precision == EW_SINGLE ? 1e-4 : 1e-8;
    must(op.type->prepare(&op, precision));
    must(ew_preconditioner_setup(&by, kind, &system, precision));
    const ew_pcg_task task = {&system, &by, precision, m.x, NULL},
                      other = {&system, &by, precision, m.y, NULL};
    iterate(&task, &workspace, 6, 0.0, all);
    for (int32_t k = 1; k < 6; k++) {
        last = all[k].rr < all[last].rr ? k : last;
    }
    memset(m.x, 0, m.n * sizeof *m.x);
    iterate(&task, &workspace, last + 1, 0.0, some);
    iterate(&other, &workspace, EW_PCG_AHEAD, some[last].rr, all);
    CU_ASSERT_EQUAL(memcmp(m.x, m.y, m.n * sizeof *m.x), 0);
    CU_ASSERT_EQUAL(memcmp(all, some, (size_t)(last + 1) * sizeof *all), 0);

    memset(m.x, 0, m.n * sizeof *m.x);
    must(ew_pcg_on_device.open(&workspace, &task));
    const uint64_t before = ew_device_waits(device);
    must(ew_pcg_iterate(&ew_pcg_on_device, workspace, &def, &history, &m.info));
    const int waits = (int)(ew_device_waits(device) - before) - m.info.passes - 2; /* residuals */
    CU_ASSERT(quick || 4 * waits < 3 * m.info.iterations);
    ew_pcg_on_device.free(workspace);
    ew_release(history.value);
    ew_preconditioner_free(&by);
    ew_operator_free(&op);
    drop(&m);
}

static void test_no_waiting_within_iterations(void)
{
    for (int k = 0; device && k < 4; k++) {
        if (k < 2 || ew_device_about(device)->has_double) {
            expect_no_waiting(k < 2 ? EW_SINGLE : EW_MIXED, k % 2 ? EW_RIGID : EW_BLOCK_JACOBI);
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"double_matches_the_host", test_double_matches_the_host},
        {"mixed_matches_the_host", test_mixed_matches_the_host},
        {"single_claims_what_it_reached", test_single_claims_what_it_reached},
        {"mixed_keeps_up_on_slender_beams", test_mixed_keeps_up_on_slender_beams},
        {"no_load_gives_the_prescribed_values", test_no_load_gives_the_prescribed_values},
        {"failures_have_their_statuses", test_failures_have_their_statuses},
        {"same_bits_every_time", test_same_bits_every_time},
        {"another_preconditioner_starts_over", test_another_preconditioner_starts_over},
        {"no_waiting_within_iterations", test_no_waiting_within_iterations},
        {"allocation_failures", test_allocation_failures},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device solver", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
