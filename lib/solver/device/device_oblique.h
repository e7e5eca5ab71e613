/* device_oblique: private to solver. Rows in which directions that are no axes are prescribed, on a
 * device: found by row, for kernels that take them out of blocks and vectors. Kernels: oblique.h.
 */
#ifndef EW_SOLVER_DEVICE_OBLIQUE_H
#define EW_SOLVER_DEVICE_OBLIQUE_H

#include "solver/parts/solver.h"

typedef struct ew_device_oblique {
    int32_t n;
    ew_list row;             /* [n] owned, ascending */
    double *normal, *sorted; /* [n][2][3] owned, as of ew_oblique; work */
    int32_t capacity, sorted_capacity;
    ew_buffer row_there;    /* int32 [n] */
    ew_buffer normal_there; /* [n][2][3], double, or float without fp64 */
} ew_device_oblique;

/* Takes those of the list (null: none) that are below n_row. Sends nothing where they are those of
 * before. */
ew_status ew_device_oblique_follow(ew_device_oblique *self, ew_device *device,
                                   const ew_oblique *list, int32_t n_row);
void ew_device_oblique_free(ew_device_oblique *self);

#endif
