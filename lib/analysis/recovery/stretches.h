/* stretches: private to recovery and checks. Loops over vertices or tets that processes share: each
 * computes a stretch of them, then all get the results of all. What is null is no other process. */
#ifndef EW_ANALYSIS_STRETCHES_H
#define EW_ANALYSIS_STRETCHES_H

#include "analysis/parts/analysis_peers.h"

#include <string.h>

typedef struct ew_stretch {
    int32_t begin, end;
} ew_stretch;

/* Of n items, those of this process. */
static inline ew_stretch ew_stretch_of(const ew_peers *peers, int32_t n)
{
    return peers ? (ew_stretch){(int32_t)((int64_t)n * peers->rank / peers->n),
                                (int32_t)((int64_t)n * (peers->rank + 1) / peers->n)}
                 : (ew_stretch){0, n};
}

/* `width` numbers for each value of n items, of which those of item i begin at of[i]; null: at i.
 * Each process has those of its stretch, and gets the others. */
static inline ew_status ew_stretch_share(ew_peers *peers, int32_t n, const int32_t *of,
                                         size_t width, void *value)
{
    if (!peers) {
        return EW_OK;
    }
    const ew_stretch own = ew_stretch_of(peers, n);
    const size_t begin = width * (size_t)(of ? of[own.begin] : own.begin);
    const size_t end = width * (size_t)(of ? of[own.end] : own.end);
    const size_t all = width * (size_t)(of ? of[n] : n);
    double *number = value;
    memset(number, 0, begin * sizeof *number);
    memset(number + end, 0, (all - end) * sizeof *number);
    peers->join(peers->user, (int64_t)all, number);
    return peers->status(peers->user);
}

/* What stands by tet, or by vertex and patch, by each process in its stretch. (share_fields.c) */
ew_status ew_fields_share_tets(ew_peers *peers, const ew_fields *fields, bool with_corners);
ew_status ew_fields_share_vertices(ew_peers *peers, const ew_fields *fields);

#endif
