/* MEDIT files: layouts, bad input with the line that its message names, damage; numbers to the last
 * bit in any locale; what is written and read again. */
#include "curved_fixture.h"
#include "format_fixture.h"

#include <locale.h>

/* ---- MEDIT ------------------------------------------------------------- */

static void test_medit_layouts(void)
{
    static const char *const text[] = {
        HEAD VERTICES ONE_TET "End\n",
        HEAD VERTICES ONE_TET, /* no End */
        "MeshVersionFormatted 1\r\nDimension\r\n3\r\nVertices\r\n4\r\n0 0 0 0\r\n1 0 0 0\r\n"
        "0 1 0 0\r\n0 0 1 0\r\nTetrahedra\r\n1\r\n1 2 3 4 7\r\nEnd\r\n",
        "# a comment\n\n  MeshVersionFormatted 3 # here\nDimension 3 Vertices 4 0 0 0 0 1 0 0 0 "
        "0 1 0 0 0 0 1 0 Tetrahedra 1 1 2 3 4 7 End",
        HEAD ONE_TET VERTICES, /* tets first */
        HEAD "Corners 2 1 2\nRidges\n1\n3\nNormals 1\n0.5 -1e3 .25\n" VERTICES
             "Edges 1\n1 2 5\n" ONE_TET "Quadrilaterals 0\nHexahedra\n0\nEnd\nrubbish\x01\xff",
        HEAD "Vertices 4\n0. .0 -0 0\n+1 0e9 0.0e-400 0\n0 10.e-1 0 0\n"
             "0 0 0.000001d6 0\nTetrahedra 1\n1 2 3 4 +7"};
    for (size_t i = 0; i < LENGTH(text); i++) {
        ew_mesh mesh;
        ew_status status = read_medit(text[i], &mesh, NULL);
        CU_ASSERT_EQUAL(status, EW_OK);
        if (status) {
            printf("\n  text %zu: %s\n", i, ew_message());
            continue;
        }
        CU_ASSERT_EQUAL(mesh.n_vertex, 4);
        CU_ASSERT_EQUAL(mesh.n_tet, 1);
        CU_ASSERT_EQUAL(mesh.region_label[0], 7);
        CU_ASSERT(ew_mesh_tet_volume(&mesh, 0) == 1.0 / 6.0);
        ew_mesh_free(&mesh);
    }
}

static void test_medit_repairs(void)
{
    ew_mesh mesh;
    ew_mesh_repair repair;
    const char *text = HEAD "Vertices 5 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 9 9 9 0\n"
                            "Triangles 1\n1 3 2 12\nTetrahedra 1 1 3 2 4 0\n";
    CU_ASSERT_EQUAL_FATAL(read_medit(text, &mesh, &repair), EW_OK);
    CU_ASSERT_EQUAL(repair.n_reoriented, 1);
    CU_ASSERT_EQUAL(repair.n_unused, 1);
    CU_ASSERT_EQUAL(mesh.n_face, 1);
    CU_ASSERT_EQUAL(mesh.face_label[0], 12);
    ew_text text_out;
    /* nothing was edited: the unused vertex keeps its place in the user's numbering */
    CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, true, &text_out), EW_OK);
    ew_mesh again;
    CU_ASSERT_EQUAL_FATAL(ew_read_medit(text_out.data, text_out.size, &again, NULL), EW_OK);
    CU_ASSERT(same_mesh(&mesh, &again));
    ew_text_free(&text_out);
    ew_mesh_free(&again);
    CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, false, &text_out), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_read_medit(text_out.data, text_out.size, &again, NULL), EW_OK);
    CU_ASSERT_EQUAL(again.n_vertex, 4);
    ew_text_free(&text_out);
    ew_mesh_free(&again);
    ew_mesh_free(&mesh);
}

/* Both orders of the last two middles, which files have. */
static void test_medit_second_order(void)
{
    static const char *const last[] = {"9 10", "10 9"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        ew_mesh mesh;
        snprintf(text, sizeof text,
                 HEAD "Vertices 10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n.5 0 0 0\n.5 .5 0 0\n"
                      "0 .5 0 0\n0 0 .5 0\n.5 0.1 .5 0\n0 .5 .5 0\nTrianglesP2 1\n1 3 2 7 6 5 4\n"
                      "TetrahedraP2 1\n1 2 3 4 5 6 7 8 %s 3\nEnd\n",
                 last[i]);
        CU_ASSERT_EQUAL_FATAL(ew_read_medit(text, strlen(text), &mesh, NULL), EW_OK);
        CU_ASSERT(mesh.n_tet == 1 && mesh.n_vertex == 4 && mesh.n_face == 1 && mesh.n_curve == 1);
        CU_ASSERT(ew_mesh_curve(&mesh, 3, 1) != NULL);
        ew_mesh_free(&mesh);
    }
    refuse_medit(HEAD VERTICES "TetrahedraP2 1\n1 2 3 4 1 2 3 4 5 6 0\n", EW_BAD_INPUT,
                 "line 9: ", "vertex 5");
    refuse_medit(HEAD "Vertices 10\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n.2 0 0 0\n.5 .5 0 0\n"
                      "0 .5 0 0\n0 0 .5 0\n.5 0 .5 0\n0 .5 .5 0\n"
                      "TetrahedraP2 1\n1 2 3 4 5 6 7 8 9 10 3\nEnd\n",
                 EW_MESH_VOLUME, "line 15: counted from 0: tet 0: its curved sides fold it",
                 "at (0, 0, 0) its Jacobian is -0.2");
}

static void test_medit_bad_heads(void)
{
    refuse_medit("", EW_BAD_INPUT, "line 1: ", "MeshVersionFormatted");
    refuse_medit("\x7f\x45\x4c\x46\x01\n", EW_BAD_INPUT, "line 1: ", "begins with '?elf?'");
    refuse_medit("MeshVersionFormatted 9\n", EW_BAD_INPUT, "line 1: ", "from 1 to 4");
    refuse_medit("MeshVersionFormatted\n", EW_BAD_INPUT, "line 2: ", "the file ends");
    refuse_medit("MeshVersionFormatted 2\nDimension 2\n", EW_BAD_INPUT,
                 "line 2: ", "Dimension is 2");
    refuse_medit("MeshVersionFormatted 2\n" VERTICES, EW_BAD_INPUT, "line 2: ", "before Dimension");
    refuse_medit(HEAD VERTICES, EW_BAD_INPUT, "line 8: ", "without a section Tetrahedra");
    refuse_medit(HEAD ONE_TET, EW_BAD_INPUT, "line 5: ", "without a section Vertices");
    refuse_medit(HEAD VERTICES VERTICES, EW_BAD_INPUT, "line 8: ", "second section Vertices");
    refuse_medit(HEAD VERTICES "Hexahedra 1\n1 2 3 4 1 2 3 4 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 8: ", "only Tetrahedra and");
}

static void test_medit_bad_counts(void)
{
    refuse_medit(HEAD "Vertices 2147483648\n0 0 0 0\n", EW_BAD_INPUT,
                 "line 3: ", "from 0 to 2147483647");
    refuse_medit(HEAD "Vertices\n99999999999999999999999999\n", EW_BAD_INPUT,
                 "line 4: ", "from 0 to 2147483647");
    refuse_medit(HEAD "Vertices -1\n", EW_BAD_INPUT, "line 3: ", "'-1'");
    refuse_medit(HEAD "Vertices 4.5\n", EW_BAD_INPUT, "line 3: ", "'4.5'");
    refuse_medit(HEAD VERTICES "Tetrahedra 2147483647\n1 2 3 4 0\n", EW_BAD_INPUT,
                 "line 8: ", "cut off");
    refuse_medit(HEAD VERTICES "Triangles 1000\n1 2 3 0\n", EW_BAD_INPUT, "line 8: ", "cut off");
    /* fewer entries than said, then more */
    refuse_medit(HEAD "Vertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 8: ", "coordinate x is 'tetrahedra'");
    refuse_medit(HEAD "Vertices 3\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 7: ", "more entries than its count");
}

static void test_medit_bad_entries(void)
{
    refuse_medit(HEAD "Vertices 4\n0 0 0 0\n1 nan 0 0\n0 1 0 0\n0 0 1 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 5: ", "coordinate y is 'nan'");
    refuse_medit(HEAD "Vertices 4\n0 0 0 0\n1 0 -inf 0\n0 1 0 0\n0 0 1 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 5: ", "coordinate z is '-inf'");
    refuse_medit(HEAD "Vertices 4\n1e400 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 4: ", "range of a double");
    refuse_medit(HEAD "Vertices 4\n0x1p3 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 4: ", "'0x1p3'");
    refuse_medit(HEAD VERTICES "Tetrahedra 1\n1 2 3 5 0\n", EW_BAD_INPUT,
                 "line 9: ", "vertex 5; the vertices are 1 to 4");
    refuse_medit(HEAD VERTICES "Tetrahedra 1\n1 2 0 4 0\n", EW_BAD_INPUT,
                 "line 9: ", "vertex number is '0'");
    refuse_medit(HEAD VERTICES "Triangles 2\n1 2 3 0\n1 2 9 0\n" ONE_TET, EW_BAD_INPUT,
                 "line 10: ", "triangle names vertex 9");
    refuse_medit(HEAD VERTICES "Tetrahedra 2\n1 2 3 4 0\n1 2 3 3 0\n", EW_MESH_REPEATED,
                 "line 10: ", "twice");
    refuse_medit(HEAD "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 0 0\n# flat\nTetrahedra 1\n\n"
                      "1 2 3 4 0\n",
                 EW_MESH_VOLUME, "line 11: ", "volume");
    refuse_medit(HEAD VERTICES "Tetrahedra 2\n1 2 3 4 0\n4 3 2 1 0\n", EW_MESH_DUPLICATE,
                 "line 10: ", "same vertices");
}

/* Cut anywhere: a message with a line, or (behind the last tet) the same mesh. */
static void test_medit_cut_anywhere(void)
{
    ew_mesh mesh, read;
    ew_text text;
    int64_t n_read = 0;
    make_mesh(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, true, &text), EW_OK);
    for (size_t size = 0; size < text.size; size += size < 200 || size + 40 > text.size ? 1 : 7) {
        char *cut = malloc(size + 1); /* so that a sanitizer sees the end */
        memcpy(cut, text.data, size);
        ew_status status = ew_read_medit(cut, size, &read, NULL);
        if (status == EW_OK) {
            CU_ASSERT(size + 20 > text.size);
            n_read++;
            ew_mesh_free(&read);
        } else {
            CU_ASSERT(status == EW_BAD_INPUT && strncmp(ew_message(), "line ", 5) == 0);
        }
        free(cut);
    }
    CU_ASSERT(n_read > 0);
    ew_text_free(&text);
    ew_mesh_free(&mesh);
}

/* A million random damages would take too long; a few thousand find the silly mistakes. */
static void test_medit_survives_damage(void)
{
    ew_mesh mesh, read;
    ew_text text;
    uint64_t seed = 3;
    make_mesh(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, true, &text), EW_OK);
    char *copy = malloc(text.size);
    int32_t n_refused = 0;
    for (int i = 0; i < 1000; i++) {
        memcpy(copy, text.data, text.size);
        for (int k = 0; k < 3; k++) {
            copy[ew_test_random(&seed, (uint32_t)text.size)] =
                (char)(k == 0 ? ew_test_random(&seed, 256) : ' ' + ew_test_random(&seed, 32));
        }
        if (ew_read_medit(copy, text.size, &read, NULL) == EW_OK) {
            CU_ASSERT_EQUAL(ew_mesh_check(&read) == EW_OK || ew_mesh_check(&read) == EW_MESH_FACE,
                            true);
            ew_mesh_free(&read);
        } else {
            n_refused++;
        }
    }
    CU_ASSERT(n_refused > 0);
    free(copy);
    ew_text_free(&text);
    ew_mesh_free(&mesh);
}

/* ---- numbers ----------------------------------------------------------- */

static double read_number(const char *digits)
{
    char text[2048];
    ew_mesh mesh;
    snprintf(text, sizeof text,
             HEAD "Vertices 5 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 %s 0 0 0 Tetrahedra 1 1 2 3 4 0",
             digits);
    CU_ASSERT_EQUAL_FATAL(read_medit(text, &mesh, NULL), EW_OK);
    double value = mesh.xyz[12];
    ew_mesh_free(&mesh);
    return value;
}

static void check_number(const char *digits)
{
    double found = read_number(digits), wanted = strtod(digits, NULL);
    CU_ASSERT(memcmp(&found, &wanted, sizeof found) == 0);
}

static void test_numbers_are_exact(void)
{
    static const char *const hard[] = {
        "0",
        "-0",
        "-0.0e5",
        "1",
        "00012.500",
        ".5",
        "5.",
        "123456789012345",
        "1234567890123456",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000000000000000000001",
        "1e22",
        "1e23",
        "-8.5e-23",
        "2.2250738585072011e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623157e308",
        "0.000000000000000000000000000000000000000000000000000000000001e60",
        "1e-400",
        "0.1000000000000000055511151231257827021181583404541015625",
        "179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558"
        "632766878171540458953514382464234321326889464182768467546703537516986049910576551282076245"
        "4"
        "90090389328944075868508455133942304583236903222948165808559332123347974623"
        "e-0"};
    for (size_t i = 0; i < LENGTH(hard); i++) {
        check_number(hard[i]);
    }
    /* half way between two doubles, but for a digit beyond the 800th */
    char text[1100];
    memset(text, '0', sizeof text);
    memcpy(text, "9007199254740993.", 17);
    text[1000] = 0;
    check_number(text);
    text[999] = '1';
    check_number(text);
    uint64_t seed = 11;
    for (int i = 0; i < 3000; i++) {
        double value;
        uint64_t bits =
            (uint64_t)ew_test_random(&seed, UINT32_MAX) << 32 | ew_test_random(&seed, UINT32_MAX);
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            snprintf(text, sizeof text, "%.*g", 1 + (int)ew_test_random(&seed, 20), value);
            if (isfinite(strtod(text, NULL))) {
                check_number(text);
            }
        }
    }
}

/* A program may run under a locale that writes 0,5; files do not change with it. */
static void test_locale_does_not_matter(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF"};
    const char *found = NULL;
    for (size_t i = 0; i < LENGTH(names) && !found; i++) {
        found = setlocale(LC_NUMERIC, names[i]);
    }
    if (!found) {
        ew_test_skip("no locale with a decimal comma is installed");
        return;
    }
    ew_mesh mesh, again;
    ew_text text;
    make_mesh(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, true, &text), EW_OK);
    CU_ASSERT(memchr(text.data, ',', text.size) == NULL);
    CU_ASSERT_EQUAL_FATAL(ew_read_medit(text.data, text.size, &again, NULL), EW_OK);
    setlocale(LC_NUMERIC, "C");
    CU_ASSERT(same_mesh(&mesh, &again));
    ew_text_free(&text);
    ew_mesh_free(&mesh);
    ew_mesh_free(&again);
}

/* ---- round trips ------------------------------------------------------- */

static void test_medit_round_trip(void)
{
    ew_mesh mesh, again;
    ew_text text, second;
    make_mesh(&mesh);
    for (int user_order = 0; user_order < 2; user_order++) {
        CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, user_order, &text), EW_OK);
        CU_ASSERT_EQUAL_FATAL(ew_read_medit(text.data, text.size, &again, NULL), EW_OK);
        CU_ASSERT(same_mesh(&mesh, &again));
        CU_ASSERT_EQUAL_FATAL(ew_write_medit(&again, user_order, &second), EW_OK);
        CU_ASSERT(text.size == second.size && memcmp(text.data, second.data, text.size) == 0);
        ew_text_free(&text);
        ew_text_free(&second);
        ew_mesh_free(&again);
    }
    ew_mesh_free(&mesh);
}

/* Tets of ten nodes: in TetrahedraP2, and where a format lacks them in its comment; so are
 * triangles of six. */
static void test_second_order_round_trip(void)
{
    static const char *const endings[] = {".mesh", ".node"};
    for (size_t f = 0; f < LENGTH(endings); f++) {
        const ew_format *format = ew_format_of_name(endings[f]);
        ew_text text[EW_FORMAT_MAX_FILES] = {{0}};
        ew_bytes bytes[EW_FORMAT_MAX_FILES];
        ew_mesh mesh, again;
        CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[]){1, 1, 1}, (int32_t[]){2, 2, 2}),
                              EW_OK);
        bend_mesh(&mesh, 0.02);
        CU_ASSERT_EQUAL_FATAL(ew_format_write_mesh(format, &mesh, NULL, true, text), EW_OK);
        CU_ASSERT(has_part(&text[0], "\nTetrahedraP2\n48\n") == (f == 0));
        CU_ASSERT(has_part(&text[0], "\nTrianglesP2\n48\n") == (f == 0));
        for (int32_t i = 0; i < format->n_file; i++) {
            bytes[i] = (ew_bytes){text[i].data, text[i].size};
        }
        const ew_mesh_input input = {.file = bytes};
        CU_ASSERT_EQUAL_FATAL(ew_format_read_mesh(format, &input, &again, NULL, NULL), EW_OK);
        CU_ASSERT(same_mesh(&mesh, &again) && again.has_middles);
        CU_ASSERT_EQUAL_FATAL(again.n_curve, mesh.n_curve);
        for (int32_t i = 0; i < mesh.n_curve; i++) {
            const double *curve =
                ew_mesh_curve(&again, mesh.curve_end[2 * i], mesh.curve_end[2 * i + 1]);
            for (int c = 0; c < 3 && curve; c++) {
                CU_ASSERT_DOUBLE_EQUAL(curve[c], mesh.curve[3 * i + c], 1e-15);
            }
            CU_ASSERT_PTR_NOT_NULL(curve);
        }
        for (int32_t i = 0; i < format->n_file; i++) {
            ew_text_free(&text[i]);
        }
        ew_mesh_free(&mesh);
        ew_mesh_free(&again);
    }
}

static void test_user_order(void)
{
    ew_mesh mesh, moved, again;
    ew_text text;
    make_mesh(&mesh);
    CU_ASSERT_EQUAL_FATAL(ew_mesh_copy(&moved, &mesh), EW_OK);
    int32_t *order = malloc((size_t)mesh.n_vertex * sizeof *order);
    for (int32_t v = 0; v < mesh.n_vertex; v++) {
        order[v] = (int32_t)((7 * (int64_t)v + 3) % mesh.n_vertex); /* 60 vertices */
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_compact(&moved, order, true, NULL, NULL), EW_OK);
    CU_ASSERT(!same_mesh(&mesh, &moved));
    CU_ASSERT_EQUAL_FATAL(ew_write_medit(&moved, true, &text), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_read_medit(text.data, text.size, &again, NULL), EW_OK);
    CU_ASSERT(same_mesh(&mesh, &again));
    free(order);
    ew_text_free(&text);
    ew_mesh_free(&again);
    ew_mesh_free(&moved);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"medit_layouts", test_medit_layouts},
        {"medit_repairs", test_medit_repairs},
        {"medit_second_order", test_medit_second_order},
        {"medit_bad_heads", test_medit_bad_heads},
        {"medit_bad_counts", test_medit_bad_counts},
        {"medit_bad_entries", test_medit_bad_entries},
        {"medit_cut_anywhere", test_medit_cut_anywhere},
        {"medit_survives_damage", test_medit_survives_damage},
        {"numbers_are_exact", test_numbers_are_exact},
        {"locale_does_not_matter", test_locale_does_not_matter},
        {"medit_round_trip", test_medit_round_trip},
        {"second_order_round_trip", test_second_order_round_trip},
        {"user_order", test_user_order},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"MEDIT", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
