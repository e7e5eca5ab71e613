/* rigid: private to analysis. A rigid body, the directions in which its points are held,
 * and the motions that this leaves free.
 *
 * A motion is z = (t, r w): translation t of the body's centre, and rotation w scaled by
 * its radius of gyration r, so that entries of equal size move its points about equally
 * far. A point x held in direction c gives the row
 *     [e_c, (x - centre) x e_c / r],   row . z = the motion of x in that direction,
 * and the Gram matrix sums row^T row over all of them; its null vectors are what is free. */
#ifndef EW_ANALYSIS_RIGID_H
#define EW_ANALYSIS_RIGID_H

#include "analysis/analysis.h"

typedef struct ew_rigid {
    double centre[3], radius; /* mean of its vertices, root mean square distance from it */
    int32_t n_point;          /* vertices the mean was taken over */
    int32_t n_row;            /* rows in the Gram matrix */
    double gram[36];
} ew_rigid;

/* An eigenvalue of a Gram matrix up to this share of the number of rows counts as zero:
 * a unit motion then moves the held points by less than 1e-5 of the body's size (root
 * mean square), which no support of a real part resists. Rounding of coordinates leaves
 * 1e-25 or so, a true support some 1e-2 (points far apart) to 1e-6 (close together). */
#define EW_RIGID_ZERO 1e-10

/* Eigenvalues, in no order, and orthonormal eigenvectors (as rows) of a symmetric matrix,
 * which is destroyed; n <= 6. */
void ew_rigid_eigen(int n, double *matrix, double *value, double *vector);

void ew_rigid_row(const ew_rigid *body, const double x[3], int c, double row[6]);
/* Holds the point in the directions of the bits. */
void ew_rigid_hold(ew_rigid *body, const double x[3], unsigned directions);
bool ew_rigid_is_held(const ew_rigid *body);
/* Fills n_free, motion, center and text of a body that is not held. */
void ew_rigid_describe(const ew_rigid *body, ew_loose_piece *loose);

/* Two bodies of a group share a point that is free in the directions of the bits. */
typedef struct ew_joint {
    int32_t a, b; /* places in the group */
    const double *x;
    unsigned directions;
} ew_joint;

/* Bodies above which a group is not tried as one system: the matrix of 6 unknowns per
 * body is dense, and 600 unknowns take about a tenth of a second. */
enum { EW_JOINED_MOST = 100 };

/* Replaces the Gram matrix of each body group[0 .. n) by one whose null vectors are the
 * motions left to it when the bodies move together, each pinned to others at the
 * joints. n <= EW_JOINED_MOST. On failure the bodies are as before. */
ew_status ew_rigid_join(ew_rigid *body, int32_t n, const int32_t *group, int32_t n_joint,
                        const ew_joint *joint);

#endif
