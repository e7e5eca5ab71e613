/* TetGen files: layouts, round trip, bad input with the file and the line. */
#include "format_fixture.h"

static void test_tetgen_round_trip(void)
{
    ew_mesh mesh, again;
    ew_text text[3];
    make_mesh(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_write_tetgen(&mesh, true, &text[0], &text[1], &text[2]), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_read_tetgen(text[0].data, text[0].size, text[1].data, text[1].size,
                                         text[2].data, text[2].size, &again, NULL),
                          EW_OK);
    CU_ASSERT(same_mesh(&mesh, &again));
    for (int i = 0; i < 3; i++) {
        ew_text_free(&text[i]);
    }
    ew_mesh_free(&again);
    ew_mesh_free(&mesh);
}

/* Renumbered slots, the user's order in the file. */

/* ---- TetGen ------------------------------------------------------------ */

static void test_tetgen_layouts(void)
{
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(read_tetgen(NODE0, "1 4 0\n0 0 1 2 3\n", NULL, &mesh), EW_OK);
    CU_ASSERT_EQUAL(mesh.n_tet, 1);
    CU_ASSERT_EQUAL(mesh.n_face, 0);
    ew_mesh_free(&mesh);
    CU_ASSERT_EQUAL_FATAL(read_tetgen(NODE1, "1\t4\t1\r\n1 1 2 3 4 12.0\r\n",
                                      "2 1\n1 1 3 2 -8 \n2 1 2 4 9", &mesh),
                          EW_OK);
    CU_ASSERT_EQUAL(mesh.n_vertex, 4);
    CU_ASSERT_EQUAL(mesh.region_label[0], 12);
    CU_ASSERT_EQUAL(mesh.n_face, 2);
    CU_ASSERT_EQUAL(mesh.face[1], 2);
    CU_ASSERT_EQUAL(mesh.face_label[0], -8);
    ew_mesh_free(&mesh);
}

static void refuse_tetgen(const char *node, const char *ele, const char *face, ew_status status,
                          const char *begin, const char *part)
{
    ew_mesh mesh;
    memset(&mesh, 0x5a, sizeof mesh);
    const ew_mesh untouched = mesh;
    check_refusal(read_tetgen(node, ele, face, &mesh), status, begin, part);
    CU_ASSERT(memcmp(&mesh, &untouched, sizeof mesh) == 0);
}

static void test_tetgen_bad_input(void)
{
    const char *ele = "1 4 0\n0 0 1 2 3\n";
    refuse_tetgen("", ele, NULL, EW_BAD_INPUT, ".node line 1: ", "the file ends");
    refuse_tetgen("4 2 0 0\n", ele, NULL, EW_BAD_INPUT, ".node line 1: ", "cut off");
    refuse_tetgen("1 2 0 0\n0 0 0 0\n", ele, NULL, EW_BAD_INPUT, ".node line 1: ", "dimension");
    refuse_tetgen("2147483648 3\n0 0 0 0\n", ele, NULL, EW_BAD_INPUT,
                  ".node line 1: ", "from 0 to 2147483647");
    refuse_tetgen("1 3 0 0\n2 0 0 0\n", ele, NULL, EW_BAD_INPUT, ".node line 2: ", "from 0 to 1");
    refuse_tetgen("2 3 0 0\n0 0 0 0\n2 0 0 0\n", ele, NULL, EW_BAD_INPUT,
                  ".node line 3: ", "entry 2 where 1 should be");
    refuse_tetgen("2 3 0 0\n0 0 0 0\n1 0 0\n", ele, NULL, EW_BAD_INPUT,
                  ".node line 3: ", "the line ends before coordinate z");
    refuse_tetgen("1 3 0 0\n0 0 inf 0\n", ele, NULL, EW_BAD_INPUT, ".node line 2: ", "'inf'");
    refuse_tetgen("1 3 0 0\n0 0 0 0\n1 1 1 1\n", ele, NULL, EW_BAD_INPUT,
                  ".node line 3: ", "more entries");
    refuse_tetgen(NODE0, "1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n", NULL, EW_BAD_INPUT,
                  ".ele line 1: ", "tetrahedra of 10 points");
    refuse_tetgen(NODE0, "9 4 0\n0 0 1 2 3\n", NULL, EW_BAD_INPUT, ".ele line 1: ", "cut off");
    refuse_tetgen(NODE0, "1 4 0\n0 0 1 2\n", NULL, EW_BAD_INPUT, ".ele line 2: ", "the line ends");
    refuse_tetgen(NODE0, "1 4 0\n0 0 1 2 4\n", NULL, EW_BAD_INPUT,
                  ".ele line 2: ", "vertex 4; the vertices are 0 to 3");
    refuse_tetgen(NODE1, "1 4 0\n1 0 1 2 3\n", NULL, EW_BAD_INPUT,
                  ".ele line 2: ", "vertex 0; the vertices are 1 to 4");
    refuse_tetgen(NODE0, "1 4 1\n0 0 1 2 3 0.5\n", NULL, EW_BAD_INPUT,
                  ".ele line 2: ", "region attribute is 0.5");
    refuse_tetgen(NODE0, "1 4 1\n0 0 1 2 3\n", NULL, EW_BAD_INPUT,
                  ".ele line 2: ", "region attribute");
    refuse_tetgen(NODE0, "2 4 0\n0 0 1 2 3\n\n1 0 0 1 2\n", NULL, EW_MESH_REPEATED,
                  ".ele line 4: ", "twice");
    refuse_tetgen(NODE0, ele, "1 1\n0 0 1 7 1\n", EW_BAD_INPUT,
                  ".face line 2: ", "triangle names vertex 7");
    refuse_tetgen(NODE0, ele, "1 1\n0 0 1 2\n", EW_BAD_INPUT, ".face line 2: ", "marker");
    refuse_tetgen(NODE0, ele, "1 1\n0 0 1 2 99999999999\n", EW_BAD_INPUT,
                  ".face line 2: ", "marker");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"tetgen_round_trip", test_tetgen_round_trip},
        {"tetgen_layouts", test_tetgen_layouts},
        {"tetgen_bad_input", test_tetgen_bad_input},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"TetGen", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
