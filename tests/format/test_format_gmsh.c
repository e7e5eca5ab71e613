/* Gmsh files: both versions, as text and in binary, with gaps in their numbers; what is passed over
 * and what is refused, with the place and the remedy; damage. */
#include "format_fixture.h"

#define GMSH ew_format_of_name(".msh")

#define HEAD_2  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES_2 "$Nodes\n5\n10 0 0 0\n7 1 0 0\n30 0 1 0\n2147483647 0 0 1\n5 9 9 9\n$EndNodes\n"
#define ELEMENTS_2                                                                                 \
    "$Elements\n3\n1 15 2 0 1 5\n2 2 2 12 1 10 30 7\n9 4 2 7 1 10 7 30 2147483647\n$EndElements\n"
/* Version 1: number, type, physical group, entity, count of nodes, nodes. */
#define VERSION_1                                                                                  \
    "$NOD\n5\n10 0 0 0\n7 1 0 0\n30 0 1 0\n2147483647 0 0 1\n5 9 9 9\n$ENDNOD\n$ELM\n3\n"          \
    "1 15 0 1 1 5\n2 2 12 1 3 10 30 7\n9 4 7 1 4 10 7 30 2147483647\n$ENDELM\n"
#define NAMES "$PhysicalNames\n1\n3 7 \"steel # 2 $Nodes\"\n$EndPhysicalNames\n"

#define HEAD_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define ENTITIES_4                                                                                 \
    "$Entities\n1 0 1 1\n1 0 0 0 0\n3 0 0 0 1 1 0 1 12 2 4 5\n1 0 0 0 1 1 1 2 7 8 1 "              \
    "3\n$EndEntities\n"
#define NODES_4                                                                                    \
    "$Nodes\n2 4 7 40\n2 3 1 3\n10\n7\n30\n0 0 0 .5 .5\n1 0 0 0 0\n0 1 0 1 1\n3 1 0 1\n40\n"       \
    "0 0 1\n$EndNodes\n"
#define ELEMENTS_4 "$Elements\n2 2 1 2\n2 3 2 1\n1 10 30 7\n3 1 4 1\n2 10 7 30 40\n$EndElements\n"

/* Middles in Gmsh's order: 01 12 02 03 23 13; that of 12 lies off the straight one. */
#define TEN_NODES                                                                                  \
    "$Nodes\n11\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .6 .7 0\n7 0 .5 0\n"              \
    "8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n11 1 1 -1\n$EndNodes\n"

static ew_status read_gmsh(const char *data, size_t size, ew_mesh *mesh)
{
    return ew_format_read_mesh(GMSH, &(ew_mesh_input){.file = &(ew_bytes){data, size}}, mesh, NULL,
                               NULL);
}

static void check_one_tet(ew_status status, ew_mesh *mesh)
{
    CU_ASSERT_EQUAL(status, EW_OK);
    if (status) {
        printf("\n  %s\n", ew_message());
        return;
    }
    CU_ASSERT_EQUAL(mesh->n_tet, 1);
    CU_ASSERT_EQUAL(mesh->region_label[0], 7);
    CU_ASSERT_EQUAL(mesh->n_face, 1);
    CU_ASSERT_EQUAL(mesh->face_label[0], 12);
    CU_ASSERT(ew_mesh_tet_volume(mesh, 0) == 1.0 / 6.0);
    CU_ASSERT_EQUAL(ew_mesh_check(mesh), EW_OK);
    ew_mesh_free(mesh);
}

static void test_texts(void)
{
    static const char *const text[] = {
        HEAD_2 NODES_2 ELEMENTS_2,
        "$MeshFormat\n2 0 8\n$EndMeshFormat\n" NODES_2 ELEMENTS_2,
        VERSION_1,
        HEAD_2 NAMES NODES_2 ELEMENTS_2 "$NodeData\n1\n\"$Nodes\"\n$EndNodeData\n",
        HEAD_4 ENTITIES_4 NODES_4 ELEMENTS_4,
        HEAD_4 NAMES ENTITIES_4 NODES_4 ELEMENTS_4,
    };
    for (size_t i = 0; i < LENGTH(text); i++) {
        ew_mesh mesh;
        check_one_tet(read_gmsh(text[i], strlen(text[i]), &mesh), &mesh);
    }
}

/* Middles are no vertices; the one that is off its side curves it. Left-handed tets, too. */
static void test_ten_nodes(void)
{
    static const char *const text[] = {
        HEAD_2 TEN_NODES "$Elements\n2\n1 9 2 12 1 1 2 3 5 6 7\n"
                         "2 11 2 7 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
        HEAD_2 TEN_NODES "$Elements\n2\n1 9 2 12 1 1 2 3 5 6 7\n"
                         "2 11 2 7 1 1 3 2 4 7 6 5 8 10 9\n$EndElements\n",
        "$NOD\n11\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .6 .7 0\n7 0 .5 0\n"
        "8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n11 1 1 -1\n$ENDNOD\n$ELM\n2\n"
        "1 9 12 1 6 1 2 3 5 6 7\n2 11 7 1 10 1 2 3 4 5 6 7 8 9 10\n$ENDELM\n",
    };
    for (size_t i = 0; i < LENGTH(text); i++) {
        ew_mesh mesh, copy;
        ew_mesh_repair repair;
        const ew_bytes file = {text[i], strlen(text[i])};
        const ew_mesh_input input = {.file = &file};
        CU_ASSERT_EQUAL_FATAL(ew_format_read_mesh(GMSH, &input, &mesh, &repair, NULL), EW_OK);
        CU_ASSERT(mesh.has_middles && mesh.n_vertex == 5 && repair.n_unused == 1);
        CU_ASSERT_EQUAL(mesh.n_curve, 1);
        CU_ASSERT_PTR_NULL(ew_mesh_curve(&mesh, 0, 1));
        CU_ASSERT_PTR_NULL(ew_mesh_curve(&mesh, 0, 10));
        const double *curve = ew_mesh_curve(&mesh, 2, 1);
        CU_ASSERT_FATAL(curve != NULL);
        CU_ASSERT_DOUBLE_EQUAL(curve[0], 0.1, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(curve[1], 0.2, 1e-15);
        CU_ASSERT_EQUAL(mesh.vertex_id[4], 10);
        CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&copy, &mesh), EW_OK);
        ew_mesh_free(&mesh);
        CU_ASSERT(copy.has_middles && ew_mesh_curve(&copy, 1, 2) != NULL);
        check_one_tet(EW_OK, &copy);
    }
}

/* ---- binary ----------------------------------------------------------------- */

typedef struct bytes {
    char data[2000];
    size_t n;
} bytes;

static void put(bytes *to, const void *data, size_t n)
{
    memcpy(to->data + to->n, data, n);
    to->n += n;
}

static void put_text(bytes *to, const char *text)
{
    put(to, text, strlen(text));
}

static void put_ints(bytes *to, int n, const int32_t *value)
{
    put(to, value, (size_t)n * sizeof *value);
}

static void put_sizes(bytes *to, int n, const uint64_t *value)
{
    put(to, value, (size_t)n * sizeof *value);
}

static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void put_head(bytes *to, const char *version)
{
    to->n = 0;
    put_text(to, "$MeshFormat\n");
    put_text(to, version);
    put_text(to, " 1 8\n");
    put_ints(to, 1, (int32_t[]){1});
    put_text(to, "\n$EndMeshFormat\n");
}

static void make_2(bytes *to)
{
    put_head(to, "2.2");
    put_text(to, "$Nodes\n4\n");
    for (int32_t i = 0; i < 4; i++) {
        put_ints(to, 1, (int32_t[]){10 * i + 3});
        put(to, corner[i], sizeof corner[i]);
    }
    put_text(to, "\n$EndNodes\n$Elements\n2\n");
    put_ints(to, 9, (int32_t[]){2, 1, 2, 1, 12, 1, 3, 23, 13});
    put_ints(to, 10, (int32_t[]){4, 1, 2, 2, 7, 1, 3, 13, 23, 33});
    put_text(to, "\n$EndElements\n");
}

static void make_4(bytes *to)
{
    const double box[6] = {0, 0, 0, 1, 1, 1};
    put_head(to, "4.1");
    put_text(to, "$Entities\n");
    put_sizes(to, 4, (uint64_t[]){0, 0, 1, 1});
    for (int32_t i = 0; i < 2; i++) {
        put_ints(to, 1, (int32_t[]){i + 1});
        put(to, box, sizeof box);
        put_sizes(to, 1, (uint64_t[]){1});
        put_ints(to, 1, (int32_t[]){i ? 7 : 12});
        put_sizes(to, 1, (uint64_t[]){0});
    }
    put_text(to, "\n$EndEntities\n$Nodes\n");
    put_sizes(to, 4, (uint64_t[]){1, 4, 3, 33});
    put_ints(to, 3, (int32_t[]){3, 2, 0});
    put_sizes(to, 5, (uint64_t[]){4, 3, 13, 23, 33});
    put(to, corner, sizeof corner);
    put_text(to, "\n$EndNodes\n$Elements\n");
    put_sizes(to, 4, (uint64_t[]){2, 2, 1, 2});
    put_ints(to, 3, (int32_t[]){2, 1, 2});
    put_sizes(to, 5, (uint64_t[]){1, 1, 3, 23, 13});
    put_ints(to, 3, (int32_t[]){3, 2, 4});
    put_sizes(to, 6, (uint64_t[]){1, 2, 3, 13, 23, 33});
    put_text(to, "\n$EndElements\n");
}

/* Cut anywhere it is refused, but for the last line's end. */
static void test_binary(void)
{
    static void (*const make[])(bytes *) = {make_2, make_4};
    for (size_t k = 0; k < LENGTH(make); k++) {
        bytes file;
        ew_mesh mesh;
        make[k](&file);
        check_one_tet(read_gmsh(file.data, file.n, &mesh), &mesh);
        for (size_t n = 0; n + 1 < file.n; n++) {
            char *copy = malloc(n + !n);
            memcpy(copy, file.data, n);
            CU_ASSERT_EQUAL(read_gmsh(copy, n, &mesh), EW_BAD_INPUT);
            free(copy);
        }
    }
}

/* ---- what is refused ---------------------------------------------------------- */

static void test_refusals(void)
{
    static const struct {
        const char *text, *begin, *rest;
    } bad[] = {
        {"", "line 1: ", "no tets"},
        {"hello", "line 1: ", "$Nodes"},
        {NODES_2, "line 2: ", "$MeshFormat"},
        {"$MeshFormat\n3 0 8\n$EndMeshFormat\n", "line 2: ", "4.1"},
        {"$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "line 2: ", "size of numbers"},
        {HEAD_2 ELEMENTS_2, "line 5: ", "before $Nodes"},
        {HEAD_2 NODES_2, "line 12: ", "no tets"},
        {HEAD_2 NODES_2 NODES_2, "line 13: ", "second"},
        {HEAD_2 "$Nodes\n2000000000\n1 0 0 0\n$EndNodes\n", "line 5: ", "rest of the file"},
        {HEAD_2 "$Nodes\n2\n1 0 0 0\n1 0 0 1\n$EndNodes\n", "line 7: ", "number 1"},
        {HEAD_2 "$Nodes\n1\n1 0 x 0\n$EndNodes\n", "line 6: ", "'x'"},
        {HEAD_2 "$Nodes\n1\n1 0 0 0\n", "line 6: ", "$EndNodes"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 5 2 0 1 1 2 3 4 5 6 7 8\n$EndElements\n",
         "line 14: ", "four or ten nodes"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n",
         "line 14: ", "names node 1"},
        {HEAD_2 TEN_NODES "$Elements\n2\n1 11 0 1 2 3 4 5 6 7 8 9 10\n"
                          "2 11 0 1 3 2 11 7 9 5 10 8 10\n$EndElements\n",
         "line 21: ", "tets 0 and 1 share a side"},
        {HEAD_2 TEN_NODES "$Elements\n2\n1 11 0 1 2 3 4 5 6 7 8 9 10\n"
                          "2 4 0 1 3 9 11\n$EndElements\n",
         "line 20: ", "middle of a side, and elsewhere a corner"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 99 0 1\n$EndElements\n", "line 14: ", "type 99"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 4 0 10 7 30 8\n$EndElements\n", "line 14: ", "node 8"},
        {HEAD_2 NODES_2 "$Elements\n1\n1 4 0 10 7 30 30\n$EndElements\n", "line 14: ", "counted"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 4 0 0 3 1 1 1\n$ENDELM\n",
         "line 7: ", "the count of nodes is '3'"},
        {"$NOD\n1\n1 0 0 0\n$ENDNOD\n$ELM\n1\n1 5 0 0 8 1 1 1\n$ENDELM\n",
         "line 7: ", "four or ten nodes"},
        {"$NOD\n1\n1 0 0 0\n", "line 3: ", "$ENDNOD"},
        {"$MeshFormat\n4.0 0 8\n$EndMeshFormat\n", "line 2: ", "Mesh.MshFileVersion = 4.1"},
        {HEAD_4 "$PartitionedEntities\n", "line 5: ", "partitioned"},
    };
    for (size_t i = 0; i < LENGTH(bad); i++) {
        ew_mesh mesh;
        const ew_status status = read_gmsh(bad[i].text, strlen(bad[i].text), &mesh);
        check_refusal(status, status ? status : EW_BAD_INPUT, bad[i].begin, bad[i].rest);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"texts", test_texts},
                           {"ten_nodes", test_ten_nodes},
                           {"binary", test_binary},
                           {"refusals", test_refusals},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"Gmsh", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
