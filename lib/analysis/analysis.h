/* analysis: constraints, loads, under-constrained components, and what is recovered from a
 * displacement. Vectors per vertex are [n_vertex][3] by slot; holes and inactive vertices hold
 * zeros. This header includes those of its parts. */
#ifndef EW_ANALYSIS_H
#define EW_ANALYSIS_H

#include "analysis/analysis_fatigue.h"
#include "analysis/analysis_loads.h"
#include "analysis/analysis_recovery.h"
#include "analysis/analysis_supports.h"
#include "analysis/analysis_tets.h"
#include "analysis/analysis_time.h"

#endif
