/* Private to analysis: a face of a tet whose sides may be curved. At barycentric coordinates l
 * it is like the flat one with corners x_a + 4 sum_b l_b d_ab (kernels/curved.h says it of tets).
 */
#ifndef EW_ANALYSIS_CURVED_FACE_H
#define EW_ANALYSIS_CURVED_FACE_H

#include "assembly/parts/assembly.h"

/* Corners as the face lists them, d [k] of the edge opposite corner k (0: it is straight), and
 * which of the tet's it is. */
typedef struct ew_curved_face {
    double x[3][3], d[3][3];
    int edge[3];
} ew_curved_face;

/* False: all its sides are straight. curves: may be null. */
bool ew_curved_face_take(const ew_curves *curves, const ew_mesh *mesh, int32_t face,
                         ew_curved_face *out);
/* The place, and an area vector (outward) whose mean over the face's points is that of the face. */
void ew_curved_face_point(const ew_curved_face *face, const double l[3], double x[3],
                          double area[3]);

/* Points at which springs are taken, exact to the sixth degree (Dunavant 1985, table II, degree 6):
 * products of two functions of edges, and two degrees more for what curves. Returns the weight; all
 * of them add up to 1. */
enum { EW_FACE_POINTS = 12 };
double ew_face_rule(int point, double l[3]);
/* Its area by this rule. */
double ew_curved_face_area(const ew_curved_face *face);

#endif
