/* rigid_rows: private to solver. What equations are made of: the factor of their products, groups
 * of rows that move as rigid bodies, what is prescribed at rows of groups. */
#ifndef EW_SOLVER_RIGID_ROWS_H
#define EW_SOLVER_RIGID_ROWS_H

#include "solver/parts/solver.h"

/* The square of the sine of the angle between an equation and what those before it span, below
 * which it follows from them: R R^T squares angles, and rounding leaves 1e-16 of it. */
#define EW_DEPENDENT 1e-11

/* l_begin, l_column, l and pivot, for entries below n_entry; y = (R R^T)^-1 y, zero for equations
 * that follow from others. (equations_factor.c) */
ew_status ew_equations_factor(ew_equations *of, int32_t n_entry);
void ew_equations_substitute(const ew_equations *of, double *y);

/* Modes and pins of the groups, for this filter. Pins that do not follow from others of their group
 * are to become equations: their number is 0 so far. */
ew_status ew_rigid_rows_prepare(ew_equations *to, const ew_rigid_rows *from, const uint8_t *fixed,
                                const ew_oblique *oblique);
/* The factors of the modes of a pin's group along it. */
void ew_pin_factors(const ew_equations *of, const ew_pin *pin, double factor[6]);
/* motion = Z^T v, by these modes; v of groups = Z motion; part of groups += v - Z motion. */
void ew_rigid_rows_gather(const ew_equations *of, const double *mode, const double *v);
void ew_rigid_rows_scatter(const ew_equations *of, const double *mode, double *v);
void ew_rigid_rows_add_rest(const ew_equations *of, const double *v, double *part);
/* The displacement along a pin. */
double ew_pin_value(const ew_pin *pin, const double *x);

#endif
