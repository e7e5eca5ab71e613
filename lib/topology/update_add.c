/* Takes many added tets into the neighbour tables. In: a mesh, tables without the removed
 * tets, marks. Out: every row grown once and filled in ascending order, and the edges that
 * were not there before.
 *
 * The six edges of every added tet are first gathered by their lower ends. So the edges of one
 * vertex, their rows and what is known of its neighbours are at hand together, wherever its
 * tets lie in the mesh. */
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
    int32_t *end;   /* [n_vertex] owned: end of the corners of each lower end; before them are
                       those of the one before */
    corner *corner; /* [6 * added tets] owned, tets ascending for each lower end */
    neighbour *at;  /* [n_vertex] owned */
    ew_list met;    /* owned: neighbours of a that added tets name */
} addition;

/* Tets by vertex. The mesh knows how long each row will be. */
static ew_status enter_tets(ew_bulk *bulk)
{
    ew_rows *rows = &bulk->topology->vertex_to_tet;
    const ew_mesh *mesh = bulk->mesh;
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        if (mesh->valence[v] > rows->count[v]) {
            ew_bit_set(bulk->vertex_touched, v);
            EW_TRY(ew_rows_reserve(rows, v, mesh->valence[v] - rows->count[v]));
        }
    }
    for (int32_t i = 0; i < bulk->work.n; i++) {
        int32_t t = bulk->work.id[i];
        for (int k = 0; k < 4; k++) {
            ew_rows_enter1(rows, mesh->tet[4 * (size_t)t + (size_t)k], t);
        }
    }
    return EW_OK;
}

static int32_t lower(int32_t p, int32_t q)
{
    return p < q ? p : q;
}

/* Counting sort of the edges of the added tets by their lower ends. */
static ew_status gather_corners(addition *add)
{
    const ew_list *added = &add->bulk->work;
    const int32_t *tet = add->bulk->mesh->tet;
    int32_t sum = 0, *end;
    EW_TRY(ew_new_zero(&add->end, (size_t)add->bulk->mesh->n_vertex, sizeof *add->end));
    EW_TRY(ew_new(&add->corner, 6 * (size_t)added->n, sizeof *add->corner));
    end = add->end;
    for (int32_t i = 0; i < added->n; i++) {
        const int32_t *v = tet + 4 * (size_t)added->id[i];
        for (int k = 0; k < 6; k++) {
            end[lower(v[ew_edge_vertex[k][0]], v[ew_edge_vertex[k][1]])]++;
        }
    }
    for (int32_t v = 0; v < add->bulk->mesh->n_vertex; v++) {
        int32_t n = end[v];
        end[v] = sum;
        sum += n;
    }
    for (int32_t i = 0; i < added->n; i++) {
        const int32_t *v = tet + 4 * (size_t)added->id[i];
        for (int k = 0; k < 6; k++) {
            int32_t p = v[ew_edge_vertex[k][0]], q = v[ew_edge_vertex[k][1]], a = lower(p, q);
            add->corner[end[a]++] = (corner){p + q - a, 6 * (uint32_t)added->id[i] + (uint32_t)k};
        }
    }
    return EW_OK;
}

static ew_status create_edge(addition *add, int32_t a, int32_t b)
{
    neighbour *to = &add->at[b];
    EW_TRY(ew_topology_open_edge(add->bulk->topology, a, b, &to->edge));
    EW_TRY(ew_list_push(&add->bulk->change->created_edge, to->edge));
    to->from = a;
    to->n_tet = 0;
    to->n_edge++;
    add->at[a].n_edge++;
    return EW_OK;
}

/* Finds the edges of n corners of vertex a, or creates them. */
static ew_status name_edges(addition *add, int32_t a, const corner *at, int32_t n)
{
    const ew_rows *edges = &add->bulk->topology->graph.row_to_edge;
    add->met.n = 0;
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
            EW_TRY(ew_list_push(&add->met, at[i].b));
        }
        add->bulk->topology->tet_to_edge[at[i].place] = to->edge;
    }
    return EW_OK;
}

/* Tets by edge. */
static ew_status enter_corners(addition *add, const corner *at, int32_t n)
{
    ew_rows *rows = &add->bulk->topology->edge_to_tet;
    EW_TRY(ew_rows_extend(rows, add->bulk->topology->graph.n_edge));
    for (int32_t i = 0; i < add->met.n; i++) {
        const neighbour *to = &add->at[add->met.id[i]];
        ew_bit_set(add->bulk->edge_touched, to->edge);
        EW_TRY(ew_rows_reserve(rows, to->edge, to->n_tet));
    }
    for (int32_t i = 0; i < n; i++) {
        ew_rows_enter1(rows, add->at[at[i].b].edge, (int32_t)(at[i].place / 6));
    }
    return EW_OK;
}

static ew_status enter_edges(addition *add)
{
    int32_t n_vertex = add->bulk->mesh->n_vertex;
    EW_TRY(ew_new(&add->at, (size_t)n_vertex, sizeof *add->at));
    for (int32_t v = 0; v < n_vertex; v++) {
        add->at[v] = (neighbour){-1, -1, 0, 0};
    }
    for (int32_t a = 0, begin = 0; a < n_vertex; a++) {
        const corner *first = add->corner + begin;
        int32_t n = add->end[a] - begin;
        if (n) {
            EW_TRY(name_edges(add, a, first, n));
            EW_TRY(enter_corners(add, first, n));
        }
        begin = add->end[a];
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
            EW_TRY(ew_rows_reserve(&graph->row_to_edge, v, add->at[v].n_edge));
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
    EW_TRY(enter_tets(add->bulk));
    EW_TRY(gather_corners(add));
    EW_TRY(enter_edges(add));
    return enter_created(add);
}

ew_status ew_bulk_add(ew_bulk *bulk)
{
    addition add = {.bulk = bulk};
    ew_status status = add_tets(&add);
    ew_release(add.end);
    ew_release(add.corner);
    ew_release(add.at);
    ew_list_free(&add.met);
    return status;
}
