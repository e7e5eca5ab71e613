/* Fatigue: rainflow counting against ASTM E1049-85 and another algorithm, lives against Dowling
 * (Mechanical Behavior of Materials, 4th edition 2013) and Shigley (Mechanical Engineering Design),
 * planes against a dense scan; strain lives against closed forms.
 *
 * Longer than 500 lines because histories, curves and what a point of a body is judged by are
 * shared by all of its tests. */
#include "analysis/parts/analysis.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- cycles ------------------------------------------------------------------------------- */

static int by_range(const void *a, const void *b)
{
    const ew_fatigue_cycle *x = a, *y = b;
    const double d = x->amplitude != y->amplitude ? x->amplitude - y->amplitude : x->mean - y->mean;
    return d < 0 ? -1 : d > 0;
}

static int32_t count(int32_t n, const double *value, ew_fatigue_cycle *cycle)
{
    ew_turning_point turning[600];
    int32_t pair[300][2], n_turning;
    const int32_t m = ew_rainflow(n, value, &n_turning, turning, pair);
    for (int32_t k = 0; k < m; k++) {
        const double a = value[turning[pair[k][0]].at], b = value[turning[pair[k][1]].at];
        cycle[k] = (ew_fatigue_cycle){.amplitude = 0.5 * fabs(a - b), .mean = 0.5 * (a + b)};
    }
    qsort(cycle, (size_t)m, sizeof *cycle, by_range);
    return m;
}

/* ASTM E1049-85, figure 7: the history of its figure 6, repeated, has ranges 3, 4, 7 and 9. */
static void test_standard(void)
{
    const double value[] = {-2, 1, -3, 5, -1, 3, -4, 4, -2}, range[] = {3, 4, 7, 9};
    const double mean[] = {-0.5, 1, 0.5, 0.5};
    ew_fatigue_cycle cycle[8];
    CU_ASSERT_EQUAL_FATAL(count(9, value, cycle), 4);
    for (int k = 0; k < 4; k++) {
        CU_ASSERT_EQUAL(2 * cycle[k].amplitude, range[k]);
        CU_ASSERT_EQUAL(cycle[k].mean, mean[k]);
    }
    CU_ASSERT_EQUAL(count(0, value, cycle), 0);
    CU_ASSERT_EQUAL(count(1, value, cycle), 0);
    CU_ASSERT_EQUAL_FATAL(count(2, value, cycle), 1);
    CU_ASSERT_EQUAL(cycle[0].amplitude, 1.5);
}

/* Rychlik 1987: a maximum makes a cycle with the higher of the lowest values before and behind it
 * up to where the sequence comes above it; the largest one with the lowest of all. */
static int32_t count_by_maxima(int32_t n, const double *value, ew_fatigue_cycle *cycle)
{
    int32_t m = 0;
    for (int32_t i = 0; i < n; i++) {
        const double top = value[i];
        double low[2] = {top, top};
        if (!(top > value[(i + n - 1) % n] && top > value[(i + 1) % n])) {
            continue;
        }
        for (int side = 0; side < 2; side++) {
            for (int32_t k = 1; k < n; k++) {
                const double at = value[(i + (side ? k : n - k)) % n];
                if (at > top) {
                    break;
                }
                low[side] = fmin(low[side], at);
            }
        }
        const double bottom = fmax(low[0], low[1]);
        cycle[m++] = (ew_fatigue_cycle){0.5 * (top - bottom), 0.5 * (top + bottom), 0.0, 1.0};
    }
    qsort(cycle, (size_t)m, sizeof *cycle, by_range);
    return m;
}

/* -1 .. 1 */
static double random_value(uint64_t *state)
{
    return ew_test_random(state, 2000001) / 1e6 - 1.0;
}

static void compare(int32_t n, const ew_fatigue_cycle *found, int32_t n_wanted,
                    const ew_fatigue_cycle *wanted, double sign)
{
    CU_ASSERT_EQUAL_FATAL(n, n_wanted);
    for (int32_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(found[k].amplitude, wanted[k].amplitude);
        if (sign > 0) {
            CU_ASSERT_EQUAL(found[k].mean, wanted[k].mean);
        }
    }
}

/* Random histories; begun elsewhere, run backward, and with the other sign they have the same
 * cycles; ranges add up to half of the way. */
static void test_random(void)
{
    uint64_t state = 7;
    for (int32_t trial = 0; trial < 300; trial++) {
        const int32_t n = 3 + trial;
        double value[310], other[310], way = 0.0, sum = 0.0;
        ew_fatigue_cycle found[310], wanted[310];
        for (int32_t i = 0; i < n; i++) {
            value[i] = random_value(&state);
        }
        const int32_t m = count(n, value, found);
        compare(m, found, count_by_maxima(n, value, wanted), wanted, 1.0);
        for (int32_t i = 0; i < n; i++) {
            way += fabs(value[i] - value[(i + 1) % n]);
            other[i] = value[(i + n / 3) % n];
        }
        for (int32_t k = 0; k < m; k++) {
            sum += 4.0 * found[k].amplitude;
        }
        CU_ASSERT_DOUBLE_EQUAL(sum, way, 1e-12 * way);
        compare(count(n, other, wanted), wanted, m, found, 1.0);
        for (int32_t i = 0; i < n; i++) {
            other[i] = value[n - 1 - i];
        }
        compare(count(n, other, wanted), wanted, m, found, 1.0);
        for (int32_t i = 0; i < n; i++) {
            other[i] = -value[i];
        }
        compare(count(n, other, wanted), wanted, m, found, -1.0);
    }
}

/* ---- lives ---------------------------------------------------------------------------------- */

/* Basquin: S = strength (2 N)^exponent. */
static ew_fatigue_curve basquin(double strength, double exponent)
{
    ew_fatigue_curve curve = ew_default_fatigue_curve();
    curve.n_point = 2;
    curve.strength = strength;
    curve.point[0][0] = 0.5;
    curve.point[0][1] = strength;
    curve.point[1][0] = 0.5e6;
    curve.point[1][1] = strength * pow(1e6, exponent);
    return curve;
}

static double life(const ew_fatigue_curve *curve, ew_mean_stress mean_stress, double amplitude,
                   double mean)
{
    const ew_fatigue_cycle cycle = {amplitude, mean, 0.0, 1.0};
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(curve, EW_STRESS_LIFE, mean_stress), EW_OK);
    return ew_fatigue_cycles(curve, ew_fatigue_reversed(curve, mean_stress, &cycle));
}

/* Dowling, examples 9.3 and 9.5: AISI 4340, amplitude 450 about 200 MPa. */
static void test_dowling(void)
{
    ew_fatigue_curve curve = basquin(1758, -0.0977);
    const ew_fatigue_cycle cycle = {379, 621, 0, 1};
    CU_ASSERT_DOUBLE_EQUAL(life(&curve, EW_MEAN_MORROW, 450, 200), 166000, 500);
    CU_ASSERT_DOUBLE_EQUAL(life(&curve, EW_MEAN_SWT, 450, 200), 86900, 50);
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_reversed(&curve, EW_MEAN_MORROW, &cycle), 586.0, 0.05);
    curve.walker = 0.5;
    CU_ASSERT_DOUBLE_EQUAL(life(&curve, EW_MEAN_WALKER, 450, 200),
                           life(&curve, EW_MEAN_SWT, 450, 200), 1e-6);
    curve.walker = 1.0;
    CU_ASSERT_DOUBLE_EQUAL(life(&curve, EW_MEAN_WALKER, 450, 200),
                           life(&curve, EW_MEAN_NONE, 450, 200), 1e-6);
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_SWT, 100, -100), INFINITY);
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_WALKER, 100, -200), INFINITY);
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_MORROW, 300, -200), life(&curve, EW_MEAN_NONE, 300, 0));
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_MORROW, 1, 1800), 0.5);
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_NONE, 1e4, 0), 0.5);
}

/* From f Su at 1000 cycles to Se at a million (Shigley, 9th edition 2011, 6-8). */
static ew_fatigue_curve shigley(double ultimate, double limit, double f)
{
    ew_fatigue_curve curve = ew_default_fatigue_curve();
    curve.n_point = 2;
    curve.ultimate = ultimate;
    curve.endurance_limit = limit;
    curve.point[0][0] = 1e3;
    curve.point[0][1] = f * ultimate;
    curve.point[1][0] = 1e6;
    curve.point[1][1] = limit;
    return curve;
}

/* Shigley, 9th edition, example 6-15: cycles (70, 10), (10, 50), (10, -30) kpsi by Gerber last 619
 * 10^3 blocks; 8th edition, problem 6-20: 23.18 about 69.54 by Goodman, 710 000 cycles, and by
 * Gerber no end. Soderberg is Goodman with the yield strength. */
static void test_shigley(void)
{
    const int32_t record[] = {0, 0, 0, 0, 0, 0};
    const double factor[] = {80, 40, 60, -60, -20, -40};
    const float unit[6] = {1};
    const ew_fatigue_block block = {6, record, factor, 1};
    const ew_fatigue_history history = {.n_record = 1,
                                        .n_block = 1,
                                        .block = &block,
                                        .stress = EW_FATIGUE_VON_MISES,
                                        .mean_stress = EW_MEAN_GERBER,
                                        .life = 1e5};
    ew_fatigue_work work = {0};
    ew_fatigue_life found;
    ew_fatigue_curve curve = shigley(151, 67.5, 0.795);
    CU_ASSERT_EQUAL_FATAL(ew_fatigue_work_reserve(&work, &history), EW_OK);
    ew_fatigue_take(&history, &curve, unit, NULL, &work, &found);
    CU_ASSERT_DOUBLE_EQUAL(1.0 / found.damage, 619e3, 6e3); /* by a slope of -0.0833, rounded */
    CU_ASSERT_DOUBLE_EQUAL(work.cycle[0].mean / work.cycle[0].amplitude, 5.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(work.cycle[2].amplitude / work.cycle[0].amplitude, 7.0, 1e-12);
    ew_fatigue_work_free(&work);
    curve = shigley(188.1, 34.22, 0.778);
    CU_ASSERT_DOUBLE_EQUAL(life(&curve, EW_MEAN_GOODMAN, 23.18, 69.54), 710e3, 2e3);
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_GERBER, 23.18, 69.54), INFINITY);
    curve.yield = 188.1;
    CU_ASSERT_EQUAL(life(&curve, EW_MEAN_SODERBERG, 23.18, 69.54),
                    life(&curve, EW_MEAN_GOODMAN, 23.18, 69.54));
}

/* Factors; a knee behind which the slope is another one; 97.725 % are two standard deviations. */
static void test_curve(void)
{
    ew_fatigue_curve curve = basquin(1000, -0.1);
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_cycles(&curve, 500), 0.5 * pow(2, 10), 1e-9);
    curve.strength_factor = 0.5;
    curve.life_factor = 0.25;
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_cycles(&curve, 125), 0.125 * pow(4, 10), 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_survival(0.9772498680518208, 0.2), pow(10, -0.4), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_survival(0.5, 0.2), 1.0, 1e-9);
    curve = basquin(1000, -0.1);
    curve.n_point = 3;
    curve.point[2][0] = 0.5e8;
    curve.point[2][1] = curve.point[1][1] * pow(100, -0.05);
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_cycles(&curve, curve.point[1][1] * pow(10, -0.05)) / 0.5e7,
                           1.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ew_fatigue_cycles(&curve, curve.point[2][1] * pow(10, -0.05)) / 0.5e9,
                           1.0, 1e-9);
}

static void test_check(void)
{
    const ew_fatigue_curve good = basquin(1000, -0.1);
    ew_fatigue_curve curve = good;
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRESS_LIFE, EW_MEAN_NONE), EW_OK);
    for (int k = EW_MEAN_GOODMAN; k < EW_MEAN_STRESS_COUNT; k++) {
        curve.strength = 0.0;
        CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRESS_LIFE, (ew_mean_stress)k),
                        k == EW_MEAN_SWT ? EW_OK : EW_BAD_ARGUMENT);
    }
    curve.n_point = 1;
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRESS_LIFE, EW_MEAN_NONE), EW_BAD_ARGUMENT);
    curve = good;
    curve.point[1][1] = curve.point[0][1];
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRESS_LIFE, EW_MEAN_NONE), EW_BAD_ARGUMENT);
    curve = good;
    curve.point[0][0] = 0.4;
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRESS_LIFE, EW_MEAN_NONE), EW_BAD_ARGUMENT);
    curve = good;
    curve.life_factor = 0.0;
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRESS_LIFE, EW_MEAN_NONE), EW_BAD_ARGUMENT);
}

/* ---- points of a body ------------------------------------------------------------------------ */

enum { MAX_RECORD = 64 };
static const int32_t in_order[MAX_RECORD] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                             13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                                             26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38,
                                             39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51,
                                             52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* Of ten times these tensors, with these plastic strains or none. */
static ew_fatigue_life take_by(ew_fatigue_method method, ew_notch_rule notch,
                               ew_fatigue_stress stress, ew_mean_stress mean_stress,
                               const ew_fatigue_curve *curve, int32_t n, const float (*tensor)[6],
                               const float (*plastic)[6])
{
    double factor[MAX_RECORD];
    ew_fatigue_work work = {0};
    ew_fatigue_life found;
    for (int i = 0; i < MAX_RECORD; i++) {
        factor[i] = 1.0;
    }
    const ew_fatigue_block block = {n, in_order, factor, 10};
    const ew_fatigue_history history = {.n_record = n,
                                        .n_block = 1,
                                        .block = &block,
                                        .method = method,
                                        .notch = notch,
                                        .stress = stress,
                                        .mean_stress = mean_stress,
                                        .life = 1000};
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(curve, method, mean_stress), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_fatigue_work_reserve(&work, &history), EW_OK);
    ew_fatigue_take(&history, curve, tensor[0], plastic ? plastic[0] : NULL, &work, &found);
    ew_fatigue_work_free(&work);
    return found;
}

static ew_fatigue_life take(ew_fatigue_stress stress, ew_mean_stress mean_stress,
                            const ew_fatigue_curve *curve, int32_t n, const float (*tensor)[6])
{
    return take_by(EW_STRESS_LIFE, EW_NOTCH_NEUBER, stress, mean_stress, curve, n, tensor, NULL);
}

/* Reversed tension along an oblique direction: all three see it; the safety for 1000 repeats of 10
 * cycles is by Basquin's equation. */
static void test_uniaxial(void)
{
    const ew_fatigue_curve curve = basquin(1000, -0.1);
    const double d[3] = {0.6, 0.64, 0.48}, cycles = 0.5 * pow(0.2, -10);
    float tensor[2][6];
    for (int i = 0; i < 2; i++) {
        const double s = i ? -200 : 200;
        const double of[6] = {s * d[0] * d[0], s * d[1] * d[1], s * d[2] * d[2],
                              s * d[0] * d[1], s * d[1] * d[2], s * d[0] * d[2]};
        for (int c = 0; c < 6; c++) {
            tensor[i][c] = (float)of[c];
        }
    }
    for (int k = 0; k < EW_FATIGUE_STRESS_COUNT; k++) {
        const ew_fatigue_life found =
            take((ew_fatigue_stress)k, EW_MEAN_NONE, &curve, 2, (const float(*)[6])tensor);
        CU_ASSERT_DOUBLE_EQUAL(found.amplitude, 200, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(found.damage * cycles, 10, 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(found.safety, pow(cycles / 1e4, 0.1), 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(found.turned, 0.0, 1e-6);
        const double along =
            fabs(found.normal[0] * d[0] + found.normal[1] * d[1] + found.normal[2] * d[2]);
        CU_ASSERT_DOUBLE_EQUAL(along, k == EW_FATIGUE_VON_MISES ? 0.0 : 1.0, 1e-6);
    }
}

/* Reversed shear t: normal stress t at 45 degrees, von Mises sqrt(3) t. Pulsating compression by
 * SWT does nothing. No stress: the safety is the largest one. */
static void test_shear(void)
{
    const ew_fatigue_curve curve = basquin(1000, -0.1);
    const float shear[2][6] = {{0, 0, 0, 100}, {0, 0, 0, -100}}, pressed[2][6] = {{-300}, {0}};
    const float nothing[2][6] = {{0}};
    CU_ASSERT_DOUBLE_EQUAL(
        take(EW_FATIGUE_CRITICAL_PLANE, EW_MEAN_NONE, &curve, 2, shear).amplitude, 100, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(take(EW_FATIGUE_PRINCIPAL, EW_MEAN_NONE, &curve, 2, shear).amplitude,
                           100, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(take(EW_FATIGUE_VON_MISES, EW_MEAN_NONE, &curve, 2, shear).amplitude,
                           100 * sqrt(3), 1e-4);
    for (int k = 0; k < EW_FATIGUE_STRESS_COUNT; k++) {
        const ew_fatigue_life found = take((ew_fatigue_stress)k, EW_MEAN_SWT, &curve, 2, pressed);
        CU_ASSERT_EQUAL(found.damage, 0.0);
        const ew_fatigue_life none = take((ew_fatigue_stress)k, EW_MEAN_NONE, &curve, 2, nothing);
        CU_ASSERT_TRUE(none.damage == 0.0 && none.safety == EW_MAX_FATIGUE_SAFETY);
    }
}

/* Random histories of tensors: the plane that is found does as much as the worst of normals 1
 * degree apart; the first principal stress of the largest tensor does no more. */
static void test_planes(void)
{
    const ew_fatigue_curve curve = basquin(1000, -0.1);
    uint64_t state = 3;
    for (int trial = 0; trial < 4; trial++) {
        float tensor[8][6];
        double worst = 0.0;
        for (int i = 0; i < 48; i++) {
            tensor[i / 6][i % 6] = (float)(200 * random_value(&state));
        }
        for (int i = 0; i <= 90; i++) {
            for (int j = 0; j < 360; j++) {
                const double p = i * pi / 180, a = j * pi / 180;
                const double n[3] = {sin(p) * cos(a), sin(p) * sin(a), cos(p)};
                double value[8], damage = 0.0;
                ew_fatigue_cycle cycle[8];
                for (int r = 0; r < 8; r++) {
                    const float *t = tensor[r];
                    value[r] = t[0] * n[0] * n[0] + t[1] * n[1] * n[1] + t[2] * n[2] * n[2] +
                               2 * (t[3] * n[0] * n[1] + t[4] * n[1] * n[2] + t[5] * n[0] * n[2]);
                }
                const int32_t m = count_by_maxima(8, value, cycle);
                for (int32_t k = 0; k < m; k++) {
                    damage += 10 / life(&curve, EW_MEAN_SWT, cycle[k].amplitude, cycle[k].mean);
                }
                worst = fmax(worst, damage);
            }
        }
        const ew_fatigue_life found =
            take(EW_FATIGUE_CRITICAL_PLANE, EW_MEAN_SWT, &curve, 8, (const float(*)[6])tensor);
        CU_ASSERT_TRUE(found.damage > 0.999 * worst && found.damage < 1.01 * worst);
        CU_ASSERT_TRUE(found.turned > 0.3);
        CU_ASSERT_TRUE(
            take(EW_FATIGUE_PRINCIPAL, EW_MEAN_SWT, &curve, 8, (const float(*)[6])tensor).damage <=
            found.damage);
    }
}

/* ---- strain life ----------------------------------------------------------------------------- */

/* AISI 4340, aircraft quality: Dowling, table 14.1. */
static ew_fatigue_curve steel(void)
{
    ew_fatigue_curve curve = basquin(1758, -0.0977);
    curve.strain = (ew_strain_life){.young = 207e3,
                                    .poisson = 0.3,
                                    .exponent = -0.0977,
                                    .ductility = 2.12,
                                    .ductility_exponent = -0.774,
                                    .cyclic_strength = 1655,
                                    .cyclic_exponent = 0.131};
    return curve;
}

/* The elastic stress of a local one is a closed form by both rules. */
static void test_notch(void)
{
    ew_fatigue_curve curve = steel();
    ew_strain_life *of = &curve.strain;
    for (int k = 0; k < 3; k++) {
        of->cyclic_exponent = (double[]){0.03, 0.131, 0.4}[k];
        for (double s = 1.0; s < 3000.0; s *= 1.1) {
            const double plastic = pow(s / 1655, 1 / of->cyclic_exponent), e = s / 207e3 + plastic;
            const double energy = s * s / (2 * 207e3) + s * plastic / (1 + of->cyclic_exponent);
            CU_ASSERT_DOUBLE_EQUAL(ew_cyclic_strain(of, s), e, 1e-14 * e);
            CU_ASSERT_DOUBLE_EQUAL(ew_notch_stress(of, EW_NOTCH_NEUBER, sqrt(207e3 * s * e)), s,
                                   1e-10 * s);
            CU_ASSERT_DOUBLE_EQUAL(ew_notch_stress(of, EW_NOTCH_GLINKA, sqrt(2 * 207e3 * energy)),
                                   s, 1e-10 * s);
        }
    }
    CU_ASSERT_EQUAL(ew_notch_stress(of, EW_NOTCH_NEUBER, 0.0), 0.0);
}

/* The strain of a life is a closed form; up to the limit, in compression, and beyond the strength.
 */
static void test_strain_life(void)
{
    ew_fatigue_curve curve = steel();
    for (double n = 1; n < 1e12; n *= 7) {
        const double elastic = pow(2 * n, -0.0977), plastic = 2.12 * pow(2 * n, -0.774);
        const double largest = 700,
                     product = 1758 * 1758 / 207e3 * elastic * elastic + 1758 * elastic * plastic;
        const ew_fatigue_cycle reversed = {.strain = 1758 / 207e3 * elastic + plastic},
                               about = {.strain = 1558 / 207e3 * elastic + plastic, .mean = 200},
                               pressed = {.strain = reversed.strain, .mean = -200},
                               peak = {.strain = product / largest, .mean = 400, .amplitude = 300};
        CU_ASSERT_DOUBLE_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_NONE, &reversed) / n, 1, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_MORROW, &about) / n, 1, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_MORROW, &pressed) / n, 1,
                               1e-9);
        CU_ASSERT_DOUBLE_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_SWT, &peak) / n, 1, 1e-9);
    }
    const ew_fatigue_cycle small = {.strain = 0.002, .mean = -500, .amplitude = 400};
    const ew_fatigue_cycle beyond = {.strain = 0.002, .mean = 1800};
    CU_ASSERT_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_SWT, &small), INFINITY);
    CU_ASSERT_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_MORROW, &beyond), 0.5);
    const double life = ew_strain_life_cycles(&curve, EW_MEAN_NONE, &small);
    curve.endurance_limit = 1758 * pow(2 * life, -0.0977) * (1 - 1e-9);
    curve.life_factor = 0.5;
    CU_ASSERT_DOUBLE_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_NONE, &small), 0.5 * life,
                           1e-9 * life);
    curve.endurance_limit *= 1 + 2e-9;
    CU_ASSERT_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_NONE, &small), INFINITY);
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRAIN_LIFE, EW_MEAN_SWT), EW_OK);
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRAIN_LIFE, EW_MEAN_GOODMAN),
                    EW_BAD_ARGUMENT);
    curve.strain.ductility = 0.0;
    CU_ASSERT_EQUAL(ew_fatigue_curve_check(&curve, EW_STRAIN_LIFE, EW_MEAN_NONE), EW_BAD_ARGUMENT);
}

static double damage_of(const ew_fatigue_curve *curve, ew_mean_stress mean_stress, double amplitude,
                        double mean)
{
    const ew_fatigue_cycle cycle = {amplitude, mean, ew_cyclic_strain(&curve->strain, amplitude),
                                    1.0};
    return 10 / ew_strain_life_cycles(curve, mean_stress, &cycle);
}

/* 0 .. 1600 -400 800 -600: a loop within a loop, whose means are by the branches that lead there;
 * and with the other sign. A plastic body of the same stress and strain has the same life. */
static void test_loops(void)
{
    const ew_fatigue_curve curve = steel();
    for (int k = 0; k < 8; k++) {
        const ew_notch_rule rule = k & 1 ? EW_NOTCH_GLINKA : EW_NOTCH_NEUBER;
        const ew_mean_stress mean = k & 2 ? EW_MEAN_MORROW : EW_MEAN_SWT;
        const float sign = k & 4 ? -1 : 1;
        const double outer = ew_notch_stress(&curve.strain, rule, 1100),
                     inner = ew_notch_stress(&curve.strain, rule, 600),
                     top = sign * ew_notch_stress(&curve.strain, rule, 1600),
                     down = top - sign * 2 * ew_notch_stress(&curve.strain, rule, 1000);
        const double wanted = damage_of(&curve, mean, outer, top - sign * outer) +
                              damage_of(&curve, mean, inner, down + sign * inner);
        const float tensor[4][6] = {
            {0, sign * 800}, {0, sign * -600}, {0, sign * 1600}, {0, sign * -400}};
        for (int s = 0; s < EW_FATIGUE_STRESS_COUNT; s++) {
            const ew_fatigue_life found =
                take_by(EW_STRAIN_LIFE, rule, (ew_fatigue_stress)s, mean, &curve, 4, tensor, NULL);
            CU_ASSERT_DOUBLE_EQUAL(found.damage / wanted, 1, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(found.amplitude, ew_cyclic_strain(&curve.strain, outer), 1e-12);
        }
        const ew_fatigue_life safe =
            take_by(EW_STRAIN_LIFE, rule, EW_FATIGUE_PRINCIPAL, mean, &curve, 4, tensor, NULL);
        float more[4][6] = {{0}};
        for (int i = 0; i < 4; i++) {
            more[i][1] = (float)(safe.safety * tensor[i][1]);
        }
        CU_ASSERT_DOUBLE_EQUAL(1000 * take_by(EW_STRAIN_LIFE, rule, EW_FATIGUE_PRINCIPAL, mean,
                                              &curve, 4, (const float(*)[6])more, NULL)
                                          .damage,
                               1, 1e-5);
    }
}

/* A plastic bar between two states; and its strain across, which the elastic part takes smaller. */
static void test_plastic(void)
{
    const ew_fatigue_curve curve = steel();
    const float tensor[2][6] = {{700}, {-500}},
                plastic[2][6] = {{0.009F, -0.0045F, -0.0045F}, {-0.001F, 0.0005F, 0.0005F}};
    const ew_fatigue_cycle cycle = {600, 100, 600 / 207e3 + 0.005, 1};
    const double wanted = 10 / ew_strain_life_cycles(&curve, EW_MEAN_SWT, &cycle);
    for (int s = 0; s < EW_FATIGUE_STRESS_COUNT; s++) {
        const ew_fatigue_life found = take_by(EW_STRAIN_LIFE, EW_NOTCH_NEUBER, (ew_fatigue_stress)s,
                                              EW_MEAN_SWT, &curve, 2, tensor, plastic);
        CU_ASSERT_DOUBLE_EQUAL(found.damage / wanted, 1, 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(found.amplitude, cycle.strain, 1e-8);
    }
}

/* Worked examples in the documentation of the Python package reliability (Reid 2022, Physics of
 * failure): a strain from -0.0029 to 0.0049, with 377.97 MPa there on the cyclic curve E = 210 GPa,
 * K' = 1200 MPa, n' = 0.2, lasts 13 771.39 cycles by Smith, Watson and Topper; a plate with a hole
 * under 375 MPa, fully reversed, with Kt = 2.41 and a notch sensitivity of 0.9857, has 506.73 MPa
 * and a strain of 0.0075475 there and lasts 2919.91. */
static void test_examples(void)
{
    ew_fatigue_curve curve = basquin(1000, -0.1);
    curve.strain = (ew_strain_life){210e3, 0.3, -0.1, 1.1, -0.6, 1200, 0.2};
    const ew_fatigue_cycle cycle = {.amplitude = 349.0, .mean = 28.9702, .strain = 0.0039};
    CU_ASSERT_DOUBLE_EQUAL(ew_cyclic_strain(&curve.strain, 377.9702), 0.0049, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(ew_strain_life_cycles(&curve, EW_MEAN_SWT, &cycle), 13771.39, 0.02);
    curve = basquin(1160, -0.081);
    curve.strain = (ew_strain_life){210e3, 0.3, -0.081, 1.1, -0.65, 1060, 0.14};
    const double notch = (1 + 0.9857 * (2.41 - 1)) * 150e3 / 400;
    const float plate[2][6] = {{(float)notch}, {(float)-notch}};
    CU_ASSERT_DOUBLE_EQUAL(ew_notch_stress(&curve.strain, EW_NOTCH_NEUBER, notch), 506.7291, 1e-3);
    const ew_fatigue_life found = take_by(EW_STRAIN_LIFE, EW_NOTCH_NEUBER, EW_FATIGUE_VON_MISES,
                                          EW_MEAN_SWT, &curve, 2, plate, NULL);
    CU_ASSERT_DOUBLE_EQUAL(found.amplitude, 0.0075475147, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(10 / found.damage, 2919.911, 0.02);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"fatigue_standard", test_standard},
        {"fatigue_random", test_random},
        {"fatigue_dowling", test_dowling},
        {"fatigue_shigley", test_shigley},
        {"fatigue_curve", test_curve},
        {"fatigue_check", test_check},
        {"fatigue_uniaxial", test_uniaxial},
        {"fatigue_shear", test_shear},
        {"fatigue_planes", test_planes},
        {"fatigue_notch", test_notch},
        {"fatigue_strain", test_strain_life},
        {"fatigue_loops", test_loops},
        {"fatigue_plastic", test_plastic},
        {"fatigue_examples", test_examples},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"fatigue", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
