/* Nonlinear statics of a model: slender cantilevers against the elastica, turned bodies, failures,
 * states that follow edits, the oracle. */
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

/* A bar along x with a clamped end. */
typedef struct bar {
    ew_model *model;
    int32_t wall, tip;
    double length;
} bar;

static int32_t add_end(ew_model *model, const char *name, double x)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {name, EW_SET_OF_VERTICES, true};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (fabs(mesh->xyz[3 * (size_t)v] - x) < 1e-9) {
            must(ew_list_push(&list, v));
        }
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

static bar make_bar(double length, double height, int32_t along, int32_t across, double poisson)
{
    bar b = {.length = length};
    ew_mesh mesh;
    const ew_model_def def = ew_default_model_def();
    must(ew_shape_box(&mesh, (double[3]){length, height, height},
                      (int32_t[3]){along, across, across}));
    must(ew_model_create(&b.model, &mesh, &def));
    must(
        ew_model_set_material(b.model, EW_ALL_REGIONS,
                              &(ew_material){.young = 1e6, .poisson = poisson, .density = 1000.0}));
    b.wall = add_end(b.model, "wall", 0.0);
    b.tip = add_end(b.model, "tip", length);
    must(ew_model_set_constraints(b.model, 1, &(ew_model_constraint){.set = b.wall, .fixed = 7}));
    return b;
}

static void pull_tip(const bar *b, double x, double y, double z)
{
    must(ew_model_set_loads(
        b->model, 1, &(ew_model_load){.kind = EW_LOAD_FORCE, .set = b->tip, .vector = {x, y, z}}));
}

static void mean_at(const bar *b, int32_t set, double mean[3])
{
    ew_list list = {0};
    must(ew_model_list_vertices(b->model, set, &list));
    memset(mean, 0, 3 * sizeof *mean);
    for (int32_t i = 0; i < list.n; i++) {
        for (int c = 0; c < 3; c++) {
            mean[c] += ew_model_displacement(b->model)[3 * (size_t)list.id[i] + (size_t)c] / list.n;
        }
    }
    ew_list_free(&list);
}

static ew_nonlinear_def settings(int32_t n_step)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.n_step = n_step;
    return def;
}

/* The bending stiffness of the mesh itself, measured by a small load: linear tets are too stiff,
 * and what is compared is the nonlinear theory. Mattiasson (1981), Numerical results from large
 * deflection beam and frame problems analyzed by means of elliptic integrals, Int. J. Numer. Meth.
 * Eng. 17; the digits by integrating the elastica. */
static void test_cantilever_follows_the_elastica(void)
{
    static const double table[3][3] = {{1.0, 0.30172077, 0.05643323},
                                       {3.0, 0.60325343, 0.25442018},
                                       {6.0, 0.74457114, 0.43458882}};
    bar b = make_bar(10.0, 0.25, 60, 2, 0.0);
    const ew_nonlinear_def def = settings(1);
    const ew_pcg_def linear = ew_default_pcg_def();
    const ew_nonlinear_info *info;
    double mean[3];
    pull_tip(&b, 0.0, 0.0, 1.0e-3);
    must(ew_model_solve(b.model, &linear, NULL));
    mean_at(&b, b.tip, mean);
    const double bending = 1.0e-3 * 1000.0 / (3.0 * mean[2]);
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    for (int k = 0; k < 3; k++) {
        pull_tip(&b, 0.0, 0.0, table[k][0] * bending / 100.0);
        must(ew_model_solve_nonlinear(b.model, &def, &info));
        mean_at(&b, b.tip, mean);
        CU_ASSERT_DOUBLE_EQUAL(mean[2] / 10.0, table[k][1], 0.01 * table[k][1]);
        CU_ASSERT_DOUBLE_EQUAL(-mean[0] / 10.0, table[k][2], 0.03 * table[k][2]);
        CU_ASSERT(info->residual <= def.tolerance && info->load_factor == 1.0);
        CU_ASSERT(info->n_iteration <= 9); /* without the strain seen from before: 17 to 25 */
    }
    ew_model_free(b.model);
}

/* ---- rotations ------------------------------------------------------------------- */

/* u = R x - x + t about an oblique axis. */
static void turn(ew_model *model, double angle)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double n[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}, c = cos(angle), s = sin(angle);
    double *u = ew_model_field(model, 0);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        const double along = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
        const double cross[3] = {n[1] * x[2] - n[2] * x[1], n[2] * x[0] - n[0] * x[2],
                                 n[0] * x[1] - n[1] * x[0]};
        for (int k = 0; k < 3; k++) {
            u[3 * v + k] = c * x[k] + s * cross[k] + (1.0 - c) * along * n[k] - x[k] + 0.3 * k;
        }
    }
}

/* Stress and reactions are round-off; the small theory sees a strain of order one. */
static void test_turned_body_carries_no_force(void)
{
    bar b = make_bar(2.0, 0.5, 8, 2, 0.3);
    const ew_fields *fields;
    const ew_sums *sums;
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    for (int k = 1; k < 8; k++) {
        turn(b.model, 0.8 * k);
        must(ew_model_recover(b.model, &fields, &sums));
        CU_ASSERT(sums->max_von_mises < 1e6 * 1e-14);
        CU_ASSERT(sums->strain_energy < 1e6 * 1e-28);
        double most = 0.0;
        for (int32_t i = 0; i < 3 * fields->n_vertex; i++) {
            most = fmax(most, fabs(fields->reaction[i]));
        }
        CU_ASSERT(most < 1e6 * 1e-15);
    }
    must(ew_model_set_kinematics(b.model, EW_SMALL));
    must(ew_model_recover(b.model, &fields, &sums));
    CU_ASSERT(sums->max_von_mises > 1e4);
    ew_model_free(b.model);
}

/* The end of a rod turned by this angle about its axis, each vertex by a set of its own. */
static void twist(const bar *b, const ew_list *tip, const int32_t *set, double angle)
{
    const ew_mesh *mesh = ew_model_mesh(b->model);
    ew_model_constraint list[16] = {{.set = b->wall, .fixed = 7}};
    for (int32_t i = 0; i < tip->n; i++) {
        const double *x = mesh->xyz + 3 * (size_t)tip->id[i];
        const double y = x[1] - 0.5, z = x[2] - 0.5, c = cos(angle) - 1.0, s = sin(angle);
        list[i + 1] = (ew_model_constraint){
            .set = set[i], .fixed = 7, .value = {0.0, c * y - s * z, s * y + c * z}};
    }
    must(ew_model_set_constraints(b->model, tip->n + 1, list));
}

/* Once round, a quarter of a turn at a time and an eighth: the energy grows by the square of the
 * angle but for a few percent, as the rod may not get shorter, and by how it came there not at all.
 */
static void test_rod_is_twisted_once_round(void)
{
    double energy[2] = {0.0, 0.0}, first = 0.0;
    for (int k = 0; k < 2; k++) {
        const bar b = make_bar(40.0, 1.0, 40, 2, 0.3);
        const ew_nonlinear_def def = settings(1);
        const ew_model_set_def own = {NULL, EW_SET_OF_VERTICES, true};
        const int n = k ? 4 : 8;
        ew_list tip = {0};
        int32_t set[16];
        must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
        must(ew_model_list_vertices(b.model, b.tip, &tip));
        for (int32_t i = 0; i < tip.n; i++) {
            const ew_list one = {.n = 1, .id = tip.id + i};
            must(ew_model_add_set(b.model, &own, &one, &set[i]));
        }
        for (int i = 1; i <= n; i++) {
            const ew_sums *sums;
            twist(&b, &tip, set, 2.0 * 3.14159265358979 * i / n);
            must(ew_model_solve_nonlinear(b.model, &def, NULL));
            must(ew_model_recover(b.model, NULL, &sums));
            energy[k] = sums->strain_energy;
            first = i == 1 ? energy[k] * n * n : first;
            CU_ASSERT_DOUBLE_EQUAL(energy[k] * n * n / (i * i), first, 0.06 * first);
        }
        ew_list_free(&tip);
        ew_model_free(b.model);
    }
    CU_ASSERT_DOUBLE_EQUAL(energy[0], energy[1], 1e-5 * energy[0]);
}

/* The same load on a turned body displaces it by the turned displacement. */
static void test_answer_turns_with_the_body(void)
{
    double tip[2] = {0.0};
    for (int k = 0; k < 2; k++) {
        bar b = make_bar(4.0, 0.5, 12, 2, 0.3);
        const ew_nonlinear_def def = settings(1);
        double mean[3];
        must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
        if (k) { /* about z by a right angle */
            const ew_mesh *mesh = ew_model_mesh(b.model);
            for (int32_t v = 0; v < mesh->n_vertex; v++) {
                const double *x = mesh->xyz + 3 * (size_t)v;
                const double to[3] = {-x[1], x[0], x[2]};
                must(ew_edit_move_vertex(ew_model_edit(b.model), v, to));
            }
            must(ew_model_commit(b.model));
        }
        pull_tip(&b, k ? -10.0 : 0.0, k ? 0.0 : 10.0, 40.0);
        must(ew_model_solve_nonlinear(b.model, &def, NULL));
        mean_at(&b, b.tip, mean);
        tip[k] = mean[2];
        ew_model_free(b.model);
    }
    CU_ASSERT(fabs(tip[0]) > 0.5);
    CU_ASSERT_DOUBLE_EQUAL(tip[0], tip[1], 1e-5);
}

/* Supports that only turn the body, by 40 degrees: nothing is left but rounding. */
static void test_supports_that_turn_the_body(void)
{
    bar b = make_bar(2.0, 0.5, 8, 2, 0.3);
    const ew_nonlinear_def def = settings(1);
    const ew_mesh *mesh = ew_model_mesh(b.model);
    const ew_nonlinear_info *info;
    const double c = cos(0.7), s = sin(0.7);
    ew_model_constraint line[4] = {{.set = b.wall, .fixed = 7}};
    int32_t n = 0;
    for (int32_t v = 0; v < mesh->n_vertex && n < 4; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        const ew_model_set_def of = {NULL, EW_SET_OF_VERTICES, false};
        ew_list one = {1, 1, &v};
        if (fmod(x[0], 2.0) == 0.0 && fmod(x[1], 0.5) == 0.0 && x[2] == 0.0) {
            line[n] = (ew_model_constraint){
                .fixed = 7, .value = {c * x[0] - s * x[1] - x[0], s * x[0] + c * x[1] - x[1], 0.0}};
            must(ew_model_add_set(b.model, &of, &one, &line[n].set));
            n++;
        }
    }
    CU_ASSERT_EQUAL_FATAL(n, 4);
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    must(ew_model_set_constraints(b.model, 4, line));
    must(ew_model_solve_nonlinear(b.model, &def, &info));
    CU_ASSERT(info->load_factor == 1.0);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v,
                     *u = ew_model_displacement(b.model) + 3 * (size_t)v;
        CU_ASSERT_DOUBLE_EQUAL(u[0], c * x[0] - s * x[1] - x[0], 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(u[1], s * x[0] + c * x[1] - x[1], 1e-6);
    }
    ew_model_free(b.model);
}

/* ---- failures ---------------------------------------------------------------------- */

/* Too few iterations: halved as often as stated, and the last converged state is left. */
static void test_failure_keeps_the_last_state(void)
{
    bar b = make_bar(10.0, 0.25, 30, 1, 0.0);
    ew_nonlinear_def def = settings(2);
    const ew_nonlinear_info *info;
    double mean[3], again[3];
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    pull_tip(&b, 0.0, 0.0, 30.0);
    def.max_iterations = 4;
    def.max_halvings = 3;
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, &info), EW_NOT_CONVERGED);
    CU_ASSERT(strstr(ew_message(), "load factor") != NULL);
    CU_ASSERT(strstr(ew_message(), "was halved to 0.0625,") != NULL);
    CU_ASSERT(info->load_factor < 1.0 && info->n_failed >= 4);
    CU_ASSERT_EQUAL(info->status, EW_NOT_CONVERGED);
    const double reached = info->load_factor;
    mean_at(&b, b.tip, mean);
    const ew_sums *sums;
    must(ew_model_recover(b.model, NULL, &sums));
    CU_ASSERT_DOUBLE_EQUAL(sums->applied_force[2], 30.0 * reached, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(sums->applied_force[2] + sums->reaction_force[2], 0.0, 1e-4);
    /* it is the equilibrium of that part of the load */
    memset(ew_model_field(b.model, 0), 0, 24 * (size_t)ew_model_mesh(b.model)->n_vertex);
    pull_tip(&b, 0.0, 0.0, 30.0 * reached);
    def = settings(4);
    must(ew_model_solve_nonlinear(b.model, &def, &info));
    mean_at(&b, b.tip, again);
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(mean[c], again[c], 1e-4);
    }
    pull_tip(&b, 0.0, 0.0, -30.0);
    def.max_iterations = 2;
    def.max_halvings = 0;
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, &info), EW_NOT_CONVERGED);
    CU_ASSERT(strstr(ew_message(), "the load step of 0.25 may not be halved,") != NULL);
    CU_ASSERT_EQUAL(info->n_failed, 1);
    must(ew_model_recover(b.model, NULL, &sums)); /* nothing of it was reached */
    CU_ASSERT_DOUBLE_EQUAL(sums->applied_force[2], 30.0 * reached, 1e-4);
    ew_model_free(b.model);
}

/* ---- edits ------------------------------------------------------------------------------ */

/* Tets are removed one by one: the answer goes on from the one before, and the blocks are those of
 * a rebuild. */
static void test_solves_after_edits_go_on(void)
{
    bar b = make_bar(4.0, 0.5, 12, 3, 0.3);
    const ew_nonlinear_def def = settings(4);
    const ew_nonlinear_info *info;
    ew_model_verification result;
    uint64_t state = 7;
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    pull_tip(&b, 0.0, 0.0, 40.0);
    must(ew_model_solve_nonlinear(b.model, &def, &info));
    const int32_t cold = info->n_iteration;
    for (int k = 0; k < 6; k++) {
        const ew_mesh *mesh = ew_model_mesh(b.model);
        int32_t t;
        do {
            t = (int32_t)ew_test_random(&state, (uint32_t)mesh->n_tet);
        } while (!ew_mesh_tet_is_live(mesh, t));
        ew_model_begin(b.model);
        must(ew_edit_remove_tet(ew_model_edit(b.model), t));
        must(ew_model_commit(b.model));
        const ew_nonlinear_def one = settings(1);
        must(ew_model_solve_nonlinear(b.model, &one, &info));
        CU_ASSERT(info->n_iteration < cold);
        must(ew_model_verify(b.model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
    }
    ew_model_free(b.model);
}

/* ---- what is refused --------------------------------------------------------------------- */

static void test_what_is_refused(void)
{
    bar b = make_bar(1.0, 0.5, 2, 1, 0.3);
    ew_nonlinear_def def = settings(1);
    const ew_pcg_def linear = ew_default_pcg_def();
    pull_tip(&b, 0.0, 0.0, 1.0);
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, NULL), EW_BAD_ARGUMENT);
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    CU_ASSERT_EQUAL(ew_model_solve(b.model, &linear, NULL), EW_BAD_ARGUMENT);
    def.n_step = 0;
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, NULL), EW_BAD_ARGUMENT);
    def = settings(1);
    def.tolerance = 1.0;
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, NULL), EW_BAD_ARGUMENT);
    def = settings(1);
    must(ew_model_set_operator(b.model, EW_MATRIX_FREE));
    CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, NULL), EW_UNSUPPORTED);
    must(ew_model_set_operator(b.model, EW_STORED));
    pull_tip(&b, 0.0, 0.0, 1.0);
    must(ew_model_solve_nonlinear(b.model, &def, NULL));
    ew_model_free(b.model);
}

/* A body that was solved with quadratic tets and has linear ones again answers as one that never
 * had others. */
static void test_linear_tets_again(void)
{
    const ew_nonlinear_def def = settings(1);
    const ew_pcg_def linear = ew_default_pcg_def();
    double mean[2][3];
    for (int k = 0; k < 2; k++) {
        bar b = make_bar(1.0, 0.5, 2, 1, 0.3);
        pull_tip(&b, 0.0, 0.0, 1.0);
        if (k) {
            must(ew_model_set_order(b.model, true));
            must(ew_model_solve(b.model, &linear, NULL));
            must(ew_model_set_order(b.model, false));
        }
        must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
        double *zero;
        must(ew_new_zero(&zero, 3 * (size_t)ew_model_mesh(b.model)->n_vertex, sizeof *zero));
        must(ew_model_accept_nonlinear(b.model, 0, zero, NULL));
        ew_release(zero);
        CU_ASSERT_EQUAL(ew_model_solve_nonlinear(b.model, &def, NULL), EW_OK);
        mean_at(&b, b.tip, mean[k]);
        ew_model_free(b.model);
    }
    CU_ASSERT(!memcmp(mean[0], mean[1], sizeof mean[0]));
}

/* In one line, without a number that is none. */
static void test_loads_beyond_all_numbers(void)
{
    static const double load[] = {1e300, 1e160, 1e100};
    const ew_nonlinear_def def = settings(1);
    for (int k = 0; k < 3; k++) {
        bar b = make_bar(1.0, 0.5, 2, 1, 0.3);
        must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
        pull_tip(&b, 0.0, 0.0, load[k]);
        const ew_status status = ew_model_solve_nonlinear(b.model, &def, NULL);
        CU_ASSERT(status == EW_BAD_INPUT || status == EW_NOT_CONVERGED);
        CU_ASSERT_PTR_NULL(strstr(ew_message(), "nan"));
        CU_ASSERT_PTR_NULL(strstr(ew_message(), "inf"));
        ew_model_free(b.model);
    }
}

/* Blocks are those of the displacement however often there was no memory for them. */
static void test_blocks_that_find_no_memory(void)
{
    const bar b = make_bar(3.0, 1.0, 3, 1, 0.3);
    const int32_t n_vertex = ew_model_mesh(b.model)->n_vertex;
    const ew_matrix *matrix;
    uint64_t state = 3;
    bool refused = true;
    double *u;
    must(ew_new_zero(&u, 3 * (size_t)n_vertex, sizeof *u));
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    must(ew_model_matrix(b.model, &matrix));
    for (int64_t k = 0; refused; k++) {
        ew_model_verification result;
        for (int32_t i = 0; i < 3 * n_vertex; i++) {
            u[i] = 1e-4 * (double)ew_test_random(&state, 1001);
        }
        must(ew_model_accept_nonlinear(b.model, 0, u, NULL));
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_matrix(b.model, &matrix);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        must(ew_model_verify(b.model, &result));
        CU_ASSERT_EQUAL(result.n_different, 0);
        CU_ASSERT_FATAL(k < 100);
    }
    ew_release(u);
    ew_model_free(b.model);
}

/* Forces of tets are kept for the same displacement, not for another material. */
static void test_stiffer_tets_pull_more(void)
{
    const bar b = make_bar(3.0, 1.0, 3, 1, 0.3);
    const int32_t n = 3 * ew_model_mesh(b.model)->n_vertex;
    uint64_t state = 5;
    double *u, force[2];
    must(ew_new_zero(&u, (size_t)n, sizeof *u));
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    for (int32_t i = 0; i < n; i++) {
        u[i] = 1e-4 * (double)ew_test_random(&state, 1001);
    }
    must(ew_model_accept_nonlinear(b.model, 0, u, NULL));
    for (int k = 0; k < 2; k++) {
        const ew_material material = {.young = 1e6 * (k + 1), .poisson = 0.3, .density = 1000.0};
        const ew_sums *sums;
        must(ew_model_set_material(b.model, EW_ALL_REGIONS, &material));
        must(ew_model_recover(b.model, NULL, &sums));
        force[k] = sums->reaction_force[0];
    }
    CU_ASSERT(fabs(force[0]) > 1.0);
    CU_ASSERT_DOUBLE_EQUAL(force[1], 2.0 * force[0], 1e-9 * fabs(force[0]));
    ew_release(u);
    ew_model_free(b.model);
}

static CU_TestInfo tests[] = {
    {"linear_tets_again", test_linear_tets_again},
    {"stiffer_tets_pull_more", test_stiffer_tets_pull_more},
    {"cantilever_follows_the_elastica", test_cantilever_follows_the_elastica},
    {"rod_is_twisted_once_round", test_rod_is_twisted_once_round},
    {"turned_body_carries_no_force", test_turned_body_carries_no_force},
    {"answer_turns_with_the_body", test_answer_turns_with_the_body},
    {"supports_that_turn_the_body", test_supports_that_turn_the_body},
    {"failure_keeps_the_last_state", test_failure_keeps_the_last_state},
    {"solves_after_edits_go_on", test_solves_after_edits_go_on},
    {"blocks_that_find_no_memory", test_blocks_that_find_no_memory},
    {"what_is_refused", test_what_is_refused},
    {"loads_beyond_all_numbers", test_loads_beyond_all_numbers},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"nonlinear", NULL, NULL, NULL, NULL, tests},
                                   CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
