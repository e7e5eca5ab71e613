/* Mappings: binding against a look at every tet, what is carried and handed back, loads, refusals,
 * memory. Edits are in test_model_surfaces.c. */
#include "mapping_fixture.h"

static void make_box(ew_mesh *mesh, int32_t cells)
{
    const double size[3] = {1.0, 1.0, 1.0};
    must(ew_shape_box(mesh, size, (const int32_t[3]){cells, cells, cells}));
}

/* ---- binding -------------------------------------------------------------------- */

static void test_binding_is_that_of_a_scan(void)
{
    ew_mesh mesh;
    make_box(&mesh, 5);
    for (int k = 0; k < 3; k++) {
        static const double beyond[3] = {0.0, 0.1, 0.4};
        ew_surface surface;
        ew_mapping mapping;
        int32_t n_outside = 0;
        make_points(&surface, 600, beyond[k], 7 + (uint64_t)k);
        must(ew_mapping_bind(&mapping, &mesh, &surface, &(ew_mapping_def){0}));
        must(ew_mapping_check(&mapping, &mesh));
        for (int32_t v = 0; v < surface.n_vertex; v++) {
            ew_place place;
            find_by_scan(&mesh, surface.xyz + 3 * v, &place);
            CU_ASSERT(is_bound_so(&mapping, v, &place));
            n_outside += place.distance > 0.0;
        }
        CU_ASSERT_EQUAL(mapping.n_outside, n_outside);
        CU_ASSERT(k == 0 ? n_outside == 0 : n_outside > 100);
        CU_ASSERT(mapping.max_distance <= beyond[k] * sqrt(3.0) + 1e-12);
        ew_mapping_free(&mapping);
        ew_surface_free(&surface);
    }
    ew_mesh_free(&mesh);
}

/* One tet of very small ones among large ones, and one far away: the grid has empty cells. */
static void test_binding_in_an_uneven_mesh(void)
{
    static const double xyz[] = {0, 0, 0, 1,     0, 0, 0, 1,     0, 0, 0, 1,
                                 9, 9, 9, 9.001, 9, 9, 9, 9.001, 9, 9, 9, 9.001};
    static const int32_t tet[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const ew_mesh_def def = {.n_vertex = 8, .xyz = xyz, .n_tet = 2, .tet = tet};
    ew_mesh mesh;
    ew_surface surface;
    ew_mapping mapping;
    must(ew_mesh_init(&mesh, &def, NULL));
    make_points(&surface, 500, 0.0, 3);
    for (int32_t i = 0; i < 3 * surface.n_vertex; i++) {
        surface.xyz[i] *= i % 7 ? 10.0 : 3.0;
    }
    must(ew_mapping_bind(&mapping, &mesh, &surface, &(ew_mapping_def){.max_distance = 20.0}));
    for (int32_t v = 0; v < surface.n_vertex; v++) {
        ew_place place;
        find_by_scan(&mesh, surface.xyz + 3 * v, &place);
        CU_ASSERT(is_bound_so(&mapping, v, &place));
    }
    ew_mapping_free(&mapping);
    ew_surface_free(&surface);
    ew_mesh_free(&mesh);
}

/* Distances of a tet in all directions, against projections worked out by sampling its faces. */
static void test_distance_is_the_nearest_points(void)
{
    ew_mesh mesh;
    uint64_t state = 11;
    make_box(&mesh, 1);
    for (int k = 0; k < 200; k++) {
        const double x[3] = {3 * draw(&state) - 1, 3 * draw(&state) - 1, 3 * draw(&state) - 1};
        double corner[12], nearest = INFINITY;
        ew_place place;
        ew_place_in(&mesh, k % mesh.n_tet, x, &place);
        ew_mesh_tet_values(&mesh, k % mesh.n_tet, mesh.xyz, corner);
        for (int32_t i = 0; i < 21 * 21 * 21; i++) {
            const double w[3] = {i % 21 / 20.0, i / 21 % 21 / 20.0, i / 441 / 20.0};
            double square = 0.0;
            for (int c = 0; c < 3; c++) {
                const double d = (1 - w[0] - w[1] - w[2]) * corner[c] + w[0] * corner[3 + c] +
                                 w[1] * corner[6 + c] + w[2] * corner[9 + c] - x[c];
                square += d * d;
            }
            nearest = w[0] + w[1] + w[2] <= 1 + 1e-12 ? fmin(nearest, sqrt(square)) : nearest;
        }
        CU_ASSERT(place.distance <= nearest + 1e-12);
        CU_ASSERT(place.distance > nearest - 0.06);
    }
    ew_mesh_free(&mesh);
}

/* ---- carrying --------------------------------------------------------------------- */

typedef struct carried {
    ew_mesh mesh;
    ew_surface surface;
    ew_mapping mapping;
    double *u, *f, *back, *moved;
} carried;

static void begin(carried *c, double beyond)
{
    uint64_t state = 5;
    make_box(&c->mesh, 4);
    make_points(&c->surface, 800, beyond, 21);
    must(ew_mapping_bind(&c->mapping, &c->mesh, &c->surface, &(ew_mapping_def){0}));
    const size_t n = 3 * (size_t)c->mesh.n_vertex, m = 3 * (size_t)c->surface.n_vertex;
    must(ew_new(&c->u, n, sizeof *c->u));
    must(ew_new_zero(&c->back, n, sizeof *c->back));
    must(ew_new(&c->f, m, sizeof *c->f));
    must(ew_new(&c->moved, m, sizeof *c->moved));
    for (size_t i = 0; i < n; i++) {
        c->u[i] = draw(&state) - 0.5;
    }
    for (size_t i = 0; i < m; i++) {
        c->f[i] = draw(&state) - 0.5;
    }
}

static void end(carried *c)
{
    ew_mesh_free(&c->mesh);
    ew_surface_free(&c->surface);
    ew_mapping_free(&c->mapping);
    ew_release(c->u);
    ew_release(c->f);
    ew_release(c->back);
    ew_release(c->moved);
}

/* Force and moment about the origin. */
static void sum_up(int32_t n, const double *x, const double *f, double sum[6])
{
    memset(sum, 0, 6 * sizeof *sum);
    for (int32_t v = 0; v < n; v++) {
        const double *p = x + 3 * v, *q = f + 3 * v;
        for (int c = 0; c < 3; c++) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += q[c];
            sum[3 + c] += p[d] * q[e] - p[e] * q[d];
        }
    }
}

static void test_work_force_and_moment_are_kept(void)
{
    carried c;
    double coarse[6], fine[6], work = 0.0, same = 0.0;
    begin(&c, 0.3);
    must(ew_mapping_positions(&c.mapping, &c.mesh, c.u, c.moved));
    must(ew_mapping_forces(&c.mapping, &c.mesh, c.f, c.back));
    for (int32_t i = 0; i < 3 * c.surface.n_vertex; i++) {
        work += c.f[i] * (c.moved[i] - c.surface.xyz[i]);
    }
    for (int32_t i = 0; i < 3 * c.mesh.n_vertex; i++) {
        same += c.back[i] * c.u[i];
    }
    CU_ASSERT(fabs(work - same) < 1e-12 * c.surface.n_vertex);
    sum_up(c.mesh.n_vertex, c.mesh.xyz, c.back, coarse);
    sum_up(c.surface.n_vertex, c.surface.xyz, c.f, fine);
    for (int k = 0; k < 6; k++) {
        CU_ASSERT(fabs(coarse[k] - fine[k]) < 1e-12 * c.surface.n_vertex);
    }
    end(&c);
}

/* An affine displacement is carried exactly, outside the body, too; so is a linear field. */
static void test_affine_is_exact(void)
{
    carried c;
    double *value, *out;
    begin(&c, 0.3);
    for (int32_t v = 0; v < c.mesh.n_vertex; v++) {
        const double *x = c.mesh.xyz + 3 * v;
        c.u[3 * v] = 0.1 + 0.2 * x[1] - x[2];
        c.u[3 * v + 1] = 3.0 * x[0];
        c.u[3 * v + 2] = x[0] + x[1] + x[2];
    }
    must(ew_mapping_positions(&c.mapping, &c.mesh, c.u, c.moved));
    must(ew_new(&out, 3 * (size_t)c.surface.n_vertex, sizeof *out));
    must(ew_new_zero(&value, (size_t)c.mesh.n_tet, sizeof *value));
    must(ew_mapping_vertex_field(&c.mapping, &c.mesh, 3, c.u, out));
    for (int32_t v = 0; v < c.surface.n_vertex; v++) {
        const double *x = c.surface.xyz + 3 * v, *to = c.moved + 3 * v;
        CU_ASSERT(fabs(to[0] - x[0] - (0.1 + 0.2 * x[1] - x[2])) < 1e-13);
        CU_ASSERT(fabs(to[1] - x[1] - 3.0 * x[0]) < 1e-13);
        CU_ASSERT(fabs(out[3 * v + 2] - (x[0] + x[1] + x[2])) < 1e-13);
    }
    must(ew_mapping_positions(&c.mapping, &c.mesh, NULL, c.moved));
    CU_ASSERT(!memcmp(c.moved, c.surface.xyz, 3 * (size_t)c.surface.n_vertex * sizeof *c.moved));
    value[c.mapping.tet[17]] = 4.5;
    must(ew_mapping_tet_field(&c.mapping, &c.mesh, 1, value, out));
    CU_ASSERT_EQUAL(out[17], 4.5);
    ew_release(value);
    ew_release(out);
    end(&c);
}

static void test_gathered_forces_are_the_transpose(void)
{
    carried c;
    ew_topology topology;
    begin(&c, 0.1);
    must(ew_topology_build(&topology, &c.mesh));
    must(ew_mapping_forces(&c.mapping, &c.mesh, c.f, c.back));
    for (int32_t v = 0; v < c.mesh.n_vertex; v++) {
        double force[3] = {0, 0, 0};
        ew_mapping_force_at(&c.mapping, &c.mesh, &topology, c.f, v, force);
        for (int k = 0; k < 3; k++) {
            CU_ASSERT(fabs(force[k] - c.back[3 * v + k]) < 1e-13 * c.surface.n_vertex);
        }
    }
    ew_topology_free(&topology);
    end(&c);
}

/* ---- loads ---------------------------------------------------------------------------- */

static void add_loads(const ew_mapping *mapping, const ew_surface_load *load, double sum[6])
{
    double *f;
    const double area = ew_mapping_area(mapping);
    must(ew_new(&f, 3 * (size_t)mapping->n_vertex, sizeof *f));
    for (int32_t v = 0; v < mapping->n_vertex; v++) {
        ew_surface_load_at(mapping, load, area, v, f + 3 * v);
    }
    sum_up(mapping->n_vertex, mapping->rest, f, sum);
    ew_release(f);
}

static void test_loads_on_a_closed_surface(void)
{
    ew_mesh mesh;
    ew_surface surface;
    ew_mapping mapping;
    double sum[6];
    make_box(&mesh, 3);
    make_skin(&surface, 7, 0.05);
    must(ew_mapping_bind(&mapping, &mesh, &surface, &(ew_mapping_def){0}));
    CU_ASSERT_DOUBLE_EQUAL(ew_mapping_area(&mapping), 6 * 1.21, 1e-12);
    add_loads(&mapping, &(ew_surface_load){.kind = EW_SURFACE_PRESSURE, .pressure = 3.0}, sum);
    for (int k = 0; k < 6; k++) {
        CU_ASSERT_DOUBLE_EQUAL(sum[k], 0.0, 1e-12);
    }
    add_loads(&mapping, &(ew_surface_load){EW_SURFACE_TRACTION, 0, {0, 2, 0}}, sum);
    CU_ASSERT_DOUBLE_EQUAL(sum[1], 2 * 6 * 1.21, 1e-12);
    add_loads(&mapping, &(ew_surface_load){EW_SURFACE_TOTAL_FORCE, 0, {5, 0, 1}}, sum);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], 5.0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(sum[2], 1.0, 1e-12);
    add_loads(&mapping, &(ew_surface_load){EW_SURFACE_FORCE, 0, {0, 0, 1}}, sum);
    CU_ASSERT_DOUBLE_EQUAL(sum[2], surface.n_vertex, 1e-9);
    ew_mapping_free(&mapping);
    ew_surface_free(&surface);
    ew_mesh_free(&mesh);
}

/* Pressure pushes in: on one face alone the force is p A against its outward normal. */
static void test_pressure_pushes_in(void)
{
    static double xyz[] = {1, 0, 0, 1, 1, 0, 1, 0, 1};
    static int32_t triangle[] = {0, 1, 2};
    const ew_surface surface = {.n_vertex = 3, .xyz = xyz, .n_triangle = 1, .triangle = triangle};
    ew_mesh mesh;
    ew_mapping mapping;
    double sum[6];
    make_box(&mesh, 2);
    must(ew_mapping_bind(&mapping, &mesh, &surface, &(ew_mapping_def){0}));
    add_loads(&mapping, &(ew_surface_load){.kind = EW_SURFACE_PRESSURE, .pressure = 4.0}, sum);
    CU_ASSERT_DOUBLE_EQUAL(sum[0], -2.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(sum[1], 0.0, 1e-14);
    ew_mapping_free(&mapping);
    ew_mesh_free(&mesh);
}

/* ---- refusals ---------------------------------------------------------------------------- */

static void refuse(const ew_mesh *mesh, const ew_surface *surface, const ew_mapping_def *def,
                   ew_status wanted, const char *part)
{
    ew_mapping mapping;
    memset(&mapping, 0x5a, sizeof mapping);
    const ew_status status = ew_mapping_bind(&mapping, mesh, surface, def);
    CU_ASSERT_EQUAL(status, wanted);
    CU_ASSERT(status && strstr(ew_message(), part));
    CU_ASSERT_PTR_NULL(mapping.tet);
    ew_mapping_free(&mapping);
}

static void test_bad_surfaces_are_refused(void)
{
    ew_mesh mesh, empty = {0};
    ew_surface surface;
    const ew_mapping_def def = {0};
    make_box(&mesh, 2);
    make_points(&surface, 40, 0.0, 1);
    refuse(&empty, &surface, &def, EW_BAD_INPUT, "without tets");
    surface.xyz[3 * 31] = 2.5;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "vertex 31 of the surface is 1.5 outside");
    surface.xyz[3 * 31] = 1.8; /* by its box near enough, by its distance, too */
    surface.xyz[3 * 31 + 1] = 1.8;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "units");
    refuse(&mesh, &surface, &(ew_mapping_def){.max_distance = -1.0}, EW_BAD_ARGUMENT, "negative");
    refuse(&mesh, &surface, &(ew_mapping_def){.max_distance = NAN}, EW_BAD_ARGUMENT, "nan");
    surface.xyz[3 * 31] = NAN;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "vertex 31 of the surface has a coordinate");
    surface.xyz[3 * 31] = INFINITY;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "not finite");
    surface.xyz[3 * 31] = 1e300;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "outside");
    surface.xyz[3 * 31] = 0.5;
    surface.triangle[5] = 40;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "triangle 1 of the surface names vertex 40");
    surface.n_vertex = 0;
    refuse(&mesh, &surface, &def, EW_BAD_INPUT, "no vertices");
    surface.n_vertex = 40;
    ew_surface_free(&surface);
    ew_mesh_free(&mesh);
}

static void test_another_mesh_is_stale(void)
{
    carried c;
    ew_topology topology;
    const ew_change change = {.from_revision = 7, .to_revision = 8};
    begin(&c, 0.0);
    must(ew_topology_build(&topology, &c.mesh));
    c.mesh.revision++;
    CU_ASSERT_EQUAL(ew_mapping_positions(&c.mapping, &c.mesh, c.u, c.moved), EW_STALE);
    CU_ASSERT_EQUAL(ew_mapping_forces(&c.mapping, &c.mesh, c.f, c.back), EW_STALE);
    CU_ASSERT_EQUAL(ew_mapping_update(&c.mapping, &c.mesh, &topology, &change), EW_STALE);
    CU_ASSERT_EQUAL(ew_mapping_check(&c.mapping, &c.mesh), EW_STALE);
    ew_topology_free(&topology);
    end(&c);
}

static void test_check_finds_faults(void)
{
    carried c;
    begin(&c, 0.0);
    c.mapping.weight[4 * 9] += 1e-6;
    CU_ASSERT_EQUAL(ew_mapping_check(&c.mapping, &c.mesh), EW_TABLE_BOUNDARY);
    c.mapping.weight[4 * 9] -= 1e-6;
    const int32_t tet = c.mapping.tet[9];
    c.mapping.tet[9] = -1;
    CU_ASSERT_EQUAL(ew_mapping_check(&c.mapping, &c.mesh), EW_TABLE_BOUNDARY);
    c.mapping.tet[9] = tet;
    c.mapping.n_released = 1;
    CU_ASSERT_EQUAL(ew_mapping_check(&c.mapping, &c.mesh), EW_TABLE_BOUNDARY);
    end(&c);
}

static void test_memory_may_end_at_any_time(void)
{
    ew_mesh mesh;
    ew_surface surface;
    make_box(&mesh, 3);
    make_points(&surface, 60, 0.2, 2);
    const int threads = ew_threads();
    ew_use_threads(1);
    for (int64_t k = 0;; k++) {
        ew_mapping mapping;
        ew_test_allocations_begin(k);
        const ew_status status = ew_mapping_bind(&mapping, &mesh, &surface, &(ew_mapping_def){0});
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        ew_mapping_free(&mapping);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        if (!ew_test_allocations_end()) {
            break;
        }
    }
    ew_use_threads(threads);
    ew_surface_free(&surface);
    ew_mesh_free(&mesh);
}

static CU_TestInfo tests[] = {
    {"binding_is_that_of_a_scan", test_binding_is_that_of_a_scan},
    {"binding_in_an_uneven_mesh", test_binding_in_an_uneven_mesh},
    {"distance_is_the_nearest_points", test_distance_is_the_nearest_points},
    {"work_force_and_moment_are_kept", test_work_force_and_moment_are_kept},
    {"affine_is_exact", test_affine_is_exact},
    {"gathered_forces_are_the_transpose", test_gathered_forces_are_the_transpose},
    {"loads_on_a_closed_surface", test_loads_on_a_closed_surface},
    {"pressure_pushes_in", test_pressure_pushes_in},
    {"bad_surfaces_are_refused", test_bad_surfaces_are_refused},
    {"another_mesh_is_stale", test_another_mesh_is_stale},
    {"check_finds_faults", test_check_finds_faults},
    {"memory_may_end_at_any_time", test_memory_may_end_at_any_time},
    CU_TEST_INFO_NULL,
};

int main(int argc, char **argv)
{
    const CU_SuiteInfo suites[] = {{"mapping", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
