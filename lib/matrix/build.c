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

/* A thread's part of a walk. */
typedef struct walk {
    ew_matrix *matrix;
    const ew_mesh *mesh;
    const ew_topology *topology;
    const ew_materials *materials;
    const ew_marks *marks; /* null: all blocks */
    int32_t begin, end;    /* its rows; an edge belongs to the lower of its two */
} walk;

static inline bool is_own(const walk *part, int32_t row)
{
    return row >= part->begin && row < part->end;
}

/* Sets the walk's blocks to what their sums start from. */
static void start_rows(const walk *part)
{
    const ew_rows *rows = &part->topology->graph.row_to_edge;
    const ew_marks *marks = part->marks;
    for (int32_t row = part->begin; row < part->end; row++) {
        if (marks && !ew_bit_has(marks->vertex, row)) {
            continue;
        }
        ew_matrix_start_diagonal(part->matrix, part->topology, row);
        for (int32_t i = 0; i < rows->count[row]; i++) {
            const int32_t *item = rows->item + 2 * ((size_t)rows->begin[row] + (size_t)i);
            if (item[0] > row && (!marks || ew_bit_has(marks->edge, item[1]))) {
                double *block = part->matrix->edge + 9 * (size_t)item[1];
                memset(block, 0, 9 * sizeof *block);
            }
        }
    }
}

/* False for a hole, too. */
static inline bool has_own(const walk *part, const int32_t vertex[4])
{
    return is_own(part, vertex[0]) | is_own(part, vertex[1]) | is_own(part, vertex[2]) |
           is_own(part, vertex[3]);
}

/* Fetches what adding a tet will need. */
EW_PREFETCHER void prefetch_tet(const walk *part, int32_t tet)
{
    const int32_t *vertex = part->mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = part->topology->tet_to_edge + 6 * (size_t)tet;
    if (!has_own(part, vertex)) {
        return;
    }
    for (int i = 0; i < 4; i++) {
        ew_prefetch_block(part->matrix->diagonal + 9 * (size_t)vertex[i]);
        EW_PREFETCH(part->mesh->xyz + 3 * (size_t)vertex[i]);
    }
    for (int k = 0; k < 6; k++) {
        ew_prefetch_block(part->matrix->edge + 9 * (size_t)edge[k]);
    }
}

/* Adds one tet's contributions to the blocks of this part's rows. */
static inline void add_tet(const walk *part, int32_t tet)
{
    const int32_t *vertex = part->mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = part->topology->tet_to_edge + 6 * (size_t)tet;
    ew_terms t;
    ew_terms_of(part->mesh, part->materials, tet, &t);
#pragma GCC unroll 1 /* faster than all ten in a row */
    for (int i = 0; i < 4; i++) {
        if (is_own(part, vertex[i])) {
            ew_tet_add_block(t.g[i], t.g[i], t.v_lambda, t.v_mu,
                             part->matrix->diagonal + 9 * (size_t)vertex[i]);
        }
    }
#pragma GCC unroll 1
    for (int k = 0; k < 6; k++) {
        /* looked up, since a branch would be guessed wrong */
        const bool down = vertex[ew_edge_vertex[k][0]] > vertex[ew_edge_vertex[k][1]];
        const int low = ew_edge_vertex[k][down], high = ew_edge_vertex[k][!down];
        if (is_own(part, vertex[low])) {
            ew_tet_add_block(t.g[low], t.g[high], t.v_lambda, t.v_mu,
                             part->matrix->edge + 9 * (size_t)edge[k]);
        }
    }
}

/* The two local vertices of each block of a tet: its diagonals, then its edges. */
static const int8_t block_vertex[10][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1},
                                           {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/* The marked blocks of a tet in this part's rows, a bit each in the order of block_vertex. */
static inline uint64_t wanted_blocks(const walk *part, const int32_t *vertex, const int32_t *edge)
{
    uint64_t wanted = 0;
    for (int i = 0; i < 4; i++) {
        const bool own = is_own(part, vertex[i]);
        wanted |= (uint64_t)(own & ew_bit_has(part->marks->vertex, vertex[i])) << i;
    }
    for (int k = 0; k < 6; k++) {
        const int32_t a = vertex[ew_edge_vertex[k][0]], b = vertex[ew_edge_vertex[k][1]];
        const bool own = is_own(part, a < b ? a : b);
        wanted |= (uint64_t)(own & ew_bit_has(part->marks->edge, edge[k])) << (4 + k);
    }
    return wanted;
}

/* As add_tet, but to marked blocks alone. They are few of the ten and follow no pattern: each is
 * found by its bit, since a branch for each of the ten would be guessed wrong. */
static inline void add_marked(const walk *part, int32_t tet)
{
    const int32_t *vertex = part->mesh->tet + 4 * (size_t)tet;
    const int32_t *edge = part->topology->tet_to_edge + 6 * (size_t)tet;
    uint64_t wanted = wanted_blocks(part, vertex, edge);
    if (!wanted) {
        return;
    }
    ew_terms t;
    ew_terms_of(part->mesh, part->materials, tet, &t);
    for (; wanted; wanted &= wanted - 1) {
        const int k = ew_lowest_bit(wanted);
        const int p = block_vertex[k][0], q = block_vertex[k][1];
        const bool down = vertex[p] > vertex[q];
        double *block = k < 4 ? part->matrix->diagonal + 9 * (size_t)vertex[p]
                              : part->matrix->edge + 9 * (size_t)edge[k - 4];
        ew_tet_add_block(t.g[down ? q : p], t.g[down ? p : q], t.v_lambda, t.v_mu, block);
    }
}

static void walk_all(const walk *part)
{
    const ew_mesh *mesh = part->mesh;
    for (int32_t tet = 0; tet < mesh->n_tet; tet++) {
        if (tet + PREFETCH_AHEAD < mesh->n_tet) {
            prefetch_tet(part, tet + PREFETCH_AHEAD);
        }
        if (has_own(part, mesh->tet + 4 * (size_t)tet)) {
            add_tet(part, tet);
        }
    }
}

static void walk_marked(const walk *part)
{
    const ew_list *tets = &part->marks->tet;
    for (int32_t i = 0; i < tets->n; i++) {
        if (i + PREFETCH_AHEAD < tets->n) {
            prefetch_tet(part, tets->id[i + PREFETCH_AHEAD]);
        }
        if (!has_own(part, part->mesh->tet + 4 * (size_t)tets->id[i])) {
            continue;
        }
        if (ew_bit_has(part->marks->whole, tets->id[i])) {
            add_tet(part, tets->id[i]);
        } else {
            add_marked(part, tets->id[i]);
        }
    }
}

/* Contributions to a row's blocks, about. */
static int64_t load_of_row(const ew_topology *topology, const ew_marks *marks, int32_t row)
{
    return !marks || ew_bit_has(marks->vertex, row) ? topology->vertex_to_tet.count[row] + 1 : 0;
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

void ew_matrix_walk(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                    const ew_materials *materials, const ew_marks *marks)
{
    int32_t n_row = topology->graph.n_row;
    int n_part = mesh->n_tet < LEAST_PARALLEL_TETS ? 1 : ew_threads();
    int64_t total = 0;
    for (int32_t row = 0; row < n_row && n_part > 1; row++) {
        total += load_of_row(topology, marks, row);
    }
#pragma omp parallel for schedule(static) num_threads(n_part)
    for (int k = 0; k < n_part; k++) {
        const int32_t begin = row_at_load(topology, marks, total * k / n_part);
        const int32_t end =
            k + 1 < n_part ? row_at_load(topology, marks, total * (k + 1) / n_part) : n_row;
        const walk part = {matrix, mesh, topology, materials, marks, begin, end};
        start_rows(&part);
        if (marks) {
            walk_marked(&part);
        } else {
            walk_all(&part);
        }
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
