/* model: what a program needs that works on its tables itself, beside model/model.h. */
#ifndef EW_PARTS_MODEL_H
#define EW_PARTS_MODEL_H

#include "model/model.h"
#include "model/parts/model_base.h"
#include "model/parts/model_goals.h"
#include "model/parts/model_motion.h"
#include "model/parts/model_sets.h"
#include "model/parts/model_solve.h"
#include "model/parts/model_ties.h"

#endif
