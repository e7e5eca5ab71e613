/* wire: private to solver. Whether a body is long and thin, by its pattern alone. */
#ifndef EW_SOLVER_WIRE_H
#define EW_SOLVER_WIRE_H

#include "pattern/parts/pattern.h"

/* Whether balls of about n rows, in steps from pair to pair, grow as along a line: twice the radius
 * has about twice the rows, where a sheet has four times and a solid eight times as many. By balls
 * around a few rows. O(n). */
ew_status ew_is_wire(const ew_pattern *pattern, int32_t n, bool *is_wire);

#endif
