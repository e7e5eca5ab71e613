/* Mixed tets that vibrate and move: a ball against Lamb's closed form, a block against quadratic
 * tets, motion in a mode against the recurrence of each scheme, energy, buckling; modes and
 * buckling on top of large strains and rotations. nu = 0.4999 unless said. */
#include "direct_fixture.h"

#if EW_WITH_CHOLMOD
#include "shape/parts/shape.h"

#define SHEAR (2.0 / (2.0 * 1.4999)) /* of `rubber` */

static const ew_material rubber = {.young = 2.0, .poisson = 0.4999, .density = 3.0};

static ew_model *make_body(ew_mesh *mesh)
{
    const ew_model_def def = ew_default_model_def();
    ew_model *model = NULL;
    must(ew_model_create(&model, mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &rubber));
    return model;
}

/* The vertices where a coordinate is zero. */
static int32_t add_wall(ew_model *model, int axis)
{
    static const char *const name[] = {"x", "y", "z"};
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_list list = {0};
    int32_t set;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(fabs(mesh->xyz[3 * v + axis]) < 1e-9 ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(
        model, &(ew_model_set_def){.name = name[axis], .kind = EW_SET_OF_VERTICES}, &list, &set));
    ew_list_free(&list);
    return set;
}

static ew_model *make_block(const double size[3], const int32_t cells[3])
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, size, cells));
    return make_body(&mesh);
}

static void clamp(ew_model *model)
{
    const ew_model_constraint foot = {.set = add_wall(model, 0), .fixed = 7};
    must(ew_model_set_constraints(model, 1, &foot));
}

static const ew_modes *find_modes(ew_model *model, int32_t count)
{
    const ew_modes_def def = modes_def(count);
    const ew_modes *modes;
    must(ew_model_modes(model, &def, &modes));
    CU_ASSERT(modes->orthogonality < 1e-8);
    for (int32_t k = 0; k < modes->n; k++) {
        CU_ASSERT(modes->residual[k] < 1e-6);
    }
    return modes;
}

/* ---- modes ---------------------------------------------------------------------------- */

/* The octant of a ball with a tiny hole, of whose modes the slowest of those that are symmetric
 * about its three planes is the oblate 0S2, twice: omega a / c = 0.848 pi where the matter is
 * incompressible (Lamb 1882, On the vibrations of an elastic sphere). Linear tets are locked. */
static void test_modes_of_ball(void)
{
    const double speed = sqrt(SHEAR / rubber.density);
    double found[2];
    for (int mixed = 0; mixed < 2; mixed++) {
        ew_mesh mesh;
        ew_model_constraint wall[3];
        must(ew_shape_sphere_octant(&mesh, 0.1, 1.0, (int32_t[2]){5, 8}));
        ew_model *model = make_body(&mesh);
        for (int axis = 0; axis < 3; axis++) {
            wall[axis] =
                (ew_model_constraint){.set = add_wall(model, axis), .fixed = (uint8_t)(1 << axis)};
        }
        must(ew_model_set_constraints(model, 3, wall));
        must(ew_model_set_mixed(model, mixed));
        const ew_modes *modes = find_modes(model, 2);
        CU_ASSERT_EQUAL(modes->n_rigid, 0);
        for (int k = 0; k < 2; k++) {
            found[mixed] = 2.0 * modes->frequency[k] / speed / 0.848;
            CU_ASSERT(!mixed || fabs(found[mixed] - 1.0) < 0.03);
        }
        ew_model_free(model);
    }
    CU_ASSERT(found[0] > 1.1);
}

static void test_modes_of_free_body(void)
{
    ew_model *model = make_block((const double[3]){2.0, 1.0, 1.0}, (int32_t[3]){4, 3, 3});
    must(ew_model_set_mixed(model, true));
    const ew_modes *modes = find_modes(model, 8);
    CU_ASSERT_EQUAL(modes->n_rigid, 6);
    CU_ASSERT(modes->frequency[6] > 0.0);
    ew_model_free(model);
}

/* The same block of quadratic tets, which lock little; mixed ones converge to it. */
static void test_modes_of_block(void)
{
    const double size[3] = {2.0, 1.0, 1.0};
    double wanted[4], error[2];
    ew_model *fine = make_block(size, (int32_t[3]){8, 4, 4});
    clamp(fine);
    must(ew_model_set_order(fine, true));
    memcpy(wanted, find_modes(fine, 4)->frequency, sizeof wanted);
    ew_model_free(fine);
    for (int k = 0; k < 2; k++) {
        const int32_t n = k ? 8 : 4;
        ew_model *model = make_block(size, (int32_t[3]){2 * n, n, n});
        clamp(model);
        must(ew_model_set_mixed(model, true));
        const ew_modes *modes = find_modes(model, 4);
        error[k] = modes->frequency[0] / wanted[0] - 1.0;
        for (int i = 0; i < 4 && k; i++) {
            CU_ASSERT_DOUBLE_EQUAL(modes->frequency[i] / wanted[i], 1.0, 0.06);
        }
        ew_model_free(model);
    }
    CU_ASSERT(fabs(error[1]) < 0.5 * fabs(error[0]));
}

/* ---- motion ---------------------------------------------------------------------------- */

/* One step of the equation q'' = -square q by the scheme. */
static void step_alone(ew_scheme_kind scheme, double dt, double square, double *q, double *rate)
{
    if (scheme == EW_NEWMARK) {
        const double before = *rate, a = -square * *q;
        const double next =
            -square * (*q + dt * before + 0.25 * dt * dt * a) / (1.0 + 0.25 * dt * dt * square);
        *q += dt * before + 0.25 * dt * dt * (a + next);
        *rate += 0.5 * dt * (a + next);
    } else {
        *rate = (*rate - dt * square * *q) / (1.0 + dt * dt * square);
        *q += dt * *rate;
    }
}

/* Let go in its second mode the body stays in it, as the scheme moves one spring. */
static void expect_motion(ew_model *model, ew_scheme_kind scheme)
{
    const ew_modes *modes = find_modes(model, 3);
    const size_t n = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    const double square = modes->eigenvalue[1], dt = 0.3 / sqrt(square);
    double *shape = malloc(n * sizeof *shape), q = 1.0, rate = 0.0, largest = 0.0, worst = 0.0;
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account account;
    def.scheme = scheme;
    def.mass = EW_MASS_CONSISTENT;
    def.account = true;
    def.solver.tolerance = 1e-11;
    memcpy(shape, modes->shape + n, n * sizeof *shape);
    memcpy(ew_model_field(model, 0), shape, n * sizeof *shape);
    memset(ew_model_velocity(model), 0, n * sizeof *shape);
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < 12; i++) {
        must(ew_model_advance(model, dt, NULL));
        step_alone(scheme, dt, square, &q, &rate);
    }
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(shape[i]));
        worst = fmax(worst, fabs(ew_model_displacement(model)[i] - q * shape[i]));
    }
    CU_ASSERT(worst < 1e-6 * largest);
    must(ew_model_account(model, &account));
    CU_ASSERT(scheme != EW_NEWMARK || fabs(account.balance) < 1e-8 * account.initial);
    CU_ASSERT_DOUBLE_EQUAL(2.0 * account.initial / square, 1.0, 1e-6);
    ew_model_stop_dynamics(model);
    free(shape);
}

static void test_motion_in_a_mode(void)
{
    ew_model *model = make_block((const double[3]){2.0, 1.0, 1.0}, (int32_t[3]){4, 3, 3});
    clamp(model);
    must(ew_model_set_mixed(model, true));
    expect_motion(model, EW_NEWMARK);
    expect_motion(model, EW_IMPLICIT_EULER);
    ew_model_free(model);
}

/* ---- buckling ------------------------------------------------------------------------- */

/* The least load factor of a column under its own weight, clamped at its foot. */
static double find_factor(int kind, const int32_t cells[3])
{
    const ew_model_load weight = {.kind = EW_LOAD_GRAVITY, .set = -1, .vector = {-1e-3, 0.0, 0.0}};
    const ew_modes_def def = modes_def(2);
    const ew_buckling *buckling;
    ew_pcg_def solver = ew_default_pcg_def();
    ew_model *model = make_block((const double[3]){6.0, 1.0, 1.2}, cells);
    solver.tolerance = 1e-10;
    clamp(model);
    must(ew_model_set_loads(model, 1, &weight));
    must(kind == 1 ? ew_model_set_mixed(model, true) : EW_OK);
    must(kind == 2 ? ew_model_set_order(model, true) : EW_OK);
    must(ew_model_solve(model, &solver, NULL));
    must(ew_model_recover(model, NULL, NULL));
    must(ew_model_buckling(model, &def, &buckling));
    CU_ASSERT(buckling->n == 2 && buckling->residual[0] < 1e-6);
    const double factor = buckling->factor[0];
    ew_model_free(model);
    return factor;
}

/* Mixed tets bend as stiffly as linear ones do where nothing locks, and no more. */
static void test_buckling_of_column(void)
{
    const double wanted = find_factor(2, (const int32_t[3]){12, 2, 2});
    const double coarse = find_factor(1, (const int32_t[3]){18, 3, 3}) / wanted;
    const double fine = find_factor(1, (const int32_t[3]){24, 4, 4}) / wanted;
    const double linear = find_factor(0, (const int32_t[3]){18, 3, 3}) / wanted;
    CU_ASSERT(fabs(fine - 1.0) < 0.15 && fabs(fine - 1.0) < 0.6 * fabs(coarse - 1.0));
    CU_ASSERT(linear > 2.0 * coarse);
}

/* ---- on top of large strains ----------------------------------------------------------- */

/* Neo-Hookean, its end along x kept at a stretch of 1.5; quadratic or mixed. */
static ew_model *make_stretched(const int32_t cells[3], bool mixed, double stretch)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    ew_material soft = rubber;
    const ew_nonlinear_info *info;
    ew_model_constraint fixed[2] = {{.fixed = 7}, {.fixed = 7, .value = {stretch - 1.0}}};
    ew_list list = {0};
    ew_model *model = make_block((const double[3]){3.0, 1.0, 1.2}, cells);
    const ew_mesh *mesh = ew_model_mesh(model);
    soft.poisson = 0.48;
    ew_material_put_law(&soft, &ew_law_neo_hookean);
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(fabs(mesh->xyz[3 * v] - 3.0) < 1e-9 ? ew_list_push(&list, v) : EW_OK);
    }
    fixed[0].set = add_wall(model, 0);
    must(ew_model_add_set(model, &(ew_model_set_def){.name = "end", .kind = EW_SET_OF_VERTICES},
                          &list, &fixed[1].set));
    ew_list_free(&list);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &soft));
    must(ew_model_set_constraints(model, 2, fixed));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(mixed ? ew_model_set_mixed(model, true) : ew_model_set_order(model, true));
    def.n_step = 3;
    def.tolerance = 1e-9;
    must(stretch != 1.0 ? ew_model_solve_nonlinear(model, &def, &info) : EW_OK);
    return model;
}

/* A body at rest vibrates as the linear one does; pulled it rings higher, as that of quadratic tets
 * does, which mixed ones converge to. */
static void test_modes_of_stretched_rubber(void)
{
    const int32_t cells[2][3] = {{6, 2, 2}, {12, 4, 4}};
    double wanted[3], error[2];
    ew_model *rest = make_stretched(cells[0], true, 1.0);
    memcpy(wanted, find_modes(rest, 3)->frequency, sizeof wanted);
    const ew_material soft = {.young = 2.0, .poisson = 0.48, .density = 3.0};
    must(ew_model_set_material(rest, EW_ALL_REGIONS, &soft));
    must(ew_model_set_kinematics(rest, EW_SMALL));
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_DOUBLE_EQUAL(find_modes(rest, 3)->frequency[k] / wanted[k], 1.0, 1e-7);
    }
    ew_model_free(rest);
    ew_model *fine = make_stretched((int32_t[3]){9, 3, 3}, false, 1.5);
    const double low = wanted[0];
    memcpy(wanted, find_modes(fine, 3)->frequency, sizeof wanted);
    CU_ASSERT(wanted[0] < low); /* longer and thinner */
    ew_model_free(fine);
    for (int k = 0; k < 2; k++) {
        const ew_fields *fields;
        const ew_sums *sums;
        ew_model *model = make_stretched(cells[k], true, 1.5);
        const ew_modes *modes = find_modes(model, 3);
        error[k] = modes->frequency[0] / wanted[0] - 1.0;
        must(ew_model_recover_shape(model, modes->shape, &fields, &sums));
        CU_ASSERT(sums->max_tet_von_mises > 0.0);
        ew_model_free(model);
    }
    CU_ASSERT(fabs(error[1]) < 0.05 && fabs(error[1]) < 0.4 * fabs(error[0]));
}

/* Pressed by a little or by most of it, the column buckles at the factor of the linear body, but
 * for the strain there, 1.8 % at the foot. */
static void test_buckling_of_turned_column(void)
{
    const int32_t cells[3] = {12, 2, 2};
    const double factor = find_factor(1, cells);
    for (int k = 0; k < 2; k++) {
        const ew_modes_def modes = modes_def(1);
        const ew_buckling *buckling;
        const ew_nonlinear_info *info;
        ew_nonlinear_def def = ew_default_nonlinear_def();
        ew_model *model = make_block((const double[3]){6.0, 1.0, 1.2}, cells);
        const ew_model_load weight = {
            .kind = EW_LOAD_GRAVITY, .set = -1, .vector = {k ? -0.9e-3 * factor : -1e-6}};
        clamp(model);
        def.tolerance = 1e-9;
        must(ew_model_set_loads(model, 1, &weight));
        must(ew_model_set_kinematics(model, EW_COROTATIONAL));
        must(ew_model_set_mixed(model, true));
        must(ew_model_solve_nonlinear(model, &def, &info));
        must(ew_model_recover(model, NULL, NULL));
        must(ew_model_buckling(model, &modes, &buckling));
        const double found = buckling->factor[0] * (k ? 0.9 : 1e-3 / factor);
        CU_ASSERT_DOUBLE_EQUAL(found, 1.0, 0.06);
        ew_model_free(model);
    }
}

/* With loads, damping and a scheme that means over the step: it comes to rest where statics are,
 * volumetric stress and all, and energy that is gone went into damping. */
static void test_rest(void)
{
    ew_model *model = make_block((const double[3]){1.0, 1.0, 1.0}, (int32_t[3]){3, 3, 3});
    const ew_model_load gravity = {
        .kind = EW_LOAD_GRAVITY, .set = -1, .vector = {0.01, 0.0, -0.02}};
    const size_t n = (size_t)ew_model_mesh(model)->n_vertex;
    ew_pcg_def solver = ew_default_pcg_def();
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account account;
    double *wanted = malloc(4 * n * sizeof *wanted), worst = 0.0, pressure = 0.0, most[2] = {0.0};
    solver.tolerance = 1e-11;
    clamp(model);
    must(ew_model_set_loads(model, 1, &gravity));
    must(ew_model_set_mixed(model, true));
    must(ew_model_solve(model, &solver, NULL));
    memcpy(wanted, ew_model_displacement(model), 3 * n * sizeof *wanted);
    memcpy(wanted + 3 * n, ew_model_volumetric_stress(model), n * sizeof *wanted);
    memset(ew_model_field(model, 0), 0, 3 * n * sizeof *wanted);
    memset(ew_model_volumetric_stress(model), 0, n * sizeof *wanted);
    def.scheme = EW_HHT;
    def.solver = solver;
    def.account = true;
    def.damping_mass = 0.4;
    def.damping_stiffness = 0.8;
    must(ew_model_start_dynamics(model, &def, 0.0));
    for (int i = 0; i < 60; i++) {
        must(ew_model_advance(model, 4.0, NULL));
    }
    must(ew_model_recover(model, NULL, NULL));
    for (size_t i = 0; i < 4 * n; i++) {
        const double found = i < 3 * n ? ew_model_displacement(model)[i]
                                       : ew_model_volumetric_stress(model)[i - 3 * n];
        double *to = i < 3 * n ? &worst : &pressure;
        *to = fmax(*to, fabs(found - wanted[i]));
        most[i >= 3 * n] = fmax(most[i >= 3 * n], fabs(wanted[i]));
    }
    CU_ASSERT(worst < 1e-6 * most[0]);
    CU_ASSERT(pressure < 1e-4 * most[1]);
    must(ew_model_account(model, &account));
    CU_ASSERT(account.damping_work > 0.0 && fabs(account.balance) < 0.2 * account.damping_work);
    free(wanted);
    ew_model_free(model);
}

static CU_TestInfo tests[] = {{"modes_of_ball", test_modes_of_ball},
                              {"modes_of_free_body", test_modes_of_free_body},
                              {"modes_of_block", test_modes_of_block},
                              {"motion_in_a_mode", test_motion_in_a_mode},
                              {"rest", test_rest},
                              {"buckling_of_column", test_buckling_of_column},
                              {"modes_of_stretched_rubber", test_modes_of_stretched_rubber},
                              {"buckling_of_turned_column", test_buckling_of_turned_column},
                              CU_TEST_INFO_NULL};
#endif
EW_DIRECT_MAIN("motion of mixed tets", tests)
