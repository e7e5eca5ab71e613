/* Surfaces to be shown: OBJ with texture coordinates, normals and groups read, written as it was
 * and deformed, as OBJ and as a RenderMan archive. */
#include "format_fixture.h"

static const char house[] = "mtllib house.mtl\n"
                            "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\n"
                            "vt 0 0\nvt 1 0\nvt 1 1\nvt 0.5 0.25\n"
                            "vn 0 0 1\nvn 1 0 0\n"
                            "g floor  \r\nusemtl \"stone\" # cold\n"
                            "f 1/1/1 4/4/1 3/3/1 2/2/1\n"
                            "g roof\n"
                            "f 1/1/2 2/2/2 5/3/2\nf 2/2/2 3/3/2 5/4/2\nf -3//-1 -2//-1 -1//-1\n"
                            "f 4/1 1/2 5/3\n";

static ew_status read_polygons(const ew_format *format, const char *text, ew_polygons *polygons)
{
    return ew_format_read_polygons(format, &(ew_bytes){text, strlen(text)}, polygons, NULL);
}

static ew_polygons read_house(void)
{
    ew_polygons polygons;
    memset(&polygons, 0, sizeof polygons);
    must(read_polygons(OBJ, house, &polygons));
    return polygons;
}

/* Everything but the case of the comment; n: the words in the text. */
static void expect_text(const ew_text *text, const char *words, int n)
{
    int found = 0;
    char *copy = calloc(text->size + 1, 1);
    memcpy(copy, text->data, text->size);
    for (const char *at = copy; (at = strstr(at, words)); at++) {
        found++;
    }
    if (found != n) {
        printf("\n  %d times '%s' in\n%s\n", found, words, copy);
    }
    CU_ASSERT_EQUAL(found, n);
    free(copy);
}

static void test_what_is_kept(void)
{
    ew_polygons p = read_house();
    CU_ASSERT_EQUAL(p.surface.n_vertex, 5);
    CU_ASSERT_EQUAL(p.surface.n_triangle, 6);
    CU_ASSERT_EQUAL(p.n_face, 5);
    CU_ASSERT_EQUAL(p.n_corner, 16);
    CU_ASSERT_EQUAL(p.texture_width, 2);
    CU_ASSERT_EQUAL(p.uvw[3 * 3 + 1], 0.25);
    CU_ASSERT_EQUAL(p.texture[1], 3);
    CU_ASSERT_EQUAL(p.texture[10], -1);
    /* floor and roof have a normal each at the four corners; the last face has none in the file */
    CU_ASSERT_EQUAL(p.n_normal, 4 + 5 + 3);
    CU_ASSERT_EQUAL(p.normal[4 + 2], p.normal[4 + 3 + 2]);
    CU_ASSERT(p.normal[0] != p.normal[4]);
    CU_ASSERT_EQUAL_FATAL(p.n_line, 4);
    CU_ASSERT_STRING_EQUAL(p.text + p.line[1].begin, "g floor");
    CU_ASSERT_STRING_EQUAL(p.text + p.line[2].begin, "usemtl \"stone\"");
    CU_ASSERT_EQUAL(p.line[3].face, 1);
    ew_polygons_free(&p);
}

static void test_normals_of_positions(void)
{
    ew_polygons p = read_house();
    double normal[12 * 3];
    ew_polygons_normals(&p, p.surface.xyz, NULL, normal);
    CU_ASSERT_EQUAL(normal[3 * p.normal[0] + 2], -1.0); /* the floor looks down */
    const double *tip = normal + 3 * p.normal[6];       /* three of the four sides */
    CU_ASSERT(tip[2] > 0.0 && tip[0] > 0.0);
    CU_ASSERT_DOUBLE_EQUAL(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2], 1.0, 1e-15);
    const bool has[5] = {true, true, true, true, false};
    ew_polygons_normals(&p, p.surface.xyz, has, normal);
    CU_ASSERT_EQUAL(normal[3 * p.normal[6]], 0.0);
    ew_polygons_free(&p);
}

static void test_obj_is_written_as_it_was(void)
{
    ew_polygons p = read_house(), again;
    const ew_polygon_frame frame = {&p, p.surface.xyz, NULL, "house", "frame 3, time 0.5"};
    ew_text text;
    must(ew_write_obj(&frame, &text));
    expect_text(&text, "# frame 3, time 0.5\n", 1);
    expect_text(&text, "vt 0.5 0.25\n", 1);
    expect_text(&text, "g floor\nusemtl \"stone\"\nf 1/1/1 4/4/2 3/3/3 2/2/4\ng roof\n", 1);
    memset(&again, 0, sizeof again);
    must(ew_format_read_polygons(OBJ, &(ew_bytes){text.data, text.size}, &again, NULL));
    CU_ASSERT(!memcmp(again.surface.xyz, p.surface.xyz, 15 * sizeof(double)));
    CU_ASSERT(!memcmp(again.vertex, p.vertex, 16 * sizeof(int32_t)));
    CU_ASSERT(!memcmp(again.texture, p.texture, 16 * sizeof(int32_t)));
    CU_ASSERT(!memcmp(again.normal, p.normal, 16 * sizeof(int32_t)));
    CU_ASSERT_EQUAL(again.n_line, 4);
    ew_text_free(&text);
    ew_polygons_free(&again);
    ew_polygons_free(&p);
}

static void test_released_vertices_take_their_faces(void)
{
    ew_polygons p = read_house();
    const bool has[5] = {true, false, true, true, true};
    const ew_polygon_frame frame = {&p, p.surface.xyz, has, "house", NULL};
    ew_text text;
    must(ew_write_obj(&frame, &text));
    expect_text(&text, "\nv ", 5);
    expect_text(&text, "\nf ", 2);
    ew_text_free(&text);
    must(ew_write_rib(&frame, &text));
    expect_text(&text, "PointsPolygons [3 3 ]\n", 1);
    ew_text_free(&text);
    ew_polygons_free(&p);
}

/* RI 3.2: an entity; a primitive for each group, N by corner where a vertex has several, st turned
 * upside down. */
static void test_rib(void)
{
    ew_polygons p = read_house();
    const ew_polygon_frame frame = {&p, p.surface.xyz, NULL, "the \"house\"", "frame 3"};
    ew_text text;
    must(ew_write_rib(&frame, &text));
    CU_ASSERT(!strncmp(text.data, "##RenderMan RIB-Structure 1.1 Entity\n# frame 3\n", 40));
    expect_text(&text, "AttributeBegin\n", 2);
    expect_text(&text, "AttributeEnd\n", 2);
    expect_text(&text, "\"name\" [\"the \\\"house\\\" floor\"]\n", 1);
    expect_text(&text, "\"name\" [\"the \\\"house\\\" roof\"]\n", 1);
    expect_text(&text, "# usemtl \"stone\"\n", 1);
    expect_text(&text, "PointsPolygons [3 3 ]\n[0 1 2 \n0 2 3 \n]\n\"P\" [ 0 0 0\n 0 1 0\n", 1);
    expect_text(&text, "PointsPolygons [3 3 3 3 ]\n[0 1 2 \n1 3 2 \n3 4 2 \n4 0 2 \n]\n", 1);
    expect_text(&text, "]\n\"N\" [ 0 0 -1\n", 1);
    expect_text(&text, "\"facevarying normal N\" [", 1);
    expect_text(&text, "\"facevarying float[2] st\" [ 0 1 0.5 0.75 1 0\n", 1);
    ew_text_free(&text);
    ew_polygons_free(&p);
}

/* Formats without polygons: triangles, one normal a vertex. */
static void test_triangles(void)
{
    ew_polygons p;
    memset(&p, 0, sizeof p);
    must(read_polygons(OFF, "OFF\n4 4 6\n" POINTS FACES, &p));
    CU_ASSERT_EQUAL(p.n_face, 4);
    CU_ASSERT_EQUAL(p.n_normal, 4);
    CU_ASSERT_EQUAL(p.n_texture, 0);
    CU_ASSERT_EQUAL(p.texture[5], -1);
    ew_polygons_free(&p);
}

static void refuse(const char *text, const char *begin, const char *part)
{
    ew_polygons p;
    memset(&p, 0x5a, sizeof p);
    const ew_polygons untouched = p;
    check_refusal(read_polygons(OBJ, text, &p), EW_BAD_INPUT, begin, part);
    CU_ASSERT(!memcmp(&p, &untouched, sizeof p));
}

static void test_bad_input(void)
{
#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
    refuse(THREE "f 1/2 2/1 3/1\n", "line 6: ", "texture coordinates is '2'; expected a whole");
    refuse(THREE "f 1/0 2/1 3/1\n", "line 6: ", "texture coordinates is 0");
    refuse(THREE "f 1//1 2//-2 3//1\n", "line 6: ", "normal");
    refuse(THREE "f 1/1/ 2 3\n", "line 6: ", "normal");
    refuse(THREE "f 1/x 2 3\n", "line 6: ", "'x'");
    refuse("v 0 0 0\nvt a\nf 1 1 1\n", "line 2: ", "texture coordinate u");
    refuse("v 0 0 0\nvt\nf 1 1 1\n", "line 2: ", "the line ends");
    refuse("v 0 0 0\nvt 0 inf\nf 1 1 1\n", "line 2: ", "texture coordinate v");
    ew_surface surface; /* where only triangles are wanted, none of this matters */
    must(read_surface(OBJ, THREE "f 1/9 2/x 3//\n", &surface));
    ew_surface_free(&surface);
}

static void test_memory_may_end_at_any_time(void)
{
    for (int64_t k = 0;; k++) {
        ew_polygons p;
        ew_text text = {0};
        memset(&p, 0, sizeof p);
        ew_test_allocations_begin(k);
        ew_status status = read_polygons(OBJ, house, &p);
        const ew_polygon_frame frame = {&p, p.surface.xyz, NULL, "house", NULL};
        for (int i = 0; i < 2 && !status; i++) {
            status = i ? ew_write_rib(&frame, &text) : ew_write_obj(&frame, &text);
            ew_text_free(&text);
        }
        ew_polygons_free(&p);
        CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
        CU_ASSERT(status == EW_OK || status == EW_NO_MEMORY);
        if (!ew_test_allocations_end()) {
            break;
        }
    }
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"what_is_kept", test_what_is_kept},
        {"normals_of_positions", test_normals_of_positions},
        {"obj_is_written_as_it_was", test_obj_is_written_as_it_was},
        {"released_vertices_take_their_faces", test_released_vertices_take_their_faces},
        {"rib", test_rib},
        {"triangles", test_triangles},
        {"bad_input", test_bad_input},
        {"memory_may_end_at_any_time", test_memory_may_end_at_any_time},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"polygons", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
