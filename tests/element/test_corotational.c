/* Corotational tets: the nearest rotation of any matrix, forces as the gradient of an energy, their
 * tangent, a turned body, and slender cantilevers against the elastica. */
#include "corotational.h"
#include "element/parts/element.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

/* ---- rotations ------------------------------------------------------------------ */

static double uniform(uint64_t *state)
{
    return (double)ew_test_random(state, 2000001) / 1000000.0 - 1.0;
}

/* A random rotation from a random quaternion. */
static void random_rotation(uint64_t *state, double *r)
{
    double q[4], square = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = uniform(state) + 1e-3;
        square += q[i] * q[i];
    }
    const double w = q[0], x = q[1], y = q[2], z = q[3], s = 2.0 / square;
    const double m[9] = {1.0 - s * (y * y + z * z), s * (x * y - w * z),
                         s * (x * z + w * y),       s * (x * y + w * z),
                         1.0 - s * (x * x + z * z), s * (y * z - w * x),
                         s * (x * z - w * y),       s * (y * z + w * x),
                         1.0 - s * (x * x + y * y)};
    memcpy(r, m, sizeof m);
}

static double trace_of_product(const double *r, const double *f)
{
    double sum = 0.0;
    for (int i = 0; i < 9; i++) {
        sum += r[i] * f[i];
    }
    return sum;
}

/* Orthogonal, det 1, and none of many rotations is nearer to f. */
static void check_nearest(const double *f, uint64_t *state)
{
    double r[9], c[9], size = sqrt(ew_square_of_nine(f));
    ew_polar_rotation(f, r);
    CU_ASSERT_DOUBLE_EQUAL(ew_cofactors(r, c), 1.0, 1e-13);
    for (int i = 0; i < 9; i++) {
        CU_ASSERT_DOUBLE_EQUAL(r[i], c[i], 1e-13);
    }
    const double best = trace_of_product(r, f);
    for (int k = 0; k < 60; k++) {
        double turn[9], near[9], other[9];
        random_rotation(state, turn);
        CU_ASSERT(trace_of_product(turn, f) <= best + 1e-12 * size);
        /* and one near it */
        const double a[3] = {1e-3 * uniform(state), 1e-3 * uniform(state), 1e-3 * uniform(state)};
        const double small[9] = {1.0, -a[2], a[1], a[2], 1.0, -a[0], -a[1], a[0], 1.0};
        ew_polar_rotation(small, near);
        ew_times(near, r, other);
        CU_ASSERT(trace_of_product(other, f) <= best + 1e-12 * size);
    }
}

/* u diag(s) v^T of two random rotations. */
static void matrix_of(uint64_t *state, double a, double b, double c, double *f)
{
    double u[9], v[9];
    random_rotation(state, u);
    random_rotation(state, v);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            f[3 * i + j] = a * u[3 * i] * v[3 * j] + b * u[3 * i + 1] * v[3 * j + 1] +
                           c * u[3 * i + 2] * v[3 * j + 2];
        }
    }
}

static void test_rotation_is_the_nearest_of_any_matrix(void)
{
    static const double values[][3] = {{1.0, 1.0, 1.0},   {1.3, 1.0, 0.6},    {2.0, 1.0, 1e-3},
                                       {1.0, 1.0, 1e-9},  {1.0, 1.0, 0.0},    {1.0, 0.5, 0.0},
                                       {1.0, 0.0, 0.0},   {0.0, 0.0, 0.0},    {1.0, 1.0, -1e-9},
                                       {1.0, 0.8, -0.1},  {1.0, 0.8, -0.79},  {1.0, 1.0, -1.0},
                                       {1.0, 0.8, -0.8},  {2.0, 2.0, -2.0},   {1e-200, 1e-200, 0},
                                       {1e9, 1e9, 1e9},   {1e-9, 1e-9, 1e-9}, {1e150, 1e150, 1e2},
                                       {5.0, 1e-6, 1e-7}, {1e3, 1.0, -1e-3}};
    uint64_t state = 1;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        for (int n = 0; n < 20; n++) {
            double f[9];
            matrix_of(&state, values[k][0], values[k][1], values[k][2], f);
            check_nearest(f, &state);
        }
    }
    for (int n = 0; n < 500; n++) {
        double f[9];
        for (int i = 0; i < 9; i++) {
            f[i] = uniform(&state);
        }
        check_nearest(f, &state);
    }
}

/* What is no number gives a rotation, too. */
static void test_rotation_of_no_numbers(void)
{
    const double bad[2] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        double f[9] = {1.0, 0.0, 0.0, 0.0, bad[k], 0.0, 0.0, 0.0, 1.0}, r[9];
        ew_polar_rotation(f, r);
    }
}

/* ---- one tet ---------------------------------------------------------------------- */

typedef struct one_tet {
    double x[12], u[12], moduli[EW_N_MODULI];
    ew_materials materials;
} one_tet;

/* A tet of size about 1, turned and strained by about `strain`. */
static void make_tet(one_tet *t, uint64_t *state, double strain)
{
    static const double at[12] = {0, 0, 0, 1, 0, 0, 0.2, 1, 0, 0.1, 0.3, 1};
    double r[9];
    random_rotation(state, r);
    for (int i = 0; i < 12; i++) {
        t->x[i] = at[i] + 0.1 * uniform(state);
    }
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < 3; i++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++) {
                sum += r[3 * i + j] * t->x[3 * a + j];
            }
            t->u[3 * a + i] = sum + strain * uniform(state) - t->x[3 * a + i];
        }
    }
}

/* A law whose stress does not commute with the strain: moduli that are anything but isotropic. */
static void make_moduli(one_tet *t, uint64_t *state)
{
    double b[36];
    for (int i = 0; i < 36; i++) {
        b[i] = uniform(state);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < 6; k++) {
                sum += b[6 * i + k] * b[6 * j + k];
            }
            t->moduli[ew_modulus_at(i, j)] = sum;
        }
    }
}

static void stress_of(const one_tet *t, const double *strain, double *stress)
{
    for (int i = 0; i < 6; i++) {
        stress[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            stress[i] += t->moduli[ew_modulus_at(i, j)] * strain[j];
        }
    }
}

static double energy_of(const one_tet *t, const double *u)
{
    ew_tet_motion motion;
    double stress[6], sum = 0.0;
    ew_tet_move(EW_COROTATIONAL, t->x, u, &motion);
    stress_of(t, motion.strain, stress);
    for (int i = 0; i < 6; i++) {
        sum += 0.5 * stress[i] * motion.strain[i];
    }
    return motion.volume * sum;
}

static void force_of(const one_tet *t, const double *u, double *force)
{
    ew_tet_motion motion;
    double stress[6];
    ew_tet_move(EW_COROTATIONAL, t->x, u, &motion);
    stress_of(t, motion.strain, stress);
    ew_tet_force(EW_COROTATIONAL, &motion, stress, force + 3);
    for (int c = 0; c < 3; c++) {
        force[c] = -(force[3 + c] + force[6 + c] + force[9 + c]);
    }
}

static double largest_of(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void test_force_is_the_gradient_of_the_energy(void)
{
    uint64_t state = 2;
    for (int n = 0; n < 50; n++) {
        one_tet t;
        double force[12], step = 1e-5;
        make_tet(&t, &state, 0.15);
        make_moduli(&t, &state);
        force_of(&t, t.u, force);
        for (int i = 0; i < 12; i++) {
            double up[12], down[12];
            memcpy(up, t.u, sizeof up);
            memcpy(down, t.u, sizeof down);
            up[i] += step;
            down[i] -= step;
            const double slope = (energy_of(&t, up) - energy_of(&t, down)) / (2.0 * step);
            CU_ASSERT_DOUBLE_EQUAL(force[i], slope, 1e-8 * (largest_of(force, 12) + 1.0));
        }
    }
}

/* P = sum of the forces of the corners times their places, over the volume, and P F^T / J is the
 * Cauchy stress, of any stress that the law gives. */
static void test_true_stress_is_that_of_the_forces(void)
{
    uint64_t state = 7;
    for (int n = 0; n < 50; n++) {
        one_tet t;
        ew_tet_motion motion;
        double force[12], stress[6], found[6], f[9] = {0.0}, p[9] = {0.0};
        make_tet(&t, &state, 0.15);
        make_moduli(&t, &state);
        force_of(&t, t.u, force);
        ew_tet_move(EW_COROTATIONAL, t.x, t.u, &motion);
        stress_of(&t, motion.strain, stress);
        for (int i = 0; i < 9; i++) {
            for (int a = 0; a < 4; a++) {
                const double place = t.x[3 * a + i / 3] + t.u[3 * a + i / 3];
                f[i] += place * motion.g[3 * a + i % 3];
                p[i] += force[3 * a + i / 3] * t.x[3 * a + i % 3] / motion.volume;
            }
        }
        const double j = f[0] * (f[4] * f[8] - f[5] * f[7]) + f[1] * (f[5] * f[6] - f[3] * f[8]) +
                         f[2] * (f[3] * f[7] - f[4] * f[6]);
        ew_tet_true_stress(&motion, stress);
        ew_rotate_tensor(motion.r, stress, found);
        for (int i = 0; i < 6; i++) {
            const int a = i < 3 ? i : i == 4 ? 1 : 0, b = i < 3 ? i : i == 3 ? 1 : 2;
            const double exact =
                (p[3 * a] * f[3 * b] + p[3 * a + 1] * f[3 * b + 1] + p[3 * a + 2] * f[3 * b + 2]) /
                j;
            CU_ASSERT_DOUBLE_EQUAL(found[i], exact, 1e-11 * (1.0 + fabs(exact)));
        }
    }
}

/* About the deformed corners: the moment of all four forces is zero. */
static void test_force_has_no_moment(void)
{
    uint64_t state = 3;
    for (int n = 0; n < 50; n++) {
        one_tet t;
        double force[12], moment[3] = {0.0, 0.0, 0.0};
        make_tet(&t, &state, 0.3);
        make_moduli(&t, &state);
        force_of(&t, t.u, force);
        for (int a = 0; a < 4; a++) {
            const double *x = t.x + 3 * a, *u = t.u + 3 * a, *f = force + 3 * a;
            for (int c = 0; c < 3; c++) {
                const int d = (c + 1) % 3, e = (c + 2) % 3;
                moment[c] += (x[d] + u[d]) * f[e] - (x[e] + u[e]) * f[d];
            }
        }
        CU_ASSERT(largest_of(moment, 3) < 1e-12 * (largest_of(force, 12) + 1.0));
    }
}

/* ---- the tangent -------------------------------------------------------------------- */

typedef void (*add_function)(const double *record, int p, int q, double *block);

static void add_general(const double *record, int p, int q, double *block)
{
    ew_general_add(record, p, q, block);
}

static void add_turned(const double *record, int p, int q, double *block)
{
    ew_transformed_add(record, p, q, block);
}

/* Blocks against differences of forces. */
static void check_tangent(const one_tet *t, const double *record, add_function add, double size)
{
    const double step = 1e-5;
    for (int j = 0; j < 12; j++) {
        double up[12], down[12], f_up[12], f_down[12];
        memcpy(up, t->u, sizeof up);
        memcpy(down, t->u, sizeof down);
        up[j] += step;
        down[j] -= step;
        force_of(t, up, f_up);
        force_of(t, down, f_down);
        for (int i = 0; i < 12; i++) {
            double block[9] = {0.0};
            add(record, i / 3, j / 3, block);
            CU_ASSERT_DOUBLE_EQUAL(block[3 * (i % 3) + j % 3], (f_up[i] - f_down[i]) / (2.0 * step),
                                   1e-7 * size);
        }
    }
}

static void check_symmetry(const double *record, add_function add)
{
    for (int p = 0; p < 4; p++) {
        for (int q = 0; q < 4; q++) {
            double pq[9] = {0.0}, qp[9] = {0.0};
            add(record, p, q, pq);
            add(record, q, p, qp);
            const double size = largest_of(pq, 9);
            for (int i = 0; i < 9; i++) {
                const double other = qp[3 * (i % 3) + i / 3];
                CU_ASSERT_DOUBLE_EQUAL(pq[i], other, p == q ? 0.0 : 1e-13 * size);
            }
        }
    }
}

static void test_tangent_of_any_moduli(void)
{
    uint64_t state = 4;
    for (int n = 0; n < 20; n++) {
        one_tet t;
        ew_tet_motion motion;
        double stress[6], record[EW_RECORD_OF_GENERAL];
        make_tet(&t, &state, 0.1);
        make_moduli(&t, &state);
        ew_tet_move(EW_COROTATIONAL, t.x, t.u, &motion);
        stress_of(&t, motion.strain, stress);
        ew_tet_general_record(EW_COROTATIONAL, &motion, stress, t.moduli, EW_TANGENT_EXACT, record);
        check_tangent(&t, record, add_general, 10.0);
        check_symmetry(record, add_general);
    }
}

static void make_isotropic(one_tet *t, const double lame[2])
{
    memset(t->moduli, 0, sizeof t->moduli);
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            t->moduli[ew_modulus_at(i, j)] = lame[0] + (i == j ? 2.0 * lame[1] : 0.0);
        }
        t->moduli[ew_modulus_at(i + 3, i + 3)] = lame[1];
    }
}

static void test_tangent_of_isotropic_tets(void)
{
    static const double lame[2] = {1.3, 0.8};
    uint64_t state = 5;
    for (int n = 0; n < 20; n++) {
        one_tet t;
        double record[EW_TURNED_RECORD], f[12], force[12];
        make_tet(&t, &state, 0.15);
        make_isotropic(&t, lame);
        ew_transformed_record(t.x, t.u, NULL, lame, EW_FORM_EXACT, record);
        check_tangent(&t, record, add_turned, 10.0);
        check_symmetry(record, add_turned);
        ew_corotational_force(t.x, t.u, lame, f + 3);
        force_of(&t, t.u, force);
        for (int i = 3; i < 12; i++) {
            CU_ASSERT_DOUBLE_EQUAL(f[i], force[i], 1e-14);
        }
    }
}

/* v . K v of a record is not negative where it is clamped or warped, for any displacement of the
 * tet, inverted and crushed ones as well. */
static void test_clamped_tangent_is_semidefinite(void)
{
    static const double lame[2] = {1.3, 0.8};
    uint64_t state = 6;
    for (int n = 0; n < 200; n++) {
        one_tet t;
        double record[EW_TURNED_RECORD];
        make_tet(&t, &state, n % 2 ? 0.2 : 3.0);
        ew_transformed_record(t.x, t.u, NULL, lame, n % 3 ? EW_FORM_CLAMPED : EW_FORM_WARPED,
                              record);
        for (int k = 0; k < 20; k++) {
            double v[12], sum = 0.0;
            for (int i = 0; i < 12; i++) {
                v[i] = uniform(&state);
            }
            for (int p = 0; p < 16; p++) {
                double block[9] = {0.0};
                ew_transformed_add(record, p / 4, p % 4, block);
                for (int i = 0; i < 9; i++) {
                    sum += v[3 * (p / 4) + i / 3] * block[i] * v[3 * (p % 4) + i % 3];
                }
            }
            CU_ASSERT(sum >= -1e-12);
        }
    }
}

static CU_TestInfo tests[] = {
    {"rotation_is_the_nearest_of_any_matrix", test_rotation_is_the_nearest_of_any_matrix},
    {"rotation_of_no_numbers", test_rotation_of_no_numbers},
    {"force_is_the_gradient_of_the_energy", test_force_is_the_gradient_of_the_energy},
    {"true_stress_is_that_of_the_forces", test_true_stress_is_that_of_the_forces},
    {"force_has_no_moment", test_force_has_no_moment},
    {"tangent_of_any_moduli", test_tangent_of_any_moduli},
    {"tangent_of_isotropic_tets", test_tangent_of_isotropic_tets},
    {"clamped_tangent_is_semidefinite", test_clamped_tangent_is_semidefinite},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"corotational", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
