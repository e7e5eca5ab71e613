/* contact_rounds: private to model/solve. Static solves of a body with contacts. */
#ifndef EW_MODEL_CONTACT_ROUNDS_H
#define EW_MODEL_CONTACT_ROUNDS_H

#include "model/internal.h"

/* As model_prepare_solve. Where the points that begin closed do not hold the body, all of them are.
 */
ew_status model_prepare_contacts(ew_model *model);
/* How the first solve is done, and those after it until no point changes: roughly where points are
 * open. */
ew_pcg_def model_first_round(const ew_model *model, const ew_pcg_def *def);
/* The failure of a round that was not to reach the tolerance that is asked for names both. */
ew_status model_name_rough(const ew_pcg_def *round, const ew_pcg_def *def, ew_status status);
/* After the first solve, until closed points press and others are apart; info.iterations is of all
 * rounds. */
typedef ew_status (*model_round)(ew_model *model, const ew_pcg_def *def);
ew_status model_settle_contacts(ew_model *model, const ew_pcg_def *first, const ew_pcg_def *def,
                                model_round solve);

/* Between iterations of Newton's method: other closed points, where those pull or others overlap by
 * more than the residual, relative, can tell, and after the last one by more than rounding. rest:
 * forces that equations must take, [rows][3]. After some changes, counted in *n, the worst
 * point alone changes, after the last iteration of others. Friction follows alike. EW_NOT_CONVERGED
 * after many. */
typedef struct model_changes {
    int32_t point, slip;
} model_changes;
ew_status model_change_in_iteration(ew_model *model, const double *rest, double residual,
                                    bool is_last, model_changes *n, bool *has_changed);

#endif
