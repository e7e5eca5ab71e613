/* Universal files: both kinds of datasets, groups and their names, tets of ten nodes, what is
 * passed over, what is refused. */
#include "format_fixture.h"

#define UNV ew_format_of_name(".unv")

#define NODES                                                                                      \
    "    -1\n  2411\n"                                                                             \
    "        30         1         1        11\n   0.0D+00   0.0D+00   0.0D+00\n"                   \
    "         7         1         1        11\n   1.0D+00   0.0D+00   0.0D+00\n"                   \
    "        10         1         1        11\n   0.0D+00   1.0D+00   0.0D+00\n"                   \
    "        40         1         1        11\n   0.0D+00   0.0D+00   1.0D+00\n"                   \
    "        50         1         1        11\n   1.0D+00   1.0D+00   1.0D+00\n    -1\n"
/* Two tets, two triangles, a beam, a point, a quadrilateral. */
#define ELEMENTS                                                                                   \
    "    -1\n  2412\n"                                                                             \
    " 3 111 5 1 7 4\n 30 7 10 40\n 8 111 6 1 7 4\n 7 10 40 50\n 11 91 9 1 7 3\n 30 7 10\n"         \
    " 12 41 9 1 7 3\n 7 10 50\n 13 21 2 1 7 2\n 0 1 1\n 30 40\n 14 161 2 1 7 1\n 50\n"             \
    " 15 94 2 1 7 4\n 30 7 50 10\n    -1\n"
#define OTHER "    -1\n   164\n 1 SI: Meter (newton) 2\n 1.0 1.0 1.0\n 2.7D2\n    -1\n"
#define GROUPS                                                                                     \
    "    -1\n  2467\n"                                                                             \
    " 1 0 0 0 0 0 0 2\nall of it\n 8 3 0 0 8 8 0 0\n"                                              \
    " 4 0 0 0 0 0 0 1\n tip \n 8 8 0 0\n"                                                          \
    " 2 0 0 0 0 0 0 4\nside\n 8 11 0 0 8 12 0 0\n 7 30 0 0 7 10 0 0\n"                             \
    " 9 0 0 0 0 0 0 2\nframe\n 8 13 0 0 8 14 0 0\n    -1\n"

static ew_status read_unv(const char *text, ew_mesh *mesh, ew_groups *groups)
{
    const ew_bytes file = {text, strlen(text)};
    return ew_format_read_mesh(UNV, &(ew_mesh_input){.file = &file}, mesh, NULL, groups);
}

static void test_properties(void)
{
    ew_mesh mesh;
    ew_groups groups = {0};
    must(read_unv(OTHER NODES ELEMENTS, &mesh, &groups));
    CU_ASSERT(mesh.n_tet == 2 && mesh.n_region == 2 && mesh.region_label[0] == 5 &&
              mesh.region_label[1] == 6);
    CU_ASSERT(mesh.n_face == 2 && mesh.face_label[0] == 9 && mesh.face_label[1] == 9);
    CU_ASSERT_EQUAL(groups.n, 0);
    CU_ASSERT_DOUBLE_EQUAL(ew_mesh_tet_volume(&mesh, 0), 1.0 / 6, 1e-15);
    ew_mesh_free(&mesh);
}

static void test_groups(void)
{
    ew_mesh mesh;
    ew_groups groups = {0};
    must(read_unv(GROUPS NODES ELEMENTS, &mesh, &groups)); /* in any order */
    /* The smaller of two groups is the region; the other, which overlaps it, a list. */
    const ew_group *tip = ew_groups_find(&groups, EW_GROUP_TETS, "tip");
    const ew_group *all = ew_groups_find(&groups, EW_GROUP_TETS, "all of it");
    CU_ASSERT(tip && tip->is_label && tip->label == 4);
    CU_ASSERT(all && !all->is_label && all->n_id == 2);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[1]], 4);
    const ew_group *side = ew_groups_find(&groups, EW_GROUP_FACES, "side");
    CU_ASSERT(side && side->label == 2 && mesh.n_face == 2 && mesh.face_label[1] == 2);
    const ew_group *nodes = ew_groups_find(&groups, EW_GROUP_VERTICES, "side");
    CU_ASSERT(nodes && nodes->n_id == 2 && nodes->id[0] == 0 && nodes->id[1] == 2);
    const ew_group *frame = ew_groups_find(&groups, EW_GROUP_VERTICES, "frame");
    CU_ASSERT(frame && frame->n_id == 3 && frame->id[2] == 4);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

/* The middles stand between the corners: 01 12 20, then those to the fourth. */
static void test_ten_nodes(void)
{
    static const char text[] =
        "    -1\n   781\n 1 0 0 1\n 0 0 0\n 2 0 0 1\n 1 0 0\n 3 0 0 1\n 0 1 0\n 4 0 0 1\n 0 0 1\n"
        " 5 0 0 1\n .5 0 0\n 6 0 0 1\n .6 .7 0\n 7 0 0 1\n 0 .5 0\n 8 0 0 1\n 0 0 .5\n"
        " 9 0 0 1\n .5 0 .5\n 10 0 0 1\n 0 .5 .5\n    -1\n    -1\n   780\n"
        " 1 118 1 3 1 1 7 10\n 1 5 2 6 3 7 8 9\n 10 4\n 2 92 1 4 1 1 7 6\n 1 7 3 6 2 5\n    -1\n";
    ew_mesh mesh;
    must(read_unv(text, &mesh, NULL));
    CU_ASSERT(mesh.has_middles && mesh.n_curve == 1 && mesh.curve_end[0] == 1 &&
              mesh.curve_end[1] == 2);
    CU_ASSERT_DOUBLE_EQUAL(mesh.curve[1], 0.2, 1e-15);
    CU_ASSERT(mesh.n_face == 1 && mesh.face_label[0] == 4 && mesh.region_label[0] == 3);
    ew_mesh_free(&mesh);
}

static void test_refusals(void)
{
    static const struct {
        const char *text, *begin, *rest;
    } bad[] = {
        {"", "line 1: ", "no tets"},
        {"nonsense\n", "line 1: ", "a dataset should begin here"},
        {NODES, "line 14: ", "no tets"},
        {ELEMENTS, "line 4: ", "names node 30"},
        {NODES "    -1\n  2412\n 3 115 5 1 7 8\n 1 2 3 4 5 6 7 8\n    -1\n", "line 16: ", "tets"},
        {NODES "    -1\n  2412\n 3 111 5 1 7 5\n 1 2 3 4 5\n    -1\n", "line 16: ", "has 5 nodes"},
        {NODES "    -1\n  2412\n 3 111 5 1 7 4\n 30 7 10 41\n    -1\n", "line 17: ", "node 41"},
        {NODES "    -1\n  2412\n 3 111 5 1 7 4\n 30 7 x 41\n    -1\n", "line 17: ", "'x'"},
        {NODES "    -1\n  2412\n 3 111 5 1 7 4\n 30 7 10\n", "line 18: ", "file ends"},
        {NODES "    -1\n  2412\n 3 111 5 1 7 4\n 30 7 10 30\n    -1\n", "line 17: ", "counted"},
        {NODES NODES ELEMENTS, "line ", "two nodes have the number 7"},
        {"    -1\n  2411\n 1 0 0 0\n 0 zero 0\n    -1\n", "line 4: ", "'zero'"},
        {"    -1\n  2467\n 0 0 0 0 0 0 0 2\nname\n", "line 3: ", "number of a group"},
        {"    -1\n  2467\n 1 0 0 0 0 0 0 99\nname\n 8 1 0 0\n    -1\n", "line 6: ", "'-1'"},
        {GROUPS GROUPS NODES ELEMENTS, "line ", "two names"},
    };
    for (size_t i = 0; i < LENGTH(bad); i++) {
        ew_mesh mesh;
        ew_groups groups = {0};
        const ew_status status = read_unv(bad[i].text, &mesh, &groups);
        CU_ASSERT_NOT_EQUAL(status, EW_OK);
        check_refusal(status, status, bad[i].begin, bad[i].rest);
    }
}

static void test_allocations(void)
{
    bool refused = true;
    for (int64_t k = 0; refused; k++) {
        ew_mesh mesh;
        ew_groups groups = {0};
        ew_test_allocations_begin(k);
        const ew_status status = read_unv(GROUPS NODES ELEMENTS, &mesh, &groups);
        if (!status) {
            ew_mesh_free(&mesh);
            ew_groups_free(&groups);
        }
        const int64_t unreleased = ew_test_unreleased();
        refused = ew_test_allocations_end();
        CU_ASSERT(status == (refused ? EW_NO_MEMORY : EW_OK));
        CU_ASSERT_EQUAL(unreleased, 0);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"properties", test_properties},   {"groups", test_groups},
                           {"ten_nodes", test_ten_nodes},     {"refusals", test_refusals},
                           {"allocations", test_allocations}, CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"universal files", NULL, NULL, NULL, NULL, tests},
                             CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
