/* dynamics_couplings: private to the motion of a model. Couplings of a body with large rotations in
 * steps in time. `by`: of the unknown acceleration in the displacement after the step. */
#ifndef EW_MODEL_DYNAMICS_COUPLINGS_H
#define EW_MODEL_DYNAMICS_COUPLINGS_H

#include "model/dynamics/step_formulation.h"

bool dynamics_turns_couplings(const ew_model *model);
/* EW_BAD_ARGUMENT where the scheme cannot lead them. */
ew_status dynamics_check_couplings(const ew_model *model);
/* The start of the unknown is moved to where all equations hold after the step. */
ew_status dynamics_lead_couplings(ew_model *model, double by, double *x);
/* MODEL_UNKNOWN becomes what makes rigid sets rigid after the step, and the equations are those of
 * there. */
ew_status dynamics_keep_couplings(ew_model *model, double by);
/* Whether what the equations lack after the step is none, as that of a static step; true where no
 * coupling turns. */
ew_status dynamics_check_lack(ew_model *model, bool *is_small);

#endif
