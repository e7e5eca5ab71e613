/* analysis: what a program needs that works on its tables itself, beside analysis/analysis.h. */
#ifndef EW_PARTS_ANALYSIS_H
#define EW_PARTS_ANALYSIS_H

#include "analysis/analysis.h"
#include "analysis/parts/analysis_fatigue.h"
#include "analysis/parts/analysis_loads.h"
#include "analysis/parts/analysis_peers.h"
#include "analysis/parts/analysis_recovery.h"
#include "analysis/parts/analysis_supports.h"
#include "analysis/parts/analysis_tets.h"
#include "analysis/parts/analysis_time.h"

#endif
