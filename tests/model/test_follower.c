/* Pressure that turns with the faces of a body: its forces on turned and stretched bodies, straight
 * and curved, against Nanson's formula; its load stiffness against differences of the forces, exact
 * on closed surfaces; work and momentum of a body in motion. */
#include "curved_fixture.h"
#include "ew_parts.h"
#include "model/internal.h"

#include <math.h>

/* ---- bodies --------------------------------------------------------------------------- */

static int32_t add_all_faces(ew_model *model)
{
    const ew_model_set_def def = {.kind = EW_SET_OF_FACES};
    const ew_boundary *boundary;
    ew_list slot = {0};
    int32_t set = -1;
    must(ew_model_boundary(model, &boundary));
    for (int32_t i = 0; i < boundary->n_slot; i++) {
        must(boundary->code[i] >= 0 ? ew_list_push(&slot, boundary->code[i]) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &slot, &set));
    ew_list_free(&slot);
    return set;
}

static void press(ew_model *model, int32_t set, double pressure)
{
    ew_model_load load = ew_load_pressure(set, pressure);
    load.follower = true;
    must(ew_model_set_loads(model, 1, &load));
}

static const ew_material soft = {.young = 10.0, .poisson = 0.3, .density = 1.0};

/* A bent box of quadratic tets, or a straight one of linear ones; all faces are pressed. */
static ew_model *make_body(bool is_quadratic)
{
    ew_model *model;
    if (is_quadratic) {
        model = make_bent_model_of(0.01, &soft);
    } else {
        const ew_model_def def = ew_default_model_def();
        ew_mesh mesh;
        must(ew_shape_box(&mesh, (double[]){1.0, 0.9, 0.8}, (int32_t[]){3, 3, 3}));
        must(ew_model_create(&model, &mesh, &def));
        must(ew_model_set_material(model, EW_ALL_REGIONS, &soft));
    }
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    press(model, add_all_faces(model), 2.0);
    must(ew_model_update_loads(model, &(int32_t){0}));
    model_press_partly(model, 1.0);
    return model;
}

/* ---- forces --------------------------------------------------------------------------- */

/* u = (F - 1) x of all rows; curves of edges are moved, too. */
static void deform(ew_model *model, const double f[9])
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_edge_rows *rows = model_has_edges(model) ? ew_model_edge_rows(model) : NULL;
    double *u = ew_model_field(model, 0);
    for (int32_t i = 0; i < model_n_row(model); i++) {
        const bool is_vertex = i < mesh->n_vertex;
        const double *x = is_vertex ? mesh->xyz + 3 * i : rows->curve + 3 * (i - mesh->n_vertex);
        for (int c = 0; c < 3; c++) {
            u[3 * i + c] = f[3 * c] * x[0] + f[3 * c + 1] * x[1] + f[3 * c + 2] * x[2] - x[c];
        }
    }
}

/* Under a homogeneous deformation the force of every node is cof F times what it is undeformed
 * (Nanson 1878), and cof of a rotation is itself: so the force stays square to a face that turns.
 */
static void check_forces(bool is_quadratic)
{
    static const double f[9] = {0.3, -1.2, 0.2, 1.1, 0.4, -0.3, 0.1, 0.5, 1.6};
    static const double none[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    ew_model *model = make_body(is_quadratic);
    const size_t n = 3 * (size_t)model_n_row(model);
    const double *force;
    double *first = malloc(n * sizeof *first), cof[9], most = 0.0, largest = 0.0, sum[3] = {0.0};
    for (int i = 0; i < 9; i++) {
        const int a = (i / 3 + 1) % 3, b = (i / 3 + 2) % 3, c = (i % 3 + 1) % 3,
                  d = (i % 3 + 2) % 3;
        cof[i] = f[3 * a + c] * f[3 * b + d] - f[3 * a + d] * f[3 * b + c];
    }
    deform(model, none);
    must(model_find_pressure(model, ew_model_displacement(model), &force));
    memcpy(first, force, n * sizeof *first);
    deform(model, f);
    must(model_find_pressure(model, ew_model_displacement(model), &force));
    for (size_t i = 0; i < n; i++) {
        const double *at = first + i / 3 * 3, *row = cof + i % 3 * 3;
        const double exact = row[0] * at[0] + row[1] * at[1] + row[2] * at[2];
        most = fmax(most, fabs(force[i] - exact));
        largest = fmax(largest, fabs(exact));
        sum[i % 3] += i < 3 * (size_t)ew_model_mesh(model)->n_vertex ? force[i] : 0.0;
    }
    CU_ASSERT(largest > 0.1 && most < 1e-13 * largest);
    for (int c = 0; c < 3; c++) { /* a closed surface has no resultant */
        CU_ASSERT_DOUBLE_EQUAL(sum[c], 0.0, 1e-12);
    }
    free(first);
    ew_model_free(model);
}

static void test_forces_turn_with_the_faces(void)
{
    check_forces(false);
    check_forces(true);
}

/* What is undeformed has the forces of a pressure that does not follow. A pressure that differs
 * from place to place, cut off where it would pull, too. */
static void test_undeformed_forces_are_those_that_do_not_follow(void)
{
    ew_model *model = make_body(false);
    const size_t n = 3 * (size_t)model_n_row(model);
    ew_model_load load = {.kind = EW_LOAD_PRESSURE,
                          .set = 0,
                          .pressure = 1.0,
                          .gradient = {3.0, -2.0, 0.5},
                          .point = {0.4, 0.1, 0.2},
                          .only_positive = true};
    double most = 0.0;
    const double *follow;
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_update_loads(model, &(int32_t){0}));
    double *dead = malloc(n * sizeof *dead);
    memcpy(dead, ew_model_force(model), n * sizeof *dead);
    load.follower = true;
    must(ew_model_set_loads(model, 1, &load));
    must(ew_model_update_loads(model, &(int32_t){0}));
    model_press_partly(model, 1.0);
    must(model_find_pressure(model, ew_model_displacement(model), &follow));
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(dead[i] - follow[i]));
    }
    CU_ASSERT(most < 1e-15);
    free(dead);
    ew_model_free(model);
}

/* ---- load stiffness --------------------------------------------------------------------- */

/* On a closed surface of uniform pressure -dP/du is symmetric (it is the second derivative of p
 * times the volume), and the product with the load stiffness is its difference. */
static void check_stiffness(bool is_quadratic)
{
    const double step = 1e-6;
    ew_model *model = make_body(is_quadratic);
    const size_t n = 3 * (size_t)model_n_row(model);
    double *u = ew_model_field(model, 0), most = 0.0, largest = 0.0;
    double *x = malloc(n * sizeof *x), *y = calloc(n, sizeof *y), *low = malloc(n * sizeof *low);
    uint64_t state = 5;
    const double *force;
    for (size_t i = 0; i < n; i++) {
        u[i] = 0.2 * (ew_test_random(&state, 2001) / 1000.0 - 1.0);
        x[i] = ew_test_random(&state, 2001) / 1000.0 - 1.0;
    }
    must(model_find_turns(model, &model->topology, u, &model->nonlinear.follower));
    ew_follower_add_product(&model->nonlinear.follower, EW_EDGE_WHOLE, x, y);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < n; i++) {
            u[i] += (k ? 2.0 : -1.0) * step * x[i];
        }
        must(model_find_pressure(model, u, &force));
        for (size_t i = 0; i < n && !k; i++) {
            low[i] = force[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(y[i] + (force[i] - low[i]) / (2.0 * step)));
        largest = fmax(largest, fabs(y[i]));
    }
    CU_ASSERT(largest > 0.1 && most < 1e-8 * largest);
    free(x);
    free(y);
    free(low);
    ew_model_free(model);
}

static void test_load_stiffness_is_the_difference_of_forces(void)
{
    check_stiffness(false);
    check_stiffness(true);
}

/* ---- motion ---- */

/* A body that spins and is pressed from all sides: the pressure works by what the volume shrinks,
 * and turns and pushes nothing. */
static void test_work_of_pressure_is_that_of_the_volume(void)
{
    ew_model *model = make_body(false);
    const ew_mesh *mesh = ew_model_mesh(model);
    ew_dynamics_def def = ew_default_dynamics_def();
    ew_energy_account first, last;
    double volume = 0.0, worst = 0.0;
    def.account = true;
    def.newton_tolerance = 1e-10;
    def.solver.tolerance = 1e-12;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        ew_model_velocity(model)[3 * v] = -0.5 * (mesh->xyz[3 * v + 1] - 0.45);
        ew_model_velocity(model)[3 * v + 1] = 0.5 * (mesh->xyz[3 * v] - 0.5);
    }
    must(ew_model_start_dynamics(model, &def, 0.0));
    must(ew_model_account(model, &first));
    for (int i = 0; i < 100; i++) {
        must(ew_model_advance(model, 0.01, NULL));
        must(ew_model_account(model, &last));
        worst = fmax(worst, fabs(last.balance));
    }
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        double x[12], u[12], g[4][3];
        ew_mesh_tet_values(mesh, t, mesh->xyz, x);
        ew_mesh_tet_values(mesh, t, ew_model_displacement(model), u);
        for (int i = 0; i < 12; i++) {
            u[i] += x[i];
        }
        volume += ew_element_gradients(u, g) - ew_element_gradients(x, g);
    }
    const double work = -2.0 * volume;
    CU_ASSERT(fabs(work) > 0.01);
    CU_ASSERT_DOUBLE_EQUAL(last.external_work, work, 1e-3 * fabs(work));
    CU_ASSERT(worst < 5e-3 * fabs(work));
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(last.linear_momentum[c], first.linear_momentum[c], 1e-9);
        CU_ASSERT_DOUBLE_EQUAL(last.angular_momentum[c], first.angular_momentum[c],
                               2e-3 * fabs(first.angular_momentum[2]));
    }
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"forces_turn_with_the_faces", test_forces_turn_with_the_faces},
        {"undeformed_forces_are_those_that_do_not_follow",
         test_undeformed_forces_are_those_that_do_not_follow},
        {"load_stiffness_is_the_difference_of_forces",
         test_load_stiffness_is_the_difference_of_forces},
        {"work_of_pressure_is_that_of_the_volume", test_work_of_pressure_is_that_of_the_volume},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"follower pressure", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
