/* One vertex into a neighbor. In: an edge of open vertices. Out: the edge and the tets around it
 * gone, the others of the first vertex at the second, if none is inverted or too bad by that.
 *
 * The body stays what it is where what both vertices have in common is the edge's own (link
 * condition: Dey, Edelsbrunner, Guha & Nekhayev 1999), marked faces counted alike. A vertex in a
 * face of the body goes along an edge in that face, one on an edge of the body along that. */
#include "operation/improve/improve.h"

#include <math.h>
#include <string.h>

/* ---- what stays --------------------------------------------------------- */

/* Whether (a, b) lies in a marked face. */
static bool is_in_face(const ew_local *local, int32_t a, int32_t b)
{
    for (int32_t c = local->vertex[a].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        const int ib = ew_local_corner(tet, b);
        for (int k = 0; k < 4 && ib >= 0; k++) {
            if (k != ib && k != c % 4 && tet->face[k] >= 0) {
                return true;
            }
        }
    }
    return false;
}

static bool may_go(const ew_local *local, int32_t a, int32_t b, const ew_local_class *class)
{
    switch (class->kind) {
    case EW_LOCAL_INNER:
        return true;
    case EW_LOCAL_SURFACE:
        return is_in_face(local, a, b);
    case EW_LOCAL_RIDGE:
        return class->ridge[0] == b || class->ridge[1] == b;
    case EW_LOCAL_CORNER:
        break;
    }
    return false;
}

/* ---- the link condition ---------------------------------------------------- */

static bool has_all(const ew_local_tet *tet, const int32_t *v, int n)
{
    bool all = true;
    for (int i = 0; i < n; i++) {
        all = all && ew_local_corner(tet, v[i]) >= 0;
    }
    return all;
}

/* Whether a tet at v has all of these, and not `without`. */
static bool star_has(const ew_local *local, int32_t v, const int32_t *corner, int n,
                     int32_t without)
{
    for (int32_t c = local->vertex[v].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        if (ew_local_corner(tet, without) < 0 && has_all(tet, corner, n)) {
            return true;
        }
    }
    return false;
}

/* Vertices that both have for neighbors are those of tets around the edge. */
static ew_status share_own_vertices(ew_local *local, int32_t a, int32_t b, bool *good)
{
    EW_TRY(ew_local_neighbors(local, b));
    const int32_t near_b = local->stamp;
    const int32_t ring = ++local->stamp;
    for (int32_t c = local->vertex[a].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        for (int k = 0; k < 4 && ew_local_corner(tet, b) >= 0; k++) {
            local->vertex[tet->v[k]].stamp = ring;
        }
    }
    *good = true;
    for (int32_t c = local->vertex[a].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        for (int k = 0; k < 4; k++) {
            *good = *good && local->vertex[local->tet[c / 4].v[k]].stamp != near_b;
        }
    }
    return EW_OK;
}

/* Edges and faces that both see are those of tets around the edge. */
static bool share_own_edges(const ew_local *local, int32_t a, int32_t b)
{
    for (int32_t c = local->vertex[a].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        if (ew_local_corner(tet, b) >= 0) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            if (k == c % 4) {
                continue;
            }
            int32_t edge[4] = {a, b, -1, -1}; /* (p, q) across from a and corner k */
            int n = 2;
            for (int i = 0; i < 4; i++) {
                if (i != k && i != c % 4) {
                    edge[n++] = tet->v[i];
                }
            }
            if (star_has(local, b, edge + 2, 2, a) && !star_has(local, a, edge, 4, -1)) {
                return false;
            }
        }
    }
    return true;
}

/* Where (a, c) and (b, c) are edges of marked faces, (a, b, c) is such a face. */
static bool share_own_faces(const ew_local *local, int32_t a, int32_t b)
{
    for (int32_t k = local->vertex[a].first; k >= 0; k = local->tet[k / 4].next[k % 4]) {
        const ew_local_tet *tet = &local->tet[k / 4];
        const int ib = ew_local_corner(tet, b);
        for (int i = 0; i < 4 && ib >= 0; i++) {
            const int32_t c = tet->v[i];
            if (i == ib || i == k % 4 || !is_in_face(local, a, c) || !is_in_face(local, b, c)) {
                continue;
            }
            bool marked = false;
            for (int32_t j = local->vertex[a].first; j >= 0; j = local->tet[j / 4].next[j % 4]) {
                const ew_local_tet *of = &local->tet[j / 4];
                const int32_t corner[3] = {a, b, c};
                for (int f = 0; f < 4 && has_all(of, corner, 3); f++) {
                    marked = marked ||
                             (of->v[f] != a && of->v[f] != b && of->v[f] != c && of->face[f] >= 0);
                }
            }
            if (!marked) {
                return false;
            }
        }
    }
    return true;
}

/* ---- what becomes of the tets ----------------------------------------------- */

static double distance(const double *a, const double *b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double off_cut(const ew_local *local, int32_t record, const double x[3])
{
    const ew_cut_shape *shape = ew_local_shape(local, record);
    return fabs(shape->distance(shape, x, NULL));
}

/* Whether marked faces with b for a pass near enough by a, and those of the cut by its surface. */
static bool stays_near(const ew_local *local, int32_t a, int32_t b, const ew_local_class *class,
                       double size)
{
    double near = INFINITY;
    const double *from = local->vertex[a].x;
    if (class->kind == EW_LOCAL_INNER || class->is_exact) {
        return true;
    }
    for (int32_t c = local->vertex[a].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        for (int k = 0; k < 4; k++) {
            if (k == c % 4 || tet->face[k] < 0 || ew_local_corner(tet, b) >= 0) {
                continue;
            }
            const bool cut = local->face[tet->face[k]].is_cut;
            double x[3], center[3] = {0, 0, 0};
            const double *y[3];
            for (int i = 0; i < 3; i++) {
                const int32_t v = tet->v[ew_face_vertex[k][i]];
                y[i] = local->vertex[v == a ? b : v].x;
                for (int j = 0; j < 3; j++) {
                    center[j] += y[i][j] / 3.0;
                }
            }
            if (cut && off_cut(local, tet->face[k], center) > EW_LOCAL_OFF_CUT * size) {
                return false;
            }
            ew_local_nearest(from, y[0], y[1], y[2], x);
            near = fmin(near, distance(from, x));
        }
    }
    return near <= (class->is_cut ? EW_LOCAL_OFF_CUT : EW_LOCAL_OFF_CURVED) * size;
}

static double min_after(const ew_local *local, int32_t a, int32_t b, double bound)
{
    double least = INFINITY;
    for (int32_t c = local->vertex[a].first; c >= 0 && least > bound;
         c = local->tet[c / 4].next[c % 4]) {
        const ew_local_tet *tet = &local->tet[c / 4];
        const double *x[4];
        if (ew_local_corner(tet, b) >= 0) {
            continue;
        }
        for (int k = 0; k < 4; k++) {
            x[k] = local->vertex[tet->v[k] == a ? b : tet->v[k]].x;
        }
        least = fmin(least, ew_local_quality_of(x[0], x[1], x[2], x[3]));
    }
    return least;
}

/* Of a tet that goes, faces across from a and from b fall together: one that was marked stays so
 * for the tet behind the other. False: both are. */
static bool hand_over(ew_local *local, int32_t t, int32_t a, int32_t b, bool only_look)
{
    const ew_local_tet *tet = &local->tet[t];
    const int ia = ew_local_corner(tet, a), ib = ew_local_corner(tet, b);
    if (tet->face[ia] >= 0 && tet->face[ib] >= 0) {
        return false;
    }
    for (int side = 0; side < 2 && !only_look; side++) {
        const int from = side ? ib : ia, to = side ? ia : ib;
        int at = 0;
        const int32_t beyond = tet->face[from] >= 0 ? ew_local_across(local, t, to, &at) : -1;
        if (beyond >= 0) {
            local->tet[beyond].face[at] = tet->face[from];
        }
    }
    return true;
}

static ew_status apply(ew_local *local, int32_t a, int32_t b)
{
    EW_TRY(ew_local_star(local, a));
    const ew_list *star = &local->star;
    for (int32_t i = 0; i < star->n; i++) {
        if (ew_local_corner(&local->tet[star->id[i]], b) >= 0) {
            hand_over(local, star->id[i], a, b, false);
        }
    }
    for (int32_t i = 0; i < star->n; i++) {
        int32_t v[4], face[4], made;
        const int32_t t = star->id[i];
        if (ew_local_corner(&local->tet[t], b) < 0) {
            memcpy(v, local->tet[t].v, sizeof v);
            memcpy(face, local->tet[t].face, sizeof face);
            v[ew_local_corner(&local->tet[t], a)] = b;
            EW_TRY(ew_local_add_tet(local, v, face, t, &made));
        }
        ew_local_remove_tet(local, t);
    }
    return EW_OK;
}

static bool has_two_marked(ew_local *local, int32_t a, int32_t b)
{
    for (int32_t c = local->vertex[a].first; c >= 0; c = local->tet[c / 4].next[c % 4]) {
        if (ew_local_corner(&local->tet[c / 4], b) >= 0 && !hand_over(local, c / 4, a, b, true)) {
            return true;
        }
    }
    return false;
}

ew_status ew_improve_collapse(ew_local *local, int32_t a, int32_t b, double least, bool *done)
{
    ew_local_class class;
    double size;
    bool good;
    *done = false;
    if (local->vertex[a].ring < 0 || local->vertex[a].is_fixed) {
        return EW_OK;
    }
    EW_TRY(ew_local_open(local, a));
    if (!(min_after(local, a, b, least) > least)) {
        return EW_OK;
    }
    EW_TRY(ew_local_classify(local, a, &class));
    if (!may_go(local, a, b, &class)) {
        return EW_OK;
    }
    EW_TRY(ew_local_open(local, b));
    EW_TRY(share_own_vertices(local, a, b, &good));
    if (!good || has_two_marked(local, a, b) || !share_own_edges(local, a, b) ||
        !share_own_faces(local, a, b)) {
        return EW_OK;
    }
    EW_TRY(ew_local_size(local, a, &size));
    if (!stays_near(local, a, b, &class, size)) {
        return EW_OK;
    }
    *done = true;
    return apply(local, a, b);
}
