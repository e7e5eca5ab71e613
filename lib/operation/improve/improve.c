/* Local improvement of quality. In: a part of a mesh, with marks where. Out: the part with better
 * tets, or what is wrong with the worst.
 *
 * A pass collapses edges that are short for where they are, moves vertices whose tets are bad, and
 * takes the bad tets one after the other, the worst first: an edge, a face, a vertex goes, or a
 * vertex moves, whatever helps first. Everything is chosen by quality and names. Thresholds are
 * those of a trial on 500 cuts of boxes, plates and scanned bodies. */
#include "operation/improve/improve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_EDGE 0.35 /* of the local mean */

ew_improve_def ew_default_improve_def(void)
{
    return (ew_improve_def){.goal = 0.3, .floor = 0.05, .passes = 8};
}

/* ---- where ---------------------------------------------------------------- */

ew_status ew_improve_rings(ew_local *local, int32_t rings)
{
    for (int32_t ring = 0; ring < rings; ring++) {
        const int32_t n = local->n_vertex;
        for (int32_t v = 0; v < n; v++) {
            if (local->vertex[v].ring != ring || !local->vertex[v].n_tet) {
                continue;
            }
            EW_TRY(ew_local_open(local, v));
            EW_TRY(ew_local_neighbors(local, v));
            for (int32_t i = 0; i < local->near.n; i++) {
                ew_local_vertex *near = &local->vertex[local->near.id[i]];
                near->ring = near->ring < 0 ? (int8_t)(ring + 1) : near->ring;
            }
        }
    }
    for (int32_t v = 0; v < local->n_vertex; v++) {
        if (local->vertex[v].ring == rings) {
            EW_TRY(ew_local_open(local, v));
        }
    }
    return EW_OK;
}

static bool is_marked(const ew_local *local, int32_t t)
{
    const int32_t *v = local->tet[t].v;
    return v[0] >= 0 && (local->vertex[v[0]].ring >= 0 || local->vertex[v[1]].ring >= 0 ||
                         local->vertex[v[2]].ring >= 0 || local->vertex[v[3]].ring >= 0);
}

/* ---- lists in order ---------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    const ew_keyed *x = left, *y = right;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->name > y->name) - (x->name < y->name);
}

typedef struct improver {
    ew_local *local;
    const ew_improve_def *def;
    int32_t n, capacity;
    ew_keyed *item; /* [n] owned */
    bool any;       /* something was done in this pass */
} improver;

static ew_status push_candidate(improver *in, double key, int64_t name, int32_t id)
{
    EW_TRY(ew_grow(&in->item, &in->capacity, (int64_t)in->n + 1, sizeof *in->item));
    in->item[in->n++] = (ew_keyed){key, name, id};
    return EW_OK;
}

static void sort_items(improver *in)
{
    if (in->n) { /* the list of none may be null, which qsort does not take */
        qsort(in->item, (size_t)in->n, sizeof *in->item, compare);
    }
}

static ew_status list_vertices(improver *in)
{
    const ew_local *local = in->local;
    in->n = 0;
    for (int32_t v = 0; v < local->n_vertex; v++) {
        const ew_local_vertex *of = &local->vertex[v];
        if (of->ring >= 0 && of->n_tet && of->is_open) {
            EW_TRY(push_candidate(in, 0.0, of->name, v));
        }
    }
    sort_items(in);
    return EW_OK;
}

static ew_status list_bad(improver *in)
{
    const ew_local *local = in->local;
    in->n = 0;
    for (int32_t t = 0; t < local->n_tet; t++) {
        if (is_marked(local, t) && local->tet[t].quality < in->def->goal) {
            EW_TRY(push_candidate(in, local->tet[t].quality, local->tet[t].name, t));
        }
    }
    sort_items(in);
    return EW_OK;
}

/* ---- short edges -------------------------------------------------------------- */

static double length_of(const ew_local *local, int32_t a, int32_t b)
{
    const double *x = local->vertex[a].x, *y = local->vertex[b].x;
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                (x[2] - y[2]) * (x[2] - y[2]));
}

/* The shortest edge of a vertex, to a neighbor beyond it by name unless that is not marked. */
static ew_status collapse_at(improver *in, int32_t v)
{
    ew_local *local = in->local;
    double size, shortest = INFINITY, least;
    int32_t to = -1;
    bool done;
    EW_TRY(ew_local_size(local, v, &size)); /* leaves the neighbors in `near` */
    for (int32_t i = 0; i < local->near.n; i++) {
        const double length = length_of(local, v, local->near.id[i]);
        to = length < shortest ? local->near.id[i] : to;
        shortest = fmin(shortest, length);
    }
    if (!(shortest < SHORT_EDGE * size)) {
        return EW_OK;
    }
    least = fmin(ew_local_min_quality(local, v), in->def->goal);
    EW_TRY(ew_improve_collapse(local, v, to, least, &done));
    if (!done && local->vertex[to].is_open) {
        least = fmin(ew_local_min_quality(local, to), in->def->goal);
        EW_TRY(ew_improve_collapse(local, to, v, least, &done));
    }
    in->any = in->any || done;
    return EW_OK;
}

static ew_status collapse_short(improver *in)
{
    EW_TRY(list_vertices(in));
    for (int32_t i = 0; i < in->n; i++) {
        const int32_t v = in->item[i].slot;
        if (in->local->vertex[v].n_tet &&
            in->local->vertex[v].changed > in->local->vertex[v].tried) {
            EW_TRY(collapse_at(in, v));
        }
    }
    return EW_OK;
}

/* ---- vertices ------------------------------------------------------------------ */

static ew_status smooth(improver *in, int32_t v)
{
    ew_local *local = in->local;
    bool done;
    if (local->vertex[v].ring < 0 || local->vertex[v].is_fixed ||
        local->vertex[v].tried >= local->vertex[v].changed) {
        return EW_OK;
    }
    EW_TRY(ew_improve_vertex(local, v, &done));
    local->vertex[v].tried = local->clock;
    in->any = in->any || done;
    return EW_OK;
}

static ew_status smooth_bad(improver *in)
{
    EW_TRY(list_vertices(in));
    for (int32_t i = 0; i < in->n; i++) {
        const int32_t v = in->item[i].slot;
        if (in->local->vertex[v].n_tet && ew_local_min_quality(in->local, v) < in->def->goal) {
            EW_TRY(smooth(in, v));
        }
    }
    return EW_OK;
}

/* ---- bad tets -------------------------------------------------------------------- */

static ew_status try_edges(improver *in, int32_t t, bool *done)
{
    for (int k = 0; k < 6 && !*done; k++) {
        const int32_t *v = in->local->tet[t].v;
        EW_TRY(ew_improve_edge(in->local, v[ew_edge_vertex[k][0]], v[ew_edge_vertex[k][1]], done));
    }
    return EW_OK;
}

static ew_status try_collapses(improver *in, int32_t t, bool *done)
{
    ew_local *local = in->local;
    for (int k = 0; k < 12 && !*done; k++) {
        const int8_t *e = ew_edge_vertex[k / 2];
        const int32_t a = local->tet[t].v[e[k % 2]], b = local->tet[t].v[e[1 - k % 2]];
        if (local->vertex[a].ring >= 0) {
            EW_TRY(ew_local_open(local, a));
            const double least = ew_local_min_quality(local, a);
            EW_TRY(ew_improve_collapse(local, a, b, least + EW_IMPROVE_GAIN, done));
        }
    }
    return EW_OK;
}

static ew_status work_on(improver *in, int32_t t)
{
    ew_local *local = in->local;
    bool done = false;
    EW_TRY(try_edges(in, t, &done));
    for (int k = 0; k < 4 && !done; k++) {
        EW_TRY(ew_improve_face(local, t, k, &done));
    }
    if (!done && !in->def->keeps_vertices) {
        EW_TRY(try_collapses(in, t, &done));
    }
    in->any = in->any || done;
    for (int k = 0; k < 4 && !done && ew_local_is_live(local, t); k++) {
        EW_TRY(smooth(in, local->tet[t].v[k]));
    }
    return EW_OK;
}

static ew_status work_on_bad(improver *in)
{
    EW_TRY(list_bad(in));
    for (int32_t i = 0; i < in->n; i++) {
        const int32_t t = in->item[i].slot;
        if (ew_local_is_live(in->local, t) && in->local->tet[t].quality < in->def->goal) {
            EW_TRY(work_on(in, t));
        }
    }
    return EW_OK;
}

ew_status ew_improve(ew_local *local, const ew_improve_def *def)
{
    improver in = {.local = local, .def = def, .any = true};
    ew_status status = EW_OK;
    for (int32_t pass = 0; pass < def->passes && in.any && !status; pass++) {
        in.any = false;
        status = def->keeps_vertices ? EW_OK : collapse_short(&in);
        status = status ? status : smooth_bad(&in);
        status = status ? status : work_on_bad(&in);
    }
    ew_release(in.item);
    return status;
}

/* ---- the worst -------------------------------------------------------------------- */

/* Of tets at marked vertices; changed: of new ones and those with a moved vertex, wherever they
 * are. */
static int32_t find_worst(const ew_local *local, bool changed)
{
    int32_t worst = -1;
    for (int32_t t = 0; t < local->n_tet; t++) {
        const ew_local_tet *tet = &local->tet[t];
        const bool counts =
            changed ? ew_local_is_live(local, t) && (tet->slot < 0 || ew_local_has_moved(local, t))
                    : is_marked(local, t);
        if (counts &&
            (worst < 0 || tet->quality < local->tet[worst].quality ||
             (tet->quality == local->tet[worst].quality && tet->name < local->tet[worst].name))) {
            worst = t;
        }
    }
    return worst;
}

int32_t ew_improve_worst(const ew_local *local)
{
    return find_worst(local, false);
}

ew_status ew_improve_refuse(const ew_local *local, const ew_improve_def *def, const char *operation,
                            const char *remedy)
{
    const int32_t t = find_worst(local, true);
    if (t < 0 || local->tet[t].quality >= def->floor) {
        return EW_OK;
    }
    double x[3] = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < 3; i++) {
            x[i] += 0.25 * local->vertex[local->tet[t].v[k]].x[i];
        }
    }
    const int64_t id = local->mesh->tet_id[local->tet[t].from];
    return ew_fail_about(EW_BAD_EDIT, id, -1,
                         "%s: a part of tet %lld, at (%g, %g, %g), would have quality %.3g, below "
                         "the floor of %g; %s",
                         operation, (long long)id, x[0], x[1], x[2], local->tet[t].quality,
                         def->floor, remedy);
}
