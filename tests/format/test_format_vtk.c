/* Unstructured grids of VTK, legacy and XML: what VTK's own writer writes, names that are written
 * and read again, and what is refused. */
#include "format/parts/format.h"
#include "testlib.h"

#include <stdio.h>
#include <string.h>

/* Two tets of regions 1 and 2, a triangle with label 7 and a line; compressed, as VTK 9.7 has it.
 */
#define HEAD                                                                                       \
    "<?xml version=\"1.0\"?>\n<!-- <Piece> -->\n<VTKFile type=\"UnstructuredGrid\" "               \
    "version=\"0.1\" byte_order=\"LittleEndian\" header_type=\"UInt32\" "                          \
    "compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid>\n"                                  \
    "<Piece NumberOfPoints=\"5\" NumberOfCells=\"4\">\n"
#define ARRAY(type, name, data)                                                                    \
    "<DataArray type=\"" type "\" Name=\"" name "\" format=\"binary\">\n" data "\n</DataArray>\n"
#define COORDINATES                                                                                \
    "<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"binary\">"            \
    "AQAAAACAAAB4AAAAFAAAAA==eF5jYMAHPtjjlSZaHpMGAPByBxs=</DataArray>\n</Points>\n"
#define CELLS                                                                                      \
    "<Cells>\n" ARRAY("Int64", "connectivity",                                                     \
                      "AQAAAACAAABoAAAAGwAAAA==eF5jYIAARijNBKWZCYizMKACdHXo4gAE8AAV")              \
        ARRAY("Int64", "offsets", "AQAAAACAAAAgAAAAEwAAAA==eF5jYYAADijNDaV5oTQAAngAJQ==")          \
            ARRAY("UInt8", "types", "AQAAAACAAAAEAAAADAAAAA==eF7j4mJlBgAAVwAd") "</Cells>\n"
#define TIP "AQAAAACAAAAFAAAADQAAAA==eF5jYGBgYAQAAAYAAg=="
#define DATA                                                                                       \
    "<PointData>\n" ARRAY("UInt8", "group:tip &amp; &lt;",                                         \
                          TIP) "</PointData>\n<CellData>\n" ARRAY("Int32", "region",               \
                                                                  "AQAAAACAAAAQAAAAEgAAAA=="       \
                                                                  "eF5jZGBgYAJidgYIAAAAcAAL")      \
        ARRAY("UInt8", "group:wall", "AQAAAACAAAAEAAAADAAAAA==eF5jYGBkAAAABgAC") "</CellData>\n"
#define TAIL "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n"
#define LEGACY                                                                                     \
    "# vtk DataFile Version 3.0\ntwo tets\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n"     \
    "0 0 0 1 0 0 0 1 0\n0 0 1 1 1 1\nCELLS 3 14\n4 0 1 2 3\n4 1 2 3 4\n3 0 1 2\n"                  \
    "CELL_TYPES 3\n10 10 5\nCELL_DATA 3\nVECTORS v float\n1 2 3 4 5 6 7 8 9\n"                     \
    "SCALARS Material int\nLOOKUP_TABLE default\n3 3 8\nFIELD f 1\ngroup:a%20b 1 3 int\n0 1 0\n"

static ew_status read_mesh(const char *ending, const char *data, size_t size, ew_mesh *mesh,
                           ew_groups *groups)
{
    const ew_bytes file = {data, size};
    const ew_mesh_input input = {.file = &file};
    return ew_format_read_mesh(ew_format_of_name(ending), &input, mesh, NULL, groups);
}

static void check_grid(const ew_mesh *mesh, const ew_groups *groups)
{
    CU_ASSERT(mesh->n_tet == 2 && mesh->n_face == 1 && mesh->n_active_vertex == 5);
    CU_ASSERT_EQUAL(mesh->region_label[mesh->region[1]], 2);
    const ew_group *wall = ew_groups_find(groups, EW_GROUP_FACES, "wall");
    const ew_group *tip = ew_groups_find(groups, EW_GROUP_VERTICES, "tip & <");
    CU_ASSERT_PTR_NOT_NULL_FATAL(wall);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tip);
    CU_ASSERT(wall->is_label && wall->label == mesh->face_label[0]);
    CU_ASSERT(tip->n_id == 1 && tip->id[0] == 4);
}

static void test_xml(void)
{
    static const char text[] = HEAD DATA COORDINATES CELLS TAIL;
    ew_mesh mesh;
    ew_groups groups;
    must(read_mesh(".vtu", text, sizeof text - 1, &mesh, &groups));
    check_grid(&mesh, &groups);
    CU_ASSERT_EQUAL(mesh.face_label[0], 7);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

static void test_legacy(void)
{
    ew_mesh mesh;
    ew_groups groups;
    must(read_mesh(".vtk", LEGACY, sizeof LEGACY - 1, &mesh, &groups));
    CU_ASSERT(mesh.n_tet == 2 && mesh.n_face == 1 && mesh.region_label[0] == 3);
    CU_ASSERT_EQUAL(mesh.face_label[0], 8);
    const ew_group *group = ew_groups_find(&groups, EW_GROUP_TETS, "a b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(group);
    CU_ASSERT(!group->is_label && group->n_id == 1 && group->id[0] == 1);
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

/* What has names is written with them, in every format that can, and is there again. */
static void test_round_trip(void)
{
    static const char text[] = HEAD DATA COORDINATES CELLS TAIL;
    ew_mesh mesh, again;
    ew_groups groups, names;
    must(read_mesh(".vtu", text, sizeof text - 1, &mesh, &groups));
    for (int32_t i = 0; ew_format_at(i); i++) {
        const ew_format *format = ew_format_at(i);
        ew_text made;
        char ending[8];
        if (!format->writes_groups) {
            continue;
        }
        snprintf(ending, sizeof ending, "%.4s", format->endings);
        must(ew_format_write_mesh(format, &mesh, &groups, true, &made));
        must(read_mesh(ending, made.data, made.size, &again, &names));
        check_grid(&again, &names);
        /* Decks have names alone. */
        CU_ASSERT(again.face_label[0] == 7 || format == ew_format_of_name(".inp"));
        /* They have the nodes of each label, too. */
        CU_ASSERT_EQUAL(names.n, groups.n + (format == ew_format_of_name(".inp")));
        CU_ASSERT_EQUAL(memcmp(again.xyz, mesh.xyz, 24 * (size_t)mesh.n_vertex), 0);
        CU_ASSERT_EQUAL(memcmp(again.tet, mesh.tet, 16 * (size_t)mesh.n_tet), 0);
        ew_text_free(&made);
        ew_mesh_free(&again);
        ew_groups_free(&names);
    }
    ew_mesh_free(&mesh);
    ew_groups_free(&groups);
}

static void refuse(const char *ending, const char *text, const char *message)
{
    ew_mesh mesh;
    const ew_status status = read_mesh(ending, text, strlen(text), &mesh, NULL);
    CU_ASSERT(status == EW_BAD_INPUT || status == EW_MESH_REPEATED);
    if (strstr(ew_message(), "line ") != ew_message() || !strstr(ew_message(), message)) {
        printf("\n%s\n", ew_message());
        CU_FAIL("another message");
    }
    if (!status) {
        ew_mesh_free(&mesh);
    }
}

/* The text with a part of it replaced. */
static void refuse_change(const char *ending, const char *text, const char *old, const char *with,
                          const char *message)
{
    char changed[4096];
    const char *at = strstr(text, old);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, with, at + strlen(old));
    refuse(ending, changed, message);
}

static void test_bad_xml(void)
{
    static const char text[] = HEAD DATA COORDINATES CELLS TAIL;
    refuse(".vtu", "", "no grid");
    refuse(".vtu", HEAD TAIL, "the grid says 5 points");
    refuse_change(".vtu", text, "type=\"UnstructuredGrid\"", "type=\"PolyData\"",
                  "UnstructuredGrid is read");
    refuse_change(".vtu", text, "vtkZLib", "vtkLZ4", "with ZLib (ParaView");
    refuse_change(".vtu", text, "vtkZLib", "vtkLZMA", "compressor='vtkLZMADataCompressor'");
    refuse_change(".vtu", text, "NumberOfPoints=\"5\"", "NumberOfPoints=\"6\"", "sizes of");
    refuse_change(".vtu", text, "NumberOfCells=\"4\"", "NumberOfCells=\"x\"", "whole number");
    refuse_change(".vtu", text, "NumberOfPoints=\"5\"", "NumberOfPoints=\"2000000000\"",
                  "more numbers than");
    refuse_change(".vtu", text, "AAA==eF5jYGBgYAQ", "AAA==eF5jYGBhYAQ", "compressed data");
    refuse_change(".vtu", text, "AAYAAg==", "AAYAAw==", "damaged");
    refuse_change(".vtu", text, "AAYAAg==", "AA", "end too early");
    refuse_change(".vtu", text, "AAYAAg==", "AAY!Ag==", "base64");
    refuse_change(".vtu", text, "eF7j4mJlBgAAVwAd", "eF7j4mBlBgAAVwAd", "damaged");
    refuse_change(".vtu", text, "\"Float64\"", "\"Float\"", "no type of numbers");
    refuse_change(".vtu", text, "format=\"binary\"", "format=\"hex\"", "ascii, binary and");
    refuse_change(".vtu", text, "format=\"binary\"", "format=\"appended\" offset=\"7\"",
                  "appended data");
}

static void test_bad_legacy(void)
{
    refuse(".vtk", "", "begins with");
    refuse_change(".vtk", LEGACY, "ASCII", "HEX", "ASCII or BINARY");
    refuse_change(".vtk", LEGACY, "UNSTRUCTURED_GRID", "POLYDATA", "UNSTRUCTURED_GRID is read");
    refuse_change(".vtk", LEGACY, "POINTS 5", "POINTS 6", "a number is 'cells'");
    refuse_change(".vtk", LEGACY, "POINTS 5", "POINTS 2000000000", "the file ends before");
    refuse_change(".vtk", LEGACY, "4 1 2 3 4", "9 1 2 3 4", "size of cell 1");
    refuse_change(".vtk", LEGACY, "4 1 2 3 4", "4 1 2 3 5", "names a point");
    refuse_change(".vtk", LEGACY, "4 1 2 3 4", "4 1 2 3 3", "tet 1");
    refuse_change(".vtk", LEGACY, "10 10 5", "10 12 5", "its type is not read");
    refuse_change(".vtk", LEGACY, "10 10 5", "10 5 5", "nodes of its type");
    refuse_change(".vtk", LEGACY, "10 10 5", "5 5 5", "nodes of its type");
    refuse_change(".vtk", LEGACY, "VECTORS", "VICTORS", "no section of VTK");
}

static void test_no_memory(void)
{
    static const char text[] = HEAD DATA COORDINATES CELLS TAIL;
    for (int k = 0, done = 0; !done; k++) {
        ew_mesh mesh;
        ew_groups groups;
        ew_text made;
        ew_test_allocations_begin(k);
        const ew_status status = read_mesh(".vtu", text, sizeof text - 1, &mesh, &groups);
        if (!status) {
            if (!ew_format_write_mesh(ew_format_of_name(".vtk"), &mesh, &groups, true, &made)) {
                ew_text_free(&made);
            }
            ew_mesh_free(&mesh);
            ew_groups_free(&groups);
        }
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        done = !ew_test_allocations_end();
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo vtk[] = {
        {"xml", test_xml},         {"legacy", test_legacy},         {"round_trip", test_round_trip},
        {"bad_xml", test_bad_xml}, {"bad_legacy", test_bad_legacy}, {"no_memory", test_no_memory},
        CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"vtk", NULL, NULL, NULL, NULL, vtk}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
