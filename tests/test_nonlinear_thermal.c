/* Changes of temperature in nonlinear bodies: strain that laws do not see, against closed forms and
 * the linear theory; yielding by heat; edits and devices. */
#include "one_device.h"
#include "warm_bar.h"

#include <math.h>
#include <string.h>

static ew_nonlinear_def settings(void)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.tolerance = 1e-9;
    def.solver.tolerance = 1e-11;
    return def;
}

/* Free, it grows without stress, however hot. */
static void test_free_body_grows(void)
{
    for (int k = 0; k < 3; k++) {
        const ew_material material = steel(k ? &ew_law_plastic : NULL);
        const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               k < 2 ? EW_COROTATIONAL : EW_SMALL, &material);
        const ew_nonlinear_def def = settings();
        const ew_fields *fields;
        const ew_sums *sums;
        support(&b, false);
        heat(&b, 1000.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, &sums));
        CU_ASSERT(sums->max_von_mises < 1e-4);
        CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[0], 0.012, 1e-12);
        for (int32_t v = 0; v < ew_model_mesh(b.model)->n_vertex; v++) {
            const double *x = ew_model_mesh(b.model)->xyz + 3 * (size_t)v;
            const double *u = ew_model_displacement(b.model) + 3 * (size_t)v;
            CU_ASSERT_DOUBLE_EQUAL(u[0], 0.012 * x[0], 1e-7);
        }
        ew_model_free(b.model);
    }
}

/* Below yielding small kinematics with a law are the linear theory. */
static void test_elastic_answer_is_the_linear_one(void)
{
    const ew_material law = steel(&ew_law_plastic), elastic = steel(NULL);
    const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2}, EW_SMALL, &law);
    const ew_nonlinear_def def = settings();
    const ew_pcg_def linear = {.preconditioner = EW_AUTO_PRECONDITIONER,
                               .tolerance = 1e-11,
                               .max_iterations = 1000,
                               .precision = EW_DOUBLE};
    const size_t n = 3 * (size_t)ew_model_mesh(b.model)->n_vertex;
    const ew_sums *sums;
    double *u = NULL, stress[2], work[2], error = 0.0;
    must(ew_new(&u, n, sizeof *u));
    support(&b, true);
    heat(&b, 40.0, 30.0);
    must(ew_model_solve_nonlinear(b.model, &def, NULL));
    must(ew_model_recover(b.model, NULL, &sums));
    memcpy(u, ew_model_displacement(b.model), n * sizeof *u);
    stress[0] = sums->max_von_mises;
    work[0] = sums->thermal_work;
    must(ew_model_set_material(b.model, EW_ALL_REGIONS, &elastic));
    must(ew_model_solve(b.model, &linear, NULL));
    must(ew_model_recover(b.model, NULL, &sums));
    stress[1] = sums->max_von_mises;
    work[1] = sums->thermal_work;
    for (size_t i = 0; i < n; i++) {
        error = fmax(error, fabs(u[i] - ew_model_displacement(b.model)[i]));
    }
    CU_ASSERT(error < 1e-8);
    CU_ASSERT(stress[0] > 100.0 && stress[0] < 240.0);
    CU_ASSERT_DOUBLE_EQUAL(stress[0], stress[1], 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(work[0], work[1], 1e-6 * fabs(work[1]));
    ew_release(u);
    ew_model_free(b.model);
}

/* Kept between two planes, heated until it yields in compression, and cooled: pulled by what was
 * lost. Its sides are free: stress is that of one axis. */
static void test_heat_that_yields_leaves_tension(void)
{
    const ew_material material = steel(&ew_law_plastic);
    ew_nonlinear_def def = settings();
    for (int k = 0; k < 2; k++) {
        const bar b = make_bar(NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               k ? EW_COROTATIONAL : EW_SMALL, &material);
        const ew_fields *fields;
        const double hot = 150.0, elastic = young * expansion * hot; /* 360 */
        support(&b, true);
        heat(&b, hot, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], -240.0, 0.1);
        heat(&b, 0.0, 0.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], elastic - 240.0, k ? 1.0 : 0.01);
        ew_model_free(b.model);
    }
}

/* Hotter above than below a slender bar curls into an arc, by the curvature that the mesh itself
 * has for a small gradient: linear tets resist bending too much. */
static void test_slender_bar_curls(void)
{
    const ew_material material = steel(NULL);
    const bar b = make_bar(NULL, (double[3]){10, 0.2, 0.2}, (int32_t[3]){60, 2, 4}, EW_COROTATIONAL,
                           &material);
    const ew_nonlinear_def def = settings();
    ew_model_constraint wall = {.set = b.low[0], .fixed = 7};
    static const double curvature[2] = {1e-4, 0.2};
    ew_list list = {0};
    double x[2] = {0.0}, z[2] = {0.0};
    must(ew_model_set_constraints(b.model, 1, &wall));
    must(ew_model_list_vertices(b.model, b.end, &list));
    for (int k = 0; k < 2; k++) {
        must(ew_model_set_loads(b.model, 1,
                                &(ew_model_load){.kind = EW_LOAD_TEMPERATURE,
                                                 .set = -1,
                                                 .gradient = {0.0, 0.0, curvature[k] / expansion},
                                                 .point = {0.0, 0.0, 0.1}}));
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        for (int32_t i = 0; i < list.n; i++) {
            x[k] += ew_model_displacement(b.model)[3 * (size_t)list.id[i]] / list.n;
            z[k] += ew_model_displacement(b.model)[3 * (size_t)list.id[i] + 2] / list.n;
        }
    }
    const double bend = fabs(z[0]) * 2.0 / 100.0 * curvature[1] / curvature[0], angle = 10.0 * bend;
    CU_ASSERT(angle > 0.7);
    CU_ASSERT_DOUBLE_EQUAL(fabs(z[1]), (1.0 - cos(angle)) / bend, 0.02 * fabs(z[1]));
    CU_ASSERT_DOUBLE_EQUAL(x[1], sin(angle) / bend - 10.0, 0.04 * fabs(x[1]));
    ew_list_free(&list);
    ew_model_free(b.model);
}

/* Loads, edits and materials that change the temperature: blocks are those of a rebuild; on a
 * device the same, and the same answer. */
static void test_blocks_follow_temperatures(void)
{
    const ew_material material = steel(&ew_law_plastic);
    const ew_nonlinear_def def = settings();
    double far[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        if (k && !(device && ew_device_about(device)->has_double)) {
            continue;
        }
        const bar b = make_bar(k ? device : NULL, (double[3]){4, 1, 1}, (int32_t[3]){4, 2, 2},
                               EW_COROTATIONAL, &material);
        ew_model_verification result;
        support(&b, true);
        for (int i = 0; i < 5; i++) {
            if (i == 3) {
                must(ew_model_set_loads(b.model, 0, NULL));
            } else {
                heat(&b, 60.0 * i, 20.0);
            }
            must(ew_model_verify(b.model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
            must(ew_model_solve_nonlinear(b.model, &def, NULL));
            ew_model_begin(b.model);
            must(ew_edit_remove_tet(ew_model_edit(b.model), 30 + i));
            must(ew_model_commit(b.model));
            must(ew_model_verify(b.model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        for (int32_t i = 0; i < 3 * ew_model_mesh(b.model)->n_vertex; i++) {
            far[k] += fabs(ew_model_displacement(b.model)[i]);
        }
        ew_model_free(b.model);
    }
    CU_ASSERT(far[1] == 0.0 || fabs(far[0] - far[1]) < 1e-6 * far[0]);
}

static CU_TestInfo tests[] = {
    {"free_body_grows", test_free_body_grows},
    {"elastic_answer_is_the_linear_one", test_elastic_answer_is_the_linear_one},
    {"heat_that_yields_leaves_tension", test_heat_that_yields_leaves_tension},
    {"slender_bar_curls", test_slender_bar_curls},
    {"blocks_follow_temperatures", test_blocks_follow_temperatures},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {
        {"nonlinear_thermal", open_device, close_device, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
