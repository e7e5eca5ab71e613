/* The L-bracket. In: its lengths and a resolution. Out: a mesh with labeled boundary
 * triangles. Three extrusions that share vertices: the block in the corner and the wall
 * flange along x, the shelf flange along y. A flange in its own plane (s away from the corner,
 * z across) is a grid; two of its tiles, side by side, are rings of cells around a hole:
 *
 *     z  +----+---------+----+      each tile: rays from the hole to the grid points of
 *        |    |   (o)   |    |      the tile's rim, cut at geometric distances
 *        |    +---------+    |
 *        |    |   (o)   |    |
 *        +----+---------+----+ s */
#include "shape/builder.h"

#include <math.h>
#include <string.h>

typedef struct bracket {
    double length, width, thickness, hole_radius;
    int32_t n;        /* cells through the thickness */
    int32_t before;   /* cells along s from the corner to the tiles */
    int32_t tile[2];  /* cells of a tile's rim along s and along z */
    double s[4];      /* s of: the corner, the tiles' begin and end, the free end */
    int32_t n_s, n_z; /* cells of the whole flange, along s (outside the corner) and z */
    int32_t n_ring;   /* cells between hole and rim */
} bracket;

enum { label_wall = 1, label_shelf, label_wall_hole, label_shelf_hole, label_other };

/* Capped where check_size refuses anyway, so that sums of a few fit. */
static int32_t cells_over(double length, double cell, int32_t min)
{
    double n = fmin(floor(length / cell + 0.5), (double)(INT32_MAX / 16));
    return n > (double)min ? (int32_t)n : min;
}

/* Tiles are square, width / 2, at the middle of the flange; where less than a quarter of a
 * tile would be left on either side they take the flange's whole length. */
static void lay_out(bracket *b)
{
    const double pi = 3.141592653589793;
    double cell = b->thickness / (double)b->n, side = 0.5 * b->width;
    double free_length = b->length - b->thickness;
    double along = free_length < 1.5 * side ? free_length : side;
    double margin = 0.5 * (free_length - along);
    b->s[0] = b->thickness;
    b->s[1] = b->thickness + margin;
    b->s[2] = b->length - margin;
    b->s[3] = b->length;
    b->before = margin > 0.0 ? cells_over(margin, cell, 1) : 0;
    b->tile[0] = cells_over(along, cell, 4);
    b->tile[1] = cells_over(side, cell, 4);
    b->n_s = 2 * b->before + b->tile[0];
    b->n_z = 2 * b->tile[1];
    double around = 2.0 * (double)(b->tile[0] + b->tile[1]);
    double mean_radius = 0.25 * (along + side);
    b->n_ring = cells_over(log(mean_radius / b->hole_radius), 2.0 * pi / around, 1);
}

static double place_s(const bracket *b, int32_t i)
{
    int32_t zone = i < b->before ? 0 : i < b->before + b->tile[0] ? 1 : 2;
    int32_t from = zone == 0 ? 0 : zone == 1 ? b->before : b->before + b->tile[0];
    int32_t n = zone == 1 ? b->tile[0] : b->before;
    if (n == 0 || i == b->n_s) {
        return b->s[3]; /* the free end, exactly */
    }
    return b->s[zone] + (b->s[zone + 1] - b->s[zone]) * (double)(i - from) / (double)n;
}

static bool is_tile_cell(const bracket *b, int32_t i)
{
    return i >= b->before && i < b->before + b->tile[0];
}

/* Grid points outside the insides of the tiles, z row by row: node [n_z + 1][n_s + 1]. */
static ew_status add_flange_grid(ew_base *base, const bracket *b, int32_t *node)
{
    const int32_t row = b->n_s + 1;
    for (int32_t j = 0; j <= b->n_z; j++) {
        double z = b->width * (double)j / (double)b->n_z;
        for (int32_t i = 0; i <= b->n_s; i++) {
            bool inside = is_tile_cell(b, i) && i > b->before && j % b->tile[1] != 0;
            int32_t *at = node + (size_t)j * (size_t)row + (size_t)i;
            *at = -1;
            if (!inside) {
                EW_TRY(ew_base_add_point(base, place_s(b, i), z, 0.0, at));
            }
        }
    }
    for (int32_t j = 0; j < b->n_z; j++) {
        for (int32_t i = 0; i < b->n_s; i++) {
            const int32_t *at = node + (size_t)j * (size_t)row + (size_t)i;
            int32_t corner[4] = {at[0], at[1], at[row + 1], at[row]};
            if (!is_tile_cell(b, i)) {
                EW_TRY(ew_base_add_quad(base, corner));
            }
        }
        const int32_t *end = node + (size_t)j * (size_t)row + (size_t)b->n_s;
        EW_TRY(ew_base_add_edge(base, end[0], end[row], label_other));
    }
    const int32_t *last = node + (size_t)b->n_z * (size_t)row;
    for (int32_t i = 0; i < b->n_s; i++) {
        EW_TRY(ew_base_add_edge(base, node[i], node[i + 1], label_other));
        EW_TRY(ew_base_add_edge(base, last[i + 1], last[i], label_other));
    }
    return EW_OK;
}

/* The k'th point of the rim of tile `which` (0, 1 along z), counter-clockwise. */
static int32_t rim_point(const bracket *b, const int32_t *node, int32_t which, int32_t k)
{
    const int32_t w = b->tile[0], h = b->tile[1];
    int32_t i, j;
    if (k < w) {
        i = k, j = 0;
    } else if (k < w + h) {
        i = w, j = k - w;
    } else if (k < 2 * w + h) {
        i = 2 * w + h - k, j = h;
    } else {
        i = 0, j = 2 * w + 2 * h - k;
    }
    return node[(size_t)(which * h + j) * (size_t)(b->n_s + 1) + (size_t)(b->before + i)];
}

/* ring: [around + 1][n_ring + 1] points, a ray per row, the last row being the first. */
static ew_status add_tile(ew_base *base, const bracket *b, const int32_t *node, int32_t which,
                          int32_t hole_label, int32_t *ring)
{
    const int32_t around = 2 * (b->tile[0] + b->tile[1]), row = b->n_ring + 1;
    const int32_t grid[2] = {b->n_ring, around}, label[4] = {hole_label, 0, 0, 0};
    const double center[2] = {0.5 * (b->s[1] + b->s[2]), b->width * (which == 0 ? 0.25 : 0.75)};
    for (int32_t k = 0; k < around; k++) {
        int32_t *ray = ring + (size_t)k * (size_t)row;
        ray[b->n_ring] = rim_point(b, node, which, k);
        const double *rim = base->point + 3 * (size_t)ray[b->n_ring];
        double away[2] = {rim[0] - center[0], rim[1] - center[1]};
        double far = sqrt(away[0] * away[0] + away[1] * away[1]);
        for (int32_t i = 0; i < b->n_ring; i++) {
            double scale = pow(b->hole_radius / far, 1.0 - (double)i / (double)b->n_ring);
            EW_TRY(ew_base_add_point(base, center[0] + scale * away[0], center[1] + scale * away[1],
                                     0.0, &ray[i]));
        }
    }
    memcpy(ring + (size_t)around * (size_t)row, ring, (size_t)row * sizeof *ring);
    return ew_base_add_grid(base, grid, ring, label);
}

/* Out: the base in (s, z), and inner[0 .. n_z], its points at the corner, by z. */
static ew_status add_flange(ew_base *base, const bracket *b, int32_t hole_label, int32_t *inner)
{
    ew_status status;
    int32_t *node = NULL, *ring = NULL;
    size_t row = (size_t)b->n_s + 1;
    size_t around = 2 * ((size_t)b->tile[0] + (size_t)b->tile[1]);
    EW_TRY_OUT(ew_new(&node, row * ((size_t)b->n_z + 1), sizeof *node));
    EW_TRY_OUT(ew_new(&ring, (around + 1) * ((size_t)b->n_ring + 1), sizeof *ring));
    EW_TRY_OUT(add_flange_grid(base, b, node));
    for (int32_t which = 0; which < 2; which++) {
        EW_TRY_OUT(add_tile(base, b, node, which, hole_label, ring));
    }
    for (int32_t j = 0; j <= b->n_z; j++) {
        inner[j] = node[(size_t)j * row];
    }
out:
    ew_release(node);
    ew_release(ring);
    return status;
}

/* Corner and wall: the base is (y, z), layers go along x. */
static void place_wall(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                       double xyz[3])
{
    xyz[0] = *(const double *)user * (double)layer / (double)n_layer;
    xyz[1] = point[0];
    xyz[2] = point[1];
}

/* Shelf: the mirrored base is (z, x), layers go along y. */
static void place_shelf(const void *user, const double point[3], int32_t layer, int32_t n_layer,
                        double xyz[3])
{
    xyz[0] = point[1];
    xyz[1] = *(const double *)user * (double)layer / (double)n_layer;
    xyz[2] = point[0];
}

/* node [n + 1][n_z + 1][n + 1]: x, z, y. */
static ew_status add_corner(ew_shape *shape, const bracket *b, int32_t *node)
{
    ew_status status = EW_OK;
    ew_base base = {0};
    const int32_t grid[2] = {b->n, b->n_z};
    const int32_t label[4] = {label_other, 0, label_other, label_other}, cap[2] = {label_wall, 0};
    int32_t k = 0;
    for (int32_t j = 0; j <= b->n_z; j++) {
        for (int32_t i = 0; i <= b->n; i++) {
            EW_TRY_OUT(ew_base_add_point(&base, b->thickness * (double)i / (double)b->n,
                                         b->width * (double)j / (double)b->n_z, 0.0, &node[k]));
            k++;
        }
    }
    EW_TRY_OUT(ew_base_add_grid(&base, grid, node, label));
    memset(node, 0xff, ((size_t)b->n + 1) * (size_t)k * sizeof *node);
    EW_TRY_OUT(ew_shape_extrude(shape, &base, b->n, false, place_wall, &b->thickness, cap, node));
out:
    ew_base_free(&base);
    return status;
}

/* The layers of a flange meet the corner at one of its faces: the wall at y index n, the shelf
 * (whose layers count y) at x index n. */
static ew_status add_flange_layers(ew_shape *shape, const bracket *b, bool shelf,
                                   const int32_t *corner)
{
    ew_status status;
    ew_base base = {0};
    int32_t *inner = NULL, *node = NULL;
    const int32_t wall_cap[2] = {label_wall, label_other};
    const int32_t shelf_cap[2] = {label_other, label_shelf};
    const size_t row = (size_t)b->n + 1, slice = row * ((size_t)b->n_z + 1);
    EW_TRY_OUT(ew_new(&inner, (size_t)b->n_z + 1, sizeof *inner));
    EW_TRY_OUT(add_flange(&base, b, shelf ? label_shelf_hole : label_wall_hole, inner));
    if (shelf) {
        ew_base_mirror(&base);
    }
    EW_TRY_OUT(ew_new(&node, row * (size_t)base.n_point, sizeof *node));
    memset(node, 0xff, row * (size_t)base.n_point * sizeof *node);
    for (size_t k = 0; k < row; k++) {
        for (size_t j = 0; j <= (size_t)b->n_z; j++) {
            size_t x = shelf ? row - 1 : k, y = shelf ? k : row - 1;
            node[k * (size_t)base.n_point + (size_t)inner[j]] = corner[x * slice + j * row + y];
        }
    }
    EW_TRY_OUT(ew_shape_extrude(shape, &base, b->n, false, shelf ? place_shelf : place_wall,
                                &b->thickness, shelf ? shelf_cap : wall_cap, node));
out:
    ew_base_free(&base);
    ew_release(inner);
    ew_release(node);
    return status;
}

static ew_status check_bracket(const bracket *b)
{
    EW_TRY(ew_shape_need_size("bracket", "length", b->length));
    EW_TRY(ew_shape_need_size("bracket", "width", b->width));
    EW_TRY(ew_shape_need_size("bracket", "thickness", b->thickness));
    EW_TRY(ew_shape_need_size("bracket", "hole_radius", b->hole_radius));
    EW_TRY(ew_shape_need_cells("bracket", "cells_thickness", b->n, 1));
    if (b->thickness >= b->length) {
        return ew_fail(EW_BAD_ARGUMENT, "bracket: thickness %g must be less than length %g",
                       b->thickness, b->length);
    }
    double room = 0.9 * fmin(0.25 * b->width, 0.5 * (b->length - b->thickness));
    if (b->hole_radius > room) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "bracket: hole_radius is %g; two holes beside each other need it to be "
                       "at most %g (0.9 of a quarter of width, of half the flange)",
                       b->hole_radius, room);
    }
    return EW_OK;
}

static ew_status check_size(const bracket *b)
{
    double around = 2.0 * ((double)b->tile[0] + (double)b->tile[1]);
    double quads = (double)b->n_s * (double)b->n_z + 2.0 * around * (double)b->n_ring +
                   (double)b->n * (double)b->n_z;
    return ew_shape_need_limit("bracket", 12.0 * quads * (double)b->n);
}

ew_status ew_shape_bracket(ew_mesh *mesh, double length, double width, double thickness,
                           double hole_radius, int32_t cells_thickness)
{
    bracket b = {.length = length,
                 .width = width,
                 .thickness = thickness,
                 .hole_radius = hole_radius,
                 .n = cells_thickness};
    EW_TRY(check_bracket(&b));
    lay_out(&b);
    EW_TRY(check_size(&b));
    ew_status status;
    ew_shape shape = {0};
    int32_t *corner = NULL;
    size_t row = (size_t)b.n + 1;
    EW_TRY_OUT(ew_new(&corner, row * row * ((size_t)b.n_z + 1), sizeof *corner));
    EW_TRY_OUT(add_corner(&shape, &b, corner));
    EW_TRY_OUT(add_flange_layers(&shape, &b, false, corner));
    EW_TRY_OUT(add_flange_layers(&shape, &b, true, corner));
    EW_TRY_OUT(ew_shape_to_mesh(mesh, &shape));
out:
    ew_shape_free(&shape);
    ew_release(corner);
    return status;
}
