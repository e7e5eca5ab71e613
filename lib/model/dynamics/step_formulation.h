/* step_formulation, private to the motion of a model: what steps in time ask of a body by whether
 * it is linear. One table each; nothing else of the motion asks. */
#ifndef EW_MODEL_STEP_FORMULATION_H
#define EW_MODEL_STEP_FORMULATION_H

#include "model/formulation/formulation.h"

/* Solves for the unknown acceleration, MODEL_UNKNOWN, from MODEL_RHS. The iteration starts from the
 * last step's, from zero, or from what is there. */
typedef enum step_start { STEP_FROM_LAST, STEP_FROM_ZERO, STEP_FROM_THERE } step_start;
typedef ew_status (*step_solve)(ew_model *model, step_start from);

typedef struct step_formulation {
    bool splits_pressure; /* of mixed tets: see model_split_mixed_product */
    /* Takes what the definition says of the body, at the start; EW_UNSUPPORTED: products from tets.
     */
    ew_status (*start)(ew_model *model, const ew_dynamics_def *def);
    /* After a saved state was put in: what was made from another one is forgotten. */
    void (*restore)(ew_model *model);
    /* After edits or other loads, before the matrices. */
    ew_status (*follow_edit)(ew_model *model);
    /* After supports led the displacement of the state elsewhere. */
    ew_status (*follow_supports)(ew_model *model);
    /* The stiffness, where the scheme or damping needs it, or what forces need in its place. */
    ew_status (*update_matrix)(ew_model *model);
    /* After an update of the matrix of a step that came to `status`: one that can be solved with.
     */
    ew_status (*mend_matrix)(ew_model *model, double dt, ew_status status);
    /* MODEL_RHS for the first solution. */
    ew_status (*find_rhs)(ew_model *model, const model_terms *terms, double dt);
    /* After the first solution, which came to `first`: goes on to the one that the step ends with.
     * EW_NOT_CONVERGED where there is none. */
    ew_status (*converge)(ew_model *model, const model_terms *terms, double dt, ew_status first,
                          step_solve solve);
    /* Whether a step that did not converge may be taken in halves. */
    bool (*may_halve)(const ew_model *model);
    /* After a step: state of laws, temperatures and their work. */
    ew_status (*finish)(ew_model *model, double dt);
    /* The largest frequency squared where that is found, from below, in place of a bound; < 0: not
     * known. */
    ew_status (*find_frequency)(ew_model *model, double *square);
    /* Blocks to the host, for a verification there. */
    ew_status (*fetch_blocks)(ew_model *model);
} step_formulation;
const step_formulation *step_formulation_of(const ew_model *model);
extern const step_formulation step_formulation_nonlinear; /* dynamics_nonlinear.c */

#endif
