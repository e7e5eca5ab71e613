/* The rigid-body-mode preconditioner on a device: what it gathers there has the host's bits, after
 * a set-up and after random edits of all kinds; it is symmetric; solves give the host's answers. */
#include "multilevel_edits.h"

#include "solver/pcg.h"

static ew_device *device, *narrow_device; /* the second is taken for one without fp64 */

typedef struct twin {
    body b;
    ew_device *device;
    ew_precision precision;
    bool has_double;
    ew_device_mesh copy;
    ew_device_matrix matrix;
    ew_operator op;
    ew_system system;
    ew_preconditioner p;
} twin;

static int open_devices(void)
{
    ew_device_def def = ew_default_device_def();
    if (ew_device_open(&device, &def)) {
        printf("skipped: %s\n", ew_message());
        device = NULL;
        return 0;
    }
    def.without_double = true;
    return ew_device_open(&narrow_device, &def) != EW_OK;
}

static int close_devices(void)
{
    ew_device_close(device);
    ew_device_close(narrow_device);
    device = narrow_device = NULL;
    return 0;
}

static void derive(twin *t)
{
    t->op = ew_operator_on_device(&t->matrix, &t->copy.pattern, &t->b.topology.pattern,
                                  t->has_double ? NULL : &t->b.matrix);
    t->system = (ew_system){&t->op, t->b.mesh.xyz, t->b.fixed, NULL, NULL};
}

/* Of a body that it takes over. */
static void make_twin(twin *t, ew_device *on, ew_precision precision)
{
    const body *b = &t->b;
    const ew_stiffness from = ew_stiffness_of(&b->mesh, &b->topology, &b->materials);
    t->device = on;
    t->precision = precision;
    t->has_double = ew_device_about(on)->has_double;
    must(ew_device_mesh_build(&t->copy, on, &b->mesh, &b->topology));
    must(ew_device_matrix_build(&t->matrix, &t->copy, &from, precision,
                                t->has_double ? NULL : &b->matrix));
    derive(t);
}

static void make_twin_box(twin *t, ew_device *on, ew_precision precision, int32_t cells)
{
    *t = (twin){0};
    make_box(&t->b, (double[]){1.0, 1.1, 0.9}, (int32_t[]){cells, cells, cells});
    make_twin(t, on, precision);
}

static void drop_twin(twin *t)
{
    ew_preconditioner_free(&t->p);
    ew_operator_free(&t->op);
    ew_device_matrix_free(&t->matrix);
    ew_device_mesh_free(&t->copy);
    free_body(&t->b);
}

static ew_status setup(twin *t)
{
    return ew_preconditioner_setup(&t->p, EW_RIGID, &t->system, t->precision);
}

static void expect_host_bits(const twin *t)
{
    must(ew_rigid_device_verify(&t->p, &t->b.matrix, &t->system));
}

/* The queued edit, everywhere but in the preconditioner. */
static ew_status apply_edit_on_both(twin *t)
{
    body *b = &t->b;
    ew_status status = apply_edit(b);
    if (status) {
        return status;
    }
    const ew_stiffness from = ew_stiffness_of(&b->mesh, &b->topology, &b->materials);
    must(ew_device_mesh_update(&t->copy, &b->mesh, &b->topology, &b->change));
    must(ew_device_matrix_revalidate(&t->matrix, &t->copy, &from, &b->topology.touched,
                                     t->has_double ? NULL : &b->matrix));
    derive(t);
    return EW_OK;
}

/* ---- z = M^-1 r ---------------------------------------------------------- */

static void apply_on_device(twin *t, const double *r, double *z)
{
    const int32_t n_row = t->b.mesh.n_vertex;
    const size_t n = 3 * (size_t)n_row, n_group = ew_pcg_groups(n_row);
    const bool single = ew_pcg_precision(&ew_pcg_on_device, t->precision) != EW_DOUBLE;
    const size_t bytes = n * (single ? sizeof(float) : sizeof(double));
    ew_buffer vector[3] = {{0}}, partial = {0};
    float *narrow = calloc(n, sizeof *narrow);
    ew_kernel *start = NULL;
    for (size_t i = 0; i < n; i++) {
        narrow[i] = (float)r[i];
    }
    for (int k = 0; k < 3; k++) {
        must(ew_buffer_reserve(t->device, &vector[k], bytes));
    }
    must(ew_buffer_reserve(t->device, &partial, 2 * EW_MAX_PARTIALS * sizeof(double)));
    must(ew_buffer_write(t->device, &vector[0], 0, bytes,
                         single ? (const void *)narrow : (const void *)r));
    must(ew_device_kernel(t->device, "pcg", "start", ew_device_real_options(t->device, single),
                          &start));
    const ew_argument argument[] = {EW_ARG_VALUE(n_row),
                                    EW_ARG_VALUE(t->p.inverse_capacity),
                                    EW_ARG_BUFFER(&t->p.device_inverse),
                                    EW_ARG_BUFFER(&vector[0]),
                                    EW_ARG_BUFFER(&vector[1]),
                                    EW_ARG_BUFFER(&vector[2]),
                                    EW_ARG_BUFFER(&partial)};
    must(ew_kernel_run(t->device, start, n_group * EW_PCG_GROUP, EW_PCG_GROUP, 7, argument));
    must(t->p.type->device_apply(&t->p, &t->op, &vector[0], &vector[1], &partial, n_group));
    must(ew_buffer_read(t->device, &vector[1], 0, bytes, single ? (void *)narrow : (void *)z));
    for (size_t i = 0; single && i < n; i++) {
        z[i] = (double)narrow[i];
    }
    double sum[1];
    must(ew_device_read_sums(t->device, &partial, n_group, 1, sum));
    const double rz = dot(r, z, n);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], rz, (single ? 1e-4 : 1e-12) * fabs(rz));
    for (int k = 0; k < 3; k++) {
        ew_buffer_free(&vector[k]);
    }
    ew_buffer_free(&partial);
    free(narrow);
}

static void expect_symmetric_positive(twin *t)
{
    const size_t n = 3 * (size_t)t->b.mesh.n_vertex;
    const double tolerance =
        ew_pcg_precision(&ew_pcg_on_device, t->precision) == EW_DOUBLE ? 1e-10 : 2e-4;
    double *v = calloc(4 * n, sizeof *v), *x = v, *y = v + n, *mx = v + 2 * n, *my = v + 3 * n;
    uint64_t state = 7;
    for (int k = 0; k < 2; k++) {
        fill_random(&t->b, &state, x);
        fill_random(&t->b, &state, y);
        apply_on_device(t, x, mx);
        apply_on_device(t, y, my);
        const double xx = dot(x, mx, n), yy = dot(y, my, n);
        CU_ASSERT(xx > 0.0 && yy > 0.0);
        CU_ASSERT(fabs(dot(y, mx, n) - dot(x, my, n)) <= tolerance * sqrt(xx * yy));
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(is_free(&t->b, i) || (mx[i] == 0.0 && my[i] == 0.0));
        }
    }
    free(v);
}

/* ---- in every place ------------------------------------------------------ */

static void in_all_places(void (*test)(ew_device *on, ew_precision precision))
{
    if (device && ew_device_about(device)->has_double) {
        test(device, EW_AUTO_PRECISION);
        test(device, EW_MIXED);
    }
    if (narrow_device) {
        test(narrow_device, EW_SINGLE);
    }
}

static void setup_one(ew_device *on, ew_precision precision)
{
    for (int32_t cells = 1; cells < 9; cells += 3) {
        twin t;
        make_twin_box(&t, on, precision, cells);
        must(setup(&t));
        expect_host_bits(&t);
        expect_symmetric_positive(&t);
        must(setup(&t)); /* again, in the same memory */
        expect_host_bits(&t);
        drop_twin(&t);
    }
}

static void random_edits(ew_device *on, ew_precision precision)
{
    static memory gone;
    uint64_t state = 33;
    int32_t n_done = 0;
    twin t;
    gone.n = 0;
    make_twin_box(&t, on, precision, 7);
    must(setup(&t));
    for (int32_t k = 0; k < 100; k++) {
        const bool refix = ew_test_random(&state, 6) == 0;
        bool worked;
        queue_random(&t.b, &gone, &state);
        if (apply_edit_on_both(&t)) {
            continue;
        }
        n_done++;
        keep_removed(&t.b, &gone);
        must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        if (refix) {
            change_constraints(&t.b, &state);
            must(ew_preconditioner_prepare(&t.p, &t.system, &worked));
        }
        expect_host_bits(&t);
        if (k % 25 == 0) {
            expect_symmetric_positive(&t);
        }
    }
    CU_ASSERT(n_done > 50);
    drop_twin(&t);
}

/* A mesh grows far beyond its aggregates, and most of it goes again. */
static void growth(ew_device *on, ew_precision precision)
{
    uint64_t state = 12;
    twin t;
    make_twin_box(&t, on, precision, 3);
    must(setup(&t));
    const int32_t before = ew_rigid_device_about(&t.p)->n_aggregate;
    for (int32_t k = 0; k < 1000 && t.b.mesh.n_vertex < 300; k++) {
        queue_growth(&t.b, &state);
        if (!apply_edit_on_both(&t)) {
            must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
        }
    }
    expect_host_bits(&t);
    expect_symmetric_positive(&t);
    CU_ASSERT(ew_rigid_device_about(&t.p)->n_aggregate > before);
    for (int32_t k = t.b.mesh.n_tet - 1; k >= 20; k--) {
        if (ew_mesh_tet_is_live(&t.b.mesh, k)) {
            ew_edit_remove_tet(&t.b.edit, k);
        }
    }
    CU_ASSERT_EQUAL_FATAL(apply_edit_on_both(&t), EW_OK);
    must(ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched));
    expect_host_bits(&t);
    drop_twin(&t);
}

static void allocations(ew_device *on, ew_precision precision)
{
    twin t;
    make_twin_box(&t, on, precision, 2);
    must(setup(&t)); /* kernels, which the device keeps */
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_preconditioner_free(&t.p);
        ew_test_allocations_begin(k);
        const ew_status status = setup(&t);
        if (status) {
            ew_preconditioner_free(&t.p);
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        }
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 2000);
    }
    uint64_t state = 3;
    refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_edit_remove_tet(&t.b.edit, random_live_tet(&t.b.mesh, &state));
        if (apply_edit_on_both(&t)) {
            continue;
        }
        ew_test_allocations_begin(k);
        const ew_status status = ew_preconditioner_update(&t.p, &t.system, &t.b.topology.touched);
        refused = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        if (status) {
            must(setup(&t));
        }
        expect_host_bits(&t);
        CU_ASSERT_FATAL(k < 2000);
        if (t.b.mesh.n_live_tet < 20) {
            break;
        }
    }
    drop_twin(&t);
}

/* ---- without room -------------------------------------------------------- */

/* Tets that touch nothing, on three fixed vertices each. */
static void make_crowd(twin *t, int32_t n)
{
    static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850};
    double *xyz = calloc(12 * (size_t)n, sizeof *xyz);
    int32_t *tet = calloc(4 * (size_t)n, sizeof *tet), *region = calloc((size_t)n, sizeof *region);
    for (int32_t i = 0; i < 4 * n; i++) {
        tet[i] = i;
        xyz[3 * i] = 2.0 * (i / 4) + (i % 4 == 1);
        xyz[3 * i + 1] = i % 4 == 2;
        xyz[3 * i + 2] = i % 4 == 3;
    }
    const ew_mesh_def def = {
        .n_vertex = 4 * n, .xyz = xyz, .n_tet = n, .tet = tet, .region = region};
    *t = (twin){0};
    must(ew_mesh_init(&t->b.mesh, &def, NULL));
    make_body_with(&t->b, &steel);
    for (int32_t i = 0; i < 4 * n; i++) {
        t->b.fixed[i] = i % 4 < 3 ? 7 : 0;
    }
    free(xyz);
    free(tet);
    free(region);
}

/* A clear error, and with the automatic choice block Jacobi, which is said. */
static void test_no_room(void)
{
    if (!device || !ew_device_about(device)->has_double) {
        return;
    }
    twin t;
    make_crowd(&t, 1500);
    make_twin(&t, device, EW_AUTO_PRECISION);
    CU_ASSERT_EQUAL(setup(&t), EW_NO_MEMORY);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "use block-jacobi"));
    const size_t n = 3 * (size_t)t.b.mesh.n_vertex;
    double *b = calloc(2 * n, sizeof *b);
    for (size_t i = 0; i < n; i++) {
        b[i] = 1.0;
    }
    ew_solver solver = {0};
    ew_pcg_info info;
    ew_pcg_def def = ew_default_pcg_def();
    t.system.b = b;
    must(ew_solver_solve(&solver, &t.system, &def, b + n, &info));
    CU_ASSERT_EQUAL(info.preconditioner, EW_BLOCK_JACOBI);
    CU_ASSERT_EQUAL(info.fallback, EW_NO_MEMORY);
    def.preconditioner = EW_RIGID;
    CU_ASSERT_EQUAL(ew_solver_solve(&solver, &t.system, &def, b + n, &info), EW_NO_MEMORY);
    ew_solver_free(&solver);
    free(b);
    drop_twin(&t);
}

static void test_setup_has_the_host_bits(void)
{
    in_all_places(setup_one);
}
static void test_random_edits_keep_the_bits(void)
{
    in_all_places(random_edits);
}
static void test_growth_is_followed(void)
{
    in_all_places(growth);
}
static void test_allocation_failures(void)
{
    in_all_places(allocations);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"setup_has_the_host_bits", test_setup_has_the_host_bits},
        {"random_edits_keep_the_bits", test_random_edits_keep_the_bits},
        {"growth_is_followed", test_growth_is_followed},
        {"allocation_failures", test_allocation_failures},
        {"no_room", test_no_room},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"multilevel on a device", open_devices, close_devices, NULL, NULL,
                              tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
