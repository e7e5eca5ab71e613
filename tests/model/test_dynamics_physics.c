/* Dynamics against physics: energy that is kept or only falls, momentum in free flight, a wave in a
 * bar, the first frequency of a cantilever, damping of a mode, a body cut in two while it swings.
 */
#include "dynamics_fixture.h"

#define PI 3.14159265358979323846

static ew_model *make_bar(const double size[3], const int32_t cells[3], bool is_clamped)
{
    ew_model *model = make_box(size, cells, &rubber, NULL);
    const ew_model_constraint fixed = {.set = add_plane(model, "wall", 0, 0.0), .fixed = 7};
    must(ew_model_set_constraints(model, is_clamped ? 1 : 0, &fixed));
    return model;
}

static ew_dynamics_def accounted(ew_scheme_kind scheme)
{
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = scheme;
    def.solver.tolerance = 1e-14;
    def.account = true;
    return def;
}

static ew_energy_account account_of(ew_model *model)
{
    ew_energy_account now;
    must(ew_model_account(model, &now));
    return now;
}

static double energy_of(const ew_energy_account *of)
{
    return of->kinetic + of->strain + of->spring;
}

/* Over 10,000 steps the average acceleration keeps the energy to rounding times steps. */
static void test_newmark_keeps_energy(void)
{
    const ew_dynamics_def def = accounted(EW_NEWMARK);
    ew_model *model = make_bar((double[3]){1.0, 0.5, 0.5}, (int32_t[3]){2, 1, 1}, true);
    fill(model, 3, 0.4, ew_model_velocity(model));
    must(ew_model_start_dynamics(model, &def, 0.0));
    const double first = account_of(model).initial;
    double worst = 0.0;
    CU_ASSERT(first > 0.0);
    for (int k = 0; k < 10000; k++) {
        must(ew_model_advance(model, 0.013, NULL));
        const ew_energy_account now = account_of(model);
        worst = fmax(worst, fabs(energy_of(&now) - first));
        CU_ASSERT_FATAL(fabs(now.balance) <= 1e-10 * first);
    }
    CU_ASSERT(worst <= 10000 * 2.2e-16 * first * 10.0);
    ew_model_free(model);
}

/* At every step size the energy of implicit Euler falls in every step. */
static void test_implicit_euler_never_gains_energy(void)
{
    for (double dt = 1e-4; dt < 20.0; dt *= 3.0) {
        ew_dynamics_def def = accounted(EW_IMPLICIT_EULER);
        def.mass = dt > 0.01 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
        ew_model *model = make_bar((double[3]){2.0, 0.5, 0.5}, (int32_t[3]){4, 1, 1}, true);
        fill(model, 5, 0.02, displacement(model));
        fill(model, 6, 0.7, ew_model_velocity(model));
        must(ew_model_start_dynamics(model, &def, 0.0));
        ew_energy_account now = account_of(model);
        for (int k = 0; k < 60; k++) {
            const double before = energy_of(&now);
            must(ew_model_advance(model, dt, NULL));
            now = account_of(model);
            CU_ASSERT(energy_of(&now) <= before);
        }
        CU_ASSERT(now.balance < 0.0);
        ew_model_free(model);
    }
}

static void expect_same(const double a[3], const double b[3], double scale)
{
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(a[c], b[c], 1e-10 * scale);
    }
}

/* A body without supports that is thrown, turns and swings. */
static void test_free_flight_keeps_momentum(void)
{
    for (int i = 0; i < 2 * EW_SCHEME_COUNT; i++) {
        ew_dynamics_def def = accounted((ew_scheme_kind)(i / 2));
        def.mass = i % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
        def.damping_stiffness = 0.002; /* forces between parts of the body alone */
        ew_model *model = make_bar((double[3]){1.0, 0.7, 0.5}, (int32_t[3]){3, 2, 1}, false);
        fill(model, 11, 1.0, ew_model_velocity(model));
        must(ew_model_start_dynamics(model, &def, 0.0));
        const ew_energy_account first = account_of(model);
        CU_ASSERT_DOUBLE_EQUAL(first.mass, 0.35 * rubber.density, 1e-12);
        double dt = 0.01;
        must(ew_model_stable_step(model, &dt));
        for (int k = 0; k < 50; k++) {
            must(ew_model_advance(model, fmin(0.9 * dt, 0.01), NULL));
        }
        const ew_energy_account now = account_of(model);
        expect_same(now.linear_momentum, first.linear_momentum, 1.0);
        expect_same(now.angular_momentum, first.angular_momentum, 1.0);
        CU_ASSERT(now.damping_work > 0.0 && energy_of(&now) < first.initial);
        ew_model_free(model);
    }
}

/* A pull on the end of a bar without lateral strain travels at sqrt(E / rho). */
static void test_wave_in_a_bar(void)
{
    const double length = 8.0, speed = sqrt(2000.0 / 3.0), stress = 5.0;
    const ew_material cork = {.young = 2000.0, .poisson = 0.0, .density = 3.0};
    ew_model *model = make_box((double[3]){length, 0.2, 0.2}, (int32_t[3]){160, 1, 1}, &cork, NULL);
    const int32_t wall = add_plane(model, "wall", 0, 0.0), end = add_plane(model, "end", 0, length);
    const ew_model_constraint fixed = {.set = wall, .fixed = 1};
    const ew_model_load pull = {.kind = EW_LOAD_TRACTION, .set = end, .vector = {stress, 0.0, 0.0}};
    ew_dynamics_def def = accounted(EW_CENTRAL_DIFFERENCE);
    def.damping_stiffness = 1e-5;
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &pull));
    must(ew_model_start_dynamics(model, &def, 0.0));
    double dt;
    must(ew_model_stable_step(model, &dt));
    const int n = (int)ceil(0.5 * length / speed / (0.95 * dt));
    for (int k = 0; k < n; k++) {
        must(ew_model_advance(model, 0.5 * length / speed / n, NULL));
    }
    /* the front has come to the middle: velocity stress / (rho speed) behind it, none before */
    const ew_mesh *mesh = ew_model_mesh(model);
    const double behind = stress / (3.0 * speed);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double x = mesh->xyz[3 * v], velocity = ew_model_velocity(model)[3 * v];
        if (x < 0.5 * length - 0.6) {
            CU_ASSERT(fabs(velocity) < 0.02 * behind);
        } else if (x > 0.5 * length + 1.2) {
            CU_ASSERT(fabs(velocity - behind) < 0.2 * behind);
        }
    }
    const ew_energy_account now = account_of(model);
    CU_ASSERT_DOUBLE_EQUAL(now.linear_momentum[0], stress * 0.04 * ew_model_time(model), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(now.kinetic, now.strain, 0.02 * now.strain);
    CU_ASSERT(fabs(now.balance) < 0.01 * now.kinetic);
    ew_model_free(model);
}

/* Times of two crossings of zero, upwards, of the mean z of a set. */
static double period_of(ew_model *model, int32_t tip, double dt, int n_period)
{
    const ew_set *set = ew_model_view_set(model, tip).member;
    double before = 0.0, first = -1.0;
    for (int k = 0, found = 0; k < 100000; k++) {
        double now = 0.0;
        for (int32_t i = 0; i < set->list.n; i++) {
            now += displacement(model)[3 * set->list.id[i] + 2];
        }
        if (k && before < 0.0 && now >= 0.0) {
            const double at = ew_model_time(model) - dt * now / (now - before);
            first = found == 0 ? at : first;
            if (found++ == n_period) {
                return (at - first) / n_period;
            }
        }
        before = now;
        must(ew_model_advance(model, dt, NULL));
    }
    return NAN;
}

/* A cantilever let go from its static deflection: Euler-Bernoulli's first frequency, less what
 * shear and the mesh of linear tets, which is too stiff, make of it. */
static void test_first_frequency_of_a_cantilever(void)
{
    const double length = 10.0, h = 1.0;
    const ew_material cork = {.young = 2000.0, .poisson = 0.0, .density = 3.0};
    ew_model *model = make_box((double[3]){length, h, h}, (int32_t[3]){40, 4, 4}, &cork, NULL);
    const int32_t tip = add_plane(model, "tip", 0, length);
    const ew_model_constraint fixed = {.set = add_plane(model, "wall", 0, 0.0), .fixed = 7};
    const ew_model_load push = {.kind = EW_LOAD_TOTAL_FORCE, .set = tip, .vector = {0, 0, -0.01}};
    ew_dynamics_def def = ew_default_dynamics_def();
    const ew_pcg_def solver = ew_default_pcg_def();
    def.mass = EW_MASS_CONSISTENT;
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &push));
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_set_loads(model, 0, NULL));
    must(ew_model_start_dynamics(model, &def, 0.0));
    const double second_moment = h * h * h * h / 12.0, area = h * h;
    const double w = 1.875104 * 1.875104 / (length * length) *
                     sqrt(cork.young * second_moment / (cork.density * area));
    const double period = period_of(model, tip, 2.0 * PI / w / 100.0, 2);
    CU_ASSERT(period < 2.0 * PI / w && period > 0.85 * 2.0 * PI / w);
    ew_model_free(model);
}

/* Free decay of the same shape: stiffness or mass damping of ratio z at the mode's frequency takes
 * exp(-2 z w t) of its energy, whatever the shape of a static deflection adds. */
static void test_rayleigh_damping_of_a_mode(void)
{
    const double ratio = 0.02;
    for (int i = 0; i < 2; i++) {
        ew_model *model = make_bar((double[3]){5.0, 1.0, 1.0}, (int32_t[3]){10, 2, 2}, true);
        const int32_t tip = add_plane(model, "tip", 0, 5.0);
        const ew_model_load push = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -0.1}};
        const ew_pcg_def solver = ew_default_pcg_def();
        ew_dynamics_def def = accounted(EW_NEWMARK);
        def.solver.tolerance = 1e-9;
        must(ew_model_set_loads(model, 1, &push));
        must(ew_model_solve(model, &solver, NULL));
        must(ew_model_set_loads(model, 0, NULL));
        double *start = zeros(n_entry(model));
        memcpy(start, displacement(model), n_entry(model) * sizeof *start);
        must(ew_model_start_dynamics(model, &def, 0.0));
        const double period = period_of(model, tip, 0.02, 2), w = 2.0 * PI / period;
        memcpy(displacement(model), start, n_entry(model) * sizeof *start);
        memset(ew_model_velocity(model), 0, n_entry(model) * sizeof *start);
        def.damping_mass = i ? 2.0 * ratio * w : 0.0;
        def.damping_stiffness = i ? 0.0 : 2.0 * ratio / w;
        must(ew_model_start_dynamics(model, &def, 0.0));
        const int n = 400; /* 4 periods */
        for (int k = 0; k < n; k++) {
            must(ew_model_advance(model, 4.0 * period / n, NULL));
        }
        const ew_energy_account now = account_of(model);
        const double measured = -log(energy_of(&now) / now.initial) / (2.0 * w * 4.0 * period);
        CU_ASSERT_DOUBLE_EQUAL(measured, ratio, 0.06 * ratio);
        CU_ASSERT(fabs(now.balance) < 1e-6 * now.initial);
        free(start);
        ew_model_free(model);
    }
}

/* ---- cut in two --------------------------------------------------------------------------- */

static double lumped_mass(const ew_model *model, int32_t t)
{
    return 0.25 * ew_mesh_tet_volume(ew_model_mesh(model), t) * rubber.density;
}

/* Momentum of what `gone` says of the tets: their lumped masses times velocities. */
static void momentum_of(ew_model *model, const bool *gone, double sum[3])
{
    const ew_mesh *mesh = ew_model_mesh(model);
    memset(sum, 0, 3 * sizeof *sum);
    for (int32_t i = 0; i < 12 * mesh->n_tet; i++) {
        if (gone[i / 12]) {
            sum[i % 3] +=
                lumped_mass(model, i / 12) * ew_model_velocity(model)[3 * mesh->tet[i / 3] + i % 3];
        }
    }
}

/* A clamped beam swings; a slice of tets is taken out: the outer part flies on by itself. */
static void test_cut_in_two_while_it_swings(void)
{
    ew_model *model = make_bar((double[3]){6.0, 1.0, 1.0}, (int32_t[3]){12, 2, 2}, true);
    const ew_dynamics_def def = accounted(EW_NEWMARK);
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        ew_model_velocity(model)[3 * v + 2] = mesh->xyz[3 * v] * mesh->xyz[3 * v] * 0.05;
    }
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int k = 0; k < 20; k++) {
        must(ew_model_advance(model, 0.02, NULL));
    }
    const ew_energy_account before = account_of(model);
    const size_t n = n_entry(model);
    double *u = zeros(n), *v = zeros(n), taken[3];
    bool *gone = calloc((size_t)mesh->n_tet, sizeof *gone);
    memcpy(u, displacement(model), n * sizeof *u);
    memcpy(v, ew_model_velocity(model), n * sizeof *v);
    ew_model_begin(model);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x = 0.0;
        for (int k = 0; k < 4; k++) {
            x += 0.25 * mesh->xyz[3 * mesh->tet[4 * t + k]];
        }
        gone[t] = x > 3.0 && x < 3.5;
        if (gone[t]) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
        }
    }
    momentum_of(model, gone, taken);
    must(ew_model_commit(model));
    const ew_energy_account after = account_of(model);
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(after.linear_momentum[c], before.linear_momentum[c] - taken[c],
                               1e-12);
    }
    int32_t changed = 0;
    for (size_t i = 0; i < n; i++) { /* bit for bit; there is no vertex inside the slice alone */
        changed += displacement(model)[i] != u[i] || ew_model_velocity(model)[i] != v[i];
    }
    CU_ASSERT_EQUAL(changed, 0);
    CU_ASSERT(after.edit_work < 0.0);
    CU_ASSERT_DOUBLE_EQUAL(after.edit_work, energy_of(&after) - energy_of(&before), 1e-12);
    CU_ASSERT(fabs(after.balance) < 1e-9 * after.initial);
    for (int k = 0; k < 60; k++) {
        must(ew_model_advance(model, 0.02, NULL));
    }
    /* the outer part goes on at the velocity of its center, which nothing holds */
    const ew_energy_account last = account_of(model);
    CU_ASSERT(fabs(last.balance) < 1e-8 * last.initial);
    CU_ASSERT_EQUAL(last.edit_work, after.edit_work);
    free(u), free(v), free(gone);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"newmark_energy", test_newmark_keeps_energy},
        {"implicit_euler_energy", test_implicit_euler_never_gains_energy},
        {"free_flight", test_free_flight_keeps_momentum},
        {"wave", test_wave_in_a_bar},
        {"cantilever", test_first_frequency_of_a_cantilever},
        {"rayleigh", test_rayleigh_damping_of_a_mode},
        {"cut_in_two", test_cut_in_two_while_it_swings},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"physics", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
