/* elimination: private to solver. The order in which a factor eliminates the rows of a pattern. */
#ifndef EW_SOLVER_ELIMINATION_H
#define EW_SOLVER_ELIMINATION_H

#include "pattern/parts/pattern.h"

/* By nested dissection or by least degree, whichever makes a factor of fewer products of blocks.
 * point: [n_row][4], x y z and anything. order: the caller's [n_row]. */
ew_status ew_find_elimination_order(const ew_pattern *pattern, const double *point, int32_t *order);

#endif
