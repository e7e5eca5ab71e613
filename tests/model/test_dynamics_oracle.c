/* Edits of every kind between steps: displacement and velocity of vertices that stay are kept, mass
 * and step matrix have the bits of a build, on the host and on a device, whose trajectory is the
 * host's; a saved state goes on to the same bits. */
#include "ew_parts.h"
#include "model_edits.h"
#include "one_device.h"
#include "solver/cholmod.h"

/* ---- any edit ------------------------------------------------------------------------- */

/* Displacement and velocity by id of the vertices in the body. */
typedef struct state {
    int64_t n;
    double *value; /* [n][6]; NaN: not in the body */
} state;

static state take_state(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    state s = {.n = mesh->next_vertex_id};
    s.value = malloc((size_t)(6 * s.n + 1) * sizeof *s.value);
    for (int64_t i = 0; i < 6 * s.n; i++) {
        s.value[i] = NAN;
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > 0) {
            double *to = s.value + 6 * mesh->vertex_id[v];
            memcpy(to, ew_model_field(model, 0) + 3 * (size_t)v, 3 * sizeof *to);
            memcpy(to + 3, ew_model_velocity(model) + 3 * (size_t)v, 3 * sizeof *to);
        }
    }
    return s;
}

static void expect_kept(ew_model *model, state *s)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    int32_t changed = 0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > 0 && mesh->vertex_id[v] < s->n) {
            const double *was = s->value + 6 * mesh->vertex_id[v];
            changed += !isnan(was[0]) &&
                       (memcmp(was, ew_model_field(model, 0) + 3 * (size_t)v, 3 * sizeof *was) ||
                        memcmp(was + 3, ew_model_velocity(model) + 3 * (size_t)v, 3 * sizeof *was));
        }
    }
    CU_ASSERT_EQUAL(changed, 0);
    free(s->value);
}

static ew_dynamics_def make_def(int k)
{
    static const ew_scheme_kind kinds[4] = {EW_NEWMARK, EW_GENERALIZED_ALPHA, EW_CENTRAL_DIFFERENCE,
                                            EW_IMPLICIT_EULER};
    ew_dynamics_def def = ew_default_dynamics_def();
    def.scheme = kinds[k % 4];
    def.mass = k / 4 % 2 ? EW_MASS_CONSISTENT : EW_MASS_LUMPED;
    def.damping_mass = 3.0;
    def.damping_stiffness = 1e-6;
    def.account = true;
    return def;
}

static void expect_current(ew_model *model)
{
    ew_model_verification result = {0};
    const ew_status status = ew_model_verify(model, &result);
    CU_ASSERT(status == EW_OK || status == EW_BAD_INPUT);
    CU_ASSERT_EQUAL(result.n_different, 0);
}

/* A set that the edit emptied of faces may refuse its load; then there is no step, and no matrix
 * of it. */
static void step(ew_model *model, double most, int *taken)
{
    double dt;
    ew_status status = ew_model_stable_step(model, &dt);
    status = status ? status : ew_model_advance(model, fmin(0.9 * dt, most), NULL);
    CU_ASSERT(status == EW_OK || status == EW_BAD_INPUT);
    if (status && status != EW_BAD_INPUT) {
        printf("%s\n", ew_message());
    }
    *taken += !status;
}

static void run_sequence(ew_device *on, uint64_t seed, int n, int *taken)
{
    const ew_dynamics_def def = make_def((int)seed);
    ew_model *model = make_model(2, on);
    editor e = {.state = seed};
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < n && !CU_get_number_of_failures(); i++) {
        step(model, 2e-5, taken);
        state s = take_state(model);
        const bool compacts = ew_test_random(&e.state, 12) == 0;
        const ew_status status =
            compacts ? ew_model_compact(model, NULL, NULL) : ew_model_apply(model, queue_any, &e);
        e.n_gone = compacts ? 0 : e.n_gone;
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        expect_kept(model, &s);
        if (ew_test_random(&e.state, 2)) {
            step(model, 2e-5, taken);
            expect_current(model);
        }
    }
    ew_model_free(model);
}

static void test_any_edit_on_the_host(void)
{
    int taken = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        run_sequence(NULL, seed, 30, &taken);
    }
    CU_ASSERT(taken > 400);
}

static void test_any_edit_on_a_device(void)
{
    int taken = 0;
    const int n = quick ? 1 : edits_of(12, 4);
    for (int i = 0; i < n && device; i++) {
        run_sequence(device, seed_of(20) + (uint64_t)i, quick ? 3 : 12, &taken);
    }
    CU_ASSERT(!device || taken > 0);
}

/* ---- the same on both ------------------------------------------------------------------- */

static ew_model *make_started(ew_device *on, const ew_dynamics_def *def)
{
    ew_model *model = make_model(3, on);
    double *velocity = ew_model_velocity(model);
    for (int32_t i = 0; i < 3 * ew_model_mesh(model)->n_vertex; i++) {
        velocity[i] = 0.1 * (i % 13 - 6);
    }
    must(ew_model_start_dynamics(model, def, 0.0));
    return model;
}

static void remove_tets(ew_model *model, int32_t first)
{
    ew_model_begin(model);
    for (int32_t t = first; t < ew_model_mesh(model)->n_tet; t += 29) {
        must(ew_edit_remove_tet(ew_model_edit(model), t));
    }
    must(ew_model_commit(model));
}

static void test_a_device_moves_as_the_host(void)
{
    for (int k = 0; k < 8 && device; k++) {
        ew_dynamics_def def = make_def(k);
        def.solver.tolerance = 1e-12;
        ew_model *model[2] = {make_started(NULL, &def), make_started(device, &def)};
        for (int i = 0; i < 6; i++) {
            for (int on = 0; on < 2; on++) {
                if (i == 3) {
                    remove_tets(model[on], 4);
                }
                must(ew_model_advance(model[on], 2e-6, NULL));
            }
        }
        const size_t n = 3 * (size_t)ew_model_mesh(model[0])->n_vertex;
        double largest = 0.0, error = 0.0;
        for (size_t i = 0; i < n; i++) {
            const double u = ew_model_velocity(model[0])[i];
            largest = fmax(largest, fabs(u));
            error = fmax(error, fabs(ew_model_velocity(model[1])[i] - u));
        }
        CU_ASSERT(error <= 1e-9 * largest);
        expect_current(model[1]);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* ---- a factor for every step --------------------------------------------------------------- */

/* The direct solver moves the body as conjugate gradients do, through edits and another step. */
static void test_a_factor_moves_as_iterations_do(void)
{
#if EW_WITH_CHOLMOD
    for (int k = 0; k < 8; k++) {
        ew_dynamics_def def = make_def(k);
        def.solver.tolerance = 1e-12;
        ew_model *iterated = make_started(NULL, &def);
        def.solver.preconditioner = EW_CHOLESKY;
        def.solver.direct = ew_direct_solver();
        ew_model *model[2] = {iterated, make_started(NULL, &def)};
        for (int i = 0; i < 12; i++) {
            for (int j = 0; j < 2; j++) {
                if (i == 3 || i == 8) {
                    remove_tets(model[j], 4 + i);
                }
                must(ew_model_advance(model[j], i < 6 ? 2e-6 : 1e-6, NULL));
            }
        }
        const size_t n = 3 * (size_t)ew_model_mesh(model[0])->n_vertex;
        double largest = 0.0, error = 0.0;
        for (size_t i = 0; i < n; i++) {
            const double v = ew_model_velocity(model[0])[i];
            largest = fmax(largest, fabs(v));
            error = fmax(error, fabs(ew_model_velocity(model[1])[i] - v));
        }
        CU_ASSERT(error <= 1e-9 * largest);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
#endif
}

/* ---- a saved state ------------------------------------------------------------------------ */

enum { N_STEP = 20, SAVE_EVERY = 5 };

static void edit_at(ew_model *model, int i)
{
    if (i == 7 || i == 13) {
        remove_tets(model, i);
    }
}

/* Steps from one place to another, saving on the way. */
static void run_on(ew_model *model, const ew_dynamics_def *def, int from, int to)
{
    ew_dynamics_state saved;
    for (int i = from; i < to; i++) {
        if (i % SAVE_EVERY == 0) {
            must(ew_model_dynamics_state(model, &saved));
            must(ew_model_restore_dynamics(model, def, &saved));
        }
        edit_at(model, i);
        must(ew_model_advance(model, i < 12 ? 1e-6 : 2e-6, NULL));
    }
}

/* A second model with the same commits gets the fields of the first at a save, and ends equal. */
static void test_a_saved_state_goes_on(void)
{
    for (int k = 0; k < 8; k += 3) {
        ew_dynamics_def def = make_def(k);
        def.solver.preconditioner = k == 3 ? EW_AUTO_PRECONDITIONER : EW_RIGID;
        def.solver.tolerance = 1e-5; /* as many bits as may differ do */
        ew_model *model = make_started(NULL, &def), *other = make_started(NULL, &def);
        ew_dynamics_state saved;
        run_on(model, &def, 0, 10);
        edit_at(other, 7);
        must(ew_model_dynamics_state(model, &saved));
        const size_t size = 3 * (size_t)ew_model_mesh(model)->n_vertex * sizeof(double);
        memcpy(ew_model_field(other, 0), ew_model_field(model, 0), size);
        memcpy(ew_model_velocity(other), ew_model_velocity(model), size);
        memcpy(ew_model_acceleration(other), ew_model_acceleration(model), size);
        must(ew_model_restore_dynamics(other, &def, &saved));
        run_on(model, &def, 10, N_STEP);
        run_on(other, &def, 10, N_STEP);
        ew_energy_account a, b;
        must(ew_model_account(model, &a));
        must(ew_model_account(other, &b));
        CU_ASSERT_EQUAL(memcmp(ew_model_field(model, 0), ew_model_field(other, 0), size), 0);
        CU_ASSERT_EQUAL(memcmp(ew_model_velocity(model), ew_model_velocity(other), size), 0);
        CU_ASSERT_EQUAL(memcmp(ew_model_acceleration(model), ew_model_acceleration(other), size),
                        0);
        CU_ASSERT_EQUAL(memcmp(&a, &b, sizeof a), 0);
        ew_model_free(model);
        ew_model_free(other);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"any_edit_on_the_host", test_any_edit_on_the_host},
        {"any_edit_on_a_device", test_any_edit_on_a_device},
        {"host_and_device", test_a_device_moves_as_the_host},
        {"direct", test_a_factor_moves_as_iterations_do},
        {"saved_state", test_a_saved_state_goes_on},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"edits", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
