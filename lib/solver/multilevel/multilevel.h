/* multilevel: private to solver. What the rigid-body-mode preconditioner keeps. */
#ifndef EW_SOLVER_MULTILEVEL_H
#define EW_SOLVER_MULTILEVEL_H

#include "base/affinity_schedule.h"
#include "solver/device/device_level.h"
#include "solver/local/local_answer.h"
#include "solver/local/local_correction.h"
#include "solver/multilevel/intermediate_level.h"
#include "solver/parts/solver.h"
#include "solver/smoother/smoother.h"

struct ew_multilevel {
    ew_multilevel_def def;
    ew_multilevel_info info;
    uint64_t revision; /* of the fine pattern; 0: must be set up again */
    int32_t n_row;
    bool on_device;        /* the smoother is there: no chunks here, and nothing is applied */
    int32_t chunk_rows;    /* rows that a chunk should have */
    int32_t n_first;       /* aggregates there were when it was set up */
    uint64_t n_factors;    /* times it was factored, in whole or in part, */
    uint64_t n_chunk_fill; /* and chunks were filled */
    uint8_t *fixed;        /* [n_row] owned: constraints as of the last update */
    double *z, *t;         /* [n_row + 2][4] owned, work of the sweeps */
    double *columns;       /* owned: the same and x, of several vectors; null: not asked for yet */
    int32_t columns_capacity;
    int32_t fixed_capacity, z_capacity, t_capacity;

    ew_aggregates aggregates;
    ew_pattern pattern; /* of aggregates */
    ew_matrix coarse;
    ew_segments segments; /* its partial sums; none on a device */
    double *diagonal;     /* [n][6][6] owned: of the coarse matrix with penalties on null modes */
    int8_t *n_null;       /* [n] owned: null modes of each aggregate */
    int32_t n_penalized;  /* that many have the two */
    double *x, *x_work;   /* [n][6], [n][8] owned, n = aggregates.n */
    int32_t *chunk_of;    /* [n] owned, -1: none */
    int32_t capacity[5];  /* of the five arrays before */

    int32_t n_chunk, chunk_capacity, list_capacity;
    ew_chunk *chunk;         /* [n_chunk] owned */
    ew_list *chunk_member;   /* [n_chunk] owned: aggregates of each chunk, ascending */
    void *chunk_room;        /* owned: where the chunks of the last set-up lie */
    ew_schedule schedule[4]; /* of chunks, to the threads of each loop over them */

    ew_intermediate_level intermediate; /* where there are three levels */
    ew_coarsest_factor
        coarsest; /* of the aggregates or, where there is an intermediate level, of its groups */
    struct ew_multilevel_share *share;    /* owned: chunks dealt to processes, or null */
    int64_t n_waiting;                    /* rows touched since the last factoring */
    int64_t n_worn;                       /* rows touched by large changes since the set-up */
    bool is_due;                          /* an update left the factoring to ew_multilevel_ready */
    ew_local_correction local_correction; /* rows that updates touched since the last solve */
    ew_local_answer local_answer;
    int32_t
        answer; /* of which vector the two are: 0, or of a goal (ew_solver_use_answer); those of */
    int32_t n_aside, aside_capacity; /* others wait here, by that number: */
    ew_answer_aside *aside;          /* [n_aside] owned */

    ew_aggregate_change aggregate_change; /* work of an update, as what follows */
    ew_pattern_change coarse_change;
    ew_oblique oblique;     /* owned: of the rows of the pattern, as of the last update */
    int32_t *oblique_place; /* [n_oblique_place] owned: as in ew_fine_level */
    int32_t n_oblique_place, place_capacity;
    ew_list turned; /* work: rows that are in it otherwise than before */
    ew_set touched_row, touched_aggregate;
    ew_set spoiled_row;                  /* whose segments are not current */
    ew_set touched_chunk, patched_chunk; /* filled again as a whole, row by row */
    ew_list list;
};

/* The level of aggregates, as the level of groups sees it; fine: null where it is not looked at. */
static inline ew_grouped_level ew_multilevel_grouped(const ew_multilevel *m,
                                                     const ew_fine_level *fine)
{
    return (ew_grouped_level){.fine = fine,
                              .aggregates = &m->aggregates,
                              .pattern = &m->pattern,
                              .matrix = &m->coarse,
                              .diagonal = m->diagonal,
                              .n_null = m->n_null,
                              .device = fine && fine->device ? &fine->device->intermediate : NULL};
}
/* The matrix of the coarsest factor. */
static inline ew_coarsest_matrix ew_multilevel_coarsest(const ew_multilevel *m)
{
    return m->intermediate.is_there ? ew_intermediate_coarsest_matrix(&m->intermediate)
                                    : (ew_coarsest_matrix){.aggregates = &m->aggregates,
                                                           .pattern = &m->pattern,
                                                           .coarse = &m->coarse,
                                                           .diagonal = m->diagonal};
}

/* As the functions of solver.h, of a level on the host or on a device. */
ew_status ew_multilevel_setup_level(ew_multilevel **multilevel, const ew_fine_level *fine,
                                    const ew_multilevel_def *def);
ew_status ew_multilevel_update_level(ew_multilevel *m, const ew_fine_level *fine,
                                     const ew_list *refixed, const ew_pattern_change *change);
ew_status ew_multilevel_refill_level(ew_multilevel *m, const ew_fine_level *fine);
/* What a solve's outcome says about a factor that waits: whether to make it. *rate: iterations per
 * factor of e with the factor last made, 0: not known. (rigid.c) */
ew_status ew_multilevel_learn(ew_multilevel *m, const ew_pcg_info *info, double *rate);
/* z = M^-1 r by all threads of a parallel region; z is zero in constrained rows already. */
void ew_multilevel_apply_in_team(ew_multilevel *m, const double *r, double *z);
/* The same of several vectors side by side, r and z [n_row][3][EW_COLUMNS] at a line of the cache,
 * with the bits of each; and before that, room for it and the factor of the matrix as it is, where
 * that was postponed. */
ew_status ew_multilevel_prepare_columns(ew_multilevel *m);
void ew_multilevel_apply_columns_in_team(ew_multilevel *m, const double *r, double *z);
/* Room for n_row rows and for the aggregates there are. New entries are zero, chunk_of -1. */
ew_status ew_multilevel_reserve(ew_multilevel *m);
/* Fills the chunks of the list again. */
ew_status ew_multilevel_fill_chunks(ew_multilevel *m, const ew_fine_level *fine,
                                    const ew_list *chunks);
/* Takes in the oblique rows of the system (fine->oblique), m->turned being those that are new or
 * have other directions, and shows the level what it has taken. (multilevel_oblique.c) */
ew_status ew_multilevel_take_oblique(ew_multilevel *m, ew_fine_level *fine);
void ew_multilevel_show_oblique(const ew_multilevel *m, ew_fine_level *fine);
/* Aggregates and their pairs, by m->def, and groups of them where there are three levels, as where
 * many small bodies have more aggregates than a device can factor. (multilevel_aggregate.c) */
ew_status ew_multilevel_aggregate(ew_multilevel *m, const ew_fine_level *fine);
/* Everything from scratch, by m->def. */
ew_status ew_multilevel_set_up(ew_multilevel *m, const ew_fine_level *fine);
/* Order and pattern of the factor, as the rows of the coarsest matrix are now. */
ew_status ew_multilevel_analyze(ew_multilevel *m);
void ew_multilevel_factor_marked(ew_multilevel *m);
/* The coarse diagonal block of the aggregate with penalties. */
void ew_multilevel_penalize(ew_multilevel *m, const ew_fine_level *fine, int32_t aggregate);

#endif
