/* model: what a program needs that works on its tables itself, beside model/model_motion.h. */
#ifndef EW_PARTS_MODEL_MOTION_H
#define EW_PARTS_MODEL_MOTION_H

#include "model/model_motion.h"
#include "model/parts/model_sets.h"

EW_BEGIN_API

/* ---- dynamics (dynamics*.c) -------------------------------------------------- */

/* Names the first bad field. */
ew_status ew_dynamics_def_check(const ew_dynamics_def *def);

/* EW_BAD_INPUT where this step is above the stable one, and says what that is and by what. Cheaper:
 * the products are for steps that the bound does not allow. */
ew_status ew_model_check_step(ew_model *model, double dt);

/* With the mesh in its slots, loads, supports and the three fields, the complete state of a run. */
typedef struct ew_dynamics_state {
    double time;
    int64_t n_step;
    double initial, damping_work, friction_work, external_work, edit_work;
} ew_dynamics_state;
ew_status ew_model_dynamics_state(ew_model *model, ew_dynamics_state *state);
/* Continues from fields and state, in place of ew_model_start_dynamics. The following steps depend
 * on nothing else: a run that calls this whenever it saves can be continued from there bit for bit.
 */
ew_status ew_model_restore_dynamics(ew_model *model, const ew_dynamics_def *def,
                                    const ew_dynamics_state *state);

EW_END_API
#endif
