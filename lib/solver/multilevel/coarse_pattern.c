/* The pattern of the coarse matrix. In: aggregates and fine pairs. Out: pairs of aggregates, all of
 * them or those between some aggregates. */
#include "solver/multilevel/coarse.h"

/* Higher aggregates that the rows have pairs with. */
static ew_status meet_rows(const ew_pattern *fine, const ew_aggregates *aggregates, int32_t own,
                           const ew_set *among, const int32_t *row, int32_t n, ew_set *found)
{
    int32_t last = -1; /* mostly the next one is the same */
    for (int32_t i = 0; i < n; i++) {
        int32_t count;
        const int32_t *item = ew_pattern_items(fine, row[i], &count);
        for (int32_t k = 0; k < count; k++) {
            const int32_t other = aggregates->of_row[item[2 * k]];
            if (other > own && other != last && (!among || ew_set_has(among, other))) {
                EW_TRY(ew_set_add(found, other));
                last = other;
            }
        }
    }
    return EW_OK;
}

/* Higher aggregates that rows of `own` have pairs with, ascending, of those that count. */
static ew_status find_higher(const ew_pattern *fine, const ew_aggregates *aggregates, int32_t own,
                             const ew_segment_choice *in, ew_set *found)
{
    int32_t n_member, end;
    const int32_t *member = ew_aggregates_members(aggregates, own, &n_member);
    ew_set_clear(found);
    for (int32_t i = 0, n = 0; i < n_member; i = end, n++) {
        end = ew_segment_end(member, n_member, i);
        if (ew_segment_may_have(in, own, n)) {
            EW_TRY(meet_rows(fine, aggregates, own, in->among, member + i, end - i, found));
        }
    }
    ew_list_sort(&found->list);
    return EW_OK;
}

/* Pairs of `own` with higher aggregates of those touched, as found; into the change what came, went
 * and is. */
static ew_status update_pairs(ew_pattern *pattern, int32_t own, const ew_set *touched,
                              const ew_set *found, ew_pattern_change *change)
{
    const ew_rows *rows = &pattern->row_to_pair;
    int32_t pair;
    for (int32_t i = pattern->n_lower[own]; i < rows->count[own];) {
        const int32_t *item = rows->item + 2 * ((size_t)rows->begin[own] + (size_t)i);
        if (!ew_set_has(touched, item[0]) || ew_set_has(found, item[0])) {
            i++;
        } else {
            EW_TRY(ew_list_push(&change->freed_pair, item[1]));
            EW_TRY(ew_pattern_remove_pair(pattern, item[1]));
        }
    }
    for (int32_t i = 0; i < found->list.n; i++) {
        if (ew_rows_find(rows, own, found->list.id[i]) < 0) {
            EW_TRY(ew_pattern_add_pair(pattern, own, found->list.id[i], &pair));
            EW_TRY(ew_list_push(&change->created_pair, pair));
        }
    }
    for (int32_t i = pattern->n_lower[own]; i < rows->count[own]; i++) {
        const int32_t *item = rows->item + 2 * ((size_t)rows->begin[own] + (size_t)i);
        if (ew_set_has(touched, item[0])) {
            EW_TRY(ew_list_push(&change->touched_pair, item[1]));
        }
    }
    return ew_list_push(&change->touched_row, own);
}

/* A slot freed and taken again within one change belongs to neither list. */
static void drop_common(ew_list *a, ew_list *b)
{
    int32_t n_a = 0, n_b = 0, i = 0, j = 0;
    while (i < a->n || j < b->n) {
        if (j == b->n || (i < a->n && a->id[i] < b->id[j])) {
            a->id[n_a++] = a->id[i++];
        } else if (i == a->n || b->id[j] < a->id[i]) {
            b->id[n_b++] = b->id[j++];
        } else {
            i++;
            j++;
        }
    }
    a->n = n_a;
    b->n = n_b;
}

ew_status ew_coarse_update_pattern(ew_pattern *pattern, const ew_pattern *fine,
                                   const ew_aggregates *aggregates, const ew_set *touched,
                                   const ew_segments *segments, ew_pattern_change *change)
{
    const ew_segment_choice in = ew_segments_choose(touched, segments);
    const uint64_t revision = pattern->revision;
    ew_set found = {0};
    ew_status status = EW_OK;
    change->created_pair.n = change->freed_pair.n = 0;
    change->touched_pair.n = change->touched_row.n = 0;
    change->from_revision = revision;
    change->to_revision = pattern->revision = 0;
    EW_TRY_OUT(ew_pattern_extend(pattern, aggregates->n));
    for (int32_t i = 0; i < touched->list.n; i++) {
        const int32_t own = touched->list.id[i];
        EW_TRY_OUT(find_higher(fine, aggregates, own, &in, &found));
        EW_TRY_OUT(update_pairs(pattern, own, touched, &found, change));
    }
    ew_list_sort(&change->created_pair);
    ew_list_sort(&change->freed_pair);
    ew_list_sort(&change->touched_pair);
    drop_common(&change->created_pair, &change->freed_pair);
    change->to_revision = pattern->revision = revision + 1;
out:
    ew_set_free(&found);
    return status;
}

/* Pairs of a stretch of aggregates with higher ones. */
typedef struct found_pairs {
    ew_list list; /* owned: [n][2], ascending */
    ew_status status;
} found_pairs;

static ew_status find_pairs(const ew_pattern *fine, const ew_aggregates *aggregates, int32_t begin,
                            int32_t end, ew_list *list)
{
    const ew_segment_choice all = ew_segments_choose(NULL, NULL);
    ew_set found = {0};
    ew_status status = EW_OK;
    for (int32_t a = begin; a < end; a++) {
        EW_TRY_OUT(find_higher(fine, aggregates, a, &all, &found));
        for (int32_t i = 0; i < found.list.n; i++) {
            EW_TRY_OUT(ew_list_push(list, a));
            EW_TRY_OUT(ew_list_push(list, found.list.id[i]));
        }
    }
out:
    ew_set_free(&found);
    return status;
}

static ew_status open_pairs(ew_pattern *pattern, const found_pairs *part, int32_t n)
{
    for (int32_t k = 0; k < n; k++) {
        if (part[k].status) {
            return ew_fail(part[k].status, "preconditioner: no memory for pairs of aggregates");
        }
        for (int32_t i = 0; i < part[k].list.n; i += 2) {
            const int32_t *row = part[k].list.id + i;
            int32_t pair;
            EW_TRY(ew_pattern_open_pair(pattern, row[0], row[1], &pair));
        }
    }
    return EW_OK;
}

ew_status ew_coarse_build_pattern(ew_pattern *pattern, const ew_pattern *fine,
                                  const ew_aggregates *aggregates)
{
    enum { STRETCH = 64 };
    const uint64_t revision = pattern->revision;
    const int32_t n = (aggregates->n + STRETCH - 1) / STRETCH;
    found_pairs *part;
    ew_status status = EW_OK;
    EW_TRY(ew_new_zero(&part, (size_t)n, sizeof *part));
    ew_pattern_free(pattern);
#pragma omp parallel for schedule(dynamic) num_threads(ew_threads_for(n, 1))
    for (int32_t k = 0; k < n; k++) {
        const int32_t begin = k * STRETCH, end = begin + STRETCH;
        part[k].status = find_pairs(fine, aggregates, begin,
                                    end < aggregates->n ? end : aggregates->n, &part[k].list);
    }
    EW_TRY_OUT(open_pairs(pattern, part, n));
    pattern->n_row = aggregates->n;
    EW_TRY_OUT(ew_pattern_index(pattern));
    pattern->revision = revision + 1;
out:
    for (int32_t k = 0; k < n; k++) {
        ew_list_free(&part[k].list);
    }
    ew_release(part);
    return status;
}
