/* Conforming refinement by bisection of longest edges. In: mesh, tables, length, set. Out:
 * removal of the tets that were cut, the middles of edges, and the final tets in their place.
 *
 * Edges are ordered by length, then by their vertices' numbers. An edge is bisected only when
 * it is the last in this order of every tet around it; else the longest edge around it comes
 * first. That path rises strictly, so it ends, and each bisection cuts all tets around its
 * edge, so the mesh conforms at any moment. New edges are halves of the bisected one or
 * medians over it, which are shorter than sqrt(3)/2 of it: so the whole ends too.
 * Reference: Rivara 1997, "New longest-edge algorithms for the refinement and/or improvement of
 * unstructured triangulations" (longest-edge propagation path).
 *
 * The mesh is not copied. What was cut lives in `piece` with a hash table of its edges; a tet
 * of the mesh enters when it is cut first. Cost: O(tets made), and without a set one pass
 * over the edges. */
#include "operation/internal.h"

#include <math.h>
#include <stdlib.h>

/* Piece edges are numbered 6 * piece + local edge. */
#define MAX_PIECE    (INT32_MAX / 6)
#define MAX_LIVE_TET (INT32_MAX / 4)

typedef struct piece {
    int32_t v[4];    /* slots or EW_NEW_VERTEX; v[0] = -1: cut in its turn */
    int32_t from;    /* the tet of the mesh it is part of */
    int32_t next[6]; /* the next piece edge between the same vertices, -1: none */
} piece;

typedef struct piece_edge {
    int32_t a, b;  /* a before b in rank */
    int32_t first; /* piece edge, -1: none */
} piece_edge;

typedef struct refiner {
    const ew_mesh *mesh;
    const ew_topology *topology;
    double longest;
    ew_set set;    /* slots inside */
    bool all;      /* everything is inside */
    ew_set middle; /* new vertices inside, by number */
    ew_edit *edit;
    ew_set cut; /* tets of the mesh that were cut */
    int32_t n_piece, piece_capacity;
    piece *piece; /* [n_piece] owned */
    int32_t n_edge, edge_capacity;
    piece_edge *edge; /* [n_edge] owned */
    int32_t n_bucket; /* a power of two, or 0 */
    int32_t *bucket;  /* [n_bucket] owned: open addressing, index of edge or -1 */
    ew_list work;     /* pairs of vertices: edges to bisect, the last one next */
    ew_list around;   /* tets around an edge: of the mesh as they are, pieces as -1 - p */
} refiner;

/* ---- vertices and edges ------------------------------------------------ */

static int64_t rank_of(const refiner *r, int32_t v)
{
    return v >= 0 ? v : (int64_t)r->mesh->n_vertex + EW_NEW_VERTEX(v);
}

static const double *position(const refiner *r, int32_t v)
{
    return v >= 0 ? r->mesh->xyz + 3 * (size_t)v
                  : r->edit->add_vertex + 3 * (size_t)EW_NEW_VERTEX(v);
}

static double length2(const refiner *r, int32_t a, int32_t b)
{
    const double *x = position(r, a), *y = position(r, b);
    double p = y[0] - x[0], q = y[1] - x[1], s = y[2] - x[2];
    return p * p + q * q + s * s;
}

static bool is_inside(const refiner *r, int32_t v)
{
    return r->all || (v >= 0 ? ew_set_has(&r->set, v) : ew_set_has(&r->middle, EW_NEW_VERTEX(v)));
}

static void put_in_order(const refiner *r, int32_t end[2])
{
    if (rank_of(r, end[0]) > rank_of(r, end[1])) {
        int32_t keep = end[0];
        end[0] = end[1];
        end[1] = keep;
    }
}

static ew_status push_work(refiner *r, const int32_t edge[2])
{
    EW_TRY(ew_list_push(&r->work, edge[0]));
    return ew_list_push(&r->work, edge[1]);
}

/* ---- edges of pieces --------------------------------------------------- */

/* The bucket that holds the edge, or the empty one where it belongs. */
static int32_t *find_bucket(const refiner *r, int32_t a, int32_t b)
{
    uint64_t key = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
    uint32_t mask = (uint32_t)r->n_bucket - 1, i = (uint32_t)ew_random_at(key, 0) & mask;
    while (r->bucket[i] >= 0 && (r->edge[r->bucket[i]].a != a || r->edge[r->bucket[i]].b != b)) {
        i = (i + 1) & mask;
    }
    return r->bucket + i;
}

/* Buckets for one more edge, at most half of them full. */
static ew_status reserve_bucket(refiner *r)
{
    enum { FIRST = 1024, LAST = 1 << 30 };
    if (r->n_edge < r->n_bucket / 2) {
        return EW_OK;
    }
    if (r->n_bucket == LAST) {
        return ew_fail(EW_LIMIT, "refine: more than %d edges; give a greater length or a set",
                       LAST / 2);
    }
    int32_t n_bucket = r->n_bucket ? 2 * r->n_bucket : FIRST, *bucket;
    EW_TRY(ew_new(&bucket, (size_t)n_bucket, sizeof *bucket));
    ew_release(r->bucket);
    r->bucket = bucket;
    r->n_bucket = n_bucket;
    for (int32_t i = 0; i < n_bucket; i++) {
        bucket[i] = -1;
    }
    for (int32_t e = 0; e < r->n_edge; e++) {
        *find_bucket(r, r->edge[e].a, r->edge[e].b) = e;
    }
    return EW_OK;
}

/* An edge that ends in the newest vertex is new; it is bisected too if it is too long. */
static ew_status add_edge(refiner *r, const int32_t end[2], int32_t *bucket)
{
    EW_TRY(ew_grow(&r->edge, &r->edge_capacity, (int64_t)r->n_edge + 1, sizeof *r->edge));
    r->edge[r->n_edge] = (piece_edge){end[0], end[1], -1};
    *bucket = r->n_edge++;
    bool is_new = end[1] == EW_NEW_VERTEX(r->edit->n_add_vertex - 1);
    if (is_new && r->longest > 0.0 && is_inside(r, end[0]) && is_inside(r, end[1]) &&
        sqrt(length2(r, end[0], end[1])) > r->longest) {
        return push_work(r, end);
    }
    return EW_OK;
}

static ew_status add_piece(refiner *r, const int32_t v[4], int32_t from)
{
    int32_t p = r->n_piece;
    if (p == MAX_PIECE) {
        return ew_fail(EW_LIMIT,
                       "refine: more than %d tets are made; give a greater length or a "
                       "smaller set",
                       MAX_PIECE);
    }
    EW_TRY(ew_grow(&r->piece, &r->piece_capacity, (int64_t)p + 1, sizeof *r->piece));
    r->piece[p] = (piece){{v[0], v[1], v[2], v[3]}, from, {-1, -1, -1, -1, -1, -1}};
    r->n_piece++;
    for (int k = 0; k < 6; k++) {
        int32_t end[2] = {v[ew_edge_vertex[k][0]], v[ew_edge_vertex[k][1]]};
        put_in_order(r, end);
        EW_TRY(reserve_bucket(r));
        int32_t *bucket = find_bucket(r, end[0], end[1]);
        if (*bucket < 0) {
            EW_TRY(add_edge(r, end, bucket));
        }
        piece_edge *edge = &r->edge[*bucket];
        r->piece[p].next[k] = edge->first;
        edge->first = 6 * p + k;
    }
    return EW_OK;
}

/* ---- tets around an edge ----------------------------------------------- */

static const int32_t *corners(const refiner *r, int32_t code)
{
    return code >= 0 ? r->mesh->tet + 4 * (size_t)code : r->piece[-1 - code].v;
}

/* Pieces that were cut since leave the chain. */
static ew_status gather_pieces(refiner *r, int32_t *link)
{
    while (*link >= 0) {
        piece *p = &r->piece[*link / 6];
        int32_t *next = &p->next[*link % 6];
        if (p->v[0] == -1) {
            *link = *next;
        } else {
            EW_TRY(ew_list_push(&r->around, -1 - *link / 6));
            link = next;
        }
    }
    return EW_OK;
}

static ew_status gather(refiner *r, const int32_t end[2])
{
    int32_t e = ew_pattern_pair_between(&r->topology->pattern, end[0], end[1]);
    const ew_rows *rows = &r->topology->edge_to_tet;
    r->around.n = 0;
    for (int32_t i = 0; e >= 0 && i < rows->count[e]; i++) {
        int32_t t = rows->item[rows->begin[e] + i];
        if (!ew_set_has(&r->cut, t)) {
            EW_TRY(ew_list_push(&r->around, t));
        }
    }
    int32_t edge = r->n_bucket ? *find_bucket(r, end[0], end[1]) : -1;
    return edge < 0 ? EW_OK : gather_pieces(r, &r->edge[edge].first);
}

/* Between edges of equal length; both with their ends in order. */
static bool is_after(const refiner *r, const int32_t e[2], const int32_t f[2])
{
    int64_t p = rank_of(r, e[0]), q = rank_of(r, f[0]);
    return p != q ? p > q : rank_of(r, e[1]) > rank_of(r, f[1]);
}

/* In: an edge of the gathered tets. Out: the longest of their edges. */
static void find_longest(const refiner *r, int32_t longest[2])
{
    double most2 = length2(r, longest[0], longest[1]);
    for (int32_t i = 0; i < r->around.n; i++) {
        const int32_t *v = corners(r, r->around.id[i]);
        for (int k = 0; k < 6; k++) {
            int32_t end[2] = {v[ew_edge_vertex[k][0]], v[ew_edge_vertex[k][1]]};
            double d2 = length2(r, end[0], end[1]);
            if (d2 < most2) {
                continue;
            }
            put_in_order(r, end);
            if (d2 > most2 || is_after(r, end, longest)) {
                longest[0] = end[0];
                longest[1] = end[1];
                most2 = d2;
            }
        }
    }
}

/* ---- bisection --------------------------------------------------------- */

/* Two halves in place of one tet: the middle instead of either end keeps the orientation. */
static ew_status cut_tet(refiner *r, int32_t code, const int32_t end[2], int32_t middle)
{
    int32_t half[2][4], from = code;
    const int32_t *v = corners(r, code);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < 4; k++) {
            half[side][k] = v[k] == end[side] ? middle : v[k];
        }
    }
    if (code >= 0) {
        EW_TRY(ew_set_add(&r->cut, code));
    } else {
        from = r->piece[-1 - code].from;
        r->piece[-1 - code].v[0] = -1;
    }
    EW_TRY(add_piece(r, half[0], from));
    return add_piece(r, half[1], from);
}

/* Cuts the gathered tets. */
static ew_status bisect(refiner *r, const int32_t end[2])
{
    const double *x = position(r, end[0]), *y = position(r, end[1]);
    double xyz[3];
    int32_t middle;
    for (int i = 0; i < 3; i++) {
        xyz[i] = 0.5 * x[i] + 0.5 * y[i];
    }
    EW_TRY(ew_edit_add_vertex_from(r->edit, xyz, end[0], end[1], &middle));
    if (!r->all && is_inside(r, end[0]) && is_inside(r, end[1])) {
        EW_TRY(ew_set_add(&r->middle, EW_NEW_VERTEX(middle)));
    }
    for (int32_t i = 0; i < r->around.n; i++) {
        EW_TRY(cut_tet(r, r->around.id[i], end, middle));
    }
    return EW_OK;
}

static ew_status work_off(refiner *r)
{
    while (r->work.n) {
        int32_t end[2] = {r->work.id[r->work.n - 2], r->work.id[r->work.n - 1]};
        int32_t longest[2] = {end[0], end[1]};
        EW_TRY(gather(r, end));
        if (r->around.n == 0) { /* bisected meanwhile */
            r->work.n -= 2;
            continue;
        }
        find_longest(r, longest);
        if (longest[0] != end[0] || longest[1] != end[1]) {
            EW_TRY(push_work(r, longest));
        } else {
            r->work.n -= 2;
            EW_TRY(bisect(r, end));
        }
    }
    return EW_OK;
}

/* ---- which edges ------------------------------------------------------- */

typedef struct target {
    double length;
    int32_t edge;
} target;

typedef struct target_list {
    int32_t n, capacity;
    target *item; /* [n] owned */
} target_list;

static ew_status consider(const refiner *r, int32_t e, target_list *list)
{
    const int32_t *end = r->topology->pattern.pair_row + 2 * (size_t)e;
    if (end[0] < 0 || !is_inside(r, end[0]) || !is_inside(r, end[1])) {
        return EW_OK;
    }
    double length = sqrt(length2(r, end[0], end[1]));
    if (length > r->longest) {
        EW_TRY(ew_grow(&list->item, &list->capacity, (int64_t)list->n + 1, sizeof *list->item));
        list->item[list->n++] = (target){length, e};
    }
    return EW_OK;
}

static ew_status find_targets(const refiner *r, target_list *list)
{
    const ew_pattern *pattern = &r->topology->pattern;
    const ew_rows *rows = &pattern->row_to_pair;
    for (int32_t e = 0; e < pattern->n_pair && r->all; e++) {
        EW_TRY(consider(r, e, list));
    }
    for (int32_t i = 0; i < r->set.list.n; i++) {
        int32_t v = r->set.list.id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t *item = rows->item + 2 * ((size_t)rows->begin[v] + (size_t)k);
            if (item[0] > v) {
                EW_TRY(consider(r, item[1], list));
            }
        }
    }
    return EW_OK;
}

static int compare_targets(const void *left, const void *right)
{
    const target *x = left, *y = right;
    if (x->length != y->length) {
        return x->length < y->length ? -1 : 1;
    }
    return (x->edge > y->edge) - (x->edge < y->edge);
}

/* Of the tets with four vertices inside, met once at each. */
static double volume_inside(const refiner *r)
{
    const ew_rows *rows = &r->topology->vertex_to_tet;
    int32_t n = r->all ? r->mesh->n_vertex : r->set.list.n;
    double volume = 0.0;
    for (int32_t i = 0; i < n; i++) {
        int32_t v = r->all ? i : r->set.list.id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            int32_t t = rows->item[rows->begin[v] + k];
            const int32_t *corner = corners(r, t);
            if (is_inside(r, corner[0]) && is_inside(r, corner[1]) && is_inside(r, corner[2]) &&
                is_inside(r, corner[3])) {
                volume += 0.25 * ew_mesh_tet_volume(r->mesh, t);
            }
        }
    }
    return volume;
}

/* A tet without edges beyond L has at most the volume of the regular one, L^3 / (6 sqrt(2)),
 * and an edge of length l gets at least l / L - 1 middles, each cutting a tet at least. */
static ew_status check_estimate(const refiner *r, const target_list *list)
{
    double cuts = 0.0, longest = r->longest;
    for (int32_t i = 0; i < list->n; i++) {
        cuts += longest > 0.0 ? list->item[i].length / longest - 1.0 : 1.0;
    }
    double least = r->mesh->n_live_tet + cuts;
    if (longest > 0.0) {
        least = fmax(least, 6.0 * sqrt(2.0) * volume_inside(r) / longest / longest / longest);
    }
    if (least > MAX_LIVE_TET) {
        return ew_fail(EW_LIMIT,
                       "refine: edges no longer than %g need at least %.3g tets; at most %d can "
                       "be named; give a greater length or a smaller set",
                       longest, least, MAX_LIVE_TET);
    }
    return EW_OK;
}

/* Longest on top. */
static ew_status push_targets(refiner *r)
{
    target_list list = {0};
    ew_status status;
    EW_TRY_OUT(find_targets(r, &list));
    EW_TRY_OUT(check_estimate(r, &list));
    if (list.n) {
        qsort(list.item, (size_t)list.n, sizeof *list.item, compare_targets);
    }
    for (int32_t i = 0; i < list.n; i++) {
        EW_TRY_OUT(push_work(r, r->topology->pattern.pair_row + 2 * (size_t)list.item[i].edge));
    }
out:
    ew_release(list.item);
    return status;
}

/* ---- the operation ----------------------------------------------------- */

static ew_status queue_pieces(const refiner *r)
{
    const ew_mesh *mesh = r->mesh;
    ew_refusal refusal = {0};
    for (int32_t i = 0; i < r->cut.list.n; i++) {
        EW_TRY(ew_edit_remove_tet(r->edit, r->cut.list.id[i]));
    }
    ew_list_sort(&r->edit->remove_tet);
    for (int32_t p = 0; p < r->n_piece; p++) {
        const piece *part = &r->piece[p];
        const double *x[4];
        if (part->v[0] == -1) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            x[k] = position(r, part->v[k]);
        }
        ew_refusal_note(&refusal, mesh->tet_id[part->from], x);
        EW_TRY(ew_edit_add_tet_from(r->edit, part->v, mesh->region_label[mesh->region[part->from]],
                                    part->from));
    }
    return ew_refusal_fail(&refusal, "refine", "parts of tets", "give a greater length");
}

static ew_status refine(refiner *r, const ew_list *vertex)
{
    for (int32_t i = 0; vertex && i < vertex->n; i++) {
        EW_TRY(ew_set_add(&r->set, vertex->id[i]));
    }
    EW_TRY(push_targets(r));
    EW_TRY(work_off(r));
    EW_TRY(queue_pieces(r));
    return ew_label_parts(r->mesh, r->edit);
}

static void free_refiner(refiner *r)
{
    ew_set_free(&r->set);
    ew_set_free(&r->middle);
    ew_set_free(&r->cut);
    ew_release(r->piece);
    ew_release(r->edge);
    ew_release(r->bucket);
    ew_list_free(&r->work);
    ew_list_free(&r->around);
}

ew_status ew_operation_refine(const ew_mesh *mesh, const ew_topology *topology, double longest,
                              const ew_list *vertex, ew_edit *edit)
{
    refiner r = {
        .mesh = mesh, .topology = topology, .longest = longest, .all = !vertex, .edit = edit};
    EW_TRY(ew_need_empty("refine", edit));
    EW_TRY(ew_need_tets("refine", mesh));
    EW_TRY(ew_need_current("refine", topology, mesh));
    EW_TRY(ew_need_length("refine", "length", longest));
    if (vertex) {
        EW_TRY(ew_need_vertices("refine", mesh, vertex));
    }
    ew_status status = refine(&r, vertex);
    free_refiner(&r);
    if (status) {
        ew_edit_clear(edit);
    }
    return status;
}
