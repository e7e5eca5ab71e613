/* Takes many added tets into the neighbour tables. In: a mesh, tables without the removed
 * tets, marks. Out: every row grown once and filled in ascending order, and the edges that
 * were not there before, found as build.c finds them: vertex by vertex, by marks at its
 * neighbours. */
#include "topology/internal.h"

/* What vertex a knows of a neighbour b > a, while a is at hand. */
typedef struct neighbour {
    int32_t from; /* the a that wrote this last */
    int32_t edge; /* (a, b) */
    int32_t more; /* edges that the row of b gets */
} neighbour;

typedef struct addition {
    ew_bulk *bulk;
    neighbour *at; /* [n_vertex] owned */
    int32_t *more; /* [n_edge] owned: tets that the row of the edge gets */
    int32_t capacity;
} addition;

/* Tets by vertex. The mesh knows how long each row will be. */
static ew_status enter_tets(ew_bulk *bulk)
{
    ew_rows *rows = &bulk->topology->vertex_to_tet;
    const ew_mesh *mesh = bulk->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > rows->count[v]) {
            ew_bit_set(bulk->vertex_touched, v);
            ew_bit_set(bulk->vertex_grown, v);
            EW_TRY(ew_rows_reserve(rows, v, mesh->valence[v] - rows->count[v]));
        }
    }
    EW_TRY(ew_bulk_list(bulk, bulk->tet_added, bulk->n_tet_word));
    for (int32_t i = 0; i < bulk->work.n; i++) {
        int32_t t = bulk->work.id[i];
        for (int k = 0; k < 4; k++) {
            ew_rows_enter1(rows, mesh->tet[4 * (size_t)t + (size_t)k], t);
        }
    }
    return EW_OK;
}

static ew_status create_edge(addition *add, int32_t a, int32_t b)
{
    ew_change *change = add->bulk->change;
    ew_topology *topology = add->bulk->topology;
    int32_t n_edge = topology->graph.n_edge, e;
    EW_TRY(ew_topology_open_edge(topology, a, b, &e));
    EW_TRY(ew_list_push(&change->created_edge, e));
    EW_TRY(ew_grow(&add->more, &add->capacity, topology->graph.n_edge, sizeof *add->more));
    if (topology->graph.n_edge > n_edge) {
        add->more[e] = 0;
    }
    add->at[a].more++;
    add->at[b].from = a;
    add->at[b].edge = e;
    add->at[b].more++;
    return EW_OK;
}

/* Names the edges (a, b), b > a, of the added tets of vertex a. */
static ew_status name_edges(addition *add, int32_t a)
{
    const ew_rows *tets = &add->bulk->topology->vertex_to_tet;
    const ew_rows *edges = &add->bulk->topology->graph.row_to_edge;
    for (int32_t i = 0; i < edges->count[a]; i++) {
        const int32_t *item = edges->item + 2 * ((size_t)edges->begin[a] + (size_t)i);
        add->at[item[0]].from = a;
        add->at[item[0]].edge = item[1];
    }
    for (int32_t i = 0; i < tets->count[a]; i++) {
        int32_t t = tets->item[tets->begin[a] + i];
        if (!ew_bit_has(add->bulk->tet_added, t)) {
            continue;
        }
        const int32_t *vertex = add->bulk->mesh->tet + 4 * (size_t)t;
        int32_t *edge = add->bulk->topology->tet_to_edge + 6 * (size_t)t;
        int own = vertex[0] == a ? 0 : vertex[1] == a ? 1 : vertex[2] == a ? 2 : 3;
        for (int k = 0; k < 4; k++) {
            int32_t b = vertex[k];
            if (b <= a) {
                continue;
            }
            if (add->at[b].from != a) {
                EW_TRY(create_edge(add, a, b));
            }
            edge[ew_local_edge[own][k]] = add->at[b].edge;
            add->more[add->at[b].edge]++;
        }
    }
    return EW_OK;
}

/* Created edges come in ascending order of their lower ends. */
static ew_status enter_created(const addition *add)
{
    ew_graph *graph = &add->bulk->topology->graph;
    const ew_list *created = &add->bulk->change->created_edge;
    for (int32_t v = 0; v < graph->n_row; v++) {
        if (add->at[v].more) {
            EW_TRY(ew_rows_reserve(&graph->row_to_edge, v, add->at[v].more));
        }
    }
    for (int32_t i = 0; i < created->n; i++) {
        int32_t e = created->id[i];
        int32_t a = graph->edge_row[2 * (size_t)e], b = graph->edge_row[2 * (size_t)e + 1];
        ew_rows_enter2(&graph->row_to_edge, a, b, e);
        ew_rows_enter2(&graph->row_to_edge, b, a, e);
    }
    return EW_OK;
}

/* Tets by edge; the added tets are in bulk->work. */
static ew_status enter_tets_of_edges(const addition *add)
{
    ew_topology *topology = add->bulk->topology;
    ew_rows *rows = &topology->edge_to_tet;
    EW_TRY(ew_rows_extend(rows, topology->graph.n_edge));
    for (int32_t e = 0; e < topology->graph.n_edge; e++) {
        if (add->more[e]) {
            ew_bit_set(add->bulk->edge_touched, e);
            EW_TRY(ew_rows_reserve(rows, e, add->more[e]));
        }
    }
    for (int32_t i = 0; i < add->bulk->work.n; i++) {
        int32_t t = add->bulk->work.id[i];
        for (int k = 0; k < 6; k++) {
            ew_rows_enter1(rows, topology->tet_to_edge[6 * (size_t)t + (size_t)k], t);
        }
    }
    return EW_OK;
}

static ew_status add_tets(addition *add)
{
    ew_bulk *bulk = add->bulk;
    const ew_mesh *mesh = bulk->mesh;
    for (int32_t i = 0; i < bulk->change->added_tet.n; i++) {
        ew_bit_set(bulk->tet_added, bulk->change->added_tet.id[i]);
    }
    EW_TRY(enter_tets(bulk));
    EW_TRY(ew_new(&add->at, (size_t)mesh->n_vertex, sizeof *add->at));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        add->at[v] = (neighbour){-1, -1, 0};
    }
    add->capacity = bulk->topology->graph.n_edge;
    EW_TRY(ew_new_zero(&add->more, (size_t)add->capacity, sizeof *add->more));
    for (int32_t a = 0; a < mesh->n_vertex; a++) {
        if (ew_bit_has(bulk->vertex_grown, a)) {
            EW_TRY(name_edges(add, a));
        }
    }
    EW_TRY(enter_created(add));
    return enter_tets_of_edges(add);
}

ew_status ew_bulk_add(ew_bulk *bulk)
{
    addition add = {.bulk = bulk};
    ew_status status = add_tets(&add);
    ew_release(add.at);
    ew_release(add.more);
    return status;
}
