/* contact, private: rigid surfaces that slave faces meet. */
#ifndef EW_CONTACT_RIGID_H
#define EW_CONTACT_RIGID_H

#include "contact/internal.h"

/* Triangles of a surface in a tree of boxes, with normals of faces, sides and vertices. */
typedef struct rigid_triangles {
    int32_t n, n_vertex;
    double *xyz;       /* [n_vertex][3] owned */
    int32_t *triangle; /* [n][3] owned, as they look outwards */
    double *face;      /* [n][3] owned: normals, of length 1 */
    double *side;      /* [n][3][3] owned: of sides 0 1, 1 2, 2 0: sums of those of both faces */
    double *corner;    /* [n_vertex][3] owned: weighed by angles */
    bool *is_rim;      /* [n][3] owned: a side has one triangle */
    bool *has_rim;     /* [n_vertex] owned: a vertex of such a side */
    double size;       /* largest extent, length */
    contact_box *box;  /* [n] owned */
    contact_tree tree;
} rigid_triangles;

/* Copies; EW_BAD_INPUT where triangles have no area, or do not look out of one body. */
ew_status rigid_triangles_make(rigid_triangles *to, const ew_surface *surface);
/* The signed distance of x, the foot of its normal and the outward normal there; false: the foot is
 * on a rim that x lies beyond. */
bool rigid_triangles_find(const rigid_triangles *of, const double x[3], double foot[3],
                          double normal[3], double *gap);
/* Whether each side has two triangles. */
bool rigid_triangles_are_closed(const rigid_triangles *of);
double rigid_triangles_volume(const rigid_triangles *of);
void rigid_triangles_turn(rigid_triangles *of);
void rigid_triangles_free(rigid_triangles *of);

struct ew_rigid {
    ew_rigid_def def;
    double axis[3]; /* of length 1 */
    double side;    /* -1: slaves are inside, else 1 */
    rigid_triangles triangles;
    ew_rigid_motion now, before;
    double turn[9], turn_before[9]; /* rotations of both */
    bool is_moved;                  /* now is not where the surface is defined */
    uint64_t revision;              /* another one each time that the surface moves */
};

/* At a point: */
typedef struct rigid_place {
    double gap;       /* < 0: within the body, length */
    double normal[3]; /* out of the rigid body, of length 1 */
    double widened;   /* by which motion has widened the gap, length */
    double slid[3];   /* by which the surface has moved there since the placement before */
} rigid_place;
/* False: the surface is not over or under the point. */
bool rigid_find(const ew_rigid *rigid, const double x[3], rigid_place *at);

#endif
