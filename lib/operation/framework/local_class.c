/* What holds a vertex: from the marked faces around it. In: an open vertex. Out: whether it is
 * free, slides in a face or along an edge, or stays; and where a place near it is brought to by
 * that.
 *
 * Faces are parts of one flat side where they meet at an angle of 180 degrees, to rounding: a
 * vertex between such faces alone slides without a change of volume, as it does on a straight edge
 * of two flat sides. Angles beyond 40 degrees are edges of the body; between both the surface is
 * curved. The nearest point of a triangle: Ericson, Real-Time Collision Detection, 5.1.5. */
#include "operation/framework/local.h"

#include <math.h>
#include <string.h>

enum { MAX_FACES = 96 };

typedef struct fan_face {
    int32_t p, q, record;
} fan_face;
typedef struct fan {
    int n;
    fan_face face[MAX_FACES];
} fan;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(const double a[3], const double b[3], double d[3])
{
    d[0] = a[0] - b[0];
    d[1] = a[1] - b[1];
    d[2] = a[2] - b[2];
}

static void cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static bool make_unit(double a[3])
{
    const double length = sqrt(dot(a, a));
    for (int i = 0; i < 3 && length > 0.0; i++) {
        a[i] /= length;
    }
    return length > 0.0;
}

/* ---- the marked faces at a vertex ---------------------------------------- */

static bool has_face(const fan *f, int32_t p, int32_t q)
{
    for (int i = 0; i < f->n; i++) {
        if ((f->face[i].p == p && f->face[i].q == q) || (f->face[i].p == q && f->face[i].q == p)) {
            return true;
        }
    }
    return false;
}

/* Each once; false: too many. */
static bool gather(const ew_local *local, int32_t vertex, fan *f)
{
    f->n = 0;
    for (int32_t c = local->vertex[vertex].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        for (int k = 0; k < 4; k++) {
            if (k == c % 4 || tet->face[k] < 0) {
                continue;
            }
            const int8_t *of = ew_face_vertex[k];
            const int at = tet->v[of[0]] == vertex ? 0 : tet->v[of[1]] == vertex ? 1 : 2;
            const int32_t p = tet->v[of[(at + 1) % 3]], q = tet->v[of[(at + 2) % 3]];
            if (has_face(f, p, q)) {
                continue;
            }
            if (f->n == MAX_FACES) {
                return false;
            }
            f->face[f->n++] = (fan_face){p, q, tet->face[k]};
        }
    }
    return true;
}

/* ---- edges between them --------------------------------------------------- */

/* From flat, radians, of the faces with tips c and d on the edge (v, p). */
static double bend(const double *v, const double *p, const double *c, const double *d)
{
    double e[3], uc[3], ud[3], n[3];
    minus(p, v, e);
    minus(c, v, uc);
    minus(d, v, ud);
    if (!make_unit(e)) {
        return INFINITY;
    }
    const double ec = dot(e, uc), ed = dot(e, ud);
    for (int i = 0; i < 3; i++) {
        uc[i] -= ec * e[i];
        ud[i] -= ed * e[i];
    }
    cross(uc, ud, n);
    return atan2(sqrt(dot(n, n)), -dot(uc, ud));
}

/* END: of one marked face alone, which ends there within the body. */
typedef enum edge_kind { SMOOTH, CURVED, FEATURE, END } edge_kind;

static edge_kind kind_of_edge(const ew_local *local, const fan *f, int32_t vertex, int32_t p)
{
    int32_t tip[2], record[2];
    int n = 0;
    for (int i = 0; i < f->n; i++) {
        if (f->face[i].p != p && f->face[i].q != p) {
            continue;
        }
        if (n == 2) {
            return FEATURE;
        }
        tip[n] = f->face[i].p == p ? f->face[i].q : f->face[i].p;
        record[n++] = f->face[i].record;
    }
    if (n < 2) {
        return END;
    }
    if (!ew_local_same_face(local, record[0], record[1])) {
        return FEATURE;
    }
    const ew_cut_shape *shape =
        local->face[record[0]].is_cut ? ew_local_shape(local, record[0]) : NULL;
    if (shape) {
        return shape->is_flat ? SMOOTH : CURVED;
    }
    const ew_local_vertex *v = local->vertex;
    const double angle = bend(v[vertex].x, v[p].x, v[tip[0]].x, v[tip[1]].x);
    return angle < EW_LOCAL_FLAT ? SMOOTH : angle < EW_LOCAL_FEATURE ? CURVED : FEATURE;
}

static bool are_in_line(const ew_local *local, int32_t vertex, const int32_t end[2])
{
    double a[3], b[3], c[3];
    minus(local->vertex[end[0]].x, local->vertex[vertex].x, a);
    minus(local->vertex[end[1]].x, local->vertex[vertex].x, b);
    cross(a, b, c);
    return dot(a, b) < 0.0 && sqrt(dot(c, c)) < EW_LOCAL_FLAT * -dot(a, b);
}

/* Of the faces that are not the cut's: the normal of the largest where they are flat, else that of
 * all. */
static void take_normal(const ew_local *local, const fan *f, int32_t vertex, ew_local_class *class)
{
    double largest = 0.0, sum[3] = {0, 0, 0};
    const double *x = local->vertex[vertex].x;
    for (int i = 0; i < f->n; i++) {
        double a[3], b[3], n[3];
        if (local->face[f->face[i].record].is_cut) {
            continue;
        }
        minus(local->vertex[f->face[i].p].x, x, a);
        minus(local->vertex[f->face[i].q].x, x, b);
        cross(a, b, n);
        const double size = dot(n, n);
        for (int k = 0; k < 3; k++) {
            sum[k] += n[k];
        }
        if (size > largest) {
            largest = size;
            memcpy(class->normal, n, sizeof n);
        }
    }
    class->has_normal = largest > 0.0;
    if (class->is_curved) {
        memcpy(class->normal, sum, sizeof sum);
    }
    class->has_normal = class->has_normal && make_unit(class->normal);
}

/* Which edges of each kind there are. */
typedef struct edge_count {
    int n_curved, n_feature, n_end;
    int32_t curved[2], feature[2];
    bool old_curved; /* a curved one between faces that are not the cut's */
} edge_count;

static void count_edges(const ew_local *local, const fan *f, int32_t vertex, edge_count *count)
{
    for (int i = 0; i < 2 * f->n; i++) {
        const int32_t p = i % 2 ? f->face[i / 2].q : f->face[i / 2].p;
        bool again = false;
        for (int k = 0; k < i && !again; k++) {
            again = p == (k % 2 ? f->face[k / 2].q : f->face[k / 2].p);
        }
        if (again) {
            continue;
        }
        const edge_kind kind = kind_of_edge(local, f, vertex, p);
        count->n_end += kind == END;
        if (kind == FEATURE) {
            count->feature[count->n_feature < 2 ? count->n_feature : 1] = p;
            count->n_feature++;
        } else if (kind == CURVED) {
            count->curved[count->n_curved < 2 ? count->n_curved : 1] = p;
            count->n_curved++;
            count->old_curved |= !local->face[f->face[i / 2].record].is_cut;
        }
    }
}

static void set_ridge(ew_local_class *class, const int32_t end[2], bool exact)
{
    class->kind = EW_LOCAL_RIDGE;
    class->is_exact = exact;
    memcpy(class->ridge, end, sizeof class->ridge);
}

/* The surfaces of the faces of the cut, two at most. */
static void take_shapes(const ew_local *local, const fan *f, ew_local_class *class)
{
    for (int i = 0; i < f->n; i++) {
        const int32_t record = f->face[i].record;
        if (local->face[record].is_cut) {
            const ew_cut_shape *shape = ew_local_shape(local, record);
            class->is_cut = true;
            if (!class->shape[0]) {
                class->shape[0] = shape;
            } else if (shape != class->shape[0]) {
                class->shape[1] = shape;
            }
        }
    }
}

/* Whether the faces that are not the cut's lie in the plane that was taken. */
static bool are_in_plane(const ew_local *local, const fan *f, int32_t vertex,
                         const ew_local_class *class)
{
    bool in_plane = true;
    for (int i = 0; i < f->n && in_plane; i++) {
        double a[3], b[3], n[3];
        if (!local->face[f->face[i].record].is_cut) {
            minus(local->vertex[f->face[i].p].x, local->vertex[vertex].x, a);
            minus(local->vertex[f->face[i].q].x, local->vertex[vertex].x, b);
            cross(a, b, n);
            in_plane = !make_unit(n) || fabs(dot(n, class->normal)) > cos(EW_LOCAL_FEATURE);
        }
    }
    return in_plane;
}

/* Of a flat cut, faces that bend to a corner of the body. */
static bool has_welded(const ew_local *local, const fan *f)
{
    bool welded = false;
    for (int i = 0; i < f->n && !welded; i++) {
        welded = local->face[f->face[i].record].is_cut &&
                 (local->vertex[f->face[i].p].is_welded || local->vertex[f->face[i].q].is_welded);
    }
    return welded;
}

/* The one edge at a corner of the cut between other faces; negative: there is none, or more. */
static int32_t find_rim(const ew_local *local, const fan *f, int32_t vertex)
{
    int32_t rim = -1;
    for (int i = 0; i < f->n; i++) {
        for (int k = 0; k < i; k++) {
            const fan_face *a = &f->face[i], *b = &f->face[k];
            const int32_t p = a->p == b->p || a->p == b->q ? a->p : a->q;
            const bool meet = p == b->p || p == b->q;
            if (meet && !local->face[a->record].is_cut && !local->face[b->record].is_cut &&
                kind_of_edge(local, f, vertex, p) == FEATURE) {
                rim = rim == -1 ? p : -2;
            }
        }
    }
    return rim;
}

static bool is_bent(const ew_cut_shape *shape)
{
    return shape && !shape->is_flat;
}

ew_status ew_local_classify(ew_local *local, int32_t vertex, ew_local_class *class)
{
    fan f;
    edge_count count = {0};
    *class = (ew_local_class){.kind = EW_LOCAL_CORNER, .rim = -1};
    if (local->vertex[vertex].is_fixed || !gather(local, vertex, &f)) {
        return EW_OK;
    }
    if (f.n == 0) {
        class->kind = EW_LOCAL_INNER;
        return EW_OK;
    }
    take_shapes(local, &f, class);
    count_edges(local, &f, vertex, &count);
    class->is_curved = count.old_curved;
    const bool bent = is_bent(class->shape[0]) || is_bent(class->shape[1]);
    if (count.n_end || local->vertex[vertex].is_welded || (!bent && has_welded(local, &f))) {
        class->kind = EW_LOCAL_CORNER;
    } else if (count.n_feature == 2) {
        set_ridge(class, count.feature,
                  !count.n_curved && !bent && are_in_line(local, vertex, count.feature));
    } else if (count.n_feature == 0 && count.n_curved == 2 && !class->is_cut &&
               are_in_line(local, vertex, count.curved)) {
        set_ridge(class, count.curved, true);
    } else if (count.n_feature == 0) {
        class->kind = EW_LOCAL_SURFACE;
        class->is_exact = !count.n_curved;
    } else if (count.n_feature == 3 && class->is_cut && !class->is_curved) {
        class->rim = find_rim(local, &f, vertex);
    }
    take_normal(local, &f, vertex, class);
    /* The surface of the cut touches an edge of the body there. */
    if (class->kind == EW_LOCAL_RIDGE && class->is_cut && !class->is_exact && class->has_normal &&
        !are_in_plane(local, &f, vertex, class)) {
        class->kind = EW_LOCAL_CORNER;
    }
    return EW_OK;
}

/* ---- places --------------------------------------------------------------- */

int32_t ew_local_nearest(const double p[3], const double *a, const double *b, const double *c,
                         double x[3])
{
    int32_t part = 6;
    double ab[3], ac[3], ap[3], bp[3], cp[3];
    double s = 0.0, t = 0.0; /* x = a + s ab + t ac */
    minus(b, a, ab);
    minus(c, a, ac);
    minus(p, a, ap);
    minus(p, b, bp);
    minus(p, c, cp);
    const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp);
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0.0 && d2 <= 0.0) {
        part = 0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        s = 1.0;
        part = 1;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        s = d1 / (d1 - d3);
        part = 3;
    } else if (d6 >= 0.0 && d5 <= d6) {
        t = 1.0;
        part = 2;
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        t = d2 / (d2 - d6);
        part = 5;
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        t = (d4 - d3) / (d4 - d3 + d5 - d6);
        s = 1.0 - t;
        part = 4;
    } else {
        s = vb / (va + vb + vc);
        t = vc / (va + vb + vc);
    }
    for (int i = 0; i < 3; i++) {
        x[i] = a[i] + s * ab[i] + t * ac[i];
    }
    return part;
}

/* The nearest point of the faces around a vertex that are not the cut's. */
static void onto_faces(const ew_local *local, int32_t vertex, double x[3])
{
    fan f;
    double best = INFINITY, place[3] = {x[0], x[1], x[2]};
    if (!gather(local, vertex, &f)) {
        return;
    }
    for (int i = 0; i < f.n; i++) {
        double near[3], d[3];
        if (local->face[f.face[i].record].is_cut) {
            continue;
        }
        ew_local_nearest(x, local->vertex[vertex].x, local->vertex[f.face[i].p].x,
                         local->vertex[f.face[i].q].x, near);
        minus(near, x, d);
        if (dot(d, d) < best) {
            best = dot(d, d);
            memcpy(place, near, sizeof near);
        }
    }
    memcpy(x, place, sizeof place);
}

static void onto_line(const double *v, const double *p, const double *q, double x[3])
{
    double t[3], d[3];
    minus(q, p, t);
    minus(x, v, d);
    if (make_unit(t)) {
        const double s = dot(d, t);
        for (int i = 0; i < 3; i++) {
            x[i] = v[i] + s * t[i];
        }
    }
}

/* The nearest point of two segments that meet in v. */
static void onto_segments(const double *v, const double *p, const double *q, double x[3])
{
    double a[3], b[3], da[3], db[3];
    ew_local_nearest(x, v, p, p, a);
    ew_local_nearest(x, v, q, q, b);
    minus(a, x, da);
    minus(b, x, db);
    memcpy(x, dot(da, da) <= dot(db, db) ? a : b, sizeof a);
}

static void onto_plane(const double *v, const double normal[3], double x[3])
{
    double d[3];
    minus(x, v, d);
    const double off = dot(d, normal);
    for (int i = 0; i < 3; i++) {
        x[i] -= off * normal[i];
    }
}

/* By Newton's steps along the gradient, in the plane of the other faces where there are some. */
static bool onto_shape(const ew_local *local, int32_t vertex, const ew_local_class *class,
                       double x[3])
{
    const double *v = local->vertex[vertex].x;
    double off = INFINITY, from[3] = {x[0], x[1], x[2]}, d[3];
    for (int step = 0; step < 12; step++) {
        double g[3];
        if (class->has_normal && class->is_curved) {
            onto_faces(local, vertex, x);
        } else if (class->has_normal) {
            onto_plane(v, class->normal, x);
        }
        off = class->shape[0]->distance(class->shape[0], x, g);
        if (class->has_normal) {
            const double along = dot(g, class->normal);
            for (int i = 0; i < 3; i++) {
                g[i] -= along * class->normal[i];
            }
        }
        const double slope = dot(g, g);
        if (!(slope > 0.01)) {
            return false;
        }
        minus(x, from, d);
        if (off == 0.0 || fabs(off) < 1e-15 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2]))) {
            break;
        }
        for (int i = 0; i < 3; i++) {
            x[i] -= off / slope * g[i];
        }
    }
    if (class->has_normal && class->is_curved) {
        onto_faces(local, vertex, x);
    }
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

bool ew_local_project(const ew_local *local, int32_t vertex, const ew_local_class *class,
                      double x[3])
{
    const ew_local_vertex *v = local->vertex;
    const double *at = v[vertex].x;
    switch (class->kind) {
    case EW_LOCAL_INNER:
        return true;
    case EW_LOCAL_CORNER:
        return false;
    case EW_LOCAL_RIDGE:
        if (class->is_exact) {
            onto_line(at, v[class->ridge[0]].x, v[class->ridge[1]].x, x);
            return true;
        }
        if (class->is_cut) {
            return class->shape[0] && !class->shape[1] && class->has_normal &&
                   onto_shape(local, vertex, class, x);
        }
        onto_segments(at, v[class->ridge[0]].x, v[class->ridge[1]].x, x);
        return true;
    case EW_LOCAL_SURFACE:
        break;
    }
    if (class->is_cut) {
        return class->shape[0] && onto_shape(local, vertex, class, x);
    }
    if (class->is_exact) {
        onto_plane(at, class->normal, x);
    } else {
        onto_faces(local, vertex, x);
    }
    return true;
}
