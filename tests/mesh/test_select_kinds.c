/* Selection of boundary faces and of tets against plain scans of every face and tet, on bodies that
 * edits have left with holes in their slots; refusals. */
#include "shape/parts/shape.h"
#include "testlib.h"
#include "topology/parts/topology.h"

#include <math.h>
#include <string.h>

typedef struct body {
    ew_mesh mesh;
    ew_topology topology;
    ew_boundary boundary;
} body;

/* A torus without every seventh tet: irregular, with holes in the slots. */
static void make_body(body *b)
{
    ew_edit edit = {0};
    ew_change change = {0};
    memset(b, 0, sizeof *b);
    CU_ASSERT_EQUAL_FATAL(ew_shape_torus(&b->mesh, 1, 0.4, (int32_t[]){12, 4}), EW_OK);
    for (int32_t t = 0; t < b->mesh.n_tet; t += 7) {
        CU_ASSERT_EQUAL_FATAL(ew_edit_remove_tet(&edit, t), EW_OK);
    }
    CU_ASSERT_EQUAL_FATAL(ew_mesh_commit(&b->mesh, &edit, NULL, &change), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b->topology, &b->mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_boundary_build(&b->boundary, &b->mesh, &b->topology), EW_OK);
    for (int32_t t = 0; t < b->mesh.n_tet; t++) {
        b->mesh.region[t] = 0;
    }
    ew_edit_free(&edit);
    ew_change_free(&change);
}

static void drop(body *b)
{
    ew_boundary_free(&b->boundary);
    ew_topology_free(&b->topology);
    ew_mesh_free(&b->mesh);
}

static const ew_selector places[] = {
    {.kind = EW_SELECT_BOX, .a = {-2, -0.7, -1}, .b = {0.9, 0.8, 0.1}},
    {.kind = EW_SELECT_SPHERE, .a = {1, 0, 0}, .radius = 0.7},
    {.kind = EW_SELECT_CYLINDER, .a = {-1, 0, -1}, .b = {-1, 0, 1}, .radius = 0.5},
    {.kind = EW_SELECT_PLANE, .a = {0, 0, 0}, .b = {1, 1, 0.3}, .radius = 0.6},
    {.kind = EW_SELECT_SIDE, .a = {0.1, 0, 0}, .b = {1, 0.2, 0}},
    {.kind = EW_SELECT_ALL},
};
enum { N_PLACE = sizeof places / sizeof *places };

static const double *corner(const ew_mesh *mesh, int32_t code, int k)
{
    return mesh->xyz +
           3 * (size_t)mesh->tet[4 * (size_t)(code / 4) + (size_t)ew_face_vertex[code % 4][k]];
}

/* Faces of one tet alone, by comparing all pairs of faces. */
static bool is_on_boundary(const ew_mesh *mesh, int32_t code)
{
    for (int32_t other = 0; other < 4 * mesh->n_tet; other++) {
        if (other / 4 == code / 4 || !ew_mesh_tet_is_live(mesh, other / 4)) {
            continue;
        }
        int same = 0;
        for (int k = 0; k < 9; k++) {
            same += corner(mesh, code, k / 3) == corner(mesh, other, k % 3);
        }
        if (same == 3) {
            return false;
        }
    }
    return true;
}

/* The angle between the outward normal and the direction, in degrees. */
static double angle_to(const ew_mesh *mesh, int32_t code, const double n[3])
{
    const double *x = corner(mesh, code, 0), *y = corner(mesh, code, 1), *z = corner(mesh, code, 2);
    double area[3], along = 0, size = 0, length = 0;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        area[c] = (y[d] - x[d]) * (z[e] - x[e]) - (y[e] - x[e]) * (z[d] - x[d]);
    }
    for (int c = 0; c < 3; c++) {
        along += area[c] * n[c];
        size += area[c] * area[c];
        length += n[c] * n[c];
    }
    return acos(fmax(-1, fmin(1, along / sqrt(size * length)))) * 180 / acos(-1.0);
}

static void test_faces_against_a_scan(void)
{
    static const ew_facing direction[] = {
        {{0, 0, 2}, 20}, {{1, 1, 0}, 45}, {{-1, 0, 0.5}, 90}, {{0, 1, 0}, 180}};
    body b;
    make_body(&b);
    bool *outer;
    CU_ASSERT_EQUAL_FATAL(ew_new_zero(&outer, 4 * (size_t)b.mesh.n_tet, sizeof *outer), EW_OK);
    for (int32_t code = 0; code < 4 * b.mesh.n_tet; code++) {
        outer[code] = ew_mesh_tet_is_live(&b.mesh, code / 4) && is_on_boundary(&b.mesh, code);
    }
    for (int i = 0; i < 5 * N_PLACE; i++) {
        const ew_selector *place = &places[i % N_PLACE];
        const ew_facing *to = i < N_PLACE ? NULL : &direction[i / N_PLACE - 1];
        ew_list found = {0};
        int32_t n = 0;
        CU_ASSERT_EQUAL_FATAL(ew_boundary_select(&b.boundary, &b.mesh, place, to, &found), EW_OK);
        for (int32_t code = 0; code < 4 * b.mesh.n_tet; code++) {
            bool in = outer[code];
            for (int k = 0; k < 3 && in; k++) {
                in = ew_selector_has_point(place, corner(&b.mesh, code, k));
            }
            in = in && (!to || angle_to(&b.mesh, code, to->normal) <= to->angle + 1e-5);
            CU_ASSERT(!in || (n < found.n && found.id[n] == code));
            n += in;
        }
        CU_ASSERT_EQUAL(found.n, n);
        CU_ASSERT(n > 0 || to);
        ew_list_free(&found);
    }
    ew_release(outer);
    drop(&b);
}

static void test_tets_against_a_scan(void)
{
    body b;
    make_body(&b);
    for (int i = 0; i < N_PLACE; i++) {
        ew_list found = {0};
        int32_t n = 0;
        CU_ASSERT_EQUAL_FATAL(ew_mesh_select_tets(&b.mesh, &places[i], &found), EW_OK);
        for (int32_t t = 0; t < b.mesh.n_tet; t++) {
            double c[3] = {0, 0, 0};
            for (int k = 0; k < 12 && ew_mesh_tet_is_live(&b.mesh, t); k++) {
                c[k % 3] +=
                    b.mesh.xyz[3 * (size_t)b.mesh.tet[4 * (size_t)t + (size_t)(k / 3)] + k % 3] / 4;
            }
            const bool in = ew_mesh_tet_is_live(&b.mesh, t) && ew_selector_has_point(&places[i], c);
            CU_ASSERT(!in || (n < found.n && found.id[n] == t));
            n += in;
        }
        CU_ASSERT_EQUAL(found.n, n);
        CU_ASSERT(n > 0);
        ew_list_free(&found);
    }
    drop(&b);
}

/* Labels and regions, on a box whose faces are known. */
static void test_faces_of_labels_and_regions(void)
{
    body b = {0};
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&b.mesh, (double[]){2, 1, 1}, (int32_t[]){4, 2, 2}), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_topology_build(&b.topology, &b.mesh), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_boundary_build(&b.boundary, &b.mesh, &b.topology), EW_OK);
    static const int32_t n[] = {8, 8, 16, 16, 16, 16};
    static const double normal[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                        {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};
    for (int32_t label = 1; label <= 6; label++) {
        const ew_selector by_label = {.kind = EW_SELECT_SURFACE, .label = label},
                          all = {.kind = EW_SELECT_ALL};
        ew_facing to = {.angle = 1};
        ew_list one = {0}, two = {0};
        memcpy(to.normal, normal[label - 1], sizeof to.normal);
        CU_ASSERT_EQUAL(ew_boundary_select(&b.boundary, &b.mesh, &by_label, NULL, &one), EW_OK);
        CU_ASSERT_EQUAL(ew_boundary_select(&b.boundary, &b.mesh, &all, &to, &two), EW_OK);
        CU_ASSERT_EQUAL(one.n, n[label - 1]);
        CU_ASSERT(one.n == two.n && !memcmp(one.id, two.id, (size_t)one.n * sizeof *one.id));
        ew_list_free(&one);
        ew_list_free(&two);
    }
    const ew_selector region = {.kind = EW_SELECT_REGION, .label = 1};
    ew_list skin = {0};
    CU_ASSERT_EQUAL(ew_boundary_select(&b.boundary, &b.mesh, &region, NULL, &skin), EW_OK);
    CU_ASSERT_EQUAL(skin.n, 80);
    ew_list_free(&skin);
    drop(&b);
}

static void refused(const body *b, const ew_selector *selector, const ew_facing *to,
                    ew_status status, const char *text)
{
    ew_list list = {0};
    CU_ASSERT_EQUAL(ew_boundary_select(&b->boundary, &b->mesh, selector, to, &list), status);
    CU_ASSERT_PTR_NOT_NULL(strstr(ew_message(), text));
    CU_ASSERT_EQUAL(list.n, 0);
    ew_list_free(&list);
}

static void test_refusals(void)
{
    body b;
    make_body(&b);
    const ew_selector all = {.kind = EW_SELECT_ALL}, nearest = {.kind = EW_SELECT_NEAREST},
                      label = {.kind = EW_SELECT_SURFACE, .label = 9},
                      region = {.kind = EW_SELECT_REGION, .label = 9},
                      sphere = {.kind = EW_SELECT_SPHERE, .radius = -1};
    const ew_facing flat = {{0, 0, 0}, 20}, lost = {{NAN, 0, 1}, 20}, none = {{0, 0, 1}, 0},
                    wide = {{0, 0, 1}, 181};
    refused(&b, &all, &flat, EW_BAD_ARGUMENT, "length 0");
    refused(&b, &all, &lost, EW_BAD_ARGUMENT, "finite");
    refused(&b, &all, &none, EW_BAD_ARGUMENT, "angle 0");
    refused(&b, &all, &wide, EW_BAD_ARGUMENT, "181");
    refused(&b, &nearest, NULL, EW_BAD_ARGUMENT, "nearest");
    refused(&b, &label, NULL, EW_BAD_INPUT, "surface 9");
    refused(&b, &region, NULL, EW_BAD_INPUT, "region 9");
    refused(&b, &sphere, NULL, EW_BAD_ARGUMENT, "radius");
    b.mesh.revision++;
    refused(&b, &all, NULL, EW_STALE, "revision");
    drop(&b);
}

static void test_failing_allocations(void)
{
    const ew_selector label = {.kind = EW_SELECT_SURFACE, .label = 1};
    ew_status status = EW_NO_MEMORY;
    body b;
    make_body(&b);
    for (int k = 0; k < 2 * (N_PLACE + 1); k++) {
        const ew_selector *selector = k / 2 < N_PLACE ? &places[k / 2] : &label;
        for (int64_t i = 0; i < 1000; i++) {
            ew_list list = {0};
            ew_test_allocations_begin(i);
            if (k % 2 && selector != &label) {
                status = ew_mesh_select_tets(&b.mesh, selector, &list);
            } else {
                status = ew_boundary_select(&b.boundary, &b.mesh, selector, NULL, &list);
            }
            ew_list_free(&list);
            const bool was_refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
            CU_ASSERT_EQUAL(status, was_refused ? EW_NO_MEMORY : EW_OK);
            if (!was_refused) {
                break;
            }
        }
    }
    drop(&b);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"faces_against_a_scan", test_faces_against_a_scan},
        {"tets_against_a_scan", test_tets_against_a_scan},
        {"labels_and_regions", test_faces_of_labels_and_regions},
        {"refusals", test_refusals},
        {"failing_allocations", test_failing_allocations},
        CU_TEST_INFO_NULL,
    };
    CU_SuiteInfo suites[] = {{"selection", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
