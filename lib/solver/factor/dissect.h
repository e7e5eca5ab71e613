/* dissect: private to solver. Recursive bisection of points in space: an order of elimination
 * with little fill, and groups of near points. */
#ifndef EW_SOLVER_DISSECT_H
#define EW_SOLVER_DISSECT_H

#include "pattern/parts/pattern.h"

/* Nested dissection (George 1973) of the pattern's rows; separators come last. point: [n_row][4], x
 * y z and anything. order: the caller's [n_row], the rows in their order of elimination. */
ew_status ew_dissect_order(const ew_pattern *pattern, const double *point, int32_t *order);

/* Groups of near rows with about `size` weight each: group[row] for live rows, -1 for others. They
 * are numbered as rows are where it can be, so that a thread has about the same rows in a loop over
 * groups and in one over rows. */
ew_status ew_dissect_groups(int32_t n_row, const double *point, const int32_t *weight, int64_t size,
                            int32_t *group, int32_t *n_group);

#endif
