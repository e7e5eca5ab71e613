/* Whether a triangle surface encloses a body. In: triangles. Out: the first broken rule with
 * one edge or triangle that breaks it and how many do. */
#include "mesh/parts/mesh.h"

#include <stdlib.h>
#include <string.h>

void ew_surface_free(ew_surface *surface)
{
    ew_release(surface->xyz);
    ew_release(surface->triangle);
    ew_release(surface->label);
    memset(surface, 0, sizeof *surface);
}

/* An edge of a triangle: a < b, and whether the triangle runs from a to b. */
typedef struct half_edge {
    int32_t a, b, forward;
} half_edge;

static int compare(const void *left, const void *right)
{
    const half_edge *x = left, *y = right;
    if (x->a != y->a) {
        return x->a < y->a ? -1 : 1;
    }
    return x->b < y->b ? -1 : x->b > y->b;
}

static ew_status check_triangles(const ew_surface *surface)
{
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        const int32_t *v = surface->triangle + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            if (v[k] < 0 || v[k] >= surface->n_vertex) {
                return ew_fail(EW_BAD_INPUT,
                               "surface triangle %d names vertex %d; vertices are 0 to %d", i, v[k],
                               surface->n_vertex - 1);
            }
        }
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) {
            const double *x = surface->xyz + 3 * (size_t)v[0];
            return ew_fail(EW_BAD_INPUT,
                           "surface triangle %d (vertices %d %d %d, at (%g, %g, %g)) names a "
                           "vertex twice; remove it",
                           i, v[0], v[1], v[2], x[0], x[1], x[2]);
        }
    }
    return EW_OK;
}

typedef enum fault { fault_open, fault_crowded, fault_turned, fault_none } fault;

static fault fault_of(const half_edge *edge, int32_t n)
{
    if (n == 1) {
        return fault_open;
    }
    if (n > 2) {
        return fault_crowded;
    }
    return edge[0].forward == edge[1].forward ? fault_turned : fault_none;
}

static ew_status name_fault(const ew_surface *surface, fault kind, const half_edge *edge,
                            int32_t n_triangle, int32_t n_edge)
{
    static const char *const rule[] = {"is open", "is not manifold", "is not oriented alike"};
    static const char *const remedy[] = {"close the hole",
                                         "an edge must have exactly two triangles",
                                         "turn the triangle on one side round"};
    const double *x = surface->xyz + 3 * (size_t)edge->a, *y = surface->xyz + 3 * (size_t)edge->b;
    return ew_fail(EW_BAD_INPUT,
                   "surface %s: the edge of vertices %d (%g, %g, %g) and %d (%g, %g, %g) has %d "
                   "triangle%s%s; %d such edge%s; %s",
                   rule[kind], edge->a, x[0], x[1], x[2], edge->b, y[0], y[1], y[2], n_triangle,
                   n_triangle == 1 ? "" : "s",
                   kind == fault_turned ? ", both in the same direction" : "", n_edge,
                   n_edge == 1 ? "" : "s", remedy[kind]);
}

static ew_status check_edges(const ew_surface *surface, const half_edge *edge, int32_t n)
{
    int32_t count[3] = {0}, size[3] = {0};
    const half_edge *first[3] = {NULL};
    for (int32_t i = 0; i < n;) {
        int32_t j = i + 1;
        while (j < n && compare(&edge[i], &edge[j]) == 0) {
            j++;
        }
        fault kind = fault_of(edge + i, j - i);
        if (kind != fault_none && count[kind]++ == 0) {
            first[kind] = edge + i;
            size[kind] = j - i;
        }
        i = j;
    }
    for (int kind = 0; kind < 3; kind++) {
        if (count[kind] > 0) {
            return name_fault(surface, (fault)kind, first[kind], size[kind], count[kind]);
        }
    }
    return EW_OK;
}

ew_status ew_surface_check(const ew_surface *surface)
{
    if (surface->n_triangle == 0) {
        return ew_fail(EW_BAD_INPUT, "surface has no triangles; nothing is enclosed");
    }
    if (surface->n_triangle > INT32_MAX / 3) {
        return ew_fail(EW_LIMIT, "surface has %d triangles; at most %d can be checked",
                       surface->n_triangle, INT32_MAX / 3);
    }
    EW_TRY(check_triangles(surface));
    half_edge *edge = NULL;
    int32_t n = 0;
    EW_TRY(ew_new(&edge, 3 * (size_t)surface->n_triangle, sizeof *edge));
    for (int32_t i = 0; i < surface->n_triangle; i++) {
        const int32_t *v = surface->triangle + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            int32_t a = v[k], b = v[(k + 1) % 3];
            edge[n++] = a < b ? (half_edge){a, b, 1} : (half_edge){b, a, 0};
        }
    }
    qsort(edge, (size_t)n, sizeof *edge, compare);
    ew_status status = check_edges(surface, edge, n);
    ew_release(edge);
    return status;
}
