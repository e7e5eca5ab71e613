/* Geometry of the labels of meshes and surfaces against closed forms, and which face a geometry
 * finds after others have moved: exact, changed, missing, ambiguous. */
#include "format/parts/format.h"
#include "shape/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void expect_at(const ew_geometry *one, double x, double y, double z)
{
    CU_ASSERT(near(one->centroid[0], x) && near(one->centroid[1], y) && near(one->centroid[2], z));
}

static void test_box(void)
{
    ew_mesh mesh;
    ew_geometry_list list = {0};
    must(ew_shape_box(&mesh, (const double[3]){4, 2, 1}, (const int32_t[3]){3, 2, 1}));
    must(ew_geometry_measure(&mesh, &list));
    CU_ASSERT_EQUAL_FATAL(list.n, 7);
    CU_ASSERT(near(list.diagonal, sqrt(21)));
    static const double area[6] = {2, 2, 4, 4, 8, 8};
    for (int i = 0; i < 6; i++) {
        const ew_geometry *one = &list.of[i];
        CU_ASSERT(one->kind == EW_GEOMETRY_PLANE && one->label == i + 1 && one->number == i + 1);
        CU_ASSERT(near(one->size, area[i]) && one->n_region == 1 && one->radius == 0);
        for (int c = 0; c < 3; c++) {
            CU_ASSERT(near(one->direction[c], c == i / 2 ? (i % 2 ? 1 : -1) : 0));
        }
    }
    expect_at(&list.of[1], 4, 1, 0.5);
    CU_ASSERT(list.of[6].kind == EW_GEOMETRY_SOLID && near(list.of[6].size, 8));
    expect_at(&list.of[6], 2, 1, 0.5);
    ew_geometry_list_free(&list);
    ew_geometry_list_free(&list);
    ew_mesh_free(&mesh);
}

/* Vertices lie on the hole, so that its radius is exact with two cells around a quarter, too. */
static void test_hole(void)
{
    for (int32_t n = 2; n <= 8; n += 6) {
        ew_mesh mesh;
        ew_geometry_list list = {0};
        must(ew_shape_plate_hole(&mesh, 5, 1.5, 2, (const int32_t[3]){n, 2, 2}));
        must(ew_geometry_measure(&mesh, &list));
        CU_ASSERT_EQUAL_FATAL(list.n, 8);
        const ew_geometry *hole = &list.of[4];
        CU_ASSERT(hole->kind == EW_GEOMETRY_CYLINDER && near(hole->radius, 1.5));
        CU_ASSERT(near(fabs(hole->direction[2]), 1));
        /* n facets over a quarter, each a chord of the angle pi / 2n */
        CU_ASSERT(near(hole->size, 2 * n * 2 * 1.5 * sin(acos(-1.0) / (4 * n))));
        CU_ASSERT(list.of[6].kind == EW_GEOMETRY_PLANE && near(list.of[6].direction[2], 1));
        ew_geometry_list_free(&list);
        ew_mesh_free(&mesh);
    }
}

/* An octahedron under one label is a sphere through its corners; two of its faces are none, and a
 * quadrilateral prism is no cylinder. */
static void test_surface(void)
{
    double xyz[8][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    int32_t triangle[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                              {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int32_t label[8] = {0};
    ew_surface surface = {
        .n_vertex = 6, .xyz = xyz[0], .n_triangle = 8, .triangle = triangle[0], .label = label};
    ew_geometry_list list = {0};
    must(ew_geometry_of_surface(&surface, 3, &list));
    CU_ASSERT(list.n == 1 && list.of[0].kind == EW_GEOMETRY_SPHERE && near(list.of[0].radius, 3));
    CU_ASSERT(near(list.of[0].size, 9 * 8 * sqrt(3) / 2) && near(list.diagonal, 6 * sqrt(3)));
    expect_at(&list.of[0], 0, 0, 0);
    ew_geometry_list_free(&list);
    label[0] = label[1] = 5;
    must(ew_geometry_of_surface(&surface, 1, &list));
    CU_ASSERT(list.n == 2 && list.of[1].label == 5 && list.of[1].kind == EW_GEOMETRY_CURVED);
    ew_geometry_list_free(&list);
    for (int i = 0; i < 8; i++) { /* corners of a square prism, and its sides */
        const double corner[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
        memcpy(xyz[i], corner, sizeof corner);
        label[i] = 0;
    }
    const int32_t side[8][3] = {{0, 1, 5}, {0, 5, 4}, {1, 3, 7}, {1, 7, 5},
                                {3, 2, 6}, {3, 6, 7}, {2, 0, 4}, {2, 4, 6}};
    memcpy(triangle, side, sizeof side);
    surface.n_vertex = 8;
    must(ew_geometry_of_surface(&surface, 1, &list));
    CU_ASSERT(list.n == 1 && list.of[0].kind == EW_GEOMETRY_CURVED && near(list.of[0].size, 16));
    ew_geometry_list_free(&list);
}

static const ew_geometry faces[] = {
    {.kind = EW_GEOMETRY_CYLINDER,
     .number = 1,
     .size = 10,
     .centroid = {2, 0, 0},
     .direction = {0, 0, 1},
     .radius = 1},
    {.kind = EW_GEOMETRY_CYLINDER,
     .number = 2,
     .size = 10,
     .centroid = {6, 0, 0},
     .direction = {0, 0, -1},
     .radius = 1},
    {.kind = EW_GEOMETRY_PLANE,
     .number = 3,
     .size = 40,
     .centroid = {5, 5, 0},
     .direction = {0, 0, 1}},
    {.kind = EW_GEOMETRY_PLANE,
     .number = 4,
     .size = 40,
     .centroid = {5, 5, -1},
     .direction = {0, 0, -1}},
    {.kind = EW_GEOMETRY_SOLID, .number = 1, .size = 100, .centroid = {5, 5, -.5}},
};

/* The number of the face that is found; 0: none, with this in the message. */
static int32_t match(const ew_geometry_query *query, const char *text)
{
    const ew_geometry_list list = {.n = 5, .of = (ew_geometry *)faces, .diagonal = 20};
    const ew_geometry *found = NULL;
    char change[EW_GEOMETRY_TEXT];
    const ew_status status = ew_geometry_match(&list, query, &found, change);
    const char *told = status ? ew_message() : change;
    CU_ASSERT(status == EW_OK || status == EW_BAD_INPUT);
    if (*text ? !strstr(told, text) : *told != 0) {
        printf("\n  '%s', wanted '%s'\n", told, text);
        CU_FAIL("text");
    }
    return status ? 0 : found->number;
}

static void test_match(void)
{
    ew_geometry_query query = {.kind = EW_GEOMETRY_CYLINDER, .near = {2, 0, 0}, .tolerance = 0.25};
    CU_ASSERT_EQUAL(match(&query, ""), 1);
    query.direction[2] = -5; /* an axis points either way, at any length */
    query.radius = 1;
    CU_ASSERT_EQUAL(match(&query, ""), 1);
    query.near[0] = 3;
    CU_ASSERT_EQUAL(match(&query, "face 1: moved by 1 to (2, 0, 0)"), 1);
    query.near[0] = 4;
    CU_ASSERT_EQUAL(match(&query, "faces 1 and 2 are about equally like this"), 0);
    query.near[0] = 6;
    query.radius = 1.25;
    query.size = 16;
    CU_ASSERT_EQUAL(match(&query, "face 2: radius 1.25 -> 1, area 16 -> 10"), 2);
    query.radius = 1.5; /* a third less */
    CU_ASSERT_EQUAL(match(&query, "within the tolerance 0.25; the nearest is face 2: radius"), 0);
    query.tolerance = 0.4;
    CU_ASSERT_EQUAL(match(&query, "radius 1.5 -> 1"), 2);
    query = (ew_geometry_query){.kind = -1, .near = {5, 5, -.6}, .tolerance = 0.25};
    query.direction[2] = 1; /* a normal has a sense */
    CU_ASSERT_EQUAL(match(&query, "face 3: moved by 0.6"), 3);
    query.direction[1] = 0.2;
    CU_ASSERT_EQUAL(match(&query, "turned by 11.3 degrees"), 3);
    query = (ew_geometry_query){.kind = EW_GEOMETRY_SPHERE, .tolerance = 0.25};
    CU_ASSERT_EQUAL(match(&query, "the body has no sphere"), 0);
    query = (ew_geometry_query){.kind = EW_GEOMETRY_SOLID, .near = {5, 5, -.5}, .tolerance = 0.25};
    query.size = 80;
    CU_ASSERT_EQUAL(match(&query, "solid 1: volume 80 -> 100"), 1);
}

static void test_no_memory(void)
{
    ew_mesh mesh;
    must(ew_shape_box(&mesh, (const double[3]){1, 1, 1}, (const int32_t[3]){1, 1, 1}));
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_geometry_list list = {0};
        ew_test_allocations_begin(k);
        const ew_status status = ew_geometry_measure(&mesh, &list);
        CU_ASSERT(!status || (!list.n && !list.of));
        ew_geometry_list_free(&list);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT(status == (refused ? EW_NO_MEMORY : EW_OK));
    }
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    static CU_TestInfo geometry[] = {
        {"box", test_box},     {"hole", test_hole},           {"surface", test_surface},
        {"match", test_match}, {"no_memory", test_no_memory}, CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"geometry", NULL, NULL, NULL, NULL, geometry},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
