/* Bisections. In: edges to bisect, the longest last. Out: parts of tets, middles of edges.
 *
 * The mesh is not copied. What was cut lives in `part`, chained at its edges; a tet of the mesh
 * enters when it is cut first. An edge shorter than all that are left to bisect will never be
 * bisected, since only longer ones come before it: it gets no name and no chain, and a part with
 * none but such edges is finished and queued at once. */
#include "operation/refine/refine.h"

#include <string.h>

/* So many spokes are searched one by one. */
enum { MAX_LISTED = 16 };

/* ---- edges ------------------------------------------------------------- */

/* Between edges of equal length. */
static bool is_after(const int32_t e[2], const int32_t f[2])
{
    return e[0] != f[0] ? e[0] > f[0] : e[1] > f[1];
}

/* The same of edges whose ends come in any order. */
static bool ends_are_after(const int32_t e[2], const int32_t f[2])
{
    const int32_t a = e[0] < e[1] ? e[0] : e[1], b = e[0] < e[1] ? e[1] : e[0];
    const int32_t c = f[0] < f[1] ? f[0] : f[1], d = f[0] < f[1] ? f[1] : f[0];
    return a != c ? a > c : b > d;
}

static inline ew_status push(ew_list *list, int32_t id)
{
    if (list->n == list->capacity) {
        return ew_list_push(list, id);
    }
    list->id[list->n++] = id;
    return EW_OK;
}

/* Names the edge from the newest vertex to v; it is bisected too if it is too long. */
static ew_status add_edge(ew_refiner *r, int32_t v, int32_t *edge)
{
    const int32_t newest = r->mesh->n_vertex + r->edit->n_add_vertex - 1;
    *edge = -1;
    if (ew_refine_length2(r, v, newest) < r->min2) {
        return EW_OK;
    }
    EW_TRY(ew_refine_add_edge(r, v, newest, -1, edge));
    const bool inside = ew_refine_is_inside(r, v) && ew_refine_is_inside(r, newest);
    return inside && r->longest > 0.0 ? push(&r->work, *edge) : EW_OK;
}

/* The place of the spoke to v, -1: it has none yet. */
static int32_t find_spoke(const ew_refiner *r, int32_t v)
{
    for (int32_t i = 0; i < r->n_spoke && i < MAX_LISTED; i++) {
        if (r->spoke[i].v == v) {
            return i;
        }
    }
    return r->n_spoke > MAX_LISTED ? ew_map_find(&r->spoke_at, v, -1, -1) : -1;
}

/* The edge from the newest vertex to v, which tets around the bisected edge share. */
static ew_status take_spoke(ew_refiner *r, int32_t v, int32_t *edge)
{
    int32_t at = find_spoke(r, v);
    if (at >= 0) {
        *edge = r->spoke[at].edge;
        return EW_OK;
    }
    EW_TRY(ew_grow(&r->spoke, &r->spoke_capacity, (int64_t)r->n_spoke + 1, sizeof *r->spoke));
    if (r->n_spoke >= MAX_LISTED) {
        EW_TRY(ew_map_enter(&r->spoke_at, v, -1, -1, r->n_spoke, &at));
    }
    EW_TRY(add_edge(r, v, edge));
    r->spoke[r->n_spoke++] = (ew_spoke){v, *edge, 0};
    return EW_OK;
}

/* Which of six edges is the longest of those with names; -1: none has. */
static int longest_of(const ew_refiner *r, const int32_t v[4], const int32_t edge[6])
{
    int32_t max[2] = {-1, -1};
    int longest = -1;
    double max2 = 0.0;
    for (int k = 0; k < 6; k++) {
        if (edge[k] < 0) {
            continue;
        }
        const int32_t end[2] = {v[ew_edge_vertex[k][0]], v[ew_edge_vertex[k][1]]};
        const double d2 = ew_refine_length2(r, end[0], end[1]);
        if (longest < 0 || d2 > max2 || (d2 == max2 && ends_are_after(end, max))) {
            longest = k;
            max2 = d2;
            max[0] = end[0];
            max[1] = end[1];
        }
    }
    return longest;
}

/* ---- parts ------------------------------------------------------------- */

static ew_status queue_part(ew_edit *edit, const int32_t v[4], int32_t from)
{
    const int32_t n = edit->n_add_tet;
    if (n >= edit->add_tet_capacity || n >= edit->add_from_capacity) {
        EW_TRY(ew_grow(&edit->add_tet, &edit->add_tet_capacity, (int64_t)n + 1, 4 * sizeof *v));
        EW_TRY(ew_grow(&edit->add_tet_from, &edit->add_from_capacity, (int64_t)n + 1, sizeof from));
    }
    memcpy(edit->add_tet + 4 * (size_t)n, v, 4 * sizeof *v);
    edit->add_tet_from[n] = from;
    edit->n_add_tet++;
    return EW_OK;
}

/* A place for a part; the one that was left last is still in the cache. */
static ew_status take_place(ew_refiner *r, int32_t *p)
{
    if (r->free_part.n) {
        *p = r->free_part.id[--r->free_part.n];
        return EW_OK;
    }
    if (r->n_part == r->part_capacity) {
        EW_TRY(ew_grow(&r->part, &r->part_capacity, (int64_t)r->n_part + 1, sizeof *r->part));
    }
    *p = r->n_part++;
    return EW_OK;
}

/* A part that was cut leaves a chain. */
static ew_status leave_chain(ew_refiner *r, int32_t p)
{
    return --r->part[p].n_chain ? EW_OK : push(&r->free_part, p);
}

static ew_status add_part(ew_refiner *r, const int32_t v[4], const int32_t edge[6], int32_t from)
{
    int32_t p;
    r->n_made++;
    if ((edge[0] & edge[1] & edge[2] & edge[3] & edge[4] & edge[5]) < 0) {
        return queue_part(r->edit, v, from);
    }
    EW_TRY(take_place(r, &p));
    ew_part *part = &r->part[p];
    memcpy(part->v, v, sizeof part->v);
    part->n_chain = 0;
    part->from = from;
    part->place = r->edit->n_add_tet;
    part->number = r->n_made - 1;
    part->longest = edge[longest_of(r, v, edge)];
    for (int k = 0; k < 6; k++) {
        part->edge[k] = edge[k];
        if (edge[k] >= 0) {
            int32_t *first = ew_refine_chain(r, edge[k]);
            part->next[k] = *first;
            *first = 6 * p + k;
            part->n_chain++;
        }
    }
    return EW_OK;
}

/* ---- tets around an edge ----------------------------------------------- */

/* Parts that were cut since leave the chain. */
static ew_status gather_parts(ew_refiner *r, int32_t *link)
{
    while (*link >= 0) {
        ew_part *p = &r->part[*link / 6];
        int32_t *next = &p->next[*link % 6];
        if (p->v[0] == -1) {
            const int32_t left = *link / 6;
            *link = *next;
            EW_TRY(leave_chain(r, left));
        } else {
            EW_TRY(push(&r->around, -1 - *link / 6));
            link = next;
        }
    }
    return EW_OK;
}

static ew_status gather(ew_refiner *r, int32_t e)
{
    const ew_rows *rows = &r->topology->edge_to_tet;
    r->around.n = 0;
    const int32_t slot = ew_refine_slot(r, e);
    for (int32_t i = 0; slot >= 0 && i < rows->count[slot]; i++) {
        const int32_t t = rows->item[rows->begin[slot] + i];
        if (!ew_refine_is_cut(r, t)) {
            EW_TRY(push(&r->around, t));
        }
    }
    return gather_parts(r, ew_refine_chain(r, e));
}

/* The longest edge of a gathered tet, which has edge e. */
static ew_status find_longest_of(ew_refiner *r, int32_t e, int32_t code, int32_t *longest)
{
    if (code < 0) {
        *longest = r->part[-1 - code].longest;
        return EW_OK;
    }
    const int32_t *slot = r->topology->tet_to_edge + 6 * (size_t)code;
    const int k = longest_of(r, r->mesh->tet + 4 * (size_t)code, slot);
    *longest = e;
    return slot[k] == ew_refine_slot(r, e) ? EW_OK : ew_refine_enter_edge(r, slot[k], longest);
}

/* Of all gathered tets. */
static ew_status find_longest(ew_refiner *r, int32_t e, int32_t *longest)
{
    *longest = e;
    for (int32_t i = 0; i < r->around.n; i++) {
        int32_t other;
        EW_TRY(find_longest_of(r, e, r->around.id[i], &other));
        if (other != *longest) {
            const int32_t *f = ew_refine_ends(r, other), *g = ew_refine_ends(r, *longest);
            const double f2 = ew_refine_length2(r, f[0], f[1]);
            const double g2 = ew_refine_length2(r, g[0], g[1]);
            *longest = f2 > g2 || (f2 == g2 && is_after(f, g)) ? other : *longest;
        }
    }
    return EW_OK;
}

/* ---- bisection --------------------------------------------------------- */

/* Takes a tet apart: its vertices, its edges that have names, and where it is from. */
static ew_status take_tet(ew_refiner *r, int32_t code, int32_t v[4], int32_t edge[6], int32_t *from)
{
    if (code < 0) {
        ew_part *part = &r->part[-1 - code];
        memcpy(v, part->v, sizeof part->v);
        memcpy(edge, part->edge, sizeof part->edge);
        *from = part->from;
        part->v[0] = -1;
        return EW_OK;
    }
    const int32_t *slot = r->topology->tet_to_edge + 6 * (size_t)code;
    memcpy(v, r->mesh->tet + 4 * (size_t)code, 4 * sizeof *v);
    for (int k = 0; k < 6; k++) {
        const int32_t a = v[ew_edge_vertex[k][0]], b = v[ew_edge_vertex[k][1]];
        edge[k] = -1;
        if (ew_refine_length2(r, a, b) >= r->min2) {
            EW_TRY(ew_refine_enter_edge(r, slot[k], &edge[k]));
        }
    }
    *from = code;
    return ew_refine_enter_cut(r, code);
}

/* A tet lies between two faces around the edge under bisection: on one side of the one and on the
 * other side of the other. */
static void note_sides(ew_refiner *r, const int32_t v[4], const int32_t end[2])
{
    /* Across from an edge: both vertices in the order that makes a positive tet with its ends. */
    static const int8_t across[6][2] = {{2, 3}, {3, 1}, {1, 2}, {0, 3}, {2, 0}, {0, 1}};
    for (int k = 0; k < 6; k++) {
        const int32_t a = v[ew_edge_vertex[k][0]], b = v[ew_edge_vertex[k][1]];
        if ((a != end[0] || b != end[1]) && (a != end[1] || b != end[0])) {
            continue;
        }
        for (int i = 0; i < 2; i++) {
            unsigned *sides = &r->spoke[find_spoke(r, v[across[k][i]])].sides;
            const unsigned side = 1u << (i ^ (a == end[0]));
            r->crowded = r->crowded || *sides & side;
            *sides |= side;
        }
    }
}

/* Two halves in place of one tet: the middle instead of either end keeps the orientation.
 * half_edge[i]: between end[i] and the middle; -2: not looked at yet. */
static ew_status cut_tet(ew_refiner *r, int32_t code, const int32_t end[2], int32_t half_edge[2])
{
    int32_t v[4], edge[6], from;
    const int32_t newest = r->mesh->n_vertex + r->edit->n_add_vertex - 1;
    EW_TRY(take_tet(r, code, v, edge, &from));
    for (int side = 0; side < 2; side++) {
        int32_t half[4], half_edges[6];
        for (int k = 0; k < 4; k++) {
            half[k] = v[k] == end[side] ? newest : v[k];
        }
        for (int k = 0; k < 6; k++) {
            const int32_t a = v[ew_edge_vertex[k][0]], b = v[ew_edge_vertex[k][1]];
            half_edges[k] = edge[k];
            if (a != end[side] && b != end[side]) {
                continue;
            }
            const int32_t other = a == end[side] ? b : a;
            if (other != end[1 - side]) {
                EW_TRY(take_spoke(r, other, &half_edges[k]));
                continue;
            }
            if (half_edge[1 - side] == -2) {
                EW_TRY(add_edge(r, other, &half_edge[1 - side]));
            }
            half_edges[k] = half_edge[1 - side];
        }
        EW_TRY(add_part(r, half, half_edges, from));
    }
    note_sides(r, v, end);
    return EW_OK;
}

static ew_status add_middle(ew_refiner *r, const int32_t end[2])
{
    const int32_t n = r->edit->n_add_vertex;
    double middle[3];
    if (!r->whole) {
        EW_TRY(
            ew_grow(&r->middle_inside, &r->middle_inside_capacity, (int64_t)n + 1, sizeof(bool)));
        r->middle_inside[n] = ew_refine_is_inside(r, end[0]) && ew_refine_is_inside(r, end[1]);
    }
    const double *x = ew_refine_place(r, end[0]), *y = ew_refine_place(r, end[1]);
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * x[i] + 0.5 * y[i];
    }
    return ew_edit_add_vertex_from(r->edit, middle, ew_refine_name(r, end[0]),
                                   ew_refine_name(r, end[1]), NULL);
}

/* Each cut made two parts of one tet. */
static int64_t count_tets(const ew_refiner *r)
{
    return (int64_t)r->mesh->n_live_tet + r->n_made / 2;
}

/* Before one more edge is bisected. */
static ew_status check_limit(const ew_refiner *r)
{
    const int64_t n = count_tets(r) + r->around.n;
    if (n <= r->max_tets) {
        return EW_OK;
    }
    if (r->longest > 0.0) {
        return ew_fail(EW_LIMIT,
                       "refine: edges no longer than %g need at least %lld tets; at most %d are "
                       "allowed; give a greater length or a smaller set, or allow more (max_tets)",
                       r->longest, (long long)n, r->max_tets);
    }
    return ew_fail(EW_LIMIT,
                   "refine: to bisect these edges, with the longer ones around them first, needs "
                   "at least %lld tets; at most %d are allowed; choose other edges, or allow more "
                   "(max_tets)",
                   (long long)n, r->max_tets);
}

/* Cuts the gathered tets. */
static ew_status bisect(ew_refiner *r, int32_t e)
{
    const int32_t *ends = ew_refine_ends(r, e), end[2] = {ends[0], ends[1]};
    int32_t half_edge[2] = {-2, -2};
    EW_TRY(check_limit(r));
    EW_TRY(add_middle(r, end));
    if (r->n_spoke > MAX_LISTED) {
        ew_map_clear(&r->spoke_at);
    }
    r->n_spoke = 0;
    for (int32_t i = 0; i < r->around.n; i++) {
        EW_TRY(cut_tet(r, r->around.id[i], end, half_edge));
    }
    *ew_refine_chain(r, e) = -1; /* all of them were cut */
    for (int32_t i = 0; i < r->around.n; i++) {
        EW_TRY(r->around.id[i] < 0 ? leave_chain(r, -1 - r->around.id[i]) : EW_OK);
    }
    return EW_OK;
}

ew_status ew_refine_cut(ew_refiner *r)
{
    while (r->work.n) {
        const int32_t e = r->work.id[r->work.n - 1];
        EW_TRY(gather(r, e));
        if (r->around.n == 0) { /* bisected meanwhile */
            r->work.n--;
            continue;
        }
        int32_t longest;
        EW_TRY(find_longest(r, e, &longest));
        if (longest != e) {
            EW_TRY(push(&r->work, longest));
        } else {
            r->work.n--;
            EW_TRY(bisect(r, e));
        }
    }
    return EW_OK;
}
