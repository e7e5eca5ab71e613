/* Nastran files: narrow, wide and free fields, continuations, tets of ten nodes, what is refused.
 */
#include "format_fixture.h"

#define BDF ew_format_of_name(".bdf")

#define GRIDS                                                                                      \
    "SOL 101\nCEND\nBEGIN BULK\n"                                                                  \
    "GRID    7                    0.0     0.0     0.0\n"                                           \
    "GRID*                  8                             1.             0.+0\n"                   \
    "*                    0.0\n"                                                                   \
    "GRID,9,,0.,10.-1\n$ nothing\n"                                                                \
    "grid    11      0       0.      0.0     .1+1\n"                                               \
    "GRID,12,,1.d0,1.,1.\n"

static ew_status read_bdf(const char *text, ew_mesh *mesh)
{
    const ew_bytes file = {text, strlen(text)};
    return ew_format_read_mesh(BDF, &(ew_mesh_input){.file = &file}, mesh, NULL, NULL);
}

static void test_fields(void)
{
    static const char *const text[] = {
        GRIDS "CTETRA  1       5       7       8       9       11      \n"
              "CTETRA  2               8       9       11      12\nCTRIA3  3       6       7       "
              "8       9\nENDDATA\nCHEXA,9\n",
        "CTETRA,1,5,7,8,9,11\nCTETRA,2,,8,9,11,12\nCTRIA3,3,6,7,8,9\n" GRIDS,
        GRIDS "CTETRA* 1               5               7               8\n"
              "*       9               11\nCTETRA,2,,8,9,11,12\nCTRIA3,3,6,7,8,9\n",
    };
    for (size_t i = 0; i < LENGTH(text); i++) {
        ew_mesh mesh;
        const ew_status status = read_bdf(text[i], &mesh);
        if (i == 1) { /* what stands before BEGIN BULK is no data */
            CU_ASSERT_EQUAL(status, EW_BAD_INPUT);
            continue;
        }
        must(status);
        CU_ASSERT(mesh.n_tet == 2 && mesh.n_vertex == 5 && mesh.n_face == 1);
        CU_ASSERT(mesh.region_label[mesh.region[0]] == 5 && mesh.region_label[mesh.region[1]] == 0);
        CU_ASSERT_EQUAL(mesh.face_label[0], 6);
        CU_ASSERT_DOUBLE_EQUAL(ew_mesh_tet_volume(&mesh, 0), 1.0 / 6, 1e-15);
        ew_mesh_free(&mesh);
    }
}

/* Middles 01 12 20 03 13 23. */
static void test_ten_nodes(void)
{
    static const char text[] =
        "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nGRID,3,,0.,1.,0.\nGRID,4,,0.,0.,1.\n"
        "GRID,5,,.5,0.,0.\nGRID,6,,.6,.7,0.\nGRID,7,,0.,.5,0.\nGRID,8,,0.,0.,.5\n"
        "GRID,9,,.5,0.,.5\nGRID,10,,0.,.5,.5\n"
        "CTETRA  1       3       1       2       3       4       5       6\n"
        "        7       8       9       10\nCTRIA6,2,4,1,2,3,5,6,7\n";
    char meshio[sizeof text];
    memcpy(meshio, text, sizeof text);
    strstr(meshio, "CTETRA ")[6] = '_'; /* as meshio calls them */
    for (int k = 0; k < 2; k++) {
        ew_mesh mesh;
        must(read_bdf(k ? meshio : text, &mesh));
        CU_ASSERT(mesh.has_middles && mesh.n_curve == 1 && mesh.curve_end[0] == 1 &&
                  mesh.curve_end[1] == 2);
        CU_ASSERT(mesh.n_face == 1 && mesh.face_label[0] == 4);
        ew_mesh_free(&mesh);
    }
}

static void test_refusals(void)
{
    static const struct {
        const char *text, *begin, *rest;
    } bad[] = {
        {"", "line 1: ", "no tets"},
        {GRIDS, "line 11: ", "no tets"},
        {GRIDS "CTETRA,1,5,7,8,9,13\n", "line 11: ", "GRID 13"},
        {GRIDS "CTETRA,1,5,7,8,9\n", "line 11: ", "a node's number"},
        {GRIDS "CTETRA,1,5,7,8,9,nine\n", "line 11: ", "'nine'"},
        {GRIDS "CTETRA,1,5,7,8,9,7\n", "line 11: ", "named twice"},
        {GRIDS "CHEXA,1,5,7,8,9,11\n", "line 11: ", "only tets"},
        {GRIDS "INCLUDE 'other.bdf'\n", "line 11: ", "INCLUDE"},
        {GRIDS "GRID,7,,0.,0.,0.\n", "line 12: ", "two GRID have the number 7"},
        {"GRID,1,2,0.,0.,0.\n", "line 1: ", "coordinate system 2"},
        {"GRID,1,,x,0.,0.\n", "line 1: ", "'x'"},
        {"GRID,0,,1.,0.,0.\n", "line 1: ", "'0'"},
    };
    for (size_t i = 0; i < LENGTH(bad); i++) {
        ew_mesh mesh;
        const ew_status status = read_bdf(bad[i].text, &mesh);
        CU_ASSERT_NOT_EQUAL(status, EW_OK);
        check_refusal(status, status, bad[i].begin, bad[i].rest);
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"fields", test_fields},
                           {"ten_nodes", test_ten_nodes},
                           {"refusals", test_refusals},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"Nastran", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
