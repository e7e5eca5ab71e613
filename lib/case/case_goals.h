/* Part of case: numbers that answers are wanted for, and what records of a sweep have. */
#ifndef EW_CASE_GOALS_H
#define EW_CASE_GOALS_H

#include "base/base.h"

EW_BEGIN_API

/* What a record of a sweep has: fields, numbers and all else that a run without a sweep has; all
 * but fields and the estimated error; goals alone, which need no stress of the whole body. */
#define EW_SWEEP_REPORTS "fields numbers goals"
typedef enum ew_sweep_report { EW_SWEEP_FIELDS, EW_SWEEP_NUMBERS, EW_SWEEP_GOALS } ew_sweep_report;

/* Numbers that the answers of linear static steps are wanted for. (goals.c) */
#define EW_CASE_GOALS        "displacement reaction compliance energy stress von_mises max_von_mises"
#define EW_STRESS_COMPONENTS "xx yy zz xy yz xz"
typedef enum ew_case_goal_quantity {
    EW_CASE_GOAL_DISPLACEMENT,
    EW_CASE_GOAL_REACTION,
    EW_CASE_GOAL_COMPLIANCE,
    EW_CASE_GOAL_ENERGY,
    EW_CASE_GOAL_STRESS,
    EW_CASE_GOAL_VON_MISES,
    EW_CASE_GOAL_MAX_VON_MISES /* of the stress of a tet */
} ew_case_goal_quantity;
enum { EW_MAX_GOALS = 16, EW_MAX_GOAL_NAME = 20, EW_MAX_DERIVATIVES = 8 };
typedef struct ew_case_goal {
    const char *name;
    int32_t line;
    int32_t quantity;    /* ew_case_goal_quantity */
    int32_t set;         /* -1: none */
    bool has_point;      /* the vertex nearest to this */
    double point[3];     /* length */
    double direction[3]; /* of a displacement or reaction; zero: its magnitude */
    int32_t component;   /* of EW_STRESS_COMPONENTS */
    int32_t n_by;
    int32_t *by; /* [n_by] parameters that it is differentiated by */
} ew_case_goal;

/* Outputs of a static step that a search knows, of the whole body and of a set. */
#define EW_OUTPUTS                                                                                 \
    "mass volume max_displacement max_von_mises max_tet_von_mises max_averaged_von_mises "         \
    "strain_energy max_principal min_principal yield_safety ultimate_safety fatigue_damage "       \
    "fatigue_safety"
#define EW_SET_OUTPUTS                                                                             \
    "mean_displacement max_displacement mean_von_mises max_von_mises reaction_force"
typedef struct ew_case_output_of {
    const char *name; /* as the case writes it */
    int32_t quantity; /* which word of EW_OUTPUTS, of a set of EW_SET_OUTPUTS */
    int32_t set;      /* -1: the whole body */
} ew_case_output_of;

typedef struct ew_case_limit {
    ew_case_output_of of;
    double least, most; /* or infinite */
} ew_case_limit;

EW_END_API
#endif
