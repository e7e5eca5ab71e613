/* Torsion of a cylinder of rubber whose length and radius stay, theta = Theta + twist Z: the laws
 * against the closed forms of incompressible material (Rivlin 1948, Phil. Trans. R. Soc. A 241,
 * section 7; Ogden 1984, Non-linear Elastic Deformations, section 5.3). test_mixed_large.c has a
 * body that comes to them. */
#include "element/parts/element.h"
#include "testlib.h"

#include <math.h>

static const double pi = 3.14159265358979324, twist = 0.5, c10 = 0.4, c01 = 0.15;

static ew_material mooney_rivlin(double poisson)
{
    ew_material material = {.young = 4.0 * (1.0 + poisson) * (c10 + c01), .poisson = poisson};
    ew_material_put_law(&material, &ew_law_mooney_rivlin);
    material.law_value[0] = c10;
    material.law_value[1] = c01;
    return material;
}

static ew_material neo_hookean(void)
{
    ew_material material = {.young = 4.0 * 1.35 * (c10 + c01), .poisson = 0.35};
    ew_material_put_law(&material, &ew_law_neo_hookean);
    return material;
}

/* ---- the law ----------------------------------------------------------------------------------
 */

/* Cauchy stress at a radius, along r, theta and z: of F = 1 + twist r e_theta e_z^T. */
static void stress_at(const ew_material *material, double r, double stress[6])
{
    const double x[12] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    double u[12] = {0.0}, constants[EW_MAX_LAW_CONSTANTS], own[6];
    ew_tet_motion motion;
    u[10] = twist * r;
    ew_tet_move(EW_COROTATIONAL, x, u, &motion);
    material->law->prepare(material, constants);
    material->law->respond(constants, motion.strain, NULL, 0.0, NULL, own, NULL);
    ew_tet_true_stress(&motion, own);
    ew_rotate_tensor(motion.r, own, stress);
}

/* Moment and axial force of a cylinder of radius 1 whose side is free. The pressure of
 * incompressible material is that which makes d sigma_r / dr = (sigma_theta - sigma_r) / r, so that
 * N = integral of pi r (2 sigma_z - sigma_r - sigma_theta) dr: differences of normal stresses,
 * which are the same of compressible material at J = 1. By Gauss' rule of five points in 20 parts.
 */
static void check_law(const ew_material *material, double c1, double c2)
{
    static const double at[5] = {-0.906179845938664, -0.538469310105683, 0.0, 0.538469310105683,
                                 0.906179845938664};
    static const double weight[5] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                     0.478628670499366, 0.236926885056189};
    double moment = 0.0, force = 0.0;
    for (int k = 0; k < 100; k++) {
        const double r = (k / 5 + 0.5 + 0.5 * at[k % 5]) / 20.0, dr = weight[k % 5] / 40.0;
        double s[6]; /* rr tt zz rt tz rz */
        stress_at(material, r, s);
        moment += 2.0 * pi * r * r * s[4] * dr;
        force += pi * r * (2.0 * s[2] - s[0] - s[1]) * dr;
    }
    CU_ASSERT_DOUBLE_EQUAL(moment, pi * (c1 + c2) * twist, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(force, -0.5 * pi * (c1 + 2.0 * c2) * twist * twist, 1e-12);
}

static void test_laws_are_the_closed_form(void)
{
    const ew_material of_two = mooney_rivlin(0.4), of_one = neo_hookean();
    check_law(&of_two, c10, c01);
    check_law(&of_one, c10 + c01, 0.0);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"laws_are_the_closed_form", test_laws_are_the_closed_form},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"torsion", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
