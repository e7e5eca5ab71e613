/* base, private: blocks of memory that somebody beside their owner holds. */
#ifndef EW_BASE_HOLD_H
#define EW_BASE_HOLD_H

#include <stdbool.h>

/* Whether a block of the library is kept. While none is this is one comparison. */
bool ew_memory_is_kept(const void *block);
/* Its owner is done with it. True: it is kept and left to its holders, the last of whom releases
 * it. */
bool ew_memory_is_left(const void *block);

#endif
