/* What tests of hyperelastic laws share: stress and tangent at a point against differences of the
 * energy, and bodies under stretch. Whoever includes this has defined `law` and rubber(), a
 * material with it. */
#ifndef EW_RUBBER_FIXTURE_H
#define EW_RUBBER_FIXTURE_H

#include "element/parts/element.h"
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

/* ---- at a point -------------------------------------------------------------------------- */

static inline void differ(const double *constants, double strain[6], int j, double step,
                          double slope[7])
{
    double up[6], down[6];
    const double kept = strain[j];
    strain[j] = kept + step;
    const double high = law->recover(constants, strain, NULL, up);
    strain[j] = kept - step;
    const double low = law->recover(constants, strain, NULL, down);
    strain[j] = kept;
    for (int i = 0; i < 6; i++) {
        slope[i] = (up[i] - down[i]) / (2.0 * step);
    }
    slope[6] = (high - low) / (2.0 * step);
}

static inline void test_stress_and_tangent_are_derivatives(void)
{
    const ew_material material = rubber();
    double constants[EW_MAX_LAW_CONSTANTS], most = 0.0;
    uint64_t seed = 5;
    law->prepare(&material, constants);
    for (int k = 0; k < 100; k++) {
        double strain[6], stress[6], tangent[21], slope[7];
        for (int i = 0; i < 6; i++) {
            strain[i] = 0.3 * (ew_test_random(&seed, 2000001) / 1e6 - 1.0);
        }
        law->respond(constants, strain, NULL, 0.0, NULL, stress, tangent);
        for (int i = 0, at = 0; i < 6; i++) {
            differ(constants, strain, i, 1e-5, slope);
            most = fmax(most, fabs(slope[6] - stress[i]));
            for (int j = i; j < 6; j++) {
                most = fmax(most, fabs(slope[j] - tangent[at++]));
            }
        }
    }
    CU_ASSERT(most < 1e-6); /* of a step h = 1e-5: h^2 times third derivatives, rounding / h */
}

static inline void test_small_strains_are_elastic(void)
{
    const ew_material material = rubber(), linear = {.young = young, .poisson = poisson};
    const double none[6] = {0.0};
    double constants[EW_MAX_LAW_CONSTANTS], moduli[EW_MAX_LAW_CONSTANTS], stress[6], tangent[21];
    law->prepare(&material, constants);
    ew_law_elastic.prepare(&linear, moduli);
    law->respond(constants, none, NULL, 0.0, NULL, stress, tangent);
    for (int i = 0; i < 21; i++) {
        CU_ASSERT_DOUBLE_EQUAL(tangent[i], moduli[i], 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(stress[i % 6], 0.0, 1e-14);
    }
    const double inverted[6] = {-2.0};
    law->respond(constants, inverted, NULL, 0.0, NULL, stress, NULL);
    CU_ASSERT(isnan(stress[0]));
}

/* ---- bodies ------------------------------------------------------------------------------ */

static int32_t add_face(ew_model *model, int axis, double at)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES, .allow_empty = true};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (fabs(mesh->xyz[3 * (size_t)v + (size_t)axis] - at) < 1e-9) {
            must(ew_list_push(&list, v));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

/* Tets of cubes are quadratic; mixed. */
static bool is_quadratic, is_mixed;

static inline ew_model *make_cube(void)
{
    const ew_model_def def = ew_default_model_def();
    const ew_material material = rubber();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){3, 3, 3}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    must(is_mixed ? ew_model_set_mixed(model, true) : EW_OK);
    return model;
}

static inline void solve(ew_model *model)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    const ew_nonlinear_info *info;
    def.n_step = 8;
    def.tolerance = 1e-11;
    def.solver.tolerance = 1e-12;
    must(ew_model_solve_nonlinear(model, &def, &info));
}

/* Sums of reactions along x over the end at x = 1, and the energy. */
static inline double force_at_end(ew_model *model, double *energy)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_fields *fields;
    const ew_sums *sums;
    double sum = 0.0;
    must(ew_model_recover(model, &fields, &sums));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        sum += fabs(mesh->xyz[3 * (size_t)v] - 1.0) < 1e-9 ? fields->reaction[3 * (size_t)v] : 0.0;
    }
    *energy = sums->strain_energy;
    return sum;
}

/* All tets have this Cauchy stress with its von Mises stress to 1e-8, and principal stresses, two
 * of which may be alike, so that rounding counts by its root, to 1e-7. */
static inline void check_stress(ew_model *model, const double exact[6])
{
    const ew_fields *fields = ew_model_recovered(model);
    double most = 0.0, apart = 0.0, principal[3];
    ew_principal(exact, principal);
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t++) {
        for (int i = 0; i < 6; i++) {
            most = fmax(most, fabs(fields->stress[6 * t + i] - exact[i]));
        }
        for (int i = 0; i < 3; i++) {
            apart = fmax(apart, fabs(fields->principal[3 * t + i] - principal[i]));
        }
        most = fmax(most, fabs(fields->von_mises[t] - ew_von_mises(exact)));
    }
    CU_ASSERT(most < 1e-8);
    CU_ASSERT(apart < 1e-7);
}

/* A cube on three rollers, stretched by s[0] along x, and along y where biaxial, takes the
 * stretches s, this force at its end and this energy, to 1e-8. */
static inline void check_stretched(bool biaxial, const double s[3], double force, double energy)
{
    double found;
    ew_model *model = make_cube();
    ew_model_constraint fixed[5] = {{0}};
    for (int c = 0; c < 5; c++) {
        const int axis = c % 3;
        fixed[c] = (ew_model_constraint){.set = add_face(model, axis, c < 3 ? 0.0 : 1.0),
                                         .fixed = (uint8_t)(1 << axis)};
        fixed[c].value[axis] = c < 3 ? 0.0 : s[0] - 1.0;
    }
    must(ew_model_set_constraints(model, biaxial ? 5 : 4, fixed));
    solve(model);
    const ew_mesh *mesh = ew_model_mesh(model);
    double most = 0.0;
    for (int32_t i = 0; i < 3 * mesh->n_vertex; i++) {
        const double known = (s[i % 3] - 1.0) * mesh->xyz[i];
        most = fmax(most, fabs(ew_model_displacement(model)[i] - known));
    }
    CU_ASSERT(most < 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(force_at_end(model, &found), force, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(found, energy, 1e-8);
    const double pull = force / (s[1] * s[2]); /* the force over the deformed area */
    check_stress(model, (double[]){pull, biaxial ? pull : 0.0, 0.0, 0.0, 0.0, 0.0});
    ew_model_free(model);
}

/* A cube whose surface is kept at x + gamma y, of quadratic tets: so is its inside, with this
 * energy, to 1e-8. */
static inline void check_sheared(double gamma, double energy)
{
    const ew_field_def def = {.name = "shear", .width = 3};
    double found, most = 0.0;
    int32_t field;
    is_quadratic = true;
    ew_model *model = make_cube();
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_model_constraint fixed[6];
    must(ew_model_add_field(model, &def, &field));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        ew_model_field(model, field)[3 * v] = gamma * mesh->xyz[3 * v + 1];
    }
    for (int k = 0; k < 6; k++) {
        fixed[k] =
            (ew_model_constraint){.set = add_face(model, k % 3, k / 3), .fixed = 7, .field = field};
    }
    must(ew_model_set_constraints(model, 6, fixed));
    solve(model);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        most = fmax(most, fabs(ew_model_displacement(model)[3 * (size_t)v] - gamma * x[1]));
    }
    CU_ASSERT(most < 1e-8);
    (void)force_at_end(model, &found);
    CU_ASSERT_DOUBLE_EQUAL(found, energy, 1e-8);
    ew_model_free(model);
    is_quadratic = false;
}

#endif
