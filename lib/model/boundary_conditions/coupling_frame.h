/* coupling_frame: private to model. Points of a coupling, and how they move as a whole. */
#ifndef EW_MODEL_COUPLING_FRAME_H
#define EW_MODEL_COUPLING_FRAME_H

#include "model/internal.h"

/* A vertex, or the middle of a side: its ends and the row of its edge. */
typedef struct model_frame_point {
    int32_t n, row[3];
    double share[3], weight, x[3]; /* x: from the centroid, turned with the points */
} model_frame_point;

typedef struct model_frame {
    int32_t n, capacity;
    model_frame_point *at; /* [n] owned: the caller releases it; null after a failure */
    double weight, center[3], inertia[3][3], inverse[3][3];
    /* with large rotations, else 0 and the identity: */
    double moved[3];    /* displacement of the centroid */
    double turn[9];     /* [3][3] rotation, */
    double rotation[3]; /* its vector, length below pi, */
    double rate[3][3];  /* and how that changes where the points turn a little further */
} model_frame;
/* At the displacement of the model; EW_BAD_INPUT where the points lie on a line. */
ew_status model_make_frame(ew_model *model, int32_t coupling, model_frame *to);
/* What a point contributes to component m of the reference point: 0 to 2 displacement, 3 to 5
 * rotation. */
void model_frame_factor(const model_frame *of, const double reference[3],
                        const model_frame_point *at, int m, double out[3]);
/* Displacement and rotation of the reference, with large rotations. */
void model_frame_motion(const model_frame *of, const double reference[3], double motion[6]);
void model_turn(const double turn[9], const double a[3], double out[3]);

static inline void model_cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    }
}

/* Of a weight at the end of an arm. */
static inline void model_add_inertia(double inertia[3][3], double weight, const double r[3])
{
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    for (int c = 0; c < 9; c++) {
        inertia[c / 3][c % 3] += weight * ((c % 4 ? 0.0 : square) - r[c / 3] * r[c % 3]);
    }
}

#endif
