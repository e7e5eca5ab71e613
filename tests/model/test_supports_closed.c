/* Supports against closed forms: a sector of a thick pipe between planes of symmetry, of which one
 * is oblique, and half of a beam on an elastic foundation. */
#include "model/parts/model.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ew_material steel = {.young = 200e9, .poisson = 0.3, .density = 7850.0};

static ew_model *model_of(ew_mesh *mesh)
{
    ew_model *model = NULL;
    ew_model_def def = ew_default_model_def();
    def.reorder = false;
    must(ew_model_create(&model, mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &steel));
    return model;
}

/* Vertices whose box had coordinate c at `at`. */
static int32_t add_side(ew_model *model, const double *box, int c, double at)
{
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES};
    ew_list list = {0};
    int32_t set;
    for (int32_t v = 0; v < ew_model_mesh(model)->n_vertex; v++) {
        must(fabs(box[3 * v + c] - at) < 1e-9 ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

static void solve(ew_model *model)
{
    ew_pcg_def def = ew_default_pcg_def();
    def.tolerance = 1e-11;
    must(ew_model_solve(model, &def, NULL));
}

static double *copy_places(const ew_mesh *mesh)
{
    double *copy;
    must(ew_new(&copy, 3 * (size_t)mesh->n_vertex, sizeof *copy));
    memcpy(copy, mesh->xyz, 3 * (size_t)mesh->n_vertex * sizeof *copy);
    return copy;
}

/* ---- a pipe -------------------------------------------------------------------- */

enum { INNER = 1, OUTER = 2 };
static const double sector = 0.5; /* rad, from 0.2 on about (3, 4, z) */
static const double pressure = 1e6;

/* A box of radius, angle and height, bent. */
static ew_model *make_pipe(int32_t n, double **box)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){OUTER - INNER, sector, 0.1}, (int32_t[3]){2 * n, n, 1}));
    *box = copy_places(&mesh);
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        double *x = mesh.xyz + 3 * v, r = INNER + x[0], angle = 0.2 + x[1];
        x[0] = 3.0 + r * cos(angle);
        x[1] = 4.0 + r * sin(angle);
    }
    return model_of(&mesh);
}

/* Plane strain: u(r) = (1 + nu) / E  p a^2 / (b^2 - a^2)  ((1 - 2 nu) r + b^2 / r) (Lame). */
static double lame(double r)
{
    const double a2 = INNER * INNER, b2 = OUTER * OUTER, nu = steel.poisson;
    return (1 + nu) / steel.young * pressure * a2 / (b2 - a2) * ((1 - 2 * nu) * r + b2 / r);
}

static double worst_of_pipe(const ew_model *model)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    double worst = 0.0;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        const double x = mesh->xyz[3 * v] - 3, y = mesh->xyz[3 * v + 1] - 4, r = hypot(x, y);
        const double along = (u[3 * v] * x + u[3 * v + 1] * y) / r;
        const double across = (u[3 * v + 1] * x - u[3 * v] * y) / r;
        worst = fmax(worst, fmax(fabs(along - lame(r)), fabs(across)));
    }
    return worst / lame(INNER);
}

/* kind 0: normals of the planes; 1: the tangential component about the axis. */
static double *solve_pipe(int32_t n, int kind, double *worst)
{
    double *box;
    ew_model *model = make_pipe(n, &box);
    ew_model_constraint list[3] = {{.set = add_side(model, box, 1, 0.0), .fixed = 1},
                                   {.set = add_side(model, box, 1, sector), .fixed = 1},
                                   {.set = add_side(model, box, 2, 0.0), .fixed = 4}};
    const int32_t top = add_side(model, box, 2, 0.1);
    for (int k = 0; k < 2; k++) {
        const double angle = 0.2 + k * sector;
        must(ew_axes_from_normal((double[3]){-sin(angle), cos(angle), 0}, &list[k].axes));
        if (kind) {
            list[k].fixed = 2;
            must(ew_axes_of_cylinder((double[3]){3, 4, 9}, (double[3]){0, 0, 1}, &list[k].axes));
        }
    }
    const ew_model_constraint lid = {.set = top, .fixed = 4};
    const ew_model_constraint all[4] = {list[0], list[1], list[2], lid};
    const ew_model_load load = {
        .kind = EW_LOAD_PRESSURE, .set = add_side(model, box, 0, 0.0), .pressure = pressure};
    must(ew_model_set_constraints(model, 4, all));
    must(ew_model_set_loads(model, 1, &load));
    solve(model);
    *worst = worst_of_pipe(model);
    double *u;
    const size_t m = 3 * (size_t)ew_model_mesh(model)->n_vertex;
    must(ew_new(&u, m, sizeof *u));
    memcpy(u, ew_model_displacement(model), m * sizeof *u);
    ew_release(box);
    ew_model_free(model);
    return u;
}

static void test_pipe(void)
{
    double worst[3], apart = 0.0;
    double *a = solve_pipe(6, 0, &worst[0]), *b = solve_pipe(12, 0, &worst[1]);
    double *c = solve_pipe(6, 1, &worst[2]);
    CU_ASSERT(worst[0] < 0.02);
    CU_ASSERT(worst[1] < 0.4 * worst[0]); /* halved elements: a quarter of the error */
    for (int i = 0; i < 3 * 13 * 7 * 2; i++) {
        apart = fmax(apart, fabs(a[i] - c[i]));
    }
    printf("%.2g, %.2g, apart %.1g ", worst[0], worst[1], apart / lame(INNER));
    CU_ASSERT(apart < 1e-9 * lame(INNER));
    ew_release(a);
    ew_release(b);
    ew_release(c);
}

/* ---- a beam ----------------------------------------------------------------------- */

/* Free beam of length 2 l on k per length under P in its middle (Hetenyi 1946): there it sinks by
 * P b / 2 k (2 + cos 2bl + cosh 2bl) / (sin 2bl + sinh 2bl), b^4 = k / 4 E I; here b l = 3. */
static void test_beam(void)
{
    const double width = 0.05, l = 1.0, b = 3.0, force = 1e4;
    const double inertia = pow(width, 4) / 12.0, k = 4.0 * steel.young * inertia * pow(b, 4);
    const double expected =
        force * b / (2 * k) * (2 + cos(2 * b) + cosh(2 * b)) / (sin(2 * b) + sinh(2 * b));
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[3]){l, width, width}, (int32_t[3]){90, 6, 6}));
    double *box = copy_places(&mesh), sunk = 0.0;
    ew_model *model = model_of(&mesh);
    const int32_t middle = add_side(model, box, 0, 0.0), bottom = add_side(model, box, 2, 0.0);
    const ew_model_constraint symmetry = {.set = middle, .fixed = 1};
    const ew_model_spring spring = {
        .kind = EW_SPRING_FOUNDATION, .set = bottom, .stiffness = {k / width, 1e-4 * k / width}};
    const double area = width * width;
    const ew_model_load load = {
        .kind = EW_LOAD_TRACTION, .set = middle, .vector = {0, 0, -force / 2 / area}};
    must(ew_model_set_constraints(model, 1, &symmetry));
    must(ew_model_set_springs(model, 1, &spring));
    must(ew_model_set_loads(model, 1, &load));
    solve(model);
    const ew_list *list = &ew_model_view_set(model, middle).member->list;
    for (int32_t i = 0; i < list->n; i++) {
        sunk -= ew_model_displacement(model)[3 * list->id[i] + 2] / list->n;
    }
    printf("%.4g, beam theory %.4g ", sunk, expected);
    CU_ASSERT_DOUBLE_EQUAL(sunk / expected, 1.0, 0.03);
    ew_release(box);
    ew_model_free(model);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"pipe", test_pipe},
        {"beam", test_beam},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"supports against closed forms", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
