/* The allocator. In: sizes. Out: memory, or null. Everything the library allocates passes through
 * `allocator`, so that a test can make the k-th allocation fail and count what is not released. */
#define _DEFAULT_SOURCE
#include "base/allocator.h"

#include "base/parts/base.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Tables and blocks are reached in the order of the mesh' neighbors: with pages of 4 KiB a large
 * mesh spends much of its time on their addresses, and each new page costs a fault. So large arrays
 * ask for large pages, where the system gives them on request; elsewhere this does nothing. All
 * pages of an array ask, the first and the last one, too, else they would be mappings of their own,
 * and an array that grows could not be moved but had to be copied. */
static void ask_for_large_pages(void *room, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 4096, large = 4u << 20;
    if (size >= large) {
        const uintptr_t before = (uintptr_t)room % page;
        const uintptr_t whole = (before + size + page - 1) / page * page;
        madvise((char *)room - before, whole, MADV_HUGEPAGE);
    }
#else
    (void)room;
    (void)size;
#endif
}

static void *malloc_resize(void *user, void *old, size_t size)
{
    (void)user;
    void *room = realloc(old, size);
    if (room) {
        ask_for_large_pages(room, size);
    }
    return room;
}

static void malloc_release(void *user, void *old)
{
    (void)user;
    free(old);
}

static const ew_allocator malloc_allocator = {NULL, malloc_resize, malloc_release};
static ew_allocator allocator = {NULL, malloc_resize, malloc_release};

void ew_set_allocator(const ew_allocator *hook)
{
    allocator = hook ? *hook : malloc_allocator;
}

void *ew_memory_resize(void *old, size_t size)
{
    return allocator.resize(allocator.user, old, size);
}

void ew_memory_release(void *block)
{
    allocator.release(allocator.user, block);
}
