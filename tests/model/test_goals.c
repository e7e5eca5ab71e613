/* Goals: values as reports have them, derivatives by moduli, loads, springs and moved faces against
 * differences of solutions and closed forms, and what an adjoint adds after a local answer. */
#include "curved_fixture.h"

#include "model/internal.h"
#include "solver/krylov/pcg.h"

#include <math.h>

enum { WALL, TIP, TIP_FACES, INNER, SETS };
enum { GOALS = 10 };

typedef struct bar {
    ew_model *model;
    ew_goal goal[GOALS];
    bool springs, is_heated;
} bar;

static ew_material steel(double young)
{
    return (ew_material){.young = young, .poisson = 0.3, .expansion = 1e-5};
}

/* 2 x 1 x 1, fixed at x = 0, in two regions of another material each where `regions` is 2. */
static void make_bar(bar *b, bool quadratic, bool curved, int regions)
{
    const ew_model_def def = ew_default_model_def();
    const char *const name[SETS] = {"wall", "tip", "faces", "inner"};
    ew_mesh mesh;
    ew_list list[SETS] = {{0}};
    int32_t set;
    *b = (bar){0};
    must(ew_shape_box(&mesh, (double[]){2, 1, 1}, (int32_t[]){4, 2, 2}));
    for (int32_t t = 0; t < mesh.n_tet && regions == 2; t++) {
        double x[12];
        ew_mesh_tet_values(&mesh, t, mesh.xyz, x);
        mesh.region[t] = x[0] + x[3] + x[6] + x[9] > 4.0;
    }
    if (regions == 2) {
        must(ew_grow(&mesh.region_label, &mesh.region_capacity, 2, sizeof *mesh.region_label));
        mesh.region_label[0] = 1;
        mesh.region_label[1] = 2;
        mesh.n_region = 2;
    }
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        const double x = mesh.xyz[3 * v];
        must(x == 0.0 ? ew_list_push(&list[WALL], v) : EW_OK);
        must(x == 2.0 ? ew_list_push(&list[TIP], v) : EW_OK);
    }
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        for (int32_t f = 0; f < 4; f++) {
            int n = 0;
            for (int k = 0; k < 3; k++) {
                n += mesh.xyz[3 * mesh.tet[4 * t + ew_face_vertex[f][k]]] == 2.0;
            }
            must(n == 3 ? ew_list_push(&list[TIP_FACES], 4 * t + f) : EW_OK);
        }
        must(t % 7 == 3 ? ew_list_push(&list[INNER], t) : EW_OK);
    }
    if (curved) {
        curve_mesh(&mesh, bend, 0.0);
    }
    must(ew_model_create(&b->model, &mesh,
                         &(ew_model_def){.precision = def.precision, .reorder = false}));
    must(quadratic ? ew_model_set_order(b->model, true) : EW_OK);
    const ew_material first = steel(2e11), second = steel(7e10);
    must(ew_model_set_material(b->model, EW_ALL_REGIONS, &first));
    must(regions == 2 ? ew_model_set_material(b->model, 2, &second) : EW_OK);
    for (int s = 0; s < SETS; s++) {
        const ew_set_kind kind = s == TIP_FACES ? EW_SET_OF_FACES
                                 : s == INNER   ? EW_SET_OF_TETS
                                                : EW_SET_OF_VERTICES;
        must(ew_model_add_set(b->model, &(ew_model_set_def){name[s], kind, false}, &list[s], &set));
        CU_ASSERT_EQUAL(set, s);
        ew_list_free(&list[s]);
    }
    for (int i = 0; i < GOALS; i++) {
        b->goal[i] = ew_default_goal();
    }
    b->goal[0].set = TIP;
    b->goal[0].direction[1] = 1.5;
    b->goal[1].set = TIP_FACES; /* a magnitude */
    b->goal[2].kind = EW_GOAL_REACTION;
    b->goal[2].set = WALL;
    b->goal[2].components = 15;
    b->goal[3].kind = EW_GOAL_COMPLIANCE;
    b->goal[4].kind = EW_GOAL_ENERGY;
    b->goal[5].kind = EW_GOAL_STRESS;
    b->goal[5].set = INNER;
    b->goal[5].component = 3;
    for (int i = 6; i < GOALS; i++) {
        b->goal[i].kind = EW_GOAL_VON_MISES;
    }
    b->goal[6].set = INNER;
    b->goal[7].set = TIP_FACES;
    b->goal[8].vertex = ew_model_mesh(b->model)->tet[4 * 31];
    b->goal[9].tet = 11;
    must(ew_model_set_goals(b->model, GOALS, b->goal));
}

/* Loads of this size along y, and a third of it as a pressure that follows no faces. */
static void put_loads(bar *b, double size)
{
    const ew_model_load load[3] = {
        {.kind = EW_LOAD_TOTAL_FORCE, .set = TIP_FACES, .vector = {0.3 * size, size, 0.1 * size}},
        {.kind = EW_LOAD_PRESSURE, .set = TIP_FACES, .pressure = size / 3.0},
        ew_load_temperature(-1, 10.0)};
    must(ew_model_set_loads(b->model, b->is_heated ? 3 : 2, load));
}

static void put_supports(bar *b, double value, double stiffness)
{
    const ew_model_constraint wall = {.set = WALL, .fixed = b->springs ? 3 : 7, .value = {value}};
    const ew_model_spring spring[2] = {
        {.kind = EW_SPRING_EACH, .set = WALL, .stiffness = {0, 0, stiffness}},
        {.kind = EW_SPRING_FOUNDATION, .set = TIP_FACES, .stiffness = {0, stiffness, stiffness}}};
    must(ew_model_set_constraints(b->model, 1, &wall));
    must(ew_model_set_springs(b->model, b->springs ? 2 : 0, spring));
}

static ew_pcg_def exactly(void)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-13;
    return def;
}

static void solve_goals(bar *b, double value[GOALS])
{
    const ew_pcg_def def = exactly();
    must(ew_model_solve(b->model, &def, NULL));
    for (int i = 0; i < ew_model_n_goal(b->model); i++) {
        ew_goal_answer answer;
        must(ew_model_evaluate_goal(b->model, i, &def, &answer));
        value[i] = answer.value;
        CU_ASSERT_DOUBLE_EQUAL(answer.corrected, answer.value,
                               1e-9 * fabs(answer.value) + 1e-15 * 1e5);
    }
}

/* ---- parameters --------------------------------------------------------------------- */

static ew_status put_young(void *user, ew_model *model, double value)
{
    const ew_material material = steel(value);
    (void)user;
    return ew_model_set_material(model, EW_ALL_REGIONS, &material);
}

static ew_status put_load(void *user, ew_model *model, double value)
{
    (void)model;
    put_loads(user, value);
    return EW_OK;
}

static ew_status put_spring(void *user, ew_model *model, double value)
{
    (void)model;
    put_supports(user, 1e-6, value);
    return EW_OK;
}

static ew_status put_wall(void *user, ew_model *model, double value)
{
    (void)model;
    put_supports(user, value, 1e9);
    return EW_OK;
}

/* A face is moved along x. */
static ew_status put_length(void *user, ew_model *model, double value)
{
    ew_list tip = {0};
    (void)user;
    ew_model_begin(model);
    EW_TRY(ew_model_list_vertices(model, TIP, &tip));
    for (int32_t i = 0; i < tip.n; i++) {
        double to[3];
        memcpy(to, ew_model_mesh(model)->xyz + 3 * (size_t)tip.id[i], sizeof to);
        to[0] = value;
        EW_TRY(ew_edit_move_vertex(ew_model_edit(model), tip.id[i], to));
    }
    ew_list_free(&tip);
    return ew_model_commit(model);
}

/* Derivatives against central differences of solutions. */
static void compare(bar *b, const char *what, ew_status (*put)(void *, ew_model *, double),
                    double value, double share, double tolerance)
{
    const double step = share * value;
    ew_goal_parameter parameter = {put, b, value, step};
    double derivative[GOALS], now[GOALS], high[GOALS], low[GOALS];
    const int n = ew_model_n_goal(b->model);
    must(put(b, b->model, value));
    solve_goals(b, now);
    must(ew_model_differentiate_goals(b->model, &parameter, derivative));
    must(put(b, b->model, value + step));
    solve_goals(b, high);
    must(put(b, b->model, value - step));
    solve_goals(b, low);
    must(put(b, b->model, value));
    for (int i = 0; i < n; i++) {
        const double difference = (high[i] - low[i]) / (2.0 * step);
        const double scale = fmax(fabs(difference), 1e-2 * fabs(now[i] / value));
        if (!(fabs(derivative[i] - difference) <= tolerance * scale)) {
            printf("%s, goal %d: %.10g, differences %.10g\n", what, i, derivative[i], difference);
            CU_FAIL("another derivative");
        }
    }
}

static void compare_all(bool quadratic, bool curved, int regions, bool springs)
{
    bar b;
    make_bar(&b, quadratic, curved, regions);
    b.springs = springs;
    put_supports(&b, 1e-6, 1e9);
    put_loads(&b, 1e5);
    compare(&b, "young", put_young, 2e11, 1e-4, 1e-6);
    compare(&b, "load", put_load, 1e5, 1e-2, 1e-6);
    compare(&b, "wall", put_wall, 1e-6, 1e-2, 1e-6);
    if (springs) {
        compare(&b, "spring", put_spring, 1e9, 1e-4, 1e-6);
    }
    if (!curved) {
        compare(&b, "length", put_length, 2.0, 1e-5, 1e-6);
    }
    ew_model_free(b.model);
}

static void test_derivatives(void)
{
    compare_all(false, false, 1, false);
    compare_all(false, false, 2, true);
    compare_all(true, false, 1, true);
    compare_all(true, true, 2, false);
}

/* Stresses without thermal strain; energies are refused where temperatures act. */
static void test_heat(void)
{
    bar b;
    ew_goal_answer answer;
    const ew_pcg_def def = exactly();
    make_bar(&b, true, false, 1);
    b.is_heated = true;
    put_supports(&b, 1e-6, 1e9);
    put_loads(&b, 1e5);
    must(ew_model_solve(b.model, &def, NULL));
    CU_ASSERT_EQUAL(ew_model_evaluate_goal(b.model, 3, &def, &answer), EW_BAD_ARGUMENT);
    b.goal[3] = b.goal[4] = b.goal[0];
    must(ew_model_set_goals(b.model, GOALS, b.goal));
    compare(&b, "load", put_load, 1e5, 1e-4, 1e-6);
    compare(&b, "young", put_young, 2e11, 1e-3, 1e-5);
    ew_model_free(b.model);
}

/* A bar that is pulled, without contraction: u = F L / (E A), C = F u, energy C / 2. */
static void test_closed_forms(void)
{
    bar b;
    double value[GOALS], d[GOALS];
    const double young = 2e11, force = 1e5, length = 2.0, u = force * length / young;
    const ew_material material = {.young = young, .poisson = 0.0};
    make_bar(&b, false, false, 1);
    put_supports(&b, 0.0, 0.0);
    const ew_model_load load = {
        .kind = EW_LOAD_TOTAL_FORCE, .set = TIP_FACES, .vector = {force, 0, 0}};
    must(ew_model_set_material(b.model, EW_ALL_REGIONS, &material));
    must(ew_model_set_loads(b.model, 1, &load));
    b.goal[0].direction[0] = 1.0;
    b.goal[0].direction[1] = 0.0;
    must(ew_model_set_goals(b.model, GOALS, b.goal));
    solve_goals(&b, value);
    const double wanted[GOALS] = {u,   u,     force, force * u, 0.5 * force * u,
                                  0.0, force, force, force,     force};
    for (int i = 0; i < GOALS; i++) {
        CU_ASSERT_DOUBLE_EQUAL(value[i], wanted[i],
                               1e-9 * force * (i > 1 && i != 3 && i != 4) + 1e-9 * wanted[i]);
    }
    const ew_goal_parameter parameter = {put_length, &b, length, 2e-5};
    must(ew_model_differentiate_goals(b.model, &parameter, d));
    CU_ASSERT_DOUBLE_EQUAL(d[0], u / length, 1e-8 * u);
    CU_ASSERT_DOUBLE_EQUAL(d[1], u / length, 1e-8 * u);
    CU_ASSERT_DOUBLE_EQUAL(d[2], 0.0, 1e-7 * force);
    CU_ASSERT_DOUBLE_EQUAL(d[3], force * u / length, 1e-8 * force * u);
    CU_ASSERT_DOUBLE_EQUAL(d[4], 0.5 * force * u / length, 1e-8 * force * u);
    for (int i = 5; i < GOALS; i++) {
        CU_ASSERT_DOUBLE_EQUAL(d[i], 0.0, 1e-7 * force);
    }
    ew_model_free(b.model);
}

/* The numbers of reports. */
static void test_values(void)
{
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        bar b;
        double value[GOALS];
        ew_set_results tip, faces, wall, inner;
        const ew_fields *fields;
        const ew_sums *sums;
        const double about[3] = {0};
        make_bar(&b, quadratic, quadratic, 2);
        b.springs = true;
        put_supports(&b, 1e-6, 1e9);
        put_loads(&b, 1e5);
        solve_goals(&b, value);
        must(ew_model_recover(b.model, &fields, &sums));
        must(ew_model_recover_set(b.model, TIP, 7, about, &tip));
        must(ew_model_recover_set(b.model, TIP_FACES, 7, about, &faces));
        must(ew_model_recover_set(b.model, WALL, 15, about, &wall));
        must(ew_model_recover_set(b.model, INNER, 7, about, &inner));
        const double *u = faces.mean_displacement, *r = wall.reaction_force;
        const double wanted[GOALS] = {1.5 * tip.mean_displacement[1],
                                      sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]),
                                      sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]),
                                      value[3],
                                      sums->strain_energy,
                                      value[5],
                                      inner.mean_von_mises,
                                      faces.mean_von_mises,
                                      fields->vertex_von_mises[b.goal[8].vertex],
                                      fields->von_mises[11]};
        for (int i = 0; i < GOALS; i++) {
            CU_ASSERT_DOUBLE_EQUAL(value[i], wanted[i], 1e-8 * fabs(wanted[i]));
        }
        ew_model_free(b.model);
    }
}

/* ---- after edits ----------------------------------------------------------------------- */

/* Tets go one by one; displacement and adjoint are corrected around them. */
static void test_local(void)
{
    const ew_pcg_def exact = exactly();
    ew_pcg_def local = ew_default_pcg_def();
    const ew_pcg_info *info;
    const ew_material material = steel(2e11);
    ew_mesh mesh;
    ew_model *model, *twin;
    ew_goal goal = ew_default_goal();
    ew_list wall = {0}, tip = {0};
    int32_t set;
    int n_local = 0, n_better = 0;
    local.energy_tolerance = 1e-3;
    ew_model **const both[] = {&model, &twin};
    for (int m = 0; m < 2; m++) {
        must(ew_shape_box(&mesh, (double[]){1, 1, 1}, (int32_t[]){12, 12, 12}));
        wall.n = tip.n = 0;
        for (int32_t v = 0; v < mesh.n_vertex; v++) {
            must(mesh.xyz[3 * v] == 0.0 ? ew_list_push(&wall, v) : EW_OK);
            must(mesh.xyz[3 * v] == 1.0 ? ew_list_push(&tip, v) : EW_OK);
        }
        must(ew_model_create(both[m], &mesh, &(ew_model_def){0}));
        must(ew_model_set_material(*both[m], EW_ALL_REGIONS, &material));
        must(ew_model_add_set(*both[m], &(ew_model_set_def){.name = "wall"}, &wall, &set));
        must(ew_model_add_set(*both[m], &(ew_model_set_def){.name = "tip"}, &tip, &set));
        const ew_model_constraint fixed = {.set = 0, .fixed = 7};
        const ew_model_load load = {.kind = EW_LOAD_FORCE, .set = 1, .vector = {0, 1e3, 0}};
        must(ew_model_set_constraints(*both[m], 1, &fixed));
        must(ew_model_set_loads(*both[m], 1, &load));
        goal.set = 1;
        goal.direction[0] = 1.0;
        goal.direction[1] = 0.2;
        must(ew_model_set_goals(*both[m], 1, &goal));
        must(ew_model_solve(*both[m], &local, NULL));
    }
    ew_goal_answer answer, truth;
    must(ew_model_evaluate_goal(model, 0, &local, &answer));
    for (int i = 0; i < 8; i++) {
        for (int m = 0; m < 2; m++) {
            must(ew_edit_remove_tet(ew_model_edit(*both[m]), 1811 + 997 * i));
            must(ew_model_commit(*both[m]));
        }
        must(ew_model_solve(model, &local, &info));
        must(ew_model_evaluate_goal(model, 0, &local, &answer));
        n_local += info->is_local && answer.info->is_local && !answer.info->iterations;
        const ew_system system = model_system_view(model, &model->stiffness, model->force.value);
        must(ew_preconditioner_verify_answer(&model->stiffness.solver.preconditioner, &system,
                                             ew_model_field(model, 0)));
        must(ew_model_solve(twin, &exact, NULL));
        must(ew_model_evaluate_goal(twin, 0, &exact, &truth));
        const double error = fabs(answer.corrected - truth.value);
        CU_ASSERT(error <= answer.bound);
        CU_ASSERT(answer.bound <= 1e-5 * sqrt(fabs(truth.value)));
        n_better += error < 0.1 * fabs(answer.value - truth.value);
    }
    CU_ASSERT(n_local >= 4);
    CU_ASSERT(n_better >= 6);
    CU_ASSERT_EQUAL(ew_model_n_goal(model), 1);
    ew_list_free(&wall);
    ew_list_free(&tip);
    ew_model_free(model);
    ew_model_free(twin);
}

static void test_refused(void)
{
    bar b;
    ew_goal_answer answer;
    double value;
    const ew_pcg_def def = exactly();
    make_bar(&b, false, false, 1);
    put_supports(&b, 0.0, 0.0);
    put_loads(&b, 1e5);
    CU_ASSERT_EQUAL(ew_model_evaluate_goal(b.model, 0, &def, &answer), EW_STALE);
    CU_ASSERT_EQUAL(ew_model_evaluate_goal(b.model, GOALS, &def, &answer), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_goal_lagrangian(b.model, -1, &answer, &value), EW_BAD_ARGUMENT);
    ew_goal bad = ew_default_goal();
    CU_ASSERT_EQUAL(ew_model_set_goals(b.model, 1, &bad), EW_BAD_ARGUMENT);
    bad = b.goal[5];
    bad.component = 6;
    CU_ASSERT_EQUAL(ew_model_set_goals(b.model, 1, &bad), EW_BAD_ARGUMENT);
    bad = b.goal[2];
    bad.set = SETS;
    CU_ASSERT_EQUAL(ew_model_set_goals(b.model, 1, &bad), EW_BAD_ARGUMENT);
    bad.kind = EW_GOAL_KINDS;
    CU_ASSERT_EQUAL(ew_model_set_goals(b.model, 1, &bad), EW_BAD_ARGUMENT);
    CU_ASSERT_EQUAL(ew_model_n_goal(b.model), GOALS);
    must(ew_model_solve(b.model, &def, NULL));
    ew_goal_parameter parameter = {put_young, &b, 2e11, 0.0};
    double d[GOALS];
    CU_ASSERT_EQUAL(ew_model_differentiate_goals(b.model, &parameter, d), EW_BAD_ARGUMENT);
    const ew_model_coupling rigid = {.is_rigid = true, .set = TIP, .point = {2.0, 0.5, 0.5}};
    must(ew_model_set_couplings(b.model, 1, &rigid)); /* a reaction is of supports alone */
    must(ew_model_solve(b.model, &def, NULL));
    CU_ASSERT_EQUAL(ew_model_evaluate_goal(b.model, 2, &def, &answer), EW_BAD_ARGUMENT);
    must(ew_model_goal_value(b.model, 2, &value));
    must(ew_model_set_couplings(b.model, 0, NULL));
    must(ew_model_set_kinematics(b.model, EW_COROTATIONAL));
    CU_ASSERT_EQUAL(ew_model_evaluate_goal(b.model, 0, &def, &answer), EW_BAD_ARGUMENT);
    ew_model_free(b.model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"values", test_values},
                           {"closed_forms", test_closed_forms},
                           {"derivatives", test_derivatives},
                           {"heat", test_heat},
                           {"local", test_local},
                           {"refused", test_refused},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"goals", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
