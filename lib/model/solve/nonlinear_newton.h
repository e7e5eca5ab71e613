/* model, private: one load step by Newton's method. (nonlinear_newton.c) */
#ifndef EW_MODEL_NONLINEAR_NEWTON_H
#define EW_MODEL_NONLINEAR_NEWTON_H

#include "model/solve/contact_rounds.h"

typedef struct newton {
    const ew_nonlinear_def *def;
    bool leads;          /* supports prescribe something beyond the start */
    double from, to;     /* load factors: converged, and looked for */
    double led;          /* share of what supports prescribe that is in the displacement */
    int32_t n_iteration; /* of this load step, */
    int32_t n_before;    /* of them before points of contacts were closed or opened last, */
    model_changes n;     /* and how often they were */
    int32_t n_stalled;   /* iterations since the residual was best */
    double best;
    bool can_halve;         /* a load step that stalls is given up, to be halved */
    bool has_failed;        /* the load step before */
    bool stays_clamped;     /* the tangent, for the rest of it */
    const double *pressure; /* borrowed: forces of pressures that turn with faces; null: none */
    double residual;        /* a force, */
    double scale, begun;    /* and two that it is measured by at least: the most of the load steps
                               before, and what this one began with */
} newton;

/* What tets and springs pull with at the displacement as it is, into NONLINEAR_FORCE. */
ew_status newton_force(ew_model *model, newton *in);
/* Whether the state at `to` is within the tolerance as it is. */
ew_status newton_is_balanced(ew_model *model, newton *in, bool *is_balanced);
/* From the displacement and state at `from` to equilibrium at `to`; a failure leaves them anywhere.
 */
ew_status newton_step(ew_model *model, newton *in);

#endif
