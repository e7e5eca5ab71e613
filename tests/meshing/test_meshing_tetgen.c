/* Tests of tetrahedralization by TetGen. */
#include "ew_parts.h"
#include "meshing/parts/meshing.h"
#include "meshing/tetgen.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if EW_WITH_TETGEN

/* ---- surfaces ----------------------------------------------------------------- */

static void append(ew_surface *to, int32_t n_vertex, const double *xyz, int32_t n_triangle,
                   const int32_t *triangle, const int32_t *label)
{
    size_t v = (size_t)to->n_vertex, t = (size_t)to->n_triangle;
    double *x = NULL;
    int32_t *corner = NULL, *mark = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_new(&x, 3 * (v + (size_t)n_vertex), sizeof *x), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new(&corner, 3 * (t + (size_t)n_triangle), sizeof *corner), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new(&mark, t + (size_t)n_triangle, sizeof *mark), EW_OK);
    for (size_t i = 0; i < 3 * (v + (size_t)n_vertex); i++) {
        x[i] = i < 3 * v ? to->xyz[i] : xyz[i - 3 * v];
    }
    for (size_t i = 0; i < 3 * (t + (size_t)n_triangle); i++) {
        corner[i] = i < 3 * t ? to->triangle[i] : triangle[i - 3 * t] + (int32_t)v;
    }
    for (size_t i = 0; i < t + (size_t)n_triangle; i++) {
        mark[i] = i < t ? to->label[i] : label[i - t];
    }
    ew_surface_free(to);
    *to = (ew_surface){(int32_t)v + n_vertex, x, (int32_t)t + n_triangle, corner, mark};
}

/* A cube of this side around `center`, two triangles a face, labels 10 * (1 .. 6); faces
 * look inwards when `inwards`. */
static void add_cube(ew_surface *surface, const double center[3], double side, bool inwards)
{
    static const int32_t face[12][3] = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                        {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                        {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    double xyz[8][3];
    int32_t triangle[12][3], label[12];
    for (int i = 0; i < 8; i++) {
        for (int c = 0; c < 3; c++) {
            xyz[i][c] = center[c] + side * ((i >> c & 1) - 0.5);
        }
    }
    for (int i = 0; i < 12; i++) {
        triangle[i][0] = face[i][0];
        triangle[i][1] = face[i][inwards ? 2 : 1];
        triangle[i][2] = face[i][inwards ? 1 : 2];
        label[i] = 10 * (i / 2 + 1);
    }
    append(surface, 8, xyz[0], 12, triangle[0], label);
}

/* A sphere of radius 1: an octahedron whose triangles are cut in n^2 and pushed out. Vertices
 * are welded by position on the octahedron's grid. */
static void add_sphere(ew_surface *surface, int32_t n)
{
    int32_t size = 2 * n + 1, n_vertex = 0, n_triangle = 0;
    int32_t *at = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_new(&at, (size_t)(size * size * size), sizeof *at), EW_OK);
    double(*xyz)[3] = calloc((size_t)(8 * n * n + 8 * n), sizeof *xyz);
    int32_t(*triangle)[3] = calloc((size_t)(8 * n * n), sizeof *triangle);
    int32_t *label = calloc((size_t)(8 * n * n), sizeof *label);
    for (int32_t i = 0; i < size * size * size; i++) {
        int32_t p[3] = {i % size - n, i / size % size - n, i / size / size - n};
        at[i] = -1;
        if (abs(p[0]) + abs(p[1]) + abs(p[2]) == n) {
            double length = sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
            for (int c = 0; c < 3; c++) {
                xyz[n_vertex][c] = p[c] / length;
            }
            at[i] = n_vertex++;
        }
    }
    for (int octant = 0; octant < 8; octant++) {
        int32_t s[3];
        for (int c = 0; c < 3; c++) {
            s[c] = octant >> c & 1 ? -1 : 1;
        }
        bool turned = s[0] * s[1] * s[2] < 0;
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = 0; i + j < n; j++) {
                for (int32_t up = 0; up < (i + j + 1 < n ? 2 : 1); up++) {
                    int32_t corner[3];
                    for (int k = 0; k < 3; k++) {
                        int32_t a = i + (up ? k != 0 : k == 1), b = j + (up ? k != 1 : k == 2);
                        int32_t x = s[0] * a + n, y = s[1] * b + n, z = s[2] * (n - a - b) + n;
                        corner[k] = at[x + size * (y + size * z)];
                    }
                    triangle[n_triangle][0] = corner[0];
                    triangle[n_triangle][1] = corner[turned ? 2 : 1];
                    triangle[n_triangle][2] = corner[turned ? 1 : 2];
                    label[n_triangle++] = -3;
                }
            }
        }
    }
    append(surface, n_vertex, xyz[0], n_triangle, triangle[0], label);
    ew_release(at);
    free(xyz);
    free(triangle);
    free(label);
}

static double surface_volume(const ew_surface *surface)
{
    static const double origin[3] = {0};
    double sum = 0;
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        const int32_t *vertex = surface->triangle + 3 * (size_t)i;
        sum += ew_tet_volume(origin, surface->xyz + 3 * (size_t)vertex[0],
                             surface->xyz + 3 * (size_t)vertex[1],
                             surface->xyz + 3 * (size_t)vertex[2]);
    }
    return sum;
}

/* ---- tetrahedralization ---------------------------------------------------------- */

/* A tet's circumradius over its shortest edge. With edges a, b, c from one corner, the
 * circumcenter lies at (a^2 b x c + b^2 c x a + c^2 a x b) / 12 V from it. */
static double radius_edge_ratio(const ew_mesh *mesh, int32_t t)
{
    const double *x[4];
    double e[3][3], square[6], shortest = INFINITY, center = 0;
    for (int k = 0; k < 4; k++) {
        x[k] = mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)k];
    }
    for (int k = 0; k < 6; k++) {
        square[k] = 0;
        for (int c = 0; c < 3; c++) {
            double d = x[ew_edge_vertex[k][1]][c] - x[ew_edge_vertex[k][0]][c];
            square[k] += d * d;
            e[k % 3][c] = k < 3 ? d : e[k % 3][c];
        }
        shortest = fmin(shortest, square[k]);
    }
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        double d = 0;
        for (int k = 0; k < 3; k++) {
            const double *p = e[(k + 1) % 3], *q = e[(k + 2) % 3];
            d += square[k] * (p[i] * q[j] - p[j] * q[i]);
        }
        center += d * d;
    }
    return sqrt(center / shortest) / (12 * ew_mesh_tet_volume(mesh, t));
}

static void expect_sound(const ew_mesh *mesh, double volume)
{
    ew_topology topology;
    ew_list boundary = {0};
    ew_mesh_measure measure;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_boundary(&topology, mesh, &boundary), EW_OK);
    ew_mesh_take_measure(mesh, &measure);
    CU_ASSERT_DOUBLE_EQUAL(measure.volume, volume, 1e-10 * volume);
    CU_ASSERT_EQUAL(mesh->n_face, boundary.n);
    CU_ASSERT_EQUAL(mesh->n_region, 1);
    CU_ASSERT_EQUAL(mesh->region_label[0], 1);
    ew_list_free(&boundary);
    ew_topology_free(&topology);
}

static void test_tetgen_cube_keeps_labels(void)
{
    ew_surface surface = {0};
    ew_mesh mesh;
    ew_mesh_repair repair = {-1, -1};
    ew_tetgen_def def = ew_default_tetgen_def();
    def.max_volume = 0.02;
    add_cube(&surface, (double[3]){0.5, 0.5, 0.5}, 1, false);
    CU_ASSERT_EQUAL_FATAL(ew_tetgen_mesh(&mesh, &surface, &def, &repair), EW_OK);
    expect_sound(&mesh, 1);
    CU_ASSERT_EQUAL(repair.n_reoriented, 0);
    CU_ASSERT_EQUAL(repair.n_unused, 0);
    CU_ASSERT_TRUE(mesh.n_vertex > 8);
    int seen[6] = {0};
    for (int32_t i = 0; i < mesh.n_face; i++) {
        int32_t label = mesh.face_label[i] / 10 - 1;
        CU_ASSERT_FATAL(label >= 0 && label < 6 && mesh.face_label[i] % 10 == 0);
        seen[label]++;
        for (int k = 0; k < 3; k++) { /* labels come in pairs per axis: low, high */
            const double *x = mesh.xyz + 3 * (size_t)mesh.face[3 * i + k];
            CU_ASSERT_EQUAL(x[label / 2], label % 2);
        }
    }
    for (int k = 0; k < 6; k++) {
        CU_ASSERT_TRUE(seen[k] >= 2);
    }
    ew_mesh_free(&mesh);
    ew_surface_free(&surface);
}

static void test_tetgen_obeys_bounds(void)
{
    ew_surface surface = {0};
    add_sphere(&surface, 6);
    CU_ASSERT_EQUAL_FATAL(ew_surface_check(&surface), EW_OK);
    int32_t n_tet[2];
    for (int fine = 0; fine < 2; fine++) {
        ew_tetgen_def def = {.quality = 1.5, .max_volume = fine ? 1e-3 : 0};
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(ew_tetgen_mesh(&mesh, &surface, &def, NULL), EW_OK);
        expect_sound(&mesh, surface_volume(&surface));
        int32_t n_worse = 0;
        for (int32_t t = 0; t < mesh.n_tet; t++) {
            n_worse += radius_edge_ratio(&mesh, t) > 1.5 * (1 + 1e-9);
            CU_ASSERT_TRUE(!fine || ew_mesh_tet_volume(&mesh, t) <= 1e-3 * (1 + 1e-9));
        }
        CU_ASSERT_TRUE(n_worse * 50 < mesh.n_tet); /* exceptions of TetGen's last clean-up */
        for (int32_t i = 0; i < mesh.n_face; i++) {
            CU_ASSERT_EQUAL(mesh.face_label[i], -3);
        }
        n_tet[fine] = mesh.n_tet;
        ew_mesh_free(&mesh);
    }
    CU_ASSERT_TRUE(n_tet[1] > 2 * n_tet[0]);
    ew_surface_free(&surface);
}

static void test_tetgen_keeps_the_surface(void)
{
    ew_surface surface = {0};
    ew_mesh mesh;
    ew_tetgen_def def = {.quality = 1.4, .max_volume = 0.002, .keep_surface = true};
    add_sphere(&surface, 4);
    add_cube(&surface, (double[3]){5, 0, 0}, 1, false);
    CU_ASSERT_EQUAL_FATAL(ew_tetgen_mesh(&mesh, &surface, &def, NULL), EW_OK);
    expect_sound(&mesh, surface_volume(&surface));
    CU_ASSERT_EQUAL_FATAL(mesh.n_face, surface.n_triangle);
    CU_ASSERT_TRUE(mesh.n_vertex > surface.n_vertex);
    for (int32_t i = 0; i < surface.n_triangle; i++) {
        int32_t found = 0;
        for (int32_t j = 0; j < mesh.n_face && !found; j++) {
            int32_t same = 0;
            for (int k = 0; k < 9; k++) {
                same += !memcmp(mesh.xyz + 3 * (size_t)mesh.face[3 * j + k % 3],
                                surface.xyz + 3 * (size_t)surface.triangle[3 * i + k / 3],
                                3 * sizeof(double));
            }
            found = same == 3;
        }
        CU_ASSERT_TRUE(found);
    }
    ew_mesh_free(&mesh);
    ew_surface_free(&surface);
}

/* A block with a cavity, an island inside the cavity, and another block beside. */
static void test_tetgen_leaves_cavities_open(void)
{
    ew_surface surface = {0};
    ew_mesh mesh;
    ew_topology topology;
    ew_tetgen_def def = ew_default_tetgen_def();
    add_cube(&surface, (double[3]){0, 0, 0}, 4, false);
    add_cube(&surface, (double[3]){0, 0, 0}, 2, true);
    add_cube(&surface, (double[3]){0, 0, 0}, 1, false);
    add_cube(&surface, (double[3]){5, 0, 0}, 2, false);
    CU_ASSERT_EQUAL_FATAL(ew_tetgen_mesh(&mesh, &surface, &def, NULL), EW_OK);
    expect_sound(&mesh, 64 - 8 + 1 + 8);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&topology, &mesh), EW_OK);
    int32_t n_piece = 0, *piece = NULL;
    CU_ASSERT_EQUAL_FATAL(ew_new(&piece, (size_t)mesh.n_tet, sizeof *piece), EW_OK);
    CU_ASSERT_EQUAL(ew_topology_components(&topology, &mesh, piece, &n_piece), EW_OK);
    CU_ASSERT_EQUAL(n_piece, 3);
    ew_release(piece);
    ew_topology_free(&topology);
    ew_mesh_free(&mesh);
    ew_surface_free(&surface);
}

static void expect_refusal(const ew_surface *surface, const char *text)
{
    ew_mesh mesh, before;
    ew_tetgen_def def = ew_default_tetgen_def();
    memset(&mesh, 0x5a, sizeof mesh);
    memcpy(&before, &mesh, sizeof mesh);
    CU_ASSERT_EQUAL(ew_tetgen_mesh(&mesh, surface, &def, NULL), EW_BAD_INPUT);
    if (!strstr(ew_message(), text)) {
        CU_FAIL("the message does not name the fault");
        printf("  %s\n", ew_message());
    }
    CU_ASSERT_FALSE(memcmp(&mesh, &before, sizeof mesh));
}

static void test_tetgen_refuses_bad_surfaces(void)
{
    ew_surface surface = {0};
    expect_refusal(&surface, "triangle");
    add_cube(&surface, (double[3]){0, 0, 0}, 1, false);
    surface.n_triangle--; /* open at vertices 4, 7, 6 */
    expect_refusal(&surface, "edge");
    surface.n_triangle++;
    append(&surface, 1, (double[3]){2, 2, 2}, 1, (int32_t[3]){-4, -1, 0}, (int32_t[1]){1});
    expect_refusal(&surface, "edge"); /* a fin on an edge */
    ew_surface_free(&surface);
}

static void test_tetgen_names_an_intersection(void)
{
    static const double xyz[8][3] = {{0, 0, 0},       {1, 0, 0},       {0, 1, 0},
                                     {0, 0, 1},       {0.2, 0.2, -.5}, {1.2, 0.2, 0.1},
                                     {0.2, 1.2, 0.1}, {0.3, 0.2, 1.3}};
    static const int32_t triangle[8][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3},
                                           {4, 6, 5}, {4, 5, 7}, {4, 7, 6}, {5, 6, 7}};
    static const int32_t label[8] = {0};
    ew_surface surface = {0};
    append(&surface, 8, xyz[0], 8, triangle[0], label);
    CU_ASSERT_EQUAL(ew_surface_check(&surface), EW_OK);
    expect_refusal(&surface, "the surface intersects itself: triangle 0 (vertices 0, 2, 1,");
    ew_surface_free(&surface);
}

static void test_tetgen_refuses_bad_settings(void)
{
    static const ew_tetgen_def bad[] = {{.quality = 0.5},    {.quality = -1},
                                        {.quality = NAN},    {.max_volume = -1},
                                        {.max_volume = NAN}, {.max_volume = INFINITY}};
    ew_surface surface = {0};
    ew_mesh mesh;
    add_cube(&surface, (double[3]){0, 0, 0}, 1, false);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(ew_tetgen_mesh(&mesh, &surface, &bad[i], NULL), EW_BAD_ARGUMENT);
    }
    static const ew_tetgen_def small[] = {{.max_volume = 1e-9},
                                          {.max_volume = 1e-300, .max_memory = 1},
                                          {.max_volume = 1e-8, .max_memory = 1}};
    for (int i = 0; i < 3; i++) { /* at once */
        CU_ASSERT_EQUAL(ew_tetgen_mesh(&mesh, &surface, &small[i], NULL),
                        i < 2 ? EW_LIMIT : EW_NO_MEMORY);
        CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "give a larger volume"));
    }
    ew_surface_free(&surface);
}

static void test_tetgen_without_memory(void)
{
    ew_surface surface = {0};
    ew_tetgen_def def = ew_default_tetgen_def();
    add_cube(&surface, (double[3]){0, 0, 0}, 2, false);
    add_cube(&surface, (double[3]){0, 0, 0}, 1, true);
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_mesh mesh;
        ew_test_allocations_begin(k);
        ew_status status = ew_tetgen_mesh(&mesh, &surface, &def, NULL);
        CU_ASSERT_TRUE(status == EW_OK || status == EW_NO_MEMORY);
        if (!status) {
            ew_mesh_free(&mesh);
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(refused, status != EW_OK);
    }
    ew_surface_free(&surface);
}

#endif

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
#if EW_WITH_TETGEN
        {"test_tetgen_cube_keeps_labels", test_tetgen_cube_keeps_labels},
        {"test_tetgen_obeys_bounds", test_tetgen_obeys_bounds},
        {"test_tetgen_keeps_the_surface", test_tetgen_keeps_the_surface},
        {"test_tetgen_leaves_cavities_open", test_tetgen_leaves_cavities_open},
        {"test_tetgen_refuses_bad_surfaces", test_tetgen_refuses_bad_surfaces},
        {"test_tetgen_names_an_intersection", test_tetgen_names_an_intersection},
        {"test_tetgen_refuses_bad_settings", test_tetgen_refuses_bad_settings},
        {"test_tetgen_without_memory", test_tetgen_without_memory},
#endif
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"meshing: TetGen", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return EW_WITH_TETGEN ? ew_test_main(argc, argv, suites) : 0;
}
