/* Private to format: the numbers that a file gives its nodes or groups, in any order and with gaps,
 * and what they stand for. */
#ifndef EW_FORMAT_NUMBERS_H
#define EW_FORMAT_NUMBERS_H

#include "base/parts/base.h"

typedef struct ew_numbered {
    int64_t number;
    int32_t to;
} ew_numbered;
/* Zeroed: empty. To be sorted once all are entered, before one is found. */
typedef struct ew_numbers {
    int32_t n, capacity;
    ew_numbered *of; /* [n] owned */
} ew_numbers;
ew_status ew_numbers_enter(ew_numbers *list, int64_t number, int32_t to);
/* False where a number is there twice: *twice. */
bool ew_numbers_sort(ew_numbers *list, int64_t *twice);
/* Null where it is not there. */
const ew_numbered *ew_numbers_find(const ew_numbers *list, int64_t number);
void ew_numbers_free(ew_numbers *list);

#endif
