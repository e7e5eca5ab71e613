/* evolution: what a program needs that works on its tables itself, beside evolution/evolution.h. */
#ifndef EW_PARTS_EVOLUTION_H
#define EW_PARTS_EVOLUTION_H

#include "evolution/evolution.h"
#include "model/parts/model.h"

EW_BEGIN_API

/* Names the first bad field. */
ew_status ew_evolution_def_check(const ew_evolution_def *def);

/* The `change` of the last of n bodies in a row, by the compliance of each. */
double ew_evolution_change(const double *compliance, int32_t n);

EW_END_API
#endif
