/* Couplings with a reference point: rigid sets stay rigid, reactions do the work of the strain
 * energy, a body that a coupling alone moves is as it was, bodies that share a rigid set are
 * joined; what contradicts or has no rotation is refused. */
#include "couplings_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest difference of the set's displacements from the motion of the reference, relative. */
static double misfit(ew_model *model, int32_t set, const double motion[6])
{
    const double *u = ew_model_displacement(model), *x = ew_model_mesh(model)->xyz;
    double worst = 0.0, largest = 0.0;
    ew_list list = {0};
    must(ew_model_list_vertices(model, set, &list));
    for (int32_t i = 0; i < list.n; i++) {
        const size_t at = 3 * (size_t)list.id[i];
        for (int c = 0; c < 3; c++) {
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            const double is = motion[c] + motion[3 + a] * (x[at + b] - reference[b]) -
                              motion[3 + b] * (x[at + a] - reference[a]);
            worst = fmax(worst, fabs(u[at + c] - is));
            largest = fmax(largest, fabs(is));
        }
    }
    ew_list_free(&list);
    return worst / largest;
}

static const int32_t few[3] = {8, 4, 3};

/* Loads at the reference; the same result by what it moves. */
static void test_rigid_set_stays_rigid(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_beam(k, few, true);
        ew_pcg_def def = ew_default_pcg_def();
        const ew_pcg_info *info;
        ew_model_coupling_report at, again;
        ew_model_coupling list = coupling(true, TIP, 0);
        const ew_model_load load =
            ew_load_remote_force(TIP_FACES, (const double[]){1, -2, 3}, reference);
        def.tolerance = 1e-11;
        def.preconditioner = EW_RIGID;
        must(ew_model_set_loads(model, 1, &load));
        must(ew_model_solve(model, &def, &info));
        const int32_t before = info->iterations;
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_solve(model, &def, &info));
        CU_ASSERT(2 * info->iterations <= 3 * before);
        must(ew_model_view_coupling(model, 0, &at));
        CU_ASSERT(misfit(model, TIP, at.motion) < 1e-12);
        /* that motion takes the force */
        list.prescribed = 63;
        memcpy(list.value, at.motion, sizeof list.value);
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_set_loads(model, 0, NULL));
        must(ew_model_solve(model, &def, &info));
        const ew_fields *fields;
        const ew_sums *sums;
        must(ew_model_recover(model, &fields, &sums));
        must(ew_model_view_coupling(model, 0, &again));
        for (int m = 0; m < 6; m++) {
            const double is[6] = {1, -2, 3, 0, 0, 0};
            CU_ASSERT_DOUBLE_EQUAL(again.reaction[m], is[m], 1e-8);
            CU_ASSERT_DOUBLE_EQUAL(again.motion[m], at.motion[m], 1e-12);
        }
        CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[1], 2.0, 1e-8);
        CU_ASSERT(sums->equilibrium < 1e-8);
        ew_model_free(model);
    }
}

/* The work of the reference is twice the strain energy; both kinds, all components. */
static void test_reactions_do_the_work(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_beam(k % 2, few, true);
        ew_pcg_def def = ew_default_pcg_def();
        ew_model_coupling_report at;
        ew_model_coupling list = coupling(k / 2, k / 2 ? TIP : TIP_FACES, 63);
        const double value[6] = {0.01, 0.02, -0.03, 0.02, -0.01, 0.03};
        const ew_fields *fields;
        const ew_sums *sums;
        double work = 0.0;
        memcpy(list.value, value, sizeof value);
        def.tolerance = 1e-11;
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, &fields, &sums));
        must(ew_model_view_coupling(model, 0, &at));
        for (int m = 0; m < 6; m++) {
            CU_ASSERT_DOUBLE_EQUAL(at.motion[m], value[m], 1e-12);
            work += at.reaction[m] * value[m];
        }
        CU_ASSERT_DOUBLE_EQUAL(work / sums->strain_energy, 2.0, 1e-8);
        CU_ASSERT(k < 2 || misfit(model, TIP, value) < 1e-12);
        for (int c = 0; c < 3; c++) { /* supports take what the reference gives */
            CU_ASSERT_DOUBLE_EQUAL(at.reaction[c] + sums->reaction_force[c], 0.0, 1e-8);
        }
        ew_model_free(model);
    }
}

static void test_a_coupling_alone_moves_a_body(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_beam(k % 2, few, false);
        const ew_pcg_def def = ew_default_pcg_def();
        ew_model_coupling list = coupling(k / 2, k / 2 ? TIP : TIP_FACES, 31);
        const double value[6] = {0.01, 0.02, -0.03, 0.02, -0.01, 0.03};
        const ew_fields *fields;
        const ew_sums *sums;
        memcpy(list.value, value, sizeof value);
        must(ew_model_set_couplings(model, 1, &list));
        CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNDER_CONSTRAINED);
        list.prescribed = 63;
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_solve(model, &def, NULL));
        must(ew_model_recover(model, &fields, &sums));
        CU_ASSERT(misfit(model, WALL, value) < 1e-5);
        CU_ASSERT(sums->strain_energy < 1e-9);
        must(ew_model_set_couplings(model, 0, NULL));
        CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNDER_CONSTRAINED);
        ew_model_free(model);
    }
}

/* A rigid end that is led is an end whose supports are led, in a body that yields, too. */
static void test_a_rigid_end_is_led_through_yielding(void)
{
    double energy[2];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_beam(false, few, true);
        ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        ew_nonlinear_def def = ew_default_nonlinear_def();
        const ew_sums *sums;
        ew_model_coupling_report at;
        ew_model_coupling list = coupling(true, TIP, 7 + 8 * 7);
        const ew_model_constraint support[2] = {
            {.set = WALL, .fixed = 7}, {.set = TIP, .fixed = 7, .value = {0.1, 0.02, 0.0}}};
        memcpy(list.value, support[1].value, sizeof support[1].value);
        def.n_step = 2;
        def.tolerance = 1e-8;
        ew_material_put_law(&material, &ew_law_plastic);
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 2.0;
        material.law_value[EW_PLASTIC_HARDENING] = 10.0;
        must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
        must(k ? ew_model_set_couplings(model, 1, &list)
               : ew_model_set_constraints(model, 2, support));
        must(ew_model_solve_nonlinear(model, &def, NULL));
        must(ew_model_recover(model, NULL, &sums));
        energy[k] = sums->strain_energy + sums->dissipated;
        if (k) {
            must(ew_model_view_coupling(model, 0, &at));
            for (int m = 0; m < 6; m++) {
                CU_ASSERT_DOUBLE_EQUAL(at.motion[m], list.value[m], 1e-10);
            }
            CU_ASSERT_DOUBLE_EQUAL(at.reaction[0] + sums->reaction_force[0], 0.0, 1e-6);
            CU_ASSERT(sums->dissipated > sums->strain_energy);
        }
        ew_model_free(model);
    }
    CU_ASSERT_DOUBLE_EQUAL(energy[1] / energy[0], 1.0, 1e-6);
}

/* A block that is a rigid set on a spring is the oscillator of its mass: sin(w t), as average
 * accelerations have it, w dt / 2 = tan(w' dt / 2). */
static void test_a_rigid_block_swings(void)
{
    ew_model *model = make_beam(false, (int32_t[3]){2, 1, 1}, false);
    const ew_mesh *mesh = ew_model_mesh(model);
    const double mass = 1.6, stiffness = 40.0, step = 0.05, w = sqrt(stiffness / mass);
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_list all = {0};
    int32_t set;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(ew_list_push(&all, v));
    }
    must(ew_model_add_set(model, &(ew_model_set_def){.kind = EW_SET_OF_VERTICES}, &all, &set));
    ew_list_free(&all);
    const ew_model_coupling list = coupling(true, set, 0);
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = set, .stiffness = {stiffness, stiffness, stiffness}};
    must(ew_model_set_couplings(model, 1, &list));
    must(ew_model_set_springs(model, 1, &spring));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        ew_model_velocity(model)[3 * v] = 0.01 * w;
    }
    def.solver.tolerance = 1e-12;
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 1; i <= 40; i++) {
        must(ew_model_advance(model, step, NULL));
        const double phase = 2.0 * atan(0.5 * w * step) * i;
        CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(model)[0], 0.01 * sin(phase), 1e-8);
    }
    ew_model_free(model);
}

/* A support on the set, along an axis and along a direction, keeps what it prescribes. */
static void test_supports_within_a_rigid_set(void)
{
    ew_model *model = make_beam(true, few, false);
    const ew_pcg_def def = ew_default_pcg_def();
    const ew_model_coupling list = coupling(true, TIP, 0);
    const ew_model_load load = ew_load_total_force(TIP, (const double[]){1, -2, 3});
    ew_model_constraint support[2] = {{.set = WALL, .fixed = 7}, {.set = TIP, .fixed = 2}};
    ew_model_coupling_report at;
    must(ew_model_set_couplings(model, 1, &list));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_set_constraints(model, 2, support));
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_view_coupling(model, 0, &at));
    CU_ASSERT(misfit(model, TIP, at.motion) < 1e-10);
    CU_ASSERT_DOUBLE_EQUAL(at.motion[1], 0.5 * at.motion[5], 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(at.motion[3], 0.0, 1e-12);
    CU_ASSERT(fabs(at.motion[4]) > 1e-4);
    const ew_fields *fields;
    const ew_sums *sums;
    must(ew_model_recover(model, &fields, &sums));
    for (int c = 0; c < 3; c++) {
        const double is[3] = {-1, 2, -3};
        CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[c], is[c], 1e-4);
    }
    ew_model_free(model);
}

/* Two boxes with a gap between them that a rigid set spans: the second is supported by it alone. */
static void test_a_rigid_set_joins_bodies(void)
{
    for (int k = 0; k < 2; k++) {
        const ew_material material = {.young = 200.0, .poisson = 0.3, .density = 1.0};
        const ew_model_def def = ew_default_model_def();
        const ew_pcg_def solver = ew_default_pcg_def();
        const int32_t cells[3] = {4, 2, 2};
        ew_model *model = NULL;
        ew_mesh mesh, both;
        must(ew_shape_box(&mesh, (const double[]){2.0, 1.0, 0.8}, cells));
        const int32_t n = mesh.n_vertex, n_tet = mesh.n_tet;
        double *xyz = malloc(6 * (size_t)n * sizeof *xyz);
        int32_t *tet = malloc(8 * (size_t)n_tet * sizeof *tet);
        for (int32_t i = 0; i < 6 * n; i++) {
            xyz[i] = mesh.xyz[i % (3 * n)] + (i >= 3 * n && i % 3 == 0 ? 2.5 : 0.0);
        }
        for (int32_t i = 0; i < 8 * n_tet; i++) {
            tet[i] = mesh.tet[i % (4 * n_tet)] + (i >= 4 * n_tet ? n : 0);
        }
        const ew_mesh_def made = {.n_vertex = 2 * n, .xyz = xyz, .n_tet = 2 * n_tet, .tet = tet};
        must(ew_mesh_init(&both, &made, NULL));
        must(ew_model_create(&model, &both, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
        must(ew_model_set_order(model, k));
        ew_list joint = {0};
        int32_t set;
        for (int32_t v = 0; v < 2 * n; v++) {
            if (fabs(xyz[3 * v] - 2.0) < 1e-9 || fabs(xyz[3 * v] - 2.5) < 1e-9) {
                must(ew_list_push(&joint, v));
            }
        }
        must(
            ew_model_add_set(model, &(ew_model_set_def){.kind = EW_SET_OF_VERTICES}, &joint, &set));
        add_plane_set(model, 0.0, EW_SET_OF_VERTICES);
        add_plane_set(model, 4.5, EW_SET_OF_VERTICES);
        const ew_model_coupling list = coupling(true, set, 0);
        const ew_model_load load = ew_load_total_force(set + 2, (const double[]){1, -2, 3});
        const ew_fields *fields;
        const ew_sums *sums;
        ew_model_coupling_report at;
        must(
            ew_model_set_constraints(model, 1, &(ew_model_constraint){.set = set + 1, .fixed = 7}));
        must(ew_model_set_loads(model, 1, &load));
        CU_ASSERT_EQUAL(ew_model_solve(model, &solver, NULL), EW_UNDER_CONSTRAINED);
        must(ew_model_set_couplings(model, 1, &list));
        must(ew_model_solve(model, &solver, NULL));
        must(ew_model_recover(model, &fields, &sums));
        must(ew_model_view_coupling(model, 0, &at));
        CU_ASSERT(misfit(model, set, at.motion) < 1e-12);
        for (int c = 0; c < 3; c++) {
            const double is[3] = {-1, 2, -3};
            CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[c], is[c], 1e-4);
        }
        must(ew_model_set_constraints(model, 0, NULL));
        CU_ASSERT_EQUAL(ew_model_solve(model, &solver, NULL), EW_UNDER_CONSTRAINED);
        ew_list_free(&joint);
        ew_mesh_free(&mesh);
        ew_model_free(model);
        free(xyz);
        free(tet);
    }
}

static void test_bad_couplings_are_refused(void)
{
    ew_model *model = make_beam(false, few, true);
    const ew_pcg_def def = ew_default_pcg_def();
    ew_model_coupling list[2] = {coupling(true, TIP, 0), coupling(true, TIP, 0)};
    must(ew_model_set_couplings(model, 2, list));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "another rigid coupling") != NULL);
    list[0] = coupling(true, WALL, 1);
    list[0].value[0] = 0.1;
    must(ew_model_set_couplings(model, 1, list));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "coupling 1 contradicts") != NULL);
    ew_list two = {0}, all = {0};
    int32_t set;
    must(ew_model_list_vertices(model, TIP, &all));
    must(ew_list_push(&two, all.id[0]));
    must(ew_list_push(&two, all.id[1]));
    must(ew_model_add_set(model, &(ew_model_set_def){.kind = EW_SET_OF_VERTICES}, &two, &set));
    list[0] = coupling(false, set, 1);
    must(ew_model_set_couplings(model, 1, list));
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "lie on a line") != NULL);
    list[0].set = 99;
    CU_ASSERT_EQUAL(ew_model_set_couplings(model, 1, list), EW_BAD_ARGUMENT);
    list[0] = coupling(true, TIP_FACES, 1);
    CU_ASSERT_EQUAL(ew_model_set_couplings(model, 1, list), EW_BAD_ARGUMENT);
    ew_list_free(&two);
    ew_list_free(&all);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"rigid_set_stays_rigid", test_rigid_set_stays_rigid},
                           {"reactions_do_the_work", test_reactions_do_the_work},
                           {"a_coupling_alone_moves_a_body", test_a_coupling_alone_moves_a_body},
                           {"a_rigid_end_is_led_through_yielding",
                            test_a_rigid_end_is_led_through_yielding},
                           {"a_rigid_block_swings", test_a_rigid_block_swings},
                           {"supports_within_a_rigid_set", test_supports_within_a_rigid_set},
                           {"a_rigid_set_joins_bodies", test_a_rigid_set_joins_bodies},
                           {"bad_couplings_are_refused", test_bad_couplings_are_refused},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"couplings", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
