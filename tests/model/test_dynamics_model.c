/* What a model in motion does beside stepping: supports and loads in time, refusals, memory, a
 * saved state, edits of every kind. */
#include "dynamics_fixture.h"

#include <stdio.h>

#define PI 3.14159265358979323846

static ew_dynamics_def make_def(ew_scheme_kind scheme)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = scheme;
    def.solver.tolerance = 1e-12;
    def.account = true;
    return def;
}

static ew_model *make_block(void)
{
    return make_box((double[3]){1.0, 0.6, 0.5}, (int32_t[3]){3, 2, 2}, &rubber, NULL);
}

static ew_energy_account account_of(ew_model *model)
{
    ew_energy_account now;
    must(ew_model_account(model, &now));
    return now;
}

/* ---- supports that move ------------------------------------------------------------------- */

/* Both ends move alike: by a displacement with an amplitude, and by the velocity that is its rate;
 * where a component is prescribed it follows the closed form in u, v and a. */
static void test_supports_follow_their_amplitude(void)
{
    const double size = 0.02, w = 2.0 * PI * 0.7, dt = 0.01;
    const ew_amplitude list[2] = {
        {.kind = EW_AMPLITUDE_SINE, .size = 1.0, .frequency = 0.7, .end = INFINITY},
        {.kind = EW_AMPLITUDE_SINE,
         .size = 1.0,
         .frequency = 0.7,
         .phase = 0.5 * PI,
         .end = INFINITY}};
    for (int scheme = EW_IMPLICIT_EULER; scheme <= EW_GENERALIZED_ALPHA; scheme++) {
        ew_model *model = make_block();
        const int32_t left = add_plane(model, "left", 0, 0.0);
        const int32_t right = add_plane(model, "right", 0, 1.0);
        const ew_model_constraint move[2] = {
            {.set = left, .fixed = 4, .value = {0, 0, size}, .amplitude = 1},
            {.set = right,
             .fixed = 4,
             .value = {0, 0, size * w},
             .amplitude = 2,
             .is_velocity = true}};
        ew_dynamics_def def = make_def((ew_scheme_kind)scheme);
        def.mass = scheme % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
        must(ew_model_set_amplitudes(model, 2, list));
        must(ew_model_set_constraints(model, 2, move));
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int k = 0; k < 80; k++) {
            must(ew_model_advance(model, dt, NULL));
            const double t = ew_model_time(model);
            for (int s = 0; s < 2; s++) {
                const ew_set *set = ew_model_view_set(model, s ? right : left).member;
                for (int32_t i = 0; i < set->list.n; i++) {
                    const size_t z = 3 * (size_t)set->list.id[i] + 2;
                    CU_ASSERT_DOUBLE_EQUAL(displacement(model)[z], size * sin(w * t), 1e-14);
                    CU_ASSERT_DOUBLE_EQUAL(ew_model_velocity(model)[z], size * w * cos(w * t),
                                           1e-13);
                    CU_ASSERT_DOUBLE_EQUAL(ew_model_acceleration(model)[z],
                                           -size * w * w * sin(w * t), 0.1 * size * w * w * w * dt);
                }
            }
        }
        const ew_energy_account now = account_of(model);
        CU_ASSERT(now.external_work > 0.0);
        if (scheme == EW_NEWMARK) { /* but for the second order of the supports' accelerations */
            CU_ASSERT(fabs(now.balance) < 1e-2 * (now.kinetic + now.strain));
        }
        ew_model_free(model);
    }
}

/* A velocity of 0 holds a vertex where it is; a constant velocity carries the body along, oblique
 * directions included, with the momentum that it must have. */
static void test_prescribed_velocities(void)
{
    ew_model *model = make_block();
    const int32_t left = add_plane(model, "left", 0, 0.0);
    const ew_axes tilted = {.kind = EW_AXES_FIXED,
                            .direction = {0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1}};
    const ew_model_constraint carry = {
        .set = left, .fixed = 1, .value = {0.3, 0, 0}, .axes = tilted, .is_velocity = true};
    const ew_dynamics_def def = make_def(EW_NEWMARK);
    must(ew_model_set_constraints(model, 1, &carry));
    for (size_t i = 0; i < n_entry(model); i++) {
        ew_model_velocity(model)[i] = 0.3 * (const double[]){0.6, 0.8, 0.0}[i % 3];
        displacement(model)[i] = 0.01;
    }
    must(ew_model_start_dynamics(model, &def, 5.0));
    for (int k = 0; k < 50; k++) {
        must(ew_model_advance(model, 0.02, NULL));
    }
    for (size_t i = 0; i < n_entry(model); i++) {
        const double way = 0.3 * (const double[]){0.6, 0.8, 0.0}[i % 3];
        CU_ASSERT_DOUBLE_EQUAL(displacement(model)[i], 0.01 + way, 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(ew_model_velocity(model)[i], way, 1e-11);
    }
    const ew_model_constraint hold = {.set = left, .fixed = 7, .is_velocity = true};
    must(ew_model_set_constraints(model, 1, &hold));
    must(ew_model_advance(model, 0.02, NULL));
    const ew_set *set = ew_model_view_set(model, left).member;
    for (int32_t i = 0; i < set->list.n; i++) {
        const size_t x = 3 * (size_t)set->list.id[i];
        CU_ASSERT_DOUBLE_EQUAL(displacement(model)[x], 0.01 + 0.18, 1e-12);
        CU_ASSERT_EQUAL(ew_model_velocity(model)[x], 0.0);
    }
    CU_ASSERT(account_of(model).edit_work < 0.0); /* what was stopped at once */
    ew_model_free(model);
}

/* ---- loads in time -------------------------------------------------------------------------- */

static double force_sum(const ew_model *model, int c)
{
    double sum = 0.0;
    for (size_t i = (size_t)c; i < n_entry(model); i += 3) {
        sum += ew_model_force(model)[i];
    }
    return sum;
}

/* Groups of loads have their factors at the time, before and after edits; the momentum is that of
 * the forces' impulse, by the trapezoid that Newmark takes. */
static void test_loads_follow_their_amplitude(void)
{
    const double time[3] = {0.0, 0.5, 2.0}, value[3] = {0.0, 4.0, 1.0};
    const ew_amplitude list[2] = {
        {.kind = EW_AMPLITUDE_TABLE, .n = 3, .time = time, .value = value},
        {.kind = EW_AMPLITUDE_STEP, .size = 2.0, .start = 0.3, .end = 0.6}};
    ew_model *model = make_block();
    const ew_model_load load[3] = {{.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -10}},
                                   {.kind = EW_LOAD_TOTAL_FORCE,
                                    .set = add_plane(model, "end", 0, 1.0),
                                    .vector = {1, 0, 0},
                                    .amplitude = 1},
                                   {.kind = EW_LOAD_TOTAL_FORCE,
                                    .set = add_plane(model, "top", 2, 0.5),
                                    .vector = {0, 1, 0},
                                    .amplitude = 2}};
    const ew_dynamics_def def = make_def(EW_NEWMARK);
    must(ew_model_set_amplitudes(model, 2, list));
    must(ew_model_set_loads(model, 3, load));
    must(ew_model_start_dynamics(model, &def, 0.0));
    double impulse = 0.0, before = 0.0;
    for (int k = 1; k <= 100; k++) {
        must(ew_model_advance(model, 0.01, NULL));
        const double t = ew_model_time(model);
        CU_ASSERT_DOUBLE_EQUAL(force_sum(model, 0), ew_amplitude_at(&list[0], t), 1e-12);
        CU_ASSERT_DOUBLE_EQUAL(force_sum(model, 1), ew_amplitude_at(&list[1], t), 1e-12);
        impulse += 0.005 * (before + force_sum(model, 0));
        before = force_sum(model, 0);
        const ew_energy_account now = account_of(model);
        CU_ASSERT_DOUBLE_EQUAL(now.linear_momentum[0], impulse, 1e-10);
        CU_ASSERT_DOUBLE_EQUAL(force_sum(model, 2), -10.0 * now.mass, 1e-12);
        CU_ASSERT(fabs(now.balance) < 1e-9);
        if (k == 40) {
            ew_model_begin(model);
            must(ew_edit_remove_tet(ew_model_edit(model), 0));
            must(ew_model_commit(model));
            impulse = account_of(model).linear_momentum[0];
        }
    }
    ew_model_free(model);
}

/* Sums of steps reach 0.2 and 0.5 but for rounding: loads jump there, not a step later. */
static void test_loads_jump_in_time(void)
{
    const ew_amplitude list[2] = {
        {.kind = EW_AMPLITUDE_STEP, .size = 2.0, .start = 0.2, .end = 0.5},
        {.kind = EW_AMPLITUDE_SINE, .offset = 1.0, .frequency = 1.0, .start = 0.2, .end = 0.5}};
    const int32_t n[] = {30, 100, 120, 300, 1000};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        ew_model *model = make_block();
        const int32_t end = add_plane(model, "end", 0, 1.0);
        const ew_model_load load[2] = {
            {.kind = EW_LOAD_TOTAL_FORCE, .set = end, .vector = {1, 0, 0}, .amplitude = 1},
            {.kind = EW_LOAD_TOTAL_FORCE, .set = end, .vector = {0, 1, 0}, .amplitude = 2}};
        const ew_dynamics_def def = make_def(EW_NEWMARK);
        must(ew_model_set_amplitudes(model, 2, list));
        must(ew_model_set_loads(model, 2, load));
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int32_t k = 1; k <= n[i]; k++) {
            must(ew_model_advance(model, 0.6 / n[i], NULL));
            const bool steps = 6 * k >= 2 * n[i] && 6 * k < 5 * n[i];
            const bool swings = 6 * k >= 2 * n[i] && 6 * k <= 5 * n[i];
            CU_ASSERT_DOUBLE_EQUAL(force_sum(model, 0), steps ? 2.0 : 0.0, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(force_sum(model, 1), swings ? 1.0 : 0.0, 1e-12);
            CU_ASSERT_DOUBLE_EQUAL(ew_model_time(model), 0.6 * k / n[i], 1e-12);
        }
        ew_model_free(model);
    }
}

/* ---- refusals ----------------------------------------------------------------------------------
 */

static void expect(ew_status got, ew_status status, const char *text)
{
    CU_ASSERT_EQUAL(got, status);
    if (!strstr(ew_message(), text)) {
        printf("\n'%s' is not in '%s'\n", text, ew_message());
        CU_FAIL("message");
    }
}

static void test_refusals(void)
{
    ew_model *model = make_block();
    ew_dynamics_def def = make_def(EW_CENTRAL_DIFFERENCE);
    double dt;
    expect(ew_model_advance(model, 0.1, NULL), EW_BAD_ARGUMENT, "have not been started");
    def.damping_mass = -1.0;
    expect(ew_model_start_dynamics(model, &def, 0.0), EW_BAD_ARGUMENT, "mass damping is -1");
    def.damping_mass = 0.0;
    def.damping_stiffness = NAN;
    expect(ew_model_start_dynamics(model, &def, 0.0), EW_BAD_ARGUMENT, "stiffness damping is nan");
    def.damping_stiffness = 0.0;
    const ew_material light = {.young = 1.0, .poisson = 0.0};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &light));
    expect(ew_model_start_dynamics(model, &def, 0.0), EW_BAD_INPUT, "has no density");
    CU_ASSERT(!ew_model_is_dynamic(model));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &rubber));
    must(ew_model_start_dynamics(model, &def, 0.0));
    must(ew_model_stable_step(model, &dt));
    expect(ew_model_advance(model, 0.0, NULL), EW_BAD_INPUT,
           "the step is 0 at time 0, must be > 0");
    expect(ew_model_advance(model, NAN, NULL), EW_BAD_INPUT, "must be > 0");
    expect(ew_model_advance(model, 1.01 * dt, NULL), EW_BAD_INPUT,
           "central-difference is stable up");
    must(ew_model_advance(model, dt, NULL));
    def.scheme = EW_EXPLICIT_EULER;
    must(ew_model_start_dynamics(model, &def, 0.0));
    expect(ew_model_advance(model, 1e-9, NULL), EW_BAD_INPUT,
           "explicit-euler is stable at no step");
    const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {1, 0, 0}, .amplitude = 1};
    expect(ew_model_set_loads(model, 1, &load), EW_BAD_ARGUMENT, "load 1 names amplitude 1 of 0");
    const ew_amplitude sine = {
        .kind = EW_AMPLITUDE_SINE, .size = 1.0, .frequency = 1.0, .end = INFINITY};
    must(ew_model_set_amplitudes(model, 1, &sine));
    must(ew_model_set_loads(model, 1, &load));
    expect(ew_model_set_amplitudes(model, 0, NULL), EW_BAD_ARGUMENT, "set others first");
    ew_model_free(model);
}

/* ---- the stable step ----------------------------------------------------------------------------
 */

/* The largest eigenvalue of M^-1 K with dense matrices, by powers; fixed on a set, or -1. */
static double largest_square(ew_model *model, ew_mass_kind kind, int32_t wall)
{
    const size_t n = n_entry(model);
    dense of = {n,        zeros(n * n), zeros(n * n), zeros(n * n), zeros(n),
                zeros(n), zeros(n),     zeros(n),     zeros(n)};
    double *x = zeros(n), *y = zeros(n), size = 0.0;
    dense_stiffness(model, &of);
    dense_mass(model, kind, (double[3]){0, 0, 0}, &of);
    dense_fix(model, wall, &of);
    fill(model, 4, 1.0, x);
    for (int k = 0; k < 400; k++) {
        memset(y, 0, n * sizeof *y);
        dense_add(n, 1.0, of.k, x, y);
        dense_solve(n, of.m, y, x);
        size = 0.0;
        for (size_t i = 0; i < n; i++) {
            size = fmax(size, fabs(x[i]));
        }
        for (size_t i = 0; i < n; i++) {
            x[i] /= size;
        }
    }
    free(x), free(y);
    dense_free(&of);
    return size;
}

/* The limit keeps the margin that it says, no more, as long as the bound by single tets is not
 * closer. */
static void expect_limit(ew_model *model, ew_mass_kind kind, int32_t wall)
{
    double dt;
    must(ew_model_stable_step(model, &dt));
    const double ratio = dt * sqrt(largest_square(model, kind, wall)) / 2.0;
    CU_ASSERT(ratio > 0.999 * sqrt(0.95) && ratio < 1.0 + 1e-9);
    must(ew_model_check_step(model, dt));
    expect(ew_model_check_step(model, 1.01 * dt), EW_BAD_INPUT, "is stable up to");
}

/* The stable step is that of the body's largest frequency, and follows edits; of one tet by itself
 * it is exact. */
static void test_the_stable_step_is_that_of_the_body(void)
{
    for (int kind = 0; kind < 2; kind++) {
        ew_dynamics_def def = make_def(EW_CENTRAL_DIFFERENCE);
        def.mass = (ew_mass_kind)kind;
        ew_model *model =
            make_box((double[3]){0.7, 0.4, 0.5}, (int32_t[3]){1, 1, 1}, &rubber, NULL);
        double dt, again;
        must(ew_model_start_dynamics(model, &def, 0.0));
        expect_limit(model, def.mass, -1);
        ew_model_begin(model);
        for (int32_t t = 1; t < ew_model_mesh(model)->n_tet; t++) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
        }
        must(ew_model_commit(model));
        must(ew_model_stable_step(model, &again));
        CU_ASSERT_DOUBLE_EQUAL(again, 2.0 / sqrt(largest_square(model, def.mass, -1)),
                               1e-9 * again);
        ew_model_begin(model);
        must(ew_edit_move_vertex(ew_model_edit(model), ew_model_mesh(model)->tet[0],
                                 (double[3]){-0.2, -0.1, -0.3}));
        must(ew_model_commit(model));
        must(ew_model_stable_step(model, &dt));
        CU_ASSERT(dt != again);
        CU_ASSERT_DOUBLE_EQUAL(dt, 2.0 / sqrt(largest_square(model, def.mass, -1)), 1e-9 * dt);
        ew_model_free(model);
    }
}

/* It follows supports that come and go, springs and materials; with damping it is that of the
 * scheme at that frequency. It is found once, not in every step, and the same whenever it is. */
static void test_the_stable_step_follows(void)
{
    for (int kind = 0; kind < 2; kind++) {
        ew_dynamics_def def = make_def(EW_CENTRAL_DIFFERENCE);
        def.mass = (ew_mass_kind)kind;
        ew_model *model = make_block();
        double free_step, dt, again;
        must(ew_model_start_dynamics(model, &def, 0.0));
        expect_limit(model, def.mass, -1);
        must(ew_model_stable_step(model, &free_step));
        const int32_t left = add_plane(model, "left", 0, 0.0);
        const ew_model_constraint support = {.set = left, .fixed = 7};
        must(ew_model_set_constraints(model, 1, &support));
        expect_limit(model, def.mass, left);
        must(ew_model_set_constraints(model, 0, NULL));
        must(ew_model_stable_step(model, &dt));
        CU_ASSERT_EQUAL(dt, free_step);
        const ew_model_spring hard = {
            .kind = EW_SPRING_EACH, .set = left, .stiffness = {3e4, 1e4, 2e4}};
        must(ew_model_set_springs(model, 1, &hard));
        must(ew_model_stable_step(model, &dt));
        CU_ASSERT(dt < 0.9 * free_step);
        must(ew_model_set_springs(model, 0, NULL));
        must(ew_model_stable_step(model, &dt));
        CU_ASSERT_DOUBLE_EQUAL(dt, free_step, 1e-12 * dt);
        ew_material stiffer = rubber;
        stiffer.young *= 4.0;
        must(ew_model_set_material(model, EW_ALL_REGIONS, &stiffer));
        must(ew_model_stable_step(model, &dt));
        CU_ASSERT_DOUBLE_EQUAL(dt, 0.5 * free_step, 1e-9 * dt);
        fill(model, 5, 1e-3, ew_model_velocity(model));
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int k = 0; k < 300; k++) {
            must(ew_model_advance(model, dt, NULL));
        }
        const ew_energy_account now = account_of(model);
        CU_ASSERT(now.kinetic + now.strain < 2.0 * now.initial);
        must(ew_model_stable_step(model, &again));
        CU_ASSERT_EQUAL(again, dt);
        def.damping_stiffness = 0.01;
        must(ew_model_start_dynamics(model, &def, 0.0));
        must(ew_model_stable_step(model, &dt));
        const double square = largest_square(model, def.mass, -1) / 0.95;
        CU_ASSERT_DOUBLE_EQUAL(
            dt, ew_scheme_stable_step(EW_CENTRAL_DIFFERENCE, &def.parameters, square, 0.0, 0.01),
            1e-3 * dt);
        ew_model_free(model);
    }
}

/* A step whose solve fails leaves the state as it was, and can be taken again. */
static void test_a_failed_step_changes_nothing(void)
{
    ew_model *model = make_block(), *beside = make_block();
    ew_dynamics_def def = make_def(EW_NEWMARK);
    for (int k = 0; k < 2; k++) {
        fill(model, 9, 1.0, ew_model_velocity(k ? beside : model));
        must(ew_model_start_dynamics(k ? beside : model, &def, 0.0));
        must(ew_model_advance(k ? beside : model, 0.01, NULL));
    }
    ew_dynamics_state state;
    def.solver.max_iterations = 1;
    for (int k = 0; k < 2; k++) {
        must(ew_model_dynamics_state(k ? beside : model, &state));
        must(ew_model_restore_dynamics(k ? beside : model, &def, &state));
        def.solver.max_iterations = 20000;
    }
    expect(ew_model_advance(model, 0.01, NULL), EW_NOT_CONVERGED, "dynamics: step 2 to time 0.02");
    CU_ASSERT_EQUAL(ew_model_time(model), 0.01);
    CU_ASSERT_EQUAL(memcmp(displacement(model), displacement(beside), n_entry(model) * 8), 0);
    must(ew_model_restore_dynamics(model, &def, &state));
    must(ew_model_advance(model, 0.01, NULL));
    must(ew_model_advance(beside, 0.01, NULL));
    CU_ASSERT_EQUAL(memcmp(displacement(model), displacement(beside), n_entry(model) * 8), 0);
    ew_model_free(model);
    ew_model_free(beside);
}

/* ---- memory
 * -------------------------------------------------------------------------------------- */

/* Loads, supports, springs of all kinds. */
static void furnish(ew_model *model)
{
    const ew_amplitude sine = {
        .kind = EW_AMPLITUDE_SINE, .size = 1.0, .frequency = 1.0, .end = INFINITY};
    const int32_t left = add_plane(model, "left", 0, 0.0), end = add_plane(model, "end", 0, 1.0);
    const int32_t top = add_plane(model, "top", 2, 0.5);
    const ew_axes tilted = {.kind = EW_AXES_FIXED,
                            .direction = {0.6, 0, 0.8, 0, 1, 0, -0.8, 0, 0.6}};
    const ew_model_constraint support[2] = {
        {.set = left, .fixed = 7, .value = {0, 0.01, 0}, .amplitude = 1},
        {.set = end, .fixed = 1, .value = {0.05, 0, 0}, .axes = tilted, .is_velocity = true}};
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {40.0, 0.0, 90.0}};
    const ew_model_load load[2] = {
        {.kind = EW_LOAD_GRAVITY, .vector = {0, 0, -1}},
        {.kind = EW_LOAD_TOTAL_FORCE, .set = top, .vector = {0, 1, 0}, .amplitude = 1}};
    must(ew_model_set_amplitudes(model, 1, &sine));
    must(ew_model_set_constraints(model, 2, support));
    must(ew_model_set_springs(model, 1, &spring));
    must(ew_model_set_loads(model, 2, load));
}

/* No step after the first allocates, whatever the scheme; nor does one after an edit that does not
 * let the mesh grow and was there before. */
static void test_steps_do_not_allocate(void)
{
    for (int i = 0; i < 2 * EW_SCHEME_COUNT; i++) {
        ew_model *model = make_block();
        ew_dynamics_def def = make_def((ew_scheme_kind)(i / 2));
        def.mass = i % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
        def.damping_stiffness = 1e-3;
        furnish(model);
        must(ew_model_start_dynamics(model, &def, 0.0));
        double dt;
        must(ew_model_stable_step(model, &dt));
        dt = fmin(0.9 * dt, 0.01);
        must(ew_model_advance(model, dt, NULL));
        ew_test_allocations_begin(0);
        for (int k = 0; k < 10; k++) {
            CU_ASSERT_EQUAL(ew_model_advance(model, dt, NULL), EW_OK);
        }
        CU_ASSERT(!ew_test_allocations_end());
        ew_model_free(model);
    }
}

/* Whichever allocation fails, the state is kept, and the step is taken once there is memory. */
static void test_failing_memory(void)
{
    const ew_dynamics_def def = make_def(EW_HHT);
    bool failed = true;
    for (int64_t k = 0; failed; k++) {
        ew_model *model = make_block();
        furnish(model);
        (void)ew_model_velocity(model);
        ew_test_allocations_begin(k);
        ew_status status = ew_model_start_dynamics(model, &def, 0.0);
        status = status ? status : ew_model_advance(model, 0.01, NULL);
        failed = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || (failed && status == EW_NO_MEMORY));
        if (!ew_model_is_dynamic(model)) {
            must(ew_model_start_dynamics(model, &def, 0.0));
        }
        must(ew_model_advance(model, 0.01, NULL));
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"supports", test_supports_follow_their_amplitude},
        {"velocities", test_prescribed_velocities},
        {"loads", test_loads_follow_their_amplitude},
        {"jumps", test_loads_jump_in_time},
        {"refusals", test_refusals},
        {"stable_step", test_the_stable_step_is_that_of_the_body},
        {"stable_step_follows", test_the_stable_step_follows},
        {"failed_step", test_a_failed_step_changes_nothing},
        {"no_allocation", test_steps_do_not_allocate},
        {"failing_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
