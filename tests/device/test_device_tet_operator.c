/* Products from tets, on the host and on a device: equal to those of stored matrices to rounding,
 * after edits and with springs; the same bits for any number of threads and kind of processor;
 * solves; what is refused. */
#include "mass_fixture.h"

#include "analysis/operators/tet_rows.h"

#include "solver/krylov/pcg.h"

/* A step body and its products from tets. */
typedef struct tets {
    step_body s;
    ew_stiffness diagonal_stiffness; /* the diagonal alone of the same */
    ew_mass diagonal_mass;
    ew_combination diagonal_step;
    ew_matrix k, mm, a;
    ew_tet_operator of_k, of_a;
} tets;

static void build_diagonals(tets *t)
{
    t->diagonal_stiffness.ground = t->s.stiffness.ground;
    t->diagonal_stiffness.ground_revision = t->s.stiffness.ground_revision;
    must(ew_matrix_build(&t->k, &t->diagonal_stiffness.source));
    must(ew_matrix_build(&t->mm, &t->diagonal_mass.source));
    must(ew_matrix_build(&t->a, &t->diagonal_step.source));
}

static void derive_tets(tets *t, model *m, ew_mass_kind kind)
{
    *t = (tets){0};
    derive_step(&t->s, m, kind);
    t->diagonal_stiffness = t->s.stiffness;
    t->diagonal_stiffness.source.diagonal_only = true;
    t->diagonal_mass = t->s.mass;
    t->diagonal_mass.source.diagonal_only = true;
    t->diagonal_step = ew_combination_of(&t->diagonal_stiffness.source, &t->k, OF_STIFFNESS,
                                         &t->diagonal_mass, &t->mm, OF_MASS);
    build_diagonals(t);
    t->of_k = ew_tet_operator_on_host(&t->s.stiffness, 1.0, NULL, 0.0, &t->k);
    t->of_a = ew_tet_operator_on_host(&t->s.stiffness, OF_STIFFNESS, &t->s.mass, OF_MASS, &t->a);
}

static void drop_tets(tets *t)
{
    ew_tet_operator_free(&t->of_k);
    ew_tet_operator_free(&t->of_a);
    ew_matrix_free(&t->k);
    ew_matrix_free(&t->mm);
    ew_matrix_free(&t->a);
    drop_step(&t->s);
}

/* After a commit: the diagonals by what it touched. */
static void follow_tets(tets *t)
{
    const ew_pattern_change *change = &t->s.m->topology.touched;
    follow_on_host(&t->s);
    t->diagonal_stiffness.ground = t->s.stiffness.ground;
    t->diagonal_stiffness.ground_revision = t->s.stiffness.ground_revision;
    must(ew_matrix_revalidate(&t->k, &t->diagonal_stiffness.source, change));
    must(ew_matrix_revalidate(&t->mm, &t->diagonal_mass.source, change));
    must(ew_matrix_revalidate(&t->a, &t->diagonal_step.source, change));
}

static double difference(const double *y, const double *z, size_t n)
{
    double largest = 0.0, error = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(y[i]));
        error = fmax(error, fabs(y[i] - z[i]));
    }
    return error / largest;
}

/* The diagonal blocks have the bits of the stored matrix. */
static void expect_diagonal(const ew_matrix *diagonal, const ew_matrix *stored)
{
    CU_ASSERT_PTR_NULL(diagonal->pair);
    CU_ASSERT_EQUAL(memcmp(diagonal->diagonal, stored->diagonal,
                           9 * (size_t)stored->n_row * sizeof(double)),
                    0);
}

static void expect_products(tets *t)
{
    const ew_pattern *pattern = &t->s.m->topology.pattern;
    const size_t n = 3 * (size_t)t->s.k.n_row;
    const ew_matrix *const stored[2] = {&t->s.k, &t->s.a};
    ew_tet_operator *const op[2] = {&t->of_k, &t->of_a};
    double *x;
    must(ew_new(&x, 3 * n, sizeof *x));
    for (size_t i = 0; i < n; i++) {
        x[i] = 3.0 + sin((double)i);
    }
    for (int k = 0; k < 2; k++) {
        double *y = x + n, *z = y + n;
        ew_matrix_product(stored[k], pattern, x, y);
        must(ew_tet_operator_prepare(op[k]));
        ew_operator_product(&op[k]->as, x, z);
        CU_ASSERT(difference(y, z, n) < 1e-13);
    }
    expect_diagonal(&t->k, &t->s.k);
    expect_diagonal(&t->a, &t->s.a);
    ew_release(x);
}

static void test_products_after_edits(void)
{
    for (int k = 0; k < 4; k++) {
        model m = k < 2 ? make_box(3) : make_chain(30);
        tets t;
        ew_edit edit = {0};
        ew_list gone = {0};
        uint64_t state = 5 + (uint64_t)k;
        derive_tets(&t, &m, k % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED);
        expect_products(&t);
        for (int32_t n = 0; n < 100; n++) {
            const int32_t kept = gone.n;
            queue_batch(&m.mesh, &state, &gone, &edit);
            if (!commit(&m, &edit)) {
                gone.n = kept < gone.n ? kept : gone.n;
                continue;
            }
            follow_tets(&t);
            expect_products(&t);
        }
        expect_verified(&t.k, &t.diagonal_stiffness.source);
        expect_verified(&t.mm, &t.diagonal_mass.source);
        expect_verified(&t.a, &t.diagonal_step.source);
        ew_edit_free(&edit);
        ew_list_free(&gone);
        drop_tets(&t);
        drop(&m);
    }
}

/* Enough rows for several threads, and holes. */
static void test_same_bits_on_any_number_of_threads(void)
{
    model m = make_box(14);
    tets t;
    ew_edit edit = {0};
    const int threads = ew_threads();
    const size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *x;
    for (int32_t i = 0; i < m.mesh.n_tet; i += 97) {
        must(ew_edit_remove_tet(&edit, i));
    }
    CU_ASSERT_FATAL(commit(&m, &edit));
    derive_tets(&t, &m, EW_MASS_CONSISTENT);
    must(ew_new(&x, 4 * n, sizeof *x));
    double *y = x + n, *z = y + n, *w = z + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
    }
    must(ew_tet_operator_prepare(&t.of_a));
    ew_use_threads(1);
    ew_operator_product(&t.of_a.as, x, y);
    ew_use_threads(3);
    ew_operator_product(&t.of_a.as, x, z);
    ew_use_threads(threads);
    CU_ASSERT_EQUAL(memcmp(y, z, n * sizeof *y), 0);
    /* the loop compiled here for any processor; without rows of no tets and springs */
    const ew_tet_share all = {.tet = m.mesh.tet,
                              .region = m.mesh.region,
                              .xyz = m.mesh.xyz,
                              .term = t.of_a.term,
                              .x = x,
                              .y = w,
                              .end = m.mesh.n_vertex,
                              .mass = EW_TET_CONSISTENT};
    memset(w, 0, n * sizeof *w);
    ew_multiply_tets_any(&t.of_a, &all);
    t.s.stiffness.ground = NULL;
    ew_operator_product(&t.of_a.as, x, z);
    CU_ASSERT_EQUAL(memcmp(w, z, n * sizeof *y), 0);
    ew_release(x);
    ew_edit_free(&edit);
    drop_tets(&t);
    drop(&m);
}

/* ---- solves ---------------------------------------------------------------- */

static ew_status solve_with(ew_operator *op, const model *m, ew_preconditioner_kind kind,
                            ew_precision precision, double *x, ew_pcg_info *info)
{
    const size_t n = (size_t)m->mesh.n_vertex;
    ew_solver solver = {0};
    ew_pcg_def def = ew_default_pcg_def();
    uint8_t *fixed;
    double *b;
    must(ew_new_zero(&fixed, n, 1));
    must(ew_new(&b, 3 * n, sizeof *b));
    for (size_t v = 0; v < n; v++) {
        fixed[v] = m->mesh.xyz[3 * v] == 0.0 || m->mesh.valence[v] <= 0 ? 7 : 0;
        b[3 * v] = b[3 * v + 1] = b[3 * v + 2] = 1.0;
    }
    memset(x, 0, 3 * n * sizeof *x);
    def.preconditioner = kind;
    def.precision = precision;
    def.tolerance = 1e-10;
    const ew_system system = {.op = op, .xyz = m->mesh.xyz, .fixed = fixed, .b = b};
    const ew_status status = ew_solver_solve(&solver, &system, &def, x, info);
    ew_solver_free(&solver);
    ew_release(fixed);
    ew_release(b);
    return status;
}

/* One system by stored blocks and by the given operator of the same. */
static void expect_solution(tets *t, ew_operator *op, ew_preconditioner_kind kind,
                            ew_precision precision)
{
    const model *m = t->s.m;
    const size_t n = 3 * (size_t)m->mesh.n_vertex;
    ew_operator stored = ew_operator_on_host(&t->s.a, &m->topology.pattern);
    ew_pcg_info info;
    double *x;
    must(ew_new(&x, 2 * n, sizeof *x));
    must(solve_with(&stored, m, EW_BLOCK_JACOBI, EW_AUTO_PRECISION, x, &info));
    must(solve_with(op, m, kind, precision, x + n, &info));
    CU_ASSERT(info.residual <= 1e-10);
    CU_ASSERT_EQUAL(info.preconditioner, kind == EW_AUTO_PRECONDITIONER ? EW_BLOCK_JACOBI : kind);
    CU_ASSERT(difference(x, x + n, n) < 1e-7);
    ew_operator_free(&stored);
    ew_release(x);
}

static void expect_refused(tets *t, ew_operator *op, ew_preconditioner_kind kind,
                           ew_precision precision)
{
    const model *m = t->s.m;
    ew_pcg_info info;
    double *x;
    must(ew_new(&x, 3 * (size_t)m->mesh.n_vertex, sizeof *x));
    const ew_status status = solve_with(op, m, kind, precision, x, &info);
    CU_ASSERT(status == EW_UNSUPPORTED || status == EW_BAD_ARGUMENT);
    ew_release(x);
}

static void test_solves(void)
{
    model m = make_box(7); /* rows enough for `auto` to take rigid of stored blocks */
    tets t;
    derive_tets(&t, &m, EW_MASS_LUMPED);
    ew_operator *op = &t.of_a.as;
    expect_solution(&t, op, EW_JACOBI, EW_AUTO_PRECISION);
    expect_solution(&t, op, EW_BLOCK_JACOBI, EW_DOUBLE);
    expect_solution(&t, op, EW_AUTO_PRECONDITIONER, EW_MIXED);
    expect_refused(&t, op, EW_RIGID, EW_DOUBLE);
    expect_refused(&t, op, EW_JACOBI, EW_SINGLE);
    /* a diagonal is no stored operator */
    ew_operator wrong = ew_operator_on_host(&t.a, &m.topology.pattern);
    expect_refused(&t, &wrong, EW_JACOBI, EW_DOUBLE);
    ew_element other = ew_element_linear;
    other.has_tet_product = false;
    t.s.stiffness.element = &other;
    expect_refused(&t, op, EW_JACOBI, EW_DOUBLE);
    drop_tets(&t);
    drop(&m);
}

static void test_stale_and_allocations(void)
{
    model m = make_box(3);
    tets t;
    derive_tets(&t, &m, EW_MASS_LUMPED);
    for (int64_t k = 0;; k++) {
        ew_tet_operator op =
            ew_tet_operator_on_host(&t.s.stiffness, OF_STIFFNESS, &t.s.mass, OF_MASS, &t.a);
        ew_test_allocations_begin(k);
        const ew_status status = ew_tet_operator_prepare(&op);
        const bool refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT(refused || ew_tet_operator_bytes(&op) > 0);
        ew_tet_operator_free(&op);
        if (!refused) {
            break;
        }
    }
    remove_tet(&m, 5);
    CU_ASSERT_EQUAL(ew_tet_operator_prepare(&t.of_a),
                    EW_STALE); /* ground and diagonal are behind */
    follow_on_host(&t.s);
    CU_ASSERT_EQUAL(ew_tet_operator_prepare(&t.of_a), EW_STALE); /* the diagonal is */
    build_diagonals(&t);
    must(ew_tet_operator_prepare(&t.of_a));
    drop_tets(&t);
    drop(&m);
}

/* ---- on a device ------------------------------------------------------------- */

static void expect_device_product(tets *t, ew_tet_operator *op, bool single)
{
    const size_t n = 3 * (size_t)t->s.k.n_row, size = single ? sizeof(float) : sizeof(double);
    double *x, *y, *z;
    float *narrow;
    ew_buffer bx = {0}, by = {0};
    must(ew_new(&x, 3 * n, sizeof *x));
    must(ew_new(&narrow, n, sizeof *narrow));
    y = x + n;
    z = y + n;
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)sin((double)i);
        x[i] = (double)narrow[i];
    }
    ew_matrix_product(&t->s.a, &t->s.m->topology.pattern, x, y);
    must(ew_tet_operator_prepare(op));
    must(ew_buffer_reserve(device, &bx, n * size));
    must(ew_buffer_write(device, &bx, 0, n * size, single ? (const void *)narrow : x));
    must(op->as.type->device_product(&op->as, single, &bx, &by));
    must(ew_buffer_read(device, &by, 0, n * size, single ? (void *)narrow : z));
    for (size_t i = 0; i < n && single; i++) {
        z[i] = (double)narrow[i];
    }
    CU_ASSERT(difference(y, z, n) < (single ? 1e-7 : 1e-13));
    ew_buffer_free(&bx);
    ew_buffer_free(&by);
    ew_release(x);
    ew_release(narrow);
}

static void test_on_a_device(void)
{
    for (int k = 0; has_double() && k < 2; k++) {
        model m = make_box(quick ? 2 : 6);
        tets t;
        ew_device_matrix stiffness = {0}, mass = {0}, step = {0};
        derive_tets(&t, &m, k ? EW_MASS_CONSISTENT : EW_MASS_LUMPED);
        ew_tet_operator op = ew_tet_operator_on_device(&t.s.stiffness, OF_STIFFNESS, &t.s.mass,
                                                       OF_MASS, &m.copy, &step);
        for (int32_t edit = 0; edit < 3; edit++) {
            if (edit) {
                remove_tet(&m, 7 * edit);
                follow_tets(&t);
                CU_ASSERT_EQUAL(ew_tet_operator_prepare(&op), EW_STALE);
            }
            must(ew_device_mesh_build(&m.copy, device, &m.mesh, &m.topology));
            must(ew_device_matrix_build(&stiffness, &m.copy, &t.diagonal_stiffness, EW_DOUBLE,
                                        NULL));
            must(ew_device_mass_build(&mass, &m.copy, &t.diagonal_mass));
            must(ew_device_combination_build(&step, &m.copy, &t.diagonal_step, &stiffness, &mass,
                                             EW_DOUBLE, NULL));
            expect_device_product(&t, &op, false);
            expect_device_product(&t, &op, true);
        }
        expect_solution(&t, &op.as, EW_BLOCK_JACOBI, EW_DOUBLE);
        expect_solution(&t, &op.as, EW_AUTO_PRECONDITIONER, EW_MIXED);
        expect_refused(&t, &op.as, EW_RIGID, EW_DOUBLE);
        ew_tet_operator_free(&op);
        ew_device_matrix_free(&stiffness);
        ew_device_matrix_free(&mass);
        ew_device_matrix_free(&step);
        drop_tets(&t);
        drop(&m);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"products_after_edits", test_products_after_edits},
        {"same_bits_on_any_number_of_threads", test_same_bits_on_any_number_of_threads},
        {"solves", test_solves},
        {"stale_and_allocations", test_stale_and_allocations},
        {"on_a_device", test_on_a_device},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"tet_operator", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
