/* Brings the neighbor tables up to date. In: the mesh after a commit and the change it
 * wrote. Out: the tables, and the change's list of edges and vertices whose blocks must
 * be recomputed. O(touched), and no allocation once the tables have room.
 *
 * Removed tets leave the tables before added ones enter, and edges without tets are freed
 * last, so an edge that a batch takes apart and puts together again keeps its slot. */
#include "topology/internal.h"

/* Makes room for the mesh's slots; new rows are empty. */
static ew_status extend(ew_topology *topology, const ew_mesh *mesh)
{
    EW_TRY(ew_rows_extend(&topology->vertex_to_tet, mesh->n_vertex));
    EW_TRY(ew_pattern_extend(&topology->pattern, mesh->n_vertex));
    EW_TRY(
        ew_grow(&topology->tet_to_edge, &topology->tet_capacity, mesh->n_tet, 6 * sizeof(int32_t)));
    for (size_t i = 6 * (size_t)topology->n_tet; i < 6 * (size_t)mesh->n_tet; i++) {
        topology->tet_to_edge[i] = -1;
    }
    topology->n_tet = mesh->n_tet;
    return EW_OK;
}

/* In a large mesh nothing about a tet is in the cache. So where its rows lie is asked for at
 * once, and then the rows: misses that overlap instead of following one another. */
EW_PREFETCHER void prefetch_ends(const ew_rows *rows, const int32_t *row, int n)
{
    for (int k = 0; k < n; k++) {
        EW_PREFETCH(rows->begin + row[k]);
        EW_PREFETCH(rows->count + row[k]);
    }
}

EW_PREFETCHER void prefetch_rows(const ew_rows *rows, const int32_t *row, int n)
{
    enum { LINE = 16 }; /* int32_t in a line of the cache */
    for (int k = 0; k < n; k++) {
        const size_t first = (size_t)rows->width * (size_t)rows->begin[row[k]];
        for (int32_t i = 0; i < rows->width * rows->count[row[k]]; i += LINE) {
            EW_PREFETCH(rows->item + first + i);
        }
    }
}

static ew_status remove_tet(ew_topology *topology, int32_t t, const int32_t vertex[4],
                            ew_set *edges)
{
    int32_t *edge = topology->tet_to_edge + 6 * (size_t)t;
    prefetch_ends(&topology->vertex_to_tet, vertex, 4);
    prefetch_ends(&topology->edge_to_tet, edge, 6);
    prefetch_rows(&topology->vertex_to_tet, vertex, 4);
    prefetch_rows(&topology->edge_to_tet, edge, 6);
    for (int k = 0; k < 4; k++) {
        ew_rows_remove(&topology->vertex_to_tet, vertex[k], t);
    }
    for (int k = 0; k < 6; k++) {
        ew_rows_remove(&topology->edge_to_tet, edge[k], t);
        EW_TRY(ew_set_add(edges, edge[k]));
        edge[k] = -1;
    }
    return EW_OK;
}

static ew_status create_edge(ew_topology *topology, int32_t a, int32_t b, int32_t *edge)
{
    EW_TRY(ew_pattern_add_pair(&topology->pattern, a, b, edge));
    return ew_rows_extend(&topology->edge_to_tet, topology->pattern.n_pair);
}

/* The six edges of a tet, created where there is none. */
static ew_status find_edges(ew_topology *topology, const int32_t vertex[4], ew_list *created_edge,
                            int32_t edge[6])
{
    const ew_rows *rows = &topology->pattern.row_to_pair;
    prefetch_ends(rows, vertex, 4);
    prefetch_ends(&topology->vertex_to_tet, vertex, 4);
    prefetch_rows(rows, vertex, 4);
    for (int k = 0; k < 6; k++) {
        int32_t p = vertex[ew_edge_vertex[k][0]], q = vertex[ew_edge_vertex[k][1]];
        int32_t a = p < q ? p : q, b = p < q ? q : p;
        edge[k] = ew_pattern_pair_between(&topology->pattern, a, b);
        if (edge[k] < 0) {
            EW_TRY(create_edge(topology, a, b, &edge[k]));
            EW_TRY(ew_list_push(created_edge, edge[k]));
        }
    }
    return EW_OK;
}

static ew_status add_tet(ew_topology *topology, const ew_mesh *mesh, int32_t t,
                         ew_list *created_edge, ew_set *edges)
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)t;
    int32_t *edge = topology->tet_to_edge + 6 * (size_t)t;
    EW_TRY(find_edges(topology, vertex, created_edge, edge));
    prefetch_ends(&topology->edge_to_tet, edge, 6);
    prefetch_rows(&topology->vertex_to_tet, vertex, 4);
    prefetch_rows(&topology->edge_to_tet, edge, 6);
    for (int k = 0; k < 4; k++) {
        EW_TRY(ew_rows_insert(&topology->vertex_to_tet, vertex[k], &t));
    }
    for (int k = 0; k < 6; k++) {
        EW_TRY(ew_rows_insert(&topology->edge_to_tet, edge[k], &t));
        EW_TRY(ew_set_add(edges, edge[k]));
    }
    return EW_OK;
}

/* Takes the batch into the tables and collects its edges in the scratch set. */
static ew_status update_tets(ew_topology *topology, const ew_mesh *mesh, const ew_change *change)
{
    ew_set *edges = &topology->touched.scratch;
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        EW_TRY(remove_tet(topology, change->removed_tet.id[i],
                          change->removed_tet_vertex + 4 * (size_t)i, edges));
    }
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        EW_TRY(add_tet(topology, mesh, change->added_tet.id[i], &topology->touched.created_pair,
                       edges));
    }
    for (int32_t i = 0; i < change->moved_tet.n; i++) {
        const int32_t *edge = topology->tet_to_edge + 6 * (size_t)change->moved_tet.id[i];
        for (int k = 0; k < 6; k++) {
            EW_TRY(ew_set_add(edges, edge[k]));
        }
    }
    return EW_OK;
}

/* Frees the collected edges that have no tet left; the others must be recomputed. */
static ew_status sort_out_edges(ew_topology *topology)
{
    ew_pattern_change *touched = &topology->touched;
    for (int32_t i = 0; i < touched->scratch.list.n; i++) {
        int32_t e = touched->scratch.list.id[i];
        if (topology->edge_to_tet.count[e]) {
            EW_TRY(ew_list_push(&touched->touched_pair, e));
        } else {
            EW_TRY(ew_pattern_remove_pair(&topology->pattern, e));
            EW_TRY(ew_list_push(&touched->freed_pair, e));
        }
    }
    ew_set_clear(&touched->scratch);
    ew_list_sort(&touched->created_pair);
    ew_list_sort(&touched->freed_pair);
    ew_list_sort(&touched->touched_pair);
    return EW_OK;
}

static ew_status collect_vertices(const int32_t vertex[4], ew_pattern_change *touched)
{
    for (int k = 0; k < 4; k++) {
        if (!ew_set_has(&touched->scratch, vertex[k])) {
            EW_TRY(ew_set_add(&touched->scratch, vertex[k]));
            EW_TRY(ew_list_push(&touched->touched_row, vertex[k]));
        }
    }
    return EW_OK;
}

/* Emptied vertices are among those of the removed tets. */
static ew_status find_touched_vertices(const ew_mesh *mesh, const ew_change *change,
                                       ew_pattern_change *touched)
{
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        EW_TRY(collect_vertices(change->removed_tet_vertex + 4 * (size_t)i, touched));
    }
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        EW_TRY(collect_vertices(mesh->tet + 4 * (size_t)change->added_tet.id[i], touched));
    }
    for (int32_t i = 0; i < change->moved_tet.n; i++) {
        EW_TRY(collect_vertices(mesh->tet + 4 * (size_t)change->moved_tet.id[i], touched));
    }
    ew_set_clear(&touched->scratch);
    ew_list_sort(&touched->touched_row);
    return EW_OK;
}

/* Added tets lie in queue order, moved ones ascend; no tet is both. */
static ew_status list_changed_tets(const ew_change *change, ew_list *changed)
{
    const int64_t n = (int64_t)change->added_tet.n + change->moved_tet.n;
    EW_TRY(ew_grow(&changed->id, &changed->capacity, n, sizeof *changed->id));
    changed->n = 0;
    for (int32_t i = 0; i < change->moved_tet.n; i++) {
        changed->id[changed->n++] = change->moved_tet.id[i];
    }
    for (int32_t i = 0; i < change->added_tet.n; i++) {
        changed->id[changed->n++] = change->added_tet.id[i];
    }
    if (change->added_tet.n) {
        ew_list_sort(changed);
    }
    return EW_OK;
}

static void begin_touched(ew_pattern_change *touched, const ew_change *change)
{
    touched->from_revision = change->from_revision;
    touched->to_revision = 0;
    touched->created_pair.n = touched->freed_pair.n = touched->touched_pair.n = 0;
    touched->touched_row.n = touched->changed_item.n = 0;
    ew_set_clear(&touched->scratch);
}

static ew_status check_revisions(const ew_topology *topology, const ew_mesh *mesh,
                                 const ew_change *change)
{
    if (topology->pattern.revision != change->from_revision ||
        mesh->revision != change->to_revision) {
        return ew_fail(EW_STALE,
                       "the change leads from mesh revision %llu to %llu, but the tables are at "
                       "%llu and the mesh is at %llu; rebuild the tables",
                       (unsigned long long)change->from_revision,
                       (unsigned long long)change->to_revision,
                       (unsigned long long)topology->pattern.revision,
                       (unsigned long long)mesh->revision);
    }
    return EW_OK;
}

ew_status ew_topology_update(ew_topology *topology, const ew_mesh *mesh, const ew_change *change)
{
    ew_pattern_change *touched = &topology->touched;
    EW_TRY(check_revisions(topology, mesh, change));
    begin_touched(touched, change);
    topology->pattern.revision = 0;
    EW_TRY(extend(topology, mesh));
    EW_TRY(list_changed_tets(change, &touched->changed_item));
    if (ew_topology_is_bulk(mesh, change)) {
        EW_TRY(ew_topology_update_bulk(topology, mesh, change));
    } else {
        EW_TRY(update_tets(topology, mesh, change));
        EW_TRY(sort_out_edges(topology));
        EW_TRY(find_touched_vertices(mesh, change, touched));
    }
    topology->pattern.revision = touched->to_revision = mesh->revision;
#ifdef EW_VALIDATE
    ew_status status = ew_topology_check(topology, mesh);
    topology->pattern.revision = touched->to_revision = status ? 0 : mesh->revision;
    return status;
#else
    return EW_OK;
#endif
}

ew_status ew_topology_pass(ew_topology *topology, const ew_mesh *mesh, const ew_change *change)
{
    EW_TRY(check_revisions(topology, mesh, change));
    if (change->removed_tet.n || change->added_tet.n || change->added_vertex.n ||
        change->removed_vertex.n) {
        return ew_fail(EW_BAD_ARGUMENT, "tables: the change did more than to move vertices; update "
                                        "them from it");
    }
    begin_touched(&topology->touched, change);
    topology->pattern.revision = mesh->revision;
    return EW_OK;
}
