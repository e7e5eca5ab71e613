/* Vibration and buckling of bodies about a nonlinear static answer: beams that are pulled and
 * pressed, a rod that hangs, an arch that snaps through, bodies that turned or yielded. */
#include "direct_fixture.h"

#if EW_WITH_CHOLMOD
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979;
static const double young = 200e9, density = 7850.0;

static const ew_material elastic = {.young = 200e9, .poisson = 0.0, .density = 7850.0};

typedef bool (*chosen)(const double x[3], const double size[3]);

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ew_test_random(state, 1000001) / 1e6;
}

static bool at_start(const double x[3], const double size[3])
{
    (void)size;
    return x[0] < 1e-9;
}

static bool at_end(const double x[3], const double size[3])
{
    return x[0] > size[0] - 1e-9;
}

static bool at_ends(const double x[3], const double size[3])
{
    return at_start(x, size) || at_end(x, size);
}

/* The middle vertex of the body. */
static bool in_middle(const double x[3], const double size[3])
{
    bool is = true;
    for (int c = 0; c < 3; c++) {
        is = is && fabs(x[c] - 0.5 * size[c]) < 1e-9;
    }
    return is;
}

/* A line across the start, at half of the height. */
static bool at_hinge(const double x[3], const double size[3])
{
    return at_start(x, size) && fabs(x[1] - 0.5 * size[1]) < 1e-9;
}

static int32_t add_set(ew_model *model, const double size[3], chosen is)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {NULL, EW_SET_OF_VERTICES, true};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (is(mesh->xyz + 3 * (size_t)v, size)) {
            must(ew_list_push(&list, v));
        }
    }
    CU_ASSERT_FATAL(list.n > 0);
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

/* Tets of boxes are quadratic. */
static bool is_quadratic;

static ew_model *make_box(const double size[3], const int32_t cells[3], const ew_material *material)
{
    const ew_model_def def = ew_default_model_def();
    ew_mesh mesh;
    ew_model *model;
    must(ew_shape_box(&mesh, size, cells));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    return model;
}

static void solve(ew_model *model, int32_t n_step)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.tolerance = 1e-9;
    def.n_step = n_step;
    def.solver.tolerance = 1e-11;
    must(ew_model_solve_nonlinear(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
}

static double lowest_frequency(ew_model *model)
{
    const ew_modes_def def = modes_def(1);
    const ew_modes *modes;
    must(ew_model_modes(model, &def, &modes));
    CU_ASSERT(modes->residual[0] < 1e-6);
    return modes->frequency[0];
}

static double min_factor(ew_model *model)
{
    const ew_modes_def def = modes_def(1);
    const ew_buckling *buckling;
    must(ew_model_buckling(model, &def, &buckling));
    CU_ASSERT(buckling->residual[0] < 1e-6);
    return buckling->factor[0];
}

/* ---- beams ----------------------------------------------------------------------------------- */

static const double beam[3] = {1.0, 0.02, 0.03};
static const int32_t beam_cells[3] = {32, 2, 2}, coarse_cells[3] = {8, 2, 2};

/* Pinned at both ends and pulled by `force` in all. */
static void pull(ew_model *model, const int32_t set[4], double force)
{
    const ew_model_constraint pins[2] = {{.set = set[0], .fixed = 6}, {.set = set[1], .fixed = 1}};
    const double traction = force / (beam[1] * beam[2]);
    const ew_model_load loads[2] = {
        {.kind = EW_LOAD_TRACTION, .set = set[2], .vector = {-traction, 0.0, 0.0}},
        {.kind = EW_LOAD_TRACTION, .set = set[3], .vector = {traction, 0.0, 0.0}}};
    must(ew_model_set_constraints(model, 2, pins));
    must(ew_model_set_loads(model, 2, loads));
    solve(model, 1);
}

/* omega^2 = omega_0^2 + (pi / L)^2 T / (rho A): the stiffness of the mesh itself is in omega_0, and
 * says at which force it buckles. By the lowest factor, too; beyond that force it does not vibrate.
 */
static void test_beam_pulled_and_pressed(void)
{
    ew_model *model = make_box(beam, is_quadratic ? coarse_cells : beam_cells, &elastic);
    const ew_modes_def def = modes_def(1);
    const ew_modes *modes;
    const double area = beam[1] * beam[2], by = pi * pi / (density * area);
    const int32_t set[4] = {add_set(model, beam, at_ends), add_set(model, beam, in_middle),
                            add_set(model, beam, at_start), add_set(model, beam, at_end)};
    pull(model, set, 0.0);
    const double free = 2.0 * pi * lowest_frequency(model), critical = free * free / by;
    static const double share[4] = {4.0, 1.0, -0.5, -0.9};
    for (int k = 0; k < 4; k++) {
        pull(model, set, share[k] * critical);
        const double omega = 2.0 * pi * lowest_frequency(model);
        CU_ASSERT_DOUBLE_EQUAL(omega * omega / (free * free), 1.0 + share[k],
                               0.01 * (1.0 + share[k]));
        if (share[k] < 0.0) {
            CU_ASSERT_DOUBLE_EQUAL(min_factor(model) * -share[k], 1.0, 0.01);
        }
    }
    if (!is_quadratic) { /* there iterations notice that this equilibrium is not stable */
        pull(model, set, -1.1 * critical);
        CU_ASSERT_EQUAL(ew_model_modes(model, &def, &modes), EW_INDEFINITE);
        CU_ASSERT_DOUBLE_EQUAL(min_factor(model) * 1.1, 1.0, 0.01);
    }
    ew_model_free(model);
}

/* ---- a rod that hangs -------------------------------------------------------------------------
 */

/* Nothing but its weight brings it back: omega^2 = m g L / 2 I about the hinge. */
static void test_hanging_rod_swings(void)
{
    const double size[3] = {1.0, 0.1, 0.1}, g = 9.81;
    const ew_material soft = {.young = 1e8, .poisson = 0.3, .density = 1000.0};
    ew_model *model = make_box(size, (int32_t[3]){10, 2, 2}, &soft);
    const ew_model_constraint hinge[2] = {{.set = add_set(model, size, at_hinge), .fixed = 7},
                                          {.set = add_set(model, size, at_end), .fixed = 2}};
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {g, 0.0, 0.0}};
    must(ew_model_set_loads(model, 1, &weight));
    must(ew_model_set_constraints(model, 2, hinge));
    solve(model, 1);
    must(ew_model_set_constraints(model, 1, hinge));
    const double expected = sqrt(0.5 * g / (1.0 / 3.0 + 0.01 / 12.0)) / (2.0 * pi);
    CU_ASSERT_DOUBLE_EQUAL(lowest_frequency(model), expected, 1e-3 * expected);
    ew_model_free(model);
}

/* ---- an arch that snaps through
 * ------------------------------------------------------------------
 */

/* Half of a shallow arch, clamped at its foot, its crown pushed down: where the push is largest the
 * tangent of the arch with a free crown is singular. */
static void test_limit_point_of_arch(void)
{
    const double size[3] = {1.0, 0.02, 0.02}, height = 0.06;
    const ew_model_def model_def = ew_default_model_def();
    ew_mesh mesh;
    ew_model *model;
    must(ew_shape_box(&mesh, size, (int32_t[3]){40, 2, 1}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double *x = mesh.xyz + 3 * (size_t)v;
        x[1] += 0.5 * height * (1.0 - cos(pi * x[0]));
    }
    must(ew_model_create(&model, &mesh, &model_def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &elastic));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    ew_model_constraint list[3] = {{.set = add_set(model, size, at_start), .fixed = 7},
                                   {.set = add_set(model, size, at_end), .fixed = 1},
                                   {.set = 0, .fixed = 2}};
    list[2].set = list[1].set;
    double push = 0.0, factor = INFINITY;
    bool has_snapped = false;
    for (int k = 1; k <= 16 && !has_snapped; k++) {
        double force[3] = {0.0};
        const ew_fields *fields;
        list[2].value[1] = -height * k / 24.0;
        must(ew_model_set_constraints(model, 3, list));
        solve(model, 1);
        must(ew_model_recover(model, &fields, NULL));
        for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
            const bool there = at_end(ew_model_mesh(model)->xyz + 3 * (size_t)v, size);
            force[1] -= there ? fields->reaction[3 * (size_t)v + 1] : 0.0;
        }
        must(ew_model_set_constraints(model, 2, list));
        const double now = min_factor(model);
        has_snapped = force[1] < push;
        CU_ASSERT(has_snapped ? now < 1.02 : now > 0.98);
        CU_ASSERT(now < factor);
        push = force[1];
        factor = now;
    }
    CU_ASSERT(has_snapped);
    ew_model_free(model);
}

/* ---- bodies that turned, or yielded
 * ---------------------------------------------------------------
 */

/* Turned by a third of a turn about x + y + z, which takes x to y. */
static void turn(ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    double *u = ew_model_field(model, 0);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double *x = mesh->xyz + 3 * (size_t)v;
        for (int c = 0; c < 3; c++) {
            u[3 * (size_t)v + (size_t)c] = x[(c + 2) % 3] - x[c];
        }
    }
}

static void test_turned_body_vibrates_alike(void)
{
    const double size[3] = {1.0, 0.3, 0.2};
    ew_material material = elastic;
    material.poisson = 0.3;
    ew_modes_def def = modes_def(9);
    double frequency[9];
    for (int k = 0; k < 3; k++) { /* linear, at its place, turned */
        ew_model *model = make_box(size, (int32_t[3]){6, 2, 2}, &material);
        const ew_modes *modes;
        must(ew_model_set_kinematics(model, k ? EW_COROTATIONAL : EW_SMALL));
        if (k == 2) {
            turn(model);
        }
        must(ew_model_modes(model, &def, &modes));
        CU_ASSERT_EQUAL(modes->n_rigid, 6);
        for (int i = 0; i < 9; i++) {
            frequency[i] = k ? frequency[i] : modes->frequency[i];
            CU_ASSERT_DOUBLE_EQUAL(modes->frequency[i], frequency[i], 1e-6 * frequency[8]);
        }
        ew_model_free(model);
    }
}

/* Far beyond yielding: what vibrates is elastic. */
static void test_yielded_bar_vibrates_elastically(void)
{
    const double size[3] = {1.0, 0.2, 0.2};
    double frequency[2];
    for (int k = 0; k < 2; k++) {
        ew_material material = elastic;
        ew_material_put_law(&material, &ew_law_plastic);
        material.law_value[EW_PLASTIC_YIELD_STRESS] = 200e6;
        material.law_value[EW_PLASTIC_HARDENING] = 1e9;
        ew_model *model = make_box(size, (int32_t[3]){10, 2, 2}, &material);
        const int32_t start = add_set(model, size, at_start), end = add_set(model, size, at_end);
        const ew_model_constraint list[2] = {{.set = start, .fixed = 7},
                                             {.set = end, .fixed = 1, .value = {k ? 0.004 : 0.0}}};
        must(ew_model_set_constraints(model, 2, list));
        solve(model, 4);
        must(ew_model_set_constraints(model, 1, list));
        frequency[k] = lowest_frequency(model);
        ew_model_free(model);
    }
    CU_ASSERT(frequency[1] > 0.99 * frequency[0] && frequency[1] < 1.1 * frequency[0]);
}

/* ---- hot bodies
 * -------------------------------------------------------------------------------------
 */

static bool at_corner(const double x[3], const double size[3])
{
    return at_start(x, size) && x[1] < 1e-9 && x[2] < 1e-9;
}

static bool at_far_corner(const double x[3], const double size[3])
{
    return at_end(x, size) && x[1] < 1e-9 && x[2] < 1e-9;
}

static bool at_upper_corner(const double x[3], const double size[3])
{
    return at_start(x, size) && x[1] < 1e-9 && x[2] > size[2] - 1e-9;
}

static const ew_material wood = {.kind = EW_ORTHOTROPIC,
                                 .young_along = {10e9, 2e9, 1e9},
                                 .poisson_between = {0.2, 0.1, 0.3},
                                 .shear = {1e9, 2e9, 0.5e9},
                                 .density = 500.0,
                                 .expansions = {1e-5, 5e-5, 9e-5}};

/* Heated by `heat`, free to grow but where its ends are kept in place along it. */
static ew_model *make_hot(ew_kinematics kinematics, const ew_material *material, bool is_kept,
                          double heat)
{
    const double size[3] = {1.0, 0.04, 0.06};
    ew_model *model = make_box(size, (int32_t[3]){24, 2, 2}, material);
    const ew_model_constraint list[4] = {{.set = add_set(model, size, at_corner), .fixed = 7},
                                         {.set = add_set(model, size, at_far_corner), .fixed = 6},
                                         {.set = add_set(model, size, at_upper_corner), .fixed = 2},
                                         {.set = add_set(model, size, at_ends), .fixed = 1}};
    const ew_model_load warm = {.kind = EW_LOAD_TEMPERATURE, .set = -1, .change = heat};
    must(ew_model_set_kinematics(model, kinematics));
    must(ew_model_set_constraints(model, is_kept ? 4 : 3, list));
    must(ew_model_set_loads(model, 1, &warm));
    if (kinematics == EW_COROTATIONAL) {
        solve(model, 1);
        return model;
    }
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-11;
    must(ew_model_solve(model, &def, NULL));
    must(ew_model_recover(model, NULL, NULL));
    return model;
}

/* The stress is that of the ends, E_1 alpha_1 by the heat, and how the body grows across it, which
 * makes ten times the strain, nothing but the section: so small motions have the same factor. Where
 * nothing holds the body, nothing presses it, whatever its strain. */
static void test_hot_bodies(void)
{
    const ew_modes_def def = modes_def(1);
    const ew_buckling *buckling;
    double critical[2];
    for (int k = 0; k < 2; k++) {
        const double heat = k ? 20.0 : 1.0;
        ew_model *model = make_hot(k ? EW_COROTATIONAL : EW_SMALL, &wood, true, heat);
        critical[k] = min_factor(model) * heat;
        ew_model_free(model);
    }
    CU_ASSERT_DOUBLE_EQUAL(critical[1], critical[0], 0.02 * critical[0]);
    ew_material glass = elastic;
    glass.expansion = 1e-5;
    for (int k = 0; k < 12; k++) {
        const double heat[3] = {1.0, 100.0, -1000.0};
        ew_model *model = make_hot(k / 3 % 2 ? EW_COROTATIONAL : EW_SMALL, k < 6 ? &wood : &glass,
                                   false, heat[k % 3]);
        CU_ASSERT_EQUAL(ew_model_buckling(model, &def, &buckling), EW_BAD_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "nothing stresses the body"));
        ew_model_free(model);
    }
}

/* ---- what shapes recover
 * -------------------------------------------------------------------------
 */

/* The strain of a small displacement on top of a large one is the derivative of the strain. */
static void test_strain_rate_is_derivative(void)
{
    uint64_t state = 7;
    double x[12], u[12], du[12];
    for (int n = 0; n < 50; n++) {
        for (int i = 0; i < 12; i++) {
            x[i] = between(&state, -0.3, 0.3) + (i == 3 || i == 7 || i == 11 ? 1.0 : 0.0);
            u[i] = between(&state, -0.1, 0.1);
            du[i] = between(&state, -1.0, 1.0);
        }
        for (int a = 0; a < 4; a++) { /* a turn on top of the strain */
            const double y[3] = {x[3 * a] + u[3 * a], x[3 * a + 1] + u[3 * a + 1],
                                 x[3 * a + 2] + u[3 * a + 2]};
            for (int c = 0; c < 3; c++) {
                u[3 * a + c] = y[(c + 2) % 3] - x[3 * a + c];
            }
        }
        for (int k = 0; k < 2; k++) {
            const ew_kinematics kinematics = k ? EW_COROTATIONAL : EW_SMALL;
            const double h = 1e-6;
            ew_tet_motion at, side[2];
            double rate[6];
            ew_tet_move(kinematics, x, u, &at);
            ew_tet_strain_rate(kinematics, &at, du, rate);
            for (int s = 0; s < 2; s++) {
                double v[12];
                for (int i = 0; i < 12; i++) {
                    v[i] = u[i] + (s ? h : -h) * du[i];
                }
                ew_tet_move(kinematics, x, v, &side[s]);
            }
            for (int i = 0; i < 6; i++) {
                const double quotient = (side[1].strain[i] - side[0].strain[i]) / (2.0 * h);
                CU_ASSERT_DOUBLE_EQUAL(rate[i], quotient, 1e-6);
            }
        }
    }
}

/* From rest a shape recovers what the linear theory does. */
static void test_shape_recovers_linear_fields(void)
{
    const double size[3] = {1.0, 0.3, 0.2};
    ew_model *model[2];
    const ew_fields *fields[2];
    const ew_sums *sums;
    double *shape = NULL, most = 0.0;
    for (int k = 0; k < 2; k++) {
        model[k] = make_box(size, (int32_t[3]){3, 2, 2}, &elastic);
        const ew_model_constraint wall = {.set = add_set(model[k], size, at_start), .fixed = 7};
        must(ew_model_set_constraints(model[k], 1, &wall));
    }
    const ew_mesh *mesh = ew_model_mesh(model[0]);
    const size_t n = 3 * (size_t)mesh->n_vertex;
    const ew_edge_rows *rows = ew_model_edge_rows(model[0]);
    must(ew_new_zero(&shape, n + 3 * (size_t)(rows ? rows->pattern.n_row : 0), sizeof *shape));
    for (size_t i = 0; i < n; i++) {
        const double *x = mesh->xyz + i / 3 * 3;
        shape[i] = x[0] * (0.1 + x[i % 3]);
    }
    must(ew_model_recover_shape(model[0], shape, &fields[0], &sums));
    must(ew_model_set_kinematics(model[1], EW_SMALL));
    must(ew_model_recover_shape(model[1], shape, &fields[1],
                                &sums)); /* in the place of the displacement */
    memcpy(ew_model_field(model[1], 0), shape, n * sizeof *shape);
    must(ew_model_recover(model[1], &fields[1], NULL));
    for (size_t i = 0; i < 6 * (size_t)mesh->n_tet; i++) {
        most = fmax(most, fabs(fields[1]->stress[i]));
    }
    for (size_t i = 0; i < 6 * (size_t)mesh->n_tet; i++) {
        CU_ASSERT_DOUBLE_EQUAL(fields[0]->stress[i], fields[1]->stress[i], 1e-12 * most);
        CU_ASSERT_DOUBLE_EQUAL(fields[0]->strain[i], fields[1]->strain[i], 1e-12 * most / young);
    }
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT_DOUBLE_EQUAL(fields[0]->reaction[i], fields[1]->reaction[i], 1e-12 * most);
    }
    ew_release(shape);
    ew_model_free(model[0]);
    ew_model_free(model[1]);
}

static void test_quadratic_bodies_vibrate_and_buckle(void)
{
    is_quadratic = true;
    test_beam_pulled_and_pressed();
    test_turned_body_vibrates_alike();
    test_yielded_bar_vibrates_elastically();
    test_shape_recovers_linear_fields();
    is_quadratic = false;
}

static CU_TestInfo tests[] = {
    {"beam_pulled_and_pressed", test_beam_pulled_and_pressed},
    {"hanging_rod_swings", test_hanging_rod_swings},
    {"limit_point_of_arch", test_limit_point_of_arch},
    {"turned_body_vibrates_alike", test_turned_body_vibrates_alike},
    {"yielded_bar_vibrates_elastically", test_yielded_bar_vibrates_elastically},
    {"hot_bodies", test_hot_bodies},
    {"strain_rate_is_derivative", test_strain_rate_is_derivative},
    {"shape_recovers_linear_fields", test_shape_recovers_linear_fields},
    {"quadratic_bodies_vibrate_and_buckle", test_quadratic_bodies_vibrate_and_buckle},
    CU_TEST_INFO_NULL,
};
#endif

EW_DIRECT_MAIN("prestress", tests)
