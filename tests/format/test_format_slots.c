/* Slots and ids in mesh files: what is read from a block made by hand, and blocks that are refused
 * in one line. */
#include "chain_fixture.h"
#include "format_fixture.h"

static const char mesh_text[] =
    HEAD "Vertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
         "Triangles 1\n1 2 3 4\nTetrahedra 2\n1 2 3 4 7\n2 3 4 5 8\nEnd\n";
static const char block[] = "# edgewise slots 1\n"
                            "# vertices 5 7 9\n# 0 2 4 6 1\n# ids 2\n# 0 3 5 2\n"
                            "# unused 1\n# 3 8 0.5 0.25 2\n# holes 1\n# 5\n"
                            "# tets 2 4 6\n# 1 3\n# ids 1\n# 4 2\n# holes 2\n# 2 0\n"
                            "# regions 3\n# 9 8 7\n"
                            "# triangles 7 1\n# 0 0 2 6 11\n"
                            "# sides 1 1\n# 0 6 0.5 0 0.125\n# end\n";

static ew_status read_text(const char *text, ew_mesh *mesh)
{
    const ew_bytes file = {text, strlen(text)};
    return ew_format_read_mesh(ew_format_of_name(".mesh"), &(ew_mesh_input){.file = &file}, mesh,
                               NULL, NULL);
}

static void test_slots_are_read(void)
{
    char text[2000];
    ew_mesh mesh;
    snprintf(text, sizeof text, "%s%s", mesh_text, block);
    must(read_text(text, &mesh));
    must(ew_mesh_check(&mesh));
    CU_ASSERT(mesh.keeps_slots && mesh.n_vertex == 7 && mesh.n_tet == 4);
    CU_ASSERT(mesh.n_active_vertex == 5 && mesh.n_live_tet == 2 && mesh.n_region == 3);
    CU_ASSERT(mesh.next_vertex_id == 9 && mesh.next_tet_id == 6 && mesh.face_id_end == 7);
    CU_ASSERT(mesh.vertex_id[0] == 0 && mesh.vertex_id[4] == 2 && mesh.vertex_id[6] == 5);
    CU_ASSERT(mesh.vertex_id[1] == 6 && mesh.vertex_id[3] == 8 && mesh.valence[3] == 0);
    CU_ASSERT(mesh.xyz[3 * 3 + 1] == 0.25 && mesh.valence[5] == -1);
    CU_ASSERT(mesh.tet_id[1] == 4 && mesh.tet_id[3] == 5 && mesh.tet[4 * 3 + 3] == 1);
    CU_ASSERT(mesh.region[1] == 2 && mesh.region[3] == 1 && mesh.region_label[0] == 9);
    CU_ASSERT(mesh.vertex_hole.n == 1 && mesh.vertex_hole.id[0] == 5);
    CU_ASSERT(mesh.tet_hole.n == 2 && mesh.tet_hole.id[0] == 2 && mesh.tet_hole.id[1] == 0);
    CU_ASSERT(mesh.n_face == 2 && mesh.face_label[0] == 11 && mesh.face_label[1] == 4);
    CU_ASSERT(mesh.face[2] == 6 && mesh.face[5] == 4);
    const double *curve = ew_mesh_curve(&mesh, 6, 0);
    CU_ASSERT(mesh.has_middles && curve && curve[2] == 0.125);
    ew_mesh again;
    must(ew_mesh_copy(&again, &mesh));
    through_file(".mesh", &again, NULL, NULL);
    CU_ASSERT(same_slots(&mesh, &again) && same_triangles(&mesh, &again));
    ew_mesh_free(&again);
    ew_mesh_free(&mesh);
}

/* The block's first `from`, and all behind it where `to` is null. */
static void refuse_as(ew_status wanted, const char *from, const char *to, const char *part)
{
    char text[2000];
    ew_mesh mesh;
    const char *at = strstr(block, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(text, sizeof text, "%s%.*s%s%s", mesh_text, (int)(at - block), block, to ? to : "",
             to ? at + strlen(from) : "");
    memset(&mesh, 0x5a, sizeof mesh);
    const ew_mesh untouched = mesh;
    check_refusal(read_text(text, &mesh), wanted, "", part);
    CU_ASSERT(ew_last_failure()->line >= 13);
    CU_ASSERT(memcmp(&mesh, &untouched, sizeof mesh) == 0);
}

static void refuse(const char *from, const char *to, const char *part)
{
    refuse_as(EW_BAD_INPUT, from, to, part);
}

static void test_bad_slots_are_refused(void)
{
    static const struct {
        const char *from, *to, *part;
    } bad[] = {
        {"slots 1", "slots 2", "the version of slots is '2'"},
        {"slots 1", "slots", "the version of slots"},
        {"vertices 5", "vertices 4", "'1' where"},
        {"vertices 5 7 9", "vertices 6 7 9", "a slot is 'ids'"},
        {"vertices 5 7 9", "vertices 5 7 8", "below the next one, 8"},
        {"vertices 5 7", "vertices 5 8", "8 vertex slots"},
        {"vertices 5 7", "vertices 5 2000000000", "2000000000 vertex slots"},
        {"vertices 5 7", "vertices 5 99999999999", "the count of slots"},
        {"vertices 5", "vertices 1000000000", "hold at most"},
        {"0 2 4 6 1", "0 2 4 6 6", "vertex slot 6"},
        {"0 2 4 6 1", "0 2 4 6 7", "vertex slot 7"},
        {"0 2 4 6 1", "0 2 4 6 -1", "a slot is '-1'"},
        {"0 2 4 6 1", "0 2 4 6 nan", "a slot is 'nan'"},
        {"0 3 5 2", "0 3 2 2", "vertex id 2"},
        {"0 3 5 2", "0 3 5 3", "the length of a run is '3'"},
        {"0 3 5 2", "0 3 5 1", "ids of 4"},
        {"ids 2", "names 2", "'names' where the slots of the mesh have 'ids'"},
        {"3 8 0.5", "3 6 0.5", "two vertices have the id 6"},
        {"3 8 0.5", "3 9 0.5", "vertex id 9"},
        {"3 8 0.5", "2 8 0.5", "vertex slot 2"},
        {"0.25 2", "inf 2", "a coordinate is 'inf'"},
        {"0.25 2", "1e999 2", "a coordinate"},
        {"holes 1\n# 5", "holes 1\n# 4", "vertex slot 4"},
        {"tets 2 4 6", "tets 2 5 6", "5 tet slots"},
        {"tets 2 4 6", "tets 2 4 5", "tet id 5"},
        {"2 0\n", "2 2\n", "tet slot 2"},
        {"9 8 7", "9 8 8", "region 8 is listed twice"},
        {"9 8 7", "9 8 6", "region 7 of the tets is not listed"},
        {"0 0 2 6 11", "2 0 2 6 11", "triangle 2"},
        {"0 0 2 6 11", "0 0 2 7 11", "triangle 0"},
        {"triangles 7", "triangles 10", "below 10"},
        {"sides 1 1", "sides 0 1", "the curved side"},
        {"0 6 0.5", "6 0 0.5", "the curved side"},
        {"0 6 0.5", "0 9 0.5", "the curved side"},
        {"0 6 0.5", "0 6 nan", "a coordinate is 'nan'"},
    };
    for (size_t i = 0; i < LENGTH(bad); i++) {
        refuse(bad[i].from, bad[i].to, bad[i].part);
    }
    refuse_as(EW_MESH_VOLUME, "0 6 0.5 0", "0 1 0.3 0", "its curved sides fold it");
    for (const char *end = block + sizeof block - 6; end > block + 20; end--) {
        char from[2000];
        snprintf(from, sizeof from, "%s", end);
        refuse(from, NULL, "");
    }
}

/* Another program that changes the mesh and keeps the comment. */
static void test_changed_mesh_is_refused(void)
{
    char text[2000];
    ew_mesh mesh;
    const char *more = strstr(mesh_text, "Triangles");
    snprintf(text, sizeof text, "%s",
             HEAD "Vertices 6\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n2 2 2 0\n");
    strcat(strcat(text, more), block);
    check_refusal(read_text(text, &mesh), EW_BAD_INPUT, "", "it was changed since");
}

static ew_status write_and_read(const ew_format *format, const ew_mesh *mesh)
{
    ew_text text[EW_FORMAT_MAX_FILES] = {{0}};
    ew_bytes bytes[EW_FORMAT_MAX_FILES] = {{0}};
    ew_mesh again;
    EW_TRY(ew_format_write_mesh(format, mesh, NULL, true, text));
    for (int32_t i = 0; i < format->n_file; i++) {
        bytes[i] = (ew_bytes){text[i].data, text[i].size};
    }
    const ew_status status =
        ew_format_read_mesh(format, &(ew_mesh_input){.file = bytes}, &again, NULL, NULL);
    for (int32_t i = 0; i < format->n_file; i++) {
        ew_text_free(&text[i]);
    }
    if (!status) {
        ew_mesh_free(&again);
    }
    return status;
}

static void test_memory(void)
{
    char text[2000];
    ew_mesh mesh;
    snprintf(text, sizeof text, "%s%s", mesh_text, block);
    must(read_text(text, &mesh));
    static const char *const endings[] = {".mesh", ".node", ".msh", ".vtu"};
    for (size_t f = 0; f < LENGTH(endings); f++) {
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            ew_test_allocations_begin(k);
            const ew_status status = write_and_read(ew_format_of_name(endings[f]), &mesh);
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_FATAL(k < 1000);
        }
    }
    ew_mesh_free(&mesh);
}

/* Lists of vertices and tets are by ids, in the file by numbers. */
static void test_groups_keep_their_ids(void)
{
    char text[2000];
    ew_mesh mesh;
    ew_groups groups = {0}, read = {0};
    ew_group *group;
    snprintf(text, sizeof text, "%s%s", mesh_text, block);
    must(read_text(text, &mesh));
    must(ew_groups_add_list(&groups, EW_GROUP_VERTICES, "ends", &group));
    must(ew_group_push(group, 2));
    must(ew_group_push(group, 6));
    must(ew_groups_add_list(&groups, EW_GROUP_TETS, "upper", &group));
    must(ew_group_push(group, 5));
    must(ew_groups_name_label(&groups, EW_GROUP_FACES, 4, "floor"));
    through_file(".msh", &mesh, &groups, &read);
    const ew_group *ends = ew_groups_find(&read, EW_GROUP_VERTICES, "ends");
    const ew_group *upper = ew_groups_find(&read, EW_GROUP_TETS, "upper");
    CU_ASSERT(ends && ends->n_id == 2 && ends->id[0] == 2 && ends->id[1] == 6);
    CU_ASSERT(upper && upper->n_id == 1 && upper->id[0] == 5);
    CU_ASSERT_PTR_NOT_NULL(ew_groups_find(&read, EW_GROUP_FACES, "floor"));
    ew_groups_free(&groups);
    ew_groups_free(&read);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"slots_are_read", test_slots_are_read},
        {"bad_slots_are_refused", test_bad_slots_are_refused},
        {"changed_mesh_is_refused", test_changed_mesh_is_refused},
        {"memory", test_memory},
        {"groups_keep_their_ids", test_groups_keep_their_ids},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"slots in files", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
