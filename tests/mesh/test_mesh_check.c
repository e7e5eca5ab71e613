/* Measures of a mesh, and its checker: every rule is broken alone and must be named. */
#include "mesh_fixture.h"

/* ---- measures ---------------------------------------------------------- */

static void test_local_numbering_is_consistent(void)
{
    ew_mesh mesh;
    make_two(&mesh);
    for (int f = 0; f < 4; f++) {
        const int8_t *v = ew_face_vertex[f];
        CU_ASSERT_EQUAL(v[0] + v[1] + v[2], 6 - f);
        /* Seen from the opposite vertex the face turns the other way: it looks out. */
        const double *x = mesh.xyz;
        CU_ASSERT(ew_tet_volume(x + 3 * v[0], x + 3 * v[1], x + 3 * v[2], x + 3 * f) < 0.0);
    }
    for (int k = 0; k < 6; k++) {
        CU_ASSERT(ew_edge_vertex[k][0] < ew_edge_vertex[k][1]);
        CU_ASSERT(k == 0 || ew_edge_vertex[k - 1][0] < ew_edge_vertex[k][0] ||
                  ew_edge_vertex[k - 1][1] < ew_edge_vertex[k][1]);
    }
    ew_mesh_free(&mesh);
}

static void test_quality_of_known_tets(void)
{
    double xyz[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    int32_t tet[] = {0, 1, 2, 3};
    ew_mesh_def def = {4, xyz, 1, tet, NULL, 0, NULL, NULL};
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    CU_ASSERT_DOUBLE_EQUAL(ew_mesh_tet_volume(&mesh, 0), 8.0 / 3.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(ew_mesh_tet_quality(&mesh, 0), 1.0, 1e-14);
    ew_mesh_free(&mesh);
    make_two(&mesh);
    /* The corner tet: V = 1/6, squared edges 1 1 1 2 2 2. */
    CU_ASSERT_DOUBLE_EQUAL(ew_mesh_tet_quality(&mesh, 0), 12.0 * cbrt(0.25) / 9.0, 1e-14);
    mesh.xyz[11] = 0.0;
    CU_ASSERT_EQUAL(ew_mesh_tet_quality(&mesh, 0), 0.0);
    mesh.xyz[11] = -1.0;
    CU_ASSERT_EQUAL(ew_mesh_tet_quality(&mesh, 0), 0.0);
    ew_mesh_free(&mesh);
}

static void test_measure_of_two_tets(void)
{
    ew_mesh mesh;
    ew_mesh_measure m;
    make_two(&mesh);
    ew_mesh_take_measure(&mesh, &m);
    for (int i = 0; i < 3; i++) { /* without the unused vertex */
        CU_ASSERT_EQUAL(m.low[i], 0.0);
        CU_ASSERT_EQUAL(m.high[i], 1.0);
    }
    CU_ASSERT_DOUBLE_EQUAL(m.volume, 1.0 / 6.0 + 1.0 / 3.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.min_volume, 1.0 / 6.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.shortest_edge, 1.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.longest_edge, sqrt(2.0), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.min_quality, ew_mesh_tet_quality(&mesh, 0), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.mean_quality,
                           0.5 * (ew_mesh_tet_quality(&mesh, 0) + ew_mesh_tet_quality(&mesh, 1)),
                           1e-14);
    CU_ASSERT_EQUAL(m.histogram[8], 1);
    CU_ASSERT_EQUAL(m.histogram[9], 1);
    CU_ASSERT_EQUAL(memcmp(m.worst, (int32_t[5]){0, 1, -1, -1, -1}, sizeof m.worst), 0);
    ew_mesh_free(&mesh);
}

static void test_measure_keeps_the_five_worst(void)
{
    double xyz[3 * 28];
    int32_t tet[28];
    static const double height[7] = {0.5, 0.1, 0.7, 0.1, 0.9, 0.3, 0.2};
    for (int i = 0; i < 7; i++) {
        double one[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, height[i]};
        memcpy(xyz + 12 * i, one, sizeof one);
        for (int k = 0; k < 4; k++) {
            tet[4 * i + k] = 4 * i + k;
        }
    }
    ew_mesh_def def = {28, xyz, 7, tet, NULL, 0, NULL, NULL};
    ew_mesh mesh;
    ew_mesh_measure m;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    ew_mesh_take_measure(&mesh, &m);
    CU_ASSERT_EQUAL(memcmp(m.worst, (int32_t[5]){1, 3, 6, 5, 0}, sizeof m.worst), 0);
    ew_mesh_free(&mesh);
}

/* ---- the checker: each rule broken alone ------------------------------- */

static void expect_broken(ew_mesh *mesh, ew_status expected, const char *word)
{
    CU_ASSERT_EQUAL(ew_mesh_check(mesh), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
}

static void test_check_names_broken_pools(void)
{
    ew_mesh mesh;
    make_holes(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(&mesh), EW_OK);
    mesh.n_live_tet++;
    expect_broken(&mesh, EW_MESH_POOL, "2 live tets");
    mesh.n_live_tet--;
    mesh.n_vertex = mesh.vertex_capacity + 1;
    expect_broken(&mesh, EW_MESH_POOL, "vertex slots of");
    mesh.n_vertex = 6;
    mesh.tet_hole.id[0] = 1;
    expect_broken(&mesh, EW_MESH_POOL, "slot 1");
    mesh.tet_hole.id[0] = 2;
    expect_broken(&mesh, EW_MESH_POOL, "slot 2");
    mesh.tet_hole.id[0] = 0;
    mesh.vertex_hole.n = 0;
    expect_broken(&mesh, EW_MESH_POOL, "1 vertex slots are holes, 0");
    CU_ASSERT_EQUAL(ew_list_push(&mesh.vertex_hole, 5), EW_OK);
    CU_ASSERT_EQUAL(ew_list_push(&mesh.vertex_hole, 5), EW_OK);
    expect_broken(&mesh, EW_MESH_POOL, "slot 5");
    mesh.vertex_hole.n = 1;
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    mesh.tet[4] = -1;
    expect_broken(&mesh, EW_MESH_POOL, "2 tet slots are holes, 1");
    mesh.tet[4] = 1;
    mesh.region_capacity = 1;
    expect_broken(&mesh, EW_MESH_POOL, "regions");
    ew_mesh_free(&mesh);
}

static void test_check_names_broken_geometry(void)
{
    ew_mesh mesh;
    make_two(&mesh);
    mesh.xyz[15] = NAN;
    expect_broken(&mesh, EW_MESH_COORDINATE, "vertex 5");
    mesh.xyz[15] = 7.0;
    mesh.xyz[14] = -1.0;
    expect_broken(&mesh, EW_MESH_VOLUME, "tet 1");
    mesh.xyz[14] = -1.0 / 3.0;
    mesh.xyz[13] = mesh.xyz[12] = 1.0;
    mesh.xyz[14] = -1.0 + 1e-13;
    expect_broken(&mesh, EW_MESH_VOLUME, "tet 1");
    mesh.xyz[14] = 1.0;
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
}

static void test_check_names_broken_tets(void)
{
    ew_mesh mesh;
    make_two(&mesh);
    mesh.tet_id[1] = 77; /* named by the user's id, with the slot */
    mesh.next_tet_id = 78;
    mesh.tet[7] = 6;
    expect_broken(&mesh, EW_MESH_RANGE, "tet 77 (slot 1)");
    mesh.tet[7] = -1;
    expect_broken(&mesh, EW_MESH_RANGE, "tet 77 (slot 1)");
    mesh.tet[7] = 3;
    expect_broken(&mesh, EW_MESH_REPEATED, "vertex 3");
    mesh.tet[7] = 4;
    mesh.face[2] = 6;
    expect_broken(&mesh, EW_MESH_RANGE, "triangle 0");
    mesh.face[2] = 1;
    mesh.region[0] = 2;
    expect_broken(&mesh, EW_MESH_REGION, "tet 0");
    mesh.region[0] = 1;
    mesh.region_label[0] = mesh.region_label[1];
    expect_broken(&mesh, EW_MESH_REGION, "label");
    mesh.region_label[0] = -4;
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
    make_holes(&mesh);
    mesh.tet[7] = 5; /* a hole */
    expect_broken(&mesh, EW_MESH_RANGE, "slot 5");
    ew_mesh_free(&mesh);
}

static void test_check_names_broken_sharing(void)
{
    /* Three tets above the same face, of heights 1, 2 and 3. */
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3};
    static const int32_t tet[] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5};
    ew_mesh_def def = {6, xyz, 3, tet, NULL, 0, NULL, NULL};
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    expect_broken(&mesh, EW_MESH_FACE, "tet 0, tet 1 and tet 2");
    mesh.tet[11] = 4;
    mesh.valence[4]++;
    mesh.valence[5]--;
    expect_broken(&mesh, EW_MESH_DUPLICATE, "tet 1 and tet 2");
    ew_mesh_free(&mesh);
    /* Two of them, the second listed from another corner. */
    static const int32_t overlap[] = {0, 1, 2, 3, 4, 1, 0, 2};
    def = (ew_mesh_def){6, xyz, 2, overlap, NULL, 0, NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    expect_broken(&mesh, EW_MESH_FACE, "tet 0 and tet 1 share a face and lie on the same side");
    ew_mesh_free(&mesh);
}

static void test_check_names_broken_counts_and_ids(void)
{
    ew_mesh mesh;
    make_two(&mesh);
    mesh.valence[2]++;
    expect_broken(&mesh, EW_MESH_VALENCE, "vertex 2");
    mesh.valence[2]--;
    mesh.n_active_vertex++;
    expect_broken(&mesh, EW_MESH_VALENCE, "6 active");
    mesh.n_active_vertex--;
    mesh.vertex_id[3] = 1;
    expect_broken(&mesh, EW_MESH_IDS, "vertex slots 1 and 3");
    mesh.vertex_id[3] = 6;
    expect_broken(&mesh, EW_MESH_IDS, "vertex slot 3");
    mesh.vertex_id[3] = -1;
    expect_broken(&mesh, EW_MESH_IDS, "vertex slot 3");
    mesh.vertex_id[3] = 3;
    mesh.tet_id[0] = 1;
    expect_broken(&mesh, EW_MESH_IDS, "tet slots 0 and 1");
    mesh.tet_id[0] = 2;
    expect_broken(&mesh, EW_MESH_IDS, "tet slot 0");
    mesh.tet_id[0] = 0;
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_local_numbering_is_consistent", test_local_numbering_is_consistent},
        {"test_quality_of_known_tets", test_quality_of_known_tets},
        {"test_measure_of_two_tets", test_measure_of_two_tets},
        {"test_measure_keeps_the_five_worst", test_measure_keeps_the_five_worst},
        {"test_check_names_broken_pools", test_check_names_broken_pools},
        {"test_check_names_broken_geometry", test_check_names_broken_geometry},
        {"test_check_names_broken_tets", test_check_names_broken_tets},
        {"test_check_names_broken_sharing", test_check_names_broken_sharing},
        {"test_check_names_broken_counts_and_ids", test_check_names_broken_counts_and_ids},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"mesh: measures and checker", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
