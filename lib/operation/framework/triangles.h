/* operation, private: triangles of a surface in a tree of boxes. */
#ifndef EW_OPERATION_TRIANGLES_H
#define EW_OPERATION_TRIANGLES_H

#include "operation/framework/internal.h"

typedef struct ew_triangle_node {
    double low[3], high[3];
    int32_t begin, end; /* its triangles, in the order of the tree */
    int32_t next;       /* the node behind it and its parts, which follow it */
} ew_triangle_node;
/* Zeroed: empty. */
typedef struct ew_triangles {
    const double *xyz;       /* [n_vertex][3] borrowed, of the surface */
    const int32_t *triangle; /* [n_triangle][3] borrowed */
    int32_t n, n_node;
    int32_t *item;          /* [n] owned: triangles of the surface */
    double *plane;          /* [n][4] owned: unit normal and offset of each item, zero: no area */
    ew_triangle_node *node; /* [n_node] owned: the first one holds all */
} ew_triangles;

/* list [n]: triangles, each once, at least one. */
ew_status ew_triangles_init(ew_triangles *tree, const ew_surface *surface, const int32_t *list,
                            int32_t n);
void ew_triangles_free(ew_triangles *tree);
/* The triangle nearest to x, its nearest point and the part that this lies on, as in
 * ew_local_nearest; -1: none is within `bound` (INFINITY: anywhere). */
int32_t ew_triangles_nearest(const ew_triangles *tree, const double x[3], double bound,
                             double foot[3], int32_t *part);
/* Whether the convex hull of n (3 or 4) points is within `slack` (at least 0) of a triangle, along
 * the axes that part convex bodies. */
bool ew_triangles_meet(const ew_triangles *tree, int n, const double *const *x, double slack);
/* The first place in `item` from `from` on, of a triangle whose node's box meets this one; n: none.
 */
int32_t ew_triangles_next(const ew_triangles *tree, const double low[3], const double high[3],
                          int32_t from);

/* Whether two convex hulls of 3 or 4 points are parted by more than `slack`. */
bool ew_hulls_are_parted(int n, const double *const *x, int m, const double *const *y,
                         double slack);

#endif
