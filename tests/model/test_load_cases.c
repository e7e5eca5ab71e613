/* Load cases of one matrix, solved side by side: each has the bits of a solve of its own, whatever
 * stands beside it; what shares no products is solved apart; what does not fit is refused. Solves
 * from sums of earlier answers, which need no matrix where moduli and loads alone are others. */
#include "halves_fixture.h"
#include "planes.h"
#include "testlib.h"

#include "model/parts/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WALL_END, TIP_END, N_CASE = 6, ZERO_CASE = 2 };

static const ew_model_set_def lasting = {.kind = EW_SET_OF_VERTICES};

typedef struct body {
    bool quadratic, half, orthotropic, oblique, is_small;
    ew_precision precision;
} body;

static void enrich_half(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list tet = {0};
    for (int32_t t = 0; t < mesh->n_tet; t += 2) {
        must(ew_list_push(&tet, t));
    }
    must(ew_model_enrich(model, &tet, true));
    ew_list_free(&tet);
}

static ew_model *make_model(const body *of)
{
    static const int32_t large[3] = {12, 8, 8}; /* more than one chunk of the smoother */
    static const int32_t small[3] = {6, 3, 3};
    ew_material material = {.young = 200.0, .poisson = 0.3};
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    ew_mesh mesh;
    make_halves(&mesh, of->is_small ? small : large);
    must(ew_model_create(&model, &mesh, &def));
    if (of->orthotropic) {
        material = (ew_material){.kind = EW_ORTHOTROPIC,
                                 .young_along = {200, 150, 100},
                                 .poisson_between = {0.3, 0.2, 0.25},
                                 .shear = {60, 50, 40},
                                 .axes = {.kind = EW_MATERIAL_AXES_CYLINDER,
                                          .point = {-0.4, 0.3, 0.0},
                                          .third = {0.1, 0.2, 1.0}}};
    }
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_order(model, of->quadratic && !of->half));
    if (of->half) {
        enrich_half(model);
    }
    (void)add_plane_set(model, &lasting, 0, 0.0);
    (void)add_plane_set(model, &lasting, 0, 2.0);
    return model;
}

/* Loads and prescribed values of case k; case 4 is twice case 1. */
static void set_case(ew_model *model, const body *of, int k)
{
    static const double force[N_CASE][3] = {{1, -2, 3}, {0, 0, -1}, {0},
                                            {0},        {0, 0, -2}, {5, 5, 5}};
    static const double value[N_CASE] = {0, 0, 0, 1e-3, 0, -2e-3};
    ew_model_constraint constraint[2] = {{.set = WALL_END, .fixed = 7},
                                         {.set = TIP_END, .fixed = 1, .value = {value[k]}}};
    const ew_model_load load = {.kind = EW_LOAD_TOTAL_FORCE,
                                .set = TIP_END,
                                .vector = {force[k][0], force[k][1], force[k][2]}};
    if (of->oblique) {
        must(ew_axes_from_normal((double[]){1, 2, 2}, &constraint[1].axes));
    }
    must(ew_model_set_constraints(model, 2, constraint));
    must(ew_model_set_loads(model, k != ZERO_CASE && k != 3, &load));
}

static size_t count_values(const ew_model *model, size_t *n_edge)
{
    const ew_edge_rows *rows = ew_model_edge_rows(model);
    *n_edge = rows ? 3 * (size_t)rows->pattern.n_row : 0;
    return 3 * (size_t)ew_model_mesh(model)->n_vertex;
}

static void put_displacement(ew_model *model, double value)
{
    size_t n_edge;
    const size_t n = count_values(model, &n_edge);
    double *u = malloc((n + n_edge) * sizeof *u);
    for (size_t i = 0; i < n + n_edge; i++) {
        u[i] = value;
    }
    memcpy(ew_model_field(model, 0), u, n * sizeof *u);
    must(ew_model_put_edge_displacement(model, (int32_t)(n_edge / 3), u));
    free(u);
}

typedef struct answer {
    double *u; /* owned, of vertices and edges */
    int32_t iterations;
    double residual;
} answer;

static answer take_answer(const ew_model *model, const ew_pcg_info *info)
{
    size_t n_edge;
    const size_t n = count_values(model, &n_edge);
    answer to = {malloc((n + n_edge) * sizeof *to.u), info->iterations, info->residual};
    memcpy(to.u, ew_model_displacement(model), n * sizeof *to.u);
    if (n_edge) {
        memcpy(to.u + n, ew_model_edge_displacement(model), n_edge * sizeof *to.u);
    }
    return to;
}

static void check_bits(const body *of)
{
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_model(of), *twin = make_model(of);
    const ew_pcg_info *info;
    size_t n_edge;
    const size_t n = count_values(model, &n_edge);
    def.precision = of->precision;
    def.tolerance = 1e-5;
    for (int k = 0; k < N_CASE; k++) {
        set_case(model, of, k);
        must(ew_model_add_case(model, true));
    }
    must(ew_model_solve_cases(model, &def));
    for (int k = N_CASE - 1; k >= 0; k--) {
        set_case(twin, of, k);
        put_displacement(twin, 0.0);
        must(ew_model_solve(twin, &def, &info));
        answer wanted = take_answer(twin, info);
        set_case(model, of, k);
        put_displacement(model, NAN);
        must(ew_model_take_case(model, k, &def, &info));
        answer found = take_answer(model, info);
        CU_ASSERT(memcmp(found.u, wanted.u, (n + n_edge) * sizeof *wanted.u) == 0);
        CU_ASSERT_EQUAL(found.iterations, wanted.iterations);
        CU_ASSERT_EQUAL(found.residual, wanted.residual);
        CU_ASSERT((k == ZERO_CASE) == (found.iterations == 0));
        CU_ASSERT_EQUAL(info->preconditioner, EW_RIGID);
        must(ew_model_recover(model, NULL, NULL));
        free(found.u);
        free(wanted.u);
    }
    ew_model_free(twin);
    ew_model_free(model);
}

static void test_cases_have_the_bits_of_solves(void)
{
    static const body each[] = {{.precision = EW_AUTO_PRECISION},
                                {.precision = EW_DOUBLE, .oblique = true},
                                {.precision = EW_AUTO_PRECISION, .quadratic = true},
                                {.precision = EW_AUTO_PRECISION,
                                 .quadratic = true,
                                 .half = true,
                                 .oblique = true,
                                 .orthotropic = true}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        check_bits(&each[i]);
    }
}

static void add_cases(ew_model *model, const body *of, const ew_pcg_def *def)
{
    for (int k = 0; k < N_CASE; k++) {
        set_case(model, of, k);
        must(ew_model_add_case(model, true));
    }
    must(ew_model_solve_cases(model, def));
}

/* What does not converge says so when it is taken, the others have their answers. */
static void test_a_case_fails_alone(void)
{
    static const body of = {.precision = EW_AUTO_PRECISION};
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_model(&of);
    const ew_pcg_info *info;
    def.max_iterations = 3;
    add_cases(model, &of, &def);
    set_case(model, &of, 1);
    CU_ASSERT_EQUAL(ew_model_take_case(model, 1, &def, &info), EW_NOT_CONVERGED);
    CU_ASSERT(strstr(ew_message(), "max_iterations 3 reached") != NULL);
    CU_ASSERT_EQUAL(info->iterations, 3);
    set_case(model, &of, ZERO_CASE);
    CU_ASSERT_EQUAL(ew_model_take_case(model, ZERO_CASE, &def, &info), EW_OK);
    ew_model_free(model);
}

static void test_what_does_not_fit_is_refused(void)
{
    static const body of = {.precision = EW_AUTO_PRECISION}, turned = {.oblique = true};
    const ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_model(&of);
    add_cases(model, &of, &def);
    set_case(model, &of, 1);
    CU_ASSERT_EQUAL(ew_model_take_case(model, 0, &def, NULL), EW_BAD_ARGUMENT); /* other loads */
    set_case(model, &of, 3);
    CU_ASSERT_EQUAL(ew_model_take_case(model, ZERO_CASE, &def, NULL), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_take_case(model, N_CASE, &def, NULL), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_take_case(model, -1, &def, NULL), EW_BAD_ARGUMENT);
    set_case(model, &turned, 3); /* another direction is prescribed */
    CU_ASSERT_EQUAL(ew_model_take_case(model, 3, &def, NULL), EW_STALE);
    CU_ASSERT_EQUAL(ew_model_take_case(model, 3, &def, NULL), EW_BAD_ARGUMENT); /* gone */
    set_case(model, &of, 0);
    must(ew_model_add_case(model, true));
    set_case(model, &turned, 1);
    CU_ASSERT_EQUAL(ew_model_add_case(model, true), EW_STALE);
    add_cases(model, &of, &def);
    set_case(model, &of, 1);
    must(ew_model_set_springs(
        model, 1,
        &(ew_model_spring){.kind = EW_SPRING_TOTAL, .set = TIP_END, .stiffness = {1, 1, 1}}));
    CU_ASSERT_EQUAL(ew_model_take_case(model, 1, &def, NULL), EW_STALE);
    ew_model_free(model);
}

/* Without shared products a case is solved when it is taken. */
static void test_cases_that_share_nothing_are_solved_apart(void)
{
    static const body of = {.precision = EW_AUTO_PRECISION};
    ew_pcg_def def = ew_default_pcg_def();
    ew_model *model = make_model(&of), *twin = make_model(&of);
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    def.preconditioner = EW_BLOCK_JACOBI;
    add_cases(model, &of, &def);
    add_cases(model, &of, &def); /* in place of those */
    CU_ASSERT_EQUAL(ew_model_take_case(model, N_CASE, &def, NULL), EW_BAD_ARGUMENT);
    put_displacement(model, 0.0);
    set_case(model, &of, 0);
    set_case(twin, &of, 0);
    must(ew_model_take_case(model, 0, &def, NULL));
    must(ew_model_solve(twin, &def, NULL));
    CU_ASSERT(
        memcmp(ew_model_displacement(model), ew_model_displacement(twin), n * sizeof(double)) == 0);
    ew_model_free(twin);
    ew_model_free(model);
}

/* Case k with moduli and Poisson's ratios number i; the far end is moved in every seventh. */
static void set_variation(ew_model *model, const body *of, int i, bool moves)
{
    const double x = i * 37 % 60 / 60.0, y = i * 23 % 60 / 60.0;
    const ew_material second = {.young = 80.0 * (1.0 + y), .poisson = 0.1 + 0.2 * x};
    set_case(model, of, i % N_CASE);
    if (!of->orthotropic) {
        must(ew_model_set_material(model, ew_model_mesh(model)->region_label[1], &second));
    }
    if (moves && i % 7 == 0) {
        const ew_mesh *mesh = ew_model_mesh(model);
        ew_model_begin(model);
        for (int32_t v = 0; v < mesh->n_vertex; v++) {
            const double *at = mesh->xyz + 3 * (size_t)v;
            must(ew_edit_move_vertex(ew_model_edit(model), v,
                                     (double[]){at[0] * (1.0 + 1e-3 * i), at[1], at[2]}));
        }
        must(ew_model_commit(model));
    }
}

/* The answer is that of a solve from rest. Iterations are returned. */
static int32_t solve_near(ew_model *model, ew_answer_basis *basis, double *exact)
{
    const ew_pcg_def def = {.tolerance = 1e-8,
                            .max_iterations = 1000,
                            .preconditioner = EW_RIGID,
                            .precision = EW_DOUBLE};
    ew_pcg_def precise = def;
    const ew_pcg_info *info;
    size_t n_edge;
    const size_t n = count_values(model, &n_edge);
    double most = 0.0, difference = 0.0;
    must(ew_model_start_near(model, basis));
    const int64_t built = ew_model_view_report(model)->built_blocks;
    must(ew_model_solve(model, &def, &info));
    const int32_t iterations = info->iterations;
    CU_ASSERT(info->residual <= def.tolerance);
    CU_ASSERT(iterations || ew_model_view_report(model)->built_blocks == built);
    if (iterations) { /* sums of such answers are within the tolerance */
        CU_ASSERT(info->residual <= 0.1 * def.tolerance);
        must(ew_model_keep_answer(model, basis));
    }
    memcpy(exact, ew_model_displacement(model), n * sizeof *exact);
    precise.tolerance = 1e-12;
    must(ew_model_solve(model, &precise, &info));
    for (size_t i = 0; i < n; i++) {
        const double u = ew_model_displacement(model)[i];
        most = fmax(most, fabs(u));
        difference = fmax(difference, fabs(u - exact[i]));
    }
    CU_ASSERT(difference <= 1e-5 * most);
    return iterations;
}

static void test_sums_of_answers_need_no_matrix(void)
{
    const body of[] = {{.is_small = true},
                       {.is_small = true, .quadratic = true},
                       {.is_small = true, .quadratic = true, .half = true},
                       {.is_small = true, .orthotropic = true, .oblique = true},
                       {.is_small = true}};
    for (int k = 0; k < 5; k++) {
        ew_answer_basis *basis;
        ew_model *model = make_model(&of[k]);
        size_t n_edge;
        double *u = malloc(count_values(model, &n_edge) * sizeof *u);
        int32_t first = 0, late = 0;
        must(ew_answer_basis_create(&basis));
        for (int i = 0; i < 24; i++) {
            set_variation(model, &of[k], i, k == 4);
            if (i % N_CASE != ZERO_CASE) {
                const int32_t iterations = solve_near(model, basis, u);
                first = i ? first : iterations;
                late += i < 16 ? 0 : iterations;
            }
        }
        CU_ASSERT(first > 0);
        CU_ASSERT(late < (k == 4 ? 7 : 3) * first); /* seven solves */
        set_case(model, &of[k], 1);
        (void)solve_near(model, basis, u);
        set_case(model, &of[k], 4); /* twice that */
        CU_ASSERT_EQUAL(solve_near(model, basis, u), 0);
        ew_answer_basis_free(basis);
        ew_model_free(model);
        free(u);
    }
}

/* Where no more iterations are allowed than the tolerance takes, an answer that others would start
 * from is within that alone, and its iterations are told. */
static void test_iterations_that_end_are_counted(void)
{
    const body of = {.is_small = true};
    ew_pcg_def def = {.tolerance = 1e-8,
                      .max_iterations = 1000,
                      .preconditioner = EW_RIGID,
                      .precision = EW_DOUBLE};
    const ew_pcg_info *info;
    for (int k = 0; k < 2; k++) {
        ew_answer_basis *basis;
        ew_model *model = make_model(&of);
        must(ew_answer_basis_create(&basis));
        set_case(model, &of, 1);
        if (k) {
            must(ew_model_start_near(model, basis));
        }
        must(ew_model_solve(model, &def, &info));
        CU_ASSERT(info->residual <= def.tolerance && info->first_residual == 1.0);
        CU_ASSERT(info->iterations >= (k ? def.max_iterations : 1));
        def.max_iterations = info->iterations;
        ew_answer_basis_free(basis);
        ew_model_free(model);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"cases_have_the_bits_of_solves", test_cases_have_the_bits_of_solves},
                           {"a_case_fails_alone", test_a_case_fails_alone},
                           {"what_does_not_fit_is_refused", test_what_does_not_fit_is_refused},
                           {"cases_that_share_nothing_are_solved_apart",
                            test_cases_that_share_nothing_are_solved_apart},
                           {"sums_of_answers_need_no_matrix", test_sums_of_answers_need_no_matrix},
                           {"iterations_that_end_are_counted",
                            test_iterations_that_end_are_counted},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"load_cases", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
