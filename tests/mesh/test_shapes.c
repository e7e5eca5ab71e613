/* Built-in shapes: conforming, positive, the right volume, closed and labeled boundaries;
 * bad sizes refused. The boundary is rebuilt from the tets here, not taken from the shape. */
#include "mesh/parts/mesh.h"
#include "shape/parts/shape.h"
#include "testlib.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793;

typedef struct face {
    int32_t sorted[3], as_given[3];
} face;

static int compare_faces(const void *a, const void *b)
{
    return memcmp(((const face *)a)->sorted, ((const face *)b)->sorted, sizeof(int32_t[3]));
}

static face make_face(int32_t a, int32_t b, int32_t c)
{
    face f = {{a, b, c}, {a, b, c}};
    int32_t *s = f.sorted, keep;
    for (int i = 0; i < 3; i++) {
        int k = i == 1 ? 1 : 0;
        if (s[k] > s[k + 1]) {
            keep = s[k], s[k] = s[k + 1], s[k + 1] = keep;
        }
    }
    return f;
}

/* True when both list the same corners in the same sense. */
static bool same_sense(const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < 3; i++) {
        if (a[0] == b[i]) {
            return a[1] == b[(i + 1) % 3] && a[2] == b[(i + 2) % 3];
        }
    }
    return false;
}

/* Faces of exactly one tet, sorted. The caller frees. */
static face *find_boundary(const ew_mesh *mesh, int32_t *n_boundary)
{
    int32_t n = 0, kept = 0;
    face *all = malloc(4 * (size_t)mesh->n_tet * sizeof *all);
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const int32_t *v = mesh->tet + 4 * (size_t)t;
        for (int f = 0; f < 4; f++) {
            all[n++] = make_face(v[ew_face_vertex[f][0]], v[ew_face_vertex[f][1]],
                                 v[ew_face_vertex[f][2]]);
        }
    }
    qsort(all, (size_t)n, sizeof *all, compare_faces);
    for (int32_t i = 0; i < n;) {
        int32_t j = i + 1;
        while (j < n && compare_faces(&all[i], &all[j]) == 0) {
            j++;
        }
        CU_ASSERT_FATAL(j - i <= 2);
        if (j - i == 1) {
            all[kept++] = all[i];
        }
        i = j;
    }
    *n_boundary = kept;
    return all;
}

/* Labeled triangles are exactly the boundary, once each, outward, labels in 1 .. n_label,
 * each of them used; the boundary is one closed surface. */
static void check_boundary(const ew_mesh *mesh, int32_t n_label)
{
    int32_t n;
    bool seen[16] = {false};
    face *boundary = find_boundary(mesh, &n);
    bool *met = calloc((size_t)n + 1, sizeof *met);
    CU_ASSERT_EQUAL_FATAL(mesh->n_face, n);
    int32_t bad = 0;
    for (int32_t i = 0; i < mesh->n_face; i++) {
        const int32_t *v = mesh->face + 3 * (size_t)i;
        face key = make_face(v[0], v[1], v[2]);
        face *found = bsearch(&key, boundary, (size_t)n, sizeof *boundary, compare_faces);
        bad += !found || met[found - boundary] || !same_sense(v, found->as_given);
        if (found) {
            met[found - boundary] = true;
        }
        bad += mesh->face_label[i] < 1 || mesh->face_label[i] > n_label;
        seen[mesh->face_label[i] & 15] = true;
    }
    CU_ASSERT_EQUAL(bad, 0);
    for (int32_t label = 1; label <= n_label; label++) {
        CU_ASSERT(seen[label]);
    }
    ew_surface surface = {.n_vertex = mesh->n_vertex,
                          .xyz = mesh->xyz,
                          .n_triangle = mesh->n_face,
                          .triangle = mesh->face,
                          .label = mesh->face_label};
    CU_ASSERT_EQUAL(ew_surface_check(&surface), EW_OK);
    free(met);
    free(boundary);
}

/* Every rule; returns the volume and frees the mesh. */
static double check_shape(ew_mesh *mesh, int32_t n_tet, int32_t n_label, double min_quality)
{
    ew_mesh_measure measure;
    CU_ASSERT_EQUAL_FATAL(ew_mesh_check(mesh), EW_OK);
    if (n_tet > 0) {
        CU_ASSERT_EQUAL(mesh->n_tet, n_tet);
    }
    CU_ASSERT_EQUAL(mesh->n_active_vertex, mesh->n_vertex);
    CU_ASSERT_EQUAL(mesh->n_region, 1);
    CU_ASSERT_EQUAL(mesh->region_label[0], 1);
    ew_mesh_take_measure(mesh, &measure);
    CU_ASSERT(measure.min_quality >= min_quality);
    if (measure.min_quality < min_quality) {
        printf("\n  %d tets: min quality %g\n", (int)mesh->n_tet, measure.min_quality);
    }
    check_boundary(mesh, n_label);
    return measure.volume;
}

/* The largest |distance| of the vertices of faces with this label from a surface. */
static double label_error(const ew_mesh *mesh, int32_t label,
                          double (*distance)(const double xyz[3]))
{
    double worst = 0.0;
    for (int32_t i = 0; i < mesh->n_face; i++) {
        for (int k = 0; k < 3 && mesh->face_label[i] == label; k++) {
            worst = fmax(worst, fabs(distance(mesh->xyz + 3 * (size_t)mesh->face[3 * i + k])));
        }
    }
    return worst;
}

static double label_area(const ew_mesh *mesh, int32_t label)
{
    double area = 0.0;
    for (int32_t i = 0; i < mesh->n_face; i++) {
        const int32_t *v = mesh->face + 3 * (size_t)i;
        const double *a = mesh->xyz + 3 * (size_t)v[0];
        double p[3], q[3];
        for (int k = 0; k < 3; k++) {
            p[k] = mesh->xyz[3 * (size_t)v[1] + (size_t)k] - a[k];
            q[k] = mesh->xyz[3 * (size_t)v[2] + (size_t)k] - a[k];
        }
        double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                       p[0] * q[1] - p[1] * q[0]};
        if (mesh->face_label[i] == label) {
            area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        }
    }
    return area;
}

static double x0(const double xyz[3])
{
    return xyz[0];
}
static double y0(const double xyz[3])
{
    return xyz[1];
}
static double z0(const double xyz[3])
{
    return xyz[2];
}

/* ---- box --------------------------------------------------------------- */

static double x2(const double xyz[3])
{
    return xyz[0] - 2.0;
}
static double y1(const double xyz[3])
{
    return xyz[1] - 1.0;
}
static double z05(const double xyz[3])
{
    return xyz[2] - 0.5;
}

static void test_box_is_exact(void)
{
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[3]){2, 1, 0.5}, (int32_t[3]){5, 3, 2}),
                          EW_OK);
    CU_ASSERT_EQUAL(mesh.n_vertex, 6 * 4 * 3);
    CU_ASSERT_DOUBLE_EQUAL(check_shape(&mesh, 180, 6, 0.5), 1.0, 1e-14);
    double (*side[6])(const double *) = {x0, x2, y0, y1, z0, z05};
    const double area[6] = {0.5, 0.5, 1, 1, 2, 2};
    for (int32_t label = 1; label <= 6; label++) {
        CU_ASSERT(label_error(&mesh, label, side[label - 1]) == 0.0);
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, label), area[label - 1], 1e-14);
    }
    ew_mesh_free(&mesh);
}

/* One cell: six tets around the diagonal (0, 0, 0)-(1, 1, 1). */
static void test_box_cell_is_kuhn(void)
{
    ew_mesh mesh;
    CU_ASSERT_EQUAL_FATAL(ew_shape_box(&mesh, (double[3]){1, 1, 1}, (int32_t[3]){1, 1, 1}), EW_OK);
    CU_ASSERT_EQUAL(mesh.n_tet, 6);
    for (int32_t t = 0; t < mesh.n_tet; t++) {
        double low = 3, high = 0;
        for (int i = 0; i < 4; i++) {
            const double *x = mesh.xyz + 3 * (size_t)mesh.tet[4 * t + i];
            low = fmin(low, x[0] + x[1] + x[2]);
            high = fmax(high, x[0] + x[1] + x[2]);
        }
        CU_ASSERT(low == 0 && high == 3);
    }
    ew_mesh_free(&mesh);
}

/* ---- plate ------------------------------------------------------------- */

static double plate_x(const double xyz[3])
{
    return xyz[0] - 3.0;
}
static double plate_y(const double xyz[3])
{
    return xyz[1] - 3.0;
}
static double plate_hole(const double xyz[3])
{
    return hypot(xyz[0], xyz[1]) - 1.0;
}

static void test_plate_converges(void)
{
    double exact = 0.5 * (9.0 - 0.25 * pi), before = 0.0;
    for (int32_t n = 1; n <= 4; n *= 2) {
        ew_mesh mesh;
        int32_t cells[3] = {8 * n, 4 * n, n};
        CU_ASSERT_EQUAL_FATAL(ew_shape_plate_hole(&mesh, 3, 1, 0.5, cells), EW_OK);
        double error = fabs(check_shape(&mesh, 192 * n * n * n, 7, 0.15) - exact);
        CU_ASSERT(n == 1 || error < before / 3.9);
        before = error;
        double (*side[7])(const double *) = {x0, y0, plate_x, plate_y, plate_hole, z0, z05};
        for (int32_t label = 1; label <= 7; label++) {
            CU_ASSERT(label_error(&mesh, label, side[label - 1]) < 1e-15);
        }
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, 3), 1.5, 1e-14);
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, 1), 1.0, 1e-14);
        ew_mesh_free(&mesh);
    }
    CU_ASSERT(before < 1e-3);
}

/* ---- torus ------------------------------------------------------------- */

static double torus_tube(const double xyz[3])
{
    return hypot(hypot(xyz[0], xyz[1]) - 2.0, xyz[2]) - 0.5;
}

static void test_torus_converges(void)
{
    double exact = 2.0 * pi * pi * 2.0 * 0.25, before = 0.0;
    for (int32_t n = 1; n <= 4; n *= 2) {
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(ew_shape_torus(&mesh, 2, 0.5, (int32_t[2]){24 * n, 2 * n}), EW_OK);
        double error = fabs(check_shape(&mesh, 576 * n * n * n, 1, 0.1) - exact);
        CU_ASSERT(n == 1 || error < before / 3.5);
        before = error;
        CU_ASSERT(label_error(&mesh, 1, torus_tube) < 1e-15);
        ew_mesh_free(&mesh);
    }
    CU_ASSERT(before < 0.01 * exact);
}

static void test_torus_published_sizes(void)
{
    const int32_t cells[5][2] = {{27, 2}, {46, 2}, {37, 3}, {60, 3}, {56, 4}};
    const double wanted[5] = {660, 1110, 2000, 3250, 5400};
    for (int i = 0; i < 5; i++) {
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(ew_shape_torus(&mesh, 2, 0.5, cells[i]), EW_OK);
        CU_ASSERT(fabs(mesh.n_tet / wanted[i] - 1.0) < 0.02);
        check_shape(&mesh, 6 * cells[i][0] * cells[i][1] * cells[i][1], 1, 0.1);
        ew_mesh_free(&mesh);
    }
}

/* ---- sphere octant ----------------------------------------------------- */

static double radius1(const double xyz[3])
{
    return sqrt(xyz[0] * xyz[0] + xyz[1] * xyz[1] + xyz[2] * xyz[2]) - 1.0;
}
static double radius2(const double xyz[3])
{
    return radius1(xyz) - 1.0;
}

static void test_sphere_converges(void)
{
    double exact = 7.0 * pi / 6.0, before = 0.0;
    for (int32_t n = 1; n <= 8; n *= 2) {
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(ew_shape_sphere_octant(&mesh, 1, 2, (int32_t[2]){2 * n, 2 * n}),
                              EW_OK);
        double error = fabs(check_shape(&mesh, 144 * n * n * n, 5, 0.15) - exact);
        CU_ASSERT(n == 1 || error < before / 3.5);
        before = error;
        double (*side[5])(const double *) = {radius1, radius2, x0, y0, z0};
        for (int32_t label = 1; label <= 5; label++) {
            CU_ASSERT(label_error(&mesh, label, side[label - 1]) < 1e-15);
        }
        ew_mesh_free(&mesh);
    }
    CU_ASSERT(before < 0.005 * exact);
}

/* ---- bracket ----------------------------------------------------------- */

static double bracket_volume(double l, double w, double t, double r)
{
    return (2 * l * t - t * t) * w - 4 * pi * r * r * t;
}

/* Holes at (0.09 + 0.01) / 2 + ... = 0.055 from the corner and at w / 4, 3 w / 4. */
static double hole_distance(double s, double z)
{
    return fmin(hypot(s - 0.055, z - 0.02), hypot(s - 0.055, z - 0.06)) - 0.006;
}
static double wall_hole(const double xyz[3])
{
    return hole_distance(xyz[1], xyz[2]);
}
static double shelf_hole(const double xyz[3])
{
    return hole_distance(xyz[0], xyz[2]);
}
static double shelf_top(const double xyz[3])
{
    return xyz[1] - 0.01;
}

static void test_bracket_converges(void)
{
    double exact = bracket_volume(0.1, 0.08, 0.01, 0.006), before = 0.0;
    for (int32_t n = 1; n <= 4; n *= 2) {
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(ew_shape_bracket(&mesh, 0.1, 0.08, 0.01, 0.006, n), EW_OK);
        double error = fabs(check_shape(&mesh, 0, 5, 0.15) - exact);
        CU_ASSERT(n == 1 || error < before / 3.0);
        before = error;
        CU_ASSERT(label_error(&mesh, 1, x0) == 0.0);
        CU_ASSERT(label_error(&mesh, 2, shelf_top) == 0.0);
        CU_ASSERT(label_error(&mesh, 3, wall_hole) < 1e-15);
        CU_ASSERT(label_error(&mesh, 4, shelf_hole) < 1e-15);
        double face_area = 0.1 * 0.08 - 2 * pi * 0.006 * 0.006;
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, 1), face_area, 0.03 * face_area);
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, 2), face_area - 0.01 * 0.08, 0.03 * face_area);
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, 3), 4 * pi * 0.006 * 0.01, 1e-5);
        CU_ASSERT_DOUBLE_EQUAL(label_area(&mesh, 4), label_area(&mesh, 3), 1e-15);
        ew_mesh_free(&mesh);
    }
    CU_ASSERT(before < 1e-3 * exact);
}

/* Odd proportions: short flanges, wide ones, thick ones, large and small holes. One cell
 * through the thickness beside a hole much smaller than it cannot be well shaped. */
static void test_bracket_proportions(void)
{
    const double lengths[][4] = {{1, 3, 0.1, 0.3},   {1, 0.4, 0.1, 0.05}, {1, 1, 0.5, 0.2},
                                 {1, 1, 0.05, 0.01}, {2, 1, 0.4, 0.22},   {1, 0.2, 0.3, 0.01}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const double *p = lengths[i];
        ew_mesh mesh;
        CU_ASSERT_EQUAL_FATAL(ew_shape_bracket(&mesh, p[0], p[1], p[2], p[3], 1), EW_OK);
        double exact = bracket_volume(p[0], p[1], p[2], p[3]);
        CU_ASSERT_DOUBLE_EQUAL(check_shape(&mesh, 0, 5, 0.005), exact, 0.03 * exact);
        ew_mesh_free(&mesh);
    }
}

/* ---- refusals and memory ----------------------------------------------- */

#define REFUSED(call, status, word)                                                                \
    do {                                                                                           \
        CU_ASSERT_EQUAL((call), (status));                                                         \
        CU_ASSERT(strstr(ew_message(), (word)) != NULL);                                           \
    } while (0)

static void test_bad_sizes_are_refused(void)
{
    ew_mesh m;
    memset(&m, 0x5a, sizeof m);
    const ew_mesh untouched = m;
    const double one[3] = {1, 1, 1}, flat[3] = {1, 0, 1}, odd[3] = {1, 1, NAN};
    const int32_t c[3] = {2, 2, 2}, none[3] = {2, 2, 0}, odd_arc[3] = {3, 2, 2};
    const int32_t huge[3] = {40000, 40000, 40000};
    REFUSED(ew_shape_box(&m, flat, c), EW_BAD_ARGUMENT, "size[1]");
    REFUSED(ew_shape_box(&m, odd, c), EW_BAD_ARGUMENT, "size[2]");
    REFUSED(ew_shape_box(&m, one, none), EW_BAD_ARGUMENT, "cells[2]");
    REFUSED(ew_shape_box(&m, one, huge), EW_LIMIT, "fewer cells");
    REFUSED(ew_shape_plate_hole(&m, 1, 1, 1, c), EW_BAD_ARGUMENT, "radius");
    REFUSED(ew_shape_plate_hole(&m, 1, 0.5, -1, c), EW_BAD_ARGUMENT, "thickness");
    REFUSED(ew_shape_plate_hole(&m, 1, 0.5, 1, odd_arc), EW_BAD_ARGUMENT, "even");
    REFUSED(ew_shape_torus(&m, 1, 1, (int32_t[2]){9, 2}), EW_BAD_ARGUMENT, "tube_radius");
    REFUSED(ew_shape_torus(&m, 2, 1, (int32_t[2]){2, 2}), EW_BAD_ARGUMENT, "cells[0]");
    REFUSED(ew_shape_torus(&m, 2, 1, (int32_t[2]){9, 0}), EW_BAD_ARGUMENT, "cells[1]");
    REFUSED(ew_shape_sphere_octant(&m, 2, 1, c), EW_BAD_ARGUMENT, "inner_radius");
    REFUSED(ew_shape_sphere_octant(&m, 1, 2, huge), EW_LIMIT, "fewer cells");
    REFUSED(ew_shape_bracket(&m, 1, 1, 1, 0.1, 1), EW_BAD_ARGUMENT, "thickness");
    REFUSED(ew_shape_bracket(&m, 1, 1, 0.1, 0.25, 1), EW_BAD_ARGUMENT, "hole_radius");
    REFUSED(ew_shape_bracket(&m, 1, 1, 0.1, 0.1, 0), EW_BAD_ARGUMENT, "cells_thickness");
    REFUSED(ew_shape_bracket(&m, 1, 1, 0.1, 0.1, 1000000), EW_LIMIT, "fewer cells");
    CU_ASSERT(memcmp(&m, &untouched, sizeof m) == 0);
}

static ew_status make_small_torus(ew_mesh *mesh)
{
    return ew_shape_torus(mesh, 2, 0.5, (int32_t[2]){3, 2});
}
static ew_status make_small_plate(ew_mesh *mesh)
{
    return ew_shape_plate_hole(mesh, 2, 0.5, 1, (int32_t[3]){2, 1, 1});
}
static ew_status make_small_bracket(ew_mesh *mesh)
{
    return ew_shape_bracket(mesh, 1, 1, 0.2, 0.1, 1);
}
static ew_status make_small_sphere(ew_mesh *mesh)
{
    return ew_shape_sphere_octant(mesh, 1, 2, (int32_t[2]){1, 1});
}

static void test_allocation_failures(void)
{
    ew_status (*make[4])(ew_mesh *) = {make_small_torus, make_small_plate, make_small_bracket,
                                       make_small_sphere};
    for (int i = 0; i < 4; i++) {
        bool refused = true;
        for (int64_t k = 0; refused; k++) {
            ew_mesh mesh;
            ew_test_allocations_begin(k);
            ew_status status = make[i](&mesh);
            if (status == EW_OK) {
                ew_mesh_free(&mesh);
            }
            CU_ASSERT_EQUAL(ew_test_unreleased(), 0);
            refused = ew_test_allocations_end();
            CU_ASSERT_EQUAL(status, refused ? EW_NO_MEMORY : EW_OK);
            CU_ASSERT_FATAL(k < 1000);
        }
    }
}

int main(int argc, char **argv)
{
    static CU_TestInfo tests[] = {{"box_is_exact", test_box_is_exact},
                                  {"box_cell_is_kuhn", test_box_cell_is_kuhn},
                                  {"plate_converges", test_plate_converges},
                                  {"torus_converges", test_torus_converges},
                                  {"torus_published_sizes", test_torus_published_sizes},
                                  {"sphere_converges", test_sphere_converges},
                                  {"bracket_converges", test_bracket_converges},
                                  {"bracket_proportions", test_bracket_proportions},
                                  {"bad_sizes_are_refused", test_bad_sizes_are_refused},
                                  {"allocation_failures", test_allocation_failures},
                                  CU_TEST_INFO_NULL};
    static const CU_SuiteInfo suites[] = {{"shapes", NULL, NULL, NULL, NULL, tests},
                                          CU_SUITE_INFO_NULL};
    return ew_test_main(argc, argv, suites);
}
