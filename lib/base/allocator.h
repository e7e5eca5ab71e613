/* base, private: the allocator alone, by which ew_new, ew_grow and ew_release work. */
#ifndef EW_BASE_ALLOCATOR_H
#define EW_BASE_ALLOCATOR_H

#include <stddef.h>

/* Contracts of realloc and free. */
void *ew_memory_resize(void *old, size_t size);
void ew_memory_release(void *block);

#endif
