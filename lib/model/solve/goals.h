/* model, private: the value of a goal and its derivatives by the displacement. (goal_values.c) */
#ifndef EW_MODEL_GOALS_H
#define EW_MODEL_GOALS_H

#include "model/internal.h"

/* A measure m of a few numbers s, a magnitude or a von Mises stress, grows as they do: m(s) = d . s
 * with its slopes d = dm/ds (Euler). So the goal with constant slopes is a linear one that has its
 * value and its derivatives. */
typedef struct model_slopes {
    model_goal *to;     /* where slopes are kept; null: they are given, */
    int32_t n, at;      /* so many, and the next one */
    const double *from; /* [n] */
} model_slopes;
/* The measure of n numbers s; d [n] on entry the slopes, on return those that count: the same,
 * which are kept, or those that are given. (goal_stress.c) */
ew_status model_take_slopes(model_slopes *in, int n, const double *s, double *d, double *value);
/* Of a stress; arguments as below. (goal_stress.c) */
ew_status model_find_stress_goal(const ew_model *model, const ew_goal *goal, model_slopes *in,
                                 double *value, double *gradient);

/* *value: the goal of the displacement of the model, product being K times it, and its slopes,
 * which are kept. gradient [rows][3]: its derivatives by the displacement; or null. */
ew_status model_goal_value(ew_model *model, model_goal *goal, const double *product, double *value,
                           double *gradient);
/* The same goal as a linear one with these slopes; EW_BAD_ARGUMENT where there are others. */
ew_status model_goal_linear_value(ew_model *model, const ew_goal *goal, const double *product,
                                  int32_t n_slope, const double *slope, double *value);
/* EW_BAD_ARGUMENT unless what the kind reads is there; i: its number. */
ew_status model_check_goal(const ew_model *model, int32_t i, const ew_goal *goal);

#endif
