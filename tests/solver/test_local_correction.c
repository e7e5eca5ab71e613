/* The correction of a start vector around the rows that an edit touched: it comes nearer to the
 * answer, touches no row that is fixed or far away, and is forgotten with the edit. */
#include "multilevel_edits.h"

#include "solver/local/local_correction.h"

typedef struct fixture {
    body b;
    ew_operator op;
    ew_system system;
    double *x, *load, *work;
    size_t n;
} fixture;

static void open_fixture(fixture *f)
{
    uint64_t state = 9;
    *f = (fixture){0};
    make_box(&f->b, (double[]){1.0, 1.0, 1.0}, (int32_t[]){12, 12, 12});
    f->n = 3 * (size_t)f->b.mesh.n_vertex;
    f->x = calloc(3 * f->n, sizeof *f->x);
    f->load = f->x + f->n;
    f->work = f->x + 2 * f->n;
    fill_random(&f->b, &state, f->load);
    f->op = ew_operator_on_host(&f->b.matrix, &f->b.topology.pattern);
    f->system = (ew_system){.op = &f->op, .xyz = f->b.mesh.xyz, .fixed = f->b.fixed, .b = f->load};
}

static void close_fixture(fixture *f)
{
    ew_operator_free(&f->op);
    free(f->x);
    free_body(&f->b);
}

/* Twice the energy of x, which the solution makes least. */
static double energy(const fixture *f, const double *x)
{
    ew_matrix_product(&f->b.matrix, &f->b.topology.pattern, x, f->work);
    return dot(x, f->work, f->n) - 2.0 * dot(x, f->load, f->n);
}

static double residual(const fixture *f)
{
    double sum = 0.0;
    ew_matrix_product(&f->b.matrix, &f->b.topology.pattern, f->x, f->work);
    for (size_t i = 0; i < f->n; i++) {
        const double r = is_free(&f->b, i) ? f->load[i] - f->work[i] : 0.0;
        sum += r * r;
    }
    return sqrt(sum / dot(f->load, f->load, f->n));
}

static void test_energy_falls(void)
{
    fixture f;
    uint64_t state = 2;
    ew_local_correction near = {0};
    open_fixture(&f);
    double *before = calloc(f.n, sizeof *before);
    fill_random(&f.b, &state, f.x);
    for (int k = 0; k < 20; k++) {
        const int32_t row = (int32_t)ew_test_random(&state, (uint32_t)f.b.mesh.n_vertex);
        const ew_list list = {.id = (int32_t[]){row}, .n = 1};
        f.b.fixed[row] = f.b.fixed[row] == 7 ? 7 : (uint8_t)ew_test_random(&state, 8);
        memcpy(before, f.x, f.n * sizeof *before);
        const double was = energy(&f, f.x);
        CU_ASSERT_EQUAL_FATAL(ew_local_correction_add(&near, &list), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_local_correction_correct(&near, &f.system, f.x), EW_OK);
        int32_t n_moved = 0;
        for (size_t i = 0; i < f.n; i++) {
            CU_ASSERT(is_free(&f.b, i) || f.x[i] == before[i]);
            n_moved += i % 3 == 0 && memcmp(f.x + i, before + i, 3 * sizeof *f.x) != 0;
        }
        CU_ASSERT(energy(&f, f.x) < was || f.b.fixed[row] == 7);
        CU_ASSERT(16 * n_moved <= f.b.mesh.n_vertex);
        CU_ASSERT(n_moved > 3 || f.b.fixed[row] == 7);
        CU_ASSERT_EQUAL(near.changed.list.n, 0);
    }
    memcpy(before, f.x, f.n * sizeof *before); /* forgotten */
    CU_ASSERT_EQUAL(ew_local_correction_correct(&near, &f.system, f.x), EW_OK);
    CU_ASSERT_EQUAL(memcmp(f.x, before, f.n * sizeof *before), 0);
    free(before);
    ew_local_correction_free(&near);
    close_fixture(&f);
}

/* Rows that are fixed stay, and so does a vector that is zero, or where too many
 * rows changed; what is not finite ends nowhere. */
static void test_what_is_left_alone(void)
{
    fixture f;
    uint64_t state = 3;
    ew_local_correction near = {0};
    ew_list all = {0};
    open_fixture(&f);
    const int32_t row = f.b.mesh.n_vertex / 2;
    const ew_list one = {.id = (int32_t[]){row}, .n = 1};
    CU_ASSERT_EQUAL(ew_local_correction_add(&near, &one), EW_OK);
    CU_ASSERT_EQUAL(ew_local_correction_correct(&near, &f.system, f.x), EW_OK);
    CU_ASSERT_EQUAL(dot(f.x, f.x, f.n), 0.0);
    fill_random(&f.b, &state, f.x);
    const double before = dot(f.x, f.x, f.n);
    f.b.fixed[row] = 7;
    CU_ASSERT_EQUAL(ew_local_correction_add(&near, &one), EW_OK);
    CU_ASSERT_EQUAL(ew_local_correction_correct(&near, &f.system, f.x), EW_OK);
    CU_ASSERT_EQUAL(dot(f.x, f.x, f.n), before);
    for (int32_t v = 0; v < f.b.mesh.n_vertex; v++) {
        CU_ASSERT_EQUAL(ew_list_push(&all, v), EW_OK);
    }
    CU_ASSERT_EQUAL(ew_local_correction_add(&near, &all), EW_OK);
    CU_ASSERT_EQUAL(ew_local_correction_correct(&near, &f.system, f.x), EW_OK);
    CU_ASSERT_EQUAL(dot(f.x, f.x, f.n), before);
    f.b.fixed[row] = 0;
    f.load[3 * row] = NAN;
    CU_ASSERT_EQUAL(ew_local_correction_add(&near, &one), EW_OK);
    CU_ASSERT_EQUAL(ew_local_correction_correct(&near, &f.system, f.x), EW_OK);
    CU_ASSERT_EQUAL(dot(f.x, f.x, f.n), before);
    ew_list_free(&all);
    ew_local_correction_free(&near);
    close_fixture(&f);
}

/* Solve, remove a tet, solve from there: iterations begin much nearer to the answer. */
static void test_answers_after_edits(void)
{
    fixture f;
    uint64_t state = 4;
    ew_solver solver = {0};
    ew_pcg_info info;
    ew_pcg_def def = ew_default_pcg_def();
    open_fixture(&f);
    def.preconditioner = EW_RIGID;
    CU_ASSERT_EQUAL(ew_solver_solve(&solver, &f.system, &def, f.x, &info), EW_OK);
    for (int k = 0; k < 10; k++) {
        ew_edit_remove_tet(&f.b.edit, random_live_tet(&f.b.mesh, &state));
        CU_ASSERT_EQUAL_FATAL(apply_edit(&f.b), EW_OK);
        f.system.fixed = f.b.fixed;
        CU_ASSERT_EQUAL(ew_solver_update(&solver, &f.system, &f.b.topology.touched), EW_OK);
        const double before = residual(&f);
        CU_ASSERT_EQUAL(ew_solver_solve(&solver, &f.system, &def, f.x, &info), EW_OK);
        CU_ASSERT(info.first_residual < 0.2 * before);
        CU_ASSERT(residual(&f) <= 1.01 * def.tolerance);
    }
    ew_solver_free(&solver);
    close_fixture(&f);
}

/* What changed before a solve whose answer is taken over, or before a set-up, is forgotten: the
 * solve after it has the bits of one that follows a solve made here. */
static void test_forgotten_with_the_solve(void)
{
    fixture f;
    uint64_t state = 8;
    ew_solver solver[2] = {{.ops = NULL}, {.ops = NULL}};
    ew_pcg_info info, taken;
    ew_pcg_def def = ew_default_pcg_def();
    open_fixture(&f);
    def.preconditioner = EW_RIGID;
    double *x = calloc(f.n, sizeof *x);
    for (int k = 0; k < 3; k++) {
        memcpy(x, f.x, f.n * sizeof *x);
        must(ew_solver_solve(&solver[0], &f.system, &def, f.x, &info));
        if (k == 2) {
            must(ew_solver_solve(&solver[1], &f.system, &def, x, &taken));
            CU_ASSERT_EQUAL(memcmp(x, f.x, f.n * sizeof *x), 0);
            CU_ASSERT_EQUAL(taken.iterations, info.iterations);
        } else {
            must(ew_solver_accept(&solver[1], &f.system, &def, f.x, &info, &taken));
            ew_edit_remove_tet(&f.b.edit, random_live_tet(&f.b.mesh, &state));
            CU_ASSERT_EQUAL_FATAL(apply_edit(&f.b), EW_OK);
            must(ew_solver_update(&solver[0], &f.system, &f.b.topology.touched));
            must(ew_solver_update(&solver[1], &f.system, &f.b.topology.touched));
        }
    }
    CU_ASSERT_EQUAL_FATAL(set_up(&f.b), EW_OK);
    ew_edit_remove_tet(&f.b.edit, random_live_tet(&f.b.mesh, &state));
    CU_ASSERT_EQUAL_FATAL(apply_edit(&f.b), EW_OK);
    CU_ASSERT_EQUAL_FATAL(update(&f.b), EW_OK);
    CU_ASSERT(f.b.multilevel->local_correction.changed.list.n > 0);
    CU_ASSERT_EQUAL_FATAL(set_up(&f.b), EW_OK);
    CU_ASSERT_EQUAL(f.b.multilevel->local_correction.changed.list.n, 0);
    free(x);
    ew_solver_free(&solver[0]);
    ew_solver_free(&solver[1]);
    close_fixture(&f);
}

static void test_allocation_failures(void)
{
    fixture f;
    uint64_t state = 6;
    bool refused = true;
    open_fixture(&f);
    fill_random(&f.b, &state, f.x);
    for (int64_t k = 0; refused; k++) {
        ew_local_correction near = {0};
        const ew_list one = {.id = (int32_t[]){f.b.mesh.n_vertex / 2}, .n = 1};
        ew_test_allocations_begin(k);
        ew_status status = ew_local_correction_add(&near, &one);
        status = status ? status : ew_local_correction_correct(&near, &f.system, f.x);
        ew_local_correction_free(&near);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT_FATAL(k < 100);
    }
    close_fixture(&f);
}

static CU_TestInfo tests[] = {
    {"energy_falls", test_energy_falls},
    {"what_is_left_alone", test_what_is_left_alone},
    {"answers_after_edits", test_answers_after_edits},
    {"forgotten_with_the_solve", test_forgotten_with_the_solve},
    {"allocation_failures", test_allocation_failures},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    CU_SuiteInfo suites[] = {{.pName = "local_correction", .pTests = tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
