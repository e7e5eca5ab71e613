/* Laws at a point: against recurrences and tensors written out here, tangents against differences,
 * energy that is never made, and constants that are refused. */
#include "element/parts/element.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static ew_material steel(void)
{
    ew_material material = {.young = 200e3, .poisson = 0.3};
    ew_material_put_law(&material, &ew_law_plastic);
    material.law_value[EW_PLASTIC_YIELD_STRESS] = 250.0;
    material.law_value[EW_PLASTIC_HARDENING] = 2000.0;
    return material;
}

static ew_material tabled(void)
{
    ew_material material = steel();
    const double table[4][2] = {{250.0, 0.0}, {300.0, 0.001}, {330.0, 0.004}, {340.0, 0.02}};
    memcpy(material.hardening, table, sizeof table);
    material.n_hardening = 4;
    return material;
}

static ew_material clay(bool preserving)
{
    ew_material material = {.young = 1e4, .poisson = 0.35};
    ew_material_put_law(&material, &ew_law_creep);
    material.law_value[EW_CREEP_YIELD] = 0.01;
    material.law_value[EW_CREEP_RATE] = 4.0;
    material.law_value[EW_CREEP_MAXIMUM] = 0.15;
    material.law_value[EW_CREEP_VOLUME_PRESERVING] = preserving;
    return material;
}

static void prepare(const ew_material *material, double *constants)
{
    must(ew_law_check(material));
    memset(constants, 0, EW_MAX_LAW_CONSTANTS * sizeof *constants);
    ew_material_law(material)->prepare(material, constants);
}

static double shear_modulus(const ew_material *material)
{
    return material->young / (2.0 * (1.0 + material->poisson));
}

static double uniform(uint64_t *state)
{
    return ew_test_random(state, 2000001) / 1e6 - 1.0;
}

static double inner(const double *stress, const double *strain)
{
    double sum = 0.0;
    for (int i = 0; i < 6; i++) {
        sum += stress[i] * strain[i];
    }
    return sum;
}

/* ---- the elastic law ----------------------------------------------------------------- */

static void test_elastic_law_is_that_of_lame(void)
{
    const ew_material material = {.young = 3.0, .poisson = 0.2};
    const double lame[2] = {3.0 * 0.2 / (1.2 * 0.6), 1.25}, strain[6] = {1, -2, 3, 4, -5, 6};
    double constants[EW_MAX_LAW_CONSTANTS], stress[6], known[6], again[6], tangent[21];
    prepare(&material, constants);
    CU_ASSERT_PTR_EQUAL(ew_material_law(&material), &ew_law_elastic);
    ew_law_elastic.respond(constants, strain, NULL, 0.0, NULL, stress, tangent);
    ew_stress_of_strain(lame, strain, known);
    for (int i = 0; i < 6; i++) {
        CU_ASSERT_DOUBLE_EQUAL(stress[i], known[i], 1e-14);
    }
    const double energy = ew_law_elastic.recover(constants, strain, NULL, again);
    CU_ASSERT_DOUBLE_EQUAL(energy, 0.5 * inner(known, strain), 1e-13);
    CU_ASSERT_EQUAL(memcmp(tangent, constants, sizeof tangent), 0);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            const double normal = i < 3 && j < 3 ? lame[0] : 0.0;
            const double known_modulus = i == j ? normal + (i < 3 ? 2.0 : 1.0) * lame[1] : normal;
            CU_ASSERT_DOUBLE_EQUAL(tangent[ew_modulus_at(i, j)], known_modulus, 1e-15);
        }
    }
}

/* ---- von Mises ------------------------------------------------------------------------ */

/* Pure shear there and back, with numbers alone: q = sqrt(3) |tau|. */
static void test_shear_follows_a_recurrence(void)
{
    const ew_material material = steel();
    const double mu = shear_modulus(&material);
    double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0}, stress[6], plastic = 0.0,
                                            a = 0.0;
    prepare(&material, constants);
    for (int i = 0; i <= 400; i++) {
        const double gamma = 0.01 * sin(0.05 * i) * (1.0 + 0.002 * i);
        const double strain[6] = {0, 0, 0, 0, gamma, 0}, trial = mu * (gamma - plastic);
        const double over = sqrt(3.0) * fabs(trial) - (250.0 + 2000.0 * a);
        if (over > 0.0) {
            const double d = over / (3.0 * mu + 2000.0);
            plastic += copysign(sqrt(3.0) * d, trial);
            a += d;
        }
        ew_law_plastic.respond(constants, strain, state, 0.0, state, stress, NULL);
        CU_ASSERT_DOUBLE_EQUAL(state[4], plastic, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(state[6], a, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(stress[4], mu * (gamma - plastic), 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(fabs(stress[0]) + fabs(state[3]), 0.0, 1e-12);
    }
    CU_ASSERT(a > 0.01);
}

static double yield_of(const ew_material *material, double a)
{
    double y = material->law_value[EW_PLASTIC_YIELD_STRESS] +
               material->law_value[EW_PLASTIC_HARDENING] * a;
    for (int64_t i = 0; i < material->n_hardening; i++) {
        const double *p = material->hardening[i];
        if (i + 1 == material->n_hardening || a < p[3]) {
            const double slope =
                i + 1 < material->n_hardening ? (p[2] - p[0]) / (p[3] - p[1]) : 0.0;
            return p[0] + slope * (a - p[1]);
        }
    }
    return y;
}

/* The return along the deviator found by bisection, with full tensors. */
static void return_by_bisection(const ew_material *material, const double *strain, double *state,
                                double *stress)
{
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    const double mu = shear_modulus(material);
    const double kappa = material->young / (3.0 * (1.0 - 2.0 * material->poisson));
    const double trace = strain[0] + strain[1] + strain[2];
    double s[3][3], square = 0.0;
    for (int i = 0; i < 6; i++) {
        const double half = i < 3 ? 1.0 : 0.5;
        const double e = half * (strain[i] - state[i]) - (i < 3 ? trace / 3.0 : 0.0);
        s[first[i]][second[i]] = s[second[i]][first[i]] = 2.0 * mu * e;
    }
    for (int i = 0; i < 9; i++) {
        square += s[i / 3][i % 3] * s[i / 3][i % 3];
    }
    const double q = sqrt(1.5 * square);
    double low = 0.0, high = q / (3.0 * mu);
    for (int i = 0; i < 200 && q > yield_of(material, state[6]); i++) {
        const double middle = 0.5 * (low + high);
        if (q - 3.0 * mu * middle > yield_of(material, state[6] + middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    for (int i = 0; i < 6; i++) {
        const double entry = s[first[i]][second[i]];
        state[i] += (i < 3 ? 1.0 : 2.0) * 1.5 * low * entry / q;
        stress[i] = entry * (1.0 - 3.0 * mu * low / q) + (i < 3 ? kappa * trace : 0.0);
    }
    state[6] += low;
}

static void test_random_histories_follow_bisection(void)
{
    const ew_material materials[] = {steel(), tabled()};
    for (int m = 0; m < 2; m++) {
        double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0},
                                                known[EW_MAX_LAW_STATE] = {0}, strain[6] = {0};
        uint64_t seed = 5;
        prepare(&materials[m], constants);
        for (int k = 0; k < 400; k++) {
            double stress[6], expected[6];
            for (int i = 0; i < 6; i++) {
                strain[i] = 0.9 * strain[i] + (k % 7 ? 1e-3 : 1e-2) * uniform(&seed);
            }
            return_by_bisection(&materials[m], strain, known, expected);
            ew_law_plastic.respond(constants, strain, state, 0.0, state, stress, NULL);
            for (int i = 0; i < 7; i++) {
                CU_ASSERT_DOUBLE_EQUAL(state[i], known[i], 1e-12);
            }
            for (int i = 0; i < 6; i++) {
                CU_ASSERT_DOUBLE_EQUAL(stress[i], expected[i], 1e-7);
            }
        }
        CU_ASSERT(state[6] > 0.02); /* beyond the table */
    }
}

/* Uniaxial stress: sideways strain found by the tangent; stress = yield + H plastic, and what is
 * left unloaded is the plastic strain. */
static void test_bar_is_loaded_and_unloaded(void)
{
    const ew_material material = steel();
    double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0}, after[EW_MAX_LAW_STATE],
                                            stress[6], tangent[21];
    double strain[6] = {0};
    prepare(&material, constants);
    const double hardened = 200e3 * 2000.0 / 202e3;
    const double path[] = {0.001, 0.00125, 0.002, 0.005, 0.01, 0.009, 0.0098};
    for (size_t k = 0; k < sizeof path / sizeof *path; k++) {
        strain[0] = path[k];
        for (int i = 0; i < 30; i++) {
            ew_law_plastic.respond(constants, strain, state, 0.0, after, stress, tangent);
            strain[1] -= stress[1] / (tangent[6] + tangent[7]); /* D11 + D12 */
            strain[2] = strain[1];
        }
        memcpy(state, after, sizeof state);
        const double top = 250.0 + hardened * (fmin(path[k], 0.01) - 0.00125);
        const double most = 250.0 + hardened * (0.01 - 0.00125);
        const double known = path[k] <= 0.00125 ? 200e3 * path[k]
                             : k <= 4           ? top
                                                : most - 200e3 * (0.01 - path[k]);
        CU_ASSERT_DOUBLE_EQUAL(stress[0], known, 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(stress[1], 0.0, 1e-8);
    }
    const double plastic = (250.0 + hardened * (0.01 - 0.00125) - 250.0) / 2000.0;
    CU_ASSERT_DOUBLE_EQUAL(state[0], plastic, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(state[1], -0.5 * plastic, 1e-13);
    CU_ASSERT_DOUBLE_EQUAL(state[6], plastic, 1e-13);
}

static void test_tangent_is_the_derivative(void)
{
    const ew_material materials[] = {steel(), tabled(), clay(false)};
    for (int m = 0; m < 3; m++) {
        const ew_law *law = ew_material_law(&materials[m]);
        double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0}, largest = 0.0;
        uint64_t seed = 11;
        prepare(&materials[m], constants);
        for (int k = 0; k < 100; k++) {
            double strain[6], after[EW_MAX_LAW_STATE], stress[6], tangent[21];
            for (int i = 0; i < 6; i++) {
                strain[i] = 4e-3 * uniform(&seed);
            }
            law->respond(constants, strain, state, 0.1, after, stress, tangent);
            for (int i = 0, at = 0; i < 6; i++) {
                for (int j = i; j < 6; j++, at++) {
                    const double h = 1e-9;
                    double up[6], down[6], other[6], unused[EW_MAX_LAW_STATE];
                    memcpy(other, strain, sizeof other);
                    other[j] += h;
                    law->respond(constants, other, state, 0.1, unused, up, NULL);
                    other[j] -= 2.0 * h;
                    law->respond(constants, other, state, 0.1, unused, down, NULL);
                    const double slope = (up[i] - down[i]) / (2.0 * h);
                    largest = fmax(largest, fabs(slope - tangent[at]) / materials[m].young);
                }
            }
            memcpy(state, after, sizeof state);
        }
        CU_ASSERT(largest < 1e-4); /* of a symmetric matrix: the upper half says all */
    }
}

/* Perfectly plastic and a table of one point are the same; a committed state answers elastically.
 */
static void test_committed_state_is_elastic(void)
{
    ew_material perfect = steel(), pointed = steel();
    perfect.law_value[EW_PLASTIC_HARDENING] = 0.0;
    pointed.n_hardening = 1;
    pointed.hardening[0][0] = 250.0;
    double constants[EW_MAX_LAW_CONSTANTS], other[EW_MAX_LAW_CONSTANTS];
    prepare(&perfect, constants);
    prepare(&pointed, other);
    CU_ASSERT_EQUAL(memcmp(constants, other, sizeof constants), 0);
    const double strain[6] = {0.004, -0.001, 0, 0.003, 0, 0.001}, none[EW_MAX_LAW_STATE] = {0};
    double state[EW_MAX_LAW_STATE], again[EW_MAX_LAW_STATE], stress[6], same[6], tangent[21],
        modulus[EW_MAX_LAW_CONSTANTS];
    ew_law_plastic.respond(constants, strain, none, 0.0, state, stress, NULL);
    CU_ASSERT_DOUBLE_EQUAL(ew_von_mises(stress), 250.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(state[0] + state[1] + state[2], 0.0, 1e-17);
    ew_law_plastic.recover(constants, strain, state, same);
    for (int i = 0; i < 6; i++) {
        CU_ASSERT_DOUBLE_EQUAL(same[i], stress[i], 1e-9);
    }
    double less[6];
    for (int i = 0; i < 6; i++) {
        less[i] = 0.95 * strain[i];
    }
    ew_law_plastic.respond(constants, less, state, 0.0, again, stress, tangent);
    CU_ASSERT_EQUAL(memcmp(again, state, sizeof state), 0);
    const ew_material elastic = {.young = 200e3, .poisson = 0.3};
    prepare(&elastic, modulus);
    CU_ASSERT_EQUAL(memcmp(tangent, modulus, sizeof tangent), 0);
}

/* ---- creep ------------------------------------------------------------------------------ */

static void test_creep_follows_a_recurrence(void)
{
    const ew_material material = clay(false);
    double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0}, stress[6], plastic = 0.0,
                                            length = 0.0;
    prepare(&material, constants);
    for (int k = 0; k < 300; k++) {
        const double gamma = 0.3 * sin(0.05 * k), strain[6] = {0, 0, 0, gamma, 0, 0};
        const double e = gamma - plastic, before = plastic, dt = k % 5 ? 0.02 : 0.5;
        ew_law_creep.respond(constants, strain, state, dt, state, stress, NULL);
        CU_ASSERT_DOUBLE_EQUAL(stress[3], shear_modulus(&material) * e, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(ew_law_creep.yielding(constants, stress, state),
                               fabs(e) / sqrt(2.0) / 0.01, 1e-9);
        if (fabs(e) / sqrt(2.0) > 0.01) { /* |e| = sqrt(2) gamma / 2 */
            plastic += fmin(4.0 * dt, 1.0) * e;
        }
        plastic = fmax(fmin(plastic, 0.15 * sqrt(2.0)), -0.15 * sqrt(2.0));
        length += fabs(plastic - before) / sqrt(3.0);
        CU_ASSERT_DOUBLE_EQUAL(state[3], plastic, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(state[6], length, 1e-13);
    }
    const double before = state[3], strain[6] = {0.1, 0, 0, 0.3, 0, 0};
    ew_law_creep.respond(constants, strain, state, 0.0, state, stress, NULL);
    CU_ASSERT_EQUAL(state[3], before); /* no time, no flow */
}

/* A turn about z by an angle of a strain with engineering shear. */
static void turn(const double *strain, double angle, double *out)
{
    const double c = cos(angle), s = sin(angle), r[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    const double e[3][3] = {{strain[0], 0.5 * strain[3], 0.5 * strain[5]},
                            {0.5 * strain[3], strain[1], 0.5 * strain[4]},
                            {0.5 * strain[5], 0.5 * strain[4], strain[2]}};
    static const int first[6] = {0, 1, 2, 0, 1, 0}, second[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        double sum = 0.0;
        for (int i = 0; i < 9; i++) {
            sum += r[first[k]][i / 3] * e[i / 3][i % 3] * r[second[k]][i % 3];
        }
        out[k] = k < 3 ? sum : 2.0 * sum;
    }
}

static void test_turned_material_flows_alike(void)
{
    const ew_material materials[] = {steel(), tabled(), clay(false), clay(true)};
    for (int m = 0; m < 4; m++) {
        const ew_law *law = ew_material_law(&materials[m]);
        const double size = m < 2 ? 0.01 : 0.2;
        double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0},
                                                turned[EW_MAX_LAW_STATE] = {0}, stress[6];
        uint64_t seed = 3;
        prepare(&materials[m], constants);
        for (int k = 0; k < 100; k++) {
            double strain[6], other[6], expected[6];
            for (int i = 0; i < 6; i++) {
                strain[i] = size * uniform(&seed);
            }
            turn(strain, 0.7, other);
            law->respond(constants, strain, state, 0.03, state, stress, NULL);
            law->respond(constants, other, turned, 0.03, turned, stress, NULL);
            turn(state, 0.7, expected);
            for (int i = 0; i < 6; i++) {
                CU_ASSERT_DOUBLE_EQUAL(turned[i], expected[i], 1e-12);
            }
            CU_ASSERT_DOUBLE_EQUAL(turned[6], state[6], 1e-12);
        }
        CU_ASSERT(state[6] > 0.01);
        CU_ASSERT(m != 3 || fabs(state[0] + state[1] + state[2]) < 1e-15);
    }
}

/* ---- energy ------------------------------------------------------------------------------- */

/* The work of the mean stress of a step is stored or dissipated, and none of that is negative. */
static void test_energy_is_never_made(void)
{
    const ew_material materials[] = {steel(), tabled(), clay(false), clay(true)};
    for (int m = 0; m < 4; m++) {
        const ew_law *law = ew_material_law(&materials[m]);
        const double size = m < 2 ? 0.004 : 0.1;
        double constants[EW_MAX_LAW_CONSTANTS], state[EW_MAX_LAW_STATE] = {0}, strain[6] = {0},
                                                last[6] = {0};
        double least = 0.0, sum = 0.0, energy = 0.0;
        uint64_t seed = 8;
        prepare(&materials[m], constants);
        for (int k = 0; k < 2000; k++) {
            double stress[6], moved[6], now[6], mean[6];
            for (int i = 0; i < 6; i++) {
                moved[i] = size * (k % 10 ? 0.1 : 1.0) * uniform(&seed) - 0.1 * strain[i];
                strain[i] += moved[i];
            }
            law->respond(constants, strain, state, 0.05, state, stress, NULL);
            for (int i = 0; i < 6; i++) {
                mean[i] = 0.5 * (last[i] + stress[i]);
            }
            const double stored = law->recover(constants, strain, state, now);
            const double dissipated = inner(mean, moved) - (stored - energy);
            least = fmin(least, dissipated);
            sum += dissipated;
            energy = stored;
            memcpy(last, now, sizeof last);
        }
        CU_ASSERT(least > -1e-13 * sum);
        CU_ASSERT(sum > 0.0);
    }
}

/* ---- constants ------------------------------------------------------------------------------ */

static void refused(const ew_material *material, const char *words)
{
    CU_ASSERT_EQUAL(ew_law_check(material), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), words));
    ew_materials materials;
    CU_ASSERT_EQUAL(ew_materials_init(&materials, 1, material), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "material of region 0: "));
}

static void test_bad_constants_are_named(void)
{
    ew_material material = {.young = 1.0};
    ew_material_put_law(&material, &ew_law_plastic);
    refused(&material, "yield_stress is nan");
    material = steel();
    material.law_value[EW_PLASTIC_YIELD_STRESS] = 0.0;
    refused(&material, "yield_stress is 0");
    material = steel();
    material.law_value[EW_PLASTIC_HARDENING] = -1.0;
    refused(&material, "hardening is -1");
    material.law_value[EW_PLASTIC_HARDENING] = INFINITY;
    refused(&material, "hardening is inf");
    material = tabled();
    material.hardening[2][0] = 299.0;
    refused(&material, "the yield stress of point 3 is 299");
    material = tabled();
    material.hardening[2][1] = 0.001;
    refused(&material, "the plastic strain of point 3 is 0.001");
    material = tabled();
    material.hardening[0][1] = 0.001;
    refused(&material, "the plastic strain of point 1 is 0.001");
    material = tabled();
    material.hardening[0][0] = -250.0;
    refused(&material, "the yield stress of point 1 is -250");
    material = tabled();
    material.n_hardening = EW_MAX_HARDENING + 1;
    refused(&material, "may have 32");
    material = clay(true);
    material.n_hardening = 1;
    refused(&material, "has no table");
    material = clay(true);
    material.law_value[EW_CREEP_VOLUME_PRESERVING] = 0.5;
    refused(&material, "volume_preserving is 0.5");
    material = clay(true);
    material.law_value[EW_CREEP_RATE] = -1.0;
    refused(&material, "creep is -1");
    material = clay(true);
    material.law_value[EW_CREEP_MAXIMUM] = INFINITY;
    must(ew_law_check(&material));
}

static void test_laws_are_found_by_name(void)
{
    for (int32_t i = 0; ew_law_at(i); i++) {
        const ew_law *law = ew_law_at(i);
        CU_ASSERT_PTR_EQUAL(ew_law_named(law->name), law);
        CU_ASSERT((law->n_state == 0 || law->n_state == EW_MAX_LAW_STATE) &&
                  law->n_value <= EW_MAX_LAW_VALUES);
    }
    CU_ASSERT_PTR_NULL(ew_law_named("rubber"));
    CU_ASSERT_PTR_NULL(ew_law_at(-1));
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_elastic_law_is_that_of_lame", test_elastic_law_is_that_of_lame},
        {"test_shear_follows_a_recurrence", test_shear_follows_a_recurrence},
        {"test_random_histories_follow_bisection", test_random_histories_follow_bisection},
        {"test_bar_is_loaded_and_unloaded", test_bar_is_loaded_and_unloaded},
        {"test_tangent_is_the_derivative", test_tangent_is_the_derivative},
        {"test_committed_state_is_elastic", test_committed_state_is_elastic},
        {"test_creep_follows_a_recurrence", test_creep_follows_a_recurrence},
        {"test_turned_material_flows_alike", test_turned_material_flows_alike},
        {"test_energy_is_never_made", test_energy_is_never_made},
        {"test_bad_constants_are_named", test_bad_constants_are_named},
        {"test_laws_are_found_by_name", test_laws_are_found_by_name},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"laws", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
