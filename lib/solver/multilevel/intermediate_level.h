/* intermediate_level: private to solver. Where there are many aggregates: a level between them and
 * the factor.
 *
 * Aggregates are grouped as rows are aggregated, and what is factored is the matrix of the groups'
 * rigid-body modes (third_level_matrix.h). The aggregates' own matrix is solved approximately, by
 * EW_INTERMEDIATE_CYCLES cycles of a block Gauss-Seidel sweep inside chunks of aggregates, a
 * correction by groups, and the sweep backwards: the smoother of smoother.h with 6x6 blocks, its
 * chunks being stretches of slots. A cycle lessens every error in the energy norm, so that any
 * number of them is symmetric positive definite. */
#ifndef EW_SOLVER_INTERMEDIATE_LEVEL_H
#define EW_SOLVER_INTERMEDIATE_LEVEL_H

#include "solver/multilevel/coarsest_factor.h"
#include "solver/multilevel/third_level_matrix.h"

/* Of one cycle alone the fine level takes a quarter more iterations. */
enum { EW_INTERMEDIATE_CYCLES = 2 };
/* Aggregates of a group, on the host, and of a chunk. */
enum { EW_GROUP_SIZE = 8, EW_INTERMEDIATE_CHUNK = 256 };

typedef struct ew_intermediate_level {
    bool is_there;         /* else the aggregates' matrix is factored itself */
    bool on_device;        /* cycles run there: nothing below `map` but `diagonal` is kept here */
    bool single;           /* copies below are in single precision */
    int32_t n, n_group;    /* aggregates and groups, holes included */
    ew_aggregates groups;  /* of aggregates */
    ew_pattern pattern;    /* of groups */
    ew_matrix coarse;      /* E^T A E */
    double *center;        /* [n][3] owned: the aggregates' reference points */
    double *map;           /* [n][4] owned: ew_group_find_map */
    double *extra;         /* [n] owned: T of the smoother */
    double *diagonal;      /* [n_group][6][6] owned: with penalties on null modes */
    float *inverse_single; /* [n][6][6] owned: (D + T)^-1, D with penalties; or null, and */
    double *inverse_double;
    float *block_single; /* [n_pair][6][6] owned: copies of A's pairs; or null, and */
    double *block_double;
    double *b, *x, *y, *step;         /* [n][8] owned, vectors of a cycle */
    double *coarsest, *coarsest_work; /* [n_group][6], [n_group][8] owned */
    int32_t center_capacity, map_capacity, extra_capacity, diagonal_capacity, inverse_capacity,
        block_capacity, vector_capacity[4], coarsest_capacity[2];
    ew_aggregate_change group_change; /* work of an update, as what follows */
    ew_pattern_change change;
    ew_set touched;   /* groups */
    ew_list remapped; /* ascending: aggregates whose blocks, group or place in it changed */
} ew_intermediate_level;

/* Groups of about `size` aggregates and their pattern, from scratch. */
ew_status ew_intermediate_group(ew_intermediate_level *intermediate, const ew_grouped_level *level,
                                int32_t size, bool single);
/* Everything that follows from the groups and the aggregates' blocks, but for the factor. */
ew_status ew_intermediate_fill(ew_intermediate_level *intermediate, const ew_grouped_level *level);
/* After the aggregates' matrix was revalidated by the change: the same bits as filled again. Marks
 * in the coarsest factor what must be factored again. */
ew_status ew_intermediate_update(ew_intermediate_level *intermediate, const ew_grouped_level *level,
                                 const ew_pattern_change *change, ew_coarsest_factor *coarsest);
/* The matrix of the coarsest factor. */
ew_coarsest_matrix ew_intermediate_coarsest_matrix(const ew_intermediate_level *intermediate);
/* x = about A^-1 x, [n][6], by all threads of a parallel region, which they leave together. Does
 * not allocate; the same bits for any number of threads. level: its fine one is not looked at.
 * (intermediate_level_solve.c) */
void ew_intermediate_solve_in_team(const ew_intermediate_level *intermediate,
                                   const ew_grouped_level *level,
                                   const ew_coarsest_factor *coarsest, double *x);
/* The oracle: EW_MATRIX_DIFFERS names the first part that is not that of a rebuild on the same
 * groups. *fresh: to be freed by ew_intermediate_free_fresh after the factor was verified with it.
 */
ew_status ew_intermediate_verify(const ew_intermediate_level *intermediate,
                                 const ew_grouped_level *level, ew_intermediate_level *fresh);
void ew_intermediate_free_fresh(ew_intermediate_level *fresh);
size_t ew_intermediate_bytes(const ew_intermediate_level *intermediate);
void ew_intermediate_free(ew_intermediate_level *intermediate);

#endif
