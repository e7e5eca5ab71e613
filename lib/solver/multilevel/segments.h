/* segments: private to solver. Partial sums of the coarse diagonal blocks, so that an update sums
 * again what was touched and not a whole aggregate: its rows by stretches of EW_SEGMENT_ROWS slots,
 * of which there are few in a mesh that is ordered for locality. Stretches follow from the slots
 * alone, so that partial sums are those of a rebuild. */
#ifndef EW_SOLVER_SEGMENTS_H
#define EW_SOLVER_SEGMENTS_H

#include "solver/multilevel/aggregates.h"

#define EW_SEGMENT_ROWS 16

typedef struct ew_segments {
    ew_rows list; /* segments of each aggregate, ascending: (row / EW_SEGMENT_ROWS, slot) */
    ew_list hole; /* free slots */
    int32_t n;    /* slots, holes included */
    double *sum;  /* [n][36] owned: what the rows give to the diagonal block */
    uint64_t
        *higher; /* [n] owned: bit a % 64 for each higher aggregate that rows have pairs with */
    bool *is_current; /* [n] owned: the two above; else they are to be found again */
    int32_t sum_capacity, higher_capacity, current_capacity;
} ew_segments;

/* The segments of all aggregates from their rows, none of them current. On failure there may be
 * some of them, and all must be made again. */
ew_status ew_segments_build(ew_segments *segments, const ew_aggregates *aggregates);
/* The segments of an aggregate from its rows, none of them current; those of before are freed. On
 * failure it has none, and all must be made again. */
ew_status ew_segments_list(ew_segments *segments, const ew_aggregates *aggregates,
                           int32_t aggregate);
/* The segment of a row with an aggregate is not current any more. */
void ew_segments_spoil(ew_segments *segments, const ew_aggregates *aggregates, int32_t row);
/* Of an aggregate, its n-th one. */
static inline int32_t ew_segments_slot(const ew_segments *segments, int32_t aggregate, int32_t n)
{
    return segments->list.item[2 * ((size_t)segments->list.begin[aggregate] + (size_t)n) + 1];
}
/* Which higher aggregates count: those in a set, and segments that have none of them are passed
 * over; all where the two are null. */
typedef struct ew_segment_choice {
    const ew_set *among;
    const ew_segments *segments;
    uint64_t mask;
} ew_segment_choice;
ew_segment_choice ew_segments_choose(const ew_set *among, const ew_segments *segments);
/* Whether rows of the aggregate's n-th segment may have pairs with one of them. */
static inline bool ew_segment_may_have(const ew_segment_choice *in, int32_t aggregate, int32_t n)
{
    const ew_segments *segments = in->segments;
    const int32_t slot = segments ? ew_segments_slot(segments, aggregate, n) : -1;
    return !segments || !segments->is_current[slot] || (segments->higher[slot] & in->mask);
}
/* Where the stretch ends that begins with member[first]. */
static inline int32_t ew_segment_end(const int32_t *member, int32_t n, int32_t first)
{
    int32_t end = first + 1;
    while (end < n && member[end] / EW_SEGMENT_ROWS == member[first] / EW_SEGMENT_ROWS) {
        end++;
    }
    return end;
}
size_t ew_segments_bytes(const ew_segments *segments);
void ew_segments_free(ew_segments *segments);

#endif
