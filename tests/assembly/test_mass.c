/* Mass and the matrix of a time step on the host: values, products, revalidation against a build
 * bit for bit, what is refused, allocations that fail. */
#include "mass_fixture.h"

static const ew_mass_kind kinds[] = {EW_MASS_LUMPED, EW_MASS_CONSISTENT};

/* One tet with V = 1/6 and rho = 7850. */
static void test_blocks_of_a_tet(void)
{
    model m = make_chain(1);
    const double whole =
        7850.0 * ew_tet_volume(m.mesh.xyz, m.mesh.xyz + 3, m.mesh.xyz + 6, m.mesh.xyz + 9);
    for (int k = 0; k < 2; k++) {
        step_body s;
        derive_step(&s, &m, kinds[k]);
        CU_ASSERT_EQUAL(s.mm.block, 1);
        CU_ASSERT_EQUAL(s.mm.pair == NULL, k == 0);
        CU_ASSERT_DOUBLE_EQUAL(s.mm.diagonal[2], whole / (k ? 10.0 : 4.0), 1e-14 * whole);
        CU_ASSERT_EQUAL(s.mm.diagonal[4], 1.0); /* of no tet */
        for (int32_t e = 0; k && e < 6; e++) {
            CU_ASSERT_DOUBLE_EQUAL(s.mm.pair[e], whole / 20.0, 1e-14 * whole);
        }
        for (int32_t i = 0; i < 9; i++) { /* A, entry by entry */
            const double mass = i % 4 ? 0.0 : OF_MASS * s.mm.diagonal[1];
            CU_ASSERT_EQUAL(s.a.diagonal[9 + i], OF_STIFFNESS * s.k.diagonal[9 + i] + mass);
            CU_ASSERT_EQUAL(s.a.diagonal[36 + i], i % 4 ? 0.0 : 1.0);
            const double pair = k && i % 4 == 0 ? OF_MASS * s.mm.pair[0] : 0.0;
            CU_ASSERT_EQUAL(s.a.pair[i], OF_STIFFNESS * s.k.pair[i] + pair);
        }
        expect_built(&s);
        drop_step(&s);
    }
    drop(&m);
}

/* A x = c_K K x + c_M M x, and M x against the sum over the pairs; other threads, the same bits. */
static void test_products(void)
{
    model m = make_box(9);
    const size_t n = 3 * (size_t)m.mesh.n_vertex;
    double *x, *y[4];
    must(ew_new(&x, n, sizeof *x));
    for (int i = 0; i < 4; i++) {
        must(ew_new(&y[i], n, sizeof *x));
    }
    for (size_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
    }
    for (int k = 0; k < 2; k++) {
        step_body s;
        double error[2] = {0.0, 0.0}, largest[2] = {0.0, 0.0};
        derive_step(&s, &m, kinds[k]);
        const ew_pattern *pattern = &m.topology.pattern;
        ew_matrix_product(&s.k, pattern, x, y[0]);
        ew_matrix_product_scalar(&s.mm, pattern, x, y[1]);
        ew_matrix_product(&s.a, pattern, x, y[2]);
        for (size_t i = 0; i < n; i++) {
            y[3][i] = s.mm.diagonal[i / 3] * x[i];
        }
        for (int32_t e = 0; e < s.mm.n_pair && !s.mm.diagonal_only; e++) {
            const int32_t *row = pattern->pair_row + 2 * (size_t)e;
            for (int c = 0; c < 3; c++) {
                y[3][3 * row[0] + c] += s.mm.pair[e] * x[3 * row[1] + c];
                y[3][3 * row[1] + c] += s.mm.pair[e] * x[3 * row[0] + c];
            }
        }
        for (size_t i = 0; i < n; i++) {
            const double a = OF_STIFFNESS * y[0][i] + OF_MASS * y[1][i];
            error[0] = fmax(error[0], fabs(a - y[2][i]));
            largest[0] = fmax(largest[0], fabs(a));
            error[1] = fmax(error[1], fabs(y[1][i] - y[3][i]));
            largest[1] = fmax(largest[1], fabs(y[1][i]));
        }
        CU_ASSERT(largest[1] > 0.0 && error[0] <= 1e-14 * largest[0]);
        CU_ASSERT(error[1] <= 1e-15 * largest[1]);
        const int threads = ew_threads();
        ew_use_threads(1);
        ew_matrix_product_scalar(&s.mm, pattern, x, y[3]);
        ew_use_threads(threads);
        CU_ASSERT_EQUAL(memcmp(y[1], y[3], n * sizeof *x), 0);
        drop_step(&s);
    }
    for (int i = 0; i < 4; i++) {
        ew_release(y[i]);
    }
    ew_release(x);
    drop(&m);
}

static void test_random_edits_equal_build(void)
{
    for (int k = 0; k < 4; k++) {
        model m = k < 2 ? make_box(3) : make_chain(30);
        step_body s;
        ew_edit edit = {0};
        ew_list gone = {0};
        uint64_t state = 5 + (uint64_t)k;
        int32_t n_applied = 0;
        derive_step(&s, &m, kinds[k % 2]);
        for (int32_t n = 0; n < 400; n++) {
            const int32_t kept = gone.n;
            queue_batch(&m.mesh, &state, &gone, &edit);
            if (commit(&m, &edit)) {
                follow_on_host(&s);
                expect_built(&s);
                n_applied++;
            } else {
                gone.n = kept < gone.n ? kept : gone.n;
            }
        }
        CU_ASSERT(n_applied > 100);
        ew_edit_free(&edit);
        ew_list_free(&gone);
        drop_step(&s);
        drop(&m);
    }
}

/* Half of a body at once, then all the rest. */
static void test_large_edits_equal_build(void)
{
    for (int k = 0; k < 2; k++) {
        model m = make_box(6);
        step_body s;
        derive_step(&s, &m, kinds[k]);
        for (int32_t stride = 2; stride > 0; stride--) {
            ew_edit edit = {0};
            for (int32_t t = 0; t < m.mesh.n_tet; t += stride) {
                must(ew_mesh_tet_is_live(&m.mesh, t) ? ew_edit_remove_tet(&edit, t) : EW_OK);
            }
            CU_ASSERT_FATAL(commit(&m, &edit));
            follow_on_host(&s);
            expect_verified(&s.mm, &s.mass.source);
            expect_verified(&s.a, &s.step.source);
            ew_edit_free(&edit);
        }
        CU_ASSERT_EQUAL(s.a.diagonal[0], 1.0);
        drop_step(&s);
        drop(&m);
    }
}

static void test_stale_is_refused(void)
{
    model m = make_box(3);
    step_body s, kept;
    const ew_pattern_change *change = &m.topology.touched;
    derive_step(&s, &m, EW_MASS_CONSISTENT);
    remove_tet(&m, 5);
    extend_ground(&s);
    must(ew_matrix_revalidate(&s.k, &s.stiffness.source, change));
    CU_ASSERT_EQUAL(ew_matrix_revalidate(&s.a, &s.step.source, change), EW_STALE); /* M is behind */
    must(ew_matrix_revalidate(&s.mm, &s.mass.source, change));
    kept = s;
    s.step.of_mass *= 2.0; /* another step size */
    CU_ASSERT_EQUAL(ew_matrix_revalidate(&s.a, &s.step.source, change), EW_STALE);
    s.step = kept.step;
    s.mass.kind = EW_MASS_LUMPED; /* another kind of blocks */
    CU_ASSERT_EQUAL(ew_matrix_revalidate(&s.mm, &s.mass.source, change), EW_STALE);
    s.mass = kept.mass;
    s.step.m = &s.k;
    CU_ASSERT_EQUAL(ew_matrix_build(&s.a, &s.step.source), EW_BAD_ARGUMENT);
    s.step = kept.step;
    must(ew_matrix_revalidate(&s.a, &s.step.source, change));
    expect_built(&s);
    /* another density: the mass is stale, the stiffness is not */
    ew_material material = m.materials.material[0];
    material.density += 1.0;
    ew_materials_free(&m.materials);
    must(ew_materials_init(&m.materials, 1, &material));
    remove_tet(&m, 6);
    extend_ground(&s);
    must(ew_matrix_revalidate(&s.k, &s.stiffness.source, change));
    CU_ASSERT_EQUAL(ew_matrix_revalidate(&s.mm, &s.mass.source, change), EW_STALE);
    must(ew_matrix_build(&s.mm, &s.mass.source));
    CU_ASSERT_EQUAL(ew_matrix_revalidate(&s.a, &s.step.source, change), EW_STALE);
    must(ew_matrix_build(&s.a, &s.step.source));
    expect_built(&s);
    drop_step(&s);
    drop(&m);
}

/* Each allocation fails in turn; what was there stays, or is not valid. */
static void test_failing_allocations(void)
{
    model m = make_box(3);
    step_body s;
    derive_step(&s, &m, EW_MASS_CONSISTENT);
    for (int64_t k = 0;; k++) {
        ew_matrix mass = {0}, step = {0};
        ew_combination from = s.step;
        from.m = &mass;
        ew_test_allocations_begin(k);
        ew_status status = ew_matrix_build(&mass, &s.mass.source);
        status = status ? status : ew_matrix_build(&step, &from.source);
        const bool refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT(!refused || !mass.revision || !step.revision);
        ew_matrix_free(&mass);
        ew_matrix_free(&step);
        if (!refused) {
            CU_ASSERT(k >= 4);
            break;
        }
    }
    drop_step(&s);
    drop(&m);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"blocks_of_a_tet", test_blocks_of_a_tet},
        {"products", test_products},
        {"random_edits_equal_build", test_random_edits_equal_build},
        {"large_edits_equal_build", test_large_edits_equal_build},
        {"stale_is_refused", test_stale_is_refused},
        {"failing_allocations", test_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"mass", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
