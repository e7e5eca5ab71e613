/* Energy never appears from nowhere: bodies that yield or are elastic, in free flight, and on
 * springs that throw them up again, for thousands of steps of each implicit scheme, on the host and
 * on a device. */
#include "one_device.h"
#include "warm_bar.h"

/* EW_STEPS in the environment: so many on a device, too, where a step is many calls. */
enum { MANY = 2000, FEW = 30 };

/* What may be there beyond what was, in parts of the energy at the start: what a step linearized
 * once makes before anything turned; seen is 2e-5. Schemes take some. */
static const double made = 2e-4;
/* And what it makes of a body that is thrown up and creeps: seen is 1.5e-3, of an elastic one 6e-4,
 * and by Newton's method nothing. */
static const double made_linearized = 3e-3;

typedef enum matter { YIELDS, CREEPS, ELASTIC } matter;

static ew_material lead(matter of)
{
    ew_material material = {.young = 1e6, .poisson = 0.3, .density = 1000.0};
    if (of == ELASTIC) {
        return material;
    }
    ew_material_put_law(&material, of == CREEPS ? &ew_law_creep : &ew_law_plastic);
    if (of == CREEPS) {
        material.law_value[EW_CREEP_YIELD] = 0.01;
        material.law_value[EW_CREEP_RATE] = 20.0;
        material.law_value[EW_CREEP_MAXIMUM] = 0.2;
    } else {
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 2e4;
        material.law_value[EW_PLASTIC_HARDENING] = 2e4;
    }
    return material;
}

/* A spin about z, and a bend that makes it yield. */
static void throw_up(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *v = ew_model_velocity(model);
    for (int32_t i = 0; i < mesh->n_vertex; i++) {
        const double *x = mesh->xyz + 3 * (size_t)i;
        v[3 * i] = -3.0 * (x[1] - 0.2);
        v[3 * i + 1] = 3.0 * (x[0] - 1.0);
        v[3 * i + 2] = 3.0 * (x[0] - 1.0) * (x[0] - 1.0) - 1.0;
    }
}

/* Springs under one end, which it falls on with its weight. */
static void put_springs(const bar *b)
{
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = b->low[0], .stiffness = {2e4, 2e4, 2e4}};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {9.81, 0.0, 0.0}};
    must(ew_model_set_springs(b->model, 1, &spring));
    must(ew_model_set_loads(b->model, 1, &weight));
}

static void fly(ew_device *on, ew_scheme_kind scheme, matter of, bool bounces, double tolerance)
{
    const ew_material material = lead(of);
    const bar b =
        make_bar(on, (double[3]){2.0, 0.4, 0.4}, (int32_t[3]){3, 1, 1}, EW_COROTATIONAL, &material);
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account now;
    double dissipated = 0.0, most = -INFINITY;
    def.scheme = scheme;
    def.account = true;
    def.newton_tolerance = tolerance;
    def.solver.tolerance = 1e-9;
    def.parameters.alpha = scheme == EW_HHT ? -0.1 : def.parameters.alpha;
    if (bounces) {
        put_springs(&b);
    }
    throw_up(b.model);
    must(ew_model_start_dynamics(b.model, &def, 0.0));
    must(ew_model_account(b.model, &now));
    const double first = now.initial;
    const char *asked = getenv("EW_STEPS");
    const int n = !on && !getenv("EW_QUICK") ? MANY : asked ? atoi(asked) : FEW;
    for (int i = 0; i < n; i++) {
        const ew_status status = ew_model_advance(b.model, 0.005, NULL);
        if (status) {
            printf("%s: step %d: %s\n", ew_scheme_of(scheme)->name, i, ew_message());
        }
        CU_ASSERT_EQUAL_FATAL(status, EW_OK);
        must(ew_model_account(b.model, &now));
        CU_ASSERT(now.dissipated >= dissipated);
        dissipated = now.dissipated;
        most = fmax(most, now.balance);
    }
    CU_ASSERT(most < (of == CREEPS && tolerance == 0.0 ? made_linearized : made) * first);
    CU_ASSERT(of == ELASTIC ? dissipated == 0.0 : dissipated > 1e-3 * first);
    ew_model_free(b.model);
}

static const ew_scheme_kind implicit[] = {EW_NEWMARK, EW_HHT, EW_GENERALIZED_ALPHA,
                                          EW_IMPLICIT_EULER};

/* All kinds of matter, in flight and thrown up, each linearized once a step and by Newton's method.
 */
static void fly_all(ew_device *on)
{
    for (size_t s = 0; s < sizeof implicit / sizeof *implicit; s++) {
        fly(on, implicit[s], YIELDS, false, 0.0);
        fly(on, implicit[s], CREEPS, true, 0.0);
        fly(on, implicit[s], CREEPS, true, 1e-6);
        fly(on, implicit[s], YIELDS, true, 1e-6);
        fly(on, implicit[s], CREEPS, false, 1e-6);
        fly(on, implicit[s], ELASTIC, false, 1e-6);
        fly(on, implicit[s], ELASTIC, true, 1e-6);
    }
}

static void test_energy_on_host(void)
{
    fly_all(NULL);
}

static void test_energy_on_device(void)
{
    if (device && ew_device_about(device)->has_double) {
        fly_all(device);
    }
}

static CU_TestInfo tests[] = {
    {"energy_on_host", test_energy_on_host},
    {"energy_on_device", test_energy_on_device},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"plastic_energy", open_device, close_device, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
