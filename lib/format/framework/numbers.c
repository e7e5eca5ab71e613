/* A file's own numbers, looked up by bisection. In: numbers with what they stand for. Out: the
 * entry of a number. */
#include "format/framework/numbers.h"

#include <stdlib.h>

ew_status ew_numbers_enter(ew_numbers *list, int64_t number, int32_t to)
{
    EW_TRY(ew_grow(&list->of, &list->capacity, (int64_t)list->n + 1, sizeof *list->of));
    list->of[list->n++] = (ew_numbered){number, to};
    return EW_OK;
}

static int by_number(const void *a, const void *b)
{
    const int64_t first = ((const ew_numbered *)a)->number;
    const int64_t second = ((const ew_numbered *)b)->number;
    return (first > second) - (first < second);
}

bool ew_numbers_sort(ew_numbers *list, int64_t *twice)
{
    if (list->n) {
        qsort(list->of, (size_t)list->n, sizeof *list->of, by_number);
    }
    for (int32_t i = 1; i < list->n; i++) {
        if (list->of[i].number == list->of[i - 1].number) {
            *twice = list->of[i].number;
            return false;
        }
    }
    return true;
}

const ew_numbered *ew_numbers_find(const ew_numbers *list, int64_t number)
{
    const ew_numbered key = {number, 0};
    return list->n ? bsearch(&key, list->of, (size_t)list->n, sizeof key, by_number) : NULL;
}

void ew_numbers_free(ew_numbers *list)
{
    ew_release(list->of);
    *list = (ew_numbers){0};
}
