/* The oracle of nonlinear bodies: after random edits of every kind, and displacements that change
 * in part between them, the blocks of the tangent equal those of a rebuild bit for bit, and the
 * state of the laws is where the changes lead it. Corotational and small, elastic, plastic,
 * creeping and hyperelastic; at rest and in motion; on the host and on a device. */
#include "law_ledger.h"
#include "model_edits.h"
#include "one_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which body a run edits. */
typedef struct kind {
    ew_kinematics kinematics;
    const ew_law *law; /* null: elastic */
    bool orthotropic, moves;
    bool is_quadratic; /* in general; some tets become linear, and quadratic again */
    bool is_mixed;
} kind;

static const kind kinds[] = {
    {EW_COROTATIONAL, NULL, false, false, false, false},
    {EW_COROTATIONAL, NULL, false, true, false, false},
    {EW_COROTATIONAL, NULL, true, false, false, false},
    {EW_COROTATIONAL, &ew_law_plastic, false, false, false, false},
    {EW_COROTATIONAL, &ew_law_plastic, false, true, false, false},
    {EW_COROTATIONAL, &ew_law_creep, false, true, false, false},
    {EW_SMALL, &ew_law_plastic, false, false, false, false},
    {EW_SMALL, &ew_law_creep, false, true, false, false},
    {EW_COROTATIONAL, &ew_law_neo_hookean, false, false, false, false},
    {EW_COROTATIONAL, &ew_law_mooney_rivlin, false, true, false, false},
    {EW_COROTATIONAL, NULL, false, false, true, false},
    {EW_COROTATIONAL, NULL, true, true, true, false},
    {EW_COROTATIONAL, &ew_law_plastic, false, false, true, false},
    {EW_SMALL, &ew_law_creep, false, true, true, false},
    {EW_COROTATIONAL, &ew_law_neo_hookean, false, false, true, false},
    {EW_COROTATIONAL, NULL, false, false, false, true},
    {EW_COROTATIONAL, &ew_law_neo_hookean, false, true, false, true},
    {EW_COROTATIONAL, &ew_law_plastic, false, false, false, true},
};
enum { N_KIND = sizeof kinds / sizeof *kinds };

static bool has_state(const kind *of)
{
    return of->law && of->law->n_state;
}

static ew_material material_of(const kind *of)
{
    ew_material material = {.young = 210e9, .poisson = 0.3, .density = 7850.0, .expansion = 1.2e-5};
    if (of->orthotropic) {
        material.kind = EW_ORTHOTROPIC;
        for (int k = 0; k < 3; k++) {
            material.young_along[k] = 1e11 * (1.0 + k);
            material.poisson_between[k] = 0.2;
            material.shear[k] = 4e10;
            material.expansions[k] = 1e-5 * (1 + k);
        }
        material.axes = (ew_material_axes){
            .kind = EW_MATERIAL_AXES_CYLINDER, .point = {0.3, -0.2, 0}, .third = {0, 0, 1}};
    }
    if (of->law) {
        ew_material_put_law(&material, of->law);
    }
    if (of->law == &ew_law_mooney_rivlin) {
        const double half = 0.25 * material.young / (1.0 + material.poisson);
        material.law_value[0] = 0.75 * half;
        material.law_value[1] = 0.25 * half;
    } else if (has_state(of)) {
        material.law_value[0] = of->law == &ew_law_plastic ? 250e6 : 1e-3;
        material.law_value[1] = of->law == &ew_law_plastic ? 5e9 : 2.0;
    }
    return material;
}

/* Displacements that turn and stretch tets, of some vertices or of all; small in small theory, and
 * where laws end at volumes of 0. */
static void displace(ew_model *model, const kind *of, uint64_t *state, bool all)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double size =
        of->kinematics == EW_SMALL || (of->law && of->law->needs_stretch) ? 3e-3 : 0.4;
    double *u = NULL;
    int32_t n_state;
    must(ew_new(&u, 3 * (size_t)mesh->n_vertex + 1, sizeof *u));
    memcpy(u, ew_model_displacement(model), 24 * (size_t)mesh->n_vertex);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const bool moves = all || !ew_test_random(state, 20);
        for (int c = 0; c < 3 && moves && mesh->valence[v] >= 0; c++) {
            u[3 * v + c] = jitter(state, size);
        }
    }
    const double *law_state = ew_model_law_state(model, &n_state);
    must(ew_model_accept_nonlinear(model, n_state * mesh->n_tet, u, law_state));
    ew_release(u);
}

/* Plastic strain of any direction, a third of the tets without. */
static void make_flow(ew_model *model, uint64_t *random)
{
    const int32_t n = ew_model_mesh(model)->n_tet;
    int32_t n_state;
    double *state = NULL;
    if (!ew_model_law_state(model, &n_state)) {
        return;
    }
    must(ew_new_zero(&state, (size_t)n * (size_t)n_state, sizeof *state));
    for (int32_t t = 0; t < n; t++) {
        for (int i = 0; i < n_state && ew_mesh_tet_is_live(ew_model_mesh(model), t) && t % 3; i++) {
            const int k = i % EW_MAX_LAW_STATE;
            state[n_state * t + i] = k < 6 ? jitter(random, 1e-3) : 1e-3 * (1 + k);
        }
    }
    must(ew_model_accept_nonlinear(model, n_state * n, ew_model_displacement(model), state));
    ew_release(state);
}

/* All of the fixture's; of its loads temperatures and pressures at rest, all but temperatures in
 * motion; pressures turn with the faces. */
static ew_model *make_body(const kind *of, ew_device *on, uint64_t *random)
{
    ew_model *model = make_model(2, on);
    const ew_material material = material_of(of);
    const ew_matrix *matrix;
    ew_model_load load[N_LOAD];
    int32_t n = 0;
    for (int i = 0; i < N_LOAD; i++) {
        const bool warms = load_list[i].kind == EW_LOAD_TEMPERATURE && load_list[i].set != TIP;
        const bool presses = load_list[i].kind == EW_LOAD_PRESSURE;
        if (of->moves ? load_list[i].kind != EW_LOAD_TEMPERATURE
                      : warms || (presses && load_list[i].set == END_FACES)) {
            load[n] = load_list[i];
            load[n].pressure *= presses ? 1e6 : 1.0; /* near the stiffness of the tets */
            load[n++].follower = presses;
        }
    }
    must(ew_model_set_loads(model, n, load));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, of->kinematics));
    must(of->is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    must(of->is_mixed ? ew_model_set_mixed(model, true) : EW_OK);
    must(ew_model_matrix(model, &matrix));
    displace(model, of, random, true);
    make_flow(model, random);
    return model;
}

/* Refinements would make long runs slow. */
static ew_status queue_few(void *user, const ew_model *model, ew_edit *edit)
{
    editor *e = user;
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_decimate_def most = {
        .fraction = 0.6, .order = EW_DECIMATE_RANDOM, .seed = ew_test_random(&e->state, 1000)};
    return mesh->n_live_tet > 250 ? ew_operation_decimate(mesh, &most, edit)
                                  : queue_any(user, model, edit);
}

/* Some tets become linear, or quadratic. */
static void change_order(ew_model *model, uint64_t *random)
{
    ew_list tet = {0};
    for (int i = 0; i < 4; i++) {
        must(ew_list_push(&tet, random_live_tet(ew_model_mesh(model), random)));
    }
    ew_list_sort_unique(&tet);
    must(ew_model_enrich(model, &tet, ew_test_random(random, 2) == 0));
    ew_list_free(&tet);
}

/* A commit, or another kind of change; the ledger follows where the body has a state. */
static void edit(ew_model *model, const kind *of, editor *e, ledger *known)
{
    const uint32_t what = ew_test_random(&e->state, 30);
    if (what == 0) {
        const int32_t n = ew_model_mesh(model)->n_tet;
        int32_t *map = NULL;
        must(ew_new(&map, (size_t)n + 1, sizeof *map));
        must(ew_model_compact(model, NULL, map));
        if (has_state(of)) {
            ledger_rename(known, model, map);
        }
        e->n_gone = 0;
        ew_release(map);
    } else if (what < 6 && ew_model_mesh(model)->n_live_tet) {
        displace(model, of, &e->state, what == 1);
    } else if (what < 8 && of->is_quadratic && ew_model_mesh(model)->n_live_tet) {
        change_order(model, &e->state);
    } else {
        const ew_status status = ew_model_apply(model, queue_few, e);
        /* refused, too: to turn what has flowed */
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT ||
                  (status == EW_UNSUPPORTED && has_state(of)));
        if (!status && has_state(of)) {
            ledger_follow(known, model);
        }
    }
}

static void expect_as_rebuilt(ew_model *model, const kind *of, const ledger *known, int *different)
{
    ew_model_verification result;
    const ew_status status = ew_model_verify(model, &result);
    if (status == EW_BAD_INPUT && strstr(ew_message(), "widen the set")) {
        return; /* the last face of a load is gone: there is no tangent */
    }
    must(status);
    *different += result.n_different != 0;
    if (result.n_different) {
        printf("law %s, kinematics %d, moves %d: %lld blocks differ, by %g\n",
               of->law ? of->law->name : "elastic", (int)of->kinematics, of->moves,
               (long long)result.n_different, result.largest);
    }
    if (has_state(of)) {
        ledger_expect(known, model);
    }
}

static void run_edits(const kind *of, uint64_t seed, int n, ew_device *on)
{
    editor e = {.state = seed};
    ledger known = {0};
    ew_model *model = make_body(of, on, &e.state);
    int different = 0;
    if (has_state(of)) {
        ledger_take(&known, model);
    }
    if (of->moves) {
        const ew_dynamics_def def = ew_default_dynamics_def();
        must(ew_model_start_dynamics(model, &def, 0.0));
    }
    for (int i = 0; i < n && !different; i++) {
        edit(model, of, &e, &known);
        if (ew_test_random(&e.state, 3) == 0 && ew_model_mesh(model)->n_live_tet) {
            expect_as_rebuilt(model, of, &known, &different);
        }
    }
    CU_ASSERT_EQUAL(different, 0);
    ew_release(known.state);
    ew_model_free(model);
}

/* A new body now and then: thousands of edits leave tets so thin that most edits are refused. */
static void run_bodies(const kind *of, uint64_t seed, int n, ew_device *on)
{
    enum { EDITS_OF_BODY = 200 };
    for (int done = 0; done < n; done += EDITS_OF_BODY) {
        run_edits(of, seed + 1000 * (uint64_t)done,
                  n - done < EDITS_OF_BODY ? n - done : EDITS_OF_BODY, on);
    }
}

static void test_edits_equal_a_rebuild(void)
{
    for (int k = 0; k < N_KIND; k++) {
        run_bodies(&kinds[k], seed_of(11 + (uint64_t)k), edits_of(N_KIND, 100), NULL);
    }
}

/* What is there has the bits of what the host builds. */
static void test_edits_equal_a_rebuild_on_a_device(void)
{
    for (int k = 0; k < N_KIND && device && ew_device_about(device)->has_double; k++) {
        run_bodies(&kinds[k], seed_of(71 + (uint64_t)k), quick ? 10 : edits_of(N_KIND, 50), device);
    }
}

static CU_TestInfo tests[] = {
    {"edits_equal_a_rebuild", test_edits_equal_a_rebuild},
    {"edits_equal_a_rebuild_on_a_device", test_edits_equal_a_rebuild_on_a_device},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {
        {"oracle_nonlinear", open_device, close_device, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
