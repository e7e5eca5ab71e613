/* device_middle: private to solver. The level of groups (intermediate_level.h) on a device: tables
 * of aggregates and groups, kept up to date from those on the host; the groups' blocks, gathered
 * there with the host's bits; and the cycles, whose smoother is damped block Jacobi. Kernels:
 * intermediate_level.cl.
 *
 * Without fp64 groups are gathered on the host. */
#ifndef EW_SOLVER_DEVICE_INTERMEDIATE_LEVEL_H
#define EW_SOLVER_DEVICE_INTERMEDIATE_LEVEL_H

#include "solver/device/device_blocks.h"
#include "solver/device/device_coarsest_factor.h"
#include "solver/multilevel/intermediate_level.h"

/* Of block Jacobi, for rows as for aggregates: x . K x = sum over tets of x_e . K_e x_e, a tet has
 * rows of at most four aggregates, and these parts of x_e give at most four times the sum of their
 * own energies. So lambda_max(D^-1 K) <= 4, and half of D^-1 converges. */
#define EW_DEVICE_DAMPING 0.5

struct ew_device_intermediate_level {
    ew_device *device; /* borrowed */
    bool single;       /* working precision: of vectors and of what cycles read */
    int32_t n, n_group;
    ew_upload upload; /* owned, as all below */
    ew_device_blocks gathered;
    ew_device_rows row_to_pair; /* of the aggregates' pattern */
    ew_device_rows member;      /* aggregates of each group */
    ew_buffer group_of;         /* int32 [n], -1: none */
    ew_buffer position;         /* int32 [n]: where an aggregate stands in the vectors, which is at
                                   its own number */
    ew_buffer raw, pair;        /* double [n][6][6], [n_pair][6][6]: the aggregates' matrix, */
    ew_buffer map;              /* double [n][4]: and how they move with their groups; with fp64 */
    ew_buffer pair_single;      /* float, where working precision is single; else pair serves */
    ew_buffer diagonal;         /* working, as what follows, [n][6][6]: with penalties, */
    ew_buffer inverse;          /* their inverses, damped, */
    ew_buffer modes;            /* and the blocks of E without motions that have no effect */
    ew_buffer b, x, y;          /* [n][6]: right-hand side, solution, work */
    ew_kernel *smooth, *restrict_rows, *prolong; /* borrowed */
    double *transit;                             /* owned: blocks on their way */
    int32_t transit_capacity;
};

/* Brings all but the groups' blocks up to date, by intermediate->remapped and the change of the
 * aggregates' matrix; all of it when the change is null. */
ew_status ew_device_intermediate_level_follow(ew_device_intermediate_level *self,
                                              const ew_intermediate_level *intermediate,
                                              const ew_grouped_level *level,
                                              const ew_pattern_change *change);
/* Whether blocks can be gathered there. */
bool ew_device_intermediate_level_gathers(const ew_device_intermediate_level *self);
/* The groups' blocks that the change names, all when it is null: as ew_source's compute; touched:
 * as in ew_group_source. */
ew_status ew_device_intermediate_level_gather(ew_device_intermediate_level *self,
                                              const ew_pattern *pattern, ew_matrix *coarse,
                                              const ew_pattern_change *change,
                                              const ew_set *touched);
/* x = about A^-1 b */
ew_status ew_device_intermediate_level_solve(const ew_device_intermediate_level *self,
                                             const ew_device_coarsest_factor *coarsest);
/* EW_DEVICE_COPY, naming the first, unless the tables are those on the host. */
ew_status ew_device_intermediate_level_verify(ew_device_intermediate_level *self,
                                              const ew_intermediate_level *intermediate,
                                              const ew_grouped_level *level);
void ew_device_intermediate_level_free(ew_device_intermediate_level *self);

#endif
