/* Full build: mesh, tables and materials in, all blocks out. Every thread owns a range of rows and
 * walks the tets in ascending order, computing a tet's gradients once and adding its contributions
 * to the blocks of its own rows (an edge belongs to its lower row). So no two threads write one
 * block, and every block is summed from +0.0 in ascending tet order whatever the number of threads:
 * the same bits as the gather of revalidate.c. */
#include "blocks.h"

/* How many tets ahead positions and blocks are fetched: they lie where the numbering put them. */
#define PREFETCH_AHEAD 6
/* Below this many tets a team of threads costs more than it saves. */
#define LEAST_PARALLEL_TETS 4000

ew_status ew_matrix_check_source(const ew_mesh *mesh, const ew_topology *topology,
                                 const ew_materials *materials)
{
    if (topology->revision != mesh->revision) {
        return ew_fail(EW_STALE,
                       "matrix: the tables are at revision %llu, the mesh at %llu; update or build "
                       "the tables first",
                       (unsigned long long)topology->revision, (unsigned long long)mesh->revision);
    }
    if (materials->n < mesh->n_region) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "matrix: %d materials for %d regions; every region needs one", materials->n,
                       mesh->n_region);
    }
    return EW_OK;
}

ew_status ew_matrix_reserve(ew_matrix *matrix, const ew_graph *graph)
{
    size_t size = 9 * sizeof(double);
    EW_TRY(ew_grow(&matrix->diagonal, &matrix->row_capacity, graph->n_row, size));
    return ew_grow(&matrix->edge, &matrix->edge_capacity, graph->n_edge, size);
}

void ew_matrix_start_diagonal(ew_matrix *matrix, const ew_topology *topology, int32_t row)
{
    double *block = matrix->diagonal + 9 * (size_t)row;
    memset(block, 0, 9 * sizeof *block);
    if (topology->vertex_to_tet.count[row] == 0) {
        block[0] = block[4] = block[8] = 1.0;
    }
}

/* Contributions to a row's blocks, about. */
static int64_t load_of_row(const ew_topology *topology, const ew_marks *marks, int32_t row)
{
    return !marks || ew_mark_has(marks->vertex, row) ? topology->vertex_to_tet.count[row] + 1 : 0;
}

/* First row before which at least `share` contributions lie. */
static int32_t row_at_load(const ew_topology *topology, const ew_marks *marks, int64_t share)
{
    int64_t before = 0;
    int32_t row = 0;
    while (row < topology->graph.n_row && before < share) {
        before += load_of_row(topology, marks, row++);
    }
    return row;
}

/* Sets the walk's blocks of the rows [begin, end) to what their sums start from. */
static void start_rows(ew_matrix *matrix, const ew_topology *topology, const ew_marks *marks,
                       int32_t begin, int32_t end)
{
    const ew_rows *rows = &topology->graph.row_to_edge;
    for (int32_t row = begin; row < end; row++) {
        if (marks && !ew_mark_has(marks->vertex, row)) {
            continue;
        }
        ew_matrix_start_diagonal(matrix, topology, row);
        for (int32_t i = 0; i < rows->count[row]; i++) {
            const int32_t *item = rows->item + 2 * ((size_t)rows->begin[row] + (size_t)i);
            if (item[0] > row && (!marks || ew_mark_has(marks->edge, item[1]))) {
                memset(matrix->edge + 9 * (size_t)item[1], 0, 9 * sizeof *matrix->edge);
            }
        }
    }
}

/* Fetches what add_tet will need of a tet. */
EW_PREFETCHER void prefetch_tet(const ew_matrix *matrix, const ew_mesh *mesh,
                                const ew_topology *topology, int32_t begin, int32_t end,
                                int32_t tet)
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = topology->tet_to_edge + 6 * (size_t)tet;
    bool any = false;
    for (int i = 0; i < 4; i++) {
        if (vertex[i] >= begin && vertex[i] < end) {
            ew_prefetch_block(matrix->diagonal + 9 * (size_t)vertex[i]);
            any = true;
        }
    }
    if (!any) { /* another thread's, or a hole */
        return;
    }
    for (int i = 0; i < 4; i++) {
        __builtin_prefetch(mesh->xyz + 3 * (size_t)vertex[i]);
    }
    for (int k = 0; k < 6; k++) {
        ew_prefetch_block(matrix->edge + 9 * (size_t)edge[k]);
    }
}

/* Adds one tet's contributions to the walk's blocks of the rows [begin, end). */
static inline void add_tet(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                           const ew_materials *materials, const ew_marks *marks, int32_t begin,
                           int32_t end, int32_t tet)
{
    const int32_t *vertex = mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = topology->tet_to_edge + 6 * (size_t)tet;
    bool own[4], any = false;
    for (int i = 0; i < 4; i++) {
        own[i] = vertex[i] >= begin && vertex[i] < end;
        any |= own[i];
    }
    if (!any) {
        return;
    }
    ew_terms t;
    ew_terms_of(mesh, materials, tet, &t);
    for (int i = 0; i < 4; i++) {
        if (own[i] && (!marks || ew_mark_has(marks->vertex, vertex[i]))) {
            ew_tet_add_block(t.g[i], t.g[i], t.v_lambda, t.v_mu,
                             matrix->diagonal + 9 * (size_t)vertex[i]);
        }
    }
    for (int k = 0; k < 6; k++) {
        /* looked up, since a branch would be guessed wrong */
        const bool down = vertex[ew_edge_vertex[k][0]] > vertex[ew_edge_vertex[k][1]];
        const int low = ew_edge_vertex[k][down], high = ew_edge_vertex[k][!down];
        if (own[low] && (!marks || ew_mark_has(marks->edge, edge[k]))) {
            ew_tet_add_block(t.g[low], t.g[high], t.v_lambda, t.v_mu,
                             matrix->edge + 9 * (size_t)edge[k]);
        }
    }
}

static void walk_rows(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                      const ew_materials *materials, const ew_marks *marks, int32_t begin,
                      int32_t end)
{
    start_rows(matrix, topology, marks, begin, end);
    for (int32_t tet = 0; tet < mesh->n_tet && !marks; tet++) {
        if (tet + PREFETCH_AHEAD < mesh->n_tet) {
            prefetch_tet(matrix, mesh, topology, begin, end, tet + PREFETCH_AHEAD);
        }
        add_tet(matrix, mesh, topology, materials, NULL, begin, end, tet);
    }
    for (int32_t tet = 0; tet < mesh->n_tet && marks; tet++) {
        if (!marks->tet[tet >> 6]) {
            tet |= 63; /* none in this word */
            continue;
        }
        const int32_t ahead = tet + PREFETCH_AHEAD;
        if (ahead < mesh->n_tet && ew_mark_has(marks->tet, ahead)) {
            prefetch_tet(matrix, mesh, topology, begin, end, ahead);
        }
        if (ew_mark_has(marks->tet, tet)) {
            add_tet(matrix, mesh, topology, materials, marks, begin, end, tet);
        }
    }
}

void ew_matrix_walk(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                    const ew_materials *materials, const ew_marks *marks)
{
    int32_t n_row = topology->graph.n_row;
    int n_part = mesh->n_tet < LEAST_PARALLEL_TETS ? 1 : ew_threads();
    int64_t total = 0;
    for (int32_t row = 0; row < n_row; row++) {
        total += load_of_row(topology, marks, row);
    }
#pragma omp parallel for schedule(static) num_threads(n_part)
    for (int part = 0; part < n_part; part++) {
        int32_t begin = row_at_load(topology, marks, total * part / n_part);
        int32_t end =
            part + 1 < n_part ? row_at_load(topology, marks, total * (part + 1) / n_part) : n_row;
        walk_rows(matrix, mesh, topology, materials, marks, begin, end);
    }
}

ew_status ew_matrix_build(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                          const ew_materials *materials)
{
    const ew_graph *graph = &topology->graph;
    EW_TRY(ew_matrix_check_source(mesh, topology, materials));
    EW_TRY(ew_matrix_reserve(matrix, graph));
    for (int32_t edge = 0; edge < graph->n_edge; edge++) {
        if (graph->edge_row[2 * (size_t)edge] < 0) {
            memset(matrix->edge + 9 * (size_t)edge, 0, 9 * sizeof *matrix->edge);
        }
    }
    ew_matrix_walk(matrix, mesh, topology, materials, NULL);
    matrix->n_row = graph->n_row;
    matrix->n_edge = graph->n_edge;
    matrix->revision = mesh->revision;
#ifdef EW_VALIDATE
    EW_TRY(ew_matrix_check(matrix, graph));
#endif
    return EW_OK;
}

void ew_matrix_free(ew_matrix *matrix)
{
    ew_release(matrix->diagonal);
    ew_release(matrix->edge);
    *matrix = (ew_matrix){0};
}
