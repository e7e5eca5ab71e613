/* pattern: what a program needs that works on its tables itself, beside pattern/pattern.h. */
#ifndef EW_PARTS_PATTERN_H
#define EW_PARTS_PATTERN_H

#include "base/parts/base.h"
#include "pattern/pattern.h"

EW_BEGIN_API

void ew_pattern_free(ew_pattern *pattern);
/* The same slots, holes and revision, in the memory of `copy` (zeroed: none). On failure `copy` is
 * to be freed. */
ew_status ew_pattern_copy(ew_pattern *copy, const ew_pattern *pattern);
/* Empty rows up to n_row. */
ew_status ew_pattern_extend(ew_pattern *pattern, int32_t n_row);
/* Fills row_to_pair and n_lower of a pattern whose n_row, n_pair and pair_row are set, pairs
 * ascending in (a, b) and without holes. */
ew_status ew_pattern_index(ew_pattern *pattern);
/* Pair slot between two rows in any order, or -1. O(log row). */
int32_t ew_pattern_pair_between(const ew_pattern *pattern, int32_t a, int32_t b);
/* The slot for a new pair (a < b): the one freed last, or a new one. It is in no row yet. */
ew_status ew_pattern_open_pair(ew_pattern *pattern, int32_t a, int32_t b, int32_t *pair);
/* The same, entered into both rows. The pair must not be there. */
ew_status ew_pattern_add_pair(ew_pattern *pattern, int32_t a, int32_t b, int32_t *pair);
ew_status ew_pattern_remove_pair(ew_pattern *pattern, int32_t pair);
size_t ew_pattern_bytes(const ew_pattern *pattern);
/* [*count][2] the row's items (other row, pair); borrowed. */
static inline const int32_t *ew_pattern_items(const ew_pattern *pattern, int32_t row,
                                              int32_t *count)
{
    const ew_rows *rows = &pattern->row_to_pair;
    *count = rows->count[row];
    return rows->item + 2 * (size_t)(*count ? rows->begin[row] : 0);
}

/* ---- changes ----------------------------------------------------------- */

void ew_pattern_change_free(ew_pattern_change *change);

/* Changes added up, so that a block is recomputed once however many changes came before its use.
 * Zeroed: nothing touched. */
typedef struct ew_pattern_dirty {
    uint64_t from_revision, to_revision; /* 0, 0: nothing was added yet */
    ew_set row, pair, item;
} ew_pattern_dirty;
/* EW_STALE when the change does not start where the last one ended. O(change). */
ew_status ew_pattern_dirty_add(ew_pattern_dirty *dirty, const ew_pattern_change *change);
/* Writes the sum as one change, without the pairs that no longer live, and empties it. Its lists of
 * created and freed pairs are empty: they are no part of a sum. */
ew_status ew_pattern_dirty_take(ew_pattern_dirty *dirty, const ew_pattern *pattern,
                                ew_pattern_change *sum);
void ew_pattern_dirty_free(ew_pattern_dirty *dirty);

EW_END_API
#endif
