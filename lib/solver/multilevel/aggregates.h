/* aggregates: private to solver. Compact groups of neighboring rows, each of which moves as a
 * rigid body on the coarse level. They persist: after an edit rows leave and join, and only
 * aggregates that fell apart or became too small or too large change further.
 *
 * Every row with pairs belongs to an aggregate, constrained ones too, so that other constraints
 * need no other aggregates. A frame (reference point and length) is chosen when an aggregate is
 * formed and stays while most of its rows stay: coarse blocks of untouched rows keep their bits. */
#ifndef EW_SOLVER_AGGREGATES_H
#define EW_SOLVER_AGGREGATES_H

#include "solver/parts/solver.h"

typedef struct ew_device_level ew_device_level; /* device_level.h */
typedef struct ew_dealt ew_dealt;               /* dealt.h */

/* The level that aggregates are made of: all borrowed. */
typedef struct ew_fine_level {
    const ew_matrix *matrix; /* or null where the blocks are on a device alone, or of no interest */
    const ew_pattern *pattern;
    const double *xyz;       /* [n_row][3] */
    const uint8_t *fixed;    /* [n_row], bit c: component c is constrained */
    const uint8_t *strength; /* [n_pair] of pairs (aggregate_growth.h) where there is no matrix that
                                says so; null: all are as strong as can be */
    ew_device_level *device; /* the level's copy on a device, where the smoother is; or null */
    const ew_oblique *oblique; /* rows with EW_OBLIQUE in `fixed`, whose modes are projected; null:
                                  there is none */
    const int32_t *oblique_place; /* [n_row] 1 + their index there; of other rows anything */
    bool has_equations; /* blocks of pairs may be what an equation ties along one direction alone */
    const ew_dealt *dealt;       /* of a set-up or refill: rows of processes that share it and all
                                    applications after it; null: this one alone */
    const ew_row_demand *demand; /* as in ew_operator */
} ew_fine_level;

/* [2][3] the prescribed directions of a row, or null. */
static inline const double *ew_fine_normal(const ew_fine_level *fine, int32_t row)
{
    return fine->fixed[row] & EW_OBLIQUE && fine->oblique
               ? fine->oblique->normal + 6 * (size_t)(fine->oblique_place[row] - 1)
               : NULL;
}
/* v less what of it is along the directions of a row; v: 3 numbers, `stride` apart. */
static inline void ew_take_out_normals(const double normal[6], double *v, int stride)
{
    for (int i = 0; i < 6; i += 3) {
        const double along =
            normal[i] * v[0] + normal[i + 1] * v[stride] + normal[i + 2] * v[2 * stride];
        for (int c = 0; c < 3; c++) {
            v[c * stride] -= along * normal[i + c];
        }
    }
}

typedef struct ew_aggregates {
    int32_t n, capacity;         /* slots, holes included */
    int32_t n_row, row_capacity; /* rows of the pattern */
    int32_t slot_capacity;
    int32_t size;     /* rows that an aggregate should have */
    int32_t *of_row;  /* [n_row] owned: aggregate of a row, -1: it has no pairs */
    int32_t *slot;    /* [n_row] owned, work: -1 between calls */
    double *frame;    /* [n][4] owned: reference point x y z, length > 0 */
    ew_rows member;   /* rows of each aggregate, ascending; none: a hole */
    ew_list hole;     /* free slots, last in first out */
    uint64_t *strong; /* bits owned: pairs that tie their rows together (aggregate_growth.h) */
    int32_t strong_capacity;
    int32_t cut;  /* the least strength of a strong pair, 1 to EW_STRENGTHS */
    bool is_weak; /* weak pairs connect, too: strong ones alone gave too many aggregates */
} ew_aggregates;

/* From scratch, about `size` rows each. Deterministic. */
ew_status ew_aggregates_build(ew_aggregates *aggregates, const ew_fine_level *fine, int32_t size);
/* Chooses the cut and judges all pairs again: how many are strong that were not, or the reverse. */
ew_status ew_aggregates_judge(ew_aggregates *aggregates, const ew_fine_level *fine,
                              int32_t *n_other);
void ew_aggregates_free(ew_aggregates *aggregates);
size_t ew_aggregates_bytes(const ew_aggregates *aggregates);

/* Changes of an update. The next update reuses it. */
typedef struct ew_aggregate_change {
    ew_set row;       /* rows that left, joined or moved */
    ew_set aggregate; /* aggregates whose rows or frame changed, new ones and new holes included */
    bool reshaped;    /* an aggregate came or went */
    ew_set suspect;   /* private to the update: aggregates to be looked at */
    ew_set loosened;  /* private: those of touched rows, which may have lost pairs */
    ew_list work;     /* private */
    ew_list joining;  /* private */
} ew_aggregate_change;
void ew_aggregate_change_free(ew_aggregate_change *change);

/* Rows of the list (ascending; all whose pairs or positions changed) that lost their last pair
 * leave, those that have pairs join neighbors or form aggregates. Then what fell apart is split,
 * what is below a quarter of the size is merged into neighbors, what is above twice the size is
 * divided. O(touched aggregates). On failure they must be built again. */
ew_status ew_aggregates_update(ew_aggregates *aggregates, const ew_fine_level *fine,
                               const ew_list *touched, ew_aggregate_change *change);

/* Where a row is in its aggregate's frame: (x - reference) / length. */
static inline void ew_aggregate_place(const ew_aggregates *aggregates, int32_t aggregate,
                                      const double *x, double place[3])
{
    const double *frame = aggregates->frame + 4 * (size_t)aggregate;
    for (int i = 0; i < 3; i++) {
        place[i] = (x[i] - frame[i]) / frame[3];
    }
}

/* Frame of an aggregate from its present rows. (aggregates.c) */
void ew_aggregate_set_frame(ew_aggregates *aggregates, int32_t aggregate, const double *xyz);
/* Room for rows up to n_row, without aggregate; for n aggregates, without rows. */
ew_status ew_aggregates_extend_rows(ew_aggregates *aggregates, int32_t n_row);
ew_status ew_aggregates_extend_pairs(ew_aggregates *aggregates, int32_t n_pair);
ew_status ew_aggregates_open(ew_aggregates *aggregates, int32_t *aggregate);

/* [*count] the aggregate's rows, ascending; borrowed. */
static inline const int32_t *ew_aggregates_members(const ew_aggregates *aggregates,
                                                   int32_t aggregate, int32_t *count)
{
    const ew_rows *member = &aggregates->member;
    *count = member->count[aggregate];
    return member->item + (*count ? member->begin[aggregate] : 0);
}

#endif
