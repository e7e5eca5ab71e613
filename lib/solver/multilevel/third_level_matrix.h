/* third_level_matrix: private to solver. The matrix of the third level, E^T A E, with A that of the
 * aggregates and E the rigid-body modes of groups of aggregates: built, revalidated and verified as
 * every matrix is, blocks of A being the contributors.
 *
 * A group moves as a rigid body, and so do its aggregates, exactly: with q = (t, w) of a group,
 * whose point x moves by t + w x (x - c) / l in its frame (c, l), an aggregate of frame (c', l')
 * has
 *
 *     t' = t + w x d,   w' = s w,   d = (c' - c) / l,   s = l' / l.
 *
 * Canonical order: a block is the sum from zero over the aggregates of the lower group, ascending,
 * and their pairs, ascending; a diagonal one that of the diagonal blocks plus (that of the inner
 * pairs, each once, plus its transpose). */
#ifndef EW_SOLVER_THIRD_LEVEL_MATRIX_H
#define EW_SOLVER_THIRD_LEVEL_MATRIX_H

#include "assembly/parts/assembly.h"
#include "solver/multilevel/aggregates.h"

typedef struct ew_device_intermediate_level
    ew_device_intermediate_level; /* device_intermediate_level.h */

/* The level that groups are made of: all borrowed. */
typedef struct ew_grouped_level {
    const ew_fine_level *fine;
    const ew_aggregates *aggregates;
    const ew_pattern *pattern; /* of aggregates */
    const ew_matrix *matrix;   /* 6x6 blocks, without penalties */
    const double *diagonal;    /* [n][6][6] its diagonal blocks with penalties on null modes */
    const int8_t *n_null;      /* [n] null modes of each aggregate */
    ew_device_intermediate_level *device; /* its copy on a device, where cycles run; or null */
} ew_grouped_level;

typedef struct ew_group_source {
    ew_source source;
    const ew_grouped_level *level;
    const double *map;           /* [n][4] of each aggregate: d, s */
    const ew_aggregates *groups; /* of aggregates */
    const ew_set *touched;       /* as in ew_coarse_source */
} ew_group_source;
ew_group_source ew_group_source_of(const ew_pattern *pattern, const ew_grouped_level *level,
                                   const double *map, const ew_aggregates *groups);

/* d and s of an aggregate in its group. */
void ew_group_find_map(const ew_aggregates *aggregates, const ew_aggregates *groups,
                       int32_t aggregate, double map[4]);
/* own = E q: how an aggregate moves with its group. */
void ew_group_move(const double map[4], const double q[6], double own[6]);
/* Motions of an aggregate that move none of its rows are none of the groups' business: they are
 * what the penalties on its diagonal block are made of. */
void ew_take_out_null_modes(const ew_grouped_level *level, int32_t aggregate, double q[6]);
/* to = block, the group's, plus penalties on the motions that move none of its rows; how many. */
int ew_penalize_group(const ew_grouped_level *level, const double *map, const ew_aggregates *groups,
                      int32_t group, const double block[36], double to[36]);

#endif
