/* adjacency: private to meshing. A graph without holes, in the compressed form that
 * orderings and partitions read: the neighbors of node i are
 * neighbor[begin[i]] .. neighbor[begin[i + 1] - 1], ascending. */
#ifndef EW_MESHING_ADJACENCY_H
#define EW_MESHING_ADJACENCY_H

#include "topology/parts/topology.h"

typedef struct ew_adjacency {
    int32_t n;         /* nodes */
    int32_t *begin;    /* [n + 1] owned */
    int32_t *neighbor; /* [begin[n]] owned */
    int32_t *row;      /* [n] owned: the graph's row of each node */
} ew_adjacency;

/* The rows that have edges, in ascending order. */
ew_status ew_adjacency_of_rows(ew_adjacency *adjacency, const ew_pattern *pattern);

void ew_adjacency_free(ew_adjacency *adjacency);

/* Parts of about equal weight with few edges between them, by METIS: the caller's part[n],
 * 1 < n_part <= n. node_weight [n], neighbor_weight [begin[n]]: null: 1 each. EW_UNSUPPORTED without
 * METIS. */
ew_status ew_adjacency_partition(const ew_adjacency *adjacency, const int32_t *node_weight,
                                 const int32_t *neighbor_weight, int32_t n_part, int32_t *part);

#endif
