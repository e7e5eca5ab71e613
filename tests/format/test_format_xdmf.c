/* Meshes of XDMF: numbers in their place and in files that the caller opens, topologies of one type
 * and mixed ones, regions and labels, what is refused. */
#include "format_fixture.h"

#define XDMF ew_format_of_name(".xdmf")

#define BEGIN_XML "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\"><Domain><Grid Name=\"a\">\n"
#define END_XML   "</Grid></Domain></Xdmf>\n"
#define GEOMETRY                                                                                   \
    "<Geometry GeometryType=\"XYZ\"><DataItem Dimensions=\"5 3\" Format=\"XML\">\n"                \
    "0 0 0  1 0 0  0 1 0  0 0 1  1 1 1\n</DataItem></Geometry>\n"
#define TETS                                                                                       \
    "<Topology TopologyType=\"Tetrahedron\" NumberOfElements=\"2\">\n"                             \
    "<DataItem Dimensions=\"2 4\">0 1 2 3\n1 2 3 4</DataItem></Topology>\n"
#define MIXED                                                                                      \
    "<Topology Type=\"Mixed\"><DataItem Dimensions=\"18\">6 0 1 2 3 4 1 2 3 2 2 0 4 6 1 2 3 4"     \
    "</DataItem></Topology>\n"
#define REGIONS                                                                                    \
    "<Attribute Name=\"medit:ref\" AttributeType=\"Scalar\" Center=\"Cell\">\n"                    \
    "<DataItem Dimensions=\"%s\">%s</DataItem></Attribute>\n"
#define NAMED                                                                                      \
    "<Attribute Name=\"group:tip\" Center=\"Node\"><DataItem Dimensions=\"5\">0 0 0 0 1"           \
    "</DataItem></Attribute><Attribute Name=\"u\" AttributeType=\"Vector\" Center=\"Node\">"       \
    "<DataItem Dimensions=\"1\" Format=\"Other\">0</DataItem></Attribute>\n"

/* "points.h5:/xyz" has the five points; "short.h5:/xyz" too few numbers. */
static ew_status open_numbers(void *user, const char *name, ew_text *text)
{
    static const double xyz[15] = {[3] = 1, [7] = 1, [11] = 1, [12] = 1, [13] = 1, [14] = 1};
    (void)user;
    if (strcmp(name, "points.h5:/a/xyz") != 0 && strcmp(name, "short.h5:/xyz") != 0) {
        return ew_fail(EW_IO, "%s: cannot be opened", name);
    }
    EW_TRY(ew_new(&text->data, sizeof xyz, 1));
    memcpy(text->data, xyz, sizeof xyz);
    text->size = *name == 's' ? 8 : sizeof xyz;
    return EW_OK;
}

static ew_status read_xdmf(const char *text, ew_mesh *mesh, ew_groups *groups)
{
    const ew_bytes file = {text, strlen(text)};
    const ew_mesh_input input = {.file = &file, .open = open_numbers};
    return ew_format_read_mesh(XDMF, &input, mesh, NULL, groups);
}

static void test_one_type(void)
{
    ew_mesh mesh;
    ew_groups groups = {0};
    char text[2000];
    snprintf(text, sizeof text, BEGIN_XML "%s%s" REGIONS NAMED END_XML, GEOMETRY, TETS, "2", "3 7");
    must(read_xdmf(text, &mesh, &groups));
    CU_ASSERT(mesh.n_vertex == 5 && mesh.n_tet == 2 && mesh.n_region == 2);
    CU_ASSERT(mesh.region_label[0] == 3 && mesh.region_label[1] == 7);
    const ew_group *tip = ew_groups_find(&groups, EW_GROUP_VERTICES, "tip");
    CU_ASSERT(tip && tip->n_id == 1 && tip->id[0] == 4);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

static void test_mixed(void)
{
    ew_mesh mesh;
    char text[2000];
    snprintf(text, sizeof text, BEGIN_XML "%s%s" REGIONS END_XML, MIXED, GEOMETRY, "4", "3 9 0 7");
    must(read_xdmf(text, &mesh, NULL));
    CU_ASSERT(mesh.n_tet == 2 && mesh.n_face == 1 && mesh.face_label[0] == 9);
    CU_ASSERT(mesh.region_label[0] == 3 && mesh.region_label[1] == 7);
    ew_mesh_free(&mesh);
}

static void test_files_beside(void)
{
    ew_mesh mesh;
    must(read_xdmf(BEGIN_XML TETS
                   "<Geometry><DataItem Dimensions=\"5 3\" Format=\"HDF\"> points.h5:/a/xyz\n"
                   "</DataItem></Geometry>" END_XML,
                   &mesh, NULL));
    CU_ASSERT(mesh.n_vertex == 5 && mesh.xyz[3] == 1 && mesh.xyz[14] == 1);
    ew_mesh_free(&mesh);
}

static void test_refusals(void)
{
    static const struct {
        const char *text, *begin, *rest;
    } bad[] = {
        {"", "line 1: ", "no mesh"},
        {BEGIN_XML GEOMETRY END_XML, "line 1: ", "no mesh"},
        {BEGIN_XML GEOMETRY TETS TETS END_XML, "line 9: ", "a second grid"},
        {BEGIN_XML GEOMETRY "<Topology TopologyType=\"3DRectMesh\"/>" END_XML,
         "line 6: ", "Mixed are read"},
        {BEGIN_XML GEOMETRY "<Topology/>" END_XML, "line 6: ", "TopologyType=''"},
        {BEGIN_XML "<Geometry GeometryType=\"XY\"/>" END_XML, "line 3: ", "of type XYZ"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"2 3\" Format=\"Binary\">x</DataItem>",
         "line 3: ", "XML and HDF"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"2 3\" ItemType=\"HyperSlab\">x</DataItem>",
         "line 3: ", "save them whole"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"2 x\">1</DataItem>",
         "line 3: ", "whole numbers"},
        {BEGIN_XML "<Geometry><DataItem>1</DataItem>", "line 3: ", "whole numbers"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"2147483647 3\">1 2</DataItem>",
         "line 3: ", "more numbers than"},
        {BEGIN_XML
         "<Geometry><DataItem Dimensions=\"2147483647 2147483647 2147483647\">1</DataItem>",
         "line 3: ", "whole numbers"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"1\">q</DataItem>", "line 3: ", "a number"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"1\" Format=\"HDF\">q</DataItem>",
         "line 3: ", "no place in an HDF5"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"1\" Format=\"HDF\"> </DataItem>",
         "line 3: ", "the place of data"},
        {BEGIN_XML "<Geometry><DataItem Dimensions=\"15\" Format=\"HDF\">short.h5:/xyz</DataItem>",
         "line 3: ", "has 1 numbers"},
        {BEGIN_XML GEOMETRY "<Topology Type=\"Mixed\"><DataItem Dimensions=\"4\">6 0 1 2</DataItem>"
                            "</Topology>" END_XML,
         "line 6: ", "at cell 0"},
        {BEGIN_XML GEOMETRY
         "<Topology Type=\"Mixed\"><DataItem Dimensions=\"5\">99 0 1 2 3</DataItem>"
         "</Topology>" END_XML,
         "line 6: ", "at cell 0"},
        {BEGIN_XML GEOMETRY
         "<Topology Type=\"Hexahedron\"><DataItem Dimensions=\"8\">0 1 2 3 4 0 1 2"
         "</DataItem></Topology>" END_XML,
         "line 6: ", "its type is not read"},
        {BEGIN_XML GEOMETRY TETS "<Attribute Name=\"region\" Center=\"Cell\"><DataItem "
                                 "Dimensions=\"1\">1</DataItem></Attribute>" END_XML,
         "line 6: ", "1 numbers for 2 cells"},
        {BEGIN_XML GEOMETRY "<Topology Type=\"Tetrahedron\"><DataItem Dimensions=\"4\">0 1 2 5"
                            "</DataItem></Topology>" END_XML,
         "line 6: ", "names a point"},
    };
    for (size_t i = 0; i < LENGTH(bad); i++) {
        ew_mesh mesh;
        const ew_status status = read_xdmf(bad[i].text, &mesh, NULL);
        check_refusal(status, EW_BAD_INPUT, bad[i].begin, bad[i].rest);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"one_type", test_one_type},
                           {"mixed", test_mixed},
                           {"files_beside", test_files_beside},
                           {"refusals", test_refusals},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"XDMF", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
