/* Selection of vertices: every kind against a plain scan or a known answer, on a box of
 * 4 x 4 x 4 unit cells; refusals. */
#include "mesh/parts/mesh.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <string.h>

static void make_box(ew_mesh *mesh)
{
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(mesh, (double[3]){4, 4, 4}, (int32_t[3]){4, 4, 4}), EW_OK);
}

static void remove_tets(ew_mesh *mesh, const int32_t *tet, int32_t n)
{
    ew_edit edit = {0};
    ew_change change = {0};
    for (int32_t i = 0; i < n; i++) {
        CU_ASSERT_EQUAL_FATAL(ew_edit_remove_tet(&edit, tet[i]), EW_OK);
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(mesh, &edit, NULL, &change), EW_OK);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

/* Tets at vertex v; returns their count. */
static int32_t tets_at(const ew_mesh *mesh, int32_t v, int32_t tet[64])
{
    int32_t n = 0;
    for (int32_t i = 0; i < 4 * mesh->n_tet; i++) {
        if (mesh->tet[i] == v && ew_mesh_tet_is_live(mesh, i / 4)) {
            CU_ASSERT_FATAL(n < 64);
            tet[n++] = i / 4;
        }
    }
    return n;
}

static int32_t count(const ew_mesh *mesh, const ew_selector *selector)
{
    ew_list list = {0};
    ew_status status = ew_mesh_select(mesh, selector, &list);
    CU_ASSERT_EQUAL(status, EW_OK);
    for (int32_t i = 1; i < list.n; i++) {
        CU_ASSERT(list.id[i - 1] < list.id[i]);
    }
    for (int32_t i = 0; i < list.n; i++) {
        CU_ASSERT(ew_mesh_vertex_is_active(mesh, list.id[i]));
    }
    int32_t n = list.n;
    ew_list_free(&list);
    return n;
}

static void test_points(void)
{
    static const struct {
        ew_selector selector;
        int32_t n;
    } known[] = {
        {{.kind = EW_SELECT_ALL}, 125},
        {{.kind = EW_SELECT_BOX, .a = {0, 1, 2}, .b = {1, 1, 9}}, 2 * 1 * 3},
        {{.kind = EW_SELECT_BOX, .a = {3, 0, 0}, .b = {1, 4, 4}}, 0},
        {{.kind = EW_SELECT_SPHERE, .a = {2, 2, 2}, .radius = 1}, 7},
        {{.kind = EW_SELECT_SPHERE, .a = {2, 2, 2}, .radius = 0}, 1},
        {{.kind = EW_SELECT_CYLINDER, .a = {2, 2, 1}, .b = {2, 2, 3}, .radius = 1}, 15},
        {{.kind = EW_SELECT_CYLINDER, .a = {0, 0, 0}, .b = {4, 4, 4}, .radius = 1e-9}, 5},
        {{.kind = EW_SELECT_PLANE, .a = {7, 3, 1}, .b = {0, 0, -5}, .radius = 0}, 25},
        {{.kind = EW_SELECT_PLANE, .a = {0, 0, 1}, .b = {0, 0, 1e-200}, .radius = 1}, 75},
        {{.kind = EW_SELECT_SIDE, .a = {0, 1, 0}, .b = {0, -2, 0}}, 50},
    };
    ew_mesh mesh;
    make_box(&mesh);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CU_ASSERT_EQUAL(count(&mesh, &known[i].selector), known[i].n);
    }
    CU_ASSERT(!ew_selector_has_point(&(ew_selector){.kind = EW_SELECT_NEAREST}, mesh.xyz));
    ew_mesh_free(&mesh);
}

static int32_t nearest(const ew_mesh *mesh, double x, double y, double z)
{
    ew_list list = {0};
    ew_selector selector = {.kind = EW_SELECT_NEAREST, .a = {x, y, z}};
    CU_ASSERT_EQUAL(ew_mesh_select(mesh, &selector, &list), EW_OK);
    CU_ASSERT_EQUAL(list.n, 1);
    int32_t v = list.n == 1 ? list.id[0] : -1;
    ew_list_free(&list);
    return v;
}

static void test_nearest(void)
{
    ew_mesh mesh;
    int32_t tet[64];
    make_box(&mesh);
    CU_ASSERT_EQUAL(nearest(&mesh, 2.2, 0.9, -7), 2 + 5 * 1);
    CU_ASSERT_EQUAL(nearest(&mesh, 0.5, 0.5, 0.5), 0); /* eight alike: the lowest id */
    mesh.vertex_id[0] = 124;
    mesh.vertex_id[124] = 0;
    CU_ASSERT_EQUAL(nearest(&mesh, 0.5, 0.5, 0.5), 1);
    mesh.vertex_id[0] = 0;
    mesh.vertex_id[124] = 124;
    remove_tets(&mesh, tet, tets_at(&mesh, 0, tet)); /* inactive ones do not count */
    CU_ASSERT(nearest(&mesh, -1, -1, -1) != 0);
    ew_mesh_free(&mesh);
}

static void test_region(void)
{
    ew_mesh box, mesh;
    int32_t region[384], n_expected = 0, n = 0;
    bool expected[125] = {false};
    make_box(&box);
    for (int32_t t = 0; t < box.n_tet; t++) {
        region[t] = t < 12 ? -3 : 40;
        for (int i = 0; i < 4 && t < 12; i++) {
            expected[box.tet[4 * t + i]] = true;
        }
    }
    for (int v = 0; v < 125; v++) {
        n_expected += expected[v];
    }
    ew_mesh_def def = {.n_vertex = box.n_vertex,
                       .xyz = box.xyz,
                       .n_tet = box.n_tet,
                       .tet = box.tet,
                       .region = region};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    n = count(&mesh, &(ew_selector){.kind = EW_SELECT_REGION, .label = -3});
    CU_ASSERT_EQUAL(n, n_expected);
    /* all but (0, 0, 0) and (1, 0, 0), which only the first two cells have */
    CU_ASSERT_EQUAL(count(&mesh, &(ew_selector){.kind = EW_SELECT_REGION, .label = 40}), 123);
    ew_mesh_free(&mesh);
    ew_mesh_free(&box);
}

/* A corner taken off: its three sides lose it, and the triangles that are gone count no more. */
static void test_surface(void)
{
    ew_mesh mesh;
    int32_t tet[64], n;
    bool live[192 * 2];
    make_box(&mesh);
    CU_ASSERT_EQUAL(mesh.n_face, 192);
    CU_ASSERT_EQUAL(count(&mesh, &(ew_selector){.kind = EW_SELECT_SURFACE, .label = 1}), 25);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_live_faces(&mesh, live), EW_OK);
    for (int32_t f = 0; f < mesh.n_face; f++) {
        CU_ASSERT(live[f]);
    }
    n = tets_at(&mesh, 4, tet); /* (4, 0, 0), where faces 2, 3 and 5 meet */
    int32_t gone = 0, at_corner = 0;
    for (int32_t i = 0; i < 3 * mesh.n_face; i++) {
        at_corner += mesh.face[i] == 4;
    }
    remove_tets(&mesh, tet, n);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_live_faces(&mesh, live), EW_OK);
    for (int32_t f = 0; f < mesh.n_face; f++) {
        gone += !live[f];
    }
    CU_ASSERT(gone >= at_corner);
    CU_ASSERT_EQUAL(count(&mesh, &(ew_selector){.kind = EW_SELECT_SURFACE, .label = 1}), 25);
    CU_ASSERT_EQUAL(count(&mesh, &(ew_selector){.kind = EW_SELECT_SURFACE, .label = 2}), 24);
    ew_mesh_free(&mesh);
}

static void test_ids(void)
{
    ew_mesh mesh;
    int32_t order[125];
    const int64_t id[4] = {124, 0, 17, 124};
    ew_list list = {0};
    make_box(&mesh);
    for (int v = 0; v < 125; v++) {
        order[v] = 124 - v;
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&mesh, order, false, NULL, NULL), EW_OK);
    ew_selector selector = {.kind = EW_SELECT_IDS, .n_id = 4, .id = id};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_select(&mesh, &selector, &list), EW_OK);
    CU_ASSERT_EQUAL_FATAL(list.n, 3);
    CU_ASSERT(list.id[0] == 0 && list.id[1] == 107 && list.id[2] == 124);
    ew_list_free(&list);
    selector.n_id = 0;
    selector.id = NULL;
    CU_ASSERT_EQUAL(count(&mesh, &selector), 0);
    ew_mesh_free(&mesh);
}

static void test_refusals(void)
{
    const int64_t unknown[2] = {3, 125};
    const struct {
        ew_selector selector;
        ew_status status;
        const char *part;
    } bad[] = {
        {{.kind = EW_SELECT_REGION, .label = 9}, EW_BAD_INPUT, "region 9"},
        {{.kind = EW_SELECT_SURFACE, .label = 7}, EW_BAD_INPUT, "surface 7"},
        {{.kind = EW_SELECT_IDS, .n_id = 2, .id = unknown}, EW_BAD_INPUT, "vertex id 125"},
        {{.kind = EW_SELECT_BOX, .b = {1, 1, NAN}}, EW_BAD_ARGUMENT, "box: high corner"},
        {{.kind = EW_SELECT_SPHERE, .radius = -1}, EW_BAD_ARGUMENT, "sphere: radius -1"},
        {{.kind = EW_SELECT_SPHERE, .radius = INFINITY}, EW_BAD_ARGUMENT, "sphere: radius"},
        {{.kind = EW_SELECT_CYLINDER, .radius = 1}, EW_BAD_ARGUMENT, "cylinder: axis has length 0"},
        {{.kind = EW_SELECT_CYLINDER, .b = {1}, .radius = -1}, EW_BAD_ARGUMENT, "radius"},
        {{.kind = EW_SELECT_PLANE, .radius = 1}, EW_BAD_ARGUMENT, "plane: normal has length 0"},
        {{.kind = EW_SELECT_PLANE, .b = {1}, .radius = -1}, EW_BAD_ARGUMENT, "tolerance -1"},
        {{.kind = EW_SELECT_SIDE, .b = {INFINITY}}, EW_BAD_ARGUMENT, "plane: normal"},
        {{.kind = EW_SELECT_NEAREST, .a = {NAN}}, EW_BAD_ARGUMENT, "nearest: point"},
        {{.kind = (ew_selector_kind)99}, EW_BAD_ARGUMENT, "kind 99"},
    };
    ew_mesh mesh;
    make_box(&mesh);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ew_list list = {0};
        CU_ASSERT_EQUAL(ew_mesh_select(&mesh, &bad[i].selector, &list), bad[i].status);
        CU_ASSERT(strstr(ew_message(), bad[i].part) != NULL);
        CU_ASSERT_EQUAL(list.n, 0);
        ew_list_free(&list);
    }
    ew_mesh_free(&mesh);
}

static void test_allocation_failures(void)
{
    const int64_t id[2] = {5, 4};
    const ew_selector selector[] = {{.kind = EW_SELECT_ALL},
                                    {.kind = EW_SELECT_NEAREST},
                                    {.kind = EW_SELECT_REGION, .label = 1},
                                    {.kind = EW_SELECT_SURFACE, .label = 2},
                                    {.kind = EW_SELECT_IDS, .n_id = 2, .id = id}};
    ew_mesh mesh;
    make_box(&mesh);
    for (size_t i = 0; i < sizeof selector / sizeof *selector; i++) {
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            ew_list list = {0};
            ew_test_allocations_begin(k);
            ew_status status = ew_mesh_select(&mesh, &selector[i], &list);
            CU_ASSERT(status == EW_OK || list.n == 0);
            ew_list_free(&list);
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_FATAL(k < 100);
        }
    }
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"points", test_points},
                                  {"nearest", test_nearest},
                                  {"region", test_region},
                                  {"surface", test_surface},
                                  {"ids", test_ids},
                                  {"refusals", test_refusals},
                                  {"allocation_failures", test_allocation_failures},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"select", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
