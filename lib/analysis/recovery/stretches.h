/* stretches: private to recovery and checks. Loops over vertices or tets that processes share: each
 * computes a stretch of them, then all get the results of all. What stands by tet stays with the
 * process whose stretch the tet is in until somebody needs all (ew_fields_complete). What is null
 * is no other process. */
#ifndef EW_ANALYSIS_STRETCHES_H
#define EW_ANALYSIS_STRETCHES_H

#include "analysis/parts/analysis_peers.h"
#include "analysis/recovery/sum_chunks.h"

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

/* The same of n tets, in whole chunks of sums. */
static inline ew_stretch ew_stretch_of_tets(const ew_peers *peers, int32_t n)
{
    const ew_stretch chunk = ew_stretch_of(peers, ew_sum_chunk_count(n));
    const int32_t begin = chunk.begin * EW_SUM_CHUNK;
    return (ew_stretch){begin < n ? begin : n, chunk.end ? ew_sum_chunk_end(chunk.end - 1, n) : 0};
}

/* `width` numbers for each value of n items, of which those of item i begin at of[i]; null: at i.
 * Each process has those of its stretch, and gets the others. */
static inline ew_status ew_stretch_join(ew_peers *peers, ew_stretch own, int32_t n,
                                        const int32_t *of, size_t width, void *value)
{
    if (!peers) {
        return EW_OK;
    }
    const size_t begin = width * (size_t)(of ? of[own.begin] : own.begin);
    const size_t end = width * (size_t)(of ? of[own.end] : own.end);
    const size_t all = width * (size_t)(of ? of[n] : n);
    double *number = value;
    memset(number, 0, begin * sizeof *number);
    memset(number + end, 0, (all - end) * sizeof *number);
    peers->join(peers->user, (int64_t)all, number);
    return peers->status(peers->user);
}
static inline ew_status ew_stretch_share(ew_peers *peers, int32_t n, const int32_t *of,
                                         size_t width, void *value)
{
    return ew_stretch_join(peers, ew_stretch_of(peers, n), n, of, width, value);
}

/* The bits of the vertices of a stretch and of those around. `bit`: owned by the caller.
 * (share_fields.c) */
ew_status ew_stretch_mark_around(const ew_topology *topology, ew_stretch own, uint64_t **bit);
/* Tets whose values a process needs: its own, and those around its vertices and their neighbors, of
 * which averages and patches have some: computed again they cost less than messages. */
ew_status ew_fields_list_needed(const ew_peers *peers, const ew_mesh *mesh,
                                const ew_topology *topology, ew_list *tet);
/* Of arrays by tet, before a process fills a part. */
void ew_fields_use_small_pages(ew_fields *fields);
/* What stands by vertex and patch, by each process in its stretch. */
ew_status ew_fields_share_vertices(ew_peers *peers, const ew_fields *fields);

#endif
