/* The published revalidation: a change in, the contributions of its tets subtracted from and added
 * to the blocks. Tables are updated as for ours. */
#include "edited.h"
#include "tet.h"

#include <math.h>
#include <string.h>

ew_status bench_subtracting_start(bench_subtracting *published, const ew_mesh *mesh,
                                  const ew_matrix *matrix)
{
    ew_matrix *copy = &published->matrix;
    const size_t block = 9 * sizeof(double), n = 3 * (size_t)mesh->n_vertex * sizeof(double);
    EW_TRY(ew_grow(&copy->diagonal, &copy->row_capacity, matrix->n_row, block));
    EW_TRY(ew_grow(&copy->pair, &copy->pair_capacity, matrix->n_pair, block));
    EW_TRY(ew_grow(&published->xyz, &published->capacity, mesh->n_vertex, 3 * sizeof(double)));
    memcpy(copy->diagonal, matrix->diagonal, block * (size_t)matrix->n_row);
    memcpy(copy->pair, matrix->pair, block * (size_t)matrix->n_pair);
    memcpy(published->xyz, mesh->xyz, n);
    copy->n_row = matrix->n_row;
    copy->n_pair = matrix->n_pair;
    return EW_OK;
}

void bench_subtracting_free(bench_subtracting *published)
{
    ew_matrix_free(&published->matrix);
    ew_release(published->xyz);
    memset(published, 0, sizeof *published);
}

/* sign 1 adds a tet's contributions, -1 takes them away. */
static void add_tet(ew_matrix *matrix, const double *xyz, const int32_t vertex[4],
                    const int32_t edge[6], const double lame[2], double sign)
{
    double x[12], g[12];
    for (size_t i = 0; i < 4; i++) {
        memcpy(x + 3 * i, xyz + 3 * (size_t)vertex[i], 3 * sizeof *x);
    }
    const double volume = sign * ew_tet_gradients(x, g);
    const double v_lambda = volume * lame[0], v_mu = volume * lame[1];
    for (size_t i = 0; i < 4; i++) {
        ew_tet_add_block(g + 3 * i, g + 3 * i, v_lambda, v_mu,
                         matrix->diagonal + 9 * (size_t)vertex[i]);
    }
    for (int k = 0; k < 6; k++) {
        const int p = ew_edge_vertex[k][0], q = ew_edge_vertex[k][1];
        const int low = vertex[p] < vertex[q] ? p : q, high = p + q - low;
        ew_tet_add_block(g + 3 * (size_t)low, g + 3 * (size_t)high, v_lambda, v_mu,
                         matrix->pair + 9 * (size_t)edge[k]);
    }
}

void bench_subtract(bench_subtracting *published, const ew_mesh *mesh, const ew_topology *topology,
                    const ew_materials *materials, const ew_change *change)
{
    const int32_t *edge = topology->tet_to_edge;
    const double start = ew_seconds();
    for (int32_t i = 0; i < change->removed_tet.n; i++) {
        add_tet(&published->matrix, published->xyz, change->removed_tet_vertex + 4 * (size_t)i,
                edge + 6 * (size_t)change->removed_tet.id[i], materials->lame, -1);
    }
    for (int32_t i = 0; i < change->moved_tet.n; i++) {
        const size_t t = (size_t)change->moved_tet.id[i];
        add_tet(&published->matrix, published->xyz, mesh->tet + 4 * t, edge + 6 * t,
                materials->lame, -1);
    }
    published->seconds = ew_seconds() - start;
}

/* New blocks start from zero; a vertex that nothing contributes to any more becomes exact again. */
static void start_blocks(ew_matrix *matrix, const ew_topology *topology, const ew_change *change)
{
    const size_t size = 9 * sizeof(double);
    for (int32_t i = 0; i < topology->touched.created_pair.n; i++) {
        memset(matrix->pair + 9 * (size_t)topology->touched.created_pair.id[i], 0, size);
    }
    for (int32_t i = 0; i < change->filled_vertex.n; i++) {
        memset(matrix->diagonal + 9 * (size_t)change->filled_vertex.id[i], 0, size);
    }
    for (int32_t i = 0; i < change->emptied_vertex.n; i++) {
        double *block = matrix->diagonal + 9 * (size_t)change->emptied_vertex.id[i];
        memset(block, 0, size);
        block[0] = block[4] = block[8] = 1;
    }
    matrix->n_row = topology->pattern.n_row;
    matrix->n_pair = topology->pattern.n_pair;
}

/* The positions of what was added or moved. */
static ew_status keep_positions(bench_subtracting *published, const ew_mesh *mesh,
                                const ew_change *change)
{
    const ew_list *lists[] = {&change->added_vertex, &change->moved_vertex};
    EW_TRY(ew_grow(&published->xyz, &published->capacity, mesh->n_vertex, 3 * sizeof(double)));
    for (int k = 0; k < 2; k++) {
        for (int32_t i = 0; i < lists[k]->n; i++) {
            const size_t v = (size_t)lists[k]->id[i];
            memcpy(published->xyz + 3 * v, mesh->xyz + 3 * v, 3 * sizeof(double));
        }
    }
    return EW_OK;
}

ew_status bench_subtract_add(bench_subtracting *published, const ew_mesh *mesh,
                             const ew_topology *topology, const ew_materials *materials,
                             const ew_change *change)
{
    ew_matrix *matrix = &published->matrix;
    const ew_list *lists[] = {&change->moved_tet, &change->added_tet};
    double start = ew_seconds();
    EW_TRY(ew_grow(&matrix->diagonal, &matrix->row_capacity, topology->pattern.n_row,
                   9 * sizeof(double)));
    EW_TRY(ew_grow(&matrix->pair, &matrix->pair_capacity, topology->pattern.n_pair,
                   9 * sizeof(double)));
    start_blocks(matrix, topology, change);
    for (int k = 0; k < 2; k++) {
        for (int32_t i = 0; i < lists[k]->n; i++) {
            const size_t t = (size_t)lists[k]->id[i];
            add_tet(matrix, mesh->xyz, mesh->tet + 4 * t, topology->tet_to_edge + 6 * t,
                    materials->lame, 1);
        }
    }
    published->seconds += ew_seconds() - start;
    return keep_positions(published, mesh, change);
}

/* ---- what rounding leaves ----------------------------------------------- */

static double largest_entry(const double *block, const double *other)
{
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(other ? block[i] - other[i] : block[i]));
    }
    return largest;
}

double bench_subtracting_drift(const bench_subtracting *published, const ew_matrix *exact)
{
    const ew_matrix *drifted = &published->matrix;
    double drift = 0;
    for (int kind = 0; kind < 2; kind++) {
        const double *a = kind ? drifted->pair : drifted->diagonal;
        const double *b = kind ? exact->pair : exact->diagonal;
        const size_t n = (size_t)(kind ? exact->n_pair : exact->n_row);
        for (size_t i = 0; i < n; i++) {
            const double size = largest_entry(b + 9 * i, NULL);
            const double apart = largest_entry(a + 9 * i, b + 9 * i);
            drift = apart > 0 ? fmax(drift, apart / size) : drift;
        }
    }
    return drift;
}
