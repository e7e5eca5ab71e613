/* Vibration modes: closed forms, free bodies, supports of all kinds; what is not there is refused.
 */
#include "curved_fixture.h"
#include "direct_fixture.h"
#include "ew_parts.h"

#if EW_WITH_CHOLMOD

static const ew_material steel = {.young = 210e9, .poisson = 0.0, .density = 7850.0};

/* A beam along x, as long as it says, of a square of `side`; x = 0 in the set 0. */
static ew_model *make_beam(double length, double side, int32_t n_long, int32_t n_across)
{
    const ew_model_def def = ew_default_model_def();
    ew_mesh mesh;
    ew_model *model;
    ew_list list = {0};
    int32_t set;
    must(ew_shape_box(&mesh, (double[3]){length, side, side},
                      (int32_t[3]){n_long, n_across, n_across}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    must(choose_members(model, WALL, &list));
    must(ew_model_add_set(model, &set_def[WALL], &list, &set));
    ew_list_free(&list);
    return model;
}

static void expect_pairs(const ew_modes *modes)
{
    CU_ASSERT(modes->orthogonality < 1e-9);
    for (int32_t k = 0; k < modes->n; k++) {
        CU_ASSERT(modes->residual[k] < 1e-6);
        CU_ASSERT(k == 0 || modes->eigenvalue[k] >= modes->eigenvalue[k - 1] - modes->shift);
    }
}

/* A bar that can only stretch: f = (2 k - 1) / 4 L sqrt(E / rho), and shares of the mass 8 / pi^2
 * (2 k - 1)^2. */
static void test_modes_of_bar(void)
{
    ew_model *model = make_beam(1.0, 0.1, 40, 1);
    ew_list all = {0};
    int32_t body;
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        must(ew_list_push(&all, v));
    }
    must(ew_model_add_set(model, &(ew_model_set_def){"body", EW_SET_OF_VERTICES, false}, &all,
                          &body));
    const ew_model_constraint along[] = {{.fixed = 7}, {.set = body, .fixed = 6}};
    must(ew_model_set_constraints(model, 2, along));
    for (int kind = 0; kind < 2; kind++) {
        ew_modes_def def = modes_def(3);
        const ew_modes *modes;
        def.mass = kind ? EW_MASS_LUMPED : EW_MASS_CONSISTENT;
        must(ew_model_modes(model, &def, &modes));
        expect_pairs(modes);
        CU_ASSERT_EQUAL(modes->n_rigid, 0);
        CU_ASSERT_DOUBLE_EQUAL(modes->mass, 78.5, 1e-9);
        for (int k = 0; k < 3; k++) {
            const double odd = 2 * k + 1, exact = odd / 4.0 * sqrt(210e9 / 7850.0);
            const double share = modes->effective[3 * k] / modes->mass;
            CU_ASSERT_DOUBLE_EQUAL(modes->frequency[k] / exact, 1.0, 4e-3);
            CU_ASSERT((modes->frequency[k] > exact) == (kind == 0));
            CU_ASSERT_DOUBLE_EQUAL(share, 8.0 / (9.869604401 * odd * odd), 0.02);
            CU_ASSERT(modes->effective[3 * k + 1] < 1e-12);
        }
    }
    ew_list_free(&all);
    ew_model_free(model);
}

/* Bending of a cantilever, f = 1.8751^2 / 2 pi L^2 sqrt(E I / rho A): linear tets are too stiff,
 * and less so the finer they are; both directions of a square section alike. */
static void test_modes_of_cantilever(void)
{
    const double exact = 3.51602 / 6.283185307 * sqrt(210e9 * 0.01 / 12.0 / 7850.0);
    double error[2];
    for (int k = 0; k < 2; k++) {
        ew_model *model = make_beam(1.0, 0.1, k ? 40 : 20, k ? 4 : 2);
        const ew_model_constraint clamp = {.fixed = 7};
        const ew_modes_def def = modes_def(4);
        const ew_modes *modes;
        must(ew_model_set_constraints(model, 1, &clamp));
        must(ew_model_modes(model, &def, &modes));
        expect_pairs(modes);
        error[k] = modes->frequency[0] / exact - 1.0;
        CU_ASSERT_DOUBLE_EQUAL(modes->frequency[1] / modes->frequency[0], 1.0, k ? 0.06 : 0.15);
        CU_ASSERT(modes->effective[1] + modes->effective[2] > 0.5 * modes->mass);
        ew_model_free(model);
    }
    CU_ASSERT(error[0] > error[1] && error[1] > 0.0 && error[1] < 0.3);
    CU_ASSERT(error[1] < 0.4 * error[0]);
}

/* A stiff block of quadratic tets on a foundation: up and down by the normal stiffness, about the
 * normal by the other one, whose moment over the face is the integral of r^2; the direct solver and
 * the iterative one agree. */
static void test_modes_on_foundation(void)
{
    const double normal = 4e7, across = 1e7, mass = 0.5 * 7850.0, turn = 6.283185307179586;
    const double expected[2] = {sqrt(normal / mass) / turn, sqrt(across / mass) / turn};
    const ew_model_spring soil = {.kind = EW_SPRING_FOUNDATION, .stiffness = {normal, across, 0.0}};
    const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {1.0, 2.0, 3.0}};
    ew_model *model = make_beam(0.5, 1.0, 2, 2);
    const ew_modes_def def = modes_def(6);
    const ew_modes *modes;
    must(ew_model_set_order(model, true));
    must(ew_model_set_springs(model, 1, &soil));
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_modes(model, &def, &modes));
    expect_pairs(modes);
    for (int i = 0; i < 2; i++) {
        double nearest = INFINITY;
        for (int32_t k = 0; k < modes->n; k++) {
            nearest = fmin(nearest, fabs(modes->frequency[k] - expected[i]));
        }
        CU_ASSERT(nearest < 5e-4 * expected[i]);
    }
    const int32_t n = 3 * ew_model_mesh(model)->n_vertex;
    const double *u = ew_model_displacement(model);
    double *direct = calloc((size_t)n, sizeof *direct), error = 0.0, largest = 0.0;
    const ew_pcg_def by_factor = direct_def(1e-9);
    ew_pcg_def by_steps = ew_default_pcg_def();
    by_steps.tolerance = 1e-9;
    must(ew_model_solve(model, &by_factor, NULL));
    memcpy(direct, u, (size_t)n * sizeof *u);
    must(ew_model_solve(model, &by_steps, NULL));
    for (int32_t i = 0; i < n; i++) {
        error = fmax(error, fabs(direct[i] - u[i]));
        largest = fmax(largest, fabs(u[i]));
    }
    CU_ASSERT(error < 1e-6 * largest);
    free(direct);
    ew_model_free(model);
}

/* Six motions of a free body, which carry all of its mass. */
static void test_modes_of_free_body(void)
{
    ew_model *model = make_beam(1.0, 0.2, 10, 2);
    const ew_modes_def def = modes_def(9);
    const ew_modes *modes;
    double mass[3] = {0.0, 0.0, 0.0};
    must(ew_model_modes(model, &def, &modes));
    expect_pairs(modes);
    CU_ASSERT_EQUAL(modes->n_rigid, 6);
    for (int32_t k = 0; k < 6; k++) {
        CU_ASSERT_EQUAL(modes->frequency[k], 0.0);
        CU_ASSERT(fabs(modes->eigenvalue[k]) < 1e-4 * modes->shift);
        for (int c = 0; c < 3; c++) {
            mass[c] += modes->effective[3 * k + c];
        }
    }
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(mass[c] / modes->mass, 1.0, 1e-9);
    }
    CU_ASSERT(modes->frequency[6] > 100.0);
    /* Twelve of two such bodies. */
    ew_model_begin(model);
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t++) {
        double x[12], middle = 0.0;
        ew_mesh_tet_values(ew_model_mesh(model), t, ew_model_mesh(model)->xyz, x);
        for (int k = 0; k < 4; k++) {
            middle += 0.25 * x[3 * k];
        }
        if (middle > 0.4 && middle < 0.5) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
        }
    }
    must(ew_model_commit(model));
    const ew_modes_def more = modes_def(14);
    must(ew_model_modes(model, &more, &modes));
    expect_pairs(modes);
    CU_ASSERT_EQUAL(modes->n_rigid, 12);
    ew_model_free(model);
}

/* n cubes in a row that nothing connects. */
static ew_model *make_cubes(int32_t n)
{
    ew_model *model = make_beam(2 * n - 1, 1.0, 3 * (2 * n - 1), 3);
    ew_model_begin(model);
    for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t++) {
        double x[12];
        ew_mesh_tet_values(ew_model_mesh(model), t, ew_model_mesh(model)->xyz, x);
        if ((int)(0.25 * (x[0] + x[3] + x[6] + x[9])) % 2 == 1) {
            must(ew_edit_remove_tet(ew_model_edit(model), t));
        }
    }
    must(ew_model_commit(model));
    return model;
}

/* Each frequency of one cube as often as there are cubes, whatever number is asked for. */
static void test_modes_of_equal_bodies(void)
{
    double one[24];
    for (int32_t n = 1; n <= 3; n++) {
        ew_model *model = make_cubes(n);
        for (int32_t count = n == 1 ? 24 : 1; count <= 24; count++) {
            const ew_modes_def def = modes_def(count);
            const ew_modes *modes;
            must(ew_model_modes(model, &def, &modes));
            expect_pairs(modes);
            for (int32_t k = 0; k < count; k++) {
                one[k] = n == 1 ? modes->frequency[k] : one[k];
                CU_ASSERT_DOUBLE_EQUAL(modes->frequency[k], one[k / n], 1e-7 * one[23]);
            }
        }
        ew_model_free(model);
    }
}

/* Oblique supports and springs: shapes keep to them, and all modes together have the mass that the
 * supports leave free. */
static void test_modes_with_supports(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_modes_def def = modes_def(8);
    const ew_modes *modes;
    must(ew_model_modes(model, &def, &modes));
    expect_pairs(modes);
    const ew_constraints *constraints = ew_model_constraints(model);
    for (int32_t k = 0; k < constraints->oblique.n; k++) {
        double part[3];
        ew_oblique_part(&constraints->oblique, k,
                        modes->shape + 3 * (size_t)constraints->oblique.row[k], part);
        CU_ASSERT(fabs(part[0]) + fabs(part[1]) + fabs(part[2]) < 1e-12);
    }
    const double first = modes->frequency[0];
    must(ew_model_modes(model, &def, &modes)); /* again: the same bits */
    CU_ASSERT_EQUAL(first, modes->frequency[0]);
    ew_model_free(model);
}

/* Quadratic tets, two across the height: Timoshenko's cantilever, 82.8 Hz for nu = 0, to a percent,
 * with either mass; both directions alike. */
static void test_modes_of_quadratic_cantilever(void)
{
    for (int kind = 0; kind < 2; kind++) {
        ew_model *model = make_beam(1.0, 0.1, 10, 2);
        const ew_model_constraint clamp = {.fixed = 7};
        ew_modes_def def = modes_def(4);
        const ew_modes *modes;
        def.mass = kind ? EW_MASS_LUMPED : EW_MASS_CONSISTENT;
        must(ew_model_set_order(model, true));
        must(ew_model_set_constraints(model, 1, &clamp));
        must(ew_model_modes(model, &def, &modes));
        expect_pairs(modes);
        CU_ASSERT(modes->n_row > modes->n_vertex);
        CU_ASSERT_DOUBLE_EQUAL(modes->mass, 78.5, 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(modes->frequency[0] / 82.8, 1.0, 0.01);
        CU_ASSERT_DOUBLE_EQUAL(modes->frequency[1] / modes->frequency[0], 1.0, 0.004);
        ew_model_free(model);
    }
}

/* Six rigid motions, whatever tets are quadratic, and the displacement stays what it was. */
static void test_modes_of_free_quadratic_body(void)
{
    for (int kind = 0; kind < 4; kind++) {
        ew_model *model = make_beam(1.0, 0.2, 6, 2);
        ew_modes_def def = modes_def(8);
        const ew_modes *modes;
        ew_list half = {0};
        def.mass = kind % 2 ? EW_MASS_LUMPED : EW_MASS_CONSISTENT;
        for (int32_t t = 0; t < ew_model_mesh(model)->n_tet; t += 1 + t % 2) {
            must(ew_list_push(&half, t));
        }
        must(kind < 2 ? ew_model_set_order(model, true) : ew_model_enrich(model, &half, true));
        must(ew_model_modes(model, &def, &modes));
        expect_pairs(modes);
        CU_ASSERT_EQUAL(modes->n_rigid, 6);
        double mass = 0.0;
        for (int32_t k = 0; k < 6; k++) {
            mass += modes->effective[3 * k + 1];
        }
        CU_ASSERT_DOUBLE_EQUAL(mass / modes->mass, 1.0, 1e-9);
        for (int32_t i = 0; i < 3 * ew_model_edge_rows(model)->pattern.n_row; i++) {
            CU_ASSERT_EQUAL(ew_model_edge_displacement(model)[i], 0.0);
        }
        ew_list_free(&half);
        ew_model_free(model);
    }
}

/* Six rigid motions of a bent body with curved sides, too, whose mass is that of the straight one;
 * its first shape bends, and on a mesh of half the size it has the same frequency. */
static void test_modes_of_free_curved_body(void)
{
    for (int kind = 0; kind < 2; kind++) {
        double first[2];
        for (int32_t fine = 1; fine < 3; fine++) {
            const ew_model_def def_of_model = ew_default_model_def();
            ew_modes_def def = modes_def(8);
            const ew_modes *modes;
            ew_model *model;
            ew_mesh mesh;
            def.mass = kind ? EW_MASS_LUMPED : EW_MASS_CONSISTENT;
            must(ew_shape_box(&mesh, (double[]){2.0, 0.3, 0.3}, (int32_t[]){6 * fine, fine, fine}));
            bend_mesh(&mesh, 0.0);
            must(ew_model_create(&model, &mesh, &def_of_model));
            must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
            must(ew_model_set_order(model, true));
            must(ew_model_modes(model, &def, &modes));
            expect_pairs(modes);
            CU_ASSERT_EQUAL(modes->n_rigid, 6);
            CU_ASSERT_DOUBLE_EQUAL(modes->mass, 0.18 * steel.density, 1e-9);
            first[fine - 1] = modes->frequency[6];
            ew_model_free(model);
        }
        CU_ASSERT_DOUBLE_EQUAL(first[0] / first[1], 1.0, kind ? 0.05 : 0.02);
    }
}

/* Oblique supports and springs of quadratic tets; again the same bits. */
static void test_modes_with_supports_of_quadratic_tets(void)
{
    ew_model *model = make_model(2, NULL);
    const ew_modes_def def = modes_def(8);
    const ew_modes *modes;
    must(ew_model_set_order(model, true));
    must(ew_model_modes(model, &def, &modes));
    expect_pairs(modes);
    const double first = modes->frequency[0], last = modes->frequency[7];
    must(ew_model_modes(model, &def, &modes));
    CU_ASSERT(first > 0.0 && first == modes->frequency[0] && last == modes->frequency[7]);
    ew_model_free(model);
}

/* A free bar one of whose tets is a sliver of quality 6e-5: vertex 13, within the bar, is almost in
 * the plane of the other three of a tet of it. */
static ew_model *make_bar_with_sliver(int32_t *vertex)
{
    const ew_model_def def = ew_default_model_def();
    const double share = 0.9999995;
    ew_mesh mesh;
    ew_model *model;
    must(ew_shape_box(&mesh, (double[3]){1.0, 0.2, 0.2}, (int32_t[3]){10, 2, 2}));
    *vertex = 13;
    double x[12], g[4][3], *to = mesh.xyz + 3 * (size_t)*vertex;
    int32_t t = 0, corner = -1;
    for (; corner < 0; t++) {
        for (int k = 0; k < 4; k++) {
            corner = mesh.tet[4 * t + k] == *vertex ? k : corner;
        }
    }
    ew_mesh_tet_values(&mesh, t - 1, mesh.xyz, x);
    (void)ew_element_gradients(x, g); /* of the vertex's function, which is 1 there: 1 / height */
    const double *slope = g[corner];
    const double square = slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2];
    for (int c = 0; c < 3; c++) {
        to[c] -= share * slope[c] / square;
    }
    const double quality = ew_mesh_tet_quality(&mesh, t - 1);
    CU_ASSERT(quality > 5e-5 && quality < 7e-5);
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    return model;
}

/* Rounding of exact rigid motions is more than the shift times a mass: they count all the same, and
 * the elastic modes are those of the bar with a good tet in its place. */
static void test_modes_of_free_body_with_sliver(void)
{
    int32_t vertex;
    ew_model *good = make_beam(1.0, 0.2, 10, 2), *model = make_bar_with_sliver(&vertex);
    const ew_modes_def def = modes_def(8);
    const ew_modes *modes, *reference;
    double mass = 0.0, largest = 0.0;
    must(ew_model_modes(model, &def, &modes));
    must(ew_model_modes(good, &def, &reference));
    CU_ASSERT_EQUAL(modes->n_rigid, 6);
    CU_ASSERT(modes->orthogonality < 1e-9);
    for (int32_t k = 0; k < 6; k++) {
        CU_ASSERT_EQUAL(modes->frequency[k], 0.0);
        mass += modes->effective[3 * k + 2];
        largest = fmax(largest, modes->residual[k]);
    }
    CU_ASSERT(largest > 1e-6); /* what was refused */
    CU_ASSERT_DOUBLE_EQUAL(mass / modes->mass, 1.0, 1e-6);
    for (int32_t k = 6; k < 8; k++) {
        CU_ASSERT(modes->residual[k] < 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(modes->frequency[k] / reference->frequency[k], 1.0, 0.05);
    }
    ew_model_free(good);
    ew_model_free(model);
}

/* Pairs as they are found, but one of them has some of the last one in it. */
static int32_t spoiled;
static double spoiled_by;
static ew_status solve_and_spoil(const ew_eigen_problem *problem, int32_t count, double *theta,
                                 double *vector, int32_t *n_solve)
{
    const size_t n = (size_t)problem->n;
    const ew_status status = ew_eigen_solve(problem, count, theta, vector, n_solve);
    for (size_t i = 0; i < n && !status; i++) {
        vector[n * (size_t)spoiled + i] += spoiled_by * vector[n * (size_t)(count - 1) + i];
    }
    return status;
}

/* A share of 1e-9 in a good mesh, 1e-6 beside the sliver; of an elastic mode as of a rigid one. */
static void test_modes_of_wrong_pairs(void)
{
    int32_t vertex;
    ew_model *each[] = {make_beam(1.0, 0.2, 10, 2), make_bar_with_sliver(&vertex)};
    for (int i = 0; i < 2; i++) {
        ew_modes_def def = modes_def(9);
        const ew_modes *modes = NULL;
        def.eigen = solve_and_spoil;
        for (spoiled = 0; spoiled < 8; spoiled++) {
            char name[40];
            snprintf(name, sizeof name, "mode %d has a residual", spoiled + 1);
            spoiled_by = spoiled >= 6 ? 1e-4 : i ? 1e-6 : 1e-9;
            CU_ASSERT_EQUAL(ew_model_modes(each[i], &def, &modes), EW_NOT_CONVERGED);
            CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), name));
            CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "one more or one fewer"));
        }
        ew_model_free(each[i]);
    }
}

static void test_modes_refused(void)
{
    ew_model *model = make_beam(1.0, 0.2, 2, 1);
    ew_modes_def def = modes_def(0);
    const ew_modes *modes = NULL;
    CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_BAD_INPUT);
    def.count = 36;
    CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "from 1 to 35"));
    def.count = 30;
    must(ew_model_modes(model, &def, &modes));
    expect_pairs(modes);
    const ew_material light = {.young = 210e9, .poisson = 0.3};
    must(ew_model_set_material(model, EW_ALL_REGIONS, &light));
    CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "density"));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    def.eigen = NULL;
    CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_UNSUPPORTED);
    ew_model_free(model);
}

static void run_without_memory(bool quadratic)
{
    int64_t k = 0;
    for (bool refused = true; refused; k++) {
        ew_model *model = make_beam(1.0, 0.2, 2, 1);
        must(ew_model_set_order(model, quadratic));
        const ew_modes_def def = modes_def(3);
        const ew_modes *modes;
        ew_test_allocations_begin(k);
        const ew_status status = ew_model_modes(model, &def, &modes);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        ew_model_free(model);
    }
    CU_ASSERT(k > 20);
}

static void test_modes_without_memory(void)
{
    run_without_memory(false);
    run_without_memory(true);
}

static CU_TestInfo tests[] = {
    {"of_bar", test_modes_of_bar},
    {"of_cantilever", test_modes_of_cantilever},
    {"on_foundation", test_modes_on_foundation},
    {"of_free_body", test_modes_of_free_body},
    {"of_equal_bodies", test_modes_of_equal_bodies},
    {"with_supports", test_modes_with_supports},
    {"of_quadratic_cantilever", test_modes_of_quadratic_cantilever},
    {"of_free_quadratic_body", test_modes_of_free_quadratic_body},
    {"of_free_curved_body", test_modes_of_free_curved_body},
    {"with_supports_of_quadratic_tets", test_modes_with_supports_of_quadratic_tets},
    {"of_free_body_with_sliver", test_modes_of_free_body_with_sliver},
    {"of_wrong_pairs", test_modes_of_wrong_pairs},
    {"refused", test_modes_refused},
    {"without_memory", test_modes_without_memory},
    CU_TEST_INFO_NULL,
};
#endif

EW_DIRECT_MAIN("modes", tests)
