/* Mooney-Rivlin material: its stress and tangent against differences of its energy, bodies under
 * uniaxial and equibiaxial tension and simple shear against closed forms, and constants that it
 * refuses. */
#include "element/parts/element.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static const double c10 = 0.4, c01 = 0.15, young = 2.97, poisson = 0.35, bulk = 3.3;

static const ew_law *const law = &ew_law_mooney_rivlin;

static ew_material rubber(void)
{
    ew_material material = {.young = young, .poisson = poisson, .density = 1.0};
    ew_material_put_law(&material, &ew_law_mooney_rivlin);
    material.law_value[0] = c10;
    material.law_value[1] = c01;
    return material;
}

#include "rubber_fixture.h"

static double energy_of(const double s[3])
{
    const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2], j = s[0] * s[1] * s[2];
    return c10 * ((x + y + z) * pow(j, -2.0 / 3.0) - 3.0) +
           c01 * ((x * y + y * z + z * x) * pow(j, -4.0 / 3.0) - 3.0) +
           0.5 * bulk * (j - 1.0) * (j - 1.0);
}

/* dW / ds[k], the force over the undeformed area. */
static double principal_stress(const double s[3], int k)
{
    const double x = s[0] * s[0], y = s[1] * s[1], z = s[2] * s[2], j = s[0] * s[1] * s[2];
    const double i1 = x + y + z, i2 = x * y + y * z + z * x, own = s[k] * s[k];
    const double first = 2.0 * c10 * pow(j, -2.0 / 3.0) * (own - i1 / 3.0);
    const double second = 2.0 * c01 * pow(j, -4.0 / 3.0) * (own * (i1 - own) - 2.0 / 3.0 * i2);
    return (first + second + bulk * (j - 1.0) * j) / s[k];
}

/* Of the stretch a along x, or along x and y: the others are free of stress. */
static void free_stretch(double a, bool biaxial, double s[3])
{
    double low = 0.1, high = 3.0;
    for (int k = 0; k < 200; k++) {
        const double b = 0.5 * (low + high);
        s[0] = a, s[1] = biaxial ? a : b, s[2] = b;
        *(principal_stress(s, 2) > 0.0 ? &high : &low) = b;
    }
}

/* On three rollers; `biaxial`: y is stretched like x. */
static void check_tension(double a, bool biaxial)
{
    double s[3];
    free_stretch(a, biaxial, s);
    check_stretched(biaxial, s, principal_stress(s, 0), energy_of(s));
}

static void test_tension_is_the_closed_form(void)
{
    check_tension(1.8, false);
    check_tension(0.6, false);
    check_tension(1.4, true);
}

/* x + gamma y on the surface holds inside, too: I1 = I2 = 3 + gamma^2 and J = 1, so that the energy
 * is (c10 + c01) gamma^2. */
static void test_simple_shear_is_the_closed_form(void)
{
    const double gamma = 0.8;
    double energy, most = 0.0;
    ew_model *model = make_cube();
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_model_constraint fixed[4];
    for (int k = 0; k < 4; k++) {
        const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES};
        ew_list list = {0};
        fixed[k] = (ew_model_constraint){.fixed = 7, .value = {gamma * k / 3.0}};
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            const double *x = mesh->xyz + 3 * (size_t)v;
            const double near =
                fmin(fmin(fmin(x[0], 1.0 - x[0]), fmin(x[1], 1.0 - x[1])), fmin(x[2], 1.0 - x[2]));
            if (near < 1e-9 && fabs(x[1] - k / 3.0) < 1e-9) {
                must(ew_list_push(&list, v));
            }
        }
        must(ew_model_add_set(model, &def, &list, &fixed[k].set));
        ew_list_free(&list);
    }
    must(ew_model_set_constraints(model, 4, fixed));
    solve(model);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        most = fmax(most, fabs(ew_model_displacement(model)[3 * (size_t)v] - gamma * x[1]));
    }
    CU_ASSERT(most < 1e-8);
    (void)force_at_end(model, &energy);
    CU_ASSERT_DOUBLE_EQUAL(energy, (c10 + c01) * gamma * gamma, 1e-8);
    /* 2 c10 dev B - 2 c01 dev B^-1 */
    const double square = gamma * gamma, first = 2.0 * c10 / 3.0, second = 2.0 * c01 / 3.0;
    check_stress(model,
                 (double[]){(2.0 * first + second) * square, -(first + 2.0 * second) * square,
                            (second - first) * square, 2.0 * (c10 + c01) * gamma, 0.0, 0.0});
    ew_model_free(model);
}

static void test_constants_that_disagree_are_refused(void)
{
    ew_material material = rubber();
    must(ew_material_check(&material));
    material.young = 3.1;
    CU_ASSERT_EQUAL(ew_material_check(&material), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "young must be 2.97"));
    material.law_value[1] = -0.1;
    CU_ASSERT_EQUAL(ew_material_check(&material), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "c01 is -0.1"));
}

static void test_quadratic_tets_are_the_closed_forms(void)
{
    is_quadratic = true;
    test_tension_is_the_closed_form();
    is_quadratic = false;
    check_sheared(0.8, (c10 + c01) * 0.8 * 0.8);
}

/* Mixed tets have the same energy where strain and pressure are uniform. */
static void test_mixed_tets_are_the_closed_forms(void)
{
    is_mixed = true;
    test_tension_is_the_closed_form();
    test_simple_shear_is_the_closed_form();
    is_mixed = false;
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_stress_and_tangent_are_derivatives", test_stress_and_tangent_are_derivatives},
        {"test_small_strains_are_elastic", test_small_strains_are_elastic},
        {"test_tension_is_the_closed_form", test_tension_is_the_closed_form},
        {"test_simple_shear_is_the_closed_form", test_simple_shear_is_the_closed_form},
        {"test_quadratic_tets_are_the_closed_forms", test_quadratic_tets_are_the_closed_forms},
        {"test_mixed_tets_are_the_closed_forms", test_mixed_tets_are_the_closed_forms},
        {"test_constants_that_disagree_are_refused", test_constants_that_disagree_are_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"Mooney-Rivlin", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
