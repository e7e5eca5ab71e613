/* Members of a set with their places in its list, so that one is taken out without a look at the
 * others. */
#include "model/internal.h"

#include <string.h>

ew_status model_members_reserve(model_members *members, int64_t n_slot, int64_t n_more)
{
    ew_set *set = &members->set;
    const int32_t before = set->word;
    EW_TRY(ew_grow(&set->bit, &set->word, n_slot / 64 + 1, sizeof *set->bit));
    if (set->word > before) {
        memset(set->bit + before, 0, (size_t)(set->word - before) * sizeof *set->bit);
    }
    EW_TRY(ew_grow(&members->place, &members->place_capacity, n_slot, sizeof *members->place));
    return ew_grow(&set->list.id, &set->list.capacity, (int64_t)set->list.n + n_more,
                   sizeof *set->list.id);
}

void model_members_put(model_members *members, int32_t id)
{
    ew_set *set = &members->set;
    if (!ew_set_has(set, id)) {
        ew_bit_set(set->bit, id);
        members->place[id] = set->list.n;
        set->list.id[set->list.n++] = id;
    }
}

ew_status model_members_add(model_members *members, int32_t id)
{
    EW_TRY(model_members_reserve(members, (int64_t)id + 1, 1));
    model_members_put(members, id);
    return EW_OK;
}

void model_members_remove(model_members *members, int32_t id)
{
    ew_set *set = &members->set;
    if (ew_set_has(set, id)) {
        const int32_t last = set->list.id[--set->list.n], at = members->place[id];
        set->bit[id / 64] &= ~(UINT64_C(1) << (id % 64));
        set->list.id[at] = last;
        members->place[last] = at;
    }
}

void model_members_rename(model_members *members, const int32_t *map)
{
    ew_set *set = &members->set;
    const int32_t n = set->list.n;
    ew_set_clear(set);
    for (int32_t i = 0; i < n; i++) { /* no more are put than were read */
        const int32_t now = map[set->list.id[i]];
        if (now >= 0) {
            model_members_put(members, now);
        }
    }
}

void model_members_free(model_members *members)
{
    ew_set_free(&members->set);
    ew_release(members->place);
    *members = (model_members){0};
}
