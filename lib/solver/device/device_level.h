/* device_level: private to solver. A fine level whose matrix is on a device: the aggregates' tables
 * there, kept up to date from those on the host, and what the host needs of the blocks: how strong
 * pairs are, and the coarse blocks, gathered there with the host's bits. Kernels: multilevel.cl.
 *
 * Without fp64 the blocks there are in single: then the host has them, too, and all but the tables
 * is its business. */
#ifndef EW_SOLVER_DEVICE_LEVEL_H
#define EW_SOLVER_DEVICE_LEVEL_H

#include "solver/device/device_intermediate_level.h"
#include "solver/device/device_oblique.h"
#include "solver/multilevel/aggregates.h"

struct ew_device_level {
    ew_device *device;                /* borrowed, as what follows, until the next update */
    const ew_device_matrix *matrix;   /* 3x3 blocks */
    const ew_device_pattern *pattern; /* of the fine level */
    const ew_buffer *fixed;           /* uint8 [n_row] */
    const ew_aggregates *aggregates;  /* those on the host that the tables are of */
    ew_upload upload;                 /* owned, as all below */
    ew_buffer of_row;                 /* int32 [n_row], -1: none */
    ew_buffer place;       /* double, float without fp64, [n_row][3]: in the aggregate's frame */
    ew_buffer offset;      /* double [n_row][4], with fp64: of a row from its aggregate's reference
                              point, and the length there */
    ew_device_rows member; /* rows of each aggregate */
    ew_device_blocks gathered;
    ew_buffer share; /* double [EW_STRENGTHS] (aggregate_growth.h) */
    ew_buffer found; /* what a kernel gave: uint8 [n] */
    ew_device_oblique oblique;
    ew_device_intermediate_level
        intermediate;  /* where there are three levels; its device and precision are set */
    int32_t n_row;     /* of the tables */
    uint8_t *strength; /* [n_pair] by pair slot, as in ew_fine_level */
    uint8_t *byte;     /* work, as what follows */
    double *transit;
    ew_list list;
    int32_t strength_capacity, byte_capacity, transit_capacity;
};

/* EW_STALE unless the level's blocks are those of its pattern, wherever they are. */
ew_status ew_fine_level_check(const ew_fine_level *fine);
/* Judges the pairs of the listed rows, or all when `row` is null. Only with fp64. */
ew_status ew_device_level_find_strengths(ew_device_level *level, const ew_pattern *pattern,
                                         const ew_list *row);
/* Brings the tables up to date: all of them, or the listed aggregates, rows that left others, and
 * rows that are new. The level of `fine` itself. */
ew_status ew_device_level_follow(ew_device_level *level, const ew_fine_level *fine,
                                 const ew_aggregates *aggregates, const ew_list *touched,
                                 const ew_list *moved);
/* The coarse blocks that the change names, all when it is null: as ew_source's compute; touched: as
 * in ew_coarse_source. The tables must be up to date. */
ew_status ew_device_level_gather(ew_device_level *level, const ew_pattern *coarse_pattern,
                                 ew_matrix *coarse, const ew_pattern_change *change,
                                 const ew_set *touched);
/* Against the same level on the host: EW_MATRIX_DIFFERS where a pair was judged otherwise,
 * EW_DEVICE_COPY, naming the first, unless the tables are those of the aggregates. */
ew_status ew_device_level_verify(ew_device_level *level, const ew_fine_level *fine);
void ew_device_level_free(ew_device_level *level);

#endif
