/* Triangles in a tree of boxes. In: triangles of a surface. Out: the nearest one to a point, and
 * whether a tet or a triangle touches any.
 *
 * Each box is cut at the middle triangle along its longest side, by centers and numbers, so that
 * the tree depends on nothing but the triangles. */
#include "operation/framework/triangles.h"

#include "operation/framework/local.h"

#include <math.h>
#include <string.h>

enum { LEAF = 4 };
#define NO_AREA 1e-8  /* of the square of its sides: a triangle has no plane */
#define NEARLY  1e-10 /* of the largest coordinate: what rounding may do to the distance of one */

/* Without a call, as fmin and fmax are for the sake of NaN. */
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static const double *corner_of(const ew_triangles *tree, int32_t triangle, int k)
{
    return tree->xyz + 3 * (size_t)tree->triangle[3 * (size_t)triangle + (size_t)k];
}

/* The plane of each item, by which most triangles are passed over: unit normal and offset; zero
 * where a triangle has no area. */
static void find_planes(ew_triangles *tree)
{
    for (int32_t at = 0; at < tree->n; at++) {
        double e[3], f[3], *plane = tree->plane + 4 * (size_t)at;
        const double *a = corner_of(tree, tree->item[at], 0);
        const double *b = corner_of(tree, tree->item[at], 1);
        const double *c = corner_of(tree, tree->item[at], 2);
        for (int i = 0; i < 3; i++) {
            e[i] = b[i] - a[i];
            f[i] = c[i] - a[i];
        }
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            plane[i] = e[j] * f[k] - e[k] * f[j];
        }
        const double ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        const double ff = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        const double length = sqrt(plane[0] * plane[0] + plane[1] * plane[1] + plane[2] * plane[2]);
        const bool has_area = length > NO_AREA * (ee + ff);
        for (int i = 0; i < 3; i++) {
            plane[i] = has_area ? plane[i] / length : 0.0;
        }
        plane[3] = plane[0] * a[0] + plane[1] * a[1] + plane[2] * a[2];
    }
}

static inline double off_plane(const double *plane, const double *x)
{
    return plane[0] * x[0] + plane[1] * x[1] + plane[2] * x[2] - plane[3];
}

static bool is_leaf(const ew_triangle_node *node)
{
    return node->end - node->begin <= LEAF;
}

/* ---- construction ------------------------------------------------------------ */

static void find_box(const ew_triangles *tree, ew_triangle_node *node)
{
    for (int i = 0; i < 3; i++) {
        node->low[i] = INFINITY;
        node->high[i] = -INFINITY;
    }
    for (int32_t at = node->begin; at < node->end; at++) {
        for (int k = 0; k < 3; k++) {
            const double *x = corner_of(tree, tree->item[at], k);
            for (int i = 0; i < 3; i++) {
                node->low[i] = fmin(node->low[i], x[i]);
                node->high[i] = fmax(node->high[i], x[i]);
            }
        }
    }
}

/* The first half comes before the second one along the axis. */
static void divide(const ew_triangles *tree, const ew_triangle_node *node, ew_keyed *key)
{
    const int32_t n = node->end - node->begin;
    int axis = 0;
    for (int i = 1; i < 3; i++) {
        axis = node->high[i] - node->low[i] > node->high[axis] - node->low[axis] ? i : axis;
    }
    for (int32_t k = 0; k < n; k++) {
        const int32_t t = tree->item[node->begin + k];
        key[k] = (ew_keyed){corner_of(tree, t, 0)[axis] + corner_of(tree, t, 1)[axis] +
                                corner_of(tree, t, 2)[axis],
                            t, t};
    }
    ew_lowest_first(key, n, n / 2);
    for (int32_t k = 0; k < n; k++) {
        tree->item[node->begin + k] = key[k].slot;
    }
}

/* Parts are halves, so that this is no deeper than the logarithm of their number. */
static void add_node(ew_triangles *tree, int32_t begin, int32_t end, ew_keyed *key)
{
    const int32_t at = tree->n_node++;
    ew_triangle_node *node = &tree->node[at];
    *node = (ew_triangle_node){.begin = begin, .end = end};
    find_box(tree, node);
    if (!is_leaf(node)) {
        divide(tree, node, key);
        add_node(tree, begin, begin + (end - begin) / 2, key);
        add_node(tree, begin + (end - begin) / 2, end, key);
    }
    node->next = tree->n_node;
}

ew_status ew_triangles_init(ew_triangles *tree, const ew_surface *surface, const int32_t *list,
                            int32_t n)
{
    ew_keyed *key = NULL;
    ew_status status;
    *tree = (ew_triangles){.xyz = surface->xyz, .triangle = surface->triangle, .n = n};
    EW_TRY_OUT(ew_new(&tree->item, (size_t)n, sizeof *tree->item));
    EW_TRY_OUT(ew_new(&tree->plane, 4 * (size_t)n, sizeof *tree->plane));
    EW_TRY_OUT(ew_new(&tree->node, 2 * (size_t)n, sizeof *tree->node));
    EW_TRY_OUT(ew_new(&key, (size_t)n, sizeof *key));
    memcpy(tree->item, list, (size_t)n * sizeof *list);
    add_node(tree, 0, n, key);
    find_planes(tree);
out:
    ew_release(key);
    if (status) {
        ew_triangles_free(tree);
    }
    return status;
}

void ew_triangles_free(ew_triangles *tree)
{
    ew_release(tree->item);
    ew_release(tree->plane);
    ew_release(tree->node);
    memset(tree, 0, sizeof *tree);
}

/* ---- the nearest one ----------------------------------------------------------- */

static double to_box(const ew_triangle_node *node, const double x[3])
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        const double d = greater(greater(node->low[i] - x[i], x[i] - node->high[i]), 0.0);
        square += d * d;
    }
    return square;
}

typedef struct nearest {
    const double *x;
    double square, foot[3];
    double slack; /* of distances from planes */
    int32_t triangle, part;
} nearest;

static void look_at(const ew_triangles *tree, int32_t at, nearest *best)
{
    const int32_t t = tree->item[at];
    const double off = fabs(off_plane(tree->plane + 4 * (size_t)at, best->x)) - best->slack;
    double foot[3], square = 0.0;
    if (off > 0.0 && off * off > best->square) {
        return; /* its plane is farther */
    }
    const int32_t part = ew_local_nearest(best->x, corner_of(tree, t, 0), corner_of(tree, t, 1),
                                          corner_of(tree, t, 2), foot);
    for (int i = 0; i < 3; i++) {
        square += (best->x[i] - foot[i]) * (best->x[i] - foot[i]);
    }
    if (square < best->square || (best->triangle < 0 && !(square > best->square)) ||
        (square == best->square && t < best->triangle)) {
        best->square = square;
        best->triangle = t;
        best->part = part;
        memcpy(best->foot, foot, sizeof foot);
    }
}

static double largest(const ew_triangles *tree, const double x[3])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        most = greater(most, greater(fabs(x[i]),
                                     greater(fabs(tree->node->low[i]), fabs(tree->node->high[i]))));
    }
    return most;
}

static void look_in(const ew_triangles *tree, int32_t at, nearest *best)
{
    const ew_triangle_node *node = &tree->node[at];
    if (is_leaf(node)) {
        for (int32_t i = node->begin; i < node->end; i++) {
            look_at(tree, i, best);
        }
        return;
    }
    const int32_t part[2] = {at + 1, tree->node[at + 1].next};
    const double square[2] = {to_box(&tree->node[part[0]], best->x),
                              to_box(&tree->node[part[1]], best->x)};
    const int first = square[1] < square[0];
    for (int k = 0; k < 2; k++) {
        const int i = k ? 1 - first : first;
        if (!(square[i] > best->square)) {
            look_in(tree, part[i], best);
        }
    }
}

int32_t ew_triangles_nearest(const ew_triangles *tree, const double x[3], double bound,
                             double foot[3], int32_t *part)
{
    nearest best = {
        .x = x, .square = bound * bound, .triangle = -1, .slack = NEARLY * largest(tree, x)};
    if (!(to_box(tree->node, x) > best.square)) {
        look_in(tree, 0, &best);
    }
    memcpy(foot, best.foot, sizeof best.foot);
    *part = best.part;
    return best.triangle;
}

/* ---- what touches ----------------------------------------------------------------- */

static void minus(const double *a, const double *b, double d[3])
{
    for (int i = 0; i < 3; i++) {
        d[i] = a[i] - b[i];
    }
}

/* Whether the shadows of both on the line along a x b are apart by more than the slack. */
static bool parts(const double a[3], const double b[3], int n, const double *const *x, int m,
                  const double *const *y, double slack)
{
    const double axis[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                            a[0] * b[1] - a[1] * b[0]};
    const double square = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    const double size =
        (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) * (b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    if (!(square > 1e-24 * size)) { /* NaN parts nothing */
        return false;
    }
    for (int k = 0; k < n + m; k++) {
        const double *p = k < n ? x[k] : y[k - n];
        const double s = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
        low[k >= n] = lesser(low[k >= n], s);
        high[k >= n] = greater(high[k >= n], s);
    }
    const double gap = greater(low[0] - high[1], low[1] - high[0]);
    return gap > 0.0 && gap * gap > slack * slack * square;
}

/* The normals of a hull's faces, and of a triangle within its plane those of its sides. */
static bool faces_part(int n, const double *const *x, int m, const double *const *y, double slack)
{
    double e[3], f[3];
    for (int k = 0; k < (n == 4 ? 4 : 1); k++) {
        minus(x[(k + 1) % n], x[k], e);
        minus(x[(k + 2) % n], x[k], f);
        if (parts(e, f, n, x, m, y, slack)) {
            return true;
        }
    }
    if (n != 3) {
        return false;
    }
    const double normal[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2],
                              e[0] * f[1] - e[1] * f[0]};
    bool parted = false;
    for (int k = 0; k < 3 && !parted; k++) {
        minus(x[(k + 1) % 3], x[k], e);
        parted = parts(e, normal, n, x, m, y, slack);
    }
    return parted;
}

/* The axis theorem: convex bodies are apart where their shadows are, along a normal of a face or
 * of two edges (Gottschalk, Lin & Manocha 1996). */
bool ew_hulls_are_parted(int n, const double *const *x, int m, const double *const *y, double slack)
{
    if (faces_part(m, y, n, x, slack) || faces_part(n, x, m, y, slack)) {
        return true;
    }
    for (int i = 0; i < n * (n - 1) / 2; i++) {
        const int8_t *a = ew_edge_vertex[i];
        const int i0 = n == 3 ? i : a[0], i1 = n == 3 ? (i + 1) % 3 : a[1];
        for (int k = 0; k < m * (m - 1) / 2; k++) {
            const int8_t *b = ew_edge_vertex[k];
            const int k0 = m == 3 ? k : b[0], k1 = m == 3 ? (k + 1) % 3 : b[1];
            double e[3], f[3];
            minus(x[i1], x[i0], e);
            minus(y[k1], y[k0], f);
            if (parts(e, f, n, x, m, y, slack)) {
                return true;
            }
        }
    }
    return false;
}

static bool boxes_meet(const ew_triangle_node *node, const double low[3], const double high[3])
{
    return node->low[0] <= high[0] && low[0] <= node->high[0] && node->low[1] <= high[1] &&
           low[1] <= node->high[1] && node->low[2] <= high[2] && low[2] <= node->high[2];
}

/* Whether the plane of an item parts it from the hull by more than that. */
static bool plane_parts(const ew_triangles *tree, int32_t item, int n, const double *const *x,
                        double slack)
{
    const double *plane = tree->plane + 4 * (size_t)item;
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < n; k++) {
        const double off = off_plane(plane, x[k]);
        low = lesser(low, off);
        high = greater(high, off);
    }
    return low > slack || high < -slack;
}

/* apart: by how much a plane must part. */
static bool meets_in(const ew_triangles *tree, int32_t at, int n, const double *const *x,
                     const double low[3], const double high[3], double slack, double apart)
{
    const ew_triangle_node *node = &tree->node[at];
    if (!boxes_meet(node, low, high)) {
        return false;
    }
    for (int32_t i = node->begin; i < node->end && is_leaf(node); i++) {
        if (plane_parts(tree, i, n, x, apart)) {
            continue;
        }
        const double *y[3];
        for (int k = 0; k < 3; k++) {
            y[k] = corner_of(tree, tree->item[i], k);
        }
        if (!ew_hulls_are_parted(n, x, 3, y, slack)) {
            return true;
        }
    }
    return !is_leaf(node) &&
           (meets_in(tree, at + 1, n, x, low, high, slack, apart) ||
            meets_in(tree, tree->node[at + 1].next, n, x, low, high, slack, apart));
}

bool ew_triangles_meet(const ew_triangles *tree, int n, const double *const *x, double slack)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (int k = 0; k < n; k++) {
            low[i] = lesser(low[i], x[k][i]);
            high[i] = greater(high[i], x[k][i]);
        }
        low[i] -= slack;
        high[i] += slack;
    }
    return meets_in(tree, 0, n, x, low, high, slack, slack + NEARLY * largest(tree, x[0]));
}

int32_t ew_triangles_next(const ew_triangles *tree, const double low[3], const double high[3],
                          int32_t from)
{
    int32_t at = 0;
    while (at < tree->n_node) {
        const ew_triangle_node *node = &tree->node[at];
        const bool meets = node->end > from && boxes_meet(node, low, high);
        if (meets && is_leaf(node)) {
            return node->begin > from ? node->begin : from;
        }
        at = meets ? at + 1 : node->next;
    }
    return tree->n;
}

ew_status ew_surface_find_nearest(const ew_surface *surface, int32_t n, const double *point,
                                  int32_t *found)
{
    ew_triangles tree;
    int32_t *all = NULL;
    if (surface->n_triangle < 1) {
        return ew_fail(EW_BAD_ARGUMENT, "surface: it has no triangles to be near to");
    }
    EW_TRY(ew_new(&all, (size_t)surface->n_triangle, sizeof *all));
    for (int32_t t = 0; t < surface->n_triangle; t++) {
        all[t] = t;
    }
    const ew_status status = ew_triangles_init(&tree, surface, all, surface->n_triangle);
    ew_release(all);
    EW_TRY(status);
    for (int32_t i = 0; i < n; i++) {
        double foot[3];
        int32_t part;
        found[i] = ew_triangles_nearest(&tree, point + 3 * (size_t)i, INFINITY, foot, &part);
    }
    ew_triangles_free(&tree);
    return EW_OK;
}
