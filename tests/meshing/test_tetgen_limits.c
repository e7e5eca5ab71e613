/* TetGen where it would not end, or take all memory; and shells within shells. */
#include "meshing/tetgen.h"
#include "testlib.h"

#include "ew_parts.h"
#include "meshing/parts/meshing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if EW_WITH_TETGEN
/* Room for all surfaces below. */
typedef struct shells {
    double xyz[3 * 2000];
    int32_t triangle[3 * 4000], label[4000];
    ew_surface surface;
} shells;

static shells *new_shells(void)
{
    shells *made = calloc(1, sizeof *made);
    made->surface.xyz = made->xyz;
    made->surface.triangle = made->triangle;
    made->surface.label = made->label;
    return made;
}

static void add_triangle(ew_surface *surface, int32_t a, int32_t b, int32_t c, bool inwards)
{
    int32_t *to = surface->triangle + 3 * (size_t)surface->n_triangle++;
    to[0] = a;
    to[1] = inwards ? c : b;
    to[2] = inwards ? b : c;
}

static void add_box(ew_surface *surface, double center, const double side[3], bool inwards)
{
    static const int32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const int32_t first = surface->n_vertex;
    for (int32_t k = 0; k < 8; k++) {
        double *x = surface->xyz + 3 * (size_t)surface->n_vertex++;
        for (int c = 0; c < 3; c++) {
            x[c] = center + side[c] * ((k >> c & 1) - 0.5);
        }
    }
    for (int32_t f = 0; f < 6; f++) {
        const int32_t *q = quad[f];
        add_triangle(surface, first + q[0], first + q[1], first + q[2], inwards);
        add_triangle(surface, first + q[0], first + q[2], first + q[3], inwards);
    }
}

/* A sphere of 1,500 triangles whose vertices are strewn, so that most triangles cross others. */
static void add_strewn_sphere(ew_surface *surface, double noise)
{
    enum { AROUND = 30, UP = 26 };
    const double pi = 4 * atan(1);
    uint64_t state = 5;
    surface->n_vertex = 2 + AROUND * (UP - 1);
    for (int32_t v = 0; v < surface->n_vertex; v++) {
        const double angle = 2 * pi * (v % AROUND) / AROUND;
        const double up = pi * ((v / AROUND + 1.0) / UP - 0.5);
        double *x = surface->xyz + 3 * (size_t)v;
        x[0] = v < AROUND * (UP - 1) ? cos(up) * cos(angle) : 0;
        x[1] = v < AROUND * (UP - 1) ? cos(up) * sin(angle) : 0;
        x[2] = v < AROUND * (UP - 1) ? sin(up) : v == AROUND * (UP - 1) ? -1 : 1;
        for (int c = 0; c < 3; c++) {
            x[c] += noise * (ew_test_random(&state, 20001) / 10000.0 - 1);
        }
    }
    const int32_t south = AROUND * (UP - 1), north = south + 1, last = AROUND * (UP - 2);
    for (int32_t i = 0; i < AROUND; i++) {
        const int32_t next = (i + 1) % AROUND;
        add_triangle(surface, south, next, i, false);
        add_triangle(surface, north, last + i, last + next, false);
        for (int32_t row = 0; row < last; row += AROUND) {
            add_triangle(surface, row + i, row + next, row + AROUND + next, false);
            add_triangle(surface, row + i, row + AROUND + next, row + AROUND + i, false);
        }
    }
}

static void expect_failure(const ew_surface *surface, const ew_tetgen_def *def, ew_status expected,
                           const char *word)
{
    ew_mesh mesh = {0};
    const double begin = ew_seconds();
    const ew_status status = ew_tetgen_mesh(&mesh, surface, def, NULL);
    CU_ASSERT_EQUAL(status, expected);
    CU_ASSERT(ew_seconds() - begin < 60);
    if (!strstr(ew_message(), word)) {
        printf("  %s\n", ew_message());
        CU_FAIL("the message does not say it");
    }
    ew_mesh_free(&mesh);
}

static void test_tetgen_time_ends(void)
{
    shells *flat = new_shells(), *strewn = new_shells();
    ew_tetgen_def def = ew_default_tetgen_def();
    CU_ASSERT(def.max_seconds > 0 && def.max_memory > 0);
    def.max_seconds = 1;
    add_box(&flat->surface, 0, (double[3]){1, 1, 1e-6}, false);
    expect_failure(&flat->surface, &def, EW_LIMIT, "did not end within 1 s");
    add_strewn_sphere(&strewn->surface, 0.3);
    CU_ASSERT_EQUAL(strewn->surface.n_triangle, 1500);
    CU_ASSERT_EQUAL(ew_surface_check(&strewn->surface), EW_OK);
    expect_failure(&strewn->surface, &def, EW_BAD_INPUT, "intersects itself");
    free(flat);
    free(strewn);
}

#if !defined(__SANITIZE_ADDRESS__)
static void test_tetgen_memory_ends(void)
{
    shells *flat = new_shells();
    ew_tetgen_def def = ew_default_tetgen_def();
    def.max_memory = 0.125;
    add_box(&flat->surface, 0, (double[3]){1, 1, 1e-6}, false);
    expect_failure(&flat->surface, &def, EW_NO_MEMORY, "more than 0.125 GiB");
    def.max_memory = -1;
    expect_failure(&flat->surface, &def, EW_BAD_ARGUMENT, "max_memory -1");
    free(flat);
}
#endif

/* What lies in an odd number of shells is filled, whichever way they look. */
static void test_tetgen_nested_shells(void)
{
    for (int looks = 0; looks < 16; looks++) {
        shells *nested = new_shells();
        ew_mesh mesh = {0};
        ew_mesh_measure measure;
        double expected = 0;
        ew_tetgen_def def = ew_default_tetgen_def();
        for (int k = 0; k < 4; k++) {
            const double side = 4 - k;
            add_box(&nested->surface, 0, (double[3]){side, side, side}, looks >> k & 1);
            expected += (k % 2 ? -1 : 1) * side * side * side;
        }
        CU_ASSERT_EQUAL_FATAL(ew_tetgen_mesh(&mesh, &nested->surface, &def, NULL), EW_OK);
        ew_mesh_take_measure(&mesh, &measure);
        CU_ASSERT_DOUBLE_EQUAL(measure.volume, expected, 1e-9);
        ew_mesh_free(&mesh);
        free(nested);
    }
}
#endif

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {
#if EW_WITH_TETGEN
        {"time_ends", test_tetgen_time_ends},
#if !defined(__SANITIZE_ADDRESS__)
        {"memory_ends", test_tetgen_memory_ends},
#endif
        {"nested_shells", test_tetgen_nested_shells},
#endif
        CU_TEST_INFO_NULL,
    };
    static const CU_SuiteInfo suites[] = {
        {"TetGen's limits", NULL, NULL, NULL, NULL, tests},
        CU_SUITE_INFO_NULL,
    };
    return EW_WITH_TETGEN ? ew_test_main(argc, argv, suites) : 0;
}
