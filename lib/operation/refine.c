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
 * Cost: O(tets made), and without a set or with a large one some passes over the mesh.
 * refine_known.c keeps what is known of the mesh, refine_cut.c bisects, refine_queue.c makes an
 * edit of it. */
#include "operation/refine.h"

#include <math.h>
#include <string.h>

#define MAX_LIVE_TET (INT32_MAX / 4)

/* ---- which edges ------------------------------------------------------- */

typedef struct target {
    double length;
    int32_t edge; /* slot */
} target;

typedef struct target_list {
    int32_t n, capacity;
    target *item; /* [n] owned */
    target *room; /* [n] owned: for sorting */
} target_list;

static ew_status consider(ew_refiner *r, int32_t slot, target_list *list)
{
    const int32_t *end = r->topology->pattern.pair_row + 2 * (size_t)slot;
    if (end[0] < 0 || !ew_refine_is_inside(r, end[0]) || !ew_refine_is_inside(r, end[1])) {
        return EW_OK;
    }
    const double length2 = ew_refine_length2(r, end[0], end[1]);
    if (length2 < r->min2) {
        return EW_OK;
    }
    if (list->n == list->capacity) {
        EW_TRY(ew_grow(&list->item, &list->capacity, (int64_t)list->n + 1, sizeof *list->item));
    }
    list->item[list->n++] = (target){sqrt(length2), slot};
    return EW_OK;
}

static ew_status find_targets(ew_refiner *r, const ew_list *set, target_list *list)
{
    const ew_rows *rows = &r->topology->pattern.row_to_pair;
    for (int32_t e = 0; e < r->topology->pattern.n_pair && !set; e++) {
        EW_TRY(consider(r, e, list));
    }
    for (int32_t i = 0; set && i < set->n; i++) {
        int32_t v = set->id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t *item = rows->item + 2 * ((size_t)rows->begin[v] + (size_t)k);
            if (item[0] > v) {
                EW_TRY(consider(r, item[1], list));
            }
        }
    }
    return EW_OK;
}

/* Eleven bits of a target's key: the edge's number, then the bits of its length, which rise with
 * it as lengths are positive. */
enum { DIGIT = 11, N_DIGIT = 1 << DIGIT, EDGE_PASSES = 3, PASSES = EDGE_PASSES + 6 };

static inline uint32_t digit_of(const target *t, int pass)
{
    uint64_t key = (uint64_t)t->edge;
    int shift = DIGIT * pass;
    if (pass >= EDGE_PASSES) {
        memcpy(&key, &t->length, sizeof key);
        shift = DIGIT * (pass - EDGE_PASSES);
    }
    return (uint32_t)(key >> shift) & (N_DIGIT - 1);
}

/* By length, then by edge: least significant digits first. */
static ew_status sort_targets(target_list *list)
{
    EW_TRY(ew_new(&list->room, (size_t)list->n, sizeof *list->room));
    for (int pass = 0; pass < PASSES; pass++) {
        int32_t place[N_DIGIT] = {0}, sum = 0;
        for (int32_t i = 0; i < list->n; i++) {
            place[digit_of(&list->item[i], pass)]++;
        }
        if (list->n && place[digit_of(&list->item[0], pass)] == list->n) {
            continue; /* all have the same */
        }
        for (int d = 0; d < N_DIGIT; d++) {
            const int32_t n = place[d];
            place[d] = sum;
            sum += n;
        }
        for (int32_t i = 0; i < list->n; i++) {
            list->room[place[digit_of(&list->item[i], pass)]++] = list->item[i];
        }
        target *sorted = list->room;
        list->room = list->item;
        list->item = sorted;
    }
    return EW_OK;
}

/* ---- how many tets ----------------------------------------------------- */

/* 0 unless all four vertices are inside. */
static double volume_if_inside(const ew_refiner *r, int32_t t)
{
    const int32_t *v = r->mesh->tet + 4 * (size_t)t;
    const bool inside = v[0] >= 0 && ew_refine_is_inside(r, v[0]) && ew_refine_is_inside(r, v[1]) &&
                        ew_refine_is_inside(r, v[2]) && ew_refine_is_inside(r, v[3]);
    return inside ? ew_mesh_tet_volume(r->mesh, t) : 0.0;
}

/* Of the tets inside, each at the vertex that its list begins with. */
static double volume_inside(const ew_refiner *r, const ew_list *set)
{
    const ew_rows *rows = &r->topology->vertex_to_tet;
    double volume = 0.0;
    for (int32_t t = 0; t < r->mesh->n_tet && !set; t++) {
        volume += volume_if_inside(r, t);
    }
    for (int32_t i = 0; set && i < set->n; i++) {
        const int32_t v = set->id[i];
        for (int32_t k = 0; k < rows->count[v]; k++) {
            const int32_t t = rows->item[rows->begin[v] + k];
            volume += r->mesh->tet[4 * (size_t)t] == v ? volume_if_inside(r, t) : 0.0;
        }
    }
    return volume;
}

/* A tet without edges beyond L has at most the volume of the regular one, L^3 / (6 sqrt(2)),
 * and an edge of length l gets at least l / L - 1 middles, each cutting a tet at least. */
static ew_status check_estimate(const ew_refiner *r, const ew_list *set, const target_list *list)
{
    double cuts = 0.0, longest = r->longest;
    for (int32_t i = 0; i < list->n; i++) {
        cuts += longest > 0.0 ? list->item[i].length / longest - 1.0 : 1.0;
    }
    double min = r->mesh->n_live_tet + cuts;
    if (longest > 0.0) {
        min = fmax(min, 6.0 * sqrt(2.0) * volume_inside(r, set) / longest / longest / longest);
    }
    if (min > MAX_LIVE_TET) {
        return ew_fail(EW_LIMIT,
                       "refine: edges no longer than %g need at least %.3g tets; at most %d can "
                       "be named; give a greater length or a smaller set",
                       longest, min, MAX_LIVE_TET);
    }
    return EW_OK;
}

/* ---- the operation ----------------------------------------------------- */

/* The least squared length whose root is above `longest`: roots are rounded. */
static double min_length2(double longest)
{
    double x = longest * longest;
    while (!(sqrt(x) > longest)) {
        x = nextafter(x, INFINITY);
    }
    while (x > 0.0 && sqrt(nextafter(x, 0.0)) > longest) {
        x = nextafter(x, 0.0);
    }
    return x;
}

/* Sorted by length; squares of equal lengths may differ, for roots are rounded. */
static double shortest2(const ew_refiner *r, const target_list *list)
{
    double min2 = INFINITY;
    for (int32_t i = 0; i < list->n && list->item[i].length == list->item[0].length; i++) {
        const ew_refine_edge *e = &r->edge[r->work.id[i]];
        min2 = fmin(min2, ew_refine_length2(r, e->a, e->b));
    }
    return min2;
}

/* Longest on top. Where each edge is bisected once, none is that is shorter than the shortest. */
static ew_status push_targets(ew_refiner *r, const ew_list *set)
{
    target_list list = {0};
    ew_status status;
    r->min2 = min_length2(r->longest);
    EW_TRY_OUT(find_targets(r, set, &list));
    EW_TRY_OUT(check_estimate(r, set, &list));
    EW_TRY_OUT(sort_targets(&list));
    EW_TRY_OUT(ew_grow(&r->work.id, &r->work.capacity, list.n, sizeof *r->work.id));
    for (int32_t i = 0; i < list.n; i++) {
        EW_TRY_OUT(ew_refine_enter_edge(r, list.item[i].edge, &r->work.id[r->work.n++]));
    }
    if (list.n && r->longest == 0.0) {
        r->min2 = shortest2(r, &list);
    }
out:
    ew_release(list.item);
    ew_release(list.room);
    return status;
}

/* Each vertex of the set once. */
static ew_status refine(ew_refiner *r, const ew_list *vertex)
{
    EW_TRY(ew_refine_start(r, vertex));
    EW_TRY(push_targets(r, vertex));
    EW_TRY(ew_refine_cut(r));
    EW_TRY(ew_refine_queue(r));
    return ew_label_parts(r->mesh, r->topology, r->edit);
}

static void free_refiner(ew_refiner *r)
{
    ew_list_free(&r->work);
    ew_list_free(&r->around);
    ew_map_free(&r->known);
    ew_map_free(&r->spoke_at);
    ew_release(r->middle);
    ew_release(r->middle_inside);
    ew_release(r->inside);
    ew_release(r->cut);
    ew_release(r->edge);
    ew_release(r->part);
    ew_release(r->origin);
    ew_release(r->spoke);
}

ew_status ew_operation_refine(const ew_mesh *mesh, const ew_topology *topology, double longest,
                              const ew_list *vertex, ew_edit *edit)
{
    ew_refiner r = {.mesh = mesh, .topology = topology, .longest = longest, .edit = edit};
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

/* ---- its place in the table -------------------------------------------- */

enum { LONGER_THAN, SET, N_PARAMETER };

static const ew_parameter parameters[N_PARAMETER] = {
    [LONGER_THAN] = {.key = "longer_than",
                     .kind = EW_PARAMETER_LENGTH,
                     .need = EW_SOME_OF,
                     .above = true,
                     .argument = "LENGTH",
                     .help = "edges to bisect"},
    [SET] = {.key = "set",
             .kind = EW_PARAMETER_VERTICES,
             .need = EW_SOME_OF,
             .argument = "SET",
             .help = "edges between two of these vertices (all)"},
};

static ew_status queue_values(const ew_operation_input *in, ew_edit *edit)
{
    return ew_operation_refine(in->mesh, in->topology, in->values->of[LONGER_THAN].number[0],
                               in->vertex, edit);
}

const ew_operation ew_refine_operation = {
    .name = "refine",
    .summary = "bisect long edges",
    .text = "With a selection, edges between two of its vertices. Neighbors are split where\n"
            "needed, so the mesh stays conforming.",
    .example = "part.mesh --longer-than 0.01 -o fine.mesh",
    .file_code = 7,
    .n_parameter = N_PARAMETER,
    .parameter = parameters,
    .queue = queue_values,
};
