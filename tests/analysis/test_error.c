/* The error estimate against the true error on problems with a known answer: its effectivity, the
 * estimated over the true error in the norm of the energy, must lie between 0.8 and 1.3. */
#include "error_fixture.h"

#include "operation/parts/operation.h"

#include <stdlib.h>

static double energy_of(const body *b)
{
    double energy = 0.0;
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        energy += b->fields.energy[t];
    }
    return energy;
}

/* Estimated over true error; printed. */
static double effectivity(const body *b, stress_function exact, const char *name)
{
    const double error = body_true_error(b, exact);
    const double share = error / hypot(error, b->estimate.solution_norm);
    printf("\n  %-28s %7d tets: error %5.2f %%, estimate %5.2f %%, effectivity %.3f", name,
           b->mesh.n_live_tet, 100.0 * share, 100.0 * b->estimate.share,
           b->estimate.error_norm / error);
    printf(" (averaging: %.3f)", naive_error(b) / error);
    return b->estimate.error_norm / error;
}

/* The estimate at the peak is on the safe side of the true error there, and at most 20 % beyond. */
static void check_peak(const body *b, double exact)
{
    const double off = fabs(1.0 - b->estimate.peak_stress / exact);
    printf("; peak off by %.1f %%, estimate %.1f %%", 100.0 * off, 100.0 * b->estimate.peak_share);
    CU_ASSERT(b->estimate.peak_share > off && b->estimate.peak_share < off + 0.2);
}

/* ---- plate with a hole (Kirsch 1898) -------------------------------------- */

/* Hole of radius 1, tension 1 along x at infinity, plane strain. */
static void kirsch_stress(const double x[3], double s[6])
{
    const double r2 = x[0] * x[0] + x[1] * x[1], angle = atan2(x[1], x[0]);
    const double a2 = 1.0 / r2, a4 = a2 * a2;
    s[0] = 1.0 - a2 * (1.5 * cos(2 * angle) + cos(4 * angle)) + 1.5 * a4 * cos(4 * angle);
    s[1] = -a2 * (0.5 * cos(2 * angle) - cos(4 * angle)) - 1.5 * a4 * cos(4 * angle);
    s[2] = nu * (s[0] + s[1]);
    s[3] = -a2 * (0.5 * sin(2 * angle) + sin(4 * angle)) + 1.5 * a4 * sin(4 * angle);
    s[4] = s[5] = 0.0;
}

static void kirsch_support(const double x[3], uint8_t *fixed, double value[3])
{
    *fixed = (uint8_t)(4 | (fabs(x[0]) < 1e-9) | (fabs(x[1]) < 1e-9) << 1);
    (void)value;
}

static bool kirsch_pulled(const double x[3])
{
    return fabs(x[0] - 4.0) < 1e-9 || fabs(x[1] - 4.0) < 1e-9;
}

static void test_error_plate(void)
{
    for (int32_t n = 2; n <= 8; n *= 2) {
        body b = {.material = {{young, nu, 1.0}}};
        CU_ASSERT_EQUAL_FATAL(
            ew_shape_plate_hole(&b.mesh, 4.0, 1.0, 0.5, (int32_t[3]){4 * n, 4 * n, n}), EW_OK);
        body_build(&b);
        body_support(&b, kirsch_support);
        body_pull(&b, kirsch_stress, kirsch_pulled);
        body_solve(&b);
        const double index = effectivity(&b, kirsch_stress, "plate with a hole");
        check_peak(&b, 3.0 * sqrt(1.0 - nu + nu * nu));
        CU_ASSERT(index > 0.8 && index < 1.3);
        body_free(&b);
    }
}

/* ---- thick sphere under pressure (Lame 1852) ------------------------------- */

static void lame_stress(const double x[3], double s[6])
{
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], r = sqrt(r2);
    const double k = 1.0 / 7.0, radial = k * (1.0 - 8.0 / (r2 * r));
    const double hoop = k * (1.0 + 4.0 / (r2 * r));
    for (int c = 0; c < 3; c++) {
        s[c] = hoop + (radial - hoop) * x[c] * x[c] / r2;
        s[c + 3] = (radial - hoop) * x[c] * x[(c + 1) % 3] / r2;
    }
}

static void octant_support(const double x[3], uint8_t *fixed, double value[3])
{
    *fixed = (uint8_t)((fabs(x[0]) < 1e-9) | (fabs(x[1]) < 1e-9) << 1 | (fabs(x[2]) < 1e-9) << 2);
    (void)value;
}

static bool is_inner(const double x[3])
{
    return fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1.0) < 1e-9;
}

static void inner_pressure(const double x[3], double s[6])
{
    s[0] = s[1] = s[2] = -1.0;
    s[3] = s[4] = s[5] = 0.0 * x[0];
}

static void test_error_sphere(void)
{
    for (int32_t n = 4; n <= 16; n *= 2) {
        body b = {.material = {{young, nu, 1.0}}};
        CU_ASSERT_EQUAL_FATAL(ew_shape_sphere_octant(&b.mesh, 1.0, 2.0, (int32_t[2]){n, n}), EW_OK);
        body_build(&b);
        body_support(&b, octant_support);
        body_pull(&b, inner_pressure, is_inner);
        body_solve(&b);
        const double index = effectivity(&b, lame_stress, "sphere under pressure");
        check_peak(&b, 12.0 / 7.0);
        CU_ASSERT(index > 0.8 && index < 1.3);
        body_free(&b);
    }
}

/* ---- pure bending ----------------------------------------------------------- */

static void test_error_bending(void)
{
    for (int32_t n = 2; n <= 8; n *= 2) {
        body b = {.material = {{young, nu, 1.0}}};
        make_beam(&b, n);
        body_build(&b);
        body_support(&b, bending_support);
        body_solve(&b);
        const double index = effectivity(&b, bending_stress, "pure bending");
        CU_ASSERT(index > 0.8 && index < 1.3);
        body_free(&b);
    }
}

/* ---- meshes that are not regular ------------------------------------------------- */

/* Bisects the edges of the half x < 2 that are longer than that. */
static void bisect_half(body *b, double longer)
{
    ew_topology topology = {0};
    ew_list near = {0};
    ew_edit edit = {0};
    ew_change change = {0};
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &b->mesh), EW_OK);
    for (int32_t v = 0; v < b->mesh.n_vertex; v++) {
        if (b->mesh.xyz[3 * (size_t)v] < 2.0) {
            CU_ASSERT_EQUAL_FATAL(ew_list_push(&near, v), EW_OK);
        }
    }
    CU_ASSERT_EQUAL_FATAL(ew_operation_refine(&b->mesh, &topology, longer, &near, &edit), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&b->mesh, &edit, NULL, &change), EW_OK);
    ew_list_free(&near);
    ew_edit_free(&edit);
    ew_change_free(&change);
    ew_topology_free(&topology);
}

static void test_error_irregular(void)
{
    for (int32_t n = 2; n <= 4; n *= 2) {
        for (int32_t kind = 0; kind < 2; kind++) {
            body b = {.material = {{young, nu, 1.0}}};
            make_beam(&b, n);
            kind == 0 ? shake(&b, 0.2 / n) : bisect_half(&b, 1.0 / n);
            body_build(&b);
            body_support(&b, bending_support);
            body_solve(&b);
            const double index =
                effectivity(&b, bending_stress, kind ? "bending, bisected" : "bending, shaken");
            CU_ASSERT(index > 0.8 && index < 1.3);
            body_free(&b);
        }
        body b = {.material = {{young, nu, 1.0}}};
        CU_ASSERT_EQUAL_FATAL(
            ew_shape_plate_hole(&b.mesh, 4.0, 1.0, 0.5, (int32_t[3]){4 * n, 4 * n, n}), EW_OK);
        bisect_half(&b, 0.5 / n);
        body_build(&b);
        body_support(&b, kirsch_support);
        body_pull(&b, kirsch_stress, kirsch_pulled);
        body_solve(&b);
        const double index = effectivity(&b, kirsch_stress, "plate, bisected");
        CU_ASSERT(index > 0.8 && index < 1.3);
        body_free(&b);
    }
}

/* ---- cantilever --------------------------------------------------------------- */

static void clamp(const double x[3], uint8_t *fixed, double value[3])
{
    *fixed = x[0] < 1e-9 ? 7 : 0;
    (void)value;
}

static bool is_tip(const double x[3])
{
    return x[0] > 4.0 - 1e-9;
}

static void tip_shear(const double x[3], double s[6])
{
    s[0] = s[1] = s[2] = s[3] = s[4] = 0.0 * x[0];
    s[5] = -1.0;
}

/* The energy to which meshes of 8, 16 and 32 layers lead: 2.46738, 2.59211, 2.62759, whose
 * differences fall by 3.51 at the end. Through two layers of tets the tip moves half as far as it
 * should, and no estimate that looks at a few tets at a time sees all of that. */
static void test_error_cantilever(void)
{
    const double exact = 2.6417, low[3] = {0.6, 0.8, 0.8};
    for (int32_t k = 0, n = 2; n <= 8; k++, n *= 2) {
        body b = {.material = {{young, nu, 1.0}}};
        make_beam(&b, n);
        body_build(&b);
        body_support(&b, clamp);
        body_pull(&b, tip_shear, is_tip);
        body_solve(&b);
        const double norm = b.estimate.solution_norm, error = sqrt(exact - norm * norm);
        const double index = b.estimate.error_norm / error;
        printf("\n  %-22s %6d tets: error %5.2f %%, estimate %5.2f %%, effectivity %.3f",
               "cantilever", b.mesh.n_live_tet, 100.0 * error / sqrt(exact),
               100.0 * b.estimate.share, index);
        CU_ASSERT(index > low[k] && index < 1.3);
        CU_ASSERT_DOUBLE_EQUAL(norm * norm, 2.0 * energy_of(&b), 1e-9 * norm * norm);
        body_free(&b);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"error_plate", test_error_plate},           {"error_sphere", test_error_sphere},
        {"error_bending", test_error_bending},       {"error_irregular", test_error_irregular},
        {"error_cantilever", test_error_cantilever}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"error", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
