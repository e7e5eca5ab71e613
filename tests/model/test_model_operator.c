/* A model whose products come from tets: the answers of stored blocks, also after edits, with
 * springs and local supports; switched there and back; verified; refused where it cannot be. */
#include "model_fixture.h"
#include "one_device.h"
#include "random_edits.h"

static double *solved(ew_model *model, ew_operator_kind kind, const char *reason)
{
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    const ew_pcg_info *info;
    ew_pcg_def def = ew_default_pcg_def();
    double *u = NULL;
    def.tolerance = 1e-11;
    must(ew_model_set_operator(model, kind));
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT(!reason || !strcmp(info->reason, reason));
    must(ew_new(&u, n, sizeof *u));
    memcpy(u, ew_model_displacement(model), n * sizeof *u);
    return u;
}

static void expect_equal(const ew_model *model, const double *a, const double *b)
{
    double largest = 0.0, error = 0.0;
    for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
        largest = fmax(largest, fabs(a[i]));
        error = fmax(error, fabs(a[i] - b[i]));
    }
    CU_ASSERT(largest > 0.0 && error <= 1e-7 * largest);
}

/* One tet after the other goes; the matrix-free model follows, the other is built again. */
static void run(ew_device *on)
{
    ew_model *model = make_model(6, on);
    uint64_t state = 4;
    for (int step = 0; step < 6; step++) {
        ew_model_verification result;
        const ew_matrix *matrix;
        double *a = solved(model, EW_MATRIX_FREE, "auto, without stored blocks");
        must(ew_model_verify(model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
        must(ew_model_matrix(model, &matrix));
        CU_ASSERT(on ? matrix == NULL : matrix->diagonal_only && !matrix->pair);
        if (step % 3 == 0) {
            double *b = solved(model, EW_STORED, NULL);
            expect_equal(model, a, b);
            must(ew_model_verify(model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
            ew_release(b);
        }
        ew_release(a);
        ew_edit_clear(ew_model_edit(model));
        must(ew_edit_remove_tet(ew_model_edit(model),
                                random_live_tet(ew_model_mesh(model), &state)));
        must(ew_model_commit(model));
    }
    ew_model_free(model);
}

static void test_on_the_host(void)
{
    run(NULL);
}

static void test_on_a_device(void)
{
    if (device && ew_device_about(device)->has_double) {
        run(device);
    }
}

/* Ten steps, and a tet less half-way. */
static double *moved(ew_device *on, ew_operator_kind kind, ew_scheme_kind scheme, ew_mass_kind mass)
{
    ew_model *model = make_model(3, on);
    ew_dynamics_def def = ew_default_dynamics_def();
    double *u = NULL, dt = 1e-5;
    def.scheme = scheme;
    def.mass = mass;
    def.damping_mass = 3.0;
    def.damping_stiffness = scheme == EW_CENTRAL_DIFFERENCE ? 0.0 : 1e-5;
    def.solver.tolerance = 1e-12;
    must(ew_model_set_operator(model, kind));
    must(ew_model_start_dynamics(model, &def, 0.0));
    if (scheme == EW_CENTRAL_DIFFERENCE) {
        must(ew_model_stable_step(model, &dt));
        dt *= 0.5; /* the tet that goes may change it */
    }
    for (int step = 0; step < 10; step++) {
        if (step == 5) {
            must(ew_edit_remove_tet(ew_model_edit(model), 11));
            must(ew_model_commit(model));
        }
        must(ew_model_advance(model, dt, NULL));
    }
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    must(ew_new(&u, n + 1, sizeof *u));
    memcpy(u, ew_model_displacement(model), n * sizeof *u);
    u[n] = (double)n;
    ew_model_free(model);
    return u;
}

static void expect_same_motion(ew_device *on, ew_scheme_kind scheme, ew_mass_kind mass)
{
    double *a = moved(on, EW_MATRIX_FREE, scheme, mass), *b = moved(NULL, EW_STORED, scheme, mass);
    double largest = 0.0, error = 0.0;
    const size_t n = 3 * (size_t)(4 * 4 * 4);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(a[i]));
        error = fmax(error, fabs(a[i] - b[i]));
    }
    CU_ASSERT_EQUAL((size_t)a[n], n);
    CU_ASSERT(largest > 0.0 && error <= 1e-8 * largest);
    ew_release(a);
    ew_release(b);
}

static void test_dynamics(void)
{
    expect_same_motion(NULL, EW_NEWMARK, EW_MASS_LUMPED);
    expect_same_motion(NULL, EW_IMPLICIT_EULER, EW_MASS_CONSISTENT);
    expect_same_motion(NULL, EW_CENTRAL_DIFFERENCE, EW_MASS_LUMPED);
    if (device && ew_device_about(device)->has_double) {
        expect_same_motion(device, EW_NEWMARK, EW_MASS_CONSISTENT);
        expect_same_motion(device, EW_CENTRAL_DIFFERENCE, EW_MASS_LUMPED);
    }
}

static void test_refused(void)
{
    ew_device_def def = ew_default_device_def();
    ew_device *narrow = NULL;
    ew_model *model = make_model(2, NULL);
    ew_pcg_def rigid = ew_default_pcg_def();
    rigid.preconditioner = EW_RIGID;
    must(ew_model_set_operator(model, EW_MATRIX_FREE));
    CU_ASSERT_EQUAL(ew_model_solve(model, &rigid, NULL), EW_UNSUPPORTED);
    CU_ASSERT_EQUAL(ew_model_set_operator(model, (ew_operator_kind)7), EW_BAD_ARGUMENT);
    ew_model_free(model);
    def.without_double = true;
    if (!ew_device_open(&narrow, &def)) {
        model = make_model(2, narrow);
        CU_ASSERT_EQUAL(ew_model_set_operator(model, EW_MATRIX_FREE), EW_UNSUPPORTED);
        ew_model_free(model);
        ew_device_close(narrow);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"on_the_host", test_on_the_host},
        {"on_a_device", test_on_a_device},
        {"dynamics", test_dynamics},
        {"refused", test_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model_operator", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
