/* What a solver keeps from solve to solve, on the host and on a device: its memory, and a
 * preconditioner that follows changes and constraints. The oracle is a fresh solver: same bits. */
#include "assembly/parts/assembly.h"
#include "one_device.h"
#include "shape/parts/shape.h"
#include "solver/parts/solver.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One place and one kind; every test runs in each. */
typedef struct place {
    bool on_device;
    ew_preconditioner_kind kind;
    ew_precision precision;
    double tolerance;
} place;

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_materials materials;
    ew_matrix matrix;
    ew_device_mesh copy;
    ew_device_matrix on_device;
    ew_operator op;
    ew_system system;
    ew_edit edit;
    ew_change change;
    int32_t capacity[3];
    uint8_t *fixed;
    double *b, *x;
    place in;
    ew_solver solver;
    ew_pcg_info info;
} body;

/* Constraints, loads and a zero start vector for the rows as they are. */
static void derive(body *m)
{
    const int32_t n = m->mesh.n_vertex;
    must(ew_grow(&m->fixed, &m->capacity[0], n, 1));
    must(ew_grow(&m->b, &m->capacity[1], n, 3 * sizeof *m->b));
    must(ew_grow(&m->x, &m->capacity[2], n, 3 * sizeof *m->x));
    for (int32_t v = 0; v < n; v++) {
        const bool base = m->mesh.xyz[3 * (size_t)v] < 1e-9;
        m->fixed[v] = base || !ew_mesh_vertex_is_active(&m->mesh, v) ? 7 : v % 11 ? 0 : 2;
        for (int32_t c = 0; c < 3; c++) {
            m->b[3 * v + c] = 1e3 * (v % 7 - 2 * c);
            m->x[3 * v + c] = 0.0;
        }
    }
    m->op = m->in.on_device ? ew_operator_on_device(&m->on_device, &m->copy.pattern,
                                                    &m->topology.pattern, &m->matrix)
                            : ew_operator_on_host(&m->matrix, &m->topology.pattern);
    m->system = (ew_system){.op = &m->op, .xyz = m->mesh.xyz, .fixed = m->fixed, .b = m->b};
}

static void build(body *m)
{
    must(ew_stiffness_build(&m->matrix, &m->mesh, &m->topology, &m->materials));
    if (m->in.on_device) {
        const ew_stiffness from = ew_stiffness_of(&m->mesh, &m->topology, &m->materials);
        must(ew_device_mesh_build(&m->copy, device, &m->mesh, &m->topology));
        must(ew_device_matrix_build(&m->on_device, &m->copy, &from, m->in.precision, &m->matrix));
    }
}

static void make_cells(body *m, const place *in, const int32_t cells[3])
{
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850.0};
    *m = (body){.in = *in};
    must(ew_shape_box(&m->mesh, (double[3]){1.0, 0.9, 1.1}, cells));
    must(ew_topology_build(&m->topology, &m->mesh));
    must(ew_materials_init(&m->materials, 1, &steel));
    build(m);
    derive(m);
}

static void make(body *m, const place *in)
{
    make_cells(m, in, (int32_t[3]){5, 4, 4}); /* 150 rows */
}

static void drop(body *m)
{
    ew_solver_free(&m->solver);
    ew_operator_free(&m->op);
    ew_device_matrix_free(&m->on_device);
    ew_device_mesh_free(&m->copy);
    ew_matrix_free(&m->matrix);
    ew_materials_free(&m->materials);
    ew_topology_free(&m->topology);
    ew_mesh_free(&m->mesh);
    ew_edit_free(&m->edit);
    ew_change_free(&m->change);
    ew_release(m->fixed);
    ew_release(m->b);
    ew_release(m->x);
}

static ew_pcg_def def_of(const body *m)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.preconditioner = m->in.kind;
    def.precision = m->in.precision;
    def.tolerance = m->in.tolerance;
    return def;
}

static ew_status solve(body *m)
{
    const ew_pcg_def def = def_of(m);
    return ew_solver_solve(&m->solver, &m->system, &def, m->x, &m->info);
}

/* The kept solver's answer from rest is that of one made for the purpose: bit by bit, unless
 * aggregates persist, and then with about as many iterations. */
static void expect_as_fresh(body *m)
{
    const ew_pcg_def def = def_of(m);
    const size_t bytes = 3 * (size_t)m->mesh.n_vertex * sizeof *m->x;
    ew_solver fresh = {0};
    ew_pcg_info info;
    double *x = calloc(bytes, 1);
    memset(m->x, 0, bytes);
    must(solve(m));
    must(ew_solver_solve(&fresh, &m->system, &def, x, &info));
    CU_ASSERT(info.iterations > 3);
    if (m->in.kind == EW_RIGID) {
        double largest = 0.0, difference = 0.0;
        for (size_t i = 0; i < bytes / sizeof *x; i++) {
            largest = fmax(largest, fabs(x[i]));
            difference = fmax(difference, fabs(x[i] - m->x[i]));
        }
        CU_ASSERT(difference < fmax(1e-5, 1e2 * def.tolerance) * largest);
        CU_ASSERT(m->info.iterations <= info.iterations + info.iterations / 2);
    } else {
        CU_ASSERT_EQUAL(m->info.iterations, info.iterations);
        CU_ASSERT_EQUAL(memcmp(x, m->x, bytes), 0);
    }
    ew_solver_free(&fresh);
    free(x);
}

/* Commits m->edit and brings all along but the solver. */
static void commit(body *m)
{
    ew_operator_free(&m->op);
    must(ew_mesh_commit(&m->mesh, &m->edit, NULL, &m->change));
    ew_edit_clear(&m->edit);
    must(ew_topology_update(&m->topology, &m->mesh, &m->change));
    must(ew_stiffness_revalidate(&m->matrix, &m->mesh, &m->topology, &m->materials,
                                 &m->topology.touched));
    if (m->in.on_device) {
        const ew_stiffness from = ew_stiffness_of(&m->mesh, &m->topology, &m->materials);
        must(ew_device_mesh_update(&m->copy, &m->mesh, &m->topology, &m->change));
        must(ew_device_matrix_revalidate(&m->on_device, &m->copy, &from, &m->topology.touched,
                                         &m->matrix));
    }
    derive(m);
}

static ew_status update(body *m)
{
    return ew_solver_update(&m->solver, &m->system, &m->topology.touched);
}

/* A vertex in the middle of a tet: four tets in place of one, and a new row. */
static void grow_at(body *m, int32_t t)
{
    int32_t corner[4], added;
    memcpy(corner, m->mesh.tet + 4 * (size_t)t, sizeof corner);
    double at[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        for (int c = 0; c < 3; c++) {
            at[c] += 0.25 * m->mesh.xyz[3 * (size_t)corner[k] + (size_t)c];
        }
    }
    must(ew_edit_remove_tet(&m->edit, t));
    must(ew_edit_add_vertex(&m->edit, at, &added));
    for (int k = 0; k < 4; k++) {
        int32_t four[4];
        memcpy(four, corner, sizeof four);
        four[k] = added;
        must(ew_edit_add_tet(&m->edit, four, m->mesh.region_label[0]));
    }
}

/* ---- tests, each for one place ------------------------------------------ */

static void second_solve(const place *in)
{
    body m;
    make(&m, in);
    must(solve(&m));
    CU_ASSERT(m.info.seconds_setup > 0.0 && m.info.preconditioner == in->kind);
    for (int32_t i = 0; i < 3 * m.mesh.n_vertex; i++) {
        m.b[i] *= i % 2 ? 3.0 : -1.0;
        m.x[i] = 0.0;
    }
    ew_test_allocations_begin(0); /* all of them fail */
    ew_status status = solve(&m);
    CU_ASSERT_FALSE(ew_test_allocations_end());
    CU_ASSERT_EQUAL(status, EW_OK);
    CU_ASSERT(m.info.iterations > 3 && m.info.n_history == m.info.iterations);
    CU_ASSERT_EQUAL(m.info.seconds_setup, 0.0);
    drop(&m);
}

/* The solve set nothing up; of the rigid kind a factor may have waited for it, on the host. */
static void expect_kept(const body *m)
{
    const bool may_wait = m->in.kind == EW_RIGID && !m->in.on_device;
    CU_ASSERT(m->info.seconds_setup == 0.0 || may_wait);
}

static void changes(const place *in)
{
    body m;
    make(&m, in);
    must(solve(&m));
    for (int32_t round = 0; round < 6; round++) {
        if (round % 2) {
            for (int32_t k = 0; k <= 8 * round; k++) { /* more rows than there was headroom for */
                grow_at(&m, 3 + 6 * k + round);
            }
        } else {
            const double *x = m.mesh.xyz + 3 * (size_t)(20 + round);
            must(ew_edit_remove_tet(&m.edit, 300 + round));
            must(ew_edit_move_vertex(&m.edit, 20 + round,
                                     (double[3]){x[0] + 0.01, x[1] - 0.01, x[2] + 0.02}));
        }
        commit(&m);
        must(update(&m));
        CU_ASSERT(m.solver.preconditioner.revision == m.mesh.revision);
        expect_as_fresh(&m);
        expect_kept(&m);
    }
    drop(&m);
}

static void missed_change(const place *in)
{
    body m;
    make(&m, in);
    must(update(&m)); /* nothing to bring along yet */
    must(solve(&m));
    must(ew_edit_remove_tet(&m.edit, 50));
    commit(&m);
    CU_ASSERT_EQUAL(solve(&m), EW_STALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "preconditioner"));
    must(update(&m));
    CU_ASSERT_EQUAL(update(&m), EW_STALE); /* once is enough */
    expect_as_fresh(&m);
    must(ew_edit_remove_tet(&m.edit, 51));
    commit(&m);
    must(ew_edit_remove_tet(&m.edit, 52));
    commit(&m);
    CU_ASSERT_EQUAL(update(&m), EW_STALE);
    CU_ASSERT_EQUAL(solve(&m), EW_STALE);
    ew_solver_reset(&m.solver);
    expect_as_fresh(&m);
    drop(&m);
}

/* What finds no memory is set up by the next solve. */
static void update_without_memory(const place *in)
{
    body m;
    make(&m, in);
    must(solve(&m));
    for (int32_t k = 0; k < 60; k++) {
        grow_at(&m, 6 * k);
    }
    commit(&m);
    ew_test_allocations_begin(0); /* all of them fail */
    const ew_status status = update(&m);
    CU_ASSERT_TRUE(ew_test_allocations_end());
    CU_ASSERT_EQUAL(status, EW_OK);
    must(solve(&m));
    CU_ASSERT(m.info.seconds_setup > 0.0);
    expect_as_fresh(&m);
    drop(&m);
}

static void other_constants(const place *in)
{
    const ew_material soft = {.young = 1e9, .poisson = 0.2, .density = 7850.0};
    body m;
    make(&m, in);
    must(solve(&m));
    ew_materials_free(&m.materials);
    must(ew_materials_init(&m.materials, 1, &soft));
    build(&m);
    CU_ASSERT_EQUAL(solve(&m), EW_STALE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "constants"));
    ew_solver_reset(&m.solver);
    expect_as_fresh(&m);
    drop(&m);
}

static void other_constraints(const place *in)
{
    body m;
    make(&m, in);
    must(solve(&m));
    for (int32_t v = 30; v < 60; v++) {
        m.fixed[v] = (uint8_t)(v % 8);
    }
    expect_as_fresh(&m);
    expect_kept(&m);
    derive(&m); /* and back */
    expect_as_fresh(&m);
    drop(&m);
}

/* Another kind, precision or matrix: all that was kept is replaced without a word. */
static void another_system(const place *in)
{
    body m, other;
    make(&m, in);
    make(&other, &(place){.kind = EW_JACOBI, .tolerance = 1e-6});
    must(solve(&m));
    const ew_pcg_def def = def_of(&other);
    must(ew_solver_solve(&m.solver, &other.system, &def, other.x, &m.info));
    CU_ASSERT(m.info.seconds_setup > 0.0 && m.info.preconditioner == EW_JACOBI);
    expect_as_fresh(&m);
    CU_ASSERT(m.info.seconds_setup > 0.0 && m.info.preconditioner == in->kind);
    drop(&m);
    drop(&other);
}

/* ---- the automatic choice ------------------------------------------------ */

static void test_automatic_choice(void)
{
    const place automatic = {false, EW_AUTO_PRECONDITIONER, EW_AUTO_PRECISION, 1e-8};
    body m;
    make(&m, &automatic); /* 150 rows */
    must(solve(&m));
    CU_ASSERT_EQUAL(m.info.preconditioner, EW_BLOCK_JACOBI);
    CU_ASSERT_STRING_EQUAL(m.info.reason, "auto, for few rows");
    int32_t by_jacobi = m.info.iterations;
    for (int32_t k = 0; k < 8 && m.mesh.n_vertex < EW_RIGID_ROWS + EW_RIGID_ROWS / 2; k++) {
        for (int32_t t = m.mesh.n_tet - 1; t >= 0; t -= 3) {
            grow_at(&m, t);
        }
        commit(&m);
        must(update(&m));
    }
    must(solve(&m));
    CU_ASSERT_EQUAL(m.info.preconditioner, EW_RIGID);
    CU_ASSERT_STRING_EQUAL(m.info.reason, "auto");
    CU_ASSERT_EQUAL(m.info.fallback, EW_OK);
    CU_ASSERT(m.info.iterations < by_jacobi);
    m.system.xyz = NULL;
    ew_solver_reset(&m.solver);
    must(solve(&m));
    CU_ASSERT_STRING_EQUAL(m.info.reason, "auto, without positions");
    m.in.kind = EW_RIGID;
    CU_ASSERT_EQUAL(solve(&m), EW_BAD_ARGUMENT);
    drop(&m);
}

/* From the same number of rows on, with fewer iterations. */
static void test_automatic_choice_on_a_device(void)
{
    const place automatic = {true, EW_AUTO_PRECONDITIONER, EW_AUTO_PRECISION, 1e-8};
    body m;
    if (!device || !ew_device_about(device)->has_double) {
        return;
    }
    make(&m, &automatic); /* 150 rows */
    must(solve(&m));
    CU_ASSERT_EQUAL(m.info.preconditioner, EW_BLOCK_JACOBI);
    CU_ASSERT_STRING_EQUAL(m.info.reason, "auto, for few rows");
    drop(&m);
    make_cells(&m, &automatic, (int32_t[3]){8, 8, 8});
    must(solve(&m));
    CU_ASSERT_EQUAL(m.info.preconditioner, EW_RIGID);
    CU_ASSERT_EQUAL(m.info.fallback, EW_OK);
    const int32_t iterations = m.info.iterations;
    memset(m.x, 0, 3 * (size_t)m.mesh.n_vertex * sizeof *m.x);
    m.in.kind = EW_BLOCK_JACOBI;
    must(solve(&m));
    CU_ASSERT(iterations < m.info.iterations);
    drop(&m);
}

/* ---- all places ---------------------------------------------------------- */

static void in_all_places(void (*test)(const place *in))
{
    static const place places[] = {{false, EW_JACOBI, EW_DOUBLE, 1e-8},
                                   {false, EW_BLOCK_JACOBI, EW_AUTO_PRECISION, 1e-8},
                                   {false, EW_BLOCK_JACOBI, EW_SINGLE, 1e-3},
                                   {false, EW_RIGID, EW_AUTO_PRECISION, 1e-8},
                                   {false, EW_RIGID, EW_DOUBLE, 1e-8},
                                   {true, EW_JACOBI, EW_AUTO_PRECISION, 1e-8},
                                   {true, EW_BLOCK_JACOBI, EW_DOUBLE, 1e-8},
                                   {true, EW_BLOCK_JACOBI, EW_MIXED, 1e-8},
                                   {true, EW_BLOCK_JACOBI, EW_SINGLE, 1e-3},
                                   {true, EW_RIGID, EW_AUTO_PRECISION, 1e-8},
                                   {true, EW_RIGID, EW_MIXED, 1e-8},
                                   {true, EW_RIGID, EW_SINGLE, 1e-3}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const bool in_double = places[i].precision != EW_SINGLE;
        if (!places[i].on_device ||
            (device && (ew_device_about(device)->has_double || !in_double))) {
            test(&places[i]);
        }
    }
}

static void test_second_solve_allocates_nothing(void)
{
    in_all_places(second_solve);
}
static void test_changes_are_followed(void)
{
    in_all_places(changes);
}
static void test_update_without_memory(void)
{
    in_all_places(update_without_memory);
}
static void test_missed_change_is_refused(void)
{
    in_all_places(missed_change);
}
static void test_other_constants_are_refused(void)
{
    in_all_places(other_constants);
}
static void test_other_constraints_are_followed(void)
{
    in_all_places(other_constraints);
}
static void test_another_system_is_set_up(void)
{
    in_all_places(another_system);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"second_solve_allocates_nothing", test_second_solve_allocates_nothing},
        {"changes_are_followed", test_changes_are_followed},
        {"update_without_memory", test_update_without_memory},
        {"missed_change_is_refused", test_missed_change_is_refused},
        {"other_constants_are_refused", test_other_constants_are_refused},
        {"other_constraints_are_followed", test_other_constraints_are_followed},
        {"another_system_is_set_up", test_another_system_is_set_up},
        {"automatic_choice", test_automatic_choice},
        {"automatic_choice_on_a_device", test_automatic_choice_on_a_device},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"solver objects", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
