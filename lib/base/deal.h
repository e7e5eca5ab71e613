/* base, private: items of a loop for the threads of a team. Each takes those of its own part in
 * their order, the same from loop to loop, so that they are in its cache still; and then what
 * others have left of theirs: one that another program holds up is not waited for. Reference:
 * Markatos & LeBlanc 1994, "Using processor affinity in loop scheduling on shared-memory
 * multiprocessors". */
#ifndef EW_BASE_DEAL_H
#define EW_BASE_DEAL_H

#include <stdbool.h>
#include <stdint.h>

enum { EW_DEAL_PARTS = 32 };

/* Zeroed: none is taken yet. */
typedef struct ew_deal {
    struct {
        int32_t n_taken; /* in a line of the cache of its own */
        int32_t unused[31];
    } part[EW_DEAL_PARTS];
} ew_deal;

/* What a thread of the team goes by. */
typedef struct ew_deal_hand {
    ew_deal *deal;
    int32_t n, n_part, part, n_done;
} ew_deal_hand;

/* For one loop over n items, in a team, whose threads all meet after it. */
ew_deal_hand ew_deal_begin(ew_deal *deal, int32_t n);
/* False: all were taken. */
bool ew_deal_next(ew_deal_hand *hand, int32_t *item);
/* All threads of the team are through with the loop. It may be dealt again after their next
 * barrier.
 */
void ew_deal_meet(ew_deal *deal);

#endif
