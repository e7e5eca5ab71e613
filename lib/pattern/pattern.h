/* pattern: rows, and pairs of rows that share a contributor: the sparsity pattern of a
 * diagonal-edge matrix. Where rows and pairs come from is not known here: the neighbor tables keep
 * one of vertices and mesh edges, the preconditioner one of aggregates.
 *
 * Rows and pairs are slots: no change moves one; a slot freed is reused, last freed first. */
#ifndef EW_PATTERN_H
#define EW_PATTERN_H

#include "base/base.h"

EW_BEGIN_API

typedef struct ew_pattern {
    int32_t n_row, row_capacity;   /* row slots */
    int32_t n_pair, pair_capacity; /* pair slots, holes included */
    int32_t n_live_pair;
    int32_t *pair_row;   /* [n_pair][2] owned, a < b; (-1, -1): hole */
    ew_rows row_to_pair; /* width 2, items (other row, pair), sorted by other row */
    int32_t *n_lower;    /* [n_row] owned: how many of a row's items lead to lower rows; they come
                            first */
    ew_list pair_hole;   /* free pair slots, last in first out */
    uint64_t revision;   /* of what the pattern was derived from; 0: not valid, build it again */
} ew_pattern;

/* ---- changes ----------------------------------------------------------- */

/* What an update of a pattern's source touched: plain data for all that is stored by row and pair.
 * Reused from update to update. */
typedef struct ew_pattern_change {
    uint64_t from_revision, to_revision; /* of the pattern; to 0: not usable */
    ew_list created_pair, freed_pair;    /* slots, ascending; none is in both */
    ew_list touched_pair;                /* ascending: live pairs whose block must be recomputed */
    ew_list touched_row; /* ascending: rows whose diagonal block must be recomputed, those that lost
                            their last contributor included */
    ew_list changed_item; /* ascending: contributors that are new or changed; all their blocks are
                             in the lists above */
    ew_set scratch;       /* private to the update */
} ew_pattern_change;

EW_END_API
#endif
