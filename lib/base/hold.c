/* Blocks of memory that are kept beside their owners. In: starts of blocks. Out: who releases them:
 * the owner, or where they are kept the last holder.
 *
 * A hash table with open addressing, as few blocks are kept at once; a lock, since bindings drop
 * blocks from any thread. While none is kept the allocator asks one atomic number and takes no
 * lock. */
#include "base/hold.h"

#include "base/allocator.h"
#include "base/parts/base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

typedef struct kept_block {
    const void *start; /* null: the place is free */
    int32_t n_hold;
    bool is_left; /* by its owner */
} kept_block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t n_kept, n_left;
static size_t n_place; /* 0 or a power of two, at most half of them taken */
static kept_block *place;

static size_t first_place(const void *start)
{
    const uint64_t mixed = ((uint64_t)(uintptr_t)start >> 4) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> 32) & (n_place - 1);
}

/* The place of a block, or a free one; there is one. */
static kept_block *find(const void *start)
{
    size_t at = first_place(start);
    while (place[at].start && place[at].start != start) {
        at = (at + 1) & (n_place - 1);
    }
    return &place[at];
}

static bool make_room(void)
{
    kept_block *before = place;
    const size_t n_before = n_place, wanted = n_before ? 2 * n_before : 16;
    if (2 * (atomic_load(&n_kept) + 1) <= n_before) {
        return true;
    }
    kept_block *fresh = ew_memory_resize(NULL, wanted * sizeof *fresh);
    if (!fresh) {
        return false;
    }
    memset(fresh, 0, wanted * sizeof *fresh);
    place = fresh;
    n_place = wanted;
    for (size_t i = 0; i < n_before; i++) {
        if (before[i].start) {
            *find(before[i].start) = before[i];
        }
    }
    if (before) {
        ew_memory_release(before);
    }
    return true;
}

/* Frees a place, and moves up those behind it that were not at their first choice. The last one
 * takes the table along, so that nothing is left of a program that dropped all. */
static void remove_place(kept_block *gone)
{
    size_t hole = (size_t)(gone - place), at = hole;
    for (;;) {
        at = (at + 1) & (n_place - 1);
        if (!place[at].start) {
            break;
        }
        const size_t from = (at - first_place(place[at].start)) & (n_place - 1);
        if (from >= ((at - hole) & (n_place - 1))) {
            place[hole] = place[at];
            hole = at;
        }
    }
    place[hole] = (kept_block){0};
    if (atomic_fetch_sub(&n_kept, 1) == 1) {
        ew_memory_release(place);
        place = NULL;
        n_place = 0;
    }
}

ew_status ew_memory_hold(const void *pointer)
{
    if (!pointer) {
        return ew_fail(EW_BAD_ARGUMENT, "memory: there is no block at null to be kept");
    }
    pthread_mutex_lock(&lock);
    const bool has_room = make_room();
    if (has_room) {
        kept_block *block = find(pointer);
        if (!block->start) {
            *block = (kept_block){.start = pointer};
            atomic_fetch_add(&n_kept, 1);
        }
        block->n_hold++;
    }
    pthread_mutex_unlock(&lock);
    return has_room ? EW_OK : ew_fail(EW_NO_MEMORY, "out of memory: a block cannot be kept");
}

void ew_memory_drop(const void *pointer)
{
    void *released = NULL;
    if (!pointer || !atomic_load(&n_kept)) {
        return;
    }
    pthread_mutex_lock(&lock);
    kept_block *block = n_place ? find(pointer) : NULL;
    if (block && block->start && --block->n_hold == 0) {
        if (block->is_left) {
            memcpy(&released, &block->start, sizeof released);
            atomic_fetch_sub(&n_left, 1);
        }
        remove_place(block);
    }
    pthread_mutex_unlock(&lock);
    if (released) {
        ew_memory_release(released);
    }
}

int64_t ew_memory_kept(int64_t *released)
{
    if (released) {
        *released = (int64_t)atomic_load(&n_left);
    }
    return (int64_t)atomic_load(&n_kept);
}

bool ew_memory_is_kept(const void *block)
{
    if (!atomic_load_explicit(&n_kept, memory_order_relaxed)) {
        return false;
    }
    pthread_mutex_lock(&lock);
    const bool is_kept = n_place && find(block)->start;
    pthread_mutex_unlock(&lock);
    return is_kept;
}

bool ew_memory_is_left(const void *block)
{
    if (!atomic_load_explicit(&n_kept, memory_order_relaxed)) {
        return false;
    }
    pthread_mutex_lock(&lock);
    kept_block *kept = n_place ? find(block) : NULL;
    const bool is_left = kept && kept->start;
    if (is_left) {
        kept->is_left = true;
        atomic_fetch_add(&n_left, 1);
    }
    pthread_mutex_unlock(&lock);
    return is_left;
}
