/* Mass and the matrix of a time step on a device, computed from its one copy of the mesh: after
 * every random edit with the bits of the host's, single-precision blocks included; products. */
#include "mass_fixture.h"

typedef struct there {
    ew_device_matrix k, m, a;
} there;

static void build_there(step_body *s, there *t, ew_precision precision)
{
    const ew_device_mesh *mesh = &s->m->copy;
    must(ew_device_matrix_build(&t->k, mesh, &s->stiffness, EW_DOUBLE, NULL));
    must(ew_device_mass_build(&t->m, mesh, &s->mass));
    must(ew_device_combination_build(&t->a, mesh, &s->step, &t->k, &t->m, precision, NULL));
}

static void follow_there(step_body *s, there *t)
{
    const ew_device_mesh *mesh = &s->m->copy;
    const ew_pattern_change *change = &s->m->topology.touched;
    must(ew_device_mesh_update(&s->m->copy, &s->m->mesh, &s->m->topology, &s->m->change));
    must(ew_device_matrix_revalidate(&t->k, mesh, &s->stiffness, change, NULL));
    must(ew_device_mass_revalidate(&t->m, mesh, &s->mass, change));
    must(ew_device_combination_revalidate(&t->a, mesh, &s->step, &t->k, &t->m, change, NULL));
}

static void drop_there(there *t)
{
    ew_device_matrix_free(&t->k);
    ew_device_matrix_free(&t->m);
    ew_device_matrix_free(&t->a);
}

static void expect_bits(const ew_device_matrix *matrix, const ew_matrix *host,
                        const ew_pattern *pattern)
{
    ew_matrix copy = {0};
    int64_t n_different = -1;
    double largest;
    must(
        ew_device_matrix_need_current(matrix, &(ew_device_pattern){.n_row = pattern->n_row,
                                                                   .n_pair = pattern->n_pair,
                                                                   .revision = pattern->revision}));
    must(ew_device_matrix_download(matrix, &copy));
    must(ew_matrix_compare(&copy, pattern, host, pattern, &n_different, &largest));
    CU_ASSERT_EQUAL(n_different, 0);
    ew_matrix_free(&copy);
}

/* The combination in all precisions that are kept. */
static void expect_step(const step_body *s, const there *t)
{
    model as = *s->m;
    as.host = s->a;
    expect_same(&t->a, &as);
    expect_bits(&t->m, &s->mm, s->step.source.pattern);
    expect_bits(&t->a, &s->a, s->step.source.pattern);
}

static void expect_scalar_product(const step_body *s, const there *t)
{
    const size_t n = 3 * (size_t)s->mm.n_row, bytes = n * sizeof(double);
    double *x, *y, *z, error = 0.0, largest = 0.0;
    ew_buffer bx = {0}, by = {0};
    must(ew_new(&x, 3 * n, sizeof *x));
    y = x + n;
    z = y + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = sin((double)i);
    }
    ew_matrix_product_scalar(&s->mm, s->step.source.pattern, x, y);
    must(ew_buffer_reserve(device, &bx, bytes));
    must(ew_buffer_write(device, &bx, 0, bytes, x));
    must(ew_device_matrix_product_scalar(&t->m, &s->m->copy.pattern, &bx, &by));
    must(ew_buffer_read(device, &by, 0, bytes, z));
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(y[i]));
        error = fmax(error, fabs(y[i] - z[i]));
    }
    CU_ASSERT(largest > 0.0 && error <= 1e-14 * largest);
    ew_buffer_free(&bx);
    ew_buffer_free(&by);
    ew_release(x);
}

static void run(ew_mass_kind kind, ew_precision precision, bool chain)
{
    model m = chain ? make_chain(quick ? 8 : 40) : make_box(quick ? 2 : 4);
    step_body s;
    there t = {0};
    ew_edit edit = {0};
    ew_list gone = {0};
    uint64_t state = 3;
    must(ew_device_mesh_build(&m.copy, device, &m.mesh, &m.topology));
    derive_step(&s, &m, kind);
    build_there(&s, &t, precision);
    expect_step(&s, &t);
    for (int32_t n = 0; n < (quick ? 5 : 60); n++) {
        const int32_t kept = gone.n;
        queue_batch(&m.mesh, &state, &gone, &edit);
        if (!commit(&m, &edit)) {
            gone.n = kept < gone.n ? kept : gone.n;
            continue;
        }
        follow_on_host(&s);
        follow_there(&s, &t);
        expect_step(&s, &t);
    }
    expect_scalar_product(&s, &t);
    build_there(&s, &t, precision);
    expect_step(&s, &t);
    drop_there(&t);
    ew_edit_free(&edit);
    ew_list_free(&gone);
    drop_step(&s);
    drop(&m);
}

static void test_random_edits(void)
{
    for (int k = 0; has_double() && k < 4; k++) {
        run(k % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED, k / 2 ? EW_MIXED : EW_DOUBLE, k == 1);
    }
}

static void test_stale_is_refused(void)
{
    if (!has_double()) {
        return;
    }
    model m = make_box(2);
    step_body s;
    there t = {0};
    const ew_pattern_change *change = &m.topology.touched;
    must(ew_device_mesh_build(&m.copy, device, &m.mesh, &m.topology));
    derive_step(&s, &m, EW_MASS_CONSISTENT);
    build_there(&s, &t, EW_DOUBLE);
    remove_tet(&m, 3);
    extend_ground(&s);
    CU_ASSERT_EQUAL(ew_device_mass_revalidate(&t.m, &m.copy, &s.mass, change), EW_STALE);
    must(ew_device_mesh_update(&m.copy, &m.mesh, &m.topology, &m.change));
    must(ew_device_matrix_revalidate(&t.k, &m.copy, &s.stiffness, change, NULL));
    CU_ASSERT_EQUAL(ew_device_combination_revalidate(&t.a, &m.copy, &s.step, &t.k, &t.m, change,
                                                     NULL),
                    EW_STALE); /* M is behind */
    must(ew_device_mass_revalidate(&t.m, &m.copy, &s.mass, change));
    s.step.of_mass *= 2.0;
    CU_ASSERT_EQUAL(ew_device_combination_revalidate(&t.a, &m.copy, &s.step, &t.k, &t.m, change,
                                                     NULL),
                    EW_STALE);
    must(ew_device_combination_build(&t.a, &m.copy, &s.step, &t.k, &t.m, EW_DOUBLE, NULL));
    drop_there(&t);
    drop_step(&s);
    drop(&m);
}

/* The step matrix is the host's, narrowed; the mass stays there. */
static void test_without_double(void)
{
    ew_device_def def = ew_default_device_def();
    ew_device *narrow = NULL;
    def.without_double = true;
    if (!device || ew_device_open(&narrow, &def)) {
        return;
    }
    model m = make_box(2);
    step_body s;
    ew_device_matrix mass = {0}, step = {0};
    ew_device_mesh copy = {0};
    must(ew_device_mesh_build(&copy, narrow, &m.mesh, &m.topology));
    derive_step(&s, &m, EW_MASS_CONSISTENT);
    CU_ASSERT_EQUAL(ew_device_mass_build(&mass, &copy, &s.mass), EW_UNSUPPORTED);
    CU_ASSERT_EQUAL(ew_device_combination_build(&step, &copy, &s.step, NULL, NULL, EW_DOUBLE, &s.a),
                    EW_UNSUPPORTED);
    CU_ASSERT_EQUAL(ew_device_combination_build(&step, &copy, &s.step, NULL, NULL, EW_SINGLE, NULL),
                    EW_STALE);
    must(ew_device_combination_build(&step, &copy, &s.step, NULL, NULL, EW_SINGLE, &s.a));
    expect_narrowed(narrow, &step.diagonal_single, s.a.diagonal, 9 * (size_t)s.a.n_row);
    remove_tet(&m, 3);
    must(ew_device_mesh_update(&copy, &m.mesh, &m.topology, &m.change));
    follow_on_host(&s);
    must(ew_device_combination_revalidate(&step, &copy, &s.step, NULL, NULL, &m.topology.touched,
                                          &s.a));
    expect_narrowed(narrow, &step.diagonal_single, s.a.diagonal, 9 * (size_t)s.a.n_row);
    ew_device_matrix_free(&step);
    ew_device_matrix_free(&mass);
    ew_device_mesh_free(&copy);
    drop_step(&s);
    drop(&m);
    ew_device_close(narrow);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"random_edits", test_random_edits},
        {"stale_is_refused", test_stale_is_refused},
        {"without_double", test_without_double},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"device_mass", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
