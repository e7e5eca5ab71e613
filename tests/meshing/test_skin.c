/* The surface of a body: closed and manifold also where parts meet in a vertex or an edge alone, in
 * single precision by places alone; smoothed with its volume and what is to stay. */
#include "format/parts/format.h"
#include "meshing/parts/meshing.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A box with some of its tets, chosen by a fixed sequence; share of 1000. */
static void make_body(uint32_t seed, int32_t share, ew_mesh *mesh)
{
    ew_mesh box;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&box, (double[]){4, 3, 2}, (int32_t[]){5, 4, 3}), EW_OK);
    int32_t *tet = malloc((size_t)box.n_tet * 4 * sizeof *tet), n = 0;
    for (int32_t t = 0; t < box.n_tet; t++) {
        seed = seed * 1664525u + 1013904223u;
        if ((int32_t)((seed >> 8) % 1000u) < share) {
            memcpy(tet + 4 * (size_t)n++, box.tet + 4 * (size_t)t, 4 * sizeof *tet);
        }
    }
    const ew_mesh_def def = {.n_vertex = box.n_vertex,
                             .xyz = box.xyz,
                             .n_tet = n,
                             .tet = tet,
                             .n_face = box.n_face,
                             .face = box.face,
                             .face_label = box.face_label};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(mesh, &def, NULL), EW_OK);
    ew_mesh_free(&box);
    free(tet);
}

/* As a reader of STL does: equal points are one vertex. */
static void weld(const ew_text *stl, ew_surface *surface)
{
    int32_t n_welded;
    const ew_format *format = ew_format_of_name("a.stl");
    const ew_bytes bytes = {stl->data, stl->size};
    *surface = (ew_surface){0};
    CU_ASSERT_EQUAL_FATAL(format->read_surface(&bytes, surface, &n_welded, NULL), EW_OK);
}

/* Sides that do not have one other in the opposite direction; corners beyond one fan a vertex. */
static int32_t count_faults(const ew_surface *s)
{
    ew_map side = {0}, next = {0};
    int32_t bad = 0, old;
    int32_t *degree = calloc((size_t)s->n_vertex + 1, sizeof *degree);
    int32_t *start = malloc(((size_t)s->n_vertex + 1) * sizeof *start);
    for (int32_t i = 0; i < 3 * s->n_triangle; i++) {
        const int32_t a = s->triangle[i], b = s->triangle[3 * (i / 3) + (i + 1) % 3];
        const int32_t c = s->triangle[3 * (i / 3) + (i + 2) % 3];
        CU_ASSERT_EQUAL_FATAL(ew_map_enter(&side, a, b, -1, i, &old), EW_OK);
        bad += old >= 0 || a == b;
        CU_ASSERT_EQUAL_FATAL(ew_map_enter(&next, a, b, -1, c, &old), EW_OK);
        degree[a]++;
        start[a] = b;
    }
    for (int32_t i = 0; i < 3 * s->n_triangle; i++) {
        const int32_t a = s->triangle[i], b = s->triangle[3 * (i / 3) + (i + 1) % 3];
        bad += ew_map_find(&side, b, a, -1) < 0;
    }
    for (int32_t v = 0; v < s->n_vertex && !bad; v++) {
        int32_t n = 0;
        for (int32_t b = start[v]; degree[v] && n <= degree[v] && (n == 0 || b != start[v]); n++) {
            b = ew_map_find(&next, v, b, -1);
        }
        bad += n != degree[v];
    }
    ew_map_free(&side);
    ew_map_free(&next);
    free(degree);
    free(start);
    return bad;
}

static void test_skin_is_manifold(void)
{
    int32_t n_copy = 0, n_split = 0;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        ew_mesh mesh;
        ew_mesh_measure measure;
        ew_surface skin, welded;
        ew_skin_report report;
        ew_text stl;
        make_body(seed, 80 * (int32_t)seed, &mesh);
        ew_mesh_take_measure(&mesh, &measure);
        CU_ASSERT_EQUAL_FATAL(ew_skin_take(&mesh, &skin, &report), EW_OK);
        CU_ASSERT_EQUAL(count_faults(&skin), 0);
        CU_ASSERT_EQUAL_FATAL(ew_surface_write_stl(&skin, &stl), EW_OK);
        weld(&stl, &welded);
        CU_ASSERT_EQUAL(welded.n_vertex, skin.n_vertex);
        CU_ASSERT_EQUAL(count_faults(&welded), 0);
        /* Labeled triangles stay in their sides of the box, but where two copies have no other way.
         */
        int32_t n_off = 0, n_labeled = 0;
        for (int32_t i = 0; i < skin.n_triangle; i++) {
            const int32_t label = skin.label[i];
            for (int k = 0; k < 3 && label != EW_NO_LABEL; k++) {
                const double size[3] = {4, 3, 2};
                const double *x = skin.xyz + 3 * (size_t)skin.triangle[3 * i + k];
                const int axis = (label - 1) / 2;
                n_off += x[axis] != (label % 2 ? 0.0 : size[axis]);
                n_labeled++;
            }
        }
        CU_ASSERT_TRUE(n_labeled > 0 && n_off <= n_labeled / 100);
        /* Each copy goes into its fan by a hundredth: so much volume at the most. */
        CU_ASSERT_DOUBLE_EQUAL(ew_surface_volume(&skin), measure.volume, 0.03 * measure.volume);
        n_copy += report.n_copy;
        n_split += report.n_split;
        ew_text_free(&stl);
        ew_surface_free(&welded);
        ew_surface_free(&skin);
        ew_mesh_free(&mesh);
    }
    CU_ASSERT_TRUE(n_copy > 100 && n_split > 10);
}

/* Of a body without such places nothing moves: vertices, volume and labels are those of the mesh.
 */
static void test_skin_of_a_box(void)
{
    ew_mesh mesh;
    ew_surface skin;
    ew_skin_report report;
    double area = 0.0;
    make_body(1, 1000, &mesh);
    CU_ASSERT_EQUAL_FATAL(ew_skin_take(&mesh, &skin, &report), EW_OK);
    CU_ASSERT_TRUE(report.n_copy == 0 && report.n_split == 0);
    CU_ASSERT_EQUAL(skin.n_triangle, 4 * (5 * 4 + 4 * 3 + 3 * 5));
    CU_ASSERT_EQUAL(skin.n_vertex, skin.n_triangle / 2 + 2); /* Euler */
    CU_ASSERT_DOUBLE_EQUAL(ew_surface_volume(&skin), 24.0, 1e-12);
    for (int32_t i = 0; i < skin.n_triangle; i++) {
        bool on_left = true;
        for (int k = 0; k < 3; k++) {
            on_left = on_left && skin.xyz[3 * skin.triangle[3 * i + k]] == 0.0;
        }
        CU_ASSERT_EQUAL(skin.label[i] == 1, on_left);
        area += on_left;
    }
    CU_ASSERT_EQUAL((int32_t)area, 2 * 4 * 3);
    ew_surface_free(&skin);
    ew_mesh_free(&mesh);
}

/* A ball of tets has steps; smoothing takes most of them, and neither volume nor what stays. */
static void test_skin_smooths(void)
{
    ew_mesh box, mesh;
    ew_mesh_measure measure;
    ew_surface skin, before;
    ew_skin_report report;
    int32_t n_moved, n = 0;
    double error[2] = {0, 0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&box, (double[]){2, 2, 2}, (int32_t[]){16, 16, 16}), EW_OK);
    int32_t *tet = malloc((size_t)box.n_tet * 4 * sizeof *tet);
    for (int32_t t = 0; t < box.n_tet; t++) {
        double c[3] = {-1, -1, 0};
        for (int k = 0; k < 12; k++) {
            c[k % 3] +=
                0.25 *
                box.xyz[3 * (size_t)box.tet[4 * (size_t)t + (size_t)(k / 3)] + (size_t)(k % 3)];
        }
        if (c[0] * c[0] + c[1] * c[1] + c[2] * c[2] < 0.64) {
            memcpy(tet + 4 * (size_t)n++, box.tet + 4 * (size_t)t, 4 * sizeof *tet);
        }
    }
    const ew_mesh_def def = {.n_vertex = box.n_vertex,
                             .xyz = box.xyz,
                             .n_tet = n,
                             .tet = tet,
                             .n_face = box.n_face,
                             .face = box.face,
                             .face_label = box.face_label};
    CU_ASSERT_EQUAL_FATAL(ew_mesh_init(&mesh, &def, NULL), EW_OK);
    ew_mesh_take_measure(&mesh, &measure);
    CU_ASSERT_EQUAL_FATAL(ew_skin_take(&mesh, &skin, &report), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_skin_take(&mesh, &before, &report), EW_OK);
    bool *kept = calloc((size_t)skin.n_triangle, sizeof *kept);
    for (int32_t i = 0; i < skin.n_triangle; i++) {
        kept[i] = skin.label[i] != EW_NO_LABEL; /* the half ball's flat side, z = 0 */
    }
    CU_ASSERT_EQUAL_FATAL(ew_surface_smooth(&skin, 20, kept, measure.volume, &n_moved), EW_OK);
    CU_ASSERT_DOUBLE_EQUAL(ew_surface_volume(&skin), measure.volume, 1e-9 * measure.volume);
    CU_ASSERT_EQUAL(count_faults(&skin), 0);
    for (int32_t i = 0; i < 3 * skin.n_triangle; i++) {
        const double *x = skin.xyz + 3 * (size_t)skin.triangle[i];
        const double *old = before.xyz + 3 * (size_t)skin.triangle[i];
        if (kept[i / 3]) {
            CU_ASSERT_EQUAL(memcmp(x, old, 3 * sizeof *x), 0);
            continue;
        }
        const double r = sqrt((x[0] - 1) * (x[0] - 1) + (x[1] - 1) * (x[1] - 1) + x[2] * x[2]);
        const double s =
            sqrt((old[0] - 1) * (old[0] - 1) + (old[1] - 1) * (old[1] - 1) + old[2] * old[2]);
        error[0] += (s - 0.8) * (s - 0.8);
        error[1] += (r - 0.8) * (r - 0.8);
    }
    CU_ASSERT_TRUE(n_moved > 0 && error[1] < 0.25 * error[0]);
    free(kept);
    free(tet);
    ew_surface_free(&skin);
    ew_surface_free(&before);
    ew_mesh_free(&mesh);
    ew_mesh_free(&box);
}

static void test_skin_as_obj(void)
{
    ew_mesh mesh;
    ew_surface skin, again;
    ew_skin_report report;
    ew_groups groups = {0}, names = {0};
    ew_text text;
    int32_t n_welded;
    make_body(1, 1000, &mesh);
    CU_ASSERT_EQUAL_FATAL(ew_groups_name_label(&groups, EW_GROUP_FACES, 1, "the wall"), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_skin_take(&mesh, &skin, &report), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_surface_write_obj(&skin, &groups, &text), EW_OK);
    const ew_bytes bytes = {text.data, text.size};
    CU_ASSERT_EQUAL_FATAL(
        ew_format_of_name("a.obj")->read_surface(&bytes, &again, &n_welded, &names), EW_OK);
    CU_ASSERT_TRUE(again.n_vertex == skin.n_vertex && again.n_triangle == skin.n_triangle);
    CU_ASSERT_EQUAL(memcmp(again.xyz, skin.xyz, 3 * (size_t)skin.n_vertex * sizeof *skin.xyz), 0);
    CU_ASSERT_DOUBLE_EQUAL(ew_surface_volume(&again), 24.0, 1e-12);
    CU_ASSERT_PTR_NOT_NULL(ew_groups_find(&names, EW_GROUP_FACES, "the_wall"));
    CU_ASSERT_PTR_NOT_NULL(ew_groups_find(&names, EW_GROUP_FACES, "label_2"));
    ew_text_free(&text);
    ew_groups_free(&groups);
    ew_groups_free(&names);
    ew_surface_free(&skin);
    ew_surface_free(&again);
    ew_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {{"skin_is_manifold", test_skin_is_manifold},
                           {"skin_of_a_box", test_skin_of_a_box},
                           {"skin_smooths", test_skin_smooths},
                           {"skin_as_obj", test_skin_as_obj},
                           CU_TEST_INFO_NULL};
    CU_SuiteInfo suites[] = {{"skin", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
