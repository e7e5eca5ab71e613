/* directions: private to analysis. What constraints along local axes prescribe at one vertex. */
#ifndef EW_ANALYSIS_DIRECTIONS_H
#define EW_ANALYSIS_DIRECTIONS_H

#include "analysis/parts/analysis.h"

/* Orthonormal directions, and the displacement along each. */
typedef struct ew_directions {
    int32_t n;
    double unit[3][3], value[3];
} ew_directions;
/* Of the lines that have the vertex, which is active: first those along x, y, z. */
ew_status ew_directions_collect(ew_directions *directions, const ew_mesh *mesh, int32_t n,
                                const ew_constraint *list, int32_t v);
/* value [3]: the displacement that they prescribe together. */
void ew_directions_sum(const ew_directions *directions, double value[3]);
/* The same at any place x, line by line; `vertex` is named where it fails. */
ew_status ew_directions_add(ew_directions *directions, const ew_mesh *mesh,
                            const ew_constraint *line, int32_t place, int32_t vertex,
                            const double x[3]);
/* Enters them in a row; where they span axes alone, as bits. */
ew_status ew_directions_apply(const ew_directions *directions, ew_constraints *constraints,
                              int32_t row);
/* The row has no oblique direction any more. */
void ew_directions_forget(ew_constraints *constraints, int32_t row);

#endif
