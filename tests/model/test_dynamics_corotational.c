/* Corotational bodies in motion: a bar that turns in free flight keeps its length, its momentum and
 * its energy, where the linear theory makes it grow; schemes agree; edits, restored states. */
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

enum { ALONG = 8, ACROSS = 2 };

/* Tets are quadratic, twice as large. */
static bool is_quadratic;

static ew_model *make_bar(ew_kinematics kinematics)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    const ew_model_def def = ew_default_model_def();
    const int32_t by = is_quadratic ? 2 : 1;
    must(ew_shape_box(&mesh, (double[3]){2.0, 0.4, 0.4},
                      (int32_t[3]){ALONG / by, ACROSS / by, ACROSS / by}));
    must(ew_model_create(&model, &mesh, &def));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    must(ew_model_set_material(model, EW_ALL_REGIONS,
                               &(ew_material){.young = 1e7, .poisson = 0.3, .density = 1000.0}));
    must(ew_model_set_kinematics(model, kinematics));
    return model;
}

/* About z through the center, by `rate` rad per time. */
static void spin(ew_model *model, double rate)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *v = ew_model_velocity(model);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        const double *x = mesh->xyz + 3 * (size_t)i;
        v[3 * i] = -rate * (x[1] - 0.2);
        v[3 * i + 1] = rate * (x[0] - 1.0);
        v[3 * i + 2] = 0.0;
    }
}

static void end_at(const ew_model *model, double x, double place[3])
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    int32_t n = 0;
    memset(place, 0, 3 * sizeof *place);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const bool is_there = fabs(mesh->xyz[3 * (size_t)v] - x) < 1e-9;
        for (int c = 0; c < 3 && is_there; c++) {
            place[c] += mesh->xyz[3 * (size_t)v + c] + u[3 * (size_t)v + c];
        }
        n += is_there;
    }
    for (int c = 0; c < 3; c++) {
        place[c] /= n;
    }
}

static double length_of(const ew_model *model)
{
    double a[3], b[3], sum = 0.0;
    end_at(model, 0.0, a);
    end_at(model, 2.0, b);
    for (int c = 0; c < 3; c++) {
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    }
    return sqrt(sum);
}

static ew_dynamics_def settings(ew_scheme_kind scheme, double tolerance)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = scheme;
    def.account = true;
    def.newton_tolerance = tolerance;
    return def;
}

/* One turn in 60 steps, two turns. */
static void test_turning_bar_keeps_its_length(void)
{
    const double turn = 2.0 * 3.14159265358979, step = 1.0 / 60.0;
    double longest[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_bar(k ? EW_COROTATIONAL : EW_SMALL);
        const ew_dynamics_def def = settings(EW_NEWMARK, k ? 1e-6 : 0.0);
        ew_energy_account first, now;
        spin(model, turn);
        must(ew_model_start_dynamics(model, &def, 0.0));
        must(ew_model_account(model, &first));
        for (int i = 0; i < 120; i++) {
            must(ew_model_advance(model, step, NULL));
            longest[k] = fmax(longest[k], length_of(model));
        }
        must(ew_model_account(model, &now));
        if (k) {
            CU_ASSERT(fabs(length_of(model) - 2.0) < 0.02);
            CU_ASSERT(fabs(now.balance) < 0.01 * first.kinetic);
            CU_ASSERT_DOUBLE_EQUAL(now.angular_momentum[2], first.angular_momentum[2],
                                   0.01 * first.angular_momentum[2]);
        }
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(now.linear_momentum[c], 0.0, 1e-5);
        }
        ew_model_free(model);
    }
    CU_ASSERT(longest[1] < 2.03);
    CU_ASSERT(longest[0] > 4.0); /* the linear theory: a body that turns grows */
}

/* One linearization a step: the same motion, with an error that falls with the step. */
static void test_one_linearization_a_step(void)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        const int n = k ? 400 : 200;
        ew_model *model = make_bar(EW_COROTATIONAL);
        const ew_dynamics_def def = settings(EW_GENERALIZED_ALPHA, 0.0);
        double end[3];
        spin(model, 3.14159265358979);
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int i = 0; i < n; i++) {
            must(ew_model_advance(model, 1.0 / n, NULL));
        }
        end_at(model, 2.0, end); /* half a turn */
        error[k] = fabs(end[1] - 0.2) + fabs(end[0]);
        CU_ASSERT(fabs(length_of(model) - 2.0) < 0.02);
        ew_model_free(model);
    }
    CU_ASSERT(error[0] < 0.05 && error[1] < 0.6 * error[0]);
}

/* Explicit steps, without any matrix, and implicit ones come to the same. */
static void test_schemes_agree(void)
{
    static const ew_scheme_kind scheme[] = {EW_CENTRAL_DIFFERENCE, EW_NEWMARK, EW_HHT};
    double end[3][3];
    for (int k = 0; k < 3; k++) {
        ew_model *model = make_bar(EW_COROTATIONAL);
        const ew_dynamics_def def = settings(scheme[k], k ? 1e-8 : 0.0);
        const int n = k ? 150 : 1000;
        spin(model, 6.0);
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int i = 0; i < n; i++) {
            must(ew_model_advance(model, 0.3 / n, NULL));
        }
        end_at(model, 2.0, end[k]);
        ew_model_free(model);
    }
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(end[1][c], end[0][c], 2e-3);
        CU_ASSERT_DOUBLE_EQUAL(end[2][c], end[0][c], 4e-3);
    }
}

/* A state that is taken out and put into another model goes on with the same bits, and after edits
 * the blocks are those of a rebuild. */
static void test_restored_bits_and_edits(void)
{
    ew_model *model[2] = {make_bar(EW_COROTATIONAL), make_bar(EW_COROTATIONAL)};
    const ew_dynamics_def def = settings(EW_NEWMARK, 0.0);
    ew_dynamics_state state;
    ew_model_verification result;
    spin(model[0], 6.0);
    must(ew_model_start_dynamics(model[0], &def, 0.0));
    for (int i = 0; i < 5; i++) {
        must(ew_model_advance(model[0], 0.01, NULL));
    }
    must(ew_model_dynamics_state(model[0], &state));
    const size_t size = 24 * (size_t)ew_model_mesh(model[0])->n_vertex;
    memcpy(ew_model_field(model[1], 0), ew_model_displacement(model[0]), size);
    memcpy(ew_model_velocity(model[1]), ew_model_velocity(model[0]), size);
    memcpy(ew_model_acceleration(model[1]), ew_model_acceleration(model[0]), size);
    for (int k = 0; k < 2; k++) {
        must(ew_model_restore_dynamics(model[k], &def, &state));
        for (int i = 0; i < 5; i++) {
            must(ew_model_advance(model[k], 0.01, NULL));
        }
    }
    CU_ASSERT_EQUAL(memcmp(ew_model_displacement(model[0]), ew_model_displacement(model[1]), size),
                    0);
    for (int k = 0; k < 3; k++) {
        ew_model_begin(model[0]);
        must(ew_edit_remove_tet(ew_model_edit(model[0]), 20 + 30 * k));
        must(ew_model_commit(model[0]));
        must(ew_model_advance(model[0], 0.01, NULL));
        must(ew_model_verify(model[0], &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
    }
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

/* A step that failed leaves the tangent that of the state. */
static void test_failed_step_leaves_no_tangent(void)
{
    ew_model *model = make_bar(EW_COROTATIONAL);
    ew_model_verification result;
    ew_dynamics_def def = settings(EW_NEWMARK, 1e-12);
    def.newton_iterations = 1;
    spin(model, 6.0);
    must(ew_model_start_dynamics(model, &def, 0.0));
    CU_ASSERT_EQUAL(ew_model_advance(model, 0.2, NULL), EW_NOT_CONVERGED);
    CU_ASSERT(strstr(ew_message(), "smaller time steps") != NULL);
    CU_ASSERT_EQUAL(ew_model_time(model), 0.0);
    must(ew_model_verify(model, &result));
    CU_ASSERT_EQUAL(result.n_different, 0);
    ew_model_free(model);
}

/* Shorter by a share of its length, and at rest. */
static void squeeze(ew_model *model, double share)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *u = ew_model_field(model, 0);
    memset(u, 0, 24 * (size_t)mesh->n_vertex);
    memset(ew_model_velocity(model), 0, 24 * (size_t)mesh->n_vertex);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        u[3 * (size_t)i] = share * (1.0 - mesh->xyz[3 * (size_t)i]);
    }
}

/* Free, let go of: in long steps the exact tangent is not positive definite, as a solve finds out,
 * or with rows of a negative diagonal the preconditioner. */
static void test_indefinite_tangent_is_clamped(void)
{
    const ew_dynamics_def def = settings(EW_IMPLICIT_EULER, 0.0);
    ew_model *model = make_bar(EW_COROTATIONAL);
    static const double share[] = {0.25, 0.7};
    for (int k = 0; k < 2; k++) {
        squeeze(model, share[k]);
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int i = 0; i < 5; i++) {
            must(ew_model_advance(model, 1.0, NULL));
        }
        CU_ASSERT_DOUBLE_EQUAL(length_of(model), 2.0, 0.1); /* the scheme damps */
    }
    ew_model_free(model);
}

/* A slender bar, pressed by less than the bound that blocks are kept within, and far beyond its
 * buckling: what is kept is clamped, too. */
static void test_kept_tangent_is_clamped(void)
{
    ew_mesh mesh;
    ew_model *model = NULL;
    const ew_model_def model_def = ew_default_model_def();
    ew_dynamics_def def = settings(EW_IMPLICIT_EULER, 0.0);
    def.bound = 0.01;
    must(ew_shape_box(&mesh, (double[3]){2.0, 0.04, 0.04}, (int32_t[3]){50, 1, 1}));
    must(ew_model_create(&model, &mesh, &model_def));
    must(ew_model_set_material(model, EW_ALL_REGIONS,
                               &(ew_material){.young = 1e7, .poisson = 0.3, .density = 1000.0}));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    squeeze(model, 0.004);
    must(ew_model_start_dynamics(model, &def, 0.0));
    must(ew_model_advance(model, 1.0, NULL));
    ew_model_free(model);
}

/* Three quarters of a turn, in which blocks are kept until they differ by 1 %, and the
 * preconditioner until that costs iterations: about as many as with one that follows each step. */
static void test_kept_preconditioner_follows(void)
{
    const double turn = 2.0 * 3.14159265358979;
    int32_t n[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_bar(EW_COROTATIONAL);
        const ew_advance_info *info;
        ew_dynamics_def def = settings(EW_GENERALIZED_ALPHA, 0.0);
        def.bound = k ? 0.01 : 0.0;
        def.solver.preconditioner = EW_RIGID;
        spin(model, turn);
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int i = 0; i < 45; i++) {
            must(ew_model_advance(model, 1.0 / 60.0, &info));
            CU_ASSERT(info->solver->residual <= def.solver.tolerance);
            n[k] += info->solver->iterations;
        }
        ew_model_free(model);
    }
    CU_ASSERT(n[1] < 1.5 * n[0]);
}

/* Halves of halves: four steps, which count as one. */
static void test_newton_halves(void)
{
    const ew_advance_info *info;
    ew_dynamics_def def = settings(EW_NEWMARK, 1e-4);
    ew_dynamics_state state;
    double end[2][3];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_bar(EW_COROTATIONAL);
        spin(model, 6.0);
        def.newton_iterations = k ? 10 : 2;
        def.newton_halvings = k ? 0 : 3;
        must(ew_model_start_dynamics(model, &def, 0.0));
        int n_halving = 0;
        for (int i = 0; i < (k ? 4 : 1); i++) {
            must(ew_model_advance(model, k ? 0.025 : 0.1, &info));
            n_halving += info->n_halving;
        }
        CU_ASSERT_EQUAL(n_halving, k ? 0 : 3);
        must(ew_model_dynamics_state(model, &state));
        CU_ASSERT_EQUAL(state.n_step, k ? 4 : 1);
        CU_ASSERT_DOUBLE_EQUAL(state.time, 0.1, 1e-12);
        end_at(model, 2.0, end[k]);
        ew_model_free(model);
    }
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(end[0][c], end[1][c], 1e-6);
    }
}

static void test_quadratic_bar_moves_alike(void)
{
    is_quadratic = true;
    test_turning_bar_keeps_its_length();
    test_one_linearization_a_step();
    test_schemes_agree();
    test_failed_step_leaves_no_tangent();
    test_indefinite_tangent_is_clamped();
    test_newton_halves();
    is_quadratic = false;
}

static CU_TestInfo tests[] = {
    {"indefinite_tangent_is_clamped", test_indefinite_tangent_is_clamped},
    {"kept_tangent_is_clamped", test_kept_tangent_is_clamped},
    {"kept_preconditioner_follows", test_kept_preconditioner_follows},
    {"newton_halves", test_newton_halves},
    {"turning_bar_keeps_its_length", test_turning_bar_keeps_its_length},
    {"one_linearization_a_step", test_one_linearization_a_step},
    {"schemes_agree", test_schemes_agree},
    {"restored_bits_and_edits", test_restored_bits_and_edits},
    {"quadratic_bar_moves_alike", test_quadratic_bar_moves_alike},
    {"failed_step_leaves_no_tangent", test_failed_step_leaves_no_tangent},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"dynamics_corotational", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
