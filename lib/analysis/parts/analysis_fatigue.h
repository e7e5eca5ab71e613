/* analysis: what a program needs that works on its tables itself, beside
 * analysis/analysis_fatigue.h. */
#ifndef EW_PARTS_ANALYSIS_FATIGUE_H
#define EW_PARTS_ANALYSIS_FATIGUE_H

#include "analysis/analysis_fatigue.h"

EW_BEGIN_API

/* ---- cycles (rainflow.c) -------------------------------------------------------------- */

/* A turning point of a sequence. */
typedef struct ew_turning_point {
    int32_t at;            /* its place in the sequence */
    int32_t before;        /* turning point where the branch of a hysteresis loop begins that leads
                              here; -1: none does, of the largest value */
    double stress, strain; /* the caller's */
} ew_turning_point;
/* The cycles of a sequence [n] that is repeated, by rainflow counting (ASTM E1049-85, 5.4.5: from
 * its largest value on; of turning points A B C the range of A and B is a cycle where that of B and
 * C is no smaller), each once, as indices of A and B. turning [n + 1], cycle [n / 2][2]: the
 * caller's. How many. */
int32_t ew_rainflow(int32_t n, const double *value, int32_t *n_turning, ew_turning_point *turning,
                    int32_t (*cycle)[2]);

/* ---- curves (fatigue_curve.c) --------------------------------------------------------- */

/* factor 1, no points. */
ew_fatigue_curve ew_default_fatigue_curve(void);
/* EW_BAD_ARGUMENT names what is out of its range, or missing for the method and the correction. */
ew_status ew_fatigue_curve_check(const ew_fatigue_curve *curve, ew_fatigue_method method,
                                 ew_mean_stress mean_stress);
/* Cycles that the material bears of a fully reversed amplitude; INFINITY up to the endurance limit
 * and of 0; at least 0.5: a static failure. */
double ew_fatigue_cycles(const ew_fatigue_curve *curve, double amplitude);
/* The fully reversed amplitude of a cycle; INFINITY where the mean is beyond the strength. */
double ew_fatigue_reversed(const ew_fatigue_curve *curve, ew_mean_stress mean_stress,
                           const ew_fatigue_cycle *cycle);
/* 10^z for the standard deviation `scatter` of the logarithm (base 10) of the life, where
 * z standard deviations above or below the mean a share 0 < survival < 1 of all lives is longer. */
double ew_fatigue_survival(double survival, double scatter);

/* ---- strain life (strain_life.c) ------------------------------------------------------ */

/* The stress >= 0 on the cyclic curve under an elastic one >= 0; the strain there. */
double ew_notch_stress(const ew_strain_life *of, ew_notch_rule rule, double elastic);
double ew_cyclic_strain(const ew_strain_life *of, double stress);
/* Cycles that the material bears of one with a local strain; INFINITY up to the endurance limit; at
 * least 0.5. */
double ew_strain_life_cycles(const ew_fatigue_curve *curve, ew_mean_stress mean_stress,
                             const ew_fatigue_cycle *cycle);

/* ---- a point of a body (fatigue_point.c) ---------------------------------------------- */

/* Memory of one thread; arrays are owned. Zeroed: none. */
typedef struct ew_fatigue_work {
    int32_t capacity[7];
    double *value;             /* [n_record] stress */
    double *strain;            /* [n_record] strain, where it is given */
    double *sequence;          /* of a block */
    ew_turning_point *turning; /* of it */
    int32_t (*pair)[2];        /* of its cycles */
    ew_fatigue_cycle *cycle;   /* of all blocks */
    int32_t n_normal;
    double (*normal)[3]; /* [n_normal] that a critical plane is searched over */
} ew_fatigue_work;
ew_status ew_fatigue_work_reserve(ew_fatigue_work *work, const ew_fatigue_history *history);
void ew_fatigue_work_free(ew_fatigue_work *work); /* safe on zeroed and freed ones */
/* Damage and safety under the tensors [history->n_record][6], xx yy zz xy yz xz, of a point whose
 * material's curve is checked. plastic: strains that go with them, of a body whose stress is not
 * elastic, which a strain life then takes in place of a notch rule; null: the stress is elastic.
 * work: reserved for the history. The critical plane is searched over
 * the principal planes of the largest tensor and normals 10 degrees apart, then to 0.1 degree
 * around the worst of them. */
void ew_fatigue_take(const ew_fatigue_history *history, const ew_fatigue_curve *curve,
                     const float *stress, const float *plastic, ew_fatigue_work *work,
                     ew_fatigue_life *out);

EW_END_API
#endif
