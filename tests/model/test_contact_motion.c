/* Contact of bodies that move: bars that collide exchange their velocities in the time that a wave
 * takes there and back, a block bounces without energy of its own making, one at rest stays. */
#include "contact_model_fixture.h"

/* Bars of length 1 along x, their ends `gap` apart: E = 1, no Poisson's ratio, wave speed 1. */
static ew_model *make_bars(int32_t n, double gap)
{
    ew_mesh_def parts = {0};
    ew_mesh mesh, part;
    for (int k = 0; k < 2; k++) {
        must(ew_shape_box(&part, (double[3]){1.0, 0.1, 0.1}, (int32_t[3]){n, 1, 1}));
        append_part(&parts, &part, (double[3]){k * (1.0 + gap), 0, 0}, k ? UPPER : LOWER);
        ew_mesh_free(&part);
    }
    finish_parts(&mesh, &parts);
    const ew_material material = {.young = 1.0, .density = 1.0};
    ew_model *model = make_model(&mesh, 1.0, false);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_contacts(model, 1, &(ew_model_contact){.slave = -1, .master = -1}));
    return model;
}

/* Mean velocity along x of a bar by its cells. */
static double mean_velocity(ew_model *model, bool second)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *v = ew_model_velocity(model);
    const int32_t half = mesh->n_vertex / 2;
    double sum = 0.0, all = 0.0;
    for (int32_t i = second * half; i < half + second * half; i++) {
        const double x = mesh->xyz[3 * i] - mesh->xyz[3 * second * half];
        const double mass = x < 1e-9 || x > 1.0 - 1e-9 ? 0.5 : 1.0;
        sum += mass * v[3 * i];
        all += mass;
    }
    return sum / all;
}

static void start(ew_model *model, ew_scheme_kind scheme, double hht)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = scheme;
    def.parameters.alpha = hht;
    def.solver.tolerance = 1e-10;
    def.account = true;
    def.newton_tolerance = 1e-8;
    must(ew_model_start_dynamics(model, &def, 0.0));
}

static ew_model_contact_report view(ew_model *model)
{
    ew_model_contact_report report;
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_view_contact(model, 0, &report));
    return report;
}

/* The first bar flies, the second one waits: contact lasts 2 L / c. What is left of the velocity of
 * the first is what the vertices that hit lose. Explicit steps have an energy that waves along the
 * mesh move by a few percent, with contact or without. */
static void test_bars_exchange_velocities(void)
{
    const struct {
        ew_scheme_kind scheme;
        double alpha, step, energy;
        bool is_large;
    } by[] = {{EW_NEWMARK, 0.0, 0.06, 1e-9, false},
              {EW_HHT, -0.1, 0.06, 1e-9, false},
              {EW_CENTRAL_DIFFERENCE, 0.0, 0.03, 0.06, false},
              {EW_NEWMARK, 0.0, 0.06, 1e-3, true}};
    for (int k = 0; k < 4; k++) {
        const double speed = 0.01, gap = 0.001;
        ew_model *model = make_bars(10, gap);
        double *v = ew_model_velocity(model), last = 0.0, first = 0.0;
        ew_energy_account account;
        must(ew_model_set_kinematics(model, by[k].is_large ? EW_COROTATIONAL : EW_SMALL));
        for (int32_t i = 0; i < ew_model_mesh(model)->n_vertex / 2; i++) {
            v[3 * i] = speed;
        }
        start(model, by[k].scheme, by[k].alpha);
        must(ew_model_account(model, &account));
        const double energy = account.kinetic, momentum = account.linear_momentum[0];
        while (ew_model_time(model) < 2.4) {
            must(ew_model_advance(model, by[k].step, NULL));
            must(ew_model_account(model, &account));
            CU_ASSERT(account.balance <= by[k].energy * energy);
            CU_ASSERT_DOUBLE_EQUAL(account.linear_momentum[0] / momentum, 1.0, 1e-7);
            const ew_model_contact_report report = view(model);
            if (report.normal_force > 0.0) {
                last = ew_model_time(model);
                first = first > 0.0 ? first : last;
            }
            CU_ASSERT(report.min_gap > -1e-9);
        }
        CU_ASSERT_DOUBLE_EQUAL(first, gap / speed, 2.0 * by[k].step);
        CU_ASSERT_DOUBLE_EQUAL(last - first, 2.0, 0.1);
        CU_ASSERT_DOUBLE_EQUAL(mean_velocity(model, false) / speed, 0.0, 0.06);
        CU_ASSERT_DOUBLE_EQUAL(mean_velocity(model, true) / speed, 1.0, 0.06);
        CU_ASSERT(account.balance <= 0.0 && account.balance > -0.05 * energy);
        ew_model_free(model);
    }
}

/* A block falls by h under gravity g, touches at the root of 2 h / g, and comes back to less. */
static void test_a_block_bounces(void)
{
    static const ew_scheme_kind scheme[] = {EW_NEWMARK, EW_CENTRAL_DIFFERENCE};
    for (int k = 0; k < 2; k++) {
        const double height = 0.05, step = 0.008;
        ew_model *model = make_pressed_stack(true, false, height);
        const ew_model_constraint bottom = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
        const ew_model_load weight = ew_load_gravity((double[3]){0, 0, -1.0});
        ew_energy_account account;
        double touch = 0.0, back = 0.0;
        must(ew_model_set_constraints(model, 1, &bottom));
        must(ew_model_set_loads(model, 1, &weight));
        start(model, scheme[k], 0.0);
        while (ew_model_time(model) < 0.75) {
            must(ew_model_advance(model, step / (k + 1), NULL));
            must(ew_model_account(model, &account));
            CU_ASSERT(account.balance <= (k ? 1e-4 : 1e-9));
            const ew_model_contact_report report = view(model);
            touch = report.normal_force > 0.0 && touch == 0.0 ? ew_model_time(model) : touch;
            back = touch > 0.0 ? fmax(back, report.min_gap) : back;
        }
        CU_ASSERT_DOUBLE_EQUAL(touch, sqrt(2.0 * height), 2.0 * step);
        CU_ASSERT(back > 0.5 * height && back < height);
        ew_model_free(model);
    }
}

/* The same block with so many solves a step, and damped; it leans, so that points open and close
 * one after the other. It never comes back higher than it began, for what steps leave makes no
 * energy, and overlaps by no more than it falls in two of them; forces are there without a
 * recovery. Returns the points that were left; *deepest: the overlap. */
static int64_t fall(int32_t rounds, double *deepest)
{
    const double height = 0.05, step = 0.02;
    ew_model *model = make_pressed_stack(true, false, height);
    const ew_model_constraint bottom = {.set = add_plane(model, NULL, 2, 0.0), .fixed = 7};
    const ew_model_load lean = ew_load_gravity((double[3]){0.05, 0, -1.0});
    ew_dynamics_def def = ew_default_dynamics_def();
    const ew_advance_info *info;
    ew_model_contact_report report;
    int64_t left = 0;
    bool touches = false;
    def.solver.tolerance = 1e-6;
    def.damping_mass = 2.0;
    def.contact_rounds = rounds;
    must(ew_model_set_constraints(model, 1, &bottom));
    must(ew_model_set_loads(model, 1, &lean));
    must(ew_model_start_dynamics(model, &def, 0.0));
    *deepest = 0.0;
    for (int i = 0; i < 250; i++) {
        must(ew_model_advance(model, step, &info));
        must(ew_model_view_contact(model, 0, &report));
        left += info->n_contact_left;
        touches = touches || report.normal_force > 0.0;
        *deepest = fmax(*deepest, -report.min_gap);
        CU_ASSERT(report.min_gap < height);
    }
    CU_ASSERT(touches);
    CU_ASSERT(*deepest < 2.0 * step * sqrt(2.0 * height));
    ew_model_free(model);
    return left;
}

static void test_few_rounds_leave_little(void)
{
    double deepest;
    ew_dynamics_def def = ew_default_dynamics_def();
    CU_ASSERT_EQUAL(fall(0, &deepest), 0);
    CU_ASSERT(deepest < 1e-9);
    CU_ASSERT(fall(1, &deepest) > 0);
    (void)fall(3, &deepest);
    CU_ASSERT(deepest < 2e-3);
    def.contact_rounds = -1;
    CU_ASSERT_EQUAL(ew_dynamics_def_check(&def), EW_BAD_ARGUMENT);
}

/* From the static answer. Also a static solve between steps leaves the motion as it is. */
static void test_what_rests_stays(void)
{
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_pressed_stack(true, k, 0.0);
        double most = 0.0;
        (void)solve(model, 1e-12);
        start(model, EW_NEWMARK, 0.0);
        for (int i = 0; i < 6; i++) {
            must(ew_model_advance(model, 0.01, NULL));
            CU_ASSERT_DOUBLE_EQUAL(i == 3 ? solve(model, 1e-12).normal_force : 2.0, 2.0, 1e-6);
        }
        for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
            most = fmax(most, fabs(ew_model_velocity(model)[i]));
        }
        CU_ASSERT(most < 1e-9);
        const ew_model_contact_report report = view(model);
        CU_ASSERT_DOUBLE_EQUAL(report.normal_force, 2.0, 1e-7);
        CU_ASSERT_DOUBLE_EQUAL(report.max_pressure, 2.0, 1e-6);
        CU_ASSERT_EQUAL(report.n_closed, report.n_point);
        ew_model_free(model);
    }
}

/* A saved state in another model goes on as the first one does, from within the contact. */
static void test_a_saved_state_goes_on(void)
{
    ew_model *model[2];
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_dynamics_state state;
    def.solver.tolerance = 1e-12;
    for (int k = 0; k < 2; k++) {
        const double speed = -0.2;
        model[k] = make_pressed_stack(true, false, 0.01);
        for (int32_t v = 0; v < ew_model_mesh(model[k])->n_vertex && k == 0; v++) {
            ew_model_velocity(model[k])[3 * v + 2] =
                ew_model_mesh(model[k])->xyz[3 * v + 2] > 0.505 ? speed : 0.0;
        }
    }
    const size_t size = 3 * sizeof(double) * (size_t)ew_model_mesh(model[0])->n_vertex;
    must(ew_model_start_dynamics(model[0], &def, 0.0));
    for (int i = 0; i < 12; i++) {
        must(ew_model_advance(model[0], 0.006, NULL));
    }
    CU_ASSERT(view(model[0]).n_closed > 0);
    must(ew_model_dynamics_state(model[0], &state));
    memcpy(ew_model_field(model[1], 0), ew_model_displacement(model[0]), size);
    memcpy(ew_model_velocity(model[1]), ew_model_velocity(model[0]), size);
    memcpy(ew_model_acceleration(model[1]), ew_model_acceleration(model[0]), size);
    must(ew_model_restore_dynamics(model[1], &def, &state));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++) {
            must(ew_model_advance(model[k], 0.006, NULL));
        }
    }
    CU_ASSERT_EQUAL(view(model[0]).n_closed, view(model[1]).n_closed);
    CU_ASSERT_DOUBLE_EQUAL(view(model[0]).normal_force, view(model[1]).normal_force, 1e-8);
    for (size_t i = 0; i < size / sizeof(double); i++) {
        const double v = ew_model_velocity(model[0])[i];
        CU_ASSERT_DOUBLE_EQUAL(ew_model_velocity(model[1])[i], v, 1e-9);
    }
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

enum { MAX_STATE = 9 * 64 };

/* Displacement, velocity and acceleration. */
static void copy_state(ew_model *model, double *to)
{
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    memcpy(to, ew_model_displacement(model), n * sizeof *to);
    memcpy(to + n, ew_model_velocity(model), n * sizeof *to);
    memcpy(to + 2 * n, ew_model_acceleration(model), n * sizeof *to);
}

/* Bars that touch as they fly at one another: whichever allocation of a step fails, the state stays
 * what it was, and once there is memory the step is the one that did not fail, to the tolerance of
 * solves: rounds begin with the points that the failed one had closed. */
static void fail_a_step(ew_scheme_kind scheme, double gap)
{
    double before[MAX_STATE], now[MAX_STATE], after[MAX_STATE];
    bool failed = true;
    for (int64_t k = -1; failed || k <= 0; k++) {
        ew_model *model = make_bars(4, gap);
        const size_t n = 9 * (size_t)ew_model_mesh(model)->n_vertex;
        CU_ASSERT_FATAL(n <= MAX_STATE);
        start(model, scheme, 0.0);
        for (size_t i = 0; i < n / 6; i += 3) {
            ew_model_velocity(model)[i] = 0.01;
        }
        copy_state(model, before);
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_advance(model, 0.05, NULL);
        failed = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (failed && status == EW_NO_MEMORY));
        copy_state(model, now);
        if (status) {
            CU_ASSERT(!memcmp(now, before, n * sizeof *now));
            must(ew_model_advance(model, 0.05, NULL));
            copy_state(model, now);
        }
        if (k < 0) {
            memcpy(after, now, n * sizeof *now);
        }
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT(fabs(now[i] - after[i]) < 1e-9);
        }
        ew_model_free(model);
    }
}

static void test_failing_memory(void)
{
    for (int k = 0; k < 4; k++) {
        fail_a_step(k & 1 ? EW_CENTRAL_DIFFERENCE : EW_NEWMARK, k & 2 ? 0.0 : 0.1);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"bars_exchange_velocities", test_bars_exchange_velocities},
        {"a_block_bounces", test_a_block_bounces},
        {"a_saved_state_goes_on", test_a_saved_state_goes_on},
        {"few_rounds_leave_little", test_few_rounds_leave_little},
        {"what_rests_stays", test_what_rests_stays},
        {"failing_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{.pName = "contact_motion", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
