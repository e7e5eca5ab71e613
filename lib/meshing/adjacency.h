/* adjacency: private to meshing. A graph without holes, in the compressed form that
 * orderings and partitions walk: the neighbours of node i are
 * neighbour[begin[i]] .. neighbour[begin[i + 1] - 1], ascending. */
#ifndef EW_MESHING_ADJACENCY_H
#define EW_MESHING_ADJACENCY_H

#include "topology/topology.h"

typedef struct ew_adjacency {
    int32_t n;          /* nodes */
    int32_t *begin;     /* [n + 1] owned */
    int32_t *neighbour; /* [begin[n]] owned */
    int32_t *row;       /* [n] owned: the graph's row, or null when nodes are parts */
} ew_adjacency;

/* The rows that have edges, in ascending order. */
ew_status ew_adjacency_of_rows(ew_adjacency *adjacency, const ew_graph *graph);

/* Parts that share an edge: node p is part p, part[i] in [0, n_part) for each node i. */
ew_status ew_adjacency_of_parts(ew_adjacency *parts, const ew_adjacency *adjacency, int32_t n_part,
                                const int32_t *part);
void ew_adjacency_free(ew_adjacency *adjacency);

/* members[begin[p]] .. are the nodes of part p, ascending; begin is the caller's
 * [n_part + 1], members [n]. */
void ew_list_members(int32_t n, int32_t n_part, const int32_t *part, int32_t *begin,
                     int32_t *members);

/* Parts of about equal size with few edges between them, by METIS: the caller's part[n],
 * 1 < n_part <= n. EW_UNSUPPORTED without METIS. */
ew_status ew_adjacency_partition(const ew_adjacency *adjacency, int32_t n_part, int32_t *part);

#endif
