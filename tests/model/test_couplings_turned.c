/* Couplings with large rotations: a set turns by any angle as a rigid body, without strain; the
 * moment that it takes is the slope of the energy. */
#include "couplings_fixture.h"

/* A body that its rigid end alone takes round by 90 degrees and along has no strain, however it is
 * led there; the reference is where it is to be. */
static void test_a_body_is_turned_without_strain(void)
{
    for (int k = 0; k < 4; k++) {
        const double value[6] = {0.3, -0.2, 0.1, 0.0, 0.0, acos(0.0)};
        ew_model *model = make_beam(k % 2, (int32_t[3]){4, 2, 2}, false);
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        ew_model_coupling_report at;
        ew_model_coupling list = coupling(k / 2, k / 2 ? TIP : TIP_FACES, 63);
        memcpy(list.value, value, sizeof value);
        def.n_step = 2;
        def.tolerance = 1e-10;
        def.solver.tolerance = 1e-12;
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_solve_nonlinear(model, &def, &info));
        CU_ASSERT(info->n_iteration <= 16);
        must(ew_model_recover(model, NULL, &sums));
        must(ew_model_view_coupling(model, 0, &at));
        CU_ASSERT(sums->strain_energy < 1e-16);
        const ew_mesh *mesh = ew_model_mesh(model);
        const double *u = ew_model_displacement(model);
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            const double *x = mesh->xyz + 3 * (size_t)v;
            const double is[3] = {reference[0] - (x[1] - reference[1]) + value[0],
                                  reference[1] + (x[0] - reference[0]) + value[1], x[2] + value[2]};
            for (int c = 0; c < 3; c++) {
                CU_ASSERT_DOUBLE_EQUAL(x[c] + u[3 * v + c], is[c], 1e-9);
            }
        }
        for (int m = 0; m < 6; m++) {
            CU_ASSERT_DOUBLE_EQUAL(at.motion[m], value[m], 1e-10);
        }
        ew_model_free(model);
    }
}

/* A beam that its rigid end bends by 60 degrees: the moment times the turn is what energy it takes,
 * and the set has moved as a rigid body. */
static void test_a_rigid_end_bends_a_beam(void)
{
    for (int k = 0; k < 2; k++) {
        const double turn = acos(0.5), step = 1e-3;
        double energy[3], moment = 0.0;
        ew_model *model = make_beam(k, (int32_t[3]){k ? 3 : 8, 2, 2}, true);
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_nonlinear_info *info;
        const ew_sums *sums;
        ew_model_coupling_report at;
        ew_model_coupling list = coupling(true, TIP, 56);
        def.n_step = 3;
        def.tolerance = 1e-9;
        def.solver.tolerance = 1e-12;
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        for (int i = 0; i < 3; i++) {
            list.value[5] = turn + (i == 1 ? step : i == 2 ? -step : 0.0);
            must(ew_model_set_couplings(model, 1, &list));
            must(ew_model_solve_nonlinear(model, &def, &info));
            CU_ASSERT(info->n_iteration <= 20);
            must(ew_model_recover(model, NULL, &sums));
            must(ew_model_view_coupling(model, 0, &at));
            energy[i] = sums->strain_energy;
            moment = i ? moment : at.reaction[5];
            for (int c = 0; c < 3 && i == 0; c++) { /* free to move, and so without a force */
                CU_ASSERT(fabs(at.reaction[c]) < 1e-7 * moment);
                CU_ASSERT(fabs(sums->reaction_force[c]) < 1e-6 * moment);
                CU_ASSERT_DOUBLE_EQUAL(at.motion[3 + c], list.value[3 + c], 1e-8);
            }
        }
        CU_ASSERT_DOUBLE_EQUAL((energy[1] - energy[2]) / (2.0 * step) / moment, 1.0, 1e-4);
        const ew_mesh *mesh = ew_model_mesh(model);
        const double *u = ew_model_displacement(model);
        ew_list rigid = {0};
        must(ew_model_list_vertices(model, TIP, &rigid));
        for (int32_t i = 1; i < rigid.n; i++) {
            const size_t a = 3 * (size_t)rigid.id[0], b = 3 * (size_t)rigid.id[i];
            double before = 0.0, after = 0.0;
            for (size_t c = 0; c < 3; c++) {
                const double from = mesh->xyz[b + c] - mesh->xyz[a + c];
                before += from * from;
                after += (from + u[b + c] - u[a + c]) * (from + u[b + c] - u[a + c]);
            }
            CU_ASSERT_DOUBLE_EQUAL(after / before, 1.0, 1e-12);
        }
        ew_list_free(&rigid);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"a_body_is_turned_without_strain",
                            test_a_body_is_turned_without_strain},
                           {"a_rigid_end_bends_a_beam", test_a_rigid_end_bends_a_beam},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"couplings_turned", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
