/* Vertices near the surface of a cut. In: a part of the mesh with every crossed tet. Out: those
 * that the surface passes close by are on it.
 *
 * An edge that is crossed near one of its ends would be cut into pieces of very different lengths.
 * So a vertex that is nearer than 0.3 of such an edge moves onto the surface, along the faces and
 * edges of the body that it lies on, the nearest ones first. Where it may not, because its tets
 * would become too bad or it is a corner, but the fraction is below 0.15, it counts as on the
 * surface where it is: it is welded. Neither where the surface would be pinched there. */
#include "operation/cut/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SNAP         0.3 /* of an edge */
#define WELD         0.15
#define WELD_PATCH   1e-9
#define FARTHEST     0.6 /* of the mean edge */
#define KEEP_QUALITY 0.15
#define KEEP_SHARE   0.6

/* Least fraction of a crossed edge at the vertex; above 1: none is crossed. */
static double nearest_crossing(ew_cutter *c, int32_t vertex)
{
    const ew_local *local = &c->local;
    const double own = fabs(ew_cut_off(c, vertex));
    double least = 2.0;
    for (int32_t k = local->vertex[vertex].first; k >= 0; k = local->tet[k / 4].next[k % 4]) {
        for (int i = 0; i < 4; i++) {
            const int32_t v = local->tet[k / 4].v[i];
            if (local->vertex[v].sign * local->vertex[vertex].sign == -1) {
                least = fmin(least, own / (own + fabs(ew_cut_off(c, v))));
            }
        }
    }
    return least;
}

/* ---- a place on the surface ------------------------------------------------ */

/* The part of the gradient along which the vertex may move. */
static void slide(const ew_local *local, const ew_local_class *class, double g[3])
{
    double along = 0.0, t[3] = {0, 0, 0}, length = 0.0;
    if (class->kind == EW_LOCAL_SURFACE && class->has_normal) {
        for (int i = 0; i < 3; i++) {
            along += g[i] * class->normal[i];
        }
        for (int i = 0; i < 3; i++) {
            g[i] -= along * class->normal[i];
        }
    } else if (class->kind == EW_LOCAL_RIDGE) {
        for (int i = 0; i < 3; i++) {
            t[i] = local->vertex[class->ridge[1]].x[i] - local->vertex[class->ridge[0]].x[i];
            length += t[i] * t[i];
            along += g[i] * t[i];
        }
        for (int i = 0; i < 3; i++) {
            g[i] = length > 0.0 ? along / length * t[i] : 0.0;
        }
    }
}

/* Newton's steps; false: none near that faces of the body allow. */
static bool find_place(const ew_cutter *c, int32_t vertex, const ew_local_class *class, double size,
                       double x[3])
{
    double off = INFINITY;
    memcpy(x, c->local.vertex[vertex].x, 3 * sizeof *x);
    for (int step = 0; step < 20; step++) {
        double g[3], slope = 0.0;
        off = c->shape.distance(&c->shape, x, g);
        if (fabs(off) < 1e-14 * size) {
            break;
        }
        slide(&c->local, class, g);
        for (int i = 0; i < 3; i++) {
            slope += g[i] * g[i];
        }
        if (!(slope > 0.01)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            x[i] -= off / slope * g[i];
        }
        if (!ew_local_project(&c->local, vertex, class, x)) {
            return false;
        }
    }
    const double exact = class->kind == EW_LOCAL_INNER || class->is_exact ? 1e-10 : 1e-3;
    return fabs(c->shape.distance(&c->shape, x, NULL)) < exact * size;
}

/* ---- whether it is pinched --------------------------------------------------- */

/* Neighbors of one sign must hang together around the vertex: one sheet of the surface goes
 * through it. */
static int components_of(ew_local *local, int32_t vertex, int8_t sign)
{
    enum { MAX = 128 };
    int32_t of[MAX], group[MAX];
    int n = 0, parts = 0;
    for (int32_t i = 0; i < local->near.n; i++) {
        if (local->vertex[local->near.id[i]].sign == sign && n < MAX) {
            group[n] = n;
            of[n++] = local->near.id[i];
        }
    }
    for (int32_t k = local->vertex[vertex].first; k >= 0; k = local->tet[k / 4].next[k % 4]) {
        int first = -1;
        for (int j = 0; j < n; j++) {
            if (ew_local_corner(&local->tet[k / 4], of[j]) < 0) {
                continue;
            }
            const int32_t from = group[j], to = first < 0 ? from : group[first];
            for (int i = 0; i < n; i++) {
                group[i] = group[i] == from ? to : group[i];
            }
            first = first < 0 ? j : first;
        }
    }
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int k = 0; k < i; k++) {
            again = again || group[k] == group[i];
        }
        parts += !again;
    }
    return parts;
}

static ew_status would_pinch(ew_local *local, int32_t vertex, bool *pinched)
{
    EW_TRY(ew_local_neighbors(local, vertex));
    *pinched = components_of(local, vertex, -1) > 1 || components_of(local, vertex, 1) > 1;
    return EW_OK;
}

/* ---- one vertex ---------------------------------------------------------------- */

static double length_between(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static ew_status try_move(ew_cutter *c, int32_t vertex, bool *moved)
{
    ew_local *local = &c->local;
    ew_local_class class;
    double size, x[3], from[3];
    *moved = false;
    EW_TRY(ew_local_classify(local, vertex, &class));
    EW_TRY(ew_local_size(local, vertex, &size));
    memcpy(from, local->vertex[vertex].x, sizeof from);
    if (class.kind == EW_LOCAL_CORNER || !find_place(c, vertex, &class, size, x) ||
        length_between(x, from) > FARTHEST * size) {
        return EW_OK;
    }
    const double before = ew_local_min_quality(local, vertex);
    ew_local_move(local, vertex, x);
    *moved = ew_local_min_quality(local, vertex) >= fmin(KEEP_QUALITY, KEEP_SHARE * before);
    if (*moved) {
        c->off[vertex] = ew_cut_unknown();
    } else {
        ew_local_move(local, vertex, from);
    }
    return EW_OK;
}

/* Below which fraction the surface goes through the vertex where it is. A surface file's edges and
 * corners stay where they are, but where the body itself is curved. */
static ew_status weld_below(ew_cutter *c, int32_t vertex, double *fraction)
{
    ew_local_class class;
    const ew_local *local = &c->local;
    bool boundary = false;
    *fraction = WELD;
    if (c->def->kind != EW_CUT_SURFACE) {
        return EW_OK;
    }
    for (int32_t at = local->vertex[vertex].first; at >= 0; at = local->tet[at / 4].next[at % 4]) {
        for (int k = 0; k < 4; k++) {
            const int32_t record = k == at % 4 ? -1 : local->tet[at / 4].face[k];
            boundary = boundary || (record >= 0 && local->face[record].is_boundary);
        }
    }
    EW_TRY(ew_local_classify(&c->local, vertex, &class));
    *fraction = boundary && class.is_curved ? WELD : WELD_PATCH;
    return EW_OK;
}

static ew_status weld(ew_cutter *c, int32_t vertex)
{
    ew_local_class class;
    EW_TRY(ew_local_classify(&c->local, vertex, &class));
    const double off = fabs(ew_cut_off(c, vertex));
    c->local.vertex[vertex].is_welded = off > 0.0 && !class.is_curved;
    c->welded_off = fmax(c->welded_off, off);
    c->n_welded++;
    return EW_OK;
}

static ew_status snap(ew_cutter *c, int32_t vertex)
{
    ew_local *local = &c->local;
    const double fraction = nearest_crossing(c, vertex);
    bool moved, pinched;
    if (fraction > SNAP) { /* its neighbors were snapped meanwhile */
        return EW_OK;
    }
    EW_TRY(would_pinch(local, vertex, &pinched));
    if (pinched) {
        return EW_OK;
    }
    EW_TRY(try_move(c, vertex, &moved));
    double below = WELD;
    EW_TRY(moved ? EW_OK : weld_below(c, vertex, &below));
    if (moved || fraction < below) {
        EW_TRY(moved ? EW_OK : weld(c, vertex));
        local->vertex[vertex].sign = 0;
        c->n_snapped += moved;
    }
    return EW_OK;
}

/* ---- all ------------------------------------------------------------------------ */

static int compare(const void *left, const void *right)
{
    const ew_keyed *x = left, *y = right;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->name > y->name) - (x->name < y->name);
}

ew_status ew_cut_snap(ew_cutter *c)
{
    const int32_t n_vertex = c->local.n_vertex;
    ew_keyed *list;
    int32_t n = 0;
    EW_TRY(ew_new(&list, (size_t)n_vertex, sizeof *list));
    for (int32_t v = 0; v < n_vertex; v++) {
        const ew_local_vertex *of = &c->local.vertex[v];
        const double fraction = of->is_open && of->sign ? nearest_crossing(c, v) : 2.0;
        if (fraction <= SNAP) {
            list[n++] = (ew_keyed){fraction, of->name, v};
        }
    }
    qsort(list, (size_t)n, sizeof *list, compare);
    ew_status status = EW_OK;
    for (int32_t i = 0; i < n && !status; i++) {
        status = snap(c, list[i].slot);
    }
    ew_release(list);
    return status;
}
