/* Pages of arrays that are filled in part. In: an array. Out: advice to the system, in place of
 * that of the allocator (allocator.c). */
#define _DEFAULT_SOURCE
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

void ew_use_small_pages(void *array, size_t bytes)
{
#ifdef MADV_NOHUGEPAGE
    const uintptr_t page = 4096, before = (uintptr_t)array % page;
    if (array && bytes >= page) {
        (void)madvise((char *)array - before, (before + bytes + page - 1) / page * page,
                      MADV_NOHUGEPAGE);
    }
#else
    (void)array;
    (void)bytes;
#endif
}
