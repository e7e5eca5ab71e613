/* contact_rounds: private to model/solve. Static solves of a body with contacts. */
#ifndef EW_MODEL_CONTACT_ROUNDS_H
#define EW_MODEL_CONTACT_ROUNDS_H

#include "model/internal.h"

/* As model_prepare_solve. Where the points that begin closed do not hold the body, all of them are.
 */
ew_status model_prepare_contacts(ew_model *model);
/* After the first solve, until closed points press and others are apart; info.iterations is of all
 * rounds. */
typedef ew_status (*model_round)(ew_model *model, const ew_pcg_def *def);
ew_status model_settle_contacts(ew_model *model, const ew_pcg_def *def, model_round solve);

#endif
