/* Whole analyses under loads of every kind, through a model, against closed forms: torsion, a
 * remote force, a turning bar, expansion that is free and that is not. */
#include "load_answers.h"

/* ---- moments ---------------------------------------------------------------- */

/* Twist of a square bar between two sections away from its ends, over that of Saint-Venant:
 * T / (G 0.140577 a^4) per length (Timoshenko & Goodier 1970, section 109). */
static double twist_ratio(int32_t cells)
{
    answer a = make_bar((int32_t[3]){4 * cells, cells, cells}, 0.3);
    const double torque = 0.7, shear = YOUNG / 2.6;
    fix(&a, a.wall, 7);
    solve(&a, (ew_model_load){.kind = EW_LOAD_MOMENT, .set = a.end, .vector = {torque, 0, 0}});
    const double twist = section_twist(&a, 3.0) - section_twist(&a, 1.0);
    CU_ASSERT_DOUBLE_EQUAL(a.sums->reaction_moment[0], -torque, 1e-8);
    CU_ASSERT_DOUBLE_EQUAL(a.sums->applied_moment[0], torque, 1e-12);
    expect_balance(&a);
    ew_model_free(a.model);
    return twist / (torque * 2.0 / (shear * 0.140577));
}

static void test_torsion(void)
{
    const double coarse = twist_ratio(4), fine = twist_ratio(8);
    printf("%.4f %.4f ", coarse, fine);
    CU_ASSERT(fine < 1.0 && fine > 0.9);
    CU_ASSERT((1.0 - coarse) / (1.0 - fine) > 3.0); /* second order */
}

/* What the wall feels is the force at its place, and no end of the bar is stiffened: a pure moment
 * bends it as a traction linear over its end does. */
static void test_remote_force(void)
{
    answer a = make_bar((int32_t[3]){8, 2, 2}, 0.3);
    fix(&a, a.wall, 7);
    solve(&a, (ew_model_load){.kind = EW_LOAD_REMOTE_FORCE,
                              .set = a.end,
                              .vector = {0.0, -0.2, 0.1},
                              .point = {9.0, 3.0, 0.5}});
    const double moment[3] = {-(3.0 * 0.1 + 0.5 * 0.2), 9.0 * 0.1, 9.0 * 0.2};
    const double force[3] = {0.0, 0.2, -0.1};
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(a.sums->reaction_force[c], force[c], 1e-8);
        CU_ASSERT_DOUBLE_EQUAL(a.sums->reaction_moment[c], moment[c], 1e-8);
    }
    expect_balance(&a);
    ew_model_free(a.model);
}

/* ---- turning ------------------------------------------------------------------- */

/* A bar that turns about one end: u = rho w^2 L^3 / 3 E, stress rho w^2 L^2 / 2 at the axis. */
static void test_turning_bar(void)
{
    answer a = make_bar((int32_t[3]){32, 2, 2}, 0.0);
    const double w = 0.9, expected = DENSITY * w * w * 64.0 / 3.0 / YOUNG;
    fix(&a, a.wall, 1);
    fix(&a, a.middle, 2);
    fix(&a, a.floor, 4);
    solve(&a, (ew_model_load){
                  .kind = EW_LOAD_CENTRIFUGAL, .vector = {0.0, 0.0, w}, .point = {0.0, 0.5, 3.0}});
    const double end = mean_displacement(&a, 4.0, 0), root = max_stress(&a, 0);
    printf("%.4f %.4f ", end / expected, root / (DENSITY * w * w * 8.0));
    CU_ASSERT(fabs(end / expected - 1.0) < 5e-3);
    CU_ASSERT(fabs(root / (DENSITY * w * w * 8.0) - 1.0) < 0.02);
    CU_ASSERT_DOUBLE_EQUAL(a.sums->applied_force[0], DENSITY * 4.0 * w * w * 2.0, 1e-12);
    expect_balance(&a);
    ew_model_free(a.model);
}

/* ---- temperature ------------------------------------------------------------------ */

static void test_free_expansion(void)
{
    answer a = make_bar((int32_t[3]){6, 3, 2}, 0.3);
    fix_at_three_points(&a);
    solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 50.0});
    const ew_mesh *mesh = ew_model_mesh(a.model);
    const double *u = ew_model_displacement(a.model), strain = EXPANSION * 50.0;
    for (int32_t i = 0; i < 3 * mesh->n_vertex; i++) {
        CU_ASSERT_DOUBLE_EQUAL(u[i], strain * mesh->xyz[i], 1e-9 * strain);
    }
    for (int32_t i = 0; i < 6 * mesh->n_tet; i++) {
        CU_ASSERT(fabs(a.fields->stress[i]) < 1e-8 * YOUNG * strain);
        CU_ASSERT_DOUBLE_EQUAL(a.fields->strain[i], i % 6 < 3 ? strain : 0.0, 1e-8 * strain);
    }
    for (int32_t i = 0; i < 3 * mesh->n_vertex; i++) {
        CU_ASSERT(fabs(a.fields->reaction[i]) < 1e-8 * YOUNG * strain);
    }
    CU_ASSERT(a.sums->strain_energy < 1e-12 * YOUNG * strain * strain);
    CU_ASSERT(a.sums->equilibrium < 1e-9);
    ew_model_free(a.model);
}

/* Between two walls: stress -E alpha dT along the bar, none across it; no work from outside. */
static void test_bar_between_walls(void)
{
    answer a = make_bar((int32_t[3]){6, 3, 2}, 0.3);
    const double strain = EXPANSION * 50.0, stress = -YOUNG * strain;
    fix(&a, a.wall, 1);
    fix(&a, a.end, 1);
    fix(&a, a.floor, 4);
    fix(&a, a.side, 2);
    solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 50.0});
    for (int32_t i = 0; i < 6 * ew_model_mesh(a.model)->n_tet; i++) {
        CU_ASSERT_DOUBLE_EQUAL(a.fields->stress[i], i % 6 ? 0.0 : stress, 1e-8 * -stress);
    }
    const double energy = 0.5 * YOUNG * strain * strain * 4.0;
    CU_ASSERT_DOUBLE_EQUAL(a.sums->strain_energy, energy, 1e-9 * energy);
    CU_ASSERT_DOUBLE_EQUAL(a.sums->thermal_work, -2.0 * energy, 1e-8 * energy);
    CU_ASSERT_DOUBLE_EQUAL(a.sums->external_work, 0.0, 1e-8 * energy);
    double pushed = 0.0;
    for (int32_t v = 0; v < ew_model_mesh(a.model)->n_vertex; v++) {
        pushed += fabs(a.fields->reaction[3 * v]);
    }
    CU_ASSERT_DOUBLE_EQUAL(pushed, -2.0 * stress, 1e-7);
    expect_balance(&a);
    ew_model_free(a.model);
}

/* Warmer above than below: the bar bends, u_z = -alpha g x^2 / 2 below its middle, and nothing
 * keeps it from that; what stress there is comes of the mesh. */
static void test_bar_that_bends_by_itself(void)
{
    double error[2];
    for (int32_t fine = 0; fine < 2; fine++) {
        const int32_t n = fine ? 8 : 4;
        answer a = make_bar((int32_t[3]){4 * n, n, n}, 0.3);
        fix_at_three_points(&a);
        solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE,
                                  .set = -1,
                                  .gradient = {0.0, 0.0, 10.0},
                                  .point = {0.0, 0.0, 0.5}});
        const double curvature = EXPANSION * 10.0;
        /* turned about y by the points that carry it: compare the sag of the middle */
        const double sag = mean_displacement(&a, 2.0, 2) -
                           0.5 * (mean_displacement(&a, 0.0, 2) + mean_displacement(&a, 4.0, 2));
        error[fine] = fabs(sag / (curvature * 2.0) - 1.0);
        printf("%.4f ", sag / (curvature * 2.0));
        expect_balance(&a);
        ew_model_free(a.model);
    }
    CU_ASSERT(error[1] < 0.04 && error[0] / error[1] > 3.0); /* second order */
}

/* A field, tets of a set, vertices of a set: where they are the whole body, all are one. */
static void test_ways_to_give_a_temperature(void)
{
    double u[4] = {0};
    for (int way = 0; way < 4; way++) {
        answer a = make_bar((int32_t[3]){4, 2, 2}, 0.3);
        int32_t field = 0;
        fix_at_three_points(&a);
        const ew_field_def def = {.name = "warmth", .width = 1, .rule = EW_FIELD_COPY};
        must(ew_model_add_field(a.model, &def, &field));
        for (int32_t v = 0; v < ew_model_mesh(a.model)->n_vertex; v++) {
            ew_model_field(a.model, field)[v] = 16.0;
        }
        solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE,
                                  .set = way == 1   ? a.all
                                         : way == 2 ? a.tets
                                                    : -1,
                                  .change = way == 3 ? 0.5 : 8.0,
                                  .field = way == 3 ? field : 0});
        u[way] = mean_displacement(&a, 4.0, 0);
        ew_model_free(a.model);
    }
    CU_ASSERT_DOUBLE_EQUAL(u[0], EXPANSION * 8.0 * 4.0, 1e-10);
    for (int way = 1; way < 4; way++) {
        CU_ASSERT_DOUBLE_EQUAL(u[way], u[0], 1e-10);
    }
}

/* Heated tets alone expand: half of a bar by its length; a vertex warms the tets around it. */
static void test_part_of_the_body(void)
{
    answer a = make_bar((int32_t[3]){8, 1, 1}, 0.0);
    const int32_t end = add_slab(&a, 0, 4.0);
    fix(&a, a.wall, 1);
    fix(&a, a.floor, 4);
    fix(&a, a.side, 2);
    solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE, .set = a.half_tets, .change = 8.0});
    CU_ASSERT(fabs(mean_displacement(&a, 4.0, 0) / (EXPANSION * 8.0 * 2.0) - 1.0) < 0.01);
    solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE, .set = end, .change = 8.0});
    CU_ASSERT(fabs(mean_displacement(&a, 4.0, 0) / (EXPANSION * 8.0 * 0.25) - 1.0) < 0.15);
    ew_model_free(a.model);
}

/* Other constants than the elastic ones leave the blocks as they are. */
static void test_expansion_leaves_the_blocks(void)
{
    answer a = make_bar((int32_t[3]){4, 2, 2}, 0.3);
    fix_at_three_points(&a);
    solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 8.0});
    ew_model_clear_report(a.model);
    must(ew_model_set_material(
        a.model, EW_ALL_REGIONS,
        &(ew_material){
            .young = YOUNG, .poisson = 0.3, .density = DENSITY, .expansion = 2.0 * EXPANSION}));
    solve(&a, (ew_model_load){.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 8.0});
    CU_ASSERT_EQUAL(ew_model_view_report(a.model)->built_blocks, 0);
    CU_ASSERT_DOUBLE_EQUAL(mean_displacement(&a, 4.0, 0), 2.0 * EXPANSION * 8.0 * 4.0, 1e-9);
    ew_model_free(a.model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"torsion", test_torsion},
        {"remote_force", test_remote_force},
        {"turning_bar", test_turning_bar},
        {"free_expansion", test_free_expansion},
        {"bar_between_walls", test_bar_between_walls},
        {"bar_that_bends_by_itself", test_bar_that_bends_by_itself},
        {"ways_to_give_a_temperature", test_ways_to_give_a_temperature},
        {"part_of_the_body", test_part_of_the_body},
        {"expansion_leaves_the_blocks", test_expansion_leaves_the_blocks},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"answers to loads", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
