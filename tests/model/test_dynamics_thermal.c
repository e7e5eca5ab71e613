/* Temperatures of nonlinear bodies in motion, by amplitudes: the linear theory where nothing yields
 * or turns, bodies that grow in flight, yielding by heat, the account of energy, restored states,
 * edits, devices. */
#include "one_device.h"
#include "warm_bar.h"

static const double size[3] = {4, 1, 1};
static const int32_t cells[3] = {4, 2, 2};
/* Some twenty periods of the bar. */
static const double rise = 2e-5;

/* Amplitude 1: from 0 to 1 within `rise`, constant then, and back from 2 to 3 of them. */
static void set_ramp(ew_model *model)
{
    static const double time[4] = {0.0, 2e-5, 4e-5, 6e-5}, value[4] = {0.0, 1.0, 1.0, 0.0};
    const ew_amplitude ramp = {.kind = EW_AMPLITUDE_TABLE, .n = 4, .time = time, .value = value};
    must(ew_model_set_amplitudes(model, 1, &ramp));
}

static ew_dynamics_def settings(ew_scheme_kind scheme)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_scheme_rule rule;
    def.scheme = scheme;
    def.account = true;
    ew_scheme_rule_of(scheme, &def.parameters, &rule);
    def.newton_tolerance = rule.u[1] != 0.0 ? 1e-8 : 0.0;
    def.solver.tolerance = 1e-11;
    return def;
}

static void advance(ew_model *model, double dt, int n)
{
    for (int i = 0; i < n; i++) {
        must(ew_model_advance(model, dt, NULL));
    }
}

/* A law below yielding moves as the linear theory does, by every scheme. */
static void test_elastic_motion_is_the_linear_one(void)
{
    static const ew_scheme_kind scheme[] = {EW_NEWMARK, EW_HHT, EW_GENERALIZED_ALPHA,
                                            EW_IMPLICIT_EULER, EW_CENTRAL_DIFFERENCE};
    for (size_t s = 0; s < sizeof scheme / sizeof *scheme; s++) {
        const bool is_explicit = scheme[s] == EW_CENTRAL_DIFFERENCE;
        const int n = is_explicit ? 1500 : 50;
        const ew_dynamics_def def = settings(scheme[s]);
        double *u[2] = {NULL, NULL}, error = 0.0, most = 0.0, strain[2];
        size_t n_number = 0;
        for (int k = 0; k < 2; k++) {
            const ew_material material = steel(k ? &ew_law_plastic : NULL);
            const bar b = make_bar(NULL, size, cells, EW_SMALL, &material);
            const ew_fields *fields;
            ew_energy_account account;
            n_number = 3 * (size_t)ew_model_mesh(b.model)->n_vertex;
            set_ramp(b.model);
            support(&b, true);
            heat_in_time(&b, 40.0, 30.0, 1);
            must(ew_model_start_dynamics(b.model, &def, 0.0));
            advance(b.model, (is_explicit ? 0.25 : 0.75) * rise / n, n);
            must(ew_new(&u[k], n_number, sizeof *u[k]));
            memcpy(u[k], ew_model_displacement(b.model), n_number * sizeof *u[k]);
            must(ew_model_recover(b.model, &fields, NULL));
            strain[k] = fields->thermal_strain[7];
            must(ew_model_account(b.model, &account));
            if (scheme[s] == EW_NEWMARK) {
                CU_ASSERT(account.strain > 0.0);
                CU_ASSERT(fabs(account.balance) < 1e-6 * account.strain);
            }
            ew_model_free(b.model);
        }
        for (size_t i = 0; i < n_number; i++) {
            error = fmax(error, fabs(u[0][i] - u[1][i]));
            most = fmax(most, fabs(u[0][i]));
        }
        CU_ASSERT(most > 1e-5);
        CU_ASSERT(error < 1e-6 * most);
        CU_ASSERT(strain[0] > 0.0);
        CU_ASSERT_DOUBLE_EQUAL(strain[0], strain[1], 1e-12);
        ew_release(u[0]);
        ew_release(u[1]);
    }
}

static void spin(ew_model *model, double rate)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *v = ew_model_velocity(model);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        const double *x = mesh->xyz + 3 * (size_t)i;
        v[3 * i] = -rate * (x[1] - 0.5);
        v[3 * i + 1] = rate * (x[0] - 2.0);
    }
}

/* Heated in flight a bar that turns grows without stress to speak of; the moment of its momentum
 * stays, so that it turns more slowly, and heat does the work that this takes. */
static void test_turning_bar_grows(void)
{
    const double change = 2000.0, grown = 1.0 + expansion * change, pi = 3.14159265358979;
    for (int k = 0; k < 2; k++) {
        const ew_material material = steel(k ? &ew_law_plastic : NULL);
        const bar b = make_bar(NULL, size, cells, EW_COROTATIONAL, &material);
        const ew_dynamics_def def = settings(EW_NEWMARK);
        ew_energy_account first, now;
        set_ramp(b.model);
        heat_in_time(&b, change, 0.0, 1);
        spin(b.model, 2.0 * pi / 3.0 / rise);
        must(ew_model_start_dynamics(b.model, &def, 0.0));
        must(ew_model_account(b.model, &first));
        advance(b.model, rise / 100, 200);
        must(ew_model_account(b.model, &now));
        CU_ASSERT_DOUBLE_EQUAL(now.angular_momentum[2], first.angular_momentum[2],
                               1e-3 * first.angular_momentum[2]);
        CU_ASSERT_DOUBLE_EQUAL(now.kinetic, first.kinetic / (grown * grown), 2e-3 * first.kinetic);
        CU_ASSERT(fabs(now.balance) < 1e-3 * first.kinetic);
        CU_ASSERT(now.external_work < -0.5 * (1.0 - 1.0 / (grown * grown)) * first.kinetic);
        ew_model_free(b.model);
    }
}

/* Between two planes it yields when it gets hot and is pulled when it is cold again; what it
 * dissipated is among the energies, and nothing is missing. */
static void test_heat_yields_in_motion(void)
{
    const ew_material material = steel(&ew_law_plastic);
    for (int k = 0; k < 2; k++) {
        const bar b = make_bar(NULL, size, cells, k ? EW_COROTATIONAL : EW_SMALL, &material);
        ew_dynamics_def def = settings(EW_NEWMARK);
        const ew_fields *fields;
        ew_energy_account account;
        const double elastic = young * expansion * 150.0; /* 360 */
        def.damping_mass = 2e6;
        set_ramp(b.model);
        support(&b, true);
        heat_in_time(&b, 150.0, 0.0, 1);
        must(ew_model_start_dynamics(b.model, &def, 0.0));
        advance(b.model, rise / 100, 200);
        must(ew_model_recover(b.model, &fields, NULL));
        /* Sides grew by heat, Poisson's ratio and the flow: Cauchy's stress is on 0.5 % more area.
         */
        const double side = expansion * 150.0 + 0.3 * 240.0 / young +
                            0.5 * (expansion * 150.0 - 240.0 / young),
                     area = k ? (1.0 + side) * (1.0 + side) : 1.0;
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], -240.0 / area, 1.0);
        advance(b.model, rise / 100, 200);
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fields->stress[0], elastic - 240.0, 2.0);
        must(ew_model_account(b.model, &account));
        CU_ASSERT(account.dissipated > 0.0);
        CU_ASSERT(fabs(account.balance) < (k ? 1e-3 : 1e-5) * account.dissipated);
        ew_model_free(b.model);
    }
}

/* Half-way up a ramp: a state put into another model goes on with the same bits, and a step that
 * failed leaves the temperatures of the state. */
static void test_states_between_temperatures(void)
{
    const ew_material material = steel(&ew_law_plastic);
    ew_dynamics_def def = settings(EW_HHT);
    def.parameters.alpha = -0.1;
    bar b[2];
    ew_dynamics_state state;
    const ew_fields *fields;
    for (int k = 0; k < 2; k++) {
        b[k] = make_bar(NULL, size, cells, EW_COROTATIONAL, &material);
        set_ramp(b[k].model);
        support(&b[k], true);
        heat_in_time(&b[k], 150.0, 20.0, 1);
    }
    must(ew_model_start_dynamics(b[0].model, &def, 0.0));
    advance(b[0].model, rise / 20, 15);
    must(ew_model_dynamics_state(b[0].model, &state));
    const size_t bytes = 24 * (size_t)ew_model_mesh(b[0].model)->n_vertex;
    int32_t n_state;
    const double *law = ew_model_law_state(b[0].model, &n_state);
    must(ew_model_put_law_state(b[1].model, n_state * ew_model_mesh(b[0].model)->n_tet, law));
    memcpy(ew_model_field(b[1].model, 0), ew_model_displacement(b[0].model), bytes);
    memcpy(ew_model_velocity(b[1].model), ew_model_velocity(b[0].model), bytes);
    memcpy(ew_model_acceleration(b[1].model), ew_model_acceleration(b[0].model), bytes);
    for (int k = 0; k < 2; k++) {
        must(ew_model_restore_dynamics(b[k].model, &def, &state));
        advance(b[k].model, rise / 20, 10);
    }
    CU_ASSERT(!memcmp(ew_model_displacement(b[0].model), ew_model_displacement(b[1].model), bytes));
    def.newton_iterations = 1;
    def.newton_tolerance = 1e-13;
    def.newton_halvings = 0;
    must(ew_model_dynamics_state(b[0].model, &state));
    state.time = 0.5 * rise;
    must(ew_model_restore_dynamics(b[0].model, &def, &state));
    must(ew_model_recover(b[0].model, &fields, NULL));
    const double before = fields->thermal_strain[0];
    CU_ASSERT(before > 0.0);
    CU_ASSERT_EQUAL(ew_model_advance(b[0].model, 0.2 * rise, NULL), EW_NOT_CONVERGED);
    must(ew_model_recover(b[0].model, &fields, NULL));
    CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[0], before, 1e-15);
    ew_model_free(b[0].model);
    ew_model_free(b[1].model);
}

/* Edits while the temperature rises: blocks are those of a rebuild, on the host and on a device,
 * which come to the same; a solve between, hot in full, and motion again. */
static void test_edits_follow_temperatures(void)
{
    const ew_material material = steel(&ew_law_plastic);
    const ew_nonlinear_def statics = ew_default_nonlinear_def();
    double far[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        if (k && !(device && ew_device_about(device)->has_double)) {
            continue;
        }
        const bar b = make_bar(k ? device : NULL, size, cells, EW_COROTATIONAL, &material);
        const ew_dynamics_def def = settings(EW_HHT);
        ew_model_verification result;
        const ew_fields *fields;
        set_ramp(b.model);
        support(&b, true);
        heat_in_time(&b, 100.0, 20.0, 1);
        must(ew_model_start_dynamics(b.model, &def, 0.0));
        for (int i = 0; i < 4; i++) {
            advance(b.model, rise / 20, 3);
            ew_model_begin(b.model);
            must(ew_edit_remove_tet(ew_model_edit(b.model), 30 + i));
            must(ew_model_commit(b.model));
            must(ew_model_verify(b.model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        for (int32_t i = 0; i < 3 * ew_model_mesh(b.model)->n_vertex; i++) {
            far[k] += fabs(ew_model_displacement(b.model)[i]);
        }
        must(ew_model_solve_nonlinear(b.model, &statics, NULL));
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT(fields->thermal_strain[0] > expansion * 90.0); /* in full */
        must(ew_model_verify(b.model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
        advance(b.model, rise / 20, 1);
        must(ew_model_recover(b.model, &fields, NULL));
        CU_ASSERT_DOUBLE_EQUAL(fields->thermal_strain[0], expansion * 65.0, expansion * 13.0);
        ew_model_free(b.model);
    }
    CU_ASSERT(far[1] == 0.0 || fabs(far[0] - far[1]) < 1e-6 * far[0]);
}

static CU_TestInfo tests[] = {
    {"elastic_motion_is_the_linear_one", test_elastic_motion_is_the_linear_one},
    {"turning_bar_grows", test_turning_bar_grows},
    {"heat_yields_in_motion", test_heat_yields_in_motion},
    {"states_between_temperatures", test_states_between_temperatures},
    {"edits_follow_temperatures", test_edits_follow_temperatures},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {
        {"dynamics_thermal", open_device, close_device, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
