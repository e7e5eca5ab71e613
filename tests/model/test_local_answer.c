/* Answers after small edits by a local correction: the estimated energy error that they claim is no
 * less than the true one, what they keep equals what is formed again, and where they cannot be had
 * the solve is global. */
#include "testlib.h"

#include "matrix/parts/matrix.h"
#include "model/internal.h"
#include "shape/parts/shape.h"
#include "solver/krylov/pcg.h"
#include "solver/local/local_answer.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-3

typedef enum shape { BOX, BEAM, PLATE, BRACKET, TORUS, SHAPES } shape;

static void make_mesh(shape what, ew_mesh *mesh)
{
    switch (what) {
    case BOX:
        must(ew_shape_box(mesh, (double[]){1, 1, 1}, (int32_t[]){14, 14, 14}));
        break;
    case BEAM:
        must(ew_shape_box(mesh, (double[]){0.2, 1, 0.1}, (int32_t[]){12, 30, 6}));
        break;
    case PLATE:
        must(ew_shape_plate_hole(mesh, 1, 0.2, 0.1, (int32_t[]){24, 20, 4}));
        break;
    case BRACKET:
        must(ew_shape_bracket(mesh, 1, 0.6, 0.12, 0.08, 3));
        break;
    default:
        must(ew_shape_torus(mesh, 1, 0.3, (int32_t[]){48, 8}));
    }
}

/* Fixed at its lowest place along y, loaded by its weight and at its highest. */
static ew_model *make_model(shape what, double poisson)
{
    ew_model *model;
    ew_mesh mesh = {0};
    const ew_model_def def = ew_default_model_def();
    const ew_material material = {.young = 2.1e11, .poisson = poisson, .density = 7850};
    ew_model_constraint support = {.fixed = 7};
    ew_model_load load[2] = {{.kind = EW_LOAD_GRAVITY, .vector = {0, -9.81, 0}},
                             {.kind = EW_LOAD_FORCE, .vector = {3e3, 0, 1e3}}};
    ew_list low = {0}, high = {0};
    double least = INFINITY, most = -INFINITY;
    make_mesh(what, &mesh);
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        least = fmin(least, mesh.xyz[3 * v + 1]);
        most = fmax(most, mesh.xyz[3 * v + 1]);
    }
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        const double at = (mesh.xyz[3 * v + 1] - least) / (most - least);
        must(at < 0.05 ? ew_list_push(&low, v) : at > 0.95 ? ew_list_push(&high, v) : EW_OK);
    }
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_add_set(model, &(ew_model_set_def){"low", EW_SET_OF_VERTICES, false}, &low,
                          &support.set));
    must(ew_model_add_set(model, &(ew_model_set_def){"high", EW_SET_OF_VERTICES, false}, &high,
                          &load[1].set));
    must(ew_model_set_constraints(model, 1, &support));
    must(ew_model_set_loads(model, 2, load));
    ew_list_free(&low);
    ew_list_free(&high);
    return model;
}

static const ew_pcg_info *solve(ew_model *model, double tolerance, double energy_tolerance)
{
    const ew_pcg_info *info;
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = tolerance;
    def.energy_tolerance = energy_tolerance;
    must(ew_model_solve(model, &def, &info));
    return info;
}

static bool may_go(ew_model *model, int32_t tet)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    for (int32_t f = 0; f < 4; f++) {
        const int32_t other =
            ew_topology_face_neighbor(ew_model_topology(model), mesh, 4 * tet + f);
        int n = 0;
        for (int32_t g = 0; other >= 0 && g < 4; g++) {
            n += ew_topology_face_neighbor(ew_model_topology(model), mesh, 4 * other + g) >= 0;
        }
        if (other >= 0 && n < 3) {
            return false;
        }
    }
    return true;
}

/* One tet goes, or a vertex is moved a little. The same for both models. */
static void edit(ew_model *model, ew_model *twin, uint64_t *state)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_model *const both[] = {model, twin};
    const bool moves = ew_test_random(state, 4) == 0;
    int32_t tet;
    do {
        tet = (int32_t)ew_test_random(state, (uint32_t)mesh->n_tet);
    } while (!ew_mesh_tet_is_live(mesh, tet) || !may_go(model, tet));
    const int32_t *corner = mesh->tet + 4 * (size_t)tet;
    const double *a = mesh->xyz + 3 * (size_t)corner[0], *b = mesh->xyz + 3 * (size_t)corner[1];
    const double to[3] = {a[0] + 0.03 * (b[0] - a[0]), a[1] + 0.03 * (b[1] - a[1]),
                          a[2] + 0.03 * (b[2] - a[2])};
    const int32_t vertex = corner[0];
    for (int i = 0; i < 2 && both[i]; i++) {
        ew_model_begin(both[i]);
        must(moves ? ew_edit_move_vertex(ew_model_edit(both[i]), vertex, to)
                   : ew_edit_remove_tet(ew_model_edit(both[i]), tet));
        must(ew_model_commit(both[i]));
    }
}

/* |x - y| / |y| in the energy norm of the twin, whose displacement y is. */
static double true_error(ew_model *model, ew_model *twin)
{
    const ew_matrix *matrix;
    const ew_pattern *pattern;
    must(ew_model_assemble_stiffness(twin, &matrix, &pattern));
    const size_t n = 3 * (size_t)pattern->n_row;
    const double *x = ew_model_field(model, 0), *y = ew_model_field(twin, 0);
    double *e, *k, error = 0.0, all = 0.0;
    must(ew_new(&e, 2 * n, sizeof *e));
    k = e + n;
    for (size_t i = 0; i < n; i++) {
        e[i] = x[i] - y[i];
    }
    ew_matrix_product(matrix, pattern, e, k);
    for (size_t i = 0; i < n; i++) {
        error += e[i] * k[i];
    }
    ew_matrix_product(matrix, pattern, y, k);
    for (size_t i = 0; i < n; i++) {
        all += y[i] * k[i];
    }
    ew_release(e);
    return sqrt(fmax(error, 0.0) / all);
}

static ew_status verify(ew_model *model)
{
    const ew_system system = model_system_view(model, &model->stiffness, model->force.value);
    return ew_preconditioner_verify_answer(&model->stiffness.solver.preconditioner, &system,
                                           ew_model_field(model, 0));
}

/* Edits of a body; the twin is solved to rounding. Returns how many answers were local. */
static int try_edits(ew_model *model, ew_model *twin, int n, double max_ratio)
{
    uint64_t state = 5;
    int n_local = 0;
    solve(model, 1e-8, TOLERANCE);
    for (int i = 0; i < n; i++) {
        edit(model, twin, &state);
        const ew_pcg_info info = *solve(model, 1e-8, TOLERANCE);
        must(verify(model));
        solve(twin, 1e-11, 0.0);
        const double error = true_error(model, twin);
        CU_ASSERT(info.energy_error <= TOLERANCE);
        CU_ASSERT(error <= info.energy_error);
        CU_ASSERT(!info.is_local || info.energy_error <= max_ratio * error);
        CU_ASSERT(!info.is_local || (info.iterations == 0 && info.residual > 0.0));
        n_local += info.is_local;
    }
    return n_local;
}

static void test_claims(void)
{
    enum { EDITS = 15 };
    for (shape what = BOX; what < SHAPES; what++) {
        ew_model *model = make_model(what, 0.3), *twin = make_model(what, 0.3);
        const int n = try_edits(model, twin, EDITS, 4.0);
        CU_ASSERT(n >= EDITS / 3);
        ew_model_free(model);
        ew_model_free(twin);
    }
}

/* Nearly incompressible: the estimate is raised by the Ritz value. */
static void test_incompressible(void)
{
    ew_model *model = make_model(BOX, 0.49), *twin = make_model(BOX, 0.49);
    try_edits(model, twin, 15, 10.0);
    ew_model_free(model);
    ew_model_free(twin);
}

/* Tets beside a vertex go one by one until the rest hangs by little: whatever is claimed holds. */
static void test_loose_part(void)
{
    ew_model *model = make_model(BEAM, 0.3), *twin = make_model(BEAM, 0.3);
    ew_model *const both[] = {model, twin};
    solve(model, 1e-8, TOLERANCE);
    const ew_mesh *mesh = ew_model_mesh(model);
    int n_gone = 0;
    for (int32_t t = 0; t < mesh->n_tet && n_gone < 60; t++) {
        double y = 0.0, x = 0.0;
        for (int k = 0; k < 4; k++) {
            x += 0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + k]];
            y += 0.25 * mesh->xyz[3 * (size_t)mesh->tet[4 * (size_t)t + k] + 1];
        }
        if (!ew_mesh_tet_is_live(mesh, t) || fabs(y - 0.55) > 0.02 || x > 0.17) {
            continue;
        }
        for (int i = 0; i < 2; i++) { /* a slit that grows through the beam */
            ew_model_begin(both[i]);
            must(ew_edit_remove_tet(ew_model_edit(both[i]), t));
            must(ew_model_commit(both[i]));
        }
        ew_pcg_def def = ew_default_pcg_def();
        const ew_pcg_info *info;
        def.energy_tolerance = TOLERANCE;
        if (ew_model_solve(model, &def, &info) == EW_UNDER_CONSTRAINED) {
            break;
        }
        const double claimed = info->energy_error;
        must(verify(model));
        if (n_gone % 6 == 5) {
            solve(twin, 1e-11, 0.0);
            CU_ASSERT(true_error(model, twin) <= claimed);
        }
        n_gone++;
    }
    CU_ASSERT(n_gone > 20);
    ew_model_free(model);
    ew_model_free(twin);
}

/* The load counts, and so does a support that moves: its row is no free one. */
static void test_moved_support(void)
{
    ew_model *model = make_model(BEAM, 0.3), *twin = make_model(BEAM, 0.3);
    ew_model *const both[] = {model, twin};
    const ew_model_constraint support[2] = {{.set = 0, .fixed = 7},
                                            {.set = 1, .fixed = 1, .value = {1e-6, 0, 0}}};
    uint64_t state = 3;
    solve(model, 1e-8, TOLERANCE);
    for (int i = 0; i < 2; i++) {
        must(ew_model_set_constraints(both[i], 2, support));
    }
    CU_ASSERT(!solve(model, 1e-8, TOLERANCE)->is_local);
    int n_local = 0;
    for (int i = 0; i < 12; i++) {
        edit(model, twin, &state);
        const ew_pcg_info info = *solve(model, 1e-8, TOLERANCE);
        must(verify(model));
        solve(twin, 1e-11, 0.0);
        CU_ASSERT(true_error(model, twin) <= info.energy_error);
        n_local += info.is_local;
    }
    CU_ASSERT(n_local > 3);
    ew_model_free(model);
    ew_model_free(twin);
}

/* A solve without the tolerance, other loads, another material: nothing of before is used. */
static void test_forgets(void)
{
    ew_model *model = make_model(BOX, 0.3), *twin = make_model(BOX, 0.3);
    const ew_material softer = {.young = 1e11, .poisson = 0.3, .density = 7850};
    const ew_model_load half = {.kind = EW_LOAD_GRAVITY, .vector = {0, -4.9, 0}};
    uint64_t state = 11;
    solve(model, 1e-8, TOLERANCE);
    edit(model, twin, &state);
    CU_ASSERT(solve(model, 1e-8, TOLERANCE)->is_local);
    CU_ASSERT(solve(model, 1e-8, TOLERANCE)->is_local); /* nothing has changed */
    CU_ASSERT(!solve(model, 1e-8, 0.0)->is_local);
    edit(model, twin, &state);
    CU_ASSERT(!solve(model, 1e-8, TOLERANCE)->is_local);
    must(ew_model_set_loads(model, 1, &half));
    must(ew_model_set_loads(twin, 1, &half));
    CU_ASSERT(!solve(model, 1e-8, TOLERANCE)->is_local);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &softer));
    must(ew_model_set_material(twin, EW_ALL_REGIONS, &softer));
    const ew_pcg_info info = *solve(model, 1e-8, TOLERANCE);
    CU_ASSERT(!info.is_local);
    solve(twin, 1e-11, 0.0);
    CU_ASSERT(true_error(model, twin) <= info.energy_error);
    ew_model_free(model);
    ew_model_free(twin);
}

/* A displacement that the caller changes somewhere is corrected there, or globally. */
static void test_foreign_displacement(void)
{
    ew_model *model = make_model(BOX, 0.3), *twin = make_model(BOX, 0.3);
    solve(model, 1e-8, TOLERANCE);
    const int32_t n_vertex = ew_model_mesh(model)->n_vertex;
    ew_model_field(model, 0)[3 * (size_t)(n_vertex / 2)] += 1e-7;
    ew_pcg_info info = *solve(model, 1e-8, TOLERANCE);
    must(verify(model));
    solve(twin, 1e-11, 0.0);
    CU_ASSERT(true_error(model, twin) <= info.energy_error);
    for (int32_t i = 0; i < 3 * n_vertex; i += 3) {
        ew_model_field(model, 0)[i] += 1e-7;
    }
    info = *solve(model, 1e-8, TOLERANCE);
    CU_ASSERT(!info.is_local);
    CU_ASSERT(true_error(model, twin) <= info.energy_error);
    ew_model_free(model);
    ew_model_free(twin);
}

/* The last load goes, which was on one vertex: the outcome of the answer zero is that of any solve.
 */
static void test_last_load(void)
{
    ew_model *model = make_model(BOX, 0.3);
    ew_model_load force = {.kind = EW_LOAD_FORCE, .vector = {0, 1e3, 0}};
    ew_list one = {0};
    must(ew_list_push(&one, ew_model_mesh(model)->n_vertex - 1));
    must(ew_model_add_set(model, &(ew_model_set_def){"one", EW_SET_OF_VERTICES, false}, &one,
                          &force.set));
    must(ew_model_set_loads(model, 1, &force));
    solve(model, 1e-8, TOLERANCE);
    must(ew_model_set_loads(model, 0, NULL));
    const ew_pcg_info *info = solve(model, 1e-8, TOLERANCE);
    CU_ASSERT(!info->is_local);
    CU_ASSERT_EQUAL(info->residual, 0.0);
    CU_ASSERT_EQUAL(info->energy_error, 0.0);
    ew_list_free(&one);
    ew_model_free(model);
}

/* What has no local answer claims its residual. */
static void test_others(void)
{
    ew_model *model = make_model(BOX, 0.3);
    uint64_t state = 11;
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    def.energy_tolerance = TOLERANCE;
    def.preconditioner = EW_BLOCK_JACOBI;
    must(ew_model_solve(model, &def, NULL));
    edit(model, NULL, &state);
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT(!info->is_local && info->residual <= def.tolerance);
    ew_model_free(model);
}

static void test_threads(void)
{
    enum { EDITS = 12 };
    const int before = ew_threads();
    ew_model *model[2];
    for (int i = 0; i < 2; i++) {
        uint64_t state = 77;
        ew_use_threads(1 + 2 * i);
        model[i] = make_model(PLATE, 0.3);
        solve(model[i], 1e-8, TOLERANCE);
        for (int k = 0; k < EDITS; k++) {
            edit(model[i], NULL, &state);
            solve(model[i], 1e-8, TOLERANCE);
        }
    }
    ew_use_threads(before);
    const size_t n = 3 * (size_t)ew_model_mesh(model[0])->n_vertex;
    CU_ASSERT(
        !memcmp(ew_model_field(model[0], 0), ew_model_field(model[1], 0), n * sizeof(double)));
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

/* A model that is given the answers of another goes on with the same bits. */
static void test_accepted(void)
{
    enum { EDITS = 12 };
    ew_model *model[2] = {make_model(PLATE, 0.3), make_model(PLATE, 0.3)};
    uint64_t state = 31;
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    int n_local = 0;
    def.energy_tolerance = TOLERANCE;
    for (int k = 0; k < EDITS; k++) {
        if (k > 0) {
            edit(model[0], model[1], &state);
        }
        const ew_pcg_info known = *solve(model[0], 1e-8, TOLERANCE);
        n_local += known.is_local;
        if (k % 4 < 3) {
            must(ew_model_accept(model[1], &def, ew_model_field(model[0], 0), &known, &info));
            CU_ASSERT(info->is_local == known.is_local && info->n_local == known.n_local);
        } else {
            info = solve(model[1], 1e-8, TOLERANCE);
        }
        CU_ASSERT_EQUAL(info->energy_error, known.energy_error);
        must(verify(model[1]));
        const size_t n = 3 * (size_t)ew_model_mesh(model[0])->n_vertex;
        CU_ASSERT(
            !memcmp(ew_model_field(model[0], 0), ew_model_field(model[1], 0), n * sizeof(double)));
    }
    CU_ASSERT(n_local > 3 && n_local < EDITS - 1);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

/* Each allocation in turn fails: the solve says so, or does without, and the next one is right. */
static void test_memory(void)
{
    ew_model *model = make_model(PLATE, 0.3);
    uint64_t state = 7;
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    def.energy_tolerance = TOLERANCE;
    for (int64_t k = 0;; k++) {
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_solve(model, &def, &info);
        const bool failed = ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        if (!failed) {
            break;
        }
        k += k / 8;
    }
    for (int64_t k = 0; k < 6; k++) {
        edit(model, NULL, &state);
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_solve(model, &def, &info);
        ew_test_allocations_end();
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        solve(model, 1e-8, TOLERANCE);
        must(verify(model));
    }
    ew_model_free(model);
}

static void test_min_ritz_value(void)
{
    /* one step: the Rayleigh quotient; two: that of the matrix [[2, 1], [1, 2]], 1 and 3 */
    CU_ASSERT_DOUBLE_EQUAL(ew_min_ritz_value(1, (double[]){2.0, 6.0}), 3.0, 1e-3);
    /* K = diag(1, 3), r = (1, 1): alpha = 1/2, r' = (1/2, -1/2), beta = 1/4, alpha' = 2/3 */
    CU_ASSERT_DOUBLE_EQUAL(ew_min_ritz_value(2, (double[]){2.0, 4.0, 0.5, 0.75}), 1.0, 1e-3);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"claims", test_claims},
                           {"incompressible", test_incompressible},
                           {"loose_part", test_loose_part},
                           {"moved_support", test_moved_support},
                           {"forgets", test_forgets},
                           {"foreign_displacement", test_foreign_displacement},
                           {"last_load", test_last_load},
                           {"others", test_others},
                           {"threads", test_threads},
                           {"accepted", test_accepted},
                           {"memory", test_memory},
                           {"min_ritz_value", test_min_ritz_value},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"local_answer", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
