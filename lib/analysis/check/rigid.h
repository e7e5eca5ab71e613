/* rigid: private to analysis. A rigid body, the directions in which its points are fixed, and the
 * rigid-body modes that this leaves free.
 *
 * A motion is z = (t, r w): translation t of the body's center, and rotation w scaled by its
 * radius of gyration r, so that entries of equal size move its points about equally far. A point
 * x fixed in direction c gives the row
 *     [e_c, (x - center) x e_c / r],   row . z = the motion of x in that direction.
 * What the rows span is fixed, what is orthogonal to them is free. */
#ifndef EW_ANALYSIS_RIGID_H
#define EW_ANALYSIS_RIGID_H

#include "analysis/parts/analysis.h"

/* ---- spans: orthonormal rows (orthonormal_basis.c) ---------------------------------- */

/* A row that leaves its part of no more than this outside the span counts as inside: a unit motion
 * then moves the fixed points by less than 1e-5 of the body's size, which no support of a real part
 * resists. Rounding of coordinates leaves 1e-12 or so, a true support some 1e-1 (points far apart)
 * to 1e-3 (close together). */
#define EW_SPAN_ZERO 1e-5

/* basis [rank][n], orthonormal, has room for n rows. Adds the direction of the part of `row` (which
 * is destroyed) outside the span, when that is longer than `zero`; says whether. */
bool ew_span_add(int32_t n, double *basis, int32_t *rank, double *row, double zero);
/* Appends rows rank .. n - 1: an orthonormal basis of what is orthogonal to the span. */
void ew_span_complete(int32_t n, double *basis, int32_t rank);

/* ---- bodies (rigid.c) --------------------------------------------------- */

typedef struct ew_rigid {
    double center[3], radius; /* mean of its vertices, root mean square distance from it */
    int32_t n_point;          /* vertices the mean was taken over */
    int32_t n_row;            /* rank of the rows, 6: nothing is free */
    double row[36];           /* [n_row][6] orthonormal, with room for six */
    int32_t vertex[6];        /* [n_row] the vertex that each came from; -1: no constraint of its
                                 own, but a neighbor */
} ew_rigid;

void ew_rigid_row(const ew_rigid *body, const double x[3], int c, double row[6]);
/* Fixes the point in the directions of the bits, as far as what it adds exceeds `zero`. */
void ew_rigid_fix(ew_rigid *body, const double x[3], unsigned directions, int32_t vertex,
                  double zero);
/* The same for all that supports a vertex at x: what is prescribed, and its springs. */
void ew_rigid_support(ew_rigid *body, const double x[3], const ew_constraints *constraints,
                      int32_t vertex, double zero);
/* Whether the vertex has springs. */
bool ew_has_spring(const ew_constraints *constraints, int32_t vertex);
/* Fills n_free, motion, center and text of a body of rank below 6. (rigid_text.c) */
void ew_rigid_describe(const ew_rigid *body, ew_free_component *free);

/* ---- bodies joined at points (pinned_components.c) ---------------------------------- */

/* Two bodies of a group share a point that is free in the directions of the bits. */
typedef struct ew_joint {
    int32_t a, b; /* places in the group */
    const double *x;
    unsigned directions;
} ew_joint;

/* A term of an equation between points of bodies: factor . motion of x. */
typedef struct ew_tie {
    int32_t equation; /* terms of one stand together */
    int32_t body;     /* place in the group */
    const double *x;
    double factor[3];
} ew_tie;

/* Free modes above which a group is not tried as one system: the matrix is dense. */
enum { EW_MAX_JOINED = 300 };

/* Adds to each body group[0 .. n) the rows that the others give it when they move together, pinned
 * to one another at the joints, tied by equations. Does nothing beyond EW_MAX_JOINED. On failure
 * the bodies are as before. */
ew_status ew_rigid_join(ew_rigid *body, int32_t n, const int32_t *group, int32_t n_joint,
                        const ew_joint *joint, int32_t n_tie, const ew_tie *tie);

#endif
