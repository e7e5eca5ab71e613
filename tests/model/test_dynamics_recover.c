/* What is recovered from a body in motion: reactions with inertia and damping, by the momentum
 * they change; stress under temperatures in time; a solve in between. */
#include "dynamics_fixture.h"

static const double gravity[3] = {0.3, -1.0, -9.0};

static ew_model *make_beam(const ew_material *material)
{
    ew_model *model = make_box((double[3]){2.0, 0.5, 0.5}, (int32_t[3]){4, 1, 1}, material, NULL);
    const ew_model_constraint fixed = {.set = add_plane(model, "wall", 0, 0.0), .fixed = 7};
    ew_model_load weight = {.kind = EW_LOAD_GRAVITY};
    memcpy(weight.vector, gravity, sizeof gravity);
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &weight));
    return model;
}

/* Sum of M a: rows of a consistent mass add up to the lumped one. */
static void inertia_of(ew_model *model, double sum[3])
{
    const ew_mesh *mesh = ew_model_mesh(model);
    memset(sum, 0, 3 * sizeof *sum);
    for (int32_t i = 0; i < 12 * mesh->n_tet; i++) {
        if (ew_mesh_tet_is_live(mesh, i / 12)) {
            sum[i % 3] += 0.25 * ew_mesh_tet_volume(mesh, i / 12) * rubber.density *
                          ew_model_acceleration(model)[3 * mesh->tet[i / 3] + i % 3];
        }
    }
}

/* Loads and reactions together are mass times acceleration, and what carries mass damping. */
static void test_reactions_change_the_momentum(void)
{
    for (int k = 0; k < 4; k++) {
        ew_model *model = make_beam(&rubber);
        ew_dynamics_def def = ew_default_dynamics_def();
        def.mass = k % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
        def.account = k / 2 == 1;
        def.damping_stiffness = 0.003;
        def.solver.tolerance = 1e-12;
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int i = 0; i < 12; i++) {
            const ew_sums *sums;
            double inertia[3], reaction[3];
            if (i == 6) {
                ew_model_begin(model);
                must(ew_edit_remove_tet(ew_model_edit(model), 10));
                must(ew_model_commit(model));
            }
            must(ew_model_recover(model, NULL, &sums));
            ew_energy_account now;
            must(ew_model_account(model, &now));
            inertia_of(model, inertia);
            for (int c = 0; c < 3; c++) {
                CU_ASSERT_DOUBLE_EQUAL(now.mass * gravity[c] + sums->reaction_force[c], inertia[c],
                                       1e-9);
            }
            CU_ASSERT(sums->equilibrium < 1e-9);
            if (def.account) {
                must(ew_model_reaction_of(model, 0, reaction));
                for (int c = 0; c < 3; c++) {
                    CU_ASSERT_DOUBLE_EQUAL(reaction[c], sums->reaction_force[c], 1e-9);
                }
            }
            must(ew_model_advance(model, 0.01, NULL));
        }
        ew_model_free(model);
    }
}

/* Of quadratic tets with large rotations that are small: on edges, too, what it is without them. */
static void test_reactions_on_edges_are_those_of_small_rotations(void)
{
    ew_model *model[2];
    const ew_fields *fields[2];
    const ew_dynamics_def def = ew_default_dynamics_def();
    for (int k = 0; k < 2; k++) {
        model[k] = make_beam(&rubber);
        const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -1e-4}};
        must(ew_model_set_loads(model[k], 1, &weight));
        must(ew_model_set_order(model[k], true));
        must(ew_model_set_kinematics(model[k], k ? EW_COROTATIONAL : EW_SMALL));
        must(ew_model_start_dynamics(model[k], &def, 0.0));
        must(ew_model_advance(model[k], 0.02, NULL));
        must(ew_model_advance(model[k], 0.02, NULL));
        must(ew_model_recover(model[k], &fields[k], NULL));
    }
    const ew_edge_rows *rows = ew_model_edge_rows(model[0]);
    double largest = 0.0, error = 0.0;
    for (int32_t i = 0; i < 3 * rows->pattern.n_row; i++) {
        const double linear = fields[0]->edge_reaction[i];
        largest = fmax(largest, fabs(linear));
        error = fmax(error, fabs(fields[1]->edge_reaction[i] - linear));
    }
    CU_ASSERT(largest > 0.0 && error < 1e-4 * largest);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

/* A body that can not move under a temperature that grows: its stress is that of the time. */
static void test_stress_under_a_temperature_in_time(void)
{
    const double time[2] = {0.0, 2.0}, value[2] = {0.0, 1.0};
    const ew_amplitude ramp = {.kind = EW_AMPLITUDE_TABLE, .n = 2, .time = time, .value = value};
    const ew_material warm = {.young = 1000.0, .poisson = 0.25, .density = 2.0, .expansion = 1e-3};
    ew_model *model = make_box((double[3]){1.0, 0.5, 0.5}, (int32_t[3]){1, 1, 1}, &warm, NULL);
    const int32_t left = add_plane(model, "left", 0, 0.0),
                  right = add_plane(model, "right", 0, 1.0);
    const ew_model_constraint fixed[2] = {{.set = left, .fixed = 7}, {.set = right, .fixed = 7}};
    const ew_model_load heat = {
        .kind = EW_LOAD_TEMPERATURE, .set = -1, .change = 40.0, .amplitude = 1};
    const ew_dynamics_def def = ew_default_dynamics_def();
    const ew_pcg_def solver = ew_default_pcg_def();
    const ew_fields *fields;
    must(ew_model_set_amplitudes(model, 1, &ramp));
    must(ew_model_set_constraints(model, 2, fixed));
    must(ew_model_set_loads(model, 1, &heat));
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int k = 0; k < 10; k++) {
        must(ew_model_advance(model, 0.1, NULL));
    }
    const double full = -1000.0 * 40.0 * 1e-3 / (1.0 - 2.0 * 0.25);
    must(ew_model_recover(model, &fields, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], 0.5 * full, 1e-9);
    /* a solve takes it in full, and what is recovered is of the solve */
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover(model, &fields, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], full, 1e-9);
    must(ew_model_advance(model, 0.1, NULL));
    must(ew_model_recover(model, &fields, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], 0.55 * full, 1e-9);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"reactions", test_reactions_change_the_momentum},
        {"reactions_on_edges", test_reactions_on_edges_are_those_of_small_rotations},
        {"temperature", test_stress_under_a_temperature_in_time},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"recover", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
