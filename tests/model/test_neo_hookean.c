/* Neo-Hookean material: its stress and tangent against differences of its energy, bodies under
 * uniaxial and biaxial tension and simple shear against closed forms, and what it refuses. */
#include "element/parts/element.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static const double young = 3.0, poisson = 0.35;

static const ew_law *const law = &ew_law_neo_hookean;

static ew_material rubber(void)
{
    ew_material material = {.young = young, .poisson = poisson, .density = 1.0};
    ew_material_put_law(&material, &ew_law_neo_hookean);
    return material;
}

static void lame_of(double *lambda, double *mu)
{
    *lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    *mu = young / (2.0 * (1.0 + poisson));
}

#include "rubber_fixture.h"

static double energy_of(const double s[3])
{
    double lambda, mu;
    lame_of(&lambda, &mu);
    const double j = s[0] * s[1] * s[2];
    return 0.5 * mu * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0 - 2.0 * log(j)) +
           0.25 * lambda * (j * j - 1.0 - 2.0 * log(j));
}

/* On three rollers; `biaxial`: y is stretched like x. What is free is free of stress, mu (b^2 - 1)
 * + lambda / 2 (J^2 - 1) = 0, with J = a b^2 or a^2 b. */
static void check_tension(double a, bool biaxial)
{
    double lambda, mu;
    lame_of(&lambda, &mu);
    const double p = 0.5 * lambda * a * a, q = mu + 0.5 * lambda;
    const double b =
        biaxial ? sqrt(q / (mu + p * a * a)) : sqrt((sqrt(mu * mu + 4.0 * p * q) - mu) / (2.0 * p));
    const double s[3] = {a, biaxial ? a : b, b}, j = s[0] * s[1] * s[2];
    const double force = mu * (a - 1.0 / a) + 0.5 * lambda * (j * j - 1.0) / a;
    check_stretched(biaxial, s, force, energy_of(s));
}

static void test_tension_is_the_closed_form(void)
{
    check_tension(1.8, false);
    check_tension(0.6, false);
    check_tension(1.4, true);
}

/* x + gamma y: P = mu (F - F^-T) of J = 1 has shear mu gamma alone, so that x is free between the
 * ends where y and z are fixed; the energy is mu gamma^2 / 2. */
static void test_simple_shear_is_the_closed_form(void)
{
    const double gamma = 0.8;
    double lambda, mu, energy, most = 0.0;
    lame_of(&lambda, &mu);
    ew_model *model = make_cube();
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_model_constraint fixed[4];
    for (int k = 0; k < 4; k++) {
        fixed[k] =
            (ew_model_constraint){.set = add_face(model, 1, k / 3.0), .fixed = k % 3 ? 6 : 7};
        fixed[k].value[0] = k == 3 ? gamma : 0.0;
    }
    must(ew_model_set_constraints(model, 4, fixed));
    solve(model);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        most = fmax(most, fabs(ew_model_displacement(model)[3 * (size_t)v] - gamma * x[1]));
    }
    CU_ASSERT(most < 1e-10);
    (void)force_at_end(model, &energy);
    CU_ASSERT_DOUBLE_EQUAL(energy, 0.5 * mu * gamma * gamma, 1e-10);
    /* mu (F F^T - 1), of a rotation of the stress by 22 degrees */
    check_stress(model, (double[]){mu * gamma * gamma, 0.0, 0.0, mu * gamma, 0.0, 0.0});
    ew_model_free(model);
}

static void test_small_kinematics_are_refused(void)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info;
    ew_model *model = make_cube();
    const ew_model_constraint fixed = {.set = add_face(model, 0, 0.0), .fixed = 7};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_kinematics(model, EW_SMALL));
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(model, &def, &info), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "corotational"));
    ew_model_free(model);
}

static void test_quadratic_tets_are_the_closed_forms(void)
{
    double lambda, mu;
    lame_of(&lambda, &mu);
    is_quadratic = true;
    test_tension_is_the_closed_form();
    is_quadratic = false;
    check_sheared(0.8, 0.5 * mu * 0.8 * 0.8);
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
        {"test_small_kinematics_are_refused", test_small_kinematics_are_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"neo-Hookean", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
