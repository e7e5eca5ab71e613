/* Revalidation: a change in, the blocks it names recomputed from current positions, all others left
 * alone. A few blocks are gathered one by one, each from its tets in ascending order; many are
 * computed by the walk of build.c over their tets alone, which forms a tet's gradients once instead
 * of ten times. Both add the same numbers in the same order. */
#include "blocks.h"
#include "tet.h"

#include <string.h>

/* The walk marks slots in bit arrays as long as the mesh. It pays from this many blocks on, if they
 * are also more than one in LEAST_WALK_SHARE of all. */
#define LEAST_WALK_BLOCKS 256
#define LEAST_WALK_SHARE  4096

/* Local place of a vertex in a tet that has it. */
static inline int place_in_tet(const int32_t *tet, int32_t vertex)
{
    return tet[0] == vertex ? 0 : tet[1] == vertex ? 1 : tet[2] == vertex ? 2 : 3;
}

/* Sums K_ab into `block`, which holds +0.0, over a row of tets. */
static void gather_block(const ew_mesh *mesh, const ew_materials *materials, const ew_rows *tets,
                         int32_t row, int32_t a, int32_t b, double *block)
{
    const int32_t *item = tets->item + (size_t)(tets->count[row] ? tets->begin[row] : 0);
    for (int32_t i = 0; i < tets->count[row]; i++) {
        const int32_t *vertex = mesh->tet + 4 * (size_t)item[i];
        const double *lame = materials->lame + 2 * (size_t)mesh->region[item[i]];
        double g[4][3], volume;
        ew_element_gradients(mesh, item[i], g, &volume);
        ew_tet_add_block(g[place_in_tet(vertex, a)], g[place_in_tet(vertex, b)], volume * lame[0],
                         volume * lame[1], block);
    }
}

static void gather(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                   const ew_materials *materials, const ew_change *change)
{
    for (int32_t i = 0; i < change->touched_vertex.n; i++) {
        int32_t v = change->touched_vertex.id[i];
        ew_matrix_start_diagonal(matrix, topology, v);
        gather_block(mesh, materials, &topology->vertex_to_tet, v, v, v,
                     matrix->diagonal + 9 * (size_t)v);
    }
    for (int32_t i = 0; i < change->touched_edge.n; i++) {
        int32_t edge = change->touched_edge.id[i];
        const int32_t *row = topology->graph.edge_row + 2 * (size_t)edge;
        double *block = matrix->edge + 9 * (size_t)edge;
        memset(block, 0, 9 * sizeof *block);
        gather_block(mesh, materials, &topology->edge_to_tet, edge, row[0], row[1], block);
    }
}

/* Every tet of a touched edge is a tet of its two touched vertices, so these name all. */
static ew_status mark(ew_marks *marks, const ew_topology *topology, const ew_change *change)
{
    const ew_rows *tets = &topology->vertex_to_tet;
    EW_TRY(ew_new_zero(&marks->vertex, (size_t)topology->graph.n_row / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_new_zero(&marks->edge, (size_t)topology->graph.n_edge / 64 + 1, sizeof(uint64_t)));
    EW_TRY(ew_new_zero(&marks->tet, (size_t)topology->n_tet / 64 + 1, sizeof(uint64_t)));
    for (int32_t i = 0; i < change->touched_edge.n; i++) {
        ew_mark_set(marks->edge, change->touched_edge.id[i]);
    }
    for (int32_t i = 0; i < change->touched_vertex.n; i++) {
        int32_t v = change->touched_vertex.id[i];
        ew_mark_set(marks->vertex, v);
        for (int32_t j = 0; j < tets->count[v]; j++) {
            ew_mark_set(marks->tet, tets->item[(size_t)tets->begin[v] + (size_t)j]);
        }
    }
    return EW_OK;
}

/* Slots opened by the change start as holes; what it freed becomes one. */
static void clear_holes(ew_matrix *matrix, const ew_topology *topology, const ew_change *change)
{
    const ew_graph *graph = &topology->graph;
    for (int32_t row = matrix->n_row; row < graph->n_row; row++) {
        ew_matrix_start_diagonal(matrix, topology, row);
    }
    if (graph->n_edge > matrix->n_edge) {
        memset(matrix->edge + 9 * (size_t)matrix->n_edge, 0,
               9 * (size_t)(graph->n_edge - matrix->n_edge) * sizeof *matrix->edge);
    }
    for (int32_t i = 0; i < change->freed_edge.n; i++) {
        memset(matrix->edge + 9 * (size_t)change->freed_edge.id[i], 0, 9 * sizeof *matrix->edge);
    }
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
    return EW_OK;
}

ew_status ew_matrix_revalidate(ew_matrix *matrix, const ew_mesh *mesh, const ew_topology *topology,
                               const ew_materials *materials, const ew_change *change)
{
    const ew_graph *graph = &topology->graph;
    int64_t n_touched = (int64_t)change->touched_vertex.n + change->touched_edge.n;
    ew_marks marks = {0};
    ew_status status = EW_OK;
    EW_TRY(ew_matrix_check_source(mesh, topology, materials));
    EW_TRY(check_revisions(matrix, topology, change));
    EW_TRY(ew_matrix_reserve(matrix, graph));
    bool walk = n_touched >= LEAST_WALK_BLOCKS &&
                n_touched >= ((int64_t)graph->n_row + graph->n_edge) / LEAST_WALK_SHARE;
    if (walk) {
        EW_TRY_OUT(mark(&marks, topology, change));
    }
    clear_holes(matrix, topology, change);
    if (walk) {
        ew_matrix_walk(matrix, mesh, topology, materials, &marks);
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
    ew_release(marks.tet);
    return status;
}
