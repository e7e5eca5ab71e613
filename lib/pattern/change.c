/* Changes of a pattern, and their sum. */
#include "pattern/parts/pattern.h"

void ew_pattern_change_free(ew_pattern_change *change)
{
    ew_list_free(&change->created_pair);
    ew_list_free(&change->freed_pair);
    ew_list_free(&change->touched_pair);
    ew_list_free(&change->touched_row);
    ew_list_free(&change->changed_item);
    ew_set_free(&change->scratch);
    *change = (ew_pattern_change){0};
}

static ew_status add_all(ew_set *set, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        EW_TRY(ew_set_add(set, list->id[i]));
    }
    return EW_OK;
}

ew_status ew_pattern_dirty_add(ew_pattern_dirty *dirty, const ew_pattern_change *change)
{
    if (!change->to_revision ||
        (dirty->to_revision && dirty->to_revision != change->from_revision)) {
        return ew_fail(EW_STALE,
                       "pattern: a change from revision %llu to %llu does not follow one to %llu; "
                       "rebuild data that is stored by it",
                       (unsigned long long)change->from_revision,
                       (unsigned long long)change->to_revision,
                       (unsigned long long)dirty->to_revision);
    }
    EW_TRY(add_all(&dirty->row, &change->touched_row));
    EW_TRY(add_all(&dirty->pair, &change->touched_pair));
    EW_TRY(add_all(&dirty->item, &change->changed_item));
    if (!dirty->to_revision) {
        dirty->from_revision = change->from_revision;
    }
    dirty->to_revision = change->to_revision;
    return EW_OK;
}

static ew_status copy_sorted(ew_list *to, const ew_list *from)
{
    to->n = 0;
    EW_TRY(ew_grow(&to->id, &to->capacity, from->n, sizeof *to->id));
    for (int32_t i = 0; i < from->n; i++) {
        to->id[to->n++] = from->id[i];
    }
    ew_list_sort(to);
    return EW_OK;
}

ew_status ew_pattern_dirty_take(ew_pattern_dirty *dirty, const ew_pattern *pattern,
                                ew_pattern_change *sum)
{
    EW_TRY(copy_sorted(&sum->touched_row, &dirty->row.list));
    EW_TRY(copy_sorted(&sum->touched_pair, &dirty->pair.list));
    EW_TRY(copy_sorted(&sum->changed_item, &dirty->item.list));
    int32_t n = 0;
    for (int32_t i = 0; i < sum->touched_pair.n; i++) {
        const int32_t pair = sum->touched_pair.id[i];
        if (pattern->pair_row[2 * (size_t)pair] >= 0) {
            sum->touched_pair.id[n++] = pair;
        }
    }
    sum->touched_pair.n = n;
    sum->created_pair.n = sum->freed_pair.n = 0;
    sum->from_revision = dirty->from_revision;
    sum->to_revision = dirty->to_revision;
    ew_set_clear(&dirty->row);
    ew_set_clear(&dirty->pair);
    ew_set_clear(&dirty->item);
    dirty->from_revision = dirty->to_revision = 0;
    return EW_OK;
}

void ew_pattern_dirty_free(ew_pattern_dirty *dirty)
{
    ew_set_free(&dirty->row);
    ew_set_free(&dirty->pair);
    ew_set_free(&dirty->item);
    *dirty = (ew_pattern_dirty){0};
}
