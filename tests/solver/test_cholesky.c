/* The direct solver: agrees with conjugate gradients on every kind of constraint, spring and edit;
 * says what was done to the factor; refuses in words. */
#include "direct_fixture.h"
#include "ew_parts.h"

#if EW_WITH_CHOLMOD
#include "model_edits.h"

#include <cholmod.h>

static const ew_pcg_info *solve_directly(ew_model *model)
{
    const ew_pcg_info *info = NULL;
    const ew_pcg_def def = direct_def(1e-10);
    must(ew_model_solve(model, &def, &info));
    CU_ASSERT(info->residual <= 1e-10 || info->limited_by_rounding);
    CU_ASSERT_EQUAL(info->preconditioner, EW_CHOLESKY);
    return info;
}

/* Largest difference of the displacements, relative to the largest displacement. */
static double difference(const ew_model *a, const ew_model *b)
{
    const double *u = ew_model_displacement(a), *v = ew_model_displacement(b);
    double largest = 0.0, most = 0.0;
    for (int32_t i = 0; i < 3 * ew_model_mesh(a)->n_vertex; i++) {
        largest = fmax(largest, fabs(v[i]));
        most = fmax(most, fabs(u[i] - v[i]));
    }
    return most / largest;
}

/* A box of steel, clamped at x = 0, its weight across. */
static ew_model *make_box(int32_t cells)
{
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850.0};
    const ew_model_constraint clamp = {.fixed = 7};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, 0.0, -9.81}};
    const ew_model_def def = ew_default_model_def();
    ew_mesh mesh;
    ew_model *model;
    ew_list list = {0};
    int32_t set;
    must(ew_shape_box(&mesh, (double[3]){1.0, 1.0, 1.0}, (int32_t[3]){cells, cells, cells}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    must(choose_members(model, WALL, &list));
    must(ew_model_add_set(model, &set_def[WALL], &list, &set));
    must(ew_model_set_constraints(model, 1, &clamp));
    must(ew_model_set_loads(model, 1, &weight));
    ew_list_free(&list);
    return model;
}

/* Removes n tets that share no vertex with each other or with those in `used`. */
static void remove_apart(ew_model *model, int32_t n, ew_set *used)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_model_begin(model);
    for (int32_t t = 0; t < mesh->n_tet && n > 0; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        bool is_apart = ew_mesh_tet_is_live(mesh, t);
        for (int k = 0; k < 4; k++) {
            is_apart = is_apart && !ew_set_has(used, v[k]) && mesh->xyz[3 * (size_t)v[k]] > 1e-9;
        }
        if (is_apart) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
            for (int k = 0; k < 4; k++) {
                must(ew_set_add(used, v[k]));
            }
            n--;
        }
    }
    CU_ASSERT_EQUAL(n, 0);
    must(ew_model_commit(model));
}

/* ---- answers ---------------------------------------------------------------------- */

static void test_cholesky_agrees_with_cg(void)
{
    ew_model *model = make_model(4, NULL), *other = make_fresh(model);
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-12;
    must(ew_model_solve(other, &def, NULL));
    const ew_pcg_info *info = solve_directly(model);
    CU_ASSERT_EQUAL(info->factor.work, EW_FACTOR_NEW);
    CU_ASSERT(info->factor.n_entry > 0);
    CU_ASSERT(info->iterations <= 2);
    CU_ASSERT(difference(model, other) < 1e-8);
    ew_model_free(model);
    ew_model_free(other);
}

/* One correction, and none where the answer is there already. */
static void test_cholesky_keeps_factor_for_other_loads(void)
{
    ew_model *model = make_box(3), *other = make_box(3);
    const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {3.0, 2.0, 1.0}};
    solve_directly(model);
    CU_ASSERT_EQUAL(solve_directly(model)->iterations, 0);
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_set_loads(other, 1, &load));
    const ew_pcg_info *info = solve_directly(model);
    CU_ASSERT_EQUAL(info->factor.work, EW_FACTOR_KEPT);
    CU_ASSERT_EQUAL(info->seconds_setup, 0.0);
    CU_ASSERT_EQUAL(info->iterations, 1);
    CU_ASSERT_EQUAL(solve_directly(other)->factor.work, EW_FACTOR_NEW);
    CU_ASSERT(difference(model, other) < 1e-9);
    ew_model_free(model);
    ew_model_free(other);
}

static void compare_with_fresh(ew_model *model)
{
    ew_model *fresh = make_fresh(model);
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-12;
    def.preconditioner = EW_BLOCK_JACOBI;
    must(ew_model_solve(fresh, &def, NULL));
    CU_ASSERT(difference(model, fresh) < 1e-6);
    ew_model_free(fresh);
}

/* Edits of every kind, with oblique supports and springs that follow them. */
static void test_cholesky_follows_random_edits(void)
{
    int n_solved = 0, n_updated = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ew_model *model = make_model(3, NULL);
        editor e = {.state = 77 * seed};
        const ew_pcg_def def = direct_def(1e-10);
        const ew_pcg_info *info;
        must(ew_model_solve(model, &def, &info));
        for (int i = 0; i < 25; i++) {
            (void)ew_model_apply(model, queue_any, &e);
            const ew_status status = ew_model_solve(model, &def, &info);
            CU_ASSERT(status == EW_OK || status == EW_UNDER_CONSTRAINED || status == EW_BAD_INPUT);
            if (!status) {
                n_solved++;
                n_updated += info->factor.work == EW_FACTOR_UPDATED;
                CU_ASSERT(info->iterations <= 2 * EW_FACTOR_STEPS);
                compare_with_fresh(model);
            }
        }
        ew_model_free(model);
    }
    CU_ASSERT(n_solved > 20 && n_updated > 10);
}

/* ---- what was done ------------------------------------------------------------------- */

static void test_cholesky_says_what_was_done(void)
{
    const struct {
        int32_t n_tet;
        ew_factor_work work;
    } row[] = {{1, EW_FACTOR_UPDATED},
               {10, EW_FACTOR_UPDATED},
               {50, EW_FACTOR_UPDATED},
               {51, EW_FACTOR_NEW}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ew_model *model = make_box(9), *other = make_box(9);
        ew_set used = {0};
        solve_directly(model);
        remove_apart(model, row[i].n_tet, &used);
        ew_set_clear(&used);
        remove_apart(other, row[i].n_tet, &used);
        const ew_pcg_info *info = solve_directly(model);
        CU_ASSERT_EQUAL(info->factor.work, row[i].work);
        if (row[i].work == EW_FACTOR_UPDATED) {
            CU_ASSERT_EQUAL(info->factor.n_column, 6 * row[i].n_tet);
            CU_ASSERT_EQUAL(info->factor.n_update, 1);
        }
        solve_directly(other);
        CU_ASSERT(difference(model, other) < 1e-8);
        ew_model_free(model);
        ew_model_free(other);
        ew_set_free(&used);
    }
}

/* A clump in a small body: the eigenvectors of one dense part would cost more than a new factor. */
static void test_cholesky_makes_clumps_again(void)
{
    ew_model *model = make_box(4), *other = make_box(9);
    for (int k = 0; k < 2; k++) {
        ew_model *own = k ? other : model;
        solve_directly(own);
        for (int32_t t = 144; t < 216; t++) { /* twelve cells */
            must(ew_edit_remove_tet(ew_model_edit(own), t));
        }
        must(ew_model_commit(own));
    }
    CU_ASSERT_EQUAL(solve_directly(model)->factor.work, EW_FACTOR_NEW);
    CU_ASSERT_EQUAL(solve_directly(other)->factor.work, EW_FACTOR_UPDATED);
    ew_model_free(model);
    ew_model_free(other);
}

/* A tet goes and comes, two hundred times. */
static void test_cholesky_stays_exact(void)
{
    ew_model *model = make_box(4);
    uint64_t state = 5;
    solve_directly(model);
    for (int i = 0; i < 200; i++) {
        const int32_t t = random_live_tet(ew_model_mesh(model), &state);
        int32_t v[4];
        memcpy(v, ew_model_mesh(model)->tet + 4 * (size_t)t, sizeof v);
        ew_model_begin(model);
        must(ew_edit_remove_tet(ew_model_edit(model), t));
        must(ew_model_commit(model));
        solve_directly(model);
        ew_model_begin(model);
        must(ew_edit_add_tet(ew_model_edit(model), v, 1));
        must(ew_model_commit(model));
        CU_ASSERT(solve_directly(model)->iterations <= EW_FACTOR_STEPS);
    }
    ew_model *other = make_box(4);
    solve_directly(other);
    CU_ASSERT(difference(model, other) < 1e-8);
    ew_model_free(model);
    ew_model_free(other);
}

static void test_cholesky_follows_constraints(void)
{
    ew_model *model = make_box(5), *other = make_box(5);
    ew_list list = {0};
    int32_t number[2];
    must(choose_members(model, TIP, &list));
    must(ew_model_add_set(model, &set_def[TIP], &list, &number[0]));
    must(ew_model_add_set(other, &set_def[TIP], &list, &number[1]));
    const ew_model_constraint both[] = {{.fixed = 7},
                                        {.set = number[0], .fixed = 2, .value = {0, 1e-5, 0}}};
    solve_directly(model);
    must(ew_model_set_constraints(model, 2, both));
    must(ew_model_set_constraints(other, 2, both));
    CU_ASSERT_EQUAL(solve_directly(model)->factor.work, EW_FACTOR_UPDATED);
    CU_ASSERT_EQUAL(solve_directly(other)->factor.work, EW_FACTOR_NEW);
    CU_ASSERT(difference(model, other) < 1e-9);
    const ew_material soft = {.young = 1e9, .poisson = 0.2, .density = 7850.0};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &soft));
    must(ew_model_set_material(other, EW_ALL_REGIONS, &soft));
    CU_ASSERT_EQUAL(solve_directly(model)->factor.work, EW_FACTOR_NEW);
    solve_directly(other);
    CU_ASSERT(difference(model, other) < 1e-9);
    ew_list_free(&list);
    ew_model_free(model);
    ew_model_free(other);
}

/* Springs alone keep it in place, then a clamp alone does: between the two the body is free to
 * move, and no factor is asked for; the second time a tet goes, too. */
static void test_cholesky_takes_no_state_between(void)
{
    const ew_model_constraint clamp = {.fixed = 7};
    ew_model *model = make_box(10), *other = make_box(10);
    ew_list list = {0};
    ew_set used = {0};
    int32_t top;
    must(choose_members(model, TOP_FACES, &list));
    must(ew_model_add_set(model, &set_def[TOP_FACES], &list, &top));
    const ew_model_spring spring = {
        .kind = EW_SPRING_TOTAL, .set = top, .stiffness = {1e6, 1e6, 1e6}};
    for (int32_t k = 0; k < 2; k++) {
        must(ew_model_set_constraints(model, 0, NULL));
        must(ew_model_set_springs(model, 1, &spring));
        solve_directly(model);
        must(ew_model_set_springs(model, 0, NULL));
        must(ew_model_set_constraints(model, 1, &clamp));
        remove_apart(model, k, &used);
        CU_ASSERT_EQUAL(solve_directly(model)->factor.work, EW_FACTOR_NEW);
    }
    ew_set_clear(&used);
    remove_apart(other, 1, &used);
    solve_directly(other);
    CU_ASSERT(difference(model, other) < 1e-8);
    ew_set_free(&used);
    ew_list_free(&list);
    ew_model_free(model);
    ew_model_free(other);
}

/* The same edits give the same bits; so does a run that goes on from accepted solves. */
static void test_cholesky_repeats_bits(void)
{
    ew_model *model = make_box(5), *same = make_box(5), *resumed = make_box(5);
    ew_set used[3] = {{0}};
    const ew_pcg_def def = direct_def(1e-10);
    for (int i = 0; i < 3; i++) {
        ew_model *const each[] = {model, same, resumed};
        const ew_pcg_info *info = solve_directly(model);
        solve_directly(same);
        if (i < 2) {
            must(ew_model_accept(resumed, &def, ew_model_displacement(model), info, NULL));
        } else {
            solve_directly(resumed);
        }
        const size_t bytes = 3 * (size_t)ew_model_mesh(model)->n_vertex * sizeof(double);
        for (int k = 1; k < 3; k++) {
            CU_ASSERT_EQUAL(
                memcmp(ew_model_displacement(model), ew_model_displacement(each[k]), bytes), 0);
        }
        for (int k = 0; k < 3; k++) {
            remove_apart(each[k], 2, &used[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        ew_set_free(&used[k]);
    }
    ew_model_free(model);
    ew_model_free(same);
    ew_model_free(resumed);
}

/* ---- failures ---------------------------------------------------------------------------- */

static void test_cholesky_without_memory(void)
{
    const ew_pcg_def def = direct_def(1e-10);
    int64_t k = 0;
    for (bool refused = true; refused; k++) {
        ew_model *model = make_box(2);
        const ew_matrix *matrix;
        must(ew_model_matrix(model, &matrix));
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_solve(model, &def, NULL);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        solve_directly(model);
        ew_model_free(model);
    }
    CU_ASSERT(k > 10);
}

#if SUITESPARSE_MAIN_VERSION < 6
static int n_left;

static void *refuse_malloc(size_t bytes)
{
    return n_left-- > 0 ? malloc(bytes) : NULL;
}

static void *refuse_calloc(size_t n, size_t bytes)
{
    return n_left-- > 0 ? calloc(n, bytes) : NULL;
}

static void *refuse_realloc(void *old, size_t bytes)
{
    return n_left-- > 0 ? realloc(old, bytes) : NULL;
}

/* CHOLMOD's own memory, at every place. */
static void test_cholesky_without_memory_of_cholmod(void)
{
    const ew_pcg_def def = direct_def(1e-10);
    ew_status status = EW_NO_MEMORY;
    for (int k = 0; k < 400 && status; k++) {
        ew_model *model = make_box(2);
        n_left = k;
        SuiteSparse_config.malloc_func = refuse_malloc;
        SuiteSparse_config.calloc_func = refuse_calloc;
        SuiteSparse_config.realloc_func = refuse_realloc;
        status = ew_model_solve(model, &def, NULL);
        SuiteSparse_config.malloc_func = malloc;
        SuiteSparse_config.calloc_func = calloc;
        SuiteSparse_config.realloc_func = realloc;
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        CU_ASSERT(!status || strstr(ew_message(), "solver: cg"));
        solve_directly(model);
        ew_model_free(model);
    }
    CU_ASSERT_EQUAL(status, EW_OK);
}
#endif

/* Three rows in a line, one of them prescribed, and a pivot below zero. */
static void test_cholesky_names_row_of_negative_pivot(void)
{
    ew_model *model = make_box(2);
    const ew_pcg_def def = direct_def(1e-10);
    const ew_matrix *matrix;
    ew_solver solver = {0};
    ew_pcg_info info;
    must(ew_model_matrix(model, &matrix));
    const ew_pattern *pattern = &ew_model_topology(model)->pattern;
    const size_t n = (size_t)pattern->n_row;
    double *x = calloc(3 * n, sizeof *x), *b = calloc(3 * n, sizeof *b);
    uint8_t *fixed = calloc(n, 1);
    fixed[0] = 7;
    b[40] = 1.0;
    ((ew_matrix *)matrix)->diagonal[9 * 5] *= -1.0;
    ew_operator op = ew_operator_on_host(matrix, pattern);
    const ew_system system = {.op = &op, .fixed = fixed, .b = b};
    CU_ASSERT_EQUAL(ew_solver_solve(&solver, &system, &def, x, &info), EW_INDEFINITE);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "not positive definite"));
    ((ew_matrix *)matrix)->diagonal[9 * 5] *= -1.0;
    ew_solver_free(&solver);
    ew_operator_free(&op);
    free(x);
    free(b);
    free(fixed);
    ew_model_free(model);
}

/* All blocks of quadratic tets factored: the answer of conjugate gradients, in one correction; the
 * factor stays for other loads and is made again after an edit. */
static void test_cholesky_of_quadratic_tets(void)
{
    ew_model *a = make_model(2, NULL), *b = make_model(2, NULL);
    ew_pcg_def cg = ew_default_pcg_def();
    cg.tolerance = 1e-12;
    editor one = {.state = 3}, two = {.state = 3};
    must(ew_model_set_order(a, true));
    must(ew_model_set_order(b, true));
    for (int i = 0; i < 12; i++) {
        const ew_pcg_info *info = solve_directly(a);
        CU_ASSERT_EQUAL(info->factor.work, EW_FACTOR_NEW);
        CU_ASSERT(info->iterations <= 2);
        must(ew_model_solve(b, &cg, NULL));
        CU_ASSERT(difference(a, b) < 1e-8);
        CU_ASSERT_EQUAL(solve_directly(a)->factor.work, EW_FACTOR_KEPT);
        const ew_status status = ew_model_apply(a, queue_any, &one);
        CU_ASSERT_EQUAL(ew_model_apply(b, queue_any, &two), status);
        if (status) { /* nothing has changed: some other edit */
            break;
        }
    }
    ew_model_free(a);
    ew_model_free(b);
}

/* In motion quadratic tets have no such factor. */
static void test_cholesky_refuses_moving_quadratic_tets(void)
{
    ew_dynamics_def motion = ew_default_dynamics_def();
    ew_model *model = make_box(2);
    motion.solver = direct_def(1e-8);
    must(ew_model_set_order(model, true));
    must(ew_model_start_dynamics(model, &motion, 0.0));
    CU_ASSERT_EQUAL(ew_model_advance(model, 1e-4, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "solver: cg"));
    ew_model_free(model);
}

static void test_cholesky_refuses(void)
{
    ew_model *model = make_box(2);
    ew_pcg_def def = direct_def(1e-10);
    def.precision = EW_SINGLE;
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "double precision"));
    def = direct_def(1e-10);
    def.direct = NULL;
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "this build has no direct solver"));
    ew_model_free(model);
    ew_device_def on = ew_default_device_def();
    ew_device *device;
    if (ew_device_open(&device, &on)) {
        ew_test_skip(ew_message());
        return;
    }
    model = make_model(2, device);
    def = direct_def(1e-10);
    CU_ASSERT_EQUAL(ew_model_solve(model, &def, NULL), EW_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "--device host"));
    ew_model_free(model);
    ew_device_close(device);
}

static CU_TestInfo tests[] = {
    {"agrees_with_cg", test_cholesky_agrees_with_cg},
    {"keeps_factor_for_other_loads", test_cholesky_keeps_factor_for_other_loads},
    {"follows_random_edits", test_cholesky_follows_random_edits},
    {"says_what_was_done", test_cholesky_says_what_was_done},
    {"makes_clumps_again", test_cholesky_makes_clumps_again},
    {"stays_exact", test_cholesky_stays_exact},
    {"follows_constraints", test_cholesky_follows_constraints},
    {"takes_no_state_between", test_cholesky_takes_no_state_between},
    {"repeats_bits", test_cholesky_repeats_bits},
    {"without_memory", test_cholesky_without_memory},
#if SUITESPARSE_MAIN_VERSION < 6
    {"without_memory_of_cholmod", test_cholesky_without_memory_of_cholmod},
#endif
    {"names_row_of_negative_pivot", test_cholesky_names_row_of_negative_pivot},
    {"of_quadratic_tets", test_cholesky_of_quadratic_tets},
    {"refuses", test_cholesky_refuses},
    {"refuses_moving_quadratic_tets", test_cholesky_refuses_moving_quadratic_tets},
    CU_TEST_INFO_NULL,
};
#endif

EW_DIRECT_MAIN("cholesky", tests)
