/* Quadratic tets in motion: edits of every kind and changes of order between steps, free flight,
 * fall, supports that move, the stable step, a saved state, memory. That the schemes are what they
 * are for linear tets: check_dynamics_quadratic.py. */
#include "curved_fixture.h"
#include "dynamics_fixture.h"
#include "model_edits.h"
#include "one_device.h"

#include <stdio.h>

static ew_dynamics_def make_def(ew_scheme_kind scheme, ew_mass_kind mass)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = scheme;
    def.mass = mass;
    def.solver.tolerance = 1e-12;
    def.account = true;
    return def;
}

static ew_energy_account account_of(ew_model *model)
{
    ew_energy_account now;
    must(ew_model_account(model, &now));
    return now;
}

/* The block, or bent with sides that are curved. */
static ew_model *make_block_on(bool is_bent, ew_device *on)
{
    ew_model_def def = ew_default_model_def();
    ew_model *model;
    ew_mesh mesh;
    def.device = on;
    must(ew_shape_box(&mesh, (double[]){1.0, 0.6, 0.5}, (int32_t[]){3, 2, 2}));
    if (is_bent) {
        bend_mesh(&mesh, 0.0);
    }
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &rubber));
    must(ew_model_set_order(model, true));
    return model;
}

static ew_model *make_block_of(bool is_bent)
{
    return make_block_on(is_bent, NULL);
}

static ew_model *make_block(void)
{
    return make_block_on(false, NULL);
}

/* Random velocities, of edges, too. */
static void throw_about(ew_model *model, uint64_t seed)
{
    const int32_t n = 3 * ew_model_mesh(model)->n_vertex;
    double *v = ew_model_velocity(model), *edge = ew_model_edge_state(model, 1);
    for (int32_t i = 0; i < n; i++) {
        v[i] = (double)ew_test_random(&seed, 2001) / 1000.0 - 1.0;
    }
    for (int32_t i = 0; i < 3 * ew_model_edge_rows(model)->pattern.n_row; i++) {
        edge[i] = ew_model_edge_rows(model)->edge[i / 3] < 0
                      ? 0.0
                      : (double)ew_test_random(&seed, 2001) / 5000.0 - 0.2;
    }
}

/* ---- edits ------------------------------------------------------------------------------ */

static void enrich_some(ew_model *model, uint64_t *state)
{
    ew_list tet = {0};
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t i = 0; i < 8 && mesh->n_live_tet; i++) {
        must(ew_list_push(&tet, random_live_tet(mesh, state)));
    }
    ew_list_sort_unique(&tet);
    must(ew_model_enrich(model, &tet, ew_test_random(state, 3) > 0));
    ew_list_free(&tet);
}

/* A set that the edit emptied of faces may refuse its load; then there is no step. */
static void step(ew_model *model, int *taken)
{
    double dt;
    ew_status status = ew_model_stable_step(model, &dt);
    status = status ? status : ew_model_advance(model, fmin(0.9 * dt, 2e-5), NULL);
    CU_ASSERT(status == EW_OK || status == EW_BAD_INPUT);
    if (status && status != EW_BAD_INPUT) {
        printf("%s\n", ew_message());
    }
    *taken += !status;
}

static void run_sequence(uint64_t seed, int n, int *taken)
{
    static const ew_scheme_kind kinds[] = {EW_NEWMARK, EW_GENERALIZED_ALPHA, EW_CENTRAL_DIFFERENCE};
    ew_dynamics_def def = make_def(kinds[seed % 3], (ew_mass_kind)(seed / 3 % 2));
    ew_model *model = make_model(2, NULL);
    editor e = {.state = seed};
    def.damping_mass = 3.0;
    def.solver.tolerance = 1e-8;
    must(ew_model_set_order(model, seed % 2 == 0));
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < n && !CU_get_number_of_failures(); i++) {
        const uint32_t kind = ew_test_random(&e.state, 16);
        ew_status status = EW_OK;
        step(model, taken);
        if (kind < 4) {
            enrich_some(model, &e.state);
        } else if (kind == 4) {
            must(ew_model_compact(model, NULL, NULL));
            e.n_gone = 0;
        } else {
            status = ew_model_apply(model, queue_any, &e);
        }
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        if (ew_test_random(&e.state, 3) == 0) {
            ew_model_verification result;
            step(model, taken);
            must(ew_model_verify(model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
    }
    ew_model_free(model);
}

static void test_any_edit(void)
{
    const int n_sequence = getenv("EW_QUICK") ? 3 : 12;
    int taken = 0;
    for (int seed = 1; seed <= n_sequence; seed++) {
        run_sequence((uint64_t)seed, 25, &taken);
    }
    CU_ASSERT(taken > 8 * n_sequence);
}

static ew_status queue_some_removal(void *user, const ew_model *model, ew_edit *edit)
{
    return queue_removal(user, ew_model_mesh(model), edit);
}

/* Tets go, and change their order, in a body with curved sides: what stands on edges follows. */
static void test_edits_of_curved_sides(void)
{
    for (int mass = 0; mass < 2; mass++) {
        const ew_dynamics_def def = make_def(EW_NEWMARK, (ew_mass_kind)mass);
        ew_model *model = make_block_of(true);
        editor e = {.state = 3};
        const ew_model_constraint wall = {.set = add_plane(model, "wall", 1, 0.0), .fixed = 7};
        const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -9.81}};
        must(ew_model_set_constraints(model, 1, &wall));
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int k = 0; k < 12; k++) {
            ew_model_verification result;
            if (k % 3 == 2) {
                enrich_some(model, &e.state);
            }
            must(k % 3 == 1 ? ew_model_apply(model, queue_some_removal, &e) : EW_OK);
            must(ew_model_advance(model, 0.001, NULL));
            must(ew_model_verify(model, &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        ew_model_free(model);
    }
}

static ew_status queue_bisection(void *user, const ew_model *model, ew_edit *edit)
{
    (void)user;
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0.4, NULL, edit);
}

/* The halves of split edges move as the edges did: hardly any energy comes or goes. */
static void test_bisection_keeps_energy(void)
{
    const ew_dynamics_def def = make_def(EW_NEWMARK, EW_MASS_CONSISTENT);
    ew_model *model = make_block();
    const ew_model_constraint wall = {.set = add_plane(model, "wall", 0, 0.0), .fixed = 7};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -9.81}};
    must(ew_model_set_constraints(model, 1, &wall));
    must(ew_model_set_loads(model, 1, &weight));
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int k = 0; k < 20; k++) {
        must(ew_model_advance(model, 0.01, NULL));
    }
    const ew_energy_account before = account_of(model);
    must(ew_model_apply(model, queue_bisection, NULL));
    CU_ASSERT(ew_model_change(model)->added_vertex.n > 5);
    const ew_energy_account after = account_of(model);
    CU_ASSERT_DOUBLE_EQUAL(after.kinetic / before.kinetic, 1.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(after.strain / before.strain, 1.0, 1e-9);
    must(ew_model_advance(model, 0.01, NULL));
    CU_ASSERT(fabs(account_of(model).balance) < 1e-8 * before.kinetic);
    ew_model_free(model);
}

/* ---- physics ------------------------------------------------------------------------------- */

static void test_free_flight_keeps_momentum(void)
{
    for (int i = 0; i < 4 * EW_SCHEME_COUNT; i++) {
        ew_dynamics_def def = make_def((ew_scheme_kind)(i / 4), (ew_mass_kind)(i % 2));
        def.damping_stiffness = 0.002; /* forces between parts of the body alone */
        ew_model *model = make_block_of(i / 2 % 2);
        throw_about(model, 7);
        must(ew_model_start_dynamics(model, &def, 0.0));
        const ew_energy_account first = account_of(model);
        CU_ASSERT_DOUBLE_EQUAL(first.mass, 0.3 * rubber.density, 1e-12);
        double dt;
        must(ew_model_stable_step(model, &dt));
        for (int k = 0; k < 15; k++) {
            must(ew_model_advance(model, fmin(0.9 * dt, 0.01), NULL));
        }
        const ew_energy_account now = account_of(model);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT_DOUBLE_EQUAL(now.linear_momentum[c], first.linear_momentum[c], 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(now.angular_momentum[c], first.angular_momentum[c], 1e-9);
        }
        CU_ASSERT(now.damping_work > 0.0 &&
                  now.kinetic + now.strain < first.kinetic + first.strain);
        ew_model_free(model);
    }
}

/* Weight acts on the mass there is: a body that falls keeps its shape, with either mass and some
 * tets linear, too. */
static void test_fall_without_strain(void)
{
    for (int kind = 0; kind < 8; kind++) {
        const ew_dynamics_def def = make_def(EW_NEWMARK, (ew_mass_kind)(kind % 2));
        const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 1.0, -9.0}};
        ew_model *model = make_block_of(kind > 3);
        ew_list some = {0};
        for (int32_t t = 0; t < 30; t++) {
            must(ew_list_push(&some, 2 * t));
        }
        must(kind / 2 % 2 ? ew_model_enrich(model, &some, false) : EW_OK);
        ew_list_free(&some);
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_start_dynamics(model, &def, 0.0));
        for (int k = 0; k < 10; k++) {
            must(ew_model_advance(model, 0.01, NULL));
        }
        const ew_energy_account now = account_of(model);
        CU_ASSERT(now.strain < 1e-13 * now.kinetic); /* rounding */
        CU_ASSERT_DOUBLE_EQUAL(now.linear_momentum[2], -0.9 * now.mass, 1e-9);
        ew_model_free(model);
    }
}

/* One wall follows an amplitude, the other a velocity, from a state that is bent: what the supports
 * do is what the body has, and the middles of their edges go with them. */
static void test_supports_move(void)
{
    const ew_amplitude wave = {
        .kind = EW_AMPLITUDE_SINE, .size = 1.0, .frequency = 0.7, .end = INFINITY};
    for (int mass = 0; mass < 2; mass++) {
        ew_dynamics_def def = make_def(EW_NEWMARK, (ew_mass_kind)mass);
        ew_model *model = make_block();
        const int32_t left = add_plane(model, "left", 0, 0.0);
        const int32_t right = add_plane(model, "right", 0, 1.0);
        const ew_model_constraint hold = {.set = left, .fixed = 7};
        const ew_model_constraint move[2] = {
            {.set = left, .fixed = 7, .value = {0, 0, 0.02}, .amplitude = 1},
            {.set = right, .fixed = 4, .value = {0, 0, 0.3}, .is_velocity = true}};
        const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 3.0, -9.0}};
        const ew_pcg_def solver = ew_default_pcg_def();
        must(ew_model_set_amplitudes(model, 1, &wave));
        must(ew_model_set_constraints(model, 1, &hold));
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_solve(model, &solver, NULL));
        must(ew_model_set_constraints(model, 2, move));
        must(ew_model_start_dynamics(model, &def, 0.0));
        const size_t n = 3 * (size_t)ew_model_edge_rows(model)->pattern.n_row;
        double *bent = malloc(n * sizeof *bent);
        memcpy(bent, ew_model_edge_state(model, 0), n * sizeof *bent);
        for (int k = 0; k < 60; k++) {
            must(ew_model_advance(model, 0.002, NULL));
        }
        const ew_pattern *pattern = &ew_model_topology(model)->pattern;
        for (size_t i = 0; i < n; i++) {
            const int32_t *end =
                pattern->pair_row + 2 * (size_t)ew_model_edge_rows(model)->edge[i / 3];
            const double *a = ew_model_mesh(model)->xyz + 3 * (size_t)end[0];
            const double *b = ew_model_mesh(model)->xyz + 3 * (size_t)end[1];
            const bool on_left = a[0] == 0.0 && b[0] == 0.0;
            if (on_left || (a[0] == 1.0 && b[0] == 1.0 && i % 3 == 2)) {
                CU_ASSERT_EQUAL(ew_model_edge_state(model, 0)[i], bent[i]);
                CU_ASSERT_EQUAL(ew_model_edge_state(model, 1)[i], 0.0);
                CU_ASSERT_EQUAL(ew_model_edge_state(model, 2)[i], 0.0);
            }
        }
        const ew_energy_account now = account_of(model);
        CU_ASSERT(fabs(now.balance) < 1e-2 * (now.kinetic + now.strain));
        CU_ASSERT(fabs(now.external_work) > 0.1 * now.kinetic);
        free(bent);
        ew_model_free(model);
    }
}

/* At the limit of an explicit scheme the energy of random velocities stays bounded. */
static void test_the_stable_step_is_safe(void)
{
    for (int kind = 0; kind < 8; kind++) {
        const ew_dynamics_def def = make_def(EW_CENTRAL_DIFFERENCE, (ew_mass_kind)(kind % 2));
        ew_model *model = make_block_of(kind > 3);
        uint64_t seed = 9;
        if (kind / 2 % 2) {
            enrich_some(model, &seed);
        }
        throw_about(model, 3);
        must(ew_model_start_dynamics(model, &def, 0.0));
        double dt;
        must(ew_model_stable_step(model, &dt));
        const ew_energy_account first = account_of(model);
        for (int k = 0; k < 120; k++) {
            must(ew_model_advance(model, dt, NULL));
        }
        const ew_energy_account now = account_of(model);
        CU_ASSERT(now.kinetic + now.strain < 2.0 * (first.kinetic + first.strain));
        CU_ASSERT_EQUAL(ew_model_advance(model, 1.01 * dt, NULL), EW_BAD_INPUT);
        ew_model_free(model);
    }
}

/* ---- a device --------------------------------------------------------------------------- */

/* The host's motion, with sides that are straight or curved, through an enrichment and an edit. */
static void test_motion_on_a_device(void)
{
    for (int k = 0; k < 4 && device && ew_device_about(device)->has_double; k++) {
        ew_dynamics_def def = make_def(EW_HHT, (ew_mass_kind)(k / 2));
        ew_model *model[] = {make_block_on(k % 2, NULL), make_block_on(k % 2, device)};
        def.damping_stiffness = 0.001;
        for (int i = 0; i < 2; i++) {
            ew_model_verification result;
            uint64_t seed = 5;
            throw_about(model[i], 3);
            must(ew_model_start_dynamics(model[i], &def, 0.0));
            for (int step = 0; step < 9; step++) {
                if (step == 3) {
                    enrich_some(model[i], &seed);
                }
                must(step == 6 ? ew_model_apply(model[i], queue_bisection, NULL) : EW_OK);
                must(ew_model_advance(model[i], 0.01, NULL));
            }
            must(ew_model_verify(model[i], &result));
            CU_ASSERT_EQUAL(result.n_different, 0);
        }
        const double *u = ew_model_displacement(model[0]), *v = ew_model_displacement(model[1]);
        double largest = 0.0, error = 0.0;
        for (int32_t i = 0; i < 3 * ew_model_mesh(model[0])->n_vertex; i++) {
            largest = fmax(largest, fabs(u[i]));
            error = fmax(error, fabs(u[i] - v[i]));
        }
        CU_ASSERT(largest > 0.01 && error < 1e-8 * largest);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* ---- a saved state, settings, memory -----------------------------------------------------------
 */

static void copy_state(ew_model *to, ew_model *from)
{
    const size_t n = 3 * (size_t)ew_model_mesh(from)->n_vertex * sizeof(double);
    const size_t n_edge = 3 * (size_t)ew_model_edge_rows(from)->pattern.n_row * sizeof(double);
    memcpy(ew_model_field(to, 0), ew_model_field(from, 0), n);
    memcpy(ew_model_velocity(to), ew_model_velocity(from), n);
    memcpy(ew_model_acceleration(to), ew_model_acceleration(from), n);
    for (int k = 0; k < 3; k++) {
        memcpy(ew_model_edge_state(to, k), ew_model_edge_state(from, k), n_edge);
    }
}

static void test_a_saved_state_goes_on(void)
{
    ew_dynamics_def def = make_def(EW_HHT, EW_MASS_LUMPED);
    ew_model *model = make_block(), *other = make_block();
    ew_dynamics_state saved;
    def.solver.tolerance = 1e-5; /* as many bits as may differ do */
    throw_about(model, 3);
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int k = 0; k < 12; k++) {
        if (k == 6) { /* a run that goes on restores itself, too */
            must(ew_model_dynamics_state(model, &saved));
            must(ew_model_restore_dynamics(model, &def, &saved));
            must(ew_model_start_dynamics(other, &def, 0.0));
            copy_state(other, model);
            must(ew_model_restore_dynamics(other, &def, &saved));
        }
        must(ew_model_advance(model, 0.01, NULL));
        if (k >= 6) {
            must(ew_model_advance(other, 0.01, NULL));
        }
    }
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex * sizeof(double);
    const size_t n_edge = 3 * (size_t)ew_model_edge_rows(model)->pattern.n_row * sizeof(double);
    CU_ASSERT(!memcmp(ew_model_field(model, 0), ew_model_field(other, 0), n));
    for (int k = 0; k < 3; k++) {
        CU_ASSERT(!memcmp(ew_model_edge_state(model, k), ew_model_edge_state(other, k), n_edge));
    }
    ew_model_free(model);
    ew_model_free(other);
}

/* Begun once more with another mass, a body moves as one that had it at first. */
static void test_another_mass(void)
{
    for (int order = 0; order < 2; order++) {
        const ew_dynamics_def lumped = make_def(EW_NEWMARK, EW_MASS_LUMPED);
        const ew_dynamics_def consistent = make_def(EW_NEWMARK, EW_MASS_CONSISTENT);
        ew_model *model = make_block(), *other = make_block();
        must(ew_model_set_order(model, order));
        must(ew_model_set_order(other, order));
        for (int k = 0; k < 2; k++) { /* forces on edges are other ones, too */
            must(ew_model_set_loads(
                k ? model : other, 1,
                &(ew_model_load){.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {0.0, -9.81, 0.0}}));
        }
        must(ew_model_start_dynamics(model, &lumped, 0.0));
        must(ew_model_advance(model, 0.01, NULL));
        for (int k = 0; k < 2; k++) {
            ew_model *each = k ? model : other;
            const size_t n = 3 * (size_t)ew_model_mesh(each)->n_vertex;
            memset(ew_model_field(each, 0), 0, n * sizeof(double));
            for (size_t i = 0; i < n; i++) {
                ew_model_velocity(each)[i] = i % 4 == 0 ? 0.1 : -0.1;
            }
            must(ew_model_start_dynamics(each, &consistent, 0.0));
            must(ew_model_advance(each, 0.01, NULL));
        }
        CU_ASSERT_DOUBLE_EQUAL(account_of(model).kinetic / account_of(other).kinetic, 1.0, 1e-9);
        ew_model_free(model);
        ew_model_free(other);
    }
}

static void test_failing_memory(void)
{
    const ew_dynamics_def def = make_def(EW_HHT, EW_MASS_CONSISTENT);
    bool failed = true;
    for (int64_t k = 0; failed; k++) {
        ew_model *model =
            make_box((double[3]){1.0, 0.6, 0.5}, (int32_t[3]){1, 1, 1}, &rubber, NULL);
        must(ew_model_set_order(model, true));
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
        {"any_edit", test_any_edit},
        {"edits_of_curved_sides", test_edits_of_curved_sides},
        {"bisection", test_bisection_keeps_energy},
        {"free_flight", test_free_flight_keeps_momentum},
        {"fall", test_fall_without_strain},
        {"supports", test_supports_move},
        {"stable_step", test_the_stable_step_is_safe},
        {"motion_on_a_device", test_motion_on_a_device},
        {"saved_state", test_a_saved_state_goes_on},
        {"another_mass", test_another_mass},
        {"failing_memory", test_failing_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"dynamics_quadratic", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
