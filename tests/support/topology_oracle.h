/* The oracle of table updates: after any edits the tables equal tables built again, and the
 * change lists all that must be recomputed. */
#ifndef EW_TOPOLOGY_ORACLE_H
#define EW_TOPOLOGY_ORACLE_H

#include "topology_fixtures.h"

/* The updated tables against fresh ones, edge by (a, b), since numbers may differ. */
static inline bool tables_agree(const ew_topology *updated, const ew_mesh *mesh)
{
    ew_topology fresh;
    if (ew_topology_check(updated, mesh) || ew_topology_build(&fresh, mesh)) {
        return false;
    }
    const ew_rows *rows = &fresh.vertex_to_tet;
    bool same =
        updated->pattern.n_live_pair == fresh.pattern.n_live_pair && updated->n_tet == fresh.n_tet;
    for (int32_t v = 0; same && v < rows->n_row; v++) {
        same = row_is(&updated->vertex_to_tet, v, rows->count[v], rows->item + rows->begin[v]);
    }
    rows = &fresh.edge_to_tet;
    for (int32_t e = 0; same && e < fresh.pattern.n_pair; e++) {
        const int32_t *end = fresh.pattern.pair_row + 2 * (size_t)e;
        int32_t own = ew_pattern_pair_between(&updated->pattern, end[0], end[1]);
        same = own >= 0 && own == ew_pattern_pair_between(&updated->pattern, end[1], end[0]) &&
               row_is(&updated->edge_to_tet, own, rows->count[e], rows->item + rows->begin[e]);
        for (int32_t i = 0; same && i < rows->count[e]; i++) {
            size_t t = (size_t)rows->item[rows->begin[e] + i];
            for (size_t k = 6 * t; same && k < 6 * t + 6; k++) {
                same = (fresh.tet_to_edge[k] == e) == (updated->tet_to_edge[k] == own);
            }
        }
    }
    ew_topology_free(&fresh);
    return same;
}

/* A stand-in for matrix blocks: a number per edge and per vertex that depends on its tets
 * and on where their vertices are. What an update does not list as touched must still
 * have the number it had. */
typedef struct blocks {
    int32_t *edge, *vertex, edge_capacity, vertex_capacity, n_edge, n_vertex;
} blocks;

static inline int32_t gather_block(const ew_rows *rows, int32_t row, const ew_mesh *mesh)
{
    uint64_t sum = 0;
    for (int32_t i = 0; i < rows->count[row]; i++) {
        const int32_t *vertex = mesh->tet + 4 * (size_t)rows->item[rows->begin[row] + i];
        for (int k = 0; k < 4; k++) {
            uint64_t bits[3];
            memcpy(bits, mesh->xyz + 3 * (size_t)vertex[k], sizeof bits);
            sum = sum * 31 + (uint64_t)vertex[k] + 1 + bits[0] * 3 + bits[1] * 5 + bits[2] * 7;
            sum ^= sum >> 29;
        }
    }
    return (int32_t)(sum >> 33);
}

static inline void revalidate(blocks *b, const ew_topology *topology, const ew_mesh *mesh,
                              const ew_pattern_change *change)
{
    CU_ASSERT_EQUAL_FATAL(
        ew_grow(&b->edge, &b->edge_capacity, topology->pattern.n_pair, sizeof *b->edge), EW_OK);
    CU_ASSERT_EQUAL_FATAL(
        ew_grow(&b->vertex, &b->vertex_capacity, mesh->n_vertex, sizeof *b->vertex), EW_OK);
    for (; b->n_edge < topology->pattern.n_pair; b->n_edge++) {
        b->edge[b->n_edge] = 0;
    }
    for (; b->n_vertex < mesh->n_vertex; b->n_vertex++) {
        b->vertex[b->n_vertex] = 0;
    }
    for (int32_t i = 0; i < change->freed_pair.n; i++) {
        b->edge[change->freed_pair.id[i]] = 0;
    }
    for (int32_t i = 0; i < change->touched_pair.n; i++) {
        int32_t e = change->touched_pair.id[i];
        b->edge[e] = gather_block(&topology->edge_to_tet, e, mesh);
    }
    for (int32_t i = 0; i < change->touched_row.n; i++) {
        int32_t v = change->touched_row.id[i];
        b->vertex[v] = gather_block(&topology->vertex_to_tet, v, mesh);
    }
}

static inline bool blocks_are_current(const blocks *b, const ew_topology *topology,
                                      const ew_mesh *mesh)
{
    bool current = true;
    for (int32_t e = 0; e < topology->pattern.n_pair; e++) {
        current = current && b->edge[e] == gather_block(&topology->edge_to_tet, e, mesh);
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        current = current && b->vertex[v] == gather_block(&topology->vertex_to_tet, v, mesh);
    }
    return current;
}

static inline bool is_ascending(const ew_list *list)
{
    for (int32_t i = 1; i < list->n; i++) {
        if (list->id[i] <= list->id[i - 1]) {
            return false;
        }
    }
    return true;
}

/* The created and freed edges explain the number of live ones; created ones are touched. */
static inline bool change_is_sound(const ew_pattern_change *change, const ew_topology *topology,
                                   int32_t n_before)
{
    bool sound =
        is_ascending(&change->created_pair) && is_ascending(&change->freed_pair) &&
        is_ascending(&change->touched_pair) && is_ascending(&change->touched_row) &&
        topology->pattern.n_live_pair == n_before + change->created_pair.n - change->freed_pair.n;
    int32_t at = 0;
    for (int32_t i = 0; sound && i < change->created_pair.n; i++) {
        while (at < change->touched_pair.n &&
               change->touched_pair.id[at] < change->created_pair.id[i]) {
            at++;
        }
        sound = at < change->touched_pair.n &&
                change->touched_pair.id[at] == change->created_pair.id[i];
    }
    return sound;
}

static inline void free_blocks(blocks *b)
{
    ew_release(b->edge);
    ew_release(b->vertex);
}

/* Numbers for the whole mesh, by a change that touches all of it. */
static inline void revalidate_all(blocks *b, const ew_topology *topology, const ew_mesh *mesh,
                                  ew_pattern_change *change)
{
    for (int32_t e = 0; e < topology->pattern.n_pair; e++) {
        CU_ASSERT_EQUAL(ew_list_push(&change->touched_pair, e), EW_OK);
    }
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        CU_ASSERT_EQUAL(ew_list_push(&change->touched_row, v), EW_OK);
    }
    revalidate(b, topology, mesh, change);
}

#endif
