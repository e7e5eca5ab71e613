/* topology, private: what the files of this folder share. */
#ifndef EW_TOPOLOGY_INTERNAL_H
#define EW_TOPOLOGY_INTERNAL_H

#include "topology/parts/topology.h"

/* Local edge between two local vertices of a tet, -1 where they are one. (build.c) */
extern const int8_t ew_local_edge[4][4];

/* Whether a batch is so large a part of the mesh that rows are better edited whole than item
 * by item, and the update that does so. Its tables have room for the mesh's slots, its lists
 * of what it touched are empty. (update_bulk.c) */
bool ew_topology_is_bulk(const ew_mesh *mesh, const ew_change *change);
ew_status ew_topology_update_bulk(ew_topology *topology, const ew_mesh *mesh,
                                  const ew_change *change);

/* A batch under way, with marks over all slots. */
typedef struct ew_bulk {
    ew_topology *topology;
    const ew_mesh *mesh;
    const ew_change *change;
    ew_pattern_change *touched; /* = topology->touched */
    bool *lost;                 /* owned, by vertex: had tets, has none now */
    uint64_t *bit;              /* owned: the arrays below */
    uint64_t *tet_gone;         /* removed tets that a vertex stays of */
    uint64_t *tet_added;        /* a slot may be in both */
    uint64_t *vertex_touched;
    uint64_t *vertex_cut; /* loses edges, but not all its tets */
    uint64_t *edge_touched;
    uint64_t *edge_freed;
    int32_t n_vertex_word, n_tet_word, n_edge_word;
    ew_list work; /* owned: members of a bit array */
} ew_bulk;

/* Members of a bit array into bulk->work. */
static inline ew_status ew_bulk_list(ew_bulk *bulk, const uint64_t *bit, int32_t n_word)
{
    bulk->work.n = 0;
    return ew_list_push_bits(&bulk->work, bit, n_word);
}
/* Takes the added tets into the tables. (update_add.c) */
ew_status ew_bulk_add(ew_bulk *bulk);

#endif
