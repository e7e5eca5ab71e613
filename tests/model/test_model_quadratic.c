/* Quadratic tets in a model: random edits and changes of order after which rows, blocks and
 * products are those of a rebuild; answers of mixed meshes; coefficients that follow. */
#include "ew_parts.h"
#include "model_edits.h"
#include "one_device.h"

#include "model/internal.h"
#include "solver/cholmod.h"

#include <math.h>
#include <stdio.h>

/* ---- the oracle ----------------------------------------------------------------- */

/* An edge carries a row exactly when it has a quadratic tet. */
static void check_rows(const ew_model *model)
{
    const ew_topology *topology = ew_model_topology(model);
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    int32_t n = 0;
    for (int32_t e = 0; e < topology->pattern.n_pair; e++) {
        bool carries = false;
        for (int32_t i = 0;
             topology->pattern.pair_row[2 * (size_t)e] >= 0 && i < topology->edge_to_tet.count[e];
             i++) {
            const int32_t at = topology->edge_to_tet.begin[e] + i;
            carries |= ew_model_tet_is_quadratic(model, topology->edge_to_tet.item[at]);
        }
        n += carries;
        CU_ASSERT(carries == (rows && rows->row[e] >= 0));
        CU_ASSERT(!carries || rows->edge[rows->row[e]] == e);
    }
    CU_ASSERT(n == (rows ? rows->n_live : 0));
}

/* Loads on edges have the bits of those gathered from all of the mesh. */
static void check_loads(ew_model *model)
{
    const model_quadratic *q = &model->quadratic;
    const size_t n = 3 * (size_t)q->rows.pattern.n_row;
    if (!model_has_edges(model) || model_update_supports(model) || model_update_loads(model)) {
        return;
    }
    must(model_prepare_edges(model));
    double *f = malloc(n * sizeof *f + 1);
    must(ew_loads_gather_edges(&model->mesh, &model->topology, &model->materials,
                               model->n_load_line, model->load_line, model->load_share, &q->rows,
                               NULL, false, f));
    CU_ASSERT(!memcmp(f, model_edges_of(&model->force), n * sizeof *f));
    free(f);
}

static void enrich_some(ew_model *model, uint64_t *state)
{
    ew_list tet = {0};
    const ew_mesh *mesh = ew_model_mesh(model);
    const int32_t n = 1 + (int32_t)ew_test_random(state, 20);
    for (int32_t i = 0; i < n && mesh->n_live_tet; i++) {
        must(ew_list_push(&tet, random_live_tet(mesh, state)));
    }
    ew_list_sort_unique(&tet);
    must(ew_model_enrich(model, &tet, ew_test_random(state, 2) == 0));
    ew_list_free(&tet);
}

static void run_edits(uint64_t seed, int n, ew_device *on)
{
    ew_model *model = make_model(2, on);
    editor e = {.state = seed};
    int different = 0;
    must(ew_model_set_order(model, seed % 2 == 0));
    for (int i = 0; i < n && !different; i++) {
        const uint32_t kind = ew_test_random(&e.state, 30);
        ew_status status = EW_OK;
        if (kind < 8) {
            enrich_some(model, &e.state);
        } else if (kind == 8) {
            must(ew_model_compact(model, NULL, NULL));
            e.n_gone = 0;
        } else {
            status = ew_model_apply(model, queue_any, &e);
        }
        CU_ASSERT(status == EW_OK || status == EW_BAD_EDIT);
        if (ew_test_random(&e.state, 3) == 0 && ew_model_mesh(model)->n_live_tet) {
            ew_model_verification result;
            must(ew_model_verify(model, &result));
            different += result.n_different != 0;
        }
        if (i % 8 == 0) {
            check_rows(model);
        }
        if (ew_test_random(&e.state, 3) == 0) {
            check_loads(model);
        }
        if (ew_test_random(&e.state, 25) == 0) {
            ew_pcg_def def = ew_default_pcg_def();
            def.max_iterations = 2;
            status = ew_model_solve(model, &def, NULL);
            CU_ASSERT(status == EW_OK || status == EW_NOT_CONVERGED ||
                      status == EW_UNDER_CONSTRAINED || status == EW_BAD_INPUT);
            if (status && status != EW_NOT_CONVERGED && status != EW_UNDER_CONSTRAINED &&
                status != EW_BAD_INPUT) {
                printf("%s\n", ew_message());
            }
        }
    }
    CU_ASSERT_EQUAL(different, 0);
    ew_model_free(model);
}

/* A new body now and then: thousands of edits leave tets so thin that most edits are refused. */
static void run_bodies(uint64_t seed, int n, ew_device *on)
{
    enum { EDITS_OF_BODY = 200 };
    for (int done = 0; done < n; done += EDITS_OF_BODY) {
        run_edits(seed + 1000 * (uint64_t)done, n - done < EDITS_OF_BODY ? n - done : EDITS_OF_BODY,
                  on);
    }
}

static void test_edits_equal_a_rebuild(void)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        run_bodies(seed_of(seed), edits_of(6, 120), NULL);
    }
}

/* What is there has the bits of what the host builds. */
static void test_edits_equal_a_rebuild_on_a_device(void)
{
    for (uint64_t seed = 1; seed <= 2 && device && ew_device_about(device)->has_double; seed++) {
        run_bodies(seed_of(seed), edits_of(2, 100), device);
    }
}

/* ---- answers --------------------------------------------------------------------- */

/* A beam, fixed at one end and drawn down at the other; sets and all in place. */
static ew_model *make_beam_on(ew_device *on, ew_precision precision, double poisson)
{
    ew_mesh mesh = {0};
    ew_model *model = NULL;
    ew_model_def def = ew_default_model_def();
    def.device = on;
    def.precision = precision;
    const ew_material steel = {.young = 210e9, .poisson = poisson, .density = 7850.0};
    must(ew_shape_box(&mesh, (double[]){1.0, 0.1, 0.1}, (int32_t[]){10, 2, 2}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    const ew_boundary *boundary;
    must(ew_model_boundary(model, &boundary));
    int32_t set[2];
    for (int k = 0; k < 2; k++) {
        ew_list face = {0};
        const ew_selector at = {.kind = EW_SELECT_PLANE,
                                .a = {(double)k, 0.0, 0.0},
                                .b = {1.0, 0.0, 0.0},
                                .radius = 1e-9};
        must(ew_boundary_select(boundary, ew_model_mesh(model), &at, NULL, &face));
        const ew_model_set_def of = {.name = k ? "tip" : "wall", .kind = EW_SET_OF_FACES};
        must(ew_model_add_set(model, &of, &face, &set[k]));
        ew_list_free(&face);
    }
    const ew_model_constraint fixed = {.set = set[0], .fixed = 7};
    const ew_model_load down = {
        .kind = EW_LOAD_TOTAL_FORCE, .set = set[1], .vector = {0.0, 0.0, -1000.0}};
    must(ew_model_set_constraints(model, 1, &fixed));
    must(ew_model_set_loads(model, 1, &down));
    return model;
}

static ew_model *make_beam(double poisson)
{
    return make_beam_on(NULL, EW_AUTO_PRECISION, poisson);
}

static double solve_beam_in(ew_model *model, ew_precision precision)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.precision = precision;
    const ew_sums *sums;
    def.tolerance = 1e-10;
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, &sums));
    CU_ASSERT_DOUBLE_EQUAL(sums->external_work / sums->strain_energy, 2.0, 1e-7);
    CU_ASSERT(sums->equilibrium < 1e-8);
    return sums->strain_energy;
}

static double solve_beam(ew_model *model)
{
    return solve_beam_in(model, EW_AUTO_PRECISION);
}

/* Between the linear and the quadratic answer, and back again to the bit. */
static void test_enriching_and_back(void)
{
    ew_model *model = make_beam(0.3);
    const double linear = solve_beam(model);
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    double *u = malloc(n * sizeof *u);
    memcpy(u, ew_model_displacement(model), n * sizeof *u);
    ew_list near = {0}, all = {0};
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t++) {
        const int32_t v = ew_model_mesh(model)->tet[4 * (size_t)t];
        must(ew_list_push(&all, t));
        if (ew_model_mesh(model)->xyz[3 * (size_t)v] < 0.5) {
            must(ew_list_push(&near, t));
        }
    }
    must(ew_model_enrich(model, &near, true));
    const double mixed = solve_beam(model);
    must(ew_model_enrich(model, &all, true));
    const double quadratic = solve_beam(model);
    CU_ASSERT(linear < mixed && mixed < quadratic);
    /* Timoshenko: F^2 / 2 (L^3 / 3 E I + L / k G A) */
    const double exact = 0.5e6 * (1.0 / (3.0 * 210e9 * 1e-4 / 12.0) + 1.2 * 2.6 / 210e9 / 0.01);
    CU_ASSERT_DOUBLE_EQUAL(quadratic / exact, 1.0, 0.03);
    must(ew_model_enrich(model, &all, false));
    CU_ASSERT_PTR_NULL(ew_model_edge_rows(model));
    memset(ew_model_field(model, 0), 0, n * sizeof *u);
    ew_model *fresh = make_beam(0.3);
    CU_ASSERT_EQUAL(solve_beam(model), solve_beam(fresh));
    CU_ASSERT(!memcmp(u, ew_model_displacement(fresh), n * sizeof *u));
    /* linear again, it moves; and while what edits bring is quadratic */
    const ew_dynamics_def motion = ew_default_dynamics_def();
    must(ew_model_start_dynamics(model, &motion, 0.0));
    must(ew_model_advance(model, 1e-4, NULL));
    ew_model_stop_dynamics(model);
    must(ew_model_set_order(fresh, true));
    CU_ASSERT_DOUBLE_EQUAL(solve_beam(fresh) / quadratic, 1.0, 1e-8);
    must(ew_model_enrich(fresh, &all, false));
    must(ew_model_start_dynamics(fresh, &motion, 0.0));
    must(ew_model_advance(fresh, 1e-4, NULL));
    ew_list_free(&near);
    ew_list_free(&all);
    free(u);
    ew_model_free(fresh);
    ew_model_free(model);
}

/* Wood along the beam: energy balance, and the same answer from a factor of all blocks. */
static void test_orthotropic_beam(void)
{
    ew_model *model = make_beam(0.3);
    const ew_material wood = {.kind = EW_ORTHOTROPIC,
                              .young_along = {11e9, 0.9e9, 0.5e9},
                              .poisson_between = {0.37, 0.42, 0.47},
                              .shear = {0.7e9, 0.6e9, 0.1e9},
                              .density = 500.0};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &wood));
    must(ew_model_set_order(model, true));
    const double energy = solve_beam(model);
    /* Timoshenko, as below */
    const double exact = 0.5e6 * (1.0 / (3.0 * 11e9 * 1e-4 / 12.0) + 1.2 / 0.6e9 / 0.01);
    CU_ASSERT_DOUBLE_EQUAL(energy / exact, 1.0, 0.03);
    ew_pcg_def def = ew_default_pcg_def();
    const ew_sums *sums;
#if EW_WITH_CHOLMOD
    def.direct = ew_direct_solver();
    def.preconditioner = EW_CHOLESKY;
#endif
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, &sums));
    CU_ASSERT_DOUBLE_EQUAL(sums->strain_energy / energy, 1.0, 1e-7);
    ew_model_free(model);
}

static ew_status queue_first_tets(void *user, const ew_model *model, ew_edit *edit)
{
    (void)user;
    (void)model;
    EW_TRY(ew_edit_remove_tet(edit, 200));
    return ew_edit_remove_tet(edit, 77);
}

/* The host's answers: linear, mixed, after an edit, quadratic, linear again. */
static void test_answers_on_a_device(void)
{
    static const ew_precision precision[] = {EW_DOUBLE, EW_MIXED};
    for (int k = 0; k < 2 && device && ew_device_about(device)->has_double; k++) {
        ew_model *model[] = {make_beam(0.3), make_beam_on(device, precision[k], 0.3)};
        ew_list near = {0};
        for (int32_t t = 0; t < ew_model_mesh(model[0])->n_tet; t++) {
            const int32_t v = ew_model_mesh(model[0])->tet[4 * (size_t)t];
            must(ew_model_mesh(model[0])->xyz[3 * (size_t)v] < 0.5 ? ew_list_push(&near, t)
                                                                   : EW_OK);
        }
        for (int step = 0; step < 5; step++) {
            double energy[2];
            for (int i = 0; i < 2; i++) {
                must(step == 1   ? ew_model_enrich(model[i], &near, true)
                     : step == 2 ? ew_model_apply(model[i], queue_first_tets, NULL)
                     : step > 2  ? ew_model_set_order(model[i], step == 3)
                                 : EW_OK);
                energy[i] = solve_beam_in(model[i], i ? precision[k] : EW_AUTO_PRECISION);
            }
            CU_ASSERT_DOUBLE_EQUAL(energy[1] / energy[0], 1.0, 1e-7);
        }
        ew_list_free(&near);
        ew_model_free(model[0]);
        ew_model_free(model[1]);
    }
}

/* Near-incompressible: linear tets lock, quadratic ones hardly. */
static void test_locking(void)
{
    ew_model *model = make_beam(0.4999);
    const double linear = solve_beam(model);
    must(ew_model_set_order(model, true));
    const double quadratic = solve_beam(model);
    const double exact = 0.5e6 * (1.0 / (3.0 * 210e9 * 1e-4 / 12.0) + 1.2 * 3.0 / 210e9 / 0.01);
    CU_ASSERT(linear / exact < 0.05);
    CU_ASSERT(quadratic / exact > 0.85 && quadratic / exact < 1.01);
    ew_model_free(model);
}

/* What is not there for quadratic tets says so. */
static void test_unsupported_is_refused(void)
{
    ew_model *model = NULL;
    ew_device *plain = NULL;
    ew_device_def at = ew_default_device_def();
    at.without_double = true;
    if (!device || ew_device_open(&plain, &at)) {
        return;
    }
    model = make_model(2, plain);
    CU_ASSERT_EQUAL(ew_model_set_order(model, true), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--device host"));
    ew_model_free(model);
    ew_device_close(plain);
}

/* ---- rows ------------------------------------------------------------------------------ */

/* One array for vertices and edges, whatever comes before the edges; velocities likewise. */
static void expect_one_array(ew_model *model)
{
    const size_t first = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    CU_ASSERT_PTR_EQUAL(ew_model_edge_displacement(model), ew_model_displacement(model) + first);
    CU_ASSERT_PTR_EQUAL(ew_model_edge_state(model, 1), ew_model_velocity(model) + first);
    CU_ASSERT_PTR_EQUAL(ew_model_edge_state(model, 2), ew_model_acceleration(model) + first);
}

/* ---- what follows an edit ------------------------------------------------------------ */

static ew_status queue_bisection(void *user, const ew_model *model, ew_edit *edit)
{
    (void)user;
    return ew_operation_refine(ew_model_mesh(model), ew_model_topology(model), 0.12, NULL, edit);
}

/* The halves of a split edge take its curve over: the edges of a bisected mesh lie where they lay.
 */
static void test_split_edges_keep_their_curve(void)
{
    ew_model *model = make_beam(0.3);
    must(ew_model_set_order(model, true));
    solve_beam(model);
    const ew_pattern *pattern = &ew_model_topology(model)->pattern;
    const int32_t n = pattern->n_pair;
    double *middle = malloc(3 * (size_t)n * sizeof *middle);
    int32_t *end = malloc(2 * (size_t)n * sizeof *end);
    for (int32_t e = 0; e < n; e++) {
        const double *u = ew_model_displacement(model);
        const int32_t row = ew_model_edge_rows(model)->row[e];
        memcpy(end + 2 * e, pattern->pair_row + 2 * e, 2 * sizeof *end);
        for (int c = 0; c < 3; c++) {
            middle[3 * e + c] = 0.5 * (u[3 * end[2 * e] + c] + u[3 * end[2 * e + 1] + c]) +
                                ew_model_edge_displacement(model)[3 * row + c];
        }
    }
    expect_one_array(model);
    must(ew_model_apply(model, queue_bisection, NULL));
    expect_one_array(model);
    const ew_change *change = ew_model_change(model);
    CU_ASSERT(change->added_vertex.n > 0);
    int32_t n_found = 0;
    for (int32_t i = 0; i < change->added_vertex.n; i++) {
        const int32_t *parent = change->added_parent + 2 * i, v = change->added_vertex.id[i];
        for (int32_t e = 0; e < n; e++) {
            const bool same = (parent[0] == end[2 * e] && parent[1] == end[2 * e + 1]) ||
                              (parent[1] == end[2 * e] && parent[0] == end[2 * e + 1]);
            for (int c = 0; c < 3 && same; c++) {
                CU_ASSERT_DOUBLE_EQUAL(ew_model_displacement(model)[3 * v + c], middle[3 * e + c],
                                       1e-15);
            }
            n_found += same;
        }
    }
    CU_ASSERT(n_found > 0);
    free(middle);
    free(end);
    ew_model_free(model);
}

/* ---- operations ---------------------------------------------------------------------- */

/* One value by which each operation of the table does something to the beam. */
static const char *const operation_value[][3] = {{"decimate", "fraction", "0.1"},
                                                 {"mirror", "normal", "y"},
                                                 {"scale", "factor", "1.2,1,1"},
                                                 {"remove", "pieces_smaller_than", "100"},
                                                 {"add", "weld", "1e-6"},
                                                 {"move", "by", "0.01,0,0"},
                                                 {"refine", "longer_than", "0.12"},
                                                 {"smooth", "sweeps", "2"},
                                                 {"rotate", "angle", "30"},
                                                 {"cut", "plane", "0,0.07,0,0.02,-1,0.01"},
                                                 {"split", "plane", "0.5,0,0,1,0,0"}};

static ew_status queue_operation(ew_model *model, const char *const value[3])
{
    const ew_operation *operation = ew_operation_named(value[0]);
    ew_operation_values values = ew_operation_presets(operation);
    const int32_t vertices = ew_operation_parameter_of(operation, EW_PARAMETER_VERTICES);
    ew_mesh other = {0};
    must(ew_operation_set(operation, &values, value[1], value[2], EW_AS_KEYS));
    must(!strcmp(value[0], "rotate") ? ew_operation_set(operation, &values, "axis", "z", EW_AS_KEYS)
                                     : EW_OK);
    if (vertices >= 0 && !strcmp(value[0], "move")) {
        values.of[vertices].given = true;
        values.of[vertices].whole = 1;
    }
    must(ew_shape_box(&other, (double[]){1.0, 1.0, 1.0}, (int32_t[]){2, 1, 1}));
    for (int32_t v = 0; v < other.n_vertex; v++) {
        other.xyz[3 * (size_t)v] += 5.0;
    }
    const ew_status status = ew_model_queue_operation(model, operation, &values, &other);
    ew_mesh_free(&other);
    return status;
}

/* On all-quadratic and on mixed bodies: blocks are those of a rebuild, and the body is solved. */
static void test_every_operation(void)
{
    const int32_t n = (int32_t)(sizeof operation_value / sizeof *operation_value);
    for (int32_t i = 0; ew_operation_at(i); i++) {
        const char *name = ew_operation_at(i)->name;
        /* the first needs a mesher (test_model_remesh.c), the second a body that meets itself */
        bool found = !strcmp(name, "remesh") || !strcmp(name, "weld");
        for (int32_t k = 0; k < n; k++) {
            found = found || !strcmp(name, operation_value[k][0]);
        }
        CU_ASSERT(found);
    }
    for (int32_t k = 0; k < 2 * n; k++) {
        ew_model *model = make_beam(0.3);
        ew_pcg_def def = ew_default_pcg_def();
        ew_model_verification result;
        ew_list half = {0};
        for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t += 2) {
            must(ew_list_push(&half, t));
        }
        must(k % 2 ? ew_model_enrich(model, &half, true) : ew_model_set_order(model, true));
        solve_beam(model);
        must(queue_operation(model, operation_value[k / 2]));
        const uint64_t before = ew_model_mesh(model)->revision;
        must(ew_model_commit(model));
        CU_ASSERT(ew_model_mesh(model)->revision > before ||
                  !strcmp("remove", operation_value[k / 2][0]));
        must(ew_model_verify(model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
        check_rows(model);
        CU_ASSERT_PTR_NOT_NULL(ew_model_edge_rows(model));
        const ew_status status = ew_model_solve(model, &def, NULL);
        /* the tip is gone; a body apart, twice */
        CU_ASSERT(status == EW_OK || k / 2 == 0 || k / 2 == 4 || k / 2 == 10);
        ew_list_free(&half);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"edits_equal_a_rebuild", test_edits_equal_a_rebuild},
        {"edits_equal_a_rebuild_on_a_device", test_edits_equal_a_rebuild_on_a_device},
        {"enriching_and_back", test_enriching_and_back},
        {"orthotropic_beam", test_orthotropic_beam},
        {"answers_on_a_device", test_answers_on_a_device},
        {"locking", test_locking},
        {"unsupported_is_refused", test_unsupported_is_refused},
        {"split_edges_keep_their_curve", test_split_edges_keep_their_curve},
        {"every_operation", test_every_operation},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"model_quadratic", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
