/* Surface files, OFF, OBJ and STL: layouts and bad input; and whether a surface is closed. */
#include "format_fixture.h"

/* ---- surfaces ---------------------------------------------------------- */

static void check_tetrahedron(const ew_format *format, const char *text)
{
    ew_surface surface;
    ew_status status = read_surface(format, text, &surface);
    CU_ASSERT_EQUAL(status, EW_OK);
    if (status) {
        printf("\n  %s\n", ew_message());
        return;
    }
    CU_ASSERT_EQUAL(surface.n_vertex, 4);
    CU_ASSERT_EQUAL(surface.n_triangle, 4);
    CU_ASSERT_EQUAL(ew_surface_check(&surface), EW_OK);
    ew_surface_free(&surface);
}

static void test_off_layouts(void)
{
    check_tetrahedron(OFF, "OFF\n4 4 6\n" POINTS FACES);
    check_tetrahedron(OFF, "OFF 4 4 6\n" POINTS FACES);
    check_tetrahedron(OFF, "# c\noff\n\n# d\n4 4\n" POINTS "\n# e\n" FACES "junk");
    check_tetrahedron(OFF, "4 4 6\n" POINTS FACES);
    check_tetrahedron(OFF, "COFF\r\n4 4 6\r\n0 0 0 1 1 1 1\r\n1 0 0 1 0 0 1\r\n0 1 0 0 0 "
                           "0 0\r\n0 0 1 0 0 0 0\r\n" FACES);
    check_tetrahedron(OFF, "OFF 4 4 0\n" POINTS "3 0 2 1 0.5 0.5 0.5\n3 0 1 3\n"
                           "3 0 3 2 255 0 0\n3 1 2 3");
    ew_surface surface;
    CU_ASSERT_EQUAL_FATAL(
        read_surface(OFF, "OFF 4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n", &surface), EW_OK);
    CU_ASSERT_EQUAL(surface.n_triangle, 2);
    const int32_t fan[6] = {0, 1, 2, 0, 2, 3};
    CU_ASSERT(memcmp(surface.triangle, fan, sizeof fan) == 0);
    ew_surface_free(&surface);
}

static void test_off_bad_input(void)
{
    refuse_surface(OFF, "", "line 1: ", "begins with 'OFF'");
    refuse_surface(OFF, "PLY\n", "line 1: ", "'ply'");
    refuse_surface(OFF, "4OFF 1 1 1\n", "line 1: ", "'4off'");
    refuse_surface(OFF, "OFF BINARY\n", "line 1: ", "binary");
    refuse_surface(OFF, "OFF 2147483648 1 0\n", "line 1: ", "from 0 to 2147483647");
    refuse_surface(OFF, "OFF -4 1 0\n", "line 1: ", "'-4'");
    refuse_surface(OFF, "OFF\n4 1000000 0\n" POINTS FACES, "line 2: ", "cut off");
    refuse_surface(OFF, "OFF\n4 5 0\n" POINTS FACES, "line 11: ", "the file ends");
    refuse_surface(OFF, "OFF\n4 1 0\n0 0 0\n1 0\n0 1 0\n0 0 1\n3 0 1 2\n",
                   "line 4: ", "the line ends before coordinate z");
    refuse_surface(OFF, "OFF\n4 1 0\n0 0 0\n1 NaN 0\n0 1 0\n0 0 1\n3 0 1 2\n", "line 4: ", "'nan'");
    refuse_surface(OFF, "OFF\n4 1 0\n" POINTS "3 0 1 4\n", "line 7: ", "from 0 to 3");
    refuse_surface(OFF, "OFF\n4 1 0\n" POINTS "3 0 1\n", "line 7: ", "the line ends");
    refuse_surface(OFF, "OFF\n4 1 0\n" POINTS "2 0 1 2\n", "line 7: ", "'2'");
    refuse_surface(OFF, "OFF\n4 1 0\n" POINTS "2147483647 0 1 2\n", "line 7: ", "cannot hold");
}

static void test_obj_layouts(void)
{
    check_tetrahedron(OBJ, "# c\no body\nv 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nv 0 0 1 .5 .5 "
                           ".5\nvt 0 0\nvn 0 0 1\nf 1 3 2\nf 1/1 2/1 4/1\nusemtl a/b\n"
                           "f 1//1 4//1 3//1\ns off\nf 2/1/1 3/1/1 4/1/1\n");
    check_tetrahedron(OBJ, "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf -3 -1 -2\r\nv 0 0 1\r\n"
                           "f -4 -3 -1\r\nf -4// -1 -2\r\nf 2 3 4\r\n");
    check_tetrahedron(OBJ, "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv 0 0 0\nv 1 0 0\n"
                           "v 0 1 0\nv 0 0 1"); /* faces first */
    ew_surface surface;
    CU_ASSERT_EQUAL_FATAL(read_surface(OBJ,
                                       "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\n"
                                       "f 1 2 3 4 5\n",
                                       &surface),
                          EW_OK);
    const int32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    CU_ASSERT_EQUAL(surface.n_triangle, 3);
    CU_ASSERT(memcmp(surface.triangle, fan, sizeof fan) == 0);
    ew_surface_free(&surface);
}

static void test_obj_bad_input(void)
{
    refuse_surface(OBJ, "", "line 1: ", "no faces");
    refuse_surface(OBJ, "v 0 0 0\n\xff\xfe\x00", "line 1: ", "no faces");
    refuse_surface(OBJ, "v 0 0 0\nf 1 1\n", "line 2: ", "at least 3");
    refuse_surface(OBJ, "v 0 0 0\nf 1 1 2\n", "line 2: ", "from -1 to 1");
    refuse_surface(OBJ, "v 0 0 0\nf 1 1 0\n", "line 2: ", "numbered from 1");
    refuse_surface(OBJ, "v 0 0 0\nf 1 1 -2\n", "line 2: ", "from -1 to 1");
    refuse_surface(OBJ, "v 0 0 0\nf 1 1 /1\n", "line 2: ", "a face's vertex");
    refuse_surface(OBJ, "v 0 0 0\nf 1 1 99999999999999999999/1\n", "line 2: ", "from -1 to 1");
    refuse_surface(OBJ, "v 0 0\nf 1 1 1\n", "line 1: ", "the line ends");
    refuse_surface(OBJ, "v 0 0 Infinity\nf 1 1 1\n", "line 1: ", "'infinity'");
}

static void test_stl_text(void)
{
    ew_surface surface;
    int32_t n_welded;
    const char *text = "  solid # my part\r\n" FACET(O, Y, X)
        FACET(O, X, Z) "endsolid my part\n"
                       "SOLID\n" FACET(O, Z, Y) FACET(X, Y, Z) "EndSolid";
    check_tetrahedron(STL, text);
    CU_ASSERT_EQUAL_FATAL(ew_format_read_surface(STL, &(ew_bytes){text, strlen(text)}, &surface,
                                                 &n_welded, NULL),
                          EW_OK);
    CU_ASSERT_EQUAL(n_welded, 8);
    CU_ASSERT_EQUAL(surface.label[1], 1);
    CU_ASSERT_EQUAL(surface.label[2], 2);
    ew_surface_free(&surface);
}

static void test_stl_text_bad_input(void)
{
    const ew_format *stl = STL;
    refuse_surface(stl, "", "line 1: ", "begins with 'solid'");
    refuse_surface(stl, "rubbish\n", "line 1: ", "8 bytes");
    refuse_surface(stl, "solid a\n", "line 2: ", "the file ends");
    refuse_surface(stl, "solid a\n" FACET(O, X, Y), "line 9: ", "the file ends");
    refuse_surface(stl, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 1",
                   "line 5: ", "the file ends before coordinate z");
    refuse_surface(stl, "solid a\n" FACET(O, X, "0 1e999 0") "endsolid\n",
                   "line 6: ", "coordinate y");
    refuse_surface(stl, "solid a\n" FACET(O, X, "0 inf 0") "endsolid\n", "line 6: ", "'inf'");
    refuse_surface(stl, "solid a\nfacet normal 0 0 1\nouter loop\nendloop\n",
                   "line 4: ", "'endloop' where 'vertex'");
    refuse_surface(stl, "solid a\nfacett\n", "line 2: ", "'facett'");
}

/* The tetrahedron in binary; returns the size. */

static void test_stl_binary(void)
{
    static const char *const head[] = {"", "solid in name only"};
    for (size_t i = 0; i < LENGTH(head); i++) {
        char data[300];
        size_t size = make_binary(data, head[i]);
        ew_surface surface;
        int32_t n_welded;
        CU_ASSERT_EQUAL_FATAL(
            ew_format_read_surface(STL, &(ew_bytes){data, size}, &surface, &n_welded, NULL), EW_OK);
        CU_ASSERT_EQUAL(n_welded, 8);
        CU_ASSERT_EQUAL(surface.n_vertex, 4);
        CU_ASSERT_EQUAL(surface.n_triangle, 4);
        CU_ASSERT_EQUAL(ew_surface_check(&surface), EW_OK);
        ew_surface_free(&surface);
    }
}

static void test_stl_binary_bad_input(void)
{
    char data[300];
    ew_surface surface;
    size_t size = make_binary(data, "part");
    check_refusal(ew_format_read_surface(STL, &(ew_bytes){data, size - 1}, &surface, NULL, NULL),
                  EW_BAD_INPUT, "line 1: ", "84 + 50 n");
    check_refusal(ew_format_read_surface(STL, &(ew_bytes){data, 60}, &surface, NULL, NULL),
                  EW_BAD_INPUT, "line 1: ", "60 bytes");
    data[83] = (char)0xff; /* 4278190084 triangles */
    check_refusal(ew_format_read_surface(STL, &(ew_bytes){data, size}, &surface, NULL, NULL),
                  EW_BAD_INPUT, "line 1: ", "4278190084 triangles");
    data[83] = 0;
    const float nan_value = NAN;
    memcpy(data + 84 + 50 + 12 + 4, &nan_value, 4);
    check_refusal(ew_format_read_surface(STL, &(ew_bytes){data, size}, &surface, NULL, NULL),
                  EW_BAD_INPUT, "triangle 1, byte 150: ", "finite");
}

static void refuse_closed(const char *off, const char *part)
{
    ew_surface surface;
    CU_ASSERT_EQUAL_FATAL(read_surface(OFF, off, &surface), EW_OK);
    check_refusal(ew_surface_check(&surface), EW_BAD_INPUT, "surface ", part);
    ew_surface_free(&surface);
}

static void test_surface_check(void)
{
    refuse_closed("OFF 0 0 0\n", "no triangles");
    refuse_closed(
        "OFF 4 3 0\n" POINTS "3 0 2 1\n3 0 1 3\n3 0 3 2\n",
        "is open: the edge of vertices 1 (1, 0, 0) and 2 (0, 1, 0) has 1 triangle; 3 such");
    refuse_closed("OFF 4 4 0\n" POINTS "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 3 2\n",
                  "is not oriented alike: the edge of vertices 1 (1, 0, 0) and 2");
    refuse_closed("OFF 5 7 0\n" POINTS "0 0 -1\n" FACES "3 0 1 2\n3 0 4 1\n3 0 2 4\n",
                  "is open: the edge of vertices 1");
    refuse_closed("OFF 5 8 0\n" POINTS "0 0 -1\n" FACES "3 0 1 2\n3 0 4 1\n3 0 2 4\n3 2 1 4\n",
                  "is not manifold: the edge of vertices 0 (0, 0, 0) and 1 (1, 0, 0) has 4 tri");
    refuse_closed("OFF 4 5 0\n" POINTS FACES "3 2 2 1\n", "triangle 4 (vertices 2 2 1");
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"off_layouts", test_off_layouts},     {"off_bad_input", test_off_bad_input},
        {"obj_layouts", test_obj_layouts},     {"obj_bad_input", test_obj_bad_input},
        {"stl_text", test_stl_text},           {"stl_text_bad_input", test_stl_text_bad_input},
        {"stl_binary", test_stl_binary},       {"stl_binary_bad_input", test_stl_binary_bad_input},
        {"surface_check", test_surface_check}, CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"surfaces", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
