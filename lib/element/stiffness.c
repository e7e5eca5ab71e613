/* From constants along local axes to a law. In: engineering constants or 21 stiffnesses, checked
 * for positive energy, and axes. Out: moduli and thermal expansion, in global axes where the local
 * ones are the same everywhere.
 *
 * The compliance of an orthotropic material has 1/E_i on its diagonal and -nu_ij / E_i beside it,
 * symmetric (nu_ij / E_i = nu_ji / E_j); Lekhnitskii (1963), Theory of elasticity of an anisotropic
 * elastic body; the conditions on nu_ij are those of Lempriere (1968), AIAA Journal 6. */
#include "element/stiffness.h"
#include "anisotropic.h"

#include <math.h>
#include <string.h>

/* Cosine between two axes that are at right angles. */
#define SQUARE 1e-6
/* A pivot less than this share of its diagonal entry is rounding. */
#define SINGULAR 1e-14
/* Moduli whose compliance can be inverted: its determinant is of the third power. */
#define MIN_YOUNG 1e-90
#define MAX_YOUNG 1e90

static const int pair_of[3][2] = {{0, 1}, {0, 2}, {1, 2}};

int ew_moduli_factor(const double *moduli, double factor[6][6], double *least)
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < j; k++) {
                sum += factor[i][k] * factor[j][k];
            }
            const double d = moduli[EW_MODULUS(j, i)];
            if (i == j && !(d - sum > SINGULAR * fabs(d))) {
                *least = sum;
                return i;
            }
            factor[i][j] = i == j ? sqrt(d - sum) : (d - sum) / factor[j][j];
        }
    }
    return -1;
}

/* ---- what is given ---------------------------------------------------------- */

static ew_status need_positive(const char *name, const char *number, double value)
{
    return value > 0.0 && isfinite(value)
               ? EW_OK
               : ew_fail(EW_BAD_ARGUMENT, "%s%s is %g, must be finite and > 0", name, number,
                         value);
}

/* |nu_ij| < sqrt(E_i / E_j), and all three together. */
static ew_status check_ratios(const ew_material *m)
{
    static const char *const name[3] = {"12", "13", "23"};
    const double *nu = m->poisson_between;
    double square[3];
    for (int k = 0; k < 3; k++) {
        const double i = m->young_along[pair_of[k][0]], j = m->young_along[pair_of[k][1]];
        square[k] = nu[k] * nu[k] * j / i;
        if (!(square[k] < 1.0)) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "nu%s is %g, must be less than sqrt(E%c / E%c) = "
                           "%g in magnitude, or straining could give energy",
                           name[k], nu[k], name[k][0], name[k][1], sqrt(i / j));
        }
    }
    const double rest = 1.0 - square[0] - square[1] - square[2] -
                        2.0 * nu[0] * nu[2] * nu[1] * m->young_along[2] / m->young_along[0];
    if (!(rest > SINGULAR)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "nu12, nu13 and nu23 (%g, %g, %g) are too large "
                       "together: 1 - nu12 nu21 - nu13 nu31 - nu23 nu32 - 2 nu12 nu23 nu31 is %g, "
                       "must be > 0",
                       nu[0], nu[1], nu[2], rest);
    }
    return EW_OK;
}

static ew_status check_orthotropic(const ew_material *m)
{
    static const char *const one[3] = {"1", "2", "3"}, *const two[3] = {"12", "13", "23"};
    for (int k = 0; k < 3; k++) {
        const double young = m->young_along[k];
        EW_TRY(need_positive("E", one[k], young));
        if (young < MIN_YOUNG || young > MAX_YOUNG) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "E%s is %g, outside %g to %g, where double precision can invert the "
                           "compliance; choose units nearer to the numbers",
                           one[k], young, MIN_YOUNG, MAX_YOUNG);
        }
    }
    for (int k = 0; k < 3; k++) {
        EW_TRY(need_positive("G", two[k], m->shear[k]));
    }
    for (int k = 3; k < 6; k++) {
        if (m->expansions[k] != 0.0) {
            return ew_fail(EW_BAD_ARGUMENT,
                           "an orthotropic material does not shear when it "
                           "is warmed; expansion %d is %g, must be 0",
                           k + 1, m->expansions[k]);
        }
    }
    return check_ratios(m);
}

/* The normal part is the inverse of the compliance's, by cofactors. */
static void stiffness_of(const ew_material *m, double *c)
{
    double s[3][3], cofactor[3][3];
    memset(c, 0, 21 * sizeof *c);
    for (int k = 0; k < 3; k++) {
        const int i = pair_of[k][0], j = pair_of[k][1];
        s[k][k] = 1.0 / m->young_along[k];
        s[i][j] = s[j][i] = -m->poisson_between[k] / m->young_along[i];
    }
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            const int p = (j + 1) % 3, q = (j + 2) % 3;
            cofactor[i][j] = s[a][p] * s[b][q] - s[a][q] * s[b][p];
        }
    }
    const double determinant =
        (s[0][0] * cofactor[0][0] + s[0][1] * cofactor[0][1]) + s[0][2] * cofactor[0][2];
    for (int i = 0; i < 3; i++) {
        for (int j = i; j < 3; j++) {
            c[EW_MODULUS(i, j)] = cofactor[i][j] / determinant;
        }
    }
    c[EW_MODULUS(3, 3)] = m->shear[0];
    c[EW_MODULUS(5, 5)] = m->shear[1];
    c[EW_MODULUS(4, 4)] = m->shear[2];
}

static ew_status check_definite(const double *c)
{
    double factor[6][6], least;
    for (int i = 0; i < 6; i++) {
        for (int j = i; j < 6; j++) {
            if (!isfinite(c[EW_MODULUS(i, j)])) {
                return ew_fail(EW_BAD_ARGUMENT, "D%d%d is %g, must be finite", i + 1, j + 1,
                               c[EW_MODULUS(i, j)]);
            }
        }
    }
    const int row = ew_moduli_factor(c, factor, &least);
    if (row >= 0) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "the stiffnesses are not positive definite: D%d%d is "
                       "%g, must be greater than %g with the rows above it as they are",
                       row + 1, row + 1, c[EW_MODULUS(row, row)], least);
    }
    return EW_OK;
}

/* ---- axes ---------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static ew_status unit_of(const char *name, const double from[3], double to[3])
{
    const double length = hypot(hypot(from[0], from[1]), from[2]);
    if (!(length > 0.0) || !isfinite(length)) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "axis %s is (%g, %g, %g), must be a direction of "
                       "a length > 0",
                       name, from[0], from[1], from[2]);
    }
    for (int c = 0; c < 3; c++) {
        to[c] = from[c] / length;
    }
    return EW_OK;
}

/* r [3][3]: unit vectors along axes 1, 2, 3. */
static ew_status fixed_axes(const ew_material_axes *axes, double r[9])
{
    EW_TRY(unit_of("1", axes->first, r));
    EW_TRY(unit_of("2", axes->second, r + 3));
    const double cosine = dot(r, r + 3);
    if (fabs(cosine) > SQUARE) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "axes 1 (%g, %g, %g) and 2 (%g, %g, %g) are at "
                       "%g degrees, must be at right angles",
                       axes->first[0], axes->first[1], axes->first[2], axes->second[0],
                       axes->second[1], axes->second[2], acos(cosine) * 45.0 / atan(1.0));
    }
    ew_take_out(r, r + 3);
    EW_TRY(unit_of("2", (double[]){r[3], r[4], r[5]}, r + 3));
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        r[6 + c] = r[d] * r[3 + e] - r[e] * r[3 + d];
    }
    return EW_OK;
}

/* A strain as a tensor turns by R e R^T. */
static void turn_expansion(const double *local, const double *r, double *global)
{
    for (int v = 0; v < 6; v++) {
        const int i = EW_VOIGT_FIRST(v), j = EW_VOIGT_SECOND(v);
        double sum = 0.0;
        for (int w = 0; w < 6; w++) {
            const int k = EW_VOIGT_FIRST(w), l = EW_VOIGT_SECOND(w);
            sum += k == l ? local[w] * r[3 * k + i] * r[3 * k + j]
                          : 0.5 * local[w] *
                                (r[3 * k + i] * r[3 * l + j] + r[3 * l + i] * r[3 * k + j]);
        }
        global[v] = v < 3 ? sum : 2.0 * sum;
    }
}

ew_status ew_moduli_of(const ew_material *material, double *law, double *expansion)
{
    double local[21], r[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const ew_material_axes *axes = &material->axes;
    if (material->kind == EW_ORTHOTROPIC) {
        EW_TRY(check_orthotropic(material));
        stiffness_of(material, local);
    } else {
        memcpy(local, material->stiffness, sizeof local);
    }
    EW_TRY(check_definite(local));
    if (axes->kind == EW_MATERIAL_AXES_CYLINDER) {
        EW_TRY(unit_of("3", axes->third, law + 25));
        for (int c = 0; c < 3; c++) {
            if (!isfinite(axes->point[c])) {
                return ew_fail(EW_BAD_ARGUMENT, "the point on the axis of its cylinder must "
                                                "be finite");
            }
        }
        memcpy(law, local, sizeof local);
        law[21] = EW_MODULI_CYLINDER;
        memcpy(law + 22, axes->point, sizeof axes->point);
        memcpy(expansion, material->expansions, sizeof material->expansions);
        return EW_OK;
    }
    if (axes->kind == EW_MATERIAL_AXES_FIELD) {
        memcpy(law, local, sizeof local);
        law[21] = EW_MODULI_FIELD;
        memcpy(expansion, material->expansions, sizeof material->expansions);
        return EW_OK;
    }
    if (axes->kind == EW_MATERIAL_AXES_FIXED) {
        EW_TRY(fixed_axes(axes, r));
    }
    ew_moduli_rotate(local, r, law);
    turn_expansion(material->expansions, r, expansion);
    return EW_OK;
}

/* ---- the law of a tet --------------------------------------------------------------- */

void ew_elastic_of(ew_elastic *law, const ew_materials *materials, int32_t region, int32_t tet,
                   const double *x)
{
    const double *from = materials->moduli + EW_MODULI_WIDTH * (size_t)region;
    const double *expansion = materials->expansion + 6 * (size_t)region;
    law->lame = materials->material[region].kind == EW_ISOTROPIC
                    ? materials->lame + 2 * (size_t)region
                    : NULL;
    memcpy(law->expansion, expansion, sizeof law->expansion);
    if (law->lame) {
        return;
    }
    double own[18] = {0.0}, r[9];
    memcpy(own, x, 12 * sizeof *x);
    ew_materials_put_axes(materials, tet, own);
    ew_moduli_at(from, own, law->moduli);
    if (from[21] == EW_MODULI_CYLINDER) {
        ew_cylinder_axes(from + 22, from + 25, x, r);
        turn_expansion(expansion, r, law->expansion);
    } else if (from[21] == EW_MODULI_FIELD) {
        ew_given_axes(own + 12, r);
        turn_expansion(expansion, r, law->expansion);
    }
}

void ew_elastic_rotate(const ew_elastic *law, const double r[9], ew_elastic *out)
{
    double axes[9]; /* what x, y and z become */
    for (int i = 0; i < 9; i++) {
        axes[i] = r[3 * (i % 3) + i / 3];
    }
    *out = (ew_elastic){.lame = NULL};
    ew_moduli_rotate(law->moduli, axes, out->moduli);
    turn_expansion(law->expansion, axes, out->expansion);
}

void ew_elastic_stress(const ew_elastic *law, const double *strain, double *stress)
{
    if (law->lame) {
        ew_stress_of_strain(law->lame, strain, stress);
        return;
    }
    for (int i = 0; i < 6; i++) {
        stress[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            stress[i] += law->moduli[EW_MODULUS(i, j)] * strain[j];
        }
    }
}

/* Isotropic: (s : s - lambda / (3 lambda + 2 mu) tr(s)^2) / 2 mu, shear counted twice. Else |y|^2
 * with L y = s, L the factor of D. */
double ew_elastic_compliance(const ew_elastic *law, int n, const double *stress)
{
    double factor[6][6], least, y[6], sum = 0.0;
    if (law->lame) {
        const double *lame = law->lame, share = lame[0] / (3.0 * lame[0] + 2.0 * lame[1]);
        for (const double *s = stress; s < stress + 6 * n; s += 6) {
            const double trace = s[0] + s[1] + s[2];
            const double normal = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
            const double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
            sum += normal + 2.0 * shear - share * trace * trace;
        }
        return sum / (2.0 * lame[1]);
    }
    (void)ew_moduli_factor(law->moduli, factor, &least); /* positive definite, as was checked */
    for (int i = 0; i < 6 * n; i++) {
        const int c = i % 6;
        y[c] = stress[i];
        for (int k = 0; k < c; k++) {
            y[c] -= factor[c][k] * y[k];
        }
        y[c] /= factor[c][c];
        sum += y[c] * y[c];
    }
    return sum;
}
