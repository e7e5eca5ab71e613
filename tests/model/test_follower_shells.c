/* Hollow bodies under pressure that turns with their faces: tubes and spheres of rubber against the
 * radial equation, with the order of convergence; Newton's method; a ring that buckles. */
#include "curved_fixture.h"
#include "direct_fixture.h"

#include <math.h>

static void press(ew_model *model, int32_t set, double pressure)
{
    ew_model_load load = ew_load_pressure(set, pressure);
    load.follower = true;
    must(ew_model_set_loads(model, 1, &load));
}

/* ---- thick shells of rubber ---- */

/* Compressible neo-Hookean (kernels/law_neo_hookean.h): the stress along a principal stretch, and
 * that by this stretch; `across`: the product of the two others. */
static double nominal(double lambda, double mu, double stretch, double across, double *slope)
{
    const double j = stretch * across;
    *slope = mu * (1.0 + 1.0 / (stretch * stretch)) +
             0.5 * lambda * (across * across + 1.0 / (stretch * stretch));
    return mu * (stretch - 1.0 / stretch) + 0.5 * lambda * (j * j - 1.0) / stretch;
}

/* A hollow sphere (dimension 2) or a tube (1, plane strain) from radius a to 1 under a pressure
 * inside: dP_r/dR + k (P_r - P_t) / R = 0 (Ogden 1984, Non-linear Elastic Deformations, section
 * 5.3) by Runge-Kutta. P_r outside, from the place of the inner radius, whose displacement it is.
 */
static double stress_outside(const ew_material *of, double a, double pressure, int dimension,
                             double inner, double *outer)
{
    enum { N = 400 };
    const double lambda =
        of->young * of->poisson / ((1.0 + of->poisson) * (1.0 - 2.0 * of->poisson));
    const double mu = of->young / (2.0 * (1.0 + of->poisson)), h = (1.0 - a) / N;
    double r = inner, p = -pressure * pow(inner / a, dimension), stretch = 1.0;
    for (int i = 0; i < N; i++) {
        double k[4][2], unused;
        for (int s = 0; s < 4; s++) {
            const double by = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h, at = a + i * h + by;
            const double y = r + (s ? by * k[s - 1][0] : 0.0), q = p + (s ? by * k[s - 1][1] : 0.0);
            const double t = y / at, across = pow(t, dimension);
            for (int iteration = 0; iteration < 30; iteration++) {
                double slope;
                const double now = nominal(lambda, mu, stretch, across, &slope);
                stretch -= (now - q) / slope;
            }
            const double hoop =
                nominal(lambda, mu, t, stretch * (dimension == 2 ? t : 1.0), &unused);
            k[s][0] = stretch;
            k[s][1] = -dimension * (q - hoop) / at;
        }
        r += h / 6.0 * (k[0][0] + 2.0 * k[1][0] + 2.0 * k[2][0] + k[3][0]);
        p += h / 6.0 * (k[0][1] + 2.0 * k[1][1] + 2.0 * k[2][1] + k[3][1]);
    }
    *outer = r;
    return p;
}

/* Radii of the inflated shell. */
static void inflate(const ew_material *of, double a, double pressure, int dimension, double *inner,
                    double *outer)
{
    double low = a, high = 2.0 * a;
    for (int i = 0; i < 100; i++) {
        *inner = 0.5 * (low + high);
        *(stress_outside(of, a, pressure, dimension, *inner, outer) > 0.0 ? &high : &low) = *inner;
    }
}

static ew_material rubber(void)
{
    ew_material material = {.young = 3.0, .poisson = 0.3, .density = 1.0};
    ew_material_put_law(&material, &ew_law_neo_hookean);
    return material;
}

/* Places of an octant of a sphere, or of a tube of height 0.2, from the box of angles and radius.
 */
static double of_radius = 0.5;
static void place_in_tube(const double *x, double *y)
{
    const double r = of_radius + (1.0 - of_radius) * x[0], angle = 0.5 * 3.14159265358979 * x[1];
    y[0] = r * cos(angle);
    y[1] = r * sin(angle);
    y[2] = x[2];
}

static int32_t add_where(ew_model *model, bool (*is)(const double *x))
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const ew_model_set_def def = {.kind = EW_SET_OF_VERTICES};
    ew_list list = {0};
    int32_t set = -1;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        must(is(mesh->xyz + 3 * v) ? ew_list_push(&list, v) : EW_OK);
    }
    must(ew_model_add_set(model, &def, &list, &set));
    ew_list_free(&list);
    return set;
}

static bool at_x(const double *x)
{
    return fabs(x[0]) < 1e-9;
}
static bool at_y(const double *x)
{
    return fabs(x[1]) < 1e-9;
}
static bool at_z(const double *x)
{
    return fabs(x[2]) < 1e-9;
}
static bool at_top(const double *x)
{
    return fabs(x[2] - 0.2) < 1e-9;
}
static bool is_inside(const double *x)
{
    return hypot(x[0], x[1]) < of_radius + 1e-9;
}

/* A quarter of a tube in plane strain: curved quadratic tets, or straight linear ones. */
static ew_model *make_tube(int32_t n, int32_t n_along, bool is_quadratic)
{
    const ew_model_def def = ew_default_model_def();
    const ew_material material = rubber();
    ew_model *model;
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (double[]){1.0, 1.0, 0.2}, (int32_t[]){n, n_along, 1}));
    if (is_quadratic) {
        curve_mesh(&mesh, place_in_tube, 0.0);
    } else {
        for (int32_t v = 0; v < mesh.n_vertex; v++) {
            double y[3];
            place_in_tube(mesh.xyz + 3 * v, y);
            memcpy(mesh.xyz + 3 * v, y, sizeof y);
        }
    }
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    const ew_model_constraint rollers[] = {{.set = add_where(model, at_x), .fixed = 1},
                                           {.set = add_where(model, at_y), .fixed = 2},
                                           {.set = add_where(model, at_z), .fixed = 4},
                                           {.set = add_where(model, at_top), .fixed = 4}};
    must(ew_model_set_constraints(model, 4, rollers));
    return model;
}

static void solve(ew_model *model, const ew_nonlinear_info **info)
{
    ew_nonlinear_def def = ew_default_nonlinear_def();
    def.tolerance = 1e-11;
    def.solver.tolerance = 1e-13;
    must(ew_model_solve_nonlinear(model, &def, info));
    must(ew_model_recover(model, NULL, NULL));
}

/* The mean of the radii that vertices of the set come to, less the exact one. */
static double radius_error(ew_model *model, int32_t set, int dimension, double exact)
{
    const ew_mesh *mesh = ew_model_mesh(model);
    const double *u = ew_model_displacement(model);
    ew_list list = {0};
    double sum = 0.0;
    must(ew_model_list_vertices(model, set, &list));
    for (int32_t i = 0; i < list.n; i++) {
        double square = 0.0;
        for (int c = 0; c < dimension + 1; c++) {
            const double x = mesh->xyz[3 * list.id[i] + c] + u[3 * list.id[i] + c];
            square += x * x;
        }
        sum += sqrt(square) / list.n;
    }
    ew_list_free(&list);
    return fabs(sum - exact);
}

static double tube_error(int32_t n, bool is_quadratic, double pressure)
{
    const ew_material material = rubber();
    const ew_nonlinear_info *info;
    double inner, outer;
    ew_model *model = make_tube(n, 2 * n, is_quadratic);
    const int32_t set = add_where(model, is_inside);
    inflate(&material, of_radius, pressure, 1, &inner, &outer);
    press(model, set, pressure);
    solve(model, &info);
    CU_ASSERT(info->load_factor == 1.0 && inner > 1.5 * of_radius);
    const double error = radius_error(model, set, 1, inner);
    ew_model_free(model);
    return error;
}

/* The radius inside grows by more than half. */
static void test_tube_is_the_radial_equation(void)
{
    double error[3];
    for (int k = 0; k < 3; k++) {
        error[k] = tube_error(3 << k, false, 0.55);
    }
    CU_ASSERT(error[2] < 0.01 * of_radius && log2(error[1] / error[2]) > 1.9);
    for (int k = 0; k < 3; k++) {
        error[k] = tube_error(2 << k, true, 0.55);
    }
    CU_ASSERT(error[2] < 1e-4 * of_radius && log2(error[1] / error[2]) > 2.0);
}

static bool is_inner_sphere(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) < of_radius + 1e-9;
}

/* An octant with straight sides. */
static double sphere_error(int32_t n, bool is_quadratic, double pressure)
{
    const ew_model_def def = ew_default_model_def();
    const ew_material material = rubber();
    ew_model *model;
    ew_mesh mesh;
    double inner, outer;
    must(ew_shape_sphere_octant(&mesh, of_radius, 1.0, (int32_t[]){n, n}));
    must(ew_model_create(&model, &mesh, &def));
    must(ew_model_set_material(model, EW_ALL_REGIONS, &material));
    must(ew_model_set_kinematics(model, EW_COROTATIONAL));
    must(is_quadratic ? ew_model_set_order(model, true) : EW_OK);
    const ew_model_constraint rollers[] = {{.set = add_where(model, at_x), .fixed = 1},
                                           {.set = add_where(model, at_y), .fixed = 2},
                                           {.set = add_where(model, at_z), .fixed = 4}};
    must(ew_model_set_constraints(model, 3, rollers));
    const int32_t set = add_where(model, is_inner_sphere);
    inflate(&material, of_radius, pressure, 2, &inner, &outer);
    press(model, set, pressure);
    solve(model, NULL);
    const double error = radius_error(model, set, 2, inner);
    ew_model_free(model);
    return error;
}

static void test_sphere_is_the_radial_equation(void)
{
    for (int k = 0; k < 2; k++) {
        const double coarse = sphere_error(4 >> k, k == 1, 0.6);
        const double fine = sphere_error(8 >> k, k == 1, 0.6);
        CU_ASSERT(fine < 0.03 * of_radius && log2(coarse / fine) > 1.7);
    }
}

/* ---- Newton's method ------------------------------------------------------------------------ */

/* Near the end each residual is within some multiple of the square of the one before; the rim of
 * the pressed faces lies in planes of symmetry, so that the tangent is exact. */
static void test_newton_converges_quadratically(void)
{
    for (int k = 0; k < 2; k++) {
        const ew_nonlinear_info *info;
        ew_model *model = make_tube(3, 6, k == 1);
        press(model, add_where(model, is_inside), 0.4);
        solve(model, &info);
        const double *r = info->history;
        CU_ASSERT(info->n_step == 1 && info->n_iteration <= 8);
        for (int32_t i = 2; i < info->n_history; i++) {
            CU_ASSERT(r[i] < 1e-11 || r[i - 1] > 1e-2 || r[i] < 3.0 * r[i - 1] * r[i - 1]);
        }
        ew_model_free(model);
    }
}

#if EW_WITH_CHOLMOD
/* ---- stability ---- */

static bool is_outside(const double *x)
{
    return hypot(x[0], x[1]) > 1.0 - 1e-9;
}

/* Least pressure from outside at which a ring buckles, of which a quarter is there. */
static double buckling_pressure(bool follower)
{
    const ew_material elastic = {.young = 1e4, .poisson = 0.0};
    const ew_modes_def def = modes_def(1);
    const ew_buckling *buckling;
    ew_model *model = make_tube(1, 16, true);
    must(ew_model_set_material(model, EW_ALL_REGIONS, &elastic));
    ew_model_load load = ew_load_pressure(add_where(model, is_outside), 1e-3);
    load.follower = follower;
    must(ew_model_set_loads(model, 1, &load));
    solve(model, NULL);
    must(ew_model_buckling(model, &def, &buckling));
    const double factor = 1e-3 * buckling->factor[0];
    ew_model_free(model);
    return factor;
}

/* 3 E I / R^3 where the pressure stays square to the ring, 4 where it keeps its direction
 * (Timoshenko & Gere 1961, Theory of Elastic Stability, section 7.2; Bodner 1958, J. Aeronautical
 * Sciences 25, table 1): the load stiffness alone makes the difference. A pressure that acts at the
 * outside of a ring of thickness t and keeps its direction has t / R less. */
static void test_ring_buckles(void)
{
    const double before = of_radius, t = 0.02, r = 1.0 - 0.5 * t;
    of_radius = 1.0 - t;
    const double exact = 3.0 * 1e4 * t * t * t / (12.0 * r * r);
    const double follower = buckling_pressure(true), dead = buckling_pressure(false);
    CU_ASSERT_DOUBLE_EQUAL(follower / exact, 1.0, 0.02);
    CU_ASSERT_DOUBLE_EQUAL(dead / follower, 4.0 / 3.0 * (1.0 - t / r), 0.005);
    of_radius = before;
}
#endif

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"tube_is_the_radial_equation", test_tube_is_the_radial_equation},
        {"sphere_is_the_radial_equation", test_sphere_is_the_radial_equation},
        {"newton_converges_quadratically", test_newton_converges_quadratically},
#if EW_WITH_CHOLMOD
        {"ring_buckles", test_ring_buckles},
#endif
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"hollow bodies", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
