/* Which segments there are. In: the rows of aggregates. Out: a slot for the partial sum of each. */
#include "solver/multilevel/segments.h"

static ew_status open_slot(ew_segments *segments, int32_t *slot)
{
    if (segments->hole.n) {
        *slot = segments->hole.id[--segments->hole.n];
    } else {
        const int64_t n = (int64_t)segments->n + 1;
        EW_TRY(ew_grow(&segments->sum, &segments->sum_capacity, n, 36 * sizeof *segments->sum));
        EW_TRY(ew_grow(&segments->higher, &segments->higher_capacity, n, sizeof *segments->higher));
        EW_TRY(ew_grow(&segments->is_current, &segments->current_capacity, n,
                       sizeof *segments->is_current));
        *slot = segments->n++;
    }
    segments->is_current[*slot] = false;
    return EW_OK;
}

static ew_status drop(ew_segments *segments, int32_t aggregate)
{
    while (segments->list.count[aggregate] > 0) {
        const int32_t *last = segments->list.item +
                              2 * ((size_t)segments->list.begin[aggregate] +
                                   (size_t)segments->list.count[aggregate]) -
                              2;
        const int32_t key = last[0], slot = last[1];
        ew_rows_remove(&segments->list, aggregate, key);
        EW_TRY(ew_list_push(&segments->hole, slot));
    }
    return EW_OK;
}

ew_status ew_segments_list(ew_segments *segments, const ew_aggregates *aggregates,
                           int32_t aggregate)
{
    const ew_rows *member = &aggregates->member;
    const int32_t n = member->count[aggregate];
    const int32_t *row = member->item + (n ? member->begin[aggregate] : 0);
    segments->list.width = 2;
    EW_TRY(ew_rows_extend(&segments->list, aggregates->n));
    EW_TRY(drop(segments, aggregate));
    for (int32_t i = 0; i < n; i = ew_segment_end(row, n, i)) {
        int32_t item[2] = {row[i] / EW_SEGMENT_ROWS, -1};
        EW_TRY(open_slot(segments, &item[1]));
        EW_TRY(ew_rows_insert(&segments->list, aggregate, item));
    }
    return EW_OK;
}

static int32_t count_segments(const ew_aggregates *aggregates, int32_t aggregate)
{
    int32_t n_row, n = 0;
    const int32_t *row = ew_aggregates_members(aggregates, aggregate, &n_row);
    for (int32_t i = 0; i < n_row; i = ew_segment_end(row, n_row, i)) {
        n++;
    }
    return n;
}

ew_status ew_segments_build(ew_segments *segments, const ew_aggregates *aggregates)
{
    int32_t *count;
    int32_t n = 0;
    ew_segments_free(segments);
    EW_TRY(ew_new(&count, (size_t)aggregates->n, sizeof *count));
    for (int32_t a = 0; a < aggregates->n; a++) {
        count[a] = count_segments(aggregates, a);
        n += count[a];
    }
    const ew_status status = ew_rows_init(&segments->list, aggregates->n, 2, count);
    ew_release(count);
    EW_TRY(status);
    EW_TRY(ew_grow(&segments->sum, &segments->sum_capacity, n, 36 * sizeof *segments->sum));
    EW_TRY(ew_grow(&segments->higher, &segments->higher_capacity, n, sizeof *segments->higher));
    EW_TRY(ew_grow(&segments->is_current, &segments->current_capacity, n,
                   sizeof *segments->is_current));
    for (int32_t a = 0; a < aggregates->n; a++) {
        int32_t n_row;
        const int32_t *row = ew_aggregates_members(aggregates, a, &n_row);
        for (int32_t i = 0; i < n_row; i = ew_segment_end(row, n_row, i)) {
            segments->is_current[segments->n] = false;
            ew_rows_append2(&segments->list, a, row[i] / EW_SEGMENT_ROWS, segments->n++);
        }
    }
    return EW_OK;
}

void ew_segments_spoil(ew_segments *segments, const ew_aggregates *aggregates, int32_t row)
{
    const int32_t own = aggregates->of_row[row];
    if (own < 0) {
        return;
    }
    const int32_t at = ew_rows_find(&segments->list, own, row / EW_SEGMENT_ROWS);
    EW_ASSERT(at >= 0);
    segments->is_current[ew_segments_slot(segments, own, at)] = false;
}

ew_segment_choice ew_segments_choose(const ew_set *among, const ew_segments *segments)
{
    ew_segment_choice choice = {among, segments, among ? 0 : ~UINT64_C(0)};
    for (int32_t i = 0; among && i < among->list.n; i++) {
        choice.mask |= UINT64_C(1) << (among->list.id[i] % 64);
    }
    return choice;
}

size_t ew_segments_bytes(const ew_segments *segments)
{
    return ew_rows_bytes(&segments->list) +
           (size_t)segments->sum_capacity * 36 * sizeof *segments->sum +
           (size_t)segments->higher_capacity * sizeof *segments->higher +
           (size_t)segments->current_capacity * sizeof *segments->is_current +
           (size_t)segments->hole.capacity * sizeof(int32_t);
}

void ew_segments_free(ew_segments *segments)
{
    ew_rows_free(&segments->list);
    ew_list_free(&segments->hole);
    ew_release(segments->sum);
    ew_release(segments->higher);
    ew_release(segments->is_current);
    *segments = (ew_segments){.list = {.width = 2}};
}
