/* Revalidation: a change in, the blocks it names recomputed from current positions, all others left
 * alone. A few blocks are gathered one by one, each from its tets in ascending order; many are
 * computed by the walk of build.c over their tets alone, nearly all by the walk over all tets. All
 * three add the same numbers in the same order. */
#include "blocks.h"

/* The walk marks slots in arrays as long as the mesh, and computes each tet but once. It pays from
 * about one block in this many on. */
#define WALK_SHARE 12
/* Touched vertices fetched ahead of use. */
#define PREFETCH_AHEAD 4

/* The tets seen last: a tet serves up to ten of the touched blocks. Slot `tet % N_RECENT`; the tets
 * around a vertex of a well numbered mesh are near each other, so few collide. 33 kB of stack. */
#define N_RECENT 256
typedef struct recent {
    int32_t tet[N_RECENT]; /* -1: free */
    struct recent_tet {
        ew_terms terms;
        int32_t vertex[4];
    } of[N_RECENT];
} recent;

static inline const struct recent_tet *find_tet(recent *seen, const ew_mesh *mesh,
                                                const ew_materials *materials, int32_t tet)
{
    const uint32_t at = (uint32_t)tet % N_RECENT;
    struct recent_tet *of = &seen->of[at];
    if (seen->tet[at] != tet) {
        seen->tet[at] = tet;
        memcpy(of->vertex, mesh->tet + 4 * (size_t)tet, sizeof of->vertex);
        ew_terms_of(mesh, materials, tet, &of->terms);
    }
    return of;
}

/* Local place of a vertex in a tet that has it. A sum, since branches would be guessed wrong. */
static inline int place_in_tet(const int32_t *tet, int32_t vertex)
{
    return (tet[1] == vertex) + 2 * (tet[2] == vertex) + 3 * (tet[3] == vertex);
}

static void gather_diagonal(recent *seen, ew_matrix *matrix, const ew_mesh *mesh,
                            const ew_topology *topology, const ew_materials *materials, int32_t v)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    double sum[6] = {0.0}, *block = matrix->diagonal + 9 * (size_t)v;
    if (tets->count[v] == 0) { /* start_empty_rows did */
        return;
    }
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const struct recent_tet *tet =
            find_tet(seen, mesh, materials, tets->item[(size_t)tets->begin[v] + (size_t)i]);
        ew_tet_add_diagonal(tet->terms.g[place_in_tet(tet->vertex, v)], tet->terms.v_lambda,
                            tet->terms.v_mu, sum);
    }
    const double full[9] = {sum[0], sum[1], sum[2], sum[1], sum[3], sum[4], sum[2], sum[4], sum[5]};
    memcpy(block, full, sizeof full);
}

static void gather_edge(recent *seen, ew_matrix *matrix, const ew_mesh *mesh,
                        const ew_topology *topology, const ew_materials *materials, int32_t edge)
{
    const ew_rows *tets = &topology->edge_to_tet;
    const int32_t *row = topology->graph.edge_row + 2 * (size_t)edge;
    double sum[9] = {0.0};
    for (int32_t i = 0; i < tets->count[edge]; i++) {
        const struct recent_tet *tet =
            find_tet(seen, mesh, materials, tets->item[(size_t)tets->begin[edge] + (size_t)i]);
        ew_tet_add_block(tet->terms.g[place_in_tet(tet->vertex, row[0])],
                         tet->terms.g[place_in_tet(tet->vertex, row[1])], tet->terms.v_lambda,
                         tet->terms.v_mu, sum);
    }
    memcpy(matrix->edge + 9 * (size_t)edge, sum, sizeof sum);
}

/* Fetches what the blocks of a vertex and its edges are computed from. */
EW_PREFETCHER void prefetch_vertex(const ew_matrix *matrix, const ew_mesh *mesh,
                                   const ew_topology *topology, int32_t v)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    ew_prefetch_block(matrix->diagonal + 9 * (size_t)v);
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t tet = tets->item[(size_t)tets->begin[v] + (size_t)i];
        EW_PREFETCH(mesh->region + tet);
        for (int k = 0; k < 4; k++) {
            EW_PREFETCH(mesh->xyz + 3 * (size_t)mesh->tet[4 * (size_t)tet + k]);
        }
    }
}

/* Each edge after its lower vertex, as far as edge slots ascend with it: tets are still at hand. */
static void gather(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                   const ew_materials *materials, const ew_change *change)
{
    const ew_list *vertex = &change->touched_vertex, *edge = &change->touched_edge;
    recent seen;
    memset(seen.tet, 0xff, sizeof seen.tet);
    for (int32_t i = 0; i < edge->n; i++) {
        ew_prefetch_block(matrix->edge + 9 * (size_t)edge->id[i]);
    }
    for (int32_t i = 0; i < vertex->n && i < PREFETCH_AHEAD; i++) {
        prefetch_vertex(matrix, mesh, topology, vertex->id[i]);
    }
    for (int32_t i = 0, k = 0; i < vertex->n; i++) {
        int32_t v = vertex->id[i];
        if (i + PREFETCH_AHEAD < vertex->n) {
            prefetch_vertex(matrix, mesh, topology, vertex->id[i + PREFETCH_AHEAD]);
        }
        gather_diagonal(&seen, matrix, mesh, topology, materials, v);
        for (; k < edge->n && topology->graph.edge_row[2 * (size_t)edge->id[k]] <= v; k++) {
            gather_edge(&seen, matrix, mesh, topology, materials, edge->id[k]);
        }
    }
}

static void mark_all(uint64_t *mark, const ew_list *list)
{
    for (int32_t i = 0; i < list->n; i++) {
        ew_bit_set(mark, list->id[i]);
    }
}

/* Every tet of a touched edge is a tet of its two touched vertices, so these name all. Vertices
 * that had no tets before have none but added ones. */
static ew_status mark(ew_marks *marks, const ew_topology *topology, const ew_change *change)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    const ew_list *touched = &change->touched_vertex, *filled = &change->filled_vertex;
    const size_t n_word = (size_t)topology->n_tet / 64 + 1;
    uint64_t *tet = NULL;
    EW_TRY(ew_new_zero(&marks->vertex, (size_t)topology->graph.n_row / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_new_zero(&marks->edge, (size_t)topology->graph.n_edge / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_new_zero(&marks->whole, n_word, sizeof(uint64_t)));
    mark_all(marks->edge, &change->touched_edge);
    mark_all(marks->whole, &change->added_tet);
    mark_all(marks->whole, &change->moved_tet);
    EW_TRY(ew_new(&tet, n_word, sizeof *tet));
    memcpy(tet, marks->whole, n_word * sizeof *tet);
    for (int32_t i = 0, next = 0; i < touched->n; i++) {
        const int32_t v = touched->id[i];
        ew_bit_set_if(marks->vertex, v, tets->count[v] > 0);
        while (next < filled->n && filled->id[next] < v) {
            next++;
        }
        if (next < filled->n && filled->id[next] == v) {
            continue;
        }
        for (int32_t j = 0; j < tets->count[v]; j++) {
            ew_bit_set(tet, tets->item[(size_t)tets->begin[v] + (size_t)j]);
        }
    }
    const ew_status status = ew_list_push_bits(&marks->tet, tet, (int32_t)n_word);
    ew_release(tet);
    return status;
}

/* Slots opened by the change: edges are created with tets, and computed; vertices may have none. */
static void start_empty_rows(ew_matrix *matrix, const ew_topology *topology,
                             const ew_change *change)
{
    for (int32_t row = matrix->n_row; row < topology->graph.n_row; row++) {
        if (topology->vertex_to_tet.count[row] == 0) {
            ew_matrix_start_diagonal(matrix, topology, row);
        }
    }
    for (int32_t i = 0; i < change->emptied_vertex.n; i++) {
        ew_matrix_start_diagonal(matrix, topology, change->emptied_vertex.id[i]);
    }
}

ew_status ew_matrix_check_change(const ew_change *change)
{
    if (change->table_revision != change->to_revision) {
        return ew_fail(EW_STALE, "matrix: the change does not say which blocks it touched, since "
                                 "the tables were not updated from it; build the matrix anew");
    }
    return EW_OK;
}

static ew_status check_revisions(const ew_matrix *matrix, const ew_topology *topology,
                                 const ew_change *change)
{
    if (matrix->revision != change->from_revision) {
        return ew_fail(EW_STALE,
                       "matrix: at revision %llu, the change starts from %llu; build it anew",
                       (unsigned long long)matrix->revision,
                       (unsigned long long)change->from_revision);
    }
    if (topology->revision != change->to_revision) {
        return ew_fail(EW_STALE,
                       "matrix: the tables are at revision %llu, the change leads to %llu; update "
                       "the tables first",
                       (unsigned long long)topology->revision,
                       (unsigned long long)change->to_revision);
    }
    return ew_matrix_check_change(change);
}

ew_status ew_matrix_revalidate(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                               const ew_materials *materials, const ew_change *change)
{
    const ew_graph *graph = &topology->graph;
    int64_t n_touched = (int64_t)change->touched_vertex.n - change->emptied_vertex.n +
                        (int64_t)change->touched_edge.n;
    ew_marks marks = {0};
    ew_status status = EW_OK;
    EW_TRY(ew_matrix_check_source(mesh, topology, materials));
    EW_TRY(check_revisions(matrix, topology, change));
    EW_TRY(ew_matrix_reserve(matrix, graph));
    bool walk = WALK_SHARE * n_touched >= (int64_t)graph->n_row + graph->n_edge;
    bool all = 10 * (int64_t)change->touched_edge.n >= 9 * (int64_t)topology->n_live_edge;
    if (walk && !all) {
        EW_TRY_OUT(mark(&marks, topology, change));
    }
    start_empty_rows(matrix, topology, change);
    if (walk) {
        ew_matrix_walk(matrix, mesh, topology, materials, all ? NULL : &marks);
    } else {
        gather(matrix, mesh, topology, materials, change);
    }
    matrix->n_row = graph->n_row;
    matrix->n_edge = graph->n_edge;
    matrix->revision = mesh->revision;
#ifdef EW_VALIDATE
    status = ew_matrix_check(matrix, graph);
#endif
out:
    ew_release(marks.vertex);
    ew_release(marks.edge);
    ew_release(marks.whole);
    ew_list_free(&marks.tet);
    return status;
}
