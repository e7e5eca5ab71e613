/* Takes many added tets into the neighbor tables. In: a mesh, tables without the removed
 * tets, marks. Out: every row grown once and filled in ascending order, and the edges that
 * were not there before.
 *
 * The tets of each vertex come first. Then each vertex that gained some names the edges to its
 * neighbors beyond it, as build.c does: these edges, their rows and what is known of the
 * neighbors are at hand together, wherever the tets lie in the mesh. */
#include "topology/internal.h"

#include <string.h>

/* Place of tet_to_edge, 6 tet + local edge, that is to name the edge to vertex b. */
typedef struct corner {
    int32_t b;
    uint32_t place;
} corner;

/* What vertex a knows of a neighbor b > a, while a is at hand. */
typedef struct neighbor {
    int32_t from;   /* the a that wrote this last */
    int32_t edge;   /* (a, b), -1 before there is one */
    int32_t tet;    /* how many the row of the edge gets, then where the next one goes */
    int32_t n_edge; /* that the row of b gets; of any a */
} neighbor;

typedef struct addition {
    ew_bulk *bulk;
    ew_list grown;  /* owned: vertices that get tets, ascending */
    corner *corner; /* owned: of one vertex, tets ascending */
    neighbor *at;   /* [n_vertex] owned */
    ew_list met;    /* owned: neighbors of a that added tets name */
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

static ew_status grow_items(ew_rows *rows, double share)
{
    const double n_item = rows->n_item * (1 + share);
    return n_item > INT32_MAX ? EW_OK
                              : ew_grow(&rows->item, &rows->item_capacity, (int64_t)n_item,
                                        (size_t)rows->width * sizeof *rows->item);
}

/* The tables grow to what they will hold if the new part is meshed like the old one. They would
 * grow by themselves, but step by step, each a copy. */
static ew_status expect_growth(const addition *add)
{
    enum { MARGIN = 32 }; /* one part in this many more */
    ew_topology *topology = add->bulk->topology;
    ew_pattern *pattern = &topology->pattern;
    const double n_added = add->bulk->change->added_tet.n;
    const double n_before =
        add->bulk->mesh->n_live_tet - n_added + add->bulk->change->removed_tet.n;
    const double n_expected =
        n_before > 0 ? topology->pattern.n_live_pair * (n_added / n_before) : 0;
    const double n_new = (n_expected - topology->pattern.pair_hole.n) * (1 + 1.0 / MARGIN);
    if (n_new <= 0 || pattern->n_pair + n_new > INT32_MAX) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&pattern->pair_row, &pattern->pair_capacity, pattern->n_pair + (int64_t)n_new,
                   2 * sizeof(int32_t)));
    EW_TRY(grow_items(&pattern->row_to_pair, n_new / pattern->n_pair));
    EW_TRY(grow_items(&topology->edge_to_tet, n_new / pattern->n_pair));
    return grow_items(&topology->vertex_to_tet, n_new / pattern->n_pair);
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
    int32_t max = 0;
    for (int32_t i = 0; i < add->grown.n; i++) {
        int32_t n = mesh->valence[add->grown.id[i]];
        max = n > max ? n : max;
    }
    EW_TRY(ew_new(&add->corner, 3 * (size_t)max + 1, sizeof *add->corner));
    EW_TRY(ew_grow(&add->met.id, &add->met.capacity, 3 * (int64_t)max + 1, sizeof *add->met.id));
    EW_TRY(ew_new(&add->at, (size_t)mesh->n_vertex, sizeof *add->at));
    for (int32_t v = 0; v < mesh->n_vertex; v++) {
        add->at[v] = (neighbor){-1, -1, 0, 0};
    }
    return EW_OK;
}

/* The edges of added tets from vertex a to vertices beyond it: how many. */
static int32_t gather_corners(const addition *add, int32_t a)
{
    const ew_rows *tets = &add->bulk->topology->vertex_to_tet;
    const int32_t *item = tets->item + tets->begin[a], *tet = add->bulk->mesh->tet;
    const uint64_t *added = add->bulk->tet_added;
    corner *to = add->corner;
    for (int32_t i = 0, n = tets->count[a]; i < n; i++) {
        const int32_t t = item[i];
        if (!ew_bit_has(added, t)) {
            continue;
        }
        int32_t v[4];
        memcpy(v, tet + 4 * (size_t)t, sizeof v);
        const int8_t *edge = ew_local_edge[(v[1] == a) + 2 * (v[2] == a) + 3 * (v[3] == a)];
        for (int k = 0; k < 4; k++) {
            *to = (corner){v[k], 6 * (uint32_t)t + (uint32_t)edge[k]};
            to += v[k] > a;
        }
    }
    return (int32_t)(to - add->corner);
}

/* The edges that vertex a has, and the neighbors that its n corners name. No branch, since
 * whether a neighbor is met for the first time would be guessed wrong. */
static void meet_neighbors(addition *add, int32_t a, int32_t n)
{
    const ew_rows *edges = &add->bulk->topology->pattern.row_to_pair;
    const int32_t *item = edges->item + 2 * (size_t)(edges->count[a] ? edges->begin[a] : 0);
    for (int32_t i = 0; i < edges->count[a]; i++) {
        neighbor *to = &add->at[item[2 * i]];
        to->from = a;
        to->edge = item[2 * i + 1];
        to->tet = 0;
    }
    const corner *at = add->corner;
    neighbor *all = add->at;
    int32_t *met = add->met.id, n_met = 0;
    for (int32_t i = 0; i < n; i++) {
        const int32_t b = at[i].b;
        neighbor to = all[b];
        const bool known = to.from == a;
        to.from = a;
        to.edge = known ? to.edge : -1;
        to.tet = known ? to.tet + 1 : 1;
        all[b] = to;
        met[n_met] = b;
        n_met += to.tet == 1;
    }
    add->met.n = n_met;
}

/* Creates the edges that are missing, ascending, as build.c would number them. */
static ew_status create_edges(addition *add, int32_t a)
{
    ew_list *created = &add->bulk->touched->created_pair;
    EW_TRY(ew_grow(&created->id, &created->capacity, (int64_t)created->n + add->met.n,
                   sizeof *created->id));
    ew_list_sort(&add->met);
    for (int32_t i = 0; i < add->met.n; i++) {
        neighbor *to = &add->at[add->met.id[i]];
        if (to->edge < 0) {
            EW_TRY(
                ew_pattern_open_pair(&add->bulk->topology->pattern, a, add->met.id[i], &to->edge));
            created->id[created->n++] = to->edge;
            to->n_edge++;
            add->at[a].n_edge++;
        }
    }
    return ew_rows_extend(&add->bulk->topology->edge_to_tet, add->bulk->topology->pattern.n_pair);
}

/* Tets by edge, edges by tet. A row that was empty gets its tets in order; in one that was not
 * they find their places. */
static ew_status enter_corners(addition *add, int32_t n)
{
    ew_rows *rows = &add->bulk->topology->edge_to_tet;
    int32_t *edge_of = add->bulk->topology->tet_to_edge;
    for (int32_t i = 0; i < add->met.n; i++) {
        neighbor *to = &add->at[add->met.id[i]];
        const int32_t n_tet = to->tet, e = to->edge;
        ew_bit_set(add->bulk->edge_touched, e);
        EW_TRY(reserve(rows, e, n_tet));
        to->tet = rows->count[e] ? -1 : rows->begin[e];
        rows->count[e] += rows->count[e] ? 0 : n_tet;
    }
    const corner *at = add->corner;
    neighbor *all = add->at;
    int32_t *item = rows->item;
    for (int32_t i = 0; i < n; i++) {
        neighbor *to = &all[at[i].b];
        const int32_t tet = (int32_t)(at[i].place / 6);
        edge_of[at[i].place] = to->edge;
        if (to->tet < 0) {
            ew_rows_enter1(rows, to->edge, tet);
        } else {
            item[to->tet++] = tet;
        }
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
        const int32_t n = gather_corners(add, grown->id[i]);
        meet_neighbors(add, grown->id[i], n);
        EW_TRY(create_edges(add, grown->id[i]));
        EW_TRY(enter_corners(add, n));
    }
    return EW_OK;
}

/* Edges by vertex. Created edges come in ascending order of their ends. */
static ew_status enter_created(const addition *add)
{
    enum { AHEAD = 12 };
    ew_pattern *pattern = &add->bulk->topology->pattern;
    ew_rows *rows = &pattern->row_to_pair;
    const ew_list *created = &add->bulk->touched->created_pair;
    for (int32_t v = 0; v < pattern->n_row; v++) {
        if (add->at[v].n_edge) {
            EW_TRY(reserve(rows, v, add->at[v].n_edge));
        }
    }
    for (int32_t i = 0; i < created->n; i++) {
        const int32_t e = created->id[i], *end = pattern->pair_row + 2 * (size_t)e;
        if (i + AHEAD < created->n) {
            const int32_t b = pattern->pair_row[2 * (size_t)created->id[i + AHEAD] + 1];
            EW_PREFETCH(rows->item + 2 * ((size_t)rows->begin[b] + (size_t)rows->count[b]));
        }
        ew_rows_enter2(rows, end[0], end[1], e);
        ew_rows_enter2(rows, end[1], end[0], e);
        pattern->n_lower[end[1]]++;
    }
    return EW_OK;
}

static ew_status add_tets(addition *add)
{
    EW_TRY(ew_bulk_list(add->bulk, add->bulk->tet_added, add->bulk->n_tet_word));
    EW_TRY(expect_growth(add));
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
