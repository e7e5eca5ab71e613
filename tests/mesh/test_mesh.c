/* Construction, copying and compaction of a mesh, and what construction refuses. */
#include "mesh_fixture.h"

/* ---- construction ------------------------------------------------------ */

static void test_init_fills_every_array(void)
{
    ew_mesh mesh;
    ew_mesh_repair repair;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &two_def, &repair), EW_OK);
    CU_ASSERT_EQUAL(repair.n_reoriented, 0);
    CU_ASSERT_EQUAL(repair.n_unused, 1);
    CU_ASSERT_EQUAL(mesh.n_vertex, 6);
    CU_ASSERT_EQUAL(mesh.n_active_vertex, 5);
    CU_ASSERT_EQUAL(mesh.n_live_tet, 2);
    CU_ASSERT_EQUAL(mesh.valence[0], 1);
    CU_ASSERT_EQUAL(mesh.valence[1], 2);
    CU_ASSERT_EQUAL(mesh.valence[5], 0);
    CU_ASSERT_EQUAL(mesh.vertex_id[5], 5);
    CU_ASSERT_EQUAL(mesh.tet_id[1], 1);
    CU_ASSERT_EQUAL(mesh.n_region, 2);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[0]], 9);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[1]], -4);
    CU_ASSERT_EQUAL(mesh.face[5], 4);
    CU_ASSERT_EQUAL(mesh.face_label[1], 12);
    CU_ASSERT_EQUAL(mesh.next_vertex_id, 6);
    CU_ASSERT_EQUAL(mesh.next_tet_id, 2);
    CU_ASSERT_EQUAL(mesh.revision, 1);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
    CU_ASSERT(is_zeroed(&mesh));
    ew_mesh_free(&mesh);
}

static void test_init_turns_left_handed_tets(void)
{
    int32_t tet[] = {0, 2, 1, 3, 1, 2, 3, 4};
    ew_mesh_def def = {6, two_xyz, 2, tet, NULL, 0, NULL, NULL};
    ew_mesh mesh;
    ew_mesh_repair repair;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, &repair), EW_OK);
    CU_ASSERT_EQUAL(repair.n_reoriented, 1);
    CU_ASSERT_EQUAL(mesh.tet[2], 3);
    CU_ASSERT_EQUAL(mesh.tet[3], 1);
    CU_ASSERT_DOUBLE_EQUAL(ew_mesh_tet_volume(&mesh, 0), 1.0 / 6.0, 1e-15);
    CU_ASSERT_EQUAL(mesh.n_region, 1);
    CU_ASSERT_EQUAL(mesh.region_label[0], 0);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
}

static void test_init_accepts_an_empty_mesh(void)
{
    ew_mesh mesh, copy;
    ew_mesh_def def = {0};
    ew_mesh_measure measure;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&copy, &mesh), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_compact(&copy, NULL, true, NULL, NULL), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_check(&copy), EW_OK);
    ew_mesh_take_measure(&mesh, &measure);
    CU_ASSERT_EQUAL(measure.volume, 0.0);
    CU_ASSERT_EQUAL(measure.worst[0], -1);
    ew_mesh_free(&copy);
    ew_mesh_free(&mesh);
}

/* One value of the good definition is replaced; init must say why and leave zeros. */
static void refuse(ew_mesh_def def, ew_status expected, const char *word)
{
    ew_mesh mesh;
    ew_mesh_repair repair = {-1, -1};
    memset(&mesh, 0x5a, sizeof mesh);
    CU_ASSERT_EQUAL(ew_mesh_init(&mesh, &def, &repair), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
    CU_ASSERT(is_zeroed(&mesh));
    CU_ASSERT_EQUAL(repair.n_unused, -1);
}

static void refuse_tet(int place, int32_t vertex, ew_status expected, const char *word)
{
    int32_t tet[8];
    ew_mesh_def def = two_def;
    memcpy(tet, two_tet, sizeof tet);
    tet[place] = vertex;
    def.tet = tet;
    refuse(def, expected, word);
}

static void refuse_coordinate(int place, double value, ew_status expected, const char *word)
{
    double xyz[18];
    ew_mesh_def def = two_def;
    memcpy(xyz, two_xyz, sizeof xyz);
    xyz[place] = value;
    def.xyz = xyz;
    refuse(def, expected, word);
}

static void test_init_refuses_what_breaks_a_rule(void)
{
    static const int32_t twice[] = {0, 1, 2, 3, 2, 0, 1, 3};
    static const int32_t bad_face[] = {0, 2, 1, 2, 3, 6};
    refuse_tet(5, 6, EW_MESH_RANGE, "tet 1: vertex 6");
    refuse_tet(0, -1, EW_MESH_RANGE, "tet 0: vertex -1");
    refuse_tet(5, 3, EW_MESH_REPEATED, "tet 1: vertex 3");
    refuse_coordinate(4, NAN, EW_MESH_COORDINATE, "vertex 1");
    refuse_coordinate(17, -INFINITY, EW_MESH_COORDINATE, "vertex 5");
    refuse_coordinate(11, 0.0, EW_MESH_VOLUME, "tet 0");
    refuse_coordinate(11, 1e-13, EW_MESH_VOLUME, "tet 0");
    refuse_coordinate(11, 1e200, EW_MESH_VOLUME, "tet 0");
    ew_mesh_def def = two_def;
    def.tet = twice;
    refuse(def, EW_MESH_DUPLICATE, "tets 0 and 1");
    def = two_def;
    def.face = bad_face;
    refuse(def, EW_MESH_RANGE, "triangle 1: vertex 6");
    def = two_def;
    def.n_tet = -1;
    refuse(def, EW_BAD_ARGUMENT, "-1 tets");
    def = two_def;
    def.xyz = NULL;
    refuse(def, EW_BAD_ARGUMENT, "null");
    def = two_def;
    def.n_tet = INT32_MAX;
    refuse(def, EW_LIMIT, "2147483647 tets");
}

static void test_init_accepts_thin_tets_above_the_threshold(void)
{
    double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1e-11};
    for (double scale = 1e-60; scale < 1e70; scale *= 1e60) {
        double scaled[12];
        int32_t tet[] = {0, 1, 2, 3};
        ew_mesh mesh;
        for (int i = 0; i < 12; i++) {
            scaled[i] = scale * xyz[i];
        }
        ew_mesh_def def = {4, scaled, 1, tet, NULL, 0, NULL, NULL};
        CU_ASSERT_EQUAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
        CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
        ew_mesh_free(&mesh);
    }
}

/* Many tets at one vertex: buckets longer than insertion sort takes. */
static void test_init_finds_a_duplicate_in_a_large_star(void)
{
    enum { N = 200 };
    double xyz[3 * (N + 2)] = {0, 0, -1, 0, 0, 1};
    int32_t tet[4 * (N + 1)];
    for (int i = 0; i < N; i++) {
        double angle = 2.0 * 3.14159265358979 * i / N;
        xyz[3 * (i + 2)] = cos(angle);
        xyz[3 * (i + 2) + 1] = sin(angle);
        memcpy(tet + 4 * i, (int32_t[4]){0, 1, i + 2, (i + 1) % N + 2}, 4 * sizeof *tet);
    }
    memcpy(tet + 4 * N, (int32_t[4]){79, 1, 78, 0}, 4 * sizeof *tet);
    ew_mesh mesh;
    ew_mesh_def def = {N + 2, xyz, N, tet, NULL, 0, NULL, NULL};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    ew_mesh_free(&mesh);
    def.n_tet = N + 1;
    refuse(def, EW_MESH_DUPLICATE, "tets 76 and 200");
}

/* ---- copy and compact -------------------------------------------------- */

static bool same_list(const ew_list *a, const ew_list *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->id, b->id, (size_t)a->n * sizeof *a->id) == 0);
}

static void test_copy_has_all_and_shares_nothing(void)
{
    ew_mesh mesh, copy;
    ew_edit edit = {0};
    ew_change change = {0};
    make_two(&mesh);
    ew_edit_remove_tet(&edit, 1);
    ew_edit_remove_vertex(&edit, 5);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&mesh, &edit, NULL, &change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&copy, &mesh), EW_OK);
    CU_ASSERT_EQUAL(copy.revision, 2);
    CU_ASSERT_EQUAL(copy.n_live_tet, 1);
    CU_ASSERT(same_list(&copy.tet_hole, &mesh.tet_hole));
    CU_ASSERT(same_list(&copy.vertex_hole, &mesh.vertex_hole));
    CU_ASSERT_EQUAL(memcmp(copy.xyz, mesh.xyz, 18 * sizeof(double)), 0);
    CU_ASSERT_EQUAL(memcmp(copy.tet, mesh.tet, 8 * sizeof(int32_t)), 0);
    mesh.xyz[0] = 5.0;
    CU_ASSERT_EQUAL(copy.xyz[0], 0.0);
    ew_mesh_free(&mesh);
    CU_ASSERT_EQUAL(ew_mesh_check(&copy), EW_OK);
    ew_mesh_free(&copy);
    ew_edit_free(&edit);
    ew_change_free(&change);
}

static void test_compact_closes_holes(void)
{
    ew_mesh mesh;
    int32_t vertex_map[6], tet_map[2];
    make_holes(&mesh);
    CU_ASSERT_EQUAL(mesh.vertex_id[0], 6);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&mesh, NULL, false, vertex_map, tet_map), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    CU_ASSERT_EQUAL(mesh.n_vertex, 5);
    CU_ASSERT_EQUAL(mesh.n_tet, 1);
    CU_ASSERT_EQUAL(mesh.vertex_hole.n, 0);
    CU_ASSERT_EQUAL(mesh.revision, 3);
    CU_ASSERT_EQUAL(memcmp(vertex_map, (int32_t[]){0, 1, 2, 3, 4, -1}, sizeof vertex_map), 0);
    CU_ASSERT_EQUAL(memcmp(tet_map, (int32_t[]){-1, 0}, sizeof tet_map), 0);
    CU_ASSERT_EQUAL(mesh.tet_id[0], 1);
    CU_ASSERT_EQUAL(mesh.vertex_id[0], 6);
    CU_ASSERT_EQUAL(mesh.next_vertex_id, 7);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[0]], -4);
    /* The triangle at vertex 0 lost it, though the slot was taken again. */
    CU_ASSERT_EQUAL(mesh.n_face, 1);
    CU_ASSERT_EQUAL(mesh.face_label[0], 12);
    ew_mesh_free(&mesh);
}

static void test_compact_follows_an_order_and_sorts_tets(void)
{
    ew_mesh mesh;
    int32_t order[6] = {5, 4, 3, 2, 0, 1}, tet_map[2];
    make_two(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&mesh, order, true, NULL, tet_map), EW_OK);
    CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
    CU_ASSERT_EQUAL(memcmp(tet_map, (int32_t[]){1, 0}, sizeof tet_map), 0);
    CU_ASSERT_EQUAL(memcmp(mesh.tet, (int32_t[]){4, 3, 2, 0, 5, 4, 3, 2}, 8 * sizeof *mesh.tet), 0);
    for (int32_t v = 0; v < 6; v++) {
        CU_ASSERT_EQUAL(mesh.vertex_id[order[v]], v);
        CU_ASSERT_EQUAL(memcmp(mesh.xyz + 3 * order[v], two_xyz + 3 * v, 3 * sizeof(double)), 0);
    }
    CU_ASSERT_EQUAL(memcmp(mesh.face, (int32_t[]){5, 3, 4, 3, 2, 0}, 6 * sizeof *mesh.face), 0);
    CU_ASSERT_EQUAL(mesh.tet_id[0], 1);
    ew_mesh_free(&mesh);
}

static void test_compact_refuses_what_is_no_permutation(void)
{
    static const int32_t bad[][6] = {{0, 1, 2, 3, 4, 4},  {0, 1, 2, 3, 4, -1},  {0, 0, 2, 3, 4, -1},
                                     {1, 2, 3, 4, 5, -1}, {0, 1, 2, -1, 4, -1}, {0, 1, 2, 3, 4, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ew_mesh mesh;
        make_holes(&mesh);
        ew_status status = ew_mesh_compact(&mesh, bad[i], true, NULL, NULL);
        CU_ASSERT_EQUAL(status, i == 1 ? EW_OK : EW_BAD_ARGUMENT);
        CU_ASSERT_EQUAL(mesh.revision, i == 1 ? 3 : 2);
        CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
        ew_mesh_free(&mesh);
    }
}

/* ---- memory ------------------------------------------------------------ */

static void test_construction_survives_lack_of_memory(void)
{
    bool refused = true;
    int64_t k = 0;
    for (; refused; k++) {
        ew_mesh mesh, copy;
        ew_test_allocations_begin(k);
        ew_status made = ew_mesh_init(&mesh, &two_def, NULL);
        ew_status copied = made ? made : ew_mesh_copy(&copy, &mesh);
        ew_status packed = copied ? copied : ew_mesh_compact(&copy, NULL, true, NULL, NULL);
        ew_status checked = packed ? packed : ew_mesh_check(&copy);
        bool compact_kept = made || copied || !packed || copy.revision == 1;
        if (!copied) {
            ew_mesh_free(&copy);
        }
        if (!made) {
            ew_mesh_free(&mesh);
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(checked, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT(compact_kept);
    }
    CU_ASSERT(k > 40);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"test_init_fills_every_array", test_init_fills_every_array},
        {"test_init_turns_left_handed_tets", test_init_turns_left_handed_tets},
        {"test_init_accepts_an_empty_mesh", test_init_accepts_an_empty_mesh},
        {"test_init_refuses_what_breaks_a_rule", test_init_refuses_what_breaks_a_rule},
        {"test_init_accepts_thin_tets_above_the_threshold",
         test_init_accepts_thin_tets_above_the_threshold},
        {"test_init_finds_a_duplicate_in_a_large_star",
         test_init_finds_a_duplicate_in_a_large_star},
        {"test_copy_has_all_and_shares_nothing", test_copy_has_all_and_shares_nothing},
        {"test_compact_closes_holes", test_compact_closes_holes},
        {"test_compact_follows_an_order_and_sorts_tets",
         test_compact_follows_an_order_and_sorts_tets},
        {"test_compact_refuses_what_is_no_permutation",
         test_compact_refuses_what_is_no_permutation},
        {"test_construction_survives_lack_of_memory", test_construction_survives_lack_of_memory},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"mesh", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
