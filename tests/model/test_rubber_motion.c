/* Hyperelastic bodies beyond statics: waves in stretched blocks and the load at which a column
 * buckles, against closed forms and against each other; energy of bodies in free motion, whose
 * balance is of the second order in the time step. */
#include "direct_fixture.h"
#include "model_fixture.h"

#include <math.h>

static bool is_quadratic;

static ew_material rubber(const ew_law *law, double poisson)
{
    ew_material material = {
        .young = 4.0 * (1.0 + poisson) * 0.55, .poisson = poisson, .density = 2.0};
    ew_material_put_law(&material, law);
    material.law_value[0] = law == &ew_law_mooney_rivlin ? 0.4 : 0.0;
    material.law_value[1] = law == &ew_law_mooney_rivlin ? 0.15 : 0.0;
    return material;
}

static ew_model *make_block(const double size[3], const int32_t cells[3],
                            const ew_material *material)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, size, cells));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    return model;
}

#if EW_WITH_CHOLMOD

static const double pi = 3.14159265358979324;

static int32_t add_plane(ew_model *model, int axis, double at)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(fabs(mesh->xyz[3 * v + axis] - at) < 1e-9 ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

static void solve(ew_model *model)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.tolerance = 1e-8;
    def.n_step = 4;
    def.solver = direct_def(1e-12); /* near the load of buckling the tangent is nearly singular */
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
}

/* ---- waves -------------------------------------------------------------------------------------
 */

/* A block between walls and rollers, stretched along x alone: compression waves on top have rho
 * omega^2 = (pi / L)^2 dP/ds, P = mu (s - 1/s) + lambda / 2 (s - 1/s) of the neo-Hookean law, and
 * shear waves along x rho omega^2 = (pi / L)^2 mu: of it dP_yx/dF_yx = mu at any stretch. */
static void test_waves_in_a_stretched_block(void)
{
    const double poisson = 0.3, stretch = 1.7, size[3] = {1.0, 0.1, 0.1};
    const ew_material material = rubber(&ew_law_neo_hookean, poisson);
    const double mu = 1.1, lambda = 2.0 * mu * poisson / (1.0 - 2.0 * poisson);
    const double rate = (mu + 0.5 * lambda) * (1.0 + 1.0 / (stretch * stretch));
    is_quadratic = true;
    for (int shears = 0; shears < 2; shears++) {
        const ew_modes_def def = modes_def(1);
        const ew_modes *modes;
        ew_model *model = make_block(size, (int32_t[]){8, 1, 1}, &material);
        ew_model_constraint fixed[6];
        for (int k = 0; k < 6; k++) {
            const int axis = k / 2;
            fixed[k] =
                (ew_model_constraint){.set = add_plane(model, axis, k % 2 ? size[axis] : 0.0),
                                      .fixed = (uint8_t)(1 << axis)};
        }
        fixed[1].value[0] = stretch - 1.0;
        must(ew_model_set_constraints(model, 6, fixed));
        solve(model);
        if (shears) { /* along y: x and z are fixed everywhere, y at the walls */
            ew_list list = {0};
            int32_t set;
            for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
                must(ew_list_push(&list, v));
            }
            must(ew_model_add_set(model, &(ew_model_set_def){.kind = EW_SET_OF_VERTICES}, &list,
                                  &set));
            ew_list_free(&list);
            const ew_model_constraint of_shear[3] = {{.set = set, .fixed = 5},
                                                     {.set = fixed[0].set, .fixed = 7},
                                                     {.set = fixed[1].set, .fixed = 7}};
            must(ew_model_set_constraints(model, 3, of_shear));
        }
        must(ew_model_modes(model, &def, &modes));
        const double exact = pi * sqrt((shears ? mu : rate) / 2.0);
        CU_ASSERT_DOUBLE_EQUAL(2.0 * pi * modes->frequency[0], exact, 2e-4 * exact);
        ew_model_free(model);
    }
    is_quadratic = false;
}

/* ---- a column
 * ------------------------------------------------------------------------------------ */

/* Clamped at x = 0 and pressed to `shorter`; its lowest frequency squared, or below 0 where it has
 * none, and the factor of buckling. */
static void press_column(const ew_law *law, double shorter, double *square, double *factor)
{
    const double size[3] = {1.0, 0.12, 0.1};
    const ew_material material = rubber(law, 0.4);
    const ew_modes_def def = modes_def(1);
    const ew_modes *modes;
    const ew_buckling *buckling;
    ew_model *model = make_block(size, (int32_t[]){8, 1, 1}, &material);
    const ew_model_constraint fixed[2] = {
        {.set = add_plane(model, 0, 0.0), .fixed = 7},
        {.set = add_plane(model, 0, 1.0), .fixed = 7, .value = {-shorter}}};
    must(ew_model_set_constraints(model, 2, fixed));
    solve(model);
    *square = ew_model_modes(model, &def, &modes) ? -1.0 : pow(2.0 * pi * modes->frequency[0], 2.0);
    must(ew_model_buckling(model, &def, &buckling));
    *factor = buckling->factor[0];
    ew_model_free(model);
}

/* The frequency falls to 0 where the factor is 1: both are of one tangent. Near that place the
 * square falls in proportion, and beyond it the column does not vibrate. Clamped at both ends
 * Euler's strain is 4 pi^2 I / (A L^2), a little less than where rubber that shears and thickens
 * buckles. */
static void check_column(const ew_law *law)
{
    double square[3], factor[3];
    const double euler = 4.0 * pi * pi * 0.1 * 0.1 / 12.0;
    double low = 0.5 * euler, high = 2.0 * euler;
    for (int k = 0; k < 12; k++) {
        const double at = 0.5 * (low + high);
        press_column(law, at, &square[0], &factor[0]);
        *(square[0] > 0.0 ? &low : &high) = at;
        CU_ASSERT((square[0] > 0.0) == (factor[0] > 1.0));
    }
    CU_ASSERT_DOUBLE_EQUAL(factor[0], 1.0, 0.01);
    CU_ASSERT(low > 0.8 * euler && low < 1.3 * euler);
}

static void test_column_buckles_where_it_stops_to_vibrate(void)
{
    is_quadratic = true;
    check_column(&ew_law_mooney_rivlin);
    if (!getenv("EW_QUICK")) {
        check_column(&ew_law_neo_hookean);
    }
    is_quadratic = false;
}
#endif

/* ---- energy
 * ---------------------------------------------------------------------------------------- */

/* A free block that is flung apart and spins: the largest imbalance of energy over its energy in a
 * unit of time; strains reach more than a quarter. */
static double imbalance(const ew_law *law, double step)
{
    const double size[3] = {1.0, 0.6, 0.5};
    const ew_material material = rubber(law, 0.35);
    ew_model *model = make_block(size, (int32_t[]){3, 2, 2}, &material);
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account account;
    double worst = 0.0, strain = 0.0;
    def.account = true;
    def.newton_tolerance = 1e-10;
    def.solver.tolerance = 1e-12;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * v;
        ew_model_velocity(model)[3 * v] = 0.9 * (x[0] - 0.5) - 0.8 * (x[1] - 0.3);
        ew_model_velocity(model)[3 * v + 1] = 0.8 * (x[0] - 0.5);
        ew_model_velocity(model)[3 * v + 2] = 0.4 * (x[0] - 0.5) * (x[2] - 0.25);
    }
    must(ew_model_start_dynamics(model, &def, 0.0));
    must(ew_model_account(model, &account));
    const double energy = account.kinetic;
    for (int i = 0; i < (int)(1.0 / step + 0.5); i++) {
        must(ew_model_advance(model, step, NULL));
        must(ew_model_account(model, &account));
        worst = fmax(worst, fabs(account.balance) / energy);
        strain = fmax(strain, account.strain / energy);
    }
    CU_ASSERT(strain > 0.2);
    ew_model_free(model);
    return worst;
}

static void test_energy_stays(void)
{
    const ew_law *const laws[2] = {&ew_law_neo_hookean, &ew_law_mooney_rivlin};
    for (int k = getenv("EW_QUICK") ? 3 : 0; k < 4; k++) {
        is_quadratic = k >= 2;
        const double coarse = imbalance(laws[k % 2], 0.02), fine = imbalance(laws[k % 2], 0.01);
        CU_ASSERT(fine < 1e-3 && log2(coarse / fine) > 1.8);
    }
    is_quadratic = false;
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
#if EW_WITH_CHOLMOD
        {"waves_in_a_stretched_block", test_waves_in_a_stretched_block},
        {"column_buckles_where_it_stops_to_vibrate", test_column_buckles_where_it_stops_to_vibrate},
#endif
        {"energy_stays", test_energy_stays},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"rubber in motion", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
