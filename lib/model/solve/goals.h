/* model, private: the value of a goal and its derivatives by the displacement. (goal_values.c) */
#ifndef EW_MODEL_GOALS_H
#define EW_MODEL_GOALS_H

#include "model/internal.h"

/* *value: the goal of the displacement of the model, product being K times it, and its slopes,
 * which are kept. gradient [rows][3]: its derivatives by the displacement. */
ew_status model_goal_value(ew_model *model, model_goal *goal, const double *product, double *value,
                           double *gradient);
/* The same goal as a linear one with these slopes; EW_BAD_ARGUMENT where there are others. */
ew_status model_goal_linear_value(ew_model *model, const ew_goal *goal, const double *product,
                                  int32_t n_slope, const double *slope, double *value);
/* EW_BAD_ARGUMENT unless what the kind reads is there; i: its number. */
ew_status model_check_goal(const ew_model *model, int32_t i, const ew_goal *goal);

#endif
