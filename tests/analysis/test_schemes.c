/* The schemes against theory, on one degree of freedom: order of accuracy, spectral radius,
 * numerical damping, stable steps. The steps are taken here from the rule alone. */
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>

#define PI 3.14159265358979323846

/* u'' + c u' + z u = 0, c = damping_mass + damping_stiffness z. */
typedef struct oscillator {
    ew_scheme_kind kind;
    ew_scheme_parameters parameters;
    double z, damping_mass, damping_stiffness;
} oscillator;

static double damping(const oscillator *of)
{
    return of->damping_mass + of->damping_stiffness * of->z;
}

/* x [3] = u, v, a of unit mass, one step on. */
static void step(const oscillator *of, double dt, double x[3])
{
    ew_scheme_rule rule;
    double of_mass, of_stiffness;
    ew_scheme_rule_of(of->kind, &of->parameters, &rule);
    ew_scheme_step_matrix(&rule, dt, of->damping_mass, of->damping_stiffness, &of_mass,
                          &of_stiffness);
    const double c = damping(of), f = 1.0 - rule.alpha_f;
    const double u = x[0] + dt * x[1] + dt * dt * rule.u[0] * x[2];
    const double v = x[1] + dt * rule.v[0] * x[2], d = x[1] + dt * rule.d[0] * x[2];
    const double force = -rule.alpha_m * x[2] - c * (f * d + rule.alpha_f * x[1]) -
                         of->z * (f * u + rule.alpha_f * x[0]);
    const double a = force / (of_mass + of_stiffness * of->z);
    x[0] = u + dt * dt * rule.u[1] * a;
    x[1] = v + dt * rule.v[1] * a;
    x[2] = a;
}

static oscillator make(ew_scheme_kind kind, double z, double damping_mass, double damping_stiffness)
{
    return (oscillator){kind, ew_default_scheme_parameters(), z, damping_mass, damping_stiffness};
}

/* Spectral radius of the step, by repeated squaring of its matrix. */
static double radius(const oscillator *of, double dt)
{
    double m[3][3], log_scale = 0.0;
    for (int j = 0; j < 3; j++) {
        double x[3] = {j == 0, j == 1, j == 2};
        /* in units in which u, v dt and a dt^2 compare */
        x[1] /= dt;
        x[2] /= dt * dt;
        step(of, dt, x);
        m[0][j] = x[0];
        m[1][j] = x[1] * dt;
        m[2][j] = x[2] * dt * dt;
    }
    const int n = 40;
    for (int k = 0; k < n; k++) {
        double square[3][3] = {{0}}, largest = 0.0;
        for (int i = 0; i < 9; i++) {
            for (int l = 0; l < 3; l++) {
                square[i / 3][i % 3] += m[i / 3][l] * m[l][i % 3];
            }
            largest = fmax(largest, fabs(square[i / 3][i % 3]));
        }
        if (largest == 0.0) {
            return 0.0;
        }
        for (int i = 0; i < 9; i++) {
            m[i / 3][i % 3] = square[i / 3][i % 3] / largest;
        }
        log_scale = 2.0 * log_scale + log(largest);
    }
    return exp(log_scale / pow(2.0, n));
}

/* Error of u at time 1 from u = 1, v = 0. */
static double error_at(const oscillator *of, int n)
{
    const double c = damping(of), w = sqrt(of->z - 0.25 * c * c);
    const double exact = exp(-0.5 * c) * (cos(w) + 0.5 * c / w * sin(w));
    double x[3] = {1.0, 0.0, -of->z};
    for (int i = 0; i < n; i++) {
        step(of, 1.0 / n, x);
    }
    return fabs(x[0] - exact);
}

static double order_of(const oscillator *of)
{
    return log2(error_at(of, 2000) / error_at(of, 4000));
}

static void test_schemes_have_their_order(void)
{
    static const int free[EW_SCHEME_COUNT] = {1, 2, 2, 2, 1, 2};
    static const int damped[EW_SCHEME_COUNT] = {1, 2, 2, 2, 1, 1};
    for (int k = 0; k < EW_SCHEME_COUNT; k++) {
        oscillator of = make((ew_scheme_kind)k, 40.0, 0.0, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(order_of(&of), free[k], 0.05);
        of = make((ew_scheme_kind)k, 40.0, 0.3, 0.02);
        CU_ASSERT_DOUBLE_EQUAL(order_of(&of), damped[k], 0.05);
    }
    oscillator of = make(EW_NEWMARK, 40.0, 0.0, 0.0);
    of.parameters.gamma = 0.6;
    of.parameters.beta = 0.31;
    CU_ASSERT_DOUBLE_EQUAL(order_of(&of), 1, 0.05);
}

/* At infinite frequency, and in the mid range, where the parameters say so. */
static void test_schemes_have_their_spectral_radius(void)
{
    for (int k = 0; k <= 10; k++) {
        oscillator of = make(EW_GENERALIZED_ALPHA, 1e14, 0.0, 0.0);
        of.parameters.spectral_radius = 0.1 * k;
        CU_ASSERT_DOUBLE_EQUAL(radius(&of, 1.0), 0.1 * k, 1e-4);
        of = make(EW_HHT, 1e14, 0.0, 0.0);
        const double alpha = -k / 30.0;
        of.parameters.alpha = alpha;
        CU_ASSERT_DOUBLE_EQUAL(radius(&of, 1.0), (1.0 + alpha) / (1.0 - alpha), 1e-4);
    }
    for (double z = 1e-2; z < 1e6; z *= 10.0) {
        oscillator of = make(EW_NEWMARK, z, 0.0, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(radius(&of, 1.0), 1.0, 1e-9);
        /* v_1 = v_0 - dt z u_1, u_1 = u_0 + dt v_1: complex roots of product 1 / (1 + z dt^2) */
        of = make(EW_IMPLICIT_EULER, z, 0.0, 0.0);
        CU_ASSERT_DOUBLE_EQUAL(radius(&of, 1.0), 1.0 / sqrt(1.0 + z), 1e-9);
    }
}

/* Rayleigh damping at frequency w: ratio a / (2 w) + b w / 2, and the scheme's own on top, which is
 * zero for the average acceleration and w dt / 2 for implicit Euler (first order). */
static void test_damping_ratios(void)
{
    const double w = 2.0 * PI, dt = 1e-3, a = 0.4, b = 0.01;
    const double physical = 0.5 * (a / w + b * w);
    static const ew_scheme_kind kinds[] = {EW_NEWMARK, EW_IMPLICIT_EULER};
    for (int k = 0; k < 2; k++) {
        const oscillator of = make(kinds[k], w * w, a, b);
        const double ratio = -log(radius(&of, dt)) / (w * dt);
        CU_ASSERT_DOUBLE_EQUAL(ratio, physical + (k ? 0.5 * w * dt : 0.0), 2e-4);
    }
}

/* Stable up to the step that is given, for every frequency up to the largest; not beyond. */
static void test_stable_steps_are_sharp(void)
{
    static const double damped[][2] = {{0.0, 0.0}, {0.5, 0.0},  {0.0, 0.01},
                                       {0.4, 0.3}, {30.0, 0.0}, {0.0, 5.0}};
    static const ew_scheme_kind kinds[] = {EW_EXPLICIT_EULER, EW_CENTRAL_DIFFERENCE, EW_NEWMARK};
    const double square = 90.0;
    for (int i = 0; i < 18; i++) {
        const double *c = damped[i % 6];
        oscillator of = make(kinds[i / 6], square, c[0], c[1]);
        of.parameters.beta = 1.0 / 6.0;
        const double limit = ew_scheme_stable_step(of.kind, &of.parameters, square, c[0], c[1]);
        if (limit == 0.0) {
            CU_ASSERT(of.kind == EW_EXPLICIT_EULER && i % 6 == 0 && radius(&of, 1e-3) > 1.0);
            continue;
        }
        double above = radius(&of, 1.01 * limit);
        for (int k = 0; k <= 50; k++) {
            of.z = square * k / 50.0;
            CU_ASSERT(radius(&of, limit) <= 1.0 + 1e-5); /* at it a double root */
            above = fmax(above, radius(&of, 1.01 * limit));
        }
        CU_ASSERT(above > 1.0 || of.kind == EW_NEWMARK); /* whose damping only helps */
    }
    const oscillator of = make(EW_NEWMARK, square, 0.0, 0.0);
    CU_ASSERT(isinf(ew_scheme_stable_step(EW_NEWMARK, &of.parameters, square, 0.0, 0.0)));
    CU_ASSERT(isinf(ew_scheme_stable_step(EW_HHT, &of.parameters, square, 0.0, 0.0)));
}

static void test_parameters_out_of_range_are_refused(void)
{
    ew_scheme_parameters bad = ew_default_scheme_parameters();
    for (int k = 0; k < EW_SCHEME_COUNT; k++) {
        CU_ASSERT_EQUAL(ew_scheme_check((ew_scheme_kind)k, &bad), EW_OK);
        CU_ASSERT(ew_scheme_of((ew_scheme_kind)k)->name &&
                  ew_scheme_of((ew_scheme_kind)k)->reference);
    }
    CU_ASSERT(!ew_scheme_of(EW_SCHEME_COUNT));
    CU_ASSERT_EQUAL(ew_scheme_check(EW_SCHEME_COUNT, &bad), EW_BAD_ARGUMENT);
    bad.gamma = 0.49;
    CU_ASSERT_EQUAL(ew_scheme_check(EW_NEWMARK, &bad), EW_BAD_ARGUMENT);
    bad.alpha = -0.34;
    CU_ASSERT_EQUAL(ew_scheme_check(EW_HHT, &bad), EW_BAD_ARGUMENT);
    bad.spectral_radius = NAN;
    CU_ASSERT_EQUAL(ew_scheme_check(EW_GENERALIZED_ALPHA, &bad), EW_BAD_ARGUMENT);
    CU_ASSERT_STRING_EQUAL(ew_message(),
                           "generalized-alpha: spectral_radius is nan, must be from 0 to 1");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"order", test_schemes_have_their_order},
        {"spectral_radius", test_schemes_have_their_spectral_radius},
        {"damping_ratios", test_damping_ratios},
        {"stable_steps", test_stable_steps_are_sharp},
        {"refused", test_parameters_out_of_range_are_refused},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"schemes", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
