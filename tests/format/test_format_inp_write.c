/* Meshes of Abaqus and CalculiX written and read again: regions, sets and surfaces by name and
 * without, names that decks would take for one, faces between two tets, tets of ten nodes, numbers
 * that CalculiX reads whole. */
#include "format_fixture.h"

static void write_inp(const ew_mesh *mesh, const ew_groups *groups, ew_text *text)
{
    char *whole = NULL;
    must(ew_format_write_mesh(ew_format_of_name(".inp"), mesh, groups, true, text));
    must(ew_new(&whole, text->size + 1, 1));
    memcpy(whole, text->data, text->size);
    whole[text->size] = 0;
    ew_release(text->data);
    text->data = whole;
}

static ew_status read_inp(const ew_text *text, ew_mesh *mesh, ew_groups *groups)
{
    const ew_bytes file = {text->data, text->size};
    return ew_format_read_mesh(ew_format_of_name(".inp"), &(ew_mesh_input){.file = &file}, mesh,
                               NULL, groups);
}

static void has(const ew_text *text, const char *part)
{
    if (!has_part(text, part)) {
        printf("\n'%s' is not in\n%.2000s\n", part, text->data);
        CU_FAIL("a line is missing");
    }
}

static void add_list(ew_groups *groups, ew_group_kind kind, const char *name, int32_t n,
                     const int64_t *id)
{
    ew_group *group;
    must(ew_groups_add_list(groups, kind, name, &group));
    for (int32_t i = 0; i < n; i++) {
        must(ew_group_push(group, id[i]));
    }
}

/* Three tets around the edge 0 3 in the regions 4, 4 and 9; the face between the first two is
 * labeled from either side, and one face has two labels. */
static void make_tets(ew_mesh *mesh)
{
    static const double xyz[] = {0, 0, 0, 1, 0, 0, 0.25, 1, 0, 0, 0, 1, -1, 0.5, 0, 0.5, -1, 0};
    static const int32_t tet[] = {0, 1, 2, 3, 0, 2, 4, 3, 0, 4, 5, 3}, region[] = {4, 4, 9};
    static const int32_t face[] = {0, 2, 3, 3, 2, 0, 0, 2, 1, 0, 2, 1};
    static const int32_t label[] = {5, 8, 5, 2};
    const ew_mesh_def def = {.n_vertex = 6,
                             .xyz = xyz,
                             .n_tet = 3,
                             .tet = tet,
                             .region = region,
                             .n_face = 4,
                             .face = face,
                             .face_label = label};
    must(ew_mesh_init(mesh, &def, NULL));
}

static const ew_group *need(const ew_groups *groups, ew_group_kind kind, const char *name)
{
    const ew_group *group = ew_groups_find(groups, kind, name);
    if (!group) {
        printf("\nno '%s'\n", name);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    return group;
}

static void test_names(void)
{
    ew_mesh mesh, again;
    ew_groups groups = {0}, names;
    ew_text text;
    make_tets(&mesh);
    add_list(&groups, EW_GROUP_VERTICES, "tip", 2, (int64_t[]){1, 5});
    add_list(&groups, EW_GROUP_VERTICES, "TIP", 1, (int64_t[]){3});
    add_list(&groups, EW_GROUP_VERTICES, "a \"b\", c", 1, (int64_t[]){0});
    add_list(&groups, EW_GROUP_VERTICES, "nobody", 0, NULL);
    add_list(&groups, EW_GROUP_TETS, "tip", 2, (int64_t[]){0, 2});
    add_list(&groups, EW_GROUP_TETS, "region_4", 1, (int64_t[]){1});
    must(ew_groups_name_label(&groups, EW_GROUP_TETS, 9, "rubber"));
    must(ew_groups_name_label(&groups, EW_GROUP_FACES, 5, "SURFACE_2"));
    write_inp(&mesh, &groups, &text);
    has(&text, "*ELEMENT, TYPE=C3D4, ELSET=REGION_4\n1, 1, 2, 3, 4\n2, 1, 3, 5, 4\n"
               "*ELEMENT, TYPE=C3D4, ELSET=rubber\n3, 1, 5, 6, 4\n");
    has(&text, "*NSET, NSET=tip\n2, 6\n*NSET, NSET=TIP_2\n4\n*NSET, NSET=\"a 'b'_ c\"\n1\n*ELSET");
    has(&text, "*SURFACE, TYPE=ELEMENT, NAME=SURFACE_2\n1, S1\n*NSET, NSET=SURFACE_2_nodes\n");
    has(&text, "*SURFACE, TYPE=ELEMENT, NAME=SURFACE_2_2\n");
    must(read_inp(&text, &again, &names));
    CU_ASSERT_EQUAL(again.n_tet, 3);
    CU_ASSERT_EQUAL(again.region_label[again.region[0]], 4);
    CU_ASSERT_EQUAL(again.region_label[again.region[2]],
                    need(&names, EW_GROUP_TETS, "rubber")->label);
    CU_ASSERT_EQUAL(need(&names, EW_GROUP_TETS, "tip")->n_id, 2);
    CU_ASSERT_EQUAL(need(&names, EW_GROUP_TETS, "region_4_2")->id[0], 1);
    CU_ASSERT_EQUAL(need(&names, EW_GROUP_VERTICES, "TIP_2")->id[0], 3);
    CU_ASSERT_EQUAL(need(&names, EW_GROUP_VERTICES, "a 'b'_ c")->id[0], 0);
    CU_ASSERT_PTR_NULL(ew_groups_find(&names, EW_GROUP_VERTICES, "nobody"));
    const ew_group *nodes = need(&names, EW_GROUP_VERTICES, "SURFACE_2_nodes"); /* of 1, S1 */
    CU_ASSERT(nodes->n_id == 3 && nodes->id[0] == 0 && nodes->id[2] == 2);
    ew_text_free(&text);
    ew_groups_free(&groups);
    ew_groups_free(&names);
    ew_mesh_free(&mesh);
    ew_mesh_free(&again);
}

/* Of the labeled triangles, each with the way it is turned, n have this label and these vertices.
 */
static int32_t count_faces(const ew_mesh *mesh, int32_t label, const int32_t vertex[3])
{
    int32_t n = 0;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        const int32_t *face = mesh->face + 3 * f;
        bool same = false;
        for (int k = 0; k < 3; k++) {
            same = same || (face[k] == vertex[0] && face[(k + 1) % 3] == vertex[1] &&
                            face[(k + 2) % 3] == vertex[2]);
        }
        n += same && mesh->face_label[f] == label;
    }
    return n;
}

static void test_faces(void)
{
    ew_mesh mesh, again;
    ew_text text;
    make_tets(&mesh);
    write_inp(&mesh, NULL, &text);
    must(read_inp(&text, &again, NULL));
    CU_ASSERT_EQUAL(again.n_face, 4);
    for (int32_t f = 0; f < mesh.n_face; f++) {
        CU_ASSERT_EQUAL(count_faces(&again, mesh.face_label[f], mesh.face + 3 * f), 1);
    }
    ew_text_free(&text);
    ew_mesh_free(&mesh);
    ew_mesh_free(&again);
}

/* No number has more than 20 characters, and those with fewer are whole. */
static void test_numbers(void)
{
    static const double xyz[] = {-1.2345678901234567e-05,
                                 0,
                                 0,
                                 1.2345678901234567,
                                 -0.1 / 3,
                                 0,
                                 0.1 / 3,
                                 1e3 / 7,
                                 -1e300 / 3e297,
                                 1e-17,
                                 3,
                                 1};
    static const int32_t tet[] = {0, 1, 3, 2};
    const ew_mesh_def def = {.n_vertex = 4, .xyz = xyz, .n_tet = 1, .tet = tet};
    ew_mesh mesh, again;
    ew_mesh_repair repair;
    ew_text text;
    must(ew_mesh_init(&mesh, &def, &repair));
    write_inp(&mesh, NULL, &text);
    has(&text, "\n1, -1.2345678901235e-05, 0, 0\n");
    size_t longest = 0;
    for (const char *at = strstr(text.data, "*NODE\n") + 6; *at != '*';) {
        const size_t n = strcspn(at, ", \n");
        longest = n > longest ? n : longest;
        at += n + 1;
    }
    CU_ASSERT_EQUAL(longest, 20);
    must(read_inp(&text, &again, NULL));
    for (int i = 0; i < 12; i++) {
        CU_ASSERT_DOUBLE_EQUAL(again.xyz[i], xyz[i], 1e-13 * (xyz[i] < 0 ? -xyz[i] : xyz[i]));
    }
    CU_ASSERT(again.xyz[3] == xyz[3] && again.xyz[7] == xyz[7]);
    ew_text_free(&text);
    ew_mesh_free(&mesh);
    ew_mesh_free(&again);
}

/* A curved side comes back; a set has the middles of the faces of the boundary that it has, one
 * without faces those of its sides. */
static void test_ten_nodes(void)
{
    static const char deck[] =
        "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, .5, 0, 0\n6, .6, .7, 0\n"
        "7, 0, .5, 0\n8, 0, 0, .5\n9, .5, 0, .5\n10, 0, .5, .5\n*ELEMENT, TYPE=C3D10, ELSET=e\n"
        "1, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n10\n*NSET, NSET=wall\n1, 2, 4\n*NSET, NSET=edge\n2, 3\n"
        "*NSET, NSET=point\n3\n";
    const ew_text given = {.data = (char *)(void *)deck, .size = sizeof deck - 1};
    ew_mesh mesh, again;
    ew_groups groups, names;
    ew_text text;
    must(read_inp(&given, &mesh, &groups));
    write_inp(&mesh, &groups, &text);
    must(read_inp(&text, &again, &names));
    const double *curve = ew_mesh_curve(&mesh, 1, 2), *other = ew_mesh_curve(&again, 1, 2);
    CU_ASSERT(again.has_middles && again.n_curve == 1 && curve && other);
    CU_ASSERT(curve && other && fabs(curve[0] - other[0]) < 1e-15);
    CU_ASSERT_EQUAL(need(&names, EW_GROUP_VERTICES, "wall")->n_id, 3);
    CU_ASSERT_EQUAL(need(&names, EW_GROUP_TETS, "e")->label, 1);
    has(&text, "*ELEMENT, TYPE=C3D10, ELSET=e\n1, 1, 2, 3, 4, 5");
    /* middles are numbered in the order of the sides 01 02 03 12 13 23 */
    has(&text, "*NSET, NSET=wall\n1, 2, 4, 5, 7, 9\n");
    has(&text, "*NSET, NSET=edge\n2, 3, 8\n");
    has(&text, "*NSET, NSET=point\n3\n");
    ew_text_free(&text);
    ew_groups_free(&groups);
    ew_groups_free(&names);
    ew_mesh_free(&mesh);
    ew_mesh_free(&again);
}

/* After edits, and with many regions in turn: the order is that of ids, and all bits are there. */
static void test_order(void)
{
    ew_mesh mesh, again;
    ew_text text;
    make_mesh(&mesh);
    for (int32_t i = 0; i < 3 * mesh.n_vertex; i++) {
        mesh.xyz[i] += 0.0625;
    }
    write_inp(&mesh, NULL, &text);
    must(read_inp(&text, &again, NULL));
    CU_ASSERT(again.n_vertex == mesh.n_vertex && again.n_tet == mesh.n_tet);
    CU_ASSERT(again.n_face == mesh.n_face && again.n_region == 2);
    CU_ASSERT_EQUAL(memcmp(again.tet, mesh.tet, 16 * (size_t)mesh.n_tet), 0);
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        CU_ASSERT_EQUAL(again.region_label[again.region[t]], mesh.region_label[mesh.region[t]]);
    }
    ew_text_free(&text);
    ew_mesh_free(&mesh);
    ew_mesh_free(&again);
}

static void test_no_memory(void)
{
    ew_mesh mesh;
    ew_groups groups = {0};
    make_tets(&mesh);
    mesh.has_middles = true;
    add_list(&groups, EW_GROUP_VERTICES, "tip", 3, (int64_t[]){3, 4, 5});
    add_list(&groups, EW_GROUP_TETS, "both", 2, (int64_t[]){0, 2});
    must(ew_groups_name_label(&groups, EW_GROUP_TETS, 9, "rubber"));
    for (int64_t k = 0;; k++) {
        ew_text text;
        ew_test_allocations_begin(k);
        const ew_status status =
            ew_format_write_mesh(ew_format_of_name(".inp"), &mesh, &groups, true, &text);
        if (!status) {
            ew_text_free(&text);
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        const bool refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
        if (!refused) {
            CU_ASSERT(k > 10);
            break;
        }
    }
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"names", test_names},     {"faces", test_faces},
                                  {"numbers", test_numbers}, {"ten_nodes", test_ten_nodes},
                                  {"order", test_order},     {"no_memory", test_no_memory},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"inp, written", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
