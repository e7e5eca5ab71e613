/* The shape of a face that is given by triangles: a plane, a sphere, a cylinder, or neither. In:
 * vertices, normals. Out: the kind, a direction, a radius. Vertices of a mesh made of CAD lie on
 * the face itself, so that the fit is exact up to round-off however coarse the triangles are. */
#include "format/parts/format.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool normalize(double *a)
{
    const double length = sqrt(dot(a, a));
    for (int c = 0; c < 3 && length > 0; c++) {
        a[c] /= length;
    }
    return length > 0;
}

/* Solves a x = b, n equations, by Gaussian elimination with column pivots; false: singular. */
static bool solve(int n, double a[5][5], double b[5], double x[5])
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) {
            p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
        }
        if (!(fabs(a[p][k]) > 1e-14)) {
            return false;
        }
        for (int j = 0; j < n; j++) {
            const double kept = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = kept;
        }
        const double kept = b[k];
        b[k] = b[p];
        b[p] = kept;
        for (int i = k + 1; i < n; i++) {
            const double f = a[i][k] / a[k][k];
            for (int j = k; j < n; j++) {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] = b[k];
        for (int j = k + 1; j < n; j++) {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
    return true;
}

/* Adds the equation row . x = value of a least-squares problem to its normal equations. */
static void add_row(int n, const double *row, double value, double a[5][5], double b[5])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i][j] += row[i] * row[j];
        }
        b[i] += row[i] * value;
    }
}

/* The points of the fit: moved to the centroid, in parts of the root of the area. */
typedef struct points {
    int32_t n, n_triangle;
    const double *xyz, *normal, *center;
    double origin[3], scale;
} points;

static void point(const points *of, const double *array, int32_t i, double x[3])
{
    for (int c = 0; c < 3; c++) {
        x[c] = (array[3 * (size_t)i + (size_t)c] - of->origin[c]) / of->scale;
    }
}

/* Away from an axis (axis null: from a center), and how far. */
static double from_axis(const double x[3], const double origin[3], const double *axis, double to[3])
{
    for (int c = 0; c < 3; c++) {
        to[c] = x[c] - origin[c];
    }
    const double along = axis ? dot(to, axis) : 0.0;
    for (int c = 0; c < 3 && axis; c++) {
        to[c] -= along * axis[c];
    }
    const double length = sqrt(dot(to, to));
    normalize(to);
    return length;
}

/* Whether all points are at the distance and the triangles face that way: three planes of a box
 * have corners on a sphere, too. */
static bool fits(const points *of, const double origin[3], const double *axis, double radius)
{
    double x[3], out[3], sum = 0, area = 0;
    for (int32_t i = 0; i < of->n; i++) {
        point(of, of->xyz, i, x);
        if (!(fabs(from_axis(x, origin, axis, out) - radius) <= EW_GEOMETRY_FIT)) {
            return false;
        }
    }
    for (int32_t i = 0; i < of->n_triangle; i++) {
        const double *n = of->normal + 3 * (size_t)i;
        point(of, of->center, i, x);
        from_axis(x, origin, axis, out);
        sum += fabs(dot(n, out));
        area += sqrt(dot(n, n));
    }
    return sum >= 0.95 * area;
}

static bool is_plane(const points *of, ew_geometry *face)
{
    double normal[3], x[3];
    memcpy(normal, face->direction, sizeof normal);
    bool is = normalize(normal);
    for (int32_t i = 0; i < of->n && is; i++) {
        point(of, of->xyz, i, x);
        is = fabs(dot(x, normal)) <= EW_GEOMETRY_FIT;
    }
    if (is) {
        face->kind = EW_GEOMETRY_PLANE;
        memcpy(face->direction, normal, sizeof normal);
    }
    return is;
}

/* |x|^2 = 2 c . x + k is linear in the center c and k = R^2 - |c|^2. */
static bool is_sphere(const points *of, ew_geometry *face)
{
    double a[5][5] = {{0}}, b[5] = {0}, s[5], x[3];
    for (int32_t i = 0; i < of->n; i++) {
        point(of, of->xyz, i, x);
        const double row[4] = {2 * x[0], 2 * x[1], 2 * x[2], 1};
        add_row(4, row, dot(x, x), a, b);
    }
    if (!solve(4, a, b, s)) {
        return false;
    }
    const double radius = sqrt(fmax(0.0, s[3] + dot(s, s)));
    if (!fits(of, s, NULL, radius)) {
        return false;
    }
    face->kind = EW_GEOMETRY_SPHERE;
    face->radius = radius * of->scale;
    memset(face->direction, 0, sizeof face->direction);
    return true;
}

/* Two unit vectors across an axis. */
static void across(const double axis[3], double u[3], double v[3])
{
    const int least = fabs(axis[0]) < fabs(axis[1]) ? (fabs(axis[0]) < fabs(axis[2]) ? 0 : 2)
                                                    : (fabs(axis[1]) < fabs(axis[2]) ? 1 : 2);
    double helper[3] = {0, 0, 0};
    helper[least] = 1;
    for (int c = 0; c < 3; c++) {
        u[c] = helper[c] - axis[least] * axis[c];
    }
    normalize(u);
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        v[c] = axis[d] * u[e] - axis[e] * u[d];
    }
}

/* The direction that the normals are most nearly perpendicular to, by inverse iteration with the
 * sum of area n n^T; its start is the cross product of two of them. */
static bool start_axis(const points *of, double axis[3])
{
    double m[3][3] = {{0}}, total = 0;
    for (int32_t i = 0; i < of->n_triangle; i++) {
        const double *n = of->normal + 3 * (size_t)i, area = sqrt(dot(n, n));
        total += area;
        for (int c = 0; c < 9 && area > 0; c++) {
            m[c / 3][c % 3] += n[c / 3] * n[c % 3] / area;
        }
    }
    double x[5] = {0.57, 0.61, 0.55};
    for (int step = 0; step < 30; step++) {
        double a[5][5] = {{0}}, b[5] = {x[0], x[1], x[2]};
        for (int c = 0; c < 9; c++) {
            a[c / 3][c % 3] = m[c / 3][c % 3] / total + (c % 4 ? 0.0 : 1e-6);
        }
        if (!solve(3, a, b, x) || !normalize(x)) {
            return false;
        }
    }
    memcpy(axis, x, 3 * sizeof *axis);
    return true;
}

/* Gauss-Newton for the distances from an axis: the axis turns by s[0] u + s[1] v and moves by s[2]
 * u + s[3] v, the radius grows by s[4]. */
static bool improve(const points *of, double axis[3], double origin[3], double *radius)
{
    double u[3], v[3], a[5][5] = {{0}}, b[5] = {0}, s[5], x[3], out[3];
    across(axis, u, v);
    for (int32_t i = 0; i < of->n; i++) {
        point(of, of->xyz, i, x);
        const double distance = from_axis(x, origin, axis, out);
        for (int c = 0; c < 3; c++) {
            x[c] -= origin[c];
        }
        const double along = dot(x, axis), nu = dot(out, u), nv = dot(out, v);
        const double row[5] = {-along * nu, -along * nv, -nu, -nv, -1};
        add_row(5, row, *radius - distance, a, b);
    }
    if (!solve(5, a, b, s)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        axis[c] += s[0] * u[c] + s[1] * v[c];
        origin[c] += s[2] * u[c] + s[3] * v[c];
    }
    *radius += s[4];
    return normalize(axis);
}

/* The circle that the points make along the axis, as the sphere above. */
static bool start_circle(const points *of, const double axis[3], double origin[3], double *radius)
{
    double u[3], v[3], a[5][5] = {{0}}, b[5] = {0}, s[5], x[3];
    across(axis, u, v);
    for (int32_t i = 0; i < of->n; i++) {
        point(of, of->xyz, i, x);
        const double p = dot(x, u), q = dot(x, v), row[3] = {2 * p, 2 * q, 1};
        add_row(3, row, p * p + q * q, a, b);
    }
    if (!solve(3, a, b, s)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        origin[c] = s[0] * u[c] + s[1] * v[c];
    }
    *radius = sqrt(fmax(0.0, s[2] + s[0] * s[0] + s[1] * s[1]));
    return true;
}

static bool is_cylinder(const points *of, ew_geometry *face)
{
    double axis[3], origin[3], radius;
    bool is = start_axis(of, axis) && start_circle(of, axis, origin, &radius);
    for (int step = 0; step < 20 && is; step++) {
        is = improve(of, axis, origin, &radius);
    }
    if (!is || !fits(of, origin, axis, radius)) {
        return false;
    }
    face->kind = EW_GEOMETRY_CYLINDER;
    face->radius = radius * of->scale;
    memcpy(face->direction, axis, sizeof axis);
    return true;
}

void ew_geometry_fit(int32_t n_vertex, const double *xyz, int32_t n_triangle, const double *normal,
                     const double *center, ew_geometry *face)
{
    points of = {.n = n_vertex,
                 .n_triangle = n_triangle,
                 .xyz = xyz,
                 .normal = normal,
                 .center = center,
                 .scale = face->size > 0 ? sqrt(face->size) : 1};
    memcpy(of.origin, face->centroid, sizeof of.origin);
    const bool may_curve = n_triangle >= 4; /* a sphere goes through any four points */
    if (!is_plane(&of, face) && !(may_curve && (is_sphere(&of, face) || is_cylinder(&of, face)))) {
        face->kind = EW_GEOMETRY_CURVED;
        memset(face->direction, 0, sizeof face->direction);
    }
}
