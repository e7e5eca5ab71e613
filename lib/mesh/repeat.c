/* Finds tets, or faces of tets, that occur too often. In: tets. Out: the first offenders.
 * Vertex sets are dealt into buckets by their least vertex and sorted within a bucket. */
#include "mesh/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct entry {
    int32_t rest[3]; /* the set's other vertices, ascending; for a face the last tells the
                        side, 0 or 1, or is -1 */
    int32_t tet;
} entry;

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    for (int i = 0; i < 3; i++) {
        if (a->rest[i] != b->rest[i]) {
            return a->rest[i] < b->rest[i] ? -1 : 1;
        }
    }
    return a->tet < b->tet ? -1 : a->tet > b->tet;
}

/* Buckets are short (a vertex' tets), where insertion beats qsort's calls. */
static void sort_entries(entry *e, size_t n)
{
    if (n > 48) {
        qsort(e, n, sizeof *e, compare_entries);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        entry moving = e[i];
        size_t k = i;
        for (; k > 0 && compare_entries(&moving, &e[k - 1]) < 0; k--) {
            e[k] = e[k - 1];
        }
        e[k] = moving;
    }
}

/* The tet's vertices without local vertex `skip` (4: none), ascending; returns how many. */
static int sorted_vertices(const int32_t *tet, int skip, int32_t sorted[4])
{
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (i == skip) {
            continue;
        }
        int k = n++;
        for (; k > 0 && sorted[k - 1] > tet[i]; k--) {
            sorted[k] = sorted[k - 1];
        }
        sorted[k] = tet[i];
    }
    return n;
}

static int32_t lowest_vertex(const int32_t *tet)
{
    const int32_t a = tet[0] < tet[1] ? tet[0] : tet[1], b = tet[2] < tet[3] ? tet[2] : tet[3];
    return a < b ? a : b;
}

/* Deals the sets into buckets: bucket v is entry[begin[v]] .. entry[begin[v + 1] - 1]. */
static void sort_into_buckets(int32_t n_vertex, int32_t n_tet, const int32_t *tet, ew_repeat what,
                              int64_t *begin, entry *entries)
{
    int first_skip = what == EW_REPEAT_TET ? 4 : 0, last_skip = what == EW_REPEAT_TET ? 4 : 3;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t t = 0; t < n_tet; t++) {
            if (tet[4 * (size_t)t] < 0) {
                continue;
            }
            if (pass == 0 && what == EW_REPEAT_TET) {
                begin[lowest_vertex(tet + 4 * (size_t)t) + 1]++;
                continue;
            }
            for (int skip = first_skip; skip <= last_skip; skip++) {
                int32_t v[4] = {-1, -1, -1, -1};
                sorted_vertices(tet + 4 * (size_t)t, skip, v);
                if (what == EW_REPEAT_SIDE) {
                    v[3] = ew_face_side(tet + 4 * (size_t)t, skip);
                }
                if (pass == 0) {
                    begin[v[0] + 1]++;
                } else {
                    entries[begin[v[0]]++] = (entry){{v[1], v[2], v[3]}, t};
                }
            }
        }
        if (pass == 0) {
            for (int32_t v = 0; v < n_vertex; v++) {
                begin[v + 1] += begin[v];
            }
        }
    }
    /* Filling moved every begin to its end, which is the next one's begin. */
    memmove(begin + 1, begin, (size_t)n_vertex * sizeof *begin);
    begin[0] = 0;
}

ew_status ew_tets_repeat(int32_t n_vertex, int32_t n_tet, const int32_t *tet, ew_repeat what,
                         bool *found, int32_t first[3])
{
    int64_t *begin = NULL;
    entry *entries = NULL;
    ew_status status;

    *found = false;
    int max = what == EW_REPEAT_FACE ? 2 : 1;
    size_t n_entry = (size_t)n_tet * (what == EW_REPEAT_TET ? 1 : 4);
    EW_TRY_OUT(ew_new_zero(&begin, (size_t)n_vertex + 1, sizeof *begin));
    EW_TRY_OUT(ew_new(&entries, n_entry, sizeof *entries));
    sort_into_buckets(n_vertex, n_tet, tet, what, begin, entries);
    for (int32_t v = 0; v < n_vertex && !*found; v++) {
        entry *e = entries + begin[v];
        int64_t n = begin[v + 1] - begin[v];
        sort_entries(e, (size_t)n);
        for (int64_t i = max; i < n && !*found; i++) {
            *found = memcmp(e[i].rest, e[i - max].rest, sizeof e[i].rest) == 0;
            for (int k = 0; *found && k <= max; k++) {
                first[k] = e[i - max + k].tet;
            }
        }
    }
out:
    ew_release(entries);
    ew_release(begin);
    return status;
}
