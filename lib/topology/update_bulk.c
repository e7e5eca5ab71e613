/* Updates the neighbor tables from a large batch. In and out: as update.c, which edits row
 * by row and item by item; here the batch is marked in bit arrays first and every row is
 * edited once.
 *
 * A vertex that has no tets left takes its edges with it, in O(1) per row: a batch that cuts
 * off part of a body looks closely only at the tets along the cut. As in update.c, removal
 * comes first and edges without tets are freed last. */
#include "topology/internal.h"

#include <string.h>

bool ew_topology_is_bulk(const ew_mesh *mesh, const ew_change *change)
{
    enum { LEAST = 32, SHARE = 128 };
    int64_t n = (int64_t)change->removed_tet.n + change->added_tet.n + change->moved_tet.n;
    return n >= LEAST && n >= mesh->n_tet / SHARE;
}

/* ---- marks ------------------------------------------------------------- */

static ew_status init(ew_bulk *bulk)
{
    enum { VERTEX = 2, TET = 2, EDGE = 2 };
    int64_t n_edge =
        (int64_t)bulk->topology->pattern.n_pair + 6 * (int64_t)bulk->change->added_tet.n;
    size_t vertex = (size_t)bulk->mesh->n_vertex / 64 + 1, tet = (size_t)bulk->mesh->n_tet / 64 + 1;
    size_t edge = (size_t)(n_edge < INT32_MAX ? n_edge : INT32_MAX) / 64 + 1;
    EW_TRY(ew_new_zero(&bulk->bit, VERTEX * vertex + TET * tet + EDGE * edge, sizeof *bulk->bit));
    bulk->n_vertex_word = (int32_t)vertex;
    bulk->n_tet_word = (int32_t)tet;
    bulk->n_edge_word = (int32_t)edge;
    EW_TRY(ew_new_zero(&bulk->lost, (size_t)bulk->mesh->n_vertex, sizeof *bulk->lost));
    bulk->tet_gone = bulk->bit;
    bulk->tet_added = bulk->tet_gone + tet;
    bulk->vertex_touched = bulk->tet_added + tet;
    bulk->vertex_cut = bulk->vertex_touched + vertex;
    bulk->edge_touched = bulk->vertex_cut + vertex;
    bulk->edge_freed = bulk->edge_touched + edge;
    return EW_OK;
}

static void mark(uint64_t *bit, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        ew_bit_set(bit, list->id[i]);
    }
}

/* Rows are reached by ids that may be anywhere, so they are asked for this many ids ahead. */
enum { AHEAD = 8 };

EW_PREFETCHER void prefetch_ahead(const ew_rows *rows, const ew_list *list, int32_t i)
{
    if (i + AHEAD < list->n) {
        EW_PREFETCH(rows->item + (size_t)rows->width * (size_t)rows->begin[list->id[i + AHEAD]]);
    }
}

/* ---- removal ----------------------------------------------------------- */

/* Marks the edges of a vertex without tets. One to a lower such vertex is marked by that. */
static void lose_vertex(ew_bulk *bulk, int32_t v)
{
    const ew_rows *rows = &bulk->topology->pattern.row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)rows->begin[v];
    for (int32_t i = 0; i < rows->count[v]; i++) {
        const int32_t other = item[2 * i], e = item[2 * i + 1];
        const bool lost = bulk->lost[other];
        ew_bit_set_if(bulk->edge_freed, e, !lost || other > v);
        ew_bit_set_if(bulk->vertex_cut, other, !lost);
    }
}

/* A vertex without tets takes its edges with it. */
static void lose_vertices(ew_bulk *bulk)
{
    const ew_list *lost = &bulk->change->emptied_vertex;
    ew_topology *topology = bulk->topology;
    for (int32_t i = 0; i < lost->n; i++) {
        bulk->lost[lost->id[i]] = true;
    }
    for (int32_t i = 0; i < lost->n; i++) {
        prefetch_ahead(&topology->pattern.row_to_pair, lost, i);
        lose_vertex(bulk, lost->id[i]);
        topology->pattern.n_lower[lost->id[i]] = 0;
    }
    ew_rows_clear(&topology->pattern.row_to_pair, lost->id, lost->n);
    ew_rows_clear(&topology->vertex_to_tet, lost->id, lost->n);
}

/* Marks a removed tet, and those of its vertices and edges that are not lost with it: if its
 * vertices all are, no row that stays has it. */
static void mark_removed(ew_bulk *bulk, int32_t t, const int32_t vertex[4], const int32_t edge[6])
{
    bool kept[4], any = false;
    for (int k = 0; k < 4; k++) {
        kept[k] = !bulk->lost[vertex[k]];
        any |= kept[k];
    }
    if (!any) {
        return;
    }
    ew_bit_set(bulk->tet_gone, t);
    for (int k = 0; k < 4; k++) {
        ew_bit_set_if(bulk->vertex_touched, vertex[k], kept[k]);
    }
    for (int k = 0; k < 6; k++) {
        ew_bit_set_if(bulk->edge_touched, edge[k],
                      kept[ew_edge_vertex[k][0]] & kept[ew_edge_vertex[k][1]]);
    }
}

static ew_status remove_tets(ew_bulk *bulk)
{
    const ew_change *change = bulk->change;
    ew_topology *topology = bulk->topology;
    lose_vertices(bulk);
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        const int32_t t = change->removed_tet.id[i];
        int32_t *edge = topology->tet_to_edge + 6 * (size_t)t;
        mark_removed(bulk, t, change->removed_tet_vertex + 4 * (size_t)i, edge);
        memset(edge, -1, 6 * sizeof *edge);
    }
    EW_TRY(ew_bulk_list(bulk, bulk->vertex_touched, bulk->n_vertex_word));
    for (int32_t i = 0; i < bulk->work.n; i++) {
        prefetch_ahead(&topology->vertex_to_tet, &bulk->work, i);
        ew_rows_filter(&topology->vertex_to_tet, bulk->work.id[i], bulk->tet_gone);
    }
    EW_TRY(ew_bulk_list(bulk, bulk->edge_touched, bulk->n_edge_word));
    for (int32_t i = 0; i < bulk->work.n; i++) {
        prefetch_ahead(&topology->edge_to_tet, &bulk->work, i);
        ew_rows_filter(&topology->edge_to_tet, bulk->work.id[i], bulk->tet_gone);
    }
    mark(bulk->vertex_touched, &change->emptied_vertex);
    return EW_OK;
}

/* ---- the stage --------------------------------------------------------- */

static void mark_moved(ew_bulk *bulk)
{
    const ew_list *moved = &bulk->change->moved_tet;
    for (int32_t i = 0; i < moved->n; i++) {
        const int32_t *vertex = bulk->mesh->tet + 4 * (size_t)moved->id[i];
        const int32_t *edge = bulk->topology->tet_to_edge + 6 * (size_t)moved->id[i];
        for (int k = 0; k < 4; k++) {
            ew_bit_set(bulk->vertex_touched, vertex[k]);
        }
        for (int k = 0; k < 6; k++) {
            ew_bit_set(bulk->edge_touched, edge[k]);
        }
    }
}

/* Sorts out the touched edges that have no tet left. */
static ew_status list_touched(ew_bulk *bulk)
{
    ew_topology *topology = bulk->topology;
    ew_list *touched = &bulk->touched->touched_pair;
    EW_TRY(ew_list_push_bits(touched, bulk->edge_touched, bulk->n_edge_word));
    int32_t kept = 0;
    for (int32_t i = 0; i < touched->n; i++) {
        int32_t e = touched->id[i];
        const int32_t *end = topology->pattern.pair_row + 2 * (size_t)e;
        if (topology->edge_to_tet.count[e]) {
            touched->id[kept++] = e;
        } else {
            ew_bit_set(bulk->edge_freed, e);
            ew_bit_set(bulk->vertex_cut, end[0]);
            ew_bit_set(bulk->vertex_cut, end[1]);
        }
    }
    touched->n = kept;
    return EW_OK;
}

static void count_lower(ew_pattern *pattern, int32_t row)
{
    const ew_rows *rows = &pattern->row_to_pair;
    const int32_t *item = rows->item + 2 * (size_t)(rows->count[row] ? rows->begin[row] : 0);
    int32_t n = 0;
    for (int32_t i = 0; i < rows->count[row]; i++) {
        n += item[2 * (size_t)i] < row;
    }
    pattern->n_lower[row] = n;
}

/* Takes the freed edges out of the tables, in ascending order for the sake of the cache. The
 * lowest is the first to be reused, so that later edges lie as these did. */
static ew_status free_edges(ew_bulk *bulk)
{
    ew_topology *topology = bulk->topology;
    ew_list *freed = &bulk->touched->freed_pair, *hole = &topology->pattern.pair_hole;
    EW_TRY(ew_list_push_bits(freed, bulk->edge_freed, bulk->n_edge_word));
    EW_TRY(ew_grow(&hole->id, &hole->capacity, (int64_t)hole->n + freed->n, sizeof *hole->id));
    for (int32_t i = 0; i < freed->n; i++) {
        int32_t *end = topology->pattern.pair_row + 2 * (size_t)freed->id[i];
        end[0] = end[1] = -1;
        hole->id[hole->n + freed->n - 1 - i] = freed->id[i];
    }
    ew_rows_clear(&topology->edge_to_tet, freed->id, freed->n);
    hole->n += freed->n;
    topology->pattern.n_live_pair -= freed->n;
    EW_TRY(ew_bulk_list(bulk, bulk->vertex_cut, bulk->n_vertex_word));
    for (int32_t i = 0; i < bulk->work.n; i++) {
        ew_rows_filter(&topology->pattern.row_to_pair, bulk->work.id[i], bulk->edge_freed);
        count_lower(&topology->pattern, bulk->work.id[i]);
    }
    return EW_OK;
}

static ew_status update(ew_bulk *bulk)
{
    const ew_change *change = bulk->change;
    EW_TRY(init(bulk));
    EW_TRY(remove_tets(bulk));
    if (change->added_tet.n) {
        mark(bulk->tet_added, &change->added_tet);
        EW_TRY(ew_bulk_add(bulk));
    }
    mark_moved(bulk);
    EW_TRY(list_touched(bulk));
    EW_TRY(free_edges(bulk));
    ew_list_sort(&bulk->touched->created_pair);
    return ew_list_push_bits(&bulk->touched->touched_row, bulk->vertex_touched,
                             bulk->n_vertex_word);
}

ew_status ew_topology_update_bulk(ew_topology *topology, const ew_mesh *mesh,
                                  const ew_change *change)
{
    ew_bulk bulk = {
        .topology = topology, .mesh = mesh, .change = change, .touched = &topology->touched};
    ew_status status = update(&bulk);
    ew_release(bulk.lost);
    ew_release(bulk.bit);
    ew_list_free(&bulk.work);
    return status;
}
