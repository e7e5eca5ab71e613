/* Rigid surfaces of triangles. In: triangles that look outwards, closed or with rims. Out: the
 * point that is nearest to another one, the normal there and on which side the other one is.
 *
 * Where the nearest point is on a side or a vertex the side that a point is on is told by the sum
 * of the normals of the faces there, weighed by their angles (Baerentzen & Aanaes 2005, Signed
 * distance computation using the angle weighted pseudonormal). */
#include "contact/rigid.h"

#include <math.h>
#include <string.h>

/* Share of the size of the surface that is a distance of rounding. */
#define ROUNDING 1e-12

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double *a, const double *b, double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[c] - b[c];
    }
}

static const double *corner_of(const rigid_triangles *of, int32_t t, int k)
{
    return of->xyz + 3 * (size_t)of->triangle[3 * (size_t)t + (size_t)k];
}

/* ---- copies ---------------------------------------------------------------------------------- */

static ew_status reserve(rigid_triangles *to, const ew_surface *from)
{
    const size_t n = (size_t)from->n_triangle, n_vertex = (size_t)from->n_vertex;
    EW_TRY(ew_new(&to->xyz, 3 * n_vertex, sizeof *to->xyz));
    EW_TRY(ew_new(&to->triangle, 3 * n, sizeof *to->triangle));
    EW_TRY(ew_new(&to->face, 3 * n, sizeof *to->face));
    EW_TRY(ew_new(&to->side, 9 * n, sizeof *to->side));
    EW_TRY(ew_new_zero(&to->corner, 3 * n_vertex, sizeof *to->corner));
    EW_TRY(ew_new_zero(&to->is_rim, 3 * n, sizeof *to->is_rim));
    EW_TRY(ew_new_zero(&to->has_rim, n_vertex, sizeof *to->has_rim));
    EW_TRY(ew_new(&to->box, n, sizeof *to->box));
    memcpy(to->xyz, from->xyz, 3 * n_vertex * sizeof *to->xyz);
    memcpy(to->triangle, from->triangle, 3 * n * sizeof *to->triangle);
    to->n = from->n_triangle;
    to->n_vertex = from->n_vertex;
    return EW_OK;
}

static ew_status measure(rigid_triangles *to)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < 3 * to->n; i++) {
        const int32_t v = to->triangle[i];
        if (v < 0 || v >= to->n_vertex) {
            return ew_fail(EW_BAD_INPUT, "triangle %d names vertex %d; vertices are 0 to %d", i / 3,
                           v, to->n_vertex - 1);
        }
        for (int c = 0; c < 3; c++) {
            const double x = to->xyz[3 * (size_t)v + (size_t)c];
            if (!isfinite(x)) {
                return ew_fail(EW_BAD_INPUT, "vertex %d has a coordinate that is not finite", v);
            }
            low[c] = fmin(low[c], x);
            high[c] = fmax(high[c], x);
        }
    }
    to->size = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    return to->size > 0.0 && to->size < 1e30
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "it has the size %g; check its unit", to->size);
}

/* ---- normals --------------------------------------------------------------------------------- */

static ew_status find_face(rigid_triangles *to, int32_t t)
{
    double a[3], b[3], *n = to->face + 3 * (size_t)t;
    subtract(corner_of(to, t, 1), corner_of(to, t, 0), a);
    subtract(corner_of(to, t, 2), corner_of(to, t, 0), b);
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        n[c] = a[d] * b[e] - a[e] * b[d];
    }
    const double area = sqrt(dot(n, n));
    if (!(area > ROUNDING * (dot(a, a) + dot(b, b)))) {
        const double *x = corner_of(to, t, 0);
        return ew_fail(EW_BAD_INPUT, "triangle %d at (%g, %g, %g) has no area; remove it", t, x[0],
                       x[1], x[2]);
    }
    for (int c = 0; c < 3; c++) {
        n[c] /= area;
    }
    return EW_OK;
}

static void add_corners(rigid_triangles *to, int32_t t)
{
    for (int k = 0; k < 3; k++) {
        double a[3], b[3];
        const int32_t v = to->triangle[3 * (size_t)t + (size_t)k];
        subtract(corner_of(to, t, (k + 1) % 3), corner_of(to, t, k), a);
        subtract(corner_of(to, t, (k + 2) % 3), corner_of(to, t, k), b);
        const double cosine = dot(a, b) / sqrt(dot(a, a) * dot(b, b));
        const double angle = acos(fmax(-1.0, fmin(1.0, cosine)));
        for (int c = 0; c < 3; c++) {
            to->corner[3 * (size_t)v + (size_t)c] += angle * to->face[3 * (size_t)t + (size_t)c];
        }
    }
}

static ew_status enter_sides(const rigid_triangles *of, ew_map *map)
{
    for (int32_t i = 0; i < 3 * of->n; i++) {
        const int32_t a = of->triangle[i], b = of->triangle[i - i % 3 + (i + 1) % 3];
        const double *x = of->xyz + 3 * (size_t)a;
        int32_t old;
        EW_TRY(ew_map_enter(map, a, b, -1, i, &old));
        if (old >= 0) {
            return ew_fail(EW_BAD_INPUT,
                           "triangles %d and %d run through their side at (%g, %g, %g) in the same "
                           "direction; turn one round, or let no side have three triangles",
                           old / 3, i / 3, x[0], x[1], x[2]);
        }
    }
    return EW_OK;
}

static void find_sides(rigid_triangles *to, const ew_map *map)
{
    for (int32_t i = 0; i < 3 * to->n; i++) {
        const int32_t a = to->triangle[i], b = to->triangle[i - i % 3 + (i + 1) % 3];
        const int32_t other = ew_map_find(map, b, a, -1);
        to->is_rim[i] = other < 0;
        for (size_t c = 0; c < 3; c++) {
            to->side[3 * (size_t)i + c] = to->face[3 * (size_t)(i / 3) + c] +
                                          (other < 0 ? 0.0 : to->face[3 * (size_t)(other / 3) + c]);
        }
        if (other < 0) {
            to->has_rim[a] = to->has_rim[b] = true;
        }
    }
}

static ew_status find_normals(rigid_triangles *to)
{
    ew_map map = {0};
    for (int32_t t = 0; t < to->n; t++) {
        EW_TRY(find_face(to, t));
        add_corners(to, t);
    }
    const ew_status status = enter_sides(to, &map);
    if (!status) {
        find_sides(to, &map);
    }
    ew_map_free(&map);
    return status;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static void find_box(rigid_triangles *to, int32_t t)
{
    for (int c = 0; c < 3; c++) {
        const double x[3] = {corner_of(to, t, 0)[c], corner_of(to, t, 1)[c],
                             corner_of(to, t, 2)[c]};
        const double low = fmin(fmin(x[0], x[1]), x[2]), high = fmax(fmax(x[0], x[1]), x[2]);
        to->box[t].low[c] = nextafterf((float)low, -INFINITY);
        to->box[t].high[c] = nextafterf((float)high, INFINITY);
    }
}

ew_status rigid_triangles_make(rigid_triangles *to, const ew_surface *surface)
{
    if (surface->n_triangle < 1 || surface->n_triangle > INT32_MAX / 9) {
        return ew_fail(EW_BAD_INPUT, "it has %d triangles; it takes 1 to %d", surface->n_triangle,
                       INT32_MAX / 9);
    }
    EW_TRY(reserve(to, surface));
    EW_TRY(measure(to));
    EW_TRY(find_normals(to));
    for (int32_t t = 0; t < to->n; t++) {
        find_box(to, t);
    }
    return contact_tree_build(&to->tree, to->n, to->box);
}

bool rigid_triangles_are_closed(const rigid_triangles *of)
{
    bool closed = true;
    for (int32_t i = 0; i < 3 * of->n && closed; i++) {
        closed = !of->is_rim[i];
    }
    return closed;
}

double rigid_triangles_volume(const rigid_triangles *of)
{
    double sum = 0.0;
    for (int32_t t = 0; t < of->n; t++) {
        const double *a = corner_of(of, t, 0), *b = corner_of(of, t, 1), *c = corner_of(of, t, 2);
        double x[3], y[3], z[3];
        subtract(a, of->xyz, x);
        subtract(b, of->xyz, y);
        subtract(c, of->xyz, z);
        sum += (x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
                x[2] * (y[0] * z[1] - y[1] * z[0])) /
               6.0;
    }
    return sum;
}

void rigid_triangles_turn(rigid_triangles *of)
{
    for (size_t i = 0; i < 3 * (size_t)of->n; i++) {
        of->face[i] = -of->face[i];
    }
    for (size_t i = 0; i < 9 * (size_t)of->n; i++) {
        of->side[i] = -of->side[i];
    }
    for (size_t i = 0; i < 3 * (size_t)of->n_vertex; i++) {
        of->corner[i] = -of->corner[i];
    }
}

void rigid_triangles_free(rigid_triangles *of)
{
    ew_release(of->xyz);
    ew_release(of->triangle);
    ew_release(of->face);
    ew_release(of->side);
    ew_release(of->corner);
    ew_release(of->is_rim);
    ew_release(of->has_rim);
    ew_release(of->box);
    contact_tree_free(&of->tree);
    *of = (rigid_triangles){0};
}

/* ---- the nearest point ------------------------------------------------------------------------
 */

/* Of a triangle the point that is nearest to x, and the part that it is on: 0, 1, 2: a corner; 3,
 * 4, 5: a side; 6: within (Ericson 2005, Real-time collision detection, 5.1.5). */
static int find_foot(const double x[3], const double *a, const double *b, const double *c,
                     double foot[3])
{
    double ab[3], ac[3], ax[3], bx[3], cx[3], s = 0.0, t = 0.0; /* foot = a + s ab + t ac */
    int part = 6;
    subtract(b, a, ab);
    subtract(c, a, ac);
    subtract(x, a, ax);
    subtract(x, b, bx);
    subtract(x, c, cx);
    const double d1 = dot(ab, ax), d2 = dot(ac, ax), d3 = dot(ab, bx), d4 = dot(ac, bx),
                 d5 = dot(ab, cx), d6 = dot(ac, cx);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0) {
        part = 0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        part = 1;
        s = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        part = 3;
        s = d1 / (d1 - d3);
    } else if (d6 >= 0.0 && d5 <= d6) {
        part = 2;
        t = 1.0;
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        part = 5;
        t = d2 / (d2 - d6);
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        part = 4;
        t = (d4 - d3) / (d4 - d3 + d5 - d6);
        s = 1.0 - t;
    } else {
        s = vb / (va + vb + vc);
        t = vc / (va + vb + vc);
    }
    for (int k = 0; k < 3; k++) {
        foot[k] = a[k] + s * ab[k] + t * ac[k];
    }
    return part;
}

typedef struct nearest {
    const double *x;
    double square, foot[3];
    int32_t triangle;
    int part;
} nearest;

static double square_to(const contact_box *box, const double x[3])
{
    double sum = 0.0;
    for (int c = 0; c < 3; c++) {
        const double d = fmax(fmax((double)box->low[c] - x[c], x[c] - (double)box->high[c]), 0.0);
        sum += d * d;
    }
    return sum;
}

static void try_triangle(const rigid_triangles *of, int32_t t, nearest *best)
{
    double foot[3], d[3];
    const int part =
        find_foot(best->x, corner_of(of, t, 0), corner_of(of, t, 1), corner_of(of, t, 2), foot);
    subtract(best->x, foot, d);
    const double square = dot(d, d);
    if (square < best->square || (square == best->square && t < best->triangle)) {
        best->square = square;
        best->triangle = t;
        best->part = part;
        memcpy(best->foot, foot, sizeof foot);
    }
}

/* The nearer child first. */
static void search(const rigid_triangles *of, int32_t at, nearest *best)
{
    const contact_tree *tree = &of->tree;
    if (at >= tree->n_leaf) {
        const int32_t *item = tree->item + CONTACT_LEAF * (size_t)(at - tree->n_leaf);
        for (int k = 0; k < CONTACT_LEAF && item[k] >= 0; k++) {
            try_triangle(of, item[k], best);
        }
        return;
    }
    const double to[2] = {square_to(&tree->node[2 * at], best->x),
                          square_to(&tree->node[2 * at + 1], best->x)};
    const int first = to[1] < to[0];
    for (int k = 0; k < 2; k++) {
        if (to[first ^ k] <= best->square) {
            search(of, 2 * at + (first ^ k), best);
        }
    }
}

/* The normal of the part that the foot is on, not of length 1; whether it is on a rim. */
static bool find_part(const rigid_triangles *of, const nearest *at, double normal[3])
{
    const size_t t = (size_t)at->triangle;
    const double *n = of->face + 3 * t;
    bool rim = false;
    if (at->part < 3) {
        const int32_t v = of->triangle[3 * t + (size_t)at->part];
        n = of->corner + 3 * (size_t)v;
        rim = of->has_rim[v];
    } else if (at->part < 6) {
        n = of->side + 9 * t + 3 * (size_t)(at->part - 3);
        rim = of->is_rim[3 * t + (size_t)(at->part - 3)];
    }
    memcpy(normal, n, 3 * sizeof *normal);
    return rim;
}

bool rigid_triangles_find(const rigid_triangles *of, const double x[3], double foot[3],
                          double normal[3], double *gap)
{
    nearest at = {.x = x, .square = INFINITY, .triangle = INT32_MAX};
    double d[3];
    search(of, 1, &at);
    if (at.triangle == INT32_MAX) { /* x is not finite */
        return false;
    }
    const bool is_rim = find_part(of, &at, normal);
    const double *face = of->face + 3 * (size_t)at.triangle, apart = sqrt(at.square);
    subtract(x, at.foot, d);
    const double off = dot(d, face), across = sqrt(fmax(at.square - off * off, 0.0));
    if (is_rim && across > 1e-6 * apart + ROUNDING * of->size) {
        return false;
    }
    const double side = dot(d, normal) < 0.0 ? -1.0 : 1.0, length = sqrt(dot(normal, normal));
    const bool is_on = !(apart > ROUNDING * of->size); /* the way there has no direction */
    const bool is_face = at.part == 6 || (is_on && !(length > 0.0));
    for (int c = 0; c < 3; c++) {
        normal[c] = is_face ? face[c] : is_on ? normal[c] / length : side * d[c] / apart;
        foot[c] = at.foot[c];
    }
    *gap = side * apart;
    return true;
}
