/* Lists of ids and bit sets. In: ids. Out: the same ids in order, or once each.
 * Sorting works in place, since a function that cannot fail cannot allocate: radix
 * sort by permuting into byte buckets ("American flag sort", McIlroy, Bostic and
 * McIlroy 1993), with insertion sort for short stretches. */
#include "base/parts/base.h"

#include <string.h>

/* Symbols of the header's inline functions, for callers that cannot compile C. */
extern inline bool ew_bit_has(const uint64_t *bit, int32_t id);
extern inline bool ew_set_has(const ew_set *set, int32_t id);

ew_status ew_list_push(ew_list *list, int32_t id)
{
    EW_TRY(ew_grow(&list->id, &list->capacity, (int64_t)list->n + 1, sizeof *list->id));
    list->id[list->n++] = id;
    return EW_OK;
}

/* Whole runs of members are the rule where a batch takes a part of the body away. */
ew_status ew_list_push_bits(ew_list *list, const uint64_t *bit, int32_t n_word)
{
    for (int32_t word = 0; word < n_word; word++) {
        if (!bit[word]) {
            continue;
        }
        EW_TRY(ew_grow(&list->id, &list->capacity, (int64_t)list->n + 64, sizeof *list->id));
        int32_t *to = list->id + list->n;
        if (bit[word] == UINT64_MAX) {
            for (int32_t k = 0; k < 64; k++) {
                to[k] = 64 * word + k;
            }
            list->n += 64;
            continue;
        }
        for (uint64_t left = bit[word]; left; left &= left - 1) {
            *to++ = 64 * word + ew_lowest_bit(left);
        }
        list->n = (int32_t)(to - list->id);
    }
    return EW_OK;
}

static void insertion_sort(int32_t *id, int32_t n)
{
    for (int32_t i = 1; i < n; i++) {
        int32_t value = id[i], k = i;
        for (; k > 0 && id[k - 1] > value; k--) {
            id[k] = id[k - 1];
        }
        id[k] = value;
    }
}

/* The byte of `id` at `shift`, in the order of signed numbers. */
static unsigned digit(int32_t id, int shift)
{
    return (((uint32_t)id ^ 0x80000000u) >> shift) & 255u;
}

static void radix_sort(int32_t *id, int32_t n, int shift)
{
    enum { SHORT = 48 };
    if (n <= SHORT) {
        insertion_sort(id, n);
        return;
    }
    int32_t end[256] = {0}, next[256];
    for (int32_t i = 0; i < n; i++) {
        end[digit(id[i], shift)]++;
    }
    int32_t sum = 0;
    for (int d = 0; d < 256; d++) {
        next[d] = sum;
        sum += end[d];
        end[d] = sum;
    }
    for (unsigned d = 0; d < 256; d++) {
        while (next[d] < end[d]) {
            int32_t value = id[next[d]];
            for (unsigned to = digit(value, shift); to != d; to = digit(value, shift)) {
                int32_t other = id[next[to]];
                id[next[to]++] = value;
                value = other;
            }
            id[next[d]++] = value;
        }
    }
    for (int d = 0; shift > 0 && d < 256; d++) {
        int32_t begin = d ? end[d - 1] : 0;
        radix_sort(id + begin, end[d] - begin, shift - 8);
    }
}

void ew_list_sort(ew_list *list)
{
    int32_t i = 1;
    while (i < list->n && list->id[i - 1] <= list->id[i]) {
        i++;
    }
    if (i < list->n) {
        radix_sort(list->id, list->n, 24);
    }
}

void ew_list_sort_unique(ew_list *list)
{
    ew_list_sort(list);
    int32_t kept = 0;
    for (int32_t i = 0; i < list->n; i++) {
        if (!kept || list->id[kept - 1] != list->id[i]) {
            list->id[kept++] = list->id[i];
        }
    }
    list->n = kept;
}

ew_status ew_list_copy(ew_list *copy, const ew_list *list)
{
    EW_TRY(ew_grow_copy(&copy->id, &copy->capacity, list->id, list->n, sizeof *copy->id));
    copy->n = list->n;
    return EW_OK;
}

void ew_list_free(ew_list *list)
{
    ew_release(list->id);
    *list = (ew_list){0};
}

ew_status ew_set_add(ew_set *set, int32_t id)
{
    EW_ASSERT(id >= 0);
    if (ew_set_has(set, id)) {
        return EW_OK;
    }
    if (id / 64 >= set->word) {
        const int32_t old = set->word;
        EW_TRY(ew_grow(&set->bit, &set->word, id / 64 + 1, sizeof *set->bit));
        memset(set->bit + old, 0, (size_t)(set->word - old) * sizeof *set->bit);
    }
    EW_TRY(ew_list_push(&set->list, id));
    set->bit[id / 64] |= UINT64_C(1) << (id % 64);
    return EW_OK;
}

void ew_set_clear(ew_set *set)
{
    for (int32_t i = 0; i < set->list.n; i++) {
        set->bit[set->list.id[i] / 64] = 0;
    }
    set->list.n = 0;
}

void ew_set_free(ew_set *set)
{
    ew_release(set->bit);
    ew_list_free(&set->list);
    *set = (ew_set){0};
}
