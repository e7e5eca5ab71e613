/* One tet's gradients, strain, stress and stiffness blocks against closed forms. */
#include "mesh/parts/mesh.h"
#include "testlib.h"

#include "element/parts/element.h"
#include "tet.h"

#include <math.h>
#include <string.h>

static const double shape[12] = {0.1, -0.2, 0.3, 1.3, 0.2, 0.1, -0.1, 0.9, 0.2, 0.3, 0.1, 1.4};
static const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850.0};

static void make_mesh(ew_mesh *mesh)
{
    static const int32_t tet[4] = {0, 1, 2, 3};
    ew_mesh_def def = {.n_vertex = 4, .xyz = shape, .n_tet = 1, .tet = tet};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
}

static double near(double a, double b)
{
    return fabs(a - b) / fmax(1.0, fabs(b));
}

static void test_gradients_reproduce_linear_functions(void)
{
    ew_mesh mesh = {0};
    double g[4][3], volume;
    make_mesh(&mesh);
    double corner[12];
    ew_mesh_tet_values(&mesh, 0, mesh.xyz, corner);
    volume = ew_element_gradients(corner, g);
    CU_ASSERT(near(volume, ew_mesh_tet_volume(&mesh, 0)) < 1e-15);
    for (int j = 0; j < 3; j++) {
        CU_ASSERT(fabs(g[0][j] + g[1][j] + g[2][j] + g[3][j]) < 1e-15);
        for (int i = 0; i < 3; i++) { /* sum_a x_a g_a = I */
            double sum = 0.0;
            for (int a = 0; a < 4; a++) {
                sum += shape[3 * a + i] * g[a][j];
            }
            CU_ASSERT(fabs(sum - (i == j)) < 1e-14);
        }
    }
    ew_mesh_free(&mesh);
}

static void test_strain_of_a_linear_field_is_exact(void)
{
    static const double h[3][3] = {{1e-3, 4e-4, -2e-4}, {6e-4, -5e-4, 3e-4}, {8e-4, 1e-4, 7e-4}};
    double u[12], strain[6];
    ew_mesh mesh = {0};
    make_mesh(&mesh);
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < 3; i++) {
            u[3 * a + i] = 0.7;
            for (int j = 0; j < 3; j++) {
                u[3 * a + i] += h[i][j] * shape[3 * a + j];
            }
        }
    }
    double place[12], moved[12];
    ew_mesh_tet_values(&mesh, 0, mesh.xyz, place);
    ew_mesh_tet_values(&mesh, 0, u, moved);
    ew_element_strain(place, moved, strain);
    double expected[6] = {1e-3, -5e-4, 7e-4, 1e-3, 4e-4, 6e-4};
    for (int i = 0; i < 6; i++) {
        CU_ASSERT(fabs(strain[i] - expected[i]) < 1e-15);
    }
    ew_mesh_free(&mesh);
}

static void test_strain_of_an_infinitesimal_rotation_is_zero(void)
{
    double u[12], strain[6];
    ew_mesh mesh = {0};
    make_mesh(&mesh);
    for (int a = 0; a < 4; a++) { /* w x x, w = (1, 2, 3) */
        const double *x = shape + 3 * a;
        u[3 * a] = 2.0 * x[2] - 3.0 * x[1];
        u[3 * a + 1] = 3.0 * x[0] - 1.0 * x[2];
        u[3 * a + 2] = 1.0 * x[1] - 2.0 * x[0];
    }
    double place[12], moved[12];
    ew_mesh_tet_values(&mesh, 0, mesh.xyz, place);
    ew_mesh_tet_values(&mesh, 0, u, moved);
    ew_element_strain(place, moved, strain);
    for (int i = 0; i < 6; i++) {
        CU_ASSERT(fabs(strain[i]) < 1e-14);
    }
    ew_mesh_free(&mesh);
}

/* Simple shear u = (k y, 0, 0): the engineering shear strain is k, tau = G k with
 * G = E / (2 (1 + nu)), and the energy density is G k^2 / 2. */
static void test_shear_against_closed_form(void)
{
    double k = 1e-3, modulus = 210e9 / 2.6, u[12] = {0}, strain[6], stress[6];
    ew_materials materials = {0};
    ew_mesh mesh = {0};
    make_mesh(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    for (int a = 0; a < 4; a++) {
        u[3 * a] = k * shape[3 * a + 1];
    }
    double place[12], moved[12];
    ew_mesh_tet_values(&mesh, 0, mesh.xyz, place);
    ew_mesh_tet_values(&mesh, 0, u, moved);
    ew_element_strain(place, moved, strain);
    ew_stress_of_strain(materials.lame, strain, stress);
    CU_ASSERT(near(strain[3], k) < 1e-15);
    CU_ASSERT(near(stress[3], modulus * k) < 1e-13);
    CU_ASSERT(fabs(stress[0]) + fabs(stress[1]) + fabs(stress[2]) < 1e-3);
    double g[4][3], volume, energy = 0.0; /* 1/2 u K u */
    double corner[12];
    ew_mesh_tet_values(&mesh, 0, mesh.xyz, corner);
    volume = ew_element_gradients(corner, g);
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            double block[9] = {0};
            ew_tet_add_block(g[a], g[b], volume * materials.lame[0], volume * materials.lame[1],
                             block);
            energy += 0.5 * u[3 * a] * block[0] * u[3 * b];
        }
    }
    CU_ASSERT(near(energy, 0.5 * modulus * k * k * volume) < 1e-12);
    ew_materials_free(&materials);
    ew_mesh_free(&mesh);
}

/* Uniaxial stress s: strain (s/E, -nu s/E, -nu s/E). */
static void test_uniaxial_stress(void)
{
    ew_materials materials = {0};
    double strain[6] = {1e-3, -3e-4, -3e-4, 0, 0, 0}, stress[6];
    CU_ASSERT_EQUAL_FATAL(ew_materials_init(&materials, 1, &steel), EW_OK);
    ew_stress_of_strain(materials.lame, strain, stress);
    CU_ASSERT(near(stress[0], 210e6) < 1e-13);
    CU_ASSERT(fabs(stress[1]) < 1e-6 && fabs(stress[2]) < 1e-6);
    CU_ASSERT(near(ew_von_mises(stress), 210e6) < 1e-13);
    ew_materials_free(&materials);
}

/* B [6][3] of a gradient, engineering shear. */
static void voigt(const double *g, double b[6][3])
{
    memset(b, 0, 18 * sizeof(double));
    b[0][0] = b[3][1] = b[5][2] = g[0];
    b[1][1] = b[3][0] = b[4][2] = g[1];
    b[2][2] = b[4][1] = b[5][0] = g[2];
}

/* The block's closed form against V B_a^T D B_b, and K_ba = K_ab^T bit for bit. */
static void test_block_against_voigt_form(void)
{
    double g[12], volume = ew_tet_gradients(shape, g), lambda = 1.3, mu = 0.7;
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            double ab[9] = {0}, ba[9] = {0}, left[6][3], right[6][3];
            ew_tet_add_block(g + 3 * a, g + 3 * b, volume * lambda, volume * mu, ab);
            ew_tet_add_block(g + 3 * b, g + 3 * a, volume * lambda, volume * mu, ba);
            voigt(g + 3 * a, left);
            voigt(g + 3 * b, right);
            for (int i = 0; i < 9; i++) {
                double sum = 0.0;
                for (int k = 0; k < 6; k++) {
                    for (int l = 0; l < 6; l++) {
                        double d = k == l ? (k < 3 ? 2.0 * mu : mu) : 0.0;
                        d += k < 3 && l < 3 ? lambda : 0.0;
                        sum += volume * left[k][i / 3] * d * right[l][i % 3];
                    }
                }
                CU_ASSERT(fabs(sum - ab[i]) < 1e-15);
                CU_ASSERT_EQUAL(ab[i], ba[i % 3 * 3 + i / 3]);
            }
        }
    }
}

static void test_von_mises_of_known_tensors(void)
{
    CU_ASSERT_EQUAL(ew_von_mises((double[]){5, 5, 5, 0, 0, 0}), 0.0);
    CU_ASSERT(near(ew_von_mises((double[]){0, 0, 0, 2, 0, 0}), 2.0 * sqrt(3.0)) < 1e-15);
    CU_ASSERT(near(ew_von_mises((double[]){0, 0, 0, 0, 2, 0}), 2.0 * sqrt(3.0)) < 1e-15);
    CU_ASSERT(near(ew_von_mises((double[]){3, -3, 0, 0, 0, 4}), sqrt(27.0 + 48.0)) < 1e-15);
}

static void check_principal(const double stress[6], double a, double b, double c, double accuracy)
{
    double p[3];
    ew_principal(stress, p);
    CU_ASSERT(fabs(p[0] - a) <= accuracy && fabs(p[1] - b) <= accuracy &&
              fabs(p[2] - c) <= accuracy);
}

static void test_principal_of_known_tensors(void)
{
    check_principal((double[]){1, 3, 2, 0, 0, 0}, 3, 2, 1, 1e-14);
    check_principal((double[]){0, 0, 0, 5, 0, 0}, 5, 0, -5, 1e-14);
    check_principal((double[]){0, 0, 0, 0, 0, 0}, 0, 0, 0, 0);
    check_principal((double[]){-7, -7, -7, 0, 0, 0}, -7, -7, -7, 0);
    check_principal((double[]){4, 4, 1, 0, 0, 0}, 4, 4, 1, 1e-7);
    check_principal((double[]){1, 1, 4, 0, 0, 0}, 4, 1, 1, 1e-7);
    check_principal((double[]){1, 1, 1, 1, 1, 1}, 3, 0, 0, 1e-7);
    check_principal((double[]){2e200, 0, 0, 1e200, 0, 0}, (1 + sqrt(2)) * 1e200, 0,
                    (1 - sqrt(2)) * 1e200, 1e186);
}

/* Random tensors: the invariants of the principal values are those of the tensor. */
static void test_principal_keeps_the_invariants(void)
{
    uint64_t state = 7;
    for (int n = 0; n < 1000; n++) {
        double s[6], p[3];
        for (int i = 0; i < 6; i++) {
            s[i] = (double)ew_test_random(&state, 2001) / 1000.0 - 1.0;
        }
        ew_principal(s, p);
        double trace = s[0] + s[1] + s[2];
        double second =
            s[0] * s[1] + s[1] * s[2] + s[2] * s[0] - s[3] * s[3] - s[4] * s[4] - s[5] * s[5];
        double third = s[0] * (s[1] * s[2] - s[4] * s[4]) - s[3] * (s[3] * s[2] - s[4] * s[5]) +
                       s[5] * (s[3] * s[4] - s[1] * s[5]);
        CU_ASSERT(p[0] >= p[1] && p[1] >= p[2]);
        CU_ASSERT(fabs(p[0] + p[1] + p[2] - trace) < 1e-13);
        CU_ASSERT(fabs(p[0] * p[1] + p[1] * p[2] + p[2] * p[0] - second) < 1e-13);
        CU_ASSERT(fabs(p[0] * p[1] * p[2] - third) < 1e-12);
    }
}

static void check_refused(ew_material material, const char *field)
{
    ew_material list[2] = {steel, material};
    ew_materials materials = {0};
    CU_ASSERT_EQUAL(ew_materials_init(&materials, 2, list), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), field));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "region 1"));
    CU_ASSERT_PTR_NULL(materials.material);
}

static void test_materials_refuse_bad_fields(void)
{
    check_refused((ew_material){.young = 0.0, .poisson = 0.3, .density = 1.0}, "young");
    check_refused((ew_material){.young = -1.0, .poisson = 0.3, .density = 1.0}, "young");
    check_refused((ew_material){.young = (double)INFINITY, .poisson = 0.3, .density = 1.0},
                  "young");
    check_refused((ew_material){.young = 1.0, .poisson = 0.5, .density = 1.0}, "poisson");
    check_refused((ew_material){.young = 1.0, .poisson = -1.0, .density = 1.0}, "poisson");
    check_refused((ew_material){.young = 1.0, .poisson = (double)NAN, .density = 1.0}, "poisson");
    check_refused((ew_material){.young = 1.0, .poisson = 0.3, .density = -1.0}, "density");
}

static void test_materials_survive_failing_allocations(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_materials materials = {0};
        ew_test_allocations_begin(k);
        ew_status status = ew_materials_init(&materials, 1, &steel);
        ew_materials_free(&materials);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
    }
}

static CU_TestInfo tests[] = {
    {"gradients_reproduce_linear_functions", test_gradients_reproduce_linear_functions},
    {"strain_of_a_linear_field_is_exact", test_strain_of_a_linear_field_is_exact},
    {"strain_of_an_infinitesimal_rotation_is_zero",
     test_strain_of_an_infinitesimal_rotation_is_zero},
    {"shear_against_closed_form", test_shear_against_closed_form},
    {"uniaxial_stress", test_uniaxial_stress},
    {"block_against_voigt_form", test_block_against_voigt_form},
    {"von_mises_of_known_tensors", test_von_mises_of_known_tensors},
    {"principal_of_known_tensors", test_principal_of_known_tensors},
    {"principal_keeps_the_invariants", test_principal_keeps_the_invariants},
    {"materials_refuse_bad_fields", test_materials_refuse_bad_fields},
    {"materials_survive_failing_allocations", test_materials_survive_failing_allocations},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "element", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
