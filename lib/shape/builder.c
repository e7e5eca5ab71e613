/* Extrusion of a flat triangle mesh into tets. In: base, layers, a placing function. Out:
 * vertices, tets and labeled boundary triangles, outward. Prisms are cut after the rule in
 * shape_builder.h (Dompierre et al. 1999, How to subdivide pyramids, prisms and hexahedra
 * into tetrahedra: cut by the numbers of the vertices). */
#include "shape/builder.h"

#include <math.h>
#include <string.h>

void ew_base_free(ew_base *base)
{
    ew_release(base->point);
    ew_release(base->triangle);
    ew_release(base->edge);
    memset(base, 0, sizeof *base);
}

ew_status ew_base_add_point(ew_base *base, double x, double y, double z, int32_t *point)
{
    EW_TRY(ew_grow(&base->point, &base->point_capacity, (int64_t)base->n_point + 1,
                   3 * sizeof(double)));
    double *to = base->point + 3 * (size_t)base->n_point;
    to[0] = x;
    to[1] = y;
    to[2] = z;
    *point = base->n_point++;
    return EW_OK;
}

/* 4 sqrt(3) area / sum of squared sides: 1 equilateral, 0 flat. */
static double triangle_quality(const double *a, const double *b, const double *c)
{
    double u[3], v[3], w[3], n[3];
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
        w[i] = c[i] - b[i];
    }
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
    double area2 = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += u[i] * u[i] + v[i] * v[i] + w[i] * w[i];
    }
    return 2.0 * sqrt(3.0) * area2 / sum;
}

static ew_status add_triangle(ew_base *base, int32_t a, int32_t b, int32_t c)
{
    EW_TRY(ew_grow(&base->triangle, &base->triangle_capacity, (int64_t)base->n_triangle + 1,
                   3 * sizeof(int32_t)));
    int32_t *to = base->triangle + 3 * (size_t)base->n_triangle++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    return EW_OK;
}

ew_status ew_base_add_quad(ew_base *base, const int32_t corner[4])
{
    const double *x[4];
    for (int i = 0; i < 4; i++) {
        x[i] = base->point + 3 * (size_t)corner[i];
    }
    double first = fmin(triangle_quality(x[0], x[1], x[2]), triangle_quality(x[0], x[2], x[3]));
    double second = fmin(triangle_quality(x[0], x[1], x[3]), triangle_quality(x[1], x[2], x[3]));
    /* "clearly": a tie must not be decided by rounding */
    int turn = second > first * (1.0 + 1e-6) ? 1 : 0;
    int32_t a = corner[turn], b = corner[1 + turn], c = corner[2 + turn],
            d = corner[(3 + turn) % 4];
    EW_TRY(add_triangle(base, a, b, c));
    return add_triangle(base, a, c, d);
}

ew_status ew_base_add_edge(ew_base *base, int32_t from, int32_t to, int32_t label)
{
    if (label == 0) {
        return EW_OK;
    }
    EW_TRY(
        ew_grow(&base->edge, &base->edge_capacity, (int64_t)base->n_edge + 1, 3 * sizeof(int32_t)));
    int32_t *edge = base->edge + 3 * (size_t)base->n_edge++;
    edge[0] = from;
    edge[1] = to;
    edge[2] = label;
    return EW_OK;
}

ew_status ew_base_add_grid(ew_base *base, const int32_t cells[2], const int32_t *node,
                           const int32_t label[4])
{
    size_t row = (size_t)cells[0] + 1;
    for (int32_t j = 0; j < cells[1]; j++) {
        for (int32_t i = 0; i < cells[0]; i++) {
            const int32_t *at = node + (size_t)j * row + (size_t)i;
            int32_t corner[4] = {at[0], at[1], at[row + 1], at[row]};
            EW_TRY(ew_base_add_quad(base, corner));
        }
    }
    const int32_t *last = node + (size_t)cells[1] * row;
    for (int32_t j = 0; j < cells[1]; j++) {
        const int32_t *at = node + (size_t)j * row;
        EW_TRY(ew_base_add_edge(base, at[row], at[0], label[0]));
        EW_TRY(ew_base_add_edge(base, at[row - 1], at[2 * row - 1], label[1]));
    }
    for (int32_t i = 0; i < cells[0]; i++) {
        EW_TRY(ew_base_add_edge(base, node[i], node[i + 1], label[2]));
        EW_TRY(ew_base_add_edge(base, last[i + 1], last[i], label[3]));
    }
    return EW_OK;
}

void ew_base_mirror(ew_base *base)
{
    for (int32_t i = 0; i < base->n_point; i++) {
        double *p = base->point + 3 * (size_t)i, keep = p[0];
        p[0] = p[1];
        p[1] = keep;
    }
    for (int32_t i = 0; i < base->n_triangle; i++) {
        int32_t *t = base->triangle + 3 * (size_t)i, keep = t[1];
        t[1] = t[2];
        t[2] = keep;
    }
    for (int32_t i = 0; i < base->n_edge; i++) {
        int32_t *e = base->edge + 3 * (size_t)i, keep = e[0];
        e[0] = e[1];
        e[1] = keep;
    }
}

static void put_face(ew_shape *shape, int32_t a, int32_t b, int32_t c, int32_t label)
{
    int32_t *face = shape->face + 3 * (size_t)shape->n_face;
    face[0] = a;
    face[1] = b;
    face[2] = c;
    shape->face_label[shape->n_face++] = label;
}

static void put_tet(ew_shape *shape, bool swap, int32_t a, int32_t b, int32_t c, int32_t d)
{
    int32_t *tet = shape->tet + 4 * (size_t)shape->n_tet++;
    tet[0] = a;
    tet[1] = b;
    tet[2] = swap ? d : c;
    tet[3] = swap ? c : d;
}

/* One prism in three tets, its base triangle sorted; an odd sorting mirrors them. */
static void put_prism(ew_shape *shape, const int32_t triangle[3], const int32_t *low,
                      const int32_t *high)
{
    int32_t a = triangle[0], b = triangle[1], c = triangle[2], keep;
    bool odd = false;
    if (a > b) {
        keep = a, a = b, b = keep, odd = !odd;
    }
    if (b > c) {
        keep = b, b = c, c = keep, odd = !odd;
    }
    if (a > b) {
        keep = a, a = b, b = keep, odd = !odd;
    }
    put_tet(shape, odd, low[a], low[b], low[c], high[c]);
    put_tet(shape, odd, low[a], low[b], high[c], high[b]);
    put_tet(shape, odd, low[a], high[a], high[b], high[c]);
}

static void put_side(ew_shape *shape, const int32_t edge[3], const int32_t *low,
                     const int32_t *high)
{
    int32_t a = edge[0], b = edge[1];
    if (a < b) {
        put_face(shape, low[a], low[b], high[b], edge[2]);
        put_face(shape, low[a], high[b], high[a], edge[2]);
    } else {
        put_face(shape, low[a], low[b], high[a], edge[2]);
        put_face(shape, low[b], high[b], high[a], edge[2]);
    }
}

static ew_status make_room(ew_shape *shape, const ew_base *base, int32_t n_layer)
{
    int64_t n_vertex = shape->n_vertex + ((int64_t)n_layer + 1) * base->n_point;
    int64_t n_tet = shape->n_tet + (int64_t)3 * n_layer * base->n_triangle;
    int64_t n_face =
        shape->n_face + (int64_t)2 * n_layer * base->n_edge + (int64_t)2 * base->n_triangle;
    if (n_vertex > INT32_MAX || n_tet > INT32_MAX || n_face > INT32_MAX) {
        return ew_fail(EW_LIMIT, "shape: %lld tets are more than ids can name; ask for fewer cells",
                       (long long)n_tet);
    }
    EW_TRY(ew_grow(&shape->xyz, &shape->vertex_capacity, n_vertex, 3 * sizeof(double)));
    EW_TRY(ew_grow(&shape->tet, &shape->tet_capacity, n_tet, 4 * sizeof(int32_t)));
    EW_TRY(ew_grow(&shape->face, &shape->face_capacity, n_face, 3 * sizeof(int32_t)));
    return ew_grow(&shape->face_label, &shape->label_capacity, n_face, sizeof(int32_t));
}

ew_status ew_shape_extrude(ew_shape *shape, const ew_base *base, int32_t n_layer, bool ring,
                           ew_place place, const void *user, const int32_t cap[2], int32_t *node)
{
    EW_TRY(make_room(shape, base, n_layer));
    size_t n = (size_t)base->n_point;
    for (int32_t k = 0; k < n_layer + (ring ? 0 : 1); k++) {
        int32_t *row = node + (size_t)k * n;
        for (size_t i = 0; i < n; i++) {
            if (row[i] < 0) {
                row[i] = shape->n_vertex++;
                place(user, base->point + 3 * i, k, n_layer, shape->xyz + 3 * (size_t)row[i]);
            }
        }
    }
    int32_t *last = node + (size_t)n_layer * n;
    if (ring) {
        memcpy(last, node, n * sizeof *node);
    }
    for (int32_t k = 0; k < n_layer; k++) {
        const int32_t *low = node + (size_t)k * n, *high = low + n;
        for (int32_t i = 0; i < base->n_triangle; i++) {
            put_prism(shape, base->triangle + 3 * (size_t)i, low, high);
        }
        for (int32_t i = 0; i < base->n_edge; i++) {
            put_side(shape, base->edge + 3 * (size_t)i, low, high);
        }
    }
    for (int32_t i = 0; i < base->n_triangle && !ring; i++) {
        const int32_t *t = base->triangle + 3 * (size_t)i;
        if (cap[0] != 0) {
            put_face(shape, node[t[0]], node[t[2]], node[t[1]], cap[0]);
        }
        if (cap[1] != 0) {
            put_face(shape, last[t[0]], last[t[1]], last[t[2]], cap[1]);
        }
    }
    return EW_OK;
}

ew_status ew_shape_to_mesh(ew_mesh *mesh, const ew_shape *shape)
{
    int32_t *region = NULL;
    EW_TRY(ew_new(&region, (size_t)shape->n_tet, sizeof *region));
    for (int32_t t = 0; t < shape->n_tet; t++) {
        region[t] = 1;
    }
    ew_mesh_def def = {.n_vertex = shape->n_vertex,
                       .xyz = shape->xyz,
                       .n_tet = shape->n_tet,
                       .tet = shape->tet,
                       .region = region,
                       .n_face = shape->n_face,
                       .face = shape->face,
                       .face_label = shape->face_label};
    ew_status status = ew_mesh_init(mesh, &def, NULL);
    ew_release(region);
    return status;
}

void ew_shape_free(ew_shape *shape)
{
    ew_release(shape->xyz);
    ew_release(shape->tet);
    ew_release(shape->face);
    ew_release(shape->face_label);
    memset(shape, 0, sizeof *shape);
}

ew_status ew_shape_extrude_to_mesh(ew_mesh *mesh, const ew_base *base, int32_t n_layer, bool ring,
                                   ew_place place, const void *user, const int32_t cap[2])
{
    ew_status status;
    ew_shape shape = {0};
    size_t n_node = ((size_t)n_layer + 1) * (size_t)base->n_point;
    int32_t *node = NULL;
    EW_TRY(ew_new(&node, n_node, sizeof *node));
    memset(node, 0xff, n_node * sizeof *node); /* all -1: every vertex is to be made */
    EW_TRY_OUT(ew_shape_extrude(&shape, base, n_layer, ring, place, user, cap, node));
    EW_TRY_OUT(ew_shape_to_mesh(mesh, &shape));
out:
    ew_shape_free(&shape);
    ew_release(node);
    return status;
}

ew_status ew_shape_need_size(const char *shape, const char *field, double value)
{
    if (isfinite(value) && value > 0.0) {
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "%s: %s is %g; it must be a finite number > 0", shape, field,
                   value);
}

ew_status ew_shape_need_cells(const char *shape, const char *field, int32_t value, int32_t min)
{
    if (value >= min) {
        return EW_OK;
    }
    return ew_fail(EW_BAD_ARGUMENT, "%s: %s is %d; it must be at least %d", shape, field,
                   (int)value, (int)min);
}

ew_status ew_shape_need_limit(const char *shape, double n)
{
    if (n <= (double)INT32_MAX) {
        return EW_OK;
    }
    return ew_fail(EW_LIMIT, "%s: %.3g tets are more than ids can name; ask for fewer cells", shape,
                   n);
}
