/* Mesh and surface files: what is read, what is written, and every kind of bad input with the
 * line that its message names. */
#include "format/format.h"
#include "shape/shape.h"
#include "testlib.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define OFF       ew_format_of_name(".off")
#define OBJ       ew_format_of_name(".obj")
#define STL       ew_format_of_name(".stl")

/* ---- helpers ----------------------------------------------------------- */

static ew_status read_medit(const char *text, ew_mesh *mesh, ew_mesh_mend *mend)
{
    return ew_read_medit(text, strlen(text), mesh, mend);
}

static ew_status read_tetgen(const char *node, const char *ele, const char *face, ew_mesh *mesh)
{
    return ew_read_tetgen(node, strlen(node), ele, strlen(ele), face, face ? strlen(face) : 0, mesh,
                          NULL);
}

static ew_status read_surface(const ew_format *format, const char *text, ew_surface *surface)
{
    return ew_read_surface(format, &(ew_bytes){text, strlen(text)}, surface, NULL);
}

/* The status is right and the message begins and goes on as said. */
static void check_refusal(ew_status found, ew_status wanted, const char *begin, const char *part)
{
    bool right = found == wanted && strncmp(ew_message(), begin, strlen(begin)) == 0 &&
                 strstr(ew_message(), part) != NULL;
    if (!right) {
        printf("\n  status %d (wanted %d), message '%s' (wanted '%s' ... '%s')\n", (int)found,
               (int)wanted, found ? ew_message() : "", begin, part);
    }
    CU_ASSERT(right);
}

static void refuse_medit(const char *text, ew_status status, const char *begin, const char *part)
{
    ew_mesh mesh;
    memset(&mesh, 0x5a, sizeof mesh);
    const ew_mesh untouched = mesh;
    check_refusal(read_medit(text, &mesh, NULL), status, begin, part);
    CU_ASSERT(memcmp(&mesh, &untouched, sizeof mesh) == 0);
}

static void refuse_surface(const ew_format *format, const char *text, const char *begin,
                           const char *part)
{
    ew_surface surface;
    memset(&surface, 0x5a, sizeof surface);
    const ew_surface untouched = surface;
    check_refusal(read_surface(format, text, &surface), EW_BAD_INPUT, begin, part);
    CU_ASSERT(memcmp(&surface, &untouched, sizeof surface) == 0);
}

static bool same_bits(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_mesh(const ew_mesh *a, const ew_mesh *b)
{
    if (a->n_vertex != b->n_vertex || a->n_tet != b->n_tet || a->n_face != b->n_face ||
        a->n_region != b->n_region) {
        return false;
    }
    return same_bits(a->xyz, b->xyz, 3 * (size_t)a->n_vertex) &&
           memcmp(a->tet, b->tet, 4 * (size_t)a->n_tet * sizeof *a->tet) == 0 &&
           memcmp(a->region, b->region, (size_t)a->n_tet * sizeof *a->region) == 0 &&
           memcmp(a->region_label, b->region_label,
                  (size_t)a->n_region * sizeof *a->region_label) == 0 &&
           memcmp(a->face, b->face, 3 * (size_t)a->n_face * sizeof *a->face) == 0 &&
           memcmp(a->face_label, b->face_label, (size_t)a->n_face * sizeof *a->face_label) == 0;
}

/* A box whose coordinates have all their bits, with two regions. */
static void make_mesh(ew_mesh *mesh)
{
    ew_mesh box;
    uint64_t seed = 7;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&box, (double[3]){1, 2, 3}, (int32_t[3]){3, 2, 4}), EW_OK);
    for (int32_t i = 0; i < 3 * box.n_vertex; i++) {
        double noise = (double)ew_test_random(&seed, UINT32_MAX) / UINT32_MAX;
        box.xyz[i] += 0.05 * noise * noise - 1e-9 * noise;
    }
    int32_t *label = malloc((size_t)box.n_tet * sizeof *label);
    for (int32_t t = 0; t < box.n_tet; t++) {
        label[t] = t % 3 == 0 ? -5 : 2000000000;
    }
    ew_mesh_def def = {.n_vertex = box.n_vertex,
                       .xyz = box.xyz,
                       .n_tet = box.n_tet,
                       .tet = box.tet,
                       .region = label,
                       .n_face = box.n_face,
                       .face = box.face,
                       .face_label = box.face_label};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    free(label);
    ew_mesh_free(&box);
}

#define HEAD     "MeshVersionFormatted 2\nDimension 3\n"
#define VERTICES "Vertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
#define ONE_TET  "Tetrahedra 1\n1 2 3 4 7\n"

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

static void test_medit_mends(void)
{
    ew_mesh mesh;
    ew_mesh_mend mend;
    const char *text = HEAD "Vertices 5 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 9 9 9 0\n"
                            "Triangles 1\n1 3 2 12\nTetrahedra 1 1 3 2 4 0\n";
    CU_ASSERT_EQUAL_FATAL(read_medit(text, &mesh, &mend), EW_OK);
    CU_ASSERT_EQUAL(mend.n_reoriented, 1);
    CU_ASSERT_EQUAL(mend.n_unused, 1);
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
                 "line 8: ", "only 4-node Tetrahedra");
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
        printf("\n  skipped: no locale with a decimal comma is installed\n");
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

/* ---- TetGen ------------------------------------------------------------ */

#define NODE0 "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"
#define NODE1                                                                                      \
    "# made by hand\n4 3 1 1\n\n1 0 0 0 5.5 1\n2 1 0 0 0 0 # on x\n3 0 1 0 0 1\n4 0 0 1 0 1"

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

/* ---- surfaces ---------------------------------------------------------- */

#define POINTS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
#define FACES  "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

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

#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 nan\nouter loop\nvertex " a "\nvertex " b "\nvertex " c                      \
    "\nendloop\nendfacet\n"
#define O "0 0 0"
#define X "1.0e+0 0 -0"
#define Y "-0.0 1 0"
#define Z "0 0 1"

static void test_stl_text(void)
{
    ew_surface surface;
    int32_t n_welded;
    const char *text = "  solid # my part\r\n" FACET(O, Y, X)
        FACET(O, X, Z) "endsolid my part\n"
                       "SOLID\n" FACET(O, Z, Y) FACET(X, Y, Z) "EndSolid";
    check_tetrahedron(STL, text);
    CU_ASSERT_EQUAL_FATAL(
        ew_read_surface(STL, &(ew_bytes){text, strlen(text)}, &surface, &n_welded), EW_OK);
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
static size_t make_binary(char *to, const char *head)
{
    static const float p[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, -0.0f}, {0, -0.0f, 1}};
    static const int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(to, 0, 84 + 4 * 50);
    memcpy(to, head, strlen(head));
    to[80] = 4;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            memcpy(to + 84 + 50 * i + 12 + 12 * k, p[corner[i][k]], 12);
        }
    }
    return 84 + 4 * 50;
}

static void test_stl_binary(void)
{
    static const char *const head[] = {"", "solid in name only"};
    for (size_t i = 0; i < LENGTH(head); i++) {
        char data[300];
        size_t size = make_binary(data, head[i]);
        ew_surface surface;
        int32_t n_welded;
        CU_ASSERT_EQUAL_FATAL(ew_read_surface(STL, &(ew_bytes){data, size}, &surface, &n_welded),
                              EW_OK);
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
    check_refusal(ew_read_surface(STL, &(ew_bytes){data, size - 1}, &surface, NULL), EW_BAD_INPUT,
                  "line 1: ", "84 + 50 n");
    check_refusal(ew_read_surface(STL, &(ew_bytes){data, 60}, &surface, NULL), EW_BAD_INPUT,
                  "line 1: ", "60 bytes");
    data[83] = (char)0xff; /* 4278190084 triangles */
    check_refusal(ew_read_surface(STL, &(ew_bytes){data, size}, &surface, NULL), EW_BAD_INPUT,
                  "line 1: ", "4278190084 triangles");
    data[83] = 0;
    const float nan_value = NAN;
    memcpy(data + 84 + 50 + 12 + 4, &nan_value, 4);
    check_refusal(ew_read_surface(STL, &(ew_bytes){data, size}, &surface, NULL), EW_BAD_INPUT,
                  "triangle 1, byte 150: ", "finite");
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

/* ---- study meshes, memory ---------------------------------------------- */

static char *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*size);
    CU_ASSERT_EQUAL_FATAL(fread(data, 1, *size, file), *size);
    fclose(file);
    return data;
}

static void test_study_meshes(void)
{
    static const struct {
        const char *name;
        int32_t n_vertex, n_tet;
    } known[] = {{"bunny", 1933, 10013},
                 {"gargoyle", 12471, 50060},
                 {"hand", 25381, 99869},
                 {"dragon", 25241, 100003}};
    for (size_t i = 0; i < LENGTH(known); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/thesis/%s.mesh", EW_STUDY_MESHES, known[i].name);
        if (!ew_test_has_file(path)) {
            continue;
        }
        size_t size;
        char *data = load(path, &size);
        ew_mesh mesh, again;
        ew_mesh_mend mend;
        ew_text text;
        double begin = ew_seconds();
        CU_ASSERT_EQUAL_FATAL(ew_read_medit(data, size, &mesh, &mend), EW_OK);
        double read = ew_seconds();
        CU_ASSERT_EQUAL(mesh.n_vertex, known[i].n_vertex);
        CU_ASSERT_EQUAL(mesh.n_tet, known[i].n_tet);
        CU_ASSERT_EQUAL(mend.n_reoriented, 0);
        CU_ASSERT_EQUAL(ew_mesh_check(&mesh), EW_OK);
        double checked = ew_seconds();
        CU_ASSERT_EQUAL_FATAL(ew_write_medit(&mesh, true, &text), EW_OK);
        printf("\n  %s: read %.3f s, written %.3f s", known[i].name, read - begin,
               ew_seconds() - checked);
        CU_ASSERT_EQUAL_FATAL(ew_read_medit(text.data, text.size, &again, NULL), EW_OK);
        CU_ASSERT(same_mesh(&mesh, &again));
        free(data);
        ew_text_free(&text);
        ew_mesh_free(&again);
        ew_mesh_free(&mesh);
    }
    printf("\n");
}

static void test_study_surfaces(void)
{
    static const char *const name[] = {"bunny", "gargoyle", "hand", "dragon"};
    for (size_t i = 0; i < LENGTH(name); i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/thesis/%s-surface.off", EW_STUDY_MESHES, name[i]);
        if (!ew_test_has_file(path)) {
            continue;
        }
        size_t size;
        char *data = load(path, &size);
        ew_surface surface;
        CU_ASSERT_EQUAL_FATAL(ew_read_surface(OFF, &(ew_bytes){data, size}, &surface, NULL), EW_OK);
        CU_ASSERT_EQUAL(ew_surface_check(&surface), EW_OK);
        ew_surface_free(&surface);
        free(data);
    }
}

static ew_status do_medit(void)
{
    ew_mesh mesh;
    ew_text text;
    EW_TRY(read_medit(HEAD VERTICES "Triangles 1\n1 2 3 4\n" ONE_TET, &mesh, NULL));
    ew_status status = ew_write_medit(&mesh, true, &text);
    ew_mesh_free(&mesh);
    if (status == EW_OK) {
        ew_text_free(&text);
    }
    return status;
}

static ew_status do_tetgen(void)
{
    ew_mesh mesh;
    ew_text text[3];
    EW_TRY(read_tetgen(NODE0, "1 4 0\n0 0 1 2 3\n", "1 0\n0 0 1 2\n", &mesh));
    ew_status status = ew_write_tetgen(&mesh, true, &text[0], &text[1], &text[2]);
    ew_mesh_free(&mesh);
    for (int i = 0; i < 3 && status == EW_OK; i++) {
        ew_text_free(&text[i]);
    }
    return status;
}

static ew_status do_off(void)
{
    ew_surface surface;
    EW_TRY(read_surface(OFF, "OFF 4 4 0\n" POINTS FACES, &surface));
    ew_status status = ew_surface_check(&surface);
    ew_surface_free(&surface);
    return status;
}

static ew_status do_obj(void)
{
    ew_surface surface;
    EW_TRY(read_surface(OBJ, "v 0 0 0\nf 1 1 1\n", &surface));
    ew_surface_free(&surface);
    return EW_OK;
}

static ew_status do_stl(void)
{
    char data[300];
    size_t size = make_binary(data, "");
    ew_surface surface;
    EW_TRY(ew_read_surface(STL, &(ew_bytes){data, size}, &surface, NULL));
    ew_surface_free(&surface);
    return EW_OK;
}

static void test_allocation_failures(void)
{
    ew_status (*job[])(void) = {do_medit, do_tetgen, do_off, do_obj, do_stl};
    for (size_t i = 0; i < LENGTH(job); i++) {
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            ew_test_allocations_begin(k);
            ew_status status = job[i]();
            CU_ASSERT_EQUAL(ew_test_held(), 0);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_FATAL(k < 1000);
        }
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo medit[] = {{"medit_layouts", test_medit_layouts},
                                  {"medit_mends", test_medit_mends},
                                  {"medit_bad_heads", test_medit_bad_heads},
                                  {"medit_bad_counts", test_medit_bad_counts},
                                  {"medit_bad_entries", test_medit_bad_entries},
                                  {"medit_cut_anywhere", test_medit_cut_anywhere},
                                  {"medit_survives_damage", test_medit_survives_damage},
                                  {"numbers_are_exact", test_numbers_are_exact},
                                  {"locale_does_not_matter", test_locale_does_not_matter},
                                  {"medit_round_trip", test_medit_round_trip},
                                  {"user_order", test_user_order},
                                  {"study_meshes", test_study_meshes},
                                  CU_TEST_INFO_NULL};
    static CU_TestInfo tetgen[] = {{"tetgen_round_trip", test_tetgen_round_trip},
                                   {"tetgen_layouts", test_tetgen_layouts},
                                   {"tetgen_bad_input", test_tetgen_bad_input},
                                   CU_TEST_INFO_NULL};
    static CU_TestInfo surface[] = {{"off_layouts", test_off_layouts},
                                    {"off_bad_input", test_off_bad_input},
                                    {"obj_layouts", test_obj_layouts},
                                    {"obj_bad_input", test_obj_bad_input},
                                    {"stl_text", test_stl_text},
                                    {"stl_text_bad_input", test_stl_text_bad_input},
                                    {"stl_binary", test_stl_binary},
                                    {"stl_binary_bad_input", test_stl_binary_bad_input},
                                    {"surface_check", test_surface_check},
                                    {"study_surfaces", test_study_surfaces},
                                    {"allocation_failures", test_allocation_failures},
                                    CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"medit", NULL, NULL, NULL, NULL, medit},
                                          {"tetgen", NULL, NULL, NULL, NULL, tetgen},
                                          {"surface", NULL, NULL, NULL, NULL, surface},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
