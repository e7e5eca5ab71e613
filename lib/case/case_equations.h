/* Part of case: linear equations between displacements. */
#ifndef EW_CASE_EQUATIONS_H
#define EW_CASE_EQUATIONS_H

#include "analysis/analysis.h"

EW_BEGIN_API

typedef struct ew_case_term {
    int32_t set;      /* index into ew_case.set; -1: the node that `end` names */
    int64_t end[2];   /* number of a vertex, twice; of the two ends of a side, for its middle */
    double factor[3]; /* of the displacement along x, y, z */
} ew_case_term;

/* The sum of the terms is the value. */
typedef struct ew_case_equation {
    int32_t line, n_term;
    ew_case_term *term;
    double value;
} ew_case_equation;

EW_END_API
#endif
