/* removal: what a program needs that works on its tables itself, beside removal/removal.h. */
#ifndef EW_PARTS_REMOVAL_H
#define EW_PARTS_REMOVAL_H

#include "model/parts/model.h"
#include "removal/removal.h"

EW_BEGIN_API

/* Names the first bad field. */
ew_status ew_removal_def_check(const ew_removal_def *def);

/* The `change` of the last of n bodies in a row, by the compliance of each. */
double ew_removal_change(const double *compliance, int32_t n);

EW_END_API
#endif
