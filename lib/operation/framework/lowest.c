/* Selection of the lowest keys, and numbers that look random. In: keys with names. Out: the same
 * list, the lowest first.
 * References: Hoare 1961, "Algorithm 65: Find"; Steele, Lea and Flood 2014, "Fast splittable
 * pseudorandom number generators" (splitmix64). */
#include "operation/framework/internal.h"

#include <stdlib.h>

static bool is_before(ew_keyed x, ew_keyed y)
{
    return x.key < y.key || (x.key == y.key && x.name < y.name);
}

void ew_lowest_first(ew_keyed *list, int32_t n, int32_t count)
{
    int32_t low = 0, high = n - 1;
    uint64_t step = 0;
    if (count <= 0 || count >= n) {
        return;
    }
    /* All before `low` are lower, all after `high` higher than what is between. */
    while (low < high) {
        uint64_t width = (uint64_t)(high - low) + 1;
        ew_keyed pivot = list[low + (int32_t)(ew_random_at(0, step++) % width)];
        int32_t i = low, j = high;
        while (i <= j) {
            while (is_before(list[i], pivot)) {
                i++;
            }
            while (is_before(pivot, list[j])) {
                j--;
            }
            if (i <= j) {
                ew_keyed keep = list[i];
                list[i++] = list[j];
                list[j--] = keep;
            }
        }
        if (count <= j) {
            high = j;
        } else if (count >= i) {
            low = i;
        } else {
            return;
        }
    }
}

uint64_t ew_random_at(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int compare_names(const void *left, const void *right)
{
    const ew_keyed *a = left, *b = right;
    return (a->name > b->name) - (a->name < b->name);
}

void ew_sort_by_name(ew_keyed *list, int32_t n)
{
    bool sorted = true;
    for (int32_t i = 1; i < n && sorted; i++) {
        sorted = list[i - 1].name < list[i].name;
    }
    if (!sorted) {
        qsort(list, (size_t)n, sizeof *list, compare_names);
    }
}
