/* Places on the surface of a cut through curved tets. In: the faces of a side, and a place in the
 * body, its faces or its edges. Out: the surfaces that the place is to be on, and the place moved
 * onto them by Newton's steps. */
#include "operation/cut/cut_bend.h"

#define EDGE 0.05 /* of the mean edge: a vertex of a sharp edge is so near to it */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void ew_bend_add_target(const ew_bender *in, int32_t record, ew_bend_target *target)
{
    const ew_bent_shape *bent = ew_local_shape(in->local, record)->data;
    bool has = target->n == EW_BEND_SHAPES;
    for (int k = 0; k < target->n; k++) {
        has = has || target->shape[k] == bent->plain;
    }
    if (!has) {
        target->off[target->n] = 0.0;
        target->shape[target->n++] = bent->plain;
    }
}

ew_bend_target ew_bend_target_of(const ew_bender *in, const ew_side_faces *faces)
{
    ew_bend_target target = {0};
    for (int k = 0; k < 2; k++) {
        if (faces->cut[k] >= 0) {
            ew_bend_add_target(in, faces->cut[k], &target);
        }
    }
    return target;
}

/* off, g [n][3]: how far x is beyond the target, and where to; returns the largest. */
static double measure(const ew_bend_target *target, const double x[3], double *off, double *g)
{
    double most = 0.0;
    for (int k = 0; k < target->n; k++) {
        const ew_cut_shape *shape = target->shape[k];
        off[k] = shape->distance(shape, x, g + 3 * k) - target->off[k];
        most = fmax(most, fabs(off[k]));
    }
    return most;
}

double ew_bend_distance(const ew_bend_target *target, const double x[3])
{
    double off[EW_BEND_SHAPES], g[3 * EW_BEND_SHAPES];
    return measure(target, x, off, g);
}

/* The component of the gradient in a face or along an edge. */
static void hold_gradient(ew_curved_hold hold, const double normal[3], double g[3])
{
    const double along = dot(g, normal);
    for (int i = 0; i < 3; i++) {
        g[i] = hold == EW_HOLD_EDGE   ? along * normal[i]
               : hold == EW_HOLD_FACE ? g[i] - along * normal[i]
                                      : g[i];
    }
}

/* The shortest d with g_k d = -off_k, by Gram and Schmidt, without those that the ones before leave
 * no way for; false: no way for any. g: clobbered. */
static bool find_step(int n, const double *off, double *g, double d[3])
{
    double square[EW_BEND_SHAPES];
    bool any = false;
    memset(d, 0, 3 * sizeof *d);
    for (int k = 0; k < n; k++) {
        double *own = g + 3 * k;
        const double left = -off[k] - dot(own, d);
        for (int j = 0; j < k; j++) {
            const double along = square[j] > 0.0 ? dot(own, g + 3 * j) / square[j] : 0.0;
            for (int i = 0; i < 3; i++) {
                own[i] -= along * g[3 * j + i];
            }
        }
        square[k] = dot(own, own) > 1e-4 ? dot(own, own) : 0.0;
        any = any || square[k] > 0.0;
        for (int i = 0; i < 3 && square[k] > 0.0; i++) {
            d[i] += left / square[k] * own[i];
        }
    }
    return any;
}

bool ew_bend_onto_surface(const ew_bender *in, ew_curved_hold hold, int32_t like,
                          const ew_bend_target *target, ew_curved_place *place)
{
    double g[3 * EW_BEND_SHAPES], off[EW_BEND_SHAPES], d[3], p[3];
    for (int step = 0; step < 30; step++) {
        if (measure(target, place->x, off, g) < 1e-15 * in->c->body.size) {
            break;
        }
        for (int k = 0; k < target->n; k++) {
            ew_curved_pull(&in->c->body, place, g + 3 * k);
            hold_gradient(hold, place->normal, g + 3 * k);
        }
        if (!find_step(target->n, off, g, d)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            p[i] = place->p[i] + d[i];
        }
        ew_curved_find(&in->c->body, p, hold, in->local, like, place);
    }
    const double most = measure(target, place->x, off, g);
    for (int i = 0; i < 3 * target->n; i++) { /* rounding */
        place->x[i % 3] -= off[i / 3] * g[i];
    }
    return most < EW_BEND_EXACT * in->c->body.size;
}

bool ew_bend_is_on_edge(const ew_curved_body *body, const ew_local *local, int32_t v)
{
    return ew_curved_on_edge(body, local->vertex[v].x, EDGE * body->size);
}
