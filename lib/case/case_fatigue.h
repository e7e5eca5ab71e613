/* Part of case: steps that others take, with factors: in a combination, in a history of stress. */
#ifndef EW_CASE_FATIGUE_H
#define EW_CASE_FATIGUE_H

#include "analysis/analysis.h"

EW_BEGIN_API

/* A step that a combination or a block takes. */
typedef struct ew_case_part {
    int32_t step; /* of the case; of a combination linear and static */
    double factor;
} ew_case_part;

enum { EW_MAX_FATIGUE_CURVES = 64 }; /* of materials */
/* `fatigue:` of the case: a history of stress that the body is to last. (fatigue.c) */
typedef struct ew_case_fatigue_block {
    double cycles; /* how often its states are run through, one after the other, in a repeat */
    int32_t n_part;
    ew_case_part *part; /* [n_part] static steps and combinations; dynamic ones, for all of their
                           outputs; factor 1, but of a ratio */
} ew_case_fatigue_block;
typedef struct ew_case_fatigue {
    int32_t line;
    ew_fatigue_method method;
    ew_notch_rule notch;
    ew_fatigue_stress stress;
    ew_mean_stress mean_stress;
    double life; /* repeats of the history that are wanted */
    int32_t n_block;
    ew_case_fatigue_block *block; /* [n_block] */
} ew_case_fatigue;

EW_END_API
#endif
