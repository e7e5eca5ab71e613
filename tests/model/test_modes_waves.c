/* Modes of a sector by nodal diameter: a quarter of a square plate about its corner. The whole
 * plate is in tests/study/check_symmetry.py; here are what equations say, too, both directions of a
 * wave, and what is refused. */
#include "contact_model_fixture.h"
#include "ew_parts.h"

#if EW_WITH_CHOLMOD
#include "solver/cholmod.h"

enum { SECTORS = 4, COUNT = 4 };

/* The side x = 0 is the image of y = 0, round z. */
static ew_model *make_quarter(bool quadratic, int32_t n)
{
    ew_model_tie tie = {.kind = EW_TIE_CYCLIC, .turn = {0, -1, 0, 1, 0, 0, 0, 0, 1}};
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 0.3}, (int32_t[3]){n, n, 1}));
    ew_model *model = make_model(&mesh, 1.0, quadratic);
    tie.slave = add_faces(model, 1, (double[3]){-1, 0, 0}, 0, 0.0);
    tie.master = add_faces(model, 1, (double[3]){0, -1, 0}, 1, 0.0);
    must(ew_model_set_ties(model, 1, &tie));
    return model;
}

static ew_modes_def wave_def(int32_t diameter)
{
    ew_modes_def def = ew_default_modes_def();
    def.count = COUNT;
    def.direct = ew_direct_solver();
    def.eigen = ew_eigen_solve;
    def.sectors = SECTORS;
    def.diameter = diameter;
    return def;
}

/* Without a diameter it is what the equations of the tie leave. */
static void test_waves_of_no_diameter(void)
{
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        ew_model *model = make_quarter(quadratic, 2);
        const ew_modes_def wave = wave_def(0);
        ew_modes_def plain = wave;
        const ew_modes *modes;
        double frequency[COUNT], effective;
        plain.sectors = 0;
        must(ew_model_modes(model, &plain, &modes));
        memcpy(frequency, modes->frequency, sizeof frequency);
        effective = modes->effective[3 * 2 + 2];
        CU_ASSERT_EQUAL(modes->n_rigid, 2);
        CU_ASSERT_EQUAL(modes->n_part, 1);
        must(ew_model_modes(model, &wave, &modes));
        CU_ASSERT_EQUAL(modes->n_rigid, 2);
        CU_ASSERT_EQUAL(modes->n_part, 1);
        CU_ASSERT_DOUBLE_EQUAL(modes->mass, 4 * 0.3, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(modes->effective[3 * 2 + 2], 4.0 * effective, 1e-9);
        for (int k = 0; k < COUNT; k++) {
            CU_ASSERT_DOUBLE_EQUAL(modes->frequency[k], frequency[k], 1e-9);
        }
        ew_model_free(model);
    }
}

/* Waves that go round the other way have the same frequencies, and shapes that are conjugate: sides
 * are as the equations say. */
static void test_waves_go_both_ways(void)
{
    double frequency[2][COUNT];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_quarter(false, 2);
        const ew_modes_def def = wave_def(k ? -1 : 1);
        const ew_mesh *mesh = ew_model_mesh(model);
        const ew_modes *modes;
        double off = 0.0;
        must(ew_model_modes(model, &def, &modes));
        CU_ASSERT_EQUAL(modes->n_part, 2);
        CU_ASSERT_EQUAL(modes->n_rigid, 2);
        CU_ASSERT_EQUAL(modes->diameter, k ? -1 : 1);
        memcpy(frequency[k], modes->frequency, sizeof frequency[k]);
        const size_t n = 3 * (size_t)modes->n_row;
        for (int32_t i = 0; i < mesh->n_vertex * mesh->n_vertex; i++) {
            const size_t a = (size_t)(i / mesh->n_vertex), b = (size_t)(i % mesh->n_vertex);
            const double *x = mesh->xyz + 3 * a, *y = mesh->xyz + 3 * b;
            if (y[1] == 0.0 && x[0] == 0.0 && x[1] == y[0] && x[2] == y[2]) {
                const double *u = modes->shape + 2 * n * 2; /* behind rigid motions */
                const double *real = u + 3 * b, *imaginary = real + n;
                const double sign = k ? -1.0 : 1.0; /* exp(+- i pi / 2) R u */
                const double turned[2][3] = {{sign * imaginary[1], -sign * imaginary[0],
                                              -sign * imaginary[2]},
                                             {-sign * real[1], sign * real[0], sign * real[2]}};
                for (size_t c = 0; c < 3; c++) {
                    off = fmax(off, fabs(u[3 * a + c] - turned[0][c]));
                    off = fmax(off, fabs(u[n + 3 * a + c] - turned[1][c]));
                }
            }
        }
        CU_ASSERT(off < 1e-12);
        ew_model_free(model);
    }
    for (int i = 0; i < COUNT; i++) {
        CU_ASSERT_DOUBLE_EQUAL(frequency[0][i], frequency[1][i], 1e-9);
    }
}

static void test_waves_refused(void)
{
    ew_model *model = make_quarter(false, 2);
    const ew_modes *modes;
    for (int k = 0; k < 5; k++) {
        ew_modes_def def = wave_def(k == 0 ? 3 : k == 1 ? -3 : 1);
        def.sectors = k == 2 ? 1 : SECTORS;
        def.tie = k == 3 ? 1 : k == 4 ? -1 : 0;
        CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_BAD_ARGUMENT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nodal diameters"));
    }
    ew_modes_def def = wave_def(1);
    def.count = 1000;
    CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_BAD_INPUT);
    must(ew_model_set_mixed(model, true));
    def.count = COUNT;
    CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "quadratic"));
    ew_model_free(model);
}

/* All shapes that there are, which no two of a kind are among. */
static void test_waves_of_all_shapes(void)
{
    ew_model *model = make_quarter(false, 1);
    ew_modes_def def = wave_def(1);
    const ew_modes *modes;
    def.count = 10;
    must(ew_model_modes(model, &def, &modes));
    CU_ASSERT(modes->orthogonality < 1e-9);
    for (int32_t k = 1; k < modes->n; k++) {
        CU_ASSERT(modes->residual[k] < 1e-6);
        CU_ASSERT(modes->eigenvalue[k] >= modes->eigenvalue[k - 1] - modes->shift);
    }
    ew_model_free(model);
}

static void test_waves_without_memory(void)
{
    for (int diameter = 1; diameter < 3; diameter++) {
        int64_t k = 0;
        for (bool refused = true; refused; k++) {
            ew_model *model = make_quarter(diameter == 2, 1);
            const ew_modes_def def = wave_def(diameter);
            const ew_modes *modes;
            ew_test_allocations_begin(k);
            const ew_status status = ew_model_modes(model, &def, &modes);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            ew_model_free(model);
        }
        CU_ASSERT(k > 20);
    }
}

static CU_TestInfo tests[] = {
    {"of_no_diameter", test_waves_of_no_diameter}, {"go_both_ways", test_waves_go_both_ways},
    {"of_all_shapes", test_waves_of_all_shapes},   {"refused", test_waves_refused},
    {"without_memory", test_waves_without_memory}, CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"modes_waves", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
#else
int main(void)
{
    return 0;
}
#endif
