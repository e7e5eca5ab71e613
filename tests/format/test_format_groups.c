/* Named groups: what is kept of them, and what the readers of meshes and surfaces find. */
#include "format/parts/format.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <stdio.h>
#include <string.h>

/* A tet with two of its faces, one of them in two groups, its volume in two, an edge and a point:
 * as Gmsh 4.8 writes them. */
#define NAMES                                                                                      \
    "$PhysicalNames\n7\n0 5 \"tip\"\n1 4 \"rim\"\n1 8 \"tip\"\n2 1 \"wall\"\n2 2 \"outer face\"\n" \
    "3 3 \"all\"\n3 7 \"left\"\n$EndPhysicalNames\n"
#define NODES_2 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n9 1 1 1\n$EndNodes\n"
#define FILE_2                                                                                     \
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n" NAMES NODES_2                                         \
    "$Elements\n9\n1 15 2 5 1 9\n2 1 2 4 1 1 2\n3 1 2 8 1 2 3\n4 2 2 1 1 1 2 3\n"                  \
    "5 2 2 2 1 1 2 3\n6 2 2 2 2 1 2 4\n7 4 2 3 1 1 2 3 4\n8 4 2 7 1 1 2 3 4\n"                     \
    "9 4 2 3 2 2 3 4 9\n$EndElements\n"
#define FILE_4                                                                                     \
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" NAMES                                                 \
    "$Entities\n1 2 2 2\n1 1 1 1 1 5\n1 0 0 0 1 0 0 1 4 0\n2 0 0 0 1 1 0 1 8 0\n"                  \
    "1 0 0 0 1 1 0 2 1 2 0\n2 0 0 0 1 0 1 1 -2 0\n1 0 0 0 1 1 1 2 3 7 0\n"                         \
    "2 0 0 0 1 1 1 1 3 0\n$EndEntities\n"                                                          \
    "$Nodes\n1 5 1 9\n3 1 0 5\n1\n2\n3\n4\n9\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"      \
    "$Elements\n7 7 1 7\n0 1 15 1\n1 9\n1 1 1 1\n2 1 2\n1 2 1 1\n3 2 3\n2 1 2 1\n4 1 2 3\n"        \
    "2 2 2 1\n5 1 2 4\n3 1 4 1\n6 1 2 3 4\n3 2 4 1\n7 2 3 4 9\n$EndElements\n"

static ew_status read_mesh(const char *name, const char *text, ew_mesh *mesh, ew_groups *groups)
{
    const ew_bytes file = {text, strlen(text)};
    const ew_mesh_input input = {.file = &file};
    return ew_format_read_mesh(ew_format_of_name(name), &input, mesh, NULL, groups);
}

static void check_list(const ew_groups *groups, ew_group_kind kind, const char *name, int32_t n,
                       const int64_t *id)
{
    const ew_group *group = ew_groups_find(groups, kind, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    CU_ASSERT_FALSE(group->is_label);
    CU_ASSERT_EQUAL_FATAL(group->n_id, n);
    CU_ASSERT_EQUAL(memcmp(group->id, id, sizeof *id * (size_t)n), 0);
}

static void check_label(const ew_groups *groups, ew_group_kind kind, const char *name,
                        int32_t label)
{
    const ew_group *group = ew_groups_find(groups, kind, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    CU_ASSERT(group->is_label && group->label == label);
    CU_ASSERT_STRING_EQUAL(ew_groups_label_name(groups, kind, label), name);
}

/* A point that no tet has falls out, a triangle of two groups is there twice, and of two groups of
 * a tet the smaller one is its region. */
static void check_gmsh(const char *text)
{
    ew_mesh mesh;
    ew_groups groups;
    must(read_mesh(".msh", text, &mesh, &groups));
    CU_ASSERT(mesh.n_face == 3 && mesh.n_tet == 2 && mesh.n_region == 2);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[0]], 7);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[1]], 3);
    CU_ASSERT_EQUAL(groups.n, 6);
    check_label(&groups, EW_GROUP_FACES, "wall", 1);
    check_label(&groups, EW_GROUP_FACES, "outer face", 2);
    check_label(&groups, EW_GROUP_TETS, "left", 7);
    check_list(&groups, EW_GROUP_TETS, "all", 2, (int64_t[]){0, 1});
    check_list(&groups, EW_GROUP_VERTICES, "rim", 2, (int64_t[]){0, 1});
    check_list(&groups, EW_GROUP_VERTICES, "tip", 3, (int64_t[]){1, 2, 4});
    CU_ASSERT_PTR_NULL(ew_groups_find(&groups, EW_GROUP_FACES, "rim"));
    CU_ASSERT_PTR_NULL(ew_groups_label_name(&groups, EW_GROUP_TETS, 1));
    CU_ASSERT_EQUAL(ew_groups_free_label(&groups, &mesh, EW_GROUP_FACES), 3);
    CU_ASSERT_EQUAL(ew_groups_free_label(&groups, &mesh, EW_GROUP_TETS), 8);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

static void test_gmsh(void)
{
    check_gmsh(FILE_2);
    check_gmsh(FILE_4);
}

static void refuse_names(const char *names, const char *message)
{
    char text[2000];
    ew_mesh mesh;
    ew_groups groups;
    snprintf(text, sizeof text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n%s%s", names,
             strstr(FILE_2, "$Nodes"));
    CU_ASSERT_EQUAL(read_mesh(".msh", text, &mesh, &groups), EW_BAD_INPUT);
    CU_ASSERT(strstr(ew_message(), "line ") == ew_message());
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), message));
}

static void test_gmsh_bad_names(void)
{
    refuse_names("$PhysicalNames\n1\n2 1 wall\n$EndPhysicalNames\n", "in quotes");
    refuse_names("$PhysicalNames\n1\n2 1 \"wall\n$EndPhysicalNames\n", "in quotes");
    refuse_names("$PhysicalNames\n1\n4 1 \"wall\"\n$EndPhysicalNames\n", "dimension");
    refuse_names("$PhysicalNames\n2000000000\n2 1 \"wall\"\n$EndPhysicalNames\n", "more than");
    refuse_names("$PhysicalNames\n2\n2 1 \"a\"\n2 1 \"b\"\n$EndPhysicalNames\n", "two names");
}

/* One name for two groups of faces: both are there, and told apart. */
static void test_gmsh_same_name(void)
{
    char text[2000];
    ew_mesh mesh;
    ew_groups groups;
    snprintf(text, sizeof text,
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"a\"\n2 2 \"a\"\n"
             "2 3 \"\"\n$EndPhysicalNames\n%s",
             strstr(FILE_2, "$Nodes"));
    must(read_mesh(".msh", text, &mesh, &groups));
    check_label(&groups, EW_GROUP_FACES, "a", 1);
    check_label(&groups, EW_GROUP_FACES, "a (2)", 2);
    check_label(&groups, EW_GROUP_FACES, "(3)", 3);
    ew_groups_free(&groups);
    ew_mesh_free(&mesh);
}

static void check_surface(const char *name, const char *text, int32_t n, const int32_t *label,
                          const char *const *names)
{
    const ew_bytes file = {text, strlen(text)};
    ew_surface surface;
    ew_groups groups;
    int32_t n_named = 0;
    must(ew_format_read_surface(ew_format_of_name(name), &file, &surface, NULL, &groups));
    CU_ASSERT_EQUAL_FATAL(surface.n_triangle, n);
    CU_ASSERT_EQUAL(memcmp(surface.label, label, sizeof *label * (size_t)n), 0);
    for (int32_t i = 0; names[i]; i++) {
        if (*names[i]) {
            check_label(&groups, EW_GROUP_FACES, names[i], i + 1);
            n_named++;
        } else {
            CU_ASSERT_PTR_NULL(ew_groups_label_name(&groups, EW_GROUP_FACES, i + 1));
        }
    }
    CU_ASSERT_EQUAL(groups.n, n_named);
    ew_groups_free(&groups);
    ew_surface_free(&surface);
}

#define FACET(z)                                                                                   \
    "facet normal 0 0 1\nouter loop\nvertex 0 0 " z "\nvertex 1 0 " z "\nvertex 0 1 " z            \
    "\nendloop\nendfacet\n"

static void test_surfaces(void)
{
    check_surface(
        ".stl",
        "solid  base plate\r\n" FACET("0") "endsolid base plate\nsolid\n" FACET(
            "1") "endsolid\nsolid lid\n" FACET("2") "endsolid\nsolid base plate\n" FACET("3") "ends"
                                                                                              "olid"
                                                                                              "\n",
        4, (int32_t[]){1, 2, 3, 1}, (const char *const[]){"base plate", "", "lid", NULL});
    check_surface(".obj",
                  "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\ng arm left # side\nf 1 2 4\n"
                  "usemtl skin\nf 1 3 4 2\no head\ng\nf 1 2 3\ng arm left\nf 1 2 3\ns off\no lid\n"
                  "f 2 3 4\n",
                  7, (int32_t[]){1, 2, 2, 2, 1, 2, 3},
                  (const char *const[]){"", "arm left", "lid", NULL});
}

static void test_names(void)
{
    char clean[EW_GROUP_NAME], text[400];
    ew_groups groups = {0}, copy;
    ew_group *group;
    ew_group_clean_name(" \ta\tb\x01"
                        "c\xff\xc3\xbc \n",
                        clean);
    CU_ASSERT_STRING_EQUAL(clean, "a b_c?\xc3\xbc");
    memset(text, 'x', sizeof text);
    text[EW_GROUP_NAME - 2] = '\xc3'; /* a character that does not fit whole goes */
    text[EW_GROUP_NAME - 1] = '\xbc';
    text[sizeof text - 1] = 0;
    ew_group_clean_name(text, clean);
    CU_ASSERT_EQUAL(strlen(clean), EW_GROUP_NAME - 2);
    CU_ASSERT_PTR_NULL(ew_groups_find(&groups, EW_GROUP_FACES, "a"));
    must(ew_groups_name_label(&groups, EW_GROUP_FACES, 3, "a"));
    must(ew_groups_name_label(&groups, EW_GROUP_TETS, 4, "a"));
    must(ew_groups_add_list(&groups, EW_GROUP_VERTICES, "a", &group));
    must(ew_group_push(group, 7));
    CU_ASSERT_EQUAL(ew_groups_name_label(&groups, EW_GROUP_FACES, 9, " a"), EW_BAD_INPUT);
    CU_ASSERT_EQUAL(ew_groups_name_label(&groups, EW_GROUP_FACES, 9, " \n"), EW_BAD_INPUT);
    must(ew_groups_copy(&copy, &groups));
    ew_groups_free(&groups);
    CU_ASSERT_EQUAL(copy.n, 3);
    check_label(&copy, EW_GROUP_FACES, "a", 3);
    check_label(&copy, EW_GROUP_TETS, "a", 4);
    check_list(&copy, EW_GROUP_VERTICES, "a", 1, (int64_t[]){7});
    ew_groups_free(&copy);
    ew_groups_free(&copy);
}

/* No failed allocation leaves anything behind. */
static void test_no_memory(void)
{
    for (int64_t k = 0;; k++) {
        ew_mesh mesh;
        ew_groups groups, copy;
        ew_test_allocations_begin(k);
        const ew_status status = read_mesh(".msh", FILE_4, &mesh, &groups);
        const ew_status second = status ? EW_OK : ew_groups_copy(&copy, &groups);
        if (!status) {
            ew_mesh_free(&mesh);
            ew_groups_free(&groups);
            if (!second) {
                ew_groups_free(&copy);
            }
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        const bool refused = ew_test_allocations_end();
        CU_ASSERT_EQUAL(refused, status == EW_NO_MEMORY || second == EW_NO_MEMORY);
        if (!refused) {
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo groups[] = {{"names", test_names},
                                   {"gmsh", test_gmsh},
                                   {"gmsh_bad_names", test_gmsh_bad_names},
                                   {"gmsh_same_name", test_gmsh_same_name},
                                   {"surfaces", test_surfaces},
                                   {"no_memory", test_no_memory},
                                   CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"groups", NULL, NULL, NULL, NULL, groups},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
