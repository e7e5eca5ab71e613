/* Closed triangle surfaces, for the tests of cuts by surface files. */
#ifndef EW_TEST_SURFACE_SHAPES_H
#define EW_TEST_SURFACE_SHAPES_H

#include "mesh/parts/mesh.h"
#include "testlib.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline void make_surface(ew_surface *s, int32_t n_vertex, const double *xyz,
                                int32_t n_triangle, const int32_t *triangle)
{
    *s = (ew_surface){.n_vertex = n_vertex, .n_triangle = n_triangle};
    CU_ASSERT_EQUAL_FATAL(ew_new(&s->xyz, 3 * (size_t)n_vertex, sizeof *s->xyz), EW_OK);
    CU_ASSERT_EQUAL_FATAL(ew_new(&s->triangle, 3 * (size_t)n_triangle, sizeof *s->triangle), EW_OK);
    memcpy(s->xyz, xyz, 3 * (size_t)n_vertex * sizeof *xyz);
    memcpy(s->triangle, triangle, 3 * (size_t)n_triangle * sizeof *triangle);
}

/* [-1, 1]^3 */
static inline void make_cube(ew_surface *s)
{
    static const int32_t quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double xyz[24];
    int32_t triangle[36];
    for (int i = 0; i < 24; i++) {
        xyz[i] = (i / 3) >> (i % 3) & 1 ? 1.0 : -1.0;
    }
    for (int i = 0; i < 36; i++) {
        static const int corner[6] = {0, 1, 2, 0, 2, 3};
        triangle[i] = quad[i / 6][corner[i % 6]];
    }
    make_surface(s, 8, xyz, 12, triangle);
}

/* With corners at the distance sqrt(3). */
static inline void make_tetrahedron(ew_surface *s)
{
    static const double xyz[12] = {1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1};
    static const int32_t triangle[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    make_surface(s, 4, xyz, 4, triangle);
}

/* Each triangle becomes four. */
static inline void divide_surface(ew_surface *s, bool on_sphere)
{
    ew_map middle = {0};
    const int32_t n = s->n_triangle;
    double *xyz = calloc(3 * (size_t)(s->n_vertex + 3 * n), sizeof *xyz);
    int32_t *triangle = calloc(12 * (size_t)n, sizeof *triangle), n_vertex = s->n_vertex;
    CU_ASSERT_FATAL(xyz && triangle);
    memcpy(xyz, s->xyz, 3 * (size_t)s->n_vertex * sizeof *xyz);
    for (int32_t t = 0; t < n; t++) {
        int32_t m[3];
        const int32_t *v = s->triangle + 3 * t;
        for (int k = 0; k < 3; k++) {
            const int32_t a = v[k], b = v[(k + 1) % 3];
            int32_t old;
            CU_ASSERT_EQUAL_FATAL(
                ew_map_enter(&middle, a < b ? a : b, a < b ? b : a, -1, n_vertex, &old), EW_OK);
            m[k] = old >= 0 ? old : n_vertex;
            for (int i = 0; i < 3 && old < 0; i++) {
                xyz[3 * n_vertex + i] = 0.5 * (xyz[3 * a + i] + xyz[3 * b + i]);
            }
            n_vertex += old < 0;
        }
        const int32_t part[12] = {v[0], m[0], m[2], m[0], v[1], m[1],
                                  m[2], m[1], v[2], m[0], m[1], m[2]};
        memcpy(triangle + 12 * t, part, sizeof part);
    }
    for (int32_t v = 0; v < n_vertex && on_sphere; v++) {
        double *x = xyz + 3 * v;
        const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int i = 0; i < 3; i++) {
            x[i] /= length;
        }
    }
    ew_surface_free(s);
    make_surface(s, n_vertex, xyz, 4 * n, triangle);
    ew_map_free(&middle);
    free(xyz);
    free(triangle);
}

/* About the origin, radius 1; as many times divided. */
static inline void make_ball_surface(ew_surface *s, int times)
{
    static const double xyz[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    static const int32_t triangle[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                         2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    make_surface(s, 6, xyz, 8, triangle);
    for (int i = 0; i < times; i++) {
        divide_surface(s, true);
    }
}

/* A prism over a polygon of n corners (x, y) around the origin, from z = -1 to 1. */
static inline void make_prism(ew_surface *s, int32_t n, const double *polygon, int32_t n_flat,
                              const int32_t *flat)
{
    double *xyz = calloc(6 * (size_t)n, sizeof *xyz);
    int32_t *triangle = calloc(6 * (size_t)(n + n_flat), sizeof *triangle), m = 0;
    CU_ASSERT_FATAL(xyz && triangle);
    for (int32_t i = 0; i < 2 * n; i++) {
        xyz[3 * i] = polygon[2 * (i % n)];
        xyz[3 * i + 1] = polygon[2 * (i % n) + 1];
        xyz[3 * i + 2] = i < n ? -1.0 : 1.0;
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t k = (i + 1) % n, side[6] = {i, k, n + k, i, n + k, n + i};
        memcpy(triangle + 3 * m, side, sizeof side);
        m += 2;
    }
    for (int32_t i = 0; i < n_flat; i++) {
        const int32_t *f = flat + 3 * i;
        const int32_t both[6] = {f[0], f[2], f[1], n + f[0], n + f[1], n + f[2]};
        memcpy(triangle + 3 * m, both, sizeof both);
        m += 2;
    }
    make_surface(s, 2 * n, xyz, m, triangle);
    free(xyz);
    free(triangle);
}

/* Radius 1, n sides. */
static inline void make_cylinder_surface(ew_surface *s, int32_t n)
{
    double polygon[512];
    int32_t flat[768];
    CU_ASSERT_FATAL(n <= 256);
    for (int32_t i = 0; i < n; i++) {
        polygon[2 * i] = cos(2.0 * 3.14159265358979 * i / n);
        polygon[2 * i + 1] = sin(2.0 * 3.14159265358979 * i / n);
    }
    for (int32_t i = 0; i < n - 2; i++) {
        flat[3 * i] = 0;
        flat[3 * i + 1] = i + 1;
        flat[3 * i + 2] = i + 2;
    }
    make_prism(s, n, polygon, n - 2, flat);
}

/* Two thirds of the square [-1, 1]^2, with an inner edge at the origin. */
static inline void make_corner_surface(ew_surface *s)
{
    static const double polygon[12] = {-1, -1, 1, -1, 1, 0, 0, 0, 0, 1, -1, 1};
    static const int32_t flat[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
    make_prism(s, 6, polygon, 4, flat);
}

/* x -> by * Q x + to, Q a rotation given by a quaternion of any length. */
static inline void place_surface(ew_surface *s, const double q[4], double by, const double to[3])
{
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),
                         2 * (x * z + w * y),           2 * (x * y + w * z),
                         w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                         2 * (x * z - w * y),           2 * (y * z + w * x),
                         w * w - x * x - y * y + z * z};
    for (int32_t v = 0; v < s->n_vertex; v++) {
        double *at = s->xyz + 3 * v, from[3];
        memcpy(from, at, sizeof from);
        for (int i = 0; i < 3; i++) {
            at[i] =
                to[i] +
                by / norm * (m[3 * i] * from[0] + m[3 * i + 1] * from[1] + m[3 * i + 2] * from[2]);
        }
    }
}

static inline void turn_surface(ew_surface *s)
{
    for (int32_t t = 0; t < s->n_triangle; t++) {
        const int32_t swap = s->triangle[3 * t];
        s->triangle[3 * t] = s->triangle[3 * t + 1];
        s->triangle[3 * t + 1] = swap;
    }
}

static inline void add_surface(ew_surface *s, const ew_surface *other)
{
    const int32_t n = s->n_vertex + other->n_vertex, m = s->n_triangle + other->n_triangle;
    double *xyz = calloc(3 * (size_t)n, sizeof *xyz);
    int32_t *triangle = calloc(3 * (size_t)m, sizeof *triangle);
    CU_ASSERT_FATAL(xyz && triangle);
    memcpy(xyz, s->xyz, 3 * (size_t)s->n_vertex * sizeof *xyz);
    memcpy(xyz + 3 * s->n_vertex, other->xyz, 3 * (size_t)other->n_vertex * sizeof *xyz);
    memcpy(triangle, s->triangle, 3 * (size_t)s->n_triangle * sizeof *triangle);
    for (int32_t i = 0; i < 3 * other->n_triangle; i++) {
        triangle[3 * s->n_triangle + i] = other->triangle[i] + s->n_vertex;
    }
    ew_surface_free(s);
    make_surface(s, n, xyz, m, triangle);
    free(xyz);
    free(triangle);
}

static inline double enclosed_volume(const ew_surface *s)
{
    double sum = 0.0;
    for (int32_t t = 0; t < s->n_triangle; t++) {
        const int32_t *v = s->triangle + 3 * t;
        const double *a = s->xyz + 3 * v[0], *b = s->xyz + 3 * v[1], *c = s->xyz + 3 * v[2];
        sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6.0;
    }
    return sum;
}

#endif
