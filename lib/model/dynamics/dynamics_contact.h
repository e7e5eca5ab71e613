/* dynamics_contact: private to the motion of a model. Contact in steps in time; no function does
 * anything where there is none. */
#ifndef EW_MODEL_DYNAMICS_CONTACT_H
#define EW_MODEL_DYNAMICS_CONTACT_H

#include "model/dynamics/step_formulation.h"

/* Before the state is used: closed points are equations in solves alone. */
void dynamics_release_contacts(ew_model *model);
/* Of an explicit scheme: the prediction is moved out of what it overlaps. */
ew_status dynamics_stop_contacts(ew_model *model, double dt);
/* Before a step of a body with large rotations: rows of the faces where they are. */
ew_status dynamics_turn_contacts(ew_model *model, double dt);
/* What a step is solved by. */
typedef struct dynamics_step {
    const model_terms *terms;
    double dt;
    step_solve solve;
} dynamics_step;
/* The unknown acceleration, after MODEL_RHS; of an implicit scheme with contact by rounds, until
 * the closed points of the displacement after the step press and others are apart. */
ew_status dynamics_solve(ew_model *model, const dynamics_step *step);
/* The start of that is moved to where closed points are closed after the step. */
ew_status dynamics_lead_contacts(ew_model *model, double *x);
/* After the state: what contact gives to its velocity, and takes from its acceleration. */
void dynamics_finish_contacts(ew_model *model, double dt);

#endif
