/* A model in time against an integration of the same equations with dense matrices, written out for
 * each scheme (dynamics_fixture.h): with both kinds of mass, with and without damping, with loads
 * in time, and with tets removed on the way. */
#include "dynamics_fixture.h"

enum { N_STEP = 12, EDIT_AT = 6 };

typedef struct setting {
    ew_dynamics_def def;
    double dt;
    ew_device *device;
} setting;

static const double gravity[3] = {0.3, 0.0, -2.0}, pull[3] = {0.0, 0.7, 0.4};

/* A bar fixed at one end or free, drawn at the other by a force times sin(t). */
static ew_model *make_bar(bool is_clamped, ew_device *device, int32_t *wall, int32_t *tip)
{
    const ew_amplitude sine = {.kind = EW_AMPLITUDE_SINE,
                               .size = 1.0,
                               .frequency = 0.5 / 3.14159265358979323846,
                               .end = INFINITY};
    ew_model *model = make_box((double[3]){2.0, 0.8, 0.7}, (int32_t[3]){3, 2, 1}, &rubber, device);
    *wall = add_plane(model, "wall", 0, 0.0);
    *tip = add_plane(model, "tip", 0, 2.0);
    const ew_model_constraint fixed = {.set = *wall, .fixed = 7};
    ew_model_load load[2] = {{.kind = EW_LOAD_GRAVITY},
                             {.kind = EW_LOAD_FORCE, .set = *tip, .amplitude = 1}};
    memcpy(load[0].vector, gravity, sizeof gravity);
    memcpy(load[1].vector, pull, sizeof pull);
    must(ew_model_set_amplitudes(model, 1, &sine));
    must(ew_model_set_constraints(model, is_clamped ? 1 : 0, &fixed));
    must(ew_model_set_loads(model, 2, load));
    return model;
}

/* Matrices and loads of the body as it is; the state stays. */
static void assemble(ew_model *model, const ew_dynamics_def *def, int32_t wall, int32_t tip,
                     dense *of)
{
    const ew_set *pulled = ew_model_view_set(model, tip).member;
    memset(of->m, 0, of->n * of->n * sizeof *of->m);
    memset(of->k, 0, of->n * of->n * sizeof *of->k);
    memset(of->force, 0, of->n * sizeof *of->force);
    dense_stiffness(model, of);
    dense_mass(model, def->mass, gravity, of);
    for (size_t i = 0; i < of->n; i++) {
        of->own[i] = ew_set_has(pulled, (int32_t)(i / 3)) ? pull[i % 3] : 0.0;
    }
    dense_fix(model, wall, of);
    dense_combine(of, def->damping_mass, 0.0, def->damping_stiffness, of->c);
}

static dense make_dense(ew_model *model)
{
    const size_t n = n_entry(model);
    return (dense){n,        zeros(n * n), zeros(n * n), zeros(n * n), zeros(n),
                   zeros(n), zeros(n),     zeros(n),     zeros(n)};
}

/* Largest difference of two vectors over the largest entry. */
static double difference(size_t n, const double *a, const double *b)
{
    double largest = 0.0, error = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(b[i]));
        error = fmax(error, fabs(a[i] - b[i]));
    }
    return error / largest;
}

static void remove_some(ew_model *model)
{
    ew_model_begin(model);
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t += 5) {
        must(ew_edit_remove_tet(ew_model_edit(model), t));
    }
    must(ew_model_commit(model));
}

/* Runs both side by side. */
static void compare(const setting *with, bool is_clamped, double tolerance)
{
    int32_t wall, tip;
    ew_model *model = make_bar(is_clamped, NULL, &wall, &tip);
    ew_model *beside = with->device ? make_bar(is_clamped, with->device, &wall, &tip) : NULL;
    ew_model *run = beside ? beside : model;
    dense of = make_dense(model);
    fill(model, 7, 0.01, displacement(run));
    fill(model, 8, 0.5, ew_model_velocity(run));
    memcpy(of.u, displacement(run), of.n * sizeof *of.u);
    memcpy(of.v, ew_model_velocity(run), of.n * sizeof *of.v);
    assemble(model, &with->def, is_clamped ? wall : -1, tip, &of);
    must(ew_model_start_dynamics(run, &with->def, 0.4));
    dense_accelerate(&of, 0.4);
    CU_ASSERT(difference(of.n, ew_model_acceleration(run), of.a) < tolerance);
    for (int k = 0; k < N_STEP; k++) {
        const double t = 0.4 + k * with->dt;
        if (k == EDIT_AT) {
            remove_some(model);
            beside ? remove_some(beside) : (void)0;
            memcpy(of.u, displacement(run), of.n * sizeof *of.u);
            memcpy(of.v, ew_model_velocity(run), of.n * sizeof *of.v);
            assemble(model, &with->def, is_clamped ? wall : -1, tip, &of);
            dense_accelerate(&of, t);
        }
        must(ew_model_advance(run, with->dt, NULL));
        dense_step(&of, &with->def, t, with->dt);
        CU_ASSERT(difference(of.n, displacement(run), of.u) < tolerance);
        CU_ASSERT(difference(of.n, ew_model_velocity(run), of.v) < tolerance);
        CU_ASSERT(difference(of.n, ew_model_acceleration(run), of.a) < 100.0 * tolerance);
    }
    CU_ASSERT_DOUBLE_EQUAL(ew_model_time(run), 0.4 + N_STEP * with->dt, 1e-12);
    dense_free(&of);
    ew_model_free(model);
    ew_model_free(beside);
}

static setting make_setting(int scheme, int kind, bool damped)
{
    setting with = {.def = ew_default_dynamics_def(), .dt = 0.02};
    with.def.scheme = (ew_scheme_kind)scheme;
    with.def.mass = (ew_mass_kind)kind;
    with.def.damping_mass = damped ? 0.7 : 0.0;
    with.def.damping_stiffness = damped ? 0.004 : 0.0;
    with.def.solver.tolerance = 1e-13;
    with.def.account = damped;
    const bool is_explicit = scheme == EW_EXPLICIT_EULER || scheme == EW_CENTRAL_DIFFERENCE;
    with.dt = is_explicit ? 0.0005 : with.dt;
    return with;
}

static void test_each_scheme_as_with_dense_matrices(void)
{
    for (int i = 0; i < 4 * EW_SCHEME_COUNT; i++) {
        const bool damped = i % 2 == 1;
        const setting with = make_setting(i / 4, i / 2 % 2, damped);
        if (with.def.scheme == EW_EXPLICIT_EULER && !damped) {
            continue; /* stable at no step */
        }
        compare(&with, true, 1e-9);
        compare(&with, false, 1e-9);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"dense", test_each_scheme_as_with_dense_matrices},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"dynamics", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
