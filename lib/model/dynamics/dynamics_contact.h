/* dynamics_contact: private to the motion of a model. Contact in steps in time; no function does
 * anything where there is none. */
#ifndef EW_MODEL_DYNAMICS_CONTACT_H
#define EW_MODEL_DYNAMICS_CONTACT_H

#include "model/dynamics/step_formulation.h"

enum { CONTACT_END, CONTACT_REST, CONTACT_KEPT, CONTACT_START }; /* vectors of a step (contact.h) */

/* dynamics_friction.c. At the start of a step. compliance: by how much a unit of force moves in it
 * what it acts on, by the unit of what is solved for. */
ew_status dynamics_begin_friction(ew_model *model, double dt, double compliance);
/* force += factor times the friction of points that slip, at displacement u. */
void dynamics_add_friction(ew_model *model, double factor, const double *u, double *force);
/* Forces of points are this times what the equation of an implicit scheme has of them. */
double dynamics_contact_scale(const ew_model *model);
/* MODEL_RHS gets friction at the prediction, as that equation has it; or a copy of what lacks it.
 */
void dynamics_complete_rhs(ew_model *model);
const double *dynamics_complete_copy(ew_model *model);
/* Once points are settled, before the state is that after the step: what friction took. */
void dynamics_end_friction(ew_model *model);

/* dynamics_contact.c. Before the state is used: closed points are equations in solves alone. */
void dynamics_release_contacts(ew_model *model);
/* Of an explicit scheme: the prediction is moved out of what it overlaps. */
ew_status dynamics_stop_contacts(ew_model *model, double dt);
/* Before a step of a body with large rotations: rows of the faces, and of couplings, where they
 * are. */
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
/* The start of that is moved to where closed points are closed after the step, and couplings that
 * turn in their place. */
ew_status dynamics_lead_contacts(ew_model *model, double *x);
/* After the state: what contact gives to its velocity, and takes from its acceleration; gaps and
 * forces there, for which the rounds have made room: no memory is asked for. */
ew_status dynamics_finish_contacts(ew_model *model, double dt);

#endif
