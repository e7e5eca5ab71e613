/* Takes many added tets into the neighbour tables. In: a mesh, tables without the removed
 * tets, marks. Out: every row grown once and filled in ascending order, and the edges that
 * were not there before.
 *
 * The tets of each vertex come first. Then each vertex that gained some names the edges to its
 * neighbours beyond it, as build.c does: these edges, their rows and what is known of the
 * neighbours are at hand together, wherever the tets lie in the mesh. */
#include "topology/internal.h"

/* Place of tet_to_edge, 6 tet + local edge, that is to name the edge to vertex b. */
typedef struct corner {
    int32_t b;
    uint32_t place;
} corner;

/* What vertex a knows of a neighbour b > a, while a is at hand. */
typedef struct neighbour {
    int32_t from;   /* the a that wrote this last */
    int32_t edge;   /* (a, b) */
    int32_t n_tet;  /* that the row of the edge gets */
    int32_t n_edge; /* that the row of b gets; of any a */
} neighbour;

typedef struct addition {
    ew_bulk *bulk;
    ew_list grown;  /* owned: vertices that get tets, ascending */
    corner *corner; /* owned: of one vertex, tets ascending */
    neighbour *at;  /* [n_vertex] owned */
    ew_list met;    /* owned: neighbours of a that added tets name */
} addition;

/* As ew_rows_reserve, at once where a new row goes to the end of the array. */
static inline ew_status reserve(ew_rows *rows, int32_t row, int32_t n)
{
    int32_t class = (n + EW_ROW_CHUNK - 1) / EW_ROW_CHUNK, size = class * EW_ROW_CHUNK;
    if (rows->count[row] || class > rows->n_class || rows->free_chunk[class - 1] >= 0 ||
        size > rows->item_capacity - rows->n_item) {
        return ew_rows_reserve(rows, row, n);
    }
    rows->begin[row] = rows->n_item;
    rows->n_item += size;
    return EW_OK;
}

/* Tets by vertex. The mesh knows how long each row will be. */
static ew_status enter_tets(addition *add)
{
    ew_rows *rows = &add->bulk->topology->vertex_to_tet;
    const ew_mesh *mesh = add->bulk->mesh;
    const ew_list *added = &add->bulk->work;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > rows->count[v]) {
            ew_bit_set(add->bulk->vertex_touched, v);
            EW_TRY(ew_list_push(&add->grown, v));
            EW_TRY(reserve(rows, v, mesh->valence[v] - rows->count[v]));
        }
    }
    for (int32_t i = 0; i < added->n; i++) {
        int32_t t = added->id[i];
        for (int k = 0; k < 4; k++) {
            ew_rows_enter1(rows, mesh->tet[4 * (size_t)t + (size_t)k], t);
        }
    }
    return EW_OK;
}

/* Room for the corners of any one vertex, and for one that is written and not kept. */
static ew_status make_room(addition *add)
{
    const ew_mesh *mesh = add->bulk->mesh;
    int32_t most = 0;
    for (int32_t i = 0; i < add->grown.n; i++) {
        int32_t n = mesh->valence[add->grown.id[i]];
        most = n > most ? n : most;
    }
    EW_TRY(ew_new(&add->corner, 3 * (size_t)most + 1, sizeof *add->corner));
    EW_TRY(ew_new(&add->at, (size_t)mesh->n_vertex, sizeof *add->at));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        add->at[v] = (neighbour){-1, -1, 0, 0};
    }
    return EW_OK;
}

/* The edges of added tets from vertex a to vertices beyond it: how many. */
static int32_t gather_corners(const addition *add, int32_t a)
{
    const ew_rows *tets = &add->bulk->topology->vertex_to_tet;
    const int32_t *item = tets->item + tets->begin[a];
    corner *to = add->corner;
    for (int32_t i = 0; i < tets->count[a]; i++) {
        const int32_t t = item[i], *v = add->bulk->mesh->tet + 4 * (size_t)t;
        if (!ew_bit_has(add->bulk->tet_added, t)) {
            continue;
        }
        const int8_t *edge = ew_local_edge[(v[1] == a) + 2 * (v[2] == a) + 3 * (v[3] == a)];
        for (int k = 0; k < 4; k++) {
            *to = (corner){v[k], 6 * (uint32_t)t + (uint32_t)edge[k]};
            to += v[k] > a;
        }
    }
    return (int32_t)(to - add->corner);
}

/* The list of created edges has room. */
static ew_status create_edge(addition *add, int32_t a, int32_t b)
{
    neighbour *to = &add->at[b];
    ew_list *created = &add->bulk->change->created_edge;
    EW_TRY(ew_topology_open_edge(add->bulk->topology, a, b, &to->edge));
    created->id[created->n++] = to->edge;
    to->from = a;
    to->n_tet = 0;
    to->n_edge++;
    add->at[a].n_edge++;
    return EW_OK;
}

/* Finds the edges of the n corners of vertex a, or creates them. */
static ew_status name_edges(addition *add, int32_t a, int32_t n)
{
    const corner *at = add->corner;
    const ew_rows *edges = &add->bulk->topology->graph.row_to_edge;
    ew_list *met = &add->met, *created = &add->bulk->change->created_edge;
    met->n = 0;
    EW_TRY(ew_grow(&met->id, &met->capacity, n, sizeof *met->id));
    EW_TRY(ew_grow(&created->id, &created->capacity, (int64_t)created->n + n, sizeof *created->id));
    for (int32_t i = 0; i < edges->count[a]; i++) {
        const int32_t *item = edges->item + 2 * ((size_t)edges->begin[a] + (size_t)i);
        neighbour *to = &add->at[item[0]];
        to->from = a;
        to->edge = item[1];
        to->n_tet = 0;
    }
    for (int32_t i = 0; i < n; i++) {
        neighbour *to = &add->at[at[i].b];
        if (to->from != a) {
            EW_TRY(create_edge(add, a, at[i].b));
        }
        if (to->n_tet++ == 0) {
            met->id[met->n++] = at[i].b;
        }
        add->bulk->topology->tet_to_edge[at[i].place] = to->edge;
    }
    return EW_OK;
}

/* Tets by edge. */
static ew_status enter_corners(addition *add, int32_t n)
{
    const corner *at = add->corner;
    ew_rows *rows = &add->bulk->topology->edge_to_tet;
    EW_TRY(ew_rows_extend(rows, add->bulk->topology->graph.n_edge));
    for (int32_t i = 0; i < add->met.n; i++) {
        const neighbour *to = &add->at[add->met.id[i]];
        ew_bit_set(add->bulk->edge_touched, to->edge);
        EW_TRY(reserve(rows, to->edge, to->n_tet));
    }
    for (int32_t i = 0; i < n; i++) {
        ew_rows_enter1(rows, add->at[at[i].b].edge, (int32_t)(at[i].place / 6));
    }
    return EW_OK;
}

/* Tets may lie anywhere: those of the next vertex are asked for while this one is at work. */
EW_PREFETCHER void prefetch_tets(const ew_bulk *bulk, int32_t v)
{
    const ew_rows *tets = &bulk->topology->vertex_to_tet;
    for (int32_t i = 0; i < tets->count[v]; i++) {
        const int32_t t = tets->item[tets->begin[v] + i];
        EW_PREFETCH(bulk->mesh->tet + 4 * (size_t)t);
        EW_PREFETCH(bulk->topology->tet_to_edge + 6 * (size_t)t);
    }
}

static ew_status enter_edges(addition *add)
{
    const ew_list *grown = &add->grown;
    EW_TRY(make_room(add));
    for (int32_t i = 0; i < grown->n; i++) {
        if (i + 1 < grown->n) {
            prefetch_tets(add->bulk, grown->id[i + 1]);
        }
        int32_t n = gather_corners(add, grown->id[i]);
        EW_TRY(name_edges(add, grown->id[i], n));
        EW_TRY(enter_corners(add, n));
    }
    return EW_OK;
}

/* Edges by vertex. Created edges come in ascending order of their lower ends. */
static ew_status enter_created(const addition *add)
{
    ew_graph *graph = &add->bulk->topology->graph;
    const ew_list *created = &add->bulk->change->created_edge;
    for (int32_t v = 0; v < graph->n_row; v++) {
        if (add->at[v].n_edge) {
            EW_TRY(reserve(&graph->row_to_edge, v, add->at[v].n_edge));
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

static ew_status add_tets(addition *add)
{
    EW_TRY(ew_bulk_list(add->bulk, add->bulk->tet_added, add->bulk->n_tet_word));
    EW_TRY(enter_tets(add));
    EW_TRY(enter_edges(add));
    return enter_created(add);
}

ew_status ew_bulk_add(ew_bulk *bulk)
{
    addition add = {.bulk = bulk};
    ew_status status = add_tets(&add);
    ew_list_free(&add.grown);
    ew_release(add.corner);
    ew_release(add.at);
    ew_list_free(&add.met);
    return status;
}
