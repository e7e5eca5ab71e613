/* Allocation. In: counts and sizes. Out: memory, or EW_NO_MEMORY with nothing changed. */
#define _DEFAULT_SOURCE
#include "base/allocator.h"
#include "base/parts/base.h"

#include <string.h>
#include <sys/mman.h>

/* `array` is the address of a pointer of any type; memcpy reads and writes it
 * without assuming that all pointer types alias. */
static ew_status resize(void *array, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        return ew_fail(EW_NO_MEMORY, "out of memory: %zu elements of %zu bytes", count, size);
    }
    size_t bytes = count * size;
    void *old;
    memcpy(&old, array, sizeof old);
    void *room = ew_memory_resize(old, bytes ? bytes : 1);
    if (!room) {
        return ew_fail(EW_NO_MEMORY, "out of memory: %zu bytes were asked for", bytes);
    }
    memcpy(array, &room, sizeof room);
    return EW_OK;
}

ew_status ew_new(void *array, size_t count, size_t size)
{
    memset(array, 0, sizeof(void *));
    return resize(array, count ? count : 1, size);
}

ew_status ew_new_zero(void *array, size_t count, size_t size)
{
    EW_TRY(ew_new(array, count, size));
    void *room;
    memcpy(&room, array, sizeof room);
    memset(room, 0, (count ? count : 1) * size);
    return EW_OK;
}

void ew_release(void *pointer)
{
    if (pointer) {
        ew_memory_release(pointer);
    }
}

ew_status ew_grow(void *array, int32_t *capacity, int64_t need, size_t size)
{
    if (need <= *capacity) {
        return EW_OK;
    }
    if (need > INT32_MAX) {
        return ew_fail(EW_LIMIT, "%lld elements are more than 32-bit ids can name",
                       (long long)need);
    }
    int64_t wanted = (int64_t)*capacity + *capacity / 2;
    wanted = wanted < 8 ? 8 : wanted > INT32_MAX ? INT32_MAX : wanted;
    wanted = wanted < need ? need : wanted;
    EW_TRY(resize(array, (size_t)wanted, size));
    *capacity = (int32_t)wanted;
    return EW_OK;
}

ew_status ew_grow_copy(void *array, int32_t *capacity, const void *from, int64_t n, size_t size)
{
    void *to;
    EW_TRY(ew_grow(array, capacity, n, size));
    if (n > 0) {
        memcpy(&to, array, sizeof to);
        memcpy(to, from, (size_t)n * size);
    }
    return EW_OK;
}

ew_status ew_room_keep(void **room, size_t bytes)
{
    void *kept = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kept == MAP_FAILED) {
        return ew_fail(EW_NO_MEMORY, "out of memory: %zu MiB more are needed", (bytes >> 20) + 1);
    }
    *room = kept;
    return EW_OK;
}

void ew_room_give(void **room, size_t bytes)
{
    if (*room) {
        munmap(*room, bytes);
    }
    *room = NULL;
}
