/* General laws: blocks against B^T D B, rotations, recovery of a linear field, free expansion, the
 * largest frequency, isotropic constants given as 21, and constants and axes that are refused. */
#include "anisotropic.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double shape[12] = {0.1, -0.2, 0.3, 1.3, 0.2, 0.1, -0.1, 0.9, 0.2, 0.3, 0.1, 1.4};

static double random_number(uint64_t *state)
{
    return (double)ew_test_random(state, 2000001) / 1e6 - 1.0;
}

/* M M^T + I: positive definite. */
static ew_material make_crystal(uint64_t seed)
{
    ew_material made = {.kind = EW_ANISOTROPIC, .density = 2.0};
    double m[36];
    for (int i = 0; i < 36; i++) {
        m[i] = random_number(&seed);
    }
    for (int i = 0; i < 6; i++) {
        made.expansions[i] = 1e-3 * random_number(&seed);
        for (int j = i; j < 6; j++) {
            double sum = i == j;
            for (int k = 0; k < 6; k++) {
                sum += m[6 * i + k] * m[6 * j + k];
            }
            made.stiffness[EW_MODULUS(i, j)] = sum;
        }
    }
    return made;
}

static ew_material make_wood(void)
{
    return (ew_material){.kind = EW_ORTHOTROPIC,
                         .density = 2.0,
                         .young_along = {11.0, 0.9, 0.5},
                         .poisson_between = {0.37, 0.42, 0.43},
                         .shear = {0.8, 0.7, 0.06},
                         .expansions = {3e-4, 2e-4, -1e-4}};
}

static void law_of(const ew_material *material, ew_elastic *law, double *own)
{
    ew_materials materials = {0};
    must(ew_materials_init(&materials, 1, material));
    ew_elastic_of(law, &materials, 0, 0, shape);
    law->lame = NULL; /* that of the materials ends with them */
    if (own) {
        memcpy(own, materials.moduli, EW_MODULI_WIDTH * sizeof *own);
    }
    ew_materials_free(&materials);
}

/* ---- blocks ------------------------------------------------------------------------- */

/* B [6][3] of a gradient, engineering shear. */
static void voigt(const double *g, double b[6][3])
{
    memset(b, 0, 18 * sizeof(double));
    b[0][0] = b[3][1] = b[5][2] = g[0];
    b[1][1] = b[3][0] = b[4][2] = g[1];
    b[2][2] = b[4][1] = b[5][0] = g[2];
}

static void check_blocks(const double *term, const double *d)
{
    for (int k = 0; k < 16; k++) {
        const int a = k / 4, b = k % 4;
        double ab[9] = {0}, ba[9] = {0}, sum[6] = {0}, left[6][3], right[6][3];
        ew_anisotropic_add(term, a, b, ab);
        ew_anisotropic_add(term, b, a, ba);
        ew_anisotropic_add_diagonal(term, a, sum);
        voigt(term + 3 * a, left);
        voigt(term + 3 * b, right);
        for (int i = 0; i < 9; i++) {
            double expected = 0.0;
            for (int n = 0; n < 36; n++) {
                expected += left[n / 6][i / 3] * d[EW_MODULUS(n / 6, n % 6)] * right[n % 6][i % 3];
            }
            CU_ASSERT(fabs(expected - ab[i]) < 1e-14);
            CU_ASSERT_EQUAL(ab[i], ba[i % 3 * 3 + i / 3]);
        }
        const double full[9] = {sum[0], sum[1], sum[2], sum[1], sum[3],
                                sum[4], sum[2], sum[4], sum[5]};
        CU_ASSERT(a != b || !memcmp(full, ab, sizeof full));
    }
}

static void test_blocks_against_voigt_form(void)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        const ew_material crystal = make_crystal(seed);
        double own[EW_MODULI_WIDTH], term[EW_MAX_TERMS];
        ew_elastic law;
        law_of(&crystal, &law, own);
        ew_anisotropic_prepare(shape, own, term);
        check_blocks(term, term + 12);
        const double volume = ew_tet_volume_of(shape);
        for (int k = 0; k < 21; k++) {
            CU_ASSERT(fabs(term[12 + k] - volume * crystal.stiffness[k]) < 1e-15);
        }
    }
}

/* Shifts and small rotations carry no force. */
static void test_rigid_motions(void)
{
    const ew_material crystal = make_crystal(5);
    double own[EW_MODULI_WIDTH], term[EW_MAX_TERMS];
    ew_elastic law;
    law_of(&crystal, &law, own);
    ew_anisotropic_prepare(shape, own, term);
    for (int mode = 0; mode < 6; mode++) {
        for (int a = 0; a < 4; a++) {
            double force[3] = {0.0};
            for (int b = 0; b < 4; b++) {
                const double *x = shape + 3 * b;
                const double w[3] = {mode == 3, mode == 4, mode == 5};
                double u[3] = {mode == 0, mode == 1, mode == 2}, block[9] = {0.0};
                u[0] += w[1] * x[2] - w[2] * x[1];
                u[1] += w[2] * x[0] - w[0] * x[2];
                u[2] += w[0] * x[1] - w[1] * x[0];
                ew_anisotropic_add(term, a, b, block);
                for (int i = 0; i < 9; i++) {
                    force[i / 3] += block[i] * u[i % 3];
                }
            }
            CU_ASSERT(fabs(force[0]) + fabs(force[1]) + fabs(force[2]) < 1e-14);
        }
    }
}

/* The body turned with its material: K' = R K R^T. */
static void test_turned_material_is_turned_body(void)
{
    const double r[9] = {2.0 / 3,  -1.0 / 3, 2.0 / 3, 2.0 / 3, 2.0 / 3,
                         -1.0 / 3, -1.0 / 3, 2.0 / 3, 2.0 / 3}; /* x' = R x */
    ew_material wood = make_wood();
    double own[EW_MODULI_WIDTH], term[EW_MAX_TERMS], turned[EW_MAX_TERMS], x[12];
    ew_elastic law;
    law_of(&wood, &law, own);
    ew_anisotropic_prepare(shape, own, term);
    wood.axes.kind = EW_MATERIAL_AXES_FIXED;
    for (int i = 0; i < 3; i++) {
        wood.axes.first[i] = 7.0 * r[3 * i];
        wood.axes.second[i] = 0.5 * r[3 * i + 1];
        for (int a = 0; a < 4; a++) {
            x[3 * a + i] = 0.0;
            for (int j = 0; j < 3; j++) {
                x[3 * a + i] += r[3 * i + j] * shape[3 * a + j];
            }
        }
    }
    law_of(&wood, &law, own);
    ew_anisotropic_prepare(x, own, turned);
    for (int k = 0; k < 16; k++) {
        double block[9] = {0.0}, other[9] = {0.0};
        ew_anisotropic_add(term, k / 4, k % 4, block);
        ew_anisotropic_add(turned, k / 4, k % 4, other);
        for (int i = 0; i < 9; i++) {
            double sum = 0.0;
            for (int n = 0; n < 9; n++) {
                sum += r[3 * (i / 3) + n / 3] * block[n] * r[3 * (i % 3) + n % 3];
            }
            CU_ASSERT(fabs(sum - other[i]) < 1e-13);
        }
    }
}

/* What a cylinder gives a tet is what fixed axes along its radius give. */
static void test_cylinder(void)
{
    ew_material wood = make_wood();
    ew_elastic round, straight;
    double middle[3] = {0.0};
    for (int i = 0; i < 12; i++) {
        middle[i % 3] += 0.25 * shape[i];
    }
    wood.axes = (ew_material_axes){
        .kind = EW_MATERIAL_AXES_CYLINDER, .point = {0.5, 0.25, 9.0}, .third = {0.0, 0.0, 4.0}};
    law_of(&wood, &round, NULL);
    wood.axes = (ew_material_axes){.kind = EW_MATERIAL_AXES_FIXED,
                                   .first = {middle[0] - 0.5, middle[1] - 0.25, 0.0},
                                   .second = {0.25 - middle[1], middle[0] - 0.5, 0.0}};
    law_of(&wood, &straight, NULL);
    for (int k = 0; k < 21; k++) {
        CU_ASSERT(fabs(round.moduli[k] - straight.moduli[k]) < 1e-14);
    }
    for (int k = 0; k < 6; k++) {
        CU_ASSERT(fabs(round.expansion[k] - straight.expansion[k]) < 1e-18);
    }
    wood.axes = (ew_material_axes){.kind = EW_MATERIAL_AXES_CYLINDER, .third = {1.0, 0.0, 0.0}};
    memcpy(wood.axes.point, middle, sizeof middle); /* on the axis: some radius */
    law_of(&wood, &round, NULL);
    CU_ASSERT(isfinite(round.moduli[0]));
}

/* ---- laws ------------------------------------------------------------------------------- */

/* Pulled along 1: strain 1/E1, -nu12/E1, -nu13/E1; sheared: 1/G12. */
static void test_engineering_constants(void)
{
    const ew_material wood = make_wood();
    const double strain[6] = {1.0 / 11.0, -0.37 / 11.0, -0.42 / 11.0,
                              2.0 / 0.8,  3.0 / 0.06,   4.0 / 0.7};
    const double expected[6] = {1.0, 0.0, 0.0, 2.0, 3.0, 4.0};
    double stress[6], energy = 0.0;
    ew_elastic law;
    law_of(&wood, &law, NULL);
    ew_elastic_stress(&law, strain, stress);
    for (int c = 0; c < 6; c++) {
        CU_ASSERT(fabs(stress[c] - expected[c]) < 1e-14);
        energy += stress[c] * strain[c];
    }
    CU_ASSERT(fabs(ew_elastic_compliance(&law, 1, stress) / energy - 1.0) < 1e-14);
}

/* The bound of the frequency of a general law beside the exact one of an isotropic one. */
static void test_frequency(void)
{
    const ew_material steel = {.young = 7.0, .poisson = 0.3};
    ew_materials materials = {0};
    ew_elastic law;
    must(ew_materials_init(&materials, 1, &steel));
    ew_elastic_of(&law, &materials, 0, 0, shape);
    memcpy(law.moduli, materials.moduli, sizeof law.moduli);
    const double exact = ew_elastic_frequency_squared(shape, &law, 3.0);
    CU_ASSERT_EQUAL(exact, ew_element_frequency_squared(shape, materials.lame, 3.0));
    law.lame = NULL;
    const double bound = ew_elastic_frequency_squared(shape, &law, 3.0);
    CU_ASSERT(bound >= exact && bound < 1.03 * exact);
    ew_materials_free(&materials);
}

/* ---- a body --------------------------------------------------------------------------------- */

static ew_model *make_body(const ew_material *material, const ew_model_constraint *constraint)
{
    static const ew_model_set_def def = {.name = "wall", .kind = EW_SET_OF_VERTICES};
    ew_mesh mesh;
    ew_model *model = NULL;
    ew_list list = {0};
    int32_t set;
    const ew_model_def model_def = ew_default_model_def();
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.2, 0.8}, (int32_t[3]){3, 3, 3}));
    must(ew_model_create(&model, &mesh, &model_def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, material));
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        if (ew_model_mesh(model)->xyz[3 * (size_t)v] == 0.0) {
            must(ew_list_push(&list, v));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    must(ew_model_set_constraints(model, 1, constraint));
    ew_list_free(&list);
    return model;
}

/* All vertices are moved by one linear field: all tets have its strain, and inner vertices no
 * forces. */
static void test_patch(void)
{
    static const double h[9] = {1e-3, 4e-4, -2e-4, 6e-4, -5e-4, 3e-4, 8e-4, 1e-4, 7e-4};
    static const double strain[6] = {1e-3, -5e-4, 7e-4, 1e-3, 4e-4, 6e-4};
    static const ew_model_constraint constraint = {.fixed = 7};
    const ew_material crystal = make_crystal(11);
    ew_model *model = make_body(&crystal, &constraint);
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_fields *fields;
    double *u = ew_model_field(model, 0), expected[6];
    ew_elastic law;
    law_of(&crystal, &law, NULL);
    ew_elastic_stress(&law, strain, expected);
    for (int32_t i = 0; i < 9 * mesh->n_vertex; i++) {
        u[3 * (size_t)(i / 9) + (size_t)(i % 9 / 3)] +=
            h[i % 9] * mesh->xyz[3 * (size_t)(i / 9) + (size_t)(i % 3)];
    }
    must(ew_model_recover(model, &fields, NULL));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        for (int c = 0; c < 6; c++) {
            CU_ASSERT(fabs(fields->strain[6 * (size_t)t + (size_t)c] - strain[c]) < 1e-15);
            CU_ASSERT(fabs(fields->stress[6 * (size_t)t + (size_t)c] - expected[c]) < 1e-14);
        }
    }
    const ew_matrix *matrix;
    must(ew_model_matrix(model, &matrix));
    double *f = calloc((size_t)mesh->n_vertex, 3 * sizeof *f);
    ew_matrix_product(matrix, &ew_model_topology(model)->pattern, u, f);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        if (x[0] > 0.1 && x[0] < 0.9 && x[1] > 0.1 && x[1] < 1.1 && x[2] > 0.1 && x[2] < 0.7) {
            CU_ASSERT(fabs(f[3 * v]) + fabs(f[3 * v + 1]) + fabs(f[3 * v + 2]) < 1e-15);
        }
    }
    free(f);
    ew_model_free(model);
}

/* A free body takes up its thermal strain: no stress. The work is in balance where it is fixed. */
static void test_thermal(void)
{
    static const ew_model_constraint fixed = {.fixed = 7};
    const ew_model_load warm = {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 40.0};
    const ew_material crystal = make_crystal(3);
    ew_model *model = make_body(&crystal, &fixed);
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_fields *fields;
    const ew_sums *sums;
    const ew_pcg_info *info;
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-12;
    must(ew_model_set_loads(model, 1, &warm));
    must(ew_model_solve(model, &def, &info));
    must(ew_model_recover(model, &fields, &sums));
    CU_ASSERT(sums->strain_energy > 0.0);
    CU_ASSERT(fabs(sums->external_work - 2.0 * sums->strain_energy - sums->thermal_work) <
              1e-9 * fabs(sums->thermal_work));
    /* the free field in its place */
    double *u = ew_model_field(model, 0);
    const double *a = crystal.expansions;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        u[3 * v] = 40.0 * (a[0] * x[0] + a[3] * x[1] + a[5] * x[2]);
        u[3 * v + 1] = 40.0 * (a[1] * x[1] + a[4] * x[2]);
        u[3 * v + 2] = 40.0 * a[2] * x[2];
    }
    must(ew_model_recover(model, &fields, NULL));
    for (int32_t i = 0; i < 6 * mesh->n_tet; i++) {
        CU_ASSERT(fabs(fields->stress[i]) < 1e-14);
        CU_ASSERT(fabs(fields->thermal_tensor[i] - 40.0 * a[i % 6]) < 1e-15);
    }
    ew_model_free(model);
}

/* The same answer to rounding; and back again: the isotropic element, bit for bit. */
static void test_isotropic_constants_given_as_21(void)
{
    static const ew_model_constraint fixed = {.fixed = 7};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {1.0, 2.0, -3.0}};
    const ew_material steel = {.young = 7.0, .poisson = 0.3, .density = 2.0};
    ew_material other = {.kind = EW_ANISOTROPIC, .density = 2.0};
    ew_materials materials = {0};
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_body(&steel, &fixed);
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    double *first = calloc(n, sizeof *first), largest = 0.0;
    def.tolerance = 1e-13;
    must(ew_materials_init(&materials, 1, &steel));
    memcpy(other.stiffness, materials.moduli, sizeof other.stiffness);
    must(ew_model_set_loads(model, 1, &weight));
    must(ew_model_solve(model, &def, NULL));
    memcpy(first, ew_model_displacement(model), n * sizeof *first);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &other));
    must(ew_model_solve(model, &def, NULL));
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(first[i]));
        CU_ASSERT(fabs(first[i] - ew_model_displacement(model)[i]) < 1e-11);
    }
    CU_ASSERT(largest > 0.1);
    ew_model_verification result;
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    CU_ASSERT(ew_model_materials(model)->is_isotropic);
    ew_materials_free(&materials);
    free(first);
    ew_model_free(model);
}

static void test_what_is_not_there_yet(void)
{
    static const ew_model_constraint fixed = {.fixed = 7};
    const ew_material wood = make_wood();
    const ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_body(&wood, &fixed);
    must(ew_model_set_operator(model, EW_MATRIX_FREE));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "operator: stored"));
    ew_model_free(model);
}

/* ---- refusals -----------------------------------------------------------------------------------
 */

static void check_refused(const ew_material *material, const char *words)
{
    ew_materials materials = {0};
    CU_ASSERT_EQUAL(ew_materials_init(&materials, 1, material), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), words));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "region 0"));
    CU_ASSERT_PTR_NULL(materials.moduli);
    CU_ASSERT_EQUAL(ew_material_check(material), EW_BAD_ARGUMENT);
    CU_ASSERT_PTR_NULL(strstr(ew_message(), "region"));
}

static void test_constants_that_are_refused(void)
{
    ew_material m = make_wood();
    m.young_along[1] = 0.0;
    check_refused(&m, "E2 is 0");
    m = (ew_material){.kind = EW_ORTHOTROPIC,
                      .young_along = {1e-160, 1e-160, 1e-160},
                      .poisson_between = {0.1, 0.1, 0.1},
                      .shear = {1e-160, 1e-160, 1e-160}};
    check_refused(&m, "E1 is 1e-160, outside 1e-90");
    m = make_wood();
    m.young_along[2] = 1e160;
    check_refused(&m, "E3 is 1e+160, outside 1e-90");
    m = make_wood();
    m.shear[2] = -1.0;
    check_refused(&m, "G23 is -1");
    m = make_wood();
    m.poisson_between[0] = 3.5; /* sqrt(11 / 0.9) = 3.496 */
    check_refused(&m, "nu12 is 3.5, must be less than sqrt(E1 / E2) = 3.496");
    m = make_wood();
    m.poisson_between[2] = -1.35; /* sqrt(0.9 / 0.5) = 1.342 */
    check_refused(&m, "nu23 is -1.35");
    m = (ew_material){.kind = EW_ORTHOTROPIC,
                      .young_along = {1.0, 1.0, 1.0},
                      .poisson_between = {0.6, 0.6, 0.6},
                      .shear = {1.0, 1.0, 1.0}};
    check_refused(&m, "too large together");
    m = make_wood();
    m.expansions[4] = 1.0;
    check_refused(&m, "expansion 5");
    m = make_crystal(1);
    m.stiffness[EW_MODULUS(3, 3)] = 0.0;
    check_refused(&m, "D44 is 0, must be greater than");
    m = make_crystal(1);
    m.stiffness[EW_MODULUS(2, 4)] = (double)NAN;
    check_refused(&m, "D35");
}

static void test_axes_that_are_refused(void)
{
    ew_material m = make_wood();
    m.axes = (ew_material_axes){
        .kind = EW_MATERIAL_AXES_FIXED, .first = {1.0, 0.0, 0.0}, .second = {1.0, 1.0, 0.0}};
    check_refused(&m, "45 degrees, must be at right angles");
    m.axes.second[0] = m.axes.second[1] = 0.0;
    check_refused(&m, "axis 2 is (0, 0, 0)");
    m.axes = (ew_material_axes){.kind = EW_MATERIAL_AXES_CYLINDER};
    check_refused(&m, "axis 3");
}

static CU_TestInfo tests[] = {
    {"blocks_against_voigt_form", test_blocks_against_voigt_form},
    {"rigid_motions", test_rigid_motions},
    {"turned_material_is_turned_body", test_turned_material_is_turned_body},
    {"cylinder", test_cylinder},
    {"engineering_constants", test_engineering_constants},
    {"frequency", test_frequency},
    {"patch", test_patch},
    {"thermal", test_thermal},
    {"isotropic_constants_given_as_21", test_isotropic_constants_given_as_21},
    {"what_is_not_there_yet", test_what_is_not_there_yet},
    {"constants_that_are_refused", test_constants_that_are_refused},
    {"axes_that_are_refused", test_axes_that_are_refused},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "general laws", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
