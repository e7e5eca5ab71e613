/* Meshes of Abaqus and CalculiX: sets, surfaces, regions, includes, continuation lines, names in
 * any case; what is refused, with its line. */
#include "format/parts/format.h"
#include "testlib.h"

#include <stdio.h>
#include <string.h>

typedef struct include {
    const char *name, *text;
} include;

static ew_status open_include(void *user, const char *name, ew_text *text)
{
    for (const include *at = user; at && at->name; at++) {
        if (!strcmp(at->name, name)) {
            text->size = strlen(at->text);
            EW_TRY(ew_new(&text->data, text->size, 1));
            memcpy(text->data, at->text, text->size);
            return EW_OK;
        }
    }
    return ew_fail(EW_IO, "%s: cannot be opened", name);
}

static ew_status read_inp(const char *text, const include *with, ew_mesh *mesh, ew_groups *groups)
{
    const ew_bytes file = {text, strlen(text)};
    const ew_mesh_input input = {&file, (void *)with, with ? open_include : NULL};
    return ew_format_read_mesh(ew_format_of_name("part.INP"), &input, mesh, NULL, groups);
}

static const ew_group *need(const ew_groups *groups, ew_group_kind kind, const char *name)
{
    static const ew_group none = {.label = -1};
    const ew_group *group = ew_groups_find(groups, kind, name);
    CU_ASSERT_PTR_NOT_NULL(group);
    return group ? group : &none;
}

static void check_list(const ew_groups *groups, ew_group_kind kind, const char *name, int32_t n,
                       const int64_t *id)
{
    const ew_group *group = need(groups, kind, name);
    CU_ASSERT_EQUAL(group->n_id, n);
    CU_ASSERT(group->n_id == n && !memcmp(group->id, id, sizeof *id * (size_t)n));
}

/* Triangles of a label, as a sum over their vertices: 1 to 5 in the powers of ten. */
static int64_t faces_of(const ew_mesh *mesh, int32_t label)
{
    static const int64_t digit[] = {1, 10, 100, 1000, 10000};
    int64_t sum = 0;
    for (int32_t f = 0; f < mesh->n_face; f++) {
        for (int k = 0; k < 3 && mesh->face_label[f] == label; k++) {
            sum += digit[mesh->face[3 * f + k]];
        }
    }
    return sum;
}

#define NODES                                                                                      \
    "*Heading\n two tets, 100 % steel\n** a comment\n*Node, nset=all nodes\n10, 0, 0, 0\n"         \
    "20, 1., 0, 0\n 30,,1.E+0\n40, 0, 0, 1D0\n50, 1, 1, 1\n60, 9, 9, 9\n"
#define TETS                                                                                       \
    "*ELEMENT, type=c3d4 , elset = \"left, part\"\n1, 10, 20, 30, 40\n"                            \
    "*Element, TYPE=C3D4, ELSET=right\n7, 20, 30, 40,\n50\n"

static void test_sets(void)
{
    static const char text[] =
        NODES TETS "*NSET, NSET=a, GENERATE\n10, 30, 20\n40, 2000000000, 10\n"
                   "*nset, nset=b\nA, 20,\n99\n*NSET, NSET=c, ELSET=RIGHT\n"
                   "*ELSET, ELSET=both\nleft, part\n*END STEP\n";
    ew_mesh mesh;
    ew_groups groups;
    CU_ASSERT_EQUAL(read_inp(text, NULL, &mesh, &groups), EW_BAD_INPUT); /* left */
    CU_ASSERT_STRING_EQUAL(ew_message(),
                           "line 24: there is no ELSET 'left' above; sets are read in their order");
    char right[sizeof text + 8];
    strcpy(right, text);
    strcpy(strstr(right, "left, part\n*END"), "\"LEFT, PART\", 7\n");
    must(read_inp(right, NULL, &mesh, &groups));
    CU_ASSERT(mesh.n_tet == 2 && mesh.n_active_vertex == 5 && mesh.n_region == 2);
    CU_ASSERT_EQUAL(need(&groups, EW_GROUP_TETS, "left, part")->label, 1);
    CU_ASSERT_EQUAL(need(&groups, EW_GROUP_TETS, "right")->label, 2);
    CU_ASSERT_EQUAL(mesh.region_label[mesh.region[1]], 2);
    check_list(&groups, EW_GROUP_TETS, "both", 2, (int64_t[]){0, 1});
    check_list(&groups, EW_GROUP_VERTICES, "all nodes", 5, (int64_t[]){0, 1, 2, 3, 4});
    check_list(&groups, EW_GROUP_VERTICES, "a", 4, (int64_t[]){0, 2, 3, 4});
    check_list(&groups, EW_GROUP_VERTICES, "b", 5, (int64_t[]){0, 1, 2, 3, 4});
    check_list(&groups, EW_GROUP_VERTICES, "c", 4, (int64_t[]){1, 2, 3, 4});
    CU_ASSERT(mesh.xyz[3] == 1.0 && mesh.xyz[7] == 1.0 && mesh.xyz[11] == 1.0);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

/* Faces by element and by set, the outside of a set, shells, nodes. */
static void test_surfaces(void)
{
    ew_mesh mesh;
    ew_groups groups;
    must(read_inp(NODES TETS
                  "*ELEMENT, TYPE=S3, ELSET=skin\n8, 10, 20, 30\n9, 20, 50, 30\n"
                  "*ELEMENT, TYPE=CPS6\n11, 10, 20, 40, 60, 60, 60\n"
                  "*ELEMENT, TYPE=T3D2, ELSET=edge\n10, 10, 40\n"
                  "*SURFACE, NAME=s\n1, S1\nright, s3,\n8, SPOS\n"
                  "*SURFACE, NAME=outside, TYPE=ELEMENT\n\"left, part\"\nright,\n"
                  "*SURFACE, NAME=skin\n7, S2\n"
                  "*SURFACE, TYPE=NODE, NAME=n\n40\nedge nodes, 1.\n*NSET,NSET=EDGE NODES\n"
                  "10, 50\n",
                  NULL, &mesh, &groups));
    CU_ASSERT_EQUAL(need(&groups, EW_GROUP_FACES, "skin")->label, 1);
    CU_ASSERT_EQUAL(faces_of(&mesh, 1), 111 + 10110);
    CU_ASSERT_EQUAL(faces_of(&mesh, need(&groups, EW_GROUP_FACES, "s")->label), 111 + 11100 + 111);
    CU_ASSERT_EQUAL(faces_of(&mesh, need(&groups, EW_GROUP_FACES, "outside")->label),
                    111 + 1011 + 1101 + 11010 + 10110 + 11100);
    CU_ASSERT_EQUAL(faces_of(&mesh, need(&groups, EW_GROUP_FACES, "skin (surface)")->label), 10110);
    CU_ASSERT_EQUAL(faces_of(&mesh, 0), 1011);
    check_list(&groups, EW_GROUP_VERTICES, "n", 3, (int64_t[]){0, 3, 4});
    check_list(&groups, EW_GROUP_VERTICES, "edge", 2, (int64_t[]){0, 3});
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

/* Sections are regions where there are any. */
static void test_sections(void)
{
    ew_mesh mesh;
    ew_groups groups;
    must(read_inp(NODES TETS "*ELSET, ELSET=all\n1, 7\n*ELSET, ELSET=second\n7\n"
                             "*SOLID SECTION, ELSET=all, MATERIAL=steel\n"
                             "*Solid Section, elset=Second, material=rubber\n",
                  NULL, &mesh, &groups));
    CU_ASSERT(mesh.n_region == 2 && mesh.region_label[mesh.region[1]] == 2);
    CU_ASSERT_FALSE(need(&groups, EW_GROUP_TETS, "all")->is_label);
    CU_ASSERT(need(&groups, EW_GROUP_TETS, "second")->is_label);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

/* Sets of which every tet is in one are regions where nothing else is. */
static void test_partition(void)
{
    static const char tets[] = NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40\n7, 20, 30, 40, 50\n";
    static const char *const with[] = {"*ELSET, ELSET=a\n7\n*ELSET, ELSET=b\n1\n",
                                       "*ELSET, ELSET=a\n7\n*ELSET, ELSET=b\n1, 7\n",
                                       "*ELSET, ELSET=a\n7\n"};
    for (int k = 0; k < 3; k++) {
        char text[1000];
        ew_mesh mesh;
        ew_groups groups;
        snprintf(text, sizeof text, "%s%s", tets, with[k]);
        must(read_inp(text, NULL, &mesh, &groups));
        CU_ASSERT_EQUAL(mesh.n_region, k ? 1 : 2);
        CU_ASSERT_EQUAL(need(&groups, EW_GROUP_TETS, "a")->is_label, k == 0);
        CU_ASSERT(k || mesh.region_label[mesh.region[1]] == 1);
        ew_mesh_free(&mesh);
        ew_groups_free(&groups);
    }
}

/* Elements of other kinds are passed over, open ends of pipes among them, but name nodes that are.
 */
static void test_others(void)
{
    ew_mesh mesh;
    must(read_inp(NODES TETS "*ELEMENT, TYPE=D\n8, 0, 10, 20\n9, 20, 60, 0\n", NULL, &mesh, NULL));
    CU_ASSERT_EQUAL(mesh.n_tet, 2);
    ew_mesh_free(&mesh);
    CU_ASSERT(read_inp(NODES TETS "*ELEMENT, TYPE=D\n8, 0, 10, 21\n", NULL, &mesh, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "names node 21"));
    CU_ASSERT(read_inp(NODES TETS "*ELEMENT, TYPE=C3D4\n8, 0, 10, 20, 30\n", NULL, &mesh, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "names node 0"));
}

/* Data of a card may come from a file; files include files. One part that is placed once. */
static void test_includes(void)
{
    static const include files[] = {{"nodes.inp", "10, 0, 0, 0\n20, 1, 0, 0\n"},
                                    {"a b.inp", "** more\n30, 0, 1, 0\n*INCLUDE, INPUT=rest.inp\n"},
                                    {"rest.inp", "40, 0, 0, 1\n*ELEMENT, TYPE=C3D4\n"},
                                    {"again.inp", "*INCLUDE, INPUT=again.inp\n"},
                                    {"bad.inp", "\n1, 10, 20, 3\n"},
                                    {"tets.inp", "3, 10, 20, 30, 40\n"},
                                    {NULL, NULL}};
    ew_mesh mesh;
    ew_groups groups;
    must(read_inp("*PART, NAME=p\n*NODE\n*include, input=nodes.inp\n*Include,\n input=\"a b.inp\"\n"
                  "3, 10, 20, 30, 40\n*NSET, NSET=n\n40\n*END PART\n*ASSEMBLY, NAME=a\n"
                  "*INSTANCE, NAME=p-1, PART=p\n0, 0, 5\n*END INSTANCE\n*NSET, NSET=m\np-1.N\n",
                  files, &mesh, &groups));
    CU_ASSERT(mesh.n_tet == 1 && mesh.xyz[11] == 6.0 && mesh.xyz[2] == 5.0);
    check_list(&groups, EW_GROUP_VERTICES, "m", 1, (int64_t[]){3});
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    must(read_inp("*NODE, INPUT=nodes.inp, NSET=n\n30, 0, 1, 0\n40, 0, 0, 1\n*ELEMENT, TYPE=C3D4, "
                  "INPUT=tets.inp\n",
                  files, &mesh, &groups));
    CU_ASSERT(mesh.n_tet == 1 && mesh.n_vertex == 4 && mesh.xyz[3] == 1.0);
    check_list(&groups, EW_GROUP_VERTICES, "n", 4, (int64_t[]){0, 1, 2, 3});
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
    CU_ASSERT_EQUAL(read_inp("*NODE, INPUT=a b.inp\n", files, &mesh, &groups), EW_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(ew_message(), "'rest.inp' line 2: a keyword; a file that *NODE names "
                                         "holds lines of data alone");
    CU_ASSERT_EQUAL(read_inp("*NODE\n*INCLUDE, INPUT=again.inp\n", files, &mesh, &groups),
                    EW_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(ew_message(), "'again.inp' line 1: 'again.inp' includes itself");
    CU_ASSERT_EQUAL(read_inp("*INCLUDE, INPUT=none\n", files, &mesh, &groups), EW_IO);
    CU_ASSERT_STRING_EQUAL(ew_message(), "line 1: *INCLUDE: none: cannot be opened");
    CU_ASSERT_EQUAL(read_inp("*NODE\n10\n20\n*ELEMENT, TYPE=C3D4\n*INCLUDE, INPUT=bad.inp\n", files,
                             &mesh, &groups),
                    EW_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(ew_message(),
                           "'bad.inp' line 2: an element names node 3, which no *NODE has");
    CU_ASSERT_EQUAL(read_inp("*INCLUDE, INPUT=nodes.inp\n", NULL, &mesh, &groups), EW_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), "line 1: "));
}

/* Parts that are placed several times, shifted and turned, have their own numbers and names. */
static void test_parts(void)
{
    static const char text[] =
        "*PART, NAME=p\n*NODE, NSET=all\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n"
        "*ELEMENT, TYPE=C3D4, ELSET=e\n1, 1, 2, 3, 4\n*SURFACE, NAME=s\ne, S2\n*END PART\n"
        "*PART, NAME=unused\n*NODE\n1, 5, 5, 5\n*END PART\n"
        "*ASSEMBLY, NAME=a\n*INSTANCE, NAME=p-1, PART=P\n*END INSTANCE\n"
        "*INSTANCE, NAME=p-2, PART=p\n10, 0, 0\n10, 0, 0, 10, 0, 1, 90\n*END INSTANCE\n"
        "*NODE\n1, -1, -1, -1\n*NSET, NSET=point\n1\n*NSET, NSET=some, INSTANCE=P-2\n2, 4\n"
        "*NSET, NSET=range, INSTANCE=p-1, GENERATE\n1, 3\n*NSET, NSET=more\np-1.1, some\n"
        "*ELSET, ELSET=one, INSTANCE=p-2\n1\n*SURFACE, NAME=t\np-2.e, S1\n*END ASSEMBLY\n";
    static const double turned[4][3] = {{10, 0, 0}, {10, 1, 0}, {9, 0, 0}, {10, 0, 1}};
    ew_mesh mesh;
    ew_groups groups;
    must(read_inp(text, NULL, &mesh, &groups));
    CU_ASSERT(mesh.n_tet == 2 && mesh.n_vertex == 9);
    for (int i = 0; i < 12; i++) {
        CU_ASSERT_DOUBLE_EQUAL(mesh.xyz[12 + i], turned[i / 3][i % 3], 1e-14);
    }
    check_list(&groups, EW_GROUP_VERTICES, "p-1.all", 4, (int64_t[]){0, 1, 2, 3});
    check_list(&groups, EW_GROUP_VERTICES, "p-2.all", 4, (int64_t[]){4, 5, 6, 7});
    check_list(&groups, EW_GROUP_VERTICES, "point", 0, (int64_t[]){8}); /* it is in no tet */
    check_list(&groups, EW_GROUP_VERTICES, "some", 2, (int64_t[]){5, 7});
    check_list(&groups, EW_GROUP_VERTICES, "range", 3, (int64_t[]){0, 1, 2});
    check_list(&groups, EW_GROUP_VERTICES, "more", 3, (int64_t[]){0, 5, 7});
    CU_ASSERT(need(&groups, EW_GROUP_FACES, "p-2.s") && need(&groups, EW_GROUP_FACES, "t"));
    CU_ASSERT(need(&groups, EW_GROUP_TETS, "p-1.e")->label !=
              need(&groups, EW_GROUP_TETS, "p-2.e")->label);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

/* 1-2 2-3 3-1 1-4 2-4 3-4: that of 2-3 lies off the straight one. */
static void test_ten_nodes(void)
{
    ew_mesh mesh;
    ew_groups groups;
    must(read_inp(
        "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n5, .5, 0, 0\n6, .6, .7, 0\n"
        "7, 0, .5, 0\n8, 0, 0, .5\n9, .5, 0, .5\n10, 0, .5, .5\n*ELEMENT, TYPE=C3D10\n"
        "1, 1, 2, 3, 4, 5, 6, 7, 8, 9,\n10\n*NSET, NSET=n, GENERATE\n1, 10\n",
        NULL, &mesh, &groups));
    CU_ASSERT(mesh.has_middles && mesh.n_curve == 1 && mesh.n_vertex == 4);
    CU_ASSERT_PTR_NOT_NULL(ew_mesh_curve(&mesh, 1, 2));
    check_list(&groups, EW_GROUP_VERTICES, "n", 4, (int64_t[]){0, 1, 2, 3});
    ew_text text;
    ew_mesh again;
    must(ew_format_write_mesh(ew_format_of_name(".msh"), &mesh, &groups, true, &text));
    const ew_bytes file = {text.data, text.size};
    const ew_mesh_input input = {.file = &file};
    must(ew_format_read_mesh(ew_format_of_name(".msh"), &input, &again, NULL, NULL));
    CU_ASSERT(again.has_middles && again.n_curve == 1);
    CU_ASSERT_DOUBLE_EQUAL(again.curve[1], mesh.curve[1], 1e-15);
    ew_text_free(&text);
    ew_mesh_free(&again);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

static void refuse(const char *text, int line, const char *message)
{
    ew_mesh mesh;
    ew_groups groups;
    char begin[32];
    CU_ASSERT_EQUAL(read_inp(text, NULL, &mesh, &groups) != EW_OK, true);
    snprintf(begin, sizeof begin, "line %d: ", line);
    if (strstr(ew_message(), begin) != ew_message() || !strstr(ew_message(), message)) {
        printf("\n%s\n", ew_message());
        CU_FAIL("another message");
    }
}

static void test_refusals(void)
{
    refuse("", 1, "no keywords");
    refuse("\n\n1, 2\n", 3, "before the first keyword");
    refuse("*NODE\n1, 0, 0, 0\n", 1, "no tets");
    refuse("*NODE\n1, 0, 0, x\n", 2, "a coordinate is 'x'");
    refuse("*NODE\n1, 0, 0, 1e999\n", 2, "finite number");
    refuse("*NODE\n1.5, 0, 0, 1\n", 2, "whole number");
    refuse("*NODE\n1, 0\n2, 0\n1, 1\n", 4, "node 1 is there twice");
    refuse("*NODE, SYSTEM=C\n1, 0\n", 1, "rectangular");
    refuse("*NGEN\n1, 2\n", 1, "write the mesh out");
    refuse(NODES "*ELEMENT\n1, 10\n", 11, "TYPE=");
    refuse(NODES "*ELEMENT, TYPE=C3D8R\n1, 10\n", 11, "only tets");
    refuse(NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 30\n2, 10, 20, 30, 40\n", 12, "3 nodes");
    refuse(NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40, 50\n", 12, "5 nodes");
    refuse(NODES "*ELEMENT, TYPE=C3D4\n1, 10, 20, 30, 40\n1, 20, 30, 40, 50\n", 13, "twice");
    refuse(NODES "*ELEMENT, TYPE=C3D4\n5, 10, 20, 30, 30\n", 12, "element 5");
    refuse(NODES TETS "*NSET\n10\n", 16, "NSET=NAME");
    refuse(NODES TETS "*NSET, NSET=a, GENERATE\n10, 20, 0\n", 17, "step above 0");
    refuse(NODES TETS "*NSET, NSET=a\nb\n", 17, "no NSET 'b'");
    refuse(NODES TETS "*NSET, NSET=\n10\n", 16, "without a name");
    refuse(NODES TETS "*SURFACE, NAME=s\n1, S5\n", 17, "S1 to S4");
    refuse(NODES TETS "*SURFACE, NAME=s\n99, S1\n", 17, "no element and no ELSET '99'");
    refuse(NODES TETS "*SURFACE\n", 16, "NAME=");
    refuse(NODES TETS "*SURFACE, NAME=s, TYPE=CUTTING SURFACE\n", 16, "TYPE=CUTTING");
    refuse(NODES TETS "*INSTANCE, NAME=a\n*INSTANCE, NAME=b\n", 16, "*INSTANCE has no end");
    refuse("*PART, NAME=p\n*INSTANCE, NAME=i\n*END PART\n", 1, "the deck has no tets");
    refuse(NODES TETS "*INSTANCE, NAME=a, PART=p\n*END INSTANCE\n", 16,
           "there is no *PART, NAME=p");
    refuse(NODES TETS "*PART, NAME=a\n*END PART\n*PART, NAME=b\n*END PART\n", 18,
           "without an *INSTANCE");
    refuse(NODES TETS "*INSTANCE, NAME=a\n0, 0, 0\n1, 0, 0, 1, 0, 0, 90\n*END INSTANCE\n", 16,
           "axis");
    refuse(NODES TETS "*INSTANCE, NAME=a\n0, 0, 0\n0, 0, 0, 1, 0, 0, 90, 1\n*END INSTANCE\n", 18,
           "two points and an angle");
}

/* Sets of sets would be endless, ranges too. */
static void test_bounds(void)
{
    char text[4000] = NODES TETS "*NSET, NSET=s0, GENERATE\n-2147483647, 2147483647, 1\n";
    ew_mesh mesh;
    for (int i = 1; i < 40; i++) {
        const size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "*NSET, NSET=s%d\ns%d, s%d, s%d, s%d, s%d\n", i, i - 1,
                 i - 1, i - 1, i - 1, i - 1);
    }
    must(read_inp(text, NULL, &mesh, NULL));
    ew_mesh_free(&mesh);
}

static void test_no_memory(void)
{
    static const include files[] = {{"t", TETS}, {NULL, NULL}};
    for (int64_t k = 0;; k++) {
        ew_mesh mesh;
        ew_groups groups;
        ew_test_allocations_begin(k);
        const ew_status status =
            read_inp(NODES "*INCLUDE, INPUT=t\n*NSET, NSET=a\n10\n*SURFACE, NAME=s\nright\n", files,
                     &mesh, &groups);
        if (!status) {
            ew_mesh_free(&mesh);
            ew_groups_free(&groups);
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        if (!ew_test_allocations_end()) {
            break;
        }
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo inp[] = {{"sets", test_sets},           {"surfaces", test_surfaces},
                                {"sections", test_sections},   {"partition", test_partition},
                                {"others", test_others},       {"includes", test_includes},
                                {"parts", test_parts},         {"ten_nodes", test_ten_nodes},
                                {"refusals", test_refusals},   {"bounds", test_bounds},
                                {"no_memory", test_no_memory}, CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"inp", NULL, NULL, NULL, NULL, inp}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
