/* Crossed edges are cut. In: a part of the mesh, its vertices inside, outside or on the surface.
 * Out: no tet with vertices on both sides.
 *
 * Each crossed edge is bisected with all tets around it, so that the mesh conforms at any moment;
 * the longest ones first, equal ones by the names of their ends. Edges that this makes end on the
 * surface. */
#include "operation/cut/cut.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct crossing {
    double length2;
    int64_t low, high; /* names */
    int32_t a, b;      /* inside, outside */
} crossing;

static int compare(const void *left, const void *right)
{
    const crossing *x = left, *y = right;
    if (x->length2 != y->length2) {
        return x->length2 > y->length2 ? -1 : 1;
    }
    return x->low != y->low     ? (x->low > y->low) - (x->low < y->low)
           : x->high != y->high ? (x->high > y->high) - (x->high < y->high)
                                : 0;
}

/* From a to b, where the distance is 0: by bisection and false position in turns. The end where the
 * distance is less stays first, so that the point does not depend on the order of the ends. */
static double find_root(const ew_cut_shape *shape, const double *a, const double *b, double x[3])
{
    double low = 0.0, high = 1.0, s = 0.5;
    double at_low = shape->distance(shape, a, NULL), at_high = shape->distance(shape, b, NULL);
    for (int step = 0; step < 60 && high - low > 1e-15; step++) {
        s = step % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        for (int i = 0; i < 3; i++) {
            x[i] = a[i] + s * (b[i] - a[i]);
        }
        const double at = shape->distance(shape, x, NULL);
        if (at == 0.0 || !(s > low && s < high)) {
            break;
        }
        low = at < 0.0 ? s : low;
        at_low = at < 0.0 ? at : at_low;
        high = at < 0.0 ? high : s;
        at_high = at < 0.0 ? at_high : at;
    }
    s = fmin(fmax(s, 1e-6), 1.0 - 1e-6);
    for (int i = 0; i < 3; i++) {
        x[i] = a[i] + s * (b[i] - a[i]);
    }
    return s;
}

static void record_crossing(const ew_local *local, int32_t v, int32_t w, crossing *item)
{
    const ew_local_vertex *p = &local->vertex[v], *q = &local->vertex[w];
    *item = (crossing){.a = p->sign < 0 ? v : w, .b = p->sign < 0 ? w : v};
    item->low = p->name < q->name ? p->name : q->name;
    item->high = p->name < q->name ? q->name : p->name;
    for (int i = 0; i < 3; i++) {
        item->length2 += (p->x[i] - q->x[i]) * (p->x[i] - q->x[i]);
    }
}

/* Each edge once: where its tets are looked through, it is known by its ends. */
static ew_status list_crossings(const ew_cutter *c, crossing **list, int32_t *n)
{
    const ew_local *local = &c->local;
    ew_map seen = {0};
    ew_status status = EW_OK;
    int32_t capacity = 0, old;
    const int32_t n_tet = c->near ? c->near->n : local->n_tet;
    for (int32_t i = 0; i < n_tet && !status; i++) {
        const int32_t t = c->near ? c->near->id[i] : i;
        for (int k = 0; k < 6 && ew_local_is_live(local, t) && !status; k++) {
            const int32_t v = local->tet[t].v[ew_edge_vertex[k][0]];
            const int32_t w = local->tet[t].v[ew_edge_vertex[k][1]];
            if (local->vertex[v].sign * local->vertex[w].sign != -1) {
                continue;
            }
            status = ew_map_enter(&seen, v < w ? v : w, v < w ? w : v, -1, *n, &old);
            if (!status && old < 0) {
                status = ew_grow(list, &capacity, (int64_t)*n + 1, sizeof **list);
                if (!status) {
                    record_crossing(local, v, w, &(*list)[(*n)++]);
                }
            }
        }
    }
    ew_map_free(&seen);
    return status;
}

ew_status ew_cut_split(ew_cutter *c)
{
    ew_local *local = &c->local;
    crossing *list = NULL;
    int32_t n = 0;
    ew_status status = list_crossings(c, &list, &n);
    if (!status && n) {
        qsort(list, (size_t)n, sizeof *list, compare);
    }
    for (int32_t i = 0; i < n && !status; i++) {
        double x[3];
        int32_t middle;
        const double fraction =
            find_root(&c->shape, local->vertex[list[i].a].x, local->vertex[list[i].b].x, x);
        status = ew_local_split(local, list[i].a, list[i].b, x, fraction, &middle);
    }
    ew_release(list);
    return status;
}
