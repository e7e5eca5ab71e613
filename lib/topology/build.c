/* Builds the neighbor tables. In: a mesh. Out: its edges, numbered in ascending
 * (a, b), and the five tables between vertices, edges and tets. O(n): the tets of each
 * vertex give its neighbors beyond it, and only those short lists are sorted, so no
 * hash table and no sort of all 6n (vertex, vertex) pairs is needed. */
#include "topology/internal.h"

const int8_t ew_local_edge[4][4] = {{-1, 0, 1, 2}, {0, -1, 3, 4}, {1, 3, -1, 5}, {2, 4, 5, -1}};

/* Tets by vertex. Tets are met in ascending order, so every row comes out sorted. */
static ew_status build_vertex_to_tet(ew_rows *vertex_to_tet, const ew_mesh *mesh)
{
    int32_t *count = NULL;
    EW_TRY(ew_new_zero(&count, (size_t)mesh->n_vertex, sizeof *count));
    size_t n = 4 * (size_t)mesh->n_tet;
    for (size_t i = 0; i < n; i++) {
        if (mesh->tet[i] >= 0) {
            count[mesh->tet[i]]++;
        }
    }
    ew_status status = ew_rows_init(vertex_to_tet, mesh->n_vertex, 1, count);
    ew_release(count);
    for (int32_t t = 0; !status && t < mesh->n_tet; t++) {
        for (size_t i = 0; i < 4 && ew_mesh_tet_is_live(mesh, t); i++) {
            ew_rows_append1(vertex_to_tet, mesh->tet[4 * (size_t)t + i], t);
        }
    }
    return status;
}

/* Lists the neighbors b > a of vertex a once each. `mark[b]` is below `first` for
 * vertices not met yet at this a. */
static ew_status gather_neighbors(const ew_rows *vertex_to_tet, const ew_mesh *mesh, int32_t a,
                                  int32_t first, int32_t *mark, ew_list *neighbor)
{
    neighbor->n = 0;
    for (int32_t i = 0; i < vertex_to_tet->count[a]; i++) {
        size_t t = (size_t)vertex_to_tet->item[vertex_to_tet->begin[a] + i];
        const int32_t *vertex = mesh->tet + 4 * t;
        for (int k = 0; k < 4; k++) {
            int32_t b = vertex[k];
            if (b > a && mark[b] < first) {
                mark[b] = first;
                EW_TRY(ew_list_push(neighbor, b));
            }
        }
    }
    return EW_OK;
}

/* Writes the edges (a, b), b > a, of all tets of vertex a into tet_to_edge. */
static void name_edges(ew_topology *topology, const ew_mesh *mesh, int32_t a,
                       const int32_t *edge_to)
{
    const ew_rows *vertex_to_tet = &topology->vertex_to_tet;
    for (int32_t i = 0; i < vertex_to_tet->count[a]; i++) {
        size_t t = (size_t)vertex_to_tet->item[vertex_to_tet->begin[a] + i];
        const int32_t *vertex = mesh->tet + 4 * t;
        int32_t *edge = topology->tet_to_edge + 6 * t;
        int at = vertex[0] == a ? 0 : vertex[1] == a ? 1 : vertex[2] == a ? 2 : 3;
        for (int k = 0; k < 4; k++) {
            if (vertex[k] > a) {
                edge[ew_local_edge[at][k]] = edge_to[vertex[k]];
            }
        }
    }
}

static ew_status number_edges_of(ew_topology *topology, const ew_mesh *mesh, int32_t a,
                                 int32_t *mark, ew_list *neighbor)
{
    ew_pattern *pattern = &topology->pattern;
    int32_t first = pattern->n_pair;
    EW_TRY(gather_neighbors(&topology->vertex_to_tet, mesh, a, first, mark, neighbor));
    ew_list_sort(neighbor);
    int64_t n_edge = (int64_t)first + neighbor->n;
    EW_TRY(ew_grow(&pattern->pair_row, &pattern->pair_capacity, n_edge, 2 * sizeof(int32_t)));
    for (int32_t i = 0; i < neighbor->n; i++) {
        int32_t b = neighbor->id[i];
        pattern->pair_row[2 * (size_t)(first + i)] = a;
        pattern->pair_row[2 * (size_t)(first + i) + 1] = b;
        mark[b] = first + i;
    }
    pattern->n_pair = (int32_t)n_edge;
    name_edges(topology, mesh, a, mark);
    return EW_OK;
}

/* Numbers the edges and fills tet_to_edge. */
static ew_status build_edges(ew_topology *topology, const ew_mesh *mesh)
{
    size_t n = 6 * (size_t)mesh->n_tet;
    EW_TRY(ew_new(&topology->tet_to_edge, n, sizeof(int32_t)));
    topology->n_tet = topology->tet_capacity = mesh->n_tet;
    for (size_t i = 0; i < n; i++) {
        topology->tet_to_edge[i] = -1;
    }
    int32_t *mark = NULL;
    ew_list neighbor = {0};
    EW_TRY(ew_new(&mark, (size_t)mesh->n_vertex, sizeof *mark));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        mark[v] = -1;
    }
    ew_status status = EW_OK;
    for (int32_t a = 0; !status && a < mesh->n_vertex; a++) {
        status = number_edges_of(topology, mesh, a, mark, &neighbor);
    }
    ew_list_free(&neighbor);
    ew_release(mark);
    return status;
}

static ew_status build_edge_to_tet(ew_topology *topology)
{
    int32_t *count = NULL, n_edge = topology->pattern.n_pair;
    const int32_t *edge = topology->tet_to_edge;
    size_t n = 6 * (size_t)topology->n_tet;
    EW_TRY(ew_new_zero(&count, (size_t)n_edge, sizeof *count));
    for (size_t i = 0; i < n; i++) {
        if (edge[i] >= 0) {
            count[edge[i]]++;
        }
    }
    ew_status status = ew_rows_init(&topology->edge_to_tet, n_edge, 1, count);
    ew_release(count);
    for (size_t i = 0; !status && i < n; i++) {
        if (edge[i] >= 0) {
            ew_rows_append1(&topology->edge_to_tet, edge[i], (int32_t)(i / 6));
        }
    }
    return status;
}

ew_status ew_topology_build(ew_topology *topology, const ew_mesh *mesh)
{
    ew_topology fresh = {.pattern = {.n_row = mesh->n_vertex, .revision = mesh->revision}};
    ew_status status = EW_OK;
    EW_TRY_OUT(build_vertex_to_tet(&fresh.vertex_to_tet, mesh));
    EW_TRY_OUT(build_edges(&fresh, mesh));
    EW_TRY_OUT(build_edge_to_tet(&fresh));
    EW_TRY_OUT(ew_pattern_index(&fresh.pattern));
    *topology = fresh;
    return EW_OK;
out:
    ew_topology_free(&fresh);
    return status;
}

void ew_topology_free(ew_topology *topology)
{
    ew_pattern_free(&topology->pattern);
    ew_pattern_change_free(&topology->touched);
    ew_rows_free(&topology->edge_to_tet);
    ew_rows_free(&topology->vertex_to_tet);
    ew_release(topology->tet_to_edge);
    *topology = (ew_topology){0};
}

size_t ew_topology_bytes(const ew_topology *topology)
{
    return ew_pattern_bytes(&topology->pattern) + ew_rows_bytes(&topology->edge_to_tet) +
           ew_rows_bytes(&topology->vertex_to_tet) +
           6 * sizeof(int32_t) * (size_t)topology->tet_capacity;
}
