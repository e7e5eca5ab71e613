/* Construction, copying, compaction, measures and the checker of a mesh: every rule is broken
 * alone and must be named. */
#include "mesh/mesh.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two tets across the face (1 2 3) and an unused vertex 5; triangles on two faces. */
static const double two_xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 7, 7, 7};
static const int32_t two_tet[] = {0, 1, 2, 3, 1, 2, 3, 4};
static const int32_t two_region[] = {9, -4};
static const int32_t two_face[] = {0, 2, 1, 2, 3, 4};
static const int32_t two_label[] = {11, 12};
static const ew_mesh_def two_def = {6, two_xyz, 2, two_tet, two_region, 2, two_face, two_label};

static void make_two(ew_mesh *mesh)
{
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &two_def, NULL), EW_OK);
}

static bool is_zeroed(const ew_mesh *mesh)
{
    static const ew_mesh zero;
    return memcmp(mesh, &zero, sizeof zero) == 0;
}

/* ---- construction ------------------------------------------------------ */

static void test_init_fills_every_array(void)
{
    ew_mesh mesh;
    ew_mesh_mend mend;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &two_def, &mend), EW_OK);
    CU_ASSERT_EQUAL(mend.n_reoriented, 0);
    CU_ASSERT_EQUAL(mend.n_unused, 1);
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
    ew_mesh_mend mend;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, &mend), EW_OK);
    CU_ASSERT_EQUAL(mend.n_reoriented, 1);
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
    ew_mesh_mend mend = {-1, -1};
    memset(&mesh, 0x5a, sizeof mesh);
    CU_ASSERT_EQUAL(ew_mesh_init(&mesh, &def, &mend), expected);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), word));
    CU_ASSERT(is_zeroed(&mesh));
    CU_ASSERT_EQUAL(mend.n_unused, -1);
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

/* Tet 0, and vertices 0 and 5, taken out of the two tets; vertex 6 in slot 0. */
static void make_holes(ew_mesh *mesh)
{
    ew_edit edit = {0};
    ew_change change = {0};
    double at[3] = {3, 4, 5};
    make_two(mesh);
    ew_edit_remove_tet(&edit, 0);
    ew_edit_remove_vertex(&edit, 5);
    ew_edit_remove_vertex(&edit, 0);
    ew_edit_add_vertex(&edit, at, NULL);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(mesh, &edit, NULL, &change), EW_OK);
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
        CU_ASSERT_EQUAL(ew_test_held(), 0);
        refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(checked, refused ? EW_NO_MEMORY : EW_OK);
        CU_ASSERT(compact_kept);
    }
    CU_ASSERT(k > 40);
}

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
    CU_ASSERT_DOUBLE_EQUAL(m.least_volume, 1.0 / 6.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.shortest_edge, 1.0, 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.longest_edge, sqrt(2.0), 1e-14);
    CU_ASSERT_DOUBLE_EQUAL(m.least_quality, ew_mesh_tet_quality(&mesh, 0), 1e-14);
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
    CU_TestInfo construction[] = {
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
    CU_TestInfo measures[] = {
        {"test_local_numbering_is_consistent", test_local_numbering_is_consistent},
        {"test_quality_of_known_tets", test_quality_of_known_tets},
        {"test_measure_of_two_tets", test_measure_of_two_tets},
        {"test_measure_keeps_the_five_worst", test_measure_keeps_the_five_worst},
        CU_TEST_INFO_NULL,
    };
    CU_TestInfo checker[] = {
        {"test_check_names_broken_pools", test_check_names_broken_pools},
        {"test_check_names_broken_geometry", test_check_names_broken_geometry},
        {"test_check_names_broken_tets", test_check_names_broken_tets},
        {"test_check_names_broken_sharing", test_check_names_broken_sharing},
        {"test_check_names_broken_counts_and_ids", test_check_names_broken_counts_and_ids},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {
        {"construction", NULL, NULL, NULL, NULL, construction},
        {"measures", NULL, NULL, NULL, NULL, measures},
        {"checker", NULL, NULL, NULL, NULL, checker},
        CU_SUITE_INFO_NULL,
    };
    return ew_test_main(argc, argv, suites);
}
