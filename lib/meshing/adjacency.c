/* Compressed graphs. In: the edges of a mesh, with holes. Out: the same without.
 * O(n). */
#include "meshing/adjacency.h"

static ew_status fill_rows(ew_adjacency *adjacency, const ew_pattern *pattern, int32_t *node)
{
    const ew_rows *rows = &pattern->row_to_pair;
    int64_t n_neighbor = 0;
    for (int32_t v = 0; v < pattern->n_row; v++) {
        node[v] = rows->count[v] ? adjacency->n++ : -1;
        n_neighbor += rows->count[v];
    }
    EW_TRY(ew_new(&adjacency->begin, (size_t)adjacency->n + 1, sizeof(int32_t)));
    EW_TRY(ew_new(&adjacency->row, (size_t)adjacency->n, sizeof(int32_t)));
    EW_TRY(ew_new(&adjacency->neighbor, (size_t)n_neighbor, sizeof(int32_t)));
    int32_t at = 0;
    for (int32_t v = 0; v < pattern->n_row; v++) {
        if (node[v] < 0) {
            continue;
        }
        adjacency->begin[node[v]] = at;
        adjacency->row[node[v]] = v;
        for (int32_t i = 0; i < rows->count[v]; i++) {
            size_t item = (size_t)rows->begin[v] + (size_t)i;
            adjacency->neighbor[at++] = node[rows->item[2 * item]];
        }
    }
    adjacency->begin[adjacency->n] = at;
    return EW_OK;
}

ew_status ew_adjacency_of_rows(ew_adjacency *adjacency, const ew_pattern *pattern)
{
    ew_adjacency fresh = {0};
    int32_t *node = NULL;
    EW_TRY(ew_new(&node, (size_t)pattern->n_row, sizeof *node));
    ew_status status = fill_rows(&fresh, pattern, node);
    ew_release(node);
    if (status) {
        ew_adjacency_free(&fresh);
        return status;
    }
    *adjacency = fresh;
    return EW_OK;
}

void ew_adjacency_free(ew_adjacency *adjacency)
{
    ew_release(adjacency->begin);
    ew_release(adjacency->neighbor);
    ew_release(adjacency->row);
    *adjacency = (ew_adjacency){0};
}
