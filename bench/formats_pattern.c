/* Pattern of a block matrix from a mesh, by counting: tets by vertex, then each row's neighbors,
 * once each and sorted. And the blocks of one row. */
#include "formats.h"
#include "tet.h"

#include <string.h>

/* Counts, sums up, fills: rows of tets in ascending order. */
static ew_status list_tets(bench_pattern *pattern, const ew_mesh *mesh)
{
    const size_t n = 4 * (size_t)mesh->n_tet;
    EW_TRY(ew_new_zero(&pattern->tet_begin, (size_t)pattern->n_row + 1, sizeof(int32_t)));
    EW_TRY(ew_new(&pattern->tet, n, sizeof(int32_t)));
    int32_t *begin = pattern->tet_begin;
    for (size_t i = 0; i < n; i++) {
        begin[mesh->tet[i] + 1]++;
    }
    for (int32_t row = 0; row < pattern->n_row; row++) {
        begin[row + 1] += begin[row];
    }
    for (size_t i = 0; i < n; i++) {
        pattern->tet[begin[mesh->tet[i]]++] = (int32_t)(i / 4);
    }
    memmove(begin + 1, begin, (size_t)pattern->n_row * sizeof *begin);
    begin[0] = 0;
    return EW_OK;
}

/* The row itself and its neighbors, unsorted; returns how many. */
static int32_t find_columns(bench_pattern *pattern, const ew_mesh *mesh, int32_t row,
                            int32_t *column)
{
    int32_t n = 0;
    column[n++] = row;
    pattern->mark[row] = row;
    for (int32_t i = pattern->tet_begin[row]; i < pattern->tet_begin[row + 1]; i++) {
        const int32_t *vertex = mesh->tet + 4 * (size_t)pattern->tet[i];
        for (int k = 0; k < 4; k++) {
            if (pattern->mark[vertex[k]] != row && (!pattern->upper || vertex[k] > row)) {
                pattern->mark[vertex[k]] = row;
                column[n++] = vertex[k];
            }
        }
    }
    return n;
}

static ew_status list_columns(bench_pattern *pattern, const ew_mesh *mesh)
{
    int32_t capacity = 0;
    EW_TRY(ew_new(&pattern->begin, (size_t)pattern->n_row + 1, sizeof(int32_t)));
    EW_TRY(ew_new(&pattern->mark, (size_t)pattern->n_row, sizeof(int32_t)));
    memset(pattern->mark, -1, (size_t)pattern->n_row * sizeof(int32_t));
    pattern->begin[0] = 0;
    for (int32_t row = 0; row < pattern->n_row; row++) {
        const int32_t first = pattern->begin[row];
        const int32_t max = 1 + 3 * (pattern->tet_begin[row + 1] - pattern->tet_begin[row]);
        EW_TRY(ew_grow(&pattern->column, &capacity, (int64_t)first + max, sizeof(int32_t)));
        ew_list list = {.id = pattern->column + first};
        list.n = find_columns(pattern, mesh, row, list.id);
        ew_list_sort(&list);
        pattern->begin[row + 1] = first + list.n;
        pattern->longest = list.n > pattern->longest ? list.n : pattern->longest;
    }
    return EW_OK;
}

static ew_status find_gradients(bench_pattern *pattern, const ew_mesh *mesh,
                                const ew_materials *materials)
{
    EW_TRY(ew_new(&pattern->gradient, (size_t)mesh->n_tet, sizeof *pattern->gradient));
    for (int32_t t = 0; t < mesh->n_tet; t++) {
        const double *lame = materials->lame + 2 * (size_t)mesh->region[t];
        double gradient[4][3], volume;
        double corner[12];
        ew_mesh_tet_values(mesh, t, mesh->xyz, corner);
        volume = ew_element_gradients(corner, gradient);
        memcpy(pattern->gradient[t], gradient, sizeof gradient);
        pattern->gradient[t][12] = volume * lame[0];
        pattern->gradient[t][13] = volume * lame[1];
    }
    return EW_OK;
}

ew_status bench_pattern_build(bench_pattern *pattern, const ew_mesh *mesh,
                              const ew_materials *materials, bool upper)
{
    *pattern = (bench_pattern){.n_row = mesh->n_vertex, .upper = upper};
    ew_status status = EW_OK;
    EW_TRY_OUT(list_tets(pattern, mesh));
    EW_TRY_OUT(list_columns(pattern, mesh));
    EW_TRY_OUT(find_gradients(pattern, mesh, materials));
    return EW_OK;
out:
    bench_pattern_free(pattern);
    return status;
}

void bench_pattern_free(bench_pattern *pattern)
{
    ew_release(pattern->begin);
    ew_release(pattern->column);
    ew_release(pattern->tet_begin);
    ew_release(pattern->tet);
    ew_release(pattern->mark);
    ew_release(pattern->gradient);
    memset(pattern, 0, sizeof *pattern);
}

void bench_pattern_fill_row(bench_pattern *pattern, const ew_mesh *mesh, int32_t row, double *block,
                            size_t stride)
{
    const int32_t first = pattern->begin[row], n = pattern->begin[row + 1] - first;
    for (int32_t i = 0; i < n; i++) {
        pattern->mark[pattern->column[first + i]] = i;
        memset(block + stride * (size_t)i, 0, 9 * sizeof *block);
    }
    for (int32_t i = pattern->tet_begin[row]; i < pattern->tet_begin[row + 1]; i++) {
        const int32_t t = pattern->tet[i], *vertex = mesh->tet + 4 * (size_t)t;
        const double *g = pattern->gradient[t];
        const int at = vertex[0] == row ? 0 : vertex[1] == row ? 1 : vertex[2] == row ? 2 : 3;
        for (int k = 0; k < 4; k++) {
            if (!pattern->upper || vertex[k] >= row) {
                ew_tet_add_block(g + 3 * at, g + 3 * k, g[12], g[13],
                                 block + stride * (size_t)pattern->mark[vertex[k]]);
            }
        }
    }
    if (pattern->tet_begin[row] == pattern->tet_begin[row + 1]) {
        block[0] = block[4] = block[8] = 1; /* as in a diagonal-edge matrix */
    }
}
