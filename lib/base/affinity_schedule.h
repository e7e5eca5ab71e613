/* base, private: a loop schedule with processor affinity. The items of a loop are divided into one
 * part a thread. A thread takes the items of its own part first, the same ones in every loop, so
 * that their data is still in its cache, and then items that other threads have not taken yet: no
 * thread waits for one that another program delays. Reference: Markatos & LeBlanc 1994, "Using
 * processor affinity in loop scheduling on shared-memory multiprocessors". */
#ifndef EW_BASE_AFFINITY_SCHEDULE_H
#define EW_BASE_AFFINITY_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { EW_SCHEDULE_PARTS = 32 };

/* A zeroed schedule is ready for the first loop. */
typedef struct ew_schedule {
    struct {
        int32_t n_taken; /* on a cache line of its own */
        int32_t unused[31];
    } part[EW_SCHEDULE_PARTS];
} ew_schedule;

/* The position of one thread in the schedule. */
typedef struct ew_schedule_cursor {
    ew_schedule *schedule;
    int32_t n, n_part, part, n_done;
} ew_schedule_cursor;

/* Starts one loop over n items; every thread of the team calls it, and ew_schedule_meet after the
 * loop. */
ew_schedule_cursor ew_schedule_begin(ew_schedule *schedule, int32_t n);
/* The next item of the calling thread; false when all items have been taken. */
bool ew_schedule_next(ew_schedule_cursor *cursor, int32_t *item);
/* Ends the loop on the calling thread. The schedule may be used again after the next barrier of
 * the team. */
void ew_schedule_meet(ew_schedule *schedule);

#endif
