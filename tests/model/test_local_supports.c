/* Supports that are no axes or no walls: a model with oblique constraints against the same one
 * turned to the axes, springs against closed forms, on the host and on a device, with every
 * preconditioner. */
#include "model/parts/model.h"
#include "one_device.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a box, as it is or turned ------------------------------------------------ */

static const double plain[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double size[3] = {4.0, 1.0, 2.0};

typedef struct rig {
    ew_model *model;
    double turn[9]; /* rows: the box' own axes */
} rig;

static void to_global(const rig *r, const double local[3], double global[3])
{
    for (int c = 0; c < 3; c++) {
        global[c] = 0.0;
        for (int k = 0; k < 3; k++) {
            global[c] += local[k] * r->turn[3 * k + c];
        }
    }
}

static void to_local(const rig *r, const double global[3], double local[3])
{
    for (int k = 0; k < 3; k++) {
        local[k] = 0.0;
        for (int c = 0; c < 3; c++) {
            local[k] += global[c] * r->turn[3 * k + c];
        }
    }
}

static rig make(const double turn[9], int32_t cells, ew_device *on, ew_precision precision)
{
    const ew_material steel = {.young = 210e9, .poisson = 0.3, .density = 7850.0};
    rig r = {0};
    ew_mesh mesh;
    ew_model_def def = ew_default_model_def();
    memcpy(r.turn, turn, sizeof r.turn);
    def.device = on;
    def.precision = precision;
    def.reorder = false;
    must(ew_shape_box(&mesh, size, (int32_t[3]){2 * cells, cells, cells}));
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double x[3];
        memcpy(x, mesh.xyz + 3 * v, sizeof x);
        to_global(&r, x, mesh.xyz + 3 * v);
    }
    must(ew_model_create(&r.model, &mesh, &def));
    must(ew_model_set_material(r.model, EW_ALL_REGIONS, &steel));
    return r;
}

/* Vertices where the box' own coordinate c is `at`. */
static int32_t add_end(const rig *r, int c, double at)
{
    const ew_mesh *mesh = ew_model_mesh(r->model);
    ew_list list = {0};
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES};
    int32_t set;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        double x[3];
        to_local(r, mesh->xyz + 3 * v, x);
        must(fabs(x[c] - at) < 1e-9 ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(r->model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

static ew_axes own_axes(const rig *r)
{
    ew_axes axes = {0};
    if (memcmp(r->turn, plain, sizeof plain)) {
        must(ew_axes_from_xy(r->turn, r->turn + 3, &axes));
    }
    return axes;
}

static double largest_difference(const double *a, const double *b, int32_t n, double *largest)
{
    double error = 0.0;
    *largest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        error = fmax(error, fabs(a[i] - b[i]));
        *largest = fmax(*largest, fabs(b[i]));
    }
    return error;
}

/* Rotated by 0.7 about (1, 2, 3). */
static void rotation(double turn[9])
{
    const double n = sqrt(14.0), a[3] = {1 / n, 2 / n, 3 / n}, c = cos(0.7), s = sin(0.7);
    for (int i = 0; i < 9; i++) {
        const int p = i / 3, q = i % 3;
        turn[i] = (1 - c) * a[p] * a[q] + (p == q ? c : 0.0);
    }
    for (int k = 0; k < 3; k++) {
        const int p = (k + 1) % 3, q = (k + 2) % 3;
        turn[3 * p + q] -= s * a[k];
        turn[3 * q + p] += s * a[k];
    }
}

/* Rollers on three sides, one of them pushed in, and a load on top. */
static void roll(const rig *r)
{
    const ew_axes axes = own_axes(r);
    const ew_model_constraint list[] = {
        {.set = add_end(r, 0, 0.0), .fixed = 1, .value = {1e-4, 0, 0}, .axes = axes},
        {.set = add_end(r, 1, 0.0), .fixed = 2, .axes = axes},
        {.set = add_end(r, 2, 0.0), .fixed = 4, .axes = axes}};
    ew_model_load load = {.kind = EW_LOAD_TRACTION, .set = add_end(r, 2, size[2])};
    to_global(r, (const double[3]){1e5, 3e5, -1e6}, load.vector);
    must(ew_model_set_constraints(r->model, 3, list));
    must(ew_model_set_loads(r->model, 1, &load));
}

static int solve(const rig *r, ew_preconditioner_kind kind, ew_precision precision,
                 double tolerance)
{
    ew_pcg_def def = ew_default_pcg_def();
    const ew_pcg_info *info;
    def.preconditioner = kind;
    def.precision = precision;
    def.tolerance = tolerance;
    must(ew_model_solve(r->model, &def, &info));
    return info->iterations;
}

static void compare_turned(ew_device *on, ew_preconditioner_kind kind, ew_precision precision)
{
    double turn[9], largest;
    rotation(turn);
    rig a = make(plain, 5, on, precision), b = make(turn, 5, on, precision);
    roll(&a);
    roll(&b);
    const int straight = solve(&a, kind, precision, 1e-11);
    const int oblique = solve(&b, kind, precision, 1e-11);
    const int32_t n = ew_model_mesh(a.model)->n_vertex;
    double *turned;
    must(ew_new(&turned, 3 * (size_t)n, sizeof *turned));
    for (int32_t v = 0; v < n; v++) {
        to_local(&b, ew_model_displacement(b.model) + 3 * v, turned + 3 * v);
    }
    const double error =
        largest_difference(turned, ew_model_displacement(a.model), 3 * n, &largest);
    const ew_fields *fields[2];
    const ew_sums *sums[2];
    must(ew_model_recover(a.model, &fields[0], &sums[0]));
    must(ew_model_recover(b.model, &fields[1], &sums[1]));
    for (int32_t v = 0; v < n; v++) {
        to_local(&b, fields[1]->reaction + 3 * v, turned + 3 * v);
    }
    double force;
    const double slip = largest_difference(turned, fields[0]->reaction, 3 * n, &force);
    printf("\n    %s%s: %d iterations, turned %d; displacement %.1e, reaction %.1e",
           on ? "device " : "", ew_preconditioner_name(kind), straight, oblique, error / largest,
           slip / force);
    CU_ASSERT(error < 1e-10 * largest);
    CU_ASSERT(slip < 1e-9 * force);
    const bool knows = kind == EW_RIGID && !on; /* its modes are projected */
    CU_ASSERT(oblique <= straight + (knows ? 2 : straight / 2 + 5));
    CU_ASSERT(sums[1]->equilibrium < 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(sums[1]->strain_energy / sums[0]->strain_energy, 1.0, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(sums[1]->external_work / sums[1]->strain_energy, 2.0, 1e-9);
    ew_release(turned);
    ew_model_free(a.model);
    ew_model_free(b.model);
}

static void test_oblique_equals_turned(void)
{
    static const ew_preconditioner_kind kind[] = {EW_JACOBI, EW_BLOCK_JACOBI, EW_RIGID};
    for (int k = 0; k < 3; k++) {
        compare_turned(NULL, kind[k], EW_DOUBLE);
        if (device) {
            compare_turned(device, kind[k], EW_DOUBLE);
        }
    }
    if (device) {
        compare_turned(device, EW_BLOCK_JACOBI, EW_MIXED);
        compare_turned(device, EW_RIGID, EW_MIXED);
    }
}

/* ---- springs ---------------------------------------------------------------------- */

/* A block on a foundation, stiff along y and z: pushed down it sinks by F / (k A). */
static void sink(ew_device *on, const double turn[9])
{
    const double k = 2e7, area = size[0] * size[2], force[3] = {4e3, -9e3, 1e3};
    rig r = make(turn, 2, on, EW_DOUBLE);
    const ew_model_spring spring[] = {
        {.kind = EW_SPRING_FOUNDATION, .set = add_end(&r, 1, 0.0), .stiffness = {k, k / 4, 0}}};
    ew_model_load load = {.kind = EW_LOAD_GRAVITY};
    const ew_sums *sums;
    to_global(&r, force, load.vector);
    must(ew_model_set_springs(r.model, 1, spring));
    must(ew_model_set_loads(r.model, 1, &load));
    solve(&r, EW_AUTO_PRECONDITIONER, EW_DOUBLE, 1e-12);
    must(ew_model_recover(r.model, NULL, &sums));
    const double mass = 7850.0 * size[0] * size[1] * size[2];
    /* forces balance whatever the block does */
    for (int c = 0; c < 3; c++) {
        CU_ASSERT_DOUBLE_EQUAL(sums->reaction_force[c], -sums->applied_force[c], 1e-7 * mass * 9e3);
    }
    /* the mean over the foundation is that of a rigid block, as its moment is about the middle */
    const ew_mesh *mesh = ew_model_mesh(r.model);
    const double *u = ew_model_displacement(r.model);
    double sum[3] = {0, 0, 0}, weight = 0.0;
    const ew_topology *topology = ew_model_topology(r.model);
    ew_list face = {0};
    must(ew_topology_boundary(topology, mesh, &face));
    for (int32_t i = 0; i < face.n; i++) {
        double a[3], x[3];
        bool in = true;
        ew_face_area_vector(mesh, face.id[i], a);
        for (int q = 0; q < 3; q++) {
            const int32_t v = mesh->tet[4 * (face.id[i] / 4) + ew_face_vertex[face.id[i] % 4][q]];
            to_local(&r, mesh->xyz + 3 * v, x);
            in &= fabs(x[1]) < 1e-9;
        }
        for (int q = 0; q < 3 && in; q++) {
            const int32_t v = mesh->tet[4 * (face.id[i] / 4) + ew_face_vertex[face.id[i] % 4][q]];
            const double share = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) / 3;
            double local[3];
            to_local(&r, u + 3 * v, local);
            weight += share;
            for (int c = 0; c < 3; c++) {
                sum[c] += share * local[c];
            }
        }
    }
    CU_ASSERT_DOUBLE_EQUAL(weight, area, 1e-12 * area);
    CU_ASSERT_DOUBLE_EQUAL(sum[0] / area, mass * force[0] / (area * k / 4), 1e-9 * mass);
    CU_ASSERT_DOUBLE_EQUAL(sum[1] / area, mass * force[1] / (area * k), 1e-9 * mass);
    CU_ASSERT_DOUBLE_EQUAL(sum[2] / area, mass * force[2] / (area * k / 4), 1e-9 * mass);
    CU_ASSERT(sums->spring_energy > sums->strain_energy);
    CU_ASSERT_DOUBLE_EQUAL(sums->external_work / sums->strain_energy, 2.0, 1e-6);
    ew_list_free(&face);
    ew_model_free(r.model);
}

static void test_foundation(void)
{
    double turn[9];
    rotation(turn);
    sink(NULL, plain);
    sink(NULL, turn);
    if (device) {
        sink(device, turn);
    }
}

/* Springs at the ends of three axes are as good as walls once they are stiff; their force is the
 * reaction. */
static void test_stiff_springs(void)
{
    double turn[9], largest, force;
    rotation(turn);
    rig a = make(turn, 3, NULL, EW_DOUBLE), b = make(turn, 3, NULL, EW_DOUBLE);
    roll(&a);
    roll(&b);
    const ew_axes axes = own_axes(&b);
    const ew_model_constraint push = {.set = 0, .fixed = 1, .value = {1e-4, 0, 0}, .axes = axes};
    const ew_model_spring spring[] = {
        {.kind = EW_SPRING_EACH, .set = 1, .stiffness = {0, 1e18, 0}, .axes = axes},
        {.kind = EW_SPRING_TOTAL, .set = 2, .stiffness = {0, 0, 1e20}, .axes = axes}};
    must(ew_model_set_constraints(b.model, 1, &push));
    must(ew_model_set_springs(b.model, 2, spring));
    solve(&a, EW_RIGID, EW_DOUBLE, 1e-10);
    solve(&b, EW_RIGID, EW_DOUBLE, 1e-10);
    const int32_t n = 3 * ew_model_mesh(a.model)->n_vertex;
    const ew_fields *fields[2];
    must(ew_model_recover(a.model, &fields[0], NULL));
    must(ew_model_recover(b.model, &fields[1], NULL));
    CU_ASSERT(largest_difference(ew_model_displacement(b.model), ew_model_displacement(a.model), n,
                                 &largest) < 1e-5 * largest);
    CU_ASSERT(largest_difference(fields[1]->reaction, fields[0]->reaction, n, &force) <
              1e-4 * force);
    ew_model_free(a.model);
    ew_model_free(b.model);
}

/* Only what holds all six rigid-body modes is enough, springs and oblique rollers counted. */
static void test_enough_support(void)
{
    double turn[9];
    rotation(turn);
    rig r = make(turn, 2, NULL, EW_DOUBLE);
    const ew_axes axes = own_axes(&r);
    const int32_t x = add_end(&r, 0, 0.0), y = add_end(&r, 1, 0.0), z = add_end(&r, 2, 0.0);
    const ew_model_constraint roller[] = {{.set = x, .fixed = 1, .axes = axes},
                                          {.set = y, .fixed = 2, .axes = axes},
                                          {.set = z, .fixed = 4, .axes = axes}};
    ew_model_spring weak = {
        .kind = EW_SPRING_TOTAL, .set = z, .stiffness = {0, 0, 1e-3}, .axes = axes};
    ew_pcg_def def = ew_default_pcg_def();
    must(ew_model_set_constraints(r.model, 2, roller));
    CU_ASSERT_EQUAL(ew_model_solve(r.model, &def, NULL), EW_UNDER_CONSTRAINED);
    must(ew_model_set_springs(r.model, 1, &weak));
    must(ew_model_solve(r.model, &def, NULL));
    weak.stiffness[1] = 1.0;
    weak.stiffness[2] = 0.0;
    must(ew_model_set_springs(r.model, 1, &weak));
    CU_ASSERT_EQUAL(ew_model_solve(r.model, &def, NULL), EW_UNDER_CONSTRAINED);
    must(ew_model_set_constraints(r.model, 3, roller));
    must(ew_model_set_springs(r.model, 0, NULL));
    must(ew_model_solve(r.model, &def, NULL));
    ew_model_free(r.model);
}

/* The support at fault is named by its place in its list. */
static void test_fault(void)
{
    rig r = make(plain, 2, NULL, EW_DOUBLE);
    const int32_t x = add_end(&r, 0, 0.0), y = add_end(&r, 1, 0.0), nothing = add_end(&r, 2, -5.0);
    const ew_axes axes = {.kind = EW_AXES_FIXED, .direction = {0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1}};
    ew_model_constraint list[] = {{.set = y, .fixed = 2},
                                  {.set = x, .fixed = 7},
                                  {.set = x, .fixed = 1, .value = {1}, .axes = axes}};
    ew_model_spring spring[] = {{.kind = EW_SPRING_EACH, .set = x, .stiffness = {1, 1, 1}},
                                {.kind = EW_SPRING_EACH, .set = y, .stiffness = {1, -1, 1}}};
    int32_t constraint, place;
    must(ew_model_set_constraints(r.model, 3, list));
    CU_ASSERT_EQUAL(ew_model_update_supports(r.model, &constraint, &place), EW_BAD_INPUT);
    CU_ASSERT(constraint == 2 && place == -1);
    list[1].set = nothing;
    must(ew_model_set_constraints(r.model, 3, list));
    CU_ASSERT_EQUAL(ew_model_update_supports(r.model, &constraint, &place), EW_BAD_INPUT);
    CU_ASSERT(constraint == 1 && place == -1);
    must(ew_model_set_constraints(r.model, 1, list));
    must(ew_model_set_springs(r.model, 2, spring));
    CU_ASSERT_EQUAL(ew_model_update_supports(r.model, &constraint, &place), EW_BAD_INPUT);
    CU_ASSERT(constraint == -1 && place == 1);
    spring[0].set = nothing;
    must(ew_model_set_springs(r.model, 2, spring));
    CU_ASSERT_EQUAL(ew_model_update_supports(r.model, &constraint, &place), EW_BAD_INPUT);
    CU_ASSERT(constraint == -1 && place == 0);
    must(ew_model_set_springs(r.model, 0, NULL));
    must(ew_model_update_supports(r.model, &constraint, &place));
    ew_model_free(r.model);
}

/* Under its own weight springs at vertices bear all of it, whatever else the product leaves out. */
static void test_springs_under_quadratic_tets(void)
{
    const double k = 1e7, weight = 7850.0 * size[0] * size[1] * size[2] * 10.0;
    const ew_model_load load = {.kind = EW_LOAD_GRAVITY, .vector = {0.0, -10.0, 0.0}};
    rig r = make(plain, 2, NULL, EW_DOUBLE);
    const ew_model_spring spring = {
        .kind = EW_SPRING_EACH, .set = add_end(&r, 1, 0.0), .stiffness = {k, k, k}};
    must(ew_model_set_order(r.model, true));
    must(ew_model_set_springs(r.model, 1, &spring));
    must(ew_model_set_loads(r.model, 1, &load));
    solve(&r, EW_AUTO_PRECONDITIONER, EW_DOUBLE, 1e-10);
    const ew_mesh *mesh = ew_model_mesh(r.model);
    const double *u = ew_model_displacement(r.model);
    double sum = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        sum += mesh->xyz[3 * v + 1] == 0.0 ? k * u[3 * v + 1] : 0.0;
    }
    CU_ASSERT_DOUBLE_EQUAL(sum, -weight, 1e-6 * weight);
    ew_model_free(r.model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"oblique_equals_turned", test_oblique_equals_turned},
        {"foundation", test_foundation},
        {"stiff_springs", test_stiff_springs},
        {"springs_under_quadratic_tets", test_springs_under_quadratic_tets},
        {"enough_support", test_enough_support},
        {"fault", test_fault},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"local supports", open_device, close_device, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
