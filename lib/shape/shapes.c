/* Built-in shapes made of one extrusion: box, plate with hole, torus, sphere octant. In:
 * lengths and cell counts. Out: a mesh with labeled boundary triangles. */
#include "shape/builder.h"

#include <math.h>

static const double half_pi = 1.5707963267948966;

/* ---- box --------------------------------------------------------------- */

static void place_box(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                      double xyz[3])
{
    const double *size = user;
    xyz[0] = point[0];
    xyz[1] = point[1];
    xyz[2] = size[2] * (double)layer / (double)n_layer;
}

/* Points of a structured grid, row by row; node[k] = k'th of them. */
static ew_status add_box_base(ew_base *base, const double size[3], const int32_t cells[3],
                              int32_t *node)
{
    int32_t label[4] = {1, 2, 3, 4};
    int32_t k = 0;
    for (int32_t j = 0; j <= cells[1]; j++) {
        for (int32_t i = 0; i <= cells[0]; i++) {
            EW_TRY(ew_base_add_point(base, size[0] * (double)i / (double)cells[0],
                                     size[1] * (double)j / (double)cells[1], 0.0, &node[k++]));
        }
    }
    return ew_base_add_grid(base, cells, node, label);
}

ew_status ew_shape_box(ew_mesh *mesh, const double size[3], const int32_t cells[3])
{
    static const char *const size_name[3] = {"size[0]", "size[1]", "size[2]"};
    static const char *const cells_name[3] = {"cells[0]", "cells[1]", "cells[2]"};
    for (int i = 0; i < 3; i++) {
        EW_TRY(ew_shape_need_size("box", size_name[i], size[i]));
        EW_TRY(ew_shape_need_cells("box", cells_name[i], cells[i], 1));
    }
    EW_TRY(ew_shape_need_limit("box", 6.0 * cells[0] * cells[1] * cells[2]));
    ew_status status;
    ew_base base = {0};
    int32_t *node = NULL;
    const int32_t cap[2] = {5, 6};
    EW_TRY(ew_new(&node, ((size_t)cells[0] + 1) * ((size_t)cells[1] + 1), sizeof *node));
    EW_TRY_OUT(add_box_base(&base, size, cells, node));
    EW_TRY_OUT(ew_shape_extrude_to_mesh(mesh, &base, cells[2], false, place_box, size, cap));
out:
    ew_base_free(&base);
    ew_release(node);
    return status;
}

/* ---- plate with hole --------------------------------------------------- */

static void place_plate(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                        double xyz[3])
{
    xyz[0] = point[0];
    xyz[1] = point[1];
    xyz[2] = *(const double *)user * (double)layer / (double)n_layer;
}

/* Columns run from the hole outwards, rows with the angle. A ray joins a point of the arc
 * (equal angles) with one of the square (equal lengths); distances grow geometrically, so
 * that cells near the hole are as small as the arc's. */
static ew_status add_plate_base(ew_base *base, double half_side, double radius,
                                const int32_t cells[3], int32_t *node)
{
    const int32_t n = cells[0], half = n / 2, grid[2] = {cells[1], n}, label[4] = {5, 0, 2, 1};
    int32_t k = 0;
    for (int32_t j = 0; j <= n; j++) {
        double angle = half_pi * (double)j / (double)n;
        double in[2] = {j == n ? 0.0 : radius * cos(angle), radius * sin(angle)};
        double out[2] = {half_side, half_side};
        if (j < half) {
            out[1] *= (double)j / (double)half;
        } else {
            out[0] *= (double)(n - j) / (double)half;
        }
        for (int32_t i = 0; i <= grid[0]; i++) {
            double far = radius * pow(half_side / radius, (double)i / (double)grid[0]);
            double s = i == grid[0] ? 1.0 : (far - radius) / (half_side - radius);
            EW_TRY(ew_base_add_point(base, (1.0 - s) * in[0] + s * out[0],
                                     (1.0 - s) * in[1] + s * out[1], 0.0, &node[k++]));
        }
    }
    EW_TRY(ew_base_add_grid(base, grid, node, label));
    const int32_t *rim = node + grid[0];
    for (int32_t j = 0; j < n; j++, rim += grid[0] + 1) {
        EW_TRY(ew_base_add_edge(base, rim[0], rim[grid[0] + 1], j < half ? 3 : 4));
    }
    return EW_OK;
}

ew_status ew_shape_plate_hole(ew_mesh *mesh, double half_side, double radius, double thickness,
                              const int32_t cells[3])
{
    const char *const shape = "plate with hole";
    EW_TRY(ew_shape_need_size(shape, "half_side", half_side));
    EW_TRY(ew_shape_need_size(shape, "radius", radius));
    EW_TRY(ew_shape_need_size(shape, "thickness", thickness));
    EW_TRY(ew_shape_need_cells(shape, "cells[0]", cells[0], 2));
    EW_TRY(ew_shape_need_cells(shape, "cells[1]", cells[1], 1));
    EW_TRY(ew_shape_need_cells(shape, "cells[2]", cells[2], 1));
    EW_TRY(ew_shape_need_limit(shape, 6.0 * cells[0] * cells[1] * cells[2]));
    if (cells[0] % 2 != 0) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: cells[0] is %d; it must be even", shape,
                       (int)cells[0]);
    }
    if (radius >= half_side) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: radius %g must be less than half_side %g", shape,
                       radius, half_side);
    }
    ew_status status;
    ew_base base = {0};
    int32_t *node = NULL;
    const int32_t cap[2] = {6, 7};
    EW_TRY(ew_new(&node, ((size_t)cells[0] + 1) * ((size_t)cells[1] + 1), sizeof *node));
    EW_TRY_OUT(add_plate_base(&base, half_side, radius, cells, node));
    EW_TRY_OUT(
        ew_shape_extrude_to_mesh(mesh, &base, cells[2], false, place_plate, &thickness, cap));
out:
    ew_base_free(&base);
    ew_release(node);
    return status;
}

/* ---- torus ------------------------------------------------------------- */

static void place_torus(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                        double xyz[3])
{
    double angle = 4.0 * half_pi * (double)layer / (double)n_layer;
    double r = *(const double *)user + point[1];
    xyz[0] = r * cos(angle);
    xyz[1] = r * sin(angle);
    xyz[2] = point[0];
}

/* The square [-1, 1]^2 mapped to the disc by x = u sqrt(1 - v^2 / 2), y = v sqrt(1 - u^2 / 2)
 * (Nowell 2005). A corner cell has an angle of 180 degrees there; its cut passes through the
 * corner, so that no triangle sees more than half of it. */
static ew_status add_disc_base(ew_base *base, double radius, int32_t n, int32_t *node)
{
    const int32_t grid[2] = {n, n}, label[4] = {1, 1, 1, 1};
    int32_t k = 0;
    for (int32_t j = 0; j <= n; j++) {
        double v = (double)(2 * j - n) / (double)n;
        for (int32_t i = 0; i <= n; i++) {
            double u = (double)(2 * i - n) / (double)n;
            EW_TRY(ew_base_add_point(base, radius * u * sqrt(1.0 - 0.5 * v * v),
                                     radius * v * sqrt(1.0 - 0.5 * u * u), 0.0, &node[k++]));
        }
    }
    return ew_base_add_grid(base, grid, node, label);
}

/* Tets: 6 * cells[0] * cells[1]^2. The sizes of the published pictures, within 2 %:
 * {27, 2} 648, {46, 2} 1104, {37, 3} 1998, {60, 3} 3240, {56, 4} 5376. */
ew_status ew_shape_torus(ew_mesh *mesh, double ring_radius, double tube_radius,
                         const int32_t cells[2])
{
    EW_TRY(ew_shape_need_size("torus", "ring_radius", ring_radius));
    EW_TRY(ew_shape_need_size("torus", "tube_radius", tube_radius));
    EW_TRY(ew_shape_need_cells("torus", "cells[0]", cells[0], 3));
    EW_TRY(ew_shape_need_cells("torus", "cells[1]", cells[1], 1));
    EW_TRY(ew_shape_need_limit("torus", 6.0 * cells[0] * cells[1] * cells[1]));
    if (tube_radius >= ring_radius) {
        return ew_fail(EW_BAD_ARGUMENT, "torus: tube_radius %g must be less than ring_radius %g",
                       tube_radius, ring_radius);
    }
    ew_status status;
    ew_base base = {0};
    int32_t *node = NULL;
    const int32_t cap[2] = {0, 0};
    EW_TRY(ew_new(&node, ((size_t)cells[1] + 1) * ((size_t)cells[1] + 1), sizeof *node));
    EW_TRY_OUT(add_disc_base(&base, tube_radius, cells[1], node));
    EW_TRY_OUT(
        ew_shape_extrude_to_mesh(mesh, &base, cells[0], true, place_torus, &ring_radius, cap));
out:
    ew_base_free(&base);
    ew_release(node);
    return status;
}

/* ---- hollow sphere octant ---------------------------------------------- */

static void place_sphere(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                         double xyz[3])
{
    const double *radius = user;
    double s = (double)layer / (double)n_layer;
    double r = (1.0 - s) * radius[0] + s * radius[1];
    for (int i = 0; i < 3; i++) {
        xyz[i] = r * point[i];
    }
}

/* The octant is the three faces of the cube {0 .. n}^3 where a coordinate is n, blown up to
 * the sphere with equal angles. Number of the point (a, b, c): face by face. */
static int32_t octant_point(int32_t n, const int32_t at[3])
{
    int32_t side = n + 1;
    if (at[0] == n) {
        return at[1] * side + at[2];
    }
    if (at[1] == n) {
        return side * side + at[0] * side + at[2];
    }
    return side * side + n * side + at[0] * n + at[1];
}

static ew_status add_octant_points(ew_base *base, int32_t n)
{
    for (int axis = 0; axis < 3; axis++) {
        /* the two free coordinates; one that has had its face stops short of n */
        const int i = axis == 0 ? 1 : 0, j = axis == 2 ? 1 : 2;
        for (int32_t a = 0; a <= n - (i < axis); a++) {
            for (int32_t b = 0; b <= n - (j < axis); b++) {
                double x[3] = {1.0, 1.0, 1.0};
                x[i] = a == n ? 1.0 : tan(0.5 * half_pi * (double)a / (double)n);
                x[j] = b == n ? 1.0 : tan(0.5 * half_pi * (double)b / (double)n);
                double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
                int32_t point;
                EW_TRY(
                    ew_base_add_point(base, x[0] / length, x[1] / length, x[2] / length, &point));
            }
        }
    }
    return EW_OK;
}

static ew_status add_octant_base(ew_base *base, int32_t n, int32_t *node)
{
    const int32_t grid[2] = {n, n};
    EW_TRY(add_octant_points(base, n));
    for (int axis = 0; axis < 3; axis++) {
        const int first = (axis + 1) % 3, second = (axis + 2) % 3;
        const int32_t label[4] = {3 + first, 0, 3 + second, 0};
        int32_t at[3], k = 0;
        at[axis] = n;
        for (at[second] = 0; at[second] <= n; at[second]++) {
            for (at[first] = 0; at[first] <= n; at[first]++) {
                node[k++] = octant_point(n, at);
            }
        }
        EW_TRY(ew_base_add_grid(base, grid, node, label));
    }
    return EW_OK;
}

ew_status ew_shape_sphere_octant(ew_mesh *mesh, double inner_radius, double outer_radius,
                                 const int32_t cells[2])
{
    const char *const shape = "sphere octant";
    EW_TRY(ew_shape_need_size(shape, "inner_radius", inner_radius));
    EW_TRY(ew_shape_need_size(shape, "outer_radius", outer_radius));
    EW_TRY(ew_shape_need_cells(shape, "cells[0]", cells[0], 1));
    EW_TRY(ew_shape_need_cells(shape, "cells[1]", cells[1], 1));
    EW_TRY(ew_shape_need_limit(shape, 18.0 * cells[0] * cells[0] * cells[1]));
    if (inner_radius >= outer_radius) {
        return ew_fail(EW_BAD_ARGUMENT, "%s: inner_radius %g must be less than outer_radius %g",
                       shape, inner_radius, outer_radius);
    }
    ew_status status;
    ew_base base = {0};
    int32_t *node = NULL;
    const int32_t cap[2] = {1, 2};
    const double radius[2] = {inner_radius, outer_radius};
    EW_TRY(ew_new(&node, ((size_t)cells[0] + 1) * ((size_t)cells[0] + 1), sizeof *node));
    EW_TRY_OUT(add_octant_base(&base, cells[0], node));
    EW_TRY_OUT(ew_shape_extrude_to_mesh(mesh, &base, cells[1], false, place_sphere, radius, cap));
out:
    ew_base_free(&base);
    ew_release(node);
    return status;
}
