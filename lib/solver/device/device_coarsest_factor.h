/* device_top: private to solver. The coarsest level's factor on a device, as a dense inverse: W =
 * L^-1, so that (L L^T)^-1 = W^T W. Kernel: multilevel.cl. */
#ifndef EW_SOLVER_DEVICE_COARSEST_FACTOR_H
#define EW_SOLVER_DEVICE_COARSEST_FACTOR_H

#include "device/parts/device.h"
#include "solver/factor/block_cholesky.h"

typedef struct ew_device_coarsest_factor {
    int32_t n;          /* columns of the factor */
    uint64_t n_factors; /* as told by the caller, when the inverse was made; 0: there is none */
    bool single;        /* working precision: of what lies on the device */
    double *dense;      /* [6n][6n] owned, as all of it */
    float *narrow;      /* the same */
    int32_t dense_capacity, narrow_capacity; /* rows of EW_DEVICE_COARSEST_MAX numbers */
    ew_buffer inverse;                       /* [6n][6n] */
    ew_buffer position;                      /* int32 [n]: of a row among the columns */
    ew_buffer x, work;                       /* [n][6], by columns */
    ew_kernel *multiply;                     /* borrowed */
} ew_device_coarsest_factor;

/* Rows and columns of the dense inverse. */
#define EW_DEVICE_COARSEST_MAX 6000

/* Makes the inverse of a factor, unless that was the n_factors-th one, and sends it. EW_NO_MEMORY
 * where it is too large. */
ew_status ew_device_coarsest_factor_follow(ew_device_coarsest_factor *coarsest, ew_device *device,
                                           const ew_block_cholesky *factor, uint64_t n_factors,
                                           bool single);
/* coarsest->x = A^-1 coarsest->x */
ew_status ew_device_coarsest_factor_solve(const ew_device_coarsest_factor *coarsest,
                                          ew_device *device);
void ew_device_coarsest_factor_free(ew_device_coarsest_factor *coarsest);

#endif
